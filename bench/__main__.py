"""`python -m bench [--json]`: every measured row with its budget; a ratio of 1 or more is within budget."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import turnwright as tw
from bench import realms_rows, scenes, slot_rows, space_rows
from bench.measuring import Row, long_table, milliseconds, row
from turnwright.gate import offers
from turnwright.model import Choose, Chosen, Declaration, Question, State
from turnwright.odds import odds, plain_choice, play_out
from turnwright.policy import RandomBot
from turnwright.systems.narateer import GAME
from turnwright.systems.narateer.bot import Fighter


def simulation() -> Iterator[Row]:
    """Resolved actions a second: random play of twelve, and whole fights of four against four."""
    start, actions, fights = scenes.skirmish(), 0, 0
    begun = perf_counter()
    while perf_counter() - begun < 4:
        actions += play_out(GAME, start, RandomBot(fights), rounds=6, draw=Random(fights).random).actions
        fights += 1
    yield row(
        "resolved actions in simulation, random play of twelve", round(actions / (perf_counter() - begun)), "1/s", 30000
    )
    start, actions, fights = scenes.fighters(4), 0, 0
    begun = perf_counter()
    while perf_counter() - begun < 4:
        actions += play_out(GAME, start, Fighter(), rounds=30, draw=Random(fights).random).actions
        fights += 1
    spent = perf_counter() - begun
    yield row("resolved actions in simulation, fighters", round(actions / spent), "1/s", 30000)
    yield row("whole skirmish, 4 against 4, bots on both sides", round(fights / spent, 1), "1/s", 300)


def gate() -> Iterator[Row]:
    start = scenes.skirmish()
    state = _begun(start, "red_scout")
    everybody = list(state.actors)
    taken = milliseconds(lambda: [offers(GAME, state, actor) for actor in everybody], 50)
    yield row("offers for 12 combatants, all reasons", taken, "ms", 2)


def _begun(state: State, actor: str) -> State:
    table = tw.Table(state, seed=1)
    table.declare(actor, "begin")
    return table.state


def exact() -> Iterator[Row]:
    for searchers, budget, repeats in ((2, 1, 30), (5, 6, 15), (8, 50, 5)):
        state = _begun(scenes.hider(searchers), "selka")
        d = Declaration("selka", "hide", "unseen", "crouch", boost=0)
        taken = milliseconds(lambda state=state, d=d: odds(GAME, state, d), repeats)  # type: ignore[misc]
        yield row(f"exact odds: Hide against {searchers} searchers", taken, "ms", budget)
    duel = _begun(scenes.fighters(1), "a0")
    close = _moved(duel, "a0", (6, 0))
    attacks = [Declaration("a0", "attack", "harm", "sword", target="b0", boost=boost) for boost in range(3)]

    def exchange() -> None:
        for d in attacks:
            for response in ("no_response", "full_guard", "clash:sword"):
                odds(GAME, close, d, choice=_answering(response))

    yield row("exact odds of an exchange, all responses and Boosts", milliseconds(exchange, 10), "ms", 10)
    walk = Declaration("m", "walk", "across", "walk", route=((2, 2), (3, 2), (4, 2), (5, 2)))
    start = _begun(scenes.reactors(), "m")
    taken = milliseconds(lambda: odds(GAME, start, walk, choice=_reacting), 5)
    yield row("exact odds of a walk of 4 Spaces past reactors", taken, "ms", 30)
    taken = milliseconds(lambda: _foreseen(close, "a0"), 10)
    yield row("offers with their odds, one opponent in reach", taken, "ms", 150)
    crowd = _begun(_around(scenes.fighters(6), "a0", "b"), "a0")
    taken = milliseconds(lambda: _foreseen(crowd, "a0"), 5)
    yield row("offers with their odds, six opponents in reach", taken, "ms", 150)


def _moved(state: State, actor: str, at: tuple[int, int]) -> State:
    from turnwright.events import Placed

    return Placed("", actor, at).apply(state)


def _around(state: State, actor: str, side: str) -> State:
    """Everybody of a side stands around one."""
    state = _moved(state, actor, (4, 3))
    spaces = ((5, 2), (5, 3), (5, 4), (4, 4), (3, 4), (3, 3))
    for number, at in enumerate(spaces):
        state = _moved(state, f"{side}{number}", at)
    return state


def _foreseen(state: State, actor: str) -> None:
    """The list of offers as it is shown in play, on a table that has counted nothing yet."""
    table = tw.Table(state, seed=1)
    table.chances(table.offers(actor))


def _answering(response: str) -> Callable[[State, Question], Any]:
    def choice(state: State, question: Question) -> Any:
        if isinstance(question, Choose) and question.about == "response":
            return Chosen(response, question.options[0].most)
        return plain_choice(state, question)

    return choice


def _reacting(state: State, question: Question) -> Any:
    if isinstance(question, Choose) and question.about == "opportunity_attack":
        return Chosen(question.options[-1].id)
    return plain_choice(state, question)


def tables() -> Iterator[Row]:
    table, events = long_table(GAME, scenes.skirmish(), 5000)
    taken = milliseconds(lambda: (table.undo(), table.redo()), 20)
    yield row(f"undo (and redo) at {events} events", round(taken / 2, 3), "ms", 2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.jsonl"
        table.save(path)
        taken = milliseconds(lambda: tw.Table.load(path), 5)
    yield row(f"load (re-run and compare) a log of {events} events", taken, "ms", 60)


def starting() -> Iterator[Row]:
    taken = milliseconds(lambda: subprocess.run([sys.executable, "-c", "import turnwright"], check=True), 5)
    bare = milliseconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), 5)
    yield row("import turnwright", round(taken - bare, 1), "ms", 150, f"without starting Python, which takes {bare} ms")
    scene = str(scenes.EXAMPLES / "skirmish.yaml")
    command = [sys.executable, "-m", "turnwright", "offers", scene, "red_scout"]
    taken = milliseconds(lambda: subprocess.run(command, check=True, capture_output=True), 3)
    yield row("turnwright offers on a scene of 12", taken, "ms", 600)


def hostile() -> Iterator[Row]:
    texts = ("title: a\n" * 100_000, "a: " + "[" * 10_000, "a: [" + "1," * 200_000 + "]", "a: &a [1]\nb: [*a, *a]")
    taken = max(milliseconds(lambda text=text: _refused(text), 3) for text in texts)  # type: ignore[misc]
    yield row("a hostile scene file refused, the slowest of four", taken, "ms", 1000)


def _refused(text: str) -> None:
    try:
        tw.read_scene(text, "hostile")
    except tw.BadScene:
        return
    raise AssertionError("it was read")


def space() -> Iterator[Row]:
    for measured in (*space_rows.rows(), *slot_rows.rows()):
        yield row(measured["name"], measured["value"], measured["unit"], measured["budget"])


def main() -> None:
    gc.freeze()
    rows: list[Row] = []
    for part in (simulation, gate, exact, space, tables, realms_rows.rows, hostile, starting):
        for measured in part():
            rows.append(measured)
            if "--json" not in sys.argv:
                mark = "" if measured["ratio"] >= 1 else "  <- over budget"
                value, budget = f"{measured['value']:g} {measured['unit']}", f"{measured['budget']:g}"
                print(
                    f"{measured['name']:<62} {value:>14}  budget {budget:>6}  ratio {measured['ratio']:>6}{mark}",
                    flush=True,
                )
    if "--json" in sys.argv:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
