"""Read a YAML document into a typed value and report every problem with its place, not what it means."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from turnwright.documents.fitting import Fitting
from turnwright.documents.json_schema import schema
from turnwright.documents.kinds import shape_of
from turnwright.documents.nodes import Map, Place, line_of
from turnwright.documents.parsing import bytes_of, parse, plain_text
from turnwright.documents.problems import BadScene, Problem, Problems, write_key

__all__ = [
    "BadScene",
    "Document",
    "Place",
    "Problem",
    "read",
    "read_file",
    "schema",
    "write_key",
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Document(Generic[T]):
    """A value read from a document, with the plain data and the lines it came from."""

    value: T
    data: dict[str, Any]
    source: str
    _root: Map = field(repr=False)

    def line_of(self, path: Place) -> int:
        """The line, from 1, on which this key is written, or its nearest known parent."""
        return line_of(self._root, path)

    def problem(self, path: Place, expected: str, got: str, hint: str = "") -> Problem:
        return Problem(self.source, self.line_of(path), write_key(path), expected, got, hint)


def read(text: str | bytes, source: str, into: type[T]) -> Document[T]:
    """Read one document of text; raises BadScene with everything that is wrong."""
    problems = Problems(source)
    root = parse(plain_text(text, problems), problems)
    problems.root = root
    fitting = Fitting(problems)
    wanted: Any = into
    data = fitting.fit(root, shape_of(wanted), ())
    if problems.count:
        fitting.construct_parts()
        raise problems.error()
    try:
        value = msgspec.convert(data, into, strict=True)
    except msgspec.ValidationError as error:
        fitting.construct_parts()
        if not problems.count:
            problems.add_leftover((), error)
        raise problems.error() from error
    return Document(value, data, source, root)


def read_file(path: str | Path, into: type[T]) -> Document[T]:
    """Read one document from a file; raises BadScene, also when the file itself cannot be read."""
    return read(bytes_of(Path(path), Problems(str(path))), str(path), into)
