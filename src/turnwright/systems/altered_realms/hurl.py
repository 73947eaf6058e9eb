"""Throwing whom one holds: how far it flies, what that does to it, and to whoever is in the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import ActorId, Cell, Declaration, Moment, Outcome, Parameter, Refusal, State
from turnwright.rules import Settled, Steps
from turnwright.systems.altered_realms.attack import Blow, swing, target_refusals
from turnwright.systems.altered_realms.events import Forced, HoldEnded
from turnwright.systems.altered_realms.forced import COMPASS, metres_of, over_ledge
from turnwright.systems.altered_realms.harm import carry_along, harm, settle
from turnwright.systems.altered_realms.holding import disabled, holds_of
from turnwright.systems.altered_realms.rolls import damage, save
from turnwright.systems.altered_realms.sheet import Creature, creature, settings, size_index
from turnwright.systems.altered_realms.space import depth, drop_at, ground_of, in_the_way, step_fits, tiles_at
from turnwright.systems.altered_realms.trip import MeleeDeed, melee_refusals, size_refusals

TOPICS = ("throw-opponent",)


def throw_metres(who: Creature) -> int:
    """The better of STR and DEX, whole and not half, at least 1.

    Rules: altered-realms.throw-opponent.distance.
    """
    return max(1, who.brawn)


def thrown_dice(state: State, who: Creature) -> int:
    """1 to 3 by the size of the thrown creature.

    Rules: altered-realms.throw-opponent.damage.
    """
    return min(3, max(1, size_index(state, who)))


def bystander_dc(state: State, thrown: Creature) -> int:
    """Rules: altered-realms.throw-opponent.bystander-dc (the size of the thrown creature, not of who is in the way)."""
    return settings(state).bystander_dc + size_index(state, thrown)


class ThrowOpponent(MeleeDeed):
    """A melee attack roll at whom one holds: a hit throws it, and no weapon's damage is dealt.

    Rules: altered-realms.throw-opponent.precondition, altered-realms.throw-opponent.cost,
    altered-realms.throw-opponent.roll.
    """

    name = "throw_opponent"
    about = "throw somebody whom you hold"
    rules = ("altered-realms.throw-opponent.precondition", "altered-realms.throw-opponent.distance")
    wants = ("hit",)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "whom", required=True),
        Parameter("direction", "choice", "which way", required=True, choices=tuple(COMPASS)),
        Parameter("metres", "number", "how far; as far as possible where it is not said", by_name=True, most=20),
        Parameter("weapon", "text", "with which melee weapon", by_name=True),
    )

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for captive in dict.fromkeys(hold.other for hold in holds_of(known, actor)):
            for direction in COMPASS:
                yield Declaration(actor, self.name, target=captive, options={"direction": direction})

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"throw {other.name if other else d.target} {d.option('direction')}".strip()

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from super().missing(known, d)
        if d.option("direction") not in COMPASS:
            text = f"say which way: {', '.join(COMPASS)}"
            yield Refusal("altered-realms.throw-opponent.distance", text, "INCOMPLETE direction")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        rule, who, other = (
            "altered-realms.throw-opponent.precondition",
            creature(known, d.actor),
            known.actors.get(d.target),
        )
        yield from target_refusals(known, d, rule)
        hands = [hold.hand for hold in holds_of(known, d.actor) if hold.other == d.target]
        if other is not None and not hands:
            yield Refusal(rule, f"{other.name} is not held by {who.name}", "NOT_HELD")
        elif hands and all(disabled(known, who, hand) for hand in hands):
            text = f"{who.name}'s {hands[0]} is held and cannot be used"
            yield Refusal("altered-realms.grapple.part-unusable", text, "PART_HELD")
        yield from size_refusals(known, d, rule)
        if metres_of(known, d, 0) > throw_metres(who):
            text = f"that is more than {throw_metres(who)} m"
            yield Refusal("altered-realms.throw-opponent.distance", text, "TOO_FAR")
        yield from melee_refusals(known, d, self.weapon(known, d), "altered-realms.throw-opponent.roll")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        weapon = self.weapon(play.state, d)
        assert weapon is not None
        rule = "altered-realms.throw-opponent.roll"
        swung = yield from swing(play, Blow(d.actor, d.target, weapon, rule=rule))
        if not swung.hits or swung.target != d.target:
            return Outcome(self.name, "miss", (swung.target,))
        dealt = yield from throw(play, d)
        return Outcome(self.name, "hit", (d.target,), dealt)


def throw(play: Play, d: Declaration) -> Steps[int]:
    """The body is let go, is hurt, flies, and strikes whoever is in its way and does not avoid it."""
    metres = metres_of(play.state, d, throw_metres(creature(play.state, d.actor)))
    way = flight(
        play.state, creature(play.state, d.target), COMPASS[d.option("direction")], metres
    )  # kept: where it flies
    for hold in holds_of(play.state, d.actor):
        if hold.other == d.target:
            play.emit(HoldEnded("altered-realms.throw-opponent.distance", d.actor, d.target, hold))
    landing = landing_of(play.state, creature(play.state, d.target), way)
    rule = "altered-realms.throw-opponent.damage"
    struck: tuple[ActorId, ...] = ()
    if landing is None:
        struck = in_its_way(play.state, creature(play.state, d.target), d.actor, way)  # kept: who stood there
    else:
        struck = yield from land(play, d.target, landing, way, d.actor)
    dice = thrown_dice(play.state, creature(play.state, d.target))
    written = f"{dice}d{settings(play.state).throw_die}"
    dealt = yield from damage(play, d.actor, d.target, written, 0, "the throw", rule)
    harm(play, d.target, dealt, "blunt", d.actor, rule)
    for name in struck:
        yield from avoid(play, name, d.target, d.actor, dealt)
    return dealt


def flight(state: State, thrown: Creature, direction: Cell, metres: int) -> tuple[Cell, ...]:
    """The tiles of its flight in a straight line, up to what is solid or rises; over others and a gap it flies on.

    Rules: altered-realms.throw-opponent.distance.
    """
    if not isinstance(thrown.at, tuple) or ground_of(state) is None:
        return ()
    way, here = list[Cell](), thrown.at
    for _ in range(metres):
        there = (here[0] + direction[0], here[1] + direction[1])
        if not step_fits(state, thrown, here, there) or drop_at(state, thrown, there) < depth(state, thrown):
            break
        way.append(there)
        here = there
    return tuple(way)


def landing_of(state: State, thrown: Creature, way: tuple[Cell, ...]) -> Cell | None:
    """The last tile of the way on which it finds room; None where it comes down where it was."""
    for cell in reversed(way):
        if not any(True for _ in in_the_way(state, thrown, tiles_at(state, thrown, cell))):
            return cell
    return None


def in_its_way(state: State, thrown: Creature, thrower: ActorId, way: tuple[Cell, ...]) -> tuple[ActorId, ...]:
    """Whoever stands on the level of the flight where the whole body comes past, or where it comes down.

    Rules: altered-realms.throw-opponent.larger-bigger-projectile.
    """
    swept = [cell for at in way for cell in tiles_at(state, thrown, at)]
    level = depth(state, thrown)
    there = in_the_way(state, thrown, swept)
    return tuple([other.id for other in there if other.id != thrower and depth(state, other) == level])


def land(play: Play, thrown: ActorId, landing: Cell, way: tuple[Cell, ...], by: ActorId) -> Steps[tuple[ActorId, ...]]:
    """It comes down; over a drop there is an edge to catch hold of first. Tells whom it came past."""
    who = creature(play.state, thrown)
    struck = in_its_way(play.state, who, by, way)  # kept: who stands there as it flies
    if drop_at(play.state, who, landing) <= depth(play.state, who):
        fly_to(play, thrown, landing, by)
        settle(play)
        return struck
    before = way[: first_drop(play.state, who, way)]
    over = way[len(before)]  # kept: the first tile beyond the edge
    short = in_its_way(play.state, who, by, before)  # kept: who stands on this side of it
    edge = landing_of(play.state, who, before)
    if edge is not None:
        fly_to(play, thrown, edge, by)
    saved = yield from over_ledge(play, thrown, over, landing, by)
    settle(play)
    return short if saved else struck


def first_drop(state: State, who: Creature, way: tuple[Cell, ...]) -> int:
    """How many tiles of the way lie on this side of the edge."""
    level = depth(state, who)
    return next((n for n, cell in enumerate(way) if drop_at(state, who, cell) > level), len(way))


def fly_to(play: Play, thrown: ActorId, at: Cell, by: ActorId) -> None:
    """The body, with whoever is attached to it."""
    came = creature(play.state, thrown).at
    play.emit(Forced("altered-realms.throw-opponent.distance", thrown, at, by))
    if isinstance(came, tuple):
        carry_along(play, thrown, came, at, settled=False)


def avoid(play: Play, name: ActorId, thrown: ActorId, by: ActorId, dealt: int) -> Steps[None]:
    """A Dexterity save avoids the body and its damage; it asks for no Reaction.

    Rules: altered-realms.throw-opponent.bystander-dc, altered-realms.throw-opponent.bystander-damage.
    """
    dc = bystander_dc(play.state, creature(play.state, thrown))
    rule = "altered-realms.throw-opponent.bystander-damage"
    read = yield from save(play, name, "dex", dc, rule, by=by, avoids_damage=True)
    if not read.passed:
        harm(play, name, dealt, "blunt", by, rule)
