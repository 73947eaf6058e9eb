"""Movement types, flights, runs of several Movements. Dice in brackets are faces."""

import pytest
from realms import armed, codes, creature, happened, passing, question, rolled, scene_text, spent, table, turn, who

import turnwright as tw
from turnwright.documents import BadScene
from turnwright.systems.altered_realms.events import Fell

LEGEND = {
    "~": {"name": "a chasm", "drop": 10},
    "w": {"name": "water", "tags": ["swim"]},
    "c": {"name": "a cliff", "tags": ["climb"], "factor": 2},
    "m": {"name": "mud", "difficult": ["mud"]},
}


def mover(row, moves=("walk",), dice=(), others=(), **keys):
    """Kara at the west end of a row of tiles."""
    return table(
        creature("kara", "h", (0, 1), **({"speed": 6, "moves": list(moves)} | keys)),
        *others,
        rows=[row] * 3,
        legend=LEGEND,
        dice=dice,
        begin="kara",
    )


def east(count):
    return [(x, 1) for x in range(1, count + 1)]


# -- movement types


@pytest.mark.rule("altered-realms.movement.stat-line", "altered-realms.movement.only-for-relocation")
@pytest.mark.parametrize(
    ("row", "moves", "left"),
    [
        ("." * 9, ["walk"], 3),
        (".www" + "." * 5, ["walk"], 0),  # 3 m of water at 2 each
        (".www" + "." * 5, ["walk", "swim"], 3),
        (".www" + "." * 5, ["walk", "climb"], 0),
        (".ccc" + "." * 5, ["walk"], 0),  # the climb and its factor are not both counted
        (".ccc" + "." * 5, ["walk", "climb"], 3),
        (".mmm" + "." * 5, ["walk", "climb", "swim"], 0),
    ],
)
def test_water_and_cliffs_cost_double_without_the_movement_type(row, moves, left):
    t = mover(row, moves)
    t.declare("kara", "walk", route=east(3))
    assert (who(t, "kara").at, who(t, "kara").metres) == ((3, 1), left)


@pytest.mark.rule("altered-realms.movement.stat-line")
def test_whoever_only_swims_leaves_no_water():
    t = mover("wwww...", ["swim"])
    assert codes(t, "kara", "walk", route=east(3)) == []
    assert codes(t, "kara", "walk", route=east(4)) == ["WRONG_GROUND"]
    assert codes(t, "kara", "walk", to=(5, 1)) == ["NO_ROUTE"]


@pytest.mark.rule("altered-realms.movement.stat-line")
def test_a_type_that_is_not_on_the_sheet_is_refused():
    assert codes(mover("." * 9), "kara", "walk", route=east(2), by="fly") == ["NO_MOVEMENT_TYPE"]


@pytest.mark.rule("altered-realms.movement.stat-line")
def test_a_type_may_have_a_speed_of_its_own():
    t = mover("." * 24, ["walk", "fly"], speeds={"fly": 12})
    assert spent(t, "kara", "walk", route=east(6)) == {"movement": 1}
    assert spent(t, "kara", "walk", route=east(7)) == {"movement": 1, "action": 1}
    assert spent(t, "kara", "walk", route=east(12), by="fly") == {"movement": 1}
    t.declare("kara", "walk", route=east(2), by="fly")
    assert who(t, "kara").metres == 10
    assert spent(t, "kara", "walk", route=[(3, 1)], by="fly") == {}
    # what is left of a flight is no walk
    assert spent(t, "kara", "walk", route=[(3, 1)]) == {"action": 1}
    with pytest.raises(BadScene, match="speeds"):
        tw.read_scene(scene_text(creature("kara", "h", (1, 1), speeds={"fly": 12})), "test.yaml")


@pytest.mark.rule("altered-realms.movement.stat-line")
def test_a_flight_crosses_drops_and_hard_ground_and_ends_above_none():
    row = "." + "~~mm" + "." * 6
    t = mover(row, ["walk", "fly"])
    assert "LEDGE" in codes(t, "kara", "walk", route=east(5))
    assert codes(t, "kara", "walk", route=east(2), by="fly") == ["LEDGE"]
    assert codes(t, "kara", "walk", to=(5, 1)) == ["NO_ROUTE"]
    t.declare("kara", "walk", to=(5, 1), by="fly")
    assert (who(t, "kara").at, who(t, "kara").metres, happened(t, Fell)) == ((5, 1), 1, [])


