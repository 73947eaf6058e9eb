"""What can happen in any game; each event makes the next state itself, and nowhere else is one made."""

from __future__ import annotations

from types import ModuleType
from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from turnwright.model import (
    Actor,
    ActorId,
    At,
    Cost,
    Edge,
    Expiry,
    Relation,
    RuleId,
    Ruling,
    State,
    Struct,
    dec_hook,
)


class Event(Struct, frozen=True, tag=True):
    """Something that happened, under the rule that made it happen."""

    rule: RuleId

    private: ClassVar[bool] = False
    """Whether nobody learns of it but the guide and whoever plays the actor."""

    def apply(self, state: State) -> State:
        """The state after it; an event that only tells changes nothing."""
        return state

    def concerns(self) -> tuple[ActorId, ...]:
        """Whom one must be aware of to learn of it."""
        actor = getattr(self, "actor", "")
        return (actor,) if actor else ()

    def private_to(self) -> tuple[ActorId, ...] | None:
        """If only some may learn of it besides the guide: whose seats."""
        return self.concerns() if self.private else None


class Taken(Event, frozen=True):
    """From now on something holds of the actor, toward its `target` where it has one, up to its own next turn."""

    actor: ActorId

    what: ClassVar[type[Relation]]
    until: ClassVar[Edge] = "start"
    """Which edge of that turn ends it."""

    def apply(self, state: State) -> State:
        other = getattr(self, "target", self.actor)
        return state.relate(self.what(self.actor, other, Expiry(self.actor, self.until)))


class Over(Event, frozen=True):
    """Something that held of the actor is over: toward its `target` where it has one, else toward all."""

    actor: ActorId

    what: ClassVar[type[Relation]]

    def apply(self, state: State) -> State:
        return state.unrelate(self.what, self.actor, getattr(self, "target", None))


class Charged(Event, frozen=True):
    """The whole price of something was used up."""

    actor: ActorId
    costs: tuple[Cost, ...]

    def apply(self, state: State) -> State:
        actor: Actor = state.actors[self.actor]
        for item in self.costs:
            actor = actor.pay(item.resource, item.amount)
        return state.with_actor(actor)


class Waived(Event, frozen=True):
    """At a table that only advises: what was done against a refusal or without the means to pay."""

    actor: ActorId
    why: tuple[str, ...]
    owed: tuple[Cost, ...] = ()


class Acted(Event, frozen=True):
    """An action was committed to; this is the record that actions are counted by."""

    actor: ActorId
    action: str
    nature: Literal["proactive", "reactive"]
    target: ActorId = ""
    intent: str = ""


class Impossible(Event, frozen=True):
    """The guide named what stands in the way; nothing was spent and the declaration may be changed."""

    actor: ActorId
    obstacle: str


class Withdrawn(Event, frozen=True):
    """A declaration was taken back before anything was committed."""

    actor: ActorId
    action: str


class Told(Event, frozen=True):
    """What happened in the story, in the guide's words."""

    actor: ActorId
    text: str
    good: bool = True


class Barred(Event, frozen=True):
    """After its ruling something turned out not to be open; nothing was spent."""

    actor: ActorId
    why: tuple[str, ...]


class RulingKept(Event, frozen=True):
    """The guide's ruling is kept, in place of one that was made for the same."""

    ruling: Ruling

    def apply(self, state: State) -> State:
        kept = tuple(ruling for ruling in state.rulings if ruling.when != self.ruling.when)
        return replace(state, rulings=(*kept, self.ruling))

    def private_to(self) -> tuple[ActorId, ...]:
        return ()


class RulingRevoked(Event, frozen=True):
    """The guide takes back what was kept for a case; it is ruled on anew."""

    when: str

    def apply(self, state: State) -> State:
        kept = tuple(ruling for ruling in state.rulings if ruling.when != self.when)
        written = tuple(ruling for ruling in state.scene.rulings if ruling.when != self.when)
        if len(kept) == len(state.rulings) and len(written) == len(state.scene.rulings):
            raise LookupError(f"no ruling is kept for {self.when!r}")
        return replace(state, rulings=kept, scene=replace(state.scene, rulings=written))

    def private_to(self) -> tuple[ActorId, ...]:
        return ()


class RulingApplied(Event, frozen=True):
    """It was ruled as before, without asking the guide anew."""

    when: str

    def private_to(self) -> tuple[ActorId, ...]:
        return ()


class Placed(Event, frozen=True):
    """Somebody was put somewhere, not by their own movement."""

    actor: ActorId
    at: At

    def apply(self, state: State) -> State:
        return state.with_actor(replace(state.actors[self.actor], at=self.at))


class DoorMoved(Event, frozen=True):
    """A door was opened or closed."""

    door: str
    open: bool
    actor: ActorId = ""

    def apply(self, state: State) -> State:
        doors = tuple(d for d in state.open_doors if d != self.door)
        return replace(state, open_doors=tuple(sorted((*doors, self.door))) if self.open else doors)


class ModeShifted(Event, frozen=True):
    """The guide changed how positions are represented; this resolves nothing."""

    mode: str

    def apply(self, state: State) -> State:
        return replace(state, mode=self.mode)


class Changed(Event, frozen=True):
    """The guide changed a value: `what` names an actor and a field, `value` is the new one as JSON."""

    what: str
    value: str

    def apply(self, state: State) -> State:
        actor_id, path = split_path(self.what)
        actor = state.actors[actor_id]
        return state.with_actor(_with(actor, path, msgspec.json.decode(self.value)))

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.what.split(".", 1)[0],)


def split_path(what: str) -> tuple[str, list[str]]:
    """`selka.ready.ad` as the actor's id and the way to the field."""
    actor, _, path = what.partition(".")
    return actor, path.split(".")


def _with(struct: Any, path: list[str], value: Any) -> Any:
    name, *rest = path
    held = getattr(struct, name)
    if rest:
        held = {**held, rest[0]: value}
        value = held
    kind = {field.name: field.type for field in msgspec.structs.fields(type(struct))}[name]
    return replace(struct, **{name: msgspec.convert(msgspec.to_builtins(value, enc_hook=str), kind, dec_hook=dec_hook)})


CORE_EVENTS: tuple[type[Event], ...] = (
    Charged,
    Waived,
    Acted,
    Impossible,
    Withdrawn,
    Told,
    Barred,
    RulingKept,
    RulingRevoked,
    RulingApplied,
    Placed,
    DoorMoved,
    ModeShifted,
    Changed,
)


def events_in(*modules: ModuleType) -> tuple[type[Event], ...]:
    """Every kind of event that the modules define, in the order in which it stands there."""
    found = [(module, kind) for module in modules for kind in vars(module).values()]
    return tuple([k for m, k in found if isinstance(k, type) and issubclass(k, Event) and k.__module__ == m.__name__])
