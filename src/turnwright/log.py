"""Entries of a log: one input, what it caused, and a mark to compare a re-run by; and the file that holds them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import astuple

from turnwright.events import Event
from turnwright.model import (
    AnyAnswer,
    Clarified,
    Declaration,
    Outcome,
    Question,
    Ruled,
    SeatId,
    State,
    Struct,
    dec_hook,
    enc_hook,
)
from turnwright.rules import Game
from turnwright.running import Closed, Input, Interjection, Override

FORMAT = 1
MOST_BYTES = 200_000_000


class BadLog(ValueError):
    """A log that cannot be read: what is wrong, and in which line."""

    def __init__(self, source: str, line: int, expected: str, got: str) -> None:
        self.source, self.line, self.expected, self.got = source, line, expected, got
        super().__init__(f"{source}:{line}: expected {expected}; got {got[:200]}")


class Differs(BadLog):
    """A log that reads well and does not come out the same when it is run again."""

    def __init__(self, source: str, entry: int, expected: str, got: str) -> None:
        self.entry = entry
        super().__init__(source, entry + 2, f"entry {entry} to give {expected}", got)


class Declared(Struct, frozen=True, tag="declared"):
    """Somebody declared an action."""

    declaration: Declaration
    overrule: str = ""
    """Why the guide lets it pass although the rules refuse it."""


class Interjected(Struct, frozen=True, tag="interjected"):
    """Something was declared while another's question was open."""

    declaration: Declaration


class Answered(Struct, frozen=True, tag="closed"):
    """All answers of one group, in the order of its questions; None for those still open when one withdrew."""

    answers: tuple[AnyAnswer | None, ...]


class RuledOn(Struct, frozen=True, tag="ruled"):
    """The same where the guide ruled."""

    answers: tuple[AnyAnswer | None, ...]


class Overridden(Struct, frozen=True, tag="overridden"):
    """The guide changed something, and why."""

    changes: tuple[Any, ...]
    reason: str


class Undone(Struct, frozen=True, tag="undone"):
    """`back_to` is the number of the first entry that was taken back."""

    back_to: int


class Revealed(Struct, frozen=True, tag="revealed"):
    """The table is over and its seed is open."""

    seed: str


AnyInput = Declared | Interjected | Answered | RuledOn | Overridden | Undone | Revealed


class Entry(Struct, frozen=True):
    """One input, by whom, the events it caused and the mark of its re-run."""

    by: SeatId
    input: AnyInput
    events: tuple[Event, ...] = ()
    mark: str = ""
    outcome: Outcome | None = None


class Draft(Struct, frozen=True):
    """An answer that its owner can still replace, because its group is not closed."""

    index: int
    answer: AnyAnswer


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a log: the scene as it was written, the table's options, and its secret while it is played."""

    turnwright: int
    system: str
    scene: str
    commitment: str
    secret: str = ""
    mode: Literal["enforce", "confirm", "advise"] = "enforce"
    windows: Literal["honest", "blind"] = "honest"
    by_hand: tuple[str, ...] = ()
    standing: dict[str, str] = {}
    rulings: Literal["ask", "auto"] = "ask"


_encoder = msgspec.json.Encoder(enc_hook=enc_hook)
encode = _encoder.encode


def digest(*parts: bytes) -> bytes:
    sized = b"".join([len(part).to_bytes(8, "big") + part for part in parts])
    return blake2b(sized, digest_size=16).digest()


def state_digest(state: State) -> bytes:
    """What changes while a scene is played, part by part; whatever has not changed is not read anew."""
    parts = []
    for name, actor in state.actors.items():
        kept = _digests.get(name)
        parts.append(kept[1] if kept is not None and kept[0] is actor else _part_digest(name, actor))
    parts.append(_part_digest("every relation", state.relations))
    parts.append(_part_digest("every fact", state.facts))
    parts.append(_part_digest("every ruling", state.rulings))
    rest = encode((state.open_doors, state.mode, state.round, state.active, state.last))
    return digest(b"".join(parts), rest)


_digests: dict[str, tuple[Any, bytes]] = {}


def _part_digest(name: str, value: Any) -> bytes:
    """The digest of a part; the last one of each name is kept with the part, alive, so that it is known again."""
    kept = _digests.get(name)
    if kept is None or kept[0] is not value:
        if len(_digests) >= 1000:
            _digests.clear()
        kept = _digests[name] = (value, digest(encode(value)))
    return kept[1]


