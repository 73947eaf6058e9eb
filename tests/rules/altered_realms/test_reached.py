"""Where a Movement leads and what is shown of it: the metres that are charged, and who strikes at whoever leaves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import turnwright as tw
from turnwright.model import Declaration
from turnwright.rules import Reached

SCENE = """
system: altered-realms
title: A field
sides: [heroes, raiders]
map:
  rows: ["........", ".~~.....", ".~......", "........"]
  legend: {"~": {name: mud, difficult: [mud]}}
creatures:
  - {id: kara, side: heroes, at: [0, 0], speed: 5, moves: [walk]}
"""
BRUTE = "  - {id: brute, name: the brute, side: raiders, at: %s, speed: 5, moves: [walk]}\n"
ALLY = "  - {id: bo, name: Bo, side: heroes, at: [1, 0], speed: 5, moves: [walk]}\n"
Steps = st.lists(st.sampled_from([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1)]), min_size=1, max_size=6)


def playing(*others: str) -> tw.Table:
    t = tw.Table(tw.read_scene(SCENE + "".join(others)), seed=1)
    t.declare("kara", "begin", seat="guide")
    return t


def shown(t: tw.Table, action: str = "walk", **said: Any) -> list[Reached]:
    return list(t.game.actions[action].reaches(t.state, Declaration("kara", action, **said)))


def by_tile(t: tw.Table, action: str = "walk") -> dict[Any, Reached]:
    return {each.cell: each for each in shown(t, action)}


@pytest.mark.rule("altered-realms.movement.stat-line", "altered-realms.movement.only-for-relocation")
def test_a_walk_leads_as_far_as_the_movements_that_are_left() -> None:
    t = playing()
    movements = t.state.actors["kara"].movements
    found = by_tile(t)
    assert max(each.metres for each in found.values()) <= 5 * movements
    # One metre a tile, two in the mud.
    assert [tread.metres for tread in found[(0, 3)].way] == [1, 1, 1]
    assert found[(1, 1)].metres == 2


@given(steps=Steps)
@settings(max_examples=80, deadline=None)
@pytest.mark.rule("altered-realms.movement.only-for-relocation")
def test_what_is_shown_for_a_way_is_what_is_charged(steps: list[tuple[int, int]]) -> None:
    t = playing()
    here, route = (0, 0), []
    for dx, dy in steps:
        here = (here[0] + dx, here[1] + dy)
        route.append(here)
    found = shown(t, route=tuple(route))
    if not found:
        return
    events = t.declare("kara", "walk", route=list(found[-1].route))
    charged = [event.metres for event in events if type(event).__name__ == "Stepped"]
    assert charged == [tread.metres for tread in found[-1].way]


@pytest.mark.rule("altered-realms.reaction.opportunity-and-triggered")
def test_a_step_out_of_melee_range_draws_the_blow_and_one_within_does_not() -> None:
    t = playing(BRUTE % "[1, 1]")
    away, about = shown(t, route=((0, 1), (0, 2), (0, 3))), shown(t, route=((0, 1),))
    assert about[-1].draws == ()
    # (0, 2) is beside the brute at (1, 1); (0, 3) is two tiles from it.
    assert [tread.draws for tread in away[-1].way] == [(), (), ("the brute",)]


@pytest.mark.rule("altered-realms.movement.only-for-relocation")
def test_an_ally_is_passed_and_not_stood_on_and_an_opponent_not_even_passed() -> None:
    found = by_tile(playing(ALLY))
    assert not found[(1, 0)].ends
    assert found[(2, 0)].ends
    assert (1, 0) not in by_tile(playing(BRUTE % "[1, 0]"))


@pytest.mark.rule("altered-realms.sprint.action-for-movement")
def test_a_sprint_leads_one_movement_farther() -> None:
    t = playing()
    walk, sprint = by_tile(t), by_tile(t, "sprint")
    assert (5, 0) in walk
    assert (6, 0) not in walk
    assert sprint[(7, 0)].metres == 7


@pytest.mark.rule("altered-realms.movement.only-for-relocation")
def test_every_tile_that_is_shown_can_be_gone_to() -> None:
    t = playing(BRUTE % "[3, 2]", ALLY)
    for each in [each for each in shown(t) if each.ends]:
        assert t.explain("kara", "walk", route=list(each.route)).verdict == "legal", each.route
