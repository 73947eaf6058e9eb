"""The moments at which somebody may react, in words for whoever is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwright.model import Moment, State
from turnwright.systems.altered_realms.aid import SkillReady
from turnwright.systems.altered_realms.attack import Attacking, AttackRolled, Hurt
from turnwright.systems.altered_realms.forced import AtLedge, Dragged
from turnwright.systems.altered_realms.locks import Opened
from turnwright.systems.altered_realms.magic import Casting
from turnwright.systems.altered_realms.morale import Rallied
from turnwright.systems.altered_realms.movement import Arrived, Leaving
from turnwright.systems.altered_realms.throwing import InTheAir
from turnwright.telling import name_of


def words(known: State, moment: Moment) -> str:
    """`Kara is about to step from 2,2 to 1,3`; nothing where somebody in it is not known to whoever is asked."""
    told = WORDS.get(type(moment))
    who = [getattr(moment, name, "") for name in ("actor", "by", "target", "to")]
    named = [name for name in who if isinstance(name, str) and name]
    if isinstance(moment, AttackRolled):
        named = [moment.target]
    if told is None or any(name not in known.actors for name in named):
        return ""
    return told(known, moment)


def _leaving(known: State, moment: Leaving) -> str:
    at, to = moment.at, moment.to
    return f"{name_of(known, moment.actor)} is about to step from {at[0]},{at[1]} to {to[0]},{to[1]}"


def _rolled(known: State, moment: AttackRolled) -> str:
    """Whoever may use a Meat Shield knows the total, for that is what it has to meet."""
    by = f"the attack of {name_of(known, moment.by)}" if moment.by in known.actors else "an attack"
    does = "hits" if moment.hits else "does not hit"
    return f"{by} comes to {moment.total} and {does} {name_of(known, moment.target)} as it stands"


def _ledge(known: State, moment: AtLedge) -> str:
    x, y = moment.over
    deep = f", {moment.drop} m deep" if moment.drop else ""
    return f"{name_of(known, moment.actor)} is driven to {x},{y}{deep}; a save would stop it"


def _in_the_air(known: State, moment: InTheAir) -> str:
    at = f" at {name_of(known, moment.to)}" if moment.to else ""
    return f"{moment.item} flies{at}, from {name_of(known, moment.by)}"


WORDS: dict[type[Moment], Callable[[State, Any], str]] = {
    Leaving: _leaving,
    Arrived: lambda known, moment: f"{name_of(known, moment.actor)} has come to {moment.at[0]},{moment.at[1]}",
    Opened: lambda known, moment: f"{name_of(known, moment.actor)} has opened {moment.door}",
    Attacking: lambda known, moment: f"{name_of(known, moment.by)} is about to attack {name_of(known, moment.target)}",
    Casting: lambda known, moment: f"{name_of(known, moment.actor)} has begun {moment.ability}",
    AttackRolled: _rolled,
    Hurt: lambda known, moment: f"{name_of(known, moment.by)} has hurt {name_of(known, moment.target)}",
    SkillReady: lambda known, moment: f"{name_of(known, moment.actor)} is about to roll {moment.skill}",
    AtLedge: _ledge,
    Dragged: lambda known, moment: f"{name_of(known, moment.actor)} was moved {moment.metres} m",
    Rallied: lambda known, moment: f"{name_of(known, moment.by)} rallies those who are near",
    InTheAir: _in_the_air,
}
