"""The database: whole steps or none, nobody writes over another, links only as digests; SQLite and PostgreSQL alike."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import event

from turnwright import load_scene
from turnwright.web import store as storing
from turnwright.web.hall import Hall
from turnwright.web.links import Links, digest_of
from turnwright.web.store import BadBackup, Conflict, Kept, NoStore, Step, Store, at_file, read_backup, shown

from .databases import postgres
from .halls import AMBUSH, KEY, opened, send

TABLE = Kept("t1", "A scene", "narateer", 1.0, 1.0, "round 1", False, b"header", b"{}")
STEP = Step(0, 0, (b"one", b"two"), (b"draft",), b"header", b"{}", "round 1", False, "ann", "c1", b"done")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return at_file(tmp_path / "tables.db")
    return str(request.getfixturevalue("server"))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = Store(url)
    for held in made.listed():
        made.remove(held.id)
    made.create(TABLE)
    yield made
    made.close()


def test_a_step_is_kept_with_its_answer(store: Store) -> None:
    store.keep("t1", STEP, 2.0)
    kept = store.read("t1")
    assert kept is not None
    assert (kept.entries, kept.drafts, kept.steps, kept.touched) == ((b"one", b"two"), (b"draft",), 1, 2.0)
    assert store.reply("t1", "ann", "c1") == b"done"
    assert store.reply("t1", "ben", "c1") is None


def test_a_step_after_another_step_than_the_last_is_no_step(store: Store) -> None:
    store.keep("t1", STEP, 2.0)
    for wrong in (STEP, replace(STEP, after=2, first=2), replace(STEP, after=1), replace(STEP, after=1, first=2)):
        with pytest.raises(Conflict):  # the last one repeats the id of a command
            store.keep("t1", wrong, 3.0)
    kept = store.read("t1")
    assert kept is not None
    assert (kept.entries, kept.steps, kept.touched) == ((b"one", b"two"), 1, 2.0)
    with pytest.raises(Conflict):
        store.keep("nothing", STEP, 3.0)


def test_of_two_who_write_at_once_one_is_told(store: Store) -> None:
    came: list[str] = []

    def write(number: int) -> None:
        try:
            store.keep("t1", replace(STEP, command=f"c{number}"), 2.0)
            came.append("kept")
        except Conflict:
            came.append("conflict")

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(came) == ["conflict"] * 7 + ["kept"]


def test_old_answers_are_forgotten_and_newer_ones_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "REPLIES_KEPT", 50)
    for n in range(102):
        store.keep("t1", replace(STEP, after=n, first=n, entries=(b"x",), command=f"c{n}"), 2.0)
    assert store.reply("t1", "ann", "c0") is None
    assert store.reply("t1", "ann", "c60") == b"done"


def test_a_link_leads_to_its_seat_until_it_is_renewed(store: Store) -> None:
    store.link("t1", "ann", "first", 0, 1.0)
    assert store.seat_of("first") == ("t1", "ann", 0)
    store.link("t1", "ann", "second", 1, 1.0)
    assert store.seat_of("first") is None
    assert store.links("t1") == {"ann": (1, digest_of("second"))}
    store.remove("t1")
    assert store.seat_of("second") is None


def test_the_list_has_the_last_played_first_and_no_secrets(store: Store) -> None:
    store.create(replace(TABLE, id="t2", touched=9.0, header=b"a secret seed"))
    assert [(held.id, held.header) for held in store.listed()] == [("t2", b""), ("t1", b"")]


def test_a_table_is_played_on_after_a_restart(url: str) -> None:
    hall = Hall(Store(url), Links(KEY), pace=0.0)
    live = opened(hall, AMBUSH)
    assert send(hall, live, "ann", "declare", actor="selka", action="walk", to="3,7").ok
    hall.close()
    again = Hall(Store(url), Links(KEY), pace=0.0)
    assert again.table(live.id).table.state == live.table.state
    assert send(again, again.table(live.id), "ann", "declare", actor="selka", action="end").ok
    again.close()


def test_ids_and_names_with_strange_letters(url: str) -> None:
    hall = Hall(Store(url), Links(KEY), pace=0.0)
    state = load_scene(AMBUSH)
    state = replace(state, scene=replace(state.scene, title="\0\x1b[31mA ‮scene 🎲"))
    live = hall.open(state, seed=1)
    hall.wait()
    assert live.kept.title == "[31mA scene 🎲"
    assert send(hall, live, "ann", "name", name="A\0nn\n🎲").ok
    assert live.name_of("ann") == "A nn 🎲"
    assert send(hall, live, "ann", "undo", id="nul\0").refusals[0].code == "BAD_COMMAND"
    hall.close()


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b'{"turnwright_backup": 2, "table": {}}', b"[" * 100_000])
def test_what_is_no_backup(data: bytes) -> None:
    with pytest.raises(BadBackup):
        read_backup(data)


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "sqlite://",
        "sqlite:///:memory:",
        "mysql://x/y",
        "sqlite:////proc/nowhere/x.db",
        "postgresql://u:hush@127.0.0.1:1/x",
    ],
)
def test_a_database_that_cannot_be_used_is_told_without_its_password(url: str) -> None:
    with pytest.raises(NoStore) as told:
        Store(url)
    assert "hush" not in str(told.value)
    assert "hush" not in shown(url)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    path.write_bytes(b"nothing of the kind" * 100)
    with pytest.raises(NoStore):
        Store(at_file(path))


def test_another_process_that_holds_the_file_for_long_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "BUSY", 0.05)
    store = Store(at_file(tmp_path / "tables.db"))
    store.create(TABLE)
    with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(NoStore, match="locked"):
            store.keep("t1", STEP, 2.0)
        assert store.read("t1") is not None
        other.execute("ROLLBACK")
    store.keep("t1", STEP, 2.0)
    store.close()


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    hall = Hall(Store(at_file(tmp_path / "tables.db")), Links(KEY), pace=0.0)
    live = opened(hall, AMBUSH)
    assert send(hall, live, "ann", "declare", actor="selka", action="walk", to="3,7").ok
    stood = live.table.state

    def small(connection: Any, _: object, __: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    with hall.store.engine.connect() as db:
        pages = db.exec_driver_sql("PRAGMA page_count").scalar()
    event.listen(hall.store.engine, "checkout", small)
    with pytest.raises(NoStore, match="full"):
        hall.store.create(replace(TABLE, header=b"x" * 100_000))
    event.remove(hall.store.engine, "checkout", small)
    assert hall.table(live.id).table.state == stood
    hall.close()
