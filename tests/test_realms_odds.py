"""Odds of Altered Realms: a Charge under every answer, nets of dice, and numbers; by hand, force and plays."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random
from typing import Any

import icepool
import pytest
from realms import armed, creature, table

import turnwright as tw
from turnwright.engine import Play
from turnwright.model import Answer, Choose, Chosen, Declaration, Question, State
from turnwright.odds import LIMIT, Odds, TooMany
from turnwright.policy import plain_answer
from turnwright.rules import find_game
from turnwright.simulate import answer_by_draw, run_through

AXE = {"name": "axe", "weapon": {"damage": "1d8+4", "training": 2}}
TO = (7, 4)
RUN = [("walk", {"to": TO})]
D20 = range(1, 21)
D8 = range(1, 9)


def hits(face: int, plus: int, ac: int) -> bool:
    """Whether an attack hits: 20 does and 1 does not, else the total meets AC."""
    return face == 20 or (face != 1 and face + plus >= ac)


def within_5_sigma(count: int, chance: Fraction, plays: int) -> bool:
    """Whether so many of so many plays are no surprise where each has that chance."""
    return abs(count - plays * chance) <= 5 * sqrt(plays * chance * (1 - chance))


def ulf(**keys: Any) -> dict[str, Any]:
    """STR 4 and Training 2: 6 to hit, 8 at the end of a run."""
    return creature("ulf", "reds", (1, 4), str_=4, items=[AXE], **keys)


def orc(**keys: Any) -> dict[str, Any]:
    return creature("orc", "blues", (8, 4), **({"ac": 15, "hp": 9} | keys))


def charging(*more: dict[str, Any], **keys: Any) -> tw.Table:
    """Ulf's turn, four metres and more from the orc."""
    return table(ulf(), orc(), *more, begin="ulf", **keys)


def charge(t: tw.Table, **keys: Any) -> Odds:
    return t.odds("ulf", "charge", target="orc", after=RUN, **keys)


def holding(*, aid: bool = False, hp: int = 9) -> tw.Table:
    """The orc has Ulf's friend in its hand; it is good at athletics, and so is its own friend where there is `aid`."""
    friend = creature("goblin", "blues", (9, 5), ac=12, training={"athletics": 1})
    t = table(
        ulf(),
        orc(hp=hp, str_=2, training={"athletics": 3}),
        creature("page", "reds", (9, 4), ac=10, hp=30),
        *([friend] if aid else []),
        begin="orc",
        dice=((20,),),
    )
    t.declare("orc", "grapple", target="page")
    t.declare("orc", "end")
    t.declare("ulf", "begin")
    return t


def shield_saves(bonus: int) -> Fraction:
    """The chance that a Meat Shield is not enough, while the blow would hit AC 15 at +8: by every pair of dice."""
    left = [n for n, m in product(D20, D20) if hits(n, 8, 15) and m + bonus < n + 8]
    return Fraction(len(left), 400)


