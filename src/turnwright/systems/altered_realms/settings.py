"""Every number and choice that the texts of Altered Realms leave open: its default, the reason for it, and its rule."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from turnwright.model import Setting, Struct

ATTRIBUTES = ("str", "dex", "con", "int", "wis", "cha")
POOLS = {"might": "str", "stamina": "con", "focus": "dex", "brainstorm": "int", "willpower": "wis", "panache": "cha"}
"""The Attribute Resource Pools, each with the attribute that feeds it.

Rules: altered-realms.recuperate.pools.
"""
SIZES = {"tiny": 0, "small": 1, "medium": 2, "large": 3, "huge": 4, "massive": 5, "gargantuan": 6}
FOOTPRINTS = {"tiny": 1, "small": 1, "medium": 1, "large": 2, "huge": 3, "massive": 4, "gargantuan": 5}

Whole = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
SkillKind = Literal["physical", "mental", "social"]


class Skill(Struct, frozen=True, forbid_unknown_fields=True):
    """A skill: whose modifier it takes, and what kind of roll it makes."""

    attribute: Literal["str", "dex", "con", "int", "wis", "cha"]
    kind: SkillKind
    words: tuple[str, ...] = ()

    ABOUT: ClassVar[dict[str, str]] = {
        "attribute": "str, dex, con, int, wis or cha",
        "kind": "physical, mental or social",
        "words": "beginnings of words by which it is suggested",
    }


SKILLS = {
    "athletics": Skill("str", "physical", ("climb", "jump", "lift", "swim", "forc", "break")),
    "acrobatics": Skill("dex", "physical", ("balanc", "tumbl", "vault", "squeez")),
    "stealth": Skill("dex", "physical", ("sneak", "creep", "hid")),
    "lockpicking": Skill("dex", "physical", ("pick", "lock")),
    "mechanics": Skill("dex", "physical", ("disarm", "trap", "repair")),
    "medicine": Skill("wis", "mental", ("heal", "bandag", "treat")),
    "observation": Skill("wis", "mental", ("look", "listen", "observ", "search", "estimat", "watch")),
    "lore": Skill("int", "mental", ("recall", "know", "remember", "calculat", "decipher")),
    "persuasion": Skill("cha", "social", ("persuad", "convinc", "plead", "bargain", "talk")),
    "intimidation": Skill("cha", "social", ("threat", "intimidat", "scare")),
    "deception": Skill("cha", "social", ("lie", "bluff", "deceiv", "feint")),
    "leadership": Skill("cha", "social", ("rally", "command", "order")),
}


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """What a condition does, as data; what is not said is not touched."""

    acts: bool = True
    reacts: bool = True
    moves: bool = True
    crawls: bool = False
    holds: bool = True
    ordered: bool = True
    attacks: Literal["", "advantage", "disadvantage"] = ""
    attacked_near: Literal["", "advantage", "disadvantage"] = ""
    attacked_far: Literal["", "advantage", "disadvantage"] = ""
    sees: bool = True
    hears: bool = True
    ends_sustained: bool = False

    ABOUT: ClassVar[dict[str, str]] = {
        "acts": "no: neither Actions nor Motions",
        "reacts": "no: no Reactions",
        "moves": "no: no Movement",
        "crawls": "yes: moves only by crawling, until it stands up",
        "holds": "no: whatever it holds is let go",
        "ordered": "no: it has no turn any more",
        "attacks": "advantage or disadvantage on its own attack rolls",
        "attacked_near": "advantage or disadvantage of attack rolls against it from melee range",
        "attacked_far": "the same from farther away",
        "sees": "no: it sees nothing",
        "hears": "no: it hears nothing",
        "ends_sustained": "yes: what it sustains is over",
    }


CONDITIONS = {
    "incapacitated": Condition(acts=False, reacts=False, moves=False, holds=False),
    "slain": Condition(acts=False, reacts=False, moves=False, holds=False, ordered=False, ends_sustained=True),
    "restrained": Condition(
        moves=False, holds=False, attacks="disadvantage", attacked_near="advantage", attacked_far="advantage"
    ),
    "prone": Condition(crawls=True, attacks="disadvantage", attacked_near="advantage", attacked_far="disadvantage"),
    "blinded": Condition(sees=False),
    "deafened": Condition(hears=False),
}


class Region(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a body or of what is worn: how fine it is, from 1, and what larger part it belongs to."""

    tier: Positive
    within: str = ""

    ABOUT: ClassVar[dict[str, str]] = {"tier": "1 for a part, 2 for a part of it, 3 and more for finer things"}


REGIONS = {
    "arm": Region(1),
    "leg": Region(1),
    "head": Region(1),
    "torso": Region(1),
    "tail": Region(1),
    "wing": Region(1),
    "hand": Region(2, "arm"),
    "foot": Region(2, "leg"),
    "neck": Region(2, "head"),
    "finger": Region(3, "hand"),
    "toe": Region(3, "foot"),
    "eye": Region(3, "head"),
    "item": Region(1),
    "tiny item": Region(2),
    "strap": Region(2, "item"),
    "fastener": Region(3, "strap"),
}


