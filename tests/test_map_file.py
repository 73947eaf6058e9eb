"""A scene whose map lies in a file of its own: it is taken into the scene, and the scene is whole by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwright import load_scene
from turnwright.documents import BadScene
from turnwright.model import State
from turnwright.opening import read_scene

GAMES = {
    "narateer": "characters: [{id: selka, side: us, at: [0, 0]}]",
    "altered-realms": "creatures: [{id: selka, side: us, at: [0, 0], speed: 6, moves: [walk]}]",
}


def map_file(**keys: Any) -> str:
    resolution = {"map_size": {"x": 3, "y": 2}, "map_origin": {"x": 0, "y": 0}, "pixels_per_grid": 70}
    wall = [{"x": 2, "y": 0}, {"x": 2, "y": 2}]
    door = {"position": {"x": 1, "y": 0.5}, "bounds": [{"x": 1, "y": 0}, {"x": 1, "y": 1}], "closed": True}
    return json.dumps({"resolution": resolution, "line_of_sight": [wall], "portals": [door], **keys})


def scene(folder: Path, under_map: str = "", system: str = "narateer", more: str = "") -> Path:
    (folder / "keep.dd2vtt").write_text(map_file())
    path = folder / "keep.yaml"
    text = (
        f'system: {system}\ntitle: "Höhle — der Turm"\nmap:\n  file: keep.dd2vtt\n{under_map}\n{GAMES[system]}\n{more}'
    )
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> str:
    with pytest.raises(BadScene) as caught:
        load_scene(path)
    return str(caught.value)


@pytest.mark.parametrize("system", list(GAMES))
def test_a_scene_is_played_on_the_map_of_the_file(tmp_path: Path, system: str) -> None:
    grid = load_scene(scene(tmp_path, system=system)).scene.grid
    assert grid is not None
    assert grid.rows == ("...", "...")
    assert [(door.id, door.a, door.b) for door in grid.doors] == [("door-1", (0, 0), (1, 0))]
    assert {(wall.a, wall.b) for wall in grid.walls} == {((1, 0), (2, 0)), ((1, 1), (2, 1))}


def test_the_scene_that_is_kept_needs_the_file_no_more(tmp_path: Path) -> None:
    first = load_scene(scene(tmp_path))
    (tmp_path / "keep.dd2vtt").unlink()
    again = read_scene(first.scene.source)
    assert again.scene.grid == first.scene.grid
    assert again.actors == first.actors


def test_lines_after_the_map_keep_their_numbers(tmp_path: Path) -> None:
    path = scene(tmp_path, "  # a remark\n  places:\n    hall: [[0, 0]]\n", more="seats: [{id: ann, nme: Ann}]")
    line = path.read_text(encoding="utf-8").splitlines().index("seats: [{id: ann, nme: Ann}]") + 1
    assert f"keep.yaml:{line}: seats[0].nme: unknown key" in refused(path)


def test_what_the_scene_says_goes_before_the_file(tmp_path: Path) -> None:
    ways = "  rows: ['..~', '...']\n  legend: {'~': {name: mud, difficult: [mud]}}\n"
    ways += "  doors: [{id: door-1, name: the gate, opens: minor}]\n  walls: [{between: [[0, 0], [0, 1]]}]\n"
    grid = load_scene(scene(tmp_path, ways)).scene.grid
    assert grid is not None
    assert grid.terrain((2, 0)).difficult == ("mud",)
    assert [(door.id, door.a) for door in grid.doors] == [("door-1", (0, 0))]
    assert len(grid.walls) == 3


def test_a_map_on_one_line_is_read_too(tmp_path: Path) -> None:
    path = scene(tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace("map:\n  file: keep.dd2vtt\n", "map: {file: keep.dd2vtt}"))
    assert load_scene(path).scene.grid is not None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.dd2vtt", "keep.yaml:4: map.file: expected a map file beside the scene, got 'gone.dd2vtt': No such file"),
        ("../keep.dd2vtt", "it has to lie in the scene's folder"),
        ("/etc/keep.dd2vtt", "it has to lie in the scene's folder"),
        ("keep.png", "expected the name of a map file: .uvtt, .dd2vtt, .df2vtt, got 'keep.png'"),
        ("[1]", "expected the name of a map file"),
    ],
)
def test_a_file_that_cannot_be_had_is_said(tmp_path: Path, name: str, said: str) -> None:
    path = scene(tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace("file: keep.dd2vtt", f"file: {name}"), encoding="utf-8")
    assert said in refused(path)


def test_a_map_file_that_is_wrong_is_named(tmp_path: Path) -> None:
    path = scene(tmp_path)
    (tmp_path / "keep.dd2vtt").write_text(map_file(portals=[{}]))
    assert "keep.dd2vtt: portals[0]: missing key; expected the key position" in refused(path)


def test_other_rows_have_the_size_of_the_file(tmp_path: Path) -> None:
    assert "map.rows: expected 2 rows of 3, as large as the map file" in refused(scene(tmp_path, "  rows: ['..']\n"))


def test_without_its_folder_a_scene_is_told_to_come_with_its_map(tmp_path: Path) -> None:
    with pytest.raises(BadScene, match="it has to be opened together with the scene"):
        read_scene(scene(tmp_path).read_bytes(), "keep.yaml")


def test_a_scene_that_only_speaks_of_files_is_left_alone() -> None:
    found: State = read_scene(
        "system: narateer\ntitle: the file\ncharacters: [{id: selka, at: [0, 0]}]\nmap: {rows: ['..']}"
    )
    assert found.scene.title == "the file"
