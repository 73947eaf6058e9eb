"""One scene being played: what may be done and why not, doing it, views for every seat, saving and loading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from turnwright import known as knowing
from turnwright.answers import is_text, read_answer, read_declaration
from turnwright.events import Event, RulingRevoked
from turnwright.foresight import Foresight
from turnwright.gate import offer, offers, reasons
from turnwright.known import Open
from turnwright.loading import header_of, load, verify
from turnwright.log import Declared, Draft, Entry, Header, Interjected, Overridden, Revealed, write_lines
from turnwright.model import (
    GUIDE,
    Declaration,
    Moment,
    Offer,
    Outcome,
    Question,
    Refusal,
    Refused,
    SeatId,
    State,
    Withdraw,
    seat_of,
)
from turnwright.opening import load_scene, read_scene
from turnwright.record import DICE, Mode, Record, Windows
from turnwright.rulings import house_rules
from turnwright.running import Run, moment_for

CANNOT = (LookupError, AttributeError, TypeError, ValueError, AssertionError)
"""What a rule raises that misses something which the gate had seen to."""


class Table(Record, Foresight):
    """A scene on the table. Raises Refused where the rules say no, and then nothing has changed.

    `seed` fixes the dice; without one the scene's does, or a secret is drawn. `dice` is "engine", "table" (people roll)
    or any dice source.
    `mode` is enforce, confirm or advise; `windows` is honest or blind. `by_hand` are seats that roll real dice.
    `rulings` is ask, where the guide is offered what was ruled before, or auto, where it is ruled so again.
    `standing` answers reactions for a seat beforehand: {"ann assist": "never"}.
    """

    # -- looking

    @property
    def outcome(self) -> Outcome | None:
        """How the last finished action ended."""
        return next((entry.outcome for entry in reversed(self.live) if entry.outcome is not None), None)

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
        """Every reason against it. A seat that may not know that a question is open hears of that last: alone."""
        waits = [Refusal("", "a question is open; it is answered first", "QUESTION_OPEN")]
        if self._run is not None and self._waits_for(seat, self._run):
            return waits
        against = self._not_yours(known, d, seat) or list(reasons(self.game, known, d, whole=True))
        return against if against or self._run is None else waits

    def _waits_for(self, seat: SeatId | None, run: Run) -> bool:
        """Whether a seat knows of itself that something waits: it is asked, or it declared what is under way."""
        if seat in (None, GUIDE) or any(question.who == seat for question in run.questions):
            return True
        actor = run.pending.declaration.actor
        return bool(actor) and seat_of(self.state, actor) == seat

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
        before = self._drafts
        try:
            with self._all_or_nothing():
                self._drafts = {**before, index: given}
                return self._close() if isinstance(given, Withdraw) else self._close_if_ready()
        except BaseException as error:
            self._drafts = before
            if isinstance(error, CANNOT) and self._play.advise:
                text = "what was let pass cannot go on, since the rule misses something; take it back"
                raise Refused(Refusal("", text, "CANNOT_GO_ON")) from error
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

    def view(self, seat: SeatId) -> dict[str, Any]:
        """What a seat may know, as plain data: its state, the questions it is asked, whom others wait for, its news."""
        return knowing.view(self, seat)

    # -- end, save, load

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


__all__ = ["DICE", "Mode", "Open", "Table", "Windows", "load_scene", "read_scene", "replay", "verify"]
