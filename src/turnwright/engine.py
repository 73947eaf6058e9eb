"""The one path: declare -> rule -> confirm -> commit -> roll -> choose -> resolve -> events.

A declaration passes the gate (`gate.reasons`), which only reads. Then `act` is the path itself: the rules or the guide
rule on it, the actor confirms what differs from the quote, all who pay commit before any die falls, and the action
resolves by asking and emitting events. `running.Run` drives one declaration along the path; it is a cache over data
(`Pending`: the state before, the declaration, the inputs so far) and can be dropped and built again at any question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeVar

from msgspec.structs import replace

from turnwright.events import (
    Acted,
    Barred,
    Impossible,
    RulingApplied,
    RulingKept,
    Withdrawn,
)
from turnwright.gate import legal, over_limit, reasons, unpaid
from turnwright.ledger import boost_limit, charge, pay
from turnwright.model import (
    GUIDE,
    ActorId,
    Again,
    Answer,
    Bill,
    Choose,
    Chosen,
    Clarified,
    Clarify,
    Commit,
    Committed,
    Confirm,
    Declaration,
    Moment,
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
    Withdraw,
    seat_of,
)
from turnwright.playing import Play, ask, ask_each, ask_first, change
from turnwright.rules import Action, Game, Settled, Steps
from turnwright.rulings import before, to_keep

M = TypeVar("M", bound=Moment)
A = TypeVar("A", bound=Answer)


# -- rule, confirm, commit


def act(play: Play, d: Declaration, moment: Moment | None = None, *, first: bool = False) -> Steps[Outcome]:
    """One declaration that passed the gate, from its ruling to its outcome; `first` is nothing that came of another."""
    settled = yield from settle(play, d, moment)
    if isinstance(settled, Outcome):
        return settled
    play.committed = play.committed or first
    d, terms = settled
    return (yield from play.game.actions[d.action].resolve(play, d, terms))


def settle(
    play: Play, d: Declaration, moment: Moment | None = None, quoted: Price | None = None
) -> Steps[Outcome | tuple[Declaration, Settled]]:
    """The path up to the first die: ruled on, confirmed and paid for; or the outcome, where it ends before that."""
    quoted = _quote(play, d) if quoted is None else quoted
    ruled = yield from rule(play, d)
    if ruled is None:
        play.emit(Withdrawn(play.game.rule_of("withdrawn"), d.actor, d.action))
        return Outcome(d.action, Outcome.CANCELLED)
    d, ruling = ruled
    action = play.game.actions[d.action]
    ruling = action.ruled(play.state, d, ruling)
    if ruling.kind == "impossible":
        play.emit(Impossible(play.game.rule_of("impossible"), d.actor, ruling.obstacle))
        return Outcome(d.action, "impossible")
    if ruling.kind == "procedure" and ruling.procedure not in ("", d.action):
        return (yield from _by_procedure(play, d, ruling, quoted))
    records = action.nature in ("proactive", "reactive") and ruling.counts and action.records(play.state, d)
    paid = yield from commit(play, d, ruling, quoted)
    if paid is None:
        if not (play.events and isinstance(play.events[-1], Barred)):
            play.emit(Withdrawn(play.game.rule_of("withdrawn"), d.actor, d.action))
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
        as_before = _as_before(play, d)
        if as_before is not None:
            play.emit(RulingApplied("", as_before.when))
            return d, replace(as_before, when="")
        suggested = (own,) if own is not None else play.game.suggestions(state, d)
        presets = (*before(play.game, state, d), *suggested)
        question = Rule(GUIDE, d.actor, "How is this ruled?", play.game.rule_of("rule"), d, presets)
        answers = yield from ask_each(lambda question=question: (question,))  # type: ignore[misc]
        given = answers[0]
        if isinstance(given, Withdraw):
            return None
        if isinstance(given, Ruled) and given.ruling.kind != "unclear":
            if given.ruling != own:
                _keep(play, d, given.ruling)
            return d, replace(given.ruling, when="")
        prompt = "What do you want to achieve, and how?"
        asked = Clarify(seat_of(state, d.actor), d.actor, prompt, play.game.rule_of("clarify"))
        said = yield from ask_each(lambda asked=asked: (asked,))  # type: ignore[misc]
        if isinstance(said[0], Withdraw):
            return None
        if isinstance(said[0], Clarified):
            d = replace(d, intent=said[0].intent or d.intent, method=said[0].method or d.method)


def _as_before(play: Play, d: Declaration) -> Ruling | None:
    """At a table that rules as before: the ruling that was kept for this, unless it lacks something now."""
    if not play.as_before:
        return None
    for ruling in before(play.game, play.state, d)[:1]:
        if not any(True for _ in play.game.incomplete(play.state, d, ruling)):
            return ruling
    return None


def _keep(play: Play, d: Declaration, given: Ruling) -> None:
    kept = to_keep(play.game, play.state, d, given)
    if kept is not None:
        play.emit(RulingKept("", kept))


def commit(play: Play, d: Declaration, ruling: Ruling, quoted: Price) -> Steps[dict[ActorId, Paid] | None]:
    """Everybody who pays commits, sealed; when the last is in, all prices are charged before any die falls."""
    action = play.game.actions[d.action]
    asked = False
    boosts: dict[ActorId, int] = {}
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
        break
    return (yield from pay(play, d, bills, boosts))


def _barred(play: Play, d: Declaration, bill: Bill) -> list[Refusal]:
    """What the ruled price asks for and cannot be paid; the gate has seen only the quote."""
    if play.advise or not bill.price.costs:
        return []
    boost = d.boost or 0 if bill.check is not None else 0
    price = play.game.boosted(bill.price, boost)
    over = list(over_limit(bill.check, boost)) if boost else []
    return over + unpaid(play.game, play.state, d, price)


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
        said = bill.check is None or (mine and d.boost is not None)
        most = 0 if said else boost_limit(play.game, play.state, actor, bill, d.way if mine else "")
        if not said and (most > 0 or (mine and (asked or may_interject(play, actor, bill)))):
            questions.append(_commit_question(play, d, actor, bill, most, ruling, warned if mine else ()))
        elif mine and (warned or bill.price.costs != quoted.costs):
            questions.append(_confirmation(play, actor, bill, ruling, warned))
    return tuple(questions)


def _confirmation(play: Play, actor: ActorId, bill: Bill, ruling: Ruling, warned: tuple[str, ...]) -> Confirm:
    return Confirm(
        seat_of(play.state, actor),
        actor,
        f"{bill.label}: go on?",
        play.game.rule_of("confirm"),
        bill.price,
        warned,
        play.game.commit_moment(actor, bill, ruling),
        ruling,
    )


def _commit_question(
    play: Play, d: Declaration, actor: ActorId, bill: Bill, most: int, ruling: Ruling, warned: tuple[str, ...]
) -> Commit:
    assert bill.check is not None
    mine = actor == d.actor
    return Commit(
        seat_of(play.state, actor),
        actor,
        f"{bill.label}: {play.game.boost_asked}?",
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


# -- moments and reactions


def _open_to(play: Play, moment: Moment, interjected: bool) -> Iterator[Declaration]:
    """Everybody for whom the gate is open at this moment, as declarations."""
    game = play.game
    for reaction in game.reactions.get(type(moment), ()):
        if reaction.interjected != interjected:
            continue
        for d in reaction.candidates(play.state, moment):
            if play.under_way and reaction.once(d) in play.under_way and not reaction.again(play.state, d):
                continue
            known = game.known(play.state, seat_of(play.state, d.actor))
            if legal(game, known, d, moment):
                yield d


def window(play: Play, moment: M) -> Steps[M]:
    """Ask at once all who may react, let each act in order, and give the moment back, possibly changed.

    Whoever reacted is asked again for what else is open to them at the same moment, until they pass.
    """
    if type(moment) not in play.game.reactions or not play.game.may_react(play.state, moment):
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
                outcome = yield from _react(play, d, moment)
                moment = play.game.changed_moment(moment, outcome)


def _react(play: Play, d: Declaration, moment: Moment) -> Steps[Outcome]:
    """One reaction; what it brings about can open it again only where it says so."""
    outer = play.under_way
    play.under_way = (*outer, play.game.actions[d.action].once(d))
    outcome = yield from act(play, d, moment)
    play.under_way = outer
    return outcome


def _takers(play: Play, moment: Moment, over: list[object]) -> Steps[list[Declaration]]:
    """Who takes what; actors who passed and reactions that were taken are noted as over."""
    while True:
        asked = _asked(play, moment, over)
        if not asked:
            return []
        answers = yield tuple([_react_question(play, actor, mine, moment) for actor, mine in asked.items()])
        if not isinstance(answers[0], Again):
            break
    takers: list[Declaration] = []
    for (actor, mine), given in zip(asked.items(), answers, strict=True):
        if isinstance(given, Chosen) and given.id != "pass":
            taken = mine[int(given.id)]
            over.append(play.game.actions[taken.action].once(taken))
            takers.append(replace(taken, boost=given.amount))
        else:
            over.append(actor)
            play.game.withdrew(play, Declaration(actor, ""))
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
    options, time = [Option("pass", "do nothing")], None
    for index, d in enumerate(mine):
        action = game.actions[d.action]
        bill = Bill(action.price(state, d), action.check(state, d))
        label = action.label(game.known(state, seat_of(state, actor)), d)
        rule_id = action.rules[0] if action.rules else ""
        why_most = bill.check.why_most if bill.check is not None else ""
        most = boost_limit(game, state, actor, bill)
        options.append(Option(str(index), label, bill.price, most, rule_id, why_most))
        time = time or game.commit_moment(actor, bill, None)
    reactions = _to_ask_about(game, moment)
    about = mine[0].action if mine else next(r.name for r in reactions if actor in game.owners(state, r, moment))
    seat = seat_of(state, actor)
    because = "" if play.blind else game.moment_words(game.known(state, seat), moment)
    asked = game.rule_of("react")
    return Choose(seat, actor, "React?", asked, tuple(options), about, moment=time, because=because)


def in_order(play: Play, takers: list[Declaration]) -> Steps[list[Declaration]]:
    """Several act at the same moment: the guide says in which order."""
    among = tuple(d.actor for d in takers)
    given = yield from ask(Order(GUIDE, "", "Who reacts first?", play.game.order_rule, among), Ordered)
    return sorted(takers, key=lambda d: given.actors.index(d.actor))


__all__ = [
    "Play",
    "act",
    "ask",
    "ask_each",
    "ask_first",
    "boost_limit",
    "change",
    "charge",
    "in_order",
    "may_interject",
    "rule",
    "settle",
    "window",
]
