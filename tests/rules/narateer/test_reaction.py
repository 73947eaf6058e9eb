"""Reactions: what is one, what opens it, what limits it, and what only looks like one."""

from __future__ import annotations

from typing import Any

import pytest
from fighters import duel, fighter, power
from scenes import acted, answer, happened, question, ready, refused, spent, table

import turnwright as tw
from turnwright.systems.narateer.events import ExchangeBegun, Hid, Hidden, Learned, PowerUsed

ANY_TIME = "narateer.reaction.any-time-its-trigger-occurs"
RIPOSTE = {"trigger": "exchange_resolved", "reaction": True, "ad": 1, "strike": True}
OPPORTUNITY = "opportunity_attack"


def riposte(name: str = "Riposte", **part: Any) -> dict[str, Any]:
    return power(name, RIPOSTE | part)


def offered(t: tw.Table) -> list[str]:
    """What the one who is asked may do, in words, apart from doing nothing."""
    if not t.waiting_on:
        return []
    return [option.label for option in question(t, "choose").question.options if option.id != "pass"]


# -- when


@pytest.mark.rule(ANY_TIME)
def test_a_reaction_is_offered_in_an_opponents_activation():
    t = duel(b={"powers": [riposte()]}, dice=(3, 4))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "no_response")
    assert t.state.active == "a"
    assert offered(t) == ["Riposte (Reaction)"]
    answer(t, "0")
    assert ready(t, "b") == 5


@pytest.mark.rule(ANY_TIME, "narateer.proactive.responses-and-reactions-exempt")
def test_case_29_a_reaction_in_ones_own_activation_between_two_steps():
    # a steps from Space to Space beside b, is struck at, answers it with a Power, and goes on.
    t = duel(
        a={"ad": 3, "powers": [riposte()], "strength": 2, "agility": 2, "melee": 0}, dice=(3, 2), rows=["." * 8] * 6
    )
    t.declare("a", "run", route=[(4, 3), (4, 4)])
    assert offered(t) == ["Opportunity Attack on A with sword"]
    answer(t, ("0", 0))
    assert t.state.active == "a"
    assert offered(t) == ["Riposte (Reaction)"]
    # The step is done: a stands where it led.
    assert t.state.actors["a"].at == (4, 3)
    answer(t, "0")
    # 3 AD less 1 for the Run and 1 for the Power; no proactive use of anything.
    assert ready(t, "a") == 1
    assert t.state.actors["a"].uses == {}
    # And the Run goes on to its end.
    assert t.state.actors["a"].at == (4, 4)
    assert spent(t, "a") == 4


@pytest.mark.rule(ANY_TIME)
def test_the_guide_says_in_which_order_simultaneous_reactions_come():
    def struck_at(order: tuple[str, ...]) -> list[str]:
        t = duel(others=(fighter("c", "blues", (3, 3)),), dice=(2, 2))
        t.declare("a", "walk", route=[(4, 3)])
        for one in ("b", "c"):
            asked = next(q for q in t.waiting_on if q.actor == one)
            t.answer(asked, (asked.options[-1], 0))
        asked = question(t, "order")
        assert (asked.who, asked.question.among) == ("guide", ("b", "c"))
        answer(t, order)
        return [e.actor for e in happened(t, ExchangeBegun)]

    assert struck_at(("c", "b")) == ["c", "b"]
    # Without a word of the guide's it is the order of the scene, which the question proposes.
    assert struck_at(("b", "c")) == ["b", "c"]


@pytest.mark.rule(ANY_TIME)
def test_nothing_but_their_cost_limits_how_many_reactions_are_taken():
    t = duel(a={"bears": 9}, b={"ready": 2}, dice=(2, 2))
    t.declare("a", "walk", route=[(4, 3), (4, 2), (4, 1)])
    answer(t, ("0", 0))
    answer(t, ("0", 0))
    # The third step could be struck at as well, and b has nothing left to pay for it.
    assert t.waiting_on == ()
    assert acted(t, "b") == [(OPPORTUNITY, "reactive")] * 2
    assert ready(t, "b") == 0


# -- what


@pytest.mark.rule("narateer.reaction.explicit-only", "narateer.reaction.power-trigger-names-event")
def test_of_two_powers_with_the_same_trigger_only_the_labelled_one_is_a_reaction():
    # The unlabelled one is offered too, as what it is: no Reaction (see the powers that only modify their event).
    t = duel(b={"powers": [riposte("Riposte"), power("Poise", {"trigger": "exchange_resolved", "move": 2})]}, dice=(3,))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "no_response")
    assert sorted(offered(t)) == ["Poise", "Riposte (Reaction)"]
    assert [label for label in offered(t) if "Reaction" in label] == ["Riposte (Reaction)"]


