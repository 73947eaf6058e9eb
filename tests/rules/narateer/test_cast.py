"""Casting: the spell's own requirements and cost, and what others notice of it."""

from __future__ import annotations

import pytest
from scenes import acted, answer, character, happened, hidden_from, ready, refused, scene_text, table

import turnwright as tw
from turnwright.events import Told
from turnwright.systems.narateer.events import Checked, CluePerceived, Hid, Perceived

ROWS = ["..........", ".,........", ".........."]
THICKET = {",": {"name": "thicket", "conceals": ["sight"]}}
FULL = {"hands full": {"bars": ["free hand"]}}


def spell(**keys):
    return {"name": "mist step", "casting_cost": {"ad": 2}} | keys


def scene(spells, *, dice=(), ad=5, conditions=(), **keys):
    return table(
        character("selka", "heroes", (1, 1), skills={"stealth": 2, "alchemy": 1}, ad=ad, spells=spells,
                  conditions=list(conditions), pools=keys.pop("pools", {})),
        character("guard", "watch", (4, 1), readiness={"observation": 10}),
        rows=ROWS, legend=THICKET, conditions=FULL, dice=dice, begin="selka", **keys,
    )  # fmt: skip


@pytest.mark.rule("narateer.cost.casting-cost-covers-casting")
def test_the_casting_cost_is_the_whole_price_of_casting():
    t = scene([spell()])
    t.declare("selka", "cast", spell="mist step")
    assert ready(t, "selka") == 3  # 2 would be a surcharge for a Major Action
    assert acted(t, "selka") == [("cast", "proactive")]
    assert t.state.actors["selka"].uses == {}


@pytest.mark.rule("narateer.cost.casting-cost-covers-casting")
def test_a_casting_cost_may_be_in_another_resource():
    t = scene([spell(casting_cost={"mana": 3})], pools={"mana": 4})
    t.declare("selka", "cast", spell="mist step")
    assert t.state.actors["selka"].pools == {"mana": 1}
    assert ready(t, "selka") == 5
    said = refused(lambda: t.declare("selka", "cast", spell="mist step"))
    assert "3 mana" in said["narateer.cost.casting-cost-covers-casting"]


@pytest.mark.rule("narateer.cast.follow-magic")
def test_a_spell_is_refused_by_its_own_requirement_and_nothing_is_spent():
    t = scene([spell(requires=["free hand"])], conditions=["hands full"])
    assert "free hand" in refused(lambda: t.declare("selka", "cast", spell="mist step"))["narateer.cast.follow-magic"]
    assert ready(t, "selka") == 5
    free = scene([spell(requires=["free hand"])])
    free.declare("selka", "cast", spell="mist step")
    assert ready(free, "selka") == 3


@pytest.mark.rule("narateer.cast.follow-magic")
def test_a_spell_may_bring_its_own_check_with_its_own_use():
    t = scene([spell(check="alchemy", target=6, effect="the lamp dies", failure="it flares")], dice=(5, 6))
    t.declare("selka", "cast", spell="mist step", boost=0)
    assert t.outcome.result == "failed"
    t.declare("selka", "cast", spell="mist step", boost=0)
    assert t.outcome.result == "cast"
    assert ready(t, "selka") == 1
    assert t.state.actors["selka"].uses == {"alchemy": 2}


@pytest.mark.rule("narateer.cast.noticeability")
def test_a_silent_and_invisible_spell_leaves_no_clue_and_a_loud_one_does():
    silent = scene([spell()])
    silent.declare("selka", "cast", spell="mist step")
    assert happened(silent, CluePerceived) == []
    loud = scene([spell(noticed={"hearing": 20})])
    loud.declare("selka", "cast", spell="mist step")
    assert [(c.by, c.clear) for c in happened(loud, CluePerceived)] == [("guard", False)]
    far = scene([spell(noticed={"hearing": 5})])  # the guard stands 6 m away
    far.declare("selka", "cast", spell="mist step")
    assert happened(far, CluePerceived) == []


