"""Pushes, throws, ledges and following in the cases that are easy to overlook. Dice in brackets are faces."""

import pytest
from realms import armed, codes, creature, happened, passing, question, rolled, table, turn, who

from turnwright.systems.altered_realms.events import Fell, Forced, RolledD20
from turnwright.systems.altered_realms.holding import Holds

DROPS = {"~": {"name": "a chasm", "drop": 10}, "-": {"name": "a ditch", "drop": 4}, "m": {"name": "mud", "factor": 2}}


def holds(t):
    return [(hold.owner, hold.other) for hold in t.state.every(Holds)]


def shoving(dice=(), orc=None, at=(6, 5), rows=None, others=(), **kara):
    """Kara at (5, 5) and the Orc, in her turn; STR +4 pushes 2 m and throws 4 m."""
    return table(
        creature("kara", "h", (5, 5), **({"str_": 4, "maneuver_dc": 14} | kara)),
        creature("orc", "o", at, **({"ac": 13, "hp": 99} | (orc or {}))),
        *others,
        rows=rows or ["." * 16] * 10,
        legend=DROPS,
        dice=dice,
        begin="kara",
    )


def columns(text: str) -> list[str]:
    return [text] * 10


# -- push


@pytest.mark.rule("altered-realms.push.distance", "altered-realms.last-grasp.trigger-and-cost")
def test_the_save_comes_at_the_edge_and_a_fall_uses_up_the_rest_of_the_push():
    for reactions in (1, 0):
        rows = columns("." * 7 + "~" * 9)
        t = shoving(((15,), *(((2,),) if reactions else ()), (5,) * 7), {"reactions": reactions}, rows=rows, str_=8)
        t.declare("kara", "push", target="orc")  # 4 m, of which the first is beyond the edge
        if reactions:
            assert who(t, "orc").at == (6, 5)  # not yet over it
            t.answer(question(t), "0")
        assert (who(t, "orc").at, who(t, "orc").hp) == ((7, 5), 99 - 35)
        assert [e.metres for e in happened(t, Fell)] == [10]


@pytest.mark.rule("altered-realms.last-grasp.pass", "altered-realms.push.distance")
def test_the_metres_before_the_edge_are_gone_and_a_pass_ends_the_push():
    t = shoving(((15,), (20,)), rows=columns("." * 9 + "~" * 7), str_=8)
    t.declare("kara", "push", target="orc")  # 4 m: two on solid ground
    assert who(t, "orc").at == (8, 5)
    t.answer(question(t), "0")
    t.answer(question(t), "8,5")
    assert (who(t, "orc").at, t.outcome.amount, happened(t, Fell)) == ((8, 5), 2, [])


@pytest.mark.rule("altered-realms.push.direction")
def test_a_push_leads_up_no_wall_of_a_pit():
    t = shoving(((15,),), rows=columns("." * 4 + "~" * 3 + "." * 9))  # both stand at the bottom
    t.declare("kara", "push", target="orc")
    assert (who(t, "orc").at, happened(t, Fell)) == ((6, 5), [])


@pytest.mark.rule("altered-realms.last-grasp.fail")
def test_from_a_ditch_into_a_chasm_it_falls_the_difference():
    t = shoving(((15,), (5,) * 3), {"reactions": 0}, rows=columns("." * 4 + "-" * 3 + "~" * 9))
    t.declare("kara", "push", target="orc")
    assert [e.metres for e in happened(t, Fell)] == [6]
    assert who(t, "orc").hp == 99 - 15  # 3d10


@pytest.mark.rule("altered-realms.last-grasp.pass")
def test_at_a_ledge_within_a_ditch_one_steps_back_onto_the_ditch():
    t = shoving(((15,), (20,)), rows=columns("." * 4 + "-" * 3 + "~" * 9))
    t.declare("kara", "push", target="orc")
    t.answer(question(t), "0")
    assert [option.id for option in question(t).question.options] == ["6,5", "6,6", "6,4", "fall"]


