"""Kills a process that plays a table, again and again at random moments, and sees that nothing acknowledged is lost."""

from __future__ import annotations

import itertools
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from hashlib import blake2b
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from turnwright.known import Open
from turnwright.log import encode, state_digest
from turnwright.model import (
    GUIDE,
    SPECTATOR,
    Choose,
    Chosen,
    Clarify,
    Commit,
    Committed,
    Confirm,
    Confirmed,
    Order,
    Ordered,
    Roll,
    Ruled,
    SeatId,
    seat_of,
)
from turnwright.opening import load_scene
from turnwright.policy import RandomBot
from turnwright.web.hall import Hall
from turnwright.web.links import Links
from turnwright.web.live import Command, LiveTable, Reply, draft_lines
from turnwright.web.store import Store

KEY = b"a key that only kills are tried with"
Print = tuple[Any, ...]
"""Everything of a table that a seat could notice."""


class Acknowledged(NamedTuple):
    """A command that was answered, and how the table stood soon after."""

    seat: SeatId
    id: str
    reply: Reply
    steps: int
    held: Print


class Sent(NamedTuple):
    """A command that is about to be carried out."""

    seat: SeatId
    command: Command


def fingerprint(live: LiveTable) -> Print:
    """State, log, questions, drafts, versions and options of a table. `live.lock` is held."""
    table = live.table
    log = blake2b(b"\n".join([encode(entry) for entry in table.log])).hexdigest()
    questions = tuple([(held.id, held.kind, held.prompt, held.drafted) for held in table.waiting_on])
    versions = tuple([(seat, live.version(seat)) for seat in live.seats])
    aside = (table.standing, table.by_hand, live.options.names, live.options.bots, live.notices, live.options.paused)
    return (len(table.log), log, state_digest(table.state).hex(), questions, draft_lines(table), versions, aside)


class Player:
    """Does whatever may be done from a seat, at random and from a seed."""

    def __init__(self, hall: Hall, table_id: str, seat: SeatId, seed: int) -> None:
        self.hall, self.table_id, self.seat = hall, table_id, seat
        self.draw = Random(f"{seed} {seat}")
        self.bot = RandomBot(self.draw)
        self._ids = (f"{seat}-{seed}-{n}" for n in itertools.count())

    def next(self) -> tuple[LiveTable, Command] | None:
        """What to do now; None where others are waited for."""
        live = self.hall.table(self.table_id)
        with live.lock:
            found = None if live.gone else self._wants(live)
            return None if found is None else (live, Command(next(self._ids), live.version(self.seat), *found))

    def _wants(self, live: LiveTable) -> tuple[Any, dict[str, Any]] | None:
        table, chance = live.table, self.draw.random()
        if chance < 0.04:
            return self._aside(live)
        if self.seat == GUIDE and chance < 0.10 and table.live:
            return ("undo", {}) if chance < 0.08 or not table._redo else ("redo", {})
        mine = [held for held in table.waiting_on if held.who == self.seat and (not held.drafted or chance < 0.2)]
        if mine:
            return "answer", self._answer(live, self.draw.choice(mine))
        if table.pending is not None:
            return ("undo", {}) if chance < 0.06 and self.seat != GUIDE else None
        return self._declare(live)

    def _aside(self, live: LiveTable) -> tuple[Any, dict[str, Any]]:
        choice = self.draw.randrange(3)
        if choice == 0:
            return "name", {"name": f"Name {self.draw.randrange(100)}"}
        if choice == 1:
            return "dice", {"by_hand": self.draw.random() < 0.5}
        return "standing", {"about": "assist", "wish": self.draw.choice(["never", ""])}

    def _declare(self, live: LiveTable) -> tuple[Any, dict[str, Any]] | None:
        from turnwright.unattended import said_in

        active = live.table.state.active
        if active is None or active in live.options.bots or seat_of(live.table.state, active) != self.seat:
            return None
        d = self.bot.declare(live.table.game, live.table.knows(self.seat), active)
        if self.draw.random() < 0.15:
            return "declare", {"actor": active, "action": "attempt", "intent": "pass", "method": "talk"}
        return "declare", {"actor": d.actor, "action": d.action, **said_in(d)}

    def _answer(self, live: LiveTable, held: Open) -> dict[str, Any]:
        value: Any
        if isinstance(held.question, Roll):
            pool = held.question.pool
            value = [self.draw.randint(1, 6) for _ in range(getattr(pool, "count", 1) or 1)]
        else:
            value = plain(self.bot.answer(live.table.game, live.table.knows(self.seat), held.question))
        withdraw = self.draw.random() < 0.05 and isinstance(held.question, (Commit, Choose, Confirm, Clarify, Order))
        return {"question": held.id, "value": value, "confirm": True, **({"withdraw": True} if withdraw else {})}


def plain(answer: Any) -> Any:
    """An answer as it is sent."""
    match answer:
        case Chosen(option, boost):
            return [option, boost]
        case Committed(boost):
            return boost
        case Confirmed():
            return True
        case Ruled():
            return 0
        case Ordered(order):
            return list(order)
    return {"intent": "go on", "method": "as seems best"}


