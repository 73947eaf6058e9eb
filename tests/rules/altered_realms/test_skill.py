"""Skill rolls, Lend Aid, locks and traps."""

import pytest
from realms import codes, creature, left, question, rolled, spent, table, turn, who

from turnwright.systems.altered_realms.sheet import skill_of


def pair(dice=(), friend=None, **kara):
    return table(
        creature("kara", "h", (1, 1), **kara),
        creature("finn", "h", (1, 2), **(friend or {})),
        creature("orc", "o", (9, 1)),
        dice=dice,
        begin="kara",
    )


def roll(t, skill, target=10, actor="kara", asked=None, **more):
    """An attempt that the Narrator rules to be a roll of a skill; nobody helps unless it is said."""
    t.declare(actor, "attempt", intent="something", method="somehow", skill=asked or skill)
    t.answer(
        question(t), {"kind": "check", "skill": skill, "target": target, "success": "yes", "failure": "no", **more}
    )
    if t.waiting_on and t.waiting_on[0].kind == "confirm":  # the price is not the one that was quoted
        t.answer(question(t), True)


class TestSkill:
    @pytest.mark.rule("altered-realms.skill.physical-definition-cost")
    def test_each_attempt_at_a_physical_roll_is_an_action(self):
        t = pair(dice=((12,),))
        roll(t, "athletics")
        assert left(t, "kara") == (0, 1, 1)
        assert "ACTION" in codes(t, "kara", "attempt", intent="a", method="climb", skill="athletics")

    @pytest.mark.rule("altered-realms.skill.physical-narrator-picks")
    def test_the_narrator_says_which_skill(self):
        t = pair(dice=((8,),), totals={"athletics": 5, "acrobatics": 7})
        roll(t, "athletics", target=14, asked="acrobatics")
        assert rolled(t).passed is False  # 13, and not 15
        t = pair(dice=((8,),), totals={"athletics": 5, "acrobatics": 7})
        roll(t, "athletics", target=13, asked="acrobatics")
        assert rolled(t).passed

    @pytest.mark.rule("altered-realms.skill.mental-definition-no-action")
    def test_looking_takes_no_budget(self):
        t = pair(dice=((12,),))
        t.override({"kara.actions": 0, "kara.motions": 0, "kara.movements": 0}, "a test")
        roll(t, "observation")
        assert left(t, "kara") == (0, 0, 0)
        assert rolled(t).passed

    @pytest.mark.rule("altered-realms.skill.mental-limit", "altered-realms.skill.social-limit")
    def test_case_20_so_many_rolls_in_a_turn_each_kind_by_itself(self):
        t = pair(dice=((9,),) * 5, int_=3, wis_=1, cha_=2)
        for _ in range(3):
            roll(t, "lore")
        assert codes(t, "kara", "attempt", intent="a", method="b", skill="observation") == ["ROLLS"]  # 3, and not 4
        for _ in range(2):
            roll(t, "persuasion")
        assert codes(t, "kara", "attempt", intent="a", method="b", skill="deception") == ["ROLLS"]
        assert left(t, "kara") == (1, 1, 1)

    @pytest.mark.rule("altered-realms.skill.mental-limit", "altered-realms.skill.social-limit")
    def test_case_20_at_least_one_of_each(self):
        t = pair(dice=((9,), (9,)), int_=0, wis_=-1, cha_=-2)
        roll(t, "lore")
        roll(t, "persuasion")
        for skill in ("lore", "persuasion"):
            assert codes(t, "kara", "attempt", intent="a", method="b", skill=skill) == ["ROLLS"]

    @pytest.mark.rule("altered-realms.skill.mental-limit", "altered-realms.skill.social-limit")
    def test_the_narrator_allows_more_and_what_the_narrator_calls_for_does_not_count(self):
        t = pair(dice=((9,),) * 9, int_=1, cha_=2)
        roll(t, "lore", counts=False)
        roll(t, "lore")
        assert codes(t, "kara", "attempt", intent="a", method="b", skill="lore") == ["ROLLS"]
        t.declare("", "allow_rolls", target="kara", kind="mental", number=5)
        for _ in range(4):
            roll(t, "lore")
        assert codes(t, "kara", "attempt", intent="a", method="b", skill="lore") == ["ROLLS"]
        t.declare("", "allow_rolls", target="kara", kind="social", number=3)
        for _ in range(3):
            roll(t, "persuasion")
        assert codes(t, "kara", "attempt", intent="a", method="b", skill="persuasion") == ["ROLLS"]

    @pytest.mark.rule("altered-realms.skill.social-no-action")
    def test_speech_is_free_also_off_turn(self):
        t = pair(dice=((9,),), cha_=1)
        turn(t, "orc")
        roll(t, "persuasion")
        assert (who(t, "kara").reactions, who(t, "kara").rolls) == (1, {"social": 1})
        assert spent(t, "kara", "attempt", intent="a", method="b", skill="athletics") == {"reaction": 1}

    @pytest.mark.rule("altered-realms.skill.social-definition")
    @pytest.mark.parametrize(
        ("intent", "kind"),
        [("persuade the guard", "social"), ("climb the wall", "physical"), ("estimate the distance", "mental")],
    )
    def test_what_kind_of_roll_it_is(self, intent: str, kind: str):
        t = pair()
        t.declare("kara", "attempt", intent=intent, method="as well as I can")
        suggested = question(t).question.suggested[0]
        assert skill_of(t.state, suggested.skill).kind == kind


