"""What stands before every request: how much, how often and how large; headers, logs without secrets, and counts."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

from fastapi import HTTPException, Request
from fastapi.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from turnwright.web.hall import Hall

log = logging.getLogger("turnwright.web")
MOST_BODY = 30_000_000
"""Bytes of one request that are read at most; a map with its picture is the largest thing that is sent."""
MOST_COMMAND = 100_000
BODY_SECONDS = 30.0
"""Within which a request has to be sent."""
NOWHERE = "This link leads nowhere. Ask for a new one."
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Allowance:
    """So many requests at once, and so many more each second."""

    def __init__(self, burst: float, each_second: float, clock: Callable[[], float], most: int = 10_000) -> None:
        self.burst, self.each_second, self.clock, self.most = burst, each_second, clock, most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, who: str) -> bool:
        """Whether one more is allowed."""
        with self._lock:
            now = self.clock()
            left, at = self._left.pop(who, (self.burst, now))
            left = min(self.burst, left + (now - at) * self.each_second)
            self._left[who] = (left - 1 if left >= 1 else left, now)
            if len(self._left) > self.most:
                self._left.popitem(last=False)
            return left >= 1


class Guard:
    """Admits requests, and counts what was done."""

    def __init__(
        self,
        *,
        burst: float = 120,
        each_second: float = 30,
        misses: float = 20,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seats = Allowance(burst, each_second, clock)
        self.strangers = Allowance(misses, misses / 60, clock)
        self.counts: Counter[tuple[str, str, int]] = Counter()
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._lock = threading.Lock()

    def admit(self, who: str) -> None:
        """Raises 429 for a seat that asks too often; each has an allowance of its own, wherever its devices are."""
        if not self.seats.take(who):
            raise HTTPException(429, "That was too much at once; wait a moment.", {"Retry-After": "1"})

    def missed(self, request: Request) -> HTTPException:
        """What is answered where a link leads nowhere: whoever tries many is told to wait, and others go on playing."""
        if self.strangers.take(request.client.host if request.client else ""):
            return HTTPException(404, NOWHERE)
        return HTTPException(429, "Too many links that lead nowhere; wait a minute.", {"Retry-After": "60"})

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        method = method if method in METHODS else "other"
        with self._lock:
            self.counts[route, method, status] += 1
            self.seconds[route] += seconds

    def metrics(self, hall: Hall) -> str:
        """Counts in the text format that Prometheus reads."""
        with self._lock:
            counts, seconds = sorted(self.counts.items()), sorted(self.seconds.items())
        lines = ["# TYPE turnwright_requests_total counter"]
        for (route, method, status), n in counts:
            lines.append(f'turnwright_requests_total{{route="{route}",method="{method}",status="{status}"}} {n}')
        lines.append("# TYPE turnwright_request_seconds_total counter")
        lines += [f'turnwright_request_seconds_total{{route="{r}"}} {s:.6f}' for r, s in seconds]
        lines += [f"# TYPE turnwright_{name} gauge\nturnwright_{name} {n}" for name, n in hall.counts().items()]
        return "\n".join(lines) + "\n"


class Bounded:
    """Refuses a body that is too large or too slow, sets the headers, and writes one line of the log for each request.

    Behind a proxy that cuts a prefix off the paths, it is put on again. What goes wrong inside is told in one line.
    """

    def __init__(self, app: ASGIApp, guard: Guard, prefix: str = "", body_seconds: float = BODY_SECONDS) -> None:
        self.app, self.guard, self.prefix, self.body_seconds = app, guard, prefix, body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self.prefix:
            scope["root_path"] = self.prefix
            if not scope["path"].startswith(f"{self.prefix}/"):
                scope["path"] = self.prefix + scope["path"]
        began = time.perf_counter()
        answer = _Answer(send, still=scope["path"].startswith(f"{self.prefix}/static/"))
        body = _Body(receive, MOST_COMMAND if scope["path"].endswith("/do") else MOST_BODY, self.body_seconds)
        try:
            await self.app(scope, body.receive, answer.send)
        except Exception as error:
            log.exception("a request failed", exc_info=error)
            if not answer.status:
                await PlainTextResponse(BROKEN, status_code=500)(scope, receive, answer.send)
        finally:
            seconds = time.perf_counter() - began
            route = getattr(scope.get("route"), "path", "other")
            self.guard.count(route, scope["method"], answer.status, seconds)
            state: dict[str, Any] = scope.get("state", {})
            told = {"route": route, "method": scope["method"], "status": answer.status, "ms": round(seconds * 1000, 1)}
            log.info("request", extra=told | {name: state[name] for name in ("table", "seat") if name in state})


BROKEN = "This is a mistake in Turnwright; it was noted. Nothing was changed.\n"


class _Body:
    """The body of a request, up to a size and for so long; after it only the end of the connection is waited for."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self._receive, self.most, self.until = receive, most, time.monotonic() + seconds
        self.read, self.whole = 0, False

    async def receive(self) -> Message:
        if self.whole:
            return await self._receive()
        try:
            async with asyncio.timeout(max(0.0, self.until - time.monotonic())):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, "That took too long to be sent.", {"Connection": "close"}) from None
        self.whole = not message.get("more_body", False)
        self.read += len(message.get("body", b""))
        if self.read > self.most:
            text = f"That is too large: at most {self.most} bytes are read."
            raise HTTPException(413, text, {"Connection": "close"})
        return message


class _Answer:
    """Sends an answer with the headers that every answer has."""

    def __init__(self, send: Send, still: bool) -> None:
        self._send, self.still = send, still
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            held = {name for name, _ in message["headers"]}
            more = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in held]
            if b"cache-control" not in held:
                more.append((b"cache-control", b"no-cache" if self.still else b"no-store"))
            message["headers"] = [*message["headers"], *more]
        await self._send(message)


class AsJson(logging.Formatter):
    """One line of JSON for each record. Links and texts of people are in none."""

    KEPT = ("route", "method", "status", "ms", "table", "seat", "why")

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {"at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"), "level": record.levelname.lower()}
        line |= {"what": record.getMessage()} | {n: getattr(record, n) for n in self.KEPT if hasattr(record, n)}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line)
