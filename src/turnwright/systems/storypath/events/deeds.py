"""Deeds: what was tried, small things, moving, riding, things in hands, and Knacks."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import ActorId, At, State
from turnwright.systems.storypath.events.standing import On
from turnwright.systems.storypath.sheet import Item, character


class Did(Event, frozen=True):
    """A rolled deed came out, or not."""

    actor: ActorId
    deed: str
    good: bool
    text: str = ""


class SmallDone(Event, frozen=True):
    """A reflexive deed was done; a listed one of the own turn takes a place beside a mixed action."""

    actor: ActorId
    deed: str
    counts: bool = False

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        return state.with_actor(replace(who, small=who.small + int(self.counts)))


class Engaged(Event, frozen=True):
    """The turn's action was taken, with so many rolled components."""

    actor: ActorId
    parts: int
    mixed: bool = False

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), parts=self.parts, mixed=self.mixed))


class Moved(Event, frozen=True):
    """Somebody is somewhere else, off whatever it was on; whoever is on it comes along."""

    actor: ActorId
    at: At

    def apply(self, state: State) -> State:
        moved = state.with_actor(replace(character(state, self.actor), at=self.at)).unrelate(On, self.actor)
        for tie in state.every(On):
            if tie.other == self.actor and tie.owner in moved.actors:
                moved = moved.with_actor(replace(character(moved, tie.owner), at=self.at))
        return moved


class GotOn(Event, frozen=True):
    """Somebody is on somebody much larger."""

    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        at = character(state, self.target).at
        state = state.with_actor(replace(character(state, self.actor), at=at))
        return state.relate(On(self.actor, self.target))


class FellOff(Event, frozen=True):
    """Somebody falls off what it was on, and lies there."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), prone=True)).unrelate(On, self.actor)


class ProneSet(Event, frozen=True):
    actor: ActorId
    prone: bool

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), prone=self.prone))


class ItemPlaced(Event, frozen=True):
    """A thing is now in a hand, a holster or a pack; without a place it is gone from the person, perhaps to another."""

    actor: ActorId
    item: str
    place: str = ""
    by: ActorId = ""

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        if self.place:
            moved = tuple([_placed(item, self.place) if item.name == self.item else item for item in who.items])
            return state.with_actor(replace(who, items=moved))
        items = tuple([item for item in who.items if item.name != self.item])
        weapons = tuple([weapon for weapon in who.weapons if weapon.name != self.item])
        without = state.with_actor(replace(who, items=items, weapons=weapons))
        if not self.by:
            return without
        taker = character(without, self.by)
        more = tuple([_placed(item, "hand") for item in who.items if item.name == self.item])
        arms = tuple([weapon for weapon in who.weapons if weapon.name == self.item])
        return without.with_actor(replace(taker, items=(*taker.items, *more), weapons=(*taker.weapons, *arms)))


def _placed(item: Item, place: str) -> Item:
    return replace(item, place=place)


class KnackUsed(Event, frozen=True):
    actor: ActorId
    knack: str
    armor: int = 0

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        return state.with_actor(replace(who, soft_now=who.soft_now + self.armor))
