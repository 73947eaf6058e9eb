"""The events of Altered Realms told as lines of a story, and a creature at a glance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwright import events as core
from turnwright.events import Event
from turnwright.model import State
from turnwright.systems.altered_realms import events as e
from turnwright.systems.altered_realms.economy import NAMES
from turnwright.systems.altered_realms.sheet import Creature, conditions_of


def tell(state: State, event: Event) -> str:
    """One line for an event; empty where it would say nothing that another line does not say."""
    teller = TELLERS.get(type(event))
    return teller(state, event) if teller is not None else ""


def name_of(state: State, actor: str) -> str:
    found = state.actors.get(actor)
    return found.name if found is not None else actor


def _charged(state: State, event: core.Charged) -> str:
    spent = []
    for item in event.costs:
        if item.amount > 0 and item.resource in NAMES and item.resource != "attack":
            spent.append(f"{item.amount} {NAMES[item.resource]}{'s' if item.amount > 1 else ''}")
        if item.amount > 0 and item.resource.startswith("pool:"):
            spent.append(f"{item.amount} {item.resource.removeprefix('pool:')}")
    return f"{name_of(state, event.actor)} spends {', '.join(spent)}" if spent else ""


def _acted(state: State, event: core.Acted) -> str:
    target = f" ({name_of(state, event.target)})" if event.target else ""
    return f"{name_of(state, event.actor)}: {event.action.replace('_', ' ')}{target}"


def _rolled(state: State, event: e.RolledD20) -> str:
    total = f" {event.total}" if event.total is not None else ""
    passed = "" if event.passed is None else ": enough" if event.passed else ": not enough"
    return f"{name_of(state, event.actor)} rolls {event.what}{total}{passed}"


def _harmed(state: State, event: e.Harmed) -> str:
    who: Creature = state.actors[event.actor]
    amount = f"{event.amount} " if event.amount else ""
    down = " and is down" if who.down else ""
    part = f" at the {event.part}" if event.part else ""
    return f"{who.name} takes {amount}{event.damage_type} damage{part}{down}"


def _condition(state: State, event: e.ConditionChanged) -> str:
    return f"{name_of(state, event.actor)} is {'' if event.on else 'no longer '}{event.condition.title()}"


def _order(state: State, event: e.OrderRolled) -> str:
    return f"The order: {', '.join([name_of(state, name) for name in event.actors])}"


def _held(state: State, event: e.HoldBegun) -> str:
    part = f" by the {event.part}" if event.part else ""
    return f"{name_of(state, event.actor)} holds {name_of(state, event.target)}{part}"


def _placed(state: State, event: e.ItemMoved) -> str:
    where = f"in the {event.item.hand}" if event.item.place == "hand" else f"in the {event.item.place}"
    return f"{name_of(state, event.actor)}'s {event.item.name} is now {where}"


TELLERS: dict[type[Event], Callable[[State, Any], str]] = {
    core.Charged: _charged,
    core.Acted: _acted,
    core.Told: lambda state, event: event.text,
    core.Impossible: lambda state, event: f"That cannot be done: {event.obstacle}",
    core.Barred: lambda state, event: f"Not now: {'; '.join(event.why)}",
    e.TurnStarted: lambda state, event: f"{name_of(state, event.actor)}'s turn, round {event.round}",
    e.OrderRolled: _order,
    e.BudgetGained: lambda state, event: (
        f"{name_of(state, event.actor)} has {event.by} more {NAMES.get(event.budget, event.budget)}"
    ),
    e.RolledD20: _rolled,
    e.Stepped: lambda state, event: f"{name_of(state, event.actor)} moves to {event.at} ({event.metres} m)",
    e.Forced: lambda state, event: f"{name_of(state, event.actor)} is moved to {event.at}",
    e.Fell: lambda state, event: f"{name_of(state, event.actor)} falls {event.metres} m",
    e.InspirationGiven: lambda state, event: f"{name_of(state, event.actor)} is inspired, +{event.amount}",
    e.InspirationSpent: lambda state, event: (
        f"{name_of(state, event.actor)} spends an Inspiration Bonus of {event.amount}"
    ),
    e.HitsPromised: lambda state, event: f"{name_of(state, event.actor)} promises {event.hits} hits",
    e.CarryBegun: lambda state, event: f"{name_of(state, event.actor)} carries {name_of(state, event.target)}",
    e.CarryEnded: lambda state, event: f"{name_of(state, event.actor)} sets down {name_of(state, event.target)}",
    e.TimePassed: lambda state, event: f"{event.minutes} minutes go by",
    e.Clung: lambda state, event: f"{name_of(state, event.actor)} hangs on to the edge",
    e.Halted: lambda state, event: f"{name_of(state, event.actor)} stops: {event.why}",
    e.StoodUp: lambda state, event: f"{name_of(state, event.actor)} stands up",
    e.Harmed: _harmed,
    e.Healed: lambda state, event: f"{name_of(state, event.actor)} gets back {event.amount or 'some'} HP",
    e.ConditionChanged: _condition,
    e.Missed: lambda state, event: f"{name_of(state, event.actor)} does not hit {name_of(state, event.target)}",
    e.Hit: lambda state, event: f"{name_of(state, event.actor)} hits {name_of(state, event.target)}",
    e.Aimed: lambda state, event: f"{name_of(state, event.actor)} aims at {name_of(state, event.target)}",
    e.DodgeBegun: lambda state, event: f"{name_of(state, event.actor)} dodges {name_of(state, event.target)}",
    e.StanceTaken: lambda state, event: f"{name_of(state, event.actor)} stands on the defensive",
    e.PointConverted: lambda state, event: (
        f"{name_of(state, event.actor)} turns a point of {event.source} into {event.into}"
    ),
    e.Used: lambda state, event: f"{name_of(state, event.actor)} uses {event.ability}",
    e.SustainBegun: lambda state, event: f"{name_of(state, event.actor)} keeps up {event.ability}",
    e.SustainEnded: lambda state, event: f"{event.ability} of {name_of(state, event.actor)} is over",
    e.Rested: lambda state, event: f"{name_of(state, event.actor)} has had a {event.how}",
    e.RollsAllowed: lambda state, event: f"{name_of(state, event.actor)}: {event.number} {event.what} rolls",
    e.MechanismSet: lambda state, event: (
        f"{event.mechanism.name} is {'open' if event.mechanism.open else 'spent' if event.mechanism.spent else 'set'}"
    ),
    e.HoldBegun: _held,
    e.HoldEnded: lambda state, event: f"{name_of(state, event.actor)} lets go of {name_of(state, event.target)}",
    e.ItemMoved: _placed,
    e.ItemDropped: lambda state, event: f"{name_of(state, event.actor)} drops {event.item.name}",
    e.ItemPickedUp: lambda state, event: f"{name_of(state, event.actor)} picks up {event.item.name}",
    e.ItemCaught: lambda state, event: f"{name_of(state, event.actor)} catches {event.item.name}",
    e.PrimedSet: lambda state, event: f"{name_of(state, event.actor)} prepares something",
    e.PrimedGone: lambda state, event: f"What {name_of(state, event.actor)} has prepared goes off",
    e.ItemUsedUp: lambda state, event: f"{name_of(state, event.actor)} uses up {event.item}",
}


def summary(state: State, who: Creature) -> str:
    """HP, AC and what is left of the turn."""
    parts = [f"HP {who.hp}/{who.hp_max}", f"AC {who.ac}"]
    if state.active == who.id:
        left = [(who.actions, "Action"), (who.attacks, "attack"), (who.movements, "Movement"), (who.motions, "Motion")]
        parts += [f"{count} {name}{'s' if count > 1 else ''}" for count, name in left if count]
        parts += [f"{who.metres} m left"] if who.metres else []
    parts.append(f"{who.reactions} Reaction{'' if who.reactions == 1 else 's'}")
    return ", ".join([*parts, *[name.title() for name, _ in conditions_of(state, who)]])
