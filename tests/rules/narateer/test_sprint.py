"""Sprint: three times Base Movement and 2 m for each level of the Skill that governs it, for 2 AD and one use."""

from __future__ import annotations

from typing import Any

import pytest
from moves import (
    COVERED,
    FIELD,
    THICKET,
    ahead,
    answer,
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
    try_check,
)
from scenes import acted, hidden_from, ready, refused

import turnwright as tw
from turnwright.systems.narateer.events import Waiting

ATHLETIC = {"skill": "athletics"}
AGILE = {"skill": "acrobatics"}
VAULTS = {"v": {"name": "stalls", "tags": ["vaulting"]}, "w": {"name": "narrow wall", "tags": ["narrow-wall"]}}
STALLS = ["." * 60, "." + "v" * 59, "." * 60]
WIND = {
    "name": "Ride the wind",
    "requires": {"sprint": "acrobatics"},
    "parts": [{"move": 2}],
}


def uses(t: tw.Table, skill: str) -> int:
    return int(t.state.actors["kael"].uses.get(skill, 0))


@pytest.mark.rule("narateer.sprint.cost")
def test_a_sprint_costs_2_ready_ad() -> None:
    t = field(mover(14, ad=3))
    go(t, "kael", "sprint", 3, **ATHLETIC)
    assert ready(t, "kael") == 1


@pytest.mark.rule("narateer.sprint.cost")
def test_with_1_ready_ad_there_is_no_sprint() -> None:
    t = field(mover(14, ad=1))
    assert codes(t.explain("kael", "sprint", route=east(3), **ATHLETIC)) == {"READY_AD"}
    refused(lambda: go(t, "kael", "sprint", 3, **ATHLETIC))
    assert ready(t, "kael") == 1


@pytest.mark.rule("narateer.sprint.distance")
@pytest.mark.parametrize(("bm", "level", "sprint"), [(15, 4, 53), (14, 4, 50), (8, 0, 24), (10, 3, 36)])
def test_the_distance_of_a_sprint(bm: int, level: int, sprint: int) -> None:
    t = field(mover(bm, skills={"athletics": level}))
    assert metres(t, "kael", "sprint", **ATHLETIC) == sprint
    assert farthest(t, "kael", "sprint", **ATHLETIC) == sprint // 2


@pytest.mark.rule("narateer.sprint.distance")
def test_without_base_movement_a_skill_level_gives_no_sprint() -> None:
    t = field(mover(0, skills={"athletics": 4}))
    assert metres(t, "kael", "sprint", **ATHLETIC) == 0
    assert "NO_BM" in codes(t.explain("kael", "sprint", route=east(1), **ATHLETIC))


@pytest.mark.rule("narateer.sprint.governing-skill-set")
@pytest.mark.parametrize(
    ("rows", "said", "allowance"),
    [
        (FIELD, ATHLETIC, 40),
        (STALLS, AGILE, 38),
        (FIELD, {"skill": "stealth"}, None),
        (FIELD, {}, None),
    ],
)
def test_athletics_or_acrobatics_governs_it_and_nothing_else(
    rows: list[str], said: dict[str, str], allowance: int | None
) -> None:
    skills = {"athletics": 2, "acrobatics": 1, "stealth": 3}
    t = field(mover(12, ad=4, skills=skills), rows=rows, legend=VAULTS)
    found = t.explain("kael", "sprint", route=east(3), **said)
    if allowance is None:
        assert [refusal.rule for refusal in found.refusals] == ["narateer.sprint.governing-skill-set"]
        assert ready(t, "kael") == 4
    else:
        assert found.verdict == "legal"
        assert metres(t, "kael", "sprint", **said) == allowance


@pytest.mark.rule("narateer.sprint.governing-skill-set")
def test_once_paid_for_the_skill_is_settled() -> None:
    t = field(mover(12, skills={"athletics": 2, "acrobatics": 1}), rows=STALLS, legend=VAULTS)
    go(t, "kael", "sprint", 3, **AGILE)
    refusals = refused(lambda: go(t, "kael", "sprint", 3, **ATHLETIC))
    assert "narateer.sprint.governing-skill-set" in refusals
    go(t, "kael", "sprint", 3)
    assert metres(t, "kael", "sprint") == 38 - 12


@pytest.mark.rule("narateer.sprint.governing-skill-set")
def test_the_untrained_sprint_too() -> None:
    t = field(mover(8))
    go(t, "kael", "sprint", 12, **ATHLETIC)
    assert at(t, "kael") == (12, 1)


