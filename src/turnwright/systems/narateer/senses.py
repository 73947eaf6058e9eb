"""Who perceives whom, and what each remembers: the map and the senses answer, and the guide's word goes before both."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model import GUIDE, At, Cell, State
from turnwright.space import Ground, distance, ground, sees, sees_plainly
from turnwright.systems.narateer import offmap
from turnwright.systems.narateer.conversion import STORY
from turnwright.systems.narateer.events import (
    Exposed,
    GuideSays,
    Hidden,
    Known,
    Looking,
    Record,
    Waiting,
    cover_of,
)
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


def within_metres(state: State, here: At, there: At, metres: int) -> bool:
    """Whether two positions are so many metres apart or less, on the map or by Zones and relations."""
    if ground_of(state) is not None and isinstance(here, tuple) and isinstance(there, tuple):
        return metres_between(state, here, there) <= metres
    return offmap.within_metres(state, here, there, metres)


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
    field = ground_of(state)
    if field is None or not isinstance(here, tuple) or not isinstance(there, tuple):
        return _places_off_map(state, observer, target, here, there)
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


def _places_off_map(state: State, observer: Character, target: Character, here: At, there: At) -> tuple[str, ...]:
    """The senses that plainly place the target by Zones and by what was stated of the two."""
    found = []
    for sense, limit in observer.senses.items():
        if sense != "hearing":
            if offmap.perceives_by(state, observer, target, sense, here, there, limit):
                found.append(sense)
        elif target.conditions and _noisy(state, target) and offmap.hears_so_far(state, here, there, limit):
            found.append(sense)
    return tuple(found)


def perceives(state: State, observer: Character, target: Character, seen_from: At = None, seen_at: At = None) -> bool:
    """Whether any sense plainly places the target; the same as asking for the senses, without listing them."""
    for held in state.relations.get(target.id, ()):
        if type(held) is GuideSays and held.other == observer.id:
            return held.clear
    here, there = seen_from or observer.at, seen_at or target.at
    field = ground_of(state)
    if field is None or not isinstance(here, tuple) or not isinstance(there, tuple):
        return bool(_places_off_map(state, observer, target, here, there))
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
    if known is None or known.at is None or known.at != target.at or known.how in NO_SPOT:
        return False
    return state.mode != STORY or known.behind == cover_of(state, target.id)


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


def plainly(state: State, observer: Character, actor: Character) -> bool:
    """Whether the observer perceives the actor now; knowing the spot shows nothing of what happens there."""
    if observer.side == actor.side:
        return True
    return state.relation(Hidden, actor.id, observer.id) is None and perceives(state, observer, actor)


def aware_of(state: State, seat: str, other: str) -> bool:
    """Whether a seat knows that somebody is about: its own side, or perceived or remembered by one of its own."""
    found = state.actors.get(other)
    if seat == GUIDE or found is None:
        return seat == GUIDE
    mine = [actor for actor in state.actors.values() if actor.seat == seat]
    return any(plainly(state, m, found) or state.relation(Known, other, m.id) is not None for m in mine)


def could_notice(state: State, observer: Character, target: Character) -> bool:
    """Whether some sense of the observer reaches the target at all, concealed or not.

    Rules: narateer.hide.single-roll (who could notice; the guide may change it).
    """
    if observer.down or observer.side == target.side:
        return False
    return _sense_reaches(state, observer, target) or _looks_there(state, observer, target)


def _sense_reaches(state: State, observer: Character, target: Character) -> bool:
    here, there = observer.at, target.at
    field = ground_of(state)
    if field is None or not isinstance(here, tuple) or not isinstance(there, tuple):
        return _reaches_off_map(state, observer, here, there)
    return _hears_so_far(state, observer, here, there) or _line_reaches(state, field, observer, here, there)


def _reaches_off_map(state: State, observer: Character, here: At, there: At) -> bool:
    """Whether sight reaches over a clear line, or footsteps carry, from the one place to the other."""
    if any(sense != "hearing" for sense in observer.senses) and offmap.line_is_clear(state, here, there):
        return True
    reach = observer.senses.get("hearing")
    if reach is None:
        return False
    carries = settings(state).hearing_range
    return offmap.hears_so_far(state, here, there, min(reach, carries) if reach else carries)


def _hears_so_far(state: State, observer: Character, here: Cell, there: Cell) -> bool:
    """Whether footsteps carry so far, and the observer's hearing too."""
    reach = observer.senses.get("hearing")
    if reach is None:
        return False
    carries = settings(state).hearing_range
    return metres_between(state, here, there) <= (min(reach, carries) if reach else carries)


def sight_reaches(state: State, observer: Character, target: Character) -> bool:
    """Whether a clear line joins the two, for whatever stands on it; concealment is not asked."""
    return sight_reaches_space(state, observer, target.at)


def sight_reaches_space(state: State, observer: Character, there: At) -> bool:
    """Whether a clear line joins the observer and a Space, a Zone or a place."""
    here, field = observer.at, ground_of(state)
    if field is None or not isinstance(here, tuple) or not isinstance(there, tuple):
        return offmap.line_is_clear(state, here, there)
    return _line_reaches(state, field, observer, here, there)


def _line_reaches(state: State, field: Ground, observer: Character, here: Cell, there: Cell) -> bool:
    ranges = [reach for sense, reach in observer.senses.items() if sense != "hearing"]
    if not ranges or not sees(field, here, there):
        return False
    return any(not reach or metres_between(state, here, there) <= reach for reach in ranges)


def hiding(state: State, actor: str) -> bool:
    """Whether the actor is hidden from anybody of whom it knows, or a Hide of its still stands."""
    held = state.relations.get(actor, ())
    if any(type(r) is Record for r in held):
        return True
    fooled = [r.other for r in held if type(r) is Hidden]
    return any(aware_of(state, state.actors[actor].seat, other) for other in fooled)


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
    if not search.place or search.place == target.at:
        return True
    zones = offmap.zones_of(state)
    if zones is not None and zones.named(search.place):
        return zones.named(search.place) == target.at
    return target.at in _named(state, search.place)


def _named(state: State, place: str) -> tuple[Cell, ...]:
    field = ground_of(state)
    return field.cells_of(place) if field is not None else ()


def _looks_there(state: State, observer: Character, target: Character) -> bool:
    """Whoever searches the very place, or follows the very trail, could notice with no sense reaching so far yet."""
    search = state.relation(Looking, observer.id, observer.id) if observer.id in state.relations else None
    named = search is not None and bool(search.trail or search.scope or search.place)
    return named and search is not None and covers(state, search, target)
