"""Where a bot goes: into reach, along a straight run for a Charge, out of reach, and to locks and things."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwright.model import Cell, Declaration
from turnwright.space import Reach, Terrain, distance, in_reach, reach
from turnwright.systems.altered_realms.charge import RUN
from turnwright.systems.altered_realms.outlook import Outlook
from turnwright.systems.altered_realms.sheet import Creature, settings
from turnwright.systems.altered_realms.space import (
    crawling,
    free_for,
    hard,
    in_the_way,
    side_length,
    step_cost,
    step_fits,
    tiles,
    way_there,
)

Route = tuple[Cell, ...]
NEAREST = 3
"""So many opponents are looked at for a way; who is farther off can wait."""
COMPASS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
ANYWHERE = 1_000
"""Metres that lead from anywhere to anywhere."""


def ways(look: Outlook) -> Reach | None:
    """Where the ground leads: around opponents, across allies, over no ledge; None where steps are not all alike."""
    me, field = look.me, look.field
    if field is None or not isinstance(me.at, tuple) or settings(look.known).diagonal != 1:
        return None
    if look.ways is None:
        everybody = [cell for other in look.known.actors.values() for cell in tiles(look.known, other)]
        others = list(in_the_way(look.known, me, everybody))
        closed = [cell for other in others if other.side != me.side for cell in tiles(look.known, other)]
        crossed = [cell for other in others if other.side == me.side for cell in tiles(look.known, other)]
        depth = field.terrain(me.at).drop
        for terrain, bits in field.kinds.values():
            if terrain.drop != depth or (terrain.blocked and side_length(look.known, me) > 1):
                closed += field.listed(bits)
        look.ways = reach(field, me.at, ANYWHERE, _price(look), _under(look, closed), _under(look, crossed))
    return look.ways


def _under(look: Outlook, cells: list[Cell]) -> list[Cell]:
    """Where the corner of the body would be with some of it on one of these tiles."""
    across = side_length(look.known, look.me)
    if across == 1:
        return cells
    return [(x - dx, y - dy) for x, y in cells for dx in range(across) for dy in range(across)]


def _price(look: Outlook) -> Callable[[Terrain], int]:
    doubled, slow = settings(look.known).difficult, crawling(look.known, look.me)

    def price(terrain: Terrain) -> int:
        return doubled if slow or hard(terrain) else 1

    return price


def walking(look: Outlook, route: Route) -> Iterator[Declaration]:
    if route:
        yield Declaration(look.me.id, "walk", route=route)


def as_far(look: Outlook, route: Route) -> Route:
    """As much of a way as can be walked in this turn and ends on a free tile."""
    metres, here, count = look.metres, look.me.at, 0
    for cell in route:
        assert isinstance(here, tuple)
        metres -= step_cost(look.known, look.me, here, cell)
        if metres < 0:
            break
        here, count = cell, count + 1
    for length in range(count, 0, -1):
        if free_for(look.known, look.me, route[length - 1]):
            return route[:length]
    return ()


# -- into reach


def places_by(look: Outlook, body: Route, metres: int = 1) -> list[Cell]:
    """The tiles from which something is at most so many metres away with nothing solid between, nearest first."""
    found = look.places.get((body, metres))
    if found is None:
        found = look.places[body, metres] = _places_by(look, body, metres)
    return found


def _places_by(look: Outlook, body: Route, metres: int) -> list[Cell]:
    across, at, field = side_length(look.known, look.me), look.me.at, look.field
    if field is None or not isinstance(at, tuple):
        return []
    around = range(1 - across - metres, metres + 1)
    found = dict.fromkeys(
        [
            cell
            for x, y in body
            if abs(field.terrain((x, y)).drop - field.terrain(at).drop) <= metres
            for cell in [(x + dx, y + dy) for dx in around for dy in around]
            if across > 1 or in_reach(field, cell, (x, y), metres)
        ]
    )
    return sorted(found, key=lambda cell: (distance(cell, at), cell))


def way_beside(look: Outlook, body: Route, metres: int = 1) -> Route:
    """The cheapest way to a free tile from which something is at most so many metres away."""
    route = look.beside.get((body, metres))
    if route is None:
        route = look.beside[body, metres] = _way_beside(look, body, metres)
    return route


def _way_beside(look: Outlook, body: Route, metres: int) -> Route:
    if not isinstance(look.me.at, tuple):
        return ()
    found, places = ways(look), places_by(look, body, metres)
    if found is not None:
        open_to = [(found.cost(cell), cell) for cell in places if found.may_end(cell)]
        best = min([(cost, cell) for cost, cell in open_to if cost is not None], default=None)
        route = () if best is None else found.route(best[1])
        if not route or _fits(look, route):
            return route
    routes = (way_there(look.known, look.me, cell) for cell in places if free_for(look.known, look.me, cell))
    return next((route for route in routes if route), ())


def _fits(look: Outlook, route: Route) -> bool:
    """Whether the ground lets the whole body go that way."""
    if side_length(look.known, look.me) == 1:
        return True
    here = look.me.at
    for cell in route:
        if not isinstance(here, tuple) or not step_fits(look.known, look.me, here, cell):
            return False
        here = cell
    return True


def reach_of(look: Outlook) -> int:
    """Metres that its longest weapon for close quarters reaches."""
    plain = settings(look.known).melee_range
    return max([weapon.reach or plain for weapon in look.arms if weapon.kind == "melee"], default=plain)


def approach(look: Outlook) -> Iterator[Declaration]:
    """Toward the nearest opponents to whom there is a way, as far as Movement leads."""
    for foe in look.foes[:NEAREST]:
        yield from walking(look, as_far(look, way_beside(look, tiles(look.known, foe), reach_of(look))))


def cut_off(look: Outlook) -> bool:
    """Whether no way leads to any opponent."""
    return not any(way_beside(look, tiles(look.known, foe), reach_of(look)) for foe in look.foes)


# -- a run for a Charge


def charging_runs(look: Outlook) -> Iterator[Declaration]:
    """Ways that end with a straight, clear run beside an opponent, the cheapest first."""
    found = ways(look)
    if found is None or look.metres < RUN:
        return
    runs: list[tuple[int, Cell, Cell]] = []
    for foe in look.foes[:NEAREST]:
        if look.metres_to(foe) <= look.metres + reach_of(look):
            runs += _runs_at(look, found, foe)
    for _, start, way in sorted(runs):
        first = found.route(start) if start != look.me.at else ()
        yield from walking(look, (*first, *_line(start, way)))


def _runs_at(look: Outlook, found: Reach, foe: Creature) -> Iterator[tuple[int, Cell, Cell]]:
    body, metres = tiles(look.known, foe), look.metres
    for end in places_by(look, body, reach_of(look)):
        if not found.may_end(end):
            continue
        left = min([distance(end, cell) for cell in body])
        for way in COMPASS:
            start = (end[0] - RUN * way[0], end[1] - RUN * way[1])
            cost = 0 if start == look.me.at else found.cost(start)
            if cost is None or cost + RUN > metres or min([distance(start, cell) for cell in body]) <= left:
                continue
            if _clear(look, found, start, way):
                yield cost + RUN, start, way


def _line(start: Cell, way: Cell) -> Route:
    return tuple([(start[0] + n * way[0], start[1] + n * way[1]) for n in range(1, RUN + 1)])


def _clear(look: Outlook, found: Reach, start: Cell, way: Cell) -> bool:
    assert look.field is not None
    here = start
    for cell in _line(start, way):
        if not look.field.may_step(here, cell) or hard(look.field.terrain(cell)) or not found.may_end(cell):
            return False
        here = cell
    return not crawling(look.known, look.me)


# -- out of reach


def fall_back(look: Outlook) -> Iterator[Declaration]:
    """To the tile within this turn's Movement that is farthest from all opponents, if it is farther than here."""
    found = ways(look)
    if found is None or not isinstance(look.me.at, tuple) or not look.foes:
        return
    bodies = [tiles(look.known, foe) for foe in look.foes]

    def apart(cell: Cell) -> int:
        return min([distance(cell, there) for body in bodies for there in body])

    open_to = [
        (apart(cell), -(found.cost(cell) or 0), cell) for cell in found.cells() if _affordable(look, found, cell)
    ]
    best = max(open_to, default=None)
    if best is not None and best[0] > apart(look.me.at):
        yield from walking(look, found.route(best[2]))


def _affordable(look: Outlook, found: Reach, cell: Cell) -> bool:
    cost = found.cost(cell)
    return cost is not None and cost <= look.metres