@pytest.mark.rule(
    "narateer.cast.noticeability", "narateer.reveal.by-side-effects", "narateer.reveal.warn-before-commit"
)
def test_an_obvious_spell_reveals_a_hidden_caster_after_a_warning():
    t = scene([spell(noticed={"hearing": 20}, obvious=True)], dice=(15,))
    t.declare("selka", "hide", method="crouch", boost=0)
    assert hidden_from(t, "selka") == {"guard"}
    t.declare("selka", "cast", spell="mist step")
    assert ready(t, "selka") == 4  # nothing is paid before the warning is answered
    answer(t, True, kind="confirm")
    assert ready(t, "selka") == 2
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.resolve.specific-procedure-kinds")
def test_a_spell_is_a_procedure_of_its_own():
    t = scene([spell()])
    t.declare("selka", "cast", spell="mist step")
    assert t.waiting_on == ()  # nobody is asked for a ruling
    unknown = refused(lambda: t.declare("selka", "cast", spell="fire"))
    assert "mist step" in unknown["narateer.cast.follow-magic"]


# -- what a spell may require


def two(spell_, *, dice=(), at=(1, 1), guard=(4, 1), **keys):
    """Selka with one spell and a guard of the other side, in Selka's Activation."""
    sheet = {"skills": {"stealth": 2, "alchemy": 1}, "ad": 5, "spells": [spell_]} | keys.pop("selka", {})
    theirs = {"readiness": {"observation": 10, "alchemy": 6}} | keys.pop("sheet", {})
    return table(
        character("selka", "heroes", at, **sheet),
        character("guard", "watch", guard, **theirs),
        *keys.pop("others", ()), rows=ROWS, legend=THICKET, conditions=FULL | GAGGED, dice=dice, begin="selka", **keys,
    )  # fmt: skip


GAGGED = {"gagged": {"bars": ["speech"]}, "asleep": {"major": False}}


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.activation.any-affordable-mix")
def test_an_item_in_hand_bars_what_a_spell_needs():
    t = two(spell(requires=["free hand", "speech"]), selka={"items": [{"name": "tower shield", "bars": ["free hand"]}]})
    said = refused(lambda: t.declare("selka", "cast", spell="mist step"))
    assert "tower shield" in said["narateer.cast.follow-magic"]
    assert ready(t, "selka") == 5


@pytest.mark.rule("narateer.cast.follow-magic")
def test_whoever_cannot_speak_casts_no_spell_that_is_spoken():
    t = two(spell(requires=["speech"]), selka={"conditions": ["gagged"]})
    assert "speech" in refused(lambda: t.declare("selka", "cast", spell="mist step"))["narateer.cast.follow-magic"]
    silent = two(spell(requires=["free hand"]), selka={"conditions": ["gagged"]})
    silent.declare("selka", "cast", spell="mist step")
    assert ready(silent, "selka") == 3


@pytest.mark.rule("narateer.cast.follow-magic")
def test_a_focus_must_be_carried():
    wand = {"name": "wand"}
    lost = two(spell(focus="wand"), sheet={"items": [wand]})
    assert "wand" in refused(lambda: lost.declare("selka", "cast", spell="mist step"))["narateer.cast.follow-magic"]
    t = two(spell(focus="wand"), selka={"items": [wand]})
    t.declare("selka", "cast", spell="mist step")
    assert ready(t, "selka") == 3


BOLT = {"at": True, "check": "alchemy", "wounds": 1, "noticed": {"sight": 0}, "casting_cost": {"ad": 1}}


@pytest.mark.rule("narateer.cast.follow-magic")
@pytest.mark.parametrize(("within", "verdict"), [(4, "illegal"), (6, "legal"), (0, "legal")])
def test_a_target_must_be_as_near_as_the_spell_says(within, verdict):
    t = two(spell(**BOLT, within=within))  # the guard stands 3 Spaces, 6 m, away
    assert t.explain("selka", "cast", spell="mist step", target="guard").verdict == verdict


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.hidden.cannot-be-targeted-directly")
def test_a_spell_that_needs_sight_is_not_cast_by_a_nose():
    # The guard stands in the thicket; Selka smells it and does not see it.
    nose = {"senses": {"sight": 0, "scent": 20}}
    smelt = two(spell(**BOLT), at=(4, 1), guard=(1, 1), selka=nose)
    assert smelt.explain("selka", "cast", spell="mist step", target="guard").verdict == "legal"
    seen = two(spell(**BOLT, sight=True), at=(4, 1), guard=(1, 1), selka=nose)
    offer = seen.explain("selka", "cast", spell="mist step", target="guard")
    assert [(r.rule, r.code) for r in offer.refusals] == [("narateer.cast.follow-magic", "NO_SIGHT")]


