"""Maneuvers of one's own, and by an optional rule those that one has never trained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.events import Told
from turnwright.model import Cost, Declaration, Moment, Outcome, Parameter, Price, Refusal, State, cost
from turnwright.rules import Settled, Steps
from turnwright.systems.altered_realms.aid import skill_check
from turnwright.systems.altered_realms.economy import Deed, action_price
from turnwright.systems.altered_realms.settings import ManeuverText
from turnwright.systems.altered_realms.sheet import creature, pool_named, settings
from turnwright.systems.altered_realms.throwing import SKILLS, best_skill

TOPICS = ("untrained",)


def maneuver_of(known: State, d: Declaration) -> ManeuverText | None:
    return settings(known).maneuvers.get(d.option("maneuver"))


def untrained(known: State, d: Declaration) -> bool:
    return d.option("maneuver") not in creature(known, d.actor).maneuvers


def untrained_dc(known: State, maneuver: ManeuverText) -> int:
    """What is set for it, never below 14.

    Rules: altered-realms.untrained.dc-floor.
    """
    return max(settings(known).untrained_dc, maneuver.dc or 0)


class UseManeuver(Deed):
    """A Maneuver that one has trained; or by the optional rule one that one has not, for its price and a roll.

    Rules: altered-realms.untrained.optional, altered-realms.untrained.scope,
    altered-realms.untrained.pay-resource, altered-realms.untrained.roll-without-training.
    """

    name = "maneuver"
    about = "use a Maneuver, or try one that you have not trained"
    rules = ("altered-realms.untrained.optional", "altered-realms.untrained.pay-resource")
    wants = ("success", "automatic")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("maneuver", "text", "which one", required=True),
        Parameter("skill", "choice", "with which skill, where it is untrained", choices=SKILLS, by_name=True),
    )

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for name in settings(known).maneuvers:
            yield Declaration(actor, self.name, options={"maneuver": name})

    def label(self, known: State, d: Declaration) -> str:
        return f"{d.option('maneuver')}{', untrained' if untrained(known, d) else ''}"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("maneuver"):
            yield Refusal("altered-realms.untrained.scope", "say which Maneuver", "INCOMPLETE maneuver")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        found = maneuver_of(known, d)
        if not d.option("maneuver"):
            return
        if found is None:
            text = f"there is no Maneuver called {d.option('maneuver')!r}"
            yield Refusal("altered-realms.untrained.scope", text, "NO_MANEUVER")
            return
        if not untrained(known, d):
            return
        if not settings(known).untrained_maneuvers:
            text = f"{creature(known, d.actor).name} has not trained that Maneuver"
            yield Refusal("altered-realms.untrained.optional", text, "UNTRAINED")
        if found.attribute not in ("str", "dex"):
            text = "only feats of Strength and Dexterity can be tried without training"
            yield Refusal("altered-realms.untrained.scope", text, "NOT_PHYSICAL")

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: altered-realms.untrained.dc-floor."""
        found = maneuver_of(known, d)
        if found is None or found.dc is None or not untrained(known, d) or found.dc >= untrained_dc(known, found):
            return ()
        return (f"the DC of {found.dc} is raised to {untrained_dc(known, found)}",)

    def own_price(self, known: State, d: Declaration) -> Price:
        found = maneuver_of(known, d)
        points: tuple[Cost, ...] = ()
        if found is not None:
            rule = "altered-realms.untrained.pay-resource"
            named = {pool_named(known, pool): amount for pool, amount in found.cost.items()}
            points = tuple([cost(f"pool:{pool}", amount, "the Maneuver", rule) for pool, amount in named.items()])
        return action_price("a Maneuver").plus(*points)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        found = maneuver_of(play.state, d)
        assert found is not None
        text = found.text or d.option("maneuver")  # kept: what it does is written down
        if not untrained(play.state, d):
            play.emit(Told("altered-realms.untrained.scope", d.actor, text))
            return Outcome(self.name, "automatic")
        skill = d.option("skill") or best_skill(play.state, creature(play.state, d.actor), trained=False)
        rule = "altered-realms.untrained.roll-without-training"
        dc = untrained_dc(play.state, found)
        read = yield from skill_check(play, d.actor, skill, rule, dc=dc, trained=False)
        if read.passed:
            play.emit(Told(rule, d.actor, text))
        return Outcome(self.name, "success" if read.passed else "failure")
