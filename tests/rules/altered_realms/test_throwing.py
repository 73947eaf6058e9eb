"""Throwing, tossing and catching things. Dice in brackets are faces."""

import pytest
from realms import FIELD, armed, codes, creature, left, question, rolled, scene_text, spent, table, turn, who

import turnwright as tw
from turnwright.rules import find_game
from turnwright.systems.altered_realms.events import Lying
from turnwright.systems.altered_realms.throwing import long_dc, reliable_metres

ROCK = {"name": "rock"}


def throwing(dice=(), items=(ROCK,), others=(), rows=None, **kara):
    keys = {"str_": 3, "dex_": 1, "attacks": 3} | kara
    return table(
        creature("kara", "h", (1, 1), items=list(items), **keys),
        creature("orc", "o", (30, 3), ac=14),
        *others,
        rows=rows or ["." * 120] * 6,
        dice=dice,
        begin="kara",
    )


def lying(t):
    return [fact.at for fact in t.state.facts_of(Lying)]


@pytest.mark.rule("altered-realms.throw-object.cost")
def test_case_02_a_throw_is_the_action_and_no_attack_is_left():
    t = throwing()
    t.declare("kara", "throw", item="rock", to=(4, 1))
    assert (left(t, "kara"), lying(t)) == ((0, 1, 1), [(4, 1)])
    assert "ACTION" in codes(t, "kara", "attack", target="orc")


@pytest.mark.rule("altered-realms.throw-object.hands")
@pytest.mark.parametrize("size", ["tiny", "small", "medium", "large"])
def test_large_things_take_two_hands(size):
    thing = ROCK | {"size": size}
    full = throwing(items=[thing, {"name": "shield"}])
    assert codes(full, "kara", "throw", item="rock", to=(4, 1)) == (["NO_FREE_HAND"] if size == "large" else [])
    assert codes(throwing(items=[thing]), "kara", "throw", item="rock", to=(4, 1)) == []
    packed = throwing(items=[thing | {"place": "pouch"}])
    assert codes(packed, "kara", "throw", item="rock", to=(4, 1)) == ["NOT_IN_HAND"]


@pytest.mark.rule("altered-realms.throw-object.reliable-distance", "altered-realms.throw-object.long-needs-skill-roll")
def test_up_to_the_reliable_distance_there_is_no_roll_and_beyond_it_one():
    t = throwing()
    assert reliable_metres(who(t, "kara")) == 4
    t.declare("kara", "throw", item="rock", to=(5, 1))
    assert lying(t) == [(5, 1)]
    for face, at in ((9, (10, 1)), (8, (5, 1))):  # 9 m; DC 12 with STR 3; a failure comes down at 4 m
        t = throwing(dice=((face,),))
        t.declare("kara", "throw", item="rock", to=(10, 1))
        assert (lying(t), left(t, "kara")) == ([at], (0, 1, 1))
        assert rolled(t).what == "athletics"
    assert reliable_metres(who(throwing(str_=-3, dex_=-2), "kara")) == 0


@pytest.mark.rule("altered-realms.throw-object.long-dc-table")
@pytest.mark.parametrize(("metres", "dc"), [(8, 12), (14, 12), (15, 14), (24, 14), (25, 16), (84, 26), (85, None)])
def test_the_dc_goes_by_the_metres_beyond(metres, dc):
    t = throwing()
    assert long_dc(t.state, who(t, "kara"), metres) == dc


@pytest.mark.rule("altered-realms.throw-object.long-dc-table")
def test_the_table_is_a_setting_and_beyond_it_the_narrator_decides():
    t = table(creature("kara", "h", (1, 1)), settings={"throw_dc": [[5, 9]]})
    assert [long_dc(t.state, who(t, "kara"), metres) for metres in (6, 7)] == [9, None]
    t = throwing(dice=((15,),))
    assert t.explain("kara", "throw", item="rock", to=(101, 1)).verdict == "ruling"
    t.declare("kara", "throw", item="rock", to=(101, 1))
    t.answer(question(t), {"kind": "check", "skill": "athletics", "target": 18})
    assert lying(t) == [(101, 1)]  # 15 + 3


