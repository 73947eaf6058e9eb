import subprocess
import sys
from heapq import heappop, heappush
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwright.space import Cell, Door, Grid, Ground, Terrain, Wall, cheapest, distance, ground, reach

LEGEND = {
    "~": Terrain("mud", difficult=("mud", "reeds")),
    "^": Terrain("cliff", factor=3),
    "!": Terrain("bog", difficult=("bog",), extra=1),
    "o": Terrain("pillar", blocked=True),
}


def price(terrain: Terrain) -> int:
    return max(2 if terrain.difficult else 1, terrain.factor) + terrain.extra


def on(*rows: str, walls: tuple[Wall, ...] = (), doors: tuple[Door, ...] = ()) -> Ground:
    return ground(Grid(rows, LEGEND, walls, doors))


class TestSteps:
    def test_a_step_leads_to_each_of_the_eight_spaces_around(self) -> None:
        here = on("...", "...", "...")
        assert here.next_to((1, 1)) == set(product(range(3), range(3))) - {(1, 1)}
        assert here.next_to((0, 0)) == {(1, 0), (0, 1), (1, 1)}

    def test_a_step_is_not_a_leap(self) -> None:
        assert on("....").why_not((0, 0), (2, 0)) == "far"
        assert on("....").why_not((0, 0), (0, 0)) == "far"

    def test_nobody_steps_off_the_map(self) -> None:
        here = on("..", "..")
        assert here.why_not((1, 0), (2, 0)) == "off-map"
        assert here.why_not((0, 0), (0, -1)) == "off-map"
        assert not here.may_step((-1, 0), (0, 0))

    def test_a_blocked_space_is_not_entered(self) -> None:
        assert on(".o").why_not((0, 0), (1, 0)) == "blocked"

    def test_a_blocked_space_may_be_left(self) -> None:
        assert on("o.").may_step((0, 0), (1, 0))

    def test_a_diagonal_step_past_a_blocked_space_is_refused(self) -> None:
        here = on(".o", "..")
        assert here.why_not((0, 0), (1, 1)) == "corner"
        assert here.why_not((1, 1), (0, 0)) == "corner"
        assert here.may_step((0, 0), (0, 1))

    def test_a_wall_is_not_crossed(self) -> None:
        here = on("..", "..", walls=(Wall((1, 0), (0, 0)),))
        assert here.why_not((0, 0), (1, 0)) == "wall"
        assert here.why_not((1, 0), (0, 0)) == "wall"
        assert here.may_step((0, 1), (1, 1))

    @pytest.mark.parametrize("edge", [((0, 0), (1, 0)), ((0, 0), (0, 1)), ((1, 0), (1, 1)), ((0, 1), (1, 1))])
    def test_no_diagonal_step_cuts_a_corner_that_a_wall_touches(self, edge: tuple[Cell, Cell]) -> None:
        here = on("..", "..", walls=(Wall(*edge),))
        for a, b in (((0, 0), (1, 1)), ((1, 0), (0, 1))):
            assert here.why_not(a, b) == "corner"
            assert here.why_not(b, a) == "corner"

    def test_an_open_door_is_no_wall(self) -> None:
        grid = Grid(("..", ".."), doors=(Door("gate", (0, 0), (1, 0)),))
        assert ground(grid).why_not((0, 0), (1, 0)) == "wall"
        assert ground(grid, ("gate",)).may_step((0, 0), (1, 0))
        assert ground(grid, ("gate",)).may_step((0, 1), (1, 0))

    def test_a_door_stands_as_the_map_draws_it_until_told_otherwise(self) -> None:
        grid = Grid(("..",), doors=(Door("gate", (0, 0), (1, 0), open=True),))
        assert ground(grid).may_step((0, 0), (1, 0))
        assert not ground(grid, ()).may_step((0, 0), (1, 0))

    def test_a_door_that_is_not_there_cannot_stand_open(self) -> None:
        with pytest.raises(ValueError, match="cellar"):
            ground(Grid(("..",)), ("cellar",))

    def test_the_ground_of_a_map_is_kept(self) -> None:
        grid = Grid(("..",))
        assert ground(grid, ()) is ground(grid, ())
        assert ground(grid, ()) is not ground(Grid(("..",)), ())

    def test_a_ragged_row_ends_in_blocked_spaces(self) -> None:
        assert on("...", ".").next_to((0, 1)) == {(0, 0)}


