"""What a bot does with its turn, tactic by tactic in the order in which it thinks of them.

Each looks at the outlook and proposes declarations, best first; the gate has the last word on every one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwright.dice import Pool
from turnwright.model import Cell, Declaration
from turnwright.space import distance
from turnwright.systems.altered_realms.attack import Blow, is_ranged
from turnwright.systems.altered_realms.chances import dice, harm, hit_chance, mean, save_chance, skill_chance
from turnwright.systems.altered_realms.charge import BONUS, RUN
from turnwright.systems.altered_realms.events import AimedAt, Inspired, Lying, Mechanism
from turnwright.systems.altered_realms.forced import COMPASS, direction_of, has_hand_for, push_metres
from turnwright.systems.altered_realms.grapple import break_dc, grapple_parts
from turnwright.systems.altered_realms.holding import free_hands, holds_of, holds_on, much_larger
from turnwright.systems.altered_realms.hurl import (
    bystander_dc,
    flight,
    in_its_way,
    landing_of,
    throw_metres,
    thrown_dice,
)
from turnwright.systems.altered_realms.locks import SKILLS, dc_of, handicapped
from turnwright.systems.altered_realms.magic import away, within
from turnwright.systems.altered_realms.morale import RALLY_DC, audience, best_cha_skill, hears_or_sees
from turnwright.systems.altered_realms.outlook import AIMED, Outlook, arms_of, strength
from turnwright.systems.altered_realms.prime import most_attacks, primed
from turnwright.systems.altered_realms.rolls import better_save
from turnwright.systems.altered_realms.sheet import (
    QUICK,
    UNARMED,
    Ability,
    Creature,
    Weapon,
    armed_with,
    creature,
    maneuver_dc,
    pool_named,
    settings,
    spell_dc,
)
from turnwright.systems.altered_realms.space import (
    crawling,
    drop_at,
    gap,
    in_melee,
    in_sight,
    others_at,
    step_fits,
    tiles_at,
)
from turnwright.systems.altered_realms.travel import (
    NEAREST,
    approach,
    as_far,
    charging_runs,
    cut_off,
    fall_back,
    places_by,
    reach_of,
    walking,
    way_beside,
)
from turnwright.systems.altered_realms.trip import too_large

Tactic = Callable[[Outlook], Iterator[Declaration]]
Worth = tuple[float, Declaration]
"""HP that something is expected to be worth, for one attack or for a whole Action, and what it is."""

HOLD = 1.5
"""HP that a hold is worth by itself: whoever is held goes nowhere and spends its Action on getting free."""
LATER = 0.7
"""What a throw is worth of which the hold is only the beginning; it takes the place of a blow."""
BODY_SHIELD = 1.0
"""HP that a captive is worth as a shield, for each other opponent who threatens."""
MOST_SHIELDED = 2
STRANDED = 3.0
"""HP that somebody at the bottom of a drop is worth: it is out of the fight until it finds a way up."""
ADVANTAGE = 0.2
"""How much likelier a blow hits with Advantage."""
FOOTING = 1.0
"""HP that it costs to get up from the ground."""
FREEDOM = 3.0
"""HP that being free is worth, for each who holds."""
DESPERATE = 2.0
"""How much more HP that one keeps are worth when the next turn may be the last."""
AC_POINT = 0.05
"""How much less likely a blow hits for each point of AC."""
ROUNDS_KEPT = 3
"""How many rounds what is sustained is expected to last."""
AFFLICTED = 3.0
"""HP that a condition on an opponent is worth."""
WAITING = 0.5
"""What a prepared blow is worth of one that is struck."""
CLOSING = 1.0
"""HP that coming nearer is worth."""
SPARE = 0.5
"""HP that a small advantage is worth when there is nothing better to do."""


def stand_up(look: Outlook) -> Iterator[Declaration]:
    if crawling(look.known, look.me):
        yield Declaration(look.me.id, "stand")


def let_go(look: Outlook) -> Iterator[Declaration]:
    """Whoever is down needs not be held any longer."""
    for name in dict.fromkeys(hold.other for hold in holds_of(look.known, look.me.id)):
        if creature(look.known, name).down:
            yield Declaration(look.me.id, "release", target=name)


def drink(look: Outlook) -> Iterator[Declaration]:
    """A potion, once it is needed or all that it gives back has been lost."""
    lost = look.me.hp_max - look.me.hp
    for item in look.me.items if look.me.motions else ():
        if item.drink and item.place in ("hand", *QUICK) and item.heals and lost > 0:
            if look.hurt or lost >= 2 * mean(dice(item.heals)):
                yield Declaration(look.me.id, "drink", options={"item": item.name})


def arm(look: Outlook) -> Iterator[Declaration]:
    """Takes a weapon in hand where there is none: from its holster, off the ground, out of the pack."""
    me = look.me
    if any(weapon.name != UNARMED for weapon in look.arms) or (not look.foes):
        return
    carried = [item for item in me.items if item.weapon is not None]
    carried.sort(key=lambda item: -mean(dice(item.weapon.damage)) if item.weapon is not None else 0.0)
    near = bool(look.foes) and look.metres_to(look.foes[0]) <= look.metres + reach_of(look)
    carried.sort(key=lambda item: item.weapon is not None and (item.weapon.kind == "ranged") is near)
    if me.motions:
        for item in carried:
            if item.place in QUICK:
                yield Declaration(me.id, "draw", options={"item": item.name})
        yield from _pick_up(look)
    for item in carried:
        if item.place == "pack" and not look.threats:
            yield Declaration(me.id, "rummage", options={"item": item.name})


def _pick_up(look: Outlook) -> Iterator[Declaration]:
    for fact in look.known.facts_of(Lying):
        if fact.item.weapon is None or not isinstance(fact.at, tuple) or not free_hands(look.known, look.me):
            continue
        if look.me.at in places_by(look, (fact.at,), settings(look.known).melee_range):
            yield Declaration(look.me.id, "pick_up", options={"item": fact.id.removeprefix("lying ")})
        elif not look.threats:
            route = way_beside(look, (fact.at,), settings(look.known).melee_range)
            if route and as_far(look, route) == route:
                yield from walking(look, route)


def inspire(look: Outlook) -> Iterator[Declaration]:
    """Promises as many hits as it can strike at, where somebody sees it who can use the bonus."""
    me = look.me
    if not (me.motions and me.rested and me.actions) or "attack" in me.done or not look.can_strike:
        return
    helped = [name for name in audience(look.known, me.id) if not creature(look.known, name).down]
    if any(not look.known.related(Inspired, name) for name in helped):
        yield Declaration(me.id, "inspire", options={"hits": me.attack_count})


def ward(look: Outlook) -> Iterator[Declaration]:
    """Keeps up what takes no Action, when there is somebody to be kept from."""
    for ability in look.me.abilities if look.foes else ():
        if (
            ability.budget in ("motion", "none")
            and _warding(look, ability)
            and (look.me.motions or ability.budget != "motion")
        ):
            yield _cast(look, ability, "", sustain=True)


def _warding(look: Outlook, ability: Ability) -> bool:
    """Whether something that adds to AC can be kept up with points to spare."""
    me = look.me
    if not (ability.ac and ability.sustain) or ability.name in me.sustained or ability.at != "self" or ability.trigger:
        return False
    pool = pool_named(look.known, ability.pool)
    left = me.pools.get(pool, 0) - sum(n for name, n in ability.cost.items() if pool_named(look.known, name) == pool)
    return min(left, me.maxima.get(pool, 0) - ability.sustain) > 0


def _cast(
    look: Outlook, ability: Ability, target: str, *, sustain: bool = False, to: Cell | None = None
) -> Declaration:
    options: dict[str, str | int | bool] = {"ability": ability.name}
    if sustain:
        options["sustain"] = True
    if to is not None:
        options["to"] = f"{to[0]},{to[1]}"
    return Declaration(look.me.id, "cast", target=target, options=options)


# -- the Action


def act(look: Outlook) -> Iterator[Declaration]:
    """What promises most of all that an attack or the Action can be spent on."""
    if not look.blows_left:
        return
    found = [(worth, d) for worth, d in _with_an_attack(look) if worth > 0]
    if look.me.actions:
        share = look.blows_left
        found += [(worth / share, d) for worth, d in _with_the_action(look) if worth > 0]
    for _, d in sorted(found, key=lambda pair: -pair[0]):
        yield d


def _with_an_attack(look: Outlook) -> Iterator[Worth]:
    yield from _attacks(look)
    reach = reach_of(look)
    near = [foe for foe in look.foes if look.close(foe, reach)]
    can_hold = bool(free_hands(look.known, look.me))
    for foe in near:
        if can_hold:
            yield from _grapples(look, foe)
        yield from _trips(look, foe)
        yield from _pushes(look, foe)
    for name in dict.fromkeys(hold.other for hold in holds_of(look.known, look.me.id)):
        if not creature(look.known, name).down:
            yield from _throws(look, creature(look.known, name))


def _with_the_action(look: Outlook) -> Iterator[Worth]:
    yield from _escapes(look)
    yield from _spells(look)
    yield from _guards(look)
    yield from _rallies(look)


def _attacks(look: Outlook) -> Iterator[Worth]:
    me = look.me
    for weapon in look.arms:
        options: dict[str, str | int | bool] = {"weapon": weapon.name}
        for foe in look.in_reach(weapon):
            if weapon.kind == "melee" and len(me.run) > BONUS and not me.charged:
                yield look.blow(weapon, foe, BONUS), Declaration(me.id, "charge", target=foe.id, options=options)
            yield look.blow(weapon, foe), Declaration(me.id, "attack", target=foe.id, options=options)
            if is_ranged(weapon):
                yield from _aims(look, weapon, foe)


def _aims(look: Outlook, weapon: Weapon, foe: Creature) -> Iterator[Worth]:
    """An aim is worth what it adds to the next shot; so long shots are aimed and sure ones are not."""
    taken = sum(1 for aim in look.known.related(AimedAt, look.me.id) if aim.other == foe.id)
    if taken and (look.blows_left < 2 or not settings(look.known).aim_stacks):
        return  # by the turn after next the first would have lapsed
    yield (
        look.blow(weapon, foe, AIMED) - look.blow(weapon, foe),
        Declaration(look.me.id, "aim", target=foe.id, options={"weapon": weapon.name}),
    )


def close_chance(look: Outlook, foe: Creature) -> float:
    """The chance that a Maneuver at close quarters hits."""
    return look.chance(look.close_weapon, foe)


def _grapples(look: Outlook, foe: Creature) -> Iterator[Worth]:
    known, me = look.known, look.me
    if any(hold.other == foe.id for hold in holds_of(known, me.id)):
        return
    named = foe.parts[-1] if much_larger(known, me, foe) else ""
    blow = Blow(me.id, foe.id, Weapon("a grapple"), named, grapple_parts(known, me, ""), bare=True)
    held = bool(holds_on(known, foe.id))
    others = min(MOST_SHIELDED, sum(1 for other in look.threats if other.id != foe.id))
    worth = (HOLD / 2 if held or named else HOLD) + BODY_SHIELD * others
    worth += LATER * max(0.0, _throw_later(look, foe) - look.best_blow)
    options: dict[str, str | int | bool] = {"part": named} if named else {}
    chance = hit_chance(known, blow, look.armour(foe))
    yield chance * worth, Declaration(me.id, "grapple", target=foe.id, options=options)


def _trips(look: Outlook, foe: Creature) -> Iterator[Worth]:
    """Whoever lies on the ground is hit more easily by all who stand around it."""
    known, me = look.known, look.me
    if "prone" in foe.conditions or too_large(known, me, foe):
        return
    again = (look.blows_left - 1) * mean(dice(look.close_weapon.damage))
    helped = sum(_blow_mean(look, ally) * ally.attack_count for ally in look.friends if in_melee(known, ally, foe))
    stays = 2.0 if holds_on(known, foe.id) else 1.0
    worth = (ADVANTAGE * (again + helped) + FOOTING) * stays
    yield close_chance(look, foe) * worth, Declaration(me.id, "trip", target=foe.id)


def _blow_mean(look: Outlook, ally: Creature) -> float:
    weapon = armed_with(look.known, ally, "", ("melee",))
    return mean(dice(weapon.damage)) if weapon is not None else 1.0


def _pushes(look: Outlook, foe: Creature) -> Iterator[Worth]:
    """Over a ledge, whichever way leads there."""
    known, me = look.known, look.me
    if not look.ledges or too_large(known, me, foe) or not has_hand_for(known, me, foe.id):
        return
    chance = close_chance(look, foe)
    for options in _shoves():
        d = Declaration(me.id, "push", target=foe.id, options=options)
        direction = direction_of(known, d)
        deep = drop_on(look, foe, direction, push_metres(me)) if direction is not None else 0
        if deep:
            yield chance * _fallen(look, foe, deep), d


def _shoves() -> Iterator[dict[str, str | int | bool]]:
    yield {"how": "push"}
    for name in COMPASS:
        yield {"how": "drag", "direction": name}


def drop_on(look: Outlook, who: Creature, direction: Cell, metres: int) -> int:
    """How deep somebody falls who is driven so far in one direction; 0 where there is no ledge before an obstacle."""
    here = who.at
    for _ in range(metres):
        if not isinstance(here, tuple):
            return 0
        there = (here[0] + direction[0], here[1] + direction[1])
        body = tiles_at(look.known, who, there)
        if not step_fits(look.known, who, here, there) or any(True for _ in others_at(look.known, who, body)):
            return 0
        if drop_at(look.known, who, there) > drop_at(look.known, who, here):
            return drop_at(look.known, who, there)
        here = there
    return 0


def _fallen(look: Outlook, foe: Creature, deep: int) -> float:
    """What driving somebody over an edge is worth: it may catch itself, and falls if it does not."""
    rule = settings(look.known)
    caught = save_chance(look.known, foe, "dex", maneuver_dc(look.known, look.me), hurts=deep > rule.fall_free)
    count = max(0, deep - rule.fall_free)
    hurt = harm(Pool(count, sides=rule.fall_die), max(1, foe.hp)) if count else 0.0
    return (1 - caught) * (hurt + STRANDED)


def _throw_later(look: Outlook, foe: Creature) -> float:
    """What a throw of somebody promises who is not held yet; who may stand in its way then is not asked."""
    if too_large(look.known, look.me, foe):
        return 0.0
    if look.ledges:
        return max([worth for worth, _ in _throws(look, foe)], default=0.0)
    return close_chance(look, foe) * harm(_thrown_pool(look, foe), max(1, foe.hp)) - HOLD / 2


def _thrown_pool(look: Outlook, foe: Creature) -> Pool:
    return Pool(thrown_dice(look.known, foe), sides=settings(look.known).throw_die)


def _throws(look: Outlook, foe: Creature) -> Iterator[Worth]:
    me, thrown = look.me, _thrown_pool(look, foe)
    if too_large(look.known, me, foe):
        return
    chance, plain = close_chance(look, foe), harm(thrown, max(1, foe.hp))
    matters = look.ledges or _company(look, foe, throw_metres(me))
    for name, direction in COMPASS.items():
        worth = plain + _thrown_into(look, foe, direction, mean(thrown)) if matters else plain
        d = Declaration(me.id, "throw_opponent", target=foe.id, options={"direction": name})
        yield chance * worth - HOLD / 2, d


def _company(look: Outlook, foe: Creature, metres: int) -> bool:
    """Whether anybody is so near to somebody that the body could come past."""
    others = [other for other in look.known.actors.values() if other.id not in (foe.id, look.me.id)]
    return any((gap(look.known, foe, other) or 0) <= metres for other in others)


def _thrown_into(look: Outlook, foe: Creature, direction: Cell, amount: float) -> float:
    """What the way of its flight adds: others whom it strikes, and a ledge that it comes down beyond."""
    known, me = look.known, look.me
    way = flight(known, foe, direction, throw_metres(me))
    worth = sum([_struck(look, other, foe, amount) for other in in_its_way(known, foe, me.id, way)])
    landing = landing_of(known, foe, way) if look.ledges else None
    if landing is not None and isinstance(foe.at, tuple):
        deep = drop_at(known, foe, landing)
        worth += _fallen(look, foe, deep) if deep > drop_at(known, foe, foe.at) else 0.0
    return worth


def _struck(look: Outlook, name: str, thrown: Creature, amount: float) -> float:
    """What the body does to somebody in its way; to one's own it is a loss."""
    other = creature(look.known, name)
    fails = 1 - save_chance(look.known, other, "dex", bystander_dc(look.known, thrown), hurts=True)
    return fails * amount * (-1 if other.side == look.me.side else 1)


