"""What may be done in one's own Activation, what pays for it, and what is left for others'."""

from __future__ import annotations

from typing import Any

import pytest
from attempts import a_check, attempt, told
from scenes import acted, answer, character, happened, question, ready, refused, table

import turnwright as tw
from turnwright.events import Barred
from turnwright.systems.narateer.events import Checked, Responded, SearchBegun

ANN = [{"id": "ann"}]
TRADES = {"athletics": 0, "acrobatics": 0, "alchemy": 0, "melee": 0}


def selka(**keys: Any) -> dict[str, Any]:
    sheet = {"at": (1, 1), "strength": 2, "agility": 4, "seat": "ann", "skills": TRADES}
    return character("selka", "heroes", **(sheet | keys))


@pytest.mark.rule("narateer.activation.no-action-slots")
def test_three_major_actions_in_a_row_are_legal_and_the_fourth_only_lacks_ad():
    t = table(selka(ad=3), seats=ANN, dice=(9, 9, 9), begin="selka")
    for skill in ("athletics", "acrobatics", "alchemy"):
        attempt(t, "selka", a_check(skill))
    assert acted(t) == [("attempt", "proactive")] * 3
    assert ready(t, "selka") == 0
    attempt(t, "selka", a_check("melee"))
    (barred,) = happened(t, Barred)
    assert barred.rule == "narateer.activation.ready-ad-pays"
    assert barred.why == ("it needs 1 Ready AD and Selka has 0",)
    assert len(acted(t)) == 3


def sprint_refusals(**changes: Any) -> list[tuple[str, str]]:
    """Why a Sprint is refused after these changes to somebody who may Sprint."""
    conditions = {"dazed": {"major": False}}
    t = table(selka(), seats=ANN, begin="selka", conditions=conditions)
    if changes:
        t.override({f"selka.{name.replace('__', '.')}": value for name, value in changes.items()}, "as it happens")
    offer = t.explain("selka", "sprint", skill="athletics", to=(4, 1))
    assert offer.verdict == ("illegal" if changes else "legal")
    return [(r.code, r.rule) for r in offer.refusals]


@pytest.mark.rule("narateer.activation.any-affordable-mix")
def test_each_of_the_four_limits_refuses_by_itself_with_a_reason_of_its_own():
    assert sprint_refusals() == []
    found = [
        sprint_refusals(ready=0),
        sprint_refusals(mode="run"),
        sprint_refusals(uses__athletics=1),  # the second use of an SL 0 Skill
        sprint_refusals(conditions=["dazed"]),
    ]
    assert found == [
        [("READY_AD", "narateer.activation.ready-ad-pays")],
        [("ONE_MODE", "narateer.mode.one-per-activation")],
        [("SKILL_USES", "narateer.proactive.limit-formula")],
        [("NO_MAJOR", "narateer.activation.any-affordable-mix")],
    ]


@pytest.mark.rule("narateer.activation.any-affordable-mix")
def test_all_reasons_are_given_at_once():
    every = sprint_refusals(ready=0, mode="run", uses__athletics=1, conditions=["dazed"])
    assert {code for code, _ in every} == {"READY_AD", "ONE_MODE", "SKILL_USES", "NO_MAJOR"}


@pytest.mark.rule("narateer.activation.any-affordable-mix")
def test_a_barred_door_is_closed_to_whoever_may_take_no_major_action():
    door = {"id": "gate", "between": [[1, 1], [2, 1]], "opens": "check", "target": 6}
    dazed = {"dazed": {"major": False}}
    t = table(selka(conditions=["dazed"]), seats=ANN, begin="selka", conditions=dazed, map_={"doors": [door]})
    assert [r.code for r in t.explain("selka", "use", using="gate").refusals] == ["NO_MAJOR"]


