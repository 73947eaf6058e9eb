"""Who perceives whom, and what each remembers: the map and the senses answer, and the guide's word goes before both."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model import At, Cell, State
from turnwright.space import Ground, distance, ground, sees, sees_plainly
from turnwright.systems.narateer.events import Exposed, GuideSays, Hidden, Known, Looking, Record, Waiting
from turnwright.systems.narateer.sheet import Character, conditions_of, settings


def ground_of(state: State) -> Ground | None:
    """The map as it stands, in Tactical Mode."""
    grid = state.scene.grid
    return None if grid is None or state.mode != "tactical" else ground(grid, state.open_doors)


def opponents(state: State, actor: Character) -> Iterator[Character]:
    """Everybody of another side, in the order of the scene."""
    for other in state.actors.values():
        if other.side != actor.side:
            yield other


def metres_between(state: State, a: Cell, b: Cell) -> int:
    return distance(a, b) * (settings(state).space_metres or 2)


def places(
    state: State, observer: Character, target: Character, seen_from: At = None, seen_at: At = None
) -> tuple[str, ...]:
    """The senses by which the observer plainly places the target; other positions may be asked about.

    Rules: narateer.hide.needs-concealment, narateer.hide.other-senses.
    """
    for held in state.relations.get(target.id, ()):
        if type(held) is GuideSays and held.other == observer.id:
            return ("guide",) if held.clear else ()
    here, there = seen_from or observer.at, seen_at or target.at
    if not isinstance(here, tuple) or not isinstance(there, tuple):
        return ("sight",) if here == there and here is not None else ()
    field = ground_of(state)
    if field is None:
        return ()
    rules = settings(state)
    return tuple(
        [
            sense
            for sense, reach in observer.senses.items()
            if (not reach or metres_between(state, here, there) <= reach)
            and (
                sees_plainly(field, here, there, sense, rules.concealment_fails_within)
                if sense != "hearing"
                else bool(target.conditions) and _noisy(state, target)
            )
        ]
    )


def perceives(state: State, observer: Character, target: Character, seen_from: At = None, seen_at: At = None) -> bool:
    """Whether any sense plainly places the target; the same as asking for the senses, without listing them."""
    for held in state.relations.get(target.id, ()):
        if type(held) is GuideSays and held.other == observer.id:
            return held.clear
    here, there = seen_from or observer.at, seen_at or target.at
    field = ground_of(state)
    if field is None or not isinstance(here, tuple) or not isinstance(there, tuple):
        return bool(places(state, observer, target, seen_from, seen_at))
    within = settings(state).concealment_fails_within
    for sense, reach in observer.senses.items():
        if reach and metres_between(state, here, there) > reach:
            continue
        if sense == "hearing":
            if target.conditions and _noisy(state, target):
                return True
        elif sees_plainly(field, here, there, sense, within):
            return True
    return False


def _noisy(state: State, target: Character) -> bool:
    return any(condition.noisy for _, condition in conditions_of(state, target))


def clearly_perceives(state: State, observer: Character, target: Character) -> bool:
    return not observer.down and perceives(state, observer, target)


def knows_spot(state: State, observer: Character, target: Character) -> bool:
    """Whether the observer knows where the target is without perceiving it: it watched it go there.

    Rules: narateer.hide.out-of-sight-is-not-hidden.
    """
    known: Known | None = None
    for held in state.relations.get(target.id, ()):
        if held.other != observer.id:
            continue
        kind = type(held)
        if kind is Hidden or (isinstance(held, GuideSays) and not held.clear):
            return False
        if isinstance(held, Known):
            known = held
    return known is not None and known.at is not None and known.at == target.at and known.how not in NO_SPOT


NO_SPOT = ("told", "was")
"""How one knows a position without knowing that somebody is there: by hearsay, or from before."""


def locates(state: State, observer: Character, target: Character) -> bool:
    """Whether the observer can place the target precisely enough to aim at it.

    Rules: narateer.hidden.cannot-be-targeted-directly.
    """
    if observer.side == target.side:
        return True
    if state.relation(Hidden, target.id, observer.id) is not None:
        return False
    return perceives(state, observer, target) or knows_spot(state, observer, target)


def could_notice(state: State, observer: Character, target: Character) -> bool:
    """Whether some sense of the observer reaches the target at all, concealed or not.

    Rules: narateer.hide.single-roll (who could notice; the guide may change it).
    """
    if observer.down or observer.side == target.side:
        return False
    return _sense_reaches(state, observer, target) or _looks_there(state, observer, target)


def _sense_reaches(state: State, observer: Character, target: Character) -> bool:
    here, there = observer.at, target.at
    if not isinstance(here, tuple) or not isinstance(there, tuple):
        return here == there and here is not None
    field = ground_of(state)
    if field is None:
        return True
    return _hears_so_far(state, observer, here, there) or _line_reaches(state, field, observer, here, there)


def _hears_so_far(state: State, observer: Character, here: Cell, there: Cell) -> bool:
    """Whether footsteps carry so far, and the observer's hearing too."""
    reach = observer.senses.get("hearing")
    if reach is None:
        return False
    carries = settings(state).hearing_range
    return metres_between(state, here, there) <= (min(reach, carries) if reach else carries)


