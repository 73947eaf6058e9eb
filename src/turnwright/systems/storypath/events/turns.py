"""The roster and its slots, rounds and turns, who names the next, and who comes and goes."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import ActorId, State
from turnwright.systems.storypath.events.standing import Roster, Slot, roster_of
from turnwright.systems.storypath.sheet import Character, character


def _with_slots(state: State, slots: tuple[Slot, ...]) -> State:
    held = roster_of(state) or Roster("roster")
    return state.with_fact(replace(held, slots=slots))


class InitiativeRolled(Event, frozen=True):
    """One roll, and everybody whose result it is."""

    actors: tuple[ActorId, ...]
    by: str
    dice: int
    successes: int

    def concerns(self) -> tuple[ActorId, ...]:
        return ()


class RosterMade(Event, frozen=True):
    """The slots are ranked."""

    slots: tuple[Slot, ...]

    def apply(self, state: State) -> State:
        return _with_slots(state, self.slots)


class SlotPassed(Event, frozen=True):
    """Nobody was left for a slot."""

    slot: str

    def apply(self, state: State) -> State:
        held = roster_of(state)
        assert held is not None
        return _with_slots(state, tuple([replace(s, passed=s.passed or s.id == self.slot) for s in held.slots]))


class SlotStruck(Event, frozen=True):
    """A slot is no more, where the setting says that it falls with whoever rolled it."""

    slot: str

    def apply(self, state: State) -> State:
        held = roster_of(state)
        assert held is not None
        return _with_slots(state, tuple([s for s in held.slots if s.id != self.slot]))


class RoundBegan(Event, frozen=True):
    """A round began: every slot is open again, and what lasts to the end of a round is over.

    Rules: storypath.round.begins-after-initiative.
    """

    round: int

    def apply(self, state: State) -> State:
        held = roster_of(state)
        assert held is not None
        fresh = tuple([replace(slot, filled="", passed=False) for slot in held.slots])
        actors = {
            name: replace(who, guard=None, soft_now=0, cover=0, moves=0, tried=()) for name, who in state.actors.items()
        }
        again = state.with_fact(Roster("roster", fresh))
        return replace(again, actors=actors, round=self.round)


class NextNamed(Event, frozen=True):
    """Whoever may name the next of the players has done so; an empty name takes it back."""

    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        held = roster_of(state)
        assert held is not None
        return state.with_fact(replace(held, named=self.target))

    def concerns(self) -> tuple[ActorId, ...]:
        return ()


class TurnStarted(Event, frozen=True):
    """Somebody fills a slot: one action, one attack.

    Rules: storypath.turn.action-allowance, storypath.turn.one-attack.
    """

    actor: ActorId
    slot: str
    round: int

    def apply(self, state: State) -> State:
        held = roster_of(state)
        assert held is not None
        who = character(state, self.actor)
        slots = tuple([replace(s, filled=self.actor) if s.id == self.slot else s for s in held.slots])
        after = replace(held, slots=slots)
        if who.pc:
            after = replace(after, holder=self.actor, named="")
        begun = replace(who, actions=1, attacks=1, parts=0, mixed=False, escapes=0, acted=self.round)
        return state.with_fact(after).turn_begun(begun, self.round)


class TurnEnded(Event, frozen=True):
    actor: ActorId

    def apply(self, state: State) -> State:
        who = replace(character(state, self.actor), actions=0, attacks=0, parts=0, mixed=False, small=0, blinded=False)
        return state.turn_over(who)


class Joined(Event, frozen=True):
    """Somebody came late, with a slot of its own in its place among the others."""

    who: Character
    slots: tuple[Slot, ...] = ()

    def apply(self, state: State) -> State:
        facts = {name: fact for name, fact in state.facts.items() if name != f"reserve {self.who.id}"}
        order = (*state.scene.order, self.who.id)
        state = replace(state, facts=facts, scene=replace(state.scene, order=order)).with_actor(self.who)
        return _with_slots(state, self.slots) if self.slots else state

    def concerns(self) -> tuple[ActorId, ...]:
        return (self.who.id,)


class Left(Event, frozen=True):
    """Somebody is no longer in the scene; no slot goes with it."""

    actor: ActorId

    def apply(self, state: State) -> State:
        actors = {name: who for name, who in state.actors.items() if name != self.actor}
        relations = {
            owner: tuple([r for r in held if r.other != self.actor])
            for owner, held in state.relations.items()
            if owner != self.actor
        }
        order = tuple([name for name in state.scene.order if name != self.actor])
        gone = replace(state, actors=actors, relations=relations, scene=replace(state.scene, order=order))
        return replace(gone, active=None) if state.active == self.actor else gone
