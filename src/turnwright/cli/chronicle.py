"""A log as something to keep: the story of a scene line by line, each with its rule, and told as Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from turnwright import catalogue, known
from turnwright.cli.story import Story, seat_name
from turnwright.events import Event
from turnwright.log import Answered, Entry, Undone
from turnwright.model import GUIDE, SPECTATOR, Rolled, SeatId, State, Struct
from turnwright.rules import Game
from turnwright.table import Table


class Past(Struct, frozen=True):
    """What is told of a table to one seat, taken out of it at one moment; the table may go on meanwhile.

    `seed` is empty until the table is over, `asked` are the questions that the seat has not answered, and `names` are
    what the people at the table are called.
    """

    game: Game
    start: State
    state: State
    log: tuple[Entry, ...]
    seat: SeatId
    commitment: str
    seed: str
    asked: tuple[str, ...]
    names: Mapping[SeatId, str]

    @property
    def known(self) -> State:
        """What the seat knows as things stand."""
        return self.game.known(self.state, self.seat)

    @property
    def name(self) -> str:
        """Whose story it is, as it stands in a sentence."""
        return f"the {self.name_of(GUIDE)}" if self.seat == GUIDE else self.name_of(self.seat)

    def name_of(self, seat: SeatId) -> str:
        if seat == SPECTATOR:
            return "everybody"
        return self.names.get(seat) or seat_name(self.game, self.start, seat)


def past_of(table: Table, seat: SeatId = GUIDE, names: Mapping[SeatId, str] | None = None) -> Past:
    """A table as it stands, for one seat; `names` are those that people gave, where they did."""
    asked = known.asked(table.waiting_on, seat)
    return Past(
        game=table.game,
        start=table.start,
        state=table.state,
        log=tuple(table.log),
        seat=seat,
        commitment=table.commitment,
        seed=table.secret.hex() if table.revealed else "",
        asked=tuple([_question(table, held.who, held.prompt, seat) for held in asked if not held.drafted]),
        names=dict(names or {}),
    )


def _question(table: Table, who: SeatId, prompt: str, seat: SeatId) -> str:
    return prompt if who == seat else f"{seat_name(table.game, table.state, who)}: {prompt}"


class Beat(NamedTuple):
    """One line of the story: its entry as the seat counts them, the rule behind it, and the state that it leads to.

    `number` is its entry in the log, `note` whatever was noted of the event that it tells.
    """

    entry: int
    text: str
    rule: str
    number: int
    state: State
    note: Any


class Throw(NamedTuple):
    """Dice that the table threw for a seat's own characters; `entry` as the seat counts them."""

    entry: int
    who: str
    what: str
    faces: tuple[int, ...]
    total: int


class _Heard(NamedTuple):
    told: tuple[State, Event]
    state: State
    note: Any


