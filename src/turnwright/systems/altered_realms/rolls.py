"""The one procedure that throws a d20, with everything that is added to it, and the one that throws damage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import msgspec

from turnwright.dice import Pool
from turnwright.engine import Play, ask
from turnwright.model import GUIDE, ActorId, Choose, Chosen, Option, Roll, Rolled, RuleId, State, Struct
from turnwright.rules import Modifier, Steps
from turnwright.systems.altered_realms.events import (
    DamageRolled,
    Dodging,
    InspirationSpent,
    Inspired,
    RolledD20,
    Stance,
)
from turnwright.systems.altered_realms.settings import ATTRIBUTES
from turnwright.systems.altered_realms.sheet import Creature, creature, pool_of, settings, skill_of

Die = Literal["advantage", "disadvantage", "destiny", "fate"]
GOOD: tuple[Die, ...] = ("advantage", "destiny")
NATURAL = 20


class Edge(Struct, frozen=True):
    """One Advantage, Disadvantage, Destiny Die or Fate Die, labelled and cited."""

    label: str
    die: Die
    rule: RuleId


class Read(Struct, frozen=True):
    """What a d20 showed: whether it was enough, where that was asked; total and face, where they are known."""

    passed: bool | None
    total: int | None = None
    natural: int | None = None


class Throw(Struct, frozen=True):
    """A d20 about to be thrown: by whom, for what, with what, under which rule."""

    actor: ActorId
    what: str
    rule: RuleId
    parts: tuple[Modifier, ...] = ()
    edges: tuple[Edge, ...] = ()
    naturals: bool = False

    @property
    def plus(self) -> int:
        return sum([int(part.amount) for part in self.parts])


@lru_cache(maxsize=4096)
def part(label: str, amount: int, rule: RuleId) -> Modifier:
    return Modifier(label, Fraction(amount), rule)


def net(edges: Iterable[Edge]) -> int:
    """They cancel one for one; what is left is so many dice more, of which the best or the worst is kept.

    Rules: altered-realms.defensive-stance.destiny-die.
    """
    return sum([1 if edge.die in GOOD else -1 for edge in edges])


def pool_for(state: State, throw: Throw) -> tuple[Pool, Pool | None]:
    """The d20 with its dice more, and the d6 that Destiny and Fate are where the setting says so."""
    if settings(state).destiny == "d20":
        return Pool(1, throw.plus, net(throw.edges), NATURAL, naturals=throw.naturals), None
    sixes = net([edge for edge in throw.edges if edge.die in ("destiny", "fate")])
    twenties = net([edge for edge in throw.edges if edge.die not in ("destiny", "fate")])
    more = Pool(abs(sixes)) if sixes else None
    return Pool(1, throw.plus, twenties, NATURAL, naturals=throw.naturals), more


def d20(
    play: Play, throw: Throw, *, against: int | None = None, meets: bool = True, keep_total: bool = False
) -> Steps[Read]:
    """One d20 with all that is added to it; with `keep_total` the total is read also against a number."""
    throw = yield from _with_sixes(play, throw)
    throw = with_inspiration(play, throw)
    pool, _ = pool_for(play.state, throw)  # kept: what is thrown
    who = creature(play.state, throw.actor)
    late = keep_total or bool(play.state.related(Inspired, throw.actor))
    number = None if late else against  # kept: what was asked
    roll = Roll(who.seat, who.id, f"{who.name}, {throw.what}: {pool}", throw.rule, pool, throw.what, number, meets)
    given = yield from ask(roll, Rolled)
    total = given.value if number is None else given.total
    natural = None if total is None else pool.natural(total)
    passed = bool(given.value) if number is not None else None
    if passed is None and against is not None and total is not None:
        passed = pool.passes(total, against, meets)
    more = 0 if number is not None or total is None else (yield from inspired_late(play, throw, total))
    if more and total is not None:
        total += more
        pool = msgspec.structs.replace(pool, plus=pool.plus + more)
        late_part = part("Inspiration Bonus", more, "altered-realms.inspire.before-or-after-roll")
        throw = msgspec.structs.replace(throw, parts=(*throw.parts, late_part))
        passed = None if against is None else pool.passes(total, against, meets)
    play.emit(RolledD20(throw.rule, throw.actor, throw.what, total, passed, pool.edge, throw.parts))
    return Read(passed, total, natural)


def with_inspiration(play: Play, throw: Throw) -> Throw:
    """A bonus that its holder has readied goes into this roll.

    Rules: altered-realms.inspire.before-or-after-roll, altered-realms.inspire.spend-once-on-any-d20.
    """
    rule = "altered-realms.inspire.spend-once-on-any-d20"
    for bonus in play.state.related(Inspired, throw.actor):
        if bonus.ready:
            play.emit(InspirationSpent(rule, throw.actor, bonus.amount))
            more = part("Inspiration Bonus", bonus.amount, rule)
            return msgspec.structs.replace(throw, parts=(*throw.parts, more))
    return throw


def inspired_late(play: Play, throw: Throw, total: int) -> Steps[int]:
    """Once the total is known and before anything comes of it the holder may spend the whole bonus.

    Rules: altered-realms.inspire.before-or-after-roll, altered-realms.inspire.spend-once-on-any-d20.
    """
    held = play.state.related(Inspired, throw.actor)
    if not held:
        return 0
    who, amount = creature(play.state, throw.actor), held[0].amount
    rule = "altered-realms.inspire.before-or-after-roll"
    options = (Option("keep", "keep the Inspiration Bonus"), Option("spend", f"spend it: +{amount}"))
    prompt = f"{who.name}, {throw.what}: {total}. Spend the Inspiration Bonus of {amount}?"
    given = yield from ask(Choose(who.seat, who.id, prompt, rule, options, "inspiration"), Chosen)
    held = play.state.related(Inspired, throw.actor)
    if given.id != "spend" or not held:
        return 0
    play.emit(InspirationSpent(rule, throw.actor, held[0].amount))
    return held[0].amount


def _with_sixes(play: Play, throw: Throw) -> Steps[Throw]:
    """Destiny and Fate as d6, where the setting says so: thrown first, and added or taken away."""
    _, sixes = pool_for(play.state, throw)
    if sixes is None:
        return throw
    good = net([edge for edge in throw.edges if edge.die in ("destiny", "fate")]) > 0
    who = creature(play.state, throw.actor)
    named, rule = ("Destiny" if good else "Fate"), "altered-realms.defensive-stance.destiny-die"
    given = yield from ask(Roll(who.seat, who.id, f"{who.name}, {named}: {sixes}", rule, sixes, named), Rolled)
    left = tuple([edge for edge in throw.edges if edge.die not in ("destiny", "fate")])
    more = part(f"{named} Die", given.value if good else -given.value, rule)
    return Throw(throw.actor, throw.what, throw.rule, (*throw.parts, more), left, throw.naturals)


# -- skill rolls and saves


def skill_parts(
    state: State, who: Creature, skill: str, rule: RuleId, trained: bool = True, attribute: str = ""
) -> Iterator[Modifier]:
    """The attribute's modifier and Training; or the one modifier that the sheet states for it."""
    training = who.training.get(skill, 0)
    stated = who.totals.get(skill)
    if stated is not None:
        yield part(f"{skill} on the sheet", stated, rule)
        if not trained and training:
            yield part("without Training", -training, rule)
        return
    found = skill_of(state, skill)
    named = attribute or (found.attribute if found is not None else "")
    if named:
        yield part(named.upper(), who.attribute(named), rule)
    if trained and training:
        yield part("Training", training, rule)


