"""Search: one Observation roll over what the Guide confirmed, and a failure that proves nothing."""

from __future__ import annotations

from typing import Any

import pytest
from scenes import acted, answer, character, happened, hidden_from, question, ready, recorded, refused
from shadows import (
    CHECK,
    along,
    at,
    checks,
    codes,
    guard,
    hears_of,
    hide,
    hider,
    house,
    looks,
    rules,
    scenery,
    turn,
)

import turnwright as tw
from turnwright.events import Told, Waived
from turnwright.model import Declaration
from turnwright.systems.narateer.events import (
    FoundThing,
    Identified,
    Looking,
    Searched,
    Secret,
)
from turnwright.systems.narateer.hidden import last_position
from turnwright.systems.narateer.search import subject_kind

STUDY = [
    {"id": "letter", "name": "a letter", "place": "desk", "target": 10},
    {"id": "ring", "name": "a ring", "place": "hearth", "target": 10},
    {"id": "deed", "name": "a deed", "place": "desk", "target": 10, "sealed": True},
    {"id": "gun", "name": "a gun", "place": "desk", "target": 10, "behind": True},
]
LOFT = {"place": "loft", "method": "poke the straw", "boost": 0}


def searcher(**keys: Any) -> dict[str, Any]:
    """Gus, a guard at the edge of the loft, with a seat of his own."""
    return guard("gus", keys.pop("at", (3, 2)), keys.pop("score", 5), seat="gus", **keys)


def alone(dice: tuple[Any, ...] = (), secrets: Any = (), **keys: Any) -> tw.Table:
    """Gus in the yard with nobody else, in his Activation."""
    return house(searcher(**keys), dice=dice, secrets=list(secrets), begin="gus")


def search(t: tw.Table, ruling: Any = CHECK, who: str = "gus", **said: Any) -> None:
    """A Search with its ruling."""
    t.declare(who, "search", **({"method": "look closely", "boost": 0} | said))
    answer(t, ruling, "rule")


def found(t: tw.Table) -> list[str]:
    return [event.thing for event in happened(t, FoundThing)]


def loft(total: int | None = 12, dice: tuple[Any, ...] = (), *, place: Any = (1, 0)) -> tw.Table:
    """Selka hides in the loft with a total; then it is the Activation of Gus, who may search twice in it."""
    first = () if total is None else (total,)
    t = house(hider(place, seat="ann"), searcher(at=(5, 1), skills={"observation": 1}), dice=(*first, *dice))
    if total is not None:
        hide(t)
        assert hidden_from(t, "selka") == {"gus"}
    turn(t, "gus")
    return t


# -- what a Search is


@pytest.mark.rule("narateer.search.purpose")
@pytest.mark.parametrize(
    ("said", "kind"), [("place", "place"), ("at", "place"), ("thing", "object"), ("clues", "clues")]
)
def test_a_search_is_of_a_place_an_object_or_clues(said: str, kind: str) -> None:
    assert subject_kind(Declaration("gus", "search", options={said: "1,1"})) == kind


@pytest.mark.rule("narateer.search.purpose")
def test_a_search_of_nothing_is_incomplete() -> None:
    t = alone()
    assert codes(t.explain("gus", "search", method="look")) == {"INCOMPLETE subject"}
    assert subject_kind(Declaration("gus", "search")) == ""


@pytest.mark.rule("narateer.search.declare-what-and-how")
def test_a_search_says_what_and_in_what_manner() -> None:
    t = alone()
    assert refused(lambda: t.declare("gus", "search", thing="desk")).keys() == {"narateer.search.declare-what-and-how"}
    assert ready(t, "gus") == 6
    offered = t.explain("gus", "search", thing="desk", method="pull every drawer and feel underneath")
    assert (offered.verdict, offered.refusals) == ("ruling", ())


@pytest.mark.rule("narateer.search.scope-confirmed")
def test_the_guide_confirms_the_extent_beforehand() -> None:
    t = alone(dice=(99,), secrets=[*STUDY, {"id": "pin", "name": "a pin", "place": "drawers", "target": 10}])
    t.declare("gus", "search", thing="desk", method="look closely")
    answer(t, CHECK | {"scope": ["desk", "drawers"]})
    asked = question(t, "commit") if t.waiting_on else None
    assert asked is None or asked.question.ruling.scope == ("desk", "drawers")
    assert found(t) == ["letter", "pin"]


