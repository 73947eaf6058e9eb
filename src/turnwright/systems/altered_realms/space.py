"""Tiles of 1 m: who fills which, how far it is, what a step costs, who is seen; no rule of movement itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.model import Cell, Refusal, State
from turnwright.space import Ground, Terrain, ground, in_reach, sees
from turnwright.space.grid import distance
from turnwright.systems.altered_realms.events import Carries
from turnwright.systems.altered_realms.holding import attached_to
from turnwright.systems.altered_realms.sheet import Creature, conditions_of, creature, settings


def ground_of(state: State) -> Ground | None:
    return ground(state.scene.grid, state.open_doors) if state.scene.grid is not None else None


def side_length(state: State, who: Creature) -> int:
    """How many tiles the creature is across.

    Rules: altered-realms.throw-opponent.larger-bigger-projectile.
    """
    across: int = state.scene.settings.footprints.get(who.size, 1)
    return across


def tiles_at(state: State, who: Creature, at: Cell) -> tuple[Cell, ...]:
    """The tiles that the creature fills when its north-west corner is there."""
    across = side_length(state, who)
    if across == 1:
        return (at,)
    return tuple([(at[0] + dx, at[1] + dy) for dy in range(across) for dx in range(across)])


def tiles(state: State, who: Creature) -> tuple[Cell, ...]:
    at = who.at
    if not isinstance(at, tuple):
        return ()
    return (at,) if side_length(state, who) == 1 else tiles_at(state, who, at)


def gap(state: State, a: Creature, b: Creature) -> int | None:
    """Metres between the nearest tiles of two creatures, a diagonal step being one; None off the map."""
    one, two = tiles(state, a), tiles(state, b)
    return min([distance(x, y) for x in one for y in two], default=None)


def touches(state: State, a: Creature, b: Creature, metres: int) -> bool:
    """Whether b is within so many metres of a with nothing solid between."""
    field = ground_of(state)
    if field is None:
        return False
    if not _any_in_reach(field, tiles(state, a), tiles(state, b), metres):
        return False
    flat = field.level and a.aloft is None and b.aloft is None
    return flat or abs(depth(state, a) - depth(state, b)) <= metres


def _any_in_reach(field: Ground, body: tuple[Cell, ...], other: tuple[Cell, ...], metres: int) -> bool:
    for x in body:
        for y in other:
            if in_reach(field, x, y, metres):
                return True
    return False


def depth(state: State, who: Creature) -> int:
    """How many metres below the ground of the map the creature is."""
    if who.aloft is not None:
        return who.aloft
    return drop_at(state, who, who.at) if isinstance(who.at, tuple) else 0


def in_melee(state: State, a: Creature, b: Creature, reach: int = 0) -> bool:
    """Whether b is in a's melee range: between the nearest tiles of the two."""
    return a.id != b.id and touches(state, a, b, reach or settings(state).melee_range)


def in_sight(state: State, a: Creature, b: Creature) -> bool:
    """Whether a clear line joins some tile of each, and a can see at all."""
    field = ground_of(state)
    if field is None or not all(condition.sees for _, condition in conditions_of(state, a)):
        return False
    return any(sees(field, x, y) for x in tiles(state, a) for y in tiles(state, b))


def in_earshot(state: State, a: Creature, b: Creature, metres: int) -> bool:
    between = gap(state, a, b)
    return between is not None and between <= metres


# -- steps


def others_at(state: State, who: Creature, cells: Iterable[Cell]) -> Iterator[Creature]:
    """Everybody else who fills one of these tiles."""
    wanted = frozenset(cells)
    for other in state.actors.values():
        if other.id != who.id and not wanted.isdisjoint(tiles(state, other)):
            yield other


def in_the_way(state: State, who: Creature, cells: Iterable[Cell]) -> Iterator[Creature]:
    """Everybody else there but those who are attached to the creature and are carried along."""
    carried = taken_along(state, who.id)
    return (other for other in others_at(state, who, cells) if other.id not in carried)


def taken_along(state: State, actor: str) -> tuple[str, ...]:
    """Whoever goes wherever the creature goes: attached to a part of it, or carried, and whoever goes with those.

    Rules: altered-realms.grapple.larger-attached, altered-realms.carry.who.
    """
    if not state.relations:
        return ()
    found = [actor]
    for one in found:
        found.extend(other for other in tied_to(state, one) if other not in found)
    return tuple(found[1:])


def tied_to(state: State, actor: str) -> tuple[str, ...]:
    """Whoever is attached to the creature itself or carried by it."""
    return (*attached_to(state, actor), *[tie.other for tie in state.related(Carries, actor)])


