"""Moving: a step that takes no time, hurrying farther with a roll, rushing at somebody, and getting away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import (
    ActorId,
    At,
    Bill,
    Cell,
    Check,
    Declaration,
    Outcome,
    Parameter,
    Price,
    Refusal,
    Ruling,
    State,
    cost,
)
from turnwright.rules import Pick, Settled, Steps, ended
from turnwright.systems.storypath.events import Moved, SmallDone
from turnwright.systems.storypath.reflexive import Reflexive
from turnwright.systems.storypath.rolls import dice_for_sale, difficulty, opposed, take_momentum
from turnwright.systems.storypath.sheet import Character, character, settings
from turnwright.systems.storypath.space import (
    away_from,
    engaged_with,
    foes,
    in_metres,
    metres,
    near_places,
    places,
    steps,
    toward,
)
from turnwright.systems.storypath.turn import takes_place

SPEED = "storypath.reflexive.move-up-to-max-speed"
TO = Parameter("to", "place", "where to", required=True)


def goal(known: State, said: str) -> At:
    """The place or the point in metres that is meant; None where there is none of that name."""
    text = said.strip("()[] ")
    if in_metres(known):
        x, _, y = text.partition(",")
        return (int(x), int(y)) if all(n.strip().removeprefix("-").isdecimal() for n in (x, y)) else None
    return text if text in places(known) else None


def far(known: State, who: Character, to: At) -> bool | None:
    """Whether it is farther than maximum speed; None where it cannot be reached at all.

    Rules: storypath.reflexive.move-up-to-max-speed.
    """
    if isinstance(to, tuple) and isinstance(who.at, tuple):
        return metres(who.at, to) > who.speed
    if isinstance(to, str) and isinstance(who.at, str):
        count = steps(known, who.at, to)
        return None if count is None else count > settings(known).reflexive_bands
    return None


def destinations(known: State, who: Character) -> list[str]:
    """Where one can go in a step; in metres the way to each foe, as far as speed allows."""
    if isinstance(who.at, str):
        return near_places(known, who.at)
    if not isinstance(who.at, tuple):
        return []
    return list(dict.fromkeys(",".join(map(str, _nearer(who.at, foe.at, who.speed))) for foe in foes(known, who)))


def _nearer(a: Cell, b: At, most: int) -> Cell:
    """The point on the way that is that far at most."""
    if not isinstance(b, tuple) or metres(a, b) <= most:
        return b if isinstance(b, tuple) else a
    whole = metres(a, b)
    x, y = (a[0] + int((b[0] - a[0]) * most / whole), a[1] + int((b[1] - a[1]) * most / whole))
    return x, y


def no_such_place(known: State, d: Declaration) -> Iterator[Refusal]:
    said = d.option("to")
    if said and goal(known, said) is None:
        right = "a point in metres, x,y" if in_metres(known) else f"one of {', '.join(places(known)) or 'no places'}"
        yield Refusal(SPEED, f"{said!r} is no place here; there is {right}", "NO_PLACE")
    elif said and goal(known, said) == character(known, d.actor).at:
        yield Refusal(SPEED, f"{character(known, d.actor).name} is there already", "THERE")
    elif said and far(known, character(known, d.actor), goal(known, said)) is None:
        yield Refusal(SPEED, "no way leads there", "NO_WAY_THERE")


class Move(Reflexive):
    """Go as far as maximum speed, without a roll, once in a round.

    Rules: storypath.reflexive.move-up-to-max-speed, storypath.reflexive.any-time.
    """

    name = "move"
    about = "move within your maximum speed"
    rules = (SPEED,)
    parameters: ClassVar[tuple[Parameter, ...]] = (TO,)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for place in destinations(known, character(known, actor)):
            yield Declaration(actor, self.name, options={"to": place})

    def label(self, known: State, d: Declaration) -> str:
        return f"move to {d.option('to')}" if d.option("to") else "move"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("to"):
            yield Refusal(SPEED, "say where to", "INCOMPLETE to")

    def price(self, known: State, d: Declaration) -> Price:
        return Price((cost("move", 1, "a move within maximum speed", SPEED),))

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from no_such_place(known, d)
        who = character(known, d.actor)
        if d.option("to") and far(known, who, goal(known, d.option("to"))):
            yield Refusal(SPEED, "that is farther than maximum speed, and no reflexive action: hurry", "TOO_FAR")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(Moved(SPEED, d.actor, goal(play.state, d.option("to"))))
        play.emit(SmallDone(SPEED, d.actor, self.name, takes_place(play.state, d.actor)))
        return ended(Outcome(self.name, "success"))


class Disengage(Reflexive):
    """Get one band away from those who are close, besides a move: against each of them, and a tie is enough.

    Rules: storypath.reflexive.roll-not-excluded.
    """

    name = "disengage"
    about = "get away from those who are close"
    rules = (SPEED, "storypath.reflexive.roll-not-excluded")
    parameters: ClassVar[tuple[Parameter, ...]] = (TO,)
    counts = False

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        who = character(known, actor)
        near = engaged_with(known, who)
        for place in away_from(known, who, near[0]) if near else ():
            yield Declaration(actor, self.name, options={"to": place})

    def label(self, known: State, d: Declaration) -> str:
        return f"disengage to {d.option('to')}" if d.option("to") else "disengage"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("to"):
            yield Refusal(SPEED, "say where to", "INCOMPLETE to")

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from no_such_place(known, d)
        who = character(known, d.actor)
        near = engaged_with(known, who)
        if not near:
            yield Refusal(SPEED, f"nobody is close to {who.name}", "NOT_ENGAGED")
        elif d.option("to") and d.option("to") not in away_from(known, who, near[0]):
            yield Refusal(SPEED, "it is one band away from those who are close", "NOT_AWAY")
        if known.active != d.actor:
            yield Refusal(SPEED, "one disengages in the own turn", "NOT_YOUR_TURN")

    def price(self, known: State, d: Declaration) -> Price:
        return Price((cost("escape", 1, "once in a turn", SPEED),))

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        return Bill(self.price(state, d), self.check(state, d), self.label(state, d))

    def check(self, known: State, d: Declaration) -> Check:
        who = character(known, d.actor)
        return Check(d.actor, "athletics", nimble(who), dice_for_sale(known, who), "storypath.mixed.single-roll")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        take_momentum(play, d, paid)
        for foe in [foe.id for foe in engaged_with(play.state, character(play.state, d.actor))]:
            ties = settings(play.state).disengage_ties
            dice, more = nimble(character(play.state, foe)), character(play.state, d.actor).enhancement
            _, won = yield from opposed(play, d.actor, paid[d.actor].dice, foe, dice, self.name, SPEED, ties, more)
            if not won:
                return Outcome(self.name, "failure")
        play.emit(Moved(SPEED, d.actor, goal(play.state, d.option("to"))))
        return Outcome(self.name, "success")


def nimble(who: Character) -> int:
    """Athletics and Dexterity, or Close Combat and Might, whichever is more."""
    return max(who.rating("athletics", "dexterity"), who.rating("close combat", "might"))


# -- as a simple action, or half of a mixed one


def hurry_refusals(known: State, d: Declaration) -> Iterator[Refusal]:
    yield from no_such_place(known, d)


def hurry_need(state: State, d: Declaration, number: int | None = None) -> int:
    """What the Storyguide has said it takes."""
    rule = settings(state)
    return difficulty(state, character(state, d.actor), rule.hurry_difficulty if number is None else number)


def hurry(play: Play, d: Declaration, over: int | None) -> bool:
    if over is None:
        return False
    play.emit(Moved(SPEED, d.actor, goal(play.state, d.option("to"))))
    return True


def rush_refusals(known: State, d: Declaration) -> Iterator[Refusal]:
    who, foe = character(known, d.actor), known.actors.get(d.target)
    if d.target and foe is None:
        yield Refusal("", f"nobody called {d.target!r} is in the scene", "UNKNOWN_ACTOR")
    elif foe is not None and not toward(known, who, foe):
        yield Refusal(SPEED, f"nothing leads nearer to {foe.name}", "NO_WAY_THERE")


def rush(play: Play, d: Declaration, over: int | None) -> bool:
    """One band toward a foe, besides a move."""
    foe = play.state.actors.get(d.target)
    who = character(play.state, d.actor)
    near = toward(play.state, who, foe) if foe is not None else []
    if over is None or not near:
        return False
    play.emit(Moved(SPEED, d.actor, near[0]))
    return True


def filled_with_place(known: State, d: Declaration, pick: Pick) -> Declaration:
    """A declaration with some place to go to."""
    from msgspec.structs import replace

    every = places(known) or destinations(known, character(known, d.actor))
    return replace(d, options={**d.options, "to": pick(every)}) if every and not d.option("to") else d