@pytest.mark.rule("narateer.search.scope-confirmed")
def test_the_confirmed_extent_is_shown_before_the_commitment() -> None:
    t = alone(skills={"observation": 1}, dice=(9,))
    t.declare("gus", "search", thing="desk", method="look closely")
    answer(t, CHECK | {"scope": ["drawers"]})
    shown = t.view("gus")["questions"][0]
    assert shown["ruling"]["scope"] == ("drawers",)
    assert shown["ruling"]["failure"] == "the noise draws the patrol"


@pytest.mark.rule("narateer.search.scope-limits")
def test_a_search_takes_in_no_whole_room_no_sealed_box_and_nothing_behind_a_wall() -> None:
    t = alone(dice=(30,), secrets=STUDY)
    search(t, thing="desk")
    assert found(t) == ["letter"]


@pytest.mark.rule("narateer.search.scope-limits")
def test_a_space_is_searched_with_those_next_to_it_and_no_further() -> None:
    t = house(hider((0, 0)), guard("g", (5, 1), 5, skills={"observation": 1}), dice=(6, 99, 99))
    hide(t)
    turn(t, "g")
    search(t, who="g", at="2,2")
    assert hidden_from(t, "selka") == {"g"}
    search(t, who="g", at="1,1")
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.search.certain-find")
def test_what_is_certain_is_described_without_a_roll() -> None:
    key = {"id": "key", "name": "a key", "place": "mat", "target": 6}
    t = alone(secrets=[key], skills={"observation": 3})
    search(t, {"kind": "automatic", "success": "a key lies there", "finds": ["key"], "tier": "trivial"}, thing="mat")
    answer(t, True, "confirm")
    assert found(t) == ["key"]
    assert (checks(t), ready(t, "gus"), t.state.actors["gus"].uses) == (0, 6, {})


@pytest.mark.rule("narateer.search.certain-find")
def test_whoever_can_pay_for_no_check_may_still_look_where_finding_is_certain() -> None:
    key = {"id": "key", "name": "a key", "place": "mat", "target": 6}
    t = alone(secrets=[key])
    t.override({"gus.ready": 0}, "he spent them")
    sure = {"kind": "automatic", "success": "a key lies there", "finds": ["key"], "tier": "trivial"}
    t.declare("gus", "search", thing="mat", method="look closely", boost=0)
    answer(t, sure)
    (warning,) = question(t, "confirm").question.warnings
    assert warning == "there is nothing to pay a check with; only what is certain is found"
    answer(t, True)
    assert found(t) == ["key"]
    search(t, CHECK, thing="desk")
    assert (checks(t), ready(t, "gus")) == (0, 0), "a check cannot be paid for, and nothing happens"


@pytest.mark.rule("narateer.search.certain-find")
def test_a_search_without_a_check_costs_its_tier() -> None:
    t = alone()
    search(t, {"kind": "automatic", "success": "nothing there", "tier": "minor"}, thing="barn")
    answer(t, True, "confirm")
    assert (ready(t, "gus"), checks(t)) == (5, 0)


@pytest.mark.rule("narateer.search.check-when-uncertain-and-relevant")
@pytest.mark.parametrize(
    ("uncertain", "matters", "made"), [(True, True, 1), (True, False, 0), (False, True, 0), (False, False, 0)]
)
def test_a_check_is_made_only_where_finding_is_in_doubt_and_matters(uncertain: bool, matters: bool, made: int) -> None:
    t = alone(dice=(9,))
    t.declare("gus", "search", thing="desk", method="look closely", boost=0)
    if uncertain and not matters:
        without = {"kind": "check", "failure": ""}
        assert "narateer.resolve.roll-when-both-matter" in refused(lambda: answer(t, without))
    sure = {"kind": "automatic", "success": "so it is", "tier": "trivial"}
    answer(t, CHECK if uncertain and matters else sure)
    if t.waiting_on:
        answer(t, True, "confirm")
    assert checks(t, "observation") == made


def as_seen_by_gus(t: tw.Table) -> dict[str, Any]:
    """Everything that the searcher's seat is shown, the state of others left out where it may differ."""
    offered = [str(offer) for offer in t.offers("gus")]
    return {"view": t.view("gus"), "offers": offered, "knows": t.knows("gus")}


