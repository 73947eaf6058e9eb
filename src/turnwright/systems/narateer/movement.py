"""Walk, Run and Sprint: one mode for an Activation and its allowance in metres; and movement granted beside it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, ask, window
from turnwright.model import (
    GUIDE,
    NOTHING,
    At,
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
    Ruling,
    State,
    Stretch,
    Then,
    cost,
)
from turnwright.rules import Action, Nature, Pick, Settled, Steps
from turnwright.space import Ground, Reach, cheapest, reach
from turnwright.space.story import HOWS
from turnwright.systems.narateer.allowance import allowance, effective_bm, remaining, whole
from turnwright.systems.narateer.conditions import directions, movement_stopped, sprint_barred
from turnwright.systems.narateer.conversion import CINEMATIC, STORY, TACTICAL, expressed, missing
from turnwright.systems.narateer.economy import ad, proactive_use
from turnwright.systems.narateer.events import Halted, Moved, Obstacle
from turnwright.systems.narateer.intent import stated
from turnwright.systems.narateer.notice import after_step
from turnwright.systems.narateer.obstacles import challenge_at, meet_obstacle, obstacle_at
from turnwright.systems.narateer.offmap import HERE, place_of, together
from turnwright.systems.narateer.places import (
    NEAR,
    beside,
    goal_named,
    goals,
    name_of,
    reposition,
    story_refusals,
    where_is,
)
from turnwright.systems.narateer.senses import ground_of, hiding, locates, opponents
from turnwright.systems.narateer.sheet import SPRINT_SKILLS, Character, character, conditions_of, load_of, settings
from turnwright.systems.narateer.sneak import exposed, sprint_ends_hiding, sprint_refusals, sprint_warnings
from turnwright.systems.narateer.terrain import (
    bump,
    in_the_way,
    occupied,
    route_cost,
    route_stretches,
    space_price,
    spaces,
    step_cost,
    step_refusals,
)
from turnwright.systems.narateer.zones import (
    charge_for,
    grounds_of,
    next_crossing,
    no_route,
    on_the_way,
    reachable_zones,
    zone_refusals,
    zone_route_to,
    zone_stretches,
    zones_left,
)

TOPICS = ("move", "movement", "mode", "walk", "run", "sprint", "sequence", "divide", "additional")

Route = tuple[Cell | str, ...]
"""The Spaces or the Zones in order, without the one that the mover is in."""

MODES = ("walk", "run", "sprint")
"""Rules: narateer.move.pick-a-mode."""
AD = {"walk": 0, "run": 1, "sprint": 2}
EXTRA = "extra_move"


class Stepped(Moment, frozen=True):
    """A step of somebody's own movement was completed; being put somewhere by others is no such step.

    Rules: narateer.movement.definition.
    """

    actor: str
    came: At
    at: At
    past: tuple[str, ...] = ()
    """Off a map: in whose reach the step began and ended, by the guide's word."""


# -- where a mode leads


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


# -- the modes

UNASKED = {TACTICAL: "relation", CINEMATIC: "relation", STORY: "route"}
"""The parameter that a Scene Mode does not ask for."""


