"""One process that serves a hall of tables: where its files lie, which address it has, how it starts and ends."""

from __future__ import annotations

import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import segno
import uvicorn
from sqlalchemy.engine import make_url

from turnwright.model import GUIDE, SeatId, State
from turnwright.opening import beside, scene_bytes
from turnwright.web import house
from turnwright.web.app import create_app
from turnwright.web.guard import AsJson
from turnwright.web.hall import Hall
from turnwright.web.links import BadKey, Links, key_from, key_in
from turnwright.web.live import LiveTable
from turnwright.web.store import BadBackup, NoStore, Store, at_file

KEY = "TURNWRIGHT_KEY"
PORTS_TRIED = 20
GRACE = 2
"""Seconds in which a request that is under way can end when the process stops."""
EVERYWHERE = ("0.0.0.0", "::", "")


class CannotServe(Exception):
    """What stands against serving, in words."""


class Served(NamedTuple):
    """What is served, and the addresses by which it is reached."""

    hall: Hall
    base: str
    """For everybody at the table."""
    here: str
    """For a browser on this machine."""

    @property
    def lobby(self) -> str:
        return f"{self.here}/house/{self.hall.links.house}"

    def link(self, live: LiveTable, seat: SeatId) -> str:
        return f"{self.base}/s/{self.hall.token(live, seat)}"

    def guide_here(self, live: LiveTable) -> str:
        return f"{self.here}/s/{self.hall.token(live, GUIDE)}"


def data_folder() -> Path:
    """Where this user's programs keep their data."""
    if sys.platform == "win32":
        held = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        held = str(Path.home() / "Library" / "Application Support")
    else:
        held = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(held) / "turnwright"


def hall_at(url: str, pace: float) -> Hall:
    """The hall of a database, by default the user's own, with the key that makes its links. Raises CannotServe."""
    try:
        where = url or at_file(_own_folder() / "tables.db")
        store = Store(where)
    except (NoStore, OSError) as error:
        raise CannotServe(f"the tables cannot be opened: {error}") from None
    try:
        return Hall(store, Links(_key(where)), pace=pace)
    except (BadKey, OSError) as error:
        store.close()
        raise CannotServe(f"the key that makes the links cannot be read: {error}") from None


def _key(url: str) -> bytes:
    """From the environment, or from a file beside the database; one for a server's database lies with the user's."""
    if os.environ.get(KEY):
        return key_from(os.environ[KEY])
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return key_in(Path(parsed.database or "").with_suffix(".key"))
    return key_in(_own_folder() / "tables.key")


def _own_folder() -> Path:
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def bound(host: str, port: int, chosen: bool) -> socket.socket:
    """A socket that listens; where the port is taken the next one, unless it was chosen. Raises CannotServe."""
    for tried in range(port, port + (1 if chosen or not port else PORTS_TRIED)):
        try:
            return _listening(host, tried)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or chosen:
                raise CannotServe(f"cannot listen on {host} port {tried}: {error.strerror or error}") from None
        except OverflowError:
            raise CannotServe(f"a port is a number from 0 to 65535; got {tried}") from None
    raise CannotServe(f"the ports {port} to {port + PORTS_TRIED - 1} are all taken; choose another with --port")


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two processes share a port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(200)
    except BaseException:
        made.close()
        raise
    return made


def address_here() -> str:
    """This machine's address in its own network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def bases(host: str, port: int, public: str) -> tuple[str, str]:
    """The address for everybody, and the one for this machine."""
    prefix = urlsplit(public).path.rstrip("/")
    shown = address_here() if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    local = "127.0.0.1" if host in EVERYWHERE else shown
    return public.rstrip("/") or f"http://{shown}:{port}", f"http://{local}:{port}{prefix}"


def check_public(public: str) -> None:
    """Raises CannotServe for what is no address."""
    parts = urlsplit(public)
    if public and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment):
        raise CannotServe(f"--public is an address as in https://example.org/table; got {public!r}")


def code_in_terminal(url: str) -> str:
    """A QR code out of half blocks, for a phone to read off the screen."""
    import io

    out = io.StringIO()
    segno.make(url, micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()


class Server(uvicorn.Server):
    """Lets go of the pages that listen as soon as it is told to stop: they would keep it from ending."""

    def __init__(self, config: uvicorn.Config, hall: Hall, started_with: Callable[[], None]) -> None:
        super().__init__(config)
        self.hall, self.started_with = hall, started_with

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal to stop is obeyed and not raised again: the process ends well. A second Ctrl-C does not wait."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self.started_with()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.hall.close_pages()
        await super().shutdown(sockets)


def serve(
    hall: Hall,
    listening: socket.socket,
    *,
    host: str,
    public: str = "",
    examples: Path | None = None,
    started: Callable[[Served], None] = lambda _: None,
) -> None:
    """Serve until told to stop, and end with everything that was acknowledged on disk."""
    base, here = bases(host, listening.getsockname()[1], public)
    app = create_app(hall, examples=examples, public=base)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=30,
        proxy_headers=bool(public),
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1"),
    )
    served = Served(hall, base, here)
    gc.collect()
    gc.freeze()  # what was loaded to begin with need not be gone through again
    Server(config, hall, lambda: started(served)).run([listening])


def log_as_json(level: int) -> None:
    """One line of JSON on standard error for each thing that is noted."""
    handler = logging.StreamHandler()
    handler.setFormatter(AsJson())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "alembic", "asyncio"):
        logging.getLogger(name).setLevel(max(level, logging.WARNING))


def open_browser(url: str) -> None:
    """Without waiting for it, and without minding where there is none."""
    threading.Thread(target=_browse, args=(url,), daemon=True).start()


def _browse(url: str) -> None:
    with contextlib.suppress(webbrowser.Error, OSError):
        time.sleep(0.2)
        webbrowser.open(url)


def opened(
    hall: Hall, scene: State | None, backup: bytes | None, at: Path | None = None, **how: Any
) -> LiveTable | None:
    """The table that is to be played: a backup, a scene, or none yet. Raises CannotServe, BadScene.

    `at` is the scene's file, where the picture of its map is to be laid under it.
    """
    if backup is not None:
        try:
            return house.restored(hall, backup)
        except BadBackup as error:
            raise CannotServe(str(error)) from None
    if scene is not None and at is not None:
        return house.opened(hall, scene_bytes(at), str(at), beside(at), **how)
    return None if scene is None else hall.open(scene, **how)
