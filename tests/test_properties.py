"""What holds in every scene and after every input: random scenes, played at random through the table."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from pebbles import Pebbles, pebbles
from worlds import random_state, unknown

import turnwright as tw
from turnwright.events import Charged, DoorMoved, Event, Waived
from turnwright.log import Declared
from turnwright.model import GUIDE, Declaration, State
from turnwright.rules import games
from turnwright.systems.narateer.events import Gone, Moved, Perceived, SearchBegun, StoppedHiding
from turnwright.systems.narateer.routes import reachable
from turnwright.testing import (
    OVER,
    Broken,
    check,
    check_amounts,
    check_folds,
    check_game,
    check_offers,
    check_saves,
    check_undo,
    everything,
    play,
    said,
    snapshot,
)

__all__ = ["pebbles"]
INPUTS = 45


def random_table(seed: int, **options: Any) -> tw.Table:
    draw = Random(f"options {seed}")
    chosen: dict[str, Any] = {
        "windows": draw.choice(["honest", "honest", "blind"]),
        "by_hand": draw.choice([(), ("ann",), ("ann", "cy", GUIDE)]),
        "mode": draw.choice(["enforce", "enforce", "enforce", "confirm", "advise"]),
        "standing": draw.choice([{}, {"ann assist": "always"}, {"cy opportunity_attack": "never"}]),
    }
    return tw.Table(random_state(seed), seed=seed, **(chosen | options))


@pytest.mark.parametrize("seed", range(16))
def test_at_every_question_the_events_make_the_state_and_a_save_is_as_good_as_going_on(
    seed: int, tmp_path: Path
) -> None:
    made = random_table(seed)
    for number, word in enumerate(play(made, Random(f"play {seed}"))):
        check(made, tmp_path / "log")
        if word == OVER or number > INPUTS:
            break
    assert tw.verify(made) == []


@pytest.mark.parametrize("seed", range(8))
def test_loaded_after_every_input_it_plays_as_if_it_had_never_stopped(seed: int, tmp_path: Path) -> None:
    straight, stopped = random_table(seed), random_table(seed)
    words = play(straight, Random(f"same {seed}"), undo=0.03)
    draw = Random(f"same {seed}")
    for number in range(INPUTS):
        word = next(words)
        assert next(play(stopped, draw, undo=0.03)) == word
        stopped.save(tmp_path / "log")
        stopped = tw.Table.load(tmp_path / "log")
        assert everything(stopped) == everything(straight), f"after {number}: {word}"
        if word == OVER:
            break


@pytest.mark.parametrize("seed", range(16))
def test_what_is_undone_has_not_been(seed: int) -> None:
    made = random_table(seed)
    steps = play(made, Random(f"undo {seed}"), undo=0)
    for _ in range(INPUTS):
        stood = len(made.live)
        word = ""

        def step() -> None:
            nonlocal word
            word = next(steps)

        check_undo(made, step)
        assert len(made.live) >= stood
        if word == OVER:
            break


@pytest.mark.parametrize("seed", range(16))
def test_what_is_offered_is_accepted_and_everything_else_refused_for_the_reasons_given(seed: int) -> None:
    made = random_table(seed)
    draw = Random(f"offers {seed}")
    for number, word in enumerate(play(made, draw, undo=0)):
        if word == OVER or number > INPUTS:
            break
        if number % 9 == 4:
            for actor in draw.sample(sorted(made.state.actors), 2):
                if not made.waiting_on or number % 2:
                    check_offers(made, actor, draw)
                    check_offers(made, actor, draw, seat=GUIDE)


def test_who_knows_everything_is_charged_what_was_quoted() -> None:
    """The quote of every legal declaration of random play, AD, uses and metres, against what is then used up."""
    assert sum(_quoted_and_charged(seed) for seed in range(20)) > 60


def _quoted_and_charged(seed: int) -> int:
    state = random_state(seed)
    alone = {name: replace(actor, seat=GUIDE) for name, actor in state.actors.items()}
    made = tw.Table(replace(state, actors=alone), seed=seed, standing={f"{GUIDE} opportunity_attack": "never"})
    quoted = 0
    for number, word in enumerate(play(made, Random(f"quote {seed}"), undo=0)):
        if word == OVER or number > 2 * INPUTS:
            break
        entry = made.live[-1]
        if not isinstance(entry.input, Declared) or not entry.events or not isinstance(entry.events[0], Charged):
            continue
        declared = entry.input.declaration
        offer = tw.Table(made._states[-1], seed=0).explain(
            declared.actor, declared.action, seat=GUIDE, **said(declared)
        )
        assert offer.verdict == "legal"
        assert entry.events[0].costs == offer.price.costs
        moved = [event for event in entry.events if isinstance(event, Moved)]
        if len(moved) == len(declared.route):
            assert sum(event.metres for event in moved) == offer.price.metres
        quoted += 1
    return quoted


@pytest.mark.parametrize("mode", ["enforce", "confirm", "advise"])
@pytest.mark.parametrize("seed", range(4))
def test_nobody_ever_has_less_than_nothing(seed: int, mode: Any) -> None:
    made = random_table(seed, mode=mode)
    for number, word in enumerate(play(made, Random(f"amounts {seed}"), undo=0)):
        check_amounts(made)
        for actor in made.state.actors.values():
            assert actor.ready >= 0
            assert actor.spent >= 0
            assert actor.extra >= 0
        if word == OVER or number > 2 * INPUTS:
            break
    if mode != "advise":
        assert not [e for entry in made.live for e in entry.events if isinstance(e, Waived)]


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_guide_changes_in_the_middle_play_goes_on(seed: int, tmp_path: Path) -> None:
    """Changes come between any two inputs; each is taken or refused, and everything that holds still holds."""
    made = random_table(seed)
    draw = Random(f"changes {seed}")
    taken = 0
    for number, word in enumerate(play(made, draw)):
        if word == OVER or number > INPUTS or not made.state.actors:
            break
        if draw.random() < 0.4:
            before = everything(made)
            try:
                made.override(_change(made.state, draw), "a whim")
                taken += 1
            except tw.Refused:
                assert everything(made) == before
            check_amounts(made)
            for actor in made.state.actors.values():
                assert actor.ready >= 0
        if number % 8 == 0:
            check(made, tmp_path / "log")
    check(made, tmp_path / "log")
    assert taken


def _change(state: State, draw: Random) -> Any:
    """Something that a guide might do: numbers, positions, Conditions, doors, words on who sees whom, an exit."""
    who, other = (draw.choice(list(state.actors)) for _ in range(2))
    grid = state.scene.grid
    assert grid is not None
    free = [cell for cell in grid.cells() if not grid.terrain(cell).blocked]
    doors = [door.id for door in grid.doors]
    changes: list[Any] = [
        {f"{who}.ready": draw.randint(0, 3)},
        {f"{who}.ready": 0, f"{other}.ready": 0},
        {f"{who}.wounds": draw.randint(0, 4)},
        {f"{who}.skills.{skill}": 5 for skill in ("stealth", "observation", "melee")},
        {f"{who}.weapons": []},
        {f"{who}.conditions": draw.choice([[], ["prone"], ["stunned"]])},
        {f"{who}.at": list(draw.choice(free))},
        {f"{who}.at": list(draw.choice(free)), f"{other}.at": list(draw.choice(free))},
        Perceived("", who, other, clear=draw.choice([True, False, None])),
        [SearchBegun("", who, by_word=True)],
        StoppedHiding("", who),
    ]
    if doors:
        changes.append(DoorMoved("", draw.choice(doors), draw.random() < 0.5))
    if draw.random() < 0.1 and len(state.actors) > 2:
        return Gone("", who)
    return draw.choice(changes)


@pytest.mark.parametrize("seed", range(40))
def test_the_price_of_a_route_does_not_depend_on_how_it_is_split(seed: int) -> None:
    draw = Random(f"split {seed}")
    state = random_state(seed)
    walker = draw.choice(list(state.actors.values()))
    alone = replace(
        state,
        actors={walker.id: replace(walker, seat=GUIDE, conditions=())},
        scene=replace(state.scene, order=(walker.id,)),
        facts={},
    )
    mode = draw.choice(["walk", "run"])
    begun = tw.Table(alone, seed=seed)
    begun.declare(walker.id, "begin")
    reached = reachable(begun.state, walker.id, mode)
    if reached is None or not (cells := [cell for cell in reached.cells() if cell != walker.at]):
        return
    route = reached.route(draw.choice(cells))
    whole = _walked(alone, walker.id, mode, [route])
    for _ in range(3):
        cuts = sorted(draw.sample(range(1, len(route)), draw.randint(0, len(route) - 1))) if len(route) > 1 else []
        parts = [route[a:b] for a, b in pairwise([0, *cuts, len(route)])]
        assert _walked(alone, walker.id, mode, parts) == whole


def _walked(state: State, actor: str, mode: str, parts: list[Any]) -> tuple[Any, ...]:
    made = tw.Table(state, seed=0)
    made.declare(actor, "begin")
    for part in parts:
        made.declare(actor, mode, route=part)
    mover = made.state.actors[actor]
    return mover.at, mover.spent, mover.travelled, mover.ready, mover.uses, mover.mode


@pytest.mark.parametrize("seed", range(24))
def test_what_somebody_unknown_does_is_not_noticed(seed: int) -> None:
    """An input whose events concern only those of whom a seat has no idea, before and after, changes nothing for it."""
    made = random_table(seed)
    seats = ("ann", "bo", "cy")
    before, stood = {seat: _seen(made, seat) for seat in seats}, 0
    for number, word in enumerate(play(made, Random(f"unseen {seed}"), undo=0)):
        events = [event for entry in made.live[stood:] for event in entry.events]
        stood = len(made.live)
        for seat in seats:
            after = _seen(made, seat)
            hidden = before[seat][0] & after[0]
            if all(_about(made.state, event, hidden, seat) for event in events) and after[1] == before[seat][1]:
                assert after[2:] == before[seat][2:], f"{seat} notices {word}: {events}"
            before[seat] = after
        if word == OVER or number > INPUTS:
            break


def _about(state: State, event: Event, hidden: frozenset[str], seat: str) -> bool:
    """Whether an event concerns nobody but those of whom a seat has no idea."""
    mine = [actor.id for actor in state.actors.values() if actor.seat == seat]
    private = event.private_to() or ()
    concerned = event.concerns()
    if isinstance(event, DoorMoved):
        return False  # doors are known to everybody
    return bool(concerned) and set(concerned) <= hidden and not any(actor in mine for actor in private)


def _seen(made: tw.Table, seat: str) -> tuple[Any, ...]:
    """Of whom a seat has no idea, what is public or asked of it, and all that it is shown besides."""
    view = made.view(seat)
    public = view.pop("round"), view.pop("questions")
    asked = made._names.moves.get(seat, 0)
    return frozenset(a.id for a in unknown(made.state, seat)), (public, asked), view, made.version(seat)


class TestTheChecksThemselves:
    """A check that finds nothing where there is something is worth nothing."""

    def broken(self, monkeypatch: pytest.MonkeyPatch, name: str, value: Any) -> tw.Table:
        made = random_table(3, mode="enforce", windows="honest", by_hand=(), standing={})
        made.declare(made.next_turn() or "", "begin", seat=GUIDE)
        monkeypatch.setattr(made.game, name, value)
        return made

    def test_a_refusal_that_changes_something(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = self.broken(monkeypatch, "guide_word", "Guide")
        honest = tw.Table.declare

        def declare(table: tw.Table, *args: Any, **keys: Any) -> Any:
            try:
                return honest(table, *args, **keys)
            except tw.Refused:
                table._redo.append(("ann", None))  # type: ignore[arg-type]
                raise

        monkeypatch.setattr(tw.Table, "declare", declare)
        with pytest.raises(Broken, match="changes something"):
            check_offers(made, made.state.active or "", Random(1), seat=GUIDE)

    def test_reasons_that_are_not_those_of_the_refusal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = self.broken(monkeypatch, "guide_word", "Guide")
        honest = tw.Table.explain
        monkeypatch.setattr(tw.Table, "explain", lambda *a, **k: replace(honest(*a, **k), refusals=()))
        with pytest.raises(Broken):
            check_offers(made, made.state.active or "", Random(1), seat=GUIDE)

    def test_events_that_do_not_make_the_state(self) -> None:
        made = random_table(3)
        made.declare(made.next_turn() or "", "begin", seat=GUIDE)
        made.log[-1] = replace(made.log[-1], events=())
        with pytest.raises(Broken, match="do not make the state"):
            check_folds(made)

    def test_a_save_that_loses_something(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        made = random_table(3)
        made.declare(made.next_turn() or "", "begin", seat=GUIDE)
        made.undo()
        made._redo = []
        with pytest.raises(Broken, match="comes back as another one"):
            check_saves(made, tmp_path / "log")

    def test_a_debt(self) -> None:
        made = random_table(3)
        up = made.next_turn() or ""
        made.declare(up, "begin", seat=GUIDE)
        made.declare(up, "run", seat=GUIDE, overrule="so be it", route=[made.state.actors[up].at])
        made._play.state = made.state.with_actor(replace(made.state.actors[up], ready=-1))
        with pytest.raises(Broken, match="has -1 ad"):
            check_amounts(made)

    def test_an_undo_that_leaves_something(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = random_table(3)
        monkeypatch.setattr(tw.Table, "_restore", lambda table, taken: None)
        with pytest.raises(Broken, match="undo"):
            check_undo(made, lambda: made.declare(made.next_turn() or "", "begin", seat=GUIDE))


@pytest.mark.parametrize("name", sorted(games()))
def test_every_game_passes_its_own_checks(name: str) -> None:
    check_game(games()[name])


def test_a_game_of_a_hundred_lines_passes_them_too(pebbles: Pebbles, tmp_path: Path) -> None:
    check_game(pebbles)
    text = '{"system": "pebbles", "pebbles": {"a": 4, "b": 4, "c": 2}, "seats": {"a": "ann"}}'
    for seed in range(6):
        made = tw.Table(tw.read_scene(text), seed=seed)
        draw = Random(seed)
        for _ in range(25):
            if not made.waiting_on:
                name = draw.choice(["a", "b", "c"])
                check_offers(made, name, draw)
                legal = [o for o in made.offers(name) if o.verdict != "illegal" and o.action != "march"]
                made.declare(name, draw.choice(legal).action)
            else:
                held = draw.choice(made.waiting_on)
                made.answer(held, _any(held, draw))
            check(made, tmp_path / "log")
            check_amounts(made)


def _any(held: Any, draw: Random) -> Any:
    from turnwright.testing import any_answer

    return any_answer(held, draw)


def test_what_was_said_says_it_again() -> None:
    d = Declaration("a", "sprint", "be there", "on foot", "", ((1, 2), (2, 2)), {"skill": "x", "power": "z"}, 0)
    from turnwright.answers import read_declaration

    assert read_declaration(games()["narateer"], d.actor, d.action, said(d)) == d
    assert said(Declaration("a", "walk")) == {}


def test_a_snapshot_is_of_everything() -> None:
    made = random_table(1)
    before = snapshot(made)
    made.declare(made.next_turn() or "", "begin", seat=GUIDE)
    assert all(a != b for a, b in zip(snapshot(made)[:1], before[:1], strict=True))
    assert snapshot(made)[2] != before[2]
    assert snapshot(made)[3] != before[3]
