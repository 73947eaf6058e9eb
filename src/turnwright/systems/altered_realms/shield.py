"""Meat Shield: whoever is held takes the blow instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.model import ActorId, Declaration, Moment, Outcome, Parameter, Price, Refusal, State
from turnwright.rules import Settled, Steps
from turnwright.systems.altered_realms.aid import skill_check
from turnwright.systems.altered_realms.attack import AttackRolled
from turnwright.systems.altered_realms.economy import Reaction, reaction_price
from turnwright.systems.altered_realms.holding import holds_of
from turnwright.systems.altered_realms.sheet import creature, settings

TOPICS = ("meat-shield",)

SKILLS = ("athletics", "acrobatics")


class MeatShield(Reaction):
    """After an attack roll is known and before it is resolved: a skill roll that meets it turns it on a captive.

    Rules: altered-realms.meat-shield.trigger, altered-realms.meat-shield.cost, altered-realms.meat-shield.roll,
    altered-realms.meat-shield.redirect, altered-realms.meat-shield.failure.
    """

    name = "meat_shield"
    about = "hold whom you grapple into the blow"
    rules = ("altered-realms.meat-shield.trigger", "altered-realms.meat-shield.roll")
    reacts_to = AttackRolled
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("skill", "choice", "with which skill", choices=SKILLS),)

    def variants(self, known: State, actor: ActorId) -> Iterable[Declaration]:
        return ()

    def candidates(self, state: State, moment: AttackRolled) -> Iterator[Declaration]:
        if moment.kind == "spell":
            return
        for captive in dict.fromkeys(hold.other for hold in holds_of(state, moment.target)):
            for skill in SKILLS if captive != moment.by else ():
                yield Declaration(moment.target, self.name, target=captive, options={"skill": skill})

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"hold {other.name if other else d.target} into the blow, with {d.option('skill')}"

    def once(self, d: Declaration) -> tuple[str, ...]:
        return (d.actor, self.name)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        rule = "altered-realms.meat-shield.trigger"
        if not isinstance(moment, AttackRolled) or moment.target != d.actor:
            yield Refusal(rule, "no attack is on its way to you", "NO_TRIGGER")
        elif moment.natural == 1 and settings(known).naturals:
            yield Refusal(rule, "that attack misses in any case", "MISSES")
        if not any(hold.other == d.target for hold in holds_of(known, d.actor)):
            yield Refusal(rule, "you do not hold that one", "NOT_HELD")

    def price(self, known: State, d: Declaration) -> Price:
        return reaction_price("a Meat Shield", "altered-realms.meat-shield.cost")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        moment = paid.moment
        assert isinstance(moment, AttackRolled)
        rule = "altered-realms.meat-shield.roll"
        read = yield from skill_check(play, d.actor, d.option("skill"), rule, dc=moment.total)
        assert creature(play.state, d.target)
        return Outcome(self.name, "success" if read.passed else "failure", (d.target,))


def shielded(moment: AttackRolled, outcome: Outcome) -> AttackRolled:
    """The captive simply is hit, whatever its AC; after a failure the attack goes on as it was.

    Rules: altered-realms.meat-shield.redirect, altered-realms.meat-shield.failure.
    """
    if outcome.action != "meat_shield" or outcome.result != "success":
        return moment
    return replace(moment, target=outcome.who[0], hits=True)
