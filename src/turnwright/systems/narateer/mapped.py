"""What a map shows of a scene: the Spaces that somebody sees, how large they are, what keeps a door shut."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model import ActorId, Cell, State
from turnwright.space.sight import seen_from
from turnwright.systems.narateer.events import DoorWay
from turnwright.systems.narateer.senses import ground_of, metres_between
from turnwright.systems.narateer.sheet import character, settings

BARS = {"minor": "shut fast", "check": "barred"}
"""How a door is called that takes more than a hand on it."""


def sees_of(state: State, actor_id: ActorId, among: Iterable[Cell]) -> list[Cell]:
    """The Spaces to which a clear line leads within the range of a sense other than hearing.

    A Space that conceals whoever stands there is seen as such itself.
    """
    actor, field = character(state, actor_id), ground_of(state)
    ranges = [reach for sense, reach in actor.senses.items() if sense != "hearing"]
    if field is None or not isinstance(actor.at, tuple) or actor.down or not ranges:
        return []
    here, most = actor.at, 0 if 0 in ranges else max(ranges)
    near = [cell for cell in among if metres_between(state, here, cell) <= most] if most else among
    return seen_from(field, here, near)


def space_metres(state: State) -> int:
    return settings(state).space_metres or 2


def door_words(known: State, door: str) -> str:
    way = known.facts.get(door)
    return BARS.get(way.opens, "") if isinstance(way, DoorWay) and not way.broken else ""
