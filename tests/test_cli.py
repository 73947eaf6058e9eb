"""The terminal: every command, a played session with typed lines, and no traceback whatever is typed."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from scenes import character, scene_text
from typer.testing import CliRunner

import turnwright as tw
from turnwright.cli import app, asking, questions, words
from turnwright.cli.draw import Chart, letters
from turnwright.cli.screen import Screen
from turnwright.cli.session import Session
from turnwright.dice import Scripted
from turnwright.model import Parameter, Ruling, State
from turnwright.rules import games

EXAMPLES = Path(__file__).parent.parent / "examples" / "narateer"
SWORD = {"name": "sword", "kind": "melee", "base_attack_cost": 1, "wounds": 1}
AXE = {"name": "axe", "kind": "melee", "base_attack_cost": 1, "wounds": 3}
ROSA = character("rosa", "reds", (0, 1), seat="ann", skills={"melee": 2, "athletics": 1}, weapons=[SWORD])
RAUL = character("raul", "reds", (0, 2), seat="ann", skills={"melee": 1})
BEA = character("bea", "blues", (4, 1), seat="ben", skills={"melee": 2}, weapons=[AXE])
SEATS = [{"id": "ann", "name": "Ann"}, {"id": "ben", "name": "Ben"}]
ROWS = ["......"] * 3
WALLED = {
    "walls": [{"between": [[2, 0], [3, 0]]}, {"between": [[4, 1], [4, 2]]}],
    "doors": [{"id": "gate", "between": [[2, 1], [3, 1]], "name": "the gate"}],
}


def duel(*, bea: tuple[int, int] = (4, 1), **keys: Any) -> str:
    """Rosa and Raul (Ann) against Bea (Ben), Rosa first."""
    return scene_text(ROSA, RAUL, BEA | {"at": list(bea)}, rows=ROWS, map_=WALLED, seats=SEATS, **keys)


def scene(*characters: dict[str, Any], **keys: Any) -> State:
    return tw.read_scene(scene_text(*characters, seats=SEATS, **keys), "test.yaml")


@pytest.fixture
def apart(tmp_path: Path) -> Path:
    path = tmp_path / "apart.yaml"
    path.write_text(duel())
    return path


@pytest.fixture
def close(tmp_path: Path) -> Path:
    path = tmp_path / "close.yaml"
    path.write_text(duel(bea=(1, 1)))
    return path


def run(*arguments: Any, typed: str | list[str] = "", code: int = 0) -> str:
    """A command in this process, with lines typed; its output, and what it says besides, in the order of printing."""
    lines = typed if isinstance(typed, str) else "".join(f"{line}\n" for line in typed)
    result = CliRunner().invoke(app, [str(part) for part in arguments], input=lines)
    assert result.exit_code == code, (result.output, result.exception)
    assert "Traceback" not in result.output
    return result.output


def stdout(*arguments: Any, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(part) for part in arguments])
    assert result.exit_code == code, (result.output, result.exception)
    return result.stdout


def data(*arguments: Any, code: int = 0) -> Any:
    return json.loads(stdout(*arguments, "--json", code=code))


def script(*arguments: Any, typed: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own, with pipes."""
    return subprocess.run(
        [sys.executable, "-m", "turnwright", *map(str, arguments)],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**{k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "NO_COLOR")}, **env},
        timeout=60,
    )


def play(path: Path, *typed: str, options: tuple[Any, ...] = (), code: int = 0) -> str:
    return run("play", path, "--seed", 1, *options, typed=list(typed), code=code)


def tight(text: str) -> str:
    """Text with its line breaks as blanks, for what may be wrapped."""
    return " ".join(text.split())


# -- check, schema, new


def test_check_says_that_a_scene_is_good(apart: Path) -> None:
    assert run("check", apart) == f"{apart}: good; a test, 3 characters, a map of 6 x 3\n"


