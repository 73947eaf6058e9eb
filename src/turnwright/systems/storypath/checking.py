"""What can be read in a scene file and still cannot be: names that nothing has, numbers that contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from turnwright.documents import Document, Place, Problem
from turnwright.documents.words import nearest
from turnwright.scene_file import actor_problems, each_of, one_of, order_problems, seat_problems
from turnwright.systems.storypath.settings import ATTRIBUTES, BANDS, LEVELS, PROFILES, STUNTS, TIERS, Settings

if TYPE_CHECKING:
    from turnwright.systems.storypath.scene import CharacterEntry, SceneFile

POOLS = ("primary", "secondary", "desperation")
FLUNG = "away"
"""Where a thing goes that is sent flying; no thing is called so."""
SOMEWHERE = "here"
"""The one place of a scene that names none."""
TAKEN = ("attack", "hurry", "rush", "full_defense", "look", "draw", "stand", "small_deed", "move")
"""What half of a mixed action may be called besides the deeds of the scene."""


def is_pc(entry: CharacterEntry) -> bool:
    return entry.seat not in ("", "guide") if entry.pc is None else entry.pc


def problems(document: Document[SceneFile]) -> Iterator[Problem]:
    file = document.value
    if file.profile:
        yield from one_of(document, ("profile",), file.profile, PROFILES)
    yield from _place_problems(document, file)
    yield from _named_once(document, ("deeds",), [deed.name for deed in file.deeds], "deed", TAKEN)
    yield from _named_once(document, ("reflexives",), [small.name for small in file.reflexives], "reflexive deed")
    yield from seat_problems(document)
    yield from order_problems(document, "characters")
    for key, entries in (("characters", file.characters), ("reserves", file.reserves)):
        for index, entry in enumerate(entries):
            yield from actor_problems(document, key, "character", index)
            yield from _character_problems(document, (key, index), entry)
    there = [entry.id for entry in file.characters]
    for index, entry in enumerate(file.characters):
        if entry.on:
            others = [name for name in there if name != entry.id]
            yield from one_of(document, ("characters", index, "on"), entry.on, others, "the others")
            if entry.on != entry.id and entry.id in _below(file, entry):
                right = "somebody who is not on it in turn"
                yield document.problem(("characters", index, "on"), right, repr(entry.on))
    for index, entry in enumerate(file.reserves):
        if entry.id in there:
            yield document.problem(("reserves", index, "id"), "a name that nobody else has", repr(entry.id))
        if entry.on:
            right = "nothing: whoever comes later is on nobody yet"
            yield document.problem(("reserves", index, "on"), right, repr(entry.on))


def _below(file: SceneFile, entry: CharacterEntry) -> list[str]:
    """Whom somebody is on, and whom that one is on in turn."""
    on = {one.id: one.on for one in file.characters if one.on}
    found, name = [], entry.id
    while name in on and on[name] not in found:
        name = on[name]
        found.append(name)
    return found


def _place_problems(document: Document[SceneFile], file: SceneFile) -> Iterator[Problem]:
    yield from _named_once(document, ("places",), file.places, "place", last="")
    for index, way in enumerate(file.ways):
        for end in dict.fromkeys(way):
            yield from one_of(document, ("ways", index), end, file.places, "the places")
        if way[0] == way[1]:
            yield document.problem(("ways", index), "two places", f"{way[0]!r} twice")
    for key, given in (("places", file.places), ("ways", file.ways)):
        if file.metres and given:
            yield document.problem((key,), "nothing in a scene in metres, where positions are points", f"{len(given)}")


def _named_once(
    document: Document[SceneFile],
    path: Place,
    names: Sequence[str],
    noun: str,
    taken: Iterable[str] = (),
    last: str = "name",
) -> Iterator[Problem]:
    """A problem for each name that another one of the list has already, or that means something else."""
    for index, name in enumerate(names):
        where: Place = (*path, index, last) if last else (*path, index)
        if name in taken:
            are = "is" if len(tuple(taken)) == 1 else "are"
            yield document.problem(where, f"a name of its own; {', '.join(taken)} {are} taken", repr(name))
        elif name in names[:index]:
            yield document.problem(where, f"a name that no other {noun} has", repr(name))
        elif not name.strip():
            yield document.problem(where, "a name", repr(name))


def _character_problems(document: Document[SceneFile], path: Place, entry: CharacterEntry) -> Iterator[Problem]:
    yield from one_of(document, (*path, "tier"), entry.tier, TIERS)
    if entry.group and is_pc(entry):
        right = "no group: only Storyguide characters share a roll"
        yield document.problem((*path, "group"), right, repr(entry.group))
    yield from each_of(document, (*path, "attributes"), entry.attributes, ATTRIBUTES)
    yield from each_of(document, (*path, "pools"), entry.pools, POOLS)
    for skill, name in entry.good_at.items():
        yield from one_of(document, (*path, "good_at", skill), name, POOLS)
    for number, weapon in enumerate(entry.weapons):
        at = (*path, "weapons", number)
        yield from one_of(document, (*at, "reach"), weapon.reach, BANDS)
        yield from one_of(document, (*at, "attribute"), weapon.attribute, (*ATTRIBUTES, "by range"))
        if weapon.pool:
            yield from one_of(document, (*at, "pool"), weapon.pool, POOLS)
    for key, named in (("weapons", entry.weapons), ("items", entry.items), ("knacks", entry.knacks)):
        names = [one.name for one in named]
        taken = () if key == "knacks" else (FLUNG,)
        yield from _named_once(document, (*path, key), names, key.removesuffix("s"), taken)
    yield from each_of(document, (*path, "boxes"), entry.boxes, LEVELS if entry.health is None else ("health",))
    yield from _position_problems(document, path, entry)


def _position_problems(document: Document[SceneFile], path: Place, entry: CharacterEntry) -> Iterator[Problem]:
    file = document.value
    if file.metres and isinstance(entry.at, str):
        yield document.problem((*path, "at"), "a point in metres, [x, y]", repr(entry.at))
    elif not file.metres and isinstance(entry.at, tuple):
        yield document.problem((*path, "at"), "the name of a place", str(list(entry.at)))
    elif not file.metres and isinstance(entry.at, str):
        yield from one_of(document, (*path, "at"), entry.at, file.places or (SOMEWHERE,), "the places")


# -- settings, and what hangs on them


def settings_problems(document: Document[SceneFile], settings: Settings) -> Iterator[Problem]:
    worst = max(settings.targets.values(), default=8)
    for name in TIERS:
        if not 2 <= settings.targets.get(name, 0) <= settings.sides:
            got = str(settings.targets.get(name))
            yield document.problem(("settings", "targets"), f"a number from 2 to {settings.sides} for {name}", got)
    for key, held, known in (
        ("stunts", settings.stunts, tuple(STUNTS)),
        ("injury_complications", settings.injury_complications, LEVELS),
        ("targets", settings.targets, TIERS),
    ):
        yield from each_of(document, ("settings", key), held, known)
        for name, number in held.items():
            if number < 0:
                yield document.problem(("settings", key, name), "a number from 0 up", str(number))
    if list(settings.band_metres) != sorted(dict.fromkeys(settings.band_metres)) or settings.band_metres[0] < 0:
        right = "metres that rise from band to band"
        yield document.problem(("settings", "band_metres"), right, str(list(settings.band_metres)))
    if settings.again and settings.again < max(2, worst):
        right = f"0, or a face that counts: {max(2, worst)} or more"
        yield document.problem(("settings", "again"), right, str(settings.again))
    most = settings.momentum_for_each_player * _players(document.value)
    if document.value.momentum > most:
        right = f"{most} at most, {settings.momentum_for_each_player} for each player"
        yield document.problem(("momentum",), right, str(document.value.momentum))
    for key, entries in (("characters", document.value.characters), ("reserves", document.value.reserves)):
        for index, entry in enumerate(entries):
            yield from _box_problems(document, settings, (key, index), entry)


def _players(file: SceneFile) -> int:
    return len(dict.fromkeys(entry.seat for entry in file.characters if is_pc(entry)))


def _box_problems(
    document: Document[SceneFile], settings: Settings, path: Place, entry: CharacterEntry
) -> Iterator[Problem]:
    """Nobody has more injuries than boxes, and whoever has plain ones keeps one of them."""
    stamina = min(5, max(1, entry.attributes.get("stamina", 1)))
    most = {"bruised": settings.bruised[stamina - 1], "injured": settings.injured, "maimed": settings.maimed}
    if entry.health is not None:
        most = {"health": entry.health - 1}
        if entry.health < 1:
            yield document.problem((*path, "health"), "1 or more", str(entry.health))
    for name, number in entry.boxes.items():
        if number > most[name]:
            yield document.problem((*path, "boxes", name), f"{most[name]} at most", str(number))


# -- what may be meant otherwise


def warnings(document: Document[SceneFile]) -> Iterator[Problem]:
    """Pools without a die, and groups whose members are not alike."""
    file = document.value
    for key, entries in (("characters", file.characters), ("reserves", file.reserves)):
        for index, entry in enumerate(entries):
            yield from _empty_pools(document, (key, index), entry)
    yield from _groups(document, file)


def _empty_pools(document: Document[SceneFile], path: Place, entry: CharacterEntry) -> Iterator[Problem]:
    for skill, pool in entry.good_at.items():
        if pool not in entry.pools:
            yield document.problem((*path, "good_at", skill), f"a pool that {entry.id} has", repr(pool))
    for number, weapon in enumerate(entry.weapons):
        at = (*path, "weapons", number)
        if entry.pools:
            if weapon.pool and weapon.pool not in entry.pools:
                yield document.problem((*at, "pool"), f"a pool that {entry.id} has", repr(weapon.pool))
        elif weapon.skill not in entry.skills and (like := nearest(weapon.skill, list(entry.skills))):
            yield document.problem((*at, "skill"), f"a Skill of {entry.id}", repr(weapon.skill), like)


def _groups(document: Document[SceneFile], file: SceneFile) -> Iterator[Problem]:
    """Rules: storypath.initiative.sgc-group-roll."""
    for index, entry in enumerate(file.characters):
        first = next(other for other in file.characters if other.group == entry.group)
        same = (first.pools, first.skills, first.attributes, first.initiative)
        if entry.group and same != (entry.pools, entry.skills, entry.attributes, entry.initiative):
            right = f"numbers like those of {first.id}, with whom it shares a roll"
            yield document.problem(("characters", index, "group"), right, "others")
