"""Class Powers and movement: what they require of it, the AD of their own, and their own checks."""

from __future__ import annotations

from typing import Any

import pytest
from fighters import duel, fighter, power
from scenes import acted, answer, character, happened, ready, refused, scene_text, spent, table

import turnwright as tw
from turnwright.events import Told
from turnwright.systems.narateer.events import Checked, ExchangeBegun, ExchangeEnded, MovementGranted, PowerUsed

KINDS = "narateer.power.movement-requirement-kinds"
SPRINT = "narateer.power.sprint-requirement"
NAMED = "narateer.power.named-sprint-requirement"
EXTRA = "narateer.power.extra-ad-adds-no-distance"
OWN_CHECK = "narateer.power.may-add-own-check"

NEEDS: dict[str, dict[str, Any]] = {
    "sprint": {"sprint": True},
    "athletics sprint": {"sprint": "athletics"},
    "acrobatics sprint": {"sprint": "acrobatics"},
    "10 m": {"distance": 10},
    "5 m left": {"remaining": 5},
    "the wall": {"route": "wall walk"},
    "1 AD": {"ad": 1},
}


def runner(*powers: dict[str, Any], at: Any = (0, 1), **keys: Any) -> dict[str, Any]:
    """BM 14 and Athletics 4: a Sprint of 50 m."""
    sheet: dict[str, Any] = {"strength": 2, "agility": 4, "skills": {"athletics": 4}}
    return character("a", "heroes", at, **(sheet | keys), powers=list(powers))


def alone(*powers: dict[str, Any], dice: tuple[Any, ...] = (), rows: list[str] | None = None, **keys: Any) -> tw.Table:
    legend = {"w": {"name": "wall walk", "place": "wall walk"}}
    return table(runner(*powers, **keys), rows=rows or ["." * 30] * 3, legend=legend, dice=dice, begin="a")


def steps(*xs: int, y: int = 1) -> list[tuple[int, int]]:
    """A straight way along a row, from one x to another."""
    first, last = xs
    way = range(first, last + 1) if first <= last else range(first, last - 1, -1)
    return [(x, y) for x in way]


def open_powers(t: tw.Table) -> set[str]:
    return {o.declaration.option("power") for o in t.offers("a") if o.action == "use_power" and o.verdict == "legal"}


@pytest.mark.rule(KINDS, SPRINT, NAMED)
def test_each_kind_of_requirement_is_judged_by_itself_in_the_middle_of_an_athletics_sprint():
    # BM 8 - 4 by the load = 4; Athletics 3: a Sprint of 4 x 3 + 6 = 18 m. 12 m moved, 6 m left.
    powers = [power(name, {"move": 1}, **needs) for name, needs in NEEDS.items()]
    t = table(
        character("a", "heroes", (0, 1), skills={"athletics": 3}, ad=3, encumbrance="laden", powers=powers),
        rows=["..........", "...wwwwwww", ".........."],
        legend={"w": {"name": "boards", "place": "wall walk"}},
        encumbrance_states={"laden": {"amount": -4}},
        begin="a",
    )
    # Before it, only what asks nothing of the movement holds.
    assert open_powers(t) == {"1 AD"}
    t.declare("a", "sprint", skill="athletics", route=steps(1, 6))
    mover = t.state.actors["a"]
    assert (mover.travelled, spent(t, "a"), ready(t, "a")) == (12, 12, 1)
    assert open_powers(t) == {"sprint", "athletics sprint", "10 m", "5 m left", "the wall", "1 AD"}
    # One metre of it more, and each of the measured ones fails.
    t.declare("a", "sprint", route=steps(7, 7))
    assert "5 m left" not in open_powers(t)
    t.override({"a.ready": 0}, "the last AD is gone")
    assert "1 AD" not in open_powers(t)


