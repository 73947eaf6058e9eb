"""Charge: an improved melee attack at the end of a straight run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import Cell, Declaration, Moment, Outcome, Parameter, Refusal, State
from turnwright.rules import Settled, Steps
from turnwright.space.grid import distance
from turnwright.systems.altered_realms.attack import (
    AttackDeed,
    Blow,
    deal_declared,
    has_struck,
    reach_refusals,
    strike_declared,
    target_refusals,
    weapon_refusals,
)
from turnwright.systems.altered_realms.events import Rushed
from turnwright.systems.altered_realms.rolls import part
from turnwright.systems.altered_realms.sheet import Creature, creature
from turnwright.systems.altered_realms.space import crawling, ground_of, hard, in_the_way, tiles, tiles_at
from turnwright.systems.altered_realms.targeting import part_refusals

TOPICS = ("charge",)

RUN, BONUS = 4, 2
"""Rules: altered-realms.charge.four-meters-clear-line, altered-realms.charge.bonus."""


def this_run(who: Creature) -> tuple[Cell, ...]:
    """Where the last single Movement led, the tile that it began on included.

    Rules: altered-realms.charge.once-per-movement, altered-realms.charge.four-meters-clear-line.
    """
    return who.run[who.fresh :]


def clear_run(state: State, who: Creature) -> int:
    """Metres at the end of this Movement in one straight or diagonal line with nothing in it; crawling is no run."""
    if crawling(state, who):
        return 0
    run = this_run(who)
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(run)]
    count = 0
    for index in range(len(steps) - 1, -1, -1):
        if steps[index] != steps[-1] or _hindered(state, who, run[index + 1]):
            break
        count += 1
    return count


def _hindered(state: State, who: Creature, at: Cell) -> bool:
    field = ground_of(state)
    here = tiles_at(state, who, at)
    if field is None or any(hard(field.terrain(cell)) for cell in here):
        return True
    return any(True for _ in in_the_way(state, who, here))


def toward(state: State, who: Creature, target: Creature) -> bool:
    """Whether the run brought the creature nearer to its target."""
    if len(this_run(who)) < RUN + 1:
        return False
    there = tiles(state, target)
    before = min([distance(a, b) for a in tiles_at(state, who, who.run[-1 - RUN]) for b in there], default=0)
    after = min([distance(a, b) for a in tiles(state, who) for b in there], default=0)
    return after < before


class Charge(AttackDeed):
    """One attack, +2 to hit and damage, where the Movement ends after a clear run; once for each Movement.

    Rules: altered-realms.charge.cost, altered-realms.charge.at-end-of-movement,
    altered-realms.charge.once-per-movement.
    """

    name = "charge"
    about = "strike at the end of a straight run"
    rules = ("altered-realms.charge.cost", "altered-realms.charge.four-meters-clear-line")
    kinds = ("melee",)
    wants = ("hit",)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "at whom", required=True),
        Parameter("weapon", "text", "with which melee weapon", by_name=True),
        Parameter("part", "text", "at which part of the body", by_name=True),
    )

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"charge {other.name if other else d.target} with {d.option('weapon') or 'what is at hand'}"

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who, weapon = creature(known, d.actor), self.weapon(known, d)
        yield from target_refusals(known, d, "altered-realms.charge.cost")
        if weapon is not None and weapon.kind != "melee":
            yield Refusal("altered-realms.charge.cost", f"{weapon.name} is no melee weapon", "NOT_MELEE")
        yield from weapon_refusals(known, d, weapon, "altered-realms.charge.cost")
        yield from reach_refusals(known, d, weapon, "altered-realms.charge.at-end-of-movement")
        yield from part_refusals(known, d, weapon)
        if len(this_run(who)) < 2:
            text = "a Charge comes at the end of a Movement"
            yield Refusal("altered-realms.charge.at-end-of-movement", text, "NO_MOVEMENT")
        elif clear_run(known, who) < RUN:
            text = f"the run was {clear_run(known, who)} m in a clear line; a Charge takes {RUN} m"
            yield Refusal("altered-realms.charge.four-meters-clear-line", text, "NO_RUN")
        elif d.target in known.actors and not toward(known, who, creature(known, d.target)):
            text = "the run did not lead toward the target"
            yield Refusal("altered-realms.charge.four-meters-clear-line", text, "NOT_TOWARD")

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: altered-realms.charge.once-per-movement."""
        if creature(known, d.actor).charged:
            return ("this Movement has had its Charge; there is no bonus",)
        return ()

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        if has_struck(d):
            return (yield from deal_declared(play, d, self.rules[0]))
        weapon = self.weapon(play.state, d)
        assert weapon is not None
        bonus = 0 if creature(play.state, d.actor).charged else BONUS
        more = (part("charge", bonus, "altered-realms.charge.bonus"),) if bonus else ()
        play.emit(Rushed("altered-realms.charge.at-end-of-movement", d.actor))
        blow = Blow(d.actor, d.target, weapon, d.option("part"), more, bonus, self.rules[0])
        return (yield from strike_declared(play, d, blow))
