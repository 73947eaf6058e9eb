"""Proactive uses: how often each Skill is initiated in one Activation, and what does not count."""

from __future__ import annotations

from typing import Any

import pytest
from fighters import duel, fighter, power
from scenes import acted, answer, character, happened, ready, refused, scene, table

import turnwright as tw
from turnwright.events import Barred
from turnwright.systems.narateer.events import Checked, Perceived, SearchBegun

LIMIT = "narateer.proactive.limit-formula"
EACH = "narateer.proactive.each-use-consumes-one"
EXEMPT = "narateer.proactive.responses-and-reactions-exempt"


def check(skill: str, target: int = 6) -> dict[str, Any]:
    return {"kind": "check", "skill": skill, "target": target, "success": "done", "failure": "not done"}


def alone(level: int | None = None, skill: str = "athletics", dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    """One character in its own Activation, with one Skill."""
    skills = {} if level is None else {skill: level}
    return table(character("a", "heroes", (1, 1), **({"skills": skills} | keys)), dice=dice, begin="a")


def attempt(t: tw.Table, skill: str, method: str = "try it") -> bool:
    """Attempt something that the guide rules to be a check of the Skill; False where that turns out not to be open."""
    before = len(happened(t, Barred))
    t.declare("a", "attempt", intent="get it done", method=method, boost=0)
    answer(t, check(skill), kind="rule")
    if t.waiting_on:
        answer(t, True)
    return len(happened(t, Barred)) == before


def used(t: tw.Table) -> dict[str, int]:
    return dict(t.state.actors["a"].uses)


def initiations(level: int) -> int:
    """How often a Skill of that level can be initiated in one Activation, by trying."""
    t = alone(level, dice=(9,) * (level + 2), ad=level + 9)
    count = 0
    while attempt(t, "athletics"):
        count += 1
    return count


@pytest.mark.rule(LIMIT)
@pytest.mark.parametrize(("level", "limit"), [(0, 1), (1, 2), (2, 3), (4, 5)])
def test_a_skill_is_initiated_at_most_skill_level_plus_1_times(level: int, limit: int):
    assert initiations(level) == limit


@pytest.mark.rule(LIMIT)
def test_the_count_begins_anew_with_each_activation_and_with_no_other_edge():
    t = alone(0, dice=(9, 9))
    assert attempt(t, "athletics")
    t.declare("a", "end")
    assert used(t) == {"athletics": 1}
    t.declare("a", "begin")
    assert used(t) == {}
    assert attempt(t, "athletics")


@pytest.mark.rule(LIMIT)
def test_a_changed_skill_level_changes_the_limit_at_once_and_keeps_the_uses_made():
    t = alone(1, dice=(9, 9, 9))
    assert attempt(t, "athletics")
    t.override({"a.skills": {"athletics": 0}}, "the arm is hurt")
    assert not attempt(t, "athletics")
    t.override({"a.skills": {"athletics": 2}}, "a draught of strength")
    assert attempt(t, "athletics")
    assert attempt(t, "athletics")
    assert not attempt(t, "athletics")


@pytest.mark.rule("narateer.proactive.minimum-one")
def test_one_use_is_always_left_even_without_the_skill_or_below_zero():
    unskilled = alone(dice=(9,))
    assert attempt(unskilled, "athletics")
    assert not attempt(unskilled, "athletics")
    cursed = alone(0, dice=(9,))
    cursed.override({"a.skills": {"athletics": -2}}, "a curse")
    assert attempt(cursed, "athletics")
    assert not attempt(cursed, "athletics")


@pytest.mark.rule(EACH)
def test_two_hides_one_of_them_failed_use_up_stealth_1_and_a_third_is_refused_with_ad_to_spare():
    t = table(
        character("a", "heroes", (5, 1), skills={"stealth": 1}),
        character("guard", "guards", (9, 1), readiness={"observation": 11}),
        rows=["............", ".....,......", "............"],
        legend={",": {"name": "thicket", "conceals": ["sight"]}},
        dice=(8, 12),
        begin="a",
    )
    t.declare("a", "hide", method="crouch low", boost=0)
    t.override([Perceived("", "a", "guard", clear=False)], "something else draws the guard's eye")
    t.declare("a", "hide", method="crouch low", boost=0)
    assert [e.total for e in happened(t, Checked)] == [8, 12]
    assert used(t) == {"stealth": 2}
    assert ready(t, "a") == 4
    assert LIMIT in refused(lambda: t.declare("a", "hide", method="crouch low", boost=0))
    assert ready(t, "a") == 4


@pytest.mark.rule(EACH)
def test_a_use_is_gone_when_the_dice_are_committed_win_or_lose_and_not_before():
    t = alone(1, dice=(2,))
    t.declare("a", "attempt", intent="get it done", method="try it")
    answer(t, check("athletics"), kind="rule")
    assert used(t) == {}
    answer(t, tw.Withdraw())
    assert (used(t), ready(t, "a")) == ({}, 6)
    assert attempt(t, "athletics")
    assert t.outcome.result == "failure"
    assert used(t) == {"athletics": 1}


@pytest.mark.rule("narateer.proactive.per-skill-counters")
def test_each_skill_is_counted_by_itself():
    t = duel(a={"melee": 0}, b={"ready": 0}, dice=(3, 9))
    t.declare("a", "attack", target="b", boost=0)
    assert used(t) == {"melee": 1}
    assert LIMIT in refused(lambda: t.declare("a", "attack", target="b", boost=0))
    assert attempt(t, "athletics")
    assert used(t) == {"melee": 1, "athletics": 1}


@pytest.mark.rule("narateer.proactive.no-skill-no-use")
def test_actions_without_a_skill_cost_ad_and_no_use():
    t = alone(1, ad=3)
    t.declare("a", "attempt", intent="the chest is shut", method="heave the lid")
    answer(t, {"kind": "automatic", "tier": "minor", "success": "it is shut"}, kind="rule")
    answer(t, True)
    t.declare("a", "run", route=[(2, 1)])
    assert used(t) == {}
    assert ready(t, "a") == 3 - 1 - 1


@pytest.mark.rule(EXEMPT)
def test_a_clash_with_a_skill_that_is_used_up_is_open_and_not_counted():
    t = duel(b={"melee": 0}, a={"ready": 0}, dice=(3, 8, 7), begin="b")
    t.declare("b", "attack", target="a", boost=0)
    t.declare("b", "end")
    t.declare("a", "begin")
    assert t.state.actors["b"].uses == {"melee": 1}
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "clash:sword")
    assert t.state.actors["b"].uses == {"melee": 1}


