"""Checks and help, hiding and being found."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event, Over
from turnwright.model import ActorId, At, Cell, Expiry, Relation, State
from turnwright.systems.narateer.events.facts import UNSEEN, Believed, Blind, Unseen
from turnwright.systems.narateer.events.places import aware_of, cover_of, sure_of
from turnwright.systems.narateer.events.standing import MET, Exposed, GuideSays, Helping, Hidden, Known, Record, Waiting
from turnwright.systems.narateer.sheet import character


class Checked(Event, frozen=True):
    """A check was read. `total` is None where only the comparison is known; help given for it is used up."""

    actor: ActorId
    skill: str
    dice: int
    total: int | None = None
    passed: bool | None = None
    edge: int = 0

    def apply(self, state: State) -> State:
        return state.unrelate(Helping, self.actor) if self.actor in state.relations else state


class Helped(Event, frozen=True):
    """Somebody assisted a check that is about to be committed to."""

    actor: ActorId
    helper: ActorId
    how: str = ""

    def apply(self, state: State) -> State:
        return state.relate(Helping(self.actor, self.helper))


class HelpLapsed(Over, frozen=True):
    """The check that somebody was helped with was not made after all; the help is spent."""

    what = Helping


class Hid(Event, frozen=True):
    """A Hide was settled against every creature that could notice."""

    actor: ActorId
    total: int
    fooled: tuple[ActorId, ...] = ()
    noticed: tuple[ActorId, ...] = ()
    goal: str = "presence"
    anew: bool = False
    """A new attempt: whoever noticed an earlier one and cannot notice this one has not met it yet."""
    waits: bool = False
    """Only creatures of which the hider knows nothing met it: the check for the others is still to come."""

    private = True

    def apply(self, state: State) -> State:
        met = self.fooled + self.noticed
        kept: list[Relation] = []
        stands = not self.waits and stands_after(state, self.actor, self.fooled, self.noticed)
        still = stands
        for held in state.relations.get(self.actor, ()):
            kind = type(held)
            if kind is Waiting and not self.waits:
                continue
            if (kind is Record and stands) or (kind in MET and held.other in met):
                continue
            if self.anew and kind is Exposed:
                continue
            still = still or (kind is Hidden and aware_of(state, self.actor, held.other))
            kept.append(held)
        kept.extend([Hidden(self.actor, other, total=self.total) for other in self.fooled])
        kept.extend([Exposed(self.actor, other) for other in self.noticed])
        if stands:
            kept.append(Record(self.actor, self.actor, total=self.total, goal=self.goal))
        if not still:
            kept = [held for held in kept if type(held) is not Record]
        return replace(state, relations={**state.relations, self.actor: tuple(kept)})


def stands_after(state: State, hider: ActorId, fooled: tuple[ActorId, ...], noticed: tuple[ActorId, ...]) -> bool:
    """Whether a Hide stands: somebody is fooled by it, or nobody of whom the hider knows has noticed."""
    if not noticed:
        return True
    if any(aware_of(state, hider, other) for other in fooled):
        return True
    return not any(aware_of(state, hider, other) for other in noticed)


class HideDeferred(Event, frozen=True):
    """Nobody could notice: no check yet."""

    actor: ActorId
    goal: str = "presence"

    private = True

    def apply(self, state: State) -> State:
        return state.unrelate(Exposed, self.actor).relate(Waiting(self.actor, self.actor, goal=self.goal))


class Revealed(Event, frozen=True):
    """Somebody is no longer hidden from another; with nobody left to be hidden from, the record is over.

    Where only an earlier Hide still fools anybody, that one is the latest that stands. Whoever is found by somebody
    of whom it knows nothing goes on hiding.
    """

    actor: ActorId
    to: ActorId
    how: str = ""

    def apply(self, state: State) -> State:
        state = state.unrelate(Hidden, self.actor, self.to).relate(Exposed(self.actor, self.to))
        at = character(state, self.actor).at
        behind = cover_of(state, self.actor)
        state = state.relate(Known(self.actor, self.to, at=at, how=self.how or "found", aware=True, behind=behind))
        state = sure_of(state, self.actor, self.to)
        if not aware_of(state, self.actor, self.to):
            return state
        left = [held for held in state.related(Hidden, self.actor) if aware_of(state, self.actor, held.other)]
        if not left:
            return state.unrelate(Record, self.actor)
        latest = state.relation(Record, self.actor, self.actor)
        if latest is None or any(held.total == latest.total for held in left):
            return state
        return state.relate(replace(latest, total=left[-1].total))

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor, self.to)


class StoppedHiding(Event, frozen=True):
    """Hiding was given up toward some, or toward all where none are named."""

    actor: ActorId
    toward: tuple[ActorId, ...] = ()

    private = True

    def apply(self, state: State) -> State:
        if not self.toward:
            for relation in state.related(Hidden, self.actor):
                state = state.relate(Exposed(self.actor, relation.other))
            return state.unrelate(Hidden, self.actor).unrelate(Record, self.actor).unrelate(Waiting, self.actor)
        for other in self.toward:
            state = state.unrelate(Hidden, self.actor, other).relate(Exposed(self.actor, other))
        left = [held for held in state.related(Hidden, self.actor) if aware_of(state, self.actor, held.other)]
        return state if left else state.unrelate(Record, self.actor)


class Gone(Event, frozen=True):
    """An observer left the scene; a record against it simply falls away."""

    actor: ActorId

    def apply(self, state: State) -> State:
        actors = {key: held for key, held in state.actors.items() if key != self.actor}
        relations = {
            owner: tuple(r for r in held if r.other != self.actor or r.owner == r.other)
            for owner, held in state.relations.items()
            if owner != self.actor
        }
        active = None if state.active == self.actor else state.active
        return replace(state, actors=actors, relations=relations, active=active)


class Learned(Event, frozen=True):
    """Somebody came to know where another is, or that it is there."""

    actor: ActorId
    by: ActorId
    at: At = None
    how: str = "saw"
    aware: bool = False
    space: Cell | None = None

    def apply(self, state: State) -> State:
        behind = cover_of(state, self.actor) if self.at is not None else ""
        known = Known(self.actor, self.by, at=self.at, how=self.how, aware=self.aware, behind=behind, space=self.space)
        return sure_of(state.relate(known), self.actor, self.by)

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.by,)


class Perceived(Event, frozen=True):
    """The guide's word on what somebody perceives, or that it no longer stands.

    Whoever is distracted remembers where it saw the other last.
    """

    actor: ActorId
    by: ActorId
    clear: bool | None = None
    until: Expiry | None = None

    def apply(self, state: State) -> State:
        if self.clear is None:
            return state.unrelate(GuideSays, self.actor, self.by)
        from turnwright.systems.narateer.senses import locates

        if not self.clear and locates(state, character(state, self.by), character(state, self.actor)):
            at, behind = character(state, self.actor).at, cover_of(state, self.actor)
            state = state.relate(Known(self.actor, self.by, at=at, aware=True, behind=behind))
        return state.relate(GuideSays(self.actor, self.by, until=self.until, clear=self.clear))

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.by,)


class Overlooked(Event, frozen=True):
    """A shift of the Scene Mode left it so who does not perceive whom; nobody is told."""

    unplaced: tuple[Blind, ...] = ()
    unreached: tuple[Blind, ...] = ()
    unsure: tuple[Blind, ...] = ()
    believed: tuple[Believed, ...] = ()
    going: bool = False

    def apply(self, state: State) -> State:
        held = self.unplaced, self.unreached, self.unsure
        return state.with_fact(Unseen(UNSEEN, *held, self.believed, self.going))

    def private_to(self) -> tuple[ActorId, ...]:
        return ()
