"""A live table: a command is done once, kept before it is shown, refused when it is stale, and survives a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.web.hall import Hall
from turnwright.web.live import MOST_TEXT, LiveTable
from turnwright.web.store import Conflict, NoStore, Step

from .halls import hall, opened, send


@pytest.fixture
def at(tmp_path: Path) -> Hall:
    return hall(tmp_path)


def again(before: Hall, folder: Path, live: LiveTable) -> LiveTable:
    """The same table in a process that has just started."""
    before.close()
    return hall(folder).table(live.id)


def test_the_first_turn_begins_by_itself(at: Hall) -> None:
    live = opened(at)
    assert live.table.state.active == "selka"


def test_a_player_acts_and_everybody_can_see_it_after_a_restart(at: Hall, tmp_path: Path) -> None:
    live = opened(at)
    before = live.table.state.actors["selka"].at
    reply = send(at, live, "ann", "declare", actor="selka", action="walk", to="3,7")
    state = live.table.state
    assert reply.ok, reply.refusals
    assert state.actors["selka"].at == (3, 7) != before
    later = again(at, tmp_path, live)
    assert later.table.state == state
    assert {seat: later.version(seat) for seat in later.seats} == {seat: live.version(seat) for seat in live.seats}


def test_a_command_that_comes_again_is_done_once_and_answered_alike(at: Hall, tmp_path: Path) -> None:
    live = opened(at)
    seen = live.version("ann")
    first = send(at, live, "ann", "declare", id="once", actor="selka", action="end")
    count = len(live.table.log)
    second = send(at, live, "ann", "declare", id="once", seen=seen, actor="selka", action="end")
    assert first.ok
    assert second == first
    assert len(live.table.log) == count
    later = again(at, tmp_path, live)
    fresh = hall(tmp_path)
    assert (
        send(fresh, fresh.table(later.id), "ann", "declare", id="once", seen=seen, actor="selka", action="end") == first
    )


def test_a_command_that_saw_an_older_version_is_stale_and_changes_nothing(at: Hall) -> None:
    live = opened(at)
    seen = live.version("ann")
    send(at, live, "ann", "declare", actor="selka", action="end")
    count = len(live.table.log)
    reply = send(at, live, "ann", "declare", seen=seen, actor="selka", action="end")
    assert (reply.ok, reply.code, reply.version) == (False, "STALE", live.version("ann"))
    assert len(live.table.log) == count


def test_nobody_plays_for_another_seat(at: Hall) -> None:
    live = opened(at)
    reply = send(at, live, "ben", "declare", actor="selka", action="end")
    assert (reply.ok, reply.code) == (False, "NOT_YOURS")
    assert live.table.state.active == "selka"


def test_whoever_only_watches_does_nothing(at: Hall) -> None:
    live = opened(at)
    assert send(at, live, "spectator", "declare", actor="selka", action="end").code == "NOT_YOURS"
    assert send(at, live, "spectator", "name", name="Eve").code == "NOT_YOURS"


@pytest.mark.parametrize("do", ["redo", "override", "revoke", "begin", "bots", "pause", "end"])
def test_what_is_the_guides_is_nobody_elses(at: Hall, do: str) -> None:
    live = opened(at)
    assert send(at, live, "ann", do).code == "NOT_YOURS"


def test_a_paused_table_waits_for_the_guide(at: Hall) -> None:
    live = opened(at)
    send(at, live, "guide", "pause", paused=True)
    assert send(at, live, "ann", "declare", actor="selka", action="end").code == "PAUSED"
    send(at, live, "guide", "pause", paused=False)
    assert send(at, live, "ann", "declare", actor="selka", action="end").ok


def test_the_guide_plays_for_a_seat_that_is_not_there(at: Hall) -> None:
    live = opened(at)
    assert send(at, live, "guide", "declare", actor="selka", action="end").ok
    assert live.table.state.active != "selka"


def test_bots_play_for_whom_the_guide_says(at: Hall) -> None:
    live = opened(at)
    send(at, live, "guide", "bots", actors=list(live.table.state.actors), guided=True)
    assert live.table.state.round > 1 or live.table.game.side_down(live.table.state)
    assert all(live.table.log[n].by for n in live.alone)


def test_an_end_reveals_the_seed_and_nothing_comes_after_it(at: Hall, tmp_path: Path) -> None:
    live = opened(at)
    send(at, live, "guide", "end")
    assert live.table.revealed
    assert send(at, live, "ann", "declare", actor="selka", action="end").code == "OVER"
    assert again(at, tmp_path, live).table.revealed


def test_what_cannot_be_kept_is_not_done(at: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    live = opened(at)
    stood = live.table.state

    def full(*_: object) -> None:
        raise NoStore("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(at.store, "keep", full)
        with pytest.raises(NoStore):
            send(at, live, "ann", "declare", actor="selka", action="end")
    fresh = at.table(live.id)
    assert fresh is not live
    assert fresh.table.state == stood
    assert send(at, fresh, "ann", "declare", actor="selka", action="end").ok


def test_two_processes_do_not_write_over_each_other(at: Hall, tmp_path: Path) -> None:
    live = opened(at)
    other = hall(tmp_path)
    theirs = other.table(live.id)
    seen = theirs.version("ann")
    assert send(at, live, "ann", "declare", actor="selka", action="end").ok
    reply = send(other, theirs, "ann", "declare", seen=seen, actor="selka", action="end")
    assert (reply.ok, reply.code) == (False, "STALE")
    assert other.table(live.id).table.state == live.table.state


def test_more_text_than_anybody_types_is_refused(at: Hall) -> None:
    live = opened(at)
    reply = send(at, live, "ann", "declare", actor="selka", action="attempt", intent="x" * (MOST_TEXT + 1))
    assert (reply.ok, reply.refusals[0].code) == (False, "BAD_COMMAND")


def test_a_listener_hears_of_its_own_changes_and_of_no_others(at: Hall) -> None:
    live = opened(at)
    heard: dict[str, list[int]] = {"ann": [], "ben": []}
    with (
        at.listening(live, "ann", lambda v, n: heard["ann"].append(v)),
        at.listening(live, "ben", lambda v, n: heard["ben"].append(v)),
    ):
        changes = {"guard.readiness": {"observation": 12}}
        assert send(at, live, "guide", "override", changes=changes, reason="a number that no player knows").ok
        assert heard == {"ann": [], "ben": []}
        send(at, live, "ann", "declare", actor="selka", action="end")
    assert heard["ann"][-1] == live.version("ann")
    assert heard["ben"][-1] == live.version("ben")


def test_a_renewed_link_leads_to_the_seat_and_the_old_one_nowhere(at: Hall) -> None:
    live = opened(at)
    old = at.token(live, "ann")
    gone: list[int] = []
    with at.listening(live, "ann", lambda v, n: gone.append(v)):
        new = at.renew(live, "ann")
    assert gone == [-1]
    assert at.find(old) is None
    assert at.find(new) == (live, "ann")
    assert at.token(live, "ann") == new


def test_no_secret_of_a_link_is_on_disk(at: Hall, tmp_path: Path) -> None:
    live = opened(at)
    tokens = [at.token(live, seat) for seat in live.seats] + [at.links.house]
    at.close()
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert not [token for token in tokens if token.encode() in held]


def test_a_backup_is_the_same_table_with_other_links(at: Hall) -> None:
    live = opened(at)
    send(at, live, "ann", "declare", actor="selka", action="walk", to="3,7")
    copy = at.restore(at.store.backup(live.id))
    assert copy.id != live.id
    assert copy.table.state == live.table.state
    assert at.token(copy, "ann") != at.token(live, "ann")


def test_a_step_that_does_not_follow_the_last_one_is_refused(at: Hall) -> None:
    live = opened(at)
    with pytest.raises(Conflict):
        at.store.keep(live.id, Step(0, 0, (b"{}",), (), live.kept.header, live.kept.options, "", False), 1.0)
