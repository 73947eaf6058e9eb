"""Where no map answers: who is together with whom, sees into the next Zone, and is in reach, by Zones and relations."""

from __future__ import annotations

from fractions import Fraction

from turnwright.model import ActorId, At, Barrier, Cell, Landmark, Passage, Stands, State
from turnwright.space import Terrain, Zones
from turnwright.space.story import COVER, chain, parted
from turnwright.space.zones import apart, sees_through
from turnwright.systems.narateer.conversion import CINEMATIC, STORY, ZONE_METRES
from turnwright.systems.narateer.events import UNSEEN, Blind, Unseen, cover_of
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

    Where relations are stated, a barrier or a closed door shuts sight, and of places that ways join one sees no farther
    than into the next.
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
    """Whether sight goes from one place into another where relations are stated, by what is established of both.

    Rules: narateer.story.preserve-facts.
    """
    a, b, zones = place_of(state, here), place_of(state, there), state.scene.zones
    if not a or not b:
        return False
    if zones is not None and zones.zone(a) is not None and sees_through(zones, state.open_doors, a, b):
        return True
    pair = {a, b}
    if any(pair == set(way.between) and way.clear for way in open_ways(state)):
        return True
    if parted([fact.between for fact in state.facts_of(Barrier) if not fact.clear], a, b):
        return False
    if any(pair == set(fact.between) and fact.clear for fact in state.facts_of(Barrier)):
        return True
    return not laid_out(state, a, b)


def open_ways(state: State) -> list[Passage]:
    """The stated ways that no closed door shuts."""
    return [way for way in state.facts_of(Passage) if not way.door or way.door in state.open_doors]


def laid_out(state: State, a: str, b: str) -> bool:
    """Whether it is established how two places lie to each other: as Zones, or by barriers and ways from one to next.

    Then nothing leads and nobody sees from one to the other but by a way.
    """
    zones = state.scene.zones
    joined = [fact.between for fact in state.facts_of(Barrier)] + [fact.between for fact in state.facts_of(Passage)]
    if zones is None:
        return chain(joined, a, b) is not None
    if zones.zone(a) is not None and zones.zone(b) is not None:
        return True
    return chain([*joined, *[(way.a, way.b) for way in zones.ways]], a, b) is not None


# -- what a shift of the Scene Mode left unseen


def unplaced(state: State, observer: ActorId, target: ActorId, here: At, there: At) -> bool:
    """Whether nothing has changed for two since a shift before which the one did not perceive the other.

    Rules: narateer.scene.shift-does-not-resolve.
    """
    fact = state.facts[UNSEEN]
    return isinstance(fact, Unseen) and _holds(fact.unplaced, observer, target, here, there)


def shifting(state: State) -> bool:
    """Whether the Scene Mode is being shifted, with some shown in the new one and others not yet."""
    fact = state.facts[UNSEEN]
    return isinstance(fact, Unseen) and fact.going


def unreached(state: State, observer: ActorId, target: ActorId, here: At, there: At) -> bool:
    """Whether nothing has changed for two since a shift before which no sense of the one reached the other at all.

    Rules: narateer.scene.shift-does-not-resolve.
    """
    fact = state.facts[UNSEEN]
    return isinstance(fact, Unseen) and _holds(fact.unreached, observer, target, here, there)


KEPT = 16
_by_pair: dict[int, tuple[tuple[Blind, ...], dict[tuple[ActorId, ActorId], Blind]]] = {}
"""The last pairs by observer and target, by the identity of what holds them, which is kept so that it stays true."""


def _holds(pairs: tuple[Blind, ...], observer: ActorId, target: ActorId, here: At, there: At) -> bool:
    if not pairs:
        return False
    kept = _by_pair.get(id(pairs))
    if kept is None:
        if len(_by_pair) >= KEPT:
            _by_pair.clear()
        kept = _by_pair[id(pairs)] = pairs, {(pair.observer, pair.target): pair for pair in pairs}
    pair = kept[1].get((observer, target))
    return pair is not None and pair.holds(observer, target, here, there)


def unsure(state: State, observer: ActorId, target: ActorId, here: At, there: At) -> bool:
    """Whether nothing has changed for two since a shift before which the one did not know just where the other was.

    Rules: narateer.scene.shift-does-not-resolve.
    """
    fact = state.facts[UNSEEN]
    return isinstance(fact, Unseen) and _holds(fact.unsure, observer, target, here, there)


# -- senses


def perceives_by(
    state: State, observer: Character, target: Character, sense: str, here: At, there: At, limit: int
) -> bool:
    """Whether a sense other than hearing plainly places the target off a map.

    In a Zone that conceals only whoever was stated to be near sees who is there, where relations are stated.
    Rules: narateer.hide.needs-concealment, narateer.hide.other-senses, narateer.story.preserve-facts.
    """
    if not line_is_clear(state, here, there):
        return False
    if limit and state.mode == CINEMATIC:
        far = metres_apart(state, here, there)
        if far is None or far > limit:
            return False
    if state.mode == STORY and behind_cover(state, observer, target):
        return False
    return not conceals_at(state, there, sense) or (state.mode == STORY and said_near(state, observer, target))


def said_near(state: State, a: Character, b: Character) -> bool:
    """Whether two were stated to be near each other."""
    tie = state.relation(Stands, a.id, b.id) or state.relation(Stands, b.id, a.id)
    return tie is not None and tie.how == "near"


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
    """Whether the ground of a Zone keeps a sense from finding whoever is there; what is established of it stands."""
    zones = state.scene.zones
    zone = zones.zone(place_of(state, at)) if zones is not None else None
    return zone is not None and sense in zone.terrain.conceals


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
