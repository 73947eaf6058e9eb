"""Everybody in the scene, each as the seat knows them."""

from __future__ import annotations

from typing import NamedTuple

from turnwright.model import GUIDE, SPECTATOR, Actor, SeatId, State
from turnwright.rules import Gauge, Mark
from turnwright.web.live import LiveTable
from turnwright.web.mapping import initials

PIPS = 8
"""Up to so many are shown as pips, which can be counted at a glance; more as a bar."""


class Count(NamedTuple):
    """Something that can be counted: as pips, each full or not, as a bar, or as a number alone."""

    name: str
    have: int
    most: int | None
    about: str
    bad: bool
    pips: tuple[bool, ...]
    words: str


class Person(NamedTuple):
    """Somebody in the scene, as the seat knows them."""

    id: str
    name: str
    initial: str
    """What stands on its token, on the map as on its card."""
    side: str
    player: str
    mine: bool
    acting: bool
    whole: bool
    """Whether the seat knows the numbers."""
    counts: tuple[Count, ...]
    conditions: tuple[Mark, ...]
    hiding: tuple[Mark, ...]
    """From whom it is hidden and, for whoever plays it, who is hidden from it."""
    summary: str


def people(live: LiveTable, known: State, seat: SeatId) -> tuple[Person, ...]:
    """Whoever the seat knows of, a player's own characters first."""
    sides = own_sides(known, seat)
    letters = initials(known.actors.values())
    found = [_person(live, known, actor, seat, sides, letters[actor.id]) for actor in known.actors.values()]
    return tuple(found if seat == GUIDE else sorted(found, key=lambda person: not person.mine))


def own_sides(known: State, seat: SeatId) -> tuple[str, ...]:
    """The sides whose numbers a seat knows; whoever only watches knows what every player knows."""
    if seat == SPECTATOR:
        players = [held.id for held in known.scene.seats if held.id not in (GUIDE, SPECTATOR)]
        shared = [set(own_sides(known, player)) for player in players]
        return tuple(sorted(set.intersection(*shared))) if shared else ()
    return tuple(dict.fromkeys(actor.side for actor in known.actors.values() if actor.seat == seat))


def _person(live: LiveTable, known: State, actor: Actor, seat: SeatId, sides: tuple[str, ...], letters: str) -> Person:
    game, whole = live.table.game, seat == GUIDE or actor.side in sides
    gauges = game.gauges(known, actor.id)
    return Person(
        id=actor.id,
        name=actor.name,
        initial=letters,
        side=actor.side,
        player=live.name_of(actor.seat) if actor.seat else "",
        mine=actor.seat == seat,
        acting=actor.id == known.active,
        whole=whole,
        counts=tuple([_count(gauge) for gauge in gauges if whole or gauge.open]),
        conditions=game.conditions(known, actor.id),
        hiding=_hidden(live, known, actor, seat) if whole else (),
        summary=game.summary(known, actor.id) if whole and not gauges else "",
    )


def _hidden(live: LiveTable, known: State, actor: Actor, seat: SeatId) -> tuple[Mark, ...]:
    game = live.table.game
    own = actor.seat == seat and seat != GUIDE
    return (*game.hiding(known, actor.id), *(game.unplaced(known, actor.id) if own else ()))


def _count(gauge: Gauge) -> Count:
    pips = 0 if gauge.most is None or gauge.most > PIPS else gauge.most
    words = f"{gauge.have}" if gauge.most is None else f"{gauge.have} of {gauge.most}"
    full = tuple([n < gauge.have for n in range(pips)])
    return Count(gauge.name, gauge.have, gauge.most, gauge.about, gauge.bad, full, words)
