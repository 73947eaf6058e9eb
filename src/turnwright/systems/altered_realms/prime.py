"""Prime: an Action prepared now, to go off on somebody else's turn as a Reaction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.model import (
    NOTHING,
    ActorId,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    Ruling,
    State,
    cost,
)
from turnwright.rules import Action, Nature, Pick, Settled, Steps, ended
from turnwright.systems.altered_realms.attack import AttackDeed
from turnwright.systems.altered_realms.economy import Deed, action_price, own_turn, reaction_price
from turnwright.systems.altered_realms.events import Primed, PrimedGone, PrimedSet
from turnwright.systems.altered_realms.sheet import creature, settings

TOPICS = ("prime",)

SAID = ("weapon", "part", "ability", "item", "skill", "to", "how", "direction", "metres", "hand")
"""What may be said of the Action that is prepared."""


def most_attacks(known: State, actor: ActorId) -> int:
    """The smaller of Reactions and attacks; by the setting Reactions alone.

    Rules: altered-realms.prime.attack-count, altered-realms.prime.typical-one.
    """
    who = creature(known, actor)
    return who.reactions if settings(known).prime_cap == "reactions" else min(who.reactions, who.attack_count)


def prepared(d: Declaration, actor: ActorId, deed: str) -> Declaration:
    """The Action that is prepared, as its own declaration."""
    options = {name: value for name, value in d.options.items() if name in SAID}
    return Declaration(actor, deed, d.intent, d.method, d.target, d.route, options)


class Prime(Deed):
    """Say which Action is prepared and what sets it off; the Action is paid now, a Reaction when it goes off.

    Rules: altered-realms.prime.action-as-reaction, altered-realms.prime.declare-action-and-trigger.
    """

    name = "prime"
    about = "prepare an Action for somebody else's turn"
    rules = ("altered-realms.prime.action-as-reaction", "altered-realms.prime.declare-action-and-trigger")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("deed", "text", "which action, by its name", required=True),
        Parameter("trigger", "text", "what sets it off", required=True),
        Parameter("target", "actor", "at whom"),
        Parameter("number", "number", "how many attacks", by_name=True, most=10),
        *[Parameter(name, "text", f"the {name} of the prepared action", by_name=True) for name in SAID],
    )

    def __init__(self, game_actions: dict[str, Action]) -> None:
        self._actions = game_actions

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return replace(d, options={**d.options, "deed": "dodge", "trigger": "somebody comes near"})

    def deed(self, d: Declaration) -> Deed | None:
        found = self._actions.get(d.option("deed"))
        return found if isinstance(found, Deed) and found.nature == "proactive" and found is not self else None

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        for name in ("deed", "trigger"):
            if not d.option(name).strip():
                text = f"say the {'action' if name == 'deed' else 'trigger'} beforehand"
                yield Refusal("altered-realms.prime.declare-action-and-trigger", text, f"INCOMPLETE {name}")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not own_turn(known, d.actor):
            yield Refusal("altered-realms.prime.action-as-reaction", "that is done in the own turn", "NOT_YOUR_TURN")
        found = self.deed(d)
        if d.option("deed") and found is None:
            text = f"{d.option('deed')} is no action that can be prepared"
            yield Refusal("altered-realms.prime.action-as-reaction", text, "NO_DEED")
        number = number_of(d)
        if number > 1 and not isinstance(found, AttackDeed):
            yield Refusal("altered-realms.prime.attack-count", "only attacks are prepared in number", "ONE")
        elif isinstance(found, AttackDeed) and number > most_attacks(known, d.actor):
            text = f"at most {most_attacks(known, d.actor)} attacks can be prepared"
            yield Refusal("altered-realms.prime.attack-count", text, "TOO_MANY")

    def own_price(self, known: State, d: Declaration) -> Price:
        return action_price("preparing an Action", "altered-realms.prime.action-as-reaction")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        ready = prepared(d, d.actor, d.option("deed"))
        play.emit(
            PrimedSet("altered-realms.prime.action-as-reaction", d.actor, ready, d.option("trigger"), number_of(d))
        )
        return ended(Outcome(self.name, "success"))


def number_of(d: Declaration) -> int:
    text = d.option("number").strip()
    return int(text) if text.isdigit() else 1


def primed(state: State, actor: ActorId) -> Primed | None:
    return next(iter(state.related(Primed, actor)), None)


class Trigger(Action):
    """What was prepared goes off: the Narrator says whether its trigger has come, and its owner may let it pass.

    Rules: altered-realms.prime.action-as-reaction, altered-realms.prime.declare-action-and-trigger,
    altered-realms.prime.attack-count.
    """

    name = "fire_primed"
    about = "let what you have prepared go off"
    nature: ClassVar[Nature] = "reactive"
    rules = ("altered-realms.prime.action-as-reaction", "altered-realms.prime.declare-action-and-trigger")

    def __init__(self, game_actions: dict[str, Action]) -> None:
        self._actions = game_actions

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        if primed(known, actor) is not None:
            yield Declaration(actor, self.name)

    def label(self, known: State, d: Declaration) -> str:
        held = primed(known, d.actor)
        return f"{held.deed.action}, when {held.trigger}" if held is not None else "what is prepared"

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        held = primed(known, d.actor)
        if held is None:
            yield Refusal("altered-realms.prime.action-as-reaction", "nothing is prepared", "NOT_PRIMED")
            return
        if known.active in (None, d.actor):
            text = "it goes off on somebody else's turn"
            yield Refusal("altered-realms.prime.action-as-reaction", text, "OWN_TURN")
        yield from self._actions[held.deed.action].refusals(known, held.deed, None)

    def price(self, known: State, d: Declaration) -> Price:
        held = primed(known, d.actor)
        price = reaction_price("what was prepared", "altered-realms.prime.action-as-reaction")
        if held is None:
            return NOTHING
        deed = self._actions[held.deed.action]
        own = deed.own_price(known, held.deed) if isinstance(deed, Deed) else NOTHING
        return price.plus(
            *[cost(c.resource, c.amount, c.why, c.rule) for c in own.costs if c.resource.startswith("pool:")]
        )

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        return None

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        held = primed(play.state, d.actor)
        assert held is not None
        play.emit(PrimedGone("altered-realms.prime.action-as-reaction", d.actor))
        deed, action = held.deed, self._actions[held.deed.action]  # kept: what was prepared
        outcome = yield from action.resolve(play, deed, Settled(Ruling("procedure", procedure=deed.action), paid.paid))
        return replace(outcome, then=None)
