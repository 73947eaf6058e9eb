"""Throwing and tossing things, catching them, and throwing them at somebody to hurt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, window
from turnwright.model import (
    ActorId,
    Cell,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    Ruling,
    State,
)
from turnwright.rules import Pick, Settled, Steps
from turnwright.space import in_reach, line
from turnwright.space.grid import distance
from turnwright.systems.altered_realms.aid import skill_check
from turnwright.systems.altered_realms.attack import (
    AttackDeed,
    Blow,
    opponents,
    reach_refusals,
    strike,
    target_refusals,
)
from turnwright.systems.altered_realms.economy import Reaction, action_price, motion_price, reaction_price
from turnwright.systems.altered_realms.events import ItemCaught, ItemDropped
from turnwright.systems.altered_realms.holding import free_hands
from turnwright.systems.altered_realms.items import ITEM, ItemDeed, big, free_name, held_fast
from turnwright.systems.altered_realms.rolls import skill_parts
from turnwright.systems.altered_realms.sheet import Creature, Item, Weapon, creature, settings
from turnwright.systems.altered_realms.space import ground_of, tiles

TOPICS = ("throw-object",)

CATCH, TOSS = 1, 5
"""Metres: within which a thing can be caught, and over which it can be tossed."""
SKILLS = ("athletics", "acrobatics")


class InTheAir(Moment, frozen=True):
    """A thing flies past these tiles, at somebody or at nobody; `caught` is by whom."""

    by: ActorId
    item: str
    past: tuple[Cell, ...]
    to: ActorId = ""
    caught: ActorId = ""


def reliable_metres(who: Creature) -> int:
    """1 and the better of STR and DEX, never below 0.

    Rules: altered-realms.throw-object.reliable-distance.
    """
    return max(0, 1 + who.brawn)


def long_dc(state: State, who: Creature, metres: int) -> int | None:
    """The DC of a throw beyond the reliable distance; None where it is the Narrator's to say.

    Rules: altered-realms.throw-object.long-dc-table.
    """
    beyond = metres - reliable_metres(who)
    return next((dc for most, dc in settings(state).throw_dc if beyond <= most), None)


def lacks_dc(state: State, d: Declaration) -> bool:
    """Whether it is a throw farther than the table goes.

    Rules: altered-realms.throw-object.long-dc-table.
    """
    goal = goal_of(d) if d.action == "throw" else None
    who = state.actors.get(d.actor)
    return goal is not None and isinstance(who, Creature) and long_dc(state, who, metres_to(state, who, goal)) is None


def goal_of(d: Declaration) -> Cell | None:
    x, _, y = d.option("to").strip("()[] ").partition(",")
    return (int(x), int(y)) if all(n.strip().removeprefix("-").isdecimal() for n in (x, y)) else None


def metres_to(known: State, who: Creature, goal: Cell) -> int:
    return min([distance(cell, goal) for cell in tiles(known, who)], default=0)


def thrown_from(known: State, who: Creature, goal: Cell) -> Cell | None:
    """The tile of the thrower that is nearest to the goal and from which nothing solid is in between."""
    near = sorted(tiles(known, who), key=lambda cell: (distance(cell, goal), cell))
    return next((cell for cell in near if clear(known, cell, goal)), None)


def clear(known: State, a: Cell, b: Cell) -> bool:
    """Whether a thing can fly from one tile to another: no wall, closed door or blocked tile is between them."""
    field = ground_of(known)
    return field is not None and in_reach(field, a, b, distance(a, b))


class Throw(ItemDeed):
    """The Action throws any item: surely up to the reliable distance, with a skill roll beyond it.

    Rules: altered-realms.throw-object.cost, altered-realms.throw-object.hands,
    altered-realms.throw-object.long-needs-skill-roll.
    """

    name = "throw"
    about = "throw an item to a tile"
    rules = ("altered-realms.throw-object.cost", "altered-realms.throw-object.reliable-distance")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        ITEM,
        Parameter("to", "cell", "to which tile", required=True),
        Parameter("skill", "choice", "with which skill, for a long throw", choices=SKILLS, by_name=True),
    )

    def mine(self, who: Creature) -> Iterator[Item]:
        return (item for item in who.items if item.place == "hand")

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        field = ground_of(known)
        if field is None:
            return d
        x, y = pick(tuple(field.cells))
        return replace(d, options={**d.options, "to": f"{x},{y}"})

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from super().missing(known, d)
        if goal_of(d) is None:
            yield Refusal("altered-realms.throw-object.cost", "say to which tile", "INCOMPLETE to")

    def against(self, known: State, d: Declaration, who: Creature, item: Item) -> Iterator[Refusal]:
        """Rules: altered-realms.throw-object.hands (the hand that holds the thing counts)."""
        yield from in_hand(known, who, item)
        goal, field = goal_of(d), ground_of(known)
        if goal is not None and field is not None and field.terrain(goal).blocked:
            yield Refusal("altered-realms.throw-object.cost", f"nothing lands at {goal}", "BLOCKED")
        elif goal is not None and thrown_from(known, who, goal) is None:
            text = f"something solid is between {who.name} and {goal}"
            yield Refusal("altered-realms.throw-object.cost", text, "NO_LINE")

    def own_price(self, known: State, d: Declaration) -> Price:
        return action_price("throwing an item", "altered-realms.throw-object.cost")

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """Farther than the table goes the Narrator says against which DC."""
        return None if lacks_dc(state, d) else super().ruling(state, d)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        goal = goal_of(d)
        who = creature(play.state, d.actor)
        assert goal is not None
        metres = metres_to(play.state, who, goal)
        landing, good = goal, True  # kept: where it was thrown to
        if metres > reliable_metres(who):
            ruled = paid.ruling.target if paid.ruling is not None else None
            dc = long_dc(play.state, who, metres) or ruled
            assert dc is not None, "the Narrator has said it"
            skill = d.option("skill") or best_skill(play.state, who)
            read = yield from skill_check(
                play, d.actor, skill, "altered-realms.throw-object.long-needs-skill-roll", dc=dc
            )
            good = bool(read.passed)
            who = creature(play.state, d.actor)
            short = short_of(play.state, who, goal, reliable_metres(who))
            landing = goal if good else short  # kept: where it comes down
        start = thrown_from(play.state, creature(play.state, d.actor), landing)
        past = (landing,) if start is None else line(start, landing)
        flown = yield from window(play, InTheAir(d.actor, d.option("item"), past))
        come_down(play, d.actor, d.option("item"), landing, flown.caught, "altered-realms.throw-object.cost")
        return Outcome(self.name, "success" if good else "failure")


def in_hand(known: State, who: Creature, item: Item) -> Iterator[Refusal]:
    """The hand that holds a thing throws it; what is larger than Medium takes a second one.

    Rules: altered-realms.throw-object.hands.
    """
    if big(known, item) and not free_hands(known, who):
        text = f"{item.name} is {item.size}; it takes two hands"
        yield Refusal("altered-realms.throw-object.hands", text, "NO_FREE_HAND")
    if item.place != "hand":
        yield Refusal("altered-realms.throw-object.hands", f"{item.name} is in no hand", "NOT_IN_HAND")
    yield from held_fast(known, who, item)


def best_skill(state: State, who: Creature, trained: bool = True) -> str:
    return max(SKILLS, key=lambda name: sum([p.amount for p in skill_parts(state, who, name, "", trained)]))


def short_of(state: State, who: Creature, goal: Cell, metres: int) -> Cell:
    """The tile of the line at the reliable distance, where a long throw that fails comes down."""
    start = thrown_from(state, who, goal)
    if start is None:
        return goal
    return [cell for cell in line(start, goal) if distance(start, cell) <= metres][-1]


def come_down(play: Play, actor: ActorId, name: str, at: Cell | str | None, caught: ActorId, rule: str) -> None:
    """A thing that was thrown is in the hand of who caught it, else on the ground."""
    item = creature(play.state, actor).item(name)
    assert item is not None
    if caught:
        catcher = creature(play.state, caught)
        named = free_name(name, [held.name for held in catcher.items])
        hands = free_hands(play.state, catcher)
        play.emit(ItemCaught(rule, caught, actor, name, replace(item, name=named, hand=hands[0])))
        return
    fact = free_name(f"lying {name}", list(play.state.facts))
    play.emit(ItemDropped(rule, actor, replace(item, hand=""), at, fact))


class Toss(ItemDeed):
    """A Motion tosses a thing to somebody within 5 m; who does not catch it finds it at their feet.

    Rules: altered-realms.throw-object.toss, altered-realms.motion.section-examples.
    """

    name = "toss"
    about = "toss an item to somebody"
    rules = ("altered-realms.throw-object.toss",)
    parameters: ClassVar[tuple[Parameter, ...]] = (ITEM, Parameter("target", "actor", "to whom", required=True))

    def mine(self, who: Creature) -> Iterator[Item]:
        return (item for item in who.items if item.place == "hand")

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        who = creature(known, actor)
        for item in self.mine(who):
            for other in known.actors.values():
                if other.side == who.side and other.id != actor:
                    yield Declaration(actor, self.name, target=other.id, options={"item": item.name})

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"toss {d.option('item')} to {other.name if other else d.target}"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from super().missing(known, d)
        if not d.target:
            yield Refusal("altered-realms.throw-object.toss", "say to whom", "INCOMPLETE target")

    def against(self, known: State, d: Declaration, who: Creature, item: Item) -> Iterator[Refusal]:
        yield from in_hand(known, who, item)
        yield from target_refusals(known, d, "altered-realms.throw-object.toss")
        other = known.actors.get(d.target)
        if other is None:
            return
        apart = min([metres_to(known, who, cell) for cell in tiles(known, other)], default=TOSS + 1)
        if apart > TOSS:
            text = f"{other.name} is {apart} m away; beyond {TOSS} m it must be thrown"
            yield Refusal("altered-realms.throw-object.toss", text, "TOO_FAR")
        elif all(thrown_from(known, who, cell) is None for cell in tiles(known, other)):
            text = f"something solid is between {who.name} and {other.name}"
            yield Refusal("altered-realms.throw-object.toss", text, "NO_LINE")

    def own_price(self, known: State, d: Declaration) -> Price:
        return motion_price("tossing an item", "altered-realms.throw-object.toss")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        past = tiles(play.state, creature(play.state, d.target))
        flown = yield from window(play, InTheAir(d.actor, d.option("item"), past, d.target))
        at = creature(play.state, d.target).at
        come_down(play, d.actor, d.option("item"), at, flown.caught, "altered-realms.throw-object.toss")
        return Outcome(self.name, "success" if flown.caught else "failure", (d.target,))


class Catch(Reaction):
    """A Reaction catches what comes within 1 m, with a Free Hand and without a roll; what is tossed only who it is for.

    Rules: altered-realms.throw-object.catch, altered-realms.throw-object.catch-toss.
    """

    name = "catch"
    about = "catch a thing that is thrown or tossed"
    rules = ("altered-realms.throw-object.catch", "altered-realms.throw-object.catch-toss")
    reacts_to = InTheAir

    def variants(self, known: State, actor: ActorId) -> Iterable[Declaration]:
        return ()

    def candidates(self, state: State, moment: InTheAir) -> Iterator[Declaration]:
        for who in state.actors.values():
            near = any(distance(a, b) <= CATCH and clear(state, a, b) for a in tiles(state, who) for b in moment.past)
            if who.id != moment.by and near and moment.to in ("", who.id):
                yield Declaration(who.id, self.name, options={"item": moment.item})

    def label(self, known: State, d: Declaration) -> str:
        return f"catch {d.option('item')}"

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        rule = "altered-realms.throw-object.catch"
        if not isinstance(moment, InTheAir):
            yield Refusal(rule, "nothing flies past you", "NO_TRIGGER")
        elif moment.caught:
            yield Refusal(rule, "somebody has caught it", "CAUGHT")
        if not free_hands(known, creature(known, d.actor)):
            yield Refusal(rule, "there is no Free Hand to catch it with", "NO_FREE_HAND")

    def price(self, known: State, d: Declaration) -> Price:
        return reaction_price("catching", "altered-realms.throw-object.catch")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        yield from ()
        return Outcome(self.name, "success", (d.actor,))


def caught(moment: InTheAir, outcome: Outcome) -> InTheAir:
    return replace(moment, caught=outcome.who[0]) if outcome.action == "catch" and not moment.caught else moment


class ImprovisedWeapon(AttackDeed):
    """What is thrown to hurt somebody is an attack with an improvised weapon: no Training, and a small die.

    Rules: altered-realms.throw-object.damage-defers.
    """

    name = "improvised_weapon"
    about = "throw an item at somebody to hurt them"
    rules = ("altered-realms.throw-object.damage-defers",)
    wants = ("hit",)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("target", "actor", "at whom", required=True), ITEM)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        who = creature(known, actor)
        for item in who.items:
            for other in opponents(known, who) if item.place == "hand" else ():
                yield Declaration(actor, self.name, target=other.id, options={"item": item.name})

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"throw {d.option('item')} at {other.name if other else d.target}"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from super().missing(known, d)
        if not d.option("item"):
            yield Refusal(self.rules[0], "say which item", "INCOMPLETE item")

    def weapon(self, known: State, d: Declaration) -> Weapon | None:
        who = creature(known, d.actor)
        item = who.item(d.option("item"))
        if item is None:
            return None
        written = settings(known).improvised
        return Weapon(item.name, "ranged", written, range=max(1, reliable_metres(who)), modifier=who.brawn)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who = creature(known, d.actor)
        item = who.item(d.option("item"))
        yield from target_refusals(known, d, self.rules[0])
        if d.option("item") and item is None:
            yield Refusal(self.rules[0], f"{who.name} has no {d.option('item')}", "NO_ITEM")
        if item is not None:
            yield from in_hand(known, who, item)
            yield from reach_refusals(known, d, self.weapon(known, d), self.rules[0])

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        weapon = self.weapon(play.state, d)
        assert weapon is not None
        at = creature(play.state, d.target).at  # kept: where it was thrown
        come_down(play, d.actor, d.option("item"), at, "", self.rules[0])
        outcome = yield from strike(play, Blow(d.actor, d.target, weapon, rule=self.rules[0]))
        return replace(outcome, action=self.name)
