"""Odds side by side: by what others answer, by one thing that is varied, by what would help, and at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from turnwright.deciding import Decision
from turnwright.model import Price, Refusal, Struct
from turnwright.odds import Odds, percent


class Glance(Struct, frozen=True):
    """The chance of success with so much committed beyond the price: between these two, by what others choose."""

    boost: int
    lowest: Fraction
    highest: Fraction

    def __str__(self) -> str:
        low, high = percent(self.lowest), percent(self.highest)
        plain = low[0].isdigit() and high[0].isdigit()
        return high if low == high else f"{low.removesuffix(' %')}{'-' if plain else ' to '}{high}"


class OpenOdds(Mapping[tuple[Decision, ...], Odds]):
    """The odds of one action for every way in which others can decide.

    Each of them decides the same whatever the dice before it show.
    """

    def __init__(self, found: dict[tuple[Decision, ...], Odds]) -> None:
        self._found = found

    def __getitem__(self, decided: tuple[Decision, ...]) -> Odds:
        return self._found[decided]

    def __iter__(self) -> Iterator[tuple[Decision, ...]]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    @property
    def lowest(self) -> Fraction:
        """The chance of success if they decide as badly for it as they can."""
        return min(found.success for found in self._found.values())

    @property
    def highest(self) -> Fraction:
        """The chance of success if they decide as well for it as they can."""
        return max(found.success for found in self._found.values())

    def glance(self, boost: int) -> Glance:
        """How far the chance of success goes by what they decide."""
        return Glance(boost, self.lowest, self.highest)

    @property
    def branches(self) -> int:
        return sum(found.branches for found in self._found.values())

    def __repr__(self) -> str:
        rows = (f"{', '.join(map(str, how)) or 'as it is'}: {percent(o.success)}" for how, o in self._found.items())
        return f"<OpenOdds: {'; '.join(rows)}>"


class Comparison(Mapping[Any, Odds]):
    """The same action with one thing varied: value -> odds; `refused` are the values that may not be, and why."""

    def __init__(
        self,
        by: str,
        found: dict[Any, Odds],
        prices: dict[Any, Price],
        refused: dict[Any, tuple[Refusal, ...]],
    ) -> None:
        self.by, self._found, self.prices, self.refused = by, found, prices, refused

    def __getitem__(self, value: Any) -> Odds:
        return self._found[value]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    @property
    def best(self) -> Any:
        """The value with the best chance of success, the first of those that are equal."""
        return max(self._found, key=lambda value: self._found[value].success)

    def __repr__(self) -> str:
        rows = [f"{value}: {percent(found.success)}" for value, found in self._found.items()]
        rows += [f"{value}: refused" for value in self.refused]
        return f"<Comparison by {self.by}: {'; '.join(rows)}>"


class Hint(Struct, frozen=True):
    """One change that raises the chance of success, and what it costs more of each resource."""

    change: str
    said: dict[str, Any]
    chance: Fraction
    gain: Fraction
    costs: dict[str, int] = {}

    def __str__(self) -> str:
        return f"{self.change} would make it {percent(self.chance)}"
