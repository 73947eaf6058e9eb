"""Read a YAML document into a typed value and report every problem with its place, not what it means."""

from __future__ import annotations

import difflib
import functools
import json
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

import msgspec
import yaml
from msgspec import inspect as shape

T = TypeVar("T")
Place: TypeAlias = tuple[str | int, ...]

MOST_BYTES = 1_000_000
MOST_LINES = 20_000
MOST_DEPTH = 30
MOST_VALUES = 100_000
MOST_PROBLEMS = 50
MOST_DIGITS = 18

UNKNOWN = "unknown key"
MISSING = "missing key"
REPEATED = "repeated key"

_LINE_WIDTH = 200
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)", re.ASCII)
_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?", re.ASCII)
_PADDED = re.compile(r"[-+]?0[0-9]+", re.ASCII)
_NOTHING = frozenset(("", "~", "null", "Null", "NULL"))
_TRUTHS = {"true": True, "false": False}
_YES_NO = {**_TRUTHS, "yes": True, "no": False, "on": True, "off": False}


class Problem(msgspec.Struct, frozen=True):
    """One thing wrong with a document, and where; line 0 means the line is not known."""

    file: str
    line: int
    key: str
    expected: str
    got: str
    hint: str = ""

    def __str__(self) -> str:
        file = _cut_front(self.file, 120)
        where = f"{file}:{self.line}" if self.line else file
        key = _cut_front(self.key, 60)
        hint = _cut(self.hint, 70)
        said = _cut(self._said(), _LINE_WIDTH - len(key) - len(hint))
        return _printable(f"{where}: {f'{key}: ' if key else ''}{said}{f'; {hint}' if hint else ''}")

    def _said(self) -> str:
        if not self.expected or not self.got:
            return self.expected or self.got
        if self.got in (UNKNOWN, MISSING, REPEATED):
            return f"{self.got}; expected {self.expected}"
        got = _cut(self.got, 80)
        return f"expected {_cut(self.expected, _LINE_WIDTH - 80 - len(got))}, got {got}"


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


@dataclass(slots=True)
class _Scalar:
    text: str
    plain: bool
    line: int


@dataclass(slots=True)
class _List:
    line: int
    items: list[_Node] = field(default_factory=list)


@dataclass(slots=True)
class _Map:
    line: int
    entries: dict[str, tuple[_Scalar, _Node]] = field(default_factory=dict)


_Node: TypeAlias = _Scalar | _List | _Map


@dataclass(frozen=True, slots=True)
class Document(Generic[T]):
    """A value read from a document, with the plain data and the lines it came from."""

    value: T
    data: dict[str, Any]
    source: str
    _root: _Map = field(repr=False)

    def line_of(self, path: Place) -> int:
        """The line, from 1, on which this key is written, or its nearest known parent."""
        return _line_of(self._root, path)

    def problem(self, path: Place, expected: str, got: str, hint: str = "") -> Problem:
        return Problem(self.source, self.line_of(path), write_key(path), expected, got, hint)


def read(text: str | bytes, source: str, into: type[T]) -> Document[T]:
    """Read one document of text; raises BadScene with everything that is wrong."""
    problems = _Problems(source)
    root = _parse(_plain_text(text, problems), problems)
    problems.root = root
    fitting = _Fitting(problems)
    wanted: Any = into
    data = fitting.fit(root, _shape_of(wanted), ())
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
    return read(_bytes_of(Path(path), _Problems(str(path))), str(path), into)


def schema(into: type, title: str = "") -> dict[str, object]:
    """The JSON Schema (draft 2020-12) of a type, with each Struct's ABOUT as key descriptions."""
    structs = _structs_within(_shape_of(into))
    (top, *refs), parts = msgspec.json.schema_components(
        [into, *(struct.cls for struct in structs)], schema_hook=_any_schema, ref_template="#/$defs/{name}"
    )
    for struct, ref in zip(structs, refs, strict=True):
        _describe(parts[ref["$ref"].removeprefix("#/$defs/")], struct)
    titled: dict[str, object] = {"title": title} if title else {}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **titled, **top, "$defs": parts}


def write_key(path: Place) -> str:
    """A path as people write it, such as characters[2].skills.stealth."""
    return "".join(_write_step(step) for step in path).removeprefix(".")


def _write_step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if re.fullmatch(r"[\w -]{1,60}", step) else f"[{_quote(step)}]"