@pytest.mark.rule(EXEMPT)
def test_a_melee_reaction_in_ones_own_activation_is_open_when_melee_is_used_up_and_not_counted():
    riposte = power("Riposte", {"trigger": "exchange_resolved", "reaction": True, "ad": 1, "strike": True})
    t = duel(a={"melee": 0, "powers": [riposte]}, b={"bears": 9}, dice=(2, 2, 3))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "no_response")
    assert used(t) == {"melee": 1}
    # b strikes at a step of a's own, and a answers with a Melee Reaction.
    t.declare("a", "walk", route=[(4, 3)])
    answer(t, ("0", 0))
    answer(t, "0")
    assert used(t) == {"melee": 1}
    assert [nature for _, nature in acted(t, "a")] == ["proactive", "proactive", "reactive"]


@pytest.mark.rule("narateer.proactive.example-melee-2", LIMIT)
def test_case_28_melee_2_a_shove_a_feint_and_an_exchange_but_no_fourth():
    t = duel(a={"ad": 4}, b={"ready": 0}, dice=(9, 9, 9, 8, 7))
    assert attempt(t, "melee", "shove")
    assert attempt(t, "melee", "feint")
    t.declare("a", "attack", target="b", boost=0)
    assert ready(t, "a") == 1
    # The fourth is refused although there is 1 AD for it.
    assert LIMIT in refused(lambda: t.declare("a", "attack", target="b", boost=0))
    assert not attempt(t, "melee", "shove")
    assert (ready(t, "a"), used(t)) == (1, {"melee": 3})
    # And a Clash with Melee afterwards is fine.
    t.declare("a", "end")
    t.declare("b", "begin")
    t.declare("b", "attack", target="a", boost=0)
    answer(t, "clash:sword")
    assert ready(t, "a") == 0


