"""Fast simulation: one declaration or a whole scene played by the same rules, with no entries and no digests."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from turnwright.engine import Play, act
from turnwright.events import Event
from turnwright.model import ActorId, Answer, Declaration, Outcome, Question, Roll, State
from turnwright.policy import MOST_IN_A_TURN, AutomaticGuide, Policy, plain_answer
from turnwright.readings import drawn
from turnwright.rules import Game, Settled, Steps

Choice = Callable[[State, Question], Answer]
"""Who answers what is asked, from the state as it stands."""


def plain_choice(state: State, question: Question) -> Answer:
    """Nothing beyond the price, no reaction, and the first preset of a ruling."""
    return plain_answer(question)


def answer_by_draw(state: State, question: Question, choice: Choice, draw: Callable[[], float]) -> Answer:
    """Rolls are drawn by their weights; everything else is chosen."""
    return drawn(question, draw) if isinstance(question, Roll) else choice(state, question)


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


def _steps(play: Play, d: Declaration, goes_on: bool) -> Steps[Outcome]:
    return play.game.actions[d.action].resolve(play, d, Settled(None, {})) if goes_on else act(play, d)


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

    `bots` are one for everybody, or by actor, with the guide's own under the empty name; each is given what the seat
    that is asked knows. A bot that has declared much in a turn ends it.
    It ends when a side is down, after `rounds` rounds, or after `most` actions.
    """
    from random import Random

    drawing = draw or Random(0).random
    play = Play(game, state)
    actions = in_turn = 0

    by_name = bots if isinstance(bots, Mapping) else None
    one = AutomaticGuide() if isinstance(bots, Mapping) else bots
    guide = one if by_name is None else by_name.get("", one)

    def bot(actor: str) -> Policy:
        return one if by_name is None else by_name[actor]

    def choice(now: State, question: Question) -> Answer:
        answerer = bot(question.actor) if question.actor in now.actors else guide
        return answerer.answer(game, game.known(now, question.who), question)

    def answer(now: State, question: Question) -> Answer:
        return answer_by_draw(now, question, choice, drawing)

    while actions < most:
        now = play.state
        if now.active is None:
            order = game.in_order(now)
            over = _over(game, now, order, rounds, until)
            if over:
                return PlayedOut(now, over, actions, len(play.events), game.side_down(now))
            d, in_turn = Declaration(order[0], "begin"), 0
        elif in_turn >= MOST_IN_A_TURN:
            d = Declaration(now.active, "end")
        else:
            d = bot(now.active).declare(game, game.known(now, now.actors[now.active].seat), now.active)
            in_turn += 1
            actions += d.action != "end"
        first = len(play.events)
        run_through(play, d, answer)
        if heard is not None:
            for event in play.events[first:]:
                heard(event)
    return PlayedOut(play.state, f"{most} actions were taken", actions, len(play.events), game.side_down(play.state))


def _over(
    game: Game, state: State, order: tuple[ActorId, ...], rounds: int, until: Callable[[State], bool] | None
) -> str:
    down = game.side_down(state)
    if down is not None:
        return f"{down} is down"
    if not order:
        return "nobody is left"
    if state.round > rounds:
        return f"{rounds} rounds have passed"
    if until is not None and until(state):
        return "what was waited for has come"
    return ""