@pytest.mark.rule("narateer.sprint.major-action")
def test_a_ban_on_major_actions_stops_sprint_but_not_run_or_walk() -> None:
    t = field(mover(14, conditions=["dazed"]), conditions={"dazed": {"major": False}})
    assert "NO_MAJOR" in codes(t.explain("kael", "sprint", route=east(3), **ATHLETIC))
    assert t.explain("kael", "run", route=east(3)).verdict == "legal"
    assert t.explain("kael", "walk", route=east(3)).verdict == "legal"


@pytest.mark.rule("narateer.sprint.major-action")
def test_its_price_is_its_own_2_ad_and_no_more_for_being_major() -> None:
    t = field(mover(14))
    assert t.explain("kael", "sprint", route=east(3), **ATHLETIC).price.amount("ad") == 2


@pytest.mark.rule("narateer.sprint.no-check")
def test_a_sprint_rolls_nothing_and_its_distance_is_certain() -> None:
    t = field(mover(14, skills={"athletics": 4}))
    go(t, "kael", "sprint", 25, **ATHLETIC)
    assert rolls(t) == 0
    assert at(t, "kael") == (25, 1)


@pytest.mark.rule("narateer.sprint.no-boost")
def test_a_sprint_is_not_boosted() -> None:
    t = field(mover(15, ad=6, skills={"athletics": 4}))
    assert "narateer.sprint.no-boost" in refused(lambda: go(t, "kael", "sprint", 3, boost=1, **ATHLETIC))
    assert ready(t, "kael") == 6
    go(t, "kael", "sprint", 3, **ATHLETIC)
    assert (ready(t, "kael"), metres(t, "kael", "sprint")) == (4, 53 - 6)


@pytest.mark.rule("narateer.sprint.one-proactive-use")
def test_however_it_is_divided_it_takes_one_use_of_its_skill() -> None:
    t = field(mover(14, skills={"athletics": 1}), dice=(6,))
    for _ in range(3):
        go(t, "kael", "sprint", 3, **ATHLETIC)
    assert uses(t, "athletics") == 1
    try_check(t, "kael", "athletics")
    assert uses(t, "athletics") == 2
    try_check(t, "kael", "athletics")
    assert (uses(t, "athletics"), uses(t, "acrobatics"), rolls(t)) == (2, 0, 1)


@pytest.mark.rule("narateer.sprint.needs-free-use")
def test_a_skill_without_a_use_left_governs_no_sprint() -> None:
    t = field(mover(14, ad=5), dice=(1,))
    try_check(t, "kael", "athletics")
    assert codes(t.explain("kael", "sprint", route=east(3), **ATHLETIC)) == {"SKILL_USES"}
    refused(lambda: go(t, "kael", "sprint", 3, **ATHLETIC))
    assert ready(t, "kael") == 4
    assert t.explain("kael", "run", route=east(3)).verdict == "legal"


@pytest.mark.rule("narateer.sprint.does-not-block-actions")
def test_after_a_sprint_other_actions_are_open() -> None:
    t = field(mover(14, ad=4), dice=(5,))
    go(t, "kael", "sprint", 3, **ATHLETIC)
    try_check(t, "kael", "melee")
    assert ready(t, "kael") == 1
    assert acted(t, "kael") == [("sprint", "proactive"), ("attempt", "proactive")]


@pytest.mark.rule("narateer.sprint.skill-follows-method")
def test_a_higher_level_is_no_reason_to_take_the_other_skill() -> None:
    t = field(mover(12, skills={"athletics": 1, "acrobatics": 5}))
    refusals = refused(lambda: go(t, "kael", "sprint", 3, **AGILE))
    text = refusals["narateer.sprint.skill-follows-method"]
    # 46 m is what Acrobatics would give.
    assert "athletics" in text
    assert "38 m" in text
    assert ready(t, "kael") == 6
    assert metres(t, "kael", "sprint", **ATHLETIC) == 38


@pytest.mark.rule("narateer.sprint.athletics-style")
def test_on_a_straight_open_way_athletics_is_suggested() -> None:
    t = field(mover(14, skills={"acrobatics": 5}), rows=STALLS, legend=VAULTS)
    assert suggested(t, east(5, y=0)) == "athletics"


@pytest.mark.rule("narateer.sprint.acrobatics-style")
@pytest.mark.parametrize("ground", ["v", "w"])
def test_over_a_narrow_wall_or_stalls_acrobatics_is_suggested(ground: str) -> None:
    t = field(mover(14, skills={"athletics": 5}), rows=["." * 60, "." + ground * 59, "." * 60], legend=VAULTS)
    assert suggested(t, east(5)) == "acrobatics"


