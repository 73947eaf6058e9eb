"""What a game is made of: actions with their conditions and prices, settings, modifiers, and the rules they cite."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeVar

import msgspec

from turnwright.documents import Problem
from turnwright.events import CORE_EVENTS, Event
from turnwright.model import (
    GUIDE,
    NOTHING,
    Actor,
    ActorId,
    Amount,
    Answer,
    Bill,
    Cell,
    Check,
    Cost,
    Declaration,
    Moment,
    Outcome,
    Paid,
    Parameter,
    Price,
    Question,
    Refusal,
    RuleId,
    Ruling,
    SeatId,
    Setting,
    State,
    Stretch,
    Struct,
)
from turnwright.shown import Gauge, Mark, Measure, Reached, Tread
from turnwright.telling import Tellers, tell

if TYPE_CHECKING:
    from turnwright.engine import Play
    from turnwright.policy import Policy

T = TypeVar("T")
M = TypeVar("M", bound=Moment)
Steps = Generator[tuple[Question, ...], tuple[Answer, ...], T]
"""A rule being followed: it asks, is answered, and ends with a value."""


def ended(outcome: Outcome) -> Steps[Outcome]:
    """The outcome of an action that has nothing to ask."""
    yield from ()
    return outcome


Nature = Literal["proactive", "reactive", "free", "turn", "guide"]
"""What an action counts as. `free` is charged and recorded as nothing; `turn` moves the order of play; `guide` is done
by the guide and for nobody, so that its declaration names no actor."""


Station = Literal["rule", "clarify", "confirm", "impossible", "withdrawn", "react", "way"]
"""What the path itself asks, and how it can end before anything is resolved."""


class Pick(Protocol):
    """Takes one of several; a bot draws, a test enumerates."""

    def __call__(self, among: Sequence[T], /) -> T: ...


class Settled:
    """What was ruled and committed for the action that is being resolved, and the moment it reacts to."""

    __slots__ = ("moment", "paid", "ruling")

    def __init__(self, ruling: Ruling | None, paid: dict[ActorId, Paid], moment: Moment | None = None) -> None:
        self.ruling = ruling
        self.paid = paid
        self.moment = moment

    def __getitem__(self, actor: ActorId) -> Paid:
        return self.paid[actor]

    def __contains__(self, actor: ActorId) -> bool:
        return actor in self.paid


class Modifier(Struct, frozen=True):
    """One labelled, cited part of a number: added, or multiplied in after all that is added."""

    label: str
    amount: Fraction
    rule: RuleId
    times: bool = False


class Action(ABC):
    """One thing that can be declared: its conditions, its price and how it is resolved."""

    name: ClassVar[str]
    about: ClassVar[str]
    rules: ClassVar[tuple[RuleId, ...]]
    """The rules that a player who asks about this action is shown."""
    nature: ClassVar[Nature] = "proactive"
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    """Everything that a person may say of it besides goal, means and boost. What is not listed only a rule can set."""
    open_ended: ClassVar[bool] = False
    """Whether another action's procedure may turn out to govern it, so that what that one takes may be said too."""
    declared: ClassVar[bool] = True
    """Whether a person declares it; what only the rules do of themselves is no answer to what to do next."""
    reacts_to: ClassVar[type[Moment] | None] = None
    """The kind of moment that opens it, for a reaction."""
    interjected: ClassVar[bool] = False
    """Whether it is done while another's question is open, without being asked."""
    wants: ClassVar[tuple[str, ...]] = ("success", "automatic")
    """The results that are what the actor wanted."""

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        """What the declaration must still say before it can be ruled on."""
        yield from ()

    def variants(self, known: State, actor: ActorId) -> Iterable[Declaration]:
        """The declarations to list for an actor, one for each target or means; free parameters stay open."""
        yield Declaration(actor, self.name)

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        """A listed declaration with its free parameters chosen by `pick`, which takes one of several."""
        return d

    def records(self, state: State, d: Declaration) -> bool:
        """Whether committing to it counts as an action of its own, and not as going on with one."""
        return True

    def label(self, known: State, d: Declaration) -> str:
        """The offer in a few words."""
        return self.name.replace("_", " ")

    def complete(self, known: State, d: Declaration) -> Declaration:
        """The declaration with the goal and means that its parameters already state."""
        return d

    @abstractmethod
    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        """Every reason why it may not be done, apart from what cannot be paid."""

    @abstractmethod
    def price(self, known: State, d: Declaration) -> Price:
        """Everything that it uses up, as far as the one who asks can know."""

    def along(self, known: State, d: Declaration) -> tuple[Stretch, ...]:
        """What is used up on the way, step by step, as far as the one who asks can know."""
        return ()

    def reaches(self, known: State, d: Declaration) -> Iterable[Reached]:
        """Where a movement leads with what is left for it; with a route, only along it, Space by Space.

        The price of a way is the one that is charged, as far as the one who asks can know.
        """
        return ()

    def check(self, known: State, d: Declaration) -> Check | None:
        """The check that it will make, for what can be committed beyond the price."""
        return None

    def open_parameters(self, known: State, d: Declaration) -> tuple[Parameter, ...]:
        """The parameters with the choices that there are now."""
        return self.parameters

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """What the rules themselves say; None asks the guide."""
        return Ruling("procedure", procedure=self.name)

    def ruled(self, state: State, d: Declaration, ruling: Ruling) -> Ruling:
        """The ruling that was given, with what the action's own rule adds to it."""
        return ruling

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        """What the actor commits once it is ruled on."""
        return Bill(self.price(state, d), self.check(state, d), self.name)

    def others(self, state: State, d: Declaration, ruling: Ruling) -> dict[ActorId, Bill]:
        """What others commit at the same time, before any die falls."""
        return {}

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """What the actor is told before committing."""
        return ()

    def candidates(self, state: State, moment: Any) -> Iterable[Declaration]:
        """For a reaction: who may take it at this moment, as declarations to be put through the gate."""
        return ()

    def once(self, d: Declaration) -> tuple[str, ...]:
        """What a reaction can be only once at the same moment, however it is declared."""
        return (d.actor, d.action)

    def wanted(self, state: State, d: Declaration, outcome: Outcome) -> bool:
        """Whether an outcome is a success for whoever declared it, as things stood before it."""
        return outcome.result in self.wants

    def again(self, state: State, d: Declaration) -> bool:
        """Whether a reaction can be taken once more within what it has itself brought about."""
        return True

    @abstractmethod
    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """What happens, read from top to bottom like the rule."""


