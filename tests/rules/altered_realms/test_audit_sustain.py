"""Sustain: what works on others, and what answers damage."""

from typing import Any

import pytest
from realms import codes, creature, passing, question, table, turn, who

import turnwright as tw
from turnwright.systems.altered_realms.attack import armour_class

GUARD = {"name": "guard", "budget": "none", "pool": "focus", "sustain": 2, "ac": 3, "at": "ally"}
BIND = {"name": "bind", "budget": "none", "pool": "focus", "sustain": 2, "at": "enemy", "condition": "restrained"}


def scene(dice: Any = (), begin: str = "mage", **mage: Any) -> tw.Table:
    keys = {"pools": {"focus": 6, "might": 2}, "abilities": [GUARD, BIND]} | mage
    return table(
        creature("mage", "h", (1, 1), **keys),
        creature("finn", "h", (2, 1)),
        creature("orc", "o", (4, 1), hp=40),
        dice=dice,
        begin=begin,
    )


@pytest.mark.rule("altered-realms.sustain.active-while-points", "altered-realms.sustain.reduces-maximum")
def test_what_is_kept_up_on_an_ally_protects_the_ally_and_nobody_else():
    t = scene()
    t.declare("mage", "cast", ability="guard", target="finn", sustain=True)
    assert [armour_class(t.state, who(t, name)) for name in ("mage", "finn")] == [10, 13]
    t.override({"mage.pools.focus": 0}, "a test")
    assert armour_class(t.state, who(t, "finn")) == 10  # suppressed
    t.override({"mage.pools.focus": 1}, "a test")
    assert armour_class(t.state, who(t, "finn")) == 13
    t.declare("mage", "stop_sustaining", ability="guard")
    assert armour_class(t.state, who(t, "finn")) == 10


@pytest.mark.rule("altered-realms.sustain.active-while-points", "altered-realms.sustain.ends-at-zero-on-turn-end")
def test_a_condition_that_is_kept_up_is_off_without_points_and_over_as_the_turn_ends():
    t = scene()
    t.declare("mage", "cast", ability="bind", target="orc", sustain=True)
    t.declare("mage", "end")
    turn(t, "orc")
    assert "RESTRAINED" in codes(t, "orc", "walk", to=(5, 1))
    t.override({"mage.pools.focus": 0}, "a test")
    assert "RESTRAINED" not in codes(t, "orc", "walk", to=(5, 1))
    t.override({"mage.pools.focus": 1}, "a test")
    assert "RESTRAINED" in codes(t, "orc", "walk", to=(5, 1))
    turn(t, "mage")
    t.override({"mage.pools.focus": 0}, "a test")
    t.declare("mage", "end")
    assert (who(t, "mage").sustained, who(t, "orc").conditions) == ((), ())


THORNS = {"name": "thorns", "trigger": "hurt", "at": "enemy", "damage": "3"}
BOLT = {"name": "bolt", "at": "enemy", "damage": "6"}


@pytest.mark.rule("altered-realms.reaction.opportunity-and-triggered")
@pytest.mark.parametrize(("reach", "asked"), [(0, True), (2, False)])
def test_what_answers_damage_answers_a_spell_too_and_only_in_its_own_range(reach: int, asked: bool):
    t = scene(abilities=[THORNS | {"range": reach}], begin="orc")
    t.override({"orc.abilities": [BOLT]}, "a test")
    t.declare("orc", "cast", ability="bolt", target="mage")
    assert (t.waiting_on != ()) is asked  # the Orc is 3 m away
    if asked:
        t.answer(question(t), "0")
    passing(t)
    assert (who(t, "mage").hp, who(t, "orc").hp) == (14, 37 if asked else 40)
    assert who(t, "mage").reactions == (0 if asked else 1)
