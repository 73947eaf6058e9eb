"""Walk, Run and Sprint: one mode for an Activation, its allowance in metres, and the route Space by Space."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, ask, window
from turnwright.model import (
    GUIDE,
    NOTHING,
    Cell,
    Choose,
    Chosen,
    Cost,
    Declaration,
    Moment,
    Option,
    Outcome,
    Parameter,
    Price,
    Refusal,
    State,
    Then,
    cost,
)
from turnwright.rules import Action, Pick, Settled, Steps
from turnwright.space import Ground, Reach, Terrain, cheapest, reach
from turnwright.systems.narateer.allowance import allowance, effective_bm, remaining, spaces
from turnwright.systems.narateer.conditions import (
    directions,
    keeps_direction,
    metre_cost,
    movement_stopped,
    sprint_barred,
)
from turnwright.systems.narateer.economy import ad, proactive_use
from turnwright.systems.narateer.events import Halted, Hidden, Moved, Revealed, StoppedHiding
from turnwright.systems.narateer.intent import stated
from turnwright.systems.narateer.notice import after_step
from turnwright.systems.narateer.obstacles import meet_obstacle, obstacle_at, obstacle_metres
from turnwright.systems.narateer.senses import ground_of, hiding, locates, places
from turnwright.systems.narateer.sheet import SPRINT_SKILLS, Character, character, load_of, settings

TOPICS = ("move", "movement", "mode", "sprint", "sequence", "divide", "terrain", "tactical")

MODES = ("walk", "run", "sprint")
"""Rules: narateer.move.pick-a-mode, narateer.run.distance, narateer.walk.distance."""
AD = {"walk": 0, "run": 1, "sprint": 2}


class Stepped(Moment, frozen=True):
    """A step of somebody's own movement was completed."""

    actor: str
    came: Cell
    at: Cell


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
    return max(terrain.factor, rules.difficult if difficult else 1)


def space_price(state: State, actor: Character, mode: str, additional: bool = False) -> Callable[[Terrain], int]:
    """Metres of allowance for entering one Space of a terrain.

    Rules: narateer.tactical.terrain-by-spaces-crossed, narateer.sneak.double-movement-cost,
    narateer.sneak.terrain-multiplies, narateer.terrain.changes-spend-rate.
    """
    base = metre_cost(state, actor)
    twice = settings(state).hidden_metres if mode != "sprint" and hiding(state, actor.id) else 1
    metres = settings(state).space_metres or 2
    return lambda terrain: metres * (base * factor_of(state, terrain) + terrain.extra) * twice


def route_cost(state: State, actor: Character, mode: str, route: tuple[Cell, ...]) -> int:
    """Metres of allowance for a whole route, obstacles that only cost included."""
    field = ground_of(state)
    if field is None:
        return 0
    price = space_price(state, actor, mode)
    return sum(price(field.grid.terrain(cell)) + obstacle_metres(state, cell) for cell in route)


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


def reachable(known: State, actor_id: str, mode: str, skill: str = "") -> Reach | None:
    """Where a mode leads from here with what is left of it; None off a map.

    Rules: narateer.tactical.legal-route, narateer.move.limited-by-other-rules.
    """
    field, actor = ground_of(known), character(known, actor_id)
    if field is None or not isinstance(actor.at, tuple):
        return None
    left = spaces(known, remaining(known, actor, mode, skill)) * (settings(known).space_metres or 2)
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


def route_refusals(known: State, actor: Character, mode: str, skill: str, route: tuple[Cell, ...]) -> Iterator[Refusal]:
    """Every reason why a route is not legal: its steps, who stands there, where a Condition forbids to go, its cost.

    Rules: narateer.tactical.legal-route, narateer.tactical.blocked-space, narateer.divide.total-cap,
    narateer.condition.direction-still-applies.
    """
    field = ground_of(known)
    if field is None or not isinstance(actor.at, tuple):
        yield Refusal("narateer.tactical.legal-route", "there is no map to follow a route on", "NO_MAP")
        return
    yield from _step_refusals(known, field, actor, (actor.at, *route))
    if all(field.grid.contains(cell) for cell in route):
        need, left = route_cost(known, actor, mode, route), remaining(known, actor, mode, skill)
        if need > spaces(known, left) * (settings(known).space_metres or 2):
            text = f"the route costs {need} m and {float(left):g} m are left ({spaces(known, left)} Spaces)"
            yield Refusal("narateer.divide.total-cap", text, "TOO_FAR")


