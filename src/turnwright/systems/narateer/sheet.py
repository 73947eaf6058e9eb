"""A Narateer character: the sheet, what it carries, and its live numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from turnwright.model import Actor, ActorId, Amount, State, Struct
from turnwright.systems.narateer.settings import CONDITIONS, LOADS, Condition, Load, Settings

ZERO = Fraction(0)
"""No metres; always the same object, so that a fresh Activation is written as nothing."""

SPRINT_SKILLS = ("athletics", "acrobatics")


Whole = Annotated[int, Meta(ge=0)]
Aim = bool | Literal["ally"]
"""Whether something is aimed at an opponent (yes), at an ally, or at nobody (no)."""


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to attack with. `reach` is in Spaces, counted like steps; a ranged weapon without one has no limit."""

    name: str
    kind: Literal["melee", "ranged"] = "melee"
    base_attack_cost: Whole = 1
    wounds: Whole = 1
    reach: Whole | None = None

    ABOUT: ClassVar[dict[str, str]] = {
        "name": "what it is called, on this sheet only once",
        "kind": "melee or ranged",
        "base_attack_cost": "AD to begin its Exchange",
        "wounds": "Wounds of a hit",
        "reach": "in Spaces, counted like steps",
    }

    @property
    def spaces(self) -> int | None:
        """How far it reaches, in Spaces; None where there is no limit."""
        return 1 if self.reach is None and self.kind == "melee" else self.reach


UNARMED = Weapon("unarmed")


Trigger = Literal["", "exchange_initiated", "exchange_resolved", "hit", "stepped", "cast"]
Role = Literal["", "target", "attacker", "witness", "mover"]
Clause = Annotated[str, Meta(pattern=r"^(within [0-9]+ m|sees it|enemy moves|hit|not hit)$")]
TRIGGER = "the exact event: exchange_initiated, exchange_resolved, hit, stepped, cast"
ROLE = "who of the event may use it: target, attacker (or caster), witness, mover; target where it is not said"
CLAUSES = "what must hold besides: within N m, sees it, enemy moves, hit, not hit"
CONDITION = "a Condition that it puts on whom it is aimed at, else on its user"
ENDS = "a Condition that it takes away from whom it is aimed at, else from its user"
SETS = "what holds in the scene afterwards, by a short name: an opportunity, never a bonus"


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """One part of a Class Power: when it may be used, what it attaches to, its AD, and what it does.

    One without a trigger that attaches to nothing is a proactive Action.
    """

    trigger: Trigger = ""
    attaches_to: Literal["", "full_guard", "clash"] = ""
    reaction: bool = False
    ad: Whole = 0
    role: Role = ""
    clauses: tuple[Clause, ...] = ()
    totals: int = 0
    wounds: int = 0
    strike: bool = False
    at: Aim = False
    move: Whole = 0
    continue_sprint: bool = False
    check: str = ""
    target: Whole = 0
    success: str = ""
    failure: str = ""
    boost_after_roll: bool = False
    condition: str = ""
    ends: str = ""
    sets: dict[str, str] = {}
    tempo: Literal["", "take", "lose"] = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "trigger": TRIGGER,
        "attaches_to": "full_guard or clash: a part of that Response, or with `reaction` what comes of it afterwards",
        "reaction": "whether the rule calls it a Reaction",
        "ad": "AD that this part costs",
        "role": f"{ROLE}, witness of a step or a spell",
        "clauses": CLAUSES,
        "totals": "added to the total that it modifies: of its own blow, its Response, or the Exchange that opens it",
        "wounds": "added to the Wounds of the hit it modifies",
        "strike": "it attacks: whoever triggered it, or as a proactive Action whomever its user names",
        "at": "yes: it is aimed at an opponent without striking, whom its user names or who caused the event; "
        "ally: at somebody of the own side, as a proactive Action",
        "move": "metres of additional movement",
        "continue_sprint": "what is left of the Sprint may be used",
        "check": "Skill of a check of its own",
        "target": "the number that check must meet; 0 for the Readiness Score of whom it is aimed at",
        "success": "what a success of that check brings",
        "failure": "what a failure of that check brings",
        "boost_after_roll": "that check may be boosted when its dice are read",
        "condition": f"{CONDITION}; of a blow, on whom it hits",
        "ends": ENDS,
        "sets": SETS,
        "tempo": "take: until this Activation ends its user has Tempo and whoever is active has not; lose: it has not",
    }

    @property
    def opens_at(self) -> str:
        """The event that opens it; a Reaction that a Response creates waits for the end of the Exchange."""
        return self.trigger or ("exchange_resolved" if self.attaches_to and self.reaction else "")

    @property
    def proactive(self) -> bool:
        return not self.trigger and not self.attaches_to

    @property
    def aimed(self) -> Aim:
        """Whether it is aimed at somebody without striking: also where its check is against a Readiness Score."""
        return self.at or (bool(self.check) and not self.target and not self.strike)

    @property
    def by(self) -> str:
        """Who of the event may use it."""
        return self.role or default_role(self.trigger)


