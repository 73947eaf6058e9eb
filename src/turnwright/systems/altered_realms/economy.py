"""Budgets: what a turn brings, what a deed takes of it, what may be broken down, and what Reactions are for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play
from turnwright.events import Barred
from turnwright.model import (
    NOTHING,
    Amount,
    Cost,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    RuleId,
    Ruling,
    State,
    cost,
)
from turnwright.rules import Action, Nature, Pick, Settled, Steps, ended
from turnwright.systems.altered_realms.events import BudgetGained, SustainEnded, TurnEnded, TurnOrder, TurnStarted
from turnwright.systems.altered_realms.holding import movement_barred
from turnwright.systems.altered_realms.sheet import Creature, conditions_of, creature, pool_named, settings

TOPICS = ("economy", "action", "motion", "reaction", "downgrade")

BUDGETS = ("action", "movement", "motion")
"""The kinds of budget of a turn, the higher one first; Reactions are outside of it.

Rules: altered-realms.economy.applies-to-all.
"""
NAMES = {
    "action": "Action",
    "movement": "Movement",
    "motion": "Motion",
    "reaction": "Reaction",
    "attack": "attack",
    "teleport": "Movement",
}


TURN = (*BUDGETS, "attack", "first attack", "teleport")
"""What a turn brings; off-turn a Reaction stands for all of it, and points and the like are paid as ever."""


def resource_words(resource: str, amount: int) -> str:
    """A part of a price as it is read: `2 Motions`, `1 point of stamina`, `once a turn`."""
    if resource == "first attack":
        return ""  # it comes with the Action
    if resource == "rest":
        return "once between rests"
    if resource in NAMES:
        return f"{amount} {NAMES[resource]}{'s' if amount > 1 else ''}"
    kind, _, of = resource.partition(":")
    if kind == "once":
        return "once a turn"
    return f"{amount} {of}" if kind == "pool" else f"{amount} {of} roll{'s' if amount > 1 else ''}"


def own_turn(state: State, actor: str) -> bool:
    return state.active == actor


def off_turn(state: State, actor: str) -> bool:
    """Whether it is somebody else's turn, as far as its side knows; while nobody's is, no budgets are counted."""
    if state.active in (None, actor):
        return False
    active, who = state.actors.get(state.active), state.actors.get(actor)
    return active is None or who is None or not active.hidden or active.side == who.side


def beside_budgets(price: Price) -> tuple[Cost, ...]:
    """What a price takes besides the budgets of a turn."""
    return tuple([item for item in price.costs if item.resource not in TURN])


# -- prices


def action_price(why: str, rule: RuleId = "altered-realms.action.definition") -> Price:
    """One Action: complex or strenuous deeds.

    Rules: altered-realms.action.definition.
    """
    return Price((cost("action", 1, why, rule),))


def motion_price(why: str, rule: RuleId = "altered-realms.motion.definition") -> Price:
    """One Motion: simple and quick deeds.

    Rules: altered-realms.motion.definition.
    """
    return Price((cost("motion", 1, why, rule),))


def reaction_price(why: str, rule: RuleId = "altered-realms.reaction.any-off-turn-act") -> Price:
    """One Reaction, whatever the deed would be in the own turn.

    Rules: altered-realms.reaction.definition.
    """
    return Price((cost("reaction", 1, why, rule),))


class Deed(Action):
    """What is done in the own turn for its own price; off-turn it costs a Reaction.

    Off-turn what a rule offers is open, and anything else is the Narrator's to allow. While nobody's turn is under way
    the Narrator says whether there is time, and it takes no budget, for none is counted.
    Rules: altered-realms.reaction.any-off-turn-act, altered-realms.economy.reactions-off-turn-only.
    """

    nature: ClassVar[Nature] = "proactive"
    offered: ClassVar[bool] = False
    """Whether a rule offers it off-turn."""
    in_turn: ClassVar[bool] = False
    """Whether it does something for the own turn only, so that it is never done off-turn and cannot be prepared."""

    @abstractmethod
    def own_price(self, known: State, d: Declaration) -> Price:
        """What it costs in the own turn."""

    def price(self, known: State, d: Declaration) -> Price:
        own = self.own_price(known, d)
        if own_turn(known, d.actor):
            return own
        if off_turn(known, d.actor):
            return reaction_price(f"{self.name.replace('_', ' ')} off-turn").plus(*beside_budgets(own))
        return Price(tuple([item for item in beside_budgets(own) if not item.resource.startswith("once:")]))

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        if own_turn(state, d.actor) or self.offered:
            return Ruling("procedure", procedure=self.name)
        return None


def at_leisure(state: State, name: str) -> Ruling | None:
    """What takes minutes or hours is done as it is before any turn was counted; after that the Narrator is asked."""
    return Ruling("procedure", procedure=name) if state.round == 0 else None


class Leisure(Action):
    """What takes minutes or hours, while no turns are counted; a hidden creature's turn may be under way."""

    def ruled(self, state: State, d: Declaration, ruling: Ruling) -> Ruling:
        if state.active is None or ruling.kind == "impossible":
            return ruling
        return Ruling("impossible", obstacle="somebody's turn is under way")


