"""Using equipment or the surroundings: an item's own rule first, a door as the scene describes it, else the tiers."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwright.engine import Play, change
from turnwright.events import DoorMoved, Told
from turnwright.intent import incomplete, stated
from turnwright.model import (
    NOTHING,
    At,
    Bill,
    Check,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Passage,
    Price,
    Refusal,
    Ruling,
    State,
    cost,
)
from turnwright.rules import Action, Pick, Settled, Steps
from turnwright.systems.narateer.check import check_of
from turnwright.systems.narateer.conversion import STORY
from turnwright.systems.narateer.declare import by_ruling
from turnwright.systems.narateer.economy import ad, generic_bill, is_major, no_major, proactive_use, tier_cost
from turnwright.systems.narateer.effects import aim_lacks, aimed_at_nobody, aims, bring_about, succeeds, wound
from turnwright.systems.narateer.events import DoorChanged, DoorWay
from turnwright.systems.narateer.hidden import aim_refusals
from turnwright.systems.narateer.notice import settle
from turnwright.systems.narateer.offmap import place_of, zones_of
from turnwright.systems.narateer.senses import ground_of, hiding
from turnwright.systems.narateer.sheet import Item, character, settings

TOPICS = ("equipment",)


class Use(Action):
    """Use an item or something in the surroundings.

    Rules: narateer.equipment.declare-use-and-result, narateer.equipment.specific-rule-first.
    """

    name = "use"
    about = "use an item, a door or something else around you"
    rules = ("narateer.equipment.specific-rule-first", "narateer.equipment.tier-guidelines")
    wants = ("used", "success", "automatic")
    parameters = (
        Parameter("using", "text", "what you use", required=True),
        Parameter("intent", "text", "what you want to happen", required=True),
        Parameter("method", "text", "how"),
        Parameter("target", "actor", "on whom, where the item is used on somebody"),
        Parameter("effort", "choice", "how it looks", choices=("simple", "substantial", "risky")),
    )

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for door in known.facts_of(DoorWay):
            verb = "close" if door.id in known.open_doors else "open"
            yield Declaration(actor, self.name, f"{verb} {door.name}", verb, options={"using": door.id})
        mine = character(known, actor)
        for item in mine.items:
            for target in aims(known, mine, item.at):
                yield Declaration(actor, self.name, target=target, options={"using": item.name})
        yield Declaration(actor, self.name)

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        """Something to use and to want, where the offer leaves it open."""
        item = self._item(known, d)
        if item is not None and item.own_rule:
            return replace(d, intent=d.intent or item.procedure or f"what {item.name} is for", boost=0)
        using, intent = pick((("a rope", "tie it shut"), ("a bench", "block the way"), ("a lamp", "see better")))
        return replace(d, intent=d.intent or intent, options={"using": using, **d.options})

    def label(self, known: State, d: Declaration) -> str:
        door = known.facts.get(d.option("using"))
        if isinstance(door, DoorWay):
            return f"{'close' if door.id in known.open_doors else 'open'} {door.name}"
        target = known.actors.get(d.target)
        return f"use {d.option('using') or 'something here'}" + (f" on {target.name}" if target else "")

    def complete(self, known: State, d: Declaration) -> Declaration:
        door = known.facts.get(d.option("using"))
        if isinstance(door, DoorWay):
            verb = "close" if door.id in known.open_doors else "open"
            return stated(d, f"{verb} {door.name}", verb)
        item = self._item(known, d) if d.actor in known.actors else None
        wanted = item.procedure if item is not None and item.own_rule else ""
        return stated(d, d.intent or wanted, d.method or d.option("using"))

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        rule = "narateer.equipment.declare-use-and-result"
        yield from incomplete(rule, using=d.option("using"), result=d.intent)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        actor, field = character(known, d.actor), ground_of(known)
        own, item = self.ruling(known, d), self._item(known, d)
        if item is not None and item.own_rule:
            yield from self._item_refusals(known, d, item)
        else:
            yield from _no_such_target(known, d)
            if own is not None and is_major(own):
                yield from no_major(known, actor)
        if field is None or not isinstance(actor.at, tuple):
            yield from self._door_elsewhere(known, d, actor.at)
            return
        for door in field.grid.doors:
            if door.id == d.option("using") and actor.at not in (door.a, door.b):
                text = f"you do not stand at {door.id}"
                yield Refusal("narateer.activation.any-affordable-mix", text, "OUT_OF_REACH")

    def _door_elsewhere(self, known: State, d: Declaration, at: At) -> Iterator[Refusal]:
        """Off a map one is at a door in either of the Zones or places that it joins."""
        door = d.option("using")
        zones, here = zones_of(known), place_of(known, at)
        ends = [(way.a, way.b) for way in zones.ways if way.door == door] if zones is not None else []
        if known.mode == STORY:
            ends += [fact.between for fact in known.facts_of(Passage) if fact.door == door]
        if ends and not any(here in pair for pair in ends):
            yield Refusal("narateer.activation.any-affordable-mix", f"you do not stand at {door}", "OUT_OF_REACH")

    def _item_refusals(self, known: State, d: Declaration, item: Item) -> Iterator[Refusal]:
        """Rules: narateer.equipment.specific-rule-first."""
        rule = "narateer.equipment.specific-rule-first"
        yield from aim_lacks(known, d, item.at, item.name, rule, item.within)
        if item.tier == "major":
            yield from no_major(known, character(known, d.actor))

    def _item(self, known: State, d: Declaration) -> Item | None:
        return next((i for i in character(known, d.actor).items if i.name == d.option("using")), None)

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """An item with a rule of its own and a door that the scene describes need no word of the guide."""
        item = self._item(state, d)
        if item is not None and item.own_rule:
            return Ruling("procedure", procedure=self.name, success=item.procedure or d.intent)
        door = state.facts.get(d.option("using"))
        if not isinstance(door, DoorWay) or not says_all(state, door):
            return None
        return door_ruling(state, door)

    def price(self, known: State, d: Declaration) -> Price:
        item = self._item(known, d)
        if item is not None and item.own_rule:
            return item_price(known, item)
        own = self.ruling(known, d)
        return generic_bill(known, d, own).price if own is not None else NOTHING

    def check(self, known: State, d: Declaration) -> Check | None:
        item = self._item(known, d)
        if item is not None and item.own_rule:
            return check_of(known, d.actor, item.check) if item.check else None
        own = self.ruling(known, d)
        return generic_bill(known, d, own).check if own is not None and own.kind == "check" else None

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        if ruling.kind == "procedure":
            return Bill(self.price(state, d), self.check(state, d), d.option("using"))
        return generic_bill(state, d, ruling)

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: narateer.reveal.warn-before-commit."""
        item = self._item(known, d)
        if item is not None and item.noise == "clear" and hiding(known, d.actor):
            return ("whoever hears it knows where you are",)
        return ()

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        ruling = paid.ruling
        assert ruling is not None
        if ruling.kind == "procedure":
            return (yield from self._by_its_own_rule(play, d, paid, ruling))
        outcome = yield from by_ruling(play, d, paid, ruling)
        door = play.state.facts.get(d.option("using"))
        if isinstance(door, DoorWay) and outcome.amount:
            opened = door.id not in play.state.open_doors
            if opened and door.breaks and ruling.kind == "check":
                change(play, DoorChanged("narateer.tier.door-example", door.id, broken=True))
            change(play, DoorMoved("narateer.equipment.opportunity-without-bonus", door.id, opened, d.actor))
            yield from settle(play)
        return outcome

    def _by_its_own_rule(self, play: Play, d: Declaration, paid: Settled, ruling: Ruling) -> Steps[Outcome]:
        """What the item's rule says, if its check is passed, and the noise that it makes in any case.

        Rules: narateer.equipment.specific-rule-first, narateer.reveal.by-side-effects.
        """
        item, rule = self._item(play.state, d), "narateer.equipment.specific-rule-first"  # kept: what was paid for
        assert item is not None
        works = yield from succeeds(play, d, item, paid[d.actor], rule)
        if works:
            play.emit(Told(rule, d.actor, ruling.success or d.intent))
            wound(play, rule, d.target, item)
            bring_about(play, rule, d.actor, d.target, item)
        if item.noise:
            said: dict[str, str | int | bool] = {"clear": "yes" if item.noise == "clear" else "no"}
            if item.carries is not None:
                said["range"] = item.carries
            noise = Declaration(d.actor, "make_noise", options=said)
            yield from play.game.actions[noise.action].resolve(play, noise, paid)
        return Outcome(self.name, "used" if works else "failed", (d.target,) if d.target else ())