@pytest.mark.rule("altered-realms.movement.stat-line", "altered-realms.last-grasp.fail")
def test_whoever_is_struck_down_in_flight_over_a_drop_falls():
    orc = creature("orc", "o", (0, 0), items=[armed(20, "30", reach=2, name="spear")])
    t = mover(".~~~" + "." * 5, ["walk", "fly"], dice=((10,), (1,) * 7), others=[orc])
    t.declare("kara", "walk", route=east(4), by="fly")
    t.answer(question(t), "0")  # as she leaves its reach of 2 m, two tiles out
    assert (who(t, "kara").at, [e.metres for e in happened(t, Fell)]) == ((2, 1), [10])
    assert who(t, "kara").hp == 20 - 30 - 7


@pytest.mark.rule("altered-realms.movement.stat-line")
def test_whoever_is_stopped_in_flight_turns_back_to_solid_ground():
    spy = creature("spy", "o", (3, 1), hidden=True)
    t = table(
        creature("kara", "h", (0, 1), moves=["walk", "fly"], seat="ann"),
        spy,
        rows=[".~~." + "." * 5] * 3,
        legend=LEGEND,
        seats=[{"id": "ann"}],
        begin="kara",
    )
    t.declare("kara", "walk", route=east(4), by="fly")
    assert (who(t, "kara").at, happened(t, Fell)) == ((0, 1), [])


@pytest.mark.rule("altered-realms.movement.stat-line", "altered-realms.trip.prone-no-damage")
def test_nobody_flies_off_the_ground_before_it_stands():
    t = mover("." * 9, ["walk", "fly"], conditions=["prone"])
    assert codes(t, "kara", "walk", route=east(1), by="fly") == ["PRONE"]
    assert codes(t, "kara", "walk", route=east(1)) == []


@pytest.mark.rule("altered-realms.movement.stat-line", "altered-realms.movement.only-for-relocation")
def test_whoever_has_no_speed_goes_nowhere_and_does_not_get_up():
    t = mover("." * 9, speed=0)
    assert codes(t, "kara", "walk", route=east(1)) == ["NO_SPEED"]
    t = mover("." * 9, speed=0, conditions=["prone"])
    assert codes(t, "kara", "stand") == ["NO_SPEED"]


# -- runs


def runner(speed, dice=(), orc=(9, 1), movements=1, **keys):
    return table(
        creature(
            "kara",
            "h",
            (0, 1),
            **(
                {
                    "speed": speed,
                    "items": [armed(4)],
                    "attacks": 3,
                    "traits": [{"name": "fleet", "movements": movements}],
                }
                | keys
            ),
        ),
        creature("orc", "o", orc, ac=16, hp=99),
        rows=["." * 24] * 4,
        dice=dice,
        begin="kara",
    )


@pytest.mark.rule("altered-realms.charge.four-meters-clear-line", "altered-realms.charge.once-per-movement")
def test_the_four_metres_are_those_of_one_movement():
    t = runner(3, orc=(7, 1))
    t.declare("kara", "walk", route=east(6))  # two Movements of 3 m
    assert codes(t, "kara", "charge", target="orc") == ["NO_RUN"]
    t = runner(6, orc=(9, 1))
    t.declare("kara", "walk", route=east(8))  # 6 m and 2 m of the second
    assert codes(t, "kara", "charge", target="orc") == ["NO_RUN"]
    t = runner(6, orc=(11, 1))
    t.declare("kara", "walk", route=east(10))  # 6 m and 4 m of the second
    assert codes(t, "kara", "charge", target="orc") == []


@pytest.mark.rule("altered-realms.charge.four-meters-clear-line")
def test_one_movement_walked_in_two_parts_is_one_run():
    t = runner(6, orc=(5, 1))
    t.declare("kara", "walk", route=east(2))
    t.declare("kara", "walk", route=[(3, 1), (4, 1)])
    assert codes(t, "kara", "charge", target="orc") == []


@pytest.mark.rule("altered-realms.charge.four-meters-clear-line")
def test_what_was_left_of_an_earlier_movement_does_not_lengthen_the_run():
    t = runner(6, orc=(9, 1))
    t.declare("kara", "walk", route=east(4))  # 2 m are left of the first
    t.declare("kara", "walk", route=[(x, 1) for x in range(5, 9)])  # 2 m of it, and 2 m of the second
    assert codes(t, "kara", "charge", target="orc") == ["NO_RUN"]


@pytest.mark.rule("altered-realms.charge.four-meters-clear-line", "altered-realms.trip.prone-no-damage")
def test_crawling_is_no_run():
    t = runner(12, orc=(5, 1), conditions=["prone"])
    t.declare("kara", "walk", route=east(4))
    assert codes(t, "kara", "charge", target="orc") == ["NO_RUN"]
    t = runner(24, orc=(5, 1), conditions=["prone"])
    t.declare("kara", "walk", route=east(3))
    t.declare("kara", "stand")
    t.declare("kara", "walk", route=[(4, 1)])
    assert codes(t, "kara", "charge", target="orc") == ["NO_RUN"]  # 1 m since it stood up


