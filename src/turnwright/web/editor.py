"""A creature with all its numbers, to be changed by the guide with a reason."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse

from turnwright.model import GUIDE, Actor, State
from turnwright.rules import Game, total_of
from turnwright.web.views.telling import plain_value
from turnwright.web.views.words import titled

FIXED = ("id",)
"""What nobody changes: everything else refers to it."""


class Value(NamedTuple):
    """One value of an actor: its path, how it is typed, and what it is now."""

    path: str
    name: str
    kind: str
    """number, yes, text, listed (words with commas), or json."""
    now: str


class Sum(NamedTuple):
    """A derived number and the parts that make it up, each with its rule."""

    name: str
    total: str
    parts: tuple[tuple[str, str, str], ...]


def values_of(actor: Actor) -> tuple[Value, ...]:
    """Everything that can be changed of an actor, the plain numbers first."""
    fields = [field.name for field in msgspec.structs.fields(type(actor)) if field.name not in FIXED]
    found = [value for name in fields for value in _values(name, getattr(actor, name))]
    ranks = {"number": 0, "yes": 1, "listed": 2, "text": 3, "json": 4}
    return tuple(sorted(found, key=lambda value: ranks[value.kind]))


def _values(name: str, held: Any) -> list[Value]:
    """One value, or one for each entry of numbers by name."""
    if isinstance(held, dict) and held and all(type(part) is int for part in held.values()):
        return [Value(f"{name}.{key}", f"{titled(name)}: {key}", "number", str(part)) for key, part in held.items()]
    return [Value(name, titled(name), kind_of(held), written(held))]


def kind_of(held: Any) -> str:
    if isinstance(held, bool):
        return "yes"
    if isinstance(held, int):
        return "number"
    if isinstance(held, (str, Fraction)) or _is_space(held) or held is None:
        return "text"
    if isinstance(held, tuple) and all(isinstance(part, str) for part in held):
        return "listed"
    return "json"


def _is_space(held: Any) -> bool:
    return isinstance(held, tuple) and len(held) == 2 and all(type(part) is int for part in held)


def written(held: Any) -> str:
    """A value as it is typed."""
    match kind_of(held):
        case "yes":
            return "yes" if held else "no"
        case "listed":
            return ", ".join(held)
        case "json":
            return msgspec.json.encode(plain_value(held)).decode()
    if _is_space(held):
        return f"{held[0]},{held[1]}"
    return "" if held is None else str(held)


def sums_of(game: Game, state: State, actor: str) -> tuple[Sum, ...]:
    found = []
    for name, parts in game.sums(state, actor).items():
        rows = [(part.label, f"{'×' if part.times else ''}{_number(part.amount)}", part.rule) for part in parts]
        found.append(Sum(titled(name), _number(total_of(parts, 0)), tuple(rows)))
    return tuple(found)


def _number(value: Fraction) -> str:
    return f"{float(value):g}"


def editor_routes(app: FastAPI) -> None:
    @app.get("/s/{token}/edit/{actor}")
    def edit(request: Request, token: str, actor: str) -> HTMLResponse:
        from turnwright.web.app import seated, show

        found = seated(request, token)
        if found.seat != GUIDE:
            raise HTTPException(404, "This link leads nowhere. Ask for a new one.")
        with found.live.lock:
            state, game = found.live.table.state, found.live.table.game
            if actor not in state.actors:
                raise HTTPException(404, "Nobody of that id is in the scene.")
            who = state.actors[actor]
            given = {"who": who, "values": values_of(who), "sums": sums_of(game, state, actor)}
        return show(request, "edit.html", token=token, **given)
