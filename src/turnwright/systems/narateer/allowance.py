"""Base Movement and what each mode makes of it: exact metres, converted once and at the end."""

from __future__ import annotations

from fractions import Fraction

from turnwright.model import State
from turnwright.rules import Modifier, total_of
from turnwright.systems.narateer.conditions import bm_modifiers, load_modifiers
from turnwright.systems.narateer.sheet import Character, settings

TOPICS = ("bm", "walk", "run")

TIMES = {"walk": 1, "run": 2, "sprint": 3}


def base_movement(actor: Character) -> int:
    """BM in metres, before anything modifies it; derived, so that it follows Strength and Agility at once.

    Rules: narateer.bm.formula, narateer.bm.definition, narateer.bm.record-and-recalculate,
    narateer.bm.example-kael (2 and 4 make 14 m).
    """
    return 8 + actor.strength + actor.agility


def bm_parts(state: State, actor: Character) -> list[Modifier]:
    """What BM is made of, labelled and cited: everything else first, Encumbrance last.

    Rules: narateer.sequence.bm-modifiers-then-encumbrance.
    """
    base = Modifier("8 + Strength + Agility", Fraction(base_movement(actor)), "narateer.bm.formula")
    return [base, *bm_modifiers(state, actor), *load_modifiers(state, actor)]


def effective_bm(state: State, actor: Character) -> Fraction:
    """BM in metres as it counts now, exact and never below 0.

    Rules: narateer.sequence.keep-fractions, narateer.encumbrance.sprint-bonus-after-tripling.
    """
    if not actor.conditions and actor.encumbrance == "none":
        return Fraction(max(0, base_movement(actor)))
    before = total_of(bm_modifiers(state, actor), base_movement(actor))
    added = [m for m in load_modifiers(state, actor) if not m.times]
    times = [m for m in load_modifiers(state, actor) if m.times]
    return max(Fraction(0), total_of(added, total_of(times, before)))


def allowance(state: State, actor: Character, mode: str, skill: str = "") -> Fraction:
    """The whole allowance of a mode in metres, fractions kept.

    Rules: narateer.walk.distance, narateer.run.distance, narateer.sprint.distance, narateer.sprint.example-arlen,
    narateer.run.no-skill (Skill Levels add nothing to a Run).
    """
    bm = effective_bm(state, actor)
    if bm == 0:
        return bm
    bonus = 2 * actor.level(skill) if mode == "sprint" else 0
    return bm * TIMES[mode] + bonus


def remaining(state: State, actor: Character, mode: str, skill: str = "") -> Fraction:
    """What is left of the allowance, in metres: all of it less what was spent, never below 0.

    Rules: narateer.divide.total-cap, narateer.move.spent-movement-stays-spent, narateer.bm.record-and-recalculate.
    """
    return max(Fraction(0), allowance(state, actor, mode, skill or actor.sprint_skill) - actor.spent)


def spaces(state: State, metres: Fraction) -> int:
    """Metres as Spaces: rounded down, once, at the end.

    Rules: narateer.tactical.two-metre-spaces, narateer.tactical.example-25m.
    """
    return int(metres / (settings(state).space_metres or 2))
