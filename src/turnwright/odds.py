"""Exact odds of the very action that would be played, by giving its rolls every reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TypeVar

from turnwright.branching import CAME, Holds, TooMany, Walk
from turnwright.engine import Play
from turnwright.model import ActorId, Answer, Declaration, Outcome, State
from turnwright.readings import readings
from turnwright.rules import Game
from turnwright.running import Pending, Run
from turnwright.simulate import Choice, PlayedOut, answer_by_draw, plain_choice, play_out, run_through

LIMIT = 20_000
K = TypeVar("K", str, int, tuple[str, ...])


class Odds(Mapping[Outcome, Fraction]):
    """Every outcome of one action with its exact chance, and what was assumed for what is not known.

    `wanted` are the outcomes that are a success for whoever acts, `branches` how many ways were followed.
    With `sampled` above 0 it is an estimate from that many plays.
    """

    def __init__(
        self,
        chances: dict[Outcome, Fraction],
        assumptions: tuple[str, ...] = (),
        sampled: int = 0,
        wanted: Iterable[Outcome] = (),
        branches: int = 0,
    ) -> None:
        self._chances = chances
        self.assumptions = assumptions
        self.sampled = sampled
        self.wanted = tuple(wanted)
        self.branches = branches

    def __getitem__(self, outcome: Outcome) -> Fraction:
        return self._chances[outcome]

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    def chance(self, holds: Callable[[Outcome], bool]) -> Fraction:
        """The chance that something holds of the outcome."""
        return sum((chance for outcome, chance in self._chances.items() if holds(outcome)), Fraction(0))

    def assuming(self, *texts: str) -> Odds:
        """The same, with more that was assumed for it."""
        return Odds(self._chances, (*self.assumptions, *texts), self.sampled, self.wanted, self.branches)

    @property
    def success(self) -> Fraction:
        """The chance that whoever acts gets what the action is for."""
        return sum((self._chances[outcome] for outcome in self.wanted), Fraction(0))

    @property
    def came(self) -> Fraction:
        """The chance that what was waited for with `until` comes about."""
        return self.chance(lambda outcome: outcome.result == CAME)

    def results(self) -> dict[str, Fraction]:
        """The chance of each result, whoever it concerns."""
        return self._by(lambda outcome: outcome.result)

    def joint(self) -> dict[tuple[ActorId, ...], Fraction]:
        """The chance that it concerns exactly these: several who face one roll are not independent of each other."""
        return self._by(lambda outcome: tuple(sorted(outcome.who)))

    def marginals(self) -> dict[ActorId, Fraction]:
        """For everybody whom it can concern the chance that it does, whatever happens to the others."""
        everybody = dict.fromkeys(actor for outcome in self._chances for actor in outcome.who)
        return {actor: self.chance(lambda outcome, actor=actor: actor in outcome.who) for actor in sorted(everybody)}  # type: ignore[misc]

    def amounts(self, of: ActorId | None = None) -> dict[int, Fraction]:
        """The chance of each amount, such as Wounds; with `of` what falls on that actor alone."""
        return self._by(lambda outcome: outcome.amount if of is None or of in outcome.who else 0)

    def mean(self, of: ActorId | None = None) -> Fraction:
        """The amount to be expected."""
        return sum((amount * chance for amount, chance in self.amounts(of).items()), Fraction(0))

    def ranked(self) -> list[tuple[Outcome, Fraction]]:
        """The outcomes, likeliest first."""
        return sorted(self._chances.items(), key=lambda pair: (-pair[1], pair[0].result, pair[0].who, pair[0].amount))

    def _by(self, key: Callable[[Outcome], K]) -> dict[K, Fraction]:
        found: dict[K, Fraction] = {}
        for outcome, chance in self._chances.items():
            found[key(outcome)] = found.get(key(outcome), Fraction(0)) + chance
        return dict(sorted(found.items()))

    def __repr__(self) -> str:
        listed = ", ".join(f"{in_words(outcome)} {chance}" for outcome, chance in self.ranked())
        about = f", estimated from {self.sampled} plays" if self.sampled else ""
        return f"<Odds: {listed}{about}>"


def in_words(outcome: Outcome) -> str:
    """`hit guard (2)`."""
    who = f" {', '.join(outcome.who)}" if outcome.who else ""
    return f"{outcome.result}{who}" + (f" ({outcome.amount})" if outcome.amount > 1 else "")


def percent(chance: Fraction, digits: int = 0) -> str:
    """A chance as `42 %`; what can happen is never 0 %, and what can fail never 100 %."""
    least = Fraction(1, 10**digits)
    shown = round(chance * 100 / least) * least
    if shown <= 0 < chance:
        return f"<{float(least):.{digits}f} %"
    if shown >= 100 > chance * 100:
        return f">{float(100 - least):.{digits}f} %"
    return f"{float(shown):.{digits}f} %"


def odds(
    game: Game,
    state: State,
    d: Declaration,
    *,
    choice: Choice = plain_choice,
    limit: int = LIMIT,
    sample: int = 0,
    draw: Callable[[], float] | None = None,
    seed: int = 0,
    assumptions: tuple[str, ...] = (),
    until: Holds | None = None,
    interjected: tuple[Declaration, ...] = (),
) -> Odds:
    """The exact chance of every outcome of a declaration; `choice` answers what is no roll.

    Past `limit` branches it raises TooMany; with `sample` it then gives an estimate from that many plays that says so.
    `until` ends a branch at the first event after which it holds. `interjected` is done, in this order, while the
    commitment is asked for; it raises Refused where there is no time for it.
    """
    from random import Random  # the odds themselves draw nothing

    walk = Walk(game, choice, limit, until, interjected)
    try:
        found, sampled = walk.segment(state, d, False), 0
    except TooMany:
        if not sample:
            raise
        found, sampled = walk.sampled(state, d, sample, draw or Random(seed).random), sample
    return Odds(found, assumptions, sampled, _wanted(game, state, d, found), walk.leaves)


def odds_from_here(
    game: Game,
    pending: Pending,
    start: Callable[[State], Play],
    answers: Mapping[int, Answer],
    *,
    choice: Choice = plain_choice,
    limit: int = LIMIT,
) -> Odds:
    """The odds of an action that is under way, with these answers to the questions that are open, by their place."""
    walk = Walk(game, choice, limit)
    found = walk.resumed(start, Run.again(start(pending.base), pending), answers)
    return Odds(found, (), 0, _wanted(game, pending.base, pending.declaration, found), walk.leaves)


def _wanted(game: Game, state: State, d: Declaration, found: Iterable[Outcome]) -> Iterator[Outcome]:
    for outcome in found:
        action = game.actions.get(outcome.action)
        if action is not None and action.wanted(state, d, outcome):
            yield outcome


__all__ = [
    "Odds",
    "Pending",
    "PlayedOut",
    "TooMany",
    "answer_by_draw",
    "odds",
    "percent",
    "plain_choice",
    "play_out",
    "readings",
    "run_through",
]
