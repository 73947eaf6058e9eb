"""What a bot does with its Activation, tactic by tactic in the order in which it thinks of them.

Each looks at the outlook and proposes declarations, best first; the gate has the last word on every one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from turnwright.dice import Pool
from turnwright.model import Cell, Declaration, Stands
from turnwright.space import distance
from turnwright.systems.narateer.chances import above, boost_enough, passive
from turnwright.systems.narateer.check import pool
from turnwright.systems.narateer.events import Known
from turnwright.systems.narateer.exchange import guard_skill
from turnwright.systems.narateer.hidden import last_position, unseen_bonus
from turnwright.systems.narateer.hide import OBSERVATION, STEALTH, open_to
from turnwright.systems.narateer.outlook import Outlook, harm, left
from turnwright.systems.narateer.senses import locates, metres_between, opponents, perceives
from turnwright.systems.narateer.sheet import Character, Part, Power, Spell, Weapon, conditions_of, settings
from turnwright.systems.narateer.sneak import conceals_itself
from turnwright.systems.narateer.travel import approach, hiding_places, route_there, steps_away

Tactic = Callable[[Outlook], Iterator[Declaration]]
BEAT = 5
"""How many Spaces around the place where somebody was last seen are looked through."""


def stand_up(look: Outlook) -> Iterator[Declaration]:
    """Whoever is Prone gets up, but strikes first with the last of its AD."""
    if not look.me.conditions or (look.me.ready < 2 and any(look.in_reach(weapon) for weapon in look.arms)):
        return
    for name, condition in conditions_of(look.known, look.me):
        if condition.stand:
            yield Declaration(look.me.id, "stand", "be on my feet", "stand up", options={"condition": name})


def call_for_allies(look: Outlook) -> Iterator[Declaration]:
    """Tells comrades in earshot where an opponent is whom they cannot place; never from hiding."""
    if look.plain or conceals_itself(look.known, look.me.id):
        return
    for foe in look.foes:
        if any(_in_the_dark(look, ally, foe) for ally in look.known.actors.values()):
            yield Declaration(look.me.id, "call_out", "let the others know", "call it out", target=foe.id)


def _in_the_dark(look: Outlook, ally: Character, foe: Character) -> bool:
    """Whether a comrade of the same seat could hear, and neither places the opponent nor was told."""
    mine, known = look.me, look.known
    if ally.id == mine.id or (ally.side, ally.seat) != (mine.side, mine.seat) or ally.down:
        return False
    if not isinstance(ally.at, tuple) or not isinstance(mine.at, tuple) or "hearing" not in ally.senses:
        return False
    if metres_between(known, ally.at, mine.at) > settings(known).hearing_range or locates(known, ally, foe):
        return False
    told = known.relation(Known, foe.id, ally.id)
    return told is None or told.at != foe.at


def slip_away(look: Outlook) -> Iterator[Declaration]:
    """Whoever is hurt and can hide does so before anything else, and then stays where it is."""
    if look.hurt and look.me.level(STEALTH) > 0 and not look.plain and not conceals_itself(look.known, look.me.id):
        yield from hide(look)
        yield from hiding_places(look)


def keep_away(look: Outlook) -> Iterator[Declaration]:
    """An archer goes out of reach of blades before it shoots, as long as it can still shoot from there."""
    if look.archer and look.foes and look.threatened():
        yield from steps_away(look)


# -- striking


def strike(look: Outlook) -> Iterator[Declaration]:
    """The blow, shot, Power or spell that hurts most for what is left of the AD."""
    if look.at_peace or (look.me.ready < 1 and not look.me.spells):
        return
    blows = [*_attacks(look), *_powers(look), *_spells(look)]
    for _, d in sorted(blows, key=lambda blow: -blow[0]):
        yield d


def _attacks(look: Outlook) -> Iterator[tuple[float, Declaration]]:
    for weapon in look.arms:
        uses, spend = look.uses_left(weapon.kind), look.me.ready - kept_for_guard(look, weapon.kind)
        if uses < 1 or weapon.base_attack_cost > spend:
            continue
        foes = sorted(look.in_reach(weapon), key=left)
        planned = plans(look, weapon, spend, uses) if foes else []
        for foe in foes:
            worth, boost = blow(look, weapon, foe, planned)
            options: dict[str, str | int | bool] = {"weapon": weapon.name}
            yield (
                worth,
                Declaration(
                    look.me.id, "attack", f"harm {foe.name}", weapon.name, foe.id, options=options, boost=boost
                ),
            )


def kept_for_guard(look: Outlook, skill: str) -> int:
    """AD kept for Responses: two for whoever is hurt, once the first blow is struck; the others spend all they have."""
    return 2 if look.hurt and look.me.uses.get(skill) else 0


def plans(look: Outlook, weapon: Weapon, spend: int, uses: int) -> list[tuple[int, int, Pool]]:
    """For each Boost how often the blow can be repeated with what is left, and the dice of one."""
    known, me, base = look.known, look.me, weapon.base_attack_cost
    one = pool(known, me, weapon.kind, max(1, base) if settings(known).attack_dice == "paid" else 1)
    made = []
    for boost in range(max(0, min(me.level(weapon.kind), spend - base)) + 1):
        times = min(uses, spend // (base + boost)) if base + boost else uses
        made.append((boost, times, replace(one, dice=one.dice + boost) if boost else one))
    return made


def blow(look: Outlook, weapon: Weapon, foe: Character, planned: list[tuple[int, int, Pool]]) -> tuple[float, int]:
    """The harm that all blows together promise which can still be paid, and the Boost of each for the most of it."""
    number = passive(look.known, foe, guard_skill(foe, weapon)) - unseen_bonus(look.known, look.me.id, foe.id)
    counts, best, boosted = harm(foe, weapon.wounds), -1.0, 0
    for boost, times, dice in planned:
        worth = times * above(dice, number) * counts
        if worth > best:
            best, boosted = worth, boost
    return best, boosted


def _powers(look: Outlook) -> Iterator[tuple[float, Declaration]]:
    """Proactive blows of Class Powers, which the first weapon deals."""
    for power in look.me.powers:
        for index, part in enumerate(power.parts):
            if part.proactive and part.strike:
                yield from _power_blows(look, power, index, part)


def _power_blows(look: Outlook, power: Power, index: int, part: Part) -> Iterator[tuple[float, Declaration]]:
    weapon, cost = look.arms[0], part.ad + power.requires.ad
    if cost > look.me.ready:
        return
    for foe in look.in_reach(weapon):
        number = passive(look.known, foe, guard_skill(foe, weapon)) - part.totals
        chance = above(pool(look.known, look.me, weapon.kind, 1), number)
        worth = chance * harm(foe, weapon.wounds + part.wounds) * (look.me.ready // max(1, cost))
        options: dict[str, str | int | bool] = {"power": power.name, "part": index}
        yield worth, Declaration(look.me.id, "use_power", "hurt them", power.name, foe.id, options=options, boost=0)


def _spells(look: Outlook) -> Iterator[tuple[float, Declaration]]:
    for spell in look.me.spells:
        cost = spell.casting_cost.get("ad", 0)
        if spell.at is not True or not spell.wounds or spell.trigger or cost > look.me.ready:
            continue
        for foe in look.foes:
            boost, chance = _spell_chance(look, spell, foe, look.me.ready - cost)
            worth = chance * harm(foe, spell.wounds) * (look.me.ready // (cost + boost) if cost + boost else 1)
            d = Declaration(look.me.id, "cast", spell.effect or spell.name, f"cast {spell.name}", foe.id)
            yield worth, _with(d, boost if spell.check else 0, spell=spell.name)


def _spell_chance(look: Outlook, spell: Spell, foe: Character, most: int) -> tuple[int, float]:
    """The Boost that is enough, and the chance that the spell works with it."""
    if not spell.check:
        return 0, 1.0
    known, me = look.known, look.me
    fixed = spell.target - (settings(known).fixed_target == "meet")
    number = fixed if spell.target else passive(known, foe, spell.resisted or spell.check)
    boost = boost_enough(known, me, spell.check, 1, number, min(most, me.level(spell.check)))
    return boost, above(pool(known, me, spell.check, 1 + boost), number)


def _with(d: Declaration, boost: int, **options: str | int | bool) -> Declaration:
    return Declaration(d.actor, d.action, d.intent, d.method, d.target, options=dict(options), boost=boost)


# -- hiding and seeking


def hide(look: Outlook) -> Iterator[Declaration]:
    """Here and now, with as much Boost as makes it likely against the best eyes around."""
    me = look.me
    most = min(me.level(STEALTH), me.ready - 1)
    watchers = open_to(look.known, me)
    number = max([passive(look.known, other, OBSERVATION) for other in watchers], default=0)
    boost = boost_enough(look.known, me, STEALTH, 1, number, most) if watchers else 0
    yield Declaration(me.id, "hide", "not to be noticed", "keep low and quiet", boost=max(0, boost))


def search(look: Outlook) -> Iterator[Declaration]:
    """Looks through the place where somebody was last seen, and then through what could hide them near there."""
    if not look.lost or look.me.ready < 1 or look.uses_left(OBSERVATION) < 1 or look.foes:
        return
    for foe in look.lost:
        last = last_position(look.known, look.me.id, foe.id)
        if isinstance(last, tuple) and isinstance(look.me.at, tuple) and distance(look.me.at, last) <= BEAT:
            for x, y in (last, *_cover_near(look, last)):
                place: dict[str, str | int | bool] = {"at": f"{x},{y}"}
                yield Declaration(look.me.id, "search", f"find {foe.name}", "look closely", options=place)
        elif isinstance(last, str) and last == look.me.at:
            yield Declaration(look.me.id, "search", f"find {foe.name}", "look closely", options={"place": last})


def _cover_near(look: Outlook, last: Cell) -> list[Cell]:
    """Spaces with cover about a place, nearest first, none next to another: a search covers those around it, too."""
    assert look.field is not None
    cover = [
        cell
        for kind, bits in look.field.kinds.values()
        if kind.conceals
        for cell in look.field.listed(bits)
        if distance(cell, last) <= BEAT
    ]
    chosen: list[Cell] = [last]
    for cell in sorted(cover, key=lambda cell: (distance(cell, last), cell)):
        if all(distance(cell, other) > 1 for other in chosen):
            chosen.append(cell)
    return chosen[1:]


def close_in(look: Outlook) -> Iterator[Declaration]:
    """Comes into reach of whom it can place, else goes where somebody was last seen; the hurt one in hiding waits."""
    if look.at_peace or (look.hurt and conceals_itself(look.known, look.me.id)):
        return
    if look.foes:
        if not any(look.in_reach(weapon) for weapon in look.arms):
            yield from approach(look)
        return
    for foe in look.lost:
        last = last_position(look.known, look.me.id, foe.id)
        if isinstance(last, tuple):
            yield from route_there(look, last)


def take_cover(look: Outlook) -> Iterator[Declaration]:
    """An archer, or whoever is better at hiding than at fighting, hides when the shooting is done."""
    sly = look.archer or look.me.level(STEALTH) > look.me.level("melee")
    idle = look.plain or conceals_itself(look.known, look.me.id)
    if not sly or idle or look.me.level(STEALTH) < 1 or not (look.foes or look.lost):
        return
    if not any(perceives(look.known, other, look.me) for other in opponents(look.known, look.me) if not other.down):
        yield from hide(look)
    if look.me.ready > 0 and not look.threatened():
        yield from hiding_places(look)


def join_the_talk(look: Outlook) -> Iterator[Declaration]:
    """Where no blood was shed: walks up to one of the other side, unless it is near one already or in hiding."""
    if not look.at_peace or look.me.mode or conceals_itself(look.known, look.me.id):
        return
    near = [tie.other for tie in look.known.related(Stands, look.me.id) if tie.how == "near"]
    if not any(foe.id in near for foe in look.foes):
        for foe in look.foes:
            options: dict[str, str | int | bool] = {"to": foe.id, "relation": "near"}
            yield Declaration(look.me.id, "walk", f"be near {foe.name}", "walk", options=options)


TACTICS: tuple[Tactic, ...] = (
    stand_up,
    call_for_allies,
    slip_away,
    keep_away,
    strike,
    search,
    close_in,
    take_cover,
    join_the_talk,
)
"""In the order in which a bot thinks of them; when none proposes anything that may be done, it ends its Activation."""
