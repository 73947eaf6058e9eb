"""Which Spaces of the map a seat's characters have seen so far, and which they see now; derived from the log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from weakref import WeakKeyDictionary

from turnwright import shared
from turnwright.log import Entry, Undone
from turnwright.model import GUIDE, SPECTATOR, SeatId, State
from turnwright.rules import Game, Mark
from turnwright.space.grid import Cell, Door, Wall
from turnwright.space.routes import Ground, ground
from turnwright.table import Table

TACTICAL = "tactical"
"""The scene mode that is played on Spaces."""
KEPT = 64
"""So many places are remembered with what is seen from there."""


Key = tuple[str, Cell, tuple[str, ...], tuple[Mark, ...]]
"""Who looks from where, with which doors open, under which conditions."""


class Sight(NamedTuple):
    """The Spaces that a seat has seen, and those that it sees now, each as a set of `Ground`."""

    ever: int
    now: int


class Seen:
    """What one seat's characters have seen, entry by entry; a cache over the log that goes on where it stopped."""

    def __init__(self, game: Game, seat: SeatId) -> None:
        self.game, self.seat = game, seat
        self._read = 0
        self._live: list[tuple[int, int]] = []
        """For each entry that stands its number, and everything seen until after it."""
        self._start: int | None = None
        self._from: dict[Key, int] = {}
        """What is seen from a place while the doors stand as they do."""
        self._last: dict[str, Key] = {}
        """From where each looked last; all that is seen from there is known."""

    def sight(self, log: list[Entry], states: list[State]) -> Sight:
        """What is seen after a log; `states` are those before each entry, and the one after the last."""
        if self._start is None:
            self._start = self._more(None, states[0], 0)
        for number in range(self._read, len(log)):
            given, so_far = log[number].input, self._so_far()
            if isinstance(given, Undone):
                self._live = [held for held in self._live if held[0] < given.back_to]
                self._last.clear()
                continue
            state = states[number]
            for event in log[number].events:
                before, state = state, event.apply(state)
                if before.actors is not state.actors or _shown_otherwise(before, state):
                    so_far = self._more(before, state, so_far)
            self._live.append((number, so_far))
        self._read = len(log)
        now = self.now(states[-1])
        return Sight(self._so_far() | now, now)

    def _so_far(self) -> int:
        return self._live[-1][1] if self._live else self._start or 0

    def _more(self, before: State | None, state: State, so_far: int) -> int:
        """Everything seen so far, and what is seen now besides; who stands as before sees nothing new."""
        field = field_of(state)
        if field is None:
            return so_far
        stood = before.actors if before is not None and not _shown_otherwise(before, state) else {}
        for actor in state.actors.values():
            if actor.seat != self.seat or not isinstance(actor.at, tuple):
                continue
            if actor.id in self._last and actor.id in stood and stood[actor.id] is actor:
                continue
            key = self._key(state, actor.id)
            if self._last.get(actor.id) != key:
                self._last[actor.id] = key
                more = so_far | self._looks(state, field, key, so_far)
                so_far = so_far if more == so_far else more
        return so_far

    def _key(self, state: State, actor: str) -> Key:
        return actor, state.actors[actor].at, state.open_doors, self.game.conditions(state, actor)

    def so_far(self, state: State, ever: int) -> int:
        """What was seen before, and what is seen as things stand."""
        more = ever | self.now(state)
        return ever if more == ever else more

    def now(self, state: State) -> int:
        """What the seat's characters see as things stand."""
        field, now = field_of(state), 0
        if field is not None:
            for actor in state.actors.values():
                if actor.seat == self.seat and isinstance(actor.at, tuple):
                    now |= self._looks(state, field, self._key(state, actor.id), 0)
        return now

    def _looks(self, state: State, field: Ground, key: Key, known: int) -> int:
        """What an actor sees of the Spaces that are not known yet."""
        if key in self._from:
            return self._from[key]
        actor = key[0]
        seen = field.bits(self.game.sees_of(state, actor, field.listed(field.every & ~known)))
        seen |= field.bits(self.game.footprint(state, actor))
        seen = with_faces(field, seen)
        if not known:
            if len(self._from) >= KEPT:
                self._from.clear()
            self._from[key] = seen
        return seen


def _shown_otherwise(before: State, state: State) -> bool:
    """Whether from the same place something else may be seen."""
    return before.open_doors != state.open_doors or before.mode != state.mode


_seen: WeakKeyDictionary[Table, dict[SeatId, Seen]] = WeakKeyDictionary()


def sight_of(table: Table, seat: SeatId) -> Sight | None:
    """What a seat has seen of the map; None where there is none. The guide sees everything.

    Whoever only watches sees what every player does.
    """
    field = field_of(table.state)
    if field is None:
        return None
    if seat == GUIDE:
        return Sight(field.every, field.every)
    if seat == SPECTATOR:
        return _together([_of(table, player) for player in shared.players(table.state)], field)
    return _of(table, seat)


def _together(each: Iterable[Sight], field: Ground) -> Sight:
    """What is in all of them."""
    ever = now = field.every
    for sight in each:
        ever, now = ever & sight.ever, now & sight.now
    return Sight(ever, now)


def _of(table: Table, seat: SeatId) -> Sight:
    held = _seen.setdefault(table, {})
    if seat not in held:
        held[seat] = Seen(table.game, seat)
    return held[seat].sight(table.log, [*table._states, table.state])


def with_faces(field: Ground, seen: int) -> int:
    """What is seen with the faces of what stops sight: an opaque Space beside one that is seen, and inner corners."""
    opaque = 0
    for terrain, bits in field.kinds.values():
        if terrain.opaque:
            opaque |= bits
    if not opaque:
        return seen
    shut = [edge for edge in field.shut() if edge.opaque]
    clear = seen & ~opaque
    faces = _beside(field, clear, shut) & opaque
    corners = faces | opaque & seen
    for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        across = _moved(field, clear, dx, dy) & _moved(field, corners, dx, 0) & _moved(field, corners, 0, dy)
        faces |= across & opaque
    return seen | faces


def _beside(field: Ground, bits: int, shut: list[Wall | Door]) -> int:
    """The Spaces that share an edge with one of a set, and nothing that shuts out sight stands between."""
    found = 0
    for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        behind = field.bits(
            [
                a
                for edge in shut
                for a, b in ((edge.a, edge.b), (edge.b, edge.a))
                if (b[0] - a[0], b[1] - a[1]) == (dx, dy)
            ]
        )
        found |= _moved(field, bits & ~behind, dx, dy)
    return found


def _moved(field: Ground, bits: int, dx: int, dy: int) -> int:
    """A set of Spaces moved by one; what would leave the map is gone."""
    if dx:
        column = field.width - 1 if dx > 0 else 0
        bits &= ~field.bits([(column, y) for y in range(field.height)])
    by = dy * field.width + dx
    return (bits << by if by > 0 else bits >> -by) & field.every


def field_of(state: State) -> Ground | None:
    """The ground of a scene that is played on a map now."""
    grid = state.scene.grid
    return None if grid is None or state.mode != TACTICAL else ground(grid, state.open_doors)
