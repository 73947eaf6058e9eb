"""Checks on the way: for what is risky, contested or in doubt, with stakes agreed before the dice."""

from __future__ import annotations

from typing import Any

import pytest
from moves import answer, at, character, field, go, happened, metres, mover, question, rolls
from scenes import ready, refused

import turnwright as tw
from turnwright.systems.narateer.events import Checked, MovementLost

ATHLETIC = {"skill": "athletics"}
AGILE = {"skill": "acrobatics"}
GROUNDS = (
    "gap",
    "beam",
    "unstable-wall",
    "violent-water",
    "hazardous-vault",
    "shifting-footing",
    "resistance",
    "pursuit",
)
MARKET = {"m": {"name": "market", "tags": ["agile"]}}


def hurdle(x: int = 5, **keys: Any) -> dict[str, Any]:
    """An obstacle that the scene leaves to the guide, except for what is said."""
    return {"at": [x, 1], "name": "a hurdle", **keys}


def settled(x: int = 5, consequence: str = "stop", **keys: Any) -> dict[str, Any]:
    """An obstacle with everything settled beforehand."""
    agreed = {"skill": "athletics", "target": 6, "failure": "that was it", "consequence": consequence}
    return hurdle(x, **agreed, **keys)


def ruling(**keys: Any) -> dict[str, Any]:
    return {"kind": "check", "skill": "athletics", "target": 6, "success": "over it", "failure": "not over it", **keys}


def suggested(t: tw.Table) -> Any:
    return question(t, "rule").question.suggested[0]


@pytest.mark.rule("narateer.movecheck.grounds")
@pytest.mark.parametrize("tag", GROUNDS)
def test_the_guide_is_asked_about_a_route_with_grounds_for_a_check(tag: str) -> None:
    t = field(mover(), rows=["." * 60, "...x" + "." * 56, "." * 60], legend={"x": {"name": "it", "tags": [tag]}})
    go(t, "kael", "walk", 5)
    assert at(t, "kael") == (2, 1)
    assert question(t).kind == "rule"
    answer(t, {"kind": "automatic", "success": "it is nothing"})
    assert (at(t, "kael"), rolls(t)) == ((5, 1), 0)


@pytest.mark.rule("narateer.movecheck.grounds")
def test_a_long_route_is_no_ground() -> None:
    t = field(mover(), rows=["x" * 60] * 3, legend={"x": {"name": "a long road", "tags": ["long"]}})
    go(t, "kael", "walk", 7)
    assert not t.waiting_on
    assert at(t, "kael") == (7, 1)


@pytest.mark.rule("narateer.movecheck.grounds")
def test_a_beam_of_several_spaces_is_met_once() -> None:
    t = field(
        mover(), rows=["." * 60, "..xxx" + "." * 55, "." * 60], legend={"x": {"name": "a beam", "tags": ["beam"]}}
    )
    go(t, "kael", "walk", 7)
    answer(t, {"kind": "automatic", "success": "it holds"})
    assert (t.waiting_on, at(t, "kael")) == ((), (7, 1))


@pytest.mark.rule("narateer.movecheck.skill-matches-method")
def test_the_check_follows_its_own_method_and_the_sprint_keeps_its_skill() -> None:
    t = field(mover(14, skills={"athletics": 4, "acrobatics": 1}), obstacles=[hurdle(tags=["balance"])], dice=(6,))
    go(t, "kael", "sprint", 25, **ATHLETIC)
    assert suggested(t).skill == "acrobatics"
    answer(t, 0)
    answer(t, "try")
    assert [event.skill for event in rolled(t)] == ["acrobatics"]
    assert t.state.actors["kael"].sprint_skill == "athletics"
    assert at(t, "kael") == (25, 1)


def rolled(t: tw.Table) -> list[Any]:
    return happened(t, Checked)


def skill_suggested_for(tag: str) -> str:
    t = field(mover(), obstacles=[hurdle(tags=[tag])])
    go(t, "kael", "walk", 5)
    return str(suggested(t).skill)


