"""Faults that were found in play: what must not crash, what must not be told, and numbers that were wrong."""

from __future__ import annotations

from typing import Any

import pytest
from scions import begun, choose, codes, foe, go_on, happened, hero, momentum, out, plainly, question, result, who
from scions import scene as read

import turnwright as tw
from turnwright.documents import BadScene
from turnwright.systems.storypath.events import (
    Did,
    Helped,
    Helping,
    Hit,
    Injured,
    Missed,
    MomentumChanged,
    Moved,
    On,
    PoolRolled,
    Strained,
    TurnStarted,
)

DEFINITION = "storypath.mixed.definition"
SPLIT = "storypath.mixed.split-successes"
APART = "storypath.mixed.halves-judged-separately"
LOWER = "storypath.mixed.lower-pool"
FIGHT = "storypath.attack.defense-requirement"
SMALL = "storypath.reflexive.roll-not-excluded"
SPEED = "storypath.reflexive.move-up-to-max-speed"
SHOUT = {"name": "shout", "skill": "athletics", "attribute": "dexterity"}
PLACES = {"places": ["a", "b"]}


def helped(t: tw.Table, name: str) -> list[tuple[str, str, int]]:
    """Whom and what the help that waits is for, and how much it is."""
    return sorted((tie.other, tie.skill, tie.amount) for tie in t.state.related(Helped, name))


def give(t: tw.Table, *events: Any) -> None:
    t.override(list(events), "it is so")


def reported(t: tw.Table, kind: type[Any], seat: str) -> list[Any]:
    return [event for event in t.news(seat) if isinstance(event, kind)]


class TestBadInput:
    @pytest.mark.rule(DEFINITION)
    @pytest.mark.parametrize(("second", "code"), [("small_deed", "INCOMPLETE deed"), ("draw", "INCOMPLETE item")])
    def test_a_listed_half_says_what_is_done(self, second: str, code: str) -> None:
        t = begun(hero("ann"), foe("wolf"), up="ann", reflexives=[{"name": "drop"}])
        assert codes(t, "ann", "mixed", first="attack", second=second, target="wolf") == [code]

    @pytest.mark.parametrize(("action", "said"), [("arrive", {"who": "bear"}), ("depart", {"who": "ann"})])
    def test_what_the_storyguide_does_cannot_be_boosted(self, action: str, said: dict[str, str]) -> None:
        t = begun(hero("ann"), foe("wolf"), up="ann", reserves=[foe("bear")], momentum=1)
        assert codes(t, "", action, **said, boost=1) == ["NO_BOOST"]
        with pytest.raises(tw.Refused):
            t.declare("", action, **said, boost=1)

    def test_breaking_free_of_nobody_cannot_be_let_pass(self) -> None:
        t = begun(hero("ann"), foe("wolf"), up="ann")
        before = t.state
        with pytest.raises(tw.Refused):
            t.declare("ann", "break_free", boost=0, seat="guide", overrule="so")
        assert t.state == before
        assert t.waiting_on == ()

    @pytest.mark.parametrize("action", ["attack", "rush", "down_and_dirty"])
    def test_somebody_who_is_not_there_is_the_target_of_nothing(self, action: str) -> None:
        t = begun(hero("ann"), foe("wolf"), up="ann", momentum=1)
        t.declare("ann", action, target="zz", seat="guide", overrule="so")
        with pytest.raises(tw.Refused) as refused:
            t.answer(question(t), 0)
        assert [refusal.code for refusal in refused.value.refusals] == ["CANNOT_GO_ON"]
        assert happened(t, PoolRolled) == []

    def test_a_mixed_action_that_fails_after_its_first_roll_leaves_nothing_behind(self) -> None:
        t = begun(hero("ann", athletics=3), foe("wolf", at="b"), up="ann", dice=(1, 1), **PLACES)
        before = t.state, len(t.log), t.waiting_on, t.pending
        with pytest.raises(tw.Refused):
            t.declare("ann", "mixed", first="rush", second="foo", target="wolf", boost=0, seat="guide", overrule="so")
        assert (t.state, len(t.log), t.waiting_on, t.pending) == before
        t.declare("ann", "end")

    def test_what_was_let_pass_and_cannot_go_on_is_refused_with_its_odds(self) -> None:
        t = begun(hero("ann"), foe("wolf"), up="ann", momentum=1)
        t.declare("ann", "mixed", first="foo", second="attack", target="wolf", seat="guide", overrule="so")
        for asking in (t.chances_of, lambda asked: t.odds_of_answer(asked, 0), lambda asked: t.answer(asked, 0)):
            with pytest.raises(tw.Refused):
                asking(question(t))
        t.undo()
        t.declare("ann", "end")

    @pytest.mark.rule("storypath.mixed.single-roll")
    def test_no_more_momentum_is_spent_than_there_is(self) -> None:
        t = begun(hero("ann", close_combat=2), foe("wolf"), up="ann", momentum=1, dice=(0,))
        t.declare("ann", "attack", target="wolf", boost=9, seat="guide", overrule="so")
        assert [event.by for event in happened(t, MomentumChanged)][:1] == [-1]


