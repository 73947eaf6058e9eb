"""Altered Realms scene files: their keys, what is checked in them, and the first state that they describe."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from turnwright.documents import BadScene, Document, Problem, read, schema
from turnwright.model import GUIDE, Cell, Fact, Ruling, Seat, State, Struct
from turnwright.scene_file import (
    ABOUT_ACTOR,
    ABOUT_SCENE,
    Id,
    Seed,
    WallEntry,
    grid_of,
    open_doors,
    scene_of,
    spoken,
    title_of,
)
from turnwright.space import Grid, Terrain
from turnwright.systems.altered_realms.checking import armor_warnings, maneuver_warnings, problems
from turnwright.systems.altered_realms.events import Lying, Mechanism
from turnwright.systems.altered_realms.settings import POOLS, Settings
from turnwright.systems.altered_realms.sheet import (
    HANDS,
    PARTS,
    Ability,
    Appendage,
    Creature,
    Item,
    Trait,
    Weapon,
    Whole,
)


class PoolEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An Attribute Resource Pool: how many points there are, and how many there can be."""

    current: Whole | None = None
    maximum: Whole | None = None


class CreatureEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One creature of a scene file."""

    id: Id
    speed: Whole
    moves: Annotated[tuple[str, ...], Meta(min_length=1)]
    speeds: dict[str, Whole] = {}
    name: str = ""
    side: str = ""
    seat: str = ""
    at: Cell | None = None
    size: str = "medium"
    scores: dict[str, int] = {}
    modifiers: dict[str, int] = {}
    training: dict[str, int] = {}
    saves: dict[str, int] = {}
    totals: dict[str, int] = {}
    pools: dict[str, PoolEntry | int] = {}
    ac: int = 10
    hp: int = 10
    hp_max: int | None = None
    hands: tuple[Appendage, ...] = HANDS
    parts: tuple[str, ...] = PARTS
    items: tuple[Item, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    abilities: tuple[Ability, ...] = ()
    maneuvers: tuple[str, ...] = ()
    traits: tuple[Trait, ...] = ()
    attacks: Annotated[int, Meta(ge=1)] = 1
    reactions: Annotated[int, Meta(ge=0)] = 1
    maneuver_dc: int | None = None
    maneuver_training: int = 0
    spell_dc: int | None = None
    spell_training: int = 0
    casting: str = "int"
    conditions: tuple[str, ...] = ()
    hidden: bool = False

    ABOUT: ClassVar[dict[str, str]] = ABOUT_ACTOR | {
        "speed": "move speed in metres",
        "moves": "movement types, such as: [walk]; climb and swim save double cost of such tiles, fly crosses drops",
        "speeds": "move speed by movement type, where it is another one: {fly: 12}",
        "at": "the tile it stands on, [x, y] from 0; the north-west one where it fills several",
        "size": "tiny, small, medium, large, huge, massive, gargantuan",
        "scores": "attribute scores: str, dex, con, int, wis, cha",
        "modifiers": "attribute modifiers, where they are stated instead of scores",
        "training": "Training Modifiers by skill; a skill that is not listed is untrained",
        "saves": "Training Modifiers of saves by attribute",
        "totals": "whole modifiers by name: a skill, `dex save`, `initiative`",
        "pools": "might, stamina, focus, brainstorm, willpower, panache: points, or current and maximum",
        "ac": "what an attack roll must meet",
        "hp": "hit points now",
        "hp_max": "hit points at most; those it has now where it is not said",
        "hands": "what it grasps with; two hands where it is not said",
        "parts": "the parts of its body",
        "items": "what it carries, and where",
        "weapons": "attacks of its body, and spells that are attacks",
        "abilities": "spells and abilities that are no attack roll",
        "maneuvers": "the Maneuvers that it has trained, by name",
        "traits": "what skills, traits and abilities grant: attacks, motions, movements, reactions",
        "attacks": "attacks that one Action covers, without what traits grant",
        "maneuver_dc": "Maneuver Save DC; 10 + training + the better of STR and DEX where it is not said",
        "spell_dc": "Spell Save DC; 10 + training + the casting attribute where it is not said",
        "casting": "the casting attribute",
        "conditions": "names of conditions that it is under",
        "hidden": "yes: the other sides do not know that it is there",
    }


class LyingEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An item on the ground."""

    item: Item
    at: Cell


class MechanismEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A lock or a trap."""

    id: Id
    kind: Literal["lock", "trap"]
    at: Cell
    name: str = ""
    quality: str = "common"
    dc: int | None = None
    door: str = ""
    on_fail: str = ""
    damage: str = ""
    type: str = "force"
    rearms: bool = False
    hidden: bool = False

    ABOUT: ClassVar[dict[str, str]] = {
        "kind": "lock or trap",
        "at": "the tile it is on",
        "quality": "simple, common, good or superior: its DC by the settings lock_dc and trap_dc",
        "dc": "a DC of its own",
        "door": "the door that it keeps shut",
        "on_fail": "what happens when it goes off, in words; nothing where neither this nor `damage` is said",
        "damage": "damage that it deals to whoever sets it off",
        "rearms": "yes: it is not spent when it has gone off",
        "hidden": "yes: only the Narrator knows of it",
    }


class DoorEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A door between two tiles."""

    id: Id
    between: tuple[Cell, Cell]
    open: bool = False
    opaque: bool = True


class MapEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A map: one character for each tile of 1 m."""

    rows: tuple[str, ...] | str = ()
    legend: dict[str, Terrain] = {}
    walls: tuple[WallEntry, ...] = ()
    doors: tuple[DoorEntry, ...] = ()
    places: dict[str, tuple[Cell, ...]] = {}
    file: str = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "file": "a Universal VTT file beside the scene, in place of rows, walls and doors",
        "rows": "the map as text; . is ordinary ground and # a wall, the rest is said in the legend",
        "legend": "what each character stands for; `difficult` costs double, `drop` is a fall in metres",
    }


class SceneFile(Struct, frozen=True, forbid_unknown_fields=True):
    """An Altered Realms scene file."""

    system: Literal["altered-realms"]
    title: str
    map: MapEntry
    creatures: Annotated[tuple[CreatureEntry, ...], Meta(min_length=1, max_length=200)]
    settings: Settings = Settings()
    seed: Seed | str | None = None
    sides: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()
    order: tuple[str, ...] = ()
    items: tuple[LyingEntry, ...] = ()
    mechanisms: tuple[MechanismEntry, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    about: str = ""

    ABOUT: ClassVar[dict[str, str]] = ABOUT_SCENE | {
        "system": "the game: altered-realms",
        "map": "tiles of 1 m",
        "creatures": "everybody in the scene",
        "seats": "the people at the table besides the Narrator",
        "order": "whose turn comes when, until initiative is rolled; the order of the creatures where it is not given",
        "items": "what lies about",
        "mechanisms": "locks and traps",
    }


def read_scene(text: str | bytes, source: str) -> State:
    """The first state of a scene file. Raises BadScene with every problem, each with its line and key."""
    document = read(text, source, SceneFile)
    grid = grid_of(document.value.map)
    found = list(problems(document, grid))
    if found:
        raise BadScene(tuple(found))
    return build(document, grid)


def scene_warnings(text: str | bytes, source: str) -> tuple[Problem, ...]:
    """What a good scene file may have meant otherwise."""
    document = read(text, source, SceneFile)
    found = (*armor_warnings(document, document.value), *maneuver_warnings(document, document.value))
    return tuple([replace(problem, warning=True) for problem in found])


def scene_schema() -> dict[str, Any]:
    return schema(SceneFile, "Altered Realms scene")


# -- the first state


def build(document: Document[SceneFile], grid: Grid) -> State:
    file = document.value
    scene = scene_of("altered-realms", document, "creatures", file.settings, grid)
    actors = {entry.id: build_creature(entry, file.settings) for entry in file.creatures}
    facts: dict[str, Fact] = {}
    for lying in file.items:
        name = f"lying {lying.item.name}"
        name = name if name not in facts else f"{name} {len(facts) + 1}"
        facts[name] = Lying(name, replace(lying.item, hand=""), lying.at)
    for m in file.mechanisms:
        named = m.name or spoken(m.id)
        facts[m.id] = Mechanism(
            m.id, m.kind, named, m.at, m.quality, m.dc, m.door, m.on_fail, m.damage, m.type, m.rearms, hidden=m.hidden
        )
    return State(scene, actors, {}, facts, open_doors(file.map))


def build_creature(entry: CreatureEntry, settings: Settings) -> Creature:
    """The creature that an entry describes; a pool that the sheet does not list follows from its attribute."""
    modifiers = {name: (score - settings.average) // 2 for name, score in entry.scores.items()} | entry.modifiers
    stated = {settings.pool_aliases.get(name, name): pool for name, pool in entry.pools.items()}
    maxima = {name: max(0, modifiers.get(attribute, 0)) for name, attribute in POOLS.items()}
    pools = dict(maxima)
    for name, pool in stated.items():
        most, now = (pool, pool) if isinstance(pool, int) else (pool.maximum, pool.current)
        maxima[name] = maxima[name] if most is None else most
        pools[name] = maxima[name] if now is None else now
    return Creature(
        entry.id,
        title_of(entry),
        entry.side,
        entry.seat or GUIDE,
        entry.at,
        size=entry.size,
        attributes=modifiers,
        training=entry.training,
        saves=entry.saves,
        totals=entry.totals,
        pools=pools,
        maxima=maxima,
        own_pools=tuple(stated),
        ac=entry.ac,
        hp=entry.hp,
        hp_max=entry.hp if entry.hp_max is None else entry.hp_max,
        speed=entry.speed,
        moves=entry.moves,
        speeds=entry.speeds,
        hands=entry.hands,
        parts=entry.parts,
        items=in_hands(entry.items, entry.hands),
        weapons=entry.weapons,
        abilities=entry.abilities,
        maneuvers=entry.maneuvers,
        traits=entry.traits,
        base_attacks=entry.attacks,
        base_reactions=entry.reactions,
        maneuver_dc=entry.maneuver_dc,
        maneuver_training=entry.maneuver_training,
        spell_dc=entry.spell_dc,
        spell_training=entry.spell_training,
        casting=entry.casting,
        hidden=entry.hidden,
        reactions=entry.reactions + sum(trait.reactions for trait in entry.traits),
        conditions=entry.conditions,
    )


def in_hands(items: tuple[Item, ...], hands: tuple[Appendage, ...]) -> tuple[Item, ...]:
    """Every item that is in a hand gets one of its own."""
    named = [item.hand for item in items if item.place == "hand" and item.hand]
    free = [hand.name for hand in hands if hand.name not in named]
    placed = []
    for item in items:
        if item.place == "hand" and not item.hand and free:
            item = replace(item, hand=free.pop(0))
        placed.append(item if item.place == "hand" else replace(item, hand=""))
    return tuple(placed)


SAMPLE = """\
# A small Altered Realms scene. `turnwright check FILE` checks it, `turnwright play FILE` plays it.
system: altered-realms
title: At the mill
sides: [heroes, raiders]
seats:
  - {id: ann, name: Ann}

# One character for each tile of 1 m: . is ordinary ground, # a wall, the rest is said in the legend.
map:
  rows:
    - "............"
    - "....##......"
    - "....##..,,.."
    - "........,,.."
    - "............"
  legend:
    ",": {name: mud, difficult: [mud]}

creatures:
  - id: kara
    side: heroes
    seat: ann            # without a seat the Narrator plays it
    at: [1, 1]           # x to the right, y down, from 0
    speed: 6             # metres
    moves: [walk]
    scores: {str: 16, dex: 14, con: 12}
    training: {athletics: 2}
    ac: 15
    hp: 24
    attacks: 2
    items:
      - {name: sword, weapon: {damage: 1d8+3, type: slashing, training: 2}}
      - {name: potion, place: pouch, size: tiny, drink: yes, heals: 1d8+2}
  - id: raider
    side: raiders
    at: [10, 3]
    speed: 6
    moves: [walk]
    modifiers: {str: 2, dex: 1}
    ac: 13
    hp: 16
    items:
      - {name: axe, weapon: {damage: 1d6+2, type: slashing, training: 2}}
"""
