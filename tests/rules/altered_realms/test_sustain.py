"""Sustain: what is kept up, and what it takes."""

import pytest
from realms import codes, creature, question, refused, table, turn, who

from turnwright.systems.altered_realms.attack import armour_class


def ability(name, sustain, ac=2, **keys):
    return {"name": name, "budget": "none", "pool": "focus", "sustain": sustain, "ac": ac, **keys}


WARD, VEIL = ability("ward", 2), ability("veil", 3)
SPARK = {"name": "spark", "budget": "none", "cost": {"focus": 1}}


def caster(current=6, maximum=6, abilities=(WARD, VEIL, SPARK), **keys):
    pools = {"focus": {"current": current, "maximum": maximum}, "might": 2}
    return table(
        creature("mage", "h", (1, 1), pools=pools, abilities=list(abilities), **keys),
        creature("orc", "o", (9, 1)),
        begin="mage",
    )


def focus(t):
    return who(t, "mage").pools["focus"], who(t, "mage").maxima["focus"]


def ac(t):
    return armour_class(t.state, who(t, "mage"))


@pytest.mark.rule("altered-realms.sustain.active-while-points")
def test_it_works_while_there_are_points():
    t = caster(3, 6)
    t.declare("mage", "cast", ability="ward", sustain=True)
    for _ in range(3):
        turn(t, "orc")
        turn(t, "mage")
    assert ac(t) == 12
    assert codes(t, "mage", "cast", ability="spark", sustain=True) == ["NOT_SUSTAINABLE"]
    turn(t, "orc")
    t.override({"mage.pools.focus": 0}, "off-turn")
    assert (ac(t), who(t, "mage").sustained) == (10, ("ward",))  # suppressed at once
    turn(t, "mage")
    t.override({"mage.pools.focus": 1}, "again")
    assert ac(t) == 12


@pytest.mark.rule("altered-realms.sustain.active-while-points")
def test_the_lenient_setting_leaves_it_working_until_the_turn_ends():
    t = table(
        creature("mage", "h", (1, 1), pools={"focus": 6}, abilities=[WARD]),
        creature("orc", "o", (9, 1)),
        settings={"sustain_at_zero": "active"},
        begin="mage",
    )
    t.declare("mage", "cast", ability="ward", sustain=True)
    t.override({"mage.pools.focus": 0}, "a test")
    assert ac(t) == 12
    t.declare("mage", "end")
    assert ac(t) == 10


@pytest.mark.rule("altered-realms.sustain.reduces-maximum")
@pytest.mark.parametrize(("before", "after"), [((6, 6), (4, 4)), ((3, 6), (3, 4)), ((2, 6), (2, 4)), ((2, 2), (0, 0))])
def test_case_15_the_maximum_drops_and_points_only_where_they_are_above_it(before, after):
    t = caster(*before)
    t.declare("mage", "cast", ability="ward", sustain=True)
    assert focus(t) == after


@pytest.mark.rule("altered-realms.sustain.reduces-maximum")
def test_case_15_more_than_the_maximum_is_refused():
    t = caster(2, 2)
    assert codes(t, "mage", "cast", ability="veil", sustain=True) == ["MAXIMUM"]
    assert focus(t) == (2, 2)


@pytest.mark.rule("altered-realms.sustain.cumulative")
def test_each_one_takes_its_own_and_gives_it_back():
    t = caster(abilities=[WARD, ability("light", 1, ac=0)])
    t.declare("mage", "cast", ability="ward", sustain=True)
    t.declare("mage", "cast", ability="light", sustain=True)
    assert focus(t)[1] == 3
    t.declare("mage", "stop_sustaining", ability="ward")
    assert focus(t) == (3, 5)


@pytest.mark.rule("altered-realms.sustain.ends-at-zero-on-turn-end")
def test_case_15_without_a_point_as_the_turn_ends_all_of_it_is_over():
    t = caster()
    t.declare("mage", "cast", ability="ward", sustain=True)
    turn(t, "orc")
    turn(t, "mage")
    t.declare("mage", "cast", ability="veil", sustain=True)
    assert focus(t) == (1, 1)
    turn(t, "orc")
    turn(t, "mage")
    t.declare("mage", "cast", ability="spark")
    assert (focus(t), ac(t)) == ((0, 1), 10)
    t.declare("mage", "end")
    assert (focus(t), who(t, "mage").sustained) == ((0, 6), ())


@pytest.mark.rule("altered-realms.sustain.ends-at-zero-on-turn-end")
def test_case_15_a_point_before_the_turn_ends_keeps_it():
    t = caster()
    t.declare("mage", "cast", ability="ward", sustain=True)
    t.declare("mage", "cast", ability="veil", sustain=True)
    t.declare("mage", "cast", ability="spark")
    t.declare("mage", "recuperate", source="might", into="focus")
    assert (focus(t), ac(t)) == ((1, 1), 14)
    t.declare("mage", "end")
    assert who(t, "mage").sustained == ("ward", "veil")


@pytest.mark.rule("altered-realms.sustain.ends-at-zero-on-turn-end")
def test_the_end_of_another_turn_ends_nothing():
    t = caster()
    t.declare("mage", "cast", ability="ward", sustain=True)
    turn(t, "orc")
    t.override({"mage.pools.focus": 0}, "a test")
    t.declare("orc", "end")
    assert who(t, "mage").sustained == ("ward",)


@pytest.mark.rule("altered-realms.sustain.no-rest-or-sleep")
def test_nobody_rests_or_sleeps_meanwhile():
    t = caster()
    t.declare("mage", "cast", ability="ward", sustain=True)
    t.declare("mage", "end")
    for how in ("rest", "sleep"):
        assert refused(lambda how=how: t.declare("mage", how))
    t.declare("mage", "stop_sustaining", ability="ward")
    for how in ("rest", "sleep"):
        t.declare("mage", how)
        t.answer(question(t), 0)  # turns were counted: the Narrator says that there is time
        assert t.outcome.result == "success"


@pytest.mark.rule("altered-realms.sustain.rest-exception")
def test_what_expressly_allows_it_allows_the_state_that_it_names():
    t = caster(traits=[{"name": "trance", "sustains_during": ["rest"]}])
    t.declare("mage", "cast", ability="ward", sustain=True)
    t.declare("mage", "end")
    t.declare("mage", "rest")
    t.answer(question(t), 0)
    assert t.outcome.result == "success"
    assert codes(t, "mage", "sleep") == ["SUSTAINING"]


def test_the_slain_sustain_nothing_and_the_incapacitated_do_until_a_turn_ends_without_points():
    t = caster()
    t.declare("mage", "cast", ability="ward", sustain=True)
    t.override({"mage.hp": 0}, "a test")
    assert who(t, "mage").sustained == ("ward",)
    t.override({"mage.conditions": ["slain"]}, "a test")
    assert who(t, "mage").sustained == ()
