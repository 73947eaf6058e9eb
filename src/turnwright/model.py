"""The nouns of every game: state, actors, relations, declarations, rulings, prices, questions and answers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self, TypeVar

import msgspec
from msgspec.structs import replace

from turnwright.dice import Pool
from turnwright.space import Grid, Zones

ActorId = str
SeatId = str
RuleId = str
Cell = tuple[int, int]
At = Cell | str | None
"""A Space of the map, the name of a zone or place, or unknown."""
Amount = int
GUIDE: SeatId = "guide"
"""The seat that knows everything and rules."""
SPECTATOR: SeatId = "spectator"
"""Whoever only watches, such as a screen for all: it knows what every player knows."""

Edge = Literal["start", "end"]
R = TypeVar("R", bound="Relation")
F = TypeVar("F", bound="Fact")
A = TypeVar("A", bound="Actor")


class Struct(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A frozen value."""


class Moment(Struct, frozen=True, tag=True):
    """Something that is just happening and to which others may react; a game adds its own kinds."""


class Actor(Struct, frozen=True):
    """Whoever acts in the scene; each game adds its sheet and its live numbers as fields."""

    id: ActorId
    name: str
    side: str = ""
    seat: SeatId = GUIDE
    at: At = None

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


class Declaration(Struct, frozen=True):
    """What a seat says that its character does: the goal and the means, then what the action needs to know.

    `boost` is the commitment beyond the price, sealed; None leaves it to be asked for.
    """

    actor: ActorId
    action: str
    intent: str = ""
    method: str = ""
    target: ActorId = ""
    route: tuple[Cell | str, ...] = ()
    options: dict[str, str | int | bool] = {}
    boost: int | None = None
    way: str = ""
    """In which way it is paid, by its name or its number, where there are several; empty leaves it to be asked for."""

    def option(self, name: str) -> str:
        return str(self.options.get(name, "")) if self.options else ""

    def key(self) -> tuple[object, ...]:
        """What identifies the declaration; free text apart from intent and method is part of the options."""
        said = (self.actor, self.action, self.target, self.route, tuple(sorted(self.options.items())), self.boost)
        return (*said, self.way) if self.way else said


class Refusal(Struct, frozen=True):
    """One reason why something may not be done, with the rule that says so."""

    rule: RuleId
    text: str
    code: str = ""


class Cost(Struct, frozen=True):
    """One thing that an action uses up: so much of a resource, why, and by which rule."""

    resource: str
    amount: int
    why: str
    rule: RuleId


class Stretch(Struct, frozen=True):
    """One part of what is used up on the way, step by step: metres of allowance, why, and by which rule."""

    metres: Fraction
    why: str
    rule: RuleId


class Price(Struct, frozen=True):
    """Everything that an action uses up, item by item: what is charged at once, and the metres along the way."""

    costs: tuple[Cost, ...] = ()
    along: tuple[Stretch, ...] = ()
    way: str = ""
    """What this way of paying is called, where there are several."""

    def amount(self, resource: str) -> int:
        found = 0
        for cost in self.costs:
            if cost.resource == resource:
                found += cost.amount
        return found

    @property
    def metres(self) -> Fraction:
        """Metres of allowance that are used up on the way."""
        return sum((stretch.metres for stretch in self.along), Fraction(0))

    def plus(self, *costs: Cost) -> Price:
        return Price(self.costs + costs, self.along, self.way)


NOTHING = Price()


def cost(resource: str, amount: int, why: str, rule: RuleId) -> Cost:
    """One thing that is used up, as a short word in prices."""
    return Cost(resource, amount, why, rule)


class Check(Struct, frozen=True):
    """A check that an action will make: by whom, in what, with how many dice at least, and how far it is boosted."""

    actor: ActorId
    skill: str
    dice: int
    most: int
    """How much may be committed beyond the price: the limit of the rule and of what can be paid."""
    why_most: RuleId = ""