@pytest.mark.rule("narateer.activation.ready-ad-pays")
def test_only_ready_ad_pay():
    t = table(selka(ad=5), seats=ANN, begin="selka")
    attempt(t, "selka", told(ad=4))
    assert ready(t, "selka") == 1
    rules = refused(lambda: t.declare("selka", "sprint", skill="athletics", to=(4, 1)))
    assert rules == {"narateer.activation.ready-ad-pays": "it needs 2 Ready AD and Selka has 1"}
    assert ready(t, "selka") == 1
    t.declare("selka", "run", to=(4, 1))
    assert ready(t, "selka") == 0


@pytest.mark.rule("narateer.activation.ready-ad-pays")
def test_a_sheet_that_is_silent_has_six_ad_and_all_return_at_the_start_of_the_own_activation():
    t = table(selka(), character("guard", "guards", (9, 1)), seats=ANN, begin="selka")
    attempt(t, "selka", told(ad=5))
    t.declare("selka", "end")
    t.declare("guard", "begin")
    assert ready(t, "selka") == 1
    t.declare("guard", "end")
    t.declare("selka", "begin")
    assert ready(t, "selka") == 6


@pytest.mark.rule("narateer.activation.ready-ad-pays")
def test_dice_are_the_ad_that_were_committed_and_a_total_they_cannot_show_is_confirmed():
    t = table(selka(skills={"athletics": 2}), seats=ANN, begin="selka", by_hand=["ann"])
    attempt(t, "selka", a_check(), boost=1)
    rolled = question(t, "roll")
    assert (rolled.question.pool.dice, rolled.question.pool.plus) == (2, 2)
    with pytest.raises(tw.Refused, match="4 to 14"):
        answer(t, 15)
    t.answer(rolled, 15, confirm=True)
    assert happened(t, Checked)[0].total == 15


def attacked_with_one_ad_left(full_guard: int) -> tw.Table:
    t = table(
        selka(ad=4, skills={}),
        character("guard", "guards", (2, 1)),
        seats=ANN,
        dice=(9, 3),
        begin="selka",
        settings={"full_guard": full_guard},
    )
    attempt(t, "selka", told(ad=3))
    t.declare("selka", "end")
    assert ready(t, "selka") == 1
    t.declare("guard", "begin")
    t.declare("guard", "attack", target="selka", boost=0)
    return t


@pytest.mark.rule("narateer.activation.keep-ad-ready")
def test_what_is_not_spent_pays_for_a_response_later_on():
    t = attacked_with_one_ad_left(full_guard=1)
    assert "full_guard" in question(t).options
    answer(t, "full_guard")
    assert ready(t, "selka") == 0


@pytest.mark.rule("narateer.activation.keep-ad-ready")
def test_one_ad_that_was_kept_does_not_pay_for_a_response_of_two():
    t = attacked_with_one_ad_left(full_guard=2)
    assert "full_guard" not in question(t).options
    assert "narateer.activation.ready-ad-pays" in refused(lambda: answer(t, "full_guard"))
    assert ready(t, "selka") == 1


THICKET = {",": {"name": "thicket", "conceals": ["sight"]}}


def in_the_guards_activation(**keys: Any) -> tw.Table:
    """Selka with 4 Ready AD in the guard's Activation; he stands in a thicket next to her."""
    guard = character("guard", "guards", (2, 1), skills={"stealth": 1})
    return table(
        selka(ad=4),
        guard,
        rows=["............", ".....,......", "..,........."],
        legend=THICKET,
        seats=ANN,
        begin="guard",
        **keys,
    )


@pytest.mark.rule("narateer.activation.proactive-only-in-own")
@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("attempt", {"intent": "he is off the bridge", "method": "shove", "target": "guard"}),
        ("search", {"method": "look", "at": (2, 1)}),
        ("hide", {"method": "lie down"}),
        ("walk", {"to": (1, 2)}),
        ("attack", {"target": "guard"}),
        ("use", {"using": "rope", "intent": "a noose"}),
    ],
)
def test_nothing_is_begun_in_somebody_elses_activation(action, said):
    t = in_the_guards_activation()
    rules = refused(lambda: t.declare("selka", action, **said))
    assert rules["narateer.activation.proactive-only-in-own"] == "it is not Selka's Activation"
    assert ready(t, "selka") == 4


