"""Story Mode: moving from one stated relation to another; the guide weighs it, and what is established stands."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from turnwright.engine import Play
from turnwright.model import Barrier, Declaration, Landmark, Passage, Refusal, Ruling, Stands, State, seat_of
from turnwright.rules import Steps
from turnwright.space.story import HOWS, chain, sentence
from turnwright.space.zones import across, is_open
from turnwright.systems.narateer.allowance import TIMES, allowance
from turnwright.systems.narateer.conversion import ZONE_METRES
from turnwright.systems.narateer.events import Halted, Obstacle, Repositioned
from turnwright.systems.narateer.notice import settle
from turnwright.systems.narateer.obstacles import try_obstacle
from turnwright.systems.narateer.offmap import HERE, laid_out, landmark, open_ways, place_of, zone_metres
from turnwright.systems.narateer.senses import locates
from turnwright.systems.narateer.sheet import SPRINT_SKILLS, Character, character, settings
from turnwright.systems.narateer.sneak import hidden_factor, sprint_ends_hiding

TOPICS = ("story",)

NEAR = "near"


# -- what there is to be near


def places_in(state: State) -> tuple[str, ...]:
    """Every place of the scene: its Zones, what barriers and ways join, where things are, and where anybody is."""
    zones = state.scene.zones.zones if state.scene.zones is not None else ()
    named = [zone.id for zone in zones]
    named.extend(place for pair in (*_parted_by(state), *_passed_by(state)) for place in pair)
    named.extend(fact.place for fact in state.facts_of(Landmark) if fact.place)
    named.extend(actor.at for actor in state.actors.values() if isinstance(actor.at, str))
    return tuple(dict.fromkeys(named))


def _parted_by(state: State) -> list[tuple[str, str]]:
    return [fact.between for fact in state.facts_of(Barrier)]


def _passed_by(state: State) -> list[tuple[str, str]]:
    return [fact.between for fact in state.facts_of(Passage)]


def goals(known: State, actor: str) -> tuple[str, ...]:
    """Everybody and everything that the actor can move near to, as far as it knows."""
    others = [other.id for other in known.actors.values() if other.id != actor and other.at is not None]
    things = [fact.id for fact in known.facts_of(Landmark)]
    return (*things, *others, *[place for place in places_in(known) if place not in things])


def goal_named(known: State, actor: str, text: str) -> str:
    """The id of what is meant: a thing, somebody or a place, by id or name; empty where there is no such."""
    said = text.strip().lower()
    for name in goals(known, actor):
        if said in (name.lower(), name_of(known, name).lower()):
            return name
    return ""


def name_of(state: State, name: str) -> str:
    """A thing, somebody or a place as it is called."""
    found, actor = landmark(state, name), state.actors.get(name)
    if actor is not None:
        return str(actor.name)
    zone = state.scene.zones.zone(name) if state.scene.zones is not None else None
    return (found.name if found is not None else "") or (zone.name if zone is not None else name)


def where_is(state: State, name: str) -> str:
    """The place of a thing or of somebody; a place is its own."""
    actor = state.actors.get(name)
    if actor is not None:
        return place_of(state, actor.at)
    found = landmark(state, name)
    return (found.place or HERE) if found is not None else name


# -- what forbids it


def route_between(state: State, a: str, b: str) -> tuple[str, ...] | None:
    """The places on the way from one to another: straight where nothing parts them, else by ways that are open.

    Rules: narateer.story.preserve-facts.
    """
    zones = state.scene.zones
    if a == b or not laid_out(state, a, b):
        return (b,)
    passages = [way.between for way in open_ways(state)]
    if zones is not None:
        passages += [(way.a, way.b) for way in zones.ways if is_open(way, state.open_doors)]
    return chain(passages, a, b)


def barred_by(state: State, a: str, b: str) -> str:
    """What keeps one from going from one place to another, in words."""
    named = [(fact.name, fact.between) for fact in state.facts_of(Barrier)]
    named += [(fact.name, fact.between) for fact in state.facts_of(Passage)]
    for name, between in named:
        if {a, b} == set(between):
            return f"{name} parts {name_of(state, a)} and {name_of(state, b)}, and no way leads past it"
    return f"no way leads from {name_of(state, a)} to {name_of(state, b)}"


def story_refusals(known: State, actor: Character, d: Declaration, left: Fraction) -> Iterator[Refusal]:
    """Why a relation cannot be reached: nothing of the name, a barrier without a way, nothing left to move with.

    Rules: narateer.story.preserve-facts, narateer.divide.total-cap.
    """
    rule = "narateer.story.preserve-facts"
    if left <= 0:
        yield Refusal("narateer.divide.total-cap", f"nothing is left of the {d.action}", "NOTHING_LEFT")
    if d.option("relation") not in ("", *HOWS):
        text = f"one can be {', '.join(HOWS)}; {d.option('relation')!r} is none of them"
        yield Refusal("narateer.story.relationships-not-counts", text, "RELATION")
    if d.route:
        text = "in Story Mode one says what one moves near to, and no Spaces or Zones"
        yield Refusal("narateer.story.relationships-not-counts", text, "NO_MAP")
    if not d.option("to"):
        return
    if d.option("to").strip().lower() in (actor.id, actor.name.lower()):
        text = f"{actor.name} moves to somebody or something else, not to itself"
        yield Refusal("narateer.story.relationships-not-counts", text, "NO_GOAL")
        return
    goal = goal_named(known, actor.id, d.option("to"))
    if not goal:
        text = f"there is {', '.join(goals(known, actor.id)) or 'nothing'}, and no {d.option('to')}"
        yield Refusal("narateer.story.relationships-not-counts", text, "NO_GOAL")
        return
    other = known.actors.get(goal)
    if other is not None and not locates(known, actor, other):
        text = f"{actor.name} does not know where {other.name} is"
        yield Refusal("narateer.hidden.cannot-be-targeted-directly", text, "NO_PRECISE_LOCATION")
        return
    here, there = place_of(known, actor.at), where_is(known, goal)
    if route_between(known, here, there) is None:
        yield Refusal(rule, barred_by(known, here, there), "NO_ROUTE")


# -- how much may be asked for


def ambition(state: State, actor: Character) -> dict[str, Fraction]:
    """The whole allowance of each mode in metres, by which the guide weighs how far a move may go.

    Rules: narateer.story.ambition-scales-with-allowance.
    """
    best = max(SPRINT_SKILLS, key=actor.level)
    return {mode: allowance(state, actor, mode, best if mode == "sprint" else "") for mode in TIMES}


def aid(state: State, actor: Character, left: Fraction) -> str:
    """What the guide is shown: what is left, every allowance, and about how many Zones that is.

    Rules: narateer.story.ambition-scales-with-allowance.
    """
    scale = settings(state).zone_metres or ZONE_METRES
    whole = ", ".join(f"{mode.title()} {float(metres):g} m" for mode, metres in ambition(state, actor).items())
    about = float(left / scale)
    return f"{float(left):g} m are left, about {about:.1f} stretches of {scale} m; {whole}"


def about_metres(state: State, actor: Character, goal: str) -> int:
    """About how many metres it is to something, by what was stated: a few steps, across a place, or into another.

    Half a stretch where it is in the same place, a whole one where it is far there, and the Zones or stretches on the
    way to another place; a stretch is the setting zone_metres.
    Rules: narateer.story.ambition-scales-with-allowance.
    """
    here, there = place_of(state, actor.at), where_is(state, goal)
    stretch, zones = zone_metres(state), state.scene.zones
    route = route_between(state, here, there) if here != there else ()
    if route:
        return sum(across(zones, place, stretch) if zones is not None else stretch for place in route)
    tie = state.relation(Stands, actor.id, goal) or state.relation(Stands, goal, actor.id)
    if tie is None:
        return ceil(stretch / 2)
    return stretch if tie.how == "far" else STEPS


STEPS = 1
"""Metres that next to nothing of a distance takes."""


def story_presets(state: State, d: Declaration, left: Fraction) -> tuple[Ruling, ...]:
    """What the guide is offered: about what was stated takes, a few steps, half or all of what is left; or too far.

    Where one sneaks, half as far is as much.
    Rules: narateer.story.ambition-scales-with-allowance.
    """
    actor = character(state, d.actor)
    shown, twice = aid(state, actor, left), hidden_factor(state, actor, d.action)
    if twice > 1:
        shown = f"{shown}; sneaking, which halves how far that is"
    reached = sentence(actor.name, d.option("relation") or NEAR, name_of(state, d.option("to")))
    goal = goal_named(state, actor.id, d.option("to")) or d.option("to")
    about, half, whole = about_metres(state, actor, goal) * twice, ceil(left / 2), ceil(left)

    def there(metres: int, words: str) -> Ruling:
        return Ruling("automatic", success=f"{reached}, {words}", amount=metres)

    sensible = there(min(about, whole), f"which takes about {min(about, whole)} m ({shown})")
    far = Ruling("impossible", obstacle=f"that is too far ({shown})")
    risk = Ruling(
        "check",
        skill="athletics",
        target=settings(state).ladder["standard"],
        success=reached,
        failure="it does not get there",
        consequence="stop",
        amount=whole,
        ad=1,
        why="risky",
    )
    return (
        sensible,
        there(STEPS, f"which is only a few steps: {STEPS} m"),
        there(half, f"with half of what is left: {half} m"),
        there(whole, f"with all that is left: {whole} m"),
        far,
        risk,
    )


# -- moving


def beside(state: State, actor: str) -> tuple[str, ...]:
    """Who was stated to be near somebody."""
    return tuple([tie.other for tie in state.related(Stands, actor) if tie.how == NEAR and tie.other in state.actors])


def _where_believed(play: Play, mover: str, goal: str) -> str:
    """Where the mover goes to be near to something: where it believes it to be, also where it is not any more.

    Rules: narateer.hidden.observer-may-still-know.
    """
    seen = play.game.known(play.state, seat_of(play.state, mover))
    at = where_is(seen, goal) if goal in seen.actors and seen.actors[goal].at is not None else ""
    return at or where_is(play.state, goal)


def reposition(play: Play, d: Declaration, ruling: Ruling, left: Fraction, additional: bool) -> Steps[str]:
    """The relation that was declared holds now, and no other fact of the scene has changed; how it ended, in a word.

    Where the guide called for a check, it is made on the way.
    Rules: narateer.story.relationships-not-counts, narateer.story.preserve-facts, narateer.scene.metres-first.
    """
    if ruling.kind == "check":
        goal = f"{d.option('relation') or NEAR} {d.option('to')}"
        met = Obstacle(f"the way {goal}", f"the way {goal}", skill=ruling.skill, target=ruling.target)
        passed = yield from try_obstacle(play, d.actor, met, ruling, additional)
        if not passed:
            return "stopped"
    rule, state = "narateer.story.relationships-not-counts", play.state
    goal = goal_named(state, d.actor, d.option("to"))
    if not goal or not ruling.good:
        play.emit(Halted(rule, d.actor, ruling.failure or ruling.success or "it comes to nothing"))
        return "stopped"
    if d.action == "sprint":
        sprint_ends_hiding(play, d.actor)
    before, there = play.state, _where_believed(play, d.actor, goal)  # kept: how it was when the move began
    tie = Stands(d.actor, goal, how=d.option("relation") or NEAR)
    found = there == where_is(play.state, goal)
    ties = (tie,) if found and (goal != there or tie.how != "in") else ()
    metres = min(left, Fraction(ruling.amount))
    play.emit(Repositioned(rule, d.actor, there, ties, metres, additional))
    yield from settle(play, before)
    return "arrived"
