"""Tiers: general prices for what no specific rule prices."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from attempts import a_check, attempt, told
from scenes import Scripted, acted, answer, character, happened, question, ready, refused, scene, table

import turnwright as tw
from turnwright.events import Barred
from turnwright.systems.narateer.economy import TIERS, tier_cost
from turnwright.systems.narateer.events import Checked

ANN = [{"id": "ann"}]
DOORS = Path(__file__).parents[3] / "examples" / "narateer" / "doors.yaml"


def selka(**keys: Any) -> dict[str, Any]:
    sheet = {"strength": 2, "agility": 4, "seat": "ann", "skills": {"athletics": 3}}
    return character("selka", "heroes", **({"at": (1, 1)} | sheet | keys))


def alone(*, dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    return table(selka(**keys), seats=ANN, dice=dice, begin="selka")


@pytest.mark.rule("narateer.tier.names")
def test_there_are_three_tiers_in_rising_order_of_price():
    state = scene(selka(), seats=ANN)
    assert TIERS == ("trivial", "minor", "major")
    assert [tier_cost(state, tier) for tier in TIERS] == [0, 1, 1]
    t = alone()
    t.declare("selka", "attempt", intent="get on", method="climb", boost=0)
    with pytest.raises(tw.Refused, match="trivial, minor, major"):
        answer(t, told("heroic"))


@pytest.mark.rule("narateer.tier.names")
def test_the_prices_of_the_tiers_are_settings_that_must_rise():
    dear = scene(selka(), seats=ANN, settings={"trivial": 1, "minor": 2, "major": 3})
    assert [tier_cost(dear, tier) for tier in TIERS] == [1, 2, 3]
    with pytest.raises(tw.BadScene, match="settings"):
        scene(selka(), seats=ANN, settings={"trivial": 2, "minor": 1})


@pytest.mark.rule("narateer.tier.only-without-specific-rule")
def test_a_sprint_costs_its_own_price_and_not_that_of_its_tier():
    t = alone(dice=(9,))
    sprint = t.explain("selka", "sprint", skill="athletics", to=(4, 1))
    assert sprint.price.amount("ad") == 2  # X 1 for Major, X 3 for both
    t.declare("selka", "sprint", skill="athletics", to=(4, 1))
    assert ready(t, "selka") == 4
    attempt(t, "selka", a_check())
    assert ready(t, "selka") == 3


@pytest.mark.rule("narateer.tier.judge-whole-attempt")
def test_five_motions_of_one_attempt_are_one_minor_action():
    t = alone()
    parts = "lift the bar; turn the key; draw the bolt; lean on the door; step through"
    attempt(t, "selka", told("minor"), intent="be through the door", method="open it", parts=parts)
    assert ready(t, "selka") == 5  # X 1: five motions at 1 AD each
    assert acted(t) == [("attempt", "proactive")]


@pytest.mark.rule("narateer.tier.specific-rule-may-set")
def test_a_rule_may_change_the_permitted_boost_and_nothing_else():
    t = alone(dice=(9,))
    t.declare("selka", "attempt", intent="get on", method="climb")
    answer(t, a_check(boost=0))
    asked = question(t, "confirm").question  # nothing can be boosted, so that only the price is confirmed
    assert asked.price.amount("ad") == 1
    answer(t, True)
    assert [c.dice for c in happened(t, Checked)] == [1]
    t.declare("selka", "attempt", intent="get on", method="climb", boost=1)
    answer(t, a_check(boost=0))
    assert t.outcome is not None
    assert t.outcome.result == "withdrawn"
    assert happened(t, Barred)[-1].rule == "narateer.tier.specific-rule-may-set"
    t.declare("selka", "attempt", intent="get on", method="climb")
    answer(t, a_check())
    assert question(t, "commit").question.most == 3


@pytest.mark.rule("narateer.tier.specific-rule-may-set")
def test_a_rule_may_change_the_tier_of_a_check():
    t = table(selka(), seats=ANN, dice=(9, 9), begin="selka", settings={"minor": 2, "major": 4})
    attempt(t, "selka", a_check(tier="minor"))
    assert ready(t, "selka") == 4
    attempt(t, "selka", a_check(), intent="get on")
    assert ready(t, "selka") == 0


@pytest.mark.rule("narateer.tier.specific-rule-may-set")
def test_a_rule_may_set_the_price_and_the_dice_apart():
    t = alone(dice=(9, 9))
    attempt(t, "selka", a_check(ad=2, dice=1))
    assert (ready(t, "selka"), happened(t, Checked)[-1].dice) == (4, 1)
    attempt(t, "selka", a_check(ad=2))
    assert (ready(t, "selka"), happened(t, Checked)[-1].dice) == (2, 2)  # where it sets only the price


@pytest.mark.rule("narateer.tier.specific-rule-may-set")
def test_a_rule_may_change_the_timing():
    """An attempt is for one's own Activation; Assist says of itself when it is done, and costs what it says."""
    t = table(
        selka(), character("bo", "heroes", (2, 1), seat="ben"), seats=[*ANN, {"id": "ben"}], dice=(9,), begin="selka"
    )
    t.declare("selka", "attempt", intent="get on", method="climb")
    answer(t, a_check())
    t.interject("bo", "assist", method="a leg up")
    assert ready(t, "bo") == 5
    answer(t, 0, "commit")
    refusals = t.explain("bo", "attempt", intent="get on", method="climb").refusals
    assert [r.rule for r in refusals] == ["narateer.activation.proactive-only-in-own"]


