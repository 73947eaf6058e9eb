"""The kinds of types a document is read into, as msgspec describes them."""

from __future__ import annotations

import functools
from typing import Any, TypeAlias

from msgspec import inspect as shape

Fielded: TypeAlias = shape.StructType | shape.TypedDictType | shape.DataclassType
FIELDED = shape.StructType | shape.TypedDictType | shape.DataclassType


@functools.lru_cache(maxsize=64)
def shape_of(into: Any) -> shape.Type:
    return shape.type_info(into)


def members_of(kind: shape.Type) -> tuple[shape.Type, ...]:
    if isinstance(kind, shape.Metadata):
        return members_of(kind.type)
    if isinstance(kind, shape.UnionType):
        return tuple(member for each in kind.types for member in members_of(each))
    return (kind,)


def is_any(kind: shape.Type) -> bool:
    return any(isinstance(member, shape.AnyType | shape.RawType) for member in members_of(kind))


def choices_of(kind: shape.LiteralType | shape.EnumType) -> tuple[Any, ...]:
    if isinstance(kind, shape.LiteralType):
        return kind.values
    return tuple(member.value for member in kind.cls)
