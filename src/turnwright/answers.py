"""What a person says, read into what the rules use: a declaration, and the answer to each kind of question."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from operator import index
from typing import Any

import msgspec

from turnwright.gate import beyond
from turnwright.model import (
    Answer,
    AnyAnswer,
    Cell,
    Choose,
    Chosen,
    Clarified,
    Clarify,
    Commit,
    Committed,
    Confirm,
    Confirmed,
    Declaration,
    Order,
    Ordered,
    Parameter,
    Question,
    Refusal,
    Refused,
    Roll,
    Rolled,
    Rule,
    Ruled,
    Ruling,
    State,
    Withdraw,
)
from turnwright.rules import Game

SAID = {"intent": str, "method": str, "target": str, "boost": int, "way": str}
"""What a declaration has a place of its own for, by name; everything else is one of the action's options."""
COMMON = ("intent", "method", "boost")
"""What every declaration may say, and `way` in a game that knows several ways to pay; the rest its action lists."""


def is_text(**said: Any) -> None:
    """Raises Refused for whatever is not text, by its name."""
    for name, value in said.items():
        if not isinstance(value, str):
            raise _no(f"{name} is text; got {value!r}", "BAD_DECLARATION")


def is_count(**said: Any) -> None:
    """Raises Refused for whatever is not a whole number of at least 0, by its name."""
    for name, value in said.items():
        if type(value) is not int or value < 0:
            raise _no(f"{name} is a whole number of at least 0; got {value!r}", "BAD_DECLARATION")


def read_answers(said: Any) -> dict[str, Any]:
    """What others decide, by who and what it is about. Raises Refused for anything else."""
    if said is None:
        return {}
    if not isinstance(said, Mapping) or not all(isinstance(name, str) for name in said):
        raise _no(f'answers are what each decides by name, as in {{"guard response": "clash"}}; got {said!r}')
    return dict(said)


def read_help(said: Any) -> tuple[tuple[str, str], ...]:
    """Who does what in between, as (actor, action). Raises Refused for anything else."""
    listed = tuple(said) if isinstance(said, (tuple, list)) else ()
    pairs = all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in listed)
    if not isinstance(said, (tuple, list)) or not pairs or not all(isinstance(w, str) for pair in listed for w in pair):
        raise _no(f"interject is a list of who does what, as in [('bo', 'assist')]; got {said!r}", "BAD_DECLARATION")
    return tuple([(who, what) for who, what in listed])