class TestReach:
    def test_diagonal_steps_cost_one_space(self) -> None:
        found = reach(on("....", "....", "...."), (0, 0), 2, price)
        assert found.cells() == [(1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)]
        assert found.cost((2, 2)) == 2
        assert found.cost((3, 0)) is None

    def test_the_space_entered_sets_the_cost(self) -> None:
        found = reach(on("~.~^!"), (0, 0), 99, price)
        assert [found.cost((x, 0)) for x in range(5)] == [0, 1, 3, 6, 9]

    def test_four_difficult_and_four_ordinary_spaces_cost_twelve(self) -> None:
        found = reach(on("..~~.~~.."), (0, 0), 13, price)
        assert found.cost((8, 0)) == 12
        assert len(found.route((8, 0))) == 8

    def test_a_detour_is_taken_where_it_is_cheaper(self) -> None:
        assert reach(on(".~~.", "...."), (0, 0), 9, price).route((3, 0)) == ((1, 1), (2, 1), (3, 0))

    def test_a_longer_way_is_not_taken_for_the_same_cost(self) -> None:
        assert reach(on(".~.", "o..", "..."), (0, 0), 9, price).route((2, 0)) == ((1, 0), (2, 0))

    def test_a_straight_way_goes_before_a_zigzag(self) -> None:
        here = on("......", "......", "......")
        assert reach(here, (0, 1), 9, price).route((4, 1)) == ((1, 1), (2, 1), (3, 1), (4, 1))
        assert reach(here, (0, 0), 9, price).route((4, 2)) == ((1, 0), (2, 0), (3, 1), (4, 2))

    def test_of_two_ways_that_cost_the_same_the_shorter_is_taken(self) -> None:
        here = on("#...", "..^.", walls=(Wall((2, 0), (2, 1)),))
        found = reach(here, (0, 1), 9, price)
        assert found.cost((3, 1)) == 1 + 3 + 1
        assert found.route((3, 1)) == ((1, 1), (2, 1), (3, 1))

    def test_a_turn_now_goes_before_two_turns_later(self) -> None:
        assert reach(on("..~.", "...."), (0, 0), 9, price).route((3, 1)) == ((1, 1), (2, 1), (3, 1))

    def test_a_heading_is_kept_where_another_is_as_good(self) -> None:
        here = on(".~...", ".....", ".....")
        assert reach(here, (0, 0), 9, price).route((4, 2)) == ((1, 1), (2, 2), (3, 2), (4, 2))

    def test_the_way_to_where_one_stands_is_empty(self) -> None:
        found = reach(on(".."), (0, 0), 9, price)
        assert found.route((0, 0)) == ()
        assert found.cost((0, 0)) == 0
        assert not found.may_end((0, 0))

    def test_a_space_out_of_reach_has_no_route(self) -> None:
        with pytest.raises(LookupError, match=r"\(3, 0\) is out of reach"):
            reach(on("...."), (0, 0), 2, price).route((3, 0))

    def test_a_closed_space_is_not_entered_but_its_corner_may_be_cut(self) -> None:
        found = reach(on("...", "..."), (0, 0), 9, price, closed=[(1, 0), (1, 1)])
        assert found.cells() == [(0, 1)]
        assert reach(on("..", ".."), (0, 0), 1, price, closed=[(1, 0)]).may_end((1, 1))

    def test_a_space_may_be_crossed_and_not_ended_in(self) -> None:
        found = reach(on("..."), (0, 0), 9, price, no_end=[(1, 0)])
        assert found.cells() == [(2, 0)]
        assert found.route((2, 0)) == ((1, 0), (2, 0))
        assert found.cost((1, 0)) == 1
        assert not found.may_end((1, 0))

    def test_a_terrain_without_a_price_is_not_entered(self) -> None:
        found = reach(on(".^.", "..."), (0, 0), 9, lambda terrain: 0 if terrain.factor > 1 else 1)
        assert found.cost((1, 0)) is None
        assert found.cost((2, 0)) == 2

    def test_a_start_off_the_map_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="off the map"):
            reach(on(".."), (2, 0), 9, price)

    def test_no_step_leads_nearer_to_what_is_feared(self) -> None:
        found = reach(on("....."), (2, 0), 9, price, never_nearer=[(0, 0)])
        assert found.cells() == [(3, 0), (4, 0)]

    def test_a_step_that_keeps_the_distance_is_allowed(self) -> None:
        found = reach(on("...", "...", "..."), (2, 1), 9, price, never_nearer=[(0, 1)])
        assert found.cells() == [(2, 0), (2, 2)]

    def test_no_step_leads_farther_from_what_is_guarded(self) -> None:
        found = reach(on("....."), (2, 0), 9, price, never_farther=[(0, 0)])
        assert found.cells() == [(0, 0), (1, 0)]

    def test_the_cheapest_way_to_a_goal(self) -> None:
        assert cheapest(on(".o.", "..."), (0, 0), (2, 0), price) == ((0, 1), (1, 1), (2, 1), (2, 0))
        assert cheapest(on(".o."), (0, 0), (2, 0), price) is None
        assert cheapest(on("..."), (0, 0), (7, 7), price) is None
        assert cheapest(on("..."), (0, 0), (0, 0), price) == ()


cells = st.tuples(st.integers(0, 5), st.integers(0, 4))


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    row = st.text(".....~^!o#", min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=height, max_size=height))
    edges = [((x, y), (x + 1, y)) for x in range(width - 1) for y in range(height)]
    edges += [((x, y), (x, y + 1)) for x in range(width) for y in range(height - 1)]
    chosen = draw(st.lists(st.sampled_from(edges), unique=True, max_size=8)) if edges else []
    walls = tuple(Wall(*edge) for edge in chosen[::2])
    doors = tuple(Door(str(i), b, a) for i, (a, b) in enumerate(chosen[1::2]))
    return Grid(tuple(rows), LEGEND, walls, doors)


