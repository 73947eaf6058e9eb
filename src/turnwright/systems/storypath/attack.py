"""Attacks: Defense, what successes over it buy, armour and injuries."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play, ask
from turnwright.model import ActorId, Choose, Chosen, Declaration, Option, Refusal, State
from turnwright.rules import Steps
from turnwright.systems.storypath.events import (
    Absorbed,
    BlindedSet,
    DefenseOver,
    DefenseSet,
    GrappleBegun,
    GrappleEnded,
    Grapples,
    Helping,
    Hit,
    Injured,
    ItemPlaced,
    Missed,
    Moved,
    Pressed,
    ProneSet,
    Strained,
    Stunted,
    TakenOut,
)
from turnwright.systems.storypath.rolls import Pause, difficulty, help_for, throw
from turnwright.systems.storypath.settings import STUNTS
from turnwright.systems.storypath.sheet import (
    Character,
    Weapon,
    band_index,
    character,
    free_boxes,
    pain,
    resilience,
    settings,
    standing,
)
from turnwright.systems.storypath.space import away_from, band
from turnwright.systems.storypath.turn import in_grapple

TOPICS = ("attack",)

DEFENSE = "storypath.attack.defense-requirement"
BY_RANGE = ("might", "dexterity", "cunning", "resolve", "intellect")
"""The Attribute of an attack by the band between the two, from close to extreme."""


# -- before the roll


def weapon_of(known: State, d: Declaration) -> Weapon | None:
    """The weapon that is named; else the first that is ready and reaches."""
    who = character(known, d.actor)
    named = d.option("weapon")
    if named:
        return who.weapon(named)
    able = [weapon for weapon in who.weapons if who.ready(weapon)]
    target = known.actors.get(d.target)
    near = [weapon for weapon in able if target is not None and reaches(known, who, target, weapon)]
    return next(iter([*near, *able]), None)


def reaches(known: State, who: Character, target: Character, weapon: Weapon) -> bool:
    apart = band(known, who, target)
    return apart is not None and apart <= band_index(weapon.reach)


def attack_dice(known: State, d: Declaration) -> int:
    """Skill and Attribute of the weapon; the Attribute is whatever the weapon says, and not one for all."""
    who, weapon, target = character(known, d.actor), weapon_of(known, d), known.actors.get(d.target)
    if weapon is None:
        return 0
    if who.pools and weapon.pool:
        return who.pools.get(weapon.pool, 0)
    attribute = weapon.attribute
    if attribute == "by range":
        apart = band(known, who, target) if target is not None else 0
        attribute = BY_RANGE[apart or 0]
    return who.rating(weapon.skill, attribute)


def attack_enhancement(known: State, d: Declaration) -> int:
    who, weapon = character(known, d.actor), weapon_of(known, d)
    if weapon is None:
        return 0
    return weapon.enhancement + who.enhancement + help_for(known, who, weapon.skill, d.target)


def harder(state: State, who: Character, weapon: Weapon | None) -> int:
    """What blinds the eye is in the way of shots and throws."""
    return int(who.blinded and weapon is not None and weapon.reach != "close")


def attack_refusals(known: State, d: Declaration) -> Iterator[Refusal]:
    """Whether there is somebody to attack, something to do it with, and reach."""
    who, target, weapon = character(known, d.actor), known.actors.get(d.target), weapon_of(known, d)
    if weapon is None:
        named = d.option("weapon")
        yield Refusal(DEFENSE, f"{who.name} has no {named or 'weapon that is ready'}", "NO_WEAPON")
    elif not who.ready(weapon):
        yield Refusal(DEFENSE, f"the {weapon.name} is in no hand; draw it first", "NOT_DRAWN")
    if not d.target:
        return
    if target is None:
        yield Refusal("", f"nobody called {d.target!r} is in the scene", "UNKNOWN_ACTOR")
        return
    if target.id == who.id:
        yield Refusal(DEFENSE, "nobody attacks themselves", "SELF")
    if target.down:
        yield Refusal(DEFENSE, f"{target.name} is Taken Out already", "TARGET_DOWN")
    if weapon is not None and not reaches(known, who, target, weapon):
        yield Refusal(DEFENSE, f"{target.name} is out of reach of the {weapon.name}", "OUT_OF_REACH")
    held = [tie for tie in known.every(Grapples) if who.id in (tie.owner, tie.other)]
    if held and target.id not in (held[0].owner, held[0].other):
        yield Refusal(DEFENSE, f"{who.name} is in a grapple with somebody else", "GRAPPLED")


# -- Defense


def known_defense(known: State, target: Character) -> int | None:
    """The Defense of somebody as far as it is known before it is rolled; None where it is not."""
    if target.veiled:
        return None
    if target.guard is not None:
        return target.guard
    least = settings(known).least_defense
    return max(least, target.defense) if target.defense is not None else least


def defense_of(play: Play, attacker: ActorId, target: ActorId) -> Steps[int]:
    """A number on the sheet; else the best Resilience, rolled at the first attack of the round, 1 at least.

    Rules: storypath.attack.defense-requirement.
    """
    who = character(play.state, target)
    if who.guard is not None:
        return who.guard
    if who.defense is not None:
        return max(settings(play.state).least_defense, who.defense)
    foe = character(play.state, attacker)
    play.emit(Pressed(DEFENSE, attacker, target, variable_cost(foe, "composure")))
    result = yield from throw(play, target, "Defense", resilience(who), DEFENSE, botch=False)
    chosen = "defend"
    if result.successes:
        given = yield from ask(lambda: _defense_question(play.state, attacker, target, result.successes), Chosen)
        chosen = given.id
    _set_defense(play, attacker, target, result.successes, chosen)
    guard = character(play.state, target).guard
    return guard if guard is not None else settings(play.state).least_defense


def _defense_question(state: State, attacker: ActorId, target: ActorId, won: int) -> Choose:
    """Every success is 1 Defense; one of them dives into cover, and rolling away takes the attacker's Composure."""
    who, foe = character(state, target), character(state, attacker)
    least = settings(state).least_defense
    options = [Option("defend", f"Defense {max(least, won)}")]
    options.append(Option("dive", f"dive for cover: it takes {settings(state).cover}; Defense {max(least, won - 1)}"))
    away = variable_cost(foe, "composure")
    if won >= away and not in_grapple(state, who):
        for place in away_from(state, who, foe):
            options.append(Option(f"away:{place}", f"roll away to {place}; Defense {max(least, won - away)}"))
    prompt = f"{won} success{'es' if won > 1 else ''} for Defense against {foe.name}: what do they buy?"
    return Choose(who.seat, who.id, prompt, DEFENSE, tuple(options), "defense", moment=Pause(who.id))


