from fractions import Fraction
from itertools import product
from math import gcd

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwright.space import Cell, Door, Grid, Ground, Terrain, Wall, distance, ground, in_reach, line, sees

LEGEND = {
    "o": Terrain("pit", blocked=True),
    "%": Terrain("fog", opaque=True),
    "c": Terrain("curtain of reeds", conceals=("sight",)),
}


def on(*rows: str, walls: tuple[Wall, ...] = (), doors: tuple[Door, ...] = ()) -> Ground:
    return ground(Grid(rows, LEGEND, walls, doors))


class TestSight:
    def test_on_open_ground_all_is_seen(self) -> None:
        assert sees(on("....", "...."), (0, 0), (3, 1))

    def test_everyone_sees_the_own_space(self) -> None:
        assert sees(on("%.", ".."), (0, 0), (0, 0))

    def test_nothing_is_seen_off_the_map(self) -> None:
        assert not sees(on(".."), (0, 0), (2, 0))

    def test_an_opaque_space_between_stops_sight(self) -> None:
        assert not sees(on("..#.."), (0, 0), (4, 0))
        assert not sees(on("..%.."), (0, 0), (4, 0))

    def test_a_blocked_space_need_not_stop_sight(self) -> None:
        assert sees(on("..o.."), (0, 0), (4, 0))

    def test_concealment_is_another_question(self) -> None:
        assert sees(on("..c.c"), (0, 0), (4, 0))

    def test_an_opaque_space_is_seen_only_from_the_next(self) -> None:
        here = on("..%%.")
        assert sees(here, (1, 0), (2, 0))
        assert not sees(here, (0, 0), (2, 0))
        assert sees(here, (2, 0), (3, 0))
        assert not sees(here, (1, 0), (3, 0))

    def test_a_wall_hides_even_the_next_opaque_space(self) -> None:
        assert not sees(on(".%", walls=(Wall((0, 0), (1, 0)),)), (0, 0), (1, 0))

    def test_a_wall_stops_sight_and_a_fence_does_not(self) -> None:
        assert not sees(on("....", walls=(Wall((1, 0), (2, 0)),)), (0, 0), (3, 0))
        assert sees(on("....", walls=(Wall((1, 0), (2, 0), opaque=False),)), (0, 0), (3, 0))

    def test_a_door_stops_sight_while_it_is_closed(self) -> None:
        doors = (Door("gate", (1, 0), (2, 0)), Door("bars", (2, 0), (3, 0), opaque=False))
        grid = Grid(("....",), doors=doors)
        assert not sees(ground(grid), (0, 0), (3, 0))
        assert sees(ground(grid, ("gate",)), (0, 0), (3, 0))

    def test_a_line_that_grazes_a_corner_passes(self) -> None:
        assert sees(on(".#", ".."), (0, 0), (1, 1))
        assert sees(on("..", "..", walls=(Wall((0, 0), (1, 0)),)), (0, 0), (1, 1))

    def test_a_corner_shut_on_both_sides_stops_sight(self) -> None:
        assert not sees(on(".#", "#."), (0, 0), (1, 1))
        assert not sees(on("..", "..", walls=(Wall((0, 0), (1, 0)), Wall((0, 1), (1, 1)))), (0, 0), (1, 1))
        assert not sees(on("..", "#.", walls=(Wall((1, 0), (1, 1)),)), (0, 0), (1, 1))

    def test_a_watcher_at_a_doorway_sees_into_the_room_but_not_along_its_wall(self) -> None:
        here = on(
            ".....",
            "##.##",
            ".....",
            ".....",
        )
        assert sees(here, (2, 0), (2, 3))
        assert sees(here, (2, 0), (3, 3))
        assert not sees(here, (2, 0), (0, 2))
        assert not sees(here, (2, 0), (4, 2))


class TestInReach:
    def test_reach_is_counted_like_steps(self) -> None:
        here = on("....", "....", "....")
        assert in_reach(here, (0, 0), (1, 1), 1)
        assert not in_reach(here, (0, 0), (2, 0), 1)
        assert in_reach(here, (0, 0), (2, 1), 2)
        assert in_reach(here, (0, 0), (0, 0), 0)

    def test_nothing_is_in_reach_off_the_map(self) -> None:
        assert not in_reach(on(".."), (1, 0), (2, 0), 1)

    @pytest.mark.parametrize("opaque", [True, False])
    def test_nobody_reaches_through_a_wall(self, opaque: bool) -> None:
        here = on("...", walls=(Wall((0, 0), (1, 0), opaque),))
        assert not in_reach(here, (0, 0), (1, 0), 1)
        assert not in_reach(here, (0, 0), (2, 0), 2)

    def test_nobody_reaches_through_a_closed_door(self) -> None:
        grid = Grid(("..",), doors=(Door("gate", (0, 0), (1, 0)),))
        assert not in_reach(ground(grid), (0, 0), (1, 0), 1)
        assert in_reach(ground(grid, ("gate",)), (0, 0), (1, 0), 1)

    def test_nobody_reaches_past_a_corner_that_nobody_steps_past(self) -> None:
        assert not in_reach(on(".o", ".."), (0, 0), (1, 1), 1)
        assert not in_reach(on("..", "..", walls=(Wall((1, 0), (1, 1)),)), (0, 0), (1, 1), 1)

    def test_a_blocked_space_between_is_in_the_way_and_fog_is_not(self) -> None:
        assert not in_reach(on(".o."), (0, 0), (2, 0), 2)
        assert in_reach(on(".%."), (0, 0), (2, 0), 2)

    def test_who_stands_in_a_blocked_space_is_reached(self) -> None:
        assert in_reach(on(".o"), (0, 0), (1, 0), 1)


