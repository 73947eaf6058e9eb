"""The rows of the benchmark that concern slots, pools of successes and their splits."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import turnwright as tw
from turnwright.dice import Pool, weights
from turnwright.gate import offers
from turnwright.model import Declaration, State
from turnwright.odds import odds, play_out
from turnwright.policy import RandomBot, bot_of
from turnwright.rules import find_game

EXAMPLES = Path(__file__).parent.parent / "examples" / "storypath"
GAME = find_game("storypath")


def milliseconds(work: Callable[[], object], repeats: int) -> float:
    work()
    taken = []
    for _ in range(repeats):
        begun = perf_counter()
        work()
        taken.append((perf_counter() - begun) * 1000)
    return round(median(taken), 3)


def _row(name: str, value: float, unit: str, budget: float) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "budget": budget}


def _begun(name: str, up: str) -> State:
    table = tw.Table(tw.load_scene(EXAMPLES / f"{name}.yaml"), seed=1)
    while table.state.active != up:
        if table.state.active is not None:
            table.declare(table.state.active, "end")
        table.declare(table.next_turn() or "", "begin")
        while table.waiting_on:
            held = table.waiting_on[0]
            table.answer(held, up if up in held.options else held.options[0])
    return table.state


def rows() -> Iterator[dict[str, Any]]:
    yield from _simulation()
    six = _begun("six", "sigrun")
    yield _row(
        "offers for 6 with slots and Knacks",
        milliseconds(lambda: [offers(GAME, six, a) for a in six.actors], 30),
        "ms",
        2,
    )
    beast = _begun("winged-beast", "sigrun")
    said: dict[str, str | int | bool] = {"first": "attack", "second": "balance"}
    mixed = Declaration("sigrun", "mixed", target="beast", options=said, boost=0)
    yield _row("exact odds of a mixed action", milliseconds(lambda: odds(GAME, beast, mixed), 20), "ms", 10)
    stab = Declaration("sigrun", "attack", target="beast", boost=0)
    yield _row("exact odds of an attack with its stunts", milliseconds(lambda: odds(GAME, beast, stab), 20), "ms", 10)
    yield _row("weights of 12 dice whose tens go on", milliseconds(_weights, 20), "ms", 1)


def _weights() -> None:
    weights.cache_clear()
    weights(Pool(12, sides=10, read="successes", target=8, again=10, most=17, botch=True))


def _simulation() -> Iterator[dict[str, Any]]:
    start, actions, fights, begun = tw.load_scene(EXAMPLES / "six.yaml"), 0, 0, perf_counter()
    while perf_counter() - begun < 3:
        actions += play_out(GAME, start, bot_of(GAME), rounds=30, draw=Random(fights).random).actions
        fights += 1
    spent = perf_counter() - begun
    yield _row("resolved actions in simulation, a fight of six", round(actions / spent), "1/s", 30000)
    yield _row("whole fight of six with slots, bots on both sides", round(fights / spent, 1), "1/s", 300)
    actions, fights, begun = 0, 0, perf_counter()
    while perf_counter() - begun < 3:
        actions += play_out(GAME, start, RandomBot(fights), rounds=6, draw=Random(fights).random).actions
        fights += 1
    yield _row(
        "resolved actions in simulation, random play of six", round(actions / (perf_counter() - begun)), "1/s", 30000
    )
