"""Drives one declaration along the path. What waits is data; the running rule is a cache of it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwright.engine import Play, act, change
from turnwright.events import Event, Withdrawn
from turnwright.gate import legal
from turnwright.model import (
    Again,
    Answer,
    AnyAnswer,
    Declaration,
    Moment,
    Outcome,
    Question,
    State,
    Struct,
    Withdraw,
    seat_of,
)
from turnwright.rules import Game, Settled, Steps


class Interjection(Struct, frozen=True, tag=True):
    """Something declared while another's question was open."""

    declaration: Declaration


class Override(Struct, frozen=True, tag=True):
    """What the guide changed while a question was open."""

    changes: tuple[Event, ...]


class Closed(Struct, frozen=True, tag=True):
    """All answers of one group, in the order of the questions; after a withdrawal the open ones are None."""

    answers: tuple[AnyAnswer | None, ...]


Input = Interjection | Override | Closed


class Pending(Struct, frozen=True):
    """An action that waits for answers, as data: the state before it, the declaration and the inputs so far."""

    base: State
    declaration: Declaration
    goes_on: bool = False
    inputs: tuple[Any, ...] = ()


class Run:
    """Drives one declaration along the path; a cache over a `Pending`."""

    def __init__(self, play: Play, pending: Pending) -> None:
        self.play = play
        self.pending = pending
        self.outcome: Outcome | None = None
        self.questions: tuple[Question, ...] = ()
        self._stack: list[Steps[Outcome]] = []
        self._begin(pending.declaration, pending.goes_on)
        for given in pending.inputs:
            self._feed(given)

    @classmethod
    def start(cls, play: Play, d: Declaration) -> Run:
        return cls(play, Pending(play.state, d))

    @classmethod
    def again(cls, play: Play, pending: Pending) -> Run:
        """Re-run the inputs on the state before; gives the same questions and the same state."""
        play.state = pending.base
        return cls(play, pending)

    def feed(self, given: Input) -> None:
        """Take one input and go on to the next question or to the end."""
        before = self.pending
        self._feed(given)
        if self.pending is before:
            self.pending = replace(self.pending, inputs=(*self.pending.inputs, given))

    def _feed(self, given: Input) -> None:
        if isinstance(given, Closed):
            self._send(tuple(a if a is not None else Withdraw() for a in given.answers))
        elif isinstance(given, Interjection):
            moment = moment_for(self.play.game, self.play.state, self.questions, given.declaration)
            self._stack.append(act(self.play, given.declaration, moment))
            self._advance(None)
        else:
            present = len(self.play.state.actors)
            for event in given.changes:
                change(self.play, event)
            if len(self.play.state.actors) < present:
                self._break_off()
            self._settle_first()

    def _break_off(self) -> None:
        """Somebody left the scene in the middle: what is under way goes no further, and what was spent is spent."""
        d = self.pending.declaration
        if d.actor:
            self.play.emit(Withdrawn(self.play.game.rule_of("withdrawn"), d.actor, d.action))
        self._stack, self.questions, self.play.under_way = [], (), ()

    def _settle_first(self) -> None:
        """What the guide changed is settled as at any other time, and then the open question is put again."""
        settling = self.play.game.settle_action
        if not settling:
            if self._stack:
                self._send((Again(),))
            else:
                self.outcome = Outcome(self.pending.declaration.action, Outcome.CANCELLED)
            return
        self._stack.append(act(self.play, Declaration("", settling)))
        self._advance(None)

    def _begin(self, d: Declaration, goes_on: bool) -> None:
        action = self.play.game.actions[d.action]
        steps = action.resolve(self.play, d, Settled(None, {})) if goes_on else act(self.play, d, first=True)
        self.play.committed = goes_on
        self._stack = [steps]
        self._advance(None)

    def _send(self, answers: tuple[Answer, ...]) -> None:
        self._advance(answers)

    def _advance(self, answers: tuple[Answer, ...] | None) -> None:
        while True:
            try:
                top = self._stack[-1]
                self.questions = next(top) if answers is None else top.send(answers)
                return
            except StopIteration as end:
                outcome: Outcome = end.value
                self._stack.pop()
                if self._stack:
                    answers = (Again(),)
                    continue
                if outcome.then is not None:
                    self._restart(outcome.then.declaration)
                    answers = None
                    continue
                self.questions = ()
                self.outcome = outcome
                return

    def _restart(self, d: Declaration) -> None:
        self.pending = Pending(self.play.state, d, goes_on=True)
        action = self.play.game.actions[d.action]
        self._stack = [action.resolve(self.play, d, Settled(None, {}))]


def open_moments(questions: tuple[Question, ...]) -> tuple[Moment, ...]:
    """The moments that the open questions leave time for, one for each of those who are about to commit."""
    found = [getattr(question, "moment", None) for question in questions]
    return tuple([moment for moment in found if isinstance(moment, Moment)])


def open_moment(questions: tuple[Question, ...]) -> Moment | None:
    """The first of them, if there is one."""
    return next(iter(open_moments(questions)), None)


def moment_for(game: Game, state: State, questions: tuple[Question, ...], d: Declaration) -> Moment | None:
    """The open moment that a declaration is made in: the first for which the gate is open, else the first.

    One that names nobody is meant for a moment that its actor would think of.
    """
    first, *others = open_moments(questions) or (None,)
    if not others or d.action not in game.actions:
        return first
    known = game.known(state, seat_of(state, d.actor))
    for moment in open_moments(questions):
        action = game.actions[d.action]
        opens = action.candidates(known, moment) if action.reacts_to is type(moment) else ()
        meant = d.target or any(c.actor == d.actor for c in opens)
        if meant and legal(game, known, d, moment):
            return moment
    return first
