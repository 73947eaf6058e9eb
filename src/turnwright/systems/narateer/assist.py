"""Help with a check that is about to be committed to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.intent import incomplete
from turnwright.model import Declaration, Moment, Outcome, Parameter, Price, Refusal, State
from turnwright.rules import Action, Settled, Steps, ended
from turnwright.systems.narateer.check import CheckReady
from turnwright.systems.narateer.economy import ad
from turnwright.systems.narateer.events import Helped, Helping
from turnwright.systems.narateer.sheet import character, settings

TOPICS = ("assist",)


class Assist(Action):
    """Help another's check, between the confirmation of its Skill and the commitment of its dice.

    Help that is a task of its own is an attempt of the helper's, with a result of its own, and gives nothing here.
    Rules: narateer.assist.is-reaction, narateer.assist.window, narateer.assist.separate-task-first,
    narateer.assist.no-automatic-advantage.
    """

    name = "assist"
    about = "help another's check while its dice are not committed"
    nature = "reactive"
    reacts_to = CheckReady
    interjected = True
    rules = ("narateer.assist.window", "narateer.assist.details-in-skill-checks")
    parameters = (
        Parameter("method", "text", "what you do that helps", required=True),
        Parameter("target", "actor", "whose check, where several are about to be made", by_name=True),
    )

    def complete(self, known: State, d: Declaration) -> Declaration:
        return replace(d, intent=d.intent or "help") if d.method else d

    def candidates(self, state: State, moment: CheckReady) -> Iterable[Declaration]:
        side = character(state, moment.actor).side
        for other in state.actors.values():
            if other.side == side and other.id != moment.actor:
                yield Declaration(other.id, self.name, target=moment.actor)

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        """Rules: narateer.assist.describe-help."""
        yield from incomplete("narateer.assist.describe-help", method=d.method)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        """Rules: narateer.assist.describe-help, narateer.assist.window, narateer.assist.details-in-skill-checks."""
        rules = settings(known)
        if rules.assist_cost is None or rules.assist_effect is None:
            text = "the rule for Assist is missing: the scene empties its setting"
            yield Refusal("narateer.assist.details-in-skill-checks", text, "MISSING_RULE")
        if not isinstance(moment, CheckReady):
            text = "no check is waiting between its ruling and its commitment"
            yield Refusal("narateer.assist.window", text, "NO_WINDOW")
            return
        if d.actor == moment.actor or d.target == d.actor:
            yield Refusal("narateer.assist.describe-help", "nobody assists their own check", "OWN_CHECK")
        elif d.target not in ("", moment.actor):
            yield Refusal("narateer.assist.window", f"{d.target} is not about to make a check", "NO_WINDOW")
        elif rules.assist_sides == "own" and _of_another_side(known, d.actor, moment.actor):
            text = f"{known.actors[moment.actor].name} is of another side; assist_sides: any lets that pass"
            yield Refusal("narateer.assist.describe-help", text, "WRONG_SIDE")
        if known.relation(Helping, moment.actor, d.actor) is not None:
            text = "you help with this check already"
            yield Refusal("narateer.assist.details-in-skill-checks", text, "ONCE")

    def price(self, known: State, d: Declaration) -> Price:
        return Price(ad(settings(known).assist_cost or 0, "Assist", "narateer.assist.details-in-skill-checks"))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        assert isinstance(paid.moment, CheckReady)
        play.emit(Helped("narateer.assist.details-in-skill-checks", paid.moment.actor, d.actor, d.method))
        return ended(Outcome(self.name, "helping", (paid.moment.actor,)))


def _of_another_side(known: State, helper: str, owner: str) -> bool:
    """The text speaks of an ally; to call an opponent one is for the scene."""
    return owner in known.actors and known.actors[owner].side != known.actors[helper].side