@pytest.mark.rule("narateer.movecheck.athletics-scope")
@pytest.mark.parametrize("tag", ["force", "endurance", "climb", "swim", "power-leap", "resistance"])
def test_power_and_stamina_are_athletics(tag: str) -> None:
    assert skill_suggested_for(tag) == "athletics"


@pytest.mark.rule("narateer.movecheck.acrobatics-scope")
@pytest.mark.parametrize("tag", ["balance", "tumble", "agile", "controlled-landing", "redirect"])
def test_balance_and_precision_are_acrobatics(tag: str) -> None:
    assert skill_suggested_for(tag) == "acrobatics"


@pytest.mark.rule("narateer.movecheck.skill-matches-method")
@pytest.mark.parametrize(
    ("tag", "skill"),
    [("gap", "athletics"), ("beam", "acrobatics"), ("shifting-footing", "acrobatics"), ("resistance", "athletics")],
)
def test_what_is_met_suggests_the_skill(tag: str, skill: str) -> None:
    assert skill_suggested_for(tag) == skill


@pytest.mark.rule("narateer.movecheck.failure-hits-route-not-mode")
def test_a_failure_leaves_mode_price_and_allowance_as_they_are() -> None:
    t = field(mover(14, skills={"athletics": 4}), obstacles=[settled(11)], dice=(5,))
    go(t, "kael", "sprint", 25, **ATHLETIC)
    before = ready(t, "kael")
    answer(t, "try")
    kael = t.state.actors["kael"]
    assert (at(t, "kael"), kael.mode, kael.wounds, kael.conditions) == ((10, 1), "sprint", 0, ())
    assert ready(t, "kael") == before - 1 == 6 - 2 - 1
    assert metres(t, "kael", "sprint") == 30


@pytest.mark.rule("narateer.movecheck.stakes-before-dice")
def test_without_a_stake_nobody_commits_anything() -> None:
    t = field(mover(14, ad=3), obstacles=[hurdle()], dice=(6,))
    go(t, "kael", "walk", 7)
    found = refused(lambda: answer(t, ruling(failure="")))
    assert "narateer.movecheck.stakes-before-dice" in found
    assert (ready(t, "kael"), rolls(t)) == (3, 0)
    answer(t, ruling(failure="he stops at it", consequence="stop"))
    assert "he stops at it" in question(t).prompt
    answer(t, "try")
    assert ready(t, "kael") == 2


@pytest.mark.rule("narateer.movecheck.consequence-menu")
@pytest.mark.parametrize(
    ("consequence", "amount", "left"),
    [("lose_part", 5, 18 - 5 - 2), ("lose_part", 40, 0), ("lose_all", 0, 0), ("stop", 0, 18)],
)
def test_movement_can_be_lost(consequence: str, amount: int, left: int) -> None:
    """With 18 m left; whoever loses only a part goes on, here by one Space of 2 m."""
    t = field(mover(13), obstacles=[settled(5, consequence, amount=amount)], dice=(1,))
    go(t, "kael", "run", 5)
    assert metres(t, "kael", "run") == 18
    answer(t, "try")
    assert metres(t, "kael", "run") == left
    assert [int(event.metres) for event in happened(t, MovementLost)] == [
        lost
        for lost in (min(amount, 18) if consequence == "lose_part" else 18 if consequence == "lose_all" else 0,)
        if lost
    ]


@pytest.mark.rule("narateer.movecheck.consequence-menu")
def test_prone_and_harm_and_a_worse_place_and_another_route() -> None:
    def after(consequence: str, amount: int = 0) -> Any:
        t = field(mover(13), obstacles=[settled(5, consequence, amount=amount)], dice=(1,))
        go(t, "kael", "run", 6)
        answer(t, "try")
        return t.state.actors["kael"]

    assert after("prone").conditions == ("prone",)
    assert (after("harm", 2).wounds, after("harm", 2).at) == (2, (6, 1))
    assert (after("harm", 3).wounds, after("harm", 3).at) == (3, (4, 1))
    assert after("worse_position").at == (4, 1)
    assert after("reroute").at == (4, 1)


