"""Maps in the Universal VTT format (`.uvtt`, `.dd2vtt`, `.df2vtt`), read as Spaces with walls, doors and the dark.

A square of the file is a Space. Two Spaces that share an edge are parted where a wall crosses the line between their
middles, wherever else it runs; for a wall that runs just through it, the middle lies a little to the south-east. So
whatever is closed in the file is closed on the map, and a wall that cuts a Space leaves it on the side of its middle.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import chain, pairwise
from math import ceil, floor, hypot
from typing import Any, NamedTuple, NoReturn

import msgspec

from turnwright.documents import BadScene, Problem
from turnwright.space.grid import LARGEST, Cell, Door, Grid, Terrain, Wall
from turnwright.space.routes import ground
from turnwright.space.sight import sees

MOST_BYTES = 25_000_000
MOST_PICTURE = 18_000_000
MOST_POINTS = 40_000
MOST_PORTALS = 1_000
MOST_LIGHTS = 1_000
MOST_LIT = 300_000
"""Pairs of a light and a Space within its range that are looked at."""
MOST_EDGES = 6_000
"""Walls between Spaces that a scene can hold."""
FARTHEST = 100_000.0
"""How far from 0 a coordinate may be, in squares."""
SMALL = 0.05
"""A piece of wall shorter than this is none; ends as close as this are one point."""
WIDE = 1.5
"""A portal longer than this is a door for each Space that it spans."""
DARK = 64
"""Ambient light below this, of 255, leaves in the dark what no light reaches."""
OFF_X, OFF_Y = 0.0137, 0.0071
"""How far the middle of a Space is moved, so that no wall of the usual kinds runs exactly through it."""
KINDS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF")
NAMED = re.compile(r"[^\n]{1,300}\.(png|jpe?g|webp|gif|bmp)", re.IGNORECASE)

THING = Terrain("something in the way", blocked=True, opaque=True)
UNLIT = Terrain("darkness", conceals=("sight",))
LEGEND = {"o": THING, "d": UNLIT}


class Point(msgspec.Struct, frozen=True):
    """A place on the map, in squares."""

    x: float
    y: float


class Resolution(msgspec.Struct, frozen=True):
    """How many squares there are, and where the part that is drawn begins."""

    map_size: Point
    map_origin: Point = Point(0, 0)
    pixels_per_grid: float = 0


class Portal(msgspec.Struct, frozen=True):
    """A door or window."""

    position: Point
    bounds: tuple[Point, ...] = ()
    rotation: float = 0
    closed: bool = True
    freestanding: bool = False


class Light(msgspec.Struct, frozen=True):
    """A light and how many squares it reaches."""

    position: Point
    range: float = 0
    intensity: float = 1
    color: str = ""
    shadows: bool = True


class Environment(msgspec.Struct, frozen=True):
    """How light it is where no light burns, as ARGB."""

    baked_lighting: bool = False
    ambient_light: str = "ffffffff"


class File(msgspec.Struct, frozen=True):
    """A Universal VTT file; keys that are not known are passed over."""

    resolution: Resolution
    format: float = 0
    line_of_sight: tuple[tuple[Point, ...], ...] = ()
    objects_line_of_sight: tuple[tuple[Point, ...], ...] = ()
    portals: tuple[Portal, ...] = ()
    lights: tuple[Light, ...] = ()
    environment: Environment = Environment()
    image: str = ""


class Read(NamedTuple):
    """What a map file holds: the Spaces, and the picture as it lies in the file, or nothing."""

    grid: Grid
    picture: bytes


Segment = tuple[Point, Point]
Edge = tuple[Cell, Cell]
"""Two Spaces that share an edge, the western or northern one first."""


def read_map(data: bytes, source: str) -> Read:
    """The map of a Universal VTT file. Raises BadScene: file, key, what was expected and what would be right."""
    file = _decoded(data, source)
    width, height = _size(file, source)
    _check_counts(file, source)
    picture = _picture(file.image, source)
    return Read(_grid(file, width, height, source), picture)


# -- reading, and what is wrong


def _refuse(source: str, key: str, expected: str, got: str, hint: str = "") -> NoReturn:
    raise BadScene((Problem(source, 0, key, expected, got, hint),))


def _decoded(data: bytes, source: str) -> File:
    if len(data) > MOST_BYTES:
        _refuse(source, "", f"a map file of at most {MOST_BYTES:,} bytes", f"{len(data):,}", "export a smaller picture")
    try:
        return msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=File)
    except msgspec.ValidationError as error:
        said, _, path = str(error).partition(" - at `")
        key = path.rstrip("`").removeprefix("$").removeprefix(".")
        if "required field" in said:
            _refuse(source, key, f"the key {said.partition('`')[2].rstrip('`')}", "missing key")
        expected, _, got = said.removeprefix("Expected ").partition(", got ")
        _refuse(source, key, expected.replace("`", ""), got.replace("`", ""))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        _refuse(source, "", "JSON as Universal VTT files are written", str(error), "export the map again")


def _size(file: File, source: str) -> tuple[int, int]:
    size = file.resolution.map_size
    for name, squares in (("x", size.x), ("y", size.y)):
        if not 0 < squares <= LARGEST:
            _refuse(source, f"resolution.map_size.{name}", f"1 to {LARGEST} squares", f"{squares:g}")
    return ceil(size.x - SMALL), ceil(size.y - SMALL)


def _check_counts(file: File, source: str) -> None:
    points = sum(map(len, chain(file.line_of_sight, file.objects_line_of_sight)))
    for key, count, most in (
        ("line_of_sight", points, MOST_POINTS),
        ("portals", len(file.portals), MOST_PORTALS),
        ("lights", len(file.lights), MOST_LIGHTS),
    ):
        if count > most:
            noun = "points in all" if key == "line_of_sight" else key
            _refuse(source, key, f"at most {most:,} {noun}", f"{count:,}", "export a part of the map")
    for key, point in _points(file):
        if not (abs(point.x) <= FARTHEST and abs(point.y) <= FARTHEST):
            _refuse(source, key, f"a place within {FARTHEST:,.0f} squares", f"{point.x:g}, {point.y:g}")


def _points(file: File) -> Iterator[tuple[str, Point]]:
    """Every place that the file names, with its key."""
    yield "resolution.map_origin", file.resolution.map_origin
    for key, lines in (("line_of_sight", file.line_of_sight), ("objects_line_of_sight", file.objects_line_of_sight)):
        for i, line in enumerate(lines):
            for j, point in enumerate(line):
                yield f"{key}[{i}][{j}]", point
    for i, portal in enumerate(file.portals):
        yield f"portals[{i}].position", portal.position
        for j, point in enumerate(portal.bounds):
            yield f"portals[{i}].bounds[{j}]", point
    for i, light in enumerate(file.lights):
        yield f"lights[{i}].position", light.position
        yield f"lights[{i}].range", Point(light.range, 0)


def _picture(image: str, source: str) -> bytes:
    """The picture; nothing where there is none, or only the name of one that lies elsewhere."""
    text = image.partition("base64,")[2] if image.startswith("data:") else image
    if not text or NAMED.fullmatch(text):
        return b""
    if len(text) > MOST_PICTURE * 4 // 3 + 4:
        _refuse(source, "image", f"a picture of at most {MOST_PICTURE:,} bytes", f"{len(text) * 3 // 4:,}")
    try:
        picture = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        _refuse(source, "image", "a picture in base64", str(error), "export the map again")
    if not picture.startswith(KINDS) or (picture.startswith(b"RIFF") and picture[8:12] != b"WEBP"):
        _refuse(source, "image", "a PNG, JPEG or WebP picture", f"something that begins with {picture[:8]!r}")
    return picture


# -- from lines to Spaces


def _grid(file: File, width: int, height: int, source: str) -> Grid:
    origin = file.resolution.map_origin
    shut = dict.fromkeys(_edges(_segments(file.line_of_sight, origin), width, height))
    closed, open_lines = _outlines(file.objects_line_of_sight, origin)
    shut |= dict.fromkeys(_edges(open_lines, width, height))
    doors = tuple(_doors(file.portals, origin, shut, width, height))
    things = {cell for outline in closed for cell in _inside(outline, width, height)}
    at_doors = {(door.a, door.b) for door in doors}
    # Between two filled Spaces a wall would say nothing.
    walls = tuple([Wall(*e) for e in sorted(shut) if e not in at_doors and not (e[0] in things and e[1] in things)])
    if len(walls) > MOST_EDGES:
        _refuse(source, "line_of_sight", f"walls between at most {MOST_EDGES:,} pairs of Spaces", f"{len(walls):,}")
    rows = _rows(width, height, things, set())
    grid = Grid(rows, {mark: LEGEND[mark] for mark in LEGEND if any(mark in row for row in rows)}, walls, doors)
    return _with_dark(file, grid, things, source)


def _with_dark(file: File, grid: Grid, things: set[Cell], source: str) -> Grid:
    """The map with darkness where the light is low and no lamp reaches."""
    if not _is_dark(file.environment.ambient_light, source):
        return grid
    lit = _lit(file, grid, source)
    dark = {cell for cell in grid.cells() if cell not in lit and cell not in things}
    rows = _rows(grid.width, grid.height, things, dark)
    legend = {mark: LEGEND[mark] for mark in LEGEND if any(mark in row for row in rows)}
    return msgspec.structs.replace(grid, rows=rows, legend=legend)


def _rows(width: int, height: int, things: set[Cell], dark: set[Cell]) -> tuple[str, ...]:
    def mark(cell: Cell) -> str:
        return "o" if cell in things else "d" if cell in dark else "."

    return tuple(["".join([mark((x, y)) for x in range(width)]) for y in range(height)])


def _moved(point: Point, origin: Point) -> Point:
    return Point(point.x - origin.x, point.y - origin.y)


def _segments(lines: tuple[tuple[Point, ...], ...], origin: Point) -> Iterator[Segment]:
    for line in lines:
        for a, b in pairwise([_moved(point, origin) for point in line]):
            if a != b:
                yield a, b


def _edges(segments: Iterator[Segment] | list[Segment], width: int, height: int) -> Iterator[Edge]:
    """The edges on whose line from middle to middle a segment crosses."""
    for a, b in segments:
        for y in _between(a.y, b.y, OFF_Y, height):
            at = a.x + (b.x - a.x) * (y + 0.5 + OFF_Y - a.y) / (b.y - a.y)
            x = floor(at - 0.5 - OFF_X)
            if 0 <= x < width - 1:
                yield (x, y), (x + 1, y)
        for x in _between(a.x, b.x, OFF_X, width):
            at = a.y + (b.y - a.y) * (x + 0.5 + OFF_X - a.x) / (b.x - a.x)
            y = floor(at - 0.5 - OFF_Y)
            if 0 <= y < height - 1:
                yield (x, y), (x, y + 1)


def _between(a: float, b: float, off: float, most: int) -> range:
    """The rows, or columns, whose middle lies between two values: from the lesser on, below the greater."""
    low, high = min(a, b) - 0.5 - off, max(a, b) - 0.5 - off
    return range(max(0, ceil(low)), min(most, ceil(high)))


# -- things


def _outlines(lines: tuple[tuple[Point, ...], ...], origin: Point) -> tuple[list[tuple[Point, ...]], list[Segment]]:
    """The closed outlines, and the pieces of those that are open."""
    closed, left = [], list[Segment]()
    for line in lines:
        moved = tuple([_moved(point, origin) for point in line])
        if len(moved) > 3 and _apart(moved[0], moved[-1]) <= SMALL:
            closed.append(moved)
        else:
            left += [(a, b) for a, b in pairwise(moved) if a != b]
    return closed, left


def _inside(outline: tuple[Point, ...], width: int, height: int) -> Iterator[Cell]:
    """The Spaces whose middle the outline encloses."""
    top, bottom = min(p.y for p in outline), max(p.y for p in outline)
    for y in _between(top, bottom, OFF_Y, height):
        crossed = []
        for a, b in pairwise((*outline, outline[0])):
            if y in _between(a.y, b.y, OFF_Y, height):
                crossed.append(a.x + (b.x - a.x) * (y + 0.5 + OFF_Y - a.y) / (b.y - a.y))
        crossed.sort()
        for left, right in zip(crossed[::2], crossed[1::2], strict=False):
            for x in _between(left, right, OFF_X, width):
                yield x, y


# -- doors


def _doors(
    portals: tuple[Portal, ...], origin: Point, shut: dict[Edge, None], width: int, height: int
) -> Iterator[Door]:
    """One door for a portal, or one for each Space that a wide one spans; what else it crosses is wall."""
    taken: set[Edge] = set()
    for number, portal in enumerate(portals, 1):
        middle, ends = _place(portal, origin)
        crossed = [edge for edge in _edges([ends], width, height) if edge not in taken]
        if _apart(*ends) <= WIDE:
            shut |= dict.fromkeys(crossed)
            nearest = _nearest(middle, ends, crossed, taken, width, height)
            crossed = [nearest] if nearest is not None else []
        for part, edge in enumerate(crossed, 1):
            taken.add(edge)
            name = f"door-{number}" if part == 1 else f"door-{number}-{part}"
            yield Door(name, *edge, open=not portal.closed)


def _place(portal: Portal, origin: Point) -> tuple[Point, Segment]:
    """The middle of a portal and its two ends; one without ends is taken as one square wide along the grid."""
    middle = _moved(portal.position, origin)
    if len(portal.bounds) >= 2:
        return middle, (_moved(portal.bounds[0], origin), _moved(portal.bounds[-1], origin))
    upright = abs(middle.x - round(middle.x)) < abs(middle.y - round(middle.y))
    dx, dy = (0.0, 0.5) if upright else (0.5, 0.0)
    return middle, (Point(middle.x - dx, middle.y - dy), Point(middle.x + dx, middle.y + dy))


def _nearest(
    middle: Point, ends: Segment, crossed: list[Edge], taken: set[Edge], width: int, height: int
) -> Edge | None:
    """The edge where a door is: of those that it crosses, else of those about it, the one nearest to its middle."""
    x, y = floor(middle.x), floor(middle.y)
    near = [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    about = [((a, b), (a + 1, b)) for a, b in near] + [((a, b), (a, b + 1)) for a, b in near]
    on_map = [e for e in about if min(e[0]) >= 0 and e[1][0] < width and e[1][1] < height and e not in taken]
    level = abs(ends[0].x - ends[1].x) >= abs(ends[0].y - ends[1].y)

    def far(edge: Edge) -> tuple[float, bool]:
        (ax, ay), (bx, by) = edge
        return round(_apart(middle, Point((ax + bx + 1) / 2, (ay + by + 1) / 2)), 3), (ax == bx) != level

    found = min(crossed or on_map, key=far, default=None)
    return found if found is not None and far(found)[0] <= 1 else None


def _apart(a: Point, b: Point) -> float:
    return hypot(a.x - b.x, a.y - b.y)


# -- light


def _is_dark(ambient: str, source: str) -> bool:
    """Whether the light that is everywhere is too low to see by; a colour that is wholly clear says nothing."""
    digits = ambient.removeprefix("#")
    if not digits:
        return False
    if not re.fullmatch(r"([0-9a-fA-F]{2}){3,4}", digits):
        key, right = "environment.ambient_light", "a colour as ARGB, such as ffffffff"
        _refuse(source, key, right, repr(ambient))
    parts = [int(digits[i : i + 2], 16) for i in range(0, len(digits), 2)]
    return max(parts[-3:]) < DARK and (len(parts) == 3 or parts[0] > 0)


def _lit(file: File, grid: Grid, source: str) -> set[Cell]:
    """The Spaces whose middle is within the range of a light, and to which a line from it is clear."""
    field, origin, lit, looked = ground(grid), file.resolution.map_origin, set[Cell](), 0
    for light in file.lights:
        if light.intensity <= 0 or light.range <= 0:
            continue
        at = _moved(light.position, origin)
        here = floor(at.x), floor(at.y)
        for cell in _around(at, light.range, grid.width, grid.height):
            looked += 1
            if looked > MOST_LIT:
                _refuse(source, "lights", "lights that reach fewer Spaces together", f"more than {MOST_LIT:,}")
            if cell not in lit and (not light.shadows or not grid.contains(here) or sees(field, here, cell)):
                lit.add(cell)
    return lit


def _around(at: Point, far: float, width: int, height: int) -> Iterator[Cell]:
    for y in range(max(0, floor(at.y - far)), min(height, ceil(at.y + far) + 1)):
        for x in range(max(0, floor(at.x - far)), min(width, ceil(at.x + far) + 1)):
            if hypot(x + 0.5 - at.x, y + 0.5 - at.y) <= far:
                yield x, y


def as_entry(grid: Grid) -> dict[str, Any]:
    """The map as scene files write one."""
    usual = msgspec.to_builtins(Terrain(""))
    legend = {mark: msgspec.to_builtins(terrain) for mark, terrain in grid.legend.items()}
    plain = {mark: {k: v for k, v in held.items() if v != usual[k]} for mark, held in legend.items()}
    doors = [{"id": d.id, "between": [d.a, d.b], **({"open": True} if d.open else {})} for d in grid.doors]
    walls = [{"between": [wall.a, wall.b]} for wall in grid.walls]
    return {"rows": grid.rows, "legend": plain, "walls": walls, "doors": doors}
