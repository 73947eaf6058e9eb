"""What a seat knows: its view of the state, of questions and of events, and how the guide's changes are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from turnwright.events import Changed, Event, split_path
from turnwright.log import Entry
from turnwright.model import GUIDE, Commit, Confirm, Question, Refusal, Refused, Roll, Rule, SeatId, State, enc_hook
from turnwright.rules import Game

if TYPE_CHECKING:
    from turnwright.table import Open, Table


def asked(waiting: Iterable[Open], seat: SeatId) -> list[Open]:
    """The open questions that a seat is shown: its own, and for the guide all."""
    return [question for question in waiting if seat in (GUIDE, question.who)]


def lived(game: Game, start: State, entries: Iterable[Entry], seat: SeatId) -> Iterator[Event]:
    """Every event as the seat learned of it, in order."""
    state = start
    for entry in entries:
        for event in entry.events:
            after = event.apply(state)
            seen = game.sees_event(state, after, event, seat)
            state = after
            if seen is not None:
                yield seen


def question_view(question: Question, seat: SeatId) -> dict[str, Any]:
    """A question as its seat sees it: never the number to beat, never why others are asked."""
    plain: dict[str, Any] = dict(msgspec.to_builtins(question, enc_hook=enc_hook))
    if seat == GUIDE:
        return plain
    if isinstance(question, Roll):
        plain.pop("against", None)
        plain.pop("ties", None)
        plain.pop("rule", None)
    if isinstance(question, (Commit, Confirm)):
        plain.pop("moment", None)
        ruling = plain.get("ruling")
        if isinstance(ruling, dict) and (ruling.get("secret") or "target" not in ruling):
            ruling.pop("target", None)
            ruling.pop("against", None)
    if isinstance(question, Rule):
        plain.pop("suggested", None)
    return plain


def view(table: Table, seat: SeatId) -> dict[str, Any]:
    """What a seat may know, as plain data."""
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
        "relations": {owner: _plain(held) for owner, held in known.relations.items()},
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
    if isinstance(given, Mapping):
        events: tuple[Event, ...] = tuple(_changed(state, what, value) for what, value in given.items())
    elif isinstance(given, Event):
        events = (given,)
    else:
        events = tuple(given)
    for event in events:
        if type(event) not in game.event_types:
            raise Refused(Refusal("", f"{type(event).__name__} is no event of this game", "BAD_CHANGE"))
        try:
            state = event.apply(state)
        except (LookupError, AttributeError, TypeError, ValueError, AssertionError) as error:
            raise Refused(Refusal("", f"{event} does not fit: {error}", "BAD_CHANGE")) from None
    return events


def _changed(state: State, what: str, value: Any) -> Changed:
    actor, path = split_path(what)
    if actor not in state.actors:
        listed = ", ".join(state.actors)
        raise Refused(Refusal("", f"nobody is called {actor!r}; there are {listed}", "BAD_CHANGE"))
    names = [field.name for field in msgspec.structs.fields(type(state.actors[actor]))]
    if path[0] not in names:
        raise Refused(Refusal("", f"{path[0]!r} is no value of an actor; there are {', '.join(names)}", "BAD_CHANGE"))
    return Changed("", what, msgspec.json.encode(value, enc_hook=enc_hook).decode())
