"""`replay`: a log told as a story, as data or as a file to keep, any state of it, and its dice checked."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from turnwright.cli import chronicle
from turnwright.cli.board import show_map, show_status
from turnwright.cli.errors import REFUSED, BadInput, check_seat, readable
from turnwright.cli.screen import Screen, plain, write_json
from turnwright.cli.story import Line, Story, entry_data
from turnwright.model import GUIDE, State
from turnwright.table import Table, verify


def replay(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A log that `play --save` wrote.")],
    at: Annotated[int | None, typer.Option("--at", min=0, help="Stop after this entry and show the state.")] = None,
    check: Annotated[bool, typer.Option("--verify", help="Check every die against the seed, and the end.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    seat: Annotated[
        str, typer.Option("--seat", help="Only what this seat learned; `spectator` for what all did.")
    ] = GUIDE,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the story as Markdown.")] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a file that steps through it in any browser, offline."),
    ] = None,
    from_events: Annotated[
        bool, typer.Option("--from-events", help="Where a log comes out differently, go on from what it stored.")
    ] = False,
) -> None:
    """Run a log again, compare, and tell it as a story.

    The numbers in front are those of the entries; `--at` takes one of them.

    \b
    turnwright replay game.log
    turnwright replay game.log --at 12     the map and everybody as they were then
    turnwright replay game.log --verify    1 if a die or the end does not fit
    turnwright replay game.log --markdown --seat ann > story.md
    turnwright replay game.log --html scene.html --seat ann
    """
    kept = [name for name, given in (("--markdown", markdown), ("--html", html is not None)) if given]
    rest = [name for name, given in (("--at", at is not None), ("--verify", check), ("--json", json)) if given]
    if kept and (rest or len(kept) > 1):
        raise BadInput(f"{kept[0]} tells the whole story and goes with no {[*kept[1:], *rest][0]}")
    table = Table.load(readable(log), from_events=from_events)
    check_seat(table.state, seat)
    if markdown:
        sys.stdout.write(chronicle.markdown(chronicle.past_of(table, seat)))
        return
    if html is not None:
        _write_html(html, chronicle.past_of(table, seat))
        return
    story = Story(table, seat)
    lines = list(story.on(at))
    if at is not None and at >= story.told:
        raise BadInput(f"{log}: the last entry is {story.told - 1}; there is no entry {at}")
    problems = verify(table) if check else []
    if json:
        write_json(_data(table, story, lines, problems if check else None))
    else:
        _show(Screen(), table, story, lines, at is not None)
        if check:
            _show_verdict(Screen(), table, problems)
    if problems:
        raise typer.Exit(REFUSED)


def _write_html(path: Path, past: chronicle.Past) -> None:
    text = _replaying().replay_html(past)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{path}: it cannot be written ({error.strerror or error})") from None
    Screen().say(f"{path}: {past.known.scene.title}, as {past.name} was told it; it opens in any browser, offline.")


def _replaying() -> Any:
    """What makes the file, where it is installed. Raises BadInput."""
    try:
        return importlib.import_module("turnwright.web.replay")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "turnwright":
            raise
        text = f"--html needs more than is installed here ({error.name}): pip install 'turnwright[table]'"
        raise BadInput(text) from None


def _show(screen: Screen, table: Table, story: Story, lines: list[Line], with_state: bool) -> None:
    screen.say(table.start.scene.title, "bold")
    last = -1
    for line in lines:
        number = f"{line.entry:>4}  " if line.entry != last else " " * 6
        last = line.entry
        screen.say(f"{number}{line.text}", hang=2 + len(number.lstrip()))
    if with_state:
        state = _state_of(table, story)
        screen.say()
        show_map(screen, state, state.active)
        show_status(screen, table.game, state)


def _state_of(table: Table, story: Story) -> State:
    return story.state if story.seat == GUIDE else table.game.known(story.state, story.seat)


def _show_verdict(screen: Screen, table: Table, problems: list[str]) -> None:
    screen.say()
    for problem in problems:
        screen.say(f"does not fit: {problem}", hang=2)
    if not problems:
        screen.say("Every die fits the seed, and the state at the end is the same.")
    if not table.revealed:
        screen.say("The table is not over: its seed stands in the log and was not revealed yet.")


def _data(table: Table, story: Story, lines: list[Line], problems: list[str] | None) -> dict[str, Any]:
    """The log as plain data; a seat other than the guide's gets its lines and its state alone."""
    told: dict[int, list[str]] = {}
    for line in lines:
        told.setdefault(line.entry, []).append(line.text)
    if story.seat == GUIDE:
        count = len(story.befores)
        entries = [entry_data(n, table.log[n], told.get(n, ()), n in story.standing) for n in range(count)]
    else:
        entries = [{"entry": number, "story": texts} for number, texts in told.items()]
    data: dict[str, Any] = {"title": table.start.scene.title, "game": table.game.name, "entries": entries}
    data["state"] = state_data(_state_of(table, story))
    if problems is not None:
        data |= {"verified": not problems, "problems": problems}
    return data


def state_data(state: State) -> dict[str, Any]:
    """What changes while a scene is played."""
    return {
        "round": state.round,
        "active": state.active,
        "mode": state.mode,
        "actors": plain(state.actors),
        "relations": plain(state.relations),
        "facts": plain(state.facts),
        "open_doors": list(state.open_doors),
    }
