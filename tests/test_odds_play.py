"""Odds against 20,000 samples of what tables really play, and what stands beside them: answers, comparisons, hints."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import icepool
import pytest
from journeys import THICKET
from scenes import answer, character, question, table
from throws import LAIR, counted, declared, hiding, sword
from typer.testing import CliRunner

import turnwright as tw
from turnwright import readings as read_off
from turnwright.cli import app
from turnwright.comparing import Glance
from turnwright.dice import Pool
from turnwright.engine import Play
from turnwright.events import Placed
from turnwright.foresight import Kept
from turnwright.model import (
    Choose,
    Chosen,
    Committed,
    Declaration,
    Order,
    Ordered,
    Outcome,
    Question,
    Roll,
    Rolled,
    Rule,
    Ruled,
    Ruling,
    State,
)
from turnwright.odds import Odds, percent
from turnwright.policy import AutomaticGuide, plain_answer
from turnwright.rules import Game
from turnwright.running import Closed, Interjection, Run
from turnwright.systems.narateer.events import Helped, Helping
from turnwright.testing import said

SAMPLES = 20_000
CLIMB = {"kind": "check", "skill": "athletics", "target": 7, "success": "over the wall", "failure": "a fall"}


def duel(*, melee: int = 2, guard: int = 1, **keys: Any) -> tw.Table:
    """a beside b, both with swords; a is at turn and has a friend c who could help."""
    return table(
        character("a", "reds", (1, 1), skills={"melee": melee}, weapons=sword(), seat="ann"),
        character("c", "reds", (1, 2), seat="ann"),
        character("b", "blues", (2, 1), skills={"melee": guard}, weapons=sword(), seat="ben"),
        seats=[{"id": "ann"}, {"id": "ben"}],
        begin="a",
        **keys,
    )


def climbing(**keys: Any) -> tw.Table:
    """c stands before a wall, and h beside it."""
    return table(
        character("c", "heroes", (1, 1), skills={"athletics": 2}, seat="ann"),
        character("h", "heroes", (2, 1), seat="ann"),
        seats=[{"id": "ann"}],
        begin="c",
        **keys,
    )


def walking(bears: int = 2, **keys: Any) -> tw.Table:
    """a, who bears so many Wounds, walks past two opponents who could strike."""
    return table(
        character("a", "reds", (1, 2), bears=bears),
        character("b", "blues", (3, 1), skills={"melee": 2}, weapons=sword()),
        character("c", "blues", (4, 3), skills={"melee": 1}, weapons=sword()),
        begin="a",
        **keys,
    )


ROUTE = [(2, 2), (3, 2), (4, 2), (5, 2)]


# -- against what is really played


Given = Callable[[Question, Run], Any]


def sampled(made: tw.Table, actor: str, action: str, seed: int, given: Given, **said: Any) -> Counter[Outcome]:
    """How often each outcome came in so many plays of an action by faces that fall; `given` answers the rest."""
    draw = Random(seed)
    d = declared(made, actor, action, **said)
    found: Counter[Outcome] = Counter()
    for _ in range(SAMPLES):
        run = Run.start(Play(made.game, made.state), d)
        while run.outcome is None:
            run.feed(Closed(tuple(_answered(asked, run, draw, given) for asked in run.questions)))
        found[run.outcome] += 1
    return found


def _answered(asked: Question, run: Run, draw: Random, given: Given) -> Any:
    if not isinstance(asked, Roll):
        return given(asked, run)
    faces = [draw.randint(1, asked.pool.sides) for _ in range(asked.pool.thrown)]
    total = asked.pool.total(faces)
    return Rolled(asked.reading(total), total)


def agree(odds: Odds, found: Counter[Outcome]) -> None:
    """Every outcome came as often as it should, within five standard deviations; nothing else came."""
    assert set(found) <= set(odds)
    times = found.total()
    for outcome, chance in odds.items():
        p = float(chance)
        assert abs(found[outcome] - times * p) <= 5 * sqrt(times * p * (1 - p)) + 1e-9, (outcome, chance, found)


class TestAgainstSamplesOfRealPlay:
    def test_an_exchange_with_a_boosted_guard(self) -> None:
        made = duel()
        odds = made.odds("a", "attack", target="b", boost=1, answers={"response": "full_guard+1"}, seat="guide")
        guarded = Chosen("full_guard", 1)
        agree(odds, sampled(made, "a", "attack", 11, lambda asked, run: guarded, target="b", boost=1))

    def test_a_clash(self) -> None:
        made = duel()
        odds = made.odds("a", "attack", target="b", answers={"b": "clash"}, seat="guide")
        assert set(odds.results()) == {"hit", "miss", "countered"}
        clash = Chosen("clash:sword")
        agree(odds, sampled(made, "a", "attack", 12, lambda asked, run: clash, target="b", boost=0))

    def test_a_hide_before_three_of_whom_two_look(self) -> None:
        made = hiding(3, 2)
        odds = made.odds("selka", "hide", method="crouch", boost=1, seat="guide")
        nothing = Committed(0)
        agree(odds, sampled(made, "selka", "hide", 13, lambda asked, run: nothing, method="crouch", boost=1))

    def test_a_walk_past_two_who_strike(self) -> None:
        made = walking(bears=1)

        def given(asked: Question, run: Run) -> Any:
            if isinstance(asked, Order):
                return Ordered(asked.among)
            assert isinstance(asked, Choose)
            return last(asked) if asked.about == "opportunity_attack" else Chosen(asked.options[0].id)

        odds = made.odds("a", "walk", route=ROUTE[:3], answers={"opportunity_attack": last}, seat="guide")
        assert set(odds.results()) == {"arrived", "stopped"}
        agree(odds, sampled(made, "a", "walk", 14, given, route=ROUTE[:3]))

    @pytest.mark.parametrize("helped", [False, True])
    def test_a_check_by_a_ruling_alone_and_with_help(self, helped: bool) -> None:
        made = climbing()

        def given(asked: Question, run: Run) -> Any:
            if isinstance(asked, Rule):
                return Ruled(Ruling(**CLIMB))
            if helped and not made.state.relations.get("h") and not run.play.state.related(Helping, "c"):
                run.feed(Interjection(Declaration("h", "assist", "help", "the ladder", target="c")))
                return given(run.questions[0], run)
            return Committed(1)

        asked = {"intent": "over", "method": "climb", "answers": {"ruling": CLIMB}, "seat": "guide"}
        help_by = [("h", "assist")] if helped else []
        odds = made.odds("c", "attempt", boost=1, interject=help_by, **asked)
        agree(odds, sampled(made, "c", "attempt", 15 + helped, given, intent="over", method="climb"))

    def test_tables_play_so_too(self) -> None:
        """The same through a table, with fewer plays: by entries, drafts and its own dice."""
        made = duel()
        odds = made.odds("a", "attack", target="b", answers={"b": "clash"}, seat="guide")
        found: Counter[Outcome] = Counter()
        for seed in range(500):
            at = tw.Table(made.state, seed=seed)
            at.declare("a", "attack", target="b", boost=0)
            answer(at, "clash:sword")
            assert at.outcome is not None
            found[at.outcome] += 1
        agree(odds, found)

    def test_what_does_not_agree_is_found(self) -> None:
        """The comparison is worth what it can find: one extra point on the guard is noticed."""
        made = duel()
        odds = made.odds("a", "attack", target="b", answers={"response": "full_guard+1"}, seat="guide")
        other = duel(melee=1).odds("a", "attack", target="b", answers={"response": "full_guard+1"}, seat="guide")
        found = Counter({outcome: round(chance * SAMPLES) for outcome, chance in other.items()})
        with pytest.raises(AssertionError):
            agree(odds, found)


def last(asked: Question) -> Any:
    """Strike, where that is asked."""
    assert isinstance(asked, Choose)
    return Chosen(asked.options[-1].id)


# -- against arithmetic done elsewhere


class TestTheBareDice:
    @pytest.mark.parametrize("boost", [0, 1, 2])
    @pytest.mark.parametrize("target", [4, 8, 12])
    def test_a_check_with_advantage_keeps_the_best(self, boost: int, target: int) -> None:
        made = climbing()
        found = made.odds(
            "c",
            "attempt",
            intent="over",
            method="climb",
            boost=boost,
            interject=[("h", "assist")],
            answers={"ruling": {**CLIMB, "target": target}},
        )
        dice = 1 + boost
        total = icepool.d6.pool(dice + 1).highest(dice).sum() + 2
        assert found.success == (total >= target).probability(True)

    def test_eight_who_look_are_fooled_by_one_roll(self) -> None:
        """2d6 and 1 more than each of eight who throw 2d6: 0.152 that all are fooled; apart it would be 0.009."""
        made = hiding(8, 8, stealth=2, settings={"add": "skill level"})
        made.override({f"guard{n}.skills": {"observation": 1} for n in range(8)}, "all look alike")
        found = made.odds("selka", "hide", method="crouch", boost=1, answers={"boost": 1}, seat="guide")
        hers, theirs = 2 @ icepool.d6 + 2, 2 @ icepool.d6 + 1
        together = sum(
            Fraction(weight, hers.denominator()) * (theirs < total).probability(True) ** 8
            for total, weight in hers.items()
        )
        apart = (hers > theirs).probability(True) ** 8
        assert found.chance(lambda o: len(o.who) == 8) == together == found.success
        assert (round(float(together), 3), round(float(apart), 3)) == (0.152, 0.009)
        assert set(found.marginals().values()) == {(hers > theirs).probability(True)}
        assert sum(found.joint().values()) == 1

    def test_an_advantage_die_drawn_without_replacement_would_be_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A known engine draws its extra die from the faces that are left; counting every throw tells it apart."""
        made = climbing()
        d = Declaration("c", "attempt", "over", "climb", boost=1)
        asked = {"answers": {"ruling": CLIMB}, "interject": [("h", "assist")], "boost": 1}

        def agrees() -> None:
            odds = made.odds("c", "attempt", intent="over", method="climb", seat="guide", **asked)
            assert dict(odds) == helped_throws(made, d)

        agrees()
        made._foreseen = Kept()
        monkeypatch.setattr(read_off, "beating", without_replacement)
        with pytest.raises(AssertionError):
            agrees()


