"""Using equipment or the surroundings: an item's own rule first, else the tiers; no bonus comes of it by itself."""

from __future__ import annotations

from typing import Any

import pytest
from attempts import a_check, attempt, told
from scenes import answer, character, happened, hidden_from, question, ready, refused, scene_text, table

import turnwright as tw
from turnwright.events import DoorMoved, Told
from turnwright.systems.narateer.events import Checked, CluePerceived, Established, Helping, Perceived

ANN = [{"id": "ann"}]


def selka(**keys: Any) -> dict[str, Any]:
    sheet = {"at": (1, 1), "strength": 2, "agility": 4, "seat": "ann", "skills": {"athletics": 1, "stealth": 2}}
    return character("selka", "heroes", **(sheet | keys))


def alone(*, dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    return table(selka(**keys), seats=ANN, dice=dice, begin="selka")


@pytest.mark.rule("narateer.equipment.declare-use-and-result")
@pytest.mark.parametrize(
    ("said", "lacks"), [({"using": "rope"}, "result"), ({"using": "", "intent": "tie the gate shut"}, "using")]
)
def test_a_use_without_its_object_or_its_result_is_incomplete(said, lacks):
    t = alone()
    rules = refused(lambda: t.declare("selka", "use", **said))
    assert rules == {"narateer.equipment.declare-use-and-result": f"the declaration lacks: {lacks}"}
    assert ready(t, "selka") == 6


@pytest.mark.rule("narateer.equipment.declare-use-and-result")
def test_a_use_that_says_both_is_ruled_on():
    t = alone()
    t.declare("selka", "use", using="rope", intent="tie the gate shut")
    assert question(t).kind == "rule"


@pytest.mark.rule("narateer.equipment.specific-rule-first")
def test_an_item_with_a_rule_of_its_own_goes_by_that_and_asks_nobody():
    t = alone(items=[{"name": "grapnel", "ad": 2, "procedure": "a line hangs from the wall"}, {"name": "lamp"}])
    assert t.explain("selka", "use", using="grapnel", intent="a line up there").price.amount("ad") == 2
    t.declare("selka", "use", using="grapnel", intent="a line up there")
    assert (t.waiting_on, ready(t, "selka")) == ((), 4)
    assert happened(t, Told)[-1].text == "a line hangs from the wall"


@pytest.mark.rule("narateer.equipment.specific-rule-first")
def test_an_item_without_one_goes_by_the_tiers():
    t = alone(items=[{"name": "lamp"}])
    t.declare("selka", "use", using="lamp", intent="light", effort="simple")
    answer(t, 0, "rule")
    assert (t.waiting_on, ready(t, "selka")) == ((), 6)


@pytest.mark.rule("narateer.equipment.specific-rule-first")
def test_what_an_items_rule_asks_for_must_be_paid():
    t = alone(ad=1, items=[{"name": "grapnel", "ad": 2}])
    assert refused(lambda: t.declare("selka", "use", using="grapnel", intent="a line")) == {
        "narateer.activation.ready-ad-pays": "it needs 2 Ready AD and Selka has 1"
    }


@pytest.mark.rule("narateer.equipment.tier-guidelines")
@pytest.mark.parametrize(
    ("effort", "kind", "tier", "price"),
    [("simple", "automatic", "trivial", 0), ("substantial", "automatic", "minor", 1), ("risky", "check", "", 1)],
)
def test_the_tier_that_the_use_suggests_is_offered_first(effort, kind, tier, price):
    t = alone(dice=(9,))
    t.declare("selka", "use", using="cart", intent="the lane is shut", effort=effort, boost=0)
    first = question(t).question.suggested[0]
    assert (first.kind, first.tier) == (kind, tier)
    answer(t, 0)
    if price:
        answer(t, True, "confirm")
    assert (ready(t, "selka"), len(happened(t, Checked))) == (6 - price, int(kind == "check"))


@pytest.mark.rule("narateer.equipment.tier-guidelines")
def test_the_guide_may_overrule_the_suggestion():
    t = alone()
    t.declare("selka", "use", using="cart", intent="the lane is shut", effort="risky")
    answer(t, told("trivial"))
    assert (ready(t, "selka"), happened(t, Checked)) == (6, [])


@pytest.mark.rule("narateer.equipment.opportunity-without-bonus")
def test_an_overturned_table_is_cover_and_no_bonus():
    t = table(selka(), seats=ANN, begin="selka", by_hand=["ann"])
    attempt(t, "selka", a_check())
    before = question(t, "roll").question.pool
    answer(t, (3,))
    t.declare("selka", "use", using="table", intent="cover by the window")
    answer(t, told(sets={"cover": "the table lies on its side by the window"}))
    assert t.state.facts["cover"] == Established("cover", "the table lies on its side by the window")
    assert t.view("ann")["facts"]["cover"]["text"] == "the table lies on its side by the window"
    attempt(t, "selka", a_check())
    assert question(t, "roll").question.pool == before  # 1d6 + 1 and no edge


@pytest.mark.rule("narateer.equipment.opportunity-without-bonus")
def test_an_opened_door_is_a_way_and_no_bonus():
    door = {"id": "gate", "between": [[1, 0], [2, 0]]}
    t = table(selka(at=(1, 0)), rows=["...."], seats=ANN, begin="selka", map_={"doors": [door]})
    assert t.explain("selka", "walk", route=[(2, 0)]).verdict == "illegal"
    t.declare("selka", "use", using="gate")
    assert happened(t, DoorMoved)[0].open
    t.declare("selka", "walk", route=[(2, 0)])
    assert t.state.actors["selka"].at == (2, 0)


@pytest.mark.rule("narateer.equipment.opportunity-without-bonus")
def test_what_comes_about_takes_no_name_that_is_taken():
    door = {"id": "gate", "between": [[1, 1], [2, 1]]}
    t = table(selka(), seats=ANN, begin="selka", map_={"doors": [door]})
    t.declare("selka", "use", using="bench", intent="the gate is wedged")
    assert "narateer.equipment.opportunity-without-bonus" in refused(lambda: answer(t, told(sets={"gate": "wedged"})))


@pytest.mark.rule("narateer.equipment.opportunity-without-bonus", "narateer.cost.no-double-charge")
def test_case_42_a_gate_opened_for_an_ally_is_its_own_task_and_gives_no_advantage():
    door = {"id": "gate", "between": [[1, 1], [2, 1]], "opens": "minor"}
    bo = character("bo", "heroes", (1, 2), seat="ben", skills={"athletics": 1})
    t = table(
        selka(), bo, seats=[*ANN, {"id": "ben"}], dice=((3,),), begin="selka", map_={"doors": [door]}, by_hand=["ben"]
    )
    t.declare("selka", "use", using="gate", intent="bo gets through")
    assert (ready(t, "selka"), t.state.open_doors) == (5, ("gate",))  # its own cost, its own result
    assert list(t.state.every(Helping)) == []
    t.declare("selka", "end")
    t.declare("bo", "begin")
    attempt(t, "bo", a_check(), intent="be through", method="jump")
    rolled = question(t, "roll").question.pool
    assert (rolled.dice, rolled.plus, rolled.edge) == (1, 1, 0)  # X Advantage


def test_a_door_is_opened_from_beside_it():
    door = {"id": "gate", "between": [[3, 1], [4, 1]]}
    t = table(selka(), seats=ANN, begin="selka", map_={"doors": [door]})
    assert [r.code for r in t.explain("selka", "use", using="gate").refusals] == ["OUT_OF_REACH"]


@pytest.mark.rule("narateer.additional.separate-from-normal")
def test_an_items_rule_may_grant_movement():
    t = alone(items=[{"name": "spring boots", "ad": 1, "procedure": "a leap", "move": 4}])
    t.declare("selka", "use", using="spring boots", intent="get away")
    sheet = t.state.actors["selka"]
    assert (sheet.extra, sheet.spent, sheet.ready) == (4, 0, 5)


@pytest.mark.rule("narateer.reveal.by-side-effects", "narateer.reveal.warn-before-commit")
def test_a_noisy_item_gives_its_user_away_after_a_warning():
    t = table(
        selka(at=(5, 0), items=[{"name": "horn", "ad": 0, "procedure": "it blares", "noise": "clear"}]),
        character("guard", "guards", (1, 0), readiness={"observation": 4}),
        rows=[".....,......"],
        legend={",": {"name": "thicket", "conceals": ["sight"]}},
        seats=ANN,
        dice=(9,),
        begin="selka",
    )
    t.override([Perceived("", "selka", "guard", clear=False)], "he looks away")
    t.declare("selka", "hide", method="lie down", boost=0)
    assert hidden_from(t, "selka") == {"guard"}
    t.declare("selka", "use", using="horn", intent="call for help")
    assert question(t, "confirm").question.warnings == ("whoever hears it knows where you are",)
    answer(t, True)
    assert [c.by for c in happened(t, CluePerceived)] == ["guard"]
    assert hidden_from(t, "selka") == set()


# -- what an item's own rule may say


def facing(item: dict[str, Any], *, dice: tuple[Any, ...] = (), at: Any = (4, 1), **keys: Any) -> tw.Table:
    """Selka with one item, Bo at her side, and a guard of the other side."""
    return table(
        selka(items=[item], **keys),
        character("bo", "heroes", (1, 2), wounds=1, conditions=["prone"]),
        character("guard", "guards", at, readiness={"athletics": 6}),
        seats=ANN,
        dice=dice,
        begin="selka",
    )


FLASK = {"name": "flask of oil", "ad": 1, "procedure": "it burns", "at": True, "within": 6, "wounds": 1}


@pytest.mark.rule("narateer.equipment.specific-rule-first")
@pytest.mark.parametrize(("tier", "price"), [("trivial", 0), ("minor", 1), ("major", 1)])
def test_an_items_own_rule_may_name_a_tier(tier, price):
    t = alone(items=[{"name": "grapnel", "tier": tier, "procedure": "a line hangs from the wall"}])
    t.declare("selka", "use", using="grapnel")
    assert (t.waiting_on, ready(t, "selka")) == ((), 6 - price)


@pytest.mark.rule("narateer.equipment.specific-rule-first", "narateer.activation.any-affordable-mix")
def test_an_item_whose_rule_makes_it_major_is_out_where_major_actions_are():
    t = table(
        selka(items=[{"name": "ram", "tier": "major"}], conditions=["dazed"]),
        conditions={"dazed": {"major": False}},
        seats=ANN,
        begin="selka",
    )
    assert [r.code for r in t.explain("selka", "use", using="ram", intent="in").refusals] == ["NO_MAJOR"]


@pytest.mark.rule("narateer.equipment.specific-rule-first")
def test_an_item_is_used_up():
    t = alone(items=[{"name": "torch", "ad": 0, "procedure": "light", "uses": 2}])
    t.declare("selka", "use", using="torch")
    t.declare("selka", "use", using="torch")
    assert refused(lambda: t.declare("selka", "use", using="torch")) == {
        "narateer.equipment.specific-rule-first": "it needs 1 torch and Selka has 0"
    }
    half = alone(items=[{"name": "torch", "ad": 0, "procedure": "light", "uses": 2}], pools={"torch": 1})
    half.declare("selka", "use", using="torch")
    refused(lambda: half.declare("selka", "use", using="torch"))


@pytest.mark.rule("narateer.equipment.specific-rule-first", "narateer.proactive.each-use-consumes-one")
@pytest.mark.parametrize(("total", "result", "wounds"), [(6, "failed", 0), (7, "used", 1)])
def test_an_item_may_bring_its_own_check_against_the_score_of_whom_it_is_used_on(total, result, wounds):
    t = facing({**FLASK, "check": "athletics", "failure": "it breaks on the wall"}, dice=(total,))
    t.declare("selka", "use", using="flask of oil", target="guard", boost=0)
    assert (t.outcome.result, t.state.actors["guard"].wounds) == (result, wounds)
    assert (ready(t, "selka"), t.state.actors["selka"].uses) == (5, {"athletics": 1})


@pytest.mark.rule("narateer.equipment.specific-rule-first", "narateer.boost.any-skill-check")
def test_the_check_of_an_item_rolls_one_die_and_can_be_boosted():
    t = facing({**FLASK, "ad": 2, "check": "athletics"}, dice=((3, 3),))
    t.declare("selka", "use", using="flask of oil", target="guard", boost=1)
    # 2 AD by its rule, 1 beyond; two dice and Athletics 1 make 7, which exceeds 6.
    assert (ready(t, "selka"), t.outcome.result) == (3, "used")
    assert [(e.dice, e.total) for e in happened(t, Checked)] == [(2, 7)]


@pytest.mark.rule("narateer.equipment.specific-rule-first")
@pytest.mark.parametrize(("at", "verdict"), [((4, 1), "legal"), ((5, 1), "illegal")])
def test_an_item_reaches_as_far_as_its_rule_says(at, verdict):
    assert facing(FLASK, at=at).explain("selka", "use", using="flask of oil", target="guard").verdict == verdict


@pytest.mark.rule("narateer.equipment.specific-rule-first")
def test_an_item_for_an_ally_is_for_no_opponent():
    t = facing({"name": "strap", "ad": 1, "at": "ally", "within": 2, "ends": "prone", "procedure": "up you get"})
    refused(lambda: t.declare("selka", "use", using="strap", target="guard"))
    t.declare("selka", "use", using="strap", target="bo")
    assert (t.state.actors["bo"].conditions, ready(t, "selka")) == ((), 5)


@pytest.mark.rule("narateer.equipment.opportunity-without-bonus")
def test_what_an_items_rule_leaves_in_the_scene_is_an_opportunity():
    t = alone(items=[{"name": "caltrops", "ad": 1, "sets": {"caltrops": "spikes lie in the doorway"}}])
    t.declare("selka", "use", using="caltrops", intent="slow them")
    assert t.state.facts["caltrops"] == Established("caltrops", "spikes lie in the doorway")


@pytest.mark.rule("narateer.activation.any-affordable-mix")
def test_what_one_carries_may_bar_an_action():
    t = alone(items=[{"name": "bell collar", "bars": ["hide"]}])
    assert refused(lambda: t.declare("selka", "hide", method="crouch")) == {
        "narateer.activation.any-affordable-mix": "bell collar bars it: hide"
    }
    assert t.explain("selka", "walk", route=[(2, 1)]).verdict == "legal"


@pytest.mark.rule("narateer.reveal.by-side-effects")
@pytest.mark.parametrize(("carries", "hearing"), [(4, []), (6, ["guard"])])
def test_the_noise_of_an_item_carries_as_far_as_its_rule_says(carries, hearing):
    t = facing({"name": "horn", "ad": 0, "procedure": "it blares", "noise": "clear", "carries": carries})
    t.declare("selka", "use", using="horn")
    assert [c.by for c in happened(t, CluePerceived)] == hearing


@pytest.mark.parametrize(
    ("keys", "key", "words"),
    [
        ({"procedure": "light"}, "procedure", "ad or tier"),
        ({"ad": 1, "tier": "minor"}, "tier", "either"),
        ({"tier": "minr"}, "tier", 'did you mean "minor"?'),
        ({"ad": 1, "wounds": 1}, "wounds", "together with at"),
        ({"ad": 1, "check": "athletics"}, "check", "a target"),
        ({"ad": 1, "carries": 4}, "carries", "together with noise"),
        ({"ad": 1, "condition": "pron"}, "condition", 'did you mean "prone"?'),
        ({"usess": 1}, "usess", 'did you mean "uses"?'),
    ],
)
def test_an_item_that_makes_no_sense_is_named_with_its_line(keys, key, words):
    text = scene_text(selka(items=[{"name": "lamp"} | keys]), seats=ANN)
    with pytest.raises(tw.BadScene) as found:
        tw.read_scene(text, "items.yaml")
    (problem,) = found.value.problems
    assert problem.key == f"characters[0].items[0].{key}"
    assert words in str(problem)
    assert key in text.splitlines()[problem.line - 1]


def test_a_weapon_is_melee_or_ranged_and_has_a_name_of_its_own():
    bad = [{"name": "bow", "kind": "rangd"}]
    with pytest.raises(tw.BadScene, match='did you mean "ranged"'):
        tw.read_scene(scene_text(selka(weapons=bad), seats=ANN), "weapons.yaml")
    twice = [{"name": "bow", "kind": "ranged"}, {"name": "bow"}]
    with pytest.raises(tw.BadScene, match="a name that nothing else in weapons has"):
        tw.read_scene(scene_text(selka(weapons=twice), seats=ANN), "weapons.yaml")


@pytest.mark.rule("narateer.hidden.cannot-be-targeted-directly")
@pytest.mark.parametrize("target", ["nobody", "lurker"])
@pytest.mark.parametrize("using", ["boots", "caltrops", "lamp", "gate"])
def test_whoever_is_not_known_is_no_target_of_anything_that_is_used(using, target):
    items = [
        {"name": "boots", "ad": 1, "move": 4},
        {"name": "caltrops", "ad": 1, "sets": {"spikes": "the floor is strewn"}},
        {"name": "lamp"},
    ]
    t = table(
        selka(items=items),
        character("lurker", "guards", (4, 0), skills={"stealth": 5}),
        seats=ANN,
        rows=["..#..", "..#.."],
        map_={"doors": [{"id": "gate", "between": [[1, 1], [1, 0]]}]},
        begin="selka",
    )
    assert "lurker" not in t.knows("ann").actors
    said = {"using": using, "intent": "more", "target": target}
    why = {"narateer.hidden.cannot-be-targeted-directly": f"Selka cannot place anybody called '{target}'"}
    assert refused(lambda: t.declare("selka", "use", **said)) == why
    assert t.explain("selka", "use", **said).verdict == "illegal"
    refused(lambda: t.odds("selka", "use", **said))
    assert ready(t, "selka") == 6


@pytest.mark.rule("narateer.equipment.specific-rule-first")
def test_what_is_aimed_at_nobody_takes_no_target():
    t = alone(items=[{"name": "boots", "ad": 1, "move": 4, "procedure": "a leap"}])
    why = refused(lambda: t.declare("selka", "use", using="boots", target="selka"))
    assert why == {"narateer.equipment.specific-rule-first": "boots is aimed at nobody; leave the target out"}
    t.declare("selka", "use", using="boots")
    assert ready(t, "selka") == 5
