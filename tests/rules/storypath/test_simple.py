"""Simple actions: all of one's attention, and the whole pool."""

from __future__ import annotations

import pytest
from scions import begun, codes, foe, happened, hero, momentum, plainly, pool, result, who

import turnwright as tw
from turnwright.events import Acted
from turnwright.systems.storypath.events import PoolRolled
from turnwright.systems.storypath.reflexive import classify

ATTENTION = "storypath.simple.full-attention"


@pytest.mark.rule(ATTENTION)
def test_whatever_takes_all_attention_costs_the_one_action() -> None:
    made = begun(hero("ann", athletics=2, dexterity=1), foe("golem"), up="ann", dice=(1,), deeds=[{"name": "sing"}])
    assert classify(made.state, "sing").type == "simple"
    made.declare("ann", "deed", deed="sing")
    assert result(made) == "success"
    assert who(made, "ann").actions == 0


@pytest.mark.rule(ATTENTION)
def test_anything_else_is_tried_as_the_storyguide_rules() -> None:
    made = begun(hero("ann", athletics=2, dexterity=1), foe("golem"), up="ann", dice=(1,))
    made.declare("ann", "attempt", intent="swing over the gap", method="by the chain")
    made.answer(made.waiting_on[0], {"kind": "check", "skill": "athletics+dexterity", "target": 2})
    assert [event.dice for event in happened(made, PoolRolled)] == [3]
    assert result(made) == "failure"
    assert momentum(made.state) == 1


@pytest.mark.rule("storypath.simple.example-stab")
def test_a_stab_at_a_golem_is_simple_one_attack_and_the_whole_pool() -> None:
    made = begun(hero("ann", close_combat=3, might=3), foe("golem"), up="ann", dice=(2,))
    assert pool(made, "ann", "attack", target="golem") == 6
    made.declare("ann", "attack", target="golem")
    plainly(made)
    assert [event.dice for event in happened(made, PoolRolled)] == [6]
    assert (who(made, "ann").actions, who(made, "ann").attacks) == (0, 0)
    assert [event.action for event in happened(made, Acted)] == ["attack"]


class TestFullDefense:
    @pytest.mark.rule(ATTENTION)
    def test_it_doubles_the_pool_and_its_successes_are_divided(self) -> None:
        made = begun(hero("ann", resolve=3), foe("wolf"), up="ann", dice=(4,))
        assert pool(made, "ann", "full_defense") == 6
        made.declare("ann", "full_defense")
        made.answer(made.waiting_on[0], "3/1")
        assert (who(made, "ann").guard, who(made, "ann").soft_now) == (3, 1)

    @pytest.mark.rule(ATTENTION)
    def test_defense_is_never_below_one(self) -> None:
        made = begun(hero("ann", resolve=3), foe("wolf"), up="ann", dice=(4,))
        made.declare("ann", "full_defense")
        made.answer(made.waiting_on[0], "0/4")
        assert (who(made, "ann").guard, who(made, "ann").soft_now) == (1, 4)

    @pytest.mark.rule(ATTENTION)
    def test_whoever_has_only_a_number_cannot(self) -> None:
        made = begun(hero("ann"), foe("wolf"), up="wolf")
        assert codes(made, "wolf", "full_defense") == ["NO_POOL"]


def test_momentum_buys_dice_before_the_roll() -> None:
    made = begun(hero("ann", close_combat=1, might=1), foe("wolf"), up="ann", dice=(2,), momentum=2)
    made.declare("ann", "attack", target="wolf")
    asked = made.waiting_on[0]
    assert (asked.kind, asked.question.most) == ("commit", 2)
    with pytest.raises(tw.Refused, match="above the limit"):
        made.answer(asked, 3)
    made.answer(asked, 2)
    assert momentum(made.state) == 0
    assert [event.dice for event in happened(made, PoolRolled)] == [4]
