"""Aim: one ranged attack given up for a better shot at one target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import Declaration, Moment, Outcome, Parameter, Refusal, State
from turnwright.rules import Settled, Steps, ended
from turnwright.systems.altered_realms.attack import (
    AttackDeed,
    in_range,
    is_ranged,
    opponents,
    target_refusals,
    weapon_refusals,
)
from turnwright.systems.altered_realms.events import Aimed
from turnwright.systems.altered_realms.sheet import Weapon, arms, creature
from turnwright.systems.altered_realms.space import in_sight

TOPICS = ("aim",)


class Aim(AttackDeed):
    """Take aim at one target within range: +2 on the attack and the damage of the next shot at it.

    Rules: altered-realms.aim.cost, altered-realms.aim.bonus, altered-realms.aim.expiry,
    altered-realms.aim.next-shot-at-target-only, altered-realms.aim.repeatable.
    """

    name = "aim"
    about = "give up one ranged attack for a better shot at one target"
    rules = ("altered-realms.aim.cost", "altered-realms.aim.bonus", "altered-realms.aim.target-in-range")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "at whom", required=True),
        Parameter("weapon", "text", "with which ranged weapon", by_name=True),
    )

    def weapon(self, known: State, d: Declaration) -> Weapon | None:
        name = d.option("weapon")
        for weapon in arms(known, creature(known, d.actor)):
            if is_ranged(weapon) and name in ("", weapon.name):
                return weapon
        return None

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        who = creature(known, actor)
        if any(is_ranged(weapon) for weapon in arms(known, who)):
            for other in opponents(known, who):
                yield Declaration(actor, self.name, target=other.id)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"aim at {other.name if other else d.target}"

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        """Rules: altered-realms.aim.target-in-range."""
        weapon = self.weapon(known, d)
        yield from target_refusals(known, d, self.rules[0])
        if weapon is None:
            yield Refusal("altered-realms.aim.cost", "there is no ranged attack to aim with", "NO_RANGED_ATTACK")
            return
        yield from weapon_refusals(known, d, weapon, self.rules[0])
        if d.target not in known.actors or d.target == d.actor:
            return
        who, other = creature(known, d.actor), creature(known, d.target)
        if not in_range(known, who, other, weapon):
            seen = "out of range" if in_sight(known, who, other) else "out of sight"
            yield Refusal("altered-realms.aim.target-in-range", f"{other.name} is {seen}", "OUT_OF_RANGE")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(Aimed("altered-realms.aim.expiry", d.actor, d.target))
        return ended(Outcome(self.name, "success", (d.target,)))
