"""What would help: single changes of a declaration, tried one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from turnwright.branching import TooMany
from turnwright.comparing import Hint
from turnwright.engine import boost_limit
from turnwright.model import Declaration, Price, Refused, SeatId, State
from turnwright.odds import Odds

if TYPE_CHECKING:
    from turnwright.foresight import Foresight

MATERIAL = Fraction(1, 20)
"""By how much a change must raise the chance of success to be worth a hint."""
ASKED = frozenset(("after", "answers", "policy", "choice", "interject", "until", "limit", "sample", "seed"))
"""What says how odds are counted, and is no part of a declaration."""


def changes(
    table: Foresight, known: State, d: Declaration, seat: SeatId | None, parts: Mapping[str, Any]
) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """Groups of changes to try, the nearest first in each: more Boost, another means, somebody's help."""
    bill = table._bill(known, d)
    boost = d.boost or 0
    most, word = boost_limit(table.game, known, d.actor, bill), table.game.boost_word
    yield [(f"{word} {n}", {"boost": n}) for n in range(boost + 1, most + 1)]
    action = table.game.actions[d.action]
    for parameter in action.open_parameters(known, d):
        if parameter.kind == "choice":
            said: dict[str, Any] = {name: value for name, value in d.options.items() if name != parameter.name}
            said |= {"target": d.target} if d.target else {}
            values = table._values(d.actor, d.action, parameter.name, seat, said)
            for value in values:
                if str(value) != d.option(parameter.name):
                    yield [(f"{parameter.name} {value}", {parameter.name: value})]
    moment = table.game.commit_moment(d.actor, bill, None)
    helping = tuple(parts.get("interject", ()))
    for other in table.game.actions.values() if moment is not None else ():
        if other.interjected and other.reacts_to is type(moment):
            able = [each.actor for each in other.candidates(known, moment) if each.actor in known.actors]
            yield [
                (
                    f"{other.name.replace('_', ' ')} by {known.actors[who].name}",
                    {"interject": (*helping, (who, other.name))},
                )
                for who in able
                if (who, other.name) not in helping
            ]


def better(
    table: Foresight,
    now: Odds,
    price: Price,
    actor: str,
    action: str,
    seat: SeatId | None,
    said: Mapping[str, Any],
    tries: Iterable[tuple[str, dict[str, Any]]],
) -> Iterator[Hint]:
    for words, change in tries:
        try:
            found = table.odds(actor, action, seat=seat, **{**said, **change})
        except (Refused, TooMany):
            continue
        gain = found.success - now.success
        if gain >= MATERIAL:
            yield Hint(words, change, found.success, gain, _more(table, price, actor, action, seat, said, change))


def _more(
    table: Foresight,
    price: Price,
    actor: str,
    action: str,
    seat: SeatId | None,
    said: Mapping[str, Any],
    change: Mapping[str, Any],
) -> dict[str, int]:
    """What a change costs more than what was declared, by resource; help is paid by whoever helps."""
    whole = {name: value for name, value in {**said, **change}.items() if name not in ASKED}
    known, d = table._said(seat, actor, action, whole)
    changed = table._price(known, d)
    for who, what in change.get("interject", ())[-1:]:
        changed = changed.plus(*table.game.actions[what].price(known, Declaration(who, what, target=actor)).costs)
    named = dict.fromkeys(cost.resource for cost in (*price.costs, *changed.costs))
    more = {name: changed.amount(name) - price.amount(name) for name in named}
    return {name: amount for name, amount in more.items() if amount}
