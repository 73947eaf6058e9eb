"""Reflexive actions: at any time, without the turn's action; what counts toward a mixed one; Knacks."""

from __future__ import annotations

from typing import Any

import pytest
from scions import CLIMB, begun, codes, foe, happened, hero, momentum, plainly, result, rules, turn_of, who

import turnwright as tw
from turnwright.systems.storypath.events import PoolRolled
from turnwright.systems.storypath.reflexive import classify

COUNTS = "storypath.reflexive.listed-count-toward-mixed-limit"
SPEED = "storypath.reflexive.move-up-to-max-speed"
ROPE = {"name": "rope", "place": "holster"}
THREE = ["near", "mid", "far"]


def made_of(up: str = "ann", dice: tuple[Any, ...] = (), ann: dict[str, Any] | None = None, **keys: Any) -> tw.Table:
    one = hero("ann", might=2, close_combat=2, athletics=2, dexterity=2, items=[ROPE], **(ann or {}))
    return begun(one, foe("wolf"), up=up, dice=dice, **keys)


class TestAnyTime:
    @pytest.mark.rule("storypath.reflexive.any-time")
    def test_on_somebody_elses_turn_after_the_own_action(self) -> None:
        made = made_of(dice=(0,))
        made.declare("ann", "attack", target="wolf")
        plainly(made)
        turn_of(made, "wolf")
        made.declare("ann", "look")
        assert result(made) == "success"
        assert made.state.active == "wolf"
        turn_of(made, "ann")
        assert (who(made, "ann").actions, who(made, "ann").attacks) == (1, 1)

    @pytest.mark.rule("storypath.reflexive.any-time")
    def test_while_somebody_elses_question_is_open(self) -> None:
        # The wolf has attacked; while Ann chooses what her Defense buys, she draws her rope.
        made = made_of("wolf", dice=(2,), ann={"resolve": 3})
        made.declare("wolf", "attack", target="ann")
        assert made.waiting_on[0].question.about == "defense"
        made.interject("ann", "draw", item="rope")
        assert who(made, "ann").items[0].place == "hand"
        assert made.waiting_on[0].question.about == "defense"

    @pytest.mark.rule("storypath.reflexive.any-time", SPEED)
    def test_a_second_move_in_a_round_is_not_reflexive(self) -> None:
        made = made_of(places=THREE)
        made.declare("ann", "move", to="mid")
        turn_of(made, "wolf")
        assert rules(made, "ann", "move", to="far") == [SPEED]
        assert codes(made, "ann", "hurry", to="far") == ["NOT_YOUR_TURN"]
        turn_of(made, "ann")
        made.declare("ann", "move", to="far")
        assert who(made, "ann").at == "far"

    @pytest.mark.rule("storypath.reflexive.automatic")
    def test_it_succeeds_without_a_roll_and_leaves_the_action(self) -> None:
        made = made_of()
        made.declare("ann", "look")
        assert result(made) == "success"
        assert happened(made, PoolRolled) == []
        assert who(made, "ann").actions == 1
        assert made.explain("ann", "look").price.costs == ()

    @pytest.mark.rule("storypath.reflexive.roll-not-excluded")
    def test_one_of_the_scene_may_carry_a_roll(self) -> None:
        listen = {"name": "listen", "pool": 3, "difficulty": 1}
        made = made_of(dice=(1,), reflexives=[listen])
        made.declare("ann", "small_deed", deed="listen")
        assert [(event.what, event.dice) for event in happened(made, PoolRolled)] == [("listen", 3)]
        assert result(made) == "success"
        assert who(made, "ann").actions == 1

    @pytest.mark.rule("storypath.reflexive.little-time")
    def test_slot_and_round_stay_as_they_are(self) -> None:
        made = made_of()
        made.declare("ann", "end")
        before = (made.state.active, made.state.round, made.next_turn())
        made.declare("ann", "look")
        assert (made.state.active, made.state.round, made.next_turn()) == before


