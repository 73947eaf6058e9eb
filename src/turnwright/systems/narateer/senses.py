"""Who perceives whom, and what each remembers: the map and the senses answer, and the guide's word goes before both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turnwright.model import GUIDE, At, Cell, State
from turnwright.space import Ground, distance, ground, sees, sees_plainly
from turnwright.systems.narateer import offmap
from turnwright.systems.narateer.conversion import STORY, TACTICAL
from turnwright.systems.narateer.events import (
    UNSEEN,
    Exposed,
    GuideSays,
    Hidden,
    Known,
    Looking,
    Record,
    Waiting,
    cover_of,
)
from turnwright.systems.narateer.settings import Settings
from turnwright.systems.narateer.sheet import Character, conditions_of, settings


def ground_of(state: State) -> Ground | None:
    """The map as it stands, in Tactical Mode."""
    grid = state.scene.grid
    return None if grid is None or state.mode != TACTICAL else ground(grid, state.open_doors)


def opponents(state: State, actor: Character) -> list[Character]:
    """Everybody of another side, in the order of the scene."""
    side = actor.side
    return [other for other in state.actors.values() if other.side != side]


def within_metres(state: State, here: At, there: At, metres: int) -> bool:
    """Whether two positions are so many metres apart or less, on the map or by Zones and relations."""
    if ground_of(state) is not None and isinstance(here, tuple) and isinstance(there, tuple):
        return metres_between(state, here, there) <= metres
    return offmap.within_metres(state, here, there, metres)


def metres_between(state: State, a: Cell, b: Cell) -> int:
    return distance(a, b) * (settings(state).space_metres or 2)


# -- what senses make of a map

LINES_KEPT = 32
PAIRS_KEPT = 1_000_000

Answers = dict[At, dict[At, bool]]
"""From where, at what, and what is so of the two."""
NO_ANSWERS: dict[At, bool] = {}


class Lines:
    """What one set of senses makes of a map as it stands, from Space to Space; answers are kept.

    `placed` says whether anything but hearing plainly places whoever stands there, `reached` whether any sense gets so
    far at all, concealed or not.
    """

    __slots__ = ("_field", "_joined", "_rules", "_senses", "placed", "reached")

    def __init__(self, field: Ground, rules: Settings, senses: dict[str, int]) -> None:
        self._field, self._rules, self._senses = field, rules, senses
        self.placed: Answers = {}
        self.reached: Answers = {}
        self._joined: Answers = {}

    def places(self, here: Cell, there: Cell) -> bool:
        """The answer that is kept in `placed`.

        Rules: narateer.hide.needs-concealment, narateer.hide.other-senses.
        """
        found = sees(self._field, here, there) and self._shows(here, there)
        return self._keep(self.placed, here, there, found)

    def _shows(self, here: Cell, there: Cell) -> bool:
        """Whether a sense that follows lines gets so far, and the Space looked at does not conceal from it."""
        steps, far = distance(here, there), self._metres(here, there)
        concealed = self._field.terrain(there).conceals if steps > self._rules.concealment_fails_within else ()
        for sense, reach in self._senses.items():
            if sense != "hearing" and (not reach or far <= reach) and sense not in concealed:
                return True
        return False

    def reach(self, here: Cell, there: Cell) -> bool:
        """The answer that is kept in `reached`: footsteps carry so far, or a line of sight does."""
        return self._keep(self.reached, here, there, self.hears(here, there) or self.joins(here, there))

    def hears(self, here: Cell, there: Cell) -> bool:
        """Whether footsteps carry so far, and hearing too."""
        reach = self._senses.get("hearing")
        if reach is None:
            return False
        carries = self._rules.hearing_range
        return self._metres(here, there) <= (min(reach, carries) if reach else carries)

    def joins(self, here: Cell, there: Cell) -> bool:
        """Whether a clear line joins the two within the range of a sense that follows lines."""
        joined = self._joined.get(here, NO_ANSWERS).get(there)
        if joined is None:
            ranges = [reach for sense, reach in self._senses.items() if sense != "hearing"]
            far = self._metres(here, there)
            near = any(not reach or far <= reach for reach in ranges)
            joined = self._keep(self._joined, here, there, near and sees(self._field, here, there))
        return joined

    def _metres(self, a: Cell, b: Cell) -> int:
        return distance(a, b) * (self._rules.space_metres or 2)

    def _keep(self, answers: Answers, here: Cell, there: Cell, found: bool) -> bool:
        if here not in answers:
            if len(answers) * len(self._field.cells) >= PAIRS_KEPT:
                answers.clear()
            answers[here] = {}
        answers[here][there] = found
        return found


class Kept(NamedTuple):
    """Lines with what they were drawn from, so that its identity stays true."""

    lines: Lines
    field: Ground
    rules: Settings
    senses: dict[str, int]


_kept: dict[tuple[int, tuple[str, ...], int, int], Kept] = {}
"""By the identity of the map, the open doors, and the identity of the settings and of the senses."""


def lines_of(state: State, observer: Character) -> Lines | None:
    """What the observer's senses make of the map as it stands, in Tactical Mode."""
    if state.mode != TACTICAL:
        return None
    scene = state.scene
    kept = _kept.get((id(scene.grid), state.open_doors, id(scene.settings), id(observer.senses)))
    return kept.lines if kept is not None else _drawn(state, observer.senses)


