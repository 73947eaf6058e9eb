"""The rule catalogue of a game: its rows, where the code cites them, which tests carry their ids, who owns a topic.

The rows are read when they are asked for; importing a game reads none of them.
"""

from __future__ import annotations

import ast
import difflib
import functools
import inspect
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from turnwright.model import Setting, Struct
from turnwright.rules import Game

Places = dict[str, list[str]]
"""Something by name, and the places it stands at, as `path:line`."""

NOT_RUN = ("xfail", "skip")
"""Marks under which a test shows nothing."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One row: what a rule says in our words, a case that shows whether it holds, and what its text leaves open."""

    id: str
    source: str
    kind: str
    statement: str
    check: str = ""
    silent: str = ""
    depends: str | tuple[str, ...] = ()

    @property
    def topic(self) -> str:
        return topic_of(self.id)


class Standing(Struct, frozen=True):
    """A rule and how far it is done; `tested` is None where there is no source checkout whose tests could be read."""

    rule: Rule
    cited: tuple[str, ...]
    tested: tuple[str, ...] | None

    @property
    def state(self) -> str:
        if not self.cited:
            return "open"
        if self.tested is None:
            return "unknown"
        return "done" if self.tested else "open"


class Found(Struct, frozen=True):
    """Where something is resolved: what it is, the place, and a word on it."""

    kind: str
    place: str
    about: str = ""


def topic_of(rule_id: str) -> str:
    """The middle word of a rule id."""
    return rule_id.split(".")[1] if rule_id.count(".") >= 2 else ""


# -- where a game lives


def package(game: Game) -> Path:
    """The folder of the game's own code."""
    return Path(inspect.getfile(type(game))).resolve().parent


def checkout(game: Game) -> Path | None:
    """The source checkout that the game's code lies in, with its tests; None where it is installed."""
    for folder in package(game).parents:
        if folder.name in ("site-packages", "dist-packages"):
            return None
        if (folder / "pyproject.toml").is_file() and (folder / "tests").is_dir():
            return folder
    return None


def root(game: Game) -> Path:
    """The folder that places are relative to: the checkout, or what the game's package is installed in."""
    named = type(game).__module__.split(".")
    return checkout(game) or package(game).parents[max(0, len(named) - 1)]


def _sources(game: Game) -> Iterator[tuple[str, str]]:
    """Every file of the game's code: its place and its text."""
    above = root(game)
    for path in sorted(package(game).rglob("*.py")):
        yield _relative(path, above), path.read_text(encoding="utf-8")


def _relative(path: Path, above: Path) -> str:
    return path.relative_to(above).as_posix() if path.is_relative_to(above) else str(path)


# -- rows


@functools.lru_cache(maxsize=8)
def rules(game: Game) -> tuple[Rule, ...]:
    """Every rule of the game, in the order of the catalogue; none where the game has no catalogue.

    Raises ValueError for a catalogue that cannot be read.
    """
    import yaml

    path = package(game) / "rules.yaml"
    if not path.is_file():
        return ()
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        rows = yaml.load(path.read_text(encoding="utf-8"), loader)
        return tuple(msgspec.convert(rows, list[Rule]))
    except (yaml.YAMLError, msgspec.ValidationError) as error:
        raise ValueError(f"{path}: {error}") from None


def find(game: Game, name: str) -> Rule | None:
    """The rule of that id; `topic.name`, or the name alone where only one rule has it, is enough."""
    held = {rule.id: rule for rule in rules(game)}
    if name in held:
        return held[name]
    ends = [rule for rule_id, rule in held.items() if rule_id.endswith(f".{name}")]
    return ends[0] if len(ends) == 1 else None


def nearest(game: Game, name: str, most: int = 5) -> list[str]:
    """The ids most like a name that is none."""
    ids = [rule.id for rule in rules(game)]
    tail = name.rsplit(".", 1)[-1]
    holding = [rule_id for rule_id in ids if len(tail) > 2 and tail in rule_id]
    alike = difflib.get_close_matches(name, ids, n=most, cutoff=0.5)
    by_tail = {rule_id.split(".", 2)[-1]: rule_id for rule_id in ids}
    ends = [by_tail[word] for word in difflib.get_close_matches(tail, list(by_tail), n=most, cutoff=0.6)]
    return list(dict.fromkeys([*alike, *ends, *holding]))[:most]


def left_open(game: Game, rule_id: str) -> tuple[Setting, ...]:
    """The settings that stand in for what the text of a rule leaves open."""
    return tuple(setting for setting in game.open_settings if setting.rule == rule_id)


# -- citations and owners


@functools.lru_cache(maxsize=8)
def cited(game: Game) -> Places:
    """Every rule id in the string literals and docstrings of the game's code, with its places."""
    ids = re.compile(rf"(?<![\w.]){re.escape(game.name)}\.[a-z_]+(?:-[a-z_]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*")
    found: Places = {}
    for place, text in _sources(game):
        if f"{game.name}." not in text:
            continue
        for line, literal in _literals(text):
            for match in ids.finditer(literal):
                at = f"{place}:{line + literal.count(chr(10), 0, match.start())}"
                held = found.setdefault(match.group(), [])
                if at not in held:
                    held.append(at)
    return found


def _literals(text: str) -> Iterator[tuple[int, str]]:
    """Every string of a source text with the line it begins on; comments are none."""
    middle = getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.STRING, middle):
            yield token.start[0], token.string


