"""What actions cost and what limits them: tiers, Activations, Ready AD and proactive uses."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play
from turnwright.events import Barred
from turnwright.intent import lacks
from turnwright.model import (
    NOTHING,
    Amount,
    Bill,
    Cost,
    Declaration,
    Moment,
    Outcome,
    Price,
    Refusal,
    RuleId,
    Ruling,
    State,
    cost,
)
from turnwright.rules import Action, Settled, Steps
from turnwright.systems.narateer.check import check_of
from turnwright.systems.narateer.events import ActivationEnded, ActivationStarted
from turnwright.systems.narateer.notice import settle
from turnwright.systems.narateer.sheet import Character, Spell, barred_by, character, conditions_of, settings

TOPICS = ("tier", "cost", "activation", "proactive")

TIERS = ("trivial", "minor", "major")
"""Rules: narateer.tier.names."""
GENERIC = ("attempt", "use")
"""The actions that the tiers price where nothing more specific does."""


def tier_cost(state: State, tier: str) -> int:
    """The general price of a tier, in AD, asked for only by what no specific rule prices.

    A movement mode and a weapon have prices of their own, and nothing is added to them for being an Action.
    Rules: narateer.tier.names, narateer.tier.only-without-specific-rule, narateer.cost.no-double-charge,
    narateer.cost.movement-mode-covers-movement, narateer.cost.base-attack-covers-exchange.
    """
    rules = settings(state)
    return {"trivial": rules.trivial, "minor": rules.minor, "major": rules.major}.get(tier, rules.trivial)


def ad(amount: int, why: str, rule: RuleId) -> tuple[Cost, ...]:
    return (cost("ad", amount, why, rule),) if amount else ()


def proactive_use(skill: str) -> Cost:
    """One proactive use of a Skill; an action without a Skill has none in its price.

    Rules: narateer.proactive.each-use-consumes-one, narateer.proactive.per-skill-counters,
    narateer.proactive.no-skill-no-use.
    """
    return cost(f"use:{skill}", 1, f"a proactive use of {skill}", "narateer.proactive.limit-formula")


def uses_allowed(actor: Character, skill: str) -> int:
    """How often a Skill may be proactively initiated in one Activation.

    Rules: narateer.proactive.limit-formula, narateer.proactive.minimum-one, narateer.proactive.skill-level-table,
    narateer.proactive.example-melee-2 (SL 2 allows three).
    """
    return max(1, actor.level(skill) + 1)


# -- what the guide rules on


def generic_bill(state: State, d: Declaration, ruling: Ruling) -> Bill:
    """What a ruled attempt costs: a tier for the whole of it, and for a check a use of the Skill besides.

    How many motions were described changes nothing. Price and dice are set apart where a rule sets them so.
    The price comes of the ruling and never of the action's name or the goal.
    Rules: narateer.tier.judge-whole-attempt, narateer.tier.specific-rule-may-set, narateer.tier.depends-on-method.
    """
    if not ruling.counts:
        return Bill(NOTHING, None, "no Action")
    tier = tier_of(ruling)
    amount = tier_cost(state, tier) if ruling.ad is None else ruling.ad
    if ruling.kind != "check":
        return Bill(Price(ad(amount, tier, "narateer.tier.only-without-specific-rule")), None, tier)
    base = ad(amount, f"a {ruling.skill} check", "narateer.tier.generic-check-is-major")
    uses = (proactive_use(ruling.skill),) if state.active == d.actor else ()
    dice = max(1, amount) if ruling.dice is None else ruling.dice
    limit = "narateer.tier.specific-rule-may-set" if ruling.boost is not None else "narateer.boost.cap-is-skill-level"
    dice_of = check_of(state, d.actor, ruling.skill, dice, ruling.boost, limit)
    return Bill(Price((*base, *uses)), dice_of, f"{ruling.skill} check")


def tier_of(ruling: Ruling) -> str:
    """A check is Major and several trivial acts bundled are Minor, unless the ruling says another tier.

    Rules: narateer.tier.generic-check-is-major, narateer.tier.trivial-bundle, narateer.tier.door-example.
    """
    if ruling.kind == "check":
        return ruling.tier or "major"
    return "minor" if ruling.bundle else ruling.tier or "trivial"


def price_lacks(state: State, d: Declaration, ruling: Ruling) -> Iterator[Refusal]:
    """A price is a tier that there is, or AD; several acts are bundled before the first, and no Condition forbids it.

    Rules: narateer.tier.trivial-bundle-announced, narateer.tier.names.
    """
    if ruling.bundle and len(parts_of(d)) < 2:
        text = "acts that are done cannot be bundled; announce it before the first of several"
        yield Refusal("narateer.tier.trivial-bundle-announced", text, "TOO_LATE")
    if ruling.tier not in ("", *TIERS):
        yield lacks("narateer.declare.ruling-contents", f"price (a tier is {', '.join(TIERS)}, not {ruling.tier!r})")
    for name, given, least in (("ad", ruling.ad, 0), ("dice", ruling.dice, 1), ("boost", ruling.boost, 0)):
        if given is not None and given < least:
            yield lacks("narateer.declare.ruling-contents", f"price ({name} is {least} or more, not {given})")
    if d.action in GENERIC and is_major(ruling):
        yield from no_major(state, character(state, d.actor))


def is_major(ruling: Ruling) -> bool:
    return ruling.counts and ruling.kind in ("check", "automatic") and tier_of(ruling) == "major"


def parts_of(d: Declaration) -> list[str]:
    return [part.strip() for part in d.option("parts").split(";") if part.strip()]


# -- what there is to pay with


def casting_price(spell: Spell, *, proactive: bool = True) -> Price:
    """The whole price of casting, in whatever the spell names; being an Action adds nothing to it.

    Rules: narateer.cost.casting-cost-covers-casting, narateer.proactive.responses-and-reactions-exempt.
    """
    rule = "narateer.cost.casting-cost-covers-casting"
    why = f"Casting Cost of {spell.name}"
    paid = tuple(
        cost(name if name == "ad" else f"pool:{name}", amount, why, rule) for name, amount in spell.casting_cost.items()
    )
    return Price((*paid, proactive_use(spell.check)) if spell.check and proactive else paid)


def available(known: State, actor_id: str, resource: str) -> Amount | None:
    """What can still be used of AD, proactive uses and the one movement mode.

    Rules: narateer.activation.ready-ad-pays, narateer.activation.keep-ad-ready, narateer.mode.one-per-activation.
    """
    actor = character(known, actor_id)
    if resource == "ad":
        return actor.ready
    kind, _, of = resource.partition(":")
    if kind == "use":
        return uses_allowed(actor, of) - actor.uses.get(of, 0)
    if kind == "mode":
        return 0 if actor.mode else 1
    if kind == "pool":
        return actor.pools.get(of, 0)
    return None


def short(known: State, actor_id: str, item: Cost, need: Amount, have: Amount) -> Refusal:
    """Why a price cannot be paid: each limit has a reason of its own.

    Rules: narateer.activation.any-affordable-mix, narateer.activation.no-action-slots.
    """
    kind, _, of = item.resource.partition(":")
    if kind == "ad":
        text = f"it needs {need} Ready AD and {character(known, actor_id).name} has {have}"
        return Refusal("narateer.activation.ready-ad-pays", text, "READY_AD")
    if kind == "use":
        actor = character(known, actor_id)
        used, limit = actor.uses.get(of, 0), uses_allowed(actor, of)
        return Refusal("narateer.proactive.limit-formula", f"{of} was initiated {used} of {limit} times", "SKILL_USES")
    if kind == "pool":
        return Refusal(item.rule, f"it needs {need} {of} and {character(known, actor_id).name} has {have}", "POOL")
    mode = character(known, actor_id).mode
    text = f"{mode} is the movement mode of this Activation; it cannot be changed to {of.partition(':')[0]}"
    return Refusal("narateer.mode.one-per-activation", text, "ONE_MODE")


def general(known: State, action: Action, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
    """What holds for every action: being able to act, whose Activation it is, what a Condition forbids.

    Rules: narateer.activation.proactive-only-in-own, narateer.proactive.responses-and-reactions-exempt.
    """
    actor = character(known, d.actor)
    if action.nature == "turn":
        return
    if actor.down:
        yield Refusal("narateer.movecheck.consequence-menu", f"{actor.name} is down and takes no Actions", "DOWN")
    if action.nature == "proactive" and known.active != d.actor:
        yield Refusal(
            "narateer.activation.proactive-only-in-own",
            f"it is not {actor.name}'s Activation",
            "NOT_YOUR_ACTIVATION",
        )
    if actor.conditions or actor.items:
        for name in barred_by(known, actor, action.name):
            text = f"{name} bars it: {action.name.replace('_', ' ')}"
            yield Refusal("narateer.activation.any-affordable-mix", text, "BARRED")
    if not actor.conditions:
        return
    for name, condition in conditions_of(known, actor):
        if action.nature == "reactive" and not condition.reactions:
            yield Refusal("narateer.reaction.limiting-factors", f"{name}: no Reactions", "NO_REACTIONS")
    if getattr(action, "tier", "") == "major" and action.records(known, d):
        yield from no_major(known, actor)


def no_major(known: State, actor: Character) -> Iterator[Refusal]:
    """What forbids Major Actions; a generic one is known to be Major only once it is ruled on."""
    for name, condition in conditions_of(known, actor):
        if not condition.major:
            yield Refusal("narateer.activation.any-affordable-mix", f"{name}: no Major Actions", "NO_MAJOR")


class Begin(Action):
    """An Activation starts: AD return to Ready, and uses and movement begin anew."""

    name = "begin"
    about = "start the Activation"
    nature = "turn"
    rules = ("narateer.activation.ready-ad-pays",)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if known.active is not None:
            active = character(known, known.active).name
            yield Refusal("narateer.activation.proactive-only-in-own", f"it is {active}'s Activation", "TURN")
        if character(known, d.actor).down:
            yield Refusal("narateer.movecheck.consequence-menu", "whoever is down has no Activation", "DOWN")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """Whoever is unseen may be acting; and what ends with this edge can change what is perceived."""
        if play.state.active not in (None, d.actor):
            rule = "narateer.activation.proactive-only-in-own"
            play.emit(Barred(rule, d.actor, ("it is somebody else's Activation",)))
            return Outcome(self.name, "not now")
        before = play.state
        # A round is over when somebody acts again who has acted in it.
        again = character(before, d.actor).began >= before.round
        play.emit(ActivationStarted(self.rules[0], d.actor, before.round + int(again)))
        if play.state.relations is not before.relations:
            yield from settle(play, before)
        return Outcome(self.name, "begun")


class End(Action):
    """An Activation ends; AD that are Ready stay Ready."""

    name = "end"
    about = "end the Activation"
    nature = "turn"
    rules = ("narateer.activation.keep-ad-ready", "narateer.mode.may-move-less")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if known.active != d.actor:
            text = f"it is not {character(known, d.actor).name}'s Activation"
            yield Refusal("narateer.activation.proactive-only-in-own", text, "NOT_YOUR_ACTIVATION")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        before = play.state
        play.emit(ActivationEnded(self.rules[0], d.actor))
        if play.state.relations is not before.relations:
            yield from settle(play, before)
        return Outcome(self.name, "ended")