@pytest.mark.rule(KINDS)
def test_a_minimum_distance_is_measured_in_metres_travelled_and_not_in_allowance_spent():
    mud = {"~": {"name": "mud", "difficult": ["mud"]}}
    t = table(
        runner(power("Headlong", {"move": 1}, distance=10)),
        rows=["." * 10, "." + "~" * 9, "." * 10],
        legend=mud,
        begin="a",
    )
    t.declare("a", "run", route=steps(1, 4))
    # 4 Spaces of mud are 8 m travelled and 16 m spent.
    assert (t.state.actors["a"].travelled, spent(t, "a")) == (8, 16)
    why = refused(lambda: t.declare("a", "use_power", power="Headlong"))
    assert KINDS in why
    t.declare("a", "run", route=steps(5, 5))
    t.declare("a", "use_power", power="Headlong")
    assert [e.power for e in happened(t, PowerUsed)] == ["Headlong"]


@pytest.mark.rule(SPRINT)
def test_a_run_is_no_sprint_and_neither_is_additional_movement():
    leap = power("Leap", {"move": 4}, sprint=True)
    ran = alone(leap)
    ran.declare("a", "run", route=steps(1, 14))
    assert spent(ran, "a") == 28
    assert SPRINT in refused(lambda: ran.declare("a", "use_power", power="Leap"))

    sprinted = alone(leap)
    sprinted.declare("a", "sprint", skill="athletics", route=steps(1, 2))
    assert ready(sprinted, "a") == 4
    sprinted.declare("a", "use_power", power="Leap")
    assert [e.metres for e in happened(sprinted, MovementGranted)] == [4]

    granted = alone(leap)
    granted.override([MovementGranted("", "a", 10)], "a gust of wind")
    assert SPRINT in refused(lambda: granted.declare("a", "use_power", power="Leap"))


@pytest.mark.rule(NAMED)
def test_the_skill_that_governs_a_sprint_is_not_changed_by_a_check_made_on_the_way():
    t = table(
        runner(
            power("Bull Rush", {"move": 1}, sprint="athletics"),
            power("Wall Run", {"move": 1}, sprint="acrobatics"),
            skills={"athletics": 4, "acrobatics": 2},
        ),
        rows=["." * 12] * 3,
        obstacles=[
            {
                "at": [3, 1],
                "name": "beam",
                "skill": "acrobatics",
                "target": 5,
                "failure": "a fall",
                "consequence": "stop",
            }
        ],
        dice=(9,),
        begin="a",
    )
    t.declare("a", "sprint", skill="athletics", route=steps(1, 6))
    answer(t, "try")
    assert [e.skill for e in happened(t, Checked)] == ["acrobatics"]
    assert open_powers(t) == {"Bull Rush"}
    assert NAMED in refused(lambda: t.declare("a", "use_power", power="Wall Run"))


@pytest.mark.rule(NAMED)
def test_an_acrobatics_sprint_is_no_athletics_sprint():
    rows = ["." * 12, "b" * 12, "." * 12]
    t = table(
        runner(
            power("Bull Rush", {"move": 1}, sprint="athletics"),
            power("Wall Run", {"move": 1}, sprint="acrobatics"),
            skills={"athletics": 4, "acrobatics": 4},
        ),
        rows=rows,
        legend={"b": {"name": "beam", "tags": ["balance"]}},
        begin="a",
    )
    t.declare("a", "sprint", skill="acrobatics", route=steps(1, 6))
    assert open_powers(t) == {"Wall Run"}


@pytest.mark.rule(EXTRA)
def test_case_26_the_ad_of_a_power_add_nothing_to_the_sprint():
    # BM 14, Athletics 4: 42 + 8 = 50 m. Sprint 2 AD, the Power 2 of its own, of 5.
    t = alone(power("Comet", {"wounds": 0}, sprint=True, ad=2), ad=5)
    t.declare("a", "sprint", skill="athletics", route=steps(1, 10))
    t.declare("a", "use_power", power="Comet")
    assert ready(t, "a") == 1
    # 50 m: 25 Spaces. X: 54 m, as if the Power's 2 AD were Skill Levels.
    refused(lambda: t.declare("a", "sprint", route=steps(11, 26)))
    t.declare("a", "sprint", route=steps(11, 25))
    assert spent(t, "a") == 50


