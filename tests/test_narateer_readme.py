"""The page in the game's folder names every topic beside the module that owns it, and only settings that there are."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

import turnwright as tw
from turnwright import catalogue
from turnwright.rules import find_game

FOLDER = Path(tw.__file__).parent / "systems" / "narateer"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
GAME = find_game("narateer")


def table_rows(*heads: str) -> list[list[str]]:
    """The rows of the table with these heads, cell by cell."""
    lines = PAGE.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("| " + " | ".join(heads)))
    rows = takewhile(lambda line: line.startswith("|"), lines[start + 2 :])
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in rows]


def test_every_topic_stands_beside_the_module_that_owns_it() -> None:
    owned = {topic: Path(places[0]).stem for topic, places in catalogue.owners(GAME).items()}
    told: dict[str, list[str]] = {}
    for modules, topics, _ in table_rows("module", "topics"):
        stems = re.findall(r"`(\w+)\.py`", modules)
        names = stems if topics == "the same names" else re.split(r",\s*", topics)
        for name in names:
            told.setdefault(name, []).extend(stems)
    assert sorted(told) == sorted(owned)
    assert {topic: stem for topic, stem in owned.items() if stem not in told[topic]} == {}


def test_every_module_that_is_named_is_there() -> None:
    named = set(re.findall(r"`(\w+)\.py`", PAGE))
    there = {path.stem for path in FOLDER.glob("*.py")}
    assert sorted(named - there) == []


def test_every_setting_that_is_mentioned_is_one() -> None:
    settings = {setting.name for setting in GAME.open_settings}
    mentioned = [name for row in table_rows("open in the text") for name in re.findall(r"`(\w+)`", row[2])]
    assert len(mentioned) > 15
    assert [name for name in mentioned if name not in settings] == []


def test_the_page_counts_the_rules_rightly() -> None:
    (count,) = re.findall(r"each of their (\d+) rules", PAGE)
    assert int(count) == len(catalogue.rules(GAME))
