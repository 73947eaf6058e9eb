"""What damage, conditions and falls bring with them: holds that end, bodies that are carried along."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.dice import Pool
from turnwright.engine import Play, ask
from turnwright.model import ActorId, Cell, Roll, Rolled, State
from turnwright.rules import Measure, Steps
from turnwright.space.grid import distance
from turnwright.systems.altered_realms.events import (
    Carries,
    CarryEnded,
    ConditionChanged,
    Fell,
    Forced,
    Harmed,
    HoldEnded,
    Lapsed,
    SustainEnded,
)
from turnwright.systems.altered_realms.holding import Holds, belongs_to, can_be_carried
from turnwright.systems.altered_realms.sheet import Creature, conditions_of, creature, settings
from turnwright.systems.altered_realms.space import (
    depth,
    drop_at,
    free_for,
    in_melee,
    side_length,
    taken_along,
    tied_to,
    tiles,
)


def measures(state: State) -> Iterator[Measure]:
    """What is foretold of everybody: the damage that is taken, the HP that come back, and whether one goes down."""
    for who in state.actors.values():
        before = creature(state, who.id)

        def lost(after: State, before: Creature = before) -> int:
            return max(0, before.hp - creature(after, before.id).hp)

        def gained(after: State, before: Creature = before) -> int:
            return max(0, creature(after, before.id).hp - before.hp)

        def falls(after: State, before: Creature = before) -> int:
            return int(creature(after, before.id).down and not before.down)

        yield Measure(f"damage to {who.name}", lost, who=who.id)
        yield Measure(f"HP that {who.name} gets back", gained, who=who.id)
        yield Measure(f"{who.name} at 0 HP or down", falls, yes=True, who=who.id)


def harm(play: Play, target: ActorId, amount: int, type: str, by: ActorId, rule: str, part: str = "") -> None:
    """Damage lowers HP; whoever can hold nobody any more lets go."""
    play.emit(Harmed(rule, target, amount, type, by, part))
    settle(play, apart=False)


def put_condition(play: Play, actor: ActorId, condition: str, rule: str) -> None:
    play.emit(ConditionChanged(rule, actor, condition))
    settle(play, apart=False)


def settle(play: Play, *, apart: bool = True) -> None:
    """Holds whose owner can hold nobody, or whose captive is out of reach, are over; so is what the Slain sustained.

    What lasts until the next turn of somebody Slain is over at once, for that turn never comes.

    With `apart=False` nobody is asked how far away they are: whoever follows a captive may be hurt on the way.
    Rules: altered-realms.grapple.forced-break.
    """
    for who in play.state.actors.values():
        if not conditions_of(play.state, who):
            continue
        if not all(condition.ordered for _, condition in conditions_of(play.state, who)) and has_lasting(play, who.id):
            play.emit(Lapsed("altered-realms.dodge.duration", who.id))
        if who.sustained and any(condition.ends_sustained for _, condition in conditions_of(play.state, who)):
            for name in who.sustained:
                play.emit(SustainEnded("altered-realms.sustain.active-while-points", who.id, name))
    for tie in tuple(play.state.every(Carries)):
        if not still_carries(play.state, tie, apart=apart):
            play.emit(CarryEnded("altered-realms.carry.who", tie.owner, tie.other))
    for hold in tuple(play.state.every(Holds)):
        if not still_holds(play.state, hold, apart=apart):
            play.emit(HoldEnded("altered-realms.grapple.forced-break", hold.owner, hold.other, hold))


def has_lasting(play: Play, actor: ActorId) -> bool:
    """Whether anything lasts until a turn of somebody."""
    return any(r.until is not None and r.until.whose == actor for held in play.state.relations.values() for r in held)


def still_carries(state: State, tie: Carries, *, apart: bool = True) -> bool:
    """Whether the carrier is able to, and the body is still beside it."""
    if tie.owner not in state.actors or tie.other not in state.actors:
        return False
    owner = creature(state, tie.owner)
    able = all(condition.holds for _, condition in conditions_of(state, owner))
    able = able and can_be_carried(state, owner, creature(state, tie.other))
    return able and (not apart or in_melee(state, owner, creature(state, tie.other)))


def still_holds(state: State, hold: Holds, *, apart: bool = True) -> bool:
    """Whether the holder is able to, its hand is whole and empty, and the captive is within its reach."""
    if hold.owner not in state.actors or hold.other not in state.actors:
        return False
    owner, captive = creature(state, hold.owner), creature(state, hold.other)
    if not all(condition.holds for _, condition in conditions_of(state, owner)):
        return False
    if any(belongs_to(state, hold.hand, part) for part in owner.wounded):
        return False
    return owner.held_in(hold.hand) is None and (not apart or in_melee(state, owner, captive))


def carry_along(play: Play, actor: ActorId, came: Cell, at: Cell, *, settled: bool = True) -> None:
    """Whoever holds a part of somebody much larger is attached and moves with it, for nothing; so do its own riders.

    Rules: altered-realms.grapple.larger-attached.
    """
    along = taken_along(play.state, actor)
    shifted = {actor: (at[0] - came[0], at[1] - came[1])}
    for index, owner in enumerate(along):
        carrier = next((one for one in shifted if owner in tied_to(play.state, one)), actor)
        here, (dx, dy) = creature(play.state, owner).at, shifted[carrier]
        if isinstance(here, tuple):
            wanted = (here[0] + dx, here[1] + dy)
            there = _beside(play.state, owner, carrier, wanted, along[index + 1 :]) or here
            play.emit(Forced("altered-realms.grapple.larger-attached", owner, there, carrier))
            shifted[owner] = (there[0] - here[0], there[1] - here[1])
    if settled:
        settle(play)


def _beside(
    state: State, owner: ActorId, actor: ActorId, wanted: Cell, with_it: tuple[ActorId, ...] = ()
) -> Cell | None:
    """The tile that an attached creature is carried to: the one shifted with it, else a free one beside the carrier.

    Those who are yet to be carried along are in nobody's way.
    """
    who, carrier = creature(state, owner), creature(state, actor)
    around = range(-side_length(state, who), 2)
    near = [(x + dx, y + dy) for x, y in tiles(state, carrier) for dx in around for dy in around]
    if free_for(state, who, wanted, depth(state, carrier), with_it):
        return wanted
    for cell in sorted(dict.fromkeys(near), key=lambda cell: (distance(cell, wanted), cell)):
        if free_for(state, who, cell, depth(state, carrier)):
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