class Reaction(Action):
    """What answers something that happens off-turn; refused in the own turn, but for what says otherwise.

    Rules: altered-realms.reaction.opportunity-and-triggered, altered-realms.economy.reactions-off-turn-only.
    """

    nature: ClassVar[Nature] = "reactive"
    in_own_turn: ClassVar[bool] = False

    def price(self, known: State, d: Declaration) -> Price:
        return reaction_price(self.name.replace("_", " "), "altered-realms.reaction.opportunity-and-triggered")


# -- paying


def available(known: State, actor: str, resource: str) -> Amount | None:
    """How much of a budget is left; outside the own turn there is nothing but Reactions.

    Rules: altered-realms.economy.start-of-turn-allotment.
    """
    who = creature(known, actor)
    if resource == "movement":
        return 0 if movement_barred(known, who) else who.movements
    if resource == "teleport":
        return who.movements
    if resource == "rest":
        return int(who.rested)
    if resource in NAMES:
        left: int = getattr(who, f"{resource}s")
        return left
    kind, _, of = resource.partition(":")
    if kind == "pool":
        return who.pools.get(of, 0)
    if kind == "once":
        return 0 if of in who.done else 1
    if kind == "roll":
        return roll_limit(known, who, of) - who.rolls.get(of, 0)
    return None


def short(known: State, actor: str, item: Cost, need: Amount, have: Amount) -> Refusal:
    """Why a price cannot be paid."""
    who = creature(known, actor)
    kind, _, of = item.resource.partition(":")
    if kind == "pool":
        return Refusal(item.rule, f"it takes {need} {of} and {who.name} has {have}", "POOL")
    if kind == "once":
        return Refusal(item.rule, f"{of} is done only once in a turn", "ONCE")
    if kind == "roll":
        text = f"{who.name} has made {who.rolls.get(of, 0)} of {roll_limit(known, who, of)} {of} rolls in this turn"
        return Refusal(item.rule, text, "ROLLS")
    if item.resource == "rest":
        return Refusal(item.rule, f"{who.name} must rest before doing that again", "NOT_RESTED")
    if item.resource == "movement" and who.movements and movement_barred(known, who):
        text = f"{who.name} is held and cannot use its Movement"
        return Refusal("altered-realms.grapple.no-movement-except-teleport", text, "HELD")
    name = NAMES[item.resource]
    text = f"it takes {need} {name}{'s' if need != 1 else ''} and {who.name} has {have} left"
    return Refusal(item.rule, text, item.resource.upper())


def roll_limit(state: State, who: Creature, kind: str) -> int:
    """How many mental or social rolls one makes in a turn: by the modifier, or what the Narrator has allowed.

    Rules: altered-realms.skill.mental-limit, altered-realms.skill.social-limit.
    """
    if kind in who.allowed:
        return who.allowed[kind]
    by = who.attribute("cha") if kind == "social" else max(who.attribute("int"), who.attribute("wis"))
    return max(settings(state).skill_limit_floor, by)


def rate(state: State, source: str, into: str) -> int:
    """How many of the lower budget one of the higher gives; 0 where there is no such way, and nothing goes upward.

    Rules: altered-realms.downgrade.table-is-guide, altered-realms.downgrade.one-way,
    altered-realms.downgrade.bonus-never-combines-up.
    """
    rule = settings(state)
    rates = {
        ("action", "movement"): rule.action_to_movement,
        ("action", "motion"): rule.action_to_motion,
        ("movement", "motion"): rule.movement_to_motion,
        ("motion", "movement"): rule.motion_to_movement,
    }
    return rates.get((source, into), 0)


