"""Stated relations: where one is toward others and things in words, and what stands between places. No distances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

HOWS = ("near", "far", "behind", "in", "on", "above", "below", "past")
"""How somebody can stand to somebody or something."""

MUTUAL = ("near", "far")
"""What holds both ways."""

COVER = ("behind",)
"""Where something stands between one and whoever looks."""

Pair = tuple[str, str]


def sentence(who: str, how: str, what: str) -> str:
    """A stated relation in words: `Selka is near the door`."""
    return f"{who} is {'far from' if how == 'far' else how} {what}"


def parted(barriers: Iterable[Pair], a: str, b: str) -> bool:
    """Whether a barrier was stated between two places."""
    return a != b and any({a, b} == {one, two} for one, two in barriers)


def chain(passages: Sequence[Pair], a: str, b: str) -> tuple[str, ...] | None:
    """The shortest chain of stated ways from one place to another, without the first; None where there is none."""
    routes: dict[str, tuple[str, ...]] = {a: ()}
    waiting = [a]
    while waiting:
        here = waiting.pop(0)
        if here == b:
            return routes[here]
        for one, two in passages:
            there = two if here == one else one if here == two else ""
            if there and there not in routes:
                routes[there] = (*routes[here], there)
                waiting.append(there)
    return None
