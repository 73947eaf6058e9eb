"""`offers`: what one character may do now, what it costs, and why the rest is refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from turnwright.cli.asking import why_not
from turnwright.cli.errors import BadInput
from turnwright.cli.screen import Screen, plain, warn, write_json
from turnwright.cli.words import actor_named, price_words
from turnwright.model import Offer, Refused
from turnwright.table import Table, load_scene

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Scene = Annotated[Path, typer.Argument(metavar="SCENE", help="A scene file.")]
Actor = Annotated[str, typer.Argument(metavar="ACTOR", help="A character, by id or name.")]


def offers(
    scene: Scene,
    actor: Actor,
    every: Annotated[bool, typer.Option("--all", help="Also what is refused, with all reasons.")] = False,
    json: Json = False,
) -> None:
    """List what a character may do: price, verdict, reasons and rules.

    The character's turn is begun first, on a copy of the scene; nothing is written.

    \b
    turnwright offers examples/narateer/ambush.yaml selka
    turnwright offers examples/narateer/ambush.yaml selka --all
    """
    table, name = begun(scene, actor)
    listed = [offer for offer in table.offers(name) if every or offer.verdict != "illegal"]
    if json:
        write_json([offer_data(offer) for offer in listed])
        return
    screen = Screen()
    show_offers(screen, table, listed)
    left = sum(offer.verdict == "illegal" for offer in table.offers(name))
    if not every and left:
        screen.say()
        screen.say(f"{left} more are refused; --all shows them and why.")


PRICED_AT = 41
"""The column at which the price of an offer stands."""


def begun(path: Path, actor: str) -> tuple[Table, str]:
    """A table on the scene with the actor's turn begun, where nobody's is. Raises BadInput for an unknown actor."""
    table = Table(load_scene(path), seed=0)
    name = actor_named(table.state, actor)
    if not name:
        raise BadInput(f"nobody is called {actor!r}; there are: {', '.join(table.state.actors)}")
    if table.state.active is None and "begin" in table.game.actions:
        try:
            table.declare(name, "begin")
            warn(f"({table.state.actors[name].name}'s turn is begun for this, on a copy of the scene)")
        except Refused as error:
            warn(f"({table.state.actors[name].name}'s turn cannot begin: {error})")
    return table, name


def show_offers(screen: Screen, table: Table, listed: Sequence[Offer]) -> None:
    for number, offer in enumerate(listed, 1):
        style = "" if offer.verdict != "illegal" else "dim"
        screen.say(offer_line(number, offer, table.game.guide_word), style, hang=PRICED_AT)
        for line in why_not(offer.refusals):
            screen.say(line, indent=6, hang=2)
        for text in offer.warnings:
            screen.say(f"careful: {text}", indent=6, hang=2)
        if offer.rules and not offer.refusals:
            screen.say(" ".join(offer.rules), "dim", indent=6)


def offer_line(number: int, offer: Offer, guide: str, chance: str = "") -> str:
    """`  4 hide      1 AD, use stealth; 42 %, +1 61 %`."""
    if offer.verdict == "illegal":
        word = "refused"
    elif offer.verdict == "ruling":
        free = price_words(offer.price) == "free"
        word = f"the {guide} rules" if free else f"{price_words(offer.price)}; the {guide} rules"
    else:
        word = price_words(offer.price)
    return f"{number:>3} {offer.label:<36} {word}" + (f"; {chance}" if chance else "")


def offer_data(offer: Offer) -> dict[str, Any]:
    """An offer as plain data, with every key."""
    return {
        "action": offer.action,
        "label": offer.label,
        "verdict": offer.verdict,
        "price": _price(offer),
        "ways": [[plain(cost) for cost in way.costs] for way in offer.ways],
        "refusals": [{"rule": r.rule, "text": r.text, "code": r.code} for r in offer.refusals],
        "warnings": list(offer.warnings),
        "rules": list(offer.rules),
        "parameters": [plain(parameter) for parameter in offer.parameters],
        "declaration": plain(offer.declaration),
    }


def _price(offer: Offer) -> dict[str, Any]:
    return {
        "words": price_words(offer.price),
        "costs": [plain(cost) for cost in offer.price.costs],
        "along": [plain(stretch) for stretch in offer.price.along],
    }