def is_shut(grid: Grid, opened: tuple[str, ...], a: Cell, b: Cell) -> bool:
    shut = [{wall.a, wall.b} for wall in grid.walls]
    shut += [{door.a, door.b} for door in grid.doors if door.id not in opened]
    return {a, b} in shut


def step_is_free(grid: Grid, opened: tuple[str, ...], a: Cell, b: Cell) -> bool:
    if distance(a, b) != 1 or not (grid.contains(a) and grid.contains(b)) or grid.terrain(b).blocked:
        return False
    sides = [(a[0], b[1]), (b[0], a[1])]
    if a in sides:
        return not is_shut(grid, opened, a, b)
    edges = [(a, sides[0]), (a, sides[1]), (b, sides[0]), (b, sides[1])]
    blocked = any(grid.terrain(side).blocked for side in sides)
    return not blocked and not any(is_shut(grid, opened, *edge) for edge in edges)


def searched_by_hand(
    grid: Grid, start: Cell, closed: set[Cell], feared: list[Cell], guarded: list[Cell]
) -> dict[Cell, tuple[int, int]]:
    """The least cost and then the fewest steps to each Space."""
    best: dict[Cell, tuple[int, int]] = {}
    waiting = [((0, 0), start)]
    while waiting:
        (cost, count), here = heappop(waiting)
        if here in best:
            continue
        best[here] = cost, count
        for there in grid.cells():
            if (
                there not in closed
                and step_is_free(grid, (), here, there)
                and all(distance(there, x) >= distance(here, x) for x in feared)
                and all(distance(there, x) <= distance(here, x) for x in guarded)
            ):
                heappush(waiting, ((cost + price(grid.terrain(there)), count + 1), there))
    return best


@given(grids(), st.sets(st.sampled_from("0123")))
def test_every_step_is_as_the_rule_says(grid: Grid, opened: set[str]) -> None:
    open_doors = tuple(door.id for door in grid.doors if door.id in opened)
    here = ground(grid, open_doors)
    for a, b in product(grid.cells(), repeat=2):
        assert here.may_step(a, b) == step_is_free(grid, open_doors, a, b)
        assert (here.why_not(a, b) is None) == here.may_step(a, b)


@settings(deadline=None)
@given(
    grids(),
    cells,
    st.integers(0, 12),
    st.sets(cells, max_size=3),
    st.sets(cells, max_size=3),
    st.lists(cells, max_size=2),
    st.lists(cells, max_size=1),
)
def test_reach_agrees_with_a_search_by_hand(
    grid: Grid,
    start: Cell,
    budget: int,
    closed: set[Cell],
    no_end: set[Cell],
    feared: list[Cell],
    guarded: list[Cell],
) -> None:
    start = start[0] % grid.width, start[1] % grid.height
    found = reach(ground(grid), start, budget, price, closed, no_end, feared, guarded)
    best = searched_by_hand(grid, start, closed, feared, guarded)
    for cell in grid.cells():
        least = best.get(cell)
        assert found.cost(cell) == (least[0] if least and least[0] <= budget else None)
    reached = [cell for cell in grid.cells() if found.cost(cell) is not None]
    assert found.cells() == [cell for cell in reached if cell != start and cell not in no_end]
    for cell in reached:
        assert found.may_end(cell) == (cell in found.cells())
        route = found.route(cell)
        assert all(step_is_free(grid, (), a, b) for a, b in pairwise((start, *route)))
        assert (sum(price(grid.terrain(step)) for step in route), len(route)) == best[cell]
        assert cheapest(ground(grid), start, cell, price, closed, feared, guarded) == route


def turns(start: Cell, route: tuple[Cell, ...]) -> int:
    headings = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise((start, *route))]
    return sum(a != b for a, b in pairwise(headings))


@settings(deadline=None)
@given(grids(), cells)
def test_no_other_best_route_has_fewer_turns(grid: Grid, start: Cell) -> None:
    start = start[0] % grid.width, start[1] % grid.height
    best = searched_by_hand(grid, start, set(), [], [])
    found = reach(ground(grid), start, 6, price)
    here = ground(grid)

    def best_routes(cell: Cell) -> list[tuple[Cell, ...]]:
        if cell == start:
            return [()]
        cost, count = best[cell]
        before = cost - price(grid.terrain(cell)), count - 1
        return [
            (*route, cell)
            for other in best
            if best[other] == before and here.may_step(other, cell)
            for route in best_routes(other)
        ]

    for cell in found.cells():
        assert turns(start, found.route(cell)) == min(turns(start, route) for route in best_routes(cell))


def test_a_map_needs_no_numerical_library() -> None:
    code = "import sys, turnwright.space; assert not {'numpy', 'tcod'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
