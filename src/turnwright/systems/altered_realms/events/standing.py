"""What holds in a scene of Altered Realms: relations between creatures, and facts."""

from __future__ import annotations

from turnwright.model import ActorId, At, Cell, Declaration, Fact, Relation
from turnwright.systems.altered_realms.sheet import Cue, Item


class AimedAt(Relation, frozen=True):
    """The owner has aimed at the other: each time counts by itself and has its own end."""

    several = True


class Dodging(Relation, frozen=True):
    """The owner dodges the other."""


class Stance(Relation, frozen=True):
    """The owner is in a Defensive Stance; a relation to itself."""


class TurnOrder(Fact, frozen=True):
    """The order in which turns come, by the initiative that was rolled."""

    actors: tuple[ActorId, ...] = ()


class Lying(Fact, frozen=True):
    """An item that lies somewhere."""

    item: Item = Item("thing")
    at: At = None


class Aided(Relation, frozen=True):
    """The owner has lent aid for the other's next roll of a skill."""

    skill: str = ""
    amount: int = 0

    several = True


class Inspired(Relation, frozen=True):
    """The owner holds an Inspiration Bonus from the other; `ready` is to be spent on its next d20."""

    amount: int = 0
    ready: bool = False


class Promised(Relation, frozen=True):
    """The owner has promised hits to others in this turn; a relation to itself."""

    missed: bool = False


class Carries(Relation, frozen=True):
    """The owner carries the other."""


class Primed(Relation, frozen=True):
    """The owner has prepared an Action; a relation to itself."""

    deed: Declaration = Declaration("", "")
    trigger: str = ""
    left: int = 1
    cue: Cue | None = None


class Clock(Fact, frozen=True):
    """How many minutes have gone by while no turns were counted."""

    minutes: int = 0


class Mechanism(Fact, frozen=True):
    """A lock or a trap: how good it is, what it keeps shut, and what it does when it goes off."""

    kind: str
    name: str
    at: Cell
    quality: str = "common"
    dc: int | None = None
    door: str = ""
    on_fail: str = ""
    damage: str = ""
    type_of_damage: str = "force"
    rearms: bool = False
    spent: bool = False
    open: bool = False
    hidden: bool = False
    """Whether nobody but the Narrator knows of it."""

    @property
    def goes_off(self) -> bool:
        return bool(self.on_fail or self.damage)