@pytest.mark.rule("narateer.movecheck.consequence-menu")
def test_the_guide_may_agree_on_something_else() -> None:
    t = field(mover(13), obstacles=[hurdle()], dice=(1,))
    go(t, "kael", "run", 7)
    answer(t, ruling(failure="his lamp goes out", consequence="the lamp goes out"))
    answer(t, "try")
    assert at(t, "kael") == (7, 1)
    assert any("his lamp goes out" in t.game.tell(t.state, event) for entry in t.live for event in entry.events)


@pytest.mark.rule("narateer.movecheck.normal-procedure")
def test_the_check_costs_1_ad_and_boost() -> None:
    t = field(
        mover(14, ad=5, skills={"athletics": 0, "acrobatics": 4}),
        rows=["m" * 60] * 3,
        legend=MARKET,
        obstacles=[{**settled(5), "skill": "acrobatics"}],
        dice=((1, 1, 1),),
    )
    go(t, "kael", "sprint", 10, **AGILE)
    assert ready(t, "kael") == 3
    answer(t, ("try", 2))
    assert ready(t, "kael") == 0
    assert [(event.dice, event.total) for event in rolled(t)] == [(3, 7)]
    assert at(t, "kael") == (10, 1)


@pytest.mark.rule("narateer.movecheck.normal-procedure")
def test_the_guide_may_ask_for_more_dice() -> None:
    t = field(mover(14, ad=3), obstacles=[hurdle()], dice=((3, 3),))
    go(t, "kael", "walk", 5)
    answer(t, ruling(ad=2))
    answer(t, "try")
    assert (ready(t, "kael"), at(t, "kael")) == (1, (5, 1))


@pytest.mark.rule("narateer.movecheck.normal-procedure")
def test_boost_is_limited_by_skill_level_and_by_what_is_left() -> None:
    t = field(mover(14, ad=3, skills={"athletics": 1}), obstacles=[settled(5)])
    go(t, "kael", "walk", 5)
    assert "narateer.boost.cap-is-skill-level" in refused(lambda: answer(t, ("try", 2)))
    poor = field(mover(14, ad=1, skills={"athletics": 4}), obstacles=[settled(5)])
    go(poor, "kael", "walk", 5)
    refused(lambda: answer(poor, ("try", 1)))


@pytest.mark.rule("narateer.movecheck.normal-procedure")
def test_it_takes_no_proactive_use_unless_the_scene_says_so() -> None:
    for counted in (False, True):
        t = field(mover(14), obstacles=[settled(5)], settings={"obstacle_use": counted}, dice=(6,))
        go(t, "kael", "walk", 5)
        answer(t, "try")
        assert t.state.actors["kael"].uses == ({"athletics": 1} if counted else {})


@pytest.mark.rule("narateer.movecheck.normal-procedure")
@pytest.mark.parametrize(("word", "place"), [("stop", (4, 1)), ("fail", (4, 1))])
def test_without_ad_one_stops_or_takes_the_consequence(word: str, place: tuple[int, int]) -> None:
    t = field(mover(14, ad=0), obstacles=[settled(5, "prone")])
    go(t, "kael", "walk", 5)
    assert question(t).options == ("stop", "fail")
    answer(t, word)
    assert (at(t, "kael"), rolls(t)) == (place, 0)
    assert t.state.actors["kael"].conditions == (("prone",) if word == "fail" else ())


@pytest.mark.rule("narateer.movecheck.normal-procedure")
def test_an_ally_may_assist_it_until_it_is_committed_to() -> None:
    t = field(mover(14), character("bo", "heroes", (3, 0)), obstacles=[settled(5)], dice=((1, 6),))
    go(t, "kael", "walk", 5)
    t.interject("bo", "assist", method="hold the plank")
    answer(t, "try")
    assert [event.total for event in rolled(t)] == [6]
    assert (at(t, "kael"), ready(t, "bo")) == ((5, 1), 5)


