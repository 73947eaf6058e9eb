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