@pytest.mark.rule("narateer.reaction.explicit-only")
def test_nothing_becomes_a_reaction_by_being_described_as_one():
    t = duel()
    t.declare("a", "attack", target="b", boost=0)
    run_away = {"intent": "be away", "method": "I react by running away"}
    assert refused(lambda: t.interject("b", "attempt", **run_away))
    refused(lambda: t.declare("b", "attempt", **run_away))
    t.undo()
    assert "narateer.activation.proactive-only-in-own" in refused(lambda: t.declare("b", "attempt", **run_away))
    assert "narateer.reaction.explicit-only" in refused(
        lambda: t.declare("b", "power_exchange_resolved_reaction", power="Running Away")
    )


@pytest.mark.rule("narateer.reaction.full-trigger")
@pytest.mark.parametrize(
    ("at", "wall", "side", "open_to"),
    [
        ((4, 1), False, "reds", True),
        ((4, 3), False, "reds", False),  # it does not come within 2 m
        ((4, 1), True, "reds", False),  # b does not see it
        ((4, 1), False, "blues", False),  # it is no enemy
    ],
)
def test_every_part_of_a_trigger_must_hold(at: tuple[int, int], wall: bool, side: str, open_to: bool):
    watch = power(
        "Watchful",
        {"trigger": "stepped", "reaction": True, "clauses": ["enemy moves", "within 2 m", "sees it"], "move": 2},
    )
    b = fighter("b", "blues", (5, 2), powers=[watch], ready=0)
    walls = [{"between": [[5, 1], [5, 2]]}, {"between": [[4, 1], [4, 2]]}, {"between": [[4, 2], [5, 2]]}]
    goal = (4, 1) if at == (4, 1) else (4, 4)
    t = table(
        fighter("a", side, (4, 0) if goal == (4, 1) else (3, 4)),
        b,
        rows=["........"] * 6,
        map_={"walls": walls if wall else []},
        begin="a",
    )
    t.declare("a", "walk", route=[goal])
    assert bool(offered(t)) is open_to


@pytest.mark.rule("narateer.reaction.full-trigger")
@pytest.mark.parametrize(("sense", "open_to"), [("sight", True), ("tremor", False)])
def test_a_trigger_that_must_be_seen_is_not_open_to_whoever_only_feels_it(sense: str, open_to: bool):
    watch = power("Watchful", {"trigger": "stepped", "reaction": True, "clauses": ["sees it"], "move": 2})
    t = table(
        fighter("a", "reds", (0, 0)),
        fighter("b", "blues", (5, 2), powers=[watch], ready=0, senses={sense: 40}),
        begin="a",
    )
    t.declare("a", "walk", route=[(1, 0)])
    assert bool(offered(t)) is open_to


@pytest.mark.rule("narateer.reaction.power-trigger-names-event")
def test_a_power_waits_for_exactly_the_event_that_its_trigger_names():
    t = duel(b={"powers": [riposte()]}, dice=(3,))
    t.declare("a", "attack", target="b", boost=0)
    # The Exchange has begun, and the first question is the Response: nothing was offered at the beginning.
    assert question(t).question.about == "response"
    answer(t, "no_response")
    assert offered(t) == ["Riposte (Reaction)"]
    early = duel(b={"powers": [riposte(trigger="exchange_initiated")]}, dice=(3,))
    early.declare("a", "attack", target="b", boost=0)
    assert offered(early) == ["Riposte (Reaction)"]
    answer(early, "pass")
    answer(early, "no_response")
    assert early.waiting_on == ()


@pytest.mark.rule("narateer.reaction.power-trigger-names-event")
def test_declared_at_any_other_time_it_says_which_event_it_waits_for():
    t = duel(a={"powers": [riposte()]})
    why = refused(lambda: t.declare("a", "power_exchange_resolved_reaction", power="Riposte"))
    assert "exchange resolved" in why["narateer.reaction.power-trigger-names-event"]


@pytest.mark.rule("narateer.reaction.full-trigger")
@pytest.mark.parametrize(("clause", "after_hit", "after_miss"), [("hit", True, False), ("not hit", False, True)])
def test_a_power_may_wait_for_a_hit_or_for_a_miss(clause: str, after_hit: bool, after_miss: bool):
    for total, expected in ((12, after_hit), (3, after_miss)):
        t = duel(b={"powers": [riposte(clauses=[clause])]}, dice=(total,))
        t.declare("a", "attack", target="b", boost=0)
        answer(t, "no_response")
        assert bool(offered(t)) is expected


