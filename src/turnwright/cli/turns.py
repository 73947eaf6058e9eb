"""Whose turn comes next at a keyboard, and when a scene is over."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from turnwright.cli.handing import faces
from turnwright.cli.words import actor_named
from turnwright.log import Answered, Declared
from turnwright.model import GUIDE
from turnwright.table import Table

if TYPE_CHECKING:
    from turnwright.cli.session import Session

IDLE_ROUNDS = 2
"""After so many rounds in which everybody passed, a game that nobody watches is over."""


def next_turn(session: Session) -> None:
    over = _reason_to_end(session)
    if over and not _goes_on(session, over):
        return
    actor = session.table.next_turn() or _chosen(session)
    if actor is None:
        return
    session.acts = 0
    session.by_itself(lambda: session.table.declare(actor, "begin"))
    session.tell(indent=0, apart=True)
    session.drawn, session.offered = None, []
    session.unasked = session.unasked + 1 if actor in session.bots else 0


def _reason_to_end(session: Session) -> str:
    """Why the scene could be over: a side is down, nobody can act, or its rounds have passed."""
    state = session.table.state
    down = session.game.side_down(state if session.unattended else session.table.knows(session.seat))
    if down is not None:
        return f"the {down} are down" if down else "everybody is down"
    able = session.game.in_order(state)
    if not able:
        return "nobody is left to act"
    done, begun = rounds_begun(session.table)
    if session.rounds is not None and done >= session.rounds and begun.issuperset(able):
        return f"{session.rounds} round{'s have' if session.rounds > 1 else ' has'} passed"
    if session.unattended and turns_passed(session.table) >= IDLE_ROUNDS * len(able):
        return "nobody does anything more"
    if not session.unattended and session.unasked > 3 * len(able):
        return "nobody at this keyboard has had a turn for three rounds"
    return ""


def _goes_on(session: Session, over: str) -> bool:
    """Whether the scene goes on all the same, which only a person can want; else it ends, or is asked again."""
    able = session.game.in_order(session.table.state)
    if session.unattended or not able:
        session.finish(over)
    elif over not in session.passed:
        line = session.read(f"{over.capitalize()}. Enter ends the scene, `on` plays on: ")
        if line.lower() in ("on", "go on", "continue"):
            session.passed.add(over)
        elif not session.commanded(line):
            session.finish(over)
    return over in session.passed


def _chosen(session: Session) -> str | None:
    """Whose turn it is by the guide's word, where the order of the scene does not say; None asks again."""
    state = session.table.state
    able = session.game.in_order(state)
    if session.guided:
        return able[0]
    if not faces(session, GUIDE):
        return None
    for number, name in enumerate(able, 1):
        session.screen.say(f"{number:>3} {state.actors[name].name}")
    line = session.read(f"{session.game.guide_word}: whose turn is it? [1 to {len(able)}]> ")
    if line.isdecimal() and 1 <= int(line) <= len(able):
        return able[int(line) - 1]
    name = actor_named(state, line)
    if name not in able and not session.commanded(line):
        session.screen.say(f"Choose one of {', '.join(able)}.")
    return name if name in able else None


def rounds_begun(table: Table) -> tuple[int, set[str]]:
    """How many rounds have begun, and who has had a turn in this one: a round is over when somebody begins again."""
    count, begun = 0, set[str]()
    states = [*[taken.state for taken in table._taken], table.state]
    for before, after in pairwise(states):
        if after.active is not None and after.active != before.active:
            if after.active in begun or not count:
                count, begun = count + 1, set()
            begun.add(after.active)
    return count, begun


def turns_passed(table: Table) -> int:
    """How many turns in a row have ended without anything being done, up to now."""
    count = 0
    for entry in reversed(table.live):
        if isinstance(entry.input, Answered) and entry.outcome is not None and entry.outcome.action == "begin":
            continue  # who begins had to be chosen
        if not isinstance(entry.input, Declared) or entry.input.declaration.action not in ("begin", "end"):
            break
        count += entry.input.declaration.action == "begin"
    return count
