"""Open questions as a person at a terminal is asked them, and what may be typed for each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from turnwright.cli.story import ruling_words, seat_name
from turnwright.cli.words import Unclear, actor_named, price_words
from turnwright.model import (
    GUIDE,
    Choose,
    Clarify,
    Commit,
    Confirm,
    Order,
    Refusal,
    Roll,
    Rule,
    Ruling,
    State,
    Withdraw,
)
from turnwright.rules import Game
from turnwright.table import Open

_SPOT = re.compile(r"\((-?\d+), (-?\d+)\)")
EDITED = {
    "check": ("skill", "target", "against", "success", "failure"),
    "automatic": ("tier", "success"),
    "impossible": ("obstacle",),
    "procedure": ("procedure",),
    "unclear": (),
}
"""The parts of a ruling that are asked for one by one."""
ABOUT = {
    "kind": "check, automatic, impossible, procedure or unclear",
    "skill": "the Skill",
    "target": "the number to reach; empty, where it is against somebody",
    "against": "or whose score is to be beaten",
    "success": "what success brings",
    "failure": "what failure brings",
    "tier": "how much it takes: trivial, minor or major",
    "obstacle": "what stands in the way",
    "procedure": "the action whose rule governs",
}


def asked(game: Game, state: State, held: Open) -> str:
    """Who is asked, and what: `Ann (Selka): how much beyond the price?`."""
    who = seat_name(game, state, held.who)
    actor = state.actors.get(held.actor)
    own = actor is not None and not isinstance(held.question, (Rule, Order))
    named = f"{who} ({actor.name})" if own and actor is not None else who
    because = held.question.because if isinstance(held.question, Choose) else ""
    return f"{named}: {f'{because}. ' if because else ''}{held.prompt}"


def shown(game: Game, state: State, held: Open) -> list[str]:
    """What is to be read before the answer: the declaration, the price, the options."""
    match held.question:
        case Rule(declaration=d, suggested=suggested):
            actor = state.actors.get(d.actor)
            goal = "; ".join(filter(None, (d.intent and f"wants: {d.intent}", d.method and f"by: {d.method}")))
            lines = [f"{actor.name if actor else d.actor}, {d.action.replace('_', ' ')}. {goal}"]
            return lines + [f"{i:>3} {_preset(ruling)}" for i, ruling in enumerate(suggested, 1)]
        case Commit() as question:
            beyond = game.boost_words(state, question.most)
            lines = [f"price: {price_words(game, question.price)}; {beyond}"]
            return _ruled(question.ruling, held) + lines + [f"careful: {text}" for text in question.warnings]
        case Confirm() as question:
            lines = [f"price: {price_words(game, question.price)}"]
            return _ruled(question.ruling, held) + lines + [f"careful: {text}" for text in question.warnings]
        case Choose(options=options):
            return [f"{i:>3} {_option(game, option)}" for i, option in enumerate(options, 1)]
        case Order(among=among):
            return [f"{i:>3} {state.actors[name].name}" for i, name in enumerate(among, 1)]
    return []


def _preset(ruling: Ruling) -> str:
    """A preset in one line; one that was made for a case like this says so."""
    return f"as before: {ruling_words(ruling)}" if ruling.when else ruling_words(ruling)


def _ruled(ruling: Ruling | None, held: Open) -> list[str]:
    """The ruling that the commitment is for, without a number that its seat may not know."""
    if ruling is None or ruling.kind != "check" or not (ruling.success or ruling.failure):
        return []
    if held.who != GUIDE and (ruling.secret or ruling.target is None):
        ruling = msgspec.structs.replace(ruling, target=None, against="")
    return [ruling_words(ruling)]


def _option(game: Game, option: Any) -> str:
    price = f"  {price_words(game, option.price)}" if option.price.costs else ""
    boost = f", boost up to {option.most}" if option.most else ""
    return f"{option.label:<32}{price}{boost}".rstrip()


def hint(held: Open) -> str:
    """What may be typed, in the prompt itself."""
    match held.question:
        case Roll(pool=pool):
            if pool.thrown == 1:
                return f"the die, 1 to {pool.sides} (or = and the total)"
            return f"{pool.thrown} dice, such as {' '.join(['3'] * pool.thrown)} (or = and the total)"
        case Rule(suggested=suggested):
            return f"1 to {len(suggested)}, edit, or ?"
        case Commit(most=most, may_withdraw=may):
            return (f"0 to {most}, Enter for 0" if most else "Enter") + (", or withdraw" if may else "")
        case Confirm():
            return "yes or no"
        case Choose(options=options):
            boost = ", +N to boost" if any(option.most for option in options) else ""
            return f"1 to {len(options)}{boost}"
        case Order():
            return "the numbers in order"
        case Clarify():
            return "what you want; and how"
    return ""


def given(game: Game, state: State, held: Open, line: str) -> Any:
    """What a typed line answers, as the table takes it. Raises Unclear."""
    word = line.strip().lower()
    if word in ("withdraw", "w", "never mind"):
        return Withdraw
    match held.question:
        case Roll() as question:
            return _dice(question, word)
        case Rule(suggested=suggested):
            return ruling_of(suggested, line)
        case Commit():
            return _number(word or "0", game.boost_asked)
        case Confirm():
            return _yes(word)
        case Choose() as question:
            return _choice(question, word)
        case Order(among=among):
            return _order(state, among, line)
        case Clarify():
            goal, _, means = line.partition(";")
            return {"intent": goal.strip(), "method": means.strip()}
    raise Unclear(f"{type(held.question).__name__} has no answer that can be typed")


def _number(word: str, what: str) -> int:
    if word.removeprefix("+").isdecimal():
        return int(word.lstrip("+"))
    raise Unclear(f"say {what} as a whole number; got {word!r}")


def _yes(word: str) -> bool:
    if word in ("y", "yes"):
        return True
    if word in ("n", "no"):
        return False
    raise Unclear(f"yes goes on, no takes it back; got {word!r}")


def _dice(question: Roll, word: str) -> int | tuple[int, ...]:
    """`3 5` are the dice as they lie, `=9` and one number for several dice are the total."""
    total = word.removeprefix("=").removeprefix("total").strip()
    numbers = total.replace(",", " ").split()
    if not numbers or not all(number.removeprefix("-").isdecimal() for number in numbers):
        raise Unclear(f"type what the dice show; got {word!r}")
    read = tuple(int(number) for number in numbers)
    pool = question.pool
    if len(read) == 1 and (total != word or pool.thrown > 1 or not 1 <= read[0] <= pool.sides):
        return read[0]
    if pool.again and not pool.shows(read):
        raise Unclear(f"{pool} throws {pool.thrown} dice, and one more for each {pool.again}; got {len(read)}")
    if len(read) != pool.thrown and not pool.again:
        raise Unclear(f"{pool} throws {pool.thrown} dice; got {len(read)}")
    return read


def _choice(question: Choose, word: str) -> tuple[str, int]:
    head, _, boost = word.partition("+")
    head = head.strip()
    amount = _number(boost.strip(), "how much you boost") if boost.strip() else 0
    if head.isdecimal() and 1 <= int(head) <= len(question.options):
        return question.options[int(head) - 1].id, amount
    named = head and not head.isdecimal()
    like = [o.id for o in question.options if named and (o.id == head or o.label.lower().startswith(head))]
    if len(like) == 1:
        return like[0], amount
    raise Unclear(f"choose 1 to {len(question.options)}; got {word!r}")


def _order(state: State, among: Sequence[str], line: str) -> tuple[str, ...]:
    named = []
    for word in line.replace(",", " ").split():
        number = int(word) if word.isdecimal() else 0
        named.append(among[number - 1] if 1 <= number <= len(among) else actor_named(state, word) or word)
    left = [name for name in among if name not in named]
    return (*named, *left) if len(left) < 2 else tuple(named)


# -- rulings


def ruling_of(suggested: Sequence[Ruling], line: str) -> Ruling:
    """`2` is a preset, `2 target=8` that preset changed, `impossible: TEXT` a kind. Raises Unclear."""
    word, _, rest = line.strip().partition(" ")
    kind = word.rstrip(":").lower()
    if not word and suggested:
        raise Unclear("a ruling is never made by accident: type 1 for the first")
    if word.isdecimal():
        if not 1 <= int(word) <= len(suggested):
            raise Unclear(f"there are {len(suggested)} presets; {word} is none of them")
        return changed(suggested[int(word) - 1], parts_of(rest))
    if kind in EDITED:
        like = next((r for r in suggested if r.kind == kind), Ruling(kind))  # type: ignore[arg-type]
        parts = parts_of(rest)
        if rest and not parts:
            parts = {{"impossible": "obstacle", "procedure": "procedure"}.get(kind, "success"): rest}
        return changed(like, parts)
    if "=" in line and suggested:
        return changed(suggested[0], parts_of(line))
    raise Unclear(f"type a preset's number, `edit`, or `check skill=... target=...`; got {line!r}")


def parts_of(text: str) -> dict[str, str]:
    """`skill=stealth failure=it falls` as parts of a ruling. Raises Unclear for a part that there is none of."""
    pieces = re.split(r"(?:^|(?<=\s))([a-z_]+)=", text.strip())
    parts = dict(zip(pieces[1::2], (value.strip().strip('"') for value in pieces[2::2]), strict=True))
    known = [field.name for field in msgspec.structs.fields(Ruling)]
    for name in parts:
        if name not in known:
            raise Unclear(f"{name!r} is no part of a ruling; there are {', '.join(known)}")
    return parts


def changed(ruling: Ruling, parts: dict[str, str]) -> Ruling:
    """A ruling with some parts said anew; an empty number is none. Raises Unclear."""
    held: dict[str, Any] = msgspec.to_builtins(ruling)
    for name, value in parts.items():
        if name in ("scope", "finds"):
            held[name] = [part.strip() for part in value.split(",") if part.strip()]
        elif value.lower() in ("", "none") and name in ("target", "ad", "dice", "boost"):
            held.pop(name, None)
        else:
            held[name] = {"yes": True, "no": False}.get(value.lower(), value)
    try:
        return msgspec.convert(held, Ruling, strict=False)
    except msgspec.ValidationError as error:
        raise Unclear(f"this is no ruling: {error}") from None


def why_not(refusals: Sequence[Refusal]) -> list[str]:
    """Reasons, each with its rule; Spaces as they are typed."""
    return [f"- {_spots(refusal.text)}" + (f" [{refusal.rule}]" if refusal.rule else "") for refusal in refusals]


def _spots(text: str) -> str:
    """`(4, 2)` as `4,2`."""
    return _SPOT.sub(r"\1,\2", text)
