"""Every example scene loads, is played to an end by bots, and comes out the same when it is run again."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import turnwright as tw
from turnwright.policy import RandomBot
from turnwright.rules import find_game

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*/*.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_loads_and_bots_play_it_to_an_end(path: Path) -> None:
    scene = tw.load_scene(path)
    game = find_game(scene.scene.system)
    one = tw.play_out(game, scene, RandomBot(5), draw=Random(5).random, rounds=2, most=400)
    two = tw.play_out(game, scene, RandomBot(5), draw=Random(5).random, rounds=2, most=400)
    assert one.why
    assert one == two


def test_the_ambush_as_a_table_would_play_it() -> None:
    from scenes import Scripted, answer, hidden_from, question, recorded

    table = tw.Table(tw.load_scene(EXAMPLES[0].parent / "ambush.yaml"), dice=Scripted(11, 9, 12, 4), seed=1)
    assert table.next_turn() == "selka"
    table.declare("selka", "begin")
    # Selka walks along the wall into the dark arcade's shadow side: the hedge in the north is out of the watch's sight.
    table.declare("selka", "run", to=(7, 1))
    assert table.state.actors["selka"].at == (7, 1)
    table.declare("selka", "hide", method="lie flat between the stems", boost=2)
    # 11 exceeds the guard's 3 + 1, the captain's 3 + 3 and the dog's 3 + 3; who could not notice is not met yet.
    assert recorded(table, "selka") == 11 or table.waiting_on
    assert hidden_from(table, "selka") <= {"guard", "dog", "captain"}
    table.declare("selka", "end")
    for name in ("bo", "guard", "dog"):
        table.declare(name, "begin")
        table.declare(name, "end")
    table.declare("captain", "begin")
    table.declare("captain", "search", place="loft", method="stab the hay")
    assert question(table).who == "guide"
    answer(table, 0)
    answer(table, 1)
    assert table.outcome is not None
    assert table.outcome.result == "found"  # 9 meets the target 6 of the purse under the hay
    assert "purse" in table.state.facts
    assert table.state.facts["purse"].found_by == ("captain",)  # type: ignore[attr-defined]
    # What the captain found, Ann does not learn.
    assert "purse" not in table.knows("ann").facts
