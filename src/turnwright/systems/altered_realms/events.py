"""What can happen in Altered Realms; each event makes the next state itself."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import ActorId, At, Cell, Declaration, Expiry, Fact, Relation, State
from turnwright.systems.altered_realms.holding import Holds
from turnwright.systems.altered_realms.sheet import Affliction, Item, creature, pool_named

# -- relations and facts


class AimedAt(Relation, frozen=True):
    """The owner has aimed at the other: each time counts by itself and has its own end."""

    several = True


class Dodging(Relation, frozen=True):
    """The owner dodges the other."""


class Stance(Relation, frozen=True):
    """The owner is in a Defensive Stance; a relation to itself."""


class TurnOrder(Fact, frozen=True):
    """The order in which turns come, by the initiative that was rolled."""

    actors: tuple[ActorId, ...] = ()


class Lying(Fact, frozen=True):
    """An item that lies somewhere."""

    item: Item = Item("thing")
    at: At = None


class Aided(Relation, frozen=True):
    """The owner has lent aid for the other's next roll of a skill."""

    skill: str = ""
    amount: int = 0

    several = True


class Inspired(Relation, frozen=True):
    """The owner holds an Inspiration Bonus from the other; `ready` is to be spent on its next d20."""

    amount: int = 0
    ready: bool = False


class Promised(Relation, frozen=True):
    """The owner has promised hits to others in this turn; a relation to itself."""

    missed: bool = False


class Carries(Relation, frozen=True):
    """The owner carries the other."""


class Primed(Relation, frozen=True):
    """The owner has prepared an Action; a relation to itself."""

    deed: Declaration = Declaration("", "")
    trigger: str = ""
    left: int = 1


class Clock(Fact, frozen=True):
    """How many minutes have gone by while no turns were counted."""

    minutes: int = 0


class Mechanism(Fact, frozen=True):
    """A lock or a trap: how good it is, what it keeps shut, and what it does when it goes off."""

    kind: str
    name: str
    at: Cell
    quality: str = "common"
    dc: int | None = None
    door: str = ""
    on_fail: str = ""
    damage: str = ""
    type_of_damage: str = "force"
    rearms: bool = False
    spent: bool = False
    open: bool = False
    hidden: bool = False
    """Whether nobody but the Narrator knows of it."""

    @property
    def goes_off(self) -> bool:
        return bool(self.on_fail or self.damage)


# -- turns and budgets


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
        begun = replace(state.with_actor(fresh), active=self.actor, round=self.round)
        return begun.expire(self.actor, "start")


class TurnEnded(Event, frozen=True):
    """A turn ended; what is unused lapses."""

    actor: ActorId

    def apply(self, state: State) -> State:
        spent = replace(
            creature(state, self.actor), actions=0, motions=0, movements=0, attacks=0, metres=0, run=(), charged=False
        )
        ended = replace(state.with_actor(spent), active=None, last=self.actor)
        return ended.expire(self.actor, "end")


class OrderRolled(Event, frozen=True):
    """Initiative was rolled."""

    actors: tuple[ActorId, ...]
    totals: tuple[int, ...]

    def apply(self, state: State) -> State:
        return state.with_fact(TurnOrder("order", self.actors))


class BudgetGained(Event, frozen=True):
    """A budget grew: by a downgrade, by a Sprint."""

    actor: ActorId
    budget: str
    by: int

    def apply(self, state: State) -> State:
        return state.with_actor(creature(state, self.actor).pay(self.budget, -self.by))


# -- dice


class RolledD20(Event, frozen=True):
    """A d20 was rolled for something: what was read, and whether it was enough, where that was asked."""

    actor: ActorId
    what: str
    total: int | None = None
    passed: bool | None = None
    edge: int = 0


class DamageRolled(Event, frozen=True):
    """Damage was rolled."""

    actor: ActorId
    target: ActorId
    total: int
    weapon: str = ""


# -- space


class MovementBegun(Event, frozen=True):
    """Movement was taken up: so many metres, counted from where one stands."""

    actor: ActorId
    metres: int

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        here = (who.at,) if isinstance(who.at, tuple) else ()
        return state.with_actor(replace(who, metres=who.metres + self.metres, run=here, charged=False))


class Stepped(Event, frozen=True):
    """One step of the own movement, with the metres it took."""

    actor: ActorId
    at: Cell
    metres: int

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        return state.with_actor(replace(who, at=self.at, metres=who.metres - self.metres, run=(*who.run, self.at)))


class Forced(Event, frozen=True):
    """Somebody was moved by others, or falls."""

    actor: ActorId
    at: Cell
    by: ActorId = ""

    def apply(self, state: State) -> State:
        return state.with_actor(replace(creature(state, self.actor), at=self.at, run=()))


