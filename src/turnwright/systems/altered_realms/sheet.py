"""A creature of Altered Realms: the sheet, what it carries and where, and its live numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, ClassVar, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from turnwright.dice import Pool
from turnwright.model import Actor, ActorId, Amount, Cell, Relation, State, Struct
from turnwright.systems.altered_realms.settings import CONDITIONS, REGIONS, SKILLS, Condition, Region, Settings, Skill

Whole = Annotated[int, Meta(ge=0)]
Place = Literal["hand", "pouch", "pocket", "holster", "pack", "worn"]
"""Where on the person an item is."""
QUICK: tuple[str, ...] = ("pouch", "pocket", "holster")
"""The places that a Motion reaches."""
AttackKind = Literal["melee", "ranged", "spell"]
MOST_DICE, MOST_SIDES = 100, 1000
DICE = re.compile(r"^(?:(\d+)d(\d+))?([+-]?\d+)?$")


def pool_of(text: str, plus: int = 0) -> Pool:
    """Damage as it is written, `2d6+3` or `4`, as dice; raises ValueError for anything else."""
    found = DICE.match(text.replace(" ", ""))
    if not text.strip() or found is None:
        raise ValueError(f"damage is written like 2d6+3, not {text!r}")
    count, sides, more = found.groups()
    if count is not None and not (1 <= int(count) <= MOST_DICE and 1 <= int(sides) <= MOST_SIDES):
        raise ValueError(f"1 to {MOST_DICE} dice of 1 to {MOST_SIDES} sides, not {text!r}")
    return Pool(int(count or 0), int(more or 0) + plus, sides=int(sides or 6))


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to attack with: in a hand, of the body, or a spell. Reach and range are metres."""

    name: str = ""
    kind: AttackKind = "melee"
    damage: str = "1"
    type: str = "blunt"
    reach: Whole = 0
    range: Whole = 0
    attribute: Literal["", "str", "dex", "con", "int", "wis", "cha"] = ""
    training: int = 0
    modifier: int | None = None
    grapple: bool = False
    ranged: bool = False
    part: str = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "name": "what it is called, on this sheet only once",
        "kind": "melee, ranged or spell",
        "damage": "dice and what is added to them, all in all, like 1d8+3",
        "type": "the type of its damage",
        "reach": "metres of a melee weapon; the setting melee_range where it is not said",
        "range": "metres of a ranged attack or spell; 0 for as far as one sees",
        "attribute": "the one whose modifier it takes; STR in melee, DEX at range, the casting attribute for spells",
        "training": "Training Modifier with it",
        "modifier": "everything that is added to its attack roll, instead of attribute and Training",
        "grapple": "yes: it is a Grapple Weapon",
        "ranged": "yes: a spell that is a Ranged Attack too",
        "part": "the part of the body that it is, such as: tail",
    }


class Armor(Struct, frozen=True, forbid_unknown_fields=True):
    """What an armour adds to AC while it is worn, and how many minutes it takes to put it on and off."""

    don: Whole
    doff: Whole
    ac: int = 0
    weight: Literal["light", "medium", "heavy"] = "medium"

    ABOUT: ClassVar[dict[str, str]] = {
        "don": "minutes to put it on",
        "doff": "minutes to take it off",
        "ac": "added to AC while it is worn",
        "weight": "light, medium or heavy",
    }


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """An item and where on the person it is; with `weapon` it is one to attack with while it is in a hand."""

    name: str
    place: Place = "hand"
    size: str = "small"
    weapon: Weapon | None = None
    drink: bool = False
    heals: str = ""
    tools: Literal["", "lock", "trap"] = ""
    armor: Armor | None = None
    hand: str = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "name": "what it is called, on this sheet only once",
        "place": "hand, pouch, pocket, holster, pack or worn",
        "size": "tiny, small, medium, ...",
        "weapon": "what it is as a weapon; its name is the item's",
        "drink": "yes: it is drunk, and then gone",
        "heals": "HP that drinking it gives back, as dice: 1d8+2",
        "armor": "what it is as armour: don, doff, ac, weight",
        "tools": "lock or trap: it is a Lockpick set, or Tools for mechanisms",
        "hand": "in which hand it is; any free one where it is not said",
    }


