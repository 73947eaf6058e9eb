"""A client of each seat keeps every byte that it receives over a whole scene; what it may not know is in none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from turnwright import read_scene
from turnwright.model import GUIDE
from turnwright.web.guard import Guard
from turnwright.web.live import LiveTable

from .halls import AMBUSH, hall
from .serving import Ear, Site, served

CANARIES = ("zanzibar", "quetzal", "xylograph", "ocarina")
"""Names and words that stand for what is hidden, and nowhere else."""
LURKER = """
  - id: zanzibar
    name: Quetzal
    side: watch
    at: [2, 15]
    attributes: {strength: 3, agility: 3}
    skills: {stealth: 4, observation: 1, melee: 3}
    weapons:
      - {name: xylograph, kind: melee, base_attack_cost: 1, wounds: 1}
"""
PLAYERS = ("ann", "ben", "spectator")
PATHS = ("", "/view.json", "/offers.json", "/story")


ROOM = """    - "########################"
    - "#......#################"
    - "########################"
"""
"""Another row of the map's last wall, and a closed room behind it."""


def scene_text(hidden: bool) -> str:
    """The ambush with a closed room; with somebody in it of whom nobody knows."""
    text = AMBUSH.read_text(encoding="utf-8")
    head, legend, rest = text.partition("  legend:\n")
    people, situation, after = rest.partition("\nsituation:")
    assert situation
    return head + ROOM + legend + people.rstrip() + "\n" + (LURKER if hidden else "") + situation + after


class Snoop:
    """The client of one seat."""

    def __init__(self, site: Site, live: LiveTable, seat: str) -> None:
        self.site, self.seat, self.path = site, seat, site.link(live, seat)
        self.ear = Ear(site, self.path)
        self.kept: list[bytes] = []

    def look(self) -> None:
        for path in PATHS:
            self.keep(self.site.client.get(self.path + path))

    def keep(self, answer: Any) -> Any:
        self.kept.append(f"{answer.status_code} {sorted(answer.headers.items())}\n".encode() + answer.content)
        return answer

    def do(self, live: LiveTable, what: str, /, **said: Any) -> Any:
        number = len(self.kept)
        body = {"id": f"{self.seat}{number}", "version": live.version(self.seat), "do": what, "said": said}
        self.keep(
            self.site.client.post(f"{self.path}/do", data={**body, **_flat(said), "id": f"form{number}", "version": -5})
        )
        return self.keep(self.site.client.post(f"{self.path}/do", json=body)).json()

    @property
    def everything(self) -> bytes:
        return b"\n".join(self.kept) + self.ear.heard + self.ear.headers.encode()


