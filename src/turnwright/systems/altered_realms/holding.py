"""Who holds whom, by which hand and which part; no rule of how a hold begins."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model import Relation, State
from turnwright.systems.altered_realms.sheet import Appendage, Creature, region_of, settings, size_index

MUCH_LARGER = 2
"""So many categories larger is much larger."""


class Holds(Relation, frozen=True):
    """The owner holds the other: with which hand, and by what part; `number` says which hold came first."""

    hand: str = ""
    part: str = ""
    number: int = 0

    several = True


def holds_on(state: State, captive: str) -> tuple[Holds, ...]:
    """Every hold on somebody, the earliest first."""
    if not state.relations:
        return ()
    kept = _held.get(id(state.relations)) or _listed(state)
    return kept[1].get(captive, ())


_held: dict[int, tuple[dict[str, tuple[Relation, ...]], dict[str, tuple[Holds, ...]]]] = {}
"""The holds on each captive for the last few relations, which are kept alive, so that their identity stays theirs."""
KEPT = 8


def _listed(state: State) -> tuple[dict[str, tuple[Relation, ...]], dict[str, tuple[Holds, ...]]]:
    found: dict[str, tuple[Holds, ...]] = {}
    for hold in sorted(state.every(Holds), key=lambda hold: hold.number):
        found[hold.other] = (*found.get(hold.other, ()), hold)
    kept = _held[id(state.relations)] = (state.relations, found)
    for old in list(_held)[:-KEPT]:
        _held.pop(old, None)
    return kept


def holds_of(state: State, grappler: str) -> tuple[Holds, ...]:
    return state.related(Holds, grappler)


def much_larger(state: State, one: Creature, other: Creature) -> bool:
    """Whether the other is so much larger that only a part of it can be held.

    Rules: altered-realms.grapple.larger-target-part.
    """
    return size_index(state, other) - size_index(state, one) >= MUCH_LARGER


def hinders(state: State, hold: Holds) -> bool:
    """Whether a hold takes the captive's Movement: not that of a much smaller creature on a part.

    Rules: altered-realms.grapple.larger-not-immobilised.
    """
    return not much_larger(state, state.actors[hold.owner], state.actors[hold.other])


def grappled(state: State, who: Creature) -> bool:
    """Whether somebody holds the creature so that it cannot use its Movement."""
    return any(hinders(state, hold) for hold in holds_on(state, who.id))


def movement_barred(state: State, who: Creature) -> bool:
    """Whether even paying with Movement is barred."""
    return grappled(state, who) and not settings(state).grappled_may_pay_movement


def attached_to(state: State, carrier: str) -> tuple[str, ...]:
    """Whoever holds a part of somebody much larger, and is carried along.

    Rules: altered-realms.grapple.larger-attached.
    """
    return tuple(dict.fromkeys(hold.owner for hold in holds_on(state, carrier) if not hinders(state, hold)))


# -- being carried


class Lets(Relation, frozen=True):
    """The owner has said whether it lets the other carry it."""

    willing: bool = True


def is_willing(state: State, carrier: str, who: Creature) -> bool:
    """What it has said; where it has said nothing, whether the setting takes its own side for willing.

    Rules: altered-realms.carry.who.
    """
    said = state.relation(Lets, who.id, carrier)
    if said is not None:
        return said.willing
    return settings(state).allies_willing and state.actors[carrier].side == who.side


def can_be_carried(state: State, who: Creature, other: Creature) -> bool:
    """Willing, or Restrained, or Incapacitated; being held by somebody is not enough.

    Rules: altered-realms.carry.who.
    """
    return is_willing(state, who.id, other) or other.down or "restrained" in other.conditions


# -- hands


def empty_hands(who: Creature) -> Iterator[Appendage]:
    """The Free Hands: strong enough and with no item in them.

    Rules: altered-realms.grapple.free-hand-definition.
    """
    for hand in who.hands:
        if hand.strong and who.held_in(hand.name) is None:
            yield hand


def held_parts(state: State, captive: str) -> tuple[str, ...]:
    return tuple([hold.part for hold in holds_on(state, captive) if hold.part])


def disabled(state: State, who: Creature, part: str) -> bool:
    """Whether the part is held, or belongs to one that is: with the right arm goes the right hand.

    Rules: altered-realms.grapple.part-unusable, altered-realms.grapple.larger-part-restrained.
    """
    return any(belongs_to(state, part, held) for held in held_parts(state, who.id))


def belongs_to(state: State, part: str, held: str) -> bool:
    if part == held:
        return True
    side, _, kind = part.rpartition(" ")
    held_side, _, held_kind = held.rpartition(" ")
    if side != held_side:
        return False
    region = region_of(state, kind)
    while region is not None and region.within:
        if region.within == held_kind:
            return True
        region = region_of(state, region.within)
    return False


def busy(state: State, who: Creature, hand: str) -> Holds | None:
    """The hold that a hand is busy with."""
    return next((hold for hold in holds_of(state, who.id) if hold.hand == hand), None)


def free_hands(state: State, who: Creature) -> tuple[str, ...]:
    """The Free Hands that hold nobody and are not held themselves."""
    found = [hand.name for hand in empty_hands(who) if busy(state, who, hand.name) is None]
    return tuple([name for name in found if not disabled(state, who, name)])
