"""Moving while hidden: a concealed route at twice the metres, and creatures that come to notice only on the way."""

from __future__ import annotations

from typing import Any

import pytest
from scenes import answer, character, happened, hidden_from, ready, recorded, refused, spent
from shadows import (
    ANNEX,
    STRIP,
    along,
    at,
    checks,
    codes,
    grove,
    guard,
    hide,
    hider,
    looks,
    rules,
    turn,
)

import turnwright as tw
from turnwright.systems.narateer.allowance import remaining
from turnwright.systems.narateer.events import Checked, Gone, Looking, Perceived, Revealed, StoppedHiding

GAP = [row[:7] + "." + row[8:] if y == 4 else row for y, row in enumerate(STRIP)]
"""The thicket with one open Space in it, (7, 4)."""


def sneaker(dice: tuple[Any, ...] = (14,), **keys: Any) -> tw.Table:
    """Selka, hidden from a guard with 14, with 14 m of Base Movement."""
    t = grove(hider(), guard(score=12), dice=dice, **keys)
    hide(t)
    return t


def left(t: tw.Table, mode: str) -> float:
    return float(remaining(t.state, t.state.actors["selka"], mode))


# -- what may be used


@pytest.mark.rule("narateer.sneak.walk-or-run-only")
@pytest.mark.parametrize("mode", ["walk", "run"])
def test_walk_and_run_keep_one_hidden(mode: str) -> None:
    t = sneaker()
    t.declare("selka", mode, route=along(5, 6, 7))
    assert at(t) == (7, 4)
    assert hidden_from(t, "selka") == {"guard"}


@pytest.mark.rule("narateer.sneak.concealed-continuous-route", "narateer.reveal.clear-view-immediate")
def test_a_route_with_one_exposed_segment_is_reported_and_reveals_there() -> None:
    t = sneaker(rows=GAP)
    offered = t.explain("selka", "walk", route=along(5, 6, 7))
    assert offered.warnings == ("at (7, 4) Guard sees you plainly",)
    t.declare("selka", "run", route=along(5, 6, 7, 8, 9))
    answer(t, True, "confirm")
    assert hidden_from(t, "selka") == set()
    (revealed,) = happened(t, Revealed)
    assert (revealed.to, revealed.how) == ("guard", "in clear view")
    log = [event for entry in t.live for event in entry.events]
    steps = [e.at for e in log[: log.index(revealed)] if type(e).__name__ == "Moved"]
    assert steps[-1] == (7, 4), "at the third segment and not before"


@pytest.mark.rule("narateer.sneak.concealed-continuous-route")
def test_a_route_that_is_concealed_throughout_is_walked_without_a_word() -> None:
    t = sneaker()
    assert t.explain("selka", "run", route=along(5, 6, 7, 8, 9)).warnings == ()
    t.declare("selka", "run", route=along(5, 6, 7, 8, 9))
    assert hidden_from(t, "selka") == {"guard"}


# -- what it costs


@pytest.mark.rule("narateer.sneak.double-movement-cost")
def test_case_08_hiding_doubles_metres_and_not_ad() -> None:
    t = sneaker()
    offered = t.explain("selka", "run", route=along(*range(5, 12)))
    assert (offered.verdict, offered.price.amount("ad")) == ("legal", 1), "14 m of way, and 2 AD would be wrong"
    assert "TOO_FAR" in codes(t.explain("selka", "run", route=along(*range(5, 13))))
    t.declare("selka", "run", route=along(*range(5, 12)))
    assert (ready(t, "selka"), left(t, "run")) == (4, 0)


@pytest.mark.rule("narateer.sneak.double-movement-cost")
def test_a_step_that_one_of_two_sees_costs_double_and_so_does_the_next() -> None:
    t = grove(hider((6, 4)), guard("g", (7, 2), 5), guard("d", (20, 8), 5), rows=GAP, dice=(14,))
    hide(t)
    assert hidden_from(t, "selka") == {"g", "d"}
    t.override({"d.senses": {"hearing": 60}}, "d is blind")
    t.declare("selka", "run", route=along(7))
    answer(t, True, "confirm")
    assert hidden_from(t, "selka") == {"d"}
    assert spent(t, "selka") == 4
    t.declare("selka", "run", route=along(8))
    assert spent(t, "selka") == 8
    t.declare("selka", "stop_hiding", toward="d")
    t.declare("selka", "run", route=along(9))
    assert spent(t, "selka") == 10, "nobody is left to hide from"


@pytest.mark.rule("narateer.sneak.double-movement-cost")
def test_a_record_that_stands_doubles_metres_also_with_nobody_about() -> None:
    t = sneaker()
    t.override([Gone("", "guard")], "off duty")
    assert hidden_from(t, "selka") == set()
    t.declare("selka", "walk", route=along(5))
    assert spent(t, "selka") == 4
    t.declare("selka", "stop_hiding")
    assert recorded(t, "selka") is None
    t.declare("selka", "walk", route=along(6))
    assert spent(t, "selka") == 6


