"""Doors that are barred, forced, broken and mended while a scene is played."""

from __future__ import annotations

from typing import Any

import pytest
from scenes import character, ready, table

import turnwright as tw
from turnwright.systems.narateer.events import DoorChanged


def gate(dice: tuple[Any, ...] = (), **door: Any) -> tw.Table:
    held = {"id": "gate", "between": [[1, 1], [2, 1]], "name": "the gate", "opens": "check", "target": 6}
    selka = character("selka", "heroes", (1, 1), skills={"athletics": 1}, ad=20)
    return table(selka, dice=dice, begin="selka", map_={"doors": [held | door]})


def use(made: tw.Table) -> str:
    """Open or shut the gate; gives the verdict with what it costs in AD."""
    offer = made.explain("selka", "use", using="gate", boost=0 if made.state.open_doors == () else None)
    kind = "check" if any(cost.resource.startswith("use:") for cost in offer.price.costs) else "automatic"
    made.declare("selka", "use", using="gate", **({"boost": 0} if kind == "check" else {}))
    return kind


@pytest.mark.rule("narateer.tier.door-example")
def test_a_forced_door_that_is_shut_again_is_forced_again():
    t = gate((6, 6))
    assert use(t) == "check"
    assert t.state.open_doors == ("gate",)
    assert use(t) == "automatic"
    assert t.state.open_doors == ()
    had = ready(t, "selka")
    assert use(t) == "check"  # X it gave way once and stands open to everybody
    assert ready(t, "selka") == had - 1


@pytest.mark.rule("narateer.tier.door-example")
def test_a_door_that_the_check_breaks_holds_nobody_any_more():
    t = gate((6,), breaks=True)
    use(t)
    assert t.state.facts["gate"].broken
    use(t)
    had = ready(t, "selka")
    assert use(t) == "automatic"
    assert (ready(t, "selka"), t.state.open_doors) == (had, ("gate",))
    with pytest.raises(tw.Refused, match="the gate is broken and holds nobody"):
        t.override([DoorChanged("", "gate", opens="check", target=6)], "bars it")
    t.override([DoorChanged("", "gate", opens="check", target=6, broken=False)], "mends and bars it")
    assert not t.state.facts["gate"].broken


@pytest.mark.rule("narateer.tier.door-example")
def test_a_door_is_barred_and_unbarred_in_play():
    t = gate((6,), opens="trivial", target=None)
    t.override([DoorChanged("", "gate", opens="check", target=6)], "somebody bars it from inside")
    assert use(t) == "check"
    assert t.state.open_doors == ("gate",)
    t.undo()
    t.override([DoorChanged("", "gate", opens="trivial")], "and lifts the bar")
    assert use(t) == "automatic"
    with pytest.raises(tw.Refused, match="no door called 'hatch'"):
        t.override([DoorChanged("", "hatch", opens="check")], "bars it")
