"""Putting armour on and taking it off, which takes its time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.model import NOTHING, Declaration, Moment, Outcome, Price, Refusal, Ruling, State
from turnwright.rules import Nature, Settled, Steps, ended
from turnwright.systems.altered_realms.economy import Leisure, at_leisure
from turnwright.systems.altered_realms.events import ItemMoved, TimePassed
from turnwright.systems.altered_realms.items import ITEM
from turnwright.systems.altered_realms.sheet import Armor, creature

TOPICS = ("armor",)

WEIGHTS = ("light", "medium", "heavy")


class Don(Leisure):
    """Put armour on, while no turns are counted; its AC counts only when it is on.

    Rules: altered-realms.armor.don-doff-time-listed.
    """

    name = "don"
    about = "put armour on"
    nature: ClassVar[Nature] = "free"
    rules = ("altered-realms.armor.don-doff-time-listed",)
    parameters = (ITEM,)
    worn: ClassVar[bool] = True

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for item in creature(known, actor).items:
            if item.armor is not None and (item.place == "worn") is not self.worn:
                yield Declaration(actor, self.name, options={"item": item.name})

    def label(self, known: State, d: Declaration) -> str:
        return f"{self.name} {d.option('item')}".strip()

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        item = creature(known, d.actor).item(d.option("item"))
        if item is None or item.armor is None:
            yield Refusal(self.rules[0], f"{d.option('item') or 'that'} is no armour of yours", "NO_ARMOR")
        elif (item.place == "worn") is self.worn:
            yield Refusal(self.rules[0], f"{item.name} is {'on' if self.worn else 'off'} already", "DONE")
        if known.active is not None:
            yield Refusal(self.rules[0], "while turns are counted there is no time for that", "IN_TURNS")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        return at_leisure(state, self.name)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        item = creature(play.state, d.actor).item(d.option("item"))
        assert item is not None
        assert item.armor is not None
        play.emit(TimePassed(self.rules[0], d.actor, item.armor.don if self.worn else item.armor.doff))
        moved = replace(item, place="worn", hand="") if self.worn else replace(item, place="pack", hand="")
        play.emit(ItemMoved(self.rules[0], d.actor, moved))
        return ended(Outcome(self.name, "success"))


class Doff(Don):
    """Rules: altered-realms.armor.don-doff-time-listed."""

    name = "doff"
    about = "take armour off"
    worn = False


def slower_when_lighter(armours: list[tuple[str, Armor]]) -> Iterator[tuple[str, str]]:
    """Pairs of armour of which the lighter takes longer to put on or off.

    Rules: altered-realms.armor.lighter-is-quicker.
    """
    for name, one in armours:
        for other_name, other in armours:
            lighter = WEIGHTS.index(one.weight) < WEIGHTS.index(other.weight)
            if lighter and (one.don > other.don or one.doff > other.doff):
                yield name, other_name