class TestWhatIsNotTold:
    @pytest.mark.rule("storypath.reflexive.knack-default")
    def test_how_much_an_antagonist_is_helped(self) -> None:
        seen = []
        for amount in (1, 3):
            t = begun(hero("ann"), foe("wolf", knacks=[{"name": "k", "enhancement": amount}]), up="wolf")
            t.declare("wolf", "knack", knack="k")
            seen.append((t.knows("ann").relations, t.view("ann")["relations"], t.knows("").relations))
        assert seen[0] == seen[1]

    @pytest.mark.rule(FIGHT)
    def test_which_box_of_an_antagonist_is_filled(self) -> None:
        told = []
        for stamina, boxes in ((1, {"bruised": 1}), (2, {"bruised": 1})):
            beast = foe("wolf", stamina=stamina, boxes=boxes, health=None)
            del beast["health"]
            t = begun(
                hero("ann", close_combat=3, might=2),
                beast,
                up="ann",
                dice=(2,),
                settings={"box_picked_by": "lightest"},
            )
            t.declare("ann", "attack", target="wolf", boost=0)
            plainly(t)
            assert len(happened(t, Injured)) == 1
            told.append((reported(t, Injured, "ann"), t.knows("ann").actors["wolf"].boxes))
        assert told[0] == told[1]
        assert [event.box for event in told[0][0]] == ["health"]

    @pytest.mark.rule(FIGHT)
    def test_the_pain_of_an_antagonist(self) -> None:
        # Bruised and hit with nothing over: the pain of 1 is not borne. Unhurt there is none.
        beast = foe("wolf", boxes={"bruised": 1}, stamina=2)
        del beast["health"]
        t = begun(hero("ann", defense=1), beast, up="wolf", dice=(1,))
        t.declare("wolf", "attack", target="ann", boost=0)
        plainly(t)
        assert [event.amount for event in happened(t, Strained)] == [1]
        assert reported(t, Strained, "ann") == []

    @pytest.mark.rule(SPLIT)
    def test_what_helps_the_one_who_is_rushed_at(self) -> None:
        asked = []
        for enhancement in (0, 2):
            rushed = foe("wolf", at="b", enhancement=enhancement)
            t = begun(hero("ann", athletics=4), rushed, up="ann", dice=(1, 2), deeds=[SHOUT], **PLACES)
            t.declare("ann", "mixed", first="rush", second="shout", target="wolf", boost=0)
            asked.append(question(t).question)
        assert asked[0].options == asked[1].options


