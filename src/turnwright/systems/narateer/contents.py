"""What is wrong with the weapons, Class Powers, items and spells of a scene file, beyond the types of their keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from turnwright.documents import Document, Place, Problem
from turnwright.documents.words import nearest
from turnwright.model import Struct
from turnwright.systems.narateer.sheet import Item, Part, Power, Spell, Weapon


class Named(Struct, frozen=True):
    """What the rest of the scene file names: what a Power, an item or a spell may refer to."""

    conditions: tuple[str, ...] = ()
    routes: tuple[str, ...] | None = None
    """Places and tags of the map; None off a map."""
    senses: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()


ALIKE = 0.8
"""How alike a word must be to the name of an action to be a slip for it; what spells require is said more freely."""


def bars_problems(
    document: Document[Any],
    bars: Iterable[tuple[Place, Sequence[str]]],
    needs: Sequence[str],
    actions: Sequence[str],
) -> Iterator[Problem]:
    """A slip in `bars` never bars anything: a word that is nearly what a spell requires, or nearly an action.

    A word that is like neither stays: Conditions are written once, and for more scenes than this one.
    """
    for path, words in bars:
        for index, word in enumerate(words):
            if word in needs or word in actions:
                continue
            hint = nearest(word, needs) or nearest(word, actions, ALIKE)
            if hint:
                expected = "what a spell of the scene requires, or an action by its name"
                yield document.problem((*path, index), expected, repr(word), hint)


class Contents(Struct, frozen=True):
    """What one character carries and can do."""

    weapons: tuple[Weapon, ...] = ()
    powers: tuple[Power, ...] = ()
    items: tuple[Item, ...] = ()
    spells: tuple[Spell, ...] = ()


class Checking:
    """One character's entry on its way through the checks."""

    def __init__(self, document: Document[Any], path: Place, named: Named) -> None:
        self.document, self.path, self.named = document, path, named

    def problem(self, path: Place, expected: str, got: str, hint: str = "") -> Problem:
        return self.document.problem((*self.path, *path), expected, got, hint)

    def one_of(self, path: Place, name: str, known: Sequence[str]) -> Iterator[Problem]:
        """A name that is given must be one that there is."""
        if name and name not in known:
            yield self.problem(path, f"one of {', '.join(known) or 'none'}", repr(name), nearest(name, known))

    def without(self, path: Place, content: Struct, keys: Sequence[str], lacks: str) -> Iterator[Problem]:
        """Keys that say nothing without another one."""
        for key in keys:
            if getattr(content, key):
                yield self.problem((*path, key), f"it only together with {lacks}", repr(getattr(content, key)))

    def once(self, key: str, names: Sequence[str]) -> Iterator[Problem]:
        for index, name in enumerate(names):
            if name in names[:index]:
                yield self.problem((key, index, "name"), f"a name that nothing else in {key} has", repr(name))


def content_problems(document: Document[Any], path: Place, contents: Contents, named: Named) -> Iterator[Problem]:
    """Everything that would make a weapon, a Power, an item or a spell of one character do nothing, or two things."""
    at = Checking(document, path, named)
    for key in ("weapons", "powers", "items", "spells"):
        yield from at.once(key, [content.name for content in getattr(contents, key)])
    for index, power in enumerate(contents.powers):
        yield from _power(at, ("powers", index), power)
    for index, item in enumerate(contents.items):
        yield from _item(at, ("items", index), item)
    for index, spell in enumerate(contents.spells):
        yield from _spell(at, ("spells", index), spell)


# -- Powers


def _power(at: Checking, path: Place, power: Power) -> Iterator[Problem]:
    route, routes = power.requires.route, at.named.routes
    if routes is not None:
        yield from at.one_of((*path, "requires", "route"), route, routes)
    for index, part in enumerate(power.parts):
        place = (*path, "parts", index)
        yield from _timing(at, place, part)
        yield from _doing(at, place, part)
        for key in ("condition", "ends"):
            yield from at.one_of((*place, key), getattr(part, key), at.named.conditions)


def _timing(at: Checking, path: Place, part: Part) -> Iterator[Problem]:
    """When it may be used: what is labelled, what attaches and what opens it must fit together.

    Rules: narateer.reaction.explicit-only, narateer.response.power-inside-response.
    """
    if part.reaction and not part.opens_at:
        yield at.problem((*path, "reaction"), "a trigger, or a Response that creates it", "a Reaction without either")
    if part.attaches_to and part.trigger and not (part.reaction and part.trigger == "exchange_resolved"):
        told = "exchange_resolved or nothing" if part.reaction else "no trigger for what is part of a Response"
        yield at.problem((*path, "trigger"), told, repr(part.trigger))
    if not part.opens_at:
        yield from at.without(path, part, ("role", "clauses"), "a trigger")
    else:
        yield from _who(at, path, part.opens_at, part.role, part.clauses)


