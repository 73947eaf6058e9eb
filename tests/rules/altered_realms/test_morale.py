"""Rally and Inspire. Dice in brackets are faces."""

import pytest
from realms import armed, codes, creature, happened, left, question, rolled, table, turn, who

from turnwright.systems.altered_realms.events import Inspired, RolledD20

FEAR = {"name": "fear", "at": "enemy", "save": "wis", "condition": "blinded", "lasting": True}


def rallying(dice=(), ally=None, settings=None, at=(3, 1), **kara):
    """The Orc, in its turn, has put fear of DC 15 into Finn; then it is Kara's turn."""
    more = {"settings": settings} if settings else {}
    t = table(
        creature("kara", "h", (1, 1), **({"cha_": 2} | kara)),
        creature("finn", "h", at, **({"wis_": 3} | (ally or {}))),
        creature("orc", "o", (5, 1), abilities=[FEAR], spell_dc=15),
        rows=["." * 60] * 4,
        dice=((2,), *dice),
        begin="orc",
        **more,
    )
    t.declare("orc", "cast", ability="fear", target="finn")
    assert "blinded" in who(t, "finn").conditions
    turn(t, "kara")
    return t


class TestRally:
    @pytest.mark.rule("altered-realms.rally.cost")
    def test_a_full_round_action(self):
        t = rallying(dice=((2,),))
        t.declare("kara", "rally")
        assert left(t, "kara") == (0, 0, 0)
        t = rallying()
        t.declare("kara", "walk", route=[(1, 2)])
        assert "MOVEMENT" in codes(t, "kara", "rally")
        assert who(t, "kara").actions == 1
        t = rallying(traits=[{"name": "fleet", "motions": 1}], dice=((2,),))
        t.declare("kara", "rally")
        assert left(t, "kara") == (0, 1, 0)

    @pytest.mark.rule("altered-realms.rally.roll")
    def test_a_cha_based_roll_against_14(self):
        for face, passed in ((12, True), (11, False)):
            t = rallying(dice=((face,),))
            t.declare("kara", "rally")
            assert rolled(t).passed is passed
            assert (t.waiting_on != ()) is passed
            assert left(t, "kara") == (0, 0, 0)
        assert codes(rallying(), "kara", "rally", skill="stealth") == ["NO_SKILL"]

    @pytest.mark.rule("altered-realms.rally.audience")
    @pytest.mark.parametrize(
        ("at", "conditions", "strict", "reached"),
        [
            ((11, 1), [], False, True),
            ((11, 1), ["deafened"], False, True),  # near, deaf, and sees
            ((11, 1), ["deafened"], True, False),
            ((11, 1), ["deafened", "blinded"], False, False),
            ((50, 1), [], False, False),  # sees, and is 49 m away
        ],
    )
    def test_near_enough_and_hearing_or_seeing(self, at, conditions, strict, reached):
        t = rallying(dice=((20,),), at=at, settings={"strict_hearing": strict})
        t.override({"finn.conditions": conditions}, "a test")
        t.declare("kara", "rally")
        assert (t.waiting_on != ()) is reached

    @pytest.mark.rule("altered-realms.rally.immediate-save", "altered-realms.rally.costs-ally-reaction")
    def test_a_save_at_once_with_two_more_for_a_reaction(self):
        for face, free in ((10, True), (9, False)):
            t = rallying(dice=((20,), (face,)))
            t.declare("kara", "rally")
            t.answer(question(t), "0")
            assert rolled(t).passed is free  # 10 + 3 + 2 = 15
            assert ("blinded" not in who(t, "finn").conditions) is free
            assert who(t, "finn").reactions == 0

    @pytest.mark.rule("altered-realms.rally.costs-ally-reaction")
    def test_without_a_reaction_or_anything_to_shake_off_nobody_is_asked(self):
        for ally in ({"reactions": 0}, {}):
            t = rallying(dice=((20,),), ally=ally)
            if not ally:
                t.override({"finn.afflictions": []}, "a test")
            t.declare("kara", "rally")
            assert t.waiting_on == ()

    @pytest.mark.rule("altered-realms.rally.immediate-save")
    def test_a_hold_is_such_a_thing(self):
        for face, free in ((10, True), (9, False)):
            t = table(
                creature("kara", "h", (1, 1), cha_=2),
                creature("finn", "h", (3, 1), str_=3),
                creature("orc", "o", (4, 1), maneuver_dc=15),
                dice=((20,), (20,), (face,)),
                begin="orc",
            )
            t.declare("orc", "grapple", target="finn")
            turn(t, "kara")
            t.declare("kara", "rally")
            t.answer(question(t), "0")
            assert rolled(t).passed is free
            assert (t.state.relations.get("orc", ()) == ()) is free


