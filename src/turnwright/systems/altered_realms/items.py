"""Things: drawing, stowing, dropping, picking up, rummaging for them, and drinking what is in a bottle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.model import NOTHING, Cell, Declaration, Moment, Outcome, Parameter, Price, Refusal, RuleId, State
from turnwright.rules import Nature, Settled, Steps, ended
from turnwright.space import in_reach
from turnwright.systems.altered_realms.economy import Deed, action_price, motion_price, off_turn, reaction_price
from turnwright.systems.altered_realms.events import (
    Healed,
    ItemDropped,
    ItemMoved,
    ItemPickedUp,
    ItemUsedUp,
    Lying,
)
from turnwright.systems.altered_realms.holding import busy, disabled, free_hands
from turnwright.systems.altered_realms.rolls import damage
from turnwright.systems.altered_realms.sheet import QUICK, Creature, Item, creature, settings
from turnwright.systems.altered_realms.space import drop_at, ground_of, tiles

TOPICS = ("item",)

ITEM = Parameter("item", "text", "which item", required=True)
HAND = Parameter("hand", "text", "into which hand; any free one where it is not said", by_name=True)


class ItemDeed(Deed):
    """Something that is done with one item of one's own."""

    parameters: ClassVar[tuple[Parameter, ...]] = (ITEM,)

    def mine(self, who: Creature) -> Iterator[Item]:
        """The items for which it is offered."""
        yield from who.items

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for item in self.mine(creature(known, actor)):
            yield Declaration(actor, self.name, options={"item": item.name})

    def label(self, known: State, d: Declaration) -> str:
        return f"{self.name.replace('_', ' ')} {d.option('item')}".strip()

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("item"):
            yield Refusal(self.rules[0], "say which item", "INCOMPLETE item")

    def item(self, known: State, d: Declaration) -> Item | None:
        return creature(known, d.actor).item(d.option("item"))

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who, item = creature(known, d.actor), self.item(known, d)
        if not d.option("item"):
            return
        if item is None:
            yield Refusal(self.rules[0], f"{who.name} has no {d.option('item')}", "NO_ITEM")
        else:
            yield from self.against(known, d, who, item)

    def against(self, known: State, d: Declaration, who: Creature, item: Item) -> Iterator[Refusal]:
        yield from ()


def hand_for(known: State, d: Declaration, who: Creature) -> str:
    """The hand that takes the item: the one that is named, else the first that is free; empty where none is."""
    hands = free_hands(known, who)
    named = d.option("hand")
    if named:
        return named if named in hands else ""
    return hands[0] if hands else ""


def hand_refusals(known: State, d: Declaration, who: Creature, rule: RuleId) -> Iterator[Refusal]:
    """Rules: altered-realms.grapple.hand-is-busy (a hand that holds somebody draws nothing)."""
    if hand_for(known, d, who):
        return
    named = d.option("hand")
    if named and busy(known, who, named) is not None:
        yield Refusal("altered-realms.grapple.hand-is-busy", f"{who.name}'s {named} holds somebody", "HAND_BUSY")
    elif named and disabled(known, who, named):
        yield Refusal("altered-realms.grapple.part-unusable", f"{who.name}'s {named} is held", "PART_HELD")
    else:
        yield Refusal(rule, f"{who.name} has no {named or 'hand'} free", "NO_FREE_HAND")


def take(play: Play, d: Declaration, rule: RuleId) -> Outcome:
    """The item comes into a hand."""
    who = creature(play.state, d.actor)
    item = who.item(d.option("item"))
    assert item is not None
    play.emit(ItemMoved(rule, d.actor, replace(item, place="hand", hand=hand_for(play.state, d, who))))
    return Outcome(d.action, "success")


class Draw(ItemDeed):
    """A Motion takes an item out of its pouch, pocket or holster.

    Rules: altered-realms.item.draw, altered-realms.motion.intro-examples, altered-realms.motion.section-examples.
    """

    name = "draw"
    about = "take an item out of its pouch, pocket or holster"
    rules = ("altered-realms.item.draw",)
    parameters: ClassVar[tuple[Parameter, ...]] = (ITEM, HAND)

    def mine(self, who: Creature) -> Iterator[Item]:
        return (item for item in who.items if item.place in QUICK)

    def against(self, known: State, d: Declaration, who: Creature, item: Item) -> Iterator[Refusal]:
        if item.place == "hand":
            yield Refusal("altered-realms.item.draw", f"{item.name} is in a hand already", "IN_HAND")
        elif item.place not in QUICK:
            text = f"{item.name} is in the {item.place}; it must be rummaged for"
            yield Refusal("altered-realms.item.rummage", text, "NOT_AT_HAND")
        yield from hand_refusals(known, d, who, "altered-realms.item.draw")

    def own_price(self, known: State, d: Declaration) -> Price:
        return motion_price("drawing an item", "altered-realms.item.draw")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        return ended(take(play, d, "altered-realms.item.draw"))