def _no_such_target(known: State, d: Declaration) -> Iterator[Refusal]:
    """A door is used on nobody; anything else on whoever is known to be here.

    Rules: narateer.hidden.cannot-be-targeted-directly.
    """
    door = known.facts.get(d.option("using"))
    if isinstance(door, DoorWay):
        yield from aimed_at_nobody(known, d, door.name, "narateer.equipment.specific-rule-first")
    elif d.target and d.target not in known.actors:
        yield from aim_refusals(known, character(known, d.actor), d.target)


def item_price(known: State, item: Item) -> Price:
    """What an item's own rule asks for: AD or its tier, one of its uses, and a proactive use of the Skill it takes.

    Rules: narateer.equipment.specific-rule-first, narateer.proactive.each-use-consumes-one.
    """
    rule = "narateer.equipment.specific-rule-first"
    amount = tier_cost(known, item.tier) if item.ad is None else item.ad
    used = (cost(f"pool:{item.name}", 1, f"one use of {item.name}", rule),) if item.uses is not None else ()
    skill = (proactive_use(item.check),) if item.check else ()
    return Price((*ad(amount, item.name, rule), *used, *skill))


def door_ruling(state: State, door: DoorWay) -> Ruling:
    """How the scene says that a door opens: one intent, three tiers. Shutting one takes no check.

    Rules: narateer.tier.door-example, narateer.tier.depends-on-method.
    """
    if door.broken:
        state_of_it = "is pulled to" if door.id in state.open_doors else "swings open"
        return Ruling("automatic", tier="trivial", success=f"{door.name} is broken and {state_of_it}")
    if door.id in state.open_doors:
        tier = "minor" if door.opens == "minor" else "trivial"
        return Ruling("automatic", tier=tier, success=f"{door.name} is shut")
    if door.opens in ("trivial", "minor"):
        return Ruling("automatic", tier=door.opens, success=door.success or f"{door.name} is open")
    return Ruling(
        "check",
        skill=door.skill or "athletics",
        target=settings(state).ladder.get("standard", 6) if door.target is None else door.target,
        success=door.success or f"{door.name} gives way",
        failure=door.failure or "it holds, and the noise carries",
        tier="major",
        why="risky",
    )


def says_all(state: State, door: DoorWay) -> bool:
    """Whether the scene leaves nothing about the door for the guide to say."""
    return door.broken or door.opens != "check" or door.target is not None or door.id in state.open_doors
