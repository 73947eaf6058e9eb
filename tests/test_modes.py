"""What holds in every scene off the map, and when the Scene Mode is shifted at random in the middle of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from worlds import absent, elsewhere, off_map_state, other_secrets, other_totals, stronger

import turnwright as tw
from turnwright.log import Declared
from turnwright.model import GUIDE
from turnwright.systems.narateer.allowance import allowance
from turnwright.systems.narateer.events import Hidden, Moved, Record, Revealed
from turnwright.testing import OVER, check, check_offers, check_secrets, check_undo, everything, play

INPUTS = 40
KINDS = ("zones", "story")
off_map = pytest.mark.parametrize("kind", KINDS)


def made(kind: str, seed: int, **options: Any) -> tw.Table:
    draw = Random(f"modes {seed}")
    chosen = {"mode": draw.choice(["enforce", "enforce", "confirm"]), "windows": draw.choice(["honest", "blind"])}
    return tw.Table(off_map_state(kind, seed), seed=seed, **(chosen | options))


def shift_at_random(t: tw.Table, draw: Random) -> bool:
    """The guide shifts the Scene Mode, where that is open, and says where everybody is."""
    modes = [offer.declaration.option("mode") for offer in t.offers("") if offer.verdict == "legal"]
    if not modes:
        return False
    codes: set[str] = set()
    try:
        (t.interject if t.waiting_on else t.declare)("", "shift", mode=draw.choice(modes))
    except tw.Refused as error:
        codes = {refusal.code for refusal in error.refusals}
    if codes:
        assert codes == {"TOO_LATE"}
        return False
    while any(q.kind == "choose" and q.question.about == "place" for q in t.waiting_on):
        asked = t.waiting_on[0]
        t.answer(asked, draw.choice(asked.options))
    return True


@off_map
@pytest.mark.parametrize("seed", range(6))
def test_the_events_make_the_state_and_a_save_is_as_good_as_going_on(kind: str, seed: int, tmp_path: Path) -> None:
    t = made(kind, seed)
    for number, word in enumerate(play(t, Random(f"play {seed}"))):
        check(t, tmp_path / "log")
        if word == OVER or number > INPUTS:
            break
    assert tw.verify(t) == []


@off_map
@pytest.mark.parametrize("seed", range(5))
def test_what_is_undone_has_not_been(kind: str, seed: int) -> None:
    t = made(kind, seed)
    steps = play(t, Random(f"undo {seed}"), undo=0)
    for _ in range(INPUTS):
        words: list[str] = []
        check_undo(t, lambda words=words: words.append(next(steps)))
        if words == [OVER]:
            break


@off_map
@pytest.mark.parametrize("seed", range(5))
def test_what_is_offered_is_accepted(kind: str, seed: int) -> None:
    t = made(kind, seed)
    draw = Random(f"offers {seed}")
    for number, word in enumerate(play(t, draw, undo=0)):
        if word == OVER or number > INPUTS:
            break
        if number % 9 == 4:
            for actor in draw.sample(sorted(t.state.actors), 2):
                check_offers(t, actor, draw)
                check_offers(t, actor, draw, seat=GUIDE)


@off_map
@pytest.mark.parametrize("seed", range(7))
def test_nobody_moves_farther_than_the_allowance(kind: str, seed: int) -> None:
    """What is used up is never more than the mode gives, and never less than nothing; who moves in Zones has a way."""
    t = made(kind, seed, mode="enforce")
    for number, word in enumerate(play(t, Random(f"ledger {seed}"), undo=0)):
        if word == OVER or number > 2 * INPUTS:
            break
        for actor in t.state.actors.values():
            assert actor.spent >= 0
            assert actor.extra >= 0
            if actor.mode and not actor.conditions:
                assert actor.spent <= allowance(t.state, actor, actor.mode, actor.sprint_skill)
    zones = t.state.scene.zones
    for number, entry in enumerate(t.live):
        for event in entry.events:
            if isinstance(event, Moved) and zones is not None and isinstance(entry.input, Declared):
                before = t._states[t.log.index(t.live[number])]
                assert event.at != before.actors[event.actor].at or len(entry.input.declaration.route) > 1


@off_map
@pytest.mark.parametrize("seed", range(7))
def test_a_shift_anywhere_keeps_what_was_said_paid_and_hidden(kind: str, seed: int, tmp_path: Path) -> None:
    t, draw = made(kind, seed), Random(f"shift {seed}")
    shifts = 0
    for number, word in enumerate(play(t, draw, undo=0.02)):
        if word == OVER or number > INPUTS:
            break
        if number % 4:
            continue
        kept = _kept(t)
        revealed = sum(type(event) is Revealed for entry in t.live for event in entry.events)
        if shift_at_random(t, draw):
            shifts += 1
            assert _kept(t) == kept
            assert sum(type(event) is Revealed for entry in t.live for event in entry.events) == revealed
            check(t, tmp_path / "log")
    t.save(tmp_path / "log")
    assert everything(tw.Table.load(tmp_path / "log")) == everything(t)
    assert shifts


def _kept(t: tw.Table) -> Any:
    """All that a shift may not touch: numbers, hiding, facts, the pending declaration and its open questions."""
    numbers = {name: replace(actor, at=None) for name, actor in t.state.actors.items()}
    hidden = [sorted((r.owner, r.other, r.total) for r in t.state.every(kind)) for kind in (Hidden, Record)]
    pending = t.pending.declaration if t.pending is not None else None
    asked = [(q.who, q.actor, q.question.price if q.kind in ("commit", "confirm") else q.kind) for q in t.waiting_on]
    return numbers, hidden, t.state.facts, t.state.open_doors, t.state.active, pending, asked


VARY = (elsewhere, absent, stronger, other_totals, other_secrets)


@off_map
@pytest.mark.parametrize("seed", range(7))
def test_what_a_seat_cannot_know_changes_nothing_that_it_is_shown(kind: str, seed: int) -> None:
    draw = Random(f"secrets {seed}")
    t = made(kind, seed)
    for number, word in enumerate(play(t, draw, undo=0)):
        if word == OVER or (number > 12 and not t.waiting_on):
            break
    if t.waiting_on:
        return
    for seat in ("ann", "bo", "cy"):
        for vary in VARY:
            other = vary(t.state, seat, draw)
            if other is not None:
                check_secrets(t.state, other, seat, draw, limit=2000)


def test_metres_are_exact() -> None:
    assert isinstance(off_map_state("zones", 1).actors["hero0"].spent, Fraction)