class Move(Action):
    """Normal movement in one mode; taking it up again after something else costs nothing more.

    Rules: narateer.action.movement-not-extra-action, narateer.cost.movement-mode-covers-movement,
    narateer.mode.pay-once, narateer.mode.one-per-activation, narateer.divide.allowed, narateer.mode.may-move-less,
    narateer.movement.normally-no-roll.
    """

    wants = ("arrived",)
    tier: ClassVar[str] = ""
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("route", "route", "the Spaces in order, without the one you stand on"),
        Parameter("to", "place", "where to go by the cheapest route: a Space, a Zone, or what to be near to"),
        Parameter("relation", "choice", "in Story Mode: how to be to it", choices=HOWS, by_name=True),
    )

    def label(self, known: State, d: Declaration) -> str:
        """Rules: narateer.scene.metres-first."""
        left = metres_left(known, character(known, d.actor), self.name, self.skill(d))
        if known.mode == TACTICAL:
            return f"{self.title(d)}, {float(left):g} m left"
        return f"{self.title(d)}, {expressed(known, left)} left"

    def title(self, d: Declaration) -> str:
        return self.name

    def open_parameters(self, known: State, d: Declaration) -> tuple[Parameter, ...]:
        """Off a map the Zones that one gets to, or all that one can be near to."""
        unasked = UNASKED[known.mode]
        return tuple([self._opened(known, d, held) for held in self.parameters if held.name != unasked])

    def _opened(self, known: State, d: Declaration, parameter: Parameter) -> Parameter:
        if parameter.name != "to" or known.mode == TACTICAL:
            return parameter
        actor = character(known, d.actor)
        left = metres_left(known, actor, self.name, self.skill(d))
        if known.mode == STORY:
            return replace(parameter, about="what to be near to", required=True, choices=goals(known, d.actor))
        found = tuple(reachable_zones(known, actor, self.name, left))
        return replace(parameter, about="a Zone to go to", choices=found)

    def complete(self, known: State, d: Declaration) -> Declaration:
        to = d.option("to")
        if known.mode == STORY:
            relation = d.option("relation") or NEAR
            return stated(d, f"be {relation} {name_of(known, to)}" if to else "", self.name)
        if not d.route and to:
            d = replace(d, route=self._route_to(known, d, to))
        return stated(d, f"be at {d.route[-1] if d.route else to}", self.name)

    def _route_to(self, known: State, d: Declaration, to: str) -> Route:
        if known.mode == CINEMATIC:
            return zone_route_to(known, character(known, d.actor), self.name, to)
        cell = spot(to)
        return route_to(known, d.actor, self.name, cell) if cell is not None else ()

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        """A route of a few Spaces; each is one that a step leads to. Off a map somewhere that one may get to."""
        field, actor = ground_of(known), character(known, d.actor)
        if known.mode == STORY:
            return replace(d, options={**d.options, "to": pick(goals(known, d.actor) or (HERE,))})
        if known.mode == CINEMATIC:
            left = metres_left(known, actor, self.name, self.skill(d))
            led_to_zones = reachable_zones(known, actor, self.name, left)
            return replace(d, options={**d.options, "to": pick(led_to_zones)}) if led_to_zones else d
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
        return not self.goes_on(character(state, d.actor))

    def goes_on(self, actor: Character) -> bool:
        """Whether the mode is the one already chosen and paid for."""
        return actor.mode == self.name

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        to = d.option("to")
        if known.mode == STORY:
            if not to:
                text = "the declaration lacks: what to be near to"
                yield Refusal("narateer.story.relationships-not-counts", text, "INCOMPLETE to")
        elif not d.route and to and known.mode == CINEMATIC:
            yield no_route(known, to)
        elif not d.route:
            text = f"there is no legal route to {to}" if to else "the declaration lacks: a route"
            yield Refusal(route_rule(known), text, "NO_ROUTE" if to else f"INCOMPLETE {asked_for(known)}")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        actor = character(known, d.actor)
        if actor.conditions or actor.encumbrance != "none":
            yield from movement_stopped(known, actor)
        if missing(known) and (ground_of(known) is not None or known.mode != TACTICAL):
            text = f"the conversion to {missing(known)} is missing: the scene empties its setting"
            yield Refusal("narateer.scene.conversion-owned-elsewhere", text, "MISSING_RULE")
        yield from self.mode_refusals(known, actor, d)
        if known.mode == STORY or d.route:
            left = metres_left(known, actor, self.name, self.skill(d))
            along = story_refusals if known.mode == STORY else self._along_refusals
            yield from along(known, actor, d, left)

    def _along_refusals(self, known: State, actor: Character, d: Declaration, left: Fraction) -> Iterator[Refusal]:
        if known.mode == CINEMATIC:
            yield from zone_refusals(known, actor, self.name, left, zone_names(d.route))
        elif len(spaces_of(d.route)) < len(d.route):
            yield Refusal("narateer.tactical.legal-route", "on the map a route is made of Spaces", "NO_MAP")
        else:
            yield from route_refusals(known, actor, self.name, left, spaces_of(d.route))

    def mode_refusals(self, known: State, actor: Character, d: Declaration) -> Iterator[Refusal]:
        if not effective_bm(known, actor):
            if not load_of(known, actor).stops:
                yield Refusal("narateer.bm.formula", f"{actor.name}'s Base Movement is 0 m", "NO_BM")
        elif not d.route and not self._goes_far(known, actor, metres_left(known, actor, self.name, self.skill(d))):
            yield Refusal("narateer.divide.total-cap", f"nothing is left of the {self.name}", "NOTHING_LEFT")

    def _goes_far(self, known: State, actor: Character, left: Fraction) -> bool:
        """Whether what is left is enough for one Space or Zone at all; relations have no least step."""
        if known.mode == STORY:
            return True
        return (zones_left(known, actor, left) if known.mode == CINEMATIC else spaces(known, left)) >= 1

    def skill(self, d: Declaration) -> str:
        return ""

    def price(self, known: State, d: Declaration) -> Price:
        if self.goes_on(character(known, d.actor)):
            return NOTHING
        return PRICES[self.name]

    def along(self, known: State, d: Declaration) -> tuple[Stretch, ...]:
        actor = character(known, d.actor)
        if known.mode == CINEMATIC:
            left = metres_left(known, actor, self.name, self.skill(d))
            return zone_stretches(known, actor, self.name, left, zone_names(d.route))
        return route_stretches(known, actor, self.name, spaces_of(d.route))

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """In Story Mode the guide weighs the move against the allowance.

        Rules: narateer.story.ambition-scales-with-allowance.
        """
        return None if state.mode == STORY else super().ruling(state, d)

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """A route that is not concealed all the way is said beforehand.

        Rules: narateer.sneak.concealed-continuous-route.
        """
        if not d.route or not hiding(known, d.actor):
            return ()
        return tuple(exposed(known, character(known, d.actor), d.route))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """One step, what comes of it, and the rest as a declaration of its own.

        All that could forbid it was checked before anything was paid; obstacles are met on the way.
        Rules: narateer.sequence.order, narateer.sneak.walk-or-run-only, narateer.sneak.no-new-check,
        narateer.sneak.uses-ordinary-allowance.
        """
        if play.state.mode == STORY:
            return (yield from self._in_words(play, d, paid.ruling))
        d = fitting(play.state, d, self.name)  # kept: the way that was declared
        if not d.route:
            play.emit(Halted("narateer.scene.shift-preserves", d.actor, "the scene goes on in another mode"))
            return Outcome(self.name, "stopped")
        stopped = yield from self._meets(play, d)
        if stopped:
            return Outcome(self.name, "stopped")
        came, at = character(play.state, d.actor).at, d.route[0]  # kept: the step that is made here
        if self.name == "sprint":
            sprint_ends_hiding(play, d.actor)
        if not self._pays_step(play, d, at):
            play.emit(Halted("narateer.divide.total-cap", d.actor, "there is not enough movement left"))
            return Outcome(self.name, "stopped")
        yield from after_step(play, d.actor, came)
        past = yield from passed_by(play, d.actor, came, at)
        yield from window(play, Stepped(d.actor, came, at, past))
        return self._on(play, d)

    def _in_words(self, play: Play, d: Declaration, ruling: Ruling | None) -> Steps[Outcome]:
        left = metres_left(play.state, character(play.state, d.actor), self.name, self.skill(d))  # kept: before it
        said, settled = worded(play.state, d, ruling, left)  # kept: what was declared and ruled
        came, near = character(play.state, d.actor).at, beside(play.state, d.actor)  # kept: where the move began
        ended = yield from reposition(play, said, settled, left, self.name == EXTRA)
        if ended == "arrived":
            at = character(play.state, d.actor).at  # kept: where it ended
            past = yield from passed_by(play, d.actor, came, at, near)
            yield from window(play, Stepped(d.actor, came, at, past))
        return Outcome(self.name, ended)

    def _pays_step(self, play: Play, d: Declaration, at: Cell | str) -> bool:
        """Make one step for what it costs, where there is that much left."""
        state, actor = play.state, character(play.state, d.actor)
        left = metres_left(state, actor, self.name, self.skill(d))
        if isinstance(at, str):
            step = next_crossing(state, actor, self.name, at)
            metres = charge_for(state, actor, step, left, actor.crossed)
            far = Fraction(step.width) if metres is None or metres >= step.price else metres
            metres = Fraction(step.price) if metres is None and play.advise else metres
        else:
            price = step_cost(state, actor, self.name, at)
            metres = whole(price) if price <= left or play.advise else None
            far = whole(settings(state).space_metres or 2)
        if metres is None:
            return False
        play.emit(Moved(self.rules[0], d.actor, at, metres, far, self.name == EXTRA))
        return True

    def _meets(self, play: Play, d: Declaration) -> Steps[bool]:
        """Whatever the truth has in the way of the next step; True where it stops the movement."""
        challenge = challenge_at(play.state, character(play.state, d.actor).at, d.route[0])
        if challenge is not None:
            passed = yield from meet_obstacle(play, d.actor, challenge, self.name == EXTRA)
            if not passed:
                return True
        hurdle = self._hurdle(play.state, d)
        if isinstance(hurdle, Character):
            yield from bump(play, d.actor, hurdle)
        elif hurdle is not None and not play.advise:
            play.emit(Halted(route_rule(play.state, blocked=True), d.actor, hurdle))
        else:
            return False
        return True

    def _hurdle(self, state: State, d: Declaration) -> Character | str | None:
        step = d.route[0]
        if isinstance(step, str):
            return on_the_way(state, character(state, d.actor), step)
        return in_the_way(state, d.actor, step, last=len(d.route) == 1)

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
    """Rules: narateer.walk.cost, narateer.walk.distance, narateer.walk.ordinary-and-available."""

    name = "walk"
    about = "controlled movement, up to BM"
    rules = ("narateer.walk.distance", "narateer.walk.cost")


