"""What bots do at a keyboard: they act, answer, and help of their own accord."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.cli.words import said_in
from turnwright.model import Declaration, Outcome, Refused, Withdraw
from turnwright.policy import MOST_IN_A_TURN, Helpful, Policy, plain_answer
from turnwright.table import Open

if TYPE_CHECKING:
    from turnwright.cli.session import Session

HALTED = (Outcome.CANCELLED, "impossible")
"""What came to nothing; a bot ends its turn then, since it would only try the same again."""


def act(session: Session, actor: str) -> None:
    """A bot declares; it ends its turn when it has done much, or is refused."""
    session.acts += 1
    d = Declaration(actor, "end")
    last = session.table.outcome
    came_to_nothing = last is not None and last.result in HALTED
    if session.acts <= MOST_IN_A_TURN and not came_to_nothing:
        known = session.table.knows(session.table.state.actors[actor].seat)
        d = session.bot.declare(session.game, known, actor)
    session.by_itself(lambda: _declare_or_end(session, d))
    if d.action == "end" and session.acts == 1 and actor in session.known.actors:
        session.screen.say("is down" if session.known.actors[actor].down else "does nothing", indent=2)
    session.tell()


def _declare_or_end(session: Session, d: Declaration) -> None:
    try:
        session.table.declare(d.actor, d.action, **said_in(d))
    except Refused:
        if d.action == "end":
            raise
        session.table.declare(d.actor, "end")


def helped(session: Session, held: Open) -> bool:
    """Whether a bot does something of its own accord while a question is open; each is asked once about each."""
    if not isinstance(session.bot, Helpful) or getattr(held.question, "moment", None) is None:
        return False
    for actor in [a for a in session.table.state.actors if a in session.bots and a != held.actor]:
        if (actor, held.id) in session.offered_help:
            continue
        session.offered_help.add((actor, held.id))
        known = session.table.knows(session.table.state.actors[actor].seat)
        d = session.bot.interject(session.game, known, actor, held.question)
        if d is not None and _interjected(session, d):
            session.tell()
            return True
    return False


def _interjected(session: Session, d: Declaration) -> bool:
    try:
        session.by_itself(lambda: session.table.interject(d.actor, d.action, **said_in(d)))
    except Refused:
        return False
    return True


def answer_by(session: Session, policy: Policy, held: Open) -> None:
    known = session.table.knows(held.who)
    for value in (policy.answer(session.game, known, held.question), plain_answer(held.question), Withdraw):
        try:
            session.table.answer(held, value)
            return
        except Refused as error:
            refused = error
    raise refused
