"""Budgets off-turn and while no turns are counted, aid with a choice, initiative, armour that is worn."""

from typing import Any

import pytest
from realms import SWORD, codes, creature, explain, happened, left, passing, question, rolled, spent, table, turn, who

import turnwright as tw
from turnwright.systems.altered_realms.events import Inspired, OrderRolled


def two(begin: str = "", dice: Any = (), settings: Any = None, **kara: Any) -> tw.Table:
    keys = {"items": [SWORD]} | kara
    more = {"settings": settings} if settings else {}
    return table(creature("kara", "h", (1, 1), **keys), creature("orc", "o", (2, 1)), begin=begin, dice=dice, **more)


POOLS = {"might": {"current": 2, "maximum": 3}, "focus": {"current": 0, "maximum": 2}}


@pytest.mark.rule("altered-realms.recuperate.once-per-turn-any-time", "altered-realms.recuperate.cost")
def test_while_no_turns_are_counted_recuperating_is_open_and_takes_no_budget():
    t = two(pools=POOLS)
    assert explain(t, "kara", "recuperate", source="might", into="focus").verdict == "legal"
    for _ in range(2):
        t.declare("kara", "recuperate", source="might", into="focus")
    assert (who(t, "kara").pools["might"], who(t, "kara").pools["focus"], who(t, "kara").reactions) == (0, 2, 1)
    t = two(pools=POOLS, begin="orc")
    assert explain(t, "kara", "recuperate", source="might", into="focus").verdict == "ruling"  # off-turn it is not


@pytest.mark.rule("altered-realms.reaction.any-off-turn-act")
def test_while_nobody_has_the_turn_the_narrator_is_asked_and_no_reaction_is_taken():
    t = two()
    for _ in range(2):
        t.declare("kara", "stow", item="sword")
        t.answer(question(t), 0)
        assert who(t, "kara").item("sword").place == "holster"
        t.declare("kara", "draw", item="sword")
        t.answer(question(t), 0)
    assert who(t, "kara").reactions == 1
    assert spent(t, "kara", "attempt", intent="up", method="climb", skill="athletics") == {}
    t.declare("kara", "drop", item="sword")
    assert who(t, "kara").reactions == 1


@pytest.mark.rule("altered-realms.reaction.any-off-turn-act", "altered-realms.inspire.once-between-rests")
def test_off_turn_a_reaction_stands_for_the_budgets_and_for_nothing_else():
    spell = {"name": "spark", "budget": "motion", "cost": {"focus": 1}}
    t = two(begin="orc", abilities=[spell], pools={"focus": 1})
    assert spent(t, "kara", "cast", ability="spark") == {"reaction": 1, "pool:focus": 1}
    assert spent(t, "kara", "inspire", hits=1) == {"reaction": 1, "rest": 1}
    assert spent(t, "kara", "attack", target="orc") == {"reaction": 1}
    assert spent(t, "kara", "rally") == {"reaction": 1}


@pytest.mark.rule("altered-realms.economy.reactions-off-turn-only")
@pytest.mark.parametrize(
    "action", ["aid_now", "rally_save", "meat_shield", "catch", "triggered_ability", "primed_when_near"]
)
def test_no_rule_that_names_a_reaction_is_open_in_the_own_turn(action: str):
    assert "OWN_TURN" in codes(two(begin="kara"), "kara", action)


@pytest.mark.rule("altered-realms.reaction.count-scale")
@pytest.mark.parametrize(("count", "label"), [(1, "typical"), (2, "very fast"), (3, "superhuman"), (5, "superhuman")])
def test_the_sheet_says_how_fast_one_reacts(count: int, label: str):
    t = two(reactions=count)
    assert t.game.sheet(t.state, "kara")["reaction_speed"] == label
    assert two().game.sheet(two().state, "orc")["reaction_speed"] == "typical"


@pytest.mark.rule("altered-realms.reaction.any-off-turn-act", "altered-realms.skill.social-no-action")
def test_where_speech_is_not_free_it_takes_a_reaction_off_turn_and_none_in_the_own():
    t = two(begin="orc", settings={"free_speech": False})
    assert spent(t, "kara", "attempt", intent="a", method="b", skill="lore") == {"reaction": 1, "roll:mental": 1}
    t.override({"kara.reactions": 0}, "a test")
    assert "REACTION" in codes(t, "kara", "attempt", intent="a", method="b", skill="lore")
    turn(t, "kara")
    assert spent(t, "kara", "attempt", intent="a", method="b", skill="lore") == {"roll:mental": 1}


