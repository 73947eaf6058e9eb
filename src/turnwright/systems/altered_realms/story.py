"""The events of Altered Realms told as lines of a story, and a creature at a glance."""

from __future__ import annotations

from turnwright import events as core
from turnwright.events import Event
from turnwright.model import State
from turnwright.systems.altered_realms import events as e
from turnwright.systems.altered_realms.economy import NAMES
from turnwright.systems.altered_realms.sheet import Creature, conditions_of, public
from turnwright.telling import Tellers, enough, name_of, names_of
from turnwright.telling import tell as told


def tell(state: State, event: Event) -> str:
    """One line for an event; empty where it would say nothing that another line does not say."""
    return told(TELLERS, state, event)


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
    return f"{name_of(state, event.actor)} rolls {event.what}{total}{enough(event.passed)}"


def _harmed(state: State, event: e.Harmed) -> str:
    who: Creature = state.actors[event.actor]
    amount = f"{event.amount} " if event.amount else ""
    down = " and is down" if who.down else ""
    part = f" at the {event.part}" if event.part else ""
    return f"{who.name} takes {amount}{event.damage_type} damage{part}{down}"


def _condition(state: State, event: e.ConditionChanged) -> str:
    return f"{name_of(state, event.actor)} is {'' if event.on else 'no longer '}{event.condition.title()}"


def _plus(amount: int) -> str:
    """`, +2`; nothing where the number is not told."""
    return f", +{amount}" if amount else ""


def _order(state: State, event: e.OrderRolled) -> str:
    return f"The order: {names_of(state, event.actors)}"


def _promised(state: State, event: e.HitsPromised) -> str:
    number = f"{event.hits} " if event.hits else ""
    return f"{name_of(state, event.actor)} promises {number}hit{'' if event.hits == 1 else 's'}"


def _held(state: State, event: e.HoldBegun) -> str:
    part = f" by the {event.part}" if event.part else ""
    return f"{name_of(state, event.actor)} holds {name_of(state, event.target)}{part}"


def _placed(state: State, event: e.ItemMoved) -> str:
    where = f"in the {event.item.hand}" if event.item.place == "hand" else f"in the {event.item.place}"
    return f"{name_of(state, event.actor)}'s {event.item.name} is now {where}"


TELLERS: Tellers = {
    core.Charged: _charged,
    core.Acted: _acted,
    core.Told: "{text}",
    core.Impossible: "That cannot be done: {obstacle}",
    core.Barred: lambda state, event: f"Not now: {'; '.join(event.why)}",
    e.TurnStarted: "{actor}'s turn, round {round}",
    e.OrderRolled: _order,
    e.BudgetGained: lambda state, event: (
        f"{name_of(state, event.actor)} has {event.by} more {NAMES.get(event.budget, event.budget)}"
    ),
    e.RolledD20: _rolled,
    e.Stepped: "{actor} moves to {at} ({metres} m)",
    e.Forced: "{actor} is moved to {at}",
    e.Fell: "{actor} falls {metres} m",
    e.InspirationGiven: lambda state, event: f"{name_of(state, event.actor)} is inspired{_plus(event.amount)}",
    e.InspirationSpent: lambda state, event: (
        f"{name_of(state, event.actor)} spends an Inspiration Bonus{f' of {event.amount}' if event.amount else ''}"
    ),
    e.HitsPromised: _promised,
    e.CarryBegun: "{actor} carries {target}",
    e.CarryEnded: "{actor} sets down {target}",
    e.WillSaid: "{actor} says whether {target} may carry it",
    e.TimePassed: "{minutes} minutes go by",
    e.Clung: "{actor} hangs on to the edge",
    e.Halted: "{actor} stops: {why}",
    e.StoodUp: "{actor} stands up",
    e.Harmed: _harmed,
    e.Healed: lambda state, event: f"{name_of(state, event.actor)} gets back {event.amount or 'some'} HP",
    e.ConditionChanged: _condition,
    e.Missed: "{actor} does not hit {target}",
    e.Hit: "{actor} hits {target}",
    e.Aimed: "{actor} aims at {target}",
    e.DodgeBegun: "{actor} dodges {target}",
    e.StanceTaken: "{actor} stands on the defensive",
    e.PointConverted: "{actor} turns a point of {source} into {into}",
    e.Used: "{actor} uses {ability}",
    e.SustainBegun: "{actor} keeps up {ability}",
    e.SustainEnded: "{ability} of {actor} is over",
    e.Rested: "{actor} has had a {how}",
    e.RollsAllowed: "{actor}: {number} {what} rolls",
    e.MechanismSet: lambda state, event: (
        f"{event.mechanism.name} is {'open' if event.mechanism.open else 'spent' if event.mechanism.spent else 'set'}"
    ),
    e.HoldBegun: _held,
    e.HoldEnded: "{actor} lets go of {target}",
    e.ItemMoved: _placed,
    e.ItemDropped: "{actor} drops {item.name}",
    e.ItemPickedUp: "{actor} picks up {item.name}",
    e.ItemCaught: "{actor} catches {item.name}",
    e.PrimedSet: "{actor} prepares something",
    e.PrimedGone: "What {actor} has prepared goes off",
    e.ItemUsedUp: "{actor} uses up {item}",
}


def summary(state: State, who: Creature) -> str:
    """HP, AC and what is left of the turn; of somebody whose numbers are not known, what can be seen."""
    if who == public(who):
        held = [f"{item.name} in hand" for item in who.items if item.place == "hand"]
        return ", ".join([*held, *[name.title() for name, _ in conditions_of(state, who)]])
    parts = [f"HP {who.hp}/{who.hp_max}", f"AC {who.ac}"]
    if state.active == who.id:
        left = [(who.actions, "Action"), (who.attacks, "attack"), (who.movements, "Movement"), (who.motions, "Motion")]
        parts += [f"{count} {name}{'s' if count > 1 else ''}" for count, name in left if count]
        parts += [f"{who.metres} m left"] if who.metres else []
    parts.append(f"{who.reactions} Reaction{'' if who.reactions == 1 else 's'}")
    return ", ".join([*parts, *[name.title() for name, _ in conditions_of(state, who)]])
