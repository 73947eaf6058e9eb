"""Exact odds of the very action that would be played, by giving its rolls every reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TypeVar

from turnwright.branching import CAME, CANNOT, End, Holds, Numbers, TooMany, Walk
from turnwright.engine import Play
from turnwright.model import ActorId, Answer, Declaration, Outcome, Refused, State
from turnwright.readings import readings
from turnwright.rules import Game, Measure
from turnwright.running import Pending, Run
from turnwright.simulate import Choice, PlayedOut, answer_by_draw, plain_choice, play_out, run_through

LIMIT = 20_000
K = TypeVar("K", str, int, tuple[str, ...])


class Distribution(Mapping[int, Fraction]):
    """A number that depends on dice: each value with its exact chance, the smallest first.

    `yes` says that it only tells whether: 1 where it holds, 0 where it does not.
    """

    def __init__(self, chances: Mapping[int, Fraction], yes: bool = False) -> None:
        self._chances = dict(sorted(chances.items()))
        self.yes = yes

    def __getitem__(self, value: int) -> Fraction:
        return self._chances[value]

    def __iter__(self) -> Iterator[int]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    @property
    def mean(self) -> Fraction:
        """What is to be expected."""
        return sum((value * chance for value, chance in self._chances.items()), Fraction(0))

    def at_least(self, least: int) -> Fraction:
        """The chance that it is so much or more."""
        return sum((chance for value, chance in self._chances.items() if value >= least), Fraction(0))

    def __repr__(self) -> str:
        return f"<Distribution: {', '.join(f'{value} {chance}' for value, chance in self._chances.items())}>"


class Odds(Mapping[Outcome, Fraction]):
    """Every outcome of one action with its exact chance, and what was assumed for what is not known.

    `wanted` are the outcomes that are a success for whoever acts, `branches` how many ways were followed.
    `numbers` are those that the game finds worth foretelling, by what they are, such as the HP that somebody loses.
    With `sampled` above 0 it is an estimate from that many plays.
    """

    def __init__(
        self,
        chances: dict[Outcome, Fraction],
        assumptions: tuple[str, ...] = (),
        sampled: int = 0,
        wanted: Iterable[Outcome] = (),
        branches: int = 0,
        numbers: Mapping[str, Distribution] | None = None,
    ) -> None:
        self._chances = chances
        self.numbers = dict(numbers or {})
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
        return Odds(self._chances, (*self.assumptions, *texts), self.sampled, self.wanted, self.branches, self.numbers)

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

    def distribution(self, number: Callable[[Outcome], int]) -> Distribution:
        """A number that can be read off the outcome, with the chance of each of its values."""
        return Distribution(self._by(number))

    def amounts(self, of: ActorId | None = None) -> Distribution:
        """The chance of each amount, such as Wounds or damage; with `of` what falls on that actor alone."""
        return self.distribution(lambda outcome: outcome.amount if of is None or of in outcome.who else 0)

    def mean(self, of: ActorId | None = None) -> Fraction:
        """The amount to be expected."""
        return self.amounts(of).mean

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
    after: tuple[Declaration, ...] = (),
) -> Odds:
    """The exact chance of every outcome of a declaration; `choice` answers what is no roll.

    Past `limit` branches it raises TooMany; with `sample` it then gives an estimate from that many plays that says so.
    `until` ends a branch at the first event after which it holds. `interjected` is done, in this order, while the
    commitment is asked for; it raises Refused where there is no time for it. `after` is declared first, in this order;
    where it always leaves no way to do the rest, Refused is raised with the reasons.
    """
    from random import Random  # the odds themselves draw nothing

    measures = tuple(game.measures(state))
    walk = Walk(game, choice, limit, until, interjected, _numbers(state, measures))
    steps = (*after, d)
    try:
        ends, sampled = walk.through(state, steps), 0
    except TooMany:
        if not sample:
            raise
        ends, sampled = walk.sampled(state, steps, sample, draw or Random(seed).random), sample
    if after and all(outcome.result == CANNOT for outcome, _ in ends):
        raise Refused(*walk.against)
    return _read(game, state, d, ends, measures, walk.leaves, assumptions, sampled)


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
    measures = tuple(game.measures(pending.base))
    walk = Walk(game, choice, limit, numbers=_numbers(pending.base, measures))
    ends = walk.resumed(start, Run.again(start(pending.base), pending), answers)
    return _read(game, pending.base, pending.declaration, ends, measures, walk.leaves)


def _numbers(before: State, measures: tuple[Measure, ...]) -> Numbers:
    """What is read off a state at the end of a branch; nothing where nobody has changed."""
    same = tuple([measure.of(before) for measure in measures])

    def numbers(after: State) -> tuple[int, ...]:
        if after.actors is before.actors:
            return same
        changed = [who for who, actor in after.actors.items() if actor is not before.actors.get(who)]
        return tuple(
            [
                measure.of(after) if not measure.who or measure.who in changed else was
                for measure, was in zip(measures, same, strict=True)
            ]
        )

    return numbers


def _read(
    game: Game,
    state: State,
    d: Declaration,
    ends: Mapping[End, Fraction],
    measures: tuple[Measure, ...],
    leaves: int,
    assumptions: tuple[str, ...] = (),
    sampled: int = 0,
) -> Odds:
    """The ends of all branches as odds: by outcome, and number by number; a number that is always 0 is left out."""
    found: dict[Outcome, Fraction] = {}
    for (outcome, _), chance in ends.items():
        found[outcome] = found.get(outcome, Fraction(0)) + chance
    numbers: dict[str, Distribution] = {}
    for index, measure in enumerate(measures):
        chances: dict[int, Fraction] = {}
        for (_, values), chance in ends.items():
            chances[values[index]] = chances.get(values[index], Fraction(0)) + chance
        if any(chances):
            again = f" ({index})" if measure.name in numbers else ""  # two of one name
            numbers[measure.name + again] = Distribution(chances, measure.yes)
    return Odds(found, assumptions, sampled, _wanted(game, state, d, found), leaves, numbers)


def _wanted(game: Game, state: State, d: Declaration, found: Iterable[Outcome]) -> Iterator[Outcome]:
    for outcome in found:
        action = game.actions.get(outcome.action)
        if action is not None and action.wanted(state, d, outcome):
            yield outcome


__all__ = [
    "Distribution",
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
