"""What a seat knows of a scene: its own side whole, of the others what can be seen, and nothing of who is hidden.

Whoever is held feels by whom: while a hold or a carrying lasts, both ends of it know of each other.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from msgspec.structs import replace

from turnwright import shared
from turnwright.events import Acted, Barred, Charged, DoorMoved, Event, Impossible, Waived, Withdrawn
from turnwright.model import GUIDE, SPECTATOR, ActorId, Cost, Fact, Relation, SeatId, State
from turnwright.space.grid import distance
from turnwright.systems.altered_realms.events import (
    Afflicted,
    Aided,
    AidLent,
    AidUsed,
    Carries,
    CarryBegun,
    DamageRolled,
    Harmed,
    Healed,
    HitsPromised,
    HoldEnded,
    InspirationGiven,
    InspirationSpent,
    Inspired,
    ItemCaught,
    ItemDropped,
    ItemMoved,
    ItemPickedUp,
    Lying,
    Mechanism,
    MechanismSet,
    MovementBegun,
    OrderRolled,
    Primed,
    RolledD20,
    StoodUp,
    TurnOrder,
    UpheldOn,
)
from turnwright.systems.altered_realms.holding import Holds
from turnwright.systems.altered_realms.locks import SIMPLE, dc_of
from turnwright.systems.altered_realms.sheet import SEEN_PLACES, Creature, bare_item, public, settings
from turnwright.systems.altered_realms.space import tiles

SOMEBODY = "somebody"
"""Whoever it was, unseen."""
NAMES = ("target", "by", "other")
"""By which an event names others than the one whom it concerns."""
SEEN_COSTS = ("action", "motion", "movement", "teleport", "reaction", "attack", "first attack")
"""What others are seen to spend: time, and neither points nor what can be done only so often."""
PRIMING = "altered-realms.prime.action-as-reaction"


def own_sides(state: State, seat: SeatId) -> list[str]:
    return [who.side for who in state.actors.values() if who.seat == seat]


def aware_of(state: State, seat: SeatId) -> dict[ActorId, bool]:
    """Everybody of whom a seat knows, and whether it is of its own side."""
    sides = own_sides(state, seat)
    ours = {name: who.side in sides for name, who in state.actors.items()}
    felt = _felt(state, ours) if any(who.hidden for who in state.actors.values()) else ()
    return {name: ours[name] for name, who in state.actors.items() if ours[name] or not who.hidden or name in felt}


def _felt(state: State, ours: dict[ActorId, bool]) -> list[ActorId]:
    """Whoever holds or carries one of ours, or is held or carried by one."""
    ties = [*state.every(Holds), *state.every(Carries)]
    pairs = [(tie.owner, tie.other) for tie in ties] + [(tie.other, tie.owner) for tie in ties]
    return [one for one, two in pairs if ours.get(two)]


def known(state: State, seat: SeatId) -> State:
    """The guide knows everything; a seat its own sides, and of the others neither numbers nor what is put away.

    Whoever only watches knows what every player knows.
    """
    if seat == GUIDE:
        return state
    players = shared.players(state) if seat == SPECTATOR else ()
    return _renumbered(_known_to_players(state, players) if players else _known(state, seat))


def _known(state: State, seat: SeatId) -> State:
    told = aware_of(state, seat)
    actors = {name: _own(state, who, told) if ours else public(who) for name, ours, who in _those(state, told)}
    relations = {
        owner: kept
        for owner, held in state.relations.items()
        if owner in told and (kept := tuple([_tie(r, told) for r in held if _tie_known(r, told)]))
    }
    facts = {
        name: _as_told(fact, told)
        for name, fact in state.facts.items()
        if not (isinstance(fact, Mechanism) and fact.hidden)
    }
    began = max([who.began for who in actors.values()], default=0)
    return shared.only(state, actors, relations, facts, began)


def _those(state: State, told: dict[ActorId, bool]) -> Iterator[tuple[ActorId, bool, Creature]]:
    for name, ours in told.items():
        yield name, ours, state.actors[name]


def _known_to_players(state: State, players: tuple[SeatId, ...]) -> State:
    """What every player knows; of a creature that only some know whole, what anybody sees."""
    each = [_known(state, player) for player in players]
    alike = [
        replace(view, actors={n: who if _all_have(each, who) else public(who) for n, who in view.actors.items()})
        for view in each
    ]
    return shared.known_to_all(alike)


def _all_have(each: list[State], who: Creature) -> bool:
    return all(view.actors.get(who.id) == who for view in each)


def _own(state: State, who: Creature, told: dict[ActorId, bool]) -> Creature:
    """One of one's own; by whom it suffers, and against which DC it saves, only where that is one's own as well."""
    held = [
        one if told.get(one.by) else replace(one, dc=0, by=one.by if one.by in told else _stranger(one.by))
        for one in who.afflictions
    ]
    return replace(who, afflictions=tuple(held)) if held else who


def _stranger(name: str) -> str:
    return SOMEBODY if name else ""


def _tie_known(r: Relation, told: dict[ActorId, bool]) -> bool:
    return r.other in told and (told[r.owner] or not isinstance(r, Primed))


def _tie(r: Relation, told: dict[ActorId, bool]) -> Relation:
    """A relation without the numbers of others."""
    if isinstance(r, Aided) and not (told[r.owner] or told[r.other]):
        return replace(r, amount=0)
    if isinstance(r, Inspired) and not told[r.owner]:
        return replace(r, amount=0, ready=False)
    return r


def _renumbered(seen: State) -> State:
    """Which hold came first, counted among those that are known."""
    numbers = sorted([hold.number for hold in seen.every(Holds)])
    if not numbers:
        return seen
    relations = {
        owner: tuple([replace(r, number=1 + numbers.index(r.number)) if isinstance(r, Holds) else r for r in held])
        for owner, held in seen.relations.items()
    }
    return replace(seen, relations=relations)


def _as_told(fact: Fact, told: Container[ActorId]) -> Fact:
    if isinstance(fact, TurnOrder):
        return replace(fact, actors=tuple([name for name in fact.actors if name in told]))
    if isinstance(fact, Mechanism):
        return _outside(fact)
    return replace(fact, item=bare_item(fact.item)) if isinstance(fact, Lying) else fact


def _outside(mechanism: Mechanism) -> Mechanism:
    """A lock or a trap as it looks: neither how good it is nor what it does when it goes off.

    That it is simple is seen, for it is tried in another way.
    """
    m = mechanism
    quality = SIMPLE if m.quality == SIMPLE else ""
    return Mechanism(m.id, m.kind, m.name, m.at, quality, door=m.door, spent=m.spent, open=m.open)


# -- events


def sees_event(before: State, after: State, event: Event, seat: SeatId) -> Event | None:
    """An event as a seat learns of it: of others neither what they have left nor what their dice add up to."""
    if seat == GUIDE:
        return event
    if seat == SPECTATOR and shared.players(after):
        return _told_to_players(before, after, event)
    sides = own_sides(after, seat)
    private = event.private_to()
    if private is not None:
        mine = [name for name in private if name in after.actors and after.actors[name].side in sides]
        return event if mine else None
    told = {**aware_of(before, seat), **aware_of(after, seat)}
    if isinstance(event, (DoorMoved, MechanismSet)):
        return _thing(event, told)
    if not all(name in told for name in event.concerns()):
        return None
    if isinstance(event, OrderRolled):
        return _order(event, told)
    ours = told.get(getattr(event, "actor", ""), False)
    if isinstance(event, ItemMoved) and not ours and not _in_view(before, event):
        return None
    shown = _of_ours(event, told) if ours else _of_others(event, told)
    return None if shown is None else _without_strangers(after, shown, told)


def _told_to_players(before: State, after: State, event: Event) -> Event | None:
    """An event as everybody learned of it; where it is more to some, as anybody sees it."""
    each = [sees_event(before, after, event, player) for player in shared.players(after)]
    plain = [one for one in each if one is not None]
    if len(plain) < len(each) or all(one == plain[0] for one in plain):
        return shared.told_to_all(each)
    return shared.told_to_all([_of_others(one, dict.fromkeys(after.actors, False)) for one in plain])


def _thing(event: DoorMoved | MechanismSet, told: dict[ActorId, bool]) -> Event | None:
    """What happens to a door, a lock or a trap is seen by everybody, and by whom only where that one is seen."""
    if isinstance(event, MechanismSet):
        if event.mechanism.hidden:
            return None
        event = replace(event, mechanism=_outside(event.mechanism))
    return event if event.actor in told else replace(event, actor="")


def _order(event: OrderRolled, told: dict[ActorId, bool]) -> OrderRolled:
    rolled = [
        (name, total if told[name] else None)
        for name, total in zip(event.actors, event.totals, strict=True)
        if name in told
    ]
    return replace(event, actors=tuple([n for n, _ in rolled]), totals=tuple([total for _, total in rolled]))


def _in_view(before: State, event: ItemMoved) -> bool:
    """Whether an item was in anybody's sight before, or is now."""
    who = before.actors.get(event.actor)
    held = who.item(event.item.name) if who is not None else None
    return event.item.place in SEEN_PLACES or (held is not None and held.place in SEEN_PLACES)


