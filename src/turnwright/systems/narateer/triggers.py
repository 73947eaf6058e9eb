"""The moments that Powers and spells answer, and what must be so of one for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.model import Moment, Refusal, State
from turnwright.systems.narateer.events import Hidden
from turnwright.systems.narateer.exchange import ExchangeInitiated, ExchangeResolved, Struck, parts_in
from turnwright.systems.narateer.passing import Stepped
from turnwright.systems.narateer.senses import locates, places, within_metres
from turnwright.systems.narateer.sheet import Character, Part, Power, character


class SpellCast(Moment, frozen=True):
    """Somebody has cast a spell, and it took effect."""

    by: str
    target: str
    spell: str


MOMENTS: dict[str, type[Moment]] = {
    "exchange_initiated": ExchangeInitiated,
    "exchange_resolved": ExchangeResolved,
    "hit": Struck,
    "stepped": Stepped,
    "cast": SpellCast,
}


def changes(part: Part, moment: Moment | None) -> int:
    """What a part adds to the event that opened it: to a total of an Exchange that begins, to the Wounds of a hit.

    Rules: narateer.reaction.modifier-power-is-not-reaction.
    """
    return part.totals if isinstance(moment, ExchangeInitiated) else part.wounds


def trigger_lacks(known: State, actor: Character, moment: Moment, clauses: Iterable[str]) -> Iterator[Refusal]:
    """One reason for each part of a trigger that does not hold.

    Rules: narateer.reaction.full-trigger.
    """
    for clause in clauses:
        if not holds(known, actor, moment, clause):
            yield Refusal("narateer.reaction.full-trigger", f"not all of its trigger holds: {clause}", "NO_TRIGGER")


def aware(state: State, actor: Character, moment: Moment) -> bool:
    """Whether the actor knows of an event: it is part of it, or can place whoever brought it about."""
    by = cause(moment)
    if actor.id in (by, getattr(moment, "target", "")) or by not in state.actors:
        return True
    return locates(state, actor, character(state, by))


def came_of(actor: Character, power: Power, part: Part, moment: Moment) -> bool:
    """Whether the moment ends an Exchange in which the part's Response was chosen, with the Power in it if it can be.

    Rules: narateer.response.power-inside-response.
    """
    if not isinstance(moment, ExchangeResolved) or moment.response != part.attaches_to:
        return False
    return moment.target == actor.id and (moment.power == power.name or not parts_in(power, part.attaches_to))


def cause(moment: Moment) -> str:
    """Who brought the moment about."""
    return str(getattr(moment, "by", "") or getattr(moment, "actor", ""))


def other_party(actor: str, moment: Moment) -> str:
    """Whom something that the moment opens is aimed at: who brought it about, or for that one the target of it."""
    by = cause(moment)
    return by if by != actor else str(getattr(moment, "target", ""))


def holds(known: State, actor: Character, moment: Moment, clause: str) -> bool:
    """Whether one part of a trigger holds: the role in the event, a distance, seeing it.

    Rules: narateer.reaction.full-trigger.
    """
    other = known.actors.get(other_party(actor.id, moment) or cause(moment))
    words = clause.split()
    if clause == "target":
        return getattr(moment, "target", "") == actor.id
    if clause == "attacker":
        return cause(moment) == actor.id
    if clause == "mover":
        return isinstance(moment, Stepped) and moment.actor == actor.id
    if clause == "witness":
        return actor.id not in (cause(moment), getattr(moment, "target", ""))
    if clause in ("hit", "not hit"):
        return (getattr(moment, "hit", "") == actor.id) == (clause == "hit")
    if words[0] == "within" and other is not None:
        return within_metres(known, actor.at, other.at, int(words[1]))
    if clause == "sees it" and other is not None:
        hidden = known.relation(Hidden, other.id, actor.id) is not None
        return not hidden and any(sense in ("sight", "guide") for sense in places(known, actor, other))
    if clause == "enemy moves" and other is not None:
        return isinstance(moment, Stepped) and other.side != actor.side
    return False
