"""Resolving: a specific procedure first, else settled, impossible as declared, or a check."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from attempts import a_check, attempt, told
from scenes import acted, answer, character, happened, question, ready, refused, table

import turnwright as tw
from turnwright.events import Charged, DoorMoved, Impossible, Told
from turnwright.model import NOTHING, Bill, Declaration, Moment, Outcome, Price, Refusal, Ruling, State
from turnwright.rules import Action, Settled, Steps, find_game
from turnwright.systems.narateer.check import check, check_of
from turnwright.systems.narateer.declare import fallback
from turnwright.systems.narateer.economy import ad
from turnwright.systems.narateer.events import Checked, ExchangeEnded, Moved

ANN = [{"id": "ann"}]


def selka(**keys: Any) -> dict[str, Any]:
    sheet = {"strength": 2, "agility": 4, "seat": "ann", "skills": {"athletics": 1, "acrobatics": 1}}
    return character("selka", "heroes", **({"at": (1, 1)} | sheet | keys))


def alone(*, dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    return table(selka(**keys), seats=ANN, dice=dice, begin="selka")


@pytest.mark.rule("narateer.resolve.specific-procedure-first")
def test_a_run_is_a_run_however_uncertain_it_is():
    t = alone(ad=3)
    t.declare("selka", "run", to=(6, 1), intent="be there before the gate falls", method="run, if I can make it")
    assert t.waiting_on == ()  # the guide is never asked
    assert (ready(t, "selka"), happened(t, Checked)) == (2, [])


@pytest.mark.rule("narateer.resolve.specific-procedure-first")
def test_an_attempt_that_a_specific_rule_governs_goes_by_that_rule():
    t = alone(ad=3)
    t.declare("selka", "attempt", intent="be there before the gate falls", method="dash", to=(6, 1))
    answer(t, {"kind": "procedure", "procedure": "run"}, "rule")
    answer(t, True, "confirm")
    assert acted(t) == [("run", "proactive")]
    assert (ready(t, "selka"), happened(t, Checked)) == (2, [])  # X a generic check at 1 AD more


@pytest.mark.rule("narateer.resolve.specific-procedure-first")
def test_a_named_procedure_that_is_not_open_says_every_reason_and_costs_nothing():
    t = alone(ad=3)
    t.declare("selka", "attempt", intent="be there first", method="dash")
    answer(t, {"kind": "procedure", "procedure": "run"}, "rule")
    assert [i.obstacle for i in happened(t, Impossible)] == ["the declaration lacks: a route"]
    assert ready(t, "selka") == 3


class Pray(Action):
    """A kind of procedure that the game does not come with: 2 AD and an Acrobatics check for bowing low enough."""

    name = "pray"
    about = "pray"
    rules: ClassVar[tuple[str, ...]] = ("house.pray",)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from ()

    def price(self, known: State, d: Declaration) -> Price:
        return Price(ad(2, "prayer", "house.pray"))

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        return Bill(self.price(state, d), check_of(state, d.actor, "acrobatics"), "prayer")

    def resolve(self, play: Any, d: Declaration, paid: Settled) -> Steps[Outcome]:
        read = yield from check(play, d.actor, "acrobatics", paid[d.actor], "house.pray", against=6, ties=True)
        return Outcome(self.name, "heard" if read.value else "unheard")


@pytest.mark.rule("narateer.resolve.specific-procedure-kinds")
def test_every_kind_of_procedure_has_its_own_handler_and_the_list_is_open(monkeypatch):
    """Exchange, movement mode, item, Class Power, and a kind that is registered while the game runs."""
    monkeypatch.setitem(find_game("narateer").actions, "pray", Pray())
    power = {"name": "Stride", "parts": [{"ad": 1, "move": 2}]}
    item = {"name": "flare", "ad": 1, "procedure": "the yard is bright as day"}
    t = table(
        selka(ad=9, powers=[power], items=[item]),
        character("guard", "guards", (2, 1)),
        seats=ANN,
        dice=(2, 7),
        begin="selka",
    )
    t.declare("selka", "attack", target="guard", boost=0)
    answer(t, "no_response")
    assert happened(t, ExchangeEnded)
    t.declare("selka", "run", to=(0, 1))
    assert happened(t, Moved)
    t.declare("selka", "use", using="flare", intent="light")
    assert happened(t, Told)[-1].text == "the yard is bright as day"
    t.declare("selka", "use_power", power="Stride")
    assert t.state.actors["selka"].extra == 2
    t.declare("selka", "pray", boost=0)
    assert t.outcome is not None
    assert (t.outcome.action, t.outcome.result) == ("pray", "heard")
    assert ready(t, "selka") == 9 - 1 - 1 - 1 - 1 - 2
    assert [kind for kind, _ in acted(t)] == ["attack", "run", "use", "use_power", "pray"]
    assert not [entry for entry in t.live if entry.by == "guide" and "Ruled" in type(entry.input).__name__]


@pytest.mark.rule("narateer.resolve.specific-procedure-kinds")
def test_the_guide_can_name_a_procedure_of_a_new_kind(monkeypatch):
    monkeypatch.setitem(find_game("narateer").actions, "pray", Pray())
    t = alone(dice=(3,))
    t.declare("selka", "attempt", intent="be heard", method="kneel", boost=0)
    answer(t, {"kind": "procedure", "procedure": "pray"}, "rule")
    answer(t, True, "confirm")
    assert t.outcome == Outcome("pray", "unheard")


@pytest.mark.rule("narateer.resolve.specific-procedure-owns-requirements")
def test_a_class_power_brings_its_own_price_and_its_own_check():
    part = {"ad": 2, "check": "acrobatics", "target": 6, "success": "over the beam", "failure": "a slip"}
    t = alone(powers=[{"name": "Beam Walk", "parts": [part]}], dice=(7,))
    assert t.explain("selka", "use_power", power="Beam Walk").price.amount("ad") == 2
    t.declare("selka", "use_power", power="Beam Walk", boost=0)
    assert ready(t, "selka") == 4  # X 5: the price of a generic check
    assert [(c.skill, c.total) for c in happened(t, Checked)] == [("acrobatics", 7)]
    assert happened(t, Told)[-1].text == "over the beam"


@pytest.mark.rule("narateer.resolve.fallback-order")
@pytest.mark.parametrize(
    ("certain", "can_work", "doubt", "path"),
    [
        (True, True, "", "automatic"),
        (False, False, "", "impossible"),
        (False, False, "uncertain", "impossible"),
        (False, True, "uncertain", "check"),
        (True, False, "", "automatic"),
        (False, True, "", "automatic"),  # nothing is at stake: play goes on
    ],
)
def test_the_first_path_that_fits_is_taken(certain, can_work, doubt, path):
    assert fallback(certain, can_work, doubt) == path


@pytest.mark.rule("narateer.resolve.fallback-order")
@pytest.mark.parametrize(
    ("effort", "conditions", "first"),
    [
        ("simple", [], "automatic"),
        ("risky", [], "check"),
        ("risky", ["dazed"], "impossible"),
        ("simple", ["dazed"], "automatic"),
    ],
)
def test_the_guide_is_offered_the_path_that_fits_first(effort, conditions, first):
    dazed = {"dazed": {"major": False}}
    t = table(selka(conditions=conditions), seats=ANN, begin="selka", conditions=dazed)
    t.declare("selka", "use", using="lever", intent="the grate is up", effort=effort)
    assert question(t).question.suggested[0].kind == first


@pytest.mark.rule("narateer.resolve.automatic-outcome")
def test_what_is_certain_is_told_without_a_roll():
    door = {"id": "door", "between": [[1, 1], [2, 1]]}
    t = table(selka(), seats=ANN, begin="selka", map_={"doors": [door]})
    t.declare("selka", "use", using="door")
    assert happened(t, DoorMoved)[0].open
    assert happened(t, Told)[0].text == "door is open"
    assert (happened(t, Checked), happened(t, Charged), t.waiting_on) == ([], [], ())
    assert t.outcome == Outcome("use", "automatic", amount=1)


@pytest.mark.rule("narateer.resolve.automatic-may-be-adverse")
def test_a_settled_outcome_may_be_bad_for_the_actor():
    t = alone()
    seen = {"kind": "automatic", "good": False, "failure": "the guard sees you in the spotlight"}
    attempt(t, "selka", seen, intent="cross unseen", method="walk openly through the light")
    assert [(e.text, e.good) for e in happened(t, Told)] == [("the guard sees you in the spotlight", False)]
    assert happened(t, Checked) == []
    assert t.outcome is not None
    assert (t.outcome.result, t.outcome.amount) == ("adverse", 0)


@pytest.mark.rule("narateer.resolve.automatic-may-be-adverse")
def test_a_bad_outcome_must_be_told_and_sets_nothing():
    t = alone()
    t.declare("selka", "attempt", intent="cross unseen", method="walk openly", boost=0)
    bad = {"kind": "automatic", "good": False, "sets": {"crossed": "selka is across"}}
    assert "narateer.resolve.automatic-may-be-adverse" in refused(lambda: answer(t, bad))
    answer(t, bad | {"failure": "seen"})
    assert "crossed" not in t.state.facts


@pytest.mark.rule("narateer.resolve.impossible-as-declared")
def test_an_impossible_ruling_names_the_obstacle_and_ends_the_matter():
    t = alone(ad=4)
    t.declare("selka", "attempt", intent="the portcullis is open", method="I cut the steel with a feather")
    asked = question(t)
    assert "narateer.resolve.impossible-as-declared" in refused(lambda: answer(t, "impossible"))
    answer(t, {"kind": "impossible", "obstacle": "a feather does not cut steel"})
    assert [e.obstacle for e in happened(t, Impossible)] == ["a feather does not cut steel"]
    assert t.waiting_on == ()
    for value in (a_check(), 0):
        with pytest.raises(tw.Refused, match="no open question"):
            t.answer(asked, value)
    assert (ready(t, "selka"), happened(t, Checked), acted(t)) == (4, [], [])


@pytest.mark.rule("narateer.resolve.impossible-revise-free")
def test_a_declaration_can_be_revised_as_often_as_one_likes():
    t = alone(ad=4, dice=(7,))
    for obstacle in ("too smooth", "too high", "too well watched"):
        attempt(t, "selka", {"kind": "impossible", "obstacle": obstacle})
    sheet = t.state.actors["selka"]
    assert (sheet.ready, sheet.uses) == (4, {})
    attempt(t, "selka", a_check())
    sheet = t.state.actors["selka"]
    assert (sheet.ready, sheet.uses) == (3, {"athletics": 1})


@pytest.mark.rule("narateer.resolve.skill-check-conditions")
@pytest.mark.parametrize("why", ["risky", "dramatic", "contested", "uncertain"])
def test_any_one_doubt_sends_an_attempt_to_a_check(why):
    assert fallback(certain=False, can_work=True, doubt=why) == "check"
    t = alone(dice=(7,))
    attempt(t, "selka", a_check(why=why))
    assert len(happened(t, Checked)) == 1


@pytest.mark.rule("narateer.resolve.skill-check-conditions")
def test_without_any_doubt_nothing_is_rolled():
    t = alone()
    assert fallback(certain=False, can_work=True) == "automatic"
    attempt(t, "selka", told())
    assert happened(t, Checked) == []
    t.declare("selka", "attempt", intent="get on", method="climb", boost=0)
    assert "narateer.resolve.skill-check-conditions" in refused(lambda: answer(t, a_check(why="boring")))


@pytest.mark.rule("narateer.resolve.roll-when-both-matter")
@pytest.mark.parametrize("which", ["success", "failure"])
def test_a_check_of_which_one_end_does_not_matter_is_no_check(which):
    t = alone()
    t.declare("selka", "attempt", intent="get on", method="climb")
    told = refused(lambda: answer(t, a_check() | {which: ""}))
    assert told["narateer.resolve.roll-when-both-matter"] == f"{which} does not matter: resolve it automatically"
    assert question(t).kind == "rule"
    answer(t, a_check())
    assert question(t, "commit").question.warnings == ()


def test_nothing_is_quoted_for_an_attempt_before_it_is_ruled_on():
    offer = alone().explain("selka", "attempt", intent="get on", method="climb")
    assert (offer.verdict, offer.price) == ("ruling", NOTHING)
