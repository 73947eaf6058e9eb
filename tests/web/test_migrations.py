"""A database file of an older version opens in this one, and one of a newer version says so."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext

from turnwright.web import store as storing
from turnwright.web.hall import Hall
from turnwright.web.links import Links
from turnwright.web.store import NoStore, Store, at_file, metadata

from .halls import KEY, hall, opened, send

FIRST = """
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
INSERT INTO alembic_version VALUES ('0001');
CREATE TABLE tables (id VARCHAR(32) NOT NULL PRIMARY KEY, title TEXT NOT NULL, system VARCHAR(64) NOT NULL,
  made FLOAT NOT NULL, touched FLOAT NOT NULL, stands TEXT NOT NULL, over BOOLEAN NOT NULL,
  header BLOB NOT NULL, options BLOB NOT NULL);
CREATE TABLE entries (table_id VARCHAR(32) NOT NULL REFERENCES tables(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  line BLOB NOT NULL, unattended BOOLEAN NOT NULL, PRIMARY KEY (table_id, number));
CREATE TABLE drafts (table_id VARCHAR(32) NOT NULL REFERENCES tables(id) ON DELETE CASCADE, place INTEGER NOT NULL,
  line BLOB NOT NULL, PRIMARY KEY (table_id, place));
CREATE TABLE replies (table_id VARCHAR(32) NOT NULL REFERENCES tables(id) ON DELETE CASCADE, seat VARCHAR(128) NOT NULL,
  command VARCHAR(64) NOT NULL, number INTEGER NOT NULL, reply BLOB NOT NULL, PRIMARY KEY (table_id, seat, command));
CREATE TABLE links (digest VARCHAR(64) NOT NULL PRIMARY KEY, table_id VARCHAR(32) NOT NULL
  REFERENCES tables(id) ON DELETE CASCADE, seat VARCHAR(128) NOT NULL, renewed INTEGER NOT NULL, made FLOAT NOT NULL);
CREATE INDEX ix_links_table_id ON links (table_id);
"""
"""The first version's tables, as it made them."""


def older(folder: Path) -> tuple[Path, str]:
    """A file of the first version with a table that was played a little."""
    at = hall(folder)
    live = opened(at)
    assert send(at, live, "ann", "declare", actor="selka", action="walk", to="3,7").ok
    kept, token = at.store.read(live.id), at.token(live, "ann")
    links = at.store.links(live.id)
    at.close()
    assert kept is not None
    path = folder / "older.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(FIRST)
        whole = (kept.id, kept.title, kept.system, 1.0, 1.0, kept.stands, False, kept.header, kept.options)
        db.execute("INSERT INTO tables VALUES (?,?,?,?,?,?,?,?,?)", whole)
        rows = [(kept.id, n, line, n in kept.unattended) for n, line in enumerate(kept.entries)]
        db.executemany("INSERT INTO entries VALUES (?,?,?,?)", rows)
        db.executemany("INSERT INTO links VALUES (?,?,?,?,?)", [(d, kept.id, s, n, 1.0) for s, (n, d) in links.items()])
        db.commit()
    return path, token


def test_a_file_of_the_first_version_is_played_on(tmp_path: Path) -> None:
    path, token = older(tmp_path)
    at = Hall(Store(at_file(path)), Links(KEY), pace=0.0)
    found = at.find(token)
    assert found is not None
    live, seat = found
    assert seat == "ann"
    assert live.table.state.actors["selka"].at == (3, 7)
    assert send(at, live, "ann", "declare", actor="selka", action="end").ok
    at.close()


def test_a_file_of_a_newer_version_says_so(tmp_path: Path) -> None:
    Store(at_file(tmp_path / "newer.db")).close()
    with closing(sqlite3.connect(tmp_path / "newer.db")) as db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
        db.commit()
    with pytest.raises(NoStore, match="newer version"):
        Store(at_file(tmp_path / "newer.db"))


def test_the_migrations_make_what_the_store_expects(tmp_path: Path) -> None:
    store = Store(at_file(tmp_path / "tables.db"))
    with store.engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db), metadata) == []
    store.close()


def test_the_way_back_leads_to_nothing(tmp_path: Path) -> None:
    store = Store(at_file(tmp_path / "tables.db"))
    config = Config()
    config.set_main_option("script_location", str(Path(storing.__file__).parent / "migrations"))
    with store.engine.begin() as db:
        config.attributes["connection"] = db
        command.downgrade(config, "base")
    with closing(sqlite3.connect(tmp_path / "tables.db")) as db:
        left = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    store.close()
    assert left == ["alembic_version"]
