"""Attempts for tests: what the guide rules on them, and an attempt with its ruling in one call."""

from __future__ import annotations

from typing import Any

from scenes import answer

import turnwright as tw


def a_check(skill: str = "athletics", target: int = 6, **more: Any) -> dict[str, Any]:
    """The guide's ruling that an attempt is a check, complete with both stakes."""
    return {"kind": "check", "skill": skill, "target": target, "success": "over it", "failure": "falls"} | more


def told(tier: str = "trivial", **more: Any) -> dict[str, Any]:
    """The guide's ruling that the outcome is settled, at the price of a tier."""
    return {"kind": "automatic", "tier": tier, "success": "so it is"} | more


def attempt(table: tw.Table, actor: str, ruling: Any, *, boost: int | None = 0, **said: Any) -> None:
    """Declare an attempt, rule on it, and confirm its price where that is asked."""
    words = {"intent": "be over the wall", "method": "climb it"} | said
    table.declare(actor, "attempt", boost=boost, **words)
    answer(table, ruling, "rule")
    if any(q.kind == "confirm" for q in table.waiting_on):
        answer(table, True, "confirm")
