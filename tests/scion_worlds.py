"""Random small fights of Storypath, and what of them a player cannot know, each as a change of it."""

from __future__ import annotations

from random import Random
from typing import Any

from msgspec.structs import replace
from scions import BALANCE, CLIMB, foe, hero, scene_text

import turnwright as tw
from turnwright.model import State
from turnwright.systems.storypath.events import Helped, Lying, Reserve
from turnwright.systems.storypath.knowledge import shown
from turnwright.systems.storypath.sheet import Character, Weapon

SEATS = ("ann", "bo")
PLACES = ["den", "path", "wood"]


def world(draw: Random) -> str:
    """A scene file: two players and up to three foes, in places or in metres, with most of what there is."""
    metres = draw.random() < 0.25
    heroes = [_hero(draw, name, metres) for name in SEATS]
    foes = [_foe(draw, f"foe_{n}", metres) for n in range(draw.randint(1, 3))]
    shout = {"name": "shout", "complications": [{"name": "noise", "rating": draw.randint(1, 2), "prone": True}]}
    keys: dict[str, Any] = {
        "momentum": draw.randint(0, 3),
        "deeds": [BALANCE, CLIMB, shout],
        "reflexives": [{"name": "drop it"}, {"name": "listen", "pool": 2, "listed": draw.random() < 0.5}],
        "reserves": [foe("late", group="pack")],
    }
    keys |= {"metres": True} if metres else {"places": PLACES}
    if draw.random() < 0.3:
        keys["profile"] = "ultra"
    if draw.random() < 0.3:
        keys["settings"] = {"mixed_limit": 3, "reflexive_moves": 2, "variable_by_pool": True, "knacks_count": True}
    return scene_text(*heroes, *foes, **keys)


def _at(draw: Random, metres: bool) -> Any:
    return [draw.randint(0, 8), draw.randint(0, 4)] if metres else draw.choice(PLACES)


def _hero(draw: Random, name: str, metres: bool) -> dict[str, Any]:
    keys: dict[str, Any] = {"at": _at(draw, metres), "soft": draw.randint(0, 1), "hard": draw.randint(0, 1)}
    for trait in ("close_combat", "firearms", "athletics", "might", "dexterity", "cunning", "stamina", "resolve"):
        keys[trait] = draw.randint(0, 3)
    keys["knacks"] = [{"name": "Eyes", "enhancement": 1}, {"name": "Stone", "action": "simple", "armor": 1}]
    keys["items"] = [{"name": "rope"}, {"name": "blade", "place": "hand"}, {"name": "map", "place": "pack"}]
    bow = {"name": "bow", "skill": "firearms", "attribute": "by range", "reach": "medium"}
    keys["weapons"] = [{"name": "blade", "enhancement": draw.randint(0, 1)}, bow]
    if draw.random() < 0.4:
        keys["boxes"] = {draw.choice(["bruised", "injured", "maimed"]): 1}
    return hero(name, prone=draw.random() < 0.2, **keys)


def _foe(draw: Random, name: str, metres: bool) -> dict[str, Any]:
    keys: dict[str, Any] = {"at": _at(draw, metres), "minor": draw.random() < 0.3, "open": draw.random() < 0.2}
    keys |= {"hard": draw.randint(0, 1), "soft": draw.randint(0, 1), "enhancement": draw.randint(0, 1)}
    if draw.random() < 0.5:
        keys |= {"weapons": [{"name": "axe", "pool": "primary", "enhancement": 1}]}
        keys |= {"items": [{"name": "axe", "place": "hand"}]}
    keys["knacks"] = [{"name": "Rage", "enhancement": 2}]
    return foe(name, **({"group": "pack"} if draw.random() < 0.4 else {}), **keys)


def state_in(seed: int | str) -> State:
    return tw.read_scene(world(Random(f"scions {seed}")), "random.yaml")


# -- what a player cannot know


def strangers(state: State, seat: str) -> list[Character]:
    return [who for who in state.actors.values() if not shown(who, seat)]


def stronger(state: State, seat: str, draw: Random) -> State | None:
    """Other numbers for those whose numbers are not told, no fewer boxes than they have lost."""
    found = strangers(state, seat)
    for who in found:
        hurt = sum(who.boxes.values())
        other = replace(
            who,
            pools={name: draw.randint(2, 9) for name in who.pools},
            good_at={"athletics": draw.choice(["primary", "secondary"])},
            initiative=draw.randint(2, 9),
            enhancement=draw.randint(0, 3),
            defense=draw.choice([None, 1, 3, 5]),
            health=hurt + draw.randint(1, 4) if not who.taken_out else who.health,
            soft=draw.randint(0, 3),
            hard=draw.randint(0, 3),
            soft_now=draw.randint(0, 2),
            cover=draw.randint(0, 1),
            guard=draw.choice([None, 2, 4]),
            speed=draw.randint(2, 20),
            tier=draw.choice(["heroic", "divine"]),
            hampered=draw.randint(0, 1),
            moves=draw.randint(0, 1),
            knacks=who.knacks[:0],
        )
        state = state.with_actor(other)
    return state if found else None


def awaited(state: State, seat: str, draw: Random) -> State | None:
    """Others wait to come, or nobody does."""
    facts = {name: fact for name, fact in state.facts.items() if not isinstance(fact, Reserve)}
    if draw.random() < 0.5:
        facts["reserve ogre"] = Reserve("reserve ogre", Character("ogre", "Ogre", "foes", "guide", pc=False))
    return replace(state, facts=facts)


def helped(state: State, seat: str, draw: Random) -> State | None:
    """A Knack of somebody whose numbers are not told gives more or less."""
    for who in strangers(state, seat):
        for tie in state.related(Helped, who.id):
            return state.without(tie).relate(replace(tie, amount=tie.amount + draw.randint(1, 3)))
    return None


def lying(state: State, seat: str, draw: Random) -> State | None:
    """What lies on the ground is a better weapon, or none."""
    found = state.facts_of(Lying)
    better = [None, Weapon("axe", enhancement=3)]
    return state.with_fact(replace(found[0], weapon=draw.choice(better))) if found else None


VARY = {"stronger": stronger, "awaited": awaited, "helped": helped, "lying": lying}
