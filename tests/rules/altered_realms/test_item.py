"""Things: where they are, and what it takes to have them in hand."""

import pytest
from realms import SWORD, codes, creature, left, spent, table, turn, who

from turnwright.systems.altered_realms.events import Lying

KNIFE = {"name": "knife", "place": "holster"}
POTION = {"name": "potion", "place": "pack"}


def hero(*items, lying=(), **keys):
    return table(
        creature("kara", "h", (1, 1), items=list(items), **keys),
        creature("orc", "o", (9, 1)),
        items=list(lying),
        begin="kara",
    )


@pytest.mark.rule("altered-realms.item.draw")
def test_drawing_is_a_motion_and_a_second_one_needs_a_downgrade():
    t = hero(KNIFE, KNIFE | {"name": "dirk"})
    t.declare("kara", "draw", item="knife")
    assert (left(t, "kara"), who(t, "kara").item("knife").hand) == ((1, 0, 1), "right hand")
    t.declare("kara", "draw", item="dirk", way="movement")
    assert (left(t, "kara"), who(t, "kara").item("dirk").hand) == ((1, 0, 0), "left hand")


@pytest.mark.rule("altered-realms.item.draw")
def test_a_full_hand_draws_nothing():
    t = hero(SWORD, {"name": "shield"}, KNIFE)
    assert codes(t, "kara", "draw", item="knife") == ["NO_FREE_HAND"]


@pytest.mark.rule("altered-realms.item.stow")
def test_putting_back_is_a_motion_and_frees_the_hand():
    t = hero(SWORD)
    t.declare("kara", "stow", item="sword")
    assert (left(t, "kara"), who(t, "kara").held_in("right hand")) == ((1, 0, 1), None)
    assert who(t, "kara").item("sword").place == "holster"


@pytest.mark.rule("altered-realms.item.drop")
def test_dropping_is_free_in_the_own_turn_and_a_reaction_off_it():
    t = hero(SWORD, KNIFE)
    t.override({"kara.actions": 0, "kara.motions": 0, "kara.movements": 0}, "a test")
    t.declare("kara", "drop", item="sword")
    assert (left(t, "kara"), who(t, "kara").held_in("right hand")) == ((0, 0, 0), None)
    assert [fact.at for fact in t.state.facts_of(Lying)] == [(1, 1)]
    t = hero(SWORD)
    turn(t, "orc")
    t.declare("kara", "drop", item="sword")
    assert who(t, "kara").reactions == 0


@pytest.mark.rule("altered-realms.item.pick-up")
def test_picking_up_is_a_motion_within_reach_and_an_action_for_what_is_large():
    lying = [
        {"item": {"name": "axe", "size": "medium"}, "at": [2, 2]},
        {"item": {"name": "table", "size": "large"}, "at": [0, 1]},
        {"item": {"name": "coin"}, "at": [6, 1]},
    ]
    t = hero(lying=lying)
    assert spent(t, "kara", "pick_up", item="table") == {"action": 1}
    assert codes(t, "kara", "pick_up", item="coin") == ["OUT_OF_RANGE"]
    t.declare("kara", "pick_up", item="axe")
    assert (left(t, "kara"), who(t, "kara").item("axe").hand) == ((1, 0, 1), "right hand")
    assert codes(t, "kara", "pick_up", item="table") == ["NO_FREE_HAND"]  # it takes two


@pytest.mark.rule("altered-realms.item.rummage")
def test_what_is_in_the_pack_takes_the_action_and_is_in_hand_then():
    t = hero(POTION)
    assert codes(t, "kara", "draw", item="potion") == ["NOT_AT_HAND"]
    t.declare("kara", "rummage", item="potion")
    assert (left(t, "kara"), who(t, "kara").item("potion").place) == ((0, 1, 1), "hand")
