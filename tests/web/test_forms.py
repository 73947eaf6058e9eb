"""Forms of a page read into commands: every field is text, and the question or the action says what it means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from turnwright.model import Refused
from turnwright.web.forms import read_form
from turnwright.web.live import LiveTable

from .halls import hall, opened, send


@pytest.fixture
def live(tmp_path: Path) -> LiveTable:
    return opened(hall(tmp_path))


def said(live: LiveTable, do: str, **fields: str) -> dict[str, Any]:
    named = {name.replace("__", ":").replace("_DOT_", "."): value for name, value in fields.items()}
    return read_form(live, {"id": "c", "version": "1", "do": do, **named}).said


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
        read_form(live, {"id": "c", "version": "new", "do": "undo"})


def test_what_is_done_is_one_of_the_commands(live: LiveTable) -> None:
    with pytest.raises(Refused):
        read_form(live, {"id": "c", "version": "1", "do": "conquer"})


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
