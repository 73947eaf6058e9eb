"""Universal VTT files: walls and doors between Spaces, things, the dark, and what is said of a file that is wrong."""

from __future__ import annotations

import base64
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from turnwright.documents import BadScene
from turnwright.space import Grid, ground, problems, sees
from turnwright.space.uvtt import LARGEST, MOST_BYTES, MOST_POINTS, MOST_PORTALS, OFF_X, OFF_Y, as_entry, read_map

PNG = b"\x89PNG\r\n\x1a\n" + b"rest"


def at(x: float, y: float) -> dict[str, float]:
    return {"x": x, "y": y}


def line(*points: tuple[float, float]) -> list[dict[str, float]]:
    return [at(x, y) for x, y in points]


def file(wide: float = 4, high: float = 4, origin: tuple[float, float] = (0, 0), **keys: Any) -> bytes:
    resolution = {"map_size": at(wide, high), "map_origin": at(*origin), "pixels_per_grid": 70}
    return json.dumps({"format": 0.3, "resolution": resolution, **keys}).encode()


def grid(*args: Any, **keys: Any) -> Grid:
    found = read_map(file(*args, **keys), "keep.dd2vtt").grid
    assert problems(found) == []
    return found


def portal(a: tuple[float, float], b: tuple[float, float], closed: bool = True) -> dict[str, Any]:
    middle = at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    return {"position": middle, "bounds": line(a, b), "rotation": 0, "closed": closed, "freestanding": False}


def walls(found: Grid) -> set[frozenset[tuple[int, int]]]:
    return {frozenset((wall.a, wall.b)) for wall in found.walls}


def refused(data: bytes) -> str:
    with pytest.raises(BadScene) as caught:
        read_map(data, "keep.dd2vtt")
    return str(caught.value)


# -- walls


def test_a_wall_along_the_squares_parts_the_spaces_on_both_sides_of_it() -> None:
    found = grid(3, 2, line_of_sight=[line((2, 0), (2, 2))])
    assert walls(found) == {frozenset({(1, 0), (2, 0)}), frozenset({(1, 1), (2, 1)})}
    assert all(wall.opaque for wall in found.walls)
    assert not sees(ground(found), (0, 0), (2, 0))


def test_a_wall_through_a_space_parts_it_from_what_lies_behind_it() -> None:
    # x = 1.8 runs through column 1, to the right of its middle.
    assert walls(grid(3, 1, line_of_sight=[line((1.8, 0), (1.8, 1))])) == {frozenset({(1, 0), (2, 0)})}
    # x = 1.2 runs to the left of its middle.
    assert walls(grid(3, 1, line_of_sight=[line((1.2, 0), (1.2, 1))])) == {frozenset({(0, 0), (1, 0)})}


def test_a_space_whose_middle_a_wall_touches_lies_to_the_south_east_of_the_wall() -> None:
    assert walls(grid(3, 1, line_of_sight=[line((1.5, 0), (1.5, 1))])) == {frozenset({(0, 0), (1, 0)})}
    # The diagonal of a Space parts it from two of its neighbours and leaves the other two.
    found = grid(3, 3, line_of_sight=[line((1, 1), (2, 2))])
    assert walls(found) == {frozenset({(1, 1), (0, 1)}), frozenset({(1, 1), (1, 2)})}


def test_a_room_is_shut_however_its_walls_run() -> None:
    room = line((1.2, 1.1), (4.7, 1.3), (4.4, 4.8), (2.9, 4.1), (1.3, 4.6), (1.2, 1.1))
    field = ground(grid(6, 6, line_of_sight=[room]))
    found, left = {(3, 2)}, [(3, 2)]
    while left:
        for near in field.next_to(left.pop()) - found:
            found.add(near)
            left.append(near)
    assert (0, 0) not in found
    assert found <= {(x, y) for x in range(1, 5) for y in range(1, 5)}


