"""Pools that are thrown, what helps or hinders the next one, momentum, and how successes are divided."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import ActorId, State
from turnwright.systems.storypath.events.standing import Helped, Momentum
from turnwright.systems.storypath.sheet import character


class PoolRolled(Event, frozen=True):
    """A pool was thrown: the successes of the dice, what Enhancement adds, and whether it was a botch."""

    actor: ActorId
    what: str
    dice: int
    successes: int
    enhancement: int = 0
    botch: bool = False


class Strained(Event, frozen=True):
    """Pain makes the next roll harder, or that roll has been made."""

    actor: ActorId
    amount: int

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), hampered=self.amount))


class MomentumChanged(Event, frozen=True):
    """The players have more or less momentum."""

    by: int
    why: str = ""

    def apply(self, state: State) -> State:
        held = state.facts.get("momentum")
        now = held.amount if isinstance(held, Momentum) else 0
        return state.with_fact(Momentum("momentum", max(0, now + self.by)))


class Helping(Event, frozen=True):
    """Somebody has Enhancement for a roll to come."""

    actor: ActorId
    amount: int
    skill: str = ""
    against: ActorId = ""

    def apply(self, state: State) -> State:
        help = Helped(self.actor, self.against or self.actor, None, self.amount, self.skill)
        for held in state.related(Helped, self.actor):
            if (held.other, held.skill) == (help.other, help.skill):
                state, help = state.without(held), replace(help, amount=max(held.amount, help.amount))
        return state.relate(help)


class HelpUsed(Event, frozen=True):
    """It went into a roll."""

    actor: ActorId
    against: ActorId = ""
    skill: str = ""

    def apply(self, state: State) -> State:
        for held in state.related(Helped, self.actor):
            if (held.other, held.skill) == (self.against or self.actor, self.skill):
                state = state.without(held)
        return state


class SplitMade(Event, frozen=True):
    """The successes of a mixed action were divided between what was done."""

    actor: ActorId
    parts: tuple[str, ...]
    shares: tuple[int, ...]
