"""Shifting the Scene Mode: another way to show where everybody is, which resolves, reveals and charges nothing.

What is declared, ruled, spent and found out stays as it is, since none of it is kept in Spaces or Zones: metres are
the ledger, and finished metres are shown as the mode shows them.
Rules: narateer.scene.metres-first, narateer.scene.conversion-owned-elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from msgspec.structs import replace

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
from turnwright.space import distance
from turnwright.systems.narateer.arranging import free_spaces, spaces_for
from turnwright.systems.narateer.conversion import CINEMATIC, SCENE_MODES, STORY, TACTICAL
from turnwright.systems.narateer.events import (
    UNSEEN,
    Blind,
    Known,
    Learned,
    Looking,
    Overlooked,
    SearchBegun,
    Stated,
    Unseen,
)
from turnwright.systems.narateer.movement import spot
from turnwright.systems.narateer.offmap import HERE, place_of, together
from turnwright.systems.narateer.senses import could_notice, knows_spot, opponents, perceives, plainly
from turnwright.systems.narateer.sheet import Character

TOPICS = ("scene",)

SHIFTS = "narateer.scene.shift-before-resolution"
KEEPS = "narateer.scene.shift-preserves"
Shows = Callable[[State, Character, Character], bool]
"""Whether an observer has somebody in sight, in hearing or in mind."""
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
            found[actor] = yield from _position(play, mode, actor, said, found)
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
            if cell in taken and not (known.actors[who].down or known.actors[taken[cell]].down):
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


# -- where everybody is


def _position(play: Play, mode: str, actor: ActorId, told: dict[str, str], found: dict[ActorId, At]) -> Steps[At]:
    """Where somebody is in the new mode: what the guide said, what follows, or what the guide answers."""
    state, at, said = play.state, play.state.actors[actor].at, told.get(actor, "")
    if mode == STORY:
        return said or place_of(state, at) or HERE
    said_at: At = spot(said)
    options: list[str] = []
    if mode == CINEMATIC:
        zones = state.scene.zones
        assert zones is not None
        here = place_of(state, at)
        options = [zone.id for zone in zones.zones] if zones.zone(here) is None else [here]
        said_at = zones.named(said) or None
    if said_at is not None and (mode == CINEMATIC or _free_for(state, actor, said_at, found)):
        return said_at
    if mode == TACTICAL:
        placed: dict[ActorId, At] = {who: spot(where) for who, where in told.items() if who != actor}
        placed |= found
        options = [f"{x},{y}" for x, y in free_spaces(state, actor, placed)[:SHOWN]]
    if len(options) < 2:
        return _read(options[0]) if options else at
    name = state.actors[actor].name
    offered = tuple([Option(option, f"{name} at {option}") for option in options])
    question = Choose(GUIDE, "", f"Where is {name} now?", KEEPS, offered, "place")
    given = yield from ask(question, Chosen)
    return _read(given.id)


def _free_for(state: State, actor: ActorId, at: At, found: dict[ActorId, At]) -> bool:
    """Whether nobody who stands is on a Space already; whoever is down lies where others may stand."""
    on_it = [other for other, there in found.items() if there == at]
    return state.actors[actor].down or all(state.actors[other].down for other in on_it)


def _read(option: str) -> At:
    cell = spot(option)
    return option if cell is None else cell


# -- the shift itself


def _show(play: Play, mode: str, found: dict[ActorId, At]) -> None:
    """The mode changes, everybody is where they were, and what they know and search is said anew in its terms.

    First of all it is kept who does not perceive whom, so that nobody comes into sight by it.
    """
    before, rule = play.state, "narateer.scene.shift-does-not-resolve"
    unseen = unseen_pairs(before)
    play.emit(unseen)
    play.emit(ModeShifted(rule, mode))
    for actor, at in found.items():
        if at != before.actors[actor].at:
            play.emit(Placed(KEEPS, actor, at))
    for known in tuple(before.every(Known)):
        learned = remembered(before, known, mode, found)
        if (learned.at, learned.space) != (known.at, known.space):
            play.emit(learned)
    for search in tuple(before.every(Looking)):
        scope = searched(before, search, mode)
        if scope != search.scope:
            of = search.place, search.total, search.by_word, search.trail
            play.emit(SearchBegun(KEEPS, search.owner, scope, *of))
    if mode == STORY:
        for tie in ties(before, found):
            play.emit(Stated(KEEPS, tie.owner, tie, (tie.owner, tie.other)))
    play.emit(still_unseen(play.state, unseen))
    for lost in tuple(_out_of_sight(before, play.state)):
        play.emit(lost)


def unseen_pairs(state: State) -> Overlooked:
    """Opponents of whom the one does not perceive the other, reaches it by no sense, or is not sure where it is.

    Rules: narateer.scene.shift-does-not-resolve, narateer.scene.shift-preserves.
    """
    pairs = [(o, t) for t in state.actors.values() for o in opponents(state, t)]
    unplaced = tuple([Blind(o.id, t.id) for o, t in pairs if not perceives(state, o, t)])
    unreached = tuple([Blind(o.id, t.id) for o, t in pairs if not o.down and not could_notice(state, o, t)])
    unsure = tuple([Blind(o.id, t.id) for o, t in pairs if not knows_spot(state, o, t)])
    return Overlooked("narateer.scene.shift-does-not-resolve", unplaced, unreached, unsure)


def still_unseen(state: State, unseen: Overlooked) -> Overlooked:
    """The pairs that the new mode by itself would have brought into sight or hearing, from where they are in it.

    All others are kept apart by what the new mode shows, such as a wall or a closed door.
    Rules: narateer.scene.shift-does-not-resolve, narateer.scene.shift-preserves.
    """
    plain = state.with_fact(Unseen(UNSEEN))

    def kept(pairs: tuple[Blind, ...], shows: Shows) -> tuple[Blind, ...]:
        held = [(pair, state.actors[pair.observer], state.actors[pair.target]) for pair in pairs]
        return tuple([replace(pair, seen_from=o.at, at=t.at) for pair, o, t in held if shows(plain, o, t)])

    return replace(
        unseen,
        unplaced=kept(unseen.unplaced, perceives),
        unreached=kept(unseen.unreached, could_notice),
        unsure=kept(unseen.unsure, knows_spot),
    )


def _out_of_sight(before: State, state: State) -> Iterator[Learned]:
    """Whom somebody perceived and does not in the new mode, is remembered where it is in it: that was seen.

    Rules: narateer.scene.shift-preserves.
    """
    for target in state.actors.values():
        seen = before.actors[target.id]
        for observer in opponents(state, target):
            saw = before.actors[observer.id]
            if plainly(before, saw, seen) and not plainly(state, observer, target):
                aware = plainly(before, seen, saw)
                space = None if state.mode == TACTICAL else _space(seen.at)
                yield Learned(KEEPS, target.id, observer.id, target.at, aware=aware, space=space)


def _space(at: At) -> Cell | None:
    return at if isinstance(at, tuple) else None


def remembered(before: State, known: Known, mode: str, found: dict[ActorId, At]) -> Learned:
    """Where somebody was last known to be, in the terms of the new mode and no more precisely than it was.

    On a map a Zone stays a Zone, but where a Space of it was remembered before it was a Zone.
    Rules: narateer.scene.shift-preserves, narateer.scene.shift-does-not-resolve.
    """
    at, space = known.at, known.space
    if mode == TACTICAL and isinstance(at, str):
        at, space = space or at, None
    elif mode != TACTICAL and at is not None:
        space = _space(at) or space
        at = place_of(before, at) or (HERE if mode == STORY else at)
    return Learned(KEEPS, known.owner, known.other, at, known.how, known.aware, space)


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
    """Who is near whom, where that follows: in the same Zone, or on Spaces that touch, and they perceive each other.

    What was stated stands.
    """
    ids = list(found)
    for index, one in enumerate(ids):
        for two in ids[index + 1 :]:
            told = before.relation(Stands, one, two) or before.relation(Stands, two, one)
            a, b = before.actors[one], before.actors[two]
            if told is None and _close(before, a.at, b.at) and plainly(before, a, b) and plainly(before, b, a):
                yield Stands(one, two, how="near")


def _close(before: State, a: At, b: At) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple) and before.scene.zones is None:
        return distance(a, b) <= 1
    return together(before, a, b)
