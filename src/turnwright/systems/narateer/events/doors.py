"""Doors, and the situation that the guide lays out."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import ActorId, State
from turnwright.systems.narateer.events.facts import DoorBelief, DoorWay, Situation, belief_name


class DoorChanged(Event, frozen=True):
    """How a door opens is another matter now: barred, locked, unlocked, broken or mended. What is not said stays.

    Rules: narateer.tier.door-example.
    """

    door: str
    opens: Literal["", "trivial", "minor", "check"] = ""
    skill: str = ""
    target: int | None = None
    broken: bool | None = None

    def apply(self, state: State) -> State:
        old = state.facts.get(self.door)
        if not isinstance(old, DoorWay):
            raise LookupError(f"there is no door called {self.door!r}")
        broken = old.broken if self.broken is None else self.broken
        if broken and self.opens == "check":
            raise ValueError(f"{old.name} is broken and holds nobody; it has to be mended first")
        return state.with_fact(
            replace(
                old,
                opens=self.opens or old.opens,
                skill=self.skill or old.skill,
                target=old.target if self.target is None else self.target,
                broken=broken,
            )
        )


class DoorMissed(Event, frozen=True):
    """A door was moved, or opens differently, out of somebody's sight; the fact is how it believes the door to be."""

    belief: DoorBelief

    def apply(self, state: State) -> State:
        return state.with_fact(self.belief)

    def private_to(self) -> tuple[ActorId, ...]:
        return ()


class DoorSeen(Event, frozen=True):
    """Somebody sees that a door is not as it was believed to be."""

    actor: ActorId
    door: str
    open: bool

    private = True

    def apply(self, state: State) -> State:
        gone = belief_name(self.actor, self.door)
        return replace(state, facts={name: fact for name, fact in state.facts.items() if name != gone})


class SituationLaidOut(Event, frozen=True):
    """The guide lays out the situation anew; every seat sees all of it.

    Rules: narateer.declare.situation-contents.
    """

    opportunities: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    threats: tuple[str, ...] = ()
    stakes: tuple[str, ...] = ()

    def apply(self, state: State) -> State:
        told = Situation("situation", self.opportunities, self.obstacles, self.threats, self.stakes)
        return state.with_fact(told)
