"""Where an item goes."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import ActorId, At, State
from turnwright.systems.altered_realms.events.standing import Lying
from turnwright.systems.altered_realms.sheet import Item, creature


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
