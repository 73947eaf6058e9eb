"""Cinematic Mode: metres spent Zone by Zone along the ways that there are, converted once and at the end."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from msgspec.structs import replace

from turnwright.model import Refusal, State, Stretch
from turnwright.space import Terrain, Way, Zones
from turnwright.space.zones import across, cheapest_way, is_open
from turnwright.systems.narateer.conditions import metre_cost
from turnwright.systems.narateer.conversion import CINEMATIC, units
from turnwright.systems.narateer.obstacles import obstacle_metres, way_key
from turnwright.systems.narateer.offmap import ground_at, metres_apart, place_of, zone_metres, zones_of
from turnwright.systems.narateer.senses import perceives
from turnwright.systems.narateer.sheet import Character, conditions_of, settings
from turnwright.systems.narateer.sneak import hidden_factor
from turnwright.systems.narateer.terrain import factor_of, fooled

TOPICS = ("cinematic",)

Route = tuple[str, ...]
"""The Zones in order, without the one that one stands in."""


# -- what a Zone costs


class Crossing:
    """One step from a Zone into the next: how far it is, what it costs in metres, and whether it is Difficult."""

    __slots__ = ("difficult", "hidden", "name", "price", "width")

    def __init__(self, name: str, width: int, price: int, difficult: bool, hidden: bool) -> None:
        self.name, self.width, self.price = name, width, price
        self.difficult, self.hidden = difficult, hidden


def crossing(state: State, actor: Character, here: str, there: str, twice: int) -> Crossing:
    """The step between two Zones as the mover is now; the Zone that is entered and the way set its price.

    Rules: narateer.cinematic.whole-allowance-first, narateer.terrain.changes-spend-rate,
    narateer.sneak.double-movement-cost, narateer.sneak.terrain-multiplies.
    """
    zones = state.scene.zones
    assert zones is not None
    way = zones.way(here, there, state.open_doors)
    grounds = [ground for ground in (ground_at(state, there), way.terrain if way else None) if ground is not None]
    factor = max((factor_of(state, ground) for ground in grounds), default=1)
    extra = sum(ground.extra for ground in grounds)
    width = across(zones, there, zone_metres(state))
    added = obstacle_metres(state, way_key(here, there)) + obstacle_metres(state, there)
    price = (width * (metre_cost(state, actor) * factor + extra) + added) * twice
    name = grounds[0].name if grounds else there
    return Crossing(name, width, price, factor > 1 or extra > 0, twice > 1)


def crossings(state: State, actor: Character, mode: str, route: Route) -> Iterator[Crossing]:
    """The steps of a chain of Zones; whoever is plainly seen on the way by all it hides from sneaks no farther."""
    twice = hidden_factor(state, actor, mode)
    left = fooled(state, actor) if twice != 1 else []
    for a, b in pairwise((place_of(state, actor.at), *route)):
        yield crossing(state, actor, a, b, twice)
        if left:
            left = [other for other in left if not perceives(state, other, actor, seen_at=b)]
            twice = twice if left else 1


def next_crossing(state: State, actor: Character, mode: str, there: str) -> Crossing:
    """The step into a Zone as it is made now."""
    return crossing(state, actor, place_of(state, actor.at), there, hidden_factor(state, actor, mode))


def charge_for(state: State, actor: Character, step: Crossing, left: Fraction, crossed: int) -> Fraction | None:
    """Metres of allowance that a step takes of what is left; None where that does not reach.

    Whoever has crossed no Zone yet crosses one for all that is left, where that is not too little and the way is
    neither Difficult nor sneaked. That least is there because a conversion rounds down and a slow Walk would never
    leave an ordinary Zone; a Zone that states that it is larger than one is a distance and no rounding, and costs it.
    Rules: narateer.cinematic.zone-conversion.
    """
    if step.price <= left:
        return Fraction(step.price)
    least = settings(state).zone_minimum
    if least is None or crossed or step.difficult or step.hidden or step.width > zone_metres(state):
        return None
    return left if left >= least * metre_cost(state, actor) else None


def zones_left(state: State, actor: Character, left: Fraction) -> int:
    """The whole of what is left as Zones of ordinary ground, the least of one included.

    Rules: narateer.cinematic.whole-allowance-first, narateer.cinematic.zone-conversion.
    """
    count = units(state, left, CINEMATIC)
    least = settings(state).zone_minimum
    if count or least is None or actor.crossed:
        return count
    return int(left >= least)


# -- where one can go


def zone_route_to(known: State, actor: Character, mode: str, goal: str) -> Route:
    """The cheapest legal chain of Zones to a goal, also beyond what the allowance covers; empty where there is none."""
    zones = zones_of(known)
    here, named = place_of(known, actor.at), zones.named(goal) if zones is not None else ""
    if zones is None or not named or zones.zone(here) is None:
        return ()

    twice = hidden_factor(known, actor, mode)

    def cost(a: str, way: Way, b: str) -> Fraction | int | None:
        if any(True for _ in _way_refusals(known, zones, way, b)) or not keeps_distance(known, actor, a, b):
            return None
        return crossing(known, actor, a, b, twice).price

    return cheapest_way(zones, here, named, cost) or ()


def reachable_zones(known: State, actor: Character, mode: str, left: Fraction) -> list[str]:
    """Every Zone that what is left leads to, in the order of the scene."""
    zones = zones_of(known)
    if zones is None:
        return []
    found = []
    for zone in zones.zones:
        route = zone_route_to(known, actor, mode, zone.id)
        if route and not any(True for _ in zone_refusals(known, actor, mode, left, route)):
            found.append(zone.id)
    return found


def no_route(known: State, to: str) -> Refusal:
    """Why there is no chain of Zones to where somebody wants to go: there is no such Zone, or no way that leads there.

    Rules: narateer.cinematic.legal-route-required.
    """
    rule, zones = "narateer.cinematic.legal-route-required", zones_of(known)
    if zones is not None and not zones.named(to):
        named = ", ".join(zone.id for zone in zones.zones)
        return Refusal(rule, f"there is no Zone called {to!r}; there are: {named}", "NO_ZONE")
    return Refusal(rule, f"there is no legal route to {to}", "NO_ROUTE")


def zone_refusals(known: State, actor: Character, mode: str, left: Fraction, route: Route) -> Iterator[Refusal]:
    """Every reason against a chain of Zones: no way between two of them, one that is shut, and what it costs.

    Rules: narateer.cinematic.legal-route-required, narateer.divide.total-cap.
    """
    zones, here = zones_of(known), place_of(known, actor.at)
    if zones is None or zones.zone(here) is None:
        rule = "narateer.cinematic.legal-route-required"
        yield Refusal(rule, "there are no Zones here to follow a route through", "NO_MAP")
        return
    legal = True
    for a, b in pairwise((here, *route)):
        for refusal in step_refusals(known, zones, actor, a, b):
            legal = False
            yield refusal
    if legal and spent_on(known, actor, mode, left, route) is None:
        need = sum(step.price for step in crossings(known, actor, mode, route))
        text = f"the way costs {need} m and {float(left):g} m are left ({zones_left(known, actor, left)} Zones)"
        yield Refusal("narateer.divide.total-cap", text, "TOO_FAR")


def step_refusals(known: State, zones: Zones, actor: Character, a: str, b: str) -> Iterator[Refusal]:
    """Every reason against one step between Zones.

    Rules: narateer.cinematic.legal-route-required, narateer.condition.direction-still-applies.
    """
    rule = "narateer.cinematic.legal-route-required"
    if zones.zone(b) is None:
        named = ", ".join(zone.id for zone in zones.zones)
        yield Refusal(rule, f"there is no Zone called {b!r}; there are: {named}", "NO_ZONE")
        return
    way = zones.way(a, b, known.open_doors)
    if way is None:
        yield Refusal(rule, f"no way leads from {_name(zones, a)} to {_name(zones, b)}", "ILLEGAL_STEP")
        return
    yield from _way_refusals(known, zones, way, b)
    if not keeps_distance(known, actor, a, b):
        text = f"a Condition forbids the step to {_name(zones, b)}"
        yield Refusal("narateer.condition.direction-still-applies", text, "DIRECTION")


def _way_refusals(known: State, zones: Zones, way: Way, into: str) -> Iterator[Refusal]:
    rule, zone = "narateer.cinematic.legal-route-required", zones.zone(into)
    if zone is not None and zone.terrain.blocked:
        yield Refusal(rule, f"{zone.name} cannot be entered", "BLOCKED")
    if not is_open(way, known.open_doors):
        what = f"{way.door} is closed" if way.door and not way.terrain.blocked else f"{way.terrain.name} is blocked"
        yield Refusal(rule, f"{what} between {_name(zones, way.a)} and {_name(zones, way.b)}", "ILLEGAL_STEP")


def _name(zones: Zones, id: str) -> str:
    zone = zones.zone(id)
    return zone.name if zone is not None else id


def keeps_distance(state: State, actor: Character, a: str, b: str) -> bool:
    """Whether a step between Zones goes where a Condition allows: no nearer to, or no farther from, somebody's Zone."""
    for _, condition in conditions_of(state, actor) if actor.conditions else ():
        for phrase in condition.never:
            way, _, name = phrase.partition(" ")
            other = state.actors.get(name)
            if other is None:
                continue
            before, after = metres_apart(state, a, other.at), metres_apart(state, b, other.at)
            if before is None or after is None:
                continue
            if (after < before) if way == "nearer" else (after > before):
                return False
    return True


