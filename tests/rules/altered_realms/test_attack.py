"""Attacks, and what makes them better or worse. Dice in brackets are faces, single numbers totals."""

from fractions import Fraction

import pytest
from realms import (
    BOW,
    SWORD,
    armed,
    codes,
    creature,
    happened,
    left,
    passing,
    question,
    rolled,
    spent,
    table,
    turn,
    who,
)

from turnwright.systems.altered_realms.events import AimedAt, Harmed


def duel(dice=(), orc=None, **kara):
    """Kara beside an Orc with AC 15."""
    return table(
        creature("kara", "h", (1, 1), **({"items": [SWORD]} | kara)),
        creature("orc", "o", (2, 1), **({"ac": 15} | (orc or {}))),
        dice=dice,
        begin="kara",
    )


class TestAttack:
    @pytest.mark.rule("altered-realms.attack.any-attack-spends-action", "altered-realms.attack.extra-attacks-granted")
    def test_case_02_one_attack_of_three_takes_the_action(self):
        grants = [{"name": "skill", "attacks": 1}, {"name": "ability", "attacks": 1}]
        t = duel(dice=((5,),), traits=grants, training={"athletics": 1})
        assert spent(t, "kara", "attack", target="orc") == {"action": 1, "first attack": 1}
        t.declare("kara", "attack", target="orc")
        assert left(t, "kara")[0] == 0
        assert who(t, "kara").attacks == 2
        for deed, said in (("dodge", {"target": "orc"}), ("sprint", {}), ("recuperate", {})):
            assert "ACTION" in codes(t, "kara", deed, **said)
        assert "ACTION" in codes(t, "kara", "attempt", intent="up", method="climb", skill="athletics")

    @pytest.mark.rule("altered-realms.attack.any-attack-spends-action")
    def test_case_02_a_spent_action_leaves_none_of_three_attacks(self):
        t = duel(attacks=3)
        t.declare("kara", "sprint")
        assert codes(t, "kara", "attack", target="orc") == ["ACTION"]

    @pytest.mark.rule("altered-realms.attack.one-action-covers-all")
    def test_case_02_all_attacks_are_one_action_and_other_deeds_may_come_between(self):
        knife = {"name": "knife", "place": "holster", "weapon": {"damage": "1"}}
        t = duel(dice=((5,), (5,), (5,)), attacks=3, items=[SWORD, knife])
        t.declare("kara", "attack", target="orc")
        t.declare("kara", "walk", route=[(1, 2), (1, 1), (1, 2)])
        t.declare("kara", "draw", item="knife")
        assert spent(t, "kara", "attack", target="orc") == {"attack": 1}
        t.declare("kara", "attack", target="orc")
        t.declare("kara", "attack", target="orc", weapon="knife")
        assert (left(t, "kara"), who(t, "kara").attacks) == ((0, 0, 0), 0)
        assert codes(t, "kara", "attack", target="orc") == ["ACTION"]

    @pytest.mark.rule("altered-realms.attack.only-attack-abilities")
    def test_an_attack_is_for_what_counts_as_an_attack(self):
        bolt = {"name": "bolt", "kind": "spell", "damage": "1d6"}
        heal = {"name": "mend", "at": "ally", "heals": "1d8"}
        t = duel(weapons=[bolt], abilities=[heal], items=[SWORD, BOW])
        for weapon in ("sword", "bow", "bolt"):
            assert codes(t, "kara", "attack", target="orc", weapon=weapon) == []
        assert codes(t, "kara", "attack", target="orc", weapon="unarmed") == ["NO_HAND"]  # both are full
        assert codes(t, "kara", "attack", target="orc", weapon="mend") == ["NOT_AN_ATTACK"]

    @pytest.mark.rule("altered-realms.attack.damage-intent")
    def test_whoever_wants_to_hurt_is_pointed_to_an_attack_and_not_bound_to_it(self):
        t = duel()
        t.declare("kara", "attempt", intent="hurt the orc", method="drop a beam on it")
        suggested = question(t).question.suggested
        assert (suggested[0].kind, suggested[0].procedure) == ("procedure", "attack")
        assert len(suggested) > 1
        t = duel()
        t.declare("kara", "attempt", intent="get past it", method="climb over it")
        assert question(t).question.suggested[0].kind == "check"

    @pytest.mark.rule("altered-realms.attack.only-attack-abilities")
    def test_meeting_ac_hits_and_naturals_decide_attacks(self):
        for face, hits in ((11, True), (10, False)):
            t = duel(dice=((face,), 3), items=[armed(4)])
            t.declare("kara", "attack", target="orc")
            assert (who(t, "orc").hp < 20) is hits
        t = duel(dice=((20,), 3), orc={"ac": 99})
        t.declare("kara", "attack", target="orc")
        assert who(t, "orc").hp == 17
        t = duel(dice=((1,),), orc={"ac": 2}, items=[armed(9)])
        t.declare("kara", "attack", target="orc")
        assert who(t, "orc").hp == 20

    @pytest.mark.rule("altered-realms.attack.only-attack-abilities")
    def test_the_chance_to_hit_is_exact_with_naturals_and_advantage(self):
        t = duel(items=[armed(4)])  # 11 or more of 20
        assert t.odds("kara", "attack", target="orc", seat="guide").success == 10 / 20
        t = duel(items=[armed(0)], orc={"ac": 99})
        assert t.odds("kara", "attack", target="orc", seat="guide").success == Fraction(1, 20)
        t = duel(items=[armed(4)], orc={"conditions": ["prone"]})
        assert t.odds("kara", "attack", target="orc", seat="guide").success == 3 / 4
        t = duel(items=[armed(4)], orc={"conditions": ["restrained"]}, conditions=["prone"])  # one cancels the other
        assert t.odds("kara", "attack", target="orc", seat="guide").success == 1 / 2

    def test_a_long_weapon_reaches_between_the_nearest_tiles(self):
        t = table(
            creature("kara", "h", (1, 1), items=[armed(4, reach=2, name="spear")]),
            creature("ogre", "o", (3, 1), size="large"),
            creature("orc", "o", (4, 4)),
            begin="kara",
        )
        assert codes(t, "kara", "attack", target="ogre", weapon="spear") == []
        assert codes(t, "kara", "attack", target="ogre", weapon="unarmed") == ["OUT_OF_RANGE"]
        assert codes(t, "kara", "attack", target="orc", weapon="spear") == ["OUT_OF_RANGE"]

    def test_at_0_hp_a_creature_can_do_nothing(self):
        t = duel(dice=((15,), 25), items=[armed(4)])
        t.declare("kara", "attack", target="orc")
        assert who(t, "orc").hp == -5
        turn(t, "orc")
        assert "INCAPACITATED" in codes(t, "orc", "walk", route=[(3, 1)])
        t.declare("orc", "end")


