"""Hide: one Stealth roll against every creature that could notice, and when it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from turnwright.engine import Play, ask_each, boost_limit, charge, may_interject
from turnwright.intent import METHOD, incomplete, stated
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
    Question,
    Refusal,
    Rolled,
    Ruling,
    State,
)
from turnwright.rules import Action, Pick, Settled, Steps
from turnwright.systems.narateer.check import check, check_each, check_of, one_ad
from turnwright.systems.narateer.conversion import CINEMATIC
from turnwright.systems.narateer.economy import available, proactive_use
from turnwright.systems.narateer.events import Hid, HideDeferred, Known, Learned, Looking, SearchBegun, aware_of
from turnwright.systems.narateer.knowledge import known as known_to
from turnwright.systems.narateer.offmap import HERE, conceals_at
from turnwright.systems.narateer.senses import (
    considered,
    could_notice,
    ground_of,
    knows_spot,
    looking_for,
    opponents,
    perceives,
    places,
    sight_reaches,
    waiting,
)
from turnwright.systems.narateer.sheet import Character, character, readiness, settings

TOPICS = ("hide",)

STEALTH = "stealth"
OBSERVATION = "observation"
LOCATION, PRESENCE = "location", "presence"
GOALS = (PRESENCE, LOCATION)
"""What can be concealed: that somebody is there at all, or only where.