class TestMixed:
    @pytest.mark.rule(LOWER)
    def test_what_is_preferred_is_wanted_also_where_it_alone_is_rolled(self) -> None:
        armed = hero("ann", close_combat=2, might=1, items=[{"name": "rope"}])
        t = begun(armed, foe("wolf", open=True), up="ann")
        said = {"first": "attack", "second": "draw", "item": "rope", "target": "wolf", "boost": 0}
        plain, preferring = (
            t.odds("ann", "mixed", **said),
            t.odds("ann", "mixed", **said, prefer="first"),
        )
        assert preferring == plain
        game = t.game.actions["mixed"]
        from turnwright.answers import read_declaration

        d = read_declaration(t.game, "ann", "mixed", {**said, "prefer": "first"})
        assert sum(chance for outcome, chance in preferring.items() if game.wanted(t.state, d, outcome)) > 0

    @pytest.mark.rule(SPLIT)
    def test_second_is_the_second_that_was_named(self) -> None:
        t = begun(
            hero("ann", close_combat=3, athletics=3, items=[{"name": "rope"}]),
            foe("wolf", open=True),
            up="ann",
            dice=(2,),
            deeds=[{**SHOUT, "difficulty": 2}],
            settings={"mixed_limit": 3},
        )
        said = {"first": "draw", "second": "attack", "third": "shout", "item": "rope", "target": "wolf"}
        t.declare("ann", "mixed", **said, prefer="second", boost=0)
        assert question(t).options[0] == "2/0"

    @pytest.mark.rule(SPLIT)
    def test_a_half_that_matters_more_takes_what_it_needs_and_leaves_the_rest(self) -> None:
        # 3 successes, Defense 2 and Difficulty 1: 2/1 serves both, and 3/0 only one of them.
        t = begun(hero("ann", close_combat=3, athletics=3), foe("wolf", open=True), up="ann", dice=(3,), deeds=[SHOUT])
        t.declare("ann", "mixed", first="attack", second="shout", target="wolf", prefer="first", boost=0)
        assert question(t).options[0] == "2/1"

    @pytest.mark.rule(SPLIT)
    def test_all_successes_are_given_away_or_none(self) -> None:
        t = begun(hero("ann", close_combat=3, athletics=3), foe("wolf", open=True), up="ann", dice=(3,), deeds=[SHOUT])
        t.declare("ann", "mixed", first="attack", second="shout", target="wolf", boost=0)
        asked = question(t)
        assert sorted(asked.options) == ["0/0", "0/3", "1/2", "2/1", "3/0"]
        with pytest.raises(tw.Refused, match="all 3 are given away, or none"):
            t.answer(asked, "2/0")

    @pytest.mark.rule(SPLIT)
    def test_very_many_successes_are_split_at_once(self) -> None:
        from time import perf_counter

        deeds = [{"name": x, "attribute": "might", "complications": [{"name": "x", "rating": 9}]} for x in "abc"]
        able = hero("ann", skills={"close combat": 30, "athletics": 30}, attributes={"might": 30})
        t = begun(able, foe("wolf", open=True), up="ann", dice=(55,), deeds=deeds, settings={"mixed_limit": 4})
        start = perf_counter()
        t.declare("ann", "mixed", first="attack", second="a", third="b", fourth="c", target="wolf", boost=0)
        assert perf_counter() - start < 2
        asked = question(t)
        # All four succeed with 2, 1, 1 and 1; of the rest the attack, which was named first, makes the most.
        assert asked.options[0] == "52/1/1/1"
        assert len(asked.options) <= 2000

    @pytest.mark.rule(SPLIT)
    def test_the_useful_splits_are_those_that_nothing_beats(self) -> None:
        from itertools import product

        from turnwright.systems.storypath.splitting import Half, all_splits, useful_splits, worth

        for needs in product((None, 1, 2, 4), repeat=3):
            for total in (1, 3, 6):
                halves = [Half("x", "x", 9, 0, need, useful) for need, useful in zip(needs, (99, 0, 2), strict=True)]
                more = (1, 0, 2)
                values = {
                    s: tuple(worth(h, m, n) for h, m, n in zip(halves, more, s, strict=True))
                    for s in all_splits(3, total)
                }
                best = {
                    v
                    for v in values.values()
                    if not any(w != v and all(a >= b for a, b in zip(w, v, strict=True)) for w in values.values())
                }
                found = useful_splits(halves, more, total)
                assert {values[s] for s in found} == best
                assert len(found) == len(best)

    @pytest.mark.rule(SPEED)
    def test_the_storyguide_rules_on_hurrying_as_half_of_it(self) -> None:
        t = begun(hero("ann", athletics=3), foe("wolf", at="b"), up="ann", deeds=[SHOUT], **PLACES)
        t.declare("ann", "mixed", first="hurry", second="shout", to="b", boost=0)
        assert question(t).kind == "rule"
        assert question(t).who == "guide"

    @pytest.mark.rule(APART)
    def test_a_deed_onto_somebody_who_rolled_away_fails(self) -> None:
        climb = {"name": "climb", "skill": "athletics", "attribute": "might", "attach": True}
        dodger = foe("wolf", composure=1, resolve=3, open=True)
        del dodger["defense"]
        t = begun(
            hero("ann", close_combat=4, athletics=4, composure=1),
            dodger,
            up="ann",
            dice=(3, 5),
            deeds=[climb],
            **PLACES,
        )
        t.declare("ann", "mixed", first="climb", second="attack", target="wolf", boost=0)
        choose(t, "away:b")
        choose(t, "1/4")
        plainly(t)
        assert [(event.deed, event.good) for event in happened(t, Did)] == [("climb", False)]
        assert t.state.related(On, "ann") == ()
        assert who(t, "ann").at == "a"
        assert [event.why for event in happened(t, Missed)] == ["out of reach"]