def helped_throws(made: tw.Table, d: Declaration) -> dict[Outcome, Fraction]:
    """Every throw of three dice of which the lowest is dropped, counted with the help already given."""
    copy = tw.Table(made.state, seed=1)
    copy.override([Helped("", "c", "h", "the ladder")], "h helps")

    def choice(state: State, asked: Question) -> Any:
        if isinstance(asked, Rule):
            return Ruled(Ruling(**CLIMB))
        return Committed(1) if hasattr(asked, "most") else plain_answer(asked)

    return counted(copy, d, 3, choice)


def without_replacement(pool: Pool, number: int, ties: bool) -> tuple[int, int]:
    """The mistake: with Advantage no two dice of a pool show the same face."""
    from itertools import permutations, product

    faces = range(1, pool.sides + 1)
    throws = list(permutations(faces, pool.thrown) if pool.edge else product(faces, repeat=pool.thrown))
    totals = [pool.total(throw) for throw in throws]
    return sum(total > number or (ties and total == number) for total in totals), len(throws)


# -- the object


class TestOdds:
    def test_marginals_joint_table_and_amounts(self) -> None:
        odds = Odds(
            {
                Outcome("x", "hit", ("b", "a"), 2): Fraction(1, 2),
                Outcome("x", "hit", ("a",), 1): Fraction(1, 4),
                Outcome("x", "miss"): Fraction(1, 4),
            },
            wanted=[Outcome("x", "hit", ("b", "a"), 2), Outcome("x", "hit", ("a",), 1)],
        )
        assert odds.success == Fraction(3, 4)
        assert odds.marginals() == {"a": Fraction(3, 4), "b": Fraction(1, 2)}
        assert odds.joint() == {(): Fraction(1, 4), ("a",): Fraction(1, 4), ("a", "b"): Fraction(1, 2)}
        assert odds.amounts() == {0: Fraction(1, 4), 1: Fraction(1, 4), 2: Fraction(1, 2)}
        assert odds.amounts("b") == {0: Fraction(1, 2), 2: Fraction(1, 2)}
        assert odds.mean() == Fraction(5, 4)
        assert odds.mean("b") == 1
        assert odds.results() == {"hit": Fraction(3, 4), "miss": Fraction(1, 4)}
        assert repr(odds) == "<Odds: hit b, a (2) 1/2, hit a 1/4, miss 1/4>"

    @pytest.mark.parametrize(
        ("chance", "digits", "shown"),
        [
            (Fraction(0), 0, "0 %"),
            (Fraction(1), 0, "100 %"),
            (Fraction(1, 1000), 0, "<1 %"),
            (Fraction(999, 1000), 0, ">99 %"),
            (Fraction(81, 100), 0, "81 %"),
            (Fraction(2, 3), 2, "66.67 %"),
            (Fraction(1, 10**6), 2, "<0.01 %"),
            (1 - Fraction(1, 10**6), 2, ">99.99 %"),
        ],
    )
    def test_what_can_happen_is_never_0_and_what_can_fail_never_100(
        self, chance: Fraction, digits: int, shown: str
    ) -> None:
        assert percent(chance, digits) == shown

    def test_a_hide_succeeds_only_from_everybody(self) -> None:
        found = hiding(3).odds("selka", "hide", method="crouch", seat="guide")
        assert found.success == found.chance(lambda o: len(o.who) == 3)
        assert found.success == min(found.marginals().values()) < max(found.marginals().values())


