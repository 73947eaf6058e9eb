"""The turn: one simple or one mixed action, one attack, and what a mixed action has room for."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model import Amount, Cost, Declaration, Moment, Price, Refusal, State, cost
from turnwright.rules import Action
from turnwright.systems.storypath.events import Grapples, roster_of
from turnwright.systems.storypath.rolls import dice_for_sale, momentum
from turnwright.systems.storypath.sheet import Character, character, settings

TOPICS = ("turn",)

ONE = "storypath.turn.action-allowance"
NO_SECOND = "storypath.turn.no-second-action"
ONE_ATTACK = "storypath.turn.one-attack"
PLACES = "storypath.reflexive.listed-count-toward-mixed-limit"
WHILE_GRAPPLED = ("attack", "break_free", "release", "end", "knack", "knack_action", "look", "hand_on", "take_back")


def action_price(why: str, attacks: bool = False) -> Price:
    """The turn's one action, and its one attack where it is one.

    Rules: storypath.turn.action-allowance, storypath.turn.one-attack.
    """
    one = Price((cost("action", 1, why, ONE),))
    return one.plus(cost("attack", 1, why, ONE_ATTACK)) if attacks else one


def available(known: State, actor: str, resource: str) -> Amount | None:
    """How much is left; an attack is counted in the own turn alone.

    Rules: storypath.turn.one-attack, storypath.turn.no-second-action.
    """
    if actor not in known.actors:
        return None  # what the Storyguide does is paid with nothing
    who = character(known, actor)
    if resource == "action":
        return who.actions
    if resource == "attack":
        return who.attacks
    if resource == "move":
        return settings(known).reflexive_moves - who.moves
    if resource == "escape":
        return 1 - who.escapes
    if resource == "dice":
        return dice_for_sale(known, who)
    if resource == "momentum":
        return momentum(known) if who.pc else 0
    return None


def resource_words(resource: str, amount: int) -> str:
    """A part of a price as it is read: `1 action`, `1 die for momentum`, `once a turn`."""
    if resource == "attack":
        return ""  # it comes with the action
    if resource == "escape":
        return "once a turn"
    if resource == "move":
        return "the move of this round"
    if resource == "dice":
        return f"{amount} {'die' if amount == 1 else 'dice'} for momentum"
    return f"{amount} {resource}"


def short(known: State, actor: str, item: Cost, need: Amount, have: Amount) -> Refusal:
    """Why a price cannot be paid."""
    who = character(known, actor)
    if item.resource == "move":
        text = f"{who.name} has moved in this round; once more is no reflexive action"
        return Refusal("storypath.reflexive.move-up-to-max-speed", text, "MOVED")
    if item.resource == "escape":
        return Refusal(item.rule, f"{who.name} has tried that in this turn", "ESCAPED")
    if item.resource == "momentum":
        return Refusal(item.rule, f"it takes {need} momentum and the players have {have}", "MOMENTUM")
    if known.active != actor:
        return Refusal(ONE, f"it is not {who.name}'s turn", "NOT_YOUR_TURN")
    if item.resource == "attack":
        return Refusal(ONE_ATTACK, f"{who.name} attacks only once in a turn", "ATTACKED")
    text = f"{who.name} has taken the one action of this turn, simple or mixed"
    return Refusal(NO_SECOND, text, "ACTED")


def general(known: State, action: Action, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
    """What holds for every deed: who is Taken Out does none, and before initiative there are no turns.

    Rules: storypath.initiative.roll-at-combat-start.
    """
    if action.nature in ("turn", "guide") or not action.declared:
        return
    who = character(known, d.actor)
    if who.down:
        yield Refusal(ONE, f"{who.name} is Taken Out", "DOWN")
    if action.nature == "proactive" and roster_of(known) is None:
        text = "initiative is rolled before anybody takes a turn"
        yield Refusal("storypath.initiative.roll-at-combat-start", text, "NOT_STARTED")
    if action.name not in WHILE_GRAPPLED and in_grapple(known, who):
        yield Refusal(ONE, f"{who.name} is in a grapple and can do nothing else", "GRAPPLED")


def in_grapple(known: State, who: Character) -> bool:
    return any(who.id in (held.owner, held.other) for held in known.every(Grapples))


# -- what a mixed action has room for


def takes_place(known: State, actor: str) -> bool:
    """Whether a listed reflexive that is done now takes one of the places of a mixed action.

    Rules: storypath.reflexive.listed-count-toward-mixed-limit.
    """
    return known.active == actor or settings(known).off_turn_counts


def room_for_small(known: State, who: Character) -> Iterator[Refusal]:
    """Whether one more listed reflexive fits beside what this turn's action already holds."""
    rule = settings(known)
    limited = who.mixed or (rule.counts_beside_simple and who.parts > 0)
    if takes_place(known, who.id) and limited and who.parts + who.small >= rule.mixed_limit:
        text = f"the action of this turn has {who.parts + who.small} of {rule.mixed_limit} places taken"
        yield Refusal(PLACES, text, "FULL")


def room_for_parts(known: State, who: Character, parts: int, mixed: bool) -> Iterator[Refusal]:
    """Whether an action of so many components still fits beside the reflexives of this turn."""
    rule = settings(known)
    limited = mixed or rule.counts_beside_simple
    if limited and parts + who.small > rule.mixed_limit:
        text = f"it has room for {rule.mixed_limit}: {parts} of its own, and {who.small} taken by what was done before"
        yield Refusal(PLACES, text, "FULL")
