"""Mixed actions: two things at once, on one roll of the smaller pool, its successes divided between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.model import (
    ActorId,
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
from turnwright.rules import Action, Nature, Pick, Settled, Steps
from turnwright.systems.storypath.attack import reaches, with_weapon
from turnwright.systems.storypath.deeds import deeds
from turnwright.systems.storypath.events import Engaged, On
from turnwright.systems.storypath.moving import Move, filled_with_place, hurry
from turnwright.systems.storypath.parts import check_for, component_names, part_refusals, perform
from turnwright.systems.storypath.reflexive import Draw, Look, Reflexive, SmallDeed, Stand
from turnwright.systems.storypath.rolls import PLACES, SMALL, take_momentum
from turnwright.systems.storypath.sheet import character, settings
from turnwright.systems.storypath.space import foes
from turnwright.systems.storypath.splitting import PREFERRED, preferred
from turnwright.systems.storypath.turn import action_price, room_for_parts

TOPICS = ("mixed", "example")

TWO = "storypath.mixed.definition"
ONE_HALF = "storypath.mixed.at-most-one-attack-half"
LOWER = "storypath.mixed.lower-pool"
REFLEXIVES: dict[str, Reflexive] = dict(zip(SMALL, (Look(), Draw(), Stand(), SmallDeed(), Move()), strict=True))


def named(d: Declaration) -> tuple[str, ...]:
    """The components in the order in which they are said."""
    return tuple([d.option(place) for place in PLACES if d.option(place)])


def rolled(d: Declaration) -> tuple[str, ...]:
    """The components that bring a pool."""
    return tuple([name for name in named(d) if name not in SMALL])


class Mixed(Action):
    """Two things at once: one roll of the lower pool, whose successes are split, and each is judged by itself.

    Rules: storypath.mixed.definition, storypath.mixed.lower-pool, storypath.mixed.single-roll,
    storypath.mixed.split-successes, storypath.mixed.example-climb-and-stab, storypath.example.sigrun-pool,
    storypath.example.sigrun-choice.
    """

    name = "mixed"
    about = "do two things at once"
    nature: ClassVar[Nature] = "proactive"
    rules = (TWO, LOWER, "storypath.mixed.split-successes", "storypath.mixed.halves-judged-separately")
    wants = ("both", "all")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("first", "text", "one thing: attack, hurry, rush, or a deed of the scene", required=True),
        Parameter("second", "text", "the other thing"),
        Parameter("third", "text", "a third, where the scene allows for it", by_name=True),
        Parameter("fourth", "text", "a fourth, where the scene allows for it", by_name=True),
        Parameter("target", "actor", "whom it is aimed at"),
        Parameter("weapon", "text", "with what", by_name=True),
        Parameter("onto", "actor", "onto whom, where that is somebody else", by_name=True),
        Parameter("to", "place", "where to", by_name=True),
        Parameter("item", "text", "what is drawn", by_name=True),
        Parameter("deed", "text", "which small deed", by_name=True),
        Parameter("prefer", "choice", "what matters more when it is split", choices=PREFERRED, by_name=True),
    )

    def open_parameters(self, known: State, d: Declaration) -> tuple[Parameter, ...]:
        every = (*component_names(known), *SMALL)
        choices = dict.fromkeys(PLACES, every) | {"prefer": ("both", *rolled(d)) if rolled(d) else PREFERRED}
        needed = ("first", "to") if {"hurry", "move"} & set(named(d)) else ("first",)
        return tuple(
            [replace(p, choices=choices.get(p.name, p.choices), required=p.name in needed) for p in self.parameters]
        )

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        who = character(known, actor)
        near = [
            foe for foe in foes(known, who) if any(who.ready(w) and reaches(known, who, foe, w) for w in who.weapons)
        ]
        for deed in deeds(known):
            if deed.needs_hold and not known.related(On, who.id):
                continue
            for foe in near:
                yield Declaration(actor, self.name, target=foe.id, options={"first": deed.name, "second": "attack"})
        for foe in near:
            yield Declaration(actor, self.name, target=foe.id, options={"first": "hurry", "second": "attack"})
        if not near:
            yield Declaration(actor, self.name)

    def label(self, known: State, d: Declaration) -> str:
        target = f" ({known.actors[d.target].name})" if d.target in known.actors else ""
        both = [name.replace("_", " ") for name in named(d)]
        first = preferred(d, rolled(d))
        wanted = (
            f"above all {rolled(d)[first].replace('_', ' ')}"
            if first is not None
            else "both"
            if len(rolled(d)) == 2
            else ""
        )
        return f"mixed: {' and '.join(both) or '...'}{target}" + (f", {wanted}" if wanted else "")

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not named(d):
            yield Refusal(TWO, "say the two things", "INCOMPLETE first")
        if {"attack", "rush"} & set(named(d)) and not d.target:
            yield Refusal(TWO, "say against whom", "INCOMPLETE target")
        if d.option("prefer") not in ("", *PREFERRED, *rolled(d)):
            right = ", ".join(("both", *rolled(d)))
            yield Refusal(LOWER, f"what is preferred is one of {right}", "INCOMPLETE prefer")
        if "hurry" in named(d) and not d.option("to"):
            yield Refusal(TWO, "say where to", "INCOMPLETE to")
        for name in dict.fromkeys(named(d)):
            if name in SMALL:
                yield from REFLEXIVES[name].missing(known, d)

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return filled_with_place(known, d, pick) if {"hurry", "move"} & set(named(d)) else d

    def complete(self, known: State, d: Declaration) -> Declaration:
        return with_weapon(known, d) if "attack" in named(d) else d

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        """Rules: storypath.mixed.definition, storypath.mixed.at-most-one-attack-half."""
        who, parts, limit = character(known, d.actor), named(d), settings(known).mixed_limit
        small = [name for name in parts if name in SMALL]
        before = who.small if known.active == who.id else 0
        if len(parts) + before < 2 or len(parts) > limit:
            text = f"it is from 2 to {limit} things at once, and this is {len(parts)}"
            yield Refusal(TWO, text, "NOT_TWO")
        elif parts:
            yield from room_for_parts(known, who, len(parts), True)
        if parts and not rolled(d):
            yield Refusal(TWO, "one of them at least is rolled; the others take no time anyway", "NO_ROLL")
        if parts.count("attack") > 1:
            yield Refusal(ONE_HALF, "one half at most is an attack, as there is one in a turn", "TWO_ATTACKS")
        elif len(set(parts)) < len(parts):
            yield Refusal(TWO, "the same thing twice is one thing", "SAME")
        if "full_defense" in parts and not settings(known).full_defense_mixed:
            text = "Full Defense takes all attention and is never half of anything"
            yield Refusal("storypath.simple.full-attention", text, "FULL_DEFENSE")
        for name in dict.fromkeys(rolled(d)):
            yield from part_refusals(known, d, name)
        for name in small:
            yield from REFLEXIVES[name].own_refusals(known, d)

    def price(self, known: State, d: Declaration) -> Price:
        whole = action_price("a mixed action", "attack" in named(d))
        for name in [name for name in named(d) if name in SMALL]:
            whole = whole.plus(*REFLEXIVES[name].price(known, d).costs)
        return whole

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """How fast one can be beyond maximum speed is the Storyguide's to say.

        Rules: storypath.reflexive.move-up-to-max-speed.
        """
        return None if "hurry" in named(d) else super().ruling(state, d)

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        parts = tuple([name for name in rolled(d) if name != "hurry" or ruling.kind != "automatic"])
        return Bill(self.price(state, d), check_for(state, d, parts) if parts else None, self.label(state, d))

    def check(self, known: State, d: Declaration) -> Check | None:
        """Rules: storypath.mixed.lower-pool, storypath.example.sigrun-pool."""
        parts = [name for name in rolled(d) if name in (*component_names(known), "full_defense")]
        return check_for(known, d, tuple(parts)) if parts else None

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        small = [name for name in named(d) if name in SMALL]
        play.emit(Engaged(TWO, d.actor, len(rolled(d)), True))
        take_momentum(play, d, paid)
        for name in small:
            yield from REFLEXIVES[name].resolve(play, d, paid)
        ruling = paid.ruling
        number = ruling.target if ruling is not None else None
        parts = rolled(d)
        if ruling is not None and ruling.kind == "automatic":
            hurry(play, d, 0)
            parts = tuple([name for name in parts if name != "hurry"])
        if not parts:
            return Outcome(self.name, "automatic")
        result, good, injuries = yield from perform(
            play, d, parts, paid[d.actor].dice, "storypath.mixed.single-roll", number
        )
        who = (d.target,) if injuries else ()
        return Outcome(self.name, "botch" if result.botch else _result(parts, good), who, injuries)

    def wanted(self, state: State, d: Declaration, outcome: Outcome) -> bool:
        """What is preferred is wanted; without a word all of it is."""
        first = preferred(d, rolled(d))
        if first is not None:
            met = outcome.result.removeprefix("only ").split(" and ")
            return rolled(d)[first].replace("_", " ") in met or outcome.result in ("both", "all", "success")
        return outcome.result in ("both", "all", "success", "automatic")


def _result(names: tuple[str, ...], good: tuple[bool, ...]) -> str:
    """`both`, `only balance`, or `neither`."""
    if len(good) == 1:
        return "success" if good[0] else "failure"
    if all(good):
        return "both" if len(good) == 2 else "all"
    met = [name.replace("_", " ") for name, came in zip(names, good, strict=True) if came]
    return f"only {' and '.join(met)}" if met else "neither"