class Fell(Event, frozen=True):
    """Somebody fell so many metres."""

    actor: ActorId
    metres: int


class Clung(Event, frozen=True):
    """Somebody hangs on to an edge instead of falling."""

    actor: ActorId


class Halted(Event, frozen=True):
    """Movement ended before its goal."""

    actor: ActorId
    why: str


class StoodUp(Event, frozen=True):
    """Somebody who was Prone stands again."""

    actor: ActorId
    metres: int

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        left = tuple([name for name in who.conditions if name != "prone"])
        return state.with_actor(replace(who, conditions=left, metres=who.metres - self.metres))


# -- harm


class Harmed(Event, frozen=True):
    """Damage lowered somebody's HP; `part` is where the blow landed, where one was aimed at."""

    actor: ActorId
    amount: int
    damage_type: str = ""
    by: ActorId = ""
    part: str = ""

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        return state.with_actor(replace(who, hp=who.hp - self.amount))


class Healed(Event, frozen=True):
    """HP came back, up to the maximum."""

    actor: ActorId
    amount: int

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        return state.with_actor(replace(who, hp=min(who.hp_max, who.hp + self.amount)))


class ConditionChanged(Event, frozen=True):
    """A condition came upon somebody, or was over."""

    actor: ActorId
    condition: str
    on: bool = True

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        left = tuple([name for name in who.conditions if name != self.condition])
        if self.on:
            return state.with_actor(replace(who, conditions=(*left, self.condition)))
        over = tuple([held for held in who.afflictions if held.condition != self.condition])
        return state.with_actor(replace(who, conditions=left, afflictions=over))


# -- deeds


class Missed(Event, frozen=True):
    """An attack did not hit."""

    actor: ActorId
    target: ActorId


class Hit(Event, frozen=True):
    """An attack hit; what it does is told by what comes after."""

    actor: ActorId
    target: ActorId
    weapon: str = ""
    part: str = ""


class Aimed(Event, frozen=True):
    """Somebody took aim; it lapses as the next turn of the aimer ends."""

    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        passing = 1 if state.active == self.actor else 0
        return state.relate(AimedAt(self.actor, self.target, Expiry(self.actor, "end", passing)))


class AimUsed(Event, frozen=True):
    """A shot took up every aim that was taken at its target."""

    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        return state.unrelate(AimedAt, self.actor, self.target)


class DodgeBegun(Event, frozen=True):
    """Somebody dodges one particular creature until the own next turn starts."""

    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        return state.relate(Dodging(self.actor, self.target, Expiry(self.actor, "start")))


class StanceTaken(Event, frozen=True):
    """Somebody is in a Defensive Stance until the own next turn starts."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.relate(Stance(self.actor, self.actor, Expiry(self.actor, "start")))


class Rushed(Event, frozen=True):
    """A Movement has had the benefit of a Charge, and is over."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.with_actor(replace(creature(state, self.actor), charged=True, metres=0))


class PointConverted(Event, frozen=True):
    """A point of one pool became a point of another."""

    actor: ActorId
    source: str
    into: str

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        return state.with_actor(replace(who, pools={**who.pools, self.into: who.pools.get(self.into, 0) + 1}))

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor,)


class HoldBegun(Event, frozen=True):
    """Somebody is Grappled: by whose which hand, and by what part."""

    actor: ActorId
    target: ActorId
    hand: str
    part: str = ""

    def apply(self, state: State) -> State:
        number = 1 + max([hold.number for hold in state.every(Holds)], default=0)
        return state.relate(Holds(self.actor, self.target, None, self.hand, self.part, number))


class HoldEnded(Event, frozen=True):
    """A hold is over."""

    actor: ActorId
    target: ActorId
    hold: Holds

    def apply(self, state: State) -> State:
        return state.without(self.hold)


class AidLent(Event, frozen=True):
    """Somebody has lent aid for a roll to come, until the own next turn starts."""

    actor: ActorId
    target: ActorId
    skill: str
    amount: int

    def apply(self, state: State) -> State:
        until = Expiry(self.actor, "start")
        return state.relate(Aided(self.actor, self.target, until, self.skill, self.amount))


class AidUsed(Event, frozen=True):
    """Aid that waited for a roll went into it."""

    actor: ActorId
    target: ActorId
    aid: Aided

    def apply(self, state: State) -> State:
        return state.without(self.aid)


class RollsAllowed(Event, frozen=True):
    """The Narrator said how many rolls of a kind somebody may make in this turn."""

    actor: ActorId
    what: str
    number: int

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        return state.with_actor(replace(who, allowed={**who.allowed, self.what: self.number}))


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

    def apply(self, state: State) -> State:
        for bonus in state.related(Inspired, self.actor):
            state = state.relate(replace(bonus, ready=True))
        return state


