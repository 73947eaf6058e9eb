"""Every number and choice that the texts of Storypath leave open: its default, the reason for it, and its rule."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from turnwright.model import Setting, Struct

Count = Annotated[int, Meta(ge=0, le=100)]
AtLeastOne = Annotated[int, Meta(ge=1, le=100)]

ATTRIBUTES = (
    "intellect",
    "might",
    "presence",
    "cunning",
    "dexterity",
    "manipulation",
    "resolve",
    "stamina",
    "composure",
)
RESILIENCE = ("resolve", "stamina", "composure")
TIERS = ("mortal", "heroic", "demigod", "divine")
TARGETS = {"mortal": 8, "heroic": 8, "demigod": 7, "divine": 7}
"""The face from which on a die is a success, by tier."""
PAIN = {"bruised": 1, "injured": 2, "maimed": 4}
BANDS = ("close", "short", "medium", "long", "extreme")
LEVELS = ("bruised", "injured", "maimed")
"""The levels of injury of a character with boxes, the lightest first."""
STUNTS = {
    "inflict": 0,
    "blinding": 1,
    "break_up_grapple": 1,
    "trip": 1,
    "disarm": 2,
    "seize": 2,
    "critical": 4,
}
"""What each stunt of close combat costs in threshold successes; armour comes on top of the first."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a scene."""

    # the roster
    combat_skills: tuple[str, ...] = ("close combat", "firearms", "athletics")
    shared_slots: Literal["member", "group"] = "member"
    name_the_last: bool = False
    right_of_the_fallen: Literal["players", "guide"] = "players"
    slots_of_the_fallen: Literal["kept", "struck"] = "kept"
    initiative: Literal["once", "round"] = "once"
    latecomers: Literal["next round", "at once"] = "next round"
    # dice
    sides: Annotated[int, Meta(ge=2, le=100)] = 10
    targets: dict[str, int] = msgspec.field(default_factory=lambda: dict(TARGETS))
    again: Count = 10
    twice: Count = 0
    read_beyond: Count = 5
    enhancement_needs: Count = 1
    least_difficulty: AtLeastOne = 1
    unbought_fails: bool = False
    failure_momentum: Count = 1
    botch_momentum: Count = 3
    consolation: Literal["momentum", "none"] = "momentum"
    botch: Literal["ones", "none", "any"] = "ones"
    free_rolls_botch: bool = False
    mixed_consolations: Literal["both fail", "each"] = "both fail"
    momentum_for_a_die: AtLeastOne = 1
    momentum_for_each_player: Count = 2
    opposed_ties: Literal["acting", "other"] = "acting"
    disengage_ties: Literal["acting", "other"] = "acting"
    rush_ties: Literal["acting", "other"] = "other"
    down_and_dirty_ties: Literal["players", "guide"] = "players"
    # the turn
    mixed_limit: Annotated[int, Meta(ge=2, le=4)] = 2
    off_turn_counts: bool = False
    counts_beside_simple: bool = False
    knacks_count: bool = False
    enhancement_without_share: bool = True
    enhancement_is_split: bool = False
    reflexive_moves: Count = 1
    reflexive_bands: AtLeastOne = 1
    band_metres: tuple[int, int, int, int] = (2, 30, 100, 1000)
    hurry_difficulty: AtLeastOne = 1
    deed_difficulty: AtLeastOne = 1
    stand_engaged: Literal["reflexive", "simple"] = "reflexive"
    # the fight
    attack_meets: bool = True
    least_defense: Count = 1
    defense_lasts: Literal["round", "attack"] = "round"
    full_defense_factor: AtLeastOne = 2
    full_defense_mixed: bool = False
    full_defense_split: bool = True
    full_defense_with_number: bool = False
    bruised: tuple[int, int, int, int, int] = (1, 2, 2, 3, 3)
    injured: Count = 1
    maimed: Count = 1
    injury_complications: dict[str, int] = msgspec.field(default_factory=lambda: dict(PAIN))
    box_picked_by: Literal["hurt", "lightest"] = "hurt"
    hampered: Count = 1
    stunts: dict[str, int] = {}
    variable_by_pool: bool = False
    cover: Count = 1
    prone_difficulty: Count = 0
    assumed_defense: AtLeastOne = 2
    assumed_health: AtLeastOne = 3
    assumed_pool: AtLeastOne = 5

    ABOUT: ClassVar[dict[str, str]] = {}