def archer(dice=(), orc=(9, 1), goblin=(9, 4), **keys):
    bow = armed(5, name="bow", kind="ranged", range=30)
    return table(
        creature("kara", "h", (1, 1), **({"items": [bow], "attacks": 2} | keys)),
        creature("orc", "o", orc, ac=18, hp=50),
        creature("goblin", "o", goblin, ac=14, hp=50),
        rows=["." * 60] * 6,
        dice=dice,
        begin="kara",
    )


class TestAim:
    @pytest.mark.rule("altered-realms.aim.target-in-range")
    def test_the_target_is_within_range_and_seen(self):
        t = archer(orc=(26, 1), goblin=(41, 1))
        assert codes(t, "kara", "aim", target="orc") == []
        assert codes(t, "kara", "aim", target="goblin") == ["OUT_OF_RANGE"]
        assert left(t, "kara")[0] == 1

    @pytest.mark.rule("altered-realms.aim.cost")
    def test_it_costs_one_of_the_ranged_attacks_that_the_action_opens(self):
        t = archer(dice=((9,),))
        t.declare("kara", "aim", target="orc")
        assert (left(t, "kara")[0], who(t, "kara").attacks) == (0, 1)
        assert codes(t, "kara", "attack", target="orc") == []
        t = archer(items=[SWORD])
        assert codes(t, "kara", "aim", target="orc") == ["NO_RANGED_ATTACK"]

    @pytest.mark.rule("altered-realms.aim.bonus")
    def test_two_to_hit_and_two_to_damage(self):
        t = archer(dice=((9,), (5,)), items=[armed(4, "1d8+1", "ranged", name="bow", range=30)])
        t.override({"orc.ac": 15}, "a test")
        t.declare("kara", "aim", target="orc")
        t.declare("kara", "attack", target="orc")
        assert rolled(t).total == 15  # 9 + 4 + 2 meets AC 15
        assert who(t, "orc").hp == 50 - 8  # 5 + 1 + 2

    @pytest.mark.rule("altered-realms.aim.repeatable", "altered-realms.aim.next-shot-at-target-only")
    def test_case_03_aims_add_up_and_all_go_into_the_next_shot_at_that_target(self):
        t = archer(dice=((9,), (4,), (9,)))
        t.declare("kara", "aim", target="orc")
        t.declare("kara", "aim", target="orc")
        assert codes(t, "kara", "aim", target="orc") == ["ACTION"]
        turn(t, "orc")
        turn(t, "kara")
        t.declare("kara", "attack", target="orc")
        assert rolled(t).passed  # 9 + 5 + 4 = 18
        assert who(t, "orc").hp == 50 - 8
        t.declare("kara", "attack", target="orc")
        assert rolled(t).passed is False  # 14, without any of it

    @pytest.mark.rule("altered-realms.aim.expiry")
    def test_case_03_each_aim_lapses_as_the_next_turn_ends(self):
        t = archer(dice=((9,),))
        t.declare("kara", "aim", target="orc")
        t.declare("kara", "aim", target="orc")
        turn(t, "orc")
        turn(t, "kara")
        t.declare("kara", "aim", target="orc")
        assert len(t.state.related(AimedAt, "kara")) == 3
        turn(t, "orc")
        assert len(t.state.related(AimedAt, "kara")) == 1
        turn(t, "kara")
        t.declare("kara", "attack", target="orc")
        assert rolled(t).passed is False  # 9 + 5 + 2 = 16, and not 20
        turn(t, "orc")
        assert t.state.related(AimedAt, "kara") == ()

    @pytest.mark.rule("altered-realms.aim.next-shot-at-target-only")
    def test_case_03_a_shot_at_somebody_else_gets_nothing_and_uses_nothing_up(self):
        t = archer(dice=((9,), 3), items=[armed(5, name="bow", kind="ranged"), armed(5)])
        t.declare("kara", "aim", target="orc")
        t.declare("kara", "attack", target="goblin", weapon="bow")
        assert rolled(t).passed  # 14 meets AC 14
        assert happened(t, Harmed)[-1].amount == 3
        assert len(t.state.related(AimedAt, "kara")) == 1

    @pytest.mark.rule("altered-realms.aim.repeatable")
    def test_a_setting_lets_only_one_aim_count(self):
        bow = armed(5, name="bow", kind="ranged")
        t = table(
            creature("kara", "h", (1, 1), items=[bow], attacks=3),
            creature("orc", "o", (9, 1), ac=17),
            settings={"aim_stacks": False},
            dice=((9,),),
            begin="kara",
        )
        t.declare("kara", "aim", target="orc")
        t.declare("kara", "aim", target="orc")
        t.declare("kara", "attack", target="orc")
        assert rolled(t).passed is False  # 16


