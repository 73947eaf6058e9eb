"""One scene being played: entries, drafts, dice, undo and redo, saving and loading."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import to_builtins
from msgspec.structs import replace

from turnwright import known as knowing
from turnwright.answers import is_text, one_of, read_answer, read_declaration
from turnwright.dice import Source, commitment, seed_bytes
from turnwright.events import Event, RulingRevoked, Waived
from turnwright.foresight import Foresight, Kept
from turnwright.gate import offer, offers, reasons
from turnwright.known import Open
from turnwright.loading import Taken, header_of, load, verify
from turnwright.log import (
    Answered,
    AnyInput,
    Declared,
    Draft,
    Entry,
    Header,
    Interjected,
    Overridden,
    Revealed,
    RuledOn,
    Undone,
    as_input,
    digest,
    interned,
    mark,
    without_words,
    write_lines,
)
from turnwright.model import (
    GUIDE,
    AnyAnswer,
    Declaration,
    Moment,
    Offer,
    Outcome,
    Question,
    Refusal,
    Refused,
    Roll,
    Rule,
    SeatId,
    State,
    Withdraw,
    seat_of,
)
from turnwright.opening import load_scene, read_scene
from turnwright.playing import Play, change
from turnwright.rules import Game, find_game
from turnwright.rulings import house_rules
from turnwright.running import Pending, Run, moment_for, open_moments
from turnwright.standing import always_done, dice_source, said_before, thrown

Mode = Literal["enforce", "confirm", "advise"]
DICE = "dice"
"""Who the entries are by that no person made."""


CANNOT = (LookupError, AttributeError, TypeError, ValueError, AssertionError)
"""What a rule raises that misses something which the gate had seen to."""


class Table(Foresight):
    """A scene on the table. Raises Refused where the rules say no, and then nothing has changed.

    `seed` fixes the dice; without one the scene's does, or a secret is drawn. `dice` is "engine", "table" (people roll)
    or any dice source.
    `mode` is enforce, confirm or advise; `windows` is honest or blind. `by_hand` are seats that roll real dice.
    `rulings` is ask, where the guide is offered what was ruled before, or auto, where it is ruled so again.
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
        rulings: Literal["ask", "auto"] = "ask",
    ) -> None:
        if not isinstance(scene, State):
            raise TypeError(f"a table is opened on what load_scene gives; got {scene!r}")
        one_of("mode", mode, ("enforce", "confirm", "advise"))
        one_of("windows", windows, ("honest", "blind"))
        one_of("rulings", rulings, ("ask", "auto"))
        self.game: Game = find_game(scene.scene.system)
        seed = scene.scene.seed if seed is None else seed
        self.secret = secrets.token_bytes(32) if seed is None else seed_bytes(seed)
        self.commitment = commitment(self.secret)
        self.source: Source = dice_source(dice, self.secret)
        self.dice_by_hand = dice == "table"
        self.mode: Mode = mode
        self.windows = windows
        self.rulings = rulings
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
        self._foreseen = Kept()

    def _new_play(self, state: State) -> Play:
        return Play(
            self.game,
            state,
            advise=self.mode == "advise",
            confirm=self.mode == "confirm",
            blind=self.windows == "blind",
            as_before=self.rulings == "auto",
        )

    def _again(self, state: State) -> Play:
        """A play of the same kind as what is under way, from a state."""
        play = self._new_play(state)
        play.advise = self._play.advise
        return play

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
        return self._names.waiting(self._drafts, self._own)

    def knows(self, seat: SeatId) -> State:
        """What a seat knows, as a state with the unknown left out."""
        is_text(seat=seat)
        return self.game.known(self.state, seat)

    def offers(self, actor: str, *, seat: SeatId | None = None) -> tuple[Offer, ...]:
        """Every action for an actor: verdict, price, ways to pay, all reasons against, parameters."""
        is_text(actor=actor)
        known = self.knows(seat or seat_of(self.state, actor))
        first, *others = self._moments(known) or (None,)
        listed = offers(self.game, known, actor, first)
        for moment in others:
            again = offers(self.game, known, actor, moment)
            listed = tuple([b if a.verdict == "illegal" else a for a, b in zip(listed, again, strict=True)])
        return listed

    def _moments(self, known: State) -> tuple[Moment, ...]:
        """The moments that are open and known: that somebody unseen is about to commit is told to nobody."""
        found = open_moments(self._run.questions) if self._run is not None else ()
        return tuple([moment for moment in found if getattr(moment, "actor", "") in ("", *known.actors)])

    def _moment_for(self, known: State, d: Declaration) -> Moment | None:
        if self._run is None or not self._moments(known):
            return None
        return moment_for(self.game, self.state, self._run.questions, d)

    def explain(self, actor: str, action: str, *, seat: SeatId | None = None, **said: Any) -> Offer:
        """One fully specified action: the same answer as declaring it."""
        known, d = self._said(seat, actor, action, said)
        found = offer(self.game, known, d, self._moment_for(known, d))
        refusals = tuple(self._reasons(known, d, seat))
        return replace(found, refusals=refusals, verdict="illegal" if refusals else found.verdict)

    def _said(self, seat: SeatId | None, actor: str, action: str, said: Mapping[str, Any]) -> tuple[State, Declaration]:
        """What the declaring seat knows, and its declaration with what that already states."""
        is_text(actor=actor, action=action, seat=seat or "")
        known = self.knows(seat or seat_of(self.state, actor))
        d = read_declaration(self.game, actor, action, said)
        found = self.game.actions.get(action)
        return known, d if found is None or actor not in known.actors else found.complete(known, d)

    def _not_yours(self, known: State, d: Declaration, seat: SeatId | None) -> list[Refusal]:
        action = self.game.actions.get(d.action)
        if action is not None and action.nature == "guide" and seat not in (None, GUIDE):
            return [Refusal(action.rules[0], f"{action.name} is for the guide alone", "NOT_YOURS")]
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
        is_text(overrule=overrule)
        known, d = self._said(seat, actor, action, said)
        by = seat or seat_of(self.state, actor)
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
        if not isinstance(question, (str, Open)):
            raise Refused(Refusal("", f"say which question, by its id; got {question!r}", "STALE"))
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
        moment = self._moment_for(known, d)
        against = self._not_yours(known, d, seat) or list(reasons(self.game, known, d, moment, whole=True))
        time = moment is not None or (found is not None and found.nature == "guide")
        if self._run is None or found is None or not found.interjected or not time:
            against.insert(0, Refusal("", "nothing is waiting that this could be done in", "NO_WINDOW"))
        elif found.nature == "guide" and self._play.committed:
            against.insert(0, Refusal(found.rules[0], "what is committed to is resolved first", "TOO_LATE"))
        if against:
            raise Refused(*against)
        return self._take(seat or seat_of(self.state, actor), Interjected(d))

    def override(self, changes: Event | Iterable[Event] | Mapping[str, Any], reason: str) -> tuple[Event, ...]:
        """The guide changes anything: events, or values such as {"selka.ready": 3}. The reason stays in the log.

        Raises Refused for a value that does not fit, or without a reason.
        """
        if not isinstance(reason, str) or not reason.strip():
            raise Refused(Refusal("", "an override needs a reason, as text", "NO_REASON"))
        events = knowing.changes(self.game, self.state, changes)
        if not events:
            raise Refused(Refusal("", "there is nothing in it to change", "BAD_CHANGE"))
        try:
            return self._take(GUIDE, Overridden(events, reason))
        except CANNOT as error:
            if self._run is None:
                raise
            text = "the action that is under way cannot go on after this; take it back first"
            raise Refused(Refusal("", text, "BAD_CHANGE")) from error

    def house_rules(self) -> list[dict[str, Any]]:
        """Every ruling that stands, as plain data for a scene file's `rulings`."""
        return [to_builtins(ruling) for ruling in house_rules(self.state)]

    def revoke(self, when: str, reason: str) -> tuple[Event, ...]:
        """Forget the ruling that is kept for a case; the guide is asked anew. Raises Refused where there is none."""
        is_text(when=when)
        return self.override([RulingRevoked("", when)], reason)

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
        drafts, own = self._drafts, self._own
        answered = not isinstance(given, (Interjected, Overridden))
        held = {} if answered or not self._drafts else self._drafted()
        try:
            outcome = self._feed(given)
        except BaseException:
            names = self._names.copy()
            self._restore(taken)
            self._names, self._drafts, self._own = names, drafts, own
            raise
        events = tuple(self._play.events[first:])
        entry = Entry(by, given, events, mark(questions, events, before), outcome)
        self._chain = digest(self._chain, without_words(given))
        self._taken.append(taken)
        self._write(entry, taken.state)
        self._redo = self._redo[1:] if self._redo[:1] == [(by, given)] else []
        self._put_questions(answered=answered)
        self._keep_drafts(held)
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

    def _drafted(self) -> dict[str, tuple[AnyAnswer, SeatId, int]]:
        """The drafts by the name of their question, with how often what their owner knows has changed."""
        named = enumerate(self._names.open)
        return {
            name: (self._drafts[n], asked.who, self._learned_by(asked.who).changes)
            for n, (name, asked) in named
            if n in self._drafts
        }

    def _keep_drafts(self, held: dict[str, tuple[AnyAnswer, SeatId, int]]) -> None:
        """A draft stands where its owner has learned nothing and sees the same question: its loss would tell."""
        for n, (name, _) in enumerate(self._names.open):
            given, who, changes = held.get(name, (None, "", 0))
            if given is not None and self._learned_by(who).changes == changes:
                self._drafts[n] = given

    def _feed(self, given: AnyInput) -> Outcome | None:
        if isinstance(given, Declared):
            self._play.advise = self.mode == "advise" or bool(given.overrule)
            if given.overrule:
                self._note_refusals(given)
            self._run = Run.start(self._play, given.declaration)
        elif isinstance(given, Overridden) and self._run is None:
            self._play.advise = self.mode == "advise"
            for event in given.changes:
                change(self._play, event)
            if self.game.settle_action:
                self._run = Run.start(self._play, Declaration("", self.game.settle_action))
        elif self._run is not None:
            self._run.feed(as_input(given))
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
            given = self._unasked(index, question)
            if given is not None:
                self._own[index] = given

    def _unasked(self, index: int, question: Question) -> AnyAnswer | None:
        if isinstance(question, Roll):
            return thrown(question, index, self._chain, self.source, self.by_hand)
        return said_before(question, self.standing)

    def _interject_standing(self) -> Entry | None:
        """A seat that always helps does so as soon as the open question leaves time for it."""
        for moment in self._moments(self.state) if self.standing else ():
            d = always_done(self.game, self.state, self.standing, moment, self.knows)
            if d is not None:
                return self._enter(DICE, Interjected(d))
        return None

    # -- undo

    def undo(self, *, seat: SeatId = GUIDE) -> tuple[Entry, ...]:
        """Go back to before the last entry that a person made; gives the entries taken back, dice included.

        A seat other than the guide's may take back its own declaration while that still waits and nothing after it was
        closed or shown to the seat; what happened unseen makes no difference, since the answer would tell of it.
        Raises Refused where there is nothing to take back.
        """
        self._not_over()
        last = self._last_of_a_person()
        if last is None:
            raise Refused(Refusal("", "there is nothing to take back", "NOTHING"))
        gone = [self.log[taken.entry] for taken in self._taken[last:]]
        if seat != GUIDE and not self._own_to_take_back(gone, seat):
            raise Refused(Refusal("", "only the guide can take that back", "NOT_YOURS"))
        self._take_back(last, seat)
        self._close_if_ready()
        return tuple(gone)

    def _own_to_take_back(self, gone: list[Entry], seat: SeatId) -> bool:
        mine = gone[0].by == seat and isinstance(gone[0].input, Declared) and len(gone) == 1
        return mine and self._run is not None and not self._learned_by(seat).saw(self._taken[-1].entry)

    def _take_back(self, last: int, seat: SeatId) -> None:
        taken, before, held = self._taken[last], self.state, self._drafted()
        inputs = [(self.log[t.entry].by, self.log[t.entry].input) for t in self._taken[last:]]
        self._restore(taken)
        del self._taken[last:]
        self._redo = inputs + self._redo
        self._write(Entry(seat, Undone(taken.entry)), before)
        self._keep_drafts(held)

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
        self._put_questions(answered=False)

    def _overruled(self, at: Taken) -> bool:
        """Whether the action that was waiting then had been let pass by the guide."""
        live = [self.log[taken.entry].input for taken in self._taken if taken.entry < at.entry]
        return next((bool(given.overrule) for given in reversed(live) if isinstance(given, Declared)), False)

    # -- views

    def news(self, seat: SeatId) -> tuple[Event, ...]:
        """Every event that the seat has learned of, as it learned of it."""
        is_text(seat=seat)
        return self._learned_by(seat).news

    def version(self, seat: SeatId) -> int:
        """Rises whenever something changes for the seat, also by undo; nothing hidden moves it."""
        is_text(seat=seat)
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
        return bool(self.log) and isinstance(self.log[-1].input, Revealed)

    def reveal(self) -> str:
        """End the table: the seed becomes part of the log, so that everybody can check the dice."""
        seed = self.secret.hex()
        if not self.revealed:
            self._write(Entry(GUIDE, Revealed(seed)), self.state)
        return seed

    def header(self) -> Header:
        """The first line of its log."""
        return header_of(self)

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
        return load(cls, Path(path), from_events)


def replay(path: str | Path) -> Table:
    """The table that a log describes, re-run and compared entry by entry. Raises BadLog, Differs."""
    return Table.load(path)


__all__ = ["Open", "Table", "load_scene", "read_scene", "replay", "verify"]
