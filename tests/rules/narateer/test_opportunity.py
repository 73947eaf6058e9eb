"""Opportunity Attack: a Reaction to a step from reach to reach, between that step and the next."""

from __future__ import annotations

from typing import Any

import pytest
from moves import answer, at, character, farthest, field, go, happened, hidden, metres, mover, question
from scenes import acted, ready, spent

import turnwright as tw
from turnwright.events import Placed
from turnwright.systems.narateer.events import ExchangeBegun

PAST = [(4, 1), (5, 1), (6, 2)]
"""From (3, 2) into the reach of whoever stands on (5, 0), along in it, and out again."""


def guard(at: tuple[int, int] = (5, 0), id: str = "guard", **keys: Any) -> dict[str, Any]:
    return character(id, "guards", at, **keys)


def triggers(t: tw.Table, actor: str, mode: str, route: list[tuple[int, int]]) -> list[tuple[str, tuple[int, int]]]:
    """Who is asked on the way, and where the mover stands then; everybody lets it pass."""
    asked = []
    t.declare(actor, mode, route=route)
    while t.waiting_on:
        for each in t.waiting_on:
            asked.append((each.actor, at(t, actor)))
            t.answer(each, "pass")
    return asked


@pytest.mark.rule("narateer.opportunity.trigger")
def test_a_step_within_reach_offers_one_opportunity_attack() -> None:
    t = field(mover(at=(4, 1)), guard())
    t.declare("kael", "walk", route=[(5, 1)])
    asked = question(t)
    assert (asked.actor, asked.kind, asked.question.about) == ("guard", "choose", "opportunity_attack")
    assert asked.options == ("pass", "0")


@pytest.mark.rule("narateer.opportunity.trigger")
def test_it_costs_the_base_attack_cost_and_no_proactive_use() -> None:
    axe = {"name": "axe", "kind": "melee", "base_attack_cost": 2}
    t = field(mover(at=(4, 1)), guard(weapons=[axe], skills={"melee": 0}), dice=(1,))
    t.declare("kael", "walk", route=[(5, 1)])
    answer(t, "0")
    assert ready(t, "guard") == 4
    assert acted(t, "guard") == [("opportunity_attack", "reactive")]
    assert t.state.actors["guard"].uses == {}


@pytest.mark.rule("narateer.opportunity.trigger")
@pytest.mark.parametrize(
    ("keys", "scene"),
    [
        ({"ad": 0}, {}),
        ({"conditions": ["stunned"]}, {}),
        ({"at": (7, 0)}, {}),
    ],
)
def test_it_needs_ad_reactions_and_reach(keys: dict[str, Any], scene: dict[str, Any]) -> None:
    t = field(mover(at=(4, 1)), guard(**keys), **scene)
    assert triggers(t, "kael", "walk", [(5, 1)]) == []


@pytest.mark.rule("narateer.opportunity.trigger")
def test_it_needs_to_know_where_the_mover_is() -> None:
    legend = {",": {"name": "thicket", "conceals": ["sight"]}}
    t = field(
        mover(at=(4, 1)),
        guard(),
        rows=["," * 60] * 3,
        legend=legend,
        settings={"concealment_fails_within": 0},
    )
    hidden(t, "kael", "guard")
    assert triggers(t, "kael", "walk", [(5, 1)]) == []


@pytest.mark.rule("narateer.opportunity.trigger")
def test_reach_is_that_of_the_weapon_and_no_wall_is_reached_through() -> None:
    spear = {"name": "spear", "kind": "melee", "reach": 2}
    long = field(mover(at=(3, 1)), guard(weapons=[spear]))
    assert triggers(long, "kael", "walk", [(4, 1)]) == [("guard", (4, 1))]
    short = field(mover(at=(3, 1)), guard())
    assert triggers(short, "kael", "walk", [(4, 1)]) == []
    walls = {"walls": [{"between": [[4, 0], [4, 1]]}, {"between": [[5, 0], [5, 1]]}]}
    walled = field(mover(at=(4, 1)), guard(), map_=walls)
    assert triggers(walled, "kael", "walk", [(5, 1)]) == []


