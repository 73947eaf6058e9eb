"""Pushed, dragged, thrown, and the Last Grasp at a ledge. Dice in brackets are faces, single numbers totals."""

import pytest
from realms import armed, codes, creature, happened, left, passing, question, rolled, table, turn, who

from turnwright.systems.altered_realms.events import Fell, RolledD20
from turnwright.systems.altered_realms.forced import push_metres
from turnwright.systems.altered_realms.holding import Holds
from turnwright.systems.altered_realms.hurl import bystander_dc, throw_metres, thrown_dice

PIT = {"~": {"name": "a chasm", "drop": 10}, "-": {"name": "a ditch", "drop": 3}}


def holds(t):
    return [(hold.owner, hold.other) for hold in t.state.every(Holds)]


def shoving(dice=(), orc=None, at=(6, 5), rows=None, **kara):
    return table(
        creature("kara", "h", (5, 5), **({"str_": 4} | kara)),
        creature("orc", "o", at, **({"ac": 13} | (orc or {}))),
        rows=rows or ["." * 16] * 10,
        legend=PIT,
        dice=dice,
        begin="kara",
    )


class TestPush:
    @pytest.mark.rule("altered-realms.push.free-hand-and-cost")
    def test_a_free_hand_and_one_attack(self):
        t = shoving(items=[armed(4), {"name": "shield"}])
        assert codes(t, "kara", "push", target="orc") == ["NO_FREE_HAND"]
        t = shoving(dice=((5,),), items=[armed(4)], attacks=2)
        t.declare("kara", "push", target="orc")
        assert (left(t, "kara")[0], who(t, "kara").attacks) == (0, 1)

    @pytest.mark.rule("altered-realms.push.free-hand-and-cost")
    def test_the_hand_that_holds_the_target_will_do_and_for_nobody_else(self):
        t = table(
            creature("kara", "h", (5, 5), items=[{"name": "shield"}], attacks=2),
            creature("orc", "o", (6, 5)),
            creature("goblin", "o", (5, 6)),
            dice=((20,),),
            begin="kara",
        )
        t.declare("kara", "grapple", target="orc")
        assert codes(t, "kara", "push", target="orc") == []
        assert codes(t, "kara", "push", target="goblin") == ["NO_FREE_HAND"]

    @pytest.mark.rule("altered-realms.push.range")
    def test_within_melee_range(self):
        t = shoving(at=(8, 5))
        assert codes(t, "kara", "push", target="orc") == ["OUT_OF_RANGE"]
        assert left(t, "kara") == (1, 1, 1)

    @pytest.mark.rule("altered-realms.push.size-limit")
    def test_at_most_one_size_larger(self):
        for size, refused in (("medium", []), ("large", ["TOO_LARGE"])):
            assert codes(shoving(size="small", orc={"size": size}), "kara", "push", target="orc") == refused

    @pytest.mark.rule("altered-realms.push.melee-roll")
    def test_a_hit_moves_and_a_miss_does_not(self):
        for face, at in ((9, (8, 5)), (8, (6, 5))):
            t = shoving(dice=((face,),))
            t.declare("kara", "push", target="orc")
            assert (who(t, "orc").at, left(t, "kara")[0]) == (at, 0)

    @pytest.mark.rule("altered-realms.push.no-damage")
    def test_moving_is_a_choice_and_nobody_is_hurt(self):
        for metres, at in ((0, (6, 5)), (3, (9, 5))):
            t = shoving(dice=((19,),), str_=6)
            t.declare("kara", "push", target="orc", metres=metres)
            assert (who(t, "orc").at, who(t, "orc").hp) == (at, 20)
        assert codes(shoving(), "kara", "push", target="orc", metres=3) == ["TOO_FAR"]

    @pytest.mark.rule("altered-realms.push.distance")
    @pytest.mark.parametrize(("str_", "dex", "metres"), [(6, 0, 3), (1, 0, 1), (-2, 0, 1), (5, 2, 2)])
    def test_half_the_better_modifier_rounded_down_and_at_least_one(self, str_: int, dex: int, metres: int):
        assert push_metres(who(shoving(str_=str_, dex_=dex), "kara")) == metres

    @pytest.mark.rule("altered-realms.push.direction")
    def test_away_toward_and_anywhere(self):
        t = shoving(dice=((15,),))
        t.declare("kara", "push", target="orc")
        assert who(t, "orc").at == (8, 5)
        t = shoving(dice=((15,),), at=(8, 5), items=[armed(4, reach=3)])
        t.declare("kara", "push", target="orc", how="pull")
        assert who(t, "orc").at == (6, 5)
        t = shoving(dice=((15,),))
        t.declare("kara", "push", target="orc", how="drag", direction="south")
        assert who(t, "orc").at == (6, 7)

    @pytest.mark.rule("altered-realms.push.direction")
    def test_it_stops_at_an_obstacle_and_before_somebody(self):
        t = shoving(dice=((15,),), rows=["." * 7 + "#" + "." * 8] * 10)
        t.declare("kara", "push", target="orc")
        assert who(t, "orc").at == (6, 5)
        t = table(
            creature("kara", "h", (5, 5), str_=4),
            creature("orc", "o", (6, 5)),
            creature("wall", "o", (8, 5)),
            dice=((15,),),
            begin="kara",
        )
        t.declare("kara", "push", target="orc")
        assert who(t, "orc").at == (7, 5)


