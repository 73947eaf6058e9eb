"""What a scene file says of Zones, the ways between them, and stated relations: its keys, checks and first facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta, field

from turnwright.documents import Document, Problem
from turnwright.model import Barrier, Cell, Fact, Landmark, Passage, Stands, State, Struct
from turnwright.space import Grid, Terrain, Way, Zone, Zones
from turnwright.space.story import HOWS
from turnwright.space.zones import zone_problems
from turnwright.systems.narateer.events import stated
from turnwright.systems.narateer.offmap import HERE

Pair = tuple[str, str]
Metres = Annotated[int, Meta(ge=1)]
Factor = Annotated[int, Meta(ge=1)]
Extra = Annotated[int, Meta(ge=0)]

GROUND = {
    "difficult": "reasons why its ground is Difficult, which count once together",
    "factor": "how often a metre of it counts, where it is slow in itself, such as a climb",
    "extra": "metres that a rule adds for each metre of it",
    "blocked": "yes: nobody goes here",
    "tags": "what it demands, such as narrow-wall or swim",
}


class ZoneEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A Zone: a part of the scene that one is in or not, with its ground."""

    name: str = ""
    metres: Metres | None = None
    spaces: tuple[Cell, ...] | str = ()
    difficult: tuple[str, ...] = ()
    factor: Factor = 1
    extra: Extra = 0
    blocked: bool = False
    opaque: bool = False
    conceals: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    ABOUT: ClassVar[dict[str, str]] = GROUND | {
        "name": "what it is called",
        "metres": "how far it is across; the setting zone_metres where it is not said",
        "spaces": "its Spaces on the map, as [x, y], or the name of a place of the map",
        "opaque": "yes: nobody sees into it from outside",
        "conceals": "the senses that do not find whoever is in it",
    }


class WayEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A way between two Zones; without one there is no going from one to the other."""

    between: Pair
    name: str = ""
    door: str = ""
    clear: bool = True
    difficult: tuple[str, ...] = ()
    factor: Factor = 1
    extra: Extra = 0
    blocked: bool = False
    tags: tuple[str, ...] = ()

    ABOUT: ClassVar[dict[str, str]] = GROUND | {
        "between": "the ids of the two Zones",
        "name": "what it is called",
        "door": "the id of a door of the map that shuts it",
        "clear": "no: one does not see through",
    }


class RelationEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is stated: how somebody stands to something, a thing, a barrier, or a way past it."""

    near: Pair | None = None
    far: Pair | None = None
    behind: Pair | None = None
    in_: Pair | None = field(default=None, name="in")
    on: Pair | None = None
    above: Pair | None = None
    below: Pair | None = None
    past: Pair | None = None
    thing: str = ""
    place: str = ""
    barrier: str = ""
    way: str = ""
    name: str = ""
    between: Pair | None = None
    door: str = ""
    clear: bool | None = None

    ABOUT: ClassVar[dict[str, str]] = {
        "near": "a character, and whom or what it is near",
        "far": "a character, and from whom or what it is far",
        "behind": "a character, and the thing behind which it is covered",
        "in": "a character, and what it is in",
        "on": "a character, and what it is on",
        "above": "a character, and whom or what it is above",
        "below": "a character, and whom or what it is below",
        "past": "a character, and whom or what it is past",
        "thing": "the id of a thing that one can be near to",
        "place": "the place that the thing is in",
        "barrier": "the id of what parts two places",
        "way": "the id of a way that leads past a barrier",
        "name": "what the thing, barrier or way is called",
        "between": "the two places that it parts or joins",
        "door": "the id of a door of the map that shuts the way",
        "clear": "of a barrier, yes: one sees past it; of a way, no: one does not see through",
    }

    def tie(self) -> tuple[str, Pair] | None:
        """How somebody stands, and who to whom."""
        for how in HOWS:
            pair = getattr(self, "in_" if how == "in" else how)
            if pair is not None:
                return how, pair
        return None

    def kinds(self) -> list[str]:
        """What the entry states; it should be one thing."""
        ties = [how for how in HOWS if getattr(self, "in_" if how == "in" else how) is not None]
        return ties + [kind for kind in ("thing", "barrier", "way") if getattr(self, kind)]


# -- what it describes


def zones_from(zones: dict[str, ZoneEntry], ways: tuple[WayEntry, ...], opaque: tuple[str, ...], grid: Any) -> Zones:
    """The Zones of a scene with their ways; `opaque` names the doors that shut out sight."""
    made = tuple([Zone(id, _ground(id, entry), entry.metres, _cells(entry, grid)) for id, entry in zones.items()])
    joined = [
        Way(way.between[0], way.between[1], _way_ground(way), way.door, way.clear, way.door in opaque or not way.door)
        for way in ways
    ]
    return Zones(made, tuple(joined))


def _ground(id: str, entry: ZoneEntry) -> Terrain:
    return Terrain(
        entry.name or id.replace("_", " "),
        entry.blocked,
        entry.difficult,
        entry.factor,
        entry.extra,
        entry.opaque,
        entry.conceals,
        entry.tags,
        id,
    )


def _way_ground(way: WayEntry) -> Terrain:
    named = way.name or "the way between " + " and ".join(way.between)
    return Terrain(named, way.blocked, way.difficult, way.factor, way.extra, tags=way.tags)


