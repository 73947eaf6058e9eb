"""What every table promises: its events make its state, it comes back from a file, and undo leads back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from turnwright.answers import said_in
from turnwright.events import Charged
from turnwright.model import GUIDE, SPECTATOR
from turnwright.table import Table

said = said_in
"""A declaration as what `Table.declare` is told besides its actor and action."""


class Broken(AssertionError):
    """A promise that a game or a table does not keep."""


def expect(holds: bool, broken: str) -> None:
    if not holds:
        raise Broken(broken)


def snapshot(table: Table) -> tuple[Any, ...]:
    """Everything that a refusal, or an undo of what was just done, must leave as it was."""
    return table.state, table.pending, table.live, table._chain, [held.question for held in table.waiting_on]


def everything(table: Table) -> tuple[Any, ...]:
    """All that can be seen of a table, the traces of undo included."""
    seats = [GUIDE, SPECTATOR, *(seat.id for seat in table.start.scene.seats)]
    views = [(table.version(seat), table.view(seat)) for seat in seats]
    return *snapshot(table), list(table.log), table.waiting_on, list(table._redo), views


def check(table: Table, path: Path) -> None:
    """The stored events make the state, the saved table is the table, and nobody has less than nothing."""
    check_folds(table)
    check_saves(table, path)
    check_amounts(table)


def check_folds(table: Table) -> None:
    """The start and the events that stand make the state."""
    state = table.start
    for entry in table.live:
        for event in entry.events:
            state = event.apply(state)
    expect(state == table.state, "the stored events do not make the state")


def check_saves(table: Table, path: Path) -> None:
    """A table that is saved and loaded, which runs its log again, is the same to everybody."""
    table.save(path)
    expect(everything(Table.load(path)) == everything(table), "a saved table comes back as another one")


def check_amounts(table: Table) -> None:
    """Nobody has less than nothing of what was ever charged."""
    for actor, resource in dict.fromkeys(_charged(table)):
        if actor in table.state.actors:
            left = table.game.available(table.state, actor, resource)
            expect(left is None or left >= 0, f"{actor} has {left} {resource}")


def _charged(table: Table) -> Iterator[tuple[str, str]]:
    for entry in table.live:
        for event in entry.events:
            if isinstance(event, Charged):
                yield from ((event.actor, item.resource) for item in event.costs)


def check_undo(table: Table, act: Callable[[], Any]) -> None:
    """What is done and undone has not been; done again, it is as it was."""
    before, stood = snapshot(table), len(table.live)
    act()
    done, undone = table.live[stood:], 0
    while len(table.live) > stood:
        table.undo()
        undone += 1
    expect(snapshot(table) == before, f"undo of {done} leads elsewhere")
    for _ in range(undone):
        table.redo()
    expect(table.live[stood:] == done, f"{done}, undone and done again, is something else")