@pytest.mark.rule("narateer.tier.generic-check-is-major")
def test_a_generic_check_costs_at_least_one_ready_ad():
    t = alone(ad=1, dice=(9,))
    attempt(t, "selka", a_check())
    assert ready(t, "selka") == 0
    attempt(t, "selka", a_check())
    assert ["1 Ready AD" in text for text in happened(t, Barred)[-1].why] == [True]
    assert happened(t, Barred)[-1].rule == "narateer.activation.ready-ad-pays"
    assert len(happened(t, Checked)) == 1


@pytest.mark.rule("narateer.tier.generic-check-is-major")
def test_a_generic_check_is_a_major_action():
    dazed = {"dazed": {"major": False}}
    t = table(selka(conditions=["dazed"]), seats=ANN, dice=(9,), begin="selka", conditions=dazed)
    t.declare("selka", "attempt", intent="get on", method="climb", boost=0)
    assert refused(lambda: answer(t, a_check())) == {
        "narateer.activation.any-affordable-mix": "dazed: no Major Actions"
    }
    answer(t, a_check(tier="minor"))  # where a specific rule makes it Minor
    answer(t, True, "confirm")
    assert len(happened(t, Checked)) == 1


@pytest.mark.rule("narateer.tier.generic-check-is-major")
def test_a_check_that_a_rule_makes_free_still_rolls_a_die():
    t = alone(ad=0, dice=((4,),))
    attempt(t, "selka", a_check(target=7, ad=0))
    (read,) = happened(t, Checked)
    assert (read.dice, read.total, read.passed) == (1, 7, True)  # a 4 and Skill Level 3
    assert ready(t, "selka") == 0


@pytest.mark.rule("narateer.tier.depends-on-method")
def test_one_intent_and_one_name_have_two_prices():
    t = alone(dice=(9,))
    attempt(t, "selka", told("trivial"), intent="door open", method="open door")
    assert ready(t, "selka") == 6
    attempt(t, "selka", a_check("athletics"), intent="door open", method="open door")
    assert ready(t, "selka") == 5
    assert t.explain("selka", "attempt", intent="door open", method="open door").price.costs == ()


@pytest.mark.rule("narateer.tier.door-example", "narateer.tier.depends-on-method")
def test_three_doors_are_opened_at_three_prices():
    t = tw.Table(tw.load_scene(DOORS), seed=1, dice=Scripted(8))
    t.declare("dorn", "begin")
    paid = []
    for door in ("pantry", "vault", "gate"):
        before = ready(t, "dorn")
        offer = t.explain("dorn", "use", using=door, intent="the door is open")
        assert offer.verdict == "legal"
        t.declare("dorn", "use", using=door, intent="the door is open", boost=0)
        assert t.waiting_on == ()
        paid.append((offer.price.amount("ad"), before - ready(t, "dorn"), len(happened(t, Checked))))
    assert paid == [(0, 0, 0), (1, 1, 0), (1, 1, 1)]
    assert set(t.state.open_doors) == {"pantry", "vault", "gate"}
    (read,) = happened(t, Checked)
    assert (read.skill, read.total) == ("athletics", 8)


