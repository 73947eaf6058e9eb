"""Distance & Range: finished metres as Spaces, Zones or relations; nowhere else is anything converted or rounded."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from turnwright.model import State
from turnwright.space.zones import whole_units
from turnwright.systems.narateer.sheet import settings

TACTICAL, CINEMATIC, STORY = "tactical", "cinematic", "story"
SCENE_MODES = (TACTICAL, CINEMATIC, STORY)
UNITS = {TACTICAL: "Space", CINEMATIC: "Zone"}
SPACE_METRES, ZONE_METRES = 2, 10
"""What stands in for an emptied setting where something must be drawn or compared; no movement is converted by it."""


def to_spaces(state: State, metres: Fraction) -> int:
    """Rules: narateer.tactical.two-metre-spaces, narateer.tactical.example-25m (rounded down, once)."""
    return whole_units(metres, settings(state).space_metres or SPACE_METRES)


def to_zones(state: State, metres: Fraction) -> int:
    """Rules: narateer.cinematic.zone-conversion (rounded down; the least of one Zone depends on the way)."""
    return whole_units(metres, settings(state).zone_metres or ZONE_METRES)


CONVERTERS: dict[str, Callable[[State, Fraction], int]] = {TACTICAL: to_spaces, CINEMATIC: to_zones}
"""The conversion of each Scene Mode that counts; another one takes its place here."""


def units(state: State, metres: Fraction, mode: str) -> int:
    """Finished metres in whole units of a Scene Mode, as its converter gives them and not rounded again.

    Rules: narateer.scene.conversion-owned-elsewhere, narateer.scene.metres-first.
    """
    return CONVERTERS[mode](state, metres)


def missing(state: State) -> str:
    """The unit of this Scene Mode whose size the scene has emptied; nothing where none is needed or it is there.

    Rules: narateer.scene.conversion-owned-elsewhere.
    """
    rules = settings(state)
    sizes = {TACTICAL: rules.space_metres, CINEMATIC: rules.zone_metres}
    return f"{UNITS[state.mode]}s" if state.mode in sizes and sizes[state.mode] is None else ""


def expressed(state: State, metres: Fraction) -> str:
    """Finished metres as this Scene Mode shows them: `26 m (2 Zones)`; relations count nothing.

    Rules: narateer.scene.metres-first.
    """
    written = f"{float(metres):g} m"
    if state.mode not in CONVERTERS or missing(state):
        return written
    count = units(state, metres, state.mode)
    return f"{written} ({count} {UNITS[state.mode]}{'' if count == 1 else 's'})"