class TestTargeting:
    @pytest.mark.rule("altered-realms.targeting.cost")
    def test_it_is_the_attack_itself_and_not_for_spells(self):
        bolt = {"name": "bolt", "kind": "spell"}
        t = duel(dice=((12,),), attacks=2, weapons=[bolt])
        assert codes(t, "kara", "attack", target="orc", weapon="bolt", part="head") == ["SPELL"]
        t.declare("kara", "attack", target="orc", part="right leg")
        assert who(t, "kara").attacks == 1

    @pytest.mark.rule("altered-realms.targeting.base-penalty", "altered-realms.targeting.declare-region-first")
    def test_a_part_is_two_harder_and_is_told_with_the_hit(self):
        t = duel(dice=((12,), 3), items=[armed(5)])
        t.declare("kara", "attack", target="orc", part="right arm")
        assert who(t, "orc").hp == 17  # 12 + 5 - 2 = 15
        assert happened(t, Harmed)[-1].part == "right arm"
        t = duel(dice=((11,),), items=[armed(5)])
        t.declare("kara", "attack", target="orc", part="right arm")
        assert who(t, "orc").hp == 20  # 14
        assert codes(t, "kara", "attack", target="orc", part="wing")[0] == "NO_PART"

    @pytest.mark.rule(
        "altered-realms.targeting.smaller-is-worse-max-6",
        "altered-realms.targeting.body-example",
        "altered-realms.targeting.item-values",
    )
    @pytest.mark.parametrize(
        ("part", "least"),
        [
            *(("right arm", 12), ("right hand", 14), ("finger", 16), ("nail", 16)),
            *(("shield", 12), ("pin", 14), ("shield strap", 14), ("shield fastener", 16)),
        ],
    )
    def test_the_smaller_the_harder_down_to_six(self, part: str, least: int):
        worn = [{"name": "shield", "size": "medium"}, {"name": "pin", "size": "tiny"}]
        for face, hits in ((least, True), (least - 1, False)):
            t = table(
                creature("kara", "h", (1, 1), items=[armed(5)]),
                creature("orc", "o", (2, 1), ac=15, items=worn),
                settings={"regions": {"nail": {"tier": 4, "within": "finger"}}},
                dice=((face,), 3),
                begin="kara",
            )
            t.declare("kara", "attack", target="orc", part=part)
            assert (who(t, "orc").hp == 17) is hits, (part, face)

    @pytest.mark.rule("altered-realms.targeting.difficulty-rises-as-size-falls")
    def test_a_table_in_which_the_smaller_is_easier_is_refused(self):
        from turnwright.documents import BadScene

        with pytest.raises(BadScene, match="regions"):
            table(creature("kara", "h", (1, 1)), settings={"regions": {"eye": {"tier": 1, "within": "hand"}}})
        t = table(creature("kara", "h", (1, 1)), settings={"regions": {"eye": {"tier": 4, "within": "head"}}})
        assert who(t, "kara").hp == 20

    @pytest.mark.rule("altered-realms.targeting.items-too")
    def test_what_is_held_can_be_gone_for_and_what_is_packed_away_cannot(self):
        carried = [{"name": "shield", "size": "medium"}, {"name": "gem", "place": "pack", "size": "tiny"}]
        t = duel(orc={"items": carried})
        assert codes(t, "kara", "attack", target="orc", part="shield") == []
        assert codes(t, "kara", "attack", target="orc", part="gem") == ["PUT_AWAY"]


