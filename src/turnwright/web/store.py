"""What is on disk: tables, the entries of their logs, drafts, links, and what each command was answered.

Every command is one transaction, synced before it returns. No secret of a link is stored, only its digest.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Container, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from turnwright.web.links import digest_of

metadata = MetaData()

TABLES = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("title", Text, nullable=False),
    Column("system", String(64), nullable=False),
    Column("made", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Column("stands", Text, nullable=False, default=""),
    Column("over", Boolean, nullable=False, default=False),
    Column("header", LargeBinary, nullable=False),
    Column("options", LargeBinary, nullable=False),
    Column("steps", Integer, nullable=False, default=0),
)
ENTRIES = Table(
    "entries",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("line", LargeBinary, nullable=False),
    Column("unattended", Boolean, nullable=False, default=False),
)
DRAFTS = Table(
    "drafts",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("line", LargeBinary, nullable=False),
)
REPLIES = Table(
    "replies",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", String(128), primary_key=True),
    Column("command", String(64), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("reply", LargeBinary, nullable=False),
)
LINKS = Table(
    "links",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("seat", String(128), nullable=False),
    Column("renewed", Integer, nullable=False),
    Column("made", Float, nullable=False),
)
PICTURES = Table(
    "pictures",
    metadata,
    Column("table_id", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
BACKUP = 1
"""The format of a backup file."""
MOST_BACKUP = 200_000_000
"""Bytes of a backup that are read at most."""
REPLIES_KEPT = 2_000
"""For so many steps of a table the first answer to a command is kept for when it comes again."""


READS = {"reads": True}
"""A transaction that only reads, and so waits for nobody who writes."""
BUSY = 5.0
"""Seconds to wait for another process that writes to the same file."""
CONNECTIONS = 20
"""Connections that are kept open, and as many again at the worst of times."""


class NoStore(Exception):
    """The database cannot be opened or written: what was tried and what is wrong."""


class Conflict(Exception):
    """Another process wrote to the same table meanwhile."""


class BadBackup(ValueError):
    """A file that is no backup of a table."""


class Kept(msgspec.Struct, frozen=True):
    """One table as it lies on disk."""

    id: str
    title: str
    system: str
    made: float
    touched: float
    stands: str
    over: bool
    header: bytes
    options: bytes
    steps: int = 0
    """How often it was written to: whoever writes next names this number, and nobody writes over another."""
    entries: tuple[bytes, ...] = ()
    unattended: tuple[int, ...] = ()
    """The numbers of the entries that no person made."""
    drafts: tuple[bytes, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """What one command changed: the new entries from number `first` on, every draft that is open, and its answer."""

    after: int
    """The number of steps before this one."""
    first: int
    entries: tuple[bytes, ...]
    drafts: tuple[bytes, ...]
    header: bytes
    options: bytes
    stands: str
    over: bool
    seat: str = ""
    command: str = ""
    reply: bytes = b""
    unattended: bool = False
    """Whether no person made these entries: a bot's, or the beginning of a turn."""