class InspirationSpent(Event, frozen=True):
    """The whole bonus went into a d20."""

    actor: ActorId
    amount: int

    def apply(self, state: State) -> State:
        return state.unrelate(Inspired, self.actor)


class HitsPromised(Event, frozen=True):
    """Somebody has promised hits, until the end of this turn."""

    actor: ActorId
    hits: int

    def apply(self, state: State) -> State:
        return state.relate(Promised(self.actor, self.actor, Expiry(self.actor, "end")))


class PromiseMissed(Event, frozen=True):
    """Whoever has promised hits has missed."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.relate(Promised(self.actor, self.actor, Expiry(self.actor, "end"), True))


class CarryBegun(Event, frozen=True):
    """Somebody carries another; what is left of a Movement that was begun is halved too."""

    actor: ActorId
    target: ActorId
    metres: int

    def apply(self, state: State) -> State:
        slower = replace(creature(state, self.actor), metres=self.metres)
        return state.with_actor(slower).relate(Carries(self.actor, self.target))


class CarryEnded(Event, frozen=True):
    """Somebody carries another no longer."""

    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        return state.unrelate(Carries, self.actor, self.target)


class PrimedSet(Event, frozen=True):
    """Somebody has prepared an Action; untriggered it is lost as the own next turn starts."""

    actor: ActorId
    deed: Declaration
    trigger: str
    number: int = 1

    def apply(self, state: State) -> State:
        until = Expiry(self.actor, "start")
        return state.relate(Primed(self.actor, self.actor, until, self.deed, self.trigger, self.number))


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


# -- spells and abilities


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


class SustainEnded(Event, frozen=True):
    """Something is no longer kept up: the maximum of its pool is back, the points are not."""

    actor: ActorId
    ability: str

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        ability = who.ability(self.ability)
        assert ability is not None
        pool = pool_named(state, ability.pool)
        maxima = {**who.maxima, pool: who.maxima.get(pool, 0) + ability.sustain}
        left = tuple([name for name in who.sustained if name != self.ability])
        return state.with_actor(replace(who, sustained=left, maxima=maxima))


class Afflicted(Event, frozen=True):
    """A condition goes on and allows a Saving Throw."""

    actor: ActorId
    condition: str
    save: str
    dc: int
    by: ActorId = ""

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        kept = tuple([held for held in who.afflictions if held.condition != self.condition])
        more = Affliction(self.condition, self.save, self.dc, self.by)
        return state.with_actor(replace(who, afflictions=(*kept, more)))


class Rested(Event, frozen=True):
    """Somebody has rested or slept."""

    actor: ActorId
    how: str

    def apply(self, state: State) -> State:
        return state.with_actor(replace(creature(state, self.actor), rested=True))


# -- items


class ItemMoved(Event, frozen=True):
    """An item is somewhere else on the person now."""

    actor: ActorId
    item: Item

    def apply(self, state: State) -> State:
        return state.with_actor(creature(state, self.actor).with_item(self.item))


class ItemDropped(Event, frozen=True):
    """An item lies on the ground."""

    actor: ActorId
    item: Item
    at: At
    fact: str

    def apply(self, state: State) -> State:
        without = state.with_actor(creature(state, self.actor).without_item(self.item.name))
        return without.with_fact(Lying(self.fact, self.item, self.at))


class ItemPickedUp(Event, frozen=True):
    """An item was taken off the ground."""

    actor: ActorId
    item: Item
    fact: str

    def apply(self, state: State) -> State:
        facts = {name: fact for name, fact in state.facts.items() if name != self.fact}
        return replace(state, facts=facts).with_actor(creature(state, self.actor).with_item(self.item))


class ItemCaught(Event, frozen=True):
    """Somebody caught a thing that another threw."""

    actor: ActorId
    by: ActorId
    thrown: str
    item: Item

    def apply(self, state: State) -> State:
        without = state.with_actor(creature(state, self.by).without_item(self.thrown))
        return without.with_actor(creature(without, self.actor).with_item(self.item))


class ItemUsedUp(Event, frozen=True):
    """An item is no more."""

    actor: ActorId
    item: str

    def apply(self, state: State) -> State:
        return state.with_actor(creature(state, self.actor).without_item(self.item))


def _events() -> tuple[type[Event], ...]:
    found = [kind for kind in globals().values() if isinstance(kind, type) and issubclass(kind, Event)]
    return tuple([kind for kind in found if kind.__module__ == __name__])


EVENTS = _events()
