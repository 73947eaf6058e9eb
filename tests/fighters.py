"""Two who fight: a and b side by side on open ground, each with a sword and Melee 2 where a test says nothing else."""

from __future__ import annotations

from typing import Any

from scenes import character, table

import turnwright as tw


def fighter(id: str, side: str, at: Any = None, **keys: Any) -> dict[str, Any]:
    """A character with Melee 2 and a sword (Base Attack Cost 1, 1 Wound); `melee` sets the Skill Level."""
    skills = {"melee": keys.pop("melee", 2)} | keys.pop("skills", {})
    return character(id, side, at, **({"weapons": [{"name": "sword"}]} | keys), skills=skills)


def duel(
    dice: tuple[Any, ...] = (),
    a: dict[str, Any] | None = None,
    b: dict[str, Any] | None = None,
    others: tuple[dict[str, Any], ...] = (),
    **keys: Any,
) -> tw.Table:
    """a and b next to each other, in a's Activation; `a` and `b` add to their sheets."""
    mine = fighter("a", "reds", **({"at": (4, 2)} | (a or {})))
    theirs = fighter("b", "blues", **({"at": (5, 2)} | (b or {})))
    return table(mine, theirs, *others, dice=dice, begin=keys.pop("begin", "a"), **keys)


def power(name: str, *parts: dict[str, Any], **requires: Any) -> dict[str, Any]:
    """A Class Power with its parts and what it requires."""
    return {"name": name, "parts": list(parts)} | ({"requires": requires} if requires else {})
