"""A price that can be paid in more than one way: listed by the gate, said beforehand, or asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from pebbles import Pebbles, Shells, shells
from scenes import answer, character, happened, question, table

import turnwright as tw
from turnwright.dice import Scripted
from turnwright.events import Barred, Charged

__all__ = ["shells"]
pytestmark = pytest.mark.usefixtures("shells")


def playing(pebbles: int = 3, held: int = 3, **keys: Any) -> tw.Table:
    """One player with so many pebbles and shells; a wager costs 1 of either, and a boost of up to 2 more."""
    said = {"system": "shells", "pebbles": {"a": pebbles, "b": 1}, "shells": {"a": held}, "seats": {"a": "ann"}}
    scene = tw.read_scene(msgspec.json.encode(said).decode())
    return tw.Table(scene, seed=1, **{"dice": Scripted(*(2,) * 9)} | keys)


def left(made: tw.Table) -> tuple[int, int]:
    return made.state.actors["a"].pebbles, made.state.actors["a"].shells


def ways(offer: tw.Offer) -> list[str]:
    return [way.way for way in offer.ways]


def test_the_gate_lists_every_way_that_fits() -> None:
    assert ways(playing().explain("a", "wager", boost=0)) == ["pebbles", "shells"]
    assert ways(playing(0, 3).explain("a", "wager", boost=0)) == ["shells"]
    assert ways(playing(1, 3).explain("a", "wager", boost=2)) == ["shells"]


def test_what_fits_in_no_way_is_refused_by_the_plain_one() -> None:
    found = playing(0, 0).explain("a", "wager", boost=0)
    assert [refusal.text for refusal in found.refusals] == ["it needs 1 pebbles; there are 0"]
    assert ways(found) == ["pebbles", "shells"]


@pytest.mark.parametrize(("way", "after"), [("pebbles", (2, 3)), ("shells", (3, 2)), (0, (2, 3)), ("1", (3, 2))])
def test_a_declaration_may_say_which(way: object, after: tuple[int, int]) -> None:
    made = playing()
    made.declare("a", "wager", boost=0, way=way)
    assert made.waiting_on == ()
    assert left(made) == after


@pytest.mark.parametrize("way", ["gold", 2])
def test_a_way_that_there_is_not_is_refused(way: object) -> None:
    made = playing()
    with pytest.raises(tw.Refused, match="there is pebbles, shells"):
        made.declare("a", "wager", boost=0, way=way)
    assert left(made) == (3, 3)


def test_a_way_that_is_said_has_to_be_enough() -> None:
    made = playing(0, 3)
    with pytest.raises(tw.Refused, match="it needs 1 pebbles"):
        made.declare("a", "wager", boost=0, way="pebbles")


def test_else_the_actor_is_asked_before_anything_is_charged() -> None:
    made = playing()
    made.declare("a", "wager", boost=1)
    asked = question(made)
    assert (asked.kind, asked.who, asked.options) == ("choose", "ann", ("pebbles", "shells"))
    assert [option.price.costs[0].amount for option in asked.question.options] == [1, 1]
    assert (left(made), happened(made, Charged)) == ((3, 3), [])
    answer(made, "shells")
    assert left(made) == (3, 1)
    assert len(happened(made, Charged)) == 1


def test_only_one_that_fits_is_not_asked_about() -> None:
    made = playing(1, 3)
    made.declare("a", "wager", boost=2)
    assert made.waiting_on == ()
    assert left(made) == (1, 0)


def test_the_commitment_comes_first_and_is_as_much_as_the_fullest_purse_holds() -> None:
    made = playing(1, 2)
    made.declare("a", "wager")
    assert question(made, "commit").question.most == 1
    answer(made, 0)
    answer(made, "pebbles", kind="choose")
    assert left(made) == (0, 2)


def test_the_way_that_was_said_limits_the_commitment() -> None:
    made = playing(2, 9)
    made.declare("a", "wager", way="pebbles")
    assert question(made, "commit").question.most == 1
    answer(made, 1)
    assert left(made) == (0, 9)


def test_it_is_withdrawn_for_nothing_until_it_is_paid() -> None:
    made = playing()
    made.declare("a", "wager", boost=0)
    made.answer(question(made), tw.Withdraw)
    assert left(made) == (3, 3)
    assert made.outcome is not None
    assert made.outcome.result == "withdrawn"


def test_what_an_override_took_is_not_paid_with() -> None:
    made = playing(1, 1)
    made.declare("a", "wager", boost=0)
    made.override({"a.pebbles": 0}, "lost one")
    assert left(made) == (0, 0)  # the shell is the only way that is left
    made = playing(1, 1)
    made.declare("a", "wager", boost=0)
    made.override({"a.pebbles": 0, "a.shells": 0}, "lost both")
    assert left(made) == (0, 0)
    assert len(happened(made, Barred)) == 1


def test_a_seat_may_say_once_and_for_all() -> None:
    made = playing(standing={"ann way": "shells"})
    made.declare("a", "wager", boost=0)
    assert left(made) == (3, 2)


def test_it_is_undone_and_loaded_like_anything_else(tmp_path: Path) -> None:
    made = playing()
    made.declare("a", "wager", boost=0)
    made.save(tmp_path / "log")
    again = tw.Table.load(tmp_path / "log")
    assert again.waiting_on == made.waiting_on
    answer(made, "shells")
    made.undo()
    assert (left(made), question(made).kind) == ((3, 3), "choose")


def test_the_odds_take_the_first_way_that_fits() -> None:
    assert playing().odds("a", "wager", boost=0).chance(lambda o: o.result == "won") == 0.5


def test_a_game_with_one_way_takes_no_word_about_it() -> None:
    assert Shells().has_ways
    assert not Pebbles().has_ways
    made = table(character("selka", "heroes", (1, 1)))
    with pytest.raises(tw.Refused, match="end takes no 'way'"):
        made.declare("selka", "end", way="x")
