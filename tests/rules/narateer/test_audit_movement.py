"""Numbers of the movement rules that Spaces of 2 m cannot show, on maps whose Spaces are 1 m."""

from __future__ import annotations

from typing import Any

import pytest
from moves import THICKET, at, character, codes, farthest, field, go, hidden, metres, mover, quoted, rolls
from scenes import answer, happened, hidden_from, ready, recorded, spent

from turnwright.systems.narateer.events import Moved, Revealed

METRE = {"space_metres": 1}
MUD = {"m": {"name": "mud", "difficult": ["mud"], "conceals": ["sight"]}}


def metre_by_metre(*characters: dict[str, Any], row: str = "." * 60, **keys: Any) -> Any:
    return field(*characters, rows=["." * 60, row, "." * 60], settings=METRE, **keys)


@pytest.mark.rule("narateer.terrain.difficult-doubles", "narateer.move.limited-by-other-rules")
def test_14_m_are_exactly_7_m_of_difficult_ground() -> None:
    t = metre_by_metre(mover(14), row="." + "m" * 59, legend=MUD)
    assert (quoted(t, "kael", "walk", 7), quoted(t, "kael", "walk", 8)) == (14, 16)
    go(t, "kael", "walk", 7)
    assert (at(t, "kael"), metres(t, "kael", "walk")) == ((7, 1), 0)


@pytest.mark.rule("narateer.terrain.difficult-doubles", "narateer.terrain.changes-spend-rate")
def test_9_m_of_difficult_and_7_m_of_ordinary_ground_are_25_m() -> None:
    t = metre_by_metre(mover(13), row="." + "m" * 9 + "." * 50, legend=MUD)
    assert quoted(t, "kael", "run", 16) == 9 * 2 + 7
    # X: 2 for the whole route, or the 9 m alone.
    assert quoted(t, "kael", "run", 16) not in (32, 18)


@pytest.mark.rule("narateer.terrain.no-self-stacking")
@pytest.mark.parametrize(("extra", "cost"), [(0, 10), (1, 15)])
def test_5_m_that_are_muddy_overgrown_and_crowded(extra: int, cost: int) -> None:
    mire = {"x": {"name": "mire", "difficult": ["mud", "undergrowth", "crowd"], "extra": extra}}
    t = metre_by_metre(mover(14), row="." + "x" * 59, legend=mire)
    # X: 20 or 40, doubled for each reason.
    assert quoted(t, "kael", "run", 5) == cost


@pytest.mark.rule("narateer.divide.total-cap")
def test_of_26_m_a_third_stretch_of_9_m_after_8_and_10_is_refused_and_one_of_8_is_not() -> None:
    t = metre_by_metre(mover(13))
    go(t, "kael", "run", 8)
    go(t, "kael", "run", 10)
    assert farthest(t, "kael", "run") == 8
    go(t, "kael", "run", 8)
    assert (spent(t, "kael"), ready(t, "kael")) == (26, 5)


@pytest.mark.rule("narateer.mode.may-move-less", "narateer.run.cost")
def test_3_m_of_a_run_of_28_cost_the_whole_of_its_ad() -> None:
    t = metre_by_metre(mover(14))
    go(t, "kael", "run", 3)
    assert (spent(t, "kael"), metres(t, "kael", "run"), ready(t, "kael")) == (3, 25, 5)


@pytest.mark.rule("narateer.sneak.terrain-multiplies")
@pytest.mark.parametrize(
    ("ground", "hides", "cost"), [(",", False, 1), ("m", False, 2), (",", True, 2), ("m", True, 4)]
)
def test_one_metre_open_difficult_hidden_and_both(ground: str, hides: bool, cost: int) -> None:
    guard = character("guard", "guards", (55, 0))
    t = metre_by_metre(mover(14), guard, row="," + ground * 59, legend=THICKET | MUD)
    if hides:
        hidden(t, "kael", "guard")
    # X: 3 for the last, which would add instead of multiply.
    assert quoted(t, "kael", "walk", 1) == cost


@pytest.mark.rule("narateer.sneak.example-12m")
@pytest.mark.parametrize(("ground", "reached"), [(",", 6), ("m", 3)])
def test_12_m_left_are_6_m_or_3_m_to_a_sneak(ground: str, reached: int) -> None:
    guard = character("guard", "guards", (55, 0))
    t = metre_by_metre(mover(12), guard, row="," + ground * 59, legend=THICKET | MUD)
    hidden(t, "kael", "guard")
    assert farthest(t, "kael", "walk") == reached