def _escapes(look: Outlook) -> Iterator[Worth]:
    """Getting free is worth more the more hold on, and where one may be thrown over a ledge."""
    holders = look.holders()
    if not holders:
        return
    known, me = look.known, look.me
    chance = save_chance(known, me, better_save(me), break_dc(known, me.id), holders[0].id)
    worth = FREEDOM * len(holders)
    if look.ledges:
        deep = [drop_on(look, me, way, max(throw_metres(by) for by in holders)) for way in COMPASS.values()]
        worth += max([_fall_harm(look, d) for d in deep if d], default=0.0)
    yield chance * worth, Declaration(me.id, "escape")


def _fall_harm(look: Outlook, deep: int) -> float:
    count = max(0, deep - settings(look.known).fall_free)
    return STRANDED + (mean(Pool(count, sides=settings(look.known).fall_die)) if count else 0.0)


# -- spells


def _spells(look: Outlook) -> Iterator[Worth]:
    for ability in look.me.abilities:
        if ability.trigger or not _has_points(look, ability):
            continue
        if _warding(look, ability) and ability.budget == "action" and look.foes:
            averted = ability.ac * AC_POINT * sum(look.danger(foe) for foe in look.foes[:4])
            yield ROUNDS_KEPT * averted, _cast(look, ability, "", sustain=True)
        elif ability.at == "enemy":
            for foe in look.foes:
                yield _spell_worth(look, ability, foe), _cast(look, ability, foe.id)
        elif ability.heals:
            yield from _heals(look, ability)


