"""A character of Storypath: the sheet, the three pools of an antagonist, and its live numbers."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from msgspec.structs import replace

from turnwright.model import Actor, ActorId, State, Struct
from turnwright.systems.storypath.settings import BANDS, LEVELS, RESILIENCE, Settings

Kind = Literal["pc", "sgc"]
KINDS: dict[str, str] = {"pc": "player characters", "sgc": "Storyguide characters"}
Place = Literal["hand", "worn", "holster", "pack"]


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to attack with; one that lies in a hand is an item of the same name."""

    name: str
    skill: str = "close combat"
    attribute: str = "might"
    reach: str = "close"
    enhancement: int = 0
    pool: str = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "skill": "the Skill that it is used with",
        "attribute": "the Attribute; `by range` is the one that the distance asks for",
        "reach": "the farthest band: close, short, medium, long or extreme",
        "enhancement": "successes that it adds where the dice gave one",
        "pool": "for an antagonist: primary, secondary or desperation",
    }


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """A thing that is carried, and where."""

    name: str
    place: Place = "holster"

    ABOUT: ClassVar[dict[str, str]] = {"place": "hand, holster (sheath, belt), worn or pack"}


class Knack(Struct, frozen=True, forbid_unknown_fields=True):
    """A power: how it is switched on, and what it then does."""

    name: str
    action: Literal["reflexive", "simple"] = "reflexive"
    skill: str = ""
    enhancement: int = 0
    armor: int = 0
    momentum: int = 0
    about: str = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "action": "reflexive, where its text does not say simple",
        "skill": "the Skill that its Enhancement is for; any roll where it is not said",
        "enhancement": "successes added to its owner's next roll",
        "armor": "soft armour to the end of the round",
        "momentum": "what it costs",
    }


class Character(Actor, frozen=True):
    """Somebody in a scene. Boxes are counted, speed is metres."""

    pc: bool = True
    tier: str = "heroic"
    skills: dict[str, int] = {}
    attributes: dict[str, int] = {}
    pools: dict[str, int] = {}
    good_at: dict[str, str] = {}
    initiative: int | None = None
    enhancement: int = 0
    defense: int | None = None
    health: int | None = None
    soft: int = 0
    hard: int = 0
    speed: int = 10
    weapons: tuple[Weapon, ...] = ()
    items: tuple[Item, ...] = ()
    knacks: tuple[Knack, ...] = ()
    group: str = ""
    minor: bool = False
    open: bool = False
    veiled: bool = False
    """Whether its numbers are not known, so that those here are only assumed."""
    # live
    actions: int = 0
    attacks: int = 0
    parts: int = 0
    """Rolled components of this turn's mixed action, or 1 for a simple one."""
    mixed: bool = False
    small: int = 0
    """Listed reflexives of this turn that count toward a mixed action."""
    moves: int = 0
    escapes: int = 0
    acted: int = 0
    """The round in which it last had its slot."""
    since: int = 1
    """The first round in which it has one."""
    prone: bool = False
    blinded: bool = False
    hampered: int = 0
    boxes: dict[str, int] = {}
    taken_out: bool = False
    guard: int | None = None
    """Defense to the end of the round, once it has been rolled."""
    soft_now: int = 0
    cover: int = 0
    tried: tuple[str, ...] = ()
    """Reflexive deeds that it has rolled for in this round."""

    def pay(self, resource: str, amount: int) -> Self:
        """Momentum is the players' together and is taken by an event of its own."""
        if resource in ("action", "attack"):
            name = f"{resource}s"
            return replace(self, **{name: getattr(self, name) - amount})
        if resource in ("move", "escape"):
            name = f"{resource}s"
            return replace(self, **{name: getattr(self, name) + amount})
        if resource in ("momentum", "dice"):
            return self
        return super().pay(resource, amount)

    @property
    def down(self) -> bool:
        return self.taken_out

    @property
    def kind(self) -> Kind:
        return "pc" if self.pc else "sgc"

    def rating(self, skill: str, attribute: str) -> int:
        """A Skill and an Attribute together, or of an antagonist the pool that it is good at this with."""
        if self.pools:
            return self.pools.get(self.good_at.get(skill, "desperation"), 0)
        return self.skills.get(skill, 0) + self.attributes.get(attribute, 0)

    def knack(self, name: str) -> Knack | None:
        return next((knack for knack in self.knacks if knack.name == name), None)

    def item(self, name: str) -> Item | None:
        return next((item for item in self.items if item.name == name), None)

    def ready(self, weapon: Weapon) -> bool:
        """Whether it can be used: one of the body, or an item in a hand."""
        item = self.item(weapon.name)
        return item is None or item.place == "hand"

    def weapon(self, name: str) -> Weapon | None:
        """The weapon of that name; without a name the first that is ready."""
        return next((w for w in self.weapons if (w.name == name if name else self.ready(w))), None)


def character(state: State, actor: ActorId) -> Character:
    found: Character = state.actors[actor]
    return found


def settings(state: State) -> Settings:
    found: Settings = state.scene.settings
    return found


def standing(state: State, kind: str = "") -> list[Character]:
    """Everybody who can still act, in the order of the scene."""
    return [who for who in state.actors.values() if not who.down and kind in ("", who.kind)]


def resilience(who: Character) -> int:
    """The best Resilience attribute."""
    return max([who.attributes.get(name, 0) for name in RESILIENCE], default=0)


def boxes_of(state: State, who: Character) -> dict[str, int]:
    """How many boxes there are at each level; an antagonist has plain ones."""
    if who.health is not None:
        return {"health": who.health}
    rule = settings(state)
    stamina = min(5, max(1, who.attributes.get("stamina", 1)))
    return {"bruised": rule.bruised[stamina - 1], "injured": rule.injured, "maimed": rule.maimed}


def free_boxes(state: State, who: Character) -> list[str]:
    """The levels that still have a box, the lightest first."""
    return [level for level, count in boxes_of(state, who).items() if who.boxes.get(level, 0) < count]


def pain(state: State, who: Character) -> int:
    """The complication of the worst box that is filled; 0 where there is none."""
    filled = [level for level in LEVELS if who.boxes.get(level, 0)]
    return settings(state).injury_complications.get(filled[-1], 0) if filled else 0


def target_number(state: State, who: Character) -> int:
    return settings(state).targets.get(who.tier, 8)


def band_index(name: str) -> int:
    return BANDS.index(name)


def public(state: State, who: Character) -> Character:
    """What anybody sees of somebody whose numbers are not told; what an attack needs is assumed."""
    rule = settings(state)
    hurt = sum(who.boxes.values())
    return Character(
        who.id,
        who.name,
        who.side,
        who.seat,
        who.at,
        pc=who.pc,
        pools=dict.fromkeys(("primary", "secondary", "desperation"), rule.assumed_pool),
        defense=rule.assumed_defense,
        health=max(rule.assumed_health, hurt + (0 if who.taken_out else 1)),
        weapons=tuple(
            [Weapon(w.name, w.skill, w.attribute, w.reach, pool="primary") for w in who.weapons if who.ready(w)]
        ),
        items=tuple([item for item in who.items if item.place in ("hand", "worn")]),
        group=who.group,
        minor=who.minor,
        veiled=True,
        actions=who.actions,
        acted=who.acted,
        since=who.since,
        prone=who.prone,
        blinded=who.blinded,
        boxes={"health": hurt} if hurt else {},
        taken_out=who.taken_out,
    )
