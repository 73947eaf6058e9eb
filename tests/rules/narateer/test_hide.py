"""Hide: one Stealth roll against every creature that could notice, each for itself."""

from __future__ import annotations

from typing import Any

import pytest
from scenes import acted, answer, character, happened, hidden_from, question, ready, recorded, refused
from shadows import (
    ANNEX,
    CHECK,
    attentive,
    checks,
    codes,
    distract,
    grove,
    guard,
    hears_of,
    hide,
    hider,
    house,
    looks,
    remembers,
    rules,
    scenery,
    turn,
)

import turnwright as tw
from turnwright.systems.narateer.events import Came, Gone, Hid, Hidden, Learned, Perceived, Revealed, Waiting
from turnwright.systems.narateer.hidden import knows_present, last_position

CURTAIN = {"id": "curtain", "name": "the curtain", "between": [(3, 1), (4, 1)], "open": True}


def uses(t: tw.Table, who: str, skill: str) -> int:
    return int(t.state.actors[who].uses.get(skill, 0))


# -- what a Hide is


@pytest.mark.rule("narateer.hide.purpose")
@pytest.mark.parametrize(("goal", "knows"), [("presence", False), ("location", True)])
def test_presence_stays_a_secret_where_only_the_location_would_not(goal: str, knows: bool) -> None:
    t = grove(hider(), guard(score=11, seat="gus"), dice=(12,))
    hide(t, goal=goal)
    assert hidden_from(t, "selka") == {"guard"}
    assert knows_present(t.state, "guard", "selka") is knows
    assert ("selka" in t.knows("gus").actors) is knows


@pytest.mark.rule("narateer.hide.purpose")
def test_whoever_knows_that_only_the_location_is_hidden_learns_neither_name_nor_place() -> None:
    t = grove(hider(weapons=[{"name": "knife"}]), guard(score=11, seat="gus"), dice=(12,))
    hide(t, goal="location")
    seen = t.knows("gus").actors["selka"]
    assert (seen.name, seen.at, seen.weapons, seen.skills) == ("somebody", None, (), {})


@pytest.mark.rule("narateer.hide.purpose")
def test_whoever_has_been_seen_cannot_hide_its_presence_any_more() -> None:
    t = grove(hider(), guard(score=11), dice=(12,))
    t.override([Learned("", "selka", "guard", (1, 1))], "seen on the way here")
    hide(t, goal="presence")
    assert knows_present(t.state, "guard", "selka")


@pytest.mark.rule("narateer.hide.purpose")
def test_the_goal_is_one_of_two_and_nobody_at_all_is_a_list_of_observers() -> None:
    t = grove(hider())
    assert refused(lambda: hide(t, goal="fame")).keys() == {"narateer.hide.purpose"}
    hide(t)
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.hide.declare-place-and-how")
def test_a_hide_says_where_and_how() -> None:
    t = grove(hider(), guard(score=11), dice=(12,))
    without = refused(lambda: t.declare("selka", "hide", place="behind the barrels", boost=0))
    assert without["narateer.hide.declare-place-and-how"] == "the declaration lacks: method"
    assert ready(t, "selka") == 6
    assert t.explain("selka", "hide", place="behind the barrels", method="hold my breath").verdict == "legal"


@pytest.mark.rule("narateer.hide.declare-place-and-how")
def test_off_the_map_the_place_must_be_said() -> None:
    t = scenery(hider(None), mode="story", begin="selka")
    offered = t.explain("selka", "hide", method="hold my breath")
    assert codes(offered) == {"INCOMPLETE place"}
    assert t.explain("selka", "hide", method="hold my breath", place="behind the barrels").verdict == "legal"


# -- from whom


@pytest.mark.rule("narateer.hide.per-observer")
def test_hidden_from_the_guard_outside_and_seen_by_the_resident_inside() -> None:
    rows = ["#########", "#...#...#", "#...#...#", "#########"]
    inside = guard("resident", (1, 2), score=0)
    t = scenery(hider((3, 1), seat="guide"), guard("guard", (6, 1), 10), inside, rows=rows, dice=(15,))
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}
    turn(t, "resident")
    assert codes(t.explain("resident", "attack", target="selka")) == {"OUT_OF_REACH"}
    turn(t, "guard")
    assert codes(t.explain("guard", "attack", target="selka")) == {"NO_PRECISE_LOCATION"}


@pytest.mark.rule("narateer.hide.per-observer")
def test_whoever_sees_the_hider_all_along_never_meets_its_total() -> None:
    rows = ["#########", "#...#...#", "#...#...#", "#########"]
    inside = guard("resident", (1, 2), score=0)
    t = scenery(hider((3, 1), seat="guide"), guard("guard", (6, 1), 10), inside, rows=rows, dice=(15,))
    hide(t)
    t.override({"guard.ready": 3}, "any change brings hiding in line with the senses")
    t.declare("selka", "walk", route=[(3, 2)])
    assert hidden_from(t, "selka") == {"guard"}, "a score of 0 against 15 is not asked for"
    distract(t, "resident")
    assert hidden_from(t, "selka") == {"guard"}, "out of mind is not hidden; that takes a new Hide"
    assert happened(t, Revealed) == []