@pytest.mark.rule("altered-realms.throw-object.catch")
def test_whoever_is_within_a_metre_of_it_may_catch_it_for_a_reaction():
    near, far = creature("finn", "h", (3, 2)), creature("bo", "h", (3, 3))
    t = throwing(others=[near, far])
    t.declare("kara", "throw", item="rock", to=(5, 1))
    assert [asked.actor for asked in t.waiting_on] == ["finn"]
    t.answer(question(t), "0")
    assert (who(t, "finn").item("rock").hand, who(t, "finn").reactions) == ("right hand", 0)
    assert (lying(t), who(t, "kara").item("rock")) == ([], None)
    full = creature("finn", "h", (3, 2), items=[armed(1), {"name": "shield"}])
    t = throwing(others=[full])
    t.declare("kara", "throw", item="rock", to=(5, 1))
    assert (t.waiting_on, lying(t)) == ((), [(5, 1)])


@pytest.mark.rule("altered-realms.throw-object.toss", "altered-realms.throw-object.catch-toss")
def test_a_toss_is_a_motion_up_to_5_m_and_catching_it_a_reaction():
    t = throwing(others=[creature("finn", "h", (6, 1))])
    t.declare("kara", "toss", item="rock", target="finn")
    assert left(t, "kara") == (1, 0, 1)
    t.answer(question(t), "0")
    assert (who(t, "finn").item("rock").place, who(t, "finn").reactions) == ("hand", 0)
    t = throwing(others=[creature("finn", "h", (7, 1))])
    assert codes(t, "kara", "toss", item="rock", target="finn") == ["TOO_FAR"]


@pytest.mark.rule("altered-realms.throw-object.catch-toss")
def test_what_is_not_caught_lands_at_their_feet():
    t = throwing(others=[creature("finn", "h", (6, 1), reactions=0)])
    t.declare("kara", "toss", item="rock", target="finn")
    assert (t.waiting_on, lying(t)) == ((), [(6, 1)])


@pytest.mark.rule("altered-realms.motion.section-examples")
def test_tossing_is_one_of_the_motions():
    t = throwing(others=[creature("finn", "h", (6, 1))])
    assert spent(t, "kara", "toss", item="rock", target="finn") == {"motion": 1}


@pytest.mark.rule("altered-realms.throw-object.damage-defers")
def test_whoever_throws_to_hurt_uses_an_improvised_weapon():
    t = throwing()
    t.declare("kara", "attempt", intent="hurt the orc", method="throw the chair at it", target="orc")
    suggested = question(t).question.suggested[0]
    assert (suggested.kind, suggested.procedure) == ("procedure", "improvised_weapon")
    t = table(
        creature("kara", "h", (1, 1), items=[ROCK], str_=3, attacks=2),
        creature("orc", "o", (4, 1), ac=14),
        rows=FIELD,
        dice=((11,), 3),
        begin="kara",
    )
    t.declare("kara", "improvised_weapon", target="orc", item="rock")
    assert (who(t, "orc").hp, who(t, "kara").attacks, lying(t)) == (17, 1, [(4, 1)])


PLATE = {"name": "plate", "place": "pack", "armor": {"don": 10, "doff": 5, "ac": 6, "weight": "heavy"}}
LEATHER = {"name": "leather", "place": "pack", "armor": {"don": 1, "doff": 1, "ac": 2, "weight": "light"}}


class TestArmor:
    @pytest.mark.rule("altered-realms.armor.don-doff-time-listed")
    def test_it_takes_its_time_and_counts_only_when_it_is_on(self):
        from turnwright.systems.altered_realms.attack import armour_class

        t = table(creature("kara", "h", (1, 1), items=[PLATE]), creature("orc", "o", (9, 1)))
        assert armour_class(t.state, who(t, "kara")) == 10
        t.declare("kara", "don", item="plate")
        assert (t.state.facts["clock"].minutes, armour_class(t.state, who(t, "kara"))) == (10, 16)
        t.declare("kara", "doff", item="plate")
        assert (t.state.facts["clock"].minutes, armour_class(t.state, who(t, "kara"))) == (15, 10)
        turn(t, "orc")
        assert codes(t, "kara", "don", item="plate") == ["IN_TURNS"]

    @pytest.mark.rule("altered-realms.armor.don-doff-time-listed")
    @pytest.mark.parametrize("lacking", ["don", "doff"])
    def test_an_armour_without_its_times_is_none(self, lacking):
        from turnwright.documents import BadScene

        bare = {key: value for key, value in PLATE["armor"].items() if key != lacking}
        with pytest.raises(BadScene, match=lacking):
            table(creature("kara", "h", (1, 1), items=[PLATE | {"armor": bare}]))

    @pytest.mark.rule("altered-realms.armor.lighter-is-quicker")
    def test_lighter_armour_that_is_slower_brings_a_warning(self):
        def warned(light):
            text = scene_text(creature("kara", "h", (1, 1), items=[PLATE, light]))
            assert tw.read_scene(text, "test.yaml")  # it is a good scene all the same
            return [str(problem) for problem in find_game("altered-realms").scene_warnings(text, "test.yaml")]

        assert warned(LEATHER) == []
        (said,) = warned(LEATHER | {"armor": LEATHER["armor"] | {"don": 12}})
        assert "warning: creatures" in said
        assert "leather than for plate" in said