def _who(at: Checking, path: Place, event: str, role: str, clauses: tuple[str, ...]) -> Iterator[Problem]:
    """Roles and clauses that can never hold of an event."""
    if role == "mover" and event != "stepped":
        yield at.problem((*path, "role"), "mover only of stepped", repr(role))
    if role in ("target", "attacker") and event == "stepped":
        yield at.problem((*path, "role"), "mover or witness, of a step", repr(role))
    for index, clause in enumerate(clauses):
        if (clause == "enemy moves" and event != "stepped") or (
            clause in ("hit", "not hit") and event != "exchange_resolved"
        ):
            other = "stepped" if clause == "enemy moves" else "exchange_resolved"
            yield at.problem((*path, "clauses", index), f"it only together with trigger: {other}", repr(clause))


def _doing(at: Checking, path: Place, part: Part) -> Iterator[Problem]:
    inside = bool(part.attaches_to) and not part.reaction
    if inside:
        for key in ("strike", "check"):
            if getattr(part, key):
                yield at.problem((*path, key), "nothing of the kind in what is part of a Response", f"{key}")
    if part.at == "ally" and not part.proactive:
        yield at.problem((*path, "at"), "yes or no, where an event or a Response opens it", "ally")
    if not part.check:
        yield from at.without(path, part, ("target", "success", "failure", "boost_after_roll"), "check")
    if not (inside or part.strike or part.trigger == "exchange_initiated"):
        yield from at.without(path, part, ("totals",), "strike, attaches_to or trigger: exchange_initiated")
    if part.trigger == "exchange_initiated" and part.role == "witness":
        yield from at.without(path, part, ("totals",), "role: target or attacker")
    if not (inside or part.strike or part.trigger == "hit"):
        yield from at.without(path, part, ("wounds",), "strike, attaches_to or trigger: hit")


# -- items


OWN_RULE = ("procedure", "uses", "at", "within", "check", "wounds", "condition", "ends", "sets", "noise", "move")


def _item(at: Checking, path: Place, item: Item) -> Iterator[Problem]:
    """Rules: narateer.equipment.specific-rule-first."""
    if item.ad is not None and item.tier:
        yield at.problem((*path, "tier"), "either ad or tier", "both")
    if not item.own_rule:
        yield from at.without(path, item, OWN_RULE, "ad or tier, which make it a rule of its own")
    if not item.noise and item.carries is not None:
        yield at.problem((*path, "carries"), "it only together with noise", repr(item.carries))
    yield from _check_and_aim(at, path, item)


# -- spells


def _spell(at: Checking, path: Place, spell: Spell) -> Iterator[Problem]:
    """Rules: narateer.cast.follow-magic, narateer.cast.noticeability."""
    for pool in spell.casting_cost:
        yield from at.one_of((*path, "casting_cost", pool), pool, ("ad", *at.named.pools))
    yield from at.one_of((*path, "focus"), spell.focus, at.named.items)
    for sense in spell.noticed:
        yield from at.one_of((*path, "noticed", sense), sense, at.named.senses)
    if not spell.noticed:
        yield from at.without(path, spell, ("obvious",), "noticed")
    if not spell.trigger:
        yield from at.without(path, spell, ("reaction", "role", "clauses"), "a trigger")
    else:
        yield from _who(at, path, spell.trigger, spell.role, spell.clauses)
    if spell.trigger != "hit":
        yield from at.without(path, spell, ("wards",), "trigger: hit")
    if not spell.at:
        yield from at.without(path, spell, ("sight",), "at")
    yield from _check_and_aim(at, path, spell)


def _check_and_aim(at: Checking, path: Place, content: Item | Spell) -> Iterator[Problem]:
    """What an item and a spell have in common: a number to beat, whom it is aimed at, Conditions that there are."""
    if not content.check:
        yield from at.without(path, content, ("target", "resisted", "failure"), "check")
    elif not content.target and not content.at:
        yield at.problem((*path, "check"), "a target for it, or `at` for the score of an opponent", repr(content.check))
    if not content.at:
        yield from at.without(path, content, ("within", "wounds"), "at")
    for key in ("condition", "ends"):
        yield from at.one_of((*path, key), getattr(content, key), at.named.conditions)
