"""One table that is played live: commands of its seats, each carried out once, kept on disk, and only then shown."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from turnwright.documents import BadScene
from turnwright.known import Open
from turnwright.loading import opened, run_again
from turnwright.log import BadLog, Differs, Draft, encode, read_header
from turnwright.model import GUIDE, SPECTATOR, Refusal, Refused, Roll, SeatId, State, Withdraw
from turnwright.opening import read_scene
from turnwright.table import DICE, Mode, Table, Windows
from turnwright.unattended import Unattended
from turnwright.web.fog import check_seen
from turnwright.web.store import BadBackup, Kept, Step, Store, new_id, read_backup
from turnwright.web.windows import marks

log = logging.getLogger("turnwright.table")
Kind = Literal[
    "declare",
    "answer",
    "interject",
    "undo",
    "redo",
    "override",
    "revoke",
    "begin",
    "standing",
    "dice",
    "bots",
    "pause",
    "name",
    "end",
]
GUIDES: tuple[Kind, ...] = ("redo", "override", "revoke", "begin", "bots", "pause", "end")
"""What only the guide may do."""
ASIDE: tuple[Kind, ...] = ("standing", "dice", "bots", "pause", "name")
"""What concerns the table and not the scene: it needs no version, and is open while the table is paused."""
MOST_TEXT = 2_000
"""Characters of one text that a person types."""
MOST_NAME = 60
MOST_PARTS = 1_000
"""Texts, numbers and lists in all that one command says."""
MOST_DEEP = 6
MOST_STANDING = 50
MOST_ID = 64
MOST_NUMBER = 10**9
MOST_ALONE = 2_000
"""Entries of the log in a row that no person made; then the table waits, so that one that was left does not run on."""


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat asks for: `id` is the seat's own and new each time, `version` the one that it saw."""

    id: str
    version: int
    do: Kind
    said: dict[str, Any] = {}


class Reply(msgspec.Struct, frozen=True):
    """What came of a command. `code` is empty where it was carried out; `refusals` say everything against it."""

    ok: bool
    version: int
    code: Literal["", "REFUSED", "STALE", "PAUSED", "OVER", "NOT_YOURS", "BAD_COMMAND", "NOT_KEPT", "BROKEN"] = ""
    refusals: tuple[Refusal, ...] = ()


class Options(msgspec.Struct, frozen=True):
    """What the guide has set for the table, and how far each seat's version had come."""

    bots: tuple[str, ...] = ()
    guided: bool = False
    paused: bool = False
    names: dict[str, str] = {}
    versions: dict[str, int] = {}
    notices: int = 0
    noticed: dict[str, int] = {}
    """The notices that concern one seat alone, besides those for everybody."""


class Gone(Exception):
    """What is in memory may differ from what is on disk: the table has to be read anew."""


class NotYours(Exception):
    """A command that is not for this seat to give."""


