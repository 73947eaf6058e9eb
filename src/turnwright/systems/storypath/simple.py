"""Simple actions: whatever takes up all of one's attention."""

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
from turnwright.rules import Action, Nature, Pick, Settled, Steps, ended
from turnwright.systems.storypath.attack import attack_refusals, with_weapon
from turnwright.systems.storypath.deeds import deed_named, deeds, onto
from turnwright.systems.storypath.events import (
    Did,
    Engaged,
    ItemPlaced,
    ItemTaken,
    Lying,
)
from turnwright.systems.storypath.moving import SPEED, filled_with_place, hurry
from turnwright.systems.storypath.parts import check_for, part_refusals, perform
from turnwright.systems.storypath.rolls import (
    FAILED,
    bears,
    console,
    dice_for_sale,
    difficulty,
    enhanced,
    help_for,
    suffer,
    take_momentum,
    throw,
    unstrain,
    use_help,
)
from turnwright.systems.storypath.sheet import Character, character
from turnwright.systems.storypath.space import apart, foes, toward
from turnwright.systems.storypath.turn import action_price, room_for_parts

TOPICS = ("simple",)

ATTENTION = "storypath.simple.full-attention"
STAB = "storypath.simple.example-stab"
TARGET = Parameter("target", "actor", "against whom", required=True)
WEAPON = Parameter("weapon", "text", "with what; the first that is ready where it is not said", by_name=True)
TO = Parameter("to", "place", "where to", required=True)


class Simple(Action):
    """What takes the one action of the turn, and all attention.

    Rules: storypath.simple.full-attention, storypath.turn.action-allowance.
    """

    nature: ClassVar[Nature] = "proactive"
    attacks: ClassVar[bool] = False

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from room_for_parts(known, character(known, d.actor), 1, False)
        yield from self.own_refusals(known, d)

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from ()

    def price(self, known: State, d: Declaration) -> Price:
        return action_price(self.name.replace("_", " "), self.attacks)

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        return Bill(self.price(state, d), self.check(state, d), self.label(state, d))

    def engage(self, play: Play, d: Declaration, paid: Settled) -> None:
        play.emit(Engaged(ATTENTION, d.actor, 1))
        take_momentum(play, d, paid)


class Attack(Simple):
    """Attack somebody with all one has.

    Rules: storypath.simple.example-stab, storypath.turn.one-attack, storypath.attack.defense-requirement.
    """

    name = "attack"
    about = "attack somebody"
    attacks = True
    wants = ("hit",)
    rules = (STAB, "storypath.turn.one-attack", "storypath.attack.defense-requirement")
    parameters: ClassVar[tuple[Parameter, ...]] = (TARGET, WEAPON)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        who = character(known, actor)
        ready = [weapon for weapon in who.weapons if who.ready(weapon)]
        for foe in foes(known, who):
            for weapon in ready:
                yield Declaration(actor, self.name, target=foe.id, options={"weapon": weapon.name})
            if not ready:
                yield Declaration(actor, self.name, target=foe.id)

    def label(self, known: State, d: Declaration) -> str:
        target = known.actors.get(d.target)
        weapon = f" with {d.option('weapon')}" if d.option("weapon") else ""
        return f"attack {target.name if target is not None else '...'}{weapon}"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.target:
            yield Refusal(STAB, "say whom", "INCOMPLETE target")

    def complete(self, known: State, d: Declaration) -> Declaration:
        return with_weapon(known, d)

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from attack_refusals(known, d)

    def check(self, known: State, d: Declaration) -> Check:
        return check_for(known, d, ("attack",))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        self.engage(play, d, paid)
        result, good, injuries = yield from perform(play, d, ("attack",), paid[d.actor].dice, STAB)
        if result.botch:
            return Outcome(self.name, "botch")
        return Outcome(self.name, "hit" if good[0] else "miss", (d.target,) if injuries else (), injuries)


