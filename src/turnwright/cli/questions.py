"""A question put to a person at a keyboard, and what is typed for an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.cli import asking, commands
from turnwright.cli.declaring import by_the_guide, interjects, read_part
from turnwright.cli.handing import faces
from turnwright.cli.odds import show_open
from turnwright.model import GUIDE, Choose, Commit, Refused, Rule
from turnwright.table import Open

if TYPE_CHECKING:
    from turnwright.cli.session import Session


def ask(session: Session, held: Open) -> None:
    """Put a question to a person; other commands may come first, and then it is put again."""
    if not faces(session, held.who):
        return
    state = session.known
    session.screen.say()
    session.screen.say(asking.asked(session.game, state, held), "bold", hang=2)
    for line in asking.shown(session.game, state, held):
        session.screen.say(line, hang=6)
    show_open(session.screen, session.table, held, truth=session.seat == GUIDE)
    hidden = sealed(session, held)
    line = session.read(f"[{asking.hint(held)}{'; it is not shown' if hidden else ''}]> ", hidden=hidden)
    session.attempt(lambda: take_answer(session, held, line))


def sealed(session: Session, held: Open) -> bool:
    """Whether others at this keyboard commit at the same time and must not read what is typed."""
    if session.show_typed or not session.screen.typed_on or not isinstance(held.question, (Commit, Choose)):
        return False
    people = [q for q in session.table.waiting_on if isinstance(q.question, (Commit, Choose))]
    return len({q.who for q in people if session.policy_for(q) is None}) > 1


def take_answer(session: Session, held: Open, line: str) -> None:
    head, _, rest = line.partition(" ")
    if line.startswith("#"):
        return
    if (held.kind != "clarify" or not rest) and session.commanded(line):
        return
    if head.lower() == "edit" and isinstance(held.question, Rule):
        session.table.answer(held, commands.edited(session, held.question, rest.strip()))
        session.by_hand = False
    elif not (by_the_guide(session, line) or interjects(session, line)):
        _give(session, held, line)


def _give(session: Session, held: Open, line: str) -> None:
    value = asking.given(session.game, session.known, held, line)
    try:
        session.table.answer(held, value)
        session.by_hand = session.by_hand and not isinstance(held.question, Rule)
    except Refused as error:
        if error.refusals[0].code != "OUT_OF_RANGE":
            raise
        if read_part(session, f"{error.refusals[0].text} [yes or no]> ").lower() in ("y", "yes"):
            session.table.answer(held, value, confirm=True)
