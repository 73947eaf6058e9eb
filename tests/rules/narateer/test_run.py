"""Run: twice Base Movement for 1 AD, without a Skill."""

from __future__ import annotations

import pytest
from moves import codes, east, farthest, field, go, metres, mover, rolls
from scenes import ready, refused

HALF = {"half": {"factor": "1/2"}}


@pytest.mark.rule("narateer.run.cost")
def test_a_run_costs_1_ready_ad() -> None:
    t = field(mover(14, ad=1))
    go(t, "kael", "run", 3)
    assert ready(t, "kael") == 0
    broke = field(mover(14, ad=0))
    assert codes(broke.explain("kael", "run", route=east(3))) == {"READY_AD"}
    refused(lambda: go(broke, "kael", "run", 3))
    assert ready(broke, "kael") == 0


@pytest.mark.rule("narateer.run.distance")
@pytest.mark.parametrize(("bm", "load", "run"), [(8, "none", 16), (13, "none", 26), (14, "none", 28), (13, "half", 13)])
def test_a_run_goes_twice_base_movement(bm: int, load: str, run: int) -> None:
    t = field(mover(bm, encumbrance=load), encumbrance_states=HALF)
    assert metres(t, "kael", "run") == run
    assert farthest(t, "kael", "run") == run // 2


@pytest.mark.rule("narateer.run.no-skill")
@pytest.mark.parametrize("level", [0, 5])
def test_a_run_neither_uses_a_skill_nor_gains_from_one(level: int) -> None:
    t = field(mover(13, skills={"athletics": level, "acrobatics": level}))
    assert metres(t, "kael", "run") == 26
    go(t, "kael", "run", 13)
    assert rolls(t) == 0
    assert t.state.actors["kael"].uses == {}
