"""Prices: a procedure pays for all that belongs to it, once."""

from __future__ import annotations

from typing import Any

import pytest
from attempts import a_check, attempt
from msgspec.structs import replace
from scenes import answer, character, happened, question, ready, spent, table

import turnwright as tw
from turnwright.events import Barred, Charged
from turnwright.systems.narateer.events import Checked

ANN = [{"id": "ann"}]


def selka(**keys: Any) -> dict[str, Any]:
    sheet = {"at": (1, 1), "strength": 2, "agility": 4, "seat": "ann", "skills": {"melee": 1}}
    return character("selka", "heroes", **(sheet | keys))


def fight(cost: int, *, dice: tuple[Any, ...] = (2,), **keys: Any) -> tw.Table:
    """Selka with a weapon of that Base Attack Cost next to a guard who never responds."""
    armed = selka(weapons=[{"name": "maul", "base_attack_cost": cost}], **keys)
    return table(armed, character("guard", "guards", (2, 1)), seats=ANN, dice=dice, begin="selka")


@pytest.mark.rule("narateer.cost.no-double-charge")
def test_an_attack_costs_its_base_attack_cost_and_nothing_for_being_an_action():
    t = fight(2, ad=6)
    t.declare("selka", "attack", target="guard", boost=0)
    answer(t, "no_response")
    assert ready(t, "selka") == 4  # X 3: a generic Major Action on top
    assert sum(c.resource == "ad" for charge in happened(t, Charged) for c in charge.costs) == 1


@pytest.mark.rule("narateer.cost.movement-mode-covers-movement")
@pytest.mark.parametrize("stops", [[14], [4, 8, 11, 14]])
def test_one_ad_pays_for_the_whole_run_in_one_go_or_in_parts(stops):
    t = table(selka(at=(0, 0), ad=5), rows=["." * 16], seats=ANN, begin="selka")
    for x in stops:
        t.declare("selka", "run", to=(x, 0))
    assert (spent(t, "selka"), ready(t, "selka")) == (28, 4)


@pytest.mark.rule("narateer.cost.base-attack-covers-exchange")
def test_an_exchange_without_boost_costs_the_base_attack_cost():
    t = fight(1, ad=3)
    t.declare("selka", "attack", target="guard", boost=0)
    answer(t, "no_response")
    assert ready(t, "selka") == 2


@pytest.mark.rule("narateer.cost.base-attack-covers-exchange")
@pytest.mark.parametrize(("setting", "dice"), [("one", 2), ("paid", 3)])
def test_boost_comes_on_top_and_the_dice_are_set_apart_from_the_price(setting, dice):
    armed = selka(ad=3, weapons=[{"name": "maul", "base_attack_cost": 2}])
    t = table(
        armed,
        character("guard", "guards", (2, 1)),
        seats=ANN,
        dice=(2,),
        begin="selka",
        settings={"attack_dice": setting},
    )
    t.declare("selka", "attack", target="guard", boost=1)
    answer(t, "no_response")
    assert ready(t, "selka") == 0
    assert [c.dice for c in happened(t, Checked) if c.actor == "selka"] == [dice]


@pytest.mark.rule("narateer.cost.no-double-charge", "narateer.cost.movement-mode-covers-movement")
def test_case_07_a_run_around_an_attack_is_paid_once_and_gives_nothing_back():
    armed = selka(
        at=(0, 0), strength=2, agility=3, ad=6, weapons=[{"name": "maul", "kind": "ranged", "base_attack_cost": 2}]
    )
    rows = ["." * 16] * 3
    t = table(armed, character("guard", "guards", (4, 2)), rows=rows, seats=ANN, dice=(2,), begin="selka")
    t.declare("selka", "run", to=(4, 0))  # 8 of 26 m
    t.declare("selka", "attack", target="guard", boost=0)
    answer(t, "no_response")
    t.declare("selka", "run", to=(13, 0))  # 18 m
    assert spent(t, "selka") == 26
    assert ready(t, "selka") == 3  # X 2: resuming, or the attack as a Major Action, charged besides
    with pytest.raises(tw.Refused, match="0 m are left"):  # X 26 m restored
        t.declare("selka", "run", to=(14, 0))