def test_check_lists_every_problem_of_every_file_with_its_line_and_key(tmp_path: Path, apart: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("system: narateer\ntitle: t\nmode: story\ncharacters:\n  - {id: a, sied: x, ad: many}\n")
    found = run("check", wrong, apart, tmp_path / "gone.yaml", code=2)
    assert f"{wrong}:5: characters[0].sied" in found
    assert "characters[0].ad" in found
    assert f"{apart}: good" in found
    assert "gone.yaml" in found
    listed = data("check", wrong, code=2)
    assert {problem["key"] for problem in listed} == {"characters[0].sied", "characters[0].ad"}
    assert {problem["line"] for problem in listed} == {5}
    assert data("check", apart) == []


def test_new_writes_a_scene_that_is_good_and_overwrites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    run("new", "narateer", path)
    assert "good" in run("check", path)
    path.write_text("mine")
    assert "stays as it is" in run("new", "narateer", path, code=1)
    assert path.read_text() == "mine"
    assert "narateer" in run("new", "chess", tmp_path / "other.yaml", code=2)
    assert not (tmp_path / "other.yaml").exists()


@pytest.mark.parametrize("name", sorted(games()))
def test_the_schema_accepts_the_sample(name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(stdout("schema", name))
    jsonschema.validate(yaml.safe_load(tw.find_game(name).sample()), schema)


def test_only_where_there_is_one_game_it_need_not_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in games() if name != "narateer"]:
        monkeypatch.delitem(games(), name)
    assert json.loads(stdout("schema")) == json.loads(stdout("schema", "narateer"))


# -- offers, odds


def test_offers_begins_the_turn_on_a_copy_and_says_so(apart: Path) -> None:
    before = apart.read_bytes()
    found = run("offers", apart, "rosa")
    assert "Rosa's turn is begun" in found
    assert "walk" in found
    assert re.search(r"1 walk, 8 m left +free", found)
    assert "narateer.walk.cost" in found
    assert "stand up from" not in found
    assert apart.read_bytes() == before


def test_offers_all_gives_the_reasons_with_their_rules(apart: Path) -> None:
    found = tight(run("offers", apart, "Rosa", "--all"))
    assert "there is nothing to stand up from [narateer.condition.prone-standing]" in found


def test_offers_as_json_are_the_table_s_own(apart: Path) -> None:
    table = tw.Table(tw.load_scene(apart), seed=1)
    table.declare("rosa", "begin")
    offers = table.offers("rosa")
    listed = data("offers", apart, "rosa", "--all")
    assert [(o["label"], o["verdict"]) for o in listed] == [(o.label, o.verdict) for o in offers]
    run_ = next(o for o in listed if o["action"] == "run")
    assert {"resource": "ad", "amount": 1}.items() <= run_["price"]["costs"][0].items()
    assert run_["rules"] == ["narateer.run.distance", "narateer.run.cost"]
    assert run_["refusals"] == []
    assert all(o["verdict"] != "illegal" for o in data("offers", apart, "rosa"))


def test_an_unknown_actor_is_bad_input_and_the_known_ones_are_named(apart: Path) -> None:
    assert "rosa, raul, bea" in run("offers", apart, "zed", code=2)


def test_odds_are_exact(close: Path) -> None:
    found = data("odds", close, "rosa", "attack", "target=bea", "--seat", "guide")
    table = tw.Table(tw.load_scene(close), seed=1)
    table.declare("rosa", "begin")
    exact = table.odds("rosa", "attack", target="bea", weapon="sword", seat="guide")
    assert {o["result"]: o["chance"] for o in found["outcomes"]} == {o.result: str(c) for o, c in exact.items()}
    # One die + 2 exceeds Bea's 3 + 2 with 4, 5 and 6.
    assert {o["result"]: o["chance"] for o in found["outcomes"]}["hit"] == "1/2"
    shown = run("odds", close, "rosa", "attack", "bea", "--seat", "guide")
    assert "50.00 %" in shown
    assert "1/2" in shown


def test_odds_of_what_may_not_be_done_are_refused_with_the_rule(apart: Path) -> None:
    found = run("odds", apart, "rosa", "walk", "to=5,0", code=1)
    assert "Refused:" in found
    assert "[narateer.divide.total-cap]" in found
    assert "expected one of rosa, raul" in run(
        "odds", apart, "rosa", "attack", "target=bea", code=2
    )  # who knows of no Bea
    assert "there are: walk" in run("odds", apart, "rosa", "fly", code=2)
    assert "whole number" in run("odds", apart, "rosa", "walk", "boost=lots", code=2)


# -- rules


def test_rules_counts_per_topic_and_lists_one(capsys: pytest.CaptureFixture[str]) -> None:
    found = run("rules")
    assert "hide.py" in found
    assert "of 256 rules are done" in found
    listed = run("rules", "narateer", "--topic", "boost")
    assert listed.count("narateer.boost.") == 4
    assert "hide, hidden" in run("rules", "--topic", "nonsense", code=2)
    assert "narateer" in run("rules", "chess", code=2)


def test_rules_as_json_is_a_list_with_the_state_of_each() -> None:
    listed = data("rules", "narateer")
    assert len(listed) == 256
    assert {"id", "kind", "state", "tests", "cited"} <= set(listed[0])
    assert {rule["state"] for rule in listed} <= {"done", "open"}
    for rule in listed:
        assert (rule["state"] == "done") == (rule["cited"] and bool(rule["tests"]))
    assert {rule["topic"] for rule in data("rules", "--topic", "hide")} == {"hide"}


def test_a_rule_card_says_what_is_left_open_and_what_holds_instead() -> None:
    found = tight(run("rule", "narateer.tier.names"))
    assert "our default; the text is silent" in found
    assert "minor: 1" in found
    assert "src/turnwright/systems/narateer/economy.py:" in found
    card = data("rule", "tier.names")
    assert card["id"] == "narateer.tier.names"
    assert [setting["name"] for setting in card["settings"]] == ["trivial", "minor"]


def test_an_unknown_rule_names_the_nearest() -> None:
    assert "narateer.hide.tie-fails" in run("rule", "narateer.hide.tie-fail", code=2)
    assert "turnwright rules" in run("rule", "zzz", code=2)


def test_where_gives_file_and_line() -> None:
    assert "hide.py:" in run("where", "hide")
    assert data("where", "Moved")[0]["kind"] == "event"
    assert "the nearest are: hide" in run("where", "hied", code=2)


# -- drawing


def test_the_map_has_coordinates_walls_doors_and_a_letter_for_each() -> None:
    state = scene(ROSA, RAUL, BEA, rows=ROWS, map_=WALLED)
    lines = ["".join(text for text, _ in line) for line in Chart(state).lines()]
    assert lines == [
        "  0 1 2 3 4 5",
        "0 . . .|. . .",
        "1 R . .+. B .",
        "          -",
        "2 A . . . . .",
    ]
    opened = tw.Table(state, seed=1)
    opened.declare("rosa", "begin")
    from turnwright.events import DoorMoved

    opened.override([DoorMoved("", "gate", True)], "for the picture")
    lines = ["".join(text for text, _ in line) for line in Chart(opened.state).lines()]
    assert lines[2] == "1 R . .'. B ."


def test_letters_are_different_and_none_is_a_character_of_the_map() -> None:
    many = [character(f"bo{n}", "reds", (n, 0)) for n in range(9)]
    state = scene(
        *many,
        rows=["B........o", "b........."],
        legend={"B": {"name": "bin"}, "o": {"name": "oil"}, "b": {"name": "bed"}},
    )
    found = letters(state)
    assert len(set(found.values())) == 9
    assert not set(found.values()) & set("Bob.")


def test_a_map_of_40_by_30_fits_into_80_columns_with_a_wall_in_every_column() -> None:
    walls = [{"between": [[x, x % 29], [x + 1, x % 29]]} for x in range(36)]
    state = scene(ROSA, rows=["." * 40] * 30, map_={"walls": walls})
    lines = ["".join(text for text, _ in line) for line in Chart(state, 80).lines()]
    assert max(map(len, lines)) <= 80
    assert len(lines) == 32
    assert lines[2].startswith(" 0 .|.")
    assert not Chart(state, 80).cut()


def test_a_map_that_is_too_large_is_drawn_around_whoever_acts() -> None:
    state = scene(ROSA | {"at": [150, 100]}, rows=["." * 200] * 150)
    chart = Chart(state, 80, (150, 100))
    lines = ["".join(text for text, _ in line) for line in chart.lines()]
    assert max(map(len, lines)) <= 80
    assert any("R" in line and line.startswith("100 ") for line in lines)
    assert "of 200 x 150" in chart.cut()


def test_only_plain_characters_are_drawn() -> None:
    state = scene(ROSA, rows=["..~é", ".≈~."] * 2, legend={"~": {"name": "w"}, "é": {"name": "e"}, "≈": {"name": "r"}})
    lines = ["".join(text for text, _ in line) for line in Chart(state).lines()]
    assert all(line.isascii() for line in lines)
    marks = [entry.split()[0] for entry in Chart(state).legend()]
    assert len(set(marks)) == 4


def test_a_scene_without_a_map_says_who_is_where(tmp_path: Path) -> None:
    path = tmp_path / "story.yaml"
    path.write_text(scene_text(character("rosa", "reds", "the well"), mode="story"))
    assert "Rosa: the well" in play(path, "quit")


# -- words


PARAMETERS = (
    Parameter("route", "route", "the Spaces"),
    Parameter("to", "cell", "a Space"),
    Parameter("target", "actor", "whom"),
    Parameter("goal", "choice", "what", choices=("location", "presence")),
    Parameter("method", "text", "how", required=True),
)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("4,2", {"to": (4, 2)}),
        ("to (4, 2)", {"to": (4, 2)}),
        ("3,2 4,2", {"route": ((3, 2), (4, 2))}),
        ("the guard", {"target": "guard"}),
        ("gua", {"target": "guard"}),
        ("R", {"target": "rosa"}),
        ("rosa +2", {"target": "rosa", "boost": 2}),
        ("behind the cart", {"method": "behind the cart"}),
        ("presence low and quiet", {"goal": "presence", "method": "low and quiet"}),
        ("method=lie flat goal=location boost=1", {"method": "lie flat", "goal": "location", "boost": 1}),
        ('method="it\'s quiet"', {"method": "it's quiet"}),
        ("intent=be gone", {"intent": "be gone"}),
        ("", {}),
    ],
)
def test_typed_words_are_parts_of_a_declaration(typed: str, said: dict[str, Any]) -> None:
    state = scene(ROSA, character("guard", "blues", (5, 1), name="the guard"), rows=ROWS)
    assert words.read_words(PARAMETERS, state, typed) == said


