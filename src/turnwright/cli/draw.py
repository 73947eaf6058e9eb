"""The map in plain characters: Spaces with a letter for each actor, or Zones, ways and stated relations in lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.cli.screen import Segment
from turnwright.model import Actor, Barrier, Cell, Landmark, Passage, Stands, State
from turnwright.space import Grid, Terrain, Zones
from turnwright.space.grid import Door, Wall
from turnwright.space.story import sentence
from turnwright.space.zones import is_open

SIDES = ("bold cyan", "bold red", "bold yellow", "bold magenta", "bold green")
"""How the letters of each side are coloured, in the order of the sides."""
SPARE = "~^%&*:;\"'=!?@$_<>"
"""What stands for a character of the map that is not plain ASCII."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TALLEST = 44
"""How many rows of a large map are drawn at once."""


def letters(state: State) -> dict[str, str]:
    """A letter for each actor that is on the map: its initial where that is free, and never a character of the map."""
    taken = set("".join(state.scene.grid.rows)) if state.scene.grid is not None else set()
    found: dict[str, str] = {}
    for actor in state.actors.values():
        own = actor.id.upper() + actor.id.lower()
        spare = LETTERS + LETTERS.lower() + "0123456789"
        letter = next((c for c in own + spare if c.isascii() and c.isalnum() and c not in taken), "?")
        found[actor.id] = letter
        taken.add(letter)
    return found


def side_style(state: State, side: str) -> str:
    sides = state.scene.sides
    return SIDES[sides.index(side) % len(SIDES)] if side in sides else "bold"


