"""Where a movement leads: what is left of its allowance, the routes within it, the same way in another Scene Mode."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from msgspec.structs import replace

from turnwright.model import Cell, Declaration, Refusal, Ruling, State
from turnwright.space import Reach, cheapest, reach
from turnwright.systems.narateer.allowance import remaining
from turnwright.systems.narateer.conditions import directions
from turnwright.systems.narateer.conversion import CINEMATIC, TACTICAL
from turnwright.systems.narateer.offmap import place_of
from turnwright.systems.narateer.places import goal_named, where_is
from turnwright.systems.narateer.senses import ground_of
from turnwright.systems.narateer.sheet import Character, character, settings
from turnwright.systems.narateer.terrain import occupied, route_cost, space_price, spaces, step_refusals
from turnwright.systems.narateer.zones import zone_route_to

Route = tuple[Cell | str, ...]
"""The Spaces or the Zones in order, without the one that the mover is in."""


MODES = ("walk", "run", "sprint")
"""Rules: narateer.move.pick-a-mode."""


AD = {"walk": 0, "run": 1, "sprint": 2}


EXTRA = "extra_move"


def metres_left(state: State, actor: Character, mode: str, skill: str = "") -> Fraction:
    """Metres that a mode, or what was granted beside it, still gives; fractions are kept.

    Rules: narateer.sequence.keep-fractions, narateer.sequence.bm-modifiers-then-encumbrance,
    narateer.move.spent-movement-stays-spent, narateer.additional.separate-from-normal.
    """
    return actor.extra if mode == EXTRA else remaining(state, actor, mode, skill)


def reachable(known: State, actor_id: str, mode: str, skill: str = "") -> Reach | None:
    """Where a mode leads from here with what is left of it; None off a map.

    Rules: narateer.move.limited-by-other-rules.
    """
    field, actor = ground_of(known), character(known, actor_id)
    if field is None or not isinstance(actor.at, tuple):
        return None
    left = spaces(known, metres_left(known, actor, mode, skill)) * (settings(known).space_metres or 2)
    closed, crossed = occupied(known, actor)
    nearer, farther = directions(known, actor)
    return reach(field, actor.at, left, space_price(known, actor, mode), closed, crossed, nearer, farther)


def route_to(known: State, actor_id: str, mode: str, goal: Cell) -> tuple[Cell, ...]:
    """The cheapest legal route, also beyond what the allowance covers; empty where there is none."""
    field, actor = ground_of(known), character(known, actor_id)
    if field is None or not isinstance(actor.at, tuple):
        return ()
    closed, _ = occupied(known, actor)
    nearer, farther = directions(known, actor)
    price = space_price(known, actor, mode)
    return cheapest(field, actor.at, goal, price, closed, nearer, farther) or ()


def route_refusals(
    known: State, actor: Character, mode: str, left: Fraction, route: tuple[Cell, ...]
) -> Iterator[Refusal]:
    """Every reason why a route is not legal: its steps, who stands there, where a Condition forbids to go, its cost.

    Rules: narateer.divide.total-cap.
    """
    field = ground_of(known)
    if field is None or not isinstance(actor.at, tuple):
        yield Refusal("narateer.tactical.legal-route", "there is no map to follow a route on", "NO_MAP")
        return
    yield from step_refusals(known, field, actor, (actor.at, *route))
    if all(field.grid.contains(cell) for cell in route):
        need = route_cost(known, actor, mode, route)
        if need > left:
            text = f"the route costs {need} m and {float(left):g} m are left ({spaces(known, left)} Spaces)"
            yield Refusal("narateer.divide.total-cap", text, "TOO_FAR")


def route_rule(state: State, blocked: bool = False) -> str:
    """The rule by which a route is legal in this Scene Mode."""
    if state.mode == CINEMATIC:
        return "narateer.cinematic.legal-route-required"
    return "narateer.tactical.blocked-space" if blocked else "narateer.tactical.legal-route"


def asked_for(state: State) -> str:
    """What a movement without a goal is asked for: on a map the route, among Zones the goal."""
    return "to" if state.mode == CINEMATIC else "route"


def spaces_of(route: Route) -> tuple[Cell, ...]:
    return tuple([step for step in route if isinstance(step, tuple)])


def zone_names(route: Route) -> tuple[str, ...]:
    """A route as Zones; a Space is none, and is refused by its name."""
    return tuple([step if isinstance(step, str) else f"{step[0]},{step[1]}" for step in route])


def fitting(state: State, d: Declaration, mode: str) -> Declaration:
    """A movement that was declared before the Scene Mode was shifted: the same way, as this mode shows it.

    Rules: narateer.scene.shift-preserves.
    """
    strange = [step for step in d.route if isinstance(step, str) == (state.mode == TACTICAL)]
    if d.route and not strange:
        return d
    actor = character(state, d.actor)
    if not d.route:
        return replace(d, route=_route_in_words(state, d, mode))
    if state.mode == CINEMATIC:
        route = list[str]()
        for step in d.route:
            zone = place_of(state, step)
            if zone and zone != (route[-1] if route else place_of(state, actor.at)):
                route.append(zone)
        return replace(d, route=tuple(route))
    zones, last = state.scene.zones, d.route[-1]
    found = zones.zone(last) if zones is not None and isinstance(last, str) else None
    ways = [route_to(state, d.actor, mode, cell) for cell in found.cells] if found is not None else []
    return replace(d, route=min([way for way in ways if way], key=len, default=()))


def worded(state: State, d: Declaration, ruling: Ruling | None, left: Fraction) -> tuple[Declaration, Ruling]:
    """A movement as Story Mode shows it: one that was declared on a map leads to the place that its way ends in.

    What that takes nobody has weighed; it takes no more than is left.
    Rules: narateer.scene.shift-preserves.
    """
    if ruling is not None and ruling.kind != "procedure":
        return d, ruling
    place = place_of(state, d.route[-1]) if d.route else ""
    if place:
        d = replace(d, route=(), options={"relation": "in", **d.options, "to": place})
    return d, Ruling("automatic", amount=ceil(left))


def _route_in_words(state: State, d: Declaration, mode: str) -> Route:
    """The way to what a declaration in words names: to its Zone, or beside whoever stands on the map."""
    actor, goal = character(state, d.actor), goal_named(state, d.actor, d.option("to"))
    if state.mode == CINEMATIC:
        return zone_route_to(state, actor, mode, where_is(state, goal)) if goal else ()
    other = state.actors.get(goal)
    if other is None or not isinstance(other.at, tuple):
        return ()
    return route_beside(state, d.actor, mode, other.at)


def route_beside(state: State, actor: str, mode: str, goal: Cell) -> tuple[Cell, ...]:
    """The shortest legal route to a Space beside another."""
    field = ground_of(state)
    near = field.listed_next(goal) if field is not None else ()
    if character(state, actor).at in near:
        return ()
    ways = [route_to(state, actor, mode, cell) for cell in near]
    return min([way for way in ways if way], key=len, default=())


def spot(text: str) -> Cell | None:
    """A Space written as `x,y`; None for anything else."""
    try:
        return to_cell(text)
    except ValueError:
        return None


def to_cell(text: str) -> Cell:
    """A Space written as `x,y`, in brackets or not. Raises ValueError for anything else."""
    x, y = text.strip("()[] ").split(",")
    return int(x), int(y)
