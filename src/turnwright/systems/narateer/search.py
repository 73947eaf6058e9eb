"""Search: examine a place, an object or clues with one Observation roll, and find what scope and total allow."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.events import Told
from turnwright.model import (
    Bill,
    Cell,
    Check,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    Ruling,
    State,
)
from turnwright.rules import Action, Pick, Settled, Steps
from turnwright.systems.narateer.check import check, check_each, check_of, one_ad, total_of_answer
from turnwright.systems.narateer.economy import ad, proactive_use, tier_cost
from turnwright.systems.narateer.events import (
    FoundThing,
    Hid,
    Hidden,
    Revealed,
    SearchBegun,
    Searched,
    SearchMade,
    Secret,
)
from turnwright.systems.narateer.hide import DEFERRED_PRICE, OBSERVATION, STEALTH, give_clues, newcomer_fooled
from turnwright.systems.narateer.intent import METHOD, incomplete, stated
from turnwright.systems.narateer.movement import to_cell
from turnwright.systems.narateer.senses import considered, ground_of, record, waiting
from turnwright.systems.narateer.sheet import character, readiness, settings

TOPICS = ("search",)

SEARCH_PRICE = one_ad("an Observation check", "narateer.search.check-cost").plus(proactive_use(OBSERVATION))
SUBJECTS = ("place", "object", "clues")


def scope_of(state: State, d: Declaration, ruling: Ruling | None = None) -> tuple[Cell, ...]:
    """The Spaces that a Search covers: a named place, or a Space and those next to it.

    Rules: narateer.search.scope-confirmed, narateer.search.scope-limits (never more than was confirmed).
    """
    field = ground_of(state)
    if field is None:
        return ()
    cells: list[Cell] = []
    for name in ruling.scope if ruling is not None and ruling.scope else (d.option("place"),):
        cells.extend(field.grid.cells_of(name))
    if not cells and d.option("at"):
        cells.extend(_around(to_cell(d.option("at"))))
    return tuple(cell for cell in cells if field.grid.contains(cell))


def _around(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]


def subject(d: Declaration) -> str:
    return d.option("place") or d.option("at") or d.option("thing")


def same_search(known: State, d: Declaration) -> tuple[str, ...]:
    """What makes two Searches the same: who, what, how, the evidence known to the searcher, and the time spent.

    Rules: narateer.search.no-identical-retry (nothing that the searcher does not know enters).
    """
    manner = " ".join(d.method.lower().split())
    return (subject(d), manner, d.option("evidence"), d.option("time") or "1")


class Search(Action):
    """Examine a place, an object or a set of clues deliberately."""

    name = "search"
    about = "examine a place, an object or clues"
    rules = ("narateer.search.purpose", "narateer.search.check-cost", "narateer.search.no-identical-retry")
    parameters = (
        METHOD,
        Parameter("place", "text", "a named place to search"),
        Parameter("at", "cell", "or a Space: it and those next to it are searched"),
        Parameter("thing", "text", "or an object or clues that you examine"),
        Parameter("evidence", "text", "what you have learned since, where you search again"),
        Parameter("time", "text", "how much time you spend"),
    )

    def complete(self, known: State, d: Declaration) -> Declaration:
        return stated(d, f"find what is in {subject(d)}" if subject(d) else "", d.method)

    def open_parameters(self, known: State, d: Declaration) -> tuple[Parameter, ...]:
        field = ground_of(known)
        if field is None:
            return self.parameters
        named = [kind.place for kind, _ in field.kinds.values() if kind.place]
        found = tuple(dict.fromkeys([*field.grid.places, *named]))
        place = Parameter("place", "text", "a named place to search", choices=found)
        return (self.parameters[0], place, *self.parameters[2:])

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        """Where an opponent may be: a Space that somebody was last known on, or any near one."""
        field, actor = ground_of(known), character(known, d.actor)
        if field is None or not isinstance(actor.at, tuple):
            return replace(d, method="look closely", options={**d.options, "place": str(actor.at)})
        x, y = pick(field.listed_next(actor.at) or (actor.at,))
        turn = str(known.round)
        return replace(d, method="look closely", options={**d.options, "at": f"{x},{y}", "time": turn})

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        """Rules: narateer.search.declare-what-and-how, narateer.search.purpose."""
        yield from incomplete("narateer.search.declare-what-and-how", method=d.method, subject=subject(d))

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not subject(d):
            return
        key = same_search(known, d)
        for fact in known.facts_of(Searched):
            if fact.actor == d.actor and fact.key == key:
                text = "the same search was made already; another method, new evidence or more time may allow another"
                yield Refusal("narateer.search.no-identical-retry", text, "SAME_SEARCH")
                break

    def price(self, known: State, d: Declaration) -> Price:
        return SEARCH_PRICE

    def check(self, known: State, d: Declaration) -> Check | None:
        return check_of(known, d.actor, OBSERVATION)

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """The guide confirms what the attempt covers and what failure risks.

        Rules: narateer.search.scope-confirmed, narateer.search.risk-before-commit, narateer.search.retry-when-changed.
        """
        return None

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        """Rules: narateer.search.certain-find, narateer.search.check-when-uncertain-and-relevant."""
        if ruling.kind == "check":
            return Bill(SEARCH_PRICE, check_of(state, d.actor, OBSERVATION, most=ruling.boost), "Search: Observation")
        price = ruling.ad if ruling.ad is not None else tier_cost(state, ruling.tier)
        return Bill(Price(ad(price, ruling.tier or "trivial", "narateer.search.certain-find")), None, "Search")

    def others(self, state: State, d: Declaration, ruling: Ruling) -> dict[str, Bill]:
        """A Hide in the searched place that is not settled yet is settled by this roll: both commit first.

        Rules: narateer.search.one-observation-roll.
        """
        if ruling.kind != "check":
            return {}
        return {
            hider: Bill(DEFERRED_PRICE, check_of(state, hider, STEALTH), "Hide: Stealth")
            for hider in unsettled(state, d.actor, scope_of(state, d, ruling), d.option("place"))
            if character(state, hider).ready >= 1
        }

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        ruling = paid.ruling
        assert ruling is not None
        if ruling.kind != "check":
            return _certain(play, d, ruling)
        scope, place = scope_of(play.state, d, ruling), d.option("place")
        play.emit(SearchBegun("narateer.search.check-cost", d.actor, scope, place))
        read = yield from check(play, d.actor, OBSERVATION, paid[d.actor], "narateer.search.one-observation-roll")
        total = read.value
        play.emit(SearchBegun("narateer.search.one-observation-roll", d.actor, scope, place, total))
        found = yield from _against_hiders(play, d, paid, scope, total)
        things = list(find_things(play, d.actor, ruling, total))
        play.emit(SearchMade("narateer.search.no-identical-retry", d.actor, same_search(play.state, d)))
        if not found and not things:
            play.emit(Told("narateer.search.failure-proves-nothing", d.actor, ruling.failure, good=False))
        return Outcome(self.name, "found" if found or things else "nothing found", tuple(found))


def _certain(play: Play, d: Declaration, ruling: Ruling) -> Outcome:
    """The method finds it for certain: it is described and nothing is rolled.

    Rules: narateer.search.certain-find.
    """
    for thing in ruling.finds:
        fact = play.state.facts.get(thing)
        if isinstance(fact, Secret) and d.actor not in fact.found_by:
            play.emit(FoundThing("narateer.search.certain-find", d.actor, thing, fact.name))
    play.emit(Told("narateer.search.certain-find", d.actor, ruling.success or "there is nothing to find", ruling.good))
    return Outcome("search", "found" if ruling.finds else "told")


def unsettled(state: State, searcher: str, scope: tuple[Cell, ...], place: str) -> list[str]:
    """Creatures of another side that hide in the scope without a check so far."""
    side = character(state, searcher).side
    return [
        a.id
        for a in state.actors.values()
        if a.side != side and waiting(state, a.id) is not None and covers(scope, place, a.at)
    ]


def covers(scope: tuple[Cell, ...], place: str, at: object) -> bool:
    """Whether a position lies in what is searched.

    Rules: narateer.search.creature-needs-right-place.
    """
    return at in scope if scope else bool(place) and at == place


def _against_hiders(play: Play, d: Declaration, paid: Settled, scope: tuple[Cell, ...], total: int) -> Steps[list[str]]:
    """One roll serves against everybody in the scope: those hidden already, those who hide now, and newcomers' records.

    Rules: narateer.search.versus-recorded-total, narateer.search.tie-fails, narateer.search.simultaneous-with-hide,
    narateer.search.one-observation-roll, narateer.search.reveals-to-finder.
    """
    place = d.option("place")
    found: list[str] = []
    fresh = unsettled(play.state, d.actor, scope, place)
    rollers = {hider: paid[hider] for hider in fresh if hider in paid}
    rolled = yield from check_each(play, rollers, STEALTH, "narateer.search.simultaneous-with-hide")
    for hider in fresh:
        stealth = (
            total_of_answer(rolled[hider])
            if hider in rolled
            else readiness(play.state, character(play.state, hider), STEALTH)
        )
        pair = ((d.actor,), ()) if stealth > total else ((), (d.actor,))
        play.emit(Hid("narateer.search.simultaneous-with-hide", hider, stealth, *pair))
        if stealth <= total:
            give_clues(play, hider, [d.actor])
            found.append(hider)
    for actor in list(play.state.actors.values()):
        if actor.id not in fresh and covers(scope, place, actor.at) and _finds(play.state, d.actor, actor.id, total):
            play.emit(Revealed("narateer.search.reveals-to-finder", actor.id, d.actor, "found"))
            found.append(actor.id)
    return found


def _finds(state: State, searcher: str, hider: str, total: int) -> bool:
    held = state.relation(Hidden, hider, searcher)
    if held is not None:
        return total > held.total
    stands = record(state, hider)
    if stands is None or considered(state, hider, searcher):
        return False
    return not newcomer_fooled(state, stands.total, total, active=True)


def find_things(play: Play, searcher: str, ruling: Ruling, total: int) -> Iterator[str]:
    """Concealed things in the scope whose target the total meets; what is sealed or behind something is not in it.

    Rules: narateer.search.object-target, narateer.search.scope-limits, narateer.search.find-is-not-explain.
    """
    for fact in play.state.facts_of(Secret):
        target = ruling.target if ruling.target is not None else fact.target
        inside = fact.place in ruling.scope and not fact.sealed and not fact.behind
        if inside and searcher not in fact.found_by and _meets(play.state, total, target):
            play.emit(FoundThing("narateer.search.object-target", searcher, fact.id, fact.name))
            yield fact.id


def _meets(state: State, total: int, target: int) -> bool:
    return total > target or (total == target and settings(state).fixed_target == "meet")
