"""Searches, what they find, and clues."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event, Over
from turnwright.model import ActorId, At, Cell, Expiry, State
from turnwright.systems.narateer.events.facts import Established, Searched, Secret
from turnwright.systems.narateer.events.standing import Looking
from turnwright.systems.narateer.sheet import character


class SearchBegun(Event, frozen=True):
    """Somebody is actively looking; by the guide's word it lasts until the guide says otherwise."""

    actor: ActorId
    scope: tuple[Cell | str, ...] = ()
    place: str = ""
    total: int | None = None
    by_word: bool = False
    trail: ActorId = ""

    private = True

    def apply(self, state: State) -> State:
        until = None if self.by_word else Expiry(self.actor, "start")
        return state.relate(
            Looking(self.actor, self.actor, until, self.scope, self.place, self.total, self.by_word, self.trail)
        )


class SearchEnded(Over, frozen=True):
    """Somebody stopped looking."""

    what = Looking
    private = True


class SearchMade(Event, frozen=True):
    """A Search was carried out; kept for what counts as the same Search again."""

    actor: ActorId
    key: tuple[str, ...]
    scope: tuple[Cell | str, ...] = ()
    met: tuple[str, ...] | None = None

    private = True

    def apply(self, state: State) -> State:
        before = sum(fact.actor == self.actor for fact in state.facts_of(Searched))
        name = f"searched {self.actor} {before + 1}"
        return state.with_fact(Searched(name, self.actor, self.key, self.scope, self.met))


class FoundThing(Event, frozen=True):
    """Something concealed was found."""

    actor: ActorId
    thing: str
    name: str = ""

    private = True

    def apply(self, state: State) -> State:
        fact = state.facts[self.thing]
        assert isinstance(fact, Secret)
        return state.with_fact(replace(fact, found_by=(*fact.found_by, self.actor)))


class Identified(Event, frozen=True):
    """What was found is understood."""

    actor: ActorId
    thing: str

    private = True

    def apply(self, state: State) -> State:
        fact = state.facts[self.thing]
        assert isinstance(fact, Secret)
        return state.with_fact(replace(fact, identified=True, understood_by=(*fact.understood_by, self.actor)))


class Came(Event, frozen=True):
    """Something now holds in the scene because somebody brought it about."""

    actor: ActorId
    fact: str
    text: str

    def apply(self, state: State) -> State:
        from turnwright.systems.narateer import senses

        doer = character(state, self.actor)
        unseen_by = tuple([o.id for o in senses.opponents(state, doer) if not senses.plainly(state, o, doer)])
        return state.with_fact(Established(self.fact, self.text, unseen_by))


class CommunicatedPosition(Event, frozen=True):
    """Somebody called out where another is."""

    actor: ActorId
    about: ActorId
    at: At = None


class CluePerceived(Event, frozen=True):
    """A sound or another clue reached somebody."""

    actor: ActorId
    by: ActorId
    clear: bool

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.by,)