def _flat(said: dict[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in said.items() if name not in ("id", "version", "do")}


@contextmanager
def snooped(folder: Path, hidden: bool) -> Iterator[tuple[Site, LiveTable, dict[str, Snoop]]]:
    at = hall(folder)
    live = at.open(read_scene(scene_text(hidden), "scene"), seed=5)
    at.wait()
    with served(at, guard=Guard(burst=10_000, each_second=10_000)) as site:
        yield site, live, {seat: Snoop(site, live, seat) for seat in PLAYERS}


def played(site: Site, live: LiveTable, snoops: dict[str, Snoop], hidden: bool) -> list[dict[str, list[bytes]]]:
    """A scene in which the hidden one does much, the players look at everything, and try what they may not."""
    told = []

    def everybody() -> None:
        site.hall.wait()
        for snoop in snoops.values():
            snoop.look()
        told.append({seat: list(snoop.ear.lines) for seat, snoop in snoops.items()})

    def guide(what: str, /, **said: Any) -> dict[str, Any]:
        body = {"id": f"g{len(told)}{what}", "version": live.version(GUIDE), "do": what, "said": said}
        found: dict[str, Any] = site.client.post(f"{site.link(live, GUIDE)}/do", json=body).json()
        return found

    ann, ben = snoops["ann"], snoops["ben"]
    everybody()
    if hidden:
        assert guide("override", changes={"zanzibar.name": "Ocarina"}, reason="xylograph")["ok"]
        everybody()
        assert guide("override", changes={"zanzibar.at": [3, 15]}, reason="quetzal moves")["ok"]
    everybody()
    ann.do(live, "declare", actor="zanzibar", action="end") if hidden else None
    ann.do(live, "declare", actor="selka", action="attack", target="nobody", method="knife")
    ann.do(live, "declare", actor="selka", action="walk", to="3,7")
    everybody()
    ann.do(live, "declare", actor="selka", action="end")
    everybody()
    for _ in range(5):
        active = live.table.state.active
        asked = live.waiting()
        if asked:
            assert guide("answer", question=asked[0].id, value=0, withdraw=asked[0].kind in ("choose", "confirm"))
        elif active == "bo":
            ben.do(live, "declare", actor="bo", action="end")
        elif active:
            guide("declare", actor=active, action="end")
        else:
            order = [name for name in live.table.state.actors if not _acted(live, name)]
            if not any(guide("begin", actor=name)["ok"] for name in order):
                break
        everybody()
    ben.do(live, "undo")
    everybody()
    return told


def _acted(live: LiveTable, name: str) -> bool:
    return live.table.state.actors[name].seat == "ann"


def test_what_a_seat_may_not_know_is_in_no_byte_that_it_receives(tmp_path: Path) -> None:
    with snooped(tmp_path, hidden=True) as (site, live, snoops):
        played(site, live, snoops, hidden=True)
        guides = site.client.get(f"{site.link(live, GUIDE)}/view.json").text.lower()
        assert all(word in guides for word in CANARIES if word not in ("quetzal",))
        for seat, snoop in snoops.items():
            heard = snoop.everything.lower()
            assert len(heard) > 20_000
            found = [word for word in CANARIES if word.encode() in heard]
            if seat == "ann":
                found = [word for word in found if word != "zanzibar"]  # she typed it herself
            assert found == []
            others = [site.hall.token(live, other) for other in live.seats if other != seat]
            assert not [token for token in others if token.lower().encode() in heard]


def recorded(site: Site, live: LiveTable, seat: str) -> list[Any]:
    """Everything that is told; a stream may leave out what is old before it is sent."""
    told: list[Any] = []
    site.hall.join(live, seat, lambda v, n: told.append((v, n)))
    return told


def test_somebody_unseen_changes_no_byte_of_what_players_are_told(tmp_path: Path) -> None:
    """The same scene with and without: each player's pages, and what its page is told and when, are the same."""
    streams: list[dict[str, list[Any]]] = []
    pages: list[dict[str, list[bytes]]] = []
    for hidden in (False, True):
        folder = tmp_path / str(hidden)
        folder.mkdir()
        with snooped(folder, hidden) as (site, live, snoops):
            told = {seat: recorded(site, live, seat) for seat in PLAYERS}
            for n in range(2):
                if hidden:
                    changes = {"zanzibar.at": [3 + n, 15]}
                    body = {"id": f"h{n}", "version": live.version(GUIDE), "do": "override"}
                    body["said"] = {"changes": changes, "reason": "it moves"}
                    assert site.client.post(f"{site.link(live, GUIDE)}/do", json=body).json()["ok"]
                for snoop in snoops.values():
                    snoop.look()
            snoops["ann"].do(live, "declare", actor="zanzibar", action="walk", to="1,1")
            snoops["ann"].do(live, "declare", actor="selka", action="walk", to="3,7")
            site.hall.wait()
            snoops["ann"].do(live, "declare", actor="selka", action="end")
            site.hall.wait()
            for snoop in snoops.values():
                snoop.look()
                snoop.ear.until(3, 0.3)
            streams.append({seat: [*told[seat], snoop.ear.lines[-1]] for seat, snoop in snoops.items()})
            pages.append({seat: [_plain(site, live, page) for page in snoop.kept] for seat, snoop in snoops.items()})
    assert streams[0] == streams[1]
    for seat in PLAYERS:
        assert len(pages[0][seat]) == len(pages[1][seat])
        for without, with_ in zip(pages[0][seat], pages[1][seat], strict=True):
            assert without == with_


def _plain(site: Site, live: LiveTable, page: bytes) -> bytes:
    """Without what is drawn anew for each table: links, its id, and the hour."""
    text = page.decode()
    for seat in live.seats:
        text = text.replace(site.hall.token(live, seat), f"<{seat}>")
    return re.sub(r"\('date', '[^']*'\)", "", text.replace(live.id, "<table>")).encode()


@pytest.mark.parametrize("path", ["/offers.json?actor=zanzibar", "/offers.json?actor=nobody-at-all"])
def test_errors_about_the_hidden_and_about_nobody_are_alike(tmp_path: Path, path: str) -> None:
    with snooped(tmp_path, hidden=True) as (site, _, snoops):
        got = site.client.get(snoops["ann"].path + path)
        name = path.partition("=")[2]
        told = json.loads(got.text.replace(name, "NAME"))
        assert got.status_code == 422
        assert told["refusals"] == [{"rule": "", "text": "you know nobody called 'NAME'", "code": "BAD_COMMAND"}]
        odds = site.client.post(f"{snoops['ann'].path}/odds", json={"actor": name, "action": "walk"})
        assert (odds.status_code, odds.text) == (422, got.text)
