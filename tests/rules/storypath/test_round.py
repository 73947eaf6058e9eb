"""Rounds: the first begins with the roster, and in each every slot is filled once."""

from __future__ import annotations

import pytest
from scions import foe, go_on, happened, held, hero, rolled_roster, roster

from turnwright.systems.storypath.events import TurnStarted

BEGINS = "storypath.round.begins-after-initiative"


@pytest.mark.rule(BEGINS)
def test_the_first_round_begins_when_initiative_is_rolled() -> None:
    made = rolled_roster(hero("ann"), foe("wolf"), results=(4, 2))
    assert made.state.round == 1
    assert roster(made) == [("pc", 4), ("sgc", 2)]
    assert made.next_turn() == "ann"
    assert happened(made, TurnStarted) == []


@pytest.mark.rule(BEGINS)
def test_after_the_last_slot_a_round_begins_with_the_same_slots_chosen_afresh() -> None:
    made = rolled_roster(hero("ann"), hero("bo"), foe("wolf"), results=(4, 3, 2))
    assert [go_on(made, "bo"), go_on(made), go_on(made)] == ["bo", "ann", "wolf"]
    before = [slot.id for slot in held(made).slots]
    assert go_on(made, "ann") == "ann"
    assert made.state.round == 2
    assert [slot.id for slot in held(made).slots] == before
    assert [slot.filled for slot in held(made).slots] == ["ann", "", ""]
