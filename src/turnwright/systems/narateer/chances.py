"""What dice are worth to a bot: exact chances of one roll, and of two against each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from turnwright.dice import Pool, beating, weights
from turnwright.model import State
from turnwright.rules import Measure
from turnwright.systems.narateer.check import pool
from turnwright.systems.narateer.sheet import Character, character, readiness, settings

ENOUGH = 0.75
"""The chance with which a bot is content; it boosts no further."""


def measures(state: State) -> Iterator[Measure]:
    """What is foretold of everybody: the Wounds that are taken, and whether one goes down."""
    for who in state.actors.values():
        before = character(state, who.id)

        def wounds(after: State, before: Character = before) -> int:
            return max(0, character(after, before.id).wounds - before.wounds)

        def falls(after: State, before: Character = before) -> int:
            return int(character(after, before.id).down and not before.down)

        yield Measure(f"Wounds of {who.name}", wounds, who=who.id)
        yield Measure(f"{who.name} down", falls, yes=True, who=who.id)


@lru_cache(maxsize=4096)
def above(thrown: Pool, number: int) -> float:
    """The chance that a roll exceeds a number."""
    yes, whole = beating(thrown, number, False)
    return yes / whole


@lru_cache(maxsize=4096)
def against_each_other(one: Pool, two: Pool) -> tuple[float, float]:
    """The chances that the one total is the higher, and that the other is; what is missing are ties."""
    totals, whole = weights(one)
    others, other_whole = weights(two)
    won = sum(weight * sum(w for total, w in others if total < mine) for mine, weight in totals)
    lost = sum(weight * sum(w for total, w in others if total > mine) for mine, weight in totals)
    return won / (whole * other_whole), lost / (whole * other_whole)


def thrown_by(known: State, actor: Character, skill: str, dice: int) -> Pool:
    """The dice that somebody would throw; of a sheet that nobody sees, one Skill Level for all is assumed."""
    dice_thrown = pool(known, actor, skill, dice)
    unseen = unseen_level(known, actor)
    return replace(dice_thrown, plus=dice_thrown.plus + unseen) if unseen else dice_thrown


def passive(known: State, actor: Character, skill: str) -> int:
    """The Readiness Score that must be exceeded, as far as it is known."""
    score = readiness(known, actor, skill)
    return score if skill in actor.readiness else score + unseen_level(known, actor)


def unseen_level(known: State, actor: Character) -> int:
    """The Skill Level that is assumed of a sheet without any Skill, such as an opponent's that nobody sees."""
    return 0 if actor.skills else settings(known).assumed_level


def boost_enough(known: State, actor: Character, skill: str, dice: int, number: int, most: int) -> int:
    """The least Boost with which a check exceeds a number likely enough; else the most there is."""
    for boost in range(most):
        if above(pool(known, actor, skill, dice + boost), number) >= ENOUGH:
            return boost
    return max(0, most)
