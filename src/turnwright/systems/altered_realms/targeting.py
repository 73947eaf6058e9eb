"""Called shots: which part or item is gone for, and how much harder that makes the attack."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model import Declaration, Refusal, State
from turnwright.systems.altered_realms.holding import disabled
from turnwright.systems.altered_realms.settings import Region
from turnwright.systems.altered_realms.sheet import (
    Creature,
    Item,
    Weapon,
    creature,
    region_name,
    region_of,
    regions,
    settings,
)

TOPICS = ("targeting",)

STEP, MOST = -2, -6
"""Rules: altered-realms.targeting.base-penalty, altered-realms.targeting.smaller-is-worse-max-6."""


def tier_penalty(tier: int) -> int:
    """The penalty for how fine a region is: steps of 2, never beyond -6.

    Rules: altered-realms.targeting.smaller-is-worse-max-6, altered-realms.targeting.body-example.
    """
    return max(MOST, STEP * tier)


def penalty(state: State, target: Creature, part: str) -> int:
    """The aim penalty for a part of a body, an item that is held or worn, or the strap or fastener of one.

    Rules: altered-realms.targeting.base-penalty, altered-realms.targeting.difficulty-rises-as-size-falls,
    altered-realms.targeting.item-values.
    """
    item, detail = item_meant(target, part)
    if item is not None and not detail:
        return tier_penalty(item_tier(state, item))
    region = region_of(state, part)
    return tier_penalty(region.tier if region is not None else 1)


def item_tier(state: State, item: Item) -> int:
    """Rules: altered-realms.targeting.item-values (small items and larger ones count as a part, tiny ones as finer)."""
    sizes = settings(state).sizes
    return 1 if sizes.get(item.size, 1) >= sizes.get(settings(state).item_region_from, 1) else 2


def item_meant(target: Creature, part: str) -> tuple[Item | None, str]:
    """The item that is named, and what of it: `shield`, or the `strap` of `shield strap`."""
    for item in target.items:
        if part == item.name:
            return item, ""
        if part.startswith(f"{item.name} "):
            return item, part.removeprefix(f"{item.name} ")
    return None, ""


def part_refusals(known: State, d: Declaration, weapon: Weapon | None) -> Iterator[Refusal]:
    """A part is named with the attack, before its roll; it is one that the target has, and spells go for none.

    Rules: altered-realms.targeting.cost, altered-realms.targeting.declare-region-first,
    altered-realms.targeting.items-too.
    """
    part = d.option("part")
    if not part or d.target not in known.actors:
        return
    if weapon is not None and weapon.kind == "spell":
        yield Refusal("altered-realms.targeting.cost", "only melee and ranged attacks go for a part", "SPELL")
    target = creature(known, d.target)
    item, detail = item_meant(target, part)
    if item is not None and item.place not in ("hand", "worn", "holster"):
        text = f"{item.name} is in the {item.place}; only what is held or equipped can be gone for"
        yield Refusal("altered-realms.targeting.items-too", text, "PUT_AWAY")
    elif item is None and not has_part(known, target, part):
        text = f"{target.name} has no {part}; there is {', '.join(target.parts)}"
        yield Refusal("altered-realms.targeting.declare-region-first", text, "NO_PART")
    elif item is not None and detail and not _of_an_item(known, detail):
        text = f"{detail} is no known part of {item.name}; there is {', '.join(_item_regions(known))}"
        yield Refusal("altered-realms.targeting.item-values", text, "NO_PART")


def _item_regions(state: State) -> list[str]:
    return [name for name in regions(state) if name != "item" and _of_an_item(state, name)]


def _of_an_item(state: State, detail: str) -> bool:
    """Whether it belongs to an item, as a strap does and an eye does not."""
    known, name = regions(state), region_name(state, detail)
    while name and name != "item":
        name = known[name].within if name in known else ""
    return name == "item"


def exact_part(state: State, target: Creature, part: str) -> str:
    """The part of its body that is meant where only its kind is named: of two arms the first that is not held.

    Rules: altered-realms.grapple.part-unusable.
    """
    listed = [*target.parts, *[hand.name for hand in target.hands]]
    if part in listed:
        return part
    alike = [name for name in listed if name.split()[-1] == part]
    free = [name for name in alike if not disabled(state, target, name)]
    return next(iter((*free, *alike)), part)


def has_part(state: State, target: Creature, part: str) -> bool:
    """Whether the target has such a part: one that is listed, or a finer region of one."""
    if part in target.parts or any(hand.name == part for hand in target.hands):
        return True
    kinds = [listed.split()[-1] for listed in (*target.parts, *[hand.name for hand in target.hands])]
    known, name = regions(state), region_name(state, part)
    while name:
        if name in kinds:
            return True
        name = known[name].within if name in known else ""
    return False


def finer_is_harder(regions: dict[str, Region]) -> Iterator[str]:
    """The regions that are easier to hit than what they belong to.

    Rules: altered-realms.targeting.difficulty-rises-as-size-falls.
    """
    for name, region in regions.items():
        around = regions.get(region.within)
        if around is not None and around.tier > region.tier:
            yield name
