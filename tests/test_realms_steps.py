"""An attack whose total others could act on: its damage is a step of its own, at a table and for odds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from realms import Scripted, armed, chosen, creature, question, scene, turn, who

import turnwright as tw


def shielded(*dice: Any, by_hand: bool = False) -> tw.Table:
    """Kara faces the orc, who holds Page; what it asks first is whether Page is held into the blow."""
    start = scene(
        creature("kara", "h", (4, 4), items=[armed(5)]),
        creature("orc", "o", (5, 4), ac=10, hp=40),
        creature("page", "h", (6, 4), ac=10, hp=40),
    )
    t = tw.Table(start, seed=1, dice="table" if by_hand else Scripted((20,), *dice))
    t.declare("orc", "begin")
    t.declare("orc", "grapple", target="page")
    if by_hand:
        t.answer(question(t), (20,))
    t.declare("orc", "end")
    return t


def test_the_damage_is_dealt_once_and_to_whoever_was_struck() -> None:
    t = shielded((10,), 4)
    turn(t, "kara")
    t.declare("kara", "attack", target="orc")
    chosen(t, "do nothing")
    assert (who(t, "orc").hp, who(t, "page").hp, t.waiting_on) == (36, 40, ())
    t = shielded((10,), (19,), 4)
    turn(t, "kara")
    t.declare("kara", "attack", target="orc")
    chosen(t, "athletics")
    assert (who(t, "orc").hp, who(t, "page").hp, t.waiting_on) == (40, 36, ())


def test_a_weapon_that_is_gone_before_the_damage_falls_has_struck_all_the_same() -> None:
    t = shielded((10,), 4)
    turn(t, "kara")
    t.declare("kara", "attack", target="orc")
    t.override({"kara.items": []}, "the blade is gone")
    chosen(t, "do nothing")
    assert who(t, "orc").hp == 36


def test_what_was_prepared_deals_its_damage_too() -> None:
    t = shielded((10,), 4, (1,))
    turn(t, "kara")
    t.declare("kara", "prime", deed="attack", target="orc", when="attacks", whose="orc", whom="page")
    turn(t, "orc")
    t.declare("orc", "attack", target="page", weapon="unarmed")
    assert (question(t).actor, who(t, "orc").hp) == ("kara", 40)
    t.answer(question(t), "0")
    assert (who(t, "orc").hp, t.waiting_on) == (36, ())


def test_a_log_that_ends_before_the_damage_goes_on_where_it_stopped(tmp_path: Path) -> None:
    t = shielded(by_hand=True)
    turn(t, "kara")
    t.declare("kara", "attack", target="orc")
    t.answer(question(t), (10,))
    chosen(t, "do nothing")
    t.save(tmp_path / "log.jsonl")
    again = tw.Table.load(tmp_path / "log.jsonl")
    assert (again.waiting_on, again.state) == (t.waiting_on, t.state)
    again.answer(question(again), (4,))
    assert who(again, "orc").hp == 36
    again.undo()
    assert (who(again, "orc").hp, question(again).kind) == (40, "roll")


def test_for_odds_whatever_led_to_the_same_hit_goes_on_as_one() -> None:
    t = shielded()
    turn(t, "kara")
    found = t.odds(
        "kara", "attack", target="orc", answers={"orc meat_shield": "hold Page into the blow, with athletics"}
    )
    # 20 faces, each with a shield that meets it and one that does not, then 8 damages on either of two.
    assert found.branches <= 20 * 2 + 8 * 2
