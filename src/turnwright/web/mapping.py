"""The map as a seat sees it, as data for a drawing: Spaces, or places with ways between them, and who is where.

It is made from what the seat knows and from what its characters have seen; nothing else is in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from turnwright.model import GUIDE, SPECTATOR, Actor, SeatId, State
from turnwright.rules import Game
from turnwright.space.grid import Cell, Door, Grid, Wall, distance
from turnwright.space.routes import Ground
from turnwright.web.grounds import effects_of, patterns_of
from turnwright.web.live import LiveTable
from turnwright.web.plans import Joint, Node, Plan, plan_of
from turnwright.web.seen import Sight, field_of, sight_of

SIDE = 40
"""Units of the drawing for a Space."""
SHAPES = ("circle", "square", "diamond", "hexagon", "triangle")
"""How the tokens of the sides are told apart besides by colour, in the order of the sides."""
NEAREST = 8
"""So many others are named with their distances in the list."""


class Area(NamedTuple):
    """All Spaces of one kind of ground that were seen, as one path."""

    name: str
    effects: str
    patterns: tuple[str, ...]
    path: str


class DoorLine(NamedTuple):
    """A door between two Spaces: its ends, and where its leaf stands when it is open."""

    id: str
    name: str
    state: str
    """open, closed or barred."""
    words: str
    line: tuple[float, float, float, float]
    leaf: tuple[float, float, float, float]


class Token(NamedTuple):
    """Somebody on the map."""

    id: str
    name: str
    initials: str
    shape: str
    tint: int
    x: float
    y: float
    radius: float
    mine: bool
    acting: bool
    seen: bool
    """Whether it stands where the seat sees now."""
    marks: tuple[str, ...]
    words: str


class Where(NamedTuple):
    """Who is where, in words."""

    id: str
    name: str
    side: str
    place: str
    apart: str


class Key(NamedTuple):
    """A line of the legend."""

    name: str
    effects: str
    patterns: tuple[str, ...]


class Side(NamedTuple):
    """A side, and how its tokens look."""

    name: str
    shape: str
    tint: int


class Map(NamedTuple):
    """A map for one seat. `kind` is grid, or plan for places with ways between them."""

    kind: str
    title: str
    width: float
    height: float
    columns: int
    rows: int
    ground: str
    dim: str
    """The Spaces that were seen before and are not seen now, as a path."""
    areas: tuple[Area, ...]
    places: tuple[tuple[str, float, float], ...]
    walls: str
    screens: str
    """Walls that one sees through, as a path."""
    doors: tuple[DoorLine, ...]
    tokens: tuple[Token, ...]
    nodes: tuple[Node, ...]
    joints: tuple[Joint, ...]
    legend: tuple[Key, ...]
    sides: tuple[Side, ...]
    listed: tuple[Where, ...]
    stated: tuple[str, ...]
    picture: str
    """The end of the picture's address; empty where there is none."""
    fog: bool
    """Whether something of the map was not seen."""


def map_of(live: LiveTable, seat: SeatId, known: State) -> Map | None:
    """The map of a scene as it is now; None where there is none. `live.lock` is held."""
    return map_seen(live, seat, known, sight_of(live.table, seat))


def map_seen(live: LiveTable, seat: SeatId, known: State, sight: Sight | None) -> Map | None:
    """The map as a seat that has seen so much of it knows it; None where there is none."""
    field = field_of(known)
    if sight is not None and field is not None:
        return _on_spaces(live, seat, known, field, sight)
    plan = plan_of(live.table.game, known)
    return None if plan is None else _on_places(live, seat, known, plan)


def placed_anew(live: LiveTable, seat: SeatId, known: State, sight: Sight, drawn: Map) -> Map:
    """A map of Spaces on which only who stands where has changed; distances are not listed."""
    field, game = field_of(known), live.table.game
    assert field is not None
    return drawn._replace(
        tokens=tuple(_tokens(game, known, seat, field, sight)),
        sides=_sides(known),
        listed=tuple(
            [Where(a.id, a.name, a.side, _space_words(game, field.grid, known, a), "") for a in known.actors.values()]
        ),
    )


