"""A creature of Altered Realms as a card: its budgets, HP and pools, and its conditions."""

from __future__ import annotations

from turnwright.model import ActorId, State
from turnwright.rules import Gauge, Mark
from turnwright.systems.altered_realms.sheet import conditions_of, creature

BUDGETS = {"action": "Action", "movement": "Movement", "motion": "Motion", "reaction": "Reaction"}
UNSAID = ("first attack", "rest")
"""Parts of a price that are kept apart only so that they are charged once."""


def gauges(state: State, actor: ActorId) -> tuple[Gauge, ...]:
    """What is left of the turn, HP, and the pools that there are."""
    who = creature(state, actor)
    turn = [
        Gauge("Actions", who.actions, max(1, who.actions), "left in this turn"),
        Gauge("Movements", who.movements, max(1, who.movements), "left in this turn"),
        Gauge("Motions", who.motions, max(1, who.motions), "left in this turn"),
    ]
    found = [Gauge("HP", max(0, who.hp), who.hp_max, f"AC {who.ac}")]
    found += [gauge for gauge in turn if gauge.have or state.active == actor]
    most = max(who.reaction_count, who.reactions)
    found.append(Gauge("Reactions", who.reactions, most, "until the next own turn"))
    if who.attacks:
        found.append(Gauge("Attacks", who.attacks, who.attack_count, "left of the Action that opened them"))
    if who.metres:
        found.append(Gauge("Move, m", who.metres, None, "metres left of the Movement that was begun"))
    pools = [(name, who.maxima.get(name, left), left) for name, left in who.pools.items()]
    return tuple(found + [Gauge(name.title(), left, most) for name, most, left in pools if most])


def conditions(state: State, actor: ActorId) -> tuple[Mark, ...]:
    """Conditions, Wounded parts, and what is being sustained."""
    who = creature(state, actor)
    found = [Mark(name.replace("_", " "), _does(held)) for name, held in conditions_of(state, who)]
    found += [Mark(f"{part} wounded") for part in who.wounded]
    return tuple(found + [Mark(f"sustains {name}") for name in who.sustained])


def _does(held: object) -> str:
    """What a condition takes away, in a few words."""
    words = {"acts": "no Actions", "moves": "no Movement", "reacts": "no Reactions", "holds": "holds nothing"}
    words |= {"sees": "sees nothing", "hears": "hears nothing"}
    return ", ".join([text for name, text in words.items() if getattr(held, name) is False])


def hiding(known: State, actor: ActorId) -> tuple[Mark, ...]:
    """That the other sides do not know of it."""
    text = "the other sides do not know that it is there"
    return (Mark("hidden", text),) if creature(known, actor).hidden else ()
