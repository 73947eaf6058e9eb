"""Grapples, dog piles, breaking free, and Meat Shields. Dice in brackets are faces."""

from fractions import Fraction

import pytest
from realms import (
    SWORD,
    armed,
    codes,
    creature,
    happened,
    left,
    passing,
    question,
    refused,
    rolled,
    spent,
    table,
    turn,
    who,
)

from turnwright.systems.altered_realms.events import RolledD20
from turnwright.systems.altered_realms.grapple import break_dc
from turnwright.systems.altered_realms.holding import Holds, empty_hands


def holds(t):
    """Who holds whom, in the order in which it began."""
    return [(hold.owner, hold.other) for hold in sorted(t.state.every(Holds), key=lambda hold: hold.number)]


def bout(dice=(), orc=None, begin="kara", **kara):
    return table(
        creature("kara", "h", (5, 5), **({"str_": 4, "dex_": 1} | kara)),
        creature("orc", "o", (6, 5), **({"ac": 15} | (orc or {}))),
        creature("goblin", "o", (5, 6), ac=10),
        dice=dice,
        begin=begin,
    )


def held(dice=(), orc=None, part="", **kara):
    """Kara has just taken hold of the Orc."""
    t = bout(((20,), *dice), orc, **kara)
    said = {"part": part} if part else {}
    t.declare("kara", "grapple", target="orc", **said)
    assert ("kara", "orc") in holds(t)
    return t


class TestTakingHold:
    @pytest.mark.rule("altered-realms.grapple.free-hand-required")
    def test_a_free_hand_is_needed(self):
        t = bout(items=[SWORD, {"name": "shield"}])
        assert codes(t, "kara", "grapple", target="orc") == ["NO_FREE_HAND"]
        t.declare("kara", "drop", item="shield")
        assert codes(t, "kara", "grapple", target="orc") == []

    @pytest.mark.rule("altered-realms.grapple.free-hand-definition")
    def test_what_a_free_hand_is(self):
        hands = [{"name": n, "strong": n != "antenna"} for n in ("right hand", "left hand", "tail", "antenna")]
        t = bout(hands=hands, items=[{"name": "torch", "hand": "left hand"}])
        assert [hand.name for hand in empty_hands(who(t, "kara"))] == ["right hand", "tail"]

    @pytest.mark.rule("altered-realms.grapple.cost-and-range")
    def test_one_attack_at_close_quarters(self):
        t = held(attacks=2)
        assert (left(t, "kara")[0], who(t, "kara").attacks) == (0, 1)
        t = table(creature("kara", "h", (1, 1)), creature("orc", "o", (3, 1)), begin="kara")
        assert codes(t, "kara", "grapple", target="orc") == ["OUT_OF_RANGE"]
        assert left(t, "kara") == (1, 1, 1)

    @pytest.mark.rule("altered-realms.grapple.size-limit")
    @pytest.mark.parametrize(
        ("mine", "theirs", "allowed"),
        [
            *(("medium", "tiny", True), ("medium", "large", True), ("medium", "huge", False)),
            *(("huge", "massive", True), ("huge", "gargantuan", False)),
        ],
    )
    def test_at_most_one_size_larger_as_a_whole(self, mine: str, theirs: str, allowed: bool):
        t = table(
            creature("kara", "h", (0, 0), size=mine),
            creature("orc", "o", (3 if mine == "huge" else 1, 0), size=theirs),
            begin="kara",
        )
        assert (codes(t, "kara", "grapple", target="orc") == []) is allowed

    @pytest.mark.rule("altered-realms.grapple.roll-otherwise")
    def test_case_05_str_or_dex_and_nothing_twice(self):
        for using, hits in ((None, True), ("str", True), ("dex", False)):
            t = bout(dice=((11,),), items=[armed(9)])
            t.declare("kara", "grapple", target="orc", **({"using": using} if using else {}))
            assert (holds(t) != []) is hits  # 11 + 4 = 15 or 11 + 1 = 12; never 19

    @pytest.mark.rule("altered-realms.grapple.roll-with-grapple-weapon")
    def test_case_05_the_training_of_a_grapple_weapon_takes_the_place_of_str(self):
        hook = {"name": "hook", "weapon": {"grapple": True, "training": 3}}
        for using, hits in (("training", False), ("str", True)):
            t = bout(dice=((11,),), items=[hook])
            t.declare("kara", "grapple", target="orc", using=using)
            assert (holds(t) != []) is hits  # 14 or 15
        t = table(
            creature("kara", "h", (5, 5), str_=4, items=[hook]),
            creature("orc", "o", (6, 5), ac=18),
            settings={"grapple_weapon": "add"},
            dice=((11,),),
            begin="kara",
        )
        t.declare("kara", "grapple", target="orc")
        assert holds(t) != []  # 11 + 4 + 3 = 18
        assert "NO_GRAPPLE_WEAPON" in codes(bout(), "kara", "grapple", target="orc", using="training")

    @pytest.mark.rule("altered-realms.grapple.hit-replaces-damage")
    def test_a_hit_holds_and_hurts_nobody(self):
        for face, hits in ((11, True), (10, False)):
            t = bout(dice=((face,),))
            t.declare("kara", "grapple", target="orc")
            assert ((holds(t) != []), who(t, "orc").hp) == (hits, 20)
            assert left(t, "kara")[0] == 0

    @pytest.mark.rule("altered-realms.grapple.specific-part-penalty")
    def test_case_05_a_part_is_harder_by_its_size(self):
        for part, face, hits in (("right arm", 13, True), ("right arm", 11, False), ("right hand", 13, False)):
            t = bout(dice=((face,),))
            t.declare("kara", "grapple", target="orc", part=part)
            assert (holds(t) != []) is hits  # 15; 13; 13 + 4 - 4 = 13

    @pytest.mark.rule("altered-realms.grapple.cap-by-free-hands")
    def test_no_more_are_held_than_there_are_hands(self):
        t = bout(dice=((20,), (20,)), attacks=3)
        t.declare("kara", "grapple", target="orc", part="right arm")
        t.declare("kara", "grapple", target="orc", part="left leg")
        assert len(holds(t)) == 2
        assert codes(t, "kara", "grapple", target="goblin") == ["HANDS_BUSY"]


