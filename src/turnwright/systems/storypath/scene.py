"""Storypath scene files: their keys, what is checked in them, and the first state that they describe."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from turnwright.documents import BadScene, Document, Problem, read, schema
from turnwright.model import GUIDE, At, Cell, Fact, Relation, Ruling, Seat, State, Struct
from turnwright.scene_file import ABOUT_ACTOR, ABOUT_SCENE, Id, Seed, scene_of, title_of
from turnwright.space.grid import Terrain
from turnwright.space.zones import Way, Zone, Zones
from turnwright.systems.storypath.checking import SOMEWHERE, is_pc, problems, settings_problems, warnings
from turnwright.systems.storypath.events import Complication, Deed, Momentum, On, Reserve, Small
from turnwright.systems.storypath.settings import Settings, with_profile
from turnwright.systems.storypath.sheet import Character, Item, Knack, Weapon

Dots = Annotated[int, Meta(ge=0, le=30)]


class CharacterEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One character of a scene file."""

    id: Id
    name: str = ""
    side: str = ""
    seat: str = ""
    pc: bool | None = None
    at: Cell | str | None = None
    on: str = ""
    tier: str = "heroic"
    skills: dict[str, Dots] = {}
    attributes: dict[str, Dots] = {}
    pools: dict[str, Dots] = {}
    good_at: dict[str, str] = {}
    initiative: Dots | None = None
    enhancement: Dots = 0
    defense: Dots | None = None
    health: Dots | None = None
    soft: Dots = 0
    hard: Dots = 0
    speed: Dots = 10
    weapons: tuple[Weapon, ...] = ()
    items: tuple[Item, ...] = ()
    knacks: tuple[Knack, ...] = ()
    group: str = ""
    minor: bool = False
    open: bool = False
    boxes: dict[str, Dots] = {}
    prone: bool = False

    ABOUT: ClassVar[dict[str, str]] = ABOUT_ACTOR | {
        "pc": "yes: a player character; whoever has a seat is one, where it is not said",
        "at": "a place of the scene, or in a scene in metres a point, [x, y]",
        "on": "the id of whom it is on",
        "tier": "mortal, heroic, demigod or divine; it sets the target number",
        "skills": "Skill ratings, such as: {close combat: 3}",
        "attributes": "Attribute ratings: intellect, might, presence, cunning, dexterity, manipulation, resolve, "
        "stamina, composure",
        "pools": "of an antagonist: primary, secondary, desperation",
        "good_at": "which Skill an antagonist rolls with which pool; desperation for all that is not said",
        "initiative": "its initiative pool, where it is not the best combat Skill and Cunning",
        "enhancement": "of an antagonist: successes added to whatever it rolls",
        "defense": "a Defense number; where it has none, Resilience is rolled",
        "health": "plain boxes, of an antagonist; otherwise they go by Stamina",
        "soft": "soft armour: an injury costs so much more",
        "hard": "hard armour: it takes so many injuries",
        "speed": "maximum speed in metres, in a scene in metres",
        "weapons": "what it attacks with",
        "items": "what it carries, and where; a weapon of the same name is used from the hand only",
        "knacks": "its Knacks",
        "group": "Storyguide characters of one group share an initiative roll",
        "minor": "yes: a fight with it can be settled in one roll",
        "open": "yes: the players know its numbers",
        "boxes": "injuries that it has already, by level",
    }


class DeedEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that can be tried in this scene."""

    name: str
    skill: str = "athletics"
    attribute: str = "dexterity"
    difficulty: Annotated[int, Meta(ge=1, le=20)] | None = None
    enhancement: Dots = 0
    attach: bool = False
    falls: bool = False
    needs_hold: bool = False
    success: str = ""
    failure: str = ""
    complications: tuple[Complication, ...] = ()

    ABOUT: ClassVar[dict[str, str]] = {
        "difficulty": "successes that it takes; the setting deed_difficulty where it is not said",
        "attach": "yes: whoever does it is then on somebody",
        "falls": "yes: whoever fails falls off, and lies there",
        "needs_hold": "yes: only who is on somebody can do it",
        "success": "what success brings, in words",
        "failure": "what failure brings, in words",
        "complications": "what goes along with success unless it is bought off",
    }


class SmallEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A reflexive deed of this scene."""

    name: str
    listed: bool = True
    pool: Dots = 0
    difficulty: Annotated[int, Meta(ge=1, le=20)] = 1

    ABOUT: ClassVar[dict[str, str]] = {
        "listed": "no: it does not count toward what a mixed action has room for",
        "pool": "dice, where it is rolled",
    }


class SceneFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A Storypath scene file."""

    system: Literal["storypath"]
    title: str
    characters: Annotated[tuple[CharacterEntry, ...], Meta(min_length=1, max_length=200)]
    places: tuple[str, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()
    metres: bool = False
    profile: str = ""
    settings: Settings = Settings()
    momentum: Dots = 0
    deeds: tuple[DeedEntry, ...] = ()
    reflexives: tuple[SmallEntry, ...] = ()
    reserves: tuple[CharacterEntry, ...] = ()
    seed: Seed | str | None = None
    sides: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()
    order: tuple[str, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    about: str = ""

    ABOUT: ClassVar[dict[str, str]] = ABOUT_SCENE | {
        "system": "the game: storypath",
        "characters": "everybody in the scene",
        "places": "the places, each one range band from the next in this order, where `ways` says nothing else",
        "ways": "which places are one band apart, such as: [[yard, hall]]",
        "metres": "yes: positions are points in metres, and bands follow from the distance",
        "profile": "settings to begin with: ultra, for Storypath Ultra",
        "momentum": "what the players have to begin with",
        "deeds": "what can be tried in this scene, with a roll",
        "reflexives": "what takes no time in this scene, besides the reflexives of every day",
        "reserves": "who may come later",
        "seats": "the people at the table besides the Storyguide",
        "order": "in which order everybody is shown; turns go by slots. That of the characters where it is not given",
    }


def read_scene(text: str | bytes, source: str) -> State:
    """The first state of a scene file. Raises BadScene with every problem, each with its line and key."""
    document = read(text, source, SceneFile)
    found = list(problems(document))
    settings = Settings()
    if not found:
        settings = settings_of(document)
        found = list(settings_problems(document, settings))
    if found:
        raise BadScene(tuple(found))
    return build(document, settings)


def scene_warnings(text: str | bytes, source: str) -> tuple[Problem, ...]:
    """What a good scene file may have meant otherwise."""
    document = read(text, source, SceneFile)
    return tuple([replace(problem, warning=True) for problem in warnings(document)])


def scene_schema() -> dict[str, Any]:
    return schema(SceneFile, "Storypath scene")


def settings_of(document: Document[SceneFile]) -> Settings:
    """The settings of its profile, and over them those that the file itself gives."""
    written = msgspec.to_builtins(document.value.settings)
    named = document.data.get("settings") or {}
    return with_profile({name: written[name] for name in named if name in written}, document.value.profile)


# -- the first state


def build(document: Document[SceneFile], settings: Settings) -> State:
    file = document.value
    names = file.places or (SOMEWHERE,)
    ways = tuple([Way(a, b) for a, b in file.ways or tuple(pairwise(names))])
    zones = None if file.metres else Zones(tuple([Zone(name, Terrain(name)) for name in names]), ways)
    start: At = (0, 0) if file.metres else names[0]
    actors = {entry.id: build_character(entry, start) for entry in file.characters}
    relations: dict[str, tuple[Relation, ...]] = {}
    mounts = {entry.id: entry.on for entry in file.characters if entry.on}
    for rider, mount in mounts.items():
        relations[rider] = (On(rider, mount),)
        while mount in mounts:
            mount = mounts[mount]
        actors[rider] = replace(actors[rider], at=actors[mount].at)
    scene = scene_of("storypath", document, "characters", settings, None, zones)
    return State(scene, actors, relations, _facts(file, settings, start), mode="metres" if file.metres else "bands")


def _facts(file: SceneFile, settings: Settings, start: At) -> dict[str, Fact]:
    facts: dict[str, Fact] = {"momentum": Momentum("momentum", file.momentum)}
    for entry in file.deeds:
        plain = {field: getattr(entry, field) for field in DeedEntry.__struct_fields__}
        plain["difficulty"] = settings.deed_difficulty if entry.difficulty is None else entry.difficulty
        facts[f"deed {entry.name}"] = Deed(f"deed {entry.name}", **plain)
    for small in file.reflexives:
        name = f"small {small.name}"
        facts[name] = Small(name, small.name, small.listed, small.pool, small.difficulty)
    for late in file.reserves:
        facts[f"reserve {late.id}"] = Reserve(f"reserve {late.id}", build_character(late, start))
    return facts


def build_character(entry: CharacterEntry, start: At) -> Character:
    """The character that an entry describes."""
    return Character(
        entry.id,
        title_of(entry),
        entry.side,
        entry.seat or GUIDE,
        start if entry.at is None else entry.at,
        pc=is_pc(entry),
        tier=entry.tier,
        skills=entry.skills,
        attributes=entry.attributes,
        pools=entry.pools,
        good_at=entry.good_at,
        initiative=entry.initiative,
        enhancement=entry.enhancement,
        defense=entry.defense,
        health=entry.health,
        soft=entry.soft,
        hard=entry.hard,
        speed=entry.speed,
        weapons=entry.weapons,
        items=entry.items,
        knacks=entry.knacks,
        group=entry.group,
        minor=entry.minor,
        open=entry.open,
        boxes=entry.boxes,
        prone=entry.prone,
    )


SAMPLE = """\
# A small Storypath scene. `turnwright check FILE` checks it, `turnwright play FILE` plays it.
system: storypath
title: At the ford
sides: [band, draugar]
seats:
  - {id: ann, name: Ann}
  - {id: bo, name: Bo}

# Each place is one range band from the next.
places: [bank, ford, mound]
momentum: 1

deeds:
  - {name: climb, skill: athletics, attribute: might, difficulty: 1, attach: yes}

characters:
  - id: sigrid
    side: band
    seat: ann            # whoever has a seat is a player character; the Storyguide plays the rest
    at: bank
    skills: {close combat: 3, athletics: 2}
    attributes: {might: 3, dexterity: 2, cunning: 2, stamina: 3, resolve: 2}
    weapons:
      - {name: axe, enhancement: 1}
    items:
      - {name: axe, place: holster}
  - id: orm
    side: band
    seat: bo
    at: bank
    skills: {firearms: 3, close combat: 1}
    attributes: {cunning: 3, dexterity: 3, might: 2, stamina: 2}
    weapons:
      - {name: rifle, skill: firearms, attribute: by range, reach: long}
      - {name: fists}
  - id: draugr
    side: draugar
    at: mound
    pools: {primary: 6, secondary: 4, desperation: 2}
    good_at: {close combat: primary, athletics: secondary}
    defense: 2
    health: 3
    weapons:
      - {name: claws, pool: primary}
"""
