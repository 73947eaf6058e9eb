"""Narateer scene files: their keys, what is checked in them, and the first state that they describe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, field

from turnwright.documents import BadScene, Document, Problem, read, schema
from turnwright.model import Cell, Fact, Ruling, Scene, Seat, State, Struct
from turnwright.space import Door, Grid, Terrain, Wall, shared
from turnwright.space import problems as grid_problems
from turnwright.systems.narateer.events import DoorWay, Obstacle, Secret, Situation
from turnwright.systems.narateer.settings import CONDITIONS, LOADS, Condition, Load, Settings
from turnwright.systems.narateer.sheet import SENSES, Character, Item, Power, Spell, Weapon

Level = Annotated[int, Meta(ge=0)]
Id = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]*$", min_length=1)]


class Attributes(Struct, frozen=True, forbid_unknown_fields=True):
    strength: int = 0
    agility: int = 0


class CharacterEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One character of a scene file."""

    id: Id
    name: str = ""
    side: str = ""
    seat: str = ""
    at: Cell | str | None = None
    attributes: Attributes = Attributes()
    skills: dict[str, Level] = {}
    readiness: dict[str, int] = {}
    ad: Level | None = None
    ready: Level | None = None
    bears: Annotated[int, Meta(ge=1)] | None = None
    wounds: Level = 0
    encumbrance: str = "none"
    conditions: tuple[str, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    powers: tuple[Power, ...] = ()
    items: tuple[Item, ...] = ()
    spells: tuple[Spell, ...] = ()
    pools: dict[str, Level] = {}
    senses: dict[str, Level] = {}
    guards: dict[Literal["melee", "ranged"], str] = {}

    ABOUT: ClassVar[dict[str, str]] = {
        "id": "short name used everywhere else, in small letters",
        "side": "one of the scene's sides",
        "seat": "who plays it; the guide, where it is not said",
        "at": "the Space it stands on, [x, y] from 0, or the name of a zone or place",
        "attributes": "strength and agility; Base Movement is 8 + both, in metres",
        "skills": "Skill Levels by Skill",
        "readiness": "Readiness Scores by Skill; 3 + Skill Level where they are not given",
        "ad": "the size of the AD pool; 6 where it is not said",
        "ready": "Ready AD at the start; all where it is not said",
        "bears": "Wounds it bears before it is down; 3 where it is not said",
        "pools": "what spells cost besides AD, by name",
        "encumbrance": "none, burdened, heavy, overloaded, or a state of the scene's own",
        "conditions": "names of Conditions that it is under",
        "senses": "senses with their range in metres, 0 for no limit; sight and hearing where it is not said",
        "guards": "the Skill that guards against melee and against ranged attacks",
    }


class DoorEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A door between two Spaces, and how it is opened."""

    id: Id
    between: tuple[Cell, Cell]
    name: str = ""
    open: bool = False
    opaque: bool = True
    opens: Literal["trivial", "minor", "check"] = "trivial"
    skill: str = ""
    target: int | None = None
    success: str = ""
    failure: str = ""


class WallEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A wall between two Spaces."""

    between: tuple[Cell, Cell]
    opaque: bool = True


class ObstacleEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Something on a Space that costs metres or calls for a check."""

    at: Cell
    name: str
    tags: tuple[str, ...] = ()
    uncertain: bool = True
    success_changes: bool = True
    failure_changes: bool = True
    metres: Level = 0
    skill: str = ""
    target: int | None = None
    failure: str = ""
    consequence: Literal["", "stop", "lose_part", "lose_all", "prone", "worse_position", "harm", "reroute"] = ""
    amount: Level = 0


class SecretEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Something concealed that a Search can find."""

    id: Id
    name: str
    place: str
    target: int = 0
    sealed: bool = False
    behind: bool = False


class MapEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A map: one character for each Space of 2 m."""

    rows: tuple[str, ...] | str
    legend: dict[str, Terrain] = {}
    walls: tuple[WallEntry, ...] = ()
    doors: tuple[DoorEntry, ...] = ()
    places: dict[str, tuple[Cell, ...]] = {}

    ABOUT: ClassVar[dict[str, str]] = {
        "rows": "the map as text; . is ordinary ground and # a wall, the rest is said in the legend",
        "legend": "what each character of the map stands for",
        "places": "named places and their Spaces",
    }


class SituationEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """What the guide lays out at the start."""

    opportunities: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    threats: tuple[str, ...] = ()
    stakes: tuple[str, ...] = ()


class SceneFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A Narateer scene file."""

    system: Literal["narateer"]
    title: str
    characters: Annotated[tuple[CharacterEntry, ...], Meta(min_length=1, max_length=200)]
    mode: Literal["tactical", "cinematic", "story"] = "tactical"
    settings: Settings = Settings()
    seed: int | str | None = None
    sides: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()
    map: MapEntry | None = None
    conditions: dict[str, Condition] = {}
    encumbrance_states: dict[str, Load] = {}
    order: tuple[str, ...] = ()
    situation: SituationEntry = SituationEntry()
    obstacles: tuple[ObstacleEntry, ...] = ()
    secrets: tuple[SecretEntry, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    about: str = field(default="")

    ABOUT: ClassVar[dict[str, str]] = {
        "system": "the game: narateer",
        "title": "what the scene is called",
        "mode": "tactical, cinematic or story",
        "settings": "any setting of the game; see `turnwright rule ID` for what each means",
        "seed": "for the same dice every time; a secret one is drawn where it is not given",
        "sides": "the sides, in the order in which they are shown",
        "seats": "the people at the table besides the guide",
        "map": "the Spaces of a tactical scene",
        "conditions": "Conditions of the scene's own",
        "encumbrance_states": "Encumbrance states of the scene's own",
        "order": "whose Activation comes when; the order of the characters where it is not given",
        "situation": "opportunities, obstacles, threats and stakes that the guide lays out",
        "obstacles": "obstacles on Spaces",
        "secrets": "concealed things that a Search can find",
        "rulings": "rulings of this table that are offered again",
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
    return schema(SceneFile, "Narateer scene")


def rows_of(file: SceneFile) -> tuple[str, ...]:
    assert file.map is not None
    rows = file.map.rows
    return tuple(line for line in rows.splitlines() if line.strip()) if isinstance(rows, str) else rows


def grid_of(file: SceneFile) -> Grid | None:
    if file.map is None:
        return None
    walls = tuple(Wall(w.between[0], w.between[1], w.opaque) for w in file.map.walls)
    doors = tuple(Door(d.id, d.between[0], d.between[1], d.opaque, d.open) for d in file.map.doors)
    return shared(Grid(rows_of(file), file.map.legend, walls, doors, file.map.places))


def _problems(document: Document[SceneFile], file: SceneFile, grid: Grid | None) -> Iterator[Problem]:
    if grid is not None:
        for path, text in grid_problems(grid):
            key = tuple("between" if part in ("a", "b") else part for part in path)
            yield document.problem(("map", *key), text, "")
    elif file.mode == "tactical":
        yield document.problem(("mode",), "a map, in Tactical Mode", "no map", "add `map`, or say `mode: story`")
    tiers = (file.settings.trivial, file.settings.minor, file.settings.major)
    if not 0 <= tiers[0] <= tiers[1] <= tiers[2]:
        yield document.problem(("settings",), "trivial <= minor <= major, none below 0", f"{tiers}")
    ids = [entry.id for entry in file.characters]
    seats = [seat.id for seat in file.seats]
    for index, entry in enumerate(file.characters):
        yield from _character_problems(document, file, grid, index, entry, ids, seats)
    for index, name in enumerate(file.order):
        if name not in ids:
            yield document.problem(("order", index), f"one of the characters: {', '.join(ids)}", repr(name))
    for index, secret in enumerate(file.secrets):
        if grid is not None and not grid.cells_of(secret.place) and not secret.place:
            yield document.problem(("secrets", index, "place"), "a place", repr(secret.place))
    for index, hurdle in enumerate(file.obstacles):
        if grid is not None and not grid.contains(hurdle.at):
            yield document.problem(("obstacles", index, "at"), "a Space of the map", str(hurdle.at))


def _character_problems(
    document: Document[SceneFile],
    file: SceneFile,
    grid: Grid | None,
    index: int,
    entry: CharacterEntry,
    ids: list[str],
    seats: list[str],
) -> Iterator[Problem]:
    path = ("characters", index)
    if ids.index(entry.id) != index:
        yield document.problem((*path, "id"), "a name that no other character has", repr(entry.id))
    if file.sides and entry.side not in file.sides:
        yield document.problem((*path, "side"), f"one of {', '.join(file.sides)}", repr(entry.side))
    if entry.seat and entry.seat != "guide" and entry.seat not in seats:
        listed = ", ".join(["guide", *seats])
        yield document.problem((*path, "seat"), f"one of the seats: {listed}", repr(entry.seat))
    known = [*CONDITIONS, *file.conditions]
    for number, name in enumerate(entry.conditions):
        if name not in known:
            yield document.problem((*path, "conditions", number), f"one of {', '.join(known)}", repr(name))
    states = [*LOADS, *file.encumbrance_states]
    if entry.encumbrance not in states:
        yield document.problem((*path, "encumbrance"), f"one of {', '.join(states)}", repr(entry.encumbrance))
    for number, weapon in enumerate(entry.weapons):
        if weapon.kind not in ("melee", "ranged"):
            yield document.problem((*path, "weapons", number, "kind"), "melee or ranged", repr(weapon.kind))
    yield from _position_problems(document, file, grid, index, entry)


def _position_problems(
    document: Document[SceneFile], file: SceneFile, grid: Grid | None, index: int, entry: CharacterEntry
) -> Iterator[Problem]:
    path = ("characters", index, "at")
    if grid is None or file.mode != "tactical":
        return
    if not isinstance(entry.at, tuple):
        yield document.problem(path, "a Space of the map, [x, y]", repr(entry.at))
    elif not grid.contains(entry.at):
        size = f"[0, 0] to [{grid.width - 1}, {grid.height - 1}]"
        yield document.problem(path, f"a Space of the map, {size}", str(list(entry.at)))
    elif grid.terrain(entry.at).blocked:
        yield document.problem(path, "a Space that can be stood on", f"{grid.terrain(entry.at).name}")
    else:
        for other in file.characters[:index]:
            if other.at == entry.at:
                yield document.problem(path, "a Space of its own", f"the Space of {other.id}")


def build(file: SceneFile, grid: Grid | None, data: dict[str, Any]) -> State:
    from msgspec.structs import replace

    settings = replace(file.settings, conditions=file.conditions, loads=file.encumbrance_states)
    ids = tuple(entry.id for entry in file.characters)
    sides = file.sides or tuple(dict.fromkeys(entry.side for entry in file.characters))
    scene = Scene("narateer", file.title, settings, grid, file.seats, sides, file.order or ids, file.rulings, data)
    actors = {entry.id: build_character(entry, settings) for entry in file.characters}
    facts = {fact.id: fact for fact in _facts(file)}
    doors = tuple(sorted(door.id for door in grid.doors if door.open)) if grid is not None else ()
    return State(scene, actors, {}, facts, doors, file.mode)


def build_character(entry: CharacterEntry, settings: Settings) -> Character:
    pool = settings.ad if entry.ad is None else entry.ad
    return Character(
        entry.id,
        entry.name or entry.id.replace("_", " ").title(),
        entry.side,
        entry.seat or "guide",
        entry.at,
        strength=entry.attributes.strength,
        agility=entry.attributes.agility,
        skills=entry.skills,
        readiness=entry.readiness,
        ad=pool,
        bears=settings.wounds if entry.bears is None else entry.bears,
        encumbrance=entry.encumbrance,
        conditions=entry.conditions,
        weapons=entry.weapons,
        powers=entry.powers,
        items=entry.items,
        spells=entry.spells,
        pools=entry.pools,
        senses=entry.senses or SENSES,
        guards={str(kind): skill for kind, skill in entry.guards.items()},
        ready=pool if entry.ready is None else entry.ready,
        wounds=entry.wounds,
    )


def _facts(file: SceneFile) -> Iterator[Fact]:
    told = file.situation
    yield Situation("situation", told.opportunities, told.obstacles, told.threats, told.stakes)
    for o in file.obstacles:
        yield Obstacle(
            f"obstacle {o.at[0]},{o.at[1]}",
            o.name,
            o.at,
            o.tags,
            o.uncertain,
            o.success_changes,
            o.failure_changes,
            o.metres,
            o.skill,
            o.target,
            o.failure,
            o.consequence,
            o.amount,
        )
    for s in file.secrets:
        yield Secret(s.id, s.name, s.place, s.sealed, s.behind, s.target)
    for d in file.map.doors if file.map is not None else ():
        yield DoorWay(d.id, d.name or d.id, d.opens, d.skill, d.target, d.success, d.failure)


SAMPLE = """\
# A small Narateer scene. `turnwright check FILE` checks it, `turnwright play FILE` plays it.
system: narateer
title: At the well
mode: tactical
sides: [heroes, guards]
seats:
  - {id: ann, name: Ann}

# One character for each Space of 2 m: . is ordinary ground, # a wall, the rest is said in the legend.
map:
  rows:
    - "............"
    - "...##......."
    - "...##..,,..."
    - ".......,,..."
    - "............"
  legend:
    ",": {name: thicket, difficult: [undergrowth], conceals: [sight], place: thicket}

characters:
  - id: selka
    side: heroes
    seat: ann            # without a seat the guide plays it
    at: [1, 1]           # x to the right, y down, from 0
    attributes: {strength: 2, agility: 4}
    skills: {stealth: 2, melee: 1, observation: 1}
    weapons:
      - {name: knife, kind: melee, base_attack_cost: 1, wounds: 1}
  - id: guard
    side: guards
    at: [9, 3]
    attributes: {strength: 3, agility: 2}
    skills: {observation: 1, melee: 2}
    weapons:
      - {name: spear, kind: melee, base_attack_cost: 1, wounds: 1, reach: 2}

situation:
  opportunities: [the thicket by the well hides whoever stands in it]
  threats: [the guard makes his rounds]
  stakes: [a shout brings the others]
"""