def _line_of(root: _Node, path: Place) -> int:
    line, node = root.line, root
    for step in path:
        if isinstance(node, _Map) and str(step) in node.entries:
            key, node = node.entries[str(step)]
            line = key.line
        elif isinstance(node, _List) and isinstance(step, int) and 0 <= step < len(node.items):
            node = node.items[step]
            line = node.line
        else:
            break
    return line


# Words


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _cut_front(text: str, most: int) -> str:
    return text if len(text) <= most else f"...{text[3 - most :]}"


def _quote(text: str) -> str:
    return json.dumps(_cut(text, 50), ensure_ascii=False)


def _listing(names: Iterable[object], most: int = 90) -> str:
    words = [_cut(str(name), 40) for name in names]
    shown, width = 0, 0
    while shown < len(words) and width + len(words[shown]) <= most:
        width += len(words[shown]) + 2
        shown += 1
    rest = len(words) - shown
    return ", ".join(words[:shown]) + (f" and {rest} more" if rest else "")


def _nearest(word: str, known: Iterable[object]) -> str:
    names = {str(name).lower(): str(name) for name in known}
    near = difflib.get_close_matches(word.lower(), names, n=1) if len(word) <= 60 else []
    return f'did you mean "{names[near[0]]}"?' if near else ""


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def _got(node: _Node) -> str:
    if isinstance(node, _Map):
        return "a mapping"
    if isinstance(node, _List):
        return f"a list of {len(node.items)}"
    if not node.plain:
        return _quote(node.text)
    if not node.text:
        return "nothing"
    natural = isinstance(_native_scalar(node), str) and node.text.lower() not in _YES_NO
    return _quote(node.text) if natural else _cut(node.text, 50)


def _bounds(kind: shape.IntType | shape.FloatType) -> str:
    if kind.ge is not None and kind.le is not None:
        return f" from {kind.ge} to {kind.le}"
    said = [f"{words} {bound}" for name, words in _BOUND_WORDS if (bound := getattr(kind, name)) is not None]
    return f" {' and '.join(said)}" if said else ""


_BOUND_WORDS = (
    ("ge", "of at least"),
    ("gt", "above"),
    ("le", "of at most"),
    ("lt", "below"),
    ("multiple_of", "in steps of"),
)


def _sizes(kind: Any, thing: str) -> str:
    low, high = kind.min_length, kind.max_length
    if low is None and high is None:
        return ""
    if high is None:
        return f" of at least {_counted(low, thing)}"
    return f" of {low or 0} to {high} {thing}s" if low else f" of at most {_counted(high, thing)}"


def _say_text(kind: shape.StrType) -> str:
    matching = f" matching {kind.pattern}" if kind.pattern else ""
    if kind.min_length == 1 and kind.max_length is None:
        return f"text that is not empty{matching}"
    return f"text{_sizes(kind, 'character')}{matching}"


def _say_one_of(values: Sequence[object]) -> str:
    words = [_say_value(value) for value in values]
    return f"one of {_listing(words)}" if len(words) > 1 else words[0]


def _say_value(value: object) -> str:
    return json.dumps(value) if value is None or isinstance(value, bool) else str(value)


def _say_mapping(kind: shape.DictType) -> str:
    sizes = _sizes(kind, "entry").replace("entrys", "entries")
    if _is_any(kind.key_type) and _is_any(kind.value_type):
        return f"a mapping{sizes}"
    return f"a mapping{sizes} from {_say(kind.key_type)} to {_say(kind.value_type)}"


def _say_list(kind: shape.CollectionType) -> str:
    if _is_any(kind.item_type):
        return f"a list{_sizes(kind, 'item')}"
    low, high = kind.min_length, kind.max_length
    many = f"a list of {_say_many(kind.item_type)}"
    if low is None and high is None:
        return many
    return f"{many}, {low or 0} to {high} of them" if high is not None else f"{many}, at least {low}"


def _say_tuple(kind: shape.TupleType) -> str:
    many = {_say_many(item) for item in kind.item_types}
    if len(many) == 1:
        return f"a list of {len(kind.item_types)} {many.pop()}"
    return f"a list of {len(kind.item_types)}: {', '.join(_say(item) for item in kind.item_types)}"


def _say_fields(kind: _Fielded) -> str:
    needed = [entry.encode_name for entry in kind.fields if entry.required]
    return f"a mapping with {_listing(needed, 60)}" if needed else "a mapping"


