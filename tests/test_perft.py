"""Lines of play, counted: by hand to two declarations and more, and every one of them made and taken back."""

from __future__ import annotations

from typing import Any

import pytest
import realms
import scenes

import turnwright as tw
from turnwright import testing
from turnwright.model import Rolled, State
from turnwright.rules import find_game
from turnwright.systems.altered_realms.events import HoldBegun
from turnwright.testing.counting import answers_to, ways

REALMS, NARATEER = find_game("altered-realms"), find_game("narateer")
STEPS_AND_BLOWS = ("walk", "attack")


def apart(**keys: Any) -> tw.Table:
    """Two with bare hands at the ends of a passage of three tiles; it is a's turn."""
    made = [realms.creature(name, side, (x, 0), hp=5) for name, side, x in (("a", "reds", 0), ("b", "blues", 2))]
    return realms.table(*made, rows=["..."], begin="a", **keys)


def beside(*more: dict[str, Any], **keys: Any) -> tw.Table:
    made = [realms.creature(name, side, (x, 0), hp=5) for name, side, x in (("a", "reds", 0), ("b", "blues", 1))]
    return realms.table(*made, *more, rows=["..."], begin="a", **keys)


def passage(**keys: Any) -> tw.Table:
    made = [scenes.character(name, side, (x, 0)) for name, side, x in (("a", "reds", 0), ("b", "blues", 2))]
    return scenes.table(*made, rows=["..."], begin="a", **keys)


# -- Altered Realms


def test_steps_blows_and_dodges_counted_by_hand() -> None:
    state, only = apart().state, (*STEPS_AND_BLOWS, "dodge")
    # b is out of reach: one step, one dodge, or the end.
    assert testing.divided(REALMS, state, 1, only=only) == {"a walk 1,0": 1, "a dodge b": 1, "a end": 1}
    # After the step: back again, which b lets pass or strikes at and hits or misses (3); a blow that hits or
    # misses (2); a dodge; the end: 7. After the dodge, which took the Action: a step or the end. Else b begins.
    assert testing.divided(REALMS, state, 2, only=only) == {"a walk 1,0": 7, "a dodge b": 2, "a end": 1}
    assert testing.lines(REALMS, state, 2, only=only) == 10


def test_holds_counted_by_hand_to_the_fourth_declaration() -> None:
    state, only = beside().state, ("grapple", "escape", "release")
    # A grapple hits or misses; or the end.
    assert testing.lines(REALMS, state, 1, only=only) == 3
    # Held: let go, or the end. Missed: the end. Ended: b begins.
    assert testing.lines(REALMS, state, 2, only=only) == 2 + 1 + 1
    # Held and let go: the end. Held and ended, missed and ended: b begins. Ended: b's grapple, 2, or its end.
    assert testing.lines(REALMS, state, 3, only=only) == (1 + 1) + 1 + 3
    # Let go, ended: b begins. Held: b escapes or not, 2, grapples, 2, or ends. Missed: b grapples, 2, or ends.
    # Ended: b holds, and lets go or ends, 2; b misses and ends; b ends and a begins.
    assert testing.lines(REALMS, state, 4, only=only) == 1 + 5 + 3 + (2 + 1 + 1)


def test_a_captive_makes_every_total_count() -> None:
    t = beside(realms.creature("c", "reds", (2, 0), hp=5))
    t.override([HoldBegun("", "b", "c", "left hand", "")], "b holds c")
    # A natural 1 misses, and nobody minds. Each other of 20 totals may be let pass, or c be held into the blow with
    # one of two skills, well enough or not: 1 + 19 x 5. And there is the end of the turn.
    assert testing.lines(REALMS, t.state, 1, only=("attack",)) == 96 + 1
    # With the dice written down nothing is left but whether c is held into it: the first total is a natural 1.
    assert testing.lines(REALMS, t.state, 1, only=("attack",), chance=testing.one_reading) == 2


# -- Narateer


def test_steps_and_blows_of_narateer_counted_by_hand() -> None:
    state = passage().state
    # Out of reach: one step, or the end of the Activation.
    assert testing.divided(NARATEER, state, 1, only=STEPS_AND_BLOWS) == {"a walk 1,0": 1, "a end": 1}
    # Then a step back, which leads out of reach and so brings no Opportunity Attack: 1. The end: 1. A blow without
    # Skill is not Boosted. Left alone it hits or not: 2. A guard shows 1 to 6, and the blow is above it or not, but
    # never above 6: 11. In a Clash a shows 1 to 6, and b is above, level or below, where dice can: 2 + 4 x 3 + 2.
    assert testing.lines(NARATEER, state, 2, only=STEPS_AND_BLOWS) == (1 + 1 + 2 + 11 + 16) + 1
    # With one reading of each roll the blow has one line for each of three Responses.
    assert testing.lines(NARATEER, state, 2, only=STEPS_AND_BLOWS, chance=testing.one_reading) == (1 + 1 + 3) + 1


