"""What several seats all know: a state, or an event, with whatever differs between them left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import GUIDE, SPECTATOR, Actor, ActorId, Fact, Relation, SeatId, State

T = TypeVar("T", bound=msgspec.Struct)


def players(state: State) -> tuple[SeatId, ...]:
    """The seats that play somebody in the scene, without the guide's."""
    seats = dict.fromkeys(actor.seat for actor in state.actors.values())
    return tuple([seat for seat in seats if seat not in (GUIDE, SPECTATOR)])


def known_to_all(states: Sequence[State], stranger: str = "somebody") -> State:
    """What is the same in every one of these: one player's secret is on no screen that another looks at.

    Somebody whom not all know by the same name is called `stranger`. Needs one state at least.
    """
    return reduce(lambda one, two: _both(one, two, stranger), states)


def only(
    state: State,
    actors: Mapping[ActorId, Actor],
    relations: Mapping[ActorId, tuple[Relation, ...]],
    facts: Mapping[str, Fact],
    round: int,
) -> State:
    """The state with nobody and nothing in it but these, for a seat that knows no more.

    The scene file, its seed and the rulings are the guide's. Who acted last is left out: that it was somebody unseen
    would be told by its being left out.
    """
    order = tuple([name for name in state.scene.order if name in actors])
    return replace(
        state,
        scene=replace(state.scene, source=None, seed=None, rulings=(), order=order),
        actors=dict(actors),
        relations=dict(relations),
        facts=dict(facts),
        round=round,
        active=state.active if state.active in actors else None,
        last=None,
        rulings=(),
    )


def told_to_all(events: Iterable[Event | None]) -> Event | None:
    """An event as far as everybody learned of it in the same form; None where somebody did not."""
    return reduce(lambda one, two: None if one is None or two is None else common(one, two), events)


def common(one: T, two: T) -> T | None:
    """What two values agree in, with the default for the rest; None where something has no default."""
    if one == two:
        return one
    if type(one) is not type(two):
        return None
    changes: dict[str, Any] = {}
    for field in msgspec.structs.fields(type(one)):
        if getattr(one, field.name) == getattr(two, field.name):
            continue
        if field.default is not msgspec.NODEFAULT:
            changes[field.name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            changes[field.name] = field.default_factory()
        else:
            return None
    return replace(one, **changes)


def _both(one: State, two: State, stranger: str) -> State:
    actors = {
        name: _actor(actor, two.actors[name], stranger) for name, actor in one.actors.items() if name in two.actors
    }
    relations = {}
    for owner, held in one.relations.items():
        kept = tuple([r for r in held if r in two.relations.get(owner, ())])
        if kept and owner in actors:
            relations[owner] = kept
    return replace(
        one,
        scene=replace(one.scene, order=tuple([name for name in one.scene.order if name in actors])),
        actors=actors,
        relations=relations,
        facts={name: fact for name, fact in one.facts.items() if two.facts.get(name) == fact},
        open_doors=tuple([door for door in one.open_doors if door in two.open_doors]),
        round=min(one.round, two.round),
        active=_same(one.active, two.active),
        last=_same(one.last, two.last),
        rulings=(),
    )


def _same(one: ActorId | None, two: ActorId | None) -> ActorId | None:
    return one if one == two else None


def _actor(one: Actor, two: Actor, stranger: str) -> Actor:
    if one.name != two.name:
        one, two = replace(one, name=stranger), replace(two, name=stranger)
    found = common(one, two)
    assert found is not None
    return found
