"""Attacks: what they cost, the one procedure of an attack roll, damage, and the Opportunity Attack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, window
from turnwright.model import (
    ActorId,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    RuleId,
    State,
    Struct,
    Then,
    cost,
)
from turnwright.rules import Modifier, Settled, Steps
from turnwright.systems.altered_realms.economy import Deed, Reaction
from turnwright.systems.altered_realms.events import (
    AimedAt,
    AimUsed,
    Dodging,
    Hit,
    Missed,
    Promised,
    PromiseMissed,
    Stance,
)
from turnwright.systems.altered_realms.harm import harm
from turnwright.systems.altered_realms.holding import busy, disabled
from turnwright.systems.altered_realms.movement import Leaving
from turnwright.systems.altered_realms.rolls import Die, Edge, Throw, d20, damage, part
from turnwright.systems.altered_realms.sheet import (
    UNARMED,
    Creature,
    Weapon,
    active,
    armed_with,
    arms,
    conditions_of,
    creature,
    hand_of,
    settings,
    upheld_on,
)
from turnwright.systems.altered_realms.space import in_melee, reaches, taken_along, touches
from turnwright.systems.altered_realms.targeting import has_part, part_refusals, penalty

TOPICS = ("attack",)

ANY_ATTACK: RuleId = "altered-realms.attack.any-attack-spends-action"


class Attacking(Moment, frozen=True):
    """Somebody is about to make an attack roll."""

    by: ActorId
    target: ActorId
    kind: str


class AttackRolled(Moment, frozen=True):
    """An attack roll is read and nothing of it is resolved yet; `target` and `hits` can still be changed."""

    by: ActorId
    target: ActorId
    kind: str
    total: int
    natural: int
    hits: bool


class Hurt(Moment, frozen=True):
    """Somebody was dealt damage by somebody else's attack or spell."""

    by: ActorId
    target: ActorId
    amount: int


class Blow(Struct, frozen=True):
    """One attack about to be made: by whom, at whom, with what, at which part, and what is added for how it is made."""

    by: ActorId
    target: ActorId
    weapon: Weapon
    part: str = ""
    more: tuple[Modifier, ...] = ()
    damage_more: int = 0
    rule: RuleId = "altered-realms.attack.only-attack-abilities"
    bare: bool = False
    """Whether neither attribute nor Training with a weapon is in it, as in a grapple."""


class Swung(Struct, frozen=True):
    """How an attack roll ended: who is hit, if anybody, and what the aim that it took up adds to the damage.

    `watched` says whether others could act on its total.
    """

    target: ActorId
    hits: bool
    total: int | None
    aimed: int = 0
    watched: bool = False


# -- price and conditions


def attack_price(known: State, actor: ActorId, why: str, rule: RuleId = ANY_ATTACK) -> Price:
    """One of the attacks that the Action opens: the first takes the Action, and the Action covers the rest.

    Rules: altered-realms.attack.any-attack-spends-action, altered-realms.attack.one-action-covers-all.
    """
    if creature(known, actor).attacks > 0:
        return Price((cost("attack", 1, why, "altered-realms.attack.one-action-covers-all"),))
    opened = cost("first attack", 1, why, rule)
    return Price((cost("action", 1, "any attack spends the Action", ANY_ATTACK), opened))


