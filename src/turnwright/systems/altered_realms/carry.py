"""Carrying others: who can be lifted, how hard that is, and setting them down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import NOTHING, ActorId, Declaration, Moment, Outcome, Parameter, Price, Refusal, State
from turnwright.rules import Action, Nature, Settled, Steps, ended
from turnwright.systems.altered_realms.aid import skill_check
from turnwright.systems.altered_realms.attack import target_refusals
from turnwright.systems.altered_realms.economy import Deed, action_price, off_turn, reaction_price
from turnwright.systems.altered_realms.events import Carries, CarryBegun, CarryEnded, WillSaid
from turnwright.systems.altered_realms.harm import settle
from turnwright.systems.altered_realms.holding import can_be_carried, is_willing
from turnwright.systems.altered_realms.sheet import Creature, conditions_of, creature, settings, size_index
from turnwright.systems.altered_realms.space import in_melee

TOPICS = ("carry",)

BASE, EACH = 12, 2


def carry_dc(state: State, who: Creature, other: Creature) -> int:
    """12 and the CON modifier of whom is to be lifted, and 2 for each one carried already.

    Rules: altered-realms.carry.dc-base, altered-realms.carry.dc-per-carried.
    """
    return BASE + other.attribute("con") + EACH * len(state.related(Carries, who.id))


class Carry(Deed):
    """An Athletics roll lifts somebody; a failure only means that it is not lifted.

    Rules: altered-realms.carry.athletics-roll, altered-realms.carry.who, altered-realms.carry.size-limit.
    """

    name = "carry"
    about = "lift and carry somebody"
    rules = ("altered-realms.carry.who", "altered-realms.carry.athletics-roll")
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("target", "actor", "whom", required=True),)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        who = creature(known, actor)
        for other in known.actors.values():
            if other.id != actor and can_be_carried(known, who, other) and in_melee(known, who, other):
                yield Declaration(actor, self.name, target=other.id)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"carry {other.name if other else d.target}"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.target:
            yield Refusal("altered-realms.carry.who", "say whom", "INCOMPLETE target")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        rule, who, other = "altered-realms.carry.who", creature(known, d.actor), known.actors.get(d.target)
        yield from target_refusals(known, d, rule)
        if other is None or d.target == d.actor:
            return
        if not can_be_carried(known, who, other):
            yield Refusal(rule, f"{other.name} is neither willing nor helpless", "UNWILLING")
        for name, condition in conditions_of(known, who):
            if not condition.holds:
                yield Refusal(rule, f"{who.name} is {name.title()} and can carry nobody", name.upper())
        if not in_melee(known, who, other):
            yield Refusal(rule, f"{other.name} is out of reach", "OUT_OF_RANGE")
        if any(tie.other == d.target for tie in known.every(Carries)):
            yield Refusal(rule, f"{other.name} is carried already", "CARRIED")
        if known.relation(Carries, d.target, d.actor) is not None:
            yield Refusal(rule, f"{other.name} carries {who.name}", "CARRIED")
        if size_index(known, other) > size_index(known, who):
            text = f"{other.name} is {other.size}, larger than {who.size}"
            yield Refusal("altered-realms.carry.size-limit", text, "TOO_LARGE")

    def own_price(self, known: State, d: Declaration) -> Price:
        return action_price("lifting somebody", "altered-realms.skill.physical-definition-cost")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        dc = carry_dc(play.state, creature(play.state, d.actor), creature(play.state, d.target))
        rule = "altered-realms.carry.athletics-roll"
        read = yield from skill_check(play, d.actor, "athletics", rule, dc=dc)
        if not read.passed:
            return Outcome(self.name, "failure", (d.target,))
        metres = creature(play.state, d.actor).metres
        if not play.state.related(Carries, d.actor):
            metres //= settings(play.state).carry_speed
        play.emit(CarryBegun(rule, d.actor, d.target, metres))
        return Outcome(self.name, "success", (d.target,))


class PutDown(Action):
    """Set down whom one carries: for nothing in the own turn, for a Reaction off it.

    Rules: altered-realms.carry.who, altered-realms.reaction.any-off-turn-act.
    """

    name = "put_down"
    about = "set down somebody whom you carry"
    nature: ClassVar[Nature] = "free"
    rules = ("altered-realms.carry.who",)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("target", "actor", "whom", required=True),)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for tie in known.related(Carries, actor):
            yield Declaration(actor, self.name, target=tie.other)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"set down {other.name if other else d.target}"

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if known.relation(Carries, d.actor, d.target) is None:
            yield Refusal("altered-realms.carry.who", "you do not carry that one", "NOT_CARRIED")

    def price(self, known: State, d: Declaration) -> Price:
        return reaction_price("setting somebody down off-turn") if off_turn(known, d.actor) else NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(CarryEnded("altered-realms.carry.who", d.actor, d.target))
        return ended(Outcome(self.name, "success", (d.target,)))


class LetCarry(Action):
    """Say whether one lets somebody carry one; speech is free, also off-turn.

    Rules: altered-realms.carry.who.
    """

    name = "let_carry"
    about = "say whether you are willing to be carried by somebody"
    nature: ClassVar[Nature] = "free"
    rules = ("altered-realms.carry.who",)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "by whom", required=True),
        Parameter("willing", "choice", "whether you are willing", choices=("yes", "no")),
    )

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        me = creature(known, actor)
        for other in known.actors.values():
            if other.id != actor and in_melee(known, other, me):
                said = "no" if is_willing(known, other.id, me) else "yes"
                yield Declaration(actor, self.name, target=other.id, options={"willing": said})

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        lets = "do not let" if d.option("willing") == "no" else "let"
        return f"{lets} {other.name if other else d.target} carry you"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.target:
            yield Refusal("altered-realms.carry.who", "say whom you mean", "INCOMPLETE target")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from target_refusals(known, d, "altered-realms.carry.who")
        if d.option("willing") not in ("", "yes", "no"):
            yield Refusal("altered-realms.carry.who", "say yes or no", "BAD willing")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(WillSaid("altered-realms.carry.who", d.actor, d.target, d.option("willing") != "no"))
        settle(play)
        return ended(Outcome(self.name, "success", (d.target,)))