@pytest.mark.rule(EXTRA)
def test_the_price_of_a_power_says_what_is_its_own():
    t = alone(power("Comet", {"ad": 1}, sprint=True, ad=2))
    t.declare("a", "sprint", skill="athletics", route=steps(1, 2))
    price = t.explain("a", "use_power", power="Comet").price
    assert [(item.amount, item.why) for item in price.costs] == [(1, "Comet"), (2, "Comet: AD of its own")]
    assert price.amount("ad") == 3


@pytest.mark.rule(EXTRA, KINDS)
def test_a_power_that_cannot_be_paid_for_is_refused_and_the_sprint_stays_what_it_is():
    t = alone(power("Comet", {"ad": 1}, sprint=True, ad=2), ad=4)
    t.declare("a", "sprint", skill="athletics", route=steps(1, 2))
    assert list(refused(lambda: t.declare("a", "use_power", power="Comet"))) == ["narateer.activation.ready-ad-pays"]
    assert ready(t, "a") == 2
    assert happened(t, PowerUsed) == []


HURDLE = {"check": "athletics", "target": 8, "success": "clean over the cart", "failure": "a graze", "move": 4}


@pytest.mark.rule(OWN_CHECK)
@pytest.mark.parametrize(
    ("total", "told", "granted"), [(7, ("a graze", False), []), (8, ("clean over the cart", True), [4])]
)
def test_the_check_of_a_power_settles_the_power_and_never_the_sprint(total: int, told: Any, granted: list[int]):
    t = alone(power("Hurdle", HURDLE, sprint=True), dice=(total,))
    t.declare("a", "sprint", skill="athletics", route=steps(1, 5))
    t.declare("a", "use_power", power="Hurdle", boost=0)
    assert [(e.text, e.good) for e in happened(t, Told)] == [told]
    assert [e.metres for e in happened(t, MovementGranted)] == granted
    mover = t.state.actors["a"]
    assert (mover.mode, mover.sprint_skill, mover.conditions, mover.wounds) == ("sprint", "athletics", (), 0)
    # All 50 m are still there: 10 used, 40 left.
    t.declare("a", "sprint", route=steps(6, 25))
    assert spent(t, "a") == 50


@pytest.mark.rule(OWN_CHECK, "narateer.proactive.each-use-consumes-one")
def test_the_check_of_a_proactive_power_is_a_use_of_its_skill():
    t = alone(power("Hurdle", HURDLE, sprint=True), skills={"athletics": 0}, dice=(9,))
    t.declare("a", "sprint", skill="athletics", route=steps(1, 2))
    # The Sprint took the one use that Athletics 0 leaves.
    assert "narateer.proactive.limit-formula" in refused(lambda: t.declare("a", "use_power", power="Hurdle", boost=0))


@pytest.mark.rule(OWN_CHECK)
@pytest.mark.parametrize(("total", "result"), [(13, "failed"), (14, "used")])
def test_a_contested_power_must_exceed_the_readiness_score_of_whom_it_is_aimed_at(total: int, result: str):
    trip = power("Trip", {"check": "athletics", "failure": "b stays up"})
    t = duel(a={"powers": [trip]}, b={"readiness": {"athletics": 13}}, dice=(total,))
    t.declare("a", "use_power", power="Trip", target="b", boost=0)
    assert t.outcome.result == result


