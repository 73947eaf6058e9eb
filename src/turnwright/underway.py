"""The odds of what is under way: with one answer given, from what a seat knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from turnwright.branching import TooMany
from turnwright.deciding import Deciding, Decision, Plan, Planned, Undecided, about, asked_of
from turnwright.model import (
    GUIDE,
    Answer,
    Choose,
    Commit,
    Confirm,
    Declaration,
    Question,
    Refusal,
    Refused,
    Rolled,
    Ruling,
    SeatId,
    seat_of,
)
from turnwright.odds import Odds, odds, odds_from_here
from turnwright.running import Pending

if TYPE_CHECKING:
    from turnwright.foresight import Foresight


def answered(
    table: Foresight, index: int, asked: Question, given: Answer, seat: SeatId, plan: Plan | None, limit: int
) -> Odds:
    """The odds of what is under way with one answer; with a plan others choose by it."""
    pending = table.pending
    assert pending is not None
    try:
        if seat != GUIDE:
            return _as_far_as_known(table, pending, asked, given, seat, plan, limit)
        choice = _choosing(Deciding(table.game), pending.declaration, plan)
        return odds_from_here(table.game, pending, table._again, {index: given}, choice=choice, limit=limit)
    except (LookupError, AttributeError, TypeError, ValueError, AssertionError) as error:
        if table._again(table.state).advise:
            raise _untold("what was let pass lacks something that the rule needs") from error
        raise


def _as_far_as_known(
    table: Foresight, pending: Pending, asked: Question, given: Answer, seat: SeatId, plan: Plan | None, limit: int
) -> Odds:
    """From what the seat knows: its own commitment from here on, or its answer to what another declared."""
    d = pending.declaration
    own = asked.actor == d.actor and seat_of(table.state, d.actor) == seat
    if own and isinstance(asked, Confirm | Commit) and (isinstance(asked, Confirm) or asked.may_withdraw):
        state, fixed = table.state, _ruled(asked, seat)
        boost = getattr(given, "boost", d.boost or 0)
    elif not own and isinstance(asked, Choose) and not pending.goes_on and not rolled(pending):
        state, fixed = pending.base, {f"{asked_of(asked)} {about(asked)}": given}
        boost = 0
    else:
        raise _untold("what comes of it hangs on what you cannot know")
    known = table.game.known(state, seat)
    if d.actor not in known.actors:
        raise _untold("you do not know who does this")
    believed, assumed = table.game.believed(state, known)
    if not own:
        assumed = (*assumed, f"{known.actors[d.actor].name}: nothing committed beyond the price")
    choice = _choosing(Deciding(table.game, fixed), d, plan)
    found = odds(table.game, believed, replace(d, boost=boost), choice=choice, limit=limit)
    return found.assuming(*assumed)


def rolled(pending: Pending) -> bool:
    """Whether a die of the action under way has been read, so that odds from its beginning would be wrong."""
    return any(isinstance(answer, Rolled) for given in pending.inputs for answer in getattr(given, "answers", ()))


def _choosing(decide: Deciding, d: Declaration, plan: Plan | None) -> Deciding | Planned:
    return decide if plan is None else Planned(decide, d, plan, False)


def _ruled(asked: Question, seat: SeatId) -> dict[str, Any]:
    """The ruling that is being committed to, as far as its seat may know it. Raises Refused for a secret number."""
    ruling = getattr(asked, "ruling", None)
    if not isinstance(ruling, Ruling):
        return {}
    if seat != GUIDE and ruling.kind == "check" and (ruling.secret or ruling.target is None):
        raise _untold("the number to reach is the guide's secret")
    return {"ruling": ruling}


def _untold(why: str) -> Refused:
    return Refused(Refusal("", f"there are no odds for this: {why}", "NO_ODDS"))


def planned(under: Callable[[Plan, int], Odds], limit: int) -> Iterator[tuple[tuple[Decision, ...], Odds]]:
    """Every plan of those who decide, found by trying: a decision that is met for the first time makes as many."""
    plans: list[Plan] = [{}]
    spent = 0
    while plans:
        plan = plans.pop()
        try:
            found = under(plan, limit - spent)
        except Undecided as met:
            plans.extend({**plan, met.key: answer} for answer in reversed(met.answers))
        except TooMany:
            raise TooMany(limit) from None
        else:
            spent += max(1, found.branches)
            yield tuple(decision for _, decision in plan.values()), found
