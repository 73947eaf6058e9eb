"""What an action is made of: its rolled components, one roll for all of them, and what becomes of each."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play
from turnwright.model import Check, Declaration, Refusal, RuleId, State
from turnwright.rules import Steps
from turnwright.systems.storypath.attack import (
    attack_dice,
    attack_enhancement,
    attack_need,
    attack_refusals,
    known_defense,
    needed,
    strike,
    weapon_of,
)
from turnwright.systems.storypath.deeds import (
    deed_dice,
    deed_enhancement,
    deed_named,
    deed_need,
    deed_refusals,
    deeds,
    do_deed,
)
from turnwright.systems.storypath.events import DefenseSet, Did
from turnwright.systems.storypath.moving import hurry, hurry_need, hurry_refusals, nimble, rush, rush_refusals
from turnwright.systems.storypath.rolls import (
    Result,
    bears,
    burden,
    console,
    dice_for_sale,
    enhanced,
    help_for,
    leads,
    resisted,
    suffer,
    throw,
    unstrain,
    use_help,
)
from turnwright.systems.storypath.sheet import character, pain, resilience, settings
from turnwright.systems.storypath.splitting import Half, split

SHARED = "storypath.mixed.split-successes"
OWN = ("attack", "hurry", "rush", "full_defense")
"""Components that are no deed of the scene."""
UNSPLIT = "storypath.mixed.single-roll"


def component_names(known: State) -> list[str]:
    """Everything rolled that an action may be made of here."""
    return [*OWN[:-1], *[deed.name for deed in deeds(known)]]


def dice_for(known: State, d: Declaration, name: str) -> int:
    """The whole pool of one component."""
    who = character(known, d.actor)
    if name == "attack":
        return attack_dice(known, d)
    if name in ("hurry", "rush"):
        return nimble(who) if name == "rush" else who.rating("athletics", "dexterity")
    if name == "full_defense":
        return defense_dice(known, d)
    deed = deed_named(known, name)
    return deed_dice(known, d, deed) if deed is not None else 0


def defense_dice(known: State, d: Declaration) -> int:
    who, rule = character(known, d.actor), settings(known)
    pool = who.defense if who.defense is not None and rule.full_defense_with_number else resilience(who)
    return (pool or 0) * rule.full_defense_factor


def skill_of(known: State, d: Declaration, name: str) -> str:
    if name == "attack":
        weapon = weapon_of(known, d)
        return weapon.skill if weapon is not None else ""
    deed = deed_named(known, name)
    return deed.skill if deed is not None else "athletics"


def part_refusals(known: State, d: Declaration, name: str) -> Iterator[Refusal]:
    """What stands against one component."""
    if name == "attack":
        yield from attack_refusals(known, d)
    elif name == "hurry":
        yield from hurry_refusals(known, d)
    elif name == "rush":
        yield from rush_refusals(known, d)
    elif name != "full_defense":
        deed = deed_named(known, name)
        if deed is None:
            every = ", ".join(component_names(known))
            yield Refusal("storypath.mixed.definition", f"{name!r} is nothing rolled here; there is {every}", "NO_DEED")
        else:
            yield from deed_refusals(known, d, deed)


def check_for(known: State, d: Declaration, names: tuple[str, ...]) -> Check:
    """The one roll for all components: the smallest of their pools, whole where there is only one.

    Rules: storypath.mixed.lower-pool, storypath.simple.full-attention.
    """
    who = character(known, d.actor)
    pools = [(dice_for(known, d, name), name) for name in names]
    dice, name = min(pools, key=lambda pair: pair[0])
    return Check(d.actor, skill_of(known, d, name), dice, dice_for_sale(known, who), UNSPLIT)


def half(known: State, d: Declaration, name: str) -> Half:
    """One component from what the one who rolls knows."""
    who = character(known, d.actor)
    if name == "attack":
        target, weapon = known.actors[d.target], weapon_of(known, d)
        defense = known_defense(known, target)
        need = None if defense is None else needed(known, d, defense)
        label = f"the {weapon.name if weapon is not None else 'attack'}"
        return Half(name, label, attack_dice(known, d), attack_enhancement(known, d), need, 99)
    if name in ("hurry", "rush", "full_defense"):
        own = who.enhancement if leads(d, name) else 0
        more = own + help_for(known, who, "athletics", general=leads(d, name))
        need = hurry_need(known, d) if name == "hurry" else 0
        if name == "rush" and d.target in known.actors and known.actors[d.target].veiled:
            need = None  # what the dice of the foe have shown is not all that it has
        return Half(name, name.replace("_", " "), dice_for(known, d, name), more, need, 0)
    deed = deed_named(known, name)
    assert deed is not None
    useful = sum([c.rating for c in deed.complications]) + pain(known, who)
    return Half(
        name, deed.name, deed_dice(known, d, deed), deed_enhancement(known, d, deed), deed_need(known, d, deed), useful
    )


# -- the one roll


def perform(
    play: Play, d: Declaration, names: tuple[str, ...], dice: int, rule: RuleId, number: int | None = None
) -> Steps[tuple[Result, tuple[bool, ...], int]]:
    """One roll for all components, split between them, each judged by itself; gives what succeeded, and injuries.

    Rules: storypath.mixed.single-roll, storypath.mixed.halves-judged-separately.
    """
    needs: list[int] = []
    for name in names:
        needs.append((yield from _need(play, d, name, number)))
    more = [half(play.state, d, name).enhancement for name in names]  # kept: what helps this roll
    result = yield from throw(play, d.actor, " and ".join(names), dice, rule, enhancement=sum(more))
    for name in names:
        use_help(play, d.actor, skill_of(play.state, d, name), d.target if name == "attack" else "")
    shares: tuple[int, ...] = (result.successes,)
    if len(names) > 1:
        total = result.successes
        if settings(play.state).enhancement_is_split and total:
            total, more = total + sum(more), [0] * len(names)
        shares = yield from split(play, d, names, total, tuple(more), tuple(needs), half)
    totals = [enhanced(play.state, result, e, share) for e, share in zip(more, shares, strict=True)]
    unstrain(play, d.actor)
    good: list[bool] = []
    injuries, borne = 0, False
    for name, total, need in zip(names, totals, needs, strict=True):
        met = total >= need and not result.botch
        met, hurt, borne = yield from _do(play, d, name, total - need if met else None, borne)
        injuries += hurt
        good.append(met)
    suffer(play, d.actor, borne or not any(good))
    _console(play, d, result, good)
    return result, tuple(good), injuries


def _console(play: Play, d: Declaration, result: Result, good: list[bool]) -> None:
    """One consolation at most for an action, and only where all of it failed.

    Rules: storypath.mixed.halves-judged-separately.
    """
    if d.actor not in play.state.actors:
        return
    if not any(good):
        console(play, d.actor, result.botch)
    if settings(play.state).mixed_consolations == "each":
        for _ in range(good.count(False) - int(not any(good))):
            console(play, d.actor, False)


def _need(play: Play, d: Declaration, name: str, number: int | None) -> Steps[int]:
    if name == "attack":
        return (yield from attack_need(play, d))
    if name == "hurry":
        return hurry_need(play.state, d, number)
    if name == "full_defense":
        return 0
    if name == "rush":
        foe = character(play.state, d.target)
        theirs = yield from resisted(play, d.target, nimble(foe), "rush", "storypath.mixed.single-roll")
        tie = int(settings(play.state).rush_ties == "other")
        return theirs + tie + burden(play.state, character(play.state, d.actor))
    deed = deed_named(play.state, name)
    assert deed is not None
    return deed_need(play.state, d, deed)


def _do(play: Play, d: Declaration, name: str, over: int | None, borne: bool) -> Steps[tuple[bool, int, bool]]:
    """What becomes of one component: whether it came out, the injuries, and whether the pain is borne."""
    if d.actor not in play.state.actors:
        return False, 0, borne
    if name == "attack":
        return (yield from strike(play, d, over, borne))
    if name in ("hurry", "rush"):
        moved = hurry(play, d, over) if name == "hurry" else rush(play, d, over)
        play.emit(Did("storypath.mixed.halves-judged-separately", d.actor, name, moved))
        return moved, 0, borne or (over is not None and bears(play.state, d.actor, over))
    if name == "full_defense":
        guard = max(settings(play.state).least_defense, over or 0)
        play.emit(DefenseSet("storypath.simple.full-attention", d.actor, guard, full=True))
        return True, 0, True
    deed = deed_named(play.state, name)
    assert deed is not None
    met, borne = yield from do_deed(play, d, deed, over, borne)
    return met, 0, borne
