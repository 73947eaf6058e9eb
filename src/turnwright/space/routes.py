"""Which steps a map allows, and where they lead within a budget."""

# A set of Spaces is one integer, with bit `y * width + x` for the Space (x, y): a whole wave of steps is then
# a few shifts, which is faster than a compiled search that looks at one Space at a time.

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import compress, pairwise
from threading import Lock
from typing import TYPE_CHECKING, Literal

from turnwright.space.grid import Cell, Door, Grid, Terrain, Wall, distance, share_an_edge

if TYPE_CHECKING:
    from turnwright.space.sight import Screen

Price = Callable[[Terrain], int]
"""The cost of entering one Space of a terrain, in the unit of the budget; below 1, it is not entered."""

Obstacle = Literal["off-map", "far", "blocked", "wall", "corner"]

DIRECTIONS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
KEPT = 32
FLAGS = bytes.maketrans(b"01", b"\0\1")


class Ground:
    """A map with some of its doors open, and the steps that it allows; made by `ground`."""

    def __init__(self, grid: Grid, open_doors: tuple[str, ...]) -> None:
        self.grid = grid
        self.open_doors = open_doors
        self.width, self.height = grid.width, grid.height
        self._terrain = {cell: grid.terrain(cell) for cell in grid.cells()}
        self.cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        self.every = (1 << len(self.cells)) - 1
        self.kinds = _kinds(grid)
        self.shifts = tuple(dy * self.width + dx for dx, dy in DIRECTIONS)
        self.steps = _steps(self)
        self.screens: dict[str, Screen] = {}
        self._near: dict[Cell, frozenset[Cell]] = {}
        self._listed: dict[Cell, tuple[Cell, ...]] = {}
        self._places: dict[str, tuple[Cell, ...]] = {}

    def may_step(self, a: Cell, b: Cell) -> bool:
        """Whether b is next to a and nothing forbids the step; who stands there is not asked.

        A diagonal step is refused past a blocked Space, and past a corner that a wall or closed door touches.
        """
        near = self._near.get(a)
        return b in (self.next_to(a) if near is None else near)

    def next_to(self, cell: Cell) -> frozenset[Cell]:
        """The Spaces that one step leads to."""
        near = self._near.get(cell)
        if near is None:
            near = self._near[cell] = frozenset(self._led_to(cell))
        return near

    def contains(self, cell: Cell) -> bool:
        return cell in self._terrain

    def terrain(self, cell: Cell) -> Terrain:
        """The terrain of a Space; off the map it is blocked."""
        found = self._terrain.get(cell)
        return self.grid.terrain(cell) if found is None else found

    def cells_of(self, place: str) -> tuple[Cell, ...]:
        """The Spaces of a named place, row by row."""
        found = self._places.get(place)
        if found is None:
            found = self._places[place] = self.grid.cells_of(place)
        return found

    def listed_next(self, cell: Cell) -> tuple[Cell, ...]:
        """The Spaces that one step leads to, always in the same order."""
        listed = self._listed.get(cell)
        if listed is None:
            listed = self._listed[cell] = tuple(self._led_to(cell))
        return listed

    def why_not(self, a: Cell, b: Cell) -> Obstacle | None:
        """What forbids the step from a to b, if anything."""
        if self.may_step(a, b):
            return None
        if not (self.grid.contains(a) and self.grid.contains(b)):
            return "off-map"
        if distance(a, b) != 1:
            return "far"
        if self.grid.terrain(b).blocked:
            return "blocked"
        return "wall" if share_an_edge(a, b) else "corner"

    def shut(self) -> Iterator[Wall | Door]:
        """The walls and the closed doors."""
        yield from self.grid.walls
        yield from (door for door in self.grid.doors if door.id not in self.open_doors)

    @cached_property
    def shows_all(self) -> bool:
        """Whether nothing on it is opaque or conceals."""
        hides = any(kind.opaque or kind.conceals for kind, _ in self.kinds.values())
        return not hides and not any(edge.opaque for edge in self.shut())

    @cached_property
    def level(self) -> bool:
        """Whether nobody falls anywhere on it."""
        return not any(kind.drop for kind, _ in self.kinds.values())

    @cached_property
    def plain(self) -> bool:
        """Whether a step costs the same wherever it leads, for everybody."""
        kinds = [kind for kind, _ in self.kinds.values()]
        return not any(kind.difficult or kind.factor > 1 or kind.extra or kind.tags for kind in kinds)

    def bit(self, cell: Cell) -> int:
        """The set of one Space, empty off the map."""
        return 1 << (cell[1] * self.width + cell[0]) if cell in self._terrain else 0

    def bits(self, cells: Iterable[Cell]) -> int:
        """The set of some Spaces; those off the map are left out."""
        together = 0
        for cell in cells:
            together |= self.bit(cell)
        return together

    def listed(self, bits: int) -> list[Cell]:
        """The Spaces of a set, row by row."""
        return list(compress(self.cells, f"{bits:b}"[::-1].encode().translate(FLAGS)))

    def _led_to(self, cell: Cell) -> Iterator[Cell]:
        here = self.bit(cell)
        for (dx, dy), allowed in zip(DIRECTIONS, self.steps, strict=True):
            if here & allowed:
                yield cell[0] + dx, cell[1] + dy


