"""What Conditions and Encumbrance do to movement, and getting up."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from turnwright.engine import Play
from turnwright.intent import stated
from turnwright.model import Cell, Declaration, Moment, Outcome, Parameter, Price, Refusal, State, cost
from turnwright.rules import Action, Modifier, Settled, Steps, ended
from turnwright.space import distance
from turnwright.systems.narateer.events import ConditionChanged
from turnwright.systems.narateer.sheet import Character, character, conditions_of, load_of, settings

TOPICS = ("condition", "encumbrance")


def bm_modifiers(state: State, actor: Character) -> list[Modifier]:
    """What Conditions do to Base Movement, ahead of any mode; the Conditions themselves own the numbers.

    Rules: narateer.condition.owned-by-combat, narateer.condition.apply-first,
    narateer.condition.bm-reduction-before-mode.
    """
    parts = []
    for name, condition in conditions_of(state, actor):
        written = str(condition.bm).strip()
        if written.startswith("x"):
            factor = Fraction(written[1:])
            parts.append(Modifier(name, factor, "narateer.condition.bm-reduction-before-mode", times=True))
        elif Fraction(written):
            parts.append(Modifier(name, Fraction(written), "narateer.condition.bm-reduction-before-mode"))
    return parts


def load_modifiers(state: State, actor: Character) -> list[Modifier]:
    """What the Encumbrance state does, once and after everything else; nobody else adds a penalty for it.

    It comes before a mode multiplies BM, and so before the bonus of a Sprint.
    Rules: narateer.encumbrance.can-reduce-or-prevent, narateer.encumbrance.no-second-penalty,
    narateer.encumbrance.sprint-bonus-after-tripling.
    """
    load = load_of(state, actor)
    rule = "narateer.sequence.bm-modifiers-then-encumbrance"
    parts = []
    if load.times != 1:
        parts.append(Modifier(actor.encumbrance, load.times, rule, times=True))
    if load.amount:
        parts.append(Modifier(actor.encumbrance, Fraction(load.amount), rule))
    return parts


def movement_stopped(state: State, actor: Character) -> Iterator[Refusal]:
    """What prevents movement in every mode, additional movement included.

    Rules: narateer.condition.prevents-movement, narateer.encumbrance.can-reduce-or-prevent,
    narateer.condition.prone-standing (no movement until the AD for standing are paid).
    """
    for name, condition in conditions_of(state, actor):
        if not condition.movement:
            yield Refusal("narateer.condition.prevents-movement", f"{name} prevents movement", "NO_MOVEMENT")
        if condition.stand:
            text = f"{name}: stand up first, for {stand_cost(state, name, condition.stand)} AD"
            yield Refusal("narateer.condition.prone-standing", text, "PRONE")
    if load_of(state, actor).stops:
        text = f"{actor.encumbrance}: the load prevents movement"
        yield Refusal("narateer.encumbrance.can-reduce-or-prevent", text, "LOAD_STOPS")


def sprint_barred(state: State, actor: Character) -> Iterator[Refusal]:
    """What rules out Sprint alone, also the rest of one that is under way.

    Rules: narateer.condition.prevents-sprint, narateer.encumbrance.blocks-sprint.
    """
    for name, condition in conditions_of(state, actor):
        if not condition.sprint:
            yield Refusal("narateer.condition.prevents-sprint", f"{name}: no Sprint", "NO_SPRINT")
    if not load_of(state, actor).sprint:
        text = f"{actor.encumbrance}: no Sprint with this load"
        yield Refusal("narateer.encumbrance.blocks-sprint", text, "LOAD_NO_SPRINT")


def metre_cost(state: State, actor: Character) -> int:
    """Metres of allowance for a metre of ordinary ground; a Condition that says so goes before the general rule.

    Rules: narateer.condition.more-specific-wins.
    """
    if not actor.conditions:
        return 1
    return max((c.metre_cost for _, c in conditions_of(state, actor) if c.metre_cost), default=1)


def directions(state: State, actor: Character) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """The Spaces to which the actor may come no nearer, and from which it may go no farther.

    Rules: narateer.condition.direction-still-applies (keeping the distance is allowed).
    """
    nearer: list[Cell] = []
    farther: list[Cell] = []
    for _, condition in conditions_of(state, actor) if actor.conditions else ():
        for phrase in condition.never:
            way, _, name = phrase.partition(" ")
            other = state.actors.get(name)
            if other is not None and isinstance(other.at, tuple):
                (nearer if way == "nearer" else farther).append(other.at)
    return tuple(nearer), tuple(farther)


def keeps_direction(limits: tuple[tuple[Cell, ...], tuple[Cell, ...]], a: Cell, b: Cell) -> bool:
    nearer, farther = limits
    return all(distance(b, x) >= distance(a, x) for x in nearer) and all(
        distance(b, x) <= distance(a, x) for x in farther
    )


def stand_cost(state: State, name: str, written: int) -> int:
    """The AD that a Condition asks for standing; for Prone as shipped, the setting."""
    return written if name in settings(state).conditions else settings(state).stand


class Stand(Action):
    """Get rid of a Condition that says what standing up costs; no metres are spent on it."""

    name = "stand"
    wants = ("standing",)
    about = "stand up, for the AD that the Condition states"
    rules = ("narateer.condition.prone-standing",)
    parameters = (Parameter("condition", "text", "what to get rid of, where there is more than one"),)

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        standing = [name for name, c in conditions_of(known, character(known, actor)) if c.stand]
        for name in standing or ["prone"]:
            yield Declaration(actor, self.name, options={"condition": name})

    def complete(self, known: State, d: Declaration) -> Declaration:
        return stated(d, "be on my feet", "stand up")

    def _condition(self, known: State, d: Declaration) -> tuple[str, int]:
        wanted = d.option("condition")
        for name, condition in conditions_of(known, character(known, d.actor)):
            if condition.stand and wanted in ("", name):
                return name, stand_cost(known, name, condition.stand)
        return wanted or "prone", 0

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not self._condition(known, d)[1]:
            yield Refusal(self.rules[0], "there is nothing to stand up from", "NOT_PRONE")

    def price(self, known: State, d: Declaration) -> Price:
        _, amount = self._condition(known, d)
        return Price((cost("ad", amount, "standing up", self.rules[0]),)) if amount else Price()

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        name, _ = self._condition(play.state, d)
        play.emit(ConditionChanged(self.rules[0], d.actor, name, has=False))
        return ended(Outcome(self.name, "standing"))
