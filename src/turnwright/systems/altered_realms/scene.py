"""Altered Realms scene files: their keys, what is checked in them, and the first state that they describe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from turnwright.documents import BadScene, Document, Problem, read, schema
from turnwright.model import Cell, Fact, Ruling, Scene, Seat, State, Struct
from turnwright.space import Door, Grid, Terrain, Wall, shared
from turnwright.space import problems as grid_problems
from turnwright.systems.altered_realms.armor import slower_when_lighter
from turnwright.systems.altered_realms.events import Lying, Mechanism
from turnwright.systems.altered_realms.settings import ATTRIBUTES, CONDITIONS, POOLS, REGIONS, Settings
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
    pool_of,
    skills,
)
from turnwright.systems.altered_realms.targeting import finer_is_harder

Id = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]*$", min_length=1)]


class PoolEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An Attribute Resource Pool: how many points there are, and how many there can be."""

    current: Whole | None = None
    maximum: Whole | None = None


class CreatureEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One creature of a scene file."""

    id: Id
    speed: Whole
    moves: Annotated[tuple[str, ...], Meta(min_length=1)]
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

    ABOUT: ClassVar[dict[str, str]] = {
        "id": "short name used everywhere else, in small letters",
        "speed": "move speed in metres",
        "moves": "movement types, such as: [walk]",
        "side": "one of the scene's sides",
        "seat": "who plays it; the guide, where it is not said",
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


class WallEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A wall between two tiles."""

    between: tuple[Cell, Cell]
    opaque: bool = True


class DoorEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A door between two tiles."""

    id: Id
    between: tuple[Cell, Cell]
    open: bool = False
    opaque: bool = True


class MapEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A map: one character for each tile of 1 m."""

    rows: tuple[str, ...] | str
    legend: dict[str, Terrain] = {}
    walls: tuple[WallEntry, ...] = ()
    doors: tuple[DoorEntry, ...] = ()
    places: dict[str, tuple[Cell, ...]] = {}

    ABOUT: ClassVar[dict[str, str]] = {
        "rows": "the map as text; . is ordinary ground and # a wall, the rest is said in the legend",
        "legend": "what each character stands for; `difficult` costs double, `drop` is a fall in metres",
    }


class SceneFile(Struct, frozen=True, forbid_unknown_fields=True):
    """An Altered Realms scene file."""

    system: str
    title: str
    map: MapEntry
    creatures: Annotated[tuple[CreatureEntry, ...], Meta(min_length=1, max_length=200)]
    settings: Settings = Settings()
    seed: int | str | None = None
    sides: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()
    order: tuple[str, ...] = ()
    items: tuple[LyingEntry, ...] = ()
    mechanisms: tuple[MechanismEntry, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    about: str = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "system": "the game: altered-realms",
        "title": "what the scene is called",
        "map": "tiles of 1 m",
        "creatures": "everybody in the scene",
        "settings": "any setting of the game; see `turnwright rule ID` for what each means",
        "seed": "for the same dice every time; a secret one is drawn where it is not given",
        "sides": "the sides, in the order in which they are shown",
        "seats": "the people at the table besides the Narrator",
        "order": "whose turn comes when, until initiative is rolled; the order of the creatures where it is not given",
        "items": "what lies about",
        "mechanisms": "locks and traps",
        "rulings": "rulings that are offered again; `when` is `action: method`, and behind each | a circumstance",
        "about": "a few lines on the scene",
    }


def read_scene(text: str | bytes, source: str) -> State:
    """The first state of a scene file. Raises BadScene with every problem, each with its line and key."""
    document = read(text, source, SceneFile)
    file = document.value
    grid = grid_of(file)
    found = list(_problems(document, file, grid))
    if found:
        raise BadScene(tuple(found))
    return build(file, grid, document.data)


def scene_schema() -> dict[str, Any]:
    return schema(SceneFile, "Altered Realms scene")


def grid_of(file: SceneFile) -> Grid:
    rows = file.map.rows
    lines = tuple(line for line in rows.splitlines() if line.strip()) if isinstance(rows, str) else rows
    walls = tuple(Wall(wall.between[0], wall.between[1], wall.opaque) for wall in file.map.walls)
    doors = tuple(Door(door.id, door.between[0], door.between[1], door.opaque, door.open) for door in file.map.doors)
    return shared(Grid(lines, file.map.legend, walls, doors, file.map.places))


# -- problems


