"""Where no map answers: who is together with whom, sees into the next Zone, and is in reach, by Zones and relations."""

from __future__ import annotations

from fractions import Fraction

from turnwright.model import At, Barrier, Cell, Landmark, Passage, Stands, State
from turnwright.space import Terrain, Zones
from turnwright.space.story import COVER, parted
from turnwright.space.zones import apart, sees_through
from turnwright.systems.narateer.conversion import CINEMATIC, STORY, ZONE_METRES
from turnwright.systems.narateer.events import cover_of
from turnwright.systems.narateer.sheet import Character, settings

HERE = "here"
"""The place of whoever is in a scene of stated relations and in no place in particular."""


def zones_of(state: State) -> Zones | None:
    """The Zones, in Cinematic Mode."""
    return state.scene.zones if state.mode == CINEMATIC else None


def zone_metres(state: State) -> int:
    """How wide a Zone is where it does not say so itself."""
    return settings(state).zone_metres or ZONE_METRES


def place_of(state: State, at: At) -> str:
    """The Zone or place of a position: itself, or what its Space belongs to; empty where that is not known."""
    if not isinstance(at, tuple):
        return at or ""
    zones, grid = state.scene.zones, state.scene.grid
    zone = zones.zone_of(at) if zones is not None else ""
    return zone or (grid.place_of(at) if grid is not None and zones is None else "")


def ground_at(state: State, at: At) -> Terrain | None:
    """The ground of a Zone."""
    zones = state.scene.zones
    zone = zones.zone(place_of(state, at)) if zones is not None and state.mode != STORY else None
    return zone.terrain if zone is not None else None


def cells_of_zone(state: State, name: str) -> tuple[Cell, ...]:
    """The Spaces of a Zone, by its id or name."""
    zones = state.scene.zones
    zone = zones.zone(zones.named(name)) if zones is not None else None
    return zone.cells if zone is not None else ()


def together(state: State, here: At, there: At) -> bool:
    """Whether two positions are in the same Zone or place."""
    place = place_of(state, here)
    return bool(place) and place == place_of(state, there)


def metres_apart(state: State, here: At, there: At) -> int | None:
    """Metres between two Zones by the ways that join them; 0 in the same one, None where nothing says how far."""
    if together(state, here, there):
        return 0
    zones = zones_of(state)
    if zones is None:
        return None
    a, b = place_of(state, here), place_of(state, there)
    return apart(zones, a, b, zone_metres(state)) if a and b else None


def within_metres(state: State, here: At, there: At, metres: int) -> bool:
    """Whether so many metres reach from one to the other; where only relations are stated, past no barrier."""
    if state.mode == STORY:
        return together(state, here, there) or (metres > 0 and open_between(state, here, there))
    far = metres_apart(state, here, there)
    return far is not None and far <= metres


def line_is_clear(state: State, here: At, there: At) -> bool:
    """Whether one sees from one to the other, for whatever conceals there: the same Zone, or the next by a clear way.

    Where relations are stated, nothing is in the way of sight but a barrier that was stated, or its closed door.
    """
    if together(state, here, there):
        return True
    if state.mode == STORY:
        return open_between(state, here, there)
    zones = zones_of(state)
    if zones is None:
        return False
    return sees_through(zones, state.open_doors, place_of(state, here), place_of(state, there))


def open_between(state: State, here: At, there: At) -> bool:
    """Whether no barrier that was stated shuts sight between two places."""
    a, b = place_of(state, here), place_of(state, there)
    if not a or not b:
        return False
    for passage in state.facts_of(Passage):
        if {a, b} == set(passage.between) and passage.clear and (not passage.door or passage.door in state.open_doors):
            return True
    shut = [fact.between for fact in state.facts_of(Barrier) if not fact.clear]
    shut += [fact.between for fact in state.facts_of(Passage) if fact.door and fact.door not in state.open_doors]
    return not parted(shut, a, b)


# -- senses


def perceives_by(
    state: State, observer: Character, target: Character, sense: str, here: At, there: At, limit: int
) -> bool:
    """Whether a sense other than hearing plainly places the target off a map.

    Rules: narateer.hide.needs-concealment, narateer.hide.other-senses.
    """
    if not line_is_clear(state, here, there):
        return False
    if limit and state.mode == CINEMATIC:
        far = metres_apart(state, here, there)
        if far is None or far > limit:
            return False
    if state.mode == STORY:
        return not behind_cover(state, observer, target)
    ground = ground_at(state, there)
    return ground is None or sense not in ground.conceals


def hears_so_far(state: State, here: At, there: At, metres: int) -> bool:
    """Whether a sound that carries so many metres reaches from one to the other; no limit is 0."""
    return within_metres(state, here, there, metres) if metres else place_of(state, there) != ""


def behind_cover(state: State, observer: Character, target: Character) -> bool:
    """Whether a thing stands between the two, by what was stated, and the observer is on the other side of it.

    Rules: narateer.hide.needs-concealment.
    """
    cover = cover_of(state, target.id)
    if not cover:
        return False
    mine, beside = state.relation(Stands, observer.id, cover), state.relation(Stands, observer.id, target.id)
    return (beside is None or beside.how != "near") and (mine is None or mine.how not in COVER)


def conceals_at(state: State, at: At, sense: str) -> bool:
    """Whether the ground of a Zone keeps a sense from finding whoever is there."""
    ground = ground_at(state, at)
    return ground is not None and sense in ground.conceals


# -- reach


def in_reach(state: State, a: Character, b: Character) -> bool | None:
    """Whether a blow gets from one to the other; None where only the guide can say.

    In Cinematic Mode the same Zone is in reach. Where relations are stated, near is in reach and far is not, and so is
    what stands in the same place and was not said to be far; across a barrier nothing is in reach.
    """
    if state.mode != STORY:
        return together(state, a.at, b.at)
    tie = state.relation(Stands, a.id, b.id) or state.relation(Stands, b.id, a.id)
    if tie is not None and tie.how in ("near", "far"):
        return tie.how == "near"
    if together(state, a.at, b.at):
        return True
    return None if open_between(state, a.at, b.at) else False


def metres_reach(state: State, a: Character, b: Character, spaces: int, space: int) -> bool | None:
    """Whether a weapon with a limit in Spaces reaches over a clear line; None where only the guide can say."""
    if not line_is_clear(state, a.at, b.at):
        return False
    if state.mode == STORY:
        return True if in_reach(state, a, b) else None
    far = metres_apart(state, a.at, b.at)
    return far is not None and Fraction(far) <= spaces * space


def landmark(state: State, name: str) -> Landmark | None:
    found = state.facts.get(name)
    return found if isinstance(found, Landmark) else None
