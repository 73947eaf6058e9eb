"""A log as Markdown: rounds, rules, what was taken back, dice; and names and texts that stay text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from scenes import character
from shadows import grove, guard, hider
from test_cli import apart, close, log, run, stdout  # noqa: F401

import turnwright as tw
from turnwright.cli.chronicle import Chronicle, as_text, markdown, past_of
from turnwright.cli.story import Story
from turnwright.unattended import Unattended

EXAMPLES = Path(__file__).parents[1] / "examples"
SECRET = "Xanthippe"
HOSTILE = [
    "**bold** _em_ `code` ~~gone~~",
    "[a link](http://evil.example) <b>tag</b> ![picture](x)",
    "# heading",
    "- item",
    "+ item",
    "12. item",
    "3) item",
    "> quote",
    "www.evil.example and https://evil.example and eve@evil.example",
    "a | b | c",
    "&lt;script&gt;",
    "[^1] footnote",
    "one\n\n# two\r\n- three",
    "back\\slash \\* star",
    "right\u202eleft and\u2028line",
    "===",
    "---",
    "```",
]


def told(table: tw.Table, seat: str = "guide") -> str:
    return markdown(past_of(table, seat))


def shown(text: str) -> str:
    """The text of Markdown as it is read, without tags."""
    return re.sub(r"<[^>]+>", "", MarkdownIt("gfm-like", {"linkify": False}).render(text))


def played(path: Path, steps: int) -> tw.Table:
    """A scene that bots have played for so many steps."""
    table = tw.Table(tw.load_scene(path), seed=5)
    bots = Unattended(table)
    for _ in range(steps):
        step = bots.next(tuple(table.state.actors), True, True)
        if step is None:
            break
        step()
    return table


def walked(**keys: Any) -> tw.Table:
    made = grove(hider((2, 4)), guard("guard", (6, 0)), **keys)
    made.declare("selka", "walk", to=(3, 4))
    return made


def test_the_story_has_title_seats_rounds_and_lines_with_their_rules(log: Path) -> None:  # noqa: F811
    text = stdout("replay", log, "--markdown")
    assert text.startswith("# ")
    assert "\n- **Ann**: Rosa, Raul\n" in text
    assert "\n## Round 1\n" in text
    line = next(line for line in text.splitlines() if "Rosa's Activation" in line)
    assert re.fullmatch(r"- `0` Rosa's Activation \(round 1\)\[\^narateer\.activation\.[a-z-]+\]", line)


def test_every_rule_that_is_cited_is_explained_once(log: Path) -> None:  # noqa: F811
    text = stdout("replay", log, "--markdown")
    cited = re.findall(r"\[\^([^\]]+)\](?!:)", text)
    explained = re.findall(r"^\[\^([^\]]+)\]: `([^`]+)`: .", text, re.MULTILINE)
    assert cited
    assert sorted(name for name, _ in explained) == sorted(set(cited))


def test_what_was_taken_back_is_told_as_taken_back(log: Path) -> None:  # noqa: F811
    text = stdout("replay", log, "--markdown")
    assert "~~ (taken back)" in text
    assert re.search(r"\*Guide takes back entr", text)
    kept = [line for line in text.splitlines() if "Rosa's Activation" in line]
    assert "~~" not in kept[0]


def test_the_seed_is_told_when_the_table_is_over_and_not_before(log: Path) -> None:  # noqa: F811
    over, open_ = tw.replay(log), walked()
    assert over.secret.hex() in told(over)
    assert over.commitment in told(over)
    assert open_.secret.hex() not in told(open_)
    assert open_.commitment in told(open_)
    assert "The scene is not over. It is the turn of " in told(open_)


def test_open_questions_of_the_seat_are_told_and_nobody_elses() -> None:
    made = grove(hider((2, 4)), guard("guard", (6, 0)), by_hand=("ann",))
    made.declare("selka", "hide", method="crouch low", boost=0)
    asked = list(made.waiting_on)
    assert asked
    for seat in ("ann", "spectator"):
        mine = [held for held in asked if held.who == seat]
        assert told(made, seat).count("Still asked:") == len(mine)
    assert told(made).count("Still asked:") == len(asked)


def test_a_table_on_which_nothing_has_happened_has_a_file_too() -> None:
    made = tw.Table(tw.load_scene(EXAMPLES / "narateer" / "ambush.yaml"), seed=1)
    assert "Nothing has happened yet." in told(made, "ann")


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_stays_text(text: str) -> None:
    made = as_text(text)
    assert "\n" not in made
    for place in (made, f"- {made}", f"- `3` {made}", f"- ~~{made}~~ (taken back)"):
        html = MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(place)
        assert not re.search(r"<(?!/?(?:p|ul|li|s|code)>)", html), html
        assert html.count("<code>") == place.count("`3`")
        assert html.count("<li>") == place.startswith("- ")
    plain = re.sub(r"[\u202e\u2028\s]+", " ", text)
    assert (
        shown(made).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&").strip()
        == plain
    )


def test_no_address_that_somebody_types_becomes_a_link() -> None:
    for text in ("www.evil.example", "see http://evil.example", "ftp://evil.example", "eve@evil.example"):
        assert not re.search(r"(?<!\\)(://|@)|www\.", as_text(text))


def test_names_and_reasons_of_a_scene_stay_text() -> None:
    name = "<b>Eve</b> [x](http://evil.example)"
    made = grove(hider((2, 4), name=name), guard("guard", (6, 0)))
    made.override({"selka.ready": 3}, "**because** <script>alert(1)</script>")
    text = told(made)
    assert "<b>" not in re.sub(r"\\<", "", text)
    assert "<script" not in re.sub(r"\\<", "", text)
    assert "because" in text


def test_a_seat_is_told_nothing_of_whom_it_does_not_see() -> None:
    lurker = character("lurker", "guards", (9, 4), ready=2, name=SECRET)
    there, empty = grove(hider((2, 4)), lurker), grove(hider((2, 4)))
    for made in (there, empty):
        made.declare("selka", "walk", to=(3, 4))
    there.override({"lurker.ready": 1}, f"{SECRET} waits")
    there.undo()
    assert SECRET in told(there)
    assert told(there, "ann") == told(empty, "ann")


def test_the_lines_are_those_of_the_story(log: Path) -> None:  # noqa: F811
    table = tw.replay(log)
    for seat in ("guide", "ann", "ben", "spectator"):
        lines = [(line.entry, line.text) for line in Story(table, seat).on()]
        assert [(beat.entry, beat.text) for beat in Chronicle(past_of(table, seat)).beats] == lines


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/*.yaml")), ids=lambda path: path.stem)
def test_every_example_can_be_kept_wherever_it_stands(path: Path) -> None:
    """Each seat's lines are those of its story."""
    table = played(path, 40)
    for seat in ("guide", "spectator", *[held.id for held in table.state.scene.seats]):
        lines = [(line.entry, line.text) for line in Story(table, seat).on()]
        assert [(beat.entry, beat.text) for beat in Chronicle(past_of(table, seat)).beats] == lines
        assert told(table, seat).startswith("# ")


def test_dice_are_told_to_whoever_threw_them(log: Path) -> None:  # noqa: F811
    table = tw.replay(log)
    threw = {seat: {throw.who for throw in Chronicle(past_of(table, seat)).throws} for seat in ("ann", "ben")}
    assert threw["ann"] <= {"Rosa", "Raul"}
    assert threw["ben"] <= {"Bea"}
    assert threw["ann"] | threw["ben"]
    assert not Chronicle(past_of(table, "spectator")).throws


def test_totals_that_all_are_told_show_their_dice_to_one_seat_alone() -> None:
    table = played(EXAMPLES / "altered_realms" / "brawl.yaml", 60)
    threw = {seat: {t.who for t in Chronicle(past_of(table, seat)).throws} for seat in ("ann", "ben", "spectator")}
    assert threw == {"ann": {"Kara"}, "ben": {"Finn"}, "spectator": set()}


def test_what_does_not_go_together_is_said(log: Path) -> None:  # noqa: F811
    assert "--markdown tells the whole story and goes with no --json" in run(
        "replay", log, "--markdown", "--json", code=2
    )
    assert "there are:" in run("replay", log, "--markdown", "--seat", "zed", code=2)