def _has_points(look: Outlook, ability: Ability) -> bool:
    """Whether the points are there, and none of them is the last one that something is sustained by."""
    me = look.me
    kept = [pool_named(look.known, held.pool) for name in me.sustained if (held := me.ability(name)) is not None]
    for pool, amount in ability.cost.items():
        named = pool_named(look.known, pool)
        if me.pools.get(named, 0) - amount < (1 if named in kept else 0):
            return False
    return True


def _spell_worth(look: Outlook, ability: Ability, foe: Creature) -> float:
    """What it does to all whom it affects; to one's own it is a loss."""
    worth = 0.0
    for name in within(look.known, ability, foe.id):
        other = creature(look.known, name)
        if not other.down:
            worth += _spell_on(look, ability, other) * (-1 if other.side == look.me.side else 1)
    return worth


def _spell_on(look: Outlook, ability: Ability, other: Creature) -> float:
    known, me, hurts = look.known, look.me, bool(ability.damage)
    dc = spell_dc(known, me)
    fails = 1 - save_chance(known, other, ability.save, dc, me.id, hurts=hurts) if ability.save else 1.0
    worth = harm(dice(ability.damage), max(1, other.hp)) if ability.damage else 0.0
    if ability.condition and ability.condition not in other.conditions:
        worth += AFFLICTED
    if ability.push:
        deep = drop_on(look, other, away(known, me, other), ability.push)
        worth += _fallen(look, other, deep) if deep else SPARE
    return fails * worth


