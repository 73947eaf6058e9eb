"""What can be read in a scene file and still cannot be: names that nothing has, numbers that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from turnwright.documents import Document, Place, Problem
from turnwright.model import Cell, Scene, State
from turnwright.scene_file import (
    actor_problems,
    each_of,
    map_problems,
    one_of,
    order_problems,
    seat_problems,
    standing_problems,
)
from turnwright.space import Grid
from turnwright.systems.altered_realms.armor import slower_when_lighter
from turnwright.systems.altered_realms.settings import ATTRIBUTES, CONDITIONS, POOLS, REGIONS, SKILLS, Settings
from turnwright.systems.altered_realms.sheet import UNARMED, Ability, Item, pool_of, skills
from turnwright.systems.altered_realms.targeting import finer_is_harder

if TYPE_CHECKING:
    from turnwright.systems.altered_realms.scene import CreatureEntry, SceneFile

RESERVED = ("order", "clock")
"""Facts that the game itself writes down."""


def problems(document: Document[SceneFile], grid: Grid) -> Iterator[Problem]:
    file = document.value
    yield from map_problems(document, grid)
    yield from _named_settings(document, file)
    yield from _mechanism_problems(document, file, grid)
    yield from further_problems(document, file)
    yield from seat_problems(document)
    for index in range(len(file.creatures)):
        yield from actor_problems(document, "creatures", "creature", index)
        yield from _creature_problems(document, file, index)
        yield from _contents_problems(document, file, index)
        yield from _position_problems(document, file, grid, index)
    yield from order_problems(document, "creatures")
    for index, lying in enumerate(file.items):
        if not grid.contains(lying.at):
            yield document.problem(("items", index, "at"), "a tile of the map", str(list(lying.at)))


def _mechanism_problems(document: Document[SceneFile], file: SceneFile, grid: Grid) -> Iterator[Problem]:
    doors = [door.id for door in file.map.doors]
    for index, found in enumerate(file.mechanisms):
        path = ("mechanisms", index)
        table = file.settings.lock_dc if found.kind == "lock" else file.settings.trap_dc
        if not grid.contains(found.at):
            yield document.problem((*path, "at"), "a tile of the map", str(list(found.at)))
        if found.dc is None:
            yield from one_of(document, (*path, "quality"), found.quality, table)
        if found.door:
            yield from one_of(document, (*path, "door"), found.door, doors)
        if found.damage:
            yield from _dice_problems(document, (*path, "damage"), found.damage)


def _named_settings(document: Document[SceneFile], file: SceneFile) -> Iterator[Problem]:
    """Rules: altered-realms.targeting.difficulty-rises-as-size-falls."""
    for name in finer_is_harder({**REGIONS, **file.settings.regions}):
        right = "a region as hard to hit as what it belongs to, or harder"
        yield document.problem(("settings", "regions", name), right, "an easier one")
    for name, pool in file.settings.pool_aliases.items():
        yield from one_of(document, ("settings", "pool_aliases", name), pool, POOLS)
    try:
        pool_of(file.settings.unarmed)
    except ValueError:
        yield document.problem(("settings", "unarmed"), "damage such as 1d4+2", repr(file.settings.unarmed))


def _creature_problems(document: Document[SceneFile], file: SceneFile, index: int) -> Iterator[Problem]:
    entry, path = file.creatures[index], ("creatures", index)
    yield from one_of(document, (*path, "size"), entry.size, file.settings.sizes)
    for key, named in (("scores", entry.scores), ("modifiers", entry.modifiers), ("saves", entry.saves)):
        yield from each_of(document, (*path, key), named, ATTRIBUTES)
    yield from one_of(document, (*path, "casting"), entry.casting, ATTRIBUTES)
    yield from each_of(document, (*path, "speeds"), entry.speeds, entry.moves)
    yield from each_of(document, (*path, "pools"), entry.pools, [*POOLS, *_aliases(file)])
    yield from each_of(document, (*path, "conditions"), entry.conditions, [*CONDITIONS, *file.settings.conditions])
    every = skills(State(Scene("", "", file.settings), {}))
    yield from each_of(document, (*path, "training"), entry.training, every)


def _aliases(file: SceneFile) -> list[str]:
    """What else a pool of the game may be called."""
    return [name for name, pool in file.settings.pool_aliases.items() if pool in POOLS]


def _contents_problems(document: Document[SceneFile], file: SceneFile, index: int) -> Iterator[Problem]:
    """Damage can be read, names are used once, and every hand holds what it can hold."""
    entry, path = file.creatures[index], ("creatures", index)
    names = [item.name for item in entry.items] + [weapon.name for weapon in entry.weapons]
    for key, weapons in (("items", [item.weapon for item in entry.items]), ("weapons", list(entry.weapons))):
        for number, weapon in enumerate(weapons):
            where = (*path, key, number, "weapon", "damage") if key == "items" else (*path, key, number, "damage")
            if weapon is not None:
                yield from _dice_problems(document, where, weapon.damage)
    for number, item in enumerate(entry.items):
        here = (*path, "items", number)
        if names.index(item.name) != number:
            yield document.problem((*here, "name"), "a name that nothing else on this sheet has", repr(item.name))
        yield from one_of(document, (*here, "size"), item.size, file.settings.sizes)
        if item.heals:
            yield from _dice_problems(document, (*here, "heals"), item.heals)
        if item.hand:
            yield from one_of(document, (*here, "hand"), item.hand, [hand.name for hand in entry.hands])
    for number, ability in enumerate(entry.abilities):
        here = (*path, "abilities", number)
        for key, text in (("damage", ability.damage), ("heals", ability.heals)):
            if text:
                yield from _dice_problems(document, (*here, key), text)
        named = [*ability.cost, *([ability.pool] if ability.pool else [])]
        for name in named:
            if file.settings.pool_aliases.get(name, name) not in POOLS:
                yield document.problem(here, f"pools: {', '.join(POOLS)}", repr(name))
        if ability.sustain and not ability.pool:
            yield document.problem((*here, "sustain"), "the `pool` that it is sustained by", "none")
    for number, weapon in enumerate(entry.weapons):
        if not weapon.name:
            yield document.problem((*path, "weapons", number), "a name", "none")
    held = [item for item in entry.items if item.place == "hand"]
    if len(held) > len(entry.hands):
        right = f"at most {len(entry.hands)} items in hands"
        yield document.problem((*path, "items"), right, str(len(held)), "put some in a pouch, holster or pack")


def armor_warnings(document: Document[SceneFile], file: SceneFile) -> Iterator[Problem]:
    """Rules: altered-realms.armor.lighter-is-quicker."""
    worn = [(item.name, item.armor) for entry in file.creatures for item in entry.items if item.armor is not None]
    for lighter, heavier in dict.fromkeys(slower_when_lighter(worn)):
        right = f"no longer don and doff times for {lighter} than for {heavier}"
        yield document.problem(("creatures",), right, "longer ones for the lighter armour")


def _position_problems(document: Document[SceneFile], file: SceneFile, grid: Grid, index: int) -> Iterator[Problem]:
    entry, path = file.creatures[index], ("creatures", index, "at")
    if entry.at is None:
        yield document.problem(path, "a tile of the map, [x, y]", "none")
        return
    taken = {other.id: _filled(file, other) for other in file.creatures[:index] if other.at is not None}
    yield from standing_problems(document, path, _filled(file, entry), grid, taken, ("tiles", "those"))


def _filled(file: SceneFile, entry: CreatureEntry) -> tuple[Cell, ...]:
    across = file.settings.footprints.get(entry.size, 1)
    x, y = entry.at or (0, 0)
    return tuple([(x + dx, y + dy) for dy in range(across) for dx in range(across)])


def further_problems(document: Document[SceneFile], file: SceneFile) -> Iterator[Problem]:
    yield from _settings_problems(document, file.settings)
    yield from _repeated(document, ("sides",), file.sides, "a side that is not listed yet")
    yield from _repeated(document, ("mechanisms",), [one.id for one in file.mechanisms], "a name that no other has")
    for index, one in enumerate(file.mechanisms):
        if one.id in RESERVED:
            yield document.problem(("mechanisms", index, "id"), "a name that the game does not use itself", one.id)
    for index, lying in enumerate(file.items):
        yield from _item_problems(document, ("items", index, "item"), lying.item, file.settings)
    if file.order:
        yield from _repeated(document, ("order",), file.order, "each creature once")
        ids = [entry.id for entry in file.creatures]
        lacking = [name for name in ids if name not in file.order]
        if lacking and all(name in ids for name in file.order):
            yield document.problem(("order",), "every creature of the scene", f"none of {', '.join(lacking)}")
    for index, entry in enumerate(file.creatures):
        yield from _sheet_problems(document, ("creatures", index), entry, file.settings)


def _repeated(document: Document[SceneFile], path: Place, names: Sequence[str], right: str) -> Iterator[Problem]:
    for index, name in enumerate(names):
        if name in names[:index]:
            yield document.problem((*path, index), right, repr(name))


# -- sheets


def _sheet_problems(
    document: Document[SceneFile], path: Place, entry: CreatureEntry, settings: Settings
) -> Iterator[Problem]:
    yield from _number_problems(document, path, entry, settings)
    hands = [hand.name for hand in entry.hands]
    yield from _repeated(document, (*path, "hands"), hands, "a hand that is not listed yet")
    yield from _repeated(document, (*path, "parts"), entry.parts, "a part that is not listed yet")
    yield from _repeated(document, (*path, "abilities"), [a.name for a in entry.abilities], "a name of its own")
    yield from _hand_problems(document, path, entry)
    for number, item in enumerate(entry.items):
        if not item.name.strip():
            yield document.problem((*path, "items", number, "name"), "a name", repr(item.name))
    taken = [*[item.name for item in entry.items], UNARMED]
    for number, weapon in enumerate(entry.weapons):
        here = (*path, "weapons", number)
        if weapon.name in taken:
            yield document.problem((*here, "name"), "a name that nothing else on this sheet has", repr(weapon.name))
        taken.append(weapon.name)
        if weapon.part:
            yield from one_of(
                document, (*here, "part"), weapon.part, dict.fromkeys((*entry.parts, *hands)), "its parts"
            )
    for number, ability in enumerate(entry.abilities):
        yield from _ability_problems(document, (*path, "abilities", number), ability, settings)
    yield from each_of(document, (*path, "maneuvers"), entry.maneuvers, settings.maneuvers, "the setting maneuvers")


def _number_problems(
    document: Document[SceneFile], path: Place, entry: CreatureEntry, settings: Settings
) -> Iterator[Problem]:
    right = [*SKILLS, *settings.skills, *[f"{name} save" for name in ATTRIBUTES], "initiative"]
    yield from each_of(document, (*path, "totals"), entry.totals, right, "skills, saves and initiative")
    if entry.hp_max is not None and entry.hp_max < max(1, entry.hp):
        yield document.problem((*path, "hp_max"), f"{max(1, entry.hp)} or more", str(entry.hp_max))
    named: list[str] = []
    for name, pool in entry.pools.items():
        here = (*path, "pools", name)
        if isinstance(pool, int):
            if pool < 0:
                yield document.problem(here, "0 points or more", str(pool))
        elif pool.current is not None and pool.maximum is not None and pool.current > pool.maximum:
            yield document.problem((*here, "current"), f"at most the maximum of {pool.maximum}", str(pool.current))
        meant = settings.pool_aliases.get(name, name)
        if meant in named:
            yield document.problem(here, f"{meant} only once, by whichever name", repr(name))
        named.append(meant)


def _hand_problems(document: Document[SceneFile], path: Place, entry: CreatureEntry) -> Iterator[Problem]:
    """Every hand holds one thing, and only what is in a hand names one."""
    filled: list[str] = []
    for number, item in enumerate(entry.items):
        here = (*path, "items", number, "hand")
        if item.hand and item.place != "hand":
            yield document.problem(here, "no hand for something elsewhere", f"place: {item.place}")
        elif item.hand and item.hand in filled:
            yield document.problem(here, "a hand that holds nothing else", repr(item.hand))
        filled.append(item.hand if item.place == "hand" else "")


def _ability_problems(
    document: Document[SceneFile], path: Place, ability: Ability, settings: Settings
) -> Iterator[Problem]:
    known = [*CONDITIONS, *settings.conditions]
    if ability.condition:
        yield from one_of(document, (*path, "condition"), ability.condition, known)
    if ability.lasting and not (ability.save and ability.condition):
        yield document.problem((*path, "lasting"), "a `condition` and the `save` against it", "not both")
    if ability.ac and not ability.sustain:
        yield document.problem((*path, "ac"), "`sustain` and `pool`: it counts while it is sustained", "none")
    if ability.trigger and ability.at == "ally":
        yield document.problem((*path, "at"), "self or enemy for what answers damage", "'ally'")


def _item_problems(document: Document[SceneFile], path: Place, item: Item, settings: Settings) -> Iterator[Problem]:
    """What lies about is as good as what is carried."""
    if not item.name.strip():
        yield document.problem((*path, "name"), "a name", repr(item.name))
    yield from one_of(document, (*path, "size"), item.size, settings.sizes)
    if item.weapon is not None:
        yield from _dice_problems(document, (*path, "weapon", "damage"), item.weapon.damage)
    if item.heals:
        yield from _dice_problems(document, (*path, "heals"), item.heals)


def _dice_problems(document: Document[SceneFile], path: Place, text: str) -> Iterator[Problem]:
    try:
        pool_of(text)
    except ValueError:
        yield document.problem(path, "dice such as 1d8+3, or a number", repr(text))


# -- settings


def _settings_problems(document: Document[SceneFile], settings: Settings) -> Iterator[Problem]:
    yield from _dice_problems(document, ("settings", "improvised"), settings.improvised)
    yield from one_of(document, ("settings", "item_region_from"), settings.item_region_from, settings.sizes)
    yield from each_of(document, ("settings", "footprints"), settings.footprints, settings.sizes)
    metres = [step[0] for step in settings.throw_dc]
    if not metres or metres != sorted(dict.fromkeys(metres)):
        yield document.problem(("settings", "throw_dc"), "[metres, DC] by rising metres, at least one", str(metres))
    for name in settings.pool_aliases:
        if name in POOLS:
            yield document.problem(("settings", "pool_aliases", name), "another name than that of a pool", repr(name))
    for name, maneuver in settings.maneuvers.items():
        path = ("settings", "maneuvers", name, "cost")
        yield from each_of(document, path, maneuver.cost, [*POOLS, *settings.pool_aliases])
    yield from _region_problems(document, settings)


def maneuver_warnings(document: Document[SceneFile], file: SceneFile) -> Iterator[Problem]:
    """Rules: altered-realms.untrained.dc-floor."""
    for name, maneuver in file.settings.maneuvers.items():
        least = file.settings.untrained_dc
        if maneuver.dc is not None and maneuver.dc < least:
            right = f"{least} or more; untrained it is tried against {least}"
            yield document.problem(("settings", "maneuvers", name, "dc"), right, str(maneuver.dc))


def _region_problems(document: Document[SceneFile], settings: Settings) -> Iterator[Problem]:
    every = {**REGIONS, **settings.regions}
    for name, region in settings.regions.items():
        path = ("settings", "regions", name, "within")
        if region.within and region.within not in every:
            yield from one_of(document, path, region.within, every)
            continue
        within, passed = region.within, [name]
        while within in every and within not in passed:
            passed.append(within)
            within = every[within].within
        if within == name:
            yield document.problem(path, "a larger part that does not belong to it", " in ".join([*passed, name]))
