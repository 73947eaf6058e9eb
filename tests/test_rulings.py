"""The guide's rulings are kept, offered again where the same is declared, and can become the rules of the house."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from scenes import answer, character, happened, question, ready, scene_text, table
from typer.testing import CliRunner

import turnwright as tw
from turnwright.cli import app
from turnwright.events import RulingApplied, RulingKept
from turnwright.model import Ruling

CLIMB = {"kind": "check", "skill": "athletics", "target": 5, "success": "over it", "failure": "falls"}
KEY = "attempt: climb the wall | tactical"


def scene(**keys: Any) -> tw.Table:
    return table(
        character("selka", "heroes", (1, 1), skills={"athletics": 1}, seat="ann", ad=20),
        character("guard", "guards", (2, 1), name="Guard 1"),
        character("other", "guards", (3, 1), name="Guard 2"),
        seats=[{"id": "ann"}],
        begin="selka",
        dice=(12,) * 9,
        **keys,
    )


def climb(made: tw.Table, method: str = "climb the wall", **said: Any) -> None:
    made.declare("selka", "attempt", intent="get over", method=method, **{"boost": 0, **said})


def ruled(made: tw.Table, value: Any = CLIMB) -> None:
    answer(made, value, kind="rule")
    if made.waiting_on:
        answer(made, "yes", kind="confirm")


def offered(made: tw.Table) -> tuple[Ruling, ...]:
    """What the guide is offered as it was ruled before."""
    return tuple(ruling for ruling in question(made, "rule").question.suggested if ruling.when)


def once(**keys: Any) -> tw.Table:
    """A table at which the climb was ruled on."""
    made = scene(**keys)
    climb(made)
    assert not offered(made)
    ruled(made)
    return made


@pytest.mark.parametrize("method", ["climb the wall", "Climb  the WALL.", "climb the wall !"])
def test_the_same_is_offered_first_as_before(method: str) -> None:
    made = once()
    climb(made, method)
    (before,) = offered(made)
    assert question(made).question.suggested[0] is before
    assert (before.when, before.target, before.failure) == (KEY, 5, "falls")
    ruled(made, 0)
    assert made.outcome is not None
    assert made.outcome.result == "success"
    assert len(happened(made, RulingKept)) == 1


def test_another_action_method_or_circumstance_is_another_case() -> None:
    made = once()
    for said in ({"method": "climb the fence"}, {"target": "guard"}, {"skill": "acrobatics"}):
        climb(made, **said)
        assert not offered(made)
        made.undo()
    made.override({"selka.conditions": ["prone"]}, "she fell")
    climb(made)
    assert not offered(made)
    made.undo()
    made.undo()
    climb(made)
    assert offered(made)


def test_a_ruling_about_one_guard_holds_for_another() -> None:
    made = scene()
    climb(made, "shout at him", target="guard")
    ruled(made, {**CLIMB, "target": None, "against": "guard"})
    climb(made, "shout at him", target="other")
    (before,) = offered(made)
    assert before.against == "other"
    assert made.house_rules()[0]["against"] == "target"


def test_the_latest_word_stands_alone() -> None:
    made = once()
    climb(made)
    ruled(made, {**CLIMB, "target": 9})
    climb(made)
    assert [before.target for before in offered(made)] == [9]


@pytest.mark.parametrize("again", [False, True])
def test_undo_and_redo_take_it_back_and_bring_it_again(again: bool) -> None:
    made = once()
    made.undo()  # the confirmation, with the dice that followed
    made.undo()  # the ruling
    assert made.house_rules() == []
    if again:
        made.redo()
        assert [rule["when"] for rule in made.house_rules()] == [KEY]
    else:
        assert question(made).kind == "rule"


def test_a_saved_table_keeps_it(tmp_path: Path) -> None:
    made = once()
    made.save(tmp_path / "log")
    again = tw.Table.load(tmp_path / "log")
    assert again.house_rules() == made.house_rules() != []
    climb(again)
    assert offered(again)


def test_an_unclear_or_a_withdrawn_declaration_keeps_nothing() -> None:
    made = scene()
    climb(made)
    answer(made, "unclear", kind="rule")
    answer(made, {"method": "climb the wall"}, kind="clarify")
    made.answer(question(made, "rule"), tw.Withdraw)
    assert made.house_rules() == []


def test_the_guide_revokes_it() -> None:
    made = once()
    made.revoke(KEY, "it has been oiled")
    climb(made)
    assert not offered(made)
    made.undo()
    made.undo()
    assert made.house_rules()
    with pytest.raises(tw.Refused, match="no ruling is kept for 'attempt: fly'"):
        made.revoke("attempt: fly", "never was")


class TestAuto:
    def test_what_was_ruled_before_is_ruled_so_again(self) -> None:
        made = once(rulings_of_the_table="auto")
        had = ready(made, "selka")
        climb(made)
        answer(made, "yes", kind="confirm")
        assert ready(made, "selka") == had - 1
        assert [event.when for event in happened(made, RulingApplied)] == [KEY]

    def test_it_comes_out_alike_when_it_is_loaded(self, tmp_path: Path) -> None:
        made = once(rulings_of_the_table="auto")
        climb(made)
        made.save(tmp_path / "log")
        again = tw.Table.load(tmp_path / "log")
        assert (again.rulings, again.state, again.waiting_on) == ("auto", made.state, made.waiting_on)

    def test_once_it_is_revoked_the_guide_is_asked(self) -> None:
        made = once(rulings_of_the_table="auto")
        made.revoke(KEY, "it has been oiled")
        climb(made)
        assert question(made).kind == "rule"


class TestHouseRules:
    def test_they_go_into_a_scene_file_and_are_offered_there(self) -> None:
        plain = yaml.safe_load(yaml.safe_dump(once().house_rules()))
        made = scene(rulings=plain)
        climb(made)
        (before,) = offered(made)
        assert before.failure == "falls"
        ruled(made, 0)
        assert made.state.rulings == ()  # the scene says it already
        assert made.house_rules() == plain

    def test_a_scene_may_name_fewer_circumstances(self) -> None:
        made = scene(rulings=[{**CLIMB, "when": "Attempt: Climb the wall"}, {**CLIMB, "when": f"{KEY} | prone"}])
        climb(made)
        assert len(offered(made)) == 1
        made.undo()
        made.override({"selka.conditions": ["prone"]}, "she fell")
        climb(made)
        assert [before.when for before in offered(made)] == [f"{KEY} | prone", "Attempt: Climb the wall"]

    def test_one_of_the_scene_can_be_revoked_too(self) -> None:
        made = scene(rulings=[{**CLIMB, "when": KEY}])
        made.revoke(KEY, "not here")
        climb(made)
        assert not offered(made)
        made.undo()
        made.undo()
        assert made.house_rules()

    def test_another_ruling_in_play_takes_its_place(self) -> None:
        made = scene(rulings=[{**CLIMB, "when": KEY}])
        climb(made)
        ruled(made, {**CLIMB, "target": 8})
        assert [rule["target"] for rule in made.house_rules()] == [8]

    def test_the_schema_says_what_when_is(self) -> None:
        text = scene_text(character("a", "heroes", (1, 1)), rulings=[{**CLIMB, "wen": KEY}])
        with pytest.raises(tw.BadScene, match="wen"):
            tw.read_scene(text)


def test_players_are_shown_none_of_it() -> None:
    made, bare = once(), once()
    made.override([RulingKept("", Ruling("impossible", obstacle="a spell", when="attempt: open the chest"))], "noted")
    assert made.knows("ann").rulings == ()
    assert made.knows("ann").scene.rulings == ()
    assert "spell" not in str(made.view("ann"))
    assert not [event for event in made.news("ann") if isinstance(event, RulingKept)]
    assert made.view("ann") == bare.view("ann")
    assert made.version("ann") == bare.version("ann")


def test_what_is_committed_to_does_not_say_that_it_was_ruled_before() -> None:
    made = scene()
    made.declare("selka", "attempt", intent="get over", method="climb the wall")
    answer(made, CLIMB)
    first = made.view("ann")["questions"]
    made.answer(question(made, "commit"), tw.Withdraw)
    made.declare("selka", "attempt", intent="get over", method="climb the wall")
    answer(made, 0)
    again = made.view("ann")["questions"]
    assert [held["ruling"] for held in again] == [held["ruling"] for held in first]
    assert "when" not in again[0]["ruling"]


class TestProcedures:
    """The guide names a procedure that somebody can follow in their turn, and nothing else."""

    @pytest.mark.parametrize("named", ["end", "begin", "settle", "obstacle", "assist", "opportunity_attack", "fly"])
    def test_what_is_no_procedure_is_refused(self, named: str) -> None:
        made = scene()
        climb(made)
        with pytest.raises(tw.Refused) as refused:
            answer(made, {"kind": "procedure", "procedure": named})
        (refusal,) = refused.value.refusals
        assert refusal.code == "INCOMPLETE procedure"
        assert named not in refusal.text.replace("stop_hiding", "").split("one of ")[1]
        assert question(made).kind == "rule"

    @pytest.mark.parametrize("named", ["walk", "attack", "hide", "search", "cast", "use_power"])
    def test_what_is_one_is_taken(self, named: str) -> None:
        made = scene()
        climb(made)
        answer(made, {"kind": "procedure", "procedure": named})
        assert not made.waiting_on or question(made).kind != "rule"


class TestTerminal:
    """The same in the terminal: offered, listed, revoked, and printed for a scene file."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "scene.yaml"
        path.write_text(scene_text(character("selka", "heroes", (1, 1), skills={"athletics": 1}), seed=5))
        return path

    def run(self, *arguments: Any, typed: tuple[str, ...] = (), code: int = 0) -> str:
        result = CliRunner().invoke(app, [str(a) for a in arguments], input="".join(f"{line}\n" for line in typed))
        assert result.exit_code == code, (result.output, result.exception)
        return " ".join(result.output.split())

    CLIMB = ("attempt be over it method=climb the wall",)
    RULED = (*CLIMB, "skill=athletics target=4 success=over failure=falls", "0")

    def test_as_before(self, path: Path) -> None:
        found = self.run("play", path, typed=(*self.RULED, *self.CLIMB, "undo", "rulings", "quit"))
        assert "1 as before: athletics check, target 4; success: over; failure: falls" in found
        assert f"1 {KEY}: athletics check" in found

    def test_revoked(self, path: Path) -> None:
        typed = (*self.RULED, "revoke 1 because it rains", "rulings", *self.CLIMB, "undo", "revoke 7", "quit")
        found = self.run("play", path, typed=typed)
        assert "Nothing was ruled yet." in found
        assert "1 as before:" not in found
        assert "nothing was ruled yet, so there is nothing to revoke" in found

    def test_auto(self, path: Path, tmp_path: Path) -> None:
        log = tmp_path / "log"
        typed = (*self.RULED, *self.CLIMB, "0", "quit")
        found = self.run("play", path, "--rulings", "auto", "--save", log, typed=typed)
        assert found.count("How is this ruled?") == 1
        assert tw.Table.load(log).rulings == "auto"

    def test_printed_for_a_scene_file(self, path: Path, tmp_path: Path) -> None:
        log = tmp_path / "log"
        self.run("play", path, "--save", log, typed=(*self.RULED, "quit"))
        result = CliRunner().invoke(app, ["rulings", str(log)])
        printed = yaml.safe_load(result.stdout)
        assert printed["rulings"][0]["when"] == KEY
        again = tmp_path / "again.yaml"
        again.write_text(path.read_text() + result.stdout)
        assert tw.load_scene(again).scene.rulings[0].failure == "falls"
        assert "as before" in self.run("play", again, typed=(*self.CLIMB, "undo", "quit"))
        assert json.loads(CliRunner().invoke(app, ["rulings", str(log), "--json"]).stdout) == [
            {**rule} for rule in tw.Table.load(log).house_rules()
        ]

    def test_an_event_by_its_name(self, path: Path) -> None:
        laid_out = 'override SituationLaidOut {"threats": ["he comes back"]} because he heard it'
        found = self.run("play", path, typed=(laid_out, 'override SituationLaidOut {"threat": 1 because x', "quit"))
        assert "threats: he comes back" in found
        assert "is said as JSON, with opportunities, obstacles, threats, stakes" in found
