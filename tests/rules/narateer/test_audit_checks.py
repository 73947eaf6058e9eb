"""How checks are read, where no topic has it for itself: Disadvantage, and the settings of reading."""

from __future__ import annotations

from typing import Any

import pytest
from attempts import a_check, attempt
from fighters import duel
from scenes import answer, character, happened, hidden_from, question, ready, table
from shadows import CHECK, grove, guard, hide, hider, house, looks, turn

import turnwright as tw
from turnwright.systems.narateer.events import Checked

HINDERED = {"dazed": {"disadvantage": True}, "drunk": {"disadvantage": True}}


def climber(*conditions: str, dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    return table(
        character("c", "heroes", (1, 1), skills={"athletics": 1}, conditions=list(conditions)),
        character("h", "heroes", (2, 1)),
        conditions=HINDERED,
        dice=dice,
        begin="c",
        **keys,
    )


def climb(t: tw.Table, boost: int = 0, help_: bool = False, target: int = 6) -> Any:
    t.declare("c", "attempt", intent="be over the wall", method="climb it")
    answer(t, a_check(target=target), "rule")
    if help_:
        t.interject("h", "assist", method="hold the ladder")
    answer(t, boost)
    (read,) = happened(t, Checked)
    return read


@pytest.mark.rule("narateer.condition.owned-by-combat", "narateer.assist.details-in-skill-checks")
def test_disadvantage_is_one_extra_die_that_nobody_pays_for_and_the_highest_is_dropped() -> None:
    t = climber("dazed", dice=((2, 3, 6),))
    read = climb(t, boost=1)
    # Two dice for 2 AD and a third one; the 6 is dropped: 2 + 3 + Athletics 1.
    assert (read.dice, read.total, read.passed, read.edge) == (2, 6, True, -1)
    assert ready(t, "c") == 4


@pytest.mark.rule("narateer.assist.details-in-skill-checks")
def test_two_disadvantages_are_still_one_die_and_one_advantage_cancels_both() -> None:
    read = climb(climber("dazed", "drunk", dice=((1, 5),)))
    assert (read.total, read.edge) == (1 + 1, -1)
    helped = climb(climber("dazed", "drunk", dice=((5,),)), help_=True)
    assert (helped.total, helped.edge) == (5 + 1, 0)


@pytest.mark.rule("narateer.condition.owned-by-combat")
@pytest.mark.parametrize(("penalty", "total"), [(0, 4 + 1), (-3, 4 + 1 - 3)])
def test_what_a_condition_takes_off_totals_counts_for_every_check(penalty: int, total: int) -> None:
    t = table(
        character("c", "heroes", (1, 1), skills={"athletics": 1}, conditions=["shaken"]),
        conditions={"shaken": {"totals": penalty}},
        dice=((4,),),
        begin="c",
    )
    attempt(t, "c", a_check(target=5))
    (read,) = happened(t, Checked)
    assert (read.total, read.passed) == (total, total >= 5)


@pytest.mark.rule("narateer.activation.ready-ad-pays")
@pytest.mark.parametrize(
    ("settings", "faces", "total"),
    [
        ({}, (2, 5), 2 + 5 + 1),
        ({"add": "nothing"}, (2, 5), 2 + 5),
        ({"read": "highest"}, (2, 5), 5 + 1),
        ({"read": "successes", "success": 5, "add": "nothing"}, (4, 5), 1),
        ({"die": 10}, (9, 10), 9 + 10 + 1),
    ],
)
def test_how_dice_are_read_is_a_setting(settings: dict[str, Any], faces: tuple[int, ...], total: int) -> None:
    read = climb(climber(dice=(faces,), settings=settings), boost=1, target=1)
    assert (read.dice, read.total) == (2, total)


@pytest.mark.rule("narateer.activation.ready-ad-pays")
@pytest.mark.parametrize(("setting", "parts"), [("skill level", [1]), ("nothing", [])])
def test_what_is_added_to_a_total_is_shown_with_its_parts(setting: str, parts: list[int]) -> None:
    t = climber(settings={"add": setting})
    assert [int(part.amount) for part in t.game.sums(t.state, "c")["athletics"]] == parts


@pytest.mark.rule("narateer.search.object-target", "narateer.attack.non-harm-disclosure")
@pytest.mark.parametrize(("rule", "total", "passed"), [("meet", 6, True), ("exceed", 6, False), ("exceed", 7, True)])
def test_a_fixed_target_is_met_or_exceeded_as_the_setting_says(rule: str, total: int, passed: bool) -> None:
    read = climb(climber(dice=(total,), settings={"fixed_target": rule}))
    assert read.passed is passed


@pytest.mark.rule("narateer.response.three-options")
@pytest.mark.parametrize(("base", "hit"), [(3, False), (2, True)])
def test_the_base_of_a_readiness_score_is_a_setting(base: int, hit: bool) -> None:
    t = duel(b={"ready": 0}, dice=(5,), settings={"readiness_base": base})
    t.declare("a", "attack", target="b", boost=0)
    # Melee 2: 5 is met and not exceeded, 4 is exceeded.
    assert (t.outcome.result == "hit") is hit


@pytest.mark.rule("narateer.hide.vs-readiness-score")
def test_a_score_on_the_sheet_goes_before_the_formula() -> None:
    t = duel(b={"ready": 0, "readiness": {"melee": 9}}, dice=(9,))
    t.declare("a", "attack", target="b", boost=0)
    assert t.outcome.result == "miss"
    assert t.waiting_on == ()


@pytest.mark.rule("narateer.declare.ruling-contents")
def test_the_commitment_names_what_it_is_for() -> None:
    t = climber()
    t.declare("c", "attempt", intent="be over the wall", method="climb it")
    answer(t, a_check(), "rule")
    assert question(t).question.skill == "athletics"


@pytest.mark.rule("narateer.hide.vs-active-check", "narateer.hide.active-observation-cost")
@pytest.mark.parametrize(("face", "fooled"), [(5, {"guard"}), (6, set())])
def test_an_observation_that_a_hide_asks_for_is_its_dice_and_its_skill_level(face: int, fooled: set[str]) -> None:
    t = grove(hider(skills={}), guard(skills={"observation": 2}), dice=(8, (1, face)))
    looks(t, "guard", scope=((4, 4),))
    hide(t)
    answer(t, 1)
    # 8 against 1 + 5 + Observation 2 = 8 is a tie, and a fresh Hide loses it; 1 + 6 + 2 = 9 finds her as well.
    assert happened(t, Checked)[-1].total == 1 + face + 2
    assert hidden_from(t, "selka") == set()
    again = grove(hider(skills={}), guard(skills={"observation": 2}), dice=(9, (1, face)))
    looks(again, "guard", scope=((4, 4),))
    hide(again)
    answer(again, 1)
    assert hidden_from(again, "selka") == fooled


@pytest.mark.rule("narateer.search.versus-recorded-total", "narateer.reveal.ambiguous-clue")
@pytest.mark.parametrize(("face", "located"), [(3, False), (4, True)])
def test_a_search_and_a_followed_clue_are_their_dice_and_the_skill_level(face: int, located: bool) -> None:
    searched = house(hider((1, 0)), guard("gus", (5, 1), 3, skills={"observation": 1}), dice=(5, (1, face)))
    hide(searched)
    turn(searched, "gus")
    searched.declare("gus", "search", place="loft", method="poke the straw", boost=1)
    answer(searched, CHECK, "rule")
    # 1 + 3 + Observation 1 meets the 5 that stands; one more exceeds it.
    assert (hidden_from(searched, "selka") == set()) is located

    followed = grove(hider(), guard(score=3, skills={"observation": 1}), dice=(5, (1, face)))
    hide(followed)
    followed.declare("selka", "make_noise", clear="no")
    answer(followed, ("0", 1))
    assert (hidden_from(followed, "selka") == set()) is located


@pytest.mark.rule("narateer.boost.cap-is-skill-level", "narateer.boost.any-skill-check", "narateer.boost.after-base")
@pytest.mark.parametrize(("level", "left", "most"), [(2, 6, 2), (1, 6, 1), (4, 3, 2), (0, 6, 0)])
def test_a_response_is_boosted_up_to_the_skill_level_and_what_is_left_after_its_price(
    level: int, left: int, most: int
) -> None:
    t = duel(b={"melee": level, "ready": left})
    t.declare("a", "attack", target="b", boost=0)
    allowed = {option.id: option.most for option in question(t).question.options}
    assert allowed == {"no_response": 0, "full_guard": most, "clash:sword": most}
    with pytest.raises(tw.Refused):
        answer(t, ("full_guard", most + 1))
    assert ready(t, "b") == left
