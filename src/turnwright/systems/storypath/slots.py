"""Slots as they stand: which comes next, who may fill it, and whose word that is."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.model import ActorId, Refusal, State
from turnwright.systems.storypath.events import Slot, roster_of
from turnwright.systems.storypath.sheet import KINDS, Character, Kind, settings, standing

ONCE = "storypath.initiative.roll-at-combat-start"
SIDES = "storypath.initiative.slot-belongs-to-side"
NAMES = "storypath.initiative.pass-the-choice"


def open_slot(state: State) -> Slot | None:
    """The first slot of this round that is neither filled nor passed."""
    held = roster_of(state)
    slots = held.slots if held is not None else ()
    return next((slot for slot in slots if not slot.used and slot.since <= state.round), None)


def candidates(state: State, kind: Kind, round: int | None = None) -> list[Character]:
    """Who may fill a slot of the kind: those of the side who have not had one in the round."""
    now = state.round if round is None else round
    able = [who for who in standing(state, kind) if who.acted < now and who.since <= now]
    if settings(state).shared_slots == "member" or kind == "pc":
        return able
    acted = [who.group for who in state.actors.values() if who.kind == kind and who.group and who.acted >= now]
    return [who for who in able if not who.group or who.group not in acted]


def right_holder(state: State) -> Character | None:
    """The one who names the next of the players: whoever filled their last slot; None is all of them together.

    Rules: storypath.initiative.pass-the-choice.
    """
    held = roster_of(state)
    found = state.actors.get(held.holder) if held is not None else None
    return found if found is not None and not found.down else None


def named_next(state: State, round: int | None = None) -> Character | None:
    """Whom they have named already, if that one can still take it; else it is named again."""
    held = roster_of(state)
    able = candidates(state, "pc", round)
    return next((who for who in able if held is not None and who.id == held.named), None)


def likely(state: State, slot: Slot, round: int | None = None) -> Character | None:
    """Who fills a slot if nobody says anything: whoever was named, else whoever rolled it, else the first left."""
    able = candidates(state, slot.kind, round)
    named = named_next(state, round) if slot.kind == "pc" else None
    rolled = next((who for who in able if who.id == slot.rolled_by), None)
    return named or rolled or next(iter(able), None)


def in_order(state: State) -> tuple[ActorId, ...]:
    """Everybody who can still have a turn, the likeliest next one first."""
    everybody = [who.id for who in standing(state)]
    held = roster_of(state)
    if held is None:
        return tuple(everybody)
    for now in (state.round, state.round + 1):
        for slot in held.slots:
            if slot.since > now or (now == state.round and slot.used):
                continue
            first = likely(state, slot, now)
            if first is not None:
                return (first.id, *[name for name in everybody if name != first.id])
    return ()


def slot_named(state: State, name: str) -> Slot:
    held = roster_of(state)
    assert held is not None
    return {slot.id: slot for slot in held.slots}[name]


def coming_slot(state: State) -> tuple[Slot | None, int]:
    """The slot that comes next for which somebody is left, and the round that it is in."""
    held = roster_of(state)
    for now in (state.round, state.round + 1):
        for slot in held.slots if held is not None else ():
            if slot.since <= now and not (now == state.round and slot.used) and candidates(state, slot.kind, now):
                return slot, now
    return None, state.round


def not_open(state: State, kind: Kind) -> tuple[Refusal, ...]:
    """Why everybody else cannot take it, each under the id that would be the answer."""
    able = [who.id for who in candidates(state, kind)]
    others = [who for who in state.actors.values() if who.id not in able]
    return tuple([replace(why_not(state, kind, who), code=who.id) for who in others])


def why_not(state: State, kind: Kind, who: Character) -> Refusal:
    """Why somebody who is none of the candidates cannot take a slot of the kind."""
    if who.kind != kind:
        text = f"the slot belongs to the {KINDS[kind]}; {who.name} is none of them"
        return Refusal(SIDES, text, "OTHER_SIDE")
    if who.down:
        return Refusal(SIDES, f"{who.name} is Taken Out", "DOWN")
    if who.since > state.round:
        return Refusal(ONCE, f"{who.name} has a slot from the next round on", "LATER")
    return Refusal(NAMES, f"{who.name} has had a slot in this round", "HAD_ONE")
