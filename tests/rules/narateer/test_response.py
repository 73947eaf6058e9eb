"""Exchange Responses: No Response, Full Guard or Clash, each a part of the Exchange that it answers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from fighters import duel, fighter, power
from scenes import acted, answer, character, happened, hidden_from, question, ready, refused, table

import turnwright as tw
from turnwright.model import Choose, Chosen
from turnwright.systems.narateer.events import (
    Checked,
    ExchangeBegun,
    ExchangeEnded,
    Hid,
    PowerUsed,
    Responded,
    SearchBegun,
    TempoMoved,
)

THREE = "narateer.response.three-options"
INSIDE = "narateer.response.power-inside-response"
AFTER = "narateer.response.power-after-exchange"
UNSEEN = "narateer.hidden.unseen-attack-in-combat"
STUNNED = {"conditions": ["stunned"]}


def kinds(t: tw.Table) -> list[str]:
    """The kinds of Response that are open, without the weapons."""
    return [option.partition(":")[0] for option in question(t, "choose").options]


def attacked(**keys: Any) -> tw.Table:
    """A duel in which a has just attacked b."""
    t = duel(**keys)
    t.declare("a", "attack", target="b", boost=keys.pop("boost", 0))
    return t


def closed(t: tw.Table) -> dict[str, str]:
    """Why other Responses are not open, by what they are."""
    return {refusal.code: refusal.rule for refusal in question(t, "choose").question.refused}


# -- the three


@pytest.mark.rule(THREE)
def test_whoever_is_attacked_with_tempo_has_three_responses_and_one_is_recorded():
    t = attacked(b={"ready": 1}, dice=(4,))
    assert kinds(t) == ["no_response", "full_guard", "clash"]
    answer(t, "no_response")
    assert [(e.actor, e.response) for e in happened(t, Responded)] == [("b", "no_response")]


@pytest.mark.rule(THREE)
def test_no_response_costs_nothing_full_guard_and_clash_1_ad_each():
    t = attacked()
    assert {o.id: o.price.amount("ad") for o in question(t).question.options} == {
        "no_response": 0,
        "full_guard": 1,
        "clash:sword": 1,
    }


@pytest.mark.rule(THREE)
def test_without_ready_ad_nothing_is_asked_and_no_response_is_recorded():
    t = attacked(b={"ready": 0}, dice=(6,))
    assert t.waiting_on == ()
    assert [e.response for e in happened(t, Responded)] == ["no_response"]


@pytest.mark.rule(THREE)
def test_the_prices_of_the_responses_are_settings():
    t = attacked(settings={"no_response": 1, "full_guard": 2, "clash": 3}, b={"ready": 2}, dice=(4,))
    assert [(o.id, o.price.amount("ad")) for o in question(t).question.options] == [
        ("no_response", 1),
        ("full_guard", 2),
    ]
    assert closed(t)["clash:sword"] == "narateer.activation.ready-ad-pays"
    answer(t, "no_response")
    assert ready(t, "b") == 1


@pytest.mark.rule(THREE)
@pytest.mark.parametrize(("total", "result"), [(5, "miss"), (6, "hit")])
def test_with_no_response_the_attack_must_exceed_the_readiness_score_of_the_guard_skill(total: int, result: str):
    # Melee 2 and nothing on the sheet: 3 + 2 = 5, and a tie is a failure.
    t = attacked(dice=(total,))
    answer(t, "no_response")
    assert t.outcome.result == result


@pytest.mark.rule(THREE)
@pytest.mark.parametrize(("attack", "result"), [(9, "miss"), (10, "hit")])
def test_a_full_guard_must_be_exceeded(attack: int, result: str):
    t = attacked(dice=(9, attack))
    answer(t, ("full_guard", 0))
    assert [(e.actor, e.total) for e in happened(t, Checked)] == [("b", 9), ("a", attack)]
    assert t.outcome.result == result
    assert ready(t, "b") == 5


@pytest.mark.rule(THREE)
@pytest.mark.parametrize(
    ("mine", "theirs", "hit", "wounds"), [(8, 7, "b", (0, 1)), (8, 8, "", (0, 0)), (7, 8, "a", (2, 0))]
)
def test_in_a_clash_the_higher_total_hits_with_its_own_weapon_and_a_tie_hits_nobody(
    mine: int, theirs: int, hit: str, wounds: tuple[int, int]
):
    t = attacked(b={"weapons": [{"name": "axe", "wounds": 2}]}, dice=(mine, theirs))
    answer(t, ("clash:axe", 0))
    assert [e.hit for e in happened(t, ExchangeEnded)] == [hit]
    assert (t.state.actors["a"].wounds, t.state.actors["b"].wounds) == wounds


@pytest.mark.rule(THREE)
def test_the_dice_of_full_guard_and_clash_are_the_ad_committed_to_them():
    for option in ("full_guard", "clash:sword"):
        t = attacked(dice=((1, 1, 1), (1,)) if option == "full_guard" else ((1,), (1, 1, 1)))
        answer(t, (option, 2))
        rolled = {e.actor: (e.dice, e.total) for e in happened(t, Checked)}
        # 1 AD and a Boost of 2: three dice that show 1 each, and Melee 2.
        assert rolled["b"] == (3, 3 + 2)
        assert ready(t, "b") == 3


@pytest.mark.rule(THREE)
def test_a_clash_needs_an_own_weapon_that_reaches_the_attacker():
    spear = [{"name": "spear", "reach": 2}]
    t = attacked(a={"weapons": spear, "at": (3, 2)})
    assert kinds(t) == ["no_response", "full_guard"]
    assert closed(t) == {"clash": THREE}
    why = refused(lambda: answer(t, "clash:sword"))
    assert list(why) == [THREE]
    both = attacked(a={"weapons": [{"name": "spear", "reach": 2}], "at": (3, 2)}, b={"weapons": spear})
    assert kinds(both) == ["no_response", "full_guard", "clash"]


@pytest.mark.rule(THREE)
def test_weapons_may_have_any_name():
    t = attacked(b={"weapons": [{"name": "sword +1: Sting"}], "powers": [power("A+B", {"attaches_to": "clash"})]})
    assert question(t).options[2:] == ("clash:sword +1: Sting", "clash:sword +1: Sting+A+B")
    t.undo()
    for option, used in (("clash:sword +1: Sting", []), ("clash:sword +1: Sting+A+B", ["A+B"])):
        t = attacked(
            b={"weapons": [{"name": "sword +1: Sting"}], "powers": [power("A+B", {"attaches_to": "clash"})]},
            dice=(3, 8),
        )
        answer(t, option)
        assert t.outcome.result == "countered"
        assert [e.power for e in happened(t, PowerUsed)] == used


@pytest.mark.rule(THREE)
def test_melee_guards_against_melee_and_acrobatics_against_ranged_attacks_unless_the_sheet_says_otherwise():
    bow = [{"name": "bow", "kind": "ranged"}]
    shot = attacked(a={"weapons": list(bow)}, b={"skills": {"acrobatics": 1, "shields": 3}}, dice=(4, 5))
    answer(shot, "full_guard")
    assert [e.skill for e in happened(shot, Checked)] == ["acrobatics", "ranged"]
    shield = attacked(
        a={"weapons": bow}, b={"skills": {"acrobatics": 1, "shields": 3}, "guards": {"ranged": "shields"}}, dice=(6,)
    )
    answer(shield, "no_response")
    # 3 + Shields 3 = 6 is met and not exceeded; Acrobatics would have left 4.
    assert shield.outcome.result == "miss"


@pytest.mark.rule(THREE)
def test_whoever_is_down_makes_no_response():
    t = attacked(b={"bears": 1, "wounds": 1}, dice=(9,))
    assert t.waiting_on == ()
    assert [e.response for e in happened(t, Responded)] == ["no_response"]


@pytest.mark.rule(THREE)
def test_tempo_belongs_to_whoever_is_active_and_the_guide_can_move_it():
    t = duel()
    t.override([TempoMoved("", "a", has=False), TempoMoved("", "b", has=True)], "b has read the feint")
    why = refused(lambda: t.declare("a", "attack", target="b", boost=0))
    assert list(why) == [THREE]
    assert ready(t, "a") == 6
    t.override([TempoMoved("", "a"), TempoMoved("", "b")], "and it is as it was")
    t.declare("a", "attack", target="b", boost=0)
    assert kinds(t) == ["no_response", "full_guard", "clash"]


@pytest.mark.rule(THREE)
def test_tempo_that_was_moved_returns_with_the_next_activation():
    """Whoever's Activation it is has it; a setting keeps it where it was moved to."""
    for lasts, whose in (("activation", []), ("kept", [THREE])):
        t = duel(settings={"tempo_lasts": lasts})
        t.override([TempoMoved("", "b", has=False)], "b has lost its footing")
        t.declare("a", "end")
        t.declare("b", "begin")
        found = t.explain("b", "attack", target="a", boost=0)
        assert [refusal.rule for refusal in found.refusals] == whose
    t = duel()
    t.override([TempoMoved("", "b", has=False, until="b")], "for as long as b acts")
    t.declare("a", "end")
    t.declare("b", "begin")
    assert t.explain("b", "attack", target="a", boost=0).verdict == "illegal"


