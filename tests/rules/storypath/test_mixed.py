"""Mixed actions: the lower pool, one roll, and successes that are split and judged apart."""

from __future__ import annotations

from typing import Any

import pytest
from scions import BALANCE, begun, codes, foe, happened, hero, momentum, plainly, question, refused, result, rules, who

import turnwright as tw
from turnwright.model import Roll
from turnwright.systems.storypath.events import Did, Hit, Missed, PoolRolled, SplitMade

TWO = "storypath.mixed.definition"
LOWER = "storypath.mixed.lower-pool"
SPLIT = "storypath.mixed.split-successes"
APART = "storypath.mixed.halves-judged-separately"
CLIMB = {"name": "climb", "skill": "athletics", "attribute": "dexterity"}
BOTH = {"first": "attack", "second": "climb", "target": "golem"}


def made_of(climb: int, stab: int, dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    """Ann climbs with one pool and stabs with another; the golem has Defense 2, and the climb takes 1."""
    one = hero("ann", athletics=climb - 1, dexterity=1, close_combat=stab - 1, might=1, **keys.pop("ann", {}))
    golem = {"open": True, **keys.pop("golem", {})}
    return begun(one, foe("golem", **golem), up="ann", dice=dice, deeds=[CLIMB, BALANCE], **keys)


def split(made: tw.Table, shares: str) -> None:
    made.declare("ann", "mixed", **BOTH)
    made.answer(question(made), shares)
    plainly(made)


class TestWhatItIs:
    @pytest.mark.rule(TWO)
    def test_two_things_and_neither_one_nor_three(self) -> None:
        made = made_of(4, 4)
        assert codes(made, "ann", "mixed", **BOTH) == []
        assert rules(made, "ann", "mixed", first="climb") == [TWO]
        three = codes(made, "ann", "mixed", first="climb", second="attack", third="hurry", target="golem", to="here")
        assert "NOT_TWO" in three

    @pytest.mark.rule(TWO)
    def test_something_rolled_is_one_of_them(self) -> None:
        made = made_of(4, 4)
        assert "NO_ROLL" in codes(made, "ann", "mixed", first="look", second="stand")

    @pytest.mark.rule("storypath.mixed.at-most-one-attack-half")
    def test_one_half_may_be_an_attack_and_not_both(self) -> None:
        made = made_of(4, 4)
        assert codes(made, "ann", "mixed", **BOTH) == []
        found = rules(made, "ann", "mixed", first="attack", second="attack", target="golem")
        assert found == ["storypath.mixed.at-most-one-attack-half"]

    @pytest.mark.rule("storypath.mixed.example-climb-and-stab")
    def test_climbing_and_stabbing_is_one_roll_of_three_and_one_attack(self) -> None:
        made = made_of(5, 3, dice=(1,))
        made.declare("ann", "mixed", **BOTH)
        plainly(made)
        assert [event.dice for event in happened(made, PoolRolled)] == [3]
        assert who(made, "ann").attacks == 0

    @pytest.mark.rule("storypath.simple.full-attention")
    def test_full_defense_is_never_half_of_one(self) -> None:
        made = made_of(4, 4)
        assert "FULL_DEFENSE" in codes(made, "ann", "mixed", first="full_defense", second="climb")


class TestTheRoll:
    @pytest.mark.rule(LOWER)
    @pytest.mark.parametrize(("climb", "stab", "dice"), [(4, 6, 4), (6, 4, 4), (5, 5, 5)])
    def test_the_smaller_pool_is_rolled(self, climb: int, stab: int, dice: int) -> None:
        made = tw.Table(made_of(climb, stab).state, dice="table")
        made.declare("ann", "mixed", **BOTH)
        asked = question(made).question
        assert isinstance(asked, Roll)
        assert asked.pool.dice == dice

    @pytest.mark.rule("storypath.mixed.single-roll")
    def test_there_is_one_roll_for_both(self) -> None:
        made = made_of(4, 6, dice=(3,))
        split(made, "2/1")
        assert len(happened(made, PoolRolled)) == 1

    @pytest.mark.rule(LOWER)
    def test_enhancement_helps_its_own_half_only_and_is_not_split(self) -> None:
        # The blade gives 1: with 1 success on it, it meets Defense 2; the total to be split stays 2.
        made = made_of(4, 4, dice=(2,), ann={"weapons": [{"name": "blade", "enhancement": 1}]})
        made.declare("ann", "mixed", **BOTH)
        asked = question(made)
        assert set(asked.options) == {"2/0", "1/1", "0/2", "0/0"}
        made.answer(asked, "1/1")
        plainly(made)
        assert result(made) == "both"

    @pytest.mark.rule(LOWER)
    def test_enhancement_counts_also_where_no_success_was_put(self) -> None:
        made = made_of(4, 4, dice=(2,), ann={"weapons": [{"name": "blade", "enhancement": 2}]})
        split(made, "0/2")
        assert result(made) == "both"

    @pytest.mark.rule(LOWER)
    def test_without_a_success_of_the_dice_enhancement_is_nothing(self) -> None:
        made = made_of(4, 4, dice=(0,), ann={"weapons": [{"name": "blade", "enhancement": 3}]})
        made.declare("ann", "mixed", **BOTH)
        assert result(made) == "neither"


class TestTheSplit:
    @pytest.mark.rule(SPLIT)
    def test_it_is_made_once_the_successes_are_seen(self) -> None:
        made = made_of(5, 6, dice=((8, 8, 9, 9, 8),))
        made.declare("ann", "mixed", **BOTH)
        asked = question(made)
        assert len(happened(made, PoolRolled)) == 1
        assert asked.question.about == "split"
        assert asked.who == "ann"

    @pytest.mark.rule(SPLIT)
    @pytest.mark.parametrize("shares", ["3/2", "5/0"])
    def test_all_of_five_are_given_away(self, shares: str) -> None:
        made = made_of(5, 6, dice=(5,))
        split(made, shares)
        assert "/".join(map(str, happened(made, SplitMade)[0].shares)) == shares

    @pytest.mark.rule(SPLIT)
    def test_more_than_there_are_is_refused(self) -> None:
        made = made_of(5, 6, dice=(5,))
        made.declare("ann", "mixed", **BOTH)
        assert refused(lambda: made.answer(question(made), "3/3")).keys() == {SPLIT}

    @pytest.mark.rule(SPLIT)
    def test_the_useful_splits_come_first_and_say_what_they_achieve(self) -> None:
        made = made_of(4, 6, dice=(3,))
        made.declare("ann", "mixed", **BOTH)
        options = question(made).question.options
        assert options[0].id == "2/1"
        assert options[0].label == "the blade 2: hits; climb 1: succeeds"
        assert options[1].label == "the blade 3: hits, 1 over; climb 0: fails, 1 short"
        assert "(no better)" in next(option.label for option in options if option.id == "0/3")

    @pytest.mark.rule(SPLIT)
    def test_what_is_preferred_comes_first(self) -> None:
        made = made_of(4, 6, dice=(3,))
        made.declare("ann", "mixed", **BOTH, prefer="second")
        assert question(made).options[0] == "2/1"
        made = made_of(4, 6, dice=(1,))
        made.declare("ann", "mixed", **BOTH, prefer="first")
        # 1 is not enough for Defense 2, so that it is of use for the climb alone.
        assert question(made).options[0] == "0/1"

    @pytest.mark.rule(SPLIT)
    def test_whoever_cannot_know_the_defense_is_not_told_it(self) -> None:
        made = made_of(4, 6, dice=(3,), golem={"open": False})
        made.declare("ann", "mixed", **BOTH)
        labels = [option.label for option in question(made).question.options]
        assert "the blade 2: hits a Defense of 2 or less; climb 1: succeeds" in labels
        assert not [label for label in labels if "misses" in label]


class TestEachByItself:
    @pytest.mark.rule(APART)
    def test_both_succeed_with_what_each_takes(self) -> None:
        made = made_of(4, 6, dice=(3,))
        split(made, "2/1")
        assert result(made) == "both"
        assert len(happened(made, Hit)) == 1
        assert [event.good for event in happened(made, Did)] == [True]

    @pytest.mark.rule(APART)
    def test_one_succeeds_and_the_other_does_not(self) -> None:
        made = made_of(4, 6, dice=(2,))
        split(made, "2/0")
        assert result(made) == "only attack"
        assert [event.good for event in happened(made, Did)] == [False]
        made = made_of(4, 6, dice=(2,))
        split(made, "1/1")
        assert result(made) == "only climb"
        assert len(happened(made, Missed)) == 1

    @pytest.mark.rule(APART)
    def test_only_where_both_fail_there_is_one_consolation(self) -> None:
        made = made_of(4, 6, dice=(2,))
        split(made, "2/0")
        assert momentum(made.state) == 0
        made = made_of(4, 6, dice=(0,))
        made.declare("ann", "mixed", **BOTH)
        assert result(made) == "neither"
        assert momentum(made.state) == 1

    @pytest.mark.rule(APART)
    def test_a_botch_is_worth_three_in_all_up_to_what_the_players_hold(self) -> None:
        made = made_of(4, 6, dice=((1, 3, 4, 5),))
        made.declare("ann", "mixed", **BOTH)
        assert result(made) == "botch"
        assert momentum(made.state) == 2  # one player holds 2 at most