def _say(kind: shape.Type) -> str:
    """A type in plain words."""
    if isinstance(kind, shape.Metadata):
        examples = (kind.extra_json_schema or {}).get("examples")
        return _say(kind.type) + (f", such as {_listing(examples, 40)}" if examples else "")
    members = _members(kind)
    words = [_say_simple(member) for member in members if not isinstance(member, shape.NoneType)]
    if len(words) > 1:
        return f"{', '.join(words[:-1])} or {words[-1]}"
    return words[0] if words else _say_simple(members[0])


def _say_simple(kind: shape.Type) -> str:
    match kind:
        case shape.IntType():
            return f"a whole number{_bounds(kind)}"
        case shape.FloatType():
            return f"a number{_bounds(kind)}"
        case shape.StrType():
            return _say_text(kind)
        case shape.LiteralType() | shape.EnumType():
            return _say_one_of(_choices(kind))
        case shape.DictType():
            return _say_mapping(kind)
        case shape.CollectionType():
            return _say_list(kind)
        case shape.TupleType():
            return _say_tuple(kind)
        case shape.StructType() | shape.TypedDictType() | shape.DataclassType():
            return _say_fields(kind)
    return _PLAIN_WORDS.get(type(kind)) or str(getattr(getattr(kind, "cls", None), "__name__", "text"))


def _say_many(kind: shape.Type) -> str:
    members = _members(kind)
    one = members[0]
    if len(members) > 1:
        return f"items, each {_say(kind)}"
    if isinstance(one, shape.IntType | shape.FloatType):
        return _say(one).removeprefix("a ").replace("number", "numbers", 1)
    if isinstance(one, shape.StrType):
        return _say(one).replace("text", "texts", 1).replace("that is not", "that are not")
    if isinstance(one, _FIELDED | shape.DictType):
        return "mappings"
    if isinstance(one, shape.CollectionType | shape.TupleType):
        return _say(one).replace("a list", "lists", 1)
    return f"items, each {_say(one)}"


_PLAIN_WORDS: dict[type[shape.Type], str] = {
    shape.AnyType: "anything",
    shape.NoneType: "nothing",
    shape.BoolType: "yes or no",
    shape.DecimalType: "a number",
    shape.DateType: "a date such as 2024-05-17",
    shape.TimeType: "a time such as 18:30:00",
    shape.DateTimeType: "a date and time such as 2024-05-17T18:30:00",
}


# Problems


