"""Being hidden: nobody aims at what it cannot place, and what one remembers is all that one knows."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from scenes import answer, character, happened, hidden_from, question, ready, recorded, refused
from shadows import (
    at,
    attentive,
    checks,
    codes,
    distract,
    grove,
    guard,
    hide,
    hider,
    remembers,
    scenery,
    turn,
)

import turnwright as tw
from turnwright.model import Expiry
from turnwright.systems.narateer.events import Caught, ExchangeBegun, Learned, Perceived, Wounded
from turnwright.systems.narateer.hidden import knows_present, last_position
from turnwright.systems.narateer.sheet import Character

BOW = {"name": "bow", "kind": "ranged", "wounds": 1}
OIL = {"intent": "burn the thicket", "method": "throw burning oil", "boost": 0}
FIRE = {"kind": "automatic", "success": "the oil burns", "tier": "minor", "wounds": 1}


def ambush(dice: tuple[Any, ...] = (13,), **keys: Any) -> tw.Table:
    """Selka hides with 13: from g, whose score is 12, and not from h, whose score is 14. Both have bows."""
    g = guard("g", (2, 0), 12, seat="gus", weapons=[dict(BOW)], ad=3)
    h = guard("h", (6, 0), 14, seat="hal", weapons=[dict(BOW)], ad=3)
    t = grove(hider(weapons=[dict(BOW)]), g, h, dice=dice, **keys)
    hide(t)
    return t


# -- aiming


@pytest.mark.rule("narateer.hidden.cannot-be-targeted-directly")
def test_only_whoever_is_not_fooled_can_aim() -> None:
    t = ambush()
    assert hidden_from(t, "selka") == {"g"}
    turn(t, "g")
    assert codes(t.explain("g", "attack", target="selka")) == {"NO_PRECISE_LOCATION"}
    refused(lambda: t.declare("g", "attack", target="selka", boost=0))
    assert ready(t, "g") == 3
    turn(t, "h")
    assert t.explain("h", "attack", target="selka").verdict == "legal"


@pytest.mark.rule("narateer.hidden.cannot-be-targeted-directly")
def test_the_refusal_is_the_same_as_for_somebody_who_is_not_there() -> None:
    t = ambush()
    turn(t, "g")
    hidden = t.explain("g", "attack", target="selka").refusals
    absent = t.explain("g", "attack", target="mirko").refusals
    assert [(r.rule, r.code, r.text.replace("mirko", "selka")) for r in absent] == [
        (r.rule, r.code, r.text) for r in hidden
    ]
    assert "selka" not in str(t.view("gus"))
    assert all("selka" not in str(offer) for offer in t.offers("g"))


@pytest.mark.rule("narateer.hidden.cannot-be-targeted-directly")
def test_whoever_knows_that_somebody_is_there_is_told_so_and_cannot_aim_either() -> None:
    t = ambush()
    t.override([Learned("", "selka", "g", None, "told")], "h has shouted a warning")
    turn(t, "g")
    found = t.explain("g", "attack", target="selka").refusals
    assert [(r.code, r.text) for r in found] == [("NO_PRECISE_LOCATION", "G cannot place somebody precisely enough")]


@pytest.mark.rule("narateer.hidden.cannot-be-targeted-directly")
def test_no_attempt_can_be_aimed_at_somebody_unseen() -> None:
    t = ambush()
    turn(t, "g")
    offered = t.explain("g", "attempt", intent="hold them", method="throw a net", target="selka")
    assert "NO_PRECISE_LOCATION" in codes(offered)


# -- what is known all the same


@pytest.mark.rule("narateer.hidden.observer-may-still-know")
def test_whoever_saw_the_hider_last_remembers_where_and_not_where_it_is() -> None:
    t = grove(hider((4, 2)), guard(at=(4, 0), score=11, seat="gus"), rows=["." * 30] * 3 + ["," * 30] * 2, dice=(13,))
    distract(t, "guard")
    t.declare("selka", "walk", route=[(4, 3), (4, 4)])
    hide(t)
    attentive(t, "guard")
    assert hidden_from(t, "selka") == {"guard"}
    assert at(t) == (4, 4)
    assert last_position(t.state, "guard", "selka") == (4, 2)
    assert knows_present(t.state, "guard", "selka")
    known = t.knows("gus")
    assert known.actors["selka"].at is None, "the guard sees that she is not there any more"
    relations = [r for held in known.relations.values() for r in held]
    assert [getattr(r, "at", None) for r in relations] == [(4, 2)]
    assert "[4,4]" not in msgspec.json.encode(t.view("gus")).decode().replace(" ", "")


@pytest.mark.rule("narateer.hidden.observer-may-still-know")
def test_a_space_that_cannot_be_seen_into_is_believed_in_until_it_is_seen_empty() -> None:
    t = grove(hider((4, 3)), guard(at=(4, 0), score=5, seat="gus"), dice=(12,))
    t.declare("selka", "walk", route=[(4, 4), (5, 4), (6, 4)])
    assert t.knows("gus").actors["selka"].at == (4, 4), "there he saw her go in"
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}
    assert t.knows("gus").actors["selka"].at == (4, 4)
    turn(t, "guard")
    t.declare("guard", "walk", route=[(3, 1), (3, 2), (3, 3)])
    assert t.knows("gus").actors["selka"].at is None
    assert last_position(t.state, "guard", "selka") == (4, 4)
    t.declare("guard", "walk", route=[(3, 2)])
    assert t.knows("gus").actors["selka"].at is None, "he does not forget that he has looked"


@pytest.mark.rule("narateer.hidden.observer-may-still-know", "narateer.hidden.cannot-be-targeted-directly")
def test_a_seat_cannot_tell_whether_somebody_still_is_where_it_went_out_of_sight() -> None:
    tables = []
    for route in ([(4, 4)], [(4, 4), (5, 4), (6, 4)]):
        t = grove(hider((4, 3)), guard(at=(4, 0), score=5, seat="gus", weapons=[dict(BOW)]), dice=(6,))
        t.declare("selka", "walk", route=route)
        turn(t, "guard")
        tables.append(t)
    stayed, gone = tables
    assert stayed.view("gus") == gone.view("gus")
    assert stayed.offers("guard") == gone.offers("guard")
    assert stayed.explain("guard", "attack", target="selka").verdict == "legal"


@pytest.mark.rule("narateer.hidden.cannot-be-targeted-directly")
def test_an_attack_on_a_space_that_somebody_has_left_hits_nobody() -> None:
    t = grove(hider((4, 3)), guard(at=(4, 0), score=5, seat="gus", weapons=[dict(BOW)]), dice=(20, 20))
    t.declare("selka", "walk", route=[(4, 4), (5, 4), (6, 4)])
    turn(t, "guard")
    t.declare("guard", "attack", target="selka", boost=0)
    assert happened(t, ExchangeBegun) == []
    assert happened(t, Wounded) == []
    assert ready(t, "guard") == 5, "the arrow is shot"


@pytest.mark.rule("narateer.hidden.observer-may-still-know")
def test_nothing_that_a_hidden_creature_does_reaches_the_seat_that_it_is_hidden_from() -> None:
    t = ambush()
    before = t.news("gus")
    t.declare("selka", "walk", route=[(5, 4), (6, 4)])
    t.declare("selka", "make_noise", clear="no", range=0)
    assert t.news("gus") == before
    t.declare("selka", "end")
    assert t.knows("gus").active is None
    assert t.knows("gus").last is None
    assert "selka" not in t.knows("gus").scene.order


# -- areas


@pytest.mark.rule("narateer.hidden.area-effects-still-hit")
def test_an_area_asks_nobody_where_they_are() -> None:
    t = ambush()
    turn(t, "g")
    t.declare("g", "affect_area", at="5,5", radius=4, **OIL)
    answer(t, FIRE)
    answer(t, True, "confirm")
    assert [caught.actor for caught in happened(t, Caught)] == ["selka"]
    assert t.state.actors["selka"].wounds == 1
    assert hidden_from(t, "selka") == {"g"}, "being caught alone reveals nobody"


@pytest.mark.rule("narateer.hidden.area-effects-still-hit")
def test_whoever_is_outside_the_area_is_not_in_it() -> None:
    t = ambush()
    turn(t, "g")
    t.declare("g", "affect_area", at="7,5", radius=4, **OIL)
    answer(t, FIRE)
    answer(t, True, "confirm")
    assert happened(t, Caught) == [], "3 Spaces are 6 m"


@pytest.mark.rule("narateer.hidden.area-effects-still-hit")
def test_the_seat_does_not_learn_whether_the_area_caught_somebody_unseen() -> None:
    views = []
    for middle in ("5,5", "15,5"):
        t = ambush()
        turn(t, "g")
        t.declare("g", "affect_area", at=middle, radius=4, **OIL)
        answer(t, FIRE)
        answer(t, True, "confirm")
        views.append(t.view("gus"))
    assert views[0]["news"] == views[1]["news"]
    assert views[0]["actors"] == views[1]["actors"]


@pytest.mark.rule("narateer.hidden.area-effects-still-hit")
def test_an_area_is_a_space_of_the_map_and_a_whole_number_of_metres() -> None:
    t = ambush()
    turn(t, "g")
    assert "INCOMPLETE area" in codes(t.explain("g", "affect_area", **OIL))
    assert "NO_SPACE" in codes(t.explain("g", "affect_area", at="99,5", **OIL))
    assert "INCOMPLETE area" in codes(t.explain("g", "affect_area", at="", **OIL))
    assert "RADIUS" in codes(t.explain("g", "affect_area", at="5,5", radius=-4, **OIL))


# -- no invisibility


@pytest.mark.rule("narateer.hidden.not-invisible")
def test_what_concealed_is_taken_away_and_no_total_helps() -> None:
    door = {"id": "door", "name": "the door", "between": [(3, 1), (4, 1)], "open": False}
    walls = [{"between": [(3, 0), (4, 0)]}, {"between": [(3, 2), (4, 2)]}]
    t = scenery(
        hider((2, 1), seat="guide"),
        guard("guard", (4, 1), 5),
        rows=["........"] * 3,
        map_={"doors": [door], "walls": walls},
        dice=(20,),
    )
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}
    turn(t, "guard")
    t.declare("guard", "use", using="door")
    assert hidden_from(t, "selka") == set()
    assert recorded(t, "selka") is None
    assert checks(t) == 1


@pytest.mark.rule("narateer.hidden.not-invisible")
def test_hiding_is_a_relation_and_no_property_of_the_body() -> None:
    assert not [f.name for f in msgspec.structs.fields(Character) if "hid" in f.name or "visible" in f.name]
    t = ambush()
    friend = grove(hider(), character("bo", "heroes", (8, 0), seat="bo"), guard(score=5), dice=(12,))
    hide(friend)
    assert friend.knows("bo").actors["selka"].at == (4, 4), "her friends see her as before"
    assert t.knows("hal").actors["selka"].at == (4, 4)


# -- attacks and unseen creatures


@pytest.mark.rule("narateer.hidden.unseen-attack-in-combat")
def test_an_unseen_attacker_is_guarded_against_and_not_clashed_with() -> None:
    t = ambush(dice=(13, 1))
    t.declare("selka", "attack", target="g", boost=0)
    answer(t, True, "confirm")
    asked = question(t, "choose")
    assert set(asked.options) == {"no_response", "full_guard"}
    assert "narateer.hidden.cannot-be-targeted-directly" in refused(lambda: answer(t, "clash:bow"))
    assert ready(t, "g") == 3


@pytest.mark.rule("narateer.hidden.unseen-attack-in-combat")
@pytest.mark.parametrize(
    ("supplied", "hit"), [({}, False), ({"unseen_bonus": None}, False), ({"unseen_bonus": 1}, True)]
)
def test_nothing_is_added_but_what_combat_supplies(supplied: dict[str, Any], hit: bool) -> None:
    t = ambush(dice=(13, (3,)), settings=supplied)
    t.declare("selka", "attack", target="g", boost=0)
    answer(t, True, "confirm")
    answer(t, "no_response")
    assert bool(happened(t, Wounded)) is hit, "3 against the score of 3 in Acrobatics"


@pytest.mark.rule("narateer.hidden.unseen-attack-in-combat", "narateer.hidden.cannot-be-targeted-directly")
def test_an_unseen_target_cannot_be_attacked_at_all() -> None:
    t = ambush()
    turn(t, "g")
    found = t.explain("g", "attack", target="selka")
    assert {r.rule for r in found.refusals} == {"narateer.hidden.cannot-be-targeted-directly"}


@pytest.mark.rule("narateer.hidden.unseen-attack-in-combat")
def test_the_rule_card_says_what_the_edge_is() -> None:
    from turnwright.systems.narateer.settings import OPEN

    setting = next(s for s in OPEN if s.name == "unseen_bonus")
    assert setting.rule == "narateer.hidden.unseen-attack-in-combat"
    assert "whole edge" in setting.reason


# -- how long


@pytest.mark.rule("narateer.hidden.persists")
def test_ten_rounds_change_nothing() -> None:
    t = ambush()
    for _ in range(10):
        for who in ("g", "h", "selka"):
            turn(t, who)
    assert t.state.round >= 10
    assert hidden_from(t, "selka") == {"g"}
    assert recorded(t, "selka") == 13


@pytest.mark.rule("narateer.hidden.activation-boundaries")
def test_case_22_the_edges_of_activations_do_nothing() -> None:
    t = ambush()
    paid = ready(t, "selka")
    for step in (("selka", "end"), ("g", "begin"), ("g", "end")):
        t.declare(*step)
        assert hidden_from(t, "selka") == {"g"}
        assert recorded(t, "selka") == 13
        assert ready(t, "selka") == paid, "hiding has no upkeep"
    t.declare("selka", "begin")
    assert hidden_from(t, "selka") == {"g"}
    assert recorded(t, "selka") == 13
    assert checks(t) == 1


@pytest.mark.rule("narateer.hidden.not-invisible")
def test_what_ends_with_an_activation_can_reveal_where_the_activation_itself_does_not() -> None:
    t = grove(hider((4, 2)), guard(score=5), dice=(12,))
    t.override([Perceived("", "selka", "guard", False, Expiry("guard", "start"))], "a shout, until he collects himself")
    hide(t)
    turn(t, "guard")
    assert hidden_from(t, "selka") == set()


def test_remembering_is_told_to_the_one_who_remembers() -> None:
    t = grove(hider((4, 3)), guard(at=(4, 0), score=5, seat="gus"))
    t.declare("selka", "walk", route=[(4, 4)])
    known = remembers(t, "guard")
    assert known is not None
    assert [event for event in t.news("gus") if isinstance(event, Learned)]
    assert not [event for event in t.news("ann") if isinstance(event, Learned)]


@pytest.mark.rule("narateer.hidden.observer-may-still-know")
def test_nobody_begins_in_the_middle_of_an_activation_that_it_cannot_see() -> None:
    t = ambush()
    assert t.knows("gus").active is None
    t.declare("g", "begin")
    assert t.state.active == "selka"
    assert t.outcome is not None
    assert t.outcome.result == "not now"
    t.declare("selka", "end")
    t.declare("g", "begin")
    assert t.state.active == "g"


@pytest.mark.rule("narateer.hidden.observer-may-still-know")
def test_whoever_is_found_by_somebody_unseen_is_not_told_of_it() -> None:
    t = grove(hider((4, 4)), guard("g", (4, 0), 5), guard("u", (20, 4), 5), dice=(14,))
    assert "u" not in t.knows("ann").actors
    hide(t)
    assert hidden_from(t, "selka") == {"g", "u"}
    before = t.news("ann")
    t.override([Perceived("", "selka", "u", clear=True)], "u has sharp eyes")
    assert hidden_from(t, "selka") == {"g"}
    assert t.news("ann") == before