def one_of(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raises ValueError for a word that is none of the choices."""
    if value not in choices:
        raise ValueError(f"{name} is one of {', '.join(choices)}; got {value!r}")


def read_declaration(game: Game, actor: str, action: str, said: Mapping[str, Any]) -> Declaration:
    """The declaration that a person means. Raises Refused for what cannot be read, naming what would be right."""
    said = {name: value for name, value in said.items() if value is not None and value not in ("", (), [])}
    kinds = _parameters(game, action)
    if action in game.actions:
        _only_listed(said, action, list(dict.fromkeys([*kinds, *COMMON, *(["way"] if game.has_ways else [])])))
    if type(said.get("way")) is int:
        said["way"] = str(said["way"])
    common = {name: said[name] for name in SAID if name in said}
    for name, value in common.items():
        if type(value) is not SAID[name]:
            kind = "a whole number" if SAID[name] is int else "text"
            raise _no(f"{name} is {kind}; got {value!r}", "BAD_DECLARATION")
    own = {name: value for name, value in said.items() if name not in SAID and name != "route"}
    options = {name: _option(name, value) for name, value in own.items()}
    for name, value in options.items():
        if name in kinds and not _fits(kinds[name], value, said[name]):
            raise _no(f"{name} is {KINDS[kinds[name].kind]}; got {said[name]!r}", "BAD_DECLARATION")
    return Declaration(actor, action, route=_route(said.get("route") or ()), options=options, **common)


def _parameters(game: Game, action: str) -> dict[str, Parameter]:
    """What may be said of an action by name; of one that is open-ended also what any other takes."""
    found = game.actions.get(action)
    if found is None:
        return {}
    listed = {parameter.name: parameter for parameter in found.parameters}
    if found.open_ended:
        for other in game.procedures():
            for parameter in game.actions[other].parameters:
                listed.setdefault(parameter.name, parameter)
    return listed


def _only_listed(said: Mapping[str, Any], action: str, names: list[str]) -> None:
    for name in said:
        if name not in names:
            like = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {like[0]}?" if like else f"it takes {', '.join(names)}"
            raise _no(f"{action.replace('_', ' ')} takes no {name!r}; {hint}", "UNKNOWN_PARAMETER")


KINDS = {
    "text": "text",
    "actor": "the id of a character",
    "choice": "text",
    "cell": "a Space, x,y",
    "place": "a Space, x,y, or the name of a place",
    "number": "a whole number",
    "yes": "yes or no",
}
SPACE = re.compile(r"[(\[ ]*-?\d{1,9} *, *-?\d{1,9}[)\] ]*")
NAMED = re.compile(r"[^\d,()\[\]][^,()\[\]]*")
NUMBER = re.compile(r" *-?\d{1,9} *")


def _fits(parameter: Parameter, value: str | int | bool, said: Any) -> bool:
    """Whether a value is of the parameter's kind; several parts of a text may be given as a list."""
    written = str(value)
    if parameter.kind in ("text", "actor", "choice"):
        plain = "yes" in parameter.choices and isinstance(said, bool)
        return plain or isinstance(said, str) or (parameter.kind == "text" and isinstance(said, (tuple, list)))
    if not written.strip():
        return True
    if parameter.kind == "cell":
        return SPACE.fullmatch(written) is not None
    if parameter.kind == "place":
        named = isinstance(said, str) and NAMED.fullmatch(written.strip()) is not None
        return named or SPACE.fullmatch(written) is not None
    if parameter.kind == "number":
        return NUMBER.fullmatch(written) is not None
    return parameter.kind != "yes" or isinstance(value, bool) or written in ("yes", "no")


def _option(name: str, value: Any) -> str | int | bool:
    if isinstance(value, (str, int)):
        return value
    if isinstance(value, (tuple, list)):
        return ",".join(str(part) for part in value)
    raise _no(f"{name} is text, a whole number, yes or no, or a Space; got {value!r}", "BAD_DECLARATION")


def _route(said: Any) -> tuple[Cell | str, ...]:
    try:
        if isinstance(said, str):
            raise TypeError
        return tuple([step if isinstance(step, str) else _space(*step) for step in said])
    except (TypeError, ValueError):
        text = f"a route is its Spaces in order, [[x, y], ...], or its places by name; got {said!r}"
        raise _no(text, "BAD_DECLARATION") from None


def _space(x: Any, y: Any) -> Cell:
    return index(x), index(y)


def said_in(d: Declaration) -> dict[str, Any]:
    """A declaration as what `declare` is told by name."""
    said = {name: getattr(d, name) for name in (*SAID, "route")}
    return {name: value for name, value in said.items() if value not in ("", (), None)} | d.options


def read_answer(game: Game, state: State, question: Question, value: Any, confirm: bool = False) -> AnyAnswer:
    """The answer that a value means for a question. Raises Refused saying what would be right."""
    if value is Withdraw or isinstance(value, Withdraw):
        return _withdraw(question)
    match question:
        case Roll():
            return _roll(question, value, confirm)
        case Choose():
            return _choose(question, value)
        case Commit():
            return _commit(question, value)
        case Rule():
            return _rule(game, state, question, value)
        case Confirm():
            return _confirm(value)
        case Clarify():
            return _clarify(value)
        case Order():
            return _order(question, value)
    raise Refused(Refusal("", f"{type(question).__name__} has no answer", "NO_ANSWER"))


def _no(text: str, code: str = "BAD_ANSWER", rule: str = "") -> Refused:
    return Refused(Refusal(rule, text, code))


def _withdraw(question: Question) -> Withdraw:
    may = isinstance(question, (Commit, Choose)) and question.may_withdraw
    free = may or isinstance(question, (Confirm, Clarify, Rule))
    if not free:
        raise _no("this cannot be withdrawn from any more", "TOO_LATE")
    return Withdraw()


def _roll(question: Roll, value: Any, confirm: bool) -> Rolled:
    """Faces, or a total; one outside the range of the dice is taken only when it is confirmed."""
    if isinstance(value, Rolled):
        value = value.faces or (value.value if value.total is None else value.total)
    pool = question.pool
    if isinstance(value, (tuple, list)):
        faces = tuple(value)
        if not all(type(face) is int for face in faces) or not pool.shows(faces):
            more = f", and one more for each of {pool.again} or above" if pool.again else ""
            raise _no(f"{pool} shows {pool.thrown} faces from 1 to {pool.sides}{more}, not {list(faces)}")
        return _read(question, pool.total(faces), faces)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _no(f"a roll is answered with its faces or its total, not {value!r}")
    low, high = pool.range
    if not low <= value <= high and not confirm:
        raise _no(f"{pool} shows {low} to {high}; is it really {value}? Confirm it", "OUT_OF_RANGE")
    return _read(question, value, ())


def _read(question: Roll, total: int, faces: tuple[int, ...]) -> Rolled:
    return Rolled(question.reading(total), total, faces, "table")


def _choose(question: Choose, value: Any) -> Chosen:
    given = Chosen(value) if isinstance(value, str) else value
    if isinstance(given, (tuple, list)) and len(given) == 2:
        given = Chosen(*given)
    if not (isinstance(given, Chosen) and isinstance(given.id, str) and type(given.amount) is int):
        raise _no(f"choose one of {', '.join(o.id for o in question.options)}; got {value!r}")
    for option in question.options:
        if option.id == given.id:
            if not 0 <= given.amount <= option.most:
                raise _no(beyond(given.amount, option.most), "BOOST", option.why_most or option.rule)
            return given
    refused = [refusal for refusal in question.refused if refusal.code and given.id.startswith(refusal.code)]
    if refused:
        raise Refused(*refused)
    raise _no(f"{given.id!r} is not open; choose one of {', '.join(o.id for o in question.options)}")


def _confirm(value: Any) -> Confirmed | Withdraw:
    if value is True or value == "yes" or isinstance(value, Confirmed):
        return Confirmed()
    if value is False or value == "no":
        return Withdraw()
    raise _no(f"go on, yes or no; got {value!r}")


def _commit(question: Commit, value: Any) -> Committed:
    given = value.boost if isinstance(value, Committed) else value
    if isinstance(given, bool) or not isinstance(given, int):
        raise _no(f"say how much beyond the price, 0 to {question.most}; got {value!r}")
    if not 0 <= given <= question.most:
        raise _no(beyond(given, question.most), "BOOST", question.rule)
    return Committed(given)


def _rule(game: Game, state: State, question: Rule, value: Any) -> Ruled:
    ruling = _ruling(question, value)
    refused = [*_out_of_bounds(ruling), *game.incomplete(state, question.declaration, ruling)]
    if refused:
        raise Refused(*refused)
    return Ruled(ruling)


def _ruling(question: Rule, value: Any) -> Ruling:
    if isinstance(value, Ruled):
        value = value.ruling
    if isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value < len(question.suggested):
            return question.suggested[value]
        raise _no(f"there are {len(question.suggested)} presets; {value} is none of them")
    said = {"kind": value} if isinstance(value, str) else value
    if not isinstance(said, (Mapping, Ruling)):
        raise _no(f"a ruling is a preset's number, a kind, or its parts by name; got {value!r}")
    try:
        return msgspec.convert(said if isinstance(said, Mapping) else msgspec.to_builtins(said), Ruling)
    except (msgspec.ValidationError, TypeError) as error:
        raise _no(f"this is no ruling: {error}") from None


BOUNDS = {"ad": (0, 100), "dice": (1, 100), "boost": (0, 100), "wounds": (0, 100), "amount": (0, 10_000)}
"""What the numbers of a ruling may be; nobody is paid for acting, and nobody throws a thousand dice."""


def _out_of_bounds(ruling: Ruling) -> Iterator[Refusal]:
    for name, (low, high) in BOUNDS.items():
        value = getattr(ruling, name)
        if value is not None and not low <= value <= high:
            yield Refusal("", f"{name} is {low} to {high}; got {value}", "BAD_ANSWER")


def _clarify(value: Any) -> Clarified:
    said = (value.intent, value.method) if isinstance(value, Clarified) else value
    if isinstance(said, Mapping):
        said = (said.get("intent", ""), said.get("method", ""))
    if not (isinstance(said, (tuple, list)) and len(said) == 2 and all(isinstance(part, str) for part in said)):
        raise _no(f"say the goal and the means; got {value!r}")
    if not any(part.strip() for part in said):
        raise _no("say the goal and the means")
    return Clarified(*said)


def _order(question: Order, value: Any) -> Ordered:
    given = value.actors if isinstance(value, Ordered) else value
    named = isinstance(given, (tuple, list)) and all(isinstance(name, str) for name in given)
    if not named or sorted(given) != sorted(question.among):
        raise _no(f"name each of {', '.join(question.among)} once; got {value!r}")
    return Ordered(tuple(given))


__all__ = ["Answer", "read_answer", "read_declaration"]