def save_parts(who: Creature, attribute: str, rule: RuleId) -> Iterator[Modifier]:
    stated = who.totals.get(f"{attribute} save")
    if stated is not None:
        yield part(f"{attribute.upper()} save on the sheet", stated, rule)
        return
    yield part(attribute.upper(), who.attribute(attribute), rule)
    if who.saves.get(attribute):
        yield part("Training", who.saves[attribute], rule)


def save_edges(state: State, who: Creature, by: ActorId, avoids_damage: bool) -> Iterator[Edge]:
    """What helps on a Saving Throw that somebody's spell, attack or ability causes.

    Rules: altered-realms.dodge.save-advantage, altered-realms.defensive-stance.destiny-die.
    """
    if by and state.relation(Dodging, who.id, by) is not None:
        yield Edge("Dodge", "advantage", "altered-realms.dodge.save-advantage")
    if avoids_damage and state.related(Stance, who.id):
        yield Edge("Defensive Stance", "destiny", "altered-realms.defensive-stance.destiny-die")


def save_total(who: Creature, attribute: str) -> int:
    return int(sum([part.amount for part in save_parts(who, attribute, "")]))


def better_save(who: Creature, among: tuple[str, ...] = ("str", "dex")) -> str:
    """Of these saves the one that the creature is best at."""
    return max(among, key=lambda name: save_total(who, name))


def save(
    play: Play,
    actor: ActorId,
    attribute: str,
    dc: int,
    rule: RuleId,
    *,
    by: ActorId = "",
    avoids_damage: bool = False,
    more: tuple[Modifier, ...] = (),
) -> Steps[Read]:
    """A Saving Throw; a DC is passed when it is met."""
    assert attribute in ATTRIBUTES
    who = creature(play.state, actor)
    edges = tuple(save_edges(play.state, who, by, avoids_damage))
    throw = Throw(actor, f"{attribute} save", rule, (*save_parts(who, attribute, rule), *more), edges)
    return (yield from d20(play, throw, against=dc, meets=settings(play.state).dc_meets))


def skill_roll(
    play: Play,
    actor: ActorId,
    skill: str,
    rule: RuleId,
    *,
    dc: int | None = None,
    trained: bool = True,
    attribute: str = "",
    edges: tuple[Edge, ...] = (),
    keep_total: bool = False,
    more: tuple[Modifier, ...] = (),
) -> Steps[Read]:
    """A Skill Roll; with a DC whether it is met."""
    who = creature(play.state, actor)
    parts = (*skill_parts(play.state, who, skill, rule, trained, attribute), *more)
    throw = Throw(actor, skill, rule, parts, edges)
    meets = settings(play.state).dc_meets
    return (yield from d20(play, throw, against=dc, meets=meets, keep_total=keep_total))


# -- damage


def damage(
    play: Play, actor: ActorId, target: ActorId, written: str, plus: int, weapon: str, rule: RuleId
) -> Steps[int]:
    """Damage dice with all that is added to them, never below 0; the Narrator throws them for somebody unseen."""
    pool = pool_of(written, plus)
    if not pool.dice:
        total = max(0, pool.plus)
        play.emit(DamageRolled(rule, actor, target, total, weapon))
        return total
    who = creature(play.state, actor)
    seat = who.seat if target in play.game.known(play.state, who.seat).actors else GUIDE
    roll = Roll(seat, actor, f"{who.name}, damage of {weapon}: {pool}", rule, pool, "damage")
    given = yield from ask(roll, Rolled)
    play.emit(DamageRolled(rule, actor, target, max(0, given.value), weapon, str(pool)))
    return max(0, given.value)
