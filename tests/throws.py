"""Every way in which dice can fall, counted one by one with no help from the engine; and scenes to count it in."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

from journeys import SEATS, THICKET
from scenes import character, table

import turnwright as tw
from turnwright.answers import read_declaration
from turnwright.engine import Play
from turnwright.model import Answer, Declaration, Outcome, Question, Roll, Rolled, State
from turnwright.policy import plain_answer
from turnwright.simulate import run_through
from turnwright.systems.narateer.events import SearchBegun

LAIR = [".,......", ".,......", "........"]


def sword() -> list[dict[str, Any]]:
    return [{"name": "sword"}]


class Faces:
    """Hands out the throws of one way in which all dice can fall; says how many dice were asked for."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces, self.asked = faces, 0

    def choose(self, choice: Any) -> Any:
        def answer(state: State, question: Question) -> Answer:
            if not isinstance(question, Roll):
                return choice(state, question)  # type: ignore[no-any-return]
            first, self.asked = self.asked, self.asked + question.pool.thrown
            thrown = self.faces[first : self.asked]
            if len(thrown) < question.pool.thrown:
                thrown = (1,) * question.pool.thrown
            total = question.pool.total(thrown)
            return Rolled(question.reading(total), total, thrown)

        return answer


def plainly(state: State, question: Question) -> Answer:
    return plain_answer(question)


def counted(made: tw.Table, d: Declaration, dice: int, choice: Any = plainly) -> dict[Outcome, Fraction]:
    """The chances found by throwing so many dice in each of their ways; fewer are used where a branch needs fewer."""
    found: Counter[Outcome] = Counter()
    used = 0
    for faces in product(range(1, 7), repeat=dice):
        source = Faces(faces)
        outcome, _ = run_through(Play(made.game, made.state), d, source.choose(choice))
        found[outcome] += 1
        used = max(used, source.asked)
    assert used == dice, f"{used} dice fall at most, {dice} were counted"
    return {outcome: Fraction(n, 6**dice) for outcome, n in found.items()}


def hiding(watchers: int, looking: int = 0, stealth: int = 2, **keys: Any) -> tw.Table:
    """Selka in a thicket before so many who could notice, the first of whom actively look."""
    guards = [
        character(f"guard{n}", "guards", (4 + n % 4, n // 4), skills={"observation": n % 3}) for n in range(watchers)
    ]
    made = table(
        character("selka", "heroes", (1, 1), skills={"stealth": stealth}, seat="ann"),
        *guards,
        rows=LAIR,
        legend=THICKET,
        seats=SEATS,
        begin="selka",
        **keys,
    )
    if looking:
        made.override([SearchBegun("", f"guard{n}", by_word=True) for n in range(looking)], "they look")
    return made


def declared(made: tw.Table, actor: str, action: str, **said: Any) -> Declaration:
    d = read_declaration(made.game, actor, action, said)
    return made.game.actions[action].complete(made.state, d)


def falls_within(made: tw.Table, d: Declaration, dice: int, choice: Any) -> bool:
    """Whether no branch needs more dice than so many."""
    for faces in product((1, 6), repeat=dice):
        source = Faces(faces)
        run_through(Play(made.game, made.state), d, source.choose(choice))
        if source.asked > dice:
            return False
    return True
