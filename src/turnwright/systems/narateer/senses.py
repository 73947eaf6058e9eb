"""Who perceives whom, and what each remembers: the map and the senses answer, and the guide's word goes before both."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model import At, Cell, State
from turnwright.space import Ground, distance, ground, sees
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
    said = state.relation(GuideSays, target.id, observer.id)
    if said is not None:
        return ("guide",) if said.clear else ()
    here, there = seen_from or observer.at, seen_at or target.at
    if not isinstance(here, tuple) or not isinstance(there, tuple):
        return ("sight",) if here == there and here is not None else ()
    field = ground_of(state)
    if field is None:
        return ()
    return tuple(sense for sense in observer.senses if _placed_by(state, field, sense, observer, here, target, there))


def _placed_by(
    state: State, field: Ground, sense: str, observer: Character, here: Cell, target: Character, there: Cell
) -> bool:
    reach = observer.senses[sense]
    if reach and metres_between(state, here, there) > reach:
        return False
    if sense == "hearing":
        return _noisy(state, target)
    if not sees(field, here, there):
        return False
    concealed = sense in field.grid.terrain(there).conceals
    return not concealed or distance(here, there) <= settings(state).concealment_fails_within


def _noisy(state: State, target: Character) -> bool:
    return any(condition.noisy for _, condition in conditions_of(state, target))


def clearly_perceives(state: State, observer: Character, target: Character) -> bool:
    return not observer.down and bool(places(state, observer, target))


def knows_spot(state: State, observer: Character, target: Character) -> bool:
    """Whether the observer knows where the target is without perceiving it: it watched it go there.

    Rules: narateer.hide.out-of-sight-is-not-hidden.
    """
    said = state.relation(GuideSays, target.id, observer.id)
    if said is not None and not said.clear:
        return False
    known = state.relation(Known, target.id, observer.id)
    return known is not None and known.at is not None and known.at == target.at and known.how != "told"


def locates(state: State, observer: Character, target: Character) -> bool:
    """Whether the observer can place the target precisely enough to aim at it.

    Rules: narateer.hidden.cannot-be-targeted-directly.
    """
    if observer.side == target.side:
        return True
    if state.relation(Hidden, target.id, observer.id) is not None:
        return False
    return bool(places(state, observer, target)) or knows_spot(state, observer, target)


def could_notice(state: State, observer: Character, target: Character) -> bool:
    """Whether some sense of the observer reaches the target at all, concealed or not.

    Rules: narateer.hide.single-roll (who could notice; the guide may change it).
    """
    if observer.down or observer.side == target.side:
        return False
    here, there = observer.at, target.at
    if not isinstance(here, tuple) or not isinstance(there, tuple):
        return here == there and here is not None
    field = ground_of(state)
    if field is None:
        return True
    if "hearing" in observer.senses and metres_between(state, here, there) <= settings(state).hearing_range:
        return True
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


def looking_at(state: State, observer: str, at: At) -> Looking | None:
    """The search by which the observer is actively looking where the position is.

    Rules: narateer.hide.active-looking-definition, narateer.hide.alert-is-not-active.
    """
    search = state.relation(Looking, observer, observer)
    if (
        search is None
        or (search.scope and at not in search.scope)
        or (search.place and not search.scope and at != search.place)
    ):
        return None
    return search
