"""The example of spells, Powers and items as a table plays it, each at its moment and price, worked by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from scenes import Scripted, acted, answer, happened, hidden_from, question, ready, recorded, refused, spent

import turnwright as tw
from turnwright.events import Acted, Event, Placed
from turnwright.policy import RandomBot
from turnwright.rules import find_game
from turnwright.systems.narateer.events import Checked, CluePerceived, ExchangeEnded, PowerUsed

SCENE = Path(__file__).parent.parent / "examples" / "narateer" / "spells-and-powers.yaml"


def yard(*dice: Any, begin: str, **at: tuple[int, int]) -> tw.Table:
    """The example in somebody's Activation; names with a Space put somebody there first."""
    table = tw.Table(tw.load_scene(SCENE), dice=Scripted(*dice), seed=1)
    if at:
        table.override([Placed("", name, space) for name, space in at.items()], "later that night")
    table.declare(begin, "begin")
    return table


def row(*xs: int, y: int = 4) -> list[tuple[int, int]]:
    return [(x, y) for x in xs]


def take(table: tw.Table, label: str, boost: int = 0) -> None:
    """Answer the open question with the option of that label; it must be there."""
    asked = question(table)
    ids = [option.id for option in asked.question.options if label in option.label]
    assert len(ids) == 1, [option.label for option in asked.question.options]
    answer(table, (ids[0], boost))


def pass_all(table: tw.Table, who: str) -> None:
    while table.waiting_on and question(table).actor == who and "pass" in question(table).options:
        answer(table, "pass")


@pytest.mark.rule(
    "narateer.cast.follow-magic",
    "narateer.cast.noticeability",
    "narateer.cost.casting-cost-covers-casting",
    "narateer.reveal.by-side-effects",
    "narateer.reveal.ambiguous-clue",
    "narateer.additional.separate-from-normal",
)
def test_ilse_casts_from_hiding_until_a_spell_gives_her_away() -> None:
    table = yard(9, 9, (2,), begin="ilse")
    table.declare("ilse", "hide", method="crouch in the thicket", boost=0)
    # 9 exceeds 3 + Observation 2 of the warden and 3 of the hexer.
    assert hidden_from(table, "ilse") == {"warden", "hexer"}

    # Nobody can notice it: 2 AD, and 6 m beside any mode, of which a Space costs 4 m while she sneaks.
    table.declare("ilse", "cast", spell="veil step")
    assert (table.waiting_on, happened(table, CluePerceived)) == ((), [])
    table.declare("ilse", "extra_move", route=[(5, 2)])
    assert (ready(table, "ilse"), table.state.actors["ilse"].extra, spent(table, "ilse")) == (3, 2, 0)
    assert hidden_from(table, "ilse") == {"warden", "hexer"}

    # It carries 16 m: the warden stands 10 m away and the hexer 30 m. He follows it, and a tie finds nobody.
    table.declare("ilse", "cast", spell="knock")
    assert [(c.by, c.clear) for c in happened(table, CluePerceived)] == [("warden", False)]
    assert table.state.facts["bolt"].text == "the tower door is unbolted"
    answer(table, ("0", 0))
    assert (hidden_from(table, "ilse"), ready(table, "warden")) == ({"warden", "hexer"}, 5)

    # 2 and Alchemy 2 exceed 3, the warden's score in Acrobatics. Both see where it came from.
    table.declare("ilse", "cast", spell="fire lance", target="warden", boost=0)
    assert question(table, "confirm").question.warnings == ("whoever notices the spell knows where you are",)
    assert ready(table, "ilse") == 2
    answer(table, True)
    assert table.state.actors["warden"].wounds == 1
    assert (hidden_from(table, "ilse"), recorded(table, "ilse")) == (set(), None)
    ilse = table.state.actors["ilse"]
    assert (ilse.ready, ilse.pools["mana"], ilse.uses) == (1, 5, {"stealth": 1, "alchemy": 1})

    # The first two spells the hexer was not aware of; this one she answers, at its own price.
    assert question(table).actor == "hexer"
    take(table, "unravel")
    assert table.state.actors["ilse"].conditions == ("dazzled",)
    hexer = table.state.actors["hexer"]
    assert (hexer.ready, hexer.pools["mana"], hexer.uses) == (5, 1, {})
    assert acted(table, "hexer") == [("cast_cast_reaction", "reactive")]


