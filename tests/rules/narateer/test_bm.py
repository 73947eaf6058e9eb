"""Base Movement: 8 + Strength + Agility in metres, always as the sheet stands now."""

from __future__ import annotations

import pytest
from moves import at, character, codes, east, farthest, field, go, metres, mover
from scenes import OPEN, ready, refused, scene_text, spent

import turnwright as tw
from turnwright.systems.narateer.events import ConditionChanged

SLOW = {"slowed": {"bm": -4}}


def base_movement(t: tw.Table, actor: str) -> int:
    """What the sheet shows as the whole of its labelled parts."""
    return int(sum(part.amount for part in t.game.sums(t.state, actor)["Base Movement"]))


@pytest.mark.rule("narateer.bm.definition")
def test_base_movement_is_metres() -> None:
    t = field(character("kael", "heroes", (0, 1), strength=2, agility=4))
    assert base_movement(t, "kael") == 14
    assert t.explain("kael", "walk").label == "walk, 14 m left"
    assert farthest(t, "kael", "walk") == 7


@pytest.mark.rule("narateer.bm.definition")
def test_a_sheet_cannot_store_base_movement_in_spaces() -> None:
    text = scene_text(character("kael", "heroes", (0, 1), strength=2, agility=4, bm=7), rows=OPEN)
    with pytest.raises(tw.BadScene) as error:
        tw.read_scene(text)
    assert "bm" in str(error.value)


@pytest.mark.rule("narateer.bm.formula")
@pytest.mark.parametrize(("strength", "agility", "bm"), [(0, 0, 8), (2, 4, 14), (4, 3, 15), (1, 0, 9)])
def test_base_movement_is_8_and_strength_and_agility(strength: int, agility: int, bm: int) -> None:
    t = field(character("kael", "heroes", (0, 1), strength=strength, agility=agility))
    assert base_movement(t, "kael") == bm
    assert metres(t, "kael", "walk") == bm


@pytest.mark.rule("narateer.bm.formula")
def test_it_is_never_below_0_and_at_0_no_mode_is_open() -> None:
    t = field(character("kael", "heroes", (0, 1), strength=-10, agility=0, ad=5, skills={"athletics": 4}))
    for mode in ("walk", "run", "sprint"):
        said = {"skill": "athletics"} if mode == "sprint" else {}
        assert metres(t, "kael", mode, **said) == 0
        assert "NO_BM" in codes(t.explain("kael", mode, route=east(1), **said))
    assert ready(t, "kael") == 5


@pytest.mark.rule("narateer.bm.record-and-recalculate")
def test_it_follows_strength_and_agility_and_nothing_else() -> None:
    t = field(character("kael", "heroes", (0, 1), strength=2, agility=4))
    t.override({"kael.agility": 5}, "a potion")
    assert base_movement(t, "kael") == 15
    t.override({"kael.skills.melee": 3}, "training")
    assert base_movement(t, "kael") == 15
    assert metres(t, "kael", "walk") == 15


@pytest.mark.rule("narateer.bm.record-and-recalculate")
def test_a_change_in_mid_move_counts_at_once_and_what_is_spent_stays_spent() -> None:
    t = field(mover(14))
    go(t, "kael", "run", 5)
    t.override({"kael.strength": 8}, "a potion")
    assert metres(t, "kael", "run") == 2 * 16 - 10


@pytest.mark.rule("narateer.bm.example-kael")
def test_kael_walks_up_to_14_m_for_nothing() -> None:
    t = field(character("kael", "heroes", (0, 1), strength=2, agility=4))
    assert metres(t, "kael", "walk") == 14
    go(t, "kael", "walk", 7)
    assert (spent(t, "kael"), ready(t, "kael")) == (14, 6)
    assert "narateer.divide.total-cap" in refused(lambda: go(t, "kael", "walk", 1))


@pytest.mark.rule("narateer.bm.record-and-recalculate", "narateer.condition.apply-first")
@pytest.mark.parametrize(("spaces", "left"), [(9, 2), (11, 0)])
def test_case_36_losing_base_movement_in_mid_run_leaves_the_new_allowance_less_what_is_spent(
    spaces: int, left: int
) -> None:
    t = field(mover(14), conditions=SLOW)
    go(t, "kael", "run", spaces)
    t.override([ConditionChanged("", "kael", "slowed")], "a net")
    assert metres(t, "kael", "run") == left
    assert at(t, "kael") == (spaces, 1)
