"""A scene whose map lies in a file of its own: that map is taken into the scene's text, so that the scene is whole.

A scene says `map: {file: keep.dd2vtt}`. What else stands under `map` goes before what the file says: `rows` draws other
ground under the same lines, a door of the same id says how it is opened, walls and places are added.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import yaml

from turnwright.documents import BadScene, read
from turnwright.documents.parsing import MOST_BYTES
from turnwright.space.uvtt import as_entry, read_map

Fetch = Callable[[str], bytes]
"""Gives the bytes of a file that a scene names. Raises OSError, or LookupError where it may not be had."""

ENDINGS = (".uvtt", ".dd2vtt", ".df2vtt")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Whole(NamedTuple):
    """A scene's text with its map in it, and the picture of the map as it lies in its file, or nothing."""

    text: str | bytes
    picture: bytes


class _Mapped(msgspec.Struct):
    map: Any = None


def is_map(name: str) -> bool:
    """Whether a file is a map, by its name."""
    return name.lower().endswith(ENDINGS)


def whole(text: str | bytes, source: str, fetch: Fetch | None) -> Whole:
    """The scene with its map taken in; one that names no map file is left as it is. Raises BadScene."""
    if not _may_name_a_file(text):
        return Whole(text, b"")
    document = read(text, source, _Mapped)
    held = document.value.map
    if not isinstance(held, dict) or "file" not in held:
        return Whole(text, b"")
    place = ("map", "file")
    name = held["file"]
    if not isinstance(name, str) or not is_map(name):
        right = f"the name of a map file: {', '.join(ENDINGS)}"
        raise BadScene((document.problem(place, right, repr(name)),))
    try:
        data = _fetched(name, fetch)
    except (OSError, LookupError) as error:
        why = getattr(error, "strerror", None) or (error.args[0] if error.args else "it cannot be read")
        right = "a map file beside the scene"
        raise BadScene((document.problem(place, right, f"{name!r}: {why}"),)) from None
    found = read_map(data, name)
    entry = as_entry(found.grid)
    rows = _rows(held.get("rows"))
    size = [len(row) for row in entry["rows"]]
    if rows is not None and [len(row) for row in rows] != size:
        right = f"{len(size)} rows of {size[0]}, as large as the map file"
        raise BadScene((document.problem(("map", "rows"), right, f"{len(rows)} rows"),))
    return Whole(_put_in(text, _joined(entry, held, rows)), found.picture)


def _may_name_a_file(text: str | bytes) -> bool:
    if len(text) > MOST_BYTES:
        return False
    return b"file" in text if isinstance(text, bytes) else "file" in text


def _fetched(name: str, fetch: Fetch | None) -> bytes:
    if fetch is None:
        raise LookupError("it has to be opened together with the scene")
    if name.startswith(("/", "\\", "~")) or ":" in name or ".." in name.replace("\\", "/").split("/"):
        raise LookupError("it has to lie in the scene's folder")
    return fetch(name)


def _rows(given: Any) -> list[str] | None:
    if isinstance(given, str):
        return [line for line in given.splitlines() if line.strip()]
    return [str(row) for row in given] if isinstance(given, list) else None


def _joined(entry: dict[str, Any], held: dict[str, Any], rows: list[str] | None) -> dict[str, Any]:
    """What the file says, with what the scene says before it."""
    doors: dict[Any, Any] = {door["id"]: door for door in entry["doors"]}
    for number, door in enumerate(_listed(held.get("doors"))):
        name = door.get("id") if isinstance(door, dict) else number
        doors[name] = doors.get(name, {}) | door if isinstance(door, dict) else door
    legend = held.get("legend")
    between = [door.get("between") for door in doors.values() if isinstance(door, dict)]
    stands = [sorted(map(list, edge)) for edge in between if isinstance(edge, (list, tuple)) and _cells(edge)]
    walls = [wall for wall in entry["walls"] if sorted(map(list, wall["between"])) not in stands]
    return {
        **{key: value for key, value in held.items() if key != "file"},
        "rows": rows if rows is not None else entry["rows"],
        "legend": entry["legend"] | legend if isinstance(legend, dict) else entry["legend"],
        "walls": [*walls, *_listed(held.get("walls"))],
        "doors": list(doors.values()),
    }


def _listed(given: Any) -> list[Any]:
    return given if isinstance(given, list) else []


def _cells(edge: Any) -> bool:
    return all(isinstance(end, (list, tuple)) for end in edge)


def _put_in(text: str | bytes, entry: dict[str, Any]) -> str:
    """The text with another value for `map`, on one line; the lines after it keep their numbers."""
    plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text.removeprefix("\ufeff")
    plain = plain.replace("\r\n", "\n").replace("\r", "\n")
    start, end = _span(plain)
    replaced = plain[start:end]
    written = json.dumps(entry, separators=(", ", ": "))
    return f"{plain[:start]}{written}{chr(10) * replaced.count(chr(10))}{plain[end:]}"


def _span(text: str) -> tuple[int, int]:
    """Where the value of the key `map` begins and ends."""
    depth, key, start = 0, "", -1
    turn = False
    for event in yaml.parse(text, Loader=_LOADER):
        opens = isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent))
        closes = isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent))
        if depth == 1 and not closes:
            turn = not turn  # a key, then its value
            if turn:
                key = event.value if isinstance(event, yaml.ScalarEvent) else ""
            elif key == "map" and opens:
                start = _index(event.start_mark)
        depth += opens - closes
        if start >= 0 and depth == 1 and closes:
            return start, _index(event.end_mark)
    raise AssertionError("the map was read a moment ago")


def _index(mark: Any) -> int:
    index: int = mark.index
    return index
