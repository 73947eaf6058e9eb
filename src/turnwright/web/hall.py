"""All tables of one process: found by their links, read from disk when they are needed, and who is told of a change."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from heapq import heappop, heappush
from typing import TypeVar
from weakref import WeakValueDictionary

from turnwright.log import BadLog
from turnwright.model import SeatId, State
from turnwright.table import Mode, Windows
from turnwright.web.links import Links, digest_of
from turnwright.web.live import Command, Gone, LiveTable, Reply, new_table, restored
from turnwright.web.store import Conflict, Kept, NoStore, Store

log = logging.getLogger("turnwright.table")
T = TypeVar("T")

Told = Callable[[int, int], None]
"""What a listener is told: the version of its seat, and the number of notices about the table."""
RENEWED = -1
"""The version that a page is told whose link leads nowhere any more."""
CLOSED = -2
"""The version that a page is told when the process stops."""
IN_MEMORY = 200
"""So many tables are kept in memory; another is read from disk when it is needed, and stays while it is used."""
MOST_LISTENERS = 400
"""So many pages are told of changes at one table."""
MOST_FOR_A_SEAT = 80
TRIES = 4
"""How often a command is tried where other processes write to the same table."""
WORKERS = 8


class Crowded(Exception):
    """More pages want to listen than one table, or one seat, tells."""


class Listener:
    """A page that is told when something changes for its seat, and of nothing else."""

    def __init__(self, table_id: str, seat: SeatId, told: Told, last: tuple[int, int]) -> None:
        self.table_id, self.seat, self.told, self.last = table_id, seat, told, last

    def hear(self, now: tuple[int, int]) -> None:
        """Told of what is newer than what it has heard; two threads may come in any order."""
        if now != self.last and now >= self.last:
            self.last = now
            self.told(*now)


class Hall:
    """Every table of the process. `pace` is how many seconds a bot's deed stands before the next.

    The hall's own lock is held for moments only, and never while a table's lock is waited for.
    """

    def __init__(
        self, store: Store, links: Links, *, pace: float = 0.7, clock: Callable[[], float] = time.time
    ) -> None:
        self.store, self.links, self.pace, self.clock = store, links, pace, clock
        self._lock = threading.RLock()
        self._recent: OrderedDict[str, LiveTable] = OrderedDict()
        self._used: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """Every table that anybody holds: there are never two of one table."""
        self._reading: dict[str, threading.Lock] = {}
        self._listeners: dict[str, list[Listener]] = {}
        self._stuck: dict[str, tuple[int, str]] = {}
        """After how many steps a table could not go on without a person, and why."""
        self._steps = Steps(self._step, pace)

    # -- tables and their links

    def open(
        self, scene: State, *, seed: str | int | None = None, mode: Mode = "enforce", windows: Windows = "honest"
    ) -> LiveTable:
        """Open a scene on a new table, with a link for each seat."""
        return self._opened(new_table(self.store, scene, self.clock(), seed=seed, mode=mode, windows=windows))

    def restore(self, data: bytes) -> LiveTable:
        """Put a backup down as a new table, with new links. Raises BadBackup."""
        return self._opened(restored(self.store, data, self.clock()))

    def lay(self, live: LiveTable, picture: bytes) -> LiveTable:
        """Put a picture under the map of a table."""
        self.store.put_picture(live.id, picture)
        with live.lock:
            live.pictured = True
        return live

    def _opened(self, kept: Kept) -> LiveTable:
        live = self.table(kept.id)
        for seat in live.seats:
            self.token(live, seat)
        return live

    def token(self, live: LiveTable, seat: SeatId) -> str:
        """The secret of a seat's link as it is now; a seat without one, or with one of another key, gets a new one."""
        renewed, digest = self.store.links(live.id).get(seat, (-1, ""))
        token = self.links.token(live.id, seat, renewed)
        return token if digest_of(token) == digest else self.renew(live, seat)

    def renew(self, live: LiveTable, seat: SeatId) -> str:
        """A new link for a seat; the old one leads nowhere now, and pages that were opened with it are told so."""
        renewed = self.store.links(live.id).get(seat, (-1, ""))[0] + 1
        token = self.links.token(live.id, seat, renewed)
        self.store.link(live.id, seat, token, renewed, self.clock())
        with self._lock:
            held = self._listeners.get(live.id, [])
            gone = [one for one in held if one.seat == seat]
            self._listeners[live.id] = [one for one in held if one.seat != seat]
        for one in gone:
            one.told(RENEWED, 0)
        return token

    def find(self, token: str) -> tuple[LiveTable, SeatId] | None:
        """The table and the seat that a link leads to, as it is on disk. Raises BadLog, NoStore."""
        found = self.store.seat_of(token) if token else None
        if found is None:
            return None
        live = self.table(found[0])
        with live.lock:
            behind = live.steps < found[2]
        if behind:  # another process wrote to it
            self._forget(live)
            live = self.table(found[0])
        return live, found[1]

    def table(self, table_id: str) -> LiveTable:
        """A table, from memory or from disk. Raises LookupError, BadLog, NoStore."""
        with self._lock:
            live = self._held(table_id)
            if live is not None:
                return live
            reading = self._reading.setdefault(table_id, threading.Lock())
        with reading:
            with self._lock:
                live = self._held(table_id)
            return live or self._read(table_id)

    def _held(self, table_id: str) -> LiveTable | None:
        live = self._used.get(table_id)
        if live is None or live.gone:
            return None
        self._recent[table_id] = live
        self._recent.move_to_end(table_id)
        return live

    def _read(self, table_id: str) -> LiveTable:
        live = None
        try:
            kept = self.store.read(table_id)
            if kept is None:
                raise LookupError(f"there is no table {table_id}")
            live = LiveTable(kept, self.store, self.clock)
        finally:
            with self._lock:
                self._reading.pop(table_id, None)
                if live is not None:
                    self._used[table_id] = self._recent[table_id] = live
                    self._make_room()
        self._steps.wake(table_id)
        return live

    def _make_room(self) -> None:
        """A table that pages listen to is not let go of."""
        for name in list(self._recent):
            if len(self._recent) <= IN_MEMORY:
                return
            if not self._listeners.get(name):
                del self._recent[name]

    def _forget(self, live: LiveTable) -> None:
        live.gone = True
        with self._lock:
            if self._recent.get(live.id) is live:
                del self._recent[live.id]

    def listed(self) -> list[Kept]:
        return self.store.listed()

    # -- commands

    def execute(self, live: LiveTable, seat: SeatId, command: Command) -> Reply:
        """Carry out a command; whoever it changes something for is told once it is on disk.

        Raises NoStore, and Conflict where other processes write all the time; then nothing was done.
        """
        live, reply = self.with_table(live, lambda now: (now, now.execute(seat, command)))
        if reply.ok:
            self.tell(live)
            self._steps.wake(live.id)
        return reply

    def with_table(self, live: LiveTable, work: Callable[[LiveTable], T]) -> T:
        """Do something with a table as it is on disk; a table whose memory is no longer sure is read again."""
        for left in reversed(range(TRIES)):
            try:
                return work(live)
            except (Gone, Conflict):
                self._forget(live)
                if not left:
                    raise
            except BaseException:
                if live.gone:
                    self._forget(live)
                raise
            live = self.table(live.id)
        raise AssertionError

    def look(self, live: LiveTable, work: Callable[[LiveTable], T]) -> T:
        """Read something of a table while nothing changes in it."""

        def held(now: LiveTable) -> T:
            with now.looked_at():
                return work(now)

        return self.with_table(live, held)

    # -- what nobody does

    def _step(self, table_id: str) -> bool:
        """One step that no person makes; whether there may be another."""
        live = self.table(table_id)
        if self._stuck.get(table_id, (-1, ""))[0] == live.steps:
            live.stuck = self._stuck[table_id][1]
            return False  # it would fail again, until somebody changes something
        live.stuck = ""
        try:
            went_on = self.with_table(live, LiveTable.go_on)
        except (NoStore, Conflict) as error:
            log.error("a step was not kept", extra={"table": table_id, "why": str(error)})
            return False
        except Exception as error:
            log.exception("a step without a person failed", extra={"table": table_id})
            self._stuck[table_id] = (live.steps, f"what nobody plays cannot go on: {type(error).__name__}")
            again = self.table(table_id)
            again.stuck = self._stuck[table_id][1]
            self.tell(again)
            return False
        live = self.table(table_id)
        if went_on or live.stuck:
            self.tell(live)
        return went_on

    def wait(self, seconds: float = 30.0) -> None:
        """Wait until nothing is done any more without a person."""
        until = time.monotonic() + seconds
        while self._steps.under_way and time.monotonic() < until:
            time.sleep(0.002)

    # -- listeners

    def join(self, live: LiveTable, seat: SeatId, told: Told) -> Listener:
        """Be told of each change for a seat from now on. Raises Crowded."""

        def joined(now: LiveTable) -> Listener:
            one = Listener(now.id, seat, told, (now.version(seat), now.notices_for(seat)))
            with self._lock:
                held = self._listeners.setdefault(now.id, [])
                if len(held) >= MOST_LISTENERS or sum(o.seat == seat for o in held) >= MOST_FOR_A_SEAT:
                    raise Crowded("more pages listen to this table than can be told")
                held.append(one)
            return one

        return self.look(live, joined)

    def leave(self, one: Listener) -> None:
        with self._lock:
            rest = [other for other in self._listeners.get(one.table_id, []) if other is not one]
            if rest:
                self._listeners[one.table_id] = rest
            else:
                self._listeners.pop(one.table_id, None)

    @contextmanager
    def listening(self, live: LiveTable, seat: SeatId, told: Told) -> Iterator[Listener]:
        """Be told of each change for a seat while this lasts. Raises Crowded."""
        one = self.join(live, seat, told)
        try:
            yield one
        finally:
            self.leave(one)

    def present(self, live: LiveTable) -> set[SeatId]:
        """The seats that have a page open."""
        with self._lock:
            return {one.seat for one in self._listeners.get(live.id, [])}

    def tell(self, live: LiveTable) -> None:
        """Tell whoever something changed for."""
        with self._lock:
            seats = {one.seat for one in self._listeners.get(live.id, [])}
        if not seats:
            return
        with live.lock:
            if live.gone:
                return
            now = {seat: (live.version(seat), live.notices_for(seat)) for seat in sorted(seats)}
        with self._lock:
            for one in self._listeners.get(live.id, []):
                if one.seat in now:
                    one.hear(now[one.seat])

    def close_pages(self) -> None:
        """Tell every page that the process stops, so that its connection can end."""
        with self._lock:
            for held in self._listeners.values():
                for one in held:
                    one.told(CLOSED, 0)

    def counts(self) -> dict[str, int]:
        """How much there is of what, for those who look after the process."""
        with self._lock:
            pages = sum(len(held) for held in self._listeners.values())
            here = len(self._used)
        return {"tables_in_memory": here, "pages_listening": pages, "tables_going_on": self._steps.under_way}

    def close(self) -> None:
        """Finish what is being written and stop."""
        self._steps.close()
        self.store.close()