RIDE = {"cost": {"might": 2}, "attribute": "str", "text": "you ride your weapon down into them"}
THINK = {"cost": {"might": 1}, "attribute": "int", "text": "you have seen it all before"}


def maneuvering(dice=(), optional=True, might=2, dc=None, **kara):
    ride = RIDE | ({"dc": dc} if dc is not None else {})
    keys = {"str_": 3, "training": {"athletics": 4}, "pools": {"might": might}} | kara
    return table(
        creature("kara", "h", (1, 1), **keys),
        settings={"untrained_maneuvers": optional, "maneuvers": {"death from above": ride, "foresight": THINK}},
        dice=dice,
        begin="kara",
    )


def ride(t):
    t.declare("kara", "maneuver", maneuver="death from above", skill="athletics")
    if t.waiting_on:
        t.answer(question(t), True)


class TestUntrained:
    @pytest.mark.rule("altered-realms.untrained.optional")
    def test_it_is_an_optional_rule(self):
        assert codes(maneuvering(optional=False), "kara", "maneuver", maneuver="death from above") == ["UNTRAINED"]
        assert codes(maneuvering(), "kara", "maneuver", maneuver="death from above") == []
        trained = maneuvering(optional=False, maneuvers=["death from above"])
        trained.declare("kara", "maneuver", maneuver="death from above")
        assert trained.outcome.result == "automatic"

    @pytest.mark.rule("altered-realms.untrained.scope")
    def test_only_feats_of_strength_and_dexterity(self):
        assert codes(maneuvering(), "kara", "maneuver", maneuver="foresight") == ["NOT_PHYSICAL"]

    @pytest.mark.rule("altered-realms.untrained.pay-resource")
    def test_case_18_the_pool_is_paid_whatever_comes_of_it(self):
        for face in (20, 2):
            t = maneuvering(dice=((face,),))
            ride(t)
            assert (who(t, "kara").pools["might"], left(t, "kara")[0]) == (0, 0)
        t = maneuvering(might=1)
        assert codes(t, "kara", "maneuver", maneuver="death from above") == ["POOL"]
        assert who(t, "kara").pools["might"] == 1

    @pytest.mark.rule("altered-realms.untrained.roll-without-training", "altered-realms.untrained.dc-floor")
    def test_case_18_the_attribute_counts_and_training_does_not(self):
        for face, passed in ((11, True), (10, False)):
            t = maneuvering(dice=((face,),))
            ride(t)
            assert rolled(t).passed is passed  # 11 + 3 = 14, and 10 + 3 + 4 would be 17

    @pytest.mark.rule("altered-realms.untrained.dc-floor")
    @pytest.mark.parametrize(("named", "least"), [(12, 11), (None, 11), (18, 15)])
    def test_the_dc_is_never_below_14(self, named, least):
        for face, passed in ((least, True), (least - 1, False)):
            t = maneuvering(dice=((face,),), dc=named)
            ride(t)
            assert rolled(t).passed is passed


def ready(dice=(), reactions=1, attacks=3, **keys):
    more = keys.pop("scene", {})
    return table(
        creature("kara", "h", (1, 1), items=[armed(5)], reactions=reactions, attacks=attacks, **keys),
        creature("orc", "o", (2, 1), ac=10, hp=99),
        creature("goblin", "o", (1, 2), ac=10, hp=99),
        dice=dice,
        begin="kara",
        **more,
    )


def prime(t, number=1, **said):
    t.declare("kara", "prime", deed="attack", target="orc", trigger="the orc opens the door", number=number, **said)


