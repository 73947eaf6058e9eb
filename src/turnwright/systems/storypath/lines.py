"""Events that belong together told in one line: a deed and its price, a roll and its outcome, a stunt."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright import events as core
from turnwright.events import Event
from turnwright.model import State
from turnwright.systems.storypath import events as e
from turnwright.systems.storypath.story import did_words, help_words, hit_words, missed_words, stunt_words, tell
from turnwright.systems.storypath.turn import resource_words

Told = Sequence[tuple[State, Event]]
"""Events in their order, each with the state after it."""


def tell_all(told: Told) -> list[str]:
    """The lines of a run of events."""
    lines: list[str] = []
    index = 0
    while index < len(told):
        text, used = _line(told[index:])
        lines += [text] if text else []
        index += used
    return lines


def _line(told: Told) -> tuple[str, int]:
    """The first line, and how many events it tells."""
    state, event = told[0]
    if isinstance(event, core.Charged):
        return _paid(told, event)
    following = _spoken(told, 1)
    after = told[following][1] if following is not None else None
    if isinstance(event, e.PoolRolled) and following is not None and after is not None:
        came = _came(told[following][0], after, event.actor)
        if came:
            return f"{tell(state, event)}; {came}", following + 1
    if isinstance(event, e.Stunted):
        return _stunt(told, event)
    if isinstance(event, e.KnackUsed) and isinstance(after, e.Helping) and following is not None:
        return f"{tell(state, event)}, {help_words(after)}", following + 1
    return tell(state, event), 1


def _spoken(told: Told, start: int) -> int | None:
    """Where the next event is of which something is told."""
    return next((n for n in range(start, len(told)) if tell(*told[n])), None)


def _paid(told: Told, event: core.Charged) -> tuple[str, int]:
    """What a deed has cost stands with the deed; what cost is in a price without a deed is told by what happens."""
    state, after = told[1] if len(told) > 1 else (told[0][0], None)
    words = [resource_words(item.resource, int(item.amount)) for item in event.costs if item.amount > 0]
    price = ", ".join([text for text in words if text])
    if isinstance(after, core.Acted) and after.actor == event.actor and price:
        return f"{tell(state, after)} ({price})", 2
    return "", 1


def _came(state: State, event: Event, actor: str) -> str:
    """What came of a roll of somebody."""
    match event:
        case e.Hit() if event.actor == actor:
            return hit_words(state, event)
        case e.Missed() if event.actor == actor:
            return missed_words(state, event)
        case e.Did() if event.actor == actor:
            return did_words(event)
    return ""


def _stunt(told: Told, event: e.Stunted) -> tuple[str, int]:
    """What was spent, and what for; of what costs nothing only what it does."""
    if not event.cost:
        return "", 1
    following = _spoken(told, 1)
    text = stunt_words(told[0][0], event)
    if following is None or isinstance(told[following][1], (e.Stunted, e.Strained)):
        return text, 1
    return f"{text}: {tell(*told[following])}", following + 1
