"""Attacks: Defense, what successes over it buy, armour and injuries."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwright.engine import Play, ask
from turnwright.model import ActorId, Choose, Chosen, Declaration, Option, Refusal, State
from turnwright.rules import Steps
from turnwright.systems.storypath.events import (
    DefenseOver,
    DefenseSet,
    Grapples,
    Hit,
    Missed,
    Moved,
    Pressed,
)
from turnwright.systems.storypath.rolls import Pause, difficulty, enhanced, help_for, leads, successes, throw
from turnwright.systems.storypath.sheet import (
    Character,
    Weapon,
    band_index,
    character,
    resilience,
    settings,
)
from turnwright.systems.storypath.space import away_from, band
from turnwright.systems.storypath.stunts import spend, variable_cost
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


def with_weapon(known: State, d: Declaration) -> Declaration:
    """The weapon that it is done with is settled as it is declared, where there are several to choose from."""
    weapon = weapon_of(known, d) if len(character(known, d.actor).weapons) > 1 else None
    if weapon is None or d.option("weapon"):
        return d
    return replace(d, options={**d.options, "weapon": weapon.name})


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
    own = weapon.enhancement + (who.enhancement if leads(d, "attack") else 0)
    return own + help_for(known, who, weapon.skill, d.target, general=leads(d, "attack"))


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
    more = who.enhancement  # kept: what helps this roll
    result = yield from throw(play, target, "Defense", resilience(who), DEFENSE, botch=False, enhancement=more)
    won = enhanced(play.state, result, more)  # kept: what was rolled
    chosen = "defend"
    if won:
        given = yield from ask(lambda: _defense_question(play.state, attacker, target, won), Chosen)
        chosen = given.id
    _set_defense(play, attacker, target, won, chosen)
    guard = character(play.state, target).guard
    return guard if guard is not None else settings(play.state).least_defense


def _defense_question(state: State, attacker: ActorId, target: ActorId, won: int) -> Choose:
    """Every success is 1 Defense; one of them dives into cover, and rolling away takes the attacker's Composure."""
    who, foe = character(state, target), character(state, attacker)
    least = settings(state).least_defense
    options = [Option("defend", f"Defense {max(least, won)}")]
    taken = _injuries(settings(state).cover)
    options.append(Option("dive", f"dive for cover: Defense {max(least, won - 1)}, and it takes {taken}"))
    away = variable_cost(foe, "composure")
    if won >= away and not in_grapple(state, who):
        for place in away_from(state, who, foe):
            options.append(Option(f"away:{place}", f"roll away to {place}; Defense {max(least, won - away)}"))
    prompt = f"{successes(won)} for Defense against {foe.name}: what {'does it' if won == 1 else 'do they'} buy?"
    return Choose(who.seat, who.id, prompt, DEFENSE, tuple(options), "defense", moment=Pause(who.id))


def _injuries(number: int) -> str:
    return f"{number} injur{'y' if number == 1 else 'ies'}"


def _set_defense(play: Play, attacker: ActorId, target: ActorId, won: int, chosen: str) -> None:
    rule, foe = settings(play.state), character(play.state, attacker)
    how, _, place = chosen.partition(":")
    spent = {"dive": 1, "away": variable_cost(foe, "composure")}.get(how, 0)
    cover = rule.cover if how == "dive" else 0
    play.emit(DefenseSet(DEFENSE, target, max(rule.least_defense, won - spent), cover=cover))
    if how == "away":
        play.emit(Moved(DEFENSE, target, place))


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


def strike(play: Play, d: Declaration, over: int | None, borne: bool) -> Steps[tuple[bool, int, bool]]:
    """What comes of an attack with so much over what it took, or of a miss.

    It gives whether it hit, the injuries, and whether the pain of whoever struck is borne.

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
        injuries, borne = yield from spend(play, d.actor, d.target, weapon.reach == "close", over, borne)
    if settings(play.state).defense_lasts == "attack" and d.target in play.state.actors:
        play.emit(DefenseOver(DEFENSE, d.target))
    return hit, injuries, borne
