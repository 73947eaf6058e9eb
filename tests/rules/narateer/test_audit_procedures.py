"""One attempt of each kind that has a procedure of its own, at its own price, and none of them goes to the guide."""

from __future__ import annotations

from itertools import pairwise

import pytest
from scenes import acted, answer, character, ready, refused, table


@pytest.mark.rule(
    "narateer.resolve.specific-procedure-kinds",
    "narateer.resolve.specific-procedure-first",
    "narateer.cost.no-double-charge",
)
def test_an_exchange_a_mode_a_spell_an_item_and_a_power_each_go_by_their_own_rule() -> None:
    t = table(
        character(
            "selka", "heroes", (1, 1), ad=12, skills={"melee": 1},
            weapons=[{"name": "maul", "base_attack_cost": 2}],
            spells=[{"name": "mist", "casting_cost": {"ad": 2}}],
            items=[{"name": "horn", "ad": 3, "procedure": "it blares"}],
            powers=[{"name": "Surge", "parts": [{"ad": 2, "move": 2}]}],
        ),
        character("guard", "guards", (2, 2), ready=0),
        dice=(1,),
        begin="selka",
    )  # fmt: skip
    left = [ready(t, "selka")]
    for action, said in (
        ("run", {"route": [(2, 1)]}),
        ("attack", {"target": "guard", "boost": 0}),
        ("cast", {"spell": "mist"}),
        ("use", {"using": "horn"}),
        ("use_power", {"power": "Surge"}),
    ):
        t.declare("selka", action, **said)
        assert t.waiting_on == (), f"{action} asks nobody"
        left.append(ready(t, "selka"))
    # 1 for the Run, the Base Attack Cost of 2, the Casting Cost of 2, 3 for the item, 2 for the Power.
    assert [before - after for before, after in pairwise(left)] == [1, 2, 2, 3, 2]
    assert [action for action, _ in acted(t, "selka")] == ["run", "attack", "cast", "use", "use_power"]


@pytest.mark.rule("narateer.resolve.specific-procedure-kinds")
@pytest.mark.parametrize("procedure", ["cast", "use_power"])
def test_the_guide_may_name_the_procedure_of_a_spell_or_a_power_and_its_price_is_confirmed(procedure: str) -> None:
    t = table(
        character(
            "selka", "heroes", (1, 1),
            spells=[{"name": "mist", "casting_cost": {"ad": 2}}],
            powers=[{"name": "Surge", "parts": [{"ad": 2, "move": 2}]}],
        ),
        begin="selka",
    )  # fmt: skip
    named = {"spell": "mist"} if procedure == "cast" else {"power": "Surge"}
    t.declare("selka", "attempt", intent="be gone", method="vanish", **named)
    answer(t, {"kind": "procedure", "procedure": procedure}, "rule")
    assert ready(t, "selka") == 6
    answer(t, True, "confirm")
    assert ready(t, "selka") == 4


@pytest.mark.rule("narateer.activation.any-affordable-mix")
def test_a_condition_may_bar_one_action_by_its_name() -> None:
    t = table(
        character("selka", "heroes", (1, 1), conditions=["oath-bound"]),
        character("guard", "guards", (2, 2)),
        conditions={"oath-bound": {"bars": ["attack"]}},
        begin="selka",
    )
    said = refused(lambda: t.declare("selka", "attack", target="guard", boost=0))
    assert said == {"narateer.activation.any-affordable-mix": "oath-bound bars it: attack"}
    assert t.explain("selka", "run", route=[(1, 2)]).verdict == "legal"


@pytest.mark.rule("narateer.tier.trivial-bundle", "narateer.tier.trivial-bundle-announced")
@pytest.mark.parametrize(("parts", "accepted"), [("bar the door", False), ("bar the door; bank the fire", True)])
def test_two_acts_can_be_bundled_and_one_cannot(parts: str, accepted: bool) -> None:
    t = table(character("selka", "heroes", (1, 1)), begin="selka")
    t.declare("selka", "attempt", intent="the house is shut", method="go round", parts=parts)
    bundle = {"kind": "automatic", "success": "it is shut", "bundle": True}
    if accepted:
        answer(t, bundle, "rule")
        answer(t, True, "confirm")
        assert ready(t, "selka") == 5
    else:
        assert "narateer.tier.trivial-bundle-announced" in refused(lambda: answer(t, bundle, "rule"))
        assert ready(t, "selka") == 6
