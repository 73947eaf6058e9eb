"""A game of a hundred lines for tests of the core: pebbles are paid, a wager is rolled, and others may react."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Self

import msgspec
import pytest
from msgspec.structs import replace

from turnwright.dice import Pool
from turnwright.engine import Play, ask, window
from turnwright.events import Event, Told
from turnwright.model import (
    GUIDE,
    NOTHING,
    Actor,
    ActorId,
    Bill,
    Check,
    Choose,
    Chosen,
    Cost,
    Declaration,
    Moment,
    Option,
    Outcome,
    Parameter,
    Price,
    Refusal,
    Roll,
    Rolled,
    Ruling,
    Scene,
    SeatId,
    State,
    Then,
    cost,
)
from turnwright.rules import Action, Game, Settled, Steps, ended, games


class Player(Actor, frozen=True):
    pebbles: int = 3
    secret: int = 0
    shells: int = 0

    def pay(self, resource: str, amount: int) -> Self:
        return replace(self, **{resource: getattr(self, resource) - amount})


class Won(Event, frozen=True):
    """Pebbles came back."""

    actor: ActorId
    pebbles: int

    def apply(self, state: State) -> State:
        old = state.actors[self.actor]
        return state.with_actor(replace(old, pebbles=old.pebbles + self.pebbles))


class Left(Event, frozen=True):
    """Somebody is no longer there."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return replace(state, actors={name: actor for name, actor in state.actors.items() if name != self.actor})


class Whispered(Event, frozen=True):
    """Only its own seat learns of it."""

    actor: ActorId

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor,)


class Rattled(Moment, frozen=True):
    by: ActorId
    loud: int = 1


class Ready(Moment, frozen=True):
    actor: ActorId


class Plain(Action):
    """What the toy's actions share: they cost `pebbles` and have no conditions of their own."""

    rules: ClassVar[tuple[str, ...]] = ("pebbles.plain.rule",)
    pebbles = 0

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from ()

    def price(self, known: State, d: Declaration) -> Price:
        return Price((cost("pebbles", self.pebbles, self.name, self.rules[0]),)) if self.pebbles else NOTHING


class Wager(Plain):
    """Rolls and wins as many pebbles as the die shows above 3."""

    name, about, pebbles = "wager", "roll for pebbles", 1

    def check(self, known: State, d: Declaration) -> Check | None:
        return Check(d.actor, "luck", 1, 2, "pebbles.wager.limit")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        roll = Roll(play.state.actors[d.actor].seat, d.actor, "roll", "", Pool(paid[d.actor].dice, read="highest"))
        read = yield from ask(roll, Rolled)
        if read.value > 3:
            play.emit(Won("", d.actor, read.value - 3))
        return Outcome(self.name, "won" if read.value > 3 else "lost", amount=read.value)


class Rattle(Plain):
    """Makes a noise to which others may react; loudness is what they made of it."""

    name, about = "rattle", "make a noise"

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        heard = yield from window(play, Rattled(d.actor))
        return Outcome(self.name, "heard", amount=heard.loud)


class Answer(Plain):
    """A reaction that makes a noise of its own, to which others may react again."""

    name, about, nature, pebbles = "answer", "rattle back", "reactive", 1
    reacts_to = Rattled

    def candidates(self, state: State, moment: Rattled) -> Iterable[Declaration]:
        return [Declaration(a.id, self.name) for a in state.actors.values() if a.id != moment.by]

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not isinstance(moment, Rattled) or moment.by == d.actor:
            yield Refusal("pebbles.answer.rule", "nobody rattled", "NO_TRIGGER")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        heard = yield from window(play, Rattled(d.actor))
        return Outcome(self.name, "answered", amount=heard.loud)


class Cheer(Plain):
    """Interjected while somebody is about to wager; asks a question of its own."""

    name, about, nature, interjected = "cheer", "cheer for a wager", "reactive", True
    reacts_to = Ready

    def candidates(self, state: State, moment: Ready) -> Iterable[Declaration]:
        return [Declaration(a.id, self.name) for a in state.actors.values() if a.id != moment.actor]

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not isinstance(moment, Ready) or moment.actor == d.actor:
            yield Refusal("pebbles.cheer.rule", "nobody is about to wager", "NO_WINDOW")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        options = (Option("softly", "softly"), Option("loudly", "loudly"))
        given = yield from ask(Choose(play.state.actors[d.actor].seat, d.actor, "How?", "", options), Chosen)
        play.emit(Told("", d.actor, f"cheers {given.id}"))
        return Outcome(self.name, given.id)


