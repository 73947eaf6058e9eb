"""Movement that another rule grants: separate from the mode, exactly as many metres as that rule says."""

from __future__ import annotations

from typing import Any

import pytest
from moves import COVERED, THICKET, answer, at, character, codes, east, farthest, field, go, hidden, metres, mover
from scenes import acted, ready, refused, spent

ATHLETIC = {"skill": "athletics"}
EXTRA = "extra_move"


def power(name: str = "Sure step", **part: Any) -> dict[str, Any]:
    return {"name": name, "parts": [part]}


def granted(move: int, bm: int = 14, **keys: Any) -> Any:
    """A table on which a Power has just granted some metres; `scene` keys go to the scene."""
    scene = keys.pop("scene", {})
    t = field(mover(bm, powers=[power(move=move)], **keys), **scene)
    t.declare("kael", "use_power", power="Sure step")
    return t


@pytest.mark.rule("narateer.additional.separate-from-normal")
def test_it_comes_on_top_of_a_walk_that_is_used_up() -> None:
    t = field(mover(14, powers=[power(move=4)]))
    go(t, "kael", "walk", 7)
    assert codes(t.explain("kael", EXTRA, route=east(1, 7))) == {"NO_EXTRA", "TOO_FAR"}
    t.declare("kael", "use_power", power="Sure step")
    assert farthest(t, "kael", EXTRA) == 2
    go(t, "kael", EXTRA, 2)
    assert (at(t, "kael"), spent(t, "kael"), metres(t, "kael", "walk")) == ((9, 1), 14, 0)
    assert refused(lambda: go(t, "kael", EXTRA, 1))


@pytest.mark.rule("narateer.additional.separate-from-normal")
def test_no_mode_is_chosen_for_it() -> None:
    t = granted(4)
    before = ready(t, "kael")
    go(t, "kael", EXTRA, 2)
    assert (t.state.actors["kael"].mode, ready(t, "kael")) == ("", before)
    go(t, "kael", "run", 14)
    assert at(t, "kael") == (16, 1)
    assert (EXTRA, "proactive") not in acted(t, "kael")


@pytest.mark.rule("narateer.additional.separate-from-normal")
def test_ground_and_hiding_price_it_like_any_metre() -> None:
    mud = {"m": {"name": "mud", "difficult": ["mud"]}}
    assert farthest(granted(8, scene={"rows": ["m" * 60] * 3, "legend": mud}), "kael", EXTRA) == 2
    guard = character("guard", "guards", (55, 1))
    t = field(mover(14, powers=[power(move=8)]), guard, rows=COVERED, legend=THICKET)
    hidden(t, "kael", "guard")
    t.declare("kael", "use_power", power="Sure step")
    assert farthest(t, "kael", EXTRA) == 2


@pytest.mark.rule("narateer.additional.separate-from-normal")
def test_what_prevents_movement_prevents_it_too() -> None:
    t = granted(4, conditions=["snared"], scene={"conditions": {"snared": {"movement": False}}})
    assert codes(t.explain("kael", EXTRA, route=east(1))) == {"NO_MOVEMENT"}


@pytest.mark.rule("narateer.additional.separate-from-normal")
def test_what_is_not_used_ends_with_the_activation() -> None:
    t = granted(4)
    t.declare("kael", "end")
    assert codes(t.explain("kael", EXTRA, route=east(1))) == {"NO_EXTRA", "TOO_FAR"}


@pytest.mark.rule("narateer.additional.separate-from-normal")
def test_it_triggers_opportunity_attacks() -> None:
    guard = character("guard", "guards", (5, 0))
    t = field(mover(14, at=(4, 1), powers=[power(move=4)]), guard)
    t.declare("kael", "use_power", power="Sure step")
    go(t, "kael", EXTRA, 1)
    assert [asked.actor for asked in t.waiting_on] == ["guard"]


@pytest.mark.rule("narateer.additional.separate-from-normal")
def test_a_reaction_may_grant_it_in_somebody_elses_activation() -> None:
    slip = power("Slip away", trigger="exchange_resolved", reaction=True, move=4)
    t = field(character("guard", "guards", (1, 1)), mover(14, ad=0, powers=[slip]), dice=(1,))
    t.declare("guard", "attack", target="kael", boost=0)
    answer(t, "0")
    t.declare("kael", EXTRA, route=[(0, 2)])
    assert (at(t, "kael"), t.state.actors["kael"].extra) == ((0, 2), 2)
    assert not t.waiting_on or t.waiting_on[0].actor == "guard"


@pytest.mark.rule("narateer.additional.no-multiplier")
def test_five_metres_stay_five_after_a_sprint() -> None:
    t = field(mover(14, powers=[power(move=5)]))
    go(t, "kael", "sprint", 3, **ATHLETIC)
    t.declare("kael", "use_power", power="Sure step")
    # 15 m would be three times as much.
    assert metres(t, "kael", EXTRA) == 5
    assert farthest(t, "kael", EXTRA) == 2


@pytest.mark.rule("narateer.additional.continue-sprint")
@pytest.mark.parametrize(("before", "left"), [(20, 13), (26, 1)])
def test_going_on_with_a_sprint_gives_what_is_left_of_it(before: int, left: int) -> None:
    arlen = mover(15, skills={"athletics": 4}, powers=[power("Press on", continue_sprint=True)])
    t = field(arlen)
    go(t, "kael", "sprint", before, **ATHLETIC)
    t.declare("kael", "use_power", power="Press on")
    assert metres(t, "kael", "sprint") == left
    assert farthest(t, "kael", "sprint") == left // 2
    assert metres(t, "kael", EXTRA) == 0


@pytest.mark.rule("narateer.additional.exact-amount")
@pytest.mark.parametrize(("state", "spaces"), [("none", 3), ("heavy", 3), ("overloaded", 0)])
def test_a_load_does_not_shorten_it_but_may_prevent_it(state: str, spaces: int) -> None:
    t = granted(6, bm=10, encumbrance=state)
    assert farthest(t, "kael", EXTRA) == spaces
    # A walk of the heavily laden would be 5 m, two Spaces.
    assert metres(t, "kael", EXTRA) == 6


@pytest.mark.rule("narateer.additional.separate-from-normal", "narateer.additional.no-multiplier")
def test_case_35_additional_movement_and_the_rest_of_a_sprint() -> None:
    t = field(mover(15, skills={"athletics": 4}, powers=[power(move=5), power("Press on", continue_sprint=True)]))
    go(t, "kael", "sprint", 20, **ATHLETIC)
    t.declare("kael", "use_power", power="Sure step")
    assert (metres(t, "kael", EXTRA), metres(t, "kael", "sprint")) == (5, 13)
    go(t, "kael", EXTRA, 2)
    assert metres(t, "kael", "sprint") == 13
    t.declare("kael", "use_power", power="Press on")
    # 53 m would be the whole Sprint anew.
    assert metres(t, "kael", "sprint") == 13