# -- kept so that a change is noticed: nobody has worked these out by hand


@pytest.mark.parametrize(
    ("depth", "counted"),
    [(3, 30), (4, 71)],
)
def test_deeper_counts_of_altered_realms_are_what_they_were(depth: int, counted: int) -> None:
    assert testing.lines(REALMS, apart().state, depth, only=(*STEPS_AND_BLOWS, "dodge")) == counted


def test_deeper_counts_of_narateer_are_what_they_were() -> None:
    assert testing.lines(NARATEER, passage().state, 3, only=STEPS_AND_BLOWS) == 63


# -- made and taken back


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_every_line_of_altered_realms_is_taken_back_at_a_table(depth: int) -> None:
    t, only = apart(), (*STEPS_AND_BLOWS, "dodge")
    played = tw.Table(t.state, seed=1, dice="table")
    assert testing.check_lines(played, depth, only=only) == testing.lines(REALMS, t.state, depth, only=only)
    assert played.state == t.state


def test_every_hold_is_taken_back_at_a_table() -> None:
    t, only = beside(), ("grapple", "escape", "release")
    assert testing.check_lines(tw.Table(t.state, seed=1, dice="table"), 4, only=only) == 13


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_every_line_of_narateer_is_taken_back_at_a_table(depth: int) -> None:
    state = passage().state
    played = tw.Table(state, seed=1, dice="table")
    counted = testing.lines(NARATEER, state, depth, only=STEPS_AND_BLOWS)
    assert testing.check_lines(played, depth, only=STEPS_AND_BLOWS) == counted


@pytest.mark.parametrize(("game", "state"), [(REALMS, apart().state), (NARATEER, passage().state)], ids=["ar", "na"])
def test_everything_that_can_be_declared_is_taken_back_at_a_table(game: Any, state: State) -> None:
    played = tw.Table(state, seed=1, dice="table")
    assert testing.check_lines(played, 1) == testing.lines(game, state, 1)


# -- the walker itself


def test_a_rule_that_allows_too_much_shows_in_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    state, only = apart().state, (*STEPS_AND_BLOWS, "dodge")
    monkeypatch.setattr("turnwright.systems.altered_realms.attack.in_range", lambda *said: True)
    # A blow at b from two tiles away hits or misses.
    assert testing.divided(REALMS, state, 1, only=only)["a attack b weapon=unarmed"] == 2
    assert testing.lines(REALMS, state, 1, only=only) == 3 + 2


def test_what_an_undo_leaves_behind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    played = tw.Table(apart().state, seed=1, dice="table")
    monkeypatch.setattr("turnwright.testing.counting.snapshot", lambda table: (table.state, len(table.log)))
    # The log keeps a trace of every undo.
    with pytest.raises(testing.Broken, match="undo of a walk 1,0 leads elsewhere"):
        testing.check_lines(played, 1, only=STEPS_AND_BLOWS)


def test_nobody_declares_anything_where_a_side_is_down() -> None:
    t = beside()
    t.override({"b.hp": 0}, "b is down")
    t.declare("a", "end")
    assert list(testing.declared(REALMS, t.state)) == []
    assert testing.lines(REALMS, t.state, 3) == 0


def test_a_roll_is_read_in_every_way_or_in_one() -> None:
    from turnwright.dice import Pool
    from turnwright.model import Order, Ordered, Roll

    roll = Roll("guide", "a", "a d6", "", Pool(1), "luck")
    assert answers_to(roll) == [Rolled(n, n) for n in range(1, 7)]
    assert answers_to(roll, testing.one_reading) == [Rolled(1, 1)]
    assert answers_to(Order("guide", "", "Who first?", "", ("a", "b"))) == [Ordered(("a", "b")), Ordered(("b", "a"))]


def test_each_way_of_a_declaration_ends_in_its_own_state() -> None:
    state = beside().state
    blow = next(d for d in testing.declared(REALMS, state, ("attack",)) if d.action == "attack")
    assert sorted(after.actors["b"].hp for after in ways(REALMS, state, blow)) == [4, 5]