class TestACharge:
    @pytest.mark.rule("altered-realms.charge.bonus")
    def test_the_chance_to_hit_and_the_damage_are_those_worked_by_hand(self) -> None:
        found = charge(charging())
        # 4 STR, 2 Training and 2 for the Charge against AC 15: 7 to 20 hit, 14 faces of 20.
        assert found.success == Fraction(14, 20)
        damage = found.numbers["damage to Orc"]
        # 1d8 and 6: 7 to 14 with one eighth of the hits each, 10 and a half in the middle.
        assert dict(damage) == {0: Fraction(6, 20)} | {6 + n: Fraction(14, 160) for n in D8}
        assert damage.mean == Fraction(14, 20) * Fraction(21, 2)
        assert damage.at_least(7) == Fraction(14, 20)
        assert damage.at_least(12) == Fraction(14, 20) * Fraction(3, 8)
        # 9 HP: 3 to 8 on the die.
        assert found.numbers["Orc at 0 HP or down"].at_least(1) == Fraction(14, 20) * Fraction(6, 8)

    def test_what_the_outcome_says_and_what_the_state_says_agree(self) -> None:
        found = charge(charging())
        assert found.distribution(lambda outcome: outcome.amount) == found.numbers["damage to Orc"]
        assert found.amounts("orc") == found.numbers["damage to Orc"]
        assert found.mean("orc") == found.numbers["damage to Orc"].mean

    def test_icepool_counts_the_same(self) -> None:
        def dealt(face: int, die: int) -> int:
            return die + 6 if hits(face, 8, 15) else 0

        same = icepool.map(dealt, icepool.d(20), icepool.d(8))
        chances = {value: Fraction(quantity, same.denominator()) for value, quantity in same.items()}
        assert dict(charge(charging()).numbers["damage to Orc"]) == chances

    def test_before_the_run_the_odds_are_those_after_it(self) -> None:
        t = charging()
        found = charge(t)
        t.declare("ulf", "walk", to=TO)
        assert dict(t.odds("ulf", "charge", target="orc")) == dict(found)

    @pytest.mark.rule("altered-realms.charge.four-meters-clear-line")
    def test_a_run_that_is_too_short_is_refused_with_the_reason(self) -> None:
        t = charging()
        with pytest.raises(tw.Refused) as error:
            t.odds("ulf", "charge", target="orc", after=[("walk", {"to": (3, 4)})])
        assert {r.code for r in error.value.refusals} == {"OUT_OF_RANGE", "NO_RUN"}

    @pytest.mark.parametrize("after", ["walk", [("walk",)], [("walk", 7)], [("fly", {"to": TO})]])
    def test_what_is_no_list_of_actions_is_refused(self, after: Any) -> None:
        with pytest.raises(tw.Refused) as error:
            charging().odds("ulf", "charge", target="orc", after=after)
        assert [r.code for r in error.value.refusals] == ["NO_ACTION"]

    def test_side_by_side_by_target_with_the_same_run(self) -> None:
        t = charging(creature("imp", "blues", (8, 3), ac=10))
        found = t.compare("ulf", "charge", "target", after=RUN)
        # Against AC 10 the faces 2 to 20 hit.
        assert {name: each.success for name, each in found.items()} == {
            "orc": Fraction(14, 20),
            "imp": Fraction(19, 20),
        }