def free_for(state: State, who: Creature, at: Cell, level: int | None = None, but: tuple[str, ...] = ()) -> bool:
    """Whether the creature could be there: ground on its own level, or so many metres down, and nobody else.

    `but` are those who are not in its way.
    """
    field, body = ground_of(state), tiles_at(state, who, at)
    if field is None or any(field.terrain(cell).blocked for cell in body):
        return False
    if drop_at(state, who, at) != (depth(state, who) if level is None else level):
        return False
    return not any(other.id not in but for other in others_at(state, who, body))


def step_fits(state: State, who: Creature, a: Cell, b: Cell) -> bool:
    """Whether the ground lets the whole body go one step from a to b; who stands there is not asked."""
    field = ground_of(state)
    if field is None:
        return False
    dx, dy = b[0] - a[0], b[1] - a[1]
    return all(field.may_step(cell, (cell[0] + dx, cell[1] + dy)) for cell in tiles_at(state, who, a))


def hard(terrain: Terrain) -> bool:
    return bool(terrain.difficult) or terrain.factor > 1


DEMANDS = ("climb", "swim")
"""Tags of a tile that cost double without the movement type of that name."""


def movement_type(who: Creature) -> str:
    """How the creature moves: as its Movement was begun, else on foot, else by the first type on its sheet.

    Rules: altered-realms.movement.stat-line.
    """
    return who.moving or ("walk" if "walk" in who.moves else who.moves[0])


def flying(state: State, who: Creature) -> bool:
    return movement_type(who) == "fly" and not crawling(state, who)


def slow_for(who: Creature, terrain: Terrain) -> bool:
    """Whether a metre there costs double: hard ground, a climb, water; not for whoever has the movement type.

    Rules: altered-realms.movement.only-for-relocation, altered-realms.movement.stat-line.
    """
    if not (hard(terrain) or terrain.tags) or movement_type(who) == "fly":
        return False
    demanded = [tag for tag in terrain.tags if tag in DEMANDS]
    if terrain.difficult or any(tag not in who.moves for tag in demanded):
        return True
    return terrain.factor > 1 and not demanded


def carries_it(state: State, who: Creature, at: Cell) -> bool:
    """Whether the ground there is for that movement type: whoever only swims or climbs leaves no water, no wall.

    Rules: altered-realms.movement.stat-line.
    """
    field, by = ground_of(state), movement_type(who)
    if field is None or by not in DEMANDS:
        return True
    return all(by in field.terrain(cell).tags for cell in tiles_at(state, who, at))


def level_fits(state: State, who: Creature, at: Cell, *, last: bool, here: Cell | None = None) -> bool:
    """Whether a step leads down no ledge; a flight crosses drops, and comes down on the level that it began on.

    `here` is where the step begins, where that is not where the creature is.
    Rules: altered-realms.movement.stat-line.
    """
    drop = drop_at(state, who, at)
    if flying(state, who):
        return not last or drop == depth(state, who)
    return drop <= (depth(state, who) if here is None else drop_at(state, who, here))


def crawling(state: State, who: Creature) -> bool:
    return any(condition.crawls for _, condition in conditions_of(state, who))


def step_cost(state: State, who: Creature, a: Cell, b: Cell) -> int:
    """Metres of Movement for one step: doubled, once, on hard ground or for whoever crawls; and what it climbs."""
    field = ground_of(state)
    rule = settings(state)
    up = 0 if field is None or field.level else climb(state, who, a, b)
    metres = rule.diagonal if a[0] != b[0] and a[1] != b[1] else 1
    slow = crawling(state, who)
    if field is not None and not slow and not field.plain:
        slow = any(slow_for(who, field.terrain(cell)) for cell in tiles_at(state, who, b))
    return up + (metres * rule.difficult if slow else metres)


def climb(state: State, who: Creature, a: Cell, b: Cell) -> int:
    """Metres of Movement for the height of a step out of a pit: doubled for whoever has no movement type for it.

    Rules: altered-realms.movement.only-for-relocation, altered-realms.movement.stat-line.
    """
    height = drop_at(state, who, a) - drop_at(state, who, b)
    if height <= 0 or flying(state, who):
        return 0
    return height if "climb" in who.moves else height * settings(state).difficult


def drop_at(state: State, who: Creature, at: Cell) -> int:
    """Metres that the creature falls there: no tile under it is solid."""
    field = ground_of(state)
    if field is None or field.level:
        return 0
    return min([field.terrain(cell).drop for cell in tiles_at(state, who, at)], default=0)


def way_there(state: State, who: Creature, goal: Cell) -> tuple[Cell, ...]:
    """The cheapest way for the whole body, past nobody but allies, and of several the one with fewest diagonal steps.

    Empty where there is none.
    """
    stands = _stands(state, who)
    if not level_fits(state, who, goal, last=True):
        return ()
    if not isinstance(who.at, tuple) or who.at == goal or any(cell in stands for cell in tiles_at(state, who, goal)):
        return ()
    for cell, _, came in _spread(state, who, who.at):
        if cell == goal:
            return _way_back(came, who.at, goal)
    return ()