def inspiring(dice=(), rows=None, friend=None, **kara):
    keys = {"items": [armed(0)], "attacks": 3} | kara
    return table(
        creature("kara", "h", (1, 1), **keys),
        creature("finn", "h", (1, 2), **({"items": [armed(0, name="axe")]} | (friend or {}))),
        creature("bo", "h", (6, 1)),
        creature("orc", "o", (2, 1), ac=15, hp=99, abilities=[FEAR], spell_dc=14),
        rows=rows or ["........", "........", "........"],
        dice=dice,
        begin="kara",
    )


def bonus(t, name):
    return sum([held.amount for held in t.state.related(Inspired, name)])


class TestInspire:
    @pytest.mark.rule("altered-realms.inspire.cost-and-timing")
    def test_a_motion_before_the_first_attack(self):
        t = inspiring(dice=((5,),))
        t.declare("kara", "inspire", hits=1)
        assert left(t, "kara") == (1, 0, 1)
        t = inspiring(dice=((5,),))
        t.declare("kara", "attack", target="orc")
        assert "AFTER_ATTACK" in codes(t, "kara", "inspire", hits=1)

    @pytest.mark.rule("altered-realms.inspire.audience")
    def test_allies_who_see_it(self):
        t = inspiring(rows=["....#...", "....#...", "....#..."])
        t.declare("kara", "inspire", hits=2)
        assert [bonus(t, name) for name in ("kara", "finn", "bo", "orc")] == [0, 2, 0, 0]

    @pytest.mark.rule("altered-realms.inspire.bonus-per-promised-hit")
    def test_case_16_one_for_each_promised_hit_at_once(self):
        t = inspiring()
        assert codes(t, "kara", "inspire", hits=0) == ["PROMISE"]
        assert codes(t, "kara", "inspire", hits=4) == ["PROMISE"]
        assert who(t, "kara").motions == 1
        t.declare("kara", "inspire", hits=3)
        assert (bonus(t, "finn"), bonus(t, "bo")) == (3, 3)

    @pytest.mark.rule("altered-realms.inspire.miss-gives-disadvantage")
    def test_case_16_after_a_miss_the_rest_of_the_turn_is_at_disadvantage(self):
        t = inspiring(dice=((15,), 1, (5,), (16, 7), (16,), 1))
        t.declare("kara", "inspire", hits=3)
        for _ in range(3):
            t.declare("kara", "attack", target="orc")
        rolls = [event for event in happened(t, RolledD20) if event.actor == "kara"]
        assert [(event.edge, event.passed) for event in rolls] == [(0, True), (0, False), (-1, False)]  # 7, not 16
        assert bonus(t, "finn") == 3  # and it is not taken back
        turn(t, "orc")
        turn(t, "kara")
        t.declare("kara", "attack", target="orc")
        assert (rolled(t).edge, rolled(t).passed) == (0, True)

    @pytest.mark.rule("altered-realms.inspire.once-between-rests")
    def test_case_16_once_between_rests(self):
        t = inspiring()
        t.declare("kara", "inspire", hits=1)
        turn(t, "orc")
        turn(t, "kara")
        assert codes(t, "kara", "inspire", hits=1) == ["NOT_RESTED"]
        t.declare("kara", "end")
        t.declare("kara", "rest")
        t.answer(question(t), {"kind": "impossible", "obstacle": "the fight goes on"})  # between two turns of it
        assert codes(t, "kara", "inspire", hits=1) == ["PROMISE", "NOT_RESTED"]
        t.declare("kara", "rest")
        t.answer(question(t), {"kind": "procedure"})
        turn(t, "kara")
        assert codes(t, "kara", "inspire", hits=1) == []

    @pytest.mark.rule("altered-realms.inspire.spend-once-on-any-d20", "altered-realms.inspire.before-or-after-roll")
    def test_case_16_all_of_it_once_after_the_roll(self):
        t = inspiring(dice=((13,), 4, (13,)), friend={"attacks": 2})
        t.declare("kara", "inspire", hits=2)
        turn(t, "finn")
        t.declare("finn", "attack", target="orc")
        t.answer(question(t), "spend")
        assert (rolled(t).total, rolled(t).passed, who(t, "orc").hp) == (15, True, 95)  # 13 + 2 meets AC 15
        assert bonus(t, "finn") == 0
        t.declare("finn", "attack", target="orc")
        assert (t.waiting_on, rolled(t).passed) == ((), False)

    @pytest.mark.rule("altered-realms.inspire.before-or-after-roll", "altered-realms.inspire.spend-once-on-any-d20")
    def test_or_before_it_and_never_on_damage(self):
        t = inspiring(dice=((13,), 4))
        t.declare("kara", "inspire", hits=2)
        turn(t, "finn")
        t.declare("finn", "spend_inspiration")
        assert codes(t, "finn", "spend_inspiration") == ["NO_BONUS"]
        t.declare("finn", "attack", target="orc")
        assert (rolled(t).passed, who(t, "orc").hp, bonus(t, "finn")) == (True, 95, 0)

    @pytest.mark.rule("altered-realms.inspire.spend-once-on-any-d20")
    def test_on_a_save_it_makes_11_a_14(self):
        t = inspiring(dice=((11,),))
        t.declare("kara", "inspire", hits=3)
        turn(t, "orc")
        t.declare("orc", "cast", ability="fear", target="finn")
        t.answer(question(t), "spend")
        assert (rolled(t).total, rolled(t).passed) == (14, True)

    @pytest.mark.rule("altered-realms.inspire.keep-highest")
    def test_case_16_the_highest_is_kept_and_they_never_add(self):
        t = inspiring(friend={"attacks": 3})
        t.declare("kara", "inspire", hits=2)
        turn(t, "finn")
        t.declare("finn", "inspire", hits=3)
        assert bonus(t, "bo") == 3  # not 5
        t.override({"kara.rested": True}, "a test")
        turn(t, "kara")
        t.declare("kara", "inspire", hits=1)
        assert bonus(t, "bo") == 3