Rules: narateer.hide.purpose (the roll is the same; who conceals only the location lets it be known that it is there).
"""


# -- from whom one can hide


OPEN_KEPT = 16


class Open(NamedTuple):
    """Whom a Hide would be against, and of which state and which hider that was asked."""

    state: State
    hider: Character
    watchers: tuple[Character, ...]


_open: dict[str, Open] = {}
"""What was asked last of each hider: price, refusals, ruling and every branch of the odds ask the same again."""


def open_to(state: State, hider: Character) -> tuple[Character, ...]:
    """Whom a Hide would be against: creatures that could notice, and neither see the hider now nor know the spot.

    Rules: narateer.hide.per-observer, narateer.hide.purpose (nobody at all is a list, too).
    """
    kept = _open.get(hider.id)
    if kept is None or kept.hider is not hider or not _as_before(kept.state, state):
        if len(_open) >= OPEN_KEPT:
            _open.clear()
        others = opponents(state, hider)
        found = [o for o in others if could_notice(state, o, hider) and not knows_where(state, o, hider)]
        kept = _open[hider.id] = Open(state, hider, tuple(found))
    return kept.watchers


def _as_before(one: State, two: State) -> bool:
    """Whether two states share everything that senses and memories hang on."""
    return one is two or (
        one.actors is two.actors
        and one.relations is two.relations
        and one.facts is two.facts
        and one.scene is two.scene
        and one.open_doors == two.open_doors
        and one.mode == two.mode
    )


def knows_where(state: State, observer: Character, hider: Character) -> bool:
    return perceives(state, observer, hider) or knows_spot(state, observer, hider)


def shut_out(state: State, hider: Character, against: list[str]) -> list[str]:
    """Who of the others could notice and needs no roll for it: those creatures notice whatever the total is.

    Rules: narateer.hide.not-while-clearly-perceived, narateer.hide.out-of-sight-is-not-hidden.
    """
    others = [o for o in opponents(state, hider) if o.id not in against]
    return [o.id for o in others if could_notice(state, o, hider) and knows_where(state, o, hider)]


def refused_by(state: State, observer: Character, hider: Character) -> Iterator[Refusal]:
    """Why there is no hiding from this creature as things stand: what it perceives, or what it knows.

    Rules: narateer.hide.not-while-clearly-perceived, narateer.hide.needs-concealment, narateer.hide.other-senses,
    narateer.hide.out-of-sight-is-not-hidden.
    """
    senses = places(state, observer, hider)
    seen = [sense for sense in senses if sense != "hearing"]
    if seen:
        text = f"{observer.name} clearly perceives where you are ({', '.join(seen)})"
        yield Refusal("narateer.hide.not-while-clearly-perceived", text, "CLEARLY_PERCEIVED")
    if any(_in_the_open(state, hider, sense) for sense in seen):
        text = f"nothing here keeps {observer.name} from seeing you"
        yield Refusal("narateer.hide.needs-concealment", text, "NO_CONCEALMENT")
    if "hearing" in senses:
        text = f"{observer.name} hears where you are"
        yield Refusal("narateer.hide.other-senses", text, "HEARD")
    if not senses and knows_spot(state, observer, hider):
        text = f"{observer.name} knows that you are there; leave the spot unseen first"
        yield Refusal("narateer.hide.out-of-sight-is-not-hidden", text, "SPOT_KNOWN")


def _in_the_open(state: State, hider: Character, sense: str) -> bool:
    field = ground_of(state)
    if field is None or not isinstance(hider.at, tuple):
        return sense != "guide" and state.mode == CINEMATIC and not conceals_at(state, hider.at, sense)
    return sense != "guide" and sense not in field.terrain(hider.at).conceals


# -- the action


class Hide(Action):
    """Keep one’s presence or place from whoever could notice it."""

    name = "hide"
    about = "conceal your presence or location"
    rules = ("narateer.hide.purpose", "narateer.hide.cost", "narateer.hide.single-roll")
    parameters = (
        METHOD,
        Parameter("place", "text", "where you hide; the Space you stand on, where you do not say"),
        Parameter("goal", "choice", "what to conceal; that you are there at all, where you do not say", choices=GOALS),
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
        """Refused where everybody who could notice knows already; the rest of the world never stands in the way.

        Rules: narateer.hide.per-observer.
        """
        if d.option("goal") not in ("", *GOALS):
            yield Refusal("narateer.hide.purpose", "the goal is presence or location", "GOAL")
        hider = character(known, d.actor)
        if not open_to(known, hider):
            for observer in opponents(known, hider):
                if could_notice(known, observer, hider):
                    yield from refused_by(known, observer, hider)

    def price(self, known: State, d: Declaration) -> Price:
        """1 Ready AD and a use of Stealth where detection is a real possibility; nothing where it is not.

        Rules: narateer.hide.cost, narateer.hide.check-when-detectable, narateer.hide.no-check-if-undetectable.
        """
        return HIDE_PRICE if open_to(known, character(known, d.actor)) else NOTHING

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
        hider = character(state, d.actor)
        return searching_bills(state, hider, open_to(state, hider))

    def wanted(self, state: State, d: Declaration, outcome: Outcome) -> bool:
        """Nobody who could notice does."""
        against = open_to(state, character(state, d.actor))
        return outcome.result == "hidden" and all(observer.id in outcome.who for observer in against)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """Rules: narateer.hide.single-roll, narateer.hide.record-total, narateer.hide.check-when-detectable."""
        from turnwright.systems.narateer.reveal import reveal_to_all_who_see

        goal = d.option("goal") or PRESENCE
        if not paid[d.actor].dice:
            play.emit(HideDeferred("narateer.hide.no-check-if-undetectable", d.actor, goal))
            yield from resolve_waiting(play, d.actor)
            reveal_to_all_who_see(play, d.actor)
            return Outcome(self.name, "waiting" if waiting(play.state, d.actor) is not None else "settled")
        read = yield from check(play, d.actor, STEALTH, paid[d.actor], "narateer.hide.single-roll")
        against = [o.id for o in open_to(play.state, character(play.state, d.actor))]  # kept: whom this Hide is against
        fooled, noticed = yield from compare(play, d.actor, read.value, against, paid.paid)
        seen_by = shut_out(play.state, character(play.state, d.actor), against)
        settle_hide(play, d.actor, read.value, fooled, noticed, goal, seen_by=seen_by, anew=True)
        return Outcome(self.name, "noticed" if (noticed or seen_by) and not fooled else "hidden", tuple(fooled))


HIDE_PRICE = one_ad("a Stealth check", "narateer.hide.cost").plus(proactive_use(STEALTH))
LATE_PRICE = one_ad("a Stealth check", "narateer.hide.deferred-resolution")
LOOK_PRICE = one_ad("an Observation check", "narateer.search.check-cost")
"""The same as for any Search, so that it does not tell that somebody hides (narateer.hide.active-observation-cost)."""


def _place_name(state: State, hider: Character) -> str:
    field = ground_of(state)
    if field is None or not isinstance(hider.at, tuple):
        return "" if hider.at in (None, HERE) else str(hider.at)
    return field.grid.place_of(hider.at) or field.terrain(hider.at).name


# -- who commits to what


def asked_bill(state: State, actor: str, skill: str, price: Price, label: str) -> Bill | None:
    """A check that is asked for, not declared; in one's own Activation it takes a proactive use, too.

    Whoever cannot pay, None, does not roll: the Readiness Score stands in for the total.
    Rules: narateer.hide.active-observation-cost, narateer.hide.deferred-resolution.
    """
    if state.active == actor:
        price = price.plus(proactive_use(skill))
    for item in price.costs:
        have = available(state, actor, item.resource)
        if have is not None and have < item.amount:
            return None
    return Bill(price, check_of(state, actor, skill), label)


def searching_bills(state: State, hider: Character, observers: Sequence[Character]) -> dict[str, Bill]:
    """What the active searchers among the observers commit: those who have rolled, or cannot pay, commit nothing.

    Rules: narateer.search.one-observation-roll, narateer.hide.active-looking-definition.
    """
    bills: dict[str, Bill] = {}
    for observer in observers:
        search = looking_for(state, observer.id, hider)
        if search is not None and search.total is None:
            bill = asked_bill(state, observer.id, OBSERVATION, LOOK_PRICE, "Search: Observation")
            if bill is not None:
                bills[observer.id] = bill
    return bills


def late_bill(state: State, hider: str) -> dict[str, Bill]:
    """What a hider commits whose Hide is settled only now."""
    bill = asked_bill(state, hider, STEALTH, LATE_PRICE, "Hide: Stealth")
    return {} if bill is None else {hider: bill}


def commit_asked(play: Play, bills: Callable[[], dict[str, Bill]], mine: str = "") -> Steps[dict[str, Paid]]:
    """Several are asked for a check by a rule: nobody may withdraw, and all commit, sealed, before any die falls.

    Rules: narateer.hide.both-commit-first.
    """
    answers = yield from ask_each(lambda: _commits(play, bills(), mine))
    asked = _commits(play, bills(), mine)
    boosts = {q.actor: given.boost for q, given in zip(asked, answers, strict=True) if isinstance(given, Committed)}
    return {actor: charge(play, actor, bill, boosts.get(actor, 0)) for actor, bill in bills().items()}


def _commits(play: Play, bills: dict[str, Bill], mine: str) -> tuple[Question, ...]:
    questions: list[Question] = []
    for actor, bill in bills.items():
        most = boost_limit(play.game, play.state, actor, bill)
        if bill.check is not None and (most > 0 or (actor == mine and may_interject(play, actor, bill))):
            prompt = f"{bill.label}: how much beyond the price?"
            moment = play.game.commit_moment(actor, bill, None)
            seat, why, skill = character(play.state, actor).seat, bill.check.why_most, bill.check.skill
            questions.append(Commit(seat, actor, prompt, why, bill.price, most, skill, moment, may_withdraw=False))
    return tuple(questions)


# -- the comparison


def compare(
    play: Play, hider: str, total: int, against: list[str], paid: Mapping[str, Paid]
) -> Steps[tuple[list[str], list[str]]]:
    """Compare one Stealth total with each creature by itself: who is fooled, and who notices.

    Rules: narateer.hide.must-exceed, narateer.hide.tie-fails, narateer.hide.mixed-results,
    narateer.hide.vs-readiness-score, narateer.hide.vs-active-check, narateer.hide.alert-is-not-active.
    """
    rollers = {observer: paid[observer] for observer in against if observer in paid}
    found = yield from check_each(play, rollers, OBSERVATION, "narateer.hide.vs-active-check", against=total, ties=True)
    fooled: list[str] = []
    noticed: list[str] = []
    for observer in against:
        if observer in found:
            caught = bool(found[observer].value)
        else:
            caught = total <= opposing(play.state, observer, hider)
        (noticed if caught else fooled).append(observer)
    keep_totals(play, hider, found)
    return fooled, noticed


def keep_totals(play: Play, hider: str, found: Mapping[str, Rolled]) -> None:
    """What a searcher has rolled stands for the rest of its search; it is neither rolled nor paid for again.

    Rules: narateer.search.one-observation-roll.
    """
    for observer, given in found.items():
        if given.total is None:
            continue
        search = looking_for(play.state, observer, character(play.state, hider))
        if search is not None:
            play.emit(searching("narateer.search.one-observation-roll", search, given.total))


def searching(rule: str, search: Looking, total: int) -> SearchBegun:
    """The search as it goes on, with its total."""
    return SearchBegun(rule, search.owner, search.scope, search.place, total, search.by_word, search.trail)


def opposing(state: State, observer: str, hider: str) -> int:
    """The number that the hider must exceed where nobody rolls: a standing Observation total, or the Readiness Score.

    Rules: narateer.search.simultaneous-with-hide, narateer.hide.vs-readiness-score.
    """
    search = looking_for(state, observer, character(state, hider))
    if search is not None and search.total is not None:
        return search.total
    return readiness(state, character(state, observer), OBSERVATION)


def settle_hide(
    play: Play,
    hider: str,
    total: int,
    fooled: list[str],
    noticed: list[str],
    goal: str,
    *,
    seen_by: list[str] | None = None,
    anew: bool = False,
    waits: bool = False,
    rule: str = "",
) -> None:
    """Write down who is fooled and who is not, each for itself, the total, and what everybody learns of it.

    Whoever looks for the hider later on must exceed that total; it is never rolled again.
    Rules: narateer.hide.mixed-results, narateer.hide.record-total, narateer.hide.later-finds-use-record,
    narateer.hide.must-exceed, narateer.hide.tie-fails.
    """
    rule = rule or ("narateer.hide.must-exceed" if fooled else "narateer.hide.tie-fails")
    play.emit(Hid(rule, hider, total, tuple(fooled), (*noticed, *(seen_by or ())), goal, anew, waits))
    for observer in noticed:
        give_clues(play, hider, observer)
    if goal == LOCATION:
        for observer in fooled:
            _give_presence(play, hider, observer)


def give_clues(play: Play, hider: str, observer: str) -> None:
    """A creature that was not fooled notices what its senses could reveal, and no more.

    Rules: narateer.hide.failure-limited-by-senses.
    """
    state, rule = play.state, "narateer.hide.failure-limited-by-senses"
    if sight_reaches(state, character(state, observer), character(state, hider)):
        play.emit(Learned(rule, hider, observer, state.actors[hider].at, "noticed", aware=True))
        return
    before = state.relation(Known, hider, observer)
    play.emit(Learned(rule, hider, observer, before.at if before is not None else None, "heard", aware=True))


def _give_presence(play: Play, hider: str, observer: str) -> None:
    """Whoever conceals only where it is lets others know that somebody is there.

    Rules: narateer.hide.purpose.
    """
    if play.state.relation(Known, hider, observer) is None:
        play.emit(Learned("narateer.hide.purpose", hider, observer, None, "presence"))


# -- a Hide that had to wait


def resolve_waiting(play: Play, hider: str, also: tuple[str, ...] = ()) -> Steps[None]:
    """A Hide that needed no check is settled as soon as somebody could notice.

    `also` are creatures to which a sound carried. Where the hider knows of none of them nothing is asked of it, since
    the question would tell that somebody is there: its Readiness Score stands in, and the check is still to come. The
    setting `unknown_watcher` asks for the check all the same. While the check is being made, nothing that the guide
    changes settles the same attempt a second time.
    Rules: narateer.hide.deferred-resolution.
    """
    mine = "narateer.hide.deferred-resolution", hider
    if mine in play.under_way:
        return
    outer, play.under_way = play.under_way, (*play.under_way, mine)
    yield from _resolve(play, hider, also)
    play.under_way = outer


def _resolve(play: Play, hider: str, also: tuple[str, ...]) -> Steps[None]:
    held = waiting(play.state, hider)  # kept: the attempt that is settled here
    if held is None:
        return
    against = late_watchers(play.state, hider, also)  # kept: those against whom everybody commits
    if not against:
        return
    by_score = settings(play.state).unknown_watcher == "score"
    if by_score and not any(aware_of(play.state, hider, other) for other in against):
        yield from settle_unknown(play, hider, against, held.goal)
        return
    paid = yield from commit_asked(play, lambda: late_bills(play.state, hider, against), hider)
    if hider in paid:
        read = yield from check(play, hider, STEALTH, paid[hider], "narateer.hide.deferred-resolution")
        total = read.value
    else:
        total = readiness(play.state, character(play.state, hider), STEALTH)  # kept: the total of this attempt
    fooled, noticed = yield from compare(play, hider, total, against, paid)
    settle_hide(play, hider, total, fooled, noticed, held.goal)


def settle_unknown(play: Play, hider: str, against: list[str], goal: str) -> Steps[None]:
    """Creatures of which the hider knows nothing meet its Readiness Score; what it does about others still waits.

    Rules: narateer.hide.deferred-resolution, narateer.search.one-observation-roll.
    """
    total = readiness(play.state, character(play.state, hider), STEALTH)  # kept: the total of this attempt
    paid = yield from commit_asked(play, lambda: _looking_bills(play.state, hider, against))
    fooled, noticed = yield from compare(play, hider, total, against, paid)
    rule = "narateer.hide.deferred-resolution"
    settle_hide(play, hider, total, fooled, noticed, goal, rule=rule, waits=True)


def _looking_bills(state: State, hider: str, against: list[str]) -> dict[str, Bill]:
    return searching_bills(state, character(state, hider), [character(state, observer) for observer in against])


def late_watchers(state: State, hider: str, also: tuple[str, ...]) -> list[str]:
    """Whoever can notice now, has not seen the hider since it began to hide, and does not know where it is."""
    mine = character(state, hider)
    found = [o.id for o in open_to(state, mine)]
    found += [o for o in also if o not in found and not knows_where(state, character(state, o), mine)]
    return [o for o in found if not considered(state, hider, o)]


def late_bills(state: State, hider: str, against: list[str]) -> dict[str, Bill]:
    """Whoever can pay pays; the Readiness Scores of the others stand in for them.

    Rules: narateer.hide.deferred-resolution, narateer.hide.both-commit-first.
    """
    return late_bill(state, hider) | _looking_bills(state, hider, against)
