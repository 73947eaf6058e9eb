"""Pools of successes: formula against brute force, published figures, and odds against plays."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from random import Random
from typing import Any

import pytest
from scions import BALANCE, begun, foe, hero, question

import turnwright as tw
from turnwright.answers import read_declaration
from turnwright.dice import Pool, Seeded, beating, weights
from turnwright.odds import Odds, odds
from turnwright.playing import Play
from turnwright.simulate import answer_by_draw, plain_choice, run_through


def pool(dice: int, **keys: Any) -> Pool:
    plain = {"sides": 10, "read": "successes", "target": 8, "again": 10, "most": dice + 5, "botch": True}
    return Pool(dice, **(plain | keys))


def chances(held: Pool) -> dict[int, Fraction]:
    found, whole = weights(held)
    assert sum(weight for _, weight in found) == whole
    return {total: Fraction(weight, whole) for total, weight in found}


# The faces of one die that come to the same: how many there are, successes, whether it is thrown again, whether a 1.
FACES = {
    8: ((1, 0, 0, 1), (6, 0, 0, 0), (2, 1, 0, 0), (1, 1, 1, 0)),
    7: ((1, 0, 0, 1), (5, 0, 0, 0), (3, 1, 0, 0), (1, 1, 1, 0)),
}


@cache
def thrown(dice: int, most: int, target: int) -> dict[int, Fraction]:
    """Every throw of so many dice, and of those that tens bring, one after the other; no formula for pools is used."""
    if not dice or most <= 0:
        return {0: Fraction(1)} if most > 0 else {max(0, most): Fraction(1)}
    found: dict[int, Fraction] = {}
    for faces in product(FACES[target], repeat=dice):
        weight = Fraction(1)
        for face in faces:
            weight *= Fraction(face[0], 10)
        base, tens = sum(face[1] for face in faces), sum(face[2] for face in faces)
        if base == 0 and any(face[3] for face in faces):
            found[-1] = found.get(-1, Fraction(0)) + weight
            continue
        left = most - base
        if left <= 0:
            found[most] = found.get(most, Fraction(0)) + weight
            continue
        for more, chance in thrown(tens, left, target).items():
            total = base + max(0, more)
            found[total] = found.get(total, Fraction(0)) + weight * chance
    return found


class TestBruteForce:
    @pytest.mark.parametrize("target", [8, 7])
    @pytest.mark.parametrize("dice", [1, 2, 3, 4, 5, 6])
    def test_tens_that_are_thrown_again(self, dice: int, target: int) -> None:
        most = dice + 2
        assert chances(pool(dice, most=most, target=target)) == thrown(dice, most, target)

    @pytest.mark.parametrize("dice", [1, 2, 3, 4, 5, 6])
    def test_tens_that_count_twice(self, dice: int) -> None:
        held = pool(dice, again=0, twice=10, most=0)
        if dice <= 4:
            counted = Counter(held.total(faces) for faces in product(range(1, 11), repeat=dice))
            assert chances(held) == {total: Fraction(count, 10**dice) for total, count in counted.items()}
            return
        # The faces that come to the same are taken together: a 1, 2 to 7, 8 and 9, a 10.
        found: Counter[int] = Counter()
        for faces in product(((1, 1), (2, 6), (8, 2), (10, 1)), repeat=dice):
            weight = 1
            for _, count in faces:
                weight *= count
            found[held.total([face for face, _ in faces])] += weight
        assert chances(held) == {total: Fraction(count, 10**dice) for total, count in found.items()}

    def test_what_is_drawn_from_a_seed_is_a_whole_throw(self) -> None:
        held, seen = pool(5), Counter[int]()
        for number in range(4000):
            faces = Seeded(bytes(32)).faces(held, number.to_bytes(8, "big"), 0)
            assert held.shows(faces)
            seen[held.total(faces)] += 1
        for total, chance in chances(held).items():
            spread = sqrt(float(chance * (1 - chance)) * 4000)
            assert abs(seen[total] - 4000 * float(chance)) <= 5 * spread + 1

    @pytest.mark.parametrize("faces", [(1, 10), (10,), (10, 3, 4), (8, 11), ()])
    def test_faces_that_cannot_lie_there(self, faces: tuple[int, ...]) -> None:
        assert not pool(1).shows(faces)

    def test_faces_that_can(self) -> None:
        assert pool(1).shows((10, 10, 3))
        assert pool(2).shows((10, 3, 8))


PUBLISHED = (
    (30.00, 3.00, 0.30, 0.03, 0.00, 0.00),
    (51.00, 13.20, 2.13, 0.29, 0.03, 0.00),
    (65.70, 26.01, 6.73, 1.30, 0.21, 0.03),
    (75.99, 38.94, 13.80, 3.64, 0.77, 0.14),
    (83.19, 50.77, 22.53, 7.56, 2.02, 0.45),
    (88.23, 61.00, 32.03, 13.00, 4.23, 1.14),
    (91.76, 69.52, 41.57, 19.66, 7.53, 2.40),
    (94.23, 76.44, 50.65, 27.14, 11.91, 4.38),
    (95.96, 81.95, 58.94, 35.02, 17.27, 7.17),
    (97.17, 86.27, 66.27, 42.93, 23.39, 10.81),
)


class TestFigures:
    """By hand, or as published for pools of d10 that count from 8 up with tens thrown again."""

    def test_one_die_by_hand(self) -> None:
        # 1 to 7 are nothing, of which a 1 is a botch; k tens and then an 8 or 9, or a 10 and then nothing more.
        found = chances(pool(1, most=6))
        assert found[-1] == Fraction(1, 10)
        assert found[0] == Fraction(6, 10)
        assert found[1] == Fraction(2, 10) + Fraction(1, 10) * Fraction(7, 10) == Fraction(27, 100)
        assert found[2] == Fraction(27, 1000)

    @pytest.mark.parametrize("dice", range(1, 11))
    def test_the_published_table(self, dice: int) -> None:
        """The chance of so many or more, in per cent: tionis-cod-wiki.pgs.sh/base/probabilities, 10s Again."""
        found = chances(pool(dice, most=20))
        for number, percent in enumerate(PUBLISHED[dice - 1], 1):
            met = sum(chance for total, chance in found.items() if total >= number)
            # Some of its figures are cut off where others are rounded.
            assert float(met) * 100 == pytest.approx(percent, abs=0.0101)

    def test_the_published_mean_is_a_third_of_a_success_a_die(self) -> None:
        """With tens thrown again n dice bring n / 3 successes: the same page, and by hand 0.3 / 0.9 for a die."""
        found = chances(pool(3, most=30))
        assert float(sum(max(0, total) * chance for total, chance in found.items())) == pytest.approx(1, abs=1e-9)

    def test_a_botch_by_hand(self) -> None:
        # No success at all, less no success and no 1: 0.7^4 - 0.6^4.
        assert chances(pool(4))[-1] == Fraction(7**4 - 6**4, 10**4)

    def test_ultra_means_four_tenths_a_die(self) -> None:
        found = chances(pool(5, again=0, twice=10, most=0))
        assert sum(max(0, total) * chance for total, chance in found.items()) == 5 * Fraction(4, 10)

    def test_meeting_a_number(self) -> None:
        won, whole = beating(pool(2), 2, True)
        assert Fraction(won, whole) == 1 - sum(chances(pool(2))[total] for total in (-1, 0, 1))


# -- exact odds of actions


def ready(**keys: Any) -> tw.Table:
    one = hero("ann", close_combat=3, might=3, athletics=2, dexterity=2, resolve=2, **keys.pop("ann", {}))
    wolf = foe("wolf", open=True, **keys.pop("wolf", {}))
    return begun(one, wolf, up="ann", deeds=[BALANCE, {"name": "climb"}], **keys)


STAB = {"first": "attack", "second": "climb", "target": "wolf"}


def exact(made: tw.Table, action: str, **said: Any) -> Odds:
    return made.odds("ann", action, **said)


class TestOdds:
    def test_of_a_simple_attack(self) -> None:
        # Six dice against Defense 2.
        found = exact(ready(), "attack", target="wolf").results()
        wanted = chances(pool(6))
        assert found["botch"] == wanted[-1]
        assert found["miss"] == wanted[0] + wanted[1]
        assert found["hit"] == 1 - found["miss"] - found["botch"]

    @pytest.mark.parametrize(
        ("prefer", "wanted"),
        [
            # Four dice; the stab takes 2, the climb 1. Three do both; with two one of them is done.
            ("both", {"both": (3, 99), "only attack": (2, 2), "only climb": (1, 1)}),
            # What is preferred succeeds first, then the other, and only then is anything left over to be spent.
            ("first", {"both": (3, 99), "only attack": (2, 2), "only climb": (1, 1)}),
            ("second", {"both": (3, 99), "only climb": (1, 2)}),
        ],
    )
    def test_of_a_mixed_action_by_what_is_preferred(self, prefer: str, wanted: dict[str, tuple[int, int]]) -> None:
        found = exact(ready(), "mixed", **STAB, prefer=prefer).results()
        by_hand = chances(pool(4))
        for result, (low, high) in wanted.items():
            assert found[result] == sum(chance for total, chance in by_hand.items() if low <= total <= high), result
        assert found["neither"] == by_hand[0]
        assert found["botch"] == by_hand[-1]

    def test_of_what_is_wanted(self) -> None:
        by_hand = chances(pool(4))
        both = sum(chance for total, chance in by_hand.items() if total >= 3)
        assert exact(ready(), "mixed", **STAB).success == both
        assert exact(ready(), "mixed", **STAB, prefer="first").success == both + by_hand[2]

    def test_of_an_opposed_roll(self) -> None:
        # Rush: five or six dice of Ann's against the wolf's two; a tie is the wolf's.
        made = ready(places=["a", "b", "c"], wolf={"at": "c"})
        found = exact(made, "rush", target="wolf").results()
        mine, theirs = chances(pool(6)), chances(pool(2, botch=False))
        won = sum(a * b for x, a in mine.items() for y, b in theirs.items() if x > max(0, y))
        assert found["success"] == won

    @pytest.mark.parametrize(
        ("action", "said", "keys"),
        [
            ("mixed", STAB, {}),
            ("mixed", STAB | {"prefer": "second"}, {"profile": "ultra"}),
            ("attack", {"target": "wolf"}, {"wolf": {"soft": 1, "hard": 1}}),
            ("rush", {"target": "wolf"}, {"places": ["a", "b", "c"], "wolf": {"at": "c"}}),
        ],
    )
    def test_they_agree_with_twenty_thousand_plays(
        self, action: str, said: dict[str, Any], keys: dict[str, Any]
    ) -> None:
        made = ready(**keys)
        d = read_declaration(made.game, "ann", action, said | {"boost": 0})
        found, plays, draw = odds(made.game, made.state, d), 20_000, Random(11).random
        seen: Counter[Any] = Counter()
        for _ in range(plays):
            play = Play(made.game, made.state)
            outcome, _ = run_through(play, d, lambda s, q: answer_by_draw(s, q, plain_choice, draw))
            seen[outcome] += 1
        assert set(seen) <= set(found)
        for outcome, chance in found.items():
            spread = sqrt(float(chance * (1 - chance)) * plays)
            assert abs(seen[outcome] - plays * float(chance)) <= 5 * spread + 1, outcome

    def test_real_dice_are_read_with_those_that_tens_bring(self) -> None:
        made = tw.Table(ready().state, dice="table")
        made.declare("ann", "attack", target="wolf")
        asked = question(made)
        with pytest.raises(tw.Refused, match="one more for each of 10"):
            made.answer(asked, [10, 8, 2, 3, 4, 5])
        made.answer(asked, [10, 8, 2, 3, 4, 5, 9])
        assert question(made).prompt == "against Wolf, 1 success over: what does it buy?"