def play(url: str, table_id: str, seed: int, pipe: Connection) -> None:
    """The process that is killed: every seat plays in a thread of its own, bots for whom nobody plays."""
    hall = Hall(Store(url), Links(KEY), pace=0.0)
    live = hall.table(table_id)
    writing = threading.Lock()

    def tell(what: Any) -> None:
        with writing:
            pipe.send(what)

    def plays(player: Player) -> None:
        while True:
            found = player.next()
            if found is None:
                time.sleep(0.001)
                continue
            tell(Sent(player.seat, found[1]))
            reply = hall.execute(found[0], player.seat, found[1])
            if reply.ok:
                now = hall.table(table_id)
                with now.lock:
                    steps, held = now.steps, fingerprint(now)
                tell(Acknowledged(player.seat, found[1].id, reply, steps, held))

    seats = [seat for seat in live.seats if seat != SPECTATOR]
    threads = [threading.Thread(target=plays, args=(Player(hall, table_id, seat, seed),)) for seat in seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Killed(NamedTuple):
    """What was found after one kill."""

    acknowledged: int
    lost: tuple[str, ...]
    exact: bool
    """Whether nothing was written after the last that was told, so that everything could be compared."""
    open_questions: int
    drafts: int


def begin(url: str, scene: Path, seed: int = 0) -> str:
    """Put a scene on a table; of those whom no player plays one is a bot's, the others the guide's."""
    hall = Hall(Store(url), Links(KEY), pace=0.0)
    live = hall.open(load_scene(scene), seed=seed)
    bots = [actor.id for actor in live.table.state.actors.values() if not actor.seat or actor.seat == GUIDE]
    hall.execute(live, GUIDE, Command("bots", 0, "bots", {"actors": bots[:1], "guided": seed % 2 == 0}))
    hall.wait()
    hall.close()
    return live.id


def kills(url: str, table_id: str, times: int, seed: int = 0, longest: float = 0.25) -> Iterator[Killed]:
    """Start, kill at a random moment, look at what is on disk, and go on from there."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    context = get_context("forkserver")
    context.set_forkserver_preload(["bench.killing"])
    draw = Random(seed)
    for number in range(times):
        mine, theirs = context.Pipe(duplex=False)
        child = context.Process(target=play, args=(url, table_id, seed * 1000 + number, theirs), daemon=True)
        child.start()
        theirs.close()
        told = list(_told(mine, child.pid or 0, draw.uniform(0.0, longest)))
        child.join()
        mine.close()
        yield looked_into(url, table_id, told)


def _told(pipe: Connection, pid: int, seconds: float) -> Iterator[Any]:
    """Everything that the process tells until it is killed, so many seconds after the first command."""
    until = None
    while True:
        now = time.monotonic()
        if until is not None and now >= until:
            os.kill(pid, signal.SIGKILL)
            until = now + 3600
        try:
            if pipe.poll(None if until is None else max(0.0, min(until - now, 10.0))):
                what = pipe.recv()
                if until is None and isinstance(what, Sent):
                    until = time.monotonic() + seconds
                yield what
        except (EOFError, OSError):
            return


def looked_into(url: str, table_id: str, told: list[Any]) -> Killed:
    """Compare what was acknowledged with what is there after a restart."""
    lost: list[str] = []
    if url.startswith("sqlite:///"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as db:
            found = db.execute("PRAGMA integrity_check").fetchone()[0]
        db.close()
        lost += [f"integrity: {found}"] if found != "ok" else []
    store = Store(url)
    kept = store.read(table_id)
    assert kept is not None
    live = LiveTable(kept, store)  # runs the log again, and raises where it does not come out the same
    acknowledged = [what for what in told if isinstance(what, Acknowledged)]
    for one in acknowledged:
        held = store.reply(table_id, one.seat, one.id)
        if held is None:
            lost.append(f"{one.id} was acknowledged and is not there")
        if one.steps > kept.steps:
            lost.append(f"step {one.steps} was seen, and {kept.steps} are there")
    last = max(acknowledged, key=lambda one: one.steps, default=None)
    exact = last is not None and last.steps == kept.steps
    now = fingerprint(live)
    if exact and last is not None and now != last.held:
        lost += [f"{was!r} is now {is_!r}" for was, is_ in zip(last.held, now, strict=True) if was != is_]
    if last is not None:
        lost += _fallen(last.held[5], now[5])
    lost += _twice(store, live, told, acknowledged)
    questions, drafts = len(live.waiting()), len(draft_lines(live.table))
    store.close()
    return Killed(len(acknowledged), tuple(lost), exact, questions, drafts)


def _fallen(before: Any, now: Any) -> list[str]:
    return [
        f"the version of {seat} fell from {was} to {dict(now)[seat]}" for seat, was in before if dict(now)[seat] < was
    ]


def _twice(store: Store, live: LiveTable, told: list[Any], acknowledged: list[Acknowledged]) -> list[str]:
    """Commands that were not answered are sent again: what had been written is answered, and not done twice."""
    answered = {(one.seat, one.id) for one in acknowledged}
    lost = []
    for sent in [what for what in told if isinstance(what, Sent) and (what.seat, what.command.id) not in answered]:
        held = store.reply(live.id, sent.seat, sent.command.id)
        if held is not None:
            steps = live.steps
            if not live.execute(sent.seat, sent.command).ok or live.steps != steps:
                lost.append(f"{sent.command.id} was done twice")
    return lost
