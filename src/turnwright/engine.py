"""The one path: declare -> rule -> confirm -> commit -> roll -> choose -> resolve -> events.

A declaration passes the gate (`reasons`), which only reads. Then `act` is the path itself: the rules or the guide
rule on it, the actor confirms what differs from the quote, all who pay commit before any die falls, and the action
resolves by asking and emitting events. `Run` drives one declaration along the path; it is a cache over data
(`Pending`: the state before, the declaration, the inputs so far) and can be dropped and built again at any question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from turnwright.events import Acted, Barred, Charged, Event, Impossible, Waived, Withdrawn
from turnwright.model import (
    GUIDE,
    Actor,
    ActorId,
    Again,
    Amount,
    Answer,
    AnyAnswer,
    Bill,
    Check,
    Choose,
    Chosen,
    Clarified,
    Clarify,
    Commit,
    Committed,
    Confirm,
    Declaration,
    Moment,
    Offer,
    Option,
    Order,
    Ordered,
    Outcome,
    Paid,
    Price,
    Question,
    Refusal,
    Rule,
    Ruled,
    Ruling,
    SeatId,
    State,
    Struct,
    Withdraw,
)
from turnwright.rules import Action, Game, Settled, Steps, unpriced

M = TypeVar("M", bound=Moment)
A = TypeVar("A", bound=Answer)


class Play:
    """A state on its way through a rule: rules read `state` afresh after every question and `emit` what happens."""

    __slots__ = ("advise", "blind", "committed", "confirm", "events", "game", "state")

    def __init__(self, game: Game, state: State, *, advise: bool = False, confirm: bool = False, blind: bool = False):
        self.game = game
        self.state = state
        self.events: list[Event] = []
        self.advise = advise
        """Refusals warn instead of stopping, and what cannot be paid is noted as owed."""
        self.confirm = confirm
        """The guide confirms also what the rules themselves rule."""
        self.blind = blind
        """Windows ask everybody who owns a reaction of the kind, so that a pause tells nothing."""
        self.committed = False
        """Whether dice or other resources have been committed and are not read yet."""

    def emit(self, event: Event) -> None:
        self.state = event.apply(self.state)
        self.events.append(event)


# -- asking


def ask(question: Question | Callable[[], Question], answer: type[A]) -> Steps[A]:
    """Put one question; the answer has the type that belongs to it. Given as a function, it is built anew each time."""
    while True:
        (given,) = yield (question() if callable(question) else question,)
        if isinstance(given, answer):
            return given


def ask_each(build: Callable[[], tuple[Question, ...]]) -> Steps[tuple[Answer, ...]]:
    """Put several questions that close together; built anew whenever something was interjected."""
    while True:
        questions = build()
        if not questions:
            return ()
        answers = yield questions
        if not isinstance(answers[0], Again):
            return answers


def seat_of(state: State, actor: ActorId) -> SeatId:
    found: Actor | None = state.actors.get(actor)
    return found.seat if found is not None else GUIDE


# -- declare: the gate


def reasons(
    game: Game, known: State, d: Declaration, moment: Moment | None = None, *, whole: bool = False
) -> Iterator[Refusal]:
    """Every reason against a declaration, each with its rule, from what the declaring seat knows.

    A `whole` declaration must also say all that it has to say.
    """
    action = game.actions.get(d.action)
    if action is None:
        yield Refusal("", f"there is no action called {d.action!r}", "UNKNOWN_ACTION")
        return
    if d.actor not in known.actors:
        yield Refusal("", f"nobody called {d.actor!r} is in the scene", "UNKNOWN_ACTOR")
        return
    if whole:
        yield from action.missing(known, d)
    yield from game.general(known, action, d, moment)
    yield from action.refusals(known, d, moment)
    yield from _unaffordable(game, known, action, d)


def _unaffordable(game: Game, known: State, action: Action, d: Declaration) -> Iterator[Refusal]:
    price = action.price(known, d)
    if d.boost:
        check = action.check(known, d)
        if check is not None or action.ruling(known, d) is not None:
            yield from over_limit(check, d.boost)
        price = game.boosted(price, d.boost)
    if not price.costs:
        return
    best: list[Refusal] | None = None
    for way in game.ways(known, d, price):
        short = list(unpriced(game, known, d, way))
        if not short:
            return
        best = short if best is None else best
    yield from best or ()


def over_limit(check: Check | None, boost: int) -> Iterator[Refusal]:
    """Whether more is committed than the check's rule permits."""
    if check is None:
        yield Refusal("", "there is no roll to boost", "NO_BOOST")
    elif not 0 <= boost <= check.most:
        yield Refusal(
            check.why_most, f"a boost of {boost} is above the limit of {check.most} for {check.skill}", "BOOST"
        )


