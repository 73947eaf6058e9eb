"""Exact odds of the very action that would be played, by giving its rolls every reading; and fast simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import lcm, prod

import msgspec

from turnwright.dice import beating, weights
from turnwright.engine import Pending, Play, act, settle
from turnwright.events import Event
from turnwright.model import Answer, Declaration, Outcome, Question, Roll, Rolled, State
from turnwright.policy import Policy, plain_answer
from turnwright.rules import Game, Settled, Steps

LIMIT = 20_000
Answers = tuple[Answer, ...]
Choice = Callable[[State, Question], Answer]


class TooMany(Exception):
    """Exact odds would need more branches than the limit allows; `count` is how many were taken so far."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(f"more than {count} branches; raise the limit, or ask for a sample")


class Odds(Mapping[Outcome, Fraction]):
    """Every outcome of one action with its exact chance, and what was assumed for what is not known.

    With `sampled` above 0 it is an estimate from that many plays.
    """

    def __init__(self, chances: dict[Outcome, Fraction], assumptions: tuple[str, ...] = (), sampled: int = 0) -> None:
        self._chances = chances
        self.assumptions = assumptions
        self.sampled = sampled

    def __getitem__(self, outcome: Outcome) -> Fraction:
        return self._chances[outcome]

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    def chance(self, holds: Callable[[Outcome], bool]) -> Fraction:
        """The chance that something holds of the outcome."""
        return sum((chance for outcome, chance in self._chances.items() if holds(outcome)), Fraction(0))

    def __repr__(self) -> str:
        listed = ", ".join(f"{o.result} {' '.join(o.who)}: {c}" for o, c in self._chances.items())
        return f"<Odds {listed}>"


def plain_choice(state: State, question: Question) -> Answer:
    return plain_answer(question)


def readings(question: Roll) -> tuple[tuple[tuple[Rolled, int], ...], int]:
    """Every reading of a roll with its whole-number weight, and all the weight together."""
    if question.against is None:
        totals, whole = weights(question.pool)
        return tuple((_rolled(total), weight) for total, weight in totals), whole
    yes, whole = beating(question.pool, question.against, question.ties)
    every: tuple[tuple[Rolled, int], ...]
    if not question.level:
        every = ((_YES, yes), (_NO, whole - yes))
    else:
        level = beating(question.pool, question.against, True)[0] - yes
        every = ((_YES, yes), (_NO, level), (_BELOW, whole - yes - level))
    return tuple(reading for reading in every if reading[1]), whole


_YES, _NO, _BELOW = Rolled(1), Rolled(0), Rolled(-1)
_TOTALS: dict[int, Rolled] = {}


def _rolled(total: int) -> Rolled:
    held = _TOTALS.get(total)
    if held is None:
        held = _TOTALS[total] = Rolled(total, total)
    return held


class _Way:
    """Where an enumeration starts: the state, the declaration, and what was settled for it."""

    __slots__ = ("declaration", "state", "terms")

    def __init__(self, state: State, declaration: Declaration, terms: Settled) -> None:
        self.state, self.declaration, self.terms = state, declaration, terms


_Leaf = tuple[Outcome, State, int, int]
"""How it ended, the state then, and the weight of the branch out of all the weight."""