@pytest.mark.rule("narateer.cast.follow-magic")
@pytest.mark.parametrize(("total", "result", "wounds"), [(6, "failed", 0), (7, "cast", 1)])
def test_without_a_number_of_its_own_a_spell_must_exceed_the_score_of_its_target(total, result, wounds):
    t = two(spell(**BOLT), dice=(total,))
    t.declare("selka", "cast", spell="mist step", target="guard", boost=0)
    assert (t.outcome.result, t.state.actors["guard"].wounds) == (result, wounds)
    assert ready(t, "selka") == 4


@pytest.mark.rule("narateer.cast.follow-magic")
def test_a_spell_for_an_ally_is_for_no_opponent():
    bo = character("bo", "heroes", (2, 1), conditions=["gagged"])
    t = two(spell(at="ally", ends="gagged", move=4), others=(bo,))
    listed = {o.declaration.target for o in t.offers("selka") if o.action == "cast"}
    assert listed == {"selka", "bo"}
    assert refused(lambda: t.declare("selka", "cast", spell="mist step", target="guard"))
    t.declare("selka", "cast", spell="mist step", target="bo")
    helped = t.state.actors["bo"]
    assert (helped.conditions, helped.extra, t.state.actors["selka"].extra) == ((), 4, 0)


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.equipment.opportunity-without-bonus")
def test_a_spell_may_put_a_condition_on_its_target_and_leave_something_in_the_scene():
    t = two(spell(at=True, condition="gagged", sets={"ice": "the threshold is iced over"}))
    t.declare("selka", "cast", spell="mist step", target="guard")
    assert t.state.actors["guard"].conditions == ("gagged",)
    assert t.state.facts["ice"].text == "the threshold is iced over"


@pytest.mark.rule("narateer.additional.separate-from-normal", "narateer.additional.exact-amount")
def test_a_spell_may_grant_movement_beside_the_mode():
    t = two(spell(move=6))
    t.declare("selka", "walk", route=[(2, 1)])
    t.declare("selka", "cast", spell="mist step")
    caster = t.state.actors["selka"]
    assert (caster.extra, caster.spent, caster.mode) == (6, 2, "walk")


@pytest.mark.rule("narateer.cost.casting-cost-covers-casting")
def test_a_casting_cost_may_be_in_several_resources_at_once_and_all_or_nothing_is_paid():
    t = two(spell(casting_cost={"ad": 1, "mana": 2}), selka={"pools": {"mana": 3}})
    t.declare("selka", "cast", spell="mist step")
    assert (ready(t, "selka"), t.state.actors["selka"].pools["mana"]) == (4, 1)
    refused(lambda: t.declare("selka", "cast", spell="mist step"))
    assert (ready(t, "selka"), t.state.actors["selka"].pools["mana"]) == (4, 1)


# -- what can be noticed of it


@pytest.mark.rule("narateer.cast.noticeability", "narateer.hidden.persists")
def test_a_silent_spell_is_cast_from_hiding_without_a_word_to_anybody():
    t = two(spell(), dice=(15,))
    t.declare("selka", "hide", method="crouch", boost=0)
    t.declare("selka", "cast", spell="mist step")
    assert t.waiting_on == ()
    assert hidden_from(t, "selka") == {"guard"}


@pytest.mark.rule("narateer.cast.noticeability", "narateer.reveal.ambiguous-clue")
@pytest.mark.parametrize(("total", "hidden"), [(15, {"guard"}), (16, set())])
def test_a_spell_that_is_heard_is_a_clue_that_can_be_followed(total, hidden):
    t = two(spell(noticed={"hearing": 10}), dice=(15, total))
    t.declare("selka", "hide", method="crouch", boost=0)
    t.declare("selka", "cast", spell="mist step")
    asked = t.waiting_on[0]
    assert asked.actor == "guard"
    answer(t, "0")
    assert hidden_from(t, "selka") == hidden


