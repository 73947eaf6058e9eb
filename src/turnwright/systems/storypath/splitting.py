"""The successes of one roll, divided between the components of a mixed action, and what each division achieves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import comb

from msgspec.structs import replace

from turnwright.engine import Play, ask
from turnwright.model import Choose, Chosen, Declaration, Option, Refusal, State, Struct
from turnwright.rules import Steps
from turnwright.systems.storypath.events import SplitMade
from turnwright.systems.storypath.rolls import PLACES, Pause, successes
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
    useful = dict.fromkeys(useful_splits(halves, more, total), True)
    shares = ranked_splits(halves, more, total, preferred(d, names), list(useful))
    options = [Option("/".join(map(str, s)), _words(halves, more, s, s in useful)) for s in shares]
    why = f"all {total} are given away, or none of them, in whole numbers"
    if len(options) < comb(total + len(names) - 1, len(names) - 1):
        why += ", and of so many ways only those that no other betters"
    refused = tuple([Refusal(SHARED, why, f"{n}/") for n in range(max(20, total + 2))])
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
    """The splits of which no other is better for one component and as good for all the rest.

    Each component gets the fewest successes for what it comes to, and what is left is too little to better any.
    """
    steps = [_steps(h, m, total) for h, m in zip(halves, more, strict=True)]
    following = [dict(pairwise(step)) for step in steps]
    found: list[tuple[int, ...]] = []
    for fewest in _within(steps, total):
        left = total - sum(fewest)
        if all(then.get(share, total + 1) - share > left for then, share in zip(following, fewest, strict=True)):
            found.append((fewest[0] + left, *fewest[1:]))
    return sorted(found, reverse=True)


def _steps(held: Half, more: int, total: int) -> list[int]:
    """The numbers of successes at which a component comes to more than with one less."""
    values = [worth(held, more, share) for share in range(total + 1)]
    return [0, *[share for share in range(1, total + 1) if values[share] > values[share - 1]]]


def _within(steps: list[list[int]], total: int) -> Iterator[tuple[int, ...]]:
    """One step of each component, together no more than all successes; the last takes the highest that it can."""
    first, *rest = steps
    if not rest:
        yield (max([share for share in first if share <= total]),)
        return
    for share in first:
        if share <= total:
            for others in _within(rest, total - share):
                yield (share, *others)


def preferred(d: Declaration, names: tuple[str, ...]) -> int | None:
    """Which rolled component matters more than the others, by its name or where it was said; None where all do."""
    said = d.option("prefer")
    if said in PREFERRED[1:] and said not in names:
        said = d.option(PLACES[PREFERRED.index(said) - 1])
    return names.index(said) if said in names else None


def ranked_splits(
    halves: list[Half], more: tuple[int, ...], total: int, first: int | None, useful: list[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """The splits, the one first that serves what is preferred: all, or one component before the others.

    Where there are very many, those that are of no use are left out.
    """
    order = list(range(len(halves)))
    if first is not None:
        order = [first, *[n for n in order if n != first]]

    def key(shares: tuple[int, ...]) -> tuple[int, ...]:
        values = [_guess(halves[n], more[n], shares[n]) for n in order]
        met = [int(value >= 0) for value in values]
        together = sum(met) if first is None else 0
        return (together, *met, *values)

    first_of_all, nothing = sorted(useful, key=key, reverse=True), (0,) * len(halves)
    if comb(total + len(halves) - 1, total) > MOST:
        return [*first_of_all[:MOST], nothing]
    listed = dict.fromkeys(useful)
    rest = [shares for shares in all_splits(len(halves), total) if shares not in listed]
    return [*first_of_all, *rest, nothing]


PREFERRED = ("both", "first", "second", "third")
GUESS = 2
MOST = 1000
"""So many splits are listed one by one."""


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
    attack = held.name == "attack"
    if held.need is None:
        return f"{given}: {'hits a Defense of' if attack else 'enough where it takes'} {total} or less"
    if total < held.need:
        return f"{given}: {'misses' if attack else 'fails'}, {held.need - total} short"
    over = f", {total - held.need} over" if total > held.need else ""
    return f"{given}: {'hits' if attack else 'succeeds'}{over}"
