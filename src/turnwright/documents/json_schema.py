"""The JSON Schema of the type that a document is read into."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import inspect as shape

from turnwright.documents.kinds import members_of, shape_of


def schema(into: type, title: str = "") -> dict[str, object]:
    """The JSON Schema (draft 2020-12) of a type, with each Struct's ABOUT as key descriptions."""
    structs = _structs_within(shape_of(into))
    (top, *refs), parts = msgspec.json.schema_components(
        [into, *(struct.cls for struct in structs)], schema_hook=_any_schema, ref_template="#/$defs/{name}"
    )
    for struct, ref in zip(structs, refs, strict=True):
        _describe(parts[ref["$ref"].removeprefix("#/$defs/")], struct)
    titled: dict[str, object] = {"title": title} if title else {}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **titled, **top, "$defs": parts}


def _any_schema(kind: type) -> dict[str, object]:
    return {"title": kind.__name__}


def _structs_within(kind: shape.Type) -> list[shape.StructType]:
    found: dict[Any, shape.StructType] = {}
    waiting = [kind]
    while waiting:
        for member in members_of(waiting.pop()):
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
