"""What can be read in a Narateer scene file and still cannot be: names that nothing has, places where nobody can be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from turnwright.documents import Document, Place, Problem
from turnwright.scene_file import (
    actor_problems,
    each_of,
    map_problems,
    one_of,
    order_problems,
    seat_problems,
    standing_problems,
)
from turnwright.space import Grid, Zones
from turnwright.systems.narateer.contents import Contents, Named, bars_problems, content_problems
from turnwright.systems.narateer.layout import (
    door_problems,
    layout_problems,
    name_problems,
    place_problems,
    places_named,
    relation_problems,
    secret_problems,
    zones_from,
)
from turnwright.systems.narateer.settings import CONDITIONS, LOADS
from turnwright.systems.narateer.sheet import SENSES

if TYPE_CHECKING:
    from turnwright.systems.narateer.scene import CharacterEntry, SceneFile


def problems(document: Document[SceneFile], grid: Grid | None, actions: tuple[str, ...]) -> Iterator[Problem]:
    """Everything that is wrong with a file; `actions` are those of the game, which the file may name."""
    file = document.value
    yield from _layout_problems(document, file, grid)
    if grid is not None:
        yield from map_problems(document, grid)
    elif file.mode == "tactical":
        yield document.problem(("mode",), "a map, in Tactical Mode", "no map", "add `map`, or say `mode: story`")
    tiers = (file.settings.trivial, file.settings.minor, file.settings.major)
    if not 0 <= tiers[0] <= tiers[1] <= tiers[2]:
        yield document.problem(("settings",), "trivial <= minor <= major, none below 0", f"{tiers}")
    yield from seat_problems(document)
    for index in range(len(file.characters)):
        yield from actor_problems(document, "characters", "character", index)
        yield from _character_problems(document, file, grid, index)
    yield from order_problems(document, "characters")
    for index, hurdle in enumerate(file.obstacles):
        if isinstance(hurdle.at, tuple) and grid is not None and not grid.contains(hurdle.at):
            yield document.problem(("obstacles", index, "at"), "a Space of the map", str(hurdle.at))
    yield from bars_problems(document, _bars(file), _needs(file), actions)


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
        elif isinstance(hurdle.at, str):
            yield from one_of(document, ("obstacles", index, "at"), hurdle.at, places)
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


def _character_problems(
    document: Document[SceneFile], file: SceneFile, grid: Grid | None, index: int
) -> Iterator[Problem]:
    entry, path = file.characters[index], ("characters", index)
    yield from each_of(document, (*path, "conditions"), entry.conditions, [*CONDITIONS, *file.conditions])
    yield from one_of(document, (*path, "encumbrance"), entry.encumbrance, [*LOADS, *file.encumbrance_states])
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
        return
    taken = {other.id: (other.at,) for other in file.characters[:index] if isinstance(other.at, tuple)}
    yield from standing_problems(document, path, (entry.at,), grid, taken)


def zones_in(file: SceneFile, grid: Grid | None) -> Zones | None:
    """The Zones of a scene file; None where it has none."""
    if file.map is None or not (file.map.zones or file.map.ways):
        return None
    opaque = tuple([door.id for door in file.map.doors if door.opaque])
    return zones_from(file.map.zones, file.map.ways, opaque, grid)


def doors_in(file: SceneFile) -> list[str]:
    return [door.id for door in file.map.doors] if file.map is not None else []