class TestAnswers:
    @pytest.mark.rule("altered-realms.dodge.attacker-penalty")
    def test_a_dodge_takes_2_from_the_roll(self) -> None:
        t = table(ulf(), orc(), begin="orc")
        t.declare("orc", "dodge", target="ulf")
        t.declare("orc", "end")
        t.declare("ulf", "begin")
        found = charge(t)
        # 6 in all: 9 to 20 meet AC 15.
        assert found.success == Fraction(12, 20)
        assert found.numbers["damage to Orc"].mean == Fraction(12, 20) * Fraction(21, 2)

    @pytest.mark.rule("altered-realms.meat-shield.roll", "altered-realms.meat-shield.redirect")
    def test_a_meat_shield_is_counted_for_each_way_to_answer(self) -> None:
        by_answer = holding().odds_by_answer("ulf", "charge", target="orc", after=RUN)
        told = {", ".join(map(str, how)): each for how, each in by_answer.items()}
        assert list(told) == [
            "orc meat shield: pass",
            "orc meat shield: hold Page into the blow, with athletics",
            "orc meat shield: hold Page into the blow, with acrobatics",
        ]
        passed, athletics, acrobatics = told.values()
        assert passed.success == Fraction(14, 20)
        # STR 2 and Training 3; acrobatics has neither.
        assert athletics.success == shield_saves(5)
        assert acrobatics.success == shield_saves(0)
        assert (by_answer.lowest, by_answer.highest) == (shield_saves(5), Fraction(14, 20))

    @pytest.mark.rule("altered-realms.meat-shield.redirect", "altered-realms.meat-shield.failure")
    def test_the_blow_falls_on_the_captive_whatever_its_ac(self) -> None:
        shield = {"orc meat_shield": "hold Page into the blow, with athletics"}
        found = charge(holding(), answers=shield)
        # A 1 misses and cannot be turned; every other face that the shield meets hits the captive, misses too.
        turned = Fraction(sum(1 for n, m in product(range(2, 21), D20) if m + 5 >= n + 8), 400)
        assert found.numbers["damage to Page"].at_least(1) == turned
        assert found.numbers["damage to Orc"].at_least(1) == shield_saves(5)
        assert found.results()["miss"] == 1 - turned - shield_saves(5)

    @pytest.mark.rule("altered-realms.lend-aid.help-12-plus", "altered-realms.lend-aid.hinder-11-minus")
    def test_aid_to_the_shield_has_a_roll_of_its_own(self) -> None:
        by_answer = holding(aid=True).odds_by_answer("ulf", "charge", target="orc", after=RUN)
        found = {", ".join(map(str, how)): each.success for how, each in by_answer.items()}
        helped = "orc meat shield: hold Page into the blow, with athletics, goblin aid now: help Orc with athletics"
        # Training 1: 11 to 20 reach 12 and help by 2; 1 to 10 hinder by 2.
        assert found[helped] == (shield_saves(7) + shield_saves(3)) / 2

    @pytest.mark.rule("altered-realms.inspire.before-or-after-roll")
    def test_inspiration_after_the_roll_is_spent_or_kept(self) -> None:
        t = table(ulf(), orc(), creature("bard", "reds", (1, 6), attacks=3), begin="bard")
        t.declare("bard", "inspire", hits=3)
        t.declare("bard", "end")
        t.declare("ulf", "begin")
        kept, spent = (charge(t, answers={"ulf inspiration": what}) for what in ("keep", "spend"))
        assert kept.success == Fraction(14, 20)
        # 3 more: 4 to 20 hit.
        assert spent.success == Fraction(17, 20)

        def where_it_helps(state: State, question: Question) -> Answer:
            if isinstance(question, Choose) and question.about == "inspiration":
                total = int(question.prompt.partition(": ")[2].partition(".")[0])
                return Chosen("spend" if total < 15 <= total + 3 else "keep")
            return plain_answer(question)

        assert charge(t, choice=where_it_helps).success == Fraction(17, 20)

    @pytest.mark.rule("altered-realms.inspire.before-or-after-roll")
    def test_a_natural_1_misses_with_inspiration_too(self) -> None:
        t = table(ulf(), orc(ac=2), creature("bard", "reds", (1, 6)), begin="bard")
        t.declare("bard", "inspire", hits=1)
        t.declare("bard", "end")
        t.declare("ulf", "begin")
        assert charge(t, answers={"ulf inspiration": "spend"}).success == Fraction(19, 20)

    @pytest.mark.rule("altered-realms.reaction.opportunity-and-triggered")
    def test_opportunity_attacks_on_the_way_in(self) -> None:
        guard = creature("guard", "blues", (2, 5), items=[armed(5, "1d6+1")])
        t = table(ulf(ac=12, hp=4), orc(), guard, begin="ulf")
        by_answer = t.odds_by_answer("ulf", "charge", target="orc", after=RUN)
        let_by, struck = by_answer.values()
        assert let_by.success == Fraction(14, 20)
        # 5 against AC 12: 7 to 20 hit; 1d6 and 1 bring 4 HP to 0 with 3 to 6. Then there is no Charge.
        down = Fraction(14, 20) * Fraction(4, 6)
        assert struck.numbers["Ulf at 0 HP or down"].at_least(1) == down
        assert struck.results()["cannot be done"] == down
        assert struck.success == (1 - down) * Fraction(14, 20)
        assert struck.numbers["damage to Ulf"].mean == Fraction(14, 20) * Fraction(9, 2)

    def test_each_answer_is_what_brute_force_finds(self) -> None:
        """Every d20 of the blow, every d20 of the shield and every d8, one by one."""
        counts: Counter[tuple[str, int]] = Counter()
        for n, m, die in product(D20, D20, D8):
            turned = n != 1 and m + 5 >= n + 8
            hit = turned or hits(n, 8, 15)
            counts["page" if turned else "orc", die + 6 if hit else 0] += 1
        found = charge(holding(), answers={"orc": "hold Page into the blow, with athletics"})
        brute = {key: Fraction(count, 3200) for key, count in counts.items() if key[1]}
        mine = {(o.who[0], o.amount): chance for o, chance in found.items() if o.result == "hit"}
        assert mine == brute


