"""Checks that any game can run on itself: each plays or compares, and raises Broken where something does not hold.

`play` takes a table through a scene, one random input at a time. After any of them `check` looks whether what every
table promises is kept; `check_offers` tries everything that one actor is offered; `check_secrets` compares two states
that a seat cannot tell apart. What makes a good scene, and what a seat cannot know, is for the tests of a game to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from turnwright.events import Charged, Event
from turnwright.gate import legal, offer, offers, reasons
from turnwright.model import (
    GUIDE,
    SPECTATOR,
    Choose,
    Commit,
    Confirm,
    Declaration,
    Offer,
    Order,
    Refused,
    Roll,
    Rule,
    SeatId,
    State,
    Withdraw,
    seat_of,
)
from turnwright.odds import LIMIT, TooMany
from turnwright.policy import RandomBot, plain_answer
from turnwright.rules import Game
from turnwright.running import open_moment
from turnwright.table import Open, Table, read_scene

OVER = "over"
"""What `play` says when the scene has ended."""


class Broken(AssertionError):
    """A promise that a game or a table does not keep."""


def expect(holds: bool, broken: str) -> None:
    if not holds:
        raise Broken(broken)


# -- playing at random


def said(d: Declaration) -> dict[str, Any]:
    """A declaration as what `Table.declare` is told besides its actor and action."""
    common = {"intent": d.intent, "method": d.method, "target": d.target, "boost": d.boost, "route": d.route}
    common["way"] = d.way
    return {name: value for name, value in common.items() if value not in ("", None, ())} | d.options


def play(table: Table, draw: Random, *, undo: float = 0.05, withdraw: float = 0.1) -> Iterator[str]:
    """Play on at random: declarations, answers, interjections, undo and redo; gives a word after each input."""
    bot = RandomBot(draw)
    while True:
        if draw.random() < undo:
            yield take_back(table, draw)
        elif table.waiting_on:
            yield interject(table, draw) or answer(table, draw, withdraw)
        elif table.state.active is None:
            up = table.next_turn()
            if up is None or table.game.side_down(table.state) is not None:
                yield OVER
                return
            table.declare(up, "begin", seat=GUIDE)
            yield f"begin {up}"
        else:
            actor = table.state.active
            d = bot.declare(table.game, table.knows(seat_of(table.state, actor)), actor)
            if draw.random() < 0.5:
                d = replace(d, boost=None)
            table.declare(actor, d.action, **said(d))
            yield f"{actor} {d.action}"


def take_back(table: Table, draw: Random) -> str:
    """Undo, and sometimes redo."""
    if not table.live:
        return "nothing to take back"
    table.undo()
    if draw.random() < 0.5:
        table.redo()
        return "undo and redo"
    return "undo"


def interject(table: Table, draw: Random) -> str:
    """Now and then somebody who can interjects something."""
    moment = open_moment(tuple(held.question for held in table.waiting_on))
    if moment is None or draw.random() < 0.6:
        return ""
    open_to = [
        d
        for reaction in table.game.reactions.get(type(moment), ())
        if reaction.interjected
        for d in reaction.candidates(table.state, moment)
    ]
    if not open_to:
        return ""
    chosen = replace(draw.choice(open_to), method="lend a hand")
    try:
        table.interject(chosen.actor, chosen.action, **said(chosen))
    except Refused:
        return ""
    return f"{chosen.actor} interjects {chosen.action}"


def answer(table: Table, draw: Random, withdraw: float) -> str:
    """One of those who are asked answers, or puts another answer in place of theirs."""
    held = draw.choice(table.waiting_on)
    table.answer(held, any_answer(held, draw, withdraw))
    return f"{held.who} answers {held.kind}"


def any_answer(held: Open, draw: Random, withdraw: float = 0.0) -> Any:
    """Something that the question takes; sometimes the declaration is withdrawn where it can be."""
    question = held.question
    if draw.random() < withdraw and (isinstance(question, Confirm) or getattr(question, "may_withdraw", False)):
        return Withdraw
    match question:
        case Roll(pool=pool):
            return draw.randint(*pool.range) if draw.random() < 0.3 else _faces(pool.thrown, pool.sides, draw)
        case Choose(options=options):
            option = draw.choice(options)
            return option.id, draw.randint(0, option.most)
        case Commit(most=most):
            return draw.randint(0, most)
        case Rule(suggested=suggested):
            return draw.randrange(len(suggested))
        case Order(among=among):
            return draw.sample(among, len(among))
        case Confirm():
            return True
    return "what is meant", "as it was said"


def _faces(dice: int, sides: int, draw: Random) -> list[int]:
    return [draw.randint(1, sides) for _ in range(dice)]


# -- what every table promises


def snapshot(table: Table) -> tuple[Any, ...]:
    """Everything that a refusal, or an undo of what was just done, must leave as it was."""
    return table.state, table.pending, table.live, table._chain, [held.question for held in table.waiting_on]


def everything(table: Table) -> tuple[Any, ...]:
    """All that can be seen of a table, the traces of undo included."""
    seats = [GUIDE, SPECTATOR, *(seat.id for seat in table.start.scene.seats)]
    views = [(table.version(seat), table.view(seat)) for seat in seats]
    return *snapshot(table), list(table.log), table.waiting_on, list(table._redo), views


def check(table: Table, path: Path) -> None:
    """The stored events make the state, the saved table is the table, and nobody has less than nothing."""
    check_folds(table)
    check_saves(table, path)
    check_amounts(table)


def check_folds(table: Table) -> None:
    """The start and the events that stand make the state."""
    state = table.start
    for entry in table.live:
        for event in entry.events:
            state = event.apply(state)
    expect(state == table.state, "the stored events do not make the state")


def check_saves(table: Table, path: Path) -> None:
    """A table that is saved and loaded, which runs its log again, is the same to everybody."""
    table.save(path)
    expect(everything(Table.load(path)) == everything(table), "a saved table comes back as another one")


def check_amounts(table: Table) -> None:
    """Nobody has less than nothing of what was ever charged."""
    for actor, resource in dict.fromkeys(_charged(table)):
        if actor in table.state.actors:
            left = table.game.available(table.state, actor, resource)
            expect(left is None or left >= 0, f"{actor} has {left} {resource}")


def _charged(table: Table) -> Iterator[tuple[str, str]]:
    for entry in table.live:
        for event in entry.events:
            if isinstance(event, Charged):
                yield from ((event.actor, item.resource) for item in event.costs)


def check_undo(table: Table, act: Callable[[], Any]) -> None:
    """What is done and undone has not been; done again, it is as it was."""
    before, stood = snapshot(table), len(table.live)
    act()
    done, undone = table.live[stood:], 0
    while len(table.live) > stood:
        table.undo()
        undone += 1
    expect(snapshot(table) == before, f"undo of {done} leads elsewhere")
    for _ in range(undone):
        table.redo()
    expect(table.live[stood:] == done, f"{done}, undone and done again, is something else")


# -- what is offered


def check_offers(table: Table, actor: str, draw: Random, seat: SeatId | None = None) -> None:
    """Everything that an actor is offered: what is legal is accepted, and the rest refused for the reasons given."""
    known = table.knows(seat or seat_of(table.state, actor))
    for listed in table.offers(actor, seat=seat):
        _check_listed(table, listed, seat)
        action = table.game.actions[listed.action]
        filled = action.fill(known, listed.declaration, draw.choice)
        _check_declared(table, filled, seat)
        for parameter in listed.parameters:
            if parameter.choices:
                chosen = {**filled.options, parameter.name: draw.choice(parameter.choices)}
                _check_declared(table, replace(filled, options=chosen), seat)


def _check_listed(table: Table, listed: Offer, seat: SeatId | None) -> None:
    explained = table.explain(listed.declaration.actor, listed.action, seat=seat, **said(listed.declaration))
    if not table.waiting_on:
        missing = [refusal for refusal in listed.refusals if refusal not in explained.refusals]
        expect(not missing, f"{listed.action} is listed with reasons that explain does not give: {missing}")
    expect(explained.price == listed.price, f"{listed.action} is listed at another price than explained")


def _check_declared(table: Table, d: Declaration, seat: SeatId | None) -> None:
    """Declaring does exactly what explain says; and it is taken back again."""
    explained = table.explain(d.actor, d.action, seat=seat, **said(d))
    before = everything(table)
    try:
        table.declare(d.actor, d.action, seat=seat, **said(d))
    except Refused as error:
        refusals = error.refusals
    else:
        expect(explained.verdict != "illegal" or table.mode == "advise", f"{d} is accepted and explained as illegal")
        _check_charged(table, explained, d, len(before[2]))
        while len(table.live) > len(before[2]):
            table.undo()
        expect(snapshot(table) == before[:5], f"undo of {d.action} leads elsewhere")
        return
    expect(refusals == explained.refusals, f"{d} is refused for {refusals} and explained by {explained.refusals}")
    expect(everything(table) == before, f"the refusal of {d} changes something")


def _check_charged(table: Table, explained: Offer, d: Declaration, since: int) -> None:
    """Who knows everything is charged what was quoted, where the rules themselves rule."""
    if explained.verdict != "legal" or seat_of(table.state, d.actor) != GUIDE:
        return
    for entry in table.live[since:]:
        for event in entry.events:
            if isinstance(event, Charged) and event.actor == d.actor:
                quoted = [price.costs for price in (explained.price, *explained.ways)]
                expect(event.costs in quoted, f"{d.action} was quoted {explained.price}, charged {event}")
                return


# -- what a seat knows


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


# -- what a game promises


def check_game(game: Game) -> None:
    """What can be looked at without a scene of one's own: its sample, and that everything in it says what it is."""
    state = read_scene(game.sample(), "the sample")
    expect(state.scene.system == game.name, "the sample is one of another game")
    for action in game.actions.values():
        expect(bool(action.about.strip()), f"{action.name} does not say what it is")
        expect(bool(action.rules), f"{action.name} names no rule")
    for actor in state.actors:
        for d in (Declaration(actor, name) for name in game.actions):
            found = offer(game, state, d)
            expect(legal(game, state, d) == (not found.refusals), f"the gate gives two answers about {d.action}")
            expect(
                list(reasons(game, state, d)) == list(found.refusals), f"the gate gives other reasons for {d.action}"
            )
        expect(bool(offers(game, state, actor)), f"nothing is offered to {actor}")


__all__ = [
    "OVER",
    "Broken",
    "any_answer",
    "check",
    "check_amounts",
    "check_folds",
    "check_game",
    "check_offers",
    "check_saves",
    "check_secrets",
    "check_undo",
    "everything",
    "play",
    "said",
    "snapshot",
]
