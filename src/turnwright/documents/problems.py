"""What is wrong with a document and where: one problem, the error that tells them, and their collection."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NoReturn

import msgspec

from turnwright.documents.nodes import Node, Place, line_of
from turnwright.documents.words import cut, cut_front, printable, quote

MOST_PROBLEMS = 50

UNKNOWN = "unknown key"
MISSING = "missing key"
REPEATED = "repeated key"

_LINE_WIDTH = 200


class Problem(msgspec.Struct, frozen=True):
    """One thing wrong with a document, and where; line 0 means the line is not known."""

    file: str
    line: int
    key: str
    expected: str
    got: str
    hint: str = ""
    warning: bool = False
    """Whether the document can be used all the same, and may only have been meant otherwise."""

    def __str__(self) -> str:
        file = cut_front(self.file, 120)
        where = f"{file}:{self.line}" if self.line else file
        key = ("warning: " if self.warning else "") + cut_front(self.key, 60)
        hint = cut(self.hint, 70)
        said = cut(self._said(), _LINE_WIDTH - len(key) - len(hint))
        return printable(f"{where}: {f'{key}: ' if key else ''}{said}{f'; {hint}' if hint else ''}")

    def _said(self) -> str:
        if not self.expected or not self.got:
            return self.expected or self.got
        if self.got in (UNKNOWN, MISSING, REPEATED):
            return f"{self.got}; expected {self.expected}"
        got = cut(self.got, 80)
        return f"expected {cut(self.expected, _LINE_WIDTH - 80 - len(got))}, got {got}"


class BadScene(ValueError):
    """A document that cannot be used, with its first problems (at most 50) and the count of the rest."""

    def __init__(self, problems: Iterable[Problem], more: int = 0) -> None:
        told = tuple(problems)
        if not told:
            raise ValueError("a bad scene needs at least one problem")
        self.problems: tuple[Problem, ...] = told[:MOST_PROBLEMS]
        self.more: int = more + len(told) - len(self.problems)
        super().__init__(self.problems, self.more)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems]
        if self.more:
            lines.append(f"... and {self.more} more {'problem' if self.more == 1 else 'problems'}")
        return "\n".join(lines)


def write_key(path: Place) -> str:
    """A path as people write it, such as characters[2].skills.stealth."""
    return "".join(_write_step(step) for step in path).removeprefix(".")


def _write_step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if re.fullmatch(r"[\w -]{1,60}", step) else f"[{quote(step)}]"


class Problems:
    """The problems found so far; the words of one are only made while it would be kept."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.root: Node | None = None
        self.kept: list[Problem] = []
        self.count = 0

    def add(self, path: Place, tell: Callable[[], tuple[str, str, str]], line: int = 0) -> None:
        self.count += 1
        if len(self.kept) < MOST_PROBLEMS:
            line = line or (line_of(self.root, path) if self.root else 0)
            self.kept.append(Problem(self.source, line, write_key(path), *tell()))

    def refuse(self, line: int, expected: str, got: str, hint: str = "", path: Place = ()) -> NoReturn:
        self.kept = self.kept[: MOST_PROBLEMS - 1]
        self.add(path, lambda: (expected, got, hint), line)
        raise self.error()

    def add_leftover(self, base: Place, error: msgspec.ValidationError) -> None:
        path, expected, got = _read_leftover(str(error))
        self.add((*base, *path), lambda: (expected, got, ""))

    def error(self) -> BadScene:
        self.kept.sort(key=lambda problem: problem.line)
        return BadScene(self.kept, self.count - len(self.kept))


def _read_leftover(message: str) -> tuple[Place, str, str]:
    """The path, what was expected and what was got, from a message of the final conversion."""
    found = re.search(r" - at `(?:key in )?\$([^`]*)`$", message)
    said = " ".join((message[: found.start()] if found else message).split())
    kinds = re.fullmatch(r"Expected `([^`]*)`, got `([^`]*)`", said)
    expected, got = kinds.groups() if kinds else (said or "another value", "")
    return _read_path(found[1] if found else ""), expected, got


def _read_path(text: str) -> Place:
    steps: list[str | int] = []
    for name, index, _ in re.findall(r"\.([^.\[]+)|\[(\d+)\]|(\[\.\.\.\])", text):
        if not name and not index:
            break
        steps.append(name or int(index))
    return tuple(steps)