QUALITIES = {"simple": 10, "common": 14, "good": 18, "superior": 22}
"""DCs of locks and traps by quality."""


THROW_DC = ((10, 12), (20, 14), (30, 16), (40, 18), (50, 20), (60, 22), (80, 26))
"""Metres beyond the reliable distance, and the DC of a throw up to there."""


class ManeuverText(Struct, frozen=True, forbid_unknown_fields=True):
    """A Maneuver: what it costs, whose feat it is, and what it does, in words."""

    cost: dict[str, Whole] = {}
    attribute: Literal["str", "dex", "con", "int", "wis", "cha"] = "str"
    dc: int | None = None
    text: str = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "cost": "points of pools that it takes",
        "attribute": "whose feat it is",
        "dc": "the DC of trying it untrained, never below 14",
        "text": "what it does",
    }


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a scene; a scene file's `settings` may change any of them."""

    sizes: dict[str, int] = msgspec.field(default_factory=lambda: dict(SIZES))
    footprints: dict[str, Positive] = msgspec.field(default_factory=lambda: dict(FOOTPRINTS))
    melee_range: Positive = 1
    diagonal: Positive = 1
    difficult: Positive = 2
    stand: Positive = 2
    fall_free: Whole = 3
    fall_die: Positive = 10
    average: int = 10
    attack_meets: bool = True
    dc_meets: bool = True
    naturals: bool = True
    destiny: Literal["d20", "d6"] = "d20"
    maneuver_save_base: int = 10
    spell_save_base: int = 10
    unarmed: str = "1"
    action_to_movement: Whole = 1
    action_to_motion: Whole = 1
    movement_to_motion: Whole = 1
    motion_to_movement: Whole = 0
    aim_stacks: bool = True
    dodge_called_shots_only: bool = False
    pool_aliases: dict[str, str] = msgspec.field(default_factory=lambda: {"mana": "brainstorm"})
    grappled_may_pay_movement: bool = False
    item_region_from: str = "small"
    carry_speed: Positive = 2
    allies_willing: bool = True
    throw_dc: tuple[tuple[int, int], ...] = THROW_DC
    improvised: str = "1d4"
    grapple_weapon: Literal["replace", "add"] = "replace"
    last_grasp_dc: int = 10
    last_grasp_cling: bool = False
    throw_die: Positive = 8
    bystander_dc: int = 11
    skill_limit_floor: Whole = 1
    free_speech: bool = True
    lock_dc: dict[str, Whole] = msgspec.field(default_factory=lambda: dict(QUALITIES))
    trap_dc: dict[str, Whole] = msgspec.field(default_factory=lambda: dict(QUALITIES))
    aid_from: int = 12
    declared_hinder: bool = False
    earshot: Whole = 30
    strict_hearing: bool = False
    sustain_at_zero: Literal["suppressed", "active"] = "suppressed"
    prime_cap: Literal["both", "reactions"] = "both"
    maneuvers: dict[str, ManeuverText] = {}
    untrained_maneuvers: bool = False
    untrained_dc: Annotated[int, Meta(ge=14)] = 14
    skills: dict[str, Skill] = {}
    regions: dict[str, Region] = {}
    conditions: dict[str, Condition] = {}

    ABOUT: ClassVar[dict[str, str]] = {
        "sizes": "categories by name; those that are not named stay as they are",
        "footprints": "tiles across by size; those that are not named stay as they are",
        "lock_dc": "DC by quality; those that are not named stay as they are",
        "trap_dc": "DC by quality; those that are not named stay as they are",
        "conditions": "conditions by name; one that is named is given whole",
    }

    def __post_init__(self) -> None:
        """A table of which a scene names some rows keeps the others."""
        for name, rows in (
            ("sizes", SIZES),
            ("footprints", FOOTPRINTS),
            ("lock_dc", QUALITIES),
            ("trap_dc", QUALITIES),
        ):
            msgspec.structs.force_setattr(self, name, {**rows, **getattr(self, name)})


