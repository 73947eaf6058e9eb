"""Reactions and what only looks like them: Opportunity Attack, Assist, and the use of Class Powers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.events import Barred
from turnwright.model import Check, Declaration, Moment, Outcome, Parameter, Price, Refusal, State
from turnwright.rules import Action, Nature, Settled, Steps, ended
from turnwright.space import in_reach
from turnwright.systems.narateer.check import CheckReady
from turnwright.systems.narateer.economy import ad, proactive_use
from turnwright.systems.narateer.effects import aim_lacks, aims, bring_about
from turnwright.systems.narateer.events import Helped, Helping, Hidden, PowerUsed
from turnwright.systems.narateer.exchange import (
    ExchangeInitiated,
    ExchangeResolved,
    Struck,
    armed_with,
    arms,
    attack_check,
    attack_price,
    exchange,
    has_tempo,
    parts_in,
    reaches,
    target_refusals,
    tempo_refusals,
)
from turnwright.systems.narateer.intent import incomplete, stated
from turnwright.systems.narateer.movement import Stepped
from turnwright.systems.narateer.powers import own_check, pass_check, power_price, unmet
from turnwright.systems.narateer.senses import ground_of, locates, places, within_metres
from turnwright.systems.narateer.sheet import UNARMED, Character, Part, Power, Weapon, character, settings

TOPICS = ("reaction", "opportunity", "assist")


# -- Opportunity Attack


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


# -- Assist


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


# -- Class Powers


class SpellCast(Moment, frozen=True):
    """Somebody has cast a spell, and it took effect."""

    by: str
    target: str
    spell: str


MOMENTS: dict[str, type[Moment]] = {
    "exchange_initiated": ExchangeInitiated,
    "exchange_resolved": ExchangeResolved,
    "hit": Struck,
    "stepped": Stepped,
    "cast": SpellCast,
}


class UsesPower(Action):
    """The use of one part of a Class Power, with the AD, the check and the effect that the part has."""

    wants = ("used", "hit")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("power", "text", "which Power", required=True),
        Parameter("part", "number", "which of its parts, counted from 0", by_name=True),
    )

    @abstractmethod
    def belongs(self, part: Part) -> bool:
        """Whether a part is used in this way."""

    def _mine(self, actor: Character) -> Iterator[tuple[Power, int, Part]]:
        for power in actor.powers:
            for index, part in enumerate(power.parts):
                if self.belongs(part):
                    yield power, index, part

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for power, index, _ in self._mine(character(known, actor)):
            yield Declaration(actor, self.name, options={"power": power.name, "part": index})

    def label(self, known: State, d: Declaration) -> str:
        return f"{d.option('power')} (Reaction)" if self.nature == "reactive" else d.option("power")

    def complete(self, known: State, d: Declaration) -> Declaration:
        if "part" not in d.options and d.actor in known.actors:
            named = (i for power, i, _ in self._mine(character(known, d.actor)) if power.name == d.option("power"))
            d = replace(d, options={**d.options, "part": next(named, 0)})
        return stated(d, f"use {d.option('power')}", d.option("power"))

    def find(self, known: State, d: Declaration) -> tuple[Power, Part] | None:
        for power, index, part in self._mine(character(known, d.actor)):
            if power.name == d.option("power") and index == int(d.options.get("part", 0)):
                return power, part
        return None

    def check(self, known: State, d: Declaration) -> Check | None:
        """The check of the part's own, or that of the blow that it strikes; either can be boosted.

        Rules: narateer.power.may-add-own-check, narateer.boost.any-skill-check.
        """
        found = self.find(known, d)
        if found is None:
            return None
        own = own_check(known, d.actor, found[1])
        weapon = self.weapon(known, d) if found[1].strike else None
        return own if own is not None or weapon is None else attack_check(known, d.actor, weapon, dice=1)

    def weapon(self, known: State, d: Declaration) -> Weapon | None:
        return armed_with(known, d)

    def take_effect(self, play: Play, d: Declaration, paid: Settled, *, tempo: bool) -> Steps[Outcome]:
        """The part's own check first, where it has one; then what the part does."""
        found = self.find(play.state, d)
        assert found is not None
        power, part = found  # kept: the part that was paid for
        index = power.parts.index(part)
        play.emit(PowerUsed(self.rules[0], d.actor, power.name, index, part.totals, part.wounds))
        if part.check and not (yield from pass_check(play, d.actor, part, paid[d.actor], d.target)):
            return Outcome(self.name, "failed", (d.actor,))
        if not part.strike:
            bring_about(play, self.rules[0], d.actor, d.target if part.aimed else "", part)
            return Outcome(self.name, "used", (d.actor,), changes(part, paid.moment))
        bring_about(play, self.rules[0], d.actor, "", replace(part, condition="", ends=""))
        weapon = self.weapon(play.state, d)
        assert weapon is not None
        committed = paid[d.actor] if not part.check else replace(paid[d.actor], dice=1, boost=0)
        outcome = yield from exchange(play, d, weapon, committed, tempo=tempo, part=part)
        if outcome.result == "hit":
            bring_about(play, self.rules[0], d.actor, d.target, Part(condition=part.condition, ends=part.ends))
        return outcome


