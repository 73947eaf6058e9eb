"""Storypath scene files: their keys, what is checked in them, and the first state that they describe."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from turnwright.documents import BadScene, Document, Problem, read, schema
from turnwright.model import At, Cell, Fact, Relation, Ruling, Scene, Seat, State, Struct
from turnwright.space.grid import Terrain
from turnwright.space.zones import Way, Zone, Zones
from turnwright.systems.storypath.events import Complication, Deed, Momentum, On, Reserve, Small
from turnwright.systems.storypath.settings import (
    ATTRIBUTES,
    BANDS,
    LEVELS,
    PROFILES,
    STUNTS,
    TIERS,
    Settings,
    with_profile,
)
from turnwright.systems.storypath.sheet import Character, Item, Knack, Weapon

Id = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]*$", min_length=1)]
Dots = Annotated[int, Meta(ge=0, le=30)]
POOLS = ("primary", "secondary", "desperation")


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

    ABOUT: ClassVar[dict[str, str]] = {
        "id": "short name used everywhere else, in small letters",
        "side": "one of the scene's sides",
        "seat": "who plays it; the Storyguide, where it is not said",
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

    system: str
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
    seed: int | str | None = None
    sides: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    about: str = ""

    ABOUT: ClassVar[dict[str, str]] = {
        "system": "the game: storypath",
        "title": "what the scene is called",
        "characters": "everybody in the scene",
        "places": "the places, each one range band from the next in this order, where `ways` says nothing else",
        "ways": "which places are one band apart, such as: [[yard, hall]]",
        "metres": "yes: positions are points in metres, and bands follow from the distance",
        "profile": "settings to begin with: ultra, for Storypath Ultra",
        "settings": "any setting of the game; see `turnwright rule ID` for what each means",
        "momentum": "what the players have to begin with",
        "deeds": "what can be tried in this scene, with a roll",
        "reflexives": "what takes no time in this scene, besides the reflexives of every day",
        "reserves": "who may come later",
        "seed": "for the same dice every time; a secret one is drawn where it is not given",
        "sides": "the sides, in the order in which they are shown",
        "seats": "the people at the table besides the Storyguide",
        "rulings": "rulings that are offered again; `when` is `action: method`, and behind each | a circumstance",
        "about": "a few lines on the scene",
    }


def read_scene(text: str | bytes, source: str) -> State:
    """The first state of a scene file. Raises BadScene with every problem, each with its line and key."""
    document = read(text, source, SceneFile)
    file = document.value
    found = list(_problems(document, file))
    if not found:
        file = _with_profile(document, file)
        found = list(_settings_problems(document, file.settings))
    if found:
        raise BadScene(tuple(found))
    return build(file, document.data)


def scene_schema() -> dict[str, Any]:
    return schema(SceneFile, "Storypath scene")


def _with_profile(document: Document[SceneFile], file: SceneFile) -> SceneFile:
    written = msgspec.to_builtins(file.settings)
    named = document.data.get("settings") or {}
    return replace(
        file, settings=with_profile({name: written[name] for name in named if name in written}, file.profile)
    )


# -- problems


def _problems(document: Document[SceneFile], file: SceneFile) -> Iterator[Problem]:
    if file.system != "storypath":
        yield document.problem(("system",), "storypath", repr(file.system))
    if file.profile and file.profile not in PROFILES:
        yield document.problem(("profile",), f"one of {', '.join(PROFILES)}", repr(file.profile))
    for index, way in enumerate(file.ways):
        for end in way:
            if end not in file.places:
                yield document.problem(("ways", index), f"one of the places: {', '.join(file.places)}", repr(end))
    for index, place in enumerate(file.places):
        if file.places.index(place) != index:
            yield document.problem(("places", index), "a name that no other place has", repr(place))
    names = [deed.name for deed in file.deeds]
    for index, name in enumerate(names):
        if names.index(name) != index or name in TAKEN:
            yield document.problem(("deeds", index, "name"), f"a name of its own, not {', '.join(TAKEN)}", repr(name))
    every = [*file.characters, *file.reserves]
    ids = [entry.id for entry in every]
    for key, entries in (("characters", file.characters), ("reserves", file.reserves)):
        for index, entry in enumerate(entries):
            path = (key, index)
            if ids.count(entry.id) > 1 and entry is not every[ids.index(entry.id)]:
                yield document.problem((*path, "id"), "a name that nobody else has", repr(entry.id))
            yield from _character_problems(document, file, path, entry, ids)


TAKEN = ("attack", "hurry", "rush", "full_defense", "look", "draw", "stand", "small_deed", "move")


def _character_problems(
    document: Document[SceneFile], file: SceneFile, path: tuple[str | int, ...], entry: CharacterEntry, ids: list[str]
) -> Iterator[Problem]:
    if file.sides and entry.side not in file.sides:
        yield document.problem((*path, "side"), f"one of {', '.join(file.sides)}", repr(entry.side))
    seats = ["guide", *[seat.id for seat in file.seats]]
    if entry.seat and entry.seat not in seats:
        yield document.problem((*path, "seat"), f"one of the seats: {', '.join(seats)}", repr(entry.seat))
    if entry.tier not in TIERS:
        yield document.problem((*path, "tier"), f"one of {', '.join(TIERS)}", repr(entry.tier))
    if entry.group and is_pc(entry):
        right = "no group: only Storyguide characters share a roll"
        yield document.problem((*path, "group"), right, repr(entry.group))
    if entry.on and entry.on not in ids:
        yield document.problem((*path, "on"), f"one of {', '.join(ids)}", repr(entry.on))
    for name in entry.attributes:
        if name not in ATTRIBUTES:
            yield document.problem((*path, "attributes", name), f"one of {', '.join(ATTRIBUTES)}", repr(name))
    for key, named in (("pools", list(entry.pools)), ("good_at", list(entry.good_at.values()))):
        for name in named:
            if name not in POOLS:
                yield document.problem((*path, key), f"one of {', '.join(POOLS)}", repr(name))
    for number, weapon in enumerate(entry.weapons):
        if weapon.reach not in BANDS:
            yield document.problem(
                (*path, "weapons", number, "reach"), f"one of {', '.join(BANDS)}", repr(weapon.reach)
            )
        if weapon.pool and weapon.pool not in POOLS:
            yield document.problem((*path, "weapons", number, "pool"), f"one of {', '.join(POOLS)}", repr(weapon.pool))
        if weapon.attribute not in (*ATTRIBUTES, "by range"):
            right = f"one of {', '.join(ATTRIBUTES)}, or by range"
            yield document.problem((*path, "weapons", number, "attribute"), right, repr(weapon.attribute))
    levels = LEVELS if entry.health is None else ("health",)
    for name in entry.boxes:
        if name not in levels:
            yield document.problem((*path, "boxes", name), f"one of {', '.join(levels)}", repr(name))
    yield from _place_problems(document, file, path, entry)


def _place_problems(
    document: Document[SceneFile], file: SceneFile, path: tuple[str | int, ...], entry: CharacterEntry
) -> Iterator[Problem]:
    if file.metres and isinstance(entry.at, str):
        yield document.problem((*path, "at"), "a point in metres, [x, y]", repr(entry.at))
    elif not file.metres and isinstance(entry.at, tuple):
        yield document.problem((*path, "at"), "the name of a place", str(list(entry.at)))
    elif not file.metres and isinstance(entry.at, str) and entry.at not in (file.places or (SOMEWHERE,)):
        right = f"one of the places: {', '.join(file.places) or SOMEWHERE}"
        yield document.problem((*path, "at"), right, repr(entry.at))


def _settings_problems(document: Document[SceneFile], settings: Settings) -> Iterator[Problem]:
    worst = max(settings.targets.values(), default=8)
    for name in TIERS:
        if not 2 <= settings.targets.get(name, 0) <= settings.sides:
            got = str(settings.targets.get(name))
            yield document.problem(("settings", "targets"), f"a number from 2 to {settings.sides} for {name}", got)
    for key, held, known in (
        ("stunts", settings.stunts, tuple(STUNTS)),
        ("injury_complications", settings.injury_complications, LEVELS),
        ("targets", settings.targets, TIERS),
    ):
        for name, number in held.items():
            if name not in known or number < 0:
                right = f"{', '.join(known)}, each with a number from 0 up"
                yield document.problem(("settings", key, name), right, f"{name}: {number}")
    if list(settings.band_metres) != sorted(dict.fromkeys(settings.band_metres)) or settings.band_metres[0] < 0:
        right = "metres that rise from band to band"
        yield document.problem(("settings", "band_metres"), right, str(list(settings.band_metres)))
    if settings.again and settings.again < worst:
        right = f"0, or a face that counts: {worst} or more"
        yield document.problem(("settings", "again"), right, str(settings.again))
    if settings.again and settings.again < 2:
        yield document.problem(("settings", "again"), "0, or 2 at least", str(settings.again))


# -- the first state

SOMEWHERE = "here"


def is_pc(entry: CharacterEntry) -> bool:
    return entry.seat not in ("", "guide") if entry.pc is None else entry.pc


def build(file: SceneFile, data: dict[str, Any]) -> State:
    sides = file.sides or tuple(dict.fromkeys(entry.side for entry in file.characters))
    names = file.places or (SOMEWHERE,)
    pairs = file.ways or tuple(pairwise(names))
    zones = Zones(
        tuple([Zone(name, Terrain(name)) for name in names]),
        tuple([Way(a, b) for a, b in pairs]),
    )
    ids = tuple([entry.id for entry in file.characters])
    scene = Scene("storypath", file.title, file.settings, None, file.seats, sides, ids, file.rulings, data)
    scene = replace(scene, seed=file.seed, zones=None if file.metres else zones)
    start: At = (0, 0) if file.metres else names[0]
    actors = {entry.id: build_character(entry, start) for entry in file.characters}
    relations: dict[str, tuple[Relation, ...]] = {}
    for entry in file.characters:
        if entry.on in actors:
            relations[entry.id] = (On(entry.id, entry.on),)
            actors[entry.id] = replace(actors[entry.id], at=actors[entry.on].at)
    facts = _facts(file, start)
    return State(scene, actors, relations, facts, mode="metres" if file.metres else "bands")


def _facts(file: SceneFile, start: At) -> dict[str, Fact]:
    facts: dict[str, Fact] = {"momentum": Momentum("momentum", file.momentum)}
    for entry in file.deeds:
        plain = {field: getattr(entry, field) for field in DeedEntry.__struct_fields__}
        plain["difficulty"] = file.settings.deed_difficulty if entry.difficulty is None else entry.difficulty
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
        entry.name or entry.id.replace("_", " ").title(),
        entry.side,
        entry.seat or "guide",
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