@pytest.mark.parametrize("typed", ["boost=x", "target=nobody", "goal=glory", "to=there"])
def test_words_that_cannot_be_made_out_say_what_would_be_right(typed: str) -> None:
    state = scene(ROSA, rows=ROWS)
    with pytest.raises(words.Unclear, match="expected"):
        words.read_words(PARAMETERS, state, typed)


def test_an_action_may_be_cut_short_and_its_underscore_left_out() -> None:
    names = ("walk", "stop_hiding", "stand", "run")
    assert words.action_named(names, "stop hiding toward guard") == ("stop_hiding", "toward guard")
    assert words.action_named(names, "wa 4,2") == ("walk", "4,2")
    with pytest.raises(words.Unclear, match="stand or stop_hiding"):
        words.action_named(names, "st")
    with pytest.raises(words.Unclear, match="nothing that can be done"):
        words.action_named(names, "fly")


def test_a_ruling_is_a_preset_a_changed_preset_or_a_kind() -> None:
    check = Ruling("check", skill="stealth", target=6, success="s", failure="f")
    presets = (check, Ruling("impossible", obstacle="no"))
    assert asking.ruling_of(presets, "1") == check
    assert asking.ruling_of(presets, "1 target=8 failure=falls far") == Ruling(
        "check", skill="stealth", target=8, success="s", failure="falls far"
    )
    assert asking.ruling_of(presets, "impossible: too far") == Ruling("impossible", obstacle="too far")
    assert asking.ruling_of(presets, "check target= against=guard").target is None
    for wrong in ("", "3", "target=high", "1 colour=red", "perhaps"):
        with pytest.raises(words.Unclear):
            asking.ruling_of(presets, wrong)


# -- play


