"""Every way in which an action can go, with its weight: its rolls are given every reading, the rest is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import lcm, prod

import msgspec
from msgspec.structs import replace

from turnwright.engine import Play, act, settle
from turnwright.events import Event
from turnwright.gate import reasons
from turnwright.model import (
    Again,
    Answer,
    Commit,
    Committed,
    Declaration,
    Moment,
    Outcome,
    Question,
    Refusal,
    Refused,
    Roll,
    State,
    enc_hook,
    seat_of,
)
from turnwright.readings import readings
from turnwright.rules import Game, Settled, Steps
from turnwright.running import Closed, Run, open_moment
from turnwright.simulate import Choice, answer_by_draw

CAME = "came about"
"""The result of a branch that was followed only until something held."""

CANNOT = "cannot be done"
"""The result of a branch in which what is done first leaves no way to do the rest."""

ROUNDS = 100
"""So often something may be asked before the dice; a ruling that only ever asks back ends there."""

Answers = tuple[Answer, ...]
Holds = Callable[[State], bool]
Numbers = Callable[[State], tuple[int, ...]]
End = tuple[Outcome, tuple[int, ...]]
"""How an action ended, and the numbers that were read off the state then."""


class TooMany(Exception):
    """Exact odds would need more branches than the limit allows; `count` is how many were taken so far."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(f"more than {count} branches; raise the limit, or ask for a sample")


class Came(Exception):
    """What was waited for holds; the branch is followed no further."""


class Watched(Play):
    """A play that stops at the first event after which something holds."""

    __slots__ = ("until",)

    def __init__(self, game: Game, state: State, until: Holds) -> None:
        super().__init__(game, state)
        self.until = until

    def emit(self, event: Event) -> None:
        super().emit(event)
        if self.until(self.state):
            raise Came


def no_numbers(state: State) -> tuple[int, ...]:
    """Nothing is read off a state."""
    return ()


class _Way:
    """Where an enumeration starts: the state, the declaration, and what was settled for it."""

    __slots__ = ("declaration", "state", "terms")

    def __init__(self, state: State, declaration: Declaration, terms: Settled) -> None:
        self.state, self.declaration, self.terms = state, declaration, terms


_Leaf = tuple[Outcome, State, int, int]
"""How it ended, the state then, and the weight of the branch out of all the weight."""


