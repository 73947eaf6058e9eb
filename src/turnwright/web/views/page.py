"""Everything on the page of one seat, as it is now."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from turnwright.model import GUIDE, SPECTATOR, SeatId, State
from turnwright.web.live import LiveTable
from turnwright.web.mapping import Map, map_of
from turnwright.web.views.asking import Ask, asked
from turnwright.web.views.guiding import Guiding, guiding
from turnwright.web.views.offering import OfferCard, Offering, any_time, interjections, offering
from turnwright.web.views.people import Person, people
from turnwright.web.views.telling import Throw, Told, telling

TOLD = 60
"""So many of the last lines of the story stand on a page; the whole of it is a page of its own."""


class Page(NamedTuple):
    """Everything on the page of one seat."""

    table: str
    title: str
    game: str
    seat: SeatId
    name: str
    is_guide: bool
    is_spectator: bool
    guide: str
    version: int
    notices: int
    paused: bool
    over: bool
    round: int
    mode: str
    turn: str
    """Whose turn it is, in words."""
    my_turn: bool
    active: str
    waits: str
    """Who or what is waited for, in words."""
    waits_for_me: bool
    asked: tuple[Ask, ...]
    people: tuple[Person, ...]
    offering: Offering | None
    helps: tuple[OfferCard, ...]
    """What may be done while somebody else's question is open."""
    any_time: tuple[OfferCard, ...]
    """What may be done on anybody's turn."""
    story: tuple[Told, ...]
    cut: int
    told: int
    """How many lines the seat has been told in all."""
    since: tuple[Told, ...]
    """The lines since the page that a stale command was sent from."""
    throws: tuple[Throw, ...]
    by_hand: bool
    may_undo: bool
    guiding: Guiding | None
    seed: str
    map: Map | None = None


def page(live: LiveTable, seat: SeatId, *, here: Collection[SeatId] = (), seen: int | None = None) -> Page:
    """The page of a seat as it is now; `seen` is how many lines of the story it showed before. `live.lock` is held."""
    table, known = live.table, live.table.knows(seat)
    mine = [name for name, actor in known.actors.items() if actor.seat == seat]
    questions, told = asked(live, seat), telling(live, seat)
    waits_for_me = any(ask.mine and not ask.drafted for ask in questions)
    return Page(
        table=live.id,
        title=known.scene.title or "A scene",
        game=table.game.title,
        seat=seat,
        name=live.name_of(seat),
        is_guide=seat == GUIDE,
        is_spectator=seat == SPECTATOR,
        guide=live.guide,
        version=live.version(seat),
        notices=live.notices_for(seat),
        paused=live.options.paused,
        over=table.revealed,
        round=known.round,
        mode=known.mode,
        turn=_turn(live, known, seat),
        my_turn=(known.active or "") in mine and seat != GUIDE and not table.revealed,
        active=known.active or "",
        waits=_waits(live, known, seat, mine, waits_for_me),
        waits_for_me=waits_for_me,
        asked=questions,
        people=people(live, known, seat),
        offering=_offering(live, known, seat, mine),
        helps=() if table.revealed else interjections(live, seat, known),
        any_time=any_time(live, seat, known),
        story=tuple(told.lines[-TOLD:]),
        cut=max(0, len(told.lines) - TOLD),
        told=len(told.lines),
        since=() if seen is None else tuple(told.lines[seen:][-TOLD:]),
        throws=tuple(told.throws[-1:]),
        by_hand=table.dice_by_hand or seat in table.by_hand,
        may_undo=_may_undo(live, seat),
        guiding=guiding(live, known, here) if seat == GUIDE else None,
        seed=table.secret.hex() if table.revealed else "",
        map=map_of(live, seat, known),
    )


def _offering(live: LiveTable, known: State, seat: SeatId, mine: list[str]) -> Offering | None:
    """What whoever acts may do, for the seat that plays it and for the guide."""
    active, table = known.active or "", live.table
    if not active or (seat != GUIDE and active not in mine) or table.revealed or table.pending is not None:
        return None
    return offering(live, active, table.knows(known.actors[active].seat), seat)


def _may_undo(live: LiveTable, seat: SeatId) -> bool:
    """A seat may take its own declaration back while that waits; the guide what came last."""
    if seat == SPECTATOR or live.table.revealed:
        return False
    if seat == GUIDE:
        return bool(live.table.would_undo())
    return live.table.may_take_back(seat)


def _turn(live: LiveTable, known: State, seat: SeatId) -> str:
    if live.table.revealed:
        return "The scene is over"
    actor = known.actors.get(known.active or "")
    if actor is None:
        return "Between turns"
    if actor.seat == seat and seat != GUIDE:
        return f"Your turn: {actor.name}"
    return f"{actor.name[:1].upper()}{actor.name[1:]}’s turn"


def _waits(live: LiveTable, known: State, seat: SeatId, mine: list[str], for_me: bool) -> str:
    """Whom the table waits for. A seat hears of nobody else's questions but that its own declaration waits."""
    if live.table.revealed:
        return ""
    if live.options.paused:
        return f"The {live.guide} has paused the table"
    if for_me:
        return "You are asked something"
    if seat == GUIDE:
        names = dict.fromkeys(live.name_of(held.who) for held in live.table.waiting_on if not held.drafted)
        if names:
            return f"Waiting for {', '.join(names)}"
    pending = live.table.pending
    if pending is not None and pending.declaration.actor in mine and seat != GUIDE:
        return "You have declared; others decide"
    actor = known.actors.get(known.active or "")
    if actor is None:
        return f"The {live.guide} begins the next turn" if seat != GUIDE else "Begin somebody’s turn"
    if actor.seat == seat:
        return "Say what you do"
    name = live.name_of(actor.seat)
    return f"Waiting for {'the ' if name == live.guide else ''}{name}"
