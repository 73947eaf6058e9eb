"""Aid, Inspiration, promises, mechanisms, spells and abilities."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event, Over, Taken
from turnwright.model import ActorId, Expiry, State
from turnwright.systems.altered_realms.events.standing import Aided, Inspired, Mechanism, Promised
from turnwright.systems.altered_realms.sheet import Upheld, creature, pool_named


class AidLent(Event, frozen=True):
    """Somebody has lent aid for a roll to come, until the own next turn starts."""

    actor: ActorId
    target: ActorId
    skill: str
    amount: int

    def concerns(self) -> tuple[ActorId, ...]:
        return self.actor, self.target

    def apply(self, state: State) -> State:
        until = Expiry(self.actor, "start")
        return state.relate(Aided(self.actor, self.target, until, self.skill, self.amount))


class AidUsed(Event, frozen=True):
    """Aid that waited for a roll went into it."""

    actor: ActorId
    target: ActorId
    aid: Aided

    def concerns(self) -> tuple[ActorId, ...]:
        return self.actor, self.target

    def apply(self, state: State) -> State:
        return state.without(self.aid)


class MechanismSet(Event, frozen=True):
    """A lock or a trap is as it is now."""

    actor: ActorId
    mechanism: Mechanism

    def apply(self, state: State) -> State:
        return state.with_fact(self.mechanism)


class InspirationGiven(Event, frozen=True):
    """Somebody holds an Inspiration Bonus; of two the higher is kept.

    Rules: altered-realms.inspire.keep-highest.
    """

    actor: ActorId
    by: ActorId
    amount: int

    def apply(self, state: State) -> State:
        held = max([bonus.amount for bonus in state.related(Inspired, self.actor)], default=0)
        if held >= self.amount:
            return state
        return state.unrelate(Inspired, self.actor).relate(Inspired(self.actor, self.by, None, self.amount))


class InspirationReadied(Event, frozen=True):
    """The bonus will go into the holder's next d20."""

    actor: ActorId

    private = True

    def apply(self, state: State) -> State:
        for bonus in state.related(Inspired, self.actor):
            state = state.relate(replace(bonus, ready=True))
        return state


class InspirationSpent(Over, frozen=True):
    """The whole bonus went into a d20."""

    amount: int

    what = Inspired


class HitsPromised(Taken, frozen=True):
    """Somebody has promised hits, until the end of this turn."""

    hits: int

    what = Promised
    until = "end"


class PromiseMissed(Event, frozen=True):
    """Whoever has promised hits has missed."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.relate(Promised(self.actor, self.actor, Expiry(self.actor, "end"), True))


class Used(Event, frozen=True):
    """A spell was cast or an ability used."""

    actor: ActorId
    ability: str
    target: ActorId = ""


class SustainBegun(Event, frozen=True):
    """Something is kept up from now on: the maximum of its pool is lower, and what is above it is gone.

    Rules: altered-realms.sustain.reduces-maximum, altered-realms.sustain.cumulative.
    """

    actor: ActorId
    ability: str

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        ability = who.ability(self.ability)
        assert ability is not None
        pool = pool_named(state, ability.pool)
        most = who.maxima.get(pool, 0) - ability.sustain
        pools = {**who.pools, pool: min(who.pools.get(pool, 0), most)}
        kept = (*who.sustained, self.ability)
        return state.with_actor(replace(who, sustained=kept, maxima={**who.maxima, pool: most}, pools=pools))


class UpheldOn(Event, frozen=True):
    """What is kept up works on these."""

    actor: ActorId
    ability: str
    others: tuple[ActorId, ...]

    def apply(self, state: State) -> State:
        for other in self.others:
            state = state.relate(Upheld(self.actor, other, None, self.ability))
        return state


class SustainEnded(Event, frozen=True):
    """Something is no longer kept up: the maximum of its pool is back, the points are not; its condition is over."""

    actor: ActorId
    ability: str

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        ability = who.ability(self.ability)
        assert ability is not None
        pool = pool_named(state, ability.pool)
        maxima = {**who.maxima, pool: who.maxima.get(pool, 0) + ability.sustain}
        left = tuple([name for name in who.sustained if name != self.ability])
        ended = state.with_actor(replace(who, sustained=left, maxima=maxima))
        for tie in state.related(Upheld, self.actor):
            if tie.ability == self.ability:
                ended = ended.without(tie)
                other = ended.actors.get(tie.other)
                if ability.condition and other is not None:
                    kept = tuple([name for name in creature(ended, tie.other).conditions if name != ability.condition])
                    ended = ended.with_actor(replace(creature(ended, tie.other), conditions=kept))
        return ended
