"""Walk: ordinary movement for nothing, up to Base Movement."""

from __future__ import annotations

import pytest
from moves import codes, east, farthest, field, go, metres, mover, rolls, try_check
from scenes import ready

SNARED = {"snared": {"movement": False}}


@pytest.mark.rule("narateer.walk.cost")
def test_a_walk_costs_nothing() -> None:
    t = field(mover(14, ad=0))
    go(t, "kael", "walk", 3)
    assert ready(t, "kael") == 0


@pytest.mark.rule("narateer.walk.distance")
@pytest.mark.parametrize(("bm", "spaces"), [(8, 4), (14, 7), (15, 7)])
def test_a_walk_goes_as_far_as_base_movement(bm: int, spaces: int) -> None:
    t = field(mover(bm))
    assert metres(t, "kael", "walk") == bm
    assert farthest(t, "kael", "walk") == spaces


@pytest.mark.rule("narateer.walk.ordinary-and-available")
def test_whoever_can_move_can_walk_without_ad_or_uses() -> None:
    t = field(mover(14, ad=1, skills={}), dice=(1,))
    try_check(t, "kael")
    assert ready(t, "kael") == 0
    offers = {offer.action: offer.verdict for offer in t.offers("kael") if offer.action in ("walk", "run", "sprint")}
    assert offers == {"walk": "legal", "run": "illegal", "sprint": "illegal"}
    go(t, "kael", "walk", 7)
    assert rolls(t) == 1
    assert t.state.actors["kael"].uses == {"athletics": 1}


@pytest.mark.rule("narateer.walk.ordinary-and-available")
def test_a_condition_can_take_the_walk_away() -> None:
    t = field(mover(14, conditions=["snared"]), conditions=SNARED)
    assert codes(next(offer for offer in t.offers("kael") if offer.action == "walk")) == {"NO_MOVEMENT"}


@pytest.mark.rule("narateer.tactical.two-metre-spaces", "narateer.divide.total-cap")
def test_case_02_fifteen_metres_are_seven_spaces_for_the_whole_activation() -> None:
    t = field(mover(15))
    go(t, "kael", "walk", 3)
    # Rounding 7.5 m and 7.5 m by themselves would make 3 + 3 = 6.
    assert farthest(t, "kael", "walk") == 4
    t.declare("kael", "walk", route=east(4, 3))
    assert codes(t.explain("kael", "walk", route=east(1, 7))) == {"TOO_FAR"}
