"""A live table against a simple model: who comes, goes, acts, is late, says it twice, takes back; and kills."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from turnwright import load_scene
from turnwright.log import state_digest
from turnwright.web.hall import Hall, Listener
from turnwright.web.links import Links
from turnwright.web.live import Command, LiveTable, Reply
from turnwright.web.store import Store, at_file

from .halls import AMBUSH, KEY

SEATS = ("guide", "ann", "ben")
DEEDS: tuple[dict[str, Any], ...] = (
    {"action": "end"},
    {"action": "walk", "to": "3,7"},
    {"action": "walk", "to": "99,99"},
    {"action": "hide", "method": "crouch", "intent": "unseen", "boost": 0},
)


class Sessions(RuleBasedStateMachine):
    """The model: what each seat last saw, every answer that was given, and how the table stood after the last."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.url = at_file(Path(self.folder.name) / "tables.db")
        self.halls: list[Hall] = []
        self.start()
        live = self.hall.open(load_scene(AMBUSH), seed=3)
        self.table_id = live.id
        self.hall.wait()
        self.answers: dict[tuple[str, str], tuple[Command, Reply]] = {}
        self.pages: dict[str, tuple[Listener, list[tuple[int, int]]]] = {}
        self.versions = {seat: live.version(seat) for seat in SEATS}
        self.stood = self.look()
        self.ids = (f"c{n}" for n in itertools.count())

    def start(self) -> None:
        self.hall = Hall(Store(self.url), Links(KEY), pace=0.0)
        self.halls.append(self.hall)

    @property
    def live(self) -> LiveTable:
        return self.hall.table(self.table_id)

    def look(self) -> tuple[Any, ...]:
        live = self.live
        with live.lock:
            questions = tuple(held.id for held in live.table.waiting_on)
            return state_digest(live.table.state), len(live.table.log), questions, live.options.names, live.steps

    def send(self, seat: str, command: Command) -> Reply:
        reply = self.hall.execute(self.live, seat, command)
        self.hall.wait()
        if reply.ok:
            self.answers[seat, command.id] = (command, reply)
            self.stood = self.look()
        return reply

    # -- people

    @rule(seat=st.sampled_from(SEATS))
    def come(self, seat: str) -> None:
        if seat in self.pages:
            self.hall.leave(self.pages[seat][0])
        told: list[tuple[int, int]] = []
        self.pages[seat] = (self.hall.join(self.live, seat, lambda v, n: told.append((v, n))), told)

    @rule(seat=st.sampled_from(SEATS))
    def go(self, seat: str) -> None:
        if seat in self.pages:
            self.hall.leave(self.pages.pop(seat)[0])

    # -- commands

    @rule(seat=st.sampled_from(SEATS), actor=st.sampled_from(["selka", "bo", "guard"]), deed=st.sampled_from(DEEDS))
    def act(self, seat: str, actor: str, deed: dict[str, Any]) -> None:
        command = Command(next(self.ids), self.live.version(seat), "declare", {"actor": actor, **deed})
        reply = self.send(seat, command)
        assert reply.code != "STALE"
        if seat != "guide" and {"selka": "ann", "bo": "ben"}.get(actor) != seat:
            assert not reply.ok

    @precondition(lambda self: self.live.waiting())
    @rule(late=st.booleans(), withdraw=st.booleans())
    def answer(self, late: bool, withdraw: bool) -> None:
        held = self.live.waiting()[0]
        said = {"question": held.id, "value": 0, "withdraw": withdraw}
        reply = self.send(held.who, Command(next(self.ids), self.live.version(held.who) - late, "answer", said))
        assert (reply.code == "STALE") == late

    @rule(seat=st.sampled_from(SEATS))
    def late(self, seat: str) -> None:
        before = self.look()
        command = Command(next(self.ids), self.live.version(seat) - 1, "undo")
        assert self.send(seat, command).code == "STALE"
        assert self.look() == before

    @precondition(lambda self: self.answers)
    @rule(data=st.data())
    def again(self, data: st.DataObject) -> None:
        seat, name = data.draw(st.sampled_from(sorted(self.answers)))
        command, first = self.answers[seat, name]
        before = self.look()
        assert self.hall.execute(self.live, seat, command) == first
        self.hall.wait()
        assert self.look() == before

    @rule(seat=st.sampled_from(SEATS))
    def take_back(self, seat: str) -> None:
        count = len(self.live.table.live)
        reply = self.send(seat, Command(next(self.ids), self.live.version(seat), "undo"))
        assert not reply.ok or count > 0

    @rule(seat=st.sampled_from(SEATS), name=st.text(max_size=80))
    def call(self, seat: str, name: str) -> None:
        assert self.send(seat, Command(next(self.ids), 0, "name", {"name": name})).ok
        assert len(self.live.name_of(seat)) <= 60

    # -- the process

    @rule()
    def kill(self) -> None:
        """The old hall is dropped as it is, without being closed."""
        self.pages.clear()
        self.start()
        self.hall.table(self.table_id)
        self.hall.wait()

    # -- what always holds

    @invariant()
    def as_it_was_acknowledged(self) -> None:
        assert self.look() == self.stood

    @invariant()
    def versions_never_fall(self) -> None:
        now = {seat: self.live.version(seat) for seat in SEATS}
        assert all(now[seat] >= self.versions[seat] for seat in SEATS)
        self.versions = now

    @invariant()
    def whoever_is_here_was_told(self) -> None:
        for seat, (one, told) in self.pages.items():
            assert one.last == (self.live.version(seat), self.live.notices_for(seat))
            assert told == sorted(told)
            assert not told or told[-1] == one.last

    def teardown(self) -> None:
        for held in self.halls:
            held.close()
        self.folder.cleanup()


TestSessions = Sessions.TestCase
TestSessions.settings = settings(
    max_examples=12, stateful_step_count=18, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