@functools.lru_cache(maxsize=8)
def owners(game: Game) -> Places:
    """Each topic and the module that owns it, by the TOPICS at the top of modules; two modules would be a mistake."""
    found: Places = {}
    for place, text in _sources(game):
        if "TOPICS" not in text:
            continue
        for node in ast.parse(text).body:
            if isinstance(node, ast.Assign) and _assigns(node, "TOPICS"):
                for topic in _strings(node.value, {}):
                    found.setdefault(topic, []).append(f"{place}:{node.lineno}")
    return found


def _assigns(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def _strings(node: ast.AST, names: dict[str, ast.expr]) -> Iterator[str]:
    """The strings that an expression writes out, also by way of a name that the module gives them."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
        elif isinstance(part, ast.Name) and part.id in names:
            yield from _strings(names[part.id], {})


# -- tests


@functools.lru_cache(maxsize=8)
def tested(game: Game) -> Places:
    """Each rule id that a test is marked with and the tests, as `path:line name`; nothing without a checkout.

    A test that is expected to fail, or skipped, shows nothing and is left out.
    """
    above = checkout(game)
    found: Places = {}
    for path in sorted((above / "tests").rglob("test_*.py")) if above is not None else ():
        text = path.read_text(encoding="utf-8")
        if "mark.rule" not in text:
            continue
        for rule_id, test in _marked(ast.parse(text), _relative(path, above or path)):
            if rule_id.startswith(f"{game.name}."):
                found.setdefault(rule_id, []).append(test)
    return found


def _marked(tree: ast.Module, place: str) -> Iterator[tuple[str, str]]:
    names = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    yield from _marked_in(tree.body, [], place, names)


def _marked_in(
    body: Iterable[ast.stmt], outer: list[ast.expr], place: str, names: dict[str, ast.expr]
) -> Iterator[tuple[str, str]]:
    """The marked tests of a module or a class, with the marks that hold for all of it."""
    body = list(body)
    marks = outer + [node.value for node in body if isinstance(node, ast.Assign) and _assigns(node, "pytestmark")]
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _marked_in(node.body, marks + node.decorator_list, place, names)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
            carried = marks + node.decorator_list
            if not any(_is_mark(mark, name) for mark in carried for name in NOT_RUN):
                for rule_id in dict.fromkeys(_rule_ids(carried, names)):
                    yield rule_id, f"{place}:{node.lineno} {node.name}"


def _is_mark(node: ast.expr, name: str) -> bool:
    if isinstance(node, ast.Call):
        node = node.func
    held = isinstance(node, ast.Attribute) and node.attr == name
    return held and isinstance(node.value, ast.Attribute) and node.value.attr == "mark"  # type: ignore[attr-defined]


def _rule_ids(carried: list[ast.expr], names: dict[str, ast.expr]) -> Iterator[str]:
    for mark in carried:
        for part in ast.walk(mark):
            if isinstance(part, ast.Call) and _is_mark(part, "rule"):
                for given in part.args:
                    yield from _strings(given, names)


# -- all together


def standing(game: Game) -> tuple[Standing, ...]:
    """Every rule of the game with its citations and tests."""
    here, tests, known = cited(game), tested(game), checkout(game) is not None
    return tuple(
        Standing(rule, tuple(here.get(rule.id, ())), tuple(tests.get(rule.id, ())) if known else None)
        for rule in rules(game)
    )


# -- where something is


def where(game: Game, name: str) -> list[Found]:
    """Where an action, an event, a moment, a topic, a setting or a rule is resolved; nothing for an unknown name."""
    return [*_where_action(game, name), *_where_class(game, name), *_where_rule(game, name)]


def names(game: Game) -> list[str]:
    """Every name that `where` knows."""
    classes = [kind.__name__ for kind in (*game.event_types, *game.moments)]
    settings = [field.name for field in msgspec.structs.fields(game.settings)]
    return [*game.actions, *classes, *settings, *owners(game), *(rule.id for rule in rules(game))]


def _where_action(game: Game, name: str) -> Iterator[Found]:
    action = game.actions.get(name.replace(" ", "_"))
    if action is not None:
        yield Found("action", _place_of(game, type(action)), action.about)


def _where_class(game: Game, name: str) -> Iterator[Found]:
    for kind, classes in (("event", game.event_types), ("moment", game.moments)):
        for found in classes:
            if found.__name__.lower() == name.replace("_", "").lower():
                yield Found(kind, _place_of(game, found), _first_line(found))
    for field in msgspec.structs.fields(game.settings):
        if field.name == name:
            reasons = [setting.reason for setting in game.open_settings if setting.name == name]
            yield Found("setting", _place_of(game, game.settings, f"{name}:"), "; ".join(reasons))


def _where_rule(game: Game, name: str) -> Iterator[Found]:
    for place in owners(game).get(name, ()):
        yield Found("topic", place, "the module that owns it")
    rule = find(game, name) if "." in name or "-" in name else None
    for place in cited(game).get(rule.id, ()) if rule is not None else ():
        yield Found("rule", place, rule.id if rule is not None else "")


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def _place_of(game: Game, kind: type, begins: str = "") -> str:
    """`path:line` of a class, or of the line in it that begins with some text."""
    lines, first = inspect.getsourcelines(kind)
    offset = next((i for i, line in enumerate(lines) if begins and line.strip().startswith(begins)), 0)
    path = Path(inspect.getfile(kind)).resolve()
    top = Path(inspect.getfile(sys.modules[kind.__module__.split(".")[0]])).resolve().parent.parent
    above = root(game) if path.is_relative_to(root(game)) else top
    return f"{_relative(path, above)}:{first + offset}"
