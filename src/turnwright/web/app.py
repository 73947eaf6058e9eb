"""The web application: links lead to seats, commands are carried out, and each seat's pages are made on the server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from anyio import to_thread
from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from starlette.exceptions import HTTPException as StarletteHTTPException

from turnwright.log import BadLog
from turnwright.model import GUIDE, Refusal, Refused, SeatId, enc_hook
from turnwright.web import programs, views
from turnwright.web.editor import editor_routes
from turnwright.web.exports import export_routes
from turnwright.web.forms import read_form, read_json
from turnwright.web.guard import BODY_SECONDS, NOWHERE, Bounded, Guard
from turnwright.web.hall import CLOSED, RENEWED, Crowded, Hall
from turnwright.web.house import house_routes
from turnwright.web.links import is_token
from turnwright.web.live import Command, Gone, LiveTable, Reply
from turnwright.web.maps import map_routes
from turnwright.web.rules import rule_routes
from turnwright.web.store import Conflict, NoStore

HERE = Path(__file__).parent
MOST_FIELDS = 300
THREADS = 100
"""Requests that are worked on at once: those that wait for one busy table keep no other waiting."""
MOST_FIND = 100
"""Characters that are looked for in a story."""
STREAM = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
HEARTBEAT = 15.0
"""Seconds between signs of life to a page that listens."""
STATUS = {"": 200, "REFUSED": 422, "STALE": 409, "PAUSED": 423, "OVER": 410, "NOT_YOURS": 403, "BAD_COMMAND": 400}
log = logging.getLogger("turnwright.table")


class Seated(NamedTuple):
    """A request by somebody who holds the link of a seat."""

    live: LiveTable
    seat: SeatId
    token: str


def seated(request: Request, token: str) -> Seated:
    """Whose link it is. Anything else is told the same: there is nothing here."""
    hall: Hall = request.app.state.hall
    guard: Guard = request.app.state.guard
    found = None
    try:
        found = hall.find(token) if is_token(token) else None
    except LookupError:
        pass
    except BadLog as error:
        log.error("a table cannot be read", extra={"why": str(error)})
        raise HTTPException(503, "This table cannot be read. Ask whoever runs it to look into the log.") from None
    if found is None:
        raise guard.missed(request)
    guard.admit(f"{found[0].id} {found[1]}")
    request.state.seat, request.state.table = found[1], found[0].id
    return Seated(*found, token)


Seat = Annotated[Seated, Depends(seated)]


def create_app(
    hall: Hall,
    *,
    guard: Guard | None = None,
    examples: Path | None = None,
    public: str = "",
    body_seconds: float = BODY_SECONDS,
) -> FastAPI:
    """The application on a hall of tables. `public` is the address by which people reach it, path prefix included."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        yield
        await asyncio.to_thread(hall.close)

    prefix = urlsplit(public).path.rstrip("/")
    app = FastAPI(title="Turnwright", lifespan=lifespan, openapi_url=None)
    app.state.hall, app.state.guard, app.state.examples = hall, guard or Guard(), examples
    app.state.public = public.rstrip("/")
    app.state.pages = _pages(prefix)
    app.add_middleware(Bounded, guard=app.state.guard, prefix=prefix, body_seconds=body_seconds)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    _seat_routes(app)
    house_routes(app)
    rule_routes(app)
    editor_routes(app)
    map_routes(app)
    export_routes(app)
    _care_routes(app)
    _errors(app)
    return app


def _pages(prefix: str) -> Jinja2Templates:
    pages = Jinja2Templates(directory=HERE / "pages")
    pages.env.autoescape = True
    pages.env.trim_blocks = pages.env.lstrip_blocks = True
    pages.env.globals["prefix"] = prefix.rstrip("/")
    return pages


def show(request: Request, name: str, status: int = 200, **given: Any) -> HTMLResponse:
    """A page, or a part of one."""
    pages: Jinja2Templates = request.app.state.pages
    return pages.TemplateResponse(request, name, given, status_code=status)


# -- a seat's page


