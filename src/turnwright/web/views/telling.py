"""The story of a scene as one seat is told it, with the rule behind each line and the seat's own dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from turnwright.cli.story import Story, listed, seat_name
from turnwright.events import Event
from turnwright.log import Answered, Entry, Undone
from turnwright.model import GUIDE, Rolled, SeatId, State
from turnwright.table import Table
from turnwright.web.live import LiveTable

DICE_KEPT = 6
"""So many throws are kept to be shown; the story has the rest."""


class Told(NamedTuple):
    """One line of the story, the number of its entry as the seat counts them, and the rule behind it."""

    entry: int
    text: str
    rule: str


class Throw(NamedTuple):
    """Dice of the seat's own that the table threw: the faces as they lie, and what they came to."""

    id: str
    who: str
    what: str
    faces: tuple[int, ...]
    total: int


class Spoken(str):
    """The text of a line, which remembers its rule."""

    rule = ""


class Cited(Story):
    """Tells as a story does, and keeps the rule of each line and the dice that the seat may see."""

    def __init__(self, table: Table, seat: SeatId) -> None:
        super().__init__(table, seat)
        self.throws: list[Throw] = []
        self._lie: list[Rolled] = []
        self._heard: list[tuple[State, Event]] = []
        self._told: dict[int, list[str]] = {}

    def _entry(self, number: int, entry: Entry) -> list[str]:
        answers = entry.input.answers if isinstance(entry.input, Answered) else ()
        self._lie = [a for a in answers if isinstance(a, Rolled) and a.faces and a.by != "table"]
        self._heard = []
        if isinstance(entry.input, Undone):
            self.throws = []
        lines = super()._entry(number, entry)
        self._told[number] = lines
        said = len(self._said(entry)) if self._heard else len(lines)
        return [*lines[:said], *self._cited(lines[said:])]

    def _taken_back(self, by: SeatId, back: int) -> list[str]:
        """What was taken back by its own words, as far as the seat was told it: a page numbers no entries."""
        gone = [number for number in self.standing if number >= back]
        if not super()._taken_back(by, back):
            return []
        return [f"-- {seat_name(self.game, self.state, by)} takes back {self._gone(gone)}"]

    def _gone(self, numbers: list[int]) -> str:
        if self.seat == GUIDE:
            return listed([self.table.log[number] for number in numbers], self.state) or "nothing"
        first, *more = [line for number in numbers for line in self._told[number]]
        return f"“{first}”{' and what came of it' if more else ''}"

    def _event(self, event: Any) -> tuple[State, Event] | None:
        heard = super()._event(event)
        if heard is not None:
            self._heard.append(heard)
            self._see_dice(heard[1])
        return heard

    def _cited(self, lines: list[str]) -> Iterator[str]:
        """Each line with the rule of the event that it tells, or of the first one where it tells several."""
        left = [(self.game.tell(state, event), getattr(event, "rule", "")) for state, event in self._heard]
        for line in lines:
            place = next((n for n, (text, _) in enumerate(left) if text and line.startswith(text)), 0)
            spoken = Spoken(line)
            spoken.rule = left[place][1] if left else ""
            left = left[place + 1 :]
            yield spoken

    def _see_dice(self, event: Event) -> None:
        """Dice are shown to whoever threw them and was told what they came to."""
        who = self.state.actors.get(getattr(event, "actor", ""))
        if not self._lie or who is None or self.seat not in (GUIDE, who.seat):
            return
        totals = [getattr(event, name, None) for name in ("total", "totals")]
        for thrown in self._lie:
            if thrown.total is not None and thrown.total in totals:
                what = str(getattr(event, "skill", "") or getattr(event, "what", ""))
                made = Throw(f"t{len(self.standing)}-{len(self.throws)}", who.name, what, thrown.faces, thrown.total)
                self.throws = [*self.throws[-DICE_KEPT + 1 :], made]
                self._lie.remove(thrown)
                return


class Telling:
    """What a seat has been told so far; it goes on where it stopped."""

    def __init__(self, table: Table, seat: SeatId) -> None:
        self.table = table
        self._story = Cited(table, seat)
        self.lines: list[Told] = []

    def caught_up(self) -> Telling:
        for line in self._story.on():
            self.lines.append(Told(line.entry, str(line.text), getattr(line.text, "rule", "")))
        return self

    @property
    def throws(self) -> list[Throw]:
        return self._story.throws


_kept: WeakKeyDictionary[LiveTable, dict[SeatId, Telling]] = WeakKeyDictionary()
"""What the seats of each table have been told; it goes when the table does."""


def telling(live: LiveTable, seat: SeatId) -> Telling:
    """What a seat has been told as it is now. `live.lock` is held."""
    kept = _kept.setdefault(live, {})
    found = kept.get(seat)
    if found is None or found.table is not live.table:
        found = kept[seat] = Telling(live.table, seat)
    return found.caught_up()


def story_of(live: LiveTable, seat: SeatId) -> tuple[Told, ...]:
    """The story of the scene as the seat was told it."""
    return tuple(telling(live, seat).lines)


def plain_value(value: Any) -> Any:
    """A value as plain data, with fractions as text."""
    return msgspec.to_builtins(value, enc_hook=str)
