"""Readings against brute force and icepool, and the dice that the engine throws."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import icepool
import pytest
from scenes import answer, character, question, table

import turnwright as tw
from turnwright.dice import Pool, Scripted, Seeded, beating, commitment, seed_bytes, weights
from turnwright.model import Rolled
from turnwright.standing import rolled

READS = ("sum", "highest", "successes")
POOLS = [
    Pool(dice, plus, edge, 6, read, 5)
    for dice, plus, edge, read in product((1, 2, 3, 4), (-2, 0, 3), (-1, 0, 1), READS)
]
NAMES = [f"{pool} {pool.read}" for pool in POOLS]


def by_hand(pool: Pool, faces: tuple[int, ...]) -> int:
    """The total as a person reads it off the table."""
    kept = list(faces)
    if pool.edge > 0:
        kept.remove(min(kept))
    if pool.edge < 0:
        kept.remove(max(kept))
    if pool.read == "sum":
        return sum(kept) + pool.plus
    if pool.read == "highest":
        return max(kept) + pool.plus
    return len([face for face in kept if face >= pool.target]) + pool.plus


def every_throw(pool: Pool) -> Counter[int]:
    thrown = pool.dice + (1 if pool.edge else 0)
    return Counter(by_hand(pool, faces) for faces in product(range(1, pool.sides + 1), repeat=thrown))


EDGES = [Pool(dice, 3, edge, 20, "sum") for dice, edge in ((1, -3), (1, -2), (1, 2), (1, 3))]
EDGES += [Pool(2, -1, edge, 6, read, 4) for edge in (-2, 2) for read in READS]


class TestSeveralEdges:
    @pytest.mark.parametrize("pool", EDGES, ids=lambda pool: f"{pool} {pool.read}")
    def test_so_many_dice_more_and_as_many_dropped(self, pool: Pool) -> None:
        """Against icepool, which keeps the best or the worst of all that are thrown."""
        thrown, kept = pool.dice + abs(pool.edge), [1] * pool.dice
        keep = [0] * pool.edge + kept if pool.edge > 0 else kept + [0] * -pool.edge
        die = icepool.d(pool.sides)
        if pool.read == "highest":
            keep = [0] * thrown
            keep[-1 if pool.edge > 0 else pool.dice - 1] = 1
        theirs = (die if pool.read != "successes" else die >= pool.target).keep(thrown, keep)
        expected = {int(total) + pool.plus: theirs.probability(total) for total in theirs.outcomes()}
        totals, whole = weights(pool)
        assert whole == pool.sides**thrown
        assert {total: Fraction(weight, whole) for total, weight in totals} == expected

    def test_the_faces_that_are_dropped(self) -> None:
        assert Pool(1, 2, 2, 20).total((5, 18, 11)) == 20
        assert Pool(1, 2, -2, 20).total((5, 18, 11)) == 7
        assert Pool(1, 0, 2, 20).thrown == 3
        assert str(Pool(1, 4, -2, 20)) == "1d20 with Disadvantage x2 + 4"


class TestNaturals:
    @pytest.mark.parametrize("edge", [-2, -1, 0, 1, 2])
    @pytest.mark.parametrize("number", [-5, 1, 12, 18, 30])
    def test_the_kept_die_decides_by_itself_at_its_highest_and_lowest_face(self, edge: int, number: int) -> None:
        pool = Pool(1, 4, edge, 20, naturals=True)
        yes = 0
        for faces in product(range(1, 21), repeat=pool.thrown):
            kept = max(faces) if edge > 0 else min(faces)
            yes += kept == 20 or (kept != 1 and kept + 4 >= number)
        assert beating(pool, number, True) == (yes, 20**pool.thrown)

    def test_without_them_only_the_total_counts(self) -> None:
        assert not Pool(1, 0, 0, 20).passes(20, 30)
        assert Pool(1, 0, 0, 20, naturals=True).passes(20, 30)
        assert Pool(1, 9, 0, 20).passes(10, 5)
        assert not Pool(1, 9, 0, 20, naturals=True).passes(10, 5)
        assert Pool(1, 9, 0, 20).natural(24) == 15


class TestReadings:
    @pytest.mark.parametrize("pool", POOLS, ids=NAMES)
    def test_the_weights_are_those_of_every_throw_counted_one_by_one(self, pool: Pool) -> None:
        expected = every_throw(pool)
        totals, whole = weights(pool)
        assert dict(totals) == dict(expected)
        assert whole == sum(expected.values())
        assert [total for total, _ in totals] == sorted(expected)

    @pytest.mark.parametrize("pool", POOLS, ids=NAMES)
    def test_icepool_finds_the_same_chances(self, pool: Pool) -> None:
        die = icepool.d(pool.sides)
        keep = {0: [1] * pool.dice, 1: [0] + [1] * pool.dice, -1: [1] * pool.dice + [0]}[pool.edge]
        if pool.read == "sum":
            theirs = die.keep(len(keep), keep)
        elif pool.read == "highest":
            only = [0] * len(keep)
            only[-2 if pool.edge < 0 else -1] = 1
            theirs = die.keep(len(keep), only)
        else:
            theirs = (die >= pool.target).keep(len(keep), keep)
        expected = {int(total) + pool.plus: theirs.probability(total) for total in theirs.outcomes()}
        totals, whole = weights(pool)
        assert {total: Fraction(weight, whole) for total, weight in totals} == expected

    @pytest.mark.parametrize("pool", POOLS[::5], ids=NAMES[::5])
    def test_beating_a_number_counts_what_is_above_it_and_meeting_it_also_the_tie(self, pool: Pool) -> None:
        throws = every_throw(pool)
        low, high = min(throws), max(throws)
        for number in range(low - 2, high + 3):
            above = sum(n for total, n in throws.items() if total > number)
            assert beating(pool, number, False) == (above, sum(throws.values()))
            assert beating(pool, number, True) == (above + throws[number], sum(throws.values()))

    @pytest.mark.parametrize("pool", POOLS, ids=NAMES)
    def test_the_range_is_the_lowest_and_the_highest_total(self, pool: Pool) -> None:
        throws = every_throw(pool)
        assert pool.range == (min(throws), max(throws))

    def test_one_die_and_two_is_three_to_eight(self) -> None:
        assert Pool(1, 2).range == (3, 8)
        assert str(Pool(1, 2)) == "1d6 + 2"

    def test_advantage_is_one_die_more_without_the_lowest(self) -> None:
        assert Pool(2, 0, 1).total((1, 5, 6)) == 11
        assert Pool(2, 0, 1).thrown == 3
        assert str(Pool(2, -1, 1)) == "2d6 with Advantage - 1"

    def test_disadvantage_is_one_die_more_without_the_highest(self) -> None:
        assert Pool(2, 0, -1).total((1, 5, 6)) == 6
        assert str(Pool(2, 0, -1)) == "2d6 with Disadvantage"

    def test_other_dice_than_six_sided_ones(self) -> None:
        assert weights(Pool(1, 0, 0, 20))[0] == tuple((face, 1) for face in range(1, 21))
        assert Pool(3, 0, 0, 10).range == (3, 30)

    def test_a_large_pool_is_exact(self) -> None:
        """Twenty dice have 6^20 throws; the mean of their sum is 70."""
        totals, whole = weights(Pool(20))
        assert whole == 6**20
        assert sum(weight for _, weight in totals) == whole
        assert Fraction(sum(total * weight for total, weight in totals), whole) == 70

    def test_an_edge_on_no_dice_keeps_nothing(self) -> None:
        assert weights(Pool(0, 3, 1))[0] == ((3, 6),)


class TestTheEnginesDice:
    """Fixed seeds: these figures are the same on every run."""

    @pytest.mark.parametrize(
        ("sides", "limit"),
        # The 99.9 % points of chi-square with 3, 5, 9 and 19 degrees of freedom.
        [(4, 16.27), (6, 20.52), (10, 27.88), (20, 43.82)],
    )
    def test_every_face_comes_equally_often(self, sides: int, limit: float) -> None:
        source = Seeded(seed_bytes(f"chi-square of {sides}"))
        faces = [source.faces(Pool(4, sides=sides), n.to_bytes(8, "big"), 0) for n in range(3000)]
        seen = Counter(face for throw in faces for face in throw)
        expected = 12000 / sides
        assert sorted(seen) == list(range(1, sides + 1))
        assert sum((n - expected) ** 2 / expected for n in seen.values()) < limit

    def test_two_dice_of_a_throw_know_nothing_of_each_other(self) -> None:
        """All 36 pairs; 66.62 is the 99.9 % point with 35 degrees of freedom."""
        source = Seeded(seed_bytes("pairs"))
        pairs = Counter(source.faces(Pool(2), n.to_bytes(8, "big"), 0) for n in range(7200))
        assert len(pairs) == 36
        assert sum((n - 200) ** 2 / 200 for n in pairs.values()) < 66.62

    def test_two_rolls_of_a_group_know_nothing_of_each_other(self) -> None:
        source = Seeded(seed_bytes("groups"))
        pairs = Counter(
            (source.faces(Pool(1), n.to_bytes(8, "big"), 0), source.faces(Pool(1), n.to_bytes(8, "big"), 1))
            for n in range(7200)
        )
        assert len(pairs) == 36
        assert sum((n - 200) ** 2 / 200 for n in pairs.values()) < 66.62

    def test_the_same_again_brings_the_same_dice(self) -> None:
        one, two = Seeded(b"s" * 32), Seeded(b"s" * 32)
        assert one.faces(Pool(8), b"here", 0) == two.faces(Pool(8), b"here", 0)
        assert one.faces(Pool(8), b"here", 0) == one.faces(Pool(8), b"here", 0)

    def test_another_seed_another_history_or_another_place_brings_others(self) -> None:
        here = Seeded(b"s" * 32).faces(Pool(20), b"here", 0)
        assert Seeded(b"t" * 32).faces(Pool(20), b"here", 0) != here
        assert Seeded(b"s" * 32).faces(Pool(20), b"there", 0) != here
        assert Seeded(b"s" * 32).faces(Pool(20), b"here", 1) != here

    @pytest.mark.parametrize("sides", [1, 2, 256, 257, 1000])
    def test_a_die_may_have_any_number_of_sides(self, sides: int) -> None:
        faces = Seeded(b"s" * 32).faces(Pool(200, sides=sides), b"here", 0)
        assert len(faces) == 200
        assert all(1 <= face <= sides for face in faces)
        assert sides < 3 or len(set(faces)) > 2

    def test_the_seed_is_fixed_by_its_commitment(self) -> None:
        assert commitment(b"a" * 32) == commitment(b"a" * 32)
        assert commitment(b"a" * 32) != commitment(b"b" * 32)

    @pytest.mark.parametrize("typed", [0, 7, "spring", b"", b"x", b"x" * 32, b"x" * 500])
    def test_whatever_is_typed_makes_a_seed_of_32_bytes(self, typed: int | str | bytes) -> None:
        assert len(seed_bytes(typed)) == 32
        Seeded(seed_bytes(typed)).faces(Pool(1), b"here", 0)


def hiding_table(**keys: object) -> tw.Table:
    """Selka in a thicket with a guard who could notice; hiding asks for one roll."""
    made = table(
        character("selka", "heroes", (1, 1), skills={"stealth": 2}, seat="ann"),
        character("guard", "guards", (6, 1), readiness={"observation": 5}),
        rows=[".,......", ".,......", "........"],
        legend={",": {"name": "thicket", "conceals": ["sight"]}},
        seats=[{"id": "ann"}],
        begin="",
    )
    scene, by_default = made.start, {"seed": 7}
    made = tw.Table(scene, **(by_default | keys))  # type: ignore[arg-type]
    made.declare("selka", "begin")
    return made


def faces_of(made: tw.Table) -> list[tuple[int, ...]]:
    return [a.faces for e in made.live for a in getattr(e.input, "answers", ()) if isinstance(a, Rolled)]


class TestAtTheTable:
    def hide(self, made: tw.Table, **said: object) -> list[tuple[int, ...]]:
        made.declare("selka", "hide", **({"method": "crouch", "boost": 2} | said))  # type: ignore[arg-type]
        return faces_of(made)

    def test_doing_the_same_brings_the_same_dice_and_something_else_others(self) -> None:
        same = [self.hide(hiding_table()) for _ in range(2)]
        assert same[0] == same[1]
        others = {tuple(self.hide(hiding_table(), goal=goal)) for goal in ("location", "presence")}
        assert len(others | {tuple(same[0])}) == 3  # three throws of three dice

    def test_other_seeds_bring_other_dice(self) -> None:
        assert len({tuple(self.hide(hiding_table(seed=seed))) for seed in range(20)}) > 15

    @pytest.mark.parametrize("words", ["lie flat", "CROUCH", "crouch and think of home"])
    def test_free_text_does_not_change_the_dice(self, words: str) -> None:
        assert self.hide(hiding_table(), method=words, intent=words) == self.hide(hiding_table())

    def test_taking_it_back_and_doing_it_again_brings_the_same_dice(self) -> None:
        made = hiding_table()
        first = self.hide(made)
        made.undo()
        assert self.hide(made, method="in other words") == first

    def test_a_ruling_in_other_words_does_not_change_the_dice(self) -> None:
        def attempt(success: str, clarify: str = "") -> list[tuple[int, ...]]:
            made = hiding_table()
            made.declare("selka", "attempt", intent="over the wall", method="climb", boost=0)
            if clarify:
                answer(made, "unclear")
                answer(made, ("over it", clarify))
            answer(
                made,
                {"kind": "check", "skill": "stealth", "target": 6, "success": success, "failure": "falls", "dice": 9},
            )
            return faces_of(made)

        assert attempt("over") == attempt("she is over it")
        assert attempt("over", "by the ivy") == attempt("over", "with a run and a jump")

    def test_the_log_holds_the_commitment_and_in_the_end_the_seed(self, tmp_path: object) -> None:
        made = hiding_table(seed="spring")
        self.hide(made)
        assert commitment(seed_bytes("spring")) == made.commitment
        assert made.reveal() == seed_bytes("spring").hex()
        assert tw.verify(made) == []

    def test_a_table_draws_a_secret_of_its_own(self) -> None:
        assert hiding_table(seed=None).secret != hiding_table(seed=None).secret

    def test_another_face_in_the_log_does_not_fit_the_seed(self) -> None:
        from msgspec.structs import replace

        made = hiding_table()
        self.hide(made)
        last = made.log[-1]
        read = last.input.answers[0]
        other = tuple(7 - face for face in read.faces)
        forged = rolled(question_before(made), other)
        made.log[-1] = replace(last, input=replace(last.input, answers=(forged,)))
        assert any("the seed gives" in line for line in tw.verify(made))

    def test_after_the_reveal_nobody_throws_dice_any_more(self) -> None:
        made = hiding_table()
        made.reveal()
        with pytest.raises(tw.Refused, match="is over"):
            self.hide(made)


def question_before(made: tw.Table) -> object:
    """The roll question that the last entry answered."""
    again = hiding_table(dice="table")
    again.declare("selka", "hide", method="crouch", boost=2)
    return question(again).question


class TestRealDice:
    def asked(self, **keys: object) -> tw.Table:
        made = hiding_table(**({"dice": "table"} | keys))
        made.declare("selka", "hide", method="crouch", boost=0)
        return made

    def test_a_person_reads_the_faces(self) -> None:
        made = self.asked()
        assert question(made).kind == "roll"
        assert question(made).who == "ann"
        answer(made, [4])
        assert faces_of(made) == [(4,)]
        assert made.outcome == tw.Table.outcome.fget(made)  # type: ignore[attr-defined]
        assert made.outcome is not None
        assert made.outcome.result == "hidden"  # 4 + 2 exceeds 5

    def test_or_the_total(self) -> None:
        made = self.asked()
        answer(made, 5)
        assert made.outcome is not None
        assert made.outcome.result == "noticed"  # a tie with 5

    def test_a_total_that_the_dice_cannot_show_is_refused_naming_the_range(self) -> None:
        made = self.asked()
        for total in (2, 9, 100, -1):
            with pytest.raises(tw.Refused, match=r"1d6 \+ 2 shows 3 to 8") as refused:
                answer(made, total)
            assert refused.value.refusals[0].code == "OUT_OF_RANGE"
        assert question(made).kind == "roll"

    def test_and_taken_when_it_is_confirmed(self) -> None:
        made = self.asked()
        answer(made, 9, confirm=True)
        assert made.outcome is not None
        assert made.outcome.result == "hidden"

    @pytest.mark.parametrize("value", [(7,), (0,), (1, 2), (), ("4",), "4", None, True, 3.5, {"faces": [3]}, (True,)])
    def test_what_is_no_roll_is_refused(self, value: object) -> None:
        made = self.asked()
        before = (made.state, len(made.log), made.waiting_on)
        with pytest.raises(tw.Refused):
            answer(made, value)
        assert (made.state, len(made.log), made.waiting_on) == before

    def test_nobody_answers_in_the_name_of_the_engine(self) -> None:
        """A finished reading is read like any other answer: by its faces, within the range."""
        made = self.asked()
        with pytest.raises(tw.Refused):
            answer(made, Rolled(20, 20, (), "engine"))
        answer(made, Rolled(20, 20, (4,), "engine"))
        given = made.log[-1].input.answers[0]
        assert (given.total, given.faces, given.by) == (6, (4,), "table")

    def test_a_real_roll_is_marked_as_such_in_the_log(self) -> None:
        made = self.asked()
        answer(made, [4])
        assert made.log[-1].input.answers[0].by == "table"
        engine = hiding_table()
        engine.declare("selka", "hide", method="crouch", boost=0)
        assert engine.log[-1].input.answers[0].by == "engine"


def two_searchers(**keys: object) -> tw.Table:
    """Selka hides from two who actively look: three rolls, the last two at once."""
    made = table(
        character("selka", "heroes", (1, 1), skills={"stealth": 2}, seat="ann"),
        character("guard", "guards", (6, 1), seat="bo"),
        character("dog", "guards", (6, 2), seat="cy"),
        rows=[".,......", ".,......", "........"],
        legend={",": {"name": "thicket", "conceals": ["sight"]}},
        seats=[{"id": "ann"}, {"id": "bo"}, {"id": "cy"}],
    )
    from turnwright.systems.narateer.events import SearchBegun

    made = tw.Table(made.start, **({"seed": 7} | keys))  # type: ignore[arg-type]
    made.override([SearchBegun("", "guard", by_word=True), SearchBegun("", "dog", by_word=True)], "they look")
    made.declare("selka", "begin")
    made.declare("selka", "hide", method="crouch", boost=0)
    return made


class TestMixedDice:
    def test_the_seats_by_hand_roll_and_the_engine_throws_for_the_rest(self) -> None:
        made = two_searchers(by_hand=["bo"])
        asked = [(q.who, q.kind) for q in made.waiting_on if not q.drafted]
        assert asked == [("bo", "roll")]
        answer(made, [1])
        by = [(a.by, len(a.faces)) for a in made.log[-1].input.answers]
        assert by == [("table", 1), ("engine", 1)]
        assert tw.verify(made) == []

    def test_what_the_engine_throws_nobody_replaces(self) -> None:
        made = two_searchers(by_hand=["bo"])
        assert [q.who for q in made.waiting_on] == ["bo"]
        with pytest.raises(tw.Refused):
            made.answer("cy.1", [6])
        answer(made, [1])
        assert [a.by for a in made.log[-1].input.answers] == ["table", "engine"]

    def test_the_engines_part_is_the_same_whatever_the_others_roll(self) -> None:
        def engine_die(mine: int) -> tuple[int, ...]:
            made = two_searchers(by_hand=["bo"])
            answer(made, [mine])
            return made.log[-1].input.answers[1].faces

        assert engine_die(1) == engine_die(6)

    def test_a_mixed_group_is_saved_and_goes_on(self, tmp_path: object) -> None:
        made = two_searchers(by_hand=["bo"])
        path = f"{tmp_path}/mixed"
        made.save(path)
        again = tw.Table.load(path)
        answer(made, [3])
        answer(again, [3])
        assert again.state == made.state
        assert again.log == made.log


class TestScripted:
    def test_rolls_come_in_the_order_in_which_they_are_asked_for(self) -> None:
        made = hiding_table(dice=Scripted((3, 4), 2))
        made.declare("selka", "hide", method="crouch", boost=1)
        assert faces_of(made) == [(3, 4)]

    def test_when_none_is_left_the_script_says_so_and_nothing_has_changed(self) -> None:
        made = hiding_table(dice=Scripted())
        with pytest.raises(IndexError, match="no scripted roll is left for 1d6"):
            made.declare("selka", "hide", method="crouch", boost=0)

    @pytest.mark.parametrize("faces", [(3,), (3, 4, 5), (), (3, 7), (0, 3)])
    def test_faces_that_the_dice_cannot_show_are_refused(self, faces: tuple[int, ...]) -> None:
        """A Boost of 1 makes two dice of the one: two faces from 1 to 6."""
        dice = Scripted(faces)
        made = hiding_table(dice=dice)
        with pytest.raises(
            ValueError, match=r"does not fit 2d6 \+ 2: give 2 faces from 1 to 6, or the total as a number"
        ):
            made.declare("selka", "hide", method="crouch", boost=1)
        assert dice.rolls == [faces]

    def test_a_die_that_is_thrown_and_dropped_has_a_face_too(self) -> None:
        dice = Scripted((3,), (3, 4))
        with pytest.raises(ValueError, match="give 2 faces from 1 to 6"):
            dice.faces(Pool(1, edge=1), b"", 0)
        dice.rolls.pop(0)
        assert dice.faces(Pool(1, edge=-1), b"", 0) == (3, 4)

    def test_a_total_is_taken_as_it_stands(self) -> None:
        made = hiding_table(dice=Scripted(40))
        made.declare("selka", "hide", method="crouch", boost=0)
        assert made.outcome is not None
        assert made.outcome.result == "hidden"