def test_a_crop_is_read_by_its_origin_and_what_lies_outside_is_left_out() -> None:
    found = grid(
        3, 2, (46, 41), line_of_sight=[line((48, 41), (48, 43)), line((5, 5), (9, 9)), line((48, 41), (48, 41))]
    )
    assert walls(found) == {frozenset({(1, 0), (2, 0)}), frozenset({(1, 1), (2, 1)})}


def test_keys_that_are_missing_stand_for_nothing_at_all() -> None:
    found = grid(2.0, 3.0)
    assert found.rows == ("..", "..", "..")
    assert (found.walls, found.doors, found.legend) == ((), (), {})
    assert read_map(b"\xef\xbb\xbf" + file(), "keep.uvtt").picture == b""


Corner = st.tuples(st.integers(-4, 28), st.integers(-4, 28)).map(lambda p: (p[0] / 4, p[1] / 4))


def crossed(a: tuple[float, float], b: tuple[float, float], c: Any, d: Any) -> bool:
    """Whether two lines cross, by the sides on which their ends lie, in exact numbers."""
    exact = [tuple(map(Fraction, point)) for point in (a, b, c, d)]

    def side(p: Any, q: Any, r: Any) -> Fraction:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    p, q, r, s = exact
    return side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0


@given(st.lists(st.tuples(Corner, Corner), max_size=6))
@settings(max_examples=80, deadline=None)
def test_spaces_are_parted_just_where_a_wall_crosses_from_middle_to_middle(segments: list[Any]) -> None:
    found = walls(grid(6, 6, line_of_sight=[line(*ends) for ends in segments]))
    for x in range(6):
        for y in range(6):
            middle = (x + 0.5 + OFF_X, y + 0.5 + OFF_Y)
            for nx, ny in ((x + 1, y), (x, y + 1)):
                if nx < 6 and ny < 6:
                    other = (nx + 0.5 + OFF_X, ny + 0.5 + OFF_Y)
                    parted = any(crossed(middle, other, *ends) for ends in segments)
                    assert (frozenset({(x, y), (nx, ny)}) in found) == parted


# -- doors


def test_a_portal_is_a_door_that_can_be_opened() -> None:
    found = grid(2, 1, line_of_sight=[line((1, 0), (1, 1))], portals=[portal((1, 0), (1, 1))])
    assert [(door.id, door.a, door.b, door.open) for door in found.doors] == [("door-1", (0, 0), (1, 0), False)]
    assert found.walls == ()
    assert not ground(found).may_step((0, 0), (1, 0))
    assert ground(found, ("door-1",)).may_step((0, 0), (1, 0))


def test_a_portal_that_stands_open_is_an_open_door() -> None:
    found = grid(2, 1, portals=[portal((1, 0), (1, 1), closed=False)])
    assert found.doors[0].open
    assert ground(found).may_step((0, 0), (1, 0))


def test_a_wide_portal_is_a_door_for_each_space() -> None:
    found = grid(2, 3, portals=[portal((1, 0), (1, 3))])
    assert [door.id for door in found.doors] == ["door-1", "door-1-2", "door-1-3"]


def test_a_portal_across_a_corner_is_one_door_and_wall_beside_it() -> None:
    found = grid(3, 3, portals=[portal((1.13, 1.13), (1.87, 1.87))])
    assert len(found.doors) == 1
    assert len(found.walls) == 1


def test_a_portal_too_narrow_to_meet_a_middle_is_still_a_door() -> None:
    found = grid(2, 1, line_of_sight=[line((1, 0), (1, 0.7))], portals=[portal((1, 0.7), (1, 1))])
    assert [(door.a, door.b) for door in found.doors] == [((0, 0), (1, 0))]
    assert found.walls == ()


def test_two_portals_at_one_place_are_one_door() -> None:
    found = grid(2, 1, portals=[portal((1, 0), (1, 1)), portal((1, 1), (1, 0))])
    assert [door.id for door in found.doors] == ["door-1"]


# -- things


