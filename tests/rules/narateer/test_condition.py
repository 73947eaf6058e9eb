"""Conditions and movement: their own words decide, before anything is worked out."""

from __future__ import annotations

from typing import Any

import pytest
from moves import answer, at, character, codes, east, farthest, field, go, metres, mover, quoted
from scenes import happened, ready, refused, spent

from turnwright.systems.narateer.events import ConditionChanged, Halted

ATHLETIC = {"skill": "athletics"}
MODES: list[tuple[str, dict[str, str]]] = [("walk", {}), ("run", {}), ("sprint", ATHLETIC)]


def under(condition: dict[str, Any], bm: int = 14, **keys: Any) -> Any:
    """Somebody under one Condition, called snared."""
    return field(mover(bm, conditions=["snared"], **keys), conditions={"snared": condition})


@pytest.mark.rule("narateer.condition.owned-by-combat")
@pytest.mark.parametrize(("penalty", "walk"), [(-4, 10), (-6, 8)])
def test_what_a_condition_does_is_written_where_it_is_defined(penalty: int, walk: int) -> None:
    assert metres(under({"bm": penalty}), "kael", "walk") == walk


@pytest.mark.rule("narateer.condition.apply-first")
def test_a_condition_applies_before_the_mode_multiplies() -> None:
    t = under({"bm": -4})
    # 28 - 4 = 24 m would apply it after.
    assert metres(t, "kael", "run") == 20
    assert farthest(t, "kael", "run") == 10


@pytest.mark.rule("narateer.condition.bm-reduction-before-mode")
def test_case_05_the_bonus_of_a_sprint_comes_after_tripling() -> None:
    t = under({"bm": -4}, skills={"athletics": 3})
    # (10 + 6) x 3 = 48 and 14 x 3 + 6 - 4 = 44 are the tempting ones.
    assert metres(t, "kael", "sprint", **ATHLETIC) == 10 * 3 + 6


@pytest.mark.rule("narateer.condition.bm-reduction-before-mode")
def test_a_condition_may_halve_base_movement() -> None:
    assert metres(under({"bm": "x1/2"}, bm=13), "kael", "run") == 13


@pytest.mark.rule("narateer.condition.prevents-movement")
def test_a_condition_that_prevents_movement_prevents_every_mode() -> None:
    t = under({"movement": False}, ad=5)
    for mode, said in MODES:
        assert "NO_MOVEMENT" in codes(t.explain("kael", mode, route=east(1), **said))
        assert "narateer.condition.prevents-movement" in refused(lambda m=mode, s=said: go(t, "kael", m, 1, **s))  # type: ignore[misc]
    assert (ready(t, "kael"), at(t, "kael")) == (5, (0, 1))


@pytest.mark.rule("narateer.condition.prevents-sprint")
def test_a_condition_can_rule_out_sprint_alone() -> None:
    t = under({"sprint": False}, ad=5)
    assert codes(t.explain("kael", "sprint", route=east(1), **ATHLETIC)) == {"NO_SPRINT"}
    assert t.explain("kael", "walk", route=east(1)).verdict == "legal"
    assert t.explain("kael", "run", route=east(1)).verdict == "legal"
    assert ready(t, "kael") == 5


@pytest.mark.rule("narateer.condition.prevents-sprint")
def test_gained_in_mid_sprint_it_takes_the_rest_and_leaves_no_run() -> None:
    t = field(mover(14), conditions={"snared": {"sprint": False}})
    go(t, "kael", "sprint", 5, **ATHLETIC)
    t.override([ConditionChanged("", "kael", "snared")], "a net")
    assert codes(t.explain("kael", "sprint", route=east(1, 5))) == {"NO_SPRINT"}
    assert codes(t.explain("kael", "run", route=east(1, 5))) == {"ONE_MODE"}
    assert codes(t.explain("kael", "walk", route=east(1, 5))) == {"ONE_MODE"}


