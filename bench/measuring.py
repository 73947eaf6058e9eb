"""How a row is measured, and what is measured more than once."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import turnwright as tw
from turnwright.model import Declaration, State
from turnwright.policy import RandomBot
from turnwright.rules import Game

Row = dict[str, Any]


def row(name: str, value: float, unit: str, budget: float, note: str = "") -> Row:
    """One figure; rates (…/s) are better when higher, times when lower."""
    ratio = value / budget if unit.endswith("/s") else budget / value
    return {"name": name, "value": value, "unit": unit, "budget": budget, "ratio": round(ratio, 2), "note": note}


def milliseconds(work: Callable[[], object], repeats: int) -> float:
    work()
    taken = []
    for _ in range(repeats):
        begun = perf_counter()
        work()
        taken.append((perf_counter() - begun) * 1000)
    return round(median(taken), 3)


def long_table(game: Game, start: State, wanted: int) -> tuple[tw.Table, int]:
    """A table played at random until so many events have happened, and how many they are."""
    table = tw.Table(start, seed=3)
    bot, count = RandomBot(3), 0
    while count < wanted:
        for question in table.waiting_on:
            if not question.drafted:
                table.answer(question, bot.answer(game, table.state, question.question))
                break
        else:
            actor = table.state.active
            d = bot.declare(game, table.state, actor) if actor else Declaration(table.next_turn() or "", "begin")
            said = {"intent": d.intent, "method": d.method, "target": d.target, "route": d.route, "boost": d.boost}
            table.declare(d.actor, d.action, **said, **d.options)
        if len(table.log) % 64 == 0:
            count = sum(len(entry.events) for entry in table.log)
    return table, sum(len(entry.events) for entry in table.log)