@pytest.mark.rule("narateer.sprint.acrobatics-style")
def test_an_obstacle_to_vault_over_makes_a_short_route_agile() -> None:
    stall = {"at": [2, 1], "name": "a stall", "tags": ["vaulting"]}
    t = field(mover(14), obstacles=[stall])
    assert suggested(t, east(2)) == "acrobatics"
    assert suggested(t, east(2, y=0)) == "athletics"


@pytest.mark.rule("narateer.sprint.athletics-style", "narateer.sprint.acrobatics-style")
def test_the_guide_may_decide_otherwise() -> None:
    t = field(mover(12, skills={"athletics": 1, "acrobatics": 5}))
    go(t, "kael", "sprint", 3, seat="guide", overrule="he vaults from cart to cart", **AGILE)
    assert metres(t, "kael", "sprint") == 46 - 6
    assert (ready(t, "kael"), uses(t, "acrobatics")) == (4, 1)


def suggested(t: tw.Table, route: Any) -> str:
    offered = t.explain("kael", "sprint", route=route).parameters
    return next(parameter.choices[0] for parameter in offered if parameter.name == "skill")


@pytest.mark.rule("narateer.sprint.named-skill-by-rule")
def test_a_power_that_names_the_skill_decides_it() -> None:
    t = field(mover(12, skills={"athletics": 4, "acrobatics": 1}, powers=[WIND]), rows=STALLS, legend=VAULTS)
    go(t, "kael", "sprint", 5, power="Ride the wind")
    assert (uses(t, "acrobatics"), uses(t, "athletics")) == (1, 0)
    assert metres(t, "kael", "sprint") == 38 - 10
    assert t.explain("kael", "use_power", power="Ride the wind").verdict == "legal"


@pytest.mark.rule("narateer.sprint.named-skill-by-rule")
def test_a_sprint_under_the_other_skill_does_not_serve_the_power() -> None:
    t = field(mover(12, skills={"athletics": 4, "acrobatics": 1}, powers=[WIND]))
    refusals = refused(lambda: go(t, "kael", "sprint", 5, power="Ride the wind", **ATHLETIC))
    assert "narateer.sprint.named-skill-by-rule" in refusals
    go(t, "kael", "sprint", 5, **ATHLETIC)
    assert t.explain("kael", "use_power", power="Ride the wind").verdict == "illegal"


@pytest.mark.rule("narateer.sprint.named-skill-by-rule")
@pytest.mark.parametrize(
    ("ruling", "sprinted"),
    [({"kind": "procedure", "procedure": "sprint"}, True), ({"kind": "impossible", "obstacle": "all flat"}, False)],
)
def test_on_a_plain_route_the_guide_says_whether_the_named_skill_fits(ruling: dict[str, str], sprinted: bool) -> None:
    t = field(mover(12, skills={"athletics": 4, "acrobatics": 1}, powers=[WIND]))
    go(t, "kael", "sprint", 5, power="Ride the wind")
    answer(t, ruling, kind="rule")
    assert (at(t, "kael") == (5, 1)) == sprinted
    assert ready(t, "kael") == (4 if sprinted else 6)


@pytest.mark.rule("narateer.sprint.example-arlen")
def test_arlen_sprints_53_m_for_2_ad() -> None:
    t = field(character("arlen", "heroes", (0, 1), strength=4, agility=3, skills={"athletics": 4}))
    assert metres(t, "arlen", "walk") == 15
    assert metres(t, "arlen", "sprint", **ATHLETIC) == 53
    go(t, "arlen", "sprint", 26, **ATHLETIC)
    assert (ready(t, "arlen"), rolls(t), metres(t, "arlen", "sprint")) == (4, 0, 1)


@pytest.mark.rule("narateer.sprint.needs-free-use", "narateer.sprint.one-proactive-use")
def test_case_27_uses_of_athletics() -> None:
    gap = {"at": [5, 1], "name": "a gap", "skill": "athletics", "target": 4, "consequence": "stop", "failure": "no"}
    t = field(mover(14, skills={"athletics": 1}), obstacles=[gap], dice=(6, 6))
    go(t, "kael", "sprint", 3, **ATHLETIC)
    t.declare("kael", "sprint", route=ahead(t, "kael", 3))
    answer(t, "try")
    go(t, "kael", "sprint", 3)
    assert uses(t, "athletics") == 1
    try_check(t, "kael")
    assert uses(t, "athletics") == 2
    before = ready(t, "kael")
    try_check(t, "kael")
    assert (uses(t, "athletics"), ready(t, "kael")) == (2, before)


