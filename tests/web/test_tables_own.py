"""What concerns the table and not the scene: names, notices, what goes on alone, and tables of older rules."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from turnwright import read_scene
from turnwright.model import GUIDE, Refused
from turnwright.systems.narateer.events import Learned, Revealed
from turnwright.web import live as lives
from turnwright.web import programs
from turnwright.web.live import Command, LiveTable

from .halls import AMBUSH, ROOT, hall, opened, send
from .serving import served
from .test_snoop import scene_text


class TestNames:
    @pytest.mark.parametrize("name", ["Ben", "BEN", " ben ", "\uff22\uff45\uff4e", "Guide", "guide"])
    def test_nobody_takes_the_name_of_another(self, tmp_path: Path, name: str) -> None:
        at = hall(tmp_path)
        live = opened(at)
        reply = send(at, live, "ann", "name", name=name)
        assert (reply.ok, [r.code for r in reply.refusals]) == (False, ["NAME_TAKEN"])
        assert live.name_of("ann") == "Ann"

    def test_everybody_may_go_back_to_their_own(self, tmp_path: Path) -> None:
        at = hall(tmp_path)
        live = opened(at)
        for name in ("Anna", "Ann", ""):
            assert send(at, live, "ann", "name", name=name).ok
        assert live.name_of("ann") == "Ann"


class TestNotices:
    """Who is told that something about the table has changed: those alone for whom it has."""

    def told_by(self, folder: Path, seat: str, do: str, **said: Any) -> set[str]:
        at = hall(folder)
        live = opened(at)
        before = {held: live.notices_for(held) for held in live.seats}
        assert send(at, live, seat, do, **said).ok
        return {held for held in live.seats if live.notices_for(held) > before[held]}

    def test_of_bots_the_guide(self, tmp_path: Path) -> None:
        assert self.told_by(tmp_path, GUIDE, "bots", actors=["captain"]) == {GUIDE}

    def test_of_a_standing_answer_whoever_gave_it(self, tmp_path: Path) -> None:
        assert self.told_by(tmp_path, "ann", "standing", about="assist", wish="never") == {"ann"}

    def test_of_dice_whoever_throws_them_and_the_guide(self, tmp_path: Path) -> None:
        assert self.told_by(tmp_path, "ann", "dice", by_hand=True) == {"ann", GUIDE}

    def test_of_a_name_and_a_pause_everybody(self, tmp_path: Path) -> None:
        everybody = {GUIDE, "ann", "ben", "spectator"}
        (tmp_path / "a").mkdir()
        assert self.told_by(tmp_path, "ann", "name", name="Anna") == everybody
        assert self.told_by(tmp_path / "a", GUIDE, "pause", paused=True) == everybody


class TestAlone:
    def test_a_table_that_was_left_does_not_run_on_for_ever(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lives, "MOST_ALONE", 12)
        at = hall(tmp_path)
        live = opened(at)
        send(at, live, GUIDE, "bots", actors=list(live.table.state.actors), guided=True)
        assert 12 <= len(live.table.log) - live._attended <= 14
        assert "nobody has done anything for 12" in live.stuck
        count = len(live.table.log)
        send(at, live, "ann", "name", name="Anna")
        assert len(live.table.log) >= count + 12, "somebody is there, and it goes on"

    def test_a_table_with_a_person_at_it_is_not_stuck(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lives, "MOST_ALONE", 1)
        at = hall(tmp_path)
        live = opened(at)
        assert send(at, live, "ann", "declare", actor="selka", action="end").ok
        assert not live.stuck


def test_offers_without_a_name_are_of_whoever_of_ones_own_acts(tmp_path: Path) -> None:
    live = opened(hall(tmp_path))
    found = {seat: programs.offers(live, seat, "") for seat in live.seats}
    assert {seat: held["actor"] for seat, held in found.items()} == {
        GUIDE: "selka",
        "ann": "selka",
        "ben": "",
        "spectator": "",
    }
    assert found["ben"]["offers"] == []


def test_a_log_that_differs_under_newer_rules_goes_on_from_its_stored_events(tmp_path: Path) -> None:
    """Older rules let the same walk end at (3, 8), a Space farther than the rules of now."""
    at = hall(tmp_path)
    live = opened(at)
    assert send(at, live, "ann", "declare", actor="selka", action="walk", to="3,7").ok
    versions = {seat: live.version(seat) for seat in live.seats}
    kept = at.store.read(live.id)
    assert kept is not None
    older = tuple([entry.replace(b'"at":[3,7]', b'"at":[3,8]') for entry in kept.entries])
    assert older != kept.entries
    again = LiveTable(replace(kept, entries=older), at.store)
    assert again.table.state.actors["selka"].at == (3, 8)
    assert len(again.table.log) == len(live.table.log)
    assert all(again.version(seat) >= held for seat, held in versions.items())
    reply = again.execute("ann", Command("on", again.version("ann"), "declare", {"actor": "selka", "action": "end"}))
    assert reply.ok, reply.refusals
    assert again.table.state.active != "selka"


class TestHiddenQuestions:
    """What somebody unseen is asked changes no refusal: with it and without it a seat is told the same."""

    def refused(self, live: LiveTable, seat: str, actor: str) -> list[str]:
        with live.lock:
            offer = live.table.explain(actor, "walk", to="3,7", seat=seat)
        return [refusal.code for refusal in offer.refusals]

    def test_a_declaration_meets_its_own_reasons(self, tmp_path: Path) -> None:
        at = hall(tmp_path)
        live = at.open(read_scene(scene_text(True), "scene"), seed=5)
        at.wait()
        send(at, live, GUIDE, "dice", seat=GUIDE, by_hand=True)
        for _ in range(12):
            active = live.table.state.active
            if active == "zanzibar":
                break
            send(at, live, GUIDE, "declare", actor=active, action="end")
        before = self.refused(live, "ann", "selka")
        said = {"actor": "zanzibar", "action": "attempt", "intent": "get out", "method": "push at the wall"}
        assert send(at, live, GUIDE, "declare", **said).ok
        assert live.table.waiting_on
        assert self.refused(live, "ann", "selka") == before
        assert before
        assert "QUESTION_OPEN" not in before
        version = live.version("ann")
        reply = send(at, live, "ann", "declare", actor="selka", action="walk", to="3,7")
        assert [refusal.code for refusal in reply.refusals] == before
        assert live.version("ann") == version

    def test_the_order_of_what_is_known_tells_nothing_of_what_is_not(self, tmp_path: Path) -> None:
        """In the one scene somebody unseen has learned of Selka before anybody else has."""
        told = []
        for hidden in (True, False):
            folder = tmp_path / str(hidden)
            folder.mkdir()
            live = hall(folder).open(read_scene(scene_text(hidden), "scene"), seed=5)
            with live.lock:
                if hidden:
                    live.table.override([Learned("", "selka", "zanzibar", (3, 6), "heard")], "unseen")
                live.table.override([Learned("", "guard", "selka", (14, 7), "saw", aware=True)], "both look")
                at = live.table.state.actors["selka"].at
                live.table.override([Learned("", "selka", "guard", at, "saw", aware=True)], "both look")
                told.append(json.dumps(live.table.view("ann")["relations"], default=str))
        assert "zanzibar" not in told[0]
        assert '"selka": [' in told[0]
        assert told[0] == told[1]

    def test_whoever_declared_is_told_that_its_question_is_open(self, tmp_path: Path) -> None:
        at = hall(tmp_path)
        live = opened(at)
        assert send(at, live, "ann", "declare", actor="selka", action="attempt", intent="up", method="climb").ok
        assert self.refused(live, "ann", "selka") == ["QUESTION_OPEN"]


def test_a_table_can_stop_where_nobody_could_react_too(tmp_path: Path) -> None:
    at = hall(tmp_path)
    live = at.open(read_scene(AMBUSH.read_text(encoding="utf-8"), "scene"), seed=5, windows="blind")
    assert json.loads(live.kept.header)["windows"] == "blind"
    at.close()
    assert hall(tmp_path).table(live.id).table.windows == "blind"


def test_a_way_of_moving_that_there_is_not_is_no_change(tmp_path: Path) -> None:
    at = hall(tmp_path)
    live = opened(at)
    reply = send(at, live, GUIDE, "override", changes={"guard.mode": "x"}, reason="a typing mistake")
    assert (reply.ok, reply.refusals[0].code) == (False, "BAD_CHANGE")
    assert live.table.state.actors["guard"].mode == ""


def test_the_guide_is_shown_why_nothing_goes_on_and_nobody_else(tmp_path: Path) -> None:
    at = hall(tmp_path)
    live = opened(at)
    live.stuck = "a bot <b>broke</b>"
    with served(at) as site:
        shown = {seat: site.client.get(site.link(live, seat)).text for seat in live.seats}
    assert "a bot &lt;b&gt;broke&lt;/b&gt;" in shown[GUIDE]
    assert [seat for seat in live.seats if "broke" in shown[seat]] == [GUIDE]


@pytest.mark.parametrize("number", ["--5", "\u00b2", "-", "--5,3", "\u00b2,\u00b2", "9" * 1900])
@pytest.mark.parametrize("path", ["narateer/ambush", "altered_realms/brawl", "storypath/six"])
def test_what_only_looks_like_a_number_is_refused_by_every_action(tmp_path: Path, path: str, number: str) -> None:
    at = hall(tmp_path)
    live = opened(at, ROOT / "examples" / f"{path}.yaml")
    actor = live.table.state.active or next(iter(live.table.state.actors))
    for action in live.table.game.actions.values():
        said = {p.name: number for p in action.parameters if p.name not in ("method", "intent", "boost", "route")}
        for who in (actor, ""):
            with suppress(Refused):  # and nothing else
                live.table.explain(who, action.name, seat=GUIDE, **said)


def test_whoever_sees_a_hide_that_costs_nothing_sees_it_at_once_and_not_at_the_next_change(tmp_path: Path) -> None:
    """The guard and the dog have Selka in view, and she does not know it: she knows only where the dog is not."""
    at = hall(tmp_path)
    live = opened(at)
    moved = {"bo.at": [2, 9], "selka.at": [2, 7], "dog.at": [13, 7]}
    assert send(at, live, GUIDE, "override", changes=moved, reason="where they are").ok
    with live.lock:
        live.table.override([Learned("", "dog", "selka", (15, 8), "was")], "she has seen that it left")
        live.table.declare("selka", "hide", method="look", seat="ann")
        found = {event.to for event in live.table.log[-1].events if isinstance(event, Revealed)}
        live.table.override({"captain.ready": 3}, "this has nothing to do with it")
    assert found == {"guard", "dog"}
    assert [type(event).__name__ for event in live.table.log[-1].events] == ["Changed"]