class TestKnacks:
    SHARP = {"name": "Sharp Eyes", "skill": "close combat", "enhancement": 1}
    STONE = {"name": "Skin of Stone", "action": "simple", "armor": 2}

    @pytest.mark.rule("storypath.reflexive.knack-default")
    def test_without_a_word_it_is_reflexive(self) -> None:
        made = made_of("wolf", ann={"knacks": [self.SHARP]})
        made.declare("ann", "knack", knack="Sharp Eyes")
        assert result(made) == "success"
        turn_of(made, "ann")
        assert who(made, "ann").actions == 1
        # Its Enhancement goes into the next attack: 1 success and 1 more meet Defense 2.
        made.source.rolls = [1]  # type: ignore[attr-defined]
        made.declare("ann", "attack", target="wolf")
        plainly(made)
        assert result(made) == "hit"

    @pytest.mark.rule("storypath.reflexive.knack-exception")
    def test_one_that_says_simple_takes_the_action_of_the_own_turn(self) -> None:
        made = made_of(ann={"knacks": [self.STONE]})
        assert "OTHER_TYPE" in codes(made, "ann", "knack", knack="Skin of Stone")
        made.declare("ann", "knack_action", knack="Skin of Stone")
        assert who(made, "ann").actions == 0
        assert who(made, "ann").soft_now == 2
        turn_of(made, "wolf")
        assert codes(made, "ann", "knack_action", knack="Skin of Stone") == ["NOT_YOUR_TURN"]


class TestTheList:
    @pytest.mark.rule("storypath.reflexive.look-around")
    def test_looking_around(self) -> None:
        found = classify(made_of().state, "look around")
        assert (found.type, found.requires_roll, found.counts) == ("reflexive", False, True)
        made = made_of(dice=(0,), deeds=[CLIMB])
        made.declare("ann", "look")
        assert happened(made, PoolRolled) == []
        assert "FULL" in codes(made, "ann", "mixed", first="climb", second="attack", target="wolf")

    @pytest.mark.rule("storypath.reflexive.draw-from-holster")
    def test_drawing_from_a_holster(self) -> None:
        found = classify(made_of().state, "retrieve holstered object")
        assert (found.type, found.requires_roll, found.counts) == ("reflexive", False, True)
        made = made_of()
        made.declare("ann", "draw", item="rope")
        assert who(made, "ann").items[0].place == "hand"
        assert who(made, "ann").actions == 1

    @pytest.mark.rule("storypath.reflexive.draw-from-holster")
    def test_what_lies_deeper_takes_a_simple_action(self) -> None:
        deep = hero("ann", items=[{"name": "map", "place": "pack"}])
        made = begun(deep, foe("wolf"), up="ann")
        assert codes(made, "ann", "draw", item="map") == ["NOT_READY"]
        made.declare("ann", "rummage", item="map")
        assert who(made, "ann").actions == 0
        assert who(made, "ann").items[0].place == "hand"

    @pytest.mark.rule(SPEED)
    def test_a_band_is_within_maximum_speed_and_two_are_not(self) -> None:
        made = made_of(places=THREE)
        assert codes(made, "ann", "move", to="far") == ["TOO_FAR"]
        made.declare("ann", "move", to="mid")
        assert who(made, "ann").at == "mid"
        assert happened(made, PoolRolled) == []
        assert who(made, "ann").actions == 1

    @pytest.mark.rule(SPEED)
    def test_in_metres_ten_are_and_eleven_are_not(self) -> None:
        made = made_of(metres=True)
        assert codes(made, "ann", "move", to="11,0") == ["TOO_FAR"]
        made.declare("ann", "move", to="10,0")
        assert who(made, "ann").at == (10, 0)

    @pytest.mark.rule(SPEED)
    def test_farther_takes_the_action_and_a_roll_that_the_storyguide_sets(self) -> None:
        made = made_of(dice=(2,), places=THREE)
        made.declare("ann", "hurry", to="far")
        asked = made.waiting_on[0]
        assert (asked.who, asked.kind) == ("guide", "rule")
        made.answer(asked, {"kind": "check", "skill": "athletics+dexterity", "target": 3})
        assert result(made) == "failure"
        assert who(made, "ann").at == "near"
        assert who(made, "ann").actions == 0

    @pytest.mark.rule("storypath.reflexive.stand-up")
    def test_standing_up(self) -> None:
        made = made_of(ann={"prone": True})
        made.declare("ann", "stand")
        assert not who(made, "ann").prone
        assert happened(made, PoolRolled) == []
        assert who(made, "ann").actions == 1
        assert codes(made, "ann", "stand") == ["NOT_PRONE"]

    @pytest.mark.rule("storypath.reflexive.list-is-open")
    def test_what_the_storyguide_marks_is_like_them(self) -> None:
        made = made_of(reflexives=[{"name": "drop a held torch"}, {"name": "wink", "listed": False}])
        found = classify(made.state, "drop a held torch")
        assert (found.type, found.requires_roll, found.counts) == ("reflexive", False, True)
        made.declare("ann", "small_deed", deed="drop a held torch")
        made.declare("ann", "small_deed", deed="wink")
        assert who(made, "ann").small == 1
        assert codes(made, "ann", "small_deed", deed="fly") == ["NO_DEED"]


