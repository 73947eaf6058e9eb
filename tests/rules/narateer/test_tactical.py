"""Tactical Mode: metres become Spaces of 2 m, once, and a route is legal Space by Space."""

from __future__ import annotations

from typing import Any

import pytest
from moves import answer, at, character, codes, east, farthest, field, go, hidden, metres, mover, quoted
from scenes import happened, hidden_from, ready, refused, spent

from turnwright.events import Placed
from turnwright.systems.narateer.events import Halted

ATHLETIC = {"skill": "athletics"}
DENSE = {"concealment_fails_within": 0}
WALLED = ["." * 60, "...#" + "." * 56, "." * 60]


@pytest.mark.rule("narateer.tactical.example-25m")
@pytest.mark.parametrize(("allowance", "spaces"), [(25, 12), (24, 12), (26, 13), (27, 13), (2, 1), (1, 0)])
def test_an_allowance_becomes_spaces_rounded_down(allowance: int, spaces: int) -> None:
    t = field(mover(allowance))
    assert metres(t, "kael", "walk") == allowance
    assert farthest(t, "kael", "walk") == spaces


@pytest.mark.rule("narateer.tactical.two-metre-spaces")
@pytest.mark.parametrize(
    ("bm", "mode", "level", "allowance", "spaces"),
    [(14, "walk", 0, 14, 7), (13, "run", 0, 26, 13), (14, "sprint", 4, 50, 25), (15, "sprint", 4, 53, 26)],
)
def test_spaces_of_2_m(bm: int, mode: str, level: int, allowance: int, spaces: int) -> None:
    t = field(mover(bm, skills={"athletics": level}))
    said = ATHLETIC if mode == "sprint" else {}
    assert metres(t, "kael", mode, **said) == allowance
    assert farthest(t, "kael", mode, **said) == spaces


@pytest.mark.rule("narateer.tactical.example-25m")
@pytest.mark.parametrize(("bm", "mode", "spaces"), [(25, "walk", 12), (27, "walk", 13), (15, "sprint", 26)])
def test_case_01_rounding_is_always_down(bm: int, mode: str, spaces: int) -> None:
    t = field(mover(bm, skills={"athletics": 4}))
    said = ATHLETIC if mode == "sprint" else {}
    # round(13.5) would be 14.
    assert farthest(t, "kael", mode, **said) == spaces
    too_far = t.explain("kael", mode, route=east(spaces + 1), **said).refusals
    assert any(f"({spaces} Spaces)" in refusal.text for refusal in too_far)


@pytest.mark.rule("narateer.tactical.legal-route")
def test_a_route_goes_from_space_to_next_space() -> None:
    t = field(mover(14))
    assert t.explain("kael", "walk", route=[(1, 1), (2, 2), (3, 1), (3, 0), (4, 0)]).verdict == "legal"
    skipping = [(1, 1), (4, 1), (5, 1)]
    assert codes(t.explain("kael", "walk", route=skipping)) == {"ILLEGAL_STEP"}
    assert "narateer.tactical.legal-route" in refused(lambda: t.declare("kael", "walk", route=skipping))
    assert spent(t, "kael") == 0


@pytest.mark.rule("narateer.tactical.legal-route")
def test_a_diagonal_step_costs_one_space_and_cuts_no_corner() -> None:
    t = field(mover(14, at=(2, 0)), rows=WALLED)
    assert codes(t.explain("kael", "walk", route=[(3, 0), (4, 1)])) == {"ILLEGAL_STEP"}
    free = field(mover(14))
    assert farthest_diagonal(free) == 4


def farthest_diagonal(t: Any) -> int:
    return int(t.explain("kael", "walk", route=[(1, 0), (2, 1)]).price.metres)


@pytest.mark.rule("narateer.tactical.legal-route")
def test_the_way_to_a_space_is_the_cheapest_legal_one() -> None:
    t = field(mover(14, at=(2, 1)), rows=WALLED)
    found = t.explain("kael", "walk", to=(4, 1))
    assert found.verdict == "legal"
    assert found.price.metres == 8
    assert codes(t.explain("kael", "walk", to=(3, 1))) == {"NO_ROUTE"}


@pytest.mark.rule("narateer.tactical.terrain-by-spaces-crossed")
def test_terrain_is_charged_for_the_spaces_entered() -> None:
    rows = ["." * 60, "." + "x" * 4 + "." * 55, "." * 60]
    t = field(mover(13), rows=rows, legend={"x": {"name": "mud", "difficult": ["mud"]}})
    assert quoted(t, "kael", "run", 8) == 2 * 12
    detour = [(1, 0), *east(7, 1, 0), (9, 1), (10, 1)]
    assert t.explain("kael", "run", route=detour).price.metres == 2 * 10
    go(t, "kael", "run", 8)
    assert farthest(t, "kael", "run") == 1


