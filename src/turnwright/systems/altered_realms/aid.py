"""Skill checks in which others may help, and Lend Aid itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, window
from turnwright.model import ActorId, Declaration, Moment, Outcome, Parameter, Price, Refusal, RuleId, State
from turnwright.rules import Modifier, Pick, Settled, Steps
from turnwright.systems.altered_realms.attack import target_refusals
from turnwright.systems.altered_realms.economy import Deed, Reaction, action_price, reaction_price
from turnwright.systems.altered_realms.events import Aided, AidLent, AidUsed
from turnwright.systems.altered_realms.rolls import Edge, Read, part, skill_roll
from turnwright.systems.altered_realms.sheet import creature, settings, skill_of
from turnwright.systems.altered_realms.space import in_melee

TOPICS = ("lend-aid",)

HELP, HINDER = 2, -2
HINDERING = Parameter("hinder", "yes", "yes: hinder, where the setting declared_hinder lets one choose", by_name=True)


class SkillReady(Moment, frozen=True):
    """A skill roll is about to be made; `lent` is what each helper adds to it."""

    actor: ActorId
    skill: str
    lent: tuple[int, ...] = ()


def skill_check(
    play: Play,
    actor: ActorId,
    skill: str,
    rule: RuleId,
    *,
    dc: int | None = None,
    trained: bool = True,
    attribute: str = "",
    edges: tuple[Edge, ...] = (),
    keep_total: bool = False,
) -> Steps[Read]:
    """A Skill Roll in which whoever is near and trained may lend aid; with a DC whether it is met."""
    ready = yield from window(play, SkillReady(actor, skill))
    waiting = [aid for aid in play.state.every(Aided) if aid.other == actor and aid.skill == skill]
    for aid in waiting:
        play.emit(AidUsed("altered-realms.lend-aid.range-and-moment", aid.owner, aid.other, aid))
    more = tuple(aid_parts((*[aid.amount for aid in waiting], *ready.lent)))
    return (
        yield from skill_roll(
            play,
            actor,
            skill,
            rule,
            dc=dc,
            trained=trained,
            attribute=attribute,
            edges=edges,
            keep_total=keep_total,
            more=more,
        )
    )


def aid_parts(lent: Iterable[int]) -> Iterator[Modifier]:
    """What each helper adds or takes away, by itself."""
    for amount in lent:
        if amount:
            rule = "altered-realms.lend-aid.help-12-plus" if amount > 0 else "altered-realms.lend-aid.hinder-11-minus"
            yield part("aid", amount, rule)


def aid_roll(play: Play, helper: ActorId, skill: str, hinder: bool) -> Steps[int]:
    """One roll of the same skill: enough of it helps, less hinders; where one declares which, only that.

    Rules: altered-realms.lend-aid.help-12-plus, altered-realms.lend-aid.hinder-11-minus.
    """
    enough = settings(play.state).aid_from
    read = yield from skill_roll(play, helper, skill, "altered-realms.lend-aid.help-12-plus", dc=enough)
    amount = HELP if read.passed else HINDER
    if settings(play.state).declared_hinder and (amount < 0) is not hinder:
        return 0
    return amount


def wants_hinder(d: Declaration) -> bool:
    return d.option("hinder") in ("yes", "True", "true")


def aid_refusals(known: State, d: Declaration, skill: str, rule: RuleId) -> Iterator[Refusal]:
    """Rules: altered-realms.lend-aid.training-required, altered-realms.lend-aid.range-and-moment."""
    if wants_hinder(d) and not settings(known).declared_hinder:
        text = "helping and hindering are one roll, and the roll says which"
        yield Refusal("altered-realms.lend-aid.hinder-11-minus", text, "NO_CHOICE")
    yield from target_refusals(known, d, rule)
    who, other = creature(known, d.actor), known.actors.get(d.target)
    if other is not None and d.target != d.actor and not in_melee(known, who, other):
        yield Refusal("altered-realms.lend-aid.range-and-moment", f"{other.name} is too far away", "OUT_OF_RANGE")
    if skill and skill not in who.training:
        text = f"{who.name} has no training in {skill}"
        yield Refusal("altered-realms.lend-aid.training-required", text, "UNTRAINED")


class LendAid(Deed):
    """In the own turn: an Action, for the next roll of that skill by somebody beside one.

    Rules: altered-realms.lend-aid.cost, altered-realms.lend-aid.range-and-moment.
    """

    name = "lend_aid"
    about = "help somebody beside you with the next roll of a skill"
    rules = ("altered-realms.lend-aid.cost", "altered-realms.lend-aid.training-required")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "whom", required=True),
        Parameter("skill", "text", "with which skill", required=True),
        HINDERING,
    )

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        who = creature(known, actor)
        for other in known.actors.values():
            if other.side == who.side and other.id != actor and in_melee(known, who, other):
                for skill in who.training:
                    yield Declaration(actor, self.name, target=other.id, options={"skill": skill})

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"help {other.name if other else d.target} with {d.option('skill')}"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        for name, said in (("target", d.target), ("skill", d.option("skill"))):
            if not said:
                yield Refusal("altered-realms.lend-aid.range-and-moment", f"say the {name}", f"INCOMPLETE {name}")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        skill = d.option("skill")
        if skill and skill_of(known, skill) is None:
            text = f"{skill} is no skill; an attack roll or a save cannot be helped"
            yield Refusal("altered-realms.lend-aid.range-and-moment", text, "NO_SKILL")
        yield from aid_refusals(known, d, skill, "altered-realms.lend-aid.range-and-moment")

    def own_price(self, known: State, d: Declaration) -> Price:
        return action_price("lending aid", "altered-realms.lend-aid.cost")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        amount = yield from aid_roll(play, d.actor, d.option("skill"), wants_hinder(d))
        play.emit(AidLent("altered-realms.lend-aid.range-and-moment", d.actor, d.target, d.option("skill"), amount))
        return Outcome(self.name, "success" if amount > 0 else "failure", (d.target,), amount)

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return d


class AidNow(Reaction):
    """Off-turn: a Reaction, while somebody beside one is about to make a skill roll.

    Rules: altered-realms.lend-aid.cost, altered-realms.lend-aid.range-and-moment.
    """

    name = "aid_now"
    about = "help with a skill roll that is about to be made"
    rules = ("altered-realms.lend-aid.cost", "altered-realms.lend-aid.range-and-moment")
    reacts_to = SkillReady
    parameters: ClassVar[tuple[Parameter, ...]] = (HINDERING,)

    def variants(self, known: State, actor: ActorId) -> Iterable[Declaration]:
        return ()

    def candidates(self, state: State, moment: SkillReady) -> Iterator[Declaration]:
        who = creature(state, moment.actor)
        for other in state.actors.values():
            if other.id != who.id and moment.skill in other.training and in_melee(state, other, who):
                yield Declaration(other.id, self.name, target=who.id, options={"skill": moment.skill})
                if settings(state).declared_hinder:
                    options: dict[str, str | int | bool] = {"skill": moment.skill, "hinder": True}
                    yield Declaration(other.id, self.name, target=who.id, options=options)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        doing = "hinder" if wants_hinder(d) else "help"
        return f"{doing} {other.name if other else d.target} with {d.option('skill')}"

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not isinstance(moment, SkillReady) or moment.actor != d.target:
            text = "no skill roll is about to be made"
            yield Refusal("altered-realms.lend-aid.range-and-moment", text, "NO_TRIGGER")
            return
        yield from aid_refusals(known, d, moment.skill, "altered-realms.lend-aid.range-and-moment")

    def price(self, known: State, d: Declaration) -> Price:
        return reaction_price("lending aid", "altered-realms.lend-aid.cost")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        amount = yield from aid_roll(play, d.actor, d.option("skill"), wants_hinder(d))
        return Outcome(self.name, "success" if amount > 0 else "failure", (d.target,), amount)


def with_aid(moment: SkillReady, outcome: Outcome) -> SkillReady:
    """Several who help each count by themselves."""
    return replace(moment, lent=(*moment.lent, outcome.amount)) if outcome.action == "aid_now" else moment
