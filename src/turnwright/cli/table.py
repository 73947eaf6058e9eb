"""`table`: serves a live table to browsers, and prints the links by which people reach it."""

from __future__ import annotations

import importlib
import logging
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from turnwright.cli.errors import BadInput, readable
from turnwright.cli.play import Mode
from turnwright.cli.screen import Screen
from turnwright.model import GUIDE, SPECTATOR
from turnwright.opening import load_scene

PORT = 8765
NEEDS = (
    "PIL",
    "alembic",
    "fastapi",
    "jinja2",
    "multipart",
    "python_multipart",
    "segno",
    "sqlalchemy",
    "starlette",
    "uvicorn",
)


Scene = Annotated[
    Path | None, typer.Argument(metavar="SCENE", help="A scene file to open a table on; none for the lobby.")
]
Host = Annotated[str, typer.Option(help="Where to listen; 127.0.0.1 is for this machine only.")]
Port = Annotated[
    int | None, typer.Option(help=f"Where nothing else listens; {PORT}, or the next that is free, by itself.")
]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser on this machine.")]
Database = Annotated[
    str,
    typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://…; tables.db in your data folder by itself."),
]
Public = Annotated[
    str, typer.Option(metavar="URL", help="The address behind a proxy, as in https://example.org/table.")
]
Restore = Annotated[Path | None, typer.Option(metavar="FILE", help="Put a backup down as a new table.")]
Seed = Annotated[str, typer.Option(help="For the same dice every time; the scene's own, or a secret one.")]
HowStrict = Annotated[
    Mode, typer.Option(help="Refuse what is illegal, have the guide confirm every ruling, or only warn.")
]
Blind = Annotated[
    bool, typer.Option("--blind", help="Stop also where nobody could react, so that a stop tells nothing.")
]
Examples = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="The scenes of the lobby; those that come along by itself.")
]
Pace = Annotated[float, typer.Option(min=0.0, max=60.0, help="Seconds that a bot's deed stands before its next.")]
Noted = Annotated[bool, typer.Option("--log", help="Note every request on standard error, as lines of JSON.")]


def table(
    scene: Scene = None,
    host: Host = "0.0.0.0",
    port: Port = None,
    browser: Browser = True,
    db: Database = "",
    public: Public = "",
    restore: Restore = None,
    seed: Seed = "",
    mode: HowStrict = Mode.enforce,
    blind: Blind = False,
    examples: Examples = None,
    pace: Pace = 0.7,
    log: Noted = False,
) -> None:
    """Open a live table: the guide plays in a browser here, the players on their phones in the same network.

    Each seat has a link of its own; whoever has it sits there. Everything is kept on disk before anybody sees it,
    and the next start goes on where this one ended. Ctrl-C ends it.

    \b
    turnwright table examples/narateer/ambush.yaml
    turnwright table --host 127.0.0.1 --no-browser
    """
    if scene is not None and restore is not None:
        raise BadInput("give a scene or --restore, not both")
    if examples is not None and not examples.is_dir():
        raise BadInput(f"{examples}: there is no such folder")
    state = None if scene is None else load_scene(readable(scene))
    backup = None if restore is None else readable(restore).read_bytes()
    chosen: int | str | None = int(seed) if seed.removeprefix("-").isdecimal() else seed or None
    serving = _serving()
    serving.log_as_json(logging.INFO if log else logging.WARNING)
    try:
        serving.check_public(public)
        with (
            serving.bound(host, PORT if port is None else port, port is not None) as listening,
            closing(serving.hall_at(db, pace)) as hall,
        ):
            windows = "blind" if blind else "honest"
            live = serving.opened(hall, state, backup, scene, seed=chosen, mode=mode.value, windows=windows)
            started = partial(_started, serving, live=live, browser=browser)
            shown = examples or examples_folder()
            serving.serve(hall, listening, host=host, public=public, examples=shown, started=started)
    except (serving.CannotServe, serving.NoStore) as error:
        raise BadInput(str(error)) from None


def _serving() -> Any:
    """What serves, where it is installed. Raises BadInput."""
    try:
        return importlib.import_module("turnwright.web.serving")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in NEEDS:
            raise
        raise BadInput(
            f"the live table needs more than is installed here ({error.name}): pip install 'turnwright[table]'"
        ) from None


def examples_folder() -> Path | None:
    """The scenes that come along: beside the sources, or in the installed package."""
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "examples", here.parents[1] / "examples"):
        if folder.is_dir():
            return folder
    return None


def _started(serving: Any, served: Any, *, live: Any, browser: bool) -> None:
    """Say where everything is."""
    screen = Screen()
    screen.write((f"Lobby   {served.lobby}", ""))
    first = served.lobby
    if live is not None:
        first = served.guide_here(live)
        screen.write((f"Guide   {first}", ""))
        for seat in [seat for seat in live.seats if seat != GUIDE]:
            url = served.link(live, seat)
            screen.say("")
            screen.write((f"{live.name_of(seat)}   {url}", "bold"))
            if seat != SPECTATOR:
                print(serving.code_in_terminal(url), end="", flush=True)
    screen.say("")
    screen.say("Whoever has a link sits in its seat. Ctrl-C ends it; what was played is kept.")
    if browser:
        serving.open_browser(first)