def _on_spaces(live: LiveTable, seat: SeatId, known: State, field: Ground, sight: Sight) -> Map:
    grid, game = field.grid, live.table.game
    ever, now = _lit(field, sight.ever), _lit(field, sight.now)
    areas = tuple(_areas(grid, ever))
    tokens = tuple(_tokens(game, known, seat, field, sight))
    walls, screens = _walls(grid, ever)
    return Map(
        kind="grid",
        title=f"Map of {grid.width} by {grid.height} Spaces",
        width=grid.width * SIDE,
        height=grid.height * SIDE,
        columns=grid.width,
        rows=grid.height,
        ground=_path(ever),
        dim=_path([_both(a, b) for a, b in zip(ever, now, strict=True)]) if sight.ever != sight.now else "",
        areas=areas,
        places=tuple(_places(grid, ever)),
        walls=walls,
        screens=screens,
        doors=tuple(_doors(game, known, grid, ever)),
        tokens=tokens,
        nodes=(),
        joints=(),
        legend=tuple([Key(a.name, a.effects, a.patterns) for a in areas]),
        sides=_sides(known),
        listed=tuple(_listed(game, known, seat, lambda actor: _space_words(game, grid, known, actor))),
        stated=(),
        picture=live.picture_of(seat, sight.ever),
        fog=sight.ever != field.every,
    )


def _on_places(live: LiveTable, seat: SeatId, known: State, plan: Plan) -> Map:
    game = live.table.game
    return Map(
        kind="plan",
        title="Places, and the ways between them",
        width=plan.width,
        height=plan.height,
        columns=0,
        rows=0,
        ground="",
        dim="",
        areas=(),
        places=(),
        walls="",
        screens="",
        doors=(),
        tokens=tuple(_tokens_in(game, known, seat, plan)),
        nodes=plan.nodes,
        joints=plan.joints,
        legend=tuple(dict.fromkeys([Key(node.effects, "", node.patterns) for node in plan.nodes if node.effects])),
        sides=_sides(known),
        listed=tuple(_listed(game, known, seat, plan.where)),
        stated=plan.stated,
        picture="",
        fog=False,
    )


# -- Spaces as paths

RUNS = re.compile(r"1+")


def _lit(field: Ground, bits: int) -> list[str]:
    """For each row its Spaces as 1 where they are in a set, and 0 where not."""
    text = f"{bits:b}"[::-1].ljust(field.width * field.height, "0")
    return [text[y * field.width : (y + 1) * field.width] for y in range(field.height)]


def _both(ever: str, now: str) -> str:
    """Seen before, and not now."""
    return "".join(["1" if a == "1" and b == "0" else "0" for a, b in zip(ever, now, strict=True)])


def _path(rows: Sequence[str]) -> str:
    """The Spaces that are 1, as a path of whole runs."""
    parts = []
    for y, row in enumerate(rows):
        for run in RUNS.finditer(row):
            parts.append(
                f"M{run.start() * SIDE} {y * SIDE}h{(run.end() - run.start()) * SIDE}v{SIDE}H{run.start() * SIDE}z"
            )
    return "".join(parts)


def _areas(grid: Grid, ever: Sequence[str]) -> Iterator[Area]:
    """Each kind of ground that was seen and is not ordinary."""
    shown = [
        "".join([c if lit == "1" else "\0" for c, lit in zip(row, lits, strict=False)])
        for row, lits in zip(grid.rows, ever, strict=True)
    ]
    marks = sorted(dict.fromkeys("".join(shown)))
    for mark in marks:
        terrain = grid.drawn(mark)
        patterns = patterns_of(terrain) if mark != "\0" else ()
        if patterns:
            digits = {ord(other): "1" if other == mark else "0" for other in marks}
            path = _path([row.translate(digits) for row in shown])
            yield Area(terrain.name, effects_of(terrain), patterns, path)


def _places(grid: Grid, ever: Sequence[str]) -> Iterator[tuple[str, float, float]]:
    """Named places, each with a spot for its name in the largest part of it that was seen, clear of other names."""
    names = dict.fromkeys([*grid.places, *[terrain.place for terrain in grid.legend.values() if terrain.place]])
    written: list[tuple[float, float, float]] = []
    for name in names:
        cells = {cell for cell in grid.cells_of(name) if ever[cell[1]][cell[0]] == "1"}
        if cells:
            within = max(_parts(cells), key=len)
            half, (x, y) = len(name) * LETTER / 2, _clear(written, len(name) * LETTER / 2, _spots(within))
            written.append((x, y, half))
            yield name, round(x, 1), round(y, 1)


LETTER, LINE = 7, 16
"""About how wide a letter of a place's name is on the map, and how high a line."""


def _parts(cells: Collection[Cell]) -> list[list[Cell]]:
    """Spaces side by side belong together; the parts in reading order."""
    left, found = dict.fromkeys(sorted(cells, key=lambda cell: (cell[1], cell[0]))), []
    while left:
        part, at = [left.popitem()[0]], 0
        while at < len(part):
            x, y = part[at]
            for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if beside in left:
                    del left[beside]
                    part.append(beside)
            at += 1
        found.append(part)
    return found[::-1]