class TestHelp:
    @pytest.mark.rule(LOWER)
    def test_down_and_dirty_is_helped_once_and_the_help_is_used_up(self) -> None:
        # 1 success and 1 Enhancement are 2, against 3: it fails.
        t = begun(
            hero("ann", close_combat=3, knacks=[{"name": "k", "enhancement": 1}]),
            foe("thug", minor=True),
            up="ann",
            dice=(3, 1),
        )
        t.declare("ann", "knack", knack="k")
        t.declare("ann", "down_and_dirty", target="thug", boost=0)
        plainly(t)
        assert result(t) == "failure"
        assert [event.enhancement for event in happened(t, PoolRolled) if event.actor == "ann"] == [1]
        assert helped(t, "ann") == []

    @pytest.mark.rule(LOWER)
    def test_help_for_athletics_is_none_in_a_brawl(self) -> None:
        t = begun(hero("ann", close_combat=3), foe("thug", minor=True), up="ann", dice=(3, 2))
        give(t, Helping("", "ann", 5, "athletics"))
        t.declare("ann", "down_and_dirty", target="thug", boost=0)
        plainly(t)
        assert result(t) == "failure"
        assert helped(t, "ann") == [("ann", "athletics", 5)]

    @pytest.mark.rule(LOWER)
    def test_two_helps_stand_side_by_side(self) -> None:
        one = {"name": "a", "skill": "close combat", "enhancement": 3}
        other = {"name": "b", "skill": "athletics", "enhancement": 1}
        t = begun(hero("ann", close_combat=3, knacks=[one, other]), foe("wolf"), up="ann", dice=(1,))
        t.declare("ann", "knack", knack="a")
        t.declare("ann", "knack", knack="b")
        assert helped(t, "ann") == [("ann", "athletics", 1), ("ann", "close combat", 3)]
        t.declare("ann", "attack", target="wolf", boost=0)
        assert [event.enhancement for event in happened(t, PoolRolled)] == [3]
        plainly(t)
        assert helped(t, "ann") == [("ann", "athletics", 1)]

    @pytest.mark.rule(LOWER)
    def test_of_two_alike_the_highest_counts(self) -> None:
        t = begun(hero("ann", close_combat=3), foe("wolf"), up="ann", dice=(1,))
        give(t, Helping("", "ann", 3), Helping("", "ann", 1))
        give(t, Helping("", "ann", 1, "", "wolf"), Helping("", "ann", 2, "", "wolf"))
        assert helped(t, "ann") == [("ann", "", 3), ("wolf", "", 2)]

    @pytest.mark.rule(LOWER)
    def test_a_feint_waits_for_an_attack(self) -> None:
        t = begun(hero("ann", athletics=3), foe("wolf", at="b"), up="ann", dice=(0, 2), **PLACES)
        give(t, Helping("", "ann", 2, "", "wolf"))
        t.declare("ann", "rush", target="wolf", boost=0)
        plainly(t)
        assert helped(t, "ann") == [("wolf", "", 2)]


