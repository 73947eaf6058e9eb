"""The turn: one simple or one mixed action, and one attack."""

from __future__ import annotations

import pytest
from scions import BALANCE, begun, codes, foe, go_on, hero, plainly, rules, turn_of, who

import turnwright as tw

ONE = "storypath.turn.action-allowance"
SECOND = "storypath.turn.no-second-action"
ATTACK = "storypath.turn.one-attack"
DEED = {"name": "shout", "skill": "athletics", "attribute": "presence"}
OTHER = {"name": "signal", "skill": "athletics", "attribute": "dexterity"}
BOTH = {"first": "shout", "second": "signal"}


def ann(dice: tuple[int, ...] = ()) -> tw.Table:
    return begun(
        hero("ann", might=2, close_combat=2, athletics=2, dexterity=1, presence=1),
        foe("wolf"),
        up="ann",
        dice=dice,
        deeds=[DEED, OTHER],
    )


class TestOneAction:
    @pytest.mark.rule(ONE)
    def test_after_a_simple_action_no_mixed_one(self) -> None:
        made = ann((2,))
        made.declare("ann", "deed", deed="shout")
        assert SECOND in rules(made, "ann", "mixed", **BOTH)

    @pytest.mark.rule(ONE)
    def test_after_a_mixed_action_no_simple_one(self) -> None:
        made = ann((2,))
        made.declare("ann", "mixed", **BOTH)
        plainly(made)
        assert SECOND in rules(made, "ann", "deed", deed="shout")

    @pytest.mark.rule(SECOND)
    def test_no_second_action_of_the_same_kind(self) -> None:
        made = ann((2,))
        made.declare("ann", "deed", deed="shout")
        assert SECOND in rules(made, "ann", "deed", deed="signal")
        made = ann((2,))
        made.declare("ann", "mixed", **BOTH)
        plainly(made)
        assert SECOND in rules(made, "ann", "mixed", **BOTH)

    @pytest.mark.rule(SECOND)
    def test_one_may_pass(self) -> None:
        made = ann()
        made.declare("ann", "end")
        assert go_on(made) == "wolf"

    @pytest.mark.rule(ONE)
    def test_on_another_turn_there_is_none(self) -> None:
        made = ann()
        turn_of(made, "wolf")
        assert rules(made, "ann", "deed", deed="shout") == [ONE]


class TestOneAttack:
    @pytest.mark.rule(ATTACK)
    def test_no_second_attack_in_a_turn_and_one_again_in_the_next(self) -> None:
        made = ann((0,))
        made.declare("ann", "attack", target="wolf")
        plainly(made)
        assert ATTACK in rules(made, "ann", "attack", target="wolf")
        assert who(made, "ann").attacks == 0
        turn_of(made, "ann")
        assert who(made, "ann").attacks == 1
        assert codes(made, "ann", "attack", target="wolf") == []

    @pytest.mark.rule(ATTACK)
    def test_the_case_of_the_notes(self) -> None:
        made = begun(
            hero("ann", might=2, close_combat=2, items=[{"name": "rope"}]),
            foe("wolf"),
            up="ann",
            dice=(0,),
            deeds=[BALANCE],
        )
        made.declare("ann", "attack", target="wolf")
        plainly(made)
        # A stab, then a draw: fine; then another stab: refused.
        made.declare("ann", "draw", item="rope")
        assert ATTACK in rules(made, "ann", "attack", target="wolf")
