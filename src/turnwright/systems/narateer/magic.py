"""Casting: a spell's own requirements, its Casting Cost, and what of it can be noticed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, window
from turnwright.events import Told
from turnwright.intent import stated
from turnwright.model import Bill, Check, Declaration, Moment, Outcome, Parameter, Price, Refusal, Ruling, State
from turnwright.rules import Action, Nature, Pick, Settled, Steps
from turnwright.space import sees
from turnwright.systems.narateer.check import check_of
from turnwright.systems.narateer.economy import casting_price
from turnwright.systems.narateer.effects import aim_lacks, aims, bring_about, succeeds, wound
from turnwright.systems.narateer.events import CluePerceived
from turnwright.systems.narateer.hide import resolve_waiting
from turnwright.systems.narateer.reveal import ClueLeft, give_away
from turnwright.systems.narateer.senses import ground_of, metres_between, opponents, sight_reaches, within_metres
from turnwright.systems.narateer.sheet import Character, Spell, barred_by, character, default_role
from turnwright.systems.narateer.sneak import conceals_itself
from turnwright.systems.narateer.triggers import MOMENTS, SpellCast, aware, other_party, trigger_lacks

TOPICS = ("cast",)


# -- what a spell requires


def unmet(known: State, caster: Character, spell: Spell) -> Iterator[Refusal]:
    """What the spell requires and the caster lacks: something that is barred, or the focus.

    Rules: narateer.cast.follow-magic.
    """
    rule = "narateer.cast.follow-magic"
    for need in spell.requires:
        for name in barred_by(known, caster, need):
            yield Refusal(rule, f"{spell.name} needs a {need}, and {name} bars it", "REQUIREMENT")
    if spell.focus and all(item.name != spell.focus for item in caster.items):
        yield Refusal(rule, f"{spell.name} needs its focus, a {spell.focus}", "FOCUS")


# -- what can be noticed of it


def noticed_by(state: State, caster: Character, spell: Spell) -> list[str]:
    """Which creatures of other sides the effects of this spell reach; casting as such is noticed by nobody.

    Rules: narateer.cast.noticeability.
    """
    return [o.id for o in opponents(state, caster) if any(_reaches(state, o, caster, spell, s) for s in spell.noticed)]


def _reaches(state: State, observer: Character, caster: Character, spell: Spell, sense: str) -> bool:
    if observer.down or sense not in observer.senses:
        return False
    field = ground_of(state)
    here, there = observer.at, caster.at
    within = spell.noticed[sense]
    if field is None or not isinstance(here, tuple) or not isinstance(there, tuple):
        near = not within or within_metres(state, here, there, within)
        return near and (sense == "hearing" or sight_reaches(state, observer, caster))
    if within and metres_between(state, here, there) > within:
        return False
    return sense == "hearing" or sees(field, here, there)


# -- casting


class Cast(Action):
    """Cast a spell, by its own requirements and for its Casting Cost.

    Rules: narateer.cast.follow-magic, narateer.resolve.specific-procedure-kinds.
    """

    name = "cast"
    wants = ("cast", "used")
    about = "cast a spell"
    rules: ClassVar[tuple[str, ...]] = ("narateer.cast.follow-magic", "narateer.cost.casting-cost-covers-casting")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("spell", "text", "which spell", required=True),
        Parameter("target", "actor", "at whom, where the spell is cast at somebody"),
    )

    def belongs(self, spell: Spell) -> bool:
        """Whether a spell is cast in this way."""
        return not spell.trigger

    def spell_of(self, known: State, d: Declaration) -> Spell | None:
        mine = [spell for spell in character(known, d.actor).spells if self.belongs(spell)]
        return next((spell for spell in mine if spell.name == d.option("spell")), None)

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        caster = character(known, actor)
        for spell in caster.spells:
            if self.belongs(spell):
                for target in aims(known, caster, spell.at):
                    yield Declaration(actor, self.name, target=target, options={"spell": spell.name})

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return replace(d, boost=0)

    def label(self, known: State, d: Declaration) -> str:
        target = known.actors.get(d.target)
        return f"cast {d.option('spell')}" + (f" at {target.name}" if target else "")

    def complete(self, known: State, d: Declaration) -> Declaration:
        return stated(d, f"the effect of {d.option('spell')}", f"cast {d.option('spell')}")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        caster, spell = character(known, d.actor), self.spell_of(known, d)
        if spell is None:
            named = ", ".join(s.name for s in caster.spells if self.belongs(s)) or "none"
            text = f"{caster.name} has no spell called {d.option('spell')!r}; there are: {named}"
            yield Refusal("narateer.cast.follow-magic", text, "NO_SPELL")
            return
        yield from unmet(known, caster, spell)
        rule = "narateer.cast.follow-magic"
        yield from aim_lacks(known, d, spell.at, spell.name, rule, spell.within, spell.sight)

    def price(self, known: State, d: Declaration) -> Price:
        spell = self.spell_of(known, d)
        return Price() if spell is None else casting_price(spell, proactive=self.nature == "proactive")

    def check(self, known: State, d: Declaration) -> Check | None:
        spell = self.spell_of(known, d)
        return check_of(known, d.actor, spell.check) if spell is not None and spell.check else None

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        return Bill(self.price(state, d), self.check(state, d), self.label(state, d))

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: narateer.reveal.warn-before-commit."""
        spell = self.spell_of(known, d)
        if spell is not None and spell.obvious and spell.noticed and conceals_itself(known, d.actor):
            return ("whoever notices the spell knows where you are",)
        return ()

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """The spell's own check if it has one, its effect, and then what others can notice of it and answer it with."""
        spell = self.spell_of(play.state, d)  # kept: the spell that was paid for
        assert spell is not None
        works = yield from succeeds(play, d, spell, paid[d.actor], "narateer.cast.follow-magic")
        if works:
            take_effect(play, d, spell)
        yield from _be_noticed(play, d.actor, spell)
        if works:
            yield from window(play, SpellCast(d.actor, d.target, spell.name))
        who = (d.target,) if d.target else ()
        if works and spell.wards:
            return Outcome(self.name, "used", (d.actor,), -spell.wards)
        return Outcome(self.name, "cast" if works else "failed", who, spell.wounds)


