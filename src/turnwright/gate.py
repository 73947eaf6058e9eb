"""The gate: it only reads, and gives every reason against a declaration from what the declaring seat knows."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwright.model import ActorId, Check, Declaration, Moment, Offer, Price, Refusal, State
from turnwright.rules import Action, Game, unpriced


def reasons(
    game: Game, known: State, d: Declaration, moment: Moment | None = None, *, whole: bool = False
) -> Iterator[Refusal]:
    """Every reason against a declaration, each with its rule, from what the declaring seat knows.

    A `whole` declaration must also say all that it has to say.
    """
    action = game.actions.get(d.action)
    if action is None:
        yield Refusal("", f"there is no action called {d.action!r}", "UNKNOWN_ACTION")
        return
    if d.actor not in known.actors and not (action.nature == "guide" and not d.actor):
        yield Refusal("", f"nobody called {d.actor!r} is in the scene", "UNKNOWN_ACTOR")
        return
    if whole and not action.declared:
        yield Refusal("", f"{d.action} is what the rules do of themselves; nobody declares it", "NOT_DECLARED")
        return
    if whole:
        yield from action.missing(known, d)
    yield from game.general(known, action, d, moment)
    yield from action.refusals(known, d, moment)
    yield from _unaffordable(game, known, action, d, action.price(known, d))


def _unaffordable(game: Game, known: State, action: Action, d: Declaration, price: Price) -> Iterator[Refusal]:
    if d.boost:
        check = action.check(known, d)
        if check is not None or action.ruling(known, d) is not None:
            yield from over_limit(check, d.boost)
        price = game.boosted(price, d.boost)
    if price.costs:
        yield from unpaid(game, known, d, price)


def all_ways(game: Game, known: State, d: Declaration, price: Price) -> tuple[Price, ...]:
    """Every way of paying a price; where there are several each has a name, if only its number."""
    ways = game.ways(known, d, price)
    if len(ways) < 2:
        return ways
    return tuple([way if way.way else replace(way, way=str(number)) for number, way in enumerate(ways)])


def said_ways(game: Game, known: State, d: Declaration, price: Price) -> tuple[Price, ...]:
    """The ways of paying that are open to a declaration: the one that it names, or all where it names none."""
    ways = all_ways(game, known, d, price)
    if not d.way:
        return ways
    return tuple([way for number, way in enumerate(ways) if d.way in (way.way, str(number))])


def payable(game: Game, known: State, d: Declaration, price: Price) -> tuple[Price, ...]:
    """The ways in which the price can be paid as things stand."""
    return tuple([way for way in said_ways(game, known, d, price) if next(unpriced(game, known, d, way), None) is None])


def unpaid(game: Game, known: State, d: Declaration, price: Price) -> list[Refusal]:
    """Why a price can be paid in no way: what is short in the first of them; nothing where it can."""
    if not game.has_ways and not d.way:
        return list(unpriced(game, known, d, price))
    ways = said_ways(game, known, d, price)
    if not ways:
        named = ", ".join(way.way or "only one way" for way in all_ways(game, known, d, price))
        return [Refusal("", f"it is not paid by {d.way!r}; there is {named}", "NO_WAY")]
    short = list(unpriced(game, known, d, ways[0]))
    if short and all(any(True for _ in unpriced(game, known, d, way)) for way in ways[1:]):
        return short
    return []


def beyond(boost: int, most: int) -> str:
    """Why no boost is of that amount."""
    if boost < 0:
        return f"a boost of {boost} is below 0, and nobody gets dice back; the limit is {most}"
    return f"a boost of {boost} is above the limit of {most}"


def over_limit(check: Check | None, boost: int) -> Iterator[Refusal]:
    """Whether more is committed than the check's rule permits."""
    if check is None:
        yield Refusal("", "there is no roll to boost", "NO_BOOST")
    elif not 0 <= boost <= check.most:
        yield Refusal(check.why_most, f"{beyond(boost, check.most)} for {check.skill}", "BOOST")


def legal(game: Game, known: State, d: Declaration, moment: Moment | None = None, *, whole: bool = False) -> bool:
    """The gate that stops at the first reason; what is quickly asked is asked first."""
    action = game.actions.get(d.action)
    if action is None or d.actor not in known.actors or (whole and not action.declared):
        return next(reasons(game, known, d, moment, whole=whole), None) is None
    return (
        next(game.general(known, action, d, moment), None) is None
        and (not whole or next(action.missing(known, d), None) is None)
        and next(_unaffordable(game, known, action, d, action.price(known, d)), None) is None
        and next(action.refusals(known, d, moment), None) is None
    )


def offer(game: Game, known: State, d: Declaration, moment: Moment | None = None) -> Offer:
    """The gate's whole answer on one declaration: verdict, price, ways to pay, parameters and every reason."""
    action = game.actions.get(d.action)
    if action is None or (d.actor not in known.actors and (action.nature != "guide" or d.actor)):
        return Offer(d, "illegal", d.action, refusals=tuple(reasons(game, known, d, moment)))
    price, along = action.price(known, d), action.along(known, d)
    refusals = (*game.general(known, action, d, moment), *action.refusals(known, d, moment))
    if price.costs or d.boost:
        refusals = (*refusals, *_unaffordable(game, known, action, d, price))
        price = game.boosted(price, d.boost) if d.boost else price
    price = price if along == price.along else replace(price, along=along)
    ways = _listed_ways(game, known, d, price) if price.costs else ()
    return Offer(
        d,
        "illegal" if refusals else "ruling" if action.ruling(known, d) is None else "legal",
        action.label(known, d),
        ways[0] if ways else price,
        ways,
        refusals,
        action.open_parameters(known, d),
        action.warnings(known, d) if not refusals else (),
        action.rules,
    )


def _listed_ways(game: Game, known: State, d: Declaration, price: Price) -> tuple[Price, ...]:
    """The ways of paying that an offer shows: those that are open now, or all where none is."""
    ways = all_ways(game, known, d, price) if game.has_ways else (price,)
    return ways if len(ways) < 2 else payable(game, known, d, price) or ways


def offers(game: Game, known: State, actor: ActorId, moment: Moment | None = None) -> tuple[Offer, ...]:
    """Every action of the game for one actor, legal or not, with all reasons."""
    if actor and actor not in known.actors:
        return ()
    return tuple(
        offer(game, known, d, moment)
        for action in game.actions.values()
        if (action.nature == "guide") is not bool(actor)
        if action.nature != "turn" or known.active in (None, actor)
        for d in action.variants(known, actor)
    )
