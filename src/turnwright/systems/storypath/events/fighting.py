"""The fight: Defense, hits and what they buy, armour, injuries, and grapples."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event, Over
from turnwright.model import ActorId, State
from turnwright.systems.storypath.events.standing import Grapples, On
from turnwright.systems.storypath.sheet import Character, character


class DefenseSet(Event, frozen=True):
    """Defense to the end of the round, with what more an injury costs and what cover takes."""

    actor: ActorId
    defense: int
    soft: int = 0
    cover: int = 0
    full: bool = False

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        return state.with_actor(
            replace(who, guard=self.defense, soft_now=who.soft_now + self.soft, cover=who.cover + self.cover)
        )


class DefenseOver(Event, frozen=True):
    """A Defense that was rolled for one attack only."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), guard=None))


class Pressed(Event, frozen=True):
    """An attack is on its way to somebody who rolls for Defense; what it costs to roll away from it is seen."""

    actor: ActorId
    target: ActorId
    composure: int

    def concerns(self) -> tuple[ActorId, ...]:
        return (self.actor, self.target)


class Hit(Event, frozen=True):
    """An attack met Defense, with so much over; what armour and size make of it is seen as it lands."""

    actor: ActorId
    target: ActorId
    over: int
    soft: int = 0
    grip: int = 0

    def concerns(self) -> tuple[ActorId, ...]:
        return (self.actor, self.target)


class Missed(Event, frozen=True):
    actor: ActorId
    target: ActorId
    why: str = ""

    def concerns(self) -> tuple[ActorId, ...]:
        return (self.actor, self.target)


class Stunted(Event, frozen=True):
    """Threshold successes were spent on something."""

    actor: ActorId
    target: ActorId
    stunt: str
    cost: int


class Absorbed(Event, frozen=True):
    """Hard armour or cover took an injury."""

    actor: ActorId
    cover: bool = False

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        left = replace(who, cover=who.cover - 1) if self.cover else replace(who, hard=who.hard - 1)
        return state.with_actor(left)


class Injured(Event, frozen=True):
    """A box was filled; without a box one is Taken Out."""

    actor: ActorId
    by: ActorId
    box: str

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        if not self.box:
            return _out(state, who)
        boxes = {**who.boxes, self.box: who.boxes.get(self.box, 0) + 1}
        return state.with_actor(replace(who, boxes=boxes))


class TakenOut(Event, frozen=True):
    actor: ActorId

    def apply(self, state: State) -> State:
        return _out(state, character(state, self.actor))


def _out(state: State, who: Character) -> State:
    """Whoever is Taken Out holds nobody, and neither is on anybody nor carries anybody."""
    state = state.with_actor(replace(who, taken_out=True, actions=0, attacks=0))
    state = state.unrelate(On, who.id).unrelate(Grapples, who.id)
    for tie in (*state.every(Grapples), *state.every(On)):
        if tie.other == who.id:
            state = state.without(tie)
    return state


class BlindedSet(Event, frozen=True):
    actor: ActorId

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), blinded=True))


class GrappleBegun(Event, frozen=True):
    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        return state.relate(Grapples(self.actor, self.target))


class GrappleEnded(Over, frozen=True):
    """Whoever held somebody does so no longer."""

    target: ActorId

    what = Grapples
