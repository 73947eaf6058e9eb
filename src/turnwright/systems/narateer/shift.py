"""Shifting the Scene Mode: another way to show where everybody is, which resolves, reveals and charges nothing.

What is declared, ruled, spent and found out stays as it is, since none of it is kept in Spaces or Zones: metres are
the ledger, and finished metres are shown as the mode shows them.
Rules: narateer.scene.metres-first, narateer.scene.conversion-owned-elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright import shared
from turnwright.engine import Play, ask
from turnwright.events import Event, ModeShifted, Placed
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
    SeatId,
    Stands,
    State,
)
from turnwright.rules import Action, Nature, Settled, Steps
from turnwright.space import distance, sees_plainly
from turnwright.systems.narateer.arranging import free_spaces, spaces_for
from turnwright.systems.narateer.conversion import CINEMATIC, SCENE_MODES, STORY, TACTICAL
from turnwright.systems.narateer.events import (
    UNSEEN,
    Believed,
    Blind,
    Known,
    Learned,
    Looking,
    Overlooked,
    SearchBegun,
    Stated,
    Unseen,
    cover_of,
)
from turnwright.systems.narateer.offmap import HERE, conceals_at, place_of, together
from turnwright.systems.narateer.routes import spot
from turnwright.systems.narateer.senses import could_notice, ground_of, knows_spot, opponents, perceives, plainly
from turnwright.systems.narateer.sheet import Character, settings

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

    First of all it is kept who does not perceive whom, and what each seat believes of it, so that nobody comes into
    sight by it; what stays of that is said once, last of all.
    """
    before, rule = play.state, "narateer.scene.shift-does-not-resolve"
    unseen = unseen_pairs(before)
    seats = shared.players(before)
    unseen = replace(unseen, believed=tuple([believed_pairs(play.game.known(before, seat), seat) for seat in seats]))
    play.emit(replace(unseen, going=True))
    shown: list[Event] = [ModeShifted(rule, mode)]
    shown += [Placed(KEEPS, actor, at) for actor, at in found.items() if at != before.actors[actor].at]
    if mode == STORY:
        shown += [Stated(KEEPS, tie.owner, tie, (tie.owner, tie.other)) for tie in ties(before, found)]
    after = unseen.apply(play.state)
    for event in shown:
        after = event.apply(after)
    # Before anybody is out of sight it is kept where it is, so that it is not lost even for a moment.
    found_lost = tuple(_out_of_sight(before, after))
    for event in (*found_lost, *shown):
        play.emit(event)
    held = [(lost.by, lost.actor) for lost in found_lost]
    for known in tuple(before.every(Known)):
        learned = remembered(before, known, mode, found)
        if (learned.at, learned.space) != (known.at, known.space) and (known.other, known.owner) not in held:
            play.emit(learned)
    for search in tuple(before.every(Looking)):
        scope = searched(before, search, mode)
        if scope != search.scope:
            of = search.place, search.total, search.by_word, search.trail
            play.emit(SearchBegun(KEEPS, search.owner, scope, *of))
    now = unseen.apply(play.state)  # As it is when the shift is over.
    still = still_unseen(now, replace(unseen, unsure=_others(unseen.unsure, held)))
    thought = [replace(each, unsure=_others(each.unsure, held)) for each in unseen.believed]
    knew = {seat: play.game.known(before, seat) for seat in seats}
    believed = [
        replace(
            still_believed(play.game.known(now, taken.seat), taken),
            watched=(
                *_still_watched(before, taken.seat, mode, found),
                *_watched(knew[taken.seat], play.game.known(now, taken.seat), taken.seat),
            ),
        )
        for taken in thought
    ]
    play.emit(replace(still, believed=tuple(believed)))


def _others(pairs: tuple[Blind, ...], but: Container[tuple[ActorId, ActorId]]) -> tuple[Blind, ...]:
    return tuple([pair for pair in pairs if (pair.observer, pair.target) not in but])


def unseen_pairs(state: State) -> Overlooked:
    """Opponents of whom the one does not perceive the other, reaches it by no sense, or is not sure where it is.

    Rules: narateer.scene.shift-does-not-resolve, narateer.scene.shift-preserves.
    """
    pairs = [(o, t) for t in state.actors.values() for o in opponents(state, t)]
    unplaced = tuple([Blind(o.id, t.id) for o, t in pairs if not perceives(state, o, t)])
    unreached = tuple([Blind(o.id, t.id) for o, t in pairs if not o.down and not could_notice(state, o, t)])
    unsure = tuple([Blind(o.id, t.id) for o, t in pairs if not knows_spot(state, o, t)])
    return Overlooked("narateer.scene.shift-does-not-resolve", unplaced, unreached, unsure)


