"""The page in the game's folder names every topic beside the module that owns it, and only settings that there are."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

import turnwright as tw
from turnwright import catalogue
from turnwright.rules import find_game

FOLDER = Path(tw.__file__).parent / "systems" / "storypath"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
GAME = find_game("storypath")


def table_rows(*heads: str) -> list[list[str]]:
    """The rows of the table with these heads, cell by cell."""
    lines = PAGE.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("| " + " | ".join(heads)))
    rows = takewhile(lambda line: line.startswith("|"), lines[start + 2 :])
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in rows]


def test_every_topic_stands_beside_the_module_that_owns_it() -> None:
    owned = {topic: Path(places[0]).stem for topic, places in catalogue.owners(GAME).items()}
    told = {
        name: module.strip("`.py")
        for module, topics, _ in table_rows("module", "topics")
        for name in topics.split(", ")
    }
    assert told == owned


def test_every_module_that_is_named_is_there() -> None:
    named = set(re.findall(r"`(\w+)(?:\.py|/)`", PAGE))
    there = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"} | {"events"}
    assert named == there


def test_every_setting_that_is_mentioned_is_one() -> None:
    settings = {setting.name for setting in GAME.open_settings}
    mentioned = [name for row in table_rows("open in the text") for name in re.findall(r"`(\w+)`", row[2])]
    assert len(mentioned) > 20
    assert [name for name in mentioned if name not in settings] == []


def test_the_page_counts_the_rules_rightly() -> None:
    (count,) = re.findall(r"each of its (\d+) rules", PAGE)
    assert int(count) == len(catalogue.rules(GAME)) == 45