@pytest.mark.rule("narateer.activation.proactive-only-in-own")
def test_a_reaction_is_open_in_somebody_elses_activation():
    t = in_the_guards_activation(dice=(2,))
    t.declare("guard", "walk", to=(2, 2))  # a step that begins and ends in her reach
    answer(t, ("0", 0))
    assert acted(t, "selka") == [("opportunity_attack", "reactive")]
    assert ready(t, "selka") == 3


@pytest.mark.rule("narateer.activation.proactive-only-in-own")
def test_a_response_is_open_in_somebody_elses_activation():
    t = in_the_guards_activation(dice=(9, 3))
    t.declare("guard", "attack", target="selka", boost=0)
    answer(t, "full_guard")
    assert (len(happened(t, Responded)), ready(t, "selka")) == (1, 3)


@pytest.mark.rule("narateer.activation.proactive-only-in-own")
def test_a_check_that_a_hide_asks_for_is_made_in_somebody_elses_activation():
    guard = character("guard", "guards", (5, 1), skills={"stealth": 1})
    t = table(
        selka(ad=4),
        guard,
        rows=["............", ".....,......", "............"],
        legend=THICKET,
        seats=ANN,
        dice=(9, 5),
        begin="guard",
    )
    t.override([SearchBegun("", "selka", ((5, 1),), by_word=True)], "she is combing the thicket")
    t.declare("guard", "hide", method="lie down", boost=0)
    for asked in t.waiting_on:
        t.answer(asked, 0)
    assert {(c.actor, c.skill) for c in happened(t, Checked)} == {("guard", "stealth"), ("selka", "observation")}
    assert (ready(t, "selka"), acted(t, "selka")) == (3, [])


@pytest.mark.rule("narateer.activation.any-affordable-mix")
def test_case_27_a_skill_at_level_one_may_be_initiated_twice():
    t = table(selka(skills={"athletics": 1}), seats=ANN, dice=(9,), begin="selka")
    t.declare("selka", "sprint", skill="athletics", to=(3, 1))
    t.declare("selka", "sprint", to=(5, 1))  # the same Sprint goes on
    attempt(t, "selka", a_check(), intent="the door is open", method="force it")
    assert t.state.actors["selka"].uses == {"athletics": 2}
    attempt(t, "selka", a_check(), intent="the door is open", method="force it")
    assert happened(t, Barred)[-1].rule == "narateer.proactive.limit-formula"
    assert ready(t, "selka") == 6 - 2 - 1


@pytest.mark.rule("narateer.activation.any-affordable-mix")
def test_case_27_a_reaction_with_the_skill_is_open_after_its_last_use():
    strike = {"trigger": "exchange_resolved", "reaction": True, "check": "athletics", "target": 6, "role": "target"}
    t = table(
        selka(skills={"athletics": 0}, powers=[{"name": "Roll Away", "parts": [strike]}]),
        character("guard", "guards", (2, 1)),
        seats=ANN,
        dice=(9, 2, 9),
        begin="selka",
    )
    attempt(t, "selka", a_check())
    t.declare("selka", "end")
    t.declare("guard", "begin")
    t.declare("guard", "attack", target="selka", boost=0)
    answer(t, "no_response")
    answer(t, ("0", 0))
    assert [c.skill for c in happened(t, Checked) if c.actor == "selka"] == ["athletics", "athletics"]
    assert acted(t, "selka")[-1][1] == "reactive"
    assert t.state.actors["selka"].uses == {"athletics": 1}


@pytest.mark.rule("narateer.activation.ready-ad-pays")
def test_a_round_is_over_when_somebody_acts_again_also_after_the_first_of_the_order_is_down():
    t = table(
        character("selka", "heroes", (1, 1)), character("bo", "heroes", (2, 2)), character("guard", "watch", (6, 6))
    )
    rounds = []
    for name in ("selka", "bo", "guard", "bo", "guard", "bo"):
        t.declare(name, "begin")
        rounds.append(t.state.round)
        t.declare(name, "end")
    assert rounds == [1, 1, 1, 2, 2, 3]