@pytest.mark.rule(
    "narateer.search.check-when-uncertain-and-relevant",
    "narateer.search.failure-proves-nothing",
    "narateer.search.no-identical-retry",
)
def test_an_empty_loft_and_an_occupied_one_are_the_same_to_the_searchers_seat() -> None:
    seen = []
    for place in ((1, 0), (11, 0)):
        t = house(hider(place), searcher(at=(5, 1), skills={"observation": 1}), dice=(12, 9))
        hide(t)
        assert hidden_from(t, "selka") == {"gus"}, "in the loft, or in the cellar"
        turn(t, "gus")
        shown = [as_seen_by_gus(t)]
        price = t.explain("gus", "search", place="loft", method="poke the straw")
        t.declare("gus", "search", place="loft", method="poke the straw")
        shown.append(as_seen_by_gus(t))
        answer(t, CHECK | {"target": 15}, "rule")
        shown.append(as_seen_by_gus(t))
        assert "target" not in t.view("gus")["questions"][0]["ruling"]
        assert "against" not in t.view("gus")["questions"][0]["ruling"]
        answer(t, 0, "commit")
        shown.append(as_seen_by_gus(t))
        again = t.explain("gus", "search", place="loft", method="poke the straw")
        seen.append((shown, price, again, ready(t, "gus"), t.state.actors["gus"].uses, checks(t, "observation")))
    assert seen[0] == seen[1]


# -- what it costs, and what it is measured against


@pytest.mark.rule("narateer.search.check-cost")
def test_a_search_costs_1_ready_ad_and_the_boost() -> None:
    t = alone(skills={"observation": 3}, ad=5, dice=(9,))
    assert t.explain("gus", "search", thing="desk", method="look").price.amount("ad") == 1
    too_much = t.explain("gus", "search", thing="desk", method="look", boost=4)
    assert "narateer.boost.cap-is-skill-level" in rules(too_much)
    search(t, thing="desk", boost=3)
    assert ready(t, "gus") == 1
    assert t.state.actors["gus"].uses == {"observation": 1}
    assert acted(t, "gus") == [("search", "proactive")]


@pytest.mark.rule("narateer.search.object-target")
@pytest.mark.parametrize(("method", "target", "finds"), [("a glance", 15, []), ("a methodical sweep", 10, ["letter"])])
def test_the_guide_weighs_how_a_thing_is_hidden_and_how_it_is_searched_for(
    method: str, target: int, finds: list[str]
) -> None:
    t = alone(dice=(12,), secrets=STUDY)
    search(t, CHECK | {"target": target}, thing="desk", method=method)
    assert found(t) == finds


@pytest.mark.rule("narateer.search.object-target")
@pytest.mark.parametrize(
    ("total", "rule", "finds"),
    [(9, "meet", []), (10, "meet", ["letter"]), (10, "exceed", []), (11, "exceed", ["letter"])],
)
def test_a_fixed_target_is_met_unless_a_setting_says_otherwise(total: int, rule: str, finds: list[str]) -> None:
    t = house(searcher(), dice=(total,), secrets=STUDY, begin="gus", settings={"fixed_target": rule})
    search(t, thing="desk")
    assert found(t) == finds


@pytest.mark.rule("narateer.search.object-target")
@pytest.mark.parametrize(("total", "finds"), [(5, []), (6, ["pin"])])
def test_a_thing_without_a_number_is_at_the_standard_of_the_ladder(total: int, finds: list[str]) -> None:
    t = alone(dice=(total,), secrets=[{"id": "pin", "name": "a pin", "place": "desk"}])
    search(t, thing="desk")
    assert found(t) == finds


@pytest.mark.rule("narateer.search.find-is-not-explain")
def test_observation_finds_the_powder_and_alchemy_says_what_it_is() -> None:
    powder = {"id": "powder", "name": "an odd powder", "place": "desk", "target": 10}
    t = alone(dice=(30, 15), secrets=[powder], skills={"alchemy": 1})
    search(t, thing="desk")
    fact = t.state.facts["powder"]
    assert isinstance(fact, Secret)
    assert (fact.found_by, fact.identified) == (("gus",), False)
    t.declare("gus", "attempt", intent="know what it is", method="test it with alchemy", boost=0)
    knows = {"success": "nightshade", "failure": "spoilt", "finds": ["powder"]}
    answer(t, {"kind": "check", "skill": "alchemy", "target": 14} | knows)
    if t.waiting_on:
        answer(t, True, "confirm")
    assert len(happened(t, Identified)) == 1
    assert t.state.facts["powder"].identified  # type: ignore[attr-defined]