@pytest.mark.rule("narateer.condition.prevents-sprint")
def test_gained_on_the_way_it_stops_the_sprint_there() -> None:
    guard = character("guard", "guards", (5, 0))
    t = field(mover(14), guard, conditions={"snared": {"sprint": False}})
    go(t, "kael", "sprint", 10, **ATHLETIC)
    assert at(t, "kael") == (5, 1)
    t.override([ConditionChanged("", "kael", "snared")], "a net falls")
    answer(t, "pass", kind="choose")
    assert at(t, "kael") == (5, 1)
    assert happened(t, Halted)[-1].rule == "narateer.condition.prevents-sprint"


@pytest.mark.rule("narateer.condition.direction-still-applies")
def test_a_condition_that_forbids_a_direction_goes_on_while_moving() -> None:
    ogre = character("ogre", "guards", (8, 1), ad=0)
    t = field(mover(14, at=(4, 1), conditions=["afraid"]), ogre, conditions={"afraid": {"never": ["nearer ogre"]}})
    assert codes(t.explain("kael", "walk", route=[(5, 1)])) == {"DIRECTION"}
    assert "narateer.condition.direction-still-applies" in refused(lambda: go(t, "kael", "walk", 1))
    assert t.explain("kael", "walk", route=[(4, 0)]).verdict == "legal"
    assert t.explain("kael", "walk", route=[(3, 1), (2, 1)]).verdict == "legal"
    # Away first and then back: the second step is the one that is forbidden.
    assert codes(t.explain("kael", "walk", route=[(3, 1), (4, 1)])) == {"DIRECTION"}


@pytest.mark.rule("narateer.condition.direction-still-applies")
def test_never_farther_holds_the_other_way_round() -> None:
    ogre = character("ogre", "guards", (8, 1), ad=0)
    t = field(mover(14, at=(4, 1), conditions=["held"]), ogre, conditions={"held": {"never": ["farther ogre"]}})
    assert codes(t.explain("kael", "walk", route=[(3, 1)])) == {"DIRECTION"}
    assert t.explain("kael", "walk", route=[(5, 1)]).verdict == "legal"
    assert t.explain("kael", "walk", route=[(4, 0)]).verdict == "legal"


@pytest.mark.rule("narateer.condition.prone-standing")
def test_standing_up_costs_its_ad_and_no_metres() -> None:
    t = field(mover(14, ad=3, conditions=["prone"]))
    for mode, said in MODES:
        assert "PRONE" in codes(t.explain("kael", mode, route=east(1), **said))
    t.declare("kael", "stand")
    assert (ready(t, "kael"), spent(t, "kael")) == (2, 0)
    go(t, "kael", "run", 14)
    assert (ready(t, "kael"), at(t, "kael")) == (1, (14, 1))


@pytest.mark.rule("narateer.condition.prone-standing")
def test_the_condition_says_what_standing_costs() -> None:
    t = field(mover(14, ad=3, conditions=["prone"]), conditions={"prone": {"stand": 2}})
    t.declare("kael", "stand")
    assert ready(t, "kael") == 1


@pytest.mark.rule("narateer.condition.prone-standing")
def test_whoever_cannot_pay_for_it_goes_nowhere() -> None:
    t = field(mover(14, ad=0, conditions=["prone"]))
    assert codes(t.explain("kael", "stand")) == {"READY_AD"}
    assert codes(t.explain("kael", "walk", route=east(1))) == {"PRONE"}


@pytest.mark.rule("narateer.condition.prone-standing")
def test_whoever_is_not_prone_does_not_stand_up() -> None:
    assert codes(field(mover(14)).explain("kael", "stand")) == {"NOT_PRONE"}


@pytest.mark.rule("narateer.condition.more-specific-wins")
def test_a_condition_that_prices_a_metre_goes_before_the_general_rule() -> None:
    t = under({"metre_cost": 3})
    assert quoted(t, "kael", "walk", 2) == 12
    go(t, "kael", "walk", 2)
    assert (spent(t, "kael"), metres(t, "kael", "walk")) == (12, 2)


@pytest.mark.rule("narateer.condition.more-specific-wins")
def test_of_two_such_conditions_the_dearer_one_counts() -> None:
    both = {"snared": {"metre_cost": 3}, "chilled": {"metre_cost": 2}}
    t = field(mover(14, conditions=["chilled", "snared"]), conditions=both)
    assert quoted(t, "kael", "walk", 2) == 12
