"""Climbing and swimming: slower ways, with a check only where something puts success in doubt."""

from __future__ import annotations

from typing import Any

import pytest
from moves import at, field, go, metres, mover, question, quoted, rolls


def wall(**keys: Any) -> dict[str, Any]:
    """A field with five Spaces of a climb, a swim or the like ahead."""
    return {
        "rows": ["." * 60, "." + "c" * 5 + "." * 54, "." * 60],
        "legend": {"c": {"name": "the way up", **keys}},
    }


@pytest.mark.rule("narateer.climb.no-automatic-check")
@pytest.mark.parametrize("tag", ["climb", "swim"])
def test_a_ladder_or_a_calm_pond_takes_no_roll(tag: str) -> None:
    t = field(mover(14), **wall(tags=[tag]))
    go(t, "kael", "walk", 3)
    assert (rolls(t), at(t, "kael"), metres(t, "kael", "walk")) == (0, (3, 1), 14 - 12)


@pytest.mark.rule("narateer.climb.slower-route-cost")
@pytest.mark.parametrize(("factor", "spent"), [(1, 10), (2, 20), (3, 30)])
def test_a_slower_way_costs_its_factor(factor: int, spent: int) -> None:
    t = field(mover(14), **wall(factor=factor))
    assert quoted(t, "kael", "run", 5) == spent


@pytest.mark.rule("narateer.climb.slower-route-cost")
def test_5_m_of_climbing_leave_4_of_14() -> None:
    """On a map of 1 m Spaces, so that it can be 5 m."""
    t = field(mover(14), settings={"space_metres": 1}, **wall(tags=["climb"]))
    go(t, "kael", "walk", 5)
    assert metres(t, "kael", "walk") == 4


@pytest.mark.rule("narateer.climb.slower-route-cost")
def test_the_factor_of_a_climb_is_a_setting() -> None:
    t = field(mover(14), settings={"climb": 1}, **wall(tags=["climb"]))
    assert quoted(t, "kael", "run", 5) == 10


@pytest.mark.rule("narateer.climb.slower-route-cost")
def test_it_is_not_added_to_difficult_ground() -> None:
    t = field(mover(14), **wall(tags=["climb"], difficult=["rubble"]))
    # Twice and twice again would be 40 m.
    assert quoted(t, "kael", "run", 5) == 20


@pytest.mark.rule("narateer.climb.risk-needs-check")
@pytest.mark.parametrize("risk", ["danger", "pressure", "instability", "exhaustion"])
@pytest.mark.parametrize("way", ["climb", "swim"])
def test_one_real_risk_calls_for_one_check(way: str, risk: str) -> None:
    t = field(mover(20), dice=(6,), **wall(tags=[way, risk]))
    go(t, "kael", "run", 8)
    asked = question(t, "rule")
    assert asked.question.suggested[0].kind == "check"
    t.answer(asked, 0)
    t.answer(question(t), "try")
    assert (rolls(t), at(t, "kael")) == (1, (8, 1))


@pytest.mark.rule("narateer.climb.skills")
@pytest.mark.parametrize(
    ("tags", "skill"),
    [
        (["climb", "danger"], "athletics"),
        (["swim", "danger"], "athletics"),
        (["climb", "precision", "danger"], "acrobatics"),
        (["climb", "balance", "danger"], "acrobatics"),
        (["swim", "precision", "danger"], "athletics"),
        (["swim", "balance", "violent-water"], "athletics"),
    ],
)
def test_force_is_athletics_and_precision_may_be_acrobatics_but_never_in_water(tags: list[str], skill: str) -> None:
    t = field(mover(14), **wall(tags=tags))
    go(t, "kael", "walk", 1)
    assert question(t, "rule").question.suggested[0].skill == skill
