"""Obstacles: most only cost; a check is for those where success and failure both change the scene."""

from __future__ import annotations

from typing import Any

import pytest
from moves import answer, at, field, go, mover, quoted, rolls
from scenes import spent


@pytest.mark.rule("narateer.obstacle.ordinary-only-costs")
def test_a_low_fence_costs_its_metres_and_no_roll() -> None:
    fence = {"at": [3, 1], "name": "a low fence", "uncertain": False, "metres": 2}
    t = field(mover(14), obstacles=[fence])
    assert quoted(t, "kael", "walk", 5) == 12
    go(t, "kael", "walk", 5)
    assert (spent(t, "kael"), rolls(t), at(t, "kael")) == (12, 0, (5, 1))


@pytest.mark.rule("narateer.obstacle.ordinary-only-costs")
def test_going_round_it_costs_nothing_more() -> None:
    fence = {"at": [3, 1], "name": "a low fence", "uncertain": False, "metres": 2}
    t = field(mover(14), obstacles=[fence])
    t.declare("kael", "walk", route=[(1, 1), (2, 1), (3, 0), (4, 1), (5, 1)])
    assert spent(t, "kael") == 10


@pytest.mark.rule("narateer.obstacle.check-only-if-both-outcomes-change-scene")
@pytest.mark.parametrize(
    ("success", "failure", "checks"), [(True, True, 1), (True, False, 0), (False, True, 0), (False, False, 0)]
)
def test_a_check_only_where_both_outcomes_change_the_scene(success: bool, failure: bool, checks: int) -> None:
    gap: dict[str, Any] = {
        "at": [3, 1],
        "name": "a gap",
        "skill": "athletics",
        "target": 6,
        "failure": "he falls",
        "consequence": "harm",
        "success_changes": success,
        "failure_changes": failure,
    }
    t = field(mover(14), obstacles=[gap], dice=(6,))
    go(t, "kael", "walk", 5)
    if t.waiting_on:
        answer(t, "try")
    assert (rolls(t), at(t, "kael")) == (checks, (5, 1))
