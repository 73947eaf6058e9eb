"""Grapples in the cases that are easy to overlook. Dice in brackets are faces."""

import pytest
from realms import armed, codes, creature, happened, left, passing, question, rolled, table, turn, who

from turnwright.systems.altered_realms.events import Fell, Forced, Harmed
from turnwright.systems.altered_realms.holding import Holds


def holds(t):
    return [(hold.owner, hold.other) for hold in t.state.every(Holds)]


def bout(dice=(), orc=None, begin="kara", others=(), **kara):
    return table(
        creature("kara", "h", (5, 5), **({"str_": 4, "dex_": 1, "attacks": 2} | kara)),
        creature("orc", "o", (6, 5), **({"ac": 15} | (orc or {}))),
        *others,
        dice=dice,
        begin=begin,
    )


# -- who can take hold


@pytest.mark.rule("altered-realms.grapple.forced-break")
@pytest.mark.parametrize(
    ("condition", "refused"), [("restrained", ["RESTRAINED"]), ("prone", []), ("blinded", []), ("deafened", [])]
)
def test_whoever_would_have_to_let_go_at_once_takes_hold_of_nobody(condition, refused):
    t = bout(conditions=[condition])
    assert codes(t, "kara", "grapple", target="orc") == refused
    assert left(t, "kara") == (1, 1, 1)


@pytest.mark.rule("altered-realms.grapple.forced-break")
def test_a_wounded_hand_takes_hold_of_nobody_and_the_other_one_does():
    t = bout(dice=((20,),))
    t.override({"kara.wounded": ["right arm"]}, "a test")
    t.declare("kara", "grapple", target="orc")
    assert [hold.hand for hold in t.state.every(Holds)] == ["left hand"]
    t = bout()
    t.override({"kara.wounded": ["right arm", "left arm"]}, "a test")
    assert codes(t, "kara", "grapple", target="orc") == ["HANDS_BUSY"]


@pytest.mark.rule("altered-realms.grapple.free-hand-required")
def test_a_hand_that_is_held_itself_is_no_free_one():
    t = bout(((20,),), {"attacks": 2}, begin="orc", items=[{"name": "shield", "hand": "left hand"}])
    t.declare("orc", "grapple", target="kara", part="right arm")
    turn(t, "kara")
    assert codes(t, "kara", "grapple", target="orc") == ["HANDS_BUSY"]
    assert codes(t, "kara", "push", target="orc") == ["NO_FREE_HAND"]


@pytest.mark.rule("altered-realms.grapple.part-unusable", "altered-realms.throw-opponent.precondition")
def test_a_hand_that_is_held_throws_nobody_though_it_holds_on():
    t = bout(((20,), (20,)), {"attacks": 2}, items=[{"name": "shield", "hand": "left hand"}])
    t.declare("kara", "grapple", target="orc")
    turn(t, "orc")
    t.declare("orc", "grapple", target="kara", part="right arm")
    turn(t, "kara")
    assert holds(t) == [("kara", "orc"), ("orc", "kara")]
    assert codes(t, "kara", "throw_opponent", target="orc", direction="east") == ["PART_HELD"]


@pytest.mark.rule("altered-realms.grapple.roll-with-grapple-weapon", "altered-realms.grapple.part-unusable")
def test_a_grapple_weapon_in_an_arm_that_is_held_gives_nothing():
    hook = {"name": "hook", "hand": "right hand", "weapon": {"grapple": True, "training": 9}}
    t = bout(((20,),), begin="orc", items=[hook])
    t.declare("orc", "grapple", target="kara", part="right arm")
    turn(t, "kara")
    assert codes(t, "kara", "grapple", target="orc", using="training") == ["NO_GRAPPLE_WEAPON"]


# -- parts


@pytest.mark.rule("altered-realms.grapple.part-unusable")
def test_an_arm_is_one_of_the_arms_also_where_it_is_not_said_which():
    club = armed(5, name="club") | {"hand": "right hand"}
    t = bout(((20,), (20,)), {"items": [club]})
    t.declare("kara", "grapple", target="orc", part="arm")
    assert [hold.part for hold in t.state.every(Holds)] == ["right arm"]
    t.declare("kara", "grapple", target="orc", part="arm")
    assert [hold.part for hold in t.state.every(Holds)] == ["right arm", "left arm"]
    turn(t, "orc")
    assert codes(t, "orc", "attack", target="kara", weapon="club") == ["PART_HELD"]


@pytest.mark.rule("altered-realms.grapple.part-unusable")
@pytest.mark.parametrize("deed", ["trip", "push"])
def test_a_weapon_in_a_held_arm_is_no_good_for_a_trip_or_a_push_either(deed):
    club = armed(9, name="club") | {"hand": "right hand"}
    t = bout(((20,), (9,)), {"items": [club], "str_": 1}, ac=15)
    t.declare("kara", "grapple", target="orc", part="right arm")
    turn(t, "orc")
    assert codes(t, "orc", deed, target="kara", weapon="club") == ["PART_HELD"]
    t.declare("orc", deed, target="kara")
    assert rolled(t).passed is False  # 9 + 1 bare-handed, and not 9 + 9 with the club


