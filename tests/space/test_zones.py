"""Zones and the ways between them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from turnwright.space import Terrain, Way, Zone, Zones
from turnwright.space.zones import (
    Cost,
    across,
    apart,
    cheapest_way,
    is_open,
    lonely,
    sees_through,
    whole_units,
    zone_problems,
)


def made(*ways: tuple[str, str], **metres: int) -> Zones:
    """Zones a to e, some with a width of their own."""
    zones = tuple(Zone(id, Terrain(f"the {id}"), metres.get(id), ((number, 0),)) for number, id in enumerate("abcde"))
    return Zones(zones, tuple(Way(a, b) for a, b in ways))


CHAIN = made(("a", "b"), ("b", "c"), ("c", "d"))


def by_width(zones: Zones) -> Cost:
    return lambda here, way, there: across(zones, there, 10)


@pytest.mark.parametrize(("metres", "units"), [(26, 2), (4, 0), (43, 4), (Fraction(59, 2), 2), (10, 1), (0, 0)])
def test_metres_are_converted_once_and_rounded_down(metres: Fraction | int, units: int) -> None:
    assert whole_units(metres, 10) == units


def test_parts_that_are_rounded_apart_lose_a_unit() -> None:
    assert whole_units(39 + 4, 10) == 4 != whole_units(39, 10) + whole_units(4, 10)


def test_a_zone_is_found_by_its_id_its_name_and_its_spaces() -> None:
    assert (CHAIN.named("b"), CHAIN.named(" The B "), CHAIN.named("the sea")) == ("b", "b", "")
    assert (CHAIN.zone_of((2, 0)), CHAIN.zone_of((9, 9))) == ("c", "")
    assert CHAIN.zone("x") is None


def test_a_way_leads_both_ways() -> None:
    assert CHAIN.way("a", "b") == CHAIN.way("b", "a") == Way("a", "b")
    assert (CHAIN.way("a", "c"), CHAIN.way("a", "a"), CHAIN.way("d", "e")) == (None, None, None)
    assert [way.other("b") for way in CHAIN.ways_from("b")] == ["a", "c"]


def test_of_two_ways_the_open_one_is_taken() -> None:
    zones = Zones(CHAIN.zones, (Way("a", "b", door="gate"), Way("a", "b", Terrain("a ditch"))))
    assert (zones.way("a", "b", ()) or Way("", "")).door == ""
    assert (zones.way("a", "b", ("gate",)) or Way("", "")).door == "gate"


def test_the_cheapest_chain_and_none() -> None:
    loop = made(("a", "b"), ("b", "d"), ("a", "c"), ("c", "d"), b=30)
    assert cheapest_way(loop, "a", "d", by_width(loop)) == ("c", "d")
    assert cheapest_way(loop, "a", "a", by_width(loop)) == ()
    assert cheapest_way(loop, "a", "e", by_width(loop)) is None
    assert cheapest_way(loop, "a", "d", lambda here, way, there: None if there == "c" else 1) == ("b", "d")


def test_how_far_apart_zones_are() -> None:
    """The Zones that are entered count: b and c of 10 m, or c of 4."""
    assert (apart(CHAIN, "a", "c", 10), apart(CHAIN, "a", "a", 10), apart(CHAIN, "a", "e", 10)) == (20, 0, None)
    assert apart(made(("a", "b"), ("b", "c"), c=4), "a", "c", 10) == 14


def test_one_sees_into_the_next_zone_by_a_clear_way() -> None:
    assert sees_through(CHAIN, (), "a", "b")
    assert not sees_through(CHAIN, (), "a", "c")
    assert sees_through(CHAIN, (), "e", "e")
    veiled = Zones(CHAIN.zones, (Way("a", "b", clear=False),))
    assert not sees_through(veiled, (), "a", "b")


@pytest.mark.parametrize(
    ("opaque", "open_doors", "seen"), [(True, (), False), (True, ("gate",), True), (False, (), True)]
)
def test_a_door_shuts_a_way_and_sight(opaque: bool, open_doors: tuple[str, ...], seen: bool) -> None:
    way = Way("a", "b", door="gate", opaque=opaque)
    zones = Zones(CHAIN.zones, (way,))
    assert sees_through(zones, open_doors, "a", "b") is seen
    assert is_open(way, open_doors) is bool(open_doors)


def test_into_an_opaque_zone_nobody_sees_from_outside() -> None:
    fog = Zones((Zone("a", Terrain("a")), Zone("b", Terrain("fog", opaque=True))), (Way("a", "b"),))
    assert (sees_through(fog, (), "a", "b"), sees_through(fog, (), "b", "b"), sees_through(fog, (), "b", "a")) == (
        False,
        True,
        True,
    )


def test_a_blocked_way_is_never_open() -> None:
    assert not is_open(Way("a", "b", Terrain("a cliff", blocked=True)), ())


@pytest.mark.parametrize(
    ("zones", "path"),
    [
        (Zones(CHAIN.zones, (Way("a", "x"),)), ("ways", 0, "between")),
        (Zones(CHAIN.zones, (Way("a", "a"),)), ("ways", 0, "between")),
        (Zones(CHAIN.zones, (Way("a", "b"), Way("b", "a"))), ("ways", 1, "between")),
        (Zones(CHAIN.zones, (Way("a", "b", door="gate"),)), ("ways", 0, "door")),
        (Zones((Zone("a", Terrain("a"), 0),)), ("zones", "a", "metres")),
        (Zones((Zone("a", Terrain("a"), cells=((0, 0),)), Zone("b", Terrain("b"), cells=((0, 0),)))),
         ("zones", "b", "spaces")),
    ],
)  # fmt: skip
def test_what_is_wrong_with_zones(zones: Zones, path: tuple[str | int, ...]) -> None:
    assert [found for found, _ in zone_problems(zones)] == [path]


def test_two_ways_are_fine_where_each_has_a_door_of_its_own() -> None:
    """Beside a way without a door no other one is ever taken."""
    doors = ("gate", "hatch")
    for first, second, fine in (
        ("gate", "hatch", True),
        ("", "gate", False),
        ("gate", "", False),
        ("gate", "gate", False),
    ):
        zones = Zones(CHAIN.zones, (Way("a", "b", door=first), Way("b", "a", door=second)))
        assert [path for path, _ in zone_problems(zones, doors)] == ([] if fine else [("ways", 1, "between")])


def test_zones_that_no_way_joins_are_named() -> None:
    assert lonely(CHAIN) == ["e"]
