"""Carrying in the cases that are easy to overlook. Dice in brackets are faces."""

import pytest
from realms import armed, codes, creature, happened, passing, spent, table, turn, who

from turnwright.systems.altered_realms.events import Carries, Fell


def lifting(dice=(), finn=None, side="h", settings=None, rows=None, **kara):
    return table(
        creature("kara", "h", (5, 5), **({"speed": 8} | kara)),
        creature("finn", side, (6, 5), **(finn or {})),
        creature("orc", "o", (9, 9), str_=8, maneuver_dc=14),
        rows=rows,
        legend={"~": {"name": "a chasm", "drop": 10}},
        settings=settings or {},
        dice=dice,
        begin="kara",
    )


def carried(t):
    return [tie.other for tie in t.state.related(Carries, "kara")]


@pytest.mark.rule("altered-realms.carry.who")
def test_whoever_says_no_is_not_carried_though_it_is_of_the_same_side():
    t = lifting()
    t.declare("finn", "let_carry", target="kara", willing="no")
    assert codes(t, "kara", "carry", target="finn") == ["UNWILLING"]
    assert who(t, "finn").reactions == 1  # speech is free
    t.declare("finn", "let_carry", target="kara", willing="yes")
    assert codes(t, "kara", "carry", target="finn") == []


@pytest.mark.rule("altered-realms.carry.who")
def test_whoever_says_yes_is_carried_though_it_is_of_another_side():
    t = lifting(dice=((20,),), side="o")
    assert codes(t, "kara", "carry", target="finn") == ["UNWILLING"]
    t.declare("finn", "let_carry", target="kara")
    t.declare("kara", "carry", target="finn")
    assert carried(t) == ["finn"]


@pytest.mark.rule("altered-realms.carry.who")
def test_a_setting_asks_ones_own_side_too():
    t = lifting(settings={"allies_willing": False})
    assert codes(t, "kara", "carry", target="finn") == ["UNWILLING"]
    t.declare("finn", "let_carry", target="kara")
    assert codes(t, "kara", "carry", target="finn") == []


@pytest.mark.rule("altered-realms.carry.who")
def test_it_is_set_down_when_it_is_willing_no_longer_or_comes_to():
    t = lifting(dice=((20,),))
    t.declare("kara", "carry", target="finn")
    t.declare("finn", "let_carry", target="kara", willing="no")
    assert carried(t) == []
    t = lifting(dice=((20,),), side="o", finn={"hp": 0, "hp_max": 9})
    t.declare("kara", "carry", target="finn")
    assert carried(t) == ["finn"]
    t.override({"finn.hp": 3}, "a healer came by")
    assert carried(t) == []


@pytest.mark.rule("altered-realms.carry.who")
@pytest.mark.parametrize("condition", ["restrained", "incapacitated"])
def test_the_restrained_carry_nobody(condition):
    assert condition.upper() in codes(lifting(conditions=[condition]), "kara", "carry", target="finn")


@pytest.mark.rule("altered-realms.carry.who")
def test_nobody_lifts_whoever_carries_it():
    t = lifting(dice=((20,),))
    t.declare("kara", "carry", target="finn")
    turn(t, "finn")
    assert codes(t, "finn", "carry", target="kara") == ["CARRIED"]


@pytest.mark.rule("altered-realms.reaction.any-off-turn-act", "altered-realms.carry.who")
def test_setting_somebody_down_is_free_in_the_own_turn_and_a_reaction_off_it():
    t = lifting(dice=((20,),))
    t.declare("kara", "carry", target="finn")
    assert spent(t, "kara", "put_down", target="finn") == {}
    turn(t, "orc")
    assert spent(t, "kara", "put_down", target="finn") == {"reaction": 1}
    t.declare("kara", "put_down", target="finn")
    assert (carried(t), who(t, "kara").reactions) == ([], 0)