def believed_pairs(known: State, seat: SeatId) -> Believed:
    """The same by what a seat knows, of all observers but its own characters: it can tell no more of them."""
    pairs, own = unseen_pairs(known), [actor.id for actor in known.actors.values() if actor.seat == seat]

    def of_others(held: tuple[Blind, ...]) -> tuple[Blind, ...]:
        return tuple([pair for pair in held if pair.observer not in own])

    return Believed(seat, of_others(pairs.unplaced), of_others(pairs.unreached), of_others(pairs.unsure))


def still_believed(known: State, believed: Believed) -> Believed:
    """What stays of it in the new mode, by what the seat knows then."""

    def told(pairs: tuple[Blind, ...]) -> tuple[Blind, ...]:
        return tuple([pair for pair in pairs if {pair.observer, pair.target} <= set(known.actors)])

    rule = "narateer.scene.shift-does-not-resolve"
    still = still_unseen(
        known, Overlooked(rule, told(believed.unplaced), told(believed.unreached), told(believed.unsure))
    )
    return Believed(believed.seat, still.unplaced, still.unreached, still.unsure)


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
                # Not `aware`, which would tell whether it was really seen; its owner goes on believing what it did.
                space = None if state.mode == TACTICAL else _space(seen.at)
                yield Learned(KEEPS, target.id, observer.id, target.at, space=space)


def _watched(knew: State, knows: State, seat: SeatId) -> Iterator[Known]:
    """The seat's own who, by what it knew, were in sight of another whom they perceived, and are not in the new mode.

    Rules: narateer.scene.shift-preserves.
    """
    for target in knows.actors.values():
        if target.seat != seat or target.id not in knew.actors:
            continue
        seen = knew.actors[target.id]
        for observer in opponents(knows, target):
            saw = knew.actors.get(observer.id)
            if saw is None or not (plainly(knew, saw, seen) and plainly(knew, seen, saw)):
                continue
            if not plainly(knows, observer, target):
                space, behind = None if knows.mode == TACTICAL else _space(seen.at), cover_of(knows, target.id)
                yield Known(target.id, observer.id, at=target.at, aware=True, behind=behind, space=space)


def _still_watched(before: State, seat: SeatId, mode: str, found: dict[ActorId, At]) -> Iterator[Known]:
    """What was so believed since an earlier shift, in the terms of the new mode."""
    fact = before.facts.get(UNSEEN)
    for believed in fact.believed if isinstance(fact, Unseen) else ():
        for known in believed.watched if believed.seat == seat else ():
            if before.actors[known.owner].at == known.at:
                new = remembered(before, known, mode, found)
                yield replace(known, at=new.at, space=new.space)


def _space(at: At) -> Cell | None:
    return at if isinstance(at, tuple) else None


def remembered(before: State, known: Known, mode: str, found: dict[ActorId, At]) -> Learned:
    """Where somebody was last known to be, in the terms of the new mode and no more precisely than it was.

    On a map a Zone stays a Zone, but where a Space of it was remembered before it was a Zone. That one was seen going
    there is told to nobody by its having come to be elsewhere in the same Zone.
    Rules: narateer.scene.shift-preserves, narateer.scene.shift-does-not-resolve.
    """
    at, space = known.at, known.space
    if mode == TACTICAL and isinstance(at, str):
        at, space = space or at, None
    elif mode != TACTICAL and at is not None:
        space = _space(at) or space
        at = place_of(before, at) or (HERE if mode == STORY else at)
    aware = known.aware and known.at == before.actors[known.owner].at
    return Learned(KEEPS, known.owner, known.other, at, known.how, aware, space)


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
    """Who is near whom, where that follows: in the same Zone, or on Spaces that touch, and friends or in plain sight.

    What was stated stands. Who hides from whom, and by what senses somebody perceives, is not asked: it would be told.
    """
    ids = list(found)
    for index, one in enumerate(ids):
        for two in ids[index + 1 :]:
            told = before.relation(Stands, one, two) or before.relation(Stands, two, one)
            a, b = before.actors[one], before.actors[two]
            if told is None and _close(before, a.at, b.at) and (a.side == b.side or _open_to_see(before, a.at, b.at)):
                yield Stands(one, two, how="near")


def _open_to_see(before: State, a: At, b: At) -> bool:
    """Whether the ground alone lets anybody with eyes see from either place who is in the other."""
    field, near = ground_of(before), settings(before).concealment_fails_within
    if field is None or not isinstance(a, tuple) or not isinstance(b, tuple):
        return not conceals_at(before, a, "sight") and not conceals_at(before, b, "sight")
    return sees_plainly(field, a, b, "sight", near) and sees_plainly(field, b, a, "sight", near)


def _close(before: State, a: At, b: At) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple) and before.scene.zones is None:
        return distance(a, b) <= 1
    return together(before, a, b)