class _Walk:
    """One enumeration: the chances found so far, and how many branches they took."""

    def __init__(self, game: Game, choice: Choice, limit: int) -> None:
        self.game, self.choice, self.limit = game, choice, limit
        self.leaves = 0

    def segment(self, state: State, d: Declaration, goes_on: bool) -> dict[Outcome, Fraction]:
        """The outcomes from a state to the end; where a long action goes on, equal branches are one."""
        terms = Settled(None, {})
        if not goes_on:
            play = Play(self.game, state)
            settled = self._settle(play, d)
            if isinstance(settled, Outcome):
                return {settled: Fraction(1)}
            (d, terms), state = settled, play.state
        ends: dict[Outcome, dict[int, int]] = {}
        rests: dict[bytes, tuple[State, Declaration, dict[int, int]]] = {}
        for outcome, after, weight, whole in self._leaves(_Way(state, d, terms), (), 1, 1):
            if outcome.then is None:
                _add(ends.setdefault(outcome, {}), whole, weight)
            else:
                key = state_key(after) + msgspec.json.encode(outcome.then.declaration)
                rest = rests.setdefault(key, (after, outcome.then.declaration, {}))
                _add(rest[2], whole, weight)
        total = {outcome: _fraction(parts) for outcome, parts in ends.items()}
        for after, rest_of, parts in rests.values():
            chance = _fraction(parts)
            for outcome, inner in self.segment(after, rest_of, True).items():
                total[outcome] = total.get(outcome, Fraction(0)) + chance * inner
        return total

    def _settle(self, play: Play, d: Declaration) -> Outcome | tuple[Declaration, Settled]:
        """Rule, confirm and commit once; no die falls before that."""
        steps = settle(play, d)
        try:
            questions = next(steps)
            while True:
                questions = steps.send(tuple([self.choice(play.state, question) for question in questions]))
        except StopIteration as end:
            settled: Outcome | tuple[Declaration, Settled] = end.value
            return settled

    def _leaves(self, way: _Way, inputs: tuple[Answers, ...], weight: int, whole: int) -> Iterator[_Leaf]:
        """Run the rule with the answers so far, and from there once for each reading of every roll."""
        play = Play(self.game, way.state)
        steps = self.game.actions[way.declaration.action].resolve(play, way.declaration, way.terms)
        try:
            questions = next(steps)
            for given in inputs:
                questions = steps.send(given)
        except StopIteration as end:
            yield self._leaf(end.value, play, weight, whole)
            return
        yield from self._onward(way, play, steps, questions, inputs, weight, whole)

    def _onward(
        self,
        way: _Way,
        play: Play,
        steps: Steps[Outcome],
        questions: tuple[Question, ...],
        inputs: tuple[Answers, ...],
        weight: int,
        whole: int,
    ) -> Iterator[_Leaf]:
        """Answer the open questions in every way: the rule at hand goes on with the first, the others run it anew."""
        branches, all_weight = self._branches(play.state, questions)
        whole *= all_weight
        for answers, part in branches[1:]:
            yield from self._leaves(way, (*inputs, answers), weight * part, whole)
        answers, part = branches[0]
        try:
            questions = steps.send(answers)
        except StopIteration as end:
            yield self._leaf(end.value, play, weight * part, whole)
            return
        yield from self._onward(way, play, steps, questions, (*inputs, answers), weight * part, whole)

    def _leaf(self, outcome: Outcome, play: Play, weight: int, whole: int) -> _Leaf:
        self.leaves += 1
        if self.leaves > self.limit:
            raise TooMany(self.limit)
        return outcome, play.state, weight, whole

    def _branches(
        self, state: State, questions: tuple[Question, ...]
    ) -> tuple[list[tuple[tuple[Answer, ...], int]], int]:
        """Every way in which a group can be answered, with its weight."""
        whole = 1
        each: list[tuple[tuple[Answer, int], ...]] = []
        for question in questions:
            if type(question) is Roll:
                read, all_weight = readings(question)
                whole *= all_weight
                each.append(read)
            else:
                each.append(((self.choice(state, question), 1),))
        if len(each) == 1:
            return [((answer,), weight) for answer, weight in each[0]], whole
        if self.leaves + prod(map(len, each)) > self.limit:
            raise TooMany(self.limit)
        branches = []
        for combination in product(*each):
            weight = 1
            for _, part in combination:
                weight *= part
            branches.append((tuple(answer for answer, _ in combination), weight))
        return branches, whole


def _steps(play: Play, d: Declaration, goes_on: bool) -> Steps[Outcome]:
    return play.game.actions[d.action].resolve(play, d, Settled(None, {})) if goes_on else act(play, d)


def _add(parts: dict[int, int], whole: int, weight: int) -> None:
    parts[whole] = parts.get(whole, 0) + weight