class _Problems:
    """The problems found so far; the words of one are only made while it would be kept."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.root: _Node | None = None
        self.kept: list[Problem] = []
        self.count = 0

    def add(self, path: Place, tell: Callable[[], tuple[str, str, str]], line: int = 0) -> None:
        self.count += 1
        if len(self.kept) < MOST_PROBLEMS:
            line = line or (_line_of(self.root, path) if self.root else 0)
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


# From bytes to nodes


def _bytes_of(path: Path, problems: _Problems) -> bytes:
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


def _plain_text(text: str | bytes, problems: _Problems) -> str:
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    if len(raw) > MOST_BYTES:
        problems.refuse(0, f"a document of at most {MOST_BYTES:,} bytes", "a larger one")
    decoded = text.removeprefix("\ufeff") if isinstance(text, str) else _decode(raw, problems)
    lines = decoded.replace("\r\n", "\n").replace("\r", "\n")
    count = lines.count("\n") + (not lines.endswith("\n"))
    if count > MOST_LINES:
        problems.refuse(0, f"a document of at most {MOST_LINES:,} lines", _counted(count, "line"))
    if found := _CONTROL.search(lines):
        line = lines.count("\n", 0, found.start()) + 1
        problems.refuse(line, "", f"the control character {_code(found[0])} is not allowed")
    return lines


def _decode(raw: bytes, problems: _Problems) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problems.refuse(line, "text in UTF-8", f"the byte 0x{raw[error.start]:02x}", "save the file as UTF-8")


def _code(letter: str) -> str:
    return f"U+{ord(letter):04X}"


def _parse(text: str, problems: _Problems) -> _Map:
    builder = _Builder(problems)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        _refuse_syntax(error, text, problems)
    except BadScene:
        raise
    except (yaml.YAMLError, ValueError, OverflowError, IndexError) as error:
        problems.refuse(0, "", f"not valid YAML: {_cut(str(error), 100)}")
    root = builder.root
    if root is None or (isinstance(root, _Scalar) and root.plain and not root.text):
        problems.refuse(1, "a mapping", "an empty document")
    if not isinstance(root, _Map):
        problems.refuse(root.line, "a document that is a mapping of keys to values", _got(root))
    return root


def _refuse_syntax(error: yaml.MarkedYAMLError, text: str, problems: _Problems) -> NoReturn:
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
    node: _List | _Map
    path: Place
    key: _Scalar | None = None


class _Builder:
    """Nodes made from parser events with a stack of its own, so that depth never costs recursion."""

    def __init__(self, problems: _Problems) -> None:
        self.problems = problems
        self.stack: list[_Frame] = []
        self.root: _Node | None = None
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
                self._open(_Map(line), "a mapping")
            case yaml.SequenceStartEvent():
                self._refuse_extras(event, line)
                self._open(_List(line), "a list")
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
        if isinstance(frame.node, _List):
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
            told = _cut(str(tag).replace("tag:yaml.org,2002:", "!!"), 50)
            self.problems.refuse(line, "no tags", told, "write the plain value", self._path())

    def _take_scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        found = _CONTROL.search(event.value)
        if found:
            got = f"the control character {_code(found[0])} is not allowed"
            self.problems.refuse(line, "", got, path=self._path())
        scalar = _Scalar(event.value, not event.style, line)
        frame = self.stack[-1] if self.stack else None
        if frame and isinstance(frame.node, _Map) and frame.key is None:
            self._take_key(frame, frame.node, scalar)
        else:
            self._place(scalar)

    def _take_key(self, frame: _Frame, node: _Map, key: _Scalar) -> None:
        if key.plain and key.text == "<<":
            self.problems.refuse(key.line, "no merge keys", "<<", "write the keys out", frame.path)
        if key.text in node.entries:
            first = node.entries[key.text][0].line
            told = ("each key once", REPEATED, f"first written on line {first}")
            self.problems.add((*frame.path, key.text), lambda: told, key.line)
        frame.key = key

    def _place(self, node: _Node) -> None:
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        if isinstance(frame.node, _List):
            frame.node.items.append(node)
        elif frame.key:
            frame.node.entries.setdefault(frame.key.text, (frame.key, node))
            frame.key = None

    def _open(self, node: _List | _Map, what: str) -> None:
        frame = self.stack[-1] if self.stack else None
        if len(self.stack) >= MOST_DEPTH:
            self.problems.refuse(node.line, f"nesting at most {MOST_DEPTH} deep", "deeper", path=self._path())
        if frame and isinstance(frame.node, _Map) and frame.key is None:
            self.problems.refuse(node.line, "a key that is text", what, path=frame.path)
        path = self._path()
        self._place(node)
        self.stack.append(_Frame(node, path))


# From nodes to plain data, by the type that is wanted


_Fielded: TypeAlias = shape.StructType | shape.TypedDictType | shape.DataclassType
_FIELDED = shape.StructType | shape.TypedDictType | shape.DataclassType
_POSITIONAL = shape.StructType | shape.NamedTupleType
_Scalars: TypeAlias = Callable[[_Scalar, Any], object]


class _No:
    """The answer of a type that does not take a value."""


_NO = _No()


@functools.lru_cache(maxsize=64)
def _shape_of(into: Any) -> shape.Type:
    return shape.type_info(into)


def _members(kind: shape.Type) -> tuple[shape.Type, ...]:
    if isinstance(kind, shape.Metadata):
        return _members(kind.type)
    if isinstance(kind, shape.UnionType):
        return tuple(member for each in kind.types for member in _members(each))
    return (kind,)


def _is_any(kind: shape.Type) -> bool:
    return any(isinstance(member, shape.AnyType | shape.RawType) for member in _members(kind))


def _choices(kind: shape.LiteralType | shape.EnumType) -> tuple[Any, ...]:
    if isinstance(kind, shape.LiteralType):
        return kind.values
    return tuple(member.value for member in kind.cls)


def _native_scalar(node: _Scalar) -> str | int | float | bool | None:
    """The value of a scalar where any type will do: only true and false are booleans."""
    if not node.plain:
        return node.text
    if node.text in _NOTHING:
        return None
    if node.text.lower() in _TRUTHS:
        return _TRUTHS[node.text.lower()]
    for value in (_take_whole(node, None), _take_number(node, None)):
        if isinstance(value, int | float):
            return value
    return node.text


def _native(node: _Node) -> object:
    if isinstance(node, _Map):
        return {name: _native(value) for name, (_, value) in node.entries.items()}
    if isinstance(node, _List):
        return [_native(item) for item in node.items]
    return _native_scalar(node)


def _take_choice(node: _Scalar, kind: shape.LiteralType | shape.EnumType) -> object:
    native = _native_scalar(node)
    for value in (native, node.text):
        if any(value == choice and type(value) is type(choice) for choice in _choices(kind)):
            return value
    wants_bool = any(isinstance(choice, bool) for choice in _choices(kind))
    truth = _take_truth(node, kind) if wants_bool else _NO
    return truth if truth in _choices(kind) else _NO


def _take_nothing(node: _Scalar, kind: Any) -> object:
    return None if node.plain and node.text in _NOTHING else _NO


def _take_truth(node: _Scalar, kind: Any) -> object:
    return _YES_NO.get(node.text.lower(), _NO) if node.plain else _NO


def _take_whole(node: _Scalar, kind: Any) -> object:
    fits = node.plain and len(node.text) <= MOST_DIGITS and _WHOLE.fullmatch(node.text)
    return int(node.text) if fits else _NO


def _take_number(node: _Scalar, kind: Any) -> object:
    if not node.plain or not _NUMBER.fullmatch(node.text) or _PADDED.fullmatch(node.text):
        return _NO
    value = float(node.text)
    return value if math.isfinite(value) else _NO


def _take_text(node: _Scalar, kind: Any) -> object:
    return node.text if isinstance(_native_scalar(node), str) else _NO


def _take_decimal(node: _Scalar, kind: Any) -> object:
    return node.text if _NUMBER.fullmatch(node.text) else _NO


def _take_any(node: _Scalar, kind: Any) -> object:
    return _native_scalar(node)


_TAKERS: dict[type[shape.Type], _Scalars] = {
    shape.LiteralType: _take_choice,
    shape.EnumType: _take_choice,
    shape.NoneType: _take_nothing,
    shape.BoolType: _take_truth,
    shape.IntType: _take_whole,
    shape.FloatType: _take_number,
    shape.StrType: _take_text,
    shape.DecimalType: _take_decimal,
    shape.AnyType: _take_any,
    shape.RawType: _take_any,
    shape.CustomType: _take_any,
    shape.DateType: _take_text,
    shape.TimeType: _take_text,
    shape.DateTimeType: _take_text,
    shape.TimeDeltaType: _take_any,
    shape.UUIDType: _take_text,
    shape.BytesType: _take_text,
    shape.ByteArrayType: _take_text,
}
_TAKER_ORDER = {kind: order for order, kind in enumerate(_TAKERS)}


def _taker_order(kind: shape.Type) -> int:
    return _TAKER_ORDER.get(type(kind), len(_TAKER_ORDER))


_COMPARISONS: tuple[tuple[str, Callable[[Any, Any], bool]], ...] = (
    ("ge", operator.ge),
    ("gt", operator.gt),
    ("le", operator.le),
    ("lt", operator.lt),
)


def _within(kind: shape.Type, value: Any) -> bool:
    """Whether a value of the right type also meets the type's bounds."""
    if isinstance(kind, shape.IntType | shape.FloatType):
        bounds = ((test, getattr(kind, name)) for name, test in _COMPARISONS)
        steps = not isinstance(kind, shape.IntType) or not kind.multiple_of or value % kind.multiple_of == 0
        return steps and all(bound is None or test(value, bound) for test, bound in bounds)
    if isinstance(kind, shape.StrType) and kind.pattern and not re.search(kind.pattern, value):
        return False
    if isinstance(kind, shape.StrType | shape.CollectionType | shape.DictType):
        low, high = kind.min_length or 0, kind.max_length
        return low <= len(value) and (high is None or len(value) <= high)
    return True