class TestBeingHeld:
    @pytest.mark.rule("altered-realms.grapple.no-movement-except-teleport")
    def test_no_movement_and_no_paying_with_it(self):
        blink = {"name": "blink", "budget": "movement", "teleport": 9}
        t = held(orc={"abilities": [blink], "items": [{"name": "rope", "place": "pouch"}]})
        turn(t, "orc")
        assert "HELD" in codes(t, "orc", "walk", route=[(7, 5)])
        assert codes(t, "orc", "defensive_stance") == ["HELD"]
        assert codes(t, "orc", "downgrade", budget="movement", into="motion") == ["HELD"]
        t.override({"orc.conditions": ["prone"]}, "a test")
        assert "HELD" in codes(t, "orc", "stand")
        assert codes(t, "orc", "draw", item="rope") == []  # Motions are not touched
        t.declare("orc", "cast", ability="blink", to=(9, 5))
        assert (left(t, "orc"), holds(t)) == ((1, 1, 0), [])  # out of reach, and free

    @pytest.mark.rule("altered-realms.grapple.no-movement-except-teleport")
    def test_a_setting_lets_it_pay(self):
        t = table(
            creature("kara", "h", (5, 5)),
            creature("orc", "o", (6, 5)),
            settings={"grappled_may_pay_movement": True},
            dice=((20,),),
            begin="kara",
        )
        t.declare("kara", "grapple", target="orc")
        turn(t, "orc")
        assert codes(t, "orc", "defensive_stance") == []
        assert "HELD" in codes(t, "orc", "walk", route=[(7, 5)])

    @pytest.mark.rule("altered-realms.grapple.part-unusable")
    def test_case_05_a_held_arm_is_out_of_use_until_it_is_free(self):
        blade = armed(5) | {"hand": "right hand"}
        club = armed(5, name="club") | {"hand": "left hand"}
        t = held(dice=((20,),), part="right arm", orc={"items": [blade, club]})
        turn(t, "orc")
        assert codes(t, "orc", "attack", target="kara", weapon="blade") == ["PART_HELD"]
        assert codes(t, "orc", "attack", target="kara", weapon="club") == []
        assert "HELD" in codes(t, "orc", "walk", route=[(7, 5)])
        assert who(t, "orc").held_in("right hand") is not None  # it drops nothing
        t.declare("orc", "escape")
        t.override({"orc.actions": 1}, "a test")
        assert codes(t, "orc", "attack", target="kara", weapon="blade") == []

    @pytest.mark.rule("altered-realms.grapple.hand-is-busy")
    def test_case_05_the_holding_hand_is_good_for_the_captive_alone(self):
        knife = {"name": "knife", "place": "holster"}
        t = held(
            attacks=3,
            items=[{"name": "shield", "hand": "left hand"}, knife],
            weapons=[{"name": "zap", "kind": "spell"}],
        )
        assert codes(t, "kara", "attack", target="orc", weapon="unarmed") == []
        assert codes(t, "kara", "attack", target="orc", weapon="zap") == []
        assert codes(t, "kara", "attack", target="goblin", weapon="unarmed") == ["NO_HAND"]
        assert codes(t, "kara", "draw", item="knife", hand="right hand") == ["HAND_BUSY"]
        assert codes(t, "kara", "draw", item="knife") == ["NO_FREE_HAND"]

    @pytest.mark.rule("altered-realms.grapple.attack-or-escape")
    def test_case_21_an_attack_or_an_escape(self):
        t = held(dice=((5,),), orc={"attacks": 2})
        turn(t, "orc")
        t.declare("orc", "attack", target="kara")
        passing(t)
        assert who(t, "orc").attacks == 1
        assert codes(t, "orc", "escape") == ["ACTION"]
        t = held(dice=((5,),), orc={"attacks": 2})
        turn(t, "orc")
        t.declare("orc", "escape")
        assert codes(t, "orc", "attack", target="kara") == ["ACTION"]
        assert codes(t, "goblin", "escape") == ["NOT_HELD"]

    @pytest.mark.rule("altered-realms.grapple.escape-save")
    def test_by_str_or_dex_whichever_the_captive_likes(self):
        for using, free in ((None, True), ("dex", True), ("str", False)):
            t = held(dice=((11,),), orc={"str_": 1, "dex_": 4}, maneuver_dc=15)
            turn(t, "orc")
            t.declare("orc", "escape", **({"using": using} if using else {}))
            assert (holds(t) == []) is free  # 15 or 12

    @pytest.mark.rule("altered-realms.grapple.escape-dc")
    def test_the_dc_is_on_the_sheet_or_ten_and_training_and_the_better_modifier(self):
        assert break_dc(held(maneuver_dc=15).state, "orc") == 15
        assert break_dc(held(maneuver_training=2).state, "orc") == 10 + 2 + 4

    @pytest.mark.rule("altered-realms.grapple.escape-failure", "altered-realms.grapple.escape-success")
    def test_case_21_meeting_the_dc_frees_and_missing_it_does_not(self):
        for face, free in ((15, True), (14, False)):
            t = held(dice=((face,),), maneuver_dc=15)
            turn(t, "orc")
            t.declare("orc", "escape")
            assert ((holds(t) == []), left(t, "orc")[0]) == (free, 0)
        turn(t, "kara")
        turn(t, "orc")
        assert codes(t, "orc", "escape") == []


