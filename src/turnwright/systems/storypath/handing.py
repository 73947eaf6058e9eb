"""Handing on: who takes the players' next slot, named ahead of time and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import NOTHING, ActorId, Declaration, Moment, Outcome, Parameter, Price, Refusal, State
from turnwright.rules import Action, Nature, Settled, Steps, ended
from turnwright.systems.storypath.events import NextNamed, roster_of
from turnwright.systems.storypath.sheet import character
from turnwright.systems.storypath.slots import NAMES, ONCE, SIDES, candidates, right_holder, why_not

FIRST = "storypath.initiative.players-choose-first"


def _may_name(known: State, d: Declaration) -> Iterator[Refusal]:
    """Whether it is this character's word who comes next; before their first slot it is that of all of them."""
    who, holder = character(known, d.actor), right_holder(known)
    if roster_of(known) is None:
        yield Refusal(ONCE, "initiative has not been rolled", "NOT_STARTED")
    elif not who.pc:
        yield Refusal(SIDES, f"{who.name} is no player character", "OTHER_SIDE")
    elif holder is not None and holder.id != who.id:
        yield Refusal(NAMES, f"{holder.name} names who comes next", "NOT_YOURS_TO_NAME")


class HandOn(Action):
    """Name who takes the players' next slot, ahead of time; until that slot starts it can be named anew.

    Rules: storypath.initiative.pass-the-choice, storypath.initiative.players-choose-first.
    """

    name = "hand_on"
    about = "name who takes the players' next slot"
    nature: ClassVar[Nature] = "free"
    interjected = True
    rules = (NAMES, FIRST)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("target", "actor", "who comes next", required=True),)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        if character(known, actor).pc:
            for who in candidates(known, "pc"):
                if who.id != actor or right_holder(known) is None:
                    yield Declaration(actor, self.name, target=who.id)

    def label(self, known: State, d: Declaration) -> str:
        return f"hand on to {character(known, d.target).name}" if d.target in known.actors else "hand on"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.target:
            yield Refusal(NAMES, "say who comes next", "INCOMPLETE target")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from _may_name(known, d)
        if d.target and d.target not in known.actors:
            yield Refusal("", f"nobody called {d.target!r} is in the scene", "UNKNOWN_ACTOR")
        elif d.target and d.target not in [who.id for who in candidates(known, "pc")]:
            yield why_not(known, "pc", character(known, d.target))

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(NextNamed(NAMES, d.actor, d.target))
        return ended(Outcome(self.name, "success", (d.target,)))


class TakeBack(Action):
    """Take back whom one has named, before that slot starts.

    Rules: storypath.initiative.pass-the-choice.
    """

    name = "take_back"
    about = "take back whom you named for the next slot"
    nature: ClassVar[Nature] = "free"
    interjected = True
    rules = (NAMES,)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        if character(known, actor).pc:
            yield Declaration(actor, self.name)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from _may_name(known, d)
        held = roster_of(known)
        if held is not None and not held.named:
            yield Refusal(NAMES, "nobody has been named", "NOBODY_NAMED")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(NextNamed(NAMES, d.actor, ""))
        return ended(Outcome(self.name, "success"))