class TestLine:
    def test_a_line_includes_both_ends(self) -> None:
        assert line((0, 0), (3, 0)) == ((0, 0), (1, 0), (2, 0), (3, 0))
        assert line((2, 1), (2, 1)) == ((2, 1),)

    def test_a_line_through_a_corner_enters_the_space_across(self) -> None:
        assert line((2, 2), (0, 0)) == ((2, 2), (1, 1), (0, 0))

    def test_a_line_lists_every_space_it_crosses(self) -> None:
        assert line((0, 0), (2, 1)) == ((0, 0), (1, 0), (1, 1), (2, 1))
        assert line((0, 0), (3, 1)) == ((0, 0), (1, 0), (2, 1), (3, 1))


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    row = st.text("......%o#", min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=height, max_size=height))
    edges = [((x, y), (x + 1, y)) for x in range(width - 1) for y in range(height)]
    edges += [((x, y), (x, y + 1)) for x in range(width) for y in range(height - 1)]
    chosen = draw(st.lists(st.sampled_from(edges), unique=True, max_size=8)) if edges else []
    walls = tuple(Wall(*edge, opaque=i % 2 == 0) for i, edge in enumerate(chosen[::2]))
    doors = tuple(Door(str(i), b, a, opaque=i % 3 > 0) for i, (a, b) in enumerate(chosen[1::2]))
    return Grid(tuple(rows), LEGEND, walls, doors)


@given(grids())
def test_sight_and_reach_are_the_same_in_both_directions(grid: Grid) -> None:
    here = ground(grid)
    for a, b in product(grid.cells(), repeat=2):
        assert sees(here, a, b) == sees(here, b, a)
        assert in_reach(here, a, b, 3) == in_reach(here, b, a, 3)
        assert line(a, b) == line(b, a)[::-1]


@given(grids())
def test_the_next_space_is_in_reach_where_a_step_may_lead(grid: Grid) -> None:
    here = ground(grid)
    for a, b in product(grid.cells(), repeat=2):
        if distance(a, b) == 1 and not grid.terrain(b).blocked:
            assert in_reach(here, a, b, 1) == here.may_step(a, b)


def meets_corners(a: Cell, b: Cell) -> bool:
    wide, high = abs(a[0] - b[0]), abs(a[1] - b[1])
    common = gcd(wide, high)
    return common > 0 and (wide // common) % 2 == 1 and (high // common) % 2 == 1


Point = tuple[Fraction, Fraction]


def part_within(a: Cell, b: Cell, low: Point, high: Point) -> Fraction:
    """The share of the line that is within a box; -1 if it does not touch it."""
    first, last = Fraction(0), Fraction(1)
    for axis in (0, 1):
        step = b[axis] - a[axis]
        if step == 0:
            if not low[axis] <= a[axis] <= high[axis]:
                return Fraction(-1)
            continue
        ends = sorted(((low[axis] - a[axis]) / step, (high[axis] - a[axis]) / step))
        first, last = max(first, ends[0]), min(last, ends[1])
    return last - first if last >= first else Fraction(-1)


def is_stopped(grid: Grid, a: Cell, b: Cell) -> bool:
    half = Fraction(1, 2)
    for x, y in grid.cells():
        if (x, y) not in (a, b) and grid.terrain((x, y)).opaque:
            if part_within(a, b, (x - half, y - half), (x + half, y + half)) > 0:
                return True
    edges: list[Wall | Door] = [*grid.walls, *grid.doors]
    for edge in edges:
        (x1, y1), (x2, y2) = sorted((edge.a, edge.b))
        middle = Fraction(x1 + x2, 2), Fraction(y1 + y2, 2)
        along = (Fraction(0), half) if y1 == y2 else (half, Fraction(0))
        low = middle[0] - along[0], middle[1] - along[1]
        high = middle[0] + along[0], middle[1] + along[1]
        if edge.opaque and part_within(a, b, low, high) >= 0:
            return True
    return False


@settings(deadline=None)
@given(grids())
def test_sight_agrees_with_the_geometry_of_the_line(grid: Grid) -> None:
    here = ground(grid)
    for a, b in product(grid.cells(), repeat=2):
        if a < b and not meets_corners(a, b):
            inside = distance(a, b) > 1 and (grid.terrain(a).opaque or grid.terrain(b).opaque)
            assert sees(here, a, b) == (not inside and not is_stopped(grid, a, b))
