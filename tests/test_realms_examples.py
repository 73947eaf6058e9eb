"""The bridge, the heist and the battle: played by script with dice written down beforehand, and by bots."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from realms import Scripted, chosen, codes, happened, left, passing, question, rolled, turn, who

import turnwright as tw
from turnwright import testing
from turnwright.policy import bot_of
from turnwright.rules import find_game
from turnwright.systems.altered_realms.attack import armour_class
from turnwright.systems.altered_realms.events import Fell

EXAMPLES = Path(__file__).parent.parent / "examples" / "altered_realms"


def opened(name: str, *dice: Any, begin: str) -> tw.Table:
    table = tw.Table(tw.load_scene(EXAMPLES / f"{name}.yaml"), seed=1, dice=Scripted(*dice))
    table.declare(begin, "begin")
    return table


def shove(table: tw.Table) -> None:
    table.declare("brigit", "push", target="oswin", weapon="unarmed")


class TestBridge:
    def test_he_catches_himself_once_and_the_second_push_sends_him_down(self) -> None:
        table = opened("bridge", (11,), (9,), (11,), (3, 4, 5, 6, 7), begin="brigit")
        table.declare("brigit", "walk", to=(9, 3))
        # 11 and STR 4 meet AC 15; there is no solid ground south of him.
        shove(table)
        table.answer(question(table), "0")
        # 9 with DEX 3 and 2 on the sheet meets the Maneuver Save DC of 14.
        assert (rolled(table).what, rolled(table).passed) == ("dex save", True)
        chosen(table, "(9, 4)")
        assert (who(table, "oswin").at, who(table, "oswin").hp, who(table, "oswin").reactions) == ((9, 4), 30, 0)
        # The second attack of the same Action, and nothing left to catch himself with: 8 m are five d10.
        shove(table)
        assert [event.metres for event in happened(table, Fell)] == [8]
        assert (who(table, "oswin").at, who(table, "oswin").hp) == ((9, 5), 30 - 25)
        assert (left(table, "brigit")[0], who(table, "brigit").attacks) == (0, 0)

    def test_one_less_is_a_fall(self) -> None:
        table = opened("bridge", (11,), (8,), (1, 1, 1, 1, 1), begin="brigit")
        table.declare("brigit", "walk", to=(9, 3))
        shove(table)
        table.answer(question(table), "0")
        assert (who(table, "oswin").at, who(table, "oswin").hp) == ((9, 5), 25)

    def test_one_less_is_no_push_at_all(self) -> None:
        table = opened("bridge", (10,), begin="brigit")
        table.declare("brigit", "walk", to=(9, 3))
        shove(table)
        assert (who(table, "oswin").at, table.waiting_on) == ((9, 4), ())


def roll(table: tw.Table, actor: str, skill: str) -> None:
    table.declare(actor, "attempt", intent="something", method="somehow", skill=skill)
    ruling = {"kind": "check", "skill": skill, "target": 12, "success": "yes", "failure": "no"}
    table.answer(question(table), ruling)


class TestHeist:
    def test_grub_lends_aid_and_the_vault_is_open(self) -> None:
        table = opened("heist", (9,), (5,), begin="sable")
        table.declare("sable", "pick_lock", thing="vault_lock")
        table.answer(question(table), "0")
        # Grub: 9 + DEX 2 + 1 is 12, and helps. Sable: 5 + DEX 4 + 3 is 12, and 14 with the aid, against 14.
        assert rolled(table).passed
        assert table.state.open_doors == ("vault",)
        assert (who(table, "grub").reactions, left(table, "sable")[0]) == (0, 0)

    def test_aid_of_eleven_hinders(self) -> None:
        table = opened("heist", (8,), (8,), begin="sable")
        table.declare("sable", "pick_lock", thing="vault_lock")
        table.answer(question(table), "0")
        assert rolled(table).passed is False  # 8 + 7 is 15, and 13 with such help
        assert table.state.open_doors == ()

    def test_without_aid_he_fails_at_twelve(self) -> None:
        table = opened("heist", (5,), begin="sable")
        table.declare("sable", "pick_lock", thing="vault_lock")
        passing(table)
        assert (rolled(table).passed, who(table, "grub").reactions) == (False, 1)

    def test_without_tools_the_needle_strikes(self) -> None:
        table = opened("heist", (15, 10), (2, 3), begin="grub")
        table.declare("grub", "disarm", thing="needle")
        if table.waiting_on:
            table.answer(question(table), True)
        # The worse die and DEX 2 are 12 against 14; the needle does 2 + 3.
        assert (rolled(table).passed, who(table, "grub").hp) == (False, 24 - 5)
        assert table.outcome is not None
        assert table.outcome.result == "disaster"

    def test_moll_talks_three_times_and_thinks_once(self) -> None:
        table = opened("heist", (9,), (9,), (9,), (11,), begin="moll")
        for _ in range(3):  # CHA 3
            roll(table, "moll", "persuasion")
        assert rolled(table).passed  # 9 + 3 + 2
        assert codes(table, "moll", "attempt", intent="a", method="b", skill="deception") == ["ROLLS"]
        roll(table, "moll", "lore")  # INT 1
        assert rolled(table).passed
        assert codes(table, "moll", "attempt", intent="a", method="b", skill="observation") == ["ROLLS"]
        assert left(table, "moll") == (1, 1, 1)


def focus(table: tw.Table) -> tuple[int, int]:
    return who(table, "iselin").pools["focus"], who(table, "iselin").maxima["focus"]


def ac(table: tw.Table) -> int:
    return armour_class(table.state, who(table, "iselin"))


class TestBattle:
    def test_twelve_are_in_it(self) -> None:
        state = tw.load_scene(EXAMPLES / "battle.yaml")
        assert [sum(who.side == side for who in state.actors.values()) for side in state.scene.sides] == [6, 6]

    def test_two_spells_are_kept_up_until_the_last_point_is_spent(self) -> None:
        table = opened("battle", (11,), (4,), (6, 4), begin="iselin")
        table.declare("iselin", "cast", ability="ward", sustain=True)
        assert (focus(table), ac(table)) == ((3, 3), 14)
        table.declare("iselin", "cast", ability="veil", sustain=True)
        assert (focus(table), ac(table), left(table, "iselin")) == ((1, 1), 15, (0, 0, 1))
        turn(table, "slinger_1")
        # 11 with DEX 2 and Training 1 is 14: a hit against her own 12 and a miss against 15.
        table.declare("slinger_1", "attack", target="iselin", weapon="bow")
        passing(table)
        assert who(table, "iselin").hp == 22
        turn(table, "iselin")
        # 4 and DEX 1 fail against 14; ten points of fire, and the point was the last.
        table.declare("iselin", "cast", ability="spark", target="shaman")
        passing(table)
        assert who(table, "shaman").hp == 20 - 10
        assert (focus(table), ac(table)) == ((0, 1), 12)
        table.declare("iselin", "end")
        assert (focus(table), who(table, "iselin").sustained) == ((0, 5), ())

    def test_a_point_from_might_in_time_keeps_both(self) -> None:
        table = opened("battle", (4,), (6, 4), begin="iselin")
        table.declare("iselin", "cast", ability="ward", sustain=True)
        table.declare("iselin", "end")
        table.override({"iselin.pools.focus": 0, "iselin.pools.might": 2}, "a hard day")
        table.declare("iselin", "begin")
        assert ac(table) == 12
        table.declare("iselin", "recuperate", source="might", into="focus")
        assert ac(table) == 14
        table.declare("iselin", "end")
        assert who(table, "iselin").sustained == ("ward",)


@pytest.mark.parametrize("name", ["bridge", "heist", "battle"])
def test_whatever_is_played_is_verified_when_it_is_loaded(name: str, tmp_path: Path) -> None:
    draw, path = Random(11), tmp_path / "log.jsonl"
    table = tw.Table(tw.load_scene(EXAMPLES / f"{name}.yaml"), seed=11)
    for step, what in enumerate(testing.play(table, draw)):
        if what == testing.OVER or step == 40:
            break
    table.save(path)
    again = tw.Table.load(path)
    assert (again.state, again.waiting_on) == (table.state, table.waiting_on)


def fought(table: tw.Table, turns: int) -> None:
    """So many turns by fighters, each from what its own seat knows."""
    bot = bot_of(table.game)
    for _ in range(turns):
        up = table.next_turn()
        if up is None or table.game.side_down(table.state):
            return
        table.declare(up, "begin")
        while table.state.active == up or table.waiting_on:
            if table.waiting_on:
                held = next(one for one in table.waiting_on if not one.drafted)
                table.answer(held, bot.answer(table.game, table.knows(held.who), held.question))
            else:
                d = bot.declare(table.game, table.knows(who(table, up).seat), up)
                table.declare(up, d.action, **testing.said(d))


@pytest.mark.parametrize("name", ["bridge", "heist", "battle"])
def test_a_fight_of_fighters_is_verified_when_it_is_loaded(name: str, tmp_path: Path) -> None:
    table = tw.Table(tw.load_scene(EXAMPLES / f"{name}.yaml"), seed=7)
    fought(table, 18)
    table.reveal()
    table.save(tmp_path / "log.jsonl")
    assert tw.Table.load(tmp_path / "log.jsonl").state == table.state


def test_the_battle_goes_on_with_both_spells_kept_up_and_is_verified(tmp_path: Path) -> None:
    table = tw.Table(tw.load_scene(EXAMPLES / "battle.yaml"), seed=3)
    for name, ability in (("iselin", "ward"), ("shaman", "bark")):
        table.declare(name, "begin")
        table.declare(name, "cast", ability=ability, sustain=True)
        table.declare(name, "end")
    fought(table, 24)
    # Nobody's fighter spends focus: the spells last as long as who keeps them up lives.
    for name, ability, most in (("iselin", "ward", 3), ("shaman", "bark", 2)):
        assert who(table, name).sustained == (ability,)
        assert who(table, name).maxima["focus"] == most
    table.save(tmp_path / "log.jsonl")
    assert tw.Table.load(tmp_path / "log.jsonl").state == table.state


@pytest.mark.parametrize("name", ["bridge", "heist", "battle"])
def test_fighters_bring_it_to_an_end_and_twice_the_same(name: str) -> None:
    game = find_game("altered-realms")
    scene = tw.load_scene(EXAMPLES / f"{name}.yaml")
    one, two = [tw.play_out(game, scene, bot_of(game), draw=Random(7).random, rounds=40) for _ in "ab"]
    assert one == two
    # Whoever is driven off the bridge and lives is out of everybody's reach, so that nobody may win there.
    apart = ["40 rounds have passed"] if name == "bridge" else []
    assert one.why in [*[f"{side} is down" for side in scene.scene.sides], *apart]