class Stow(ItemDeed):
    """A Motion puts an item back.

    Rules: altered-realms.item.stow.
    """

    name = "stow"
    about = "put an item back in a pouch, pocket or holster"
    rules = ("altered-realms.item.stow",)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        ITEM,
        Parameter("place", "choice", "where to", choices=QUICK, by_name=True),
    )

    def mine(self, who: Creature) -> Iterator[Item]:
        return (item for item in who.items if item.place == "hand")

    def against(self, known: State, d: Declaration, who: Creature, item: Item) -> Iterator[Refusal]:
        if item.place != "hand":
            yield Refusal("altered-realms.item.stow", f"{item.name} is in no hand", "NOT_IN_HAND")
        if d.option("place") not in ("", *QUICK):
            yield Refusal("altered-realms.item.stow", f"one of {', '.join(QUICK)}", "NO_PLACE")
        yield from held_fast(known, who, item)

    def own_price(self, known: State, d: Declaration) -> Price:
        return motion_price("putting an item back", "altered-realms.item.stow")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        item = self.item(play.state, d)
        assert item is not None
        place = d.option("place") or ("holster" if item.weapon is not None else "pouch")
        found = next(name for name in QUICK if name == place)
        play.emit(ItemMoved("altered-realms.item.stow", d.actor, replace(item, place=found, hand="")))
        return ended(Outcome(self.name, "success"))


def held_fast(known: State, who: Creature, item: Item) -> Iterator[Refusal]:
    """Rules: altered-realms.grapple.part-unusable."""
    if item.hand and disabled(known, who, item.hand):
        text = f"{who.name}'s {item.hand} is held and cannot be used"
        yield Refusal("altered-realms.grapple.part-unusable", text, "PART_HELD")


class Drop(ItemDeed):
    """Letting a thing fall is free in the own turn; off-turn it takes a Reaction.

    Rules: altered-realms.item.drop.
    """

    name = "drop"
    about = "let an item fall"
    nature: ClassVar[Nature] = "free"
    rules = ("altered-realms.item.drop",)
    offered = True

    def mine(self, who: Creature) -> Iterator[Item]:
        return (item for item in who.items if item.place == "hand")

    def against(self, known: State, d: Declaration, who: Creature, item: Item) -> Iterator[Refusal]:
        if item.place != "hand":
            yield Refusal("altered-realms.item.drop", f"{item.name} is in no hand", "NOT_IN_HAND")

    def own_price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def price(self, known: State, d: Declaration) -> Price:
        if not off_turn(known, d.actor):
            return NOTHING
        return reaction_price("letting go off-turn", "altered-realms.item.drop")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        drop(play, d.actor, d.option("item"), "altered-realms.item.drop")
        return ended(Outcome(self.name, "success"))


def drop(play: Play, actor: str, name: str, rule: RuleId) -> None:
    who = creature(play.state, actor)
    item = who.item(name)
    assert item is not None
    fact = free_name(f"lying {name}", list(play.state.facts))
    play.emit(ItemDropped(rule, actor, replace(item, hand=""), who.at, fact))


def free_name(name: str, taken: list[str]) -> str:
    """The name, or with a number behind it where it is taken."""
    if name not in taken:
        return name
    return next(f"{name} {number}" for number in range(2, len(taken) + 3) if f"{name} {number}" not in taken)


def lying(known: State, name: str) -> Lying | None:
    """An item on the ground by its name."""
    found = [
        fact for fact in known.facts_of(Lying) if name in (fact.id, fact.id.removeprefix("lying "), fact.item.name)
    ]
    return found[0] if found else None


def big(known: State, item: Item) -> bool:
    sizes = settings(known).sizes
    return sizes.get(item.size, 1) > sizes.get("medium", 2)