@pytest.mark.rule("altered-realms.skill.social-no-action", "altered-realms.rally.cost")
def test_case_20_rally_costs_its_full_round_action_and_no_social_roll():
    t = rallying(dice=((2,),))
    t.declare("kara", "rally")
    assert who(t, "kara").rolls == {}


@pytest.mark.rule("altered-realms.lend-aid.help-12-plus")
def test_case_17_a_helpers_bonus_of_one_swings_the_aided_roll_by_four():
    t = table(
        creature("kara", "h", (1, 1)),
        creature("finn", "h", (1, 2), training={"athletics": 0}, attacks=1),
        creature("bo", "h", (3, 1)),
        dice=((11,), (12,)),
        begin="bo",
    )
    t.declare("bo", "inspire", hits=1)
    t.declare("bo", "end")
    t.override({"kara.rested": True}, "a test")
    turn(t, "kara")
    t.declare("kara", "spend_inspiration")
    t.override({"kara.rested": False}, "a test")
    t.declare("kara", "attempt", intent="up", method="climb", skill="athletics")
    t.answer(question(t), {"kind": "check", "skill": "athletics", "target": 15, "success": "yes", "failure": "no"})
    t.answer(question(t), "0")
    t.answer(question(t), "spend")  # Finn's 11 is a 12
    assert rolled(t).passed  # 12 + 1 + 2, and not 12 + 1 - 2
