"""What a seat knows of a scene: its own side whole, of the others what can be seen, and nothing of who is hidden."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwright import shared
from turnwright.events import Acted, Barred, Charged, Event, Waived
from turnwright.model import GUIDE, SPECTATOR, Fact, SeatId, State
from turnwright.systems.altered_realms.events import (
    DamageRolled,
    Harmed,
    Healed,
    ItemCaught,
    ItemMoved,
    Mechanism,
    Primed,
    PrimedSet,
    RolledD20,
    TurnOrder,
)
from turnwright.systems.altered_realms.sheet import Creature, bare, public


def known(state: State, seat: SeatId) -> State:
    """The guide knows everything; a seat its own sides, and of the others neither numbers nor what is put away.

    Whoever only watches knows what every player knows.
    """
    if seat == GUIDE:
        return state
    if seat == SPECTATOR and shared.players(state):
        return shared.known_to_all([known(state, player) for player in shared.players(state)])
    sides = own_sides(state, seat)
    actors = {
        name: who if who.side in sides else public(who)
        for name, who in state.actors.items()
        if who.side in sides or not who.hidden
    }
    relations = {}
    for owner, held in state.relations.items():
        mine = owner in actors and actors[owner].side in sides
        kept = tuple([r for r in held if r.other in actors and (mine or not isinstance(r, Primed))])
        if owner in actors and kept:
            relations[owner] = kept
    order = tuple([name for name in state.scene.order if name in actors])
    scene = replace(state.scene, source=None, seed=None, rulings=(), order=order)
    facts = {
        name: _order_known(fact, actors)
        for name, fact in state.facts.items()
        if not (isinstance(fact, Mechanism) and fact.hidden)
    }
    return replace(
        state,
        scene=scene,
        actors=actors,
        relations=relations,
        facts=facts,
        active=state.active if state.active in actors else None,
        last=None,
        round=max([who.began for who in actors.values()], default=0),
        rulings=(),
    )


def own_sides(state: State, seat: SeatId) -> list[str]:
    return [who.side for who in state.actors.values() if who.seat == seat]


def _order_known(fact: Fact, actors: dict[str, Creature]) -> Fact:
    if isinstance(fact, TurnOrder):
        return replace(fact, actors=tuple([name for name in fact.actors if name in actors]))
    return fact


def sees_event(before: State, after: State, event: Event, seat: SeatId) -> Event | None:
    """An event as a seat learns of it: of others neither what they have left nor what their dice add up to."""
    if seat == GUIDE:
        return event
    if seat == SPECTATOR and shared.players(after):
        return shared.told_to_all(sees_event(before, after, event, player) for player in shared.players(after))
    private = event.private_to()
    if private is not None:
        return event if any(_mine(after, name, seat) for name in private) else None
    if not all(name in known(before, seat).actors for name in event.concerns()):
        return None
    who = getattr(event, "actor", "")
    if not who or _mine(after, who, seat):
        return event
    return _of_others(event, seat, after)


def _of_others(event: Event, seat: SeatId, after: State) -> Event | None:
    """What is seen of what somebody else does."""
    if isinstance(event, Charged):
        costs = tuple([item for item in event.costs if not item.resource.startswith("pool:")])
        return replace(event, costs=costs)
    if isinstance(event, (Waived, Barred)):
        return None
    if isinstance(event, RolledD20):
        return replace(event, total=None, edge=0)
    if isinstance(event, ItemMoved):
        return replace(event, item=replace(event.item, weapon=bare(event.item.weapon), heals=""))
    if isinstance(event, ItemCaught):
        return replace(event, item=replace(event.item, weapon=bare(event.item.weapon), heals=""))
    if isinstance(event, PrimedSet):
        return None
    target = getattr(event, "target", "")
    if isinstance(event, DamageRolled) and not _mine(after, target, seat):
        return replace(event, total=0)
    if isinstance(event, (Harmed, Healed)):
        return replace(event, amount=0)
    return replace(event, intent="") if isinstance(event, Acted) else event


def _mine(state: State, name: str, seat: SeatId) -> bool:
    who = state.actors.get(name)
    return who is not None and who.side in own_sides(state, seat)


def assumed(state: State, seen: State) -> Iterator[str]:
    """What is taken for the numbers that a seat does not know, in words."""
    for name, who in seen.actors.items():
        truth = state.actors[name]
        if who != truth:
            yield f"{who.name}: AC {who.ac}, {who.hp} HP and average attributes"
