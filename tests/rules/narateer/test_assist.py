"""Assist: a Reaction that helps another's check between its ruling and its commitment."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from fighters import fighter
from scenes import acted, answer, character, happened, question, ready, refused, table

import turnwright as tw
from turnwright.model import Withdraw
from turnwright.systems.narateer.events import Checked, Helped, Helping, SearchBegun

WINDOW = "narateer.assist.window"
DETAILS = "narateer.assist.details-in-skill-checks"
IS_REACTION = "narateer.assist.is-reaction"
DESCRIBE = "narateer.assist.describe-help"
CLIMB = {"kind": "check", "skill": "athletics", "target": 12, "success": "over the wall", "failure": "a fall"}
LADDER = "hold the ladder"


def climb(*more: dict[str, Any], dice: tuple[Any, ...] = (), ruled: bool = True, **keys: Any) -> tw.Table:
    """c wants to climb a wall while h and others stand by; the guide has named Athletics and 12, if `ruled`."""
    h = keys.pop("h", {})
    t = table(
        character("c", "heroes", (1, 1), skills=keys.pop("skills", {"athletics": 2})),
        character("h", "heroes", (2, 1), **h),
        *more,
        dice=dice,
        begin=keys.pop("begin", "c"),
        **keys,
    )
    t.declare("c", "attempt", intent="be over the wall", method="climb")
    if ruled:
        answer(t, CLIMB, kind="rule")
    return t


def helpers(t: tw.Table, actor: str) -> list[str]:
    return [relation.other for relation in t.state.related(Helping, actor)]


# -- whose check, and how


@pytest.mark.rule(DESCRIBE)
def test_nobody_assists_their_own_check():
    t = climb()
    assert "nobody assists their own check" in refused(lambda: t.interject("c", "assist", method=LADDER)).values()


@pytest.mark.rule(DESCRIBE)
@pytest.mark.parametrize("method", ["", "  "])
def test_help_must_be_described(method: str):
    t = climb()
    why = refused(lambda: t.interject("h", "assist", method=method))
    assert why == {DESCRIBE: "the declaration lacks: method"}
    assert (ready(t, "h"), helpers(t, "c")) == (6, [])
    t.interject("h", "assist", method=LADDER)
    assert helpers(t, "c") == ["h"]
    assert [(e.actor, e.helper, e.how) for e in happened(t, Helped)] == [("c", "h", LADDER)]


@pytest.mark.rule(DESCRIBE)
@pytest.mark.parametrize("helper", ["g", "h"])
def test_an_opponent_and_above_all_whoever_is_attacked_does_not_help(helper: str):
    t = table(
        character("c", "heroes", (1, 1), skills={"melee": 2}),
        character("g", "guards", (2, 1)),
        character("h", "guards", (1, 2)),
        begin="c",
    )
    t.declare("c", "attack", target="g", weapon="unarmed")
    assert question(t).kind == "commit"
    why = refused(lambda: t.interject(helper, "assist", method="lean into it"))
    assert why == {DESCRIBE: "C is of another side; assist_sides: any lets that pass"}
    assert refused(lambda: t.odds("c", "attack", target="g", interject=[("g", "assist")]))[DESCRIBE] == why[DESCRIBE]
    assert (ready(t, helper), helpers(t, "c")) == (6, [])


@pytest.mark.rule(DESCRIBE)
def test_a_scene_may_let_somebody_of_another_side_help():
    t = climb(character("g", "guards", (3, 1)), settings={"assist_sides": "any"})
    t.interject("g", "assist", method=LADDER)
    assert (helpers(t, "c"), ready(t, "g")) == (["g"], 5)


# -- a Reaction


@pytest.mark.rule(IS_REACTION, "narateer.proactive.responses-and-reactions-exempt")
def test_assist_takes_no_proactive_use_and_is_not_stopped_by_the_limit():
    t = climb()
    t.undo()
    t.undo()
    t.override({"h.uses": {"athletics": 1}}, "h has forced a door")
    t.declare("c", "attempt", intent="be over the wall", method="climb")
    answer(t, CLIMB, kind="rule")
    # Athletics 0 leaves one proactive use, and it is gone.
    t.interject("h", "assist", method=LADDER)
    assert t.state.actors["h"].uses == {"athletics": 1}
    assert acted(t, "h") == [("assist", "reactive")]
    assert ready(t, "h") == 5


@pytest.mark.rule(IS_REACTION)
def test_whoever_cannot_take_reactions_cannot_assist():
    t = climb(h={"conditions": ["stunned"]})
    why = refused(lambda: t.interject("h", "assist", method=LADDER))
    assert why == {"narateer.reaction.limiting-factors": "stunned: no Reactions"}
    assert ready(t, "h") == 6


@pytest.mark.rule(IS_REACTION)
def test_assist_needs_its_ready_ad_and_somebody_who_is_not_down():
    poor = climb(h={"ready": 0})
    assert "narateer.activation.ready-ad-pays" in refused(lambda: poor.interject("h", "assist", method=LADDER))
    down = climb(h={"bears": 1, "wounds": 1})
    assert refused(lambda: down.interject("h", "assist", method=LADDER))


# -- the window


@pytest.mark.rule(WINDOW)
def test_case_41_assist_only_between_the_ruling_and_the_commitment():
    t = climb(ruled=False, by_hand=("guide",))
    # Declared: no Skill and no target is confirmed yet.
    assert question(t).kind == "rule"
    assert WINDOW in refused(lambda: t.interject("h", "assist", method=LADDER))
    # Confirmed.
    answer(t, CLIMB)
    assert question(t).kind == "commit"
    t.interject("h", "assist", method=LADDER)
    assert question(t).kind == "commit"
    # Committed, and not rolled. X: accepted as long as no die has fallen.
    answer(t, 0)
    assert question(t).kind == "roll"
    assert WINDOW in refused(lambda: t.interject("h", "assist", method=LADDER))
    # Rolled.
    answer(t, (5, 6))
    assert t.waiting_on == ()
    assert WINDOW in refused(lambda: t.interject("h", "assist", method=LADDER))
    assert ready(t, "h") == 5


@pytest.mark.rule(WINDOW)
def test_after_the_help_the_same_question_is_put_again():
    t = climb()
    before = question(t)
    t.interject("h", "assist", method=LADDER)
    after = question(t)
    assert (after.kind, after.actor, after.question) == (before.kind, before.actor, before.question)
    assert ready(t, "c") == 6


@pytest.mark.rule(WINDOW)
def test_a_commitment_that_leaves_nothing_to_boost_still_waits_for_whoever_could_help():
    t = climb(skills={})
    assert (question(t).kind, question(t).question.most) == ("commit", 0)
    alone = table(character("c", "heroes", (1, 1)), dice=((5,),), begin="c")
    alone.declare("c", "attempt", intent="be over the wall", method="climb")
    answer(alone, CLIMB, kind="rule")
    assert question(alone).kind == "confirm"


@pytest.mark.rule(WINDOW)
def test_help_is_possible_while_the_price_waits_for_its_confirmation():
    t = table(character("c", "heroes", (1, 1)), character("h", "heroes", (2, 1)), dice=((6, 6),), begin="c")
    t.declare("c", "attempt", intent="be over the wall", method="climb", boost=0)
    answer(t, CLIMB, kind="rule")
    assert question(t).kind == "confirm"
    t.interject("h", "assist", method=LADDER)
    assert question(t).kind == "confirm"
    answer(t, True)
    assert happened(t, Checked)[0].edge == 1


@pytest.mark.rule(WINDOW)
def test_an_attack_can_be_helped_before_its_dice_are_committed():
    t = table(
        fighter("a", "reds", (4, 2)),
        fighter("b", "blues", (5, 2), ready=0),
        fighter("c", "reds", (3, 2)),
        dice=((1, 3),),
        begin="a",
    )
    t.declare("a", "attack", target="b")
    t.interject("c", "assist", method="draw b's eye")
    answer(t, 0)
    # 1 and 3: the 1 is dropped; 3 + Melee 2 does not exceed 3 + 2.
    assert [(e.total, e.edge) for e in happened(t, Checked)] == [(5, 1)]
    assert t.outcome.result == "miss"


@pytest.mark.rule(WINDOW)
def test_standing_answers_help_always():
    t = table(
        character("c", "heroes", (1, 1)),
        character("h", "heroes", (2, 1), seat="ann"),
        seats=[{"id": "ann"}],
        standing={"ann assist": "always"},
        dice=((6, 6),),
        begin="c",
    )
    t.declare("c", "attempt", intent="be over the wall", method="climb")
    answer(t, CLIMB, kind="rule")
    assert ready(t, "h") == 5


# -- what it gives


@pytest.mark.rule(DETAILS)
def test_advantage_is_one_extra_die_that_nobody_pays_for_and_the_lowest_is_dropped():
    t = climb(dice=((2, 4, 6),))
    t.interject("h", "assist", method=LADDER)
    answer(t, 1)
    # 1 AD and a Boost of 1 are two dice; the third is Advantage. 4 + 6 + Athletics 2.
    assert [(e.dice, e.total, e.edge) for e in happened(t, Checked)] == [(2, 12, 1)]
    assert t.outcome.result == "success"
    assert (ready(t, "c"), ready(t, "h")) == (4, 5)


@pytest.mark.rule(DETAILS)
def test_several_helpers_are_still_one_extra_die_and_each_pays_for_it():
    t = climb(character("i", "heroes", (3, 1)), dice=((2, 4),))
    t.interject("h", "assist", method=LADDER)
    t.interject("i", "assist", method="give a leg up")
    answer(t, 0)
    assert [(e.dice, e.total) for e in happened(t, Checked)] == [(1, 4 + 2)]
    assert (ready(t, "h"), ready(t, "i")) == (5, 5)


@pytest.mark.rule(DETAILS)
def test_one_disadvantage_cancels_all_advantages():
    t = table(
        character("c", "heroes", (1, 1), skills={"athletics": 1}, conditions=["dazed"]),
        character("h", "heroes", (2, 1)),
        character("i", "heroes", (3, 1)),
        conditions={"dazed": {"disadvantage": True}},
        dice=((4,),),
        begin="c",
    )
    t.declare("c", "attempt", intent="be over the wall", method="climb")
    answer(t, CLIMB, kind="rule")
    t.interject("h", "assist", method=LADDER)
    t.interject("i", "assist", method="give a leg up")
    answer(t, 0)
    assert [(e.dice, e.total, e.edge) for e in happened(t, Checked)] == [(1, 4 + 1, 0)]


@pytest.mark.rule(DETAILS)
def test_one_helper_helps_a_check_once():
    t = climb()
    t.interject("h", "assist", method=LADDER)
    why = refused(lambda: t.interject("h", "assist", method="shout"))
    assert why == {DETAILS: "you help with this check already"}
    assert ready(t, "h") == 5


@pytest.mark.rule(DETAILS)
def test_help_is_used_up_by_the_check_that_it_was_for():
    t = climb(dice=((1, 2), (5,)))
    t.interject("h", "assist", method=LADDER)
    answer(t, 0)
    assert helpers(t, "c") == []
    t.declare("c", "attempt", intent="be over the wall", method="climb again")
    answer(t, CLIMB, kind="rule")
    answer(t, 0)
    assert [e.edge for e in happened(t, Checked)] == [1, 0]


@pytest.mark.rule(DETAILS)
def test_the_cost_is_a_setting_and_an_emptied_one_is_reported_as_a_missing_rule():
    dear = climb(settings={"assist_cost": 2})
    dear.interject("h", "assist", method=LADDER)
    assert ready(dear, "h") == 4
    for name in ("assist_cost", "assist_effect"):
        t = climb(settings={name: None})
        with pytest.raises(tw.Refused) as error:
            t.interject("h", "assist", method=LADDER)
        assert [(r.code, r.rule) for r in error.value.refusals] == [("MISSING_RULE", DETAILS)]
        assert (helpers(t, "c"), ready(t, "h")) == ([], 6)


@pytest.mark.rule(DETAILS)
def test_the_odds_with_help_are_those_of_dropping_the_lowest_of_one_die_more():
    t = climb()
    t.interject("h", "assist", method=LADDER)
    odds = tw.Table(t.state).odds("c", "attempt", intent="be over", method="climb", boost=1, choice=_climb)
    kept = [sum(sorted(faces)[1:]) + 2 for faces in product(range(1, 7), repeat=3)]
    # Two dice of three and Athletics 2 must meet 12.
    wanted = Fraction(sum(total >= 12 for total in kept), len(kept))
    assert odds.chance(lambda o: o.result == "success") == wanted


def _climb(state: object, asked: Any) -> Any:
    from turnwright.model import Confirmed, Rule, Ruled, Ruling

    return Ruled(Ruling(**CLIMB)) if isinstance(asked, Rule) else Confirmed()


# -- help that is a task of its own

GATE = {
    "kind": "check",
    "skill": "athletics",
    "target": 10,
    "success": "the gate is open",
    "failure": "the gate stays shut",
    "sets": {"gate": "the gate is open"},
}


def gate(total: int, *more: Any) -> tw.Table:
    """h, in its own Activation, heaves the gate open for c."""
    t = table(character("c", "heroes", (1, 1)), character("h", "heroes", (2, 1)), dice=(total, *more), begin="h")
    t.declare("h", "attempt", intent="the gate is open", method="heave at it", boost=0)
    answer(t, GATE, kind="rule")
    if t.waiting_on:
        assert "gate" not in t.state.facts
        answer(t, True)
    return t


@pytest.mark.rule("narateer.assist.separate-task-first")
def test_help_that_is_a_task_of_its_own_has_its_own_cost_and_its_own_result():
    opened = gate(12)
    assert opened.state.facts["gate"].text == "the gate is open"
    assert (ready(opened, "h"), ready(opened, "c")) == (5, 6)
    shut = gate(8)
    assert "gate" not in shut.state.facts
    assert ready(shut, "h") == 5


@pytest.mark.rule("narateer.assist.no-automatic-advantage")
def test_case_42_an_opened_gate_gives_the_ally_no_advantage_by_itself():
    t = gate(12, (5,))
    assert helpers(t, "c") == []
    t.declare("h", "end")
    t.declare("c", "begin")
    t.declare("c", "attempt", intent="through before it falls", method="dive", boost=0)
    answer(t, CLIMB, kind="rule")
    if t.waiting_on:
        answer(t, True)
    assert happened(t, Checked)[-1].edge == 0


@pytest.mark.rule("narateer.assist.no-automatic-advantage", WINDOW)
def test_a_valid_assist_beside_the_task_does_give_it():
    t = gate(12, (5, 3))
    t.declare("h", "end")
    t.declare("c", "begin")
    t.declare("c", "attempt", intent="through before it falls", method="dive", boost=0)
    answer(t, CLIMB, kind="rule")
    t.interject("h", "assist", method="hold it up")
    answer(t, True)
    assert happened(t, Checked)[-1].edge == 1


@pytest.mark.rule(WINDOW)
def test_help_for_an_attempt_that_is_withdrawn_is_not_kept_for_another():
    t = climb()
    t.interject("h", "assist", method=LADDER)
    answer(t, Withdraw())
    assert helpers(t, "c") == []


@pytest.mark.rule(WINDOW)
def test_after_the_last_possible_help_the_actor_can_still_withdraw():
    t = table(
        fighter("a", "reds", (4, 2), melee=0),
        fighter("b", "blues", (5, 2), ready=0),
        fighter("c", "reds", (3, 2)),
        dice=((1, 3),),
        begin="a",
    )
    t.declare("a", "attack", target="b")
    t.interject("c", "assist", method="draw b's eye")
    assert question(t).kind == "commit"


# -- whatever commitment is open


def attacked(dice: tuple[Any, ...] = ()) -> tw.Table:
    """a strikes at b, and h stands beside b; b has not responded yet."""
    t = table(
        fighter("a", "reds", (1, 1)), fighter("b", "blues", (2, 1)), fighter("h", "blues", (2, 2)), dice=dice, begin="a"
    )
    t.declare("a", "attack", target="b", weapon="sword", boost=0)
    assert question(t).question.about == "response"
    return t


@pytest.mark.rule(WINDOW)
def test_a_response_can_be_helped_until_it_is_chosen():
    t = attacked(dice=((1, 6), 3))
    t.interject("h", "assist", method="a shout")
    assert helpers(t, "b") == ["h"]
    answer(t, ("full_guard", 0))
    assert [(c.actor, c.edge) for c in happened(t, Checked)] == [("b", 1), ("a", 0)]  # X only a declared action
    assert helpers(t, "b") == []


@pytest.mark.rule(WINDOW)
def test_help_for_a_response_without_a_check_is_not_kept():
    t = attacked(dice=(1,))
    t.interject("h", "assist", method="a shout")
    answer(t, "no_response")
    assert helpers(t, "b") == []


@pytest.mark.rule(WINDOW)
def test_each_of_several_who_commit_together_can_be_helped():
    t = table(
        character("c", "heroes", (1, 1), skills={"stealth": 1}),
        character("h", "heroes", (1, 2)),
        character("g", "guards", (6, 1), skills={"observation": 1}),
        character("k", "guards", (6, 2)),
        rows=[",,,,....", ",,,,....", ",,,,....", "........"],
        legend={",": {"name": "thicket", "conceals": ["sight"]}},
        dice=((1, 2), (1, 6)),
        begin="c",
    )
    t.override([SearchBegun("", "g", by_word=True)], "he is looking for somebody")
    t.declare("c", "hide", method="lie flat")
    assert [q.actor for q in t.waiting_on] == ["c", "g"]
    t.interject("k", "assist", method="hold the lantern")  # k would not think of helping c
    assert (helpers(t, "c"), helpers(t, "g")) == ([], ["k"])
    t.interject("h", "assist", method="throw a stone", target="c")
    assert (helpers(t, "c"), helpers(t, "g")) == (["h"], ["k"])
    for held in t.waiting_on:
        t.answer(held, 0)
    assert [(c.actor, c.edge) for c in happened(t, Checked)] == [("c", 1), ("g", 1)]


@pytest.mark.rule(WINDOW)
def test_so_can_a_reaction_that_makes_a_check_and_help_lapses_where_it_is_passed():
    def stepping(dice: tuple[Any, ...] = ()) -> tw.Table:
        t = table(
            character("m", "heroes", (1, 2)),
            fighter("a", "guards", (2, 1)),
            character("h", "guards", (4, 1)),
            dice=dice,
            begin="m",
        )
        t.declare("m", "walk", route=[(2, 2), (3, 2)])
        assert question(t).question.about == "opportunity_attack"
        t.interject("h", "assist", method="now!")
        assert helpers(t, "a") == ["h"]
        return t

    t = stepping(dice=((1, 6),))
    answer(t, ("0", 0))
    assert [(c.actor, c.edge) for c in happened(t, Checked)] == [("a", 1)]
    t = stepping()
    answer(t, "pass")
    assert helpers(t, "a") == []


@pytest.mark.rule(WINDOW)
def test_help_at_an_obstacle_lapses_where_the_mover_stops_before_it():
    beam = {"at": [2, 1], "name": "a beam", "skill": "athletics", "target": 5, "consequence": "stop"}
    t = table(character("c", "heroes", (1, 1)), character("h", "heroes", (1, 2)), obstacles=[beam], begin="c")
    t.declare("c", "walk", route=[(2, 1)])
    t.interject("h", "assist", method="hold the beam")
    answer(t, "stop")
    assert helpers(t, "c") == []
