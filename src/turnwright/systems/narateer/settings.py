"""Every number and choice that Narateer's texts leave open: its default, the reason for it, and its rule."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Literal

import msgspec

from turnwright.dice import Read
from turnwright.model import Setting, Struct

Tie = Literal["hidden", "noticed"]


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """What a Condition does, as data; what is not said is not touched."""

    reactions: bool = True
    major: bool = True
    movement: bool = True
    sprint: bool = True
    bm: int | str = 0
    metre_cost: int = 0
    never: tuple[str, ...] = ()
    stand: int = 0
    totals: int = 0
    disadvantage: bool = False
    noisy: bool = False
    bars: tuple[str, ...] = ()
    text: str = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "reactions": "no: it forbids Reactions",
        "major": "no: it forbids Major Actions",
        "movement": "no: it prevents movement",
        "sprint": "no: it prevents Sprint alone",
        "bm": "metres added to Base Movement (-4), or a factor (x1/2)",
        "metre_cost": "metres of allowance for a metre of ordinary ground",
        "never": "nearer NAME, or farther NAME",
        "stand": "AD to be rid of it; until then there is no normal movement",
        "totals": "added to the totals of checks",
        "disadvantage": "yes: checks have Disadvantage",
        "bars": "what it takes away that spells require, such as: free hand",
        "noisy": "yes: whoever hears in range can tell where it is",
    }


class Load(Struct, frozen=True, forbid_unknown_fields=True):
    """An Encumbrance state: a factor or an amount on Base Movement, and whether Sprint and movement are allowed."""

    factor: int | str = 1
    amount: int = 0
    sprint: bool = True
    move: bool = True

    @property
    def times(self) -> Fraction:
        return Fraction(str(self.factor))

    @property
    def stops(self) -> bool:
        return not self.move or self.times == 0


LOADS = {
    "none": Load(),
    "burdened": Load(factor="3/4"),
    "heavy": Load(factor="1/2", sprint=False),
    "overloaded": Load(factor=0),
}
CONDITIONS = {"stunned": Condition(reactions=False), "prone": Condition(stand=1)}
LADDER = {"easy": 4, "standard": 6, "hard": 8, "very hard": 11, "extreme": 14}
SKILL_WORDS = {
    "athletics": ("climb", "jump", "leap", "swim", "forc", "push", "lift", "haul", "break"),
    "acrobatics": ("balanc", "tumbl", "vault", "squeez"),
    "observation": ("look", "listen", "examin", "inspect"),
    "stealth": ("sneak", "creep", "crept"),
    "melee": ("shov", "feint", "disarm"),
}
"""By what beginnings of words a likely Skill is suggested."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a scene; a scene file's `settings` may change any of them, and null empties one."""

    die: int = 6
    read: Read = "sum"
    success: int = 5
    add: Literal["skill level", "nothing"] = "skill level"
    fixed_target: Literal["meet", "exceed"] = "meet"
    ladder: dict[str, int] = msgspec.field(default_factory=lambda: dict(LADDER))
    readiness_base: int = 3
    ad: int = 6
    trivial: int = 0
    minor: int = 1
    major: int = 1
    attack_dice: Literal["one", "paid"] = "one"
    wounds: int = 3
    no_response: int = 0
    full_guard: int = 1
    clash: int = 1
    tempo_lasts: Literal["activation", "kept"] = "activation"
    free_again: bool = False
    unseen_bonus: int | None = 0
    assist_cost: int | None = 1
    assist_effect: Literal["advantage"] | None = "advantage"
    assist_sides: Literal["own", "any"] = "own"
    newcomer_passive_tie: Tie = "noticed"
    newcomer_active_tie: Tie = "hidden"
    unknown_watcher: Literal["score", "check"] = "score"
    space_metres: int | None = 2
    zone_metres: int | None = 10
    zone_minimum: int | None = 5
    difficult: int = 2
    climb: int = 2
    hidden_metres: int = 2
    hearing_range: int = 20
    concealment_fails_within: int = 1
    obstacle_use: bool = False
    stand: int = 1
    assumed_level: int = 1
    order: Literal["scene", "guide"] = "scene"
    difficult_terrain: tuple[str, ...] = ("rubble", "mud", "undergrowth", "loose_slope", "crowd", "water_to_waist")
    agile_tags: tuple[str, ...] = ("narrow-wall", "vaulting", "balance", "redirect", "tumble", "unsteady", "agile")
    athletics_tags: tuple[str, ...] = ("force", "endurance", "climb", "swim", "power-leap", "resistance")
    acrobatics_tags: tuple[str, ...] = ("balance", "tumble", "agile", "controlled-landing", "redirect", "precision")
    skill_words: dict[str, tuple[str, ...]] = msgspec.field(default_factory=lambda: dict(SKILL_WORDS))
    conditions: dict[str, Condition] = {}
    loads: dict[str, Load] = {}

    ABOUT: ClassVar[dict[str, str]] = {}