@pytest.mark.rule("altered-realms.grapple.part-unusable", "altered-realms.throw-opponent.roll")
def test_nor_for_a_throw():
    club = armed(9, name="club") | {"hand": "right hand"}
    t = bout(((20,), (20,)), {"items": [club], "str_": 1})
    t.declare("kara", "grapple", target="orc", part="right arm")
    turn(t, "orc")
    t.declare("orc", "grapple", target="kara")
    t.override({"orc.actions": 1}, "a test")
    said = {"target": "kara", "direction": "west"}
    assert codes(t, "orc", "throw_opponent", weapon="club", **said) == ["PART_HELD"]
    assert codes(t, "orc", "throw_opponent", **said) == []


# -- Prone


@pytest.mark.rule("altered-realms.trip.prone-no-damage")
def test_a_long_weapon_strikes_the_prone_from_its_melee_range():
    t = table(
        creature("kara", "h", (1, 1), items=[armed(0, reach=2, name="spear")]),
        creature("orc", "o", (3, 1), conditions=["prone"]),
        dice=((2, 15), 3),
        begin="kara",
    )
    t.declare("kara", "attack", target="orc", weapon="spear")
    assert (rolled(t).edge, rolled(t).passed) == (1, True)  # the better of 2 and 15


# -- the shield


def shielded(dice=(), orc=None, goblin=None, **kara):
    """Kara holds the Orc, and it is the Goblin's turn."""
    t = table(
        creature("kara", "h", (5, 5), **({"ac": 12, "str_": 0, "training": {"athletics": 2}} | kara)),
        creature("orc", "o", (6, 5), **({"ac": 5} | (orc or {}))),
        creature("goblin", "o", (5, 6), **({"str_": 3, "items": [armed(3, "4")]} | (goblin or {}))),
        dice=((20,), *dice),
        begin="kara",
    )
    part = {"part": "right arm"} if (orc or {}).get("size") == "huge" else {}
    t.declare("kara", "grapple", target="orc", **part)
    turn(t, "goblin")
    return t


@pytest.mark.rule("altered-realms.meat-shield.redirect")
@pytest.mark.parametrize(("parts", "struck"), [(["head", "torso"], "head"), (["torso"], "")])
def test_a_called_shot_strikes_the_same_part_of_the_captive_if_it_has_one(parts, struck):
    t = shielded(((14,), (20,)), {"parts": parts})
    t.declare("goblin", "attack", target="kara", part="head")
    t.answer(question(t), "0")
    assert [(e.actor, e.part) for e in happened(t, Harmed)] == [("orc", struck)]


@pytest.mark.rule("altered-realms.meat-shield.redirect")
def test_a_charge_and_its_damage_go_with_the_hit():
    t = table(
        creature("kara", "h", (5, 5), ac=12, training={"athletics": 2}),
        creature("orc", "o", (6, 5), ac=5),
        creature("goblin", "o", (5, 0), items=[armed(3, "4")]),
        dice=((20,), (12,), (15,)),
        begin="kara",
    )
    t.declare("kara", "grapple", target="orc")
    turn(t, "goblin")
    t.declare("goblin", "walk", route=[(5, y) for y in range(1, 5)])
    t.declare("goblin", "charge", target="kara")
    t.answer(question(t), "0")  # 12 + 3 + 2 = 17 against 15 + 2 = 17
    assert (who(t, "kara").hp, who(t, "orc").hp) == (20, 20 - 4 - 2)


@pytest.mark.rule("altered-realms.meat-shield.redirect", "altered-realms.trip.prone-no-damage")
def test_a_trip_at_the_grappler_knocks_the_captive_down():
    t = shielded(((14,), (20,)))
    t.declare("goblin", "trip", target="kara")
    t.answer(question(t), "0")
    assert ("prone" in who(t, "kara").conditions, "prone" in who(t, "orc").conditions) == (False, True)


@pytest.mark.rule("altered-realms.meat-shield.redirect", "altered-realms.trip.size-limit")
def test_a_captive_that_is_too_large_to_be_tripped_stays_on_its_feet():
    t = shielded(((14,), (20,)), {"size": "huge"})
    t.declare("goblin", "trip", target="kara")
    t.answer(question(t), "0")
    assert who(t, "orc").conditions == ()
    assert "prone" not in who(t, "kara").conditions


@pytest.mark.rule("altered-realms.meat-shield.redirect", "altered-realms.push.size-limit")
def test_nor_is_it_pushed():
    t = shielded(((14,), (20,)), {"size": "huge"})
    t.declare("goblin", "push", target="kara")
    t.answer(question(t), "0")
    assert (who(t, "orc").at, who(t, "kara").at) == ((6, 5), (5, 5))


