"""Corners of Storypath: what helps or hurts one roll, things on the ground, and what a change of the scene ends."""

from __future__ import annotations

from typing import Any

import pytest
from scions import (
    CLIMB,
    answer,
    begun,
    codes,
    foe,
    happened,
    hero,
    out,
    plainly,
    question,
    result,
    rules,
    scene,
    scene_text,
    turn_of,
    who,
)

import turnwright as tw
from turnwright.events import Changed, Placed
from turnwright.model import Choose, Option
from turnwright.rules import find_game
from turnwright.systems.storypath.bot import Warrior
from turnwright.systems.storypath.events import Did, GrappleBegun, Grapples, Helped, Helping, Lying, On

GAME = find_game("storypath")
HALF = "storypath.mixed.lower-pool"
APART = "storypath.mixed.halves-judged-separately"
DEFENSE = "storypath.attack.defense-requirement"
SPEED = "storypath.reflexive.move-up-to-max-speed"
ROW = ["a", "b", "c"]
STRONG = {"close_combat": 3, "might": 3, "athletics": 3, "dexterity": 3}
BOTH = {"first": "attack", "second": "deed", "target": "wolf"}
DEED = {"name": "deed", "skill": "athletics", "attribute": "dexterity"}
AXE = {"weapons": [{"name": "axe", "pool": "primary"}], "items": [{"name": "axe", "place": "hand"}]}


def fight(dice: tuple[Any, ...] = (), up: str = "ann", ann: dict[str, Any] | None = None, **keys: Any) -> tw.Table:
    wolf = foe("wolf", **({"open": True} | keys.pop("wolf", {})))
    return begun(hero("ann", **(STRONG | (ann or {}))), wolf, up=up, dice=dice, deeds=[DEED, CLIMB], **keys)


def split(made: tw.Table, shares: str) -> None:
    made.declare("ann", "mixed", **BOTH)
    made.answer(question(made), shares)
    plainly(made)


# -- Enhancement


@pytest.mark.rule(HALF)
def test_a_feint_waits_for_an_attack_and_is_not_spent_by_a_climb_onto_the_same_foe() -> None:
    made = fight(dice=(1, 1))
    made.override([Helping("", "ann", 2, "", "wolf")], "a feint")
    made.declare("ann", "deed", deed="climb", target="wolf")
    assert made.state.relation(Helped, "ann", "wolf") is not None
    turn_of(made, "ann")
    made.declare("ann", "attack", target="wolf")
    plainly(made)
    assert result(made) == "hit"  # 1 success, and 2 of the feint, against Defense 2
    assert made.state.relation(Helped, "ann", "wolf") is None


@pytest.mark.rule(HALF)
@pytest.mark.parametrize(("first", "second"), [("attack", "deed"), ("deed", "attack")])
def test_what_is_for_no_skill_in_particular_helps_the_half_that_is_named_first(first: str, second: str) -> None:
    # 1 success goes to the half named second: the first has the 2 of the Knack alone, which is enough for it.
    eyes = {"knacks": [{"name": "Eyes", "enhancement": 2}]}
    harder = {"deeds": [DEED | {"difficulty": 2}]}
    made = begun(hero("ann", **STRONG, **eyes), foe("wolf", open=True), up="ann", dice=(1,), **harder)
    made.declare("ann", "knack", knack="Eyes")
    made.declare("ann", "mixed", first=first, second=second, target="wolf")
    made.answer(question(made), "0/1")
    plainly(made)
    assert result(made) == f"only {first}"


def test_an_antagonists_own_enhancement_helps_it_out_of_a_grapple() -> None:
    made = fight(dice=(2, 1), up="wolf", wolf={"enhancement": 1})
    made.override([GrappleBegun("", "ann", "wolf")], "it is so")
    made.declare("wolf", "break_free")
    assert made.state.relation(Grapples, "ann", "wolf") is None  # 1 and 1 more meet 2


# -- pain


@pytest.mark.rule(APART)
def test_pain_is_one_complication_of_one_roll_and_is_borne_once() -> None:
    made = fight(dice=(4,), ann={"boxes": {"bruised": 1}})
    split(made, "2/2")
    # Nothing is over on the attack; the 1 that is over on the deed bears it.
    assert result(made) == "both"
    assert who(made, "ann").hampered == 0


@pytest.mark.rule(APART)
def test_pain_that_neither_half_bears_makes_the_next_roll_harder() -> None:
    made = fight(dice=(3,), ann={"boxes": {"bruised": 1}})
    split(made, "2/1")
    assert who(made, "ann").hampered == 1


@pytest.mark.parametrize(("mine", "hampered"), [(2, 1), (3, 0)])
def test_pain_is_felt_in_opposed_rolls_too(mine: int, hampered: int) -> None:
    made = fight(dice=(2, mine), ann={"boxes": {"bruised": 1}}, places=ROW)
    made.declare("ann", "disengage", to="b")
    assert result(made) == "success"
    assert who(made, "ann").hampered == hampered


# -- mixed actions


