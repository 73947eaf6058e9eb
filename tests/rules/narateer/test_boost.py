"""Boost: AD beyond the price of any check, at most the Skill Level, before the roll."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from fighters import duel, power
from scenes import answer, character, happened, question, ready, refused, table

import turnwright as tw
from turnwright.events import Barred
from turnwright.model import Committed
from turnwright.systems.narateer.events import Checked

ANY = "narateer.boost.any-skill-check"
CAP = "narateer.boost.cap-is-skill-level"
AFTER_BASE = "narateer.boost.after-base"
BEFORE_ROLL = "narateer.boost.before-roll"
CLIMB = {"kind": "check", "skill": "athletics", "target": 12, "success": "over", "failure": "a fall"}


def climb(
    level: int, dice: tuple[Any, ...] = (), boost: int | None = None, ruling: Any = None, **keys: Any
) -> tw.Table:
    """A check of Athletics at that level, ruled on."""
    t = table(character("a", "heroes", (1, 1), skills={"athletics": level}, **keys), dice=dice, begin="a")
    t.declare("a", "attempt", intent="over the wall", method="climb", boost=boost)
    answer(t, ruling or CLIMB, kind="rule")
    return t


def most(t: tw.Table) -> int:
    """How much may be committed beyond the price; none where nothing is asked."""
    asked = [q.question.most for q in t.waiting_on if q.kind == "commit"]
    return asked[0] if asked else 0


@pytest.mark.rule(ANY)
def test_a_proactive_action_a_reaction_and_a_response_can_all_be_boosted():
    proactive = climb(2, dice=((3, 3),))
    answer(proactive, 1)
    assert (ready(proactive, "a"), happened(proactive, Checked)[0].dice) == (4, 2)

    reaction = duel(dice=((1, 2),))
    reaction.declare("a", "walk", route=[(4, 3)])
    answer(reaction, ("0", 1))
    assert (ready(reaction, "b"), happened(reaction, Checked)[0].dice) == (4, 2)

    response = duel(dice=((3, 3), 4))
    response.declare("a", "attack", target="b", boost=0)
    answer(response, ("full_guard", 1))
    assert (ready(response, "b"), happened(response, Checked)[0].dice) == (4, 2)


@pytest.mark.rule(ANY)
def test_a_check_whose_rule_permits_no_boost_takes_none():
    t = climb(2, ruling=CLIMB | {"boost": 0}, dice=((3,),))
    assert most(t) == 0
    sealed = climb(2, boost=1, ruling=CLIMB | {"boost": 0})
    assert [e.rule for e in happened(sealed, Barred)] == ["narateer.tier.specific-rule-may-set"]
    assert ready(sealed, "a") == 6


@pytest.mark.rule(CAP)
@pytest.mark.parametrize(("level", "whole"), [(0, 1), (1, 2), (3, 4)])
def test_case_25_at_most_the_skill_level_beyond_the_base(level: int, whole: int):
    assert 1 + most(climb(level, ad=10)) == whole


@pytest.mark.rule(CAP)
def test_case_25_skill_level_2_commits_from_1_to_3():
    for boost in (0, 1, 2):
        t = climb(2, dice=((3,) * (1 + boost),))
        answer(t, boost)
        assert happened(t, Checked)[0].dice == ready_spent(t) == 1 + boost
    t = climb(2)
    assert CAP in refused(lambda: answer(t, 3))
    assert ready(t, "a") == 6


def ready_spent(t: tw.Table) -> int:
    return 6 - ready(t, "a")


@pytest.mark.rule(CAP)
def test_case_25_no_more_than_is_ready_after_the_base():
    assert most(climb(3, ad=3)) == 2


@pytest.mark.rule(CAP)
@pytest.mark.parametrize("boost", [-1, 4])
def test_a_sealed_boost_beyond_the_limit_is_refused_and_costs_nothing(boost: int):
    t = duel(a={"melee": 3})
    assert CAP in refused(lambda: t.declare("a", "attack", target="b", boost=boost))
    assert (ready(t, "a"), t.state.actors["a"].uses) == (6, {})


@pytest.mark.rule(CAP)
def test_the_skill_that_is_tested_counts_and_no_other():
    bow = [{"name": "bow", "kind": "ranged"}]
    t = duel(a={"melee": 3, "skills": {"ranged": 1}, "weapons": bow})
    assert CAP in refused(lambda: t.declare("a", "attack", target="b", boost=2))
    t.declare("a", "attack", target="b")
    assert most(t) == 1


@pytest.mark.rule(AFTER_BASE)
def test_case_25_boost_comes_on_top_of_the_base_cost_and_replaces_none_of_it():
    axe = [{"name": "axe", "base_attack_cost": 2}]
    t = duel(a={"melee": 3, "ad": 2, "weapons": axe}, b={"ready": 0}, dice=((4,),))
    # X: 1 AD of base and 1 of Boost.
    why = refused(lambda: t.declare("a", "attack", target="b", boost=1))
    assert list(why) == ["narateer.activation.ready-ad-pays"]
    assert ready(t, "a") == 2
    t.declare("a", "attack", target="b")
    assert happened(t, Checked)[0].dice == 1
    assert ready(t, "a") == 0


@pytest.mark.rule(AFTER_BASE)
def test_an_attack_rolls_1_die_and_its_boost_whatever_the_weapon_costs_unless_the_setting_says_paid():
    axe = [{"name": "axe", "base_attack_cost": 2}]
    plain = duel(a={"weapons": list(axe)}, b={"ready": 0}, dice=((1, 2),))
    plain.declare("a", "attack", target="b", boost=1)
    assert (happened(plain, Checked)[0].dice, ready(plain, "a")) == (2, 3)
    paid = duel(a={"weapons": axe}, b={"ready": 0}, dice=((1, 2, 3),), settings={"attack_dice": "paid"})
    paid.declare("a", "attack", target="b", boost=1)
    assert (happened(paid, Checked)[0].dice, ready(paid, "a")) == (3, 3)


@pytest.mark.rule(BEFORE_ROLL)
def test_case_25_once_the_dice_are_committed_no_boost_is_taken():
    by_hand = table(character("a", "heroes", (1, 1), skills={"athletics": 2}), by_hand=("guide",), begin="a")
    by_hand.declare("a", "attempt", intent="over the wall", method="climb")
    answer(by_hand, CLIMB, kind="rule")
    committed = question(by_hand)
    answer(by_hand, 0)
    assert question(by_hand).question.pool.dice == 1
    # The commitment is closed, two dice do not fit the roll, and after it there is nothing to add to.
    assert refused(lambda: by_hand.answer(committed, 1))
    assert refused(lambda: answer(by_hand, (3, 4)))
    answer(by_hand, (3,))
    assert by_hand.waiting_on == ()
    assert ready(by_hand, "a") == 5


SECOND_EFFORT = power("Second Effort", {"check": "athletics", "target": 9, "ad": 1, "boost_after_roll": True})


@pytest.mark.rule(BEFORE_ROLL)
def test_a_rule_that_says_otherwise_lets_boost_be_added_after_the_roll():
    t = table(
        character("a", "heroes", (1, 1), skills={"athletics": 2}, powers=[SECOND_EFFORT]),
        dice=((3,), (4,)),
        begin="a",
    )
    t.declare("a", "use_power", power="Second Effort", boost=0)
    # 3 + Athletics 2 does not meet 9, and the die is read before the question is put.
    assert [e.total for e in happened(t, Checked)] == [5]
    assert (question(t).kind, question(t).question.most) == ("commit", 2)
    answer(t, 1)
    # 4 more make 9, which meets it. 1 AD for the Power and 1 for the Boost; the Skill Level is not added again.
    assert t.outcome.result == "used"
    assert ready(t, "a") == 4


@pytest.mark.rule(BEFORE_ROLL)
def test_boost_before_and_after_the_roll_together_stay_within_the_skill_level():
    t = table(
        character("a", "heroes", (1, 1), skills={"athletics": 2}, powers=[SECOND_EFFORT]),
        dice=((1, 1), (1,)),
        begin="a",
    )
    t.declare("a", "use_power", power="Second Effort", boost=1)
    assert question(t).question.most == 1
    assert list(refused(lambda: answer(t, 2))) == [BEFORE_ROLL]
    answer(t, 0)
    # 1 + 1 + 2: not enough.
    assert t.outcome.result == "failed"
    assert ready(t, "a") == 4


@pytest.mark.rule(BEFORE_ROLL)
def test_odds_know_a_boost_after_the_roll():
    t = table(character("a", "heroes", (1, 1), skills={"athletics": 2}, powers=[SECOND_EFFORT]), begin="a")
    always = t.odds("a", "use_power", power="Second Effort", boost=0, choice=lambda s, q: Committed(2))
    sums = [a + b + c + 2 for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]
    wanted = Fraction(sum(total >= 9 for total in sums), 216)
    assert always.chance(lambda o: o.result == "used") == wanted
    never = t.odds("a", "use_power", power="Second Effort", boost=0)
    # One die and 2 never make 9.
    assert never.chance(lambda o: o.result == "used") == 0
