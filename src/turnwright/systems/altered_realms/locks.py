"""Locks and traps: anyone may try; without the tools for it all but the simplest are tried under two handicaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, window
from turnwright.events import DoorMoved, Told
from turnwright.model import ActorId, Declaration, Moment, Outcome, Parameter, Price, Refusal, State
from turnwright.rules import Settled, Steps
from turnwright.space.grid import distance
from turnwright.systems.altered_realms.aid import skill_check
from turnwright.systems.altered_realms.economy import Deed, action_price
from turnwright.systems.altered_realms.events import Mechanism, MechanismSet
from turnwright.systems.altered_realms.harm import harm
from turnwright.systems.altered_realms.rolls import Die, Edge, damage
from turnwright.systems.altered_realms.sheet import Creature, creature, settings
from turnwright.systems.altered_realms.space import tiles

TOPICS = ("lock", "trap")

SIMPLE, COMMON = "simple", "common"
TOOLS = {"lock": "lockpick set", "trap": "tools"}
SKILLS = {"lock": "lockpicking", "trap": "mechanics"}
HANDICAP: dict[str, Die] = {"lock": "fate", "trap": "disadvantage"}
PENALTY = {"lock": "altered-realms.lock.no-kit-penalty", "trap": "altered-realms.trap.no-tools-penalty"}


def dc_of(state: State, mechanism: Mechanism) -> int:
    """Its own DC where the Narrator has set one, else that of its quality; one that is not known is taken as common.

    Rules: altered-realms.lock.dc-table, altered-realms.trap.dc-table.
    """
    if mechanism.dc is not None:
        return mechanism.dc
    table = settings(state).lock_dc if mechanism.kind == "lock" else settings(state).trap_dc
    return table.get(mechanism.quality or COMMON, 0)


def handicapped(who: Creature, mechanism: Mechanism) -> bool:
    """Whether Training is left out and a die added: without the tools, on anything but the simplest.

    Rules: altered-realms.lock.no-kit-penalty, altered-realms.lock.simple-exempt,
    altered-realms.trap.no-tools-penalty, altered-realms.trap.simple-exempt.
    """
    has_tools = any(item.tools == mechanism.kind or item.name == TOOLS[mechanism.kind] for item in who.items)
    return mechanism.quality != SIMPLE and not has_tools


class Opened(Moment, frozen=True):
    """Somebody has opened a door."""

    actor: ActorId
    door: str


class Tinker(Deed):
    """A physical skill roll on one mechanism within reach.

    Rules: altered-realms.lock.anyone-any-lock, altered-realms.trap.anyone-any-trap.
    """

    kind: ClassVar[str] = ""
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("thing", "text", "which one", required=True),)

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for mechanism in known.facts_of(Mechanism):
            if mechanism.kind == self.kind:
                yield Declaration(actor, self.name, options={"thing": mechanism.id})

    def label(self, known: State, d: Declaration) -> str:
        found = self.thing(known, d)
        return f"{self.name.replace('_', ' ')}: {found.name if found else d.option('thing')}"

    def thing(self, known: State, d: Declaration) -> Mechanism | None:
        found = known.facts.get(d.option("thing"))
        return found if isinstance(found, Mechanism) and found.kind == self.kind else None

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("thing"):
            yield Refusal(self.rules[0], "say which one", "INCOMPLETE thing")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        found = self.thing(known, d)
        if not d.option("thing"):
            return
        if found is None:
            yield Refusal(self.rules[0], f"there is no {self.kind} called {d.option('thing')}", "NO_THING")
            return
        near = min([distance(cell, found.at) for cell in tiles(known, creature(known, d.actor))], default=99)
        if near > settings(known).melee_range:
            yield Refusal(self.rules[0], f"{found.name} is out of reach", "OUT_OF_RANGE")
        if found.spent:
            yield Refusal("altered-realms.trap.failure-consequence", f"{found.name} is spent", "SPENT")
        if found.open:
            yield Refusal(self.rules[0], f"{found.name} is no obstacle any more", "OPEN")

    def own_price(self, known: State, d: Declaration) -> Price:
        return action_price(self.name.replace("_", " "), "altered-realms.skill.physical-definition-cost")

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        found = self.thing(known, d)
        if found is None or not handicapped(creature(known, d.actor), found):
            return ()
        return (f"without {TOOLS[self.kind]}: no Training, and the worse of two d20",)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        found = self.thing(play.state, d)
        assert found is not None
        poor = handicapped(creature(play.state, d.actor), found)
        edges = (Edge(f"no {TOOLS[self.kind]}", HANDICAP[self.kind], PENALTY[self.kind]),) if poor else ()
        read = yield from skill_check(
            play,
            d.actor,
            SKILLS[self.kind],
            self.rules[0],
            dc=dc_of(play.state, found),
            trained=not poor,
            attribute="dex",
            edges=edges,
        )
        found = self.thing(play.state, d)
        assert found is not None
        if read.passed:
            return (yield from self.opened(play, d, found))
        return (yield from self.failed(play, d, found))

    def opened(self, play: Play, d: Declaration, found: Mechanism) -> Steps[Outcome]:
        play.emit(MechanismSet(self.rules[0], d.actor, replace(found, open=True)))
        if found.door:
            play.emit(DoorMoved(self.rules[0], found.door, True, d.actor))
            yield from window(play, Opened(d.actor, found.door))
        return Outcome(self.name, "success")

    def failed(self, play: Play, d: Declaration, found: Mechanism) -> Steps[Outcome]:
        """What it does when it goes off; after that it is spent, unless it re-arms.

        Rules: altered-realms.trap.failure-consequence.
        """
        rule = "altered-realms.trap.failure-consequence"
        if not found.goes_off:
            return Outcome(self.name, "failure")
        play.emit(MechanismSet(rule, d.actor, replace(found, spent=not found.rearms)))
        play.emit(Told(rule, d.actor, found.on_fail or f"{found.name} goes off", False))
        if found.damage:
            name, sort = found.name, found.type_of_damage  # kept: what it does is written down
            dealt = yield from damage(play, d.actor, d.actor, found.damage, 0, name, rule)
            harm(play, d.actor, dealt, sort, "", rule)
        return Outcome(self.name, "disaster", (d.actor,))


class PickLock(Tinker):
    """Rules: altered-realms.lock.anyone-any-lock, altered-realms.lock.dc-table."""

    name = "pick_lock"
    kind = "lock"
    about = "pick a lock"
    rules = ("altered-realms.lock.anyone-any-lock", "altered-realms.lock.dc-table")


class Disarm(Tinker):
    """Rules: altered-realms.trap.anyone-any-trap, altered-realms.trap.dc-table."""

    name = "disarm"
    kind = "trap"
    about = "disarm a trap"
    rules = ("altered-realms.trap.anyone-any-trap", "altered-realms.trap.dc-table")
