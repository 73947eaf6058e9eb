"""Recuperate: one point of one pool for one of another."""

import pytest
from realms import codes, creature, left, table, turn, who

POOLS = {"might": {"current": 2, "maximum": 3}, "focus": {"current": 0, "maximum": 2}, "panache": 0}


def hero(**keys):
    return table(creature("kara", "h", (1, 1), pools=POOLS, **keys), creature("orc", "o", (9, 1)), begin="kara")


@pytest.mark.rule("altered-realms.recuperate.cost", "altered-realms.recuperate.conversion")
def test_an_action_turns_one_point_into_another():
    t = hero()
    t.declare("kara", "recuperate", source="might", into="focus")
    assert (who(t, "kara").pools["might"], who(t, "kara").pools["focus"]) == (1, 1)
    assert left(t, "kara") == (0, 1, 1)
    turn(t, "orc")
    turn(t, "kara")
    t.declare("kara", "sprint")
    assert "ACTION" in codes(t, "kara", "recuperate", source="might", into="focus")


@pytest.mark.rule("altered-realms.recuperate.conversion")
def test_there_must_be_a_point_and_room_for_it_and_two_pools():
    t = hero()
    assert codes(t, "kara", "recuperate", source="panache", into="focus") == ["POOL"]
    assert codes(t, "kara", "recuperate", source="might", into="might") == ["SAME_POOL"]
    assert codes(t, "kara", "recuperate", source="might", into="panache") == ["FULL"]


@pytest.mark.rule("altered-realms.recuperate.once-per-turn-any-time")
def test_once_in_a_turn_whatever_actions_there_are():
    t = hero()
    t.override({"kara.actions": 2}, "a test")
    t.declare("kara", "walk", route=[(2, 1)])
    t.declare("kara", "recuperate", source="might", into="focus")
    assert codes(t, "kara", "recuperate", source="might", into="focus") == ["ONCE"]
    turn(t, "orc")
    turn(t, "kara")
    assert codes(t, "kara", "recuperate", source="might", into="focus") == []


@pytest.mark.rule("altered-realms.recuperate.pools")
def test_there_are_six_pools_and_mana_is_brainstorm():
    t = hero(int_=2)
    assert sorted(who(t, "kara").pools) == ["brainstorm", "focus", "might", "panache", "stamina", "willpower"]
    assert "NO_POOL" in codes(t, "kara", "recuperate", source="luck", into="focus")
    t.declare("kara", "recuperate", source="mana", into="focus")
    assert (who(t, "kara").pools["brainstorm"], who(t, "kara").pools["focus"]) == (1, 1)
    assert who(t, "kara").maxima["stamina"] == 0