@pytest.mark.rule(OWN_CHECK)
def test_the_check_of_a_power_can_be_boosted_and_rolls_one_die_whatever_the_power_costs():
    t = alone(power("Hurdle", HURDLE | {"ad": 3}, sprint=True), dice=((2, 3),), ad=8)
    t.declare("a", "sprint", skill="athletics", route=steps(1, 2))
    t.declare("a", "use_power", power="Hurdle", boost=1)
    assert [(e.dice, e.total) for e in happened(t, Checked)] == [(2, 2 + 3 + 4)]
    # 2 for the Sprint, 3 for the Power, 1 beyond it.
    assert ready(t, "a") == 2


@pytest.mark.rule(KINDS, "narateer.attack.harm-uses-exchange")
def test_a_power_can_strike_of_its_users_own_accord_after_a_charge():
    charge = power("Charge", {"strike": True, "ad": 1, "totals": 2, "wounds": 1}, sprint="athletics", distance=8)
    t = table(
        fighter("a", "reds", (0, 1), powers=[charge]),
        fighter("b", "blues", (6, 1), ready=0),
        rows=["." * 12] * 3,
        dice=(6,),
        begin="a",
    )
    assert NAMED in refused(lambda: t.declare("a", "use_power", power="Charge", target="b", boost=0))
    t.declare("a", "sprint", skill="athletics", route=steps(1, 5))
    t.declare("a", "use_power", power="Charge", target="b", boost=0)
    assert [e.actor for e in happened(t, ExchangeBegun)] == ["a"]
    assert acted(t, "a") == [("sprint", "proactive"), ("use_power", "proactive")]
    assert t.state.actors["a"].uses == {"athletics": 1, "melee": 1}
    # The sword's Wound and one more; 2 AD for the Sprint and 1 for the Power.
    assert t.state.actors["b"].wounds == 2
    assert ready(t, "a") == 3


@pytest.mark.rule(KINDS, "narateer.response.power-inside-response")
def test_a_requirement_holds_for_a_power_in_a_response_as_well():
    wall = power("Steel Wall", {"attaches_to": "full_guard", "totals": 3}, route="step")
    for at, open_to in (((5, 2), False), ((5, 3), True)):
        t = duel(
            b={"powers": [wall], "at": at},
            rows=["." * 8, "." * 8, "." * 8, ".....s..", "." * 8],
            legend={"s": {"name": "stair", "tags": ["step"]}},
        )
        t.declare("a", "attack", target="b", boost=0)
        options = t.waiting_on[0].options
        assert ("full_guard+Steel Wall" in options) is open_to


@pytest.mark.rule(KINDS)
@pytest.mark.parametrize(("at", "open_to"), [((5, 2), False), ((5, 3), True)])
def test_a_requirement_holds_for_a_reaction_as_well(at: tuple[int, int], open_to: bool):
    high_ground = power("High Ground", {"trigger": "exchange_resolved", "reaction": True, "move": 2}, route="step")
    t = duel(
        b={"powers": [high_ground], "at": at, "ready": 0},
        rows=["." * 8, "." * 8, "." * 8, ".....s..", "." * 8],
        legend={"s": {"name": "stair", "tags": ["step"]}},
        dice=(3,),
    )
    t.declare("a", "attack", target="b", boost=0)
    assert bool(t.waiting_on) is open_to


@pytest.mark.rule(KINDS)
def test_an_unknown_power_is_refused_by_name():
    t = alone(power("Comet", {"move": 1}))
    assert "Meteor" in " ".join(refused(lambda: t.declare("a", "use_power", power="Meteor")).values())
    assert refused(lambda: t.declare("a", "use_power"))


# -- what a part attaches to


MODIFIES = "narateer.reaction.modifier-power-is-not-reaction"


