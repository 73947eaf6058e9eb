"""What a seat knows of a Narateer scene, as a state with the unknown left out."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Acted, Event
from turnwright.model import GUIDE, ActorId, Fact, Relation, SeatId, State
from turnwright.systems.narateer.events import (
    Checked,
    CluePerceived,
    Exposed,
    GuideSays,
    Helping,
    Hid,
    Hidden,
    Known,
    Looking,
    Perceived,
    Record,
    Revealed,
    SearchBegun,
    Searched,
    SearchMade,
    Secret,
    Waiting,
)
from turnwright.systems.narateer.senses import perceives
from turnwright.systems.narateer.sheet import Character, public

SOMEBODY = "somebody"
"""Whoever it was, unseen."""


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
    facts = {name: _as_told(fact) for name, fact in state.facts.items() if _fact_known(fact, mine)}
    order = tuple(name for name in state.scene.order if name in actors)
    scene = replace(state.scene, source=None, rulings=(), order=order)
    active = state.active if state.active in actors else None
    # Whose Activation was over last is left out: that it was somebody unseen would be told by its being left out.
    return replace(state, scene=scene, actors=actors, relations=relations, facts=facts, active=active, last=None)


def _as_seen(state: State, mine: list[Character], actor: Character) -> Character | None:
    """Another side's character: where it is if one of mine can place it, else where it is believed to be.

    Where its last Space was seen without it nobody is believed to be, and the position is only remembered; of somebody
    whom nobody ever saw it is known that there is somebody.
    Rules: narateer.hidden.observer-may-still-know.
    """
    if any(plainly(state, observer, actor) for observer in mine):
        return public(actor)
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
    return tuple(_without_trail(r) for r in held if _relation_known(r, ours, ids, actors))


def _without_trail(r: Relation) -> Relation:
    """Whoever follows clues does not know to whom they lead."""
    return replace(r, trail="") if isinstance(r, Looking) and r.trail else r


def _relation_known(r: Relation, ours: bool, ids: list[ActorId], actors: dict[ActorId, Character]) -> bool:
    if isinstance(r, Known):
        # One knows that one was seen going to where one still is.
        return r.other in ids or (ours and r.aware and r.other in actors and actors[r.owner].at == r.at)
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
    return True


def _as_told(fact: Fact) -> Fact:
    """What hides in a place that was searched is for the guide alone."""
    return replace(fact, met=None) if isinstance(fact, Searched) else fact


def plainly(state: State, observer: Character, actor: Character) -> bool:
    """Whether the observer perceives the actor now; knowing the spot shows nothing of what happens there."""
    if observer.side == actor.side:
        return True
    return state.relation(Hidden, actor.id, observer.id) is None and perceives(state, observer, actor)


def perceived_by(state: State, seat: SeatId, actor: ActorId) -> bool:
    """Whether somebody of the seat perceives the actor now."""
    target = state.actors.get(actor)
    return target is not None and any(plainly(state, observer, target) for observer in own(state, seat))


def sees_event(before: State, after: State, event: Event, seat: SeatId) -> Event | None:
    """The event as a seat learns of it: what happens to somebody unseen is not learned."""
    if seat == GUIDE:
        return event
    private = event.private_to()
    if private is not None:
        owners = [after.actors[a].seat for a in private if a in after.actors]
        return _as_learned(before, after, event, seat) if seat in owners else None
    for actor in event.concerns():
        if not (perceived_by(before, seat, actor) or perceived_by(after, seat, actor)):
            return None
    return _without_secrets(after, event, seat)


def _as_learned(before: State, after: State, event: Event, seat: SeatId) -> Event | None:
    """A private event without the names of those of whom its owner does not know."""
    told = {*known(before, seat).actors, *known(after, seat).actors}
    match event:
        case Hid(fooled=fooled, noticed=noticed):
            kept = tuple(o for o in fooled if o in told), tuple(o for o in noticed if o in told)
            return replace(event, fooled=kept[0], noticed=kept[1])
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


def _without_secrets(state: State, event: Event, seat: SeatId) -> Event:
    """What others roll and what they are after is not seen."""
    if not isinstance(event, (Checked, Acted)):
        return event
    doer = state.actors.get(event.actor)
    if doer is not None and doer.side in [a.side for a in own(state, seat)]:
        return event
    return replace(event, intent="") if isinstance(event, Acted) else replace(event, total=None, passed=None, dice=0)