def test_a_closed_outline_fills_the_spaces_whose_middles_it_holds() -> None:
    pillar = line((1, 1), (2, 1), (2, 2), (1, 2), (1, 1))
    found = grid(3, 3, objects_line_of_sight=[pillar])
    assert found.rows == ("...", ".o.", "...")
    assert found.terrain((1, 1)).blocked
    assert found.terrain((1, 1)).opaque
    assert found.walls == ()


def test_an_open_outline_is_a_wall() -> None:
    assert walls(grid(2, 1, objects_line_of_sight=[line((1, 0), (1, 1))])) == {frozenset({(0, 0), (1, 0)})}


# -- the dark


def lamp(x: float, y: float, far: float, **more: Any) -> dict[str, Any]:
    return {"position": at(x, y), "range": far, "intensity": 1, "color": "ffffffff", "shadows": True, **more}


def test_where_it_is_dark_lights_reach_as_far_as_their_range() -> None:
    dark = {"ambient_light": "ff000000", "baked_lighting": False}
    # From (0.5, 0.5) the middles of the next Spaces are 1, 2 and 3 squares away.
    found = grid(5, 1, environment=dark, lights=[lamp(0.5, 0.5, 2)])
    assert found.rows == ("...dd",)
    assert found.terrain((4, 0)).conceals == ("sight",)


def test_a_wall_stops_light_and_one_without_shadows_does_not_care() -> None:
    dark, between = {"ambient_light": "#000000"}, [line((1, 0), (1, 1))]
    assert grid(3, 1, environment=dark, line_of_sight=between, lights=[lamp(0.5, 0.5, 5)]).rows == (".dd",)
    free = [lamp(0.5, 0.5, 5, shadows=False)]
    assert grid(3, 1, environment=dark, line_of_sight=between, lights=free).rows == ("...",)


@pytest.mark.parametrize("ambient", ["ffffffff", "ff808080", "", "00000000"])
def test_in_ordinary_light_nothing_is_dark(ambient: str) -> None:
    assert grid(2, 1, environment={"ambient_light": ambient}).rows == ("..",)


# -- the picture


def test_the_picture_is_given_as_it_lies_in_the_file() -> None:
    text = base64.b64encode(PNG).decode()
    assert read_map(file(image=text), "m").picture == PNG
    assert read_map(file(image=f"data:image/png;base64,{text}"), "m").picture == PNG


def test_the_name_of_a_picture_elsewhere_is_no_picture() -> None:
    assert read_map(file(image="maps/keep.png"), "m").picture == b""