class TestWhatCounts:
    BOTH = {"first": "climb", "second": "attack", "target": "wolf"}

    @pytest.mark.rule(COUNTS)
    def test_after_a_mixed_action_of_two_there_is_no_room_for_a_draw(self) -> None:
        made = made_of(dice=(0,), deeds=[CLIMB])
        made.declare("ann", "mixed", **self.BOTH)
        assert rules(made, "ann", "draw", item="rope") == [COUNTS]

    @pytest.mark.rule(COUNTS)
    def test_after_a_draw_there_is_none_for_two_and_a_simple_action_is_open(self) -> None:
        made = made_of(dice=(0,), deeds=[CLIMB])
        made.declare("ann", "draw", item="rope")
        assert rules(made, "ann", "mixed", **self.BOTH) == [COUNTS]
        made.declare("ann", "attack", target="wolf")
        assert result(made) == "miss"

    @pytest.mark.rule(COUNTS)
    def test_a_draw_on_somebody_elses_turn_takes_no_place(self) -> None:
        made = made_of("wolf", deeds=[CLIMB])
        made.declare("ann", "draw", item="rope")
        turn_of(made, "ann")
        assert codes(made, "ann", "mixed", **self.BOTH) == []

    @pytest.mark.rule(COUNTS)
    def test_beside_a_simple_action_it_is_free(self) -> None:
        made = made_of(dice=(0,))
        made.declare("ann", "attack", target="wolf")
        made.declare("ann", "draw", item="rope")
        made.declare("ann", "look")
        assert result(made) == "success"

    @pytest.mark.rule(COUNTS)
    def test_one_that_is_rolled_and_a_draw_leave_the_pool_whole(self) -> None:
        made = made_of(dice=(0,), deeds=[CLIMB])
        made.declare("ann", "mixed", first="draw", second="attack", item="rope", target="wolf")
        assert [(event.what, event.dice) for event in happened(made, PoolRolled)] == [("attack", 4)]
        assert who(made, "ann").items[0].place == "hand"
        assert rules(made, "ann", "look") == [COUNTS]

    @pytest.mark.rule(COUNTS)
    def test_a_knack_does_not_count(self) -> None:
        made = made_of(dice=(0,), ann={"knacks": [TestKnacks.SHARP]}, deeds=[CLIMB])
        made.declare("ann", "mixed", **self.BOTH)
        assert codes(made, "ann", "knack", knack="Sharp Eyes") == []


def test_the_players_momentum_is_where_it_was() -> None:
    made = made_of(momentum=1)
    made.declare("ann", "look")
    assert momentum(made.state) == 1
