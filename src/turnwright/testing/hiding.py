"""Two states that a seat cannot tell apart, compared in everything that it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import Declaration, Refused, Roll, Rule, SeatId, State, Withdraw
from turnwright.odds import LIMIT, TooMany
from turnwright.policy import plain_answer
from turnwright.rules import Game
from turnwright.table import Open, Table
from turnwright.testing.playing import any_answer
from turnwright.testing.promises import expect, said

STEPS = 6
"""So many questions to a seat are looked at in one action."""


def check_secrets(one: State, two: State, seat: SeatId, draw: Random, *, limit: int = LIMIT) -> None:
    """Two states that differ only in what a seat cannot know look the same to it in everything that it is shown."""
    tables = _tables(one, two)
    game = tables[0].game
    known = [table.knows(seat) for table in tables]
    expect(known[0] == known[1], f"{seat} knows: {_first_difference(known[0], known[1])}")
    _same(tables, lambda table: table.view(seat), "the view")
    _same(tables, lambda table: table.version(seat), "the version")
    strange = [name for name in dict.fromkeys((*one.actors, *two.actors)) if name not in known[0].actors]
    for name in strange:
        _same(tables, lambda table, name=name: _declared_for(table, name, seat), f"what is said of {name}")  # type: ignore[misc]
    for actor in known[0].actors.values():
        if actor.seat == seat:
            _same(tables, partial(Table.offers, actor=actor.id, seat=seat), f"the offers for {actor.id}")
            for d in _tries(game, known[0], actor.id, draw):
                _check_one_secret(tables, d, seat, draw, limit)
                for name in strange if d.target else ():
                    _check_aimed(tables, replace(d, target=name), seat)


def _tables(*states: State) -> list[Table]:
    return [Table(state, seed=0, dice="table") for state in states]


def _tries(game: Game, known: State, actor: str, draw: Random) -> Iterator[Declaration]:
    """What an actor might declare: everything that is listed, filled in."""
    for action in game.actions.values():
        for d in action.variants(known, actor):
            yield action.complete(known, action.fill(known, d, draw.choice))


def _check_one_secret(tables: list[Table], d: Declaration, seat: SeatId, draw: Random, limit: int) -> None:
    _same(tables, lambda table: _explained(table, d, seat), f"the answer to {d}")
    _same(tables, lambda table: _interjected(table, d, seat), f"what comes of interjecting {d}")
    _go_on(_tables(*[table.state for table in tables]), d, seat, draw)
    if d.boost is not None:
        _same(tables, lambda table: _odds(table, d, seat, limit), f"the odds of {d}")


def _check_aimed(tables: list[Table], d: Declaration, seat: SeatId) -> None:
    """Something aimed at somebody of whom the seat knows nothing."""
    _same(tables, lambda table: _explained(table, d, seat), f"the answer to {d}")
    _same(tables, lambda table: _refusal(lambda: table.odds(d.actor, d.action, seat=seat, **said(d))), f"odds of {d}")


def _explained(table: Table, d: Declaration, seat: SeatId) -> Any:
    return table.explain(d.actor, d.action, seat=seat, **said(d))


def _declared_for(table: Table, actor: str, seat: SeatId) -> Any:
    """What a seat is told that declares something for somebody of whom it knows nothing."""
    return [
        _refusal(lambda: table.declare(actor, "begin", seat=seat)),
        _refusal(lambda: table.odds(actor, "begin", seat=seat)),
        table.explain(actor, "begin", seat=seat),
        table.offers(actor, seat=seat),
    ]


def _interjected(table: Table, d: Declaration, seat: SeatId) -> Any:
    return _refusal(lambda: table.interject(d.actor, d.action, seat=seat, **said(d)))


def _refusal(act: Callable[[], Any]) -> Any:
    try:
        return act()
    except (Refused, TooMany) as error:
        return str(error), getattr(error, "refusals", ())


def _go_on(tables: list[Table], d: Declaration, seat: SeatId, draw: Random) -> None:
    """Declare it at both tables and answer alike, as long as the seat has learned of no difference; then take it back.

    Every question that it is put, the odds of an answer, and the version must be the same as long as that holds.
    """
    what = f"what comes of declaring {d}"
    refused = [_refusal(lambda table=table: _declare(table, d, seat)) for table in tables]  # type: ignore[misc]
    expect(refused[0] == refused[1], f"{what} differs: {refused[0]} and {refused[1]}")
    ruled: list[Any] = []
    try:
        for _ in range(STEPS):
            for table in tables:
                _answer_others(table, seat, ruled)
            if not _alike(tables, seat):
                _check_paid([table.news(seat) for table in tables], what)
                return
            _same(tables, lambda table: _asked(table, seat), f"what is asked, of {what}")
            _same(tables, lambda table: table.version(seat), f"the version, of {what}")
            mine = [held for held in tables[0].waiting_on if held.who == seat and not held.drafted]
            if not mine:
                return
            value = any_answer(mine[0], draw)
            _same(tables, lambda table: _odds_of(table, mine[0].id, value, seat), f"the odds of an answer, of {what}")  # noqa: B023
            for table in tables:
                table.answer(mine[0].id, value, seat=seat)
    finally:
        for table in tables:
            while table.live:
                table.undo()
        _same(tables, lambda table: _all_but_version(table, seat), f"what is taken back, of {what}")


def _declare(table: Table, d: Declaration, seat: SeatId) -> None:
    table.declare(d.actor, d.action, seat=seat, **said(replace(d, boost=None)))


def _answer_others(table: Table, seat: SeatId, ruled: list[Any]) -> None:
    """Everybody else answers plainly, until only the seat is waited for; the seat's own drafts stand.

    The guide, who knows the difference, rules at both tables as at the first.
    """
    for _ in range(50):
        others = [held for held in table.waiting_on if held.who != seat and not held.drafted]
        if not others:
            return
        held = others[0]
        if isinstance(held.question, Rule):
            ruled[:] = ruled or [held.question.suggested[0]]
            table.answer(held, ruled[0])
        else:
            table.answer(held, _plainly(held))


def _plainly(held: Open) -> Any:
    question = held.question
    if isinstance(question, Roll):
        return sum(question.pool.range) // 2
    given = plain_answer(question)
    return given if not isinstance(given, Withdraw) else Withdraw


def _alike(tables: list[Table], seat: SeatId) -> bool:
    one, two = tables
    return one.knows(seat) == two.knows(seat) and one.news(seat) == two.news(seat)


def _all_but_version(table: Table, seat: SeatId) -> dict[str, Any]:
    return {name: held for name, held in table.view(seat).items() if name != "version"}


def _check_paid(news: list[tuple[Event, ...]], what: str) -> None:
    """What is found out in play may differ; what the same thing costs may not."""
    differ = next(((one, two) for one, two in zip(*news, strict=False) if one != two), None)
    if differ is not None and type(differ[0]) is type(differ[1]):
        for part in ("costs", "metres"):
            one, two = (getattr(event, part, None) for event in differ)
            expect(one == two, f"{what} costs {one} and {two}")


def _asked(table: Table, seat: SeatId) -> Any:
    view = table.view(seat)
    return view["questions"], view["waiting_for"]


def _odds_of(table: Table, name: str, value: Any, seat: SeatId) -> Any:
    found = _refusal(lambda: table.odds_of_answer(name, value, seat=seat))
    return found if isinstance(found, tuple) else (dict(found), found.assumptions)


def _odds(table: Table, d: Declaration, seat: SeatId, limit: int) -> Any:
    try:
        found = table.odds(d.actor, d.action, seat=seat, limit=limit, **said(d))
    except (Refused, TooMany) as error:
        return str(error)
    return dict(found), found.assumptions


def _same(tables: list[Table], look: Callable[[Table], Any], what: str) -> None:
    first, *others = [look(table) for table in tables]
    for other in others:
        expect(first == other, f"{what} differs: {_first_difference(first, other)}")


def _first_difference(one: Any, two: Any) -> str:
    a, b = repr(one), repr(two)
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"...{a[max(0, at - 60) : at + 80]}... and ...{b[max(0, at - 60) : at + 80]}..."
