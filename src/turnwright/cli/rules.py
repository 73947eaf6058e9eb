"""`rules`, `rule` and `where`: the catalogue with its state, one rule as a card, and where something is resolved."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from turnwright import catalogue
from turnwright.catalogue import Rule, Standing
from turnwright.cli.errors import BadInput, game_named
from turnwright.cli.screen import Screen, plain, write_json
from turnwright.model import Setting
from turnwright.rules import Game, games

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def rules(
    game: Annotated[str, typer.Argument(help="The game; all of them, where you name none.")] = "",
    topic: Annotated[str, typer.Option("--topic", help="List the rules of one topic.")] = "",
    json: Json = False,
) -> None:
    """List the rules of a game and how far each is done.

    A rule is done when the code cites its id and a test is marked with it.

    \b
    turnwright rules                       topics, with counts
    turnwright rules narateer --topic hide every rule of one topic
    turnwright rules --json                everything, for a script
    """
    chosen = [game_named(game)] if game else list(games().values())
    if topic and not any(rule.topic == topic for held in chosen for rule in catalogue.rules(held)):
        topics = dict.fromkeys(rule.topic for held in chosen for rule in catalogue.rules(held))
        raise BadInput(f"no topic is called {topic!r}; there are: {', '.join(topics)}")
    if json:
        write_json([_row(s) for held in chosen for s in _of(held, topic)])
        return
    screen = Screen()
    for held in chosen:
        _list(screen, held, topic)


def _of(game: Game, topic: str) -> list[Standing]:
    return [s for s in catalogue.standing(game) if topic in ("", s.rule.topic)]


def _row(s: Standing) -> dict[str, Any]:
    tested = None if s.tested is None else bool(s.tested)
    return {
        "id": s.rule.id,
        "kind": s.rule.kind,
        "topic": s.rule.topic,
        "state": s.state,
        "tested": tested,
        "cited": bool(s.cited),
        "tests": list(s.tested or ()),
        "places": list(s.cited),
        "statement": s.rule.statement,
        "source": s.rule.source,
    }


def _list(screen: Screen, game: Game, topic: str) -> None:
    held = _of(game, topic)
    if topic:
        room = screen.width - max(len(s.rule.id) for s in held) - len("  unknown  ")
        screen.table(("rule", "state", "statement"), [(s.rule.id, s.state, _short(s.rule, room)) for s in held])
    else:
        owners = catalogue.owners(game)
        screen.table(("topic", ">rules", ">done", ">open", "module"), _counts(held, owners))
    done = sum(s.state == "done" for s in held)
    screen.say()
    screen.say(f"{game.title}: {done} of {len(held)} rules are done. `turnwright rule ID` shows one.")
    if catalogue.checkout(game) is None:
        screen.say("Which rules are tested is unknown here: there is no source checkout with its tests.")


def _counts(held: list[Standing], owners: catalogue.Places) -> list[tuple[str, str, str, str, str]]:
    every = Counter(s.rule.topic for s in held)
    done = Counter(s.rule.topic for s in held if s.state == "done")
    rows = []
    for topic, count in every.items():
        module = ", ".join(Path(place.rpartition(":")[0]).name for place in owners.get(topic, ())) or "-"
        rows.append((topic, str(count), str(done[topic]), str(count - done[topic]), module))
    return rows


def _short(rule: Rule, room: int) -> str:
    """As much of a statement as there is room for in a list."""
    text = " ".join(rule.statement.split())
    return text if len(text) <= room else text[: max(0, room - 3)].rsplit(" ", 1)[0] + "..."


# -- one rule


def rule(
    rule_id: Annotated[str, typer.Argument(metavar="ID", help="A rule id, such as narateer.hide.tie-fails.")],
    json: Json = False,
) -> None:
    """Show one rule: what it says, what its text leaves open and what holds instead, its code and its tests.

    \b
    turnwright rule narateer.hide.tie-fails
    turnwright rule hide.tie-fails         the game may be left out
    """
    held = find_card(rule_id)
    if json:
        write_json(held)
    else:
        show_card(Screen(), held)


def find_card(rule_id: str) -> dict[str, Any]:
    """Everything about one rule as plain data. Raises BadInput naming the nearest ids."""
    for game in games().values():
        found = catalogue.find(game, rule_id)
        if found is not None:
            return _card(game, found)
    near = [name for game in games().values() for name in catalogue.nearest(game, rule_id)]
    hint = "; the nearest are:\n  " + "\n  ".join(near) if near else "; `turnwright rules` lists them"
    raise BadInput(f"no rule has the id {rule_id!r}{hint}")


def _card(game: Game, found: Rule) -> dict[str, Any]:
    standing = next(s for s in catalogue.standing(game) if s.rule.id == found.id)
    depends = [found.depends] if isinstance(found.depends, str) else list(found.depends)
    return {
        **_row(standing),
        "case": found.check,
        "silent": found.silent,
        "settings": [_setting(game, setting) for setting in catalogue.left_open(game, found.id)],
        "depends": depends,
    }


WHENCE = {
    "source": "as the text has it",
    "outside": "after public pages of the game; the text is silent",
    "ours": "our default; the text is silent",
}
"""Where a default comes from, in words."""


def _setting(game: Game, setting: Setting) -> dict[str, Any]:
    return {
        "name": setting.name,
        "default": plain(getattr(game.settings(), setting.name)),
        "from": setting.source,
        "why": WHENCE[setting.source],
        "reason": setting.reason,
    }


def show_card(screen: Screen, card: dict[str, Any]) -> None:
    screen.say(card["id"], "bold")
    screen.say(f"{card['kind']}, {card['state']}; {card['source']}", "dim")
    screen.say()
    screen.say(" ".join(card["statement"].split()))
    _part(screen, "A case", [" ".join(card["case"].split())] if card["case"] else [])
    _part(screen, "The text leaves open", [" ".join(card["silent"].split())] if card["silent"] else [])
    _part(screen, "In force", [_in_force(setting) for setting in card["settings"]])
    _part(screen, "Leans on", [", ".join(card["depends"])] if card["depends"] else [])
    _part(screen, "Code", card["places"] or ["cited nowhere"])
    unknown = "unknown: there is no source checkout with its tests"
    _part(screen, "Tests", card["tests"] or [unknown if card["tested"] is None else "none"])


def _in_force(setting: dict[str, Any]) -> str:
    value = msgspec.json.encode(setting["default"]).decode()
    return f"{setting['name']}: {value} ({setting['why']}): {setting['reason']}"


def _part(screen: Screen, head: str, lines: list[str]) -> None:
    if not lines:
        return
    screen.say()
    screen.say(head, "bold")
    for line in lines:
        screen.say(line, indent=2, hang=2)


# -- where


def where(
    name: Annotated[str, typer.Argument(metavar="NAME", help="An action, event, moment, topic, setting or rule id.")],
    json: Json = False,
) -> None:
    """Say where something is resolved: file and line.

    \b
    turnwright where hide                  the action, and the topic of that name
    turnwright where Moved                 an event
    turnwright where narateer.hide.cost    a rule
    """
    found = [(game, place) for game in games().values() for place in catalogue.where(game, name)]
    if not found:
        near = _near(name)
        raise BadInput(f"nothing is called {name!r}" + (f"; the nearest are: {', '.join(near)}" if near else ""))
    if json:
        write_json([{"game": game.name, "kind": f.kind, "place": f.place, "about": f.about} for game, f in found])
        return
    for game, place in found:
        print(f"{_from_here(game, place.place)}  {place.kind}" + (f": {place.about}" if place.about else ""))


def _near(name: str) -> list[str]:
    import difflib

    known = [known for game in games().values() for known in catalogue.names(game)]
    return difflib.get_close_matches(name, dict.fromkeys(known), n=5, cutoff=0.5)


def _from_here(game: Game, place: str) -> str:
    """A place as it can be opened from the folder that one is in."""
    path = catalogue.root(game) / place
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else str(path)