def dragged(dice=(), finn=None, own=False, metres=None, **keys):
    """Finn holds the Orc; Kara, or Finn himself, drags it east."""
    puller = "finn" if own else "kara"
    t = table(
        creature("finn", "h", (5, 5), **({"str_": 6, "attacks": 2} | (finn or {}))),
        creature("orc", "o", (6, 5), ac=5),
        creature("kara", "h", (6, 6), str_=6),
        dice=((19,), (19,), *dice),
        begin="finn",
    )
    t.declare("finn", "grapple", target="orc")
    if keys.get("walked"):
        t.override({"finn.movements": 0, "finn.metres": keys["walked"]}, "a test")
    if not own:
        turn(t, "kara")
    said = {"metres": metres} if metres else {}
    t.declare(puller, "push", target="orc", how="drag", direction="east", **said)
    return t


class TestFollowing:
    @pytest.mark.rule("altered-realms.push.grappler-may-follow")
    def test_in_the_own_turn_for_metres_of_what_movement_is_left(self):
        t = dragged(own=True, walked=5)
        t.answer(question(t), "0")
        assert (who(t, "finn").at, who(t, "finn").metres) == ((8, 5), 2)
        assert holds(t) == [("finn", "orc")]
        assert who(t, "finn").reactions == 1
        t = dragged(own=True, walked=2)
        assert t.waiting_on == ()
        assert holds(t) == []  # left behind

    @pytest.mark.rule("altered-realms.push.grappler-may-follow")
    def test_off_turn_for_a_reaction_and_with_speed_enough(self):
        t = dragged()
        t.answer(question(t), "0")
        assert (who(t, "finn").at, who(t, "finn").reactions, holds(t)) == ((8, 5), 0, [("finn", "orc")])
        for finn in ({"reactions": 0}, {"speed": 2}):
            t = dragged(finn=finn)
            assert t.waiting_on == ()
            assert holds(t) == []

    @pytest.mark.rule("altered-realms.push.grappler-may-follow")
    def test_whoever_stays_lets_go_only_if_the_captive_is_out_of_reach(self):
        t = dragged()
        passing(t)
        assert (who(t, "finn").at, holds(t)) == ((5, 5), [])


EDGE = ["." * 7 + "~" * 9] * 10
DITCH = ["." * 7 + "-" * 9] * 10


def over(dice=(), rows=EDGE, orc=None, **kara):
    """Kara has pushed the Orc at the edge of a chasm of 10 m."""
    t = shoving(((15,), *dice), {"dex_": 2} | (orc or {}), rows=rows, **({"maneuver_dc": 14} | kara))
    t.declare("kara", "push", target="orc")
    return t


