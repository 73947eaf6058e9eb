"""What every table promises, in random fights of Storypath: offers, prices, replay, undo, and what a seat is shown."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from scion_worlds import SEATS, VARY, helped, lying, state_in, strangers

import turnwright as tw
from turnwright import testing
from turnwright.model import GUIDE, SPECTATOR, State
from turnwright.systems.storypath import knowledge
from turnwright.systems.storypath.events import Helped, Lying
from turnwright.systems.storypath.sheet import Item, Weapon

FIGHTS = range(8)
MOMENTS = range(10)


def played(seed: int) -> State:
    """A random fight after some random play, at a moment at which no question is open."""
    draw = Random(f"storypath law {seed}")
    made = tw.Table(state_in(seed), seed=seed)
    wanted = draw.randint(4, 40)
    for number, word in enumerate(testing.play(made, draw)):
        if word == testing.OVER or (number >= wanted and not made.waiting_on):
            break
    return made.state


@pytest.mark.parametrize("seed", FIGHTS)
def test_every_promise_of_a_table_is_kept(seed: int, tmp_path: Path) -> None:
    draw = Random(seed)
    made = tw.Table(state_in(seed), seed=seed)
    for step, what in enumerate(testing.play(made, draw)):
        if what == testing.OVER or step == 45:
            break
        testing.check_folds(made)
        testing.check_amounts(made)
        if step % 17 == 9 and not made.waiting_on and made.state.active:
            testing.check_offers(made, made.state.active, draw)
    testing.check(made, tmp_path / "log.jsonl")


@pytest.mark.parametrize("seed", MOMENTS)
def test_what_a_seat_cannot_know_changes_nothing_that_it_is_shown(seed: int) -> None:
    state, draw = played(seed), Random(seed)
    names = [*VARY][seed % len(VARY) :] + [*VARY][: seed % len(VARY)]
    for name, seat in ((name, seat) for name in names for seat in SEATS):
        other = VARY[name](state, seat, draw)
        if other is not None and other != state:
            testing.check_secrets(state, other, seat, Random(seed), limit=40)
            assert tw.Table(state, seed=0).view(SPECTATOR) == tw.Table(other, seed=0).view(SPECTATOR)
            return


def views(made: tw.Table) -> dict[str, tuple[dict[str, Any], int]]:
    """What each seat is shown, with its version beside it."""
    found = {seat: made.view(seat) for seat in (*SEATS, SPECTATOR)}
    return {seat: (view, view.pop("version")) for seat, view in found.items()}


@pytest.mark.parametrize("seed", range(3))
def test_no_version_moves_by_what_is_not_shown(seed: int) -> None:
    made = tw.Table(state_in(f"versions {seed}"), seed=seed)
    before = views(made)
    for number, word in enumerate(testing.play(made, Random(seed), undo=0)):
        now = views(made)
        assert [s for s in now if before[s][0] == now[s][0] and before[s][1] != now[s][1]] == [], word
        before = now
        if word == testing.OVER or number > 30:
            break


def with_secrets(seed: int) -> State:
    """A fight in which a Knack of a foe is on and its axe lies about."""
    state = state_in(seed)
    name = strangers(state, "ann")[0].id
    ground = Lying("lying axe", Item("axe", "hand"), Weapon("axe", enhancement=1), state.actors["ann"].at)
    return state.relate(Helped(name, name, None, 2)).with_fact(ground)


@pytest.mark.parametrize("vary", [helped, lying])
def test_nobody_sees_how_much_a_knack_of_a_foe_helps_or_how_good_a_weapon_on_the_ground_is(vary: Any) -> None:
    state = with_secrets(3)
    other = vary(state, "ann", Random(4))
    assert other not in (None, state)
    testing.check_secrets(state, other, "ann", Random(1), limit=40)
    assert other.facts != state.facts or other.relations != state.relations
    assert tw.Table(other, seed=0).knows(GUIDE) == other


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what a foe is good for left in what a player knows, the comparison fails."""
    state = with_secrets(3)
    who = strangers(state, "ann")[0]
    other = state.with_actor(replace(who, defense=5, health=9))
    testing.check_secrets(state, other, "ann", Random(1), limit=40)
    monkeypatch.setattr(knowledge, "shown", lambda who, seat: True)
    with pytest.raises(testing.Broken):
        testing.check_secrets(state, other, "ann", Random(1), limit=40)
