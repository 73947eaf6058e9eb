"""What people decide while odds are counted: fixed beforehand, by a policy, plainly, or left open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from typing import Any

from turnwright.answers import read_answer
from turnwright.model import (
    Answer,
    Choose,
    Chosen,
    Clarify,
    Commit,
    Committed,
    Confirm,
    Declaration,
    Option,
    Order,
    Ordered,
    Question,
    Refusal,
    Refused,
    Rule,
    Ruled,
    Ruling,
    State,
    Struct,
)
from turnwright.policy import Policy, plain_answer
from turnwright.rules import Game

MOST_IN_ORDER = 4
"""Up to so many who act at once are tried in every order."""


def about(question: Question) -> str:
    """What a question is about, in a word: the response, the reaction, `boost`, `ruling`, `order`."""
    if isinstance(question, Choose):
        return question.about or "choice"
    names = {Commit: "boost", Rule: "ruling", Order: "order", Confirm: "confirm", Clarify: "clarify"}
    return names.get(type(question), "")


def asked_of(question: Question) -> str:
    """Who decides: a character, or the seat whose own word it is."""
    return question.actor if question.actor and not isinstance(question, (Rule, Order)) else question.who


def names(question: Question) -> tuple[str, str, str]:
    """By what an answer to it can be fixed, the most exact first: `guard response`, `guard`, `response`."""
    who, what = asked_of(question), about(question)
    return f"{who} {what}", who, what


class Deciding:
    """Answers what is no roll: by what is fixed, else by a choice or a policy, else plainly.

    Plainly is: nothing beyond the price, no reaction, and the first preset of a ruling.
    """

    def __init__(
        self,
        game: Game,
        answers: Mapping[str, Any] | None = None,
        policy: Policy | None = None,
        choice: Callable[[State, Question], Answer] | None = None,
    ) -> None:
        self.game, self.policy, self.choice = game, policy, choice
        self.answers = {" ".join(name.split()): value for name, value in (answers or {}).items()}
        self._fitted: dict[str, bool] = {}
        self._unfit: dict[str, Refused] = {}

    def __call__(self, state: State, question: Question) -> Answer:
        name = self.fixed(question)
        if name:
            try:
                given = read(self.game, state, question, self.answers[name])
            except Refused as error:
                self._unfit.setdefault(name, error)
            else:
                self._fitted[name] = True
                return given
        if self.choice is not None:
            return self.choice(state, question)
        if self.policy is not None:
            return self.policy.answer(self.game, self.game.known(state, question.who), question)
        return plain_answer(question)

    def fixed(self, question: Question) -> str:
        """The name under which the answer is fixed; empty where it is not."""
        return next((name for name in names(question) if name in self.answers), "")

    def check(self) -> tuple[str, ...]:
        """What was fixed for nothing, in words. Raises Refused for an answer that fitted no question it was for."""
        for name, error in self._unfit.items():
            if name not in self._fitted:
                raise Refused(*(Refusal(r.rule, f"{name}: {r.text}", r.code) for r in error.refusals))
        unused = [name for name in self.answers if name not in self._fitted]
        return tuple(f"nobody is asked for {name!r}" for name in unused)


def read(game: Game, state: State, question: Question, value: Any) -> Answer:
    """What a fixed value answers; given as a function it is asked with the question. Raises Refused."""
    if callable(value) and not isinstance(value, type):
        value = value(question)
    if isinstance(value, str):
        number = value.strip().lstrip("+")
        if isinstance(question, Choose):
            value = _chosen(question, value)
        elif isinstance(question, (Commit, Rule)) and number.isdecimal():
            value = int(number)
    return read_answer(game, state, question, value)


def _chosen(question: Choose, text: str) -> Any:
    """`full_guard+1`: an option by its id, or by how it begins, with what is committed to it."""
    head, plus, amount = text.rpartition("+")
    boost = int(amount) if plus and amount.strip().isdecimal() else None
    for said, committed in ((text, 0), (head, boost)):
        if said and committed is not None:
            found = _option(question, said)
            if found is not None:
                return Chosen(found.id, committed)
    return text


def _option(question: Choose, said: str) -> Option | None:
    for option in question.options:
        if option.id == said:
            return option
    begins = _plain(said)
    like = [o for o in question.options if begins in (_plain(o.id)[: len(begins)], _plain(o.label)[: len(begins)])]
    return like[0] if like else None


def _plain(text: str) -> str:
    return text.strip().lower().replace("_", " ")


# -- left open


class Decision(Struct, frozen=True):
    """One answer that somebody can give: who, to what, and the answer in short."""

    who: str
    about: str
    answer: str

    def __str__(self) -> str:
        return f"{self.who} {self.about.replace('_', ' ')}: {self.answer}"


Plan = Mapping[tuple[str, str], tuple[Answer, Decision]]
"""What everybody answers, by who is asked and about what."""


class Undecided(Exception):
    """A decision that no plan covers: its key and every answer that there is to it."""

    def __init__(self, key: tuple[str, str], answers: list[tuple[Answer, Decision]]) -> None:
        self.key, self.answers = key, answers
        super().__init__(" ".join(key))


class Planned:
    """Answers by a plan, and stops at the first open decision that is not in it.

    Open is what others choose and what is not fixed; with `everything` also how much they commit and the rulings.
    """

    def __init__(self, otherwise: Deciding, d: Declaration, plan: Plan, everything: bool) -> None:
        self.otherwise, self.actor, self.plan, self.everything = otherwise, d.actor, plan, everything

    def __call__(self, state: State, question: Question) -> Answer:
        if asked_of(question) == self.actor or self.otherwise.fixed(question):
            return self.otherwise(state, question)
        key = asked_of(question), about(question)
        if key in self.plan:
            given = self.plan[key][0]
            return given if _fits(question, given) else self.otherwise(state, question)
        answers = list(_answers(question, self.everything))
        if len(answers) < 2:
            return self.otherwise(state, question)
        raise Undecided(key, [(answer, Decision(*key, words)) for answer, words in answers])


def _answers(question: Question, everything: bool) -> Iterator[tuple[Answer, str]]:
    """Every answer to a decision, with its words."""
    match question:
        case Choose(options=options):
            for option in options:
                for amount in range(option.most + 1 if everything else 1):
                    words = option.label if option.id.isdecimal() else option.id.replace("_", " ")
                    yield Chosen(option.id, amount), words + (f" +{amount}" if amount else "")
        case Commit(most=most) if everything:
            for amount in range(most + 1):
                yield Committed(amount), f"+{amount}"
        case Rule(suggested=suggested) if everything:
            for ruling in suggested:
                if ruling.kind != "unclear":  # it only asks again
                    yield Ruled(ruling), ruling_in_short(ruling)
        case Order(among=among) if everything and len(among) <= MOST_IN_ORDER:
            for order in permutations(among):
                yield Ordered(order), ", ".join(order)


def ruling_in_short(ruling: Ruling) -> str:
    """`check athletics 6`, `automatic: the door gives way`."""
    parts = [ruling.kind, ruling.skill, ruling.against or ("" if ruling.target is None else str(ruling.target))]
    said = ruling.obstacle or (ruling.success if ruling.kind == "automatic" else ruling.procedure)
    return " ".join(part for part in parts if part) + (f": {said}" if said else "")


def _fits(question: Question, given: Answer) -> bool:
    match question, given:
        case Choose(options=options), Chosen():
            return any(o.id == given.id and given.amount <= o.most for o in options)
        case Commit(most=most), Committed():
            return given.boost <= most
        case Order(among=among), Ordered():
            return sorted(among) == sorted(given.actors)
    return isinstance(question, Rule)
