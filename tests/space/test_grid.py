import msgspec
import pytest

from turnwright.space import Door, Grid, Terrain, Wall, distance, problems

MUD = Terrain("mud", difficult=("mud", "reeds"))
HALL = Terrain("hall floor", place="hall")


def paths(grid: Grid) -> list[tuple[str | int, ...]]:
    return [path for path, _ in problems(grid)]


def test_a_map_is_read_from_plain_data() -> None:
    grid = msgspec.convert(
        {
            "rows": ["..~", "#.."],
            "legend": {"~": {"name": "mud", "difficult": ["mud", "reeds"]}},
            "walls": [{"a": [0, 0], "b": [1, 0]}],
            "doors": [{"id": "gate", "a": [1, 0], "b": [1, 1], "open": True}],
            "places": {"shore": [[2, 0], [2, 1]]},
        },
        Grid,
    )
    assert grid == Grid(
        ("..~", "#.."),
        {"~": MUD},
        (Wall((0, 0), (1, 0)),),
        (Door("gate", (1, 0), (1, 1), open=True),),
        {"shore": ((2, 0), (2, 1))},
    )
    assert msgspec.convert(msgspec.to_builtins(grid), Grid) == grid


def test_a_misspelt_key_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="blokked"):
        msgspec.convert({"rows": ["~"], "legend": {"~": {"name": "mud", "blokked": True}}}, Grid)


def test_terrain_of_a_space() -> None:
    grid = Grid(("..~", "#.."), {"~": MUD})
    assert (grid.width, grid.height) == (3, 2)
    assert grid.terrain((2, 0)) == MUD
    assert not grid.terrain((0, 0)).blocked
    assert grid.terrain((0, 1)).blocked
    assert grid.terrain((0, 1)).opaque


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (3, 0), (0, 2)])
def test_off_the_map_is_blocked(cell: tuple[int, int]) -> None:
    grid = Grid(("...", "..."))
    assert not grid.contains(cell)
    assert grid.terrain(cell).blocked


def test_the_legend_may_change_what_the_usual_characters_mean() -> None:
    grid = Grid((".#",), {"#": Terrain("pit", blocked=True), ".": HALL})
    assert not grid.terrain((1, 0)).opaque
    assert grid.place_of((0, 0)) == "hall"


def test_a_place_unites_the_legend_and_the_listed_spaces() -> None:
    grid = Grid((".hh", "..."), {"h": HALL}, places={"hall": ((0, 1), (1, 0)), "step": ((2, 0),)})
    assert grid.cells_of("hall") == ((1, 0), (2, 0), (0, 1))
    assert grid.place_of((2, 0)) == "step"
    assert grid.place_of((0, 1)) == "hall"
    assert grid.place_of((0, 0)) == ""
    assert grid.cells_of("cellar") == ()


def test_a_diagonal_step_counts_as_any_other() -> None:
    assert distance((1, 1), (4, 3)) == 3
    assert distance((4, 3), (1, 1)) == 3
    assert distance((2, 2), (2, 2)) == 0


def test_a_consistent_map_has_no_problems() -> None:
    walls = (Wall((0, 0), (1, 0)),)
    doors = (Door("gate", (1, 1), (1, 0)),)
    assert problems(Grid(("..", ".#"), {"~": MUD}, walls, doors, {"yard": ((0, 0),)})) == []


@pytest.mark.parametrize(
    ("grid", "path"),
    [
        (Grid(()), ("rows",)),
        (Grid(("." * 201,)), ("rows",)),
        (Grid(("...", "..")), ("rows", 1)),
        (Grid(("...", ".?.")), ("rows", 1)),
        (Grid(("...",), {"mud": MUD}), ("legend", "mud")),
        (Grid(("...",), {"c": Terrain("cliff", factor=0)}), ("legend", "c", "factor")),
        (Grid(("...",), {"c": Terrain("cliff", extra=-1)}), ("legend", "c", "extra")),
        (Grid(("...",), walls=(Wall((0, 0), (2, 0)),)), ("walls", 0)),
        (Grid(("..", ".."), walls=(Wall((0, 0), (1, 1)),)), ("walls", 0)),
        (Grid(("...",), walls=(Wall((2, 0), (3, 0)),)), ("walls", 0, "b")),
        (Grid(("...",), doors=(Door("d", (0, -1), (0, 0)),)), ("doors", 0, "a")),
        (Grid(("...",), doors=(Door("", (0, 0), (1, 0)),)), ("doors", 0, "id")),
        (Grid(("...",), walls=(Wall((0, 0), (1, 0)),), doors=(Door("d", (1, 0), (0, 0)),)), ("doors", 0)),
        (Grid(("...",), places={"yard": ((0, 0), (3, 0))}), ("places", "yard", 1)),
    ],
)
def test_a_problem_names_the_path_of_its_key(grid: Grid, path: tuple[str | int, ...]) -> None:
    assert paths(grid) == [path]


def test_two_doors_with_one_id_are_both_named() -> None:
    grid = Grid(("...",), doors=(Door("d", (0, 0), (1, 0)), Door("d", (1, 0), (2, 0))))
    assert paths(grid) == [("doors", 0, "id"), ("doors", 1, "id")]


def test_all_problems_are_found_at_once() -> None:
    grid = Grid(("..?", ".."), walls=(Wall((0, 0), (0, 5)),), places={"yard": ((9, 9),)})
    assert paths(grid) == [("rows", 1), ("rows", 0), ("walls", 0, "b"), ("walls", 0), ("places", "yard", 0)]