class Appendage(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that grasps: a hand, a prehensile tail."""

    name: str
    strong: bool = True

    ABOUT: ClassVar[dict[str, str]] = {"strong": "no: too weak to hold somebody or something"}


HANDS = (Appendage("right hand"), Appendage("left hand"))
PARTS = ("head", "torso", "right arm", "left arm", "right leg", "left leg")
UNARMED = "unarmed"


class Trait(Struct, frozen=True, forbid_unknown_fields=True):
    """What a skill, trait, ability or item grants on top of the standard allotment; several add up."""

    name: str
    attacks: Whole = 0
    motions: Whole = 0
    movements: Whole = 0
    reactions: Whole = 0
    sustains_during: tuple[Literal["rest", "sleep"], ...] = ()

    ABOUT: ClassVar[dict[str, str]] = {
        "attacks": "attacks more for each Action",
        "motions": "Motions more in a turn",
        "movements": "Movements more in a turn",
        "reactions": "Reactions more",
        "sustains_during": "rest, sleep: in which it may be sustained all the same",
    }


class Ability(Struct, frozen=True, forbid_unknown_fields=True):
    """A spell or ability that is no attack roll: what it costs, whom it is aimed at, and what it does."""

    name: str
    budget: Literal["action", "motion", "movement", "none"] = "action"
    cost: dict[str, Whole] = {}
    pool: str = ""
    sustain: Whole = 0
    at: Literal["self", "ally", "enemy"] = "self"
    range: Whole = 0
    area: Whole = 0
    save: Literal["", "str", "dex", "con", "int", "wis", "cha"] = ""
    damage: str = ""
    type: str = "force"
    heals: str = ""
    condition: str = ""
    lasting: bool = False
    ac: int = 0
    trigger: Literal["", "hurt"] = ""
    teleport: Whole = 0
    push: Whole = 0

    ABOUT: ClassVar[dict[str, str]] = {
        "name": "what it is called, on this sheet only once",
        "budget": "action, motion, movement or none",
        "cost": "points of pools that using it takes",
        "pool": "the pool that it is sustained by",
        "sustain": "by how much sustaining it lowers that pool's maximum; 0 where it cannot be sustained",
        "at": "self, ally or enemy",
        "range": "metres; 0 for as far as one sees",
        "area": "metres around whom it is aimed at within which everybody is affected too",
        "save": "the Saving Throw against the user's Spell Save DC that averts it",
        "damage": "damage, as dice",
        "type": "the type of its damage",
        "heals": "HP that it gives back, as dice",
        "condition": "a condition that it puts on whom it affects",
        "lasting": "yes: the condition allows a Saving Throw later",
        "ac": "added to AC while it is sustained",
        "trigger": "hurt: it answers damage that its owner is dealt, as a Reaction",
        "teleport": "metres that its user is gone and there again",
        "push": "metres that it pushes whom it affects away",
    }


class Cue(Struct, frozen=True):
    """What sets off something prepared, where the table can see it come by itself: an event of one of these kinds.

    `whose` doing it is, or anybody's of another side; `whom` is attacked, or its owner; metres for near and leaves.
    """

    when: str
    whose: str = ""
    whom: str = ""
    door: str = ""
    within: int = 0


class Affliction(Struct, frozen=True):
    """Something that goes on and allows a Saving Throw: the condition it is, which save, and its DC; 0 is unknown."""

    condition: str
    save: str
    dc: int
    by: str = ""


class Creature(Actor, frozen=True):
    """Everybody in a scene: what the sheet says, then what changes from moment to moment.

    Attributes are modifiers; speed, reach and what is left of a Movement are metres.
    Rules: altered-realms.movement.stat-line.
    """

    size: str = "medium"
    attributes: dict[str, int] = {}
    training: dict[str, int] = {}
    """Training Modifiers by skill; a skill that is not here is untrained."""
    saves: dict[str, int] = {}
    totals: dict[str, int] = {}
    """Whole modifiers that the sheet states: of a skill, of `dex save`, of `initiative`."""
    pools: dict[str, int] = {}
    maxima: dict[str, int] = {}
    own_pools: tuple[str, ...] = ()
    """The pools that the sheet lists; the rest follow from an attribute."""
    ac: int = 10
    hp: int = 10
    hp_max: int = 10
    speed: int = 6
    moves: tuple[str, ...] = ("walk",)
    speeds: dict[str, int] = {}
    """Metres of a Movement of one type, where it is not `speed`."""
    hands: tuple[Appendage, ...] = HANDS
    parts: tuple[str, ...] = PARTS
    items: tuple[Item, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    """Attacks of the body and spells, which need no hand to hold them."""
    abilities: tuple[Ability, ...] = ()
    maneuvers: tuple[str, ...] = ()
    """The Maneuvers that it has trained, by name."""
    traits: tuple[Trait, ...] = ()
    base_attacks: int = 1
    base_reactions: int = 1
    maneuver_dc: int | None = None
    maneuver_training: int = 0
    spell_dc: int | None = None
    spell_training: int = 0
    casting: str = "int"
    hidden: bool = False
    """Whether the other sides do not know that it is there."""

    actions: int = 0
    motions: int = 0
    movements: int = 0
    reactions: int = 1
    attacks: int = 0
    """How many of the attacks that the Action opened are left."""
    metres: int = 0
    """What is left of the Movement that was begun."""
    run: tuple[Cell, ...] = ()
    """Where it stood at each step of that Movement, the first included."""
    fresh: int = 0
    """Which of those places the last single Movement began at, where several were taken up at once."""
    stint: int = 0
    """Metres left of that single Movement."""
    each: int = 0
    """Metres of one Movement, as it was taken up."""
    moving: str = ""
    """The movement type of the Movement that was begun; empty for the first one of the sheet, or walking."""
    aloft: int | None = None
    """On which level it flies, in metres below the ground of the map; None for whoever is on the ground."""
    charged: bool = False
    """Whether that Movement has had the benefit of a Charge."""
    conditions: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    """What it has done in this turn that can be done only once."""
    rolls: dict[str, int] = {}
    """How many mental and social rolls were made since the own turn started."""
    allowed: dict[str, int] = {}
    """How many the Narrator's time allows in this turn."""
    sustained: tuple[str, ...] = ()
    """The abilities that are kept up, the first one first."""
    afflictions: tuple[Affliction, ...] = ()
    wounded: tuple[str, ...] = ()
    """The parts that are Wounded, by the Narrator or a rule of damage."""
    rested: bool = True
    """Whether it has rested since it last inspired others."""
    began: int = 0
    """The round of the last turn."""

    def pay(self, resource: str, amount: Amount) -> Self:
        """Use up a budget; a negative amount is what a downgrade gives."""
        if resource == "first attack":
            return replace(self, attacks=self.attack_count - amount, done=(*self.done, "attack"))
        if resource == "rest":
            return replace(self, rested=False)
        if resource in ("action", "motion", "movement", "reaction", "attack"):
            field = f"{resource}s"
            return replace(self, **{field: getattr(self, field) - amount})
        if resource == "teleport":
            return replace(self, movements=self.movements - amount)
        kind, _, of = resource.partition(":")
        if kind == "pool":
            return replace(self, pools={**self.pools, of: self.pools.get(of, 0) - amount})
        if kind == "once":
            return replace(self, done=(*self.done, of))
        if kind == "roll":
            return replace(self, rolls={**self.rolls, of: self.rolls.get(of, 0) + amount})
        return super().pay(resource, amount)

    @property
    def attack_count(self) -> int:
        """Attacks that one Action covers; all grants add up.

        Rules: altered-realms.attack.extra-attacks-granted.
        """
        return self.base_attacks + sum(trait.attacks for trait in self.traits)

    @property
    def reaction_count(self) -> int:
        """Rules: altered-realms.reaction.count-scale (one where the sheet is silent)."""
        return self.base_reactions + sum(trait.reactions for trait in self.traits)

    @property
    def down(self) -> bool:
        return self.hp <= 0 or "incapacitated" in self.conditions or "slain" in self.conditions

    def attribute(self, name: str) -> int:
        return self.attributes.get(name, 0)

    @property
    def brawn(self) -> int:
        """The better of the STR and DEX modifiers."""
        return max(self.attribute("str"), self.attribute("dex"))

    def item(self, name: str) -> Item | None:
        return next((item for item in self.items if item.name == name), None)

    def with_item(self, item: Item) -> Self:
        """With the item as it is now, in its place in the list."""
        if self.item(item.name) is None:
            return replace(self, items=(*self.items, item))
        return replace(self, items=tuple([item if held.name == item.name else held for held in self.items]))

    def without_item(self, name: str) -> Self:
        return replace(self, items=tuple([item for item in self.items if item.name != name]))

    def ability(self, name: str) -> Ability | None:
        return next((ability for ability in self.abilities if ability.name == name), None)

    def held_in(self, hand: str) -> Item | None:
        return next((item for item in self.items if item.place == "hand" and item.hand == hand), None)


def reaction_label(count: int) -> str:
    """Rules: altered-realms.reaction.count-scale."""
    return "typical" if count <= 1 else "very fast" if count == 2 else "superhuman"


def creature(state: State, actor: ActorId) -> Creature:
    found: Creature = state.actors[actor]
    return found


def settings(state: State) -> Settings:
    found: Settings = state.scene.settings
    return found


def skill_of(state: State, name: str) -> Skill | None:
    return settings(state).skills.get(name) or SKILLS.get(name)


def skills(state: State) -> dict[str, Skill]:
    return {**SKILLS, **settings(state).skills}


def region_of(state: State, part: str) -> Region | None:
    """The region that a part is by its last word or words: `right hand` is a hand."""
    return regions(state).get(region_name(state, part))


def regions(state: State) -> dict[str, Region]:
    return {**REGIONS, **settings(state).regions}


def region_name(state: State, part: str) -> str:
    known, words = regions(state), part.split()
    named = [" ".join(words[start:]) for start in range(len(words))]
    return next((name for name in named if name in known), "")


class Upheld(Relation, frozen=True):
    """The owner keeps up something that works on the other."""

    ability: str = ""

    several = True


def active(state: State, who: Creature, ability: Ability) -> bool:
    """Whether something that is sustained gives anything now: not while its pool has no points.

    Rules: altered-realms.sustain.active-while-points.
    """
    if ability.name not in who.sustained:
        return False
    points = who.pools.get(pool_named(state, ability.pool), 0)
    return points > 0 or settings(state).sustain_at_zero == "active"


def upheld_on(state: State, who: Creature) -> list[tuple[Creature, Ability]]:
    """What others, or the creature itself, keep up that works on it, as far as it is known."""
    found = []
    for tie in state.every(Upheld):
        caster: Creature | None = state.actors.get(tie.owner) if tie.other == who.id else None
        ability = caster.ability(tie.ability) if caster is not None else None
        if caster is not None and ability is not None:
            found.append((caster, ability))
    return found


def conditions_of(state: State, who: Creature) -> list[tuple[str, Condition]]:
    """The creature's conditions with what each does; at 0 HP or below one is Incapacitated."""
    names = who.conditions
    if names:
        off = [ability.condition for caster, ability in upheld_on(state, who) if not active(state, caster, ability)]
        names = tuple([name for name in names if name not in off]) if off else names
    if who.hp <= 0 and "incapacitated" not in names:
        names = (*names, "incapacitated")
    if not names:
        return []
    defined = settings(state).conditions
    return [(name, defined.get(name) or CONDITIONS.get(name) or Condition()) for name in names]


def size_index(state: State, who: Creature) -> int:
    return settings(state).sizes.get(who.size, 2)


def maneuver_dc(state: State, who: Creature) -> int:
    """Rules: altered-realms.grapple.escape-dc."""
    if who.maneuver_dc is not None:
        return who.maneuver_dc
    return settings(state).maneuver_save_base + who.maneuver_training + who.brawn


def spell_dc(state: State, who: Creature) -> int:
    """Rules: altered-realms.last-grasp.dc-magical."""
    if who.spell_dc is not None:
        return who.spell_dc
    return settings(state).spell_save_base + who.spell_training + who.attribute(who.casting)


def pool_named(state: State, name: str) -> str:
    """The pool that a name means: some have an alias."""
    return settings(state).pool_aliases.get(name, name)


# -- what it attacks with


def arms(state: State, who: Creature) -> Iterator[Weapon]:
    """Everything that the creature can attack with now: what is in its hands, its body, its spells, a bare fist."""
    for item in who.items:
        if item.weapon is not None and item.place == "hand":
            yield item.weapon if item.weapon.name == item.name else replace(item.weapon, name=item.name)
    yield from who.weapons
    if who.hands:
        yield fist(settings(state).unarmed)


@lru_cache(maxsize=64)
def fist(damage: str) -> Weapon:
    return Weapon(UNARMED, damage=damage)


def armed_with(state: State, who: Creature, name: str, kinds: tuple[str, ...] = ()) -> Weapon | None:
    """The weapon of that name; without a name the first of these kinds."""
    for weapon in arms(state, who):
        if (weapon.name == name) if name else (not kinds or weapon.kind in kinds):
            return weapon
    return None


def hand_of(who: Creature, weapon: Weapon) -> str:
    """The hand that the weapon is in; empty for one of the body, for a spell and for a fist."""
    item = who.item(weapon.name)
    return item.hand if item is not None and item.weapon is not None else ""


def public(who: Creature) -> Creature:
    """What anybody sees of a creature: who it is, where, its size, what is in its hands, how it is, but no numbers."""
    plain_items = tuple([bare_item(item) for item in who.items if item.place in SEEN_PLACES])
    return Creature(
        who.id,
        who.name,
        who.side,
        who.seat,
        who.at,
        size=who.size,
        hands=who.hands,
        parts=who.parts,
        items=plain_items,
        moves=who.moves,
        sustained=who.sustained,
        wounded=who.wounded,
        conditions=who.conditions if who.hp > 0 else tuple(dict.fromkeys((*who.conditions, "incapacitated"))),
        began=who.began,
        reactions=0,
    )


SEEN_PLACES = ("hand", "worn")
"""Where on the person anybody sees an item."""


def bare_item(item: Item) -> Item:
    """What anybody sees of an item: what it is, and no numbers."""
    armor = None if item.armor is None else Armor(0, 0, weight=item.armor.weight)
    return replace(item, weapon=bare(item.weapon), heals="", armor=armor)


def bare(weapon: Weapon | None) -> Weapon | None:
    """What anybody sees of a weapon."""
    return None if weapon is None else Weapon(weapon.name, weapon.kind, type=weapon.type)
