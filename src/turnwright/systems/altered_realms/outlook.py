"""The scene as one creature sees it who must act now: whom it fights, who threatens it, how it fares."""

from __future__ import annotations

from functools import cached_property

from turnwright.dice import Pool
from turnwright.model import Cell, State
from turnwright.space import Reach
from turnwright.systems.altered_realms.attack import Blow, aims_at, armour_class, in_range, listed_arms, opponents
from turnwright.systems.altered_realms.chances import dice, harm, hit_chance, mean, passing
from turnwright.systems.altered_realms.holding import disabled, grappled, holds_on
from turnwright.systems.altered_realms.movement import walking_speed
from turnwright.systems.altered_realms.rolls import NATURAL, part
from turnwright.systems.altered_realms.sheet import (
    UNARMED,
    Creature,
    Weapon,
    armed_with,
    arms,
    creature,
    hand_of,
    settings,
)
from turnwright.systems.altered_realms.space import gap, ground_of, reaches, touches

AIMED = 2
"""What an aim adds to the next shot and its damage."""
UNSEEN_HIT, UNSEEN_HARM = 4, 5.0
"""Attack modifier and damage that are assumed of an opponent whose sheet nobody sees."""
FAR = 1_000
"""Farther than any map is wide, in metres."""


class Outlook:
    """What a bot looks at for one decision; made anew for each, of nothing but what the seat knows."""

    def __init__(self, known: State, actor: str) -> None:
        self.known = known
        self.me = me = creature(known, actor)
        self.field = ground_of(known)
        standing = [foe for foe in opponents(known, me) if not foe.down and isinstance(foe.at, tuple)]
        self.apart = {foe.id: FAR if (between := gap(known, me, foe)) is None else between for foe in standing}
        self.foes = sorted(standing, key=self.metres_to)
        """Opponents on their feet, the nearest first."""
        self.friends = [ally for ally in known.actors.values() if _stands_by(ally, me)]
        self.arms = [weapon for weapon in listed_arms(known, me) if usable(known, me, weapon)]
        self.held = grappled(known, me)
        self.melee = settings(known).melee_range
        self.within: dict[str, list[Creature]] = {}
        self.chances: dict[tuple[str, str, int], float] = {}
        self.classes: dict[str, int] = {}
        self.worths: dict[tuple[str, str, int], float] = {}
        self.ledges = self.field is not None and not self.field.level
        """Whether there is anywhere to fall."""
        self.ways: Reach | None = None
        """Where the ground leads, once somebody has looked for a way."""
        self.places: dict[tuple[tuple[Cell, ...], int], list[Cell]] = {}
        self.beside: dict[tuple[tuple[Cell, ...], int], tuple[Cell, ...]] = {}
        """Where one stands within so many metres of some tiles, and the ways there."""

    @property
    def hurt(self) -> bool:
        return 2 * self.me.hp <= self.me.hp_max

    @property
    def metres(self) -> int:
        """What can still be walked in this turn."""
        if self.held:
            return 0
        return self.me.metres + self.me.movements * walking_speed(self.known, self.me)

    @property
    def blows_left(self) -> int:
        """Attacks that can still be made in this turn."""
        return self.me.attacks or (self.me.attack_count if self.me.actions else 0)

    def metres_to(self, other: Creature) -> int:
        return self.apart[other.id]

    def close(self, foe: Creature, metres: int) -> bool:
        """Whether nothing but so many metres lies between one and an opponent."""
        return self.apart[foe.id] <= metres and touches(self.known, self.me, foe, metres)

    def in_reach(self, weapon: Weapon) -> list[Creature]:
        """The opponents whom a weapon gets to from where one stands."""
        found = self.within.get(weapon.name)
        if found is None:
            metres = (weapon.reach or self.melee) if weapon.kind == "melee" else weapon.range or FAR
            near = [foe for foe in self.foes if self.apart[foe.id] <= metres]
            found = [foe for foe in near if in_range(self.known, self.me, foe, weapon)]
            self.within[weapon.name] = found
        return found

    @cached_property
    def can_strike(self) -> bool:
        return any(self.in_reach(weapon) for weapon in self.arms)

    @property
    def archer(self) -> bool:
        """Whether it does its fighting from afar."""
        return best_arm(self.arms).kind != "melee" if self.arms else False

    def blow(self, weapon: Weapon, foe: Creature, bonus: int = 0) -> float:
        """HP that one attack is worth; `bonus` goes to the roll and the damage."""
        key = (weapon.name, foe.id, bonus)
        worth = self.worths.get(key)
        if worth is None:
            aims = len(aims_at(self.known, Blow(self.me.id, foe.id, weapon)))
            thrown = dice(weapon.damage, bonus + AIMED * aims)
            worth = self.worths[key] = self.chance(weapon, foe, bonus) * harm(thrown, max(1, foe.hp))
        return worth

    def chance(self, weapon: Weapon, foe: Creature, bonus: int = 0) -> float:
        """The chance that one attack hits."""
        key = (weapon.name, foe.id, bonus)
        found = self.chances.get(key)
        if found is None:
            made = Blow(self.me.id, foe.id, weapon, more=(part("", bonus, ""),) if bonus else ())
            found = self.chances[key] = hit_chance(self.known, made, self.armour(foe))
        return found

    def armour(self, foe: Creature) -> int:
        """What an attack roll must meet."""
        found = self.classes.get(foe.id)
        if found is None:
            found = self.classes[foe.id] = armour_class(self.known, foe)
        return found

    @cached_property
    def best_blow(self) -> float:
        """HP that the best attack from here is worth."""
        return max([self.blow(w, foe) for w in self.arms for foe in self.in_reach(w)], default=0.0)

    @cached_property
    def close_weapon(self) -> Weapon:
        """What Maneuvers at close quarters are made with: the melee weapon at hand, or the bare body."""
        return armed_with(self.known, self.me, "", ("melee",)) or Weapon(UNARMED)

    # -- what comes from others

    @cached_property
    def threats(self) -> list[Creature]:
        """Opponents who could strike or shoot at one from where they stand."""
        return [foe for foe in self.foes if self._threatens(foe)]

    def _threatens(self, foe: Creature) -> bool:
        for weapon in arms(self.known, foe):
            if weapon.kind == "melee" and self.close(foe, weapon.reach or self.melee):
                return True
            if weapon.kind != "melee" and reaches(self.known, foe.id, self.me.id, weapon.range):
                return True
        return False

    @cached_property
    def close_threats(self) -> list[Creature]:
        """Opponents who could strike at one."""
        return [foe for foe in self.foes if any(self.close(foe, w.reach or self.melee) for w in arms_of(self, foe))]

    def danger(self, foe: Creature) -> float:
        """HP that the attacks of one turn of an opponent are expected to take."""
        rule = settings(self.known)
        plus, each = max([strength(weapon, foe) for weapon in arms_of(self, foe)], key=lambda pair: pair[1])
        return passing(Pool(1, plus, 0, NATURAL), self.me.ac, rule.attack_meets) * each * foe.attack_count

    def holders(self) -> list[Creature]:
        return [creature(self.known, name) for name in dict.fromkeys(h.owner for h in holds_on(self.known, self.me.id))]


def _stands_by(ally: Creature, me: Creature) -> bool:
    return ally.side == me.side and ally.id != me.id and not ally.down


def arms_of(look: Outlook, foe: Creature) -> list[Weapon]:
    return [weapon for weapon in arms(look.known, foe) if weapon.kind == "melee"] or [Weapon("a blow")]


def best_arm(found: list[Weapon]) -> Weapon:
    return max(found, key=lambda weapon: mean(dice(weapon.damage)))


def usable(known: State, who: Creature, weapon: Weapon) -> bool:
    limb = weapon.part or hand_of(who, weapon)
    return not limb or not disabled(known, who, limb)


def strength(weapon: Weapon, foe: Creature) -> tuple[int, float]:
    """What an opponent adds to a blow, and its damage; of a sheet that nobody sees both are assumed."""
    if not foe.attributes and weapon.modifier is None and not weapon.training:
        return UNSEEN_HIT, max(UNSEEN_HARM, mean(dice(weapon.damage)))
    named = weapon.attribute or ("dex" if weapon.kind == "ranged" else "str")
    plus = weapon.modifier if weapon.modifier is not None else foe.attribute(named) + weapon.training
    return plus, mean(dice(weapon.damage))