def _seat_routes(app: FastAPI) -> None:
    @app.get("/s/{token}")
    def whole(request: Request, seat: Seat) -> HTMLResponse:
        return _page(request, seat, "table.html")

    @app.get("/s/{token}/view")
    def part(request: Request, seat: Seat) -> HTMLResponse:
        return _page(request, seat, "scene.html")

    @app.get("/s/{token}/view.json")
    def data(request: Request, seat: Seat) -> Response:
        return as_json(request, seat, programs.view)

    @app.get("/s/{token}/offers.json")
    def offers(request: Request, seat: Seat, actor: str = "") -> Response:
        return as_json(request, seat, lambda live, who: programs.offers(live, who, actor))

    @app.post("/s/{token}/odds")
    async def odds(request: Request, seat: Seat) -> Response:
        body = await request.body()
        return await run_in_threadpool(as_json, request, seat, lambda live, who: programs.odds(live, who, body))

    @app.post("/s/{token}/do")
    async def do(request: Request, seat: Seat) -> Response:
        return await _done(request, seat)

    @app.get("/s/{token}/events")
    async def events(request: Request, seat: Seat) -> StreamingResponse:
        return StreamingResponse(_told(request, seat), media_type="text/event-stream", headers=STREAM)

    @app.get("/s/{token}/story")
    def story(request: Request, seat: Seat, find: str = "") -> HTMLResponse:
        return _page(request, seat, "story.html", lines=True, find=" ".join(find[:MOST_FIND].split()))


def _page(
    request: Request, seat: Seated, name: str, *, lines: bool = False, seen: int | None = None, **given: Any
) -> HTMLResponse:
    """A page of a seat; what it shows is read at once, and written after. `seen` lines of the story are known to it."""
    hall: Hall = request.app.state.hall

    here = hall.present(seat.live) if seat.seat == GUIDE else ()

    def read(live: LiveTable) -> dict[str, Any]:
        told = {"lines": views.story_of(live, seat.seat)} if lines else {}
        return {"page": views.page(live, seat.seat, here=here, seen=seen), **told}

    return show(request, name, **hall.look(seat.live, read), token=seat.token, **given)


def as_json(request: Request, seat: Seated, read: Callable[[LiveTable, SeatId], Any]) -> Response:
    """What a program is told. Raises HTTPException for what it may not or cannot ask."""
    hall: Hall = request.app.state.hall
    try:
        found = hall.look(seat.live, lambda live: read(live, seat.seat))
    except Refused as error:
        body = {"refusals": [msgspec.to_builtins(refusal) for refusal in error.refusals]}
        return _json(body, 403 if any(r.code == "NOT_YOURS" for r in error.refusals) else 422)
    return _json(found)


def _json(value: Any, status: int = 200, headers: Any = None) -> Response:
    data = msgspec.json.encode(value, enc_hook=enc_hook)
    return Response(data, status_code=status, media_type="application/json", headers=headers)


async def _done(request: Request, seat: Seated) -> Response:
    """Carry out a command; a program gets the reply as JSON, a page what it shows now."""
    if request.headers.get("content-type", "").startswith("application/json"):
        body = await request.body()
        return await run_in_threadpool(_carried_out, request, seat, lambda _: read_json(body), True, "")
    async with request.form(max_files=0, max_fields=MOST_FIELDS) as form:
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
    return await run_in_threadpool(
        _carried_out, request, seat, lambda live: read_form(live, seat.seat, fields), False, fields.get("seen", "")
    )


def _carried_out(
    request: Request, seat: Seated, read: Callable[[LiveTable], Command], program: bool, seen: str
) -> Response:
    hall: Hall = request.app.state.hall
    try:
        reply = hall.execute(seat.live, seat.seat, hall.look(seat.live, read))
        status = STATUS[reply.code]
    except Refused as error:
        reply, status = _unread(hall, seat, "BAD_COMMAND", *error.refusals), 400
    except (NoStore, Conflict, Gone) as error:
        log.error("a command was not kept", extra={"table": seat.live.id, "why": str(error)})
        text = "this could not be written down, and so it was not done; try again in a moment"
        reply, status = _unread(hall, seat, "NOT_KEPT", Refusal("", text, "NOT_KEPT")), 503
    except Exception as error:
        log.exception("a command failed", exc_info=error, extra={"table": seat.live.id})
        text = "this is a mistake in Turnwright; it was noted, and nothing was done"
        reply, status = _unread(hall, seat, "BROKEN", Refusal("", text, "BROKEN")), 500
    if program:
        return _json(reply, status)
    count = int(seen) if reply.code == "STALE" and seen.isdecimal() and len(seen) < 10 else None
    return _page(request, seat, "scene.html", seen=count, reply=reply, status=status)


