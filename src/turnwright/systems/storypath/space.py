"""Where somebody is: places in bands of each other, or metres; how far two are apart, and what is one step on."""

from __future__ import annotations

from math import isqrt

from turnwright.model import At, Cell, State
from turnwright.space.zones import cheapest_way, is_open
from turnwright.systems.storypath.events import On
from turnwright.systems.storypath.settings import BANDS
from turnwright.systems.storypath.sheet import Character, settings, standing


def in_metres(state: State) -> bool:
    return state.mode == "metres"


def metres(a: Cell, b: Cell) -> int:
    """Metres between two points, rounded up, so that whoever goes there goes no farther than that."""
    square = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
    whole = isqrt(square)
    return whole if whole * whole == square else whole + 1


def steps(state: State, a: str, b: str) -> int | None:
    """How many bands it is from one place to another; None where nothing leads there."""
    zones = state.scene.zones
    if a == b:
        return 0
    if zones is None:
        return None
    if any(way.other(a) == b and is_open(way, state.open_doors) for way in zones.ways_from(a)):
        return 1
    route = cheapest_way(zones, a, b, lambda here, way, there: 1 if is_open(way, state.open_doors) else None)
    return None if route is None else len(route)


def band(state: State, one: Character, other: Character) -> int | None:
    """The range band between two: 0 close, 1 short, 2 medium, 3 long, 4 extreme; None where it is not known."""
    return apart(state, one.at, other.at)


def apart(state: State, one: At, other: At) -> int | None:
    """The range band between two places or points."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        far = metres(one, other)
        return next((n for n, most in enumerate(settings(state).band_metres) if far <= most), len(BANDS) - 1)
    if isinstance(one, str) and isinstance(other, str):
        count = steps(state, one, other)
        return None if count is None else min(count, len(BANDS) - 1)
    return None


def foes(state: State, who: Character) -> list[Character]:
    return [other for other in standing(state) if other.side != who.side]


def engaged_with(state: State, who: Character) -> list[Character]:
    """The foes who are close."""
    return [foe for foe in foes(state, who) if band(state, who, foe) == 0]


def near_places(state: State, at: str) -> list[str]:
    """The places that are one band on."""
    zones = state.scene.zones
    if zones is None:
        return []
    return [way.other(at) for way in zones.ways_from(at) if is_open(way, state.open_doors)]


def places(state: State) -> list[str]:
    zones = state.scene.zones
    return [zone.id for zone in zones.zones] if zones is not None else []


def away_from(state: State, who: Character, foe: Character) -> list[str]:
    """The places one band on that are farther from somebody."""
    if not isinstance(who.at, str) or not isinstance(foe.at, str):
        return []
    here = steps(state, who.at, foe.at)
    return [p for p in near_places(state, who.at) if here is not None and (steps(state, p, foe.at) or 0) > here]


def toward(state: State, who: Character, foe: Character) -> list[str]:
    """The places one band on that are nearer to somebody."""
    if not isinstance(who.at, str) or not isinstance(foe.at, str):
        return []
    here = steps(state, who.at, foe.at)
    near = [(p, steps(state, p, foe.at)) for p in near_places(state, who.at)]
    return [p for p, count in near if here is not None and count is not None and count < here]


def is_on(state: State, who: Character, other: Character) -> bool:
    return state.relation(On, who.id, other.id) is not None