class TestEnhancementOfAntagonists:
    """It is added to whatever they roll."""

    @pytest.mark.rule(LOWER)
    def test_where_they_get_away(self) -> None:
        # 1 success and 3 are 4, against 2.
        beast = foe("wolf", enhancement=3)
        t = begun(hero("ann", athletics=3), beast, up="wolf", dice=(2, 1), **PLACES)
        t.declare("wolf", "disengage", to="b", boost=0)
        plainly(t)
        assert result(t) == "success"

    @pytest.mark.rule(SMALL, LOWER)
    def test_in_small_deeds(self) -> None:
        t = begun(
            hero("ann"),
            foe("wolf", enhancement=2),
            up="wolf",
            dice=(1,),
            reflexives=[{"name": "howl", "pool": 3, "difficulty": 3}],
        )
        t.declare("wolf", "small_deed", deed="howl")
        assert result(t) == "success"

    @pytest.mark.rule(FIGHT)
    def test_in_defense(self) -> None:
        beast = foe("wolf", enhancement=2, resolve=3)
        del beast["defense"]
        t = begun(hero("ann", close_combat=3), beast, up="ann", dice=(1, 2))
        t.declare("ann", "attack", target="wolf", boost=0)
        plainly(t)
        assert who(t, "wolf").guard == 3
        assert len(happened(t, Missed)) == 1

    @pytest.mark.rule(FIGHT)
    def test_defense_without_a_success_of_the_dice_has_none(self) -> None:
        beast = foe("wolf", enhancement=2, resolve=3)
        del beast["defense"]
        t = begun(hero("ann", close_combat=3), beast, up="ann", dice=(0, 1))
        t.declare("ann", "attack", target="wolf", boost=0)
        plainly(t)
        assert who(t, "wolf").guard == 1
        assert len(happened(t, Hit)) == 1

    @pytest.mark.rule(FIGHT)
    def test_in_full_defense(self) -> None:
        beast = foe("wolf", enhancement=2, resolve=3)
        del beast["defense"]
        t = begun(hero("ann"), beast, up="wolf", dice=(1,))
        t.declare("wolf", "full_defense", boost=0)
        choose(t, "3/0")
        assert who(t, "wolf").guard == 3


MAIMED = {"bruised": 1, "injured": 1, "maimed": 1}


class TestPain:
    @pytest.mark.rule(FIGHT)
    @pytest.mark.parametrize("action", ["rush", "hurry"])
    def test_it_goes_along_with_moving(self, action: str) -> None:
        # A pain of 4 and 1 over: nothing bears it, so the next roll is harder by 1.
        t = begun(hero("ann", athletics=4, boxes=MAIMED), foe("wolf", at="b"), up="ann", **PLACES, dice=(0, 2))
        if action == "rush":
            t.declare("ann", "rush", target="wolf", boost=0)
        else:
            t = begun(hero("ann", athletics=4, boxes=MAIMED), foe("wolf", at="b"), up="ann", **PLACES, dice=(2,))
            t.declare("ann", "hurry", to="b", boost=0)
            t.answer(question(t), {"kind": "check", "target": 1})
        plainly(t)
        assert result(t) == "success"
        assert who(t, "ann").hampered == 1

    @pytest.mark.rule(APART)
    def test_one_roll_has_one_pain(self) -> None:
        t = begun(
            hero("ann", close_combat=3, athletics=3, boxes={"bruised": 1}, stamina=2),
            foe("wolf", open=True),
            up="ann",
            dice=(6,),
            deeds=[SHOUT],
        )
        t.declare("ann", "mixed", first="attack", second="shout", target="wolf", boost=0)
        choose(t, "3/3")
        asked = []
        while t.waiting_on:
            options = question(t).options
            asked += [option for option in options if option.startswith("pain")]
            choose(t, next((option for option in options if option.startswith("pain")), "done"))
        assert asked == ["pain:1"]
        assert who(t, "ann").hampered == 0

    @pytest.mark.rule(APART)
    def test_what_is_left_over_bears_it_after_a_deed_too(self) -> None:
        t = begun(
            hero("ann", athletics=3, boxes={"bruised": 1}, stamina=2), foe("wolf"), up="ann", dice=(3,), deeds=[SHOUT]
        )
        t.declare("ann", "deed", deed="shout", boost=0)
        choose(t, "done")
        assert who(t, "ann").hampered == 0

    @pytest.mark.rule(SMALL)
    def test_it_is_in_the_way_of_a_small_deed_once(self) -> None:
        t = begun(hero("ann"), foe("wolf"), up="ann", dice=(1,), reflexives=[{"name": "spot", "pool": 3}])
        give(t, Strained("", "ann", 1))
        t.declare("ann", "small_deed", deed="spot")
        assert result(t) == "failure"  # 1 success, and it takes 2
        assert who(t, "ann").hampered == 0

    @pytest.mark.rule(SMALL)
    def test_it_goes_along_with_a_small_deed(self) -> None:
        ann = hero("ann", boxes={"bruised": 1}, stamina=2)
        t = begun(ann, foe("wolf"), up="ann", dice=(1,), reflexives=[{"name": "spot", "pool": 3}])
        t.declare("ann", "small_deed", deed="spot")
        assert result(t) == "success"
        assert who(t, "ann").hampered == 1

    @pytest.mark.rule(SMALL)
    def test_a_botched_small_deed_is_a_botch(self) -> None:
        t = begun(hero("ann"), foe("wolf"), up="ann", dice=((1, 2, 2),), reflexives=[{"name": "spot", "pool": 3}])
        t.declare("ann", "small_deed", deed="spot")
        assert result(t) == "botch"

    @pytest.mark.rule("storypath.reflexive.stand-up")
    def test_lying_down_is_in_the_way_of_opposed_rolls_where_it_is_set(self) -> None:
        for lying, moved in ((False, 1), (True, 0)):
            t = begun(
                hero("ann", athletics=4, prone=lying),
                foe("wolf", at="b"),
                up="ann",
                dice=(0, 1),
                settings={"prone_difficulty": 1},
                **PLACES,
            )
            t.declare("ann", "rush", target="wolf", boost=0)
            plainly(t)
            assert len(happened(t, Moved)) == moved