class TestPrime:
    @pytest.mark.rule("altered-realms.prime.action-as-reaction")
    def test_the_action_now_and_a_reaction_when_it_goes_off(self):
        shield = {"name": "shield", "ac": 2, "pool": "focus", "sustain": 1}
        t = ready(abilities=[shield], pools={"focus": 2})
        t.declare("kara", "prime", deed="cast", ability="shield", trigger="somebody attacks me")
        assert left(t, "kara") == (0, 1, 1)
        turn(t, "orc")
        t.declare("kara", "fire_primed")
        t.answer(question(t), 0)
        assert (who(t, "kara").reactions, t.outcome.action) == (0, "cast")

    @pytest.mark.rule("altered-realms.prime.action-as-reaction")
    def test_without_a_reaction_nothing_happens_and_untriggered_it_is_lost(self):
        t = ready()
        prime(t)
        turn(t, "orc")
        t.override({"kara.reactions": 0}, "a test")
        assert codes(t, "kara", "fire_primed") == ["REACTION"]
        turn(t, "kara")
        turn(t, "orc")
        assert codes(t, "kara", "fire_primed") == ["NOT_PRIMED"]

    @pytest.mark.rule("altered-realms.prime.declare-action-and-trigger")
    def test_both_the_action_and_the_trigger_are_said_and_another_event_does_not_set_it_off(self):
        t = ready(dice=((10,), 4))
        assert "INCOMPLETE trigger" in codes(t, "kara", "prime", deed="attack", target="orc")
        assert "INCOMPLETE deed" in codes(t, "kara", "prime", trigger="a noise")
        prime(t)
        turn(t, "goblin")
        t.declare("kara", "fire_primed")
        t.answer(question(t), {"kind": "impossible", "obstacle": "it was the goblin who opened it"})
        assert (who(t, "kara").reactions, who(t, "orc").hp) == (1, 99)
        turn(t, "orc")
        t.declare("kara", "fire_primed")
        t.answer(question(t), {"kind": "procedure"})
        assert (who(t, "kara").reactions, who(t, "orc").hp) == (0, 95)

    @pytest.mark.rule("altered-realms.prime.attack-count")
    @pytest.mark.parametrize(
        ("reactions", "attacks", "most", "cap"), [(2, 3, 2, "both"), (3, 1, 1, "both"), (3, 1, 3, "reactions")]
    )
    def test_case_12_as_many_attacks_as_reactions_and_attacks_allow(self, reactions, attacks, most, cap):
        t = ready(reactions=reactions, attacks=attacks, scene={"settings": {"prime_cap": cap}})
        said = {"deed": "attack", "target": "orc", "trigger": "it moves"}
        assert codes(t, "kara", "prime", number=most, **said) == []
        assert codes(t, "kara", "prime", number=most + 1, **said) == ["TOO_MANY"]

    @pytest.mark.rule("altered-realms.prime.attack-count")
    def test_case_12_each_that_goes_off_takes_a_reaction(self):
        t = ready(dice=((10,), 4, (10,), 4), reactions=2)
        prime(t, 2)
        turn(t, "orc")
        for _ in range(2):
            t.declare("kara", "fire_primed")
            t.answer(question(t), {"kind": "procedure"})
        assert (who(t, "kara").reactions, who(t, "orc").hp) == (0, 91)
        assert "NOT_PRIMED" in codes(t, "kara", "fire_primed")

    @pytest.mark.rule("altered-realms.prime.attack-count")
    def test_case_12_an_opportunity_attack_takes_one_of_them(self):
        t = ready(dice=((10,), 4, (10,), 4), reactions=2)
        prime(t, 2)
        turn(t, "goblin")
        t.declare("goblin", "walk", route=[(1, 3)])
        t.answer(question(t), "0")
        t.declare("kara", "fire_primed")
        t.answer(question(t), {"kind": "procedure"})
        assert codes(t, "kara", "fire_primed") == ["REACTION"]

    @pytest.mark.rule("altered-realms.prime.typical-one")
    def test_with_one_reaction_one_attack_whatever_the_action_gives(self):
        t = ready()
        said = {"deed": "attack", "target": "orc", "trigger": "it moves"}
        assert codes(t, "kara", "prime", number=2, **said) == ["TOO_MANY"]
        assert codes(t, "kara", "prime", number=1, **said) == []


def test_what_is_prepared_is_nobody_elses_to_know():
    t = table(
        creature("kara", "h", (1, 1), items=[armed(5)], seat="ann"),
        creature("orc", "o", (2, 1), seat="ben"),
        seats=[{"id": "ann"}, {"id": "ben"}],
        begin="kara",
    )
    prime(t)
    assert t.knows("ann").relations.get("kara")
    assert not t.knows("ben").relations.get("kara")