def _problems(document: Document[SceneFile], file: SceneFile, grid: Grid) -> Iterator[Problem]:
    if file.system != "altered-realms":
        yield document.problem(("system",), "altered-realms", repr(file.system))
    for path, text in grid_problems(grid):
        key = tuple("between" if part in ("a", "b") else part for part in path)
        yield document.problem(("map", *key), text, "")
    yield from _settings_problems(document, file)
    yield from _mechanism_problems(document, file, grid)
    yield from _armor_problems(document, file)
    ids = [entry.id for entry in file.creatures]
    for index in range(len(file.creatures)):
        yield from _creature_problems(document, file, index, ids)
        yield from _contents_problems(document, file, index)
        yield from _position_problems(document, file, grid, index)
    for index, name in enumerate(file.order):
        if name not in ids:
            yield document.problem(("order", index), f"one of the creatures: {', '.join(ids)}", repr(name))
    for index, lying in enumerate(file.items):
        if not grid.contains(lying.at):
            yield document.problem(("items", index, "at"), "a tile of the map", str(list(lying.at)))


def _mechanism_problems(document: Document[SceneFile], file: SceneFile, grid: Grid) -> Iterator[Problem]:
    doors = [door.id for door in file.map.doors]
    for index, found in enumerate(file.mechanisms):
        path = ("mechanisms", index)
        table = file.settings.lock_dc if found.kind == "lock" else file.settings.trap_dc
        if not grid.contains(found.at):
            yield document.problem((*path, "at"), "a tile of the map", str(list(found.at)))
        if found.dc is None and found.quality not in table:
            yield document.problem((*path, "quality"), f"one of {', '.join(table)}", repr(found.quality))
        if found.door and found.door not in doors:
            yield document.problem((*path, "door"), f"one of {', '.join(doors) or 'none'}", repr(found.door))
        if found.damage:
            yield from _damage_problems(document, (*path, "damage"), found.damage)


def _settings_problems(document: Document[SceneFile], file: SceneFile) -> Iterator[Problem]:
    """Rules: altered-realms.targeting.difficulty-rises-as-size-falls."""
    for name in finer_is_harder({**REGIONS, **file.settings.regions}):
        right = "a region as hard to hit as what it belongs to, or harder"
        yield document.problem(("settings", "regions", name), right, "an easier one")
    for name, pool in file.settings.pool_aliases.items():
        if pool not in POOLS:
            right = f"one of {', '.join(POOLS)}"
            yield document.problem(("settings", "pool_aliases", name), right, repr(pool))
    try:
        pool_of(file.settings.unarmed)
    except ValueError:
        yield document.problem(("settings", "unarmed"), "damage such as 1d4+2", repr(file.settings.unarmed))


def _creature_problems(document: Document[SceneFile], file: SceneFile, index: int, ids: list[str]) -> Iterator[Problem]:
    entry, path = file.creatures[index], ("creatures", index)
    if ids.index(entry.id) != index:
        yield document.problem((*path, "id"), "a name that no other creature has", repr(entry.id))
    if file.sides and entry.side not in file.sides:
        yield document.problem((*path, "side"), f"one of {', '.join(file.sides)}", repr(entry.side))
    seats = ["guide", *[seat.id for seat in file.seats]]
    if entry.seat and entry.seat not in seats:
        yield document.problem((*path, "seat"), f"one of the seats: {', '.join(seats)}", repr(entry.seat))
    if entry.size not in file.settings.sizes:
        yield document.problem((*path, "size"), f"one of {', '.join(file.settings.sizes)}", repr(entry.size))
    for key, named in (("scores", entry.scores), ("modifiers", entry.modifiers), ("saves", entry.saves)):
        for name in named:
            if name not in ATTRIBUTES:
                yield document.problem((*path, key, name), f"one of {', '.join(ATTRIBUTES)}", repr(name))
    if entry.casting not in ATTRIBUTES:
        yield document.problem((*path, "casting"), f"one of {', '.join(ATTRIBUTES)}", repr(entry.casting))
    for name in entry.pools:
        if file.settings.pool_aliases.get(name, name) not in POOLS:
            yield document.problem((*path, "pools", name), f"one of {', '.join(POOLS)}", repr(name))
    known = [*CONDITIONS, *file.settings.conditions]
    for number, name in enumerate(entry.conditions):
        if name not in known:
            yield document.problem((*path, "conditions", number), f"one of {', '.join(known)}", repr(name))
    every = skills(State(Scene("", "", file.settings), {}))
    for name in entry.training:
        if name not in every:
            yield document.problem((*path, "training", name), f"one of {', '.join(every)}", repr(name))


