"""The lobby: open an example or a file, continue a table, restore one; and a table's links for the guide."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import segno
from fastapi import FastAPI, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import UploadFile

from turnwright.documents import BadScene
from turnwright.log import BadLog
from turnwright.map_file import Fetch, is_map
from turnwright.model import GUIDE, SPECTATOR
from turnwright.opening import beside, load_scene, scene_bytes
from turnwright.rules import games
from turnwright.table import Windows
from turnwright.web.guard import NOWHERE
from turnwright.web.hall import Hall
from turnwright.web.links import HOUSE
from turnwright.web.live import LiveTable
from turnwright.web.pictures import pictured, prepared
from turnwright.web.store import BadBackup, picture_in

MOST_SCENE = 2_000_000


class Example(NamedTuple):
    """A scene that lies ready."""

    path: str
    title: str
    system: str


class SeatLink(NamedTuple):
    """One link as the guide hands it out."""

    seat: str
    name: str
    url: str
    code: str
    """The QR code, as the path data of an SVG."""
    here: bool


def examples_in(folder: Path | None) -> tuple[Example, ...]:
    """The scenes of a folder, by game."""
    if folder is None or not folder.is_dir():
        return ()
    listed = [
        _example(path, path.relative_to(folder), path.stat().st_mtime) for path in sorted(folder.glob("*/*.yaml"))
    ]
    return tuple([example for example in listed if example is not None])


@lru_cache(500)
def _example(path: Path, name: Path, _changed: float) -> Example | None:
    """A scene by its name in the folder, read again when the file has changed."""
    try:
        state = load_scene(path)
    except BadScene:
        return None
    title = games()[state.scene.system].title or state.scene.system
    return Example(name.as_posix(), state.scene.title or path.stem, title)


def house_routes(app: FastAPI) -> None:
    def inside(request: Request, secret: str) -> Hall:
        hall: Hall = request.app.state.hall
        if not hall.links.is_house(secret):
            raise request.app.state.guard.missed(request)
        request.app.state.guard.admit(HOUSE)
        return hall

    @app.get("/house/{secret}")
    def lobby(request: Request, secret: str) -> HTMLResponse:
        return _lobby(request, inside(request, secret), secret)

    @app.post("/house/{secret}/open")
    async def opened(request: Request, secret: str) -> Response:
        hall = inside(request, secret)
        async with request.form(max_files=2, max_fields=10) as form:
            data, name, maps = b"", "", {}
            for file in (form.get("file"), form.get("map")):
                if not isinstance(file, UploadFile) or not file.filename:
                    continue
                if is_map(file.filename):
                    maps[file.filename.replace("\\", "/").rpartition("/")[2]] = await file.read()
                else:
                    data, name = await file.read(), file.filename
            wanted = str(form.get("example", ""))
            windows: Windows = "blind" if form.get("windows") == "blind" else "honest"
        return await run_in_threadpool(
            _opening, request, hall, secret, lambda: _opened(request, hall, data, name, wanted, maps, windows)
        )

    @app.post("/house/{secret}/continue")
    async def gone_on(request: Request, secret: str) -> Response:
        hall = inside(request, secret)
        async with request.form(max_files=0, max_fields=10) as form:
            name = str(form.get("table", ""))
        return await run_in_threadpool(_opening, request, hall, secret, lambda: hall.table(name), there=True)

    @app.get("/s/{token}/links")
    def links(request: Request, token: str) -> HTMLResponse:
        hall, live = _guided(request, token)
        held = links_of(request, hall, live)
        return _show(request, "links.html", live=live, token=token, links=held, guide=live.guide)

    @app.post("/s/{token}/links")
    async def renewed(request: Request, token: str) -> Response:
        hall, live = await run_in_threadpool(_guided, request, token)
        async with request.form(max_files=0, max_fields=10) as form:
            seat = str(form.get("seat", ""))
        if seat not in await run_in_threadpool(hall.look, live, lambda now: now.seats):
            raise HTTPException(400, "There is no such seat at this table.")
        fresh = await run_in_threadpool(hall.renew, live, seat)
        return RedirectResponse(_path(request, "s", fresh if seat == GUIDE else token, "links"), status_code=303)

    @app.get("/s/{token}/backup")
    def backup(request: Request, token: str) -> Response:
        hall, live = _guided(request, token)
        name = f'attachment; filename="turnwright-{live.id}.json"'
        data = hall.store.backup(live.id)
        return Response(data, media_type="application/json", headers={"Content-Disposition": name})


def _guided(request: Request, token: str) -> tuple[Hall, LiveTable]:
    from turnwright.web.app import seated

    found = seated(request, token)
    if found.seat != GUIDE:
        raise HTTPException(404, NOWHERE)
    return request.app.state.hall, found.live


def _lobby(request: Request, hall: Hall, secret: str, trouble: str = "", status: int = 200) -> HTMLResponse:
    examples = examples_in(request.app.state.examples)
    given = {"secret": secret, "examples": examples, "tables": hall.listed(), "trouble": trouble}
    return _show(request, "lobby.html", status, **given)


def _opening(
    request: Request, hall: Hall, secret: str, work: Callable[[], LiveTable], *, there: bool = False
) -> Response:
    """Open a table, and lead its guide to it, or first to the links; what cannot be opened is said in the lobby."""
    try:
        live = work()
    except (BadScene, BadLog, BadBackup, LookupError, ValueError) as error:
        return _lobby(request, hall, secret, trouble=str(error), status=400)
    token = hall.token(live, GUIDE)
    return RedirectResponse(_path(request, "s", token, *(() if there else ("links",))), status_code=303)


def _opened(
    request: Request,
    hall: Hall,
    data: bytes,
    name: str,
    example: str,
    maps: Mapping[str, bytes],
    windows: Windows,
) -> LiveTable:
    """A backup, a scene file, or an example. Raises BadScene, BadBackup, HTTPException."""
    if data.lstrip().startswith(b'{"turnwright_backup"'):
        return restored(hall, data)
    if name:
        if len(data) > MOST_SCENE:
            raise HTTPException(413, f"A scene file has at most {MOST_SCENE} bytes; this one has {len(data)}.")
        return opened(hall, data, name.replace("\\", "/").rpartition("/")[2], _among(maps), windows=windows)
    folder: Path | None = request.app.state.examples
    if folder is None or example not in {held.path for held in examples_in(folder)}:
        raise HTTPException(400, "Choose an example, or a file.")
    return opened(hall, scene_bytes(folder / example), example, beside(folder / example), windows=windows)


def opened(hall: Hall, text: bytes, source: str, fetch: Fetch | None, **how: Any) -> LiveTable:
    """A scene on a new table, with the picture of its map under it. Raises BadScene."""
    scene, picture = pictured(text, source, fetch)
    live = hall.open(scene, **how)
    return hall.lay(live, picture) if picture else live


def restored(hall: Hall, data: bytes) -> LiveTable:
    """A backup on a new table, with its picture. Raises BadBackup, BadScene."""
    picture = picture_in(data)
    live = hall.restore(data)
    grid = live.table.start.scene.grid
    if not picture or grid is None:
        return live
    return hall.lay(live, prepared(picture, grid.width, grid.height, "the backup"))


def _among(maps: Mapping[str, bytes]) -> Fetch:
    """The map files that were sent with a scene, by the last part of their names."""

    def fetch(name: str) -> bytes:
        found = maps.get(name.replace("\\", "/").rpartition("/")[2])
        if found is None:
            raise LookupError("send the map file together with the scene")
        return found

    return fetch


def links_of(request: Request, hall: Hall, live: LiveTable) -> tuple[SeatLink, ...]:
    """The link of every seat, with its QR code; never the guide's own code on a screen that others see."""
    here, found = hall.present(live), []
    for seat, name in hall.look(live, lambda now: [(held, now.name_of(held)) for held in now.seats]):
        url = _url(request, "s", hall.token(live, seat))
        found.append(SeatLink(seat, name, url, code_of(url), seat in here))
    return tuple(sorted(found, key=lambda link: (link.seat == GUIDE, link.seat == SPECTATOR)))


def code_of(url: str) -> str:
    """A QR code as SVG, to be put into a page."""
    out = io.BytesIO()
    segno.make(url, micro=False).save(out, kind="svg", xmldecl=False, svgns=True, scale=1, border=2, omitsize=True)
    return out.getvalue().decode()


def _url(request: Request, *parts: str) -> str:
    """An address as it is given to others."""
    base: str = request.app.state.public or str(request.base_url).rstrip("/")
    return "/".join([base, *parts])


def _path(request: Request, *parts: str) -> str:
    """An address for the browser that asks, by whichever name it reached us."""
    return "/".join([urlsplit(request.app.state.public).path, *parts])


def _show(request: Request, name: str, status: int = 200, **given: Any) -> HTMLResponse:
    from turnwright.web.app import show

    return show(request, name, status, **given)
