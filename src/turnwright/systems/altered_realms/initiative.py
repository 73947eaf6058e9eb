"""Initiative: who comes when, rolled once for everybody; ties go to the higher modifier, then to a roll-off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.dice import Pool
from turnwright.engine import Play, ask_each
from turnwright.model import NOTHING, Declaration, Moment, Outcome, Price, Refusal, Roll, Rolled, State
from turnwright.rules import Action, Nature, Settled, Steps
from turnwright.systems.altered_realms.events import OrderRolled
from turnwright.systems.altered_realms.rolls import Throw, inspired_late, part, with_inspiration
from turnwright.systems.altered_realms.sheet import Creature, creature

RULE = "altered-realms.economy.applies-to-all"
ROLL_OFFS = 10
"""After so many ties in a row the order of the scene decides."""


def initiative(who: Creature) -> int:
    """The modifier on the sheet, else that of DEX."""
    return who.totals.get("initiative", who.attribute("dex"))


class RollInitiative(Action):
    """The Narrator has everybody roll: a d20 and the initiative modifier, the highest first.

    Rules: altered-realms.economy.applies-to-all.
    """

    name = "initiative"
    about = "roll initiative for everybody"
    nature: ClassVar[Nature] = "guide"
    rules = (RULE,)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if known.active is not None:
            yield Refusal(RULE, "a turn is under way", "TURN")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        everybody = tuple(play.state.scene.order)  # kept: who rolls
        totals = yield from _rolled(play, everybody, "initiative", True)
        groups: dict[tuple[int, int], list[str]] = {}
        for name in everybody:
            groups.setdefault((totals[name], initiative(creature(play.state, name))), []).append(name)
        order: list[str] = []
        for key in sorted(groups, reverse=True):
            order += yield from _settled(play, tuple(groups[key]), ROLL_OFFS)
        play.emit(OrderRolled(RULE, tuple(order), tuple([totals[name] for name in order])))
        return Outcome(self.name, "success", tuple(order))


def _rolled(play: Play, names: tuple[str, ...], what: str, modified: bool) -> Steps[dict[str, int]]:
    """Everybody's d20 at once; an Inspiration Bonus may go into it, before or after.

    Rules: altered-realms.inspire.spend-once-on-any-d20, altered-realms.inspire.before-or-after-roll.
    """
    rolls, throws = [], []
    for name in names:
        who = creature(play.state, name)
        plus = (part("initiative", initiative(who), RULE),) if modified else ()
        throw = with_inspiration(play, Throw(name, what, RULE, plus))
        pool = Pool(1, throw.plus, sides=20)
        throws.append(throw)
        rolls.append(Roll(who.seat, name, f"{who.name}, {what}: {pool}", RULE, pool, what))
    answers = yield from ask_each(lambda: tuple(rolls))  # kept: the rolls that were asked for
    totals = {name: given.value for name, given in zip(names, answers, strict=True) if isinstance(given, Rolled)}
    for throw in throws:  # kept: what was thrown
        totals[throw.actor] += yield from inspired_late(play, throw, totals[throw.actor])
    return totals


def _settled(play: Play, tied: tuple[str, ...], tries: int) -> Steps[list[str]]:
    """The order among those who are tied even in their modifier."""
    if len(tied) < 2 or not tries:
        return list(tied)
    totals = yield from _rolled(play, tied, "roll-off", False)
    order: list[str] = []
    for total in sorted(dict.fromkeys(totals.values()), reverse=True):
        level = tuple([name for name in tied if totals[name] == total])
        order += yield from _settled(play, level, tries - 1)
    return order