@pytest.mark.rule("altered-realms.push.direction", "altered-realms.last-grasp.trigger-and-cost")
def test_whoever_lies_at_the_bottom_saves_nobody_from_the_fall():
    goblin = creature("goblin", "o", (7, 5))
    t = shoving(((15,), (5,) * 7), {"reactions": 0}, rows=columns("." * 7 + "~" * 9), others=[goblin])
    t.declare("kara", "push", target="orc")
    assert [e.metres for e in happened(t, Fell)] == [10]
    assert who(t, "orc").at == (8, 5)  # beside it


@pytest.mark.rule("altered-realms.push.direction")
def test_a_large_body_is_pushed_as_a_whole_and_falls_when_no_tile_of_it_is_solid():
    keys = {"size": "large", "reactions": 0}
    t = shoving(((15,),), keys, rows=["." * 16] * 5 + ["." * 16, "." * 9 + "#" + "." * 6] + ["." * 16] * 3)
    t.declare("kara", "push", target="orc")  # the pillar at (9, 6) is in the way of its lower half
    assert who(t, "orc").at == (7, 5)
    for str_, at, fell in ((4, (8, 5), []), (6, (9, 5), [10])):  # 2 m: half over the edge; 3 m: beyond it
        t = shoving(((15,), (5,) * 7), keys, rows=columns("." * 9 + "~" * 7), str_=str_)
        t.declare("kara", "push", target="orc")
        assert (who(t, "orc").at, [e.metres for e in happened(t, Fell)]) == (at, fell)


@pytest.mark.rule("altered-realms.push.direction")
@pytest.mark.parametrize(("at", "ends"), [((6, 6), (8, 8)), ((4, 5), (2, 5)), ((5, 4), (5, 2))])
def test_a_push_leads_straight_away_from_whoever_pushes(at, ends):
    t = shoving(((15,),), at=at)
    t.declare("kara", "push", target="orc")
    assert who(t, "orc").at == ends


@pytest.mark.rule("altered-realms.push.direction")
def test_neither_map_edge_nor_wall_nor_shut_door_is_passed():
    t = shoving(((15,),), rows=columns("." * 7))
    t.declare("kara", "push", target="orc")
    assert who(t, "orc").at == (6, 5)
    for more in ({"walls": [{"between": [[7, 5], [8, 5]]}]}, {"doors": [{"id": "gate", "between": [[7, 5], [8, 5]]}]}):
        t = table(
            creature("kara", "h", (5, 5), str_=4), creature("orc", "o", (6, 5)), map_=more, dice=((15,),), begin="kara"
        )
        t.declare("kara", "push", target="orc")
        assert who(t, "orc").at == (7, 5)


@pytest.mark.rule("altered-realms.push.direction")
def test_a_pull_ends_before_whoever_pulls():
    t = shoving(((15,),), at=(7, 5), items=[armed(4, reach=3)], str_=8)
    t.declare("kara", "push", target="orc", how="pull")
    assert who(t, "orc").at == (6, 5)


@pytest.mark.rule("altered-realms.push.free-hand-and-cost", "altered-realms.reaction.any-off-turn-act")
def test_a_primed_push_is_a_reaction_and_no_more():
    t = shoving(((15,),))
    t.declare("kara", "prime", deed="push", target="orc", trigger="it comes on")
    turn(t, "orc")
    t.declare("kara", "fire_primed")
    while t.waiting_on:
        asked = question(t)
        t.answer(asked, {"kind": "procedure"} if asked.question.__class__.__name__ == "Clarify" else 0)
    assert (who(t, "orc").at, who(t, "kara").reactions) == ((8, 5), 0)


# -- following


