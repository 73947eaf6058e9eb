"""Class Powers that are used, and the Reactions among them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.intent import stated
from turnwright.model import Check, Declaration, Moment, Outcome, Parameter, Price, Refusal, State
from turnwright.rules import Action, Nature, Settled, Steps
from turnwright.systems.narateer.economy import proactive_use
from turnwright.systems.narateer.effects import aim_lacks, aims, bring_about
from turnwright.systems.narateer.events import PowerUsed
from turnwright.systems.narateer.exchange import (
    armed_with,
    arms,
    attack_check,
    exchange,
    has_tempo,
    reaches,
    target_refusals,
    tempo_refusals,
)
from turnwright.systems.narateer.powers import own_check, pass_check, power_price, unmet
from turnwright.systems.narateer.senses import locates
from turnwright.systems.narateer.sheet import Character, Part, Power, Weapon, character, settings
from turnwright.systems.narateer.triggers import MOMENTS, aware, came_of, changes, other_party, trigger_lacks

TOPICS = ("reaction",)


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
