"""What a bot answers: the Reactions that pay, where to stand after a Last Grasp, and when Inspiration turns a roll."""

from __future__ import annotations

import re

from turnwright.model import Answer, Cell, Choose, Chosen, Option, Question, State
from turnwright.policy import plain_answer
from turnwright.space.grid import distance
from turnwright.systems.altered_realms.aid import HELP
from turnwright.systems.altered_realms.attack import armour_class
from turnwright.systems.altered_realms.chances import skill_chance
from turnwright.systems.altered_realms.events import Mechanism
from turnwright.systems.altered_realms.grapple import break_dc
from turnwright.systems.altered_realms.holding import holds_on
from turnwright.systems.altered_realms.locks import dc_of
from turnwright.systems.altered_realms.morale import RALLY_DC
from turnwright.systems.altered_realms.outlook import Outlook
from turnwright.systems.altered_realms.sheet import Creature, creature, settings
from turnwright.systems.altered_realms.skills import LADDER
from turnwright.systems.altered_realms.space import drop_at, neighbours

LIKELY = 0.5
"""The chance from which on aid helps more often than it hinders."""
TOTAL = re.compile(r": (-?\d+)\. Spend")
"""Where the question says what the roll came to."""


def answered(known: State, question: Question) -> Answer:
    if not isinstance(question, Choose) or question.actor not in known.actors:
        return plain_answer(question)
    me = creature(known, question.actor)
    if question.options[0].id == "pass":
        return Chosen(_reaction(known, me, question).id)
    if question.about == "way":
        return Chosen(question.options[-1].id)  # the lowest budget that may be broken down
    if question.about == "inspiration":
        return Chosen(question.options[int(turns_it(known, me, question))].id)
    if question.about == "last grasp":
        return Chosen(_footing(known, me, question).id)
    return plain_answer(question)


# -- Reactions


def _reaction(known: State, me: Creature, question: Choose) -> Option:
    """The best of those that are open, or to pass."""
    passing, *open_to = question.options
    if not open_to:
        return passing
    if question.about == "opportunity_attack":
        return max(open_to, key=lambda option: _blow_named(known, me, option))
    if question.about == "meat_shield":
        return _shield(known, me, passing, open_to)
    if question.about == "aid_now":
        return open_to[0] if _helps(known, me, open_to[0]) else passing
    if question.about == "rally_save":
        return next((option for option in open_to if option.label == "break free"), open_to[0])
    if question.about == "follow":
        return passing if 3 * me.hp <= me.hp_max else open_to[0]
    return open_to[0]


def _blow_named(known: State, me: Creature, option: Option) -> float:
    """What a blow with the weapon that an option names is worth against whoever moves."""
    look = Outlook(known, me.id)
    mover = known.actors.get(known.active or "")
    foe = mover if isinstance(mover, Creature) and mover.side != me.side else None
    named = [weapon for weapon in look.arms if option.label.endswith(f" with {weapon.name}")]
    if not named or foe is None:
        return 0.0
    return look.blow(max(named, key=lambda weapon: len(weapon.name)), foe)


def _shield(known: State, me: Creature, passing: Option, open_to: list[Option]) -> Option:
    """An opponent, not one of its own, is held into the blow, with the skill that is likelier to do it."""

    def captive(option: Option) -> Creature | None:
        found = [who for who in known.actors.values() if option.label.startswith(f"hold {who.name} into ")]
        return found[0] if found else None

    foes = [option for option in open_to if (who := captive(option)) is not None and who.side != me.side]
    return max(foes, key=lambda option: _skill_named(known, me, option), default=passing)


def _skill_named(known: State, me: Creature, option: Option) -> float:
    return skill_chance(known, me, option.label.rpartition(" ")[2], LADDER)


def _helps(known: State, me: Creature, option: Option) -> bool:
    """Whether aid is likelier to help than to hinder."""
    skill = next((name for name in me.training if name in option.label), "")
    return bool(skill) and skill_chance(known, me, skill, settings(known).aid_from) > LIKELY


# -- after a roll


def turns_it(known: State, me: Creature, question: Choose) -> bool:
    """Whether the bonus makes a roll enough that is not: of any number that it may be read against."""
    said = TOTAL.search(question.prompt)
    bonus = re.search(r"\+(\d+)", question.options[-1].label)
    if said is None or bonus is None:
        return False
    total, more = int(said[1]), int(bonus[1])
    return any(total < number <= total + more for number in _numbers(known, me, question.prompt))


def _numbers(known: State, me: Creature, prompt: str) -> list[int]:
    """What the roll may have to meet: somebody's AC, the DC of holds or of a mechanism, else the usual DC."""
    look = Outlook(known, me.id)
    if ", attack with " in prompt:
        weapons = [weapon for weapon in look.arms if f", attack with {weapon.name}:" in prompt] or look.arms
        struck = [foe for weapon in weapons for foe in look.in_reach(weapon)]
        best = max(struck, key=lambda foe: max([look.blow(weapon, foe) for weapon in weapons]), default=None)
        return [] if best is None else [armour_class(known, best)]
    if " save:" in prompt:
        return [break_dc(known, me.id)] if holds_on(known, me.id) else [settings(known).maneuver_save_base + HELP]
    if ", lockpicking:" in prompt or ", mechanics:" in prompt:
        return [dc_of(known, thing) for thing in known.facts_of(Mechanism) if not thing.open] or [LADDER]
    return [RALLY_DC]


def _footing(known: State, me: Creature, question: Choose) -> Option:
    """A tile as far from ledges as there is; to hang on rather than to fall."""
    tiles = [option for option in question.options if option.id not in ("cling", "fall")]
    if not tiles:
        return question.options[0]
    return max(tiles, key=lambda option: (_ground_around(known, me, _cell(option)), -_near(known, me, _cell(option))))


def _cell(option: Option) -> Cell:
    x, _, y = option.id.partition(",")
    return int(x), int(y)


def _ground_around(known: State, me: Creature, cell: Cell) -> int:
    """How many of the tiles around are no ledge."""
    return sum(1 for near in neighbours(cell) if not drop_at(known, me, near))


def _near(known: State, me: Creature, cell: Cell) -> int:
    """How many opponents stand beside a tile."""
    foes = [who.at for who in known.actors.values() if who.side != me.side and not who.down]
    return sum(1 for at in foes if isinstance(at, tuple) and distance(at, cell) <= 1)