class Run(Move):
    """Rules: narateer.run.cost, narateer.run.distance, narateer.run.no-skill."""

    name = "run"
    about = "fast, reliable movement, up to twice BM"
    rules = ("narateer.run.distance", "narateer.run.cost")


class Sprint(Move):
    """All-out movement governed by Athletics or Acrobatics; a Major Action without a check.

    Rules: narateer.sprint.distance, narateer.sprint.example-arlen, narateer.sprint.major-action,
    narateer.sprint.no-check, narateer.sprint.does-not-block-actions, narateer.sprint.needs-free-use.
    """

    name = "sprint"
    about = "all-out movement, three times BM and 2 m for each Skill Level"
    rules = ("narateer.sprint.distance", "narateer.sprint.cost", "narateer.sprint.governing-skill-set")
    tier = "major"
    parameters = (
        Parameter("skill", "choice", "the Skill that governs it", required=True, choices=SPRINT_SKILLS),
        *Move.parameters,
        Parameter("power", "text", "a Class Power of yours that the Sprint is for, where it names the Skill"),
    )

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for skill in SPRINT_SKILLS:
            yield Declaration(actor, self.name, options={"skill": skill})

    def title(self, d: Declaration) -> str:
        return f"sprint ({self.skill(d) or 'athletics or acrobatics'})"

    def open_parameters(self, known: State, d: Declaration) -> tuple[Parameter, ...]:
        """The Skills that fit the route, the best first; the guide may overrule a refusal."""
        skill = self.parameters[0]
        if d.route:
            skill = replace(skill, choices=sprint_skill(known, d.route, character(known, d.actor)))
        return (skill, *super().open_parameters(known, d)[1:])

    def complete(self, known: State, d: Declaration) -> Declaration:
        actor = character(known, d.actor)
        if not d.option("skill"):
            skill = actor.sprint_skill if self.goes_on(actor) else named_skill(actor, d)
            d = replace(d, options={**d.options, "skill": skill}) if skill else d
        return super().complete(known, d)

    def skill(self, d: Declaration) -> str:
        return d.option("skill")

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """A Power's Skill on a route of another kind: the guide says whether it can be taken that way at all.

        Rules: narateer.sprint.named-skill-by-rule.
        """
        mine = character(state, d.actor)
        if named_skill(mine, d) and not self.goes_on(mine) and self.skill(d) not in sprint_skill(state, d.route, mine):
            return None
        return super().ruling(state, d)

    def mode_refusals(self, known: State, actor: Character, d: Declaration) -> Iterator[Refusal]:
        yield from super().mode_refusals(known, actor, d)
        yield from sprint_barred(known, actor)
        if d.boost:
            yield Refusal("narateer.sprint.no-boost", "a Sprint makes no roll that could be boosted", "NO_BOOST")
        skill = self.skill(d)
        if skill not in SPRINT_SKILLS:
            text = "a Sprint is governed by athletics or acrobatics; say which"
            yield Refusal("narateer.sprint.governing-skill-set", text, "SPRINT_SKILL")
        elif self.goes_on(actor):
            yield from self._going_on(known, actor, skill)
        elif d.option("power"):
            yield from named_refusals(actor, d, skill)
        else:
            yield from style_refusals(known, actor, skill, d.route)

    def _going_on(self, known: State, actor: Character, skill: str) -> Iterator[Refusal]:
        """Rules: narateer.additional.continue-sprint (also a Power that says so leads to what is left, no farther)."""
        if skill != actor.sprint_skill:
            text = f"this Sprint is governed by {actor.sprint_skill}; that is settled"
            yield Refusal("narateer.sprint.governing-skill-set", text, "SPRINT_SKILL")
        yield from sprint_refusals(known, actor.id)

    def price(self, known: State, d: Declaration) -> Price:
        """Rules: narateer.sprint.cost, narateer.sprint.one-proactive-use, narateer.tier.only-without-specific-rule."""
        if self.goes_on(character(known, d.actor)):
            return NOTHING
        return SPRINT_PRICES.get(self.skill(d), PRICES["sprint"])

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: narateer.sneak.no-sprint (legal, after a warning), narateer.reveal.warn-before-commit."""
        return sprint_warnings(known, d.actor)


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


def passed_by(play: Play, mover: str, came: At, at: At, near: tuple[str, ...] | None = None) -> Steps[tuple[str, ...]]:
    """Off a map the guide says whose reach a step began and ended in; nobody is asked where nobody could strike.

    Where relations are stated only those come into question whom the mover was `near`.

    Rules: narateer.opportunity.trigger.
    """
    if isinstance(at, tuple):
        return ()
    found: list[str] = []
    for other in [o.id for o in opponents(play.state, character(play.state, mover))]:  # kept: each is asked about once
        watcher, moved = character(play.state, other), character(play.state, mover)
        if (near is not None and other not in near) or not could_strike(play.state, watcher, moved, came):
            continue
        rule = "narateer.opportunity.trigger"
        options = (Option("no", "not within reach all along"), Option("yes", f"within {watcher.name}'s reach"))
        prompt = f"{moved.name} leaves {came} past {watcher.name}: from within reach to within reach?"
        given = yield from ask(Choose(GUIDE, "", prompt, rule, options, "opportunity"), Chosen)
        if given.id == "yes":
            found.append(other)
    return tuple(found)


def could_strike(state: State, watcher: Character, mover: Character, came: At) -> bool:
    """Whether somebody beside whom a step began could answer it: up, aware of the mover, and with the AD for a blow."""
    if watcher.down or not together(state, watcher.at, came) or not locates(state, watcher, mover):
        return False
    melee = [weapon.base_attack_cost for weapon in watcher.weapons if weapon.kind == "melee"]
    barred = any(not condition.reactions for _, condition in conditions_of(state, watcher))
    return not barred and watcher.ready >= min(melee, default=1)


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


def _mode_cost(mode: str, skill: str = "") -> Cost:
    taken = f"mode:{mode}:{skill}" if skill else f"mode:{mode}"
    return cost(taken, 1, f"{mode} is the movement mode of this Activation", "narateer.mode.one-per-activation")


PRICES = {mode: Price((*ad(AD[mode], mode, f"narateer.{mode}.cost"), _mode_cost(mode))) for mode in MODES}
SPRINT_PRICES = {
    skill: Price((*ad(2, "sprint", "narateer.sprint.cost"), proactive_use(skill), _mode_cost("sprint", skill)))
    for skill in SPRINT_SKILLS
}


# -- the Skill that governs a Sprint


def sprint_skill(state: State, route: Route, actor: Character | None = None) -> tuple[str, ...]:
    """The Skills that fit a route, the one to suggest first: agile ground calls for Acrobatics, the rest for Athletics.

    Where some but less than half of the Spaces are agile, either fits.
    Rules: narateer.sprint.athletics-style, narateer.sprint.acrobatics-style.
    """
    field = ground_of(state)
    if actor is not None and state.mode == CINEMATIC and route:
        grounds = grounds_of(state, actor, route)
        agile = sum([any(tag in settings(state).agile_tags for tag in ground.tags) for ground in grounds])
    elif field is None or not route:
        return SPRINT_SKILLS
    else:
        agile = sum([is_agile(state, field, cell) for cell in spaces_of(route)])
    if not agile:
        return ("athletics",)
    return ("acrobatics",) if 2 * agile >= len(route) else SPRINT_SKILLS


def is_agile(state: State, field: Ground, cell: Cell) -> bool:
    """Whether a Space calls for agile control, by its ground or by an obstacle on it."""
    agile = settings(state).agile_tags
    if any(tag in agile for tag in field.terrain(cell).tags):
        return True
    found = obstacle_at(state, cell)
    return found is not None and any(tag in agile for tag in found.tags)


def style_refusals(known: State, actor: Character, skill: str, route: Route) -> Iterator[Refusal]:
    """The governing Skill follows from how one moves, never from its level.

    Rules: narateer.sprint.skill-follows-method.
    """
    fits = sprint_skill(known, route, actor)
    if not route and skill == "acrobatics" and not agile_somewhere(known):
        fits = ("athletics",)
    if skill not in fits:
        other = fits[0]
        gives = float(allowance(known, actor, "sprint", other))
        text = f"this route is not one for {skill}; {other} fits and gives {gives:g} m"
        yield Refusal("narateer.sprint.skill-follows-method", text, "SPRINT_STYLE")


def agile_somewhere(state: State) -> bool:
    """Whether the map has any Space that calls for Acrobatics."""
    field = ground_of(state)
    agile = settings(state).agile_tags
    zones = state.scene.zones if state.mode == CINEMATIC else None
    if zones is not None:
        grounds = [zone.terrain for zone in zones.zones] + [way.terrain for way in zones.ways]
        return any(tag in agile for ground in grounds for tag in ground.tags)
    if field is None:
        return True
    if any(tag in agile for kind, _ in field.kinds.values() for tag in kind.tags):
        return True
    return any(tag in agile for fact in state.facts_of(Obstacle) for tag in fact.tags)


def named_skill(actor: Character, d: Declaration) -> str:
    """The Skill that the Power names for which the Sprint is made; empty where it names none."""
    for power in actor.powers:
        if power.name == d.option("power") and isinstance(power.requires.sprint, str):
            return power.requires.sprint
    return ""


def named_refusals(actor: Character, d: Declaration, skill: str) -> Iterator[Refusal]:
    """Rules: narateer.sprint.named-skill-by-rule."""
    named = named_skill(actor, d)
    if not named:
        text = f"{actor.name} has no Power called {d.option('power')!r} that names the Skill of a Sprint"
        yield Refusal("narateer.sprint.named-skill-by-rule", text, "NO_POWER")
    elif skill != named:
        text = f"{d.option('power')} asks for a Sprint governed by {named}"
        yield Refusal("narateer.sprint.named-skill-by-rule", text, "SPRINT_SKILL")


# -- movement that a rule grants beside the mode


class ExtraMove(Move):
    """Movement that another rule granted: exactly as many metres as it says, and no mode is chosen for it.

    What the ground and hiding cost applies to it, and so does whatever prevents movement; BM and Encumbrance do not.
    Rules: narateer.additional.separate-from-normal, narateer.additional.exact-amount,
    narateer.additional.no-multiplier.
    """

    name = EXTRA
    about = "use movement that a rule granted beside the movement mode"
    nature: ClassVar[Nature] = "free"
    rules = ("narateer.additional.separate-from-normal", "narateer.additional.exact-amount")

    def title(self, d: Declaration) -> str:
        return "additional movement"

    def goes_on(self, actor: Character) -> bool:
        return True

    def mode_refusals(self, known: State, actor: Character, d: Declaration) -> Iterator[Refusal]:
        if not actor.extra or not self._goes_far(known, actor, actor.extra):
            text = "no additional movement is left" if actor.extra else "no rule has granted additional movement"
            yield Refusal("narateer.additional.exact-amount", text, "NO_EXTRA")