class Bill(Struct, frozen=True):
    """What somebody commits before any die falls: the price and, for a check, the check."""

    price: Price
    check: Check | None = None
    label: str = ""


class Paid(Struct, frozen=True):
    """What somebody has committed."""

    price: Price = NOTHING
    boost: int = 0
    dice: int = 0
    edge: int = 0
    """Advantages less Disadvantages from whoever helped or hindered before the commitment."""


RulingKind = Literal["procedure", "automatic", "impossible", "check", "unclear"]


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """The guide's word on a declaration. Which parts it must have follows from its kind.

    `procedure` names the action whose rule governs; `impossible` needs the obstacle; a check needs skill,
    target (or `against`, whose Readiness Score it is), and what success and failure bring.
    """

    kind: RulingKind
    procedure: str = ""
    skill: str = ""
    target: int | None = None
    against: ActorId = ""
    secret: bool = False
    success: str = ""
    failure: str = ""
    obstacle: str = ""
    tier: str = ""
    ad: int | None = None
    dice: int | None = None
    boost: int | None = None
    """The most that may be committed beyond the price, where a rule changes it."""
    good: bool = True
    """Whether an automatic outcome is what the actor wanted."""
    counts: bool = True
    """Whether what was described is an action at all."""
    bundle: bool = False
    """Whether several trivial acts are priced as one minor action."""
    wounds: int = 0
    consequence: str = ""
    amount: int = 0
    scope: tuple[str, ...] = ()
    finds: tuple[str, ...] = ()
    reveals: bool = False
    """Whether doing it plainly gives away where the actor is; whoever does it is warned before committing."""
    warning: str = ""
    sets: dict[str, str] = {}
    """Facts that hold after a success, by name."""
    why: str = ""
    """What makes the attempt uncertain: risky, dramatic, contested or uncertain."""
    when: str = ""
    """For a ruling that is kept: `action: method`, and after it each circumstance behind a `|`."""


class Then(Struct, frozen=True):
    """The rest of a long action: declared on the state as it stands, not charged and not ruled again."""

    declaration: Declaration


class Outcome(Struct, frozen=True):
    """How an action ended."""

    action: str
    result: str
    who: tuple[ActorId, ...] = ()
    amount: int = 0
    then: Then | None = None

    CANCELLED: ClassVar[str] = "withdrawn"


# Questions: what the engine keeps. What a seat sees of one is made in `known`.


class Option(Struct, frozen=True):
    """One thing that may be answered; `most` is how much may be committed with it, `price` what it costs without."""

    id: str
    label: str
    price: Price = NOTHING
    most: int = 0
    rule: RuleId = ""
    why_most: RuleId = ""
    """The rule that limits what may be committed with it."""


class Question(Struct, frozen=True, tag=True):
    """Something that somebody must answer before play goes on."""

    who: SeatId
    """The seat that is asked."""
    actor: ActorId
    """For whom it answers; empty for the guide's own word."""
    prompt: str
    rule: RuleId


class Roll(Question, frozen=True):
    """Dice to be thrown. With `against` the reading is whether the total exceeds it (meets it, where `ties` count).

    With `level` set besides, it is 1 above the number, 0 at it and -1 below it.
    """

    pool: Pool
    skill: str = ""
    against: int | None = None
    ties: bool = False
    level: bool = False

    def reading(self, total: int) -> int:
        """What a total reads as."""
        if self.against is None:
            return total
        if self.level:
            return (total > self.against) - (total < self.against)
        return int(self.pool.passes(total, self.against, self.ties))


class Choose(Question, frozen=True):
    """One of several options, some with an amount committed to them."""

    options: tuple[Option, ...]
    about: str = ""
    """What standing answers go by: the name of a reaction, a response, an order."""
    refused: tuple[Refusal, ...] = ()
    """Why other answers are not open."""
    moment: Moment | None = None
    may_withdraw: bool = False