class TestTheFight:
    @pytest.mark.rule(FIGHT)
    def test_an_attack_is_made_with_the_weapon_it_was_quoted_with(self) -> None:
        ann = hero(
            "ann",
            close_combat=1,
            might=1,
            firearms=1,
            weapons=[{"name": "gun", "skill": "firearms", "enhancement": 3}, {"name": "fists"}],
            items=[{"name": "gun"}],
        )
        dodger = foe("wolf", resolve=2, open=True)
        del dodger["defense"]
        t = begun(ann, dodger, up="ann", dice=(1, 1))
        t.declare("ann", "attack", target="wolf", boost=0)
        t.interject("ann", "draw", item="gun")
        plainly(t)
        assert [(e.dice, e.enhancement) for e in happened(t, PoolRolled) if e.actor == "ann"] == [(2, 0)]

    @pytest.mark.rule("storypath.mixed.lower-pool")
    def test_and_so_is_half_of_a_mixed_action(self) -> None:
        ann = hero("ann", close_combat=1, weapons=[{"name": "gun"}, {"name": "fists"}], items=[{"name": "gun"}])
        t = begun(ann, foe("wolf"), up="ann", deeds=[SHOUT])
        offer = t.explain("ann", "mixed", first="attack", second="shout", target="wolf")
        assert offer.declaration.option("weapon") == "fists"

    @pytest.mark.rule("storypath.mixed.example-climb-and-stab")
    def test_one_is_on_one_at_most(self) -> None:
        climb = {"name": "climb", "skill": "athletics", "attribute": "might", "attach": True}
        t = begun(hero("ann", athletics=3), foe("wolf"), foe("bear"), up="ann", dice=(1, 1), deeds=[climb])
        t.declare("ann", "deed", deed="climb", target="wolf", boost=0)
        while t.state.active != "ann" or not who(t, "ann").actions:
            go_on(t, "ann")
        t.declare("ann", "deed", deed="climb", target="bear", boost=0)
        assert [tie.other for tie in t.state.related(On, "ann")] == ["bear"]

    @pytest.mark.rule("storypath.mixed.example-climb-and-stab")
    def test_nobody_climbs_whoever_is_on_them(self) -> None:
        climb = {"name": "climb", "skill": "athletics", "attribute": "might", "attach": True}
        t = begun(hero("ann"), hero("bo", on="ann"), foe("wolf"), up="ann", deeds=[climb])
        assert codes(t, "ann", "deed", deed="climb", target="bo") == ["UNDER_IT"]

    @pytest.mark.rule("storypath.mixed.example-climb-and-stab")
    @pytest.mark.parametrize("target", ["ann", "bo"])
    def test_nor_does_it_come_about_where_the_storyguide_lets_it_pass(self, target: str) -> None:
        climb = {"name": "climb", "skill": "athletics", "attribute": "might", "attach": True}
        t = begun(hero("ann", athletics=2), hero("bo", on="ann"), foe("wolf"), up="ann", deeds=[climb], dice=(2,))
        t.declare("ann", "deed", deed="climb", target=target, boost=0, seat="guide", overrule="so")
        plainly(t)
        assert t.state.related(On, "ann") == ()

    @pytest.mark.rule("storypath.mixed.example-climb-and-stab")
    def test_whoever_is_on_somebody_on_somebody_comes_along(self) -> None:
        t = begun(hero("ann", on="bo"), hero("bo", on="wolf"), foe("wolf", at="a"), up="wolf", **PLACES)
        assert (who(t, "ann").at, who(t, "bo").at) == ("a", "a")
        t.declare("wolf", "move", to="b")
        assert (who(t, "ann").at, who(t, "bo").at) == ("b", "b")
        assert [tie.other for tie in t.state.related(On, "ann")] == ["bo"]

    def test_riders_are_where_their_mounts_are_in_whatever_order_they_are_written(self) -> None:
        state = read(hero("ann", on="bo"), hero("bo", on="wolf"), foe("wolf", at="b"), **PLACES)
        assert [state.actors[name].at for name in ("ann", "bo", "wolf")] == ["b", "b", "b"]

    @pytest.mark.rule(FIGHT)
    def test_a_seized_weapon_can_be_told_from_ones_own(self) -> None:
        axe = {"weapons": [{"name": "axe"}], "items": [{"name": "axe", "place": "hand"}]}
        t = begun(hero("ann", close_combat=4, **axe), foe("wolf", open=True, **axe), up="ann", dice=(4,))
        t.declare("ann", "attack", target="wolf", boost=0)
        choose(t, "seize:axe")
        plainly(t)
        assert [item.name for item in who(t, "ann").items] == ["axe", "axe 2"]
        assert [weapon.name for weapon in who(t, "ann").weapons] == ["axe", "axe 2"]
        assert who(t, "wolf").weapons == ()