@pytest.mark.rule(THREE)
def test_an_exchange_that_the_guide_lets_begin_without_tempo_leaves_no_response_alone():
    t = duel(dice=(4,))
    t.override([TempoMoved("", "a", has=False)], "b has read the feint")
    t.declare("a", "attack", target="b", boost=0, seat="guide", overrule="a lunges all the same")
    assert [e.response for e in happened(t, Responded)] == ["no_response"]


# -- neither Action nor Reaction


@pytest.mark.rule("narateer.response.not-action-not-reaction", "narateer.proactive.responses-and-reactions-exempt")
def test_a_clash_is_no_action_no_reaction_and_no_proactive_use_of_its_own():
    t = attacked(dice=(8, 7))
    answer(t, "clash:sword")
    assert acted(t, "b") == []
    assert t.state.actors["b"].uses == {}
    assert len(happened(t, ExchangeBegun)) == 1


@pytest.mark.rule("narateer.response.survives-reaction-ban")
def test_a_ban_on_reactions_leaves_all_three_responses_and_takes_assist_and_the_opportunity_attack():
    ban = {"conditions": ["rattled"], "ready": 3}
    keys: dict[str, Any] = {"conditions": {"rattled": {"reactions": False}}}
    t = attacked(b=dict(ban), **keys)
    assert kinds(t) == ["no_response", "full_guard", "clash"]

    helper = duel(b=dict(ban), others=(fighter("c", "blues", (7, 2)),), begin="c", **keys)
    helper.declare("c", "attempt", intent="over the wall", method="climb")
    answer(helper, {"kind": "check", "skill": "athletics", "target": 6, "success": "over", "failure": "falls"})
    assert "rattled: no Reactions" in refused(lambda: helper.interject("b", "assist", method="a leg up")).values()

    passing = duel(b=dict(ban), **keys)
    passing.declare("a", "walk", route=[(4, 3)])
    assert passing.waiting_on == ()
    assert ready(passing, "b") == 3


