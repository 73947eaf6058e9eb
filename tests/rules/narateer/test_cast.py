"""Casting: the spell's own requirements and cost, and what others notice of it."""

from __future__ import annotations

import pytest
from scenes import acted, answer, character, happened, hidden_from, ready, refused, table

from turnwright.systems.narateer.events import CluePerceived

ROWS = ["..........", ".,........", ".........."]
THICKET = {",": {"name": "thicket", "conceals": ["sight"]}}
FULL = {"hands full": {"bars": ["free hand"]}}


def spell(**keys):
    return {"name": "mist step", "casting_cost": {"ad": 2}} | keys


def scene(spells, *, dice=(), ad=5, conditions=(), **keys):
    return table(
        character("selka", "heroes", (1, 1), skills={"stealth": 2, "alchemy": 1}, ad=ad, spells=spells,
                  conditions=list(conditions), pools=keys.pop("pools", {})),
        character("guard", "watch", (4, 1), readiness={"observation": 10}),
        rows=ROWS, legend=THICKET, conditions=FULL, dice=dice, begin="selka", **keys,
    )  # fmt: skip


@pytest.mark.rule("narateer.cost.casting-cost-covers-casting")
def test_the_casting_cost_is_the_whole_price_of_casting():
    t = scene([spell()])
    t.declare("selka", "cast", spell="mist step")
    assert ready(t, "selka") == 3  # 2 would be a surcharge for a Major Action
    assert acted(t, "selka") == [("cast", "proactive")]
    assert t.state.actors["selka"].uses == {}


@pytest.mark.rule("narateer.cost.casting-cost-covers-casting")
def test_a_casting_cost_may_be_in_another_resource():
    t = scene([spell(casting_cost={"mana": 3})], pools={"mana": 4})
    t.declare("selka", "cast", spell="mist step")
    assert t.state.actors["selka"].pools == {"mana": 1}
    assert ready(t, "selka") == 5
    said = refused(lambda: t.declare("selka", "cast", spell="mist step"))
    assert "3 mana" in said["narateer.cost.casting-cost-covers-casting"]


@pytest.mark.rule("narateer.cast.follow-magic")
def test_a_spell_is_refused_by_its_own_requirement_and_nothing_is_spent():
    t = scene([spell(requires=["free hand"])], conditions=["hands full"])
    assert "free hand" in refused(lambda: t.declare("selka", "cast", spell="mist step"))["narateer.cast.follow-magic"]
    assert ready(t, "selka") == 5
    free = scene([spell(requires=["free hand"])])
    free.declare("selka", "cast", spell="mist step")
    assert ready(free, "selka") == 3


@pytest.mark.rule("narateer.cast.follow-magic")
def test_a_spell_may_bring_its_own_check_with_its_own_use():
    t = scene([spell(check="alchemy", target=6, effect="the lamp dies", failure="it flares")], dice=(5, 6))
    t.declare("selka", "cast", spell="mist step", boost=0)
    assert t.outcome.result == "failed"
    t.declare("selka", "cast", spell="mist step", boost=0)
    assert t.outcome.result == "cast"
    assert ready(t, "selka") == 1
    assert t.state.actors["selka"].uses == {"alchemy": 2}


@pytest.mark.rule("narateer.cast.noticeability")
def test_a_silent_and_invisible_spell_leaves_no_clue_and_a_loud_one_does():
    silent = scene([spell()])
    silent.declare("selka", "cast", spell="mist step")
    assert happened(silent, CluePerceived) == []
    loud = scene([spell(noticed={"hearing": 20})])
    loud.declare("selka", "cast", spell="mist step")
    assert [(c.by, c.clear) for c in happened(loud, CluePerceived)] == [("guard", False)]
    far = scene([spell(noticed={"hearing": 5})])  # the guard stands 6 m away
    far.declare("selka", "cast", spell="mist step")
    assert happened(far, CluePerceived) == []


@pytest.mark.rule(
    "narateer.cast.noticeability", "narateer.reveal.by-side-effects", "narateer.reveal.warn-before-commit"
)
def test_an_obvious_spell_reveals_a_hidden_caster_after_a_warning():
    t = scene([spell(noticed={"hearing": 20}, obvious=True)], dice=(15,))
    t.declare("selka", "hide", method="crouch", boost=0)
    assert hidden_from(t, "selka") == {"guard"}
    t.declare("selka", "cast", spell="mist step")
    assert ready(t, "selka") == 4  # nothing is paid before the warning is answered
    answer(t, True, kind="confirm")
    assert ready(t, "selka") == 2
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.resolve.specific-procedure-kinds")
def test_a_spell_is_a_procedure_of_its_own():
    t = scene([spell()])
    t.declare("selka", "cast", spell="mist step")
    assert t.waiting_on == ()  # nobody is asked for a ruling
    unknown = refused(lambda: t.declare("selka", "cast", spell="fire"))
    assert "mist step" in unknown["narateer.cast.follow-magic"]