def test_a_session_is_played_by_numbers_and_words(close: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    found = play(
        close,
        "?",
        "why hide",
        "attack bea",  # asks how much beyond the price, then what Bea answers
        "1",
        "3 +1",
        "state bea",
        "end",
        "quit",
        options=("--save", log),
    )
    assert "R B .+." in found
    assert "Ann (Rosa)> " in found
    assert "[narateer.hide." in tight(found)
    assert "Ann (Rosa): attack Bea with sword: how much beyond the price?" in found
    assert "price: 1 AD, a use of Melee; beyond it 0 to 2" in found
    assert "Ben (Bea): Rosa attacks Bea with sword" in found
    assert "3 Clash with axe" in found
    assert "Bea answers with clash (axe), boosted by 1" in found
    assert "Raul's Activation (round 1)" in found
    assert f"--resume {log}" in found
    held = tw.replay(log)
    assert held.state.active == "raul"
    assert held.state.actors["bea"].ready == 4  # a Clash and its Boost


def test_parameters_that_are_missing_are_asked_for_one_by_one(apart: Path) -> None:
    found = play(apart, "attempt", "get up", "by climbing", "2", "walk", "1,1", "quit", "")
    assert "what you want to be different: get up" in found
    assert "how you try to bring it about: by climbing" in found
    assert "Guide: How is this ruled?" in found
    assert "Rosa moves to (1, 1)" in found


def test_the_guide_rules_by_one_key_by_an_edit_or_part_by_part(apart: Path) -> None:
    found = play(
        apart, "attempt jump; up", "up", "check skill=athletics target=2 success=high failure=low", "0", "quit", ""
    )
    assert "Guide rules: athletics check, target 2; success: high; failure: low" in found
    assert "Rosa: high" in found  # 1 + Athletics 1 is enough at the worst
    found = play(apart, "attempt jump", "up", "edit", "", "athletics", "2", "high", "low", "0", "quit", "")
    assert "the Skill [" in found
    assert "Rosa: high" in found
    found = play(apart, "attempt jump", "up", "impossible: no ceiling", "quit", "")
    assert "Rosa cannot: no ceiling" in found


def test_a_ruling_that_lacks_something_is_refused_and_asked_again(apart: Path) -> None:
    found = play(apart, "attempt jump", "up", "1 failure=", "1", "0", "quit", "")
    assert "the ruling lacks: failure" in found
    assert found.count("How is this ruled?") == 2


def test_an_ally_assists_while_the_commitment_is_asked(apart: Path) -> None:
    found = play(apart, "attempt jump", "up", "1 skill=athletics", "assist raul give a leg up", "0", "quit", "")
    assert "Raul assists Rosa" in found
    assert found.count("how much beyond the price?") == 2


def test_refused_with_every_reason_and_the_guide_may_let_it_pass(apart: Path) -> None:
    found = play(apart, "walk 5,1", "anyway because she flies", "quit", "")
    assert "Refused:" in found
    assert "[narateer.divide.total-cap]" in tight(found)
    assert "Guide: let it pass, she flies" in found
    found = play(apart, "all", "why walk 5,1", "anyway", "quit", "")
    assert "[narateer.condition.prone-standing]" in tight(found)
    assert "the route costs" in tight(found)
    assert "nothing was refused" in found


def test_undo_takes_back_what_a_person_did_with_its_dice_and_redo_does_it_again(apart: Path) -> None:
    found = play(
        apart, "undo", "attempt jump", "up", "1", "0", "undo", "undo", "undo", "redo", "redo", "redo", "quit", ""
    )
    assert "there is nothing to take back" in found
    assert "Taken back: an answer and dice." in found
    assert "Taken back: a ruling." in found
    assert "Taken back: Rosa: attempt." in found
    dice = [line for line in found.splitlines() if line.strip().startswith("dice:")]
    assert len(dice) == 2
    assert dice[0] == dice[1]


def test_undo_goes_past_what_bots_did(close: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    options = ("--bots", "blues,guide", "--save", log)
    play(close, "end", "end", "undo", "quit", options=options)
    held = tw.replay(log)
    assert held.state.active == "raul"
    assert held.state.round == 1
    assert held.live[-1].input.declaration.action == "begin"  # type: ignore[union-attr]


def test_redo_brings_bots_back_too(apart: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.log", tmp_path / "two.log"
    options = ("--bots", "blues", "--bots", "guide", "--save")
    play(apart, "end", "end", "quit", options=(*options, one))
    play(apart, "end", "end", "undo", "undo", "redo", "redo", "quit", options=(*options, two))
    assert tw.replay(one).state == tw.replay(two).state


def test_the_guide_changes_a_value_with_a_reason(apart: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    found = play(
        apart,
        "override rosa.ready 3 raul.at 0,0 because she is tired",
        "override rosa.ready lots because x",
        "override rosa.ready 4",
        "",
        "override rosa",
        "quit",
        options=("--save", log),
    )
    assert "the guide sets rosa.ready to 3" in found
    assert "does not fit" in found
    assert "  why? \nNothing was declared." in found  # an empty line leaves the prompt
    assert tw.replay(log).state.actors["rosa"].ready == 3
    assert tw.replay(log).state.actors["raul"].at == (0, 0)


def test_real_dice_are_typed_as_faces_or_as_a_total(close: Path) -> None:
    options = ("--dice", "table")
    found = run("play", close, *options, typed=["attack bea", "1", "2", "6", "=20", "n", "=9", "quit", ""])
    assert "the die, 1 to 6 (or = and the total)" in found
    assert "Bea rolls melee (1 die) 8" in found  # 6 and Melee 2
    assert "is it really 20?" in found
    assert "Rosa rolls melee (2 dice) 9" in found
    found = run("play", close, *options, typed=["attack bea", "1", "2", "6", "7 7", "1 2 3", "x", "5 6", "quit", ""])
    assert "shows 2 faces from 1 to 6" in found
    assert "throws 2 dice; got 3" in found
    assert "type what the dice show" in found
    assert "Rosa rolls melee (2 dice) 13: enough" in found
    found = run("play", close, *options, typed=["attack bea", "1", "2", "6", "=20", "yes", "quit", ""])
    assert "Rosa rolls melee (2 dice) 20: enough" in found


def test_a_table_that_confirms_asks_the_guide_for_each_ruling(apart: Path) -> None:
    found = play(apart, "walk 1,1", "1", "quit", "", options=("--mode", "confirm"))
    assert "1 the rule for walk" in found
    assert "Rosa moves to (1, 1)" in found


def test_a_table_that_advises_warns_and_lets_it_pass(apart: Path) -> None:
    found = tight(play(apart, "walk 5,0", "quit", "", options=("--mode", "advise")))
    assert "careful: the route costs" in found
    assert "Rosa moves to" in found


def test_a_log_goes_on_where_it_was_left_with_its_open_question(apart: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    play(apart, "attempt jump", "up", options=("--save", log))
    found = run("play", "--resume", log, typed=["1", "0", "quit"])
    assert "Guide: How is this ruled?" in found
    assert "Rosa rolls" in found
    assert "are in the log" in run("play", "--resume", log, "--seed", 3, code=2)
    run("play", "--resume", log, typed=["finish"])
    assert "this table is over" in run("play", "--resume", log, code=1)


def test_save_and_log_and_rule_and_odds_while_playing(apart: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    found = play(
        apart, "walk 1,1", "log", f"save {log}", "rule hide.tie-fails", "odds walk 1,2", "odds 99", "map", "quit"
    )
    assert "   1  Rosa: walk, be at (1, 1)" in found
    assert "a lower total, the hider fails" in tight(found)
    assert "100.00 %" in found
    assert "99 is none of them" in found
    assert tw.replay(log).state.actors["rosa"].at == (1, 1)
    assert "is no log; it stays as it is" in tight(play(apart, f"save {apart}", "quit", ""))


def test_leaving_offers_to_save(apart: Path, tmp_path: Path) -> None:
    log = tmp_path / "late.log"
    found = play(apart, "walk 1,1", "quit", str(apart), "quit", str(log))
    assert "is no log; it stays as it is" in tight(found)
    assert tw.replay(log).state.actors["rosa"].at == (1, 1)


def test_the_end_of_the_input_ends_the_session_and_keeps_the_log(apart: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    assert "was left and not saved" in play(apart, "walk 1,1")
    play(apart, "walk 1,1", options=("--save", log))
    assert tw.replay(log).state.actors["rosa"].at == (1, 1)


def test_ctrl_c_ends_the_session_and_keeps_the_log(apart: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    command = [sys.executable, "-m", "turnwright", "play", str(apart), "--save", str(log)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b"walk 1,1\n")
        process.stdin.flush()
        deadline = time.monotonic() + 30
        while not log.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert b"Traceback" not in out + err
    assert b"--resume" in out
    assert tw.replay(log).state.actors["rosa"].at == (1, 1)


def test_a_game_that_is_not_over_is_not_written_over(apart: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    play(apart, "walk 1,1", options=("--save", log))
    before = log.read_bytes()
    assert "not over" in play(apart, options=("--save", log), code=1)
    assert "is no log" in play(apart, options=("--save", apart), code=1)
    assert log.read_bytes() == before


def test_a_scene_ends_when_a_side_is_down_unless_somebody_plays_on(close: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    down = "override bea.wounds 3 because it is over"
    found = play(close, down, "end", "", options=("--save", log))
    assert "The blues are down. Enter ends the scene, `on` plays on: " in found
    assert "The end: the blues are down." in found
    assert tw.replay(log).revealed
    found = play(close, down, "end", "on", "end", "walk 1,1", "quit", "")
    assert found.count("The blues are down.") == 1
    assert "Rosa's Activation (round 2)" in found


def test_what_a_seat_does_not_know_is_not_shown_to_it(tmp_path: Path) -> None:
    # Bea stands in a thicket that nobody can see into.
    path = tmp_path / "hidden.yaml"
    legend = {",": {"name": "thicket", "conceals": ["sight"], "opaque": True}}
    path.write_text(scene_text(ROSA, BEA, rows=["......", "....,.", "......"], legend=legend, seats=SEATS))
    state = tw.load_scene(path)
    game = tw.find_game("narateer")
    assert "bea" in state.actors
    shown = play(path, "quit", "", options=("--seat", "ann"))
    assert ("Bea" in shown.split(">")[0]) == ("bea" in game.known(state, "ann").actors)
    assert "ann, ben" in run("play", path, "--seat", "zed", code=2)


def test_every_line_of_a_session_has_at_most_80_columns(close: Path) -> None:
    found = play(
        close, "?", "all", "attempt jump", "up", "1", "0", "rule hide.tie-fails", "state rosa", "log", "quit", ""
    )
    assert [line for line in found.splitlines() if len(line) > 80] == []


# -- one seat's screen


SIDES = ["heroes", "rivals", "guards"]
SELKA = character("selka", "heroes", (1, 1), seat="ann", skills={"stealth": 2})
RIVAL = character("rival", "rivals", (8, 1), seat="ben", skills={"melee": 3}, weapons=[SWORD | {"name": "fang"}])
SPY = character("spy", "guards", (9, 1), weapons=[SWORD | {"name": "poisoned pin"}])
TURNS = (
    "walk 2,1",
    "undo",
    "redo",
    "end",
    "undo",
    "redo",
    "undo",
    "end",
    "walk 1,1",
    "attempt jump",
    "up high",
    "why",
    "assist zz x",
)
TURNS += ("all", "state zz", "overrule", "y", "undo", "override zz.ready 1 because x", "rulings", "log", "end")
TURNS += ("state spy", "attack spy", "why attack spy", "odds attack spy", "end", "end", "end", "quit", "")


def annex(tmp_path: Path, *others: dict[str, Any]) -> Path:
    """Selka (Ann) alone behind a wall that nobody sees through, and the others beyond it."""
    path = tmp_path / "annex.yaml"
    path.write_text(scene_text(SELKA, *others, rows=["......#......"] * 3, seats=SEATS, sides=SIDES))
    return path


def anns(told: str) -> str:
    """What stands on Ann's own screen, the others' left out."""
    return "\n".join(line for line in told.splitlines() if not line.startswith(("Ben | ", "Guide | ")))


def test_a_seats_screen_does_not_count_the_unseen(tmp_path: Path) -> None:
    options = ("--seat", "ann", "--bots", "guide,ben")
    alone = play(annex(tmp_path), *TURNS, options=options)
    assert "Taken back: Selka: end and Selka: begin." in alone
    assert "does nothing" not in alone
    assert "(`overrule` takes this back" in alone
    another = character("watch", "guards", (11, 1))
    for others in (
        (SPY,),
        (SPY, another),
        (RIVAL,),
        (SPY | {"wounds": 3},),
        (SPY | {"skills": {"melee": 3, "stealth": 3}, "ad": 2}, another | {"readiness": {"observation": 12}}),
        (SPY | {"id": "amok"}, RIVAL),
    ):
        assert play(annex(tmp_path, *others), *TURNS, options=options) == alone


def test_whoever_else_decides_is_handed_the_keyboard(tmp_path: Path) -> None:
    typed = ("end", "attack spy", "", "attack spy", "0", "", "1", "", "end", "", "end", "", "quit", "")
    told = play(annex(tmp_path, RIVAL, SPY), *typed, options=("--seat", "ann"))
    before, shown = told.split("Enter shows Ben's screen> \n", 1)
    assert "Ben decides; hand over the keyboard" in before
    assert "Enter shows Ben's screen first." in before
    assert not any(word in anns(told).lower() for word in ("rival", "spy, ", "fang", "poisoned pin"))
    assert anns(told).lower().count("spy") == 1  # as Ann typed it
    # Ben plays from his own map and offers, and the guide answers on a screen of its own.
    assert "Ben | 1 . . . . . . # . R S" in shown
    assert "attack Spy with fang" in shown.split("Guide | ")[0]
    assert "Guide |   3 Clash with poisoned pin" in shown
    assert "poisoned pin" not in shown.split("Ben | Guide decides")[0]
    assert shown.rstrip().splitlines()[-2].startswith("Ann (Selka)> quit")
    assert [line for line in told.splitlines() if len(line) > 80] == []


def test_anns_own_lines_are_the_same_whatever_the_others_have(tmp_path: Path) -> None:
    typed = ("end", "", "end", "", "end", "", "log", "state rival", "undo", "quit", "")
    told = [
        play(annex(tmp_path, rival, spy), *typed, options=("--seat", "ann"))
        for rival, spy in (
            (RIVAL, SPY),
            (RIVAL | {"weapons": [], "skills": {}}, SPY | {"at": [12, 2], "readiness": {"observation": 9}}),
        )
    ]
    assert told[0] != told[1]
    assert anns(told[0]) == anns(told[1])


def test_what_the_guide_alone_may_do_is_done_on_the_guides_screen(tmp_path: Path) -> None:
    typed = ("override spy.ready 1 because x", "end", "", "override spy.ready 1 because she dozed", "quit", "")
    told = play(annex(tmp_path, SPY), *typed, options=("--seat", "ann"))
    before, _, after = told.partition("Enter shows Guide's screen> ")
    assert "`override` is for the Guide; this screen is a player's." in before
    assert "Guide |   Guide: she dozed" in after


def test_a_terminal_is_cleared_when_the_keyboard_is_handed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Screen, "typed_on", True)
    typed = iter(["end", "", "end", "", "quit", ""])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    Session(tw.Table(tw.load_scene(annex(tmp_path, RIVAL)), seed=1), Screen(), seat="ann").run()
    first, bens, last = capsys.readouterr().out.split("\033[3J\033[2J\033[H")
    assert "Rival" not in first + last
    assert "R Rival (Ben)" in bens
    assert "S Selka (Ann)" in last
    assert "Ben | " not in bens
    assert "handed over" in tight(run("play", "--help"))


def test_the_guides_screen_is_handed_to_nobody(tmp_path: Path) -> None:
    told = play(annex(tmp_path, RIVAL), "end", "end", "quit", "")
    assert "hand over" not in told
    assert "Ben (Rival)> end" in told


# -- bots


def test_bots_play_everybody_to_a_stated_end_the_same_for_the_same_seed(tmp_path: Path) -> None:
    ambush = EXAMPLES / "ambush.yaml"
    logs = [tmp_path / name for name in ("one.log", "two.log", "other.log")]
    options = ("--bots", "all", "--rounds", 2, "--save")
    told = [run("play", ambush, "--seed", seed, *options, log) for seed, log in zip((7, 7, 8), logs, strict=True)]
    assert "The end: 2 rounds have passed." in told[0]
    assert "Activation (round 2)" in told[0]
    assert "Activation (round 3)" not in told[0]
    assert logs[0].read_bytes() == logs[1].read_bytes()
    assert told[0].replace("one.log", "two.log") == told[1]
    assert logs[0].read_bytes() != logs[2].read_bytes()
    assert tw.verify(tw.replay(logs[0])) == []


def test_bots_take_the_seed_of_the_scene_where_none_is_given(tmp_path: Path) -> None:
    path = tmp_path / "seeded.yaml"
    path.write_text(duel(bea=(1, 1), seed=4))
    one, two = (run("play", path, "--bots", "all", "--rounds", 1) for _ in range(2))
    assert one == two
    assert run("play", path, "--bots", "all", "--rounds", 1, "--seed", 4) == one


def test_the_rounds_pass_also_when_whoever_was_first_is_down(tmp_path: Path) -> None:
    path = tmp_path / "down.yaml"
    tough = {"bears": 30}
    path.write_text(scene_text(ROSA | {"wounds": 3}, RAUL | tough, BEA | tough, rows=ROWS, seats=SEATS))
    assert "The end: 2 rounds have passed." in run("play", path, "--bots", "all", "--rounds", 2, "--seed", 1)


def test_a_side_that_there_is_none_of_is_bad_input(apart: Path) -> None:
    assert "all, guide, ann, ben, reds, blues" in run("play", apart, "--bots", "greens", code=2)
    assert "real dice" in run("play", apart, "--bots", "all", "--dice", "table", code=2)


def test_questions_go_to_bots_and_people_as_they_were_told(close: Path) -> None:
    typed = ("attempt jump", "up", "1", "0", "attack bea", "0", "quit", "")
    found = play(close, *typed, options=("--bots", "blues"))
    assert "Guide: How is this ruled?" in found
    assert "Bea answers with" in found
    assert "Ben (Bea)" not in found


def test_a_solo_player_is_ruled_for_and_may_overrule(apart: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    typed = ("overrule", "attempt jump", "up", "overrule", "2", "quit")
    found = play(apart, *typed, options=("--bots", "guide,ben", "--save", log))
    assert "nothing was ruled for you" in found
    ruled, _, after = found.partition("(`overrule` takes this back and lets you rule)")
    assert "Guide rules: " in ruled
    assert "Guide: How is this ruled?" not in ruled
    assert "Guide: How is this ruled?" in after
    # The second preset stands, and what was ruled before is taken back.
    rulings = [entry.input for entry in tw.replay(log).live if type(entry.input).__name__ == "RuledOn"]
    assert len(rulings) == 1
    assert rulings[0].answers[0].ruling.kind == "automatic"  # type: ignore[union-attr]


def test_bots_play_a_seat_and_what_is_the_guides(tmp_path: Path) -> None:
    path = tmp_path / "solo.yaml"
    path.write_text(scene_text(ROSA, RAUL, BEA | {"seat": "guide"}, rows=ROWS, seats=SEATS))
    found = play(path, "end", "end", "quit", "", options=("--bots", "guide"))
    assert "Bea: " in found
    assert "Guide (Bea)>" not in found
    assert "Raul: " in play(path, "end", "quit", "", options=("--bots", "guide,ann"))


def test_a_bot_assists_a_comrade_of_its_side(tmp_path: Path) -> None:
    path = tmp_path / "help.yaml"
    helper = RAUL | {"seat": "guide", "at": [0, 2]}
    path.write_text(scene_text(ROSA, helper, rows=ROWS, seats=SEATS))
    found = play(path, "attempt climb", "onto the wall", "quit", "", options=("--bots", "guide"))
    assert "Raul assists Rosa" in found


# -- replay


@pytest.fixture
def log(close: Path, tmp_path: Path) -> Path:
    path = tmp_path / "game.log"
    play(close, "attack bea", "1", "undo", "1", "2", "end", "finish", options=("--save", path))
    return path


def test_replay_tells_the_story_with_the_numbers_of_the_entries(log: Path) -> None:
    found = run("replay", log)
    assert "   0  Rosa's Activation (round 1)" in found
    assert "-- Guide takes back" in found
    assert "dice: " in found
    assert "its seed is open" in found


def test_replay_stops_after_an_entry_and_shows_the_state(log: Path) -> None:
    found = run("replay", log, "--at", 1)
    assert "R B .+." in found.replace("  ", " ") or "R . .|" in found
    assert "AD 6/6" in found
    assert "its seed is open" not in found
    table = tw.replay(log)
    last = data("replay", log)["state"]
    assert last["actors"]["rosa"]["at"] == list(table.state.actors["rosa"].at)
    assert data("replay", log, "--at", 0)["state"]["active"] == "rosa"
    assert data("replay", log, "--at", 0)["entries"][-1]["entry"] == 0
    assert "there is no entry 99" in run("replay", log, "--at", 99, code=2)


def test_the_state_at_an_entry_is_the_one_that_the_table_had(close: Path, tmp_path: Path) -> None:
    """Undo is followed too: after each entry the story stands where the table stood."""
    from turnwright.cli.story import Story

    table = tw.Table(tw.load_scene(close), seed=1)
    states = []

    def keep() -> None:
        states.extend([table.state] * (len(table.log) - len(states)))

    for act in (
        lambda: table.declare("rosa", "begin"),
        lambda: table.declare("rosa", "run", to=(0, 0)),
        table.undo,
        table.redo,
        table.undo,
        lambda: table.declare("rosa", "end"),
    ):
        act()
        keep()
    for number in (0, len(table.log) - 1):
        story = Story(table)
        list(story.on(number))
        assert story.state == states[number]


def test_verify_accepts_an_honest_log_and_rejects_other_dice(log: Path, tmp_path: Path) -> None:
    found = run("replay", log, "--verify")
    assert "Every die fits the seed" in found
    assert data("replay", log, "--verify")["verified"] is True
    # The same log with another face: either it comes out differently, or the seed gives something else.
    text = log.read_text()
    at = text.index('"faces":[') + len('"faces":[')
    face = text[at]
    forged = tmp_path / "forged.log"
    forged.write_text(text[:at] + str(7 - int(face)) + text[at + 1 :])
    assert "Every die fits" not in run("replay", forged, "--verify", code=1)


def test_a_seat_is_told_what_it_learned(log: Path) -> None:
    whole, anns = run("replay", log), run("replay", log, "--seat", "ann")
    assert "Rosa's Activation" in anns
    assert "dice: " not in anns
    assert len(anns) < len(whole)
    assert all(set(entry) == {"entry", "story"} for entry in data("replay", log, "--seat", "ben")["entries"])


def test_what_is_no_log_is_bad_input(apart: Path, tmp_path: Path) -> None:
    assert "expected the first line of a log" in run("replay", apart, code=2)
    assert "no such file" in run("replay", tmp_path / "gone.log", code=2)
    assert "folder" in run("replay", tmp_path, code=2)


# -- the command line itself


def test_help_teaches_by_examples() -> None:
    found = run("--help")
    assert "turnwright new narateer" in found
    for command in ("play", "offers", "odds", "replay", "check", "new", "schema", "rules", "rule", "where"):
        page = run(command, "--help")
        assert f"\n  turnwright {command}" in page, command
        assert max(map(len, page.splitlines())) <= 100
    assert run("--version").startswith("turnwright ")


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["offers"], ["play", "x.yaml", "--mode", "loose"], ["replay", "x", "--at", "-1"], []]
)
def test_a_usage_error_ends_with_2(arguments: list[str]) -> None:
    run(*arguments, code=2)


def test_a_broken_scene_ends_with_2_and_no_traceback(tmp_path: Path) -> None:
    for number, text in enumerate([b"\xff\xfe", b"- 1", b"system: [", b"", b"system: chess\n", b"{" * 5000]):
        path = tmp_path / f"{number}.yaml"
        path.write_bytes(text)
        for command in (["check", path], ["offers", path, "rosa"], ["play", path], ["odds", path, "rosa", "walk"]):
            assert str(path) in run(*command, code=2)


def test_a_mistake_of_ours_is_one_line(apart: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from turnwright.cli import errors

    def broken() -> None:
        raise KeyError("nowhere")

    with pytest.raises(SystemExit) as end:
        errors.run(broken)  # type: ignore[arg-type]
    assert end.value.code == 1
    assert "mistake in Turnwright: KeyError" in capsys.readouterr().err


def test_a_mistake_while_playing_changes_nothing_and_the_game_goes_on(
    apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any, **keys: Any) -> None:
        raise RuntimeError("oh")

    monkeypatch.setattr(tw.Table, "override", broken)
    found = play(apart, "override rosa.ready 1 because x", "walk 1,1", "quit", "")
    assert "This is a mistake in Turnwright: RuntimeError: oh" in found
    assert "Rosa moves to (1, 1)" in found


def test_a_reader_that_goes_away_is_no_error(log: Path) -> None:
    command = f"{sys.executable} -m turnwright replay {log} --json | head -n 1; exit ${{PIPESTATUS[0]}}"
    found = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert found.returncode == 0
    assert found.stderr == ""


def test_piped_output_has_no_colour_and_a_narrow_encoding_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "zoë.yaml"
    path.write_text(scene_text(character("zoe", "reds", (0, 0), name="Zoë"), rows=ROWS), encoding="utf-8")
    found = script("play", path, "--seed", "1", typed="quit\n\n", PYTHONIOENCODING="ascii")
    assert found.returncode == 0
    assert "Zo?" in found.stdout
    assert "\x1b" not in found.stdout


def test_no_color_is_obeyed_on_a_terminal(apart: Path) -> None:
    import pty

    def shown(**env: str) -> bytes:
        ours, theirs = pty.openpty()
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
        environment = {**kept, "TERM": "xterm-256color", "COLUMNS": "80", **env}
        command = [sys.executable, "-m", "turnwright", "play", str(apart), "--bots", "all", "--rounds", "1"]
        with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
            os.close(theirs)
            out = b""
            while True:
                try:
                    part = os.read(ours, 65536)
                except OSError:
                    break
                if not part:
                    break
                out += part
        os.close(ours)
        assert process.returncode == 0
        return out

    assert b"\x1b[1;36m" in shown()
    assert b"\x1b[1;36m" not in shown(NO_COLOR="1")


def test_a_pause_of_dice_and_a_person_at_a_session_that_is_handed_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a table is made with, a session plays it: here the dice are written down."""
    table = tw.Table(tw.read_scene(duel(bea=(1, 1)), "duel.yaml"), seed=1, dice=Scripted((3,), (6,)))
    monkeypatch.setattr(sys, "stdin", io.StringIO("attack bea +0\n1\nquit\n\n"))
    Session(table, Screen()).run()
    assert table.state.actors["bea"].wounds == 0  # 3 + 2 does not exceed 3 + 2


def test_the_guide_says_whose_turn_it_is_where_the_scene_leaves_it_open(tmp_path: Path) -> None:
    path = tmp_path / "order.yaml"
    path.write_text(duel(settings={"order": "guide"}))
    found = play(path, "map", "nobody", "3", "end", "rosa", "quit", "")
    assert "Guide: whose turn is it? [1 to 3]> " in found
    assert "Choose one of rosa, raul, bea." in found
    assert found.index("Bea's Activation (round 1)") < found.index("Rosa's Activation")
    # An automatic guide takes them in order, and the rounds pass.
    played = run("play", path, "--bots", "all", "--rounds", 1, "--seed", 1)
    assert [line[:4] for line in played.splitlines() if "Activation" in line] == ["Rosa", "Raul", "Bea'"]
    assert "The end: 1 round has passed." in played


def test_the_guide_asks_what_is_meant(apart: Path) -> None:
    found = play(apart, "attempt jump", "up", "unclear", "be on the wall; a run and a leap", "4", "quit", "")
    assert "Ann (Rosa): What do you want to achieve, and how?" in found
    assert "wants: be on the wall; by: a run and a leap" in found


def test_a_warning_is_confirmed_or_the_matter_is_dropped(apart: Path) -> None:
    typed = ("attempt jump", "up", "2 warning=the wall is rotten")
    found = play(apart, *typed, "maybe", "no", "quit", "")
    assert "careful: the wall is rotten" in found
    assert "yes goes on, no takes it back; got 'maybe'" in found
    assert "Rosa thinks better of it" in found
    assert "Rosa: jump" in play(apart, *typed, "yes", "quit", "")


def test_a_commitment_is_withdrawn_for_nothing(apart: Path, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    play(apart, "attempt jump", "up", "1", "9", "lots", "withdraw", "quit", options=("--save", log))
    assert tw.replay(log).state.actors["rosa"].ready == 6


def test_why_tells_the_price_by_its_rules_and_while_a_question_is_open_why_not_the_rest(close: Path) -> None:
    found = tight(
        play(close, "why", "why 2", "why attack", "why walk 9,9", "why attempt", "attack bea", "0", "why", "quit", "")
    )
    assert "say of what" in found
    assert "attempt: the Guide rules on it still to be said: intent, method its price comes with the ruling" in found
    assert "1 AD: run [narateer.run.cost]" in found
    assert "a use of Melee: a proactive use of melee [narateer.proactive.limit-formula]" in found
    assert "there is no legal route to 9,9" in found
    assert "Rosa attacks Bea with sword [narateer.response.three-options]" in found


def test_which_is_asked_where_words_fit_several(tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    armed = ROSA | {"weapons": [dict(SWORD), AXE | {"name": "pike"}]}
    path.write_text(scene_text(armed, BEA | {"at": [1, 1]}, rows=ROWS, seats=SEATS))
    found = play(path, "attack bea", "2", "0", "1", "attack bea", "7", "attack bea with sword", "0", "1", "quit", "")
    assert "which? [1 to 2]> 2" in found
    assert "Rosa attacks Bea with pike" in found
    assert "choose 1 to 2; got '7'" in found
    assert "Rosa attacks Bea with sword" in found


def test_a_declaration_can_be_left_before_it_is_made(apart: Path) -> None:
    found = play(apart, "walk", "", "walk", "up there", "cancel", "attempt", "cancel", "do walk", "1,1", "quit", "")
    assert "expected Spaces, such as 4,2 5,2; got 'up there'" in tight(found)
    assert found.count("Nothing was declared.") == 3
    assert "Rosa moves to (1, 1)" in found


def order_of(*among: str) -> Any:
    from turnwright.model import Order
    from turnwright.table import Open

    return Open("g1", "guide", "", "order", "Who reacts first?", (), Order("guide", "", "Who reacts first?", "", among))


@pytest.mark.parametrize("typed", ["2 1 3", "raul rosa bea", "A R", "2, 1"])
def test_an_order_is_given_by_numbers_or_names(typed: str) -> None:
    state = scene(ROSA, RAUL, BEA, rows=ROWS)
    game = tw.find_game("narateer")
    held = order_of("rosa", "raul", "bea")
    assert asking.given(game, state, held, typed) == ("raul", "rosa", "bea")
    assert asking.shown(game, state, held) == ["  1 Rosa", "  2 Raul", "  3 Bea"]
    assert asking.asked(game, state, held) == "Guide: Who reacts first?"


def test_an_option_is_chosen_by_its_number_or_the_beginning_of_its_label(close: Path) -> None:
    options = ("--save",)
    for typed in ("2", "full", "Full Guard", "full_guard"):
        log = close.with_name(f"{typed.replace(' ', '')}.log")
        found = play(close, "attack bea", "0", "0", "4", "c", typed, "quit", options=(*options, log))
        assert found.count("choose 1 to 3") >= 2  # 0 and 4 are no numbers of an option
        assert "Bea answers with" in found


def test_what_is_typed_at_the_prompt_as_a_comment_does_nothing(apart: Path) -> None:
    assert "nothing that can be done" not in play(apart, "# a script", "", "quit", "")


def test_commands_that_lack_something_say_what(apart: Path) -> None:
    found = tight(play(apart, "save", "state zed", "state", "odds", "rule zzz", "99", "fly away", "assist", "quit", ""))
    assert "say where: `save FILE`" in found
    assert "say of whom: rosa, raul, bea" in found
    assert "`odds 4`" in found
    assert "no rule has the id 'zzz'" in found
    assert "99 is none of them" in found
    assert "'fly' is nothing that can be done" in found


# -- where more is asked for


@pytest.mark.parametrize(
    "typed", ["shift at=selka=1,1", "rubbish 1,1 2,2", "1,1 or 2,2", "rosa=1,1 1,2", "to 1,1 quickly"]
)
def test_a_route_is_nothing_but_spaces(apart: Path, typed: str) -> None:
    found = play(apart, "walk", typed, "", "quit", "")
    assert "Rosa moves" not in found
    assert "Nothing was declared." in found
    assert words.only_cells("1,1 2,2") == words.only_cells("to 1,1, then (2, 2)") == [(1, 1), (2, 2)]
    assert words.only_cells(typed) == []


def test_what_only_looks_is_done_in_between_and_the_prompt_stays(apart: Path) -> None:
    found = play(apart, "walk", "?", "log", "map", "why 1", "rule narateer.run.cost", "1,1", "quit", "")
    assert "Besides, at any time:" in found
    assert "Nothing was declared." not in found
    assert "Rosa moves to (1, 1)" in found


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("undo", ""),
        ("cancel", ""),
        ("", ""),
        ("quit", "The game was left"),
        ("save", "say where"),
        ("finish", "The end"),
    ],
)
def test_every_other_command_leaves_the_declaration_first(apart: Path, typed: str, says: str) -> None:
    found = play(apart, "walk", typed, "quit", "")
    assert found.count("Nothing was declared.") == 1
    assert (says if says != "The game was left" else "Save to which file?") in found
    assert "Rosa moves" not in found


def test_the_scene_is_shifted_where_a_route_is_asked_for_and_never_walked(tmp_path: Path) -> None:
    path = tmp_path / "shift.yaml"
    path.write_text(scene_text(ROSA, BEA, rows=ROWS, seats=SEATS))
    found = play(path, "walk", "shift story", "quit", "")
    assert "Nothing was declared." in found
    assert "Rosa moves" not in found
    assert "story" in found.lower()


def test_a_word_that_is_a_command_may_begin_what_is_said_in_words(apart: Path) -> None:
    found = play(apart, "attempt", "save the child", "all in one go", "1", "0", "quit", "")
    assert "wants: save the child; by: all in one go" in tight(found)
    left = play(apart, "attempt", "save the child", "undo", "quit", "")
    assert "Nothing was declared." in left


def test_a_ruling_that_is_edited_can_be_left_too(apart: Path) -> None:
    found = play(
        apart, "attempt get up=1", "attempt", "be up", "climb", "edit", "cancel", "edit", "log", "undo", "quit", ""
    )
    assert found.count("Nothing was declared.") >= 2


def test_yes_and_whole_numbers_are_read_strictly() -> None:
    state = scene(ROSA, BEA, rows=ROWS)
    for kind, wrong in (
        ("yes", "maybe"),
        ("number", "²"),
        ("cell", "1,1 2,2"),
        ("cell", "near 1,1"),
        ("place", "1,1 x"),
    ):
        with pytest.raises(words.Unclear):
            words.read_value(Parameter("p", kind, "p"), state, wrong)  # type: ignore[arg-type]
    assert words.read_value(Parameter("p", "yes", "p"), state, "no") is False
    assert words.read_value(Parameter("p", "number", "p"), state, "-3") == -3
    assert words.read_value(Parameter("p", "cell", "p"), state, "to (4, 2)") == (4, 2)


# -- names


@pytest.mark.parametrize("name", ["a", "an", "by", "in", "the", "to"])
def test_an_id_that_is_also_a_small_word_is_a_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "names.yaml"
    other = BEA | {"id": name, "name": "Somebody", "at": [1, 1]}
    axel = character("axel", "reds", (5, 0))
    path.write_text(scene_text(ROSA, axel, other, rows=ROWS, seats=SEATS))
    state = tw.load_scene(path)
    assert words.actor_named(state, name) == name
    asked = (Parameter("target", "actor", "whom"), Parameter("weapon", "choice", "with what", choices=("sword",)))
    assert words.read_words(asked, state, name) == {"target": name}
    assert words.read_words(asked, state, f"{name} with sword") == {"target": name, "weapon": "sword"}
    assert "Rosa attacks Somebody" in play(path, f"attack {name} with sword", "0", "1", "quit", "")


# -- a game of bots


def test_bots_that_only_pass_are_stopped_after_two_rounds_and_it_is_said() -> None:
    found = run("play", EXAMPLES / "negotiation.yaml", "--seed", 1, "--bots", "all")
    assert "The end: nobody does anything more." in found
    assert "Activation (round 3)\n  does nothing\n" in found
    assert "attack" not in found
    people = len(tw.load_scene(EXAMPLES / "negotiation.yaml").actors)
    assert found.count("'s Activation") + found.count("s' Activation") <= 3 * people


def test_bots_that_fight_are_not_stopped(close: Path) -> None:
    found = run("play", close, "--seed", 1, "--bots", "all")
    assert "nobody does anything more" not in found


# -- answers that nobody is asked for


@pytest.mark.parametrize("given", ["zz=pass", "ruling=99", "order=bea"])
def test_an_answer_for_which_nobody_is_asked_is_told_first(close: Path, given: str) -> None:
    found = run("odds", close, "rosa", "attack", "target=bea", "--answer", given)
    assert found.startswith(f"Careful: nobody is asked for '{given.partition('=')[0]}' here")
    assert "assumed: nobody is asked" not in found
    asked = run("odds", close, "rosa", "attack", "target=bea", "--answer", "bea=clash")
    assert "Careful" not in asked


def test_there_is_nothing_to_revoke_before_anything_was_ruled(apart: Path) -> None:
    found = play(apart, "revoke 1", "quit", "")
    assert "nothing was ruled yet" in found
    assert "1 to 0" not in found


# -- several who commit at one keyboard


def sealed(close: Path, monkeypatch: pytest.MonkeyPatch, *, show: bool) -> tuple[Session, list[str]]:
    """A session on a terminal in which Ann and Ben are asked for a commitment at once."""
    from turnwright.model import Commit, Price
    from turnwright.table import Open

    table = tw.Table(tw.load_scene(close), seed=1)
    session = Session(table, Screen(), show_typed=show)
    monkeypatch.setattr(Screen, "typed_on", True)
    both = tuple(
        Open(f"{seat}.1", seat, actor, "commit", "how much?", (), Commit(seat, actor, "how much?", "", Price(), 2))
        for seat, actor in (("ann", "rosa"), ("ben", "bea"))
    )
    monkeypatch.setattr(type(table), "waiting_on", both)
    return session, [held.id for held in both if questions.sealed(session, held)]


def test_what_several_commit_at_one_terminal_is_not_shown(close: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sealed(close, monkeypatch, show=False)[1] == ["ann.1", "ben.1"]


def test_a_hidden_commitment_is_answered_without_standing_on_the_screen(
    close: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session, _ = sealed(close, monkeypatch, show=False)
    prompts: list[str] = []
    given: list[Any] = []
    monkeypatch.setattr("getpass.getpass", lambda prompt: prompts.append(prompt) or "2")
    monkeypatch.setattr(type(session.table), "answer", lambda table, held, value: given.append((held.id, value)))
    questions.ask(session, session.table.waiting_on[0])
    assert given == [("ann.1", 2)]
    assert prompts == ["[0 to 2, Enter for 0, or withdraw; it is not shown]> "]
    assert "> 2" not in capsys.readouterr().out


def test_it_is_shown_where_that_is_wanted(close: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sealed(close, monkeypatch, show=True)[1] == []
    assert "--show-typed" in run("play", "--help")
    assert "does not appear" in tight(run("play", "--help"))


def test_a_hidden_line_is_read_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getpass", lambda prompt: f" 2 {prompt[:0]}")
    assert Screen().read_hidden("[0 to 2; it is not shown]> ") == "2"
