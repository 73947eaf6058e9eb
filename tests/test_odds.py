"""Odds against counting every throw one by one, against independent arithmetic, and against what is then played."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import icepool
import pytest
from journeys import SEATS, THICKET
from scenes import answer, character, scene, table
from throws import LAIR, counted, declared, falls_within, hiding, plainly, sword
from worlds import random_state

import turnwright as tw
from turnwright.answers import read_answer
from turnwright.dice import Pool, Scripted
from turnwright.events import Event
from turnwright.model import (
    Answer,
    Choose,
    Chosen,
    Clarified,
    Clarify,
    Commit,
    Committed,
    Confirm,
    Confirmed,
    Declaration,
    Option,
    Order,
    Ordered,
    Outcome,
    Price,
    Question,
    Roll,
    Rolled,
    Rule,
    Ruled,
    Ruling,
    State,
)
from turnwright.odds import LIMIT, Distribution, answer_by_draw, odds, readings, run_through
from turnwright.policy import AutomaticGuide, RandomBot, plain_answer
from turnwright.rules import find_game
from turnwright.testing import said


class TestAgainstEveryThrow:
    @pytest.mark.parametrize(("looking", "boost"), [(0, 0), (0, 2), (1, 0), (1, 1), (2, 0), (2, 1)])
    def test_a_hide(self, looking: int, boost: int) -> None:
        made = hiding(3, looking)
        d = declared(made, "selka", "hide", method="crouch", boost=boost)
        found = made.odds("selka", "hide", method="crouch", boost=boost, seat="guide")
        assert dict(found) == counted(made, d, 1 + boost + looking)
        assert sum(found.values()) == 1

    @pytest.mark.parametrize("response", ["no_response", "full_guard", "clash:sword"])
    @pytest.mark.parametrize("boost", [0, 1])
    def test_an_exchange(self, response: str, boost: int) -> None:
        made = table(
            character("a", "reds", (1, 1), skills={"melee": 2}, weapons=sword()),
            character("b", "blues", (2, 1), skills={"melee": 1}, weapons=sword()),
            begin="a",
        )

        def choice(state: State, question: Question) -> Answer:
            if isinstance(question, Choose) and question.about == "response":
                return Chosen(response)
            return plain_answer(question)

        d = declared(made, "a", "attack", target="b", boost=boost)
        found = made.odds("a", "attack", target="b", boost=boost, choice=choice, seat="guide")
        assert dict(found) == counted(made, d, 1 + boost + (response != "no_response"), choice)

    @pytest.mark.parametrize("target", [3, 6, 9, 20])
    def test_a_ruled_attempt(self, target: int) -> None:
        made = table(character("a", "reds", (1, 1), skills={"athletics": 2}), begin="a")
        ruling = Ruling("check", skill="athletics", target=target, success="over", failure="falls")

        def choice(state: State, question: Question) -> Answer:
            return Committed(1) if isinstance(question, Commit) else Ruled(ruling)

        d = Declaration("a", "attempt", "over", "climb")
        found = odds(made.game, made.state, d, choice=choice)
        assert dict(found) == counted(made, d, 2, choice)

    def test_a_walk_past_two_who_strike(self) -> None:
        made = table(
            character("a", "reds", (1, 2), bears=2),
            character("b", "blues", (3, 1), skills={"melee": 2}, weapons=sword()),
            character("c", "blues", (4, 3), skills={"melee": 1}, weapons=sword()),
            begin="a",
        )

        def choice(state: State, question: Question) -> Answer:
            return Chosen(question.options[-1].id) if isinstance(question, Choose) else plain_answer(question)

        route = [(2, 2), (3, 2), (4, 2), (5, 2)]
        d = declared(made, "a", "walk", route=route)
        found = made.odds("a", "walk", route=route, choice=choice, seat="guide")
        dice = next(n for n in range(1, 7) if falls_within(made, d, n, choice))
        assert dict(found) == counted(made, d, dice, choice)
        assert set(found) == {Outcome("walk", "arrived"), Outcome("walk", "stopped")}

    def test_an_obstacle_on_the_way(self) -> None:
        obstacle = {"at": [2, 1], "name": "a ditch", "skill": "athletics", "target": 5, "consequence": "stop"}
        made = table(character("a", "reds", (1, 1), skills={"athletics": 1}), obstacles=[obstacle], begin="a")
        d = declared(made, "a", "walk", route=[(2, 1), (3, 1)])
        found = made.odds("a", "walk", route=[(2, 1), (3, 1)], seat="guide")
        assert dict(found) == counted(made, d, 1)
        assert found.chance(lambda o: o.result == "arrived") == Fraction(3, 6)  # 4, 5 or 6, and 1 for the Skill

    @pytest.mark.parametrize("read", ["sum", "highest", "successes"])
    def test_with_another_way_of_reading_dice(self, read: str) -> None:
        made = hiding(2, 1, settings={"read": read})
        d = declared(made, "selka", "hide", method="crouch", boost=1)
        assert dict(made.odds("selka", "hide", method="crouch", boost=1, seat="guide")) == counted(made, d, 3)


class TestAgainstArithmetic:
    def test_all_observers_are_fooled_by_one_roll_or_none(self) -> None:
        """Eight who look at one hider: their rolls are independent of each other, but not of hers."""
        made = hiding(8, 8, stealth=3)
        found = made.odds("selka", "hide", method="crouch", boost=2, seat="guide")
        hers = 3 @ icepool.d6 + 3
        fooled_all = Fraction(0)
        for total, weight in hers.items():
            chance = Fraction(weight, hers.denominator())
            for n in range(8):
                chance *= (icepool.d6 + n % 3 < total).probability(True)
            fooled_all += chance
        assert found.chance(lambda o: len(o.who) == 8) == fooled_all

        apart = Fraction(1)
        for n in range(8):
            apart *= (hers - (icepool.d6 + n % 3) > 0).probability(True)
        assert apart != fooled_all, "taking them one by one is wrong"

    def test_a_readiness_score_is_exceeded(self) -> None:
        made = table(
            character("selka", "heroes", (1, 1), skills={"stealth": 1}),
            character("guard", "guards", (6, 1), readiness={"observation": 5}),
            rows=LAIR,
            legend=THICKET,
            begin="selka",
        )
        found = made.odds("selka", "hide", method="crouch", boost=0, seat="guide")
        # 1d6 + 1 exceeds 5 with 5 and 6; a tie with 5 does not.
        assert found.chance(lambda o: o.who == ("guard",)) == Fraction(2, 6)

    @pytest.mark.parametrize("pool", [Pool(2, 1), Pool(3, 0, 1), Pool(2, 0, -1), Pool(4, read="highest")])
    def test_the_readings_of_a_roll(self, pool: Pool) -> None:
        roll = Roll("g", "a", "", "", pool)
        for number in range(0, 14):
            for ties in (False, True):
                asked = Roll("g", "a", "", "", pool, "", number, ties)
                got, whole = readings(asked)
                every, all_weight = readings(roll)
                by_value = Counter[int]()
                for reading, weight in every:
                    by_value[asked.reading(reading.value)] += weight
                assert whole == all_weight
                assert {reading.value: weight for reading, weight in got} == dict(by_value)


class TestAgainstPlay:
    def test_the_table_plays_what_the_odds_foresee(self) -> None:
        """Every face that the die can show leads to an outcome with its share of the chances."""
        foreseen = hiding(2).odds("selka", "hide", method="crouch", boost=0, seat="guide")
        played: Counter[Outcome] = Counter()
        for face in range(1, 7):
            made = hiding(2, dice=((face,),))
            made.declare("selka", "hide", method="crouch", boost=0)
            assert made.outcome is not None
            played[made.outcome] += 1
        assert {outcome: Fraction(n, 6) for outcome, n in played.items()} == dict(foreseen)

    def test_asking_changes_nothing(self) -> None:
        made = hiding(3, 2)
        before = made.state, list(made.log), made._chain
        made.odds("selka", "hide", method="crouch", boost=1)
        assert (made.state, made.log, made._chain) == before

    def test_a_sample_comes_near_and_says_that_it_is_one(self) -> None:
        made = hiding(3, 3)
        exact = made.odds("selka", "hide", method="crouch", boost=1, seat="guide")
        near = made.odds("selka", "hide", method="crouch", boost=1, seat="guide", limit=5, sample=4000)
        assert exact.sampled == 0
        assert near.sampled == 4000
        assert sum(near.values()) == 1
        for outcome, chance in exact.items():
            assert abs(float(near.get(outcome, Fraction(0)) - chance)) < 0.04

    def test_where_there_is_no_need_nothing_is_sampled(self) -> None:
        assert hiding(2).odds("selka", "hide", method="crouch", boost=0, sample=10).sampled == 0

    @pytest.mark.parametrize("at", [0.0, 0.1, 0.5, 0.999999999])
    def test_a_draw_gives_a_reading_of_the_roll(self, at: float) -> None:
        for against in (None, 0, 7, 99):
            roll = Roll("g", "a", "", "", Pool(2), "", against)
            assert answer_by_draw(hiding(1).state, roll, plainly, lambda: at) in [r for r, _ in readings(roll)[0]]


class TestLimits:
    def test_past_the_limit_it_raises_and_names_the_count(self) -> None:
        with pytest.raises(tw.TooMany, match="more than 7 branches") as raised:
            hiding(3, 3).odds("selka", "hide", method="crouch", boost=0, seat="guide", limit=7)
        assert raised.value.count == 7

    def test_the_limit_is_where_it_says(self) -> None:
        made = hiding(2, 2, stealth=0)
        found = made.odds("selka", "hide", method="crouch", boost=0, seat="guide")
        for limit in range(1, LIMIT):
            try:
                assert made.odds("selka", "hide", method="crouch", boost=0, seat="guide", limit=limit) == found
            except tw.TooMany:
                continue
            assert limit > 6
            break

    def test_a_group_with_too_many_ways_is_not_even_begun(self) -> None:
        """Twelve totals at once have 6^12 ways; nobody waits for them."""
        from turnwright.engine import ask_each
        from turnwright.model import Moment, Price, Refusal
        from turnwright.rules import Action, Settled, Steps

        class Storm(Action):
            name, about, rules = "storm", "many dice", ("narateer.boost.before-roll",)

            def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Any:
                yield from list[Refusal]()

            def price(self, known: State, d: Declaration) -> Price:
                return Price()

            def resolve(self, play: Any, d: Declaration, paid: Settled) -> Steps[Outcome]:
                yield from ask_each(lambda: tuple(Roll("guide", "selka", "", "", Pool(1)) for _ in range(12)))
                return Outcome("storm", "over")

        game = find_game("narateer")
        game.actions["storm"] = Storm()
        try:
            with pytest.raises(tw.TooMany):
                hiding(1).odds("selka", "storm", seat="guide")
        finally:
            del game.actions["storm"]

    def test_what_is_illegal_has_no_odds(self) -> None:
        made = hiding(1)
        with pytest.raises(tw.Refused, match="not Guard0's Activation"):
            made.odds("guard0", "attack", target="selka", boost=0)


class TestWhatASeatMayKnow:
    def test_the_odds_of_a_seat_use_stated_assumptions(self) -> None:
        made = hiding(1)
        mine = made.odds("selka", "hide", method="crouch", boost=0)
        truth = made.odds("selka", "hide", method="crouch", boost=0, seat="guide")
        assert any("Guard0" in assumption for assumption in mine.assumptions)
        assert truth.assumptions == ()

    def test_and_never_the_hidden_numbers(self) -> None:
        def mine(observation: int) -> Any:
            made = table(
                character("selka", "heroes", (1, 1), skills={"stealth": 2}, seat="ann"),
                character("guard", "guards", (6, 1), skills={"observation": observation}, ready=observation),
                rows=LAIR,
                legend=THICKET,
                seats=SEATS,
                begin="selka",
            )
            found = made.odds("selka", "hide", method="crouch", boost=0)
            return dict(found), found.assumptions

        assert mine(0) == mine(5)


class TestOdds:
    def test_they_are_a_mapping(self) -> None:
        found = hiding(1).odds("selka", "hide", method="crouch", boost=0, seat="guide")
        assert set(found) == set(found.keys())
        assert len(found) == len(list(found))
        assert all(isinstance(chance, Fraction) and 0 < chance <= 1 for chance in found.values())
        assert found.chance(lambda o: True) == 1
        assert found.chance(lambda o: False) == 0
        assert "hidden" in repr(found)

    @pytest.mark.parametrize("seed", range(12))
    def test_every_action_of_a_random_scene_adds_up_to_one(self, seed: int) -> None:
        made = tw.Table(random_state(seed), seed=seed)
        up = made.next_turn()
        assert up is not None
        made.declare(up, "begin", seat="guide")
        pick = Random(seed).choice
        for listed in made.offers(up, seat="guide"):
            d = made.game.actions[listed.action].fill(made.state, listed.declaration, pick)
            if listed.verdict == "illegal" or d.action in ("begin", "end"):
                continue
            try:
                found = odds(made.game, made.state, made.game.actions[d.action].complete(made.state, d), limit=2000)
            except tw.TooMany:
                continue
            assert sum(found.values()) == 1


class TestSimulation:
    def scene(self) -> State:
        return scene(
            *[character(f"r{n}", "reds", (1, 1 + n), skills={"melee": 2}, weapons=sword()) for n in range(2)],
            *[character(f"b{n}", "blues", (4, 1 + n), skills={"melee": 1}, weapons=sword()) for n in range(2)],
        )

    def test_the_same_draws_play_the_same_scene(self) -> None:
        game = find_game("narateer")
        one, two = (tw.play_out(game, self.scene(), RandomBot(3), draw=Random(5).random, rounds=6) for _ in range(2))
        assert one == two
        assert one.actions > 10
        other = tw.play_out(game, self.scene(), RandomBot(3), draw=Random(6).random, rounds=6)
        assert other != one

    def test_the_events_that_are_heard_make_the_state(self) -> None:
        heard: list[Event] = []
        start = self.scene()
        played = tw.play_out(find_game("narateer"), start, RandomBot(3), rounds=4, heard=heard.append)
        state = start
        for event in heard:
            state = event.apply(state)
        assert state == played.state
        assert len(heard) == played.events

    def test_every_scene_has_an_end(self) -> None:
        game = find_game("narateer")
        assert tw.play_out(game, self.scene(), RandomBot(1), rounds=2).why == "2 rounds have passed"
        assert tw.play_out(game, self.scene(), RandomBot(1), most=5).why == "5 actions were taken"
        waited = tw.play_out(game, self.scene(), RandomBot(1), until=lambda state: state.round > 0)
        assert waited.why == "what was waited for has come"

    def test_it_ends_when_a_side_is_down(self) -> None:
        start = scene(
            character("a", "reds", (1, 1), skills={"melee": 3}, weapons=[{"name": "axe", "wounds": 9}], ad=20),
            character("b", "blues", (2, 1), bears=1, ad=0),
        )
        ended = [
            tw.play_out(find_game("narateer"), start, RandomBot(seed), draw=Random(seed).random, rounds=40)
            for seed in range(6)
        ]
        assert "blues" in {played.down for played in ended}
        assert all(played.why == f"{played.down} is down" for played in ended if played.down)

    def test_it_follows_the_rules_of_the_table(self) -> None:
        """The same declarations and readings on a table lead to the same state."""
        from turnwright.engine import Play

        made = table(
            character("a", "reds", (1, 1), skills={"melee": 2}, weapons=sword()),
            character("b", "blues", (2, 1), skills={"melee": 1}, weapons=sword()),
            dice=(4, 3),
            begin="a",
        )
        d = declared(made, "a", "attack", target="b", boost=0)
        rolls = iter((4, 3))

        def choice(state: State, question: Question) -> Answer:
            if isinstance(question, Roll):
                total = next(rolls)
                return Rolled(question.reading(total), total)
            return Chosen("full_guard") if isinstance(question, Choose) else plain_answer(question)

        outcome, play = run_through(Play(made.game, made.state), d, choice)
        made.declare("a", "attack", target="b", boost=0)
        answer(made, "full_guard")
        assert made.outcome == outcome
        assert made.state == play.state


class TestWhoAnswers:
    ASKED = (
        (Choose("g", "a", "", "", (Option("pass", "x"), Option("0", "y", most=2))), Chosen("pass")),
        (Commit("g", "a", "", "", Price(), 3), Committed(0)),
        (Confirm("g", "a", "", "", Price()), Confirmed()),
        (Rule("g", "a", "", "", Declaration("a", "x"), (Ruling("automatic"), Ruling("unclear"))), None),
        (Clarify("g", "a", "", ""), Clarified("go on", "as seems best")),
        (Order("g", "a", "", "", ("b", "a")), Ordered(("b", "a"))),
    )

    @pytest.mark.parametrize(("question", "given"), ASKED)
    def test_the_guide_follows_the_presets_and_others_commit_nothing(self, question: Question, given: Any) -> None:
        guide = AutomaticGuide()
        state = hiding(1).state
        assert guide.answer(find_game("narateer"), state, question) == (given or Ruled(Ruling("automatic")))
        assert guide.declare(find_game("narateer"), state, "selka").action == "end"

    def test_dice_are_nobodys_choice(self) -> None:
        with pytest.raises(LookupError, match="Roll is not a choice"):
            plain_answer(Roll("g", "a", "", "", Pool(1)))

    @pytest.mark.parametrize(("question", "given"), ASKED)
    def test_a_bot_gives_what_the_question_takes(self, question: Question, given: Any) -> None:
        game = find_game("narateer")
        for seed in range(20):
            answered = RandomBot(seed).answer(game, hiding(1).state, question)
            assert read_answer(game, hiding(1).state, question, answered) == answered

    def test_a_bot_declares_what_the_gate_accepts(self) -> None:
        for seed in range(30):
            made = tw.Table(random_state(seed), seed=seed)
            up = made.next_turn() or ""
            made.declare(up, "begin", seat="guide")
            seat = made.state.actors[up].seat
            d = RandomBot(seed).declare(made.game, made.knows(seat), up)
            assert made.explain(up, d.action, **said(d)).verdict != "illegal"


def test_scripted_dice_in_odds_are_never_touched() -> None:
    made = hiding(2, 1)
    assert isinstance(made.source, Scripted)
    made.odds("selka", "hide", method="crouch", boost=1)


class TestNumbers:
    """Numbers are read off the state at the end of every branch, whoever the outcome names."""

    def duel(self) -> tw.Table:
        return table(
            character("a", "reds", (1, 1), skills={"melee": 2}, weapons=sword()),
            character("b", "blues", (3, 1), skills={"melee": 1}, weapons=sword()),
            begin="a",
        )

    def test_the_wounds_in_the_state_are_those_of_the_outcome(self) -> None:
        made = self.duel()
        made.declare("a", "walk", route=[(2, 1)])
        found = made.odds("a", "attack", target="b", seat="guide")
        assert found.numbers["Wounds of B"] == found.amounts("b")
        assert found.numbers["Wounds of B"].mean == found.mean("b")

    def test_after_a_step_the_odds_are_those_of_the_step_done(self) -> None:
        made = self.duel()
        after = made.odds("a", "attack", target="b", seat="guide", after=[("walk", {"route": [(2, 1)]})])
        made.declare("a", "walk", route=[(2, 1)])
        assert dict(after) == dict(made.odds("a", "attack", target="b", seat="guide"))

    def test_a_distribution_has_a_mean_and_a_chance_of_at_least_so_much(self) -> None:
        half = Fraction(1, 2)
        found = Distribution({3: half, 0: half})
        assert (found.mean, found.at_least(1), found.at_least(4)) == (Fraction(3, 2), half, 0)
        assert list(found) == [0, 3]
        assert repr(found) == "<Distribution: 0 1/2, 3 1/2>"

    def test_two_of_one_name_are_kept_apart(self) -> None:
        found = table(
            character("a", "reds", (1, 1), skills={"melee": 2}, weapons=sword()),
            character("b", "blues", (2, 1), name="Guard", weapons=sword()),
            character("c", "blues", (5, 1), name="Guard", weapons=sword()),
            begin="a",
        ).odds("a", "attack", target="b", seat="guide")
        assert [name for name in found.numbers if name.startswith("Wounds of Guard")] == ["Wounds of Guard"]
