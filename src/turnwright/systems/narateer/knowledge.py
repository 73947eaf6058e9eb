"""What a seat knows of a Narateer scene, as a state with the unknown left out."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import GUIDE, ActorId, Fact, Relation, SeatId, State
from turnwright.systems.narateer.events import (
    Established,
    Exposed,
    GuideSays,
    Helping,
    Hidden,
    Known,
    Looking,
    Obstacle,
    Record,
    Searched,
    Secret,
    Situation,
    Waiting,
)
from turnwright.systems.narateer.senses import locates
from turnwright.systems.narateer.sheet import Character, public


def own(state: State, seat: SeatId) -> list[Character]:
    return [actor for actor in state.actors.values() if actor.seat == seat]


def known(state: State, seat: SeatId) -> State:
    """The guide knows everything; others their own side, and of the rest what their characters perceive or remember."""
    if seat == GUIDE:
        return state
    mine = own(state, seat)
    sides = [actor.side for actor in mine]
    actors: dict[ActorId, Character] = {}
    for actor in state.actors.values():
        if actor.side in sides:
            actors[actor.id] = actor
            continue
        seen = _as_seen(state, mine, actor)
        if seen is not None:
            actors[actor.id] = seen
    relations = {
        owner: kept
        for owner, held in state.relations.items()
        if owner in actors and (kept := _known_relations(state, mine, sides, owner, held, actors))
    }
    facts = {name: fact for name, fact in state.facts.items() if _fact_known(fact, mine)}
    scene = replace(state.scene, source=None, rulings=())
    active = state.active if state.active in actors else None
    return replace(state, scene=scene, actors=actors, relations=relations, facts=facts, active=active)


def _as_seen(state: State, mine: list[Character], actor: Character) -> Character | None:
    """Another side's character: where it is if one of mine can place it, else where it was last known to be."""
    if any(locates(state, observer, actor) for observer in mine):
        return public(actor)
    for observer in mine:
        remembered = state.relation(Known, actor.id, observer.id)
        if remembered is not None:
            return replace(public(actor), at=remembered.at, wounds=0, conditions=())
    return None


def _known_relations(
    state: State,
    mine: list[Character],
    sides: list[str],
    owner: ActorId,
    held: tuple[Relation, ...],
    actors: dict[ActorId, Character],
) -> tuple[Relation, ...]:
    ids = [actor.id for actor in mine]
    ours = state.actors[owner].side in sides
    return tuple(r for r in held if _relation_known(r, ours, ids, actors))


def _relation_known(r: Relation, ours: bool, ids: list[ActorId], actors: dict[ActorId, Character]) -> bool:
    if isinstance(r, Known):
        return r.other in ids
    if isinstance(r, GuideSays):
        return r.other in ids or (ours and r.other in actors)
    if isinstance(r, (Hidden, Exposed)):
        return ours and r.other in actors
    if isinstance(r, (Record, Waiting, Looking, Helping)):
        return ours
    return True


def _fact_known(fact: Fact, mine: list[Character]) -> bool:
    if isinstance(fact, Secret):
        return any(actor.id in fact.found_by for actor in mine)
    if isinstance(fact, Searched):
        return any(actor.id == fact.actor for actor in mine)
    if isinstance(fact, Obstacle):
        return True
    return isinstance(fact, (Established, Situation)) or True


def located_by(state: State, seat: SeatId, actor: ActorId) -> bool:
    """Whether somebody of the seat can place the actor now."""
    target = state.actors.get(actor)
    if target is None:
        return False
    return any(locates(state, observer, target) for observer in own(state, seat))


def sees_event(before: State, after: State, event: Event, seat: SeatId) -> Event | None:
    """The event as a seat learns of it: what happens to somebody unseen is not learned."""
    if seat == GUIDE:
        return event
    private = event.private_to()
    if private is not None:
        owners = [after.actors[a].seat for a in private if a in after.actors]
        return event if seat in owners else None
    for actor in event.concerns():
        if not (located_by(before, seat, actor) or located_by(after, seat, actor)):
            return None
    return _without_secrets(after, event, seat)


def _without_secrets(state: State, event: Event, seat: SeatId) -> Event:
    from turnwright.systems.narateer.events import Checked

    if isinstance(event, Checked):
        roller = state.actors.get(event.actor)
        if roller is None or roller.side not in [a.side for a in own(state, seat)]:
            return replace(event, total=None, passed=None, dice=0)
    return event