@pytest.mark.rule("narateer.response.stunned-example", "narateer.response.survives-reaction-ban")
def test_case_31_stunned_leaves_full_guard_and_clash_and_takes_reactions():
    t = attacked(b=STUNNED | {"ready": 2})
    # X: a generic "cannot react" that takes the Responses as well.
    assert kinds(t) == ["no_response", "full_guard", "clash"]
    t.undo()
    t.declare("a", "walk", route=[(4, 3)])
    assert t.waiting_on == ()
    gate = t.explain("b", "opportunity_attack", target="a", weapon="sword")
    assert "NO_REACTIONS" in [refusal.code for refusal in gate.refusals]
    assert "NO_REACTIONS" in [refusal.code for refusal in t.explain("b", "assist", method="shout").refusals]


@pytest.mark.rule("narateer.response.stunned-example")
def test_whatever_else_stunned_does_is_applied_to_the_response():
    t = attacked(b=STUNNED, conditions={"stunned": {"reactions": False, "totals": -2}}, dice=((4,), 5))
    answer(t, "full_guard")
    # 4 on the die, Melee 2, and 2 less for being stunned.
    assert happened(t, Checked)[0].total == 4 + 2 - 2
    assert t.outcome.result == "hit"


# -- Powers inside and after


@pytest.mark.rule(INSIDE)
def test_case_32_a_power_in_a_full_guard_modifies_it_and_stays_part_of_it_under_a_ban_on_reactions():
    wall = power("Steel Wall", {"attaches_to": "full_guard", "ad": 1, "totals": 3})
    t = attacked(b=STUNNED | {"ready": 3, "powers": [wall]}, dice=((2,), 7))
    assert question(t).options == ("no_response", "full_guard", "full_guard+Steel Wall", "clash:sword")
    answer(t, "full_guard+Steel Wall")
    assert ready(t, "b") == 3 - 1 - 1
    # 2 on the die, Melee 2, the Power's 3: the attack's 7 does not exceed it.
    assert happened(t, Checked)[0].total == 7
    assert t.outcome.result == "miss"
    assert acted(t, "b") == []