class Unasked(Action):
    """What is done without anybody's saying so: never declared, without conditions, and free."""

    nature: ClassVar[Nature] = "free"
    declared = False

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        yield from ()

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from ()

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING


class Game(ABC):
    """One rule system. The core asks it what it needs to know and never knows which game it is."""

    name: ClassVar[str]
    title: ClassVar[str]
    character: ClassVar[type[Actor]]
    events: ClassVar[tuple[type[Event], ...]]
    moments: ClassVar[tuple[type[Moment], ...]] = ()
    settings: ClassVar[type[Any]]
    open_settings: ClassVar[tuple[Setting, ...]] = ()
    boost: ClassVar[str] = ""
    """The resource that is committed beyond a price."""
    boost_word: ClassVar[str] = "Boost"
    """What it is called where its number follows: `Boost 2`."""
    boost_asked: ClassVar[str] = "how much beyond the price"
    """What is asked for, where it is committed."""
    guide_word: ClassVar[str] = "Guide"
    tells_dice: ClassVar[bool] = False
    """Whether its story says what one die shows, so that a line for the die alone would say it twice."""

    def __init__(self) -> None:
        self.actions: dict[str, Action] = {}
        self.reactions: dict[type[Moment], list[Action]] = {}
        self.event_types = CORE_EVENTS + self.events

    def register(self, *actions: Action) -> None:
        """Make actions part of the game. One without conditions or a price cannot even be built."""
        for action in actions:
            if action.name in self.actions:
                raise ValueError(f"two actions are called {action.name}")
            self.actions[action.name] = action
            if action.reacts_to is not None:
                self.reactions.setdefault(action.reacts_to, []).append(action)

    def event_named(self, name: str) -> type[Event] | None:
        """The kind of event of that name, if there is one."""
        return next((kind for kind in self.event_types if kind.__name__ == name), None)

    def procedures(self) -> tuple[str, ...]:
        """The actions whose procedure may govern what somebody declared: those that are done in one's own turn."""
        return tuple(
            [a.name for a in self.actions.values() if a.nature == "proactive" and a.declared and a.reacts_to is None]
        )

    def scene_warnings(self, text: str | bytes, source: str) -> tuple[Problem, ...]:
        """What a good scene file may have meant otherwise, each with its line and key."""
        return ()

    @abstractmethod
    def read_scene(self, text: str | bytes, source: str) -> State:
        """The first state of a scene file. Raises BadScene."""

    @abstractmethod
    def scene_schema(self) -> dict[str, Any]:
        """The JSON Schema of this game's scene files."""

    @abstractmethod
    def sample(self) -> str:
        """A small valid scene file with comments."""

    @abstractmethod
    def general(self, known: State, action: Action, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        """The reasons that hold for every action alike: whose turn it is, who is down, what a condition forbids."""

    @abstractmethod
    def available(self, known: State, actor: ActorId, resource: str) -> Amount | None:
        """How much of a resource the actor can still use; None where it is not limited."""

    @abstractmethod
    def short(self, known: State, actor: ActorId, cost: Cost, need: Amount, have: Amount) -> Refusal:
        """The reason for not being able to pay."""

    def ways(self, known: State, d: Declaration, price: Price) -> tuple[Price, ...]:
        """In which ways the price may be paid, the plain one first; several are told apart by their `way`."""
        return (price,)

    @cached_property
    def has_ways(self) -> bool:
        """Whether there is ever more than one way to pay."""
        return type(self).ways is not Game.ways

    def boosted(self, price: Price, boost: int) -> Price:
        """The price together with what is committed beyond it."""
        return price

    def acted(self, play: Play, action: Action, d: Declaration) -> None:
        """What else begins or ends when an action has been committed to."""

    def withdrew(self, play: Play, d: Declaration) -> None:
        """What is over when a declaration is taken back before its commitment."""

    def commit_moment(self, actor: ActorId, bill: Bill, ruling: Ruling | None) -> Moment | None:
        """The moment between the ruling and the commitment of a check, in which others may help."""
        return None

    def changed_moment(self, moment: M, outcome: Outcome) -> M:
        """The moment after a reaction to it."""
        return moment

    def may_react(self, state: State, moment: Moment) -> bool:
        """Whether anybody has a reaction to such a moment at all; quickly asked before the gate is."""
        return True

    def owners(self, state: State, reaction: Action, moment: Moment) -> Iterable[ActorId]:
        """Everybody who has such a reaction at all, for a table whose pauses must tell nothing."""
        return ()

    order_rule: ClassVar[RuleId] = ""
    """The rule by which simultaneous reactions are ordered."""
    path_rules: ClassVar[Mapping[Station, RuleId]] = {}
    """The rule behind each question and ending of the path itself."""

    def rule_of(self, station: Station) -> RuleId:
        return self.path_rules.get(station, "")

    @abstractmethod
    def known(self, state: State, seat: SeatId) -> State:
        """What a seat knows, as a state with the unknown left out."""

    def believed(self, state: State, known: State) -> tuple[State, tuple[str, ...]]:
        """What a seat knows with something assumed for each number that it does not know, and the assumptions in words.

        The truth is given only to tell which numbers are not known; nothing else of it may be used.
        """
        return known, ()

    def sees_event(self, before: State, after: State, event: Event, seat: SeatId) -> Event | None:
        """The event as the seat learns of it, or None."""
        if seat == GUIDE:
            return event
        private = event.private_to()
        if private is not None:
            owners = {after.actors[a].seat for a in private if a in after.actors}
            return event if seat in owners else None
        present = self.known(after, seat).actors, self.known(before, seat).actors
        who = event.concerns()
        return event if all(any(a in p for p in present) for a in who) else None

    @abstractmethod
    def suggestions(self, state: State, d: Declaration) -> tuple[Ruling, ...]:
        """Presets for the guide's ruling, the rules of thumb, best first."""

    def circumstances(self, state: State, d: Declaration) -> tuple[str, ...]:
        """What a ruling depends on besides action and method, in a few words each, always the same and in one order."""
        target = state.actors.get(d.target)
        about = [f"target {target.name}"] if target is not None else []
        return (state.mode, *about, *[f"{name} {d.options[name]}" for name in sorted(d.options)])

    @abstractmethod
    def incomplete(self, state: State, d: Declaration, ruling: Ruling) -> Iterator[Refusal]:
        """What the guide's ruling still lacks."""

    def warned_by(self, state: State, d: Declaration, ruling: Ruling) -> tuple[str, ...]:
        """What the ruling warns of."""
        return (ruling.warning,) if ruling.warning else ()

    def kept_in_mind(self, before: State, after: State) -> Iterable[Event]:
        """What somebody remembers, or believes to be as it was, where a change takes it out of sight or is not seen."""
        return ()

    settle_action: ClassVar[str] = ""
    """The action that brings the state in line after the guide changed something."""

    @abstractmethod
    def next_up(self, state: State) -> ActorId | None:
        """Whose turn is next by the order of the scene; None asks the guide or ends the scene."""

    def in_order(self, state: State) -> tuple[ActorId, ...]:
        """Everybody who can still have a turn, the next one first."""
        up = self.next_up(state)
        return () if up is None else (up,)

    def side_down(self, state: State) -> str | None:
        """A side that has nobody left to act, if there is one."""
        for side in state.scene.sides:
            members = [actor for actor in state.actors.values() if actor.side == side]
            if members and all(actor.down for actor in members):
                return side
        return None

    def bot(self) -> Policy | None:
        """Who plays it where no person does; None leaves that to a bot that knows nothing but the offers."""
        return None

    tellers: ClassVar[Tellers] = {}
    """How each kind of event is told; one that is not in it says nothing that another does not say."""

    def tell(self, state: State, event: Event) -> str:
        """The event as a line of the story; empty where it is not worth one."""
        return tell(self.tellers, state, event)

    def resource_words(self, resource: str, amount: int) -> str:
        """A part of a price as a person reads it, `2 AD`; empty where nobody would miss it."""
        kind, _, of = resource.partition(":")
        if of:
            words = f"{kind} {of.replace(':', ' ')}"
            return words if amount == 1 else f"{amount} x {words}"
        return f"{amount} {kind.upper() if len(kind) <= 3 else kind}"

    def boost_words(self, known: State, most: int) -> str:
        """How much may be committed beyond a price, as a person is told it beside that price."""
        return f"beyond it 0 to {most}"

    def measures(self, state: State) -> Iterable[Measure]:
        """The numbers worth foretelling of what is done in a state, such as what somebody loses by it."""
        return ()

    def moment_words(self, known: State, moment: Moment) -> str:
        """What a moment is, to whoever may react to it, by what they know; empty where they are told nothing."""
        return ""

    def tell_all(self, told: Sequence[tuple[State, Event]]) -> list[str]:
        """A run of events as lines of the story, each event with the state after it; several may be one line."""
        return [text for state, event in told if (text := self.tell(state, event))]

    def sums(self, state: State, actor: ActorId) -> Mapping[str, tuple[Modifier, ...]]:
        """The actor's derived numbers by name, each as the labelled and cited parts that make it up."""
        return {}

    def summary(self, state: State, actor: ActorId) -> str:
        """The actor's numbers at a glance."""
        return ""

    def sheet(self, state: State, actor: ActorId) -> Mapping[str, Any]:
        """The actor's numbers as plain data."""
        return dict(msgspec.to_builtins(state.actors[actor], enc_hook=str))

    def gauges(self, state: State, actor: ActorId) -> tuple[Gauge, ...]:
        """What of an actor can be counted at a glance, what it acts with first."""
        return ()

    def conditions(self, state: State, actor: ActorId) -> tuple[Mark, ...]:
        """The conditions that an actor is under."""
        return tuple([Mark(str(name).replace("_", " ")) for name in self.sheet(state, actor).get("conditions", ())])

    def hiding(self, known: State, actor: ActorId) -> tuple[Mark, ...]:
        """From whom an actor is hidden and who has noticed it, as far as its seat knows."""
        return ()

    def unplaced(self, known: State, actor: ActorId) -> tuple[Mark, ...]:
        """Those of whom an actor knows without knowing where they are, and what it remembers of them."""
        return ()

    def footprint(self, known: State, actor: ActorId) -> tuple[Cell, ...]:
        """The Spaces that an actor fills; none where it is on no map, or nobody knows where."""
        at = known.actors[actor].at
        return (at,) if isinstance(at, tuple) else ()

    def sees_of(self, state: State, actor: ActorId, among: Iterable[Cell]) -> Iterable[Cell]:
        """Which of these Spaces an actor sees as things stand; all of them, where the game does not say."""
        return among

    def space_metres(self, state: State) -> Fraction | int:
        """How many metres a Space is across."""
        return 1

    def door_words(self, known: State, door: str) -> str:
        """What keeps a closed door shut, in a word such as `barred`; empty where nothing does, as far as is known."""
        return ""


Build = Callable[[], tuple[Question, ...]]


def find_game(name: str) -> Game:
    """The game of that name. Raises LookupError naming the games there are."""
    found = games()
    if name not in found:
        raise LookupError(f"no game is called {name!r}; there are: {', '.join(sorted(found)) or 'none'}")
    return found[name]


_GAMES: dict[str, Game] = {}


def games() -> dict[str, Game]:
    """Every installed game by name, found by the entry points of the group `turnwright.systems`."""
    if not _GAMES:
        from importlib.metadata import entry_points  # slow to import, and not every use needs a game

        loaded = [point.load() for point in entry_points(group="turnwright.systems")]
        _GAMES.update({game.name: game for game in loaded})  # at once: another thread sees all of them or none
    return _GAMES


def total_of(modifiers: Iterable[Modifier], start: int | Fraction) -> Fraction:
    """The number with everything added first and multiplied in after it."""
    value, factor = Fraction(start), Fraction(1)
    for modifier in modifiers:
        if modifier.times:
            factor *= modifier.amount
        else:
            value += modifier.amount
    return value * factor


def unpriced(game: Game, known: State, d: Declaration, price: Price) -> Iterator[Refusal]:
    """The reasons why a price cannot be paid, one for each resource that falls short."""
    alone = len(price.costs) == 1
    for item in price.costs:
        have = game.available(known, d.actor, item.resource)
        need = item.amount if alone else price.amount(item.resource)
        if have is not None and have < need and item is _first(price, item.resource):
            yield game.short(known, d.actor, item, need, have)


def _first(price: Price, resource: str) -> Cost:
    return next(item for item in price.costs if item.resource == resource)


__all__ = [
    "NOTHING",
    "Action",
    "Game",
    "Gauge",
    "Mark",
    "Measure",
    "Modifier",
    "Reached",
    "Settled",
    "Steps",
    "Tread",
    "find_game",
    "games",
]
