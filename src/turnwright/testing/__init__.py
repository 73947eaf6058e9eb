"""Checks that any game can run on itself: each plays or compares, and raises Broken where something does not hold.

`play` takes a table through a scene, one random input at a time. After any of them `check` looks whether what every
table promises is kept; `check_offers` tries everything that one actor is offered; `check_secrets` compares two states
that a seat cannot tell apart. What makes a good scene, and what a seat cannot know, is for the tests of a game to say.
"""

from turnwright.testing.counting import check_lines, declared, divided, every_reading, lines, one_reading
from turnwright.testing.hiding import check_secrets
from turnwright.testing.offering import check_game, check_offers
from turnwright.testing.playing import OVER, any_answer, play
from turnwright.testing.promises import (
    Broken,
    check,
    check_amounts,
    check_folds,
    check_saves,
    check_undo,
    everything,
    said,
    snapshot,
)

__all__ = [
    "OVER",
    "Broken",
    "any_answer",
    "check",
    "check_amounts",
    "check_folds",
    "check_game",
    "check_lines",
    "check_offers",
    "check_saves",
    "check_secrets",
    "check_undo",
    "declared",
    "divided",
    "every_reading",
    "everything",
    "lines",
    "one_reading",
    "play",
    "said",
    "snapshot",
]
