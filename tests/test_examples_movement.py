"""The movement example, played person by person: the distances of the rulebook's own examples."""

from __future__ import annotations

from pathlib import Path

import pytest
from moves import ahead, answer, at, codes, farthest, go, metres, quoted, rolls
from scenes import Scripted, hidden_from, question, ready, spent

import turnwright as tw

SCENE = Path(__file__).parent.parent / "examples" / "narateer" / "movement.yaml"


def turn_of(actor: str, *dice: int) -> tw.Table:
    """The example in the Activation of one of its people."""
    table = tw.Table(tw.load_scene(SCENE), seed=1, dice=Scripted(*dice))
    table.declare(actor, "begin")
    return table


@pytest.mark.rule("narateer.bm.example-kael")
def test_kael_walks_14_m() -> None:
    t = turn_of("kael")
    assert metres(t, "kael", "walk") == 14
    go(t, "kael", "walk", 7)
    assert (at(t, "kael"), ready(t, "kael"), spent(t, "kael")) == ((8, 1), 6, 14)


@pytest.mark.rule("narateer.sprint.example-arlen")
def test_arlen_sprints_53_m_for_2_ad_without_a_roll() -> None:
    t = turn_of("arlen")
    assert metres(t, "arlen", "walk") == 15
    assert metres(t, "arlen", "sprint", skill="athletics") == 53
    assert codes(t.explain("arlen", "sprint", skill="acrobatics", route=ahead(t, "arlen", 20))) == {"SPRINT_STYLE"}
    go(t, "arlen", "sprint", 26, skill="athletics")
    assert (at(t, "arlen"), ready(t, "arlen"), rolls(t)) == ((27, 2), 4, 0)


@pytest.mark.rule("narateer.movecheck.example-mira")
@pytest.mark.parametrize(("total", "place", "left"), [(9, (26, 4), 0), (5, (11, 4), 30)])
def test_mira_meets_the_stall_in_mid_sprint(total: int, place: tuple[int, int], left: int) -> None:
    t = turn_of("mira", total)
    assert metres(t, "mira", "sprint", skill="acrobatics") == 50
    go(t, "mira", "sprint", 25, skill="acrobatics")
    assert (at(t, "mira"), ready(t, "mira"), metres(t, "mira", "sprint")) == ((11, 4), 4, 30)
    preset = question(t, "rule").question.suggested[0]
    assert (preset.skill, preset.target, preset.failure) == ("acrobatics", 6, "Mira is stopped at the stall")
    answer(t, 0)
    answer(t, "try")
    assert (at(t, "mira"), metres(t, "mira", "sprint")) == (place, left)
    assert (t.state.actors["mira"].mode, ready(t, "mira")) == ("sprint", 3)


@pytest.mark.rule("narateer.terrain.example-dorn")
def test_dorn_runs_over_the_rubble_to_the_pillar() -> None:
    t = turn_of("dorn")
    assert metres(t, "dorn", "run") == 26
    assert codes(t.explain("dorn", "walk", route=ahead(t, "dorn", 8))) == {"TOO_FAR"}
    assert quoted(t, "dorn", "run", 8) == 5 * 4 + 3 * 2
    go(t, "dorn", "run", 8)
    assert (at(t, "dorn"), ready(t, "dorn"), rolls(t)) == ((9, 6), 5, 0)


@pytest.mark.rule("narateer.sneak.example-12m")
def test_wren_sneaks_6_m_of_the_12_that_are_left_or_3_through_the_brambles() -> None:
    t = turn_of("wren", 9)
    go(t, "wren", "walk", 1)
    t.declare("wren", "hide", method="lie down between the stems", boost=1)
    assert hidden_from(t, "wren") == {"watchman"}
    assert metres(t, "wren", "walk") == 12
    assert farthest(t, "wren", "walk") == 3
    # 3 m through the brambles at 4 m each are one Space of 2 m and half of another.
    brambles = [(4, 9), (5, 9)]
    assert t.explain("wren", "walk", route=brambles[:1]).price.metres == 8
    assert codes(t.explain("wren", "walk", route=brambles)) == {"TOO_FAR"}
    go(t, "wren", "walk", 3)
    assert (at(t, "wren"), spent(t, "wren"), hidden_from(t, "wren")) == ((6, 8), 14, {"watchman"})