class TestLastGrasp:
    @pytest.mark.rule("altered-realms.last-grasp.trigger-and-cost")
    def test_whoever_is_driven_over_a_ledge_may_catch_itself_for_a_reaction(self):
        t = over(dice=((12,),))
        assert question(t).prompt == "React?"
        t.answer(question(t), "0")
        assert who(t, "orc").reactions == 0
        t = over(dice=(40,), orc={"reactions": 0})
        assert who(t, "orc").at == (7, 5)  # it fell without a roll
        assert [e.what for e in happened(t, RolledD20)] == ["attack with unarmed"]

    @pytest.mark.rule("altered-realms.last-grasp.trigger-and-cost")
    def test_a_hazard_that_one_knows_of_and_only_that(self):
        t = shoving()
        t.declare("", "hazard", target="orc", damage="5")
        assert (t.waiting_on, who(t, "orc").hp) == ((), 15)
        t.declare("", "hazard", target="orc", damage="5", aware=True)
        assert question(t).prompt == "React?"

    @pytest.mark.rule("altered-realms.last-grasp.trigger-and-cost")
    def test_it_is_open_in_the_own_turn_too(self):
        t = shoving(dice=((10,),))
        t.declare("", "hazard", target="kara", damage="5", aware=True)
        t.answer(question(t), "0")
        t.answer(question(t), question(t).question.options[0].id)
        assert (who(t, "kara").hp, who(t, "kara").reactions) == (20, 0)
        assert who(t, "kara").at != (5, 5)

    @pytest.mark.rule("altered-realms.last-grasp.dex-save", "altered-realms.last-grasp.dc-physical")
    def test_a_dex_save_against_the_pushers_maneuver_dc(self):
        for face, passed in ((12, True), (11, False)):
            t = over(dice=((face,), 20))
            t.answer(question(t), "0")
            assert rolled(t).passed is passed  # 14 meets 14
            assert (happened(t, Fell) == []) is passed

    @pytest.mark.rule("altered-realms.last-grasp.dc-magical")
    def test_against_magic_the_spell_save_dc(self):
        gust = {"name": "gust", "at": "enemy", "push": 3}
        for face, passed in ((16, True), (15, False)):
            t = shoving(dice=((face,), 20), rows=EDGE, abilities=[gust], spell_dc=16, maneuver_dc=12)
            t.declare("kara", "cast", ability="gust", target="orc")
            t.answer(question(t), "0")
            assert rolled(t).passed is passed

    @pytest.mark.rule("altered-realms.last-grasp.dc-magical")
    def test_a_spell_dc_that_is_not_on_the_sheet(self):
        from turnwright.systems.altered_realms.sheet import spell_dc

        t = shoving(casting="wis", wis_=3, spell_training=2)
        assert spell_dc(t.state, who(t, "kara")) == 15

    @pytest.mark.rule("altered-realms.last-grasp.dc-other")
    def test_where_nobody_pushed_it_is_ten_or_what_the_narrator_says(self):
        for said, face, passed in (({}, 10, True), ({}, 9, False), ({"dc": 16}, 15, False), ({"dc": 16}, 16, True)):
            t = shoving(dice=((face,), 20))
            t.declare("", "hazard", target="orc", fall=10, aware=True, **said)
            t.answer(question(t), "0")
            assert rolled(t).passed is passed

    @pytest.mark.rule("altered-realms.last-grasp.pass")
    def test_a_pass_ends_the_forced_move_on_a_tile_within_a_metre(self):
        t = over(dice=((12,),))
        t.answer(question(t), "0")
        ids = [option.id for option in question(t).question.options]
        assert ids == ["6,5", "6,6", "6,4", "fall"]
        t.answer(question(t), "6,4")
        assert (who(t, "orc").at, who(t, "orc").hp, happened(t, Fell)) == ((6, 4), 20, [])

    @pytest.mark.rule("altered-realms.last-grasp.pass")
    def test_whoever_declines_falls_and_one_who_is_held_may_step_too(self):
        t = over(dice=((12,), 30))
        t.answer(question(t), "0")
        t.answer(question(t), "fall")
        assert who(t, "orc").at == (7, 5)
        t = shoving(((20,), (15,), (12,)), {"dex_": 2}, rows=EDGE, maneuver_dc=14, attacks=2)
        t.declare("kara", "grapple", target="orc")
        t.declare("kara", "push", target="orc")
        t.answer(question(t), "0")
        t.answer(question(t), "6,6")
        assert (who(t, "orc").at, who(t, "orc").movements) == ((6, 6), 0)

    @pytest.mark.rule("altered-realms.last-grasp.fail")
    def test_a_fall_of_10_metres_is_7d10_and_one_of_3_nothing(self):
        t = over(dice=((2,), (5,) * 7))
        t.answer(question(t), "0")
        assert [e.metres for e in happened(t, Fell)] == [10]
        assert (who(t, "orc").hp, who(t, "orc").reactions) == (20 - 35, 0)
        t = over(dice=((2,),), rows=DITCH)
        t.answer(question(t), "0")
        assert ([e.metres for e in happened(t, Fell)], who(t, "orc").hp) == ([3], 20)

    @pytest.mark.rule("altered-realms.last-grasp.dex-save", "altered-realms.dodge.save-advantage")
    def test_case_13_advantage_for_a_dodger_whom_the_ogre_pushes(self):
        t = shoving(((15,), (5, 13)), {"dex_": 2, "ac": 5}, rows=EDGE, maneuver_dc=14)
        turn(t, "orc")
        t.declare("orc", "dodge", target="kara")
        turn(t, "kara")
        t.declare("kara", "push", target="orc")
        t.answer(question(t), "0")
        assert (rolled(t).edge, rolled(t).passed) == (1, True)  # 13 + 2 = 15

    @pytest.mark.rule("altered-realms.last-grasp.dex-save", "altered-realms.defensive-stance.destiny-die")
    @pytest.mark.parametrize(("rows", "edge"), [(EDGE, 1), (DITCH, 0)])
    def test_case_13_a_destiny_die_only_where_the_fall_would_hurt(self, rows: list, edge: int):
        t = shoving(((15,), (4, 12) if edge else (12,)), {"dex_": 2, "ac": 5}, rows=rows, maneuver_dc=14)
        turn(t, "orc")
        t.declare("orc", "defensive_stance")
        turn(t, "kara")
        t.declare("kara", "push", target="orc")
        t.answer(question(t), "0")
        assert (rolled(t).edge, rolled(t).passed) == (edge, True)


