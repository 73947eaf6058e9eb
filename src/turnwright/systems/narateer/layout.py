"""What a scene file says of Zones, the ways between them, and stated relations: its keys, checks and first facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta, field

from turnwright.documents import Document, Problem
from turnwright.documents.words import nearest
from turnwright.model import Barrier, Cell, Fact, Landmark, Passage, Stands, State, Struct
from turnwright.space import Grid, Terrain, Way, Zone, Zones
from turnwright.space.story import HOWS, MUTUAL
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
        yield from _contradictions(document, path, relations[:index], entry, ids)
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
            listed = ", ".join(dict.fromkeys(named))
            yield document.problem((*path, kind, 1), f"one of {listed}", repr(what), nearest(what, named))
        if who == what:
            yield document.problem((*path, kind), "somebody and something else", repr(who))
    elif kind in ("barrier", "way"):
        if entry.between is None:
            yield document.problem(path, "between: the two places", "nothing")
        elif entry.between[0] == entry.between[1]:
            yield document.problem((*path, "between"), "two places", repr(entry.between[0]))


def _contradictions(
    document: Document[Any],
    path: tuple[Any, ...],
    before: tuple[RelationEntry, ...],
    entry: RelationEntry,
    ids: list[str],
) -> Iterator[Problem]:
    """A second word on how two stand, of which only one could hold, and somebody behind who is behind it."""
    tie = entry.tie()
    if tie is None:
        return
    how, (who, what) = tie
    told = [held for other in before if (held := other.tie()) is not None]
    for other, pair in told:
        mutual = {how, other} & set(MUTUAL) and what in ids
        if pair == (who, what) or (mutual and pair == (what, who)):
            text = f"one word on how {who} and {what} stand; {other} was stated above"
            yield document.problem((*path, "in" if how == "in" else how), text, how)
            return
    behind = [pair for other, pair in told if other == "behind"]
    if how == "behind" and _leads(behind, what, who):
        yield document.problem((*path, how), f"somebody or something that is not behind {who}", repr(what))


def _leads(pairs: list[Pair], a: str, b: str) -> bool:
    """Whether one comes from one to another from first to second."""
    waiting, met = [a], [a]
    while waiting:
        here = waiting.pop()
        if here == b:
            return True
        found = [two for one, two in pairs if one == here and two not in met]
        waiting += found
        met += found
    return False


# -- names of places

ALIKE = 0.75
"""How like a known place a name must be to be taken for a misspelling of it where any name may be given."""


def door_problems(
    document: Document[Any], doors: tuple[Any, ...], relations: tuple[RelationEntry, ...], places: list[str]
) -> Iterator[Problem]:
    """A door between Zones or places joins ones that there are, and the way between them says that it is shut by it."""
    entries = document.value.map.ways if document.value.map is not None else ()
    ways: list[tuple[tuple[Any, ...], Pair, str]] = []
    ways += [(("map", "ways", index), way.between, way.door) for index, way in enumerate(entries)]
    ways += [
        (("relations", index), entry.between, entry.door)
        for index, entry in enumerate(relations)
        if entry.way and entry.between is not None
    ]
    for index, door in enumerate(doors):
        path = ("map", "doors", index, "between")
        ends = [end for end in door.between if isinstance(end, str)]
        if len(ends) < 2:
            continue
        for number, end in enumerate(ends):
            if end not in places:
                yield _no_place(document, (*path, number), end, places)
        for at, between, shut_by in ways:
            if set(between) == set(ends) and not shut_by:
                text = f"door: {door.id}, which is between the same two"
                yield document.problem(at, text, "no door", "a way without a door is always open")
            elif shut_by == door.id and set(between) != set(ends) and set(ends) <= set(places):
                yield document.problem((*at, "door"), f"a door between {' and '.join(between)}", repr(door.id))


def name_problems(
    document: Document[Any],
    relations: tuple[RelationEntry, ...],
    whereabouts: list[tuple[tuple[Any, ...], str]],
    drawn: list[str],
) -> Iterator[Problem]:
    """A place that only one entry names, where the scene draws or names others: nobody could mean it.

    `whereabouts` are the places of characters with their keys, `drawn` those of Zones and of the map.
    """
    named = list(whereabouts)
    for index, entry in enumerate(relations):
        named += [(("relations", index, "between", n), end) for n, end in enumerate(entry.between or ())]
    sure = [*drawn, *[entry.place for entry in relations if entry.place]]
    said = [name for _, name in named]
    known = list(dict.fromkeys([*sure, *[name for name in said if said.count(name) > 1]]))
    for path, name in named:
        if name not in known and known:
            yield _no_place(document, path, name, known)


def secret_problems(
    document: Document[Any], secrets: tuple[Any, ...], known: list[str], free: bool
) -> Iterator[Problem]:
    """A secret is in a Zone, a place or a thing that there is; on a map alone anywhere, but for a misspelling."""
    for index, secret in enumerate(secrets):
        if secret.place and secret.place not in known and (not free or nearest(secret.place, known, ALIKE)):
            yield _no_place(document, ("secrets", index, "place"), secret.place, known)


def _no_place(document: Document[Any], path: tuple[Any, ...], name: str, known: list[str]) -> Problem:
    listed = ", ".join(dict.fromkeys(known)) or "none"
    return document.problem(path, f"one of the places: {listed}", repr(name), nearest(name, known))


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
