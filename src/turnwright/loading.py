"""Runs a log again on a table and compares, entry by entry; and checks its dice against the seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from turnwright.answers import read_answer
from turnwright.dice import ByHand, Seeded, Source, commitment
from turnwright.documents import BadScene
from turnwright.log import (
    FORMAT,
    Answered,
    BadLog,
    Declared,
    Differs,
    Draft,
    Entry,
    Header,
    LogFile,
    Overridden,
    Revealed,
    Undone,
    digest,
    read_draft,
    read_lines,
    without_words,
)
from turnwright.model import GUIDE, Question, Refused, Roll, Rolled, State, Struct, Withdraw
from turnwright.opening import read_scene
from turnwright.running import Pending

if TYPE_CHECKING:
    from turnwright.table import Table


class Taken(Struct, frozen=True):
    """The table before one entry, for undo."""

    state: State
    pending: Pending | None
    chain: bytes
    entry: int


def header_of(table: Table) -> Header:
    """The first line of its log."""
    return Header(
        FORMAT,
        table.game.name,
        table.start.scene.source or "",
        table.commitment,
        "" if table.revealed else table.secret.hex(),
        table.mode,
        table.windows,
        ("*",) if table.dice_by_hand else table.by_hand,
        table.standing,
        table.rulings,
    )


def load(cls: type[Table], path: Path, from_events: bool) -> Table:
    """Run a log again and compare. Raises BadLog, Differs."""
    header, lines = read_lines(path)
    source = str(path)
    try:
        start = read_scene(header.scene, f"{source}: the scene in it", system=header.system)
        table = opened(cls, start, header)
    except (BadScene, LookupError, ValueError) as error:
        raise BadLog(source, 1, "a scene that can be read", str(error)) from None
    run_again(table, lines, source, from_events)
    return table


def opened(cls: type[Table], start: State, header: Header) -> Table:
    """A table as the first line of a log says."""
    by_hand = header.by_hand
    table = cls(
        start,
        seed=bytes.fromhex(header.secret) if header.secret else b"",
        dice="table" if by_hand == ("*",) else "engine",
        mode=header.mode,
        windows=header.windows,
        by_hand=() if by_hand == ("*",) else by_hand,
        standing=header.standing,
        rulings=header.rulings,
    )
    if not header.secret:
        table.secret, table.source = b"", ByHand()
    table.commitment = header.commitment
    table._chain = digest(header.commitment.encode())
    return table


def run_again(table: Table, lines: list[bytes], source: str, from_events: bool = False) -> None:
    """Run the lines of a log on the table that they begin with. Raises BadLog, Differs."""
    Loader(table, source, from_events).read(lines)


class Loader:
    """Re-runs the lines of a log on a table."""

    def __init__(self, table: Table, source: str, from_events: bool) -> None:
        self.table, self.source, self.from_events = table, source, from_events
        self.file = LogFile(table.game)
        self.diverged = False

    def read(self, lines: list[bytes]) -> None:
        for number, line in enumerate(lines):
            try:
                draft = read_draft(line)
                entry = None if draft is not None else self.file.read_entry(line)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                raise BadLog(self.source, number + 2, "an entry of this game", str(error)) from None
            if draft is not None:
                self._draft(number, draft)
            elif entry is not None:
                self._take(number, entry)
        self._check_secret()
        if self.diverged:
            self._cancel_what_waits()
        elif not self.table.revealed:
            self.table._close_if_ready()

    def _cancel_what_waits(self) -> None:
        """An action that has no outcome in the stored entries cannot go on: back to the state before it."""
        table, begun = self.table, None
        for index, entry in enumerate(table.live):
            if begun is None and isinstance(entry.input, (Declared, Overridden)):
                begun = index
            if entry.outcome is not None or (isinstance(entry.input, Overridden) and not table.game.settle_action):
                begun = None
        if begun is not None:
            table._take_back(begun, GUIDE)

    def _draft(self, number: int, draft: Draft) -> None:
        """A draft is read like the answer that it was; where the stored events go on there is no question for it."""
        table = self.table
        if self.diverged:
            return
        try:
            asked = table._names.open[draft.index][1] if draft.index >= 0 else None
            if asked is None or isinstance(draft.answer, Withdraw):
                raise LookupError(f"no question {draft.index} is open")
            table._drafts[draft.index] = read_answer(table.game, table.state, asked, draft.answer, confirm=True)
        except (LookupError, Refused) as error:
            raise BadLog(self.source, number + 2, "a draft that answers an open question", str(error)) from None

    def _take(self, number: int, entry: Entry) -> None:
        table = self.table
        if table.revealed:
            raise BadLog(self.source, number + 2, "nothing after the seed was revealed", type(entry.input).__name__)
        if isinstance(entry.input, Undone):
            self._undo(number, entry)
        elif isinstance(entry.input, Revealed):
            table.secret = _seed(entry.input.seed, self.source, number)
            table.source = Seeded(table.secret)
            table._write(entry, table.state)
        elif self.diverged:
            self._store(number, entry)
        else:
            self._run(number, entry)

    def _run(self, number: int, entry: Entry) -> None:
        table = self.table
        kept = Taken(table.state, table.pending, table._chain, len(table.log))
        try:
            made = table._enter(entry.by, entry.input)
        except Exception as error:
            if not self.from_events:
                raise Differs(self.source, number, f"mark {entry.mark}", f"{type(error).__name__}: {error}") from None
            self._diverge(number, kept, entry)
            return
        if made.mark == entry.mark and made.events == entry.events and made.outcome == entry.outcome:
            return
        if not self.from_events:
            wanted, got = _first_difference(entry, made)
            raise Differs(self.source, number, wanted, got)
        table._taken.pop()
        table._states.pop()
        table.log.pop()
        self._diverge(number, kept, entry)

    def _diverge(self, number: int, kept: Taken, entry: Entry) -> None:
        """From here on the stored events are taken as they stand, on the state before the action that was waiting."""
        self.diverged = True
        self.table._restore(replace(kept, pending=None))
        self._store(number, entry)

    def _store(self, number: int, entry: Entry) -> None:
        table = self.table
        table._taken.append(Taken(table.state, None, table._chain, len(table.log)))
        table._write(entry, table.state)
        table._redo = []
        try:
            for event in entry.events:
                table._play.emit(event)
        except (LookupError, AttributeError, TypeError, ValueError, AssertionError) as error:
            raise BadLog(self.source, number + 2, "events that fit the state", repr(error)) from None
        table._chain = digest(table._chain, without_words(entry.input))

    def _undo(self, number: int, entry: Entry) -> None:
        table = self.table
        assert isinstance(entry.input, Undone)
        back_to = entry.input.back_to
        at = next((i for i, taken in enumerate(table._taken) if taken.entry == back_to), None)
        if at is None:
            raise Differs(self.source, number, f"an entry {back_to} to take back", "there is none")
        table._take_back(at, entry.by)

    def _check_secret(self) -> None:
        if commitment(self.table.secret) != self.table.commitment and self.table.secret:
            raise BadLog(self.source, 1, "a seed that fits its commitment", "another seed")


def verify(table: Table) -> list[str]:
    """Check every die that the engine threw against the seed; gives what does not fit, in words."""
    found: list[str] = []
    if commitment(table.secret) != table.commitment:
        found.append("the seed does not fit the commitment at the start")
    again = opened(type(table), table.start, replace(header_of(table), secret=table.secret.hex()))
    source = Seeded(table.secret)
    for entry in table.live:
        questions = again._run.questions if again._run is not None else ()
        if isinstance(entry.input, Answered):
            found.extend(_wrong_dice(source, again._chain, questions, entry.input, len(again.log)))
        again._enter(entry.by, entry.input)
    if again.state != table.state:
        found.append("the state at the end is another one")
    return found


def _wrong_dice(
    source: Source, chain: bytes, questions: Sequence[Question], given: Answered, number: int
) -> Iterable[str]:
    for index, (question, answer) in enumerate(zip(questions, given.answers, strict=True)):
        if isinstance(question, Roll) and isinstance(answer, Rolled) and answer.by == "engine":
            faces = source.faces(question.pool, chain, index)
            if isinstance(faces, tuple) and faces != answer.faces:
                yield f"entry {number}: the seed gives {faces}, the log has {answer.faces}"


def _seed(written: str, source: str, number: int) -> bytes:
    try:
        return bytes.fromhex(written)
    except ValueError:
        raise BadLog(source, number + 2, "a seed in hexadecimal", repr(written)) from None


def _first_difference(wanted: Entry, made: Entry) -> tuple[str, str]:
    for a, b in zip(wanted.events, made.events, strict=False):
        if a != b:
            return repr(a), repr(b)
    if len(wanted.events) != len(made.events):
        return f"{len(wanted.events)} events", f"{len(made.events)} events"
    return f"mark {wanted.mark}", f"mark {made.mark}"
