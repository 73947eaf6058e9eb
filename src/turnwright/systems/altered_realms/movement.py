"""Movement: walking along a way of tiles, standing up, sprinting; each step leaves time for an Opportunity Attack."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, window
from turnwright.model import (
    NOTHING,
    ActorId,
    Cell,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    State,
    Stretch,
    Then,
    cost,
)
from turnwright.rules import Nature, Pick, Reached, Settled, Steps, ended
from turnwright.systems.altered_realms.economy import Deed, Leisure, action_price, available, own_turn, sprint_barred
from turnwright.systems.altered_realms.events import (
    BudgetGained,
    Carries,
    Forced,
    Halted,
    MovementBegun,
    Stepped,
    StoodUp,
)
from turnwright.systems.altered_realms.harm import carry_along, fall
from turnwright.systems.altered_realms.holding import grappled
from turnwright.systems.altered_realms.sheet import Creature, conditions_of, creature, settings
from turnwright.systems.altered_realms.space import (
    carries_it,
    crawling,
    depth,
    drop_at,
    free_for,
    in_the_way,
    level_fits,
    movement_type,
    neighbours,
    others_at,
    route_cost,
    route_refusals,
    step_cost,
    step_fits,
    tiles,
    tiles_at,
    way_there,
)

TOPICS = ("movement", "sprint")


class Arrived(Moment, frozen=True):
    """Somebody has taken a step of its own movement."""

    actor: ActorId
    came: Cell
    at: Cell


class Leaving(Moment, frozen=True):
    """Somebody is about to take a step of its own movement."""

    actor: ActorId
    at: Cell
    to: Cell


def walking_speed(state: State, who: Creature) -> int:
    """Metres of one Movement: half, in whole metres and at least 1, for whoever carries somebody.

    Rules: altered-realms.carry.athletics-roll.
    """
    speed = who.speeds.get(movement_type(who), who.speed)
    if not speed or not state.related(Carries, who.id):
        return speed
    return max(1, speed // settings(state).carry_speed)


def going(who: Creature, by: str) -> Creature:
    """The creature as it moves by that type; what is left of a Movement of another type is of no use to it."""
    return who if by == who.moving else replace(who, moving=by, metres=0)


def movements_needed(state: State, who: Creature, metres: int) -> int:
    """How many Movements must be taken up for so many metres, beside what is left of the one already begun.

    One Movement may be divided around other deeds.
    Rules: altered-realms.movement.only-for-relocation, altered-realms.movement.stat-line.
    """
    lacking = metres - who.metres
    speed = walking_speed(state, who)
    return -(-lacking // speed) if lacking > 0 and speed > 0 else 0


def stuck(known: State, who: Creature) -> Iterator[Refusal]:
    """Why the creature cannot move by itself at all."""
    for name, condition in conditions_of(known, who):
        if not condition.moves:
            text = f"{who.name} is {name.title()} and cannot move"
            yield Refusal("altered-realms.movement.only-for-relocation", text, name.upper())
    if not walking_speed(known, who):
        yield Refusal("altered-realms.movement.stat-line", f"{who.name} has a speed of 0 m", "NO_SPEED")
    if grappled(known, who):
        text = f"{who.name} is held and cannot use its Movement"
        yield Refusal("altered-realms.grapple.no-movement-except-teleport", text, "HELD")


def movement_cost(state: State, who: Creature, metres: int, why: str) -> Price:
    """As many Movements as so many metres take up beyond what is left of the last."""
    count = movements_needed(state, who, metres)
    if not count:
        return NOTHING
    return Price((cost("movement", count, why, "altered-realms.movement.only-for-relocation"),))


def take_up(play: Play, actor: ActorId, metres: int, by: str = "") -> None:
    """The metres of the Movements that were just paid for; off-turn what was allowed and no more."""
    who = going(creature(play.state, actor), by)
    count, each = movements_needed(play.state, who, metres), walking_speed(play.state, who)
    gained = count * each if own_turn(play.state, actor) else metres - who.metres
    if gained > 0:
        level = depth(play.state, who)
        play.emit(MovementBegun("altered-realms.movement.only-for-relocation", actor, gained, each, by, level))


class Walk(Deed):
    """Cover ground, a metre for a tile; what is left of a Movement can be used later in the turn.

    Rules: altered-realms.movement.only-for-relocation, altered-realms.movement.stat-line.
    """

    name = "walk"
    about = "move along a way of tiles"
    rules = ("altered-realms.movement.only-for-relocation", "altered-realms.movement.stat-line")
    wants = ("arrived",)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("route", "route", "the tiles in order, without the one you stand on"),
        Parameter("to", "cell", "the tile to go to by the cheapest way"),
        Parameter("by", "text", "by which movement type of the sheet, such as: fly", by_name=True),
    )

    def label(self, known: State, d: Declaration) -> str:
        who = creature(known, d.actor)
        if who.metres:
            return f"walk, {who.metres} m left of this Movement"
        return f"walk, {walking_speed(known, who)} m for a Movement"

    def complete(self, known: State, d: Declaration) -> Declaration:
        to = d.option("to")
        if not d.route and to:
            x, _, y = to.strip("()[] ").partition(",")
            d = replace(d, route=way_there(known, mover(known, d), (int(x), int(y))))
        return d

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        who, route = creature(known, d.actor), list[Cell]()
        here = who.at
        for _ in range(pick((1, 2, 3, 4))):
            if not isinstance(here, tuple):
                break
            led_to = [cell for cell in neighbours(here) if step_fits(known, who, here, cell)]
            if not led_to:
                break
            here = pick(led_to)
            route.append(here)
        return replace(d, route=tuple(route))

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.route:
            to = d.option("to")
            text = f"no way leads to {to}" if to else "say the way, or where to"
            rule = "altered-realms.movement.only-for-relocation"
            yield Refusal(rule, text, "NO_ROUTE" if to else "INCOMPLETE route")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who, rule = mover(known, d), "altered-realms.movement.stat-line"
        if d.option("by") and d.option("by") not in who.moves:
            text = f"{who.name} moves by {', '.join(who.moves)} and not by {d.option('by')}"
            yield Refusal(rule, text, "NO_MOVEMENT_TYPE")
        if movement_type(who) == "fly" and crawling(known, who):
            yield Refusal(rule, f"{who.name} must stand up before it flies", "PRONE")
        yield from stuck(known, who)
        if d.route:
            yield from route_refusals(known, who, cells_of(d))
            if not own_turn(known, d.actor) and _cost(known, d) > walking_speed(known, who):
                yield Refusal(rule, f"that is farther than {walking_speed(known, who)} m", "TOO_FAR")

    def own_price(self, known: State, d: Declaration) -> Price:
        who = mover(known, d)
        return movement_cost(known, who, _cost(known, d) if d.route else 1, "covering ground")

    def reaches(self, known: State, d: Declaration) -> Iterator[Reached]:
        from turnwright.systems.altered_realms.reached import reached  # which asks whose blow a step draws

        who = mover(known, d)
        if next(stuck(known, who), None) is None:
            more = (available(known, d.actor, "movement") or 0) if own_turn(known, d.actor) else 1
            yield from reached(known, d, who, who.metres + more * walking_speed(known, who))

    def along(self, known: State, d: Declaration) -> tuple[Stretch, ...]:
        metres = _cost(known, d) if d.route else 0
        rule = "altered-realms.movement.only-for-relocation"
        return (Stretch(Fraction(metres), "the way", rule),) if metres else ()

    def records(self, state: State, d: Declaration) -> bool:
        return not d.options.get("going")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        if not d.options.get("going"):
            take_up(play, d.actor, _cost(play.state, d), kind_of(play.state, d))
        who = creature(play.state, d.actor)
        cell = cells_of(d)[0]
        assert isinstance(who.at, tuple)
        last = len(d.route) == 1
        halted = why_not(play.state, who, cell, last)
        if not halted:
            yield from window(play, Leaving(d.actor, who.at, cell))
            halted = why_not(play.state, creature(play.state, d.actor), cell, last)
        if halted:
            stand_back(play, d.actor)
            play.emit(Halted("altered-realms.movement.only-for-relocation", d.actor, halted))
            yield from drop_down(play, d.actor)
            return Outcome(self.name, "halted")
        came = creature(play.state, d.actor).at  # kept: where it came from
        assert isinstance(came, tuple)
        step(play, d.actor, cell)
        yield from window(play, Arrived(d.actor, came, cell))
        if len(d.route) > 1:
            rest = replace(d, route=d.route[1:], options={**d.options, "going": True})
            return Outcome(self.name, "moving", then=Then(rest))
        return Outcome(self.name, "arrived")


def cells_of(d: Declaration) -> tuple[Cell, ...]:
    return tuple([cell for cell in d.route if isinstance(cell, tuple)])


def kind_of(known: State, d: Declaration) -> str:
    """The movement type that is declared; empty for the plain one of the sheet."""
    plain = movement_type(replace(creature(known, d.actor), moving=""))
    return "" if d.option("by") == plain else d.option("by")


def mover(known: State, d: Declaration) -> Creature:
    return going(creature(known, d.actor), kind_of(known, d))


def _cost(known: State, d: Declaration) -> int:
    who = mover(known, d)
    return route_cost(known, who, cells_of(d)) if isinstance(who.at, tuple) else 0


def step(play: Play, actor: ActorId, cell: Cell, *, settled: bool = True) -> None:
    """One step of the own movement; whoever is attached comes along."""
    who = creature(play.state, actor)
    assert isinstance(who.at, tuple)
    metres = step_cost(play.state, who, who.at, cell)
    came = who.at
    play.emit(Stepped("altered-realms.movement.only-for-relocation", actor, cell, metres))
    carry_along(play, actor, came, cell, settled=settled)


def why_not(state: State, who: Creature, cell: Cell, last: bool = False) -> str:
    """What stops the next step, as things really stand; empty where nothing does. The last one ends on nobody."""
    if who.down or next(stuck(state, who), None) is not None:
        return "it cannot go on"
    if not isinstance(who.at, tuple) or not step_fits(state, who, who.at, cell):
        return "no step leads there"
    if not carries_it(state, who, cell):
        return "the ground is not for it"
    if not level_fits(state, who, cell, last=False):
        return "there is a drop"
    if any(last or other.side != who.side for other in in_the_way(state, who, tiles_at(state, who, cell))):
        return "somebody stands in the way"
    if step_cost(state, who, who.at, cell) > who.metres:
        return "the Movement is used up"
    return ""


def stand_back(play: Play, actor: ActorId) -> None:
    """Whoever is stopped on somebody's tiles, or in the air over a drop, ends on the last free one before it."""
    who = creature(play.state, actor)
    over = over_a_drop(play.state, who)
    if over and (who.down or next(stuck(play.state, who), None) is not None):
        return
    if not over and not any(True for _ in others_at(play.state, who, tiles(play.state, who))):
        return
    free = [cell for cell in reversed(who.run) if free_for(play.state, who, cell)]
    if free:
        play.emit(Forced("altered-realms.movement.only-for-relocation", actor, free[0], actor))


