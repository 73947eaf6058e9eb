"""Zones and the ways between them: which steps there are, how wide they are, and whole units of a distance."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from fractions import Fraction

import msgspec

from turnwright.space.grid import Cell, Terrain

Problem = tuple[tuple[str | int, ...], str]
"""The path of a key under `zones` or `ways`, and what is wrong there."""

PLAIN = Terrain("a plain way")


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the scene: its ground, how many metres it is across (None for the usual), and its Spaces on a map."""

    id: str
    terrain: Terrain
    metres: int | None = None
    cells: tuple[Cell, ...] = ()

    @property
    def name(self) -> str:
        return self.terrain.name


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A connection of two Zones, open in both directions unless its door is closed; `clear` where one sees through."""

    a: str
    b: str
    terrain: Terrain = PLAIN
    door: str = ""
    clear: bool = True
    opaque: bool = True
    """Whether its door, while closed, shuts out sight."""

    def other(self, end: str) -> str:
        return self.b if end == self.a else self.a


class Zones(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All Zones of a scene and their connections."""

    zones: tuple[Zone, ...] = ()
    ways: tuple[Way, ...] = ()

    def zone(self, id: str) -> Zone | None:
        return next((zone for zone in self.zones if zone.id == id), None)

    def named(self, text: str) -> str:
        """The id of the Zone that is meant by an id or a name; empty where there is none."""
        said = text.strip().lower()
        return next((zone.id for zone in self.zones if said in (zone.id.lower(), zone.name.lower())), "")

    def zone_of(self, cell: Cell) -> str:
        """The id of the Zone that a Space of the map belongs to; empty where it belongs to none."""
        return next((zone.id for zone in self.zones if cell in zone.cells), "")

    def ways_from(self, id: str) -> Iterator[Way]:
        """The connections of a Zone, in the order in which they are written."""
        return (way for way in self.ways if id in (way.a, way.b))

    def way(self, a: str, b: str, open_doors: tuple[str, ...] | None = None) -> Way | None:
        """The connection between two Zones: one that is open now before one whose door is closed."""
        found = [way for way in self.ways_from(a) if way.other(a) == b and a != b]
        if open_doors is not None:
            found.sort(key=lambda way: not is_open(way, open_doors))
        return next(iter(found), None)


def is_open(way: Way, open_doors: tuple[str, ...]) -> bool:
    """Whether nothing shuts the way now."""
    return not way.terrain.blocked and (not way.door or way.door in open_doors)


def sees_through(zones: Zones, open_doors: tuple[str, ...], a: str, b: str) -> bool:
    """Whether one sees from one Zone into the next; never farther, and never into one that is opaque."""
    target = zones.zone(b)
    if target is None or target.terrain.opaque:
        return a == b
    if a == b:
        return True
    return any(way.other(a) == b and _clear(way, open_doors) for way in zones.ways_from(a))


def _clear(way: Way, open_doors: tuple[str, ...]) -> bool:
    return way.clear and not way.terrain.opaque and (not way.door or way.door in open_doors or not way.opaque)


Cost = Callable[[str, Way, str], Fraction | int | None]
"""What it costs to go from a Zone by a way into another; None where one may not."""


def cheapest_way(zones: Zones, start: str, goal: str, cost: Cost) -> tuple[str, ...] | None:
    """The cheapest chain of Zones to a goal, without the one it starts in; None where none leads there."""
    best: dict[str, Fraction | int] = {start: 0}
    waiting: list[tuple[Fraction | int, int, str, tuple[str, ...]]] = [(0, 0, start, ())]
    count = 0
    while waiting:
        spent, _, here, route = heapq.heappop(waiting)
        if here == goal:
            return route
        if spent > best[here]:
            continue
        for way in zones.ways_from(here):
            there = way.other(here)
            price = cost(here, way, there)
            if price is not None and (there not in best or spent + price < best[there]):
                best[there], count = spent + price, count + 1
                heapq.heappush(waiting, (spent + price, count, there, (*route, there)))
    return None


def across(zones: Zones, id: str, usual: int) -> int:
    """How many metres a Zone is across."""
    zone = zones.zone(id)
    return usual if zone is None or zone.metres is None else zone.metres


def apart(zones: Zones, a: str, b: str, usual: int) -> int | None:
    """Metres from one Zone to another by the shortest chain of ways, open or not; 0 within one, None without a chain.

    The Zones that are entered count.
    """
    route = cheapest_way(zones, a, b, lambda here, way, there: across(zones, there, usual))
    return None if route is None else sum(across(zones, id, usual) for id in route)


def whole_units(metres: Fraction | int, unit: int) -> int:
    """Metres as whole units of so many metres each: converted once, at the end, and rounded down."""
    return metres.numerator // (metres.denominator * unit)


def lonely(zones: Zones) -> list[str]:
    """The Zones that no way joins to any other; that can be meant, and is worth saying."""
    return [zone.id for zone in zones.zones if not any(True for _ in zones.ways_from(zone.id))]


# -- what is wrong with them


def zone_problems(zones: Zones, doors: tuple[str, ...] = ()) -> Iterator[Problem]:
    """Every inconsistency of Zones and ways, with the path of its key and a sentence."""
    ids = [zone.id for zone in zones.zones]
    owner: dict[Cell, str] = {}
    for zone in zones.zones:
        if zone.metres is not None and zone.metres < 1:
            yield ("zones", zone.id, "metres"), f"A Zone is at least 1 m across, not {zone.metres}."
        for cell in zone.cells:
            if cell in owner:
                yield ("zones", zone.id, "spaces"), f"{cell} belongs to {owner[cell]} already."
            owner.setdefault(cell, zone.id)
    joined: dict[frozenset[str], list[str]] = {}
    for index, way in enumerate(zones.ways):
        for end in (way.a, way.b):
            if end not in ids:
                yield ("ways", index, "between"), f"{end!r} is no Zone; there are: {', '.join(ids) or 'none'}."
        if way.a == way.b:
            yield ("ways", index, "between"), f"A way leads from one Zone to another, not from {way.a!r} to itself."
        if way.door and way.door not in doors:
            yield ("ways", index, "door"), f"{way.door!r} is no door; there are: {', '.join(doors) or 'none'}."
        pair = frozenset((way.a, way.b))
        if pair in joined and ("" in (way.door, *joined[pair]) or way.door in joined[pair]):
            yield (
                ("ways", index, "between"),
                f"{way.a} and {way.b} are connected already; only ways with a door each may join the same two.",
            )
        joined.setdefault(pair, []).append(way.door)
