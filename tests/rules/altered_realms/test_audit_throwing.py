"""Throws and tosses in the cases that are easy to overlook. Dice in brackets are faces."""

import pytest
from realms import codes, creature, left, question, refused, rolled, table, who

from turnwright.systems.altered_realms.events import Lying

ROCK = {"name": "rock"}


def throwing(dice=(), items=(ROCK,), others=(), rows=None, at=(1, 1), map_=None, **kara):
    return table(
        creature("kara", "h", at, items=list(items), **({"str_": 3} | kara)),
        *others,
        rows=rows or ["." * 120] * 6,
        dice=dice,
        begin="kara",
        **({"map_": map_} if map_ else {}),
    )


def lying(t):
    return [fact.at for fact in t.state.facts_of(Lying)]


@pytest.mark.rule("altered-realms.throw-object.cost")
def test_nothing_is_thrown_through_a_wall_or_a_shut_door():
    t = throwing(rows=["..#..."] * 3)
    assert codes(t, "kara", "throw", item="rock", to=(4, 1)) == ["NO_LINE"]
    assert codes(t, "kara", "throw", item="rock", to=(1, 2)) == []
    assert left(t, "kara") == (1, 1, 1)
    for more in ({"walls": [{"between": [[2, 1], [3, 1]]}]}, {"doors": [{"id": "gate", "between": [[2, 1], [3, 1]]}]}):
        assert codes(throwing(map_=more), "kara", "throw", item="rock", to=(4, 1)) == ["NO_LINE"]
    open_ = {"doors": [{"id": "gate", "between": [[2, 1], [3, 1]], "open": True}]}
    assert codes(throwing(map_=open_), "kara", "throw", item="rock", to=(4, 1)) == []


@pytest.mark.rule("altered-realms.throw-object.toss")
def test_nor_is_anything_tossed_through_one():
    finn = creature("finn", "h", (4, 1))
    assert codes(throwing(others=[finn]), "kara", "toss", item="rock", target="finn") == []
    t = throwing(others=[finn], rows=["..#..."] * 3)
    assert codes(t, "kara", "toss", item="rock", target="finn") == ["NO_LINE"]


@pytest.mark.rule("altered-realms.throw-object.catch")
def test_nobody_catches_what_flies_past_on_the_other_side_of_a_wall():
    finn = creature("finn", "h", (3, 2))
    walled = {"walls": [{"between": [[x, 1], [x, 2]]} for x in range(6)]}
    for map_, offered in ((None, True), (walled, False)):
        t = throwing(others=[finn], map_=map_)
        t.declare("kara", "throw", item="rock", to=(5, 1))
        assert bool(t.waiting_on) is offered


@pytest.mark.rule("altered-realms.throw-object.catch")
def test_of_two_who_could_catch_it_one_does():
    t = throwing(others=[creature("finn", "h", (3, 2)), creature("orc", "o", (3, 0))])
    t.declare("kara", "throw", item="rock", to=(5, 1))
    for asked in t.waiting_on:
        t.answer(asked, "0")
    t.answer(question(t), ["orc", "finn"])  # the Narrator's order
    holding = [name for name in ("finn", "orc") if who(t, name).item("rock") is not None]
    assert holding == ["orc"]
    assert (who(t, "orc").reactions, who(t, "finn").reactions) == (0, 1)


@pytest.mark.rule("altered-realms.throw-object.hands", "altered-realms.throw-object.damage-defers")
@pytest.mark.parametrize("size", ["medium", "large"])
def test_a_large_thing_takes_two_hands_also_as_a_weapon(size):
    orc = creature("orc", "o", (3, 1))
    thing = ROCK | {"size": size}
    full = throwing(items=[thing, {"name": "shield"}], others=[orc])
    expected = ["NO_FREE_HAND"] if size == "large" else []
    assert codes(full, "kara", "improvised_weapon", target="orc", item="rock") == expected
    assert codes(throwing(items=[thing], others=[orc]), "kara", "improvised_weapon", target="orc", item="rock") == []


@pytest.mark.rule("altered-realms.throw-object.hands", "altered-realms.grapple.hand-is-busy")
def test_a_hand_that_holds_somebody_is_no_second_hand():
    orc = creature("orc", "o", (2, 1), ac=5)
    t = throwing(dice=((20,),), items=[ROCK | {"size": "large"}], others=[orc], attacks=2)
    t.declare("kara", "grapple", target="orc")
    t.override({"kara.actions": 1, "kara.attacks": 0}, "a test")
    assert codes(t, "kara", "throw", item="rock", to=(4, 1)) == ["NO_FREE_HAND"]


@pytest.mark.rule("altered-realms.throw-object.reliable-distance", "altered-realms.throw-object.long-needs-skill-roll")
def test_a_large_thrower_counts_from_its_nearest_tile_and_a_short_throw_lands_there():
    for face, at in ((9, (12, 1)), (8, (6, 1))):  # its east side is at x = 2: 10 m, 6 beyond 4; DC 12
        t = throwing(dice=((face,),), size="large")
        t.declare("kara", "throw", item="rock", to=(12, 1))
        assert lying(t) == [at]
    t = throwing(size="large")
    t.declare("kara", "throw", item="rock", to=(6, 1))  # 4 m without a roll
    assert lying(t) == [(6, 1)]


@pytest.mark.rule("altered-realms.throw-object.long-dc-table")
def test_farther_than_the_table_goes_there_is_no_dc_but_the_narrators():
    t = throwing(dice=((15,),))
    t.declare("kara", "throw", item="rock", to=(101, 1))
    asked = question(t)
    assert "altered-realms.throw-object.long-dc-table" in refused(lambda: t.answer(asked, {"kind": "procedure"}))
    t.answer(asked, {"kind": "impossible", "obstacle": "nobody throws that far"})
    assert (left(t, "kara")[0], lying(t)) == (1, [])
    t.declare("kara", "throw", item="rock", to=(101, 1))
    t.answer(question(t), {"kind": "check", "skill": "athletics", "target": 19})
    assert rolled(t).passed is False  # 15 + 3
    assert lying(t) == [(5, 1)]


@pytest.mark.rule("altered-realms.throw-object.toss")
def test_a_toss_across_5_metres_counts_between_the_nearest_tiles():
    for x, expected in ((7, []), (8, ["TOO_FAR"])):
        t = throwing(others=[creature("ogre", "h", (x, 1), size="large")], size="large")
        assert codes(t, "kara", "toss", item="rock", target="ogre") == expected


@pytest.mark.rule("altered-realms.throw-object.catch-toss", "altered-realms.throw-object.catch")
def test_what_is_tossed_is_for_its_receiver_to_catch_and_what_is_thrown_for_anybody_near():
    finn, bo = creature("finn", "h", (5, 1)), creature("bo", "h", (5, 2))
    t = throwing(others=[finn, bo])
    t.declare("kara", "toss", item="rock", target="finn")
    assert [asked.actor for asked in t.waiting_on] == ["finn"]
    t = throwing(others=[finn, bo])
    t.declare("kara", "throw", item="rock", to=(4, 1))
    assert [asked.actor for asked in t.waiting_on] == ["finn", "bo"]