@pytest.mark.rule(MODIFIES)
@pytest.mark.parametrize(("stunned", "label", "asked"), [(True, False, True), (True, True, False), (False, True, True)])
def test_a_part_that_modifies_an_exchange_at_its_beginning_is_no_reaction_unless_it_says_so(stunned, label, asked):
    steady = power("Steady", {"trigger": "exchange_initiated", "totals": 2, "reaction": label})
    t = duel(b={"powers": [steady], "conditions": ["stunned"] if stunned else [], "ready": 0}, dice=(6,))
    t.declare("a", "attack", target="b", boost=0)
    assert bool(t.waiting_on) is asked
    if asked:
        answer(t, "0")
    # 6 exceeds Melee 2's Readiness Score of 5, and not 5 + 2.
    assert t.state.actors["b"].wounds == (0 if asked else 1)
    assert acted(t, "b") == ([("power_exchange_initiated_reaction", "reactive")] if asked and label else [])


@pytest.mark.rule(MODIFIES)
def test_the_attacker_may_modify_the_attack_that_it_begins():
    aim = power("Aim", {"trigger": "exchange_initiated", "role": "attacker", "totals": 2, "ad": 1})
    t = duel(a={"powers": [aim]}, b={"ready": 0}, dice=((2,),))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "0")
    # A 2, Melee 2 and the Power's 2 exceed the Readiness Score of 5; the Base Attack Cost and the Power's 1.
    assert (t.state.actors["b"].wounds, ready(t, "a")) == (1, 4)


@pytest.mark.rule(MODIFIES)
@pytest.mark.parametrize(("total", "hit"), [(7, ""), (8, "b")])
def test_what_modifies_an_exchange_counts_for_a_full_guard_as_well(total, hit):
    steady = power("Steady", {"trigger": "exchange_initiated", "totals": 2})
    t = duel(b={"powers": [steady]}, dice=((3,), total))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "0")
    answer(t, ("full_guard", 0))
    # A 3, Melee 2 and the Power's 2: the attack must exceed 7.
    assert [e.hit for e in happened(t, ExchangeEnded)] == [hit]


@pytest.mark.rule("narateer.response.power-inside-response", "narateer.additional.separate-from-normal")
def test_what_a_part_of_a_response_brings_comes_with_the_response():
    slip = power("Slip", {"attaches_to": "full_guard", "move": 4, "ad": 1})
    t = duel(b={"powers": [slip], "conditions": ["stunned"]}, dice=(9, 3))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, ("full_guard+Slip", 0))
    assert (t.state.actors["b"].extra, ready(t, "b"), acted(t, "b")) == (4, 4, [])


@pytest.mark.rule(KINDS)
@pytest.mark.parametrize(("total", "conditions"), [(6, ("prone",)), (3, ())])
def test_a_blow_of_a_power_may_put_a_condition_on_whom_it_hits(total, conditions):
    sweep = power("Sweep", {"strike": True, "condition": "prone"})
    t = duel(a={"powers": [sweep]}, b={"ready": 0}, dice=(total,))
    t.declare("a", "use_power", power="Sweep", target="b", boost=0)
    assert t.state.actors["b"].conditions == conditions
    assert t.state.actors["a"].conditions == ()


@pytest.mark.rule("narateer.response.three-options")
def test_a_power_can_take_tempo_until_the_activation_ends():
    pressure = power("Pressure", {"trigger": "exchange_resolved", "reaction": True, "tempo": "take"})
    t = duel(b={"powers": [pressure], "ready": 0}, dice=(3,))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "0")
    # a has lost Tempo and begins no other Exchange of its own accord in this Activation.
    assert "narateer.response.three-options" in refused(lambda: t.declare("a", "attack", target="b", boost=0))
    t.declare("a", "end")
    t.declare("b", "begin")
    t.declare("b", "end")
    t.declare("a", "begin")
    assert t.explain("a", "attack", target="b").verdict == "legal"


@pytest.mark.rule(OWN_CHECK)
def test_a_contested_power_needs_somebody_to_contest_it():
    trip = power("Trip", {"check": "athletics", "condition": "prone"})
    t = duel(a={"powers": [trip]}, dice=(14,))
    assert {o.declaration.target for o in t.offers("a") if o.action == "use_power"} == {"b"}
    refused(lambda: t.declare("a", "use_power", power="Trip", boost=0))
    t.declare("a", "use_power", power="Trip", target="b", boost=0)
    assert t.state.actors["b"].conditions == ("prone",)


