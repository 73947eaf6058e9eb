"""The ledger: what can be committed, in which way it is paid, and the one place where anything is charged."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.events import Barred, Charged, Waived
from turnwright.gate import payable
from turnwright.model import (
    ActorId,
    Amount,
    Bill,
    Choose,
    Chosen,
    Declaration,
    Option,
    Paid,
    Price,
    Question,
    State,
    Withdraw,
    seat_of,
)
from turnwright.playing import Play, ask_each
from turnwright.rules import Game, Steps


def boost_limit(game: Game, state: State, actor: ActorId, bill: Bill, way: str = "") -> int:
    """How much the actor can commit beyond the price: the rule's limit and what is left after the price.

    Where there are several ways to pay, what the fullest of them leaves, or the one that was said.
    """
    if bill.check is None or bill.check.most <= 0:
        return 0
    most = bill.check.most
    if not game.has_ways:
        have = game.available(state, actor, game.boost)
        return most if have is None else max(0, min(most, have - bill.price.amount(game.boost)))
    d = Declaration(actor, "", way=way)
    while most and not payable(game, state, d, game.boosted(bill.price, most)):
        most -= 1
    return most


def pay(
    play: Play, d: Declaration, bills: Mapping[ActorId, Bill], boosts: Mapping[ActorId, int]
) -> Steps[dict[ActorId, Paid] | None]:
    """In which way each pays is settled first, and then all is charged at once."""
    held = {actor: boosts.get(actor, (d.boost or 0) if actor == d.actor else 0) for actor in bills}
    ways: dict[ActorId, Price] | None = {}
    if play.game.has_ways and any(bill.price.costs or held[actor] for actor, bill in bills.items()):
        ways = yield from _ways(play, d, bills, held)
    if ways is None:
        return None
    return {actor: charge(play, actor, bill, held[actor], ways.get(actor)) for actor, bill in bills.items()}


def _ways(
    play: Play, d: Declaration, bills: Mapping[ActorId, Bill], boosts: Mapping[ActorId, int]
) -> Steps[dict[ActorId, Price] | None]:
    """In which way each pays: whoever could in several and named none is asked, before anything is charged."""
    fits: dict[ActorId, tuple[Price, ...]] = {}

    def build() -> tuple[Question, ...]:
        fits.update({actor: _fitting(play, d, actor, bill, boosts[actor]) for actor, bill in bills.items()})
        return tuple([_way_question(play, d, actor, ways) for actor, ways in fits.items() if len(ways) > 1])

    answers = yield from ask_each(build)
    if any(isinstance(given, Withdraw) for given in answers):
        return None
    asked = [actor for actor, ways in fits.items() if len(ways) > 1]
    chosen = {actor: given.id for actor, given in zip(asked, answers, strict=True) if isinstance(given, Chosen)}
    for actor, ways in fits.items():
        if not ways and not play.advise:
            play.emit(Barred("", actor, (f"{bills[actor].label} can no longer be paid",)))
            return None
    return {
        actor: next(way for way in ways if way.way == chosen.get(actor, ways[0].way))
        for actor, ways in fits.items()
        if ways
    }


def _fitting(play: Play, d: Declaration, actor: ActorId, bill: Bill, boost: int) -> tuple[Price, ...]:
    price = play.game.boosted(bill.price, boost) if bill.check is not None and boost else bill.price
    return payable(play.game, play.state, d if actor == d.actor else Declaration(actor, d.action), price)


def _way_question(play: Play, d: Declaration, actor: ActorId, ways: tuple[Price, ...]) -> Choose:
    options = tuple([Option(way.way, way.way, way) for way in ways])
    mine, rule = actor == d.actor, play.game.rule_of("way")
    return Choose(seat_of(play.state, actor), actor, "How is it paid?", rule, options, "way", may_withdraw=mine)


def charge(play: Play, actor: ActorId, bill: Bill, boost: int = 0, way: Price | None = None) -> Paid:
    """Charge one bill with what is committed beyond it, in the way that was chosen, else in the first that fits."""
    boost = boost if bill.check is not None else 0
    price = play.game.boosted(bill.price, boost) if boost else bill.price
    if way is not None:
        price = way
    elif play.game.has_ways and price.costs:
        price = next(iter(payable(play.game, play.state, Declaration(actor, ""), price)), price)
    if price.costs:
        if play.advise:
            _charge_what_there_is(play, actor, price)
        else:
            play.emit(Charged(price.costs[0].rule, actor, price.costs))
    dice = bill.check.dice + boost if bill.check is not None else 0
    return Paid(price, boost, dice)


def _charge_what_there_is(play: Play, actor: ActorId, price: Price) -> None:
    covered, owed = [], []
    left: dict[str, Amount | None] = {}
    for item in price.costs:
        have = left.setdefault(item.resource, play.game.available(play.state, actor, item.resource))
        if have is None or have >= item.amount:
            covered.append(item)
            left[item.resource] = None if have is None else have - item.amount
        else:
            owed.append(item)
    if covered:
        play.emit(Charged(covered[0].rule, actor, tuple(covered)))
    if owed:
        play.emit(Waived(owed[0].rule, actor, ("it could not be paid",), tuple(owed)))