# -- what is wrong


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "keep.dd2vtt: expected JSON as Universal VTT files are written"),
        (b"[1]", "expected object"),
        (b"{}", "missing key; expected the key resolution"),
        (b'{"resolution": {}}', "resolution: missing key; expected the key map_size"),
        (b'{"resolution": {"map_size": {"x": "wide", "y": 3}}}', "resolution.map_size.x: expected float, got str"),
        (file(0, 4), f"resolution.map_size.x: expected 1 to {LARGEST} squares, got 0"),
        (file(4, 201), f"resolution.map_size.y: expected 1 to {LARGEST} squares, got 201"),
        (file(line_of_sight=[[{"x": 1}]]), "line_of_sight[0][0]: missing key; expected the key y"),
        (file(line_of_sight=[line((1e9, 1), (2, 2))]), "line_of_sight[0][0]: expected a place within 100,000 squares"),
        (file(portals=[{"bounds": []}]), "portals[0]: missing key; expected the key position"),
        (file(lights=[{"position": at(1, 1), "range": "far"}]), "lights[0].range: expected float, got str"),
        (file(environment={"ambient_light": "blue"}), "environment.ambient_light: expected a colour as ARGB"),
        (file(image="!!"), "image: expected a picture in base64"),
        (file(image="aGFsbG8="), "image: expected a PNG, JPEG or WebP picture"),
        (b"[" * 200_000, "keep.dd2vtt: expected"),
        (b'{"resolution": ' + b'{"a": ' * 100_000, "keep.dd2vtt: expected"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(data: bytes, said: str) -> None:
    assert said in refused(data)


def test_more_than_can_be_read_is_refused() -> None:
    assert "at most 25,000,000 bytes" in refused(b" " * (MOST_BYTES + 1))
    assert f"at most {MOST_POINTS:,} points" in refused(file(line_of_sight=[line(*[(0, 0)] * (MOST_POINTS + 1))]))
    assert f"at most {MOST_PORTALS:,} portals" in refused(file(portals=[portal((0, 0), (0, 1))] * (MOST_PORTALS + 1)))
    lights = [lamp(100, 100, 90_000) for _ in range(20)]
    assert "lights that reach fewer Spaces" in refused(
        file(200, 200, environment={"ambient_light": "000" * 2}, lights=lights)
    )


def test_a_map_is_written_as_scene_files_write_one() -> None:
    pillar = line((1, 0), (2, 0), (2, 1), (1, 1), (1, 0))
    found = grid(
        3, 2, objects_line_of_sight=[pillar], line_of_sight=[line((0, 1), (1, 1))], portals=[portal((2, 1), (2, 2))]
    )
    entry = as_entry(found)
    assert list(entry["rows"]) == [".o.", "..."]
    assert entry["legend"] == {"o": {"name": "something in the way", "blocked": True, "opaque": True}}
    assert entry["walls"] == [{"between": [(0, 0), (0, 1)]}]
    assert entry["doors"] == [{"id": "door-1", "between": [(1, 1), (2, 1)]}]


# -- anything at all


def read_or_refused(data: bytes) -> Grid | str:
    try:
        return read_map(data, "keep.dd2vtt").grid
    except BadScene as error:
        return str(error)


Any_value = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["x", "y", "position", "bounds"]), inner)
    ),
    max_leaves=8,
)
KEYS = ["line_of_sight", "objects_line_of_sight", "portals", "lights", "environment", "image", "format"]
Spot = st.fixed_dictionaries({"x": st.floats(-9, 9), "y": st.floats(-9, 9)})
Plausible = st.fixed_dictionaries(
    {
        "resolution": st.fixed_dictionaries(
            {"map_size": st.fixed_dictionaries({"x": st.floats(0.1, 9), "y": st.floats(0.1, 9)})}
        )
    },
    optional={
        "line_of_sight": st.lists(st.lists(Spot, max_size=5), max_size=5),
        "objects_line_of_sight": st.lists(st.lists(Spot, max_size=6), max_size=4),
        "portals": st.lists(
            st.fixed_dictionaries(
                {"position": Spot}, optional={"bounds": st.lists(Spot, max_size=3), "closed": st.booleans()}
            ),
            max_size=5,
        ),
        "lights": st.lists(st.fixed_dictionaries({"position": Spot, "range": st.floats(-2, 20)}), max_size=3),
        "environment": st.fixed_dictionaries({"ambient_light": st.sampled_from(["ff000000", "ffffffff", "", "x"])}),
    },
)


@given(Plausible, st.dictionaries(st.sampled_from(KEYS), Any_value, max_size=2))
@example({"resolution": {"map_size": {"x": 1, "y": 1}}}, {"portals": [{"position": {"x": 0, "y": 0}}]})
@settings(max_examples=150, deadline=None)
def test_whatever_a_file_holds_it_is_a_sound_map_or_a_clear_refusal(held: dict[str, Any], bent: dict[str, Any]) -> None:
    found = read_or_refused(json.dumps(held | bent).encode())
    assert found.startswith("keep.dd2vtt: ") if isinstance(found, str) else problems(found) == []


@given(st.binary(max_size=300), st.integers(0, 400))
@settings(max_examples=100, deadline=None)
def test_no_bytes_bring_it_down(noise: bytes, where: int) -> None:
    whole = file(line_of_sight=[line((1, 0), (1, 4))], portals=[portal((1, 1), (1, 2))])
    for data in (noise, whole[:where] + noise, whole[:where] + noise + whole[where:]):
        found = read_or_refused(data)
        assert not isinstance(found, str) or found.startswith("keep.dd2vtt")
