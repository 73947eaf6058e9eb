"""Attack: harm is an Exchange; every other goal in a fight is an attempt that is agreed on beforehand."""

from __future__ import annotations

from typing import Any

import pytest
from fighters import duel, fighter
from scenes import acted, answer, happened, question, ready, refused, table

from turnwright.events import Told
from turnwright.systems.narateer.events import Checked, ExchangeBegun, ExchangeEnded, Perceived, Wounded

HARM = "narateer.attack.harm-uses-exchange"
SHOVE = {
    "kind": "check",
    "skill": "athletics",
    "target": 13,
    "success": "b is 2 m out of the doorway",
    "failure": "a loses the footing",
}


def attempt(t: Any, intent: str, method: str, ruling: Any, boost: int = 0) -> None:
    """Declare it, let the guide rule, and commit."""
    t.declare("a", "attempt", intent=intent, method=method, target="b", boost=boost)
    answer(t, ruling, kind="rule")
    if t.waiting_on:
        answer(t, True, kind="confirm")


# -- harm


@pytest.mark.rule(HARM)
def test_a_punch_begins_a_melee_exchange_and_costs_its_base_attack_cost_alone():
    fists = [{"name": "iron fists", "kind": "melee", "base_attack_cost": 2}]
    t = duel(a={"weapons": fists}, b={"ready": 0}, dice=(12,))
    t.declare("a", "attack", target="b", method="punch", boost=0)
    assert [(e.weapon, e.kind) for e in happened(t, ExchangeBegun)] == [("iron fists", "melee")]
    assert ready(t, "a") == 6 - 2
    assert acted(t, "a") == [("attack", "proactive")]
    # One roll, the attacker's own, and no check of a generic kind beside it.
    assert [(e.actor, e.rule) for e in happened(t, Checked)] == [("a", "narateer.response.three-options")]


@pytest.mark.rule(HARM)
def test_a_bow_begins_a_ranged_exchange():
    bow = [{"name": "bow", "kind": "ranged", "base_attack_cost": 2}]
    t = duel(a={"weapons": bow, "at": (0, 2), "skills": {"ranged": 1}}, b={"ready": 0}, dice=(12,))
    t.declare("a", "attack", target="b", boost=0)
    assert [e.kind for e in happened(t, ExchangeBegun)] == ["ranged"]
    assert ready(t, "a") == 6 - 2
    assert t.state.actors["a"].uses == {"ranged": 1}


@pytest.mark.rule(HARM)
def test_bare_hands_cost_1_do_1_wound_and_reach_1_space():
    t = duel(a={"weapons": []}, b={"ready": 0}, dice=(12,))
    t.declare("a", "attack", target="b", weapon="unarmed", boost=0)
    assert (ready(t, "a"), t.state.actors["b"].wounds) == (5, 1)
    far = duel(a={"weapons": [], "at": (3, 2)})
    assert HARM in refused(lambda: far.declare("a", "attack", target="b", weapon="unarmed", boost=0))


@pytest.mark.rule(HARM)
def test_who_carries_no_melee_weapon_is_offered_bare_hands_as_well():
    t = duel(a={"weapons": [{"name": "bow", "kind": "ranged"}]})
    armed = [o.declaration.option("weapon") for o in t.offers("a") if o.action == "attack"]
    assert armed == ["bow", "unarmed"]


@pytest.mark.rule(HARM)
def test_the_guide_can_rule_that_a_described_blow_is_an_attack():
    t = duel(b={"ready": 0}, dice=(12,))
    t.declare("a", "attempt", intent="hurt b", method="punch b in the face", target="b", weapon="unarmed", boost=0)
    answer(t, {"kind": "procedure", "procedure": "attack"}, kind="rule")
    if t.waiting_on:
        answer(t, True, kind="confirm")
    assert [e.weapon for e in happened(t, ExchangeBegun)] == ["unarmed"]
    assert acted(t, "a") == [("attack", "proactive")]


@pytest.mark.rule(HARM)
def test_the_target_must_be_within_the_reach_of_the_weapon_counted_like_steps():
    spear = [{"name": "spear", "reach": 2}]
    diagonal = duel(a={"weapons": spear, "at": (3, 0)})
    assert diagonal.explain("a", "attack", target="b", boost=0).verdict == "legal"
    too_far = duel(a={"weapons": spear, "at": (2, 2)})
    why = refused(lambda: too_far.declare("a", "attack", target="b", boost=0))
    assert HARM in why
    assert (ready(too_far, "a"), too_far.state.actors["a"].uses) == (6, {})


