"""Where somebody moves, or is moved."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event, Over
from turnwright.model import ActorId, Cell, State
from turnwright.systems.altered_realms.events.standing import Carries
from turnwright.systems.altered_realms.holding import Lets
from turnwright.systems.altered_realms.sheet import creature


class MovementBegun(Event, frozen=True):
    """Movement was taken up: so many metres, `each` of them for one Movement, counted from where one stands.

    `by` is the movement type; what was left of a Movement of another type is lost. `level` is how many metres below
    the ground of the map a flight goes.
    """

    actor: ActorId
    metres: int
    each: int = 0
    by: str = ""
    level: int = 0

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        here = (who.at,) if isinstance(who.at, tuple) else ()
        left = who.metres if who.moving == self.by else 0
        begun = replace(who, metres=left + self.metres, stint=left, each=self.each or self.metres, run=here, fresh=0)
        aloft = self.level if self.by == "fly" else None
        return state.with_actor(replace(begun, charged=False, moving=self.by, aloft=aloft))


class Stepped(Event, frozen=True):
    """One step of the own movement, with the metres it took."""

    actor: ActorId
    at: Cell
    metres: int

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        stint, fresh, charged = who.stint, who.fresh, who.charged
        if stint <= 0:
            stint, fresh, charged = stint + who.each, max(0, len(who.run) - 1), False
        stepped = replace(who, at=self.at, metres=who.metres - self.metres, run=(*who.run, self.at))
        return state.with_actor(replace(stepped, stint=stint - self.metres, fresh=fresh, charged=charged))


class Forced(Event, frozen=True):
    """Somebody was moved by others, or falls."""

    actor: ActorId
    at: Cell
    by: ActorId = ""

    def apply(self, state: State) -> State:
        return state.with_actor(replace(creature(state, self.actor), at=self.at, run=(), fresh=0, aloft=None))


class Fell(Event, frozen=True):
    """Somebody fell so many metres."""

    actor: ActorId
    metres: int


class Clung(Event, frozen=True):
    """Somebody hangs on to an edge instead of falling."""

    actor: ActorId


class Halted(Event, frozen=True):
    """Movement ended before its goal."""

    actor: ActorId
    why: str


class StoodUp(Event, frozen=True):
    """Somebody who was Prone stands again."""

    actor: ActorId
    metres: int

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        left = tuple([name for name in who.conditions if name != "prone"])
        here = (who.at,) if isinstance(who.at, tuple) else ()
        stood = replace(who, conditions=left, metres=who.metres - self.metres, stint=who.stint - self.metres)
        return state.with_actor(replace(stood, run=here, fresh=0))


class Rushed(Event, frozen=True):
    """A Movement has had the benefit of a Charge, and is over."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.with_actor(replace(creature(state, self.actor), charged=True, metres=0))


class CarryBegun(Event, frozen=True):
    """Somebody carries another; what is left of a Movement that was begun is halved too."""

    actor: ActorId
    target: ActorId
    metres: int

    def concerns(self) -> tuple[ActorId, ...]:
        return self.actor, self.target

    def apply(self, state: State) -> State:
        who = creature(state, self.actor)
        slower = replace(who, metres=self.metres, stint=min(who.stint, self.metres))
        return state.with_actor(slower).relate(Carries(self.actor, self.target))


class WillSaid(Event, frozen=True):
    """Somebody said whether it lets another carry it."""

    actor: ActorId
    target: ActorId
    willing: bool = True

    def concerns(self) -> tuple[ActorId, ...]:
        return self.actor, self.target

    def apply(self, state: State) -> State:
        return state.relate(Lets(self.actor, self.target, None, self.willing))


class CarryEnded(Over, frozen=True):
    """Somebody carries another no longer."""

    target: ActorId

    what = Carries

    def concerns(self) -> tuple[ActorId, ...]:
        return self.actor, self.target
