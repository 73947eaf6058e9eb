"""A private PostgreSQL server on a free port of this machine, for as long as a test lasts; a warning without one."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text


def program(name: str) -> str | None:
    found = shutil.which(name)
    if found:
        return found
    return next((str(path) for path in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None)


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a fresh database."""
    initdb, server = program("initdb"), program("postgres")
    if not initdb or not server:
        warnings.warn(UserWarning("NO POSTGRESQL HERE: the store is tested with SQLite alone"), stacklevel=2)
        pytest.skip("no PostgreSQL server is installed")
    who = "nobody" if os.getuid() == 0 else None  # it refuses to run as root
    folder = Path(tempfile.mkdtemp(prefix="turnwright-pg-"))
    if who:
        os.chown(folder, pwd.getpwnam(who).pw_uid, -1)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "user": who, "cwd": folder}
    made = [initdb, "-D", str(folder / "data"), "-U", "turnwright", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(made, check=True, **quiet)  # type: ignore[call-overload]
    options = ["-p", str(port), "-c", "listen_addresses=127.0.0.1", "-k", str(folder)]
    process = subprocess.Popen([server, "-D", str(folder / "data"), *options], **quiet)  # type: ignore[call-overload]
    url = f"postgresql://turnwright@127.0.0.1:{port}/postgres"
    try:
        _wait_for(url)
        yield url
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(url: str) -> None:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    until = time.monotonic() + 20
    while True:
        try:
            with engine.connect() as db:
                db.execute(text("select 1"))
            engine.dispose()
            return
        except Exception:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
