"""Scenes with somebody who hides and creatures that could notice: a strip of thicket, a loft, a room with a curtain."""

from __future__ import annotations

from typing import Any

from scenes import character, happened, table

import turnwright as tw
from turnwright.systems.narateer.events import Checked, Known, Learned, Perceived, SearchBegun

THICKET = {",": {"name": "thicket", "conceals": ["sight"]}, "~": {"name": "mire", "difficult": ["mud"]}}
STRIP = ["." * 30] * 4 + ["," * 24 + "." * 6] + ["." * 30] * 4
"""Open ground with a thicket along row 4, up to column 23; nobody who stands in row 0 or 8 is near enough to see in."""

CONCEALED = THICKET | {
    "%": {"name": "reeds in mud", "difficult": ["mud"], "conceals": ["sight"]},
    "l": {"name": "loft", "conceals": ["sight"], "place": "loft"},
    "c": {"name": "cellar", "conceals": ["sight"], "place": "cellar"},
}
ANNEX = [row[:26] + "#" + row[27:] for row in STRIP[:8]] + [STRIP[8]]
"""The same with an annex in the east, whose only way out is in the last row."""
HOUSE = ["lll.......ccc", "lll.......ccc", ".............", ".............", "............."]
"""A loft in the north-west and a cellar in the north-east of a yard."""


def hider(at: Any = (4, 4), **keys: Any) -> dict[str, Any]:
    """Selka of the heroes, played by ann; Base Movement 14 m."""
    keys = {"skills": {"stealth": 2}, "agility": 4, "strength": 2, "seat": "ann"} | keys
    return character("selka", "heroes", at, **keys)


def guard(name: str = "guard", at: Any = (4, 0), score: int | None = None, **keys: Any) -> dict[str, Any]:
    """A guard with an Observation Readiness Score, played by the guide."""
    if score is not None:
        keys["readiness"] = {"observation": score}
    return character(name, "guards", at, **keys)


def grove(*characters: dict[str, Any], dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    """A table on the strip of thicket, in Selka's Activation where she is there and nothing else is said."""
    return scenery(*characters, dice=dice, **{"rows": STRIP, "legend": CONCEALED} | keys)


def house(*characters: dict[str, Any], dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    """A table on the yard with loft and cellar."""
    return scenery(*characters, dice=dice, **{"rows": HOUSE, "legend": CONCEALED} | keys)


def scenery(*characters: dict[str, Any], dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    """A table on any map, with the seats that the characters name, in Selka's Activation where she is there."""
    seats = sorted({c["seat"] for c in characters if "seat" in c} - {"guide"})
    first = "selka" if any(c["id"] == "selka" for c in characters) else ""
    keys = {"seats": [{"id": seat} for seat in seats], "begin": first} | keys
    return table(*characters, dice=dice, **keys)


def hide(t: tw.Table, boost: int = 0, who: str = "selka", **keys: Any) -> None:
    t.declare(who, "hide", method="crouch low and keep still", boost=boost, **keys)


def looks(t: tw.Table, *names: str, scope: tuple[Any, ...] = (), **keys: Any) -> None:
    """The guide's word that these are searching."""
    t.override([SearchBegun("", name, scope, by_word=True, **keys) for name in names], "they are searching")


def distract(t: tw.Table, *names: str, who: str = "selka") -> None:
    t.override([Perceived("", who, name, clear=False) for name in names], "a shout in the yard")


def attentive(t: tw.Table, *names: str, who: str = "selka") -> None:
    """The distraction is over."""
    t.override([Perceived("", who, name) for name in names], "they turn back")


def hears_of(t: tw.Table, *names: str, who: str = "selka") -> None:
    """She knows that these are about, and not where."""
    t.override([Learned("", name, who, None, "told") for name in names], "footsteps behind the wall")


def turn(t: tw.Table, who: str) -> None:
    """The running Activation ends and this one starts."""
    if t.state.active:
        t.declare(t.state.active, "end")
    t.declare(who, "begin")


def checks(t: tw.Table, skill: str = "", who: str = "") -> int:
    """How many checks were made, of a Skill and by somebody where that is said."""
    made = happened(t, Checked)
    return sum(1 for c in made if skill in ("", c.skill) and who in ("", c.actor))


def remembers(t: tw.Table, observer: str, who: str = "selka") -> Known | None:
    """What the observer knows of somebody that it does not perceive."""
    return t.state.relation(Known, who, observer)


def codes(offer: tw.Offer) -> set[str]:
    return {refusal.code for refusal in offer.refusals}


def rules(offer: tw.Offer) -> set[str]:
    return {refusal.rule for refusal in offer.refusals}


def at(t: tw.Table, who: str = "selka") -> Any:
    return t.state.actors[who].at


def along(*columns: int, row: int = 4) -> list[tuple[int, int]]:
    """A route along a row."""
    return [(x, row) for x in columns]


CHECK = {"kind": "check", "failure": "the noise draws the patrol"}
"""The guide's ruling that a search is uncertain and matters."""
