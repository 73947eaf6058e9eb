"""What a page asks for about the map: where a movement leads and what it costs, and the picture that lies under it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from turnwright.answers import read_declaration
from turnwright.model import GUIDE, Refusal, Refused, SeatId
from turnwright.rules import Reached
from turnwright.space.grid import Cell
from turnwright.web.forms import declared
from turnwright.web.guard import NOWHERE
from turnwright.web.hall import Hall
from turnwright.web.live import LiveTable, check_size
from turnwright.web.mapping import cell_words, metres_in_words
from turnwright.web.pictures import Cuts, cut
from turnwright.web.seen import field_of, sight_of

MOST_FIELDS = 60
MOST_REACHED = 10_000
ASIDE = ("do", "seen", "id", "version", "intent", "method", "way", "boost")
"""What a form says that has no part in where a movement leads."""
HELD = {"Cache-Control": "private, max-age=31536000, immutable"}


def map_routes(app: FastAPI) -> None:
    cuts = Cuts()

    @app.post("/s/{token}/reach")
    async def reach(request: Request, token: str) -> Response:
        async with request.form(max_files=0, max_fields=MOST_FIELDS) as form:
            fields = {name: value for name, value in form.items() if isinstance(value, str)}
        return await run_in_threadpool(_reach, request, token, fields)

    @app.get("/s/{token}/picture/{mark}")
    def picture(request: Request, token: str, mark: str) -> Response:
        return _picture(request, token, mark, cuts)


def _reach(request: Request, token: str, fields: dict[str, str]) -> Response:
    from turnwright.web.app import as_json, seated

    return as_json(request, seated(request, token), lambda live, seat: reached(live, seat, fields))


def reached(live: LiveTable, seat: SeatId, fields: dict[str, str]) -> dict[str, Any]:
    """Where what a form declares would lead, and what each way there costs. Raises Refused."""
    check_size(dict(fields))
    table, actor, action = live.table, fields.get("actor", ""), fields.get("action", "")
    acting = table.state.actors.get(actor)
    if acting is None or seat not in (GUIDE, acting.seat):
        raise Refused(Refusal("", "this character is not yours to play", "NOT_YOURS"))
    known, _ = table.game.believed(table.state, table.knows(acting.seat))
    if action not in table.game.actions or actor not in known.actors:
        raise Refused(Refusal("", f"nothing is called {action!r}", "BAD_COMMAND"))
    left = {name: text for name, text in fields.items() if text and name not in ASIDE}
    said = {name: value for name, value in declared(left).items() if name not in ("actor", "action")}
    d = read_declaration(table.game, actor, action, said)
    sight, field = sight_of(table, seat), field_of(known)
    if sight is None or field is None:
        return {"cells": [], "version": live.version(seat)}
    found = [
        each
        for each in islice(table.game.actions[action].reaches(known, d), MOST_REACHED)
        if all(sight.ever & field.bit(cell) for cell in each.route)
    ]
    return {"cells": list(_told(found)), "version": live.version(seat)}


def _told(found: list[Reached]) -> Iterator[dict[str, Any]]:
    """Each Space for a page: what the last step costs and brings on, and from which of those before it was come."""
    numbers: dict[Cell, int] = {}
    for number, each in enumerate(found):
        before = numbers.get(each.way[-2].cell) if len(each.way) > 1 else None
        follows = before is not None and found[before].way == each.way[:-1]
        way = each.way[-1:] if follows else each.way
        told: dict[str, Any] = {
            "cell": cell_words(each.cell),
            "metres": metres_in_words(each.metres),
            "way": [[*t.cell, metres_in_words(t.metres), int(t.doubled), list(t.draws)] for t in way],
        }
        numbers[each.cell] = number
        yield told | ({"from": before} if follows else {}) | ({} if each.ends else {"ends": False})


def _picture(request: Request, token: str, mark: str, cuts: Cuts) -> Response:
    """The picture with what the seat has seen by now; the address names what that is, so that it can be kept."""
    from turnwright.web.app import seated

    seat = seated(request, token)
    hall: Hall = request.app.state.hall

    def read(live: LiveTable) -> tuple[str, Any, int]:
        sight, field = sight_of(live.table, seat.seat), field_of(live.table.state)
        ever = sight.ever if sight is not None else 0
        return live.picture_of(seat.seat, ever), field, ever

    now, field, ever = hall.look(seat.live, read)
    if not now or field is None:
        raise HTTPException(404, NOWHERE)
    found = cuts.get(seat.live.id, ever)
    if found is None:
        found = cut(hall.store.picture(seat.live.id), field, ever)
        cuts.put(seat.live.id, ever, found)
    return Response(found, media_type="image/webp", headers=HELD if now == mark else {"Cache-Control": "no-store"})
