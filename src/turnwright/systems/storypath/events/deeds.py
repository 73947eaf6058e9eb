"""Deeds: what was tried, small things, moving, riding, things in hands, and Knacks."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event, Over
from turnwright.model import ActorId, At, State
from turnwright.systems.storypath.events.standing import Lying, On
from turnwright.systems.storypath.sheet import Character, Item, Place, Weapon, character


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
    rolled: bool = False

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        tried = (*who.tried, self.deed) if self.rolled and self.deed not in who.tried else who.tried
        return state.with_actor(replace(who, small=who.small + int(self.counts), tried=tried))


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
        return carried(state.unrelate(On, self.actor), self.actor, self.at)


def carried(state: State, actor: ActorId, at: At) -> State:
    """The state with somebody somewhere else, and with whoever is on it, or on one of those, along."""
    state = state.with_actor(replace(character(state, actor), at=at))
    for tie in tuple(state.every(On)):
        if tie.other == actor and tie.owner in state.actors and character(state, tie.owner).at != at:
            state = carried(state, tie.owner, at)
    return state


class GotOn(Event, frozen=True):
    """Somebody is on somebody much larger, and no longer on anybody else."""

    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        state = carried(state.unrelate(On, self.actor), self.actor, character(state, self.target).at)
        return state.relate(On(self.actor, self.target))


class FellOff(Event, frozen=True):
    """Somebody falls off what it was on, and lies there."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), prone=True)).unrelate(On, self.actor)


class RideEnded(Over, frozen=True):
    """Somebody is on somebody else no longer."""

    target: ActorId

    what = On


class ProneSet(Event, frozen=True):
    actor: ActorId
    prone: bool

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), prone=self.prone))


class ItemPlaced(Event, frozen=True):
    """A thing is now in a hand, a holster or a pack, or in the hand of somebody else who took it."""

    actor: ActorId
    item: str
    place: Place = "hand"
    by: ActorId = ""

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        if not self.by:
            moved = [replace(item, place=self.place) if item.name == self.item else item for item in who.items]
            return state.with_actor(replace(who, items=tuple(moved)))
        without, item, weapon = parted(state, who, self.item)
        return without.with_actor(given(character(without, self.by), item, weapon))


class ItemDropped(Event, frozen=True):
    """A thing was knocked out of a hand and lies somewhere."""

    actor: ActorId
    item: str
    at: At

    def apply(self, state: State) -> State:
        without, item, weapon = parted(state, character(state, self.actor), self.item)
        name, number = f"lying {self.item}", 1
        while name in state.facts:
            number += 1
            name = f"lying {self.item} {number}"
        return without if item is None else without.with_fact(Lying(name, item, weapon, self.at))


class ItemTaken(Event, frozen=True):
    """Somebody picked up what lay there."""

    actor: ActorId
    item: str
    lying: str

    def apply(self, state: State) -> State:
        found = state.facts[self.lying]
        assert isinstance(found, Lying)
        left = replace(state, facts={name: fact for name, fact in state.facts.items() if name != self.lying})
        return left.with_actor(given(character(state, self.actor), found.item, found.weapon))


def parted(state: State, who: Character, name: str) -> tuple[State, Item | None, Weapon | None]:
    """The state without a thing on somebody, that thing, and what it is to whoever attacks with it."""
    item, weapon = who.item(name), next((held for held in who.weapons if held.name == name), None)
    items = tuple([held for held in who.items if held.name != name])
    weapons = tuple([held for held in who.weapons if held.name != name])
    return state.with_actor(replace(who, items=items, weapons=weapons)), item, weapon


def given(who: Character, item: Item | None, weapon: Weapon | None) -> Character:
    """Somebody with one thing more in the hand; where it has one called so it is numbered, to be told from that."""
    items, weapons = who.items, who.weapons
    taken = [*[held.name for held in items], *[held.name for held in weapons]]
    if item is not None:
        items = (*items, replace(item, name=_new(item.name, taken), place="hand"))
    if weapon is not None:
        weapons = (*weapons, replace(weapon, name=_new(weapon.name, taken)))
    return replace(who, items=items, weapons=weapons)


def _new(name: str, taken: list[str]) -> str:
    number, new = 1, name
    while new in taken:
        number += 1
        new = f"{name} {number}"
    return new


class KnackUsed(Event, frozen=True):
    actor: ActorId
    knack: str
    armor: int = 0

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        return state.with_actor(replace(who, soft_now=who.soft_now + self.armor))
