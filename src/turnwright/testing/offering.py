"""Whether what an actor is offered is what comes of declaring it."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from turnwright.events import Charged
from turnwright.gate import legal, offer, offers, reasons
from turnwright.model import GUIDE, Declaration, Offer, Refused, SeatId, seat_of
from turnwright.rules import Game
from turnwright.table import Table, read_scene
from turnwright.testing.promises import everything, expect, said, snapshot


def check_offers(table: Table, actor: str, draw: Random, seat: SeatId | None = None) -> None:
    """Everything that an actor is offered: what is legal is accepted, and the rest refused for the reasons given."""
    known = table.knows(seat or seat_of(table.state, actor))
    for listed in table.offers(actor, seat=seat):
        _check_listed(table, listed, seat)
        action = table.game.actions[listed.action]
        filled = action.fill(known, listed.declaration, draw.choice)
        _check_declared(table, filled, seat)
        for parameter in listed.parameters:
            if parameter.choices:
                chosen = {**filled.options, parameter.name: draw.choice(parameter.choices)}
                _check_declared(table, replace(filled, options=chosen), seat)


def _check_listed(table: Table, listed: Offer, seat: SeatId | None) -> None:
    explained = table.explain(listed.declaration.actor, listed.action, seat=seat, **said(listed.declaration))
    if not table.waiting_on:
        missing = [refusal for refusal in listed.refusals if refusal not in explained.refusals]
        expect(not missing, f"{listed.action} is listed with reasons that explain does not give: {missing}")
    expect(explained.price == listed.price, f"{listed.action} is listed at another price than explained")


def _check_declared(table: Table, d: Declaration, seat: SeatId | None) -> None:
    """Declaring does exactly what explain says; and it is taken back again."""
    explained = table.explain(d.actor, d.action, seat=seat, **said(d))
    before = everything(table)
    try:
        table.declare(d.actor, d.action, seat=seat, **said(d))
    except Refused as error:
        refusals = error.refusals
    else:
        expect(explained.verdict != "illegal" or table.mode == "advise", f"{d} is accepted and explained as illegal")
        _check_charged(table, explained, d, len(before[2]))
        while len(table.live) > len(before[2]):
            table.undo()
        expect(snapshot(table) == before[:5], f"undo of {d.action} leads elsewhere")
        return
    expect(refusals == explained.refusals, f"{d} is refused for {refusals} and explained by {explained.refusals}")
    expect(everything(table) == before, f"the refusal of {d} changes something")


def _check_charged(table: Table, explained: Offer, d: Declaration, since: int) -> None:
    """Who knows everything is charged what was quoted, where the rules themselves rule."""
    if explained.verdict != "legal" or seat_of(table.state, d.actor) != GUIDE:
        return
    for entry in table.live[since:]:
        for event in entry.events:
            if isinstance(event, Charged) and event.actor == d.actor:
                quoted = [price.costs for price in (explained.price, *explained.ways)]
                expect(event.costs in quoted, f"{d.action} was quoted {explained.price}, charged {event}")
                return


def check_game(game: Game) -> None:
    """What can be looked at without a scene of one's own: its sample, and that everything in it says what it is."""
    state = read_scene(game.sample(), "the sample")
    expect(state.scene.system == game.name, "the sample is one of another game")
    for action in game.actions.values():
        expect(bool(action.about.strip()), f"{action.name} does not say what it is")
        expect(bool(action.rules), f"{action.name} names no rule")
    for actor in state.actors:
        for d in (Declaration(actor, name) for name in game.actions):
            found = offer(game, state, d)
            expect(legal(game, state, d) == (not found.refusals), f"the gate gives two answers about {d.action}")
            expect(
                list(reasons(game, state, d)) == list(found.refusals), f"the gate gives other reasons for {d.action}"
            )
        expect(bool(offers(game, state, actor)), f"nothing is offered to {actor}")
