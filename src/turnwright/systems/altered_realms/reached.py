"""Where a Movement leads: each tile with the way there, what it costs, and who would strike at whoever leaves."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from turnwright.model import Cell, Declaration, State
from turnwright.rules import Reached, Tread
from turnwright.systems.altered_realms.attack import OpportunityAttack
from turnwright.systems.altered_realms.economy import general
from turnwright.systems.altered_realms.movement import Leaving
from turnwright.systems.altered_realms.sheet import Creature, creature
from turnwright.systems.altered_realms.space import free_end, route_refusals, step_cost, ways_from

BLOW = OpportunityAttack()


def reached(known: State, d: Declaration, who: Creature, metres: int) -> Iterator[Reached]:
    """Every tile that so many metres lead to, or with a way the tiles along it."""
    if not isinstance(who.at, tuple):
        return
    drawn = Drawn(known, who)
    cells = tuple([cell for cell in d.route if isinstance(cell, tuple)])
    if cells:
        yield from _along(known, who, metres, cells, drawn)
        return
    for cell, route in ways_from(known, who, metres):
        yield Reached(_way(known, who, route, drawn), free_end(known, who, cell))


def _along(known: State, who: Creature, metres: int, route: tuple[Cell, ...], drawn: Drawn) -> Iterator[Reached]:
    way = _way(known, who, route, drawn)
    for count, cell in enumerate(route, 1):
        part = way[:count]
        ends = free_end(known, who, cell)
        barred = [
            why for why in route_refusals(known, who, route[:count]) if ends or why.code not in ("OCCUPIED", "LEDGE")
        ]
        if barred or sum([tread.metres for tread in part]) > metres:
            return
        yield Reached(part, ends)


def _way(known: State, who: Creature, route: tuple[Cell, ...], drawn: Drawn) -> tuple[Tread, ...]:
    """A way tile by tile, for what each is charged.

    Rules: altered-realms.movement.only-for-relocation.
    """
    way, here = list[Tread](), who.at
    for cell in route:
        assert isinstance(here, tuple)
        way.append(Tread(cell, Fraction(step_cost(known, who, here, cell)), False, drawn.by(here, cell)))
        here = cell
    return tuple(way)


class Drawn:
    """Who would strike at each step, as far as is known; answers are kept while one map is looked at.

    Rules: altered-realms.reaction.opportunity-and-triggered.
    """

    def __init__(self, known: State, who: Creature) -> None:
        self._known, self._who = known, who
        self._kept: dict[tuple[Cell, Cell], tuple[str, ...]] = {}

    def by(self, here: Cell, to: Cell) -> tuple[str, ...]:
        """The names of those whose melee range the step leads out of."""
        found = self._kept.get((here, to))
        if found is None:
            found = self._kept[here, to] = tuple(dict.fromkeys(self._strikers(here, to)))
        return found

    def _strikers(self, here: Cell, to: Cell) -> Iterator[str]:
        known = self._known.with_actor(replace(self._who, at=here))
        moment = Leaving(self._who.id, here, to)
        for blow in BLOW.candidates(known, moment):
            if not any(general(known, BLOW, blow, moment)) and not any(BLOW.refusals(known, blow, moment)):
                yield creature(known, blow.actor).name
