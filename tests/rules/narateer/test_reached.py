"""Where a movement leads and what is shown of it: the price that is charged, and whose blow a step draws."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import character, happened, spent, table
from shadows import along, grove, guard, hide, hider

import turnwright as tw
from turnwright.model import Declaration
from turnwright.rules import Reached
from turnwright.systems.narateer.events import Moved

Steps = st.lists(st.sampled_from([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)]), min_size=1, max_size=7)
ROWS = [".......", ".,,.m..", "..,.m..", "......."]
LEGEND = {",": {"name": "mud", "difficult": ["mud"]}, "m": {"name": "scree", "factor": 3}}
CLUB = {"name": "club", "kind": "melee", "base_attack_cost": 1, "wounds": 1}


def shown(t: tw.Table, action: str = "walk", **said: Any) -> list[Reached]:
    known, _ = t.game.believed(t.state, t.knows("guide"))
    return list(t.game.actions[action].reaches(known, Declaration("selka", action, **said)))


def by_cell(t: tw.Table, action: str = "walk") -> dict[Any, Reached]:
    return {each.cell: each for each in shown(t, action)}


def open_field(*others: dict[str, Any], rows: list[str] | None = None, **keys: Any) -> tw.Table:
    me = character("selka", "heroes", (0, 0), attributes={"strength": 2, "agility": 4})
    drawn = {"rows": rows or ROWS, "legend": LEGEND}
    return table(me, *others, map=drawn, begin="selka", **keys)


@pytest.mark.rule("narateer.tactical.terrain-by-spaces-crossed", "narateer.terrain.difficult-doubles")
def test_each_space_in_reach_has_the_price_of_the_spaces_on_the_way() -> None:
    found = by_cell(open_field())
    # 14 m: 2 m a Space, 4 m in the mud, 6 m on the scree.
    assert found[(3, 0)].metres == 6
    assert found[(1, 1)].metres == 4
    assert found[(4, 1)].metres == 6 + 6
    assert [tread.metres for tread in found[(4, 1)].way] == [2, 2, 2, 6]
    assert (0, 0) not in found


@pytest.mark.rule("narateer.walk.distance")
def test_nothing_beyond_the_allowance_is_shown() -> None:
    found = by_cell(open_field(rows=["." * 12]))
    assert max(x for x, _ in found) == 7


@given(steps=Steps)
@settings(max_examples=80, deadline=None)
@pytest.mark.rule("narateer.tactical.terrain-by-spaces-crossed")
def test_what_is_shown_for_a_route_is_what_is_charged(steps: list[tuple[int, int]]) -> None:
    t = open_field()
    here, route = (0, 0), []
    for dx, dy in steps:
        here = (here[0] + dx, here[1] + dy)
        route.append(here)
    found = shown(t, route=tuple(route))
    if not found:
        return
    way = found[-1].way
    t.declare("selka", "walk", route=list(found[-1].route))
    assert [event.metres for event in happened(t, Moved)] == [tread.metres for tread in way]
    assert spent(t, "selka") == sum([tread.metres for tread in way])


@pytest.mark.rule("narateer.sneak.double-movement-cost")
def test_hiding_doubles_every_space_and_says_so() -> None:
    t = grove(hider(), guard(score=12), dice=(14,))
    hide(t)
    route = along(5, 6, 7)
    (*_, last) = shown(t, route=route)
    assert [tread.doubled for tread in last.way] == [True, True, True]
    assert last.doubled
    before = spent(t, "selka")
    t.declare("selka", "walk", route=route)
    assert Fraction(spent(t, "selka") - before) == last.metres


@pytest.mark.rule("narateer.opportunity.trigger", "narateer.opportunity.enter-or-leave-exempt")
def test_a_step_within_reach_draws_a_blow_and_entering_or_leaving_does_not() -> None:
    ogre = character("ogre", "watch", (1, 1), weapons=[CLUB])
    found = by_cell(open_field(ogre, rows=["....", "....", "...."]))
    # From (0, 0) to (0, 1): both beside the ogre at (1, 1).
    assert found[(0, 1)].draws == ("Ogre",)
    far = by_cell(open_field(character("ogre", "watch", (2, 1), weapons=[CLUB]), rows=["....", "....", "...."]))
    # (0, 0) is two Spaces from (2, 1): the step to (1, 0) enters its reach.
    assert far[(1, 0)].draws == ()


@pytest.mark.rule("narateer.opportunity.trigger")
def test_whoever_is_down_strikes_at_nobody() -> None:
    ogre = character("ogre", "watch", (1, 1), weapons=[CLUB], wounds=3, bears=3)
    assert by_cell(open_field(ogre, rows=["....", "....", "...."]))[(0, 1)].draws == ()


@pytest.mark.rule("narateer.tactical.blocked-space")
def test_an_ally_is_passed_and_not_stood_on() -> None:
    found = by_cell(open_field(character("bo", "heroes", (1, 0)), rows=["...."]))
    assert not found[(1, 0)].ends
    assert found[(2, 0)].ends
    assert found[(2, 0)].route == ((1, 0), (2, 0))


def test_off_a_map_nothing_is_shown() -> None:
    t = open_field()
    t.override({"selka.at": None}, "nobody knows where she is")
    assert shown(t) == []
