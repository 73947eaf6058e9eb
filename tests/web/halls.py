"""A hall on a fresh database, and commands as a page would send them."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from turnwright import load_scene
from turnwright.web.hall import Hall
from turnwright.web.links import Links
from turnwright.web.live import Command, LiveTable, Reply
from turnwright.web.store import Store, at_file

ROOT = Path(__file__).parents[2]
AMBUSH = ROOT / "examples" / "narateer" / "ambush.yaml"
KEY = b"a key that only this test has...."
ids = (f"c{n}" for n in itertools.count())


def hall(folder: Path, **given: Any) -> Hall:
    return Hall(Store(at_file(folder / "tables.db")), Links(KEY), **({"pace": 0.0} | given))


def opened(hall: Hall, path: Path = AMBUSH, seed: int = 7) -> LiveTable:
    live = hall.open(load_scene(path), seed=seed)
    settle(hall)
    return live


def settle(hall: Hall) -> None:
    """Wait until nothing is done any more without a person."""
    hall.wait()


def send(
    hall: Hall, live: LiveTable, seat: str, do: Any, /, *, seen: int | None = None, id: str = "", **said: Any
) -> Reply:
    version = live.version(seat) if seen is None else seen
    reply = hall.execute(live, seat, Command(id or next(ids), version, do, said))
    settle(hall)
    return reply
