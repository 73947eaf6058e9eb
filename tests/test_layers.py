"""Imports point left, no game is named outside its folder, and the core neither reads, writes, waits nor draws."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from reading import SRC, modules

from turnwright.rules import games

ORDER = [
    "dice",
    "documents",
    "space",
    "model",
    "shown",
    "intent",
    "scene_file",
    "events",
    "telling",
    "rules",
    "shared",
    "rulings",
    "catalogue",
    "gate",
    "playing",
    "ledger",
    "engine",
    "running",
    "policy",
    "readings",
    "simulate",
    "branching",
    "systems",
    "log",
    "answers",
    "known",
    "odds",
    "deciding",
    "comparing",
    "kept",
    "underway",
    "hinting",
    "glancing",
    "foresight",
    "map_file",
    "opening",
    "standing",
    "loading",
    "record",
    "table",
    "unattended",
    "testing",
    "",  # the public names
    "cli",
    "web",
    "__main__",
]
"""What a module may import stands to its left."""
CORE = ["dice", "model", "events", "rules", "rulings", "gate", "playing", "ledger", "engine", "running", "known"]
CORE += ["odds", "answers"]
CORE += ["policy", "readings", "simulate", "branching", "deciding", "comparing", "foresight", "standing"]
CORE += ["space", "shared", "shown", "scene_file", "telling", "intent", "underway", "hinting", "glancing", "kept"]
OUTSIDE = {"asyncio", "datetime", "glob", "io", "logging", "os", "pathlib", "secrets", "shutil", "socket", "subprocess"}
OUTSIDE |= {"sys", "tempfile", "threading", "time", "urllib", "uuid", "http", "sqlite3"}
CALLS = {"open", "print", "input", "exec", "eval", "breakpoint"}


def layer(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return "" if parts == ("__init__",) else parts[0]


def at_run_time(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node but those that only a type checker sees."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        yield node
        yield from at_run_time(node)


def imported(tree: ast.AST) -> Iterator[str]:
    for node in at_run_time(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                yield inner if module == "turnwright" and _is_module(inner) else module


def _is_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def ours(tree: ast.AST) -> set[str]:
    """The layers of our own that a module imports from."""
    found = [name for name in imported(tree) if name.split(".")[0] == "turnwright"]
    return {name.split(".")[1] if "." in name else "" for name in found}


MODULES = [path for path, _ in modules()]
NAMES = [str(path.relative_to(SRC)) for path in MODULES]


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_imports_point_left(path: Path) -> None:
    mine = layer(path)
    for other in sorted(ours(ast.parse(path.read_text(encoding="utf-8")))):
        assert other == mine or ORDER.index(other) < ORDER.index(mine), f"{path.name} imports {other or 'turnwright'}"


@pytest.mark.parametrize("path", [p for p in MODULES if layer(p) == "systems"], ids=lambda p: p.name)
def test_a_game_knows_no_other_game(path: Path) -> None:
    mine = path.relative_to(SRC / "systems").parts[0]
    for name in imported(ast.parse(path.read_text(encoding="utf-8"))):
        if name.startswith("turnwright.systems."):
            assert name.split(".")[2] == mine


def folders() -> list[str]:
    found = [path.name for path in (SRC / "systems").iterdir() if (path / "__init__.py").exists()]
    return sorted({*found, *(name for name in games())})


OUTER = ("systems", "cli", "web")


@pytest.mark.parametrize("path", [p for p in MODULES if layer(p) not in OUTER], ids=lambda p: p.name)
def test_the_core_names_no_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8").lower()
    assert [game for game in folders() if game in text] == []


@pytest.mark.parametrize("path", [p for p in MODULES if layer(p) in ("cli", "web")], ids=lambda p: p.name)
def test_what_is_seen_of_it_names_one_only_as_an_example(path: Path) -> None:
    """In what people read, never in what is imported or compared."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    strings = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    for game in folders():
        assert not [name for name in imported(tree) if game in name]
        assert not [text for text in strings if game in text.lower() and " " not in text]


@pytest.mark.parametrize("path", [p for p in MODULES if layer(p) in (*CORE, "systems")], ids=lambda p: p.name)
def test_the_core_and_the_rules_touch_nothing_outside(path: Path) -> None:
    """No file, no clock, no thread, no chance but an explicit one; `random` only where a caller may bring its own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    drawn = {"policy", "odds", "simulate"} if layer(path) != "systems" else {"bot"}
    for name in imported(tree):
        top = name.split(".")[0]
        assert top not in OUTSIDE or (path.name, top) == ("routes.py", "threading"), f"{path.name} imports {name}"
        assert top != "random" or path.stem in drawn, f"{path.name} draws"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in CALLS, f"{path.name}:{node.lineno} calls {node.func.id}"
        if isinstance(node, ast.Attribute):
            assert node.attr not in ("read_text", "read_bytes", "write_text", "write_bytes", "urandom")


@pytest.mark.parametrize("stem", ["odds", "policy", "simulate"])
def test_what_is_drawn_is_drawn_with_a_seed(stem: str) -> None:
    tree = ast.parse((SRC / f"{stem}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Random", "random.Random"):
            assert node.args, f"{stem}.py:{node.lineno}: a seed of its own"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
            assert node.attr == "Random", f"{stem}.py:{node.lineno}: {ast.unparse(node)}"


def test_the_table_draws_its_secret_and_nothing_else() -> None:
    tree = ast.parse((SRC / "record.py").read_text(encoding="utf-8"))
    calls = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert [call for call in calls if call.startswith("secrets.")] == ["secrets.token_bytes(32)"]
    assert "random" not in {name.split(".")[0] for name in imported(tree)}


def test_importing_the_package_loads_no_game_and_no_command_line() -> None:
    code = "import sys, turnwright; print([m for m in sys.modules if m.startswith('turnwright.')])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "turnwright.systems" not in loaded
    assert "turnwright.cli" not in loaded


def test_every_layer_is_in_the_order() -> None:
    assert {layer(path) for path in MODULES} <= set(ORDER)
