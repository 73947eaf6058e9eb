"""A scene to keep: its story as Markdown, and a file that steps through it, each with what one seat was told."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import Response

from turnwright.cli.chronicle import Past, markdown, past_of
from turnwright.web.hall import Hall
from turnwright.web.replay import replay_html

FORBIDDEN = re.compile(r"[^a-z0-9]+")
PATIENCE = 20.0
"""Seconds that a file is waited for while others are made."""
MOST_NAME = 60
"""Characters of a file's name."""


def export_routes(app: FastAPI) -> None:
    one = threading.Lock()
    """One file is made at a time, so that nobody who asks for many keeps the tables waiting."""

    @app.get("/s/{token}/story.md")
    def story(request: Request, token: str) -> Response:
        return _file(request, token, one, markdown, "text/markdown", "md")

    @app.get("/s/{token}/replay.html")
    def replay(request: Request, token: str) -> Response:
        return _file(request, token, one, replay_html, "text/html", "html")


def _file(
    request: Request, token: str, one: threading.Lock, write: Callable[[Past], str], kind: str, ends: str
) -> Response:
    """What the seat was told is taken out of the table at once, and written down while the table goes on."""
    from turnwright.web.app import seated

    hall: Hall = request.app.state.hall
    held = seated(request, token)
    past = hall.look(held.live, lambda live: past_of(live.table, held.seat, live.options.names))
    if not one.acquire(timeout=PATIENCE):
        text = "Others are keeping their scenes just now. Try again in a moment."
        raise HTTPException(503, text, {"Retry-After": "10"})
    try:
        text = write(past)
    finally:
        one.release()
    headers = {"Content-Disposition": f'attachment; filename="{file_name(past.known.scene.title)}.{ends}"'}
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)


def file_name(title: str) -> str:
    """A title as the name of a file: letters, digits and hyphens."""
    return FORBIDDEN.sub("-", title.lower()).strip("-")[:MOST_NAME].strip("-") or "scene"