@pytest.mark.rule("narateer.cast.noticeability")
@pytest.mark.parametrize(
    ("noticed", "senses", "noticing"),
    [({"sight": 0}, {"hearing": 20}, []), ({"sight": 0}, {"sight": 0}, ["guard"]),
     ({"scent": 4}, {"scent": 20}, []), ({"scent": 6}, {"scent": 20}, ["guard"])],
)  # fmt: skip
def test_an_effect_reaches_only_the_sense_that_it_is_for_and_only_so_far(noticed, senses, noticing):
    t = two(spell(noticed=noticed), sheet={"senses": senses, "ready": 0})
    t.declare("selka", "cast", spell="mist step")
    assert [c.by for c in happened(t, CluePerceived)] == noticing


@pytest.mark.rule("narateer.cast.noticeability")
def test_what_is_behind_a_wall_is_heard_and_not_seen():
    made = {}
    for sense in ("sight", "hearing"):
        t = table(
            character("selka", "heroes", (0, 0), spells=[spell(noticed={sense: 0})]),
            character("guard", "watch", (2, 0), ready=0),
            rows=[".#."], begin="selka",
        )  # fmt: skip
        t.declare("selka", "cast", spell="mist step")
        made[sense] = len(happened(t, CluePerceived))
    assert made == {"sight": 0, "hearing": 1}


# -- cast in reply


WARD = {"name": "ward", "trigger": "hit", "reaction": True, "wards": 1, "check": "", "casting_cost": {"ad": 1}}


def struck(spell_, *, dice=(9,), conditions=(), activation="guard", ad=2, wounds=2):
    t = table(
        character("guard", "watch", (2, 1), weapons=[{"name": "axe", "wounds": wounds}], skills={"melee": 2}),
        character("selka", "heroes", (1, 1), ready=ad, spells=[spell_], conditions=list(conditions)),
        rows=ROWS, legend=THICKET, dice=dice, begin=activation,
    )  # fmt: skip
    t.declare("guard", "attack", target="selka", boost=0)
    while t.waiting_on and t.waiting_on[0].question.about == "response":
        answer(t, "no_response")
    return t


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.reaction.own-timing-and-cost")
def test_a_ward_is_a_reaction_at_its_own_moment_and_price():
    t = struck(WARD)
    assert [(o.label, o.price.amount("ad")) for o in t.waiting_on[0].question.options][1:] == [("cast ward", 1)]
    answer(t, "0")
    assert (t.state.actors["selka"].wounds, ready(t, "selka")) == (1, 1)
    assert acted(t, "selka") == [("cast_hit_reaction", "reactive")]
    assert t.state.actors["selka"].uses == {}


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.reaction.limiting-factors")
def test_such_a_spell_is_no_proactive_one_and_nobody_stunned_or_without_ad_casts_it():
    t = two(WARD)
    assert [o for o in t.offers("selka") if o.action == "cast"] == []
    refused(lambda: t.declare("selka", "cast", spell="ward"))
    for keys in ({"conditions": ("stunned",)}, {"ad": 0}):
        beaten = struck(WARD, **keys)
        assert beaten.waiting_on == ()
        assert beaten.state.actors["selka"].wounds == 2


@pytest.mark.rule("narateer.reaction.explicit-only", "narateer.reaction.modifier-power-is-not-reaction")
def test_a_spell_without_the_label_is_no_reaction_and_a_ban_leaves_it():
    t = struck(WARD | {"reaction": False}, conditions=("stunned",))
    answer(t, "0")
    assert t.state.actors["selka"].wounds == 1
    assert acted(t, "selka") == []


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.reaction.full-trigger")
@pytest.mark.parametrize(("near", "open_to"), [((2, 2), True), ((8, 1), False)])
def test_a_spell_can_answer_a_spell(near, open_to):
    unravel = {"name": "unravel", "trigger": "cast", "reaction": True, "clauses": ["within 6 m", "sees it"],
               "at": True, "condition": "gagged", "casting_cost": {"ad": 1}}  # fmt: skip
    mage = character("mage", "watch", near, spells=[unravel], ad=2)
    t = two(spell(noticed={"hearing": 0}), others=(mage,), sheet={"ready": 0})
    t.declare("selka", "cast", spell="mist step")
    assert bool(t.waiting_on) is open_to
    if open_to:
        answer(t, "0")
        assert t.state.actors["selka"].conditions == ("gagged",)
        assert ready(t, "mage") == 1


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.hidden.cannot-be-targeted-directly")
def test_nobody_casts_at_somebody_that_they_cannot_place():
    t = two(spell(**BOLT), dice=(), selka={"ad": 5})
    t.override([Hid("", "guard", 12, ("selka",)), Perceived("", "guard", "selka", clear=False)], "it has slipped away")
    said = refused(lambda: t.declare("selka", "cast", spell="mist step", target="guard"))
    assert list(said) == ["narateer.hidden.cannot-be-targeted-directly"]
    assert ready(t, "selka") == 5