class Steps:
    """Takes the steps of all tables that go on without a person: one at a time for each table, `pace` seconds apart."""

    def __init__(self, step: Callable[[str], bool], pace: float) -> None:
        self._take, self.pace = step, pace
        self._changed = threading.Condition()
        self._taken: dict[str, bool] = {}
        """The tables whose step is being taken, and whether one was woken meanwhile."""
        self._planned: dict[str, int] = {}
        """For each table that goes on later, the number of the plan that holds."""
        self._due: list[tuple[float, int, str]] = []
        self._count = 0
        self._closed = False
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="turnwright")
        self._clock = threading.Thread(target=self._run, name="turnwright-steps", daemon=True)
        self._clock.start()

    @property
    def under_way(self) -> int:
        return len(self._taken) + len(self._planned)

    def wake(self, table_id: str) -> None:
        """Something has changed: see at once whether anything follows from it without a person."""
        with self._changed:
            if self._closed:
                return
            if table_id in self._taken:
                self._taken[table_id] = True
            else:
                self._plan(table_id, 0.0)

    def _plan(self, table_id: str, seconds: float) -> None:
        """Only the last plan for a table holds."""
        self._count += 1
        self._planned[table_id] = self._count
        heappush(self._due, (time.monotonic() + seconds, self._count, table_id))
        self._changed.notify()

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                if not self._due:
                    self._changed.wait()
                elif (left := self._due[0][0] - time.monotonic()) > 0:
                    self._changed.wait(left)
                else:
                    self._start(*heappop(self._due)[1:])

    def _start(self, number: int, table_id: str) -> None:
        if self._planned.get(table_id) == number:
            del self._planned[table_id]
            self._taken[table_id] = False
            self._workers.submit(self._one, table_id)

    def _one(self, table_id: str) -> None:
        went_on = False
        try:
            went_on = self._take(table_id)
        except (LookupError, BadLog, NoStore) as error:
            log.error("a table does not go on", extra={"table": table_id, "why": str(error)})
        except Exception:
            log.exception("a table does not go on", extra={"table": table_id})
        with self._changed:
            woken = self._taken.pop(table_id, False)
            if not self._closed and (went_on or woken):
                self._plan(table_id, 0.0 if woken else self.pace)

    def close(self) -> None:
        """Let the steps that are being taken end; no other follows."""
        with self._changed:
            self._closed = True
            self._due.clear()
            self._planned.clear()
            self._changed.notify()
        self._clock.join()
        self._workers.shutdown(wait=True, cancel_futures=True)
