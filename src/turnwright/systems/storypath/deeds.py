"""Deeds of a scene that are rolled: climbing, keeping one's balance, and whatever else it lists."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play, ask
from turnwright.model import ActorId, Choose, Chosen, Declaration, Option, Refusal, State
from turnwright.rules import Steps
from turnwright.systems.storypath.events import Complication, Deed, Did, FellOff, GotOn, On, ProneSet
from turnwright.systems.storypath.rolls import Pause, bears, difficulty, help_for, leads, to_spend
from turnwright.systems.storypath.sheet import character, pain, settings
from turnwright.systems.storypath.space import band

JUDGED = "storypath.mixed.halves-judged-separately"
ATTENTION = "storypath.simple.full-attention"


def deeds(known: State) -> tuple[Deed, ...]:
    return known.facts_of(Deed)


def deed_named(known: State, name: str) -> Deed | None:
    return next((deed for deed in deeds(known) if deed.name == name), None)


def deed_dice(known: State, d: Declaration, deed: Deed) -> int:
    return character(known, d.actor).rating(deed.skill, deed.attribute)


def deed_enhancement(known: State, d: Declaration, deed: Deed) -> int:
    """Rules: storypath.mixed.lower-pool."""
    who = character(known, d.actor)
    own = deed.enhancement + (who.enhancement if leads(d, deed.name) else 0)
    return own + help_for(known, who, deed.skill, general=leads(d, deed.name))


def deed_need(state: State, d: Declaration, deed: Deed) -> int:
    """Rules: storypath.mixed.halves-judged-separately."""
    return difficulty(state, character(state, d.actor), deed.difficulty)


def onto(d: Declaration) -> str:
    """Whom it is done to, where that is somebody else than the target of an attack."""
    return d.option("onto") or d.target


def deed_refusals(known: State, d: Declaration, deed: Deed) -> Iterator[Refusal]:
    who, other = character(known, d.actor), known.actors.get(onto(d))
    if deed.needs_hold and not known.related(On, who.id):
        yield Refusal(ATTENTION, f"{who.name} is on nobody", "NOT_ON")
    if not deed.attach:
        return
    if other is None or other.id == who.id:
        yield Refusal(ATTENTION, f"say onto whom: {deed.name}", "INCOMPLETE target")
    elif known.relation(On, who.id, other.id) is not None:
        yield Refusal(ATTENTION, f"{who.name} is on {other.name} already", "ON_IT")
    elif who.id in mounts(known, other.id):
        yield Refusal(ATTENTION, f"{other.name} is on {who.name}", "UNDER_IT")
    elif band(known, who, other) != 0:
        yield Refusal(ATTENTION, f"{other.name} is not close", "OUT_OF_REACH")


def mounts(known: State, actor: ActorId) -> list[ActorId]:
    """Whom somebody is on, and whom that one is on in turn."""
    found: list[ActorId] = []
    below = known.related(On, actor)
    while below and below[0].other not in found:
        found.append(below[0].other)
        below = known.related(On, below[0].other)
    return found


def _in_reach(state: State, d: Declaration, deed: Deed) -> bool:
    """Whether whom it is done to is still close."""
    other = state.actors.get(onto(d))
    return not deed.attach or other is None or band(state, character(state, d.actor), other) == 0


def do_deed(play: Play, d: Declaration, deed: Deed, over: int | None, borne: bool) -> Steps[tuple[bool, bool]]:
    """What comes of it with so much over what it took, or of its failure: whether it works, and the pain is borne.

    Rules: storypath.mixed.halves-judged-separately.
    """
    clean = False
    if not _in_reach(play.state, d, deed):
        over = None
    if over is not None:
        clean, borne = yield from buy_off(play, d.actor, deed.complications, over, borne)
    if over is None or (settings(play.state).unbought_fails and not clean):
        play.emit(Did(JUDGED, d.actor, deed.name, False, deed.failure))
        if deed.falls:
            play.emit(FellOff(JUDGED, d.actor))
        return False, borne
    play.emit(Did(JUDGED, d.actor, deed.name, True, deed.success))
    below = onto(d)
    if deed.attach and below in play.state.actors and d.actor not in (below, *mounts(play.state, below)):
        play.emit(GotOn(JUDGED, d.actor, below))
    return True, borne


def buy_off(
    play: Play, actor: str, complications: tuple[Complication, ...], left: int, borne: bool
) -> Steps[tuple[bool, bool]]:
    """Threshold successes buy off what goes along with a success; gives whether nothing of it has come, and the pain.

    What is not bought off comes, and the success stays one.
    """
    open_still = list(complications)
    while _payable(play.state, actor, open_still, left, borne):
        given = yield from ask(lambda: _question(play.state, actor, open_still, left, borne), Chosen)  # noqa: B023
        if given.id == "done":
            break
        if given.id == "pain":
            hurts = pain(play.state, character(play.state, actor))
            borne, left = True, left - hurts  # kept: what is left
        else:
            bought = open_still.pop(int(given.id))
            left -= bought.rating
    for complication in open_still:
        play.emit(Did(JUDGED, actor, complication.name, False, f"{complication.name}, which nobody bought off"))
        if complication.prone:
            play.emit(ProneSet(JUDGED, actor, True))
    return not open_still, borne or bears(play.state, actor, left)


def _payable(state: State, actor: str, open_still: list[Complication], left: int, borne: bool) -> tuple[Option, ...]:
    options = [Option(str(n), f"buy off {c.name} ({c.rating})") for n, c in enumerate(open_still) if c.rating <= left]
    hurts = pain(state, character(state, actor))
    if hurts and not borne and hurts <= left:
        options.append(Option("pain", f"bear the pain, else the next roll is harder ({hurts})"))
    return tuple(options)


def _question(state: State, actor: str, open_still: list[Complication], left: int, borne: bool) -> Choose:
    who = character(state, actor)
    options = (*_payable(state, actor, open_still, left, borne), Option("done", "nothing more"))
    return Choose(who.seat, actor, to_spend(left), JUDGED, options, "stunt", moment=Pause(actor))
