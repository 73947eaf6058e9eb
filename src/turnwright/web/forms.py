"""A form of a page, read into a command: every field is text, and the question or the action says what it means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from turnwright.model import (
    GUIDE,
    SPECTATOR,
    Choose,
    Clarify,
    Commit,
    Confirm,
    Order,
    Question,
    Refusal,
    Refused,
    Roll,
    Rule,
    SeatId,
)
from turnwright.web.editor import kind_of, written
from turnwright.web.live import GUIDES, Command, LiveTable

COMMAND = ("id", "version", "do")
"""The fields that are the command's own; all others are what is said."""
NOBODY = "actor"
"""The field that says something also where it is empty: what the guide does is declared for nobody."""
ASIDE = ("seen",)
"""What a page says of itself: how much of the story it showed."""
YES = ("yes", "true", "on", "1")
NUMBER = re.compile(r"[+-]?[0-9]{1,11}")
SPACE = re.compile(r"(-?[0-9]{1,9}),(-?[0-9]{1,9})")


def bad(text: str) -> Refused:
    return Refused(Refusal("", text, "BAD_COMMAND"))


def read_json(body: bytes) -> Command:
    """A command as programs send it. Raises Refused."""
    try:
        return _checked(msgspec.json.decode(body, type=Command))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise bad(f"expected a command: id, version, do, said; {error}") from None


def read_form(live: LiveTable, seat: SeatId, fields: Mapping[str, str]) -> Command:
    """A command as a page of a seat sends it; what is not for that seat to say is not looked into. Raises Refused."""
    own = {name: fields.get(name, "") for name in COMMAND}
    given = {name: value for name, value in fields.items() if name not in (*COMMAND, *ASIDE)}
    said = {name: value for name, value in given.items() if value != "" or name == NOBODY}
    if not NUMBER.fullmatch(own["version"]):
        raise bad(f"version is a whole number; got {own['version'][:20]!r}")
    try:
        command = msgspec.convert({"id": own["id"], "version": int(own["version"]), "do": own["do"]}, Command)
    except msgspec.ValidationError as error:
        raise bad(str(error)) from None
    return _checked(msgspec.structs.replace(command, said=_said(live, seat, command.do, said)))


def _checked(command: Command) -> Command:
    if not 1 <= len(command.id) <= 64:
        raise bad(f"id has 1 to 64 characters; got {len(command.id)}")
    return command


def _said(live: LiveTable, seat: SeatId, do: str, said: dict[str, str]) -> dict[str, Any]:
    if seat == SPECTATOR or (do in GUIDES and seat != GUIDE):
        return {}
    if do in ("declare", "interject"):
        return declared(said)
    if do == "answer":
        return _answered(live, seat, said)
    if do == "override":
        return {"reason": said.get("reason", ""), "changes": _changed(live, said)}
    if do == "bots":
        actors = [name.removeprefix("bot:") for name in said if name.startswith("bot:")]
        return {"actors": actors, "guided": said.get("guided", "") in YES}
    flags = {name: value in YES for name, value in said.items() if name in ("paused", "by_hand")}
    return {**said, **flags}


def declared(said: Mapping[str, str]) -> dict[str, Any]:
    """The parts of a declaration: `boost` a number, `route` its Spaces or places, the rest as text."""
    found: dict[str, Any] = dict(said)
    if "boost" in found:
        found["boost"] = _number("boost", found["boost"])
    if "route" in found:
        found["route"] = read_route(found["route"])
    return found


def read_route(text: str) -> list[Any]:
    """`3,4 4,4` as Spaces in order; `yard > gate` as places by name."""
    parts = text.split()
    spaces = [SPACE.fullmatch(part) for part in parts]
    if parts and all(spaces):
        return [[int(n) for n in space.groups()] for space in spaces if space]
    return [place.strip() for place in text.split(">") if place.strip()]


def _number(name: str, text: str) -> int:
    if not NUMBER.fullmatch(text.strip()):
        raise bad(f"{name} is a whole number; got {text[:20]!r}")
    return int(text)


