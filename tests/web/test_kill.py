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
    found = list(kills(url, table, times, seed=times, longest=0.15))
    assert [text for each in found for text in each.lost] == []
    assert sum(each.acknowledged for each in found) > times
    assert any(each.exact for each in found)
