"""`offers`: what one character may do now, what it costs, and why the rest is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from turnwright.cli.asking import why_not
from turnwright.cli.errors import BadInput
from turnwright.cli.screen import Screen, plain, warn, write_json
from turnwright.cli.words import actor_named, price_words
from turnwright.model import Offer, Refused, State
from turnwright.policy import plain_answer
from turnwright.rules import Game
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
        write_json([offer_data(table.game, offer) for offer in listed])
        return
    screen = Screen()
    show_offers(screen, table, listed)
    left = sum(offer.verdict == "illegal" for offer in table.offers(name))
    if not every and left:
        screen.say()
        screen.say(f"{left} more are refused; --all shows them and why.")


PRICED_AT = 41
"""The column at which the price of an offer stands."""
LONGEST = 36
"""A label that is longer has its price right after it."""


def begun(path: Path, actor: str) -> tuple[Table, str]:
    """A table on the scene with the actor's turn begun, where nobody's is. Raises BadInput for an unknown actor."""
    table = Table(load_scene(path), seed=0)
    name = actor_named(table.state, actor)
    if not name:
        raise BadInput(f"nobody is called {actor!r}; there are: {', '.join(table.state.actors)}")
    if table.state.active is None and "begin" in table.game.actions:
        try:
            table.declare(name, "begin")
            _go_on_to(table, name)
            warn(f"({table.state.actors[name].name}'s turn is begun for this, on a copy of the scene)")
        except Refused as error:
            warn(f"({table.state.actors[name].name}'s turn cannot begin: {error})")
    return table, name


def _go_on_to(table: Table, name: str) -> None:
    """Where it is chosen who takes a turn, or others come first: on to the turn of this one."""
    _chosen_for(table, name)
    for _ in range(2 * len(table.state.actors)):
        active = table.state.active
        if active is None or active == name:
            return
        table.declare(active, "end")
        table.declare(table.next_turn() or name, "begin")
        _chosen_for(table, name)


def _chosen_for(table: Table, name: str) -> None:
    """Where it is chosen who takes the turn, it is this one; whatever else is asked is answered plainly."""
    while table.waiting_on:
        held = table.waiting_on[0]
        table.answer(held, name if name in held.options else plain_answer(held.question))


def show_offers(screen: Screen, table: Table, listed: Sequence[Offer]) -> None:
    for number, offer in enumerate(listed, 1):
        style = "" if offer.verdict != "illegal" else "dim"
        screen.say(offer_line(table.game, number, offer), style, hang=PRICED_AT)
        for line in why_not(offer.refusals):
            screen.say(line, indent=6, hang=2)
        for text in offer.warnings:
            screen.say(f"careful: {text}", indent=6, hang=2)
        if offer.rules and not offer.refusals:
            screen.say(" ".join(offer.rules), "dim", indent=6)


def offer_line(game: Game, number: int, offer: Offer, chance: str = "", label: str = "") -> str:
    """`  4 hide      1 AD, a use of Stealth; 42 %, +1 61 %`."""
    guide, price = game.guide_word, price_words(game, offer.price)
    if offer.verdict == "illegal":
        word = "refused"
    elif offer.verdict == "ruling":
        word = f"the {guide} rules" if price == "free" else f"{price}; the {guide} rules"
    else:
        word = price
    words = word + (f"; {chance}" if chance else "")
    label = label or offer.label
    if len(label) > LONGEST:
        return f"{number:>3} {label}: {words}"
    return f"{number:>3} {label:<36} {words}"


class Line(NamedTuple):
    """What stands beside one number: an offer, or several that are alike but for whom they are aimed at."""

    offers: tuple[Offer, ...]
    label: str
    chance: str


ALIKE, ALIKE_SURE = 3, 2
"""So many offers that differ in one thing only stand on one line; where nothing is uncertain, so many do."""
AIM = "target"
"""Stands for whom an offer is aimed at, among the names of what can be said of it."""


def in_lines(game: Game, state: State, listed: Sequence[Offer], chances: Sequence[str]) -> list[Line]:
    """The offers as they are listed, those that are alike where the first of them stands."""
    pairs = enumerate(zip(listed, chances, strict=True))
    left = {number: Line((offer,), offer.label, chance) for number, (offer, chance) in pairs}
    slots = dict.fromkeys([AIM, *[name for offer in listed for name in offer.declaration.options]])
    for slot in slots:
        alike: dict[object, list[int]] = {}
        for number, line in left.items():
            template = _without(state, line.offers[0], slot, line.label)
            if len(line.offers) == 1 and template != line.label:
                alike.setdefault(_alike(game, state, line, slot), []).append(number)
        for numbers in alike.values():
            first = left[numbers[0]]
            if len(numbers) < (ALIKE if first.chance else ALIKE_SURE):
                continue
            offers = tuple([left[number].offers[0] for number in numbers])
            names = [_said(state, offer, slot) for offer in offers]
            label = _without(state, offers[0], slot, first.label, f"{', '.join(names[:-1])} or {names[-1]}")
            for number in numbers[1:]:
                del left[number]
            left[numbers[0]] = Line(offers, label, first.chance)
    return list(left.values())


def _alike(game: Game, state: State, line: Line, slot: str) -> object:
    """What is the same in offers that may stand on one line: all but one thing that is said of them."""
    offer = line.offers[0]
    d = offer.declaration
    rest = tuple([(name, value) for name, value in d.options.items() if name != slot])
    aim = "" if slot == AIM else d.target
    against = tuple([(r.rule, _without(state, offer, slot, r.text)) for r in offer.refusals])
    told = (_without(state, offer, slot, line.label), price_words(game, offer.price), line.chance)
    return (d.action, offer.verdict, aim, rest, told, against)


def _named(state: State, offer: Offer, slot: str) -> str:
    """What an offer says for one thing; empty where it says nothing."""
    if slot != AIM:
        return str(offer.declaration.options.get(slot, ""))
    target = state.actors.get(offer.declaration.target)
    return target.name if target is not None else ""


def _said(state: State, offer: Offer, slot: str) -> str:
    """The same as it stands in the label."""
    found = re.search(rf"\b{re.escape(_named(state, offer, slot))}\b", offer.label, re.I)
    return found.group(0) if found is not None else _named(state, offer, slot)


def _without(state: State, offer: Offer, slot: str, text: str, instead: str = "\0") -> str:
    """A text with something else in place of what the offer says for one thing."""
    name = _named(state, offer, slot)
    return re.sub(rf"\b{re.escape(name)}\b", lambda _: instead, text, flags=re.I) if name else text


def offer_data(game: Game, offer: Offer) -> dict[str, Any]:
    """An offer as plain data, with every key."""
    return {
        "action": offer.action,
        "label": offer.label,
        "verdict": offer.verdict,
        "price": _price(game, offer),
        "ways": [[plain(cost) for cost in way.costs] for way in offer.ways],
        "refusals": [{"rule": r.rule, "text": r.text, "code": r.code} for r in offer.refusals],
        "warnings": list(offer.warnings),
        "rules": list(offer.rules),
        "parameters": [plain(parameter) for parameter in offer.parameters],
        "declaration": plain(offer.declaration),
    }


def _price(game: Game, offer: Offer) -> dict[str, Any]:
    return {
        "words": price_words(game, offer.price),
        "costs": [plain(cost) for cost in offer.price.costs],
        "along": [plain(stretch) for stretch in offer.price.along],
    }
