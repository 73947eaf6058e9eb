"""What every step may change: who is revealed, who meets a Hide that stands, and who remembers whom where."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play
from turnwright.model import Cell, State
from turnwright.rules import Steps
from turnwright.systems.narateer.events import Hidden, Learned, Revealed
from turnwright.systems.narateer.senses import (
    clearly_perceives,
    considered,
    could_notice,
    ground_of,
    opponents,
    places,
    record,
    waiting,
)
from turnwright.systems.narateer.sheet import Character, character


def after_step(play: Play, mover: str, came: Cell) -> Steps[None]:
    """After a step: what others saw of it, then who is revealed by it, then who meets a Hide for the first time."""
    if nothing_hides(play.state):
        return
    for event in _remembered(play.state, character(play.state, mover), came):
        play.emit(event)
    yield from settle(play)


def nothing_hides(state: State) -> bool:
    """Nobody hides and nothing on the map conceals, so that everybody always sees everybody."""
    if state.relations and any(state.relations.values()):
        return False
    field = ground_of(state)
    if field is None:
        return True
    return not any(kind.opaque or kind.conceals for kind, _ in field.kinds.values()) and not any(
        edge.opaque for edge in field.shut()
    )


def _remembered(state: State, mover: Character, came: Cell) -> Iterator[Learned]:
    """Whoever loses sight by this step remembers the Space that it saw the other go to, or stand on.

    Rules: narateer.hide.out-of-sight-is-not-hidden, narateer.hidden.observer-may-still-know.
    """
    for other in opponents(state, mover):
        hidden = state.relation(Hidden, mover.id, other.id) is not None
        if not hidden and places(state, other, mover, seen_at=came) and not places(state, other, mover):
            yield Learned("narateer.hide.out-of-sight-is-not-hidden", mover.id, other.id, mover.at)
        seen = places(state, mover, other, seen_from=came) and not places(state, mover, other)
        if seen and state.relation(Hidden, other.id, mover.id) is None:
            yield Learned("narateer.hide.out-of-sight-is-not-hidden", other.id, mover.id, other.at)


def settle(play: Play) -> Steps[None]:
    """Bring every hiding in line with what the senses now say; done after anything that may have changed it."""
    from turnwright.systems.narateer.hide import meet_newcomers, resolve_waiting

    for hider in [a for a, held in play.state.relations.items() if held]:
        if hider not in play.state.actors:
            continue
        _reveal_to_all_who_see(play, hider)
        if waiting(play.state, hider) is not None:
            yield from resolve_waiting(play, hider)
        if record(play.state, hider) is not None:
            yield from meet_newcomers(play, hider)


def _reveal_to_all_who_see(play: Play, hider: str) -> None:
    """Coming into clear view reveals at once, whatever the recorded total.

    Rules: narateer.reveal.clear-view-immediate, narateer.reveal.how-it-ends, narateer.hidden.not-invisible,
    narateer.reveal.exposed-approach-earlier.
    """
    for held in play.state.related(Hidden, hider):
        observer = play.state.actors.get(held.other)
        if observer is not None and clearly_perceives(play.state, observer, character(play.state, hider)):
            play.emit(Revealed("narateer.reveal.clear-view-immediate", hider, observer.id, "in clear view"))


def newcomers(state: State, hider: Character) -> list[Character]:
    """Creatures that could notice a standing Hide and have not met it yet."""
    return [
        other
        for other in opponents(state, hider)
        if not considered(state, hider.id, other.id) and could_notice(state, other, hider)
    ]