def pile(*dcs, dice=(), **keys):
    """Grapplers with these Maneuver Save DCs have taken hold of the Orc, in this order."""
    at = [(4, 4), (5, 4), (6, 4)]
    heroes = [creature(f"h{i}", "h", at[i], maneuver_dc=dc) for i, dc in enumerate(dcs)]
    t = table(*heroes, creature("orc", "o", (5, 5), **keys), dice=((20,),) * len(dcs) + tuple(dice))
    for i in range(len(dcs)):
        turn(t, f"h{i}")
        t.declare(f"h{i}", "grapple", target="orc")
    return t


class TestDogPile:
    @pytest.mark.rule("altered-realms.grapple.dog-pile-plus-two")
    def test_case_06_each_further_grappler_adds_two_to_the_first_ones_dc(self):
        assert break_dc(pile(14, 18, 10).state, "orc") == 18  # and neither 14, 18 + 4 nor the highest alone
        assert break_dc(pile(10, 14, 18).state, "orc") == 14
        t = pile(14, 18, 10)
        t.declare("h2", "release", target="orc")
        assert break_dc(t.state, "orc") == 16
        t = pile(14, 18, 10)
        turn(t, "h0")
        t.declare("h0", "release", target="orc")
        assert break_dc(t.state, "orc") == 20  # 18 + 2, not 16

    @pytest.mark.rule("altered-realms.grapple.dog-pile-plus-two")
    def test_case_06_two_hands_of_one_grappler_count_once(self):
        t = held(dice=((20,),), attacks=2, maneuver_dc=14)
        t.declare("kara", "grapple", target="orc")
        assert len(holds(t)) == 2
        assert break_dc(t.state, "orc") == 14

    @pytest.mark.rule("altered-realms.grapple.dog-pile-single-dc", "altered-realms.grapple.escape-success")
    def test_case_06_one_save_settles_all_of_them(self):
        for face, free in ((18, True), (17, False)):
            t = pile(14, 18, 10, dice=((face,),))
            turn(t, "orc")
            before = len(happened(t, RolledD20))
            t.declare("orc", "escape")
            assert len(happened(t, RolledD20)) == before + 1
            assert (holds(t) == []) is free

    @pytest.mark.rule("altered-realms.grapple.forced-break")
    @pytest.mark.parametrize(
        ("change", "ends"),
        [
            ({"kara.wounded": ["right arm"]}, True),
            ({"kara.wounded": ["right hand"]}, True),
            ({"kara.wounded": ["right leg"]}, False),
            ({"kara.conditions": ["slain"]}, True),
            ({"kara.conditions": ["restrained"]}, True),
            ({"kara.hp": 0}, True),
            ({"kara.conditions": ["prone"]}, False),
        ],
    )
    def test_what_makes_a_grappler_let_go(self, change: dict, ends: bool):
        t = held()
        t.override(change, "a test")
        assert (holds(t) == []) is ends

    @pytest.mark.rule("altered-realms.grapple.forced-break")
    def test_case_06_the_break_dc_is_worked_out_afresh(self):
        t = pile(14, 12)
        t.override({"h0.wounded": ["right arm"]}, "a test")
        assert break_dc(t.state, "orc") == 12  # and not 14

    @pytest.mark.rule("altered-realms.grapple.release-on-own-turn")
    def test_letting_go_costs_nothing_in_the_own_turn(self):
        t = held()
        t.override({"kara.actions": 0, "kara.motions": 0, "kara.movements": 0}, "a test")
        t.declare("kara", "release", target="orc")
        assert (holds(t), left(t, "kara"), who(t, "kara").reactions) == ([], (0, 0, 0), 1)

    @pytest.mark.rule("altered-realms.grapple.release-off-turn")
    def test_off_turn_it_costs_a_reaction(self):
        t = held()
        turn(t, "orc")
        assert spent(t, "kara", "release", target="orc") == {"reaction": 1}
        t.declare("kara", "release", target="orc")
        assert (holds(t), who(t, "kara").reactions) == ([], 0)
        t = held(reactions=0)
        turn(t, "orc")
        assert codes(t, "kara", "release", target="orc") == ["REACTION"]