# -- what a scene file may not say


@pytest.mark.parametrize(
    ("keys", "key", "words"),
    [
        ({"casting_cost": {"mna": 2}}, "casting_cost.mna", 'did you mean "mana"?'),
        ({"noticed": {"herring": 10}}, "noticed.herring", 'did you mean "hearing"?'),
        ({"condition": "gaged", "at": True}, "condition", 'did you mean "gagged"?'),
        ({"focus": "wnad"}, "focus", 'did you mean "wand"?'),
        ({"check": "alchemy"}, "check", "a target for it"),
        ({"target": 6}, "target", "together with check"),
        ({"wounds": 1}, "wounds", "together with at"),
        ({"reaction": True}, "reaction", "together with a trigger"),
        ({"obvious": True}, "obvious", "together with noticed"),
        ({"wards": 1, "trigger": "stepped"}, "wards", "trigger: hit"),
        ({"trigger": "stepped", "role": "target"}, "role", "mover or witness"),
        ({"trigger": "steped"}, "trigger", 'did you mean "stepped"?'),
        ({"castingcost": {"ad": 1}}, "castingcost", 'did you mean "casting_cost"?'),
        ({"casting_cost": {"ad": -1}}, "casting_cost.ad", "at least 0"),
    ],
)
def test_a_spell_that_makes_no_sense_is_named_with_its_line(keys, key, words):
    text = scene_text(
        character("selka", "heroes", (1, 1), spells=[spell(**keys)], pools={"mana": 3}, items=[{"name": "wand"}]),
        conditions=GAGGED,
    )
    with pytest.raises(tw.BadScene) as found:
        tw.read_scene(text, "spells.yaml")
    (problem,) = found.value.problems
    assert problem.key == f"characters[0].spells[0].{key}"
    assert words in str(problem)
    assert key.split(".")[-1] in text.splitlines()[problem.line - 1]


# -- off a map


ZONES = {
    "zones": {"yard": {}, "gate": {}, "barn": {}},
    "ways": [{"between": ["yard", "gate"]}, {"between": ["gate", "barn"]}],
}


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.cast.noticeability")
@pytest.mark.parametrize(
    ("at", "verdict", "noticing"), [("yard", "legal", ["guard"]), ("gate", "legal", ["guard"]), ("barn", "illegal", [])]
)
def test_between_zones_a_spell_reaches_and_is_heard_as_far_as_its_metres(at, verdict, noticing):
    t = table(
        character("selka", "heroes", "yard", spells=[spell(at=True, within=10, noticed={"hearing": 10}),
                                                     spell(name="hum", noticed={"hearing": 10})]),
        character("guard", "watch", at, ready=0),
        mode="cinematic", map=ZONES, begin="selka",
    )  # fmt: skip
    t.override([Perceived("", "guard", "selka")], "he waves a torch")
    # Zones are 10 m wide: the next one is 10 m away, the one behind it 20 m.
    assert t.explain("selka", "cast", spell="mist step", target="guard").verdict == verdict
    t.declare("selka", "cast", spell="hum")
    assert [c.by for c in happened(t, CluePerceived)] == noticing


