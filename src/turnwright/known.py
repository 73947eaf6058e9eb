"""What a seat knows: its view of the state, of questions and of events, and how the guide's changes are read."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from turnwright.events import Changed, Event, split_path
from turnwright.log import Entry, Undone
from turnwright.model import (
    GUIDE,
    Choose,
    Commit,
    Confirm,
    Question,
    Refusal,
    Refused,
    Roll,
    Rule,
    SeatId,
    State,
    Struct,
    enc_hook,
)
from turnwright.rules import Game

if TYPE_CHECKING:
    from turnwright.table import Table


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


def asked(waiting: Iterable[Open], seat: SeatId) -> list[Open]:
    """The open questions that a seat is shown: its own, and for the guide all."""
    return [question for question in waiting if seat in (GUIDE, question.who)]


class Names:
    """The open questions by name; each seat's are counted by themselves, so that a name tells nothing of others.

    A question that is put again, unanswered, and looks the same to its seat keeps its name.
    """

    def __init__(self) -> None:
        self.open: tuple[tuple[str, Question], ...] = ()
        self.moves: dict[SeatId, int] = {}
        """How many questions were put to each seat and taken away again."""
        self._put: dict[SeatId, int] = {}

    def copy(self) -> Names:
        held = Names()
        held.open, held.moves, held._put = self.open, dict(self.moves), dict(self._put)
        return held

    def put(self, questions: tuple[Question, ...], *, answered: bool) -> None:
        """These are open now, and those before them were answered or not."""
        left = list(self.open)
        self.open = tuple(
            [((not answered and _kept(left, question)) or self._new(question.who), question) for question in questions]
        )
        for _, question in left:
            self._move(question.who)

    def waiting(self, drafted: Container[int], own: Container[int]) -> tuple[Open, ...]:
        """The open questions but those that no person answers, each with whether it has a draft."""
        return tuple(
            [
                _handed_out(name, question, index in drafted)
                for index, (name, question) in enumerate(self.open)
                if index not in own
            ]
        )

    def _new(self, seat: SeatId) -> str:
        self._move(seat)
        self._put[seat] = self._put.get(seat, 0) + 1
        return f"{seat}.{self._put[seat]}"

    def _move(self, seat: SeatId) -> None:
        self.moves[seat] = self.moves.get(seat, 0) + 1


def _handed_out(name: str, question: Question, drafted: bool) -> Open:
    options = tuple([option.id for option in question.options]) if isinstance(question, Choose) else ()
    kind = type(question).__name__.lower()
    return Open(name, question.who, question.actor, kind, question.prompt, options, question, drafted)


def _kept(left: list[tuple[str, Question]], question: Question) -> str | None:
    for index, (name, held) in enumerate(left):
        if type(held) is type(question) and held.who == question.who:
            if held == question or question_view(held, held.who) == question_view(question, question.who):
                del left[index]
                return name
    return None


class Learned:
    """What one seat has learned, entry by entry; a cache over the log that goes on where it stopped."""

    def __init__(self, game: Game, seat: SeatId) -> None:
        self.game, self.seat = game, seat
        self.changes = 0
        """How often what the seat knows has changed."""
        self._seen: list[tuple[Event, ...]] = []
        self._live: list[int] = []

    def catch_up(self, log: Sequence[Entry], states: Sequence[State]) -> None:
        """Take in the new entries of a log; `states` are those before each entry, and the one after the last."""
        for number in range(len(self._seen), len(log)):
            given, before = log[number].input, states[number]
            if isinstance(given, Undone):
                gone = [n for n in self._live if n >= given.back_to]
                self._live = self._live[: len(self._live) - len(gone)]
                self._seen.append(())
                self.changes += any(self._seen[n] for n in gone) or self._differ(before, states[number + 1])
            else:
                self._live.append(number)
                self._seen.append(self._of(log[number].events, before))

    def _of(self, events: Iterable[Event], state: State) -> tuple[Event, ...]:
        """What is seen of the events. Each counts by itself, so that it tells nothing which of them an entry groups."""
        seen = []
        for event in events:
            before, state = state, event.apply(state)
            shown = self.game.sees_event(before, state, event, self.seat)
            if shown is not None:
                seen.append(shown)
            self.changes += shown is not None or self._differ(before, state)
        return tuple(seen)

    def _differ(self, before: State, after: State) -> bool:
        return before is not after and self._known(before) != self._known(after)

    def _known(self, state: State) -> State:
        return self.game.known(state, self.seat)

    def saw(self, number: int) -> bool:
        """Whether anything of an entry was shown."""
        return bool(self._seen[number])

    @property
    def news(self) -> tuple[Event, ...]:
        """Every event that stands, as the seat learned of it, in order."""
        return tuple([event for number in self._live for event in self._seen[number]])


def as_told(game: Game, before: State, after: State, seat: SeatId) -> State:
    """The state in whose names a seat is told of an event: what it knows after it, and whom it knew before."""
    if seat == GUIDE:
        return after
    knew, knows = game.known(before, seat), game.known(after, seat)
    gone = {name: actor for name, actor in knew.actors.items() if name not in knows.actors}
    return replace(knows, actors={**knows.actors, **gone}) if gone else knows


def question_view(question: Question, seat: SeatId) -> dict[str, Any]:
    """A question as its seat sees it: never the number to beat, never why others are asked."""
    plain: dict[str, Any] = dict(msgspec.to_builtins(question, enc_hook=enc_hook))
    if seat == GUIDE:
        return plain
    if isinstance(question, Roll):
        plain.pop("against", None)
        plain.pop("ties", None)
        plain.pop("level", None)
        plain.pop("rule", None)
    plain.pop("moment", None)
    if isinstance(question, (Commit, Confirm)):
        ruling = plain.get("ruling")
        if isinstance(ruling, dict) and (ruling.get("secret") or "target" not in ruling):
            ruling.pop("target", None)
            ruling.pop("against", None)
        if isinstance(ruling, dict):
            ruling.pop("finds", None)
    if isinstance(question, Rule):
        plain.pop("suggested", None)
    return plain


def view(table: Table, seat: SeatId) -> dict[str, Any]:
    """What a seat may know, as plain data; whose relations come first tells nothing of others that are unknown."""
    known = table.knows(seat)
    waiting = table.waiting_on
    return {
        "seat": seat,
        "version": table.version(seat),
        "title": known.scene.title,
        "mode": known.mode,
        "round": known.round,
        "active": known.active,
        "actors": {name: _plain(actor) for name, actor in known.actors.items()},
        "relations": {owner: _plain(held) for owner, held in sorted(known.relations.items())},
        "facts": {name: _plain(fact) for name, fact in known.facts.items()},
        "open_doors": list(known.open_doors),
        "questions": [{"id": q.id, **question_view(q.question, seat)} for q in asked(waiting, seat)],
        "waiting_for": sorted({q.who for q in asked(waiting, seat)}),
        "news": [_plain(event) for event in table.news(seat)],
    }


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value, enc_hook=enc_hook)


def changes(game: Game, state: State, given: Event | Iterable[Event] | Mapping[str, Any]) -> tuple[Event, ...]:
    """The guide's changes as events. Raises Refused for one that does not fit the state."""
    events = _listed(state, given)
    for event in events:
        if type(event) not in game.event_types:
            raise Refused(Refusal("", f"{type(event).__name__} is no event of this game", "BAD_CHANGE"))
        _about_somebody(state, event)
        try:
            state = event.apply(state)
        except (LookupError, AttributeError, TypeError, ValueError, AssertionError) as error:
            why = error.args[0] if error.args and isinstance(error.args[0], str) else error
            text = f"{_in_words(event)} does not fit: {why}"
            raise Refused(Refusal("", text, "BAD_CHANGE")) from None
    return events


