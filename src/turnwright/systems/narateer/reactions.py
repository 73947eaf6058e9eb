"""Reactions and what only looks like them: Opportunity Attack, Assist, and the parts of Class Powers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.model import Check, Declaration, Moment, Outcome, Parameter, Price, Refusal, State, cost
from turnwright.rules import Action, Nature, Settled, Steps, ended
from turnwright.space import distance
from turnwright.systems.narateer.check import CheckReady
from turnwright.systems.narateer.economy import ad
from turnwright.systems.narateer.events import Helped, Helping, Hidden, MovementGranted, PowerUsed
from turnwright.systems.narateer.exchange import (
    ExchangeInitiated,
    ExchangeResolved,
    Struck,
    armed_with,
    attack_check,
    attack_price,
    exchange,
    reaches,
)
from turnwright.systems.narateer.intent import incomplete, stated
from turnwright.systems.narateer.movement import Stepped
from turnwright.systems.narateer.senses import ground_of, locates, metres_between, places
from turnwright.systems.narateer.sheet import UNARMED, Character, Part, Power, Weapon, character, settings

TOPICS = ("reaction", "opportunity", "assist", "power", "additional")


# -- Opportunity Attack


class OpportunityAttack(Action):
    """A Reaction to a completed step from within reach to within reach.

    Rules: narateer.opportunity.trigger, narateer.opportunity.enter-or-leave-exempt,
    narateer.opportunity.interrupts-between-steps, narateer.reaction.is-separate-triggered-action.
    """

    name = "opportunity_attack"
    about = "strike somebody who steps about within your reach"
    nature = "reactive"
    reacts_to = Stepped
    rules = ("narateer.opportunity.trigger", "narateer.opportunity.interrupts-between-steps")

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        yield Declaration(actor, self.name)

    def label(self, known: State, d: Declaration) -> str:
        target = known.actors.get(d.target)
        return f"Opportunity Attack on {target.name if target else 'whoever steps within reach'}"

    def complete(self, known: State, d: Declaration) -> Declaration:
        return stated(d, f"harm {d.target}", d.option("weapon"))

    def candidates(self, state: State, moment: Stepped) -> Iterable[Declaration]:
        mover = character(state, moment.actor)
        for other in state.actors.values():
            if other.side == mover.side or not isinstance(other.at, tuple) or not other.ready:
                continue
            weapon = _both_in_reach(state, other, moment)
            if weapon is not None:
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
        assert weapon is not None
        return (yield from exchange(play, d, weapon, paid[d.actor], tempo=False))


def _both_in_reach(state: State, other: Character, step: Stepped) -> Weapon | None:
    """A melee weapon, or the bare hands, with which both ends of the step are in reach."""
    assert isinstance(other.at, tuple)
    near = max(distance(other.at, step.came), distance(other.at, step.at))
    for weapon in (*other.weapons, UNARMED):
        if weapon.kind == "melee" and near <= (weapon.spaces or 1) and _covers_step(state, other, weapon, step):
            return weapon
    return None


def _covers_step(state: State, other: Character, weapon: Weapon, step: Stepped) -> bool:
    from turnwright.space import in_reach

    field = ground_of(state)
    if field is None or not isinstance(other.at, tuple):
        return False
    spaces = weapon.spaces or 1
    return in_reach(field, other.at, step.came, spaces) and in_reach(field, other.at, step.at, spaces)


# -- Assist


class Assist(Action):
    """Help another's check, between the confirmation of its Skill and the commitment of its dice.

    Rules: narateer.assist.is-reaction, narateer.assist.window, narateer.assist.no-automatic-advantage.
    """

    name = "assist"
    about = "help another's check while its dice are not committed"
    nature = "reactive"
    reacts_to = CheckReady
    interjected = True
    rules = ("narateer.assist.window", "narateer.assist.details-in-skill-checks")
    parameters = (Parameter("method", "text", "what you do that helps", required=True),)

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
        if known.relation(Helping, moment.actor, d.actor) is not None:
            text = "you help with this check already"
            yield Refusal("narateer.assist.details-in-skill-checks", text, "ONCE")

    def price(self, known: State, d: Declaration) -> Price:
        return Price(ad(settings(known).assist_cost or 0, "Assist", "narateer.assist.details-in-skill-checks"))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        assert isinstance(paid.moment, CheckReady)
        play.emit(Helped("narateer.assist.details-in-skill-checks", paid.moment.actor, d.actor, d.method))
        return ended(Outcome(self.name, "helping", (paid.moment.actor,)))


# -- Class Powers


MOMENTS: dict[str, type[Moment]] = {
    "exchange_initiated": ExchangeInitiated,
    "exchange_resolved": ExchangeResolved,
    "hit": Struck,
    "stepped": Stepped,
}


class PowerPart(Action):
    """A part of a Class Power that an event opens: a Reaction only where its rule says so.

    Rules: narateer.reaction.power-trigger-names-event, narateer.reaction.modifier-power-is-not-reaction,
    narateer.reaction.explicit-only, narateer.response.power-after-exchange,
    narateer.reaction.any-time-its-trigger-occurs.
    """

    about = "use a part of a Class Power"
    rules = ("narateer.reaction.power-trigger-names-event", "narateer.reaction.own-timing-and-cost")

    def __init__(self, trigger: str, reaction: bool) -> None:
        self.trigger, self.reaction = trigger, reaction
        self.reacts_to = MOMENTS[trigger]  # type: ignore[misc]
        self.nature: Nature = "reactive" if reaction else "free"  # type: ignore[misc]
        self.name = f"power_{trigger}" + ("_reaction" if reaction else "")  # type: ignore[misc]

    def _mine(self, actor: Character) -> Iterator[tuple[Power, int, Part]]:
        for power in actor.powers:
            for index, part in enumerate(power.parts):
                if part.trigger == self.trigger and part.reaction == self.reaction and not part.attaches_to:
                    yield power, index, part

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for power, index, _ in self._mine(character(known, actor)):
            yield Declaration(actor, self.name, options={"power": power.name, "part": index})

    def candidates(self, state: State, moment: Moment) -> Iterable[Declaration]:
        for actor in state.actors.values():
            if actor.powers:
                yield from self.variants(state, actor.id)

    def label(self, known: State, d: Declaration) -> str:
        return d.option("power")

    def _part(self, known: State, d: Declaration) -> Part | None:
        for power, index, part in self._mine(character(known, d.actor)):
            if power.name == d.option("power") and index == int(d.options.get("part", 0)):
                return part
        return None

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        part = self._part(known, d)
        if part is None:
            text = f"no part of {d.option('power')!r} waits for {self.trigger}"
            yield Refusal("narateer.reaction.explicit-only", text, "NO_POWER")
            return
        if type(moment) is not MOMENTS[self.trigger]:
            text = f"its trigger is {self.trigger.replace('_', ' ')}"
            yield Refusal("narateer.reaction.power-trigger-names-event", text, "NO_TRIGGER")
            return
        actor = character(known, d.actor)
        for clause in ("role", *part.clauses):
            if not holds(known, actor, moment, part.role if clause == "role" else clause):
                text = f"not all of its trigger holds: {part.role if clause == 'role' else clause}"
                yield Refusal("narateer.reaction.full-trigger", text, "NO_TRIGGER")
        if part.strike:
            yield from self._strike_refusals(known, actor, moment)

    def _strike_refusals(self, known: State, actor: Character, moment: Moment) -> Iterator[Refusal]:
        """A Reaction aimed at somebody needs to know where they are.

        Rules: narateer.reaction.limiting-factors.
        """
        other = known.actors.get(cause(moment))
        if other is None or not locates(known, actor, other):
            text = "you cannot place whoever caused it"
            yield Refusal("narateer.reaction.limiting-factors", text, "NO_PRECISE_LOCATION")
        elif not any(reaches(known, actor, other, w) for w in (*actor.weapons, UNARMED)):
            yield Refusal("narateer.reaction.limiting-factors", f"{other.name} is out of reach", "OUT_OF_REACH")

    def price(self, known: State, d: Declaration) -> Price:
        part = self._part(known, d)
        if part is None or not part.ad:
            return Price()
        return Price((cost("ad", part.ad, d.option("power"), "narateer.reaction.own-timing-and-cost"),))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        part = self._part(play.state, d)
        assert part is not None
        rule = "narateer.reaction.power-trigger-names-event"
        index = int(d.options.get("part", 0))
        play.emit(PowerUsed(rule, d.actor, d.option("power"), index, part.totals, part.wounds))
        if part.move:
            play.emit(MovementGranted("narateer.additional.exact-amount", d.actor, Fraction(part.move)))
        if part.strike and paid.moment is not None:
            return (yield from self._strike(play, d, paid))
        return Outcome(self.name, "used", (d.actor,), part.wounds)

    def _strike(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        assert paid.moment is not None
        actor, other = character(play.state, d.actor), character(play.state, cause(paid.moment))
        weapon = next(w for w in (*actor.weapons, UNARMED) if reaches(play.state, actor, other, w))
        aimed = replace(d, target=other.id, options={**d.options, "weapon": weapon.name})
        committed = replace(paid[d.actor], dice=1)
        return (yield from exchange(play, aimed, weapon, committed, tempo=False))


def cause(moment: Moment) -> str:
    """Who brought the moment about."""
    return str(getattr(moment, "by", "") or getattr(moment, "actor", ""))


def holds(known: State, actor: Character, moment: Moment, clause: str) -> bool:
    """Whether one part of a trigger holds: the role in the event, a distance, seeing it.

    Rules: narateer.reaction.full-trigger.
    """
    other = known.actors.get(cause(moment))
    words = clause.split()
    if clause == "target":
        return getattr(moment, "target", "") == actor.id
    if clause == "attacker":
        return cause(moment) == actor.id
    if clause == "witness":
        return actor.id not in (cause(moment), getattr(moment, "target", ""))
    if clause == "hit":
        return getattr(moment, "hit", "") == actor.id
    if words[0] == "within" and other is not None:
        here, there = actor.at, other.at
        return (
            isinstance(here, tuple) and isinstance(there, tuple) and metres_between(known, here, there) <= int(words[1])
        )
    if clause == "sees it" and other is not None:
        hidden = known.relation(Hidden, other.id, actor.id) is not None
        return not hidden and "sight" in places(known, actor, other)
    if clause == "enemy moves" and other is not None:
        return isinstance(moment, Stepped) and other.side != actor.side
    return False