class Store:
    """The database of a process. Raises NoStore where it cannot be used."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._writer = threading.Lock()
        """In one process those who write wait here in turn, and not by asking the file again and again."""
        try:
            self.engine = _engine(url)
            with ExitStack() as unless_it_works:
                unless_it_works.callback(self.close)
                migrate(self.engine)
                unless_it_works.pop_all()
        except (SQLAlchemyError, ArgumentError, OSError, ImportError) as error:
            raise NoStore(f"{shown(url)}: {_first_line(error)}") from None

    def close(self) -> None:
        self.engine.dispose()

    # -- tables

    def create(self, table: Kept) -> None:
        """Put a new table down."""
        with self._writing() as db:
            row = {name: getattr(table, name) for name in (c.name for c in TABLES.columns)}
            db.execute(insert(TABLES).values(row))
            _add(db, table.id, 0, table.entries, table.unattended)
            _put_drafts(db, table.id, table.drafts)

    def read(self, table_id: str) -> Kept | None:
        with self._reading() as db:
            row = db.execute(select(TABLES).where(TABLES.c.id == table_id)).mappings().first()
            if row is None:
                return None
            entries, drafts = _lines(db, ENTRIES, table_id), _lines(db, DRAFTS, table_id)
            mine = (ENTRIES.c.table_id == table_id) & ENTRIES.c.unattended.is_(True)
            alone = tuple(db.execute(select(ENTRIES.c.number).where(mine).order_by(ENTRIES.c.number)).scalars())
            return Kept(**row, entries=entries, unattended=alone, drafts=drafts)

    def listed(self, most: int = 200) -> list[Kept]:
        """Every table, the one played last first, without its log."""
        told = [column for column in TABLES.columns if column.name not in ("header", "options")]
        with self._reading() as db:
            rows = db.execute(select(*told).order_by(TABLES.c.touched.desc(), TABLES.c.id).limit(most)).mappings()
            return [Kept(**row, header=b"", options=b"") for row in rows]

    def keep(self, table_id: str, step: Step, at: float) -> None:
        """Write what a command changed, whole or not at all. Raises Conflict, NoStore."""
        with self._writing() as db:
            values = {"header": step.header, "options": step.options, "stands": step.stands, "over": step.over}
            mine = (TABLES.c.id == table_id) & (TABLES.c.steps == step.after)
            found = db.execute(update(TABLES).where(mine).values(touched=at, steps=step.after + 1, **values))
            if not found.rowcount:
                raise Conflict(f"table {table_id} is gone, or another process wrote to it")
            last = step.first + len(step.entries)
            _add(db, table_id, step.first, step.entries, range(step.first, last) if step.unattended else ())
            _put_drafts(db, table_id, step.drafts)
            if step.command:
                _add_reply(db, table_id, step)

    def reply(self, table_id: str, seat: str, command: str) -> bytes | None:
        """What a command was answered when it came first."""
        with self._reading() as db:
            held = (REPLIES.c.table_id == table_id) & (REPLIES.c.seat == seat) & (REPLIES.c.command == command)
            return db.execute(select(REPLIES.c.reply).where(held)).scalar()

    def remove(self, table_id: str) -> None:
        with self._writing() as db:
            for part in (ENTRIES, DRAFTS, REPLIES, LINKS, PICTURES):
                db.execute(delete(part).where(part.c.table_id == table_id))
            db.execute(delete(TABLES).where(TABLES.c.id == table_id))

    # -- pictures

    def put_picture(self, table_id: str, data: bytes) -> None:
        """Put down the picture that lies under a table's map."""
        with self._writing() as db:
            db.execute(delete(PICTURES).where(PICTURES.c.table_id == table_id))
            db.execute(insert(PICTURES).values(table_id=table_id, data=data))

    def picture(self, table_id: str) -> bytes:
        """The picture under a table's map; nothing where there is none."""
        with self._reading() as db:
            return db.execute(select(PICTURES.c.data).where(PICTURES.c.table_id == table_id)).scalar() or b""

    def has_picture(self, table_id: str) -> bool:
        with self._reading() as db:
            held = select(func.count()).select_from(PICTURES).where(PICTURES.c.table_id == table_id)
            return bool(db.execute(held).scalar())

    # -- links

    def seat_of(self, token: str) -> tuple[str, str, int] | None:
        """The table that a link leads to, the seat, and how often the table was written to; None for any other link."""
        with self._reading() as db:
            held = (LINKS.c.digest == digest_of(token)) & (TABLES.c.id == LINKS.c.table_id)
            row = db.execute(select(LINKS.c.table_id, LINKS.c.seat, TABLES.c.steps).where(held)).first()
            return None if row is None else (row[0], row[1], row[2])

    def links(self, table_id: str) -> dict[str, tuple[int, str]]:
        """For each seat how often its link was renewed, and the digest of the one that leads there now."""
        with self._reading() as db:
            held = LINKS.c.table_id == table_id
            rows = db.execute(select(LINKS.c.seat, LINKS.c.renewed, LINKS.c.digest).where(held))
            return {row[0]: (row[1], row[2]) for row in rows}

    def link(self, table_id: str, seat: str, token: str, renewed: int, at: float) -> None:
        """From now on this link, and no other, leads to the seat."""
        with self._writing() as db:
            db.execute(delete(LINKS).where((LINKS.c.table_id == table_id) & (LINKS.c.seat == seat)))
            row = {"digest": digest_of(token), "table_id": table_id, "seat": seat, "renewed": renewed, "made": at}
            db.execute(insert(LINKS).values(row))

    # -- one table as one file

    def backup(self, table_id: str) -> bytes:
        """Everything of a table but its links. Raises LookupError."""
        kept = self.read(table_id)
        if kept is None:
            raise LookupError(f"there is no table {table_id}")
        picture = self.picture(table_id)
        with_it = {"picture": picture} if picture else {}
        return msgspec.json.encode({"turnwright_backup": BACKUP, "table": kept, **with_it})

    # -- looking after it

    def check(self) -> None:
        """Raises NoStore where the database does not answer."""
        with self._reading() as db:
            db.execute(select(func.count()).select_from(TABLES)).scalar()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """What is read in one go belongs together, whatever is written meanwhile."""
        try:
            with self.engine.connect().execution_options(**self._reads) as db:
                yield db
        except SQLAlchemyError as error:
            raise NoStore(f"{shown(self.url)}: {_first_line(error)}") from None

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        try:
            with self._writer if self._is_file else nullcontext(), self.engine.begin() as db:
                yield db
        except IntegrityError as error:
            raise Conflict(f"another process wrote meanwhile: {_first_line(error)}") from None
        except SQLAlchemyError as error:
            raise NoStore(f"{shown(self.url)}: {_first_line(error)}") from None

    @property
    def _is_file(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @property
    def _reads(self) -> dict[str, Any]:
        return READS if self._is_file else READS | {"isolation_level": "REPEATABLE READ"}


def new_id() -> str:
    return secrets.token_hex(8)


def read_backup(data: bytes) -> Kept:
    """Raises BadBackup."""
    if len(data) > MOST_BACKUP:
        raise BadBackup(f"expected a backup of at most {MOST_BACKUP} bytes; got {len(data)}")
    try:
        whole = msgspec.json.decode(data)
        if not isinstance(whole, dict) or whole.get("turnwright_backup") != BACKUP:
            raise BadBackup("expected the backup of one table, as `backup` writes it")
        return msgspec.convert(whole["table"], Kept)
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, RecursionError) as error:
        raise BadBackup(f"expected the backup of one table; {error}") from None