def _contents_problems(document: Document[SceneFile], file: SceneFile, index: int) -> Iterator[Problem]:
    """Damage can be read, names are used once, and every hand holds what it can hold."""
    entry, path = file.creatures[index], ("creatures", index)
    names = [item.name for item in entry.items] + [weapon.name for weapon in entry.weapons]
    for key, weapons in (("items", [item.weapon for item in entry.items]), ("weapons", list(entry.weapons))):
        for number, weapon in enumerate(weapons):
            where = (*path, key, number, "weapon", "damage") if key == "items" else (*path, key, number, "damage")
            if weapon is not None:
                yield from _damage_problems(document, where, weapon.damage)
    for number, item in enumerate(entry.items):
        here = (*path, "items", number)
        if names.index(item.name) != number:
            yield document.problem((*here, "name"), "a name that nothing else on this sheet has", repr(item.name))
        if item.size not in file.settings.sizes:
            yield document.problem((*here, "size"), f"one of {', '.join(file.settings.sizes)}", repr(item.size))
        if item.heals:
            yield from _damage_problems(document, (*here, "heals"), item.heals)
        hands = [hand.name for hand in entry.hands]
        if item.hand and item.hand not in hands:
            yield document.problem((*here, "hand"), f"one of {', '.join(hands)}", repr(item.hand))
    for number, ability in enumerate(entry.abilities):
        here = (*path, "abilities", number)
        for key, text in (("damage", ability.damage), ("heals", ability.heals)):
            if text:
                yield from _damage_problems(document, (*here, key), text)
        named = [*ability.cost, *([ability.pool] if ability.pool else [])]
        for name in named:
            if file.settings.pool_aliases.get(name, name) not in POOLS:
                yield document.problem(here, f"pools: {', '.join(POOLS)}", repr(name))
        if ability.sustain and not ability.pool:
            yield document.problem((*here, "sustain"), "the `pool` that it is sustained by", "none")
    for number, weapon in enumerate(entry.weapons):
        if not weapon.name:
            yield document.problem((*path, "weapons", number), "a name", "none")
    held = [item for item in entry.items if item.place == "hand"]
    if len(held) > len(entry.hands):
        right = f"at most {len(entry.hands)} items in hands"
        yield document.problem((*path, "items"), right, str(len(held)), "put some in a pouch, holster or pack")


def _armor_problems(document: Document[SceneFile], file: SceneFile) -> Iterator[Problem]:
    """Rules: altered-realms.armor.lighter-is-quicker."""
    worn = [(item.name, item.armor) for entry in file.creatures for item in entry.items if item.armor is not None]
    for lighter, heavier in dict.fromkeys(slower_when_lighter(worn)):
        right = f"no longer don and doff times for {lighter} than for {heavier}"
        yield document.problem(("creatures",), right, "longer ones for the lighter armour")


def _damage_problems(document: Document[SceneFile], path: tuple[str | int, ...], text: str) -> Iterator[Problem]:
    try:
        pool_of(text)
    except ValueError:
        yield document.problem(path, "dice such as 1d8+3, or a number", repr(text))


def _position_problems(document: Document[SceneFile], file: SceneFile, grid: Grid, index: int) -> Iterator[Problem]:
    entry, path = file.creatures[index], ("creatures", index, "at")
    if entry.at is None:
        yield document.problem(path, "a tile of the map, [x, y]", "none")
        return
    filled = _filled(file, entry)
    if not all(grid.contains(cell) for cell in filled):
        size = f"[0, 0] to [{grid.width - 1}, {grid.height - 1}]"
        yield document.problem(path, f"tiles of the map, {size}", str(list(entry.at)))
        return
    blocked = [cell for cell in filled if grid.terrain(cell).blocked]
    if blocked:
        yield document.problem(path, "tiles that can be stood on", grid.terrain(blocked[0]).name)
    for other in file.creatures[:index]:
        if other.at is not None and any(cell in _filled(file, other) for cell in filled):
            yield document.problem(path, "tiles of its own", f"those of {other.id}")


def _filled(file: SceneFile, entry: CreatureEntry) -> tuple[Cell, ...]:
    across = file.settings.footprints.get(entry.size, 1)
    x, y = entry.at or (0, 0)
    return tuple([(x + dx, y + dy) for dy in range(across) for dx in range(across)])


# -- the first state


def build(file: SceneFile, grid: Grid, data: dict[str, Any]) -> State:
    ids = tuple(entry.id for entry in file.creatures)
    sides = file.sides or tuple(dict.fromkeys(entry.side for entry in file.creatures))
    order = file.order or ids
    scene = Scene("altered-realms", file.title, file.settings, grid, file.seats, sides, order, file.rulings, data)
    scene = replace(scene, seed=file.seed)
    actors = {entry.id: build_creature(entry, file.settings) for entry in file.creatures}
    facts: dict[str, Fact] = {}
    for lying in file.items:
        name = f"lying {lying.item.name}"
        name = name if name not in facts else f"{name} {len(facts) + 1}"
        facts[name] = Lying(name, replace(lying.item, hand=""), lying.at)
    for m in file.mechanisms:
        named = m.name or m.id.replace("_", " ")
        facts[m.id] = Mechanism(
            m.id, m.kind, named, m.at, m.quality, m.dc, m.door, m.on_fail, m.damage, m.type, m.rearms, hidden=m.hidden
        )
    doors = tuple(sorted(door.id for door in file.map.doors if door.open))
    return State(scene, actors, {}, facts, doors)


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
        entry.name or entry.id.replace("_", " ").title(),
        entry.side,
        entry.seat or "guide",
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