@pytest.mark.rule("narateer.sneak.double-movement-cost")
def test_one_stops_hiding_free_of_charge_and_only_from_whom_one_hides() -> None:
    t = sneaker()
    before = ready(t, "selka")
    assert "NOT_HIDDEN_FROM" in codes(t.explain("selka", "stop_hiding", toward="nobody"))
    t.declare("selka", "stop_hiding", toward="guard")
    assert (ready(t, "selka"), hidden_from(t, "selka"), recorded(t, "selka")) == (before, set(), None)
    assert "NOT_HIDING" in codes(t.explain("selka", "stop_hiding"))


@pytest.mark.rule("narateer.sneak.uses-ordinary-allowance")
def test_case_11_sneaking_takes_what_is_left_of_the_walk() -> None:
    t = grove(hider((3, 4)), guard(at=(28, 4), score=5), rows=ANNEX, dice=(12,))
    t.declare("selka", "walk", route=along(4, 5, 6, 7))
    assert left(t, "walk") == 6
    t.override({"guard.at": [24, 0]}, "the guard comes out")
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}
    assert (left(t, "walk"), ready(t, "selka")) == (6, 5)
    assert "TOO_FAR" in codes(t.explain("selka", "walk", route=along(8, 9))), "3 m are 1 Space; 7 m would be wrong"
    t.declare("selka", "walk", route=along(8))
    assert left(t, "walk") == 2


@pytest.mark.rule("narateer.sneak.terrain-multiplies")
@pytest.mark.parametrize(
    ("hidden", "ground", "metres"), [(False, ",", 1), (False, "%", 2), (True, ",", 2), (True, "%", 4)]
)
def test_case_09_hiding_and_difficult_ground_multiply(hidden: bool, ground: str, metres: int) -> None:
    rows = [row[:5] + ground + row[6:] if y == 4 else row for y, row in enumerate(ANNEX)]
    t = grove(hider(), guard(at=(24, 0) if hidden else (28, 4), score=5), rows=rows, dice=(14,))
    if hidden:
        hide(t)
    t.declare("selka", "walk", route=along(5))
    assert spent(t, "selka") == 2 * metres, "a Space is 2 m; 3 m for a metre would be wrong for the last"


@pytest.mark.rule("narateer.sneak.terrain-multiplies")
def test_case_10_several_difficult_reasons_count_once_under_the_doubling() -> None:
    mire = {"name": "mire", "difficult": ["mud", "crowd", "undergrowth"], "conceals": ["sight"]}
    legend = {",": {"name": "thicket", "conceals": ["sight"]}, "m": mire}
    rows = [row[:5] + "m" + row[6:] if y == 4 else row for y, row in enumerate(STRIP)]
    t = grove(hider(), guard(score=5), rows=rows, legend=legend, dice=(14,))
    hide(t)
    t.declare("selka", "walk", route=along(5))
    assert spent(t, "selka") == 8, "4 m for each metre, not 16"