@pytest.mark.rule(INSIDE)
def test_case_32_the_reaction_part_of_such_a_power_is_refused_and_not_charged_under_a_ban():
    parts = (
        {"attaches_to": "full_guard", "ad": 1, "totals": 3},
        {"attaches_to": "full_guard", "reaction": True, "ad": 1, "strike": True},
    )

    def guarded(b: dict[str, Any]) -> tw.Table:
        t = attacked(b=b | {"ready": 3, "powers": [power("Steel Wall", *parts)]}, dice=((2,), 7, 4))
        if "conditions" in b:
            assert closed(t) == {"full_guard+Steel Wall, Reaction": INSIDE}
        answer(t, "full_guard+Steel Wall")
        return t

    banned = guarded(STUNNED)
    assert banned.waiting_on == ()
    assert (ready(banned, "b"), acted(banned, "b")) == (1, [])

    free = guarded({})
    assert ready(free, "b") == 1
    assert [o.price.amount("ad") for o in question(free).question.options] == [0, 1]
    answer(free, "0")
    assert (ready(free, "b"), acted(free, "b")) == (0, [("power_exchange_resolved_reaction", "reactive")])


@pytest.mark.rule(INSIDE)
def test_the_reaction_of_such_a_power_comes_only_after_the_response_that_it_was_declared_in():
    parts = (
        {"attaches_to": "full_guard", "totals": 1},
        {"attaches_to": "full_guard", "reaction": True, "strike": True},
    )
    for option in ("no_response", "full_guard", "clash:sword"):
        t = attacked(b={"powers": [power("Steel Wall", *parts)]}, dice=(4, 4))
        answer(t, option)
        assert t.waiting_on == (), option


@pytest.mark.rule(INSIDE)
def test_a_reaction_that_a_plain_clash_creates_needs_nothing_declared_in_it():
    t = attacked(
        b={"powers": [power("Pommel", {"attaches_to": "clash", "reaction": True, "strike": True})]}, dice=(4, 4, 2)
    )
    assert question(t).options == ("no_response", "full_guard", "clash:sword")
    answer(t, "clash:sword")
    assert question(t).options == ("pass", "0")


@pytest.mark.rule(INSIDE)
def test_a_reaction_that_a_clash_creates_does_not_come_after_another_response():
    for option in ("no_response", "full_guard"):
        pommel = power("Pommel", {"attaches_to": "clash", "reaction": True, "strike": True})
        t = attacked(b={"powers": [pommel]}, dice=(4, 4))
        answer(t, option)
        assert t.waiting_on == (), option


@pytest.mark.rule(INSIDE, "narateer.power.extra-ad-adds-no-distance")
def test_what_a_power_takes_when_it_is_declared_is_not_taken_again_by_its_reaction():
    parts = (
        {"attaches_to": "full_guard", "ad": 1, "totals": 1},
        {"attaches_to": "full_guard", "reaction": True, "ad": 1, "strike": True},
    )
    t = attacked(b={"powers": [power("Steel Wall", *parts, ad=2)]}, dice=(4, 4, 2))
    answer(t, "full_guard+Steel Wall")
    # 1 for the Full Guard, 1 for the part in it, 2 for the Power.
    assert ready(t, "b") == 2
    answer(t, "0")
    assert ready(t, "b") == 1


@pytest.mark.rule(INSIDE)
def test_a_power_in_a_clash_adds_to_its_total_and_to_its_wounds():
    t = attacked(b={"powers": [power("Deep Cut", {"attaches_to": "clash", "totals": 2, "wounds": 1})]}, dice=(8, (5,)))
    answer(t, "clash:sword+Deep Cut")
    # 5 on the die, Melee 2, the Power's 2: 9 against 8, and 1 + 1 Wounds.
    assert t.outcome.result == "countered"
    assert t.state.actors["a"].wounds == 2


