"""How texts, nodes, values and types are said in one line of plain words."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import inspect as shape

from turnwright.documents.kinds import FIELDED, Fielded, choices_of, is_any, members_of
from turnwright.documents.nodes import List, Map, Node
from turnwright.documents.scalars import YES_NO, native_scalar


def printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


def cut_front(text: str, most: int) -> str:
    return text if len(text) <= most else f"...{text[3 - most :]}"


def quote(text: str) -> str:
    return json.dumps(cut(text, 50), ensure_ascii=False)


def listing(names: Iterable[object], most: int = 90) -> str:
    words = [cut(str(name), 40) for name in names]
    shown, width = 0, 0
    while shown < len(words) and width + len(words[shown]) <= most:
        width += len(words[shown]) + 2
        shown += 1
    rest = len(words) - shown
    return ", ".join(words[:shown]) + (f" and {rest} more" if rest else "")


def nearest(word: str, known: Iterable[object], alike: float = 0.6) -> str:
    """The known word that was probably meant; `alike` is how near it must be, up to 1."""
    names = {str(name).lower(): str(name) for name in known}
    near = difflib.get_close_matches(word.lower(), names, n=1, cutoff=alike) if len(word) <= 60 else []
    return f'did you mean "{names[near[0]]}"?' if near else ""


def counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def say_node(node: Node) -> str:
    if isinstance(node, Map):
        return "a mapping"
    if isinstance(node, List):
        return f"a list of {len(node.items)}"
    if not node.plain:
        return quote(node.text)
    if not node.text:
        return "nothing"
    natural = isinstance(native_scalar(node), str) and node.text.lower() not in YES_NO
    return quote(node.text) if natural else cut(node.text, 50)


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
        return f" of at least {counted(low, thing)}"
    return f" of {low or 0} to {high} {thing}s" if low else f" of at most {counted(high, thing)}"


def _say_text(kind: shape.StrType) -> str:
    matching = f" matching {kind.pattern}" if kind.pattern else ""
    if kind.min_length == 1 and kind.max_length is None:
        return f"text that is not empty{matching}"
    return f"text{_sizes(kind, 'character')}{matching}"


def say_one_of(values: Sequence[object]) -> str:
    words = [_say_value(value) for value in values if value != ""]
    return f"one of {listing(words)}" if len(words) > 1 else words[0] if words else "nothing"


def _say_value(value: object) -> str:
    return json.dumps(value) if value is None or isinstance(value, bool) else str(value)


def _say_mapping(kind: shape.DictType) -> str:
    sizes = _sizes(kind, "entry").replace("entrys", "entries")
    if is_any(kind.key_type) and is_any(kind.value_type):
        return f"a mapping{sizes}"
    return f"a mapping{sizes} from {say_kind(kind.key_type)} to {say_kind(kind.value_type)}"


def _say_list(kind: shape.CollectionType) -> str:
    if is_any(kind.item_type):
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
    return f"a list of {len(kind.item_types)}: {', '.join(say_kind(item) for item in kind.item_types)}"


def _say_fields(kind: Fielded) -> str:
    needed = [entry.encode_name for entry in kind.fields if entry.required]
    return f"a mapping with {listing(needed, 60)}" if needed else "a mapping"


def say_kind(kind: shape.Type) -> str:
    """A type in plain words."""
    if isinstance(kind, shape.Metadata):
        examples = (kind.extra_json_schema or {}).get("examples")
        return say_kind(kind.type) + (f", such as {listing(examples, 40)}" if examples else "")
    members = members_of(kind)
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
            return say_one_of(choices_of(kind))
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
    members = members_of(kind)
    one = members[0]
    if len(members) > 1:
        return f"items, each {say_kind(kind)}"
    if isinstance(one, shape.IntType | shape.FloatType):
        return say_kind(one).removeprefix("a ").replace("number", "numbers", 1)
    if isinstance(one, shape.StrType):
        return say_kind(one).replace("text", "texts", 1).replace("that is not", "that are not")
    if isinstance(one, FIELDED | shape.DictType):
        return "mappings"
    if isinstance(one, shape.CollectionType | shape.TupleType):
        return say_kind(one).replace("a list", "lists", 1)
    return f"items, each {say_kind(one)}"


_PLAIN_WORDS: dict[type[shape.Type], str] = {
    shape.AnyType: "anything",
    shape.NoneType: "nothing",
    shape.BoolType: "yes or no",
    shape.DecimalType: "a number",
    shape.DateType: "a date such as 2024-05-17",
    shape.TimeType: "a time such as 18:30:00",
    shape.DateTimeType: "a date and time such as 2024-05-17T18:30:00",
}
