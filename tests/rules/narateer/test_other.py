"""Attempting something else: both stakes are settled before anything is committed."""

from __future__ import annotations

import pytest
from attempts import a_check
from scenes import answer, character, happened, question, ready, refused, table

import turnwright as tw
from turnwright.events import Told

ANN = [{"id": "ann"}]


def climber(*dice: int) -> tw.Table:
    sheet = character("selka", "heroes", (1, 1), ad=3, seat="ann", skills={"athletics": 1})
    return table(sheet, seats=ANN, dice=dice, begin="selka")


@pytest.mark.rule("narateer.other.stakes-before-commit")
@pytest.mark.parametrize("stake", ["success", "failure"])
def test_nothing_is_committed_while_a_stake_is_open(stake):
    t = climber(7)
    t.declare("selka", "attempt", intent="be over the wall", method="climb")
    rules = refused(lambda: answer(t, a_check() | {stake: " "}))
    assert rules["narateer.other.stakes-before-commit"] == f"the ruling lacks: {stake}"
    assert (question(t).kind, ready(t, "selka")) == ("rule", 3)
    answer(t, a_check())
    asked = question(t, "commit")
    assert (asked.question.ruling.success, asked.question.ruling.failure) == ("over it", "falls")
    answer(t, 0)
    assert ready(t, "selka") == 2


@pytest.mark.rule("narateer.other.stakes-before-commit")
@pytest.mark.parametrize(("total", "what", "good"), [(6, "over it", True), (5, "falls", False)])
def test_what_was_agreed_is_what_happens(total, what, good):
    t = climber(total)
    t.declare("selka", "attempt", intent="be over the wall", method="climb", boost=0)
    answer(t, a_check(target=6))
    answer(t, True, "confirm")
    assert [(e.text, e.good) for e in happened(t, Told)] == [(what, good)]
