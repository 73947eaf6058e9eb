"""What a table foretells: odds from what a seat knows, by the answers of others, side by side, and what would help."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from msgspec.structs import replace

from turnwright.answers import is_count, is_text, read_answer, read_answers, read_help
from turnwright.branching import Holds, TooMany
from turnwright.comparing import Comparison, Glance, Hint, OpenOdds
from turnwright.deciding import Deciding, Decision, Plan, Planned, Undecided, about, asked_of
from turnwright.engine import Play, boost_limit
from turnwright.gate import reasons
from turnwright.known import Open
from turnwright.model import (
    GUIDE,
    Answer,
    Bill,
    Choose,
    Commit,
    Committed,
    Confirm,
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
from turnwright.odds import LIMIT, Odds, odds, odds_from_here
from turnwright.policy import Policy
from turnwright.rules import Game
from turnwright.running import Pending

T = TypeVar("T")
KEPT = 512
"""So many results are kept; asking the same again of the same state takes no time."""
MATERIAL = Fraction(1, 20)
"""By how much a change must raise the chance of success to be worth a hint."""
AT_A_GLANCE, IN_ALL = 400, 1500
"""How many branches are followed for one offer, and for all that are listed at once."""
AS_PLANNED = "as planned"
"""Stands for words that do not change the odds and were not said."""


class Kept:
    """The results that were asked for last, by state, declaration and who decides."""

    def __init__(self, most: int = KEPT) -> None:
        self.most = most
        self._kept: OrderedDict[Hashable, tuple[object, Any]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable, holds: object, make: Callable[[], T]) -> T:
        """What was found for the key. It names things by their identity, so those are held on to in `holds`."""
        if key in self._kept:
            self._kept.move_to_end(key)
            found: T = self._kept[key][1]
            return found
        found = make()
        self._kept[key] = (holds, found)
        if len(self._kept) > self.most:
            self._kept.popitem(last=False)
        return found


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
        `until` ends a branch once it holds of the state. Raises Refused, or TooMany past `limit` branches, where no
        `sample` of so many plays, drawn with `seed`, is taken instead.
        """
        is_count(limit=limit, sample=sample)
        if until is not None and not callable(until):
            raise TypeError(f"until is a function of the state that says whether to stop; got {until!r}")
        known, d, helped = self._foretold(seat, actor, action, said, interject)
        answers = read_answers(answers)
        who = seat or seat_of(self.state, actor)
        key = ("odds", id(self.state), who, _key(d), *map(_key, helped), _said_key(answers))
        key += (id(policy), id(choice), id(until), limit, sample, seed)

        def count() -> Odds:
            self._gate(known, d, seat)
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
        limit: int = LIMIT,
        **said: Any,
    ) -> OpenOdds:
        """The odds for every way in which others can decide what is not fixed by `answers`.

        Open is what they choose; with `everything` also how much they commit, their order and the guide's rulings.
        Raises Refused, or TooMany past `limit` branches in all.
        """
        is_count(limit=limit)
        known, d, helped = self._foretold(seat, actor, action, said, interject)
        answers = read_answers(answers)
        who = seat or seat_of(self.state, actor)
        key = ("open", id(self.state), who, _key(d), *map(_key, helped), _said_key(answers))
        key += (id(policy), everything, limit)

        def count() -> OpenOdds:
            self._gate(known, d, seat)
            believed, assumed = self._believed(known)
            decide = Deciding(self.game, answers, policy)

            def under(plan: Plan, left: int) -> Odds:
                choice = Planned(decide, d, plan, everything)
                return odds(self.game, believed, d, choice=choice, limit=left, interjected=helped)

            found = dict(_planned(under, limit))
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
        for tries in self._changes(known, d, seat, parts):
            hint = next(self._better(now, price, actor, action, seat, {**parts, **said}, tries), None)
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
            key, (self.state, self.pending), lambda: self._answered(index, asked, given, who, None, limit)
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
            ways = dict(_planned(lambda plan, left: self._answered(index, asked, given, who, plan, left), limit))
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
            glances, branches = self._glances(offer, limit) if spent < in_all else (None, 0)
            told.append(glances)
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

    # -- hints

    def _changes(
        self, known: State, d: Declaration, seat: SeatId | None, parts: Mapping[str, Any]
    ) -> Iterator[list[tuple[str, dict[str, Any]]]]:
        """Groups of changes to try, the nearest first in each: more Boost, another means, somebody's help."""
        bill = self._bill(known, d)
        boost = d.boost or 0
        yield [(f"Boost {n}", {"boost": n}) for n in range(boost + 1, boost_limit(self.game, known, d.actor, bill) + 1)]
        action = self.game.actions[d.action]
        for parameter in action.open_parameters(known, d):
            if parameter.kind == "choice":
                said = {"target": d.target} if d.target else {}
                values = self._values(d.actor, d.action, parameter.name, seat, said)
                for value in values:
                    if str(value) != d.option(parameter.name):
                        yield [(f"{parameter.name} {value}", {parameter.name: value})]
        moment = self.game.commit_moment(d.actor, bill, None)
        helping = tuple(parts.get("interject", ()))
        for other in self.game.actions.values() if moment is not None else ():
            if other.interjected and other.reacts_to is type(moment):
                able = [each.actor for each in other.candidates(known, moment) if each.actor in known.actors]
                yield [
                    (
                        f"{other.name.replace('_', ' ')} by {known.actors[who].name}",
                        {"interject": (*helping, (who, other.name))},
                    )
                    for who in able
                    if (who, other.name) not in helping
                ]

    def _better(
        self,
        now: Odds,
        price: Price,
        actor: str,
        action: str,
        seat: SeatId | None,
        said: Mapping[str, Any],
        tries: Iterable[tuple[str, dict[str, Any]]],
    ) -> Iterator[Hint]:
        for words, change in tries:
            try:
                found = self.odds(actor, action, seat=seat, **{**said, **change})
            except (Refused, TooMany):
                continue
            gain = found.success - now.success
            if gain >= MATERIAL:
                yield Hint(words, change, found.success, gain, self._more(price, actor, action, seat, said, change))

    def _more(
        self,
        price: Price,
        actor: str,
        action: str,
        seat: SeatId | None,
        said: Mapping[str, Any],
        change: Mapping[str, Any],
    ) -> dict[str, int]:
        """What a change costs more than what was declared, by resource; help is paid by whoever helps."""
        whole = {name: value for name, value in {**said, **change}.items() if name not in ASKED}
        known, d = self._said(seat, actor, action, whole)
        changed = self._price(known, d)
        for who, what in change.get("interject", ())[-1:]:
            changed = changed.plus(*self.game.actions[what].price(known, Declaration(who, what, target=actor)).costs)
        named = dict.fromkeys(cost.resource for cost in (*price.costs, *changed.costs))
        more = {name: changed.amount(name) - price.amount(name) for name in named}
        return {name: amount for name, amount in more.items() if amount}

    # -- the action under way

    def _open_to(self, question: str | Open, seat: SeatId | None) -> tuple[int, Question, SeatId]:
        """An open question by its place, and for whom it is foretold. Raises Refused for somebody else's."""
        index, asked = self._find(question if isinstance(question, str) else question.id)
        who = asked.who if seat is None else seat
        if who not in (GUIDE, asked.who):
            raise Refused(Refusal("", f"this is for {asked.who or 'nobody'} to answer", "NOT_YOURS"))
        return index, asked, who

    def _answered(
        self, index: int, asked: Question, given: Answer, seat: SeatId, plan: Plan | None, limit: int
    ) -> Odds:
        """The odds of what is under way with one answer; with a plan others choose by it."""
        pending = self.pending
        assert pending is not None
        if seat != GUIDE:
            return self._as_far_as_known(pending, asked, given, seat, plan, limit)
        choice = _choosing(Deciding(self.game), pending.declaration, plan)
        return odds_from_here(self.game, pending, self._again, {index: given}, choice=choice, limit=limit)

    def _as_far_as_known(
        self, pending: Pending, asked: Question, given: Answer, seat: SeatId, plan: Plan | None, limit: int
    ) -> Odds:
        """From what the seat knows: its own commitment from here on, or its answer to what another declared."""
        d = pending.declaration
        own = asked.actor == d.actor and seat_of(self.state, d.actor) == seat
        if own and isinstance(asked, Confirm | Commit) and (isinstance(asked, Confirm) or asked.may_withdraw):
            state, fixed = self.state, _ruled(asked, seat)
            boost = getattr(given, "boost", d.boost or 0)
        elif not own and isinstance(asked, Choose) and not pending.goes_on:
            state, fixed = pending.base, {f"{asked_of(asked)} {about(asked)}": given}
            boost = 0
        else:
            raise _untold("what comes of it hangs on what you cannot know")
        known = self.game.known(state, seat)
        if d.actor not in known.actors:
            raise _untold("you do not know who does this")
        believed, assumed = self.game.believed(state, known)
        if not own:
            assumed = (*assumed, f"{known.actors[d.actor].name}: nothing committed beyond the price")
        choice = _choosing(Deciding(self.game, fixed), d, plan)
        found = odds(self.game, believed, replace(d, boost=boost), choice=choice, limit=limit)
        return found.assuming(*assumed)

    # -- at a glance

    def _glances(self, offer: Offer, limit: int) -> tuple[tuple[Glance, ...] | None, int]:
        """The chances of one offer for each Boost, and how many branches they took."""
        d = self._filled(offer)
        if offer.verdict != "legal" or d is None:
            return (), 0
        said: dict[str, Any] = {
            "intent": d.intent,
            "method": d.method,
            "target": d.target,
            "route": d.route,
            **d.options,
        }
        glances: list[Glance] = []
        branches = 0
        most = d.boost or 0
        boost = most
        while boost <= most:
            try:
                said["boost"] = boost
                found = self.odds_by_answer(d.actor, d.action, limit=limit, **said)
            except Refused:
                break
            except TooMany:
                return (tuple(glances) or None), branches + limit
            branches += found.branches
            if boost == (d.boost or 0):
                if all(len(each) < 2 for each in found.values()) and len(found) < 2:
                    return (), branches
                known = self.knows(seat_of(self.state, d.actor))
                most = boost_limit(self.game, known, d.actor, self._bill(known, d))
            glances.append(found.glance(boost))
            boost += 1
        return tuple(glances), branches

    def _filled(self, offer: Offer) -> Declaration | None:
        """The offer as a whole declaration, with words for what is free text; None where more has to be said."""
        d = offer.declaration
        if d.actor not in self.state.actors:
            return None
        said = {p.name for p in offer.parameters}
        d = replace(
            d,
            intent=d.intent or (AS_PLANNED if "intent" in said else ""),
            method=d.method or (AS_PLANNED if "method" in said else ""),
        )
        known = self.knows(seat_of(self.state, d.actor))
        action = self.game.actions[d.action]
        d = action.complete(known, d)
        return None if any(True for _ in action.missing(known, d)) else d


ASKED = frozenset(("answers", "policy", "choice", "interject", "until", "limit", "sample", "seed"))
"""What says how odds are counted, and is no part of a declaration."""


def _planned(under: Callable[[Plan, int], Odds], limit: int) -> Iterator[tuple[tuple[Decision, ...], Odds]]:
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


def _key(d: Declaration) -> Hashable:
    return (*d.key(), d.intent, d.method)


def _said_key(answers: Mapping[str, Any] | None) -> Hashable:
    return tuple(sorted((name, repr(value)) for name, value in (answers or {}).items()))