def _heals(look: Outlook, ability: Ability) -> Iterator[Worth]:
    amount = mean(dice(ability.heals))
    helped = [look.me] if ability.at == "self" else [look.me, *look.friends]
    for other in helped:
        lost = other.hp_max - other.hp
        urgent = DESPERATE if 3 * other.hp <= other.hp_max else 1.0
        if lost > 0:
            target = "" if ability.at == "self" else other.id
            yield min(lost, amount) * urgent, _cast(look, ability, target)


def quick_spells(look: Outlook) -> Iterator[Declaration]:
    """What takes a Motion, or nothing, and does some good."""
    for ability in look.me.abilities:
        if ability.trigger or ability.teleport or not _has_points(look, ability):
            continue
        if (ability.budget == "motion" and not look.me.motions) or ability.budget not in ("motion", "none"):
            continue
        if not ability.cost:
            continue  # nothing would ever end it
        aimed = [(_spell_worth(look, ability, foe), _cast(look, ability, foe.id)) for foe in look.foes]
        aimed = aimed if ability.at == "enemy" else list(_heals(look, ability)) if ability.heals and look.hurt else []
        for worth, d in sorted(aimed, key=lambda pair: -pair[0]):
            if worth > SPARE:
                yield d


def slip_away(look: Outlook) -> Iterator[Declaration]:
    """Whoever is held, or hurt and in reach of blades, is gone where it can."""
    if (
        not look.field
        or not (look.holders() or (look.hurt and look.close_threats))
        or not isinstance(look.me.at, tuple)
    ):
        return
    for ability in look.me.abilities:
        if not ability.teleport or not _has_points(look, ability) or ability.at != "self":
            continue
        if (ability.budget == "movement" and not look.me.movements) or (
            ability.budget == "action" and not look.me.actions
        ):
            continue
        x, y = look.me.at
        around = range(-ability.teleport, ability.teleport + 1)
        cells = [(x + dx, y + dy) for dy in around for dx in around]
        cells.sort(key=lambda cell: (-_apart(look, cell), cell))
        for cell in cells[:12]:
            yield _cast(look, ability, "", to=cell)


