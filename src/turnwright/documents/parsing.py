"""From a file or its bytes to nodes, refusing what is unsafe or not plain YAML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import yaml

from turnwright.documents.nodes import List, Map, Node, Place, Scalar
from turnwright.documents.problems import REPEATED, BadScene, Problems
from turnwright.documents.words import counted, cut, say_node

MOST_BYTES = 1_000_000
MOST_LINES = 20_000
MOST_DEPTH = 30
MOST_VALUES = 100_000

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def bytes_of(path: Path, problems: Problems) -> bytes:
    try:
        if path.is_dir():
            problems.refuse(0, "a file", "a folder")
        if path.exists() and not path.is_file():
            problems.refuse(0, "an ordinary file", "something else")
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 4)
    except FileNotFoundError:
        problems.refuse(0, "", "there is no such file")
    except BadScene:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        problems.refuse(0, "", f"the file cannot be read: {reason}")


def plain_text(text: str | bytes, problems: Problems) -> str:
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    if len(raw) > MOST_BYTES:
        problems.refuse(0, f"a document of at most {MOST_BYTES:,} bytes", "a larger one")
    decoded = text.removeprefix("\ufeff") if isinstance(text, str) else _decode(raw, problems)
    lines = decoded.replace("\r\n", "\n").replace("\r", "\n")
    count = lines.count("\n") + (not lines.endswith("\n"))
    if count > MOST_LINES:
        problems.refuse(0, f"a document of at most {MOST_LINES:,} lines", counted(count, "line"))
    if found := _CONTROL.search(lines):
        line = lines.count("\n", 0, found.start()) + 1
        problems.refuse(line, "", f"the control character {_code(found[0])} is not allowed")
    return lines


def _decode(raw: bytes, problems: Problems) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problems.refuse(line, "text in UTF-8", f"the byte 0x{raw[error.start]:02x}", "save the file as UTF-8")


def _code(letter: str) -> str:
    return f"U+{ord(letter):04X}"


def parse(text: str, problems: Problems) -> Map:
    builder = _Builder(problems)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        _refuse_syntax(error, text, problems)
    except BadScene:
        raise
    except (yaml.YAMLError, ValueError, OverflowError, IndexError) as error:
        problems.refuse(0, "", f"not valid YAML: {cut(str(error), 100)}")
    root = builder.root
    if root is None or (isinstance(root, Scalar) and root.plain and not root.text):
        problems.refuse(1, "a mapping", "an empty document")
    if not isinstance(root, Map):
        problems.refuse(root.line, "a document that is a mapping of keys to values", say_node(root))
    return root


def _refuse_syntax(error: yaml.MarkedYAMLError, text: str, problems: Problems) -> NoReturn:
    line = _mark_line(error.problem_mark or error.context_mark)
    began = _mark_line(error.context_mark) or line
    said = ", ".join(part for part in (error.context, error.problem) if part)
    hint = _syntax_hint(text, line, said) or (f"it began on line {began}" if began != line else "")
    problems.refuse(line, "", f"not valid YAML: {said}", hint)


def _mark_line(mark: Any) -> int:
    return mark.line + 1 if mark else 0


def _syntax_hint(text: str, line: int, said: str) -> str:
    lines = text.split("\n")
    written = lines[line - 1] if 0 < line <= len(lines) else ""
    if "\t" in written[: len(written) - len(written.lstrip())]:
        return "indent with spaces, not tabs"
    if "mapping values are not allowed" in said:
        return 'put text that contains ": " in quotes'
    if "cannot start any token" in said:
        return "put text that starts with a special character in quotes"
    return ""


@dataclass(slots=True)
class _Frame:
    node: List | Map
    path: Place
    key: Scalar | None = None


class _Builder:
    """Nodes made from parser events with a stack of its own, so that depth never costs recursion."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.stack: list[_Frame] = []
        self.root: Node | None = None
        self.started = False
        self.values = 0

    def take(self, event: yaml.Event) -> None:
        line = _mark_line(event.start_mark)
        match event:
            case yaml.ScalarEvent():
                self._refuse_extras(event, line)
                self._take_scalar(event, line)
            case yaml.MappingStartEvent():
                self._refuse_extras(event, line)
                self._open(Map(line), "a mapping")
            case yaml.SequenceStartEvent():
                self._refuse_extras(event, line)
                self._open(List(line), "a list")
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self.stack.pop()
            case yaml.AliasEvent():
                told = f"*{event.anchor}"
                self.problems.refuse(line, "no aliases", told, "write the value out", self._path())
            case yaml.DocumentStartEvent():
                self._start(event, line)

    def _path(self) -> Place:
        if not self.stack:
            return ()
        frame = self.stack[-1]
        if isinstance(frame.node, List):
            return (*frame.path, len(frame.node.items))
        return (*frame.path, frame.key.text) if frame.key else frame.path

    def _start(self, event: yaml.DocumentStartEvent, line: int) -> None:
        if self.started:
            self.problems.refuse(line, "one document", "a second one", "remove the line ---")
        if event.tags:
            self.problems.refuse(line, "no tags", "%TAG")
        self.started = True

    def _refuse_extras(self, event: yaml.NodeEvent, line: int) -> None:
        self.values += 1
        if self.values > MOST_VALUES:
            self.problems.refuse(line, f"a document of at most {MOST_VALUES:,} values", "more")
        if event.anchor is not None:
            self.problems.refuse(line, "no anchors", f"&{event.anchor}", "write the value out", self._path())
        tag = getattr(event, "tag", None)
        if tag is not None:
            told = cut(str(tag).replace("tag:yaml.org,2002:", "!!"), 50)
            self.problems.refuse(line, "no tags", told, "write the plain value", self._path())

    def _take_scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        found = _CONTROL.search(event.value)
        if found:
            got = f"the control character {_code(found[0])} is not allowed"
            self.problems.refuse(line, "", got, path=self._path())
        scalar = Scalar(event.value, not event.style, line)
        frame = self.stack[-1] if self.stack else None
        if frame and isinstance(frame.node, Map) and frame.key is None:
            self._take_key(frame, frame.node, scalar)
        else:
            self._place(scalar)

    def _take_key(self, frame: _Frame, node: Map, key: Scalar) -> None:
        if key.plain and key.text == "<<":
            self.problems.refuse(key.line, "no merge keys", "<<", "write the keys out", frame.path)
        if key.text in node.entries:
            first = node.entries[key.text][0].line
            told = ("each key once", REPEATED, f"first written on line {first}")
            self.problems.add((*frame.path, key.text), lambda: told, key.line)
        frame.key = key

    def _place(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        if isinstance(frame.node, List):
            frame.node.items.append(node)
        elif frame.key:
            frame.node.entries.setdefault(frame.key.text, (frame.key, node))
            frame.key = None

    def _open(self, node: List | Map, what: str) -> None:
        frame = self.stack[-1] if self.stack else None
        if len(self.stack) >= MOST_DEPTH:
            self.problems.refuse(node.line, f"nesting at most {MOST_DEPTH} deep", "deeper", path=self._path())
        if frame and isinstance(frame.node, Map) and frame.key is None:
            self.problems.refuse(node.line, "a key that is text", what, path=frame.path)
        path = self._path()
        self._place(node)
        self.stack.append(_Frame(node, path))
