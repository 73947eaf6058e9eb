"""Grapples: taking hold of somebody or of a part, dog piles, getting free, and letting go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import (
    NOTHING,
    ActorId,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    State,
)
from turnwright.rules import Modifier, Nature, Settled, Steps, ended
from turnwright.systems.altered_realms.attack import (
    AttackDeed,
    Blow,
    opponents,
    part_struck,
    swing,
    target_refusals,
)
from turnwright.systems.altered_realms.economy import Deed, action_price, own_turn, reaction_price
from turnwright.systems.altered_realms.events import HoldBegun, HoldEnded
from turnwright.systems.altered_realms.harm import still_holds
from turnwright.systems.altered_realms.holding import (
    Holds,
    belongs_to,
    disabled,
    empty_hands,
    free_hands,
    holds_of,
    holds_on,
    much_larger,
)
from turnwright.systems.altered_realms.rolls import better_save, part, save
from turnwright.systems.altered_realms.sheet import (
    Creature,
    Weapon,
    arms,
    conditions_of,
    creature,
    hand_of,
    maneuver_dc,
    settings,
)
from turnwright.systems.altered_realms.space import in_melee
from turnwright.systems.altered_realms.targeting import exact_part, has_part

TOPICS = ("grapple",)

PILE = 2
"""Rules: altered-realms.grapple.dog-pile-plus-two."""
USING = ("str", "dex", "training")


def break_dc(state: State, captive: ActorId) -> int:
    """The one DC of all holds on somebody: that of the earliest grappler, and 2 for each other one.

    Rules: altered-realms.grapple.escape-dc, altered-realms.grapple.dog-pile-plus-two,
    altered-realms.grapple.dog-pile-single-dc.
    """
    grapplers = list(dict.fromkeys(hold.owner for hold in holds_on(state, captive)))
    return maneuver_dc(state, creature(state, grapplers[0])) + PILE * (len(grapplers) - 1)


def grapple_weapon(state: State, who: Creature) -> Weapon | None:
    """The Grapple Weapon that the creature wields."""
    found = [weapon for weapon in arms(state, who) if weapon.grapple]
    return next((weapon for weapon in found if not disabled(state, who, weapon.part or hand_of(who, weapon))), None)


def grapple_parts(state: State, who: Creature, using: str) -> tuple[Modifier, ...]:
    """What the grappler adds: STR or DEX, or with a Grapple Weapon its Training instead, whichever it likes.

    Rules: altered-realms.grapple.roll-with-grapple-weapon, altered-realms.grapple.roll-otherwise.
    """
    attribute = using if using in ("str", "dex") else max(("str", "dex"), key=who.attribute)
    plain = part(attribute.upper(), who.attribute(attribute), "altered-realms.grapple.roll-otherwise")
    weapon = grapple_weapon(state, who)
    if weapon is None:
        return (plain,)
    trained = part("Training", weapon.training, "altered-realms.grapple.roll-with-grapple-weapon")
    if settings(state).grapple_weapon == "add":
        return (plain, trained)
    best = weapon.training > who.attribute(attribute) if not using else using == "training"
    return (trained,) if best else (plain,)


class Grapple(AttackDeed):
    """Take hold of somebody within melee range, or of a part, instead of hurting them.

    Rules: altered-realms.grapple.cost-and-range, altered-realms.grapple.hit-replaces-damage,
    altered-realms.grapple.specific-part-penalty, altered-realms.grapple.cap-by-free-hands.
    """

    name = "grapple"
    about = "take hold of somebody, or of a part of them"
    rules = ("altered-realms.grapple.cost-and-range", "altered-realms.grapple.hit-replaces-damage")
    wants = ("hit",)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "whom", required=True),
        Parameter("part", "text", "a part to hold; of somebody much larger only a part can be held", by_name=True),
        Parameter("hand", "text", "with which Free Hand", by_name=True),
        Parameter("using", "choice", "str, dex, or the Training of a Grapple Weapon", choices=USING, by_name=True),
    )

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        who = creature(known, actor)
        for other in opponents(known, who):
            options: dict[str, str | int | bool] = {"part": other.parts[-1]} if much_larger(known, who, other) else {}
            yield Declaration(actor, self.name, target=other.id, options=options)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        held = f" by the {d.option('part')}" if d.option("part") else ""
        return f"grapple {other.name if other else d.target}{held}"

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who, other = creature(known, d.actor), known.actors.get(d.target)
        yield from target_refusals(known, d, self.rules[0])
        yield from hand_refusals(known, who, d.option("hand"))
        if other is None or d.target == d.actor:
            return
        if not in_melee(known, who, other):
            yield Refusal("altered-realms.grapple.cost-and-range", f"{other.name} is out of reach", "OUT_OF_RANGE")
        named = d.option("part")
        if much_larger(known, who, other) and not named:
            text = f"{other.name} is {other.size}; only a part of it can be held"
            yield Refusal("altered-realms.grapple.size-limit", text, "TOO_LARGE")
        if named and not has_part(known, other, named):
            yield Refusal("altered-realms.grapple.specific-part-penalty", f"{other.name} has no {named}", "NO_PART")
        if d.option("using") == "training" and grapple_weapon(known, who) is None:
            text = f"{who.name} wields no Grapple Weapon"
            yield Refusal("altered-realms.grapple.roll-with-grapple-weapon", text, "NO_GRAPPLE_WEAPON")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        who = creature(play.state, d.actor)
        more = grapple_parts(play.state, who, d.option("using"))
        rule = "altered-realms.grapple.hit-replaces-damage"
        blow = Blow(d.actor, d.target, Weapon("a grapple"), d.option("part"), more, rule=rule, bare=True)
        swung = yield from swing(play, blow)
        hands = holding_hands(play.state, creature(play.state, d.actor))
        if not swung.hits or not hands or swung.target == d.actor:
            return Outcome(self.name, "miss", (swung.target,))
        struck = creature(play.state, swung.target)
        named = part_struck(play.state, d.target, d.option("part"), swung.target)
        if much_larger(play.state, creature(play.state, d.actor), struck) and not named:
            return Outcome(self.name, "miss", (swung.target,))
        hand = d.option("hand") if d.option("hand") in hands else hands[0]
        held = exact_part(play.state, struck, named)
        if not still_holds(play.state, Holds(d.actor, swung.target, None, hand, held)):
            return Outcome(self.name, "miss", (swung.target,))
        play.emit(HoldBegun(rule, d.actor, swung.target, hand, held))
        return Outcome(self.name, "hit", (swung.target,))


def holding_hands(state: State, who: Creature) -> tuple[str, ...]:
    """The Free Hands that can take hold of somebody now: not Wounded ones, which would let go at once.

    Rules: altered-realms.grapple.forced-break.
    """
    hands = free_hands(state, who)
    return tuple([hand for hand in hands if not any(belongs_to(state, hand, part) for part in who.wounded)])


def hand_refusals(known: State, who: Creature, named: str) -> Iterator[Refusal]:
    """A Free Hand that holds nobody yet is needed, and no more can be held than there are hands.

    Rules: altered-realms.grapple.free-hand-required, altered-realms.grapple.cap-by-free-hands.
    """
    for name, condition in conditions_of(known, who):
        if not condition.holds:
            text = f"{who.name} is {name.title()} and can hold nobody"
            yield Refusal("altered-realms.grapple.forced-break", text, name.upper())
    hands = holding_hands(known, who)
    if hands and named in ("", *hands):
        return
    if named and hands:
        yield Refusal("altered-realms.grapple.free-hand-required", f"{named} is not free", "NO_FREE_HAND")
    elif any(True for _ in empty_hands(who)):
        text = f"every Free Hand of {who.name} is busy"
        yield Refusal("altered-realms.grapple.cap-by-free-hands", text, "HANDS_BUSY")
    else:
        yield Refusal("altered-realms.grapple.free-hand-required", f"{who.name} has no Free Hand", "NO_FREE_HAND")


class Escape(Deed):
    """The Action for one Saving Throw against the one DC of all holds; meeting it breaks every one of them.

    Rules: altered-realms.grapple.attack-or-escape, altered-realms.grapple.escape-save,
    altered-realms.grapple.escape-success, altered-realms.grapple.escape-failure,
    altered-realms.grapple.dog-pile-single-dc.
    """

    name = "escape"
    about = "try to break every hold on you"
    rules = ("altered-realms.grapple.escape-save", "altered-realms.grapple.attack-or-escape")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("using", "choice", "str or dex; the better where it is not said", choices=USING[:2], by_name=True),
    )

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not holds_on(known, d.actor):
            yield Refusal("altered-realms.grapple.escape-save", "nobody holds you", "NOT_HELD")

    def own_price(self, known: State, d: Declaration) -> Price:
        return action_price("breaking free", "altered-realms.grapple.attack-or-escape")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        by = holds_on(play.state, d.actor)[0].owner
        using = d.option("using") or better_save(creature(play.state, d.actor))
        dc = break_dc(play.state, d.actor)
        read = yield from save(play, d.actor, using, dc, "altered-realms.grapple.escape-save", by=by)
        if not read.passed:
            return Outcome(self.name, "failure")
        break_holds(play, d.actor, "altered-realms.grapple.escape-success")
        return Outcome(self.name, "success")


def break_holds(play: Play, captive: ActorId, rule: str) -> None:
    """Every hold on somebody is over at once."""
    for hold in holds_on(play.state, captive):
        play.emit(HoldEnded(rule, hold.owner, captive, hold))


class Release(Deed):
    """Let somebody go: for nothing in the own turn, for a Reaction off it.

    Rules: altered-realms.grapple.release-on-own-turn, altered-realms.grapple.release-off-turn.
    """

    name = "release"
    about = "let go of somebody whom you hold"
    nature: ClassVar[Nature] = "free"
    rules = ("altered-realms.grapple.release-on-own-turn", "altered-realms.grapple.release-off-turn")
    offered = True
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "whom", required=True),
        Parameter("hand", "text", "with which hand; every one where it is not said", by_name=True),
    )

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for captive in dict.fromkeys(hold.other for hold in holds_of(known, actor)):
            yield Declaration(actor, self.name, target=captive)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"let go of {other.name if other else d.target}"

    def meant(self, known: State, d: Declaration) -> tuple[Holds, ...]:
        held = [hold for hold in holds_of(known, d.actor) if hold.other == d.target]
        return tuple([hold for hold in held if d.option("hand") in ("", hold.hand)])

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not self.meant(known, d):
            yield Refusal("altered-realms.grapple.release-on-own-turn", "you do not hold that one", "NOT_HELD")

    def own_price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def price(self, known: State, d: Declaration) -> Price:
        if own_turn(known, d.actor):
            return NOTHING
        return reaction_price("letting go off-turn", "altered-realms.grapple.release-off-turn")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        rule = "altered-realms.grapple.release-off-turn"
        if own_turn(play.state, d.actor):
            rule = "altered-realms.grapple.release-on-own-turn"
        for hold in self.meant(play.state, d):
            play.emit(HoldEnded(rule, d.actor, d.target, hold))
        return ended(Outcome(self.name, "success", (d.target,)))