def _apart(look: Outlook, cell: Cell) -> int:
    return min([distance(cell, foe.at) for foe in look.foes if isinstance(foe.at, tuple)], default=0)


# -- guarding, and helping others


def _guards(look: Outlook) -> Iterator[Worth]:
    """Whoever is hurt and outnumbered guards itself for a turn, against all or against the worst of them."""
    if not look.hurt:
        return
    threats = look.threats
    comes = [(look.danger(foe), foe) for foe in threats]
    all_of_it = sum(amount for amount, _ in comes)
    urgent = DESPERATE if all_of_it >= look.me.hp else 1.0
    for averted, d in _guarding(look, comes):
        yield averted * urgent, d


def _guarding(look: Outlook, comes: list[tuple[float, Creature]]) -> Iterator[Worth]:
    me = look.me
    if len(comes) > 1 and me.movements:
        stopped = sum(4 * AC_POINT * _unhindered(look, foe) for _, foe in comes)
        yield stopped, Declaration(me.id, "defensive_stance")
    if len(comes) > 1:
        worst = max(comes, key=lambda pair: pair[0])[1]
        yield 2 * AC_POINT * _unhindered(look, worst), Declaration(me.id, "dodge", target=worst.id)


def _unhindered(look: Outlook, foe: Creature) -> float:
    """HP that the attacks of one turn would take if all of them hit."""
    return max([strength(weapon, foe)[1] for weapon in arms_of(look, foe)]) * foe.attack_count