def _hint(node: _Node, kind: shape.Type) -> str:
    members = _members(kind)
    if not isinstance(node, _Scalar):
        return ""
    unquoted = _Scalar(node.text, True, node.line)
    if not node.plain and node.text and any(_take(unquoted, member) is not _NO for member in members):
        return "remove the quotes"
    choices = [choice for member in members if isinstance(member, _CHOSEN) for choice in _choices(member)]
    if near := _nearest(node.text, choices):
        return near
    return _plain_hint(node, members) if node.plain and node.text else ""


_CHOSEN = shape.LiteralType | shape.EnumType


def _plain_hint(node: _Scalar, members: Sequence[shape.Type]) -> str:
    if any(isinstance(member, shape.StrType) for member in members):
        return f"to mean text, put it in quotes: {_quote(node.text)}"
    whole = any(isinstance(member, shape.IntType | shape.FloatType) for member in members)
    if whole and _PADDED.fullmatch(node.text):
        return "write the number without leading zeros"
    listed = any(isinstance(member, shape.CollectionType) for member in members)
    return f"for a list of one, write [{_cut(node.text, 30)}]" if listed else ""


def _take(node: _Scalar, kind: shape.Type) -> object:
    taker = _TAKERS.get(type(kind))
    return taker(node, kind) if taker else _NO


