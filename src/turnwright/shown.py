"""What of a game is worth showing at a glance: what can be counted, what holds of somebody, and where a way leads."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from turnwright.model import ActorId, Amount, Cell, RuleId, State, Struct


class Gauge(Struct, frozen=True):
    """Something of an actor that one can count: how much there is, of how much at most where there is a most."""

    name: str
    have: Amount
    most: Amount | None = None
    about: str = ""
    bad: bool = False
    """Whether more of it is worse, as of wounds."""
    open: bool = False
    """Whether whoever sees the actor can tell it."""


class Mark(Struct, frozen=True):
    """Something that holds of an actor, in a few words, with what it does and the rule behind it."""

    label: str
    about: str = ""
    rule: RuleId = ""


class Tread(Struct, frozen=True):
    """One Space of a way: what entering it costs, and what that brings on."""

    cell: Cell
    metres: Fraction
    doubled: bool = False
    """Whether it costs more than the ground does, as for somebody who hides."""
    draws: tuple[str, ...] = ()
    """The names of those who would get an attack by this step."""


class Reached(Struct, frozen=True):
    """A Space that a movement leads to, by the way that it would take."""

    way: tuple[Tread, ...]
    ends: bool = True
    """Whether one may stop there, and not only pass."""

    @property
    def cell(self) -> Cell:
        return self.way[-1].cell

    @property
    def route(self) -> tuple[Cell, ...]:
        """The Spaces in order, without the one that the mover stands on."""
        return tuple([tread.cell for tread in self.way])

    @property
    def metres(self) -> Fraction:
        """What the whole way costs, exactly."""
        return sum([tread.metres for tread in self.way], Fraction(0))

    @property
    def doubled(self) -> bool:
        return any(tread.doubled for tread in self.way)

    @property
    def draws(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([name for tread in self.way for name in tread.draws]))


class Measure(Struct, frozen=True):
    """A number that is worth foretelling, read off the state that an action leads to: HP lost, or whether it is so."""

    name: str
    of: Callable[[State], int]
    yes: bool = False
    """Whether it only says that something is so, as 1, or is not, as 0."""
    who: ActorId = ""
    """On whom alone it hangs; it is as before where that one is."""
