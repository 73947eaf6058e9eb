"""What a program is told over HTTP: a seat's view, its offers and their odds, as plain data."""

from __future__ import annotations

from typing import Any

import msgspec

from turnwright.model import GUIDE, Offer, Refusal, Refused, SeatId, enc_hook
from turnwright.odds import TooMany
from turnwright.web.fog import check_seen, seen_of, unseen_names
from turnwright.web.forms import bad
from turnwright.web.live import LiveTable, check_size

MOST_BRANCHES = 20_000
"""Odds that have more branches than this are not counted while others wait."""


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Odds of what: an action with all that is said of it, and how others answer."""

    actor: str
    action: str
    said: dict[str, Any] = {}
    answers: dict[str, Any] = {}


def view(live: LiveTable, seat: SeatId) -> dict[str, Any]:
    """What a seat knows, and who sits where. `live.lock` is held."""
    found = live.table.view(seat)
    hidden = unseen_names(live.table, seat)
    found["facts"] = {name: fact for name, fact in found["facts"].items() if name not in hidden}
    found["open_doors"] = [door for door in found["open_doors"] if door not in hidden]
    return found | {
        "version": live.version(seat),
        "notices": live.notices_for(seat),
        "paused": live.options.paused,
        "over": live.table.revealed,
        "names": {held: live.name_of(held) for held in live.seats},
        "mine": [name for name, actor in live.table.knows(seat).actors.items() if actor.seat == seat],
    }


def offers(live: LiveTable, seat: SeatId, actor: str) -> dict[str, Any]:
    """Everything that an actor may or may not do; without one, whoever of the seat's acts now. Raises Refused."""
    known = live.table.knows(seat)
    acts = known.actors.get(known.active or "")
    name = actor or (acts.id if acts is not None and seat in (GUIDE, acts.seat) else "")
    if not name:
        return {"version": live.version(seat), "actor": "", "offers": []}
    _check_mine(live, seat, name)
    listed = seen_of(live.table, seat, live.table.offers(name, seat=seat))
    return {"version": live.version(seat), "actor": name, "offers": [_plain(offer) for offer in listed]}


def odds(live: LiveTable, seat: SeatId, body: bytes) -> dict[str, Any]:
    """The exact chance of each outcome of an action, from what the seat knows. Raises Refused."""
    try:
        asked = msgspec.json.decode(body, type=Asked)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise bad(f"expected actor, action, said and answers; {error}") from None
    check_size({**asked.said, "answers": asked.answers})
    _check_mine(live, seat, asked.actor)
    check_seen(live.table, seat, asked.said)
    reserved = sorted({"self", "actor", "action", *OWN} & asked.said.keys())
    if reserved:
        raise bad(f"{reserved[0]} is not said of an action")
    try:
        found = live.table.odds(
            asked.actor, asked.action, seat=seat, answers=asked.answers, limit=MOST_BRANCHES, **asked.said
        )
    except TooMany as error:
        raise Refused(Refusal("", str(error), "TOO_MANY")) from None
    chances = [{"outcome": _plain(outcome), "chance": str(chance)} for outcome, chance in found.items()]
    return {
        "version": live.version(seat),
        "success": str(found.success),
        "chances": chances,
        "assumptions": list(found.assumptions),
    }


OWN = ("seat", "answers", "policy", "choice", "interject", "until", "limit", "sample", "seed")


def _check_mine(live: LiveTable, seat: SeatId, actor: str) -> None:
    """What a character may do is told to whoever plays it and to the guide; of an unseen one nothing is said."""
    held = live.table.knows(seat).actors.get(actor)
    if held is None:
        raise bad(f"you know nobody called {actor[:60]!r}")
    if seat not in (GUIDE, held.seat):
        raise Refused(Refusal("", f"{held.name} is not yours to play", "NOT_YOURS"))


def _plain(value: Offer | Any) -> Any:
    return msgspec.to_builtins(value, enc_hook=enc_hook)