def _of_ours(event: Event, told: dict[ActorId, bool]) -> Event:
    """What happens to one of one's own; the DC of what others did to it is not known."""
    if isinstance(event, Afflicted) and not told.get(event.by):
        return replace(event, dc=0)
    return replace(event, hold=replace(event.hold, number=0)) if isinstance(event, HoldEnded) else event


def _of_others(event: Event, told: dict[ActorId, bool]) -> Event | None:
    """What is seen of what somebody else does."""
    aimed = told.get(getattr(event, "target", ""), False)
    match event:
        case Waived() | Barred() | Impossible() | Withdrawn():
            return None
        case Charged():
            return replace(event, rule="", costs=_costs_seen(event))
        case Acted():
            return replace(event, intent="", target="" if event.action == "prime" else event.target)
        case RolledD20():
            return replace(event, total=None, edge=0, parts=())
        case ItemMoved() | ItemCaught() | ItemDropped() | ItemPickedUp():
            return replace(event, item=bare_item(event.item))
        case DamageRolled():
            return replace(event, dice="", total=event.total if aimed else 0)
        case Harmed() | Healed() | InspirationGiven() | InspirationSpent():
            return replace(event, amount=0)
        case AidLent() if not aimed:
            return replace(event, amount=0)
        case AidUsed():
            return event if aimed else replace(event, aid=replace(event.aid, amount=0))
        case HitsPromised():
            return replace(event, hits=0)
        case MovementBegun():
            return replace(event, metres=0, each=0)
        case CarryBegun() | StoodUp():
            return replace(event, metres=0)
        case HoldEnded():
            return replace(event, hold=replace(event.hold, number=0))
        case Afflicted() if not told.get(event.by):
            return replace(event, dc=0)
    return event


