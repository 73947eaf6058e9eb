"""What each believes of the doors: one that was moved out of sight is believed to be as it was, until it is seen."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model import GUIDE, At, Fact, Passage, State
from turnwright.systems.narateer import offmap
from turnwright.systems.narateer.events import DoorBelief, DoorMissed, DoorSeen, DoorWay, belief_name
from turnwright.systems.narateer.senses import ground_of, sight_reaches_space
from turnwright.systems.narateer.sheet import Character

RULE = "narateer.hidden.observer-may-still-know"


def ends_of(state: State, door: str) -> list[At]:
    """The Spaces, Zones or places that a door joins."""
    field = ground_of(state)
    if field is not None:
        return [cell for each in field.grid.doors if each.id == door for cell in (each.a, each.b)]
    zones = offmap.zones_of(state)
    found: list[At] = [end for way in zones.ways if way.door == door for end in (way.a, way.b)] if zones else []
    return found + [end for fact in state.facts_of(Passage) if fact.door == door for end in fact.between]


def sees_door(state: State, observer: Character, door: str) -> bool:
    """Whether the observer stands at the door or has a line of sight to one of its sides."""
    if observer.down:
        return False
    here = observer.at if ground_of(state) is not None else offmap.place_of(state, observer.at)
    return any(here == end or sight_reaches_space(state, observer, end) for end in ends_of(state, door))


def believed_doors(state: State, mine: list[Character]) -> tuple[tuple[str, ...], dict[str, Fact]]:
    """Which doors a seat believes to be open, and the doors that it believes to open as they did.

    One of its characters that knows better is enough.
    """
    held: dict[str, dict[str, DoorBelief]] = {}
    for fact in state.facts.values():
        if type(fact) is DoorBelief:
            held.setdefault(fact.door, {})[fact.actor] = fact
    wrong: dict[str, DoorBelief] = {}
    for door, beliefs in held.items():
        ours = [beliefs[actor.id] for actor in mine if actor.id in beliefs]
        if ours and len(ours) == len(mine):
            wrong[door] = ours[-1]
    opened = tuple(
        sorted([d for d in state.open_doors if d not in wrong] + [d for d, belief in wrong.items() if belief.open])
    )
    return opened, {belief.door: belief.was for belief in wrong.values() if belief.was is not None}


def missed(before: State, state: State) -> Iterator[DoorMissed]:
    """For each door that was changed, who did not see it and believes it to be as it was."""
    if before.open_doors == state.open_doors and before.facts is state.facts:
        return
    for door in _changed(before, state):
        fact, opened = before.facts.get(door), door in before.open_doors
        was = fact if isinstance(fact, DoorWay) else None
        for actor in state.actors.values():
            if actor.seat == GUIDE or belief_name(actor.id, door) in state.facts:
                continue
            if not (sees_door(state, actor, door) or (actor.id in before.actors and sees_door(before, actor, door))):
                yield DoorMissed(RULE, DoorBelief(belief_name(actor.id, door), actor.id, door, opened, was))


def _changed(before: State, state: State) -> list[str]:
    moved = [d for d in (*before.open_doors, *state.open_doors) if (d in before.open_doors) != (d in state.open_doors)]
    other = [name for name, fact in state.facts.items() if type(fact) is DoorWay and before.facts.get(name) != fact]
    return list(dict.fromkeys(moved + other))


def seen(state: State) -> Iterator[DoorSeen]:
    """Whoever sees a door knows how it is."""
    for fact in state.facts.values():
        if type(fact) is DoorBelief and fact.actor in state.actors:
            actor = state.actors[fact.actor]
            if sees_door(state, actor, fact.door):
                yield DoorSeen(RULE, fact.actor, fact.door, fact.door in state.open_doors)