class UsePower(UsesPower):
    """A Class Power used as a proactive Action, whatever its user is doing with a movement mode.

    Rules: narateer.power.extra-ad-adds-no-distance, narateer.power.may-add-own-check.
    """

    name = "use_power"
    about = "use a Class Power of one's own accord"
    rules = ("narateer.power.movement-requirement-kinds", "narateer.power.extra-ad-adds-no-distance")
    parameters = (
        *UsesPower.parameters,
        Parameter("target", "actor", "whom"),
        Parameter("weapon", "choice", "with what"),
    )

    def belongs(self, part: Part) -> bool:
        return part.proactive

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        mine = character(known, actor)
        for power, index, part in self._mine(mine):
            d = Declaration(actor, self.name, options={"power": power.name, "part": index})
            for target in aims(known, mine, part.aimed or part.strike):
                yield replace(d, target=target)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        found = self.find(known, d)
        if found is None:
            text = f"no Power called {d.option('power')!r} is used of one's own accord"
            yield Refusal("narateer.power.movement-requirement-kinds", text, "NO_POWER")
            return
        power, part = found
        yield from unmet(known, character(known, d.actor), power)
        if part.strike:
            yield from tempo_refusals(known, d)
            yield from target_refusals(known, d, armed_with(known, d))
        if part.aimed or not part.strike:
            yield from aim_lacks(known, d, part.aimed, power.name, "narateer.power.may-add-own-check")

    def price(self, known: State, d: Declaration) -> Price:
        """The Power's own AD, and a proactive use of each Skill that it uses.

        Rules: narateer.proactive.each-use-consumes-one.
        """
        found = self.find(known, d)
        if found is None:
            return Price()
        power, part = found
        weapon = armed_with(known, d) if part.strike else None
        skills = dict.fromkeys([part.check, weapon.kind if weapon is not None else ""])
        uses = [proactive_use(skill) for skill in skills if skill]
        return power_price(power, (part,), "narateer.power.extra-ad-adds-no-distance").plus(*uses)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        return (yield from self.take_effect(play, d, paid, tempo=has_tempo(play.state, d.actor)))


class PowerPart(UsesPower):
    """A part of a Class Power that an event opens: a Reaction only where its rule says so.

    Rules: narateer.reaction.power-trigger-names-event, narateer.reaction.modifier-power-is-not-reaction,
    narateer.reaction.explicit-only, narateer.response.power-after-exchange,
    narateer.reaction.any-time-its-trigger-occurs.
    """

    about = "use a part of a Class Power"
    parameters = (*UsesPower.parameters, Parameter("target", "actor", "at whom", by_name=True))
    rules = ("narateer.reaction.power-trigger-names-event", "narateer.reaction.own-timing-and-cost")

    def __init__(self, trigger: str, reaction: bool) -> None:
        self.trigger, self.reaction = trigger, reaction
        self.reacts_to = MOMENTS[trigger]  # type: ignore[misc]
        self.nature: Nature = "reactive" if reaction else "free"  # type: ignore[misc]
        self.name = f"power_{trigger}" + ("_reaction" if reaction else "")  # type: ignore[misc]

    def belongs(self, part: Part) -> bool:
        """What is part of a Response is declared with it; only a Reaction that it creates comes by itself."""
        attached = bool(part.attaches_to) and not part.reaction
        return part.opens_at == self.trigger and part.reaction == self.reaction and not attached

    def once(self, d: Declaration) -> tuple[str, ...]:
        return (d.actor, d.option("power"), d.option("part"))

    def again(self, state: State, d: Declaration) -> bool:
        """There is no cap beyond a stated cost, so what costs nothing has to end by itself.

        Rules: narateer.reaction.any-time-its-trigger-occurs.
        """
        return settings(state).free_again or bool(self.price(state, d).costs)

    def candidates(self, state: State, moment: Moment) -> Iterable[Declaration]:
        """Whoever is aware of the event: those whom it concerns, and of the others those who can place its cause.

        Rules: narateer.reaction.limiting-factors.
        """
        for actor in state.actors.values():
            mine = list(self.variants(state, actor.id)) if actor.powers else []
            if mine and aware(state, actor, moment):
                for d in mine:
                    yield replace(d, target=other_party(actor.id, moment))

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        found = self.find(known, d)
        if found is None:
            text = f"no part of {d.option('power')!r} waits for {self.trigger}"
            yield Refusal("narateer.reaction.explicit-only", text, "NO_POWER")
            return
        if type(moment) is not MOMENTS[self.trigger]:
            text = f"its trigger is {self.trigger.replace('_', ' ')}"
            yield Refusal("narateer.reaction.power-trigger-names-event", text, "NO_TRIGGER")
            return
        power, part = found
        actor = character(known, d.actor)
        yield from trigger_lacks(known, actor, moment, (part.by, *part.clauses))
        if part.attaches_to and not came_of(actor, power, part, moment):
            text = f"{power.name} was not part of a {part.attaches_to.replace('_', ' ')}"
            yield Refusal("narateer.response.power-inside-response", text, "NO_TRIGGER")
        yield from unmet(known, actor, power)
        if part.strike:
            yield from self._strike_refusals(known, actor, moment)

    def _strike_refusals(self, known: State, actor: Character, moment: Moment) -> Iterator[Refusal]:
        """A Reaction aimed at somebody needs to know where they are.

        Rules: narateer.reaction.limiting-factors.
        """
        whom = other_party(actor.id, moment)
        other = known.actors.get(whom)
        if not whom:
            yield Refusal("narateer.reaction.limiting-factors", "there is nobody else in it", "SELF")
        elif other is None or not locates(known, actor, other):
            text = "you cannot place whoever caused it"
            yield Refusal("narateer.reaction.limiting-factors", text, "NO_PRECISE_LOCATION")
        elif not any(reaches(known, actor, other, armed) for armed in arms(actor)):
            yield Refusal("narateer.reaction.limiting-factors", f"{other.name} is out of reach", "OUT_OF_REACH")

    def price(self, known: State, d: Declaration) -> Price:
        """The AD that its own rule names, and nothing for a tier.

        Rules: narateer.reaction.own-timing-and-cost.
        """
        found = self.find(known, d)
        if found is None:
            return Price()
        power, part = found
        return power_price(power, (part,), "narateer.reaction.own-timing-and-cost", declared=not part.attaches_to)

    def weapon(self, known: State, d: Declaration) -> Weapon | None:
        """The first own weapon that reaches whoever is struck."""
        actor, other = character(known, d.actor), known.actors.get(d.target)
        armed = arms(actor)
        return armed[0] if other is None else next((w for w in armed if reaches(known, actor, other, w)), armed[0])

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        return (yield from self.take_effect(play, d, paid, tempo=False))


