"""What damage, conditions and falls bring with them: holds that end, bodies that are carried along."""

from __future__ import annotations

from turnwright.dice import Pool
from turnwright.engine import Play, ask
from turnwright.model import ActorId, Cell, Roll, Rolled, State
from turnwright.rules import Steps
from turnwright.space.grid import distance
from turnwright.systems.altered_realms.events import (
    Carries,
    CarryEnded,
    ConditionChanged,
    Fell,
    Forced,
    Harmed,
    HoldEnded,
    SustainEnded,
)
from turnwright.systems.altered_realms.holding import Holds, attached_to, belongs_to
from turnwright.systems.altered_realms.sheet import conditions_of, creature, settings
from turnwright.systems.altered_realms.space import drop_at, free_for, in_melee, tiles


def harm(play: Play, target: ActorId, amount: int, type: str, by: ActorId, rule: str, part: str = "") -> None:
    """Damage lowers HP; whoever can hold nobody any more lets go."""
    play.emit(Harmed(rule, target, amount, type, by, part))
    settle(play)


def put_condition(play: Play, actor: ActorId, condition: str, rule: str) -> None:
    play.emit(ConditionChanged(rule, actor, condition))
    settle(play)


def settle(play: Play) -> None:
    """Holds whose owner can hold nobody, or whose captive is out of reach, are over; so is what the Slain sustained.

    Rules: altered-realms.grapple.forced-break.
    """
    for who in play.state.actors.values():
        if who.sustained and any(condition.ends_sustained for _, condition in conditions_of(play.state, who)):
            for name in who.sustained:
                play.emit(SustainEnded("altered-realms.sustain.active-while-points", who.id, name))
    for tie in tuple(play.state.every(Carries)):
        if not still_carries(play.state, tie):
            play.emit(CarryEnded("altered-realms.carry.who", tie.owner, tie.other))
    for hold in tuple(play.state.every(Holds)):
        if not still_holds(play.state, hold):
            play.emit(HoldEnded("altered-realms.grapple.forced-break", hold.owner, hold.other, hold))


def still_carries(state: State, tie: Carries) -> bool:
    """Whether the carrier is able to, and the body is still beside it."""
    if tie.owner not in state.actors or tie.other not in state.actors:
        return False
    owner = creature(state, tie.owner)
    able = all(condition.holds for _, condition in conditions_of(state, owner))
    return able and in_melee(state, owner, creature(state, tie.other))


def still_holds(state: State, hold: Holds) -> bool:
    if hold.owner not in state.actors or hold.other not in state.actors:
        return False
    owner, captive = creature(state, hold.owner), creature(state, hold.other)
    if not all(condition.holds for _, condition in conditions_of(state, owner)):
        return False
    if any(belongs_to(state, hold.hand, part) for part in owner.wounded):
        return False
    return owner.held_in(hold.hand) is None and in_melee(state, owner, captive)


def carry_along(play: Play, actor: ActorId, came: Cell, at: Cell, *, settled: bool = True) -> None:
    """Whoever holds a part of somebody much larger is attached and moves with it, for nothing.

    Rules: altered-realms.grapple.larger-attached.
    """
    dx, dy = at[0] - came[0], at[1] - came[1]
    for owner in (*attached_to(play.state, actor), *[tie.other for tie in play.state.related(Carries, actor)]):
        here = creature(play.state, owner).at
        if isinstance(here, tuple):
            there = _beside(play.state, owner, actor, (here[0] + dx, here[1] + dy))
            play.emit(Forced("altered-realms.grapple.larger-attached", owner, there or here, actor))
    if settled:
        settle(play)


def _beside(state: State, owner: ActorId, actor: ActorId, wanted: Cell) -> Cell | None:
    """The tile that an attached creature is carried to: the one shifted with it, else a free one beside the carrier."""
    who, carrier = creature(state, owner), creature(state, actor)
    near = [(x + dx, y + dy) for x, y in tiles(state, carrier) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    for cell in (wanted, *sorted(dict.fromkeys(near), key=lambda cell: (distance(cell, wanted), cell))):
        if free_for(state, who, cell):
            return cell
    return None


def fall(play: Play, actor: ActorId, rule: str, deep: int = 0) -> Steps[int]:
    """Somebody falls as deep as the tiles under it: a die of Blunt for each metre beyond those that hurt nobody.

    Rules: altered-realms.last-grasp.fail.
    """
    who = creature(play.state, actor)
    metres = deep or (drop_at(play.state, who, who.at) if isinstance(who.at, tuple) else 0)
    play.emit(Fell(rule, actor, metres))
    dice = max(0, metres - settings(play.state).fall_free)  # kept: how far it fell
    if not dice:
        return 0
    pool = Pool(dice, sides=settings(play.state).fall_die)
    given = yield from ask(Roll(who.seat, actor, f"{who.name} falls {metres} m: {pool}", rule, pool, "falling"), Rolled)
    harm(play, actor, given.value, "blunt", "", rule)
    return given.value
