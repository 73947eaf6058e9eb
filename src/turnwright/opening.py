"""Opens a scene file of whatever game it names."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace

from turnwright.documents import BadScene, Problem, read
from turnwright.documents.words import nearest
from turnwright.model import State
from turnwright.rules import find_game, games


class _Named(msgspec.Struct):
    """What a scene file of any game says first."""

    system: str


def load_scene(path: str | Path, *, system: str = "") -> State:
    """The first state of a scene file. Raises BadScene: file, line, key, what was expected and what is there."""
    source = str(path)
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise BadScene((Problem(source, 0, "", "a scene file", error.strerror or str(error)),)) from None
    return read_scene(text, source, system=system)


def read_scene(text: str | bytes, source: str = "scene", *, system: str = "") -> State:
    """The first state of a scene given as text; the game is the one that the scene names."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"a scene is read from text; got {text!r}")
    named = system or read(text, source, _Named).value.system
    try:
        game = find_game(named)
    except LookupError:
        known = ", ".join(sorted(games())) or "none"
        told = Problem(source, 1, "system", f"one of the games: {known}", repr(named), nearest(named, games()))
        raise BadScene((told,)) from None
    state = game.read_scene(text, source)
    written = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    return replace(state, scene=replace(state.scene, source=written))
