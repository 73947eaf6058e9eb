"""The events of Narateer told as lines of a story, and a character at a glance."""

from __future__ import annotations

from turnwright import events as core
from turnwright.model import At, State
from turnwright.space.story import sentence
from turnwright.systems.narateer import events as e
from turnwright.systems.narateer.allowance import remaining
from turnwright.systems.narateer.conversion import STORY, TACTICAL, expressed
from turnwright.systems.narateer.places import ambition, name_of
from turnwright.systems.narateer.sheet import Character
from turnwright.telling import Tellers, enough
from turnwright.telling import name_of as _name
from turnwright.telling import names_of as _names


def _charged(state: State, event: core.Charged) -> str:
    ad = sum(int(item.amount) for item in event.costs if item.resource == "ad")
    return f"{_name(state, event.actor)} commits {ad} AD" if ad else ""


def _checked(state: State, event: e.Checked) -> str:
    total = f" {event.total}" if event.total is not None else ""
    dice = f" ({event.dice} {'die' if event.dice == 1 else 'dice'})" if event.dice else ""
    return f"{_name(state, event.actor)} rolls {event.skill}{dice}{total}{enough(event.passed)}"


def _hid(state: State, event: e.Hid) -> str:
    parts = []
    if event.fooled:
        parts.append(f"hidden from {_names(state, event.fooled)}")
    if event.noticed:
        parts.append(f"noticed by {_names(state, event.noticed)}")
    if not parts:
        return f"{_name(state, event.actor)} hides (total {event.total})"
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
    return f"{_name(state, event.actor)} answers with {_response_words(state, event)}{boost}"


def _response_words(state: State, event: e.Responded) -> str:
    """`clash (axe, Riposte)`; names may hold any sign, and a weapon need not be known to whoever is told."""
    for kind in ("full_guard", "clash"):
        if event.response.startswith(kind):
            words, said = kind.replace("_", " "), event.response[len(kind) + 1 :]
            held = [weapon.name for weapon in getattr(state.actors.get(event.actor), "weapons", ())]
            armed = next((name for name in (*held, "unarmed") if said.startswith(f"{name}+")), "")
            if kind == "clash" and armed and said not in held:
                said = f"{armed}, {said[len(armed) + 1 :]}"
            return f"{words} ({said})" if said else words
    return event.response.replace("_", " ")


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
    return f"{_name(state, event.actor)} moves to {_spot(state, event.at)} ({float(event.metres):g} m)"


def _spot(state: State, at: At) -> str:
    """A Space as it is, a Zone or a place by its name."""
    return name_of(state, at) if isinstance(at, str) else str(at)


def _repositioned(state: State, event: e.Repositioned) -> str:
    who = _name(state, event.actor)
    said = [sentence(who, tie.how, name_of(state, tie.other)) for tie in event.ties]
    return "; ".join(said) if said else f"{who} is in {_spot(state, event.at)}"


def _stated(state: State, event: e.Stated) -> str:
    return sentence(_name(state, event.tie.owner), event.tie.how, name_of(state, event.tie.other))


def _condition(state: State, event: e.ConditionChanged) -> str:
    verb = "is now" if event.has else "is no longer"
    return f"{_name(state, event.actor)} {verb} {event.condition}"


def _door(state: State, event: e.DoorChanged) -> str:
    found = state.facts.get(event.door)
    name = found.name if isinstance(found, e.DoorWay) else event.door
    if event.broken:
        return f"{name} is broken"
    return f"{name} takes a check to open now" if event.opens == "check" else f"{name} opens freely now"


def _situation(state: State, event: e.SituationLaidOut) -> str:
    lists = {
        "opportunities": event.opportunities,
        "obstacles": event.obstacles,
        "threats": event.threats,
        "stakes": event.stakes,
    }
    return "the situation: " + "; ".join(f"{name}: {', '.join(told) or 'none'}" for name, told in lists.items())


TELLERS: Tellers = {
    core.Charged: _charged,
    core.Acted: _acted,
    core.Impossible: "{actor} cannot: {obstacle}",
    core.Withdrawn: "{actor} thinks better of it",
    core.Barred: lambda s, v: f"{_name(s, v.actor)} cannot: {'; '.join(v.why)}",
    core.Waived: lambda s, v: f"{_name(s, v.actor)} does it all the same: {'; '.join(v.why)}",
    core.Told: "{actor}: {text}",
    core.DoorMoved: lambda s, v: f"{v.door} {'opens' if v.open else 'closes'}",
    core.Placed: lambda s, v: f"{_name(s, v.actor)} is put at {_spot(s, v.at)}",
    core.ModeShifted: "the scene goes on in {mode} mode",
    core.RulingApplied: "ruled as before ({when})",
    core.RulingRevoked: "no longer ruled as before: {when}",
    core.Changed: "the guide sets {what} to {value}",
    e.ActivationStarted: lambda s, v: f"{_name(s, v.actor)}'s Activation (round {v.round})",
    e.Moved: _moved,
    e.Repositioned: _repositioned,
    e.Stated: _stated,
    e.Halted: "{actor} stops: {why}",
    e.MovementLost: lambda s, v: f"{_name(s, v.actor)} loses {float(v.metres):g} m of movement",
    e.MovementGranted: lambda s, v: f"{_name(s, v.actor)} may move {float(v.metres):g} m more",
    e.Checked: _checked,
    e.Helped: "{helper} assists {actor}",
    e.Hid: _hid,
    e.HideDeferred: "{actor} hides; nobody could notice",
    e.Revealed: "{to} finds {actor} ({how})",
    e.StoppedHiding: _stopped,
    e.Gone: lambda s, v: f"{v.actor} is gone",
    e.Learned: _learned,
    e.SearchBegun: _search,
    e.FoundThing: lambda s, v: f"{_name(s, v.actor)} finds {v.name or v.thing}",
    e.Identified: "{actor} understands {thing}",
    e.Came: "now: {text}",
    e.ExchangeBegun: "{actor} attacks {target} with {weapon}",
    e.Responded: _response,
    e.ExchangeEnded: _ended,
    e.Wounded: _wounded,
    e.ConditionChanged: _condition,
    e.LoadChanged: "{actor} is now {state}",
    e.DoorChanged: _door,
    e.DoorSeen: lambda s, v: f"{_name(s, v.actor)} sees that {v.door} is {'open' if v.open else 'shut'}",
    e.SituationLaidOut: _situation,
    e.TempoMoved: lambda s, v: f"Tempo: {_name(s, v.actor)} {'has' if v.has else 'has not'}",
    e.PowerUsed: "{actor} uses {power}",
    e.CommunicatedPosition: "{actor} calls out where {about} is",
    e.CluePerceived: "{by} notices a clue",
}


def summary(state: State, actor: Character) -> str:
    """AD, movement, Wounds and Conditions in one line."""
    parts = [f"AD {actor.ready}/{actor.ad}"]
    if actor.mode:
        left = remaining(state, actor, actor.mode)
        parts.append(f"{actor.mode} {f'{float(left):g} m' if state.mode == TACTICAL else expressed(state, left)} left")
    elif state.mode == STORY:
        parts.extend(f"{mode.title()} {float(metres):g} m" for mode, metres in ambition(state, actor).items())
    parts.append(f"Wounds {actor.wounds}/{actor.bears}" + (" (down)" if actor.down else ""))
    if actor.encumbrance != "none":
        parts.append(actor.encumbrance)
    parts.extend(actor.conditions)
    return ", ".join(parts)
