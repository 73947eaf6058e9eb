"""What only the guide is shown: the order of play, everything that holds between any two, and the seats."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from turnwright.cli.story import listed
from turnwright.model import GUIDE, SPECTATOR, Relation, SeatId, State
from turnwright.web.live import LiveTable
from turnwright.web.views.offering import OfferCard, scene_offers
from turnwright.web.views.telling import plain_value
from turnwright.web.views.words import titled


class Turn(NamedTuple):
    """Somebody in the order of play."""

    id: str
    name: str
    state: str
    """acting, next, or empty."""
    may_begin: bool
    bot: bool


class Grid(NamedTuple):
    """One kind of relation: who has it toward whom, and what is kept of it."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    numbered: bool
    """Whether it keeps a number, such as the total to find somebody by."""


class SeatCard(NamedTuple):
    """A seat, whether a page of it is open, and whose dice it throws."""

    id: str
    name: str
    here: bool
    by_hand: bool
    plays: tuple[str, ...]


class Guiding(NamedTuple):
    """The guide's own part of the page."""

    turns: tuple[Turn, ...]
    grids: tuple[Grid, ...]
    seats: tuple[SeatCard, ...]
    guided: bool
    bots: tuple[str, ...]
    undo: str
    """What undo would take back, in words."""
    undo_seen: tuple[str, ...]
    """Who has already learned something of it."""
    redo: bool
    scene: tuple[OfferCard, ...]
    kept: tuple[tuple[str, str], ...]
    """The rulings that stand: for which case, and in words."""
    seed: str
    stuck: str
    """Why those who play without a person cannot go on; empty where they can."""


def guiding(live: LiveTable, known: State, here: Collection[SeatId]) -> Guiding:
    table = live.table
    gone = table.would_undo()
    return Guiding(
        turns=_turns(live, known),
        grids=_grids(known),
        seats=tuple([_seat(live, known, seat, here) for seat in live.seats if seat != SPECTATOR]),
        guided=live.options.guided,
        bots=live.options.bots,
        undo=listed(gone, table.state) if gone else "",
        undo_seen=_seen(live, gone),
        redo=bool(table._redo) and not table.revealed,
        scene=() if table.revealed else scene_offers(live, known),
        kept=tuple([(ruling.when, ruling.when) for ruling in table.state.rulings if ruling.when]),
        seed=table.secret.hex() if table.revealed else "",
        stuck=live.stuck,
    )


def _turns(live: LiveTable, known: State) -> tuple[Turn, ...]:
    table = live.table
    order = table.game.in_order(known)
    idle = known.active is None and table.pending is None and not table.revealed and not _goes_on(live, known)
    rest = [name for name in known.actors if name not in order]
    upcoming = next((name for name in order if name != known.active), "")
    found = []
    for name in [*order, *rest]:
        state = "acting" if name == known.active else "next" if name == upcoming else "" if name in order else "out"
        found.append(Turn(name, known.actors[name].name, state, idle and name in order, name in live.options.bots))
    return tuple(found)


def _goes_on(live: LiveTable, known: State) -> bool:
    """Whether the next turn begins by itself."""
    game = live.table.game
    return not live.options.paused and live.table.next_turn() is not None and game.side_down(known) is None


def _seat(live: LiveTable, known: State, seat: SeatId, here: Collection[SeatId]) -> SeatCard:
    plays = tuple([actor.name for actor in known.actors.values() if actor.seat == seat])
    by_hand = live.table.dice_by_hand or seat in live.table.by_hand
    return SeatCard(seat, live.name_of(seat), seat in here, by_hand, plays)


def _seen(live: LiveTable, gone: Any) -> tuple[str, ...]:
    """The seats that were shown something of the entries that undo would take back."""
    numbers = [n for n, entry in enumerate(live.table.log) if any(entry is held for held in gone)]
    found = []
    for seat in [seat for seat in live.seats if seat not in (GUIDE, SPECTATOR)] if numbers else ():
        learned = live.table._learned_by(seat)
        if any(learned.saw(number) for number in numbers):
            found.append(live.name_of(seat))
    return tuple(found)


def _grids(known: State) -> tuple[Grid, ...]:
    kinds: dict[type[Relation], list[Relation]] = {}
    for held in known.relations.values():
        for relation in held:
            kinds.setdefault(type(relation), []).append(relation)
    grids = [_grid(known, kind, held) for kind, held in kinds.items()]
    return tuple(sorted(grids, key=lambda grid: (not grid.numbered, grid.name)))


def _grid(known: State, kind: type[Relation], held: list[Relation]) -> Grid:
    owners = list(dict.fromkeys(relation.owner for relation in held))
    others = list(dict.fromkeys(relation.other for relation in held))
    cells: dict[tuple[str, str], str] = {}
    for relation in held:
        key = relation.owner, relation.other
        cells[key] = "; ".join(filter(None, (cells.get(key, ""), _kept(relation))))
    numbered = any(type(value) is int for relation in held for value in plain_value(relation).values())
    rows = [(_name(known, owner), tuple([cells.get((owner, other), "") for other in others])) for owner in owners]
    return Grid(_kind_name(kind), tuple([_name(known, other) for other in others]), tuple(rows), numbered)


def _kind_name(kind: type[Relation]) -> str:
    letters = "".join(f" {c.lower()}" if c.isupper() else c for c in kind.__name__)
    return titled(letters)


def _name(known: State, name: str) -> str:
    return str(known.actors[name].name) if name in known.actors else name


def _kept(relation: Relation) -> str:
    plain: dict[str, Any] = plain_value(relation)
    held = {name: value for name, value in plain.items() if name not in ("owner", "other", "until", "type")}
    return ", ".join([_said(name, value) for name, value in held.items() if value is not False]) or "yes"


def _said(name: str, value: Any) -> str:
    if value is True:
        return name.replace("_", " ")
    if isinstance(value, (list, tuple)):
        value = ",".join(str(part) for part in value)
    return str(value) if name in ("how", "at") else f"{name.replace('_', ' ')} {value}"
