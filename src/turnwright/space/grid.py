"""A map of square Spaces: the terrain on them, the walls and doors between them, the places they form."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

import msgspec

Cell = tuple[int, int]
"""A Space, x to the right and y down, counted from 0."""

Problem = tuple[tuple[str | int, ...], str]
"""The path of a key in the map file, and what is wrong there."""

LARGEST = 200


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands on a Space; what a metre of it costs is for the rules of a game to say.

    `difficult` lists reasons, which count once together.
    `factor` is a cost of its own, such as climbing; the larger of the two counts.
    `extra` is a cost in metres for each metre, added by an explicit rule.
    `conceals` lists the senses that do not find whoever stands here; `tags` what a route here demands.
    `drop` is how many metres whoever is driven onto it falls.
    """

    name: str
    blocked: bool = False
    difficult: tuple[str, ...] = ()
    factor: int = 1
    extra: int = 0
    opaque: bool = False
    conceals: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    place: str = ""
    drop: int = 0


class Wall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wall between two Spaces that share an edge; nobody crosses it."""

    a: Cell
    b: Cell
    opaque: bool = True


class Door(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wall that may be open; `open` is how the map draws it."""

    id: str
    a: Cell
    b: Cell
    opaque: bool = True
    open: bool = False


ORDINARY = Terrain("ordinary ground")
SOLID = Terrain("solid wall", blocked=True, opaque=True)
OUTSIDE = Terrain("off the map", blocked=True, opaque=True)
DRAWN = {".": ORDINARY, "#": SOLID}


class Grid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map as it is drawn: one string for each row, one character for each Space."""

    rows: tuple[str, ...]
    legend: dict[str, Terrain] = {}
    walls: tuple[Wall, ...] = ()
    doors: tuple[Door, ...] = ()
    places: dict[str, tuple[Cell, ...]] = {}

    @property
    def width(self) -> int:
        return max(map(len, self.rows), default=0)

    @property
    def height(self) -> int:
        return len(self.rows)

    def contains(self, cell: Cell) -> bool:
        x, y = cell
        return 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y])

    def drawn(self, mark: str) -> Terrain:
        """The terrain that a character of the map stands for; one that is not explained counts as blocked."""
        return self.legend.get(mark) or DRAWN.get(mark, OUTSIDE)

    def terrain(self, cell: Cell) -> Terrain:
        """The terrain of a Space; off the map it is blocked."""
        return self.drawn(self.rows[cell[1]][cell[0]]) if self.contains(cell) else OUTSIDE

    def cells(self) -> Iterator[Cell]:
        """Every Space, row by row."""
        return ((x, y) for y, row in enumerate(self.rows) for x in range(len(row)))

    def cells_of(self, place: str) -> tuple[Cell, ...]:
        """The Spaces of a named place, row by row, whether the legend or `places` puts them there."""
        named = set(self.places.get(place, ()))
        return tuple(cell for cell in self.cells() if cell in named or self.terrain(cell).place == place)

    def place_of(self, cell: Cell) -> str:
        """The place of a Space, or an empty string; `places` goes before the legend."""
        named = (place for place, cells in self.places.items() if cell in cells)
        return next(named, self.terrain(cell).place)


def distance(a: Cell, b: Cell) -> int:
    """Steps from one Space to another on open ground, where a diagonal step counts as any other."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def share_an_edge(a: Cell, b: Cell) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def problems(grid: Grid) -> list[Problem]:
    """Every inconsistency of a map, with the path of its key and a sentence."""
    return list(
        chain(
            _size_problems(grid),
            _mark_problems(grid),
            _legend_problems(grid),
            _edge_problems(grid),
            _door_problems(grid),
            _place_problems(grid),
        )
    )


def _size_problems(grid: Grid) -> Iterator[Problem]:
    if not grid.width:
        yield ("rows",), "The map has no Spaces."
    if grid.width > LARGEST or grid.height > LARGEST:
        size = f"{grid.width} x {grid.height}"
        yield ("rows",), f"The map has {size} Spaces; the largest map is {LARGEST} x {LARGEST}."
    for y, row in enumerate(grid.rows):
        if len(row) != len(grid.rows[0]):
            yield ("rows", y), f"Row {y} has {len(row)} Spaces where the first has {len(grid.rows[0])}."


def _mark_problems(grid: Grid) -> Iterator[Problem]:
    for y, row in enumerate(grid.rows):
        for mark in dict.fromkeys(row):
            if mark not in grid.legend and mark not in DRAWN:
                yield ("rows", y), f"The legend does not explain {mark!r}."


def _legend_problems(grid: Grid) -> Iterator[Problem]:
    for mark, terrain in grid.legend.items():
        if len(mark) != 1:
            yield ("legend", mark), f"A legend key is one character, not {mark!r}."
        if terrain.factor < 1:
            yield ("legend", mark, "factor"), f"A cost factor is at least 1, not {terrain.factor}."
        if terrain.extra < 0:
            yield ("legend", mark, "extra"), f"An extra cost is at least 0, not {terrain.extra}."


def _edge_problems(grid: Grid) -> Iterator[Problem]:
    edges: list[tuple[str, int, Wall | Door]] = [("walls", i, wall) for i, wall in enumerate(grid.walls)]
    edges += [("doors", i, door) for i, door in enumerate(grid.doors)]
    drawn: set[frozenset[Cell]] = set()
    for key, i, edge in edges:
        for name, cell in (("a", edge.a), ("b", edge.b)):
            if not grid.contains(cell):
                yield (key, i, name), f"{cell} is off the map."
        if not share_an_edge(edge.a, edge.b):
            yield (key, i), f"{edge.a} and {edge.b} do not share an edge."
        if frozenset((edge.a, edge.b)) in drawn:
            yield (key, i), f"Something already stands between {edge.a} and {edge.b}."
        drawn.add(frozenset((edge.a, edge.b)))


def _door_problems(grid: Grid) -> Iterator[Problem]:
    uses = Counter(door.id for door in grid.doors)
    for i, door in enumerate(grid.doors):
        if not door.id:
            yield ("doors", i, "id"), "A door needs an id."
        elif uses[door.id] > 1:
            yield ("doors", i, "id"), f"{uses[door.id]} doors have the id {door.id!r}."


def _place_problems(grid: Grid) -> Iterator[Problem]:
    for place, cells in grid.places.items():
        for i, cell in enumerate(cells):
            if not grid.contains(cell):
                yield ("places", place, i), f"{cell} is off the map."
