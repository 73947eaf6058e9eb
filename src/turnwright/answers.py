"""What a person may answer to each kind of question, read into the answer that the rules use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from turnwright.model import (
    Answer,
    AnyAnswer,
    Choose,
    Chosen,
    Clarified,
    Clarify,
    Commit,
    Committed,
    Confirm,
    Confirmed,
    Order,
    Ordered,
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
            return Confirmed() if value in (True, "yes") or isinstance(value, Confirmed) else Withdraw()
        case Clarify():
            return _clarify(value)
        case Order():
            return _order(question, value)
    raise Refused(Refusal("", f"{type(question).__name__} has no answer", "NO_ANSWER"))


def _no(text: str, code: str = "BAD_ANSWER", rule: str = "") -> Refused:
    return Refused(Refusal(rule, text, code))


def _withdraw(question: Question) -> Withdraw:
    free = isinstance(question, (Confirm, Clarify, Rule)) or (isinstance(question, Commit) and question.may_withdraw)
    if not free:
        raise _no("this cannot be withdrawn from any more", "TOO_LATE")
    return Withdraw()


def _roll(question: Roll, value: Any, confirm: bool) -> Rolled:
    """Faces, or a total; one outside the range of the dice is taken only when it is confirmed."""
    if isinstance(value, Rolled):
        return value
    pool = question.pool
    if isinstance(value, (tuple, list)):
        faces = tuple(value)
        if len(faces) != pool.thrown or not all(isinstance(f, int) and 1 <= f <= pool.sides for f in faces):
            raise _no(f"{pool} shows {pool.thrown} faces from 1 to {pool.sides}, not {list(faces)}")
        return _read(question, pool.total(faces), faces)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _no(f"a roll is answered with its faces or its total, not {value!r}")
    low, high = pool.range
    if not low <= value <= high and not confirm:
        raise _no(f"{pool} shows {low} to {high}; is it really {value}? Confirm it", "OUT_OF_RANGE")
    return _read(question, value, ())


def _read(question: Roll, total: int, faces: tuple[int, ...]) -> Rolled:
    if question.against is None:
        return Rolled(total, total, faces, "table")
    passed = total > question.against or (question.ties and total == question.against)
    return Rolled(int(passed), total, faces, "table")


def _choose(question: Choose, value: Any) -> Chosen:
    given = Chosen(value) if isinstance(value, str) else value
    if isinstance(given, (tuple, list)) and len(given) == 2:
        given = Chosen(str(given[0]), int(given[1]))
    if not isinstance(given, Chosen):
        raise _no(f"choose one of {', '.join(o.id for o in question.options)}; got {value!r}")
    for option in question.options:
        if option.id == given.id:
            if not 0 <= given.amount <= option.most:
                text = f"a boost of {given.amount} is above the limit of {option.most}"
                raise _no(text, "BOOST", option.rule)
            return given
    refused = [refusal for refusal in question.refused if given.id.startswith(refusal.code)]
    if refused:
        raise Refused(*refused)
    raise _no(f"{given.id!r} is not open; choose one of {', '.join(o.id for o in question.options)}")


def _commit(question: Commit, value: Any) -> Committed:
    given = value.boost if isinstance(value, Committed) else value
    if isinstance(given, bool) or not isinstance(given, int):
        raise _no(f"say how much beyond the price, 0 to {question.most}; got {value!r}")
    if not 0 <= given <= question.most:
        raise _no(f"a boost of {given} is above the limit of {question.most}", "BOOST", question.rule)
    return Committed(given)


def _rule(game: Game, state: State, question: Rule, value: Any) -> Ruled:
    ruling = _ruling(question, value)
    lacking = list(game.incomplete(state, question.declaration, ruling))
    if lacking:
        raise Refused(*lacking)
    return Ruled(ruling)


def _ruling(question: Rule, value: Any) -> Ruling:
    if isinstance(value, Ruled):
        return value.ruling
    if isinstance(value, Ruling):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value < len(question.suggested):
            return question.suggested[value]
        raise _no(f"there are {len(question.suggested)} presets; {value} is none of them")
    said = {"kind": value} if isinstance(value, str) else value
    if not isinstance(said, Mapping):
        raise _no(f"a ruling is a preset's number, a kind, or its parts by name; got {value!r}")
    try:
        return msgspec.convert(dict(said), Ruling)
    except msgspec.ValidationError as error:
        raise _no(f"this is no ruling: {error}") from None


def _clarify(value: Any) -> Clarified:
    if isinstance(value, Clarified):
        return value
    if isinstance(value, Mapping):
        return Clarified(str(value.get("intent", "")), str(value.get("method", "")))
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return Clarified(str(value[0]), str(value[1]))
    raise _no(f"say the goal and the means; got {value!r}")


def _order(question: Order, value: Any) -> Ordered:
    given = value.actors if isinstance(value, Ordered) else tuple(value) if isinstance(value, (tuple, list)) else ()
    if sorted(given) != sorted(question.among):
        raise _no(f"name each of {', '.join(question.among)} once; got {value!r}")
    return Ordered(given)


__all__ = ["Answer", "read_answer"]
