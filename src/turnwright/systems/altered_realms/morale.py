"""Rally and Inspire: what a voice or an example does for those who hear and see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, window
from turnwright.model import NOTHING, ActorId, Declaration, Moment, Outcome, Parameter, Price, Refusal, State, cost
from turnwright.rules import Action, Nature, Pick, Settled, Steps, ended
from turnwright.systems.altered_realms.aid import skill_check
from turnwright.systems.altered_realms.economy import Deed, Reaction, motion_price, reaction_price
from turnwright.systems.altered_realms.events import (
    ConditionChanged,
    HitsPromised,
    InspirationGiven,
    InspirationReadied,
    Inspired,
)
from turnwright.systems.altered_realms.grapple import break_dc, break_holds
from turnwright.systems.altered_realms.holding import holds_on
from turnwright.systems.altered_realms.rolls import better_save, part, save, skill_parts
from turnwright.systems.altered_realms.sheet import Creature, conditions_of, creature, settings, skill_of, skills
from turnwright.systems.altered_realms.space import in_earshot, in_sight

TOPICS = ("rally", "inspire")

RALLY_DC, BONUS = 14, 2
"""Rules: altered-realms.rally.roll, altered-realms.rally.immediate-save."""
HOLD = "held"


class Rallied(Moment, frozen=True):
    """Somebody has rallied those who are near."""

    by: ActorId


def hears_or_sees(state: State, ally: Creature, by: Creature) -> bool:
    """Within earshot as a distance, and hearing or seeing; whoever is deaf but sees is reached too.

    Rules: altered-realms.rally.audience.
    """
    rule = settings(state)
    if not in_earshot(state, ally, by, rule.earshot):
        return False
    hears = all(condition.hears for _, condition in conditions_of(state, ally))
    return hears or (not rule.strict_hearing and in_sight(state, ally, by))


def best_cha_skill(state: State, who: Creature) -> str:
    """The CHA-based skill that the creature is best at."""
    named = [name for name, skill in skills(state).items() if skill.attribute == "cha"]
    return max(named, key=lambda name: sum([p.amount for p in skill_parts(state, who, name, "")]), default="")


class Rally(Deed):
    """A Full Round Action and a CHA-based skill: whoever hears or sees it may shake something off.

    Rules: altered-realms.rally.cost, altered-realms.rally.roll, altered-realms.rally.audience.
    """

    name = "rally"
    about = "rally your allies, so that they may shake something off"
    rules = ("altered-realms.rally.cost", "altered-realms.rally.roll")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("skill", "text", "a CHA-based skill; the best where it is not said", by_name=True),
    )

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        named = d.option("skill")
        found = skill_of(known, named) if named else None
        if named and (found is None or found.attribute != "cha"):
            yield Refusal("altered-realms.rally.roll", f"{named} is no CHA-based skill", "NO_SKILL")

    def own_price(self, known: State, d: Declaration) -> Price:
        """Rules: altered-realms.rally.cost."""
        rule = "altered-realms.rally.cost"
        return Price(tuple([cost(name, 1, "a Full Round Action", rule) for name in ("action", "motion", "movement")]))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        skill = d.option("skill") or best_cha_skill(play.state, creature(play.state, d.actor))
        read = yield from skill_check(play, d.actor, skill, "altered-realms.rally.roll", dc=RALLY_DC)
        if not read.passed:
            return Outcome(self.name, "failure")
        yield from window(play, Rallied(d.actor))
        return Outcome(self.name, "success")


class RallySave(Reaction):
    """A Saving Throw at once, with +2, against one thing that goes on; a hold is such a thing.

    Rules: altered-realms.rally.immediate-save, altered-realms.rally.costs-ally-reaction.
    """

    name = "rally_save"
    about = "shake something off"
    rules = ("altered-realms.rally.immediate-save", "altered-realms.rally.costs-ally-reaction")
    reacts_to = Rallied

    def variants(self, known: State, actor: ActorId) -> Iterable[Declaration]:
        return ()

    def candidates(self, state: State, moment: Rallied) -> Iterator[Declaration]:
        by = creature(state, moment.by)
        for ally in state.actors.values():
            if ally.side != by.side or ally.id == by.id or not hears_or_sees(state, ally, by):
                continue
            effects = [held.condition for held in ally.afflictions] + ([HOLD] if holds_on(state, ally.id) else [])
            for effect in effects:
                yield Declaration(ally.id, self.name, options={"effect": effect})

    def label(self, known: State, d: Declaration) -> str:
        return "break free" if d.option("effect") == HOLD else f"shake off: {d.option('effect')}"

    def once(self, d: Declaration) -> tuple[str, ...]:
        return (d.actor, self.name)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not isinstance(moment, Rallied):
            yield Refusal("altered-realms.rally.immediate-save", "nobody has rallied you", "NO_TRIGGER")

    def price(self, known: State, d: Declaration) -> Price:
        return reaction_price("a save", "altered-realms.rally.costs-ally-reaction")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        effect = d.option("effect")
        who = creature(play.state, d.actor)
        rule = "altered-realms.rally.immediate-save"
        more = (part("Rally", BONUS, rule),)
        if effect == HOLD:
            dc, by = break_dc(play.state, d.actor), holds_on(play.state, d.actor)[0].owner
            read = yield from save(play, d.actor, better_save(who), dc, rule, by=by, more=more)
            if read.passed:
                break_holds(play, d.actor, rule)
            return Outcome(self.name, "success" if read.passed else "failure", (d.actor,))
        held = next(one for one in who.afflictions if one.condition == effect)
        read = yield from save(play, d.actor, held.save, held.dc, rule, by=held.by, more=more)
        if read.passed:
            play.emit(ConditionChanged(rule, d.actor, effect, False))
        return Outcome(self.name, "success" if read.passed else "failure", (d.actor,))


# -- inspiring


class Inspire(Deed):
    """A Motion before the first attack of the turn: allies who see it hold +1 for each hit that is promised.

    Rules: altered-realms.inspire.cost-and-timing, altered-realms.inspire.audience,
    altered-realms.inspire.bonus-per-promised-hit, altered-realms.inspire.once-between-rests.
    """

    name = "inspire"
    about = "promise hits, and inspire the allies who see you"
    rules = ("altered-realms.inspire.cost-and-timing", "altered-realms.inspire.bonus-per-promised-hit")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("hits", "number", "how many hits you promise", required=True, most=20),
    )

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        most = creature(known, d.actor).attack_count
        return replace(d, options={**d.options, "hits": pick(tuple(range(1, most + 1)))})

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("hits").strip().isdecimal():
            text = "say how many hits you promise"
            yield Refusal("altered-realms.inspire.bonus-per-promised-hit", text, "INCOMPLETE hits")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who, hits = creature(known, d.actor), promised(d)
        if "attack" in who.done:
            text = f"{who.name} has attacked in this turn"
            yield Refusal("altered-realms.inspire.cost-and-timing", text, "AFTER_ATTACK")
        can = who.attack_count if who.actions else 0
        if d.option("hits") and not 1 <= hits <= can:
            text = f"{who.name} can promise 1 to {can} hits, not {hits}"
            yield Refusal("altered-realms.inspire.bonus-per-promised-hit", text, "PROMISE")

    def own_price(self, known: State, d: Declaration) -> Price:
        once = cost("rest", 1, "once between rests", "altered-realms.inspire.once-between-rests")
        return motion_price("inspiring others", "altered-realms.inspire.cost-and-timing").plus(once)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        rule, hits = "altered-realms.inspire.bonus-per-promised-hit", promised(d)
        play.emit(HitsPromised(rule, d.actor, hits))
        seeing = audience(play.state, d.actor)
        for ally in seeing:
            play.emit(InspirationGiven(rule, ally, d.actor, hits))
        return ended(Outcome(self.name, "success", seeing, hits))


def promised(d: Declaration) -> int:
    text = d.option("hits").strip()
    return int(text) if text.isdecimal() else 0


def audience(state: State, actor: ActorId) -> tuple[ActorId, ...]:
    """The allies who see the inspirer; it is none of them itself.

    Rules: altered-realms.inspire.audience.
    """
    by = creature(state, actor)
    allies = [ally for ally in state.actors.values() if ally.side == by.side and ally.id != actor]
    return tuple([ally.id for ally in allies if in_sight(state, ally, by)])


class ReadyInspiration(Action):
    """The bonus is to go into the next d20, before it is rolled.

    Rules: altered-realms.inspire.before-or-after-roll.
    """

    name = "spend_inspiration"
    about = "put your Inspiration Bonus into your next d20"
    nature: ClassVar[Nature] = "free"
    rules = ("altered-realms.inspire.before-or-after-roll",)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        held = known.related(Inspired, d.actor)
        if not held or held[0].ready:
            text = "there is no Inspiration Bonus to spend"
            yield Refusal("altered-realms.inspire.spend-once-on-any-d20", text, "NO_BONUS")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(InspirationReadied("altered-realms.inspire.before-or-after-roll", d.actor))
        return ended(Outcome(self.name, "success"))