_grounds: dict[tuple[int, tuple[str, ...] | None], Ground] = {}
_making = Lock()


_shared: list[Grid] = []


def shared(grid: Grid) -> Grid:
    """An equal map that was shared before, so that what is known of its ground serves again; else the map itself."""
    for known in _shared:
        if known == grid:
            return known
    _shared.append(grid)
    del _shared[:-KEPT]
    return grid


def ground(grid: Grid, open_doors: tuple[str, ...] | None = None) -> Ground:
    """The ground of a map with the named doors open; None leaves the doors as the map draws them.

    The last few are kept, for the same map object and the same doors.
    Raises ValueError for a door that the map does not have.
    """
    kept = _grounds.get((id(grid), open_doors))
    return kept if kept is not None else _make_ground(grid, open_doors)


def _make_ground(grid: Grid, open_doors: tuple[str, ...] | None) -> Ground:
    unknown = sorted(set(open_doors or ()) - {door.id for door in grid.doors})
    if unknown:
        raise ValueError(f"no such door on the map: {', '.join(unknown)}")
    drawn_open = tuple(door.id for door in grid.doors if door.open)
    made = Ground(grid, drawn_open if open_doors is None else open_doors)
    with _making:
        while len(_grounds) >= KEPT:
            del _grounds[next(iter(_grounds))]
        # The kept ground keeps its map alive, so the identity in the key stays true.
        return _grounds.setdefault((id(grid), open_doors), made)


def _kinds(grid: Grid) -> dict[str, tuple[Terrain, int]]:
    """For each character of the map its terrain and its Spaces."""
    drawn = "".join(row.ljust(grid.width, "\0") for row in grid.rows)[::-1]
    marks = sorted(set(drawn))
    kinds: dict[str, tuple[Terrain, int]] = {}
    for mark in marks:
        digits = {ord(other): "1" if other == mark else "0" for other in marks}
        kinds[mark] = grid.drawn(mark), int(drawn.translate(digits), 2)
    return kinds


def _steps(ground: Ground) -> tuple[int, ...]:
    """For each direction the Spaces that a step in it may leave."""
    width = ground.width
    to_east, to_south = _edges(ground)
    free = ground.every
    for terrain, bits in ground.kinds.values():
        if terrain.blocked:
            free &= ~bits
    column = ground.bits((width - 1, y) for y in range(ground.height))
    # Everything below is said of the Space whose lower right corner it concerns.
    east, south = free >> 1 & ~column, free >> width
    across = free >> width + 1 & ~column
    corner = ~(to_east | to_south | to_south >> 1 | to_east >> width) & ground.every
    down = east & south & corner
    up = free & across & corner
    return (
        east & ~to_east,
        south & ~to_south,
        (free & ~column & ~to_east) << 1 & ground.every,
        (free & ~to_south) << width & ground.every,
        down & across,
        (up & south) << 1,
        (down & free) << width + 1,
        (up & east) << width,
    )


def _edges(ground: Ground) -> tuple[int, int]:
    """The Spaces with something shut to the east of them, and to the south."""
    to_east = to_south = 0
    for edge in ground.shut():
        first, second = sorted((edge.a, edge.b))
        if share_an_edge(first, second) and ground.grid.contains(second):
            if first[1] == second[1]:
                to_east |= ground.bit(first)
            else:
                to_south |= ground.bit(first)
    return to_east, to_south