@pytest.mark.rule(HARM)
def test_a_ranged_weapon_without_a_limit_reaches_whomever_its_owner_sees_and_nobody_behind_a_wall():
    bow = [{"name": "bow", "kind": "ranged"}]
    open_ground = duel(a={"weapons": list(bow), "at": (0, 0)}, b={"at": (11, 7)})
    assert open_ground.explain("a", "attack", target="b", boost=0).verdict == "legal"
    rows = ["....#......."] * 4
    walled = table(fighter("a", "reds", (0, 1), weapons=bow), fighter("b", "blues", (8, 1)), rows=rows, begin="a")
    assert walled.explain("a", "attack", target="b", boost=0).verdict == "illegal"


@pytest.mark.rule(HARM)
def test_off_the_map_a_sword_needs_the_same_zone_and_a_bow_only_a_target_that_its_owner_can_place():
    arms = [{"name": "sword"}, {"name": "bow", "kind": "ranged"}]
    t = table(fighter("a", "reds", "yard", weapons=arms), fighter("b", "blues", "gate"), mode="cinematic", begin="a")
    assert t.explain("a", "attack", target="b", weapon="bow", boost=0).verdict == "illegal"
    t.override([Perceived("", "b", "a", clear=True)], "the gate stands open to the yard")
    assert t.explain("a", "attack", target="b", weapon="bow", boost=0).verdict == "legal"
    assert t.explain("a", "attack", target="b", weapon="sword", boost=0).verdict == "illegal"


@pytest.mark.rule(HARM)
def test_a_hit_does_the_wounds_of_the_weapon_and_a_miss_none():
    axe = [{"name": "axe", "wounds": 2}]
    # Nobody answers; b's Melee Readiness Score is 3 + 2 = 5 and must be exceeded.
    hit = duel(a={"weapons": list(axe)}, b={"ready": 0}, dice=(6,))
    hit.declare("a", "attack", target="b", boost=0)
    assert (hit.outcome.result, hit.state.actors["b"].wounds) == ("hit", 2)
    miss = duel(a={"weapons": list(axe)}, b={"ready": 0}, dice=(5,))
    miss.declare("a", "attack", target="b", boost=0)
    assert (miss.outcome.result, miss.state.actors["b"].wounds) == ("miss", 0)
    assert [e.hit for e in happened(miss, ExchangeEnded)] == [""]


@pytest.mark.rule(HARM)
def test_whoever_is_struck_down_before_the_dice_fall_strikes_nobody():
    swift = {"name": "Stop Thrust", "parts": [{"trigger": "exchange_initiated", "reaction": True, "strike": True}]}
    t = duel(a={"bears": 1}, b={"powers": [swift]}, dice=(12,))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "0")
    assert t.state.actors["a"].down
    assert (t.outcome.result, t.state.actors["b"].wounds) == ("miss", 0)
    assert [e.actor for e in happened(t, Checked)] == ["b"]


@pytest.mark.rule(HARM)
@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"target": "a"}, "SELF"),
        ({"target": "nobody"}, "NO_PRECISE_LOCATION"),
        ({"target": "b", "weapon": "lance"}, "NO_WEAPON"),
    ],
)
def test_a_target_and_a_weapon_that_are_not_there_are_refused_and_cost_nothing(said: dict[str, str], code: str):
    t = duel()
    assert code in [r.code for r in t.explain("a", "attack", boost=0, **said).refusals]
    refused(lambda: t.declare("a", "attack", boost=0, **said))
    assert ready(t, "a") == 6


# -- other goals


@pytest.mark.rule("narateer.attack.other-combat-goals")
@pytest.mark.parametrize("goal", ["disarm b", "push b out of the doorway", "hold b still"])
def test_other_goals_in_a_fight_are_ruled_on_and_begin_no_exchange(goal: str):
    t = duel(b={"skills": {"athletics": 1}}, a={"skills": {"athletics": 2}}, dice=(12,))
    t.declare("a", "attempt", intent=goal, method="with both hands", target="b", boost=0)
    first = question(t, "rule").question.suggested[0]
    assert first.kind == "check"
    answer(t, 0)
    assert question(t, "confirm").question.price.amount("ad") == 1
    answer(t, True)
    assert ready(t, "a") == 5
    assert acted(t, "a") == [("attempt", "proactive")]
    assert happened(t, ExchangeBegun) == []


