"""One scene being played: entries, drafts, dice, undo and redo, saving and loading."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from turnwright import known as knowing
from turnwright import odds as chances
from turnwright.answers import read_answer, read_declaration
from turnwright.dice import ByHand, Seeded, Source, commitment, seed_bytes
from turnwright.documents import BadScene, Problem, read
from turnwright.engine import (
    Input,
    Interjection,
    Override,
    Pending,
    Play,
    Run,
    legal,
    offer,
    offers,
    open_moment,
    reasons,
    seat_of,
)
from turnwright.events import Event, Waived
from turnwright.log import (
    FORMAT,
    Answered,
    AnyInput,
    BadLog,
    Declared,
    Differs,
    Draft,
    Entry,
    Header,
    Interjected,
    LogFile,
    Overridden,
    Revealed,
    RuledOn,
    Undone,
    closed,
    digest,
    interned,
    mark,
    read_draft,
    read_lines,
    without_words,
    write_lines,
)
from turnwright.model import (
    GUIDE,
    AnyAnswer,
    Cell,
    Choose,
    Chosen,
    Commit,
    Declaration,
    Offer,
    Outcome,
    Question,
    Refusal,
    Refused,
    Roll,
    Rolled,
    Rule,
    SeatId,
    State,
    Struct,
    Withdraw,
)
from turnwright.rules import Game, find_game

Mode = Literal["enforce", "confirm", "advise"]
DICE = "dice"
"""Who the entries are by that no person made."""


CANNOT = (LookupError, AttributeError, TypeError, ValueError, AssertionError)
"""What a rule raises that misses something which the gate had seen to."""


class Open(Struct, frozen=True):
    """One open question as the table hands it out."""

    id: str
    who: SeatId
    actor: str
    kind: str
    prompt: str
    options: tuple[str, ...]
    question: Question
    drafted: bool = False


class Taken(Struct, frozen=True):
    """The table before one entry, for undo."""

    state: State
    pending: Pending | None
    chain: bytes
    entry: int


class _Named(msgspec.Struct):
    """What a scene file of any game says first."""

    system: str


def load_scene(path: str | Path, *, system: str = "") -> State:
    """The first state of a scene file. Raises BadScene: file, line, key, what was expected and what is there."""
    source = str(path)
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise BadScene((Problem(source, 0, "", "a scene file", error.strerror or str(error)),)) from None
    return read_scene(text, source, system=system)


def read_scene(text: str | bytes, source: str = "scene", *, system: str = "") -> State:
    """The first state of a scene given as text; the game is the one that the scene names."""
    named = system or read(text, source, _Named).value.system
    try:
        game = find_game(named)
    except LookupError as error:
        raise BadScene((Problem(source, 1, "system", str(error), repr(named)),)) from None
    state = game.read_scene(text, source)
    written = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    return replace(state, scene=replace(state.scene, source=written))


class Table:
    """A scene on the table. Raises Refused where the rules say no, and then nothing has changed.

    `seed` fixes the dice; without one a secret is drawn. `dice` is "engine", "table" (people roll) or any dice source.
    `mode` is enforce, confirm or advise; `windows` is honest or blind. `by_hand` are seats that roll real dice.
    `standing` answers reactions for a seat beforehand: {"ann assist": "never"}.
    """

    def __init__(
        self,
        scene: State,
        *,
        seed: int | str | bytes | None = None,
        dice: str | Source = "engine",
        mode: Mode = "enforce",
        windows: Literal["honest", "blind"] = "honest",
        by_hand: Iterable[SeatId] = (),
        standing: Mapping[str, str] | None = None,
    ) -> None:
        self.game: Game = find_game(scene.scene.system)
        self.secret = secrets.token_bytes(32) if seed is None else seed_bytes(seed)
        self.commitment = commitment(self.secret)
        self.source: Source = _source(dice, self.secret)
        self.dice_by_hand = dice == "table"
        self.mode: Mode = mode
        self.windows = windows
        self.by_hand = tuple(by_hand)
        self.standing: dict[str, str] = dict(standing or {})
        self.start = scene
        self.log: list[Entry] = []
        self._play = self._new_play(scene)
        self._run: Run | None = None
        self._chain = digest(self.commitment.encode())
        self._taken: list[Taken] = []
        self._redo: list[tuple[SeatId, AnyInput]] = []
        self._drafts: dict[int, AnyAnswer] = {}
        self._own: dict[int, AnyAnswer] = {}
        """Answers to the open questions that no person gives: the engine's dice and standing answers."""
        self._names = knowing.Names()
        self._states: list[State] = []
        """The state before each entry of the log."""
        self._learned: dict[SeatId, knowing.Learned] = {}

    def _new_play(self, state: State) -> Play:
        return Play(
            self.game,
            state,
            advise=self.mode == "advise",
            confirm=self.mode == "confirm",
            blind=self.windows == "blind",
        )

    # -- looking

    @property
    def state(self) -> State:
        """The state as it stands, everything included."""
        return self._play.state

    @property
    def pending(self) -> Pending | None:
        """The action that waits for answers, as data."""
        return self._run.pending if self._run is not None else None

    @property
    def outcome(self) -> Outcome | None:
        """How the last finished action ended."""
        return next((entry.outcome for entry in reversed(self.live) if entry.outcome is not None), None)

    @property
    def live(self) -> list[Entry]:
        """The entries that stand: without those taken back and without the notes that they were."""
        return [self.log[taken.entry] for taken in self._taken]

    @property
    def waiting_on(self) -> tuple[Open, ...]:
        """The open questions, each with the seat that is asked; drafted ones can still be answered anew."""
        return tuple(
            self._open(index, name, question)
            for index, (name, question) in enumerate(self._names.open)
            if index not in self._own
        )

    def _open(self, index: int, name: str, question: Question) -> Open:
        options = tuple(option.id for option in question.options) if isinstance(question, Choose) else ()
        kind = type(question).__name__.lower()
        drafted = index in self._drafts
        return Open(name, question.who, question.actor, kind, question.prompt, options, question, drafted)

    def knows(self, seat: SeatId) -> State:
        """What a seat knows, as a state with the unknown left out."""
        return self.game.known(self.state, seat)

    def offers(self, actor: str, *, seat: SeatId | None = None) -> tuple[Offer, ...]:
        """Every action for an actor: verdict, price, ways to pay, all reasons against, parameters."""
        known = self.knows(seat or seat_of(self.state, actor))
        return offers(self.game, known, actor, self._moment())

    def _moment(self) -> Any:
        return open_moment(self._run.questions) if self._run is not None else None

    def explain(self, actor: str, action: str, *, seat: SeatId | None = None, **said: Any) -> Offer:
        """One fully specified action: the same answer as declaring it."""
        known, d = self._said(seat, actor, action, said)
        found = offer(self.game, known, d, self._moment())
        refusals = tuple(self._reasons(known, d, seat))
        return replace(found, refusals=refusals, verdict="illegal" if refusals else found.verdict)

    def _said(self, seat: SeatId | None, actor: str, action: str, said: Mapping[str, Any]) -> tuple[State, Declaration]:
        """What the declaring seat knows, and its declaration with what that already states."""
        known = self.knows(seat or seat_of(self.state, actor))
        d = read_declaration(self.game, actor, action, said)
        found = self.game.actions.get(action)
        return known, d if found is None or actor not in known.actors else found.complete(known, d)

    def _not_yours(self, known: State, d: Declaration, seat: SeatId | None) -> list[Refusal]:
        if seat in (None, GUIDE) or d.actor not in known.actors or known.actors[d.actor].seat == seat:
            return []
        return [Refusal("", f"{known.actors[d.actor].name} is not yours to play", "NOT_YOURS")]

    def _can_be_waived(self, known: State, d: Declaration, seat: SeatId | None) -> bool:
        """Whether the guide may let it pass: what is not open at all, or not said in full, nobody can resolve."""
        action = self.game.actions.get(d.action)
        if self._run is not None or action is None or d.actor not in known.actors or self._not_yours(known, d, seat):
            return False
        return action.reacts_to is None and not any(True for _ in action.missing(known, d))

    def _reasons(self, known: State, d: Declaration, seat: SeatId | None) -> list[Refusal]:
        if self._run is not None:
            return [Refusal("", "a question is open; it is answered first", "QUESTION_OPEN")]
        return self._not_yours(known, d, seat) or list(reasons(self.game, known, d, whole=True))

    # -- doing

    def declare(
        self, actor: str, action: str, *, seat: SeatId | None = None, overrule: str = "", **said: Any
    ) -> tuple[Event, ...]:
        """Declare an action; gives the events so far. Raises Refused with every reason.

        What is said: intent, method, target, route, boost, and the action's own parameters. The guide may `overrule`
        a refusal with a reason; what cannot be paid is then noted as owed.
        """
        by = seat or seat_of(self.state, actor)
        known, d = self._said(seat, actor, action, said)
        against = self._reasons(known, d, seat)
        waived = self.mode == "advise" or (bool(overrule) and by == GUIDE)
        if against and not (waived and self._can_be_waived(known, d, seat)):
            raise Refused(*against)
        why = overrule or "the table only advises" if against else ""
        try:
            return self._take(by, Declared(d, why))
        except CANNOT as error:
            if not against:
                raise
            raise Refused(*against) from error  # what was let pass lacks something that the rule needs

    def answer(
        self, question: str | Open, value: Any, *, seat: SeatId | None = None, confirm: bool = False
    ) -> tuple[Event, ...]:
        """Answer an open question: faces, a total, an option, a ruling, a commitment, or Withdraw.

        Until all of a group are in, it is a draft that its owner may replace. Raises Refused for a stale or an
        impossible answer; a total outside the range of the dice needs `confirm`.
        """
        name = question if isinstance(question, str) else question.id
        whose = name.rpartition(".")[0]
        if seat not in (None, GUIDE, whose):
            raise Refused(Refusal("", f"this is for {whose or 'nobody'} to answer", "NOT_YOURS"))
        index, asked = self._find(name)
        given = read_answer(self.game, self.state, asked, value, confirm)
        before, group = self._drafts, self._names.open
        self._drafts = {**before, index: given}
        try:
            return self._close() if isinstance(given, Withdraw) else self._close_if_ready()
        except BaseException:
            if self._names.open is group:
                self._drafts = before
            raise

    def _find(self, name: str) -> tuple[int, Question]:
        for index, (held, asked) in enumerate(self._names.open):
            if held == name and index not in self._own:
                return index, asked
        raise Refused(Refusal("", f"there is no open question {name}; it was answered, or taken back", "STALE"))

    def interject(self, actor: str, action: str, *, seat: SeatId | None = None, **said: Any) -> tuple[Event, ...]:
        """Do something while another's question is open; then the same question is put again.

        Raises Refused where the open question leaves no time for it.
        """
        known, d = self._said(seat, actor, action, said)
        found = self.game.actions.get(d.action)
        against = self._not_yours(known, d, seat) or list(reasons(self.game, known, d, self._moment(), whole=True))
        if self._run is None or found is None or not found.interjected:
            against.insert(0, Refusal("", "nothing is waiting that this could be done in", "NO_WINDOW"))
        if against:
            raise Refused(*against)
        return self._take(seat or seat_of(self.state, actor), Interjected(d))

    def override(self, changes: Event | Iterable[Event] | Mapping[str, Any], reason: str) -> tuple[Event, ...]:
        """The guide changes anything: events, or values such as {"selka.ready": 3}. The reason stays in the log.

        Raises Refused for a value that does not fit, or without a reason.
        """
        if not reason.strip():
            raise Refused(Refusal("", "an override needs a reason", "NO_REASON"))
        events = knowing.changes(self.game, self.state, changes)
        try:
            return self._take(GUIDE, Overridden(events, reason))
        except CANNOT as error:
            if self._run is None:
                raise
            text = "the action that is under way cannot go on after this; take it back first"
            raise Refused(Refusal("", text, "BAD_CHANGE")) from error

    def next_turn(self) -> str | None:
        """Whose turn starts next by the order of the scene; None while somebody acts or where nobody is left."""
        return None if self.state.active or self._run is not None else self.game.next_up(self.state)

    # -- taking inputs

    def _take(self, by: SeatId, given: AnyInput) -> tuple[Event, ...]:
        first = len(self._play.events)
        self._enter(by, given)
        self._close_if_ready()
        return tuple(self._play.events[first:])

    def _enter(self, by: SeatId, given: AnyInput) -> Entry:
        """One entry: the state before it is kept, the input is run, and its events and mark are written down."""
        self._not_over()
        given = interned(given)
        taken = Taken(self.state, self.pending, self._chain, len(self.log))
        questions = self._run.questions if self._run is not None else ()
        before = self.state if isinstance(given, Declared) else None
        first = len(self._play.events)
        kept = self._names.copy(), self._drafts, self._own
        try:
            outcome = self._feed(given)
        except BaseException:
            self._restore(taken)
            self._names, self._drafts, self._own = kept
            raise
        events = tuple(self._play.events[first:])
        entry = Entry(by, given, events, mark(questions, events, before), outcome)
        self._chain = digest(self._chain, without_words(given))
        self._taken.append(taken)
        self._write(entry, taken.state)
        self._redo = self._redo[1:] if self._redo[:1] == [(by, given)] else []
        self._put_questions(answered=not isinstance(given, (Interjected, Overridden)))
        return entry

    def _not_over(self) -> None:
        if self.revealed:
            raise Refused(Refusal("", "the table is over and its seed is open", "OVER"))

    def _write(self, entry: Entry, before: State) -> None:
        self.log.append(entry)
        self._states.append(before)

    def _put_questions(self, *, answered: bool = True) -> None:
        self._drafts, self._own = {}, {}
        self._names.put(self._run.questions if self._run is not None else (), answered=answered)

    def _feed(self, given: AnyInput) -> Outcome | None:
        if isinstance(given, Declared):
            self._play.advise = self.mode == "advise" or bool(given.overrule)
            if given.overrule:
                self._note_refusals(given)
            self._run = Run.start(self._play, given.declaration)
        elif isinstance(given, Overridden) and self._run is None:
            self._play.advise = self.mode == "advise"
            for change in given.changes:
                self._play.emit(change)
            if self.game.settle_action:
                self._run = Run.start(self._play, Declaration("", self.game.settle_action))
        elif self._run is not None:
            self._run.feed(_as_input(given))
        outcome = self._run.outcome if self._run is not None else None
        if outcome is not None:
            self._run = None
            self._play.committed = False
        return outcome

    def _note_refusals(self, given: Declared) -> None:
        known = self.knows(GUIDE)
        why = tuple(refusal.text for refusal in reasons(self.game, known, given.declaration, whole=True))
        self._play.emit(Waived("", given.declaration.actor, (given.overrule, *why)))

    def _close_if_ready(self) -> tuple[Event, ...]:
        """Close groups as long as all their answers are in: the engine's dice, standing answers and drafts."""
        first = len(self._play.events)
        while self._run is not None:
            if self._interject_standing() is not None:
                continue
            self._answer_own(self._run.questions)
            if len(self._drafts) + len(self._own) < len(self._run.questions):
                break
            self._close()
        return tuple(self._play.events[first:])

    def _close(self) -> tuple[Event, ...]:
        assert self._run is not None
        first = len(self._play.events)
        questions = self._run.questions
        given = {**self._own, **self._drafts}
        answers = tuple(given.get(index) for index in range(len(questions)))
        by = next((question.who for index, question in enumerate(questions) if index in self._drafts), DICE)
        self._enter(by, RuledOn(answers) if isinstance(questions[0], Rule) else Answered(answers))
        self._close_if_ready()
        return tuple(self._play.events[first:])

    def _answer_own(self, questions: Sequence[Question]) -> None:
        for index, question in enumerate(questions):
            if index in self._drafts or index in self._own:
                continue
            given = self._own_answer(index, question)
            if given is not None:
                self._own[index] = given

    def _own_answer(self, index: int, question: Question) -> AnyAnswer | None:
        if isinstance(question, Roll):
            if question.who in self.by_hand:
                return None
            read = self.source.faces(question.pool, self._chain, index)
            by = "engine" if isinstance(self.source, Seeded) else "script"
            return None if read is None else rolled(question, read, by)
        if isinstance(question, Choose) and question.about:
            return _standing_answer(question, self.standing.get(f"{question.who} {question.about}", ""))
        return None

    def _interject_standing(self) -> Entry | None:
        """A seat that always helps does so as soon as the open question leaves time for it."""
        moment = self._moment()
        if moment is None:
            return None
        for name, wish in self.standing.items():
            seat, _, about = name.partition(" ")
            action = self.game.actions.get(about)
            if wish != "always" or action is None or not action.interjected:
                continue
            for d in action.candidates(self.state, moment):
                said = action.complete(self.state, replace(d, method="as always"))
                if seat_of(self.state, d.actor) == seat and legal(self.game, self.knows(seat), said, moment):
                    return self._enter(DICE, Interjected(said))
        return None

    # -- undo

    def undo(self, *, seat: SeatId = GUIDE) -> tuple[Entry, ...]:
        """Go back to before the last entry that a person made; gives the entries taken back, dice included.

        A seat other than the guide's may take back its own declaration while nothing after it was closed or shown.
        Raises Refused where there is nothing to take back.
        """
        self._not_over()
        last = self._last_of_a_person()
        if last is None:
            raise Refused(Refusal("", "there is nothing to take back", "NOTHING"))
        gone = [self.log[taken.entry] for taken in self._taken[last:]]
        own = gone[0].by == seat and isinstance(gone[0].input, Declared) and len(gone) == 1 and not gone[0].events
        if seat != GUIDE and not own:
            raise Refused(Refusal("", "only the guide can take that back", "NOT_YOURS"))
        self._take_back(last, seat)
        self._close_if_ready()
        return tuple(gone)

    def _take_back(self, last: int, seat: SeatId) -> None:
        taken, before = self._taken[last], self.state
        inputs = [(self.log[t.entry].by, self.log[t.entry].input) for t in self._taken[last:]]
        self._restore(taken)
        del self._taken[last:]
        self._redo = inputs + self._redo
        self._write(Entry(seat, Undone(taken.entry)), before)

    def redo(self) -> tuple[Event, ...]:
        """Apply again what was undone last, up to the next entry that a person made. Raises Refused."""
        if not self._redo:
            raise Refused(Refusal("", "there is nothing to do again", "NOTHING"))
        first = len(self._play.events)
        self._enter(*self._redo[0])
        while self._redo and self._redo[0][0] == DICE:
            self._enter(*self._redo[0])
        self._close_if_ready()
        return tuple(self._play.events[first:])

    def would_undo(self) -> tuple[Entry, ...]:
        """What undo would take back."""
        last = self._last_of_a_person()
        return () if last is None else tuple(self.log[taken.entry] for taken in self._taken[last:])

    def _last_of_a_person(self) -> int | None:
        for index in range(len(self._taken) - 1, -1, -1):
            taken = self._taken[index]
            entry = self.log[taken.entry]
            cut = taken.pending is None and not isinstance(entry.input, (Declared, Overridden))
            if entry.by != DICE and not cut:
                return index
        return None

    def _restore(self, taken: Taken) -> None:
        self._play = self._new_play(taken.state)
        self._run = None
        self._chain = taken.chain
        if taken.pending is not None:
            self._play.advise = self.mode == "advise" or self._overruled(taken)
            self._run = Run.again(self._play, taken.pending)
            self._play.events.clear()
        self._put_questions()

    def _overruled(self, at: Taken) -> bool:
        """Whether the action that was waiting then had been let pass by the guide."""
        live = [self.log[taken.entry].input for taken in self._taken if taken.entry < at.entry]
        return next((bool(given.overrule) for given in reversed(live) if isinstance(given, Declared)), False)

    # -- odds, views

    def odds(
        self,
        actor: str,
        action: str,
        *,
        seat: SeatId | None = None,
        choice: Callable[[State, Question], Any] | None = None,
        limit: int = chances.LIMIT,
        sample: int = 0,
        **said: Any,
    ) -> chances.Odds:
        """The exact chance of every outcome of an action as it stands; `choice` answers for others.

        Without it others commit nothing beyond the price and let things pass. Raises Refused, or TooMany past `limit`.
        """
        known, d = self._said(seat, actor, action, said)
        if d.boost is None:
            d = replace(d, boost=0)
        against = self._not_yours(known, d, seat) or list(reasons(self.game, known, d, whole=True))
        if against:
            raise Refused(*against)
        believed, assumed = (known, ()) if known is self.state else self.game.believed(self.state, known)
        decide = choice or chances.plain_choice
        return chances.odds(self.game, believed, d, choice=decide, limit=limit, sample=sample, assumptions=assumed)

    def news(self, seat: SeatId) -> tuple[Event, ...]:
        """Every event that the seat has learned of, as it learned of it."""
        return self._learned_by(seat).news

    def version(self, seat: SeatId) -> int:
        """Rises whenever something changes for the seat, also by undo; nothing hidden moves it."""
        moves = self._names.moves
        asked = sum(moves.values()) if seat == GUIDE else moves.get(seat, 0)
        return self._learned_by(seat).changes + asked

    def _learned_by(self, seat: SeatId) -> knowing.Learned:
        learned = self._learned.setdefault(seat, knowing.Learned(self.game, seat))
        learned.catch_up(self.log, [*self._states, self.state])
        return learned

    def view(self, seat: SeatId) -> dict[str, Any]:
        """What a seat may know, as plain data: its state, the questions it is asked, whom others wait for, its news."""
        return knowing.view(self, seat)

    # -- end, save, load

    @property
    def revealed(self) -> bool:
        """Whether the table is over and its seed is open."""
        return any(isinstance(entry.input, Revealed) for entry in self.log[-1:])

    def reveal(self) -> str:
        """End the table: the seed becomes part of the log, so that everybody can check the dice."""
        seed = self.secret.hex()
        if not self.revealed:
            self._write(Entry(GUIDE, Revealed(seed)), self.state)
        return seed

    def header(self) -> Header:
        return Header(
            FORMAT,
            self.game.name,
            self.start.scene.source or "",
            self.commitment,
            "" if self.revealed else self.secret.hex(),
            self.mode,
            self.windows,
            ("*",) if self.dice_by_hand else self.by_hand,
            self.standing,
        )

    def save(self, path: str | Path) -> None:
        """Write the log, with open drafts; it can be loaded and played on from just here."""
        drafts = [Draft(index, answer) for index, answer in self._drafts.items()]
        write_lines(Path(path), self.header(), self.log, drafts)

    @classmethod
    def load(cls, path: str | Path, *, from_events: bool = False) -> Table:
        """Run a log again and compare. Raises BadLog, or Differs: the entry, what it should give and what it gave.

        With `from_events` a log that differs goes on from its stored events; an action that was waiting where it
        differs is cancelled back to the state before it.
        """
        header, lines = read_lines(Path(path))
        source = str(path)
        try:
            start = read_scene(header.scene, f"{source}: the scene in it", system=header.system)
            table = cls._from_header(start, header)
        except (BadScene, LookupError, ValueError) as error:
            raise BadLog(source, 1, "a scene that can be read", str(error)) from None
        _Loader(table, source, from_events).read(lines)
        return table

    @classmethod
    def _from_header(cls, start: State, header: Header) -> Table:
        by_hand = header.by_hand
        table = cls(
            start,
            seed=bytes.fromhex(header.secret) if header.secret else b"",
            dice="table" if by_hand == ("*",) else "engine",
            mode=header.mode,
            windows=header.windows,
            by_hand=() if by_hand == ("*",) else by_hand,
            standing=header.standing,
        )
        if not header.secret:
            table.secret, table.source = b"", ByHand()
        table.commitment = header.commitment
        table._chain = digest(header.commitment.encode())
        return table