class LiveTable:
    """One table in memory, as it lies on disk. Nothing of a command is to be seen before it is kept.

    `lock` is held while anything of it is read or done.
    """

    def __init__(self, kept: Kept, store: Store, clock: Callable[[], float] = time.time) -> None:
        self.store, self.clock, self.lock = store, clock, threading.RLock()
        self.gone = False
        """Whether what is in memory may differ from what is on disk, so that it has to be read anew."""
        self.stuck = ""
        """What goes wrong whenever a bot, or whoever else is no person, is to go on; empty where all is well."""
        self.pictured = store.has_picture(kept.id)
        """Whether a picture lies under the map."""
        self._take(kept)

    @property
    def id(self) -> str:
        return self.kept.id

    def _take(self, kept: Kept) -> None:
        self.options = msgspec.json.decode(kept.options, type=Options) if kept.options else Options()
        self.table = _table(kept)
        self.alone = set(kept.unattended)
        self._ahead = {seat: n - self.table.version(seat) for seat, n in self.options.versions.items()}
        self._stored = len(kept.entries)
        attended = [number for number in range(self._stored) if number not in self.alone]
        self._attended = attended[-1] + 1 if attended else 0
        """How long the log was when a person last did something."""
        self._bots = Unattended(self.table)
        self.told: dict[SeatId, Any] = {}
        """What each seat has been told so far, as its pages show it."""
        self._windows = marks(self.table, self.seats)
        self.kept = replace(kept, entries=(), unattended=(), drafts=())
        if len(self.table.log) > self._stored:  # an older version wrote it, and it goes on otherwise from here
            self._ahead = {seat: ahead + 1 for seat, ahead in self._ahead.items()}
            self._keep("", None)

    def picture_of(self, seat: SeatId, seen: int) -> str:
        """What the picture under the map with so much of it seen is called; empty where there is no picture."""
        if not self.pictured:
            return ""
        return hashlib.sha256(f"{self.id} {seat} {seen:x}".encode()).hexdigest()[:24]

    @property
    def notices(self) -> int:
        """Rises with what concerns the table and not the scene, and everybody at it."""
        return self.options.notices

    def notices_for(self, seat: SeatId) -> int:
        """The notices as a seat's pages count them: for the guide's something is new also once the table is stuck."""
        found = self.notices + self.options.noticed.get(seat, 0)
        return 2 * found + bool(self.stuck) if seat == GUIDE else found

    @property
    def steps(self) -> int:
        """How often the table was written to."""
        return self.kept.steps

    # -- looking

    @property
    def seats(self) -> tuple[SeatId, ...]:
        """The guide, every seat that the scene names or whose characters are in it, and those who only watch."""
        return seats_in(self.table.state)

    def name_of(self, seat: SeatId) -> str:
        """A person at the table, by the name that they gave, else as the scene calls them."""
        given = self.options.names.get(seat)
        if given:
            return given
        if seat == GUIDE:
            return self.table.game.guide_word
        named = next((held.name for held in self.table.start.scene.seats if held.id == seat), "")
        return named or seat.replace("-", " ").title()

    def version(self, seat: SeatId) -> int:
        """The version of what a seat sees; it rises and never falls, also over a restart."""
        return self.table.version(seat) + self._ahead.get(seat, 0)

    def waiting(self) -> tuple[Open, ...]:
        """The questions that people are asked and have not answered."""
        return tuple([held for held in self.table.waiting_on if not held.drafted])

    @contextmanager
    def looked_at(self) -> Iterator[LiveTable]:
        """Nothing changes while this lasts. Raises Gone."""
        with self.lock:
            if self.gone:
                raise Gone
            yield self

    # -- doing

    def execute(self, seat: SeatId, command: Command) -> Reply:
        """Carry out a command, once: one that comes again is answered as before. Raises NoStore, Conflict, Gone."""
        with self.looked_at():
            if not _is_id(command.id):
                text = f"a command's id has 1 to {MOST_ID} letters and digits; got {command.id[:MOST_ID]!r}"
                return self._refused(seat, "BAD_COMMAND", Refusal("", text, "BAD_COMMAND"))
            held = self.store.reply(self.id, seat, command.id)
            if held is not None:
                return msgspec.json.decode(held, type=Reply)
            against = self._against(seat, command)
            if against is not None:
                return against
            try:
                with self._whole():
                    self._do(seat, command.do, command.said)
            except NotYours as error:
                return self._refused(seat, "NOT_YOURS", Refusal("", str(error), "NOT_YOURS"))
            except Refused as error:
                return self._refused(seat, "REFUSED", *error.refusals)
            return self._keep(seat, command)

    def go_on(self, turns: bool = True) -> bool:
        """One step that no person makes, kept like a command; whether there was one. Raises NoStore, Conflict, Gone."""
        with self.looked_at():
            if self.options.paused or self.table.revealed:
                return False
            before = self._mark()
            with self._whole():
                step = self._bots.next(self.options.bots, self.options.guided, turns)
                if step is None or self._left_alone():
                    return False
                step()
            if before == self._mark():
                return False
            self._keep("", None)
            return True

    def _left_alone(self) -> bool:
        """Whether enough has gone on without a person that the table waits for one."""
        if len(self.table.log) - self._attended < MOST_ALONE:
            return False
        self.stuck = f"nobody has done anything for {MOST_ALONE} entries of the log"
        return True

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """What breaks off in the middle leaves nothing behind: the table is read anew from what is on disk.

        A refusal is an answer like any other, where it truly has changed nothing.
        """
        before = self._mark(), self.table.header(), self.options
        try:
            yield
        except (Refused, NotYours):
            self.gone = self.gone or before != (self._mark(), self.table.header(), self.options)
            raise
        except BaseException:
            self.gone = True
            raise

    def _mark(self) -> tuple[int, tuple[bytes, ...]]:
        return len(self.table.log), draft_lines(self.table)

    def _against(self, seat: SeatId, command: Command) -> Reply | None:
        """What stands against a command before it is looked into."""
        if seat == SPECTATOR or (command.do in GUIDES and seat != GUIDE):
            return self._refused(seat, "NOT_YOURS", Refusal("", "this is not for you to do", "NOT_YOURS"))
        if self.table.revealed:
            return self._refused(seat, "OVER", Refusal("", "the table is over", "OVER"))
        if command.do in ASIDE:
            return None
        if self.options.paused and seat != GUIDE:
            return self._refused(seat, "PAUSED", Refusal("", f"the {self.guide} has paused the table", "PAUSED"))
        if command.version != self.version(seat):
            text = "something has changed since; look again"
            return self._refused(seat, "STALE", Refusal("", text, "STALE"))
        return None

    @property
    def guide(self) -> str:
        return self.table.game.guide_word

    def _refused(self, seat: SeatId, code: Any, *refusals: Refusal) -> Reply:
        return Reply(False, self.version(seat), code, refusals)

    def _do(self, seat: SeatId, do: Kind, said: dict[str, Any]) -> None:
        """Raises Refused, NotYours, and then nothing has changed."""
        check_size(said)
        said = dict(said)
        match do:
            case "declare":
                self._whose(seat, said.get("actor"))
                check_seen(self.table, seat, said)
                overrule = said.pop("overrule", "") if seat == GUIDE else ""
                self.table.declare(*_two(said), seat=self._by(seat), overrule=overrule, **said)
            case "interject":
                self._whose(seat, said.get("actor"))
                check_seen(self.table, seat, said)
                # What is done at any moment is offered the same way whether or not something is asked of others.
                do_it = self.table.interject if self.table.pending is not None else self.table.declare
                do_it(*_two(said), seat=self._by(seat), **said)
            case "answer":
                question, confirm = _text(said, "question"), said.get("confirm") is True
                value = Withdraw if said.get("withdraw") is True else said.get("value")
                self.table.answer(question, value, seat=seat, confirm=confirm)
            case "undo":
                self._undo(seat)
            case "redo":
                self.table.redo()
            case "override":
                self.table.override(_changes(said.get("changes")), _text(said, "reason"))
            case "revoke":
                self.table.revoke(_text(said, "when"), _text(said, "reason"))
            case "begin":
                self.table.declare(_text(said, "actor"), "begin", seat=GUIDE)
            case _:
                self._aside(seat, do, said)

    def _aside(self, seat: SeatId, do: Kind, said: dict[str, Any]) -> None:
        """What concerns the table and not the scene; who has something new to see is told."""
        told: tuple[SeatId, ...] = ()
        match do:
            case "standing":
                about, wish = _text(said, "about"), str(said.get("wish", ""))
                kept = {name: held for name, held in self.table.standing.items() if name != f"{seat} {about}"}
                if sum(name.startswith(f"{seat} ") for name in kept) >= MOST_STANDING:
                    text = f"at most {MOST_STANDING} standing answers are kept for a seat"
                    raise Refused(Refusal("", text, "BAD_COMMAND"))
                self.table.standing = kept | ({f"{seat} {about}": wish} if wish else {})
                self.table.ask_again()
                told = (seat,)
            case "dice":
                whose = said.get("seat", seat)
                if seat not in (GUIDE, whose) or whose not in self.seats:
                    raise NotYours("everybody decides about their own dice")
                rest = tuple([held for held in self.table.by_hand if held != whose])
                self.table.by_hand = (*rest, whose) if said.get("by_hand") is True else rest
                self.table.ask_again()
                told = tuple(dict.fromkeys((GUIDE, whose)))
            case "bots":
                self.options = replace(self.options, bots=self._actors(said), guided=said.get("guided") is True)
                told = (GUIDE,)
            case "pause":
                self.options = replace(self.options, paused=said.get("paused") is True)
            case "name":
                whose, name = said.get("seat", seat), _plain_line(str(said.get("name", "")))
                if seat not in (GUIDE, whose) or whose not in self.seats:
                    raise NotYours("everybody chooses their own name")
                self._check_name(whose, name[:MOST_NAME])
                self.options = replace(self.options, names=self.options.names | {whose: name[:MOST_NAME]})
            case "end":
                self.table.reveal()
        self._notice(told)

    def _notice(self, seats: tuple[SeatId, ...]) -> None:
        """Something new for some seats, or for everybody where none is named."""
        if not seats:
            self.options = replace(self.options, notices=self.options.notices + 1)
            return
        held = self.options.noticed
        self.options = replace(self.options, noticed=held | {seat: held.get(seat, 0) + 1 for seat in seats})

    def _check_name(self, seat: SeatId, name: str) -> None:
        """Nobody goes by the name of another at the table. Raises Refused."""
        others = [self.name_of(other) for other in self.seats if other != seat]
        if name and alike(name) in map(alike, others if seat == GUIDE else [*others, self.guide]):
            raise Refused(Refusal("", f"somebody else at the table is called {name}", "NAME_TAKEN"))

    def _actors(self, said: dict[str, Any]) -> tuple[str, ...]:
        given = said.get("actors", ())
        actors = self.table.state.actors
        if not isinstance(given, (list, tuple)) or not all(isinstance(n, str) and n in actors for n in given):
            raise Refused(Refusal("", f"name who plays without a person, by id; got {given!r}", "BAD_COMMAND"))
        return tuple(dict.fromkeys(given))

    def _whose(self, seat: SeatId, actor: Any) -> None:
        """The guide plays for anybody, or for nobody; a seat its own characters.

        That somebody unseen is not its own is not said.
        """
        if not isinstance(actor, str):
            raise Refused(Refusal("", f"say who acts, by id, or nobody by an empty text; got {actor!r}", "BAD_COMMAND"))
        held = None if seat == GUIDE else self.table.knows(seat).actors.get(actor)
        if held is not None and held.seat != seat:
            raise NotYours("this character is not yours to play")

    def _by(self, seat: SeatId) -> SeatId | None:
        """For whom it is done: the guide who plays for an absent seat does it in that seat's name."""
        return None if seat == GUIDE else seat

    def _undo(self, seat: SeatId) -> None:
        """Back to before what a person did last: past bots and the beginnings of turns, for the guide."""
        number = {id(entry): n for n, entry in enumerate(self.table.log)}
        attended = any(entry.by != DICE and number[id(entry)] not in self.alone for entry in self.table.live)
        gone = self.table.undo(seat=seat)
        while seat == GUIDE and attended and number[id(gone[0])] in self.alone:
            gone = self.table.undo()

    # -- keeping

    def _keep(self, seat: SeatId, command: Command | None) -> Reply:
        """Write down what was done; where that fails the table is read anew from what is on disk."""
        self._open_windows()
        reply = Reply(True, self.version(seat) if seat else 0)
        try:
            step = self._step(seat, command, reply)
            self.store.keep(self.id, step, self.clock())
        except BaseException:
            self.gone = True
            raise
        if command is None:
            self.alone.update(range(self._stored, len(self.table.log)))
        else:
            self._attended = len(self.table.log)
        self._stored = len(self.table.log)
        self.kept = replace(
            self.kept,
            header=step.header,
            options=step.options,
            stands=step.stands,
            over=step.over,
            touched=self.clock(),
            steps=step.after + 1,
        )
        return reply

    def _open_windows(self) -> None:
        """Whoever may do something in between, or may not any more, has something new to see."""
        before, self._windows = self._windows, marks(self.table, self.seats)
        for seat, now in self._windows.items():
            if now != before.get(seat, ()):
                self._ahead[seat] = self._ahead.get(seat, 0) + 1

    def _step(self, seat: SeatId, command: Command | None, reply: Reply) -> Step:
        versions = {held: self.version(held) for held in self.seats}
        self.options = replace(self.options, versions=versions)
        return Step(
            after=self.kept.steps,
            first=self._stored,
            entries=tuple([encode(entry) for entry in self.table.log[self._stored :]]),
            drafts=draft_lines(self.table),
            header=encode(self.table.header()),
            options=msgspec.json.encode(self.options),
            stands=where_it_stands(self.table),
            over=self.table.revealed,
            seat=seat,
            command="" if command is None else command.id,
            reply=b"" if command is None else msgspec.json.encode(reply),
            unattended=command is None,
        )


