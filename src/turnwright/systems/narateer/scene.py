"""Narateer scene files: their keys, what is checked in them, and the first state that they describe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from turnwright.documents import BadScene, Document, read, schema
from turnwright.model import GUIDE, Cell, Fact, Ruling, Seat, State, Struct
from turnwright.scene_file import ABOUT_ACTOR, ABOUT_SCENE, Id, Seed, WallEntry, grid_of, open_doors, scene_of, title_of
from turnwright.space import Grid, Terrain
from turnwright.systems.narateer.checking import problems, zones_in
from turnwright.systems.narateer.events import DoorWay, Obstacle, Secret, Situation
from turnwright.systems.narateer.layout import (
    RelationEntry,
    WayEntry,
    ZoneEntry,
    placed,
    relation_facts,
    with_relations,
)
from turnwright.systems.narateer.obstacles import way_key
from turnwright.systems.narateer.settings import Condition, Load, Settings
from turnwright.systems.narateer.sheet import SENSES, Character, Item, Power, Spell, Weapon

Level = Annotated[int, Meta(ge=0)]


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

    ABOUT: ClassVar[dict[str, str]] = ABOUT_ACTOR | {
        "at": "the Space it stands on, [x, y] from 0, or the name of a zone or place",
        "attributes": "strength and agility; Base Movement is 8 + both, in metres",
        "skills": "Skill Levels by Skill",
        "readiness": "Readiness Scores by Skill; 3 + Skill Level where they are not given",
        "ad": "the size of the AD pool; 6 where it is not said",
        "ready": "Ready AD at the start; all where it is not said",
        "bears": "Wounds it bears before it is down; 3 where it is not said",
        "pools": "what spells cost besides AD, by name; also how often an item can still be used",
        "encumbrance": "none, burdened, heavy, overloaded, or a state of the scene's own",
        "conditions": "names of Conditions that it is under",
        "senses": "senses with their range in metres, 0 for no limit; sight and hearing where it is not said",
        "guards": "the Skill that guards against melee and against ranged attacks",
    }


class DoorEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A door between two Spaces, or two Zones or places, and how it is opened."""

    id: Id
    between: tuple[Cell | str, Cell | str]
    name: str = ""
    open: bool = False
    opaque: bool = True
    opens: Literal["trivial", "minor", "check"] = "trivial"
    skill: str = ""
    target: int | None = None
    success: str = ""
    failure: str = ""
    breaks: bool = False


class ObstacleEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Something on a Space, in a Zone or on a way that costs metres or calls for a check."""

    name: str
    at: Cell | str | None = None
    way: tuple[str, str] | None = None
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
    """A map: one character for each Space of 2 m, or Zones with ways between them, or both."""

    rows: tuple[str, ...] | str = ()
    legend: dict[str, Terrain] = {}
    walls: tuple[WallEntry, ...] = ()
    doors: tuple[DoorEntry, ...] = ()
    places: dict[str, tuple[Cell, ...]] = {}
    zones: dict[Id, ZoneEntry] = {}
    ways: tuple[WayEntry, ...] = ()
    file: str = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "file": "a Universal VTT file beside the scene, in place of rows, walls and doors",
        "rows": "the map as text; . is ordinary ground and # a wall, the rest is said in the legend",
        "legend": "what each character of the map stands for",
        "places": "named places and their Spaces",
        "zones": "the Zones of a cinematic scene by their ids",
        "ways": "the ways between Zones",
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
    seed: Seed | str | None = None
    sides: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()
    map: MapEntry | None = None
    conditions: dict[str, Condition] = {}
    encumbrance_states: dict[str, Load] = {}
    order: tuple[str, ...] = ()
    situation: SituationEntry = SituationEntry()
    relations: tuple[RelationEntry, ...] = ()
    obstacles: tuple[ObstacleEntry, ...] = ()
    secrets: tuple[SecretEntry, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    about: str = field(default="")

    ABOUT: ClassVar[dict[str, str]] = ABOUT_SCENE | {
        "system": "the game: narateer",
        "mode": "tactical, cinematic or story",
        "seats": "the people at the table besides the guide",
        "map": "the Spaces of a tactical scene, the Zones of a cinematic one",
        "relations": "what is stated in a story scene: who is near what, what parts places, and ways past it",
        "conditions": "Conditions of the scene's own",
        "encumbrance_states": "Encumbrance states of the scene's own",
        "order": "whose Activation comes when; the order of the characters where it is not given",
        "situation": "opportunities, obstacles, threats and stakes that the guide lays out",
        "obstacles": "obstacles on Spaces, in Zones and on ways",
        "secrets": "concealed things that a Search can find",
    }


def read_scene(text: str | bytes, source: str, actions: tuple[str, ...]) -> State:
    """The first state of a scene file. Raises BadScene with every problem, each with its line and key.

    `actions` are those of the game, which the file may name.
    """
    document = read(text, source, SceneFile)
    drawn = document.value.map
    grid = grid_of(drawn) if drawn is not None and drawn.rows else None
    found = list(problems(document, grid, actions))
    if found:
        raise BadScene(tuple(found))
    return build(document, grid)


def scene_schema() -> dict[str, Any]:
    return schema(SceneFile, "Narateer scene")


def build(document: Document[SceneFile], grid: Grid | None) -> State:
    file = document.value
    settings = replace(file.settings, conditions=file.conditions, loads=file.encumbrance_states)
    scene = scene_of("narateer", document, "characters", settings, grid, zones_in(file, grid))
    actors = {entry.id: build_character(entry, settings, file.mode) for entry in file.characters}
    facts = {fact.id: fact for fact in _facts(file)}
    doors = open_doors(file.map) if file.map is not None else ()
    return with_relations(State(scene, actors, {}, facts, doors, file.mode), file.relations)


def build_character(entry: CharacterEntry, settings: Settings, mode: str = "tactical") -> Character:
    pool = settings.ad if entry.ad is None else entry.ad
    return Character(
        entry.id,
        title_of(entry),
        entry.side,
        entry.seat or GUIDE,
        placed(entry.at, mode),
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
        pools={i.name: i.uses for i in entry.items if i.uses is not None} | entry.pools,
        senses=entry.senses or SENSES,
        guards={str(kind): skill for kind, skill in entry.guards.items()},
        ready=pool if entry.ready is None else entry.ready,
        wounds=entry.wounds,
    )


def _facts(file: SceneFile) -> Iterator[Fact]:
    told = file.situation
    yield Situation("situation", told.opportunities, told.obstacles, told.threats, told.stakes)
    yield from relation_facts(file.relations)
    for o in file.obstacles:
        where = way_key(*o.way) if o.way is not None else o.at if o.at is not None else ""
        yield Obstacle(
            f"obstacle {where if isinstance(where, str) else ','.join(map(str, where))}",
            o.name,
            where,
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
        yield DoorWay(d.id, d.name or d.id, d.opens, d.skill, d.target, d.success, d.failure, d.breaks)


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
