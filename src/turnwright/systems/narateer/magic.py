"""Casting: a spell's own requirements, its Casting Cost, and what of it can be noticed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from turnwright.engine import Play, window
from turnwright.events import Told
from turnwright.model import Bill, Check, Declaration, Moment, Outcome, Parameter, Price, Refusal, Ruling, State
from turnwright.rules import Action, Pick, Settled, Steps
from turnwright.space import sees
from turnwright.systems.narateer.check import check, check_of
from turnwright.systems.narateer.economy import casting_price
from turnwright.systems.narateer.events import CluePerceived, MovementGranted, Wounded
from turnwright.systems.narateer.hide import resolve_waiting
from turnwright.systems.narateer.intent import stated
from turnwright.systems.narateer.reveal import ClueLeft, give_away
from turnwright.systems.narateer.senses import ground_of, locates, metres_between, opponents
from turnwright.systems.narateer.sheet import Character, Spell, character, conditions_of, readiness, settings
from turnwright.systems.narateer.sneak import conceals_itself

TOPICS = ("cast",)


def spell_of(known: State, d: Declaration) -> Spell | None:
    return next((s for s in character(known, d.actor).spells if s.name == d.option("spell")), None)


def unmet(known: State, caster: Character, spell: Spell) -> Iterator[Refusal]:
    """What the spell requires and a Condition of the caster bars.

    Rules: narateer.cast.follow-magic.
    """
    for need in spell.requires:
        for name, condition in conditions_of(known, caster):
            if need in condition.bars:
                text = f"{spell.name} needs a {need}, and {name} bars it"
                yield Refusal("narateer.cast.follow-magic", text, "REQUIREMENT")


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
    if field is None or not isinstance(here, tuple) or not isinstance(there, tuple):
        return here == there
    within = spell.noticed[sense]
    if within and metres_between(state, here, there) > within:
        return False
    return sense == "hearing" or sees(field, here, there)


class Cast(Action):
    """Cast a spell, by its own requirements and for its Casting Cost.

    Rules: narateer.cast.follow-magic, narateer.resolve.specific-procedure-kinds.
    """

    name = "cast"
    about = "cast a spell"
    rules = ("narateer.cast.follow-magic", "narateer.cost.casting-cost-covers-casting")
    parameters = (Parameter("target", "actor", "at whom, where the spell is cast at somebody"),)

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for spell in character(known, actor).spells:
            if not spell.at:
                yield Declaration(actor, self.name, options={"spell": spell.name})
            else:
                for other in opponents(known, character(known, actor)):
                    yield Declaration(actor, self.name, target=other.id, options={"spell": spell.name})

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return replace(d, boost=0)

    def label(self, known: State, d: Declaration) -> str:
        target = known.actors.get(d.target)
        return f"cast {d.option('spell')}" + (f" at {target.name}" if target else "")

    def complete(self, known: State, d: Declaration) -> Declaration:
        return stated(d, f"the effect of {d.option('spell')}", f"cast {d.option('spell')}")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        caster, spell = character(known, d.actor), spell_of(known, d)
        if spell is None:
            named = ", ".join(s.name for s in caster.spells) or "none"
            text = f"{caster.name} has no spell called {d.option('spell')!r}; there are: {named}"
            yield Refusal("narateer.cast.follow-magic", text, "NO_SPELL")
            return
        yield from unmet(known, caster, spell)
        if not spell.at:
            return
        target = known.actors.get(d.target)
        if target is None or not locates(known, caster, target):
            text = f"{caster.name} cannot place {target.name if target else d.target or 'a target'} precisely enough"
            yield Refusal("narateer.hidden.cannot-be-targeted-directly", text, "NO_PRECISE_LOCATION")

    def price(self, known: State, d: Declaration) -> Price:
        spell = spell_of(known, d)
        return Price() if spell is None else casting_price(spell)

    def check(self, known: State, d: Declaration) -> Check | None:
        spell = spell_of(known, d)
        return check_of(known, d.actor, spell.check) if spell is not None and spell.check else None

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        return Bill(self.price(state, d), self.check(state, d), self.label(state, d))

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: narateer.reveal.warn-before-commit."""
        spell = spell_of(known, d)
        if spell is not None and spell.obvious and spell.noticed and conceals_itself(known, d.actor):
            return ("whoever notices the spell knows where you are",)
        return ()

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """The spell's own check if it has one, its effect, and then what others can notice of it."""
        spell = spell_of(play.state, d)  # kept: the spell that was paid for
        assert spell is not None
        works = yield from _succeeds(play, d, spell, paid)
        if works:
            _take_effect(play, d, spell)
        yield from _be_noticed(play, d.actor, spell)
        return Outcome(self.name, "cast" if works else "failed", (d.target,) if d.target else (), spell.wounds)


def _succeeds(play: Play, d: Declaration, spell: Spell, paid: Settled) -> Steps[bool]:
    if not spell.check:
        return True
    state = play.state
    if spell.target or d.target not in state.actors:
        against, ties = spell.target, settings(state).fixed_target == "meet"
    else:
        against, ties = readiness(state, character(state, d.target), spell.resisted or spell.check), False
    rule = "narateer.cast.follow-magic"
    read = yield from check(play, d.actor, spell.check, paid[d.actor], rule, against=against, ties=ties)
    if not read.value:
        play.emit(Told(rule, d.actor, spell.failure or f"{spell.name} fails", good=False))
    return bool(read.value)


def _take_effect(play: Play, d: Declaration, spell: Spell) -> None:
    rule = "narateer.cast.follow-magic"
    play.emit(Told(rule, d.actor, spell.effect or spell.name))
    if spell.wounds and d.target:
        play.emit(Wounded(rule, d.target, spell.wounds))
    if spell.move:
        play.emit(MovementGranted("narateer.additional.exact-amount", d.target or d.actor, Fraction(spell.move)))


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
