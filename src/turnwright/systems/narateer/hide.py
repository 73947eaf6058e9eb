"""Hide: one Stealth roll against every creature that could notice, and what being hidden is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from turnwright.engine import Play, ask_each, boost_limit, charge
from turnwright.model import (
    NOTHING,
    Bill,
    Check,
    Commit,
    Committed,
    Declaration,
    Moment,
    Outcome,
    Paid,
    Parameter,
    Price,
    Refusal,
    Ruling,
    State,
)
from turnwright.rules import Action, Pick, Settled, Steps, ended
from turnwright.systems.narateer.check import check, check_each, check_of, one_ad, total_of_answer
from turnwright.systems.narateer.economy import proactive_use
from turnwright.systems.narateer.events import Hid, HideDeferred, Learned, SearchBegun, StoppedHiding
from turnwright.systems.narateer.intent import METHOD, incomplete, stated
from turnwright.systems.narateer.knowledge import known as known_to
from turnwright.systems.narateer.notice import newcomers
from turnwright.systems.narateer.senses import (
    clearly_perceives,
    could_notice,
    ground_of,
    hiding,
    knows_spot,
    looking_at,
    opponents,
    places,
    record,
)
from turnwright.systems.narateer.sheet import Character, character, readiness, settings

TOPICS = ("hide", "hidden")

STEALTH = "stealth"
OBSERVATION = "observation"


def refused_by(state: State, observer: Character, hider: Character) -> Refusal | None:
    """Why there is no hiding from this creature as things stand.

    Rules: narateer.hide.not-while-clearly-perceived, narateer.hide.needs-concealment, narateer.hide.other-senses,
    narateer.hide.out-of-sight-is-not-hidden.
    """
    senses = places(state, observer, hider)
    if senses:
        text = f"{observer.name} clearly perceives where you are ({', '.join(senses)})"
        only_heard = senses == ("hearing",)
        rule = "narateer.hide.other-senses" if only_heard else "narateer.hide.not-while-clearly-perceived"
        return Refusal(rule, text, "CLEARLY_PERCEIVED")
    if knows_spot(state, observer, hider):
        text = f"{observer.name} knows that you are there; leave the spot unseen first"
        return Refusal("narateer.hide.out-of-sight-is-not-hidden", text, "SPOT_KNOWN")
    return None


def watchers(state: State, hider: Character) -> tuple[list[Character], list[Refusal]]:
    """Whom a Hide would be against, and why it cannot be against others that could notice.

    Rules: narateer.hide.per-observer, narateer.hide.purpose.
    """
    open_to: list[Character] = []
    closed: list[Refusal] = []
    for observer in opponents(state, hider):
        if could_notice(state, observer, hider):
            refusal = refused_by(state, observer, hider)
            if refusal is None:
                open_to.append(observer)
            else:
                closed.append(refusal)
    return open_to, closed


class Hide(Action):
    """Conceal presence or location from creatures that might notice."""

    name = "hide"
    about = "conceal your presence or location"
    rules = ("narateer.hide.purpose", "narateer.hide.cost", "narateer.hide.single-roll")
    parameters = (
        METHOD,
        Parameter("place", "text", "where you hide; the Space you stand on, where you do not say"),
        Parameter("goal", "choice", "what to conceal", choices=("location", "presence")),
    )

    def complete(self, known: State, d: Declaration) -> Declaration:
        return stated(d, "not to be noticed", d.method)

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return replace(d, method="keep low and quiet", boost=pick((0, 0, 1)))

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        """Rules: narateer.hide.declare-place-and-how."""
        place = d.option("place") or _place_name(known, character(known, d.actor))
        yield from incomplete("narateer.hide.declare-place-and-how", method=d.method, place=place)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if d.option("goal") not in ("", "location", "presence"):
            yield Refusal("narateer.hide.purpose", "the goal is location or presence", "GOAL")
        open_to, closed = watchers(known, character(known, d.actor))
        if not open_to:
            yield from closed

    def price(self, known: State, d: Declaration) -> Price:
        """1 Ready AD and a use of Stealth where detection is a real possibility; nothing where it is not.

        Rules: narateer.hide.cost, narateer.hide.check-when-detectable, narateer.hide.no-check-if-undetectable.
        """
        return HIDE_PRICE if watchers(known, character(known, d.actor))[0] else NOTHING

    def check(self, known: State, d: Declaration) -> Check | None:
        return check_of(known, d.actor, STEALTH)

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        """By what the hider knows, so that the price tells nothing of a watcher unseen."""
        known = known_to(state, character(state, d.actor).seat)
        price = self.price(known, d)
        return Bill(price, check_of(state, d.actor, STEALTH) if price.costs else None, "Hide: Stealth")

    def others(self, state: State, d: Declaration, ruling: Ruling) -> dict[str, Bill]:
        """Whoever is actively looking commits too, before either rolls.

        Rules: narateer.hide.both-commit-first, narateer.hide.active-observation-cost.
        """
        if not self.bill(state, d, ruling).price.costs:
            return {}
        open_to, _ = watchers(state, character(state, d.actor))
        return searching_bills(state, character(state, d.actor), open_to)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """Rules: narateer.hide.single-roll, narateer.hide.record-total, narateer.hide.deferred-resolution."""
        if not paid[d.actor].dice:
            play.emit(HideDeferred("narateer.hide.no-check-if-undetectable", d.actor))
            yield from resolve_waiting(play, d.actor)
            return Outcome(self.name, "waiting")
        read = yield from check(play, d.actor, STEALTH, paid[d.actor], "narateer.hide.single-roll")
        open_to = [o.id for o in watchers(play.state, character(play.state, d.actor))[0]]
        fooled = yield from contest(play, d.actor, read.value, open_to, paid.paid, d.option("goal"))
        return Outcome(self.name, "hidden" if fooled else "noticed", fooled)


HIDE_PRICE = one_ad("a Stealth check", "narateer.hide.cost").plus(proactive_use(STEALTH))
DEFERRED_PRICE = one_ad("a Stealth check", "narateer.hide.deferred-resolution")
LOOK_PRICE = one_ad("an Observation check", "narateer.hide.active-observation-cost")


def _place_name(state: State, hider: Character) -> str:
    field = ground_of(state)
    if field is None or not isinstance(hider.at, tuple):
        return str(hider.at or "")
    return field.grid.place_of(hider.at) or field.grid.terrain(hider.at).name


def searching_bills(state: State, hider: Character, observers: list[Character]) -> dict[str, Bill]:
    """What the active searchers among the observers commit: those who have rolled, or cannot pay, commit nothing.

    Rules: narateer.search.one-observation-roll, narateer.hide.active-looking-definition.
    """
    bills: dict[str, Bill] = {}
    for observer in observers:
        search = looking_at(state, observer.id, hider.at)
        if search is not None and search.total is None and observer.ready >= 1:
            bills[observer.id] = Bill(LOOK_PRICE, check_of(state, observer.id, OBSERVATION), "Search: Observation")
    return bills


def contest(
    play: Play, hider: str, total: int, against: list[str], paid: Mapping[str, Paid], goal: str = ""
) -> Steps[tuple[str, ...]]:
    """Compare one Stealth total with each creature by itself; gives those who are fooled.

    Rules: narateer.hide.must-exceed, narateer.hide.tie-fails, narateer.hide.mixed-results,
    narateer.hide.vs-readiness-score, narateer.hide.vs-active-check, narateer.hide.alert-is-not-active.
    """
    rollers = {observer: paid[observer] for observer in against if observer in paid}
    found = yield from check_each(play, rollers, OBSERVATION, "narateer.hide.vs-active-check", against=total, ties=True)
    state = play.state
    fooled: list[str] = []
    noticed: list[str] = []
    for observer in against:
        if observer in found:
            caught = bool(found[observer].value)
        else:
            caught = total <= opposing(state, observer, hider)
        (noticed if caught else fooled).append(observer)
    for observer, given in found.items():
        search = looking_at(state, observer, state.actors[hider].at)
        if search is not None and given.total is not None:
            play.emit(
                SearchBegun(
                    "narateer.search.one-observation-roll",
                    observer,
                    search.scope,
                    search.place,
                    given.total,
                    search.by_word,
                )
            )
    rule = "narateer.hide.must-exceed" if fooled else "narateer.hide.tie-fails"
    play.emit(Hid(rule, hider, total, tuple(fooled), tuple(noticed), goal or "location"))
    give_clues(play, hider, noticed)
    return tuple(fooled)


def opposing(state: State, observer: str, hider: str) -> int:
    """The number that the hider must exceed where nobody rolls: a standing Observation total, or the Readiness Score.

    Rules: narateer.search.simultaneous-with-hide, narateer.hide.vs-readiness-score.
    """
    search = looking_at(state, observer, state.actors[hider].at)
    if search is not None and search.total is not None:
        return search.total
    return readiness(state, character(state, observer), OBSERVATION)


def give_clues(play: Play, hider: str, noticed: list[str]) -> None:
    """A creature that was not fooled notices what its senses could reveal, and no more.

    Rules: narateer.hide.failure-limited-by-senses.
    """
    state = play.state
    field = ground_of(state)
    target = character(state, hider)
    for observer in noticed:
        at = target.at
        if field is not None and isinstance(at, tuple):
            from turnwright.space import sees

            here = character(state, observer).at
            if not (isinstance(here, tuple) and sees(field, here, at)):
                at = None
        play.emit(Learned("narateer.hide.failure-limited-by-senses", hider, observer, at, "noticed" if at else "heard"))


# -- later on


def resolve_waiting(play: Play, hider: str) -> Steps[None]:
    """A Hide that needed no check is settled as soon as somebody could notice.

    Rules: narateer.hide.deferred-resolution.
    """
    mine = character(play.state, hider)
    if any(
        could_notice(play.state, o, mine) and clearly_perceives(play.state, o, mine)
        for o in opponents(play.state, mine)
    ):
        play.emit(StoppedHiding("narateer.reveal.clear-view-immediate", hider))
        return
    open_to = [o.id for o in watchers(play.state, mine)[0]]
    if not open_to:
        return
    paid = yield from _commit_late(play, hider, open_to)
    if hider in paid:
        read = yield from check(play, hider, STEALTH, paid[hider], "narateer.hide.deferred-resolution")
        total = read.value
    else:
        total = readiness(play.state, character(play.state, hider), STEALTH)
    yield from contest(play, hider, total, open_to, paid)


def _commit_late(play: Play, hider: str, open_to: list[str]) -> Steps[dict[str, Paid]]:
    """Whoever can pay pays, sealed and together; the others' Readiness Scores stand in for them.

    Rules: narateer.hide.deferred-resolution, narateer.hide.both-commit-first.
    """
    state = play.state
    observers = [character(state, o) for o in open_to]
    bills: dict[str, Bill] = {}
    if character(state, hider).ready >= 1:
        price = DEFERRED_PRICE.plus(proactive_use(STEALTH)) if state.active == hider else DEFERRED_PRICE
        bills[hider] = Bill(price, check_of(state, hider, STEALTH), "Hide: Stealth")
    bills |= searching_bills(state, character(state, hider), observers)
    return (yield from commit_asked(play, bills))


def commit_asked(play: Play, bills: dict[str, Bill]) -> Steps[dict[str, Paid]]:
    """Several are asked for a check by a rule: nobody may withdraw, and all commit before any die falls."""
    questions = tuple(
        Commit(
            character(play.state, actor).seat,
            actor,
            f"{bill.label}: how much beyond the price?",
            bill.check.why_most,
            bill.price,
            boost_limit(play.game, play.state, actor, bill),
            bill.check.skill,
            may_withdraw=False,
        )
        for actor, bill in bills.items()
        if bill.check is not None and boost_limit(play.game, play.state, actor, bill) > 0
    )
    answers = yield from ask_each(lambda: questions)
    boosts = {q.actor: given.boost for q, given in zip(questions, answers, strict=True) if isinstance(given, Committed)}
    return {actor: charge(play, actor, bill, boosts.get(actor, 0)) for actor, bill in bills.items()}


def meet_newcomers(play: Play, hider: str) -> Steps[None]:
    """A creature that could notice only now meets the recorded total; the hider does not roll again.

    Rules: narateer.sneak.new-observer-passive, narateer.sneak.new-observer-active,
    narateer.hide.later-finds-use-record.
    """
    new = [o.id for o in newcomers(play.state, character(play.state, hider))]
    if not new:
        return
    bills = searching_bills(play.state, character(play.state, hider), [character(play.state, o) for o in new])
    paid = yield from commit_asked(play, bills)
    stands = record(play.state, hider)
    if stands is None:
        return
    read = yield from check_each(play, paid, OBSERVATION, "narateer.sneak.new-observer-active")
    for observer in new:
        active = observer in read or looking_at(play.state, observer, play.state.actors[hider].at) is not None
        theirs = total_of_answer(read[observer]) if observer in read else opposing(play.state, observer, hider)
        fooled = newcomer_fooled(play.state, stands.total, theirs, active)
        rule = "narateer.sneak.new-observer-active" if active else "narateer.sneak.new-observer-passive"
        yes, no = ((observer,), ()) if fooled else ((), (observer,))
        play.emit(Hid(rule, hider, stands.total, yes, no, stands.goal))
        if not fooled:
            give_clues(play, hider, [observer])


def newcomer_fooled(state: State, stands: int, theirs: int, active: bool) -> bool:
    """Rules: narateer.sneak.new-observer-passive (a tie is noticed), narateer.sneak.new-observer-active (it is not)."""
    if stands != theirs:
        return stands > theirs
    rules = settings(state)
    return (rules.newcomer_active_tie if active else rules.newcomer_passive_tie) == "hidden"


class StopHiding(Action):
    """Give up hiding, from some creatures or from all, before the next metre.

    Rules: narateer.sneak.double-movement-cost.
    """

    name = "stop_hiding"
    about = "stop hiding, free of charge"
    nature = "free"
    rules = ("narateer.sneak.double-movement-cost",)
    parameters = (Parameter("toward", "text", "from whom, separated by commas; from all where you do not say"),)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not hiding(known, d.actor):
            yield Refusal(self.rules[0], "you are not hiding", "NOT_HIDING")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        toward = tuple(name.strip() for name in d.option("toward").split(",") if name.strip())
        play.emit(StoppedHiding(self.rules[0], d.actor, toward))
        return ended(Outcome(self.name, "seen", toward))
