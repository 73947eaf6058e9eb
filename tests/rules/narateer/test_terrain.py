"""Terrain: what a metre costs, once for all ordinary reasons."""

from __future__ import annotations

import pytest
from moves import (
    COVERED,
    THICKET,
    at,
    character,
    codes,
    east,
    farthest,
    field,
    go,
    hidden,
    metres,
    mover,
    quoted,
    rolls,
)
from scenes import ready, spent

GUARD = character("guard", "guards", (55, 1))


def ground(**keys: object) -> dict[str, dict[str, object]]:
    return {"x": {"name": "the ground", **keys}}


def over(**keys: object) -> int:
    """Metres of allowance for 10 m, five Spaces, over such ground."""
    t = field(mover(14), rows=["." + "x" * 59] * 3, legend=ground(**keys))
    return quoted(t, "kael", "run", 5)


@pytest.mark.rule("narateer.terrain.changes-spend-rate")
def test_terrain_changes_what_a_metre_costs_and_not_the_allowance() -> None:
    t = field(mover(13), rows=["." + "x" * 59] * 3, legend=ground(difficult=["mud"]))
    go(t, "kael", "run", 1)
    parts = t.game.sums(t.state, "kael")["Base Movement"]
    assert sum(part.amount for part in parts) == 13
    assert (spent(t, "kael"), metres(t, "kael", "run")) == (4, 26 - 4)


@pytest.mark.rule("narateer.terrain.difficult-doubles")
def test_difficult_ground_costs_twice() -> None:
    assert over() == 10
    assert over(difficult=["rubble"]) == 20


@pytest.mark.rule("narateer.terrain.difficult-doubles")
def test_14_m_lead_7_m_over_difficult_ground() -> None:
    t = field(mover(7), rows=["x" * 60] * 3, legend=ground(difficult=["mud"]))
    assert metres(t, "kael", "run") == 14
    # 7 m are three Spaces and a half.
    assert farthest(t, "kael", "run") == 3


@pytest.mark.rule("narateer.terrain.no-self-stacking")
def test_three_ordinary_reasons_count_once() -> None:
    # 40 or 80 would be two or three doublings.
    assert over(difficult=["mud", "undergrowth", "crowd"]) == 20
    assert over(difficult=["mud"], tags=["crowd"]) == 20


@pytest.mark.rule("narateer.terrain.no-self-stacking")
def test_a_rule_that_says_so_adds_to_it() -> None:
    assert over(difficult=["mud"], extra=1) == 30


@pytest.mark.rule("narateer.terrain.difficult-examples")
@pytest.mark.parametrize("tag", ["rubble", "mud", "undergrowth", "loose_slope", "crowd", "water_to_waist"])
def test_the_six_examples_are_difficult_by_default(tag: str) -> None:
    assert over(tags=[tag]) == 20


@pytest.mark.rule("narateer.terrain.difficult-examples")
def test_a_scene_may_call_anything_else_difficult() -> None:
    assert over(tags=["snow"]) == 10
    assert over(difficult=["snow"]) == 20
    t = field(
        mover(14),
        rows=["." + "x" * 59] * 3,
        legend=ground(tags=["snow"]),
        settings={"difficult_terrain": ["snow"]},
    )
    assert quoted(t, "kael", "run", 5) == 20


@pytest.mark.rule("narateer.terrain.unfamiliar-is-not-difficult")
def test_being_unfamiliar_makes_nothing_difficult() -> None:
    assert over(tags=["unfamiliar"]) == 10
    assert over(difficult=["unfamiliar"]) == 10


@pytest.mark.rule("narateer.terrain.example-dorn")
def test_dorn_reaches_the_pillar() -> None:
    """9 m of rubble and 7 m of ordinary ground are 18 + 7 = 25 of 26 m; Spaces make 5 of rubble and 3 of the rest."""
    t = dorn()
    found = t.explain("dorn", "run", route=east(8))
    assert {stretch.why: int(stretch.metres) for stretch in found.price.along} == {
        "5 x rubble": 20,
        "3 x ordinary ground": 6,
    }
    t.declare("dorn", "run", route=east(8))
    assert (at(t, "dorn"), rolls(t), ready(t, "dorn")) == ((8, 1), 0, 5)


@pytest.mark.rule("narateer.terrain.example-dorn")
def test_walking_he_does_not_reach_it() -> None:
    t = dorn()
    assert metres(t, "dorn", "walk") == 13
    assert codes(t.explain("dorn", "walk", route=east(8))) == {"TOO_FAR"}


@pytest.mark.rule("narateer.terrain.example-dorn")
def test_in_metres_one_is_left_to_him() -> None:
    """A map of 1 m Spaces has the text's own numbers."""
    t = dorn("." + "r" * 9 + "." * 50, settings={"space_metres": 1})
    assert quoted(t, "dorn", "run", 16) == 25
    go(t, "dorn", "run", 16)
    assert metres(t, "dorn", "run") == 1