def run(distance=4, dice=(), start=(1, 3), **keys):
    """Kara, at the start of her turn, as far from the Orc as she will run."""
    keys = {"items": [armed(4, "1d6+2")], "attacks": 3, "speed": 6, **keys}
    creatures = [
        creature("kara", "h", start, **keys),
        creature("orc", "o", (start[0] + distance + 1, start[1]), hp=99, ac=30),
    ]
    return table(*creatures, dice=dice, begin="kara")


class TestCharge:
    @pytest.mark.rule("altered-realms.charge.cost")
    def test_it_uses_a_melee_attack(self):
        t = run(dice=((10,),), attacks=2)
        t.declare("kara", "walk", to=(5, 3))
        t.declare("kara", "charge", target="orc")
        assert (left(t, "kara")[0], who(t, "kara").attacks) == (0, 1)
        t = run(items=[BOW])
        t.declare("kara", "walk", to=(5, 3))
        assert "NOT_MELEE" in codes(t, "kara", "charge", target="orc", weapon="bow")

    @pytest.mark.rule("altered-realms.charge.at-end-of-movement")
    def test_it_comes_at_the_end_of_a_movement_and_ends_it(self):
        t = run(distance=0)
        assert codes(t, "kara", "charge", target="orc") == ["NO_MOVEMENT"]
        t = run(dice=((10,),))
        t.declare("kara", "walk", to=(5, 3))
        assert who(t, "kara").metres == 2
        t.declare("kara", "charge", target="orc")
        assert who(t, "kara").metres == 0

    @pytest.mark.rule("altered-realms.charge.four-meters-clear-line")
    def test_case_04_four_metres_in_one_clear_line(self):
        t = run(distance=3)
        t.declare("kara", "walk", to=(4, 3))
        assert codes(t, "kara", "charge", target="orc") == ["NO_RUN"]
        t = run(distance=6)
        t.declare("kara", "walk", route=[(2, 3), (3, 3), (4, 4), (5, 4), (6, 4), (7, 3)])
        assert codes(t, "kara", "charge", target="orc") == ["NO_RUN"]  # 6 m with a bend
        rows = ["." * 12] * 3 + ["....m......."] + ["." * 12] * 2
        t = table(
            creature("kara", "h", (1, 3), speed=9),
            creature("orc", "o", (8, 3)),
            rows=rows,
            legend={"m": {"name": "mud", "difficult": ["mud"]}},
            begin="kara",
        )
        t.declare("kara", "walk", route=[(n, 3) for n in range(2, 8)])
        assert codes(t, "kara", "charge", target="orc") == ["NO_RUN"]  # 6 m with mud in it
        t = table(creature("kara", "h", (1, 1)), creature("orc", "o", (6, 6)), begin="kara")
        t.declare("kara", "walk", to=(5, 5))
        assert codes(t, "kara", "charge", target="orc") == []  # a diagonal
        t = table(creature("kara", "h", (5, 1)), creature("orc", "o", (8, 1)), begin="kara")
        t.declare("kara", "walk", route=[(4, 1), (3, 1), (2, 1), (1, 1)])
        assert "NOT_TOWARD" in codes(t, "kara", "charge", target="orc")

    @pytest.mark.rule("altered-realms.charge.bonus")
    def test_two_to_hit_and_two_to_damage(self):
        t = run(dice=((10,), (3,)))
        t.override({"orc.ac": 16}, "a test")
        t.declare("kara", "walk", to=(5, 3))
        t.declare("kara", "charge", target="orc")
        assert rolled(t).passed  # 10 + 4 + 2 = 16
        assert who(t, "orc").hp == 99 - 7  # 3 + 2 + 2

    @pytest.mark.rule("altered-realms.charge.once-per-movement")
    def test_case_04_the_bonus_comes_once_for_each_movement(self):
        t = run(dice=((10,), 1, (10,), (10,), 1), traits=[{"name": "fleet", "movements": 1}])
        t.override({"orc.ac": 16}, "a test")
        t.declare("kara", "walk", to=(5, 3))
        t.declare("kara", "charge", target="orc")
        t.declare("kara", "charge", target="orc")
        t.answer(question(t), True)  # a warning that there is no bonus
        assert rolled(t).passed is False  # 14, and not 16
        t.declare("kara", "walk", route=[(4, 4), (3, 4), (2, 4), (1, 4)])
        passing(t)
        assert who(t, "kara").metres == 2

    @pytest.mark.rule("altered-realms.charge.once-per-movement")
    def test_case_04_a_bonus_movement_gives_another_charge_and_never_a_fourth_attack(self):
        t = table(
            creature("kara", "h", (1, 3), items=[armed(4)], attacks=2, traits=[{"name": "fleet", "movements": 1}]),
            creature("orc", "o", (6, 3), ac=16, hp=99),
            creature("wolf", "o", (5, 9), ac=16, hp=99),
            dice=((10,), 1, (10,), 1),
            begin="kara",
        )
        t.declare("kara", "walk", to=(5, 3))
        t.declare("kara", "charge", target="orc")
        t.declare("kara", "walk", route=[(5, n) for n in range(4, 9)])
        passing(t)
        t.declare("kara", "charge", target="wolf")
        assert rolled(t).passed  # 16 again
        assert codes(t, "kara", "charge", target="wolf") == ["ACTION"]
        assert "ACTION" in codes(t, "kara", "sprint")  # which cannot bring another Movement either

    @pytest.mark.rule("altered-realms.charge.bonus", "altered-realms.targeting.base-penalty")
    def test_case_04_a_charge_at_the_head_is_no_better_than_a_plain_blow(self):
        t = run(dice=((10,),))
        t.override({"orc.ac": 15}, "a test")
        t.declare("kara", "walk", to=(5, 3))
        t.declare("kara", "charge", target="orc", part="head")
        assert rolled(t).passed is False  # 10 + 4 + 2 - 2 = 14