def throwing(dice=(), orc=None, others=(), rows=None, **kara):
    """Kara has taken hold of the Orc."""
    t = table(
        creature("kara", "h", (5, 5), **({"str_": 4, "dex_": 1, "attacks": 2} | kara)),
        creature("orc", "o", (6, 5), **({"ac": 14, "hp": 30} | (orc or {}))),
        *others,
        rows=rows or ["." * 16] * 10,
        legend=PIT,
        dice=((20,), *dice),
        begin="kara",
    )
    said = {"part": "right arm"} if (orc or {}).get("size") == "huge" else {}
    t.declare("kara", "grapple", target="orc", **said)
    return t


class TestThrowOpponent:
    @pytest.mark.rule("altered-realms.throw-opponent.precondition")
    def test_only_whom_one_holds_and_at_most_one_size_larger(self):
        assert codes(throwing(orc={"size": "large"}), "kara", "throw_opponent", target="orc", direction="east") == []
        t = throwing(orc={"size": "huge"})
        assert codes(t, "kara", "throw_opponent", target="orc", direction="east") == ["TOO_LARGE"]
        t = table(creature("kara", "h", (5, 5)), creature("orc", "o", (6, 5), size="small"), begin="kara")
        assert codes(t, "kara", "throw_opponent", target="orc", direction="east") == ["NOT_HELD"]

    @pytest.mark.rule("altered-realms.throw-opponent.cost", "altered-realms.throw-opponent.roll")
    def test_case_14_grapple_and_throw_in_one_action(self):
        t = throwing(((11,), (4, 6)), items=[armed(4, "99")])
        t.declare("kara", "throw_opponent", target="orc", direction="east")
        assert (left(t, "kara")[0], who(t, "kara").attacks) == (0, 0)
        assert (who(t, "orc").at, who(t, "orc").hp) == ((10, 5), 20)  # 4 m, not 2; 10 damage, no weapon's
        assert holds(t) == []

    @pytest.mark.rule("altered-realms.throw-opponent.roll")
    def test_a_miss_leaves_it_held(self):
        t = throwing(((8,),))  # 8 + 4 = 12 against 14
        t.declare("kara", "throw_opponent", target="orc", direction="east")
        assert (who(t, "orc").at, holds(t), who(t, "kara").attacks) == ((6, 5), [("kara", "orc")], 0)

    @pytest.mark.rule("altered-realms.throw-opponent.distance")
    def test_the_whole_of_the_better_modifier_and_at_least_one(self):
        assert throw_metres(who(throwing(), "kara")) == 4
        assert throw_metres(who(throwing(str_=-1, dex_=0), "kara")) == 1
        t = throwing(((11,), (4, 6)))
        t.declare("kara", "throw_opponent", target="orc", direction="east", metres=1)
        assert (who(t, "orc").at, holds(t)) == ((7, 5), [])

    @pytest.mark.rule("altered-realms.throw-opponent.damage")
    @pytest.mark.parametrize(
        ("size", "dice"), [("tiny", 1), ("small", 1), ("medium", 2), ("large", 3), ("gargantuan", 3)]
    )
    def test_one_to_three_d8_by_its_own_size(self, size: str, dice: int):
        t = table(creature("kara", "h", (1, 1), size=size), rows=["." * 16] * 10)
        assert thrown_dice(t.state, who(t, "kara")) == dice

    @pytest.mark.rule("altered-realms.throw-opponent.bystander-dc")
    @pytest.mark.parametrize(("size", "dc"), [("medium", 13), ("large", 14), ("gargantuan", 17)])
    def test_the_dc_goes_by_the_thrown_body(self, size: str, dc: int):
        t = table(creature("kara", "h", (1, 1), size=size), rows=["." * 16] * 10)
        assert bystander_dc(t.state, who(t, "kara")) == dc

    @pytest.mark.rule("altered-realms.throw-opponent.bystander-damage", "altered-realms.throw-opponent.bystander-dc")
    def test_case_14_whoever_is_struck_takes_the_same_damage(self):
        goblin = creature("goblin", "o", (8, 5), size="small")
        for face, hp in ((12, 10), (13, 20)):
            t = throwing(((11,), (4, 6), (face,)), others=[goblin])
            t.declare("kara", "throw_opponent", target="orc", direction="east")
            assert (who(t, "goblin").hp, who(t, "goblin").reactions) == (hp, 1)
            assert who(t, "orc").at == (10, 5)  # it flies on over it

    @pytest.mark.rule("altered-realms.throw-opponent.larger-bigger-projectile")
    def test_a_large_body_sweeps_a_path_of_two(self):
        goblin = creature("goblin", "o", (9, 6))
        t = throwing(((11,), 10, (20,)), {"size": "large"}, [goblin])
        before = len(happened(t, RolledD20))
        t.declare("kara", "throw_opponent", target="orc", direction="east")
        assert len(happened(t, RolledD20)) == before + 2  # its roll, and the Goblin's save
        t = throwing(((11,), 10), {}, [goblin])
        t.declare("kara", "throw_opponent", target="orc", direction="east")
        assert len(happened(t, RolledD20)) == before + 1

    @pytest.mark.rule("altered-realms.last-grasp.dc-physical")
    def test_case_14_over_a_ledge_there_is_a_last_grasp(self):
        t = throwing(((11,), (13,), (4, 6)), {"dex_": 2}, rows=["." * 8 + "~" * 8] * 10, maneuver_dc=15)
        t.declare("kara", "throw_opponent", target="orc", direction="east")
        t.answer(question(t), "0")
        assert rolled(t).passed  # 15 meets the thrower's 15
        t.answer(question(t), question(t).question.options[0].id)
        assert (who(t, "orc").at, happened(t, Fell)) == ((7, 5), [])
