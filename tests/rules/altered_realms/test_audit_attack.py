"""Attacks, aim, called shots, charges and guards, each where a wrong rule would show. Dice in brackets are faces."""

from fractions import Fraction

import pytest
from realms import (
    BOW,
    SWORD,
    armed,
    codes,
    creature,
    happened,
    left,
    passing,
    question,
    rolled,
    spent,
    table,
    turn,
    who,
)

from turnwright.systems.altered_realms.events import AimedAt, Harmed


def duel(dice=(), orc=None, others=(), rows=None, **kara):
    return table(
        creature("kara", "h", (1, 1), **({"items": [SWORD]} | kara)),
        creature("orc", "o", (2, 1), **({"ac": 15} | (orc or {}))),
        *others,
        rows=rows,
        dice=dice,
        begin="kara",
    )


# -- attacks


@pytest.mark.rule("altered-realms.attack.only-attack-abilities")
def test_each_kind_of_attack_is_one_and_a_healing_spell_is_none():
    bolt, tail = {"name": "bolt", "kind": "spell"}, {"name": "tail", "part": "tail"}
    mend = {"name": "mend", "at": "ally", "heals": "1d8"}
    t = duel(weapons=[bolt, tail], parts=["head", "tail"], abilities=[mend], items=[BOW])
    for weapon in ("bow", "bolt", "tail", "unarmed"):
        assert codes(t, "kara", "attack", target="orc", weapon=weapon) == []
    assert codes(t, "kara", "attack", target="orc", weapon="mend") == ["NOT_AN_ATTACK"]
    assert left(t, "kara") == (1, 1, 1)


@pytest.mark.rule("altered-realms.attack.only-attack-abilities")
@pytest.mark.parametrize("place", ["pouch", "holster", "pack"])
def test_a_weapon_that_is_put_away_strikes_nobody(place):
    t = duel(items=[SWORD | {"place": place}])
    assert codes(t, "kara", "attack", target="orc", weapon="sword") == ["NOT_IN_HAND"]
    assert codes(t, "kara", "charge", target="orc", weapon="sword")[0] == "NOT_IN_HAND"


@pytest.mark.rule("altered-realms.attack.only-attack-abilities")
def test_a_ranged_attack_needs_a_line_of_sight_and_a_blow_an_open_way():
    rows = ["..#...", "..#...", "......"]
    bow = armed(5, name="bow", kind="ranged", range=30)
    t = table(creature("kara", "h", (1, 0), items=[bow]), creature("orc", "o", (4, 0)), rows=rows, begin="kara")
    assert codes(t, "kara", "attack", target="orc") == ["OUT_OF_RANGE"]
    assert codes(t, "kara", "aim", target="orc") == ["OUT_OF_RANGE"]
    door = {"doors": [{"id": "gate", "between": [[1, 1], [2, 1]]}]}
    t = table(creature("kara", "h", (1, 1), items=[SWORD]), creature("orc", "o", (2, 1)), map_=door, begin="kara")
    for deed in ("attack", "trip", "push", "grapple"):
        assert codes(t, "kara", deed, target="orc") == ["OUT_OF_RANGE"]


@pytest.mark.rule("altered-realms.attack.any-attack-spends-action", "altered-realms.attack.one-action-covers-all")
def test_every_deed_that_an_attack_pays_draws_on_the_same_three():
    t = duel(dice=((5,), (5,), (5,)), attacks=3)
    for deed, remain in (("trip", 2), ("grapple", 1), ("push", 0)):
        t.declare("kara", deed, target="orc")
        assert (left(t, "kara")[0], who(t, "kara").attacks) == (0, remain)
    for deed in ("attack", "trip", "grapple", "push"):
        assert codes(t, "kara", deed, target="orc") == ["ACTION"]


# -- aim


def archer(dice=(), ac=15, **keys):
    bow = armed(5, name="bow", kind="ranged", range=30)
    return table(
        creature("kara", "h", (1, 1), **({"items": [bow, armed(5)], "attacks": 3} | keys)),
        creature("orc", "o", (2, 1), ac=ac, hp=50),
        creature("goblin", "o", (9, 4), ac=ac, hp=50),
        dice=dice,
        begin="kara",
    )


