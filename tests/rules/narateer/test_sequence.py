"""The order in which a movement is worked out, and the exact metres on the way."""

from __future__ import annotations

from typing import Any

import pytest
from moves import answer, at, codes, east, farthest, field, go, metres, mover, rolls
from scenes import ready, refused

import turnwright as tw
from turnwright.events import Acted, Charged, Event
from turnwright.systems.narateer.events import Checked, Moved

ATHLETIC = {"skill": "athletics"}
GAP = {"at": [11, 1], "name": "a gap", "skill": "athletics", "target": 6, "consequence": "stop", "failure": "no"}
OWN = {
    "half": {"factor": "1/2"},
    "third": {"factor": "1/3"},
}


def story(t: tw.Table) -> list[str]:
    """Payments, records, steps and rolls in their order, each run of the same kind once."""
    kinds: list[str] = []
    for entry in t.live:
        for event in entry.events:
            name = word(event)
            if name and (not kinds or kinds[-1] != name):
                kinds.append(name)
    return kinds


def word(event: Event) -> str:
    return {Charged: "paid", Acted: "recorded", Moved: "moved", Checked: "rolled"}.get(type(event), "")


@pytest.mark.rule("narateer.sequence.order")
def test_all_is_paid_before_the_first_metre_and_a_hazard_is_met_on_the_way() -> None:
    t = field(mover(14, skills={"athletics": 4}), obstacles=[GAP], dice=(6,))
    go(t, "kael", "sprint", 25, **ATHLETIC)
    assert at(t, "kael") == (10, 1)
    assert metres(t, "kael", "sprint") == 30
    answer(t, "try")
    assert story(t) == ["paid", "recorded", "moved", "paid", "rolled", "moved"]
    assert at(t, "kael") == (25, 1)


@pytest.mark.rule("narateer.sequence.order")
@pytest.mark.parametrize(
    ("mode", "said", "costs"),
    [
        ("walk", {}, {"mode:walk"}),
        ("run", {}, {"ad", "mode:run"}),
        ("sprint", ATHLETIC, {"ad", "use:athletics", "mode:sprint:athletics"}),
    ],
)
def test_mode_skill_and_price_are_settled_in_one_payment(mode: str, said: dict[str, str], costs: set[str]) -> None:
    t = field(mover(14))
    go(t, "kael", mode, 3, **said)
    charged = [event for entry in t.live for event in entry.events if isinstance(event, Charged)]
    assert [{cost.resource for cost in event.costs} for event in charged] == [costs]


@pytest.mark.rule("narateer.sequence.order")
def test_an_illegal_route_is_found_before_anything_is_paid() -> None:
    t = field(mover(14), rows=["." * 60, "..#" + "." * 57, "." * 60])
    before = t.state
    refused(lambda: go(t, "kael", "run", 4))
    assert t.state == before


@pytest.mark.rule("narateer.sequence.bm-modifiers-then-encumbrance")
def test_other_effects_come_first_and_encumbrance_last() -> None:
    t = field(mover(14, encumbrance="heavy", conditions=["hasted"]), conditions={"hasted": {"bm": 2}})
    # 14 / 2 + 2 = 9 would be the other order.
    assert metres(t, "kael", "walk") == 8
    parts = t.game.sums(t.state, "kael")["Base Movement"]
    assert [int(part.amount) for part in parts] == [14, 2, -8]


@pytest.mark.rule("narateer.sequence.bm-modifiers-then-encumbrance")
def test_among_other_effects_what_is_added_comes_before_what_multiplies() -> None:
    conditions = {"slowed": {"bm": "x1/2"}, "hasted": {"bm": 2}}
    t = field(mover(14, conditions=["slowed", "hasted"]), conditions=conditions)
    assert metres(t, "kael", "walk") == 8


@pytest.mark.rule("narateer.sequence.keep-fractions")
def test_thirds_come_out_exactly() -> None:
    t = field(mover(14, encumbrance="third"), encumbrance_states=OWN)
    assert farthest(t, "kael", "sprint", **ATHLETIC) == 7
    assert metres(t, "kael", "sprint", **ATHLETIC) == 14


@pytest.mark.rule("narateer.sequence.keep-fractions", "narateer.encumbrance.sprint-bonus-after-tripling")
@pytest.mark.parametrize(
    ("bm", "load", "level", "sprint", "spaces", "wrong"),
    [(15, "half", 0, 22.5, 11, 10), (13, "burdened", 1, 31.25, 15, 14)],
)
def test_case_03_fractions_survive_until_the_conversion(
    bm: int, load: str, level: int, sprint: float, spaces: int, wrong: int
) -> None:
    t = field(mover(bm, encumbrance=load, skills={"athletics": level}), encumbrance_states=OWN)
    assert metres(t, "kael", "sprint", **ATHLETIC) == sprint
    found = farthest(t, "kael", "sprint", **ATHLETIC)
    assert found == spaces
    assert found != wrong


@pytest.mark.rule("narateer.sequence.bm-modifiers-then-encumbrance", "narateer.encumbrance.sprint-bonus-after-tripling")
def test_case_04_the_order_of_what_changes_base_movement() -> None:
    keys: dict[str, Any] = {"encumbrance": "half", "conditions": ["hasted"], "skills": {"athletics": 4}}
    t = field(mover(14, **keys), conditions={"hasted": {"bm": 2}}, encumbrance_states=OWN)
    assert metres(t, "kael", "walk") == 8
    # (14 / 2 + 2) x 3 + 8 = 35, and ((14 + 2) x 3 + 8) / 2 = 28, are the tempting ones.
    assert metres(t, "kael", "sprint", **ATHLETIC) == 8 * 3 + 8


@pytest.mark.rule("narateer.sequence.order", "narateer.mode.one-per-activation")
def test_case_45_every_reason_is_given_at_once_and_nothing_is_paid() -> None:
    t = field(mover(14, ad=1, encumbrance="heavy"))
    go(t, "kael", "walk", 1)
    found = codes(t.explain("kael", "sprint", route=east(1, 1), **ATHLETIC))
    assert {"READY_AD", "LOAD_NO_SPRINT", "ONE_MODE"} <= found
    assert (ready(t, "kael"), rolls(t)) == (1, 0)