@pytest.mark.rule("narateer.hide.needs-concealment")
def test_open_lit_ground_hides_nobody() -> None:
    t = grove(hider((4, 2)), guard(score=0))
    assert "narateer.hide.needs-concealment" in refused(lambda: hide(t, boost=2))
    assert ready(t, "selka") == 6
    assert acted(t, "selka") == []


@pytest.mark.rule("narateer.hide.needs-concealment")
@pytest.mark.parametrize(
    "ground",
    [
        {"name": "a low wall", "opaque": True},
        {"name": "foliage", "conceals": ["sight"]},
        {"name": "darkness", "conceals": ["sight"]},
    ],
)
def test_a_barrier_foliage_or_darkness_will_do(ground: dict[str, Any]) -> None:
    t = scenery(
        hider((1, 1)), guard("guard", (6, 1), 5), rows=["........", ".x......"], legend={"x": ground}, begin="selka"
    )
    assert t.explain("selka", "hide", method="duck").verdict == "legal"


@pytest.mark.rule("narateer.hide.needs-concealment")
def test_a_distraction_will_do_on_open_ground() -> None:
    t = grove(hider((4, 2)), guard(score=11), dice=(12,))
    distract(t, "guard")
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}


@pytest.mark.rule("narateer.hide.needs-concealment", "narateer.hide.not-while-clearly-perceived")
def test_foliage_hides_nobody_at_arms_length() -> None:
    t = grove(hider(), guard("guard", (4, 3), 0))
    assert rules(t.explain("selka", "hide", method="duck")) == {"narateer.hide.not-while-clearly-perceived"}


@pytest.mark.rule("narateer.hide.other-senses")
def test_darkness_does_nothing_against_loud_steps() -> None:
    loud = {"clanking": {"noisy": True}}
    t = grove(hider((4, 4), conditions=["clanking"]), guard(at=(4, 1), score=0), conditions=loud, dice=(12,))
    assert rules(t.explain("selka", "hide", method="duck")) == {"narateer.hide.other-senses"}
    assert refused(lambda: hide(t)).keys() == {"narateer.hide.other-senses"}
    assert ready(t, "selka") == 6
    t.override({"selka.conditions": []}, "she takes off the chains")
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}


@pytest.mark.rule("narateer.hide.other-senses")
def test_a_wall_does_not_hide_shouting() -> None:
    loud = {"shouting": {"noisy": True}}
    t = scenery(
        hider((1, 1), conditions=["shouting"], seat="guide"),
        guard("guard", (5, 1), 0),
        rows=["...#....", "...#....", "...#...."],
        conditions=loud,
        begin="selka",
    )
    assert rules(t.explain("selka", "hide", method="duck")) == {"narateer.hide.other-senses"}


@pytest.mark.rule("narateer.hide.other-senses")
def test_what_conceals_from_sight_does_not_conceal_from_a_dogs_nose() -> None:
    dog = guard("dog", (4, 1), 0, senses={"scent": 10})
    t = grove(hider(), guard("man", (8, 0), 11), dog, dice=(12,))
    hide(t)
    assert hidden_from(t, "selka") == {"man"}


@pytest.mark.rule("narateer.hide.not-while-clearly-perceived", "narateer.hide.out-of-sight-is-not-hidden")
def test_a_curtain_first_then_another_place_and_only_then_a_hide() -> None:
    rows = ["........", "........", "........"]
    walls = [{"between": [(3, 0), (4, 0)]}, {"between": [(3, 2), (4, 2)]}]
    t = scenery(
        hider((3, 1)),
        guard("guard", (6, 1), 11),
        rows=rows,
        map_={"doors": [CURTAIN], "walls": walls},
        dice=(99,),
        begin="selka",
    )
    assert "narateer.hide.not-while-clearly-perceived" in refused(lambda: hide(t))
    t.declare("selka", "use", using="curtain")
    assert rules(t.explain("selka", "hide", method="duck")) == {"narateer.hide.out-of-sight-is-not-hidden"}
    assert refused(lambda: hide(t)).keys() == {"narateer.hide.out-of-sight-is-not-hidden"}
    assert (ready(t, "selka"), uses(t, "selka", "stealth")) == (6, 0)
    t.declare("selka", "walk", route=[(2, 1)])
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}
    assert ready(t, "selka") == 5


@pytest.mark.rule("narateer.hide.out-of-sight-is-not-hidden")
def test_whoever_watched_one_step_behind_a_pillar_knows_where_one_is() -> None:
    rows = ["......#.", "...#..#.", "......#."]
    watcher, other = guard("watcher", (0, 1), 5), guard("other", (7, 1), 5)
    t = scenery(hider((2, 2), seat="guide"), watcher, other, rows=rows, dice=(8,))
    t.declare("selka", "walk", route=[(3, 2), (4, 2), (4, 1)])
    assert last_position(t.state, "watcher", "selka") == (4, 1)
    assert last_position(t.state, "other", "selka") is None
    assert hidden_from(t, "selka") == set(), "out of sight is not hidden"
    hide(t)
    assert hidden_from(t, "selka") == {"other"}


