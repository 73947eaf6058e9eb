"""What a Class Power requires, costs and checks; the movement mode gives the distance, the Power the exceptional."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play
from turnwright.events import Told
from turnwright.model import Check, Paid, Price, Refusal, RuleId, State, cost
from turnwright.rules import Steps
from turnwright.systems.narateer.allowance import remaining
from turnwright.systems.narateer.check import check, check_of
from turnwright.systems.narateer.offmap import ground_at
from turnwright.systems.narateer.senses import ground_of
from turnwright.systems.narateer.sheet import Character, Part, Power, Requires, character, readiness, settings

TOPICS = ("power",)


def unmet(known: State, actor: Character, power: Power) -> Iterator[Refusal]:
    """Every requirement of a Power that is not met; the AD that it takes are in its price instead.

    Rules: narateer.power.movement-requirement-kinds.
    """
    needs = power.requires
    if needs.sprint and not sprints(actor, needs):
        named = f"{needs.sprint.title()} Sprint" if isinstance(needs.sprint, str) else "Sprint"
        rule = "narateer.power.named-sprint-requirement" if named != "Sprint" else "narateer.power.sprint-requirement"
        yield Refusal(rule, f"{power.name} needs a {named}", "NEEDS_SPRINT")
    rule = "narateer.power.movement-requirement-kinds"
    if actor.travelled < needs.distance:
        text = f"{power.name} needs {needs.distance} m travelled; it was {float(actor.travelled):g} m"
        yield Refusal(rule, text, "NEEDS_DISTANCE")
    left = sprint_left(known, actor)
    if left < needs.remaining:
        text = f"{power.name} needs {needs.remaining} m of Sprint movement; {left:g} m are left"
        yield Refusal(rule, text, "NEEDS_REMAINING")
    if needs.route and not on_route(known, actor, needs.route):
        yield Refusal(rule, f"{power.name} needs a route over {needs.route}", "NEEDS_ROUTE")


def sprints(actor: Character, needs: Requires) -> bool:
    """Whether the mode is a Sprint, which has been paid for when it is; a named one is governed by that Skill.

    Checks made on the way do not change which Skill governs it.
    Rules: narateer.power.sprint-requirement, narateer.power.named-sprint-requirement.
    """
    return actor.mode == "sprint" and needs.sprint in (True, actor.sprint_skill)


def sprint_left(known: State, actor: Character) -> float:
    """Metres of Sprint movement still to be used; none in another mode."""
    return float(remaining(known, actor, "sprint")) if actor.mode == "sprint" else 0.0


def on_route(known: State, actor: Character, route: str) -> bool:
    """Whether the Space one stands on belongs to the place, or its ground has the tag; off a map, the place's name."""
    field = ground_of(known)
    if field is None or not isinstance(actor.at, tuple):
        ground = ground_at(known, actor.at)
        tags = (ground.name, *ground.tags, *ground.difficult) if ground is not None else ()
        return actor.at == route or route in tags
    ground = field.terrain(actor.at)
    return actor.at in field.cells_of(route) or route in (ground.name, ground.place, *ground.tags, *ground.difficult)


def power_price(power: Power, parts: tuple[Part, ...], rule: RuleId, *, declared: bool = True) -> Price:
    """The AD of the parts, and what the Power itself takes when it is declared: its own, whatever mode one moves in.

    Rules: narateer.power.extra-ad-adds-no-distance.
    """
    own = sum(part.ad for part in parts)
    costs = (cost("ad", own, power.name, rule),) if own else ()
    if declared and power.requires.ad:
        extra = power.requires.ad
        costs = (*costs, cost("ad", extra, f"{power.name}: AD of its own", "narateer.power.extra-ad-adds-no-distance"))
    return Price(costs)


def own_check(state: State, actor: str, part: Part) -> Check | None:
    """The check that a part brings: one die, whatever AD the Power takes, and Boost."""
    return check_of(state, actor, part.check) if part.check else None


def pass_check(play: Play, actor: str, part: Part, paid: Paid, target: str) -> Steps[bool]:
    """Settle a Power's own check: its failure is the Power's and touches no allowance, no mode and no price.

    Rules: narateer.power.may-add-own-check.
    """
    rule = "narateer.power.may-add-own-check"
    number, ties = number_to_beat(play.state, part, target)
    late = part.boost_after_roll
    read = yield from check(play, actor, part.check, paid, rule, against=number, ties=ties, boost_after_roll=late)
    told = part.success if read.value else part.failure
    if told:
        play.emit(Told(rule, actor, told, good=bool(read.value)))
    return bool(read.value)


def number_to_beat(state: State, part: Part, target: str) -> tuple[int, bool]:
    """A fixed target is met; without one the opponent's Readiness Score in the same Skill is exceeded."""
    if part.target or target not in state.actors:
        return part.target, settings(state).fixed_target == "meet"
    return readiness(state, character(state, target), part.check), False