@pytest.mark.rule("narateer.cast.follow-magic")
def test_what_a_spell_needs_can_be_taken_away() -> None:
    table = yard(begin="ilse")
    table.override({"ilse.conditions": ["gagged"]}, "a cloth over her mouth")
    legal = {
        (offer.declaration.option("spell"), offer.declaration.target)
        for offer in table.offers("ilse")
        if offer.action == "cast" and offer.verdict == "legal"
    }
    # No fire lance without speech; mend reaches 4 m, which is where Marek is; the ward waits for a hit.
    assert legal == {("veil step", ""), ("knock", ""), ("mend", "ilse"), ("mend", "marek")}


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.reaction.own-timing-and-cost")
def test_the_ward_takes_a_wound_off_the_blow_that_opens_it() -> None:
    table = yard(6, begin="warden")
    table.declare("warden", "walk", route=[*row(9, 8, 7, 6), (5, 3)])
    table.declare("warden", "attack", target="ilse", boost=0)
    answer(table, "no_response")
    # 6 exceeds 3 and would be a Wound.
    take(table, "ward")
    assert (table.state.actors["ilse"].wounds, ready(table, "ilse")) == (0, 5)
    assert acted(table, "ilse") == [("cast_hit_reaction", "reactive")]
    # The shield in his hand lets nobody hide.
    said = refused(lambda: table.declare("warden", "hide", method="behind the shield"))
    assert said["narateer.activation.any-affordable-mix"] == "tower shield bars it: hide"


@pytest.mark.rule("narateer.cast.follow-magic")
@pytest.mark.parametrize(("total", "conditions"), [(7, ()), (8, ("prone",))])
def test_the_hexer_trips_marek_and_ilse_helps_him_up(total: int, conditions: tuple[str, ...]) -> None:
    table = yard(total, begin="hexer", hexer=(12, 4))
    # 20 m, in sight; his score in Athletics is 3 + 4.
    table.declare("hexer", "cast", spell="trip", target="marek", boost=0)
    assert table.state.actors["marek"].conditions == conditions
    table.declare("hexer", "end")
    table.declare("ilse", "begin")
    table.declare("ilse", "cast", spell="mend", target="marek")
    # Paid in mana alone.
    ilse = table.state.actors["ilse"]
    assert (table.state.actors["marek"].conditions, ilse.ready, ilse.pools["mana"]) == ((), 6, 4)


@pytest.mark.rule(
    "narateer.power.sprint-requirement",
    "narateer.power.named-sprint-requirement",
    "narateer.power.extra-ad-adds-no-distance",
    "narateer.response.power-inside-response",
    "narateer.additional.no-multiplier",
    "narateer.additional.continue-sprint",
)
def test_marek_sprints_and_charges_and_the_warden_holds() -> None:
    table = yard((2,), (6,), begin="marek")
    assert "narateer.power.sprint-requirement" in refused(lambda: table.declare("marek", "use_power", power="Leap"))
    table.declare("marek", "sprint", skill="athletics", route=row(3, 4, 5, 6, 7, 8, 9))
    # A Reaction to a step in sight and within 4 m, at no AD.
    assert (question(table).actor, table.state.actors["marek"].at) == ("warden", (8, 4))
    take(table, "Dog the Heels")
    pass_all(table, "warden")
    assert table.state.actors["marek"].at == (9, 4)
    assert (table.state.actors["warden"].extra, ready(table, "warden")) == (2, 6)

    # 2 AD for the Sprint and 1 of the Power's own; no Base Attack Cost.
    table.declare("marek", "use_power", power="Charge", target="warden", boost=0)
    assert ready(table, "marek") == 5
    take(table, "Steady")
    assert question(table).options == (
        "no_response",
        "full_guard",
        "full_guard+Iron Guard",
        "clash:mace",
        "clash:mace+Bind",
    )
    answer(table, ("full_guard+Iron Guard", 0))
    # 2 + Melee 2 + 3 of the Iron Guard + 1 of Steady, against 6 + Melee 2: 8 against 8 is no hit.
    assert [e.total for e in happened(table, Checked)] == [8, 8]
    assert [e.hit for e in happened(table, ExchangeEnded)] == [""]
    assert table.state.actors["warden"].conditions == ()

    # Afterwards the Reaction that the Iron Guard creates, and another one that moves Tempo.
    take(table, "Iron Guard")
    assert table.state.actors["warden"].extra == 2 + 4
    take(table, "Press the Line")
    # Steady 1, Full Guard 1, Iron Guard 1 and again 1, Press the Line 1.
    assert ready(table, "warden") == 1
    assert [nature for _, nature in acted(table, "warden")] == ["reactive", "reactive", "reactive"]
    assert "narateer.response.three-options" in refused(
        lambda: table.declare("marek", "attack", target="warden", boost=0)
    )

    # 45 + 8 m, of which 14 are used; the Leap is 5 m and not 15.
    table.declare("marek", "use_power", power="Leap")
    assert (table.state.actors["marek"].extra, spent(table, "marek")) == (5, 14)
    table.declare("marek", "use_power", power="Press On")
    assert ready(table, "marek") == 4
    assert table.explain("marek", "sprint").label.endswith("39 m left")
    why = refused(lambda: table.declare("marek", "use_power", power="Wall Run", boost=0))
    assert "narateer.power.named-sprint-requirement" in why