def _rallies(look: Outlook) -> Iterator[Worth]:
    """A voice that may free some of its side, for the whole turn."""
    known, me = look.known, look.me
    if not (me.motions and me.movements):
        return
    worth = 0.0
    for ally in look.friends:
        bound = bool(holds_on(known, ally.id))
        if (bound or ally.afflictions) and ally.reactions and hears_or_sees(known, ally, me):
            if bound:
                worth += FREEDOM * save_chance(known, ally, better_save(ally), break_dc(known, ally.id) - 2)
            else:
                held = ally.afflictions[0]
                worth += FREEDOM * save_chance(known, ally, held.save, held.dc - 2)
    skill = best_cha_skill(known, me) if worth else ""
    if skill:
        yield worth * skill_chance(known, me, skill, RALLY_DC), Declaration(me.id, "rally")


# -- going there


def charge_in(look: Outlook) -> Iterator[Declaration]:
    """Takes a run at whom it can charge, unless somebody is in reach already or the Action is worth more elsewhere."""
    if not look.foes or not look.blows_left or look.archer or look.can_strike or look.metres < RUN:
        return
    arms = [weapon for weapon in look.arms if weapon.kind == "melee"]
    charge = max([look.blow(weapon, foe, BONUS) for weapon in arms for foe in look.foes[:NEAREST]], default=0.0)
    if max([worth for worth, _ in _with_the_action(look)], default=0.0) < charge * look.blows_left:
        yield from charging_runs(look)