def _drawn(state: State, senses: dict[str, int]) -> Lines | None:
    field, rules = ground_of(state), settings(state)
    if field is None:
        return None
    if len(_kept) >= LINES_KEPT:
        _kept.clear()
    equal = [old.lines for old in _kept.values() if old.field is field and old.rules == rules and old.senses == senses]
    lines = equal[0] if equal else Lines(field, rules, senses)
    _kept[id(field.grid), state.open_doors, id(rules), id(senses)] = Kept(lines, field, rules, senses)
    return lines


# -- who perceives whom


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
    if UNSEEN in state.facts:
        if offmap.unplaced(state, observer.id, target.id, here, there):
            return ()
        if offmap.shifting(state):
            return ("sight",)
    field = ground_of(state)
    if field is None or not isinstance(here, tuple) or not isinstance(there, tuple):
        return _places_off_map(state, observer, target, here, there)
    near = settings(state).concealment_fails_within
    found = []
    for sense, reach in observer.senses.items():
        if sense == "hearing":
            if _heard(state, observer, target, here, there):
                found.append(sense)
        elif not reach or metres_between(state, here, there) <= reach:
            if sees_plainly(field, here, there, sense, near):
                found.append(sense)
    return tuple(found)


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
    return _places_it(state, observer, target, seen_from or observer.at, seen_at or target.at)


def perceived_and_perceives(
    state: State, observer: Character, target: Character, seen_from: At = None, seen_at: At = None
) -> tuple[bool, bool]:
    """Whether the target was plainly placed from and at other positions, and whether it is now."""
    for held in state.relations.get(target.id, ()):
        if type(held) is GuideSays and held.other == observer.id:
            return held.clear, held.clear
    here, there = seen_from or observer.at, seen_at or target.at
    lines = lines_of(state, observer)
    if lines is not None and UNSEEN not in state.facts and not target.conditions:
        before = lines.placed.get(here, NO_ANSWERS).get(there)
        now = lines.placed.get(observer.at, NO_ANSWERS).get(target.at)
        if before is not None and now is not None:
            return before, now
    before = _places_it(state, observer, target, here, there)
    return before, _places_it(state, observer, target, observer.at, target.at)


def sights_lost(state: State, mover: Character, came: At) -> Iterator[tuple[Character, bool, bool, bool, bool]]:
    """The opponents to whom a step is a loss of sight, on either side.

    With each of them whether it saw the mover before the step and sees it now, and the mover it before and now.
    """
    told = any(GuideSays in map(type, held) for held in state.relations.values())
    mine = None if told or mover.conditions or UNSEEN in state.facts else lines_of(state, mover)
    if mine is not None:
        from_came, from_here = mine.placed.get(came, NO_ANSWERS), mine.placed.get(mover.at, NO_ANSWERS)
    for other in opponents(state, mover):
        if mine is not None and not other.conditions:
            theirs = mine if other.senses is mover.senses else lines_of(state, other)
            from_other = theirs.placed.get(other.at, NO_ANSWERS) if theirs is not None else NO_ANSWERS
            is_seen, sees_it = from_other.get(mover.at), from_here.get(other.at)
            if is_seen and sees_it:
                continue
            was_seen, saw = from_other.get(came), from_came.get(other.at)
            if is_seen is not None and sees_it is not None and was_seen is not None and saw is not None:
                if was_seen > is_seen or saw > sees_it:
                    yield other, was_seen, is_seen, saw, sees_it
                continue
        was_seen, is_seen = perceived_and_perceives(state, other, mover, seen_at=came)
        saw, sees_it = perceived_and_perceives(state, mover, other, seen_from=came)
        if was_seen > is_seen or saw > sees_it:
            yield other, was_seen, is_seen, saw, sees_it


