"""Narateer scene files: their keys, what is checked in them, and the first state that they describe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, field

from turnwright.documents import BadScene, Document, Place, Problem, read, schema
from turnwright.model import GUIDE, SPECTATOR, Cell, Fact, Ruling, Scene, Seat, State, Struct
from turnwright.space import Door, Grid, Terrain, Wall, Zones, shared
from turnwright.space import problems as grid_problems
from turnwright.systems.narateer.contents import Contents, Named, bars_problems, content_problems
from turnwright.systems.narateer.events import DoorWay, Obstacle, Secret, Situation
from turnwright.systems.narateer.layout import (
    RelationEntry,
    WayEntry,
    ZoneEntry,
    door_problems,
    layout_problems,
    name_problems,
    place_problems,
    placed,
    places_named,
    relation_facts,
    relation_problems,
    secret_problems,
    with_relations,
    zones_from,
)
from turnwright.systems.narateer.obstacles import way_key
from turnwright.systems.narateer.settings import CONDITIONS, LOADS, Condition, Load, Settings
from turnwright.systems.narateer.sheet import SENSES, Character, Item, Power, Spell, Weapon

Level = Annotated[int, Meta(ge=0)]
Seed = Annotated[int, Meta(ge=-(10**18), le=10**18)]
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


class WallEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A wall between two Spaces."""

    between: tuple[Cell, Cell]
    opaque: bool = True


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

    ABOUT: ClassVar[dict[str, str]] = {
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

    ABOUT: ClassVar[dict[str, str]] = {
        "system": "the game: narateer",
        "title": "what the scene is called",
        "mode": "tactical, cinematic or story",
        "settings": "any setting of the game; see `turnwright rule ID` for what each means",
        "seed": "for the same dice every time; a secret one is drawn where it is not given",
        "sides": "the sides, in the order in which they are shown",
        "seats": "the people at the table besides the guide",
        "map": "the Spaces of a tactical scene, the Zones of a cinematic one",
        "relations": "what is stated in a story scene: who is near what, what parts places, and ways past it",
        "conditions": "Conditions of the scene's own",
        "encumbrance_states": "Encumbrance states of the scene's own",
        "order": "whose Activation comes when; the order of the characters where it is not given",
        "situation": "opportunities, obstacles, threats and stakes that the guide lays out",
        "obstacles": "obstacles on Spaces, in Zones and on ways",
        "secrets": "concealed things that a Search can find",
        "rulings": "rulings that are offered again; `when` is `action: method`, and behind each | a circumstance",
        "about": "a few lines on the scene",
    }


def read_scene(text: str | bytes, source: str, actions: tuple[str, ...]) -> State:
    """The first state of a scene file. Raises BadScene with every problem, each with its line and key.

    `actions` are those of the game, which the file may name.
    """
    document = read(text, source, SceneFile)
    file = document.value
    grid = grid_of(file)
    found = [*_problems(document, file, grid), *bars_problems(document, _bars(file), _needs(file), actions)]
    if found:
        raise BadScene(tuple(found))
    return build(file, grid, document.data)


def _bars(file: SceneFile) -> Iterator[tuple[Place, tuple[str, ...]]]:
    """Every list of what something takes away, with where it stands."""
    for name, condition in file.conditions.items():
        yield ("conditions", name, "bars"), condition.bars
    for index, entry in enumerate(file.characters):
        for number, item in enumerate(entry.items):
            yield ("characters", index, "items", number, "bars"), item.bars


def _needs(file: SceneFile) -> list[str]:
    """What the spells of the scene require."""
    return [need for entry in file.characters for spell in entry.spells for need in spell.requires]


def scene_schema() -> dict[str, Any]:
    return schema(SceneFile, "Narateer scene")


def rows_of(file: SceneFile) -> tuple[str, ...]:
    assert file.map is not None
    rows = file.map.rows
    return tuple(line for line in rows.splitlines() if line.strip()) if isinstance(rows, str) else rows


def grid_of(file: SceneFile) -> Grid | None:
    if file.map is None or not file.map.rows:
        return None
    walls = tuple(Wall(w.between[0], w.between[1], w.opaque) for w in file.map.walls)
    doors = tuple([_door(d) for d in file.map.doors if all(isinstance(end, tuple) for end in d.between)])
    return shared(Grid(rows_of(file), file.map.legend, walls, doors, file.map.places))


def _door(entry: DoorEntry) -> Door:
    a, b = entry.between
    assert isinstance(a, tuple)
    assert isinstance(b, tuple)
    return Door(entry.id, a, b, entry.opaque, entry.open)


def zones_in(file: SceneFile, grid: Grid | None) -> Zones | None:
    """The Zones of a scene file; None where it has none."""
    if file.map is None or not (file.map.zones or file.map.ways):
        return None
    opaque = tuple([door.id for door in file.map.doors if door.opaque])
    return zones_from(file.map.zones, file.map.ways, opaque, grid)


def doors_in(file: SceneFile) -> list[str]:
    return [door.id for door in file.map.doors] if file.map is not None else []


def _layout_problems(document: Document[SceneFile], file: SceneFile, grid: Grid | None) -> Iterator[Problem]:
    """What is wrong with doors, Zones, relations, and where characters and obstacles are among them."""
    ids, zones, doors = [entry.id for entry in file.characters], zones_in(file, grid), doors_in(file)
    yield from layout_problems(document, zones, tuple(doors), grid)
    yield from relation_problems(document, file.relations, ids, zones, doors)
    places = places_named(file.relations, zones)
    for index, door in enumerate(file.map.doors if file.map is not None else ()):
        kinds = {isinstance(end, str) for end in door.between}
        if len(kinds) > 1 or (False in kinds and grid is None) or (True in kinds and grid is not None):
            right = "two Zones or places" if grid is None else "two Spaces of the map, where it has rows"
            yield document.problem(("map", "doors", index, "between"), right, str(list(door.between)))
    for index, entry in enumerate(file.characters):
        yield from place_problems(document, ("characters", index, "at"), entry.at, file.mode, zones, places)
    yield from _place_names(document, file, zones)
    for index, hurdle in enumerate(file.obstacles):
        if (hurdle.at is None) == (hurdle.way is None):
            yield document.problem(("obstacles", index), "where it is: either `at` or `way`", "both or neither")
        elif isinstance(hurdle.at, str) and hurdle.at not in places:
            yield document.problem(("obstacles", index, "at"), f"one of {', '.join(places) or 'none'}", repr(hurdle.at))
        elif hurdle.way is not None and (zones is None or zones.way(*hurdle.way) is None):
            yield document.problem(("obstacles", index, "way"), "two Zones that a way joins", str(list(hurdle.way)))


def _place_names(document: Document[SceneFile], file: SceneFile, zones: Zones | None) -> Iterator[Problem]:
    """Places that doors, barriers, ways, characters and secrets name, and that there are not."""
    drawn, entries = _drawn_places(file, zones), enumerate(file.characters)
    at = [(("characters", index, "at"), entry.at) for index, entry in entries if isinstance(entry.at, str)]
    told = [*drawn, *places_named(file.relations, None), *[name for _, name in at]]
    if file.map is not None:
        yield from door_problems(document, file.map.doors, file.relations, told)
    if file.mode == "story":
        yield from name_problems(document, file.relations, at if zones is None else [], drawn)
    things = [name for entry in file.relations if entry.thing for name in (entry.thing, entry.name) if name]
    ground = [name for kind in file.map.legend.values() for name in (kind.name, kind.place)] if file.map else []
    ground += [zone.name for zone in (zones.zones if zones is not None else ())]
    free = zones is None and file.mode == "tactical"
    yield from secret_problems(document, file.secrets, [name for name in (*told, *things, *ground) if name], free)


def _drawn_places(file: SceneFile, zones: Zones | None) -> list[str]:
    """The places of the Zones and of the map."""
    drawn = [zone.id for zone in (zones.zones if zones is not None else ())]
    if file.map is not None:
        drawn += [*file.map.places, *[kind.place for kind in file.map.legend.values() if kind.place]]
    return list(dict.fromkeys(drawn))


def _problems(document: Document[SceneFile], file: SceneFile, grid: Grid | None) -> Iterator[Problem]:
    yield from _layout_problems(document, file, grid)
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
    for index, seat in enumerate(seats):
        if seat in (GUIDE, SPECTATOR):
            right = f"another name; {GUIDE} and {SPECTATOR} are taken"
            yield document.problem(("seats", index, "id"), right, repr(seat))
        elif seat in seats[:index]:
            yield document.problem(("seats", index, "id"), "a name that no other seat has", repr(seat))
    for index, entry in enumerate(file.characters):
        yield from _character_problems(document, file, grid, index, entry, ids, seats)
    for index, name in enumerate(file.order):
        if name not in ids:
            yield document.problem(("order", index), f"one of the characters: {', '.join(ids)}", repr(name))
    for index, hurdle in enumerate(file.obstacles):
        if isinstance(hurdle.at, tuple) and grid is not None and not grid.contains(hurdle.at):
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
    contents = Contents(entry.weapons, entry.powers, entry.items, entry.spells)
    yield from content_problems(document, path, contents, _named(file, grid, entry))
    yield from _position_problems(document, file, grid, index, entry)


def _named(file: SceneFile, grid: Grid | None, entry: CharacterEntry) -> Named:
    """What Powers, items and spells may refer to."""
    routes: dict[str, None] = {}
    for ground in file.map.legend.values() if file.map is not None else ():
        routes |= dict.fromkeys((ground.name, ground.place, *ground.tags, *ground.difficult))
    routes |= dict.fromkeys(file.map.places if file.map is not None else ())
    routes.pop("", None)
    return Named(
        (*CONDITIONS, *file.conditions),
        tuple(routes) if grid is not None and file.mode == "tactical" else None,
        tuple(dict.fromkeys(sense for each in file.characters for sense in (*SENSES, *each.senses))),
        tuple(dict.fromkeys(item.name for each in file.characters for item in each.items)),
        tuple(entry.pools),
    )


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
    scene = replace(scene, zones=zones_in(file, grid), seed=file.seed)
    actors = {entry.id: build_character(entry, settings, file.mode) for entry in file.characters}
    facts = {fact.id: fact for fact in _facts(file)}
    doors = tuple(sorted(door.id for door in file.map.doors if door.open)) if file.map is not None else ()
    return with_relations(State(scene, actors, {}, facts, doors, file.mode), file.relations)


def build_character(entry: CharacterEntry, settings: Settings, mode: str = "tactical") -> Character:
    pool = settings.ad if entry.ad is None else entry.ad
    return Character(
        entry.id,
        entry.name or entry.id.replace("_", " ").title(),
        entry.side,
        entry.seat or "guide",
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
