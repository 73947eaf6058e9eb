"""Walk and Run: one mode for an Activation and its allowance in metres, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, window
from turnwright.intent import stated
from turnwright.model import (
    NOTHING,
    Cell,
    Cost,
    Declaration,
    Moment,
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
from turnwright.rules import Action, Pick, Reached, Settled, Steps
from turnwright.space.story import HOWS
from turnwright.systems.narateer.allowance import effective_bm, whole
from turnwright.systems.narateer.conditions import movement_stopped, sprint_barred
from turnwright.systems.narateer.conversion import CINEMATIC, STORY, TACTICAL, expressed, missing
from turnwright.systems.narateer.economy import ad
from turnwright.systems.narateer.events import Halted, Moved
from turnwright.systems.narateer.notice import after_step
from turnwright.systems.narateer.obstacles import challenge_at, meet_obstacle
from turnwright.systems.narateer.offmap import HERE
from turnwright.systems.narateer.passing import Stepped, passed_by
from turnwright.systems.narateer.places import NEAR, beside, goals, name_of, reposition, story_refusals
from turnwright.systems.narateer.reached import reached
from turnwright.systems.narateer.routes import (
    AD,
    EXTRA,
    MODES,
    Route,
    asked_for,
    fitting,
    metres_left,
    route_refusals,
    route_rule,
    route_to,
    spaces_of,
    spot,
    worded,
    zone_names,
)
from turnwright.systems.narateer.senses import ground_of, hiding
from turnwright.systems.narateer.sheet import Character, character, load_of, settings
from turnwright.systems.narateer.sneak import exposed, sprint_ends_hiding
from turnwright.systems.narateer.terrain import bump, in_the_way, route_stretches, spaces, step_cost
from turnwright.systems.narateer.zones import (
    charge_for,
    next_crossing,
    no_route,
    on_the_way,
    reachable_zones,
    zone_refusals,
    zone_route_to,
    zone_stretches,
    zones_left,
)

TOPICS = ("move", "movement", "mode", "walk", "run", "sequence", "divide")


def mode_cost(mode: str, skill: str = "") -> Cost:
    taken = f"mode:{mode}:{skill}" if skill else f"mode:{mode}"
    return cost(taken, 1, f"{mode} is the movement mode of this Activation", "narateer.mode.one-per-activation")


PRICES = {mode: Price((*ad(AD[mode], mode, f"narateer.{mode}.cost"), mode_cost(mode))) for mode in MODES}

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
        elif not d.route and not self.goes_far(known, actor, metres_left(known, actor, self.name, self.skill(d))):
            yield Refusal("narateer.divide.total-cap", f"nothing is left of the {self.name}", "NOTHING_LEFT")

    def goes_far(self, known: State, actor: Character, left: Fraction) -> bool:
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

    def reaches(self, known: State, d: Declaration) -> Iterator[Reached]:
        if any(movement_stopped(known, character(known, d.actor))) or not effective_bm(
            known, character(known, d.actor)
        ):
            return
        yield from reached(known, d, self.name, self.skill(d))

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
