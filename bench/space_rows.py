"""The rows of the benchmark that concern routes."""

import random
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

from turnwright.space import Grid, Terrain, Wall, ground, reach

SIZE = 64
MIDDLE = (SIZE // 2, SIZE // 2)
RUN = 14
LEGEND = {"~": Terrain("mud", difficult=("mud",)), "^": Terrain("cliff", factor=3)}


def mixed_terrain() -> Grid:
    """A quarter Difficult, a twentieth to be climbed, a seventh blocked, and some walls."""
    random_marks = random.Random(7)
    rows = tuple("".join(random_marks.choices(".~^#", (55, 25, 5, 15), k=SIZE)) for _ in range(SIZE))
    walls = tuple(Wall((x, 20), (x, 21)) for x in range(0, SIZE, 3))
    x, y = MIDDLE
    cleared = rows[y][:x] + "." + rows[y][x + 1 :]
    return Grid((*rows[:y], cleared, *rows[y + 1 :]), LEGEND, walls)


def price(terrain: Terrain) -> int:
    return max(2 if terrain.difficult else 1, terrain.factor) + terrain.extra


def milliseconds(work: Callable[[], object], repeats: int = 200) -> float:
    taken: list[float] = []
    for _ in range(repeats):
        begun = perf_counter()
        work()
        taken.append(perf_counter() - begun)
    return round(median(taken) * 1000, 4)


def rows() -> list[dict[str, Any]]:
    """Each measured figure beside its budget, with the listing of the Spaces."""
    here = ground(mixed_terrain())
    return [
        {
            "name": "reachable Spaces, 64 x 64, mixed terrain",
            "value": milliseconds(lambda: reach(here, MIDDLE, SIZE * SIZE, price).cells()),
            "unit": "ms",
            "budget": 1.0,
        },
        {
            "name": "reachable Spaces within a Run",
            "value": milliseconds(lambda: reach(here, MIDDLE, RUN, price).cells()),
            "unit": "ms",
            "budget": 0.3,
        },
    ]