def legal(game: Game, known: State, d: Declaration, moment: Moment | None = None, *, whole: bool = False) -> bool:
    """The gate that stops at the first reason."""
    for _ in reasons(game, known, d, moment, whole=whole):
        return False
    return True


def offer(game: Game, known: State, d: Declaration, moment: Moment | None = None) -> Offer:
    """The gate's whole answer on one declaration: verdict, price, ways to pay, parameters and every reason."""
    action = game.actions.get(d.action)
    refusals = tuple(reasons(game, known, d, moment))
    if action is None or d.actor not in known.actors:
        return Offer(d, "illegal", d.action, refusals=refusals)
    price = replace(game.boosted(action.price(known, d), d.boost or 0), along=action.along(known, d))
    return Offer(
        d,
        "illegal" if refusals else "ruling" if action.ruling(known, d) is None else "legal",
        action.label(known, d),
        price,
        game.ways(known, d, price) if price.costs else (),
        refusals,
        action.open_parameters(known, d),
        action.warnings(known, d) if not refusals else (),
        action.rules,
    )


def offers(game: Game, known: State, actor: ActorId, moment: Moment | None = None) -> tuple[Offer, ...]:
    """Every action of the game for one actor, legal or not, with all reasons."""
    if actor not in known.actors:
        return ()
    return tuple(
        offer(game, known, d, moment)
        for action in game.actions.values()
        if action.nature != "turn" or known.active in (None, actor)
        for d in action.variants(known, actor)
    )


# -- rule, confirm, commit


def act(play: Play, d: Declaration, moment: Moment | None = None) -> Steps[Outcome]:
    """One declaration that passed the gate, from its ruling to its outcome."""
    settled = yield from settle(play, d, moment)
    if isinstance(settled, Outcome):
        return settled
    d, terms = settled
    return (yield from play.game.actions[d.action].resolve(play, d, terms))


def settle(
    play: Play, d: Declaration, moment: Moment | None = None, quoted: Price | None = None
) -> Steps[Outcome | tuple[Declaration, Settled]]:
    """The path up to the first die: ruled on, confirmed and paid for; or the outcome, where it ends before that."""
    quoted = _quote(play, d) if quoted is None else quoted
    ruled = yield from rule(play, d)
    if ruled is None:
        play.emit(Withdrawn("", d.actor, d.action))
        return Outcome(d.action, Outcome.CANCELLED)
    d, ruling = ruled
    action = play.game.actions[d.action]
    ruling = action.ruled(play.state, d, ruling)
    if ruling.kind == "impossible":
        play.emit(Impossible("", d.actor, ruling.obstacle))
        return Outcome(d.action, "impossible")
    if ruling.kind == "procedure" and ruling.procedure not in ("", d.action):
        return (yield from _by_procedure(play, d, ruling, quoted))
    records = action.nature in ("proactive", "reactive") and ruling.counts and action.records(play.state, d)
    paid = yield from commit(play, d, ruling, quoted)
    if paid is None:
        if not (play.events and isinstance(play.events[-1], Barred)):
            play.emit(Withdrawn("", d.actor, d.action))
        play.game.withdrew(play, d)
        return Outcome(d.action, Outcome.CANCELLED)
    if records:
        _record(play, action, d)
    return d, Settled(ruling, paid, moment)


def _record(play: Play, action: Action, d: Declaration) -> None:
    nature: Literal["proactive", "reactive"] = "reactive" if action.nature == "reactive" else "proactive"
    play.emit(Acted(action.rules[0] if action.rules else "", d.actor, d.action, nature, d.target, d.intent))
    play.game.acted(play, action, d)