@pytest.mark.rule(SPEED)
def test_hurrying_as_half_of_a_mixed_action_takes_what_the_storyguide_says() -> None:
    made = fight(dice=(4,), places=ROW)
    made.declare("ann", "mixed", first="attack", second="hurry", target="wolf", to="c")
    asked = question(made, "rule")
    assert asked.who == "guide"
    made.answer(asked, {"kind": "check", "skill": "athletics+dexterity", "target": 3})
    assert "misses, 1 short; hurry 3: succeeds" in question(made).question.options[1].label
    answer(made, "2/2")
    plainly(made)
    assert result(made) == "only attack"
    assert who(made, "ann").at == "a"


@pytest.mark.rule(SPEED)
def test_where_the_storyguide_asks_for_no_roll_the_other_pool_is_whole() -> None:
    made = fight(dice=(2,), places=ROW, ann={"athletics": 0, "dexterity": 0})
    made.declare("ann", "mixed", first="attack", second="hurry", target="wolf", to="c")
    made.answer(question(made, "rule"), {"kind": "automatic"})
    assert who(made, "ann").at == "c"
    assert made.outcome is not None


@pytest.mark.rule("storypath.reflexive.listed-count-toward-mixed-limit")
def test_moving_may_be_one_of_two_things_and_is_the_move_of_the_round() -> None:
    bow = {"weapons": [{"name": "bow", "reach": "long"}]}
    made = fight(dice=(2,), places=ROW, ann=bow)
    made.declare("ann", "mixed", first="move", second="attack", to="b", target="wolf")
    plainly(made)
    assert (result(made), who(made, "ann").at, who(made, "ann").moves) == ("success", "b", 1)
    assert "MOVED" in codes(made, "ann", "move", to="c")
    assert "storypath.reflexive.listed-count-toward-mixed-limit" in rules(made, "ann", "look")


@pytest.mark.parametrize("small", ["draw", "small_deed", "move"])
def test_what_a_half_still_needs_is_asked_for(small: str) -> None:
    made = fight(reflexives=[{"name": "wink"}])
    found = codes(made, "ann", "mixed", first=small, second="attack", target="wolf")
    assert len([code for code in found if code.startswith("INCOMPLETE")]) == 1


@pytest.mark.rule("storypath.reflexive.stand-up")
def test_getting_up_among_foes_is_no_half_where_it_takes_the_action() -> None:
    both = {"first": "stand", "second": "attack", "target": "wolf"}
    assert codes(fight(ann={"prone": True}), "ann", "mixed", **both) == []
    made = fight(ann={"prone": True}, settings={"stand_engaged": "simple"})
    assert "storypath.turn.no-second-action" in rules(made, "ann", "mixed", **both)


@pytest.mark.rule("storypath.mixed.split-successes")
@pytest.mark.parametrize("prefer", ["second", "deed"])
def test_what_matters_more_is_said_by_place_or_by_name(prefer: str) -> None:
    made = fight(dice=(2,))
    made.declare("ann", "mixed", **BOTH, prefer=prefer)
    assert "deed 1: succeeds" in question(made).question.options[0].label
    other = fight(dice=(2,))
    other.declare("ann", "mixed", **BOTH, prefer="attack")
    assert question(other).options[0] == "2/0"


# -- things


@pytest.mark.rule(DEFENSE)
@pytest.mark.parametrize(("stunt", "roll", "at"), [("disarm:axe", 4, "a"), ("disarm:away", 5, "b")])
def test_what_is_struck_from_a_hand_lies_there_or_a_band_away_and_can_be_taken_up(
    stunt: str, roll: int, at: str
) -> None:
    made = fight(dice=(roll,), wolf=AXE, places=ROW)
    made.declare("ann", "attack", target="wolf")
    answer(made, stunt)
    plainly(made)
    assert [(lying.item.name, lying.at) for lying in made.state.facts_of(Lying)] == [("axe", at)]
    assert (who(made, "wolf").weapons, who(made, "wolf").items) == ((), ())
    turn_of(made, "wolf")
    if at != "a":
        assert codes(made, "wolf", "pick_up", item="axe") == ["NO_ITEM"]
        made.declare("wolf", "move", to=at)
    made.declare("wolf", "pick_up", item="axe")
    assert who(made, "wolf").actions == 0
    assert [weapon.name for weapon in who(made, "wolf").weapons] == ["axe"]
    assert made.state.facts_of(Lying) == ()


@pytest.mark.rule(DEFENSE)
def test_nothing_is_sent_flying_where_there_is_nowhere_to_fly() -> None:
    made = fight(dice=(6,), wolf=AXE)
    made.declare("ann", "attack", target="wolf")
    assert "disarm:away" not in question(made).options


@pytest.mark.rule(DEFENSE)
def test_how_much_goes_into_a_feint_is_said_and_the_rest_is_left() -> None:
    made = fight(dice=(5,))
    made.declare("ann", "attack", target="wolf")
    answer(made, "feint:ann")
    assert question(made).options == ("1", "2", "3")
    answer(made, "2")
    assert question(made).prompt == "against Wolf, 1 success over: what does it buy?"
    assert [event.amount for event in happened(made, Helping)] == [2]