# -- who decides what


class Guarding(AutomaticGuide):
    """Guards itself with all it may commit, if its seat can see who it is."""

    def answer(self, game: Game, known: State, question: Question) -> Any:
        if isinstance(question, Choose) and question.about == "response":
            assert question.actor in known.actors
            option = next(o for o in question.options if o.id == "full_guard")
            return Chosen(option.id, option.most)
        return plain_answer(question)


class TestWhatOthersDecide:
    @pytest.mark.parametrize("name", ["response", "b", "b response", "  b   response "])
    @pytest.mark.parametrize("value", ["full_guard+1", "Full Guard + 1", Chosen("full_guard", 1), ("full_guard", 1)])
    def test_it_is_fixed_by_who_or_by_what(self, name: str, value: Any) -> None:
        made = duel()
        found = made.odds("a", "attack", target="b", answers={name: value}, seat="guide")
        # a: one die + 2 must exceed two dice + 1.
        assert found.success == (icepool.d6 + 2 > 2 @ icepool.d6 + 1).probability(True)

    def test_an_answer_that_is_not_open_is_refused_with_its_rule(self) -> None:
        with pytest.raises(tw.Refused, match="above the limit of 1") as raised:
            duel().odds("a", "attack", target="b", answers={"b": "full_guard+5"}, seat="guide")
        assert raised.value.refusals[0].rule == "narateer.boost.cap-is-skill-level"
        with pytest.raises(tw.Refused, match="'fly' is not open"):
            duel().odds("a", "attack", target="b", answers={"b": "fly"}, seat="guide")

    def test_an_answer_that_nobody_is_asked_for_is_said(self) -> None:
        found = duel().odds("a", "attack", target="b", answers={"respnse": "clash"}, seat="guide")
        assert found.assumptions == ("nobody is asked for 'respnse'",)

    def test_or_a_policy_answers_from_what_its_seat_knows(self) -> None:
        made = duel()
        plain = made.odds("a", "attack", target="b", seat="guide")
        guarded = made.odds("a", "attack", target="b", policy=Guarding(), seat="guide")
        assert guarded == made.odds("a", "attack", target="b", answers={"b": "full_guard+1"}, seat="guide")
        assert guarded.success < plain.success

    def test_or_it_is_left_open_and_shown_by_their_answers(self) -> None:
        made = duel()
        found = made.odds_by_answer("a", "attack", target="b", seat="guide", everything=True)
        for decided, each in found.items():
            (decision,) = decided
            assert (decision.who, decision.about) == ("b", "response")
            assert each == made.odds("a", "attack", target="b", answers={"b": decision.answer}, seat="guide")
        answers = [decision.answer for (decision,) in found]
        expected = ["no response", "full guard", "full guard +1"]
        assert answers[:3] == expected
        assert (found.lowest, found.highest) == (
            min(o.success for o in found.values()),
            max(o.success for o in found.values()),
        )

    def test_without_everything_nobody_commits_more_than_the_price(self) -> None:
        found = duel().odds_by_answer("a", "attack", target="b", seat="guide")
        assert all("+" not in str(decision) for decided in found for decision in decided)

    def test_two_who_can_react_make_all_their_ways(self) -> None:
        found = walking().odds_by_answer("a", "walk", route=ROUTE, seat="guide")
        deciders = {decision.who for decided in found for decision in decided}
        assert deciders == {"b", "c"}
        nobody = next(o for decided, o in found.items() if all(d.answer == "pass" for d in decided))
        assert nobody == {Outcome("walk", "arrived"): 1}
        assert found.highest == 1
        assert found.lowest < 1

    def test_rulings_can_be_left_open_too(self) -> None:
        found = climbing().odds_by_answer("c", "attempt", intent="over", method="climb", seat="guide", everything=True)
        kinds = {decision.answer.split()[0].rstrip(":") for decided in found for decision in decided}
        assert {"check", "automatic"} <= kinds

    def test_a_ruling_that_only_asks_back_comes_to_an_end(self) -> None:
        with pytest.raises(tw.Refused, match="stays unclear"):
            climbing().odds("c", "attempt", intent="over", method="climb", answers={"ruling": "unclear"})

    def test_what_is_fixed_is_not_open(self) -> None:
        found = duel().odds_by_answer("a", "attack", target="b", answers={"b": "full_guard"}, seat="guide")
        assert len(found) == 1

    def test_past_the_limit_it_names_the_count(self) -> None:
        with pytest.raises(tw.TooMany, match="more than 5 branches"):
            duel().odds_by_answer("a", "attack", target="b", seat="guide", everything=True, limit=5)

    def test_help_that_is_not_possible_is_refused(self) -> None:
        with pytest.raises(tw.Refused, match="nobody assists their own check"):
            duel().odds("a", "attack", target="b", interject=[("a", "assist")])
        with pytest.raises(tw.Refused, match="nothing that is done while"):
            duel().odds("a", "attack", target="b", interject=[("c", "walk")])
        with pytest.raises(tw.Refused, match="leaves time"):
            duel().odds("a", "walk", route=[(1, 2)][:0] or [(0, 1)], interject=[("c", "assist")])


