"""What is answered without a person: the dice that the engine throws, and what a seat has said once and for all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec.structs import replace

from turnwright.dice import ByHand, Seeded, Source
from turnwright.gate import legal
from turnwright.model import (
    AnyAnswer,
    Choose,
    Chosen,
    Declaration,
    Moment,
    Question,
    Roll,
    Rolled,
    SeatId,
    State,
    seat_of,
)
from turnwright.rules import Game

Standing = Mapping[str, str]
"""What seats answer beforehand, by seat and what it is about: {"ann assist": "never"}."""


def dice_source(dice: str | Source, secret: bytes) -> Source:
    if not isinstance(dice, str):
        return dice
    if dice not in ("engine", "table"):
        raise ValueError(f"dice are 'engine', 'table' or a source of dice, not {dice!r}")
    return ByHand() if dice == "table" else Seeded(secret)


def rolled(question: Roll, read: tuple[int, ...] | int, by: str = "engine") -> Rolled:
    """Faces or a total as the reading that the question asks for."""
    faces = read if isinstance(read, tuple) else ()
    total = question.pool.total(faces) if isinstance(read, tuple) else read
    return Rolled(question.reading(total), total, faces, by)


def thrown(question: Roll, index: int, chain: bytes, source: Source, by_hand: Collection[SeatId]) -> Rolled | None:
    """What the source of dice throws for the question of that number; None where a person rolls."""
    if question.who in by_hand:
        return None
    read = source.faces(question.pool, chain, index)
    by = "engine" if isinstance(source, Seeded) else "script"
    return None if read is None else rolled(question, read, by)


def said_before(question: Question, standing: Standing) -> AnyAnswer | None:
    """What the seat has said once and for all about questions of this kind."""
    if not isinstance(question, Choose) or not question.about:
        return None
    wish = standing.get(f"{question.who} {question.about}", "")
    if wish == "always":
        return next((Chosen(option.id) for option in question.options if option.id != "pass"), None)
    wanted = "pass" if wish == "never" else wish
    return next((Chosen(option.id) for option in question.options if option.id == wanted), None)


def always_done(
    game: Game, state: State, standing: Standing, moment: Moment, knows: Callable[[SeatId], State]
) -> Declaration | None:
    """What a seat always does as soon as an open question leaves time for it."""
    for name, wish in standing.items():
        seat, _, about = name.partition(" ")
        action = game.actions.get(about)
        if wish != "always" or action is None or not action.interjected:
            continue
        for d in action.candidates(state, moment):
            said = action.complete(state, replace(d, method="as always"))
            if seat_of(state, d.actor) == seat and legal(game, knows(seat), said, moment):
                return said
    return None
