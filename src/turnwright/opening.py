"""Opens a scene file of whatever game it names."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace

from turnwright.documents import BadScene, Problem, read
from turnwright.documents.words import nearest
from turnwright.map_file import Fetch, whole
from turnwright.model import State
from turnwright.rules import find_game, games
from turnwright.space.uvtt import MOST_BYTES


class _Named(msgspec.Struct):
    """What a scene file of any game says first."""

    system: str


def load_scene(path: str | Path, *, system: str = "") -> State:
    """The first state of a scene file. Raises BadScene: file, line, key, what was expected and what is there."""
    return read_scene(scene_bytes(path), str(path), system=system, fetch=beside(path))


def scene_bytes(path: str | Path) -> bytes:
    """What a scene file says. Raises BadScene where it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise BadScene((Problem(str(path), 0, "", "a scene file", error.strerror or str(error)),)) from None


def beside(path: str | Path) -> Fetch:
    """Reads the files that lie in the folder of a scene, or below it."""
    folder = Path(path).parent

    def fetch(name: str) -> bytes:
        with (folder / name).open("rb") as file:
            return file.read(MOST_BYTES + 1)

    return fetch


def read_scene(text: str | bytes, source: str = "scene", *, system: str = "", fetch: Fetch | None = None) -> State:
    """The first state of a scene given as text; the game is the one that the scene names.

    `fetch` gives the map file that it may name.
    """
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"a scene is read from text; got {text!r}")
    text = whole(text, source, fetch).text
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