# -- creatures


@pytest.mark.rule("narateer.search.creature-needs-right-place")
def test_case_19_a_search_needs_the_right_place() -> None:
    t = loft(total=6, dice=(25, 7))
    search(t, place="cellar")
    assert hidden_from(t, "selka") == {"gus"}, "25 in the cellar finds nobody in the loft"
    search(t, place="loft")
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.search.creature-needs-right-place")
def test_clues_count_where_the_guide_says_that_they_lead() -> None:
    t = loft(total=12, dice=(13, 13))
    search(t, CHECK | {"scope": ["cellar"]}, clues="footprints")
    assert hidden_from(t, "selka") == {"gus"}
    search(t, CHECK | {"scope": ["loft"]}, clues="scattered straw")
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.search.creature-needs-right-place")
def test_off_the_map_the_zone_is_the_place() -> None:
    people = (hider("attic"), guard("gus", "hall", 5, skills={"observation": 1}))
    t = scenery(*people, mode="story", dice=(12, 25, 13))
    t.override({"gus.at": "attic"}, "he looks in")
    t.override([_distraction()], "and is called away")
    hide(t)
    t.override({"gus.at": "hall"}, "he goes down again")
    assert hidden_from(t, "selka") == {"gus"}
    turn(t, "gus")
    search(t, place="cellar")
    assert hidden_from(t, "selka") == {"gus"}
    search(t, place="attic")
    assert hidden_from(t, "selka") == set()


def _distraction() -> Any:
    from turnwright.systems.narateer.events import Perceived

    return Perceived("", "selka", "gus", clear=False)


@pytest.mark.rule("narateer.search.versus-recorded-total", "narateer.search.tie-fails")
@pytest.mark.parametrize(("total", "located"), [(13, True), (12, False), (11, False)])
def test_case_15_the_searcher_must_exceed_the_record(total: int, located: bool) -> None:
    t = loft(total=12, dice=(total,))
    search(t, place="loft")
    assert (hidden_from(t, "selka") == set()) is located
    assert recorded(t, "selka") == (None if located else 12)
    assert checks(t, "stealth") == 1


@pytest.mark.rule("narateer.search.tie-fails")
def test_the_same_tie_goes_the_other_way_where_the_hide_is_the_new_attempt() -> None:
    t = loft(total=None, dice=(12, 12), place=(7, 3))
    search(t, place="loft")
    t.declare("gus", "end")
    t.override({"selka.at": [1, 0]}, "she drops in by the skylight")
    t.declare("selka", "begin")
    hide(t)
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.search.simultaneous-with-hide", "narateer.search.one-observation-roll")
@pytest.mark.parametrize(("stealth", "hides"), [(14, True), (13, False), (12, False)])
def test_case_18_a_hide_during_a_search_meets_the_total_that_stands(stealth: int, hides: bool) -> None:
    t = loft(total=None, dice=(13, stealth), place=(7, 3))
    search(t, place="loft")
    assert ready(t, "gus") == 5
    t.declare("gus", "end")
    t.override({"selka.at": [1, 0]}, "she drops in by the skylight")
    t.declare("selka", "begin")
    t.declare("selka", "hide", method="lie flat")
    shown = str(t.view("ann"))
    assert "13" not in shown.replace("(13", ""), "the total is not shown to the hider before it commits"
    answer(t, 0, "commit")
    assert hidden_from(t, "selka") == ({"gus"} if hides else set())
    assert ready(t, "gus") == 5, "it is not paid for twice"
    assert checks(t, who="gus") == 1, "and not rolled twice"


def crawl(dice: tuple[Any, ...], **keys: Any) -> tw.Table:
    """Selka waits in a crawl space that nobody senses into; Gus, in his Activation, can put his arm in."""
    rows = ["ccc#........................", "###.........................", "............................"]
    legend = {"c": {"name": "crawl space", "place": "crawl"}}
    skills = {"stealth": 1} if keys.get("boosts") else {}
    mine = hider((0, 0), skills=skills, seat="ann", readiness={"stealth": keys.get("stealth", 3)})
    his = guard("gus", (26, 2), 5, seat="gus", skills={"observation": 1} if keys.get("boosts") else {})
    t = scenery(mine, his, rows=rows, legend=legend, dice=dice)
    if keys.get("known", True):
        hears_of(t, "gus")
    hide(t)
    assert hidden_from(t, "selka") == set()
    turn(t, "gus")
    return t


