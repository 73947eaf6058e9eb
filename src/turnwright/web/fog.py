"""What of the map a seat's characters have not seen: it is on no list, and nothing is told of it when it is named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from turnwright.model import GUIDE, Offer, Refusal, Refused, SeatId
from turnwright.space.grid import Cell
from turnwright.table import Table
from turnwright.web.seen import field_of, sight_of

WORDS = ("actor", "action", "intent", "method")
"""What is said of a declaration that names no Space."""
SPACE = re.compile(r"(?<![0-9-])(-?[0-9]{1,6})\s*,\s*(-?[0-9]{1,6})(?![0-9])")


def unseen_names(table: Table, seat: SeatId) -> frozenset[str]:
    """The doors and places of the map of which a seat has seen nothing."""
    sight, field = sight_of(table, seat), field_of(table.state)
    if sight is None or field is None or seat == GUIDE:
        return frozenset()
    grid = field.grid
    doors = [door.id for door in grid.doors if not sight.ever & field.bits([door.a, door.b])]
    named = [*grid.places, *[terrain.place for terrain in grid.legend.values() if terrain.place]]
    return frozenset([*doors, *[name for name in named if not sight.ever & field.bits(grid.cells_of(name))]])


def seen_of(table: Table, seat: SeatId, offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Offers without those that are about something unseen, and without unseen places among what may be said."""
    hidden = unseen_names(table, seat)
    if not hidden:
        return tuple(offers)
    return tuple([_without(offer, hidden) for offer in offers if hidden.isdisjoint(_names(offer))])


def _names(offer: Offer) -> list[str]:
    d = offer.declaration
    return [part for part in (d.target, *d.route, *d.options.values()) if isinstance(part, str)]


def _without(offer: Offer, hidden: frozenset[str]) -> Offer:
    if all(hidden.isdisjoint(parameter.choices) for parameter in offer.parameters):
        return offer
    kept = [replace(p, choices=tuple([c for c in p.choices if c not in hidden])) for p in offer.parameters]
    return replace(offer, parameters=tuple(kept))


def check_seen(table: Table, seat: SeatId, said: Mapping[str, Any]) -> None:
    """Raises Refused for a door, a place or a Space that was not seen: the price of going there would tell what it is.

    A Space beside one that was seen can be gone to, so that whoever is in the dark can feel the way.
    """
    sight, field = sight_of(table, seat), field_of(table.state)
    if sight is None or field is None or seat == GUIDE:
        return
    given = [value for name, value in said.items() if name not in WORDS]
    hidden = unseen_names(table, seat)
    for named in _texts(given):
        if named in hidden:
            raise Refused(Refusal("", f"you have not seen {named}", "UNSEEN"))
    for x, y in _spaces(given):
        around = [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        near = [cell for cell in around if field.grid.contains(cell)]
        if field.grid.contains((x, y)) and not sight.ever & field.bits(near):
            raise Refused(Refusal("", f"you have not seen the Space {x},{y}, nor one beside it", "UNSEEN"))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value.strip()
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)


def _spaces(value: Any) -> Iterator[Cell]:
    """Every Space in what was said, as text or as two numbers."""
    if isinstance(value, str):
        for x, y in SPACE.findall(value):
            yield int(x), int(y)
    elif isinstance(value, (list, tuple)):
        if len(value) == 2 and all(type(part) is int for part in value):
            yield value[0], value[1]
        for part in value:
            yield from _spaces(part)
