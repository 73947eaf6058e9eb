"""A table taken through a scene at random, one input at a time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from turnwright.dice import Pool
from turnwright.model import GUIDE, Choose, Commit, Confirm, Order, Refused, Roll, Rule, Withdraw, seat_of
from turnwright.policy import RandomBot
from turnwright.running import open_moment
from turnwright.table import Open, Table
from turnwright.testing.promises import said

OVER = "over"
"""What `play` says when the scene has ended."""


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
            return draw.randint(*pool.range) if draw.random() < 0.3 else _faces(pool, draw)
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


def _faces(pool: Pool, draw: Random) -> list[int]:
    faces: list[int] = []
    while not pool.shows(faces):
        faces.append(draw.randint(1, pool.sides))
    return faces
