"""What a seat may do while somebody else's question is open, as far as it knows of that question."""

from __future__ import annotations

from turnwright.model import GUIDE, SPECTATOR, Commit, Offer, SeatId
from turnwright.rules import Action
from turnwright.table import Table


def open_to(table: Table, seat: SeatId) -> tuple[Offer, ...]:
    """What the characters of a seat may do in between: to help with a check before it is committed to, for instance."""
    if seat == SPECTATOR:
        return ()
    known, actions = table.knows(seat), table.game.actions
    asked = [held.question for held in table.waiting_on if isinstance(held.question, Commit)]
    if not any(question.moment is not None and question.actor in known.actors for question in asked):
        return ()
    own = [actor.id for actor in known.actors.values() if actor.seat == seat]
    listed = [offer for actor in own for offer in table.offers(actor)]
    return tuple([offer for offer in listed if offer.verdict != "illegal" and _between(actions[offer.action])])


def at_any_moment(table: Table, seat: SeatId) -> tuple[Offer, ...]:
    """What the characters of a seat may do on anybody's turn; on its own turn it is among everything else.

    It does not depend on what somebody else is asked: of that a seat hears nothing.
    """
    known, actions = table.knows(seat), table.game.actions
    if seat == SPECTATOR or table.revealed or not any(_free(action) for action in actions.values()):
        return ()
    own = [actor.id for actor in known.actors.values() if actor.seat == seat]
    waiting = [name for name in own if name != known.active or table.pending is not None]
    listed = [offer for actor in waiting for offer in table.offers(actor)]
    return tuple([offer for offer in listed if offer.verdict != "illegal" and _free(actions[offer.action])])


def _between(action: Action) -> bool:
    return action.interjected and action.nature not in ("guide", "free")


def _free(action: Action) -> bool:
    return action.interjected and action.nature == "free"


def marks(table: Table, seats: tuple[SeatId, ...]) -> dict[SeatId, tuple[object, ...]]:
    """By which each seat's page tells whether that has changed; the guide's changes with every question as it is.

    Whoever acts also sees that what was declared is over, though nothing came of it: a reaction that nobody took.
    A seat's other devices see that it has answered, and the guide sees who has.
    """
    return {
        seat: (
            seat != GUIDE and _held_up(table, seat),
            [held.id for held in table.waiting_on if held.drafted and seat in (GUIDE, held.who)],
            [offer.declaration.key() for found in (open_to, at_any_moment) for offer in found(table, seat)]
            if seat != GUIDE
            else [],
        )
        for seat in seats
    }


def _held_up(table: Table, seat: SeatId) -> bool:
    """Whether a character of the seat acts, and something that was declared is not over yet."""
    acting = table.state.actors.get(table.state.active or "")
    return table.pending is not None and acting is not None and acting.seat == seat
