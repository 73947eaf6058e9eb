"""Base Movement and what each mode makes of it: exact metres, converted once and at the end."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from turnwright.model import State
from turnwright.rules import Modifier, total_of
from turnwright.systems.narateer.conditions import bm_modifiers, load_modifiers
from turnwright.systems.narateer.sheet import Character

TOPICS = ("bm",)

TIMES = {"walk": 1, "run": 2, "sprint": 3}


@lru_cache(maxsize=1024)
def whole(metres: int) -> Fraction:
    """Whole metres as what all distances are counted in; the same number is made only once."""
    return Fraction(metres)


def base_movement(actor: Character) -> int:
    """BM in metres, before anything modifies it; derived, so that it follows Strength and Agility at once.

    Rules: narateer.bm.formula, narateer.bm.definition, narateer.bm.record-and-recalculate,
    narateer.bm.example-kael (2 and 4 make 14 m).
    """
    return 8 + actor.strength + actor.agility


def bm_parts(state: State, actor: Character) -> list[Modifier]:
    """What BM is made of, labelled and cited, each part in metres: everything else first, Encumbrance last.

    Rules: narateer.sequence.bm-modifiers-then-encumbrance.
    """
    total = Fraction(base_movement(actor))
    parts = [Modifier("8 + Strength + Agility", total, "narateer.bm.formula")]
    for modifiers in (bm_modifiers(state, actor), load_modifiers(state, actor)):
        for modifier in sorted(modifiers, key=lambda m: m.times):
            metres = total * (modifier.amount - 1) if modifier.times else modifier.amount
            label = f"{modifier.label} (x{modifier.amount})" if modifier.times else modifier.label
            parts.append(Modifier(label, metres, modifier.rule))
            total += metres
    return parts


def effective_bm(state: State, actor: Character) -> Fraction:
    """BM in metres as it counts now, exact and never below 0.

    Rules: narateer.bm.definition, narateer.sequence.keep-fractions,
    narateer.sequence.bm-modifiers-then-encumbrance.
    """
    if not actor.conditions and actor.encumbrance == "none":
        return whole(max(0, base_movement(actor)))
    before = total_of(bm_modifiers(state, actor), base_movement(actor))
    return max(Fraction(0), total_of(load_modifiers(state, actor), before))


def allowance(state: State, actor: Character, mode: str, skill: str = "") -> Fraction:
    """The whole allowance of a mode in metres, fractions kept.

    Rules: narateer.walk.distance, narateer.run.distance, narateer.sprint.distance, narateer.sprint.example-arlen,
    narateer.run.no-skill (Skill Levels add nothing to a Run), narateer.encumbrance.sprint-bonus-after-tripling.
    """
    bm = effective_bm(state, actor)
    if not bm:
        return bm
    bonus = 2 * actor.level(skill) if mode == "sprint" else 0
    if bm.denominator == 1:
        return whole(bm.numerator * TIMES[mode] + bonus)
    return bm * TIMES[mode] + bonus


def remaining(state: State, actor: Character, mode: str, skill: str = "") -> Fraction:
    """What is left of the allowance, in metres: all of it less what was spent, never below 0.

    Rules: narateer.divide.total-cap, narateer.move.spent-movement-stays-spent, narateer.bm.record-and-recalculate.
    """
    given, spent = allowance(state, actor, mode, skill or actor.sprint_skill), actor.spent
    if not spent:
        return given
    if given.denominator == spent.denominator == 1:
        return whole(max(0, given.numerator - spent.numerator))
    return max(whole(0), given - spent)
