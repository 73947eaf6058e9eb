"""Using equipment or the surroundings: an item's own rule first, a door as the scene describes it, else the tiers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.events import DoorMoved, Told
from turnwright.model import (
    NOTHING,
    Bill,
    Check,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    Ruling,
    State,
)
from turnwright.rules import Action, Pick, Settled, Steps
from turnwright.systems.narateer.declare import by_ruling
from turnwright.systems.narateer.economy import ad, generic_bill, is_major, no_major
from turnwright.systems.narateer.events import DoorWay, MovementGranted
from turnwright.systems.narateer.intent import incomplete, stated
from turnwright.systems.narateer.notice import settle
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
    parameters = (
        Parameter("using", "text", "what you use", required=True),
        Parameter("intent", "text", "what you want to happen", required=True),
        Parameter("method", "text", "how"),
        Parameter("effort", "choice", "how it looks", choices=("simple", "substantial", "risky")),
    )

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for door in known.facts_of(DoorWay):
            verb = "close" if door.id in known.open_doors else "open"
            yield Declaration(actor, self.name, f"{verb} {door.name}", verb, options={"using": door.id})
        for item in character(known, actor).items:
            yield Declaration(actor, self.name, options={"using": item.name})
        yield Declaration(actor, self.name)

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        """Something to use and to want, where the offer leaves it open."""
        using, intent = pick((("a rope", "tie it shut"), ("a bench", "block the way"), ("a lamp", "see better")))
        return replace(d, intent=d.intent or intent, options={"using": using, **d.options})

    def label(self, known: State, d: Declaration) -> str:
        door = known.facts.get(d.option("using"))
        if isinstance(door, DoorWay):
            return f"{'close' if door.id in known.open_doors else 'open'} {door.name}"
        return f"use {d.option('using') or 'something here'}"

    def complete(self, known: State, d: Declaration) -> Declaration:
        door = known.facts.get(d.option("using"))
        if isinstance(door, DoorWay):
            verb = "close" if door.id in known.open_doors else "open"
            return stated(d, f"{verb} {door.name}", verb)
        return stated(d, d.intent, d.method or d.option("using"))

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        rule = "narateer.equipment.declare-use-and-result"
        yield from incomplete(rule, using=d.option("using"), result=d.intent)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        actor, field = character(known, d.actor), ground_of(known)
        own = self.ruling(known, d)
        if own is not None and is_major(own):
            yield from no_major(known, actor)
        if field is None or not isinstance(actor.at, tuple):
            return
        for door in field.grid.doors:
            if door.id == d.option("using") and actor.at not in (door.a, door.b):
                text = f"you do not stand at {door.id}"
                yield Refusal("narateer.activation.any-affordable-mix", text, "OUT_OF_REACH")

    def _item(self, known: State, d: Declaration) -> Item | None:
        return next((i for i in character(known, d.actor).items if i.name == d.option("using")), None)

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """An item with a rule of its own and a door that the scene describes need no word of the guide."""
        item = self._item(state, d)
        if item is not None and item.ad is not None:
            return Ruling("procedure", procedure=self.name, success=item.procedure or d.intent)
        door = state.facts.get(d.option("using"))
        if not isinstance(door, DoorWay) or not says_all(state, door):
            return None
        return door_ruling(state, door)

    def price(self, known: State, d: Declaration) -> Price:
        item = self._item(known, d)
        if item is not None and item.ad is not None:
            return Price(ad(item.ad, item.name, "narateer.equipment.specific-rule-first"))
        own = self.ruling(known, d)
        return generic_bill(known, d, own).price if own is not None else NOTHING

    def check(self, known: State, d: Declaration) -> Check | None:
        own = self.ruling(known, d)
        return generic_bill(known, d, own).check if own is not None and own.kind == "check" else None

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        if ruling.kind == "procedure":
            return Bill(self.price(state, d), None, d.option("using"))
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
            before, opened = play.state, door.id not in play.state.open_doors
            play.emit(DoorMoved("narateer.equipment.opportunity-without-bonus", door.id, opened, d.actor))
            yield from settle(play, before)
        return outcome

    def _by_its_own_rule(self, play: Play, d: Declaration, paid: Settled, ruling: Ruling) -> Steps[Outcome]:
        """What the item's rule says, the movement that it grants, and the noise that it makes.

        Rules: narateer.equipment.specific-rule-first, narateer.reveal.by-side-effects.
        """
        item = self._item(play.state, d)
        assert item is not None
        play.emit(Told("narateer.equipment.specific-rule-first", d.actor, ruling.success or d.intent))
        if item.move:
            play.emit(MovementGranted("narateer.additional.exact-amount", d.actor, Fraction(item.move)))
        if item.noise:
            noise = Declaration(d.actor, "make_noise", options={"clear": "yes" if item.noise == "clear" else "no"})
            yield from play.game.actions[noise.action].resolve(play, noise, paid)
        return Outcome(self.name, "used")


def door_ruling(state: State, door: DoorWay) -> Ruling:
    """How the scene says that a door opens: one intent, three tiers. Shutting one takes no check.

    Rules: narateer.tier.door-example, narateer.tier.depends-on-method.
    """
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
    return door.opens != "check" or door.target is not None or door.id in state.open_doors