@pytest.mark.rule("narateer.reaction.modifier-power-is-not-reaction")
@pytest.mark.parametrize(("label", "usable"), [(False, True), (True, False)])
def test_a_power_that_adds_to_a_hit_is_a_reaction_only_where_it_says_so(label: bool, usable: bool):
    cut = power("Deep Cut", {"trigger": "hit", "role": "attacker", "wounds": 2, "reaction": label})
    t = duel(a={"powers": [cut], "conditions": ["stunned"]}, b={"ready": 0, "bears": 9}, dice=(12,))
    t.declare("a", "attack", target="b", boost=0)
    if usable:
        assert offered(t) == ["Deep Cut"]
        answer(t, "0")
        assert acted(t, "a") == [("attack", "proactive")]
    # 1 Wound for the sword, and 2 more where the Power was usable.
    assert t.state.actors["b"].wounds == (3 if usable else 1)
    assert [e.power for e in happened(t, PowerUsed)] == (["Deep Cut"] if usable else [])


@pytest.mark.rule("narateer.reaction.is-separate-triggered-action")
def test_an_opportunity_attack_is_an_action_of_its_own_and_a_full_guard_is_none():
    t = duel(dice=(2, 9, 3))
    t.declare("a", "walk", route=[(4, 3)])
    answer(t, ("0", 0))
    assert acted(t, "b") == [(OPPORTUNITY, "reactive")]
    assert t.state.actors["b"].uses == {}
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "full_guard")
    assert acted(t, "b") == [(OPPORTUNITY, "reactive")]


# -- at what cost


@pytest.mark.rule("narateer.reaction.own-timing-and-cost")
def test_a_reaction_costs_what_its_own_rule_says_and_nothing_for_a_tier():
    powers = [riposte(f"for {cost}", ad=cost, strike=False, move=2) for cost in (0, 1, 2)]
    t = duel(b={"powers": powers, "ready": 1}, dice=(3,))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "no_response")
    assert offered(t) == ["for 0 (Reaction)", "for 1 (Reaction)"]
    free = next(o.id for o in question(t).question.options if o.label == "for 0 (Reaction)")
    answer(t, free)
    assert ready(t, "b") == 1


@pytest.mark.rule("narateer.reaction.own-timing-and-cost")
def test_an_opportunity_attack_costs_the_base_attack_cost_of_the_weapon_it_is_made_with():
    arms = [{"name": "greatsword", "base_attack_cost": 2}]
    t = duel(b={"weapons": arms, "ready": 2}, dice=(2,))
    t.declare("a", "walk", route=[(4, 3)])
    assert [o.price.amount("ad") for o in question(t).question.options] == [0, 2]
    answer(t, ("0", 0))
    assert ready(t, "b") == 0


@pytest.mark.rule("narateer.reaction.own-timing-and-cost")
def test_whoever_cannot_pay_for_the_weapon_can_still_strike_with_bare_hands():
    arms = [{"name": "greatsword", "base_attack_cost": 2}]
    t = duel(b={"weapons": arms, "ready": 1}, dice=(2,))
    t.declare("a", "walk", route=[(4, 3)])
    assert offered(t) == ["Opportunity Attack on A with unarmed"]


# -- what limits it


def hidden_walk(seat: str) -> tw.Table:
    """a walks through a thicket, two Spaces away from b's spear, once hidden from b and once not."""
    return table(
        fighter("a", "reds", (4, 0)),
        fighter("b", "blues", (5, 2), weapons=[{"name": "spear", "reach": 2}], seat=seat, ready=2),
        rows=[",,,,,,,,,,", "..........", "..........", ".........."],
        legend={",": {"name": "thicket", "conceals": ["sight"]}},
        seats=[{"id": "ann"}],
        dice=(2, 2),
        begin="a",
    )


@pytest.mark.rule("narateer.reaction.limiting-factors")
@pytest.mark.parametrize("seat", ["guide", "ann"])
def test_nobody_reacts_to_a_step_that_they_are_not_aware_of(seat: str):
    t = hidden_walk(seat)
    # b remembers where a was last, and takes that for the truth.
    t.override([Learned("", "a", "b", at=(4, 0)), Hid("", "a", 15, ("b",))], "a has crept in")
    t.declare("a", "walk", route=[(5, 0), (6, 0)])
    if t.waiting_on and t.waiting_on[0].kind == "confirm":
        answer(t, True)
    assert t.waiting_on == ()
    assert t.state.relation(Hidden, "a", "b") is not None
    assert ready(t, "b") == 2


