"""What an Action is, which parts of a narration are one, and what is none."""

from __future__ import annotations

import pytest
from attempts import a_check, attempt, told
from scenes import acted, answer, character, happened, question, ready, refused, spent, table

from turnwright.systems.narateer.events import Checked, Responded

HERO = {"strength": 2, "agility": 4, "skills": {"athletics": 1, "melee": 1}, "seat": "ann"}


@pytest.mark.rule("narateer.action.definition")
def test_an_action_is_one_actor_with_a_goal_and_means_and_nothing_happens_before_its_ruling_is_complete():
    t = table(character("selka", "heroes", (1, 1), **HERO), seats=[{"id": "ann"}], dice=(9,), begin="selka")
    t.declare("selka", "attempt", intent="be over the wall", method="climb it", boost=0)
    declared = question(t, "rule").question.declaration
    assert (declared.actor, declared.intent, declared.method) == ("selka", "be over the wall", "climb it")
    complete = a_check("athletics", 6)
    for part in ("skill", "target", "success", "failure"):
        lacking = {name: said for name, said in complete.items() if name != part}
        texts = refused(lambda lacking=lacking: answer(t, lacking)).values()
        assert any(f"lacks: {part}" in text for text in texts)
    assert (acted(t), happened(t, Checked), ready(t, "selka")) == ([], [], 6)
    answer(t, complete)
    answer(t, True, "confirm")
    assert acted(t) == [("attempt", "proactive")]
    assert len(happened(t, Checked)) == 1


@pytest.mark.rule("narateer.action.proactive-or-reactive")
def test_a_shove_is_proactive_an_assist_reactive_and_a_full_guard_is_no_action():
    t = table(
        character("selka", "heroes", (3, 3), **HERO),
        character("bo", "heroes", (2, 3), seat="ben"),
        character("guard", "guards", (4, 3), skills={"melee": 2}),
        seats=[{"id": "ann"}, {"id": "ben"}],
        dice=(9, 12, 3),
        begin="selka",
    )
    t.declare("selka", "attempt", intent="the guard is off the bridge", method="shove", target="guard")
    answer(t, a_check("melee", against="guard"), "rule")
    t.interject("bo", "assist", method="pull at his cloak")
    answer(t, 0, "commit")
    assert acted(t, "selka") == [("attempt", "proactive")]
    assert acted(t, "bo") == [("assist", "reactive")]
    t.declare("selka", "end")
    t.declare("guard", "begin")
    t.declare("guard", "attack", target="selka", boost=0)
    answer(t, "full_guard")
    assert [r.response for r in happened(t, Responded)] == ["full_guard"]
    assert acted(t, "selka") == [("attempt", "proactive")]  # X a second record for the Response


@pytest.mark.rule("narateer.action.guide-splits-narration")
def test_the_guide_says_how_many_actions_a_narration_is():
    t = table(character("selka", "heroes", (1, 1), **HERO), seats=[{"id": "ann"}], begin="selka")
    narration = {"intent": "be noticed", "method": "I wave, step left, draw a breath and shout"}
    attempt(t, "selka", told("minor", counts=False), **narration)
    assert (ready(t, "selka"), t.state.actors["selka"].uses, acted(t)) == (6, {}, [])
    attempt(t, "selka", told("minor"), **narration)
    assert ready(t, "selka") == 5  # X 2: four motions at 1 AD each
    assert acted(t) == [("attempt", "proactive")]


@pytest.mark.rule("narateer.action.guide-splits-narration")
def test_what_is_no_action_has_no_check():
    t = table(character("selka", "heroes", (1, 1), **HERO), seats=[{"id": "ann"}], begin="selka")
    t.declare("selka", "attempt", intent="be noticed", method="wave", boost=0)
    assert "narateer.action.guide-splits-narration" in refused(lambda: answer(t, a_check(counts=False)))
    assert question(t, "rule")


@pytest.mark.rule("narateer.action.movement-not-extra-action")
def test_a_run_in_three_stretches_is_paid_once_and_recorded_once():
    hero = character("selka", "heroes", (0, 0), ad=4, **HERO)
    t = table(hero, rows=["." * 16] * 3, seats=[{"id": "ann"}], begin="selka")
    for to in ((5, 0), (10, 0), (14, 0)):  # 10 m, 10 m and 8 m of 28 m
        t.declare("selka", "run", to=to)
    assert spent(t, "selka") == 28
    assert ready(t, "selka") == 3
    assert acted(t) == [("run", "proactive")]
