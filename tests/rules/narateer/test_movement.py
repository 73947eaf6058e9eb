"""What movement is: a deliberate change of position that normally needs no roll."""

from __future__ import annotations

import pytest
from moves import answer, at, character, east, field, go, happened, metres, mover, rolls
from scenes import spent

from turnwright.events import Placed
from turnwright.systems.narateer.events import ExchangeBegun

GAP = {
    "at": [4, 1],
    "name": "a gap",
    "skill": "athletics",
    "target": 6,
    "consequence": "stop",
    "failure": "she stops at the edge",
}


@pytest.mark.rule("narateer.movement.definition")
def test_a_shove_uses_nothing_of_ones_own_movement() -> None:
    t = field(mover())
    t.override([Placed("", "kael", (2, 1))], "shoved 4 m by an opponent")
    assert (at(t, "kael"), spent(t, "kael"), metres(t, "kael", "walk")) == ((2, 1), 0, 14)


@pytest.mark.rule("narateer.movement.definition")
def test_being_shoved_within_reach_opens_no_reaction() -> None:
    t = field(mover(at=(4, 1)), character("guard", "guards", (5, 0)))
    t.override([Placed("", "kael", (5, 1))], "shoved")
    assert not t.waiting_on
    assert happened(t, ExchangeBegun) == []


@pytest.mark.rule("narateer.movement.normally-no-roll")
@pytest.mark.parametrize(("mode", "said"), [("walk", {}), ("run", {}), ("sprint", {"skill": "athletics"})])
def test_no_mode_rolls_on_an_open_way(mode: str, said: dict[str, str]) -> None:
    t = field(mover(skills={"athletics": 2}))
    go(t, "kael", mode, 7, **said)
    assert rolls(t) == 0
    assert at(t, "kael") == (7, 1)


@pytest.mark.rule("narateer.movement.normally-no-roll")
@pytest.mark.parametrize(("mode", "said"), [("walk", {}), ("run", {}), ("sprint", {"skill": "athletics"})])
def test_one_hazard_on_the_way_brings_one_check(mode: str, said: dict[str, str]) -> None:
    t = field(mover(), obstacles=[GAP], dice=(6,))
    t.declare("kael", mode, route=east(7), **said)
    answer(t, "try")
    assert rolls(t) == 1
    assert at(t, "kael") == (7, 1)
