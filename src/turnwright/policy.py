"""Who answers when no person does: an automatic guide with rules of thumb, and bots that play any legal offer."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar, runtime_checkable

import msgspec
from msgspec.structs import replace

from turnwright.gate import legal, offers
from turnwright.model import (
    Answer,
    Choose,
    Chosen,
    Clarified,
    Clarify,
    Commit,
    Committed,
    Confirm,
    Confirmed,
    Declaration,
    Order,
    Ordered,
    Question,
    Rule,
    Ruled,
    State,
    enc_hook,
)
from turnwright.rules import Game

T = TypeVar("T")
TRIES = 8
MOST_IN_A_TURN = 20
"""After so many declarations of a bot its turn is ended for it."""


class Policy(Protocol):
    """Answers questions, and declares for an actor, from what its seat knows and nothing else."""

    def answer(self, game: Game, known: State, question: Question) -> Answer: ...

    def declare(self, game: Game, known: State, actor: str) -> Declaration: ...


@runtime_checkable
class Helpful(Protocol):
    """A policy that may also do something of its own accord while somebody else's question is open."""

    def interject(self, game: Game, known: State, actor: str, question: Question) -> Declaration | None: ...


def bot_of(game: Game) -> Policy:
    """Who plays the game where no person does: the game's own bot, else one that knows nothing but the offers."""
    return game.bot() or PlainBot()


def plain_answer(question: Question) -> Answer:
    """The answer of somebody who commits nothing beyond the price, passes, and follows the rules of thumb.

    Raises LookupError for a roll: dice are nobody's choice.
    """
    match question:
        case Choose(options=options):
            return Chosen(options[0].id)
        case Commit():
            return Committed(0)
        case Confirm():
            return Confirmed()
        case Rule(suggested=suggested):
            return Ruled(suggested[0])
        case Clarify():
            return Clarified("go on", "as seems best")
        case Order(among=among):
            return Ordered(among)
    raise LookupError(f"{type(question).__name__} is not a choice")


class AutomaticGuide:
    """Rules by the presets: what the scene says, else a check of a likely Skill at the ladder's standard.

    A stranger who walks into somebody hidden finds them; simultaneous reactions go in the order of the scene.
    """

    def answer(self, game: Game, known: State, question: Question) -> Answer:
        return plain_answer(question)

    def declare(self, game: Game, known: State, actor: str) -> Declaration:
        return Declaration(actor, "end")


class PlainBot:
    """Plays any game by its offers alone: some legal one, with its free parameters filled in, or the end of the turn.

    Which one follows from what it knows, so that the same knowledge gives the same answer; it asks the guide for
    nothing and commits nothing beyond the price.
    """

    def answer(self, game: Game, known: State, question: Question) -> Answer:
        if isinstance(question, Choose) and question.about != "bump":
            return Chosen(_chance(known, question.actor).choice(question.options).id)
        return plain_answer(question)

    def declare(self, game: Game, known: State, actor: str) -> Declaration:
        draw = _chance(known, actor)
        listed = [o.declaration for o in offers(game, known, actor) if o.verdict == "legal" and _own(game, o.action)]
        for _ in range(TRIES if listed else 0):
            d = draw.choice(listed)
            action = game.actions[d.action]
            d = action.complete(known, action.fill(known, d, draw.choice))
            if d.boost is None and action.check(known, d) is not None:
                d = replace(d, boost=0)
            if legal(game, known, d, whole=True):
                return d
        return Declaration(actor, "end")


def first_legal(game: Game, known: State, actor: str, proposals: Iterable[Declaration]) -> Declaration:
    """The first of a bot's proposals that the gate lets pass; the end of the turn where there is none."""
    passed = (d for d in proposals if legal(game, known, d, whole=True))
    return next(passed, Declaration(actor, "end"))


def _own(game: Game, name: str) -> bool:
    """Whether an action is done in one's own turn; ending the turn is."""
    action = game.actions[name]
    return action.reacts_to is None and (action.nature in ("proactive", "free") or name == "end")


def _chance(known: State, actor: str) -> random.Random:
    """Chance that only the known state sets."""
    seen = (actor, known.actors, known.relations, known.facts, known.round)
    return random.Random(hashlib.blake2b(msgspec.json.encode(seen, enc_hook=enc_hook)).digest())


class RandomBot:
    """Plays any legal offer: draws an action, fills in its parameters, and passes what the gate refuses."""

    def __init__(self, seed: int | random.Random = 0) -> None:
        self.draw = seed if isinstance(seed, random.Random) else random.Random(seed)
        self._names: dict[str, list[str]] = {}

    def answer(self, game: Game, known: State, question: Question) -> Answer:
        if isinstance(question, Choose) and question.about != "bump":
            option = self.draw.choice(question.options)
            return Chosen(option.id, self.draw.randint(0, option.most))
        if isinstance(question, Commit):
            return Committed(self.draw.randint(0, question.most))
        return plain_answer(question)

    def declare(self, game: Game, known: State, actor: str) -> Declaration:
        """A declaration that the gate accepts; ending the turn when several draws were refused."""
        names = self._declarable(game)
        for _ in range(TRIES):
            action = game.actions[self.draw.choice(names)]
            variants = list(action.variants(known, actor))
            if not variants:
                continue
            d = action.fill(known, self.draw.choice(variants), self._pick)
            d = action.complete(known, d)
            if not legal(game, known, d, whole=True):
                continue
            if d.boost is None and action.check(known, d) is not None and action.ruling(known, d) is not None:
                d = replace(d, boost=0)
            return d
        return Declaration(actor, "end")

    def _pick(self, among: Sequence[T], /) -> T:
        return among[int(self.draw.random() * len(among))]

    def _declarable(self, game: Game) -> list[str]:
        names = self._names.get(game.name)
        if names is None:
            names = [a.name for a in game.actions.values() if a.reacts_to is None and a.nature in ("proactive", "free")]
            self._names[game.name] = names
        return names


Answerer = Callable[[State, Question], Answer]
