"""Search: examine a place, an object or clues with one Observation roll, and find what scope and total allow."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.events import Told
from turnwright.intent import METHOD, incomplete, stated
from turnwright.model import (
    NOTHING,
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
from turnwright.systems.narateer.economy import ad, available, proactive_use, tier_cost
from turnwright.systems.narateer.events import (
    FoundThing,
    Hidden,
    Learned,
    Revealed,
    SearchBegun,
    Searched,
    SearchMade,
    Secret,
    aware_of,
)
from turnwright.systems.narateer.hide import OBSERVATION, STEALTH, late_bill, settle_hide
from turnwright.systems.narateer.offmap import cells_of_zone, place_of
from turnwright.systems.narateer.routes import to_cell
from turnwright.systems.narateer.senses import considered, ground_of, locates, opponents, record, waiting
from turnwright.systems.narateer.sheet import character, readiness, settings
from turnwright.systems.narateer.sneak import newcomer_fooled

TOPICS = ("search",)

SEARCH_PRICE = one_ad("an Observation check", "narateer.search.check-cost").plus(proactive_use(OBSERVATION))
SUBJECTS = {"place": "place", "at": "place", "thing": "object", "clues": "clues"}
"""What is examined, by the parameter that names it. Rules: narateer.search.purpose."""

Scope = tuple[Cell | str, ...]
"""What a Search covers: the Spaces, and by name what is no Space of the map."""


def can_check(known: State, searcher: str) -> bool:
    """Whether the searcher could pay for a check now."""
    means = [(available(known, searcher, item.resource), item.amount) for item in SEARCH_PRICE.costs]
    return all(have is None or have >= need for have, need in means)


def subject(d: Declaration) -> str:
    """What is examined, in the searcher's words."""
    return next((d.option(name) for name in SUBJECTS if d.option(name)), "")


def subject_kind(d: Declaration) -> str:
    """Whether a place, an object or clues are examined.

    Rules: narateer.search.purpose.
    """
    return next((kind for name, kind in SUBJECTS.items() if d.option(name)), "")


def scope_names(d: Declaration, ruling: Ruling | None) -> tuple[str, ...]:
    """What the guide confirmed, by name; where the guide added nothing, what was declared, and never more.

    Rules: narateer.search.scope-confirmed, narateer.search.scope-limits.
    """
    if ruling is not None and ruling.scope:
        return ruling.scope
    return tuple(d.option(name) for name in ("place", "thing", "clues") if d.option(name))


def scope_of(state: State, d: Declaration, ruling: Ruling | None = None) -> Scope:
    """The Spaces that a Search covers, or off a map the Zones: a named place, or a Space and those next to it.

    Rules: narateer.search.scope-confirmed, narateer.search.scope-limits.
    """
    names, field = scope_names(d, ruling), ground_of(state)
    zones = state.scene.zones
    if field is None:
        at = place_of(state, to_cell(d.option("at"))) if d.option("at") else ""
        named = tuple([(zones.named(name) if zones is not None else "") or name for name in names])
        return named or ((at,) if at else ())
    cells = [cell for name in names for cell in field.cells_of(name) or cells_of_zone(state, name)]
    if d.option("at") and not cells:
        cells.extend(_around(to_cell(d.option("at"))))
    return tuple(dict.fromkeys([cell for cell in cells if field.contains(cell)]))


def _around(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]


def same_search(d: Declaration) -> tuple[str, ...]:
    """What makes two Searches the same: who, what, how, the evidence known to the searcher, and the time spent.

    Rules: narateer.search.no-identical-retry (nothing that the searcher does not know enters).
    """
    manner = " ".join(d.method.lower().split())
    return (subject(d).lower(), manner, d.option("evidence"), d.option("time") or "1")


def standing_in(state: State, scope: Scope, searcher: str) -> tuple[str, ...]:
    """What stands against a search of these Spaces, for the guide: who hides there, and with which total."""
    found: list[str] = []
    for other in opponents(state, character(state, searcher)):
        held = state.relation(Hidden, other.id, searcher) or record(state, other.id) or waiting(state, other.id)
        if other.at in scope and held is not None:
            found.append(f"{other.id} {getattr(held, 'total', '')}")
    return tuple(found)


