"""What a seat knows of a scene: the players' numbers are open, those of the Storyguide's characters are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from turnwright.events import Acted, Barred, Event, Waived
from turnwright.model import GUIDE, SPECTATOR, ActorId, Fact, Relation, SeatId, State
from turnwright.systems.storypath.events import (
    DefenseSet,
    Helped,
    Helping,
    InitiativeRolled,
    Injured,
    Joined,
    KnackUsed,
    Lying,
    PoolRolled,
    Reserve,
    Strained,
    Stunted,
)
from turnwright.systems.storypath.sheet import Character, public


def like(state: State, seat: SeatId) -> SeatId:
    """A seat that knows just the same: all who play none of the Storyguide's characters know what watchers do."""
    mine = any(who.seat == seat and not who.pc for who in state.actors.values())
    return seat if mine else SPECTATOR


def known(state: State, seat: SeatId, public: Callable[[State, Character], Character] = public) -> State:
    """The guide knows everything; players know each other's sheets, and so does whoever watches.

    Of the Storyguide's characters they know what can be seen, unless the scene says that one is open.
    """
    if seat == GUIDE:
        return state
    actors = {name: who if shown(who, seat) else public(state, who) for name, who in state.actors.items()}
    facts = {name: _seen(fact) for name, fact in state.facts.items() if not isinstance(fact, Reserve)}
    relations = {owner: _ties(state, owner, held, seat) for owner, held in state.relations.items() if held}
    scene = replace(state.scene, source=None, seed=None, rulings=())
    return replace(state, scene=scene, actors=actors, facts=facts, relations=relations, rulings=())


def _seen(fact: Fact) -> Fact:
    """Of a weapon on the ground nobody knows how good it is before it is taken up."""
    return replace(fact, weapon=None) if isinstance(fact, Lying) else fact


def _ties(state: State, owner: ActorId, held: tuple[Relation, ...], seat: SeatId) -> tuple[Relation, ...]:
    """What holds of somebody, without how much helps those whose numbers are not told."""
    who = state.actors.get(owner)
    if who is None or shown(who, seat) or not any(isinstance(tie, Helped) for tie in held):
        return held
    return tuple([replace(tie, amount=0) if isinstance(tie, Helped) else tie for tie in held])


def shown(who: Character, seat: SeatId) -> bool:
    """Whether a seat knows the numbers of somebody; what is known already stays as it is."""
    return who.pc or who.open or who.seat == seat or who.veiled


def sees_event(before: State, after: State, event: Event, seat: SeatId) -> Event | None:
    """An event as a seat learns of it: of the Storyguide's characters no numbers but what the dice have shown."""
    if seat == GUIDE:
        return event
    private = event.private_to()
    if private is not None:
        return event if any(_mine(after, name, seat) for name in private) else None
    if isinstance(event, InitiativeRolled):
        rolled = [after.actors[name] for name in event.actors if name in after.actors]
        return event if all(shown(one, seat) for one in rolled) else replace(event, dice=0)
    if isinstance(event, Joined):
        return event if shown(event.who, seat) else replace(event, who=public(after, event.who))
    who = after.actors.get(getattr(event, "actor", "")) or before.actors.get(getattr(event, "actor", ""))
    if who is None or shown(who, seat):
        return event
    if isinstance(event, (Waived, Barred, Strained)) or (isinstance(event, Stunted) and event.stunt.startswith("pain")):
        return None
    if isinstance(event, Injured):
        return replace(event, box="health" if event.box else "")
    if isinstance(event, PoolRolled):
        return replace(event, dice=0, enhancement=0)
    if isinstance(event, DefenseSet):
        return replace(event, defense=0, soft=0)
    if isinstance(event, Helping):
        return replace(event, amount=0)
    if isinstance(event, KnackUsed):
        return replace(event, armor=0)
    return replace(event, intent="") if isinstance(event, Acted) else event


def _mine(state: State, name: str, seat: SeatId) -> bool:
    who = state.actors.get(name)
    return who is not None and (who.seat == seat or who.pc)


def assumed(seen: State) -> Iterator[str]:
    """What is taken for the numbers that a seat does not know, in words."""
    for who in seen.actors.values():
        if who.veiled:
            yield f"{who.name}: Defense {who.defense}, Health {who.health}, pools of {who.pools.get('primary', 0)}"
