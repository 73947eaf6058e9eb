"""What a bot answers: Responses by the Wounds to be expected, Reactions when they pay, and no more Boost than helps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from turnwright.dice import Pool
from turnwright.model import Answer, Choose, Chosen, Commit, Committed, Declaration, Option, Question, State
from turnwright.policy import plain_answer
from turnwright.systems.narateer.chances import above, against_each_other, boost_enough, passive, thrown_by
from turnwright.systems.narateer.exchange import (
    CLASH,
    FULL_GUARD,
    arms,
    chosen_response,
    guard_skill,
    parts_in,
    reaches,
)
from turnwright.systems.narateer.hide import OBSERVATION, STEALTH
from turnwright.systems.narateer.outlook import harm
from turnwright.systems.narateer.senses import ground_of, locates, metres_between, opponents
from turnwright.systems.narateer.sheet import UNARMED, Character, Weapon, character, settings

AD_WORTH = 0.1
"""Wounds that a Ready AD is held to be worth between one's own Activations, when it will be Ready again."""
PAYS = 0.25
"""Wounds to be expected for each AD from which on a Reaction is taken, and for one that costs nothing."""
OPPORTUNITY, CLUE = "narateer.opportunity.trigger", "narateer.reveal.ambiguous-clue"
"""By what rule an option says which Reaction it is."""
LENDS_A_HAND = 4
"""Metres within which a comrade is helped."""
BLOW_DICE = (1, 2)
"""The dice that an attacker may have committed; nobody sees how many, and each number is thought as likely."""


def answered(known: State, question: Question) -> Answer:
    if isinstance(question, Choose) and question.about == "response":
        return _response(known, question)
    if isinstance(question, Choose) and question.actor in known.actors and question.options[0].id == "pass":
        return _reaction(known, question)
    if isinstance(question, Commit) and question.actor in known.actors:
        return Committed(_committed(known, question))
    return plain_answer(question)


# -- Responses


def _response(known: State, question: Choose) -> Chosen:
    """The Response and Boost with the best balance of Wounds dealt and taken and AD spent; among equals the first."""
    me = character(known, question.actor)
    attacker = attacking(known, me)
    blow = _Blow(known, me, attacker, _their_weapon(known, me, attacker))
    best, chosen = -1e9, Chosen(question.options[0].id)
    for option in question.options:
        for boost, worth in enumerate(blow.balances(option)):
            if worth > best + 1e-9:
                best, chosen = worth, Chosen(option.id, boost)
    return chosen


def attacking(known: State, me: Character) -> Character | None:
    """Whoever acts now, where it can be seen."""
    found = known.actors.get(known.active or "")
    return found if isinstance(found, Character) and found.side != me.side else None


def _their_weapon(known: State, me: Character, attacker: Character | None) -> Weapon:
    """The worst that the attacker is seen to carry and that reaches; bare hands, where nobody is seen."""
    if attacker is None:
        return UNARMED
    return max(
        [weapon for weapon in arms(attacker) if reaches(known, attacker, me, weapon)] or [UNARMED],
        key=lambda weapon: weapon.wounds,
    )


class _Blow:
    """A blow that somebody must answer, with the dice that it may come with."""

    def __init__(self, known: State, me: Character, attacker: Character | None, weapon: Weapon) -> None:
        self.known, self.me, self.attacker, self.weapon = known, me, attacker, weapon
        one = thrown_by(known, attacker or me, weapon.kind, 1)
        self.theirs = tuple([replace(one, dice=dice) if dice > 1 else one for dice in BLOW_DICE])
        self.harm = harm(me, weapon.wounds)

    def balances(self, option: Option) -> Iterator[float]:
        """For each Boost what a Response is worth: Wounds dealt less Wounds taken, less what the AD are worth."""
        kind, own, power = chosen_response(self.me, option.id)
        parts, spent = parts_in(power, kind), option.price.amount("ad")
        if kind not in (CLASH, FULL_GUARD):
            yield -self._taken_passively() - spent * AD_WORTH
            return
        skill = own.kind if own is not None else guard_skill(self.me, self.weapon)
        one = thrown_by(self.known, self.me, skill, 1)
        plus = one.plus + sum([part.totals for part in parts])
        dealt = self._dealt(own, sum([part.wounds for part in parts])) if kind == CLASH else 0.0
        for boost in range(option.most + 1):
            won, lost = _chances(one, plus, boost, self.theirs)
            yield won * dealt - lost * self.harm - (spent + boost) * AD_WORTH

    def _dealt(self, own: Weapon | None, more: int) -> float:
        """What a won Clash counts."""
        return harm(self.attacker, own.wounds + more) if own is not None and self.attacker is not None else 0.0

    def _taken_passively(self) -> float:
        number = passive(self.known, self.me, guard_skill(self.me, self.weapon))
        return sum([above(theirs, number) for theirs in self.theirs]) / len(self.theirs) * self.harm