def over_a_drop(state: State, who: Creature) -> bool:
    return isinstance(who.at, tuple) and who.aloft is not None and drop_at(state, who, who.at) > who.aloft


def drop_down(play: Play, actor: ActorId) -> Steps[None]:
    """Whoever can fly no longer while it is over a drop falls.

    Rules: altered-realms.last-grasp.fail.
    """
    who = creature(play.state, actor)
    if not over_a_drop(play.state, who) or not isinstance(who.at, tuple):
        return
    deep = drop_at(play.state, who, who.at) - depth(play.state, who)  # kept: how far down it goes
    play.emit(Forced("altered-realms.last-grasp.fail", actor, who.at))
    yield from fall(play, actor, "altered-realms.last-grasp.fail", deep)


class Stand(Deed):
    """Get up from the ground, paid in metres of Movement; so not while held.

    Rules: altered-realms.trip.prone-no-damage, altered-realms.movement.only-for-relocation.
    """

    name = "stand"
    about = "stand up"
    rules = ("altered-realms.trip.prone-no-damage",)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who = creature(known, d.actor)
        if not crawling(known, who):
            yield Refusal("altered-realms.trip.prone-no-damage", f"{who.name} is on its feet", "STANDING")
        yield from stuck(known, who)

    def own_price(self, known: State, d: Declaration) -> Price:
        who = going(creature(known, d.actor), "")
        return movement_cost(known, who, standing_metres(known, who), "standing up")

    def along(self, known: State, d: Declaration) -> tuple[Stretch, ...]:
        metres = standing_metres(known, creature(known, d.actor))
        return (Stretch(Fraction(metres), "standing up", "altered-realms.trip.prone-no-damage"),)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        metres = standing_metres(play.state, creature(play.state, d.actor))
        take_up(play, d.actor, metres)
        play.emit(StoodUp(self.rules[0], d.actor, metres))
        return ended(Outcome(self.name, "success"))


