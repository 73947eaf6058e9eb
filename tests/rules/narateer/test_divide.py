"""Dividing a movement around other Actions."""

from __future__ import annotations

import pytest
from moves import COVERED, THICKET, act_for, at, character, codes, farthest, field, go, hidden, metres, mover
from scenes import hidden_from, ready, refused, spent

POST = character("post", "guards", (4, 0), ad=0, bears=9)
CLUB = {"name": "club", "kind": "melee", "base_attack_cost": 2}


@pytest.mark.rule("narateer.divide.allowed")
def test_run_attack_and_run_on_for_1_ad() -> None:
    t = field(mover(13), POST, dice=(1,))
    go(t, "kael", "run", 4)
    t.declare("kael", "attack", target="post", boost=0)
    assert farthest(t, "kael", "run") == 9
    go(t, "kael", "run", 9)
    assert at(t, "kael") == (13, 1)
    assert ready(t, "kael") == 6 - 1 - 1


@pytest.mark.rule("narateer.divide.allowed")
def test_sprint_to_cover_handle_something_and_go_on() -> None:
    t = field(mover(14))
    go(t, "kael", "sprint", 8, skill="athletics")
    act_for(t, "kael", 0)
    go(t, "kael", "sprint", 8)
    assert (at(t, "kael"), ready(t, "kael")) == ((16, 1), 4)


@pytest.mark.rule("narateer.divide.total-cap")
def test_the_stretches_together_never_exceed_the_allowance() -> None:
    t = field(mover(13))
    go(t, "kael", "run", 4)
    go(t, "kael", "run", 5)
    assert "narateer.divide.total-cap" in refused(lambda: go(t, "kael", "run", 5))
    assert spent(t, "kael") == 18
    go(t, "kael", "run", 4)
    assert spent(t, "kael") == 26
    assert codes(next(offer for offer in t.offers("kael") if offer.action == "run")) == {"NOTHING_LEFT"}


@pytest.mark.rule("narateer.divide.allowed", "narateer.divide.total-cap", "narateer.mode.pay-once")
def test_case_07_pay_once_and_nothing_is_restored() -> None:
    t = field(mover(13, ad=6, weapons=[CLUB]), POST, dice=(1,))
    go(t, "kael", "run", 4)
    t.declare("kael", "attack", target="post", weapon="club", boost=0)
    go(t, "kael", "run", 9)
    # 2 left would be the mode paid again, or an attack charged for being a Major Action too.
    assert ready(t, "kael") == 3
    assert metres(t, "kael", "run") == 0


GUARD = character("guard", "guards", (55, 1), readiness={"observation": 5})


@pytest.mark.rule("narateer.divide.total-cap")
def test_case_08_hidden_movement_doubles_metres_and_not_ad() -> None:
    t = field(mover(14), GUARD, rows=COVERED, legend=THICKET)
    hidden(t, "kael", "guard")
    # 28 m for 2 AD would double the price of the mode.
    assert farthest(t, "kael", "run") == 7
    go(t, "kael", "run", 7)
    assert (spent(t, "kael"), ready(t, "kael")) == (28, 5)
    assert hidden_from(t, "kael") == {"guard"}


@pytest.mark.rule("narateer.divide.total-cap", "narateer.move.spent-movement-stays-spent")
def test_case_11_hiding_in_mid_move_leaves_half_of_what_is_left() -> None:
    t = field(mover(14, skills={"stealth": 1}), GUARD, rows=COVERED, legend=THICKET, dice=(6,))
    go(t, "kael", "walk", 4)
    assert (spent(t, "kael"), metres(t, "kael", "walk")) == (8, 6)
    t.declare("kael", "hide", method="crouch", boost=0)
    assert (hidden_from(t, "kael"), ready(t, "kael")) == ({"guard"}, 5)
    # 6 m are 3 m sneaked, one Space and a half; 14 / 2 = 7 m would be three, with the 8 m walked priced anew.
    assert farthest(t, "kael", "walk") == 1
    assert spent(t, "kael") == 8
