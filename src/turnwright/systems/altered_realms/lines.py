"""Events that belong together told in one line: a deed and its price, a way and its steps, a roll and what it did."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright import events as core
from turnwright.events import Event
from turnwright.model import ActorId, Cost, State
from turnwright.rules import Modifier
from turnwright.systems.altered_realms import events as e
from turnwright.systems.altered_realms.economy import resource_words
from turnwright.systems.altered_realms.sheet import creature
from turnwright.systems.altered_realms.story import TELLERS
from turnwright.telling import name_of, tell

Told = Sequence[tuple[State, Event]]
"""Events in their order, each with the state after it."""

SHOWN = (
    *("draw", "stow", "drop", "pick_up", "aim", "dodge", "defensive_stance", "stand", "walk"),
    *("cast", "inspire", "prime"),
)
"""Deeds of which what happens says enough, so that they are not named besides."""


TOWARD = {
    "attack": "on",
    "opportunity_attack": "on",
    "charge": "at",
    "throw": "at",
    "toss": "to",
    "lend_aid": "to",
    "aid_now": "to",
    "meat_shield": "of",
}
"""The word between a deed and whom it is aimed at."""


def tell_all(told: Told) -> list[str]:
    """The lines of a run of events; what a deed has cost stands with what is told of it."""
    lines: list[str] = []
    spent = ""
    index = 0
    while index < len(told):
        event = told[index][1]
        if isinstance(event, core.Charged) and _follows(told, index, event.actor):
            spent = _spent(event.costs)
            index += 1
            continue
        if isinstance(event, core.Acted) and event.action in SHOWN and _shown(told[index + 1 :]):
            index += 1
            continue
        text, used = _line(told[index:])
        if text:
            lines.append(text + (f" ({spent})" if spent else ""))
            spent = ""
        index += used
    return lines


def _follows(told: Told, index: int, actor: ActorId) -> bool:
    """Whether the deed that was paid for is told next."""
    after = told[index + 1][1] if index + 1 < len(told) else None
    return isinstance(after, core.Acted) and after.actor == actor


def _shown(rest: Told) -> bool:
    return any(tell(TELLERS, state, event) for state, event in rest)


def _spent(costs: Sequence[Cost]) -> str:
    words = [resource_words(item.resource, int(item.amount)) for item in costs if item.amount > 0]
    return ", ".join([text for text in words if text])


def _line(told: Told) -> tuple[str, int]:
    """The first line, and how many events it tells."""
    state, event = told[0]
    match event:
        case core.Acted():
            at = f" {TOWARD.get(event.action, '')}".rstrip()
            target = f"{at} {name_of(state, event.target)}" if event.target else ""
            return f"{name_of(state, event.actor)}: {event.action.replace('_', ' ')}{target}", 1
        case e.Stepped():
            return _way(told)
        case e.RolledD20():
            return _roll(told)
        case e.DamageRolled():
            return _damage(told)
        case e.Harmed():
            return _harm(state, event, event.amount, ""), 1
        case e.Forced() if isinstance(event.at, tuple):
            return f"{name_of(state, event.actor)} is moved to {event.at[0]},{event.at[1]}", 1
        case e.InspirationGiven():
            return _inspired(told)
    return tell(TELLERS, state, event), 1


def _way(told: Told) -> tuple[str, int]:
    """Steps one after the other as one way."""
    first = told[0][1]
    assert isinstance(first, e.Stepped)
    metres, last, count = 0, first, 0
    for _, event in told:
        if not isinstance(event, e.Stepped) or event.actor != first.actor:
            break
        metres, last, count = metres + event.metres, event, count + 1
    return f"{name_of(told[0][0], first.actor)} moves {metres} m to {last.at[0]},{last.at[1]}", count


def _inspired(told: Told) -> tuple[str, int]:
    """Everybody who is inspired at once."""
    who: list[str] = []
    amount = 0
    for state, event in told:
        if not isinstance(event, e.InspirationGiven):
            break
        who.append(name_of(state, event.actor))
        amount = event.amount
    names = f"{', '.join(who[:-1])} and {who[-1]} are" if len(who) > 1 else f"{who[0]} is"
    plus = f", +{amount}{' each' if len(who) > 1 else ''}" if amount else ""
    return f"{names} inspired{plus}", len(who)


def _roll(told: Told) -> tuple[str, int]:
    """`Kara, attack with cudgel: 14 + 4 STR + 2 Training = 20, hits Docker 1`."""
    state, event = told[0]
    assert isinstance(event, e.RolledD20)
    used, came = 1, {True: "enough", False: "not enough", None: ""}[event.passed]
    after = [each for _, each in told[1:3] if not isinstance(each, e.AimUsed)]
    if after and isinstance(after[0], (e.Hit, e.Missed)) and after[0].actor == event.actor:
        used += 1 + isinstance(told[1][1], e.AimUsed)
        came = f"{'hits' if isinstance(after[0], e.Hit) else 'misses'} {name_of(state, after[0].target)}"
    result = ": ".join(filter(None, (f"{name_of(state, event.actor)}, {event.what}", _sum(event))))
    return f"{result}{', ' if event.total is not None else ': '}{came}".rstrip(" ,:"), used


def _sum(event: e.RolledD20) -> str:
    """`14 (best of 2) + 4 STR - 2 dodged = 16`; nothing where the roll is not known."""
    if event.total is None:
        return ""
    natural = event.total - int(sum([item.amount for item in event.parts]))
    kept = f" ({'best' if event.edge > 0 else 'worst'} of {abs(event.edge) + 1})" if event.edge else ""
    parts = "".join([_part(item) for item in event.parts if item.amount])
    return f"{natural}{kept}{parts} = {event.total}" if parts else f"{natural}{kept}"


def _part(item: Modifier) -> str:
    return f" {'+' if item.amount > 0 else '-'} {abs(int(item.amount))} {item.label}"


def _damage(told: Told) -> tuple[str, int]:
    """`Docker 1 takes 7 blunt damage from 1d8 + 6 (7 of 14 HP left)`."""
    state, event = told[0]
    assert isinstance(event, e.DamageRolled)
    after = told[1] if len(told) > 1 else (state, event)
    if not isinstance(after[1], e.Harmed):
        return "", 1
    dice = f" from {event.dice}" if event.dice else ""
    return _harm(after[0], after[1], event.total, dice), 2


def _harm(state: State, event: e.Harmed, amount: int, dice: str) -> str:
    who = creature(state, event.actor)
    words = f"{amount} {event.damage_type}" if amount or event.amount else event.damage_type
    part = f" at the {event.part}" if event.part else ""
    left = f" ({max(0, who.hp)} of {who.hp_max} HP left)" if event.amount else ""
    down = " and is down" if who.down else ""
    return f"{who.name} takes {words} damage{part}{dice}{left}{down}"
