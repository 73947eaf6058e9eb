"""The one procedure that throws a pool: Enhancement, momentum, botches, consolations, and what threshold buys off."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from turnwright.dice import Pool
from turnwright.engine import Play, ask
from turnwright.model import ActorId, Declaration, Moment, Price, Roll, Rolled, RuleId, State, Struct, cost
from turnwright.rules import Modifier, Settled, Steps
from turnwright.systems.storypath.events import Did, Helped, HelpUsed, Momentum, MomentumChanged, PoolRolled, Strained
from turnwright.systems.storypath.sheet import Character, character, pain, settings, target_number

FAILED = "storypath.mixed.halves-judged-separately"


class Pause(Moment, frozen=True):
    """Somebody is about to decide: there is time for what takes none."""

    actor: ActorId


class Result(Struct, frozen=True):
    """What a pool showed: the successes of the dice, and whether it was a botch."""

    successes: int
    botch: bool = False


def pool_for(state: State, who: Character, dice: int, *, botch: bool) -> Pool:
    """So many dice of this character."""
    rule = settings(state)
    again = rule.again if rule.again and rule.again >= target_number(state, who) else 0
    ones = botch and rule.botch == "ones"
    most = dice + rule.read_beyond if again else 0
    return Pool(
        dice,
        sides=rule.sides,
        read="successes",
        target=target_number(state, who),
        again=again,
        twice=rule.twice,
        most=most * (2 if rule.twice and again else 1),
        botch=ones,
    )


def throw(
    play: Play, actor: ActorId, what: str, dice: int, rule: RuleId, *, botch: bool = True, enhancement: int = 0
) -> Steps[Result]:
    """Throw so many dice; a roll that is against no Difficulty neither fails nor botches."""
    if dice <= 0:
        play.emit(PoolRolled(rule, actor, what, 0, 0))
        return Result(0)
    who = character(play.state, actor)
    pool = pool_for(play.state, who, dice, botch=botch or settings(play.state).free_rolls_botch)
    given = yield from ask(Roll(who.seat, actor, f"{who.name}, {what}: {in_words(pool)}", rule, pool, what), Rolled)
    found = given.value
    botched = found < 0 or (botch and found == 0 and settings(play.state).botch == "any")
    play.emit(PoolRolled(rule, actor, what, dice, max(0, found), enhancement, botched))
    return Result(max(0, found), botched)


def successes(number: int) -> str:
    """`2 successes`."""
    return f"{number} success{'' if number == 1 else 'es'}"


def to_spend(number: int) -> str:
    """What is asked about so many threshold successes."""
    if not number:
        return "nothing is over: what then?"
    return f"{successes(number)} over: what {'does it' if number == 1 else 'do they'} buy?"


def in_words(pool: Pool) -> str:
    """`6d10, 8 or more; each 10 once more`."""
    again = f"; each {pool.again} once more" if pool.again == pool.sides else ""
    twice = f"; each {pool.twice} is two" if pool.twice == pool.sides else ""
    return f"{pool}, {pool.target} or more{again}{twice}"


def enhanced(state: State, result: Result, enhancement: int, share: int | None = None) -> int:
    """The total of one deed: its share of the successes, with Enhancement where the dice gave enough of them.

    Rules: storypath.mixed.lower-pool.
    """
    rule = settings(state)
    base = result.successes if share is None else share
    fed = result.successes >= rule.enhancement_needs
    if share == 0 and not rule.enhancement_without_share:
        fed = False
    return base + (enhancement if fed else 0)


def difficulty(state: State, who: Character, number: int, more: int = 0) -> int:
    """A Difficulty with what makes it harder for this character now."""
    return max(settings(state).least_difficulty, number) + burden(state, who) + more


def burden(state: State, who: Character) -> int:
    """How much harder everything is now: pain that nobody bought off, and lying on the ground."""
    return who.hampered + (settings(state).prone_difficulty if who.prone else 0)


# -- pain


def unstrain(play: Play, actor: ActorId) -> None:
    """Pain has made one roll harder, and that is behind it."""
    if character(play.state, actor).hampered:
        play.emit(Strained(FAILED, actor, 0))


def suffer(play: Play, actor: ActorId, borne: bool) -> None:
    """Pain that nothing was spent on makes the next roll harder; it never undoes a success."""
    if not borne and actor in play.state.actors and pain(play.state, character(play.state, actor)):
        play.emit(Strained(FAILED, actor, settings(play.state).hampered))


def bears(state: State, actor: ActorId, left: int) -> bool:
    """Whether so much that is left over is enough for the pain."""
    return actor not in state.actors or left >= pain(state, character(state, actor))


# -- help


SMALL = ("look", "draw", "stand", "small_deed", "move")
"""Listed reflexives, as components of a mixed action; they bring no pool."""
PLACES = ("first", "second", "third", "fourth")
"""Where the components of a mixed action are said."""


def leads(d: Declaration, name: str) -> bool:
    """Whether a component is the first rolled one: what is for no Skill in particular helps that one alone.

    Rules: storypath.mixed.lower-pool.
    """
    rolled = [d.option(place) for place in PLACES if d.option(place) and d.option(place) not in SMALL]
    return not rolled or rolled[0] == name


def help_for(state: State, who: Character, skill: str, target: ActorId = "", *, general: bool = True) -> int:
    """Enhancement that waits for a roll like this one; of several the highest counts.

    Rules: storypath.mixed.lower-pool.
    """
    waiting = _waiting(state, who, skill, target)
    return max([held.amount for held in waiting if general or held.skill or held.other != who.id], default=0)


def use_help(play: Play, actor: ActorId, skill: str, target: ActorId = "") -> None:
    for held in tuple(_waiting(play.state, character(play.state, actor), skill, target)):
        play.emit(HelpUsed("storypath.mixed.lower-pool", actor, held.other, held.skill))


def _waiting(state: State, who: Character, skill: str, target: ActorId) -> Iterator[Helped]:
    for held in state.related(Helped, who.id):
        if held.skill in ("", skill) and held.other in (who.id, target):
            yield held


# -- momentum


def momentum(state: State) -> int:
    held = state.facts.get("momentum")
    return held.amount if isinstance(held, Momentum) else 0


def momentum_limit(state: State) -> int:
    """How much the players hold at most: by how many of them there are."""
    seats = dict.fromkeys(who.seat for who in state.actors.values() if who.pc)
    return settings(state).momentum_for_each_player * len(seats)


def with_dice(price: Price, dice: int) -> Price:
    """A price with so many dice bought beyond it."""
    return price.plus(cost("dice", dice, "bought with momentum", "storypath.mixed.single-roll")) if dice else price


def dice_for_sale(state: State, who: Character) -> int:
    """How many dice momentum can buy."""
    return momentum(state) // settings(state).momentum_for_a_die if who.pc else 0


def take_momentum(play: Play, d: Declaration, paid: Settled) -> None:
    """What was committed of it is gone from the players' pool."""
    dice = paid[d.actor].price.amount("dice")
    if dice:
        spend_momentum(play, dice * settings(play.state).momentum_for_a_die, "storypath.mixed.single-roll", "more dice")


