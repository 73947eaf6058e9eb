"""Small scenes for tests: a map as rows, characters as keyword arguments, dice written down beforehand."""

from __future__ import annotations

from typing import Any

import yaml

import turnwright as tw
from turnwright.dice import Scripted
from turnwright.events import Acted, Event
from turnwright.model import State

OPEN = ["." * 12] * 8


def character(id: str, side: str, at: Any = None, **keys: Any) -> dict[str, Any]:
    """A character entry; `strength` and `agility` may be given directly."""
    entry: dict[str, Any] = {"id": id, "side": side}
    if at is not None:
        entry["at"] = list(at) if isinstance(at, tuple) else at
    attributes = {name: keys.pop(name) for name in ("strength", "agility") if name in keys}
    if attributes:
        entry["attributes"] = attributes
    return entry | keys


def scene_text(*characters: dict[str, Any], rows: list[str] | None = None, **keys: Any) -> str:
    """A scene file as text; `map_` adds keys to the map, everything else to the scene."""
    map_keys = keys.pop("map_", {})
    legend = keys.pop("legend", {})
    document: dict[str, Any] = {"system": "narateer", "title": "a test", "characters": list(characters)}
    if rows is not None or keys.get("mode", "tactical") == "tactical":
        document["map"] = {"rows": rows or OPEN, "legend": legend, **map_keys}
    return yaml.safe_dump(document | keys, sort_keys=False, default_flow_style=None)


def scene(*characters: dict[str, Any], **keys: Any) -> State:
    return tw.read_scene(scene_text(*characters, **keys), "test.yaml")


def table(*characters: dict[str, Any], dice: tuple[Any, ...] = (), begin: str = "", **keys: Any) -> tw.Table:
    """A table on a scene, with the rolls in the order in which they are asked for; `begin` starts an Activation."""
    options = {name: keys.pop(name) for name in ("windows", "standing", "by_hand") if name in keys}
    if "rulings_of_the_table" in keys:
        options["rulings"] = keys.pop("rulings_of_the_table")
    if "table_mode" in keys:
        options["mode"] = keys.pop("table_mode")
    made = tw.Table(scene(*characters, **keys), seed=1, dice=Scripted(*dice), **options)
    if begin:
        made.declare(begin, "begin")
    return made


def ready(table: tw.Table, actor: str) -> int:
    return int(table.state.actors[actor].ready)


def spent(table: tw.Table, actor: str) -> float:
    """Metres of the allowance that are used up."""
    return float(table.state.actors[actor].spent)


def hidden_from(table: tw.Table, actor: str) -> set[str]:
    from turnwright.systems.narateer.events import Hidden

    return {relation.other for relation in table.state.related(Hidden, actor)}


def recorded(table: tw.Table, actor: str) -> int | None:
    """The recorded Hide total, if one stands."""
    from turnwright.systems.narateer.events import Record

    found = table.state.relation(Record, actor, actor)
    return None if found is None else found.total


def happened(table: tw.Table, kind: type[Event]) -> list[Any]:
    """Every event of a kind in what stands of the log."""
    return [event for entry in table.live for event in entry.events if type(event) is kind]


def acted(table: tw.Table, actor: str = "") -> list[tuple[str, str]]:
    """The action log: what was done, and as what it counts."""
    return [(a.action, a.nature) for a in happened(table, Acted) if actor in ("", a.actor)]


def refused(call: Any) -> dict[str, str]:
    """The refusals of a call by their rule, with the text; fails where nothing is refused."""
    try:
        call()
    except tw.Refused as error:
        return {refusal.rule: refusal.text for refusal in error.refusals}
    raise AssertionError("nothing was refused")


def question(table: tw.Table, kind: str = "") -> Any:
    """The one open question, or the first of a kind."""
    found = [q for q in table.waiting_on if kind in ("", q.kind) and not q.drafted]
    assert found, f"no open question{' of kind ' + kind if kind else ''}: {table.waiting_on}"
    return found[0]


def answer(table: tw.Table, value: Any, kind: str = "", **keys: Any) -> Any:
    return table.answer(question(table, kind), value, **keys)