def _set_defense(play: Play, attacker: ActorId, target: ActorId, won: int, chosen: str) -> None:
    rule, foe = settings(play.state), character(play.state, attacker)
    how, _, place = chosen.partition(":")
    spent = {"dive": 1, "away": variable_cost(foe, "composure")}.get(how, 0)
    cover = rule.cover if how == "dive" else 0
    play.emit(DefenseSet(DEFENSE, target, max(rule.least_defense, won - spent), cover=cover))
    if how == "away":
        play.emit(Moved(DEFENSE, target, place))


def variable_cost(who: Character, attribute: str) -> int:
    """What a stunt costs that goes by a trait of the other: the Attribute, or half an antagonist's pool, rounded up."""
    if who.pools:
        return max(1, -(-who.pools.get("secondary", 0) // 2))
    return max(1, who.attributes.get(attribute, 0))


def attack_need(play: Play, d: Declaration) -> Steps[int]:
    """How many successes an attack takes: the target's Defense, with what makes it harder.

    Rules: storypath.attack.defense-requirement.
    """
    number = yield from defense_of(play, d.actor, d.target)
    return needed(play.state, d, number)


def needed(state: State, d: Declaration, number: int) -> int:
    who = character(state, d.actor)
    exceeds = 0 if settings(state).attack_meets else 1
    return difficulty(state, who, number, harder(state, who, weapon_of(state, d)) + exceeds)


# -- after the roll


def strike(play: Play, d: Declaration, over: int | None) -> Steps[tuple[bool, int]]:
    """What comes of an attack with so much over what it took, or of a miss: whether it hit, and the injuries.

    Rules: storypath.attack.defense-requirement.
    """
    hit, injuries = False, 0
    weapon = weapon_of(play.state, d)  # kept: what was struck with
    target = play.state.actors.get(d.target)
    if over is None or target is None or weapon is None:
        play.emit(Missed(DEFENSE, d.actor, d.target))
    elif not reaches(play.state, character(play.state, d.actor), target, weapon):
        play.emit(Missed(DEFENSE, d.actor, d.target, "out of reach"))
    else:
        play.emit(Hit(DEFENSE, d.actor, d.target, over, target.soft + target.soft_now, variable_cost(target, "might")))
        hit = True
        injuries = yield from spend(play, d.actor, d.target, weapon.reach == "close", over)
    if settings(play.state).defense_lasts == "attack" and d.target in play.state.actors:
        play.emit(DefenseOver(DEFENSE, d.target))
    return hit, injuries


def stunt_cost(state: State, stunt: str, target: Character) -> int:
    """What a stunt costs; armour that yields makes injuring dearer."""
    price = {**STUNTS, **settings(state).stunts}.get(stunt, 1)
    if stunt == "inflict":
        return price + target.soft + target.soft_now
    if stunt == "trip" and settings(state).variable_by_pool and target.pools:
        return variable_cost(target, "might")
    return price


def spend(play: Play, actor: ActorId, target: ActorId, close: bool, left: int) -> Steps[int]:
    """Threshold successes buy off pain and buy stunts, one after the other; what is left over bears the pain."""
    bought: list[str] = []
    injuries = 0
    while target in play.state.actors and not character(play.state, target).down:
        if not _stunts(play.state, actor, target, close, left, bought):
            break
        given = yield from ask(lambda: _stunt_question(play.state, actor, target, close, left, bought), Chosen)  # noqa: B023
        if given.id == "done":
            break
        name = given.id.partition(":")[0]
        price = _price(play.state, given, target)
        bought.append(name)
        left -= price
        play.emit(Stunted(DEFENSE, actor, target, given.id, price))
        injuries += yield from _stunt(play, actor, target, given, price)
    enough = actor in play.state.actors and left >= pain(play.state, character(play.state, actor))
    suffer(play, actor, "pain" in bought or enough)
    return injuries


def suffer(play: Play, actor: ActorId, bought: bool) -> None:
    """Pain that nothing was spent on makes the next roll harder; it never undoes a success."""
    if actor in play.state.actors and pain(play.state, character(play.state, actor)) and not bought:
        play.emit(Strained(DEFENSE, actor, settings(play.state).hampered))


def _price(state: State, given: Chosen, target: ActorId) -> int:
    name, _, rest = given.id.partition(":")
    if name == "pain":
        return int(rest)
    if name == "feint":
        return 1 + given.amount
    if name == "grapple":
        return variable_cost(character(state, target), "might")
    more = 1 if rest == "away" else 0
    return stunt_cost(state, name, character(state, target)) + more


def _stunt_question(state: State, actor: ActorId, target: ActorId, close: bool, left: int, bought: list[str]) -> Choose:
    who, foe = character(state, actor), character(state, target)
    options = (*_stunts(state, actor, target, close, left, bought), Option("done", "nothing more"))
    prompt = f"{left} over against {foe.name}: what for?"
    return Choose(who.seat, who.id, prompt, DEFENSE, options, "stunt", moment=Pause(who.id))


Buy = tuple[str, str, int, int]
"""Something to buy: its id, its words, its price, and how much more may be put into it."""


def _stunts(
    state: State, actor: ActorId, target: ActorId, close: bool, left: int, bought: list[str]
) -> tuple[Option, ...]:
    """What can be bought with what is left, what hurts most first."""
    who, foe = character(state, actor), character(state, target)
    every = [*_harming(state, who, foe, bought), *(_close_stunts(state, who, foe, left) if close else ())]
    open_to = [buy for buy in every if buy[2] <= left and buy[0].partition(":")[0] not in bought]
    return tuple([Option(id, f"{label} ({price})", most=most) for id, label, price, most in open_to])


def _harming(state: State, who: Character, foe: Character, bought: list[str]) -> Iterator[Buy]:
    yield "inflict", f"injure {foe.name}", stunt_cost(state, "inflict", foe), 0
    if "inflict" in bought:
        yield "critical", f"injure {foe.name} once more", stunt_cost(state, "critical", foe), 0
    if pain(state, who):
        yield f"pain:{pain(state, who)}", "bear the pain", pain(state, who), 0


def _close_stunts(state: State, who: Character, foe: Character, left: int) -> Iterator[Buy]:
    held = _weapon_in_hand(foe)
    if not foe.prone:
        yield "trip", f"bring {foe.name} down", stunt_cost(state, "trip", foe), 0
    if not foe.blinded:
        yield "blinding", f"blind {foe.name}: a shot is harder", stunt_cost(state, "blinding", foe), 0
    if held:
        yield f"disarm:{held}", f"knock the {held} away", stunt_cost(state, "disarm", foe), 0
        yield "disarm:away", f"send the {held} flying", stunt_cost(state, "disarm", foe) + 1, 0
        yield f"seize:{held}", f"take the {held}", stunt_cost(state, "seize", foe), 0
    ties = tuple(state.every(Grapples))
    if any(foe.id in (tie.owner, tie.other) and who.id not in (tie.owner, tie.other) for tie in ties):
        yield "break_up_grapple", "break up the grapple", stunt_cost(state, "break_up_grapple", foe), 0
    if not any(one.id in (tie.owner, tie.other) for tie in ties for one in (who, foe)):
        yield "grapple", f"take hold of {foe.name}", variable_cost(foe, "might"), 0
    for ally in standing(state):
        if ally.side == who.side:
            yield f"feint:{ally.id}", f"feint for {ally.name}: 1 Enhancement, and 1 for each more", 1, max(0, left - 1)


def _weapon_in_hand(who: Character) -> str:
    """The weapon that can be taken away: not one of the body."""
    return next((w.name for w in who.weapons if who.item(w.name) is not None and who.ready(w)), "")


def _stunt(play: Play, actor: ActorId, target: ActorId, given: Chosen, price: int) -> Steps[int]:
    """What a stunt does; gives the injuries."""
    name, _, rest = given.id.partition(":")
    if name in ("inflict", "critical"):
        return (yield from hurt(play, target, actor))
    if name == "trip":
        play.emit(ProneSet(DEFENSE, target, True))
    elif name == "blinding":
        play.emit(BlindedSet(DEFENSE, target))
    elif name in ("disarm", "seize"):
        _take_weapon(play, actor, target, name)
    elif name == "grapple":
        play.emit(GrappleBegun(DEFENSE, actor, target))
    elif name == "break_up_grapple":
        for tie in tuple(play.state.every(Grapples)):
            if target in (tie.owner, tie.other):
                play.emit(GrappleEnded(DEFENSE, tie.owner, tie.other))
    elif name == "feint":
        play.emit(Helping(DEFENSE, rest, price, "", target))
    return 0


def _take_weapon(play: Play, actor: ActorId, target: ActorId, how: str) -> None:
    foe = character(play.state, target)
    held = _weapon_in_hand(foe)
    if held:
        play.emit(ItemPlaced(DEFENSE, target, held, by=actor if how == "seize" else ""))


# -- injuries


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