def _places_it(state: State, observer: Character, target: Character, here: At, there: At) -> bool:
    """Whether the senses alone place the target; nobody has said anything of it."""
    if UNSEEN in state.facts:
        if offmap.unplaced(state, observer.id, target.id, here, there):
            return False
        if offmap.shifting(state):
            return True
    lines = lines_of(state, observer)
    if lines is None:
        return bool(_places_off_map(state, observer, target, here, there))
    placed = lines.placed.get(here, NO_ANSWERS).get(there)
    if placed is None:
        if not isinstance(here, tuple) or not isinstance(there, tuple):
            return bool(_places_off_map(state, observer, target, here, there))
        placed = lines.places(here, there)
    return placed or (bool(target.conditions) and _heard(state, observer, target, here, there))


def _heard(state: State, observer: Character, target: Character, here: At, there: At) -> bool:
    """Whether the noise that the target makes is within the observer's hearing, on a map."""
    reach = observer.senses.get("hearing")
    if reach is None or not isinstance(here, tuple) or not isinstance(there, tuple) or not _noisy(state, target):
        return False
    return not reach or metres_between(state, here, there) <= reach


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
    if isinstance(known.at, str) and state.mode == TACTICAL and state.scene.grid is not None:
        return False  # On a map a Zone is no spot.
    if UNSEEN in state.facts and offmap.unsure(state, observer.id, target.id, observer.at, target.at):
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
    if not state.relations.get(target.id):
        return _places_it(state, observer, target, observer.at, target.at)
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
    if UNSEEN in state.facts and offmap.unreached(state, observer.id, target.id, here, there):
        return False
    lines = lines_of(state, observer)
    if lines is None:
        return _reaches_off_map(state, observer, here, there)
    reached = lines.reached.get(here, NO_ANSWERS).get(there)
    if reached is not None:
        return reached
    if not isinstance(here, tuple) or not isinstance(there, tuple):
        return _reaches_off_map(state, observer, here, there)
    return lines.reach(here, there)


def _reaches_off_map(state: State, observer: Character, here: At, there: At) -> bool:
    """Whether sight reaches over a clear line, or footsteps carry, from the one place to the other."""
    if any(sense != "hearing" for sense in observer.senses) and offmap.line_is_clear(state, here, there):
        return True
    reach = observer.senses.get("hearing")
    if reach is None:
        return False
    carries = settings(state).hearing_range
    return offmap.hears_so_far(state, here, there, min(reach, carries) if reach else carries)


def sight_reaches(state: State, observer: Character, target: Character) -> bool:
    """Whether a clear line joins the two, for whatever stands on it; concealment is not asked."""
    return sight_reaches_space(state, observer, target.at)


def sight_reaches_space(state: State, observer: Character, there: At) -> bool:
    """Whether a clear line joins the observer and a Space, a Zone or a place."""
    here, lines = observer.at, lines_of(state, observer)
    if lines is None or not isinstance(here, tuple) or not isinstance(there, tuple):
        return offmap.line_is_clear(state, here, there)
    return lines.joins(here, there)


def hiding(state: State, actor: str) -> bool:
    """Whether the actor is hidden from anybody of whom it knows, or a Hide of its still stands."""
    held = state.relations.get(actor)
    if not held:
        return False
    if Record in map(type, held):
        return True
    fooled = [r.other for r in held if type(r) is Hidden]
    return bool(fooled) and any(aware_of(state, state.actors[actor].seat, other) for other in fooled)


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
