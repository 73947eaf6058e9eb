"""What of the map nobody of a seat's has seen: on no list, and its price is told to nobody who names it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwright import read_scene
from turnwright.web.hall import Hall
from turnwright.web.live import LiveTable

from .halls import AMBUSH, hall, send
from .serving import served
from .test_snoop import scene_text

ROW = '    - "#......................#"\n    - "########################"\n'
"""The last row of the yard: Ann's have not seen what lies in it east of column 16."""
PATHS = ("", "/view.json", "/offers.json")


def behind() -> str:
    """The ambush with a closed room behind the wall: a door into it, and a crypt in it."""
    text = scene_text(False).replace('    - "#......#################"', '    - "#.QQ...#################"')
    return text.replace(
        "  legend:\n",
        "  doors:\n    - {id: zdoor, between: [[3, 14], [3, 15]]}\n"
        '  legend:\n    "Q": {name: zpit, difficult: [zmud], place: zcrypt}\n',
        1,
    )


def opened(folder: Path, text: str) -> tuple[Hall, LiveTable]:
    at = hall(folder)
    live = at.open(read_scene(text, "scene"), seed=5)
    at.wait()
    return at, live


@pytest.mark.parametrize("seat", ["ann", "ben", "spectator"])
def test_no_page_names_a_door_or_a_place_that_nobody_has_seen(tmp_path: Path, seat: str) -> None:
    at, live = opened(tmp_path, behind())
    with served(at) as site:
        for path in PATHS:
            got = site.client.get(site.link(live, seat) + path)
            assert got.status_code == 200
            assert [word for word in ("zdoor", "zcrypt", "zpit", "zmud") if word in got.text] == [], path
        whole = site.client.get(site.link(live, "guide") + "/view.json").text
        assert "zdoor" in whole


@pytest.mark.parametrize(
    "row",
    [
        '    - "#..................S...#"\n    - "########################"\n',
        '    - "#.................ccccc#"\n    - "########################"\n',
    ],
)
def test_the_price_of_unseen_ground_is_told_to_nobody(tmp_path: Path, row: str) -> None:
    """Two maps that differ only where nobody of Ann's has looked; she asks for every Space there."""
    text = AMBUSH.read_text(encoding="utf-8")
    assert ROW in text
    told: list[list[Any]] = []
    for number, each in enumerate((text, text.replace(ROW, row))):
        folder = tmp_path / str(number)
        folder.mkdir()
        at, live = opened(folder, each)
        found: list[Any] = []
        with served(at) as site:
            for x in range(18, 23):
                for said in ({"to": [x, 12]}, {"to": f"{x},12"}, {"route": [[x, 12]]}):
                    reply = send(at, live, "ann", "declare", actor="selka", action="walk", **said)
                    body = {"actor": "selka", "action": "walk", "said": said}
                    odds = site.client.post(site.link(live, "ann") + "/odds", json=body)
                    found.append((reply.ok, [(r.code, r.text) for r in reply.refusals], odds.status_code, odds.text))
        told.append(found)
    assert told[0] == told[1]
    assert all(codes == "UNSEEN" for _, [(codes, _)], _, _ in told[0])
    assert all(json.loads(text)["refusals"][0]["code"] == "UNSEEN" for *_, text in told[0])


def test_the_guide_goes_where_no_player_has_looked(tmp_path: Path) -> None:
    at, live = opened(tmp_path, AMBUSH.read_text(encoding="utf-8"))
    reply = send(at, live, "guide", "declare", actor="selka", action="walk", to=[19, 12])
    assert "UNSEEN" not in [refusal.code for refusal in reply.refusals]


def test_a_space_beside_what_was_seen_is_gone_to(tmp_path: Path) -> None:
    at, live = opened(tmp_path, AMBUSH.read_text(encoding="utf-8"))
    assert send(at, live, "ann", "declare", actor="selka", action="walk", to=[3, 7]).ok


@pytest.mark.parametrize("said", [{"to": "zcrypt"}, {"route": ["zcrypt"]}, {"target": "zdoor"}])
def test_what_was_not_seen_is_not_gone_to_by_its_name(tmp_path: Path, said: dict[str, Any]) -> None:
    at, live = opened(tmp_path, behind())
    reply = send(at, live, "ann", "declare", actor="selka", action="walk", **said)
    assert [refusal.code for refusal in reply.refusals] == ["UNSEEN"]
