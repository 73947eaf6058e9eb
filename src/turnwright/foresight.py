"""What a table foretells: odds from what a seat knows, by the answers of others, side by side, and what would help."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from turnwright.answers import is_count, is_text, read_answer, read_answers, read_help
from turnwright.branching import Holds
from turnwright.comparing import Comparison, Glance, Hint, OpenOdds
from turnwright.deciding import Deciding, Plan, Planned
from turnwright.engine import Play, boost_limit
from turnwright.gate import reasons
from turnwright.glancing import AS_PLANNED, glances
from turnwright.hinting import ASKED, better, changes
from turnwright.kept import Kept
from turnwright.known import Open
from turnwright.model import (
    GUIDE,
    Bill,
    Commit,
    Committed,
    Declaration,
    Offer,
    Price,
    Question,
    Refusal,
    Refused,
    Ruling,
    SeatId,
    State,
    seat_of,
)
from turnwright.odds import LIMIT, Odds, odds
from turnwright.policy import Policy
from turnwright.rules import Game
from turnwright.running import Pending
from turnwright.underway import answered, planned

AT_A_GLANCE, IN_ALL = 400, 1500
"""How many branches are followed for one offer, and for all that are listed at once."""


class Foresight(ABC):
    """The part of a table that foretells; it changes nothing."""

    game: Game
    _foreseen: Kept

    @property
    @abstractmethod
    def state(self) -> State: ...

    @property
    @abstractmethod
    def pending(self) -> Pending | None: ...

    @property
    @abstractmethod
    def waiting_on(self) -> tuple[Open, ...]: ...

    @abstractmethod
    def knows(self, seat: SeatId) -> State: ...

    @abstractmethod
    def _said(
        self, seat: SeatId | None, actor: str, action: str, said: Mapping[str, Any]
    ) -> tuple[State, Declaration]: ...

    @abstractmethod
    def _not_yours(self, known: State, d: Declaration, seat: SeatId | None) -> list[Refusal]: ...

    @abstractmethod
    def _again(self, state: State) -> Play: ...

    @abstractmethod
    def _find(self, name: str) -> tuple[int, Question]: ...

    def odds(
        self,
        actor: str,
        action: str,
        *,
        seat: SeatId | None = None,
        answers: Mapping[str, Any] | None = None,
        policy: Policy | None = None,
        choice: Callable[[State, Question], Any] | None = None,
        interject: Iterable[tuple[str, str]] = (),
        after: Iterable[tuple[str, Mapping[str, Any]]] = (),
        until: Holds | None = None,
        limit: int = LIMIT,
        sample: int = 0,
        seed: int = 0,
        **said: Any,
    ) -> Odds:
        """The exact chance of every outcome of an action as it stands, from what the seat knows.

        What others decide is fixed by `answers` ({"guard response": "full_guard+1"}; a name alone or a kind alone will
        do), given by a `policy` or a `choice`, or else plain: nothing beyond the price, no reaction, the first preset
        of a ruling. `interject` is what others do while the commitment is asked for, as (actor, action).
        `after` is what the actor does first, as (action, what is said of it).
        `until` ends a branch once it holds of the state. Raises Refused, or TooMany past `limit` branches, where no
        `sample` of so many plays, drawn with `seed`, is taken instead.
        """
        is_count(limit=limit, sample=sample)
        if until is not None and not callable(until):
            raise TypeError(f"until is a function of the state that says whether to stop; got {until!r}")
        known, d, helped = self._foretold(seat, actor, action, said, interject)
        first = self._first(seat, actor, after)
        answers = read_answers(answers)
        who = seat or seat_of(self.state, actor)
        key = ("odds", id(self.state), who, _key(d), *map(_key, helped), _said_key(answers), *map(_key, first))
        key += (id(policy), id(choice), id(until), limit, sample, seed)

        def count() -> Odds:
            self._gate(known, (*first, d)[0], seat)
            believed, assumed = self._believed(known)
            decide = Deciding(self.game, answers, policy, choice)
            found = odds(
                self.game,
                believed,
                d,
                choice=decide,
                limit=limit,
                sample=sample,
                seed=seed,
                until=until,
                interjected=helped,
                after=first,
            )
            return found.assuming(*assumed, *decide.check())

        return self._foreseen.get(key, (self.state, answers, policy, choice, until), count)

    def odds_by_answer(
        self,
        actor: str,
        action: str,
        *,
        seat: SeatId | None = None,
        everything: bool = False,
        answers: Mapping[str, Any] | None = None,
        policy: Policy | None = None,
        interject: Iterable[tuple[str, str]] = (),
        after: Iterable[tuple[str, Mapping[str, Any]]] = (),
        limit: int = LIMIT,
        **said: Any,
    ) -> OpenOdds:
        """The odds for every way in which others can decide what is not fixed by `answers`.

        Open is what they choose; with `everything` also how much they commit, their order and the guide's rulings.
        Raises Refused, or TooMany past `limit` branches in all.
        """
        is_count(limit=limit)
        known, d, helped = self._foretold(seat, actor, action, said, interject)
        first = self._first(seat, actor, after)
        answers = read_answers(answers)
        who = seat or seat_of(self.state, actor)
        key = ("open", id(self.state), who, _key(d), *map(_key, helped), _said_key(answers), *map(_key, first))
        key += (id(policy), everything, limit)

        def count() -> OpenOdds:
            self._gate(known, (*first, d)[0], seat)
            believed, assumed = self._believed(known)
            decide = Deciding(self.game, answers, policy)

            def under(plan: Plan, left: int) -> Odds:
                choice = Planned(decide, d, plan, everything)
                return odds(self.game, believed, d, choice=choice, limit=left, interjected=helped, after=first)

            found = dict(planned(under, limit))
            told = (*assumed, *decide.check())
            return OpenOdds({how: each.assuming(*told) for how, each in found.items()})

        return self._foreseen.get(key, (self.state, answers, policy), count)

    def compare(
        self,
        actor: str,
        action: str,
        by: str = "boost",
        values: Iterable[Any] | None = None,
        *,
        seat: SeatId | None = None,
        **said: Any,
    ) -> Comparison:
        """The odds side by side for each value of `by`: "boost", or any parameter; its choices where none are given.

        Everything else is as for `odds`. Values that are refused are listed with the reasons. Raises Refused where
        nothing can be compared, and TooMany.
        """
        is_text(by=by)
        parts = {name: said.pop(name) for name in list(said) if name in ASKED}
        tried = list(values) if values is not None else self._values(actor, action, by, seat, said)
        if not tried:
            raise Refused(Refusal("", f"{action} has no choices for {by}; say which values", "NO_CHOICES"))
        found: dict[Any, Odds] = {}
        prices: dict[Any, Price] = {}
        refused: dict[Any, tuple[Refusal, ...]] = {}
        for value in tried:
            with_it = {**said, by: value}
            try:
                found[value] = self.odds(actor, action, seat=seat, **parts, **with_it)
            except Refused as error:
                refused[value] = error.refusals
            else:
                known, d = self._said(seat, actor, action, with_it)
                prices[value] = self._price(known, d)
        return Comparison(by, found, prices, refused)

    def hints(self, actor: str, action: str, *, seat: SeatId | None = None, **said: Any) -> tuple[Hint, ...]:
        """Single changes that raise the chance of success materially, the cheapest first: a Boost, another means, help.

        Everything else is as for `odds`. Raises Refused and TooMany.
        """
        parts = {name: said.pop(name) for name in list(said) if name in ASKED}
        now = self.odds(actor, action, seat=seat, **parts, **said)
        known, d = self._said(seat, actor, action, said)
        price = self._price(known, d)
        found: list[Hint] = []
        for tries in changes(self, known, d, seat, parts):
            hint = next(better(self, now, price, actor, action, seat, {**parts, **said}, tries), None)
            if hint is not None:
                found.append(hint)
        return tuple(sorted(found, key=lambda hint: (sum(hint.costs.values()), -hint.gain, hint.change)))

    def odds_of_answer(
        self, question: str | Open, value: Any, *, seat: SeatId | None = None, limit: int = LIMIT
    ) -> Odds:
        """The odds of the action under way if the open question is answered so.

        The guide gets those of the truth; everybody else those of what they know, about their own commitment or their
        answer to somebody else's action. Raises Refused where a seat cannot know enough to tell, and TooMany.
        """
        index, asked, who = self._open_to(question, seat)
        given = read_answer(self.game, self.state, asked, value)
        key = ("answer", id(self.state), id(self.pending), who, index, repr(given), limit)
        return self._foreseen.get(
            key, (self.state, self.pending), lambda: answered(self, index, asked, given, who, None, limit)
        )

    def chances_of(
        self, question: str | Open, *, seat: SeatId | None = None, limit: int = IN_ALL
    ) -> tuple[Glance, ...]:
        """For an actor's own commitment the chance of success with every Boost; nothing for other questions.

        Knowledge, Refused and TooMany are as for `odds_of_answer`.
        """
        index, asked, who = self._open_to(question, seat)
        pending = self.pending
        if not isinstance(asked, Commit) or pending is None or asked.actor != pending.declaration.actor:
            return ()

        def with_boost(boost: int) -> Glance:
            given = Committed(boost)
            ways = dict(planned(lambda plan, left: answered(self, index, asked, given, who, plan, left), limit))
            return OpenOdds(ways).glance(boost)

        key = ("commit", id(self.state), id(pending), who, index, limit)
        return self._foreseen.get(
            key, (self.state, pending), lambda: tuple(with_boost(boost) for boost in range(asked.most + 1))
        )

    def chances(
        self, offers: Sequence[Offer], *, limit: int = AT_A_GLANCE, in_all: int = IN_ALL
    ) -> tuple[tuple[Glance, ...] | None, ...]:
        """For each offer the chance of success for every Boost that can be paid; nothing where nothing is uncertain.

        None stands where it would take more than `limit` branches, or all together more than `in_all`.
        """
        told: list[tuple[Glance, ...] | None] = []
        spent = 0
        for offer in offers:
            found, branches = glances(self, offer, limit) if spent < in_all else (None, 0)
            told.append(found)
            spent += branches
        return tuple(told)

    # -- what is asked

    def _foretold(
        self,
        seat: SeatId | None,
        actor: str,
        action: str,
        said: Mapping[str, Any],
        interject: Iterable[tuple[str, str]],
    ) -> tuple[State, Declaration, tuple[Declaration, ...]]:
        """What the seat knows, the declaration, and what others do about it in between."""
        known, d = self._said(seat, actor, action, said)
        named = read_help(interject)
        helped = tuple([Declaration(who, what, AS_PLANNED, AS_PLANNED, target=actor) for who, what in named])
        for help in helped:
            found = self.game.actions.get(help.action)
            if found is None or not found.interjected:
                text = f"{help.action} is nothing that is done while another's question is open"
                raise Refused(Refusal("", text, "NO_WINDOW"))
        return known, replace(d, boost=0) if d.boost is None else d, helped

    def _first(
        self, seat: SeatId | None, actor: str, after: Iterable[tuple[str, Mapping[str, Any]]]
    ) -> tuple[Declaration, ...]:
        """What the actor does before, as declarations. Raises Refused for what is no list of actions."""
        first: list[Declaration] = []
        for step in (after,) if isinstance(after, (str, Mapping)) else after:
            if not (isinstance(step, tuple) and len(step) == 2 and isinstance(step[1], Mapping)):
                text = (
                    f'what is done first is (action, what is said of it), as ("walk", {{"to": (4, 2)}}); got {step!r}'
                )
                raise Refused(Refusal("", text, "NO_ACTION"))
            _, d = self._said(seat, actor, step[0], step[1])
            if d.action not in self.game.actions:
                raise Refused(Refusal("", f"{d.action} is no action of this game", "NO_ACTION"))
            first.append(replace(d, boost=0) if d.boost is None else d)
        return tuple(first)

    def _gate(self, known: State, d: Declaration, seat: SeatId | None) -> None:
        against = self._not_yours(known, d, seat) or list(reasons(self.game, known, d, whole=True))
        if against:
            raise Refused(*against)

    def _believed(self, known: State) -> tuple[State, tuple[str, ...]]:
        return (known, ()) if known is self.state else self.game.believed(self.state, known)

    def _price(self, known: State, d: Declaration) -> Price:
        return self.game.boosted(self.game.actions[d.action].price(known, d), d.boost or 0)

    def _bill(self, known: State, d: Declaration) -> Bill:
        """What the actor will be asked to commit: as the rules say, or as the first preset of the guide does."""
        action = self.game.actions[d.action]
        ruling = action.ruling(known, d) or next(iter(self.game.suggestions(known, d)), Ruling("unclear"))
        try:
            return action.bill(known, d, action.ruled(known, d, ruling))
        except (LookupError, AssertionError):
            return Bill(action.price(known, d), action.check(known, d))

    # -- comparing

    def _values(self, actor: str, action: str, by: str, seat: SeatId | None, said: Mapping[str, Any]) -> list[Any]:
        """What a part of a declaration can be, by the rules as they stand."""
        known, d = self._said(seat, actor, action, said)
        found = self.game.actions.get(action)
        if found is None or actor not in known.actors:
            self._gate(known, d, seat)
            return []
        if by == "boost":
            bill, check = self._bill(known, d), found.check(known, d)
            most = check.most if check is not None else boost_limit(self.game, known, actor, bill)
            return list(range(max(0, most) + 1))
        for parameter in found.open_parameters(known, d):
            if parameter.name == by and parameter.choices:
                return list(parameter.choices)
            if parameter.name == by and parameter.kind == "yes":
                return ["no", "yes"]
        listed = [each.target if by == "target" else each.option(by) for each in found.variants(known, actor)]
        return list(dict.fromkeys(value for value in listed if value))

    # -- the action under way

    def _open_to(self, question: str | Open, seat: SeatId | None) -> tuple[int, Question, SeatId]:
        """An open question by its place, and for whom it is foretold. Raises Refused for somebody else's."""
        index, asked = self._find(question if isinstance(question, str) else question.id)
        who = asked.who if seat is None else seat
        if who not in (GUIDE, asked.who):
            raise Refused(Refusal("", f"this is for {asked.who or 'nobody'} to answer", "NOT_YOURS"))
        return index, asked, who


def _key(d: Declaration) -> Hashable:
    return (*d.key(), d.intent, d.method)


def _said_key(answers: Mapping[str, Any] | None) -> Hashable:
    return tuple(sorted((name, repr(value)) for name, value in (answers or {}).items()))


__all__ = ["AT_A_GLANCE", "Foresight", "Kept"]
