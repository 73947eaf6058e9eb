"""From nodes to plain data, by the type that is wanted."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import inspect as shape

from turnwright.documents.kinds import FIELDED, Fielded, choices_of, members_of
from turnwright.documents.nodes import List, Map, Node, Place, Scalar
from turnwright.documents.problems import MISSING, REPEATED, UNKNOWN, Problems
from turnwright.documents.scalars import LARGEST, NO, PADDED, native_value, take, taker_order, too_large
from turnwright.documents.words import cut, listing, nearest, quote, say_kind, say_node, say_one_of


class Fitting:
    """One walk of the nodes beside the type, making plain data and noting every problem on the way."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.sound: list[tuple[Place, shape.StructType, object]] = []

    def fit(self, node: Node, kind: shape.Type, path: Place) -> Any:
        members = members_of(kind)
        if isinstance(node, Scalar):
            return self._fit_scalar(node, kind, members, path)
        if any(isinstance(member, shape.AnyType | shape.RawType | shape.CustomType) for member in members):
            return native_value(node)
        if isinstance(node, Map):
            return self._fit_map(node, kind, members, path)
        return self._fit_list(node, kind, members, path)

    def _wrong(self, node: Node, kind: shape.Type, path: Place) -> None:
        self.problems.add(path, lambda: (_wanted(node, kind), say_node(node), _hint(node, kind)))

    def _beyond(self, node: Scalar, kind: shape.Type, member: shape.Type, path: Place) -> None:
        """A value of the right type that does not keep to the type's bounds."""
        self.problems.add(path, lambda: (_wanted(node, kind), say_node(node), _pattern_hint(node, member)))

    def _fit_scalar(self, node: Scalar, kind: shape.Type, members: Sequence[shape.Type], path: Place) -> object:
        for member in sorted(members, key=taker_order):
            value = take(node, member)
            if value is not NO:
                if not _within(member, value):
                    self._beyond(node, kind, member, path)
                return value
        self._wrong(node, kind, path)
        return None

    def _fit_list(self, node: List, kind: shape.Type, members: Sequence[shape.Type], path: Place) -> object:
        for member in members:
            if isinstance(member, shape.CollectionType):
                if not _within(member, node.items):
                    self._wrong(node, kind, path)
                return [self.fit(item, member.item_type, (*path, at)) for at, item in enumerate(node.items)]
            if isinstance(member, shape.TupleType):
                return self._fit_tuple(node, member, path)
            if isinstance(member, shape.NamedTupleType) or getattr(member, "array_like", False):
                return native_value(node)
        self._wrong(node, kind, path)
        return None

    def _fit_tuple(self, node: List, kind: shape.TupleType, path: Place) -> object:
        if len(node.items) != len(kind.item_types):
            self._wrong(node, kind, path)
        pairs = enumerate(zip(node.items, kind.item_types, strict=False))
        return [self.fit(item, item_type, (*path, at)) for at, (item, item_type) in pairs]

    def _fit_map(self, node: Map, kind: shape.Type, members: Sequence[shape.Type], path: Place) -> object:
        for member in members:
            if isinstance(member, shape.DictType):
                return self._fit_dict(node, member, path)
        fielded = [each for each in members if isinstance(each, FIELDED) and not _is_array(each)]
        if not fielded:
            self._wrong(node, kind, path)
            return None
        chosen = fielded[0] if len(fielded) == 1 else self._choose(node, fielded, path)
        return self._fit_fields(node, chosen, path) if chosen else None

    def _fit_dict(self, node: Map, kind: shape.DictType, path: Place) -> dict[Any, object]:
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

    def _fit_key(self, key: Scalar, kind: shape.Type, path: Place) -> object:
        for member in sorted(members_of(kind), key=taker_order):
            value = take(key, member)
            if value is not NO and _within(member, value):
                return value
        self.problems.add(
            path, lambda: (f"a key that is {say_kind(kind)}", f"the key {say_node(key)}", _hint(key, kind))
        )
        return (key.text,)

    def _choose(self, node: Map, kinds: Sequence[Fielded], path: Place) -> Fielded | None:
        """The Struct of a tagged union that the tag in the document names."""
        tagged = {kind.tag: kind for kind in kinds if isinstance(kind, shape.StructType)}
        name = next(str(kind.tag_field) for kind in tagged.values())
        entry = node.entries.get(name)
        if entry is None:
            self.problems.add((*path, name), lambda: (say_one_of(list(tagged)), MISSING, ""))
            return None
        tag = self.fit(entry[1], shape.LiteralType(tuple(tagged)), (*path, name))
        return tagged.get(tag)

    def _fit_fields(self, node: Map, kind: Fielded, path: Place) -> dict[str, object]:
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
        self, node: Map, kind: Fielded, known: dict[str, shape.Type], path: Place
    ) -> Iterator[tuple[str, object]]:
        for name, (_, value) in node.entries.items():
            if name in known:
                yield name, self.fit(value, known[name], (*path, name))
            elif getattr(kind, "forbid_unknown_fields", False):
                self._unknown(name, known, path)
            else:
                yield name, native_value(value)

    def _missing(self, entry: shape.Field, path: Place) -> None:
        self.problems.add((*path, entry.encode_name), lambda: (say_kind(entry.type), MISSING, ""))

    def _unknown(self, name: str, known: dict[str, shape.Type], path: Place) -> None:
        told = f"one of {listing(known)}" if known else "no keys"
        self.problems.add((*path, name), lambda: (told, UNKNOWN, nearest(name, known)))

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