class Reach:
    """Where a budget leads from a Space; made by `reach`."""

    __slots__ = ("_costs", "_ground", "_no_end", "_prices", "_steps", "_waves", "start")

    def __init__(
        self,
        ground: Ground,
        start: Cell,
        steps: tuple[int, ...],
        prices: dict[str, int],
        waves: dict[int, int],
        no_end: int,
    ) -> None:
        self.start = start
        self._ground = ground
        self._steps = steps
        self._prices = prices
        self._waves = waves
        self._no_end = no_end
        self._costs: dict[Cell, int] | None = None

    def cost(self, cell: Cell) -> int | None:
        """The least cost of coming to a Space, even one not to be ended in; None out of reach."""
        return self._all_costs().get(cell)

    def may_end(self, cell: Cell) -> bool:
        """Whether a route may lead to a Space and end there; the start is not a route's end."""
        crossed_only = self._no_end | self._ground.bit(self.start)
        return self.cost(cell) is not None and not crossed_only & self._ground.bit(cell)

    def cells(self) -> list[Cell]:
        """The Spaces in reach that a route may end in, row by row, without the start."""
        together = 0
        for wave in self._waves.values():
            together |= wave
        return self._ground.listed(together & ~(self._no_end | self._ground.bit(self.start)))

    def route(self, cell: Cell) -> tuple[Cell, ...]:
        """The cheapest route, without the start; among equals the fewest steps, then the fewest turns.

        Raises LookupError for a Space out of reach.
        """
        if self.cost(cell) is None:
            raise LookupError(f"{cell} is out of reach from {self.start}")
        turns = self._turns(cell)
        route: list[Cell] = []
        here, heading = self.start, -1
        while here != cell:
            ahead = turns[here]
            heading = min(ahead, key=lambda way: (ahead[way] + (way != heading), way))
            dx, dy = DIRECTIONS[heading]
            here = here[0] + dx, here[1] + dy
            route.append(here)
        return tuple(route)

    def steps(self) -> Iterator[tuple[Cell, Cell]]:
        """Every Space in reach after the one before it on a cheapest way, the nearest first; also those only crossed.

        Of several cheapest ways it is one of the fewest steps, and where that leaves a choice it goes straight on.
        """
        count, heading = {self.start: 0}, {self.start: -1}
        for cell, _ in sorted(self._all_costs().items(), key=lambda held: held[1]):
            if cell == self.start:
                continue
            came = [(count[b] + 1, way != heading[b], way, b) for way, b in self._came_from(cell) if b in count]
            if came:
                count[cell], _, heading[cell], before = min(came)
                yield before, cell

    def _all_costs(self) -> dict[Cell, int]:
        if self._costs is None:
            listed = self._ground.listed
            self._costs = {cell: cost for cost, wave in self._waves.items() for cell in listed(wave)}
        return self._costs

    def _turns(self, goal: Cell) -> dict[Cell, dict[int, int]]:
        """For each Space on a best route, and each first step from there, the fewest turns that remain."""
        turns: dict[Cell, dict[int, int]] = {goal: {}}
        layer = turns
        while self.start not in turns:
            farther: dict[Cell, dict[int, int]] = {}
            for cell, ahead in layer.items():
                for way, before in self._came_from(cell):
                    if before not in turns:
                        fewest = min((left + (way != then) for then, left in ahead.items()), default=0)
                        farther.setdefault(before, {})[way] = fewest
            turns.update(farther)
            layer = farther
        return turns

    def _came_from(self, cell: Cell) -> Iterator[tuple[int, Cell]]:
        """The last steps of the cheapest routes to a Space: the direction and the Space left."""
        x, y = cell
        cost = self.cost(cell)
        wave = 0 if cost is None else self._waves.get(cost - self._prices[self._ground.grid.rows[y][x]], 0)
        here = 1 << y * self._ground.width + x
        for way, shift in enumerate(self._ground.shifts):
            if wave & self._steps[way] & (here >> shift if shift > 0 else here << -shift):
                dx, dy = DIRECTIONS[way]
                yield way, (x - dx, y - dy)


def reach(
    ground: Ground,
    start: Cell,
    budget: int,
    price: Price,
    closed: Iterable[Cell] = (),
    no_end: Iterable[Cell] = (),
    never_nearer: Iterable[Cell] = (),
    never_farther: Iterable[Cell] = (),
) -> Reach:
    """Where `budget` leads from `start`, if entering a Space costs `price` of its terrain.

    Budget and price are in one unit of the caller's choice.
    `price` is asked once for each terrain on the map that is not blocked.
    `closed` are Spaces not to be entered, `no_end` Spaces to be crossed only.
    No step may bring the mover nearer to a Space of `never_nearer`, or farther from one of `never_farther`.
    Raises ValueError for a start off the map.
    """
    steps = _steps_allowed(ground, never_nearer, never_farther)
    prices = _prices(ground, price)
    waves = _waves(ground, steps, start, budget, _entries(ground, prices, closed), goal=0)
    return Reach(ground, start, steps, prices, waves, ground.bits(no_end))