@pytest.mark.rule(INSIDE)
def test_a_power_in_a_response_that_cannot_be_paid_for_is_closed_and_the_response_stays_open():
    wall = power("Steel Wall", {"attaches_to": "full_guard", "ad": 1, "totals": 3})
    t = attacked(b={"ready": 1, "powers": [wall]})
    assert kinds(t) == ["no_response", "full_guard", "clash"]
    assert closed(t) == {"full_guard+Steel Wall": "narateer.activation.ready-ad-pays"}


@pytest.mark.rule(AFTER)
def test_after_an_exchange_a_ban_on_reactions_takes_a_labelled_power_and_leaves_an_unlabelled_one():
    def offered(**part: Any) -> tuple[str, ...]:
        follow = power("Second Wind", {"trigger": "exchange_resolved", "move": 4, **part})
        t = attacked(b=STUNNED | {"powers": [follow]}, dice=(4,))
        answer(t, "no_response")
        return question(t).options if t.waiting_on else ()

    assert offered(reaction=True) == ()
    assert offered(reaction=False) == ("pass", "0")


@pytest.mark.rule(AFTER)
def test_a_labelled_power_after_an_exchange_counts_as_a_reaction_and_an_unlabelled_one_as_nothing():
    for label, counted in ((True, [("power_exchange_resolved_reaction", "reactive")]), (False, [])):
        follow = power("Second Wind", {"trigger": "exchange_resolved", "move": 4, "reaction": label})
        t = attacked(b={"powers": [follow]}, dice=(4,))
        answer(t, "no_response")
        answer(t, "0")
        assert acted(t, "b") == counted
        assert t.state.actors["b"].extra == 4


# -- attackers that nobody sees


def ambush(dice: tuple[Any, ...] = (), **b: Any) -> tw.Table:
    """a, hidden from the target b and from the bystander c with a total of 15, shoots at b in a's Activation."""
    t = table(
        fighter("a", "reds", (1, 1), weapons=[{"name": "bow", "kind": "ranged"}]),
        fighter("b", "blues", (8, 1), **({"weapons": [{"name": "crossbow", "kind": "ranged"}]} | b)),
        character("c", "blues", (11, 7)),
        rows=[".,.........."] * 8,
        legend={",": {"name": "thicket", "conceals": ["sight"]}},
        dice=dice,
        begin="a",
    )
    t.override([Hid("", "a", 15, ("b", "c"))], "a lies in the thicket")
    t.declare("a", "attack", target="b", boost=0)
    if t.waiting_on[0].kind == "confirm":
        answer(t, True)
    return t


@pytest.mark.rule(UNSEEN, "narateer.hidden.cannot-be-targeted-directly")
def test_case_21_a_target_that_cannot_place_the_attacker_may_guard_but_not_clash():
    t = ambush(ready=3)
    assert kinds(t) == ["no_response", "full_guard"]
    assert closed(t) == {"clash": "narateer.hidden.cannot-be-targeted-directly"}
    assert "somebody unseen" in question(t).prompt
    refused(lambda: answer(t, "clash:crossbow"))
    assert ready(t, "b") == 3


@pytest.mark.rule(UNSEEN, "narateer.reveal.attack-after-exchange")
@pytest.mark.parametrize("attack", [3, 12])
def test_case_21_the_attacker_is_revealed_to_the_target_after_the_exchange_and_to_nobody_else(attack: int):
    # Nobody adds anything for being unseen: 3 and 12 against a Full Guard of 7.
    t = ambush((7, attack))
    assert hidden_from(t, "a") == {"b", "c"}
    answer(t, "full_guard")
    assert t.outcome.result == ("hit" if attack == 12 else "miss")
    # X: revealed at the declaration, or to the bystander as well.
    assert hidden_from(t, "a") == {"c"}


@pytest.mark.rule(AFTER)
def test_the_reveal_comes_before_a_reaction_to_the_exchange_so_that_it_can_be_aimed():
    shot = power("Answering Shot", {"trigger": "exchange_resolved", "reaction": True, "ad": 1, "strike": True})
    t = ambush((3,), powers=[shot], weapons=[{"name": "crossbow", "kind": "ranged"}])
    answer(t, "no_response")
    assert question(t).options == ("pass", "0")


@pytest.mark.rule("narateer.reaction.limiting-factors")
def test_no_reaction_is_aimed_at_an_attacker_that_is_not_revealed_yet():
    first = power("Stop Shot", {"trigger": "exchange_initiated", "reaction": True, "ad": 1, "strike": True})
    t = ambush((3,), powers=[first])
    assert question(t).question.about == "response"


