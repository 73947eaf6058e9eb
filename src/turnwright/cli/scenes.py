"""`check`, `schema` and `new`: scene files validated, described and begun."""

from __future__ import annotations

import json as texts
from pathlib import Path
from typing import Annotated

import typer

from turnwright.cli.errors import BAD_INPUT, Stopped, game_named, only_game
from turnwright.cli.screen import warn, write_json
from turnwright.documents import BadScene, Problem
from turnwright.model import State
from turnwright.rules import find_game
from turnwright.space.zones import lonely
from turnwright.table import load_scene

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def check(
    scenes: Annotated[list[Path], typer.Argument(metavar="SCENE...", help="Scene files.")],
    json: Json = False,
) -> None:
    """Check scene files: every problem with its file, line and key, and what may have been meant otherwise.

    \b
    turnwright check examples/narateer/*.yaml
    turnwright check my-scene.yaml && turnwright play my-scene.yaml
    """
    problems: list[Problem] = []
    for path in scenes:
        try:
            state = load_scene(path)
        except BadScene as error:
            problems.extend(error.problems)
            if not json:
                for problem in error.problems:
                    print(problem)
        else:
            warnings = find_game(state.scene.system).scene_warnings(path.read_bytes(), str(path))
            problems.extend(warnings)
            if not json:
                print(f"{path}: {_in_short(state)}")
                for problem in warnings:
                    print(problem)
    wrong = [problem for problem in problems if not problem.warning]
    if json:
        write_json(problems)
    elif wrong:
        warn(f"{len(wrong)} problem{'s' if len(wrong) > 1 else ''}")
    if wrong:
        raise typer.Exit(BAD_INPUT)


def _in_short(state: State) -> str:
    grid = state.scene.grid
    size = f", a map of {grid.width} x {grid.height}" if grid is not None else ""
    zones = state.scene.zones
    if zones is not None:
        alone = ", ".join(lonely(zones))
        size += f", {len(zones.zones)} Zones" + (f" (no way leads to {alone})" if alone else "")
    count = len(state.actors)
    return f"good; {state.scene.title}, {count} character{'s' if count > 1 else ''}{size}"


def schema(game: Annotated[str, typer.Argument(help="The game, if there are several.")] = "") -> None:
    """Print the JSON Schema of a game's scene files, for an editor that completes and checks.

    \b
    turnwright schema > scene.schema.json
    and in the first line of a scene: # yaml-language-server: $schema=scene.schema.json
    """
    print(texts.dumps(only_game(game).scene_schema(), indent=2))


def new(
    game: Annotated[str, typer.Argument(help="The game.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The scene file to write.")],
) -> None:
    """Write a small scene with comments, to change into one of your own. It overwrites nothing.

    \b
    turnwright new narateer my-scene.yaml
    turnwright play my-scene.yaml
    """
    text = game_named(game).sample()
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError:
        raise Stopped(f"{file} is there already and stays as it is") from None
    print(f"{file} is written: `turnwright check {file}`, `turnwright play {file}`")
