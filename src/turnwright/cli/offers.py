"""`offers` and `odds`: what one character may do now, and the exact chances of one action."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from turnwright.cli.asking import why_not
from turnwright.cli.errors import BadInput, check_seat
from turnwright.cli.screen import Screen, plain, warn, write_json
from turnwright.cli.words import Said, Unclear, action_named, actor_named, matching, price_words, read_words, said_in
from turnwright.model import GUIDE, Offer, Refused
from turnwright.odds import LIMIT, Odds
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


def offer_line(number: int, offer: Offer, guide: str) -> str:
    """`  4 hide      1 AD, use stealth`."""
    if offer.verdict == "illegal":
        word = "refused"
    elif offer.verdict == "ruling":
        free = price_words(offer.price) == "free"
        word = f"the {guide} rules" if free else f"{price_words(offer.price)}; the {guide} rules"
    else:
        word = price_words(offer.price)
    return f"{number:>3} {offer.label:<36} {word}"


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


# -- odds


def odds(
    scene: Scene,
    actor: Actor,
    action: Annotated[str, typer.Argument(metavar="ACTION", help="An action, as `offers` lists them.")],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE", help="What else is said, such as target=guard.")
    ] = None,
    limit: Annotated[int, typer.Option(help="How many branches are tried at most.")] = LIMIT,
    sample: Annotated[int, typer.Option(help="Estimate from so many plays, where there are more branches.")] = 0,
    seat: Annotated[str, typer.Option(help="From what this seat knows; `guide` knows everything.")] = "",
    json: Json = False,
) -> None:
    """The exact chances of an action, from the scene as it starts and by the rule itself.

    Others commit nothing beyond the price and let things pass; the first preset of the guide's ruling holds.
    What the character cannot know is assumed, and the assumptions are listed.

    \b
    turnwright odds examples/narateer/ambush.yaml selka hide method="lie flat" boost=1
    turnwright odds examples/narateer/skirmish.yaml bo attack target=guard
    """
    table, name = begun(scene, actor)
    try:
        action_name, _ = action_named(table.game.actions, action, f"there are: {', '.join(table.game.actions)}")
        said = said_for(table, name, action_name, " ".join(words or ()))
    except Unclear as error:
        raise BadInput(str(error)) from None
    check_seat(table.state, seat or GUIDE)
    found = table.odds(name, action_name, seat=seat or None, limit=limit, sample=sample, **said)
    if json:
        write_json(odds_data(found))
    else:
        show_odds(Screen(), table, found)


def said_for(table: Table, actor: str, action: str, text: str) -> Said:
    """What typed words say for an action, on top of the first offer that they fit. Raises Unclear."""
    listed = table.offers(actor)
    parameters = next((o.parameters for o in listed if o.action == action), table.game.actions[action].parameters)
    said = read_words(parameters, table.knows(table.state.actors[actor].seat), text)
    fits = matching(listed, action, said)
    return {**said_in(fits[0].declaration), **said} if fits else said


def odds_rows(table: Table, found: Odds) -> list[tuple[str, str, str, str]]:
    """Every outcome, likeliest first: chance, fraction, result, whom it concerns."""
    rows = []
    for outcome, chance in sorted(found.items(), key=lambda pair: (-pair[1], pair[0].result)):
        actors = table.state.actors
        who = ", ".join(actors[name].name if name in actors else name for name in outcome.who)
        amount = f" ({outcome.amount})" if outcome.amount > 1 else ""
        rows.append((f"{float(chance) * 100:.2f} %", str(chance), f"{outcome.result}{amount}", who))
    return rows


def show_odds(screen: Screen, table: Table, found: Odds) -> None:
    screen.table((">chance", ">exactly", "outcome", "who"), odds_rows(table, found))
    if found.sampled:
        screen.say(f"This is an estimate from {found.sampled} plays.")
    for text in found.assumptions:
        screen.say(f"assumed: {text}")


def odds_data(found: Odds) -> dict[str, Any]:
    listed = [
        {
            "result": outcome.result,
            "who": list(outcome.who),
            "amount": outcome.amount,
            "chance": str(chance),
            "percent": float(chance) * 100,
        }
        for outcome, chance in found.items()
    ]
    return {"outcomes": listed, "sampled": found.sampled, "assumptions": list(found.assumptions)}