TRAINED = {"training": {"athletics": 2, "stealth": 1}}


class TestLendAid:
    @pytest.mark.rule("altered-realms.lend-aid.cost", "altered-realms.lend-aid.range-and-moment")
    def test_off_turn_a_reaction_while_the_roll_is_about_to_be_made(self):
        t = pair(dice=((12,), (11,)), friend=TRAINED)
        roll(t, "athletics", target=13)
        assert question(t).prompt == "React?"
        t.answer(question(t), "0")
        assert who(t, "finn").reactions == 0
        assert rolled(t).passed  # 11 + 2
        assert codes(t, "finn", "aid_now") == ["REACTION", "NO_TRIGGER"] or "NO_TRIGGER" in codes(t, "finn", "aid_now")

    @pytest.mark.rule("altered-realms.lend-aid.cost", "altered-realms.lend-aid.range-and-moment")
    def test_in_the_own_turn_an_action_and_it_waits_for_the_next_roll_of_that_skill(self):
        t = pair(dice=((12,), (11,), (11,)), friend=TRAINED)
        turn(t, "finn")
        t.declare("finn", "lend_aid", target="kara", skill="stealth")
        assert left(t, "finn") == (0, 1, 1)
        turn(t, "kara")
        roll(t, "stealth", target=13)
        t.answer(question(t), "pass") if t.waiting_on else None
        assert rolled(t).passed
        turn(t, "orc")
        turn(t, "kara")
        t.override({"finn.reactions": 0}, "a test")
        roll(t, "stealth", target=13)
        assert rolled(t).passed is False  # it was for one roll

    @pytest.mark.rule("altered-realms.lend-aid.range-and-moment")
    def test_nobody_far_off_and_no_attack_or_save(self):
        t = table(creature("kara", "h", (1, 1)), creature("finn", "h", (6, 1), **TRAINED), begin="finn")
        assert codes(t, "finn", "lend_aid", target="kara", skill="athletics") == ["OUT_OF_RANGE"]
        t = pair(friend=TRAINED)
        turn(t, "finn")
        assert "NO_SKILL" in codes(t, "finn", "lend_aid", target="kara", skill="attack")

    @pytest.mark.rule("altered-realms.lend-aid.cost")
    def test_without_a_reaction_there_is_no_aid(self):
        t = pair(dice=((11,),), friend=TRAINED | {"reactions": 0})
        roll(t, "athletics", target=13)
        assert rolled(t).passed is False

    @pytest.mark.rule("altered-realms.lend-aid.training-required")
    def test_case_17_only_in_a_skill_that_one_is_trained_in(self):
        t = pair(dice=((11,),), friend={"training": {"stealth": 1}})
        roll(t, "athletics", target=11)  # nobody is asked
        assert rolled(t).passed
        turn(t, "finn")
        assert codes(t, "finn", "lend_aid", target="kara", skill="medicine") == ["UNTRAINED"]

    @pytest.mark.rule("altered-realms.lend-aid.help-12-plus", "altered-realms.lend-aid.hinder-11-minus")
    @pytest.mark.parametrize(
        ("helper", "aided", "passed"), [(10, 12, True), (10, 11, False), (9, 15, False), (9, 16, True)]
    )
    def test_case_17_twelve_helps_and_eleven_hinders(self, helper: int, aided: int, passed: bool):
        # Finn's roll has 2 for Training: 10 is a total of 12, 9 one of 11. Against DC 14.
        t = pair(dice=((helper,), (aided,)), friend=TRAINED)
        roll(t, "athletics", target=14)
        t.answer(question(t), "0")
        assert rolled(t).passed is passed


def thing(kind, **keys):
    return {"id": "box", "kind": kind, "at": [2, 1], **keys}


def tinker(mechanism, dice=(), settings=None, **kara):
    kara = {"dex_": 3, "training": {"lockpicking": 2, "mechanics": 2}} | kara
    more = {"settings": settings} if settings else {}
    return table(creature("kara", "h", (1, 1), **kara), mechanisms=[mechanism], dice=dice, begin="kara", **more)


DEEDS = {"lock": "pick_lock", "trap": "disarm"}
KIT = {"lock": {"name": "lockpick set", "place": "pouch"}, "trap": {"name": "tools", "place": "pouch"}}