class _Loader:
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


def replay(path: str | Path) -> Table:
    """The table that a log describes, re-run and compared entry by entry. Raises BadLog, Differs."""
    return Table.load(path)


def verify(table: Table) -> list[str]:
    """Check every die that the engine threw against the seed; gives what does not fit, in words."""
    found: list[str] = []
    if commitment(table.secret) != table.commitment:
        found.append("the seed does not fit the commitment at the start")
    again = Table._from_header(table.start, replace(table.header(), secret=table.secret.hex()))
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


def rolled(question: Roll, read: tuple[int, ...] | int, by: str = "engine") -> Rolled:
    """Faces or a total as the reading that the question asks for."""
    faces = read if isinstance(read, tuple) else ()
    total = question.pool.total(faces) if isinstance(read, tuple) else read
    return Rolled(question.reading(total), total, faces, by)


def _source(dice: str | Source, secret: bytes) -> Source:
    if not isinstance(dice, str):
        return dice
    if dice not in ("engine", "table"):
        raise ValueError(f"dice are 'engine', 'table' or a source of dice, not {dice!r}")
    return ByHand() if dice == "table" else Seeded(secret)


def _standing_answer(question: Choose, wish: str) -> Chosen | None:
    if wish == "never":
        return next((Chosen(option.id) for option in question.options if option.id == "pass"), None)
    if wish == "always":
        return next((Chosen(option.id) for option in question.options if option.id != "pass"), None)
    return next((Chosen(option.id) for option in question.options if option.id == wish), None)


def _as_input(given: AnyInput) -> Input:
    if isinstance(given, Interjected):
        return Interjection(given.declaration)
    if isinstance(given, Overridden):
        return Override(given.changes)
    assert isinstance(given, (Answered, RuledOn))
    return closed(given)


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


__all__ = ["Cell", "Commit", "Open", "Table", "load_scene", "read_scene", "replay", "verify"]