def dragged(rows=None, finn=None, own=True, str_=6, dice=(), others=(), **said):
    """Finn, STR +6, holds the Orc and drags it east, 3 m, in his own turn or in Kara's."""
    t = table(
        creature("finn", "h", (5, 5), **({"str_": 6, "attacks": 2} | (finn or {}))),
        creature("orc", "o", (6, 5), ac=5, hp=99),
        creature("kara", "h", (6, 6), str_=str_, maneuver_dc=14),
        *others,
        rows=rows,
        legend=DROPS,
        dice=((19,), (19,), *dice),
        begin="finn",
    )
    t.declare("finn", "grapple", target="orc")
    if not own:
        turn(t, "kara")
    t.declare("finn" if own else "kara", "push", target="orc", how="drag", direction="east", **said)
    return t


@pytest.mark.rule("altered-realms.push.grappler-may-follow")
def test_a_whole_movement_that_is_unspent_pays_for_following():
    t = dragged()
    t.answer(question(t), "0")
    assert (who(t, "finn").at, who(t, "finn").movements, who(t, "finn").metres) == ((8, 5), 0, 3)
    assert holds(t) == [("finn", "orc")]


@pytest.mark.rule("altered-realms.push.grappler-may-follow")
def test_over_hard_ground_it_takes_the_movement_that_such_ground_takes():
    t = dragged(rows=columns("." * 6 + "m" * 4 + "." * 6))
    t.answer(question(t), "0")  # three tiles of mud: 6 m
    assert (who(t, "finn").at, who(t, "finn").metres) == ((8, 5), 0)
    t = dragged(rows=columns("." * 6 + "m" * 4 + "." * 6), finn={"speed": 5}, own=False)
    assert t.waiting_on == ()
    assert holds(t) == []


@pytest.mark.rule("altered-realms.push.grappler-may-follow", "altered-realms.carry.athletics-roll")
def test_whoever_carries_somebody_follows_no_farther_than_half_its_speed():
    bo = creature("bo", "h", (4, 5))
    t = table(
        creature("finn", "h", (5, 5), str_=6, speed=5),
        creature("orc", "o", (6, 5), ac=5),
        creature("kara", "h", (6, 6), str_=6),
        bo,
        dice=((20,), (20,), (19,)),
        begin="finn",
    )
    t.declare("finn", "grapple", target="orc")
    t.override({"finn.actions": 1}, "a test")
    t.declare("finn", "carry", target="bo")
    turn(t, "kara")
    t.declare("kara", "push", target="orc", how="drag", direction="east")  # 3 m; he makes 2 with Bo
    assert t.waiting_on == ()
    assert holds(t) == []


@pytest.mark.rule("altered-realms.push.grappler-may-follow")
def test_whoever_is_held_does_not_follow():
    t = table(
        creature("finn", "h", (5, 5), str_=6, ac=5),
        creature("orc", "o", (6, 5), ac=5),
        creature("kara", "h", (6, 6), str_=6),
        dice=((20,), (20,), (19,)),
        begin="finn",
    )
    t.declare("finn", "grapple", target="orc")
    turn(t, "orc")
    t.declare("orc", "grapple", target="finn")
    turn(t, "kara")
    t.declare("kara", "push", target="orc", how="drag", direction="east")
    t.answer(question(t), "pass")  # the Orc could hold Finn into it
    assert t.waiting_on == ()
    assert (who(t, "finn").at, holds(t)) == ((5, 5), [])


@pytest.mark.rule("altered-realms.push.grappler-may-follow", "altered-realms.last-grasp.pass")
def test_a_captive_that_catches_itself_at_the_edge_is_followed_to_there():
    t = dragged(rows=columns("." * 9 + "~" * 7), own=False, dice=((20,),), str_=8)  # 4 m: 2 to the edge
    orc = question(t)
    assert orc.actor == "orc"
    t.answer(orc, "0")
    t.answer(question(t), "8,5")
    assert question(t).actor == "finn"
    t.answer(question(t), "0")
    assert (who(t, "finn").at, holds(t), who(t, "finn").reactions) == ((7, 5), [("finn", "orc")], 0)