# -- the check of a spell, and allies in sight


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.boost.any-skill-check", "narateer.boost.cap-is-skill-level")
def test_the_check_of_a_spell_can_be_boosted_up_to_the_skill_level_and_its_failure_is_told():
    t = two(spell(**BOLT, failure="it fizzles"), dice=((1, 3), (2, 4)))
    assert "narateer.boost.cap-is-skill-level" in refused(
        lambda: t.declare("selka", "cast", spell="mist step", target="guard", boost=2)
    )
    t.declare("selka", "cast", spell="mist step", target="guard", boost=1)
    # 1 + 3 + Alchemy 1 does not exceed 6; 1 AD and 1 beyond it.
    assert (t.outcome.result, ready(t, "selka")) == ("failed", 3)
    assert [(e.text, e.good) for e in happened(t, Told)] == [("it fizzles", False)]
    t.declare("selka", "cast", spell="mist step", target="guard", boost=1)
    assert (t.outcome.result, [e.total for e in happened(t, Checked)]) == ("cast", [5, 7])


@pytest.mark.rule("narateer.cast.follow-magic")
def test_a_spell_for_an_ally_in_sight_is_for_oneself_too_and_for_nobody_behind_a_wall():
    t = table(
        character("selka", "heroes", (0, 0), spells=[spell(at="ally", sight=True, move=2)]),
        character("bo", "heroes", (1, 0)),
        character("mia", "heroes", (3, 0)),
        rows=["..#."], begin="selka",
    )  # fmt: skip
    verdicts = {o.declaration.target: o.verdict for o in t.offers("selka") if o.action == "cast"}
    assert verdicts == {"selka": "legal", "bo": "legal", "mia": "illegal"}


@pytest.mark.rule("narateer.hidden.cannot-be-targeted-directly", "narateer.cast.follow-magic")
def test_a_spell_at_a_space_that_its_target_has_left_unseen_works_on_nobody():
    t = table(
        character("selka", "heroes", (4, 3), seat="ann"),
        character("mage", "watch", (4, 0), readiness={"observation": 5}, seat="gus", ad=4,
                  spells=[spell(at=True, wounds=1, casting_cost={"ad": 1})]),
        rows=["." * 12] * 4 + ["," * 12], legend=THICKET, seats=[{"id": "ann"}, {"id": "gus"}], begin="selka",
    )  # fmt: skip
    t.declare("selka", "walk", route=[(4, 4), (5, 4), (6, 4)])
    t.declare("selka", "end")
    t.declare("mage", "begin")
    # The mage saw her go in at (4, 4) and believes that she still is there.
    assert t.explain("mage", "cast", spell="mist step", target="selka").verdict == "legal"
    t.declare("mage", "cast", spell="mist step", target="selka")
    assert (t.outcome.result, t.state.actors["selka"].wounds, ready(t, "mage")) == ("failed", 0, 3)


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.reaction.explicit-only")
def test_a_spell_may_be_cast_upon_ones_own_hit():
    smite = {
        "name": "smite",
        "trigger": "hit",
        "role": "attacker",
        "at": True,
        "wounds": 1,
        "casting_cost": {"mana": 1},
    }
    t = table(
        character("selka", "heroes", (1, 1), spells=[smite], pools={"mana": 1}, weapons=[{"name": "sword"}]),
        character("guard", "watch", (2, 1), ready=0),
        dice=(9,), begin="selka",
    )  # fmt: skip
    t.declare("selka", "attack", target="guard", boost=0)
    answer(t, "0")
    assert t.state.actors["guard"].wounds == 2
    assert (ready(t, "selka"), t.state.actors["selka"].pools) == (5, {"mana": 0})
    assert acted(t, "selka") == [("attack", "proactive")]


@pytest.mark.rule("narateer.cast.follow-magic", "narateer.hidden.cannot-be-targeted-directly")
def test_a_spell_that_is_cast_at_nobody_takes_no_target():
    t = scene([spell(move=4)])
    unknown = refused(lambda: t.declare("selka", "cast", spell="mist step", target="x"))
    assert unknown == {"narateer.hidden.cannot-be-targeted-directly": "Selka cannot place anybody called 'x'"}
    known = refused(lambda: t.odds("selka", "cast", spell="mist step", target="guard"))
    assert known == {"narateer.cast.follow-magic": "mist step is aimed at nobody; leave the target out"}
    assert t.explain("selka", "cast", spell="mist step", target="x").verdict == "illegal"
    assert ready(t, "selka") == 5