def picture_in(data: bytes) -> bytes:
    """The picture of a backup, or nothing. Raises BadBackup."""
    try:
        return msgspec.json.decode(data, type=_Pictured).picture
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadBackup(f"expected the backup of one table; {error}") from None


class _Pictured(msgspec.Struct):
    picture: bytes = b""


def shown(url: str) -> str:
    """A database's address without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "the database"


def at_file(path: Path) -> str:
    """The address of a database file."""
    return f"sqlite:///{path}"


def migrate(engine: Engine) -> None:
    """Bring a database to this version's tables: a new one, or one that an older version made."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as db:
        config.attributes["connection"] = db
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise NoStore(f"{shown(str(engine.url))}: a newer version of Turnwright made it; {error}") from None


def _engine(url: str) -> Engine:
    parsed = make_url(url)
    pool = {"pool_size": CONNECTIONS, "max_overflow": CONNECTIONS}
    if parsed.get_backend_name() != "sqlite":
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        return create_engine(parsed, pool_pre_ping=True, **pool)
    if not parsed.database or parsed.database == ":memory:":
        raise ArgumentError("expected a file, as in sqlite:////home/me/tables.db; what is only in memory is lost")
    Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(parsed, connect_args={"timeout": BUSY}, **pool)
    event.listen(engine, "connect", _as_wal)
    event.listen(engine, "begin", _begin)
    return engine


def _as_wal(connection: Any, _record: object) -> None:
    """SQLite that loses nothing it has acknowledged, and transactions that begin where we say so."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for line in (f"busy_timeout={int(BUSY * 1000)}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {line}")
    cursor.close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN" if connection.get_execution_options().get("reads") else "BEGIN IMMEDIATE")


def _add(db: Connection, table_id: str, first: int, lines: Sequence[bytes], alone: Container[int]) -> None:
    if lines:
        rows = [
            {"table_id": table_id, "number": n, "line": line, "unattended": n in alone}
            for n, line in enumerate(lines, first)
        ]
        db.execute(insert(ENTRIES), rows)


def _put_drafts(db: Connection, table_id: str, lines: Sequence[bytes]) -> None:
    db.execute(delete(DRAFTS).where(DRAFTS.c.table_id == table_id))
    if lines:
        rows = [{"table_id": table_id, "place": n, "line": line} for n, line in enumerate(lines)]
        db.execute(insert(DRAFTS), rows)


def _add_reply(db: Connection, table_id: str, step: Step) -> None:
    row = {"table_id": table_id, "seat": step.seat, "command": step.command, "number": step.after, "reply": step.reply}
    db.execute(insert(REPLIES).values(row))
    if step.after % 100 == 0:
        db.execute(
            delete(REPLIES).where((REPLIES.c.table_id == table_id) & (REPLIES.c.number <= step.after - REPLIES_KEPT))
        )


def _lines(db: Connection, part: Table, table_id: str) -> tuple[bytes, ...]:
    ordered = select(part.c.line).where(part.c.table_id == table_id).order_by(part.c[1])
    return tuple(db.execute(ordered).scalars())


def _first_line(error: BaseException) -> str:
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0][:300] if lines else repr(error)