def standing_metres(state: State, who: Creature) -> int:
    """Half the move speed in whole metres, at least 1."""
    return max(1, who.speed // settings(state).stand)


class Sprint(Deed):
    """The Action for one more Movement in this turn; never without Stamina.

    Rules: altered-realms.sprint.action-for-movement, altered-realms.sprint.blocked-at-zero-stamina.
    """

    name = "sprint"
    about = "spend the Action for one more Movement"
    in_turn = True
    rules = ("altered-realms.sprint.action-for-movement", "altered-realms.sprint.blocked-at-zero-stamina")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not own_turn(known, d.actor):
            rule = "altered-realms.sprint.action-for-movement"
            yield Refusal(rule, "a sprint gives one more Movement in the own turn", "NOT_YOUR_TURN")
        yield from no_stamina(known, d.actor)

    def reaches(self, known: State, d: Declaration) -> Iterator[Reached]:
        """Where the Movement that it gives leads, with what is left besides."""
        from turnwright.systems.altered_realms.reached import reached  # which asks whose blow a step draws

        who = creature(known, d.actor)
        if next(stuck(known, who), None) is None:
            more = 1 + (available(known, d.actor, "movement") or 0)
            yield from reached(known, d, who, who.metres + more * walking_speed(known, who))

    def own_price(self, known: State, d: Declaration) -> Price:
        return action_price("a sprint", "altered-realms.sprint.action-for-movement")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(BudgetGained("altered-realms.sprint.action-for-movement", d.actor, "movement", 1))
        return ended(Outcome(self.name, "success"))


def no_stamina(known: State, actor: ActorId) -> Iterator[Refusal]:
    if sprint_barred(known, creature(known, actor)):
        text = f"{creature(known, actor).name} has no Stamina left to sprint with"
        yield Refusal("altered-realms.sprint.blocked-at-zero-stamina", text, "NO_STAMINA")


class LongSprint(Leisure):
    """Sprinting for hours, between turns: one Stamina for each full hour.

    Rules: altered-realms.sprint.stamina-per-hour, altered-realms.sprint.blocked-at-zero-stamina.
    """

    name = "sprint_for_hours"
    about = "sprint for some hours while no turns are counted"
    nature: ClassVar[Nature] = "free"
    rules = ("altered-realms.sprint.stamina-per-hour",)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("hours", "number", "full hours", required=True, most=24),)

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return replace(d, options={**d.options, "hours": pick((1, 2))})

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if hours_of(d) < 1:
            yield Refusal("altered-realms.sprint.stamina-per-hour", "say for how many full hours", "INCOMPLETE hours")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if known.active is not None:
            text = "while turns are counted there is no time for that"
            yield Refusal("altered-realms.sprint.stamina-per-hour", text, "IN_TURNS")
        yield from stuck(known, creature(known, d.actor))
        yield from no_stamina(known, d.actor)

    def price(self, known: State, d: Declaration) -> Price:
        if "stamina" not in creature(known, d.actor).own_pools or hours_of(d) < 1:
            return NOTHING
        return Price(
            (cost("pool:stamina", hours_of(d), "hours of sprinting", "altered-realms.sprint.stamina-per-hour"),)
        )

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        return ended(Outcome(self.name, "success", amount=hours_of(d)))


def hours_of(d: Declaration) -> int:
    text = d.option("hours")
    return int(text) if text.strip().isdecimal() else 0
