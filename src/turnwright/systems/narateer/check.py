"""The one procedure that makes checks, the Boost on them, and what modifies their totals."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec.structs import replace

from turnwright.dice import Pool
from turnwright.engine import Play, ask, ask_each, boost_limit, charge
from turnwright.model import (
    NOTHING,
    Answer,
    Bill,
    Check,
    Commit,
    Committed,
    Moment,
    Paid,
    Price,
    Roll,
    Rolled,
    RuleId,
    State,
    cost,
)
from turnwright.rules import Modifier, Steps
from turnwright.systems.narateer.events import Checked, Helping
from turnwright.systems.narateer.sheet import Character, character, conditions_of, settings

TOPICS = ("boost",)


class CheckReady(Moment, frozen=True):
    """A check is confirmed, with its Skill and target, and its dice are not committed yet."""

    actor: str
    skill: str


def check_of(state: State, actor: str, skill: str, dice: int = 1, most: int | None = None, rule: RuleId = "") -> Check:
    """The check that will be made; what may be committed beyond its price is at most the Skill Level.

    Rules: narateer.boost.cap-is-skill-level, narateer.boost.any-skill-check, narateer.boost.after-base.
    """
    level = character(state, actor).level(skill)
    limit = level if most is None else most
    return Check(actor, skill, dice, max(0, limit), rule or "narateer.boost.cap-is-skill-level")


def one_ad(why: str, rule: RuleId) -> Price:
    return Price((cost("ad", 1, why, rule),))


def totals(state: State, actor: Character, skill: str) -> list[Modifier]:
    """Everything that is added to the total of a check, labelled and cited."""
    parts = []
    if settings(state).add == "skill level":
        parts.append(
            Modifier(f"{skill} Skill Level", Fraction(actor.level(skill)), "narateer.activation.ready-ad-pays")
        )
    for name, condition in conditions_of(state, actor):
        if condition.totals:
            parts.append(Modifier(name, Fraction(condition.totals), "narateer.condition.owned-by-combat"))
    return parts


def edge(state: State, actor: Character) -> int:
    """1 for Advantage, -1 for Disadvantage: any number of one kind is one extra die, and one of the other cancels all.

    Rules: narateer.assist.details-in-skill-checks.
    """
    if not actor.conditions and not state.relations.get(actor.id):
        return 0
    helped = bool(state.related(Helping, actor.id))
    hindered = bool(actor.conditions) and any(c.disadvantage for _, c in conditions_of(state, actor))
    return int(helped) - int(hindered)


def pool(state: State, actor: Character, skill: str, dice: int, plus: int = 0, edges: int = 0) -> Pool:
    rule = settings(state)
    added = actor.level(skill) if rule.add == "skill level" else 0
    if actor.conditions:
        added += sum(condition.totals for _, condition in conditions_of(state, actor))
    both = edge(state, actor) + edges
    return Pool(max(1, dice), added + plus, (both > 0) - (both < 0), rule.die, rule.read, rule.success)


def make_roll(
    state: State,
    actor: str,
    skill: str,
    dice: int,
    rule: RuleId,
    against: int | None,
    ties: bool,
    plus: int,
    edges: int,
) -> Roll:
    who = character(state, actor)
    thrown = pool(state, who, skill, dice, plus, edges)
    return Roll(who.seat, actor, f"{who.name} rolls {skill}: {thrown}", rule, thrown, skill, against, ties)


def tell_read(play: Play, roll: Roll, given: Rolled) -> None:
    passed = None if roll.against is None else given.value > 0
    play.emit(Checked(roll.rule, roll.actor, roll.skill, roll.pool.dice, given.total, passed, roll.pool.edge))


def check(
    play: Play,
    actor: str,
    skill: str,
    paid: Paid,
    rule: RuleId,
    *,
    against: int | None = None,
    ties: bool = False,
    plus: int = 0,
    edges: int = 0,
    boost_after_roll: bool = False,
    level: bool = False,
) -> Steps[Rolled]:
    """One check: its total, or with `against` whether it exceeds that number (meets it, where `ties` count).

    With `level` the reading tells exceeding, meeting and staying below apart.

    Rules: narateer.boost.before-roll (all that is rolled was committed before, unless the rule says otherwise).
    """
    number = None if boost_after_roll else against
    roll = make_roll(play.state, actor, skill, paid.dice, rule, number, ties, plus, edges)
    roll = replace(roll, level=True) if level else roll
    given = yield from ask(roll, Rolled)
    tell_read(play, roll, given)
    if not boost_after_roll:
        return given
    given = yield from _boost_late(play, roll, given, paid.boost)
    if against is None:
        return given
    total = total_of_answer(given)
    return Rolled(int(total > against or (ties and total == against)), total)


def _boost_late(play: Play, roll: Roll, given: Rolled, boosted: int) -> Steps[Rolled]:
    """Where a check's rule permits it: what the Skill Level leaves may still be added once the dice are read."""
    bill = Bill(NOTHING, check_of(play.state, roll.actor, roll.skill), roll.skill)  # kept: what the Boost is for

    def most() -> int:
        level = character(play.state, roll.actor).level(roll.skill)
        return min(boost_limit(play.game, play.state, roll.actor, bill), level - boosted)

    if most() <= 0:
        return given
    rule = "narateer.boost.before-roll"
    prompt = f"{roll.skill} shows {total_of_answer(given)}: boost it now?"
    asked = Commit(roll.who, roll.actor, prompt, rule, NOTHING, 0, roll.skill, may_withdraw=False)
    said = yield from ask(lambda: replace(asked, most=most()), Committed)
    if not said.boost:
        return given
    charge(play, roll.actor, bill, said.boost)
    highest = roll.pool.read == "highest"
    more = replace(roll.pool, dice=said.boost, plus=roll.pool.plus if highest else 0, edge=0)
    again = replace(roll, pool=more, prompt=f"{roll.prompt}, boosted by {more}", rule=rule)
    added = yield from ask(again, Rolled)
    tell_read(play, again, added)
    totals = total_of_answer(given), total_of_answer(added)
    total = max(totals) if highest else sum(totals)
    return Rolled(total, total)


def check_each(
    play: Play,
    rollers: Mapping[str, Paid],
    skill: str,
    rule: RuleId,
    *,
    against: int | None = None,
    ties: bool = False,
    edges: Mapping[str, int] = {},
) -> Steps[dict[str, Rolled]]:
    """Several make the same check at once."""
    state = play.state
    rolls = [  # kept: the rolls that are asked for
        make_roll(state, actor, skill, paid.dice, rule, against, ties, 0, edges.get(actor, 0))
        for actor, paid in rollers.items()
    ]
    answers: tuple[Answer, ...] = yield from ask_each(lambda: tuple(rolls))
    read: dict[str, Rolled] = {}
    for roll, given in zip(rolls, answers, strict=True):
        assert isinstance(given, Rolled)
        read[roll.actor] = given
        tell_read(play, roll, given)
    return read


def total_of_answer(given: Rolled) -> int:
    return given.value if given.total is None else given.total


def commit_moment(actor: str, bill: Bill) -> CheckReady | None:
    """Whoever makes a check can be helped until its dice are committed."""
    return None if bill.check is None else CheckReady(actor, bill.check.skill)