def go(t, kind):
    t.declare("kara", DEEDS[kind], thing="box")
    if t.waiting_on:  # a warning about the missing tools
        t.answer(question(t), True)


class TestLocksAndTraps:
    @pytest.mark.rule("altered-realms.lock.anyone-any-lock", "altered-realms.trap.anyone-any-trap")
    @pytest.mark.parametrize("kind", ["lock", "trap"])
    def test_anyone_may_try_and_it_is_an_action(self, kind: str):
        t = tinker(thing(kind, quality="superior"), dice=((5, 5),), training={}, dex_=-1)
        assert codes(t, "kara", DEEDS[kind], thing="box") == []
        go(t, kind)
        assert left(t, "kara") == (0, 1, 1)

    @pytest.mark.rule("altered-realms.lock.no-kit-penalty", "altered-realms.trap.no-tools-penalty")
    @pytest.mark.parametrize("kind", ["lock", "trap"])
    def test_case_18_without_the_tools_no_training_and_the_worse_die(self, kind: str):
        for dc, opens in ((9, True), (10, False)):
            t = tinker(thing(kind, dc=dc), dice=((15, 6),))
            go(t, kind)
            assert rolled(t).passed is opens  # 6 + 3 = 9: not 11 with Training, not 6 without DEX
        t = tinker(thing(kind, dc=20), dice=((15,),), items=[KIT[kind]])
        go(t, kind)
        assert rolled(t).passed  # 15 + 3 + 2 = 20

    @pytest.mark.rule("altered-realms.lock.simple-exempt", "altered-realms.trap.simple-exempt")
    @pytest.mark.parametrize("kind", ["lock", "trap"])
    def test_case_18_the_simplest_needs_no_tools(self, kind: str):
        for keys in ({"quality": "simple"}, {"quality": "good"}):
            items = [] if keys["quality"] == "simple" else [KIT[kind]]
            for dc, opens in ((15, True), (16, False)):
                t = tinker(thing(kind, dc=dc, **keys), dice=((10,),), items=items)
                go(t, kind)
                assert rolled(t).passed is opens  # 10 + 3 + 2

    @pytest.mark.rule("altered-realms.lock.dc-table", "altered-realms.trap.dc-table")
    @pytest.mark.parametrize("kind", ["lock", "trap"])
    @pytest.mark.parametrize(("quality", "dc"), [("simple", 10), ("common", 14), ("good", 18), ("superior", 22)])
    def test_the_dcs_by_quality(self, kind: str, quality: str, dc: int):
        for face, opens in ((dc - 5, True), (dc - 6, False)):
            t = tinker(thing(kind, quality=quality), dice=((face,),), items=[KIT[kind]])
            go(t, kind)
            assert rolled(t).passed is opens

    @pytest.mark.rule("altered-realms.lock.dc-table", "altered-realms.trap.dc-table")
    @pytest.mark.parametrize("kind", ["lock", "trap"])
    def test_the_narrator_and_the_scene_may_set_them(self, kind: str):
        t = tinker(thing(kind, dc=17), dice=((11,),), items=[KIT[kind]])
        go(t, kind)
        assert rolled(t).passed is False
        t = tinker(thing(kind), dice=((11,),), items=[KIT[kind]], settings={f"{kind}_dc": {"common": 16}})
        go(t, kind)
        assert rolled(t).passed

    def test_an_open_lock_opens_its_door(self):
        t = table(
            creature("kara", "h", (1, 1), dex_=9),
            mechanisms=[thing("lock", door="gate", quality="simple")],
            map_={"doors": [{"id": "gate", "between": [[2, 1], [3, 1]]}]},
            dice=((10,),),
            begin="kara",
        )
        go(t, "lock")
        assert t.state.open_doors == ("gate",)

    @pytest.mark.rule("altered-realms.trap.failure-consequence")
    def test_a_failure_sets_it_off_once(self):
        t = tinker(thing("trap", damage="6", type="fire"), dice=((2,), (2,)), items=[KIT["trap"]])
        go(t, "trap")
        assert (who(t, "kara").hp, t.outcome.result) == (14, "disaster")
        t.override({"kara.actions": 1}, "a test")
        assert codes(t, "kara", "disarm", thing="box") == ["SPENT"]

    @pytest.mark.rule("altered-realms.trap.failure-consequence")
    def test_one_that_does_nothing_or_re_arms_may_be_tried_again(self):
        for keys in ({}, {"damage": "6", "rearms": True}):
            t = tinker(thing("trap", **keys), dice=((2,),), items=[KIT["trap"]])
            go(t, "trap")
            assert who(t, "kara").hp == (14 if keys else 20)
            t.override({"kara.actions": 1}, "a test")
            assert codes(t, "kara", "disarm", thing="box") == []
