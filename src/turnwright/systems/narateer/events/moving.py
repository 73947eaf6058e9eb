"""Activations, and movement in each Scene Mode."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import ActorId, At, Stands, State
from turnwright.systems.narateer.events.facts import UNSEEN
from turnwright.systems.narateer.events.places import left_behind, seen_anew, stated
from turnwright.systems.narateer.sheet import ZERO, character


class ActivationStarted(Event, frozen=True):
    """AD return to Ready, uses and movement begin anew; what lasts until this Activation ends."""

    actor: ActorId
    round: int

    def apply(self, state: State) -> State:
        old = character(state, self.actor)
        fresh = replace(
            old,
            began=self.round,
            ready=old.ad,
            uses={},
            mode="",
            sprint_skill="",
            spent=ZERO,
            travelled=ZERO,
            crossed=0,
            extra=ZERO,
        )
        return state.turn_begun(fresh, self.round)


class ActivationEnded(Event, frozen=True):
    """Unused movement is lost; AD that are Ready stay Ready."""

    actor: ActorId

    def apply(self, state: State) -> State:
        old = character(state, self.actor)
        return state.turn_over(replace(old, mode="", sprint_skill="", spent=ZERO, extra=ZERO))


class Moved(Event, frozen=True):
    """One step of movement, with what it cost of the allowance, in metres."""

    actor: ActorId
    at: At
    metres: Fraction
    travelled: Fraction = Fraction(2)
    additional: bool = False

    def apply(self, state: State) -> State:
        old = character(state, self.actor)
        if isinstance(self.at, str):
            old = replace(old, crossed=old.crossed + 1)
        if self.actor in state.relations:
            state = left_behind(state, self.actor)
        if UNSEEN in state.facts:
            state = seen_anew(state, self.actor)
        travelled = added(old.travelled, self.travelled)
        if self.additional:
            return state.with_actor(replace(old, at=self.at, extra=old.extra - self.metres, travelled=travelled))
        return state.with_actor(replace(old, at=self.at, spent=added(old.spent, self.metres), travelled=travelled))


def added(one: Fraction, two: Fraction) -> Fraction:
    """The sum of two distances; of whole metres, as they nearly always are, without looking for a common divisor."""
    if one.denominator == two.denominator == 1:
        return Fraction(one.numerator + two.numerator)
    return one + two


class Repositioned(Event, frozen=True):
    """Somebody moved in Story Mode: what is so of it now in words; all that was established of others stands.

    `metres` are what it took of the allowance, for what is left of it; they say nothing of where anybody is.
    """

    actor: ActorId
    at: At
    ties: tuple[Stands, ...] = ()
    metres: Fraction = ZERO
    additional: bool = False

    def apply(self, state: State) -> State:
        if UNSEEN in state.facts:
            here = self.at == character(state, self.actor).at
            state = seen_anew(state, self.actor, _come_near(state, self.ties) if here else None)
        for owner, held in state.relations.items():
            if owner == self.actor or any(type(r) is Stands and r.other == self.actor for r in held):
                state = state.unrelate(Stands, owner, None if owner == self.actor else self.actor)
        for tie in self.ties:
            state = stated(state, tie)
        old = character(state, self.actor)
        spent, extra = (ZERO, self.metres) if self.additional else (self.metres, ZERO)
        moved = replace(
            old, at=self.at, spent=old.spent + spent, extra=old.extra - extra, travelled=old.travelled + self.metres
        )
        return state.with_actor(moved)


def _come_near(state: State, ties: tuple[Stands, ...]) -> tuple[ActorId, ...]:
    """To whom one comes by these relations: themselves, and who stands near or behind the same thing."""
    goals = [tie.other for tie in ties if tie.how != "far"]
    there = [held.owner for held in state.every(Stands) if held.other in goals and held.how != "far"]
    return (*goals, *there)


class Stated(Event, frozen=True):
    """It was stated how somebody stands to somebody or something."""

    actor: ActorId
    tie: Stands
    among: tuple[ActorId, ...] = ()
    """The characters whom it concerns."""

    def concerns(self) -> tuple[ActorId, ...]:
        return self.among or (self.actor,)

    def apply(self, state: State) -> State:
        return stated(state, self.tie)


class Halted(Event, frozen=True):
    """A movement stopped before its end."""

    actor: ActorId
    why: str


class MovementLost(Event, frozen=True):
    """Part of the allowance, or of movement granted beside it, was lost, in metres."""

    actor: ActorId
    metres: Fraction
    additional: bool = False

    def apply(self, state: State) -> State:
        old = character(state, self.actor)
        if self.additional:
            return state.with_actor(replace(old, extra=old.extra - self.metres))
        return state.with_actor(replace(old, spent=old.spent + self.metres))


class MovementGranted(Event, frozen=True):
    """A rule granted additional movement, in metres."""

    actor: ActorId
    metres: Fraction

    def apply(self, state: State) -> State:
        old = character(state, self.actor)
        return state.with_actor(replace(old, extra=old.extra + self.metres))