@pytest.mark.rule("narateer.sprint.skill-follows-method", "narateer.sprint.needs-free-use")
def test_case_27_at_level_0_a_spent_use_is_no_reason_for_acrobatics() -> None:
    t = field(mover(14), dice=(1,))
    try_check(t, "kael", "athletics")
    before = ready(t, "kael")
    assert codes(t.explain("kael", "sprint", route=east(3), **ATHLETIC)) == {"SKILL_USES"}
    assert codes(t.explain("kael", "sprint", route=east(3), **AGILE)) == {"SPRINT_STYLE"}
    assert ready(t, "kael") == before


@pytest.mark.rule("narateer.sprint.distance", "narateer.sprint.no-boost")
def test_case_26_ad_of_a_power_are_no_distance() -> None:
    dash = {"name": "Dash", "parts": [{"ad": 2}]}
    t = field(mover(14, ad=5, skills={"athletics": 4}, powers=[dash]))
    go(t, "kael", "sprint", 1, **ATHLETIC)
    t.declare("kael", "use_power", power="Dash")
    # 54 m would count the 2 AD of the Power as distance.
    assert metres(t, "kael", "sprint") == 50 - 2
    assert ready(t, "kael") == 1


@pytest.mark.rule("narateer.sprint.cost", "narateer.sprint.needs-free-use", "narateer.encumbrance.blocks-sprint")
@pytest.mark.parametrize(
    ("keys", "code"),
    [({"ad": 1}, "READY_AD"), ({"ad": 5, "encumbrance": "heavy"}, "LOAD_NO_SPRINT"), ({"ad": 5}, "SKILL_USES")],
)
def test_case_45_a_refused_sprint_changes_nothing(keys: dict[str, Any], code: str) -> None:
    t = field(mover(14, **keys))
    if code == "SKILL_USES":
        t.override({"kael.uses": {"athletics": 1}}, "he forced a door")
    before = t.state
    assert code in codes(t.explain("kael", "sprint", route=east(3), **ATHLETIC))
    refused(lambda: go(t, "kael", "sprint", 3, **ATHLETIC))
    assert t.state == before


@pytest.mark.rule("narateer.sprint.does-not-block-actions", "narateer.sprint.distance")
def test_case_13_the_rest_of_a_sprint_is_no_use_to_whoever_has_hidden() -> None:
    watcher = character("guard", "guards", (55, 1), readiness={"observation": 5})
    hider = mover(14, ad=5, skills={"athletics": 4, "stealth": 1})
    t = field(hider, watcher, rows=COVERED, legend=THICKET, dice=(8,))
    go(t, "kael", "sprint", 10, **ATHLETIC)
    t.declare("kael", "hide", method="lie flat", boost=1)
    assert (ready(t, "kael"), hidden_from(t, "kael")) == (1, {"guard"})
    assert metres(t, "kael", "sprint") == 30
    # 15 m of hidden Sprint would be half of what is left.
    assert codes(t.explain("kael", "sprint", route=east(1, 10))) == {"HIDDEN_SPRINT"}
    t.declare("kael", "stop_hiding")
    go(t, "kael", "sprint", 1)
    assert metres(t, "kael", "sprint") == 28


@pytest.mark.rule("narateer.sprint.distance", "narateer.sneak.no-sprint")
def test_case_14_a_sprint_ends_hiding_from_everybody_and_doubles_nothing() -> None:
    guard = character("guard", "guards", (55, 1))
    dog = character("dog", "guards", (59, 0), senses={"scent": 6})
    t = field(mover(14), guard, dog, rows=COVERED, legend=THICKET)
    hidden(t, "kael", "guard", "dog")
    assert quoted(t, "kael", "sprint", 5, **ATHLETIC) == 10
    go(t, "kael", "sprint", 5, **ATHLETIC)
    assert hidden_from(t, "kael") == {"guard", "dog"}
    answer(t, "yes", kind="confirm")
    # The dog could not notice, and it is no longer hidden from either; the first metre was not doubled.
    assert hidden_from(t, "kael") == set()
    assert metres(t, "kael", "sprint") == 42 - 10


@pytest.mark.rule("narateer.sprint.distance", "narateer.sneak.no-sprint")
def test_a_hide_that_waits_for_somebody_to_notice_ends_too() -> None:
    t = field(mover(14), rows=COVERED, legend=THICKET)
    t.declare("kael", "hide", method="lie flat", boost=0)
    assert t.state.related(Waiting, "kael")
    go(t, "kael", "sprint", 5, **ATHLETIC)
    answer(t, True, "confirm")
    assert not t.state.related(Waiting, "kael")
