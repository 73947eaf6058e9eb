"""What a step of somebody's own movement is to others: the moment of it, and whose reach it led past."""

from __future__ import annotations

from turnwright.engine import Play, ask
from turnwright.model import GUIDE, At, Choose, Chosen, Moment, Option, State
from turnwright.rules import Steps
from turnwright.systems.narateer.offmap import together
from turnwright.systems.narateer.senses import locates, opponents
from turnwright.systems.narateer.sheet import Character, character, conditions_of


class Stepped(Moment, frozen=True):
    """A step of somebody's own movement was completed; being put somewhere by others is no such step.

    Rules: narateer.movement.definition.
    """

    actor: str
    came: At
    at: At
    past: tuple[str, ...] = ()
    """Off a map: in whose reach the step began and ended, by the guide's word."""


def passed_by(play: Play, mover: str, came: At, at: At, near: tuple[str, ...] | None = None) -> Steps[tuple[str, ...]]:
    """Off a map the guide says whose reach a step began and ended in; nobody is asked where nobody could strike.

    Where relations are stated only those come into question whom the mover was `near`.

    Rules: narateer.opportunity.trigger.
    """
    if isinstance(at, tuple):
        return ()
    found: list[str] = []
    for other in [o.id for o in opponents(play.state, character(play.state, mover))]:  # kept: each is asked about once
        watcher, moved = character(play.state, other), character(play.state, mover)
        if (near is not None and other not in near) or not could_strike(play.state, watcher, moved, came):
            continue
        rule = "narateer.opportunity.trigger"
        options = (Option("no", "not within reach all along"), Option("yes", f"within {watcher.name}'s reach"))
        prompt = f"{moved.name} leaves {came} past {watcher.name}: from within reach to within reach?"
        given = yield from ask(Choose(GUIDE, "", prompt, rule, options, "opportunity"), Chosen)
        if given.id == "yes":
            found.append(other)
    return tuple(found)


def could_strike(state: State, watcher: Character, mover: Character, came: At) -> bool:
    """Whether somebody beside whom a step began could answer it: up, aware of the mover, and with the AD for a blow."""
    if watcher.down or not together(state, watcher.at, came) or not locates(state, watcher, mover):
        return False
    melee = [weapon.base_attack_cost for weapon in watcher.weapons if weapon.kind == "melee"]
    barred = any(not condition.reactions for _, condition in conditions_of(state, watcher))
    return not barred and watcher.ready >= min(melee, default=1)