@pytest.mark.rule("narateer.tactical.terrain-by-spaces-crossed")
def test_leaving_difficult_ground_is_not_charged() -> None:
    rows = ["." * 60, "xx" + "." * 58, "." * 60]
    t = field(mover(13), rows=rows, legend={"x": {"name": "mud", "difficult": ["mud"]}})
    assert quoted(t, "kael", "run", 2) == 4 + 2


@pytest.mark.rule("narateer.tactical.blocked-space")
def test_a_blocked_space_is_not_entered() -> None:
    t = field(mover(13), rows=WALLED)
    found = t.explain("kael", "run", route=east(5))
    assert "narateer.tactical.blocked-space" in {refusal.rule for refusal in found.refusals}
    refused(lambda: go(t, "kael", "run", 5))
    assert (at(t, "kael"), ready(t, "kael")) == ((0, 1), 6)


@pytest.mark.rule("narateer.tactical.blocked-space")
def test_a_rule_that_permits_it_lets_one_through() -> None:
    t = field(mover(13), rows=WALLED)
    go(t, "kael", "run", 5, seat="guide", overrule="a spell opens the wall")
    assert (at(t, "kael"), spent(t, "kael"), ready(t, "kael")) == ((5, 1), 10, 5)


@pytest.mark.rule("narateer.tactical.blocked-space")
def test_off_the_map_and_through_a_closed_door_there_is_no_way() -> None:
    door = {"doors": [{"id": "gate", "between": [[2, 1], [3, 1]]}]}
    t = field(mover(13), rows=["#" * 60, "." * 60, "#" * 60], map_=door)
    assert codes(t.explain("kael", "run", route=east(4))) == {"ILLEGAL_STEP"}
    assert codes(t.explain("kael", "run", route=[(-1, 1)])) == {"ILLEGAL_STEP"}


@pytest.mark.rule("narateer.tactical.blocked-space")
def test_an_opponents_space_is_not_entered() -> None:
    t = field(mover(13), character("guard", "guards", (3, 1), ad=0))
    assert codes(t.explain("kael", "run", route=east(5))) == {"OCCUPIED"}
    assert t.explain("kael", "run", to=(3, 1)).verdict == "illegal"


@pytest.mark.rule("narateer.tactical.blocked-space")
def test_an_allys_space_is_crossed_and_not_ended_in() -> None:
    t = field(mover(13), character("bo", "heroes", (3, 1)))
    assert codes(t.explain("kael", "run", route=east(3))) == {"OCCUPIED"}
    go(t, "kael", "run", 5)
    assert at(t, "kael") == (5, 1)


@pytest.mark.rule("narateer.tactical.blocked-space")
def test_an_ally_who_comes_to_the_end_of_a_route_stops_it_before_that_space() -> None:
    guard = character("guard", "guards", (2, 0))
    t = field(mover(13), guard, character("bo", "heroes", (9, 0)))
    go(t, "kael", "run", 5)
    t.override([Placed("", "bo", (5, 1))], "thrown there")
    answer(t, "pass")
    if t.waiting_on:
        answer(t, "pass")
    assert (at(t, "kael"), spent(t, "kael")) == ((4, 1), 8)


@pytest.mark.rule("narateer.tactical.blocked-space")
@pytest.mark.parametrize(("word", "still_hidden"), [("reveal", set()), ("keep", {"kael"})])
def test_walking_into_somebody_hidden_stops_before_that_space(word: str, still_hidden: set[str]) -> None:
    thicket = {",": {"name": "thicket", "conceals": ["sight"]}}
    rows = ["." * 60, "...,..." + "." * 53, "." * 60]
    guard = character("guard", "guards", (3, 1), ad=0)
    t = field(mover(13, seat="ann"), guard, rows=rows, legend=thicket, seats=[{"id": "ann"}], settings=DENSE)
    hidden(t, "guard", "kael")
    found = t.explain("kael", "run", route=east(5))
    assert (found.verdict, found.price.metres) == ("legal", 10)
    go(t, "kael", "run", 5)
    assert question_of(t) == ("guide", "choose")
    answer(t, word)
    assert (at(t, "kael"), spent(t, "kael"), ready(t, "kael")) == ((2, 1), 4, 5)
    assert hidden_from(t, "guard") == still_hidden
    assert [event.actor for event in happened(t, Halted)] == ["kael"]


def question_of(t: Any) -> tuple[str, str]:
    return t.waiting_on[0].who, t.waiting_on[0].kind


@pytest.mark.rule("narateer.tactical.two-metre-spaces")
def test_a_scene_that_empties_the_conversion_has_no_spaces() -> None:
    t = field(mover(13), settings={"space_metres": None})
    assert "MISSING_RULE" in codes(t.explain("kael", "walk", route=east(1)))
