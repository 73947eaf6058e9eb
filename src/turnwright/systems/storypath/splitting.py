"""The successes of one roll, divided between the components of a mixed action, and what each division achieves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from turnwright.engine import Play, ask
from turnwright.model import Choose, Chosen, Declaration, Option, Refusal, State, Struct
from turnwright.rules import Steps
from turnwright.systems.storypath.events import SplitMade
from turnwright.systems.storypath.rolls import Pause, successes
from turnwright.systems.storypath.sheet import character

SHARED = "storypath.mixed.split-successes"


class Half(Struct, frozen=True):
    """One component: what it is rolled with, and what it takes; None where the one who rolls cannot know that."""

    name: str
    label: str
    dice: int
    enhancement: int
    need: int | None
    useful: int
    """How many successes beyond what it takes can be put to use."""


Halved = Callable[[State, Declaration, str], Half]
"""A component of a declaration by its name, as far as whoever has such a state knows it."""


def split(
    play: Play,
    d: Declaration,
    names: tuple[str, ...],
    total: int,
    more: tuple[int, ...],
    needs: tuple[int, ...],
    half: Halved,
) -> Steps[tuple[int, ...]]:
    """The successes are divided once they are seen; what goes to one is not there for another.

    Rules: storypath.mixed.split-successes.
    """
    if not total:
        return (0,) * len(names)
    seat = character(play.state, d.actor).seat  # kept: who decides
    known = play.game.known

    def question() -> Choose:
        seen = known(play.state, seat)
        return _question(seen, d, names, [half(seen, d, name) for name in names], total, more, needs)

    given = yield from ask(question, Chosen)
    shares = tuple([int(part) for part in given.id.split("/")])
    play.emit(SplitMade(SHARED, d.actor, names, shares))
    return shares


def _question(
    known: State,
    d: Declaration,
    names: tuple[str, ...],
    whole: list[Half],
    total: int,
    more: tuple[int, ...],
    needs: tuple[int, ...],
) -> Choose:
    """Every split, the useful ones first and each with what it achieves, as far as the one who splits can know.

    Rules: storypath.mixed.split-successes.
    """
    who = character(known, d.actor)
    halves = [_seen(held, need) for held, need in zip(whole, needs, strict=True)]
    shares = ranked_splits(halves, more, total, preferred(d.option("prefer"), names))
    useful = useful_splits(halves, more, total)
    options = [Option("/".join(map(str, s)), _words(halves, more, s, s in useful)) for s in shares]
    refused = tuple(
        [Refusal(SHARED, f"all together they are {total}, whole and not below 0", f"{n}/") for n in range(20)]
    )
    prompt = f"{successes(total)} for {' and '.join(h.label for h in halves)}: how are they split?"
    return Choose(who.seat, who.id, prompt, SHARED, tuple(options), "split", refused, Pause(who.id))


def _seen(held: Half, need: int) -> Half:
    """A component with what it really takes, where that is no secret."""
    return held if held.need is None else replace(held, need=need)


def all_splits(count: int, total: int) -> Iterator[tuple[int, ...]]:
    """Every way to give all successes away."""
    if count == 1:
        yield (total,)
        return
    for first in range(total, -1, -1):
        for rest in all_splits(count - 1, total - first):
            yield (first, *rest)


def worth(held: Half, more: int, share: int) -> int:
    """What so many successes are worth to a component: -1 where it fails, else how much over can be used.

    One whose need is not known is worth what goes to it.
    """
    total = share + more
    if held.need is None:
        return share
    return -1 if total < held.need else min(total - held.need, held.useful)


def useful_splits(halves: list[Half], more: tuple[int, ...], total: int) -> list[tuple[int, ...]]:
    """The splits of which no other is better for one component and as good for all the rest."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for shares in all_splits(len(halves), total):
        found.setdefault(tuple([worth(h, m, s) for h, m, s in zip(halves, more, shares, strict=True)]), shares)
    return [
        shares
        for value, shares in found.items()
        if not any(other != value and all(a >= b for a, b in zip(other, value, strict=True)) for other in found)
    ]


def preferred(prefer: str, names: tuple[str, ...]) -> int | None:
    """Which component matters more than the others, by its place or its name; None where all do."""
    if prefer in names:
        return names.index(prefer)
    place = PREFERRED.index(prefer) - 1 if prefer in PREFERRED[1:] else len(names)
    return place if place < len(names) else None


def ranked_splits(halves: list[Half], more: tuple[int, ...], total: int, first: int | None) -> list[tuple[int, ...]]:
    """All splits, the one first that serves what is preferred: all, or one component before the others."""
    order = list(range(len(halves)))
    if first is not None:
        order = [first, *[n for n in order if n != first]]

    def key(shares: tuple[int, ...]) -> tuple[int, ...]:
        values = [_guess(halves[n], more[n], shares[n]) for n in order]
        met = [int(value >= 0) for value in values]
        together = sum(met) if first is None else 0
        return (together, *[part for pair in zip(met, values, strict=True) for part in pair])

    useful = useful_splits(halves, more, total)
    every = list(all_splits(len(halves), total))
    first_of_all = sorted(useful, key=key, reverse=True)
    rest = [shares for shares in every if shares not in useful]
    return [*first_of_all, *rest, (0,) * len(halves)]


PREFERRED = ("both", "first", "second", "third")
GUESS = 2


def _guess(held: Half, more: int, share: int) -> int:
    """As worth, with a guess in place of what is not known."""
    if held.need is not None:
        return worth(held, more, share)
    return -1 if share + more < GUESS else share + more - GUESS


def _words(halves: list[Half], more: tuple[int, ...], shares: tuple[int, ...], useful: bool) -> str:
    parts = [_achieved(h, m, s) for h, m, s in zip(halves, more, shares, strict=True)]
    return "; ".join(parts) + ("" if useful else " (no better)")


def _achieved(held: Half, more: int, share: int) -> str:
    """`the sword 2: hits`, `balance 0: fails, 1 short`."""
    total = share + more
    given = f"{held.label} {share}+{more}" if more else f"{held.label} {share}"
    if held.need is None:
        return f"{given}: hits a Defense of {total} or less"
    attack = held.name == "attack"
    if total < held.need:
        return f"{given}: {'misses' if attack else 'fails'}, {held.need - total} short"
    over = f", {total - held.need} over" if total > held.need else ""
    return f"{given}: {'hits' if attack else 'succeeds'}{over}"