@pytest.mark.rule("narateer.reaction.limiting-factors")
@pytest.mark.parametrize("seat", ["guide", "ann"])
def test_whoever_knows_where_the_mover_is_can_react(seat: str):
    t = table(
        fighter("a", "reds", (4, 0)),
        fighter("b", "blues", (5, 2), weapons=[{"name": "spear", "reach": 2}], seat=seat, ready=2),
        seats=[{"id": "ann"}],
        dice=(2, 2),
        begin="a",
    )
    t.declare("a", "walk", route=[(5, 0)])
    assert question(t).who == seat
    assert offered(t) == ["Opportunity Attack on A with spear"]


@pytest.mark.rule("narateer.reaction.limiting-factors")
def test_nobody_reacts_out_of_position():
    far = duel(a={"weapons": [{"name": "spear", "reach": 2}], "at": (3, 2)}, b={"powers": [riposte()]}, dice=(3,))
    far.declare("a", "attack", target="b", boost=0)
    answer(far, "no_response")
    assert far.waiting_on == ()
    assert ready(far, "b") == 6


@pytest.mark.rule("narateer.reaction.limiting-factors")
def test_the_fiction_can_forbid_a_reaction_by_the_guides_word_and_it_costs_nothing():
    t = duel(b={"powers": [riposte()], "ready": 2}, dice=(3,), table_mode="confirm")
    if t.waiting_on:
        answer(t, 0)
    t.declare("a", "attack", target="b", boost=0)
    answer(t, 0, kind="rule")
    answer(t, "no_response")
    answer(t, "0")
    answer(t, {"kind": "impossible", "obstacle": "the portcullis has fallen between them"}, kind="rule")
    assert ready(t, "b") == 2
    assert acted(t, "b") == []


@pytest.mark.rule("narateer.reaction.limiting-factors")
@pytest.mark.parametrize(("wall", "open_to"), [(False, True), (True, False)])
def test_a_witness_must_be_aware_of_what_it_reacts_to(wall: bool, open_to: bool):
    cry = power("Rally", {"trigger": "exchange_resolved", "role": "witness", "reaction": True, "move": 2})
    t = table(
        fighter("a", "reds", (1, 1)),
        fighter("b", "blues", (2, 1), ready=0),
        fighter("c", "blues", (7, 1), powers=[cry]),
        rows=[f"....{'#' if wall else '.'}....." for _ in range(3)],
        dice=(3,),
        begin="a",
    )
    t.declare("a", "attack", target="b", boost=0)
    assert bool(offered(t)) is open_to


@pytest.mark.rule("narateer.reaction.limiting-factors")
def test_whoever_is_down_takes_no_reactions():
    t = duel(b={"bears": 1, "powers": [riposte()]}, dice=(12,))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "no_response")
    assert t.state.actors["b"].down
    assert t.waiting_on == ()


# -- steps past several opponents


@pytest.mark.rule("narateer.reaction.full-trigger", "narateer.opportunity.trigger")
def test_case_30_each_opponent_reacts_to_the_steps_within_its_own_reach():
    # b at (3, 1) reaches the first two Spaces of the way, c at (5, 2) the last two.
    t = table(
        fighter("a", "reds", (2, 3)),
        fighter("b", "blues", (3, 1)),
        fighter("c", "blues", (5, 2)),
        rows=["." * 8] * 6,
        begin="a",
    )
    t.declare("a", "walk", route=[(3, 2), (4, 2), (5, 3)])
    triggers = []
    while t.waiting_on:
        assert len(t.waiting_on) == 1
        triggers.append((question(t).actor, t.state.actors["a"].at))
        answer(t, "pass")
    assert triggers == [("b", (4, 2)), ("c", (5, 3))]


@pytest.mark.rule("narateer.reaction.limiting-factors", "narateer.opportunity.trigger")
def test_case_30_a_creature_that_the_mover_is_hidden_from_has_no_trigger():
    t = hidden_walk("guide")
    t.override([Hid("", "a", 15, ("b",))], "a has crept in")
    t.declare("a", "walk", route=[(5, 0)])
    assert t.waiting_on == ()


# -- boosted, and nested


@pytest.mark.rule("narateer.boost.any-skill-check", "narateer.reaction.own-timing-and-cost")
def test_the_blow_of_a_riposte_can_be_boosted_like_any_check():
    t = duel(b={"powers": [riposte()]}, dice=(3, (2, 2, 1)))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "no_response")
    assert [o.most for o in question(t).question.options] == [0, 2]
    answer(t, ("0", 2))
    # 1 AD for the Power and 2 beyond it; three dice show 5, with Melee 2 that is 7 against 3 + 2.
    assert ready(t, "b") == 3
    assert t.state.actors["a"].wounds == 1