def giant(dice=(), **keys):
    """Kara holds the right hand of a Huge troll."""
    t = table(
        creature("kara", "h", (4, 5)),
        creature("troll", "o", (5, 4), size="huge", ac=5, **keys),
        rows=["." * 30] * 12,
        dice=((20,), *dice),
        begin="kara",
    )
    t.declare("kara", "grapple", target="troll", part="right hand")
    return t


class TestLargerCreatures:
    @pytest.mark.rule("altered-realms.grapple.larger-target-part")
    def test_of_somebody_much_larger_only_a_part_can_be_held(self):
        t = table(creature("kara", "h", (4, 5)), creature("troll", "o", (5, 4), size="huge"), begin="kara")
        assert codes(t, "kara", "grapple", target="troll") == ["TOO_LARGE"]
        assert codes(t, "kara", "grapple", target="troll", part="finger") == []

    @pytest.mark.rule("altered-realms.grapple.larger-not-immobilised", "altered-realms.grapple.larger-attached")
    def test_it_walks_on_and_carries_the_grappler_for_nothing(self):
        t = giant(speed=10)
        turn(t, "troll")
        t.declare("troll", "walk", to=(15, 4))
        assert (who(t, "troll").at, who(t, "kara").at) == ((15, 4), (14, 5))
        assert (who(t, "kara").reactions, holds(t)) == (1, [("kara", "troll")])

    @pytest.mark.rule("altered-realms.grapple.larger-attached")
    def test_it_may_walk_where_its_grappler_was(self):
        t = giant(speed=10)
        turn(t, "troll")
        t.declare("troll", "walk", route=[(4, 4), (3, 4)])
        assert (who(t, "troll").at, who(t, "kara").at) == ((3, 4), (2, 5))

    @pytest.mark.rule("altered-realms.grapple.larger-part-restrained")
    def test_the_part_is_out_of_use_and_the_creature_is_not_restrained(self):
        claw = {"name": "claw", "part": "right hand"}
        t = giant(dice=((20,),), weapons=[claw])
        turn(t, "troll")
        assert codes(t, "troll", "attack", target="kara", weapon="claw") == ["PART_HELD"]
        assert who(t, "troll").conditions == ()
        t.declare("troll", "escape")
        t.override({"troll.actions": 1}, "a test")
        assert codes(t, "troll", "attack", target="kara", weapon="claw") == []