ECONOMY = (
    Setting("action_to_movement", "altered-realms.downgrade.allowed-mid-turn", "Sprint trades one for one", "source"),
    Setting("action_to_motion", "altered-realms.downgrade.table-is-guide", "the table is missing: one for one"),
    Setting("movement_to_motion", "altered-realms.downgrade.allowed-mid-turn", "a Motion is the smallest deed"),
    Setting("motion_to_movement", "altered-realms.downgrade.one-way", "nothing climbs; 0 is not at all"),
    Setting("grappled_may_pay_movement", "altered-realms.grapple.no-movement-except-teleport", "paying is using"),
)
SPACE = (
    Setting("sizes", "altered-realms.grapple.size-limit", "the order is the game's, the numbers are ours", "outside"),
    Setting("footprints", "altered-realms.throw-opponent.larger-bigger-projectile", "a larger body fills more tiles"),
    Setting("melee_range", "altered-realms.attack.only-attack-abilities", "one tile of 1 m, diagonals included"),
    Setting("diagonal", "altered-realms.movement.only-for-relocation", "a diagonal step is a metre like any other"),
    Setting("difficult", "altered-realms.movement.only-for-relocation", "hard ground and crawling cost double, once"),
    Setting("stand", "altered-realms.trip.prone-no-damage", "the move speed is divided by this; half of it"),
    Setting("fall_free", "altered-realms.last-grasp.fail", "metres that hurt nobody", "outside"),
    Setting("fall_die", "altered-realms.last-grasp.fail", "one for each metre beyond those", "outside"),
)
DICE = (
    Setting(
        "average",
        "altered-realms.carry.dc-base",
        "a modifier is half of what a score is above this, rounded down",
        "outside",
    ),
    Setting(
        "attack_meets",
        "altered-realms.grapple.hit-replaces-damage",
        "escapes and shields are met, so AC is too",
        "outside",
    ),
    Setting("dc_meets", "altered-realms.grapple.escape-success", "said of one DC, taken for all", "source"),
    Setting("naturals", "altered-realms.attack.only-attack-abilities", "a 20 hits and a 1 misses, in attacks only"),
    Setting(
        "destiny", "altered-realms.defensive-stance.destiny-die", "the twin rules of locks and traps: one more d20"
    ),
    Setting("maneuver_save_base", "altered-realms.grapple.escape-dc", "like a passive score: 10 and the modifier"),
    Setting("spell_save_base", "altered-realms.last-grasp.dc-magical", "like a passive score: 10 and the modifier"),
    Setting("unarmed", "altered-realms.attack.damage-intent", "a bare fist does little"),
)
DEEDS = (
    Setting("grapple_weapon", "altered-realms.grapple.roll-with-grapple-weapon", "otherwise makes two ways of it"),
    Setting("last_grasp_dc", "altered-realms.last-grasp.dc-other", "where nobody pushed and the Narrator says nothing"),
    Setting("last_grasp_cling", "altered-realms.last-grasp.pass", "without a tile to step on one falls"),
    Setting("throw_die", "altered-realms.throw-opponent.damage", "a d8 for each of 1 to 3 by size", "source"),
    Setting(
        "bystander_dc", "altered-realms.throw-opponent.bystander-dc", "the size of the thrown body is added", "source"
    ),
    Setting("allies_willing", "altered-realms.carry.who", "who says nothing lets its own side carry it"),
    Setting("carry_speed", "altered-realms.carry.athletics-roll", "the move speed is divided by this, however many"),
    Setting(
        "throw_dc", "altered-realms.throw-object.long-dc-table", "the table is missing: by metres beyond the reliable"
    ),
    Setting("improvised", "altered-realms.throw-object.damage-defers", "the chapter is missing: a small die"),
    Setting("aim_stacks", "altered-realms.aim.repeatable", "a repeat at the same target would else be for nothing"),
    Setting(
        "dodge_called_shots_only", "altered-realms.dodge.attacker-penalty", "narrow, a Dodge would do almost nothing"
    ),
    Setting(
        "pool_aliases", "altered-realms.recuperate.pools", "newer pages of the game call that pool mana", "outside"
    ),
    Setting("item_region_from", "altered-realms.targeting.item-values", "smaller items are harder to hit by one step"),
    Setting("skill_limit_floor", "altered-realms.skill.mental-limit", "an average mind may look at least once"),
    Setting("free_speech", "altered-realms.reaction.any-off-turn-act", "speech and observation off-turn cost nothing"),
    Setting(
        "declared_hinder", "altered-realms.lend-aid.hinder-11-minus", "two bands of one roll, and no choice is named"
    ),
    Setting("lock_dc", "altered-realms.lock.dc-table", "the table is missing: steps of the game's ladder"),
    Setting("trap_dc", "altered-realms.trap.dc-table", "the table is missing: as for locks"),
    Setting("aid_from", "altered-realms.lend-aid.help-12-plus", "the total, as for every roll", "source"),
    Setting("earshot", "altered-realms.rally.audience", "as far as a shout carries over a fight, in metres"),
    Setting("strict_hearing", "altered-realms.rally.audience", "hear or see; yes drops who is deaf"),
    Setting("sustain_at_zero", "altered-realms.sustain.active-while-points", "no points, no effect till the turn ends"),
    Setting("prime_cap", "altered-realms.prime.attack-count", "waiting must not make one attack into several"),
    Setting("maneuvers", "altered-realms.untrained.scope", "their chapter is missing; a scene lists its own"),
    Setting("untrained_maneuvers", "altered-realms.untrained.optional", "an optional rule is off"),
    Setting("untrained_dc", "altered-realms.untrained.dc-floor", "the least that the text allows", "source"),
    Setting("regions", "altered-realms.targeting.difficulty-rises-as-size-falls", "steps of 2 down a tree of parts"),
    Setting("skills", "altered-realms.skill.social-definition", "a short list; a scene adds its own"),
    Setting("conditions", "altered-realms.trip.prone-no-damage", "else one at 0 HP fights on and a Trip is wasted"),
)
OPEN = (*ECONOMY, *SPACE, *DICE, *DEEDS)
