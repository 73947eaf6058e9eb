"""All that is seen from one Space is what is seen line by line."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from turnwright.space import Door, Grid, Terrain, Wall, ground, sees
from turnwright.space.sight import seen_from

EDGES = [((x, y), (x + 1, y)) for x in range(6) for y in range(5)] + [
    ((x, y), (x, y + 1)) for x in range(7) for y in range(4)
]


@given(
    st.lists(st.text(alphabet="....#o", min_size=7, max_size=7), min_size=5, max_size=5),
    st.lists(st.sampled_from(EDGES), unique=True, max_size=14),
    st.data(),
)
@settings(max_examples=120, deadline=None)
def test_what_is_seen_at_once_is_what_is_seen_one_by_one(
    rows: list[str], edges: list[Any], data: st.DataObject
) -> None:
    walls = tuple([Wall(*edge, opaque=n % 3 > 0) for n, edge in enumerate(edges[::2])])
    doors = tuple([Door(f"d{n}", *edge) for n, edge in enumerate(edges[1::2])])
    grid = Grid(tuple(rows), {"o": Terrain("hedge", opaque=True)}, walls, doors)
    field = ground(
        grid, tuple(sorted(data.draw(st.sets(st.sampled_from([d.id for d in doors] or ["d0"]))) if doors else []))
    )
    cells = list(grid.cells())
    for a in cells:
        assert seen_from(field, a, cells) == [b for b in cells if sees(field, a, b)]


def test_from_off_the_map_nothing_is_seen() -> None:
    assert seen_from(ground(Grid(("..",))), (5, 5), [(0, 0)]) == []