def _in_words(event: Event) -> str:
    """`hid selka`: the kind of a change, and whom it concerns."""
    if isinstance(event, Changed):
        return f"{event.what} = {event.value}"
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(event).__name__).lower()
    return " ".join((kind, *event.concerns()))


def _listed(state: State, given: Any) -> tuple[Event, ...]:
    if isinstance(given, Mapping):
        return tuple(_changed(state, what, value) for what, value in given.items())
    return tuple(given) if isinstance(given, Iterable) else (given,)


def _about_somebody(state: State, event: Event) -> None:
    for actor in event.concerns():
        if actor not in state.actors:
            raise Refused(Refusal("", f"nobody is called {actor!r}; there are {', '.join(state.actors)}", "BAD_CHANGE"))


def _changed(state: State, what: str, value: Any) -> Changed:
    if not isinstance(what, str):
        raise Refused(Refusal("", f"a value is named as in selka.ready; got {what!r}", "BAD_CHANGE"))
    actor, path = split_path(what)
    if actor not in state.actors:
        listed = ", ".join(state.actors)
        raise Refused(Refusal("", f"nobody is called {actor!r}; there are {listed}", "BAD_CHANGE"))
    names = [field.name for field in msgspec.structs.fields(type(state.actors[actor]))]
    if path[0] not in names:
        raise Refused(Refusal("", f"{path[0]!r} is no value of an actor; there are {', '.join(names)}", "BAD_CHANGE"))
    try:
        return Changed("", what, msgspec.json.encode(value, enc_hook=enc_hook).decode())
    except (TypeError, ValueError, NotImplementedError, RecursionError) as error:
        raise Refused(Refusal("", f"{what} cannot be {value!r}: {error}", "BAD_CHANGE")) from None
