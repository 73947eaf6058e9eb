"""Encumbrance and movement: the load changes Base Movement once, last, and nobody adds to it."""

from __future__ import annotations

from typing import Any

import pytest
from moves import codes, east, farthest, field, go, metres, mover
from scenes import ready, refused

from turnwright.systems.narateer.events import LoadChanged

ATHLETIC = {"skill": "athletics"}
MODES: list[tuple[str, dict[str, str]]] = [("walk", {}), ("run", {}), ("sprint", ATHLETIC)]
OWN = {
    "loaded": {"amount": -5},
    "four_less": {"amount": -4},
    "half": {"factor": "1/2"},
    "stuck": {"move": False},
    "crushed": {"amount": -20},
}


def laden(state: str, bm: int = 14, **keys: Any) -> Any:
    return field(mover(bm, encumbrance=state, ad=5, **keys), encumbrance_states=OWN)


@pytest.mark.rule("narateer.encumbrance.can-reduce-or-prevent")
@pytest.mark.parametrize(("state", "walk"), [("none", 14), ("loaded", 9), ("burdened", 10.5), ("heavy", 7)])
def test_a_load_can_lower_base_movement(state: str, walk: float) -> None:
    assert metres(laden(state), "kael", "walk") == walk


@pytest.mark.rule("narateer.encumbrance.can-reduce-or-prevent")
@pytest.mark.parametrize("state", ["stuck", "overloaded"])
def test_a_load_can_stop_all_movement(state: str) -> None:
    t = laden(state)
    for mode, said in MODES:
        assert "LOAD_STOPS" in codes(t.explain("kael", mode, route=east(1), **said))
        refused(lambda m=mode, s=said: go(t, "kael", m, 1, **s))  # type: ignore[misc]
    assert ready(t, "kael") == 5
    verdicts = {offer.action: offer.verdict for offer in t.offers("kael") if offer.action in ("walk", "run", "sprint")}
    assert set(verdicts.values()) == {"illegal"}


@pytest.mark.rule("narateer.encumbrance.can-reduce-or-prevent")
def test_a_load_never_makes_less_than_nothing_of_it() -> None:
    t = laden("crushed", skills={"athletics": 4})
    for mode, said in MODES:
        assert metres(t, "kael", mode, **said) == 0
        assert "NO_BM" in codes(t.explain("kael", mode, route=east(1), **said))


@pytest.mark.rule("narateer.encumbrance.sprint-bonus-after-tripling")
def test_the_load_never_scales_the_bonus_of_a_sprint() -> None:
    t = laden("half", skills={"athletics": 4})
    # Half of all 50 m would be 25.
    assert metres(t, "kael", "sprint", **ATHLETIC) == 7 * 3 + 8


@pytest.mark.rule("narateer.encumbrance.sprint-bonus-after-tripling")
def test_nothing_is_rounded_before_the_conversion() -> None:
    t = laden("burdened", bm=13, skills={"athletics": 1})
    assert metres(t, "kael", "walk") == 9.75
    assert metres(t, "kael", "sprint", **ATHLETIC) == 31.25
    # Base Movement rounded to 9 would make 14 Spaces.
    assert farthest(t, "kael", "sprint", **ATHLETIC) == 15


@pytest.mark.rule("narateer.encumbrance.no-second-penalty")
def test_case_37_the_penalty_applies_once() -> None:
    t = laden("four_less")
    parts = [int(part.amount) for part in t.game.sums(t.state, "kael")["Base Movement"]]
    assert parts == [14, -4]
    # 12 m would count it twice.
    assert metres(t, "kael", "run") == 20


@pytest.mark.rule("narateer.encumbrance.blocks-sprint")
def test_a_heavy_load_allows_no_sprint() -> None:
    t = laden("heavy")
    assert codes(t.explain("kael", "sprint", route=east(1), **ATHLETIC)) == {"LOAD_NO_SPRINT"}
    assert "narateer.encumbrance.blocks-sprint" in refused(lambda: go(t, "kael", "sprint", 1, **ATHLETIC))
    assert ready(t, "kael") == 5
    assert t.explain("kael", "walk", route=east(3)).verdict == "legal"
    assert t.explain("kael", "run", route=east(7)).verdict == "legal"


@pytest.mark.rule("narateer.encumbrance.blocks-sprint")
def test_a_load_taken_up_in_mid_sprint_takes_the_rest_of_it() -> None:
    t = laden("none")
    go(t, "kael", "sprint", 3, **ATHLETIC)
    t.override([LoadChanged("", "kael", "heavy")], "he shoulders a chest")
    assert codes(t.explain("kael", "sprint", route=east(1, 3))) == {"LOAD_NO_SPRINT"}
    assert codes(t.explain("kael", "run", route=east(1, 3))) == {"ONE_MODE"}