# -- until


class TestUntil:
    def test_a_branch_ends_once_it_holds(self) -> None:
        made = duel()
        found = made.odds("a", "attack", target="b", seat="guide", until=lambda state: state.actors["b"].wounds > 0)
        plain = made.odds("a", "attack", target="b", seat="guide")
        assert found.came == plain.results()["hit"]
        assert found.results() == {"came about": plain.results()["hit"], "miss": plain.results()["miss"]}

    def test_along_a_chain(self) -> None:
        made = walking()

        def hurt(state: State) -> bool:
            return bool(state.actors["a"].wounds)

        found = made.odds("a", "walk", route=ROUTE, seat="guide", answers={"opportunity_attack": last}, until=hurt)
        whole = made.odds("a", "walk", route=ROUTE, seat="guide", answers={"opportunity_attack": last})
        assert 0 < found.came < 1
        assert found.came > whole.results()["stopped"]  # two Wounds stop a, and one is enough to be hurt
        half = made.odds("a", "walk", route=ROUTE, seat="guide", until=lambda state: state.actors["a"].at == (3, 2))
        assert half.came == 1

    def test_what_holds_already_holds(self) -> None:
        assert duel().odds("a", "attack", target="b", until=lambda state: True).came == 1

    def test_a_sample_stops_there_too(self) -> None:
        made = duel()
        asked: dict[str, Any] = {"target": "b", "seat": "guide", "until": lambda state: state.actors["b"].wounds > 0}
        exact = made.odds("a", "attack", **asked)
        near = made.odds("a", "attack", **asked, limit=1, sample=2000)
        assert near.sampled == 2000
        assert abs(float(near.came - exact.came)) < 5 * sqrt(0.25 / 2000)
        other = made.odds("a", "attack", **asked, limit=1, sample=2000, seed=5)
        assert dict(other) != dict(near)