@pytest.mark.rule("narateer.power.may-add-own-check", "narateer.power.movement-requirement-kinds")
@pytest.mark.parametrize(("total", "granted"), [(5, 0), (6, 4)])
def test_marek_runs_along_the_wall(total: int, granted: int) -> None:
    table = yard(total, begin="marek", marek=(12, 1), warden=(2, 5))
    table.declare("marek", "sprint", skill="acrobatics", route=row(13, 14, 15, y=1))
    table.declare("marek", "use_power", power="Wall Run", boost=0)
    marek = table.state.actors["marek"]
    assert (marek.extra, spent(table, "marek"), marek.uses) == (granted, 6, {"acrobatics": 2})
    # 45 m and 2 for Acrobatics 1, whatever the check came to.
    assert table.explain("marek", "sprint").label.endswith("41 m left")


@pytest.mark.rule("narateer.equipment.specific-rule-first", "narateer.reaction.modifier-power-is-not-reaction")
def test_marek_uses_what_he_carries_and_strikes_with_a_heavy_hand() -> None:
    table = yard(6, (6,), (1,), begin="marek")
    table.declare("marek", "walk", route=row(3, 4, 5, 6, 7, 8))
    pass_all(table, "warden")
    # A check against 6, which is met; it is heard 12 m away, and gone.
    table.declare("marek", "use", using="flask of oil", target="warden", boost=0)
    assert (table.state.actors["warden"].wounds, ready(table, "marek")) == (1, 7)
    assert [(c.by, c.clear) for c in happened(table, CluePerceived)] == [("warden", False)]
    assert table.state.actors["marek"].uses == {"athletics": 1}
    refused(lambda: table.declare("marek", "use", using="flask of oil", target="warden", boost=0))
    # A Minor Action, and a free one that the hexer, 24 m away, does not hear.
    table.declare("marek", "use", using="caltrops")
    table.declare("marek", "use", using="horn")
    assert table.state.facts["caltrops"].text == "spikes lie by the ladder"
    assert ready(table, "marek") == 6
    assert [c.by for c in happened(table, CluePerceived)] == ["warden", "warden"]

    table.declare("marek", "walk", route=row(9))
    pass_all(table, "warden")
    table.declare("marek", "attack", target="warden", boost=0)
    answer(table, "pass")
    answer(table, ("clash:mace+Bind", 0))
    # 6 + Melee 2 against 1 + Melee 2: the sword's Wound and the Heavy Hand's.
    take(table, "Heavy Hand")
    assert table.state.actors["warden"].wounds == 1 + 2
    # 6 - 1 for the attack - 1 for the Power, which is no Reaction; the warden's Clash and what is in it were 2.
    assert (ready(table, "marek"), ready(table, "warden")) == (4, 4)
    assert "reactive" not in [nature for _, nature in acted(table, "marek")]