@pytest.mark.rule("narateer.equipment.opportunity-without-bonus")
def test_a_power_may_change_the_scene():
    bar = power("Bar the way", {"ad": 1, "sets": {"barricade": "a cart lies across the lane"}})
    t = alone(bar)
    t.declare("a", "use_power", power="Bar the way")
    assert t.state.facts["barricade"].text == "a cart lies across the lane"
    assert ready(t, "a") == 5


# -- what a scene file may not say


@pytest.mark.parametrize(
    ("part", "key", "words"),
    [
        ({"reaction": True}, "reaction", "a trigger"),
        ({"attaches_to": "full_guard", "trigger": "hit"}, "trigger", "no trigger"),
        ({"attaches_to": "clash", "trigger": "hit", "reaction": True}, "trigger", "exchange_resolved or nothing"),
        ({"attaches_to": "clash", "strike": True}, "strike", "part of a Response"),
        ({"trigger": "stepped", "role": "target"}, "role", "mover or witness"),
        ({"trigger": "hit", "role": "mover"}, "role", "mover only of stepped"),
        ({"trigger": "hit", "clauses": ["enemy moves"]}, "clauses[0]", "trigger: stepped"),
        ({"clauses": ["sees it"]}, "clauses", "together with a trigger"),
        ({"trigger": "hit", "clauses": ["within 5 miles"]}, "clauses[0]", "within"),
        ({"totals": 2}, "totals", "together with strike"),
        ({"trigger": "stepped", "wounds": 2}, "wounds", "trigger: hit"),
        ({"move": 2, "failure": "a graze"}, "failure", "together with check"),
        ({"strike": True, "condition": "prnoe"}, "condition", 'did you mean "prone"?'),
        ({"trigger": "stepped", "at": "ally", "ends": "prone"}, "at", "yes or no"),
        ({"trigger": "exchange_initiated", "role": "witness", "totals": 1}, "totals", "target or attacker"),
        ({"strik": True}, "strik", 'did you mean "strike"?'),
        ({"trigger": "exchange_resolve"}, "trigger", 'did you mean "exchange_resolved"?'),
    ],
)
def test_a_part_that_makes_no_sense_is_named_with_its_line(part, key, words):
    text = scene_text(runner(power("Comet", part)))
    with pytest.raises(tw.BadScene) as found:
        tw.read_scene(text, "powers.yaml")
    (problem,) = found.value.problems
    assert problem.key == f"characters[0].powers[0].parts[0].{key}"
    assert words in str(problem)
    assert key.split("[")[0] in text.splitlines()[problem.line - 1]


def test_a_power_has_a_part_a_name_of_its_own_and_a_route_that_there_is():
    text = scene_text(
        runner(power("Comet", {"move": 1}, route="wal walk"), power("Comet", {"move": 1}), power("Idle")),
        rows=["w" * 4] * 3,
        legend={"w": {"name": "wall walk"}},
    )
    with pytest.raises(tw.BadScene) as found:
        tw.read_scene(text, "powers.yaml")
    assert [problem.key for problem in found.value.problems] == ["characters[0].powers[2].parts"]
    text = text.replace("parts: []", "parts: [{move: 1}]")
    with pytest.raises(tw.BadScene) as found:
        tw.read_scene(text, "powers.yaml")
    told = {problem.key: problem for problem in found.value.problems}
    assert list(told) == ["characters[0].powers[1].name", "characters[0].powers[0].requires.route"]
    assert 'did you mean "wall walk"?' in str(told["characters[0].powers[0].requires.route"])