@pytest.mark.rule("narateer.hide.out-of-sight-is-not-hidden")
def test_a_distraction_lets_one_hide_on_a_spot_that_is_known() -> None:
    t = grove(hider((4, 3)), guard(at=(4, 0), score=11), dice=(12, 13))
    t.declare("selka", "walk", route=[(4, 4)])
    assert "SPOT_KNOWN" in codes(t.explain("selka", "hide", method="duck"))
    distract(t, "guard")
    hide(t)
    attentive(t, "guard")
    assert hidden_from(t, "selka") == {"guard"}
    hide(t)
    assert [h.total for h in t.state.related(Hidden, "selka")] == [13], "fooled as he is, he can be fooled again"


# -- the check


@pytest.mark.rule("narateer.hide.check-when-detectable")
@pytest.mark.parametrize(("guards", "made"), [((guard(score=11),), 1), ((), 0)])
def test_one_check_where_somebody_could_notice_and_none_where_nobody_can(guards: Any, made: int) -> None:
    t = grove(hider(), *guards, dice=(12,))
    hide(t)
    assert checks(t, "stealth") == made
    assert ready(t, "selka") == 6 - made


@pytest.mark.rule("narateer.hide.check-when-detectable")
def test_walls_and_distance_leave_no_chance_of_detection() -> None:
    rows = ["." * 30 for _ in range(3)]
    rows = [row[:15] + "#" + row[16:] for row in rows]
    t = scenery(hider((1, 1)), guard("guard", (28, 1), 0), rows=rows, begin="selka")
    hide(t)
    assert checks(t) == 0


@pytest.mark.rule("narateer.hide.cost")
def test_a_hide_costs_1_ready_ad_and_the_boost() -> None:
    t = grove(hider(ad=5), guard(score=11), dice=(12,))
    assert t.explain("selka", "hide", method="duck").price.amount("ad") == 1
    assert "narateer.boost.cap-is-skill-level" in rules(t.explain("selka", "hide", method="duck", boost=3))
    hide(t, boost=2)
    assert ready(t, "selka") == 2


@pytest.mark.rule("narateer.hide.cost")
def test_without_ready_ad_there_is_no_hide_that_needs_a_check() -> None:
    t = grove(hider(ready=0), guard(score=11), begin="")
    t.override({"selka.ready": 0}, "she spent them")
    t.declare("selka", "begin")
    t.override({"selka.ready": 0}, "she spent them")
    assert "READY_AD" in codes(t.explain("selka", "hide", method="duck"))


@pytest.mark.rule("narateer.hide.cost", "narateer.hide.single-roll")
def test_the_dice_rolled_are_the_ad_committed() -> None:
    t = grove(hider(skills={"stealth": 2}), guard(score=12), dice=((5, 6),))
    hide(t, boost=1)
    assert recorded(t, "selka") == 13, "5 + 6 + Stealth 2"


@pytest.mark.rule("narateer.hide.single-roll")
def test_one_roll_is_compared_with_each_by_itself() -> None:
    t = grove(hider(), guard("a", (2, 0), 9), guard("b", (4, 0), 12), guard("c", (6, 0), 15), dice=(13,))
    hide(t)
    assert hidden_from(t, "selka") == {"a", "b"}
    assert checks(t) == 1


@pytest.mark.rule("narateer.hide.vs-readiness-score")
def test_whoever_does_not_look_opposes_with_its_score_and_rolls_nothing() -> None:
    t = grove(hider(), guard(score=11), dice=(12,))
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}
    assert ready(t, "guard") == 6
    assert checks(t, who="guard") == 0


@pytest.mark.rule("narateer.hide.vs-readiness-score")
@pytest.mark.parametrize(("total", "fooled"), [(5, set()), (6, {"guard"})])
def test_a_sheet_without_a_score_has_3_and_the_skill_level(total: int, fooled: set[str]) -> None:
    t = grove(hider(), guard(skills={"observation": 2}), dice=(total,))
    hide(t)
    assert hidden_from(t, "selka") == fooled


@pytest.mark.rule("narateer.hide.vs-active-check")
def test_case_16_the_roll_stands_in_for_the_score_even_when_it_is_worse() -> None:
    t = grove(hider(), guard(score=14), dice=(12, 9))
    looks(t, "guard", scope=((4, 4),))
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}, "the better of 14 and 9 would find her"


@pytest.mark.rule("narateer.hide.vs-active-check")
def test_a_roll_above_the_total_finds_whom_the_score_would_have_missed() -> None:
    t = grove(hider(), guard(score=5), dice=(12, 13))
    looks(t, "guard", scope=((4, 4),))
    hide(t)
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.hide.active-looking-definition")
def test_searching_the_place_or_following_the_clues_is_looking_and_searching_elsewhere_is_not() -> None:
    a, b, c = (guard(name, (x, 0), 5, ad=1) for name, x in (("a", 2), ("b", 4), ("c", 6)))
    t = grove(hider(), a, b, c, dice=(12, 13, 11))
    looks(t, "a", scope=((3, 4), (4, 4)))
    looks(t, "b", trail="selka")
    looks(t, "c", scope=((20, 4),))
    hide(t)
    assert [ready(t, name) for name in "abc"] == [0, 0, 1]
    assert hidden_from(t, "selka") == {"b", "c"}, "a rolls 13, b 11, and 5 is the score of c"


@pytest.mark.rule("narateer.hide.active-looking-definition")
def test_clues_that_lead_to_another_make_nobody_look_for_this_one() -> None:
    t = grove(hider(), character("bo", "heroes", (20, 4)), guard(score=5), dice=(6,))
    looks(t, "guard", trail="bo")
    hide(t)
    assert checks(t, who="guard") == 0