@pytest.mark.rule(ANY_TIME)
def test_a_riposte_to_a_riposte_ends_when_nobody_pays_any_more():
    t = duel(a={"powers": [riposte()], "ad": 2}, b={"powers": [riposte()], "ready": 2}, dice=(3, 3, 3, 3))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "no_response")
    asked = []
    while t.waiting_on:
        asked.append(question(t).actor)
        answer(t, "0")
    # b has 2 AD for two of them, a has 1 left after the attack.
    assert asked == ["b", "a", "b"]
    assert (ready(t, "a"), ready(t, "b")) == (0, 0)
    assert len(happened(t, ExchangeBegun)) == 4


@pytest.mark.rule(ANY_TIME)
def test_two_reactions_to_the_same_trigger_can_both_be_taken_by_whoever_can_pay_for_both():
    powers = [riposte("High"), riposte("Low")]
    t = duel(a={"bears": 9}, b={"powers": powers, "ready": 2}, dice=(3, 2, 2))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "no_response")
    answer(t, question(t).options[1])
    assert offered(t) == ["Low (Reaction)"]
    answer(t, question(t).options[1])
    assert ready(t, "b") == 0


@pytest.mark.rule("narateer.reaction.limiting-factors")
def test_the_question_to_one_reactor_tells_nothing_of_another():
    alone = duel(b={"ready": 0}, others=(fighter("c", "blues", (3, 3)),))
    alone.declare("a", "walk", route=[(4, 3)])
    beside = duel(others=(fighter("c", "blues", (3, 3)),))
    beside.declare("a", "walk", route=[(4, 3)])
    first = next(q.question for q in alone.waiting_on if q.actor == "c")
    second = next(q.question for q in beside.waiting_on if q.actor == "c")
    assert first == second


# -- an answer to an answer


def grudges(ad: int = 0, die: int = 1, bears: int = 99, **settings: Any) -> tw.Table:
    """Both strike back at whoever struck at them, always, for so many AD a time."""

    def back() -> dict[str, Any]:
        waits = {"trigger": "exchange_resolved", "role": "target", "reaction": True}
        return power("Grudge", {**waits, "strike": True, "ad": ad})

    return duel(
        a={"powers": [back()], "bears": bears, "ad": 6, "seat": "ann"},
        b={"powers": [back()], "bears": bears, "ad": 3, "seat": "ben"},
        seats=[{"id": "ann"}, {"id": "ben"}],
        dice=(die,) * 30,
        standing={"ann power_exchange_resolved_reaction": "always", "ben power_exchange_resolved_reaction": "always"},
        **({"settings": settings} if settings else {}),
    )


def strikes(t: tw.Table) -> list[str]:
    t.declare("a", "attack", target="b", weapon="sword", boost=0)
    if t.waiting_on:
        answer(t, "no_response")
    return [exchange.actor for exchange in happened(t, ExchangeBegun)]


@pytest.mark.rule("narateer.reaction.any-time-its-trigger-occurs")
def test_two_who_strike_back_for_nothing_come_to_an_end():
    """The first answers the blow, the second the answer; the first has used its own within what it brought about."""
    assert strikes(grudges()) == ["a", "b", "a"]  # X without end


@pytest.mark.rule("narateer.reaction.any-time-its-trigger-occurs")
def test_what_has_a_stated_cost_has_no_other_cap():
    """b has 3 AD and strikes back three times for 1 AD each; a has 5 left after its attack and answers each time."""
    assert strikes(grudges(ad=1)) == ["a", *("b", "a") * 3]


@pytest.mark.rule("narateer.reaction.any-time-its-trigger-occurs")
def test_a_setting_lets_them_go_on_until_somebody_is_down():
    """Every blow hits for 1 Wound and both bear 3, so that the third one at b, the fifth in all, is the last."""
    assert strikes(grudges(die=12, bears=3, free_again=True)) == ["a", "b", "a", "b", "a"]
    assert strikes(grudges(die=12, bears=3)) == ["a", "b", "a"]


@pytest.mark.rule("narateer.reaction.any-time-its-trigger-occurs")
def test_the_next_blow_opens_it_anew():
    t = grudges()
    t.override({"a.uses": {}}, "nothing")
    assert strikes(t) == ["a", "b", "a"]
    assert strikes(t) == ["a", "b", "a"] * 2