class PickUp(Deed):
    """A Motion picks up what is Medium or smaller and within melee range; more takes an Action and two hands.

    Rules: altered-realms.item.pick-up.
    """

    name = "pick_up"
    about = "pick up an item from the ground"
    rules = ("altered-realms.item.pick-up",)
    parameters: ClassVar[tuple[Parameter, ...]] = (ITEM, HAND)

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for fact in known.facts_of(Lying):
            yield Declaration(actor, self.name, options={"item": fact.id.removeprefix("lying ")})

    def label(self, known: State, d: Declaration) -> str:
        return f"pick up {d.option('item')}"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("item"):
            yield Refusal("altered-realms.item.pick-up", "say which item", "INCOMPLETE item")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who, found = creature(known, d.actor), lying(known, d.option("item"))
        if not d.option("item"):
            return
        if found is None:
            yield Refusal("altered-realms.item.pick-up", f"no {d.option('item')} lies about", "NO_ITEM")
            return
        if not within(known, who, found.at):
            yield Refusal("altered-realms.item.pick-up", f"{found.item.name} lies too far away", "OUT_OF_RANGE")
        if big(known, found.item) and len(free_hands(known, who)) < 2:
            yield Refusal("altered-realms.item.pick-up", f"{found.item.name} takes two Free Hands", "NO_FREE_HAND")
        else:
            yield from hand_refusals(known, d, who, "altered-realms.item.pick-up")

    def own_price(self, known: State, d: Declaration) -> Price:
        found = lying(known, d.option("item"))
        if found is not None and big(known, found.item):
            return action_price("lifting something large", "altered-realms.item.pick-up")
        return motion_price("picking something up", "altered-realms.item.pick-up")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        who, found = creature(play.state, d.actor), lying(play.state, d.option("item"))
        assert found is not None
        name = free_name(found.item.name, [item.name for item in who.items])
        item = replace(found.item, name=name, place="hand", hand=hand_for(play.state, d, who))
        play.emit(ItemPickedUp("altered-realms.item.pick-up", d.actor, item, found.id))
        return ended(Outcome(self.name, "success"))


def within(known: State, who: Creature, at: Cell | str | None) -> bool:
    """In melee range, with nothing solid between and not far below."""
    field, reach = ground_of(known), settings(known).melee_range
    if field is None or not isinstance(at, tuple) or not isinstance(who.at, tuple):
        return False
    deep = abs(field.terrain(at).drop - drop_at(known, who, who.at))
    return deep <= reach and any(in_reach(field, cell, at, reach) for cell in tiles(known, who))


class Rummage(ItemDeed):
    """An Action finds and equips an item that is in no pouch, pocket or holster.

    Rules: altered-realms.item.rummage.
    """

    name = "rummage"
    about = "find an item in your pack and take it in hand"
    rules = ("altered-realms.item.rummage",)
    parameters: ClassVar[tuple[Parameter, ...]] = (ITEM, HAND)

    def mine(self, who: Creature) -> Iterator[Item]:
        """Rules: altered-realms.armor.don-doff-time-listed (armour that is worn is taken off, not rummaged for)."""
        for item in who.items:
            if item.place == "pack" or (item.place == "worn" and item.armor is None):
                yield item

    def against(self, known: State, d: Declaration, who: Creature, item: Item) -> Iterator[Refusal]:
        if item.place in ("hand", *QUICK):
            text = f"{item.name} is in a {item.place}; there is nothing to rummage for"
            yield Refusal("altered-realms.item.rummage", text, "AT_HAND")
        if item.place == "worn" and item.armor is not None:
            text = f"{item.name} is worn, and takes its time to take off"
            yield Refusal("altered-realms.armor.don-doff-time-listed", text, "WORN")
        yield from hand_refusals(known, d, who, "altered-realms.item.rummage")

    def own_price(self, known: State, d: Declaration) -> Price:
        return action_price("rummaging", "altered-realms.item.rummage")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        return ended(take(play, d, "altered-realms.item.rummage"))


class Drink(ItemDeed):
    """A Motion drinks what is on one's person, taking it out included; what is in a pack is rummaged for first.

    Rules: altered-realms.motion.intro-examples, altered-realms.motion.section-examples.
    """

    name = "drink"
    about = "drink a potion that you carry"
    rules = ("altered-realms.motion.intro-examples",)

    def mine(self, who: Creature) -> Iterator[Item]:
        return (item for item in who.items if item.drink)

    def against(self, known: State, d: Declaration, who: Creature, item: Item) -> Iterator[Refusal]:
        if not item.drink:
            yield Refusal("altered-realms.motion.intro-examples", f"{item.name} is nothing to drink", "NO_DRINK")
        if item.place not in ("hand", *QUICK):
            text = f"{item.name} is in the {item.place}; it must be rummaged for first"
            yield Refusal("altered-realms.motion.intro-examples", text, "NOT_AT_HAND")
        yield from held_fast(known, who, item)
        if item.place != "hand":
            yield from hand_refusals(known, d, who, "altered-realms.motion.intro-examples")

    def own_price(self, known: State, d: Declaration) -> Price:
        return motion_price("drinking a potion", "altered-realms.motion.intro-examples")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        item = self.item(play.state, d)  # kept: what is drunk
        assert item is not None
        rule = "altered-realms.motion.intro-examples"
        play.emit(ItemUsedUp(rule, d.actor, item.name))
        if not item.heals:
            return Outcome(self.name, "success")
        healed = yield from damage(play, d.actor, d.actor, item.heals, 0, item.name, rule)
        play.emit(Healed(rule, d.actor, healed))
        return Outcome(self.name, "success", amount=healed)