class DoDeed(Simple):
    """Try one of the things that the scene lists.

    Rules: storypath.simple.full-attention.
    """

    name = "deed"
    about = "do something that this scene lists"
    rules = (ATTENTION, FAILED)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("deed", "text", "what is done", required=True),
        Parameter("target", "actor", "onto whom"),
    )

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        who = character(known, actor)
        for deed in deeds(known):
            targets = [foe.id for foe in foes(known, who)] if deed.attach else [""]
            for target in targets:
                yield Declaration(actor, self.name, target=target, options={"deed": deed.name})

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(onto(d))
        return (d.option("deed") or "a deed") + (f": {other.name}" if other is not None else "")

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("deed"):
            yield Refusal(ATTENTION, "say what is done", "INCOMPLETE deed")

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if d.option("deed"):
            yield from part_refusals(known, d, _deed_name(known, d))

    def check(self, known: State, d: Declaration) -> Check | None:
        if deed_named(known, d.option("deed")) is None:
            return None
        return check_for(known, d, (d.option("deed"),))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        self.engage(play, d, paid)
        result, good, _ = yield from perform(play, d, (d.option("deed"),), paid[d.actor].dice, ATTENTION)
        return Outcome(self.name, "botch" if result.botch else "success" if good[0] else "failure")


def _deed_name(known: State, d: Declaration) -> str:
    """A deed of the scene only, and no other component that happens to be called so."""
    name = d.option("deed")
    return name if deed_named(known, name) is not None else f"no deed called {name}"


class Hurry(Simple):
    """Go farther than maximum speed, or once more in the round, with a roll that the Storyguide sets.

    Rules: storypath.reflexive.move-up-to-max-speed.
    """

    name = "hurry"
    about = "move farther, or once more"
    rules = (SPEED,)
    parameters: ClassVar[tuple[Parameter, ...]] = (TO,)

    def label(self, known: State, d: Declaration) -> str:
        return f"hurry to {d.option('to')}" if d.option("to") else "hurry"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("to"):
            yield Refusal(SPEED, "say where to", "INCOMPLETE to")

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return filled_with_place(known, d, pick)

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from part_refusals(known, d, "hurry")

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """The roll is the Storyguide's to set."""
        return None

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        check = check_for(state, d, ("hurry",)) if ruling.kind in ("check", "procedure") else None
        return Bill(self.price(state, d), check, self.label(state, d))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        self.engage(play, d, paid)
        ruling = paid.ruling
        if ruling is not None and ruling.kind == "automatic":
            hurry(play, d, 0)
            return Outcome(self.name, "automatic")
        number = ruling.target if ruling is not None else None
        result, good, _ = yield from perform(play, d, ("hurry",), paid[d.actor].dice, SPEED, number)
        return Outcome(self.name, "botch" if result.botch else "success" if good[0] else "failure")


class Rush(Simple):
    """One band toward a foe, besides a move, against that foe; a tie is the defender's."""

    name = "rush"
    about = "rush at somebody"
    rules = (SPEED,)
    parameters: ClassVar[tuple[Parameter, ...]] = (TARGET,)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        who = character(known, actor)
        for foe in foes(known, who):
            if toward(known, who, foe):
                yield Declaration(actor, self.name, target=foe.id)

    def label(self, known: State, d: Declaration) -> str:
        return f"rush at {known.actors[d.target].name}" if d.target in known.actors else "rush"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.target:
            yield Refusal(SPEED, "say at whom", "INCOMPLETE target")

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from part_refusals(known, d, "rush")

    def check(self, known: State, d: Declaration) -> Check:
        return check_for(known, d, ("rush",))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        self.engage(play, d, paid)
        result, good, _ = yield from perform(play, d, ("rush",), paid[d.actor].dice, SPEED)
        return Outcome(self.name, "botch" if result.botch else "success" if good[0] else "failure")


