"""Full Defense: nothing but defending, at double the pool."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play, ask
from turnwright.model import (
    ActorId,
    Check,
    Choose,
    Chosen,
    Declaration,
    Option,
    Outcome,
    Refusal,
    State,
)
from turnwright.rules import Settled, Steps
from turnwright.systems.storypath.events import (
    DefenseSet,
)
from turnwright.systems.storypath.parts import defense_dice
from turnwright.systems.storypath.rolls import (
    Pause,
    dice_for_sale,
    enhanced,
    successes,
    throw,
)
from turnwright.systems.storypath.sheet import character, settings
from turnwright.systems.storypath.simple import ATTENTION, Simple


class FullDefense(Simple):
    """Do nothing but defend: double the pool, and say what its successes buy, to the end of the round.

    Rules: storypath.simple.full-attention.
    """

    name = "full_defense"
    about = "do nothing but defend yourself"
    rules = (ATTENTION, "storypath.attack.defense-requirement")

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        who = character(known, d.actor)
        if who.defense is not None and not settings(known).full_defense_with_number:
            text = f"{who.name} has a Defense number and no pool to double"
            yield Refusal("storypath.attack.defense-requirement", text, "NO_POOL")

    def check(self, known: State, d: Declaration) -> Check:
        who = character(known, d.actor)
        return Check(
            d.actor, "defense", defense_dice(known, d), dice_for_sale(known, who), "storypath.mixed.single-roll"
        )

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        self.engage(play, d, paid)
        more = character(play.state, d.actor).enhancement  # kept: what helps this roll
        dice = paid[d.actor].dice
        result = yield from throw(play, d.actor, "Full Defense", dice, ATTENTION, botch=False, enhancement=more)
        won = enhanced(play.state, result, more)  # kept: what was rolled
        guard = won
        if won and settings(play.state).full_defense_split:
            given = yield from ask(lambda: _guard_question(play.state, d.actor, won), Chosen)
            guard = int(given.id.partition("/")[0])
        least = settings(play.state).least_defense
        play.emit(DefenseSet(ATTENTION, d.actor, max(least, guard), won - guard, full=True))
        return Outcome(self.name, "success", amount=won)


def _guard_question(state: State, actor: ActorId, won: int) -> Choose:
    who = character(state, actor)
    options = [
        Option(f"{n}/{won - n}", f"Defense {max(1, n)}, an injury costs {won - n} more") for n in range(won, -1, -1)
    ]
    prompt = f"{successes(won)}: what {'does it' if won == 1 else 'do they'} buy?"
    rule = "storypath.attack.defense-requirement"
    return Choose(who.seat, actor, prompt, rule, tuple(options), "guard", moment=Pause(actor))
