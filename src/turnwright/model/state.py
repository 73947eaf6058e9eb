"""The scene and one moment of it: actors, the relations between them, and facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal, Self, TypeVar

from msgspec.structs import replace

from turnwright.model.deeds import Ruling
from turnwright.model.names import GUIDE, ActorId, At, RuleId, SeatId, Struct
from turnwright.space import Grid, Zones

Edge = Literal["start", "end"]


R = TypeVar("R", bound="Relation")


F = TypeVar("F", bound="Fact")


class Actor(Struct, frozen=True):
    """Whoever acts in the scene; each game adds its sheet and its live numbers as fields."""

    id: ActorId
    name: str
    side: str = ""
    seat: SeatId = GUIDE
    at: At = None

    @property
    def down(self) -> bool:
        """Whether the actor is out of the fight; each game says when."""
        return False

    def pay(self, resource: str, amount: int) -> Self:
        """The actor after the amount of the resource is used up; each game says where it keeps what."""
        raise LookupError(f"{type(self).__name__} keeps no {resource}")


class Expiry(Struct, frozen=True):
    """When a relation ends by itself: at the start or the end of somebody's turn.

    `passing` is how many such edges go by before.
    """

    whose: ActorId
    edge: Edge
    passing: int = 0


class Relation(Struct, frozen=True, tag=True):
    """Something that holds between two actors, kept under its owner."""

    owner: ActorId
    other: ActorId
    until: Expiry | None = None

    several: ClassVar[bool] = False
    """Whether several of the kind may hold between the same two at once."""


class Stands(Relation, frozen=True):
    """How the owner stands to somebody or something, in words, where nothing is measured."""

    how: str = "near"


class Fact(Struct, frozen=True, tag=True):
    """Something established about the scene that belongs to no actor."""

    id: str


class Landmark(Fact, frozen=True):
    """Something in the scene that one can be near or behind, and the place it is in."""

    name: str = ""
    place: str = ""


class Barrier(Fact, frozen=True):
    """Something that parts two places; nobody passes it but by a way, and nobody sees past it unless it is clear."""

    name: str
    between: tuple[str, str]
    clear: bool = False


class Passage(Fact, frozen=True):
    """A way between two places, with a door where it has one."""

    name: str
    between: tuple[str, str]
    door: str = ""
    clear: bool = True


class Setting(Struct, frozen=True):
    """What a game's settings say of one number or choice that its text leaves open."""

    name: str
    rule: RuleId
    reason: str
    source: Literal["source", "outside", "ours"] = "ours"
    """Where the default comes from: the text itself, public pages of the game, or neither."""


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """A person at the table."""

    id: SeatId
    name: str = ""


