"""Who comes late and who leaves: slots are added, and none is taken away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, ask
from turnwright.model import (
    NOTHING,
    ActorId,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    Rolled,
    State,
)
from turnwright.rules import Action, Nature, Settled, Steps, ended
from turnwright.systems.storypath.events import InitiativeRolled, Joined, Left, Reserve, Roster, Slot, roster_of
from turnwright.systems.storypath.roster import initiative_pool, initiative_roll, ranked
from turnwright.systems.storypath.sheet import Character, settings
from turnwright.systems.storypath.slots import ONCE, SIDES


class Arrive(Action):
    """Somebody comes late: rolls on arrival, and has a slot from the next round on.

    Rules: storypath.initiative.roll-at-combat-start.
    """

    name = "arrive"
    about = "bring somebody into the scene"
    nature: ClassVar[Nature] = "guide"
    rules = (ONCE,)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("who", "text", "the id of who waits", required=True),)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for held in known.facts_of(Reserve):
            yield Declaration("", self.name, options={"who": held.who.id})

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if f"reserve {d.option('who')}" not in known.facts:
            waiting = ", ".join([held.who.id for held in known.facts_of(Reserve)]) or "nobody"
            yield Refusal(ONCE, f"waiting to come: {waiting}", "NOBODY")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        held = play.state.facts[f"reserve {d.option('who')}"]
        assert isinstance(held, Reserve)
        if roster_of(play.state) is None:
            play.emit(Joined(ONCE, held.who))
            return Outcome(self.name, "success", (held.who.id,))
        since = play.state.round + int(settings(play.state).latecomers == "next round")  # kept: when it came
        who = replace(held.who, since=since)  # kept: who comes
        given = yield from ask(lambda: initiative_roll(play.state.with_actor(who), (who.id,)), Rolled)
        dice, won = initiative_pool(play.state, who), max(0, given.value)
        play.emit(Joined(ONCE, who, _with_one_more(play.state, who, won, since)))
        play.emit(InitiativeRolled("storypath.initiative.count-successes", (who.id,), who.id, dice, won))
        return Outcome(self.name, "success", (who.id,))


def _with_one_more(state: State, who: Character, value: int, since: int) -> tuple[Slot, ...]:
    held = roster_of(state)
    slots = list(held.slots) if isinstance(held, Roster) else []
    taken = max([int(slot.id.removeprefix("slot-")) for slot in slots], default=0)
    return ranked([*slots, Slot(f"slot-{taken + 1}", who.kind, value, who.id, since)])


class Depart(Action):
    """Somebody leaves the scene; the slots stay.

    Rules: storypath.initiative.slot-belongs-to-side.
    """

    name = "depart"
    about = "take somebody out of the scene"
    nature: ClassVar[Nature] = "guide"
    rules = (SIDES,)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("who", "text", "the id of who leaves", required=True),)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for name in known.actors:
            yield Declaration("", self.name, options={"who": name})

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if d.option("who") not in known.actors:
            yield Refusal(SIDES, f"in the scene: {', '.join(known.actors)}", "NOBODY")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(Left(SIDES, d.option("who")))
        return ended(Outcome(self.name, "success"))