def changes(part: Part, moment: Moment | None) -> int:
    """What a part adds to the event that opened it: to a total of an Exchange that begins, to the Wounds of a hit.

    Rules: narateer.reaction.modifier-power-is-not-reaction.
    """
    return part.totals if isinstance(moment, ExchangeInitiated) else part.wounds


def trigger_lacks(known: State, actor: Character, moment: Moment, clauses: Iterable[str]) -> Iterator[Refusal]:
    """One reason for each part of a trigger that does not hold.

    Rules: narateer.reaction.full-trigger.
    """
    for clause in clauses:
        if not holds(known, actor, moment, clause):
            yield Refusal("narateer.reaction.full-trigger", f"not all of its trigger holds: {clause}", "NO_TRIGGER")


def aware(state: State, actor: Character, moment: Moment) -> bool:
    """Whether the actor knows of an event: it is part of it, or can place whoever brought it about."""
    by = cause(moment)
    if actor.id in (by, getattr(moment, "target", "")) or by not in state.actors:
        return True
    return locates(state, actor, character(state, by))


def came_of(actor: Character, power: Power, part: Part, moment: Moment) -> bool:
    """Whether the moment ends an Exchange in which the part's Response was chosen, with the Power in it if it can be.

    Rules: narateer.response.power-inside-response.
    """
    if not isinstance(moment, ExchangeResolved) or moment.response != part.attaches_to:
        return False
    return moment.target == actor.id and (moment.power == power.name or not parts_in(power, part.attaches_to))


def cause(moment: Moment) -> str:
    """Who brought the moment about."""
    return str(getattr(moment, "by", "") or getattr(moment, "actor", ""))


def other_party(actor: str, moment: Moment) -> str:
    """Whom something that the moment opens is aimed at: who brought it about, or for that one the target of it."""
    by = cause(moment)
    return by if by != actor else str(getattr(moment, "target", ""))


def holds(known: State, actor: Character, moment: Moment, clause: str) -> bool:
    """Whether one part of a trigger holds: the role in the event, a distance, seeing it.

    Rules: narateer.reaction.full-trigger.
    """
    other = known.actors.get(other_party(actor.id, moment) or cause(moment))
    words = clause.split()
    if clause == "target":
        return getattr(moment, "target", "") == actor.id
    if clause == "attacker":
        return cause(moment) == actor.id
    if clause == "mover":
        return isinstance(moment, Stepped) and moment.actor == actor.id
    if clause == "witness":
        return actor.id not in (cause(moment), getattr(moment, "target", ""))
    if clause in ("hit", "not hit"):
        return (getattr(moment, "hit", "") == actor.id) == (clause == "hit")
    if words[0] == "within" and other is not None:
        return within_metres(known, actor.at, other.at, int(words[1]))
    if clause == "sees it" and other is not None:
        hidden = known.relation(Hidden, other.id, actor.id) is not None
        return not hidden and any(sense in ("sight", "guide") for sense in places(known, actor, other))
    if clause == "enemy moves" and other is not None:
        return isinstance(moment, Stepped) and other.side != actor.side
    return False