WHY_NOT = {
    "far": ("narateer.tactical.legal-route", "is not next to the Space before it"),
    "off-map": ("narateer.tactical.blocked-space", "is off the map"),
    "blocked": ("narateer.tactical.blocked-space", "is blocked"),
    "wall": ("narateer.tactical.blocked-space", "lies behind a wall or a closed door"),
    "corner": ("narateer.tactical.legal-route", "lies past a corner that cannot be cut"),
}


def _step_refusals(known: State, field: Ground, actor: Character, path: tuple[Cell, ...]) -> Iterator[Refusal]:
    closed, crossed = occupied(known, actor)
    limits = directions(known, actor)
    for a, b in pairwise(path):
        if not field.may_step(a, b):
            rule, text = WHY_NOT[field.why_not(a, b) or "far"]
            yield Refusal(rule, f"{b} {text}", "ILLEGAL_STEP")
        if b in closed:
            yield Refusal("narateer.tactical.blocked-space", f"an opponent stands on {b}", "OCCUPIED")
        if not keeps_direction(limits, a, b):
            text = f"a Condition forbids the step to {b}"
            yield Refusal("narateer.condition.direction-still-applies", text, "DIRECTION")
    if path[-1] in crossed:
        yield Refusal("narateer.tactical.blocked-space", f"an ally stands on {path[-1]}; go on past it", "OCCUPIED")


# -- the modes


class Move(Action):
    """Normal movement in one mode; taking it up again after something else costs nothing more.

    Rules: narateer.action.movement-not-extra-action, narateer.cost.movement-mode-covers-movement,
    narateer.mode.pay-once, narateer.divide.allowed, narateer.mode.may-move-less.
    """

    tier: ClassVar[str] = ""
    parameters = (
        Parameter("route", "route", "the Spaces in order, without the one you stand on"),
        Parameter("to", "cell", "a Space to go to by the cheapest route"),
    )

    def complete(self, known: State, d: Declaration) -> Declaration:
        if not d.route and d.option("to"):
            d = replace(d, route=route_to(known, d.actor, self.name, to_cell(d.option("to"))))
        goal = d.route[-1] if d.route else d.option("to")
        return stated(d, f"be at {goal}", self.name)

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        """A route of a few Spaces; each is one that a step leads to."""
        field, actor = ground_of(known), character(known, d.actor)
        if field is None or not isinstance(actor.at, tuple):
            return d
        here, route = actor.at, list[Cell]()
        for _ in range(pick((1, 2, 3, 4))):
            led_to = field.listed_next(here)
            if not led_to:
                break
            here = pick(led_to)
            route.append(here)
        return replace(d, route=tuple(route))

    def records(self, state: State, d: Declaration) -> bool:
        return not self._goes_on(character(state, d.actor))

    def _goes_on(self, actor: Character) -> bool:
        return actor.mode == self.name

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        actor = character(known, d.actor)
        if actor.conditions or actor.encumbrance != "none":
            yield from movement_stopped(known, actor)
        if effective_bm(known, actor) == 0 and not load_of(known, actor).stops:
            yield Refusal("narateer.bm.formula", f"{actor.name}'s Base Movement is 0 m", "NO_BM")
        yield from self.mode_refusals(known, actor, d)
        if d.route:
            yield from route_refusals(known, actor, self.name, self.skill(d), d.route)

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.route:
            to = d.option("to")
            text = f"there is no legal route to {to}" if to else "the declaration lacks: a route"
            yield Refusal("narateer.tactical.legal-route", text, "NO_ROUTE" if to else "INCOMPLETE route")

    def mode_refusals(self, known: State, actor: Character, d: Declaration) -> Iterator[Refusal]:
        yield from ()

    def skill(self, d: Declaration) -> str:
        return ""

    def price(self, known: State, d: Declaration) -> Price:
        if self._goes_on(character(known, d.actor)):
            return NOTHING
        return PRICES[self.name]

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """A route that is not concealed all the way is said beforehand.

        Rules: narateer.sneak.concealed-continuous-route.
        """
        if not d.route or not hiding(known, d.actor):
            return ()
        return tuple(exposed(known, character(known, d.actor), d.route))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """One Space, what comes of it, and the rest as a declaration of its own.

        Rules: narateer.sequence.order, narateer.sneak.walk-or-run-only, narateer.sneak.no-new-check,
        narateer.sneak.uses-ordinary-allowance.
        """
        stopped = yield from self._meets(play, d)
        if stopped:
            return Outcome(self.name, "stopped")
        actor = character(play.state, d.actor)
        came, at = actor.at, d.route[0]
        assert isinstance(came, tuple)
        if self.name == "sprint" and hiding(play.state, d.actor):
            # Sprinting does not preserve hiding, not even from whoever could not notice.
            play.emit(StoppedHiding("narateer.sneak.no-sprint", d.actor))
        metres = route_cost(play.state, character(play.state, d.actor), self.name, (at,))
        if metres > remaining(play.state, character(play.state, d.actor), self.name, self.skill(d)):
            play.emit(Halted("narateer.divide.total-cap", d.actor, "there is not enough movement left"))
            return Outcome(self.name, "stopped")
        play.emit(Moved("narateer.move.pick-a-mode", d.actor, at, Fraction(metres), _whole_space(play.state)))
        yield from after_step(play, d.actor, came)
        yield from window(play, Stepped(d.actor, came, at))
        return self._on(play, d)

    def _meets(self, play: Play, d: Declaration) -> Steps[bool]:
        """Whatever the truth has in the way of the next step; True where it stops the movement."""
        step = d.route[0]
        if play.state.facts:
            found = obstacle_at(play.state, step)
            if found is not None and found.uncertain:
                passed = yield from meet_obstacle(play, d.actor, found)
                if not passed:
                    return True
        hurdle = in_the_way(play.state, d)
        if hurdle is None:
            return False
        if isinstance(hurdle, Character):
            yield from bump(play, d.actor, hurdle)
        else:
            play.emit(Halted("narateer.tactical.blocked-space", d.actor, hurdle))
        return True

    def _on(self, play: Play, d: Declaration) -> Outcome:
        rest = d.route[1:]
        if not rest:
            return Outcome(self.name, "arrived")
        actor = character(play.state, d.actor)
        if actor.at != d.route[0] or any(movement_stopped(play.state, actor)) or actor.down:
            play.emit(Halted("narateer.move.limited-by-other-rules", d.actor, "the movement cannot go on"))
            return Outcome(self.name, "stopped")
        if self.name == "sprint" and any(sprint_barred(play.state, actor)):
            play.emit(Halted("narateer.condition.prevents-sprint", d.actor, "the Sprint cannot go on"))
            return Outcome(self.name, "stopped")
        return Outcome(self.name, "going on", then=Then(replace(d, route=rest)))


