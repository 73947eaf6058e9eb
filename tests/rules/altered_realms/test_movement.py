"""Movement, and Sprint."""

import pytest
from realms import BOW, SWORD, codes, creature, left, passing, question, refused, scene_text, spent, table, turn, who

import turnwright as tw
from turnwright.documents import BadScene


@pytest.mark.rule("altered-realms.movement.only-for-relocation")
def test_a_movement_covers_ground_and_buys_no_attack():
    t = table(creature("kara", "h", (1, 1), speed=8), creature("orc", "o", (20, 1)), begin="kara")
    t.declare("kara", "walk", to=(9, 1))
    assert who(t, "kara").at == (9, 1)
    assert left(t, "kara") == (1, 1, 0)
    t = table(creature("kara", "h", (1, 1), items=[SWORD]), creature("orc", "o", (2, 1)), begin="kara")
    t.override({"kara.actions": 0}, "a test")
    assert codes(t, "kara", "attack", target="orc") == ["ACTION"]


@pytest.mark.rule("altered-realms.movement.only-for-relocation")
def test_one_movement_may_be_divided_around_other_deeds():
    t = table(
        creature("kara", "h", (1, 1), items=[SWORD], attacks=2), creature("orc", "o", (5, 1)), begin="kara", dice=(5,)
    )
    t.declare("kara", "walk", to=(4, 1))
    t.declare("kara", "attack", target="orc")
    assert who(t, "kara").metres == 3
    assert left(t, "kara") == (0, 1, 0)
    t.declare("kara", "walk", route=[(4, 2), (4, 3), (4, 4)])
    passing(t)
    assert who(t, "kara").metres == 0
    assert "MOVEMENT" in codes(t, "kara", "walk", route=[(4, 5)])


@pytest.mark.rule("altered-realms.movement.only-for-relocation")
def test_hard_ground_costs_double_and_only_once():
    rows = ["........", ".mm.....", "........"]
    mud = {"m": {"name": "mud", "difficult": ["mud", "roots"], "factor": 3}}
    t = table(creature("kara", "h", (0, 1)), rows=rows, legend=mud, begin="kara")
    t.declare("kara", "walk", route=[(1, 1), (2, 1), (3, 1)])
    assert who(t, "kara").metres == 6 - 2 - 2 - 1
    t = table(creature("kara", "h", (0, 1), conditions=["prone"]), rows=rows, legend=mud, begin="kara")
    t.declare("kara", "walk", route=[(1, 1)])
    assert who(t, "kara").metres == 4  # crawling through mud is not four times


@pytest.mark.rule("altered-realms.movement.only-for-relocation")
def test_a_way_leads_past_allies_and_through_nobody_else_and_ends_on_nobody():
    t = table(
        creature("kara", "h", (0, 0)),
        creature("ally", "h", (1, 0)),
        creature("orc", "o", (1, 1)),
        rows=["....", "...."],
        begin="kara",
    )
    assert codes(t, "kara", "walk", route=[(1, 0)]) == ["OCCUPIED"]
    assert codes(t, "kara", "walk", route=[(1, 0), (2, 0)]) == []
    assert "IN_THE_WAY" in codes(t, "kara", "walk", route=[(1, 1), (2, 1)])


@pytest.mark.rule("altered-realms.movement.only-for-relocation")
def test_a_large_body_needs_room_for_all_of_its_tiles():
    rows = ["......", "..#...", "......", "......"]
    t = table(creature("ogre", "o", (0, 0), size="large"), rows=rows, begin="ogre")
    assert codes(t, "ogre", "walk", route=[(1, 0)]) == ["NO_STEP"]
    assert codes(t, "ogre", "walk", route=[(0, 1)]) == []


@pytest.mark.rule("altered-realms.movement.stat-line")
def test_a_sheet_has_a_speed_and_a_movement_type():
    t = table(creature("kara", "h", (1, 1), speed=8), begin="kara")
    assert codes(t, "kara", "walk", to=(9, 1)) == []
    assert spent(t, "kara", "walk", to=(10, 1)) == {"movement": 1, "action": 1}
    t.override({"kara.actions": 0}, "a test")
    assert codes(t, "kara", "walk", to=(10, 1)) == ["MOVEMENT"]
    for lacking in ("speed", "moves"):
        entry = creature("kara", "h", (1, 1))
        del entry[lacking]
        with pytest.raises(BadScene, match=lacking):
            tw.read_scene(scene_text(entry), "test.yaml")
    with pytest.raises(BadScene, match="moves"):
        tw.read_scene(scene_text(creature("kara", "h", (1, 1), moves=[])), "test.yaml")


