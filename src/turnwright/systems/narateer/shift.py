"""Shifting the Scene Mode: another way to show where everybody is, which resolves, reveals and charges nothing.

What is declared, ruled, spent and found out stays as it is, since none of it is kept in Spaces or Zones: metres are
the ledger, and finished metres are shown as the mode shows them.
Rules: narateer.scene.metres-first, narateer.scene.conversion-owned-elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play, ask
from turnwright.events import ModeShifted, Placed
from turnwright.model import (
    GUIDE,
    NOTHING,
    ActorId,
    At,
    Cell,
    Choose,
    Chosen,
    Declaration,
    Moment,
    Option,
    Outcome,
    Parameter,
    Price,
    Refusal,
    Stands,
    State,
)
from turnwright.rules import Action, Nature, Settled, Steps
from turnwright.space import distance, ground, sees_plainly
from turnwright.systems.narateer.conversion import CINEMATIC, SCENE_MODES, STORY, TACTICAL
from turnwright.systems.narateer.events import Hidden, Known, Learned, Looking, SearchBegun, Stated
from turnwright.systems.narateer.movement import spot
from turnwright.systems.narateer.offmap import HERE, place_of, together
from turnwright.systems.narateer.sheet import settings

TOPICS = ("scene",)

SHIFTS = "narateer.scene.shift-before-resolution"
KEEPS = "narateer.scene.shift-preserves"
SHOWN = 25
"""So many Spaces are suggested at most; the guide may name another."""


class Shift(Action):
    """The guide goes on in another Scene Mode, before an attempt is committed to or after it is resolved.

    Rules: narateer.scene.shift-before-resolution, narateer.scene.shift-does-not-resolve,
    narateer.scene.shift-preserves.
    """

    name = "shift"
    about = "the Guide goes on in another Scene Mode"
    nature: ClassVar[Nature] = "guide"
    interjected = True
    rules = (SHIFTS, "narateer.scene.shift-does-not-resolve", KEEPS)
    parameters = (
        Parameter("mode", "choice", "the Scene Mode", required=True, choices=SCENE_MODES),
        Parameter("at", "text", "who is where, as `selka=3,4; guard=yard`; asked for where it does not follow"),
    )

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for mode in SCENE_MODES:
            if mode != known.mode:
                yield Declaration(actor, self.name, options={"mode": mode})

    def label(self, known: State, d: Declaration) -> str:
        return f"go on in {d.option('mode').title() or 'another'} Mode"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("mode"):
            yield Refusal(SHIFTS, "the declaration lacks: the Scene Mode", "INCOMPLETE mode")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        mode, scene = d.option("mode"), known.scene
        if d.actor:
            yield Refusal(SHIFTS, "the Guide alone shifts the Scene Mode; ask for it", "NOT_YOURS")
        if mode and mode not in SCENE_MODES:
            yield Refusal(SHIFTS, f"a Scene Mode is {', '.join(SCENE_MODES)}, not {mode!r}", "MODE")
        elif mode == known.mode:
            yield Refusal(SHIFTS, f"the scene is in {mode.title()} Mode", "MODE")
        elif mode == TACTICAL and scene.grid is None:
            yield Refusal(SHIFTS, "the scene has no map of Spaces", "NO_MAP")
        elif mode == CINEMATIC and scene.zones is None:
            yield Refusal(SHIFTS, "the scene has no Zones", "NO_MAP")
        else:
            yield from placing_refusals(known, mode, d.option("at"))

    def price(self, known: State, d: Declaration) -> Price:
        """Rules: narateer.scene.shift-does-not-resolve."""
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """Where everybody is in the new mode, all of it before the mode changes; then what they know and look at.

        Rules: narateer.scene.shift-preserves, narateer.scene.shift-does-not-resolve.
        """
        mode, said = d.option("mode"), dict(placings(d.option("at")))
        found: dict[ActorId, At] = {}
        for actor in tuple(play.state.actors):
            found[actor] = yield from _position(play, mode, actor, said.get(actor, ""), found)
        _show(play, mode, found)
        return Outcome(self.name, mode)


# -- what the guide says of positions


def placings(text: str) -> Iterator[tuple[str, str]]:
    """`selka=3,4; guard=yard` as who and where."""
    for part in text.split(";"):
        who, _, where = part.partition("=")
        if who.strip():
            yield who.strip(), where.strip()


def placing_refusals(known: State, mode: str, text: str) -> Iterator[Refusal]:
    """Why somebody cannot be where the guide says: nothing that is established already may change by a shift.

    Rules: narateer.scene.shift-preserves.
    """
    taken: dict[Cell, str] = {}
    for who, where in placings(text):
        if who not in known.actors:
            yield Refusal(KEEPS, f"nobody is called {who!r}; there are {', '.join(known.actors)}", "PLACE")
        elif mode == TACTICAL:
            cell = spot(where)
            yield from _space_refusals(known, who, cell, where)
            if cell in taken:
                yield Refusal(KEEPS, f"{taken[cell]} is on {where} already", "PLACE")
            if cell is not None:
                taken[cell] = who
        elif mode == CINEMATIC and (known.scene.zones is None or not known.scene.zones.named(where)):
            yield Refusal(KEEPS, f"there is no Zone called {where!r}", "PLACE")


def _space_refusals(known: State, who: str, cell: Cell | None, said: str) -> Iterator[Refusal]:
    grid = known.scene.grid
    if cell is None or grid is None or not grid.contains(cell) or grid.terrain(cell).blocked:
        yield Refusal(KEEPS, f"{said or 'nothing'} is no Space that {who} could stand on", "PLACE")
    elif cell not in spaces_for(known, who):
        place = place_of(known, known.actors[who].at)
        yield Refusal(KEEPS, f"{who} is in {place}, and {said} is not", "PLACE")


def spaces_for(state: State, actor: ActorId) -> tuple[Cell, ...]:
    """The Spaces that show where somebody is already: those of its Zone or place, else every one."""
    grid, at = state.scene.grid, state.actors[actor].at
    if grid is None:
        return ()
    if isinstance(at, tuple):
        return (at,)
    zones = state.scene.zones
    zone = zones.zone(at) if zones is not None and at else None
    within = zone.cells if zone is not None else grid.cells_of(at) if at else ()
    return tuple([cell for cell in within or tuple(grid.cells()) if not grid.terrain(cell).blocked])


# -- where everybody is


def _position(play: Play, mode: str, actor: ActorId, said: str, found: dict[ActorId, At]) -> Steps[At]:
    """Where somebody is in the new mode: what the guide said, what follows, or what the guide answers."""
    state, at = play.state, play.state.actors[actor].at
    if mode == STORY:
        return said or place_of(state, at) or HERE
    if mode == TACTICAL:
        options = [f"{x},{y}" for x, y in free_spaces(state, actor, found)]
        said_at: At = spot(said)
    else:
        zones = state.scene.zones
        assert zones is not None
        here = place_of(state, at)
        options = [zone.id for zone in zones.zones] if zones.zone(here) is None else [here]
        said_at = zones.named(said) or None
    if said_at is not None and (mode == CINEMATIC or said_at not in found.values()):
        return said_at
    if len(options) < 2:
        return _read(options[0]) if options else at
    name = state.actors[actor].name
    offered = tuple([Option(option, f"{name} at {option}") for option in options])
    question = Choose(GUIDE, "", f"Where is {name} now?", KEEPS, offered, "place")
    given = yield from ask(question, Chosen)
    return _read(given.id)


def _read(option: str) -> At:
    cell = spot(option)
    return option if cell is None else cell


def free_spaces(state: State, actor: ActorId, found: dict[ActorId, At]) -> list[Cell]:
    """Suggested Spaces for somebody: free ones of its Zone, those first where it stays out of sight of whom it fools.

    Rules: narateer.scene.shift-preserves (who is hidden from whom).
    """
    taken = [at for at in found.values() if isinstance(at, tuple)]
    taken += [other.at for name, other in state.actors.items() if name not in found and isinstance(other.at, tuple)]
    mine = state.actors[actor].at
    free = [cell for cell in spaces_for(state, actor) if cell not in taken or cell == mine]
    free.sort(key=lambda cell: (_seen(state, actor, cell, found), _strays(state, actor, cell, found)))
    return free[:SHOWN]


def _strays(state: State, actor: ActorId, cell: Cell, found: dict[ActorId, At]) -> int:
    """How many of the relations that were stated do not fit a Space: near is beside, and far is not."""
    count = 0
    for tie in state.related(Stands, actor):
        at = found.get(tie.other)
        if isinstance(at, tuple):
            beside = distance(at, cell) <= 1
            count += (tie.how == "near" and not beside) or (tie.how == "far" and distance(at, cell) <= 2)
    return count


def _seen(state: State, actor: ActorId, cell: Cell, found: dict[ActorId, At]) -> int:
    """How many of those placed already would plainly see, or be seen by, whom hiding parts them from."""
    grid = state.scene.grid
    assert grid is not None
    field, count = ground(grid, state.open_doors), 0
    near = settings(state).concealment_fails_within
    for other, at in found.items():
        if not isinstance(at, tuple):
            continue
        if state.relation(Hidden, actor, other) is not None:
            count += sees_plainly(field, at, cell, "sight", near)
        if state.relation(Hidden, other, actor) is not None:
            count += sees_plainly(field, cell, at, "sight", near)
    return count


# -- the shift itself


def _show(play: Play, mode: str, found: dict[ActorId, At]) -> None:
    """The mode changes, everybody is where they were, and what they know and search is said anew in its terms."""
    before, rule = play.state, "narateer.scene.shift-does-not-resolve"
    play.emit(ModeShifted(rule, mode))
    for actor, at in found.items():
        if at != before.actors[actor].at:
            play.emit(Placed(KEEPS, actor, at))
    for known in tuple(before.every(Known)):
        at = remembered(before, known, mode, found)
        if at != known.at:
            play.emit(Learned(KEEPS, known.owner, known.other, at, known.how, known.aware))
    for search in tuple(before.every(Looking)):
        scope = searched(before, search, mode)
        if scope != search.scope:
            of = search.place, search.total, search.by_word, search.trail
            play.emit(SearchBegun(KEEPS, search.owner, scope, *of))
    if mode == STORY:
        for tie in ties(before, found):
            play.emit(Stated(KEEPS, tie.owner, tie, (tie.owner, tie.other)))


def remembered(before: State, known: Known, mode: str, found: dict[ActorId, At]) -> At:
    """Where somebody was last known to be, in the terms of the new mode: still there, or no longer."""
    target = before.actors.get(known.owner)
    if target is not None and known.at is not None and known.at == target.at:
        return found[known.owner]
    if mode == TACTICAL or known.at is None:
        return known.at
    return place_of(before, known.at) or known.at


def searched(before: State, search: Looking, mode: str) -> tuple[Cell | str, ...]:
    """What somebody is searching, in Spaces or in Zones."""
    if mode != TACTICAL:
        names = [place_of(before, part) or part for part in search.scope]
        return tuple(dict.fromkeys(names))
    zones, grid = before.scene.zones, before.scene.grid
    cells: list[Cell | str] = []
    for part in search.scope:
        zone = zones.zone(part) if zones is not None and isinstance(part, str) else None
        inside = zone.cells if zone is not None else grid.cells_of(part) if grid and isinstance(part, str) else ()
        cells.extend(inside or (part,))
    return tuple(dict.fromkeys(cells))


def ties(before: State, found: dict[ActorId, At]) -> Iterator[Stands]:
    """Who is near whom, where that follows: in the same Zone, or on Spaces that touch. What was stated stands."""
    ids = list(found)
    for index, one in enumerate(ids):
        for two in ids[index + 1 :]:
            told = before.relation(Stands, one, two) or before.relation(Stands, two, one)
            if told is None and _close(before, before.actors[one].at, before.actors[two].at):
                yield Stands(one, two, how="near")


def _close(before: State, a: At, b: At) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple) and before.scene.zones is None:
        return distance(a, b) <= 1
    return together(before, a, b)
