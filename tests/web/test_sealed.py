"""Two commit at once, sealed: a draft is its owner's, nobody else's page tells of it, and a restart keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest
from journeys import hiding

from turnwright.systems.narateer.events import SearchBegun
from turnwright.web.hall import Hall
from turnwright.web.live import LiveTable

from .halls import hall, send, settle


@pytest.fixture
def at(tmp_path: Path) -> Hall:
    return hall(tmp_path)


def asked_at_once(at: Hall) -> LiveTable:
    """Selka hides while the guard, who is Cy's, searches: both are asked what they commit."""
    live = at.open(hiding().start, seed=7)
    settle(at)
    live.table.override([SearchBegun("", "guard", by_word=True)], "he searches")
    send(at, live, "ann", "declare", actor="selka", action="hide", method="crouch")
    assert [(held.who, held.kind) for held in live.table.waiting_on] == [("ann", "commit"), ("cy", "commit")]
    return live


def asked(live: LiveTable, seat: str) -> str:
    return next(held.id for held in live.table.waiting_on if held.who == seat)


def drafted(live: LiveTable) -> list[str]:
    return [held.who for held in live.table.waiting_on if held.drafted]


def test_a_draft_is_there_after_a_restart_and_can_still_be_changed(at: Hall, tmp_path: Path) -> None:
    live = asked_at_once(at)
    assert send(at, live, "cy", "answer", question=asked(live, "cy"), value=1).ok
    at.close()
    fresh = hall(tmp_path)
    later = fresh.table(live.id)
    assert drafted(later) == ["cy"]
    assert send(fresh, later, "cy", "answer", question=asked(later, "cy"), value=2).ok
    assert send(fresh, later, "ann", "answer", question=asked(later, "ann"), value=0).ok
    spent = later.table.start.actors["guard"].ready - later.table.state.actors["guard"].ready
    assert spent == 3, "1 AD for the check and 2 for the second draft; the first would have made it 2"


def test_nobody_else_answers_for_its_owner_or_can_tell_that_it_is_in(at: Hall) -> None:
    live = asked_at_once(at)
    before = live.version("ann"), live.table.view("ann"), live.version("spectator")
    assert send(at, live, "cy", "answer", question=asked(live, "cy"), value=1).ok
    assert (live.version("ann"), live.table.view("ann"), live.version("spectator")) == before
    assert not send(at, live, "ann", "answer", question=asked(live, "cy"), value=0).ok
    assert drafted(live) == ["cy"]