class Search(Action):
    """Examine a place, an object or a set of clues deliberately."""

    name = "search"
    wants = ("found",)
    about = "examine a place, an object or clues"
    rules = ("narateer.search.purpose", "narateer.search.check-cost", "narateer.search.no-identical-retry")
    parameters = (
        METHOD,
        Parameter("place", "text", "a named place to search"),
        Parameter("at", "cell", "or a Space: it and those next to it are searched"),
        Parameter("thing", "text", "or an object that you examine"),
        Parameter("clues", "text", "or clues that you examine"),
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
        """The same search again is refused by what the searcher did; only the guide is told what has changed.

        Rules: narateer.search.no-identical-retry.
        """
        key = same_search(d)
        for fact in known.facts_of(Searched):
            if fact.actor == d.actor and fact.key == key and subject(d):
                text = "the same search was made already; another method, new evidence or more time may allow another"
                if fact.met is not None and fact.met != standing_in(known, fact.scope, d.actor):
                    text += "; for the Guide alone: what hides there has changed, and you may grant the roll"
                yield Refusal("narateer.search.no-identical-retry", text, "SAME_SEARCH")
                break

    def price(self, known: State, d: Declaration) -> Price:
        """A check, as far as one can know; whoever cannot pay for one may still look for what is certain to be found.

        Rules: narateer.search.check-cost, narateer.search.certain-find.
        """
        return SEARCH_PRICE if can_check(known, d.actor) else NOTHING

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: narateer.search.certain-find."""
        if can_check(known, d.actor):
            return ()
        return ("there is nothing to pay a check with; only what is certain is found",)

    def check(self, known: State, d: Declaration) -> Check | None:
        return check_of(known, d.actor, OBSERVATION)

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """The guide confirms what the attempt covers and what failure risks; another attempt is the guide's to permit.

        Rules: narateer.search.scope-confirmed, narateer.search.risk-before-commit, narateer.search.retry-when-changed.
        """
        return None

    def ruled(self, state: State, d: Declaration, ruling: Ruling) -> Ruling:
        """What there is to find, and the number to meet, are shown to nobody.

        Rules: narateer.search.check-when-uncertain-and-relevant, narateer.search.failure-proves-nothing.
        """
        return replace(ruling, secret=True, scope=scope_names(d, ruling)) if ruling.kind == "check" else ruling

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        """Rules: narateer.search.certain-find, narateer.search.check-when-uncertain-and-relevant."""
        if ruling.kind == "check":
            return Bill(SEARCH_PRICE, check_of(state, d.actor, OBSERVATION, most=ruling.boost), "Search: Observation")
        price = ruling.ad if ruling.ad is not None else tier_cost(state, ruling.tier)
        return Bill(Price(ad(price, ruling.tier or "trivial", "narateer.search.certain-find")), None, "Search")

    def others(self, state: State, d: Declaration, ruling: Ruling) -> dict[str, Bill]:
        """A Hide in the searched place that is not settled yet is settled by this roll: both commit first.

        Whoever knows nothing of the searcher is asked for nothing, and its Readiness Score stands in.

        Rules: narateer.search.one-observation-roll.
        """
        if ruling.kind != "check":
            return {}
        bills: dict[str, Bill] = {}
        for hider in unsettled(state, d.actor, scope_of(state, d, ruling)):
            bills |= late_bill(state, hider) if aware_of(state, hider, d.actor) else {}
        return bills

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """One roll; it is compared with all that is in the scope, and where nothing is found only the risk is told.

        Rules: narateer.search.one-observation-roll, narateer.search.failure-proves-nothing.
        """
        ruling = paid.ruling
        assert ruling is not None
        if ruling.kind != "check":
            return _certain(play, d, ruling)
        scope = scope_of(play.state, d, ruling)  # kept: what was confirmed beforehand
        place = subject(d)
        play.emit(SearchBegun("narateer.search.check-cost", d.actor, scope, place))
        read = yield from check(play, d.actor, OBSERVATION, paid[d.actor], "narateer.search.one-observation-roll")
        total = read.value
        play.emit(SearchBegun("narateer.search.one-observation-roll", d.actor, scope, place, total))
        found = yield from _against_hiders(play, d, paid, scope, total)
        things = list(find_things(play, d, ruling, total))
        met = standing_in(play.state, scope, d.actor)
        play.emit(SearchMade("narateer.search.no-identical-retry", d.actor, same_search(d), scope, met))
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


def unsettled(state: State, searcher: str, scope: Scope) -> list[str]:
    """Creatures of another side that hide in the scope without a check so far."""
    others = opponents(state, character(state, searcher))
    return [o.id for o in others if o.at in scope and waiting(state, o.id) is not None]


def _against_hiders(play: Play, d: Declaration, paid: Settled, scope: Scope, total: int) -> Steps[list[str]]:
    """One roll serves against everybody in the scope: whoever hides there now, and whoever is hidden there already.

    Rules: narateer.search.simultaneous-with-hide, narateer.search.one-observation-roll,
    narateer.search.creature-needs-right-place.
    """
    fresh = unsettled(play.state, d.actor, scope)  # kept: those who committed to this contest
    rollers = {hider: paid[hider] for hider in fresh if hider in paid}
    rolled = yield from check_each(play, rollers, STEALTH, "narateer.search.simultaneous-with-hide")
    found: list[str] = []
    for hider in fresh:
        held = waiting(play.state, hider)
        score = readiness(play.state, character(play.state, hider), STEALTH)
        stealth = total_of_answer(rolled[hider]) if hider in rolled else score
        fooled, noticed = ([d.actor], []) if stealth > total else ([], [d.actor])
        rule, goal = "narateer.search.simultaneous-with-hide", held.goal if held is not None else ""
        unknown = hider not in rolled and not aware_of(play.state, hider, d.actor)
        settle_hide(play, hider, stealth, fooled, noticed, goal, rule=rule, waits=unknown)
        found.extend(hider for _ in noticed)
    searcher = character(play.state, d.actor)
    others = [o.id for o in opponents(play.state, searcher) if o.at in scope and o.id not in fresh]
    return found + [other for other in others if _finds(play, d.actor, other, total)]


def _finds(play: Play, searcher: str, target: str, total: int) -> bool:
    """Whether the total finds one creature in the searched place; the hider does not roll.

    Rules: narateer.search.versus-recorded-total, narateer.search.tie-fails, narateer.search.reveals-to-finder,
    narateer.search.others-learn-separately (nobody else is told), narateer.sneak.new-observer-active.
    """
    state, rule = play.state, "narateer.search.reveals-to-finder"
    held, stands = state.relation(Hidden, target, searcher), record(state, target)
    if held is not None:
        fooled = total <= held.total
    elif stands is not None and not considered(state, target, searcher):
        fooled = newcomer_fooled(state, stands.total, total, active=True)
        if fooled:
            settle_hide(
                play, target, stands.total, [searcher], [], stands.goal, rule="narateer.sneak.new-observer-active"
            )
    elif locates(state, character(state, searcher), character(state, target)):
        return False
    else:
        play.emit(Learned(rule, target, searcher, state.actors[target].at, "found"))
        return True
    if not fooled:
        play.emit(Revealed(rule, target, searcher, "found"))
    return not fooled


def find_things(play: Play, d: Declaration, ruling: Ruling, total: int) -> Iterator[str]:
    """Concealed things in the scope whose target the total meets; what is sealed or behind something is not in it.

    The target is the guide's word on this very search, else the scene's, else the ladder's standard.
    Rules: narateer.search.object-target, narateer.search.scope-limits, narateer.search.find-is-not-explain.
    """
    names, scope = scope_names(d, ruling), scope_of(play.state, d, ruling)
    for fact in play.state.facts_of(Secret):
        written = fact.target or settings(play.state).ladder.get("standard", 6)
        target = ruling.target if ruling.target is not None else written
        inside = fact.place in names or _lies_in(play.state, fact.place, scope)
        open_to_it = inside and not fact.sealed and not fact.behind
        if open_to_it and d.actor not in fact.found_by and _meets(play.state, total, target):
            play.emit(FoundThing("narateer.search.object-target", d.actor, fact.id, fact.name))
            yield fact.id


def _lies_in(state: State, place: str, scope: Scope) -> bool:
    field = ground_of(state)
    cells = field.cells_of(place) if field is not None and place else ()
    return bool(cells) and all(cell in scope for cell in cells)


def _meets(state: State, total: int, target: int) -> bool:
    return total > target or (total == target and settings(state).fixed_target == "meet")
