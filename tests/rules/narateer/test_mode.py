"""One movement mode for an Activation, paid once, used up as far as one likes."""

from __future__ import annotations

import pytest
from moves import act_for, at, codes, east, farthest, field, go, metres, mover
from scenes import acted, ready, refused


@pytest.mark.rule("narateer.mode.one-per-activation")
def test_after_walking_there_is_no_run_until_the_next_activation() -> None:
    t = field(mover(14, ad=5))
    go(t, "kael", "walk", 7)
    assert "narateer.mode.one-per-activation" in refused(lambda: go(t, "kael", "run", 1))
    assert ready(t, "kael") == 5
    t.declare("kael", "end")
    t.declare("kael", "begin")
    go(t, "kael", "run", 14)
    assert (ready(t, "kael"), at(t, "kael")) == (4, (21, 1))


@pytest.mark.rule("narateer.mode.one-per-activation")
def test_case_06_a_walk_is_not_upgraded_to_a_run() -> None:
    t = field(mover(14))
    t.declare("kael", "walk", route=east(1))
    assert codes(t.explain("kael", "run", route=east(2, 1))) == {"ONE_MODE"}
    # 28 - 2 = 26 m for 1 AD would be the upgrade that there is not.
    assert farthest(t, "kael", "run") == 0
    assert metres(t, "kael", "walk") == 12
    assert ready(t, "kael") == 6


@pytest.mark.rule("narateer.mode.one-per-activation")
def test_the_mode_need_not_be_chosen_before_the_first_metre() -> None:
    t = field(mover(14))
    act_for(t, "kael")
    assert all(farthest(t, "kael", mode) for mode in ("walk", "run"))


@pytest.mark.rule("narateer.mode.pay-once")
def test_a_sprint_in_three_stretches_is_paid_once() -> None:
    t = field(mover(14, ad=6))
    go(t, "kael", "sprint", 5, skill="athletics")
    act_for(t, "kael", 1)
    go(t, "kael", "sprint", 5)
    act_for(t, "kael", 1)
    go(t, "kael", "sprint", 5)
    assert ready(t, "kael") == 6 - 2 - 1 - 1
    assert at(t, "kael") == (15, 1)
    assert [action for action, _ in acted(t, "kael") if action == "sprint"] == ["sprint"]


@pytest.mark.rule("narateer.mode.may-move-less")
def test_a_short_run_is_legal_at_the_full_price() -> None:
    t = field(mover(14))
    go(t, "kael", "run", 2)
    assert (ready(t, "kael"), metres(t, "kael", "run")) == (5, 24)


@pytest.mark.rule("narateer.mode.may-move-less")
def test_what_is_not_used_is_lost_when_the_activation_ends() -> None:
    t = field(mover(14))
    go(t, "kael", "run", 2)
    t.declare("kael", "end")
    t.declare("kael", "begin")
    assert metres(t, "kael", "run") == 28
    assert ready(t, "kael") == 6
