"""The scene as one character sees it who must act now: whom it can place, whom it has lost, how it fares."""

from __future__ import annotations

from turnwright.model import State
from turnwright.space import distance
from turnwright.systems.narateer.conversion import STORY
from turnwright.systems.narateer.economy import uses_allowed
from turnwright.systems.narateer.events import Known
from turnwright.systems.narateer.exchange import arms, reaches
from turnwright.systems.narateer.notice import nothing_hides
from turnwright.systems.narateer.senses import ground_of, locates, opponents
from turnwright.systems.narateer.sheet import Character, Weapon, character

FAR = 1_000
"""Farther than any map is wide, in Spaces."""


class Outlook:
    """What a bot looks at for one decision; made anew for each, of nothing but what the seat knows."""

    __slots__ = ("arms", "field", "foes", "known", "lost", "me", "within")

    def __init__(self, known: State, actor: str) -> None:
        self.known = known
        self.me = me = character(known, actor)
        self.field = ground_of(known)
        standing = [foe for foe in opponents(known, me) if not foe.down]
        self.foes = [foe for foe in standing if locates(known, me, foe)]
        """Opponents on their feet whom the character can place."""
        placed = {foe.id for foe in self.foes}
        self.lost = [foe for foe in standing if foe.id not in placed and known.relation(Known, foe.id, actor)]
        """Opponents of whom it knows and whom it cannot place."""
        self.arms = arms(me)
        self.within: dict[str, list[Character]] = {}
        """Whom each weapon gets to, as far as it was asked."""

    @property
    def plain(self) -> bool:
        """Whether everybody sees everybody here, so that hiding and telling others is idle."""
        return nothing_hides(self.known)

    @property
    def at_peace(self) -> bool:
        """Whether a scene of stated relations goes on without bloodshed so far; no bot begins it."""
        return self.known.mode == STORY and not any(actor.wounds for actor in self.known.actors.values())

    @property
    def hurt(self) -> bool:
        """Whether one more Wound would be the last."""
        return self.me.wounds > 0 and self.me.wounds + 1 >= self.me.bears

    @property
    def archer(self) -> bool:
        """Whether it does its fighting from afar."""
        return self.arms[0].kind == "ranged"

    def uses_left(self, skill: str) -> int:
        return uses_allowed(self.me, skill) - self.me.uses.get(skill, 0)

    def in_reach(self, weapon: Weapon) -> list[Character]:
        """The opponents whom a weapon gets to from where one stands."""
        found = self.within.get(weapon.name)
        if found is None:
            found = [foe for foe in self.foes if reaches(self.known, self.me, foe, weapon)]
            self.within[weapon.name] = found
        return found

    def threatened(self) -> bool:
        """Whether an opponent could strike with what it is seen to carry for close quarters."""
        return any(
            weapon.kind == "melee" and reaches(self.known, foe, self.me, weapon)
            for foe in self.foes
            for weapon in arms(foe)
        )

    def steps_to(self, other: Character) -> int:
        """Spaces to somebody, as on open ground."""
        here, there = self.me.at, other.at
        return distance(here, there) if isinstance(here, tuple) and isinstance(there, tuple) else FAR


def left(foe: Character) -> int:
    """Wounds until somebody is down."""
    return max(1, foe.bears - foe.wounds)


def harm(foe: Character, wounds: int) -> float:
    """What a hit counts: its Wounds as far as they are borne, and one more where it fells."""
    return min(wounds, left(foe)) + (1 if wounds >= left(foe) else 0)