@pytest.mark.rule("narateer.hide.active-looking-definition")
def test_looking_by_the_guides_word_lasts_as_long_as_the_guide_says() -> None:
    t = grove(hider(), guard(score=5), dice=(3, 9))
    looks(t, "guard", scope=((4, 4),))
    turn(t, "guard")
    t.declare("guard", "walk", route=[(5, 0)])
    turn(t, "selka")
    hide(t)
    assert checks(t, who="guard") == 1


def searched_loft(dice: tuple[Any, ...], *, guard_at: Any = (3, 0)) -> tw.Table:
    """The guard has searched the loft for 9; Selka stands at its far end and knows nothing of the total."""
    t = house(hider((6, 1)), guard("guard", guard_at, 5), dice=(9, *dice), begin="guard")
    t.declare("guard", "search", place="loft", method="poke the straw", boost=0)
    answer(t, CHECK)
    return t


@pytest.mark.rule("narateer.hide.active-looking-definition")
@pytest.mark.parametrize("does", ["nothing", "another action", "a step out", "a step along", "next activation"])
def test_a_search_lasts_until_something_else_or_the_next_activation(does: str) -> None:
    t = searched_loft(dice=(8,), guard_at=(3, 2))
    if does == "another action":
        t.declare("guard", "attempt", intent="be heard", method="shout", boost=0)
        answer(t, {"kind": "automatic", "success": "heard", "tier": "trivial"})
    if does == "a step out":
        t.declare("guard", "walk", route=[(4, 2)])
    if does == "a step along":
        t.declare("guard", "walk", route=[(3, 1)])
    turn(t, "guard" if does == "next activation" else "selka")
    if does == "next activation":
        turn(t, "selka")
    t.override({"selka.at": [0, 0]}, "she drops in by the skylight")
    distract(t, "guard")
    hide(t)
    still = does in ("nothing", "a step along")
    assert hidden_from(t, "selka") == (set() if still else {"guard"}), "8 against the 9 that stands, else against 5"


@pytest.mark.rule("narateer.hide.alert-is-not-active")
def test_an_alarm_and_a_sense_of_danger_make_nobody_look() -> None:
    t = grove(hider(), guard(score=11), dice=(12,))
    t.override([Came("", "guard", "alarm", "the alarm is raised")], "the bell rings")
    t.override([Learned("", "selka", "guard", None, "told")], "somebody is about, they say")
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}
    assert ready(t, "guard") == 6
    assert checks(t, "observation") == 0


@pytest.mark.rule("narateer.hide.active-observation-cost")
def test_an_active_check_costs_1_ready_ad_and_the_boost() -> None:
    t = grove(hider(), guard(ad=3, skills={"observation": 1}), dice=(12, 11))
    looks(t, "guard", scope=((4, 4),))
    hide(t)
    asked = question(t, "commit")
    assert (asked.actor, asked.question.price.amount("ad"), asked.question.most) == ("guard", 1, 1)
    assert "narateer.boost.cap-is-skill-level" in refused(lambda: answer(t, 2))
    answer(t, 1)
    assert ready(t, "guard") == 1
    assert uses(t, "guard", "observation") == 0, "it is asked for in another's Activation"


@pytest.mark.rule("narateer.hide.active-observation-cost")
@pytest.mark.parametrize(("total", "fooled"), [(12, set()), (13, {"guard"})])
def test_a_searcher_without_ready_ad_opposes_with_its_score(total: int, fooled: set[str]) -> None:
    t = grove(hider(), guard(score=12, ready=0), dice=(total,))
    looks(t, "guard", scope=((4, 4),))
    hide(t)
    assert hidden_from(t, "selka") == fooled
    assert checks(t, who="guard") == 0
    assert ready(t, "guard") == 0


@pytest.mark.rule("narateer.hide.active-observation-cost")
def test_a_searcher_that_can_pay_has_no_choice_between_score_and_roll() -> None:
    t = grove(hider(), guard(score=20, ad=1), dice=(12, 4))
    looks(t, "guard", scope=((4, 4),))
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}
    assert ready(t, "guard") == 0


@pytest.mark.rule("narateer.hide.active-observation-cost")
def test_in_its_own_activation_the_check_is_the_searchers_search_and_takes_a_use() -> None:
    t = alone(skills={}, dice=(12, 11))
    hide(t)
    turn(t, "guard")
    looks(t, "guard", scope=((4, 4),))
    assert checks(t, who="guard") == 1
    assert (ready(t, "guard"), uses(t, "guard", "observation")) == (5, 1)


@pytest.mark.rule("narateer.hide.active-observation-cost")
def test_without_a_use_left_in_its_own_activation_a_searcher_opposes_with_its_score() -> None:
    t = alone(skills={}, dice=(11,))
    hears_of(t, "guard")
    hide(t)
    turn(t, "guard")
    t.override({"guard.uses": {"observation": 1}}, "the guard has searched in vain")
    looks(t, "guard", scope=((4, 4),))
    assert checks(t, who="guard") == 0
    assert (ready(t, "guard"), hidden_from(t, "selka")) == (6, {"guard"}), "11 against the score of 10"