def spent_on(known: State, actor: Character, mode: str, left: Fraction, route: Route) -> Fraction | None:
    """Metres of allowance that a whole chain of Zones takes of what is left; None where that does not reach.

    Rules: narateer.cinematic.whole-allowance-first (the ledger is metres; Zones are never added up).
    """
    spent, crossed = Fraction(0), actor.crossed
    for step in crossings(known, actor, mode, route):
        metres = charge_for(known, actor, step, left - spent, crossed)
        if metres is None:
            return None
        spent, crossed = spent + metres, crossed + 1
    return spent


def zone_stretches(known: State, actor: Character, mode: str, left: Fraction, route: Route) -> tuple[Stretch, ...]:
    """The metres of a chain of Zones, one by one, as they will be charged; what does not reach at its full price."""
    zones, here = zones_of(known), place_of(known, actor.at)
    if zones is None or zones.zone(here) is None:
        return ()
    parts, crossed = list[Stretch](), actor.crossed
    if any(zones.way(a, b) is None for a, b in pairwise((here, *route))):
        return ()
    for step, b in zip(crossings(known, actor, mode, route), route, strict=True):
        metres = charge_for(known, actor, step, left, crossed)
        rule = "narateer.sneak.double-movement-cost" if step.hidden else "narateer.cinematic.zone-conversion"
        why = f"{_name(zones, b)}{', hidden' if step.hidden else ''}"
        parts.append(Stretch(Fraction(step.price) if metres is None else metres, why, rule))
        left, crossed = left - parts[-1].metres, crossed + 1
    return tuple(parts)


def grounds_of(state: State, actor: Character, route: tuple[object, ...]) -> list[Terrain]:
    """The ground of each step of a chain of Zones, with what the way to it demands."""
    zones = zones_of(state)
    found = []
    for a, b in pairwise((place_of(state, actor.at), *route)):
        ground, way = ground_at(state, str(b)), zones.way(str(a), str(b)) if zones is not None else None
        if ground is not None:
            found.append(replace(ground, tags=(*ground.tags, *way.terrain.tags)) if way is not None else ground)
    return found


def on_the_way(state: State, mover: Character, step: str) -> str | None:
    """What in truth bars the next step between Zones."""
    zones = zones_of(state)
    if zones is None:
        return "the scene has no Zones"
    against = list(step_refusals(state, zones, mover, place_of(state, mover.at), step))
    return against[0].text if against else None
