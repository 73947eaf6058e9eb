"""Exchanges, Wounds, Conditions and Powers."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import ActorId, Expiry, State
from turnwright.systems.narateer.events.standing import Tempo
from turnwright.systems.narateer.sheet import character


class ExchangeBegun(Event, frozen=True):
    """An Exchange was initiated; the attacker has committed openly."""

    actor: ActorId
    target: ActorId
    weapon: str
    kind: str


class Responded(Event, frozen=True):
    """The responder chose; this belongs to the Exchange and is no Action and no Reaction."""

    actor: ActorId
    response: str
    boost: int = 0


class ExchangeEnded(Event, frozen=True):
    """How an Exchange came out: `hit` names who was hit, if anybody."""

    actor: ActorId
    target: ActorId
    hit: ActorId = ""


class Wounded(Event, frozen=True):
    """Somebody was wounded."""

    actor: ActorId
    wounds: int

    def apply(self, state: State) -> State:
        old = character(state, self.actor)
        return state.with_actor(replace(old, wounds=old.wounds + self.wounds))


class Caught(Event, frozen=True):
    """Somebody was in the area of an effect that asks nobody where they are."""

    actor: ActorId
    text: str = ""


class ConditionChanged(Event, frozen=True):
    """A Condition began or ended."""

    actor: ActorId
    condition: str
    has: bool = True

    def apply(self, state: State) -> State:
        old = character(state, self.actor)
        kept = tuple(c for c in old.conditions if c != self.condition)
        return state.with_actor(replace(old, conditions=(*kept, self.condition) if self.has else kept))


class LoadChanged(Event, frozen=True):
    """The Encumbrance state is another one."""

    actor: ActorId
    state: str

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), encumbrance=self.state))


class TempoMoved(Event, frozen=True):
    """The guide or a Power moved Tempo."""

    actor: ActorId
    has: bool | None = None
    until: ActorId = ""
    """Up to the end of whose Activation; without it, by the setting, of the one that is under way."""

    def apply(self, state: State) -> State:
        if self.has is None:
            return state.unrelate(Tempo, self.actor)
        whose = self.until or (state.active if state.scene.settings.tempo_lasts == "activation" else None)
        until = Expiry(whose, "end") if whose else None
        return state.relate(Tempo(self.actor, self.actor, until, has=self.has))


class PowerUsed(Event, frozen=True):
    """A part of a Class Power was used."""

    actor: ActorId
    power: str
    part: int
    totals: int = 0
    wounds: int = 0