def close_in(look: Outlook) -> Iterator[Declaration]:
    """Comes into reach of somebody; an archer only until it can shoot."""
    if look.foes and look.metres and not look.can_strike and not (look.hurt and not look.blows_left):
        yield from approach(look)


def open_the_way(look: Outlook) -> Iterator[Declaration]:
    """Where no way leads to anybody: disarms what is in the way, picks locks, and goes where there are some."""
    if look.can_strike or (not look.metres and not look.me.actions) or (look.foes and not cut_off(look)):
        return
    things = [thing for thing in look.known.facts_of(Mechanism) if not thing.open and not thing.spent]
    things.sort(key=lambda thing: thing.kind == "lock")
    useful = [thing for thing in things if worth_a_try(look, thing)]
    for thing in useful:
        if look.me.at in places_by(look, (thing.at,), settings(look.known).melee_range):
            yield from _work_on(look, thing)
    for thing in useful:
        if look.me.at not in places_by(look, (thing.at,), settings(look.known).melee_range):
            yield from walking(look, as_far(look, way_beside(look, (thing.at,), settings(look.known).melee_range)))


def _work_on(look: Outlook, thing: Mechanism) -> Iterator[Declaration]:
    """The one who is best at it tries; a comrade beside lends a hand where that helps more."""
    skill, me = SKILLS[thing.kind], look.me
    for ally in look.friends:
        better = ally.training.get(skill, 0) > me.training.get(skill, 0)
        if better and skill in me.training and in_melee(look.known, me, ally) and me.actions:
            yield Declaration(me.id, "lend_aid", target=ally.id, options={"skill": skill})
            return
    yield Declaration(me.id, "pick_lock" if thing.kind == "lock" else "disarm", options={"thing": thing.id})