@pytest.mark.rule("narateer.sneak.example-12m")
@pytest.mark.parametrize(("ground", "metres"), [(",", 6), ("%", 3)])
def test_12_m_are_6_m_of_concealed_ground_or_3_m_of_difficult_ground(ground: str, metres: int) -> None:
    rows = [ground * 24 + row[24:] if y == 4 else row for y, row in enumerate(STRIP)]
    t = grove(hider(strength=2, agility=2), guard(score=5), rows=rows, dice=(14,))
    hide(t)
    assert left(t, "walk") == 12
    assert t.explain("selka", "walk", route=along(*range(5, 5 + metres // 2))).verdict == "legal"
    beyond = t.explain("selka", "walk", route=along(*range(5, 6 + metres // 2)))
    assert codes(beyond) == {"TOO_FAR"}, "in whole Spaces of 2 m"


# -- Sprint


@pytest.mark.rule("narateer.sneak.no-sprint")
def test_case_14_the_first_metre_of_a_sprint_ends_hiding_toward_everybody() -> None:
    t = grove(hider(), guard("g", (4, 0), 5), guard("d", (20, 8), 5), dice=(14,))
    hide(t)
    t.override({"d.senses": {"hearing": 1}}, "d has no way to notice")
    assert hidden_from(t, "selka") == {"g", "d"}
    offered = t.explain("selka", "sprint", route=along(5, 6), skill="athletics")
    assert offered.verdict == "legal"
    assert any("ends hiding" in warning for warning in offered.warnings)
    t.declare("selka", "sprint", route=along(5), skill="athletics")
    assert (hidden_from(t, "selka"), ready(t, "selka")) == ({"g", "d"}, 5), "warned, and nothing has happened yet"
    answer(t, True, "confirm")
    assert hidden_from(t, "selka") == set()
    assert recorded(t, "selka") is None
    assert spent(t, "selka") == 2, "4 would be the doubled price"
    assert len(happened(t, StoppedHiding)) == 1


@pytest.mark.rule("narateer.sneak.no-sprint")
def test_case_13_what_is_left_of_a_sprint_is_no_use_while_hidden() -> None:
    quick = hider((3, 4), ad=5, skills={"stealth": 1, "athletics": 4})
    t = grove(quick, guard(at=(28, 4), score=5), rows=ANNEX, dice=(12,))
    t.declare("selka", "sprint", route=along(*range(4, 14)), skill="athletics")
    assert (ready(t, "selka"), left(t, "sprint")) == (3, 30)
    t.override({"guard.at": [24, 0]}, "the guard comes out; nobody watched her arrive")
    hide(t, boost=1)
    assert hidden_from(t, "selka") == {"guard"}
    assert ready(t, "selka") == 1
    assert rules(t.explain("selka", "sprint", route=along(14), skill="athletics")) == {"narateer.sneak.no-sprint"}
    refused(lambda: t.declare("selka", "sprint", route=along(14), skill="athletics"))
    t.declare("selka", "stop_hiding")
    t.declare("selka", "sprint", route=along(14), skill="athletics")
    assert left(t, "sprint") == 28


@pytest.mark.rule("narateer.sneak.no-sprint")
def test_a_hide_that_still_waits_for_its_check_does_not_survive_a_sprint_either() -> None:
    t = grove(hider(), guard(at=(28, 4), score=0), rows=ANNEX)
    hide(t)
    assert t.explain("selka", "sprint", route=along(5), skill="athletics").warnings
    t.declare("selka", "sprint", route=along(5), skill="athletics")
    answer(t, True, "confirm")
    t.override({"guard.at": [24, 0]}, "the guard comes out")
    assert hidden_from(t, "selka") == set()
    assert (checks(t), t.waiting_on) == (0, ()), "and nobody is asked for a late check"


# -- no new check


@pytest.mark.rule("narateer.sneak.no-new-check")
def test_a_concealed_route_takes_no_new_check() -> None:
    t = sneaker()
    t.declare("selka", "walk", route=along(5, 6, 7))
    assert checks(t, "stealth") == 1, "the one of the Hide itself"
    assert ready(t, "selka") == 5
    assert recorded(t, "selka") == 14


# -- newcomers


def comes_out(t: tw.Table) -> None:
    turn(t, "guard")
    t.declare("guard", "run", to=(25, 8))


@pytest.mark.rule("narateer.sneak.new-observer-passive", "narateer.hide.later-finds-use-record")
@pytest.mark.parametrize(("score", "fooled"), [(13, True), (15, False), (14, False)])
def test_a_newcomer_meets_the_record_with_its_score(score: int, fooled: bool) -> None:
    t = grove(hider(), guard("first", (4, 0), 5), guard(at=(28, 4), score=score), rows=ANNEX, dice=(14,))
    hide(t)
    comes_out(t)
    assert hidden_from(t, "selka") == ({"first", "guard"} if fooled else {"first"})
    assert len(happened(t, Checked)) == 1, "neither rolls"


@pytest.mark.rule("narateer.sneak.new-observer-passive", "narateer.sneak.new-observer-active")
@pytest.mark.parametrize(("active", "fooled"), [(False, True), (True, False)])
def test_the_ties_of_newcomers_are_a_pair_of_settings(active: bool, fooled: bool) -> None:
    pair = {"newcomer_passive_tie": "hidden", "newcomer_active_tie": "noticed"}
    t = grove(hider(), guard("first", (4, 0), 5), guard(at=(28, 4), score=14), rows=ANNEX, dice=(14, 14), settings=pair)
    hide(t)
    if active:
        looks(t, "guard", trail="selka")
    else:
        comes_out(t)
    assert ("guard" in hidden_from(t, "selka")) is fooled


@pytest.mark.rule("narateer.sneak.new-observer-active")
@pytest.mark.parametrize(("total", "located"), [(15, True), (13, False), (14, False)])
def test_a_newcomer_that_searches_rolls_against_the_record(total: int, located: bool) -> None:
    t = grove(hider(), guard("first", (4, 0), 5), guard(at=(28, 4), score=20), rows=ANNEX, dice=(14, total))
    hide(t)
    t.declare("selka", "end")
    looks(t, "guard", scope=tuple(along(*range(24))))
    assert ready(t, "guard") == 5
    assert ("guard" not in hidden_from(t, "selka")) is located
    assert checks(t, "stealth") == 1, "the hider does not roll again"
    assert checks(t, who="guard") == 1


@pytest.mark.rule("narateer.sneak.new-observer-active", "narateer.search.one-observation-roll")
def test_the_roll_of_a_newcomer_stands_for_the_rest_of_its_search() -> None:
    mirko = character("mirko", "heroes", (10, 4), seat="mia", skills={"stealth": 2})
    t = grove(hider(), mirko, guard("first", (4, 0), 5), guard(at=(28, 4), score=20), rows=ANNEX, dice=(14, 13, 12))
    hide(t)
    t.declare("selka", "end")
    looks(t, "guard", scope=tuple(along(*range(24))))
    search = t.state.relation(Looking, "guard", "guard")
    assert search is not None
    assert search.total == 13
    t.declare("mirko", "begin")
    hide(t, who="mirko")
    assert hidden_from(t, "mirko") == {"first"}, "12 against the 13 that stands"
    assert ready(t, "guard") == 5
    assert checks(t, who="guard") == 1


@pytest.mark.rule("narateer.sneak.new-observer-passive")
def test_whoever_noticed_an_earlier_hide_and_meets_a_new_one_is_a_newcomer_to_it() -> None:
    t = grove(hider(), guard("first", (4, 0), 5), guard(at=(24, 0), score=20), rows=ANNEX, dice=(14, 21))
    hide(t)
    assert hidden_from(t, "selka") == {"first"}
    t.override({"guard.at": [28, 4]}, "the guard goes back into the annex")
    t.declare("selka", "walk", route=along(5, 6))
    hide(t)
    t.override({"guard.at": [24, 0]}, "and comes out again")
    assert hidden_from(t, "selka") == {"first", "guard"}, "21 against 20"


@pytest.mark.rule("narateer.sneak.new-observer-passive", "narateer.reveal.clear-view-immediate")
def test_a_newcomer_that_comes_upon_the_hider_in_plain_view_sees_it() -> None:
    t = grove(hider(), guard("first", (4, 0), 5), guard(at=(28, 4), score=0), rows=ANNEX, dice=(14,))
    hide(t)
    t.override({"guard.at": [4, 5]}, "he stumbles right upon her")
    assert hidden_from(t, "selka") == {"first"}


# -- in the middle of it


@pytest.mark.rule("narateer.sneak.double-movement-cost", "narateer.reveal.clear-view-immediate")
def test_case_12_revealed_in_mid_sneak_the_rest_is_at_the_normal_rate() -> None:
    t = grove(hider((5, 4), strength=1), guard("g", (7, 2), 5), rows=GAP, dice=(14,))
    hide(t)
    assert left(t, "run") == 26
    t.declare("selka", "run", route=along(6, 7))
    answer(t, True, "confirm")
    assert hidden_from(t, "selka") == set()
    assert left(t, "run") == 18, "the metre into view is still doubled: 4 m cost 8"
    assert t.explain("selka", "run", route=along(*range(8, 17))).verdict == "legal", "18 m; 9 m if still doubled"
    assert codes(t.explain("selka", "run", route=along(*range(8, 18)))) == {"TOO_FAR"}


@pytest.mark.rule("narateer.sneak.double-movement-cost")
def test_case_12_with_somebody_else_still_fooled_the_rest_is_doubled_until_one_stops_hiding() -> None:
    t = grove(hider((5, 4), strength=1), guard("g", (7, 2), 5), guard("d", (28, 4), 5), rows=ANNEX, dice=(14,))
    t.override({"g.at": [7, 0], "d.at": [24, 0]}, "both keep their distance")
    hide(t)
    assert hidden_from(t, "selka") == {"g", "d"}
    t.declare("selka", "run", route=along(6, 7))
    t.override([Perceived("", "selka", "g", clear=True)], "g sees the leaves move and her between them")
    assert hidden_from(t, "selka") == {"d"}
    assert left(t, "run") == 18
    assert codes(t.explain("selka", "run", route=along(*range(8, 13)))) == {"TOO_FAR"}, "9 m are 4 Spaces"
    before = ready(t, "selka")
    t.declare("selka", "stop_hiding", toward="d")
    assert ready(t, "selka") == before
    assert t.explain("selka", "run", route=along(*range(8, 17))).verdict == "legal"


@pytest.mark.rule("narateer.sneak.new-observer-passive", "narateer.sneak.new-observer-active")
@pytest.mark.parametrize(("looking", "hidden"), [(False, False), (True, True)])
def test_case_15_the_tie_of_a_newcomer(looking: bool, hidden: bool) -> None:
    t = grove(hider(), guard("first", (4, 0), 5), guard(at=(28, 4), score=12), rows=ANNEX, dice=(12, 12))
    hide(t)
    if looking:
        looks(t, "guard", scope=tuple(along(*range(24))))
    else:
        comes_out(t)
    assert ("guard" in hidden_from(t, "selka")) is hidden
