"""The log of a table while it is played: inputs entered one by one, drafts until a group is closed, dice, and undo."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal

from turnwright import known as knowing
from turnwright.answers import is_text, one_of
from turnwright.dice import Source, commitment, seed_bytes
from turnwright.events import Event, Waived
from turnwright.gate import reasons
from turnwright.kept import Kept
from turnwright.known import Open
from turnwright.loading import Taken
from turnwright.log import (
    Answered,
    AnyInput,
    Declared,
    Entry,
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
)
from turnwright.model import (
    GUIDE,
    AnyAnswer,
    Choose,
    Declaration,
    Moment,
    Outcome,
    Question,
    Refusal,
    Refused,
    Roll,
    Rule,
    SeatId,
    State,
)
from turnwright.playing import Play, change
from turnwright.rules import Game, find_game
from turnwright.running import Pending, Run, open_moments
from turnwright.standing import always_done, dice_source, said_before, thrown

Mode = Literal["enforce", "confirm", "advise"]
Windows = Literal["honest", "blind"]
"""Whether a table stops only where somebody may react, or also where nobody may, so that a stop tells nothing."""
DICE = "dice"
"""Who the entries are by that no person made."""


class Record:
    """A scene, the entries of its log, and what waits for answers; `Table` is what is done with it.

    What it is made with is said there.
    """

    def __init__(
        self,
        scene: State,
        *,
        seed: int | str | bytes | None = None,
        dice: str | Source = "engine",
        mode: Mode = "enforce",
        windows: Windows = "honest",
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

    def _learned_by(self, seat: SeatId) -> knowing.Learned:
        learned = self._learned.setdefault(seat, knowing.Learned(self.game, seat))
        learned.catch_up(self.log, [*self._states, self.state])
        return learned

    @property
    def revealed(self) -> bool:
        """Whether the table is over and its seed is open."""
        return bool(self.log) and isinstance(self.log[-1].input, Revealed)

    def _moments(self, known: State) -> tuple[Moment, ...]:
        """The moments that are open and known: that somebody unseen is about to commit is told to nobody."""
        found = open_moments(self._run.questions) if self._run is not None else ()
        return tuple([moment for moment in found if getattr(moment, "actor", "") in ("", *known.actors)])

    # -- taking inputs

    def _take(self, by: SeatId, given: AnyInput) -> tuple[Event, ...]:
        first = len(self._play.events)
        with self._all_or_nothing():
            self._enter(by, given)
            self._close_if_ready()
        return tuple(self._play.events[first:])

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Several entries that one input brings about: where one of them fails, the table is as it was before."""
        before = Taken(self.state, self.pending, self._chain, len(self.log))
        entries, taken, redo = len(self.log), len(self._taken), self._redo
        names, drafts, own = self._names.copy(), self._drafts, self._own
        try:
            yield
        except BaseException:
            if len(self.log) > entries:
                del self.log[entries:], self._states[entries:], self._taken[taken:]
                self._restore(before)
                self._learned.clear()
                self._redo, self._names, self._drafts, self._own = redo, names, drafts, own
            raise

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
            if len(self._drafts) + len(self._own) < len(self._run.questions) and not self._decided():
                break
            self._close()
        return tuple(self._play.events[first:])

    def _decided(self) -> bool:
        """Whether a decision that is for several seats to make was made by one of them."""
        questions = self._run.questions if self._run is not None else ()
        given = [questions[index] for index in (*self._drafts, *self._own)]
        return any(isinstance(question, Choose) and question.first for question in given)

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

    def ask_again(self) -> tuple[Event, ...]:
        """After `standing` or `by_hand` has changed: what no person answers now is answered, as after loading."""
        self._own = {}
        return self._close_if_ready()

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
        with self._all_or_nothing():
            self._enter(*self._redo[0])
            while self._redo and self._redo[0][0] == DICE:
                self._enter(*self._redo[0])
            self._close_if_ready()
        return tuple(self._play.events[first:])

    def would_undo(self) -> tuple[Entry, ...]:
        """What undo would take back."""
        last = self._last_of_a_person()
        return () if last is None else tuple(self.log[taken.entry] for taken in self._taken[last:])

    def may_take_back(self, seat: SeatId) -> bool:
        """Whether a seat other than the guide's may take back its own declaration now."""
        gone = list(self.would_undo())
        return bool(gone) and self._own_to_take_back(gone, seat)

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
