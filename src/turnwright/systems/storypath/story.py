"""The events of Storypath told as lines of a story, and a character at a glance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwright import events as core
from turnwright.events import Event
from turnwright.model import State
from turnwright.systems.storypath import events as e
from turnwright.systems.storypath.rolls import momentum
from turnwright.systems.storypath.settings import LEVELS
from turnwright.systems.storypath.sheet import Character, boxes_of, settings


def tell(state: State, event: Event) -> str:
    """One line for an event; empty where it would say nothing that another line does not say."""
    teller = TELLERS.get(type(event))
    return teller(state, event) if teller is not None else ""


def name_of(state: State, actor: str) -> str:
    found = state.actors.get(actor)
    return found.name if found is not None else actor


def _names(state: State, actors: tuple[str, ...]) -> str:
    return ", ".join([name_of(state, name) for name in actors])


def _count(number: int, what: str = "success") -> str:
    return f"{number} {what}{'' if number == 1 else 'es' if what.endswith('s') else 's'}"


def _initiative(state: State, event: e.InitiativeRolled) -> str:
    shared = ", one roll for all," if len(event.actors) > 1 else ""
    return f"{_names(state, event.actors)}{shared} initiative: {_count(event.successes)}"


def roster_words(state: State, slots: tuple[e.Slot, ...]) -> str:
    """The slots in their order, each with who fills it: `PC 5 (Ann), SGC 4, PC 3`."""
    return ", ".join([_slot(state, slot) for slot in slots])


def _slot(state: State, slot: e.Slot) -> str:
    held = f" ({name_of(state, slot.filled)})" if slot.filled else " (passed)" if slot.passed else ""
    return f"{slot.kind.upper()} {slot.value}{held}"


def _acted(state: State, event: core.Acted) -> str:
    target = f" ({name_of(state, event.target)})" if event.target else ""
    return f"{name_of(state, event.actor)}: {event.action.replace('_', ' ')}{target}"


def _rolled(state: State, event: e.PoolRolled) -> str:
    dice = f" with {_count(event.dice, 'die') if event.dice == 1 else f'{event.dice} dice'}" if event.dice else ""
    more = f" and Enhancement {event.enhancement}" if event.enhancement else ""
    found = "a botch" if event.botch else _count(event.successes)
    return f"{name_of(state, event.actor)} rolls {event.what}{dice}: {found}{more}"


def _named(state: State, event: e.NextNamed) -> str:
    who = name_of(state, event.actor)
    return f"{who} hands on to {name_of(state, event.target)}" if event.target else f"{who} takes the naming back"


def _split(state: State, event: e.SplitMade) -> str:
    return ", ".join([f"{share} for {part}" for part, share in zip(event.parts, event.shares, strict=True)])


def _did(state: State, event: e.Did) -> str:
    text = event.text or f"{event.deed}: {'it works' if event.good else 'it does not work'}"
    return f"{name_of(state, event.actor)}: {text}"


def _injured(state: State, event: e.Injured) -> str:
    who = name_of(state, event.actor)
    if not event.box:
        return f"{who} is Taken Out"
    return f"{who} is hurt" if event.box == "health" else f"{who} is {event.box.title()}"


def _defense(state: State, event: e.DefenseSet) -> str:
    what = [f"has Defense {event.defense}" if event.defense else "defends"]
    what += [f"an injury costs {event.soft} more"] if event.soft else []
    what += ["is in cover"] if event.cover else []
    return f"{name_of(state, event.actor)} {', '.join(what)}"


def _momentum(state: State, event: e.MomentumChanged) -> str:
    return f"Momentum {event.by:+d} for {event.why}: the players have {momentum(state)}"


def _turn(state: State, event: e.TurnStarted) -> str:
    held = e.roster_of(state)
    slot = next((s for s in held.slots if s.id == event.slot), None) if held is not None else None
    kind = f"the {slot.kind.upper()} slot of {slot.value}" if slot is not None else "a slot"
    return f"{name_of(state, event.actor)} takes {kind}, round {event.round}"


TELLERS: dict[type[Event], Callable[[State, Any], str]] = {
    core.Acted: _acted,
    core.Told: lambda state, event: event.text,
    core.Impossible: lambda state, event: f"That cannot be done: {event.obstacle}",
    core.Barred: lambda state, event: f"Not now: {'; '.join(event.why)}",
    e.InitiativeRolled: _initiative,
    e.RosterMade: lambda state, event: f"The roster: {roster_words(state, event.slots)}",
    e.RoundBegan: lambda state, event: f"Round {event.round}",
    e.NextNamed: _named,
    e.TurnStarted: _turn,
    e.Joined: lambda state, event: f"{event.who.name} comes",
    e.Left: lambda state, event: f"{event.actor.title()} leaves",
    e.PoolRolled: _rolled,
    e.Strained: lambda state, event: (
        f"{name_of(state, event.actor)} is in pain: the next roll is harder" if event.amount else ""
    ),
    e.MomentumChanged: _momentum,
    e.Helping: lambda state, event: f"{name_of(state, event.actor)} has Enhancement {event.amount or ''} to come",
    e.SplitMade: _split,
    e.Did: _did,
    e.SmallDone: lambda state, event: f"{name_of(state, event.actor)}: {event.deed}",
    e.Moved: lambda state, event: f"{name_of(state, event.actor)} is now at {event.at}",
    e.GotOn: lambda state, event: f"{name_of(state, event.actor)} is on {name_of(state, event.target)}",
    e.FellOff: lambda state, event: f"{name_of(state, event.actor)} falls off and lies there",
    e.ProneSet: lambda state, event: (
        f"{name_of(state, event.actor)} {'lies on the ground' if event.prone else 'stands'}"
    ),
    e.ItemPlaced: lambda state, event: (
        f"{name_of(state, event.actor)}'s {event.item} is {'in the ' + event.place if event.place else 'lost'}"
    ),
    e.KnackUsed: lambda state, event: f"{name_of(state, event.actor)}: {event.knack}",
    e.DefenseSet: _defense,
    e.Hit: lambda state, event: f"{name_of(state, event.actor)} hits {name_of(state, event.target)}, {event.over} over",
    e.Missed: lambda state, event: (
        f"{name_of(state, event.actor)} does not hit {name_of(state, event.target)}"
        + (f": {event.why}" if event.why else "")
    ),
    e.Stunted: lambda state, event: (
        f"{name_of(state, event.actor)} spends {event.cost} on {event.stunt.partition(':')[0].replace('_', ' ')}"
    ),
    e.Absorbed: lambda state, event: (
        f"{'Cover' if event.cover else 'Armour'} takes it for {name_of(state, event.actor)}"
    ),
    e.Injured: _injured,
    e.TakenOut: lambda state, event: f"{name_of(state, event.actor)} is Taken Out",
    e.BlindedSet: lambda state, event: f"{name_of(state, event.actor)} sees nothing to shoot at",
    e.GrappleBegun: lambda state, event: f"{name_of(state, event.actor)} holds {name_of(state, event.target)}",
    e.GrappleEnded: lambda state, event: (
        f"{name_of(state, event.actor)} no longer holds {name_of(state, event.target)}"
    ),
}


def summary(state: State, who: Character) -> str:
    """Injuries, Defense, and what is left of the turn; of the players what momentum there is."""
    parts = [_injuries(state, who)]
    if who.guard is not None or who.defense is not None:
        parts.append("" if who.veiled else f"Defense {who.guard if who.guard is not None else who.defense}")
    if state.active == who.id:
        parts.append("an action left" if who.actions else "has acted")
    if who.pc:
        parts.append(f"{momentum(state)} momentum")
    if settings(state).reflexive_moves > who.moves and not who.down and not who.veiled:
        parts.append("may move")
    parts += [
        word for word, holds in (("Prone", who.prone), ("in pain", who.hampered), ("Taken Out", who.down)) if holds
    ]
    held = e.roster_of(state)
    if held is not None and held.named == who.id:
        parts.append("named for the next slot")
    return ", ".join(part for part in parts if part)


def _injuries(state: State, who: Character) -> str:
    if who.veiled:
        return f"hurt {sum(who.boxes.values())} times" if who.boxes else "unhurt"
    every = boxes_of(state, who)
    if who.health is not None:
        return f"Health {who.health - who.boxes.get('health', 0)}/{who.health}"
    worst = [f"{level.title()} {who.boxes.get(level, 0)}/{every[level]}" for level in LEVELS if who.boxes.get(level, 0)]
    return ", ".join(worst) or "unhurt"
