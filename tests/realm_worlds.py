"""Random scenes of Altered Realms with hidden creatures on both sides, and what may differ unknown to a seat."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import yaml
from msgspec.structs import replace

import turnwright as tw
from turnwright.model import Declaration, Expiry, Relation, State
from turnwright.systems.altered_realms.events import Aided, Inspired, Lying, Mechanism, Primed
from turnwright.systems.altered_realms.holding import Holds
from turnwright.systems.altered_realms.sheet import SEEN_PLACES, Ability, Armor, Creature, Item, Trait
from turnwright.systems.altered_realms.space import free_for

LEGEND = {
    ",": {"name": "mud", "difficult": ["mud"]},
    "o": {"name": "pit", "drop": 2},
    "~": {"name": "gorge", "drop": 12},
    "#": {"name": "wall", "blocked": True},
}
ATTRIBUTES = ("str", "dex", "con", "int", "wis", "cha")
SKILLS = ("athletics", "acrobatics", "lockpicking", "mechanics", "leadership")
ITEMS: list[dict[str, Any]] = [
    {"name": "blade", "weapon": {"damage": "1d6+1", "type": "slashing", "training": 1}},
    {"name": "hook", "weapon": {"damage": "1d4", "training": 2, "grapple": True}},
    {"name": "bow", "place": "pack", "weapon": {"kind": "ranged", "damage": "1d6", "range": 20}},
    {"name": "potion", "place": "pouch", "size": "tiny", "drink": True, "heals": "1d8+2"},
    {"name": "mail", "place": "worn", "armor": {"don": 2, "doff": 1, "ac": 2}},
]
ABILITIES: list[dict[str, Any]] = [
    {"name": "ward", "budget": "motion", "pool": "focus", "sustain": 2, "ac": 2},
    {"name": "spark", "at": "enemy", "range": 6, "save": "dex", "damage": "2d4", "type": "fire", "area": 2},
    {"name": "mend", "budget": "motion", "at": "ally", "range": 5, "heals": "1d4"},
    {"name": "daze", "at": "enemy", "save": "wis", "condition": "blinded", "lasting": True},
    {"name": "blink", "budget": "movement", "teleport": 4},
    {"name": "riposte", "trigger": "hurt", "budget": "none"},
]
SEATS = ("ann", "cy")


def world(draw: Random) -> str:
    """A small map with a door, two sides close to each other, locks and traps, and things that lie about."""
    width, height = draw.randint(5, 8), draw.randint(4, 6)
    rows = [[draw.choices(".,#o~", [70, 8, 6, 4, 2])[0] for _ in range(width)] for _ in range(height)]
    free = [(x, y) for y in range(height) for x in range(width) if rows[y][x] != "#"]
    places = draw.sample(free, draw.randint(4, 6))
    used = sorted({mark for row in rows for mark in row if mark in LEGEND})
    document: dict[str, Any] = {
        "system": "altered-realms",
        "title": "a random scene",
        "sides": ["a", "b"],
        "seats": [{"id": seat} for seat in SEATS],
        "map": {"rows": ["".join(row) for row in rows], "legend": {mark: LEGEND[mark] for mark in used}},
        "creatures": [_creature(draw, number, at) for number, at in enumerate(places)],
        "items": [{"item": {"name": "stool", "size": "medium", "weapon": {"damage": "1d6"}}, "at": draw.choice(free)}],
        "mechanisms": [
            {"id": "lock", "kind": "lock", "at": draw.choice(free), "quality": draw.choice(["simple", "good"])},
            {"id": "trap", "kind": "trap", "at": draw.choice(free), "damage": "1d4", "hidden": draw.random() < 0.5},
        ],
    }
    pairs = [((x, y), (x + 1, y)) for x, y in free if (x + 1, y) in free]
    if pairs:
        document["map"]["doors"] = [{"id": "gate", "between": draw.choice(pairs), "open": draw.random() < 0.5}]
        document["mechanisms"][0]["door"] = "gate"
    return yaml.safe_dump(json.loads(json.dumps(document)), sort_keys=False)


def _creature(draw: Random, number: int, at: tuple[int, int]) -> dict[str, Any]:
    side = "ab"[number % 2]
    entry: dict[str, Any] = {
        "id": f"c{number}",
        "side": side,
        "seat": draw.choice(["ann", "ann", "guide"] if side == "a" else ["cy", "guide", "guide"]),
        "at": list(at),
        "size": draw.choices(["tiny", "medium", "large"], [1, 8, 0])[0],
        "speed": draw.choice([4, 6, 8]),
        "moves": draw.choice([["walk"], ["walk", "fly"], ["walk", "climb"]]),
        "modifiers": {name: draw.randint(-1, 4) for name in draw.sample(ATTRIBUTES, 3)},
        "training": {name: draw.randint(0, 3) for name in draw.sample(SKILLS, 2)},
        "ac": draw.randint(6, 16),
        "hp": draw.randint(4, 30),
        "attacks": draw.randint(1, 2),
        "reactions": draw.randint(1, 2),
        "pools": {"focus": 3, "stamina": 1},
        "items": draw.sample(ITEMS, draw.randint(0, 3)),
        "abilities": draw.sample(ABILITIES, draw.randint(0, 3)),
        "hidden": draw.random() < 0.3,
    }
    hands = [item for item in entry["items"] if item.get("place", "hand") == "hand"]
    if len(hands) > 1:
        entry["items"] = [item for item in entry["items"] if item is not hands[0]]
    return entry


def state_in(seed: int | str) -> State:
    return tw.read_scene(world(Random(f"realm {seed}")), "random.yaml")


# -- what may differ without a seat's knowledge


def strangers(state: State, seat: str) -> list[Creature]:
    mine = {who.side for who in state.actors.values() if who.seat == seat}
    return [who for who in state.actors.values() if who.side not in mine]


def unseen(state: State, seat: str) -> list[Creature]:
    """Whoever is not known of, and whom nothing ties to anybody."""
    known = tw.find_game("altered-realms").known(state, seat)
    tied = {name for held in state.relations.values() for r in held for name in (r.owner, r.other)}
    return [who for who in strangers(state, seat) if who.id not in known.actors and who.id not in tied]


def stronger(state: State, seat: str, draw: Random) -> State | None:
    """Everything on the sheet of a stranger that is no sight: numbers, what it carries out of sight, what it can do."""
    who = draw.choice(strangers(state, seat))
    shown = [item for item in who.items if item.place in SEEN_PLACES]
    items = [
        replace(
            item,
            heals="",
            weapon=item.weapon and replace(item.weapon, training=draw.randint(0, 9), damage="3d6", modifier=9),
            armor=item.armor and Armor(draw.randint(3, 9), 7, draw.randint(0, 5), item.armor.weight),
        )
        for item in shown
    ]
    kept = tuple([ability for ability in who.abilities if ability.name in who.sustained])
    hp = draw.randint(1, 40) if who.hp > 0 else who.hp
    return state.with_actor(
        replace(
            who,
            ac=draw.randint(1, 25),
            hp=hp,
            hp_max=max(hp, draw.randint(1, 50)),
            attributes={name: draw.randint(-3, 6) for name in ATTRIBUTES},
            training={name: draw.randint(0, 5) for name in SKILLS},
            items=(*items, Item("secret", place="pack", size="tiny", drink=True, heals="2d6")),
            abilities=(*kept, Ability("nuke", at="enemy", damage="8d6", save="dex"), Ability("answer", trigger="hurt")),
            maneuver_dc=draw.choice([None, 9, 22]),
            spell_dc=draw.choice([None, 9, 22]),
            base_attacks=draw.randint(1, 4),
            reactions=draw.randint(0, 3),
            rested=draw.random() < 0.5,
            traits=(Trait("quick", attacks=draw.randint(0, 2), reactions=draw.randint(0, 2)),),
            totals={"dex save": draw.randint(0, 9)},
            speed=draw.randint(0, 9),
            rolls={"social": draw.randint(0, 3)},
        )
    )


def moved(state: State, seat: str, draw: Random) -> State | None:
    """Somebody unseen stands elsewhere and is called otherwise."""
    found = unseen(state, seat)
    grid = state.scene.grid
    if not found or grid is None:
        return None
    who = draw.choice(found)
    cells = [cell for cell in grid.cells() if free_for(state, who, cell, 0)]
    return state.with_actor(replace(who, at=draw.choice(cells), name="Another")) if cells else None


def absent(state: State, seat: str, draw: Random) -> State | None:
    """Somebody unseen is not there at all."""
    played = [actor.seat for actor in state.actors.values()]
    found = [who for who in unseen(state, seat) if who.id not in (state.active, state.last)]
    found = [who for who in found if played.count(who.seat) > 1]
    if not found:
        return None
    gone = draw.choice(found).id
    order = tuple([name for name in state.scene.order if name != gone])
    actors = {name: who for name, who in state.actors.items() if name != gone}
    return replace(state, actors=actors, scene=replace(state.scene, order=order))


def trapped(state: State, seat: str, draw: Random) -> State | None:
    """There is a trap that nobody knows of, and locks and traps are not as good as they were."""
    secret = Mechanism("secret", "trap", "a secret trap", (1, 1), damage="9d6", hidden=True)
    state = state.with_fact(secret)
    for fact in state.facts_of(Mechanism):
        quality = fact.quality if fact.quality == "simple" else "superior"
        dc = draw.choice([None, 5, 25])
        state = state.with_fact(replace(fact, dc=dc, quality=quality, damage="7d6", on_fail="boom", rearms=True))
    return state


def lying(state: State, seat: str, draw: Random) -> State | None:
    """What lies about is worth more than it looks."""
    for fact in state.facts_of(Lying):
        weapon = fact.item.weapon and replace(fact.item.weapon, damage="5d6", training=draw.randint(1, 5))
        state = state.with_fact(replace(fact, item=replace(fact.item, weapon=weapon)))
    return state


def primed(state: State, seat: str, draw: Random) -> State | None:
    """A stranger has something prepared."""
    who = draw.choice(strangers(state, seat))
    deed = Declaration(who.id, draw.choice(["attack", "dodge"]), target=draw.choice(list(state.actors)))
    return state.relate(Primed(who.id, who.id, Expiry(who.id, "start"), deed, "somebody moves", 2))


def turned(state: State, seat: str, draw: Random) -> State | None:
    """It is the turn of somebody unseen."""
    found = unseen(state, seat)
    return replace(state, active=draw.choice(found).id) if found and state.active is None else None


def helped(state: State, seat: str, draw: Random) -> State | None:
    """Strangers who help and inspire each other do it by more."""
    known = tw.find_game("altered-realms").known(state, seat)
    found = [who.id for who in strangers(state, seat) if who.id in known.actors]

    def more(r: Relation) -> Relation:
        if isinstance(r, Aided) and r.owner in found and r.other in found:
            return replace(r, amount=r.amount + 5)
        if isinstance(r, Inspired) and r.owner in found:
            return replace(r, amount=r.amount + 5, ready=not r.ready)
        return r

    return replace(state, relations={owner: tuple(map(more, ties)) for owner, ties in state.relations.items()})


def held(state: State, seat: str, draw: Random) -> State | None:
    """Somebody unseen holds a stranger."""
    found = unseen(state, seat)
    theirs = [who for who in strangers(state, seat) if who not in found]
    if not found or not theirs:
        return None
    first = replace(state, relations={})
    for owner, ties in state.relations.items():
        later = [replace(r, number=r.number + 1) if isinstance(r, Holds) else r for r in ties]
        first = replace(first, relations={**first.relations, owner: tuple(later)})
    who = draw.choice(found)
    return first.relate(Holds(who.id, draw.choice(theirs).id, None, who.hands[0].name, "", 1))


def afflicted(state: State, seat: str, draw: Random) -> State | None:
    """What strangers put on one's own is harder to shake off."""
    theirs = [who.id for who in strangers(state, seat)]
    for who in state.actors.values():
        harder = [replace(one, dc=one.dc + 7) if one.by in theirs else one for one in who.afflictions]
        if harder and who.id not in theirs:
            state = state.with_actor(replace(who, afflictions=tuple(harder)))
    return state


Vary = Callable[[State, str, Random], State | None]
VARY: dict[str, Vary] = {
    vary.__name__: vary for vary in (stronger, moved, absent, trapped, lying, primed, turned, helped, held, afflicted)
}
