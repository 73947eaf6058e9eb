"""Small scenes of Altered Realms for tests: creatures as keyword arguments, dice written down beforehand."""

from __future__ import annotations

from typing import Any

import yaml
from scenes import happened, question, refused

import turnwright as tw
from turnwright.dice import Scripted
from turnwright.model import Offer, State
from turnwright.systems.altered_realms.sheet import Creature

FIELD = ["." * 24] * 10
SWORD = {"name": "sword", "weapon": {"damage": "1d8", "type": "slashing"}}
BOW = {"name": "bow", "weapon": {"kind": "ranged", "damage": "1d8", "range": 30}}


class Plain(yaml.SafeDumper):
    """Writes everything out, also what occurs twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def creature(id: str, side: str, at: tuple[int, int], **keys: Any) -> dict[str, Any]:
    """A creature entry; attribute modifiers may be given directly, as `str_=4`."""
    modifiers = {
        name: keys.pop(f"{name}_") for name in ("str", "dex", "con", "int", "wis", "cha") if f"{name}_" in keys
    }
    entry: dict[str, Any] = {"id": id, "side": side, "at": list(at), "speed": 6, "moves": ["walk"], "hp": 20}
    if modifiers:
        entry["modifiers"] = modifiers
    return entry | keys


def armed(modifier: int, damage: str = "1d8", kind: str = "melee", **keys: Any) -> dict[str, Any]:
    """An item in the hand that attacks with so much in all."""
    return {"name": keys.pop("name", "blade"), "weapon": {"kind": kind, "damage": damage, "modifier": modifier, **keys}}


def scene_text(*creatures: dict[str, Any], rows: list[str] | None = None, **keys: Any) -> str:
    """A scene file as text; `map_` adds keys to the map, everything else to the scene."""
    drawn = {"rows": rows or FIELD, "legend": keys.pop("legend", {}), **keys.pop("map_", {})}
    document = {"system": "altered-realms", "title": "a test", "map": drawn, "creatures": list(creatures)}
    return yaml.dump(document | keys, Dumper=Plain, sort_keys=False, default_flow_style=None)


def scene(*creatures: dict[str, Any], **keys: Any) -> State:
    return tw.read_scene(scene_text(*creatures, **keys), "test.yaml")


def table(*creatures: dict[str, Any], dice: tuple[Any, ...] = (), begin: str = "", **keys: Any) -> tw.Table:
    """A table on a scene, with the rolls in the order in which they are asked for; `begin` starts a turn."""
    options = {name: keys.pop(name) for name in ("windows", "standing", "by_hand") if name in keys}
    made = tw.Table(scene(*creatures, **keys), seed=1, dice=Scripted(*dice), **options)
    if begin:
        made.declare(begin, "begin")
    return made


def who(t: tw.Table, name: str) -> Creature:
    found: Creature = t.state.actors[name]
    return found


def left(t: tw.Table, name: str) -> tuple[int, int, int]:
    """What is left of Action, Motion and Movement."""
    return who(t, name).actions, who(t, name).motions, who(t, name).movements


def turn(t: tw.Table, name: str) -> None:
    """The turn under way ends and another begins."""
    if t.state.active is not None:
        t.declare(t.state.active, "end")
    t.declare(name, "begin")


def codes(t: tw.Table, actor: str, action: str, **said: Any) -> list[str]:
    return [refusal.code for refusal in t.explain(actor, action, **said).refusals]


def explain(t: tw.Table, actor: str, action: str, **said: Any) -> Offer:
    return t.explain(actor, action, **said)


def spent(t: tw.Table, actor: str, action: str, **said: Any) -> dict[str, int]:
    """What a declaration would cost, by budget."""
    price = t.explain(actor, action, **said).price
    return {item.resource: item.amount for item in price.costs}


def rolled(t: tw.Table) -> Any:
    """The last d20 that was rolled."""
    from turnwright.systems.altered_realms.events import RolledD20

    return happened(t, RolledD20)[-1]


def chosen(t: tw.Table, label: str = "") -> None:
    """Answer the open choice: the first option whose label has these words, or nothing is done."""
    asked = question(t)
    options = asked.question.options
    taken = next((option for option in options if label and label in option.label), options[0])
    t.answer(asked, taken.id)


def passing(t: tw.Table) -> None:
    """Nobody reacts."""
    while t.waiting_on:
        chosen(t)


__all__ = ["BOW", "FIELD", "SWORD", "Scripted", "happened", "question", "refused"]
