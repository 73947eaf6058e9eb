"""What a Power, a spell and an item bring about: Wounds, Conditions, movement, and what then holds in the scene."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from turnwright.engine import Play
from turnwright.events import Told
from turnwright.model import ActorId, Declaration, Paid, Refusal, RuleId, State
from turnwright.rules import Steps
from turnwright.systems.narateer.check import check
from turnwright.systems.narateer.events import Came, ConditionChanged, MovementGranted, TempoMoved, Wounded
from turnwright.systems.narateer.hidden import aim_refusals, nobody_there
from turnwright.systems.narateer.senses import locates, opponents, places, sight_reaches, within_metres
from turnwright.systems.narateer.sheet import Aim, Character, Item, Part, Spell, character, readiness, settings

Content = Part | Item | Spell


def bring_about(play: Play, rule: RuleId, actor: ActorId, target: ActorId, content: Content) -> None:
    """Everything but the Wounds: it befalls whom it is aimed at, else its user, and its movement is exactly so much.

    What holds afterwards is an opportunity and no bonus to anybody's check.
    Rules: narateer.additional.exact-amount, narateer.additional.separate-from-normal.
    """
    whom = target or actor
    if content.ends and content.ends in character(play.state, whom).conditions:
        play.emit(ConditionChanged(rule, whom, content.ends, has=False))
    if content.condition:
        play.emit(ConditionChanged(rule, whom, content.condition))
    for name, text in content.sets.items():
        play.emit(Came("narateer.equipment.opportunity-without-bonus", actor, name, text))
    if content.move:
        mover = whom if isinstance(content, Spell) else actor
        play.emit(MovementGranted("narateer.additional.exact-amount", mover, Fraction(content.move)))
    if isinstance(content, Part):
        move_tempo(play, actor, content)


def succeeds(play: Play, d: Declaration, content: Spell | Item, paid: Paid, rule: RuleId) -> Steps[bool]:
    """The check that a spell or an item brings: a number is met, the target's Readiness Score is to be exceeded.

    One that is aimed where nobody is any more has no effect; that is found out in play, never beforehand.
    """
    if d.target and nobody_there(play, d.actor, d.target):
        return False
    if not content.check:
        return True
    state = play.state
    if content.target or d.target not in state.actors:
        against, ties = content.target, settings(state).fixed_target == "meet"
    else:
        against, ties = readiness(state, character(state, d.target), content.resisted or content.check), False
    read = yield from check(play, d.actor, content.check, paid, rule, against=against, ties=ties)
    if not read.value:
        play.emit(Told(rule, d.actor, content.failure or f"{content.name} fails", good=False))
    return bool(read.value)


def wound(play: Play, rule: RuleId, target: ActorId, content: Item | Spell) -> None:
    if content.wounds and target:
        play.emit(Wounded(rule, target, content.wounds))


def move_tempo(play: Play, actor: ActorId, part: Part) -> None:
    """Tempo is a flag that a Power can move, until the Activation ends in which it does.

    Rules: narateer.response.three-options.
    """
    if not part.tempo:
        return
    rule, active = "narateer.response.three-options", play.state.active or ""
    if part.tempo == "take" and active not in ("", actor):
        play.emit(TempoMoved(rule, active, has=False, until=active))
    play.emit(TempoMoved(rule, actor, has=part.tempo == "take", until=active))


# -- at whom


def aims(known: State, actor: Character, at: Aim) -> Iterator[str]:
    """At whom something can be aimed at all, as far as the user knows; once for nobody, where it is aimed at nobody."""
    if not at:
        yield ""
    elif at == "ally":
        yield from [other.id for other in known.actors.values() if other.side == actor.side]
    else:
        yield from [other.id for other in opponents(known, actor)]


def aim_lacks(
    known: State, d: Declaration, at: Aim, name: str, rule: RuleId, within: int = 0, sight: bool = False
) -> Iterator[Refusal]:
    """Why it cannot be aimed at this one: not placed, of the wrong side, too far off, out of sight.

    What is aimed at nobody takes no target, and one that is not known is told from none.
    Rules: narateer.hidden.cannot-be-targeted-directly.
    """
    if not at:
        yield from aimed_at_nobody(known, d, name, rule)
        return
    actor, target = character(known, d.actor), known.actors.get(d.target)
    if target is None or not locates(known, actor, target):
        yield from aim_refusals(known, actor, d.target)
        return
    if (target.side == actor.side) is not (at == "ally"):
        yield Refusal(rule, f"{name} is for {'the own' if at == 'ally' else 'another'} side", "WRONG_SIDE")
    if within and not _near(known, actor, target, within):
        yield Refusal(rule, f"{target.name} is more than {within} m away", "OUT_OF_REACH")
    if sight and not _in_sight(known, actor, target):
        yield Refusal(rule, f"{actor.name} does not have {target.name} in sight", "NO_SIGHT")


def aimed_at_nobody(known: State, d: Declaration, name: str, rule: RuleId) -> Iterator[Refusal]:
    """Why what takes no target cannot have this one; whoever is not known might as well not be in the scene."""
    if d.target and d.target not in known.actors:
        yield from aim_refusals(known, character(known, d.actor), d.target)
    elif d.target:
        yield Refusal(rule, f"{name} is aimed at nobody; leave the target out", "NO_TARGET")


def _near(known: State, actor: Character, target: Character, within: int) -> bool:
    return within_metres(known, actor.at, target.at, within)


def _in_sight(known: State, actor: Character, target: Character) -> bool:
    if target.side == actor.side:
        return target.id == actor.id or sight_reaches(known, actor, target)
    return any(sense in ("sight", "guide") for sense in places(known, actor, target))
