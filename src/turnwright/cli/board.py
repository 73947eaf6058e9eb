"""The scene on the screen: the map with its legend, everybody's numbers, one actor's sheet."""

from __future__ import annotations

from turnwright.cli.draw import Chart, joined, letters, place_lines, side_style
from turnwright.cli.screen import Screen, wrapped
from turnwright.cli.story import seat_name
from turnwright.model import State
from turnwright.rules import Game


def show_map(screen: Screen, state: State, around: str | None = None) -> None:
    """The map, or where there is none in use, the Zones or what was stated, and who is where."""
    if state.scene.grid is None or not any(isinstance(a.at, tuple) for a in state.actors.values()):
        for text in place_lines(state) or who_is_where(state):
            screen.say(text, indent=2, hang=4)
        return
    at = state.actors[around].at if around in state.actors else None
    chart = Chart(state, screen.width, at if isinstance(at, tuple) else None)
    for line in chart.lines():
        screen.write(*line)
    for text in joined(chart.legend(), screen.width):
        screen.write((text, "dim"))
    if chart.cut():
        screen.write((chart.cut(), "dim"))


def who_is_where(state: State) -> list[str]:
    return [f"{a.name}: {'nobody knows where' if a.at is None else a.at}" for a in state.actors.values()]


def show_status(screen: Screen, game: Game, state: State) -> None:
    """One line for everybody: letter, name, who plays it, where it is, its numbers at a glance."""
    named = letters(state)
    width = max((len(_named(game, state, name)) for name in state.actors), default=0)
    wide = max([5, *[len(actor.at) for actor in state.actors.values() if isinstance(actor.at, str)]])
    for name, actor in state.actors.items():
        where = f"{actor.at[0]},{actor.at[1]}" if isinstance(actor.at, tuple) else actor.at or ""
        mark = ">" if name == state.active else " "
        letter = named[name] if isinstance(actor.at, tuple) else " "
        line = f" {_named(game, state, name):<{width}} {where:>{wide}}  "
        first, *rest = wrapped(game.summary(state, name), max(24, screen.width - len(line) - 2))
        screen.write((mark, "bold"), (letter, side_style(state, actor.side)), ((line + first).rstrip(), ""))
        for more in rest:
            screen.write((" " * (len(line) + 2) + more, ""))


def _named(game: Game, state: State, name: str) -> str:
    return f"{state.actors[name].name} ({seat_name(game, state, state.actors[name].seat)})"


def show_sheet(screen: Screen, game: Game, state: State, actor: str) -> None:
    """Every number of an actor that is not empty."""
    for key, value in game.sheet(state, actor).items():
        if value not in (None, "", [], {}, ()):
            screen.say(f"{key}: {_short(value)}", hang=2)


def _short(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {_short(v)}" for k, v in value.items() if v not in (None, "", [], {}))
    if isinstance(value, (list, tuple)):
        return "; ".join(_short(part) for part in value)
    return str(value)
