"""What a bot expects of dice: exact chances of one roll, and the HP that damage dice take."""

from __future__ import annotations

from functools import lru_cache

from turnwright.dice import Pool, beating, weights
from turnwright.model import State
from turnwright.systems.altered_realms.attack import Blow, attack_edges, attack_parts
from turnwright.systems.altered_realms.rolls import NATURAL, Throw, net, pool_for, save_edges, save_total, skill_parts
from turnwright.systems.altered_realms.sheet import Creature, pool_of, settings

FELLED = 4.0
"""HP that bringing somebody down counts for, beside those it takes: the blows that will not come back."""


@lru_cache(maxsize=4096)
def passing(thrown: Pool, number: int, meets: bool) -> float:
    """The chance that a roll is enough."""
    yes, whole = beating(thrown, number, meets)
    return yes / whole


@lru_cache(maxsize=1024)
def dice(written: str, plus: int = 0) -> Pool:
    return pool_of(written, plus)


@lru_cache(maxsize=1024)
def mean(thrown: Pool) -> float:
    totals, whole = weights(thrown)
    return sum(max(0, total) * weight for total, weight in totals) / whole


@lru_cache(maxsize=8192)
def harm(thrown: Pool, hp: int) -> float:
    """What damage counts for against somebody with so many HP: those it takes, and more where it fells."""
    totals, whole = weights(thrown)
    taken = sum(min(max(0, total), hp) * weight for total, weight in totals)
    return (taken + FELLED * sum(weight for total, weight in totals if total >= hp)) / whole


def hit_chance(known: State, blow: Blow, ac: int) -> float:
    """The chance that an attack hits an armour class, by what is known of both."""
    parts, edges = tuple(attack_parts(known, blow)), tuple(attack_edges(known, blow))
    thrown, _ = pool_for(known, Throw(blow.by, "", "", parts, edges, settings(known).naturals))
    return passing(thrown, ac, settings(known).attack_meets)


def save_chance(known: State, who: Creature, save: str, dc: int, by: str = "", *, hurts: bool = False) -> float:
    """The chance that somebody passes a Saving Throw."""
    edges = net(save_edges(known, who, by, hurts))
    return passing(Pool(1, save_total(who, save), edges, NATURAL), dc, settings(known).dc_meets)


def skill_chance(known: State, who: Creature, skill: str, dc: int, *, trained: bool = True, edge: int = 0) -> float:
    """The chance that somebody meets a DC with a skill, without any aid."""
    plus = sum([int(part.amount) for part in skill_parts(known, who, skill, "", trained)])
    return passing(Pool(1, plus, edge, NATURAL), dc, settings(known).dc_meets)
