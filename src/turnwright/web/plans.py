"""Zones, or the places of what was stated, laid out as boxes with the ways between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from turnwright.model import Actor, ActorId, Barrier, Landmark, Passage, Stands, State
from turnwright.rules import Game
from turnwright.space.grid import Terrain
from turnwright.space.story import sentence
from turnwright.space.zones import PLAIN, Way, Zones
from turnwright.web.grounds import effects_of, patterns_of

STORY = "story"
WIDE, LINE, HEAD, ACROSS, DOWN, EDGE = 224, 22, 38, 96, 64, 20
"""Units of a box, a line in it, its head, the gaps between boxes, and the rim."""
SEAT = 44
"""Units that a token takes in a box."""
IN_A_ROW = WIDE // SEAT
AT_MOST_ACROSS = 3
"""Boxes in one row."""


class Node(NamedTuple):
    """A place as a box."""

    id: str
    name: str
    effects: str
    patterns: tuple[str, ...]
    x: float
    y: float
    wide: float
    high: float
    things: tuple[str, ...]
    """What is there, in words."""


class Joint(NamedTuple):
    """What joins two places, or parts them."""

    kind: str
    """open, closed, barred, or parted where no way leads through."""
    words: str
    label: str
    line: tuple[float, float, float, float]
    middle: tuple[float, float]


class Plan(NamedTuple):
    """Places with the ways between them, where each token stands, and what was stated besides."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    joints: tuple[Joint, ...]
    spots: dict[ActorId, tuple[float, float]]
    stated: tuple[str, ...]
    at: dict[ActorId, str]

    def where(self, actor: Actor) -> str:
        """Where somebody is, in words."""
        return self.at.get(actor.id, "nobody knows where")


class Place(NamedTuple):
    """A place before it has been laid out."""

    id: str
    name: str
    terrain: Terrain | None = None
    things: tuple[str, ...] = ()


class Link(NamedTuple):
    """What joins or parts two places."""

    a: str
    b: str
    name: str
    kind: str


def plan_of(game: Game, known: State) -> Plan | None:
    """The places of a scene that is not played on Spaces; None where there is nothing to show."""
    zones = known.scene.zones if known.mode != STORY else None
    places = list(_zones(zones) if zones is not None else _places(known))
    links = list(_ways(game, known, zones) if zones is not None else _passages(game, known))
    stated = tuple(_stated(known))
    if not places and not stated:
        return None
    names = {place.id: place.name for place in places}
    inside: dict[str, list[ActorId]] = {place.id: [] for place in places}
    for actor in known.actors.values():
        here = _place_of(known, zones, actor)
        if here in inside:
            inside[here].append(actor.id)
    return _laid_out(known, zones, places, links, inside, stated, names)


# -- what there is


def _zones(zones: Zones) -> Iterator[Place]:
    for zone in zones.zones:
        yield Place(zone.id, zone.name or zone.id, zone.terrain)


def _places(known: State) -> Iterator[Place]:
    """The places that actors, things, barriers and ways name, and those of the Zones where there are any."""
    zones = known.scene.zones
    marks = list(known.facts_of(Landmark))
    named = [zone.id for zone in (zones.zones if zones is not None else ())]
    named += [actor.at for actor in known.actors.values() if isinstance(actor.at, str)]
    named += [mark.place for mark in marks if mark.place]
    between = [fact.between for fact in known.facts_of(Barrier)] + [fact.between for fact in known.facts_of(Passage)]
    named += [end for pair in between for end in pair]
    for name in dict.fromkeys(named):
        zone = zones.zone(name) if zones is not None else None
        here = tuple([mark.name or mark.id for mark in marks if mark.place == name])
        yield Place(name, zone.name if zone is not None and zone.name else name.replace("_", " "), None, here)


def _ways(game: Game, known: State, zones: Zones) -> Iterator[Link]:
    for way in zones.ways:
        if way.terrain.blocked:
            yield Link(way.a, way.b, way.terrain.name, "parted")
        else:
            yield Link(way.a, way.b, *_door(game, known, way.door, _own_name(way)))


def _own_name(way: Way) -> str:
    """What a way is called; a name that only says what it joins tells nothing."""
    name = way.terrain.name
    return "" if name == PLAIN.name or (way.a in name and way.b in name) else name


def _passages(game: Game, known: State) -> Iterator[Link]:
    through = list(known.facts_of(Passage))
    for passage in through:
        yield Link(*passage.between, *_door(game, known, passage.door, passage.name))
    for barrier in known.facts_of(Barrier):
        if not any(set(p.between) == set(barrier.between) for p in through):
            yield Link(*barrier.between, barrier.name, "parted")


def _door(game: Game, known: State, door: str, name: str) -> tuple[str, str]:
    """What a way is called, and whether its door is open."""
    if not door:
        return name, "open"
    called: str = name or getattr(known.facts.get(door), "name", "") or door.replace("-", " ")
    if door in known.open_doors:
        return called, "open"
    return called, "barred" if game.door_words(known, door) else "closed"


def _place_of(known: State, zones: Zones | None, actor: Actor) -> str:
    if isinstance(actor.at, tuple):
        grid = known.scene.grid
        found = zones.zone_of(actor.at) if zones is not None else ""
        return found or (grid.place_of(actor.at) if grid is not None else "")
    return actor.at or ""


