"""Scripted players over HTTP at a few tables: all are told, and after SIGKILL nothing acknowledged is missing."""

from __future__ import annotations

import sys

import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_few_tables_are_played_over_http() -> None:
    from bench.load import measured

    found = measured(tables=3, players=2, seconds=1.5, pause=0.01)
    assert found.lost == ()
    assert found.acknowledged > 5
    assert found.seats == 4
    assert 0 < found.command[0] <= found.told[0]