@pytest.mark.rule("altered-realms.economy.extra-grants", "altered-realms.attack.one-action-covers-all")
def test_granted_attacks_add_up_and_one_action_opens_them_all():
    t = two(begin="kara", dice=((2,),) * 3, traits=[{"name": "quick", "attacks": 1}, {"name": "fierce", "attacks": 1}])
    for attacks in (2, 1, 0):
        t.declare("kara", "attack", target="orc")
        assert (left(t, "kara")[0], who(t, "kara").attacks) == (0, attacks)
    assert codes(t, "kara", "attack", target="orc") == ["ACTION"]


@pytest.mark.rule("altered-realms.downgrade.allowed-mid-turn")
def test_nothing_is_broken_down_off_turn_nor_twice_nor_the_movement_of_one_who_is_held():
    t = two(begin="orc")
    assert "NOT_YOUR_TURN" in codes(t, "kara", "downgrade", budget="action", into="motion")
    t = two(begin="kara")
    t.declare("kara", "downgrade", budget="action", into="motion")
    assert codes(t, "kara", "downgrade", budget="action", into="motion") == ["ACTION"]
    t = two(begin="orc", dice=((19,),))
    t.declare("orc", "grapple", target="kara")
    turn(t, "kara")
    assert codes(t, "kara", "downgrade", budget="movement", into="motion") == ["HELD"]
    assert codes(t, "kara", "downgrade", budget="action", into="motion") == []


@pytest.mark.rule("altered-realms.sprint.blocked-at-zero-stamina", "altered-realms.downgrade.allowed-mid-turn")
@pytest.mark.parametrize(("pools", "open_"), [({"stamina": 0}, False), ({"stamina": 1}, True), ({}, True)])
def test_an_action_becomes_a_movement_only_for_whoever_could_sprint(pools: Any, open_: bool):
    t = two(begin="kara", pools=pools)
    assert (codes(t, "kara", "downgrade", budget="action", into="movement") == []) is open_
    t.override({"kara.movements": 0}, "a test")
    assert (codes(t, "kara", "walk", to=(1, 2)) == []) is open_
    assert left(t, "kara") == (1, 1, 0)


class TestDeclaredHindrance:
    @pytest.mark.rule("altered-realms.lend-aid.help-12-plus", "altered-realms.lend-aid.hinder-11-minus")
    @pytest.mark.parametrize(
        ("helper", "hinder", "aided", "passed"),
        [(12, False, 12, True), (11, False, 14, True), (11, True, 15, False), (12, True, 14, True)],
    )
    def test_where_one_declares_which_the_other_band_does_nothing(self, helper, hinder, aided, passed):
        t = table(
            creature("kara", "h", (1, 1)),
            creature("finn", "h", (1, 2), training={"athletics": 0}),
            settings={"declared_hinder": True},
            dice=((helper,), (aided,)),
            begin="kara",
        )
        t.declare("kara", "attempt", intent="up", method="climb", skill="athletics")
        t.answer(question(t), {"kind": "check", "skill": "athletics", "target": 14, "success": "y", "failure": "n"})
        wanted = "hinder" if hinder else "help"
        t.answer(question(t), next(o.id for o in question(t).question.options if o.label.startswith(wanted)))
        assert rolled(t).passed is passed
        assert who(t, "finn").reactions == 0

    @pytest.mark.rule("altered-realms.lend-aid.hinder-11-minus")
    def test_otherwise_there_is_nothing_to_choose(self):
        t = table(creature("kara", "h", (1, 1)), creature("finn", "h", (1, 2), training={"lore": 0}), begin="finn")
        assert codes(t, "finn", "lend_aid", target="kara", skill="lore", hinder=True) == ["NO_CHOICE"]

    @pytest.mark.rule("altered-realms.lend-aid.help-12-plus")
    def test_two_helpers_count_each_by_themselves(self):
        t = table(
            creature("kara", "h", (1, 1)),
            creature("finn", "h", (1, 2), training={"athletics": 0}),
            creature("bo", "h", (2, 2), training={"athletics": 0}),
            dice=((12,), (12,), (10,)),
            begin="kara",
        )
        t.declare("kara", "attempt", intent="up", method="climb", skill="athletics")
        t.answer(question(t), {"kind": "check", "skill": "athletics", "target": 14, "success": "y", "failure": "n"})
        while t.waiting_on and question(t).kind in ("choose", "react"):
            t.answer(question(t), "0")
        if t.waiting_on:
            t.answer(question(t), ("finn", "bo"))
        passing(t)
        assert rolled(t).passed  # 10 + 2 + 2


