"""What a page says: what was taken back, what may be done at any moment, and where the name of a place stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from turnwright.model import GUIDE, SPECTATOR
from turnwright.opening import read_scene
from turnwright.systems.narateer.events import Responded
from turnwright.systems.narateer.sheet import Weapon
from turnwright.web.hall import Hall
from turnwright.web.live import LiveTable
from turnwright.web.mapping import map_of
from turnwright.web.views.page import Page, page

from .halls import ROOT, hall, opened, send

SIX = ROOT / "examples" / "storypath" / "six.yaml"
PLACES = """
system: narateer
title: Places
sides: [us]
seats: [{id: ann, name: Ann}]
map:
  rows:
    - ".........."
    - ".........."
    - ".........."
    - ".........."
    - ".........."
  places: {PLACES}
characters:
  - {id: selka, name: Selka, side: us, seat: ann, at: [9, 4], attributes: {strength: 2, agility: 4}}
"""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Hall]:
    made = hall(tmp_path)
    yield made
    made.close()


def seen(live: LiveTable, seat: str) -> Page:
    with live.lock:
        return page(live, seat)


def test_what_is_taken_back_is_named_and_not_numbered(place: Hall) -> None:
    live = opened(place)
    assert send(place, live, "ann", "declare", actor="selka", action="walk", to="3,6").ok
    told = seen(live, "ann").story[1].text
    assert send(place, live, GUIDE, "undo").ok
    assert seen(live, "ann").story[-1].text.startswith(f"-- Guide takes back “{told}”")
    assert seen(live, GUIDE).story[-1].text == "-- Guide takes back Selka: walk"


@pytest.mark.parametrize(
    ("response", "words"),
    [
        ("no_response", "no response"),
        ("full_guard", "full guard"),
        ("full_guard+Steel: Wall", "full guard (Steel: Wall)"),
        ("clash:axe", "clash (axe)"),
        ("clash:axe+1", "clash (axe+1)"),
        ("clash:axe+Riposte", "clash (axe, Riposte)"),
        ("clash:axe+1+Riposte", "clash (axe+1, Riposte)"),
        ("clash:unarmed+Riposte", "clash (unarmed, Riposte)"),
    ],
)
def test_a_response_is_told_in_words(place: Hall, response: str, words: str) -> None:
    table = opened(place).table
    armed = replace(table.state.actors["bo"], weapons=(Weapon("axe+1"), Weapon("axe")))
    state = replace(table.state, actors={**table.state.actors, "bo": armed})
    told = table.game.tell(state, Responded("narateer.response.three-options", "bo", response, 2))
    assert told == f"Bo answers with {words}, boosted by 2"


def named(live: LiveTable, seat: str) -> list[str]:
    return [card.label for card in seen(live, seat).any_time]


def ivars_turn(place: Hall) -> LiveTable:
    live = opened(place, SIX, seed=1)
    assert send(place, live, "jon", "answer", question="jon.2", value="ivar").ok
    assert live.table.state.active == "ivar"
    return live


class TestAtAnyMoment:
    def test_it_is_offered_off_turn_and_done_though_nothing_waits(self, place: Hall) -> None:
        live = ivars_turn(place)
        assert named(live, "vera") == ["Move to hill", "Move to barrow", "Look", "Drop a held torch", "Sure Stroke"]
        assert named(live, "jon") == []  # it is his turn: there it is among everything else
        assert named(live, SPECTATOR) == []
        assert named(live, GUIDE)[:2] == ["Draugr 1: move to gate", "Draugr 1: look"]
        card = seen(live, "vera").any_time[1]
        assert send(place, live, "vera", card.do, **card.said).ok
        assert live.table.state.actors["sigrun"].at == "barrow"
        assert "Move to hill" not in named(live, "vera")

    def test_it_tells_nothing_of_what_another_is_asked(self, place: Hall) -> None:
        live = ivars_turn(place)
        before, version = seen(live, "mia").any_time, live.version("mia")
        said = {"target": "draugr_1", "first": "hurry", "second": "attack", "to": "gate"}
        assert send(place, live, "jon", "declare", actor="ivar", action="mixed", **said).ok
        assert [held.kind for held in live.table.waiting_on] == ["rule"]
        assert seen(live, "mia").any_time == before
        assert live.version("mia") == version

    def test_a_game_without_such_actions_has_none(self, place: Hall) -> None:
        live = opened(place)
        assert named(live, "ben") == named(live, GUIDE) == []


class TestRuledOn:
    def test_it_is_said_as_it_was_offered(self, place: Hall) -> None:
        live = ivars_turn(place)
        said = {"target": "draugr_1", "first": "hurry", "second": "attack", "to": "gate"}
        offered = next(o for g in seen(live, "jon").offering.groups for o in g.offers if "hurry" in o.said.values())
        assert [field.name for field in offered.first] == ["to"]  # a hurry goes somewhere
        assert send(place, live, "jon", "declare", actor="ivar", action="mixed", **said).ok
        (ask,) = seen(live, GUIDE).asked
        assert ask.declared == "Ivar: mixed: hurry and attack (Draugr 1), both, to gate, weapon rifle"


class TestNamesOfPlaces:
    def names(self, place: Hall, places: str) -> dict[str, tuple[float, float]]:
        live = place.open(read_scene(PLACES.replace("{PLACES}", places), "places"), seed=1)
        place.wait()
        with live.lock:
            drawn = map_of(live, GUIDE, live.table.knows(GUIDE))
        assert drawn is not None
        return {name: (x, y) for name, x, y in drawn.places}

    def test_it_stands_in_the_largest_part_and_never_between_the_parts(self, place: Hall) -> None:
        # Three Spaces at the left, one at the far right: the middle of all four would lie in neither.
        assert self.names(place, "{hall: [[0, 0], [1, 0], [2, 0], [9, 0]]}") == {"hall": (60, 20)}

    def test_in_a_bent_place_it_stands_in_the_longest_row(self, place: Hall) -> None:
        # The middle, (1.2, 2.8), lies in a Space that is not the place's.
        bent = "[[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [1, 4], [2, 4], [3, 4]]"
        assert self.names(place, f"{{yard: {bent}}}") == {"yard": (80, 180)}

    def test_two_names_do_not_cross(self, place: Hall) -> None:
        # `well` is a Space in the midst of the market, and the names of both would stand there.
        market = [[x, y] for x in range(5) for y in range(3) if (x, y) != (2, 1)]
        found = self.names(place, f"{{well: [[2, 1]], market: {market}}}")
        assert found["well"] == (100, 60)
        assert found["market"] == (100, 20)
