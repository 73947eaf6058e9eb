"""The rows of Altered Realms, beside those of Narateer and with the same budgets."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import turnwright as tw
from bench import scenes
from bench.measuring import Row, long_table, milliseconds, row
from turnwright.gate import offers
from turnwright.model import Choose, Chosen, Declaration, Question, State
from turnwright.odds import odds, plain_choice, play_out
from turnwright.policy import Policy, RandomBot
from turnwright.systems.altered_realms import GAME
from turnwright.systems.altered_realms.bot import Brawler
from turnwright.systems.altered_realms.events import HoldBegun

SECONDS = 3


def rows() -> Iterator[Row]:
    yield from _simulation()
    battle = _begun(scenes.battle(), "rolf")
    taken = milliseconds(lambda: [offers(GAME, battle, actor) for actor in battle.actors], 30)
    yield row("realms: offers for 12 combatants, all reasons", taken, "ms", 2)
    yield from _exact()
    yield from _tables()


def _simulation() -> Iterator[Row]:
    """Actions a second, in random play of twelve and in brawls of four against four, and whole brawls."""
    actions, _, spent = _played(scenes.battle(), RandomBot, 6)
    yield row("realms: resolved actions, random play of twelve", round(actions / spent), "1/s", 30000)
    actions, fights, spent = _played(scenes.brawlers(4), lambda seed: Brawler(), 30)
    yield row("realms: resolved actions, fighters", round(actions / spent), "1/s", 30000)
    yield row("realms: whole brawl, 4 against 4, bots on both sides", round(fights / spent, 1), "1/s", 300)


def _played(start: State, bot: Callable[[int], Policy], rounds: int) -> tuple[int, int, float]:
    actions, fights, begun = 0, 0, perf_counter()
    while perf_counter() - begun < SECONDS:
        actions += play_out(GAME, start, bot(fights), rounds=rounds, draw=Random(fights).random).actions
        fights += 1
    return actions, fights, perf_counter() - begun


def _begun(state: State, actor: str, *events: HoldBegun) -> State:
    table = tw.Table(state, seed=1)
    table.declare(actor, "begin")
    held = table.state
    for event in events:
        held = event.apply(held)
    return held


def _exact() -> Iterator[Row]:
    start = tw.Table(_begun(scenes.charged(), "a", HoldBegun("", "b", "c", "left hand", "")), seed=1)
    start.declare("a", "walk", to=(6, 2))
    run, charge = start.state, Declaration("a", "charge", target="b", options={"weapon": "sword"})

    def charged() -> None:
        for answer in ("do nothing", "athletics", "acrobatics"):
            odds(GAME, run, charge, choice=_answering("meat_shield", answer))

    yield row("realms: exact odds of a Charge, all answers of its target", milliseconds(charged, 10), "ms", 10)
    holds = [HoldBegun("", f"b{n}", "a", "left hand", "") for n in range(3)]
    under = _begun(scenes.pile(), "b3", *holds)
    fourth = Declaration("b3", "grapple", target="a")
    captive = _begun(scenes.pile(), "a", *holds, HoldBegun("", "b3", "a", "left hand", ""))
    free = Declaration("a", "escape")

    def piled() -> None:
        odds(GAME, under, fourth)
        odds(GAME, captive, free)

    yield row("realms: exact odds of a grapple and an escape, dog pile of 4", milliseconds(piled, 30), "ms", 10)
    walk = Declaration("m", "walk", route=((2, 2), (3, 2), (4, 2), (5, 1)))
    mover = _begun(scenes.watched(), "m")
    taken = milliseconds(lambda: odds(GAME, mover, walk, choice=_answering("opportunity_attack", "strike")), 5)
    yield row("realms: exact odds of a walk of 4 tiles past reactors", taken, "ms", 30)


def _answering(about: str, label: str) -> Callable[[State, Question], Any]:
    def choice(state: State, question: Question) -> Any:
        if isinstance(question, Choose) and question.about == about:
            return Chosen(next(option.id for option in question.options if label in option.label))
        return plain_choice(state, question)

    return choice


def _tables() -> Iterator[Row]:
    table, events = long_table(GAME, scenes.battle(), 5000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.jsonl"
        table.save(path)
        taken = milliseconds(lambda: tw.Table.load(path), 5)
    yield row(f"realms: load (re-run and compare) a log of {events} events", taken, "ms", 60)
