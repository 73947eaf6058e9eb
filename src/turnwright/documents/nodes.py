"""The nodes of a parsed document, each with its line, and places among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

Place: TypeAlias = tuple[str | int, ...]


@dataclass(slots=True)
class Scalar:
    text: str
    plain: bool
    line: int


@dataclass(slots=True)
class List:
    line: int
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Map:
    line: int
    entries: dict[str, tuple[Scalar, Node]] = field(default_factory=dict)


Node: TypeAlias = Scalar | List | Map


def line_of(root: Node, path: Place) -> int:
    line, node = root.line, root
    for step in path:
        if isinstance(node, Map) and str(step) in node.entries:
            key, node = node.entries[str(step)]
            line = key.line
        elif isinstance(node, List) and isinstance(step, int) and 0 <= step < len(node.items):
            node = node.items[step]
            line = node.line
        else:
            break
    return line