def test_whoever_is_hidden_stops_a_walk_where_it_is_met_and_is_no_reason_against_it():
    t = table(
        creature("kara", "h", (1, 1), seat="ann"),
        creature("spy", "o", (3, 1), hidden=True),
        seats=[{"id": "ann"}],
        begin="kara",
    )
    assert "spy" not in t.knows("ann").actors
    t.declare("kara", "walk", route=[(2, 1), (3, 1), (4, 1)])
    assert t.outcome is not None
    assert t.outcome.result == "halted"
    assert who(t, "kara").at == (2, 1)


class TestSprint:
    @pytest.mark.rule("altered-realms.sprint.action-for-movement")
    def test_the_action_for_one_more_movement_in_this_turn(self):
        t = table(creature("kara", "h", (1, 1), speed=8), creature("orc", "o", (1, 5)), begin="kara")
        t.declare("kara", "sprint")
        assert left(t, "kara") == (0, 1, 2)
        t.declare("kara", "walk", to=(17, 1))
        assert who(t, "kara").at == (17, 1)
        turn(t, "orc")
        turn(t, "kara")
        t.declare("kara", "sprint")
        turn(t, "orc")
        turn(t, "kara")
        assert left(t, "kara") == (1, 1, 1)

    @pytest.mark.rule("altered-realms.sprint.stamina-per-hour")
    def test_an_hour_of_it_costs_a_point_of_stamina(self):
        t = table(creature("kara", "h", (1, 1), pools={"stamina": 3}))
        t.declare("kara", "sprint_for_hours", hours=2)
        assert who(t, "kara").pools["stamina"] == 1
        assert refused(lambda: t.declare("kara", "sprint_for_hours", hours=2))
        t = table(creature("kara", "h", (1, 1), con_=2))
        t.declare("kara", "sprint_for_hours", hours=5)
        assert who(t, "kara").pools["stamina"] == 2  # the sheet lists no such pool

    @pytest.mark.rule("altered-realms.sprint.blocked-at-zero-stamina")
    def test_nobody_sprints_without_stamina(self):
        t = table(creature("kara", "h", (1, 1), pools={"stamina": {"current": 0, "maximum": 3}}), begin="kara")
        assert codes(t, "kara", "sprint") == ["NO_STAMINA"]
        assert "NO_STAMINA" in codes(t, "kara", "downgrade", budget="action", into="movement")
        assert codes(t, "kara", "downgrade", budget="action", into="motion") == []
        t.declare("kara", "walk", to=(7, 1))
        assert "MOVEMENT" in codes(t, "kara", "walk", to=(8, 1))  # the Action is no way to pay for it either
        assert left(t, "kara")[0] == 1
        t = table(creature("kara", "h", (1, 1), pools={"stamina": 1}), begin="kara")
        assert codes(t, "kara", "sprint") == []
        t = table(creature("kara", "h", (1, 1)), begin="kara")
        assert codes(t, "kara", "sprint") == []


def test_a_scene_says_everything_that_is_wrong_with_it_at_once():
    bad = creature("kara", "h", (1, 1), size="vast", items=[{"name": "axe", "weapon": {"damage": "many"}}, BOW, SWORD])
    with pytest.raises(BadScene) as raised:
        tw.read_scene(scene_text(bad, creature("orc", "o", (99, 1), casting="luck")), "test.yaml")
    text = str(raised.value)
    for part in ("size", "damage", "at most 2 items in hands", "at", "casting"):
        assert part in text


def test_the_question_of_a_reaction_does_not_say_more_than_it_must():
    t = table(creature("kara", "h", (1, 1), items=[SWORD]), creature("orc", "o", (2, 1)), begin="orc")
    t.declare("orc", "walk", route=[(3, 1)])
    assert question(t).prompt == "React?"