def _quote(play: Play, d: Declaration) -> Price:
    action = play.game.actions[d.action]
    known = play.game.known(play.state, seat_of(play.state, d.actor))
    return action.price(known, d)


def _by_procedure(
    play: Play, d: Declaration, ruling: Ruling, quoted: Price
) -> Steps[Outcome | tuple[Declaration, Settled]]:
    """The guide said which rule governs: the same declaration goes through the gate as that action."""
    named = replace(d, action=ruling.procedure, target=ruling.against or d.target)
    named = play.game.actions[named.action].complete(play.state, named)
    seen = play.game.known(play.state, seat_of(play.state, d.actor))
    against = list(reasons(play.game, seen, named, whole=True))
    if against:
        play.emit(Impossible(against[0].rule, d.actor, "; ".join(refusal.text for refusal in against)))
        return Outcome(d.action, "impossible")
    return (yield from settle(play, named, quoted=quoted))


def rule(play: Play, d: Declaration) -> Steps[tuple[Declaration, Ruling] | None]:
    """The ruling: by the rules where they decide, else by the guide, who may first ask what is meant."""
    action = play.game.actions[d.action]
    own = action.ruling(play.state, d)
    if own is not None and not (play.confirm and action.nature in ("proactive", "reactive")):
        return d, own
    while True:
        state = play.state
        suggested = (own,) if own is not None else play.game.suggestions(state, d)
        stored = tuple(r for r in state.scene.rulings if r.when == ruling_key(d))
        question = Rule(GUIDE, d.actor, "How is this ruled?", "", d, stored + suggested)
        answers = yield from ask_each(lambda question=question: (question,))  # type: ignore[misc]
        given = answers[0]
        if isinstance(given, Withdraw):
            return None
        if isinstance(given, Ruled) and given.ruling.kind != "unclear":
            return d, given.ruling
        asked = Clarify(seat_of(state, d.actor), d.actor, "What do you want to achieve, and how?", "")
        said = yield from ask_each(lambda asked=asked: (asked,))  # type: ignore[misc]
        if isinstance(said[0], Withdraw):
            return None
        if isinstance(said[0], Clarified):
            d = replace(d, intent=said[0].intent or d.intent, method=said[0].method or d.method)


def ruling_key(d: Declaration) -> str:
    """By what a stored ruling is found again: the action and the method, as they were said."""
    return f"{d.action}: {' '.join(d.method.lower().split())}"


def commit(play: Play, d: Declaration, ruling: Ruling, quoted: Price) -> Steps[dict[ActorId, Paid] | None]:
    """Everybody who pays commits, sealed; when the last is in, all prices are charged before any die falls."""
    action = play.game.actions[d.action]
    asked = False
    while True:
        bills = {d.actor: action.bill(play.state, d, ruling), **action.others(play.state, d, ruling)}
        barred = _barred(play, d, bills[d.actor])
        if barred:
            play.emit(Barred(barred[0].rule, d.actor, tuple(refusal.text for refusal in barred)))
            return None
        warned = _warnings(play, action, d, ruling)
        questions = _commit_questions(play, d, ruling, bills, quoted, warned, asked)
        if not questions:
            break
        asked = True
        answers = yield questions
        if isinstance(answers[0], Again):
            continue
        if any(isinstance(given, Withdraw) for given in answers):
            return None
        boosts = {
            q.actor: given.boost
            for q, given in zip(questions, answers, strict=True)
            if isinstance(q, Commit) and isinstance(given, Committed)
        }
        return pay_all(play, d, bills, boosts)
    return pay_all(play, d, bills, {})


def _barred(play: Play, d: Declaration, bill: Bill) -> list[Refusal]:
    """What the ruled price asks for and cannot be paid; the gate has seen only the quote."""
    if play.advise or not bill.price.costs:
        return []
    boost = d.boost or 0 if bill.check is not None else 0
    price = play.game.boosted(bill.price, boost)
    over = list(over_limit(bill.check, boost)) if boost else []
    return over + list(unpriced(play.game, play.state, d, price))