def _costs_seen(event: Charged) -> tuple[Cost, ...]:
    """What is spent, and not for what; of something prepared only that it takes an Action."""
    primes = any(item.rule == PRIMING and item.resource == "action" for item in event.costs)
    shown = ("action",) if primes else SEEN_COSTS
    return tuple([Cost(item.resource, item.amount, "", "") for item in event.costs if item.resource in shown])


def _without_strangers(after: State, event: Event, told: dict[ActorId, bool]) -> Event:
    """Without the names of those of whom the seat does not know."""
    named = {name: getattr(event, name, "") for name in NAMES}
    strange = {name: SOMEBODY for name, value in named.items() if value in after.actors and value not in told}
    if isinstance(event, UpheldOn):
        return replace(event, others=tuple([name for name in event.others if name in told]))
    if strange and isinstance(event, Acted):
        return replace(event, target=SOMEBODY, intent="")
    return replace(event, **strange) if strange else event


# -- odds


def believed(state: State, seen: State) -> State:
    """The state that odds are counted from: what the seat knows, with something in place of what it does not know."""
    base = settings(seen).spell_save_base
    for name, who in seen.actors.items():
        if _is_strange(state, who):
            seen = seen.with_actor(replace(who, reactions=1))
        elif any(not held.dc for held in who.afflictions):
            held = tuple([one if one.dc else replace(one, dc=base) for one in who.afflictions])
            seen = seen.with_actor(replace(seen.actors[name], afflictions=held))
    return seen


def assumed(state: State, seen: State) -> Iterator[str]:
    """What is taken for the numbers that a seat does not know, in words."""
    for who in seen.actors.values():
        if _is_strange(state, who):
            yield f"{who.name}: AC {who.ac}, {who.hp} HP, average attributes and 1 Reaction left"
        for held in who.afflictions:
            if not held.dc:
                yield f"{who.name}, {held.condition}: DC {settings(seen).spell_save_base}"
    ours = [who for who in seen.actors.values() if not _is_strange(state, who)]
    for fact in seen.facts_of(Mechanism):
        if not fact.open and not fact.spent and any(_in_reach(seen, who, fact) for who in ours):
            yield f"{fact.name}: DC {dc_of(seen, fact)}"


def _in_reach(seen: State, who: Creature, mechanism: Mechanism) -> bool:
    near = settings(seen).melee_range
    return any(distance(cell, mechanism.at) <= near for cell in tiles(seen, who))


def _is_strange(state: State, who: Creature) -> bool:
    """Whether no more of it is known than anybody sees."""
    return who == public(state.actors[who.id])