@pytest.mark.rule("altered-realms.meat-shield.redirect", "altered-realms.grapple.larger-target-part")
def test_nor_held_as_a_whole():
    t = shielded(((14,), (20,)), {"size": "huge"})
    t.declare("goblin", "grapple", target="kara")
    t.answer(question(t), "0")
    assert holds(t) == [("kara", "orc")]


@pytest.mark.rule("altered-realms.meat-shield.trigger")
def test_where_a_natural_1_may_hit_a_shield_is_offered_against_it_too():
    for naturals, offered in ((True, False), (False, True)):
        t = table(
            creature("kara", "h", (5, 5), ac=12),
            creature("orc", "o", (6, 5), ac=5),
            creature("goblin", "o", (5, 6), items=[armed(15, "4")]),
            settings={"naturals": naturals},
            dice=((20,), (1,)),
            begin="kara",
        )
        t.declare("kara", "grapple", target="orc")
        turn(t, "goblin")
        t.declare("goblin", "attack", target="kara")
        assert bool(t.waiting_on) is offered


# -- attached


def rider(dice=(), rows=None, troll=None, at=(4, 5), **keys):
    """Kara holds the right hand of a Huge troll, with an Ogre of her own side east of it."""
    t = table(
        creature("kara", "h", at, **keys),
        creature("troll", "o", (5, 4), **({"size": "huge", "ac": 5, "speed": 10} | (troll or {}))),
        creature("ogre", "h", (8, 4), size="large", str_=6),
        rows=rows or ["." * 30] * 12,
        legend={"~": {"name": "a chasm", "drop": 10}},
        dice=((20,), *dice),
        begin="kara",
    )
    t.declare("kara", "grapple", target="troll", part="right hand")
    return t


@pytest.mark.rule("altered-realms.grapple.larger-attached", "altered-realms.reaction.opportunity-and-triggered")
def test_whoever_is_attached_neither_provokes_nor_has_an_opportunity_attack_by_the_ride():
    t = rider()
    turn(t, "troll")
    t.declare("troll", "walk", route=[(5, 5), (5, 6), (5, 7)])
    asked = [question.actor for question in t.waiting_on]
    assert "kara" not in asked
    passing(t)
    assert who(t, "kara").at == (4, 8)
    assert who(t, "kara").reactions == 1


@pytest.mark.rule("altered-realms.grapple.larger-attached", "altered-realms.push.direction")
def test_a_grappler_that_is_attached_stands_in_nobodys_way_and_comes_along():
    t = rider(dice=((20,),))
    turn(t, "ogre")
    t.declare("ogre", "push", target="troll")  # 6 / 2 = 3 m to the west, where Kara is
    assert (who(t, "troll").at, who(t, "kara").at) == ((2, 4), (1, 5))
    assert holds(t) == [("kara", "troll")]
    assert who(t, "kara").reactions == 1


@pytest.mark.rule("altered-realms.grapple.larger-attached", "altered-realms.last-grasp.fail")
def test_it_goes_over_the_ledge_with_whom_it_holds():
    rows = ["~" * 5 + "." * 25] * 12
    t = rider(((20,), (5,) * 7, (4,) * 7), rows, {"reactions": 0, "hp": 90}, at=(5, 3), hp=90)
    turn(t, "ogre")
    t.declare("ogre", "push", target="troll")
    assert who(t, "troll").at == (2, 4)  # only now is none of its tiles solid
    assert [e.metres for e in happened(t, Fell)] == [10, 10]
    assert (who(t, "troll").hp, who(t, "kara").hp) == (90 - 35, 90 - 28)
    assert holds(t) == [("kara", "troll")]


@pytest.mark.rule("altered-realms.grapple.no-movement-except-teleport")
def test_a_teleport_that_stays_within_reach_does_not_free():
    blink = {"name": "blink", "budget": "movement", "teleport": 9}
    t = bout(((20,),), {"abilities": [blink]})
    t.declare("kara", "grapple", target="orc")
    turn(t, "orc")
    t.declare("orc", "cast", ability="blink", to=(5, 4))
    assert holds(t) == [("kara", "orc")]
    assert happened(t, Forced)[-1].at == (5, 4)


@pytest.mark.rule("altered-realms.grapple.part-unusable", "altered-realms.grapple.attack-or-escape")
def test_whose_sword_arm_is_held_may_still_strike_with_the_other_fist():
    blade = armed(5) | {"hand": "right hand"}
    t = bout(((20,), (20,)), {"items": [blade], "ac": 5})
    t.declare("kara", "grapple", target="orc", part="right arm")
    turn(t, "orc")
    offered = [o.label for o in t.offers("orc") if o.action == "attack" and o.verdict == "legal"]
    assert offered == ["attack Kara with unarmed"]
    turn(t, "kara")
    t.declare("kara", "release", target="orc")
    t.declare("kara", "grapple", target="orc", part="right arm")
    assert codes(t, "kara", "walk", route=[(4, 4)]) == []
    t.declare("kara", "walk", route=[(4, 4), (3, 4)])
    assert [o.label for o in question(t).question.options][1:] == ["strike at Kara with unarmed"]
