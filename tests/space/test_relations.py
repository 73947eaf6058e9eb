"""Stated relations and what parts places."""

from __future__ import annotations

import pytest

from turnwright.space.story import HOWS, MUTUAL, chain, parted, sentence


def test_a_relation_in_words() -> None:
    assert sentence("Selka", "near", "the door") == "Selka is near the door"
    assert sentence("Selka", "far", "the door") == "Selka is far from the door"
    assert set(MUTUAL) <= set(HOWS)


@pytest.mark.parametrize(("a", "b", "apart"), [("hall", "yard", True), ("yard", "hall", True), ("hall", "loft", False)])
def test_a_barrier_parts_two_places(a: str, b: str, apart: bool) -> None:
    assert parted([("hall", "yard")], a, b) is apart


def test_nothing_parts_a_place_from_itself() -> None:
    assert not parted([("hall", "hall")], "hall", "hall")


def test_the_shortest_chain_of_ways() -> None:
    ways = [("hall", "loft"), ("loft", "yard"), ("yard", "lane"), ("hall", "lane")]
    assert chain(ways, "hall", "yard") == ("loft", "yard")
    assert chain(ways, "hall", "lane") == ("lane",)
    assert chain(ways, "hall", "hall") == ()
    assert chain(ways, "hall", "moon") is None