class _Fitting:
    """One walk of the nodes beside the type, making plain data and noting every problem on the way."""

    def __init__(self, problems: _Problems) -> None:
        self.problems = problems
        self.sound: list[tuple[Place, shape.StructType, object]] = []

    def fit(self, node: _Node, kind: shape.Type, path: Place) -> Any:
        members = _members(kind)
        if isinstance(node, _Scalar):
            return self._fit_scalar(node, kind, members, path)
        if any(isinstance(member, shape.AnyType | shape.RawType | shape.CustomType) for member in members):
            return _native(node)
        if isinstance(node, _Map):
            return self._fit_map(node, kind, members, path)
        return self._fit_list(node, kind, members, path)

    def _wrong(self, node: _Node, kind: shape.Type, path: Place) -> None:
        self.problems.add(path, lambda: (_say(kind), _got(node), _hint(node, kind)))

    def _fit_scalar(self, node: _Scalar, kind: shape.Type, members: Sequence[shape.Type], path: Place) -> object:
        for member in sorted(members, key=_taker_order):
            value = _take(node, member)
            if value is not _NO:
                if not _within(member, value):
                    self.problems.add(path, lambda: (_say(kind), _got(node), ""))
                return value
        self._wrong(node, kind, path)
        return None

    def _fit_list(self, node: _List, kind: shape.Type, members: Sequence[shape.Type], path: Place) -> object:
        for member in members:
            if isinstance(member, shape.CollectionType):
                if not _within(member, node.items):
                    self._wrong(node, kind, path)
                return [self.fit(item, member.item_type, (*path, at)) for at, item in enumerate(node.items)]
            if isinstance(member, shape.TupleType):
                return self._fit_tuple(node, member, path)
            if isinstance(member, shape.NamedTupleType) or getattr(member, "array_like", False):
                return _native(node)
        self._wrong(node, kind, path)
        return None

    def _fit_tuple(self, node: _List, kind: shape.TupleType, path: Place) -> object:
        if len(node.items) != len(kind.item_types):
            self._wrong(node, kind, path)
        pairs = enumerate(zip(node.items, kind.item_types, strict=False))
        return [self.fit(item, item_type, (*path, at)) for at, (item, item_type) in pairs]

    def _fit_map(self, node: _Map, kind: shape.Type, members: Sequence[shape.Type], path: Place) -> object:
        for member in members:
            if isinstance(member, shape.DictType):
                return self._fit_dict(node, member, path)
        fielded = [each for each in members if isinstance(each, _FIELDED) and not _is_array(each)]
        if not fielded:
            self._wrong(node, kind, path)
            return None
        chosen = fielded[0] if len(fielded) == 1 else self._choose(node, fielded, path)
        return self._fit_fields(node, chosen, path) if chosen else None

    def _fit_dict(self, node: _Map, kind: shape.DictType, path: Place) -> dict[Any, object]:
        if not _within(kind, node.entries):
            self._wrong(node, kind, path)
        data: dict[Any, object] = {}
        for name, (key, value) in node.entries.items():
            place = (*path, name)
            read_key = self._fit_key(key, kind.key_type, place)
            if read_key in data:
                self.problems.add(place, lambda: ("each key once", REPEATED, ""))
            data[read_key] = self.fit(value, kind.value_type, place)
        return data

    def _fit_key(self, key: _Scalar, kind: shape.Type, path: Place) -> object:
        for member in sorted(_members(kind), key=_taker_order):
            value = _take(key, member)
            if value is not _NO and _within(member, value):
                return value
        self.problems.add(path, lambda: (f"a key that is {_say(kind)}", f"the key {_got(key)}", _hint(key, kind)))
        return (key.text,)

    def _choose(self, node: _Map, kinds: Sequence[_Fielded], path: Place) -> _Fielded | None:
        """The Struct of a tagged union that the tag in the document names."""
        tagged = {kind.tag: kind for kind in kinds if isinstance(kind, shape.StructType)}
        name = next(str(kind.tag_field) for kind in tagged.values())
        entry = node.entries.get(name)
        if entry is None:
            self.problems.add((*path, name), lambda: (_say_one_of(list(tagged)), MISSING, ""))
            return None
        tag = self.fit(entry[1], shape.LiteralType(tuple(tagged)), (*path, name))
        return tagged.get(tag)

    def _fit_fields(self, node: _Map, kind: _Fielded, path: Place) -> dict[str, object]:
        before = self.problems.count
        known = {entry.encode_name: entry.type for entry in kind.fields}
        if isinstance(kind, shape.StructType) and kind.tag_field:
            known = {kind.tag_field: shape.LiteralType((kind.tag,)), **known}
        data = dict(self._known_entries(node, kind, known, path))
        for entry in kind.fields:
            if entry.required and entry.encode_name not in node.entries:
                self._missing(entry, path)
        if isinstance(kind, shape.StructType) and self.problems.count == before:
            self.sound.append((path, kind, data))
        return data

    def _known_entries(
        self, node: _Map, kind: _Fielded, known: dict[str, shape.Type], path: Place
    ) -> Iterator[tuple[str, object]]:
        for name, (_, value) in node.entries.items():
            if name in known:
                yield name, self.fit(value, known[name], (*path, name))
            elif getattr(kind, "forbid_unknown_fields", False):
                self._unknown(name, known, path)
            else:
                yield name, _native(value)

    def _missing(self, entry: shape.Field, path: Place) -> None:
        self.problems.add((*path, entry.encode_name), lambda: (_say(entry.type), MISSING, ""))

    def _unknown(self, name: str, known: dict[str, shape.Type], path: Place) -> None:
        told = f"one of {_listing(known)}" if known else "no keys"
        self.problems.add((*path, name), lambda: (told, UNKNOWN, _nearest(name, known)))

    def construct_parts(self) -> None:
        """Build each sound Struct by itself, innermost first, so that every refusal of its own is told."""
        failed: set[Place] = set()
        for path, kind, data in self.sound:
            if path in failed:
                continue
            try:
                msgspec.convert(data, kind.cls, strict=True)
            except msgspec.ValidationError as error:
                self.problems.add_leftover(path, error)
                failed.update(path[:length] for length in range(len(path) + 1))