class Chronicle(Story):
    """The whole story of a scene as one seat was told it. `gone` are the places of the lines that were taken back."""

    def __init__(self, past: Past) -> None:
        super().__init__(past, past.seat)  # type: ignore[arg-type]  # it reads what both of them have
        self.past = past
        self.beats: list[Beat] = []
        self.gone: set[int] = set()
        self.throws: list[Throw] = []
        self._heard: list[_Heard] = []
        self._fresh: deque[Beat] = deque()
        self._thrown: list[tuple[Throw, int]] = []
        self._lie: list[Rolled] = []
        self.opening = self._noted = self._note(None, past.start)
        for line in self.on():
            beat = self._fresh.popleft()
            self.beats.append(beat._replace(entry=line.entry))
        numbers = self._numbers
        self.throws = [throw._replace(entry=numbers[n]) for throw, n in self._thrown if n in numbers]

    def _note(self, before: State | None, state: State) -> Any:
        """What is to be kept of a change beside its state."""
        return None

    def _go_back(self, back: int) -> Any:
        """What holds of that again before entry number `back`."""
        return None

    def _entry(self, number: int, entry: Entry) -> list[str]:
        answers = entry.input.answers if isinstance(entry.input, Answered) else ()
        self._lie = [a for a in answers if isinstance(a, Rolled) and a.faces and a.by != "table"]
        self._heard = []
        before, noted = self.state, self._noted
        if isinstance(entry.input, Undone):
            return self._back(number, entry, entry.input.back_to)
        lines = super()._entry(number, entry)
        said = len(self._said(entry)) if entry.events else len(lines)
        self._fresh.extend([Beat(0, text, "", number, before, noted) for text in lines[:said]])
        self._fresh.extend(self._with_rules(number, lines[said:]))
        return lines

    def _back(self, number: int, entry: Entry, back: int) -> list[str]:
        lines = super()._entry(number, entry)
        self.gone |= {place for place, beat in enumerate(self.beats) if beat.number >= back}
        self._thrown = [held for held in self._thrown if held[1] < back]
        self._noted = self._go_back(back)
        self._fresh.extend([Beat(0, text, "", number, self.state, self._noted) for text in lines])
        return lines

    def _event(self, event: Any) -> tuple[State, Event] | None:
        before = self.state
        told = super()._event(event)
        self._noted = self._note(before, self.state)
        if told is not None:
            self._heard.append(_Heard(told, self.state, self._noted))
            self._see_dice(told[1])
        return told

    def _with_rules(self, number: int, lines: Sequence[str]) -> Iterator[Beat]:
        """Each line with the event that it ends on, and with the last rule that it tells of."""
        first = 0
        for text, last in zip(lines, self._ends(len(lines)), strict=True):
            rules = [rule for held in self._heard[first : last + 1] if (rule := getattr(held.told[1], "rule", ""))]
            yield Beat(0, text, rules[-1] if rules else "", number, self._heard[last].state, self._heard[last].note)
            first = last + 1

    def _ends(self, count: int) -> list[int]:
        """For each line of a run of events the place of the last one that it tells."""
        told = [held.told for held in self._heard]
        if type(self.game).tell_all is Game.tell_all:
            return [n for n, (state, event) in enumerate(told) if self.game.tell(state, event)]
        ends = [len(told) - 1] * count
        left = count
        for place in range(len(told) - 1, -1, -1):
            after = len(self.game.tell_all(told[place:]))
            while left and count - left < after:
                ends[left - 1] = place
                left -= 1
        return ends

    def _see_dice(self, event: Event) -> None:
        """Dice are shown to whoever threw them and was told what they came to."""
        who = self.state.actors.get(getattr(event, "actor", ""))
        if not self._lie or who is None or self.seat not in (GUIDE, who.seat):
            return
        totals = [getattr(event, name, None) for name in ("total", "totals")]
        for lying in self._lie:
            if lying.total is not None and lying.total in totals:
                what = str(getattr(event, "skill", "") or getattr(event, "what", ""))
                number = len(self.befores) - 1
                self._thrown.append((Throw(0, who.name, what.replace("_", " "), lying.faces, lying.total), number))
                self._lie.remove(lying)
                return


def rules_behind(game: Game, ids: Iterable[str]) -> dict[str, catalogue.Rule]:
    """The rows of the catalogue for some rule ids, in the order of the ids; unknown ones are left out."""
    found = {name: catalogue.find(game, name) for name in dict.fromkeys(ids) if name}
    return {name: row for name, row in found.items() if row is not None}


# -- as Markdown

MARKS = re.compile(r"([\\`*_\[\]<>|~#&$@])")
STARTS = re.compile(r"^(\d+)([.)])|^([-+=:])")
LINKS = re.compile(r"(:)(?=//)|(?<=www)(\.)", re.IGNORECASE)
UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Cs")
"""Kinds of characters that have no picture of their own and may change how others are shown."""


def one_line(text: str) -> str:
    """A text as one line of what can be seen."""
    return " ".join("".join([" " if unicodedata.category(c) in UNSEEN else c for c in text]).split())