class TestTheRoster:
    @pytest.mark.rule("storypath.initiative.storyguide-orders-sgcs")
    def test_the_storyguide_alone_orders_her_slots(self) -> None:
        t = begun(
            hero("ann"), foe("wolf", seat="bo", pc=False), foe("bear"), up="ann", seats=[{"id": "ann"}, {"id": "bo"}]
        )
        t.declare("ann", "end")
        t.declare(t.next_turn() or "", "begin")
        assert [asked.who for asked in t.waiting_on] == ["guide"]

    @pytest.mark.rule("storypath.initiative.storyguide-orders-sgcs")
    def test_she_does_where_a_player_plays_all_of_them(self) -> None:
        t = begun(
            hero("ann"),
            foe("wolf", seat="bo", pc=False),
            foe("bear", seat="bo", pc=False),
            up="ann",
            seats=[{"id": "ann"}, {"id": "bo"}],
        )
        t.declare("ann", "end")
        t.declare(t.next_turn() or "", "begin")
        assert [asked.who for asked in t.waiting_on] == ["guide"]

    @pytest.mark.rule("storypath.initiative.slot-belongs-to-side")
    def test_whoever_stands_has_a_turn_although_slots_are_struck(self) -> None:
        # Bo takes the slot that Ann rolled and falls in it; his own is then the only one left for her.
        t = begun(hero("ann"), hero("bo"), foe("wolf"), up="ann", settings={"slots_of_the_fallen": "struck"})
        t.undo()
        t.answer(question(t), "bo")
        assert t.state.active == "bo"
        out(t, "bo")
        for _ in range(2):
            go_on(t, "ann")
        first_round = [e.actor for e in happened(t, TurnStarted) if e.round == 1]
        assert sorted(first_round) == ["ann", "bo", "wolf"]

    @pytest.mark.rule("storypath.initiative.slot-belongs-to-side")
    def test_a_slot_is_struck_where_all_who_stand_have_one(self) -> None:
        t = begun(hero("ann"), hero("bo"), foe("wolf"), up="ann", settings={"slots_of_the_fallen": "struck"})
        out(t, "bo")
        for _ in range(2):
            go_on(t, "ann")
        from scions import held

        assert [slot.rolled_by for slot in held(t).slots] == ["ann", "wolf"]

    @pytest.mark.rule("storypath.initiative.sgc-group-roll")
    def test_a_group_that_shares_a_slot_has_had_it_also_where_its_member_fell(self) -> None:
        one, other, ogre = foe("one", group="g"), foe("other", group="g"), foe("ogre")
        t = begun(hero("ann"), one, other, ogre, up="one", settings={"shared_slots": "group"})
        assert t.state.active in ("one", "other")
        out(t, t.state.active or "")
        for _ in range(2):
            go_on(t, "other")
        turns = [e.actor for e in happened(t, TurnStarted) if e.round == 1]
        assert sorted(turns) in (["ann", "ogre", "one"], ["ann", "ogre", "other"])

    @pytest.mark.rule("storypath.initiative.players-choose-first")
    def test_handing_on_while_it_is_asked_decides_it(self) -> None:
        t = begun(hero("ann"), hero("bo"), foe("wolf"), up="ann")
        t.undo()
        assert {asked.who for asked in t.waiting_on} == {"ann", "bo"}
        t.interject("ann", "hand_on", target="bo")
        assert t.state.active == "bo"

    @pytest.mark.rule("storypath.initiative.pass-the-choice")
    @pytest.mark.parametrize(("target", "code"), [("ann", "HAD_ONE"), ("wolf", "OTHER_SIDE"), ("cy", "DOWN")])
    def test_why_nobody_else_can_be_named(self, target: str, code: str) -> None:
        t = begun(hero("ann"), hero("bo"), hero("cy"), foe("wolf"), up="ann")
        out(t, "cy")
        assert codes(t, "ann", "hand_on", target=target) == [code]


