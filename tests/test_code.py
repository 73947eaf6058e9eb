"""Rules that the code keeps: what is read is read afresh, nothing hangs on the order of a set, nothing is long."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from reading import SRC, functions, modules, set_iterations, stale

LONGEST = 60


def parsed(text: str) -> ast.FunctionDef:
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    return function


def found(text: str) -> list[str]:
    return [name for _, name in stale(parsed(text), text)]


class TestWhatTheCheckerFinds:
    """It is worth as much as what it finds, so that is tested too."""

    @pytest.mark.parametrize(
        "text",
        [
            "def f(play):\n    a = play.state.actors\n    yield 1\n    return a",
            "def f(play):\n    a = play.state\n    b = a.actors['x']\n    x = yield from ask(1)\n    return b",
            "def f(play):\n    a = g(play.state)\n    if 1:\n        yield 1\n    return a",
            "def f(play):\n    for a in g(play.state):\n        yield 1\n        h(a)",
            "def f(play):\n    a = g(play.state)\n    for b in 1, 2:\n        h(a)\n        yield 1",
            "def f(play):\n    a = g(play.state)\n    while 1:\n        if a:\n            yield 1",
            "def f(play):\n    a, b = g(play.state), 1\n    c = yield 1\n    return c, a",
            "def f(play):\n    a = g(play.state)\n    if (yield 1):\n        return a",
            "def f(play):\n    a = g(play.state)\n    if 1:\n        yield 1\n    else:\n        a = 2\n    return a",
        ],
    )
    def test_what_is_old(self, text: str) -> None:
        assert "a" in found(text) or "b" in found(text)

    @pytest.mark.parametrize(
        "text",
        [
            "def f(play):\n    a = play.state.actors\n    return a",
            "def f(play):\n    a = play.state.actors\n    yield a",
            "def f(play):\n    a = play.state\n    yield a\n    a = play.state\n    return a",
            "def f(play):\n    a = yield from ask(play.state)\n    yield 1\n    return a",
            "def f(play):\n    for a in g(play.state):\n        h(a)\n        yield 1",
            "def f(play):\n    while 1:\n        a = play.state\n        h(a)\n        yield 1",
            "def f(play):\n    if 1:\n        a = play.state\n        yield a\n        return 1\n    return g(play)",
            "def f(play):\n    a = play.state.at  # kept: where it began\n    yield 1\n    return a",
            "def f(play, d):\n    yield 1\n    return d",
        ],
    )
    def test_what_is_fresh(self, text: str) -> None:
        assert found(text) == []

    @pytest.mark.parametrize(
        "text",
        [
            "def f():\n    for a in {1, 2}:\n        g(a)",
            "def f():\n    a = set(b)\n    return [x for x in a]",
            "def f():\n    a = set(b) | c\n    return list(a)",
            "def f(a: set[int]):\n    return tuple(a)",
            "def f(a: frozenset[int]):\n    return {x: 1 for x in a}",
            "def f():\n    return ', '.join({x for x in b})",
            "def f():\n    return [*{1, 2}]",
        ],
    )
    def test_a_set_that_is_gone_through(self, text: str) -> None:
        assert set_iterations(parsed(text))

    @pytest.mark.parametrize(
        "text",
        [
            "def f():\n    return sorted({1, 2})",
            "def f():\n    a = set(b)\n    return any(x in a for x in c)",
            "def f(a: set[int]):\n    return all(x > 1 for x in a)",
            "def f(a: set[int]):\n    return 3 in a",
            "def f(a: dict[int, int]):\n    return [x for x in a]",
            "def f(a: set[int]):\n    return {x + 1 for x in a}",
        ],
    )
    def test_a_set_that_is_only_asked(self, text: str) -> None:
        assert not set_iterations(parsed(text))


def every(*under: str) -> list[Path]:
    return [path for path, _ in modules(*under)]


def name(path: Path) -> str:
    return str(path.relative_to(SRC))


@pytest.mark.parametrize("path", every("systems"), ids=name)
def test_after_a_question_a_rule_reads_the_state_afresh(path: Path) -> None:
    """What is meant to be held on to says so with `# kept: why` on the line that binds it."""
    text = path.read_text(encoding="utf-8")
    old = [
        f"{name(path)}:{line}: {held} was read before a question in {function.name}"
        for function in functions(ast.parse(text))
        for line, held in stale(function, text)
    ]
    assert not old, "\n".join(old)


DECIDING = [path for path in every() if path.parts[-2] not in ("cli", "documents")]
"""Where something is decided: not how files are read and how things are shown."""


@pytest.mark.parametrize("path", DECIDING, ids=name)
def test_nothing_hangs_on_the_order_of_a_set(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lines = [f"{name(path)}:{line}" for function in functions(tree) for line in set_iterations(function)]
    assert not lines, f"a set is gone through in {lines}; sort it, or use a dict"


def test_no_function_is_long() -> None:
    long = [
        f"{name(path)}:{function.lineno}: {function.name} has {size} lines"
        for path, tree in modules()
        for function in functions(tree)
        if (size := (function.end_lineno or 0) - function.lineno + 1) > LONGEST
    ]
    assert not long, "\n".join(long)


def test_every_module_says_in_a_sentence_what_is_in_it() -> None:
    silent = [name(path) for path, tree in modules() if not ast.get_docstring(tree)]
    assert silent == []


def test_words_that_say_nothing_name_no_module() -> None:
    empty = ("manager", "helper", "helpers", "utils", "util", "base", "common", "misc")
    assert [name(path) for path in every() if path.stem in empty] == []