def seats_in(state: State) -> tuple[SeatId, ...]:
    """The guide, every seat that the scene names or whose characters are in it, and those who only watch."""
    listed = [seat.id for seat in state.scene.seats] + [actor.seat for actor in state.actors.values()]
    return tuple(dict.fromkeys([GUIDE, *[seat for seat in listed if seat != SPECTATOR], SPECTATOR]))


# -- making and reading tables


def new_table(
    store: Store, scene: State, at: float, *, seed: str | int | None = None, mode: Mode, windows: Windows
) -> Kept:
    """Put a scene on a new table."""
    table = Table(scene, seed=seed, mode=mode, windows=windows)
    title = _plain_line(table.state.scene.title) or "A scene"
    stands, header = where_it_stands(table), encode(table.header())
    kept = Kept(new_id(), title, table.game.name, at, at, stands, False, header, msgspec.json.encode(Options()))
    store.create(kept)
    return kept


def restored(store: Store, data: bytes, at: float) -> Kept:
    """Put a backup down as a new table, once it is known to be a table. Raises BadBackup."""
    kept = read_backup(data)
    try:
        table = _table(kept)
        msgspec.json.decode(kept.options, type=Options)
    except (BadLog, msgspec.MsgspecError) as error:
        raise BadBackup(f"the table in this backup cannot be read: {error}") from None
    title, stands = _plain_line(kept.title) or "A scene", where_it_stands(table)
    fresh = replace(kept, id=new_id(), title=title, system=table.game.name, touched=at, stands=stands, steps=0)
    store.create(fresh)
    return fresh