class Attempt(Simple):
    """Try anything else: the Storyguide says what it is rolled with and what it takes.

    Rules: storypath.simple.full-attention.
    """

    name = "attempt"
    about = "try anything else"
    rules = (ATTENTION,)
    wants = ("success", "automatic")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("intent", "text", "what you want", required=True),
        Parameter("method", "text", "how"),
    )

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.intent:
            yield Refusal(ATTENTION, "say what you want", "INCOMPLETE intent")

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return replace(d, intent=d.intent or "see what can be done")

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        return None

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        if ruling.kind != "check":
            return Bill(self.price(state, d), None, self.label(state, d))
        who = character(state, d.actor)
        skill, _, attribute = ruling.skill.partition("+")
        dice = who.rating(skill.strip(), attribute.strip())
        check = Check(d.actor, ruling.skill, dice, dice_for_sale(state, who), "storypath.mixed.single-roll")
        return Bill(self.price(state, d), check, ruling.skill)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        self.engage(play, d, paid)
        ruling = paid.ruling
        assert ruling is not None
        if ruling.kind == "automatic":
            play.emit(Did(ATTENTION, d.actor, d.intent, ruling.good, ruling.success))
            return Outcome(self.name, "automatic")
        need = difficulty(play.state, character(play.state, d.actor), ruling.target or 1)  # kept: as it was ruled
        result = yield from throw(play, d.actor, ruling.skill, paid[d.actor].dice, ATTENTION)
        skill = ruling.skill.partition("+")[0].strip()
        who = character(play.state, d.actor)
        total = enhanced(play.state, result, who.enhancement + help_for(play.state, who, skill))
        use_help(play, d.actor, skill)
        good = total >= need and not result.botch
        unstrain(play, d.actor)
        play.emit(Did(FAILED, d.actor, d.intent, good, ruling.success if good else ruling.failure))
        if not good:
            console(play, d.actor, result.botch)
        suffer(play, d.actor, not good or bears(play.state, d.actor, total - need))
        return Outcome(self.name, "botch" if result.botch else "success" if good else "failure")


class Rummage(Simple):
    """Get something out of a pack.

    Rules: storypath.reflexive.draw-from-holster.
    """

    name = "rummage"
    about = "get something out of a pack"
    rules = ("storypath.reflexive.draw-from-holster",)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("item", "text", "what", required=True),)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for item in character(known, actor).items:
            if item.place == "pack":
                yield Declaration(actor, self.name, options={"item": item.name})

    def label(self, known: State, d: Declaration) -> str:
        return f"rummage for {d.option('item')}" if d.option("item") else "rummage"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("item"):
            yield Refusal(self.rules[0], "say what", "INCOMPLETE item")

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        item = character(known, d.actor).item(d.option("item"))
        if d.option("item") and (item is None or item.place != "pack"):
            yield Refusal(self.rules[0], f"there is no {d.option('item')} in the pack", "NO_ITEM")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        self.engage(play, d, paid)
        play.emit(ItemPlaced(self.rules[0], d.actor, d.option("item"), "hand"))
        return ended(Outcome(self.name, "success"))


class PickUp(Simple):
    """Take up what lies where one is.

    Rules: storypath.reflexive.draw-from-holster.
    """

    name = "pick_up"
    about = "take up what lies here"
    rules = ("storypath.reflexive.draw-from-holster",)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("item", "text", "what", required=True),)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for lying in lying_near(known, character(known, actor)):
            yield Declaration(actor, self.name, options={"item": lying.item.name})

    def label(self, known: State, d: Declaration) -> str:
        return f"pick up {d.option('item')}".strip()

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("item"):
            yield Refusal(self.rules[0], "say what", "INCOMPLETE item")

    def own_refusals(self, known: State, d: Declaration) -> Iterator[Refusal]:
        here = [lying.item.name for lying in lying_near(known, character(known, d.actor))]
        if d.option("item") and d.option("item") not in here:
            yield Refusal(self.rules[0], f"no {d.option('item')} lies here", "NO_ITEM")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        self.engage(play, d, paid)
        near = lying_near(play.state, character(play.state, d.actor))
        lying = {held.item.name: held for held in reversed(near)}[d.option("item")]
        play.emit(ItemTaken(self.rules[0], d.actor, lying.item.name, lying.id))
        return ended(Outcome(self.name, "success"))


def lying_near(known: State, who: Character) -> list[Lying]:
    """What lies within reach of somebody."""
    return [held for held in known.facts_of(Lying) if apart(known, who.at, held.at) == 0]
