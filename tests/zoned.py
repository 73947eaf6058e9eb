"""Small words for tests off the map: a table of Zones or of stated relations, and a map that has both."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from scenes import table

import turnwright as tw
from turnwright.model import Stands

ROAD = {name: {} for name in ("one", "two", "three", "four", "five", "six")}
"""Six Zones in a row, 10 m each."""


def row(*names: str, **keys: Any) -> list[dict[str, Any]]:
    """Ways that join Zones one after the other."""
    return [{"between": list(pair), **keys} for pair in pairwise(names)]


def zoned(
    *characters: dict[str, Any], zones: dict[str, Any] | None = None, ways: list[Any] | None = None, **keys: Any
) -> tw.Table:
    """A table in Cinematic Mode, in the Activation of the first character; `map_` adds keys to the map."""
    zones = dict(ROAD) if zones is None else zones
    drawn = {"zones": zones, "ways": row(*zones) if ways is None else ways, **keys.pop("map_", {})}
    keys.setdefault("begin", characters[0]["id"])
    keys.setdefault("mode", "cinematic")
    return table(*characters, map=drawn, **keys)


ROWS = ["aaaaabbbbb"] * 5
"""Two Zones of 5 Spaces by 5 on one map."""
LEGEND = {"a": {"name": "flags", "place": "west"}, "b": {"name": "grass", "place": "east", "conceals": ["sight"]}}
BOTH = {
    "rows": ROWS,
    "legend": LEGEND,
    "zones": {"west": {"spaces": "west"}, "east": {"spaces": "east", "conceals": ["sight"]}},
    "ways": [{"between": ["west", "east"]}],
}


def both(*characters: dict[str, Any], mode: str = "cinematic", **keys: Any) -> tw.Table:
    """A table on a map that has Spaces and Zones, so that the Scene Mode can be shifted."""
    keys.setdefault("begin", characters[0]["id"])
    drawn = {**BOTH, **keys.pop("map_", {})}
    return table(*characters, map=drawn, mode=mode, **keys)


HALL = [
    {"thing": "door", "place": "hall"},
    {"thing": "altar", "place": "hall"},
    {"thing": "well", "place": "yard"},
    {"barrier": "wall", "between": ["hall", "yard"]},
]


def told(*characters: dict[str, Any], relations: list[dict[str, Any]] | None = None, **keys: Any) -> tw.Table:
    """A table in Story Mode, in the Activation of the first character."""
    keys.setdefault("begin", characters[0]["id"])
    return table(*characters, mode="story", relations=HALL if relations is None else relations, **keys)


def ties(t: tw.Table, actor: str) -> set[tuple[str, str]]:
    """How somebody stands to whom or what."""
    return {(tie.how, tie.other) for tie in t.state.related(Stands, actor)}


def choices(t: tw.Table, actor: str, action: str, **said: Any) -> set[str]:
    """Where the offer says that one can go."""
    return {c for p in t.explain(actor, action, **said).parameters if p.name == "to" for c in p.choices}
