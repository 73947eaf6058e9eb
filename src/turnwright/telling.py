"""Events told as lines of a story: for each kind a line with gaps, or a function where that is not enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from turnwright.events import Event
from turnwright.model import ActorId, State

Teller = str | Callable[[State, Any], str]
"""How one kind of event is told: a line such as `{actor} aims at {target}`, or a function of state and event."""
Tellers = Mapping[type[Event], Teller]

WHO = ("actor", "target", "by", "to", "about", "helper")
"""The fields that say who: a line has the name in their place. Every other gap has the field as it is."""


def tell(tellers: Tellers, state: State, event: Event) -> str:
    """One line for an event; empty where it would say nothing that another line does not say."""
    teller = tellers.get(type(event), "")
    return teller.format_map(_Gaps(state, event)) if isinstance(teller, str) else teller(state, event)


def name_of(state: State, actor: ActorId) -> str:
    """What somebody is called; the id of whoever is not in the scene."""
    found = state.actors.get(actor)
    return str(found.name) if found is not None else actor


def names_of(state: State, actors: Iterable[ActorId]) -> str:
    return ", ".join([name_of(state, actor) for actor in actors])


def enough(passed: bool | None) -> str:
    """How a roll came out, where that was asked."""
    return "" if passed is None else ": enough" if passed else ": not enough"


class _Gaps(dict[str, Any]):
    """What goes into the gaps of a line."""

    def __init__(self, state: State, event: Event) -> None:
        super().__init__()
        self.state, self.event = state, event

    def __missing__(self, name: str) -> Any:
        value = getattr(self.event, name)
        return name_of(self.state, value) if name in WHO and isinstance(value, str) else value
