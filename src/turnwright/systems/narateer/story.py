"""The events of Narateer told as lines of a story, and a character at a glance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwright import events as core
from turnwright.events import Event
from turnwright.model import State
from turnwright.systems.narateer import events as e
from turnwright.systems.narateer.allowance import remaining
from turnwright.systems.narateer.sheet import Character


def tell(state: State, event: Event) -> str:
    """One line for an event; empty where it would say nothing that another line does not say."""
    teller = TELLERS.get(type(event))
    return teller(state, event) if teller is not None else ""


def _name(state: State, actor: str) -> str:
    found = state.actors.get(actor)
    return found.name if found is not None else actor


def _names(state: State, actors: tuple[str, ...]) -> str:
    return ", ".join(_name(state, actor) for actor in actors)


def _charged(state: State, event: core.Charged) -> str:
    ad = sum(int(item.amount) for item in event.costs if item.resource == "ad")
    return f"{_name(state, event.actor)} commits {ad} AD" if ad else ""


def _checked(state: State, event: e.Checked) -> str:
    total = f" {event.total}" if event.total is not None else ""
    passed = "" if event.passed is None else ": enough" if event.passed else ": not enough"
    dice = f" ({event.dice} {'die' if event.dice == 1 else 'dice'})" if event.dice else ""
    return f"{_name(state, event.actor)} rolls {event.skill}{dice}{total}{passed}"


def _hid(state: State, event: e.Hid) -> str:
    parts = []
    if event.fooled:
        parts.append(f"hidden from {_names(state, event.fooled)}")
    if event.noticed:
        parts.append(f"noticed by {_names(state, event.noticed)}")
    return f"{_name(state, event.actor)} is {' and '.join(parts)} (total {event.total})"


def _stopped(state: State, event: e.StoppedHiding) -> str:
    toward = f" from {_names(state, event.toward)}" if event.toward else ""
    return f"{_name(state, event.actor)} stops hiding{toward}"


def _ended(state: State, event: e.ExchangeEnded) -> str:
    if not event.hit:
        return f"{_name(state, event.actor)} does not hit {_name(state, event.target)}"
    by = event.target if event.hit == event.actor else event.actor
    return f"{_name(state, by)} hits {_name(state, event.hit)}"


def _wounded(state: State, event: e.Wounded) -> str:
    who: Character = state.actors[event.actor]
    down = " and is down" if who.down else ""
    plural = "" if event.wounds == 1 else "s"
    return f"{who.name} takes {event.wounds} Wound{plural} ({who.wounds} of {who.bears}){down}"


def _acted(state: State, event: core.Acted) -> str:
    intent = f", {event.intent}" if event.intent else ""
    return f"{_name(state, event.actor)}: {event.action.replace('_', ' ')}{intent}"


def _response(state: State, event: e.Responded) -> str:
    boost = f", boosted by {event.boost}" if event.boost else ""
    return f"{_name(state, event.actor)} answers with {event.response.replace('_', ' ')}{boost}"


def _search(state: State, event: e.SearchBegun) -> str:
    if event.total is None:
        return f"{_name(state, event.actor)} searches {event.place or 'here'}"
    return ""


def _learned(state: State, event: e.Learned) -> str:
    if event.how == "told":
        return f"{_name(state, event.by)} is told where {_name(state, event.actor)} is"
    if event.how in ("noticed", "heard"):
        return f"{_name(state, event.by)} {event.how} {_name(state, event.actor)}"
    return f"{_name(state, event.by)} loses sight of {_name(state, event.actor)} at {event.at}"


def _moved(state: State, event: e.Moved) -> str:
    return f"{_name(state, event.actor)} moves to {event.at} ({float(event.metres):g} m)"


def _condition(state: State, event: e.ConditionChanged) -> str:
    verb = "is now" if event.has else "is no longer"
    return f"{_name(state, event.actor)} {verb} {event.condition}"


TELLERS: dict[type[Event], Callable[[State, Any], str]] = {
    core.Charged: _charged,
    core.Acted: _acted,
    core.Impossible: lambda s, v: f"{_name(s, v.actor)} cannot: {v.obstacle}",
    core.Withdrawn: lambda s, v: f"{_name(s, v.actor)} thinks better of it",
    core.Barred: lambda s, v: f"{_name(s, v.actor)} cannot: {'; '.join(v.why)}",
    core.Waived: lambda s, v: f"{_name(s, v.actor)} does it all the same: {'; '.join(v.why)}",
    core.Told: lambda s, v: f"{_name(s, v.actor)}: {v.text}",
    core.DoorMoved: lambda s, v: f"{v.door} {'opens' if v.open else 'closes'}",
    core.Placed: lambda s, v: f"{_name(s, v.actor)} is put at {v.at}",
    core.ModeShifted: lambda s, v: f"the scene goes on in {v.mode} mode",
    core.Changed: lambda s, v: f"the guide sets {v.what} to {v.value}",
    e.ActivationStarted: lambda s, v: f"{_name(s, v.actor)}'s Activation (round {v.round})",
    e.Moved: _moved,
    e.Halted: lambda s, v: f"{_name(s, v.actor)} stops: {v.why}",
    e.MovementLost: lambda s, v: f"{_name(s, v.actor)} loses {float(v.metres):g} m of movement",
    e.MovementGranted: lambda s, v: f"{_name(s, v.actor)} may move {float(v.metres):g} m more",
    e.Checked: _checked,
    e.Helped: lambda s, v: f"{_name(s, v.helper)} assists {_name(s, v.actor)}",
    e.Hid: _hid,
    e.HideDeferred: lambda s, v: f"{_name(s, v.actor)} hides; nobody could notice",
    e.Revealed: lambda s, v: f"{_name(s, v.to)} finds {_name(s, v.actor)} ({v.how})",
    e.StoppedHiding: _stopped,
    e.Gone: lambda s, v: f"{v.actor} is gone",
    e.Learned: _learned,
    e.SearchBegun: _search,
    e.FoundThing: lambda s, v: f"{_name(s, v.actor)} finds {v.name or v.thing}",
    e.Identified: lambda s, v: f"{_name(s, v.actor)} understands {v.thing}",
    e.Came: lambda s, v: f"now: {v.text}",
    e.ExchangeBegun: lambda s, v: f"{_name(s, v.actor)} attacks {_name(s, v.target)} with {v.weapon}",
    e.Responded: _response,
    e.ExchangeEnded: _ended,
    e.Wounded: _wounded,
    e.ConditionChanged: _condition,
    e.LoadChanged: lambda s, v: f"{_name(s, v.actor)} is now {v.state}",
    e.TempoMoved: lambda s, v: f"Tempo: {_name(s, v.actor)} {'has' if v.has else 'has not'}",
    e.PowerUsed: lambda s, v: f"{_name(s, v.actor)} uses {v.power}",
    e.CommunicatedPosition: lambda s, v: f"{_name(s, v.actor)} calls out where {_name(s, v.about)} is",
    e.CluePerceived: lambda s, v: f"{_name(s, v.by)} notices a clue",
}


def summary(state: State, actor: Character) -> str:
    """AD, movement, Wounds and Conditions in one line."""
    parts = [f"AD {actor.ready}/{actor.ad}"]
    if actor.mode:
        parts.append(f"{actor.mode} {float(remaining(state, actor, actor.mode)):g} m left")
    parts.append(f"Wounds {actor.wounds}/{actor.bears}" + (" (down)" if actor.down else ""))
    if actor.encumbrance != "none":
        parts.append(actor.encumbrance)
    parts.extend(actor.conditions)
    return ", ".join(parts)
