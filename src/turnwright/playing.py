"""A state on its way through a rule, and how a rule asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from turnwright.events import Event
from turnwright.model import Again, Answer, Question, State
from turnwright.rules import Game, Steps

A = TypeVar("A", bound=Answer)


class Play:
    """A state on its way through a rule: rules read `state` afresh after every question and `emit` what happens."""

    __slots__ = ("advise", "as_before", "blind", "committed", "confirm", "events", "game", "state", "under_way")

    def __init__(
        self,
        game: Game,
        state: State,
        *,
        advise: bool = False,
        confirm: bool = False,
        blind: bool = False,
        as_before: bool = False,
    ) -> None:
        self.game = game
        self.state = state
        self.events: list[Event] = []
        self.advise = advise
        """Refusals warn instead of stopping, and what cannot be paid is noted as owed."""
        self.confirm = confirm
        """The guide confirms also what the rules themselves rule."""
        self.blind = blind
        """Windows ask everybody who owns a reaction of the kind, so that a pause tells nothing."""
        self.as_before = as_before
        """What was ruled before is ruled so again, without asking the guide."""
        self.under_way: tuple[object, ...] = ()
        """The reactions that are being resolved, each within what the one before it brought about."""
        self.committed = False
        """Whether dice or other resources have been committed and are not read yet."""

    def emit(self, event: Event) -> None:
        self.state = event.apply(self.state)
        self.events.append(event)


def change(play: Play, event: Event) -> None:
    """Something that changes what is seen: what is remembered of how it was before goes first."""
    for kept in tuple(play.game.kept_in_mind(play.state, event.apply(play.state))):
        play.emit(kept)
    play.emit(event)


def ask(question: Question | Callable[[], Question], answer: type[A]) -> Steps[A]:
    """Put one question; the answer has the type that belongs to it. Given as a function, it is built anew each time."""
    while True:
        (given,) = yield (question() if callable(question) else question,)
        if isinstance(given, answer):
            return given


def ask_first(build: Callable[[], tuple[Question, ...]], answer: type[A]) -> Steps[A | None]:
    """Put one decision to several seats at once, each a question of its own; the first to answer has made it.

    None where, by what has happened meanwhile, there is nobody left to ask.
    """
    while True:
        answers = yield from ask_each(build)
        for given in answers:
            if isinstance(given, answer):
                return given
        if not answers:
            return None


def ask_each(build: Callable[[], tuple[Question, ...]]) -> Steps[tuple[Answer, ...]]:
    """Put several questions that close together; built anew whenever something was interjected."""
    while True:
        questions = build()
        if not questions:
            return ()
        answers = yield questions
        if not isinstance(answers[0], Again):
            return answers
