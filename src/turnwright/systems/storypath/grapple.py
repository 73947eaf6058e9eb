"""Grapples: getting out of one, and letting go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import (
    Check,
    Declaration,
    Moment,
    Outcome,
    Price,
    Refusal,
    State,
)
from turnwright.rules import Action, Nature, Settled, Steps, ended
from turnwright.systems.storypath.events import (
    GrappleEnded,
    Grapples,
)
from turnwright.systems.storypath.moving import nimble
from turnwright.systems.storypath.rolls import (
    dice_for_sale,
    opposed,
)
from turnwright.systems.storypath.sheet import character, settings
from turnwright.systems.storypath.simple import Simple


class BreakFree(Simple):
    """Get out of a grapple, against whoever holds."""

    name = "break_free"
    about = "get out of a grapple"
    rules = ("storypath.attack.defense-requirement",)

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not any(tie.other == d.actor for tie in known.every(Grapples)):
            yield Refusal(self.rules[0], "nobody holds you", "NOT_HELD")

    def check(self, known: State, d: Declaration) -> Check:
        who = character(known, d.actor)
        return Check(d.actor, "athletics", nimble(who), dice_for_sale(known, who), "storypath.mixed.single-roll")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        self.engage(play, d, paid)
        holder = {tie.other: tie.owner for tie in play.state.every(Grapples)}[d.actor]  # kept: against whom
        more = character(play.state, d.actor).enhancement
        ties, dice = settings(play.state).opposed_ties, nimble(character(play.state, holder))
        _, won = yield from opposed(
            play, d.actor, paid[d.actor].dice, holder, dice, "break free", self.rules[0], ties, more
        )
        if won:
            play.emit(GrappleEnded(self.rules[0], holder, d.actor))
        return Outcome(self.name, "success" if won else "failure")


class Release(Action):
    """Let go of somebody."""

    name = "release"
    about = "let go of whom you hold"
    nature: ClassVar[Nature] = "free"
    rules = ("storypath.attack.defense-requirement",)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not known.related(Grapples, d.actor):
            yield Refusal(self.rules[0], "you hold nobody", "HOLDS_NOBODY")

    def price(self, known: State, d: Declaration) -> Price:
        return Price()

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        for tie in play.state.related(Grapples, d.actor):
            play.emit(GrappleEnded(self.rules[0], d.actor, tie.other))
        return ended(Outcome(self.name, "success"))