@pytest.mark.rule("narateer.response.power-after-exchange", "narateer.reaction.explicit-only")
@pytest.mark.parametrize(
    ("stunned", "open_to"), [(False, ["Second Wind", "Riposte (Reaction)"]), (True, ["Second Wind"])]
)
def test_after_an_exchange_a_ban_on_reactions_takes_what_is_labelled_one(stunned: bool, open_to: list[str]) -> None:
    table = yard(3, begin="warden", marek=(9, 4))
    table.override({"marek.conditions": ["prone", *(["stunned"] if stunned else [])]}, "he is on the ground")
    table.declare("warden", "attack", target="marek", boost=0)
    answer(table, "no_response")
    asked = question(table)
    assert (asked.actor, [o.label for o in asked.question.options][1:]) == ("marek", open_to)
    take(table, "Second Wind")
    assert [e.power for e in happened(table, PowerUsed)] == ["Second Wind"]
    marek = table.state.actors["marek"]
    assert (marek.extra, "prone" in marek.conditions) == (2, False)
    assert acted(table, "marek") == []


@pytest.mark.rule("narateer.additional.exact-amount", "narateer.equipment.specific-rule-first")
def test_the_boots_leap_4_m_twice_and_never_again() -> None:
    table = yard(begin="ilse")
    table.declare("ilse", "use", using="spring boots")
    table.declare("ilse", "use", using="spring boots")
    ilse = table.state.actors["ilse"]
    assert (ilse.extra, ilse.ready, ilse.mode) == (8, 4, "")
    assert "narateer.equipment.specific-rule-first" in refused(
        lambda: table.declare("ilse", "use", using="spring boots")
    )
    # The crystal has no rule of its own: the guide rules by the tiers.
    table.declare("ilse", "use", using="crystal", intent="see what it shows", effort="simple")
    assert question(table).kind == "rule"


def test_bots_use_spells_powers_and_items_of_every_kind() -> None:
    heard: list[Event] = []
    for seed in range(6):
        state = tw.load_scene(SCENE)
        game = find_game(state.scene.system)
        tw.play_out(game, state, RandomBot(seed), draw=Random(seed).random, rounds=4, most=600, heard=heard.append)
    found = {event.action for event in heard if isinstance(event, Acted)}
    found |= {event.power for event in heard if isinstance(event, PowerUsed)}
    assert {"cast", "use", "cast_cast_reaction", "power_stepped_reaction", "Leap"} <= found


def test_the_odds_of_a_spell_an_item_and_a_power_are_those_of_counting_faces() -> None:
    ilse, marek = yard(begin="ilse"), yard(begin="marek", marek=(8, 4))

    def chance(table: tw.Table, actor: str, action: str, result: str, **said: Any) -> Fraction:
        return table.odds(actor, action, boost=0, **said).chance(lambda outcome: outcome.result == result)

    # 1d6 + Alchemy 2 must exceed 3 + Acrobatics: 0 in truth, and 1 as Ann assumes. 1d6 + Athletics 4 must meet 6.
    lance: dict[str, Any] = {"spell": "fire lance", "target": "warden"}
    assert chance(ilse, "ilse", "cast", "cast", seat="guide", **lance) == Fraction(5, 6)
    assert chance(ilse, "ilse", "cast", "cast", **lance) == Fraction(4, 6)
    assert chance(marek, "marek", "use", "used", using="flask of oil", target="warden") == Fraction(5, 6)
    wall = yard(begin="marek", marek=(12, 1), warden=(2, 5))
    wall.declare("marek", "sprint", skill="acrobatics", route=row(13, 14, 15, y=1))
    # 1d6 + Acrobatics 1 must meet 6.
    assert chance(wall, "marek", "use_power", "used", power="Wall Run") == Fraction(2, 6)


def test_an_item_that_works_counts_as_a_success() -> None:
    made = tw.Table(tw.load_scene(SCENE), seed=1)
    made.declare("marek", "begin")
    made.override({"marek.at": [6, 4]}, "he is near enough")
    # One die and Athletics 4 meet the target 6 with anything but a 1.
    odds = made.odds("marek", "use", using="flask of oil", target="warden", boost=0, seat="guide")
    assert odds.success == Fraction(5, 6)