@pytest.mark.rule("altered-realms.aim.next-shot-at-target-only")
@pytest.mark.parametrize(
    ("target", "weapon", "hits"), [("orc", "bow", True), ("goblin", "bow", False), ("orc", "blade", False)]
)
def test_the_aim_is_for_a_shot_and_for_that_target(target, weapon, hits):
    t = archer(dice=((9,), (3,)))  # 14, or 16 with the aim, against 15
    t.declare("kara", "aim", target="orc")
    t.declare("kara", "attack", target=target, weapon=weapon)
    assert rolled(t).passed is hits
    assert len(t.state.related(AimedAt, "kara")) == (0 if hits else 1)
    if hits:
        assert happened(t, Harmed)[-1].amount == 5  # 3 + 2


@pytest.mark.rule("altered-realms.aim.next-shot-at-target-only")
def test_a_miss_uses_it_up_too():
    t = archer(dice=((2,), (9,)))
    t.declare("kara", "aim", target="orc")
    t.declare("kara", "attack", target="orc", weapon="bow")
    assert (rolled(t).passed, t.state.related(AimedAt, "kara")) == (False, ())


@pytest.mark.rule("altered-realms.aim.cost")
def test_a_spell_counts_as_a_ranged_attack_only_where_it_is_one():
    for ranged, refused in ((True, []), (False, ["NO_RANGED_ATTACK"])):
        t = duel(weapons=[{"name": "bolt", "kind": "spell", "ranged": ranged}])
        assert codes(t, "kara", "aim", target="orc") == refused


@pytest.mark.rule("altered-realms.aim.cost", "altered-realms.prime.action-as-reaction", "altered-realms.aim.expiry")
def test_an_aim_that_was_prepared_lasts_to_the_end_of_the_next_turn():
    t = archer()
    t.declare("kara", "prime", deed="aim", target="orc", trigger="the orc stirs")
    turn(t, "orc")
    t.declare("kara", "fire_primed")
    t.answer(question(t), {"kind": "procedure"})
    assert (len(t.state.related(AimedAt, "kara")), who(t, "kara").reactions) == (1, 0)
    turn(t, "kara")
    assert len(t.state.related(AimedAt, "kara")) == 1
    turn(t, "orc")
    assert t.state.related(AimedAt, "kara") == ()


# -- called shots


@pytest.mark.rule("altered-realms.targeting.item-values")
def test_an_eye_is_no_part_of_a_shield():
    shield = {"name": "shield", "size": "medium"}
    t = duel(orc={"items": [shield]})
    assert codes(t, "kara", "attack", target="orc", part="shield eye") == ["NO_PART"]
    text = t.explain("kara", "attack", target="orc", part="shield eye").refusals[0].text
    assert text.startswith("eye is no known part of shield; there is strap")
    assert codes(t, "kara", "attack", target="orc", part="shield strap") == []


@pytest.mark.rule("altered-realms.targeting.cost", "altered-realms.targeting.base-penalty")
def test_a_called_shot_off_turn_carries_its_penalty_too():
    t = duel(dice=((12,), 3), items=[armed(5)], orc={"speed": 6})
    turn(t, "orc")
    t.declare("orc", "walk", route=[(3, 1), (4, 1)])
    asked = question(t)
    t.answer(asked, asked.question.options[1].id)
    assert rolled(t).passed  # 17: no part is named
    t = duel(dice=((12,), 3), items=[armed(4)])
    t.declare("kara", "prime", deed="attack", target="orc", part="head", trigger="it looks up")
    turn(t, "orc")
    t.declare("kara", "fire_primed")
    t.answer(question(t), {"kind": "procedure"})
    assert rolled(t).passed is False  # 12 + 4 - 2 = 14 against 15


@pytest.mark.rule("altered-realms.targeting.declare-region-first")
def test_once_the_die_has_fallen_no_part_can_be_named_any_more():
    t = table(
        creature("kara", "h", (1, 1), items=[armed(5)]),
        creature("orc", "o", (2, 1), ac=10, training={"athletics": 1}),
        creature("bo", "h", (3, 1)),
        dice=((20,), (15,), 3),
        begin="orc",
    )
    t.declare("orc", "grapple", target="bo")
    turn(t, "kara")
    t.declare("kara", "attack", target="orc")
    assert question(t).actor == "orc"  # the roll is read: a Meat Shield may answer it
    with pytest.raises(Exception, match="a question is open"):
        t.declare("kara", "attack", target="orc", part="head")
    passing(t)
    assert happened(t, Harmed)[-1].part == ""


# -- the busy hand