def sprint_barred(known: State, who: Creature) -> bool:
    """Whether a Stamina pool that the sheet lists is empty; nobody else is barred.

    Rules: altered-realms.sprint.blocked-at-zero-stamina.
    """
    return "stamina" in who.own_pools and who.pools.get("stamina", 0) <= 0


def ways(known: State, d: Declaration, price: Price) -> tuple[Price, ...]:
    """The plain way; and where it falls short in the own turn, each budget that may be broken down for it.

    Rules: altered-realms.downgrade.allowed-mid-turn.
    """
    if not price.costs or not own_turn(known, d.actor) or d.action == "downgrade":
        return (price,)
    who = creature(known, d.actor)
    for into in ("motion", "movement"):
        need, have = price.amount(into), available(known, d.actor, into) or 0
        if need > have and not (into == "movement" and movement_barred(known, who)):
            broken = [_broken_down(known, price, source, into, need, have) for source in BUDGETS if source != into]
            open_to = [way for way in broken if way is not None and not _no_sprint(known, who, way, into)]
            return (price, *open_to)
    return (price,)


def _no_sprint(known: State, who: Creature, way: Price, into: str) -> bool:
    return into == "movement" and way.way == "action" and sprint_barred(known, who)


def _broken_down(known: State, price: Price, source: str, into: str, need: int, have: int) -> Price | None:
    gives = rate(known, source, into)
    if not gives:
        return None
    units = -(-(need - have) // gives)
    kept = tuple([item for item in price.costs if item.resource != into])
    why = f"broken down into {units * gives} {NAMES[into]}{'s' if units * gives > 1 else ''}"
    paid = [cost(source, units, why, "altered-realms.downgrade.allowed-mid-turn")]
    first = next(item for item in price.costs if item.resource == into)
    if need - units * gives:
        paid.append(cost(into, need - units * gives, first.why, first.rule))
    return Price((*kept, *paid), price.along, source)


class Downgrade(Action):
    """Break an unspent budget down into a lower one, without announcing it before.

    Rules: altered-realms.downgrade.allowed-mid-turn, altered-realms.downgrade.one-way,
    altered-realms.downgrade.bonus-never-combines-up.
    """

    name = "downgrade"
    about = "break an unspent budget down into a lower one"
    nature: ClassVar[Nature] = "free"
    rules = ("altered-realms.downgrade.allowed-mid-turn", "altered-realms.downgrade.one-way")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("budget", "choice", "what is broken down", required=True, choices=BUDGETS),
        Parameter("into", "choice", "into what", required=True, choices=BUDGETS),
    )

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for source in BUDGETS:
            for into in BUDGETS:
                if rate(known, source, into):
                    yield Declaration(actor, self.name, options={"budget": source, "into": into})

    def label(self, known: State, d: Declaration) -> str:
        gives = rate(known, d.option("budget"), d.option("into"))
        names = NAMES.get(d.option("budget"), "a budget"), NAMES.get(d.option("into"), "another")
        return f"break {names[0]} down into {gives} {names[1]}"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        for name in ("budget", "into"):
            if d.option(name) not in BUDGETS:
                text = f"say {name}: one of {', '.join(BUDGETS)}"
                yield Refusal("altered-realms.downgrade.allowed-mid-turn", text, f"INCOMPLETE {name}")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        source, into = d.option("budget"), d.option("into")
        if not own_turn(known, d.actor):
            text = "budgets are broken down in the own turn"
            yield Refusal("altered-realms.downgrade.allowed-mid-turn", text, "NOT_YOUR_TURN")
        if source in BUDGETS and into in BUDGETS and not rate(known, source, into):
            text = f"no {NAMES[source]} is ever turned into a {NAMES[into]}, however many there are"
            yield Refusal("altered-realms.downgrade.one-way", text, "UPWARD")
        if (source, into) == ("action", "movement") and sprint_barred(known, creature(known, d.actor)):
            text = "an Action for a Movement is a Sprint, and there is no Stamina for it"
            yield Refusal("altered-realms.sprint.blocked-at-zero-stamina", text, "NO_STAMINA")

    def price(self, known: State, d: Declaration) -> Price:
        source = d.option("budget")
        if source not in BUDGETS:
            return NOTHING
        return Price((cost(source, 1, "broken down", "altered-realms.downgrade.allowed-mid-turn"),))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        gives = rate(play.state, d.option("budget"), d.option("into"))
        play.emit(BudgetGained("altered-realms.downgrade.table-is-guide", d.actor, d.option("into"), gives))
        return ended(Outcome(self.name, "success"))

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return d