def default_role(trigger: str) -> str:
    """Who of an event may use what it opens, where that is not said."""
    return "witness" if trigger in ("stepped", "cast") else "target"


NO_PART = Part()


class Requires(Struct, frozen=True, forbid_unknown_fields=True):
    """What a Class Power needs before any part of it may be used."""

    sprint: bool | Literal["athletics", "acrobatics"] = False
    distance: Whole = 0
    remaining: Whole = 0
    route: str = ""
    ad: Whole = 0

    ABOUT: ClassVar[dict[str, str]] = {
        "sprint": "yes for any Sprint, or the Skill that must govern it",
        "distance": "metres that must have been travelled in this Activation",
        "remaining": "metres of Sprint movement that must be left",
        "route": "a place or a tag of the ground that one must be on",
        "ad": "AD that the Power takes when it is declared; they lengthen no Sprint",
    }


class Power(Struct, frozen=True, forbid_unknown_fields=True):
    """A Class Power: what it requires and its parts."""

    name: str
    parts: Annotated[tuple[Part, ...], Meta(min_length=1)]
    requires: Requires = Requires()

    ABOUT: ClassVar[dict[str, str]] = {
        "name": "what it is called, on this sheet only once",
        "parts": "what it does; each part is used by itself, or in a Response with the others of that Response",
        "requires": "what must hold before any part of it may be used",
    }


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """An item. With `ad` or `tier` it has a rule of its own, which the other keys say; without, the tiers decide."""

    name: str
    ad: Whole | None = None
    tier: Literal["", "trivial", "minor", "major"] = ""
    procedure: str = ""
    uses: Whole | None = None
    at: Aim = False
    within: Whole = 0
    check: str = ""
    target: Whole = 0
    resisted: str = ""
    failure: str = ""
    wounds: Whole = 0
    condition: str = ""
    ends: str = ""
    sets: dict[str, str] = {}
    noise: Literal["", "clear", "unclear"] = ""
    carries: Whole | None = None
    move: Whole = 0
    bars: tuple[str, ...] = ()

    ABOUT: ClassVar[dict[str, str]] = {
        "name": "what it is called, on this sheet only once",
        "ad": "what using it costs by its own rule",
        "tier": "the tier that its own rule names, where it names no AD: trivial, minor, major",
        "procedure": "what using it does, in words",
        "uses": "how often it can be used in all",
        "at": "yes: it is used on an opponent whom its user can place; ally: on somebody of the own side",
        "within": "metres within which that one must be; 0 for no limit",
        "check": "Skill of its check, which takes a proactive use; without one it simply works",
        "target": "the number that the check meets; without one it is the target's Readiness Score",
        "resisted": "the Skill whose Readiness Score resists it; that of the check where it is not said",
        "failure": "what a failed check brings, in words",
        "wounds": "Wounds that it deals to whom it is used on",
        "condition": CONDITION,
        "ends": ENDS,
        "sets": SETS,
        "noise": "clear where it plainly tells who hears it where its user is, unclear where that is a clue",
        "carries": "metres that the noise carries; the setting hearing_range where it is not said",
        "move": "metres of additional movement",
        "bars": "what carrying it takes away: something that spells require, or an action by its name",
    }

    @property
    def own_rule(self) -> bool:
        """Whether it says itself what using it costs."""
        return self.ad is not None or bool(self.tier)


class Spell(Struct, frozen=True, forbid_unknown_fields=True):
    """A spell: what it requires, its Casting Cost, what it does, and what can be noticed of it."""

    name: str
    casting_cost: dict[str, Whole] = msgspec.field(default_factory=lambda: {"ad": 1})
    requires: tuple[str, ...] = ()
    focus: str = ""
    at: Aim = False
    within: Whole = 0
    sight: bool = False
    trigger: Trigger = ""
    reaction: bool = False
    role: Role = ""
    clauses: tuple[Clause, ...] = ()
    check: str = ""
    target: Whole = 0
    resisted: str = ""
    effect: str = ""
    failure: str = ""
    wounds: Whole = 0
    wards: Whole = 0
    condition: str = ""
    ends: str = ""
    sets: dict[str, str] = {}
    move: Whole = 0
    noticed: dict[str, Whole] = {}
    obvious: bool = False

    ABOUT: ClassVar[dict[str, str]] = {
        "name": "what it is called, on this sheet only once",
        "casting_cost": "everything that casting it costs: ad, or a pool of the caster's",
        "requires": "what nothing that the caster is under or carries may bar, such as: free hand, speech",
        "focus": "an item that the caster must carry",
        "at": "yes: it is cast at an opponent whom the caster can place; ally: at somebody of the own side",
        "within": "metres within which that one must be; 0 for no limit",
        "sight": "yes: the caster must have that one in sight",
        "trigger": f"{TRIGGER}; without one it is cast as a proactive Action",
        "reaction": "whether its rule calls it a Reaction; what answers an event without it is none",
        "role": f"{ROLE}, witness of a step or a spell",
        "clauses": CLAUSES,
        "check": "Skill of its check, which takes a proactive use; without one it simply works",
        "target": "the number that the check meets; without one it is the target's Readiness Score",
        "resisted": "the Skill whose Readiness Score resists it; that of the check where it is not said",
        "effect": "what it does, in words",
        "failure": "what a failed check brings, in words",
        "wounds": "Wounds that it deals to whom it is cast at",
        "wards": "Wounds that it takes off the hit which opened it",
        "condition": CONDITION,
        "ends": ENDS,
        "sets": SETS,
        "move": "metres of additional movement that it grants to whom it is cast at, else to its caster",
        "noticed": "by which senses, and within how many metres (0 for no limit), it can be noticed",
        "obvious": "yes: whoever notices it knows where the caster is",
    }


