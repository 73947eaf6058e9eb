"""A Narateer character as a card: what can be counted, its Conditions, and who is hidden from whom."""

from __future__ import annotations

from turnwright.model import ActorId, State
from turnwright.rules import Gauge, Mark
from turnwright.systems.narateer.allowance import allowance, remaining
from turnwright.systems.narateer.conversion import TACTICAL
from turnwright.systems.narateer.economy import uses_allowed
from turnwright.systems.narateer.events import Exposed, Hidden, Known, Record, Waiting
from turnwright.systems.narateer.places import name_of
from turnwright.systems.narateer.sheet import Character, character, conditions_of


def gauges(state: State, actor: ActorId) -> tuple[Gauge, ...]:
    """AD, what is left of the movement, Wounds, the proactive uses that were made, and pools."""
    who = character(state, actor)
    found = [Gauge("AD", who.ready, who.ad, "Action Dice that are ready")]
    found += _movement(state, who)
    found.append(Gauge("Wounds", who.wounds, who.bears, f"down at {who.bears}", bad=True, open=True))
    for skill, used in who.uses.items():
        allowed = uses_allowed(who, skill)
        found.append(Gauge(skill.title(), max(0, allowed - used), allowed, "proactive uses left in this Activation"))
    return tuple(found + [Gauge(name.replace("_", " ").title(), left) for name, left in who.pools.items()])


def _movement(state: State, who: Character) -> list[Gauge]:
    found = []
    if who.mode and state.mode == TACTICAL:
        left, whole = remaining(state, who, who.mode), allowance(state, who, who.mode, who.sprint_skill)
        found.append(Gauge(f"{who.mode.title()}, m", int(left), int(whole), "metres left of this movement"))
    if who.extra:
        found.append(Gauge("Extra, m", int(who.extra), None, "additional movement in metres"))
    return found


def conditions(state: State, actor: ActorId) -> tuple[Mark, ...]:
    """Conditions, being down, and a load that slows."""
    who = character(state, actor)
    found = [Mark(name, held.text, "narateer.condition.owned-by-combat") for name, held in conditions_of(state, who)]
    if who.down:
        found.insert(0, Mark("down", "it has taken all the Wounds that it bears"))
    if who.encumbrance != "none":
        found.append(Mark(who.encumbrance, "by what it carries", "narateer.encumbrance.can-reduce-or-prevent"))
    return tuple(found)


def hiding(known: State, actor: ActorId) -> tuple[Mark, ...]:
    """From whom it is hidden, who has noticed it, and a Hide that has not met anybody yet."""
    found = []
    for held in known.related(Hidden, actor):
        who = name_of(known, held.other)
        found.append(Mark(f"hidden from {who}", f"total {held.total}", "narateer.hide.per-observer"))
    for record in () if found else known.related(Record, actor):
        text = f"total {record.total}; nobody has met it yet"
        found.append(Mark("hiding", text, "narateer.hide.record-total"))
    if known.related(Waiting, actor):
        text = "the check comes when somebody could notice"
        found.append(Mark("hiding, unrolled", text, "narateer.hide.deferred-resolution"))
    for seen in known.related(Exposed, actor):
        found.append(Mark(f"noticed by {name_of(known, seen.other)}", "", "narateer.hide.mixed-results"))
    return tuple(found)


def unplaced(known: State, actor: ActorId) -> tuple[Mark, ...]:
    """Those of whom it only knows that they are there, or where they last were."""
    who, rule, found = character(known, actor), "narateer.hidden.observer-may-still-know", []
    for other in known.actors.values():
        held = known.relation(Known, other.id, actor)
        if other.side == who.side or (held is None and other.at is not None):
            continue
        where = "place unknown"
        if held is not None and held.at is not None:
            spot = name_of(known, held.at) if isinstance(held.at, str) else f"{held.at[0]},{held.at[1]}"
            where = f"last known at {spot}" if held.how != "was" else f"no longer at {spot}"
        found.append(Mark(f"{other.name}: out of sight", where, rule))
    return tuple(found)


def resource_words(resource: str, amount: int) -> str:
    """AD and pools as they are called; a proactive use by its Skill; the one movement mode goes without saying."""
    kind, _, of = resource.partition(":")
    if kind == "mode":
        return ""
    if kind == "use":
        return f"a use of {of.title()}" if amount == 1 else f"{amount} uses of {of.title()}"
    return f"{amount} {of if kind == 'pool' else kind.upper() if kind == 'ad' else kind}"