def test_a_bot_dives_for_cover_where_it_has_none() -> None:
    asked = Choose("guide", "ann", "", "", (Option("defend", ""), Option("dive", "")), "defense")
    made = fight()
    assert Warrior().answer(GAME, made.state, asked) == tw.model.Chosen("dive")


# -- what a change ends


def test_whoever_is_taken_off_by_the_storyguide_rides_and_holds_nobody() -> None:
    made = fight(ann={"on": "wolf"}, places=ROW)
    made.override([GrappleBegun("", "ann", "wolf")], "it is so")
    made.override([Placed("", "wolf", "c")], "it flies off")
    assert made.state.relation(On, "ann", "wolf") is None
    assert made.state.relation(Grapples, "ann", "wolf") is None


def test_whoever_has_no_health_left_is_taken_out() -> None:
    made = fight()
    made.override([Changed("", "wolf.health", "0")], "a cave-in")
    assert who(made, "wolf").down


def test_whoever_acts_has_not_acted_in_the_eyes_of_others() -> None:
    made = fight(up="wolf", wolf={"open": False})
    assert "an action left" in GAME.summary(made.knows("ann"), "wolf")


def test_a_rush_that_fails_is_told() -> None:
    made = fight(dice=(2, 2), wolf={"at": "c"}, places=ROW)
    made.declare("ann", "rush", target="wolf")
    assert [(event.deed, event.good) for event in happened(made, Did)] == [("rush", False)]


def test_odds_foretell_injuries_and_who_is_taken_out() -> None:
    # Six dice against Defense 2: whatever hits injures, and one injury is all that the wolf can take.
    found = fight(wolf={"health": 1}).odds("ann", "attack", target="wolf")
    hit = sum(chance for outcome, chance in found.items() if outcome.result == "hit")
    assert found.numbers["injuries of Wolf"].at_least(1) == hit
    assert found.numbers["Wolf Taken Out"].at_least(1) == hit


# -- scene files


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"on": "ann"}, "on: expected one of the others"),
        ({"weapons": [{"name": "axe"}, {"name": "axe"}]}, "no other weapon has"),
        ({"items": [{"name": "axe"}, {"name": "axe"}]}, "no other item has"),
        ({"knacks": [{"name": "Eyes"}, {"name": "Eyes"}]}, "no other knack has"),
        ({"boxes": {"injured": 2}}, "1 at most"),
        ({"health": 2, "boxes": {"health": 2}}, "1 at most"),
        ({"health": 0}, "1 or more"),
        ({"good_at": {"athletics": "secundary"}}, 'did you mean "secondary"'),
        ({"tier": "hero"}, "mortal, heroic"),
    ],
)
def test_what_cannot_be_on_a_sheet_is_refused_with_what_would_be_right(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(tw.BadScene, match=said):
        scene(hero("ann", **wrong), foe("wolf"))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"metres": True, "places": ROW}, "nothing in a scene in metres"),
        ({"places": ROW, "ways": [["a", "a"]]}, "two places"),
        ({"order": ["bear"]}, "the characters"),
        ({"reflexives": [{"name": "wink"}, {"name": "wink"}]}, "no other reflexive deed has"),
        ({"reserves": [foe("bear", on="wolf")]}, "nothing: whoever comes later"),
        ({"reserves": [foe("wolf")]}, "nobody else has"),
        ({"settings": {"stunts": {"tripp": 1}}}, 'did you mean "trip"'),
    ],
)
def test_what_cannot_be_in_a_scene_is_refused_with_what_would_be_right(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(tw.BadScene, match=said):
        scene(hero("ann"), foe("wolf"), **keys)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"good_at": {"athletics": "secondary"}, "pools": {"primary": 4}}, "a pool that wolf has"),
        ({"weapons": [{"name": "claws", "pool": "secondary"}], "pools": {"primary": 4}}, "a pool that wolf has"),
        ({"pools": {}, "skills": {"close combatt": 2}, "weapons": [{"name": "claws"}]}, "close combatt"),
    ],
)
def test_what_was_hardly_meant_is_warned_of(keys: dict[str, Any], said: str) -> None:
    found = GAME.scene_warnings(scene_text(hero("ann", close_combat=1), foe("wolf", **keys)), "test.yaml")
    assert len(found) == 1
    assert said in str(found[0])


@pytest.mark.rule("storypath.initiative.sgc-group-roll")
def test_a_group_whose_numbers_differ_is_warned_of_in_the_file() -> None:
    unlike = [foe("a", group="g"), foe("b", group="g", pools={"primary": 9})]
    (found,) = GAME.scene_warnings(scene_text(*unlike), "test.yaml")
    assert "numbers like those of a" in str(found)
    assert GAME.scene_warnings(scene_text(foe("a", group="g"), foe("b", group="g")), "test.yaml") == ()


def test_nobody_holds_who_is_taken_out() -> None:
    made = fight()
    made.override([GrappleBegun("", "wolf", "ann")], "it is so")
    out(made, "wolf")
    assert made.state.relation(Grapples, "wolf", "ann") is None