@pytest.mark.rule("narateer.hide.both-commit-first")
def test_no_die_falls_before_both_have_committed_and_then_nothing_can_be_changed() -> None:
    t = grove(
        hider(),
        guard(score=5, seat="gus", skills={"observation": 1}),
        dice=(12, 9),
        by_hand=("ann", "gus"),
    )
    looks(t, "guard", scope=((4, 4),))
    t.declare("selka", "hide", method="duck")
    assert {(q.actor, q.kind) for q in t.waiting_on} == {("selka", "commit"), ("guard", "commit")}
    mine = next(q for q in t.waiting_on if q.actor == "selka")
    theirs = next(q for q in t.waiting_on if q.actor == "guard")
    t.answer(mine, 1)
    assert checks(t) == 0
    assert ready(t, "selka") == 6, "a draft spends nothing"
    assert all(q.kind == "commit" for q in t.waiting_on)
    t.answer(mine, 2)
    t.answer(theirs, 0)
    assert [q.kind for q in t.waiting_on] == ["roll"]
    assert (ready(t, "selka"), ready(t, "guard")) == (3, 5)
    with pytest.raises(tw.Refused):
        t.answer(mine, 0)


@pytest.mark.rule("narateer.hide.both-commit-first")
def test_a_commitment_is_sealed_until_the_other_is_in() -> None:
    t = grove(hider(), guard(score=5, seat="gus", skills={"observation": 1}), dice=(12, 9))
    looks(t, "guard", scope=((4, 4),))
    t.declare("selka", "hide", method="duck", boost=2)
    small = grove(hider(), guard(score=5, seat="gus", skills={"observation": 1}), dice=(12, 9))
    looks(small, "guard", scope=((4, 4),))
    small.declare("selka", "hide", method="duck", boost=0)
    assert [q.actor for q in t.waiting_on] == ["guard"]
    assert t.view("gus") == small.view("gus")
    answer(t, 1)
    answer(small, 1)
    assert (ready(t, "selka"), ready(small, "selka")) == (3, 5)


@pytest.mark.rule("narateer.hide.must-exceed")
@pytest.mark.parametrize(("score", "fooled"), [(11, {"guard"}), (13, set())])
def test_a_total_must_be_higher(score: int, fooled: set[str]) -> None:
    t = grove(hider(), guard(score=score), dice=(12,))
    hide(t)
    assert hidden_from(t, "selka") == fooled


@pytest.mark.rule("narateer.hide.tie-fails")
def test_a_tie_with_a_score_fails() -> None:
    t = grove(hider(), guard(score=12), dice=(12,))
    hide(t)
    assert hidden_from(t, "selka") == set()
    assert recorded(t, "selka") is None


@pytest.mark.rule("narateer.hide.tie-fails")
def test_a_tie_with_a_roll_fails() -> None:
    t = grove(hider(), guard(score=5), dice=(12, 12))
    looks(t, "guard", scope=((4, 4),))
    hide(t)
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.hide.mixed-results")
def test_one_attempt_works_on_some_and_not_on_others() -> None:
    a, b, c = guard("a", (2, 0), 10), guard("b", (4, 0), 12), guard("c", (6, 0), 5)
    t = grove(hider(), a, b, c, dice=(12, 14))
    looks(t, "c", scope=((4, 4),))
    hide(t)
    assert hidden_from(t, "selka") == {"a"}
    assert acted(t, "selka") == [("hide", "proactive")]
    assert (ready(t, "selka"), uses(t, "selka", "stealth"), checks(t, "stealth")) == (5, 1, 1)


@pytest.mark.rule("narateer.hide.mixed-results")
def test_a_failed_hide_may_be_tried_again_at_its_full_price_where_the_spot_is_not_known() -> None:
    behind = scenery(
        hider((1, 1), seat="guide"),
        guard("guard", (5, 1), 12),
        rows=["...#....", "...#....", "...#...."],
        dice=(12, 13),
        begin="selka",
    )
    hide(behind)
    assert hidden_from(behind, "selka") == set()
    hide(behind)
    assert hidden_from(behind, "selka") == {"guard"}
    assert (ready(behind, "selka"), uses(behind, "selka", "stealth")) == (4, 2)
    in_view = grove(hider(), guard(score=12), dice=(12,))
    hide(in_view)
    assert "SPOT_KNOWN" in codes(in_view.explain("selka", "hide", method="duck")), "the guard noticed where she went"


# -- the record


@pytest.mark.rule("narateer.hide.record-total")
def test_the_total_is_kept_for_as_long_as_the_hider_stays_hidden() -> None:
    t = grove(hider(), guard(score=13), dice=(14,))
    hide(t)
    for who in ("guard", "selka", "guard"):
        turn(t, who)
        assert recorded(t, "selka") == 14
    distract(t, "guard")
    attentive(t, "guard")
    assert recorded(t, "selka") == 14
    t.override([Perceived("", "selka", "guard", clear=True)], "a lantern is held up")
    assert hidden_from(t, "selka") == set()
    assert recorded(t, "selka") is None


@pytest.mark.rule("narateer.hide.record-total")
def test_a_guard_that_goes_leaves_the_record_for_the_next() -> None:
    far = guard("relief", (29, 8), 13, senses={"sight": 40})
    t = grove(hider(), guard(score=5), far, dice=(14,))
    hide(t)
    t.override([Gone("", "guard")], "off duty")
    assert hidden_from(t, "selka") == set()
    assert recorded(t, "selka") == 14
    t.override({"relief.at": [6, 8]}, "the relief comes")
    assert hidden_from(t, "selka") == {"relief"}
    assert checks(t) == 1