def _spots(part: Collection[Cell]) -> list[tuple[float, float]]:
    """Where a name may stand: in the middle if that lies within, else in the longest rows, those near it first."""
    within, rows = set(part), dict[int, list[int]]()
    for x, y in sorted(part):
        rows.setdefault(y, []).append(x)
    middle = [sum([cell[axis] for cell in part]) / len(part) + 0.5 for axis in (0, 1)]
    runs: list[tuple[int, float, float]] = []
    for y, columns in rows.items():
        for start in [x for x in columns if (x - 1, y) not in within]:
            end = start
            while (end + 1, y) in within:
                end += 1
            runs.append((start - end - 1, (start + end + 1) / 2, y + 0.5))
    runs.sort(key=lambda run: (run[0], abs(run[2] - middle[1]), run[2], run[1]))
    first = [(middle[0], middle[1])] if (int(middle[0]), int(middle[1])) in within else []
    return [(x * SIDE, y * SIDE) for x, y in (*first, *[(x, y) for _, x, y in runs])]


def _clear(
    written: Collection[tuple[float, float, float]], half: float, spots: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """The first spot where the name crosses none that is written already; else the first of all."""
    for x, y in spots:
        if all(abs(y - at_y) >= LINE or abs(x - at_x) >= half + wide for at_x, at_y, wide in written):
            return x, y
    return spots[0]


# -- edges


def _line(edge: Wall | Door) -> tuple[int, int, int, int]:
    """Where the edge of two Spaces runs."""
    first, (bx, by) = sorted((edge.a, edge.b))
    if first[1] == by:
        return bx * SIDE, by * SIDE, bx * SIDE, (by + 1) * SIDE
    return bx * SIDE, by * SIDE, (bx + 1) * SIDE, by * SIDE


def _was_seen(edge: Wall | Door, ever: Sequence[str]) -> bool:
    return any(ever[y][x] == "1" for x, y in (edge.a, edge.b))


def _walls(grid: Grid, ever: Sequence[str]) -> tuple[str, str]:
    solid, clear = list[str](), list[str]()
    for wall in grid.walls:
        if _was_seen(wall, ever):
            x, y, to_x, to_y = _line(wall)
            (solid if wall.opaque else clear).append(f"M{x} {y}L{to_x} {to_y}")
    return "".join(solid), "".join(clear)


def _doors(game: Game, known: State, grid: Grid, ever: Sequence[str]) -> Iterator[DoorLine]:
    for door in grid.doors:
        if not _was_seen(door, ever):
            continue
        name = _called(known, door.id)
        kept = game.door_words(known, door.id)
        state = "open" if door.id in known.open_doors else "barred" if kept else "closed"
        x, y, to_x, to_y = _line(door)
        turn = SIDE * 0.8
        leaf = (x, y, x + turn, y) if x == to_x else (x, y, x, y + turn)
        words = f"{name}: {kept if state == 'barred' else state}"
        yield DoorLine(door.id, name, state, words, (x, y, to_x, to_y), leaf)


def _called(known: State, door: str) -> str:
    """The name of a door, else its id in words."""
    return getattr(known.facts.get(door), "name", "") or door.replace("-", " ").replace("_", " ")


# -- tokens


def _sides(known: State) -> tuple[Side, ...]:
    present = [actor.side for actor in known.actors.values()]
    listed = [side for side in dict.fromkeys([*known.scene.sides, *present]) if side in present]
    return tuple([Side(side, *_look(known, side)) for side in listed])


def _look(known: State, side: str) -> tuple[str, int]:
    sides = list(dict.fromkeys([*known.scene.sides, side]))
    number = sides.index(side)
    return SHAPES[number % len(SHAPES)], number % len(SHAPES)


def initials(actors: Iterable[Actor]) -> Mapping[str, str]:
    """One letter or two for each, three where several would be called the same, and a number where that is no help."""
    names = {actor.id: actor.name for actor in actors}
    found = {name: _letters(called, 1) for name, called in names.items()}
    for name in _alike(found):
        found[name] = _letters(names[name], 2)
    for number, name in enumerate(_alike(found), 1):
        found[name] = f"{found[name][:1]}{number}"
    return found


def _alike(found: Mapping[str, str]) -> list[str]:
    counts = Counter(found.values())
    return [name for name, letters in found.items() if counts[letters] > 1]


def _letters(called: str, many: int) -> str:
    """`RB` for Red Bow and `D1` for Docker 1; with one more `RBo` and `Do1`."""
    words = [word for word in re.findall(r"\w+", called) if word.lower() not in ("the", "a", "an", "of", "s")] or ["?"]
    digits = next((word for word in words[1:] if word.isdigit()), "")
    if digits or len(words) == 1:
        return f"{words[0][:1].upper()}{words[0][1:many]}{digits}"[:3]
    return f"{words[0][:1].upper()}{words[1][:1].upper()}{words[1][1:many]}"


def _tokens(game: Game, known: State, seat: SeatId, field: Ground, sight: Sight) -> Iterator[Token]:
    letters = initials(known.actors.values())
    for actor in known.actors.values():
        cells = game.footprint(known, actor.id)
        if not cells:
            continue
        left, top = min(x for x, _ in cells), min(y for _, y in cells)
        across = max(x for x, _ in cells) - left + 1
        middle = (left + across / 2) * SIDE, (top + across / 2) * SIDE
        seen = seat in (GUIDE, SPECTATOR) or any(sight.now & field.bit(cell) for cell in cells)
        words = _space_words(game, field.grid, known, actor)
        yield _token(game, known, seat, actor, letters[actor.id], middle, across * SIDE / 2 - 4, words, seen)


def _tokens_in(game: Game, known: State, seat: SeatId, plan: Plan) -> Iterator[Token]:
    letters = initials(known.actors.values())
    for actor in known.actors.values():
        at = plan.spots.get(actor.id)
        if at is not None:
            yield _token(game, known, seat, actor, letters[actor.id], at, SIDE / 2 - 4, plan.where(actor), True)


def _token(
    game: Game,
    known: State,
    seat: SeatId,
    actor: Actor,
    letters: str,
    at: tuple[float, float],
    radius: float,
    words: str,
    seen: bool,
) -> Token:
    marks = tuple([mark.label for mark in game.conditions(known, actor.id)])
    said = [actor.name, actor.side, words, *marks]
    if actor.id == known.active:
        said.append("acts now")
    if not seen:
        said.append("as last known")
    shape, tint = _look(known, actor.side)
    return Token(
        id=actor.id,
        name=actor.name,
        initials=letters,
        shape=shape,
        tint=tint,
        x=at[0],
        y=at[1],
        radius=radius,
        mine=actor.seat == seat,
        acting=actor.id == known.active,
        seen=seen,
        marks=marks[:4],
        words=", ".join([part for part in said if part]),
    )


# -- in words


def _space_words(game: Game, grid: Grid, known: State, actor: Actor) -> str:
    """Where somebody stands: the Space by column and row, and the place or the ground."""
    if not isinstance(actor.at, tuple):
        return f"in {actor.at}" if actor.at else "nobody knows where"
    x, y = actor.at
    on = grid.place_of(actor.at)
    terrain = grid.terrain(actor.at)
    what = on or (terrain.name if patterns_of(terrain) else "")
    return f"column {x}, row {y}{f', {what}' if what else ''}"


def _listed(game: Game, known: State, seat: SeatId, where: Callable[[Actor], str]) -> Iterator[Where]:
    mine = [actor for actor in known.actors.values() if actor.seat == seat and seat != GUIDE]
    for actor in known.actors.values():
        others = mine or [a for a in known.actors.values() if a.side != actor.side]
        apart = [f"{metres} m from {other.name}" for metres, other in _apart(game, known, actor, others)]
        yield Where(actor.id, actor.name, actor.side, where(actor), ", ".join(apart))


def _apart(game: Game, known: State, actor: Actor, others: Collection[Actor]) -> list[tuple[str, Actor]]:
    """The nearest of some others with their distances in metres, between the nearest Spaces of each."""
    own, each, found = game.footprint(known, actor.id), game.space_metres(known), []
    for other in others:
        theirs = game.footprint(known, other.id) if other.id != actor.id else ()
        if own and theirs:
            found.append((min(distance(a, b) for a in own for b in theirs), other))
    found.sort(key=lambda pair: pair[0])
    return [(metres_in_words(steps * Fraction(each)), other) for steps, other in found[:NEAREST]]


def metres_in_words(metres: Fraction) -> str:
    """A distance or price as it is said: exactly."""
    if metres.denominator == 1:
        return str(metres.numerator)
    whole, part = divmod(metres, 1)
    exact = f"{float(metres):g}"
    return exact if Fraction(exact) == metres else f"{int(whole)} {part}" if whole else str(part)


def cell_words(cell: Cell) -> str:
    """A Space as forms take it."""
    return f"{cell[0]},{cell[1]}"
