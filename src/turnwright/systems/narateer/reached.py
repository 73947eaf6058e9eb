"""Where a movement leads on the map: each Space with the way there, what it costs, and whose blow it would draw."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from turnwright.model import ActorId, At, Cell, Declaration, State
from turnwright.rules import Reached, Tread
from turnwright.systems.narateer.economy import general
from turnwright.systems.narateer.opportunity import OpportunityAttack
from turnwright.systems.narateer.passing import Stepped
from turnwright.systems.narateer.routes import metres_left, reachable, spaces_of
from turnwright.systems.narateer.senses import ground_of
from turnwright.systems.narateer.sheet import Character, character
from turnwright.systems.narateer.sneak import hidden_factor
from turnwright.systems.narateer.terrain import occupied, route_prices, step_refusals

BLOW = OpportunityAttack()


def reached(known: State, d: Declaration, mode: str, skill: str) -> Iterator[Reached]:
    """Every Space within what a mode still gives, or with a route the Spaces along it."""
    actor = character(known, d.actor)
    if ground_of(known) is None or not isinstance(actor.at, tuple):
        return
    drawn = Drawn(known, actor)
    left = metres_left(known, actor, mode, skill)
    if d.route:
        yield from _along(known, actor, mode, left, spaces_of(d.route), drawn)
        return
    found = reachable(known, d.actor, mode, skill)
    if found is None:
        return
    plain = hidden_factor(known, actor, mode) == 1
    ways: dict[Cell, tuple[Tread, ...]] = {actor.at: ()}
    for came, cell in found.steps():
        if plain:  # what a Space costs does not depend on the way to it
            way = (*ways[came], *_way(known, actor, mode, (cell,), drawn, came))
        else:
            way = _way(known, actor, mode, (*[tread.cell for tread in ways[came]], cell), drawn)
        ways[cell] = way
        if sum([tread.metres for tread in way]) <= left:
            yield Reached(way, found.may_end(cell))


def _along(
    known: State, actor: Character, mode: str, left: Fraction, route: tuple[Cell, ...], drawn: Drawn
) -> Iterator[Reached]:
    """Each part of a route from its beginning, as far as it is legal and there is enough left."""
    field, at = ground_of(known), actor.at
    assert field is not None
    assert isinstance(at, tuple)
    _, crossed = occupied(known, actor)
    way = _way(known, actor, mode, route, drawn)
    for count, cell in enumerate(route, 1):
        part = way[:count]
        steps = (at, *[tread.cell for tread in part])
        ends = cell not in crossed
        barred = [why for why in step_refusals(known, field, actor, steps) if ends or why.code != "OCCUPIED"]
        if barred or sum([tread.metres for tread in part]) > left:
            return
        yield Reached(part, ends)


def _way(
    known: State, actor: Character, mode: str, route: tuple[Cell, ...], drawn: Drawn, came: At = None
) -> tuple[Tread, ...]:
    """A route Space by Space, for what each is charged; it begins where the mover stands, or where it came to.

    Rules: narateer.tactical.terrain-by-spaces-crossed, narateer.sneak.double-movement-cost.
    """
    way, came = list[Tread](), came or actor.at
    for cell, metres, doubled in route_prices(known, actor, mode, route):
        way.append(Tread(cell, Fraction(metres), doubled, drawn.by(came, cell)))
        came = cell
    return tuple(way)


class Drawn:
    """Who would strike at each step, as far as is known; answers are kept while one map is looked at.

    Rules: narateer.opportunity.trigger.
    """

    def __init__(self, known: State, actor: Character) -> None:
        self._known, self._actor = known, actor
        self._kept: dict[tuple[At, Cell], tuple[str, ...]] = {}

    def by(self, came: At, at: Cell) -> tuple[str, ...]:
        """The names of those whose reach the step begins and ends in."""
        found = self._kept.get((came, at))
        if found is None:
            found = self._kept[came, at] = tuple(dict.fromkeys(self._strikers(came, at)))
        return found

    def _strikers(self, came: At, at: Cell) -> Iterator[str]:
        known = self._known.with_actor(replace(self._actor, at=at))
        moment = Stepped(self._actor.id, came, at)
        for blow in BLOW.candidates(known, moment):
            if not any(general(known, BLOW, blow, moment)) and not any(BLOW.refusals(known, blow, moment)):
                yield _named(known, blow.actor)


def _named(known: State, who: ActorId) -> str:
    return character(known, who).name