def spend_momentum(play: Play, amount: int, rule: RuleId, why: str) -> None:
    """So much of the players' pool is gone, or what there is of it, where the Storyguide lets more pass."""
    spent = min(amount, momentum(play.state))
    if spent:
        play.emit(MomentumChanged(rule, -spent, why))


def console(play: Play, actor: ActorId, botched: bool) -> None:
    """A player's character that fails is consoled: more after a botch.

    Rules: storypath.mixed.halves-judged-separately.
    """
    rule = settings(play.state)
    if not character(play.state, actor).pc or rule.consolation == "none":
        return
    won = rule.botch_momentum if botched else rule.failure_momentum
    won = min(won, max(0, momentum_limit(play.state) - momentum(play.state)))
    if won:
        play.emit(MomentumChanged(FAILED, won, "a botch" if botched else "a failure"))


# -- opposed


def opposed(
    play: Play,
    actor: ActorId,
    dice: int,
    other: ActorId,
    against: int,
    what: str,
    rule: RuleId,
    ties: str,
    more: int = 0,
    skill: str = "athletics",
    target: ActorId = "",
) -> Steps[tuple[int, bool]]:
    """The acting side's total less the other's, and whether the acting side has won; `more` is its Enhancement.

    What waits to help with that Skill comes on top; what waits for an attack only where a target is named.
    """
    theirs = yield from resisted(play, other, against, what, rule, skill)
    helped = more + help_for(play.state, character(play.state, actor), skill, target)  # kept: what helps this roll
    mine = yield from throw(play, actor, what, dice, rule, enhancement=helped)
    use_help(play, actor, skill, target)
    over = enhanced(play.state, mine, helped) - theirs - burden(play.state, character(play.state, actor))
    unstrain(play, actor)
    won = not mine.botch and (over > 0 or (over == 0 and ties == "acting"))
    play.emit(Did(rule, actor, what, won))
    if not won:
        console(play, actor, mine.botch)
    suffer(play, actor, not won or bears(play.state, actor, over))
    return over, won


def resisted(play: Play, other: ActorId, dice: int, what: str, rule: RuleId, skill: str = "athletics") -> Steps[int]:
    """The total of the one against whom something is tried; it is against no Difficulty, and so cannot botch."""
    who = character(play.state, other)
    more = who.enhancement + help_for(play.state, who, skill)  # kept: what helps this roll
    result = yield from throw(
        play, other, f"against the {what.replace('_', ' ')}", dice, rule, botch=False, enhancement=more
    )
    use_help(play, other, skill)
    return enhanced(play.state, result, more)


def part(label: str, amount: int, rule: RuleId) -> Modifier:
    return Modifier(label, Fraction(amount), rule)