@pytest.mark.rule("altered-realms.inspire.spend-once-on-any-d20", "altered-realms.inspire.before-or-after-roll")
@pytest.mark.parametrize("before", [True, False])
def test_initiative_is_a_d20_like_any_other(before: bool):
    t = table(
        creature("kara", "h", (1, 1)),
        creature("finn", "h", (1, 2)),
        creature("orc", "o", (9, 1)),
        dice=((10,), (8,), (11,)),
        begin="kara",
    )
    t.declare("kara", "inspire", hits=1)
    t.declare("kara", "end")
    t.override({"finn.rested": True}, "a test")
    t.override({"kara.attributes.dex": 0}, "a test")
    if before:
        t.declare("finn", "spend_inspiration")
    t.declare("", "initiative")
    if not before:
        t.answer(question(t), "spend")
    (rolled_order,) = happened(t, OrderRolled)
    assert dict(zip(rolled_order.actors, rolled_order.totals, strict=True)) == {"orc": 11, "kara": 10, "finn": 9}
    assert t.state.related(Inspired, "finn") == ()


@pytest.mark.rule("altered-realms.item.rummage", "altered-realms.armor.don-doff-time-listed")
def test_armour_that_is_worn_is_taken_off_and_not_rummaged_for():
    plate = {"name": "plate", "place": "worn", "size": "medium", "armor": {"don": 10, "doff": 5, "ac": 4}}
    ring = {"name": "ring", "place": "worn"}
    t = two(begin="kara", items=[plate, ring])
    assert codes(t, "kara", "rummage", item="plate") == ["WORN"]
    assert codes(t, "kara", "doff", item="plate") == ["IN_TURNS"]
    t.declare("kara", "rummage", item="ring")  # a place on the person that is no pouch, pocket or holster
    assert (left(t, "kara"), who(t, "kara").item("ring").place) == ((0, 1, 1), "hand")


@pytest.mark.rule("altered-realms.item.draw", "altered-realms.item.stow", "altered-realms.item.drop")
def test_what_a_held_hand_holds_can_be_dropped_and_not_put_away():
    t = two(begin="orc", dice=((19,),))
    t.declare("orc", "grapple", target="kara", part="right hand")
    turn(t, "kara")
    assert codes(t, "kara", "stow", item="sword") == ["PART_HELD"]
    assert codes(t, "kara", "drop", item="sword") == []


@pytest.mark.rule("altered-realms.item.pick-up")
def test_nothing_is_picked_up_through_a_wall_or_from_a_pit():
    lying = [{"item": {"name": "cup"}, "at": [2, 1]}, {"item": {"name": "coin"}, "at": [1, 2]}]
    rows = ["......", "......", ".~....", "......"]
    t = table(
        creature("kara", "h", (1, 1)),
        items=lying,
        rows=rows,
        legend={"~": {"name": "pit", "drop": 10}},
        map_={"walls": [{"between": [[1, 1], [2, 1]]}]},
        begin="kara",
    )
    assert codes(t, "kara", "pick_up", item="cup") == ["OUT_OF_RANGE"]
    assert codes(t, "kara", "pick_up", item="coin") == ["OUT_OF_RANGE"]


@pytest.mark.rule("altered-realms.untrained.roll-without-training")
def test_an_untrained_maneuver_is_tried_with_the_skill_that_is_better_without_training():
    t = table(
        creature("kara", "h", (1, 1), str_=1, dex_=3, training={"athletics": 9}),
        settings={"untrained_maneuvers": True, "maneuvers": {"leap": {"text": "you leap"}}},
        dice=((11,),),
        begin="kara",
    )
    t.declare("kara", "maneuver", maneuver="leap")
    assert (rolled(t).what, rolled(t).passed) == ("acrobatics", True)  # 11 + 3 meets 14; with STR it would be 12


@pytest.mark.rule("altered-realms.armor.don-doff-time-listed", "altered-realms.sustain.no-rest-or-sleep")
@pytest.mark.parametrize(("action", "said"), [("rest", {}), ("sleep", {}), ("don", {"item": "plate"})])
def test_between_two_turns_of_a_fight_the_narrator_says_whether_there_is_time(action: str, said: Any):
    plate = {"name": "plate", "place": "pack", "armor": {"don": 10, "doff": 5, "ac": 4}}
    t = two(items=[plate])
    assert explain(t, "kara", action, **said).verdict == "legal"
    turn(t, "orc")
    assert codes(t, "kara", action, **said) == ["IN_TURNS"]
    t.declare("orc", "end")
    assert explain(t, "kara", action, **said).verdict == "ruling"
