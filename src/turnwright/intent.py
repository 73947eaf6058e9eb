"""The goal and the means of a declaration: what its parameters state already, and what is still missing."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwright.model import Declaration, Parameter, Refusal

INTENT = Parameter("intent", "text", "what you want to be different", required=True)
METHOD = Parameter("method", "text", "how you try to bring it about", required=True)


def stated(d: Declaration, intent: str, method: str) -> Declaration:
    """The declaration with the goal and the means that it states by its parameters, where no other words were given."""
    if d.intent and d.method:
        return d
    return replace(d, intent=d.intent or intent, method=d.method or method)


def incomplete(rule: str, **parts: str) -> Iterator[Refusal]:
    """One reason for each part that is missing."""
    for name, given in parts.items():
        if not given.strip():
            yield Refusal(rule, f"the declaration lacks: {name.replace('_', ' ')}", f"INCOMPLETE {name}")


def lacks(rule: str, part: str) -> Refusal:
    """What a ruling lacks."""
    return Refusal(rule, f"the ruling lacks: {part}", f"INCOMPLETE {part}")