def shield_bout(dice=(), attack=3, captive_ac=19, kind="melee", **kara):
    """Kara holds the Orc; on its turn the Goblin attacks her with so much in all."""
    keys = {"ac": 12, "str_": 0, "training": {"athletics": 2}} | kara
    t = table(
        creature("kara", "h", (5, 5), **keys),
        creature("orc", "o", (6, 5), ac=captive_ac),
        creature("goblin", "o", (5, 6), items=[armed(attack, "4", kind)], attacks=2),
        dice=((20,), *dice),
        begin="kara",
    )
    t.declare("kara", "grapple", target="orc")
    turn(t, "goblin")
    return t


class TestMeatShield:
    @pytest.mark.rule("altered-realms.meat-shield.trigger")
    def test_it_is_for_whoever_holds_somebody_and_is_attacked_off_turn(self):
        t = shield_bout(dice=((14,),))
        t.declare("goblin", "attack", target="kara")
        assert [o.label for o in question(t).question.options][1:] == [
            f"hold Orc into the blow, with {skill}" for skill in ("athletics", "acrobatics")
        ]
        t = bout(dice=((5,),), begin="goblin")  # she holds nobody
        t.declare("goblin", "attack", target="kara")
        assert t.waiting_on == ()

    @pytest.mark.rule("altered-realms.meat-shield.trigger")
    def test_not_against_spells_nor_a_natural_1_nor_the_captive_nor_in_the_own_turn(self):
        t = shield_bout(dice=((14,),), kind="spell")
        t.declare("goblin", "attack", target="kara")
        assert t.waiting_on == ()
        t = shield_bout(dice=((1,),))
        t.declare("goblin", "attack", target="kara")
        assert t.waiting_on == ()
        t = held(dice=((5,),))
        turn(t, "orc")
        t.declare("orc", "attack", target="kara")
        assert t.waiting_on == ()
        t = shield_bout(dice=((10,),))
        turn(t, "kara")
        t.declare("kara", "walk", route=[(4, 4)])
        for asked in t.waiting_on:  # the Goblin's Opportunity Attack, in Kara's turn
            t.answer(asked, "0" if asked.actor == "goblin" else "pass")
        assert (t.waiting_on, rolled(t).actor) == ((), "goblin")

    @pytest.mark.rule("altered-realms.meat-shield.cost")
    def test_it_takes_the_reaction_whatever_comes_of_it(self):
        t = shield_bout(dice=((14,), (5,), (14,)))
        t.declare("goblin", "attack", target="kara")
        t.answer(question(t), "0")
        assert (who(t, "kara").reactions, left(t, "kara")) == (0, (0, 0, 0))
        t.declare("goblin", "attack", target="kara")  # and there is no second one
        assert t.waiting_on == ()

    @pytest.mark.rule("altered-realms.meat-shield.roll", "altered-realms.meat-shield.redirect")
    def test_case_07_a_tie_turns_the_blow_on_the_captive_whatever_its_ac(self):
        t = shield_bout(dice=((14,), (15,)))
        t.declare("goblin", "attack", target="kara")
        t.answer(question(t), "0")  # 15 + 2 = 17 against 14 + 3 = 17
        assert (who(t, "kara").hp, who(t, "orc").hp) == (20, 16)

    @pytest.mark.rule("altered-realms.meat-shield.roll", "altered-realms.meat-shield.failure")
    def test_case_07_one_less_and_the_grappler_is_hit(self):
        t = shield_bout(dice=((14,), (14,)))
        t.declare("goblin", "attack", target="kara")
        t.answer(question(t), "0")
        assert (who(t, "kara").hp, who(t, "orc").hp) == (16, 20)

    @pytest.mark.rule("altered-realms.meat-shield.failure")
    def test_after_a_failure_the_attack_may_still_miss(self):
        t = shield_bout(dice=((14,), (10,)), ac=18)
        t.declare("goblin", "attack", target="kara")
        t.answer(question(t), "0")
        assert (who(t, "kara").hp, who(t, "kara").reactions) == (20, 0)

    @pytest.mark.rule("altered-realms.meat-shield.roll")
    def test_case_07_against_a_called_shot_and_a_dodge_the_lower_total_counts(self):
        t = shield_bout(dice=((14,), (13,)), attack=5)
        t.declare("goblin", "attack", target="kara", part="head")
        assert question(t).prompt == "React?"
        t.answer(question(t), "0")  # 14 + 5 - 2 = 17 against 15
        assert who(t, "kara").hp == 16

    @pytest.mark.rule("altered-realms.meat-shield.redirect")
    def test_a_natural_20_is_compared_by_its_total(self):
        t = shield_bout(dice=((20,), (20,)), attack=2)
        t.declare("goblin", "attack", target="kara")
        t.answer(question(t), "0")  # 22 against 22
        assert who(t, "orc").hp == 16


