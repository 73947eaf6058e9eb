"""The blow at whoever moves from within reach to within reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.engine import Play
from turnwright.events import Barred
from turnwright.intent import stated
from turnwright.model import Check, Declaration, Moment, Outcome, Parameter, Price, Refusal, State
from turnwright.rules import Action, Settled, Steps
from turnwright.space import in_reach
from turnwright.systems.narateer.exchange import armed_with, attack_check, attack_price, exchange
from turnwright.systems.narateer.passing import Stepped
from turnwright.systems.narateer.senses import ground_of, locates
from turnwright.systems.narateer.sheet import UNARMED, Character, Weapon, character

TOPICS = ("opportunity",)


class OpportunityAttack(Action):
    """A Reaction to a completed step from within reach to within reach.

    Rules: narateer.opportunity.trigger, narateer.opportunity.enter-or-leave-exempt,
    narateer.opportunity.interrupts-between-steps, narateer.reaction.is-separate-triggered-action.
    """

    name = "opportunity_attack"
    about = "strike somebody who steps about within your reach"
    wants = ("hit",)
    nature = "reactive"
    reacts_to = Stepped
    rules = ("narateer.opportunity.trigger", "narateer.opportunity.interrupts-between-steps")
    parameters = (
        Parameter("target", "actor", "who is stepping about", by_name=True),
        Parameter("weapon", "choice", "with what", by_name=True),
    )

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        yield Declaration(actor, self.name)

    def label(self, known: State, d: Declaration) -> str:
        target = known.actors.get(d.target)
        armed = f" with {d.option('weapon')}" if d.option("weapon") else ""
        return f"Opportunity Attack on {target.name if target else 'whoever steps within reach'}{armed}"

    def complete(self, known: State, d: Declaration) -> Declaration:
        return stated(d, f"harm {d.target}", d.option("weapon"))

    def candidates(self, state: State, moment: Stepped) -> Iterable[Declaration]:
        """Whoever has both ends of the step in reach and is aware of who takes it, with each weapon that has.

        Rules: narateer.reaction.limiting-factors.
        """
        mover = character(state, moment.actor)
        for other in state.actors.values():
            if other.side == mover.side:
                continue
            for weapon in _both_in_reach(state, other, moment):
                if locates(state, other, mover):
                    yield Declaration(other.id, self.name, target=moment.actor, options={"weapon": weapon.name})

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        """Rules: narateer.reaction.full-trigger, narateer.reaction.limiting-factors."""
        rule = "narateer.opportunity.trigger"
        if not isinstance(moment, Stepped) or moment.actor != d.target:
            yield Refusal(rule, "nobody is stepping about within your reach", "NO_TRIGGER")
            return
        actor, mover = character(known, d.actor), known.actors.get(d.target)
        if mover is None or not locates(known, actor, mover):
            text = "you cannot place whoever moved"
            yield Refusal("narateer.reaction.limiting-factors", text, "NO_PRECISE_LOCATION")
            return
        weapon = armed_with(known, d)
        if weapon is None or weapon.kind != "melee" or not _covers_step(known, actor, weapon, moment):
            yield Refusal(rule, "the step did not begin and end within your reach", "NO_TRIGGER")

    def price(self, known: State, d: Declaration) -> Price:
        """Rules: narateer.reaction.own-timing-and-cost."""
        weapon = armed_with(known, d)
        return attack_price(weapon, proactive=False) if weapon is not None else Price()

    def check(self, known: State, d: Declaration) -> Check | None:
        weapon = armed_with(known, d)
        return attack_check(known, d.actor, weapon) if weapon is not None else None

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        weapon = armed_with(play.state, d)
        if weapon is None:
            play.emit(Barred("narateer.attack.harm-uses-exchange", d.actor, ("the weapon is no longer there",)))
            return Outcome(self.name, "no weapon")
        return (yield from exchange(play, d, weapon, paid[d.actor], tempo=False))


def _both_in_reach(state: State, other: Character, step: Stepped) -> list[Weapon]:
    """The melee weapons with which both ends of the step are in reach; the bare hands, where there is none to use."""
    near, found = _farther_end(other, step), list[Weapon]()
    for weapon in (*other.weapons, UNARMED):
        if weapon.kind != "melee" or near > (weapon.spaces or 1) or weapon.base_attack_cost > other.ready:
            continue
        if not (found and weapon is UNARMED) and _covers_step(state, other, weapon, step):
            found.append(weapon)
    return found


def _farther_end(other: Character, step: Stepped) -> int:
    """Spaces to the farther end of a step; none where no map says it."""
    at, came, there = other.at, step.came, step.at
    if not isinstance(at, tuple) or not isinstance(came, tuple) or not isinstance(there, tuple):
        return 0
    x, y = at
    return max(abs(x - came[0]), abs(y - came[1]), abs(x - there[0]), abs(y - there[1]))


def _covers_step(state: State, other: Character, weapon: Weapon, step: Stepped) -> bool:
    """Whether both ends of a step are in reach: by the map, and where there is none by the guide's word.

    Rules: narateer.opportunity.trigger.
    """
    field = ground_of(state)
    if field is None or not isinstance(other.at, tuple):
        return other.id in step.past
    if not isinstance(step.came, tuple) or not isinstance(step.at, tuple):
        return False
    spaces = weapon.spaces or 1
    return in_reach(field, other.at, step.came, spaces) and in_reach(field, other.at, step.at, spaces)