@pytest.mark.rule("narateer.search.one-observation-roll", "narateer.hide.both-commit-first")
def test_a_hide_that_joins_a_search_before_its_roll_commits_together_with_it() -> None:
    t = crawl(dice=(13, 14), boosts=True)
    t.declare("gus", "search", place="crawl", method="feel about")
    answer(t, CHECK, "rule")
    assert {(q.actor, q.kind) for q in t.waiting_on} == {("gus", "commit"), ("selka", "commit")}
    for q in t.waiting_on:
        t.answer(q, 0)
    assert hidden_from(t, "selka") == {"gus"}
    assert (ready(t, "gus"), ready(t, "selka")) == (5, 5)
    assert (checks(t, who="gus"), checks(t, who="selka")) == (1, 1)


@pytest.mark.rule("narateer.search.one-observation-roll", "narateer.search.simultaneous-with-hide")
@pytest.mark.parametrize(("stealth", "hides"), [(14, True), (13, False), (12, False)])
def test_who_joins_a_search_must_exceed_it(stealth: int, hides: bool) -> None:
    t = crawl(dice=(13, stealth))
    search(t, place="crawl")
    assert hidden_from(t, "selka") == ({"gus"} if hides else set())
    assert recorded(t, "selka") == (stealth if hides else None)


@pytest.mark.rule("narateer.search.one-observation-roll")
def test_who_joins_a_search_without_ready_ad_stands_on_its_score() -> None:
    t = crawl(dice=(13,), stealth=14)
    t.override({"selka.ready": 0}, "she spent them")
    search(t, place="crawl")
    assert hidden_from(t, "selka") == {"gus"}
    assert checks(t, who="selka") == 0


@pytest.mark.rule("narateer.search.one-observation-roll")
@pytest.mark.parametrize(("stealth", "hides"), [(14, True), (13, False)])
def test_who_knows_nothing_of_the_searcher_is_asked_for_nothing_and_stands_on_its_score(
    stealth: int, hides: bool
) -> None:
    t = crawl(dice=(13,), stealth=stealth, boosts=True, known=False)
    t.declare("gus", "search", place="crawl", method="feel about", boost=0)
    answer(t, CHECK, "rule")
    assert hidden_from(t, "selka") == ({"gus"} if hides else set())
    assert (checks(t, who="selka"), ready(t, "selka")) == (0, 6)


@pytest.mark.rule("narateer.search.one-observation-roll")
def test_one_roll_serves_against_several_hiders_in_the_searched_place() -> None:
    bo = character("bo", "heroes", (0, 1), seat="bea", skills={"stealth": 1})
    t = house(hider((1, 0)), bo, searcher(at=(5, 1)), dice=(12, 15, 13))
    hide(t)
    turn(t, "bo")
    hide(t, who="bo")
    turn(t, "gus")
    search(t, place="loft")
    assert (hidden_from(t, "selka"), hidden_from(t, "bo")) == (set(), {"gus"})
    assert (ready(t, "gus"), checks(t, who="gus")) == (5, 1)


@pytest.mark.rule("narateer.search.one-observation-roll")
def test_looking_by_the_guides_word_is_one_paid_roll_that_stands() -> None:
    t = house(hider((1, 0)), searcher(at=(5, 1)), dice=(12, 11, 10))
    looks(t, "gus", scope=((0, 0), (1, 0), (2, 0)))
    hide(t)
    assert (ready(t, "gus"), checks(t, who="gus")) == (5, 1)
    assert hidden_from(t, "selka") == {"gus"}, "12 against 11"
    stands = t.state.relation(Looking, "gus", "gus")
    assert stands is not None
    assert (stands.total, stands.by_word) == (11, True)
    hide(t)
    assert (ready(t, "gus"), checks(t, who="gus")) == (5, 1)
    assert hidden_from(t, "selka") == set(), "10 against the 11 that stands"