def test_the_odds_of_a_blow_under_each_answer_of_the_defender():
    """Counted by hand: 14 + 3 meets AC 12 from 9 on; a shield of 2 + d20 must meet the total."""
    t = shield_bout()
    hit = sum(a == 20 or (a != 1 and a + 3 >= 12) for a in range(1, 21))
    plain = t.odds("goblin", "attack", target="kara", seat="guide", answers={"kara meat_shield": "pass"})
    assert plain.chance(lambda o: o.result == "hit") == Fraction(hit, 20)
    turned = sum(a != 1 and s + 2 >= a + 3 for a in range(1, 21) for s in range(1, 21))
    taken = sum((a == 20 or (a != 1 and a + 3 >= 12)) and s + 2 < a + 3 for a in range(1, 21) for s in range(1, 21))
    shielded = t.odds("goblin", "attack", target="kara", seat="guide", answers={"kara meat_shield": "0"})
    assert shielded.chance(lambda o: o.who == ("orc",) and o.result == "hit") == Fraction(turned, 400)
    assert shielded.chance(lambda o: o.who == ("kara",) and o.result == "hit") == Fraction(taken, 400)


def test_nobody_holds_what_is_not_there():
    t = bout()
    assert refused(lambda: t.declare("kara", "grapple", target="wolf"))
    assert rolled is not None
