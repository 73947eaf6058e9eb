"""All tables of a process: loaded once, forgotten when many, told in order; bots go on whatever comes between."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest

from turnwright import load_scene, rules
from turnwright.web import hall as halls
from turnwright.web.hall import Crowded, Hall, Listener, Steps
from turnwright.web.links import Links
from turnwright.web.live import Command, LiveTable
from turnwright.web.store import Store, at_file
from turnwright.web.views import page

from .halls import AMBUSH, hall, opened, send


def test_many_who_ask_at_once_get_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = hall(tmp_path)
    name = opened(first).id
    first.close()
    at, made = hall(tmp_path), []
    real = LiveTable._take

    def counted(self: LiveTable, kept: object) -> None:
        made.append(self)
        real(self, kept)  # type: ignore[arg-type]

    monkeypatch.setattr(LiveTable, "_take", counted)
    found: list[LiveTable] = []
    threads = [threading.Thread(target=lambda: found.append(at.table(name))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert {id(live) for live in found} == {id(made[0])}
    at.close()


def test_a_table_that_is_slow_to_read_keeps_no_other_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = hall(tmp_path)
    quick, slow = opened(at).id, at.open(load_scene(AMBUSH), seed=1).id
    at.close()
    at, goes_on, began = hall(tmp_path), threading.Event(), threading.Event()
    real = at.store.read

    def read(name: str) -> object:
        if name == slow:
            began.set()
            goes_on.wait(5)
        return real(name)

    monkeypatch.setattr(at.store, "read", read)
    thread = threading.Thread(target=at.table, args=(slow,))
    thread.start()
    assert began.wait(5)
    assert at.table(quick).id == quick
    goes_on.set()
    thread.join()
    at.close()


def test_a_table_in_use_is_never_there_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "IN_MEMORY", 1)
    at = hall(tmp_path)
    held = opened(at)
    others = [at.open(load_scene(AMBUSH), seed=n).id for n in range(3)]
    at.wait()
    assert at.table(held.id) is held
    assert send(at, held, "ann", "declare", actor="selka", action="end").ok
    name, state = held.id, held.table.state
    at.table(others[0])
    del held
    gc.collect()
    assert at.counts()["tables_in_memory"] <= 2
    assert at.table(name).table.state == state
    at.close()


def test_bots_that_were_playing_go_on_after_a_restart(tmp_path: Path) -> None:
    at = hall(tmp_path)
    live = opened(at)
    at._steps.close()  # the process dies just after the command
    reply = at.execute(
        live, "guide", Command("b", 0, "bots", {"actors": list(live.table.state.actors), "guided": True})
    )
    assert reply.ok
    at.store.close()
    later = hall(tmp_path)
    again = later.table(live.id)
    later.wait()
    assert again.table.state.round > 1 or again.table.game.side_down(again.table.state)
    later.close()


def test_a_step_that_fails_is_told_and_the_table_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    at = hall(tmp_path)
    live = opened(at)
    state = live.table.state

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("turnwright.unattended.Unattended.act", fails)
    heard: dict[str, list[tuple[int, int]]] = {"guide": [], "ann": []}
    for seat, told in heard.items():
        at.join(live, seat, lambda *now, told=told: told.append(now))  # type: ignore[misc]
    assert send(at, live, "guide", "bots", actors=["selka"]).ok
    again = at.table(live.id)
    assert again.stuck
    assert again.table.state == state
    with again.lock:
        shown = {seat: page(again, seat) for seat in again.seats}
    assert shown["guide"].guiding is not None
    assert "ZeroDivisionError" in shown["guide"].guiding.stuck
    assert heard["guide"][-1] == (shown["guide"].version, shown["guide"].notices)
    assert heard["ann"] == []
    assert send(at, again, "guide", "bots", actors=[]).ok
    assert not at.table(live.id).stuck
    assert send(at, at.table(live.id), "ann", "declare", actor="selka", action="end").ok
    at.close()


def test_a_command_that_comes_while_a_step_ends_is_followed_up() -> None:
    """The step sees nothing to do, and before it has ended something is there to be done."""
    inside, goes_on, taken = threading.Event(), threading.Event(), []

    def step(name: str) -> bool:
        taken.append(name)
        if len(taken) == 1:
            inside.set()
            goes_on.wait(5)
        return False

    steps = Steps(step, pace=60)
    steps.wake("t")
    assert inside.wait(5)
    steps.wake("t")
    goes_on.set()
    for _ in range(1000):
        if not steps.under_way:
            break
        threading.Event().wait(0.002)
    assert taken == ["t", "t"]
    steps.close()


def test_a_person_need_not_wait_for_the_pace_of_bots() -> None:
    taken: list[str] = []

    def step(name: str) -> bool:
        taken.append(name)
        return len(taken) == 1

    steps = Steps(step, pace=60)
    steps.wake("t")
    while len(taken) < 1 or steps._taken:
        threading.Event().wait(0.002)
    assert steps.under_way == 1
    steps.wake("t")
    while steps.under_way:
        threading.Event().wait(0.002)
    assert taken == ["t", "t"]
    steps.close()


def test_what_is_older_is_not_told_after_what_is_newer() -> None:
    told: list[tuple[int, int]] = []
    one = Listener("t", "ann", lambda v, n: told.append((v, n)), (3, 0))
    for now in ((4, 0), (6, 0), (5, 0), (6, 0), (6, 1)):
        one.hear(now)
    assert told == [(4, 0), (6, 0), (6, 1)]


def test_a_seat_cannot_crowd_out_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "MOST_FOR_A_SEAT", 3)
    at = hall(tmp_path)
    live = opened(at)
    held = [at.join(live, "ann", lambda v, n: None) for _ in range(3)]
    with pytest.raises(Crowded):
        at.join(live, "ann", lambda v, n: None)
    at.join(live, "ben", lambda v, n: None)
    assert at.present(live) == {"ann", "ben"}
    at.leave(held[0])
    at.join(live, "ann", lambda v, n: None)
    at.close()


def test_notices_rise_over_restarts_too(tmp_path: Path) -> None:
    at = hall(tmp_path)
    live = opened(at)
    send(at, live, "ann", "name", name="Anna")
    assert live.notices == 1
    at.close()
    assert hall(tmp_path).table(live.id).notices == 1


def test_a_page_is_read_anew_where_another_process_wrote(tmp_path: Path) -> None:
    at, other = hall(tmp_path), hall(tmp_path)
    live = opened(at)
    token = at.token(live, "ann")
    theirs = other.find(token)
    assert theirs is not None
    assert send(at, live, "ann", "declare", actor="selka", action="walk", to="3,7").ok
    again = other.find(token)
    assert again is not None
    assert again[0].table.state == live.table.state
    at.close()
    other.close()


def test_links_of_another_key_lead_nowhere_and_new_ones_are_made(tmp_path: Path) -> None:
    at = hall(tmp_path)
    live = opened(at)
    old = at.token(live, "ann")
    at.close()
    other = Hall(Store(at_file(tmp_path / "tables.db")), Links(b"another key"), pace=0.0)
    new = other.token(other.table(live.id), "ann")
    assert other.find(new) == (other.table(live.id), "ann")
    assert other.find(old) is None
    other.close()


@pytest.mark.parametrize("when", ["before", "while it is open"])
def test_a_standing_answer_holds_at_once_and_after_a_restart(tmp_path: Path, when: str) -> None:
    """What was asked before it was set is answered by it too: as it would be when the table is read again."""
    at = hall(tmp_path)
    live = opened(at)
    hide = {"actor": "selka", "action": "hide", "method": "crouch", "intent": "unseen", "boost": 0}
    if when == "before":
        send(at, live, "ann", "dice", by_hand=True)
    send(at, live, "ann", "declare", **hide)
    if when != "before":
        send(at, live, "ann", "dice", by_hand=True)
    send(at, live, "ann", "standing", about="assist", wish="never")
    stood = [(held.id, held.kind) for held in live.waiting()]
    state, count = live.table.state, len(live.table.log)
    at.close()
    again = hall(tmp_path).table(live.id)
    assert [(held.id, held.kind) for held in again.waiting()] == stood
    assert (again.table.state, len(again.table.log)) == (state, count)
    assert (again.table.by_hand, again.table.standing) == (("ann",), {"ann assist": "never"})


def test_dice_that_were_thrown_by_hand_and_no_longer_are_fall_by_themselves(tmp_path: Path) -> None:
    at = hall(tmp_path)
    live = opened(at)
    send(at, live, "guide", "bots", actors=["guard", "dog", "captain"], guided=True)
    send(at, live, "ann", "dice", by_hand=True)
    send(at, live, "ann", "declare", actor="selka", action="attempt", intent="climb", method="climb the stall")
    for _ in range(6):
        asked = [held for held in live.waiting() if held.who == "ann"]
        if not asked or asked[0].kind == "roll":
            break
        send(at, live, "ann", "answer", question=asked[0].id, value=0)
    assert [held.kind for held in live.waiting()] == ["roll"]
    send(at, live, "ann", "dice", by_hand=False)
    assert live.waiting() == ()
    state = live.table.state
    at.close()
    assert hall(tmp_path).table(live.id).table.state == state


def test_threads_that_ask_for_the_games_at_once_all_see_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        def __init__(self, name: str) -> None:
            self.name = name

        def load(self) -> Point:
            threading.Event().wait(0.02)
            return self

    monkeypatch.setattr(rules, "_GAMES", {})
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Point("one"), Point("two")])
    seen: list[list[str]] = []

    def ask(after: float) -> None:
        threading.Event().wait(after)
        seen.append(list(rules.games()))

    threads = [threading.Thread(target=ask, args=(n / 100,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [["one", "two"]] * 4