def _warnings(play: Play, action: Action, d: Declaration, ruling: Ruling) -> tuple[str, ...]:
    known = play.game.known(play.state, seat_of(play.state, d.actor))
    return (*action.warnings(known, d), *play.game.warned_by(play.state, d, ruling))


def _commit_questions(
    play: Play,
    d: Declaration,
    ruling: Ruling,
    bills: Mapping[ActorId, Bill],
    quoted: Price,
    warned: tuple[str, ...],
    asked: bool,
) -> tuple[Question, ...]:
    """Who is asked for what; whoever was asked before something was interjected is asked again."""
    questions: list[Question] = []
    for actor, bill in bills.items():
        mine = actor == d.actor
        most = boost_limit(play.game, play.state, actor, bill)
        open_boost = bill.check is not None and (most > 0 or (mine and (asked or may_interject(play, actor, bill))))
        if open_boost and not (mine and d.boost is not None):
            questions.append(_commit_question(play, d, actor, bill, most, ruling, warned if mine else ()))
        elif mine and (warned or bill.price.costs != quoted.costs):
            moment = play.game.commit_moment(actor, bill, ruling)
            seat = seat_of(play.state, actor)
            questions.append(Confirm(seat, actor, f"{bill.label}: go on?", "", bill.price, warned, moment, ruling))
    return tuple(questions)


def _commit_question(
    play: Play, d: Declaration, actor: ActorId, bill: Bill, most: int, ruling: Ruling, warned: tuple[str, ...]
) -> Commit:
    assert bill.check is not None
    mine = actor == d.actor
    return Commit(
        seat_of(play.state, actor),
        actor,
        f"{bill.label}: how much beyond the price?",
        bill.check.why_most,
        bill.price,
        most,
        bill.check.skill,
        play.game.commit_moment(actor, bill, ruling),
        may_withdraw=mine,
        warnings=warned,
        ruling=ruling if mine else None,
    )


def may_interject(play: Play, actor: ActorId, bill: Bill) -> bool:
    """Whether somebody could still do something about this commitment, so that it is worth a pause."""
    moment = play.game.commit_moment(actor, bill, None)
    return moment is not None and any(True for _ in _open_to(play, moment, interjected=True))


def boost_limit(game: Game, state: State, actor: ActorId, bill: Bill) -> int:
    """How much the actor can commit beyond the price: the rule's limit and what is left after the price."""
    if bill.check is None or bill.check.most <= 0:
        return 0
    have = game.available(state, actor, game.boost)
    left = bill.check.most if have is None else int(have - bill.price.amount(game.boost))
    return max(0, min(bill.check.most, left))


def pay_all(
    play: Play, d: Declaration, bills: Mapping[ActorId, Bill], boosts: Mapping[ActorId, int]
) -> dict[ActorId, Paid]:
    """The ledger: every charge of the game is made here."""
    paid: dict[ActorId, Paid] = {}
    for actor, bill in bills.items():
        boost = boosts.get(actor, (d.boost or 0) if actor == d.actor else 0)
        paid[actor] = charge(play, actor, bill, boost)
    return paid


def charge(play: Play, actor: ActorId, bill: Bill, boost: int = 0) -> Paid:
    """Charge one bill with what is committed beyond it."""
    boost = boost if bill.check is not None else 0
    price = play.game.boosted(bill.price, boost) if boost else bill.price
    if price.costs:
        if play.advise:
            _charge_what_there_is(play, actor, price)
        else:
            play.emit(Charged(price.costs[0].rule, actor, price.costs))
    dice = bill.check.dice + boost if bill.check is not None else 0
    return Paid(price, boost, dice)


def _charge_what_there_is(play: Play, actor: ActorId, price: Price) -> None:
    payable, owed = [], []
    left: dict[str, Amount | None] = {}
    for item in price.costs:
        have = left.setdefault(item.resource, play.game.available(play.state, actor, item.resource))
        if have is None or have >= item.amount:
            payable.append(item)
            left[item.resource] = None if have is None else have - item.amount
        else:
            owed.append(item)
    if payable:
        play.emit(Charged(payable[0].rule, actor, tuple(payable)))
    if owed:
        play.emit(Waived(owed[0].rule, actor, ("it could not be paid",), tuple(owed)))


# -- moments and reactions


