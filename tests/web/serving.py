"""A server in a thread, on a free port of this machine, and clients that remember every byte."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import uvicorn

from turnwright.web.app import create_app
from turnwright.web.hall import Hall
from turnwright.web.live import LiveTable
from turnwright.web.serving import Server, bound


class Site:
    """Where a hall is served, and clients that go there."""

    def __init__(self, hall: Hall, base: str) -> None:
        self.hall, self.base = hall, base
        self.client = httpx.Client(base_url=base, timeout=10)

    def link(self, live: LiveTable, seat: str) -> str:
        return f"/s/{self.hall.token(live, seat)}"


@contextmanager
def served(hall: Hall, **given: Any) -> Iterator[Site]:
    listening = bound("127.0.0.1", 0, True)
    app = create_app(hall, **given)
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1, server_header=False)
    started = threading.Event()
    server = Server(config, hall, started.set)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    assert started.wait(10)
    site = Site(hall, f"http://127.0.0.1:{listening.getsockname()[1]}")
    try:
        yield site
    finally:
        site.client.close()
        server.should_exit = True
        thread.join(10)
        listening.close()
        assert not thread.is_alive()


class Ear:
    """Listens to what a page is told, and keeps every byte and header."""

    def __init__(self, site: Site, path: str) -> None:
        self.heard, self.headers, self.ready = b"", "", threading.Event()
        self._client = httpx.Client(base_url=site.base, timeout=httpx.Timeout(10, read=None))
        self._thread = threading.Thread(target=self._listen, args=(f"{path}/events",), daemon=True)
        self._thread.start()
        assert self.ready.wait(10)

    def _listen(self, path: str) -> None:
        with suppress(httpx.HTTPError), self._client.stream("GET", path) as answer:
            self.headers = str(answer.headers)
            for part in answer.iter_raw():
                self.heard += part
                if b"data:" in self.heard:
                    self.ready.set()
        self._client.close()
        self.ready.set()

    @property
    def lines(self) -> list[bytes]:
        return [line for line in self.heard.split(b"\n") if line.startswith((b"data", b"event"))]

    def until(self, count: int, seconds: float = 3.0) -> list[bytes]:
        """What was told, once it is so many lines."""
        end = time.monotonic() + seconds
        while len(self.lines) < count and time.monotonic() < end:
            time.sleep(0.005)
        return self.lines

    def ended(self, seconds: float = 3.0) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()
