"""Obstacles on a route: what only costs, and what calls for a check because success and failure both matter."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from turnwright.engine import Play, ask, charge, rule
from turnwright.events import Told
from turnwright.model import (
    NOTHING,
    Bill,
    Choose,
    Chosen,
    Declaration,
    Moment,
    Option,
    Outcome,
    Price,
    Refusal,
    Ruling,
    State,
)
from turnwright.rules import Action, Settled, Steps, ended
from turnwright.systems.narateer.allowance import remaining
from turnwright.systems.narateer.check import check, check_of, one_ad
from turnwright.systems.narateer.economy import proactive_use
from turnwright.systems.narateer.events import ConditionChanged, Halted, MovementLost, Obstacle, Wounded
from turnwright.systems.narateer.sheet import character, settings

TOPICS = ("movecheck", "obstacle", "climb")

CONSEQUENCES = ("stop", "lose_part", "lose_all", "prone", "worse_position", "harm", "reroute")
"""What a failure can bring, besides free text. Rules: narateer.movecheck.consequence-menu."""

GROUNDS = (
    "gap",
    "beam",
    "unstable-wall",
    "violent-water",
    "hazardous-vault",
    "shifting-footing",
    "resistance",
    "pursuit",
)
"""What makes a part of a route a candidate for a check. Rules: narateer.movecheck.grounds."""

NAME = "obstacle"


def obstacle_at(state: State, cell: tuple[int, int]) -> Obstacle | None:
    found = state.facts.get(f"obstacle {cell[0]},{cell[1]}")
    return found if isinstance(found, Obstacle) and not found.cleared else None


def obstacle_metres(state: State, cell: tuple[int, int]) -> int:
    """Metres that an obstacle adds to the route, with or without a check.

    Rules: narateer.obstacle.ordinary-only-costs.
    """
    if not state.facts:
        return 0
    found = obstacle_at(state, cell)
    return found.metres if found is not None else 0


def needs_check(found: Obstacle) -> bool:
    """Rules: narateer.obstacle.check-only-if-both-outcomes-change-scene."""
    return found.uncertain and found.success_changes and found.failure_changes


def skill_for(state: State, tags: tuple[str, ...]) -> str:
    """The Skill to suggest for a challenge on a route, by how it is met; the sprint's own Skill does not matter.

    Rules: narateer.movecheck.skill-matches-method, narateer.movecheck.athletics-scope,
    narateer.movecheck.acrobatics-scope.
    """
    rules = settings(state)
    agile = any(tag in rules.acrobatics_tags for tag in tags)
    return "acrobatics" if agile and "swim" not in tags else "athletics"


def preset(state: State, found: Obstacle) -> Ruling:
    """The ruling that the scene file or the tags suggest."""
    return Ruling(
        "check",
        skill=found.skill or skill_for(state, found.tags),
        target=settings(state).ladder["standard"] if found.target is None else found.target,
        success=f"past {found.name}",
        failure=found.failure or (f"{found.consequence or 'stop'} at {found.name}"),
        consequence=found.consequence or "stop",
        amount=found.amount,
        ad=1,
        why="uncertain",
    )


def meet_obstacle(play: Play, actor: str, found: Obstacle) -> Steps[bool]:
    """Settle an obstacle before the step onto it; True where the mover goes on with exactly what is left.

    Rules: narateer.movecheck.normal-procedure, narateer.movecheck.stakes-before-dice,
    narateer.movecheck.success-continues, narateer.movecheck.failure-hits-route-not-mode.
    """
    if not needs_check(found):
        return True
    settled = preset(play.state, found)
    if not (found.skill and found.target is not None and found.consequence):
        d = Declaration(actor, NAME, f"get past {found.name}", "go on", options={"obstacle": found.id})
        ruled = yield from rule(play, d)
        if ruled is None or ruled[1].kind == "impossible":
            play.emit(Halted("narateer.movecheck.grounds", actor, f"{found.name} stops the way"))
            return False
        settled = ruled[1]
        if settled.kind != "check":
            return settled.good
    return (yield from _try(play, actor, found, settled))


def _try(play: Play, actor: str, found: Obstacle, ruling: Ruling) -> Steps[bool]:
    state = play.state
    dice = check_of(state, actor, ruling.skill, most=ruling.boost)
    price = one_ad(f"{ruling.skill} check for {found.name}", "narateer.movecheck.normal-procedure")
    if settings(state).obstacle_use and state.active == actor:
        price = price.plus(proactive_use(ruling.skill))
    bill = Bill(price, dice, found.name)
    ready = character(state, actor).ready
    options = [Option("stop", "stop before it or take another way"), Option("fail", f"accept: {ruling.failure}")]
    if ready >= 1:
        options.insert(0, Option("try", f"{ruling.skill} check", price, min(dice.most, ready - 1), dice.why_most))
    prompt = f"{found.name}: {ruling.skill}; success: {ruling.success}; failure: {ruling.failure}"
    seat = character(state, actor).seat
    question = Choose(seat, actor, prompt, "narateer.movecheck.normal-procedure", tuple(options), NAME)
    given = yield from ask(question, Chosen)
    if given.id == "stop":
        play.emit(Halted("narateer.movecheck.normal-procedure", actor, f"stopped before {found.name}"))
        return False
    if given.id == "fail":
        return _fail(play, actor, found, ruling)
    paid = charge(play, actor, bill, given.amount)
    read = yield from check(
        play, actor, ruling.skill, paid, "narateer.movecheck.normal-procedure", against=ruling.target, ties=True
    )
    if read.value:
        play.emit(Told("narateer.movecheck.success-continues", actor, ruling.success))
        return True
    return _fail(play, actor, found, ruling)


def _fail(play: Play, actor: str, found: Obstacle, ruling: Ruling) -> bool:
    """The consequence that was agreed, and nothing else; the mode, its price and its allowance stand.

    Rules: narateer.movecheck.failure-hits-route-not-mode, narateer.movecheck.consequence-menu,
    narateer.movecheck.example-mira.
    """
    rule_id = "narateer.movecheck.consequence-menu"
    play.emit(Told(rule_id, actor, ruling.failure, good=False))
    kind = ruling.consequence or "stop"
    if kind == "lose_part":
        play.emit(MovementLost(rule_id, actor, Fraction(ruling.amount)))
        return True
    if kind == "lose_all":
        mover = character(play.state, actor)
        play.emit(MovementLost(rule_id, actor, remaining(play.state, mover, mover.mode)))
    elif kind == "prone":
        play.emit(ConditionChanged(rule_id, actor, "prone"))
    elif kind == "harm":
        play.emit(Wounded(rule_id, actor, ruling.amount or 1))
        return not character(play.state, actor).down
    play.emit(Halted(rule_id, actor, f"{kind.replace('_', ' ')} at {found.name}"))
    return False


class ObstacleCheck(Action):
    """What the guide is asked about an obstacle; it is met on the way and never declared."""

    name = NAME
    about = "an obstacle met on the way"
    nature = "free"
    rules = ("narateer.movecheck.grounds",)

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        yield from ()

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield Refusal(self.rules[0], "an obstacle is met on a route, not declared", "NOT_DECLARED")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        return None

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        return ended(Outcome(self.name, "met"))
