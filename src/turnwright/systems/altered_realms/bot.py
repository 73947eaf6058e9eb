"""A fighter with plain good sense; it plays from what its seat knows, and the same knowledge gives the same answer."""

from __future__ import annotations

from turnwright.model import Answer, Declaration, Question, State
from turnwright.policy import first_legal
from turnwright.rules import Game
from turnwright.systems.altered_realms.answering import answered
from turnwright.systems.altered_realms.outlook import Outlook
from turnwright.systems.altered_realms.tactics import TACTICS


class Brawler:
    """Strikes, holds, throws, pushes, casts, guards and helps, whichever promises most; and uses its Reactions.

    It has no memory and no dice: what it does follows from the known state and the question alone.
    """

    def answer(self, game: Game, known: State, question: Question) -> Answer:
        return answered(known, question)

    def declare(self, game: Game, known: State, actor: str) -> Declaration:
        """The first proposal of its tactics that the gate lets pass; the end of the turn where there is none."""
        look = Outlook(known, actor)
        return first_legal(game, known, actor, (d for tactic in TACTICS for d in tactic(look)))