@pytest.mark.rule("narateer.search.one-observation-roll")
def test_a_new_search_is_a_new_roll() -> None:
    t = loft(total=12, dice=(11, 13))
    search(t, place="loft")
    search(t, place="loft", method="turn over the straw")
    assert (ready(t, "gus"), checks(t, who="gus")) == (4, 2)
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.search.reveals-to-finder")
def test_the_finder_and_nobody_else_learns_where_the_creature_is() -> None:
    axe = {"name": "sling", "kind": "ranged"}
    t = house(hider((1, 0)), guard("s", (5, 1), 5, weapons=[axe]), guard("b", (5, 3), 5), dice=(12, 15))
    hide(t)
    assert hidden_from(t, "selka") == {"s", "b"}
    turn(t, "s")
    search(t, who="s", place="loft")
    assert hidden_from(t, "selka") == {"b"}
    assert t.explain("s", "attack", target="selka").verdict == "legal"
    assert last_position(t.state, "s", "selka") == (1, 0)


@pytest.mark.rule("narateer.search.reveals-to-finder")
def test_somebody_who_does_not_hide_is_simply_met_with_in_the_searched_place() -> None:
    rows = ["c#..........", "c#..........", "............"]
    nook = {"c": {"name": "nook", "place": "nook"}}
    t = scenery(hider((0, 0)), guard("gus", (5, 0), 5), rows=rows, legend=nook, dice=(1,))
    turn(t, "gus")
    search(t, place="nook")
    assert last_position(t.state, "gus", "selka") == (0, 0)


@pytest.mark.rule("narateer.search.others-learn-separately")
def test_others_learn_what_they_are_told_and_not_more() -> None:
    bow = {"name": "bow", "kind": "ranged"}
    t = house(
        hider((1, 0)),
        guard("s", (5, 1), 5),
        guard("b", (5, 3), 5, seat="bea", weapons=[bow]),
        guard("deaf", (5, 4), 5, senses={"sight": 0}),
        dice=(12, 15),
    )
    hide(t)
    turn(t, "s")
    before = t.knows("bea")
    search(t, who="s", place="loft")
    assert last_position(t.state, "b", "selka") is None
    assert "selka" not in t.knows("bea").actors
    assert before.actors.keys() == t.knows("bea").actors.keys()
    t.declare("s", "call_out", target="selka")
    assert last_position(t.state, "b", "selka") == (1, 0)
    assert last_position(t.state, "deaf", "selka") is None
    assert hidden_from(t, "selka") == {"b", "deaf"}, "being told reveals nobody"
    turn(t, "b")
    assert codes(t.explain("b", "attack", target="selka")) == {"NO_PRECISE_LOCATION"}


@pytest.mark.rule("narateer.search.others-learn-separately")
def test_nobody_calls_out_what_it_does_not_know() -> None:
    t = loft(total=12)
    assert codes(t.explain("gus", "call_out", target="selka")) == {"NO_PRECISE_LOCATION"}


# -- when it fails


@pytest.mark.rule("narateer.search.failure-proves-nothing")
def test_a_failure_tells_the_same_whether_there_was_something_or_not() -> None:
    seen = []
    for secrets in ([], [{"id": "letter", "name": "a letter", "place": "desk", "target": 15}]):
        t = alone(dice=(9,), secrets=secrets)
        search(t, thing="desk")
        again = t.explain("gus", "search", thing="desk", method="look closely")
        seen.append((as_seen_by_gus(t), again, ready(t, "gus"), t.state.actors["gus"].uses, checks(t)))
        assert [event.text for event in happened(t, Told)] == ["the noise draws the patrol"]
    assert seen[0] == seen[1]


@pytest.mark.rule("narateer.search.risk-before-commit")
def test_the_risk_of_failure_is_named_before_any_dice_are_committed() -> None:
    t = alone(skills={"observation": 1}, dice=(9,))
    t.declare("gus", "search", thing="desk", method="look closely")
    lacking = refused(lambda: answer(t, {"kind": "check", "failure": " "}))
    assert "narateer.search.risk-before-commit" in lacking
    assert ready(t, "gus") == 6
    answer(t, CHECK)
    assert question(t, "commit").question.ruling.failure == "the noise draws the patrol"
    answer(t, 0)
    assert ready(t, "gus") == 5


@pytest.mark.rule("narateer.search.no-identical-retry")
def test_case_24_the_same_search_grants_no_other_roll() -> None:
    t = alone(skills={"observation": 2}, ad=4, dice=(9,))
    search(t, thing="desk", method="open the drawers")
    assert ready(t, "gus") == 3
    again = t.explain("gus", "search", thing="Desk", method="  open the   DRAWERS ")
    assert rules(again) == {"narateer.search.no-identical-retry"}
    refused(lambda: t.declare("gus", "search", thing="desk", method="open the drawers"))
    assert (ready(t, "gus"), t.state.actors["gus"].uses["observation"]) == (3, 1)


