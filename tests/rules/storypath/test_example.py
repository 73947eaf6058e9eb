"""The worked example of the text: Sigrun on the back of a winged beast."""

from __future__ import annotations

from pathlib import Path

import pytest
from scions import answer, pool, question, turn_of, who

import turnwright as tw
from turnwright.dice import Scripted
from turnwright.systems.storypath.events import Hit, On

SCENE = Path(__file__).parents[3] / "examples" / "storypath" / "winged-beast.yaml"
STAB = {"first": "attack", "second": "balance", "target": "beast"}
POOL = "storypath.example.sigrun-pool"
CHOICE = "storypath.example.sigrun-choice"


def beast(roll: int) -> tw.Table:
    made = tw.Table(tw.load_scene(SCENE), seed=1, dice=Scripted(5, 0, 0, roll))
    turn_of(made, "sigrun")
    return made


def stabbed(roll: int, shares: str) -> tuple[bool, bool]:
    """Whether she has hit, and whether she is still on it."""
    made = beast(roll)
    made.declare("sigrun", "mixed", **STAB)
    if made.waiting_on:
        answer(made, shares)
    while made.waiting_on:
        answer(made, "done")
    hit = any(isinstance(event, Hit) for entry in made.live for event in entry.events)
    on = made.state.relation(On, "sigrun", "beast") is not None
    assert who(made, "sigrun").prone is not on
    return hit, on


@pytest.mark.rule(POOL)
def test_balance_of_four_and_attack_of_six_are_four_dice() -> None:
    made = beast(2)
    assert pool(made, "sigrun", "deed", deed="balance") == 4
    assert pool(made, "sigrun", "attack", target="beast") == 6
    assert pool(made, "sigrun", "mixed", **STAB) == 4


@pytest.mark.rule(CHOICE)
@pytest.mark.parametrize(("shares", "hit", "on"), [("2/0", True, False), ("1/1", False, True), ("0/2", False, True)])
def test_with_two_successes_she_hits_or_she_stays_on(shares: str, hit: bool, on: bool) -> None:
    assert stabbed(2, shares) == (hit, on)


@pytest.mark.rule(CHOICE)
def test_no_split_of_two_gives_both_and_the_screen_says_so() -> None:
    made = beast(2)
    made.declare("sigrun", "mixed", **STAB)
    labels = [option.label for option in question(made).question.options]
    assert not [label for label in labels if not {"fails", "misses"} & set(label.replace(",", "").split())]
    assert not any(all(stabbed(2, shares)) for shares in ("2/0", "1/1", "0/2"))


@pytest.mark.rule(CHOICE)
def test_with_three_she_can_do_both_and_with_none_neither() -> None:
    assert stabbed(3, "2/1") == (True, True)
    assert stabbed(0, "") == (False, False)