def _answered(live: LiveTable, seat: SeatId, said: dict[str, str]) -> dict[str, Any]:
    """Read by its question, where the seat is asked it: of others' questions nothing is told, not even in a mistake."""
    asked_of = [held for held in live.table.waiting_on if seat in (GUIDE, held.who)]
    asked = next((held.question for held in asked_of if held.id == said.get("question")), None)
    found: dict[str, Any] = {"question": said.get("question", ""), "confirm": said.get("confirm", "") in YES}
    if said.get("withdraw", "") in YES:
        return found | {"withdraw": True}
    return found | {"value": None if asked is None else _value(asked, said)}


def _value(asked: Question, said: dict[str, str]) -> Any:
    given = said.get("value", "")
    match asked:
        case Commit():
            return _number("the Boost", given or "0")
        case Choose():
            return [given, _number("the Boost", said.get(f"boost:{given}", said.get("boost", "0")))]
        case Confirm():
            return given in YES
        case Roll():
            return _dice(given, said)
        case Rule():
            return _ruling(given, said)
        case Order():
            return _in_order(said) or given.replace(",", " ").split()
        case Clarify():
            return {"intent": said.get("intent", ""), "method": said.get("method", "")}
    return given


def _dice(given: str, said: Mapping[str, str]) -> Any:
    """The faces as they lie, in one field or in one for each die; or the total alone."""
    if "total" in said:
        return _number("the total", said["total"])
    dice = sorted([name for name in said if name.startswith("die:")], key=lambda name: (len(name), name))
    return [_number("a die", face) for face in ([said[name] for name in dice] or given.replace(",", " ").split())]


def _in_order(said: Mapping[str, str]) -> list[str]:
    """`place:0`, `place:1` and so on: who comes first, and next."""
    places = sorted([name for name in said if name.startswith("place:")], key=lambda name: (len(name), name))
    return [said[name] for name in places]


NUMBERS = ("target", "ad", "dice", "boost", "wounds", "amount")
FLAGS = ("secret", "good", "counts", "bundle", "reveals")


def _ruling(given: str, said: dict[str, str]) -> Any:
    """A preset by its number, or a ruling by its parts."""
    if NUMBER.fullmatch(given):
        return int(given)
    parts: dict[str, Any] = {}
    for name, text in said.items():
        if not name.startswith("ruling."):
            continue
        part = name.removeprefix("ruling.")
        parts[part] = _number(part, text) if part in NUMBERS else text in YES if part in FLAGS else text
    return parts


def _changed(live: LiveTable, said: Mapping[str, str]) -> dict[str, Any]:
    """`change:selka.ready` = 3: what differs from how it is, each value as its kind is typed."""
    found: dict[str, Any] = {}
    for name, text in said.items():
        if name.startswith(CHANGE):
            what = name.removeprefix(CHANGE)
            now = _held(live, what)
            if now is UNKNOWN or written(now) != text.strip():
                found[what] = _read(now, text.strip())
    for name in [name for name in said if name.startswith(CLEARED)]:
        what = name.removeprefix(CLEARED)
        now = _held(live, what)
        if f"{CHANGE}{what}" not in said and now is not UNKNOWN and written(now) != "":
            found[what] = _read(now, "")
    return found


CHANGE = "change:"
CLEARED = "field:"
"""Names a value that the form shows, since one that was emptied is not sent."""
UNKNOWN: Any = object()


def _held(live: LiveTable, what: str) -> Any:
    """The value that a path such as `selka.uses.stealth` leads to."""
    name, _, path = what.partition(".")
    held: Any = live.table.state.actors.get(name, UNKNOWN)
    for part in path.split(".") if path else ():
        held = held.get(part, UNKNOWN) if isinstance(held, dict) else getattr(held, part, UNKNOWN)
        if held is UNKNOWN:
            return UNKNOWN
    return held


def _read(now: Any, text: str) -> Any:
    """What was typed, by the kind of what it replaces: a Space, words with commas, yes or no, else JSON or text."""
    kind = kind_of(now) if now is not UNKNOWN else "json"
    if kind == "yes":
        return text in YES
    if kind == "listed" and not text.startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    if kind == "text":
        space = read_route(text)
        if len(space) == 1 and isinstance(space[0], list):
            return space[0]
        return None if now is None and not text else text
    try:
        return msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, RecursionError):
        return text