def worth_a_try(look: Outlook, thing: Mechanism) -> bool:
    """A lock that can be picked at all; a trap that is likelier disarmed than sprung, and would not fell."""
    me = look.me
    poor = handicapped(me, thing)
    chance = skill_chance(
        look.known, me, SKILLS[thing.kind], dc_of(look.known, thing), trained=not poor, edge=-1 if poor else 0
    )
    if thing.damage and (1 - chance) * mean(dice(thing.damage)) * 2 >= me.hp:
        return False
    return chance > (0.0 if thing.kind == "lock" and not thing.goes_off else 0.5)


# -- when there is nothing better


def make_use(look: Outlook) -> Iterator[Declaration]:
    """What an Action is still good for when nobody is in reach: waiting for somebody, hurrying, or taking care."""
    if not look.me.actions or look.can_strike or not look.foes:
        return
    found = [*_prepared(look), *_hurries(look), *_cares(look)]
    for _, d in sorted(found, key=lambda pair: -pair[0]):
        yield d


def _prepared(look: Outlook) -> Iterator[Worth]:
    """A blow at whoever comes into reach before the next turn; as many as there are Reactions for."""
    if primed(look.known, look.me.id) is not None or not look.me.reactions or cut_off(look):
        return
    foe, number = look.foes[0], most_attacks(look.known, look.me.id)
    if look.metres_to(foe) > foe.speed + reach_of(look) + 1:
        return
    for weapon in look.arms:
        if weapon.kind == "melee":
            options: dict[str, str | int | bool] = {"deed": "attack", "when": "near", "weapon": weapon.name}
            if number > 1:
                options["number"] = number
            if weapon.reach:
                options["within"] = weapon.reach
            yield WAITING * number * look.blow(weapon, foe), Declaration(look.me.id, "prime", options=options)


def _hurries(look: Outlook) -> Iterator[Worth]:
    far = look.metres_to(look.foes[0]) > look.foes[0].speed + reach_of(look) + 1
    if far and not look.archer and not look.held and not (look.hurt and not look.friends) and not cut_off(look):
        yield CLOSING, Declaration(look.me.id, "sprint")


def _cares(look: Outlook) -> Iterator[Worth]:
    """Watching whoever can hurt one from afar; or points for a spell that lacks them."""
    shooters = [foe for foe in look.threats if in_sight(look.known, look.me, foe)]
    if shooters:
        worst = max(shooters, key=look.danger)
        yield 2 * AC_POINT * look.danger(worst), Declaration(look.me.id, "dodge", target=worst.id)
    for ability in look.me.abilities:
        for pool in ability.cost:
            named = pool_named(look.known, pool)
            giver = max(look.me.pools, key=lambda name: look.me.pools[name], default="")
            if look.me.pools.get(named, 0) < ability.cost[pool] and giver not in ("", named) and look.me.pools[giver]:
                options: dict[str, str | int | bool] = {"source": giver, "into": named}
                yield SPARE / 2, Declaration(look.me.id, "recuperate", options=options)


def keep_clear(look: Outlook) -> Iterator[Declaration]:
    """With its Action spent an archer, or whoever is hurt and not alone, keeps away from blades that may come."""
    if look.blows_left or not look.metres or look.close_threats or (look.me.movements < 1 and not look.me.metres):
        return
    if not look.archer and not (look.hurt and look.friends and 3 * look.me.hp <= look.me.hp_max):
        return
    near = [foe for foe in look.foes if look.metres_to(foe) <= foe.speed + 1 and in_range_close(look, foe)]
    if near:
        yield from fall_back(look)


def in_range_close(look: Outlook, foe: Creature) -> bool:
    """Whether somebody fights at close quarters."""
    weapon = armed_with(look.known, foe, "")
    return weapon is None or weapon.kind == "melee"


TACTICS: tuple[Tactic, ...] = (
    stand_up,
    let_go,
    drink,
    arm,
    slip_away,
    ward,
    charge_in,
    inspire,
    act,
    quick_spells,
    close_in,
    open_the_way,
    make_use,
    keep_clear,
)
"""In the order in which a bot thinks of them; when none proposes anything that may be done, it ends its turn."""