def _table(kept: Kept) -> Table:
    """The table that its lines describe, re-run and compared. Raises BadLog.

    One that a version with other rules wrote goes on from its stored events.
    """
    lines = [*kept.entries, *kept.drafts]
    try:
        return _run_again(kept, lines, from_events=False)
    except Differs as error:
        log.warning("a table comes out otherwise", extra={"table": kept.id, "why": str(error)})
        return _run_again(kept, lines, from_events=True)


def _run_again(kept: Kept, lines: list[bytes], *, from_events: bool) -> Table:
    header = read_header(kept.header, kept.id)
    try:
        table = opened(Table, read_scene(header.scene, kept.id, system=header.system), header)
    except (BadScene, LookupError, ValueError) as error:
        raise BadLog(kept.id, 1, "a scene that can be read", str(error)) from None
    run_again(table, lines, kept.id, from_events)
    return table


def draft_lines(table: Table) -> tuple[bytes, ...]:
    return tuple([encode({"draft": Draft(index, answer)}) for index, answer in table._drafts.items()])


def where_it_stands(table: Table) -> str:
    """In a few words for a list of tables: the round, and who acts or is waited for."""
    state = table.state
    if table.revealed:
        return "over"
    waits = [held for held in table.waiting_on if not held.drafted]
    who = state.actors[state.active].name if state.active in state.actors else ""
    if waits and not isinstance(waits[0].question, Roll):
        return f"round {state.round}, a question is open"
    return f"round {state.round}, {who} acts" if who else f"round {state.round}"


