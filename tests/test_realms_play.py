"""Altered Realms at random: saves, undo, offers, secrets, and holds that stay consistent whatever happens."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

import turnwright as tw
from turnwright import testing
from turnwright.dice import Scripted
from turnwright.model import State
from turnwright.policy import bot_of
from turnwright.rules import find_game
from turnwright.systems.altered_realms.events import Mechanism, MechanismSet
from turnwright.systems.altered_realms.grapple import break_dc
from turnwright.systems.altered_realms.harm import still_holds
from turnwright.systems.altered_realms.holding import Holds, holds_on
from turnwright.systems.altered_realms.sheet import creature, maneuver_dc
from turnwright.systems.altered_realms.space import others_at, tiles

BRAWL = Path(__file__).parent.parent / "examples" / "altered_realms" / "brawl.yaml"
WALL = BRAWL.with_name("wall.yaml")


def crowded() -> State:
    """The brawl with everybody within reach of somebody, so that there is something to hold."""
    document: dict[str, Any] = yaml.safe_load(BRAWL.read_text(encoding="utf-8"))
    near = {"kara": [5, 1], "finn": [6, 1], "docker_1": [7, 1], "docker_2": [6, 3], "docker_3": [5, 3]}
    for entry in document["creatures"]:
        entry["at"] = near.get(entry["id"], entry["at"])
    return tw.read_scene(yaml.safe_dump(document, sort_keys=False), "crowded.yaml")


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_played_every_promise_of_a_table_is_kept(seed: int, tmp_path: Path) -> None:
    draw = Random(seed)
    table = tw.Table(crowded(), seed=seed)
    for step, what in enumerate(testing.play(table, draw)):
        if what == testing.OVER or step == 60:
            break
        consistent(table.state, still=not table.waiting_on)
        testing.check_folds(table)
        testing.check_amounts(table)
        if step % 20 == 7 and not table.waiting_on and table.state.active:
            testing.check_offers(table, table.state.active, draw)
    testing.check(table, tmp_path / "log.jsonl")


def consistent(state: State, *, still: bool) -> None:
    """Hands, holders, held parts and DCs agree; where nobody is moving each has its tiles, and every hold can be."""
    every = list(state.every(Holds))
    hands = [(hold.owner, hold.hand) for hold in every]
    assert len(hands) == len(set(hands)), "one hand holds two"
    for hold in every:
        assert not still or still_holds(state, hold), hold
        assert hold.hand in [hand.name for hand in creature(state, hold.owner).hands if hand.strong]
    for captive in {hold.other for hold in every}:
        grapplers = list(dict.fromkeys(hold.owner for hold in holds_on(state, captive)))
        first = maneuver_dc(state, creature(state, grapplers[0]))
        assert break_dc(state, captive) == first + 2 * (len(grapplers) - 1)
    for who in state.actors.values() if still else ():
        assert not [other.id for other in others_at(state, who, tiles(state, who))], f"{who.id} is not alone"


def test_what_one_side_cannot_know_changes_nothing_that_it_is_shown() -> None:
    state = crowded()
    foreman = state.actors["foreman"]
    items = tuple([replace(item, weapon=replace(item.weapon, training=9)) for item in foreman.items])
    other = replace(foreman, ac=19, hp=7, hp_max=50, items=items, training={"athletics": 9}, attributes={"str": 9})
    testing.check_secrets(state, state.with_actor(other), "ann", Random(1))
    unseen = replace(foreman, hidden=True)
    moved = replace(unseen, at=(3, 6), name="Another")
    testing.check_secrets(state.with_actor(unseen), state.with_actor(moved), "ann", Random(2))


@pytest.mark.parametrize("seed", range(3))
def test_a_saved_brawl_is_verified(seed: int, tmp_path: Path) -> None:
    draw, path = Random(100 + seed), tmp_path / "brawl.jsonl"
    table = tw.Table(tw.load_scene(BRAWL), seed=seed)
    for step, what in enumerate(testing.play(table, draw)):
        if what == testing.OVER or step == 50:
            break
    table.save(path)
    again = tw.Table.load(path)
    assert again.state == table.state
    assert again.waiting_on == table.waiting_on


def test_bots_fight_the_brawl_to_an_end_by_what_they_see() -> None:
    game = find_game("altered-realms")
    ends = [
        tw.play_out(game, tw.load_scene(BRAWL), bot_of(game), draw=Random(seed).random, rounds=60).why
        for seed in range(6)
    ]
    assert [why for why in ends if why in ("guests is down", "dockers is down")], ends
    twice = [tw.play_out(game, tw.load_scene(BRAWL), bot_of(game), draw=Random(3).random, rounds=5) for _ in "ab"]
    assert twice[0] == twice[1]


def test_the_sample_is_sound() -> None:
    testing.check_game(find_game("altered-realms"))


def test_the_archer_on_the_wall_as_a_table_would_play_it() -> None:
    table = tw.Table(tw.load_scene(WALL), seed=1, dice=Scripted((9,), (5,), (12,), (3,)))
    table.declare("isa", "begin")
    table.declare("isa", "aim", target="captain")
    # 9 with DEX 4, Training 2 and 2 of aim is 17 against AC 15; 5 + 4 + 2 damage.
    table.declare("isa", "attack", target="captain", weapon="longbow")
    assert table.state.actors["captain"].hp == 26 - 11
    assert table.state.actors["isa"].actions == 0
    table.declare("isa", "end")
    table.declare("captain", "begin")
    table.declare("captain", "walk", to=(15, 2))
    table.declare("captain", "end")
    table.declare("isa", "begin")
    table.declare("isa", "prime", deed="attack", target="captain", weapon="longbow", trigger="he comes on", number=2)
    table.declare("isa", "end")
    table.declare("captain", "begin")
    table.declare("captain", "walk", to=(9, 2))
    table.declare("isa", "fire_primed")
    table.answer(table.waiting_on[0], {"kind": "procedure"})
    assert table.state.actors["captain"].hp == 26 - 11 - 7  # 12 + 6 = 18; 3 + 4
    assert table.state.actors["isa"].reactions == 1
    # He stops; the second shot does not go off, and nothing is spent.
    table.declare("isa", "fire_primed")
    table.answer(table.waiting_on[0], {"kind": "impossible", "obstacle": "he has stopped"})
    assert table.state.actors["isa"].reactions == 1


def test_a_trap_that_nobody_knows_of_is_on_no_screen_until_the_narrator_shows_it() -> None:
    document = yaml.safe_load(BRAWL.read_text(encoding="utf-8"))
    document["mechanisms"][1]["hidden"] = True
    table = tw.Table(tw.read_scene(yaml.safe_dump(document), "trapped.yaml"), seed=1)
    assert "wire" in table.state.facts
    assert "wire" not in table.knows("ann").facts
    assert [r.code for r in table.explain("kara", "disarm", thing="wire", seat="ann").refusals] == ["NO_THING"]
    wire = table.state.facts["wire"]
    assert isinstance(wire, Mechanism)
    table.override([MechanismSet("", "finn", replace(wire, hidden=False))], "Finn sees a glint")
    assert "wire" in table.knows("ann").facts