# -- side by side, and what would help


class TestComparing:
    def test_boosts_side_by_side_and_those_that_cannot_be(self) -> None:
        made = duel(melee=3)
        made.override({"a.ready": 3}, "a has little left")
        found = made.compare("a", "attack", target="b", seat="guide")
        assert found.by == "boost"
        assert list(found) == [0, 1, 2]
        for boost, each in found.items():
            assert each == made.odds("a", "attack", target="b", boost=boost, seat="guide")
            assert found.prices[boost].amount("ad") == 1 + boost
        assert list(found.refused) == [3]
        assert "Ready AD" in found.refused[3][0].text
        assert found.refused[3][0].rule

    def test_weapons_targets_and_whatever_has_choices(self) -> None:
        weapons = [{"name": "sword"}, {"name": "pike", "reach": 1, "base_attack_cost": 2, "wounds": 2}]
        made = table(
            character("a", "reds", (1, 1), skills={"melee": 2}, weapons=weapons),
            character("b", "blues", (2, 1)),
            character("far", "blues", (9, 6)),
            begin="a",
        )
        by_weapon = made.compare("a", "attack", "weapon", target="b", seat="guide")
        assert by_weapon["pike"].mean() == 2 * by_weapon["sword"].mean() == 2 * by_weapon["sword"].success
        assert by_weapon.prices["pike"].amount("ad") == 2
        by_target = made.compare("a", "attack", "target", seat="guide")
        assert list(by_target) == ["b"]
        assert "out of reach" in by_target.refused["far"][0].text

    def test_values_can_be_said(self) -> None:
        found = hiding(1).compare("selka", "hide", "method", ["crouch", "lie flat"], boost=1, seat="guide")
        assert list(found) == ["crouch", "lie flat"]
        with pytest.raises(tw.Refused, match="no choices for method"):
            hiding(1).compare("selka", "hide", "method")

    def test_it_takes_what_odds_take(self) -> None:
        made = duel()
        found = made.compare("a", "attack", target="b", seat="guide", answers={"b": "full_guard+1"})
        fixed = {"answers": {"b": "full_guard+1"}, "seat": "guide"}
        assert found[1] == made.odds("a", "attack", target="b", boost=1, **fixed)
        assert found.best == 2


class TestHints:
    def test_the_nearest_change_in_words_with_its_price(self) -> None:
        made = duel()
        hints = made.hints("a", "attack", target="b", seat="guide")
        first = hints[0]
        assert first.said == {"boost": 1}
        assert first.costs == {"ad": 1}
        assert first.chance == made.odds("a", "attack", target="b", boost=1, seat="guide").success
        assert str(first) == f"Boost 1 would make it {percent(first.chance)}"
        assert any(hint.change == "assist by C" for hint in hints)
        assert hints == made.hints("a", "attack", target="b", seat="guide")

    def test_help_is_as_good_as_the_odds_say(self) -> None:
        made = duel()
        helped = next(h for h in made.hints("a", "attack", target="b", seat="guide") if "assist" in h.change)
        assert helped.chance == (icepool.d6.pool(2).highest(1).sum() + 2 > 4).probability(True)

    def test_a_boost_that_changes_nothing_is_skipped_for_the_next(self) -> None:
        """Against 2d6 + 1 and against 12 a first Boost may do little; the hint names the first that is worth it."""
        made = climbing()
        asked: dict[str, Any] = {"intent": "over", "method": "climb", "answers": {"ruling": {**CLIMB, "target": 19}}}
        hints = made.hints("c", "attempt", seat="guide", **asked)
        boosts = [hint for hint in hints if "boost" in hint.said]
        # 3d6 + 2 reach 19 with 17 or 18: 4 of 216, which is not worth a word.
        assert boosts == []
        asked["answers"] = {"ruling": {**CLIMB, "target": 15}}
        (boost,) = [hint for hint in made.hints("c", "attempt", seat="guide", **asked) if "boost" in hint.said]
        assert boost.change == "Boost 2"

    def test_of_several_who_could_help_the_first_is_named(self) -> None:
        friends = [character(f"f{n}", "reds", (1, 2 + n)) for n in range(3)]
        made = table(
            character("a", "reds", (1, 1), skills={"melee": 2}, weapons=sword()),
            *friends,
            character("b", "blues", (2, 1), skills={"melee": 1}),
            begin="a",
        )
        changes = [hint.change for hint in made.hints("a", "attack", target="b", seat="guide")]
        assert [change for change in changes if "assist" in change] == ["assist by F0"]

    def test_nothing_helps_where_it_is_certain(self) -> None:
        assert duel(melee=5, guard=0).hints("a", "attack", target="b", boost=3, seat="guide") == ()


