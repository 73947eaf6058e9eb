"""Prime: what sets it off by itself, and what it takes."""

from typing import Any

import pytest
from realms import armed, codes, creature, left, passing, question, table, turn, who

import turnwright as tw

GATE = {"doors": [{"id": "gate", "between": [[6, 1], [7, 1]]}, {"id": "hatch", "between": [[6, 3], [7, 3]]}]}
LOCKS = [
    {"id": "bolt", "kind": "lock", "at": [7, 1], "quality": "simple", "door": "gate"},
    {"id": "latch", "kind": "lock", "at": [7, 3], "quality": "simple", "door": "hatch"},
]


def ready(dice: Any = (), kara: Any = None, **said: Any) -> tw.Table:
    """Kara, with a blade of +5, has prepared an attack; Orc and Goblin are on the other side, Finn is on hers."""
    t = table(
        creature("kara", "h", (1, 1), items=[armed(5)], **(kara or {})),
        creature("finn", "h", (1, 3), items=[armed(5, name="axe")]),
        creature("orc", "o", (4, 1), ac=10, hp=40, items=[armed(0, name="club")]),
        creature("goblin", "o", (6, 2), ac=10, hp=40, dex_=9),
        map_=GATE,
        mechanisms=LOCKS,
        dice=dice,
        begin="kara",
    )
    t.declare("kara", "prime", **({"deed": "attack"} | said))
    return t


@pytest.mark.rule("altered-realms.prime.action-as-reaction", "altered-realms.prime.declare-action-and-trigger")
def test_it_goes_off_in_the_middle_of_a_walk_as_soon_as_the_named_one_is_near():
    t = ready(dice=((10,), 4), when="near", whose="orc")
    assert left(t, "kara") == (0, 1, 1)
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1), (2, 1), (2, 2)])
    assert (question(t).actor, who(t, "orc").at) == ("kara", (2, 1))  # 1 m away, and not before
    t.answer(question(t), "0")
    assert (who(t, "kara").reactions, who(t, "orc").hp) == (0, 36)  # 10 + 5 meets AC 10; 4 damage
    assert who(t, "orc").at == (2, 2)  # and it walks on


@pytest.mark.rule("altered-realms.prime.declare-action-and-trigger")
def test_somebody_else_coming_near_does_not_set_it_off_and_its_owner_may_let_it_pass():
    t = ready(when="near", whose="goblin")
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1), (2, 1)])
    assert t.waiting_on == ()
    t = ready(when="near")
    turn(t, "finn")
    t.declare("finn", "walk", route=[(1, 2)])
    assert t.waiting_on == ()  # nobody was named: anybody of another side
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1), (2, 1)])
    t.answer(question(t), "pass")
    assert (who(t, "kara").reactions, who(t, "orc").hp) == (1, 40)


@pytest.mark.rule("altered-realms.prime.declare-action-and-trigger")
def test_metres_of_ones_own_say_how_near_is_near():
    t = ready(when="near", within=2, deed="dodge")
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1)])
    t.answer(question(t), "0")
    assert who(t, "kara").reactions == 0


@pytest.mark.rule("altered-realms.prime.declare-action-and-trigger")
@pytest.mark.parametrize(("lock", "opener", "fires"), [("bolt", "goblin", True), ("latch", "goblin", False)])
def test_the_named_door_and_no_other(lock: str, opener: str, fires: bool):
    t = ready(when="opens", whose="goblin", door="gate", deed="dodge", dice=((15,),))
    t.override({"goblin.at": [7, 2]}, "a test")
    turn(t, opener)
    t.declare(opener, "pick_lock", thing=lock)
    assert (t.waiting_on != ()) is fires
    passing(t)


@pytest.mark.rule("altered-realms.prime.declare-action-and-trigger")
def test_when_the_orc_is_named_and_a_goblin_opens_it_nothing_happens():
    t = ready(when="opens", whose="orc", door="gate", deed="dodge", dice=((15,),))
    t.override({"goblin.at": [7, 2]}, "a test")
    turn(t, "goblin")
    t.declare("goblin", "pick_lock", thing="bolt")
    assert (t.waiting_on, t.state.open_doors) == ((), ("gate",))