class TestTrip:
    @pytest.mark.rule("altered-realms.trip.cost-and-range")
    def test_one_attack_at_close_quarters_and_no_free_hand(self):
        full = [armed(4), {"name": "shield"}]
        t = duel(dice=((5,),), items=full, attacks=2)
        t.declare("kara", "trip", target="orc")
        assert who(t, "kara").attacks == 1
        t = table(creature("kara", "h", (1, 1)), creature("orc", "o", (3, 1)), begin="kara")
        assert codes(t, "kara", "trip", target="orc") == ["OUT_OF_RANGE"]
        assert left(t, "kara") == (1, 1, 1)

    @pytest.mark.rule("altered-realms.trip.size-limit")
    @pytest.mark.parametrize(("size", "refused"), [("tiny", []), ("large", []), ("huge", ["TOO_LARGE"])])
    def test_at_most_one_size_larger(self, size: str, refused: list[str]):
        assert codes(duel(orc={"size": size}), "kara", "trip", target="orc") == refused

    @pytest.mark.rule("altered-realms.trip.roll", "altered-realms.trip.prone-no-damage")
    def test_a_hit_knocks_down_and_hurts_nobody(self):
        for face, down in ((11, True), (10, False)):
            t = duel(dice=((face,),), items=[armed(4)])
            t.declare("kara", "trip", target="orc")
            assert ("prone" in who(t, "orc").conditions) is down
            assert who(t, "orc").hp == 20
            assert left(t, "kara")[0] == 0

    @pytest.mark.rule("altered-realms.trip.prone-no-damage")
    def test_standing_up_takes_half_the_speed_in_metres(self):
        t = duel(orc={"conditions": ["prone"]})
        turn(t, "orc")
        t.declare("orc", "stand")
        assert who(t, "orc").metres == 3
        assert left(t, "orc") == (1, 1, 0)
        assert who(t, "orc").conditions == ()

    @pytest.mark.rule("altered-realms.trip.prone-no-damage")
    def test_prone_cuts_both_ways(self):
        t = archer(dice=((15, 3),))
        t.override({"orc.conditions": ["prone"]}, "a test")
        t.declare("kara", "attack", target="orc")
        assert rolled(t).edge == -1  # from afar


