"""Initiative: pools, shared rolls, and slots that belong to a side whoever rolled them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from scions import (
    answer,
    begun,
    codes,
    foe,
    go_on,
    happened,
    held,
    hero,
    out,
    plainly,
    question,
    refused,
    rolled_roster,
    roster,
    rules,
    scene,
    table,
    who,
)

import turnwright as tw
from turnwright.model import Roll
from turnwright.systems.storypath.events import InitiativeRolled, SlotPassed, TurnStarted
from turnwright.systems.storypath.roster import initiative_pool

ROLL = "storypath.initiative.roll-at-combat-start"
SIDES = "storypath.initiative.slot-belongs-to-side"
NEXT = "storypath.initiative.pass-the-choice"


def pool_of(**keys: object) -> int:
    state = scene(hero("ann", **keys))
    return initiative_pool(state, state.actors["ann"])


class TestTheRoll:
    @pytest.mark.rule(ROLL)
    def test_everybody_has_rolled_before_anybody_acts(self) -> None:
        made = table(hero("ann"), hero("bo"), foe("wolf"), dice=(2, 1, 3))
        assert "NOT_STARTED" in codes(made, "ann", "attack", target="wolf")
        assert refused(lambda: made.declare("ann", "attack", target="wolf")).keys() >= {ROLL}
        made.declare("", "initiative")
        assert [(e.actors, e.successes) for e in happened(made, InitiativeRolled)] == [
            (("ann",), 2),
            (("bo",), 1),
            (("wolf",), 3),
        ]
        assert happened(made, TurnStarted) == []

    @pytest.mark.rule(ROLL)
    def test_it_is_rolled_once_for_the_whole_fight(self) -> None:
        made = rolled_roster(hero("ann"), foe("wolf"), results=(2, 1))
        assert refused(lambda: made.declare("", "initiative")).keys() == {ROLL}
        for _ in range(6):
            go_on(made)
        assert made.state.round == 3
        assert len(happened(made, InitiativeRolled)) == 2

    @pytest.mark.rule(ROLL)
    def test_the_first_slot_begins_with_the_roll_where_nobody_called_for_it(self) -> None:
        made = table(hero("ann"), foe("wolf"), dice=(2, 1))
        made.declare("ann", "begin")
        assert roster(made) == [("pc", 2), ("sgc", 1)]
        assert made.state.active == "ann"

    @pytest.mark.rule(ROLL)
    def test_a_latecomer_rolls_on_arrival_and_has_a_slot_from_the_next_round_on(self) -> None:
        made = table(hero("ann"), foe("wolf"), dice=(2, 1, 4), reserves=[foe("bear")])
        go_on(made)
        made.declare("ann", "end")
        made.declare("", "arrive", who="bear")
        assert roster(made) == [("sgc", 4), ("pc", 2), ("sgc", 1)]
        assert go_on(made) == "wolf"
        assert made.state.round == 1
        assert go_on(made, "bear") == "bear"
        assert made.state.round == 2

    @pytest.mark.rule("storypath.initiative.who-rolls")
    def test_each_player_rolls_for_each_character_and_the_storyguide_for_hers(self) -> None:
        five = (hero("a1", "ann"), hero("a2", "ann"), hero("b1", "bo"), foe("x"), foe("y"))
        made = tw.Table(scene(*five), dice="table")
        made.declare("", "initiative")
        rolls = [held.question for held in made.waiting_on]
        assert all(isinstance(asked, Roll) for asked in rolls)
        assert [asked.who for asked in rolls] == ["ann", "ann", "bo", "guide", "guide"]


class TestTheSharedRoll:
    @pytest.mark.rule("storypath.initiative.sgc-group-roll", "storypath.initiative.sgc-slot")
    def test_a_group_has_one_roll_and_a_slot_for_each_member(self) -> None:
        goblins = [foe(f"goblin_{n}", group="goblins") for n in (1, 2, 3)]
        made = rolled_roster(*goblins, foe("ogre"), results=(2, 4))
        rolled = happened(made, InitiativeRolled)
        assert [(event.actors, event.successes) for event in rolled] == [
            (("goblin_1", "goblin_2", "goblin_3"), 2),
            (("ogre",), 4),
        ]
        assert roster(made) == [("sgc", 4), ("sgc", 2), ("sgc", 2), ("sgc", 2)]

    @pytest.mark.rule("storypath.initiative.sgc-group-roll")
    def test_without_a_group_like_characters_roll_alone(self) -> None:
        made = rolled_roster(foe("goblin_1"), foe("goblin_2"), results=(2, 3))
        assert [len(event.actors) for event in happened(made, InitiativeRolled)] == [1, 1]

    @pytest.mark.rule("storypath.initiative.sgc-group-roll")
    def test_player_characters_share_no_roll(self) -> None:
        with pytest.raises(tw.BadScene, match="only Storyguide characters share a roll"):
            scene(hero("ann", group="us"), hero("bo", group="us"))

    @pytest.mark.rule("storypath.initiative.sgc-group-roll")
    def test_a_group_whose_pools_differ_is_warned_of_and_allowed(self) -> None:
        made = table(foe("a", group="g"), foe("b", group="g", initiative=7), dice=(2,))
        made.declare("", "initiative")
        asked = question(made, "confirm")
        assert "differ" in asked.question.warnings[0]
        made.answer(asked, True)
        assert roster(made) == [("sgc", 2), ("sgc", 2)]


class TestThePool:
    @pytest.mark.rule("storypath.initiative.pool-formula")
    def test_it_is_the_best_combat_skill_and_cunning(self) -> None:
        assert pool_of(close_combat=3, firearms=1, cunning=2) == 5

    @pytest.mark.rule("storypath.initiative.best-combat-skill")
    def test_combat_skills_are_not_added_and_others_do_not_count(self) -> None:
        assert pool_of(close_combat=2, firearms=4, academics=5, cunning=3) == 7

    @pytest.mark.rule("storypath.initiative.pool-meaning")
    def test_it_follows_the_sheet_and_is_nowhere_stored(self) -> None:
        state = scene(hero("ann", close_combat=3, cunning=2))
        assert initiative_pool(state, state.actors["ann"]) == 5
        sharper = replace(state.actors["ann"], attributes={"cunning": 3})
        assert initiative_pool(state, sharper) == 6

    @pytest.mark.rule("storypath.initiative.pool-formula")
    def test_as_many_dice_are_thrown(self) -> None:
        made = tw.Table(scene(hero("ann", close_combat=3, firearms=1, cunning=2)), dice="table")
        made.declare("", "initiative")
        assert question(made).question.pool.dice == 5

    @pytest.mark.rule("storypath.initiative.count-successes")
    def test_the_result_is_how_many_successes_there_are_and_no_sum_of_faces(self) -> None:
        made = rolled_roster(hero("ann", close_combat=3, cunning=2), results=((8, 9, 3, 2, 8),))
        assert roster(made) == [("pc", 3)]

    @pytest.mark.rule("storypath.initiative.count-successes")
    def test_no_success_is_a_slot_too_and_neither_a_failure_nor_a_botch(self) -> None:
        made = rolled_roster(hero("ann", cunning=2), foe("wolf"), results=((1, 1), 1))
        assert roster(made) == [("sgc", 1), ("pc", 0)]
        assert made.state.facts["momentum"].amount == 0  # type: ignore[attr-defined]


class TestTheOrder:
    @pytest.mark.rule("storypath.initiative.rank-descending")
    def test_from_the_most_to_the_fewest_both_sides_in_one_list(self) -> None:
        made = rolled_roster(hero("a"), hero("b"), foe("x"), foe("y"), results=(1, 4, 3, 2))
        assert roster(made) == [("pc", 4), ("sgc", 3), ("sgc", 2), ("pc", 1)]

    @pytest.mark.rule("storypath.initiative.pc-slot")
    def test_each_result_of_a_player_is_one_slot(self) -> None:
        made = rolled_roster(hero("a"), hero("b"), hero("c"), results=(5, 3, 3))
        assert roster(made) == [("pc", 5), ("pc", 3), ("pc", 3)]

    @pytest.mark.rule("storypath.initiative.sgc-slot")
    def test_each_result_of_the_storyguide_is_one_slot(self) -> None:
        made = rolled_roster(foe("x"), foe("y"), results=(4, 2))
        assert roster(made) == [("sgc", 4), ("sgc", 2)]

    @pytest.mark.rule("storypath.initiative.roster-definition")
    def test_the_roster_is_slots_and_no_characters(self) -> None:
        made = rolled_roster(hero("a"), foe("x"), hero("b"), results=(5, 5, 2))
        assert roster(made) == [("pc", 5), ("sgc", 5), ("pc", 2)]
        ids = [slot.id for slot in held(made).slots]
        assert len(set(ids)) == 3
        assert not set(ids) & set(made.state.actors)
        assert [slot.filled for slot in held(made).slots] == ["", "", ""]

    @pytest.mark.rule("storypath.initiative.tie-favours-player")
    @pytest.mark.parametrize("first", ["pc", "sgc"])
    def test_a_tie_is_the_players(self, first: str) -> None:
        two = (hero("a"), foe("x")) if first == "pc" else (foe("x"), hero("a"))
        assert roster(rolled_roster(*two, results=(3, 3))) == [("pc", 3), ("sgc", 3)]

    @pytest.mark.rule("storypath.initiative.many-way-tie")
    def test_at_one_value_all_slots_of_the_players_come_first(self) -> None:
        five = {"a": 5, "b": 3, "c": 3, "x": 5, "y": 3}
        for order in ("abcxy", "xyabc", "xaybc"):
            everybody = [foe(name) if name in "xy" else hero(name) for name in order]
            made = rolled_roster(*everybody, results=tuple([five[name] for name in order]))
            assert roster(made) == [("pc", 5), ("sgc", 5), ("pc", 3), ("pc", 3), ("sgc", 3)], order

    @pytest.mark.rule("storypath.initiative.many-way-tie", "storypath.initiative.sgc-group-roll")
    def test_the_ties_of_the_notes(self) -> None:
        six = (hero("a"), hero("b"), hero("c"), foe("x"), foe("y"), foe("z"))
        made = rolled_roster(*six, results=(4, 4, 2, 4, 4, 2))
        assert roster(made) == [("pc", 4), ("pc", 4), ("sgc", 4), ("sgc", 4), ("pc", 2), ("sgc", 2)]
        goblins = [foe(f"g{n}", group="goblins") for n in (1, 2, 3)]
        assert roster(rolled_roster(hero("a"), *goblins, results=(4, 4)))[1:] == [("sgc", 4)] * 3


def five(*results: int) -> tw.Table:
    """Ann, Bo and Cy against Wolf and Witch."""
    made = rolled_roster(hero("ann"), hero("bo"), hero("cy"), foe("wolf"), foe("witch"), results=results)
    return made


class TestSlotsBelongToASide:
    @pytest.mark.rule(SIDES, "storypath.initiative.players-choose-first", NEXT)
    def test_the_worked_case_of_the_notes(self) -> None:
        made = five(5, 3, 1, 4, 4)
        assert roster(made) == [("pc", 5), ("sgc", 4), ("sgc", 4), ("pc", 3), ("pc", 1)]
        assert go_on(made, "cy") == "cy"
        assert go_on(made, "witch") == "witch"
        assert go_on(made) == "wolf"
        made.declare("wolf", "end")
        made.declare("bo", "begin")
        asked = question(made)
        assert (asked.who, asked.options) == ("cy", ("bo", "ann"))
        made.answer(asked, "bo")
        # Ann is the only one left, and takes the slot of 1 without being named, although she rolled 5.
        assert go_on(made) == "ann"
        assert [slot.filled for slot in held(made).slots] == ["cy", "witch", "wolf", "bo", "ann"]

    @pytest.mark.rule(SIDES)
    def test_the_roster_never_sorts_characters_by_their_own_roll(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), results=(5, 1))
        assert go_on(made, "bo") == "bo"
        assert go_on(made) == "ann"
        assert [(slot.rolled_by, slot.filled) for slot in held(made).slots] == [("ann", "bo"), ("bo", "ann")]

    @pytest.mark.rule(SIDES)
    def test_nobody_fills_a_slot_of_the_other_side(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), foe("wolf"), foe("witch"), results=(4, 3, 5, 5))
        assert "OTHER_SIDE" in codes(made, "ann", "begin")
        made.declare("wolf", "begin")
        assert refused(lambda: answer(made, "ann")).keys() == {SIDES}
        answer(made, "witch")
        made.declare("witch", "end")
        assert go_on(made) == "wolf"
        made.declare("wolf", "end")
        made.declare("ann", "begin")
        assert refused(lambda: answer(made, "wolf")).keys() == {SIDES}

    @pytest.mark.rule(SIDES)
    def test_when_somebody_falls_the_lowest_slot_passes_whoever_rolled_it(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), hero("cy"), results=(5, 3, 1))
        out(made, "bo")
        assert go_on(made, "cy") == "cy"
        assert go_on(made) == "ann"
        assert [slot.filled for slot in held(made).slots] == ["cy", "ann", ""]
        go_on(made, "ann")
        # The slot of 1 passed without a question, and the next round has begun.
        assert [event.slot for event in happened(made, SlotPassed)] == ["slot-3"]
        assert made.state.round == 2
        assert roster(made) == [("pc", 5), ("pc", 3), ("pc", 1)]

    @pytest.mark.rule(SIDES)
    def test_a_slot_stays_when_its_roller_leaves(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), foe("wolf"), results=(1, 5, 3))
        made.declare("", "depart", who="bo")
        assert roster(made) == [("pc", 5), ("sgc", 3), ("pc", 1)]
        assert go_on(made) == "ann"
        assert held(made).slots[0].filled == "ann"


class TestWhoGoesNext:
    @pytest.mark.rule("storypath.initiative.players-choose-first")
    def test_all_seats_of_the_players_are_asked_and_the_first_answer_counts(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), foe("wolf"), results=(3, 5, 1))
        made.declare("bo", "begin")
        assert [asked.who for asked in made.waiting_on] == ["ann", "bo"]
        first, second = made.waiting_on
        made.answer(first, "ann", seat="ann")
        assert made.state.active == "ann"
        assert held(made).slots[0].filled == "ann"
        with pytest.raises(tw.Refused, match="it was answered"):
            made.answer(second, "bo", seat="bo")
        assert made.state.active == "ann"

    @pytest.mark.rule("storypath.initiative.players-choose-first")
    def test_an_answer_that_is_refused_decides_nothing(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), foe("wolf"), results=(3, 5, 1))
        made.declare("bo", "begin")
        assert refused(lambda: made.answer(made.waiting_on[0], "wolf", seat="ann")).keys() == {SIDES}
        assert len(made.waiting_on) == 2
        with pytest.raises(tw.Refused, match="for bo to answer"):
            made.answer(made.waiting_on[1], "bo", seat="ann")
        made.answer(made.waiting_on[1], "bo", seat="bo")
        assert made.state.active == "bo"

    @pytest.mark.rule("storypath.initiative.players-choose-first")
    def test_whoever_rolled_the_slot_takes_it_where_nobody_says_anything(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), foe("wolf"), results=(3, 5, 1))
        assert made.next_turn() == "bo"
        made.declare("bo", "begin")
        plainly(made)
        assert made.state.active == "bo"

    @pytest.mark.rule(NEXT)
    def test_only_the_one_who_holds_the_slot_names_the_next(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), hero("cy"), hero("di"), results=(4, 3, 2, 1))
        go_on(made, "ann")
        assert rules(made, "bo", "hand_on", target="cy") == [NEXT]
        made.declare("ann", "hand_on", target="cy")
        made.declare("ann", "end")
        made.declare("cy", "begin")
        assert made.state.active == "cy"
        assert rules(made, "ann", "hand_on", target="bo") == [NEXT]
        made.declare("cy", "end")
        made.declare("bo", "begin")
        asked = question(made)
        assert asked.who == "cy"
        assert refused(lambda: made.answer(asked, "ann")).keys() == {NEXT}

    @pytest.mark.rule(NEXT)
    def test_handing_on_can_be_done_ahead_and_taken_back_until_the_slot_starts(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), hero("cy"), foe("wolf"), results=(5, 3, 1, 4))
        go_on(made, "ann")
        made.declare("ann", "hand_on", target="cy")
        made.declare("ann", "end")
        assert go_on(made) == "wolf"
        # On somebody else's turn, too.
        made.declare("ann", "take_back")
        made.declare("ann", "hand_on", target="bo")
        made.declare("wolf", "end")
        assert "OTHER_NAMED" in codes(made, "cy", "begin")
        made.declare("bo", "begin")
        assert made.state.active == "bo"
        assert codes(made, "ann", "take_back") == ["NOT_YOURS_TO_NAME", "NOBODY_NAMED"]

    @pytest.mark.rule(NEXT)
    def test_nobody_is_named_who_has_had_a_slot(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), hero("cy"), results=(5, 3, 1))
        go_on(made, "ann")
        go_on(made, "bo")
        assert rules(made, "bo", "hand_on", target="ann") == [NEXT]

    @pytest.mark.rule(NEXT)
    def test_if_the_one_named_falls_it_is_named_again(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), hero("cy"), hero("di"), results=(5, 3, 2, 1))
        go_on(made, "ann")
        made.declare("ann", "hand_on", target="cy")
        out(made, "cy")
        made.declare("ann", "end")
        made.declare(made.next_turn() or "", "begin")
        asked = question(made)
        assert (asked.who, sorted(asked.options)) == ("ann", ["bo", "di"])

    @pytest.mark.rule(NEXT)
    def test_if_the_one_who_may_name_falls_the_players_name_together(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), hero("cy"), results=(5, 3, 1))
        go_on(made, "ann")
        made.declare("ann", "end")
        out(made, "ann")
        made.declare(made.next_turn() or "", "begin")
        assert [asked.who for asked in made.waiting_on] == ["bo", "cy"]

    @pytest.mark.rule("storypath.initiative.storyguide-orders-sgcs")
    def test_the_storyguide_says_in_which_order_hers_act(self) -> None:
        made = rolled_roster(foe("wolf"), foe("witch"), hero("ann"), results=(2, 4, 1))
        made.declare("witch", "begin")
        asked = question(made)
        assert asked.who == "guide"
        made.answer(asked, "wolf")
        assert held(made).slots[0].filled == "wolf"
        assert go_on(made) == "witch"

    @pytest.mark.rule(SIDES)
    def test_nobody_acts_twice_in_a_round(self) -> None:
        made = begun(hero("ann"), hero("bo"), foe("wolf"), up="ann")
        assert "TURN" in codes(made, "bo", "begin")
        made.declare("ann", "end")
        assert "HAD_ONE" in codes(made, "ann", "begin")
        assert who(made, "ann").acted == 1
