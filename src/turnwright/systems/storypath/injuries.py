"""Injuries: what armour and cover take, boxes that are filled, pain, and what is foretold of all that."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play, ask
from turnwright.model import ActorId, Choose, Chosen, Option, State
from turnwright.rules import Measure, Steps
from turnwright.systems.storypath.events import (
    Absorbed,
    Injured,
    TakenOut,
)
from turnwright.systems.storypath.rolls import Pause
from turnwright.systems.storypath.sheet import (
    Character,
    character,
    free_boxes,
    settings,
)

DEFENSE = "storypath.attack.defense-requirement"


def hurt(play: Play, target: ActorId, by: ActorId) -> Steps[int]:
    """One injury: cover and hard armour take it first; else the side of the one hurt picks a box, if one is free."""
    who = character(play.state, target)
    if who.cover or who.hard:
        play.emit(Absorbed(DEFENSE, target, bool(who.cover)))
        return 0
    free = free_boxes(play.state, who)
    box = free[0] if free else ""
    if len(free) > 1 and settings(play.state).box_picked_by == "hurt":
        given = yield from ask(lambda: _box_question(play.state, target), Chosen)
        box = given.id
    play.emit(Injured(DEFENSE, target, by, box))
    after = character(play.state, target)
    if after.health is not None and not free_boxes(play.state, after) and not after.down:
        play.emit(TakenOut(DEFENSE, target))
    return 1


def _box_question(state: State, target: ActorId) -> Choose:
    who = character(state, target)
    worth = settings(state).injury_complications
    options = tuple(
        [Option(box, f"{box.title()} (a complication of {worth.get(box, 0)})") for box in free_boxes(state, who)]
    )
    return Choose(who.seat, who.id, f"{who.name} is hurt: which box?", DEFENSE, options, "box", moment=Pause(who.id))


def measures(state: State) -> Iterator[Measure]:
    """What is foretold of everybody: how many injuries they take, and whether they are Taken Out."""
    for who in state.actors.values():
        before = character(state, who.id)

        def taken(after: State, before: Character = before) -> int:
            return max(0, sum(character(after, before.id).boxes.values()) - sum(before.boxes.values()))

        def out(after: State, before: Character = before) -> int:
            return int(character(after, before.id).down and not before.down)

        yield Measure(f"injuries of {who.name}", taken, who=who.id)
        yield Measure(f"{who.name} Taken Out", out, yes=True, who=who.id)
