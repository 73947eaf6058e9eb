"""Using equipment or the surroundings: an item's own rule first, a door as the scene describes it, else the tiers."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play
from turnwright.events import DoorMoved, Told
from turnwright.model import NOTHING, Bill, Declaration, Moment, Outcome, Parameter, Price, Refusal, Ruling, State
from turnwright.rules import Action, Settled, Steps
from turnwright.systems.narateer.declare import by_ruling, generic_bill
from turnwright.systems.narateer.economy import ad, tier_cost
from turnwright.systems.narateer.events import DoorWay
from turnwright.systems.narateer.intent import incomplete, stated
from turnwright.systems.narateer.notice import settle
from turnwright.systems.narateer.senses import ground_of
from turnwright.systems.narateer.sheet import Item, character

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

    def label(self, known: State, d: Declaration) -> str:
        door = known.facts.get(d.option("using"))
        if isinstance(door, DoorWay):
            return f"{'close' if door.id in known.open_doors else 'open'} {door.name}"
        return f"use {d.option('using')}"

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
        return door_ruling(door) if isinstance(door, DoorWay) else None

    def price(self, known: State, d: Declaration) -> Price:
        item = self._item(known, d)
        if item is not None and item.ad is not None:
            return Price(ad(item.ad, item.name, "narateer.equipment.specific-rule-first"))
        door = known.facts.get(d.option("using"))
        own = door_ruling(door) if isinstance(door, DoorWay) else None
        return generic_bill(known, d, own).price if own is not None else NOTHING

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        if ruling.kind == "procedure":
            return Bill(self.price(state, d), None, d.option("using"))
        return generic_bill(state, d, ruling)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        ruling = paid.ruling
        assert ruling is not None
        if ruling.kind == "procedure":
            play.emit(Told("narateer.equipment.specific-rule-first", d.actor, ruling.success or d.intent))
            return Outcome(self.name, "used")
        outcome = yield from by_ruling(play, d, paid, ruling)
        door = play.state.facts.get(d.option("using"))
        if isinstance(door, DoorWay) and outcome.amount:
            opened = door.id not in play.state.open_doors
            play.emit(DoorMoved("narateer.equipment.opportunity-without-bonus", door.id, opened, d.actor))
            yield from settle(play)
        return outcome


def door_ruling(door: DoorWay) -> Ruling:
    """How the scene says that a door opens: one intent, three tiers.

    Rules: narateer.tier.door-example, narateer.tier.depends-on-method.
    """
    if door.opens in ("trivial", "minor"):
        return Ruling("automatic", tier=door.opens, success=door.success or f"{door.name} moves")
    return Ruling(
        "check",
        skill=door.skill or "athletics",
        target=door.target,
        success=door.success or f"{door.name} gives way",
        failure=door.failure or "it holds, and the noise carries",
        tier="major",
        why="risky",
    )


def minor_price(state: State) -> int:
    return tier_cost(state, "minor")
