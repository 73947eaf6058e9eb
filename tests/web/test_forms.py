"""Forms of a page read into commands: every field is text, and the question or the action says what it means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from turnwright.model import GUIDE, Refused
from turnwright.web.forms import read_form
from turnwright.web.live import GUIDES, Command, LiveTable

from .halls import ROOT, hall, opened, send


@pytest.fixture
def live(tmp_path: Path) -> LiveTable:
    return opened(hall(tmp_path))


def said(live: LiveTable, do: str, **fields: str) -> dict[str, Any]:
    named = {name.replace("__", ":").replace("_DOT_", "."): value for name, value in fields.items()}
    seat = GUIDE if do in GUIDES or do == "answer" else "ann"
    return read_form(live, seat, {"id": "c", "version": "1", "do": do, **named}).said


def test_a_declaration_is_its_fields_and_a_route_its_spaces(live: LiveTable) -> None:
    found = said(live, "declare", actor="selka", action="walk", route="3,6 4,6", seen="12", to="")
    assert found == {"actor": "selka", "action": "walk", "route": [[3, 6], [4, 6]]}


def test_places_by_name_are_parted_by_arrows(live: LiveTable) -> None:
    assert said(live, "declare", route="yard > the gate")["route"] == ["yard", "the gate"]


def test_a_boost_is_a_number(live: LiveTable) -> None:
    assert said(live, "declare", actor="selka", action="sprint", boost="2")["boost"] == 2
    with pytest.raises(Refused, match="boost is a whole number; got 'two'"):
        said(live, "declare", actor="selka", action="sprint", boost="two")


def test_a_version_is_a_whole_number(live: LiveTable) -> None:
    with pytest.raises(Refused, match="version is a whole number"):
        read_form(live, "ann", {"id": "c", "version": "new", "do": "undo"})


def test_what_is_done_is_one_of_the_commands(live: LiveTable) -> None:
    with pytest.raises(Refused):
        read_form(live, "ann", {"id": "c", "version": "1", "do": "conquer"})


class TestChanges:
    def test_only_what_differs_is_changed(self, live: LiveTable) -> None:
        fields = {"change:selka.ready": "3", "change:selka.wounds": "0", "change:selka.name": "Selka"}
        found = said(live, "override", reason="a burn", **fields)
        assert found == {"reason": "a burn", "changes": {"selka.ready": 3}}

    def test_a_space_is_typed_as_two_numbers(self, live: LiveTable) -> None:
        assert said(live, "override", **{"change:selka.at": "4,5"})["changes"] == {"selka.at": [4, 5]}

    def test_conditions_are_words_with_commas(self, live: LiveTable) -> None:
        found = said(live, "override", **{"change:bo.conditions": "Prone, Stunned"})
        assert found["changes"] == {"bo.conditions": ["Prone", "Stunned"]}

    def test_a_field_that_was_emptied_is_a_change(self, tmp_path: Path) -> None:
        table = hall(tmp_path)
        live = opened(table)
        send(table, live, "guide", "override", changes={"bo.conditions": ["Prone"]}, reason="he slips")
        shown = {"field:bo.conditions": "yes", "change:bo.conditions": "", "field:bo.mode": "yes"}
        assert said(live, "override", **shown)["changes"] == {"bo.conditions": []}

    def test_one_number_of_several_by_name(self, live: LiveTable) -> None:
        found = said(live, "override", **{"change:selka.skills.stealth": "4", "change:selka.skills.melee": "2"})
        assert found["changes"] == {"selka.skills.stealth": 4}

    def test_the_guide_changes_a_creature_with_the_form(self, tmp_path: Path) -> None:
        table = hall(tmp_path)
        live = opened(table)
        fields = {"change:guard.wounds": "2", "change:guard.at": "1,1", "change:guard.conditions": "prone"}
        reply = send(table, live, "guide", "override", **said(live, "override", reason="a test", **fields))
        guard = live.table.state.actors["guard"]
        assert reply.ok
        assert (guard.wounds, guard.at, guard.conditions) == (2, (1, 1), ("prone",))


class TestAnswers:
    def ruled_on(self, folder: Path, by_hand: bool = False) -> LiveTable:
        table = hall(folder)
        live = opened(table)
        if by_hand:
            send(table, live, "ann", "dice", by_hand=True)
        send(table, live, "ann", "declare", actor="selka", action="attempt", intent="up there", method="climb")
        return live

    def answered(self, live: LiveTable, **fields: str) -> Any:
        return said(live, "answer", question=live.table.waiting_on[0].id, **fields)["value"]

    def test_a_preset_is_its_number(self, tmp_path: Path) -> None:
        assert self.answered(self.ruled_on(tmp_path), value="1") == 1

    def test_a_ruling_is_its_parts(self, tmp_path: Path) -> None:
        parts = {"ruling.kind": "check", "ruling.skill": "athletics", "ruling.target": "7", "ruling.secret": "yes"}
        found = self.answered(self.ruled_on(tmp_path), **parts)
        assert found == {"kind": "check", "skill": "athletics", "target": 7, "secret": True}

    def test_a_commitment_is_0_where_nothing_is_said(self, tmp_path: Path) -> None:
        live = self.ruled_on(tmp_path)
        live.table.answer(live.table.waiting_on[0], 0)
        assert self.answered(live) == 0
        assert self.answered(live, value="1") == 1

    def test_dice_one_by_one_or_their_total(self, tmp_path: Path) -> None:
        live = self.ruled_on(tmp_path, by_hand=True)
        live.table.answer(live.table.waiting_on[0], 0)
        live.table.answer(live.table.waiting_on[0], 1)
        assert self.answered(live, die__0="3", die__1="5") == [3, 5]
        assert self.answered(live, value="3 5") == [3, 5]
        assert self.answered(live, total="9") == 9

    def test_withdrawing_has_no_value(self, tmp_path: Path) -> None:
        live = self.ruled_on(tmp_path)
        found = said(live, "answer", question=live.table.waiting_on[0].id, withdraw="yes")
        assert found["withdraw"] is True
        assert "value" not in found

    def test_an_answer_to_a_question_that_is_gone_has_no_value(self, live: LiveTable) -> None:
        assert said(live, "answer", question="ann.9", value="3")["value"] is None


def test_bots_are_the_boxes_that_are_ticked(live: LiveTable) -> None:
    assert said(live, "bots", bot__guard="yes", bot__dog="yes") == {"actors": ["guard", "dog"], "guided": False}


def test_a_pause_is_yes_or_no(live: LiveTable) -> None:
    assert said(live, "pause", paused="yes") == {"paused": True}
    assert said(live, "pause", paused="no") == {"paused": False}


class TestNobody:
    """What the guide declares for nobody: the field of who acts is sent, and is empty."""

    def test_the_guide_goes_on_in_another_scene_mode(self, tmp_path: Path) -> None:
        table = hall(tmp_path)
        live = opened(table)
        fields = {"id": "c", "version": str(live.version(GUIDE)), "do": "declare", "actor": "", "action": "shift"}
        reply = table.execute(live, GUIDE, read_form(live, GUIDE, {**fields, "mode": "story"}))
        assert reply.ok, reply.refusals
        assert live.table.state.mode == "story"

    def test_the_narrator_allows_more_rolls(self, tmp_path: Path) -> None:
        table = hall(tmp_path)
        live = opened(table, ROOT / "examples" / "altered_realms" / "brawl.yaml")
        who = next(iter(live.table.state.actors))
        said = {"actor": "", "action": "allow_rolls", "target": who, "kind": "mental", "number": "3"}
        fields = {"id": "c", "version": str(live.version(GUIDE)), "do": "declare", **said}
        reply = table.execute(live, GUIDE, read_form(live, GUIDE, fields))
        assert reply.ok, reply.refusals
        assert any(type(event).__name__ == "RollsAllowed" for event in live.table.log[-1].events)

    def test_no_player_does(self, tmp_path: Path) -> None:
        table = hall(tmp_path)
        live = opened(table)
        said = {"actor": "", "action": "shift", "mode": "story"}
        reply = table.execute(live, "ann", Command("c", live.version("ann"), "declare", said))
        assert (reply.ok, reply.refusals[0].code) == (False, "NOT_YOURS")
        assert live.table.state.mode == "tactical"


class TestWhoseItIs:
    """A form is read for a seat: of what is not its own it learns nothing, not even in which way it was mistaken."""

    @pytest.mark.parametrize("value", ["two", "1", "", "x" * 300])
    def test_an_answer_to_anothers_question_is_not_looked_into(self, tmp_path: Path, value: str) -> None:
        live = TestAnswers().ruled_on(tmp_path)
        live.table.answer(live.table.waiting_on[0], 0)
        asked = live.table.waiting_on[0]
        fields = {"id": "c", "version": "1", "do": "answer", "value": value, "ruling.target": "two"}
        real = read_form(live, "ben", {**fields, "question": asked.id}).said
        made_up = read_form(live, "ben", {**fields, "question": "guide.77"}).said
        assert asked.who != "ben"
        assert real == {**made_up, "question": asked.id}

    def test_what_only_the_guide_does_is_not_read_for_a_player(self, live: LiveTable) -> None:
        for what in ("guard.ready", "guard.at", "nobody.ready"):
            fields = {"id": "c", "version": "1", "do": "override", f"change:{what}": "6", f"field:{what}": "yes"}
            assert read_form(live, "ann", fields).said == {}
            assert read_form(live, "spectator", fields).said == {}


@pytest.mark.parametrize("number", ["--5", "\u00b2", "+-1", "-", "+", "1e3", "9" * 12, "9" * 5000, "\u0663", ""])
class TestNoNumbers:
    """What only looks like a number is told, and is never a mistake of the program."""

    def test_in_a_version(self, live: LiveTable, number: str) -> None:
        with pytest.raises(Refused, match="version is a whole number"):
            read_form(live, "ann", {"id": "c", "version": number, "do": "undo"})

    def test_in_a_boost(self, live: LiveTable, number: str) -> None:
        if number:
            with pytest.raises(Refused, match="boost is a whole number"):
                said(live, "declare", actor="selka", action="sprint", boost=number)

    def test_in_a_route(self, live: LiveTable, number: str) -> None:
        found = said(live, "declare", actor="selka", action="walk", route=f"{number},1 2,3")["route"]
        assert all(isinstance(part, str) for part in found)

    def test_in_a_ruling(self, tmp_path: Path, number: str) -> None:
        live = TestAnswers().ruled_on(tmp_path)
        assert TestAnswers().answered(live, value=number) == {}

    def test_in_a_value_that_the_guide_changes(self, live: LiveTable, number: str) -> None:
        typed = {"change:selka.at": f"{number},1", "change:selka.ready": number}
        given = said(live, "override", reason="a test", **typed)
        assert given["changes"]["selka.at"] == f"{number},1", "what is no Space stays the text that was typed"
        assert ("selka.ready" in given["changes"]) == bool(number), "an empty field changes nothing"