@pytest.mark.rule("narateer.tier.door-example")
def test_the_barred_door_can_hold_and_is_an_athletics_check_that_can_be_boosted():
    t = tw.Table(tw.load_scene(DOORS), seed=1, dice=Scripted(5))
    t.declare("dorn", "begin")
    odds = t.odds("dorn", "use", using="gate", boost=0)
    assert odds.chance(lambda outcome: outcome.result == "success") == Fraction(1, 2)  # 4, 5 or 6, and Skill Level 2
    t.declare("dorn", "use", using="gate", intent="the door is open")
    asked = question(t, "commit").question
    assert (asked.skill, asked.price.amount("ad"), asked.most) == ("athletics", 1, 2)
    answer(t, 1)
    assert ready(t, "dorn") == 2
    assert t.outcome is not None
    assert t.outcome.result == "failure"  # 5 does not meet 6
    assert t.state.open_doors == ()


@pytest.mark.rule("narateer.tier.door-example")
def test_shutting_a_forced_door_takes_no_check():
    t = tw.Table(tw.load_scene(DOORS), seed=1, dice=Scripted(8))
    t.declare("dorn", "begin")
    t.declare("dorn", "use", using="gate", boost=0)
    t.declare("dorn", "use", using="gate")
    assert (ready(t, "dorn"), t.state.open_doors, len(happened(t, Checked))) == (3, (), 1)


@pytest.mark.rule("narateer.tier.door-example")
def test_a_door_whose_target_the_scene_does_not_say_is_the_guides():
    door = {"id": "hatch", "between": [[1, 1], [2, 1]], "opens": "check"}
    t = table(selka(), seats=ANN, dice=(7,), begin="selka", map_={"doors": [door]})
    assert t.explain("selka", "use", using="hatch").verdict == "ruling"
    t.declare("selka", "use", using="hatch", boost=0)
    suggested = question(t, "rule").question.suggested[0]
    assert (suggested.skill, suggested.target, suggested.tier) == ("athletics", 6, "major")
    answer(t, 0)
    answer(t, True, "confirm")
    assert t.state.open_doors == ("hatch",)


@pytest.mark.rule("narateer.tier.trivial-bundle")
@pytest.mark.parametrize(("bundle", "price"), [(True, 1), (False, 0)])
def test_four_trivial_acts_may_be_one_minor_action(bundle, price):
    t = alone()
    parts = "bar the door; close the shutters; bank the fire; snuff the lamp"
    attempt(t, "selka", told(bundle=bundle), intent="the house is shut", method="go round", parts=parts)
    assert ready(t, "selka") == 6 - price  # X 2: four Minor Actions


@pytest.mark.rule("narateer.tier.trivial-bundle")
def test_the_guide_is_offered_to_bundle_several_acts():
    t = alone()
    t.declare("selka", "attempt", intent="the house is shut", method="go round", parts="bar the door; bank the fire")
    assert question(t).question.suggested[0].bundle
    t.undo()
    t.declare("selka", "attempt", intent="the house is shut", method="bar the door")
    assert not any(ruling.bundle for ruling in question(t).question.suggested)


@pytest.mark.rule("narateer.tier.trivial-bundle-announced")
def test_case_40_acts_that_are_done_cannot_be_bundled():
    t = alone()
    for means in ("bar the door", "close the shutters", "bank the fire"):
        attempt(t, "selka", told(), intent="the house is shut", method=means)
    assert ready(t, "selka") == 6
    t.declare("selka", "attempt", intent="the house is shut", method="snuff the lamp", boost=0)
    assert "narateer.tier.trivial-bundle-announced" in refused(lambda: answer(t, told(bundle=True)))
    answer(t, told())
    assert ready(t, "selka") == 6  # X 5: a Minor charged in hindsight


@pytest.mark.rule("narateer.tier.trivial-bundle-announced")
def test_case_40_announced_beforehand_it_is_one_ad_in_all():
    t = alone()
    parts = "bar the door; close the shutters; bank the fire"
    t.declare("selka", "attempt", intent="the house is shut", method="go round", parts=parts)
    answer(t, told(bundle=True))
    assert question(t, "confirm").question.price.amount("ad") == 1  # said before anything is done
    assert (ready(t, "selka"), acted(t)) == (6, [])
    answer(t, True)
    assert ready(t, "selka") == 5  # X 3