def _open_to(play: Play, moment: Moment, interjected: bool) -> Iterator[Declaration]:
    """Everybody for whom the gate is open at this moment, as declarations."""
    game = play.game
    for reaction in game.reactions.get(type(moment), ()):
        if reaction.interjected != interjected:
            continue
        for d in reaction.candidates(play.state, moment):
            known = game.known(play.state, seat_of(play.state, d.actor))
            if legal(game, known, d, moment):
                yield d


def window(play: Play, moment: M) -> Steps[M]:
    """Ask at once all who may react, let each act in order, and give the moment back, possibly changed.

    Whoever reacted is asked again for what else is open to them at the same moment, until they pass.
    """
    if type(moment) not in play.game.reactions:
        return moment
    over: list[object] = []
    while True:
        takers = yield from _takers(play, moment, over)
        if not takers:
            return moment
        if len(takers) > 1:
            takers = yield from in_order(play, takers)
        for d in takers:
            seen = play.game.known(play.state, seat_of(play.state, d.actor))
            if legal(play.game, seen, d, moment):
                outcome = yield from act(play, d, moment)
                moment = play.game.changed_moment(moment, outcome)


def _takers(play: Play, moment: Moment, over: list[object]) -> Steps[list[Declaration]]:
    """Who takes what; actors who passed and reactions that were taken are noted as over."""
    asked: dict[ActorId, list[Declaration]] = {}

    def build() -> tuple[Question, ...]:
        asked.clear()
        asked.update(_asked(play, moment, over))
        return tuple([_react_question(play, actor, mine, moment) for actor, mine in asked.items()])

    answers = yield from ask_each(build)
    takers: list[Declaration] = []
    for (actor, mine), given in zip(asked.items(), answers, strict=True):
        if isinstance(given, Chosen) and given.id != "pass":
            taken = mine[int(given.id)]
            over.append(play.game.actions[taken.action].once(taken))
            takers.append(replace(taken, boost=given.amount))
        else:
            over.append(actor)
    return takers


def _asked(play: Play, moment: Moment, over: list[object]) -> dict[ActorId, list[Declaration]]:
    """Who is asked, with the reactions open to each. A blind table asks also those who can only pass."""
    mine: dict[ActorId, list[Declaration]] = {}
    for d in _open_to(play, moment, interjected=False):
        if d.actor not in over and play.game.actions[d.action].once(d) not in over:
            mine.setdefault(d.actor, []).append(d)
    if play.blind and not over:
        for reaction in _to_ask_about(play.game, moment):
            for actor in play.game.owners(play.state, reaction, moment):
                mine.setdefault(actor, [])
    return mine


def _to_ask_about(game: Game, moment: Moment) -> list[Action]:
    return [reaction for reaction in game.reactions.get(type(moment), ()) if not reaction.interjected]


def _react_question(play: Play, actor: ActorId, mine: list[Declaration], moment: Moment) -> Choose:
    state, game = play.state, play.game
    options = [Option("pass", "do nothing")]
    for index, d in enumerate(mine):
        action = game.actions[d.action]
        bill = Bill(action.price(state, d), action.check(state, d))
        label = action.label(game.known(state, seat_of(state, actor)), d)
        rule_id = action.rules[0] if action.rules else ""
        why_most = bill.check.why_most if bill.check is not None else ""
        most = boost_limit(game, state, actor, bill)
        options.append(Option(str(index), label, bill.price, most, rule_id, why_most))
    reactions = _to_ask_about(game, moment)
    about = mine[0].action if mine else next(r.name for r in reactions if actor in game.owners(state, r, moment))
    return Choose(seat_of(state, actor), actor, "React?", "", tuple(options), about)


def in_order(play: Play, takers: list[Declaration]) -> Steps[list[Declaration]]:
    """Several act at the same moment: the guide says in which order."""
    among = tuple(d.actor for d in takers)
    given = yield from ask(Order(GUIDE, "", "Who reacts first?", play.game.order_rule, among), Ordered)
    return sorted(takers, key=lambda d: given.actors.index(d.actor))


# -- driving


class Interjection(Struct, frozen=True, tag=True):
    """Something declared while another's question was open."""

    declaration: Declaration


