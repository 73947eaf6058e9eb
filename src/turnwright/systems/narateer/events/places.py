"""What becomes of what was stated and of what a shift left unseen, as somebody moves or is found."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.model import ActorId, Stands, State
from turnwright.space.story import COVER, MUTUAL
from turnwright.systems.narateer.events.facts import UNSEEN, Blind, Unseen
from turnwright.systems.narateer.sheet import character


def seen_anew(state: State, mover: ActorId, near: tuple[ActorId, ...] | None = None) -> State:
    """Without what a shift left unseen of somebody who moves on; of the place that it leaves by this step that stands.

    `near` are those to whom it comes near where it stays in its place: to all others there it is as before.
    """
    fact, at = state.facts[UNSEEN], character(state, mover).at
    assert isinstance(fact, Unseen)

    def ended(pair: Blind) -> bool:
        if near is not None:
            return pair.target == mover or (pair.observer == mover and pair.target in near)
        return (pair.observer == mover and pair.seen_from != at) or (pair.target == mover and pair.at != at)

    return state.with_fact(fact.without(ended))


def sure_of(state: State, target: ActorId, observer: ActorId) -> State:
    """Where it has come to be known where somebody is, a shift leaves nobody unsure of it."""
    fact = state.facts.get(UNSEEN)
    if not isinstance(fact, Unseen) or not fact.unsure:
        return state
    unsure = tuple([pair for pair in fact.unsure if (pair.observer, pair.target) != (observer, target)])
    return state.with_fact(replace(fact, unsure=unsure))


def left_behind(state: State, actor: ActorId) -> State:
    """Without what was stated of somebody who moves away: near the door is so no longer."""
    for tie in state.related(Stands, actor):
        state = state.unrelate(Stands, actor, tie.other).unrelate(Stands, tie.other, actor)
    return state


def cover_of(state: State, actor: ActorId) -> str:
    """The thing that somebody was stated to be behind; nothing where it is behind none."""
    for held in state.relations.get(actor, ()):
        if type(held) is Stands and held.how in COVER and held.other not in state.actors:
            return held.other
    return ""


def stated(state: State, tie: Stands) -> State:
    """With a relation; one that holds both ways between two characters is kept with both."""
    state = state.relate(tie)
    if tie.how in MUTUAL and tie.other in state.actors:
        state = state.relate(Stands(tie.other, tie.owner, how=tie.how))
    return state


def aware_of(state: State, actor: ActorId, other: ActorId) -> bool:
    """Whether whoever plays the actor knows that the other is about."""
    from turnwright.systems.narateer import senses

    return senses.aware_of(state, character(state, actor).seat, other)