class TestRealPlays:
    @pytest.mark.parametrize("answer", ["pass", "hold Page into the blow, with athletics"])
    def test_20_000_plays_of_run_and_charge_come_out_like_the_odds(self, answer: str) -> None:
        t = holding()
        found = charge(t, answers={"orc meat_shield": answer})
        game, draw = find_game("altered-realms"), Random(11).random
        counts: Counter[tuple[str, tuple[str, ...], int]] = Counter()

        def choice(state: State, question: Question) -> Answer:
            if isinstance(question, Choose):
                return Chosen(next((o.id for o in question.options if o.label == answer), "pass"))
            return plain_answer(question)

        def drawn(state: State, question: Question) -> Answer:
            return answer_by_draw(state, question, choice, draw)

        t.declare("ulf", "walk", to=TO)
        for _ in range(20_000):
            play = Play(game, t.state)
            outcome, _ = run_through(play, Declaration("ulf", "charge", target="orc"), drawn)
            counts[outcome.result, outcome.who, outcome.amount] += 1
        expected = {(o.result, o.who, o.amount): chance for o, chance in found.items()}
        assert set(counts) <= set(expected)
        for key, chance in expected.items():
            assert within_5_sigma(counts[key], chance, 20_000), key

    def test_a_sample_of_run_and_charge_says_that_it_is_one(self) -> None:
        exact = charge(holding(), answers={"orc": "hold Page into the blow, with athletics"})
        with pytest.raises(TooMany, match="raise the limit, or ask for a sample"):
            charge(holding(), answers={"orc": "hold Page into the blow, with athletics"}, limit=50)
        found = charge(holding(), answers={"orc": "hold Page into the blow, with athletics"}, limit=50, sample=1000)
        assert found.sampled == 1000
        hit = sum(chance for outcome, chance in found.items() if outcome.who == ("orc",) and outcome.result == "hit")
        assert within_5_sigma(int(hit * 1000), exact.success, 1000)
        assert found.numbers["damage to Orc"].at_least(1) == hit

    def test_the_whole_of_a_crowded_charge_stays_within_the_limit(self) -> None:
        guards = [creature(f"guard_{n}", "blues", (3, n), items=[armed(5, "1d6")]) for n in (3, 5)]
        t = table(ulf(hp=40), orc(), *guards, begin="ulf")
        found = t.odds_by_answer("ulf", "charge", target="orc", after=RUN)
        assert len(found) == 4
        assert found.branches <= LIMIT
        assert all(sum(each.values()) == 1 for each in found.values())