@pytest.mark.rule("narateer.terrain.example-dorn", "narateer.tactical.terrain-by-spaces-crossed")
@pytest.mark.parametrize(("rubble", "left"), [(5, 0), (4, 1)])
def test_case_38_on_a_map_the_spaces_of_the_map_count(rubble: int, left: int) -> None:
    t = dorn("." + "r" * rubble + "." * (59 - rubble))
    assert farthest(t, "dorn", "run") == 8 + left
    go(t, "dorn", "run", 8)
    assert metres(t, "dorn", "run") == 2 * left


def dorn(row: str = "." + "r" * 5 + "." * 54, **keys: object):  # type: ignore[no-untyped-def]
    legend = {"r": {"name": "rubble", "difficult": ["rubble"]}}
    who = character("dorn", "heroes", (0, 1), strength=3, agility=2)
    return field(who, rows=["." * 60, row, "." * 60], legend=legend, **keys)


@pytest.mark.rule("narateer.terrain.difficult-doubles")
def test_case_09_hidden_and_difficult_multiply() -> None:
    row = "..xx" + "," * 56
    legend = {**THICKET, "x": {"name": "brambles", "difficult": ["undergrowth"], "conceals": ["sight"]}}
    t = field(mover(12), GUARD, rows=["," * 60, "," + "," + row[2:], "," * 60], legend=legend)
    hidden(t, "kael", "guard")
    go(t, "kael", "walk", 1)
    assert spent(t, "kael") == 4
    go(t, "kael", "walk", 1)
    # 3 m for each metre, 6 for the Space, would leave 2 m.
    assert (spent(t, "kael"), metres(t, "kael", "walk")) == (12, 0)


@pytest.mark.rule("narateer.terrain.no-self-stacking")
def test_case_10_hidden_on_ground_with_three_reasons() -> None:
    x = {"name": "brambles", "difficult": ["mud", "crowd", "undergrowth"], "conceals": ["sight"]}
    t = field(mover(14), GUARD, rows=["x" * 60] * 3, legend={"x": x})
    hidden(t, "kael", "guard")
    # 2 x 2 x 2 x 2 = 16 m for each metre would be 32 m for one Space.
    assert quoted(t, "kael", "run", 1) == 2 * 4


@pytest.mark.rule("narateer.terrain.changes-spend-rate")
@pytest.mark.parametrize(("also_from_the_dog", "left"), [(False, 9), (True, 4)])
def test_case_12_seen_by_one_in_mid_sneak(also_from_the_dog: bool, left: int) -> None:
    """4 m sneaked cost 8 of 26, the last one into plain view included; 18 m are left, at the normal price or not."""
    dog = character("dog", "guards", (59, 0), senses={"scent": 6})
    rows = [",,,,,," + "." * 54, ",." + "." * 58, ",,,,,," + "." * 54]
    t = field(mover(13), character("guard", "guards", (30, 1)), dog, rows=rows, legend=THICKET)
    hidden(t, "kael", *(["guard", "dog"] if also_from_the_dog else ["guard"]))
    t.declare("kael", "run", route=[(1, 0), (2, 1)])
    assert len(t.waiting_on) == 1
    t.answer(t.waiting_on[0], "yes")
    assert spent(t, "kael") == 8
    assert metres(t, "kael", "run") == 18
    assert farthest(t, "kael", "run") == left
    if also_from_the_dog:
        t.declare("kael", "stop_hiding", toward="dog")
        assert farthest(t, "kael", "run") == 9


@pytest.mark.rule("narateer.terrain.changes-spend-rate")
def test_a_route_into_plain_view_is_quoted_as_it_will_be_charged() -> None:
    rows = [",,,,,," + "." * 54, ",." + "." * 58, ",,,,,," + "." * 54]
    t = field(mover(13), character("guard", "guards", (30, 1)), rows=rows, legend=THICKET)
    hidden(t, "kael", "guard")
    route = [(1, 0), (2, 1), *east(9, 2)]
    found = t.explain("kael", "run", route=route)
    assert (found.verdict, found.price.metres) == ("legal", 26)
    assert "at (2, 1) Guard sees you plainly" in found.warnings
    t.declare("kael", "run", route=route)
    t.answer(t.waiting_on[0], "yes")
    assert (at(t, "kael"), spent(t, "kael")) == ((11, 1), 26)


@pytest.mark.rule("narateer.terrain.difficult-doubles")
def test_12_m_left_are_6_m_sneaked_or_3_m_over_difficult_ground() -> None:
    brambles = {"x": {"name": "brambles", "difficult": ["undergrowth"], "conceals": ["sight"]}}
    plain = field(mover(12), GUARD, rows=COVERED, legend=THICKET)
    hidden(plain, "kael", "guard")
    assert farthest(plain, "kael", "walk") == 3
    rough = field(mover(12), GUARD, rows=["x" * 60] * 3, legend=brambles, settings={"space_metres": 1})
    hidden(rough, "kael", "guard")
    assert farthest(rough, "kael", "walk") == 3
