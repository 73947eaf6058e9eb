"""What holds between creatures in Narateer: hidden, known, looked for, helped; the owner is the one it is about."""

from __future__ import annotations

from turnwright.model import ActorId, At, Cell, Relation


class Hidden(Relation, frozen=True):
    """The owner is hidden from the other, with the total to find it by."""

    total: int = 0


class Exposed(Relation, frozen=True):
    """The other has noticed the owner since its last Hide, was not fooled by it, or could see all along."""


class Record(Relation, frozen=True):
    """The owner's latest Hide that still stands; found out by somebody of whom the owner does not know, it stands."""

    total: int = 0
    goal: str = "location"


class Waiting(Relation, frozen=True):
    """The owner hides where nobody could notice yet; the check comes when somebody can."""

    goal: str = ""


class Known(Relation, frozen=True):
    """Where the other last knew the owner to be, and how it knows; `at` is None for mere presence.

    After `was` the Space has been seen without the owner: the last position, and no longer where it is.
    """

    at: At = None
    how: str = "saw"
    aware: bool = False
    """Whether the owner knows that it is known, because it saw who was looking."""
    behind: str = ""
    """Where relations are stated: behind what it was known to be."""
    space: Cell | None = None
    """The Space that was remembered before the Scene Mode was shifted away from Spaces."""


class Looking(Relation, frozen=True):
    """The owner is actively looking at some Spaces or Zones, or follows clues; `total` once it has rolled for it."""

    scope: tuple[Cell | str, ...] = ()
    place: str = ""
    total: int | None = None
    by_word: bool = False
    trail: ActorId = ""
    """To whom the clues lead; whoever follows them does not know it."""


class GuideSays(Relation, frozen=True):
    """The guide's word on whether the owner is clearly perceived by the other; no means distracted or screened."""

    clear: bool = False


class Helping(Relation, frozen=True):
    """The owner's next check has Advantage from the other."""


class Tempo(Relation, frozen=True):
    """The owner has Tempo (or has not) whoever's Activation it is."""

    has: bool = True


MET = (Hidden, Exposed)
"""What a creature that has met a Hide is to the one who hides."""
