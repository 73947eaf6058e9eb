"""Turns, rolls, and what a turn is made of."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import ActorId, Declaration, Expiry, State
from turnwright.rules import Modifier
from turnwright.systems.altered_realms.events.standing import Clock, Primed, TurnOrder
from turnwright.systems.altered_realms.sheet import Cue, creature


class TurnStarted(Event, frozen=True):
    """A turn began with its whole allotment; what was left of the last one is gone, and Reactions are full again.

    Rules: altered-realms.economy.start-of-turn-allotment, altered-realms.economy.extra-grants,
    altered-realms.economy.applies-to-all.
    """

    actor: ActorId
    round: int

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        fresh = replace(
            who,
            actions=1,
            motions=1 + sum(trait.motions for trait in who.traits),
            movements=1 + sum(trait.movements for trait in who.traits),
            reactions=who.reaction_count,
            attacks=0,
            metres=0,
            run=(),
            charged=False,
            done=(),
            rolls={},
            allowed={},
            began=self.round,
        )
        return state.turn_begun(fresh, self.round)


class TurnEnded(Event, frozen=True):
    """A turn ended; what is unused lapses."""

    actor: ActorId

    def apply(self, state: State) -> State:
        spent = replace(
            creature(state, self.actor), actions=0, motions=0, movements=0, attacks=0, metres=0, run=(), charged=False
        )
        return state.turn_over(spent)


class OrderRolled(Event, frozen=True):
    """Initiative was rolled."""

    actors: tuple[ActorId, ...]
    totals: tuple[int | None, ...]
    """In the same order; None for one that is not known."""

    def apply(self, state: State) -> State:
        return state.with_fact(TurnOrder("order", self.actors))


class BudgetGained(Event, frozen=True):
    """A budget grew: by a downgrade, by a Sprint."""

    actor: ActorId
    budget: str
    by: int

    def apply(self, state: State) -> State:
        return state.with_actor(creature(state, self.actor).pay(self.budget, -self.by))


class RolledD20(Event, frozen=True):
    """A d20 was rolled for something: what was read, and whether it was enough, where that was asked."""

    actor: ActorId
    what: str
    total: int | None = None
    passed: bool | None = None
    edge: int = 0
    parts: tuple[Modifier, ...] = ()
    """Everything that was added to the die, labelled and cited."""


class PointConverted(Event, frozen=True):
    """A point of one pool became a point of another."""

    actor: ActorId
    source: str
    into: str

    private = True

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        return state.with_actor(replace(who, pools={**who.pools, self.into: who.pools.get(self.into, 0) + 1}))


class RollsAllowed(Event, frozen=True):
    """The Narrator said how many rolls of a kind somebody may make in this turn."""

    actor: ActorId
    what: str
    number: int

    private = True

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        return state.with_actor(replace(who, allowed={**who.allowed, self.what: self.number}))


class PrimedSet(Event, frozen=True):
    """Somebody has prepared an Action; untriggered it is lost as the own next turn starts."""

    actor: ActorId
    deed: Declaration
    trigger: str
    number: int = 1
    cue: Cue | None = None

    private = True

    def apply(self, state: State) -> State:
        until = Expiry(self.actor, "start")
        return state.relate(Primed(self.actor, self.actor, until, self.deed, self.trigger, self.number, self.cue))


class PrimedGone(Event, frozen=True):
    """What was prepared goes off, once."""

    actor: ActorId

    def apply(self, state: State) -> State:
        for held in state.related(Primed, self.actor):
            if held.left <= 1:
                return state.unrelate(Primed, self.actor)
            return state.relate(replace(held, left=held.left - 1))
        return state


class TimePassed(Event, frozen=True):
    """So many minutes went by."""

    actor: ActorId
    minutes: int

    def apply(self, state: State) -> State:
        held = state.facts.get("clock")
        before = held.minutes if isinstance(held, Clock) else 0
        return state.with_fact(Clock("clock", before + self.minutes))


class Rested(Event, frozen=True):
    """Somebody has rested or slept."""

    actor: ActorId
    how: str

    def apply(self, state: State) -> State:
        return state.with_actor(replace(creature(state, self.actor), rested=True))
