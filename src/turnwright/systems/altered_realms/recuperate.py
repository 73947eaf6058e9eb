"""Recuperate: a point of one pool becomes a point of another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.model import Declaration, Moment, Outcome, Parameter, Price, Refusal, Ruling, State, cost
from turnwright.rules import Pick, Settled, Steps, ended
from turnwright.systems.altered_realms.economy import Deed, action_price
from turnwright.systems.altered_realms.events import PointConverted
from turnwright.systems.altered_realms.settings import POOLS
from turnwright.systems.altered_realms.sheet import creature, pool_named

TOPICS = ("recuperate",)


class Recuperate(Deed):
    """The Action for one point of a pool turned into one of another; once in a turn, at any time in it.

    Rules: altered-realms.recuperate.cost, altered-realms.recuperate.conversion,
    altered-realms.recuperate.once-per-turn-any-time, altered-realms.recuperate.pools.
    """

    name = "recuperate"
    about = "turn a point of one pool into a point of another"
    rules = ("altered-realms.recuperate.cost", "altered-realms.recuperate.conversion")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("source", "choice", "the pool that gives the point", required=True, choices=tuple(POOLS)),
        Parameter("into", "choice", "the pool that gets it", required=True, choices=tuple(POOLS)),
    )

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return replace(d, options={**d.options, "source": pick(tuple(POOLS)), "into": pick(tuple(POOLS))})

    def complete(self, known: State, d: Declaration) -> Declaration:
        """Rules: altered-realms.recuperate.pools (a pool may have an alias)."""
        named = {name: pool_named(known, d.option(name)) for name in ("source", "into") if d.option(name)}
        return replace(d, options={**d.options, **named}) if named else d

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        for name in ("source", "into"):
            if not d.option(name):
                yield Refusal("altered-realms.recuperate.conversion", f"say {name}: which pool", f"INCOMPLETE {name}")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who, source, into = creature(known, d.actor), d.option("source"), d.option("into")
        for name in dict.fromkeys((source, into)):
            if name and name not in POOLS:
                text = f"there is no pool called {name!r}; there are {', '.join(POOLS)}"
                yield Refusal("altered-realms.recuperate.pools", text, "NO_POOL")
        if source and source == into:
            text = f"a point of {source} becomes one of another pool"
            yield Refusal("altered-realms.recuperate.conversion", text, "SAME_POOL")
        if into in POOLS and who.pools.get(into, 0) >= who.maxima.get(into, 0):
            text = f"{into} is at its maximum of {who.maxima.get(into, 0)}"
            yield Refusal("altered-realms.recuperate.conversion", text, "FULL")

    def own_price(self, known: State, d: Declaration) -> Price:
        price = action_price("recuperating", "altered-realms.recuperate.cost")
        once = cost("once:recuperate", 1, "once in a turn", "altered-realms.recuperate.once-per-turn-any-time")
        source = d.option("source")
        if source not in POOLS:
            return price.plus(once)
        point = cost(f"pool:{source}", 1, "the point", "altered-realms.recuperate.conversion")
        return price.plus(once, point)

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """While nobody's turn is under way it is open too.

        Rules: altered-realms.recuperate.once-per-turn-any-time.
        """
        return super().ruling(state, d) if state.active is not None else Ruling("procedure", procedure=self.name)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(PointConverted("altered-realms.recuperate.conversion", d.actor, d.option("source"), d.option("into")))
        return ended(Outcome(self.name, "success"))
