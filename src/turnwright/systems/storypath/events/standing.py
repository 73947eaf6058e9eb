"""What stands in a scene of Storypath beside its characters: slots, what can be tried, and who holds or rides whom."""

from __future__ import annotations

from turnwright.model import ActorId, At, Fact, Relation, State, Struct
from turnwright.systems.storypath.sheet import Character, Item, Kind, Weapon


class Slot(Struct, frozen=True):
    """A place in the order. It belongs to a side, whoever rolled it, and is filled anew in every round."""

    id: str
    kind: Kind
    value: int
    rolled_by: ActorId = ""
    since: int = 1
    """The first round in which it is there."""
    filled: ActorId = ""
    passed: bool = False

    @property
    def used(self) -> bool:
        return bool(self.filled) or self.passed


class Roster(Fact, frozen=True):
    """All slots in their order; who may name the next one of the players, and whom that one has named already."""

    slots: tuple[Slot, ...] = ()
    holder: ActorId = ""
    named: ActorId = ""


class Momentum(Fact, frozen=True):
    """What the players have together."""

    amount: int = 0


class Complication(Struct, frozen=True, forbid_unknown_fields=True):
    """What goes along with a success unless so many threshold successes buy it off."""

    name: str
    rating: int = 1
    prone: bool = False


class Deed(Fact, frozen=True):
    """Something that can be tried in this scene, with what it is rolled with and what it takes."""

    name: str = ""
    skill: str = "athletics"
    attribute: str = "dexterity"
    difficulty: int = 1
    enhancement: int = 0
    attach: bool = False
    falls: bool = False
    needs_hold: bool = False
    success: str = ""
    failure: str = ""
    complications: tuple[Complication, ...] = ()


class Small(Fact, frozen=True):
    """A reflexive deed of this scene; `listed` where the Storyguide marks it as one like those of everyday."""

    name: str = ""
    listed: bool = True
    pool: int = 0
    difficulty: int = 1


class Lying(Fact, frozen=True):
    """A thing on the ground, with what it is to whoever attacks with it."""

    item: Item = Item("")
    weapon: Weapon | None = None
    at: At = None


class Reserve(Fact, frozen=True):
    """Somebody who is not in the scene yet."""

    who: Character = Character("", "")


class On(Relation, frozen=True):
    """The owner is on the other: it climbs or rides it."""


class Grapples(Relation, frozen=True):
    """The owner holds the other and is in control."""


class Helped(Relation, frozen=True):
    """The owner has Enhancement for its next roll; against the other where that is somebody else."""

    several = True

    amount: int = 0
    skill: str = ""


def roster_of(state: State) -> Roster | None:
    found = state.facts.get("roster")
    return found if isinstance(found, Roster) else None
