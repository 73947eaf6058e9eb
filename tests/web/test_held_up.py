"""Whoever acts is told when what they declared is over, also where nothing came of it that they could see."""

from __future__ import annotations

from pathlib import Path

from turnwright import read_scene

from .halls import AMBUSH, hall, send


def test_a_reaction_that_nobody_takes_lets_the_turn_go_on(tmp_path: Path) -> None:
    """The guard stands at (6, 3) here, and Selka walks within reach of his spear."""
    at = hall(tmp_path)
    scene = AMBUSH.read_text(encoding="utf-8").replace("at: [14, 7]", "at: [6, 3]")
    live = at.open(read_scene(scene, "ambush"), seed=7)
    at.wait()
    assert send(at, live, "ann", "declare", actor="selka", action="walk", to="5,4").ok
    (asked,) = live.table.waiting_on
    before = {seat: live.version(seat) for seat in live.seats}
    assert send(at, live, "guide", "answer", question=asked.id, value=["pass", 0]).ok
    assert live.table.pending is None
    assert live.version("ann") > before["ann"]
    assert (live.version("ben"), live.version("spectator")) == (before["ben"], before["spectator"])


def test_the_other_device_of_a_seat_is_told_that_it_has_answered(tmp_path: Path) -> None:
    """Selka hides where the guard, far off, does not notice; then he searches there, and both commit at once."""
    at = hall(tmp_path)
    scene = AMBUSH.read_text(encoding="utf-8").replace("    at: [14, 7]", "    seat: ben\n    at: [13, 6]")
    live = at.open(read_scene(scene, "ambush"), seed=7)
    at.wait()
    assert send(at, live, "ann", "declare", actor="selka", action="walk", to="2,9").ok
    assert send(at, live, "ann", "declare", actor="selka", action="hide", method="crouch").ok
    assert send(at, live, "ann", "declare", actor="selka", action="end").ok
    assert send(at, live, "ben", "declare", actor="bo", action="end").ok
    assert send(at, live, "ben", "declare", actor="guard", action="search", method="look", at="2,9").ok
    assert send(at, live, "guide", "answer", question=live.table.waiting_on[0].id, value=0).ok
    before = {seat: live.version(seat) for seat in live.seats}
    mine = next(held for held in live.table.waiting_on if held.who == "ann")
    assert send(at, live, "ann", "answer", question=mine.id, value=2).ok
    assert [held.drafted for held in live.table.waiting_on if held.who == "ann"] == [True]
    assert live.version("ann") > before["ann"]
    assert live.version("guide") > before["guide"]
    assert (live.version("ben"), live.version("spectator")) == (before["ben"], before["spectator"])
