"""One keyboard and a screen of one seat's knowledge: it is handed over before another seat's screen is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from turnwright.cli.story import Story, seat_name
from turnwright.log import Declared, Entry, Interjected, RuledOn
from turnwright.model import GUIDE, SeatId

if TYPE_CHECKING:
    from turnwright.cli.session import Session


def faces(session: Session, seat: SeatId) -> bool:
    """Whether the screen is that of the seat that decides now; where it is not, it is handed over when Enter is typed.

    Where the game is watched by the guide, everything is on one screen and nothing is handed over.
    """
    if session.seat == GUIDE or session.facing == seat:
        return True
    name = seat_name(session.game, session.table.state, seat)
    session.screen.say()
    line = session.read(f"{name} decides; hand over the keyboard: Enter shows {name}'s screen> ")
    if not line:
        face(session, seat)
        return True
    if not line.startswith("#") and not session.commanded(line):
        session.screen.say(f"Enter shows {name}'s screen first.")
    return False


def face(session: Session, seat: SeatId, *, clear: bool = True) -> None:
    """Show a seat's screen from now on: nothing of the last one stays, and it is told what it has learned since."""
    if session.facing == seat:
        return
    session.facing = seat
    session.forget()
    if clear:
        session.screen.clear()
    marked = seat != session.seat and not session.screen.typed_on
    session.screen.mark = f"{seat_name(session.game, session.table.state, seat)} | " if marked else ""
    if seat == GUIDE and session.guided:
        session.skip()
    session.tell()


def seen_of(story: Story, entries: Sequence[Entry]) -> list[Entry]:
    """Those of the entries of which the story's seat learned."""
    numbers = {id(entry): number for number, entry in enumerate(story.table.log)}
    return [entry for entry in entries if story.learned(numbers[id(entry)])]


def ruled_in_sight(story: Story, entries: Sequence[Entry]) -> list[Entry]:
    """The rulings among the entries, each on something of which the story's seat knows who did it."""
    found: list[Entry] = []
    for number, entry in enumerate(entries):
        if isinstance(entry.input, RuledOn):
            before = [held for held in entries[:number] if isinstance(held.input, (Declared, Interjected))]
            found += [entry] if seen_of(story, before[-1:]) else []
    return found
