"""Storypath in the terminal: whose choice it is, what a split achieves, what things cost, and the story in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scions import foe, hero, scene_text
from typer.testing import CliRunner

import turnwright as tw
from turnwright.cli import app
from turnwright.cli.words import price_words
from turnwright.model import Price, cost
from turnwright.rules import find_game

GAME = find_game("storypath")
EXAMPLES = Path(__file__).parent.parent / "examples" / "storypath"
SIX, BEAST = EXAMPLES / "six.yaml", EXAMPLES / "winged-beast.yaml"
PAGE = Path(tw.__file__).parent / "systems" / "storypath" / "README.md"
VERA = ("--seed", "1", "--bots", "guide,jon", "--seat", "vera")


def typed(scene: Path, *lines: str, options: tuple[str, ...] = VERA) -> str:
    """What is on the screen of a game in which these lines are typed; no line is wider than 80 columns."""
    found = CliRunner(env={"COLUMNS": "80"}).invoke(
        app, ["play", str(scene), *options], input="".join(f"{line}\n" for line in lines)
    )
    assert found.exit_code == 0, (found.output, found.exception)
    assert [line for line in found.output.splitlines() if len(line) > 80] == []
    assert "mistake in Turnwright" not in found.output
    return found.output


def bare(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def test_the_transcript_on_the_page_is_what_the_program_prints() -> None:
    (page,) = re.findall(r"^```text\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    printed = bare(typed(BEAST, *re.findall(r"> (.*)$", page, re.M)))
    at = 0
    for piece in page.split("...\n"):
        found = printed.find(bare(piece), at)
        assert found >= 0, piece
        at = found + len(bare(piece))


@pytest.mark.parametrize(
    ("resource", "amount", "words"),
    [
        ("action", 1, "1 action"),
        ("attack", 1, ""),
        ("move", 1, "the move of this round"),
        ("escape", 1, "once a turn"),
        ("dice", 2, "2 dice for momentum"),
        ("momentum", 3, "3 momentum"),
    ],
)
def test_what_a_price_takes_is_said_in_the_words_of_the_game(resource: str, amount: int, words: str) -> None:
    assert GAME.resource_words(resource, amount) == words
    assert price_words(GAME, Price((cost(resource, amount, "", ""),))) == (words or "free")


def test_the_fight_of_six_is_played_by_every_seat_to_its_end() -> None:
    for seat in ("vera", "jon", "mia"):
        others = ",".join(name for name in ("vera", "jon", "mia") if name != seat)
        told = typed(SIX, *["1"] * 200, options=("--seed", "5", "--seat", seat, "--bots", f"guide,{others}"))
        assert "All players together: who takes the PC slot" in told
        assert "Storyguide" in told
        assert "slot-" not in told


def test_a_hidden_defense_is_shown_to_no_player() -> None:
    told = typed(SIX, "2", options=("--seed", "5", "--seat", "vera", "--bots", "guide"))
    assert re.search(r"Draugr 1 \(Storyguide\) barrow +unhurt\n", told)
    assert re.search(r"Sigrun \(Vera\) +gate +unhurt", told)


def test_who_plays_one_character_does_something_small_without_a_name() -> None:
    lines = ("2", "mixed balance attack beast", "hand_on leif", "look")
    told = typed(BEAST, *lines)
    assert "Leif has had a slot in this round" in told
    assert "Sigrun looks around" in told


def test_the_words_of_the_example_do_what_it_says() -> None:
    told = typed(BEAST, "2", "why mixed balance attack")
    assert "mixed: balance and attack (The beast), both" in " ".join(told.split())


def test_what_cannot_be_reached_is_listed_with_its_reason() -> None:
    told = typed(SIX, "2", "all", options=("--seed", "5", "--bots", "guide"))
    assert re.search(r"attack Draugr 1, Draugr 2 or Draugr 3 with sword: refused\n +- Draugr 1 is out of reach", told)
    assert "mixed" in told


def test_a_stunt_is_told_with_its_cost_and_what_it_does(tmp_path: Path) -> None:
    path = tmp_path / "pair.yaml"
    ann = hero("ann", close_combat=10, might=10)
    path.write_text(scene_text(ann, foe("wolf", health=9, initiative=0)))
    told = typed(path, "attack wolf", "", "1", "trip", "bring", "nothing", options=("--seed", "2"))
    assert re.search(r"Ann rolls attack with 20 dice: \d+ successes; hits Wolf, \d+ over\n", told)
    assert "Wolf is hurt (Health 8/9)\n" in told
    assert re.search(r"against Wolf, \d+ successes over: what do they buy\?\n", told)
    assert "Ann spends 1 on a trip: Wolf lies on the ground\n" in told


def test_defense_says_what_each_answer_is_worth(tmp_path: Path) -> None:
    path = tmp_path / "pair.yaml"
    path.write_text(scene_text(hero("ann", resolve=9), foe("wolf", initiative=0), places=["den", "path"]))
    told = typed(path, "end", "attack ann", "1", options=("--seed", "2"))
    assert re.search(r"Ann \(Ann\): \d+ successes for Defense against Wolf: what do they buy\?\n", told)
    assert re.search(r"2 dive for cover: Defense \d+, and it takes 1 injury\n", told)
    assert re.search(r"3 roll away to path; Defense \d+\n", told)


def test_the_help_speaks_of_nothing_that_another_game_has() -> None:
    told = typed(SIX, "?", "2", options=("--seed", "5"))
    assert "move NAME how" in told
    assert "Boost" not in typed(BEAST, "2", "mixed balance attack beast", "1", "2")