@pytest.mark.rule("narateer.movecheck.normal-procedure")
@pytest.mark.parametrize(("total", "passes"), [(10, False), (11, True)])
def test_against_somebody_who_holds_on_the_readiness_score_is_to_be_exceeded(total: int, passes: bool) -> None:
    holder = character("ogre", "guards", (20, 0), readiness={"athletics": 10})
    t = field(mover(14), holder, obstacles=[hurdle(tags=["resistance"])], dice=(total,))
    go(t, "kael", "walk", 5)
    answer(t, {**ruling(against="ogre"), "target": None})
    answer(t, "try")
    assert at(t, "kael") == ((5, 1) if passes else (4, 1))


FENCE = {"at": [1, 1], "name": "a low fence", "uncertain": False, "metres": 1}
"""Five Spaces over it use up 11 m."""


@pytest.mark.rule("narateer.movecheck.success-continues")
def test_after_a_success_exactly_what_remained_is_left() -> None:
    t = field(mover(13), obstacles=[FENCE, settled(6)], dice=(6,))
    go(t, "kael", "run", 8)
    assert metres(t, "kael", "run") == 15
    paid = ready(t, "kael")
    answer(t, "try")
    assert (at(t, "kael"), metres(t, "kael", "run")) == ((8, 1), 15 - 6)
    assert ready(t, "kael") == paid - 1


@pytest.mark.rule("narateer.movecheck.success-continues")
def test_after_a_failure_what_was_agreed_happens() -> None:
    t = field(mover(13), obstacles=[FENCE, settled(6, "lose_all")], dice=(1,))
    go(t, "kael", "run", 8)
    answer(t, "try")
    assert (at(t, "kael"), metres(t, "kael", "run")) == ((5, 1), 0)


def mira(*dice: int) -> tw.Table:
    """Mira sprints through a market; a fallen stall lies 20 m ahead."""
    stall = {"at": [11, 1], "name": "a fallen stall", "tags": ["vaulting"]}
    who = character("mira", "heroes", (0, 1), strength=2, agility=4, skills={"acrobatics": 4})
    t = field(who, rows=["m" * 60] * 3, legend=MARKET, obstacles=[stall], dice=dice)
    go(t, "mira", "sprint", 25, **AGILE)
    answer(t, ruling(skill="acrobatics", failure="the stall stops her", consequence="stop"))
    return t


@pytest.mark.rule("narateer.movecheck.example-mira")
def test_mira_has_50_m_for_2_ad() -> None:
    t = mira()
    assert metres(t, "mira", "sprint") == 50 - 20
    assert ready(t, "mira") == 4


@pytest.mark.rule("narateer.movecheck.example-mira")
@pytest.mark.parametrize(("total", "place", "left"), [(6, (25, 1), 0), (5, (10, 1), 30)])
def test_case_33_the_check_decides_about_the_stall_and_not_about_the_sprint(
    total: int, place: tuple[int, int], left: int
) -> None:
    t = mira(total)
    answer(t, "try")
    # 28 - 20 = 8 m would turn her Sprint into a Run.
    assert (at(t, "mira"), metres(t, "mira", "sprint")) == (place, left)
    assert t.state.actors["mira"].mode == "sprint"
    assert ready(t, "mira") == 6 - 2 - 1


@pytest.mark.rule("narateer.movecheck.consequence-menu", "narateer.condition.prone-standing")
def test_case_34_prone_in_mid_run() -> None:
    t = field(mover(13), obstacles=[FENCE, settled(6, "prone")], dice=(1,))
    go(t, "kael", "run", 8)
    answer(t, "try")
    assert "narateer.condition.prone-standing" in refused(lambda: go(t, "kael", "run", 1))
    before = ready(t, "kael")
    t.declare("kael", "stand")
    # Half the movement, or the price of the Run again, are what one might expect.
    assert (ready(t, "kael"), metres(t, "kael", "run")) == (before - 1, 15)
    t.declare("kael", "run", route=[(6, 0)])
    assert metres(t, "kael", "run") == 13
