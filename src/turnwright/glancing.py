"""The chance of success of an offer, for every Boost that can be paid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from turnwright.branching import TooMany
from turnwright.comparing import Glance
from turnwright.engine import boost_limit
from turnwright.model import Declaration, Offer, Refused, seat_of

if TYPE_CHECKING:
    from turnwright.foresight import Foresight

AS_PLANNED = "as planned"
"""Stands for words that do not change the odds and were not said."""


def glances(table: Foresight, offer: Offer, limit: int) -> tuple[tuple[Glance, ...] | None, int]:
    """The chances of one offer for each Boost, and how many branches they took."""
    d = _filled(table, offer)
    if offer.verdict != "legal" or d is None:
        return (), 0
    said: dict[str, Any] = {"intent": d.intent, "method": d.method, "target": d.target, "route": d.route, **d.options}
    glances: list[Glance] = []
    branches = 0
    most = d.boost or 0
    boost = most
    while boost <= most:
        try:
            said["boost"] = boost
            found = table.odds_by_answer(d.actor, d.action, limit=limit, **said)
        except Refused:
            break
        except TooMany:
            return (tuple(glances) or None), branches + limit
        branches += found.branches
        if boost == (d.boost or 0):
            if all(len(each) < 2 for each in found.values()) and len(found) < 2:
                return (), branches
            known = table.knows(seat_of(table.state, d.actor))
            most = boost_limit(table.game, known, d.actor, table._bill(known, d))
        glances.append(found.glance(boost))
        boost += 1
    return tuple(glances), branches


def _filled(table: Foresight, offer: Offer) -> Declaration | None:
    """The offer as a whole declaration, with words for what is free text; None where more has to be said."""
    d = offer.declaration
    if d.actor not in table.state.actors:
        return None
    said = {p.name for p in offer.parameters}
    d = replace(
        d,
        intent=d.intent or (AS_PLANNED if "intent" in said else ""),
        method=d.method or (AS_PLANNED if "method" in said else ""),
    )
    known = table.knows(seat_of(table.state, d.actor))
    action = table.game.actions[d.action]
    d = action.complete(known, d)
    return None if any(True for _ in action.missing(known, d)) else d
