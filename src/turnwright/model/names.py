"""What things are called: ids, places, and the frozen value that everything is made as."""

from __future__ import annotations

from fractions import Fraction

import msgspec

ActorId = str


SeatId = str


RuleId = str


Cell = tuple[int, int]


At = Cell | str | None
"""A Space of the map, the name of a zone or place, or unknown."""


Amount = int


GUIDE: SeatId = "guide"
"""The seat that knows everything and rules."""


SPECTATOR: SeatId = "spectator"
"""Whoever only watches, such as a screen for all: it knows what every player knows."""


class Struct(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A frozen value."""


class Moment(Struct, frozen=True, tag=True):
    """Something that is just happening and to which others may react; a game adds its own kinds."""


def enc_hook(value: object) -> object:
    """How a fraction is written in JSON: as text, exactly."""
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"{type(value)} cannot be written")


def dec_hook(kind: type, value: object) -> object:
    """How a fraction is read from JSON."""
    if kind is Fraction:
        return Fraction(str(value))
    raise NotImplementedError(f"{kind} cannot be read")