@pytest.mark.rule("altered-realms.grapple.hand-is-busy")
def test_the_holding_hand_throws_shoots_and_strikes_nothing_else():
    spit = {"name": "web", "kind": "ranged", "part": "right hand", "range": 9}
    t = table(
        creature("kara", "h", (5, 5), hands=[{"name": "right hand"}], weapons=[spit], attacks=3),
        creature("orc", "o", (6, 5), ac=5),
        creature("goblin", "o", (5, 6)),
        dice=((20,),),
        begin="kara",
    )
    t.declare("kara", "grapple", target="orc")
    assert codes(t, "kara", "attack", target="orc", weapon="unarmed") == []
    assert codes(t, "kara", "attack", target="orc", weapon="web") == ["HAND_BUSY"]
    assert codes(t, "kara", "attack", target="goblin", weapon="web") == ["HAND_BUSY"]
    assert codes(t, "kara", "attack", target="goblin", weapon="unarmed") == ["NO_HAND"]
    assert codes(t, "kara", "grapple", target="goblin") == ["HANDS_BUSY"]
    assert codes(t, "kara", "push", target="goblin") == ["NO_FREE_HAND"]


# -- guards


@pytest.mark.rule("altered-realms.dodge.attacker-penalty")
def test_a_setting_narrows_a_dodge_to_called_shots():
    for part, hits in (("", True), ("head", False)):
        t = table(
            creature("kara", "h", (1, 1), ac=14),
            creature("orc", "o", (2, 1), items=[armed(5)]),
            settings={"dodge_called_shots_only": True},
            dice=((11,), 1),  # 16; at the head of a dodger 16 - 2 - 2 = 12
            begin="kara",
        )
        t.declare("kara", "dodge", target="orc")
        turn(t, "orc")
        t.declare("orc", "attack", target="kara", **({"part": part} if part else {}))
        assert rolled(t).passed is hits


@pytest.mark.rule("altered-realms.dodge.cost-and-designation", "altered-realms.defensive-stance.cost")
def test_the_two_guards_cannot_be_taken_in_one_turn_and_neither_after_an_attack():
    t = duel(dice=((5,),))
    t.declare("kara", "dodge", target="orc")
    assert codes(t, "kara", "defensive_stance") == ["ACTION"]
    t = duel(dice=((5,),), attacks=2)
    t.declare("kara", "attack", target="orc")
    assert codes(t, "kara", "dodge", target="orc") == ["ACTION"]
    assert codes(t, "kara", "defensive_stance") == ["ACTION"]


@pytest.mark.rule("altered-realms.defensive-stance.cost")
def test_the_motion_stays_and_cannot_pay_for_the_movement():
    t = duel(traits=[{"name": "nimble", "motions": 3}])
    assert spent(t, "kara", "defensive_stance") == {"action": 1, "movement": 1}
    t.declare("kara", "walk", route=[(1, 2)])
    passing(t)
    assert "MOVEMENT" in codes(t, "kara", "defensive_stance")


@pytest.mark.rule("altered-realms.trip.prone-no-damage", "altered-realms.attack.only-attack-abilities")
def test_the_prone_strike_at_disadvantage_and_are_struck_at_advantage_from_nearby():
    t = duel(dice=((18, 2), (2, 18), 3), conditions=["prone"], attacks=2, items=[armed(0)])
    t.declare("kara", "attack", target="orc")
    assert (rolled(t).edge, rolled(t).passed) == (-1, False)
    t = duel(dice=((2, 18), 3), items=[armed(0)], orc={"conditions": ["prone"]})
    t.declare("kara", "attack", target="orc")
    assert (rolled(t).edge, rolled(t).passed) == (1, True)


# -- what a seat counts with


@pytest.mark.rule("altered-realms.attack.only-attack-abilities")
def test_a_seat_that_does_not_know_an_ac_counts_with_10_and_says_so():
    found = []
    for ac in (12, 18):
        t = table(
            creature("kara", "h", (1, 1), items=[armed(4)], seat="ann"),
            creature("orc", "o", (2, 1), ac=ac),
            seats=[{"id": "ann"}],
            begin="kara",
        )
        odds = t.odds("kara", "attack", target="orc", seat="ann")
        found.append((odds.success, [text for text in odds.assumptions if "AC 10" in text]))
        assert t.odds("kara", "attack", target="orc", seat="guide").success == Fraction(25 - ac, 20)
    assert found[0] == found[1]  # the odds of a seat tell nothing of the true one
    assert found[0][0] == Fraction(15, 20)  # 6 or more of 20
    assert found[0][1][0].startswith("Orc: AC 10")