@pytest.mark.rule("narateer.attack.non-harm-disclosure")
@pytest.mark.parametrize("missing", ["skill", "target", "success", "failure"])
def test_nothing_is_committed_to_a_shove_before_skill_target_and_both_stakes_are_said(missing: str):
    t = duel(dice=(13,))
    t.declare("a", "attempt", intent="b is out of the doorway", method="shove", target="b", boost=0)
    lacking = {key: value for key, value in SHOVE.items() if key != missing}
    why = refused(lambda: answer(t, lacking, kind="rule"))
    assert any(f"lacks: {missing}" in text for text in why.values())
    assert (ready(t, "a"), question(t).kind) == (6, "rule")
    answer(t, SHOVE)
    answer(t, True, kind="confirm")
    assert ready(t, "a") == 5


@pytest.mark.rule("narateer.attack.non-harm-disclosure")
def test_the_one_who_acts_is_shown_skill_target_and_stakes_before_committing():
    t = duel()
    t.declare("a", "attempt", intent="b is out of the doorway", method="shove", target="b")
    answer(t, SHOVE)
    shown = question(t).question.ruling
    assert (shown.skill, shown.target, shown.success, shown.failure) == (
        "athletics",
        13,
        "b is 2 m out of the doorway",
        "a loses the footing",
    )


@pytest.mark.rule("narateer.attack.non-harm-disclosure")
@pytest.mark.parametrize(("total", "result"), [(13, "failure"), (14, "success")])
def test_against_an_opponent_the_readiness_score_in_the_named_skill_must_be_exceeded(total: int, result: str):
    t = duel(b={"readiness": {"athletics": 13}}, dice=(total,))
    ruling = {key: value for key, value in SHOVE.items() if key != "target"} | {"against": "b"}
    attempt(t, "b is out of the doorway", "shove", ruling)
    assert t.outcome.result == result


@pytest.mark.rule("narateer.attack.non-harm-disclosure")
@pytest.mark.parametrize(("total", "result"), [(12, "failure"), (13, "success")])
def test_a_fixed_target_that_the_guide_sets_instead_is_met(total: int, result: str):
    t = duel(dice=(total,))
    attempt(t, "b is out of the doorway", "shove", SHOVE)
    assert t.outcome.result == result


@pytest.mark.rule("narateer.attack.non-harm-result")
def test_success_by_1_and_by_10_bring_about_exactly_what_was_agreed():
    def after(total: int) -> tuple[list[str], Any]:
        t = duel(dice=(total,))
        attempt(t, "b is out of the doorway", "shove", SHOVE)
        return [e.text for e in happened(t, Told)], t.state.actors

    narrow, narrow_state = after(14)
    wide, wide_state = after(23)
    assert narrow == wide == ["b is 2 m out of the doorway"]
    assert narrow_state == wide_state


@pytest.mark.rule("narateer.attack.non-harm-result")
def test_failure_brings_what_failure_was_said_to_risk_and_not_the_result():
    t = duel(dice=(12,))
    attempt(t, "b is out of the doorway", "shove", SHOVE)
    assert [(e.text, e.good) for e in happened(t, Told)] == [("a loses the footing", False)]


@pytest.mark.rule("narateer.attack.non-harm-no-wounds")
@pytest.mark.parametrize("total", [13, 14, 23])
def test_case_44_a_disarm_does_no_wounds_at_any_margin(total: int):
    t = duel(dice=(total,))
    attempt(t, "b drops the sword", "beat the blade aside", SHOVE | {"success": "b's sword lies on the ground"})
    assert t.outcome.result == "success"
    assert t.state.actors["b"].wounds == 0
    assert happened(t, Wounded) == []


@pytest.mark.rule("narateer.attack.non-harm-no-wounds")
def test_a_rule_that_says_so_adds_wounds_to_such_a_success():
    t = duel(dice=(13,))
    attempt(t, "b drops the sword", "break the wrist", SHOVE | {"wounds": 1})
    assert t.state.actors["b"].wounds == 1