class AttackDeed(Deed):
    """Whatever is paid with an attack."""

    kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of attack it can be; any where none is named."""

    def own_price(self, known: State, d: Declaration) -> Price:
        return attack_price(known, d.actor, self.name.replace("_", " "), self.rules[0])

    def weapon(self, known: State, d: Declaration) -> Weapon | None:
        return armed_with(known, creature(known, d.actor), d.option("weapon"), self.kinds)

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.target:
            yield Refusal(self.rules[0], "say at whom", "INCOMPLETE target")

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        """One for each weapon and each opponent."""
        who = creature(known, actor)
        for other in opponents(known, who):
            for weapon in listed_arms(known, who):
                if not self.kinds or weapon.kind in self.kinds:
                    yield Declaration(actor, self.name, target=other.id, options={"weapon": weapon.name})


def listed_arms(known: State, who: Creature) -> list[Weapon]:
    """What is offered to attack with: a fist only where nothing better for close quarters can be used."""
    found = list(arms(known, who))
    blades = [weapon for weapon in found if weapon.kind == "melee" and weapon.name != UNARMED]
    armed = any(not disabled(known, who, weapon.part or hand_of(who, weapon)) for weapon in blades)
    return [weapon for weapon in found if weapon.name != UNARMED or not armed]


def opponents(known: State, who: Creature) -> Iterator[Creature]:
    for other in known.actors.values():
        if other.side != who.side and "slain" not in other.conditions:
            yield other


def target_refusals(known: State, d: Declaration, rule: RuleId) -> Iterator[Refusal]:
    """Whom it is aimed at must be somebody else who is known to be there."""
    if d.target == d.actor:
        yield Refusal(rule, "it is aimed at somebody else", "SELF")
    elif d.target and d.target not in known.actors:
        yield Refusal(rule, f"nobody called {d.target!r} is known to be here", "NO_TARGET")


def weapon_refusals(known: State, d: Declaration, weapon: Weapon | None, rule: RuleId) -> Iterator[Refusal]:
    """What is attacked with must be an attack, at hand, not held fast and not busy with somebody else."""
    who, name = creature(known, d.actor), d.option("weapon")
    if weapon is None:
        item = who.item(name)
        if item is not None and item.weapon is not None:
            yield Refusal(rule, f"{name} is in the {item.place}, not in a hand", "NOT_IN_HAND")
        elif name:
            text = f"{name} is no attack of {who.name}"
            yield Refusal("altered-realms.attack.only-attack-abilities", text, "NOT_AN_ATTACK")
        else:
            yield Refusal(rule, f"{who.name} has nothing to attack with like that", "NO_WEAPON")
        return
    limb = limb_of(known, who, weapon, d.target)
    if limb is None:
        yield Refusal("altered-realms.grapple.hand-is-busy", f"no hand of {who.name} is free to strike", "NO_HAND")
    elif limb and disabled(known, who, limb):
        text = f"{who.name}'s {limb} is held and cannot be used"
        yield Refusal("altered-realms.grapple.part-unusable", text, "PART_HELD")
    elif limb and _busy_elsewhere(known, who, limb, d.target, weapon):
        text = f"{who.name}'s {limb} holds somebody else"
        yield Refusal("altered-realms.grapple.hand-is-busy", text, "HAND_BUSY")


def limb_of(known: State, who: Creature, weapon: Weapon, target: ActorId) -> str | None:
    """The part of the body that strikes; empty where none is needed, None where a fist finds no free hand.

    A hand that holds somebody is good for a blow at that one.
    """
    if weapon.part:
        return weapon.part
    held = hand_of(who, weapon)
    if held or weapon.name != UNARMED:
        return held
    for hand in who.hands:
        usable = who.held_in(hand.name) is None and not disabled(known, who, hand.name)
        if usable and not _busy_elsewhere(known, who, hand.name, target, weapon):
            return hand.name
    return None


def _busy_elsewhere(known: State, who: Creature, hand: str, target: ActorId, weapon: Weapon) -> bool:
    """Rules: altered-realms.grapple.hand-is-busy (melee and spell attacks on the captive are left to it)."""
    hold = busy(known, who, hand)
    return hold is not None and (hold.other != target or weapon.kind == "ranged")


def reach_refusals(known: State, d: Declaration, weapon: Weapon | None, rule: RuleId) -> Iterator[Refusal]:
    if weapon is None or d.target not in known.actors or d.target == d.actor:
        return
    who, other = creature(known, d.actor), creature(known, d.target)
    if not in_range(known, who, other, weapon):
        yield Refusal(rule, f"{other.name} is out of range of {weapon.name}", "OUT_OF_RANGE")


def in_range(known: State, who: Creature, other: Creature, weapon: Weapon) -> bool:
    """Melee range is between the nearest tiles of the two; ranged attacks and spells need a line of sight."""
    if weapon.kind == "melee":
        return in_melee(known, who, other, weapon.reach)
    return reaches(known, who.id, other.id, weapon.range)


# -- the roll


def attack_parts(state: State, blow: Blow) -> Iterator[Modifier]:
    """Everything that is added to an attack roll, labelled and cited."""
    who, weapon = creature(state, blow.by), blow.weapon
    if not blow.bare:
        yield from weapon_parts(who, weapon, blow.rule)
    yield from blow.more
    aims = len(aims_at(state, blow))
    if aims:
        yield part("aim", 2 * aims, "altered-realms.aim.bonus")
    if blow.part:
        label = f"at the {blow.part}"
        yield part(
            label, penalty(state, creature(state, blow.target), blow.part), "altered-realms.targeting.base-penalty"
        )
    if state.relation(Dodging, blow.target, blow.by) is not None and _dodged(state, blow):
        yield part("dodged", -2, "altered-realms.dodge.attacker-penalty")


def weapon_parts(who: Creature, weapon: Weapon, rule: RuleId) -> Iterator[Modifier]:
    if weapon.modifier is not None:
        yield part(weapon.name, weapon.modifier, rule)
        return
    named = weapon.attribute or {"melee": "str", "ranged": "dex", "spell": who.casting}[weapon.kind]
    yield part(named.upper(), who.attribute(named), rule)
    if weapon.training:
        yield part("Training", weapon.training, rule)


def _dodged(state: State, blow: Blow) -> bool:
    return bool(blow.part) or not settings(state).dodge_called_shots_only


def aims_at(state: State, blow: Blow) -> tuple[AimedAt, ...]:
    """The aim that a shot takes up; repeats add up where the setting says so.

    Rules: altered-realms.aim.next-shot-at-target-only, altered-realms.aim.repeatable.
    """
    if not is_ranged(blow.weapon):
        return ()
    found = tuple([aim for aim in state.related(AimedAt, blow.by) if aim.other == blow.target])
    return found if settings(state).aim_stacks else found[:1]


def is_ranged(weapon: Weapon) -> bool:
    return weapon.kind == "ranged" or weapon.ranged


def attack_edges(state: State, blow: Blow) -> Iterator[Edge]:
    """Advantage and Disadvantage by the conditions of the two.

    Rules: altered-realms.trip.prone-no-damage (what Prone does).
    """
    who, other = creature(state, blow.by), creature(state, blow.target)
    rule = "altered-realms.trip.prone-no-damage"
    if any(promise.missed for promise in state.related(Promised, who.id)):
        yield Edge("missed after a promise", "disadvantage", "altered-realms.inspire.miss-gives-disadvantage")
    for name, condition in conditions_of(state, who):
        if condition.attacks:
            yield Edge(name, _die(condition.attacks), rule)
    suffered = conditions_of(state, other)
    near = bool(suffered) and in_melee(state, who, other, blow.weapon.reach)
    for name, condition in suffered:
        effect = condition.attacked_near if near else condition.attacked_far
        if effect:
            yield Edge(f"{other.name} is {name}", _die(effect), rule)


def _die(effect: str) -> Die:
    return "advantage" if effect == "advantage" else "disadvantage"


def armour_class(state: State, who: Creature) -> int:
    """Rules: altered-realms.defensive-stance.ac."""
    return sum([int(part.amount) for part in ac_parts(state, who)])


def ac_parts(state: State, who: Creature) -> Iterator[Modifier]:
    """AC as the parts that make it up."""
    yield part("AC", who.ac, "altered-realms.attack.only-attack-abilities")
    if state.related(Stance, who.id):
        yield part("Defensive Stance", 4, "altered-realms.defensive-stance.ac")
    for item in who.items:
        if item.armor is not None and item.place == "worn" and item.armor.ac:
            yield part(item.name, item.armor.ac, "altered-realms.armor.don-doff-time-listed")
    for caster, ability in upheld_on(state, who):
        if ability.ac and active(state, caster, ability):
            yield part(ability.name, ability.ac, "altered-realms.sustain.active-while-points")


def may_answer(play: Play, moment: AttackRolled) -> bool:
    """Whether anybody could act on the roll once its total is known, so that the total must be read."""
    return any(
        True for reaction in play.game.reactions.get(AttackRolled, ()) for _ in reaction.candidates(play.state, moment)
    )


def _near(state: State, blow: Blow) -> bool:
    return in_melee(state, creature(state, blow.by), creature(state, blow.target), blow.weapon.reach)


def swing(play: Play, blow: Blow) -> Steps[Swung]:
    """One attack roll: a total that meets AC hits; what is known of it can change who is hit before it is resolved."""
    near = _near(play.state, blow)  # kept: whether it began at close quarters
    yield from window(play, Attacking(blow.by, blow.target, blow.weapon.kind))
    if creature(play.state, blow.by).down or (near and not _near(play.state, blow)):
        play.emit(Missed(blow.rule, blow.by, blow.target))
        return Swung(blow.target, False, None)
    aimed = 2 * len(aims_at(play.state, blow))  # kept: the aim belongs to this shot
    throw = Throw(
        blow.by,
        f"attack with {blow.weapon.name}",
        blow.rule,
        tuple(attack_parts(play.state, blow)),
        tuple(attack_edges(play.state, blow)),
        settings(play.state).naturals,
    )
    target = creature(play.state, blow.target)
    ac, meets = armour_class(play.state, target), settings(play.state).attack_meets
    watched = may_answer(play, AttackRolled(blow.by, blow.target, blow.weapon.kind, 0, 0, True))
    read = yield from d20(play, throw, against=ac, meets=meets, keep_total=watched)
    if aimed:
        play.emit(AimUsed("altered-realms.aim.next-shot-at-target-only", blow.by, blow.target))
    struck, hits = blow.target, bool(read.passed)
    if watched and read.total is not None and read.natural is not None:
        rolled = AttackRolled(blow.by, blow.target, blow.weapon.kind, read.total, read.natural, hits)
        rolled = yield from window(play, rolled)
        struck, hits = rolled.target, rolled.hits
    if hits:
        play.emit(
            Hit(blow.rule, blow.by, struck, blow.weapon.name, part_struck(play.state, blow.target, blow.part, struck))
        )
    else:
        play.emit(Missed(blow.rule, blow.by, struck))
        if play.state.related(Promised, blow.by):
            play.emit(PromiseMissed("altered-realms.inspire.miss-gives-disadvantage", blow.by))
    return Swung(struck, hits, read.total, aimed, watched)


def part_struck(state: State, target: ActorId, part: str, struck: ActorId) -> str:
    """Where the blow lands: on a captive that is held into it the same part, if it has one.

    Rules: altered-realms.meat-shield.redirect.
    """
    return part if struck == target or has_part(state, creature(state, struck), part) else ""


def strike(play: Play, blow: Blow) -> Steps[Outcome]:
    """An attack that deals its damage where it hits."""
    swung = yield from swing(play, blow)
    if not swung.hits:
        return Outcome("attack", "miss", (swung.target,))
    return (yield from deal(play, blow, swung.target, swung.aimed + blow.damage_more))


def deal(play: Play, blow: Blow, struck: ActorId, plus: int) -> Steps[Outcome]:
    """The damage of an attack that has hit somebody."""
    weapon = blow.weapon
    dealt = yield from damage(play, blow.by, struck, weapon.damage, plus, weapon.name, blow.rule)
    where = part_struck(play.state, blow.target, blow.part, struck)
    harm(play, struck, dealt, weapon.type, blow.by, blow.rule, where)
    yield from window(play, Hurt(blow.by, struck, dealt))
    return Outcome("attack", "hit", (struck,), dealt)


def strike_declared(play: Play, d: Declaration, blow: Blow) -> Steps[Outcome]:
    """An attack that was declared; after a total that others could act on its damage is a step of its own.

    For odds, whatever led to the same hit goes on as one.
    """
    swung = yield from swing(play, blow)
    if not swung.hits:
        return Outcome("attack", "miss", (swung.target,))
    plus = swung.aimed + blow.damage_more
    if not swung.watched:
        return (yield from deal(play, blow, swung.target, plus))
    weapon = blow.weapon
    hit = {"struck": swung.target, "plus": plus, "weapon": weapon.name, "damage": weapon.damage, "type": weapon.type}
    return Outcome("attack", "hit", (swung.target,), then=Then(replace(d, options={**d.options, **hit})))


def has_struck(d: Declaration) -> bool:
    """Whether it is the second step of an attack, whose roll is over."""
    return "struck" in d.options


def deal_declared(play: Play, d: Declaration, rule: RuleId) -> Steps[Outcome]:
    """The second step of an attack that was declared."""
    weapon = Weapon(d.option("weapon"), damage=d.option("damage"), type=d.option("type"))
    blow = Blow(d.actor, d.target, weapon, d.option("part"), rule=rule)
    return (yield from deal(play, blow, d.option("struck"), int(d.options["plus"])))


# -- attacking


class Attack(AttackDeed):
    """An attack with a weapon, with the body, or with a spell that is an attack; at a part of the body if one likes.

    Rules: altered-realms.attack.only-attack-abilities, altered-realms.attack.damage-intent,
    altered-realms.targeting.cost, altered-realms.targeting.declare-region-first.
    """

    name = "attack"
    about = "attack somebody with a weapon, the body or a spell"
    rules = ("altered-realms.attack.any-attack-spends-action", "altered-realms.attack.only-attack-abilities")
    wants = ("hit",)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "at whom", required=True),
        Parameter("weapon", "text", "with what; the first at hand where it is not said"),
        Parameter("part", "text", "at which part of the body, or which item", by_name=True),
    )

    def wanted(self, state: State, d: Declaration, outcome: Outcome) -> bool:
        """A hit on whom it was aimed at, and not on a Meat Shield."""
        return super().wanted(state, d, outcome) and d.target in ("", *outcome.who)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        weapon = self.weapon(known, d)
        at = f" at the {d.option('part')}" if d.option("part") else ""
        return f"attack {other.name if other else d.target} with {weapon.name if weapon else d.option('weapon')}{at}"

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        rule = "altered-realms.attack.only-attack-abilities"
        weapon = self.weapon(known, d)
        yield from target_refusals(known, d, rule)
        yield from weapon_refusals(known, d, weapon, rule)
        yield from reach_refusals(known, d, weapon, rule)
        yield from part_refusals(known, d, weapon)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        if has_struck(d):
            return (yield from deal_declared(play, d, self.rules[1]))
        weapon = self.weapon(play.state, d)
        assert weapon is not None
        return (yield from strike_declared(play, d, Blow(d.actor, d.target, weapon, d.option("part"))))


class OpportunityAttack(Reaction):
    """A melee attack at whoever leaves one's melee range by its own movement, before it has left.

    Rules: altered-realms.reaction.opportunity-and-triggered, altered-realms.reaction.definition.
    """

    name = "opportunity_attack"
    about = "strike at somebody who leaves your melee range"
    rules = ("altered-realms.reaction.opportunity-and-triggered",)
    reacts_to = Leaving
    wants = ("hit",)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("weapon", "text", "with what", by_name=True),
        Parameter("part", "text", "at which part of the body", by_name=True),
    )

    def variants(self, known: State, actor: ActorId) -> Iterable[Declaration]:
        return ()

    def candidates(self, state: State, moment: Leaving) -> Iterator[Declaration]:
        mover = creature(state, moment.actor)
        carried = taken_along(state, mover.id)
        for other in opponents(state, mover):
            if other.id in carried or not in_melee(state, other, mover, longest_reach(state, other)):
                continue
            for weapon in listed_arms(state, other):
                if weapon.kind == "melee" and leaves(state, other, mover, weapon, moment):
                    yield Declaration(other.id, self.name, target=mover.id, options={"weapon": weapon.name})

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"strike at {other.name if other else d.target} with {d.option('weapon')}"

    def once(self, d: Declaration) -> tuple[str, ...]:
        return (d.actor, self.name)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not isinstance(moment, Leaving) or moment.actor != d.target:
            text = "nobody is leaving your melee range"
            yield Refusal("altered-realms.reaction.opportunity-and-triggered", text, "NO_TRIGGER")
            return
        weapon = armed_with(known, creature(known, d.actor), d.option("weapon"), ("melee",))
        yield from target_refusals(known, d, self.rules[0])
        yield from weapon_refusals(known, d, weapon, self.rules[0])
        yield from part_refusals(known, d, weapon)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        weapon = armed_with(play.state, creature(play.state, d.actor), d.option("weapon"), ("melee",))
        assert weapon is not None
        return (yield from strike(play, Blow(d.actor, d.target, weapon, d.option("part"), rule=self.rules[0])))


def longest_reach(state: State, who: Creature) -> int:
    """Metres that the longest of its weapons for close quarters reaches."""
    plain = settings(state).melee_range
    return max([weapon.reach or plain for weapon in arms(state, who) if weapon.kind == "melee"], default=plain)


def leaves(state: State, watcher: Creature, mover: Creature, weapon: Weapon, moment: Leaving) -> bool:
    """Whether the step leads out of the watcher's reach with that weapon."""
    if not in_melee(state, watcher, mover, weapon.reach):
        return False
    there = replace(mover, at=moment.to)
    return not touches(state, watcher, there, weapon.reach or settings(state).melee_range)