class Walk:
    """One enumeration: the chances found so far, and how many branches they took."""

    def __init__(
        self,
        game: Game,
        choice: Choice,
        limit: int,
        until: Holds | None = None,
        interjected: tuple[Declaration, ...] = (),
        numbers: Numbers = no_numbers,
    ) -> None:
        self.game, self.choice, self.limit = game, choice, limit
        self.until, self.interjected, self.numbers = until, interjected, numbers
        self.leaves = 0
        self.against: dict[Refusal, None] = {}
        """Why something could not be done any more after what was done first."""

    def play(self, state: State) -> Play:
        return Play(self.game, state) if self.until is None else Watched(self.game, state, self.until)

    def through(self, state: State, steps: tuple[Declaration, ...]) -> dict[End, Fraction]:
        """The outcomes of the last of these declarations, each made in every state to which those before it lead."""
        if len(steps) == 1:
            return self.segment(state, steps[0], False)
        total: dict[End, Fraction] = {}
        for outcome, after, chance in self._states(state, steps[0]):
            if outcome.result == CAME:
                found = {(outcome, self.numbers(after)): Fraction(1)}
            elif self._closed(after, steps[1]):
                found = {(Outcome(steps[-1].action, CANNOT), self.numbers(after)): Fraction(1)}
            else:
                found = self.through(after, (self._completed(after, steps[1]), *steps[2:]))
            _mix(total, found, chance)
        return total

    def _states(self, state: State, d: Declaration) -> list[tuple[Outcome, State, Fraction]]:
        """Every state that a declaration leads to; equal ones are one."""
        found: dict[tuple[bytes, bool], tuple[Outcome, State, Fraction]] = {}
        waiting: list[tuple[State, Declaration, bool, Fraction]] = [(state, d, False, Fraction(1))]
        while waiting:
            state, d, goes_on, chance = waiting.pop()
            settled = (state, d, Settled(None, {})) if goes_on else self._settled(state, d, False)
            leaves = (
                [(settled, state, 1, 1)] if isinstance(settled, Outcome) else self._leaves(_Way(*settled), (), 1, 1)
            )
            for outcome, after, weight, whole in leaves:
                part = chance * Fraction(weight, whole)
                if outcome.then is not None:
                    waiting.append((after, outcome.then.declaration, True, part))
                    continue
                key = state_key(after), outcome.result == CAME
                found[key] = (outcome, after, part + (found[key][2] if key in found else 0))
        return list(found.values())

    def _completed(self, state: State, d: Declaration) -> Declaration:
        return self.game.actions[d.action].complete(state, d)

    def _closed(self, state: State, d: Declaration) -> bool:
        """Whether the gate is closed to a declaration by now; the reasons are kept."""
        known = self.game.known(state, seat_of(state, d.actor))
        against = list(reasons(self.game, known, self._completed(state, d), whole=True))
        self.against.update(dict.fromkeys(against))
        return bool(against)

    def segment(self, state: State, d: Declaration, goes_on: bool) -> dict[End, Fraction]:
        """The outcomes from a state to the end; where a long action goes on, equal branches are one."""
        terms = Settled(None, {})
        if not goes_on:
            settled = self._settled(state, d)
            if isinstance(settled, Outcome):
                return {(settled, self.numbers(state)): Fraction(1)}
            state, d, terms = settled
        ends: dict[End, dict[int, int]] = {}
        rests: dict[bytes, tuple[State, Declaration, dict[int, int]]] = {}
        for outcome, after, weight, whole in self._leaves(_Way(state, d, terms), (), 1, 1):
            if outcome.then is None:
                _add(ends.setdefault((outcome, self.numbers(after)), {}), whole, weight)
            else:
                key = state_key(after) + msgspec.json.encode(outcome.then.declaration)
                rest = rests.setdefault(key, (after, outcome.then.declaration, {}))
                _add(rest[2], whole, weight)
        total = {end: _fraction(parts) for end, parts in ends.items()}
        for after, rest_of, parts in rests.values():
            _mix(total, self.segment(after, rest_of, True), _fraction(parts))
        return total

    # -- up to the first die

    def _settled(self, state: State, d: Declaration, last: bool = True) -> Outcome | tuple[State, Declaration, Settled]:
        """Rule, confirm and commit once; no die falls before that. Others help only with what comes last."""
        if self.until is not None and self.until(state):
            return Outcome(d.action, CAME)
        play = self.play(state)
        try:
            settled = self._settle(play, d, self.interjected if last else ())
        except Came:
            return Outcome(d.action, CAME)
        return settled if isinstance(settled, Outcome) else (play.state, *settled)

    def _settle(
        self, play: Play, d: Declaration, interjected: tuple[Declaration, ...]
    ) -> Outcome | tuple[Declaration, Settled]:
        waiting = list(interjected)
        # With help on its way the commitment is asked for, as at a table, so that there is time for it.
        steps = settle(play, replace(d, boost=None) if waiting else d)
        try:
            questions = next(steps)
            for _ in range(ROUNDS):
                moment = open_moment(questions)
                if waiting and moment is not None:
                    self._interject(play, waiting.pop(0), moment)
                    questions = steps.send((Again(),))
                    continue
                questions = steps.send(tuple([self._early(play.state, question, d) for question in questions]))
        except StopIteration as end:
            if waiting:
                raise Refused(Refusal("", f"nothing leaves time for {waiting[0].action}", "NO_WINDOW")) from None
            settled: Outcome | tuple[Declaration, Settled] = end.value
            return settled
        raise Refused(Refusal("", f"{d.action} is asked about again and again; it stays unclear", "NO_ODDS"))

    def _early(self, state: State, question: Question, d: Declaration) -> Answer:
        if self.interjected and isinstance(question, Commit) and question.actor == d.actor:
            return Committed(min(d.boost or 0, question.most))
        return self.choice(state, question)

    def _interject(self, play: Play, d: Declaration, moment: Moment) -> None:
        """Somebody else acts while the commitment is asked for. Raises Refused where the gate is closed."""
        d = play.game.actions[d.action].complete(play.state, d)
        known = play.game.known(play.state, seat_of(play.state, d.actor))
        against = list(reasons(play.game, known, d, moment, whole=True))
        if against:
            raise Refused(*against)
        steps = act(play, d, moment)
        try:
            questions = next(steps)
            while True:
                questions = steps.send(tuple([self.choice(play.state, question) for question in questions]))
        except StopIteration:
            return

    # -- from the first die on

    def _leaves(self, way: _Way, inputs: tuple[Answers, ...], weight: int, whole: int) -> Iterator[_Leaf]:
        """Run the rule with the answers so far, and from there once for each reading of every roll."""
        play = self.play(way.state)
        steps = self.game.actions[way.declaration.action].resolve(play, way.declaration, way.terms)
        try:
            questions = next(steps)
            for given in inputs:
                questions = steps.send(given)
        except StopIteration as end:
            yield self._leaf(end.value, play, weight, whole)
            return
        except Came:
            yield self._leaf(Outcome(way.declaration.action, CAME), play, weight, whole)
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
        branches, all_weight = self.branches(play.state, questions)
        whole *= all_weight
        for answers, part in branches[1:]:
            yield from self._leaves(way, (*inputs, answers), weight * part, whole)
        answers, part = branches[0]
        try:
            questions = steps.send(answers)
        except StopIteration as end:
            yield self._leaf(end.value, play, weight * part, whole)
            return
        except Came:
            yield self._leaf(Outcome(way.declaration.action, CAME), play, weight * part, whole)
            return
        yield from self._onward(way, play, steps, questions, (*inputs, answers), weight * part, whole)

    def _leaf(self, outcome: Outcome, play: Play, weight: int, whole: int) -> _Leaf:
        self._count()
        return outcome, play.state, weight, whole

    def _count(self) -> None:
        self.leaves += 1
        if self.leaves > self.limit:
            raise TooMany(self.limit)

    def branches(
        self, state: State, questions: tuple[Question, ...], fixed: Mapping[int, Answer] = {}
    ) -> tuple[list[tuple[Answers, int]], int]:
        """Every way in which a group can be answered, with its weight; `fixed` are answers by their place in it."""
        whole = 1
        each: list[tuple[tuple[Answer, int], ...]] = []
        for index, question in enumerate(questions):
            if index in fixed:
                each.append(((fixed[index], 1),))
            elif type(question) is Roll:
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
            branches.append((tuple([answer for answer, _ in combination]), weight))
        return branches, whole

    # -- from the middle of an action

    def resumed(self, start: Callable[[State], Play], run: Run, fixed: Mapping[int, Answer]) -> dict[End, Fraction]:
        """The outcomes of an action that waits for answers, some of which are fixed; the inputs so far stand."""
        if run.outcome is not None:
            self._count()
            return {(run.outcome, self.numbers(run.play.state)): Fraction(1)}
        before = run.pending
        branches, whole = self.branches(run.play.state, run.questions, fixed)
        total: dict[End, Fraction] = {}
        for answers, weight in branches:
            branch = Run.again(start(before.base), before)
            branch.feed(Closed(answers))  # type: ignore[arg-type]
            after = branch.pending
            if after.goes_on and after.base is not before.base and not after.inputs and branch.outcome is None:
                found = self.segment(after.base, after.declaration, True)
            else:
                found = self.resumed(start, branch, {})
            _mix(total, found, Fraction(weight, whole))
        return total

    # -- an estimate

    def sampled(
        self, state: State, steps: tuple[Declaration, ...], times: int, draw: Callable[[], float]
    ) -> dict[End, Fraction]:
        """What came of so many plays, each with its rolls drawn by their weights."""
        counts: dict[End, int] = {}
        settled = self._settled(state, steps[0], len(steps) == 1)
        for _ in range(times):
            outcome, after = (settled, state) if isinstance(settled, Outcome) else self._played(*settled, draw)
            for number in range(1, len(steps)):
                if outcome.result not in (CAME, CANNOT):
                    outcome, after = self._drawn(after, steps, number, draw)
            end = outcome, self.numbers(after)
            counts[end] = counts.get(end, 0) + 1
        return {end: Fraction(count, times) for end, count in counts.items()}

    def _drawn(
        self, state: State, steps: tuple[Declaration, ...], number: int, draw: Callable[[], float]
    ) -> tuple[Outcome, State]:
        if self._closed(state, steps[number]):
            return Outcome(steps[-1].action, CANNOT), state
        settled = self._settled(state, self._completed(state, steps[number]), number + 1 == len(steps))
        return (settled, state) if isinstance(settled, Outcome) else self._played(*settled, draw)

    def _played(self, state: State, d: Declaration, terms: Settled, draw: Callable[[], float]) -> tuple[Outcome, State]:
        play = self.play(state)
        while True:
            steps = self.game.actions[d.action].resolve(play, d, terms)
            try:
                questions = next(steps)
                while True:
                    answers = [answer_by_draw(play.state, question, self.choice, draw) for question in questions]
                    questions = steps.send(tuple(answers))
            except Came:
                return Outcome(d.action, CAME), play.state
            except StopIteration as end:
                outcome: Outcome = end.value
                if outcome.then is None:
                    return outcome, play.state
                d, terms = outcome.then.declaration, Settled(None, {})


def _add(parts: dict[int, int], whole: int, weight: int) -> None:
    parts[whole] = parts.get(whole, 0) + weight


def _fraction(parts: dict[int, int]) -> Fraction:
    whole = lcm(*parts)
    return Fraction(sum(weight * (whole // of) for of, weight in parts.items()), whole)


def _mix(total: dict[End, Fraction], more: Mapping[End, Fraction], chance: Fraction) -> None:
    for end, inner in more.items():
        total[end] = total.get(end, Fraction(0)) + chance * inner


def state_key(state: State) -> bytes:
    """What makes two states of one scene the same for whatever may still happen."""
    return msgspec.json.encode(
        (state.actors, state.relations, state.facts, state.open_doors, state.mode, state.round, state.active),
        enc_hook=enc_hook,
    )
