"""Dodge and Defensive Stance: two ways of being harder to hurt until the own next turn starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import Declaration, Moment, Outcome, Parameter, Price, Refusal, State, cost
from turnwright.rules import Settled, Steps, ended
from turnwright.systems.altered_realms.attack import opponents, target_refusals
from turnwright.systems.altered_realms.economy import Deed, action_price
from turnwright.systems.altered_realms.events import DodgeBegun, StanceTaken
from turnwright.systems.altered_realms.sheet import creature
from turnwright.systems.altered_realms.space import in_sight

TOPICS = ("dodge", "defensive-stance")


class Dodge(Deed):
    """Watch one creature in sight: its attacks at the dodger have -2, the saves it causes have Advantage.

    Rules: altered-realms.dodge.cost-and-designation, altered-realms.dodge.save-advantage,
    altered-realms.dodge.attacker-penalty, altered-realms.dodge.duration.
    """

    name = "dodge"
    about = "dodge one creature until your next turn starts"
    rules = ("altered-realms.dodge.cost-and-designation", "altered-realms.dodge.attacker-penalty")
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("target", "actor", "whom to dodge", required=True),)

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for other in opponents(known, creature(known, actor)):
            if not other.down:
                yield Declaration(actor, self.name, target=other.id)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"dodge {other.name if other else d.target}"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.target:
            yield Refusal("altered-realms.dodge.cost-and-designation", "say whom to dodge", "INCOMPLETE target")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from target_refusals(known, d, self.rules[0])
        other = known.actors.get(d.target)
        if other is not None and d.target != d.actor and not in_sight(known, creature(known, d.actor), other):
            text = f"{other.name} is out of sight"
            yield Refusal("altered-realms.dodge.cost-and-designation", text, "OUT_OF_SIGHT")

    def own_price(self, known: State, d: Declaration) -> Price:
        return action_price("a dodge", "altered-realms.dodge.cost-and-designation")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(DodgeBegun("altered-realms.dodge.duration", d.actor, d.target))
        return ended(Outcome(self.name, "success", (d.target,)))


class DefensiveStance(Deed):
    """Action and one whole Movement for +4 AC and a Destiny Die on saves that avoid damage.

    Rules: altered-realms.defensive-stance.cost, altered-realms.defensive-stance.ac,
    altered-realms.defensive-stance.destiny-die, altered-realms.defensive-stance.duration.
    """

    name = "defensive_stance"
    about = "stand on the defensive until your next turn starts"
    rules = ("altered-realms.defensive-stance.cost", "altered-realms.defensive-stance.ac")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from ()

    def own_price(self, known: State, d: Declaration) -> Price:
        """Rules: altered-realms.defensive-stance.cost."""
        action = action_price("a Defensive Stance", "altered-realms.defensive-stance.cost")
        return action.plus(cost("movement", 1, "a Defensive Stance", "altered-realms.defensive-stance.cost"))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(StanceTaken("altered-realms.defensive-stance.duration", d.actor))
        return ended(Outcome(self.name, "success"))
