"""The situation laid out anew, and the rules that the path itself goes by."""

from __future__ import annotations

from typing import Any

import pytest
from scenes import answer, character, happened, question, ready, table

import turnwright as tw
from turnwright.events import Impossible, Withdrawn
from turnwright.systems.narateer.events import Situation, SituationLaidOut

SEATS = [{"id": "ann"}, {"id": "ben"}]


def scene(**keys: Any) -> tw.Table:
    return table(
        character("selka", "heroes", (1, 1), skills={"athletics": 1}, seat="ann", ad=20),
        character("bo", "heroes", (1, 2), seat="ben"),
        seats=SEATS,
        begin="selka",
        **keys,
    )


@pytest.mark.rule("narateer.declare.situation-contents")
def test_the_situation_is_laid_out_anew_for_every_seat():
    t = scene(situation={"threats": ["the guard makes his rounds"], "stakes": ["a shout brings the others"]})
    t.override([SituationLaidOut("", threats=("the guard runs this way",))], "he heard the lock")
    for seat in ("ann", "ben", "guide"):
        assert t.knows(seat).facts["situation"] == Situation("situation", threats=("the guard runs this way",))
        assert t.view(seat)["facts"]["situation"]["stakes"] == ()  # all four, the empty ones too
        assert any(isinstance(event, SituationLaidOut) for event in t.news(seat))
    assert "threats: the guard runs this way" in t.game.tell(t.state, t.log[-1].events[0])
    t.undo()
    assert t.state.facts["situation"].threats == ("the guard makes his rounds",)


@pytest.mark.rule("narateer.declare.ruling-before-commit", "narateer.declare.clarify-unclear")
def test_what_the_path_asks_names_its_rule():
    t = scene()
    t.declare("selka", "attempt", intent="hm", method="hm")
    assert question(t).question.rule == "narateer.declare.ruling-before-commit"
    answer(t, "unclear")
    assert question(t).question.rule == "narateer.declare.clarify-unclear"
    answer(t, {"intent": "be over the wall", "method": "climb it"})
    answer(t, {"kind": "automatic", "tier": "minor"})
    assert (question(t).kind, question(t).question.rule) == ("confirm", "narateer.declare.ruling-before-commit")


@pytest.mark.rule("narateer.resolve.impossible-as-declared", "narateer.resolve.impossible-revise-free")
def test_so_does_how_it_ends_for_nothing():
    t = scene()
    t.declare("selka", "attempt", intent="be through it", method="a feather")
    answer(t, {"kind": "impossible", "obstacle": "it is steel"})
    assert happened(t, Impossible)[0].rule == "narateer.resolve.impossible-as-declared"
    t.declare("selka", "attempt", intent="be through it", method="a saw")
    t.answer(question(t), tw.Withdraw)
    assert happened(t, Withdrawn)[0].rule == "narateer.resolve.impossible-revise-free"
    assert ready(t, "selka") == 20