class Scene(Struct, frozen=True):
    """What does not change while a scene is played; `source` is the scene file as it was written.

    `seed` is what the file says of its dice; nobody but the guide is shown either of them.
    """

    system: str
    title: str
    settings: Any
    grid: Grid | None = None
    seats: tuple[Seat, ...] = ()
    sides: tuple[str, ...] = ()
    order: tuple[ActorId, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    source: Any = None
    seed: int | str | None = None
    zones: Zones | None = None


class State(Struct, frozen=True):
    """One moment of a scene. Every change makes a new one that shares the rest."""

    scene: Scene
    actors: dict[ActorId, Any]
    relations: dict[ActorId, tuple[Relation, ...]] = {}
    facts: dict[str, Fact] = {}
    open_doors: tuple[str, ...] = ()
    mode: str = "tactical"
    round: int = 0
    active: ActorId | None = None
    last: ActorId | None = None
    """Who acted last, for whose turn is next."""
    rulings: tuple[Ruling, ...] = ()
    """What the guide has ruled in play, to be offered again; nobody else is shown any of it."""

    def with_actor(self, actor: Actor) -> State:
        """With the actor in place of the one of its id."""
        return replace(self, actors={**self.actors, actor.id: actor})

    def with_fact(self, fact: Fact) -> State:
        """With the fact in place of the one of its id."""
        return replace(self, facts={**self.facts, fact.id: fact})

    def relate(self, relation: Relation) -> State:
        """With the relation in place of one of its kind between the same two, or beside it where several may hold."""
        kind, other = type(relation), relation.other
        held = self.relations.get(relation.owner, ())
        kept = held if kind.several else [r for r in held if type(r) is not kind or r.other != other]
        return replace(self, relations={**self.relations, relation.owner: (*kept, relation)})

    def unrelate(self, kind: type[Relation], owner: ActorId, other: ActorId | None = None) -> State:
        """Without the owner's relations of the kind, toward one actor or toward all."""
        held = self.relations.get(owner, ())
        kept = tuple([r for r in held if type(r) is not kind or (other is not None and other != r.other)])
        if len(kept) == len(held):
            return self
        return replace(self, relations={**self.relations, owner: kept})

    def turn_begun(self, actor: Actor, round: int) -> State:
        """With the actor as it is for its turn, which is under way; what lasted until its start is over."""
        return replace(self.with_actor(actor), active=actor.id, round=round).expire(actor.id, "start")

    def turn_over(self, actor: Actor) -> State:
        """With the actor as it is after its turn, which is over with all that lasted until its end."""
        return replace(self.with_actor(actor), active=None, last=actor.id).expire(actor.id, "end")

    def after_last(self, order: tuple[ActorId, ...]) -> tuple[ActorId, ...]:
        """Those of an order who are in the scene, whoever comes behind the one who acted last first."""
        there = [name for name in order if name in self.actors]
        start = there.index(self.last) + 1 if self.last in there else 0
        return tuple(there[start:] + there[:start])

    def expire(self, whose: ActorId, edge: Edge) -> State:
        """Without the relations whose time is up at this edge of this actor's turn; others have one edge less to go."""
        if not any(_meets(r, whose, edge) for held in self.relations.values() for r in held):
            return self
        left = {}
        for owner, held in self.relations.items():
            stays = [r for r in held if not _meets(r, whose, edge) or (r.until and r.until.passing > 0)]
            left[owner] = tuple([_nearer(r) if _meets(r, whose, edge) else r for r in stays])
        return replace(self, relations=left)

    def without(self, relation: Relation) -> State:
        """Without exactly this relation, once."""
        held = list(self.relations.get(relation.owner, ()))
        if relation not in held:
            return self
        held.remove(relation)
        return replace(self, relations={**self.relations, relation.owner: tuple(held)})

    def related(self, kind: type[R], owner: ActorId) -> tuple[R, ...]:
        """The relations of one kind that the owner has."""
        held = self.relations.get(owner)
        return tuple([r for r in held if type(r) is kind]) if held else ()

    def relation(self, kind: type[R], owner: ActorId, other: ActorId) -> R | None:
        """The one relation of a kind between two, or None."""
        for held in self.relations.get(owner, ()):
            if type(held) is kind and held.other == other:
                return held
        return None

    def every(self, kind: type[R]) -> Iterator[R]:
        """All relations of a kind, by their owners in the order of the state."""
        for held in self.relations.values():
            for relation in held:
                if type(relation) is kind:
                    yield relation

    def facts_of(self, kind: type[F]) -> tuple[F, ...]:
        """All facts of a kind, in the order in which they were established."""
        return tuple([fact for fact in self.facts.values() if type(fact) is kind])


def seat_of(state: State, actor: ActorId) -> SeatId:
    """The seat that plays an actor; the guide for whoever is not in the scene."""
    found: Actor | None = state.actors.get(actor)
    return found.seat if found is not None else GUIDE


def _meets(relation: Relation, whose: ActorId, edge: Edge) -> bool:
    until = relation.until
    return until is not None and until.whose == whose and until.edge == edge


def _nearer(relation: Relation) -> Relation:
    assert relation.until is not None
    return replace(relation, until=replace(relation.until, passing=relation.until.passing - 1))
