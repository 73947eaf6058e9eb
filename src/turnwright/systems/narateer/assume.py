"""What a seat assumes of the numbers that it cannot know, so that it gets odds at all; every assumption is said."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.model import ActorId, State
from turnwright.systems.narateer.sheet import Character, settings

GUESSED = ("observation", "melee", "ranged", "acrobatics", "athletics", "stealth")


def believed(state: State, known: State) -> tuple[State, tuple[str, ...]]:
    """Other sides' characters with a middling sheet: one Skill Level for all, and a full pool of AD."""
    level, pool = settings(known).assumed_level, settings(known).ad
    actors: dict[ActorId, Character] = {}
    said: list[str] = []
    for name in known.actors:
        actor: Character = known.actors[name]
        if state.actors.get(name) is actor:
            actors[name] = actor
            continue
        actors[actor.id] = replace(actor, skills=dict.fromkeys(GUESSED, level), ad=pool, ready=pool)
        said.append(f"{actor.name}: Skill Level {level} in everything, {pool} Ready AD")
    return replace(known, actors=actors), tuple(said)