@pytest.mark.rule("narateer.cost.no-double-charge")
def test_an_attempt_that_the_guide_calls_an_attack_is_paid_as_an_attack():
    t = fight(2, ad=6)
    t.declare("selka", "attempt", intent="the guard falls", method="swing the maul", target="guard", boost=0)
    answer(t, {"kind": "procedure", "procedure": "attack"}, "rule")
    answer(t, True, "confirm")
    answer(t, "no_response")
    assert ready(t, "selka") == 4


@pytest.mark.rule("narateer.tier.generic-check-is-major")
@pytest.mark.parametrize(("level", "left", "most"), [(2, 5, 2), (0, 5, 0), (3, 2, 2)])
def test_case_25_a_generic_check_is_boosted_up_to_skill_level_and_what_is_left(level, left, most):
    t = table(selka(ad=left + 1, skills={"athletics": level}), seats=ANN, dice=(9,), begin="selka")
    assert t.explain("selka", "attempt", intent="get on", method="climb").verdict == "ruling"
    t.declare("selka", "attempt", intent="get on", method="climb")
    answer(t, a_check())
    asked = question(t)
    if most == 0:
        assert asked.kind == "confirm"  # SL 0: exactly 1
        answer(t, True)
        assert ready(t, "selka") == left
        return
    assert asked.question.most == most
    with pytest.raises(tw.Refused, match="above the limit"):
        answer(t, most + 1)
    answer(t, most)
    assert ready(t, "selka") == left - most
    assert happened(t, Checked)[-1].dice == 1 + most
    with pytest.raises(tw.Refused, match="no open question"):  # after the roll
        t.answer(asked, 1)


@pytest.mark.rule("narateer.tier.specific-rule-may-set")
def test_case_25_with_nothing_left_after_the_base_there_is_no_boost():
    t = table(selka(ad=2, skills={"athletics": 2}), seats=ANN, dice=(9,), begin="selka")
    t.declare("selka", "attempt", intent="get on", method="climb")
    answer(t, a_check(ad=2))
    assert question(t).kind == "confirm"
    answer(t, True)
    assert (ready(t, "selka"), happened(t, Checked)[-1].dice) == (0, 2)


@pytest.mark.rule("narateer.cost.no-double-charge")
def test_case_44_a_disarm_by_any_margin_deals_no_wounds():
    for total in (9, 25):
        t = fight(2, dice=(total,))
        disarm = a_check("melee", against="guard", success="the spear is on the ground")
        del disarm["target"]
        attempt(t, "selka", disarm, intent="the guard is unarmed", method="twist the spear away", target="guard")
        assert t.outcome is not None
        assert (t.outcome.result, t.state.actors["guard"].wounds) == ("success", 0)
        assert ready(t, "selka") == 5  # the price of a check, not of the weapon


@pytest.mark.rule("narateer.activation.ready-ad-pays")
@pytest.mark.parametrize(
    ("sheet", "uses", "code"),
    [
        ({"ready": 1}, {}, "READY_AD"),
        ({}, {"athletics": 1}, "SKILL_USES"),
        ({"encumbrance": "heavy"}, {}, "LOAD_NO_SPRINT"),
    ],
)
def test_case_45_a_refused_sprint_changes_nothing(sheet, uses, code):
    t = table(selka(), seats=ANN, begin="selka")
    changes: dict[str, Any] = {f"selka.{name}": value for name, value in sheet.items()}
    changes |= {f"selka.uses.{skill}": used for skill, used in uses.items()}
    t.override(changes, "as it happens")
    before = t.state
    refusals = t.explain("selka", "sprint", skill="athletics", to=(4, 1)).refusals
    assert [r.code for r in refusals] == [code]
    with pytest.raises(tw.Refused):
        t.declare("selka", "sprint", skill="athletics", to=(4, 1))
    assert t.state == before  # X 2 AD, the use or the mode gone


def test_case_45_a_ruled_price_that_cannot_be_paid_changes_nothing():
    t = table(selka(ad=1), seats=ANN, begin="selka")
    before = t.state
    attempt(t, "selka", a_check(ad=2))
    assert replace(t.state, rulings=()) == before  # but that the guide's word is kept for the next time
    assert len(happened(t, Barred)) == 1
