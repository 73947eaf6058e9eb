"""Reflexive actions: they take next to no time, may be done at any moment, and mostly need no roll."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import (
    NOTHING,
    ActorId,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    State,
    Struct,
    cost,
)
from turnwright.rules import Action, Nature, Settled, Steps, ended
from turnwright.systems.storypath.events import (
    Did,
    Engaged,
    Helping,
    ItemPlaced,
    KnackUsed,
    ProneSet,
    Small,
    SmallDone,
)
from turnwright.systems.storypath.rolls import (
    bears,
    console,
    difficulty,
    enhanced,
    help_for,
    spend_momentum,
    suffer,
    throw,
    unstrain,
    use_help,
)
from turnwright.systems.storypath.sheet import character, settings
from turnwright.systems.storypath.space import engaged_with
from turnwright.systems.storypath.turn import action_price, room_for_parts, room_for_small, takes_place

TOPICS = ("reflexive",)

ANY_TIME = "storypath.reflexive.any-time"
STAND = "storypath.reflexive.stand-up"
HOLSTER = "storypath.reflexive.draw-from-holster"
OPEN_LIST = "storypath.reflexive.list-is-open"
ROLLED = "storypath.reflexive.roll-not-excluded"


class Classified(Struct, frozen=True):
    """What a deed is by the table of deeds: its type, whether it is rolled, whether it counts in a mixed action."""

    type: str
    requires_roll: bool
    counts: bool


LISTED = {
    "look around": "storypath.reflexive.look-around",
    "retrieve holstered object": HOLSTER,
    "move": "storypath.reflexive.move-up-to-max-speed",
    "stand up": STAND,
}
"""The reflexives of every day, each with its rule."""


def classify(state: State, deed: str) -> Classified:
    """What a deed is: a listed reflexive, one that the scene lists, or something that takes all attention.

    Rules: storypath.reflexive.list-is-open, storypath.reflexive.look-around, storypath.simple.full-attention.
    """
    if deed in LISTED:
        return Classified("reflexive", False, True)
    small = small_named(state, deed)
    if small is not None:
        return Classified("reflexive", small.pool > 0, small.listed)
    return Classified("simple", True, False)


def small_named(state: State, name: str) -> Small | None:
    return next((small for small in state.facts_of(Small) if small.name == name), None)


class Reflexive(Action):
    """What is done at any moment, on whosever turn, and takes nothing of the turn's action.

    Rules: storypath.reflexive.any-time, storypath.reflexive.automatic, storypath.reflexive.little-time,
    storypath.reflexive.listed-count-toward-mixed-limit.
    """

    nature: ClassVar[Nature] = "free"
    interjected = True
    counts: ClassVar[bool] = True
    """Whether it is of the listed kind, which takes a place beside a mixed action."""

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if self.counted(known, d):
            yield from room_for_small(known, character(known, d.actor))
        yield from self.own_refusals(known, d)

    def counted(self, known: State, d: Declaration) -> bool:
        return self.counts

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from ()

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def done(self, play: Play, d: Declaration, deed: str, rule: str, *, rolled: bool = False) -> None:
        counts = self.counted(play.state, d) and takes_place(play.state, d.actor)
        play.emit(SmallDone(rule, d.actor, deed, counts, rolled))


class Look(Reflexive):
    """Look around.

    Rules: storypath.reflexive.look-around.
    """

    name = "look"
    about = "look around"
    rules = ("storypath.reflexive.look-around", ANY_TIME)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        self.done(play, d, "look around", "storypath.reflexive.look-around")
        return ended(Outcome(self.name, "success"))


class Draw(Reflexive):
    """Take something out of a holster, sheath or belt into the hand.

    Rules: storypath.reflexive.draw-from-holster.
    """

    name = "draw"
    about = "take something out of a holster, a sheath, a belt"
    rules = (HOLSTER,)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("item", "text", "what is drawn", required=True),)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for item in character(known, actor).items:
            if item.place == "holster":
                yield Declaration(actor, self.name, options={"item": item.name})

    def label(self, known: State, d: Declaration) -> str:
        return f"draw {d.option('item')}".strip()

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("item"):
            yield Refusal(HOLSTER, "say what is drawn", "INCOMPLETE item")

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        who = character(known, d.actor)
        item = who.item(d.option("item"))
        if not d.option("item"):
            return
        if item is None:
            yield Refusal(HOLSTER, f"{who.name} has no {d.option('item')}", "NO_ITEM")
        elif item.place == "hand":
            yield Refusal(HOLSTER, f"the {item.name} is in the hand already", "IN_HAND")
        elif item.place != "holster":
            yield Refusal(HOLSTER, f"the {item.name} is not ready to hand: rummaging is a simple action", "NOT_READY")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(ItemPlaced(HOLSTER, d.actor, d.option("item"), "hand"))
        self.done(play, d, "retrieve holstered object", HOLSTER)
        return ended(Outcome(self.name, "success"))


class Stand(Reflexive):
    """Get up.

    Rules: storypath.reflexive.stand-up.
    """

    name = "stand"
    about = "get up"
    rules = (STAND,)

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        who = character(known, d.actor)
        if not who.prone:
            yield Refusal(STAND, f"{who.name} is on their feet", "NOT_PRONE")

    def price(self, known: State, d: Declaration) -> Price:
        who = character(known, d.actor)
        if settings(known).stand_engaged == "simple" and engaged_with(known, who):
            return action_price("getting up among foes")
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(ProneSet(STAND, d.actor, False))
        self.done(play, d, "stand up", STAND)
        return ended(Outcome(self.name, "success"))


class SmallDeed(Reflexive):
    """A reflexive deed that the scene lists; one that its Storyguide marks is like those of every day, and some roll.

    It may be tried as often as one likes, but only the first try in a round consoles.
    Rules: storypath.reflexive.list-is-open, storypath.reflexive.roll-not-excluded.
    """

    name = "small_deed"
    about = "do something that takes no time"
    rules = (OPEN_LIST, ROLLED)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("deed", "text", "what is done", required=True),)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for small in known.facts_of(Small):
            yield Declaration(actor, self.name, options={"deed": small.name})

    def label(self, known: State, d: Declaration) -> str:
        return d.option("deed") or "a small deed"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("deed"):
            yield Refusal(OPEN_LIST, "say what is done", "INCOMPLETE deed")

    def counted(self, known: State, d: Declaration) -> bool:
        small = small_named(known, d.option("deed"))
        return small is not None and small.listed

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if d.option("deed") and small_named(known, d.option("deed")) is None:
            listed = ", ".join([small.name for small in known.facts_of(Small)]) or "none"
            yield Refusal(OPEN_LIST, f"reflexive deeds of this scene: {listed}", "NO_DEED")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        small = small_named(play.state, d.option("deed"))  # kept: what is tried
        assert small is not None
        if not small.pool:
            self.done(play, d, small.name, OPEN_LIST)
            return Outcome(self.name, "success")
        again = small.name in character(play.state, d.actor).tried  # kept: before it was tried now
        self.done(play, d, small.name, OPEN_LIST, rolled=True)
        more = self._enhancement(play, d.actor)
        result = yield from throw(play, d.actor, small.name, small.pool, ROLLED, enhancement=more)
        use_help(play, d.actor, "")
        over = enhanced(play.state, result, more) - difficulty(
            play.state, character(play.state, d.actor), small.difficulty
        )
        good = over >= 0 and not result.botch
        unstrain(play, d.actor)
        play.emit(Did(ROLLED, d.actor, small.name, good))
        if not good and not again:
            console(play, d.actor, result.botch)
        suffer(play, d.actor, not good or bears(play.state, d.actor, over))
        return Outcome(self.name, "botch" if result.botch else "success" if good else "failure")

    def _enhancement(self, play: Play, actor: ActorId) -> int:
        who = character(play.state, actor)
        return who.enhancement + help_for(play.state, who, "")


# -- Knacks

KNACK = "storypath.reflexive.knack-default"
OTHERWISE = "storypath.reflexive.knack-exception"


class _Knack(Reflexive):
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("knack", "text", "which Knack", required=True),)
    kind: ClassVar[str]

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for knack in character(known, actor).knacks:
            if knack.action == self.kind:
                yield Declaration(actor, self.name, options={"knack": knack.name})

    def label(self, known: State, d: Declaration) -> str:
        return d.option("knack") or "a Knack"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("knack"):
            yield Refusal(KNACK, "say which Knack", "INCOMPLETE knack")

    def counted(self, known: State, d: Declaration) -> bool:
        """Rules: storypath.reflexive.listed-count-toward-mixed-limit."""
        return settings(known).knacks_count and self.kind == "reflexive"

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        who = character(known, d.actor)
        knack = who.knack(d.option("knack"))
        if not d.option("knack"):
            return
        if knack is None:
            yield Refusal(KNACK, f"{who.name} has no Knack called {d.option('knack')}", "NO_KNACK")
        elif knack.action != self.kind:
            name = "knack" if knack.action == "reflexive" else "knack_action"
            yield Refusal(OTHERWISE, f"{knack.name} is {knack.action}: {name}", "OTHER_TYPE")

    def price(self, known: State, d: Declaration) -> Price:
        knack = character(known, d.actor).knack(d.option("knack"))
        base = action_price("a Knack that says so") if self.kind == "simple" else NOTHING
        if knack is None or not knack.momentum:
            return base
        return base.plus(cost("momentum", knack.momentum, knack.name, KNACK))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        knack = character(play.state, d.actor).knack(d.option("knack"))
        assert knack is not None
        if knack.momentum:
            spend_momentum(play, knack.momentum, KNACK, knack.name)
        if self.kind == "simple":
            play.emit(Engaged(OTHERWISE, d.actor, 1))
        play.emit(KnackUsed(KNACK if self.kind == "reflexive" else OTHERWISE, d.actor, knack.name, knack.armor))
        if knack.enhancement:
            play.emit(Helping(KNACK, d.actor, knack.enhancement, knack.skill))
        if self.counted(play.state, d):
            self.done(play, d, knack.name, KNACK)
        return ended(Outcome(self.name, "success"))


class UseKnack(_Knack):
    """Switch on a Knack: reflexive, unless its own text says otherwise.

    Rules: storypath.reflexive.knack-default.
    """

    name = "knack"
    about = "switch on a Knack"
    rules = (KNACK,)
    kind = "reflexive"


class UseKnackAsAction(_Knack):
    """Switch on a Knack whose own text takes the action.

    Rules: storypath.reflexive.knack-exception.
    """

    name = "knack_action"
    about = "switch on a Knack that takes your action"
    nature: ClassVar[Nature] = "proactive"
    rules = (OTHERWISE,)
    kind = "simple"
    interjected = False

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from room_for_parts(known, character(known, d.actor), 1, False)
        yield from self.own_refusals(known, d)