class Commit(Question, frozen=True):
    """How much is committed beyond the price; the last moment at which a declaration can be withdrawn for nothing."""

    price: Price
    most: int
    skill: str = ""
    moment: Moment | None = None
    may_withdraw: bool = True
    warnings: tuple[str, ...] = ()
    ruling: Ruling | None = None


class Rule(Question, frozen=True):
    """The guide is asked to rule on a declaration; `suggested` are the answers of the rules of thumb, best first."""

    declaration: Declaration
    suggested: tuple[Ruling, ...] = ()


class Confirm(Question, frozen=True):
    """The actor is shown what the ruling changed, or a warning, and goes on or withdraws."""

    price: Price
    warnings: tuple[str, ...] = ()
    moment: Moment | None = None
    ruling: Ruling | None = None


class Clarify(Question, frozen=True):
    """The guide could not tell the goal or the means from the declaration."""


class Order(Question, frozen=True):
    """In which order several act."""

    among: tuple[ActorId, ...]


class Answer(Struct, frozen=True, tag=True):
    """What was answered."""


class Rolled(Answer, frozen=True):
    """A reading: the total, or 1 and 0 for yes and no. Faces and total are for the log and the screen."""

    value: int
    total: int | None = None
    faces: tuple[int, ...] = ()
    by: str = "engine"


class Chosen(Answer, frozen=True):
    """One of the options, by its id, and how much is committed with it."""

    id: str
    amount: int = 0


class Committed(Answer, frozen=True):
    """How much is committed beyond the price."""

    boost: int = 0


class Ruled(Answer, frozen=True):
    """The guide's ruling."""

    ruling: Ruling


class Confirmed(Answer, frozen=True):
    """It goes on at the price that was shown."""


class Clarified(Answer, frozen=True):
    """The goal and the means, said again; an empty one stays as it was."""

    intent: str = ""
    method: str = ""


class Ordered(Answer, frozen=True):
    """Those who act at the same moment, the first one first."""

    actors: tuple[ActorId, ...]


class Withdraw(Answer, frozen=True):
    """The declaration is taken back before anything is committed."""


class Again(Answer, frozen=True):
    """Something was interjected: the same question is put again. Never given by a person."""


AnyAnswer = Rolled | Chosen | Committed | Ruled | Confirmed | Clarified | Ordered | Withdraw
"""What an entry of a log can hold as an answer."""


class Parameter(Struct, frozen=True):
    """Something that a declaration may or must say besides its actor and action."""

    name: str
    kind: Literal["text", "actor", "route", "number", "choice", "cell", "place", "yes"]
    about: str
    required: bool = False
    choices: tuple[str, ...] = ()
    most: int = 0
    by_name: bool = False
    """Whether it is said only by its name: it is neither asked for nor read out of free words."""


class Offer(Struct, frozen=True):
    """What one action would be for one actor now: the verdict, the price, the ways to pay and every reason against."""

    declaration: Declaration
    verdict: Literal["legal", "illegal", "ruling"]
    label: str
    price: Price = NOTHING
    ways: tuple[Price, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    warnings: tuple[str, ...] = ()
    rules: tuple[RuleId, ...] = ()

    @property
    def action(self) -> str:
        return self.declaration.action


class Refused(Exception):
    """A declaration or an answer that the rules do not allow. Nothing was changed."""

    def __init__(self, *refusals: Refusal) -> None:
        self.refusals = refusals
        super().__init__("; ".join(f"{r.text} [{r.rule}]" if r.rule else r.text for r in refusals))


def enc_hook(value: object) -> object:
    """How a fraction is written in JSON: as text, exactly."""
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"{type(value)} cannot be written")


def dec_hook(kind: type, value: object) -> object:
    """How a fraction is read from JSON."""
    if kind is Fraction:
        return Fraction(str(value))
    raise NotImplementedError(f"{kind} cannot be read")