class TestNets:
    """Advantage and Disadvantage cancel one for one; what is left are so many dice, of which one is kept."""

    def kept(self, dice: int, best: bool, plus: int, ac: int) -> Fraction:
        faces = list(product(D20, repeat=dice))
        return Fraction(sum(hits(max(f) if best else min(f), plus, ac) for f in faces), len(faces))

    @pytest.mark.parametrize(
        ("mine", "theirs", "dice", "best"),
        [([], [], 1, True), ([], ["prone"], 2, True), (["prone"], [], 2, False), (["prone"], ["prone"], 1, True)],
    )
    def test_conditions_of_the_two(self, mine: list[str], theirs: list[str], dice: int, best: bool) -> None:
        t = table(
            creature("ulf", "reds", (7, 4), conditions=mine, items=[armed(6)]),
            creature("orc", "blues", (8, 4), ac=15, conditions=theirs),
            begin="ulf",
        )
        found = t.odds("ulf", "attack", target="orc")
        assert found.success == self.kept(dice, best, 6, 15)

    @pytest.mark.rule("altered-realms.attack.only-attack-abilities")
    @pytest.mark.parametrize(("naturals", "expected"), [(True, Fraction(1, 20)), (False, Fraction(0))])
    def test_a_20_hits_any_ac_where_naturals_count(self, naturals: bool, expected: Fraction) -> None:
        t = table(
            creature("ulf", "reds", (7, 4), items=[armed(6)]),
            creature("orc", "blues", (8, 4), ac=40),
            begin="ulf",
            settings={"naturals": naturals},
        )
        assert t.odds("ulf", "attack", target="orc").success == expected

    @pytest.mark.rule("altered-realms.attack.only-attack-abilities")
    def test_naturals_are_read_on_the_die_that_is_kept(self) -> None:
        t = table(
            creature("ulf", "reds", (7, 4), items=[armed(30)]),
            creature("orc", "blues", (8, 4), ac=15, conditions=["prone"]),
            begin="ulf",
        )
        # Of two dice the best is a 1 only where both are.
        assert t.odds("ulf", "attack", target="orc").success == 1 - Fraction(1, 400)

    @pytest.mark.rule("altered-realms.defensive-stance.destiny-die")
    @pytest.mark.parametrize("destiny", ["d20", "d6"])
    def test_a_destiny_die_on_a_save_against_damage(self, destiny: str) -> None:
        blast = {"name": "blast", "at": "enemy", "range": 8, "save": "dex", "damage": "1d6", "budget": "motion"}
        t = table(
            creature("mage", "reds", (4, 4), abilities=[blast], spell_dc=15),
            creature("orc", "blues", (8, 4), dex_=2, hp=30),
            begin="orc",
            settings={"destiny": destiny},
        )
        t.declare("orc", "defensive_stance")
        t.declare("orc", "end")
        t.declare("mage", "begin")
        found = t.odds("mage", "cast", target="orc", ability="blast")
        if destiny == "d20":
            fails = Fraction(sum(max(a, b) + 2 < 15 for a, b in product(D20, D20)), 400)
        else:
            fails = Fraction(sum(a + b + 2 < 15 for a, b in product(D20, range(1, 7))), 120)
        assert found.numbers["damage to Orc"].mean == fails * Fraction(7, 2)


class TestWhoseKnowledge:
    def seats(self) -> tw.Table:
        return table(ulf(seat="ann"), orc(), seats=[{"id": "ann"}], begin="ulf")

    def test_a_seat_assumes_what_it_does_not_know_and_the_guide_gets_the_truth(self) -> None:
        t = self.seats()
        mine, truth = charge(t), charge(t, seat="guide")
        assert mine.assumptions == ("Orc: AC 10, 10 HP, average attributes and 1 Reaction left",)
        # 8 against AC 10 and 10 HP: 2 to 20 hit, and 4 to 8 of the d8 are enough.
        assert mine.success == Fraction(19, 20)
        assert mine.numbers["Orc at 0 HP or down"].at_least(1) == Fraction(19, 20) * Fraction(5, 8)
        assert truth.assumptions == ()
        assert truth.success == Fraction(14, 20)

    @pytest.mark.rule("altered-realms.meat-shield.roll")
    def test_a_seat_gets_the_odds_by_answer_with_middling_numbers_for_the_defender(self) -> None:
        t = table(
            ulf(seat="ann"),
            orc(str_=2, training={"athletics": 3}),
            creature("page", "reds", (9, 4), seat="ann", ac=10, hp=30),
            seats=[{"id": "ann"}],
            begin="orc",
            dice=((20,),),
        )
        t.declare("orc", "grapple", target="page")
        t.declare("orc", "end")
        t.declare("ulf", "begin")
        passed, shield, _ = t.odds_by_answer("ulf", "charge", target="orc", after=RUN).values()
        assert passed.assumptions == ("Orc: AC 10, 10 HP, average attributes and 1 Reaction left",)
        assert passed.success == Fraction(19, 20)
        # Nothing is added to the shield's d20 where nothing is known, and AC 10 is hit by 2 to 20.
        left = sum(1 for n, m in product(range(2, 21), D20) if m < n + 8)
        assert shield.success == Fraction(left, 400)
        truth = list(t.odds_by_answer("ulf", "charge", target="orc", after=RUN, seat="guide").values())
        assert [each.success for each in truth[:2]] == [Fraction(14, 20), shield_saves(5)]