@pytest.mark.rule("altered-realms.push.grappler-may-follow", "altered-realms.reaction.opportunity-and-triggered")
def test_following_gives_an_opening_to_whoever_is_left_behind():
    guard = creature("guard", "o", (4, 5), items=[armed(9)])
    t = dragged(others=[guard], dice=((10,), 2))
    t.answer(question(t), "0")
    assert question(t).actor == "guard"


# -- thrown


def thrown(dice=(), orc=None, rows=None, others=(), direction="east", **kara):
    t = shoving(
        ((20,), (15,), *dice), {"ac": 5, "reactions": 0} | (orc or {}), rows=rows, others=others, attacks=2, **kara
    )
    t.declare("kara", "grapple", target="orc")
    t.declare("kara", "throw_opponent", target="orc", direction=direction)
    return t


@pytest.mark.rule("altered-realms.throw-opponent.distance", "altered-realms.last-grasp.trigger-and-cost")
@pytest.mark.parametrize(
    ("row", "at", "fell"), [("." * 7 + "~~" + "." * 7, (10, 5), []), ("." * 7 + "~" * 9, (10, 5), [10])]
)
def test_a_thrown_body_flies_over_a_gap_and_falls_only_where_it_lands(row, at, fell):
    t = thrown(((5,) * 7, (4, 4)) if fell else ((4, 4),), rows=columns(row))
    assert (who(t, "orc").at, [e.metres for e in happened(t, Fell)]) == (at, fell)


@pytest.mark.rule("altered-realms.throw-opponent.distance")
def test_nobody_is_thrown_up_out_of_a_pit():
    t = thrown(((4, 4),), rows=columns("." * 4 + "~" * 4 + "." * 8))
    assert who(t, "orc").at == (7, 5)


@pytest.mark.rule("altered-realms.last-grasp.pass", "altered-realms.throw-opponent.distance")
def test_a_last_grasp_of_the_thrown_is_at_the_edge_with_the_tiles_beside_it_to_choose():
    t = thrown(((20,), (4, 4)), {"reactions": 1}, rows=columns("." * 8 + "~" * 8))
    assert who(t, "orc").at == (7, 5)  # the last solid tile of 4 m
    t.answer(question(t), "0")
    assert [option.id for option in question(t).question.options] == ["7,5", "7,6", "7,4", "fall"]


@pytest.mark.rule("altered-realms.throw-opponent.bystander-dc")
def test_nobody_beyond_the_edge_is_struck_by_a_body_that_caught_itself_before_it():
    rows = ["." * 16] * 5 + ["." * 8 + "~.~" + "." * 5] + ["." * 16] * 4
    for reactions, saves in ((1, 0), (0, 1)):
        goblin = creature("goblin", "o", (9, 5))
        dice = ((20,), (4, 4)) if reactions else ((5,) * 7, (4, 4), (20,))
        t = thrown(dice, {"reactions": reactions}, rows=rows, others=[goblin])
        if reactions:
            t.answer(question(t), "0")
            t.answer(question(t), "7,5")
        assert [e.actor for e in happened(t, RolledD20)].count("goblin") == saves


@pytest.mark.rule("altered-realms.throw-opponent.bystander-dc")
def test_whoever_is_at_the_bottom_of_the_gap_is_not_struck_from_above():
    goblin = creature("goblin", "o", (8, 5))
    t = thrown(((4, 4),), rows=columns("." * 8 + "~" + "." * 7), others=[goblin])
    assert (who(t, "orc").at, who(t, "goblin").hp) == ((10, 5), 20)
    assert "goblin" not in [e.actor for e in happened(t, RolledD20)]


@pytest.mark.rule("altered-realms.throw-opponent.bystander-damage", "altered-realms.dodge.save-advantage")
def test_a_bystander_who_dodges_the_thrower_has_advantage_on_the_save():
    goblin = creature("goblin", "o", (8, 5))
    t = shoving(((20,), (15,), (4, 4), (3, 13)), {"ac": 5}, others=[goblin], attacks=2)
    turn(t, "goblin")
    t.declare("goblin", "dodge", target="kara")
    turn(t, "kara")
    t.declare("kara", "grapple", target="orc")
    t.declare("kara", "throw_opponent", target="orc", direction="east")
    assert (rolled(t).actor, rolled(t).edge, rolled(t).passed) == ("goblin", 1, True)  # DC 11 + 2


