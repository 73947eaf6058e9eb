"""What a Space costs and which steps are legal: terrain, who stands where, and what is really in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

from turnwright.engine import Play, ask
from turnwright.model import GUIDE, Cell, Choose, Chosen, Option, Refusal, State, Stretch
from turnwright.rules import Steps
from turnwright.space import Ground, Terrain
from turnwright.systems.narateer.conditions import directions, keeps_direction, metre_cost
from turnwright.systems.narateer.conversion import TACTICAL, units
from turnwright.systems.narateer.events import Halted, Hidden, Revealed
from turnwright.systems.narateer.obstacles import obstacle_metres, way_factor
from turnwright.systems.narateer.senses import ground_of, locates, perceives
from turnwright.systems.narateer.sheet import Character, character, settings
from turnwright.systems.narateer.sneak import hidden_factor

TOPICS = ("terrain", "tactical")


# -- what a Space costs


def factor_of(state: State, terrain: Terrain) -> int:
    """How often a metre counts here; several ordinary reasons count once, a slower way is not added to them.

    Rules: narateer.terrain.difficult-doubles, narateer.terrain.no-self-stacking,
    narateer.terrain.difficult-examples, narateer.terrain.unfamiliar-is-not-difficult.
    """
    rules = settings(state)
    difficult = any(reason != "unfamiliar" for reason in terrain.difficult) or any(
        tag in rules.difficult_terrain for tag in terrain.tags
    )
    return max(way_factor(state, terrain), rules.difficult if difficult else 1)


def spaces(state: State, metres: Fraction) -> int:
    """Metres as Spaces: rounded down, once, at the end.

    Rules: narateer.tactical.two-metre-spaces, narateer.tactical.example-25m.
    """
    return units(state, metres, TACTICAL)


def space_price(state: State, actor: Character, mode: str) -> Callable[[Terrain], int]:
    """Metres of allowance for entering one Space of a terrain, as the mover is now.

    Rules: narateer.tactical.terrain-by-spaces-crossed, narateer.terrain.changes-spend-rate,
    narateer.sneak.double-movement-cost, narateer.sneak.terrain-multiplies.
    """
    base = metre_cost(state, actor)
    twice = hidden_factor(state, actor, mode)
    metres = settings(state).space_metres or 2
    return lambda terrain: metres * (base * factor_of(state, terrain) + terrain.extra) * twice


def step_cost(state: State, actor: Character, mode: str, cell: Cell) -> int:
    """Metres of allowance for one step, what an obstacle adds included."""
    field = ground_of(state)
    if field is None:
        return 0
    added = obstacle_metres(state, cell) * hidden_factor(state, actor, mode)
    return space_price(state, actor, mode)(field.terrain(cell)) + added


def route_cost(state: State, actor: Character, mode: str, route: tuple[Cell, ...]) -> int:
    """Metres of allowance for a whole route, what obstacles add included.

    Rules: narateer.tactical.terrain-by-spaces-crossed (the Spaces entered), narateer.terrain.example-dorn.
    """
    return sum([ground + added for _, ground, added, _ in _entries(state, actor, mode, route)])


def route_prices(
    state: State, actor: Character, mode: str, route: tuple[Cell, ...]
) -> Iterator[tuple[Cell, int, bool]]:
    """For each Space of a route the metres that entering it is charged, and whether hiding doubles them."""
    for cell, ground, added, hidden in _entries(state, actor, mode, route):
        yield cell, ground + added, hidden


def route_stretches(state: State, actor: Character, mode: str, route: tuple[Cell, ...]) -> tuple[Stretch, ...]:
    """The metres of a route item by item: each kind of ground with its Spaces, and what obstacles add."""
    if not route:
        return ()
    kinds: dict[tuple[str, bool], tuple[int, int]] = {}
    obstacles: list[Stretch] = []
    for cell, ground, added, hidden in _entries(state, actor, mode, route):
        field = ground_of(state)
        assert field is not None
        key = (field.terrain(cell).name, hidden)
        count, metres = kinds.get(key, (0, 0))
        kinds[key] = (count + 1, metres + ground)
        if added:
            rule = "narateer.obstacle.ordinary-only-costs"
            obstacles.append(Stretch(Fraction(added), f"the obstacle on {cell}", rule))
    parts = []
    for (name, hidden), (count, metres) in kinds.items():
        rule = "narateer.sneak.double-movement-cost" if hidden else "narateer.tactical.terrain-by-spaces-crossed"
        parts.append(Stretch(Fraction(metres), f"{count} x {name}{', hidden' if hidden else ''}", rule))
    return (*parts, *obstacles)


def _entries(
    state: State, actor: Character, mode: str, route: tuple[Cell, ...]
) -> Iterator[tuple[Cell, int, int, bool]]:
    """For each Space of a route its own metres, those of an obstacle, and whether it is entered while hiding.

    Whoever is plainly seen on the way by all it hides from pays the normal price from the next Space on.
    """
    field = ground_of(state)
    if field is None:
        return
    base, metres = metre_cost(state, actor), settings(state).space_metres or 2
    twice = hidden_factor(state, actor, mode)
    left = fooled(state, actor) if twice != 1 else []
    for cell in route:
        terrain = field.terrain(cell)
        ground = metres * (base * factor_of(state, terrain) + terrain.extra)
        yield cell, ground * twice, obstacle_metres(state, cell) * twice, twice != 1
        if left:
            left = [other for other in left if not perceives(state, other, actor, seen_at=cell)]
            twice = twice if left else 1


def fooled(state: State, actor: Character) -> list[Character]:
    """Those from whom the actor is hidden and who could still catch sight of it."""
    return [
        other
        for held in state.related(Hidden, actor.id)
        if (other := state.actors.get(held.other)) is not None and not other.down
    ]


# -- which steps are legal


def occupied(known: State, actor: Character) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """The Spaces that may not be entered, and those that may be crossed but not ended in.

    Rules: narateer.tactical.blocked-space.
    """
    closed: list[Cell] = []
    crossed: list[Cell] = []
    for other in known.actors.values():
        if other.id == actor.id or not isinstance(other.at, tuple):
            continue
        if other.side == actor.side:
            crossed.append(other.at)
        elif locates(known, actor, other):
            closed.append(other.at)
    return tuple(closed), tuple(crossed)


WHY_NOT = {
    "far": ("narateer.tactical.legal-route", "is not next to the Space before it"),
    "off-map": ("narateer.tactical.blocked-space", "is off the map"),
    "blocked": ("narateer.tactical.blocked-space", "is blocked"),
    "wall": ("narateer.tactical.blocked-space", "lies behind a wall or a closed door"),
    "corner": ("narateer.tactical.legal-route", "lies past a corner that cannot be cut"),
}


def step_refusals(known: State, field: Ground, actor: Character, path: tuple[Cell, ...]) -> Iterator[Refusal]:
    """Every reason against the steps of a path, which begins with the Space that the actor stands on.

    Rules: narateer.tactical.legal-route, narateer.tactical.blocked-space, narateer.condition.direction-still-applies.
    """
    limits = directions(known, actor) if actor.conditions else None
    standing = {other.at: other for other in known.actors.values() if other.at in path and other.id != actor.id}
    for a, b in pairwise(path):
        if not field.may_step(a, b):
            rule, text = WHY_NOT[field.why_not(a, b) or "far"]
            yield Refusal(rule, f"{b} {text}", "ILLEGAL_STEP")
        if b in standing and standing[b].side != actor.side and locates(known, actor, standing[b]):
            yield Refusal("narateer.tactical.blocked-space", f"an opponent stands on {b}", "OCCUPIED")
        if limits is not None and not keeps_direction(limits, a, b):
            text = f"a Condition forbids the step to {b}"
            yield Refusal("narateer.condition.direction-still-applies", text, "DIRECTION")
    if path[-1] in standing and standing[path[-1]].side == actor.side:
        yield Refusal("narateer.tactical.blocked-space", f"an ally stands on {path[-1]}; go on past it", "OCCUPIED")


# -- what is really there


def in_the_way(state: State, mover: str, step: Cell, last: bool) -> Character | str | None:
    """What the next step would run into in truth: somebody unseen, or something solid."""
    actor = character(state, mover)
    field = ground_of(state)
    if field is not None and isinstance(actor.at, tuple) and not field.may_step(actor.at, step):
        return "the way is blocked"
    for other in state.actors.values():
        if other.at == step and other.id != mover and (other.side != actor.side or last):
            return other if isinstance(other, Character) else None
    if actor.conditions and isinstance(actor.at, tuple):
        if not keeps_direction(directions(state, actor), actor.at, step):
            return "a Condition forbids the step"
    return None


def bump(play: Play, mover: str, found: Character) -> Steps[None]:
    """Walking into somebody unseen stops the mover before that Space and, if the guide says so, reveals them.

    Rules: narateer.tactical.blocked-space.
    """
    rule = "narateer.tactical.blocked-space"
    play.emit(Halted(rule, mover, "somebody is in the way"))
    if locates(play.state, character(play.state, mover), found):
        return
    options = (Option("reveal", f"{found.name} is found"), Option("keep", "only the way is barred"))
    given = yield from ask(Choose(GUIDE, "", f"{mover} walks into {found.name}", rule, options, "bump"), Chosen)
    if given.id == "reveal":
        play.emit(Revealed(rule, found.id, mover, "ran into"))
