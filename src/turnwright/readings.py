"""What can be read off a roll, each reading with its exact weight; and one of them drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from turnwright.dice import Pool, beating, weights
from turnwright.model import Roll, Rolled

Reading = tuple[Rolled, int]
"""What is read, and its whole-number weight."""


def readings(question: Roll) -> tuple[tuple[Reading, ...], int]:
    """Every reading of a roll with its whole-number weight, and all the weight together."""
    if question.against is None:
        return _totals(question.pool)
    yes, whole = beating(question.pool, question.against, question.ties)
    if not question.level:
        every: tuple[Reading, ...] = ((_YES, yes), (_NO, whole - yes))
    else:
        met = beating(question.pool, question.against, True)[0] - yes
        every = ((_YES, yes), (_NO, met), (_BELOW, whole - yes - met))
    return tuple([reading for reading in every if reading[1]]), whole


@lru_cache(maxsize=4096)
def _totals(pool: Pool) -> tuple[tuple[Reading, ...], int]:
    totals, whole = weights(pool)
    return tuple([(_rolled(total), weight) for total, weight in totals]), whole


_YES, _NO, _BELOW = Rolled(1), Rolled(0), Rolled(-1)
_TOTALS: dict[int, Rolled] = {}


def _rolled(total: int) -> Rolled:
    held = _TOTALS.get(total)
    if held is None:
        held = _TOTALS[total] = Rolled(total, total)
    return held


def drawn(question: Roll, draw: Callable[[], float]) -> Rolled:
    """One reading of a roll; `draw` gives a number from 0 up to 1."""
    read, whole = readings(question)
    at = draw() * whole
    for reading, weight in read:
        at -= weight
        if at < 0:
            return reading
    return read[-1][0]