@pytest.mark.rule("altered-realms.charge.four-meters-clear-line")
def test_a_run_past_an_ally_is_hindered_by_it():
    t = table(
        creature("kara", "h", (0, 1), speed=9),
        creature("finn", "h", (3, 1)),
        creature("orc", "o", (7, 1)),
        begin="kara",
    )
    t.declare("kara", "walk", route=east(6))
    assert codes(t, "kara", "charge", target="orc") == ["NO_RUN"]  # only 3 m after it


@pytest.mark.rule("altered-realms.charge.at-end-of-movement", "altered-realms.charge.bonus")
def test_another_attack_may_come_between_and_a_teleport_is_no_run():
    t = runner(6, dice=((1,), (10,), 1), orc=(5, 1))
    t.declare("kara", "walk", route=east(4))
    t.declare("kara", "attack", target="orc")
    t.declare("kara", "charge", target="orc")
    assert rolled(t).passed  # 10 + 4 + 2
    blink = {"name": "blink", "budget": "none", "teleport": 9}
    t = runner(6, orc=(6, 1), abilities=[blink])
    t.declare("kara", "walk", route=east(4))
    t.declare("kara", "cast", ability="blink", to=(5, 1))
    assert codes(t, "kara", "charge", target="orc") == ["NO_MOVEMENT"]


@pytest.mark.rule("altered-realms.charge.at-end-of-movement")
def test_a_push_ends_the_run_of_whoever_is_pushed():
    t = runner(6, dice=((15,),), orc=(5, 1))
    t.declare("kara", "walk", route=east(4))
    turn(t, "orc")
    turn(t, "kara")
    assert codes(t, "kara", "charge", target="orc") == ["NO_MOVEMENT"]  # and so does the end of the turn


@pytest.mark.rule("altered-realms.charge.four-meters-clear-line")
def test_a_large_body_needs_a_clear_path_for_all_of_it():
    rows = ["." * 24, "." * 24, "...m" + "." * 20, "." * 24]
    for size, refused in (("medium", []), ("large", ["NO_RUN"])):
        t = table(
            creature("kara", "h", (0, 1), size=size, speed=12),
            creature("orc", "o", (7, 1)),
            rows=rows,
            legend=LEGEND,
            begin="kara",
        )
        t.declare("kara", "walk", route=east(6 if size == "medium" else 5))
        passing(t)
        assert codes(t, "kara", "charge", target="orc") == refused


# -- opportunity attacks


@pytest.mark.rule("altered-realms.reaction.opportunity-and-triggered")
def test_whoever_leaves_the_reach_of_a_long_weapon_is_struck_as_it_leaves_that():
    orc = creature("orc", "o", (0, 0), items=[armed(0, reach=3, name="pike")])
    t = mover("." * 9, others=[orc])
    t.declare("kara", "walk", route=east(5))
    assert who(t, "kara").at == (3, 1)  # 3 m off, and about to be 4
    assert [option.label for option in question(t).question.options][1:] == ["strike at Kara with pike"]
    passing(t)
    assert who(t, "kara").at == (5, 1)


@pytest.mark.rule("altered-realms.movement.stat-line", "altered-realms.trip.prone-no-damage")
def test_what_is_left_of_a_flight_neither_walks_nor_stands_up():
    t = mover("." * 24, ["walk", "fly"], speeds={"fly": 12})
    t.declare("kara", "walk", route=east(2), by="fly")
    t.override({"kara.conditions": ["prone"]}, "a test")
    assert spent(t, "kara", "stand") == {"action": 1}
    t = mover("." * 24, ["walk", "fly"])
    t.declare("kara", "walk", route=east(2))
    assert spent(t, "kara", "walk", route=[(3, 1)], by="walk") == {}  # the plain type, by its name


@pytest.mark.rule("altered-realms.trip.prone-no-damage", "altered-realms.movement.only-for-relocation")
def test_crawling_takes_two_metres_for_each_and_no_more_in_mud_or_water():
    for row in ("." * 9, ".mw." + "." * 5):
        t = mover(row, conditions=["prone"])
        t.declare("kara", "walk", route=east(2))
        assert who(t, "kara").metres == 6 - 4
        assert spent(t, "kara", "walk", route=[(3, 1), (4, 1)]) == {"action": 1}  # 4 m, and 2 are left