@pytest.mark.rule("narateer.sneak.uses-ordinary-allowance")
def test_after_8_of_14_m_a_sneak_of_3_m_uses_up_the_rest() -> None:
    guard = character("guard", "guards", (55, 0))
    t = metre_by_metre(mover(14), guard, row="," * 60, legend=THICKET)
    go(t, "kael", "walk", 8)
    hidden(t, "kael", "guard")
    # X: 7 m, half of a whole Walk.
    assert farthest(t, "kael", "walk") == 3
    go(t, "kael", "walk", 3)
    assert metres(t, "kael", "walk") == 0


@pytest.mark.rule("narateer.reveal.clear-view-immediate", "narateer.sneak.concealed-continuous-route")
def test_of_6_m_sneaked_the_4th_comes_into_view_and_reveals_before_the_5th() -> None:
    guard = character("guard", "guards", (30, 0))
    t = metre_by_metre(mover(14), guard, row=",,,,.," + "," * 54, legend=THICKET)
    hidden(t, "kael", "guard", total=20)
    go(t, "kael", "walk", 6)
    assert "at (4, 1) Guard sees you plainly" in t.waiting_on[0].question.warnings
    answer(t, True)
    log = [event for entry in t.live for event in entry.events]
    (revealed,) = happened(t, Revealed)
    before = [event.at for event in log[: log.index(revealed)] if isinstance(event, Moved)]
    assert before == [(1, 1), (2, 1), (3, 1), (4, 1)]
    assert (hidden_from(t, "kael"), recorded(t, "kael"), rolls(t)) == (set(), None, 0)
    # 4 m at the doubled price, the one into view included, and 2 m at the normal one.
    assert spent(t, "kael") == 4 * 2 + 2


@pytest.mark.rule("narateer.climb.slower-route-cost")
@pytest.mark.parametrize(("keys", "cost", "left"), [({"tags": ["climb"]}, 10, 4), ({"factor": 1}, 5, 9)])
def test_5_m_climbed_cost_10_at_factor_2_and_5_at_factor_1(keys: dict[str, Any], cost: int, left: int) -> None:
    t = metre_by_metre(mover(14), row="." + "c" * 59, legend={"c": {"name": "the way up", **keys}})
    go(t, "kael", "walk", 5)
    assert (spent(t, "kael"), metres(t, "kael", "walk")) == (cost, left)


@pytest.mark.rule("narateer.obstacle.ordinary-only-costs")
def test_a_fence_that_costs_2_m_makes_a_route_of_10_m_one_of_12() -> None:
    fence = {"at": [3, 1], "name": "a low fence", "uncertain": False, "metres": 2}
    t = metre_by_metre(mover(14), obstacles=[fence])
    assert quoted(t, "kael", "walk", 10) == 12
    assert codes(t.explain("kael", "walk", route=[(x, 1) for x in range(1, 14)])) == {"TOO_FAR"}
    go(t, "kael", "walk", 10)
    assert (spent(t, "kael"), rolls(t)) == (12, 0)


@pytest.mark.rule("narateer.sprint.acrobatics-style", "narateer.sprint.skill-follows-method")
def test_ground_that_is_agile_in_one_respect_of_several_is_agile() -> None:
    wall = {"w": {"name": "wet wall", "tags": ["wet", "narrow-wall"]}}
    t = field(mover(14, skills={"athletics": 3}), rows=["." * 60, "." + "w" * 59, "." * 60], legend=wall)
    route = [(x, 1) for x in range(1, 6)]
    assert t.explain("kael", "sprint", skill="acrobatics", route=route).verdict == "legal"
    assert codes(t.explain("kael", "sprint", skill="athletics", route=route)) == {"SPRINT_STYLE"}
    # And where nothing on the map is agile, no Acrobatics Sprint is on offer before a route is named.
    plain = field(mover(14), rows=["." * 60, "." + "w" * 59, "." * 60], legend={"w": {"name": "wet", "tags": ["wet"]}})
    assert "SPRINT_STYLE" in codes(plain.explain("kael", "sprint", skill="acrobatics"))
    assert "SPRINT_STYLE" not in codes(t.explain("kael", "sprint", skill="acrobatics"))