def _stated(known: State) -> Iterator[str]:
    for held in known.relations.values():
        for relation in held:
            if isinstance(relation, Stands) and relation.owner in known.actors:
                who = known.actors[relation.owner].name
                said = sentence(who, relation.how, _called(known, relation.other))
                yield said[:1].upper() + said[1:]


def _called(known: State, other: str) -> str:
    if other in known.actors:
        who: str = known.actors[other].name
        return who
    named: str = getattr(known.facts.get(other), "name", "")
    return named or other.replace("_", " ")


# -- where it is drawn


def _laid_out(
    known: State,
    zones: Zones | None,
    places: list[Place],
    links: list[Link],
    inside: Mapping[str, list[ActorId]],
    stated: tuple[str, ...],
    names: Mapping[str, str],
) -> Plan:
    nodes: dict[str, Node] = {}
    spots: dict[ActorId, tuple[float, float]] = {}
    rows = _rows([place.id for place in places], links)
    across, y = max([len(row) for row in rows], default=1), float(EDGE)
    width = across * (WIDE + ACROSS) - ACROSS + 2 * EDGE
    for row in rows:
        x = (width - len(row) * (WIDE + ACROSS) + ACROSS) / 2
        for place in [next(p for p in places if p.id == name) for name in row]:
            node = _node(place, x, y, len(inside[place.id]))
            nodes[place.id] = node
            spots |= _spots(node, inside[place.id])
            x += WIDE + ACROSS
        y += max([nodes[name].high for name in row]) + DOWN
    joints = tuple([_joint(nodes[link.a], nodes[link.b], link) for link in links if {link.a, link.b} <= set(nodes)])
    at = {name: f"in {names[here]}" for here, held in inside.items() for name in held}
    for actor in known.actors.values():
        told = list(_told_of(known, actor))
        if told:
            at[actor.id] = "; ".join([*([at[actor.id]] if actor.id in at else []), *told])
    return Plan(width, max(y - DOWN + EDGE, 80), tuple(nodes.values()), joints, spots, stated, at)


def _told_of(known: State, actor: Actor) -> Iterator[str]:
    for relation in known.relations.get(actor.id, ()):
        if isinstance(relation, Stands):
            yield sentence("", relation.how, _called(known, relation.other)).removeprefix(" is ")


def _rows(ids: list[str], links: Iterable[Link]) -> list[list[str]]:
    """The places by how many ways they are from the first; those that nothing joins follow."""
    beside: dict[str, list[str]] = {name: [] for name in ids}
    for link in links:
        if link.a in beside and link.b in beside:
            beside[link.a].append(link.b)
            beside[link.b].append(link.a)
    left, rows = list(ids), list[list[str]]()
    while left:
        layer = [left[0]]
        while layer:
            rows += [layer[i : i + AT_MOST_ACROSS] for i in range(0, len(layer), AT_MOST_ACROSS)]
            left = [name for name in left if name not in layer]
            reached = [name for name in left if any(name in beside[one] for one in layer)]
            layer = sorted(reached, key=partial(_under, layer, beside))
    return rows


def _under(above: list[str], beside: Mapping[str, list[str]], name: str) -> float:
    """Where in its row a place stands best, so that few ways cross: under the middle of those it is joined to."""
    places = [above.index(other) for other in beside[name] if other in above]
    return sum(places) / len(places) if places else 0


def _node(place: Place, x: float, y: float, many: int) -> Node:
    rows = -(-many // IN_A_ROW)
    high = HEAD + len(place.things) * LINE + max(1, rows) * SEAT + 8
    effects = effects_of(place.terrain) if place.terrain is not None else ""
    patterns = patterns_of(place.terrain) if place.terrain is not None else ()
    return Node(place.id, place.name, effects, patterns, x, y, WIDE, high, place.things)


def _spots(node: Node, inside: list[ActorId]) -> dict[ActorId, tuple[float, float]]:
    top = node.y + HEAD + len(node.things) * LINE
    return {
        name: (node.x + SEAT / 2 + (i % IN_A_ROW) * SEAT, top + SEAT / 2 + (i // IN_A_ROW) * SEAT)
        for i, name in enumerate(inside)
    }


def _joint(a: Node, b: Node, link: Link) -> Joint:
    start, end = _rim(a, b), _rim(b, a)
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    words = {"open": "open", "closed": "closed", "barred": "barred", "parted": "no way through"}[link.kind]
    name = f"{link.name}, " if link.name else ""
    return Joint(link.kind, f"{a.name} and {b.name}: {name}{words}", link.name, (*start, *end), middle)


def _rim(node: Node, other: Node) -> tuple[float, float]:
    """Where the line to another box leaves this one."""
    x, y = node.x + node.wide / 2, node.y + node.high / 2
    dx, dy = other.x + other.wide / 2 - x, other.y + other.high / 2 - y
    if not dx and not dy:
        return x, y
    part = min(node.wide / 2 / abs(dx) if dx else 9e9, node.high / 2 / abs(dy) if dy else 9e9)
    return round(x + dx * part, 1), round(y + dy * part, 1)