class TestGuard:
    @pytest.mark.rule("altered-realms.dodge.cost-and-designation")
    def test_an_action_for_one_creature_in_sight(self):
        rows = ["....#...", "....#...", "....#..."]
        t = table(
            creature("kara", "h", (1, 1)),
            creature("orc", "o", (3, 1)),
            creature("spy", "o", (6, 1)),
            rows=rows,
            begin="kara",
        )
        assert codes(t, "kara", "dodge", target="spy") == ["OUT_OF_SIGHT"]
        t.declare("kara", "dodge", target="orc")
        assert left(t, "kara") == (0, 1, 1)

    @pytest.mark.rule("altered-realms.dodge.attacker-penalty")
    def test_two_off_that_ones_attacks_at_the_dodger_and_nobody_elses(self):
        foes = [creature(name, "o", at, items=[armed(5)]) for name, at in (("orc", (2, 1)), ("wolf", (1, 2)))]
        ally = creature("ally", "h", (2, 2), ac=16)
        for attacker, target, hits in (("orc", "kara", False), ("wolf", "kara", True), ("orc", "ally", True)):
            t = table(creature("kara", "h", (1, 1), ac=16), ally, *foes, dice=((11,), 1), begin="kara")
            t.declare("kara", "dodge", target="orc")
            turn(t, attacker)
            t.declare(attacker, "attack", target=target)
            assert rolled(t).passed is hits  # 14 or 16

    @pytest.mark.rule("altered-realms.dodge.save-advantage")
    def test_case_13_advantage_on_saves_that_it_causes(self):
        fire = {"name": "fire", "at": "enemy", "save": "dex", "damage": "6"}
        casters = [creature(n, "o", at, abilities=[fire], spell_dc=14) for n, at in (("orc", (3, 1)), ("wolf", (3, 3)))]
        t = table(creature("kara", "h", (1, 1)), *casters, dice=((6, 14), (6,)), begin="kara")
        t.declare("kara", "dodge", target="orc")
        turn(t, "orc")
        t.declare("orc", "cast", ability="fire", target="kara")
        assert (rolled(t).passed, who(t, "kara").hp) == (True, 20)
        turn(t, "wolf")
        t.declare("wolf", "cast", ability="fire", target="kara")
        assert (rolled(t).edge, who(t, "kara").hp) == (0, 14)

    @pytest.mark.rule("altered-realms.dodge.duration")
    def test_it_is_over_as_the_dodgers_next_turn_starts(self):
        t = duel(dice=((11,), 1), ac=16, orc={"items": [armed(5)]})
        t.declare("kara", "dodge", target="orc")
        turn(t, "orc")
        turn(t, "kara")
        t.declare("kara", "walk", route=[(0, 1)])  # out of its reach
        t.answer(question(t), "0")
        assert rolled(t).passed  # 16 meets AC 16: no -2 any more

    @pytest.mark.rule("altered-realms.defensive-stance.cost")
    def test_an_action_and_one_whole_movement(self):
        t = duel()
        t.declare("kara", "defensive_stance")
        assert left(t, "kara") == (0, 1, 0)
        t = duel()
        t.declare("kara", "walk", route=[(1, 2)])
        assert "MOVEMENT" in codes(t, "kara", "defensive_stance")
        assert who(t, "kara").actions == 1

    @pytest.mark.rule("altered-realms.defensive-stance.ac", "altered-realms.defensive-stance.duration")
    def test_four_more_ac_until_the_own_next_turn(self):
        for face, hits in ((14, True), (13, False)):
            t = duel(dice=((face,), 1), ac=15, orc={"items": [armed(5)]})
            t.declare("kara", "defensive_stance")
            turn(t, "orc")
            t.declare("orc", "attack", target="kara")
            assert rolled(t).passed is hits  # AC 19
        t = duel(dice=((10,), 1), ac=15, orc={"items": [armed(5)]})
        t.declare("kara", "defensive_stance")
        turn(t, "orc")
        turn(t, "kara")
        t.declare("kara", "walk", route=[(0, 1)])
        t.answer(question(t), "0")
        assert rolled(t).passed  # 15 meets AC 15 again

    @pytest.mark.rule("altered-realms.defensive-stance.destiny-die")
    def test_case_13_a_destiny_die_on_saves_that_avoid_damage_and_on_no_other(self):
        fire = {"name": "fire", "at": "enemy", "save": "dex", "damage": "6"}
        fear = {"name": "fear", "at": "enemy", "save": "wis", "condition": "restrained"}
        for ability, edge in ((fire, 1), (fear, 0)):
            t = duel(dice=((7, 12) if edge else (12,),), orc={"abilities": [ability], "spell_dc": 12})
            t.declare("kara", "defensive_stance")
            turn(t, "orc")
            t.declare("orc", "cast", ability=ability["name"], target="kara")
            assert (rolled(t).edge, rolled(t).passed) == (edge, True)

    @pytest.mark.rule("altered-realms.defensive-stance.destiny-die", "altered-realms.dodge.save-advantage")
    def test_a_destiny_die_can_be_a_d6_that_is_added(self):
        fire = {"name": "fire", "at": "enemy", "save": "dex", "damage": "6"}
        t = table(
            creature("kara", "h", (1, 1)),
            creature("orc", "o", (2, 1), abilities=[fire], spell_dc=12),
            settings={"destiny": "d6"},
            dice=((4,), (8,)),
            begin="kara",
        )
        t.declare("kara", "defensive_stance")
        turn(t, "orc")
        t.declare("orc", "cast", ability="fire", target="kara")
        assert (rolled(t).edge, rolled(t).passed) == (0, True)  # 8 + 4