@pytest.mark.rule("narateer.hide.record-total")
def test_each_observer_keeps_the_total_that_fooled_it() -> None:
    a, b = guard("a", (2, 0), 5), guard("b", (28, 2), 5)
    t = grove(hider((2, 4)), a, b, rows=ANNEX, dice=(14, 9))
    hide(t)
    t.override({"a.at": [28, 4], "b.at": [24, 0]}, "the guards change places")
    held = {h.other: h.total for h in t.state.related(Hidden, "selka")}
    assert held == {"a": 14, "b": 14}, "a newcomer meets the Hide that stands"
    hide(t)
    held = {h.other: h.total for h in t.state.related(Hidden, "selka")}
    assert held == {"a": 14, "b": 9}, "only b could notice the new attempt"


@pytest.mark.rule("narateer.hide.record-total")
def test_hiding_again_writes_a_new_total_for_those_who_could_notice_it_and_for_nobody_else() -> None:
    a, b = guard("a", (2, 0), 5), guard("b", (6, 0), 5)
    t = grove(hider((4, 4)), a, b, dice=(14, 9))
    hide(t)
    t.override({"a.wounds": 3}, "a is struck down")
    hide(t)
    held = {h.other: h.total for h in t.state.related(Hidden, "selka")}
    assert held == {"a": 14, "b": 9}
    assert recorded(t, "selka") == 9, "a newcomer meets the latest Hide that stands"


@pytest.mark.rule("narateer.hide.record-total")
def test_when_the_latest_hide_is_found_out_the_one_before_still_stands() -> None:
    a, b = guard("a", (2, 0), 5), guard("b", (6, 0), 5)
    t = grove(hider((4, 4)), a, b, dice=(14, 9))
    hide(t)
    t.override({"a.wounds": 3}, "a is struck down")
    hide(t)
    t.override([Perceived("", "selka", "b", clear=True)], "b holds up a lantern")
    assert hidden_from(t, "selka") == {"a"}
    assert recorded(t, "selka") == 14


@pytest.mark.rule("narateer.hide.record-total")
def test_hiding_again_can_lose_what_one_had() -> None:
    t = grove(hider(), guard(score=10), dice=(14, 10))
    hide(t)
    hide(t)
    assert hidden_from(t, "selka") == set()
    assert recorded(t, "selka") is None


@pytest.mark.rule("narateer.hide.later-finds-use-record")
@pytest.mark.parametrize(("total", "located"), [(13, False), (14, False), (15, True)])
def test_later_attempts_are_measured_against_the_record(total: int, located: bool) -> None:
    t = house(hider((1, 0)), guard("guard", (4, 1), 5), dice=(14, total))
    hide(t)
    turn(t, "guard")
    t.declare("guard", "search", place="loft", method="poke the straw", boost=0)
    answer(t, CHECK)
    assert (hidden_from(t, "selka") == set()) is located
    assert checks(t, "stealth") == 1


# -- failing, and not being asked at all


@pytest.mark.rule("narateer.hide.failure-limited-by-senses")
def test_a_failure_shows_nobody_through_a_wall() -> None:
    rows = ["...#....", "...#....", "...#...."]
    t = scenery(hider((1, 1), seat="guide"), guard("guard", (5, 1), 12, seat="gus"), rows=rows, dice=(8,))
    hide(t)
    known = remembers(t, "guard")
    assert known is not None
    assert (known.at, known.how) == (None, "heard")
    assert t.knows("gus").actors["selka"].at is None
    turn(t, "guard")
    assert "NO_PRECISE_LOCATION" in codes(t.explain("guard", "attack", target="selka"))


@pytest.mark.rule("narateer.hide.failure-limited-by-senses")
def test_what_is_heard_does_not_wipe_out_the_last_position() -> None:
    rows = ["...#....", "...#....", "...#...."]
    t = scenery(hider((1, 1), seat="guide"), guard("guard", (5, 1), 12), rows=rows, dice=(8,), begin="selka")
    t.override([Learned("", "selka", "guard", (2, 2))], "seen on the way")
    hide(t)
    known = remembers(t, "guard")
    assert known is not None
    assert known.at == (2, 2)


@pytest.mark.rule("narateer.hide.failure-limited-by-senses")
def test_in_view_of_the_thicket_a_failure_shows_where_one_went() -> None:
    t = grove(hider(), guard(score=12), dice=(12,))
    hide(t)
    known = remembers(t, "guard")
    assert known is not None
    assert known.at == (4, 4)


@pytest.mark.rule("narateer.hide.no-check-if-undetectable")
def test_with_nobody_about_nothing_is_committed_and_the_attempt_waits() -> None:
    t = alone()
    assert t.explain("selka", "hide", method="duck").price.costs == ()
    hide(t)
    assert (ready(t, "selka"), uses(t, "selka", "stealth"), checks(t)) == (6, 0, 0)
    assert recorded(t, "selka") is None
    assert t.state.relation(Waiting, "selka", "selka") is not None
    assert hidden_from(t, "selka") == set()


