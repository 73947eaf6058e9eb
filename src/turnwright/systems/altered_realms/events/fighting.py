"""Blows, guards, holds, and the harm that they do."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event, Over, Taken
from turnwright.model import ActorId, Expiry, State
from turnwright.systems.altered_realms.events.standing import AimedAt, Dodging, Stance
from turnwright.systems.altered_realms.holding import Holds
from turnwright.systems.altered_realms.sheet import Affliction, creature


class DamageRolled(Event, frozen=True):
    """Damage was rolled."""

    actor: ActorId
    target: ActorId
    total: int
    weapon: str = ""
    dice: str = ""
    """What was rolled, as `1d8 + 4`; empty where it was no dice."""

    def concerns(self) -> tuple[ActorId, ...]:
        return self.actor, self.target


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


class Lapsed(Event, frozen=True):
    """Somebody has no turns any more: what lasted until one of them is over."""

    actor: ActorId

    private = True

    def apply(self, state: State) -> State:
        return lapsed(state, self.actor)


def lapsed(state: State, actor: ActorId) -> State:
    """Without the relations that last until a turn of somebody who has none any more."""
    left = {
        owner: tuple([r for r in held if r.until is None or r.until.whose != actor])
        for owner, held in state.relations.items()
    }
    return state if left == state.relations else replace(state, relations=left)


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

    def concerns(self) -> tuple[ActorId, ...]:
        return self.actor, self.target

    def apply(self, state: State) -> State:
        passing = 1 if state.active == self.actor else 0
        return state.relate(AimedAt(self.actor, self.target, Expiry(self.actor, "end", passing)))


class AimUsed(Over, frozen=True):
    """A shot took up every aim that was taken at its target."""

    target: ActorId

    what = AimedAt

    def concerns(self) -> tuple[ActorId, ...]:
        return self.actor, self.target


class DodgeBegun(Taken, frozen=True):
    """Somebody dodges one particular creature until the own next turn starts."""

    target: ActorId

    what = Dodging

    def concerns(self) -> tuple[ActorId, ...]:
        return self.actor, self.target


class StanceTaken(Taken, frozen=True):
    """Somebody is in a Defensive Stance until the own next turn starts."""

    what = Stance


class HoldBegun(Event, frozen=True):
    """Somebody is Grappled: by whose which hand, and by what part."""

    actor: ActorId
    target: ActorId
    hand: str
    part: str = ""

    def concerns(self) -> tuple[ActorId, ...]:
        return self.actor, self.target

    def apply(self, state: State) -> State:
        number = 1 + max([hold.number for hold in state.every(Holds)], default=0)
        return state.relate(Holds(self.actor, self.target, None, self.hand, self.part, number))


class HoldEnded(Event, frozen=True):
    """A hold is over."""

    actor: ActorId
    target: ActorId
    hold: Holds

    def concerns(self) -> tuple[ActorId, ...]:
        return self.actor, self.target

    def apply(self, state: State) -> State:
        return state.without(self.hold)


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
