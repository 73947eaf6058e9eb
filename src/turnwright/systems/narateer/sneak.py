"""Moving while hidden: what a metre costs, what ends it, and creatures that meet a Hide only on the way."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play
from turnwright.model import NOTHING, Bill, Cell, Declaration, Moment, Outcome, Parameter, Price, Refusal, State
from turnwright.rules import Action, Settled, Steps, ended
from turnwright.systems.narateer.check import check_each
from turnwright.systems.narateer.events import Hidden, StoppedHiding
from turnwright.systems.narateer.hide import (
    OBSERVATION,
    commit_asked,
    keep_totals,
    opposing,
    searching_bills,
    settle_hide,
)
from turnwright.systems.narateer.notice import newcomers
from turnwright.systems.narateer.senses import hiding, looking_for, perceives, record, waiting
from turnwright.systems.narateer.sheet import Character, character, settings

TOPICS = ("sneak",)


# -- the way


def hidden_factor(state: State, actor: Character, mode: str) -> int:
    """How often a metre of the ordinary allowance counts: twice while a Hide stands, on top of what the ground costs.

    It is the allowance that doubles, never the AD of the mode; a metre of Sprint ends hiding and is not doubled.
    Rules: narateer.sneak.double-movement-cost, narateer.sneak.terrain-multiplies,
    narateer.sneak.uses-ordinary-allowance, narateer.sneak.walk-or-run-only,
    narateer.sneak.example-12m (12 m are 6 m of ordinary ground, or 3 m of Difficult).
    """
    return settings(state).hidden_metres if mode != "sprint" and hiding(state, actor.id) else 1


def exposed(known: State, actor: Character, route: tuple[Cell | str, ...]) -> Iterator[str]:
    """The first Space at which each creature that the mover hides from would perceive it plainly.

    A route that stays concealed needs no new check and leaves the record as it is.
    Rules: narateer.sneak.concealed-continuous-route, narateer.sneak.no-new-check.
    """
    for held in known.related(Hidden, actor.id):
        observer = known.actors.get(held.other)
        if observer is None or observer.down:
            continue
        for cell in route:
            if perceives(known, observer, actor, seen_at=cell):
                yield f"at {cell} {observer.name} sees you plainly"
                break


# -- giving it up


def conceals_itself(state: State, actor: str) -> bool:
    """Whether the actor hides at all: from somebody, with a Hide that stands, or with one that waits for its check."""
    return hiding(state, actor) or waiting(state, actor) is not None


def sprint_ends_hiding(play: Play, actor: str) -> None:
    """The first metre of a Sprint ends hiding toward every creature, also toward one that could not notice.

    Rules: narateer.sneak.no-sprint.
    """
    if conceals_itself(play.state, actor) or play.state.related(Hidden, actor):
        play.emit(StoppedHiding("narateer.sneak.no-sprint", actor))


def sprint_refusals(known: State, actor: str) -> Iterator[Refusal]:
    """What is left of a Sprint is of no use to somebody who stays hidden.

    Rules: narateer.sneak.no-sprint.
    """
    if conceals_itself(known, actor):
        text = "the rest of a Sprint cannot be used while hiding; stop hiding first"
        yield Refusal("narateer.sneak.no-sprint", text, "HIDDEN_SPRINT")


def sprint_warnings(known: State, actor: str) -> tuple[str, ...]:
    """A Sprint may be chosen while hidden, and its price is said before anybody commits to it.

    Rules: narateer.sneak.no-sprint, narateer.reveal.warn-before-commit.
    """
    return ("the first metre of a Sprint ends hiding toward everybody",) if conceals_itself(known, actor) else ()


class StopHiding(Action):
    """Give up hiding, from some creatures or from all, before the next metre.

    Rules: narateer.sneak.double-movement-cost.
    """

    name = "stop_hiding"
    about = "stop hiding, free of charge"
    nature = "free"
    rules = ("narateer.sneak.double-movement-cost",)
    parameters = (Parameter("toward", "text", "from whom, separated by commas; from all where you do not say"),)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not conceals_itself(known, d.actor):
            yield Refusal(self.rules[0], "you are not hiding", "NOT_HIDING")
        for name in named(d):
            if known.relation(Hidden, d.actor, name) is None:
                yield Refusal(self.rules[0], f"you do not know that you are hidden from {name!r}", "NOT_HIDDEN_FROM")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(StoppedHiding(self.rules[0], d.actor, named(d)))
        return ended(Outcome(self.name, "seen", named(d)))


def named(d: Declaration) -> tuple[str, ...]:
    return tuple(name.strip() for name in d.option("toward").split(",") if name.strip())


# -- creatures that come later


def meet_newcomers(play: Play, hider: str) -> Steps[None]:
    """A creature that could notice only now meets the recorded total; the hider does not roll again.

    Rules: narateer.sneak.new-observer-passive, narateer.sneak.new-observer-active,
    narateer.hide.later-finds-use-record.
    """
    new = [o.id for o in newcomers(play.state, character(play.state, hider))]  # kept: who meets it here
    stands = record(play.state, hider)  # kept: what they meet
    if not new or stands is None:
        return
    ties = settings(play.state).newcomer_active_tie == "noticed"  # kept: no setting changes in play
    paid = yield from commit_asked(play, lambda: _searchers(play.state, hider, new))
    rule = "narateer.sneak.new-observer-active"
    found = yield from check_each(play, paid, OBSERVATION, rule, against=stands.total, ties=ties)
    for observer in new:
        active = looking_for(play.state, observer, character(play.state, hider)) is not None
        if observer in found:
            fooled = not found[observer].value
        else:
            fooled = newcomer_fooled(play.state, stands.total, opposing(play.state, observer, hider), active)
        rule = "narateer.sneak.new-observer-active" if active else "narateer.sneak.new-observer-passive"
        yes, no = ([observer], []) if fooled else ([], [observer])
        settle_hide(play, hider, stands.total, yes, no, stands.goal, rule=rule)
    keep_totals(play, hider, found)


def _searchers(state: State, hider: str, new: list[str]) -> dict[str, Bill]:
    return searching_bills(state, character(state, hider), [character(state, observer) for observer in new])


def newcomer_fooled(state: State, stands: int, theirs: int, active: bool) -> bool:
    """Rules: narateer.sneak.new-observer-passive (a tie is noticed), narateer.sneak.new-observer-active (it is not)."""
    if stands != theirs:
        return stands > theirs
    rules = settings(state)
    return (rules.newcomer_active_tie if active else rules.newcomer_passive_tie) == "hidden"
