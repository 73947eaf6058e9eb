"""What being hidden does: at whom one cannot aim, what is known all the same, and areas that ask nobody where he is."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play
from turnwright.events import Told
from turnwright.intent import INTENT, METHOD, incomplete
from turnwright.model import At, Declaration, Moment, Outcome, Parameter, Refusal, State
from turnwright.rules import Settled, Steps
from turnwright.systems.narateer.declare import Attempt
from turnwright.systems.narateer.events import Caught, Hidden, Known, Learned, Wounded
from turnwright.systems.narateer.routes import to_cell
from turnwright.systems.narateer.senses import ground_of, locates, metres_between, within_metres
from turnwright.systems.narateer.sheet import Character, character, settings

TOPICS = ("hidden",)


def hidden_from(state: State, actor: str) -> tuple[str, ...]:
    """The creatures that the actor is hidden from; no time and no Activation ends it, only what reveals it.

    It is a relation and no property of the body: whoever comes to see the actor plainly is not in it any more.
    Rules: narateer.hidden.persists, narateer.hidden.activation-boundaries, narateer.hidden.not-invisible.
    """
    return tuple(held.other for held in state.related(Hidden, actor))


def knows_present(state: State, observer: str, target: str) -> bool:
    """Whether the observer knows that the target is about, placed or not.

    Rules: narateer.hidden.observer-may-still-know.
    """
    seen = locates(state, character(state, observer), character(state, target))
    return seen or state.relation(Known, target, observer) is not None


def last_position(state: State, observer: str, target: str) -> At:
    """Where the observer last knew the target to be, and never where it has gone since.

    Rules: narateer.hidden.observer-may-still-know.
    """
    if locates(state, character(state, observer), character(state, target)):
        return character(state, target).at
    known = state.relation(Known, target, observer)
    return known.at if known is not None else None


def aim_refusals(known: State, actor: Character, target: str) -> Iterator[Refusal]:
    """Why nothing can be aimed at somebody: whoever is not placed might as well not be in the scene.

    Rules: narateer.hidden.cannot-be-targeted-directly.
    """
    rule, other = "narateer.hidden.cannot-be-targeted-directly", known.actors.get(target)
    if other is None:
        yield Refusal(rule, f"{actor.name} cannot place anybody called {target!r}", "NO_PRECISE_LOCATION")
    elif not locates(known, actor, other):
        yield cannot_place(actor, other)


def cannot_place(actor: Character, other: Character) -> Refusal:
    """Nothing is aimed at somebody of whom one does not know well enough where it is."""
    rule = "narateer.hidden.cannot-be-targeted-directly"
    return Refusal(rule, f"{actor.name} cannot place {other.name} precisely enough", "NO_PRECISE_LOCATION")


def unseen_bonus(state: State, attacker: str, target: str) -> int:
    """What Combat gives an unseen attacker; where a scene supplies nothing, the lost Clash is the whole edge.

    Rules: narateer.hidden.unseen-attack-in-combat.
    """
    if state.relation(Hidden, attacker, target) is None:
        return 0
    return settings(state).unseen_bonus or 0


def nobody_there(play: Play, attacker: str, target: str) -> bool:
    """Whether a blow is aimed at a Space that its target has left unseen; found out by striking, never beforehand.

    Rules: narateer.hidden.cannot-be-targeted-directly, narateer.hidden.observer-may-still-know.
    """
    rule, state = "narateer.hidden.cannot-be-targeted-directly", play.state
    if play.advise or locates(state, character(state, attacker), character(state, target)):
        return False
    play.emit(Told(rule, attacker, "there is nobody where the blow falls", good=False))
    known = state.relation(Known, target, attacker)
    if known is not None:
        play.emit(Learned(rule, target, attacker, known.at, "was"))
    return True


# -- areas


class AffectArea(Attempt):
    """Something that is done to an area and to whoever is in it; the guide rules on it like on any attempt.

    Rules: narateer.hidden.area-effects-still-hit.
    """

    name = "affect_area"
    about = "do something to an area and to whoever is in it"
    rules = ("narateer.hidden.area-effects-still-hit", "narateer.resolve.fallback-order")
    parameters = (
        INTENT,
        METHOD,
        Parameter("at", "cell", "the Space in the middle of the area"),
        Parameter("place", "text", "off a map: the Zone"),
        Parameter("radius", "number", "how far it reaches from there, in metres"),
    )

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from super().missing(known, d)
        yield from incomplete("narateer.declare.intent-and-method", area=d.option("at") or d.option("place"))

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        """Rules: narateer.declare.intent-and-method."""
        rule = "narateer.declare.intent-and-method"
        if d.option("radius") and not d.option("radius").isdecimal():
            yield Refusal(rule, "the radius is a whole number of metres", "RADIUS")
        if ground_of(known) is not None and d.option("at") and centre(known, d) is None:
            yield Refusal(rule, f"{d.option('at')} is no Space of the map", "NO_SPACE")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """Everybody in the area is caught in it, placed or not; that alone reveals nobody.

        Rules: narateer.hidden.area-effects-still-hit.
        """
        assert paid.ruling is not None
        outcome = yield from super().resolve(play, d, paid)
        if not outcome.amount:
            return outcome
        caught = in_area(play.state, d)
        for name in caught:
            play.emit(Caught("narateer.hidden.area-effects-still-hit", name, paid.ruling.success or d.intent))
            if paid.ruling.wounds:
                play.emit(Wounded("narateer.hidden.area-effects-still-hit", name, paid.ruling.wounds))
        return Outcome(self.name, outcome.result, caught, outcome.amount)


def centre(state: State, d: Declaration) -> At:
    """The Space in the middle, or off a map the Zone; None where there is no such Space."""
    field = ground_of(state)
    if field is None or not d.option("at"):
        return d.option("place") or None
    cell = to_cell(d.option("at"))
    return cell if field.grid.contains(cell) else None


def in_area(state: State, d: Declaration) -> tuple[str, ...]:
    """Everybody whose position the area includes, hidden or not.

    Rules: narateer.hidden.area-effects-still-hit.
    """
    middle, radius = centre(state, d), int(d.option("radius") or 0)
    found = []
    for actor in state.actors.values():
        if isinstance(middle, tuple) and isinstance(actor.at, tuple):
            inside = metres_between(state, middle, actor.at) <= radius
        else:
            inside = middle is not None and within_metres(state, middle, actor.at, radius)
        if inside:
            found.append(actor.id)
    return tuple(found)
