"""Random Narateer scenes for properties, and what may differ in them without a seat's knowledge."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import yaml
from msgspec.structs import replace

import turnwright as tw
from turnwright.model import Fact, Relation, Ruling, State
from turnwright.systems.narateer.doors import ends_of, sees_door
from turnwright.systems.narateer.events import (
    DoorBelief,
    DoorWay,
    Established,
    Exposed,
    Hidden,
    Known,
    Looking,
    Record,
    Secret,
    belief_name,
)
from turnwright.systems.narateer.senses import perceives
from turnwright.systems.narateer.sheet import Character

LEGEND = {
    ",": {"name": "thicket", "difficult": ["undergrowth"], "conceals": ["sight"], "place": "thicket"},
    "~": {"name": "mud", "difficult": ["mud"]},
    "^": {"name": "ledge", "tags": ["balance"]},
    "o": {"name": "pillar", "blocked": True},
}
SKILLS = ("stealth", "observation", "melee", "ranged", "athletics", "acrobatics")
WEAPONS = [
    {"name": "knife"},
    {"name": "spear", "reach": 2},
    {"name": "maul", "base_attack_cost": 2, "wounds": 2},
    {"name": "bow", "kind": "ranged", "reach": 8},
]
POWERS = [
    {"name": "Riposte", "parts": [{"attaches_to": "clash", "ad": 1, "totals": 2}]},
    {"name": "Grudge", "parts": [{"trigger": "exchange_resolved", "role": "target", "reaction": True, "strike": True}]},
]


def world(draw: Random) -> str:
    """A scene file: a map with walls, thickets, mud and a door, and two to six characters of two sides."""
    width, height = draw.randint(5, 10), draw.randint(4, 7)
    marks = draw.choice([".", "....,,#~^o", "......,,,,", "....###~"])
    rows = ["".join(draw.choice(marks) for _ in range(width)) for _ in range(height)]
    free = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark not in "#o"]
    count = min(draw.randint(2, 6), len(free))
    if count < 2:
        return world(draw)
    places = draw.sample(free, count)
    used = sorted({mark for row in rows for mark in row if mark in LEGEND})
    document: dict[str, Any] = {
        "system": "narateer",
        "title": "a random scene",
        "sides": ["heroes", "guards"],
        "seats": [{"id": seat} for seat in ("ann", "bo", "cy")],
        "map": {"rows": rows, "legend": {mark: LEGEND[mark] for mark in used}} | door(draw, free),
        "characters": [_character(draw, number, at) for number, at in enumerate(places)],
        "secrets": [{"id": "coin", "name": "a coin", "place": "thicket", "target": draw.randint(3, 9)}],
    }
    if draw.random() < 0.3:
        document["obstacles"] = [
            {"at": list(draw.choice(free)), "name": "a fallen tree", "metres": draw.choice([0, 2])}
        ]
    return yaml.safe_dump(json.loads(json.dumps(document)), sort_keys=False)


def door(draw: Random, free: list[tuple[int, int]]) -> dict[str, Any]:
    pairs = [((x, y), (x + 1, y)) for x, y in free if (x + 1, y) in free]
    if not pairs or draw.random() < 0.5:
        return {}
    a, b = draw.choice(pairs)
    return {"doors": [{"id": "gate", "between": [list(a), list(b)], "open": draw.random() < 0.5}]}


def _character(draw: Random, number: int, at: tuple[int, int]) -> dict[str, Any]:
    hero = number % 2 == 0
    entry: dict[str, Any] = {
        "id": f"{'hero' if hero else 'guard'}{number}",
        "side": "heroes" if hero else "guards",
        "seat": draw.choice(["ann", "ann", "bo", "guide"] if hero else ["cy", "guide"]),
        "at": list(at),
        "attributes": {"strength": draw.randint(0, 3), "agility": draw.randint(0, 3)},
        "skills": {skill: draw.randint(0, 3) for skill in draw.sample(SKILLS, draw.randint(0, 5))},
        "ad": draw.randint(1, 8),
        "weapons": [dict(weapon) for weapon in draw.sample(WEAPONS, draw.randint(0, 2))],
        "powers": [dict(power) for power in draw.sample(POWERS, draw.choice([0, 0, 1]))],
        "conditions": draw.choice([[], [], [], ["prone"], ["stunned"]]),
        "encumbrance": draw.choice(["none", "none", "none", "burdened", "heavy"]),
    }
    if draw.random() < 0.3:
        entry["readiness"] = {skill: draw.randint(2, 9) for skill in draw.sample(SKILLS, 2)}
    return entry


def random_state(seed: object) -> State:
    return tw.read_scene(world(Random(f"world {seed}")), f"world {seed}")


# -- off the map


ZONE_KINDS = [{}, {}, {"difficult": ["mud"]}, {"conceals": ["sight"]}, {"metres": 6}, {"tags": ["vaulting"]}]


def zone_world(draw: Random) -> str:
    """A scene file in Cinematic Mode: Zones on a map of bands, ways with doors and obstacles, one Zone apart."""
    count = draw.randint(3, 5)
    names = [f"zone{number}" for number in range(count)]
    zones = {name: dict(draw.choice(ZONE_KINDS)) | {"spaces": name} for name in names}
    ways: list[dict[str, Any]] = [
        {"between": list(pair)} for pair in pairwise(names[: draw.choice([count, count - 1])])
    ]
    if count > 3:
        ways.append({"between": [names[0], names[2]], "clear": draw.random() < 0.5})
    doors = []
    if draw.random() < 0.5:
        doors.append({"id": "gate", "between": [[3, 1], [4, 1]], "open": draw.random() < 0.5})
        ways[0]["door"] = "gate"
    document = _off_the_map(draw, "cinematic", names) | {"map": _bands(names) | {"zones": zones, "ways": ways}}
    document["map"]["doors"] = doors
    if draw.random() < 0.4:
        document["obstacles"] = [{"way": ways[-1]["between"], "name": "a fallen cart", "metres": draw.choice([0, 2])}]
    return yaml.safe_dump(json.loads(json.dumps(document)), sort_keys=False)


def story_world(draw: Random) -> str:
    """A scene file in Story Mode: three places, a wall between two, perhaps a way past it, things, and who is near."""
    places = ["hall", "yard", "loft"]
    relations: list[dict[str, Any]] = [
        {"thing": "altar", "place": "hall"},
        {"thing": "well", "place": "yard"},
        {"barrier": "wall", "between": ["hall", "yard"], "clear": draw.random() < 0.3},
    ]
    if draw.random() < 0.5:
        relations.append({"way": "arch", "between": ["hall", "yard"]})
    document = _off_the_map(draw, "story", places)
    ids = [entry["id"] for entry in document["characters"]]
    told: set[frozenset[str]] = set()
    for _ in range(draw.randint(0, 3)):
        how, who = draw.choice(["near", "far", "behind"]), draw.choice(ids)
        pair = [who, draw.choice([other for other in [*ids, "altar", "well"] if other != who])]
        if frozenset(pair) not in told and (
            how != "behind" or pair == sorted(pair, reverse=True) or pair[1] not in ids
        ):
            relations.append({how: pair})
            told.add(frozenset(pair))
    document |= {"relations": relations, "map": _bands(places)}
    return yaml.safe_dump(json.loads(json.dumps(document)), sort_keys=False)


def _bands(places: list[str]) -> dict[str, Any]:
    """A map of one band of Spaces for each place, side by side."""
    marks = "abcde"[: len(places)]
    legend = {mark: {"name": place, "place": place} for mark, place in zip(marks, places, strict=True)}
    return {"rows": ["".join(mark * 4 for mark in marks)] * 4, "legend": legend}


def _off_the_map(draw: Random, mode: str, places: list[str]) -> dict[str, Any]:
    people = [_character(draw, number, (0, 0)) | {"at": draw.choice(places)} for number in range(draw.randint(2, 6))]
    return {
        "system": "narateer",
        "title": "a random scene",
        "mode": mode,
        "sides": ["heroes", "guards"],
        "seats": [{"id": seat} for seat in ("ann", "bo", "cy")],
        "characters": people,
        "secrets": [{"id": "coin", "name": "a coin", "place": places[-1], "target": draw.randint(3, 9)}],
    }


WORLDS: dict[str, Callable[[Random], str]] = {"tactical": world, "cinematic": zone_world, "story": story_world}
"""A generator of scene files for each Scene Mode."""


def state_in(mode: str, seed: object) -> State:
    """A random scene of a Scene Mode."""
    if mode == "tactical":
        return random_state(seed)
    return tw.read_scene(WORLDS[mode](Random(f"{mode} {seed}")), f"{mode} {seed}")


def off_map_state(kind: str, seed: object) -> State:
    """A random scene of Zones or of stated relations."""
    made = {"zones": zone_world, "story": story_world}[kind](Random(f"{kind} {seed}"))
    return tw.read_scene(made, f"{kind} {seed}")


def elsewhere(state: State, seat: str, draw: Random) -> State | None:
    """Somebody unknown is in another Zone or place, and stays unknown there."""
    candidates = unknown(state, seat)
    places = sorted({actor.at for actor in state.actors.values() if isinstance(actor.at, str)})
    if not candidates or state.mode == "tactical":
        return None
    who = draw.choice(candidates)
    draw.shuffle(places)
    for place in places:
        other = state.with_actor(replace(who, at=place))
        if place != who.at and who.id in [actor.id for actor in unknown(other, seat)]:
            return other
    return None


# -- what a seat cannot know


def unknown(state: State, seat: str) -> list[Character]:
    """Characters of other sides of whom nobody of the seat has any idea."""
    mine = [actor for actor in state.actors.values() if actor.seat == seat]
    sides = [actor.side for actor in mine]
    return [a for a in state.actors.values() if a.side not in sides and not any(_aware(state, m, a) for m in mine)]


def _aware(state: State, mine: Character, other: Character) -> bool:
    if any(isinstance(r, Known) and r.other == mine.id for r in state.relations.get(other.id, ())):
        return True
    return state.relation(Hidden, other.id, mine.id) is None and perceives(state, mine, other)


def moved(state: State, seat: str, draw: Random) -> State | None:
    """Somebody unknown stands elsewhere, and stays unknown there."""
    candidates = unknown(state, seat)
    if not candidates or state.scene.grid is None or state.mode != "tactical":
        return None
    who = draw.choice(candidates)
    taken = [actor.at for actor in state.actors.values()]
    grid = state.scene.grid
    cells = [cell for cell in grid.cells() if not grid.terrain(cell).blocked and cell not in taken]
    draw.shuffle(cells)
    for cell in cells:
        other = state.with_actor(replace(who, at=cell))
        if who.id in [actor.id for actor in unknown(other, seat)]:
            return other
    return None


def absent(state: State, seat: str, draw: Random) -> State | None:
    """Somebody unknown is not there at all."""
    candidates = [actor for actor in unknown(state, seat) if actor.id != state.active]
    if not candidates:
        return None
    gone = draw.choice(candidates).id
    actors = {name: actor for name, actor in state.actors.items() if name != gone}
    relations = {
        owner: tuple(r for r in held if r.other != gone) for owner, held in state.relations.items() if owner != gone
    }
    scene = replace(state.scene, order=tuple(name for name in state.scene.order if name != gone))
    last = None if state.last == gone else state.last
    return replace(state, actors=actors, relations=relations, scene=scene, last=last)


def stronger(state: State, seat: str, draw: Random) -> State | None:
    """Numbers of other sides that no onlooker reads off them."""
    sides = [actor.side for actor in state.actors.values() if actor.seat == seat]
    others = [actor for actor in state.actors.values() if actor.side not in sides]
    if not others:
        return None
    who = draw.choice(others)
    changed = replace(
        who,
        skills={skill: draw.randint(0, 6) for skill in SKILLS},
        readiness={skill: draw.randint(1, 12) for skill in SKILLS},
        ready=draw.randint(0, 8),
        ad=draw.randint(1, 9),
        uses={"melee": draw.randint(0, 3)},
        strength=draw.randint(0, 4),
        agility=draw.randint(0, 4),
        guards={"melee": draw.choice(SKILLS)},
    )
    return state.with_actor(changed)


def other_totals(state: State, seat: str, draw: Random) -> State | None:
    """How well somebody of another side hides, and what they look for."""
    sides = [actor.side for actor in state.actors.values() if actor.seat == seat]

    def change(r: Relation) -> Relation:
        if isinstance(r, (Hidden, Record)):
            return replace(r, total=draw.randint(1, 30))
        if isinstance(r, Looking):
            return replace(r, total=draw.randint(1, 30))
        return r

    found = {
        owner: held if state.actors[owner].side in sides else tuple(change(r) for r in held)
        for owner, held in state.relations.items()
    }
    return None if found == state.relations else replace(state, relations=found)


def other_secrets(state: State, seat: str, draw: Random) -> State | None:
    """What nobody has found is another thing, and there is more of it."""
    facts: dict[str, Fact] = {}
    for name, fact in state.facts.items():
        if isinstance(fact, Secret) and not fact.found_by:
            fact = replace(fact, target=draw.randint(1, 20), name="something else")
        facts[name] = fact
    facts["another"] = Secret("another", "another thing", "thicket", target=draw.randint(1, 9))
    return replace(state, facts=facts)


def other_rulings(state: State, seat: str, draw: Random) -> State | None:
    """What the guide has ruled and keeps for the next time."""
    kept = Ruling("impossible", obstacle="it is a mirage", when="attempt: open the chest | tactical")
    return replace(state, rulings=(kept,), scene=replace(state.scene, rulings=(kept,), seed=draw.randint(0, 99)))


def _ours(state: State, seat: str) -> list[Character]:
    """The characters of the seat's side."""
    sides = [actor.side for actor in state.actors.values() if actor.seat == seat]
    return [actor for actor in state.actors.values() if actor.side in sides]