# -- what is said in a command


def _is_id(text: str) -> bool:
    return 1 <= len(text) <= MOST_ID and text.isascii() and text.isprintable()


def _plain_line(text: str) -> str:
    """A text as one line of what can be seen."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def alike(name: str) -> str:
    """A name as it is compared: however it is written, in whatever case."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def check_size(said: dict[str, Any]) -> None:
    """Raises Refused for more than anybody types: longer, deeper, more or greater."""
    left: list[tuple[str, Any, int]] = [(name, value, 1) for name, value in said.items()]
    for count, (name, value, deep) in enumerate(left):  # grows while it is read
        if count >= MOST_PARTS or deep > MOST_DEEP:
            raise _too_much("a command", f"{MOST_PARTS} parts, {MOST_DEEP} deep")
        if isinstance(value, str) and len(value) > MOST_TEXT:
            raise _too_much(name[:MOST_ID], f"{MOST_TEXT} characters; got {len(value)}")
        if isinstance(value, (int, float)) and not -MOST_NUMBER <= value <= MOST_NUMBER:
            raise _too_much(name[:MOST_ID], f"{MOST_NUMBER}, either way")
        if isinstance(value, dict):
            left += [(name, part, deep + 1) for held in value.items() for part in held]
        elif isinstance(value, (list, tuple)):
            left += [(name, part, deep + 1) for part in value]


def _too_much(name: str, most: str) -> Refused:
    return Refused(Refusal("", f"{name} has at most {most}", "BAD_COMMAND"))


def _text(said: dict[str, Any], name: str) -> str:
    value = said.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Refused(Refusal("", f"say {name}, as text; got {value!r}", "BAD_COMMAND"))
    return value


def _two(said: dict[str, Any]) -> tuple[str, str]:
    """Who, and which action; the rest of what is said belongs to the action."""
    actor, action = said.pop("actor"), _text(said, "action")
    del said["action"]
    for name in ("self", "seat", "overrule"):
        if name in said:
            raise Refused(Refusal("", f"{name} is not said in a declaration", "BAD_COMMAND"))
    return actor, action


def _changes(given: Any) -> dict[str, Any]:
    if not isinstance(given, dict) or not given:
        raise Refused(Refusal("", f'say what changes, as in {{"selka.ready": 3}}; got {given!r}', "BAD_COMMAND"))
    return given