OPEN = (
    Setting("die", "narateer.activation.ready-ad-pays", "AD are dice; six sides are what every table has"),
    Setting("read", "narateer.activation.ready-ad-pays", "committed dice are summed, so that each one counts"),
    Setting("success", "narateer.activation.ready-ad-pays", "the face that counts where read is successes"),
    Setting("add", "narateer.activation.ready-ad-pays", "training must matter at the same number of dice"),
    Setting("fixed_target", "narateer.search.object-target", "no opponent profits from a tie with a number"),
    Setting("ladder", "narateer.search.object-target", "for one die plus Skill Level"),
    Setting("readiness_base", "narateer.hide.vs-readiness-score", "the mean of one die, rounded down"),
    Setting("ad", "narateer.activation.ready-ad-pays", "where the sheet is silent"),
    Setting("trivial", "narateer.tier.names", "nothing worth a die"),
    Setting("minor", "narateer.tier.names", "more than Trivial, no more than the least Major"),
    Setting("major", "narateer.tier.generic-check-is-major", "the least that the text allows"),
    Setting("attack_dice", "narateer.cost.base-attack-covers-exchange", "a heavy weapon must not aim better"),
    Setting("wounds", "narateer.movecheck.consequence-menu", "three hits end a fight soon enough"),
    Setting("no_response", "narateer.response.three-options", "standing still is free"),
    Setting("full_guard", "narateer.response.three-options", "AD are kept Ready for it"),
    Setting("clash", "narateer.response.three-options", "AD are kept Ready for it"),
    Setting("tempo_lasts", "narateer.response.three-options", "the next one whose Activation it is has Tempo"),
    Setting(
        "free_again", "narateer.reaction.any-time-its-trigger-occurs", "only a stated cost ends an answer to an answer"
    ),
    Setting("unseen_bonus", "narateer.hidden.unseen-attack-in-combat", "the lost Clash is the whole edge"),
    Setting("assist_cost", "narateer.assist.details-in-skill-checks", "a helper's attention is worth a die"),
    Setting("assist_effect", "narateer.assist.details-in-skill-checks", "the text hints at Advantage"),
    Setting("assist_sides", "narateer.assist.describe-help", "whoever is attacked does not help the blow"),
    Setting("newcomer_passive_tie", "narateer.sneak.new-observer-passive", "the rule of Hide decides"),
    Setting("newcomer_active_tie", "narateer.sneak.new-observer-active", "the rule of Search decides"),
    Setting(
        "unknown_watcher", "narateer.hide.deferred-resolution", "to ask for the check would tell that somebody is there"
    ),
    Setting("space_metres", "narateer.tactical.two-metre-spaces", "given by the text; a whole number of Spaces fits"),
    Setting("zone_metres", "narateer.cinematic.zone-conversion", "about what a walk crosses"),
    Setting("zone_minimum", "narateer.cinematic.zone-conversion", "a slow Walk could never leave its Zone otherwise"),
    Setting("difficult", "narateer.terrain.difficult-doubles", "given by the text"),
    Setting("climb", "narateer.climb.slower-route-cost", "as slow as Difficult ground"),
    Setting("hidden_metres", "narateer.sneak.double-movement-cost", "given by the text"),
    Setting("hearing_range", "narateer.hide.single-roll", "how far footsteps carry, for who could notice"),
    Setting(
        "concealment_fails_within", "narateer.hide.needs-concealment", "foliage and dark hide nobody at arm's length"
    ),
    Setting("obstacle_use", "narateer.movecheck.normal-procedure", "the check resolves a step of the movement"),
    Setting("stand", "narateer.condition.prone-standing", "one AD, as much as a Run"),
    Setting(
        "assumed_level", "narateer.hide.vs-readiness-score", "for a seat's odds; most creatures are trained a little"
    ),
    Setting("order", "narateer.reaction.any-time-its-trigger-occurs", "the order of the scene, or ask the guide"),
    Setting("difficult_terrain", "narateer.terrain.difficult-examples", "the text's own examples"),
    Setting("agile_tags", "narateer.sprint.acrobatics-style", "the text's own examples"),
    Setting("athletics_tags", "narateer.movecheck.athletics-scope", "the text's own examples"),
    Setting("acrobatics_tags", "narateer.movecheck.acrobatics-scope", "the text's own examples"),
    Setting("skill_words", "narateer.resolve.skill-check-conditions", "the guide's first suggestion, never more"),
    Setting("conditions", "narateer.condition.owned-by-combat", "Stunned and Prone are named in the text"),
    Setting("loads", "narateer.encumbrance.can-reduce-or-prevent", "four states from free to overloaded"),
)