# -- kept results


class TestWhatIsKept:
    def test_the_same_question_is_counted_once(self) -> None:
        made = duel()
        first = made.odds("a", "attack", target="b")
        assert made.odds("a", "attack", target="b") is first
        assert made.odds("a", "attack", target="b", boost=1) is not first
        assert made.odds("a", "attack", target="b", seat="guide") is not first
        assert made.odds("a", "attack", target="b", answers={"b": "full_guard"}) is not first
        assert made.odds("a", "attack", target="b", policy=Guarding()) is not first

    def test_a_changed_state_is_counted_anew(self) -> None:
        made = duel()
        before = made.odds("a", "attack", target="b", seat="guide")
        made.override({"b.skills": {"melee": 5}}, "b is better than that")
        after = made.odds("a", "attack", target="b", seat="guide")
        assert after.success < before.success
        made.undo()
        assert made.odds("a", "attack", target="b", seat="guide") == before

    def test_what_became_illegal_is_refused(self) -> None:
        made = duel()
        made.odds("a", "attack", target="b", seat="guide")
        made.override([Placed("", "b", (9, 6))], "b is gone")
        with pytest.raises(tw.Refused, match="out of reach"):
            made.odds("a", "attack", target="b", seat="guide")

    def test_only_so_much_is_kept(self) -> None:
        kept = Kept(2)
        for key in (1, 2, 1, 3):
            kept.get(key, None, lambda key=key: key)  # type: ignore[misc]
        assert len(kept) == 2
        assert kept.get(1, None, lambda: "anew") == 1
        assert kept.get(2, None, lambda: "anew") == "anew"


# -- while a question is open


class TestTheActionUnderWay:
    def test_a_commitment_is_compared_before_it_is_made(self) -> None:
        made = duel(guard=2)
        foreseen = {boost: made.odds("a", "attack", target="b", boost=boost) for boost in (0, 1, 2)}
        truth = {boost: made.odds("a", "attack", target="b", boost=boost, seat="guide") for boost in (0, 1, 2)}
        made.declare("a", "attack", target="b")
        asked = question(made, "commit")
        for boost in (0, 1, 2):
            assert made.odds_of_answer(asked, boost) == foreseen[boost]
            assert made.odds_of_answer(asked, boost, seat="guide") == truth[boost]
        assert foreseen[0] != truth[0]
        with pytest.raises(tw.Refused, match="above the limit"):
            made.odds_of_answer(asked, 7)
        with pytest.raises(tw.Refused, match="for ann to answer"):
            made.odds_of_answer(asked, 0, seat="ben")

    def test_every_boost_at_a_glance(self) -> None:
        made = duel(guard=2)
        truth = [made.odds_by_answer("a", "attack", target="b", boost=boost, seat="guide") for boost in (0, 1, 2)]
        mine = [made.odds_by_answer("a", "attack", target="b", boost=boost) for boost in (0, 1, 2)]
        made.declare("a", "attack", target="b")
        asked = question(made, "commit")
        assert list(made.chances_of(asked)) == [found.glance(n) for n, found in enumerate(mine)]
        assert list(made.chances_of(asked, seat="guide")) == [found.glance(n) for n, found in enumerate(truth)]
        answer(made, 1)
        assert made.chances_of(question(made, "choose")) == ()

    def test_help_given_meanwhile_counts(self) -> None:
        made = climbing()
        made.declare("c", "attempt", intent="over", method="climb")
        answer(made, CLIMB, kind="rule")
        alone = made.odds_of_answer(question(made, "commit"), 0).success
        made.interject("h", "assist", method="hold the ladder")
        asked = question(made, "commit")
        helped = (icepool.d6.pool(2).highest(1).sum() + 2 >= 7).probability(True)
        assert made.odds_of_answer(asked, 0).success == helped > alone == Fraction(2, 6)
        assert made.odds_of_answer(asked, 0, seat="guide").success == helped

    def test_a_response_is_compared_by_the_guide_exactly(self) -> None:
        made = duel()
        fixed = {"boost": 1, "seat": "guide"}
        foreseen = {
            kind: made.odds("a", "attack", target="b", answers={"b": kind}, **fixed)
            for kind in ("no_response", "full_guard", "clash:sword")
        }
        made.declare("a", "attack", target="b", boost=1)
        asked = question(made, "choose")
        for kind, odds in foreseen.items():
            assert made.odds_of_answer(asked, kind, seat="guide") == odds

    def test_a_player_is_not_told_what_the_attacker_has_committed(self) -> None:
        rows = []
        for boost in (0, 2):
            made = duel()
            made.declare("a", "attack", target="b", boost=boost)
            asked = question(made, "choose")
            found = made.odds_of_answer(asked, "full_guard", seat="ben")
            rows.append((dict(found), found.assumptions))
        assert rows[0] == rows[1]
        assert any("nothing committed" in text for text in rows[0][1])

    def test_a_secret_number_has_no_odds_for_its_seat(self) -> None:
        made = climbing()
        made.declare("c", "attempt", intent="over", method="climb")
        answer(made, {**CLIMB, "secret": True}, kind="rule")
        asked = question(made, "commit")
        with pytest.raises(tw.Refused, match="secret"):
            made.odds_of_answer(asked, 0)
        assert made.odds_of_answer(asked, 0, seat="guide").success == Fraction(2, 6)

    def test_in_the_middle_of_a_long_action(self) -> None:
        made = walking()
        made.declare("a", "walk", route=ROUTE)
        asked = question(made, "choose")
        strikes = made.odds_of_answer(asked, asked.options[-1], seat="guide")
        passes = made.odds_of_answer(asked, "pass", seat="guide")
        assert sum(strikes.values()) == 1
        assert passes == {Outcome("walk", "arrived"): 1}
        before = made.state, len(made.log), made.waiting_on
        assert (made.state, len(made.log), made.waiting_on) == before

    def test_asking_changes_nothing(self) -> None:
        made = duel()
        made.declare("a", "attack", target="b")
        before = made.state, list(made.log), made._chain, made.waiting_on
        made.odds_of_answer(question(made), 1)
        made.odds_of_answer(question(made), 1, seat="guide")
        assert (made.state, made.log, made._chain, made.waiting_on) == before