def found_out(state: State, seat: str, draw: Random) -> State | None:
    """Somebody unknown has noticed a Hide of the seat's side, or was fooled by it."""
    others, hiders = unknown(state, seat), [a.id for a in _ours(state, seat) if a.seat == seat]
    if not others or not hiders:
        return None
    who, hider = draw.choice(others).id, draw.choice(hiders)
    if any(actor.seat != seat and not _unaware(state, actor, who) for actor in _ours(state, seat)):
        return None
    held = state.unrelate(Hidden, hider, who).unrelate(Exposed, hider, who)
    new = Exposed(hider, who) if draw.random() < 0.5 else Hidden(hider, who, total=draw.randint(1, 20))
    return held.relate(new)


def _unaware(state: State, actor: Character, who: str) -> bool:
    return actor.seat == "guide" or not _aware(state, actor, state.actors[who])


def other_doors(state: State, seat: str, draw: Random) -> State | None:
    """A door that nobody of the seat sees is moved, and everybody of the seat believes it to be as it was."""
    mine = [actor for actor in state.actors.values() if actor.seat == seat]
    doors = [fact.id for fact in state.facts_of(DoorWay) if ends_of(state, fact.id)]
    unseen = [door for door in doors if not any(sees_door(state, actor, door) for actor in mine)]
    if not unseen or not mine:
        return None
    door = draw.choice(unseen)
    believed = door in tw.find_game("narateer").known(state, seat).open_doors
    for actor in mine:
        name = belief_name(actor.id, door)
        state = state.with_fact(DoorBelief(name, actor.id, door, believed))
    opened = [held for held in state.open_doors if held != door] + ([] if door in state.open_doors else [door])
    return replace(state, open_doors=tuple(sorted(opened)))