def _fraction(parts: dict[int, int]) -> Fraction:
    whole = lcm(*parts)
    return Fraction(sum(weight * (whole // of) for of, weight in parts.items()), whole)


def state_key(state: State) -> bytes:
    from turnwright.model import enc_hook

    return msgspec.json.encode(
        (state.actors, state.relations, state.facts, state.open_doors, state.mode, state.round, state.active),
        enc_hook=enc_hook,
    )


def odds(
    game: Game,
    state: State,
    d: Declaration,
    *,
    choice: Choice = plain_choice,
    limit: int = LIMIT,
    sample: int = 0,
    draw: Callable[[], float] | None = None,
    assumptions: tuple[str, ...] = (),
) -> Odds:
    """The exact chance of every outcome of a declaration; `choice` answers what is no roll.

    Past `limit` branches it raises TooMany; with `sample` it then gives an estimate from that many plays that says so.
    """
    walk = _Walk(game, choice, limit)
    try:
        return Odds(walk.segment(state, d, False), assumptions)
    except TooMany:
        if not sample:
            raise
    return _sampled(game, state, d, choice, sample, assumptions, draw)


def _sampled(
    game: Game,
    state: State,
    d: Declaration,
    choice: Choice,
    times: int,
    assumptions: tuple[str, ...],
    draw: Callable[[], float] | None,
) -> Odds:
    from random import Random

    drawn = draw or Random(0).random
    counts: dict[Outcome, int] = {}
    for _ in range(times):
        outcome, _ = run_through(Play(game, state), d, lambda s, q: answer_by_draw(s, q, choice, drawn))
        counts[outcome] = counts.get(outcome, 0) + 1
    return Odds({o: Fraction(n, times) for o, n in counts.items()}, assumptions, times)


def answer_by_draw(state: State, question: Question, choice: Choice, draw: Callable[[], float]) -> Answer:
    if not isinstance(question, Roll):
        return choice(state, question)
    read, whole = readings(question)
    at = draw() * whole
    for reading, weight in read:
        at -= weight
        if at < 0:
            return reading
    return read[-1][0]


def run_through(play: Play, d: Declaration, choice: Choice) -> tuple[Outcome, Play]:
    """Play one declaration to its end, answering every question by `choice`."""
    goes_on = False
    while True:
        steps = _steps(play, d, goes_on)
        try:
            questions = next(steps)
            while True:
                questions = steps.send(tuple([choice(play.state, question) for question in questions]))
        except StopIteration as end:
            outcome: Outcome = end.value
            if outcome.then is None:
                return outcome, play
            d, goes_on = outcome.then.declaration, True


class PlayedOut(msgspec.Struct, frozen=True):
    """How a simulated scene ended."""

    state: State
    why: str
    actions: int
    events: int
    down: str | None = None


def play_out(
    game: Game,
    state: State,
    bots: Mapping[str, Policy] | Policy,
    *,
    draw: Callable[[], float] | None = None,
    rounds: int = 20,
    most: int = 10_000,
    heard: Callable[[Event], None] | None = None,
    until: Callable[[State], bool] | None = None,
) -> PlayedOut:
    """Play a scene to its end by bots: the same rules, with no entries and no digests.

    It ends when a side is down, after `rounds` rounds, or after `most` actions.
    """
    from random import Random

    drawn = draw or Random(0).random
    play = Play(game, state)
    actions = 0

    def bot(seat_actor: str) -> Policy:
        return bots if not isinstance(bots, Mapping) else bots[seat_actor]

    def choice(now: State, question: Question) -> Answer:
        answerer = bot(question.actor) if question.actor in now.actors else bot("")
        return answerer.answer(game, now, question)

    def answer(now: State, question: Question) -> Answer:
        return answer_by_draw(now, question, choice, drawn)

    while actions < most:
        now = play.state
        if now.active is None:
            over = _over(game, now, rounds, until)
            if over:
                return PlayedOut(now, over, actions, len(play.events), game.side_down(now))
            d = Declaration(game.in_order(now)[0], "begin")
        else:
            d = bot(now.active).declare(game, game.known(now, now.actors[now.active].seat), now.active)
            actions += d.action != "end"
        first = len(play.events)
        run_through(play, d, answer)
        if heard is not None:
            for event in play.events[first:]:
                heard(event)
    return PlayedOut(play.state, f"{most} actions were taken", actions, len(play.events), game.side_down(play.state))


def _over(game: Game, state: State, rounds: int, until: Callable[[State], bool] | None) -> str:
    down = game.side_down(state)
    if down is not None:
        return f"{down} is down"
    if not game.in_order(state):
        return "nobody is left"
    if state.round > rounds:
        return f"{rounds} rounds have passed"
    if until is not None and until(state):
        return "what was waited for has come"
    return ""


__all__ = ["Odds", "Pending", "PlayedOut", "TooMany", "odds", "play_out"]