class Override(Struct, frozen=True, tag=True):
    """What the guide changed while a question was open."""

    changes: tuple[Event, ...]


class Closed(Struct, frozen=True, tag=True):
    """All answers of one group, in the order of the questions; after a withdrawal the open ones are None."""

    answers: tuple[AnyAnswer | None, ...]


Input = Interjection | Override | Closed


class Pending(Struct, frozen=True):
    """An action that waits for answers, as data: the state before it, the declaration and the inputs so far."""

    base: State
    declaration: Declaration
    goes_on: bool = False
    inputs: tuple[Any, ...] = ()


class Run:
    """Drives one declaration along the path; a cache over a `Pending`."""

    def __init__(self, play: Play, pending: Pending) -> None:
        self.play = play
        self.pending = pending
        self.outcome: Outcome | None = None
        self.questions: tuple[Question, ...] = ()
        self._stack: list[Steps[Outcome]] = []
        self._begin(pending.declaration, pending.goes_on)
        for given in pending.inputs:
            self._feed(given)

    @classmethod
    def start(cls, play: Play, d: Declaration) -> Run:
        return cls(play, Pending(play.state, d))

    @classmethod
    def again(cls, play: Play, pending: Pending) -> Run:
        """Re-run the inputs on the state before; gives the same questions and the same state."""
        play.state = pending.base
        return cls(play, pending)

    def feed(self, given: Input) -> None:
        """Take one input and go on to the next question or to the end."""
        before = self.pending
        self._feed(given)
        if self.pending is before:
            self.pending = replace(self.pending, inputs=(*self.pending.inputs, given))

    def _feed(self, given: Input) -> None:
        if isinstance(given, Closed):
            self._send(tuple(a if a is not None else Withdraw() for a in given.answers))
        elif isinstance(given, Interjection):
            moment = open_moment(self.questions)
            self._stack.append(act(self.play, given.declaration, moment))
            self._advance(None)
        else:
            present = len(self.play.state.actors)
            for event in given.changes:
                self.play.emit(event)
            if len(self.play.state.actors) < present:
                self._break_off()
            self._settle_first()

    def _break_off(self) -> None:
        """Somebody left the scene in the middle: what is under way goes no further, and what was spent is spent."""
        d = self.pending.declaration
        if d.actor:
            self.play.emit(Withdrawn("", d.actor, d.action))
        self._stack, self.questions = [], ()

    def _settle_first(self) -> None:
        """What the guide changed is settled as at any other time, and then the open question is put again."""
        settling = self.play.game.settle_action
        if not settling:
            if self._stack:
                self._send((Again(),))
            else:
                self.outcome = Outcome(self.pending.declaration.action, Outcome.CANCELLED)
            return
        self._stack.append(act(self.play, Declaration("", settling)))
        self._advance(None)

    def _begin(self, d: Declaration, goes_on: bool) -> None:
        action = self.play.game.actions[d.action]
        steps = action.resolve(self.play, d, Settled(None, {})) if goes_on else act(self.play, d)
        self._stack = [steps]
        self._advance(None)

    def _send(self, answers: tuple[Answer, ...]) -> None:
        self._advance(answers)

    def _advance(self, answers: tuple[Answer, ...] | None) -> None:
        while True:
            try:
                top = self._stack[-1]
                self.questions = next(top) if answers is None else top.send(answers)
                return
            except StopIteration as end:
                outcome: Outcome = end.value
                self._stack.pop()
                if self._stack:
                    answers = (Again(),)
                    continue
                if outcome.then is not None:
                    self._restart(outcome.then.declaration)
                    answers = None
                    continue
                self.questions = ()
                self.outcome = outcome
                return

    def _restart(self, d: Declaration) -> None:
        self.pending = Pending(self.play.state, d, goes_on=True)
        action = self.play.game.actions[d.action]
        self._stack = [action.resolve(self.play, d, Settled(None, {}))]


def open_moment(questions: tuple[Question, ...]) -> Moment | None:
    """The moment that the open questions leave time for, if there is one."""
    for question in questions:
        moment = getattr(question, "moment", None)
        if isinstance(moment, Moment):
            return moment
    return None