@pytest.mark.rule("altered-realms.throw-opponent.larger-bigger-projectile")
def test_the_thrower_is_no_bystander_and_a_wall_stops_the_flight():
    t = thrown(((4, 4),), direction="west")
    assert (who(t, "orc").at, who(t, "kara").hp) == ((2, 5), 20)
    t = thrown(((4, 4),), rows=columns("." * 8 + "#" + "." * 7))
    assert who(t, "orc").at == (7, 5)


@pytest.mark.rule("altered-realms.throw-opponent.precondition")
def test_a_body_that_finds_no_room_comes_down_where_it_was_and_is_hurt_and_free():
    t = thrown(((4, 4),), rows=columns("." * 7 + "#" * 9))
    assert (who(t, "orc").at, who(t, "orc").hp, holds(t)) == ((6, 5), 99 - 8, [])


# -- hazards


@pytest.mark.rule("altered-realms.last-grasp.pass", "altered-realms.grapple.forced-break")
def test_a_step_out_of_a_hazard_leads_out_of_a_hold_too():
    t = shoving(((20,), (20,)), {"ac": 5})
    t.declare("kara", "grapple", target="orc")
    t.declare("", "hazard", target="orc", damage="5", aware=True)
    t.answer(question(t), "0")
    t.answer(question(t), "7,5")
    assert (who(t, "orc").at, holds(t), who(t, "orc").hp) == ((7, 5), [], 99)


@pytest.mark.rule("altered-realms.last-grasp.trigger-and-cost")
def test_nobody_is_offered_a_last_grasp_without_a_reaction_or_while_incapacitated():
    for orc in ({"reactions": 0}, {"hp": 0}, {"conditions": ["incapacitated"]}):
        t = shoving(((15,), (1,) * 7), orc, rows=columns("." * 7 + "~" * 9))
        t.declare("kara", "push", target="orc")
        assert t.waiting_on == ()
        assert [e.metres for e in happened(t, Fell)] == [10]


@pytest.mark.rule("altered-realms.last-grasp.pass")
def test_hanging_on_is_a_setting():
    t = table(
        creature("kara", "h", (5, 5), str_=4, maneuver_dc=14),
        creature("orc", "o", (6, 5), ac=5),
        rows=columns("." * 7 + "~" * 9),
        legend=DROPS,
        settings={"last_grasp_cling": True},
        dice=((15,), (20,)),
        begin="kara",
    )
    t.declare("kara", "push", target="orc")
    t.answer(question(t), "0")
    t.answer(question(t), "cling")
    assert (who(t, "orc").at, who(t, "orc").hp, happened(t, Fell)) == ((6, 5), 20, [])


@pytest.mark.rule("altered-realms.push.range", "altered-realms.push.size-limit")
def test_a_push_beside_a_large_body_counts_from_its_nearest_tile():
    t = shoving(((15,),), {"size": "large"}, at=(6, 4))
    assert codes(t, "kara", "push", target="orc") == []
    t.declare("kara", "push", target="orc")
    passing(t)
    assert (who(t, "orc").at, happened(t, Forced)[-1].by) == ((8, 4), "kara")


@pytest.mark.rule("altered-realms.push.direction", "altered-realms.last-grasp.dc-magical")
def test_a_spell_pushes_a_large_body_straight_away_too():
    gust = {"name": "gust", "at": "enemy", "push": 2}
    t = shoving(orc={"size": "large"}, at=(6, 4), abilities=[gust])
    t.declare("kara", "cast", ability="gust", target="orc")
    assert who(t, "orc").at == (8, 4)  # its nearest tile is due east