def sight_reaches(state: State, observer: Character, target: Character) -> bool:
    """Whether a clear line joins the two, for whatever stands on it; concealment is not asked."""
    here, there, field = observer.at, target.at, ground_of(state)
    if field is None or not isinstance(here, tuple) or not isinstance(there, tuple):
        return here == there and here is not None
    return _line_reaches(state, field, observer, here, there)


def _line_reaches(state: State, field: Ground, observer: Character, here: Cell, there: Cell) -> bool:
    ranges = [reach for sense, reach in observer.senses.items() if sense != "hearing"]
    if not ranges or not sees(field, here, there):
        return False
    return any(not reach or metres_between(state, here, there) <= reach for reach in ranges)


def hiding(state: State, actor: str) -> bool:
    """Whether the actor is hidden from anybody, or a Hide of its still stands."""
    return any(type(r) is Hidden or type(r) is Record for r in state.relations.get(actor, ()))


def record(state: State, actor: str) -> Record | None:
    return state.relation(Record, actor, actor)


def waiting(state: State, actor: str) -> Waiting | None:
    return state.relation(Waiting, actor, actor)


def considered(state: State, hider: str, observer: str) -> bool:
    """Whether the observer has had its chance against the Hide that stands."""
    return any(r.other == observer and type(r) in (Hidden, Exposed) for r in state.relations.get(hider, ()))


def looking_for(state: State, observer: str, target: Character) -> Looking | None:
    """The search by which the observer actively looks where the target is, or follows the clues that lead to it.

    Nothing else makes a creature look: neither an alarm nor a sense of danger.
    Rules: narateer.hide.active-looking-definition, narateer.hide.alert-is-not-active.
    """
    search = state.relation(Looking, observer, observer)
    if search is None or state.actors[observer].down:
        return None
    return search if covers(state, search, target) else None


def covers(state: State, search: Looking, target: Character) -> bool:
    """Whether a search could find somebody there; one that names neither a place nor a trail is for everybody.

    Rules: narateer.search.creature-needs-right-place.
    """
    if search.trail:
        return search.trail == target.id
    if search.scope:
        return target.at in search.scope
    return not search.place or search.place == target.at or target.at in _named(state, search.place)


def _named(state: State, place: str) -> tuple[Cell, ...]:
    field = ground_of(state)
    return field.cells_of(place) if field is not None else ()


def _looks_there(state: State, observer: Character, target: Character) -> bool:
    """Whoever searches the very place, or follows the very trail, could notice with no sense reaching so far yet."""
    search = state.relation(Looking, observer.id, observer.id) if observer.id in state.relations else None
    named = search is not None and bool(search.trail or search.scope or search.place)
    return named and search is not None and covers(state, search, target)
