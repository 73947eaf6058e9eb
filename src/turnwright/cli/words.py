"""What a person types for an action, as the parts of a declaration; whether it is allowed is for the table to say."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from turnwright.cli.draw import letters
from turnwright.model import Actor, Cell, Declaration, Offer, Parameter, Price, State
from turnwright.rules import Game

COMMON = ("intent", "method", "target", "boost", "way")
FILLERS = frozenset(("to", "at", "with", "on", "in", "from", "toward", "towards", "by", "for", "the", "a", "an", "and"))
_CELL = re.compile(r"[(\[]?\s*(-?\d+)\s*,\s*(-?\d+)\s*[)\]]?")
_BETWEEN = re.compile(r"[\s,;>→.]+")
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_BOOST = re.compile(r"(?:^|\s)\+\s*(\d+)\s*$")

GOES = ("cell", "place", "route")
"""Kinds of parameters for which a Space may be typed."""

Said = dict[str, Any]


class Unclear(ValueError):
    """Typed words that could not be made out; the text says what would be right."""


def read_words(parameters: Sequence[Parameter], state: State, text: str) -> Said:
    """The parts of a declaration in typed words: `4,2`, `guard with knife`, `behind the cart +1`, `place=loft`.

    Raises Unclear.
    """
    said: Said = {}
    boost = _BOOST.search(text)
    if boost is not None:
        said["boost"] = int(boost.group(1))
        text = text[: boost.start()]
    names = {p.name for p in parameters} | set(COMMON)
    free, named = _split_named(text, names)
    _only_named((free, *named.values()), sorted(names))
    for name, value in named.items():
        said[name] = _value(_named(parameters, name), state, value)
    asked = [p for p in parameters if not p.by_name]
    left = _take_cells(asked, said, free)
    left = _take_actor(asked, said, state, left)
    left = _take_choices(asked, said, left)
    left = _take_actor(asked, said, state, left)
    _take_text(asked, said, state, left)
    return said


def _named(parameters: Sequence[Parameter], name: str) -> Parameter:
    for parameter in parameters:
        if parameter.name == name:
            return parameter
    kinds = {"boost": "number", "target": "actor"}
    return Parameter(name, kinds.get(name, "text"), name)  # type: ignore[arg-type]


def _split_named(text: str, names: Iterable[str]) -> tuple[str, dict[str, str]]:
    """The free words in front, and what follows each `name=`."""
    parts = re.split(rf"(?:^|(?<=\s))({'|'.join(sorted(names))})=", text)
    named = {name: _unquoted(value) for name, value in zip(parts[1::2], parts[2::2], strict=True)}
    return parts[0].strip(), named


def _only_named(texts: Iterable[str], names: Sequence[str]) -> None:
    """A word before `=` is the name of something that can be said; another one is a slip. Raises Unclear."""
    for word in [word for text in texts for word in re.findall(r"(?:^|(?<=\s))([a-z_]+)=", text)]:
        like = difflib.get_close_matches(word, names, n=1)
        hint = f"did you mean {like[0]}?" if like else f"it takes {', '.join(names)}"
        raise Unclear(f"there is no {word!r} to say here; {hint}")


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def read_value(parameter: Parameter, state: State, text: str) -> Any:
    """What was typed for one parameter. Raises Unclear."""
    return _value(parameter, state, text.strip())


def _value(parameter: Parameter, state: State, text: str) -> Any:
    match parameter.kind:
        case "route":
            return tuple(only_cells(text)) or _unclear(parameter, text, "Spaces, such as 4,2 5,2")
        case "place":
            led = only_cells(text)
            if len(led) == 1:
                return led[0]
            return (
                _unclear(parameter, text, "one Space, such as 4,2, or a name")
                if cells(text)
                else _place(parameter, text)
            )
        case "cell":
            found = only_cells(text)
            return found[0] if len(found) == 1 else _unclear(parameter, text, "a Space, such as 4,2")
        case "number":
            return int(text) if _WHOLE.fullmatch(text) else _unclear(parameter, text, "a whole number")
        case "actor":
            return actor_named(state, text) or _unclear(parameter, text, f"one of {', '.join(state.actors)}")
        case "choice" if parameter.choices:
            found_choice = [c for c in parameter.choices if c.lower().startswith(text.lower())] if text else []
            return found_choice[0] if found_choice else _unclear(parameter, text, f"{', '.join(parameter.choices)}")
        case "yes":
            said = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}.get(text.lower())
            return _unclear(parameter, text, "yes or no") if said is None else said
    return text


def _place(parameter: Parameter, text: str) -> str:
    """The name of a place as it is written in the choices, if it is one of them or begins only one."""
    if text.strip() in parameter.choices:
        return text.strip()
    bare = " ".join(word for word in text.split() if word.lower() not in FILLERS) or text.strip()
    like = [c for c in parameter.choices if c.lower().startswith(bare.lower())] if bare else []
    exact = [c for c in like if c.lower() == bare.lower()]
    return (exact or like)[0] if len(exact or like) == 1 else bare or _unclear(parameter, text, "a place")


def _unclear(parameter: Parameter, text: str, right: str) -> Any:
    raise Unclear(f"{parameter.about} ({parameter.name}): expected {right}; got {text!r}")


def cells(text: str) -> list[Cell]:
    """Every Space that is written as `x,y`."""
    return [(int(x), int(y)) for x, y in _CELL.findall(text)]


def only_cells(text: str) -> list[Cell]:
    """The Spaces of a text that says nothing but Spaces, such as `4,2 then 5,2`; none where it says anything else."""
    between = [word.lower() for word in _BETWEEN.split(_CELL.sub(" ", text)) if word]
    return cells(text) if all(word in FILLERS or word in ("then", "->") for word in between) else []


def actor_named(state: State, text: str) -> str:
    """Who is meant by an id, a name, a letter of the map, or the only one that begins like that; else empty."""
    said = text.strip().lower()
    if said in state.actors:
        return said
    if len(said) == 1:
        return next((actor for actor, letter in letters(state).items() if letter == text.strip()), "")
    if not said:
        return ""
    found = actor_in_full(state, said)
    if found:
        return found
    like: list[str] = [
        a.id for a in state.actors.values() if a.id.lower().startswith(said) or _bare(a.name).startswith(said)
    ]
    return like[0] if len(like) == 1 else ""


def actor_in_full(state: State, text: str) -> str:
    """Who is meant by a whole id or name, with or without its article; else empty."""
    said = text.strip().lower()
    actors: Iterable[Actor] = state.actors.values()
    return next((a.id for a in actors if said in (a.id.lower(), a.name.lower(), _bare(a.name))), "")


def _bare(name: str) -> str:
    """A name without its article."""
    return re.sub(r"^(the|a|an) ", "", name.lower())


def _take_cells(parameters: Sequence[Parameter], said: Said, text: str) -> str:
    """One Space is where to go or look, several are a route."""
    found = cells(text)
    kinds = {"cell" if p.kind == "place" else p.kind: p.name for p in reversed(parameters) if p.kind in GOES}
    if not found or not kinds:
        return text
    if len(found) == 1 and "cell" in kinds:
        said.setdefault(kinds["cell"], found[0])
    elif "route" in kinds:
        said.setdefault(kinds["route"], tuple(found))
    else:
        raise Unclear(f"only one Space is asked for; got {text!r}")
    return _CELL.sub(" ", text)


def _take_actor(parameters: Sequence[Parameter], said: Said, state: State, text: str) -> str:
    """The first name at the beginning of the words."""
    name = next((p.name for p in parameters if p.kind == "actor" and p.name not in said), "")
    words = text.split()
    while words and words[0].lower() in FILLERS and len(words) > 1 and name:
        if words[0].lower() in state.actors or actor_named(state, " ".join(words[:2])):
            break
        words = words[1:]
    for count in range(min(4, len(words)), 0, -1) if name else ():
        actor = actor_named(state, " ".join(words[:count]))
        if actor:
            said[name] = actor
            return " ".join(words[count:])
    return text.strip()


def _take_choices(parameters: Sequence[Parameter], said: Said, text: str) -> str:
    """Words that are a choice of a parameter, and numbers and yes or no where such a parameter is open."""
    left, words = [], text.split()
    while words:
        spans = [(count, " ".join(words[:count]).lower()) for count in range(min(4, len(words)), 0, -1)]
        count = next((count for count, span in spans if _take_choice(parameters, said, span)), 0)
        left += [] if count else words[:1]
        words = words[count or 1 :]
    return " ".join(left)


def _take_choice(parameters: Sequence[Parameter], said: Said, span: str) -> bool:
    """Whether so many words are the choice, or the number, of a parameter that is still open."""
    for parameter in parameters:
        if parameter.name in said:
            continue
        like = [choice for choice in parameter.choices if choice.lower() == span]
        if parameter.kind in ("choice", "text") and like:
            said[parameter.name] = like[0]
            return True
        if parameter.kind == "number" and span.isdigit():
            said[parameter.name] = int(span)
            return True
    return False


def _take_text(parameters: Sequence[Parameter], said: Said, state: State, text: str) -> None:
    """What is left is the first text that the action needs, or takes."""
    words = text.split()
    if all(word.lower() in FILLERS for word in words):
        return
    going = next((p for p in parameters if p.kind == "place" and p.name not in said and "route" not in said), None)
    if going is not None and words:
        said[going.name] = _place(going, " ".join(words))
        return
    takes = [p for p in parameters if p.name not in said and p.kind == "text" and not p.choices]
    takes.sort(key=lambda p: not p.required)
    loose = [p for p in parameters if p.name not in said and p.kind in ("choice", "text")]
    whom = next((p for p in parameters if p.kind == "actor" and p.required and p.name not in said), None)
    if takes and whom is not None and not takes[0].required and words[0].lower() != "with":
        known = ", ".join(actor.name for actor in state.actors.values())
        raise Unclear(f"{whom.about}: nobody is called {' '.join(words)!r}; there are {known}")
    if takes:
        said[takes[0].name] = " ".join(words[1:] if words[0].lower() == "with" else words)
    elif loose:
        kept = [word for word in words if word.lower() not in FILLERS]
        said[loose[0].name] = _value(loose[0], state, " ".join(kept))
    else:
        named = ", ".join(p.name for p in parameters) or "nothing more"
        raise Unclear(f"{' '.join(words)!r} says nothing here; it takes {named}")


# -- which offer


def action_named(names: Iterable[str], line: str, hint: str = "Enter lists what can, ? helps") -> tuple[str, str]:
    """The action that a line begins with, and the rest of it; a name may be cut short. Raises Unclear with the hint."""
    words = line.split()
    held = sorted(names)
    for count in (3, 2, 1):
        said = "_".join(words[:count]).lower()
        if len(words) >= count and said in held:
            return said, " ".join(words[count:])
    like = [name for name in held if name.startswith(words[0].lower())] if words else []
    if len(like) == 1:
        return like[0], " ".join(words[1:])
    more = f"is it {' or '.join(like)}?" if like else hint
    raise Unclear(f"{words[0] if words else ''!r} is nothing that can be done; {more}")


def matching(offers: Sequence[Offer], action: str, said: Mapping[str, Any]) -> list[Offer]:
    """The offers of an action that agree with what was said; those that may be done, where there are some."""
    found = [offer for offer in offers if offer.action == action and _agrees(offer.declaration, said)]
    open_to = [offer for offer in found if offer.verdict != "illegal"]
    return open_to or found


def _agrees(d: Declaration, said: Mapping[str, Any]) -> bool:
    held = {**d.options, **({"target": d.target} if d.target else {})}
    return all(name not in said or str(said[name]).lower() == str(value).lower() for name, value in held.items())


# -- prices


def price_words(game: Game, price: Price) -> str:
    """A price in a few words: `2 AD, a use of Stealth, 6 m`; what is paid in a way of its own says why."""
    amounts: dict[str, int] = {}
    why: dict[str, str] = {}
    for item in price.costs:
        amounts[item.resource] = amounts.get(item.resource, 0) + item.amount
        if price.way and item.resource == price.way:
            why[item.resource] = f" ({item.why})"
    parts = [
        words + why.get(resource, "")
        for resource, amount in amounts.items()
        if (words := game.resource_words(resource, amount))
    ]
    if price.metres:
        parts.append(f"{float(price.metres):g} m")
    return ", ".join(parts) or "free"
