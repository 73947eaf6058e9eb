"""One decision put to several seats: the first valid answer makes it, and a later one is refused as stale."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from pebbles import Pebbles, Plain, Won

import turnwright as tw
from turnwright.dice import Pool, weights
from turnwright.engine import Play, ask_first
from turnwright.model import Choose, Chosen, Declaration, Option, Outcome
from turnwright.rules import Settled, Steps, games


class Elect(Plain):
    """All of them together say who gets a pebble."""

    name, about = "elect", "say together who gets a pebble"

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        def build() -> tuple[Choose, ...]:
            options = tuple([Option(name, name) for name in play.state.actors])
            return tuple(
                [Choose(a.seat, a.id, "Who?", "", options, "elect", first=True) for a in play.state.actors.values()]
            )

        given = yield from ask_first(build, Chosen)
        assert given is not None
        play.emit(Won("", given.id, 1))
        return Outcome(self.name, "elected", (given.id,))


class Parliament(Pebbles):
    name, title = "parliament", "Parliament"

    def __init__(self) -> None:
        super().__init__()
        self.register(Elect())


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> tw.Table:
    monkeypatch.setitem(games(), "parliament", Parliament())
    text = '{"system": "parliament", "pebbles": {"a": 3, "b": 3, "c": 3}, "seats": {"a": "ann", "b": "bo"}}'
    made = tw.Table(tw.read_scene(text), seed=1)
    made.declare("a", "elect")
    return made


def test_every_seat_is_asked_and_the_first_answer_counts(table: tw.Table) -> None:
    assert [held.who for held in table.waiting_on] == ["ann", "bo", "guide"]
    first, second, _ = table.waiting_on
    table.answer(second, "c", seat="bo")
    assert table.waiting_on == ()
    assert table.state.actors["c"].pebbles == 4
    with pytest.raises(tw.Refused, match="it was answered"):
        table.answer(first, "a", seat="ann")
    assert table.live[-1].by == "bo"


def test_an_answer_that_is_refused_leaves_it_open_to_all(table: tw.Table) -> None:
    with pytest.raises(tw.Refused):
        table.answer(table.waiting_on[0], "nobody", seat="ann")
    assert len(table.waiting_on) == 3


def test_nobody_answers_in_the_name_of_another_seat(table: tw.Table) -> None:
    with pytest.raises(tw.Refused, match="for bo to answer"):
        table.answer(table.waiting_on[1], "a", seat="ann")


def test_it_is_taken_back_saved_and_loaded_like_any_other(table: tw.Table, tmp_path: Path) -> None:
    table.answer(table.waiting_on[0], "b", seat="ann")
    table.undo()
    assert len(table.waiting_on) == 3
    table.save(tmp_path / "log.jsonl")
    again = tw.Table.load(tmp_path / "log.jsonl")
    assert [held.id for held in again.waiting_on] == [held.id for held in table.waiting_on]
    again.redo()
    assert again.state.actors["b"].pebbles == 4


def test_what_a_seat_always_answers_decides_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games(), "parliament", Parliament())
    text = '{"system": "parliament", "pebbles": {"a": 3, "b": 3}, "seats": {"a": "ann", "b": "bo"}}'
    made = tw.Table(tw.read_scene(text), seed=1, standing={"bo elect": "a"})
    made.declare("a", "elect")
    assert made.waiting_on == ()
    assert made.state.actors["a"].pebbles == 4


def test_odds_follow_what_the_first_would_answer(table: tw.Table) -> None:
    table.answer(table.waiting_on[0], "b", seat="ann")
    assert {outcome.who for outcome in table.odds("a", "elect")} == {("a",)}
    assert {outcome.who for outcome in table.odds("a", "elect", answers={"a elect": "c"})} == {("c",)}


# -- dice that are thrown again, and readings that stand for that much or more


def test_a_total_above_the_most_that_is_read_is_read_as_it() -> None:
    pool = Pool(2, sides=10, read="successes", target=8, again=10, most=3)
    assert pool.total((10, 10, 8, 9)) == 3
    assert pool.range == (0, 3)
    assert [total for total, _ in weights(pool)[0]] == [0, 1, 2, 3]


def test_a_plain_pool_is_as_it_was() -> None:
    plain = Pool(3, sides=6, read="successes", target=5)
    assert weights(plain) == weights(replace(plain, most=3))
    assert plain.shows((1, 6, 3))
    assert not plain.shows((1, 6))


def test_a_botch_stays_one_whatever_is_added() -> None:
    pool = Pool(1, plus=2, sides=10, read="successes", target=8, botch=True)
    assert [total for total, _ in weights(pool)[0]] == [-1, 2, 3]
    assert (pool.total((1,)), pool.total((5,)), pool.total((9,))) == (-1, 2, 3)


def test_dice_that_are_thrown_again_have_no_edge() -> None:
    with pytest.raises(ValueError, match="no edge"):
        weights(Pool(2, edge=1, sides=10, read="successes", target=8, again=10, most=5))
