"""Small words for tests of movement: a long field, somebody with a given Base Movement, and how far it gets."""

from __future__ import annotations

from typing import Any

from scenes import answer, character, happened, question, table

import turnwright as tw
from turnwright.systems.narateer.events import Checked, Hid

FIELD = ["." * 60] * 3
"""Three rows of ordinary ground; whoever walks along the middle one has 59 Spaces, 118 m, ahead."""


def mover(bm: int = 14, at: tuple[int, int] = (0, 1), id: str = "kael", **keys: Any) -> dict[str, Any]:
    """Somebody of the heroes whose Strength makes the Base Movement what is asked for."""
    return character(id, "heroes", at, strength=bm - 8, **keys)


def field(*characters: dict[str, Any], rows: list[str] | None = None, **keys: Any) -> tw.Table:
    """A table on the long field, or on other rows, in the Activation of the first character."""
    return table(*characters, rows=rows or FIELD, begin=characters[0]["id"], **keys)


def east(count: int, start: int = 0, y: int = 1) -> list[tuple[int, int]]:
    """So many Spaces in a straight line."""
    return [(start + step, y) for step in range(1, count + 1)]


def ahead(t: tw.Table, actor: str, count: int) -> list[tuple[int, int]]:
    """So many Spaces to the east of where the actor stands."""
    x, y = t.state.actors[actor].at
    return east(count, x, y)


def go(t: tw.Table, actor: str, mode: str, count: int, **said: Any) -> None:
    """So many Spaces to the east in a mode."""
    t.declare(actor, mode, route=ahead(t, actor, count), **said)


def metres(t: tw.Table, actor: str, mode: str, **said: Any) -> float:
    """What the offer says is left of a mode, in metres."""
    _, _, left = t.explain(actor, mode, **said).label.partition(", ")
    number, unit = left.split()[:2]
    assert unit == "m"
    return float(number)


def may_go(t: tw.Table, actor: str, mode: str, count: int, **said: Any) -> bool:
    return t.explain(actor, mode, route=ahead(t, actor, count), **said).verdict == "legal"


def farthest(t: tw.Table, actor: str, mode: str, **said: Any) -> int:
    """The greatest number of Spaces to the east that is legal now."""
    return next((count for count in range(59, 0, -1) if may_go(t, actor, mode, count, **said)), 0)


def quoted(t: tw.Table, actor: str, mode: str, count: int, **said: Any) -> int:
    """Metres of allowance that a straight route of so many Spaces would cost."""
    return int(t.explain(actor, mode, route=ahead(t, actor, count), **said).price.metres)


THICKET = {",": {"name": "thicket", "conceals": ["sight"]}}
COVERED = ["," * 60] * 3
"""Concealed from sight everywhere."""


def hidden(t: tw.Table, actor: str, *observers: str, total: int = 14) -> None:
    """The actor is hidden from these observers, with the total recorded."""
    t.override([Hid("", actor, total, observers)], "it hid before")


def at(t: tw.Table, actor: str) -> Any:
    return t.state.actors[actor].at


def rolls(t: tw.Table) -> int:
    return len(happened(t, Checked))


def codes(offer: tw.Offer) -> set[str]:
    """The codes of the reasons against an offer."""
    return {refusal.code for refusal in offer.refusals}


def act_for(t: tw.Table, actor: str, cost: int = 1) -> None:
    """Something else that costs so many AD: the guide rules that it simply works."""
    t.declare(actor, "attempt", intent="clear a table", method="sweep it with an arm", boost=0)
    answer(t, {"kind": "automatic", "ad": cost, "success": "it is bare"}, kind="rule")
    if t.waiting_on:
        answer(t, "yes", kind="confirm")


def try_check(t: tw.Table, actor: str, skill: str = "athletics", boost: int = 0) -> None:
    """A generic check of a Skill at 1 AD, against a target of 4; the dice are the scene's."""
    t.declare(actor, "attempt", intent="force the door", method="shoulder it", boost=boost)
    ruling = {"kind": "check", "skill": skill, "target": 4, "success": "it gives", "failure": "it holds"}
    answer(t, ruling, kind="rule")
    if t.waiting_on:
        answer(t, "yes", kind="confirm")


__all__ = [
    "COVERED",
    "FIELD",
    "THICKET",
    "act_for",
    "ahead",
    "answer",
    "at",
    "character",
    "codes",
    "east",
    "farthest",
    "field",
    "go",
    "happened",
    "hidden",
    "may_go",
    "metres",
    "mover",
    "question",
    "quoted",
    "rolls",
    "table",
    "try_check",
]
