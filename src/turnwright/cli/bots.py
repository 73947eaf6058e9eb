"""What bots do at a keyboard, told on the screen: they act, answer, and help of their own accord."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.log import Declared
from turnwright.table import Open

if TYPE_CHECKING:
    from turnwright.cli.session import Session


def act(session: Session, actor: str) -> None:
    """A bot declares, or ends its turn."""
    session.acts += 1
    session.by_itself(lambda: session.without_people.act(actor))
    last = next(e.input.declaration for e in reversed(session.table.log) if isinstance(e.input, Declared))
    if last.action == "end" and session.acts == 1 and actor in session.known.actors:
        session.screen.say("is down" if session.known.actors[actor].down else "does nothing", indent=2)
    session.tell()


def helped(session: Session, held: Open) -> bool:
    """Whether a bot does something of its own accord while a question is open; each is asked once about each."""
    count = len(session.table.log)
    while len(session.table.log) == count:
        help_ = session.without_people.help(held, session.bots)
        if help_ is None:
            return False
        session.by_itself(help_)
    session.tell()
    return True
