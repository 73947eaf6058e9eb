"""Moving at all: a mode is picked, what is spent stays spent, and other rules limit it."""

from __future__ import annotations

import pytest
from moves import at, character, codes, east, farthest, field, go, metres, mover, quoted
from scenes import ready, refused, spent

POST = character("post", "guards", (4, 0), ad=0, bears=9)
MUD = {"m": {"name": "mud", "difficult": ["mud"]}}
SNARED = {"snared": {"movement": False}}


@pytest.mark.rule("narateer.move.pick-a-mode")
def test_moving_is_walking_running_or_sprinting_for_0_1_or_2_ad() -> None:
    t = field(mover(ad=5))
    prices = {
        offer.action: offer.price.amount("ad")
        for offer in t.offers("kael")
        if any(cost.resource.startswith("mode:") for cost in offer.price.costs)
    }
    assert prices == {"walk": 0, "run": 1, "sprint": 2}


@pytest.mark.rule("narateer.move.pick-a-mode")
@pytest.mark.parametrize("mode", ["jog", "move", "dash"])
def test_there_is_no_other_mode_and_no_movement_without_one(mode: str) -> None:
    t = field(mover(ad=5))
    refused(lambda: t.declare("kael", mode, route=east(2)))
    assert codes(t.explain("kael", mode, route=east(2))) == {"UNKNOWN_ACTION"}
    assert (ready(t, "kael"), at(t, "kael")) == (5, (0, 1))


@pytest.mark.rule("narateer.move.spent-movement-stays-spent")
def test_resuming_a_run_after_an_attack_gives_nothing_back() -> None:
    t = field(mover(13), POST, dice=(1,))
    go(t, "kael", "run", 4)
    assert metres(t, "kael", "run") == 18
    t.declare("kael", "attack", target="post", boost=0)
    assert metres(t, "kael", "run") == 18
    go(t, "kael", "run", 1)
    assert (metres(t, "kael", "run"), spent(t, "kael")) == (16, 10)


@pytest.mark.rule("narateer.move.limited-by-other-rules")
def test_a_walk_over_difficult_ground_goes_half_as_far() -> None:
    open_ground = field(mover())
    muddy = field(mover(), rows=["m" * 60] * 3, legend=MUD)
    assert farthest(open_ground, "kael", "walk") == 7
    # 14 m are 7 m of mud; the eighth metre of ground would need a whole fourth Space.
    assert (metres(muddy, "kael", "walk"), quoted(muddy, "kael", "walk", 3)) == (14, 12)
    assert farthest(muddy, "kael", "walk") == 3
    assert farthest(muddy, "kael", "run") == 7


@pytest.mark.rule("narateer.move.limited-by-other-rules")
def test_a_condition_that_forbids_movement_leaves_none() -> None:
    t = field(mover(conditions=["snared"]), conditions=SNARED)
    assert farthest(t, "kael", "walk") == 0
    assert codes(t.explain("kael", "walk", route=east(1))) == {"NO_MOVEMENT"}