# -- what a list of offers carries


class TestOffers:
    def test_every_offer_that_is_certain_of_nothing_carries_its_chance_for_each_boost(self) -> None:
        made = duel()
        offers = made.offers("a")
        glances = dict(zip([offer.label for offer in offers], made.chances(offers), strict=True))
        attack = glances["attack B with sword"]
        assert attack is not None
        assert [glance.boost for glance in attack] == [0, 1, 2]
        for glance in attack:
            found = made.odds_by_answer("a", "attack", target="b", weapon="sword", boost=glance.boost)
            assert (glance.lowest, glance.highest) == (found.lowest, found.highest)
        assert glances["end"] == ()

    def test_what_would_take_too_long_is_left_out(self) -> None:
        made = duel()
        offers = made.offers("a")
        assert None in made.chances(offers, limit=1)
        assert made.chances(offers, in_all=0) == (None,) * len(offers)

    def test_they_tell_nothing_that_the_seat_cannot_know(self) -> None:
        def told(guard: int) -> Any:
            made = duel(guard=guard)
            offers = made.offers("a")
            shown = made.chances(offers), made.hints("a", "attack", target="b")
            return shown, repr(made.compare("a", "attack", target="b"))

        assert told(0) == told(4)

    @pytest.mark.parametrize(
        ("low", "high", "shown"),
        [(1, 1, "50 %"), (1, 2, "50-100 %")],
    )
    def test_a_glance_in_words(self, low: int, high: int, shown: str) -> None:
        assert str(Glance(0, Fraction(low, 2), Fraction(high, 2))) == shown

    def test_a_glance_keeps_what_is_nearly_certain_apart(self) -> None:
        assert str(Glance(0, Fraction(97, 100), Fraction(9999, 10000))) == "97 to >99 %"


# -- on the screen


@pytest.fixture
def scene_file(tmp_path: Any) -> Any:
    from scenes import scene_text

    path = tmp_path / "duel.yaml"
    text = scene_text(
        character("a", "reds", (1, 1), name="Ada", skills={"melee": 2}, weapons=sword(), seat="ann"),
        character("c", "reds", (1, 2), name="Cy", seat="ann"),
        character("b", "blues", (2, 1), name="Bea", skills={"melee": 1}, weapons=sword()),
        seats=[{"id": "ann", "name": "Ann"}],
        order=["a", "c", "b"],
    )
    path.write_text(text)
    return path


def run(*arguments: Any, typed: str = "", code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(part) for part in arguments], input=typed)
    assert result.exit_code == code, (result.output, result.exception)
    return " ".join(result.output.split())