SHIELD = {"name": "shield", "ac": 5, "pool": "focus", "sustain": 1}


@pytest.mark.rule("altered-realms.prime.action-as-reaction")
def test_a_shield_that_is_cast_when_one_is_attacked_is_up_before_the_roll():
    kara = {"abilities": [SHIELD], "pools": {"focus": 2}}
    for answer, hp in (("0", 20), ("pass", 16)):
        t = ready(dice=((12,), 4), kara=kara, deed="cast", ability="shield", sustain=True, when="attacks")
        t.override({"orc.at": [2, 1]}, "a test")
        turn(t, "orc")
        t.declare("orc", "attack", target="kara")
        t.answer(question(t), answer)
        assert who(t, "kara").hp == hp  # 12 against AC 10 + 5


@pytest.mark.rule("altered-realms.prime.action-as-reaction")
def test_whoever_is_struck_down_before_its_own_blow_deals_none():
    t = ready(dice=((10,), 40), when="attacks")
    t.override({"orc.at": [2, 1], "orc.hp": 4}, "a test")
    turn(t, "orc")
    t.declare("orc", "attack", target="kara")
    t.answer(question(t), "0")
    assert (who(t, "orc").down, who(t, "kara").hp) == (True, 20)


@pytest.mark.rule("altered-realms.prime.declare-action-and-trigger")
def test_an_attack_on_a_friend_counts_where_the_friend_is_named():
    for whom, fires in (("finn", True), ("", False)):
        said = {"whom": whom} if whom else {}
        t = ready(when="attacks", deed="dodge", dice=((2,),), **said)
        t.override({"orc.at": [2, 3]}, "a test")
        turn(t, "orc")
        t.declare("orc", "attack", target="finn")
        assert (t.waiting_on != ()) is fires
        passing(t)


@pytest.mark.rule("altered-realms.prime.declare-action-and-trigger")
def test_before_somebody_leaves_and_before_a_spell_takes_effect():
    t = ready(when="leaves", dice=((10,), 4))
    t.override({"orc.at": [2, 1], "kara.reactions": 1}, "a test")
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1)])
    labels = [option.label for option in question(t).question.options]
    assert any("attack, when" in label for label in labels)  # beside the Opportunity Attack that is open anyway
    bolt = {"name": "bolt", "at": "enemy", "damage": "6"}
    t = ready(when="casts", whose="orc", dice=((10,), 40), within=9)
    t.override({"orc.at": [2, 1], "orc.hp": 4}, "a test")
    t.override({"orc.abilities": [bolt]}, "a test")
    turn(t, "orc")
    t.declare("orc", "cast", ability="bolt", target="finn")
    t.answer(question(t), "0")
    assert who(t, "finn").hp == 20  # the caster went down first


@pytest.mark.rule("altered-realms.prime.attack-count")
def test_two_prepared_attacks_answer_the_same_trigger_each_for_a_reaction():
    t = ready(
        when="near", whose="orc", number=2, kara={"reactions": 2, "attacks": 2}, dice=((10,), 4, (10,), 4), target="orc"
    )
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1), (2, 1)])
    t.answer(question(t), "0")
    t.answer(question(t), "0")
    assert (who(t, "kara").reactions, who(t, "orc").hp, t.waiting_on) == (0, 32, ())


@pytest.mark.rule("altered-realms.prime.action-as-reaction")
def test_a_full_round_action_is_paid_in_full_when_it_is_prepared():
    t = ready(deed="rally", trigger="they waver")
    assert left(t, "kara") == (0, 0, 0)
    t = ready(deed="defensive_stance", trigger="they come")
    assert left(t, "kara") == (0, 1, 0)
    t = ready(deed="walk", to=(1, 2), trigger="they come")
    assert left(t, "kara") == (0, 1, 1)  # a Movement is prepared by breaking the Action down