@lru_cache(maxsize=4096)
def _chances(one: Pool, plus: int, boost: int, theirs: tuple[Pool, ...]) -> tuple[float, float]:
    """How likely one's total is the higher with so much Boost, and that of a blow of any of the others' dice."""
    mine = replace(one, dice=1 + boost, plus=plus)
    each = [against_each_other(mine, other) for other in theirs]
    return sum([won for won, _ in each]) / len(each), sum([lost for _, lost in each]) / len(each)


# -- Reactions


def _reaction(known: State, question: Choose) -> Chosen:
    """The Reaction that promises most for its AD, if it pays and leaves enough to guard with; else none.

    What costs nothing is taken only in another's Activation: two who strike back for nothing would never end.
    """
    me = character(known, question.actor)
    kept = 2 if me.wounds and me.wounds + 1 >= me.bears else 0
    best: tuple[float, Chosen] | None = None
    for option in question.options[1:]:
        spent = option.price.amount("ad")
        worth = _promises(known, me, option) if spent or known.active != me.id else 0.0
        if me.ready - spent >= kept and worth >= PAYS * max(1, spent) and (best is None or worth > best[0]):
            best = worth, Chosen(option.id)
    return best[1] if best is not None else Chosen("pass")


def _promises(known: State, me: Character, option: Option) -> float:
    """Wounds that a Reaction promises; a clue is worth following, and other parts of a Power count by what they add."""
    mover = attacking(known, me)
    if option.rule == OPPORTUNITY:
        weapon = next((w for w in arms(me) if option.label.endswith(f" with {w.name}")), arms(me)[0])
        return _blow(known, me, mover, weapon, 0, 0)
    if option.rule == CLUE:
        return 1.0
    promised = 0.0
    for power in me.powers:
        if option.label in (power.name, f"{power.name} (Reaction)"):
            for part in power.parts:
                struck = _blow(known, me, mover, arms(me)[0], part.totals, part.wounds) if part.strike else 0.0
                promised = max(promised, struck, float(part.wounds > 0 or part.totals > 0))
    return promised


def _blow(known: State, me: Character, foe: Character | None, weapon: Weapon, totals: int, wounds: int) -> float:
    """Wounds that one unanswered blow of one die promises."""
    if foe is None:
        return 0.5
    number = passive(known, foe, guard_skill(foe, weapon)) - totals
    return above(thrown_by(known, me, weapon.kind, 1), number) * harm(foe, weapon.wounds + wounds)


# -- commitments


def _committed(known: State, question: Commit) -> int:
    """As much as makes the check likely, and in danger never the last AD."""
    me = character(known, question.actor)
    spare = me.ready - question.price.amount("ad") - (1 if _in_danger(known, me) else 0)
    most = max(0, min(question.most, spare))
    return boost_enough(known, me, question.skill, 1, _to_exceed(known, me, question), most)


def _to_exceed(known: State, me: Character, question: Commit) -> int:
    """The number to exceed where it is open; else the standard of the ladder, or the best eyes around a hider."""
    ruling, meet = question.ruling, settings(known).fixed_target == "meet"
    if ruling is not None and not ruling.secret:
        if ruling.target is not None:
            return ruling.target - meet
        if ruling.against in known.actors:
            return passive(known, character(known, ruling.against), question.skill)
    if question.skill == STEALTH:
        eyes = [passive(known, other, OBSERVATION) for other in opponents(known, me) if not other.down]
        return max(eyes, default=0)
    return settings(known).ladder.get("standard", 6) - meet


def _in_danger(known: State, me: Character) -> bool:
    return any(not foe.down and locates(known, me, foe) for foe in opponents(known, me))


# -- helping


def help_with(known: State, actor: str, question: Question) -> Declaration | None:
    """Assists a comrade beside one who is about to make a check, with AD that nothing else asks for."""
    me, other = character(known, actor), known.actors.get(question.actor)
    idle = known.active != actor and me.ready > 2 and not me.down and not _in_danger(known, me)
    if not idle or not isinstance(other, Character) or other.id == actor or other.side != me.side:
        return None
    if ground_of(known) is None or not isinstance(me.at, tuple) or not isinstance(other.at, tuple):
        near = me.at == other.at and me.at is not None
    else:
        near = metres_between(known, me.at, other.at) <= LENDS_A_HAND
    return Declaration(actor, "assist", "help", "lend a hand", other.id) if near else None
