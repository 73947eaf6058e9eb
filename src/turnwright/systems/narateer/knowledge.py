"""What a seat knows of a Narateer scene, as a state with the unknown left out."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwright import shared
from turnwright.events import Acted, Barred, Charged, DoorMoved, Event, Waived
from turnwright.model import GUIDE, SPECTATOR, ActorId, Cost, Fact, Relation, SeatId, Stands, State
from turnwright.systems.narateer.doors import believed_doors, sees_door
from turnwright.systems.narateer.events import (
    UNSEEN,
    Believed,
    Blind,
    Came,
    Checked,
    CluePerceived,
    CommunicatedPosition,
    DoorBelief,
    DoorChanged,
    Established,
    Exposed,
    GuideSays,
    Helping,
    Hid,
    Hidden,
    Known,
    Looking,
    Perceived,
    Record,
    Repositioned,
    Revealed,
    SearchBegun,
    Searched,
    SearchMade,
    Secret,
    StoppedHiding,
    Unseen,
    Waiting,
)
from turnwright.systems.narateer.senses import perceives, plainly
from turnwright.systems.narateer.sheet import Character, public

SOMEBODY = "somebody"
"""Whoever it was, unseen."""


def own(state: State, seat: SeatId) -> list[Character]:
    return [actor for actor in state.actors.values() if actor.seat == seat]


STATES_KEPT = 32

_asked: dict[tuple[int, SeatId], tuple[State, State]] = {}
"""What was asked last: by the identity of the state, which is kept beside so that it stays true, and by the seat."""


def known(state: State, seat: SeatId) -> State:
    """The guide knows everything; others their own side, and of the rest what their characters perceive or remember.

    Whoever only watches knows what every player knows.
    """
    if seat == GUIDE:
        return state
    kept = _asked.get((id(state), seat))
    if kept is None:
        if len(_asked) >= STATES_KEPT:
            _asked.clear()
        kept = _asked[id(state), seat] = state, _known(state, seat)
    return kept[1]


def _known(state: State, seat: SeatId) -> State:
    if seat == SPECTATOR and shared.players(state):
        return _known_to_players(state)
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
        for owner, held in _held(state, mine)
        if owner in actors and (kept := _known_relations(state, mine, sides, owner, held, actors))
    }
    open_doors, doors = believed_doors(state, mine)
    facts = dict(_known_facts(state, mine, sides, doors))
    if UNSEEN in facts:
        facts = _unseen_as_known(state, mine, actors, facts)
    began = max((actor.began for actor in actors.values()), default=0)
    return replace(shared.only(state, actors, relations, facts, began), open_doors=open_doors)


def _known_to_players(state: State) -> State:
    """What every player knows: whom all perceive, and of whoever only some perceive not where it is.

    A door of which some player is mistaken is shown as that player believes it to be.
    """
    each = [_without_memories(state, player) for player in shared.players(state)]
    found = shared.known_to_all(each, SOMEBODY)
    facts = {name: fact for name, fact in found.facts.items() if name != UNSEEN}  # What a player takes others to see.
    doors = [door for view in each for door in view.open_doors]
    opened = [d for d in dict.fromkeys(doors) if all(d in v.open_doors for v in each) or d not in state.open_doors]
    return replace(found, facts=facts, open_doors=tuple(sorted(opened)))


def _without_memories(state: State, player: SeatId) -> State:
    """What a player knows, without where it only believes somebody to be."""
    seen = known(state, player)
    actors = {
        name: actor if perceived_by(state, player, name) else replace(actor, at=None)
        for name, actor in seen.actors.items()
    }
    return replace(seen, actors=actors)


def _as_seen(state: State, mine: list[Character], actor: Character) -> Character | None:
    """Another side's character: where it is if one of mine can place it, else where it is believed to be.

    Where its last Space was seen without it nobody is believed to be, and the position is only remembered; of somebody
    whom nobody ever saw it is known that there is somebody.
    Rules: narateer.hidden.observer-may-still-know.
    """
    if any(plainly(state, observer, actor) for observer in mine):
        return public(actor, actor.began)
    best = last_known(state, mine, actor)
    if best is None:
        return None
    shown = replace(public(actor), at=None if best.how == "was" else best.at, wounds=0, conditions=())
    return replace(shown, name=SOMEBODY, weapons=()) if best.at is None else shown


def last_known(state: State, mine: list[Character], actor: Character) -> Known | None:
    """The best that is remembered of somebody: a Space where it may still be, else one where it was, else none."""
    held = [state.relation(Known, actor.id, observer.id) for observer in mine]
    found = [known for known in held if known is not None]
    return min(found, key=lambda known: (known.at is None, known.how == "was")) if found else None


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
    kept = [
        _without_trail(r) for r in held if _relation_known(r, ours, ids, actors) and _tie_known(state, mine, sides, r)
    ]
    shown = tuple([r for r in kept if type(r) is not Record or _thought_to_stand(kept)])
    if owner in ids and UNSEEN in state.facts:
        shown = (*shown, *_watched(state, owner, shown, actors))
    return shown if ours else (*shown, *_remembered_cover(state, mine, owner))


def _held(state: State, mine: list[Character]) -> Iterator[tuple[ActorId, tuple[Relation, ...]]]:
    """The relations of everybody who has any, and after a shift of all of mine."""
    yield from state.relations.items()
    if UNSEEN in state.facts:
        for actor in mine:
            if actor.id not in state.relations:
                yield actor.id, ()


def _watched(
    state: State, owner: ActorId, shown: tuple[Relation, ...], actors: dict[ActorId, Character]
) -> tuple[Known, ...]:
    """By whom somebody was in sight before a shift, as its seat believed, where it still is."""
    fact, me = state.facts[UNSEEN], state.actors[owner]
    assert isinstance(fact, Unseen)
    told = [r.other for r in shown if isinstance(r, Known)]
    held = [known for believed in fact.believed if believed.seat == me.seat for known in believed.watched]
    return tuple([k for k in held if k.owner == owner and k.at == me.at and k.other in actors and k.other not in told])


def _remembered_cover(state: State, mine: list[Character], owner: ActorId) -> tuple[Stands, ...]:
    """Behind what somebody unseen was last seen to go."""
    actor = state.actors[owner]
    best = last_known(state, mine, actor)
    if best is None or not best.behind or best.how == "was" or any(plainly(state, m, actor) for m in mine):
        return ()
    return (Stands(owner, best.behind, how="behind"),)


def _thought_to_stand(held: list[Relation]) -> bool:
    """Whether a Hide stands as far as its owner knows: somebody known is fooled, or nobody known has noticed."""
    kinds = [type(r) for r in held]
    return Hidden in kinds or Exposed not in kinds


def _tie_known(state: State, mine: list[Character], sides: list[str], r: Relation) -> bool:
    """How somebody stands to another is known of those whom one perceives."""
    if not isinstance(r, Stands):
        return True
    strangers = [state.actors[a] for a in (r.owner, r.other) if a in state.actors and state.actors[a].side not in sides]
    return all(any(plainly(state, observer, other) for observer in mine) for other in strangers)


def _without_trail(r: Relation) -> Relation:
    """Whoever follows clues does not know to whom they lead."""
    return replace(r, trail="") if isinstance(r, Looking) and r.trail else r


def _relation_known(r: Relation, ours: bool, ids: list[ActorId], actors: dict[ActorId, Character]) -> bool:
    if isinstance(r, Known):
        # One knows that one was seen going to where one still is; what an ally knows of it is told by that one alone.
        return r.other in ids or (r.owner in ids and r.aware and r.other in actors and actors[r.owner].at == r.at)
    if isinstance(r, GuideSays):
        return r.other in ids or (ours and r.other in actors)
    if isinstance(r, (Hidden, Exposed)):
        return ours and r.other in actors
    if isinstance(r, (Record, Waiting, Looking, Helping)):
        return ours
    return True


def _known_facts(
    state: State, mine: list[Character], sides: list[str], doors: dict[str, Fact]
) -> Iterator[tuple[str, Fact]]:
    for name, fact in state.facts.items():
        if _fact_known(fact, mine):
            yield name, doors.get(name) or _as_told(state, fact, mine, sides)


def _unseen_as_known(
    state: State, mine: list[Character], actors: dict[ActorId, Character], facts: dict[str, Fact]
) -> dict[str, Fact]:
    """What a shift left unseen, as a seat knows it: whom its own do not perceive, and what it believes of others.

    What somebody in its sight really perceives would tell what senses and memories that one has.
    """
    fact = state.facts[UNSEEN]
    assert isinstance(fact, Unseen)
    sides = [actor.side for actor in mine]
    strangers = [actor for actor in actors.values() if actor.side not in sides]
    seen = [s.id for s in strangers if any(plainly(state, m, state.actors[s.id]) for m in mine)]
    unplaced = [
        Blind(m.id, s.id, m.at, s.at) for s in strangers for m in mine if not perceives(state, m, state.actors[s.id])
    ]
    told = [*seen, *[actor.id for actor in actors.values() if actor.side in sides]]
    seats = [actor.seat for actor in mine]
    believed = tuple([_of_those(told, b) for b in fact.believed if b.seat in seats])
    for held in believed:
        unplaced += held.unplaced
    unreached = tuple([pair for held in believed for pair in held.unreached])
    unsure = tuple([pair for held in believed for pair in held.unsure])
    rest = {name: held for name, held in facts.items() if name != UNSEEN}
    if not (unplaced or unreached or unsure):
        return rest
    # What is believed is kept as such, too, so that what is known of what is known is the same.
    return {**rest, UNSEEN: Unseen(UNSEEN, tuple(unplaced), unreached, unsure, believed)}


def _of_those(told: list[ActorId], believed: Believed) -> Believed:
    """What is believed of those in sight; by whom one was watched is among the relations."""

    def kept(pairs: tuple[Blind, ...]) -> tuple[Blind, ...]:
        return tuple([pair for pair in pairs if pair.observer in told and pair.target in told])

    return Believed(believed.seat, kept(believed.unplaced), kept(believed.unreached), kept(believed.unsure))


def _fact_known(fact: Fact, mine: list[Character]) -> bool:
    match fact:
        case Secret():
            return any(actor.id in fact.found_by for actor in mine)
        case Searched():
            return fact.actor in [actor.id for actor in mine]
        case Established(unseen_by=unseen_by):
            return not unseen_by or any(actor.id not in unseen_by for actor in mine)
        case DoorBelief():
            return False
    return True


def _as_told(state: State, fact: Fact, mine: list[Character], sides: list[str]) -> Fact:
    """What hides in a place that was searched is for the guide alone, and so is what others have found."""
    if isinstance(fact, Searched):
        return replace(fact, met=None)
    if isinstance(fact, Established) and fact.unseen_by:
        return replace(fact, unseen_by=())
    if isinstance(fact, Secret):
        ours = [actor.id for actor in mine]
        understood = tuple([name for name in fact.understood_by if name in ours])
        told = bool(understood) or (fact.identified and not fact.understood_by)
        found = tuple([name for name in fact.found_by if name in ours])
        return replace(fact, target=0, found_by=found, identified=told, understood_by=understood)
    return fact


def perceived_by(state: State, seat: SeatId, actor: ActorId) -> bool:
    """Whether somebody of the seat perceives the actor now."""
    target = state.actors.get(actor)
    return target is not None and any(plainly(state, observer, target) for observer in own(state, seat))


def sees_event(before: State, after: State, event: Event, seat: SeatId) -> Event | None:
    """The event as a seat learns of it: what happens to somebody unseen is not learned."""
    if seat == GUIDE:
        return event
    if seat == SPECTATOR and shared.players(after):
        return shared.told_to_all([sees_event(before, after, event, player) for player in shared.players(after)])
    private = event.private_to()
    if private is not None:
        owners = [after.actors[a].seat for a in private if a in after.actors]
        return _as_learned(before, after, event, seat) if seat in owners else None
    if isinstance(event, DoorMoved | DoorChanged):
        return _door(before, after, event, seat)
    for actor in event.concerns():
        if not (perceived_by(before, seat, actor) or perceived_by(after, seat, actor)):
            return None
    if isinstance(event, Came) and not _came_known(after, event, seat):
        return None
    return _without_secrets(after, _without_strangers(before, after, event, seat), seat)


def _told(before: State, after: State, seat: SeatId) -> dict[ActorId, Character]:
    """Everybody of whom the seat knows before or after."""
    return {**known(before, seat).actors, **known(after, seat).actors}


def _door(before: State, after: State, event: DoorMoved | DoorChanged, seat: SeatId) -> Event | None:
    """A door is seen to move by whoever sees it, and by whom only where that one is seen as well."""
    mine, mover = own(after, seat), getattr(event, "actor", "")
    if mover not in [actor.id for actor in mine]:
        if not any(sees_door(state, m, event.door) for state in (before, after) for m in own(state, seat)):
            return None
    if isinstance(event, DoorMoved) and mover and not perceived_by(after, seat, mover):
        return replace(event, actor="")
    return event


def _came_known(after: State, event: Came, seat: SeatId) -> bool:
    fact = after.facts.get(event.fact)
    return fact is None or _fact_known(fact, own(after, seat))


NAMES = ("target", "helper", "about", "hit")
"""By which an event names others than the one whom it concerns."""


def _without_strangers(before: State, after: State, event: Event, seat: SeatId) -> Event:
    """Without the names of those of whom the seat does not know."""
    named = {name: value for name in NAMES if (value := getattr(event, name, "")) and value in after.actors}
    if not named and not isinstance(event, Repositioned):
        return event
    told = _told(before, after, seat)
    if isinstance(event, Repositioned):
        return replace(event, ties=tuple(t for t in event.ties if t.other not in after.actors or t.other in told))
    strange = {name: SOMEBODY for name, value in named.items() if value not in told}
    if strange and isinstance(event, CommunicatedPosition):
        return replace(event, about=SOMEBODY, at=None)
    if strange and isinstance(event, Acted):
        return replace(event, target=SOMEBODY, intent="")
    return replace(event, **strange) if strange else event


def _as_learned(before: State, after: State, event: Event, seat: SeatId) -> Event | None:
    """A private event without the names of those of whom its owner does not know."""
    told = _told(before, after, seat)
    match event:
        case Hid():
            return _hid(before, event, told, seat)
        case StoppedHiding(actor=hider) if not _thinks_it_hides(before, hider, seat):
            return None
        case Revealed(to=finder) if finder not in told:
            return None
        case CluePerceived(actor=maker) if maker not in told:
            return replace(event, actor=SOMEBODY)
        case Perceived(actor=other) if other not in told:
            return None
        case SearchBegun(trail=trail) if trail:
            return replace(event, trail="")
        case SearchMade():
            return replace(event, met=None)
    return event


def _hid(before: State, event: Hid, told: dict[ActorId, Character], seat: SeatId) -> Event | None:
    """How a Hide came out toward those known; that somebody unseen met one that stands is not learned."""
    fooled = tuple([o for o in event.fooled if o in told])
    noticed = tuple([o for o in event.noticed if o in told])
    settled = event.anew or before.relation(Waiting, event.actor, event.actor) is not None
    if event.waits or not (settled or fooled or noticed):
        return None
    rule = "narateer.hide.must-exceed" if fooled or not noticed else "narateer.hide.tie-fails"
    return replace(event, rule=rule, fooled=fooled, noticed=noticed)


def _thinks_it_hides(state: State, hider: ActorId, seat: SeatId) -> bool:
    held = known(state, seat).relations.get(hider, ())
    return any(isinstance(r, (Hidden, Record, Waiting)) for r in held)


UNTOLD = "observation"
"""What is rolled against whoever hides; whether it was enough is told by what is found and by nothing else."""


def _without_secrets(state: State, event: Event, seat: SeatId) -> Event:
    """What others roll, pay and are after is not seen, and nobody is told what its own Observation was for."""
    if not isinstance(event, (Checked, Acted, Charged, Barred, Waived)):
        return event
    doer = state.actors.get(event.actor)
    if doer is not None and doer.side in [a.side for a in own(state, seat)]:
        return replace(event, rule="", passed=None) if isinstance(event, Checked) and event.skill == UNTOLD else event
    if isinstance(event, Acted):
        return replace(event, intent="")
    if isinstance(event, (Barred, Waived)):
        return replace(event, why=(), owed=()) if isinstance(event, Waived) else replace(event, why=())
    if isinstance(event, Charged):
        ad = tuple([Cost("ad", item.amount, "", "") for item in event.costs if item.resource == "ad"])
        return replace(event, rule="", costs=ad)
    return replace(event, rule="", total=None, passed=None, dice=0)