@pytest.mark.rule("altered-realms.prime.action-as-reaction")
def test_a_prepared_walk_goes_all_the_way():
    t = ready(deed="walk", to=(1, 5), when="near")
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1), (2, 1)])
    t.answer(question(t), "0")
    passing(t)
    assert who(t, "kara").at == (1, 5)


@pytest.mark.rule("altered-realms.prime.action-as-reaction")
def test_a_physical_roll_is_an_action_too_and_the_narrator_names_it_when_it_goes_off():
    t = ready(deed="attempt", intent="up the wall", method="climb", skill="athletics", when="near", dice=((12,),))
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1), (2, 1)])
    t.answer(question(t), "0")
    t.answer(
        question(t), {"kind": "check", "skill": "athletics", "target": 12, "success": "up she is", "failure": "no"}
    )
    passing(t)
    assert (who(t, "kara").reactions, who(t, "orc").at) == (0, (2, 1))


@pytest.mark.rule("altered-realms.prime.declare-action-and-trigger")
def test_what_the_prepared_action_needs_is_said_beforehand():
    t = ready(deed="dodge", trigger="x")
    t = table(creature("kara", "h", (1, 1)), creature("orc", "o", (4, 1)), begin="kara")
    assert "INCOMPLETE ability" in codes(t, "kara", "prime", deed="cast", trigger="x")
    assert "INCOMPLETE thing" in codes(t, "kara", "prime", deed="pick_lock", trigger="x")
    assert "INCOMPLETE trigger" in codes(t, "kara", "prime", deed="dodge")
    assert "NO_CUE" in codes(t, "kara", "prime", deed="dodge", when="sings")
    assert "NO_DOOR" in codes(t, "kara", "prime", deed="dodge", when="opens", door="gate")
    assert "NO_TARGET" in codes(t, "kara", "prime", deed="dodge", when="near", whose="nobody")
    assert "NONE" in codes(t, "kara", "prime", deed="attack", trigger="x", number=0)


@pytest.mark.rule("altered-realms.prime.action-as-reaction")
def test_it_never_goes_off_in_the_own_turn_nor_without_a_reaction():
    t = ready(when="near", deed="dodge")
    t.override({"kara.reactions": 0}, "a test")
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1), (2, 1)])
    assert t.waiting_on == ()


@pytest.mark.rule("altered-realms.prime.declare-action-and-trigger")
def test_whoever_is_asked_is_told_what_has_happened():
    from turnwright.systems.altered_realms.moments import WORDS

    t = ready(when="near", deed="dodge")
    assert all(kind in WORDS for kind in t.game.moments)


@pytest.mark.rule("altered-realms.prime.action-as-reaction")
def test_a_game_that_is_saved_in_the_middle_of_it_goes_on_where_it_was(tmp_path: Any):
    t = ready(dice=((10,), 4), when="near", whose="orc", target="orc")
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1), (2, 1), (2, 2)])
    t.save(tmp_path / "log.jsonl")
    again = tw.Table.load(tmp_path / "log.jsonl")
    assert question(again).actor == "kara"
    assert again.state == t.state
    again.answer(question(again), "pass")
    assert who(again, "orc").at == (2, 2)


@pytest.mark.rule("altered-realms.prime.declare-action-and-trigger")
def test_at_a_blind_table_whoever_has_something_prepared_is_asked_whoever_comes():
    t = table(
        creature("kara", "h", (1, 1)),
        creature("orc", "o", (9, 1)),
        windows="blind",
        begin="kara",
    )
    t.declare("kara", "prime", deed="dodge", when="near")
    turn(t, "orc")
    t.declare("orc", "walk", route=[(8, 1)])
    labels = set()
    while t.waiting_on:
        labels |= {option.label for option in question(t).question.options}
        t.answer(question(t), "pass")
    assert labels == {"do nothing"}  # it is asked, and nothing is open
    assert who(t, "orc").at == (8, 1)