def _is_array(kind: Fielded) -> bool:
    return bool(getattr(kind, "array_like", False))


_COMPARISONS: tuple[tuple[str, Callable[[Any, Any], bool]], ...] = (
    ("ge", operator.ge),
    ("gt", operator.gt),
    ("le", operator.le),
    ("lt", operator.lt),
)


def _within(kind: shape.Type, value: Any) -> bool:
    """Whether a value of the right type also meets the type's bounds."""
    if isinstance(kind, shape.IntType | shape.FloatType):
        if kind.le is None and abs(value) > LARGEST:
            return False
        bounds = ((test, getattr(kind, name)) for name, test in _COMPARISONS)
        steps = not isinstance(kind, shape.IntType) or not kind.multiple_of or value % kind.multiple_of == 0
        return steps and all(bound is None or test(value, bound) for test, bound in bounds)
    if isinstance(kind, shape.StrType) and kind.pattern and not re.search(kind.pattern, value):
        return False
    if isinstance(kind, shape.StrType | shape.CollectionType | shape.DictType):
        low, high = kind.min_length or 0, kind.max_length
        return low <= len(value) and (high is None or len(value) <= high)
    return True


def _wanted(node: Node, kind: shape.Type) -> str:
    """What is expected, with the upper limit where a number is too large for it."""
    if not isinstance(node, Scalar) or not too_large(node):
        return say_kind(kind)
    numbers = [each for each in members_of(kind) if isinstance(each, shape.IntType | shape.FloatType)]
    return f"{say_kind(kind)}, at most {LARGEST:,}" if any(each.le is None for each in numbers) else say_kind(kind)


_CHOSEN = shape.LiteralType | shape.EnumType


def _hint(node: Node, kind: shape.Type) -> str:
    members = members_of(kind)
    if not isinstance(node, Scalar):
        return ""
    unquoted = Scalar(node.text, True, node.line)
    if not node.plain and node.text and any(take(unquoted, member) is not NO for member in members):
        return "remove the quotes"
    choices = [choice for member in members if isinstance(member, _CHOSEN) for choice in choices_of(member)]
    if near := nearest(node.text, choices):
        return near
    if hint := next(filter(None, [_pattern_hint(node, member) for member in members]), ""):
        return hint
    return _plain_hint(node, members) if node.plain and node.text else ""


def _pattern_hint(node: Scalar, kind: shape.Type) -> str:
    """Where only capital letters or spaces are in the way of a pattern: how it is written."""
    if not isinstance(kind, shape.StrType) or not kind.pattern or take(node, kind) is NO:
        return ""
    small = re.sub(r"\s+", "_", node.text.strip().lower())
    fits = small != node.text and re.search(kind.pattern, small)
    return f"write it in small letters: {quote(small)}" if fits else ""


def _plain_hint(node: Scalar, members: Sequence[shape.Type]) -> str:
    text = any(isinstance(member, shape.StrType) for member in members)
    if text and not isinstance(native_value(node), str):
        return f"to mean text, put it in quotes: {quote(node.text)}"
    whole = any(isinstance(member, shape.IntType | shape.FloatType) for member in members)
    if whole and PADDED.fullmatch(node.text):
        return "write the number without leading zeros"
    listed = any(isinstance(member, shape.CollectionType) for member in members)
    return f"for a list of one, write [{cut(node.text, 30)}]" if listed else ""
