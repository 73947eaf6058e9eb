"""What a map shows of a scene: the tiles that somebody sees, and what keeps a door shut."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model import ActorId, Cell, State
from turnwright.space.sight import seen_from
from turnwright.systems.altered_realms.events import Mechanism
from turnwright.systems.altered_realms.sheet import conditions_of, creature
from turnwright.systems.altered_realms.space import ground_of, tiles


def sees_of(state: State, actor: ActorId, among: Iterable[Cell]) -> list[Cell]:
    """The tiles to which a clear line leads from some tile of a creature that can see at all."""
    who, field = creature(state, actor), ground_of(state)
    if field is None or who.down or not all(condition.sees for _, condition in conditions_of(state, who)):
        return []
    left, found = list(among), list[Cell]()
    for here in tiles(state, who):
        seen = dict.fromkeys(seen_from(field, here, left))
        found += seen
        left = [cell for cell in left if cell not in seen]
    return found


def door_words(known: State, door: str) -> str:
    locks = [fact for fact in known.facts_of(Mechanism) if fact.door == door and fact.kind == "lock"]
    return "locked" if any(not lock.open for lock in locks) else ""
