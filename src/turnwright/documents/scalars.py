"""What a scalar means for each kind of type, or where any type will do."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import inspect as shape

from turnwright.documents.kinds import choices_of
from turnwright.documents.nodes import List, Map, Node, Scalar

MOST_DIGITS = 18
LARGEST = 1_000_000
"""How far from 0 a number may be where its type does not say: nothing at a table is counted in millions."""

_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)", re.ASCII)
_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?", re.ASCII)
PADDED = re.compile(r"[-+]?0[0-9]+", re.ASCII)
_NOTHING = frozenset(("", "~", "null", "Null", "NULL"))
_TRUTHS = {"true": True, "false": False}
YES_NO = {**_TRUTHS, "yes": True, "no": False, "on": True, "off": False}

_Scalars: TypeAlias = Callable[[Scalar, Any], object]


class _No:
    """The answer of a type that does not take a value."""


NO = _No()


def native_scalar(node: Scalar) -> str | int | float | bool | None:
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


def native_value(node: Node) -> object:
    if isinstance(node, Map):
        return {name: native_value(value) for name, (_, value) in node.entries.items()}
    if isinstance(node, List):
        return [native_value(item) for item in node.items]
    return native_scalar(node)


def _take_choice(node: Scalar, kind: shape.LiteralType | shape.EnumType) -> object:
    native = native_scalar(node)
    for value in (native, node.text):
        if any(value == choice and type(value) is type(choice) for choice in choices_of(kind)):
            return value
    wants_bool = any(isinstance(choice, bool) for choice in choices_of(kind))
    truth = _take_truth(node, kind) if wants_bool else NO
    return truth if truth in choices_of(kind) else NO


def _take_nothing(node: Scalar, kind: Any) -> object:
    return None if node.plain and node.text in _NOTHING else NO


def _take_truth(node: Scalar, kind: Any) -> object:
    return YES_NO.get(node.text.lower(), NO) if node.plain else NO


def _take_whole(node: Scalar, kind: Any) -> object:
    fits = node.plain and len(node.text) <= MOST_DIGITS and _WHOLE.fullmatch(node.text)
    return int(node.text) if fits else NO


def too_large(node: Scalar) -> bool:
    """Whether it is a number that is beyond what any key takes."""
    if not node.plain or not _NUMBER.fullmatch(node.text) or PADDED.fullmatch(node.text):
        return False
    return abs(float(node.text)) > LARGEST


def _take_number(node: Scalar, kind: Any) -> object:
    if not node.plain or not _NUMBER.fullmatch(node.text) or PADDED.fullmatch(node.text):
        return NO
    value = float(node.text)
    return value if math.isfinite(value) else NO


def _take_text(node: Scalar, kind: Any) -> object:
    return node.text if isinstance(native_scalar(node), str) else NO


def _take_decimal(node: Scalar, kind: Any) -> object:
    return node.text if _NUMBER.fullmatch(node.text) else NO


def _take_any(node: Scalar, kind: Any) -> object:
    return native_scalar(node)


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


def taker_order(kind: shape.Type) -> int:
    return _TAKER_ORDER.get(type(kind), len(_TAKER_ORDER))


def take(node: Scalar, kind: shape.Type) -> object:
    taker = _TAKERS.get(type(kind))
    return taker(node, kind) if taker else NO
