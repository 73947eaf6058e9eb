"""Down and Dirty: a fight with somebody minor, settled with one roll."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.model import (
    ActorId,
    Check,
    Declaration,
    Outcome,
    Parameter,
    Refusal,
    State,
)
from turnwright.rules import Settled, Steps
from turnwright.systems.storypath.attack import attack_dice, attack_refusals, weapon_of, with_weapon
from turnwright.systems.storypath.events import (
    Missed,
    TakenOut,
)
from turnwright.systems.storypath.injuries import hurt
from turnwright.systems.storypath.rolls import (
    dice_for_sale,
    opposed,
)
from turnwright.systems.storypath.settings import TIERS
from turnwright.systems.storypath.sheet import Character, character, settings
from turnwright.systems.storypath.simple import TARGET, WEAPON, Simple
from turnwright.systems.storypath.space import foes


class DownAndDirty(Simple):
    """Settle a minor fight with one roll: who wins it takes the other out, who loses it is hurt; ties are the players'.

    Rules: storypath.initiative.tie-favours-player.
    """

    name = "down_and_dirty"
    about = "settle a fight with somebody minor in one roll"
    attacks = True
    rules = ("storypath.initiative.tie-favours-player", "storypath.attack.defense-requirement")
    parameters: ClassVar[tuple[Parameter, ...]] = (TARGET, WEAPON)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for foe in foes(known, character(known, actor)):
            if foe.minor:
                yield Declaration(actor, self.name, target=foe.id)

    def label(self, known: State, d: Declaration) -> str:
        return f"down and dirty: {known.actors[d.target].name}" if d.target in known.actors else "down and dirty"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.target:
            yield Refusal(self.rules[1], "say whom", "INCOMPLETE target")

    def complete(self, known: State, d: Declaration) -> Declaration:
        return with_weapon(known, d)

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        who, foe = character(known, d.actor), known.actors.get(d.target)
        yield from attack_refusals(known, d)
        if not who.pc:
            yield Refusal(self.rules[0], "only players settle a fight so", "NOT_A_PLAYER")
        if foe is not None and not foe.minor:
            yield Refusal(self.rules[0], f"{foe.name} is no minor foe", "NOT_MINOR")
        if foe is not None and not foe.veiled and _above(foe, who):
            yield Refusal(self.rules[0], f"{foe.name} is of a higher tier", "HIGHER_TIER")

    def check(self, known: State, d: Declaration) -> Check:
        who = character(known, d.actor)
        return Check(d.actor, "attack", attack_dice(known, d), dice_for_sale(known, who), "storypath.mixed.single-roll")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        self.engage(play, d, paid)
        foe = character(play.state, d.target)
        if _above(foe, character(play.state, d.actor)):  # found out only now, where it was not known
            play.emit(Missed(self.rules[0], d.actor, d.target, f"{foe.name} is of a higher tier"))
            return Outcome(self.name, "failure")
        dice = max([*foe.pools.values(), foe.rating("close combat", "might")])
        ties = "acting" if settings(play.state).down_and_dirty_ties == "players" else "other"
        weapon = weapon_of(play.state, d)
        more = character(play.state, d.actor).enhancement + (weapon.enhancement if weapon is not None else 0)
        skill = weapon.skill if weapon is not None else "close combat"  # kept: what was fought with
        own = paid[d.actor].dice
        over, won = yield from opposed(
            play, d.actor, own, d.target, dice, self.name, self.rules[0], ties, more, skill, d.target
        )
        if won:
            play.emit(TakenOut(self.rules[0], d.target))
            return Outcome(self.name, "success", (d.target,), over)
        yield from hurt(play, d.actor, d.target)
        return Outcome(self.name, "failure", (d.actor,))


def _above(foe: Character, who: Character) -> bool:
    return TIERS.index(foe.tier) > TIERS.index(who.tier)
