"""Trip: an attack that knocks its target down instead of hurting it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import ActorId, Declaration, Moment, Outcome, Parameter, Refusal, RuleId, State
from turnwright.rules import Settled, Steps
from turnwright.systems.altered_realms.attack import (
    AttackDeed,
    Blow,
    opponents,
    reach_refusals,
    swing,
    target_refusals,
)
from turnwright.systems.altered_realms.harm import put_condition
from turnwright.systems.altered_realms.holding import busy, disabled
from turnwright.systems.altered_realms.sheet import (
    UNARMED,
    Creature,
    Weapon,
    armed_with,
    arms,
    creature,
    hand_of,
    size_index,
)

TOPICS = ("trip",)


def size_refusals(known: State, d: Declaration, rule: RuleId) -> Iterator[Refusal]:
    """At most one size category larger than whoever does it."""
    if d.target not in known.actors:
        return
    who, other = creature(known, d.actor), creature(known, d.target)
    if too_large(known, who, other):
        text = f"{other.name} is {other.size}, more than one size above {who.size}"
        yield Refusal(rule, text, "TOO_LARGE")


def beyond(state: State, actor: ActorId, struck: ActorId) -> bool:
    """Whether whom the roll hits in the end is too large for it: a Meat Shield may have put somebody else there."""
    return too_large(state, creature(state, actor), creature(state, struck))


def too_large(known: State, who: Creature, other: Creature) -> bool:
    return size_index(known, other) > size_index(known, who) + 1


def out_of_use(known: State, who: Creature, weapon: Weapon, target: ActorId) -> str:
    """The limb without which the weapon is none now, as it is held or holds somebody else; empty where there is none.

    Rules: altered-realms.grapple.part-unusable, altered-realms.grapple.hand-is-busy.
    """
    limb = weapon.part or hand_of(who, weapon)
    hold = busy(known, who, limb) if limb else None
    engaged = hold is not None and hold.other != target
    return limb if limb and (engaged or disabled(known, who, limb)) else ""


def melee_refusals(known: State, d: Declaration, weapon: Weapon | None, rule: RuleId) -> Iterator[Refusal]:
    """It takes a melee weapon, or the bare body, and the limb that it is in must be one's own to use."""
    who = creature(known, d.actor)
    if weapon is None or weapon.kind != "melee":
        yield Refusal(rule, "there is no such melee weapon at hand", "NO_WEAPON")
    elif out_of_use(known, who, weapon, d.target):
        text = f"{who.name}'s {out_of_use(known, who, weapon, d.target)} is held or busy with somebody else"
        yield Refusal("altered-realms.grapple.part-unusable", text, "PART_HELD")


class MeleeDeed(AttackDeed):
    """What is done at close quarters with an attack: a melee attack roll that deals no damage."""

    kinds = ("melee",)

    def weapon(self, known: State, d: Declaration) -> Weapon | None:
        """The melee weapon in use, or the bare body where there is none."""
        who, named = creature(known, d.actor), d.option("weapon")
        if named:
            return armed_with(known, who, named, self.kinds)
        usable = (w for w in arms(known, who) if w.kind == "melee" and not out_of_use(known, who, w, d.target))
        return next(usable, Weapon(UNARMED))

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for other in opponents(known, creature(known, actor)):
            yield Declaration(actor, self.name, target=other.id)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"{self.name.replace('_', ' ')} {other.name if other else d.target}"


class Trip(MeleeDeed):
    """A melee attack roll; a hit knocks the target Prone and hurts nobody. No Free Hand is asked for.

    Rules: altered-realms.trip.cost-and-range, altered-realms.trip.roll, altered-realms.trip.prone-no-damage.
    """

    name = "trip"
    about = "knock somebody down"
    rules = ("altered-realms.trip.cost-and-range", "altered-realms.trip.prone-no-damage")
    wants = ("hit",)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "whom", required=True),
        Parameter("weapon", "text", "with which melee weapon", by_name=True),
    )

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        weapon = self.weapon(known, d)
        yield from target_refusals(known, d, self.rules[0])
        yield from melee_refusals(known, d, weapon, "altered-realms.trip.roll")
        yield from reach_refusals(known, d, weapon, "altered-realms.trip.cost-and-range")
        yield from size_refusals(known, d, "altered-realms.trip.size-limit")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        weapon = self.weapon(play.state, d)
        assert weapon is not None
        swung = yield from swing(play, Blow(d.actor, d.target, weapon, rule="altered-realms.trip.roll"))
        if not swung.hits or beyond(play.state, d.actor, swung.target):
            return Outcome(self.name, "miss", (swung.target,))
        put_condition(play, swung.target, "prone", "altered-realms.trip.prone-no-damage")
        return Outcome(self.name, "hit", (swung.target,))