SENSES = {"sight": 0, "hearing": 20}


class Character(Actor, frozen=True):
    """Everybody in a Narateer scene: what the sheet says, then what changes from moment to moment.

    AD are whole dice, Base Movement and what is spent of it are metres, ranges of senses metres (0 without limit).
    """

    strength: int = 0
    agility: int = 0
    skills: dict[str, int] = {}
    readiness: dict[str, int] = {}
    ad: int = 6
    bears: int = 3
    encumbrance: str = "none"
    conditions: tuple[str, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    powers: tuple[Power, ...] = ()
    items: tuple[Item, ...] = ()
    spells: tuple[Spell, ...] = ()
    pools: dict[str, int] = {}
    """What spells cost besides AD and how often items can still be used, by name."""
    senses: dict[str, int] = msgspec.field(default_factory=lambda: SENSES)
    guards: dict[str, str] = {}
    ready: int = 6
    wounds: int = 0
    uses: dict[str, int] = {}
    mode: Literal["", "walk", "run", "sprint"] = ""
    sprint_skill: str = ""
    spent: Fraction = ZERO
    travelled: Fraction = ZERO
    crossed: int = 0
    """How many Zones it has crossed in this Activation."""
    extra: Fraction = ZERO
    """Additional movement still to be used, in metres."""
    began: int = 0
    """The round of the last Activation."""

    def pay(self, resource: str, amount: Amount) -> Self:
        """Use up AD, a proactive use (`use:SKILL`) or the one movement mode (`mode:MODE`)."""
        kind, _, of = resource.partition(":")
        if kind == "ad":
            return replace(self, ready=self.ready - int(amount))
        if kind == "use":
            return replace(self, uses={**self.uses, of: self.uses.get(of, 0) + int(amount)})
        if kind == "pool":
            return replace(self, pools={**self.pools, of: self.pools.get(of, 0) - amount})
        if kind == "mode":
            mode, _, skill = of.partition(":")
            return replace(self, mode=mode, sprint_skill=skill)
        return super().pay(resource, amount)

    @property
    def down(self) -> bool:
        return self.wounds >= self.bears

    def level(self, skill: str) -> int:
        """The Skill Level; a Skill that is not on the sheet is at 0."""
        return self.skills.get(skill, 0)

    def armed(self, name: str) -> Weapon | None:
        """The own weapon of that name; unarmed is always there."""
        for weapon in self.weapons:
            if weapon.name == name:
                return weapon
        return UNARMED if name == UNARMED.name else None


def character(state: State, actor: ActorId) -> Character:
    found: Character = state.actors[actor]
    return found


def settings(state: State) -> Settings:
    found: Settings = state.scene.settings
    return found


def conditions_of(state: State, actor: Character) -> list[tuple[str, Condition]]:
    """The actor's Conditions with what each does, as the scene defines them."""
    if not actor.conditions:
        return []
    defined: dict[str, Condition] = settings(state).conditions
    return [(name, defined.get(name) or CONDITIONS.get(name) or Condition()) for name in actor.conditions]


def barred_by(state: State, actor: Character, need: str) -> list[str]:
    """What the actor is under or carries that takes something away: a free hand, speech, an action by its name."""
    found = [name for name, condition in conditions_of(state, actor) if need in condition.bars]
    return found + [item.name for item in actor.items if need in item.bars]


def load_of(state: State, actor: Character) -> Load:
    if actor.encumbrance == "none":
        return LOADS["none"]
    return settings(state).loads.get(actor.encumbrance) or LOADS.get(actor.encumbrance) or LOADS["none"]


def readiness(state: State, actor: Character, skill: str) -> int:
    """The Readiness Score in a Skill: the sheet's number, else 3 + Skill Level.

    Rules: narateer.hide.vs-readiness-score (the formula is our default; the text is silent).
    """
    written = actor.readiness.get(skill)
    return settings(state).readiness_base + actor.level(skill) if written is None else written


def public(actor: Character, began: int = 0) -> Character:
    """What anybody sees of a character: who it is, where, what it carries and how it fares, but no numbers."""
    return Character(
        actor.id,
        actor.name,
        actor.side,
        actor.seat,
        actor.at,
        bears=actor.bears,
        wounds=actor.wounds,
        conditions=actor.conditions,
        weapons=actor.weapons,
        ready=0,
        began=began,
    )