@cache
def profile(name: str) -> dict[str, Any]:
    """The settings that a profile changes, from the file of its name in this folder. Raises LookupError."""
    import pkgutil

    import yaml

    if name not in PROFILES:
        raise LookupError(name)
    text = pkgutil.get_data(__package__ or "", f"{name}.yaml")
    found: dict[str, Any] = yaml.safe_load(text or b"")
    return found


PROFILES = ("ultra",)


def with_profile(settings: dict[str, Any], name: str) -> Settings:
    """The settings of a scene on top of those of a profile."""
    return msgspec.convert({**(profile(name) if name else {}), **settings}, Settings)


ROSTER = (
    Setting("combat_skills", "storypath.initiative.best-combat-skill", "two are named, a gun is a weapon too"),
    Setting("shared_slots", "storypath.initiative.sgc-group-roll", "a roll is shared and not a turn"),
    Setting("name_the_last", "storypath.initiative.pass-the-choice", "where one is left there is nothing to say"),
    Setting("right_of_the_fallen", "storypath.initiative.pass-the-choice", "whoever names the first names again"),
    Setting(
        "slots_of_the_fallen",
        "storypath.initiative.slot-belongs-to-side",
        "a slot is the side's, not the roller's",
    ),
    Setting("initiative", "storypath.initiative.roll-at-combat-start", "the roll goes with the start of the fight"),
    Setting("latecomers", "storypath.initiative.roll-at-combat-start", "the round under way has its slots"),
)
DICE = (
    Setting("sides", "storypath.initiative.pool-formula", "pools of d10", "outside"),
    Setting("targets", "storypath.initiative.pool-formula", "8, and 7 from Demigod up", "outside"),
    Setting("again", "storypath.initiative.pool-formula", "a 10 counts and is thrown again; 0 is never", "outside"),
    Setting(
        "twice", "storypath.initiative.pool-formula", "from this face on two successes, in Ultra; 0 is never", "outside"
    ),
    Setting("read_beyond", "storypath.initiative.count-successes", "so many above the dice stand for all more"),
    Setting("enhancement_needs", "storypath.mixed.lower-pool", "Enhancement needs a success of the dice", "outside"),
    Setting("least_difficulty", "storypath.mixed.halves-judged-separately", "no Difficulty is below 1", "outside"),
    Setting("unbought_fails", "storypath.mixed.halves-judged-separately", "a complication makes no failure", "outside"),
    Setting("failure_momentum", "storypath.mixed.halves-judged-separately", "a failure is worth 1 momentum", "outside"),
    Setting("botch_momentum", "storypath.mixed.halves-judged-separately", "a botch is worth 3 in all", "outside"),
    Setting("consolation", "storypath.mixed.halves-judged-separately", "of the consolations always momentum"),
    Setting("botch", "storypath.initiative.count-successes", "no success and a 1 at least", "outside"),
    Setting("free_rolls_botch", "storypath.initiative.count-successes", "without a Difficulty nothing fails"),
    Setting("mixed_consolations", "storypath.mixed.halves-judged-separately", "one action, one consolation at most"),
    Setting("momentum_for_a_die", "storypath.mixed.single-roll", "1 for a die more, before the roll", "outside"),
    Setting(
        "momentum_for_each_player", "storypath.mixed.halves-judged-separately", "the pool holds 2 a player", "outside"
    ),
    Setting("opposed_ties", "storypath.attack.defense-requirement", "a total is met, as a Difficulty is"),
    Setting("disengage_ties", "storypath.reflexive.move-up-to-max-speed", "to whoever disengages", "outside"),
    Setting("rush_ties", "storypath.reflexive.move-up-to-max-speed", "to the defender", "outside"),
    Setting("down_and_dirty_ties", "storypath.initiative.tie-favours-player", "to the players", "outside"),
)
TURN = (
    Setting("mixed_limit", "storypath.reflexive.listed-count-toward-mixed-limit", "two things at once is the number"),
    Setting("off_turn_counts", "storypath.reflexive.listed-count-toward-mixed-limit", "another turn is another time"),
    Setting(
        "counts_beside_simple",
        "storypath.reflexive.listed-count-toward-mixed-limit",
        "only mixed ones are limited",
    ),
    Setting("knacks_count", "storypath.reflexive.listed-count-toward-mixed-limit", "Knacks are not in the list"),
    Setting("enhancement_without_share", "storypath.mixed.lower-pool", "the shared roll had its success"),
    Setting("enhancement_is_split", "storypath.mixed.lower-pool", "only what was rolled is split"),
    Setting(
        "reflexive_moves", "storypath.reflexive.any-time", "one move a round, else all distance is free", "outside"
    ),
    Setting("reflexive_bands", "storypath.reflexive.move-up-to-max-speed", "one band is within maximum speed"),
    Setting("band_metres", "storypath.reflexive.move-up-to-max-speed", "to 2, 30, 100 and 1,000 metres", "outside"),
    Setting("hurry_difficulty", "storypath.reflexive.move-up-to-max-speed", "what the Storyguide is offered first"),
    Setting("deed_difficulty", "storypath.example.sigrun-choice", "the choice shows 1 at least, and 1 is the least"),
    Setting(
        "stand_engaged", "storypath.reflexive.stand-up", "always reflexive; other pages differ, so a switch", "source"
    ),
)
FIGHT = (
    Setting("attack_meets", "storypath.attack.defense-requirement", "two would have hit Defense 2", "source"),
    Setting("least_defense", "storypath.attack.defense-requirement", "Defense is never below 1", "outside"),
    Setting(
        "defense_lasts", "storypath.attack.defense-requirement", "rolled once, kept to the end of the round", "outside"
    ),
    Setting("full_defense_factor", "storypath.simple.full-attention", "the defense pool is doubled", "outside"),
    Setting(
        "full_defense_mixed", "storypath.simple.full-attention", "it takes all attention, so never mixed", "outside"
    ),
    Setting("full_defense_split", "storypath.simple.full-attention", "the defender says what successes buy"),
    Setting("full_defense_with_number", "storypath.simple.full-attention", "a mere number has no pool to double"),
    Setting("bruised", "storypath.attack.defense-requirement", "boxes by Stamina 1 to 5", "outside"),
    Setting("injured", "storypath.attack.defense-requirement", "one box", "outside"),
    Setting("maimed", "storypath.attack.defense-requirement", "one box", "outside"),
    Setting("injury_complications", "storypath.attack.defense-requirement", "1, 2 and 4 by the worst box", "outside"),
    Setting("box_picked_by", "storypath.attack.defense-requirement", "the side of the one hurt picks", "outside"),
    Setting("hampered", "storypath.attack.defense-requirement", "what pain that is not bought off adds next time"),
    Setting("stunts", "storypath.attack.defense-requirement", "costs of the stunts of close combat", "outside"),
    Setting(
        "variable_by_pool", "storypath.attack.defense-requirement", "tripping an antagonist at half its pool", "outside"
    ),
    Setting("cover", "storypath.attack.defense-requirement", "slight cover takes one injury", "outside"),
    Setting("prone_difficulty", "storypath.reflexive.stand-up", "no text gives lying down a number"),
    Setting("assumed_defense", "storypath.example.sigrun-choice", "in odds of players, for a number they do not know"),
    Setting("assumed_health", "storypath.attack.defense-requirement", "in odds of players, like the one above"),
    Setting("assumed_pool", "storypath.attack.defense-requirement", "in odds of players, like the one above"),
)
OPEN = (*ROSTER, *DICE, *TURN, *FIGHT)
