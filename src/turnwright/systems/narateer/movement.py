"""Walk, Run and Sprint: one mode for an Activation and its allowance in metres; and movement granted beside it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, window
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
from turnwright.rules import Action, Nature, Pick, Settled, Steps
from turnwright.space import Ground, Reach, cheapest, reach
from turnwright.systems.narateer.allowance import allowance, effective_bm, remaining
from turnwright.systems.narateer.conditions import directions, movement_stopped, sprint_barred
from turnwright.systems.narateer.economy import ad, proactive_use
from turnwright.systems.narateer.events import Halted, Moved, Obstacle
from turnwright.systems.narateer.intent import stated
from turnwright.systems.narateer.notice import after_step
from turnwright.systems.narateer.obstacles import challenge_at, meet_obstacle, obstacle_at
from turnwright.systems.narateer.senses import ground_of, hiding
from turnwright.systems.narateer.sheet import SPRINT_SKILLS, Character, character, load_of, settings
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

TOPICS = ("move", "movement", "mode", "walk", "run", "sprint", "sequence", "divide", "additional")

MODES = ("walk", "run", "sprint")
"""Rules: narateer.move.pick-a-mode."""
AD = {"walk": 0, "run": 1, "sprint": 2}
EXTRA = "extra_move"


class Stepped(Moment, frozen=True):
    """A step of somebody's own movement was completed; being put somewhere by others is no such step.

    Rules: narateer.movement.definition.
    """

    actor: str
    came: Cell
    at: Cell


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


class Move(Action):
    """Normal movement in one mode; taking it up again after something else costs nothing more.

    Rules: narateer.action.movement-not-extra-action, narateer.cost.movement-mode-covers-movement,
    narateer.mode.pay-once, narateer.mode.one-per-activation, narateer.divide.allowed, narateer.mode.may-move-less,
    narateer.movement.normally-no-roll.
    """

    tier: ClassVar[str] = ""
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("route", "route", "the Spaces in order, without the one you stand on"),
        Parameter("to", "cell", "a Space to go to by the cheapest route"),
    )

    def label(self, known: State, d: Declaration) -> str:
        left = metres_left(known, character(known, d.actor), self.name, self.skill(d))
        return f"{self.title(d)}, {float(left):g} m left"

    def title(self, d: Declaration) -> str:
        return self.name

    def complete(self, known: State, d: Declaration) -> Declaration:
        if not d.route and d.option("to"):
            d = replace(d, route=route_to(known, d.actor, self.name, to_cell(d.option("to"))))
        return stated(d, f"be at {d.route[-1] if d.route else d.option('to')}", self.name)

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
        return not self.goes_on(character(state, d.actor))

    def goes_on(self, actor: Character) -> bool:
        """Whether the mode is the one already chosen and paid for."""
        return actor.mode == self.name

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.route:
            to = d.option("to")
            text = f"there is no legal route to {to}" if to else "the declaration lacks: a route"
            yield Refusal("narateer.tactical.legal-route", text, "NO_ROUTE" if to else "INCOMPLETE route")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        actor = character(known, d.actor)
        if actor.conditions or actor.encumbrance != "none":
            yield from movement_stopped(known, actor)
        if settings(known).space_metres is None and ground_of(known) is not None:
            text = "the conversion to Spaces is missing: the scene empties its setting"
            yield Refusal("narateer.scene.conversion-owned-elsewhere", text, "MISSING_RULE")
        yield from self.mode_refusals(known, actor, d)
        if d.route:
            left = metres_left(known, actor, self.name, self.skill(d))
            yield from route_refusals(known, actor, self.name, left, d.route)

    def mode_refusals(self, known: State, actor: Character, d: Declaration) -> Iterator[Refusal]:
        if effective_bm(known, actor) == 0:
            if not load_of(known, actor).stops:
                yield Refusal("narateer.bm.formula", f"{actor.name}'s Base Movement is 0 m", "NO_BM")
        elif not d.route and spaces(known, metres_left(known, actor, self.name, self.skill(d))) < 1:
            yield Refusal("narateer.divide.total-cap", f"nothing is left of the {self.name}", "NOTHING_LEFT")

    def skill(self, d: Declaration) -> str:
        return ""

    def price(self, known: State, d: Declaration) -> Price:
        if self.goes_on(character(known, d.actor)):
            return NOTHING
        return PRICES[self.name]

    def along(self, known: State, d: Declaration) -> tuple[Stretch, ...]:
        return route_stretches(known, character(known, d.actor), self.name, d.route)

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """A route that is not concealed all the way is said beforehand.

        Rules: narateer.sneak.concealed-continuous-route.
        """
        if not d.route or not hiding(known, d.actor):
            return ()
        return tuple(exposed(known, character(known, d.actor), d.route))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """One Space, what comes of it, and the rest as a declaration of its own.

        All that could forbid it was checked before anything was paid; obstacles are met on the way.
        Rules: narateer.sequence.order, narateer.sneak.walk-or-run-only, narateer.sneak.no-new-check,
        narateer.sneak.uses-ordinary-allowance.
        """
        stopped = yield from self._meets(play, d)
        if stopped:
            return Outcome(self.name, "stopped")
        actor = character(play.state, d.actor)
        came, at = actor.at, d.route[0]  # kept: the step that is made here
        assert isinstance(came, tuple)
        if self.name == "sprint":
            sprint_ends_hiding(play, d.actor)
        metres = step_cost(play.state, actor, self.name, at)
        if metres > metres_left(play.state, actor, self.name, self.skill(d)) and not play.advise:
            play.emit(Halted("narateer.divide.total-cap", d.actor, "there is not enough movement left"))
            return Outcome(self.name, "stopped")
        whole = Fraction(settings(play.state).space_metres or 2)
        play.emit(Moved(self.rules[0], d.actor, at, Fraction(metres), whole, self.name == EXTRA))
        yield from after_step(play, d.actor, came)
        yield from window(play, Stepped(d.actor, came, at))
        return self._on(play, d)

    def _meets(self, play: Play, d: Declaration) -> Steps[bool]:
        """Whatever the truth has in the way of the next step; True where it stops the movement."""
        challenge = challenge_at(play.state, character(play.state, d.actor).at, d.route[0])
        if challenge is not None:
            passed = yield from meet_obstacle(play, d.actor, challenge, self.name == EXTRA)
            if not passed:
                return True
        hurdle = in_the_way(play.state, d.actor, d.route[0], last=len(d.route) == 1)
        if isinstance(hurdle, Character):
            yield from bump(play, d.actor, hurdle)
        elif hurdle is not None and not play.advise:
            play.emit(Halted("narateer.tactical.blocked-space", d.actor, hurdle))
        else:
            return False
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
        skill = replace(self.parameters[0], choices=sprint_skill(known, d.route))
        return (skill, *self.parameters[1:])

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
        if named_skill(mine, d) and not self.goes_on(mine) and self.skill(d) not in sprint_skill(state, d.route):
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


def sprint_skill(state: State, route: tuple[Cell, ...]) -> tuple[str, ...]:
    """The Skills that fit a route, the one to suggest first: agile ground calls for Acrobatics, the rest for Athletics.

    Where some but less than half of the Spaces are agile, either fits.
    Rules: narateer.sprint.athletics-style, narateer.sprint.acrobatics-style.
    """
    field = ground_of(state)
    if field is None or not route:
        return SPRINT_SKILLS
    agile = sum([is_agile(state, field, cell) for cell in route])
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


def style_refusals(known: State, actor: Character, skill: str, route: tuple[Cell, ...]) -> Iterator[Refusal]:
    """The governing Skill follows from how one moves, never from its level.

    Rules: narateer.sprint.skill-follows-method.
    """
    fits = sprint_skill(known, route)
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
    if field is None:
        return True
    agile = settings(state).agile_tags
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
        if spaces(known, actor.extra) < 1:
            text = "no additional movement is left" if actor.extra else "no rule has granted additional movement"
            yield Refusal("narateer.additional.exact-amount", text, "NO_EXTRA")
