"""Obstacles on a route: what only costs, and what calls for a check because success and failure both matter."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from turnwright.engine import Play, ask, charge, rule
from turnwright.events import Told
from turnwright.model import (
    At,
    Bill,
    Cell,
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
from turnwright.rules import Settled, Steps, Unasked, ended
from turnwright.space import Terrain
from turnwright.systems.narateer.allowance import remaining
from turnwright.systems.narateer.check import check, check_of, commit_moment
from turnwright.systems.narateer.declare import number_to_beat
from turnwright.systems.narateer.economy import ad, available, proactive_use
from turnwright.systems.narateer.events import ConditionChanged, Halted, MovementLost, Obstacle, Wounded
from turnwright.systems.narateer.offmap import ground_at, place_of
from turnwright.systems.narateer.senses import ground_of
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

RISKS = ("danger", "pressure", "instability", "exhaustion")
"""What puts a climb or a swim in doubt, which needs no check otherwise.

Rules: narateer.climb.risk-needs-check, narateer.climb.no-automatic-check.
"""

IN_DOUBT = frozenset(GROUNDS + RISKS)
SLOW_WAYS = frozenset(("climb", "swim"))
AGILE_GROUNDS = ("beam", "hazardous-vault", "shifting-footing")

NAME = "obstacle"


def obstacle_at(state: State, spot: Cell | str) -> Obstacle | None:
    """The obstacle that the scene puts on a Space, in a Zone, or on the way between two Zones."""
    name = f"{spot[0]},{spot[1]}" if isinstance(spot, tuple) else spot
    found = state.facts.get(f"obstacle {name}")
    return found if isinstance(found, Obstacle) else None


def way_key(a: str, b: str) -> str:
    """How the way between two Zones is called, whichever way one goes."""
    return ">".join(sorted((a, b)))


def challenge_at(state: State, came: At, cell: Cell | str) -> Obstacle | None:
    """What the guide may call for a check about on the step to a Space: an obstacle, or ground that is in doubt.

    Ground of one kind is met once, where one comes upon it.
    Rules: narateer.movecheck.grounds, narateer.climb.no-automatic-check, narateer.climb.risk-needs-check.
    """
    if isinstance(cell, str):
        return _challenge_in(state, came, cell)
    found = obstacle_at(state, cell)
    if found is not None:
        return found
    field = ground_of(state)
    if field is None:
        return None
    ground = field.terrain(cell)
    if not ground.tags or IN_DOUBT.isdisjoint(ground.tags):
        return None
    if isinstance(came, tuple) and field.terrain(came) == ground:
        return None
    return Obstacle(f"ground {cell[0]},{cell[1]}", ground.name, cell, ground.tags)


def _challenge_in(state: State, came: At, zone: str) -> Obstacle | None:
    """The same on the step into a Zone: an obstacle on the way or in the Zone, or ground in doubt.

    Rules: narateer.movecheck.grounds.
    """
    here = place_of(state, came)
    found = obstacle_at(state, way_key(here, zone)) or obstacle_at(state, zone)
    if found is not None:
        return found
    way = state.scene.zones.way(here, zone, state.open_doors) if state.scene.zones is not None else None
    if way is not None and not IN_DOUBT.isdisjoint(way.terrain.tags):
        return Obstacle(f"ground {way_key(here, zone)}", way.terrain.name, zone, way.terrain.tags)
    ground, before = ground_at(state, zone), ground_at(state, came)
    if ground is None or IN_DOUBT.isdisjoint(ground.tags) or (before is not None and before.tags == ground.tags):
        return None
    return Obstacle(f"ground {zone}", ground.name, zone, ground.tags)


def challenge_called(state: State, name: str) -> Obstacle | None:
    """The challenge that a declaration to the guide names."""
    kind, _, at = name.partition(" ")
    x, _, y = at.partition(",")
    if kind not in ("obstacle", "ground"):
        return None
    if y:
        return challenge_at(state, None, (int(x), int(y)))
    a, _, b = at.partition(">")
    if kind == "obstacle":
        return obstacle_at(state, at)
    return _challenge_in(state, a, b) if b else _challenge_in(state, None, a)


def obstacle_metres(state: State, cell: Cell | str) -> int:
    """Metres that an obstacle adds to the route, with or without a check.

    Rules: narateer.obstacle.ordinary-only-costs.
    """
    if not state.facts:
        return 0
    found = obstacle_at(state, cell)
    return found.metres if found is not None else 0


def way_factor(state: State, ground: Terrain) -> int:
    """How often a metre counts on a way that is slow in itself: the map's factor, else a setting for a climb or swim.

    Rules: narateer.climb.slower-route-cost, narateer.climb.no-automatic-check.
    """
    if ground.factor == 1 and not SLOW_WAYS.isdisjoint(ground.tags):
        return settings(state).climb
    return ground.factor


def needs_check(found: Obstacle) -> bool:
    """Rules: narateer.obstacle.check-only-if-both-outcomes-change-scene."""
    return found.uncertain and found.success_changes and found.failure_changes


def skill_for(state: State, tags: tuple[str, ...]) -> str:
    """The Skill to suggest for a challenge on a route, by how it is met; the sprint's own Skill does not matter.

    Rules: narateer.movecheck.skill-matches-method, narateer.movecheck.athletics-scope,
    narateer.movecheck.acrobatics-scope, narateer.climb.skills.
    """
    rules = settings(state)
    agile = any(tag in rules.acrobatics_tags or tag in AGILE_GROUNDS for tag in tags)
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


def meet_obstacle(play: Play, actor: str, found: Obstacle, additional: bool = False) -> Steps[bool]:
    """Settle an obstacle before the step onto it; True where the mover goes on with exactly what is left.

    Where the scene settles Skill, target and consequence, nobody needs to be asked.
    Rules: narateer.movecheck.normal-procedure, narateer.movecheck.stakes-before-dice,
    narateer.movecheck.success-continues, narateer.movecheck.failure-hits-route-not-mode.
    """
    if not needs_check(found):
        return True
    settled = preset(play.state, found)
    if not (found.skill and found.target is not None and found.consequence):
        d = Declaration(actor, NAME, f"get past {found.name}", "go on", options={"obstacle": found.id})
        ruled = yield from rule(play, d)
        if ruled is None or ruled[1].kind == "impossible" or not ruled[1].good:
            play.emit(Halted("narateer.movecheck.grounds", actor, f"{found.name} stops the way"))
            return False
        settled = ruled[1]
        if settled.kind != "check":
            return True
    return (yield from try_obstacle(play, actor, found, settled, additional))


def try_obstacle(play: Play, actor: str, found: Obstacle, ruling: Ruling, additional: bool) -> Steps[bool]:
    """Try to get past something by the check that was ruled, stop before it, or take the consequence."""
    given = yield from ask(lambda: _choice(play.state, actor, found, ruling), Chosen)
    if given.id != "try":
        play.game.withdrew(play, Declaration(actor, NAME))
    if given.id == "stop":
        play.emit(Halted("narateer.movecheck.normal-procedure", actor, f"stopped before {found.name}"))
        return False
    if given.id == "fail":
        return _fail(play, actor, found, ruling, additional)
    paid = charge(play, actor, check_bill(play.state, actor, found, ruling), given.amount)
    against, ties = number_to_beat(play.state, ruling)
    rule_id = "narateer.movecheck.normal-procedure"
    read = yield from check(play, actor, ruling.skill, paid, rule_id, against=against, ties=ties)
    if read.value:
        play.emit(Told("narateer.movecheck.success-continues", actor, ruling.success))
        return True
    return _fail(play, actor, found, ruling, additional)


def check_bill(state: State, actor: str, found: Obstacle, ruling: Ruling) -> Bill:
    """1 Ready AD and Boost, and no proactive use, since it is a part of the movement; a setting counts one.

    Rules: narateer.movecheck.normal-procedure.
    """
    amount = 1 if ruling.ad is None else ruling.ad
    price = Price(ad(amount, f"{ruling.skill} check for {found.name}", "narateer.movecheck.normal-procedure"))
    if settings(state).obstacle_use and state.active == actor:
        price = price.plus(proactive_use(ruling.skill))
    dice = max(1, amount) if ruling.dice is None else ruling.dice
    return Bill(price, check_of(state, actor, ruling.skill, dice, ruling.boost), found.name)


def _choice(state: State, actor: str, found: Obstacle, ruling: Ruling) -> Choose:
    """Try it, where it can be paid, or stop before it, or take the consequence; until then others may still help."""
    bill = check_bill(state, actor, found, ruling)
    options = [Option("stop", "stop before it or take another way"), Option("fail", f"accept: {ruling.failure}")]
    if affordable(state, actor, bill.price):
        most = min(bill.check.most if bill.check else 0, character(state, actor).ready - bill.price.amount("ad"))
        limit = bill.check.why_most if bill.check else ""
        options.insert(0, Option("try", f"{ruling.skill} check", bill.price, most, limit))
    prompt = f"{found.name}: {ruling.skill}; success: {ruling.success}; failure: {ruling.failure}"
    seat = character(state, actor).seat
    moment = commit_moment(actor, bill)
    return Choose(seat, actor, prompt, "narateer.movecheck.normal-procedure", tuple(options), NAME, moment=moment)


def affordable(state: State, actor: str, price: Price) -> bool:
    needs = {item.resource: price.amount(item.resource) for item in price.costs}
    held = {resource: available(state, actor, resource) for resource in needs}
    return all((have := held[resource]) is None or have >= need for resource, need in needs.items())


def _fail(play: Play, actor: str, found: Obstacle, ruling: Ruling, additional: bool) -> bool:
    """The consequence that was agreed, and nothing else; the mode, its price and its allowance stand.

    Without a consequence of its own a failure stops the mover; words of the guide's own are told, and no more.
    Rules: narateer.movecheck.failure-hits-route-not-mode, narateer.movecheck.consequence-menu,
    narateer.movecheck.example-mira.
    """
    rule_id = "narateer.movecheck.consequence-menu"
    play.emit(Told(rule_id, actor, ruling.failure, good=False))
    kind = ruling.consequence or "stop"
    if kind not in CONSEQUENCES:
        return True
    mover = character(play.state, actor)
    left = mover.extra if additional else remaining(play.state, mover, mover.mode)
    if kind == "lose_part":
        play.emit(MovementLost(rule_id, actor, min(left, Fraction(ruling.amount)), additional))
        return True
    if kind == "harm":
        play.emit(Wounded(rule_id, actor, ruling.amount or 1))
        return not character(play.state, actor).down
    if kind == "lose_all":
        play.emit(MovementLost(rule_id, actor, left, additional))
    elif kind == "prone":
        play.emit(ConditionChanged(rule_id, actor, "prone"))
    play.emit(Halted(rule_id, actor, f"{kind.replace('_', ' ')} at {found.name}"))
    return False


class ObstacleCheck(Unasked):
    """What the guide is asked about an obstacle; it is met on the way and never declared."""

    name = NAME
    about = "an obstacle met on the way"
    rules = ("narateer.movecheck.grounds",)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield Refusal(self.rules[0], "an obstacle is met on a route, not declared", "NOT_DECLARED")

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        return None

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        return ended(Outcome(self.name, "met"))
