"""Dice that add up, conditions that hold, counts that start again. Dice in brackets are faces."""

from typing import Any

import pytest
from realms import armed, codes, creature, happened, question, rolled, table, turn, who

import turnwright as tw
from turnwright.systems.altered_realms.events import RolledD20

BOX = {"id": "box", "at": [2, 2]}
DEEDS = {"lock": "pick_lock", "trap": "disarm"}


def duel(dice: Any = (), begin: str = "kara", settings: Any = None, orc: Any = None, **kara: Any) -> tw.Table:
    more = {"settings": settings} if settings else {}
    return table(
        creature("kara", "h", (1, 1), **({"items": [armed(0)]} | kara)),
        creature("orc", "o", (2, 1), **({"ac": 10, "hp": 40, "items": [armed(0, name="club")]} | (orc or {}))),
        dice=dice,
        begin=begin,
        **more,
    )


def tinker(kind: str, dice: Any, settings: Any = None, items: Any = (), **box: Any) -> tw.Table:
    more = {"settings": settings} if settings else {}
    t = table(
        creature("kara", "h", (1, 1), items=list(items), training={"lockpicking": 2, "mechanics": 2}),
        mechanisms=[BOX | {"kind": kind} | box],
        dice=dice,
        begin="kara",
        **more,
    )
    t.declare("kara", DEEDS[kind], thing="box")
    if t.waiting_on:
        t.answer(question(t), True)  # warned of the missing tools
    return t


@pytest.mark.rule("altered-realms.lock.no-kit-penalty", "altered-realms.trap.no-tools-penalty")
def test_a_lock_brings_a_fate_die_and_a_trap_disadvantage_which_differ_where_a_destiny_die_is_a_d6():
    lock = tinker("lock", ((4,), (15,)), {"destiny": "d6"}, dc=12)
    assert rolled(lock).passed is False  # one d20 of 15 less a d6 of 4: 11
    trap = tinker("trap", ((15, 12),), {"destiny": "d6"}, dc=12)
    assert rolled(trap).passed  # the worse of two d20: 12


@pytest.mark.rule("altered-realms.lock.no-kit-penalty", "altered-realms.trap.no-tools-penalty")
@pytest.mark.parametrize(("kind", "other"), [("lock", "tools"), ("trap", "lockpick set")])
def test_tools_for_the_one_are_none_for_the_other(kind: str, other: str):
    t = tinker(kind, ((15, 6),), items=[{"name": other, "place": "pouch"}], dc=10)
    assert rolled(t).passed is False  # 6, without Training


@pytest.mark.rule("altered-realms.defensive-stance.destiny-die", "altered-realms.trip.prone-no-damage")
def test_two_of_one_kind_are_three_dice_and_one_of_each_cancels():
    t = duel(((15, 12, 3),))
    t.override({"kara.conditions": ["prone", "restrained"]}, "a test")
    t.declare("kara", "attack", target="orc")
    assert (rolled(t).edge, rolled(t).passed) == (-2, False)  # 3, not 12 and not 15
    t = duel(((10,), 1))
    t.override({"kara.conditions": ["prone"], "orc.conditions": ["prone"]}, "a test")
    t.declare("kara", "attack", target="orc")
    assert (rolled(t).edge, rolled(t).passed) == (0, True)


@pytest.mark.rule("altered-realms.grapple.forced-break", "altered-realms.reaction.definition")
def test_at_0_hp_one_is_incapacitated_and_neither_acts_nor_reacts_until_it_is_above_0():
    t = duel(begin="orc")
    t.override({"kara.hp": 0}, "a test")
    assert "INCAPACITATED" in codes(t, "kara", "drop", item="blade")  # which would be a Reaction
    t.declare("orc", "walk", route=[(3, 1)])
    assert t.waiting_on == ()  # no Opportunity Attack
    turn(t, "kara")  # its turns still come
    assert "INCAPACITATED" in codes(t, "kara", "attack", target="orc")
    t.override({"kara.hp": 1, "orc.at": [2, 1]}, "a test")
    assert codes(t, "kara", "attack", target="orc") == []


@pytest.mark.rule("altered-realms.grapple.forced-break", "altered-realms.economy.applies-to-all")
def test_the_slain_have_no_turns_and_the_incapacitated_do():
    t = duel(begin="kara")
    t.override({"orc.hp": 0}, "a test")
    t.declare("kara", "end")
    assert t.next_turn() == "orc"
    t.override({"orc.conditions": ["slain"]}, "a test")
    assert codes(t, "orc", "begin") == ["SLAIN"]
    assert t.next_turn() == "kara"


def roll(t: tw.Table, skill: str) -> None:
    t.declare("kara", "attempt", intent="something", method="somehow", skill=skill)
    t.answer(question(t), {"kind": "check", "skill": skill, "target": 9, "success": "yes", "failure": "no"})


@pytest.mark.rule("altered-realms.skill.mental-limit", "altered-realms.skill.social-limit")
@pytest.mark.parametrize(("kind", "skill"), [("mental", "lore"), ("social", "deception")])
def test_the_count_and_what_the_narrator_allowed_are_for_one_turn(kind: str, skill: str):
    t = duel(((9,),) * 4)
    said = {"intent": "a", "method": "b", "skill": skill}
    roll(t, skill)
    assert codes(t, "kara", "attempt", **said) == ["ROLLS"]
    t.declare("", "allow_rolls", target="kara", kind=kind, number=2)
    roll(t, skill)
    turn(t, "orc")
    assert codes(t, "kara", "attempt", **said) == ["ROLLS"]  # off-turn it counts against the same turn
    turn(t, "kara")
    roll(t, skill)
    assert codes(t, "kara", "attempt", **said) == ["ROLLS"]  # 1 again, and not 2


@pytest.mark.rule("altered-realms.rally.audience")
def test_a_rally_is_for_allies():
    t = duel(((20,),), orc={"wis_": 9})
    t.override({"orc.afflictions": [{"condition": "blinded", "save": "wis", "dc": 5}]}, "a test")
    t.declare("kara", "rally")
    assert t.waiting_on == ()


@pytest.mark.rule("altered-realms.inspire.miss-gives-disadvantage")
def test_the_drawback_of_a_broken_promise_is_over_as_the_turn_ends():
    t = duel(((2,), (10,), 1))
    t.declare("kara", "inspire", hits=1)
    t.declare("kara", "attack", target="orc")  # a miss
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1)])
    t.answer(question(t), "0")  # an Opportunity Attack
    rolls = [event for event in happened(t, RolledD20) if event.actor == "kara"]
    assert [(event.edge, event.passed) for event in rolls] == [(0, False), (0, True)]


@pytest.mark.rule("altered-realms.prime.action-as-reaction")
def test_what_is_prepared_goes_off_neither_in_the_own_turn_nor_between_turns():
    t = duel()
    t.declare("kara", "prime", deed="dodge", target="orc", trigger="it moves")
    assert "OWN_TURN" in codes(t, "kara", "fire_primed")
    t.declare("kara", "end")
    assert "OWN_TURN" in codes(t, "kara", "fire_primed")
    t.declare("orc", "begin")
    assert codes(t, "kara", "fire_primed") == []
    assert who(t, "kara").reactions == 1
