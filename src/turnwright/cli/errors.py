"""What went wrong, said in a line or a few: bad input ends with 2, a refusal with 1, and a traceback is never shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from turnwright.cli.screen import warn
from turnwright.documents import BadScene
from turnwright.log import BadLog, Differs
from turnwright.model import GUIDE, SPECTATOR, Refused, State
from turnwright.odds import TooMany
from turnwright.rules import Game, find_game, games

DONE, REFUSED, BAD_INPUT = 0, 1, 2
TRACEBACK = "TURNWRIGHT_TRACEBACK"
"""The environment variable that shows where a mistake of ours happened."""


class BadInput(Exception):
    """Something that was typed, or a file, that cannot be used as it is."""


class Stopped(Exception):
    """What was asked for is possible and was not done; nothing was changed."""


def game_named(name: str) -> Game:
    """The game of that name. Raises BadInput naming those there are."""
    try:
        return find_game(name)
    except LookupError as error:
        raise BadInput(str(error)) from None


def only_game(name: str) -> Game:
    """The game of that name, or the only one there is. Raises BadInput."""
    if name:
        return game_named(name)
    if len(games()) == 1:
        return next(iter(games().values()))
    raise BadInput(f"say which game: {', '.join(sorted(games()))}")


def readable(path: Path) -> Path:
    """A file that is there. Raises BadInput."""
    if not path.exists():
        raise BadInput(f"{path}: there is no such file")
    if path.is_dir():
        raise BadInput(f"{path}: this is a folder")
    return path


def check_seat(state: State, seat: str) -> None:
    """Raises BadInput for a seat that is not at the table."""
    seats = [GUIDE, SPECTATOR, *(held.id for held in state.scene.seats)]
    if seat not in seats:
        raise BadInput(f"no seat is called {seat!r}; there are: {', '.join(seats)}")


@contextmanager
def told() -> Iterator[None]:
    """Every exception of a command as a message and an exit code."""
    try:
        yield
    except (typer.Exit, typer.Abort, KeyboardInterrupt):
        raise
    except BrokenPipeError:
        _nobody_reads()
    except (BadScene, BadLog, Refused, TooMany, BadInput, Stopped, OSError) as error:
        _say(error)
        raise typer.Exit(code_of(error)) from None


def code_of(error: Exception) -> int:
    """1 for what was refused or does not fit, 2 for what cannot be read."""
    return REFUSED if isinstance(error, (Refused, TooMany, Stopped, Differs)) else BAD_INPUT


def _say(error: Exception) -> None:
    if isinstance(error, Refused):
        warn("Refused:")
        for refusal in error.refusals:
            warn(f"  - {refusal.text}" + (f" [{refusal.rule}]" if refusal.rule else ""))
    elif isinstance(error, BadScene):
        for problem in error.problems:
            warn(str(problem))
    elif isinstance(error, OSError):
        warn(f"{error.filename or 'a file'}: {error.strerror or error}")
    else:
        warn(str(error))
    if isinstance(error, Differs):
        warn("--from-events takes what it stored from there on")


def run(app: typer.Typer) -> None:
    """The command line from start to end; ends the process."""
    # A name in the scene that the terminal cannot show is no reason to stop.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _nobody_reads()
    except KeyboardInterrupt:
        warn("")
        sys.exit(130)
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        warn(f"This is a mistake in Turnwright: {type(error).__name__}: {error}")
        warn(f"With {TRACEBACK}=1 it shows where. Please report it with the command and the scene.")
        sys.exit(REFUSED)


def _nobody_reads() -> None:
    """Whoever read what was printed has gone: nothing more is written, also not at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(DONE)