class March(Plain):
    """So many steps, each a question and the rest a declaration of its own; a step may change nothing."""

    name, about = "march", "one step after the other"
    parameters = (Parameter("steps", "number", "how many", required=True),)

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.options.get("steps"):
            yield Refusal("pebbles.march.rule", "say how many steps", "INCOMPLETE steps")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        options = (Option("quiet", "quiet"), Option("noisy", "noisy"))
        given = yield from ask(Choose(play.state.actors[d.actor].seat, d.actor, "How?", "", options), Chosen)
        if given.id == "noisy":
            play.emit(Won("", d.actor, 1))
        left = int(d.options["steps"]) - 1
        if not left:
            return Outcome(self.name, "arrived")
        return Outcome(self.name, "going on", then=Then(replace(d, options={"steps": left})))


class Petition(Plain):
    """The guide rules on it."""

    name, about = "petition", "ask for something"

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        return None

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        return Bill(Price((cost("pebbles", ruling.ad or 0, "petition", ""),)), None, "petition")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        return ended(Outcome(self.name, "heard"))


class Pebbles(Game):
    name, title, character = "pebbles", "Pebbles", Player
    events = (Won, Left, Whispered)
    moments = (Rattled, Ready)
    settings = msgspec.Struct
    boost = "pebbles"
    order_rule = "pebbles.order.rule"

    def __init__(self) -> None:
        super().__init__()
        self.register(Wager(), Rattle(), Answer(), Cheer(), March(), Petition())

    def read_scene(self, text: str | bytes, source: str) -> State:
        said = msgspec.json.decode(text)
        seats = said.get("seats", {})
        shells = said.get("shells", {})
        players = [
            Player(name, name.title(), "", seats.get(name, GUIDE), pebbles=n, shells=shells.get(name, 0))
            for name, n in said["pebbles"].items()
        ]
        return State(Scene(self.name, "a game", None), {player.id: player for player in players})

    def scene_schema(self) -> dict[str, Any]:
        return {"type": "object"}

    def sample(self) -> str:
        return '{"system": "pebbles", "pebbles": {"a": 3, "b": 3}}'

    def general(self, known: State, action: Action, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from ()

    def available(self, known: State, actor: ActorId, resource: str) -> int | None:
        held: int = getattr(known.actors[actor], resource)
        return held

    def short(self, known: State, actor: ActorId, cost: Cost, need: int, have: int) -> Refusal:
        return Refusal("pebbles.pay.rule", f"it needs {need} {cost.resource}; there are {have}", "SHORT")

    def boosted(self, price: Price, boost: int) -> Price:
        return price.plus(cost("pebbles", boost, "more dice", "pebbles.wager.limit")) if boost else price

    def commit_moment(self, actor: ActorId, bill: Bill, ruling: Ruling | None) -> Moment | None:
        return Ready(actor)

    def changed_moment(self, moment: Any, outcome: Outcome) -> Any:
        return replace(moment, loud=moment.loud + outcome.amount) if isinstance(moment, Rattled) else moment

    def owners(self, state: State, reaction: Action, moment: Moment) -> Iterable[ActorId]:
        return [name for name in state.actors if name != getattr(moment, "by", "")]

    def known(self, state: State, seat: SeatId) -> State:
        if seat == GUIDE:
            return state
        seen = {k: a if a.seat == seat else replace(a, secret=0) for k, a in state.actors.items()}
        return replace(state, actors=seen, rulings=(), scene=replace(state.scene, rulings=()))

    def suggestions(self, state: State, d: Declaration) -> tuple[Ruling, ...]:
        return (Ruling("automatic"),)

    def incomplete(self, state: State, d: Declaration, ruling: Ruling) -> Iterator[Refusal]:
        yield from ()

    def next_up(self, state: State) -> ActorId | None:
        return next(iter(state.actors), None)

    def side_down(self, state: State) -> str | None:
        return None

    def tell(self, state: State, event: Event) -> str:
        return type(event).__name__


class Shells(Pebbles):
    """The same, but what costs pebbles may be paid in shells, one for one."""

    name, title = "shells", "Shells"

    def ways(self, known: State, d: Declaration, price: Price) -> tuple[Price, ...]:
        shells = tuple(replace(item, resource="shells") for item in price.costs)
        return (replace(price, way="pebbles"), replace(price, costs=shells, way="shells")) if shells else (price,)


@pytest.fixture
def pebbles(monkeypatch: pytest.MonkeyPatch) -> Pebbles:
    """The game, installed for one test."""
    game = Pebbles()
    monkeypatch.setitem(games(), game.name, game)
    return game


@pytest.fixture
def shells(monkeypatch: pytest.MonkeyPatch) -> Shells:
    game = Shells()
    monkeypatch.setitem(games(), game.name, game)
    return game
