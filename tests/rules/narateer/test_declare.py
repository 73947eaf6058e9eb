"""Declaring: the situation, then the goal and the means, then the guide's ruling, and only then a price."""

from __future__ import annotations

from typing import Any

import pytest
from attempts import a_check, attempt, told
from scenes import acted, answer, character, happened, question, ready, refused, table

import turnwright as tw
from turnwright.systems.narateer.events import Checked, Hid

ANN = [{"id": "ann"}]


def selka(**keys: Any) -> dict[str, Any]:
    sheet = {"strength": 2, "agility": 4, "seat": "ann", "skills": {"athletics": 1, "melee": 2}}
    return character("selka", "heroes", **({"at": (1, 1)} | sheet | keys))


def alone(*, dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    return table(selka(**keys), seats=ANN, dice=dice, begin="selka")


@pytest.mark.rule("narateer.declare.intent-and-method")
@pytest.mark.parametrize(
    ("said", "lacks"),
    [
        ({"intent": "the guard is off the bridge", "method": ""}, "method"),
        ({"intent": " ", "method": "shove with my shield"}, "intent"),
    ],
)
def test_a_declaration_without_goal_or_means_is_incomplete_and_free(said, lacks):
    t = alone()
    offer = t.explain("selka", "attempt", **said)
    assert offer.verdict == "illegal"
    assert [r.code for r in offer.refusals] == [f"INCOMPLETE {lacks}"]
    with pytest.raises(tw.Refused, match=lacks):
        t.declare("selka", "attempt", **said)
    assert (t.waiting_on, ready(t, "selka")) == ((), 6)


@pytest.mark.rule("narateer.declare.intent-and-method")
def test_with_goal_and_means_it_is_ruled_on():
    t = alone()
    said = {"intent": "the guard is off the bridge", "method": "shove with my shield"}
    assert t.explain("selka", "attempt", **said).verdict == "ruling"
    t.declare("selka", "attempt", **said)
    assert question(t).kind == "rule"


@pytest.mark.rule("narateer.declare.intent-method-before-procedure")
@pytest.mark.parametrize("proposed", [{"procedure": "check"}, {"ad": 1}, {"skill": "athletics"}, {"boost": 1}])
def test_procedure_and_price_come_after_goal_and_means(proposed):
    t = alone()
    assert "OUT_OF_ORDER" in [r.code for r in t.explain("selka", "attempt", **proposed).refusals]
    rules = refused(lambda: t.declare("selka", "attempt", intent="be over the wall", **proposed))
    assert "narateer.declare.intent-method-before-procedure" in rules
    t.declare("selka", "attempt", intent="be over the wall", method="climb", **proposed)
    assert question(t).kind == "rule"


@pytest.mark.rule("narateer.declare.intent-method-before-procedure")
def test_the_guide_has_nothing_to_rule_on_before_a_declaration():
    t = alone()
    with pytest.raises(tw.Refused, match="no open question"):
        t.answer("1.0", a_check())
    assert t.waiting_on == ()


@pytest.mark.rule("narateer.declare.sequence")
def test_nothing_is_committed_between_declaration_and_ruling():
    situation = {"obstacles": ["a wall"], "stakes": ["who is behind it hears us"]}
    t = table(selka(ad=5), seats=ANN, dice=(7,), begin="selka", situation=situation)
    assert t.view("ann")["facts"]["situation"]["obstacles"] == ("a wall",)  # presented
    t.declare("selka", "attempt", intent="be over the wall", method="climb it")  # declared
    with pytest.raises(tw.Refused, match="to answer"):
        t.answer(question(t), 1, seat="ann")
    assert ready(t, "selka") == 5
    answer(t, a_check(), "rule")  # confirmed
    assert ready(t, "selka") == 5
    answer(t, 0, "commit")  # committed
    assert ready(t, "selka") == 4


@pytest.mark.rule("narateer.declare.situation-contents")
@pytest.mark.parametrize("told", [{}, {"threats": ["the guard makes his rounds"]}])
def test_a_situation_always_shows_all_four_lists(told):
    t = table(selka(), seats=ANN, situation=told)
    for seat in ("ann", "guide"):
        shown = t.view(seat)["facts"]["situation"]
        empty = {"opportunities": [], "obstacles": [], "threats": [], "stakes": []}
        assert {name: list(shown[name]) for name in empty} == empty | told


@pytest.mark.rule("narateer.declare.person-agnostic")
def test_first_and_third_person_are_ruled_and_resolved_alike():
    ends = []
    for words in ("I leap the gap", "Selka leaps the gap"):
        t = alone(dice=(13,))
        t.declare("selka", "attempt", intent="be on the other side", method=words, boost=0)
        suggested = question(t, "rule").question.suggested
        answer(t, a_check("athletics", 12))
        answer(t, True, "confirm")
        assert t.outcome is not None
        ends.append((suggested, t.outcome, ready(t, "selka"), acted(t)))
    assert ends[0] == ends[1]
    assert ends[0][1].result == "success"
    assert ends[0][2] == 5


@pytest.mark.rule("narateer.declare.ruling-contents")
@pytest.mark.parametrize("part", ["skill", "target", "success", "failure"])
def test_a_check_without_one_of_its_parts_is_no_ruling(part):
    t = alone()
    t.declare("selka", "attempt", intent="be over the wall", method="climb it", boost=0)
    complete = a_check()
    with pytest.raises(tw.Refused, match=f"lacks: {part}"):
        answer(t, {name: said for name, said in complete.items() if name != part})
    assert question(t).kind == "rule"
    answer(t, complete)
    assert question(t).kind == "confirm"


@pytest.mark.rule("narateer.declare.ruling-contents")
@pytest.mark.parametrize(
    ("ruling", "named"),
    [
        ({"skill": "athletics"}, "kind"),  # neither possible nor impossible
        ({"kind": "procedure"}, "procedure"),
        ({"kind": "procedure", "procedure": "flying"}, "procedure"),
        ({"kind": "automatic", "success": "done", "tier": "epic"}, "price"),
        ({"kind": "automatic", "success": "done", "ad": -1}, "price"),
        (a_check("Athletics"), "'athletics'"),  # X a Skill of its own, at level 0 and with uses of its own
        (a_check(dice=0), "price"),
        (a_check(boost=-1), "price"),
        ({"kind": "impossible"}, "obstacle"),
    ],
)
def test_a_ruling_says_whether_how_and_at_what_price(ruling, named):
    t = alone()
    t.declare("selka", "attempt", intent="be over the wall", method="climb it", boost=0)
    with pytest.raises(tw.Refused, match=named):
        answer(t, ruling)
    assert question(t).kind == "rule"


@pytest.mark.rule("narateer.declare.ruling-contents")
def test_the_target_of_a_check_may_be_secret():
    t = alone()
    t.declare("selka", "attempt", intent="be over the wall", method="climb it")
    answer(t, a_check(target=9, secret=True))
    (shown,) = t.view("ann")["questions"]
    assert shown["ruling"]["skill"] == "athletics"
    assert "target" not in shown["ruling"]
    (whole,) = t.view("guide")["questions"]
    assert whole["ruling"]["target"] == 9


@pytest.mark.rule("narateer.declare.ruling-contents")
def test_a_hide_and_an_exchange_bring_their_own_stakes():
    t = table(
        selka(at=(1, 1)),
        character("guard", "guards", (1, 2), skills={"observation": 1}),
        rows=["......", "......", "......"],
        seats=ANN,
        dice=(12,),
        begin="selka",
    )
    t.declare("selka", "attack", target="guard", boost=0)
    assert not [q for q in t.waiting_on if q.kind == "rule"]


@pytest.mark.rule("narateer.declare.ruling-contents")
def test_a_hide_needs_no_stakes_from_the_guide():
    t = table(
        selka(at=(1, 0), skills={"stealth": 2}),
        character("guard", "guards", (8, 0), readiness={"observation": 4}),
        rows=[".,.........."],
        legend={",": {"name": "thicket", "conceals": ["sight"]}},
        seats=ANN,
        dice=(6,),
        begin="selka",
    )
    t.declare("selka", "hide", method="lie down in the thicket", boost=0)
    assert t.waiting_on == ()
    assert [hid.total for hid in happened(t, Hid)] == [6]


@pytest.mark.rule("narateer.declare.ruling-before-commit")
def test_no_roll_and_no_price_before_the_ruling_and_the_price_is_shown_before_it_is_paid():
    t = alone(ad=3, dice=(7,))
    t.declare("selka", "attempt", intent="be over the wall", method="climb it")
    for value in (6, (6,), 0):
        with pytest.raises(tw.Refused):
            t.answer(question(t), value, seat="ann")
    with pytest.raises(tw.Refused, match="a question is open"):
        t.declare("selka", "run", to=(4, 1))
    assert (ready(t, "selka"), happened(t, Checked)) == (3, [])
    answer(t, a_check(), "rule")
    asked = question(t, "commit")
    assert asked.who == "ann"
    assert asked.question.price.amount("ad") == 1
    assert ready(t, "selka") == 3
    answer(t, 0)
    assert (ready(t, "selka"), len(happened(t, Checked))) == (2, 1)


@pytest.mark.rule("narateer.declare.ruling-before-commit")
def test_what_the_guide_names_as_a_run_is_confirmed_before_it_is_paid():
    t = alone(ad=3)
    t.declare("selka", "attempt", intent="be at the gate", method="dash over there", to=(5, 1))
    answer(t, {"kind": "procedure", "procedure": "run"}, "rule")
    assert question(t, "confirm").question.price.amount("ad") == 1
    assert ready(t, "selka") == 3
    answer(t, True)
    assert (ready(t, "selka"), t.state.actors["selka"].at) == (2, (5, 1))


@pytest.mark.rule("narateer.declare.ruling-before-commit")
def test_whoever_does_not_like_the_price_takes_the_declaration_back_for_nothing():
    t = alone()
    t.declare("selka", "attempt", intent="be over the wall", method="climb it")
    answer(t, a_check(ad=4), "rule")
    answer(t, tw.Withdraw())
    assert (ready(t, "selka"), t.state.actors["selka"].uses, acted(t)) == (6, {}, [])


@pytest.mark.rule("narateer.declare.clarify-unclear")
def test_an_unclear_declaration_is_asked_about_and_costs_nothing():
    t = alone(dice=(7,))
    t.declare("selka", "attempt", intent="get on", method="somehow", boost=0)
    answer(t, "unclear")
    asked = question(t)
    assert (asked.kind, asked.who) == ("clarify", "ann")
    assert "achieve" in asked.prompt
    assert "how" in asked.prompt
    assert (ready(t, "selka"), t.state.actors["selka"].uses, acted(t)) == (6, {}, [])
    answer(t, {"intent": "be over the wall", "method": "climb it"})
    again = question(t)
    assert again.kind == "rule"
    assert (again.question.declaration.intent, again.question.declaration.method) == ("be over the wall", "climb it")
    answer(t, a_check())
    answer(t, True, "confirm")
    assert ready(t, "selka") == 5


@pytest.mark.rule("narateer.declare.no-procedure-guessing")
def test_goal_and_means_are_all_that_a_player_must_say():
    t = alone()
    (offer,) = [o for o in t.offers("selka") if o.action == "attempt"]
    assert {p.name for p in offer.parameters if p.required} == {"intent", "method"}
    t.declare("selka", "attempt", intent="the ferry waits", method="I haggle")
    assert question(t).kind == "rule"


@pytest.mark.parametrize(
    ("means", "skill"),
    [
        ("I climb the wall", "athletics"),
        ("jumping over", "athletics"),
        ("swim", "athletics"),
        ("forcing the lock", "athletics"),
        ("push the cart", "athletics"),
        ("lift it", "athletics"),
        ("balancing along the beam", "acrobatics"),
        ("tumble past", "acrobatics"),
        ("vault the table", "acrobatics"),
        ("squeeze through", "acrobatics"),
        ("look around", "observation"),
        ("listen at the door", "observation"),
        ("examining the floor", "observation"),
        ("sneak by", "stealth"),
        ("creep along", "stealth"),
        ("use my alchemy", "alchemy"),  # a Skill of the sheet by its name
        ("haggle", "alchemy"),  # nothing fits: the best there is
    ],
)
def test_the_guide_is_first_offered_a_skill_that_fits_the_words(means, skill):
    t = alone(skills={"melee": 1, "alchemy": 2})
    t.declare("selka", "attempt", intent="get on", method=means, boost=0)
    assert question(t).question.suggested[0].skill == skill


def test_the_means_count_before_the_goal_and_a_proposed_skill_before_both():
    t = alone()
    t.declare("selka", "attempt", intent="look over the wall", method="climb it", boost=0)
    assert question(t).question.suggested[0].skill == "athletics"
    t.undo()
    t.declare("selka", "attempt", intent="look over the wall", method="climb it", skill="acrobatics", boost=0)
    assert question(t).question.suggested[0].skill == "acrobatics"


def test_a_scene_may_bring_its_own_words():
    words = {"skill_words": {"seamanship": ["reef"]}}
    t = table(selka(), seats=ANN, begin="selka", settings=words)
    t.declare("selka", "attempt", intent="slow down", method="reefing the sail", boost=0)
    assert question(t).question.suggested[0].skill == "seamanship"


@pytest.mark.rule("narateer.declare.sequence", "narateer.resolve.impossible-revise-free")
def test_case_39_an_impossible_declaration_is_revised_for_nothing():
    t = alone(ad=4, dice=(7,))
    attempt(t, "selka", {"kind": "impossible", "obstacle": "the wall is of glass"})
    sheet = t.state.actors["selka"]
    assert (sheet.ready, sheet.uses) == (4, {})  # X 3 Ready, or a use gone
    t.declare("selka", "attempt", intent="be over the wall", method="throw a rope and climb")
    answer(t, a_check(), "rule")
    assert t.state.actors["selka"].ready == 4
    answer(t, 0, "commit")
    sheet = t.state.actors["selka"]
    assert (sheet.ready, sheet.uses) == (3, {"athletics": 1})


def test_a_settled_thing_costs_the_tier_that_the_guide_names_after_it_was_confirmed():
    t = alone()
    t.declare("selka", "attempt", intent="the cart is aside", method="haul it", boost=1)
    answer(t, told("minor"), "rule")
    assert question(t, "confirm").question.price.amount("ad") == 1
    answer(t, True)
    assert ready(t, "selka") == 5  # the Boost was for a roll, and there is none