def brought_about(state: State, seat: str, draw: Random) -> State | None:
    """Somebody has brought something about that nobody of the seat saw."""
    mine = tuple([actor.id for actor in state.actors.values() if actor.seat == seat])
    return state.with_fact(Established("plot", "the bridge is sawn through", mine)) if mine else None


def other_memories(state: State, seat: str, draw: Random) -> State | None:
    """What others remember of the seat's side, where that side does not know it."""
    ours, others = _ours(state, seat), unknown(state, seat)
    if not ours or not others:
        return None
    owner, other = draw.choice(ours), draw.choice(others)
    return state.relate(Known(owner.id, other.id, at=owner.at, aware=False))


def unseen_turn(state: State, seat: str, draw: Random) -> State | None:
    """It is the Activation of somebody unknown, or of nobody, and the round is another one."""
    found = unknown(state, seat)
    if state.active is not None and state.active not in [actor.id for actor in found]:
        return None
    return replace(state, active=draw.choice([None, *[actor.id for actor in found]]), round=state.round + 1)


Vary = Callable[[State, str, Random], State | None]
VARY: dict[str, Vary] = {
    "moved": moved,
    "absent": absent,
    "stronger": stronger,
    "other totals": other_totals,
    "other secrets": other_secrets,
    "other rulings": other_rulings,
    "elsewhere": elsewhere,
    "found out": found_out,
    "other doors": other_doors,
    "brought about": brought_about,
    "other memories": other_memories,
    "unseen turn": unseen_turn,
}
