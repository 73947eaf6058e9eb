"""A log told as a story, entry by entry; what was taken back is told as taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from turnwright.cli.screen import listing, plain
from turnwright.events import Event
from turnwright.known import as_told
from turnwright.log import Answered, Declared, Entry, Interjected, Overridden, Revealed, RuledOn, Undone
from turnwright.model import GUIDE, Rolled, Ruled, Ruling, SeatId, State
from turnwright.rules import Game
from turnwright.table import Table


class Line(NamedTuple):
    """One line of the story and the number of its entry; a seat other than the guide's counts those it learns of."""

    entry: int
    text: str


class Story:
    """Tells the entries of a table in order, as far as they have come; a seat is told what it learns of."""

    def __init__(self, table: Table, seat: SeatId = GUIDE) -> None:
        self.table, self.seat = table, seat
        self.game: Game = table.game
        self.state: State = table.start
        self.befores: list[State] = []
        self.standing: list[int] = []
        """The numbers of the entries that are not taken back."""
        self._numbers: dict[int, int] = {}
        """By which number the seat knows an entry; one of which it learned nothing has none."""

    def on(self, until: int | None = None) -> Iterator[Line]:
        """The lines of the entries since the last time, up to and with entry number `until`."""
        while len(self.befores) < len(self.table.log) and not self._is_past(until):
            number = len(self.befores)
            lines = self._entry(number, self.table.log[number])
            if lines or self.seat == GUIDE:
                self._numbers[number] = number if self.seat == GUIDE else len(self._numbers)
            yield from (Line(self._numbers[number], text) for text in lines)

    @property
    def told(self) -> int:
        """How many entries have been told."""
        return len(self._numbers)

    def learned(self, number: int) -> bool:
        """Whether the seat knows who did what in an entry that has been told: its own, or of somebody it saw."""
        given, by = self.table.log[number].input, self.table.log[number].by
        if self.seat in (GUIDE, by):
            return True
        if number not in self._numbers or not isinstance(given, (Declared, Interjected)):
            return number in self._numbers
        return given.declaration.actor in self.game.known(self.befores[number], self.seat).actors

    def _is_past(self, until: int | None) -> bool:
        return until is not None and len(self._numbers) > until

    def _entry(self, number: int, entry: Entry) -> list[str]:
        self.befores.append(self.state)
        if isinstance(entry.input, Undone):
            return self._taken_back(entry.by, entry.input.back_to)
        if isinstance(entry.input, Revealed):
            return ["-- the table is over, and its seed is open"]
        self.standing.append(number)
        lines = self._said(entry)
        told = [seen for event in entry.events if (seen := self._event(event)) is not None]
        return lines + self.game.tell_all(told)

    def _taken_back(self, by: SeatId, back: int) -> list[str]:
        gone = [self._numbers[n] for n in self.standing if n >= back and n in self._numbers]
        self.standing = [n for n in self.standing if n < back]
        self.state = self.befores[back]
        if not gone and self.seat != GUIDE:
            return []
        return [f"-- {_whose(self.table, by)} takes back {_entries(gone)}"]

    def _event(self, event: Any) -> tuple[State, Event] | None:
        """An event as the seat learns of it, and the state in whose names it is told."""
        before, self.state = self.state, event.apply(self.state)
        seen = event if self.seat == GUIDE else self.game.sees_event(before, self.state, event, self.seat)
        return None if seen is None else (as_told(self.game, before, self.state, self.seat), seen)

    def _said(self, entry: Entry) -> list[str]:
        """What was said in the entry itself, for whoever may hear all of it."""
        if self.seat != GUIDE:
            return []
        guide, given = self.game.guide_word, entry.input
        if isinstance(given, Declared) and given.overrule:
            return [f"{guide}: let it pass, {given.overrule}"]
        if isinstance(given, Overridden):
            return [f"{guide}: {given.reason}"]
        if isinstance(given, RuledOn):
            return [f"{guide} rules: {ruling_words(a.ruling)}" for a in given.answers if isinstance(a, Ruled)]
        if isinstance(given, Answered):
            least = 2 if self.game.tells_dice else 1
            thrown = [a for a in given.answers if isinstance(a, Rolled) and len(a.faces) >= least]
            return [f"dice: {', '.join(' '.join(map(str, a.faces)) for a in thrown)}"] if thrown else []
        return []


def _entries(numbers: Sequence[int]) -> str:
    if len(numbers) < 2:
        return f"entry {numbers[0]}" if numbers else "nothing"
    return f"entries {numbers[0]} to {numbers[-1]}"


def _whose(table: Table, seat: SeatId) -> str:
    return seat_name(table.game, table.state, seat)


def seat_name(game: Game, state: State, seat: SeatId) -> str:
    """A person at the table, as the scene names them."""
    if seat == GUIDE:
        return game.guide_word
    return next((held.name or held.id.title() for held in state.scene.seats if held.id == seat), seat)


def ruling_words(ruling: Ruling) -> str:
    """A ruling in one line."""
    match ruling.kind:
        case "check":
            return _check_words(ruling)
        case "automatic":
            tier = f" ({ruling.tier})" if ruling.tier else ""
            if not ruling.counts:
                return f"no action at all: {ruling.success}"
            how = "several small acts as one" if ruling.bundle else "it happens" if ruling.good else "it goes wrong"
            return f"no roll{tier}, {how}{': ' + ruling.success if ruling.success else ''}"
        case "impossible":
            return f"impossible: {ruling.obstacle}"
        case "procedure":
            return f"the rule for {ruling.procedure.replace('_', ' ')}"
    return "unclear: ask what is meant, and how"


def _check_words(ruling: Ruling) -> str:
    number = "secret" if ruling.secret else "" if ruling.target is None else str(ruling.target)
    against = f" against {ruling.against}" if ruling.against else f", target {number}" if number else ""
    parts = [f"{ruling.skill} check{against}"]
    parts += [f"{ruling.ad} AD"] if ruling.ad is not None else []
    parts += [f"boost up to {ruling.boost}"] if ruling.boost is not None else []
    parts += [f"success: {ruling.success}"] if ruling.success else []
    parts += [f"failure: {ruling.failure}"] if ruling.failure else []
    parts += [f"warning: {ruling.warning}"] if ruling.warning else []
    return "; ".join(parts)


def entry_data(number: int, entry: Entry, lines: Sequence[str], standing: bool) -> dict[str, Any]:
    """An entry as plain data, with its lines of the story."""
    return {
        "entry": number,
        "by": entry.by,
        "input": plain(entry.input),
        "events": plain(entry.events),
        "outcome": plain(entry.outcome),
        "story": list(lines),
        "taken_back": not standing and not isinstance(entry.input, (Undone, Revealed)),
    }


def summary_of(entry: Entry, state: State) -> str:
    """An entry in a few words, for what undo would take back."""
    given = entry.input
    if isinstance(given, (Declared, Interjected)):
        d = given.declaration
        name = state.actors[d.actor].name if d.actor in state.actors else d.actor
        return f"{name}: {d.action.replace('_', ' ')}".removeprefix(": ")
    if isinstance(given, Answered) and any(isinstance(a, Rolled) for a in given.answers):
        return "dice"
    if isinstance(given, RuledOn):
        return "a ruling"
    return "a change" if isinstance(given, Overridden) else "an answer"


def listed(entries: Sequence[Entry], state: State) -> str:
    return listing(dict.fromkeys(summary_of(entry, state) for entry in entries))
