"""Names, prices and numbers as a page says them."""

from __future__ import annotations

from turnwright.model import Price
from turnwright.rules import Game


def priced(game: Game, price: Price) -> str:
    """A price in the game's own words: `2 AD, a use of Stealth, 6 m`."""
    amounts: dict[str, int] = {}
    for item in price.costs:
        amounts[item.resource] = amounts.get(item.resource, 0) + item.amount
    parts = [game.resource_words(resource, amount) for resource, amount in amounts.items()]
    if price.metres:
        parts.append(f"{float(price.metres):g} m")
    return ", ".join([part for part in parts if part]) or "free"


def titled(name: str) -> str:
    """`extra_move` as `Extra move`."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