# -- an active roll stands, also where the score would have been better


@pytest.mark.rule(THREE)
def test_a_full_guard_that_rolls_below_the_readiness_score_counts_all_the_same():
    t = attacked(b={"readiness": {"melee": 14}}, dice=(9, 12))
    answer(t, "full_guard")
    # X: the better of 14 and 9 would have stopped the 12.
    assert t.outcome.result == "hit"


@pytest.mark.rule("narateer.hide.vs-active-check")
def test_case_16_an_active_roll_replaces_the_score_even_when_it_is_worse():
    t = table(
        character("selka", "heroes", (5, 1), skills={"stealth": 2}),
        character("guard", "guards", (9, 1), readiness={"observation": 14}),
        rows=["............", ".....,......", "............"],
        legend={",": {"name": "thicket", "conceals": ["sight"]}},
        dice=(12, 9),
        begin="selka",
    )
    t.override([SearchBegun("", "guard", scope=((5, 1),), by_word=True)], "the guard has heard something")
    t.declare("selka", "hide", method="crouch low", boost=0)
    # Stealth 12 against the roll of 9. X: max(14, 9) would have found her.
    assert hidden_from(t, "selka") == {"guard"}


# -- odds


def ways(dice: int) -> list[int]:
    """Every sum of that many six-sided dice, one for each way in which they can fall."""
    return [sum(faces) for faces in product(range(1, 7), repeat=dice)]


@pytest.mark.rule(THREE)
def test_the_odds_against_no_response_are_those_of_two_dice_and_the_skill_level_against_the_score():
    t = duel(b={"readiness": {"melee": 9}})
    # 2d6 + 2 must exceed 9: 8 or more on two dice, 5 + 4 + 3 + 2 + 1 = 15 of 36.
    hit = t.odds("a", "attack", target="b", boost=1).chance(lambda outcome: outcome.result == "hit")
    assert hit == Fraction(15, 36)
    assert hit == Fraction(sum(total + 2 > 9 for total in ways(2)), 36)


@pytest.mark.rule(THREE)
@pytest.mark.parametrize("boosts", [(0, 0), (1, 0), (2, 2)])
def test_the_odds_against_a_full_guard_are_those_of_counting_every_face(boosts: tuple[int, int]):
    mine, theirs = boosts

    def guard(state: object, asked: object) -> Chosen:
        assert isinstance(asked, Choose)
        return Chosen("full_guard", theirs)

    t = duel(b={"melee": 3})
    odds = t.odds("a", "attack", target="b", boost=mine, choice=guard)
    pairs = [(a + 2, b + 3) for a in ways(1 + mine) for b in ways(1 + theirs)]
    assert odds.chance(lambda o: o.result == "hit") == Fraction(sum(a > b for a, b in pairs), len(pairs))
    assert odds.chance(lambda o: o.result == "miss") == Fraction(sum(a <= b for a, b in pairs), len(pairs))


@pytest.mark.rule(THREE)
def test_the_odds_of_a_clash_count_both_sides_and_the_ties():
    def clash(state: object, asked: object) -> Chosen:
        return Chosen("clash:sword", 1)

    odds = duel(b={"melee": 3}).odds("a", "attack", target="b", boost=2, choice=clash)
    pairs = [(a + 2, b + 3) for a in ways(3) for b in ways(2)]
    counted = {
        "hit": sum(a > b for a, b in pairs),
        "countered": sum(a < b for a, b in pairs),
        "miss": sum(a == b for a, b in pairs),
    }
    for result, ways_to in counted.items():
        assert odds.chance(lambda o, result=result: o.result == result) == Fraction(ways_to, len(pairs))


@pytest.mark.rule(THREE, "narateer.assist.details-in-skill-checks")
def test_the_odds_with_advantage_on_the_attack_drop_the_lowest_of_one_more_die():
    t = duel(b={"readiness": {"melee": 9}}, others=(fighter("c", "reds", (0, 0)),))
    t.declare("a", "attack", target="b")
    t.interject("c", "assist", method="draw b's eye")
    odds = tw.Table(t.state).odds("a", "attack", target="b", boost=1)
    kept = [sum(sorted(faces)[1:]) for faces in product(range(1, 7), repeat=3)]
    assert odds.chance(lambda o: o.result == "hit") == Fraction(sum(total + 2 > 9 for total in kept), len(kept))