class Walk(Move):
    """Rules: narateer.walk.cost, narateer.walk.ordinary-and-available, narateer.movement.normally-no-roll."""

    name = "walk"
    about = "controlled movement, up to BM"
    rules = ("narateer.walk.distance", "narateer.walk.cost")


class Run(Move):
    """Rules: narateer.run.cost, narateer.run.no-skill."""

    name = "run"
    about = "fast, reliable movement, up to twice BM"
    rules = ("narateer.run.distance", "narateer.run.cost")


class Sprint(Move):
    """All-out movement governed by Athletics or Acrobatics; a Major Action without a check.

    Rules: narateer.sprint.cost, narateer.sprint.major-action, narateer.sprint.no-check,
    narateer.sprint.does-not-block-actions, narateer.sprint.needs-free-use, narateer.sprint.no-boost.
    """

    name = "sprint"
    about = "all-out movement, three times BM and 2 m for each Skill Level"
    rules = ("narateer.sprint.distance", "narateer.sprint.cost", "narateer.sprint.governing-skill-set")
    tier = "major"

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for skill in SPRINT_SKILLS:
            yield Declaration(actor, self.name, options={"skill": skill})

    def label(self, known: State, d: Declaration) -> str:
        return f"sprint ({self.skill(d) or 'Athletics or Acrobatics'})"

    def complete(self, known: State, d: Declaration) -> Declaration:
        actor = known.actors.get(d.actor)
        if actor is not None and actor.mode == "sprint" and not d.option("skill"):
            d = replace(d, options={**d.options, "skill": actor.sprint_skill})
        return super().complete(known, d)

    def skill(self, d: Declaration) -> str:
        return d.option("skill")

    def mode_refusals(self, known: State, actor: Character, d: Declaration) -> Iterator[Refusal]:
        yield from sprint_barred(known, actor)
        skill = self.skill(d)
        if skill not in SPRINT_SKILLS:
            text = "a Sprint is governed by athletics or acrobatics; say which"
            yield Refusal("narateer.sprint.governing-skill-set", text, "SPRINT_SKILL")
            return
        if self._goes_on(actor):
            if skill != actor.sprint_skill:
                text = f"this Sprint is governed by {actor.sprint_skill}; that is settled"
                yield Refusal("narateer.sprint.governing-skill-set", text, "SPRINT_SKILL")
            if hiding(known, actor.id):
                text = "the rest of a Sprint cannot be used while hiding; stop hiding first"
                yield Refusal("narateer.sneak.no-sprint", text, "HIDDEN_SPRINT")
            return
        yield from style_refusals(known, actor, skill, d.route)

    def price(self, known: State, d: Declaration) -> Price:
        """Rules: narateer.sprint.cost, narateer.sprint.one-proactive-use, narateer.tier.only-without-specific-rule."""
        if self._goes_on(character(known, d.actor)):
            return NOTHING
        return SPRINT_PRICES.get(self.skill(d), PRICES["sprint"])

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: narateer.sneak.no-sprint (legal, after a warning), narateer.reveal.warn-before-commit."""
        if hiding(known, d.actor):
            return ("the first metre of a Sprint ends hiding toward everybody",)
        return ()


def _mode_cost(mode: str, skill: str = "") -> Cost:
    taken = f"mode:{mode}:{skill}" if skill else f"mode:{mode}"
    return cost(taken, 1, f"{mode} is the movement mode of this Activation", "narateer.mode.one-per-activation")


PRICES = {mode: Price((*ad(AD[mode], mode, f"narateer.{mode}.cost"), _mode_cost(mode))) for mode in MODES}
SPRINT_PRICES = {
    skill: Price((*ad(2, "sprint", "narateer.sprint.cost"), proactive_use(skill), _mode_cost("sprint", skill)))
    for skill in SPRINT_SKILLS
}


def sprint_skill(state: State, route: tuple[Cell, ...]) -> tuple[str, ...]:
    """The Skills that fit a route, the one to suggest first: agile ground calls for Acrobatics, the rest for Athletics.

    Where some but less than half of the Spaces are agile, either fits.
    Rules: narateer.sprint.athletics-style, narateer.sprint.acrobatics-style.
    """
    field = ground_of(state)
    if field is None or not route:
        return SPRINT_SKILLS
    agile = sum(any(tag in settings(state).agile_tags for tag in field.grid.terrain(cell).tags) for cell in route)
    if not agile:
        return ("athletics",)
    return ("acrobatics",) if 2 * agile >= len(route) else ("athletics", "acrobatics")


def style_refusals(known: State, actor: Character, skill: str, route: tuple[Cell, ...]) -> Iterator[Refusal]:
    """The governing Skill follows from how one moves, never from its level.

    Rules: narateer.sprint.skill-follows-method.
    """
    fits = sprint_skill(known, route)
    if not route and skill == "acrobatics" and not agile_ground(known):
        fits = ("athletics",)
    if skill not in fits:
        other = fits[0]
        gives = float(allowance(known, actor, "sprint", other))
        text = f"this route is not one for {skill}; {other} fits and gives {gives:g} m"
        yield Refusal("narateer.sprint.skill-follows-method", text, "SPRINT_STYLE")


def agile_ground(state: State) -> bool:
    """Whether the map has any Space that calls for Acrobatics."""
    field = ground_of(state)
    if field is None:
        return True
    agile = settings(state).agile_tags
    return any(any(tag in agile for tag in kind.tags) for kind, _ in field.kinds.values())


def exposed(known: State, actor: Character, route: tuple[Cell, ...]) -> Iterator[str]:
    """The first Space at which each creature that the mover hides from would see it plainly."""
    for held in known.related(Hidden, actor.id):
        observer = known.actors.get(held.other)
        if observer is None or observer.down:
            continue
        for cell in route:
            if places(known, observer, actor, seen_at=cell):
                yield f"at {cell} {observer.name} sees you plainly"
                break


def in_the_way(state: State, d: Declaration) -> Character | str | None:
    """What the next step would run into in truth: somebody unseen, or something solid."""
    step = d.route[0]
    actor = character(state, d.actor)
    field = ground_of(state)
    if field is not None and isinstance(actor.at, tuple) and not field.may_step(actor.at, step):
        return "the way is blocked"
    for other in state.actors.values():
        if other.at == step and other.id != d.actor and (other.side != actor.side or len(d.route) == 1):
            return other if isinstance(other, Character) else None
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


def _whole_space(state: State) -> Fraction:
    return Fraction(settings(state).space_metres or 2)


def to_cell(text: str) -> Cell:
    """A Space written as `x,y`, in brackets or not. Raises ValueError for anything else."""
    x, y = text.strip("()[] ").split(",")
    return int(x), int(y)