@pytest.mark.rule("narateer.search.no-identical-retry")
def test_case_24_the_answer_is_the_same_when_somebody_has_hidden_there_meanwhile() -> None:
    answers = []
    for comes in (False, True):
        t = house(hider((12, 4), seat="ann"), searcher(at=(5, 1)), dice=(9, 12))
        turn(t, "gus")
        search(t, place="loft", method="poke the straw")
        if comes:
            t.override({"selka.at": [1, 0]}, "unperceived, by the skylight")
            turn(t, "selka")
            hide(t)
            assert recorded(t, "selka") == 12
        else:
            t.override({"selka.at": [1, 0]}, "unperceived, by the skylight")
            t.override({"selka.at": [12, 0]}, "and away to the cellar")
            turn(t, "selka")
        turn(t, "gus")
        answers.append(t.explain("gus", "search", place="loft", method="poke the straw"))
        if comes:
            told = t.explain("gus", "search", place="loft", method="poke the straw", seat="guide")
            assert "what hides there has changed" in told.refusals[0].text, "the Guide, and only the Guide, is told"
    assert answers[0] == answers[1]
    assert "changed" not in answers[0].refusals[0].text


@pytest.mark.rule("narateer.search.no-identical-retry")
def test_the_guide_is_not_told_of_a_change_where_there_is_none() -> None:
    t = loft(total=12, dice=(9,))
    search(t, place="loft", method="poke the straw")
    told = t.explain("gus", "search", place="loft", method="poke the straw", seat="guide")
    assert "changed" not in told.refusals[0].text


@pytest.mark.rule("narateer.search.no-identical-retry", "narateer.search.retry-when-changed")
def test_the_guide_may_grant_the_roll_all_the_same() -> None:
    t = loft(total=12, dice=(9, 13))
    search(t, **LOFT)
    with pytest.raises(tw.Refused):
        t.declare("gus", "search", overrule="", **LOFT)
    t.declare("gus", "search", seat="guide", overrule="the straw has moved", **LOFT)
    answer(t, CHECK, "rule")
    assert hidden_from(t, "selka") == set()
    assert ready(t, "gus") == 4
    assert any("the straw has moved" in event.why for event in happened(t, Waived))


@pytest.mark.rule("narateer.search.no-identical-retry")
def test_what_was_searched_is_kept_for_each_searcher_and_tells_a_seat_nothing_more() -> None:
    other = guard("otto", (5, 3), 5, seat="otto")
    t = house(hider((1, 0)), searcher(at=(5, 1)), other, dice=(12, 9))
    hide(t)
    turn(t, "gus")
    search(t, **LOFT)
    (fact,) = t.state.facts_of(Searched)
    assert fact.met == ("selka 12",)
    (known,) = t.knows("gus").facts_of(Searched)
    assert known.met is None
    assert t.knows("otto").facts_of(Searched) == ()
    turn(t, "otto")
    assert t.explain("otto", "search", **LOFT).refusals == ()


@pytest.mark.rule("narateer.search.retry-when-changed")
@pytest.mark.parametrize(
    "change",
    [{"method": "bring a lamp and look under the straw"}, {"evidence": "a scrap of cloth"}, {"time": "an hour"}],
)
@pytest.mark.parametrize("grants", [True, False])
def test_another_method_evidence_or_time_may_allow_another_attempt(change: dict[str, str], grants: bool) -> None:
    t = loft(total=12, dice=(9, 13))
    search(t, **LOFT)
    assert ready(t, "gus") == 5
    t.declare("gus", "search", **(LOFT | change))
    if grants:
        answer(t, CHECK, "rule")
        assert hidden_from(t, "selka") == set()
        assert ready(t, "gus") == 4
    else:
        answer(t, {"kind": "impossible", "obstacle": "there is nothing that you have not looked at"}, "rule")
        assert ready(t, "gus") == 5
        assert checks(t, who="gus") == 1


def test_a_search_is_saved_and_replayed(tmp_path: Any) -> None:
    t = loft(total=12, dice=(13,))
    search(t, **LOFT)
    t.save(tmp_path / "log")
    again = tw.Table.load(tmp_path / "log")
    assert again.state == t.state
    assert at(again) == (1, 0)
    assert along(1) == [(1, 4)]
