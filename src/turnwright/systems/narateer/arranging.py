"""Which Spaces of a map fit what was stated: near is beside, behind is out of sight, and the unseen stay unseen."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from turnwright.model import ActorId, At, Cell, Relation, Stands, State
from turnwright.space import Ground, distance, ground, sees_plainly
from turnwright.systems.narateer.events import Record
from turnwright.systems.narateer.offmap import landmark
from turnwright.systems.narateer.senses import opponents, perceives
from turnwright.systems.narateer.sheet import Character, settings

Placing = dict[ActorId, Cell]
FAR = 3
"""Steps from which on somebody is far from another on a map: farther than a blow with a long weapon."""
SEEN, LOST, STRAY = 1_000, 30, 10
"""How ill a Space fits: by each pair that comes into sight, or out of it, and each step from where one should be."""
EYES = {"sight": 0}
"""By these Spaces are chosen, whatever senses somebody has: sight of any reach."""
LOOKED_AT = 2_000
"""So many places of people are tried again and again; in a larger scene everybody is placed once, one by one."""


# -- what a Space has to fit


class Bounds:
    """What is established of everybody, as it bears on a map: who does not see whom, and who stands how to what."""

    def __init__(self, state: State) -> None:
        grid = state.scene.grid
        assert grid is not None
        self.field: Ground = ground(grid, state.open_doors)
        self.near = settings(state).concealment_fails_within
        self.unseen: dict[ActorId, list[tuple[ActorId, bool]]] = {name: [] for name in state.actors}
        self.ties: dict[ActorId, list[tuple[str, ActorId, tuple[Cell, ...]]]] = {name: [] for name in state.actors}
        self.seen: dict[ActorId, list[ActorId]] = {name: [] for name in state.actors}
        public = as_anybody_sees(state)
        for target in public.actors.values():
            for observer in opponents(public, target):
                if hides(public, target) or not perceives(public, observer, target):
                    self.unseen[target.id].append((observer.id, True))
                    self.unseen[observer.id].append((target.id, False))
                elif perceives(public, target, observer) and not hides(public, observer):
                    self.seen[target.id].append(observer.id)
        for tie in state.every(Stands):
            if tie.owner in self.ties:
                self.ties[tie.owner].append((tie.how, tie.other, cells_of_thing(state, tie.other)))
            if tie.other in self.ties and state.relation(Stands, tie.other, tie.owner) is None:
                self.ties[tie.other].append((tie.how, tie.owner, ()))

    def misfit(self, actor: ActorId, cell: Cell, placed: Mapping[ActorId, At]) -> int:
        """How ill a Space fits somebody as the others stand; 0 where it fits."""
        count = 0
        for other, looks in self.unseen[actor]:
            at = placed.get(other)
            if isinstance(at, tuple):
                here, there = (at, cell) if looks else (cell, at)
                count += SEEN * sees_plainly(self.field, here, there, "sight", self.near)
        for other in self.seen[actor]:
            at = placed.get(other)
            if isinstance(at, tuple):
                count += LOST * (not sees_plainly(self.field, at, cell, "sight", self.near))
        for how, other, cells in self.ties[actor]:
            at = placed.get(other)
            goals = (at,) if isinstance(at, tuple) else cells
            if goals:
                count += STRAY * strays(how, min(distance(goal, cell) for goal in goals))
        return count


def as_anybody_sees(state: State) -> State:
    """The scene with eyes for everybody, less whom somebody has noticed, remembers or is said to perceive.

    Spaces that were chosen by that would tell it to whoever sees somebody stand there. What an earlier shift left
    unseen stays so.
    """
    return replace(
        state,
        actors={name: replace(actor, senses=EYES) for name, actor in state.actors.items()},
        relations={owner: kept for owner, held in state.relations.items() if (kept := tuple(filter(_is_open, held)))},
    )


def _is_open(relation: Relation) -> bool:
    return isinstance(relation, (Stands, Record))


def hides(state: State, actor: Character) -> bool:
    """Whether a Hide stands, whoever it fools: that it was tried is no secret of those who look."""
    return state.relation(Record, actor.id, actor.id) is not None


def strays(how: str, steps: int) -> int:
    """By how many steps a Space is not where a relation says."""
    if how == "far":
        return max(0, FAR - steps)
    if how in ("in", "on"):
        return steps
    return max(0, steps - 1) if how in ("near", "behind") else 0


def cells_of_thing(state: State, name: str) -> tuple[Cell, ...]:
    """The Spaces of a thing that the map draws by its id or its name; none where it does not."""
    grid, thing = state.scene.grid, landmark(state, name)
    if grid is None or thing is None:
        return ()
    called = (thing.id.lower(), thing.name.lower(), thing.name.lower().removeprefix("the "))
    return tuple([cell for cell in grid.cells() if grid.terrain(cell).name.lower() in called]) or grid.cells_of(name)


def spaces_for(state: State, actor: ActorId) -> tuple[Cell, ...]:
    """The Spaces that show where somebody is already: those of its Zone or place, else every one."""
    grid, at = state.scene.grid, state.actors[actor].at
    if grid is None:
        return ()
    if isinstance(at, tuple):
        return (at,)
    zones = state.scene.zones
    zone = zones.zone(at) if zones is not None and at else None
    within = zone.cells if zone is not None else grid.cells_of(at) if at else ()
    return tuple([cell for cell in within or tuple(grid.cells()) if not grid.terrain(cell).blocked])


# -- everybody at once


def free_spaces(state: State, actor: ActorId, placed: Mapping[ActorId, At]) -> list[Cell]:
    """Free Spaces for somebody, the best first: it goes with good ones for all who are not placed yet.

    Rules: narateer.scene.shift-preserves (who is hidden from whom, and what was stated of whom).
    """
    bounds, free = Bounds(state), _open_to(state, actor, placed)
    if not free:
        return []
    plan = arrangement(state, bounds, placed)
    others: dict[ActorId, At] = {**plan, **placed}
    best = plan.get(actor, free[0])
    return sorted(free, key=lambda cell: (cell != best, bounds.misfit(actor, cell, others)))


def arrangement(state: State, bounds: Bounds, placed: Mapping[ActorId, At]) -> Placing:
    """Good Spaces for all who are not placed, found by moving one after the other until nothing gets better.

    Whoever is behind something is tried on each Space beside it, since everybody else has to fit that.
    """
    waiting = {name: free for name in state.actors if name not in placed if (free := _open_to(state, name, placed))}
    covered = [name for name in waiting if any(how == "behind" for how, _, _ in bounds.ties[name])]
    order = [*covered, *[name for name in waiting if name not in covered]]
    if sum(map(len, waiting.values())) > LOOKED_AT or not covered:
        return _improved(bounds, placed, waiting, order)
    first = covered[0]
    beside = sorted(waiting[first], key=lambda cell: bounds.misfit(first, cell, placed))[:8]
    tries = [_improved(bounds, placed, waiting, order, {first: cell}) for cell in beside]
    return min(tries, key=lambda plan: _misfits(bounds, plan, placed))


def _open_to(state: State, actor: ActorId, placed: Mapping[ActorId, At]) -> list[Cell]:
    return [cell for cell in spaces_for(state, actor) if cell not in placed.values()]


def _misfits(bounds: Bounds, plan: Placing, placed: Mapping[ActorId, At]) -> int:
    everybody: dict[ActorId, At] = {**plan, **placed}
    return sum(bounds.misfit(name, cell, everybody) for name, cell in plan.items())


def _improved(
    bounds: Bounds,
    placed: Mapping[ActorId, At],
    waiting: dict[ActorId, list[Cell]],
    order: list[ActorId],
    start: Placing | None = None,
) -> Placing:
    plan: Placing = dict(start or {})
    rounds = 3 if sum(map(len, waiting.values())) <= LOOKED_AT else 1
    for _ in range(rounds):
        before = dict(plan)
        for name in order:
            others: dict[ActorId, At] = {**plan, **placed}
            others.pop(name, None)
            taken = set(others.values())
            free = [cell for cell in waiting[name] if cell not in taken]
            if free:
                plan[name] = min(free, key=lambda cell: bounds.misfit(name, cell, others))
        if plan == before:
            break
    return plan