def as_text(text: str) -> str:
    """A text that stays text in Markdown: no mark, link, list or heading comes of it."""
    plain = MARKS.sub(r"\\\1", one_line(text))
    plain = LINKS.sub(lambda found: f"\\{found.group(0)}", plain)
    return STARTS.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", plain)


def markdown(past: Past) -> str:
    """The story of a scene as one seat was told it, as Markdown."""
    told = Chronicle(past)
    rules = rules_behind(past.game, [beat.rule for beat in told.beats])
    parts = [
        f"# {as_text(past.known.scene.title) or 'A scene'}",
        f"{as_text(past.game.title)}, as {as_text(past.name)} was told it.",
        "\n".join(_seats(past)),
        *_rounds(told, rules),
        *_ending(past),
        *_dice(past, told.throws),
        "\n".join([_footnote(name, row) for name, row in rules.items()]),
    ]
    return "\n\n".join([part for part in parts if part]) + "\n"


def _seats(past: Past) -> Iterator[str]:
    """Who is at the table, and whom of them the seat knows to play whom."""
    played: dict[SeatId, list[str]] = {seat: [] for seat in (GUIDE, *[held.id for held in past.known.scene.seats])}
    opening = past.game.known(past.start, past.seat).actors
    for actor in ({**opening, **past.known.actors}).values():
        if actor.seat:
            played.setdefault(actor.seat, []).append(actor.name)
    for seat, names in played.items():
        listed = ", ".join([as_text(name) for name in names])
        yield f"- **{as_text(past.name_of(seat))}**{f': {listed}' if listed else ''}"


def _rounds(told: Chronicle, rules: Mapping[str, catalogue.Rule]) -> Iterator[str]:
    at, entry, lines = -1, -1, list[str]()
    for place, beat in enumerate(told.beats):
        if beat.state.round != at:
            if lines:
                yield "\n".join(lines)
            at, lines = beat.state.round, []
            yield f"## Round {at}" if at else "## Before the first round"
        lines.append(_item(beat, place in told.gone, beat.entry != entry, beat.rule in rules))
        entry = beat.entry
    yield "\n".join(lines) if told.beats else "Nothing has happened yet."


def _item(beat: Beat, gone: bool, first: bool, cited: bool) -> str:
    note = beat.text.startswith("-- ")
    text = as_text(beat.text.removeprefix("-- "))
    shown = f"~~{text}~~ (taken back)" if gone else f"*{text}*" if note else text
    return f"- {f'`{beat.entry}` ' if first else ''}{shown}{f'[^{beat.rule}]' if cited else ''}"


def _ending(past: Past) -> Iterator[str]:
    if past.seed:
        return
    yield "## Where it stands"
    acting = past.known.actors.get(past.known.active or "")
    yield "The scene is not over." + (f" It is the turn of {as_text(acting.name)}." if acting is not None else "")
    if past.asked:
        yield "\n".join([f"- Still asked: {as_text(prompt)}" for prompt in past.asked])


def _dice(past: Past, throws: Sequence[Throw]) -> Iterator[str]:
    yield "## Dice"
    if throws:
        rows = [
            f"| `{t.entry}` | {as_text(t.who)} | {as_text(t.what)} | {' '.join(map(str, t.faces))} | {t.total} |"
            for t in throws
        ]
        yield "\n".join(["| entry | who | what for | dice | total |", "|---|---|---|---|---|", *rows])
    yield f"The commitment, made before the first die fell: `{past.commitment}`"
    if past.seed:
        yield f"The seed: `{past.seed}`"
    else:
        yield "The seed is opened when the table is over; then every die can be checked against it."


def _footnote(name: str, row: catalogue.Rule) -> str:
    source = f" ({as_text(row.source)})" if row.source else ""
    return f"[^{name}]: `{name}`: {as_text(row.statement)}{source}"
