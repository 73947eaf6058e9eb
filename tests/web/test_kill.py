"""A process that plays a table is killed at random moments: what was acknowledged is there, whole, and runs again."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.web.store import at_file

from .halls import ROOT

pytestmark = pytest.mark.skipif(not hasattr(__import__("signal"), "SIGKILL"), reason="this system has no SIGKILL")


@pytest.mark.parametrize(
    ("scene", "times"), [("narateer/ambush.yaml", 7), ("narateer/duel.yaml", 4), ("altered_realms/brawl.yaml", 4)]
)
def test_nothing_that_was_acknowledged_is_lost(tmp_path: Path, scene: str, times: int) -> None:
    from bench.killing import begin, kills

    url = at_file(tmp_path / "tables.db")
    table = begin(url, ROOT / "examples" / scene, seed=times)
    found = []
    for each in kills(url, table, 5 * times, seed=times, longest=0.15):
        found.append(each)
        told = sum(each.acknowledged for each in found) > times and any(each.exact for each in found)
        if told and len(found) >= times:  # a slow machine acknowledges little before it is killed
            break
    assert [text for each in found for text in each.lost] == []
    assert told
