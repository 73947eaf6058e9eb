"""Carrying others."""

import pytest
from realms import codes, creature, left, rolled, table, turn, who

from turnwright.systems.altered_realms.carry import carry_dc
from turnwright.systems.altered_realms.events import Carries


def lifting(dice=(), other=None, side="h", **kara):
    return table(
        creature("kara", "h", (5, 5), **({"speed": 8} | kara)),
        creature("finn", side, (6, 5), **({"con_": 1} | (other or {}))),
        creature("bo", "h", (5, 6), con_=2),
        creature("cy", "h", (4, 5), con_=0),
        dice=dice,
        begin="kara",
    )


def carried(t):
    return [tie.other for tie in t.state.related(Carries, "kara")]


@pytest.mark.rule("altered-realms.carry.who")
@pytest.mark.parametrize(
    ("side", "other", "refused"),
    [
        ("o", {}, ["UNWILLING"]),
        ("h", {}, []),
        ("o", {"conditions": ["restrained"]}, []),
        ("o", {"hp": 0}, []),
    ],
)
def test_the_willing_the_restrained_and_the_incapacitated(side, other, refused):
    assert codes(lifting(side=side, other=other), "kara", "carry", target="finn") == refused


@pytest.mark.rule("altered-realms.carry.who")
def test_case_19_being_held_is_not_enough_and_more_than_one_may_be_carried():
    t = lifting(dice=((20,),), side="o")
    t.declare("kara", "grapple", target="finn")
    t.override({"kara.actions": 1, "kara.attacks": 0}, "a test")
    assert codes(t, "kara", "carry", target="finn") == ["UNWILLING"]
    t = lifting(dice=((20,), (20,)))
    t.declare("kara", "carry", target="finn")
    t.override({"kara.actions": 1}, "a test")
    t.declare("kara", "carry", target="bo")
    assert carried(t) == ["finn", "bo"]


@pytest.mark.rule("altered-realms.carry.size-limit")
@pytest.mark.parametrize(("size", "refused"), [("small", []), ("medium", []), ("large", ["TOO_LARGE"])])
def test_nobody_larger(size, refused):
    assert codes(lifting(other={"size": size}), "kara", "carry", target="finn") == refused


@pytest.mark.rule("altered-realms.carry.athletics-roll")
def test_an_athletics_roll_that_meets_the_dc():
    for face, lifted in ((13, True), (12, False)):
        t = lifting(dice=((face,),))
        t.declare("kara", "carry", target="finn")
        assert (rolled(t).what, carried(t) == ["finn"]) == ("athletics", lifted)
        assert left(t, "kara")[0] == 0


@pytest.mark.rule("altered-realms.carry.dc-base", "altered-realms.carry.dc-per-carried")
def test_case_19_twelve_and_con_and_two_for_each_carried_already():
    t = lifting(dice=((20,), (20,)))
    kara = who(t, "kara")
    assert carry_dc(t.state, kara, who(t, "bo")) == 14
    assert carry_dc(t.state, kara, who(lifting(other={"con_": -1}), "finn")) == 11
    t.declare("kara", "carry", target="bo")
    assert carry_dc(t.state, kara, who(t, "finn")) == 15
    t.override({"kara.actions": 1}, "a test")
    t.declare("kara", "carry", target="finn")
    assert carry_dc(t.state, kara, who(t, "cy")) == 16


@pytest.mark.rule("altered-realms.carry.athletics-roll")
@pytest.mark.parametrize(("speed", "metres"), [(8, 4), (7, 3), (1, 1)])
def test_case_19_half_the_speed_and_the_body_comes_along(speed, metres):
    t = lifting(dice=((20,),), speed=speed)
    t.declare("kara", "carry", target="finn")
    t.declare("kara", "walk", route=[(5, 4 - n) for n in range(metres)])
    assert (who(t, "kara").metres, left(t, "kara")[2]) == (0, 0)
    assert max(abs(a - b) for a, b in zip(who(t, "kara").at, who(t, "finn").at, strict=True)) == 1
    assert who(t, "finn").reactions == 1


@pytest.mark.rule("altered-realms.carry.athletics-roll")
def test_what_is_left_of_a_movement_is_halved_too():
    t = lifting(dice=((20,),))
    t.declare("kara", "walk", route=[(5, 4)])
    assert who(t, "kara").metres == 7
    t.declare("kara", "carry", target="finn")
    assert who(t, "kara").metres == 3
    t.declare("kara", "put_down", target="finn")
    assert carried(t) == []
    turn(t, "finn")
    turn(t, "kara")
    assert codes(t, "kara", "walk", route=[(5, 3)]) == []