class CastInReply(Cast):
    """A spell that an event opens: a Reaction only where its rule says so, at its own timing and cost.

    It takes no proactive use, whoever's Activation it is.
    Rules: narateer.cast.follow-magic.
    """

    about = "cast a spell that an event opens"
    rules = ("narateer.cast.follow-magic", "narateer.reaction.own-timing-and-cost")

    def __init__(self, trigger: str, reaction: bool) -> None:
        self.trigger, self.reaction = trigger, reaction
        self.reacts_to = MOMENTS[trigger]  # type: ignore[misc]
        self.nature: Nature = "reactive" if reaction else "free"  # type: ignore[misc]
        self.name = f"cast_{trigger}" + ("_reaction" if reaction else "")  # type: ignore[misc]

    def belongs(self, spell: Spell) -> bool:
        return spell.trigger == self.trigger and spell.reaction == self.reaction

    def once(self, d: Declaration) -> tuple[str, ...]:
        return (d.actor, "cast", d.option("spell"))

    def candidates(self, state: State, moment: Moment) -> Iterable[Declaration]:
        """Whoever is aware of the event, and where the spell is cast at an opponent, at the other one in it."""
        for actor in state.actors.values():
            if actor.spells and aware(state, actor, moment):
                whom = other_party(actor.id, moment)
                for d in self.variants(state, actor.id):
                    if d.target in ("", whom) or state.actors[d.target].side == actor.side:
                        yield self.complete(state, d)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        """Rules: narateer.reaction.full-trigger, narateer.reaction.limiting-factors."""
        spell = self.spell_of(known, d)
        if spell is not None and type(moment) is not MOMENTS[self.trigger]:
            text = f"its trigger is {self.trigger.replace('_', ' ')}"
            yield Refusal("narateer.reaction.full-trigger", text, "NO_TRIGGER")
            return
        if spell is not None and moment is not None:
            clauses = (spell.role or default_role(self.trigger), *spell.clauses)
            yield from trigger_lacks(known, character(known, d.actor), moment, clauses)
        yield from super().refusals(known, d, moment)


# -- the effect


def take_effect(play: Play, d: Declaration, spell: Spell) -> None:
    rule = "narateer.cast.follow-magic"
    play.emit(Told(rule, d.actor, spell.effect or spell.name))
    wound(play, rule, d.target, spell)
    bring_about(play, rule, d.actor, d.target, spell)


def _be_noticed(play: Play, caster: str, spell: Spell) -> Steps[None]:
    """An obvious spell plainly gives its caster away; another is a clue to whoever notices it.

    Rules: narateer.cast.noticeability, narateer.reveal.by-side-effects.
    """
    reached = noticed_by(play.state, character(play.state, caster), spell)  # kept: who noticed the casting
    rule = "narateer.cast.noticeability"
    for observer in reached:
        play.emit(CluePerceived(rule, caster, observer, spell.obvious))
    if spell.obvious:
        give_away(play, caster, reached, "narateer.reveal.by-side-effects", "cast a spell")
    elif reached:
        yield from resolve_waiting(play, caster, tuple(reached))
        yield from window(play, ClueLeft(caster, tuple(reached)))