# -- what holds for every deed


def general(known: State, action: Action, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
    """Whether a condition leaves one able to act, and whose turn it is.

    Rules: altered-realms.economy.reactions-off-turn-only, altered-realms.reaction.definition.
    """
    if action.nature in ("turn", "guide"):
        return
    who = creature(known, d.actor)
    reacts = action.nature == "reactive" or not own_turn(known, d.actor)
    for name, condition in conditions_of(known, who):
        if not (condition.reacts if reacts else condition.acts):
            text = f"{who.name} is {name.title()} and can do nothing"
            yield Refusal("altered-realms.grapple.forced-break", text, name.upper())
    if isinstance(action, Reaction) and own_turn(known, d.actor) and not action.in_own_turn:
        text = f"it is {who.name}'s own turn; Reactions are for the turns of others"
        yield Refusal("altered-realms.economy.reactions-off-turn-only", text, "OWN_TURN")


# -- turns


def in_order(state: State) -> tuple[str, ...]:
    """Everybody who can still have a turn, the next one first: by initiative, else as the scene lists them."""
    rolled = state.facts.get("order")
    every = rolled.actors if isinstance(rolled, TurnOrder) else state.scene.order
    return tuple([name for name in state.after_last(every) if has_turns(state, name)])


def has_turns(state: State, actor: str) -> bool:
    return all(condition.ordered for _, condition in conditions_of(state, creature(state, actor)))


class Begin(Action):
    """A turn starts.

    Rules: altered-realms.economy.start-of-turn-allotment, altered-realms.economy.applies-to-all.
    """

    name = "begin"
    about = "start the turn"
    nature: ClassVar[Nature] = "turn"
    rules = ("altered-realms.economy.start-of-turn-allotment",)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if known.active is not None:
            text = f"it is {creature(known, known.active).name}'s turn"
            yield Refusal("altered-realms.economy.applies-to-all", text, "TURN")
        if not has_turns(known, d.actor):
            text = f"{creature(known, d.actor).name} has no turns any more"
            yield Refusal("altered-realms.grapple.forced-break", text, "SLAIN")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """Whoever is hidden may be having its turn."""
        if play.state.active is not None:
            play.emit(Barred("altered-realms.economy.applies-to-all", d.actor, ("it is somebody else's turn",)))
            return ended(Outcome(self.name, "not now"))
        again = creature(play.state, d.actor).began >= play.state.round
        play.emit(TurnStarted(self.rules[0], d.actor, play.state.round + int(again)))
        return ended(Outcome(self.name, "begun"))


def end_turn(play: Play, actor: str) -> None:
    """What is over as a turn ends: whatever is sustained by a pool without points, at once and of itself.

    Rules: altered-realms.sustain.ends-at-zero-on-turn-end.
    """
    who = creature(play.state, actor)
    for name in who.sustained:
        ability = who.ability(name)
        if ability is not None and who.pools.get(pool_named(play.state, ability.pool), 0) <= 0:
            play.emit(SustainEnded("altered-realms.sustain.ends-at-zero-on-turn-end", actor, name))


class End(Action):
    """A turn ends; what is unused lapses.

    Rules: altered-realms.economy.start-of-turn-allotment.
    """

    name = "end"
    about = "end the turn"
    nature: ClassVar[Nature] = "turn"
    rules = ("altered-realms.economy.start-of-turn-allotment",)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not own_turn(known, d.actor):
            text = f"it is not {creature(known, d.actor).name}'s turn"
            yield Refusal("altered-realms.economy.applies-to-all", text, "NOT_YOUR_TURN")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        end_turn(play, d.actor)
        play.emit(TurnEnded(self.rules[0], d.actor))
        return ended(Outcome(self.name, "ended"))