def _is_array(kind: _Fielded) -> bool:
    return bool(getattr(kind, "array_like", False))


# Schema


def _any_schema(kind: type) -> dict[str, object]:
    return {"title": kind.__name__}


def _structs_within(kind: shape.Type) -> list[shape.StructType]:
    found: dict[Any, shape.StructType] = {}
    waiting = [kind]
    while waiting:
        for member in _members(waiting.pop()):
            if isinstance(member, shape.StructType):
                if member.cls in found:
                    continue
                found[member.cls] = member
            waiting.extend(_parts(member))
    return list(found.values())


def _parts(kind: shape.Type) -> list[shape.Type]:
    match kind:
        case shape.CollectionType():
            return [kind.item_type]
        case shape.TupleType():
            return list(kind.item_types)
        case shape.DictType():
            return [kind.key_type, kind.value_type]
        case shape.StructType() | shape.TypedDictType() | shape.DataclassType() | shape.NamedTupleType():
            return [entry.type for entry in kind.fields]
    return []


def _describe(part: dict[str, Any], struct: shape.StructType) -> None:
    about = _about(struct.cls)
    for entry in struct.fields:
        if entry.name in about and "properties" in part:
            part["properties"][entry.encode_name]["description"] = about[entry.name]


def _about(cls: Any) -> dict[str, str]:
    bases = getattr(cls, "__origin__", cls).__mro__
    return {name: text for base in reversed(bases) for name, text in vars(base).get("ABOUT", {}).items()}