@pytest.mark.rule("narateer.opportunity.trigger")
def test_a_ranged_weapon_makes_none_but_bare_hands_do() -> None:
    bow = {"name": "bow", "kind": "ranged"}
    t = field(mover(at=(4, 1)), guard(weapons=[bow]), dice=(1,))
    t.declare("kael", "walk", route=[(5, 1)])
    answer(t, "0")
    assert [event.weapon for event in happened(t, ExchangeBegun)] == ["unarmed"]


@pytest.mark.rule("narateer.opportunity.trigger")
def test_being_moved_by_others_triggers_none() -> None:
    t = field(mover(at=(4, 1)), guard())
    t.override([Placed("", "kael", (5, 1))], "shoved")
    assert not t.waiting_on


@pytest.mark.rule("narateer.opportunity.enter-or-leave-exempt")
def test_entering_and_leaving_reach_triggers_nothing() -> None:
    t = field(mover(at=(3, 2)), guard())
    assert triggers(t, "kael", "walk", PAST) == [("guard", (5, 1))]


@pytest.mark.rule("narateer.opportunity.interrupts-between-steps")
def test_the_step_is_done_the_blow_falls_and_then_the_mover_goes_on() -> None:
    t = field(mover(14, at=(4, 1), bears=9), guard(), dice=(9,))
    go(t, "kael", "walk", 4)
    assert (at(t, "kael"), spent(t, "kael"), metres(t, "kael", "walk")) == ((5, 1), 2, 12)
    answer(t, "0")
    assert t.state.actors["kael"].wounds == 1
    assert question(t).actor == "guard"
    answer(t, "pass")
    assert (at(t, "kael"), metres(t, "kael", "walk")) == ((8, 1), 6)


@pytest.mark.rule("narateer.opportunity.interrupts-between-steps")
def test_whoever_goes_down_does_not_go_on() -> None:
    t = field(mover(14, at=(4, 1), bears=1), guard(), dice=(9,))
    go(t, "kael", "walk", 4)
    answer(t, "0")
    assert (at(t, "kael"), t.waiting_on) == ((5, 1), ())


@pytest.mark.rule("narateer.opportunity.trigger", "narateer.opportunity.enter-or-leave-exempt")
def test_case_30_each_opponent_has_its_own_steps() -> None:
    t = field(mover(at=(2, 2)), guard((3, 0), "first"), guard((5, 0), "second"))
    route = [(3, 1), (4, 1), (5, 1)]
    assert triggers(t, "kael", "walk", route) == [("first", (4, 1)), ("second", (5, 1))]


@pytest.mark.rule("narateer.opportunity.trigger")
def test_case_30_none_by_whom_the_mover_is_hidden_from() -> None:
    rows = ["." * 60, "," * 60, "." * 60]
    legend = {",": {"name": "thicket", "conceals": ["sight"]}}
    t = field(
        mover(at=(2, 1)),
        guard((3, 0), "first", senses={"scent": 6}),
        guard((5, 0), "second"),
        rows=rows,
        legend=legend,
        settings={"concealment_fails_within": 0},
    )
    hidden(t, "kael", "second")
    assert {actor for actor, _ in triggers(t, "kael", "walk", [(3, 1), (4, 1), (5, 1)])} == {"first"}


@pytest.mark.rule("narateer.opportunity.interrupts-between-steps")
def test_case_29_a_reaction_to_the_reaction_in_ones_own_activation() -> None:
    riposte = {"name": "Riposte", "parts": [{"trigger": "exchange_resolved", "reaction": True, "ad": 1}]}
    t = field(mover(14, at=(4, 1), ad=3, bears=9, powers=[riposte]), guard(), dice=(1,))
    go(t, "kael", "run", 1)
    answer(t, "0")
    assert question(t).actor == "kael"
    answer(t, "0")
    kael = t.state.actors["kael"]
    assert (kael.ready, kael.uses, kael.at) == (1, {}, (5, 1))
    assert farthest(t, "kael", "run") == 13
    assert acted(t, "kael") == [("run", "proactive"), ("power_exchange_resolved_reaction", "reactive")]
