"""Small scenes of Storypath for tests: characters as keyword arguments, dice written down beforehand."""

from __future__ import annotations

from typing import Any

import yaml
from realms import Plain
from scenes import answer, happened, question, refused

import turnwright as tw
from turnwright.dice import Scripted
from turnwright.model import State
from turnwright.systems.storypath.events import Roster, roster_of
from turnwright.systems.storypath.rolls import momentum
from turnwright.systems.storypath.sheet import Character

BLADE = {"name": "blade"}
BALANCE = {"name": "balance", "skill": "athletics", "attribute": "dexterity", "needs_hold": True, "falls": True}
CLIMB = {"name": "climb", "skill": "athletics", "attribute": "might", "attach": True}


def hero(id: str, seat: str = "", **keys: Any) -> dict[str, Any]:
    """A player character with a blade in the hand; skills as `close_combat=3`, attributes as `might=2`."""
    return _entry(id, {"side": "heroes", "seat": seat or id, "weapons": [BLADE]} | keys)


def foe(id: str, **keys: Any) -> dict[str, Any]:
    """A Storyguide character with a Defense of 2 and claws."""
    plain = {"side": "foes", "pools": {"primary": 4, "secondary": 3, "desperation": 2}, "defense": 2, "health": 3}
    return _entry(id, plain | {"weapons": [{"name": "claws", "pool": "primary"}]} | keys)


SKILLS = ("close_combat", "firearms", "athletics", "academics")
ATTRIBUTES = ("might", "dexterity", "cunning", "stamina", "resolve", "composure", "presence")


def _entry(id: str, keys: dict[str, Any]) -> dict[str, Any]:
    skills = {name.replace("_", " "): keys.pop(name) for name in SKILLS if name in keys}
    attributes = {name: keys.pop(name) for name in ATTRIBUTES if name in keys}
    entry: dict[str, Any] = {"id": id}
    if skills:
        entry["skills"] = skills
    if attributes:
        entry["attributes"] = attributes
    return entry | keys


def scene_text(*characters: dict[str, Any], **keys: Any) -> str:
    seats = dict.fromkeys(entry["seat"] for entry in characters if entry.get("seat"))
    seats |= dict.fromkeys(entry["seat"] for entry in keys.get("reserves", ()) if entry.get("seat"))
    document: dict[str, Any] = {"system": "storypath", "title": "a test", "characters": list(characters)}
    document["seats"] = [{"id": seat, "name": seat.title()} for seat in seats]
    return yaml.dump(document | keys, Dumper=Plain, sort_keys=False, default_flow_style=None)


def scene(*characters: dict[str, Any], **keys: Any) -> State:
    return tw.read_scene(scene_text(*characters, **keys), "test.yaml")


def table(*characters: dict[str, Any], dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    """A table on a scene, with the rolls in the order in which they are asked for."""
    options = {name: keys.pop(name) for name in ("windows", "standing", "by_hand") if name in keys}
    return tw.Table(scene(*characters, **keys), seed=1, dice=Scripted(*dice), **options)


def begun(*characters: dict[str, Any], up: str, dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    """A fight in which somebody has the first slot: everybody rolls 0 for initiative, but the one who is up rolls 9."""
    rolls = tuple([9 if entry["id"] == up else 0 for entry in characters])
    made = table(*characters, dice=(*rolls, *dice), **keys)
    go_on(made, up)
    return made


def go_on(t: tw.Table, *wanted: str) -> str:
    """The next slot, given to whoever is wanted where that is asked."""
    if t.state.active is not None:
        t.declare(t.state.active, "end")
    up = t.next_turn()
    assert up is not None
    t.declare(up, "begin")
    while t.waiting_on and t.waiting_on[0].kind == "choose":
        asked = t.waiting_on[0]
        t.answer(asked, next((name for name in wanted if name in asked.options), asked.options[0]))
    assert t.state.active is not None
    return t.state.active


def turn_of(t: tw.Table, name: str) -> None:
    """Go on until it is somebody's turn."""
    for _ in range(50):
        if go_on(t, name) == name:
            return
    raise AssertionError(f"{name} has no turn")


def roster(t: tw.Table) -> list[tuple[str, int]]:
    """The slots in their order, as their kind and value."""
    return [(slot.kind, slot.value) for slot in held(t).slots]


def held(t: tw.Table) -> Roster:
    found = roster_of(t.state)
    assert found is not None
    return found


def rolled_roster(*characters: dict[str, Any], results: tuple[int, ...], **keys: Any) -> tw.Table:
    """A fight in which initiative has just been rolled, with these results."""
    made = table(*characters, dice=results, **keys)
    made.declare("", "initiative")
    if made.waiting_on and made.waiting_on[0].kind == "confirm":
        made.answer(made.waiting_on[0], True)
    return made


def who(t: tw.Table, name: str) -> Character:
    found: Character = t.state.actors[name]
    return found


def pool(t: tw.Table, actor: str, action: str, **said: Any) -> int:
    """How many dice a declaration would roll."""
    from turnwright.answers import read_declaration

    d = read_declaration(t.game, actor, action, said)
    check = t.game.actions[action].check(t.state, d)
    assert check is not None
    return check.dice


def codes(t: tw.Table, actor: str, action: str, **said: Any) -> list[str]:
    return [refusal.code for refusal in t.explain(actor, action, **said).refusals]


def rules(t: tw.Table, actor: str, action: str, **said: Any) -> list[str]:
    return [refusal.rule for refusal in t.explain(actor, action, **said).refusals]


def out(t: tw.Table, name: str) -> None:
    """Somebody is Taken Out."""
    from turnwright.systems.storypath.events import TakenOut

    t.override([TakenOut("", name)], "it is so")


def result(t: tw.Table) -> str:
    assert t.outcome is not None
    return t.outcome.result


def plainly(t: tw.Table) -> None:
    """Everything that is still asked is answered with the first option, and no dice are bought."""
    while t.waiting_on:
        asked = t.waiting_on[0]
        t.answer(asked, asked.options[0] if asked.kind == "choose" else True if asked.kind == "confirm" else 0)


def choose(t: tw.Table, id: str) -> None:
    answer(t, id)


__all__ = ["answer", "happened", "momentum", "question", "refused"]
