"""Where a bot goes: into reach by the cheapest mode that gets there, out of reach, to cover, and through doors."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from msgspec.structs import replace

from turnwright.model import Cell, Declaration
from turnwright.space import Ground, Reach, cheapest, distance, ground, in_reach, reach
from turnwright.systems.narateer.conditions import directions
from turnwright.systems.narateer.exchange import arms, reaches
from turnwright.systems.narateer.offmap import place_of
from turnwright.systems.narateer.outlook import Outlook
from turnwright.systems.narateer.routes import AD, metres_left
from turnwright.systems.narateer.senses import hiding, perceives
from turnwright.systems.narateer.sheet import Character, settings
from turnwright.systems.narateer.sprint import sprint_skill
from turnwright.systems.narateer.terrain import occupied, route_cost, space_price
from turnwright.systems.narateer.zones import spent_on, zone_route_to

Route = tuple[Cell, ...]
ZoneRoute = tuple[str, ...]
NEAREST = 3
"""So many opponents are looked at for a way; who is farther off can wait."""


def modes(look: Outlook, spare: int = 0) -> list[tuple[str, Fraction]]:
    """The modes that can still be used with their metres, the cheapest first, if they leave so many AD.

    Nobody sprints out of hiding.
    """
    me, known = look.me, look.known
    if me.mode:
        return [(me.mode, metres_left(known, me, me.mode, me.sprint_skill))]
    open_to = [mode for mode in AD if AD[mode] <= max(0, me.ready - spare)]
    if hiding(known, me.id) or look.uses_left("athletics") < 1:
        open_to = [mode for mode in open_to if mode != "sprint"]
    return [(mode, metres_left(known, me, mode, "athletics")) for mode in open_to]


def going(look: Outlook, mode: str, route: Route | ZoneRoute, why: str) -> Iterator[Declaration]:
    if not route:
        return
    if mode != "sprint":
        yield Declaration(look.me.id, mode, why, mode, route=route)
        return
    skill = look.me.sprint_skill or sprint_skill(look.known, route)[0]
    yield Declaration(look.me.id, mode, why, mode, route=route, options={"skill": skill})


def ways(look: Outlook, metres: Fraction, mode: str) -> Reach | None:
    """Where so many metres lead."""
    me, known = look.me, look.known
    if look.field is None or not isinstance(me.at, tuple):
        return None
    closed, crossed = occupied(known, me)
    nearer, farther = directions(known, me)
    price = space_price(known, me, mode)
    return reach(look.field, me.at, int(metres), price, closed, crossed, nearer, farther)


# -- into reach


def approach(look: Outlook) -> Iterator[Declaration]:
    """To the next opponent by the cheapest mode that gets within reach of a weapon; else as near as a Run leads."""
    if look.field is None:
        for foe in look.foes:
            yield from through_zones(look, foe)
        return
    cost = min(weapon.base_attack_cost for weapon in look.arms)
    found = _reaching(look, modes(look, spare=cost))
    if found is not None:
        mode, route, foe = found
        yield from going(look, mode, route, f"come within reach of {foe.name}")
    for foe in sorted(look.foes, key=look.steps_to)[:NEAREST]:
        if isinstance(foe.at, tuple):
            yield from route_there(look, foe.at)


def _reaching(look: Outlook, open_to: list[tuple[str, Fraction]]) -> tuple[str, Route, Character] | None:
    """The cheapest mode that gets there, with the way and the opponent whom it leads to."""
    if not open_to:
        return None
    longest, most = max(open_to, key=lambda held: held[1])
    space = settings(look.known).space_metres or 2
    widest = max([weapon.spaces or 0 for weapon in look.arms])
    near = [foe for foe in look.foes if (look.steps_to(foe) - max(1, widest)) * space <= most]
    ranged = any(weapon.kind == "ranged" for weapon in look.arms)
    if not near:
        return None
    found = ways(look, most, "walk" if longest != "sprint" or not look.me.mode else "sprint")
    if found is None:
        return None
    near.sort(key=look.steps_to)
    for mode, metres in open_to:
        for foe in near[:NEAREST]:
            goal = _next_to(look, found, foe, metres)
            if goal is not None:
                route = found.route(goal)
                return mode, _up_to_reach(look, route, foe) if ranged else route, foe
    return None


def _next_to(look: Outlook, found: Reach, foe: Character, metres: Fraction) -> Cell | None:
    """The Space that costs least from which a weapon for close quarters reaches somebody."""
    assert look.field is not None
    if not isinstance(foe.at, tuple):
        return None
    spaces = max([weapon.spaces or 1 for weapon in look.arms if weapon.kind == "melee"], default=1)
    best: tuple[int, Cell] | None = None
    (x, y), most = foe.at, int(metres)
    for cell in [(x + dx, y + dy) for dy in range(-spaces, spaces + 1) for dx in range(-spaces, spaces + 1)]:
        cost = found.cost(cell)
        if cost is None or cost > most or (best is not None and (cost, cell) >= best):
            continue
        if found.may_end(cell) and in_reach(look.field, cell, foe.at, spaces):
            best = cost, cell
    return best[1] if best is not None else None


def _up_to_reach(look: Outlook, route: Route, foe: Character) -> Route:
    """The way as far as the first Space from which some weapon reaches."""
    for count, cell in enumerate(route, 1):
        there = _standing(look.me, cell)
        free = all(other.at != cell for other in look.known.actors.values())
        if free and any(reaches(look.known, there, foe, weapon) for weapon in look.arms):
            return route[:count]
    return route


def _standing(me: Character, cell: Cell) -> Character:
    return replace(me, at=cell)


def route_there(look: Outlook, goal: Cell) -> Iterator[Declaration]:
    """As near to a Space as a Run leads, or a Walk; a shut door in the way is opened."""
    me = look.me
    if look.field is None or not isinstance(me.at, tuple) or me.at == goal:
        return
    route = _way(look, look.field, goal)
    if not route:
        yield from through_doors(look, goal)
        return
    for mode, metres in reversed(modes(look)[:2]):
        yield from going(look, mode, _as_far(look, route, mode, metres), f"come nearer to {goal}")


def _way(look: Outlook, field: Ground, goal: Cell) -> Route:
    """The cheapest way, whatever it costs, also to a Space on which somebody stands."""
    me, known = look.me, look.known
    assert isinstance(me.at, tuple)
    closed, _ = occupied(known, me)
    nearer, farther = directions(known, me)
    others = [cell for cell in closed if cell != goal]
    return cheapest(field, me.at, goal, space_price(known, me, me.mode or "walk"), others, nearer, farther) or ()


def _as_far(look: Outlook, route: Route, mode: str, metres: Fraction) -> Route:
    """So much of a way as the metres cover, without ending where somebody stands."""
    taken = [other.at for other in look.known.actors.values() if other.id != look.me.id]
    count = len(route)
    while count and (route[count - 1] in taken or route_cost(look.known, look.me, mode, route[:count]) > metres):
        count -= 1
    return route[:count]


def through_doors(look: Outlook, goal: Cell) -> Iterator[Declaration]:
    """Where only a shut door is in the way: to the door, and then it is opened."""
    assert look.field is not None
    doors = {door.id: door for door in look.field.grid.doors}
    if not doors or not isinstance(look.me.at, tuple):
        return
    route = _way(look, ground(look.field.grid, tuple(doors)), goal)
    for count, (a, b) in enumerate(pairwise((look.me.at, *route))):
        if look.field.may_step(a, b):
            continue
        shut = [door for door in doors.values() if {a, b} == {door.a, door.b} and door.id not in look.known.open_doors]
        if not shut:
            return
        if count:
            for mode, metres in reversed(modes(look)[:2]):
                yield from going(look, mode, _as_far(look, route[:count], mode, metres), "come to the door")
        else:
            yield Declaration(look.me.id, "use", f"open {shut[0].id}", "open", options={"using": shut[0].id})
        return


def through_zones(look: Outlook, foe: Character) -> Iterator[Declaration]:
    """Zone by Zone toward somebody, by the cheapest mode that arrives, else as far as it leads."""
    goal = place_of(look.known, foe.at)
    for arrives in (True, False):
        for mode, metres in modes(look, spare=look.arms[0].base_attack_cost):
            route = zone_route_to(look.known, look.me, mode, goal)
            count = len(route)
            while not arrives and count > 1 and spent_on(look.known, look.me, mode, metres, route[:count]) is None:
                count -= 1
            yield from going(look, mode, route[:count], f"come nearer to {foe.name}")


# -- out of reach, and out of sight


def steps_away(look: Outlook) -> Iterator[Declaration]:
    """Out of reach of blades by a Walk or a Run, to where a shot is still possible."""
    bow = look.arms[0]
    for mode, metres in modes(look, spare=bow.base_attack_cost)[:2]:
        found = ways(look, metres, mode)
        if mode == "sprint" or found is None:
            return
        reach_of = {
            foe.id: max([w.spaces or 1 for w in arms(foe) if w.kind == "melee"], default=1) for foe in look.foes
        }
        best: tuple[int, int, Cell] | None = None
        for cell in found.cells():
            apart = min([_apart(cell, foe) - reach_of[foe.id] for foe in look.foes])
            key = (-min(apart, NEAREST), found.cost(cell) or 0, cell)
            if apart < 1 or (best is not None and key >= best):
                continue
            if any(reaches(look.known, _standing(look.me, cell), foe, bow) for foe in look.foes):
                best = key
        if best is not None:
            yield from going(look, mode, found.route(best[2]), "get out of reach")
            return


def _apart(cell: Cell, foe: Character) -> int:
    return distance(cell, foe.at) if isinstance(foe.at, tuple) else 0


def hiding_places(look: Outlook) -> Iterator[Declaration]:
    """To the next Space where no opponent in sight would see one any more, with a Ready AD left for hiding."""
    field, me = look.field, look.me
    if field is None or not isinstance(me.at, tuple):
        return
    cover = [cell for kind, bits in field.kinds.values() if kind.conceals for cell in field.listed(bits)]
    for mode, metres in modes(look, spare=1)[:2]:
        space = settings(look.known).space_metres or 2
        near = [cell for cell in cover if 0 < distance(cell, me.at) * space <= metres]
        found = ways(look, metres, mode) if near and mode != "sprint" else None
        if found is None:
            continue
        open_to = [cell for cell in near if found.may_end(cell) and not _seen_at(look, cell)]
        if open_to:
            goal = min(open_to, key=lambda cell: (found.cost(cell) or 0, cell))
            yield from going(look, mode, found.route(goal), "get out of sight")
            return


def _seen_at(look: Outlook, cell: Cell) -> bool:
    return any(perceives(look.known, foe, look.me, seen_at=cell) for foe in look.foes)