def mark(questions: tuple[Question, ...], events: Iterable[Event], before: State | None) -> str:
    """The digest of what was answered and what it caused; with a declaration, of the state before it too."""
    parts = [encode(questions), encode(tuple(events))]
    if before is not None:
        parts.append(state_digest(before))
    return digest(*parts).hex()


def without_words(given: AnyInput) -> bytes:
    """An input without its free text, for the chain that the dice hang on."""
    if isinstance(given, (Declared, Interjected)):
        return encode((type(given).__name__, given.declaration.key()))
    if isinstance(given, (Answered, RuledOn)):
        return encode(tuple(_wordless(answer) for answer in given.answers))
    if isinstance(given, Overridden):
        return encode(given.changes)
    return encode(given)


def _wordless(answer: AnyAnswer | None) -> object:
    if isinstance(answer, Clarified):
        return "clarified"
    if isinstance(answer, Ruled):
        r = answer.ruling
        return (r.kind, r.procedure, r.skill, r.target, r.against, r.tier, r.ad, r.dice, r.boost, r.good, r.bundle)
    return answer


def interned(value: Any) -> Any:
    """An input with one object for each text, so that it is encoded alike whether it was typed or read from a file.

    The encoder leaves out what is the very object that a default is; two equal texts are not always one object.
    """
    kind = type(value)
    if kind is str:
        return sys.intern(value)
    if kind is tuple:
        return tuple(_each_interned(value)) if value else value
    if kind is dict:
        return {interned(key): interned(part) for key, part in value.items()} if value else value
    if isinstance(value, msgspec.Struct):
        return kind(*_each_interned(astuple(value)))
    return value


def _each_interned(parts: tuple[Any, ...]) -> list[Any]:
    once = sys.intern
    return [once(p) if type(p) is str else p if type(p) in NUMBERS else interned(p) for p in parts]


NUMBERS = frozenset((int, bool, type(None)))


def as_input(given: AnyInput) -> Input:
    """What the engine is fed for what is written down."""
    if isinstance(given, Interjected):
        return Interjection(given.declaration)
    if isinstance(given, Overridden):
        return Override(given.changes)
    assert isinstance(given, (Answered, RuledOn))
    return Closed(given.answers)


class LogFile:
    """Reads and writes the lines of a log for one game, whose events it knows."""

    def __init__(self, game: Game) -> None:
        any_event: Any = game.event_types[0]
        for kind in game.event_types[1:]:
            any_event = any_event | kind
        fields: list[Any] = [
            ("by", str),
            ("input", AnyInput),
            ("events", tuple[any_event, ...], ()),
            ("mark", str, ""),
            ("outcome", Outcome | None, None),
        ]
        row = msgspec.defstruct("Row", fields, frozen=True)
        self._row = msgspec.json.Decoder(row, dec_hook=dec_hook)
        self._changes: Any = tuple[any_event, ...]

    def read_entry(self, line: bytes) -> Entry:
        row: Any = self._row.decode(line)
        given = row.input
        if isinstance(given, Overridden):
            changes = msgspec.convert(given.changes, self._changes, dec_hook=dec_hook)
            given = Overridden(changes, given.reason)
        return Entry(row.by, given, row.events, row.mark, row.outcome)


def write_lines(path: Path, header: Header, entries: Iterable[Entry], drafts: Iterable[Draft]) -> None:
    """Write the whole file anew and put it in place at once, so that a stop in the middle loses nothing."""
    lines = [encode(header), *(encode(entry) for entry in entries)]
    lines.extend(encode({"draft": draft}) for draft in drafts)
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        file.write(b"\n".join(lines) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def read_lines(path: Path) -> tuple[Header, list[bytes]]:
    """The header and the other lines. Raises BadLog."""
    source = str(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadLog(source, 1, f"a log of at most {MOST_BYTES} bytes", f"{path.stat().st_size} bytes")
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise BadLog(source, 1, "a log file", error.strerror or str(error)) from None
    header = read_header(lines[0], source)
    return header, [line for line in lines[1:] if line.strip()]


def read_header(line: bytes, source: str) -> Header:
    try:
        header = msgspec.json.decode(line, type=Header)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadLog(source, 1, "the first line of a log", str(error)) from None
    if header.turnwright != FORMAT:
        raise BadLog(source, 1, f"a log of format {FORMAT}", f"format {header.turnwright}")
    return header


def read_draft(line: bytes) -> Draft | None:
    if not line.startswith(b'{"draft"'):
        return None
    return msgspec.json.decode(line, type=dict[str, Draft])["draft"]
