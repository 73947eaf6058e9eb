"""Random Narateer scenes for properties, and what may differ in them without a seat's knowledge."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import yaml
from msgspec.structs import replace

import turnwright as tw
from turnwright.model import Fact, Relation, State
from turnwright.systems.narateer.events import Hidden, Known, Looking, Record, Secret
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
    if not candidates or state.scene.grid is None:
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


Vary = Callable[[State, str, Random], State | None]
VARY: dict[str, Vary] = {
    "moved": moved,
    "absent": absent,
    "stronger": stronger,
    "other totals": other_totals,
    "other secrets": other_secrets,
}