class TestConsolation:
    @pytest.mark.rule(SMALL)
    def test_a_small_deed_consoles_once_a_round(self) -> None:
        spot = {"name": "spot", "pool": 3, "listed": False}
        t = begun(hero("ann"), hero("bo"), foe("wolf"), up="ann", dice=(0, 0, 0), reflexives=[spot])
        for _ in range(3):
            t.declare("ann", "small_deed", deed="spot")
        assert momentum(t.state) == 1


SAME = {"name": "x"}


class TestSceneFiles:
    @pytest.mark.parametrize(
        ("keys", "where"),
        [
            ({"boxes": {"bruised": 30}}, "boxes"),
            ({"health": 3, "boxes": {"health": 7}}, "boxes"),
            ({"on": "ann"}, "on"),
            ({"weapons": [SAME, SAME]}, "weapons"),
            ({"items": [SAME, SAME]}, "items"),
            ({"weapons": [{"name": "away"}]}, "weapons"),
        ],
    )
    def test_of_a_character(self, keys: dict[str, Any], where: str) -> None:
        with pytest.raises(BadScene) as bad:
            read(hero("ann", **keys), foe("wolf"))
        assert where in str(bad.value)

    @pytest.mark.parametrize(
        ("keys", "where"),
        [
            ({"reflexives": [SAME, SAME]}, "reflexives"),
            ({"deeds": [{"name": ""}]}, "deeds"),
            ({"places": ["a", "b"], "ways": [["a", "a"]]}, "ways"),
            ({"momentum": 9}, "momentum"),
            ({"reserves": [foe("late", on="ann")]}, "reserves"),
        ],
    )
    def test_of_a_scene(self, keys: dict[str, Any], where: str) -> None:
        with pytest.raises(BadScene) as bad:
            read(hero("ann"), foe("wolf"), **keys)
        assert where in str(bad.value)

    def test_two_on_each_other(self) -> None:
        with pytest.raises(BadScene) as bad:
            read(hero("ann", on="bo"), hero("bo", on="ann"), foe("wolf"))
        assert "on" in str(bad.value)

    def test_on_somebody_who_comes_later(self) -> None:
        with pytest.raises(BadScene):
            read(hero("ann", on="late"), foe("wolf"), reserves=[foe("late")])