def ways_from(state: State, who: Creature, metres: int) -> Iterator[tuple[Cell, tuple[Cell, ...]]]:
    """Every tile within so many metres of Movement, the nearest first, with the way that `way_there` gives."""
    if not isinstance(who.at, tuple):
        return
    for cell, cost, came in _spread(state, who, who.at):
        if cost // STRAIGHT > metres:
            return
        if cell != who.at:
            yield cell, _way_back(came, who.at, cell)


def free_end(state: State, who: Creature, at: Cell) -> bool:
    """Whether a move may end there: on nobody, and over no drop."""
    free = next(in_the_way(state, who, tiles_at(state, who, at)), None) is None
    return free and level_fits(state, who, at, last=True)


def _spread(state: State, who: Creature, start: Cell) -> Iterator[tuple[Cell, int, dict[Cell, Cell]]]:
    """The tiles that ways lead to, the cheapest first: with the cost, and for each tile the one before it."""
    stands = _stands(state, who)
    costs: dict[Cell, int] = {start: 0}
    came: dict[Cell, Cell] = {}
    waves: dict[int, list[Cell]] = {0: [start]}
    while waves:
        now = min(waves)
        for cell in sorted(waves.pop(now)):
            if costs[cell] < now:
                continue
            yield cell, now, came
            for near in neighbours(cell):
                if not _walkable(state, who, cell, near, stands):
                    continue
                crosswise = int(cell[0] != near[0] and cell[1] != near[1])
                cost = now + STRAIGHT * step_cost(state, who, cell, near) + crosswise
                if cost < costs.get(near, cost + 1):
                    costs[near], came[near] = cost, cell
                    waves.setdefault(cost, []).append(near)


STRAIGHT = 10_000
"""How much a metre outweighs a diagonal step, where a way is looked for."""


def neighbours(cell: Cell) -> Iterator[Cell]:
    for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)):
        yield cell[0] + dx, cell[1] + dy


def _stands(state: State, who: Creature) -> dict[Cell, bool]:
    """The tiles on which somebody else stands who is not carried along, and whether it is an ally."""
    everybody = [cell for other in state.actors.values() for cell in tiles(state, other)]
    others = in_the_way(state, who, everybody)
    found: dict[Cell, bool] = {}
    for other in others:
        for cell in tiles(state, other):
            found[cell] = found.get(cell, True) and other.side == who.side
    return found


def _walkable(state: State, who: Creature, a: Cell, b: Cell, stands: dict[Cell, bool]) -> bool:
    if any(not stands.get(cell, True) for cell in tiles_at(state, who, b)):
        return False
    return step_fits(state, who, a, b) and carries_it(state, who, b) and level_fits(state, who, b, last=False, here=a)


def _way_back(came: dict[Cell, Cell], start: Cell, goal: Cell) -> tuple[Cell, ...]:
    way = [goal]
    while came[way[-1]] != start:
        way.append(came[way[-1]])
    return tuple(reversed(way))


def route_refusals(state: State, who: Creature, route: tuple[Cell, ...]) -> Iterator[Refusal]:
    """Every reason why a way cannot be walked: its steps, and who stands on it.

    Own movement may cross an ally's tiles and nobody else's, and ends on nobody's.
    """
    rule = "altered-realms.movement.only-for-relocation"
    here = who.at
    if not isinstance(here, tuple):
        yield Refusal(rule, "there is no map to move on", "NO_MAP")
        return
    for index, cell in enumerate(route):
        if not step_fits(state, who, here, cell):
            yield Refusal(rule, f"no step leads from {here} to {cell}", "NO_STEP")
            return
        if not carries_it(state, who, cell):
            yield Refusal(rule, f"{who.name} can only {movement_type(who)}, and not to {cell}", "WRONG_GROUND")
        if not level_fits(state, who, cell, last=index == len(route) - 1, here=here):
            text = f"there is a drop between {here} and {cell}; nobody walks over it or ends a flight above it"
            yield Refusal(rule, text, "LEDGE")
        for other in in_the_way(state, who, tiles_at(state, who, cell)):
            if other.side != who.side:
                yield Refusal(rule, f"{other.name} stands in the way at {cell}", "IN_THE_WAY")
            elif index == len(route) - 1:
                yield Refusal(rule, f"{other.name} stands at {cell}; no move ends there", "OCCUPIED")
        here = cell


def route_cost(state: State, who: Creature, route: tuple[Cell, ...]) -> int:
    here, total = who.at, 0
    assert isinstance(here, tuple)
    for cell in route:
        total += step_cost(state, who, here, cell)
        here = cell
    return total


def reaches(state: State, by: str, target: str, metres: int) -> bool:
    """The same for a ranged attack: within so many metres, 0 without limit, and in line of sight."""
    a, b = creature(state, by), creature(state, target)
    between = gap(state, a, b)
    return between is not None and (not metres or between <= metres) and in_sight(state, a, b)