def alone(*others: Any, dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    """Selka in the thicket, and a guard in the annex, who neither sees nor hears as far as that."""
    return grove(hider((4, 4), **keys), guard(at=(28, 4), score=10), *others, rows=ANNEX, dice=dice)


def comes(t: tw.Table) -> None:
    """The guard comes out of the annex."""
    turn(t, "guard")
    t.declare("guard", "run", to=(25, 8))


@pytest.mark.rule("narateer.hide.deferred-resolution", "narateer.hide.no-check-if-undetectable")
@pytest.mark.parametrize(("total", "hidden"), [(11, True), (10, False)])
def test_case_23_the_check_comes_when_a_guard_appears(total: int, hidden: bool) -> None:
    t = alone(skills={}, ad=1, dice=(total,))
    hide(t)
    assert ready(t, "selka") == 1
    comes(t)
    assert hidden_from(t, "selka") == ({"guard"} if hidden else set())
    assert recorded(t, "selka") == (11 if hidden else None)
    assert ready(t, "selka") == 0
    assert uses(t, "selka", "stealth") == 0, "it is not her Activation"
    assert acted(t, "selka") == [("hide", "proactive")]


@pytest.mark.rule("narateer.hide.deferred-resolution")
@pytest.mark.parametrize(("score", "hidden"), [(11, True), (10, False)])
def test_case_23_without_ready_ad_the_stealth_score_is_the_total(score: int, hidden: bool) -> None:
    t = alone(readiness={"stealth": score})
    hide(t)
    t.override({"selka.ready": 0}, "she spent them")
    comes(t)
    assert checks(t) == 0
    assert hidden_from(t, "selka") == ({"guard"} if hidden else set()), "it would be wrong to be noticed for lack of AD"
    assert recorded(t, "selka") == (11 if hidden else None)


@pytest.mark.rule("narateer.hide.deferred-resolution")
def test_a_late_check_can_be_boosted_and_not_refused() -> None:
    t = alone(dice=(12,))
    hide(t)
    comes(t)
    asked = question(t, "commit")
    assert (asked.actor, asked.question.most) == ("selka", 2)
    assert "TOO_LATE" in str([r.code for r in _refusals(lambda: answer(t, tw.Withdraw))])
    answer(t, 1)
    assert ready(t, "selka") == 4
    assert hidden_from(t, "selka") == {"guard"}


def _refusals(call: Any) -> tuple[Any, ...]:
    with pytest.raises(tw.Refused) as caught:
        call()
    return tuple(caught.value.refusals)


@pytest.mark.rule("narateer.hide.deferred-resolution", "narateer.hide.single-roll")
@pytest.mark.parametrize("asked", ["commit", "roll"])
def test_what_the_guide_changes_while_the_late_check_is_made_settles_nothing_before_its_roll(asked: str) -> None:
    t = alone(ad=1 if asked == "roll" else 6)
    t.by_hand = ("ann",)
    hide(t)
    comes(t)
    assert question(t, asked).actor == "selka"
    for name in ("Gus", "Gustav"):
        t.override({"guard.name": name}, "what he is called has nothing to do with it")
        assert (happened(t, Hid), question(t, asked).actor) == ([], "selka")
    if asked == "commit":
        answer(t, 0)
    answer(t, 12, confirm=True)
    assert [(hid.total, hid.fooled) for hid in happened(t, Hid)] == [(12, ("guard",))]


@pytest.mark.rule("narateer.hide.deferred-resolution")
def test_in_the_hiders_own_activation_the_late_check_takes_a_use() -> None:
    t = alone(skills={}, dice=(12,))
    hide(t)
    t.override({"guard.at": [24, 8]}, "he comes round the corner")
    assert uses(t, "selka", "stealth") == 1


@pytest.mark.rule("narateer.hide.deferred-resolution")
def test_a_hide_that_waits_is_kept_from_those_who_do_not_see_the_hider_plainly() -> None:
    t = alone(guard("near", (28, 2), 0), skills={}, dice=(12,))
    hide(t)
    t.override({"near.at": [4, 3]}, "one steps out right beside her")
    assert hidden_from(t, "selka") == set()
    assert len(happened(t, Revealed)) == 1
    t.override({"near.at": [4, 1]}, "and goes back a little")
    t.declare("selka", "walk", route=[(5, 4)])
    assert (hidden_from(t, "selka"), checks(t)) == (set(), 0), "whoever has seen her is not fooled by the same Hide"
    comes(t)
    assert hidden_from(t, "selka") == {"guard"}, "hiding is from each creature by itself"
    assert len(happened(t, Revealed)) == 1


@pytest.mark.rule("narateer.hide.deferred-resolution", "narateer.hide.both-commit-first")
def test_a_searcher_who_comes_upon_a_waiting_hide_commits_together_with_the_hider() -> None:
    t = grove(hider(), guard(at=(28, 4), skills={"observation": 1}), rows=ANNEX, dice=(12, 11))
    hears_of(t, "guard")
    hide(t)
    looks(t, "guard", scope=((4, 4),))
    assert {q.actor for q in t.waiting_on} == {"selka", "guard"}
    answer(t, 0)
    answer(t, 0)
    assert hidden_from(t, "selka") == {"guard"}
    assert (ready(t, "selka"), ready(t, "guard")) == (5, 5)


@pytest.mark.rule("narateer.hide.purpose", "narateer.hide.deferred-resolution")
def test_a_hide_that_waits_remembers_its_goal() -> None:
    t = alone(skills={}, dice=(12,))
    hide(t, goal="location")
    comes(t)
    assert knows_present(t.state, "guard", "selka")


@pytest.mark.rule("narateer.hide.deferred-resolution")
@pytest.mark.parametrize(("stealth", "fooled"), [(9, True), (5, False)])
def test_a_watcher_of_whom_the_hider_knows_nothing_meets_the_readiness_score(stealth: int, fooled: bool) -> None:
    """To be asked would tell her that somebody is there; what she pays and rolls is for those of whom she knows."""
    t = grove(hider(readiness={"stealth": stealth}), guard(at=(28, 4), score=5), rows=ANNEX, dice=(12,))
    hide(t)
    looks(t, "guard", scope=((4, 4),), total=5)
    assert (checks(t), ready(t, "selka"), t.waiting_on) == (0, 6, ())
    assert hidden_from(t, "selka") == ({"guard"} if fooled else set())
    assert t.state.relation(Waiting, "selka", "selka") is not None, "the check against others is still to come"


@pytest.mark.rule("narateer.hide.deferred-resolution")
def test_a_scene_can_have_the_check_also_before_a_watcher_of_whom_the_hider_knows_nothing() -> None:
    setting = {"unknown_watcher": "check"}
    t = grove(hider(), guard(at=(28, 4), score=10), rows=ANNEX, dice=(11,), settings=setting)
    hide(t)
    looks(t, "guard", scope=((4, 4),), total=10)
    answer(t, 0, kind="commit")
    # 11 exceeds 10, and she has paid 1 of her 6 AD for it.
    assert (hidden_from(t, "selka"), recorded(t, "selka"), ready(t, "selka")) == ({"guard"}, 11, 5)


# -- what the hider's seat is told


@pytest.mark.rule("narateer.hide.per-observer", "narateer.hide.mixed-results")
def test_the_hider_is_not_told_of_a_watcher_that_it_does_not_know() -> None:
    rows = ["." * 12, ",,,,.......x", "." * 12]
    legend = {",": {"name": "thicket", "conceals": ["sight"]}, "x": {"name": "hedge", "conceals": ["sight"]}}
    unseen = guard("unseen", (11, 1), 5)
    t = scenery(
        hider((1, 1)), guard("guard", (8, 0), 5), unseen, rows=rows, legend=legend, seats=[{"id": "ann"}], dice=(12,),
        begin="selka",
    )  # fmt: skip
    assert "unseen" not in t.knows("ann").actors
    hide(t)
    assert hidden_from(t, "selka") == {"guard", "unseen"}
    told = [event for event in t.news("ann") if isinstance(event, Hid)]
    assert [event.fooled for event in told] == [("guard",)]
    assert "unseen" not in str(t.view("ann"))


@pytest.mark.rule("narateer.hide.record-total")
def test_a_hide_from_somebody_who_has_gone_still_leaves_its_total() -> None:
    rows = ["...#" + "." * 26] * 3
    t = scenery(hider((1, 1)), guard(at=(29, 1), score=5), rows=rows, dice=(12,))
    t.override([Learned("", "guard", "selka", (5, 1))], "she saw him go behind the wall, and not away from there")
    assert t.explain("selka", "hide", method="duck").price.amount("ad") == 1
    hide(t)
    assert (hidden_from(t, "selka"), recorded(t, "selka"), ready(t, "selka")) == (set(), 12, 5)
    t.override({"guard.at": [5, 1]}, "he comes back")
    assert hidden_from(t, "selka") == {"guard"}


# -- worked cases


@pytest.mark.rule("narateer.hide.tie-fails", "narateer.search.tie-fails", "narateer.sneak.new-observer-passive")
@pytest.mark.parametrize("situation", ["score", "roll", "standing"])
def test_case_15_whoever_is_newly_attempting_loses_the_tie(situation: str) -> None:
    t = grove(hider(), guard(score=12 if situation == "score" else 3), dice=(12, 12))
    if situation != "score":
        total = 12 if situation == "standing" else None
        looks(t, "guard", scope=((4, 4),), total=total)
    hide(t)
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.hide.single-roll", "narateer.hide.both-commit-first", "narateer.hide.vs-active-check")
def test_case_17_one_stealth_roll_and_several_observers() -> None:
    a = guard("a", (2, 0), 5, skills={"observation": 1})
    b = guard("b", (4, 0), 5, skills={"observation": 1})
    c = guard("c", (6, 0), 13)
    t = grove(hider(), a, b, c, dice=(14, 14, 9))
    looks(t, "a", "b", scope=((4, 4),))
    t.declare("selka", "hide", method="crouch", boost=2)
    assert {q.actor for q in t.waiting_on} == {"a", "b"}
    for name, boost in (("a", 0), ("b", 1)):
        t.answer(next(q for q in t.waiting_on if q.actor == name), boost)
    assert hidden_from(t, "selka") == {"b", "c"}
    assert [6 - ready(t, name) for name in ("selka", "a", "b", "c")] == [3, 1, 2, 0]
    assert (checks(t, "stealth"), uses(t, "selka", "stealth")) == (1, 1)
