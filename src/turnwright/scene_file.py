"""What the scene files of every game have in common: how they are checked, their map, and the scene they describe.

A game's own file has `title`, `settings`, `seed`, `sides`, `seats`, `order`, `rulings`, and a list of those who act.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from turnwright.documents import Document, Place, Problem
from turnwright.documents.words import nearest
from turnwright.model import GUIDE, SPECTATOR, ActorId, Cell, Scene, Struct
from turnwright.space import Door, Grid, Wall, Zones, shared
from turnwright.space import problems as grid_problems

Id = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]*$", min_length=1)]
Seed = Annotated[int, Meta(ge=-(10**18), le=10**18)]

ABOUT_SCENE = {
    "title": "what the scene is called",
    "settings": "any setting of the game; see `turnwright rule ID` for what each means",
    "seed": "for the same dice every time; a secret one is drawn where it is not given",
    "sides": "the sides, in the order in which they are shown",
    "rulings": "rulings that are offered again; `when` is `action: method`, and behind each | a circumstance",
    "about": "a few lines on the scene",
}
ABOUT_ACTOR = {
    "id": "short name used everywhere else, in small letters",
    "side": "one of the scene's sides",
    "seat": "who plays it; the guide, where it is not said",
}


class WallEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A wall between two Spaces."""

    between: tuple[Cell, Cell]
    opaque: bool = True


# -- what is wrong with a file


def one_of(document: Document[Any], path: Place, value: str, known: Iterable[str], noun: str = "") -> Iterator[Problem]:
    """A problem where a value is none of what is known; `noun` says what these are."""
    names = list(known)
    if value not in names:
        listed = ", ".join(names) or "none"
        right = f"one of {noun}: {listed}" if noun else f"one of {listed}"
        yield document.problem(path, right, repr(value), nearest(value, names))


def each_of(
    document: Document[Any],
    path: Place,
    values: Mapping[str, Any] | Sequence[str],
    known: Iterable[str],
    noun: str = "",
) -> Iterator[Problem]:
    """A problem for every key of a mapping, or entry of a list, that is none of what is known."""
    names = list(known)
    keyed: Iterable[tuple[str | int, str]] = (
        [(name, name) for name in values] if isinstance(values, Mapping) else enumerate(values)
    )
    for key, value in keyed:
        yield from one_of(document, (*path, key), value, names, noun)


def seat_problems(document: Document[Any]) -> Iterator[Problem]:
    """Seats have names of their own, and none of those that are always there."""
    seats = [seat.id for seat in document.value.seats]
    for index, seat in enumerate(seats):
        path = ("seats", index, "id")
        if seat in (GUIDE, SPECTATOR):
            yield document.problem(path, f"another name; {GUIDE} and {SPECTATOR} are taken", repr(seat))
        elif seat in seats[:index]:
            yield document.problem(path, "a name that no other seat has", repr(seat))


def actor_problems(document: Document[Any], key: str, noun: str, index: int) -> Iterator[Problem]:
    """The id stands once in the list of that key, and side and seat are there."""
    file = document.value
    entries, path = getattr(file, key), (key, index)
    entry = entries[index]
    if [other.id for other in entries].index(entry.id) != index:
        yield document.problem((*path, "id"), f"a name that no other {noun} has", repr(entry.id))
    if file.sides:
        yield from one_of(document, (*path, "side"), entry.side, file.sides)
    if entry.seat:
        seats = [GUIDE, *[seat.id for seat in file.seats]]
        yield from one_of(document, (*path, "seat"), entry.seat, seats, "the seats")


def order_problems(document: Document[Any], key: str) -> Iterator[Problem]:
    """Only those who are in the scene have a place in its order."""
    ids = [entry.id for entry in getattr(document.value, key)]
    yield from each_of(document, ("order",), document.value.order, ids, f"the {key}")


def map_problems(document: Document[Any], grid: Grid) -> Iterator[Problem]:
    """What is inconsistent in the map, by the keys of the file."""
    for path, text in grid_problems(grid):
        key = tuple("between" if part in ("a", "b") else part for part in path)
        yield document.problem(("map", *key), text, "")


def standing_problems(
    document: Document[Any],
    path: Place,
    cells: Sequence[Cell],
    grid: Grid,
    taken: Mapping[ActorId, Sequence[Cell]],
    words: tuple[str, str] = ("a Space", "the Space"),
) -> Iterator[Problem]:
    """Whether the Spaces that somebody fills are on the map, can be stood on, and nobody else's.

    `taken` are those of others; `words` are what the game calls them: its own, and those of somebody else.
    """
    own, others = words
    if not all(grid.contains(cell) for cell in cells):
        size = f"[0, 0] to [{grid.width - 1}, {grid.height - 1}]"
        yield document.problem(path, f"{own} of the map, {size}", str(list(cells[0])))
        return
    blocked = [cell for cell in cells if grid.terrain(cell).blocked]
    if blocked:
        yield document.problem(path, f"{own} that can be stood on", grid.terrain(blocked[0]).name)
        return
    for other, filled in taken.items():
        if any(cell in filled for cell in cells):
            yield document.problem(path, f"{own} of its own", f"{others} of {other}")


# -- what it describes


def spoken(id: str) -> str:
    """An id as words, for what has no name of its own."""
    return id.replace("_", " ")


def lines_of(rows: tuple[str, ...] | str) -> tuple[str, ...]:
    """The rows of a map, which may be given as one text."""
    return tuple([line for line in rows.splitlines() if line.strip()]) if isinstance(rows, str) else rows


def grid_of(drawn: Any) -> Grid:
    """The map of an entry with `rows`, `legend`, `walls`, `doors` and `places`; doors between named places are none."""
    walls = tuple([Wall(wall.between[0], wall.between[1], wall.opaque) for wall in drawn.walls])
    doors = [door for door in drawn.doors if all(isinstance(end, tuple) for end in door.between)]
    made = tuple([Door(door.id, door.between[0], door.between[1], door.opaque, door.open) for door in doors])
    return shared(Grid(lines_of(drawn.rows), drawn.legend, walls, made, drawn.places))


def open_doors(drawn: Any) -> tuple[str, ...]:
    """The doors of a map that stand open at the start."""
    return tuple(sorted([door.id for door in drawn.doors if door.open]))


def scene_of(
    system: str, document: Document[Any], key: str, settings: Any, grid: Grid | None, zones: Zones | None = None
) -> Scene:
    """What does not change while the scene is played; sides and order are those of the list where they are not said."""
    file = document.value
    entries = getattr(file, key)
    return Scene(
        system,
        file.title,
        settings,
        grid,
        file.seats,
        file.sides or tuple(dict.fromkeys([entry.side for entry in entries])),
        file.order or tuple([entry.id for entry in entries]),
        file.rulings,
        document.data,
        file.seed,
        zones,
    )


def title_of(entry: Any) -> str:
    """What somebody is called: by its name, or by its id."""
    return entry.name or spoken(entry.id).title()
