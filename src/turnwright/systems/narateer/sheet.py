"""A Narateer character: the sheet, what it carries, and its live numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar, Self

import msgspec
from msgspec.structs import replace

from turnwright.model import Actor, ActorId, Amount, State, Struct
from turnwright.systems.narateer.settings import CONDITIONS, LOADS, Condition, Load, Settings

SPRINT_SKILLS = ("athletics", "acrobatics")


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to attack with. `reach` is in Spaces, counted like steps; a ranged weapon without one has no limit."""

    name: str
    kind: str = "melee"
    base_attack_cost: int = 1
    wounds: int = 1
    reach: int | None = None

    ABOUT: ClassVar[dict[str, str]] = {
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


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """One part of a Class Power: when it may be used, what it attaches to, its AD, and what it does."""

    trigger: str = ""
    attaches_to: str = ""
    reaction: bool = False
    ad: int = 0
    role: str = "target"
    clauses: tuple[str, ...] = ()
    totals: int = 0
    wounds: int = 0
    strike: bool = False
    move: int = 0
    continue_sprint: bool = False
    check: str = ""
    target: int = 0
    failure: str = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "trigger": "the exact event: exchange_initiated, exchange_resolved, hit, stepped",
        "attaches_to": "full_guard or clash, for a part of a Response",
        "reaction": "whether the rule calls it a Reaction",
        "ad": "AD that this part costs",
        "role": "who of the event may use it: target, attacker or witness",
        "clauses": "what must hold besides: within N m, sees it, moves",
        "totals": "added to the total it modifies",
        "wounds": "added to the Wounds of the hit it modifies",
        "strike": "it attacks whoever triggered it",
        "move": "metres of additional movement",
        "continue_sprint": "what is left of the Sprint may be used",
        "check": "Skill of a check of its own",
        "target": "the number that check must meet",
        "failure": "what a failure of that check brings",
    }


class Requires(Struct, frozen=True, forbid_unknown_fields=True):
    """What a Class Power needs before any part of it may be used."""

    sprint: bool | str = False
    distance: int = 0
    remaining: int = 0
    route: str = ""
    ad: int = 0


class Power(Struct, frozen=True, forbid_unknown_fields=True):
    """A Class Power: what it requires and its parts."""

    name: str
    parts: tuple[Part, ...] = ()
    requires: Requires = Requires()


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """An item; `ad` and `procedure` are its own rule, where it has one."""

    name: str
    ad: int | None = None
    procedure: str = ""
    noise: str = ""
    move: int = 0


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
    senses: dict[str, int] = msgspec.field(default_factory=lambda: SENSES)
    guards: dict[str, str] = {}
    ready: int = 6
    wounds: int = 0
    uses: dict[str, int] = {}
    mode: str = ""
    sprint_skill: str = ""
    spent: Fraction = Fraction(0)
    travelled: Fraction = Fraction(0)
    extra: Fraction = Fraction(0)
    """Additional movement still to be used, in metres."""

    def pay(self, resource: str, amount: Amount) -> Self:
        """Use up AD, a proactive use (`use:SKILL`), the one movement mode (`mode:MODE`) or allowance (`metres`)."""
        kind, _, of = resource.partition(":")
        if kind == "ad":
            return replace(self, ready=self.ready - int(amount))
        if kind == "use":
            return replace(self, uses={**self.uses, of: self.uses.get(of, 0) + int(amount)})
        if kind == "mode":
            mode, _, skill = of.partition(":")
            return replace(self, mode=mode, sprint_skill=skill)
        if kind == "metres":
            return replace(self, spent=self.spent + amount)
        return super().pay(resource, amount)

    @property
    def down(self) -> bool:
        return self.wounds >= self.bears

    def level(self, skill: str) -> int:
        """The Skill Level; a Skill that is not on the sheet is at 0."""
        return self.skills.get(skill, 0)

    def armed(self, name: str) -> Weapon | None:
        """The own weapon of that name; unarmed is always there."""
        for weapon in (*self.weapons, UNARMED):
            if weapon.name == name:
                return weapon
        return None


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


def public(actor: Character) -> Character:
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
    )


def plain(actor: Character) -> dict[str, Any]:
    """The character as plain data."""
    return dict(msgspec.to_builtins(actor, enc_hook=str))