class TestOnTheScreen:
    def test_the_command_shows_the_answers_of_others_and_what_would_help(self, scene_file: Any) -> None:
        found = run("odds", scene_file, "ada", "attack", "bea", "--seat", "guide")
        assert "66.67 % Bea response: no response hit 67 %, miss 33 %;" in found.replace("2/3 ", "")
        assert "Bea response: full guard" in found
        assert "Boost 1 would make it 97 % (1 AD more)." in found
        assert "assist by Cy would make it 89 % (1 AD more)." in found

    def test_answers_comparisons_and_help_are_typed(self, scene_file: Any) -> None:
        fixed = run("odds", scene_file, "ada", "attack", "bea", "--seat", "guide", "--answer", "Bea=full_guard+1")
        assert percent((icepool.d6 + 2 > 2 @ icepool.d6 + 1).probability(True), 2) in fixed
        compared = run("odds", scene_file, "ada", "attack", "bea", "--seat", "guide", "--compare", "boost")
        assert "0 1 AD, a use of Melee 66.67 % hit 67 %, miss 33 %" in compared
        assert "1 2 AD, a use of Melee 97.22 %" in compared
        helped = run("odds", scene_file, "ada", "attack", "bea", "--seat", "guide", "--with", "cy assist")
        assert "88.89 %" in helped
        opened = run("odds", scene_file, "ada", "attack", "bea", "--seat", "guide", "--open")
        assert "full guard +1" in opened
        ruled = run(
            "odds", scene_file, "ada", "attempt", "intent=over", "method=climb", "--seat", "guide",
            "--answer", "ruling=check skill=athletics target=5",
        )  # fmt: skip
        assert "33.33 %" in ruled
        assert "say who and what" in run("odds", scene_file, "ada", "attack", "bea", "--answer", "guard", code=2)

    @pytest.mark.parametrize("page", ["docs/odds.md", "src/turnwright/cli/odds.py"])
    def test_the_commands_that_are_shown_as_examples_run(self, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
        root = Path(__file__).parent.parent
        monkeypatch.chdir(root)
        shown = re.findall(r"^ +turnwright (odds examples/.*)$", (root / page).read_text(encoding="utf-8"), re.M)
        assert shown
        for line in shown:
            assert "%" in run(*shlex.split(line))

    def test_as_data(self, scene_file: Any) -> None:
        found = CliRunner().invoke(app, ["odds", str(scene_file), "ada", "attack", "bea", "--seat", "guide", "--json"])
        told = json.loads(found.stdout)
        assert told["success"] == "2/3"
        assert told["each"] == {"b": "2/3"}
        assert told["by_answer"][0]["answers"] == "b response: no response"
        assert told["hints"][0]["costs"] == {"ad": 1}
        options = ["--seat", "guide", "--json", "--compare", "boost"]
        compared = json.loads(
            CliRunner().invoke(app, ["odds", str(scene_file), "ada", "attack", "bea", *options]).stdout
        )
        assert [row["value"] for row in compared["values"]] == [0, 1, 2]
        assert compared["refused"] == []

    def test_in_play_offers_and_commitments_carry_their_odds(self, scene_file: Any) -> None:
        found = run("play", scene_file, "--seed", 1, typed="attack bea\nundo\nodds attack bea by boost\nquit\n\n")
        assert "1 AD, a use of Melee; 58-67 %, +1 91-97 %" in found
        assert "Boost 0: 58-67 %; Boost 1: 91-97 %" in found
        answered = run("play", scene_file, "--seed", 1, typed="attack bea\n1\nquit\n\n")
        hers = 2 @ icepool.d6 + 2
        single, double = ((hers > n @ icepool.d6 + 1).probability(True) for n in (1, 2))
        # Against no Response the number is Bea's Readiness Score, 3 + 1.
        free = (hers > 4).probability(True)
        words = f"No Response {percent(free)}; Full Guard {percent(single)}; Full Guard +1 {percent(double)}"
        assert f"Ada succeeds: {words}" in answered
        assert "assumed: Bea: Skill Level 1" in found
        assert "boost price success outcomes" in found


def test_every_action_that_is_declared_whole_has_hints_that_hold() -> None:
    made = duel()
    for offer in made.offers("a", seat="guide"):
        if offer.action == "attack" and offer.verdict == "legal":
            for hint in made.hints("a", "attack", seat="guide", **said(offer.declaration)):
                again = {**said(offer.declaration), **hint.said}
                assert made.odds("a", "attack", seat="guide", **again).success == hint.chance


def test_nobody_who_could_notice_leaves_nothing_to_tell() -> None:
    made = table(character("selka", "heroes", (1, 1), skills={"stealth": 2}), rows=LAIR, legend=THICKET, begin="selka")
    assert made.odds("selka", "hide", method="crouch", place="here").results() == {"waiting": 1}


def test_what_is_declared_is_what_is_foreseen() -> None:
    made = duel()
    d = declared(made, "a", "attack", target="b", boost=1)
    assert made.odds("a", "attack", target="b", boost=1, seat="guide") == counted(made, d, 2)