def cheapest(
    ground: Ground,
    start: Cell,
    goal: Cell,
    price: Price,
    closed: Iterable[Cell] = (),
    never_nearer: Iterable[Cell] = (),
    never_farther: Iterable[Cell] = (),
) -> tuple[Cell, ...] | None:
    """The route that `Reach.route` gives with a budget without end; None where there is no route.

    Raises ValueError for a start off the map.
    """
    steps = _steps_allowed(ground, never_nearer, never_farther)
    prices = _prices(ground, price)
    waves = _waves(ground, steps, start, None, _entries(ground, prices, closed), ground.bit(goal))
    found = Reach(ground, start, steps, prices, waves, no_end=0)
    return None if found.cost(goal) is None else found.route(goal)


def _prices(ground: Ground, price: Price) -> dict[str, int]:
    return {mark: price(terrain) for mark, (terrain, _) in ground.kinds.items() if not terrain.blocked}


def _entries(ground: Ground, prices: dict[str, int], closed: Iterable[Cell]) -> dict[int, int]:
    """For each price the Spaces that cost it."""
    shut = ground.bits(closed)
    entries: dict[int, int] = {}
    for mark, cost in prices.items():
        if cost >= 1:
            entries[cost] = entries.get(cost, 0) | ground.kinds[mark][1] & ~shut
    return entries


def _waves(
    ground: Ground,
    steps: tuple[int, ...],
    start: Cell,
    budget: int | None,
    entries: dict[int, int],
    goal: int,
) -> dict[int, int]:
    """For each cost the Spaces that cost it, cheapest first, as far as the budget, or the goal, or all."""
    ahead = {0: ground.bit(start)}
    if not ahead[0]:
        raise ValueError(f"{start} is off the map")
    onward = [(allowed, shift) for allowed, shift in zip(steps, ground.shifts, strict=True) if shift > 0]
    back = [(allowed, -shift) for allowed, shift in zip(steps, ground.shifts, strict=True) if shift < 0]
    waves: dict[int, int] = {}
    untouched = ground.every
    while ahead and (not goal or goal & untouched):
        cost = min(ahead)
        wave = ahead.pop(cost) & untouched
        if not wave:
            continue
        waves[cost] = wave
        untouched &= ~wave
        near = 0
        for allowed, shift in onward:
            near |= (wave & allowed) << shift
        for allowed, shift in back:
            near |= (wave & allowed) >> shift
        near &= untouched
        for price, entered in entries.items():
            if near & entered and (budget is None or cost + price <= budget):
                ahead[cost + price] = ahead.get(cost + price, 0) | near & entered
    return waves


def _steps_allowed(
    ground: Ground,
    never_nearer: Iterable[Cell],
    never_farther: Iterable[Cell],
) -> tuple[int, ...]:
    steps = ground.steps
    for cell in never_nearer:
        steps = _without(steps, _changes(ground, cell, nearer=True))
    for cell in never_farther:
        steps = _without(steps, _changes(ground, cell, nearer=False))
    return steps


def _without(steps: tuple[int, ...], refused: Iterable[int]) -> tuple[int, ...]:
    return tuple(allowed & ~bits for allowed, bits in zip(steps, refused, strict=True))


def _changes(ground: Ground, centre: Cell, *, nearer: bool) -> Iterator[int]:
    """For each direction the Spaces where a step in it leads nearer to the centre, or farther from it."""
    rings: list[tuple[int, int]] = []
    for inner, outer in pairwise(_squares(ground, centre)):
        rings.append((outer & ~inner, inner if nearer else ground.every & ~outer))
    for shift in ground.shifts:
        changed = 0
        for ring, target in rings:
            changed |= ring & (target >> shift if shift > 0 else target << -shift)
        yield changed


def _squares(ground: Ground, centre: Cell) -> list[int]:
    """An empty set, then the Spaces at most 0, 1, 2 and more steps away, until it is all of them."""
    width, height = ground.width, ground.height
    first_column = sum(1 << width * y for y in range(height))
    squares = [0]
    while squares[-1] != ground.every:
        size = len(squares) - 1
        left, right = max(0, centre[0] - size), min(width, centre[0] + size + 1)
        top, bottom = max(0, centre[1] - size), min(height, centre[1] + size + 1)
        columns = ((1 << right) - (1 << left)) * first_column if right > left else 0
        rows = (1 << width * bottom) - (1 << width * top) if bottom > top else 0
        squares.append(columns & rows)
    return squares
