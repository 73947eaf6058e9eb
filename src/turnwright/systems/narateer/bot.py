"""A plain fighter: comes into reach, attacks, and guards itself; it plays from what its seat knows."""

from __future__ import annotations

from turnwright.engine import legal
from turnwright.model import Answer, Choose, Chosen, Commit, Committed, Declaration, Question, State
from turnwright.policy import plain_answer
from turnwright.rules import Game
from turnwright.space import distance
from turnwright.systems.narateer.exchange import armed_with, reaches
from turnwright.systems.narateer.movement import reachable
from turnwright.systems.narateer.senses import locates, opponents
from turnwright.systems.narateer.sheet import Character, character


class Fighter:
    """Attacks whoever is in reach, else walks toward the nearest opponent that it can place, else ends its turn."""

    def answer(self, game: Game, known: State, question: Question) -> Answer:
        if isinstance(question, Choose) and question.about == "response":
            return self._respond(known, question)
        if isinstance(question, Choose) and len(question.options) > 1 and question.about != "bump":
            return Chosen(question.options[1].id)
        if isinstance(question, Commit):
            return Committed(min(1, question.most))
        return plain_answer(question)

    def _respond(self, known: State, question: Choose) -> Answer:
        """A guard while there are AD for it, and no Clash that could hurt."""
        for option in question.options:
            if option.id == "full_guard":
                return Chosen(option.id, min(1, option.most))
        return Chosen("no_response")

    def declare(self, game: Game, known: State, actor: str) -> Declaration:
        me = character(known, actor)
        foes = [foe for foe in opponents(known, me) if not foe.down and locates(known, me, foe)]
        if me.ready > 1:
            for foe in foes:
                d = Declaration(actor, "attack", f"harm {foe.id}", "strike", target=foe.id, boost=min(1, me.ready - 2))
                weapon = armed_with(known, d)
                if weapon is not None and reaches(known, me, foe, weapon) and legal(game, known, d):
                    return d
        if foes and not me.mode:
            closer = self._approach(known, me, foes)
            if closer is not None and legal(game, known, closer):
                return closer
        return Declaration(actor, "end")

    def _approach(self, known: State, me: Character, foes: list[Character]) -> Declaration | None:
        found = reachable(known, me.id, "walk")
        if found is None or not isinstance(me.at, tuple):
            return None
        here = me.at
        goals = [foe.at for foe in foes if isinstance(foe.at, tuple)]
        if not goals or min(distance(here, goal) for goal in goals) <= 1:
            return None
        best = min(found.cells(), key=lambda cell: (min(distance(cell, goal) for goal in goals), cell), default=None)
        if best is None:
            return None
        d = Declaration(me.id, "walk", "come closer", "walk", route=found.route(best))
        return d