def _unread(hall: Hall, seat: Seated, code: Any, *refusals: Refusal) -> Reply:
    """The reply to a command that did not come to be one of the table's."""
    return Reply(False, hall.look(seat.live, lambda live: live.version(seat.seat)), code, refusals)


async def _told(request: Request, seat: Seated) -> AsyncIterator[bytes]:
    """A line for every change of what the seat sees: the version, and nothing of what it is."""
    hall: Hall = request.app.state.hall
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[int, int]] = asyncio.Queue()

    def told(version: int, notices: int) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, (version, notices))

    try:
        one = await run_in_threadpool(hall.join, seat.live, seat.seat, told)
    except Crowded:
        yield b"event: crowded\ndata: {}\n\n"
        return
    try:
        if await run_in_threadpool(hall.store.seat_of, seat.token) is None:
            queue.put_nowait((RENEWED, 0))  # the link was renewed just before we began to listen
        yield b"retry: 1000\n\n" + _line(one.last)
        while True:
            news = await _newest(queue)
            if news is None:
                yield b": still here\n\n"
                continue
            if news[0] != CLOSED:
                yield _line(news)
            if news[0] < 0:
                return
    finally:
        hall.leave(one)


async def _newest(queue: asyncio.Queue[tuple[int, int]]) -> tuple[int, int] | None:
    """The last that was told; None where nothing was for a while. That a link leads nowhere is never skipped."""
    try:
        news = await asyncio.wait_for(queue.get(), HEARTBEAT)
    except TimeoutError:
        return None
    while news[0] >= 0 and not queue.empty():
        news = queue.get_nowait()
    return news


def _line(news: tuple[int, int]) -> bytes:
    if news[0] < 0:
        return b"event: renewed\ndata: {}\n\n"
    return f'data: {{"version": {news[0]}, "notices": {news[1]}}}\n\n'.encode()


# -- looking after the process


def _care_routes(app: FastAPI) -> None:
    @app.get("/")
    def door(request: Request) -> HTMLResponse:
        return show(request, "door.html")

    @app.get("/healthz")
    def health(request: Request) -> Response:
        hall: Hall = request.app.state.hall
        try:
            hall.store.check()
        except NoStore:
            return PlainTextResponse("the database does not answer\n", status_code=503)
        return PlainTextResponse("ok\n")

    @app.get("/metrics")
    def metrics(request: Request) -> Response:
        """For whoever looks after the process: counts would tell players what others do."""
        hall: Hall = request.app.state.hall
        guard: Guard = request.app.state.guard
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hall.links.is_house(given.strip()):
            raise guard.missed(request)
        return PlainTextResponse(guard.metrics(hall), media_type="text/plain; version=0.0.4")


def _errors(app: FastAPI) -> None:
    @app.exception_handler(StarletteHTTPException)
    async def told(request: Request, error: StarletteHTTPException) -> Response:
        text = NOWHERE if error.status_code == 404 else str(error.detail)
        if "application/json" in (request.headers.get("accept", "") + request.headers.get("content-type", "")):
            return _json({"error": text}, error.status_code, error.headers)
        page = show(request, "error.html", status=error.status_code, text=text, code=error.status_code)
        page.headers.update(error.headers or {})
        return page

    @app.exception_handler(RequestValidationError)
    async def unread(request: Request, error: RequestValidationError) -> Response:
        return await told(request, StarletteHTTPException(400, "This request cannot be read."))

    @app.exception_handler(NoStore)
    async def away(request: Request, error: NoStore) -> Response:
        log.error("the database does not answer", extra={"why": str(error)})
        text = "The database does not answer. Try again in a moment."
        return await told(request, StarletteHTTPException(503, text, {"Retry-After": "2"}))