@pytest.mark.rule("narateer.response.power-after-exchange")
@pytest.mark.parametrize("at", [False, True])
def test_what_an_event_opens_befalls_its_user_unless_it_is_aimed_at_who_caused_it(at):
    rise = power("Rise", {"trigger": "exchange_resolved", "ends": "prone", "at": at})
    t = duel(b={"powers": [rise], "conditions": ["prone"], "ready": 0}, dice=(3,))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "0")
    # Aimed, it would get a up, who has not fallen.
    assert t.state.actors["b"].conditions == (("prone",) if at else ())


@pytest.mark.rule("narateer.response.power-inside-response")
@pytest.mark.parametrize(("at", "fallen"), [(False, "b"), (True, "a")])
def test_a_condition_in_a_response_befalls_the_attacker_only_where_it_is_aimed(at, fallen):
    hook = power("Hook", {"attaches_to": "full_guard", "condition": "prone", "at": at})
    t = duel(b={"powers": [hook]}, dice=(9, 3))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, ("full_guard+Hook", 0))
    assert [who for who in ("a", "b") if t.state.actors[who].conditions == ("prone",)] == [fallen]


@pytest.mark.rule(MODIFIES)
@pytest.mark.parametrize("aimed", [False, True])
def test_what_the_attacker_adds_to_its_hit_is_aimed_at_whom_it_hits_and_not_at_itself(aimed):
    trip = power("Hamstring", {"trigger": "hit", "role": "attacker", "condition": "prone", "at": aimed})
    t = duel(a={"powers": [trip]}, b={"ready": 0}, dice=(9,))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, "0")
    assert [who for who in ("a", "b") if t.state.actors[who].conditions == ("prone",)] == ["b" if aimed else "a"]


@pytest.mark.rule("narateer.reaction.full-trigger")
@pytest.mark.parametrize(("at", "open_to"), [((4, 2), True), ((3, 2), False)])
def test_for_the_attacker_a_distance_is_that_to_the_other_side(at, open_to):
    close = power(
        "Close In", {"trigger": "exchange_resolved", "role": "attacker", "clauses": ["within 2 m"], "move": 2}
    )
    t = duel(a={"powers": [close], "at": at, "weapons": [{"name": "spear", "reach": 2}]}, b={"ready": 0}, dice=(3,))
    t.declare("a", "attack", target="b", boost=0)
    assert bool(t.waiting_on) is open_to


@pytest.mark.rule("narateer.response.power-after-exchange")
def test_an_attacker_may_follow_up_on_its_own_exchange():
    follow = power("Follow Up", {"trigger": "exchange_resolved", "role": "attacker", "clauses": ["within 2 m"],
                                 "reaction": True, "ad": 1, "strike": True})  # fmt: skip
    t = duel(a={"powers": [follow]}, b={"ready": 0}, dice=(3, 9))
    t.declare("a", "attack", target="b", boost=0)
    answer(t, ("0", 0))
    # The second blow hits; 1 AD for the attack and 1 for the Power, and one proactive use.
    assert [e.hit for e in happened(t, ExchangeEnded)] == ["", "b"]
    assert (ready(t, "a"), t.state.actors["a"].uses) == (4, {"melee": 1})


@pytest.mark.rule("narateer.power.may-add-own-check", "narateer.hidden.cannot-be-targeted-directly")
def test_a_power_that_is_aimed_at_nobody_takes_no_target():
    powers = [{"name": "Leap", "parts": [{"ad": 1, "move": 4}]}]
    t = table(character("selka", "heroes", (1, 1), powers=powers), character("guard", "guards", (4, 1)), begin="selka")
    unknown = refused(lambda: t.declare("selka", "use_power", power="Leap", target="x"))
    assert unknown == {"narateer.hidden.cannot-be-targeted-directly": "Selka cannot place anybody called 'x'"}
    assert refused(lambda: t.declare("selka", "use_power", power="Leap", target="guard"))
    t.declare("selka", "use_power", power="Leap")
    assert ready(t, "selka") == 5