@pytest.mark.rule("narateer.proactive.example-melee-2")
def test_with_2_ad_the_third_initiation_is_refused_for_ad():
    t = duel(a={"ad": 2}, b={"ready": 0}, dice=(9, 9))
    assert attempt(t, "melee", "shove")
    assert attempt(t, "melee", "feint")
    why = refused(lambda: t.declare("a", "attack", target="b", boost=0))
    assert list(why) == ["narateer.activation.ready-ad-pays"]


@pytest.mark.rule("narateer.proactive.skill-level-table")
def test_any_whole_skill_level_from_0_up_is_accepted_and_none_below():
    assert initiations(11) == 12
    high = scene(character("a", "heroes", (1, 1), skills={"athletics": 40}))
    assert high.actors["a"].level("athletics") == 40
    with pytest.raises(tw.BadScene, match="at least 0"):
        scene(character("a", "heroes", (1, 1), skills={"athletics": -1}))


@pytest.mark.rule(LIMIT, EXEMPT)
def test_case_27_a_sprint_counts_once_however_it_is_divided_and_a_reaction_not_at_all():
    lunge = power(
        "Lunge", {"trigger": "stepped", "role": "witness", "reaction": True, "check": "athletics", "target": 4}
    )
    t = table(
        fighter("a", "heroes", (1, 1), skills={"athletics": 1}, powers=[lunge]),
        character("b", "guards", (10, 6)),
        dice=(9, 9),
        begin="a",
    )
    t.declare("a", "sprint", skill="athletics", route=[(2, 1)])
    t.declare("a", "sprint", route=[(3, 1)])
    t.declare("a", "sprint", route=[(4, 1)])
    assert used(t) == {"athletics": 1}
    assert attempt(t, "athletics", "force the door")
    assert used(t) == {"athletics": 2}
    assert not attempt(t, "athletics", "force the other door")
    # An Athletics Reaction is still open: b's own step, in b's Activation, is answered with it.
    t.declare("a", "end")
    t.declare("b", "begin")
    t.declare("b", "walk", route=[(9, 6)])
    answer(t, "0")
    assert acted(t, "a")[-1] == ("power_stepped_reaction", "reactive")
    assert used(t) == {"athletics": 2}


@pytest.mark.rule(LIMIT)
def test_case_27_an_athletics_sprint_after_the_only_use_is_illegal_and_nothing_is_charged():
    t = table(character("a", "heroes", (1, 1)), rows=["." * 12] * 4, dice=(9,), begin="a")
    assert attempt(t, "athletics", "force the door")
    why = refused(lambda: t.declare("a", "sprint", skill="athletics", route=[(2, 1)]))
    assert LIMIT in why
    # X: Acrobatics instead, because that still has a use; the route is plain.
    other = refused(lambda: t.declare("a", "sprint", skill="acrobatics", route=[(2, 1)]))
    assert list(other) == ["narateer.sprint.skill-follows-method"]
    assert (ready(t, "a"), t.state.actors["a"].mode, t.state.actors["a"].at) == (5, "", (1, 1))


@pytest.mark.rule(EXEMPT)
def test_a_search_of_ones_own_counts_and_an_observation_asked_for_by_somebody_elses_hide_does_not():
    t = table(
        character("a", "heroes", (5, 1), skills={"stealth": 1}),
        character("b", "guards", (9, 1)),
        rows=["............", ".....,......", "............"],
        legend={",": {"name": "thicket", "conceals": ["sight"]}},
        dice=(12, 9),
        begin="a",
    )
    t.override([SearchBegun("", "b", scope=((5, 1),), by_word=True)], "b is looking for a")
    t.declare("a", "hide", method="crouch low", boost=0)
    assert ready(t, "b") == 5
    assert t.state.actors["b"].uses == {}
    assert acted(t, "b") == []