class Chart:
    """One map, as wide as there is room, around a Space if it does not fit."""

    def __init__(self, state: State, width: int = 80, around: Cell | None = None) -> None:
        assert state.scene.grid is not None
        self.state = state
        self.grid: Grid = state.scene.grid
        self.letters = letters(state)
        self.glyphs = _glyphs(self.grid)
        self.at: dict[Cell, Actor] = {a.at: a for a in state.actors.values() if isinstance(a.at, tuple)}
        edges: tuple[Wall | Door, ...] = (*self.grid.walls, *self.grid.doors)
        self.between = {frozenset((e.a, e.b)): e for e in edges}
        self.margin = len(str(self.grid.height - 1)) + 1
        self.spaced = 2 * self.grid.width + self.margin <= width
        self.columns = self._columns(width, around)
        self.rows = _part(self.grid.height, TALLEST, around[1] if around else 0)

    def _columns(self, width: int, around: Cell | None) -> range:
        """The columns that are drawn; a gap stands between two only where something is in it, if room is scarce."""
        every = range(self.grid.width)
        if self.spaced:
            return every
        room = width - self.margin
        gaps = sum(self._gap(x) for x in every)
        if self.grid.width + gaps <= room:
            return every
        return _part(self.grid.width, room - min(gaps, room // 4), around[0] if around else 0)

    def _gap(self, x: int) -> bool:
        """Whether there is a column between x and the next, for the walls and doors that stand there."""
        return self.spaced or any({cell[0] for cell in edge} == {x, x + 1} for edge in self.between)

    def lines(self) -> Iterator[list[Segment]]:
        yield from self._heads()
        for y in self.rows:
            yield self._row(y)
            if any({cell[1] for cell in edge} == {y, y + 1} for edge in self.between):
                yield self._edge_row(y)

    def _heads(self) -> Iterator[list[Segment]]:
        """The column numbers, one digit above the other."""
        digits = len(str(self.grid.width - 1))
        for power in range(digits - 1, -1, -1):
            line = " " * self.margin
            for x in self.columns:
                shown = power == 0 or (x >= 10**power and x % 10 == 0)
                line += str(x // 10**power % 10) if shown else " "
                line += " " if self._gap(x) else ""
            yield [(line.rstrip(), "dim")]

    def _row(self, y: int) -> list[Segment]:
        line: list[Segment] = [(f"{y:>{self.margin - 1}} ", "dim")]
        for x in self.columns:
            line.append(self._space((x, y)))
            if self._gap(x):
                line.append((self._mark((x, y), (x + 1, y), "|"), ""))
        return line[:-1] if line[-1][0] == " " else line

    def _space(self, cell: Cell) -> Segment:
        actor = self.at.get(cell)
        if actor is not None:
            return self.letters[actor.id], side_style(self.state, actor.side)
        return (self.glyphs[self.grid.rows[cell[1]][cell[0]]], "") if self.grid.contains(cell) else (" ", "")

    def _edge_row(self, y: int) -> list[Segment]:
        line = " " * self.margin
        for x in self.columns:
            line += self._mark((x, y), (x, y + 1), "-") + (" " if self._gap(x) else "")
        return [(line.rstrip(), "")]

    def _mark(self, a: Cell, b: Cell, wall: str) -> str:
        edge = self.between.get(frozenset((a, b)))
        if edge is None:
            return " "
        return wall if isinstance(edge, Wall) else "'" if self._open(edge) else "+"

    def _open(self, door: Door) -> bool:
        return door.id in self.state.open_doors

    def legend(self) -> Iterator[str]:
        """What the characters of the map stand for."""
        drawn = "".join(self.grid.rows)
        for mark in dict.fromkeys(drawn):
            yield f"{self.glyphs[mark]} {self.grid.drawn(mark).name}"
        if self.grid.walls:
            yield "| - wall"
        if self.grid.doors:
            yield "+ closed door"
            yield "' open door"

    def cut(self) -> str:
        """What part of a large map is drawn, if it is not all of it."""
        if len(self.columns) == self.grid.width and len(self.rows) == self.grid.height:
            return ""
        x, y = self.columns, self.rows
        size = f"{self.grid.width} x {self.grid.height}"
        return f"columns {x[0]} to {x[-1]} and rows {y[0]} to {y[-1]} of {size}"


def _part(whole: int, most: int, around: int) -> range:
    """As many of a row of numbers as there is room for, with one of them in the middle."""
    if whole <= most:
        return range(whole)
    first = max(0, min(around - most // 2, whole - most))
    return range(first, first + most)


def _glyphs(grid: Grid) -> dict[str, str]:
    """What is drawn for each character of the map: itself, or a spare one where it is not plain ASCII."""
    marks = dict.fromkeys("".join(grid.rows))
    spare = iter([c for c in SPARE if c not in marks] + ["?"] * len(marks))
    return {mark: mark if mark.isascii() and mark.isprintable() and mark != " " else next(spare) for mark in marks}


def joined(parts: Iterable[str], width: int) -> Iterator[str]:
    """Parts side by side, in lines of at most the width."""
    line = ""
    for part in parts:
        if line and len(line) + 3 + len(part) > width:
            yield line
            line = ""
        line = f"{line}   {part}" if line else part
    if line:
        yield line


# -- without a map


def place_lines(state: State) -> list[str]:
    """The Zones with their ways and who is there, or the places with what was stated; nothing where there are none."""
    zones = state.scene.zones
    lines = [zone_line(state, zones, zone.id) for zone in zones.zones] if zones is not None else []
    known = {zone.id for zone in zones.zones} if zones is not None else set()
    places = dict.fromkeys(a.at for a in state.actors.values() if isinstance(a.at, str) and a.at not in known)
    if lines or stated_lines(state):
        lines += [f"{place}: {_inside(state, place) or 'nobody'}" for place in places]
    lines += stated_lines(state)
    unknown = [f"{a.name}: nobody knows where" for a in state.actors.values() if a.at is None]
    return lines + unknown if lines else []


def zone_line(state: State, zones: Zones, id: str) -> str:
    """`yard (the yard): Kael, Guard  [mud; conceals sight]  -> lane, hall (gate closed)`."""
    zone = zones.zone(id)
    assert zone is not None
    named = f"{id} ({zone.name})" if zone.name.replace(" ", "_") != id else id
    ways = []
    for way in zones.ways_from(id):
        shut = "" if is_open(way, state.open_doors) else f" ({way.door} closed)" if way.door else " (blocked)"
        ground = _ground_words(way.terrain)
        ways.append(way.other(id) + shut + (f" ({ground})" if ground else ""))
    ground = _ground_words(zone.terrain)
    marks = f" [{ground}]" if ground else ""
    return f"{named}{marks}: {_inside(state, id) or 'nobody'} -> {', '.join(ways) or 'nowhere'}"


def _ground_words(terrain: Terrain) -> str:
    parts = [f"difficult: {', '.join(terrain.difficult)}"] if terrain.difficult else []
    parts += [f"conceals {', '.join(terrain.conceals)}"] if terrain.conceals else []
    parts += [f"metres count {terrain.factor} times"] if terrain.factor > 1 else []
    return "; ".join([*parts, *terrain.tags])


def _inside(state: State, place: str) -> str:
    return ", ".join(actor.name for actor in state.actors.values() if actor.at == place)


def stated_lines(state: State) -> list[str]:
    """What was stated of things, barriers and ways, and how everybody stands to what."""
    lines = [f"{fact.name} is in {fact.place}" for fact in state.facts_of(Landmark) if fact.place]
    lines += [f"{fact.name} parts {fact.between[0]} and {fact.between[1]}" for fact in state.facts_of(Barrier)]
    for fact in state.facts_of(Passage):
        shut = f" ({fact.door} closed)" if fact.door and fact.door not in state.open_doors else ""
        lines.append(f"{fact.name}: from {fact.between[0]} to {fact.between[1]}{shut}")
    told: list[tuple[str, str]] = []
    for tie in state.every(Stands):
        if (tie.other, tie.owner) not in told and tie.owner in state.actors:
            told.append((tie.owner, tie.other))
            lines.append(sentence(state.actors[tie.owner].name, tie.how, _called(state, tie.other)))
    return lines


def _called(state: State, name: str) -> str:
    fact = state.facts.get(name)
    if name in state.actors:
        return str(state.actors[name].name)
    return fact.name if isinstance(fact, Landmark) else name
