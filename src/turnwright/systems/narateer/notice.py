"""What every step may change: who is revealed, who meets a Hide that stands, and who remembers whom where."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.events import Event
from turnwright.model import At, State
from turnwright.rules import Steps
from turnwright.space import distance
from turnwright.systems.narateer import doors
from turnwright.systems.narateer.events import (
    Hidden,
    Known,
    Learned,
    Looking,
    Record,
    SearchEnded,
    Waiting,
)
from turnwright.systems.narateer.senses import (
    considered,
    could_notice,
    ground_of,
    knows_spot,
    locates,
    opponents,
    perceives,
    record,
    sights_lost,
    waiting,
)
from turnwright.systems.narateer.sheet import Character, character

HIDING = frozenset((Hidden, Record, Waiting))
"""The relations of somebody whose hiding a step may change."""


def after_step(play: Play, mover: str, came: At) -> Steps[None]:
    """After a step: what others saw of it, then who is revealed by it, then who meets a Hide for the first time."""
    for sight in doors.seen(play.state):
        play.emit(sight)
    if nothing_hides(play.state):
        return
    moved = character(play.state, mover)
    for event in [*_stopped_searching(play.state, mover, came), *_remembered(play.state, moved, came)]:
        play.emit(event)
    yield from settle(play, mover=mover)


def nothing_hides(state: State) -> bool:
    """Nobody hides and nothing on the map conceals, so that everybody always sees everybody."""
    if state.relations and any(state.relations.values()):
        return False
    field = ground_of(state)
    return field is not None and field.shows_all


def _remembered(state: State, mover: Character, came: At) -> Iterator[Learned]:
    """Whoever loses sight by this step remembers the Space that it saw the other go to, or stand on.

    Rules: narateer.hide.out-of-sight-is-not-hidden, narateer.hidden.observer-may-still-know.
    """
    for other, was_seen, is_seen, saw, sees in sights_lost(state, mover, came):
        if was_seen and not is_seen and state.relation(Hidden, mover.id, other.id) is None:
            yield _remembers(state, other, mover, saw)
        if saw and not sees and state.relation(Hidden, other.id, mover.id) is None:
            yield _remembers(state, mover, other, was_seen)


def _remembers(state: State, observer: Character, target: Character, mutual: bool) -> Learned:
    """The position that is remembered; the other knows of it, where it saw who was looking."""
    aware = mutual and state.relation(Hidden, observer.id, target.id) is None
    return Learned("narateer.hide.out-of-sight-is-not-hidden", target.id, observer.id, target.at, aware=aware)


def _given_up(state: State, mover: str = "") -> Iterator[Learned]:
    """Whoever sees the Space that it remembers, and nobody on it, knows that the other is not there any more.

    After a step only what concerns the mover can have changed.
    Rules: narateer.hidden.observer-may-still-know.
    """
    for owner, relations in state.relations.items():
        others = "" if owner == mover else mover
        for held in relations:
            if type(held) is not Known or held.how == "was" or (others and held.other != others):
                continue
            target, observer = state.actors.get(owner), state.actors.get(held.other)
            if target is not None and observer is not None and _finds_left(state, observer, target, held):
                yield Learned("narateer.hidden.observer-may-still-know", target.id, observer.id, held.at, "was")


def _finds_left(state: State, observer: Character, target: Character, held: Known) -> bool:
    """Whether the observer sees the Space that it remembers, and that the target is not on it."""
    if target.at == held.at or not isinstance(held.at, tuple) or observer.down:
        return False
    return perceives(state, observer, target, seen_at=held.at) and not locates(state, observer, target)


def _searches_left(state: State) -> Iterator[SearchEnded]:
    """Off a map: whoever is in another Zone than the one it searches has stopped.

    Rules: narateer.hide.active-looking-definition.
    """
    for search in state.every(Looking):
        at = state.actors[search.owner].at if search.owner in state.actors else None
        if isinstance(at, str) and search.scope and not search.by_word and at not in search.scope:
            yield SearchEnded("narateer.hide.active-looking-definition", search.owner)


def _stopped_searching(state: State, mover: str, came: At) -> Iterator[SearchEnded]:
    """Whoever steps out of what it searches, or away from beside it, has stopped; by the guide's word one goes on.

    Rules: narateer.hide.active-looking-definition.
    """
    search = state.relation(Looking, mover, mover)
    at = state.actors[mover].at
    if search is None or search.by_word or not isinstance(at, tuple) or at in search.scope:
        return
    if not isinstance(came, tuple):
        return
    cells = [cell for cell in search.scope if isinstance(cell, tuple)]
    beside = any(distance(came, cell) <= 1 for cell in cells)
    if came in cells or (beside and all(distance(at, cell) > 1 for cell in cells)):
        yield SearchEnded("narateer.hide.active-looking-definition", mover)


def _lost_sight(before: State, state: State) -> Iterator[Learned]:
    """Whoever placed somebody before something changed, and does not now, remembers where that was.

    Rules: narateer.hide.out-of-sight-is-not-hidden.
    """
    for target in state.actors.values():
        for observer in opponents(state, target):
            if perceives(state, observer, target) or state.relation(Hidden, target.id, observer.id) is not None:
                continue
            if observer.id not in before.actors or target.id not in before.actors:
                continue
            saw, seen = before.actors[observer.id], before.actors[target.id]
            if perceives(before, saw, seen) and before.relation(Hidden, target.id, observer.id) is None:
                found = _remembers(state, observer, target, perceives(before, seen, saw))
                yield replace(found, at=seen.at)


def lost_by(before: State, state: State) -> list[Event]:
    """What nobody could see of a change: who is out of whose sight by it, and which doors are believed as they were."""
    return [*(_lost_sight(before, state) if _moved(before, state) else ()), *doors.missed(before, state)]


def _moved(before: State, state: State) -> bool:
    """Whether somebody is elsewhere or a door is moved; who only falls silent is no longer heard, and that is all."""
    if before.open_doors != state.open_doors:
        return True
    return any(actor.at != state.actors[name].at for name, actor in before.actors.items() if name in state.actors)


def settle(play: Play, before: State | None = None, mover: str = "") -> Steps[None]:
    """Bring every hiding in line with what the senses now say; done after anything that may have changed it.

    `before` is the state before a change that may have taken somebody out of sight, such as a door that was shut.
    """
    from turnwright.systems.narateer.hide import resolve_waiting
    from turnwright.systems.narateer.reveal import reveal_to_all_who_see
    from turnwright.systems.narateer.sneak import meet_newcomers

    for lost in tuple(_lost_sight(before, play.state)) if before is not None else ():
        play.emit(lost)
    for event in [*doors.seen(play.state), *_given_up(play.state, mover), *_searches_left(play.state)]:
        play.emit(event)
    hiders = [a for a, held in play.state.relations.items() if not HIDING.isdisjoint(map(type, held))]
    for hider in hiders:  # kept: each is looked at as it is then
        if hider not in play.state.actors:
            continue
        reveal_to_all_who_see(play, hider)
        if waiting(play.state, hider) is not None:
            yield from resolve_waiting(play, hider)
        if record(play.state, hider) is not None:
            yield from meet_newcomers(play, hider)


def newcomers(state: State, hider: Character) -> list[Character]:
    """Creatures that could notice a standing Hide and have not met it yet; who knows the spot needs no chance."""
    return [
        other
        for other in opponents(state, hider)
        if not considered(state, hider.id, other.id)
        and could_notice(state, other, hider)
        and not knows_spot(state, other, hider)
    ]