def _cells(entry: ZoneEntry, grid: Grid | None) -> tuple[Cell, ...]:
    if isinstance(entry.spaces, str):
        return grid.cells_of(entry.spaces) if grid is not None else ()
    return entry.spaces


def relation_facts(relations: tuple[RelationEntry, ...]) -> Iterator[Fact]:
    for entry in relations:
        pair = entry.between or ("", "")
        if entry.thing:
            yield Landmark(entry.thing, entry.name or entry.thing.replace("_", " "), entry.place)
        elif entry.barrier:
            named = entry.name or entry.barrier.replace("_", " ")
            yield Barrier(f"barrier {entry.barrier}", named, pair, bool(entry.clear))
        elif entry.way:
            named = entry.name or entry.way.replace("_", " ")
            yield Passage(f"way {entry.way}", named, pair, entry.door, entry.clear is not False)


def with_relations(state: State, relations: tuple[RelationEntry, ...]) -> State:
    """The state with everything that was stated of characters."""
    for entry in relations:
        tie = entry.tie()
        if tie is not None:
            how, (who, what) = tie
            state = stated(state, Stands(who, what, how=how))
    return state


# -- what is wrong with it


def layout_problems(
    document: Document[Any], zones: Zones | None, doors: tuple[str, ...], grid: Grid | None
) -> Iterator[Problem]:
    if zones is None:
        return
    for path, text in zone_problems(zones, doors):
        yield document.problem(("map", *path), text, "")
    for zone in zones.zones:
        for cell in zone.cells:
            if grid is None or not grid.contains(cell):
                yield document.problem(("map", "zones", zone.id, "spaces"), "Spaces of the map", str(list(cell)))
        named = document.value.map.zones[zone.id].spaces
        if isinstance(named, str) and not zone.cells:
            yield document.problem(("map", "zones", zone.id, "spaces"), "Spaces, or a place of the map", repr(named))


def relation_problems(
    document: Document[Any], relations: tuple[RelationEntry, ...], ids: list[str], zones: Zones | None, doors: list[str]
) -> Iterator[Problem]:
    """Every entry states one thing, of somebody and something that there is."""
    things = [entry.thing for entry in relations if entry.thing]
    places = places_named(relations, zones)
    for index, entry in enumerate(relations):
        path = ("relations", index)
        kinds = entry.kinds()
        if len(kinds) != 1:
            said = ", ".join(kinds) or "nothing"
            yield document.problem(path, f"one of {', '.join(HOWS)}, thing, barrier, way", said)
            continue
        yield from _stated_problems(document, path, entry, kinds[0], ids, [*ids, *things, *places])
        if entry.thing and (entry.thing in ids or things.count(entry.thing) > 1):
            yield document.problem((*path, "thing"), "a name of its own", repr(entry.thing))
        if entry.door and entry.door not in doors:
            yield document.problem((*path, "door"), f"one of the doors: {', '.join(doors) or 'none'}", repr(entry.door))


def _stated_problems(
    document: Document[Any], path: tuple[Any, ...], entry: RelationEntry, kind: str, ids: list[str], named: list[str]
) -> Iterator[Problem]:
    tie = entry.tie()
    if tie is not None:
        who, what = tie[1]
        if who not in ids:
            yield document.problem((*path, kind, 0), f"one of the characters: {', '.join(ids)}", repr(who))
        if what not in named:
            yield document.problem((*path, kind, 1), f"one of {', '.join(dict.fromkeys(named))}", repr(what))
        if who == what:
            yield document.problem((*path, kind), "somebody and something else", repr(who))
    elif kind in ("barrier", "way"):
        if entry.between is None:
            yield document.problem(path, "between: the two places", "nothing")
        elif entry.between[0] == entry.between[1]:
            yield document.problem((*path, "between"), "two places", repr(entry.between[0]))


def places_named(relations: tuple[RelationEntry, ...], zones: Zones | None) -> list[str]:
    """Every place that Zones, barriers, ways and things name."""
    named = [zone.id for zone in zones.zones] if zones is not None else []
    named += [place for entry in relations if entry.between for place in entry.between]
    named += [entry.place for entry in relations if entry.place]
    return list(dict.fromkeys(named))


def place_problems(
    document: Document[Any], path: tuple[Any, ...], at: Any, mode: str, zones: Zones | None, places: list[str]
) -> Iterator[Problem]:
    """Whether a character is in a Zone, in Cinematic Mode, or in a place that is named, in Story Mode."""
    if mode == "cinematic" and zones is not None:
        if not isinstance(at, str) or zones.zone(at) is None:
            listed = ", ".join(zone.id for zone in zones.zones)
            yield document.problem(path, f"one of the Zones: {listed}", "nothing" if at is None else repr(at))
    elif mode == "story" and isinstance(at, tuple):
        yield document.problem(path, "the name of a place, in Story Mode", str(list(at)))
    elif mode == "story" and zones is not None and at is not None and at not in places:
        yield document.problem(path, f"one of the places: {', '.join(places)}", repr(at))


def placed(at: Cell | str | None, mode: str) -> Cell | str | None:
    """Where somebody is who is nowhere in particular."""
    return HERE if at is None and mode == "story" else at