@pytest.mark.rule("altered-realms.carry.athletics-roll", "altered-realms.reaction.opportunity-and-triggered")
def test_the_carried_have_no_opening_at_whoever_carries_them():
    t = lifting(dice=((20,),), side="o", finn={"conditions": ["restrained"], "items": [armed(5)]})
    t.declare("kara", "carry", target="finn")
    t.declare("kara", "walk", route=[(4, 5), (3, 5)])
    assert t.waiting_on == ()
    assert (who(t, "kara").at, who(t, "finn").at, carried(t)) == ((3, 5), (4, 5), ["finn"])


@pytest.mark.rule("altered-realms.carry.athletics-roll")
def test_the_body_is_no_obstacle_to_a_charge():
    t = lifting(dice=((20,),), speed=8)
    t.declare("kara", "carry", target="finn")
    t.override({"orc.at": [10, 5], "kara.actions": 1, "finn.at": [4, 5]}, "a test")
    t.declare("kara", "walk", route=[(6, 5), (7, 5), (8, 5), (9, 5)])
    passing(t)
    assert (who(t, "kara").at, who(t, "finn").at) == ((9, 5), (8, 5))
    assert codes(t, "kara", "charge", target="orc") == []  # the body is no obstacle


@pytest.mark.rule("altered-realms.carry.athletics-roll", "altered-realms.last-grasp.fail")
def test_the_body_falls_with_whoever_carries_it():
    t = lifting(dice=((20,), (15,), (1,) * 7, (2,) * 7), rows=["~" * 5 + "." * 20] * 12, reactions=0, ac=5)
    t.declare("kara", "carry", target="finn")
    t.override({"orc.at": [6, 4]}, "a test")
    turn(t, "orc")
    t.declare("orc", "push", target="kara", how="drag", direction="west")
    assert [(e.actor, e.metres) for e in happened(t, Fell)] == [("kara", 10), ("finn", 10)]
    assert (who(t, "kara").hp, who(t, "finn").hp, carried(t)) == (13, 6, ["finn"])


@pytest.mark.rule("altered-realms.carry.athletics-roll", "altered-realms.movement.only-for-relocation")
def test_off_turn_it_goes_no_farther_than_half_the_speed_either():
    t = lifting(dice=((20,),))
    t.declare("kara", "carry", target="finn")
    turn(t, "orc")
    assert "TOO_FAR" in codes(t, "kara", "walk", route=[(5, 4 - n) for n in range(5)])
    assert codes(t, "kara", "walk", route=[(5, 4 - n) for n in range(4)]) == []


@pytest.mark.rule("altered-realms.carry.athletics-roll")
def test_two_bodies_are_no_slower_than_one():
    t = table(
        creature("kara", "h", (5, 5), speed=8),
        creature("finn", "h", (6, 5)),
        creature("bo", "h", (5, 6)),
        dice=((20,), (20,)),
        begin="kara",
    )
    for name in ("finn", "bo"):
        t.declare("kara", "carry", target=name)
        t.override({"kara.actions": 1}, "a test")
    t.declare("kara", "walk", route=[(5, 4), (5, 3), (5, 2), (5, 1)])
    assert (who(t, "kara").metres, who(t, "kara").movements) == (0, 0)
    assert sorted(carried(t)) == ["bo", "finn"]


@pytest.mark.rule("altered-realms.carry.athletics-roll", "altered-realms.carry.who")
def test_whom_one_lifts_is_beside_one_and_set_down_when_they_are_torn_apart():
    t = lifting(dice=((20,), (15,)))
    t.override({"finn.at": [8, 5]}, "a test")
    assert codes(t, "kara", "carry", target="finn") == ["OUT_OF_RANGE"]
    t.override({"finn.at": [6, 5], "orc.at": [7, 5]}, "a test")
    t.declare("kara", "carry", target="finn")
    turn(t, "orc")
    t.declare("orc", "push", target="finn", how="drag", direction="northeast", metres=2)
    assert (who(t, "finn").at, carried(t)) == ((8, 3), [])
