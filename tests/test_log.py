"""Entries, marks, drafts and files: a table that is stopped anywhere goes on as if it had not been."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from journeys import JOURNEYS, Journey, attempting, hiding, passing
from scenes import answer, question

import turnwright as tw
from turnwright.log import Answered, Declared, Entry, LogFile, RuledOn, encode, mark, read_header, without_words
from turnwright.model import Clarified, Committed, Declaration, Ruled, Ruling
from turnwright.running import Run

HALTS = [
    pytest.param(make, done, id=f"{name}-{done}")
    for name, make in JOURNEYS.items()
    for done in range(len(make().steps) + 1)
]
"""Every point at which a journey can be interrupted."""


@pytest.fixture(scope="module")
def straight() -> Callable[[Callable[[], Journey]], tw.Table]:
    """The table of a journey played without a stop, each one once."""
    played: dict[str, tw.Table] = {}

    def play(make: Callable[[], Journey]) -> tw.Table:
        if make.__name__ not in played:
            played[make.__name__] = make().played()
        return played[make.__name__]

    return play


def same(one: tw.Table, two: tw.Table) -> None:
    """Two tables that nobody could tell apart."""
    assert one.state == two.state
    assert one.log == two.log
    assert one.pending == two.pending
    assert one.waiting_on == two.waiting_on
    assert one._chain == two._chain
    assert one._redo == two._redo
    for seat in ("guide", "ann", "bo", "cy"):
        assert one.news(seat) == two.news(seat)
        assert one.version(seat) == two.version(seat)
        assert one.view(seat) == two.view(seat)


@pytest.mark.parametrize(("make", "done"), HALTS)
class TestInterrupted:
    def test_saved_and_loaded(self, make, done, straight, tmp_path) -> None:
        journey = make()
        made = journey.played(done)
        made.save(tmp_path / "log")
        again = tw.Table.load(tmp_path / "log")
        same(again, made)
        same(journey.finish(again, done), straight(make))

    def test_the_rule_that_waits_dropped_and_run_again(self, make, done, straight) -> None:
        journey = make()
        made = journey.played(done)
        if made.pending is not None:
            before = made.state, made._run.questions
            made._run = Run.again(made._play, made.pending)
            assert (made.state, made._run.questions) == before
        assert journey.finish(made, done).state == straight(make).state

    def test_taken_back_and_done_again(self, make, done, straight) -> None:
        journey = make()
        made = journey.played(done)
        try:
            made.undo()
        except tw.Refused:
            assert not made.live
            return
        made.redo()
        drafts = [q for q in journey.played(done).waiting_on if q.drafted]
        if not drafts:
            assert journey.finish(made, done).state == straight(make).state

    def test_taken_back_saved_loaded_and_done_again(self, make, done, straight, tmp_path) -> None:
        made = make().played(done)
        if not made.live:
            return
        made.undo()
        made.save(tmp_path / "log")
        again = tw.Table.load(tmp_path / "log")
        same(again, made)
        assert again.redo() == made.redo()
        same(again, made)


@pytest.mark.parametrize("make", list(JOURNEYS.values()), ids=list(JOURNEYS))
class TestWhatStands:
    def test_the_stored_events_folded_are_the_state(self, make) -> None:
        made = make().played()
        state = made.start
        for entry in made.live:
            for event in entry.events:
                state = event.apply(state)
        assert state == made.state

    def test_undoing_everything_leads_to_the_start_and_redoing_it_back(self, make) -> None:
        made = make().played()
        end, live, start_chain = made.state, made.live, make().table()._chain
        while made.live:
            made.undo()
        assert made.state == made.start
        assert made.pending is None
        assert made._chain == start_chain
        while True:
            try:
                made.redo()
            except tw.Refused:
                break
        assert made.state == end
        assert made.live == live

    def test_a_log_reads_back_as_it_was_written(self, make) -> None:
        made = make().played()
        file = LogFile(made.game)
        assert [file.read_entry(encode(entry)) for entry in made.log] == made.log

    def test_every_die_fits_the_seed(self, make) -> None:
        assert tw.verify(make().played()) == []


class TestDrafts:
    def test_an_answer_is_in_no_log_until_its_group_closes(self) -> None:
        made = hiding().played(3)
        before = len(made.log), made._chain, made.state
        made.answer(question(made), 1)
        assert [q.drafted for q in made.waiting_on] == [True, False]
        assert (len(made.log), made._chain, made.state) == before

    def test_its_owner_may_replace_it(self) -> None:
        made = hiding().played(3)
        cy = next(q for q in made.waiting_on if q.who == "cy")
        for value in (0, 2, 1):
            made.answer(cy, value, seat="cy")
        answer(made, 0)
        assert made.live[-1].input == Answered((Committed(0), Committed(1)))

    def test_and_nobody_else(self) -> None:
        made = hiding().played(4)
        cy = next(q for q in made.waiting_on if q.who == "cy")
        with pytest.raises(tw.Refused, match="for cy to answer"):
            made.answer(cy, 2, seat="ann")

    def test_the_order_in_which_they_come_changes_nothing(self) -> None:
        def committed(*order: str) -> tw.Table:
            made = hiding().played(3)
            for who in order:
                made.answer(next(q for q in made.waiting_on if q.who == who), 1)
            return made

        same(committed("ann", "cy"), committed("cy", "ann"))

    def test_it_is_saved(self, tmp_path: Path) -> None:
        made = hiding().played(3)
        made.answer(next(q for q in made.waiting_on if q.who == "cy"), 2)
        made.save(tmp_path / "log")
        again = tw.Table.load(tmp_path / "log")
        assert [(q.who, q.drafted) for q in again.waiting_on] == [("ann", False), ("cy", True)]
        answer(again, 0)
        assert again.live[-1].input == Answered((Committed(0), Committed(2)))

    def test_an_interjection_puts_the_question_anew(self) -> None:
        made = hiding().played(4)
        made.interject("bo", "assist", method="shout")
        assert [q.drafted for q in made.waiting_on] == [False, False]

    def test_a_withdrawal_closes_the_group_at_once(self) -> None:
        made = hiding().played(4)
        answer(made, tw.Withdraw, "commit")
        assert made.waiting_on == ()
        assert made.outcome is not None
        assert made.outcome.result == "withdrawn"
        assert made.state.actors["guard"].ready == 6


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n")


def edited(tmp_path: Path, made: tw.Table, edit: Callable[[list[dict[str, Any]]], int]) -> tuple[Path, int]:
    """A saved log after an edit, which gives the number of the entry that it touched."""
    path = tmp_path / "log"
    made.save(path)
    rows = lines(path)
    number = edit(rows[1:])
    write(path, rows)
    return path, number


def row_with(rows: list[dict[str, Any]], part: str) -> tuple[int, dict[str, Any]]:
    return next((i, row) for i, row in enumerate(rows) if part in json.dumps(row))


def another_event(rows: list[dict[str, Any]]) -> int:
    number, row = row_with(rows, '"Wounded"')
    next(event for event in row["events"] if event["type"] == "Wounded")["wounds"] = 2
    return number


def another_face(rows: list[dict[str, Any]]) -> int:
    number, row = row_with(rows, '"faces"')
    given = next(a for a in row["input"]["answers"] if a and "faces" in a)
    given["value"], given["total"], given["faces"] = 1, 2, [1] * len(given["faces"])
    return number


def another_mark(rows: list[dict[str, Any]]) -> int:
    rows[3]["mark"] = "0" * 32
    return 3


def another_declaration(rows: list[dict[str, Any]]) -> int:
    number, row = row_with(rows, '"route"')
    row["input"]["declaration"]["route"][0] = [2, 1]
    return number


def another_answer(rows: list[dict[str, Any]]) -> int:
    number, row = row_with(rows, '"Chosen"')
    row["input"]["answers"][0] = {"type": "Chosen", "id": "pass"}
    return number


EDITS = [another_event, another_face, another_mark, another_declaration, another_answer]


class TestDiffers:
    @pytest.mark.parametrize("edit", EDITS)
    def test_the_load_says_which_entry_and_what_was_expected(self, edit, tmp_path) -> None:
        path, number = edited(tmp_path, passing().played(), edit)
        with pytest.raises(tw.Differs) as found:
            tw.Table.load(path)
        assert found.value.entry == number
        assert found.value.line == number + 2
        assert f"entry {number}" in str(found.value)
        assert str(path) in str(found.value)
        assert found.value.expected != found.value.got

    def test_it_names_the_event_that_differs(self, tmp_path: Path) -> None:
        path, _ = edited(tmp_path, passing().played(), another_event)
        with pytest.raises(tw.Differs, match=r"Wounded.*wounds=2.*got .*Wounded.*wounds=1"):
            tw.Table.load(path)

    @pytest.mark.parametrize("edit", EDITS)
    def test_from_events_it_goes_on_with_what_is_stored(self, edit, tmp_path) -> None:
        straight = passing().played()
        path, _ = edited(tmp_path, straight, edit)
        again = tw.Table.load(path, from_events=True)
        hurt = 1 if edit is another_event else 0
        assert again.state.actors["selka"].wounds == straight.state.actors["selka"].wounds + hurt
        assert again.state.actors["selka"].at == (5, 2)
        assert again.waiting_on == ()
        again.declare("captain", "begin")
        assert again.state.active == "captain"

    def test_and_what_is_played_then_can_be_taken_back(self, tmp_path: Path) -> None:
        path, _ = edited(tmp_path, passing().played(), another_face)
        again = tw.Table.load(path, from_events=True)
        before = again.state
        again.declare("captain", "begin")
        again.undo()
        assert again.state == before

    def test_undo_never_stops_in_the_middle_of_an_action_that_cannot_go_on(self, tmp_path: Path) -> None:
        path, number = edited(tmp_path, passing().played(), another_face)
        again = tw.Table.load(path, from_events=True)
        assert len(again.live) > number + 1
        while again.live:
            again.undo()
            walked = again.state.actors["selka"].at
            assert walked in ((1, 2), (5, 2)) or again.waiting_on, "half a walk, and nothing to go on by"

    @pytest.mark.parametrize("done", [3, 4, 5, 6, 7, 8])
    def test_an_action_that_waited_there_is_cancelled_back_to_the_state_before_it(self, done, tmp_path) -> None:
        """Somebody edits the entry that a waiting action began with: it cannot go on, so it never was."""
        made = hiding().played(done)
        assert made.pending is not None

        def commit_differs(rows: list[dict[str, Any]]) -> int:
            number, row = row_with(rows, '"hide"')
            row["mark"] = "f" * 32
            return number

        path, _ = edited(tmp_path, made, commit_differs)
        again = tw.Table.load(path, from_events=True)
        assert again.pending is None
        assert again.state == hiding().played(2).state
        assert again.state.actors["selka"].ready == 6
        assert again.log[-1].by == "guide", "a trace is left"

    def test_saving_it_again_keeps_what_differs_findable(self, tmp_path: Path) -> None:
        path, number = edited(tmp_path, passing().played(), another_face)
        tw.Table.load(path, from_events=True).save(path)
        with pytest.raises(tw.Differs) as found:
            tw.Table.load(path)
        assert found.value.entry == number
        assert tw.Table.load(path, from_events=True).state.actors["selka"].at == (5, 2)


class TestBadLogs:
    def bad(self, tmp_path: Path, text: bytes, match: str) -> tw.BadLog:
        path = tmp_path / "log"
        path.write_bytes(text)
        with pytest.raises(tw.BadLog, match=match) as found:
            tw.Table.load(path)
        return found.value

    def saved(self, tmp_path: Path, done: int | None = None) -> list[dict[str, Any]]:
        attempting().played(done).save(tmp_path / "log")
        return lines(tmp_path / "log")

    def edited(self, tmp_path: Path, rows: list[dict[str, Any]], match: str) -> tw.BadLog:
        return self.bad(tmp_path, "\n".join(json.dumps(row) for row in rows).encode(), match)

    def test_there_is_no_such_file(self, tmp_path: Path) -> None:
        with pytest.raises(tw.BadLog, match="a log file"):
            tw.Table.load(tmp_path / "nothing")

    @pytest.mark.parametrize("text", [b"", b"\n", b"hello", b"{}", b"[1]", b"\xff\xfe\x00", b"[" * 100_000])
    def test_what_is_no_log(self, text: bytes, tmp_path: Path) -> None:
        assert self.bad(tmp_path, text, "the first line of a log").line == 1

    def test_another_format(self, tmp_path: Path) -> None:
        rows = self.saved(tmp_path)
        rows[0]["turnwright"] = 99
        self.edited(tmp_path, rows, "expected a log of format 1; got format 99")

    @pytest.mark.parametrize(("key", "value"), [("mode", "chaos"), ("windows", "open"), ("system", "chess"), ("x", 1)])
    def test_a_header_that_says_something_unknown(self, key: str, value: object, tmp_path: Path) -> None:
        rows = self.saved(tmp_path)
        rows[0][key] = value
        assert self.edited(tmp_path, rows, "expected").line == 1

    def test_a_scene_in_it_that_is_none(self, tmp_path: Path) -> None:
        rows = self.saved(tmp_path)
        rows[0]["scene"] = "system: narateer\ntitle: 3\n"
        self.edited(tmp_path, rows, "a scene that can be read")

    @pytest.mark.parametrize("secret", ["zz", "ab", "00" * 32, "ab" * 100])
    def test_a_seed_that_does_not_fit_its_commitment(self, secret: str, tmp_path: Path) -> None:
        rows = self.saved(tmp_path)
        rows[0]["secret"] = secret
        self.edited(tmp_path, rows, "expected a s(eed|cene)")

    def test_a_line_that_is_no_entry_is_named(self, tmp_path: Path) -> None:
        rows = self.saved(tmp_path)
        rows[4] = {"by": "ann", "input": {"type": "sang"}}
        assert self.edited(tmp_path, rows, "an entry of this game").line == 5

    @pytest.mark.parametrize(
        "draft",
        [
            {"index": 5, "answer": {"type": "Committed"}},
            {"index": -1, "answer": {"type": "Committed"}},
            {"index": 0, "answer": {"type": "Committed", "boost": 70}},
            {"index": 0, "answer": {"type": "Chosen", "id": "pass"}},
            {"index": 0, "answer": {"type": "Withdraw"}},
        ],
    )
    def test_a_draft_that_answers_nothing(self, draft: dict[str, Any], tmp_path: Path) -> None:
        rows = [*self.saved(tmp_path, 5), {"draft": draft}]
        assert self.edited(tmp_path, rows, "a draft that answers an open question").line == len(rows)

    def test_an_undo_of_nothing(self, tmp_path: Path) -> None:
        rows = [*self.saved(tmp_path), {"by": "guide", "input": {"type": "undone", "back_to": 400}}]
        self.edited(tmp_path, rows, "an entry 400 to take back")

    def test_entries_after_the_seed_was_revealed(self, tmp_path: Path) -> None:
        made = attempting().played(2)
        made.reveal()
        made.save(tmp_path / "log")
        rows = lines(tmp_path / "log")
        self.edited(tmp_path, [*rows, rows[1]], "nothing after the seed was revealed")

    def test_events_that_do_not_fit_the_state(self, tmp_path: Path) -> None:
        rows = self.saved(tmp_path)
        rows[1]["events"][0]["actor"] = "nobody"
        path = tmp_path / "log"
        write(path, rows)
        with pytest.raises(tw.BadLog, match="events that fit the state"):
            tw.Table.load(path, from_events=True)


class TestTheFile:
    def test_a_save_replaces_the_file_at_once(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        path.write_text("something else")
        attempting().played(2).save(path)
        assert [file.name for file in tmp_path.iterdir()] == ["log"]
        tw.Table.load(path)

    def test_the_header_keeps_the_options(self, tmp_path: Path) -> None:
        made = tw.Table(
            hiding().start,
            seed=3,
            mode="confirm",
            windows="blind",
            by_hand=["bo"],
            standing={"ann assist": "never"},
        )
        made.save(tmp_path / "log")
        again = tw.Table.load(tmp_path / "log")
        assert (again.mode, again.windows, again.by_hand) == ("confirm", "blind", ("bo",))
        assert again.standing == {"ann assist": "never"}
        assert again.header() == made.header()

    def test_dice_of_the_table_stay_with_the_table(self, tmp_path: Path) -> None:
        tw.Table(hiding().start, dice="table").save(tmp_path / "log")
        again = tw.Table.load(tmp_path / "log")
        assert again.dice_by_hand
        assert again.header().by_hand == ("*",)

    def test_the_secret_is_in_the_file_only_while_it_is_played(self, tmp_path: Path) -> None:
        made = attempting().played()
        made.save(tmp_path / "log")
        assert read_header((tmp_path / "log").read_bytes().split(b"\n")[0], "").secret == made.secret.hex()
        made.reveal()
        made.save(tmp_path / "log")
        rows = lines(tmp_path / "log")
        assert rows[0].get("secret", "") == ""
        assert rows[-1]["input"] == {"type": "revealed", "seed": made.secret.hex()}
        again = tw.replay(tmp_path / "log")
        assert again.secret == made.secret
        assert tw.verify(again) == []

    def test_without_its_secret_a_log_can_be_read_and_its_dice_are_left_to_people(self, tmp_path: Path) -> None:
        attempting().played(5).save(tmp_path / "log")
        rows = lines(tmp_path / "log")
        rows[0].pop("secret")
        write(tmp_path / "log", rows)
        again = tw.Table.load(tmp_path / "log")
        answer(again, 2)
        assert question(again).kind == "roll"

    def test_a_file_that_ends_before_the_dice_goes_on_with_the_same_dice(self, tmp_path: Path) -> None:
        made = attempting().played(6)
        made.save(tmp_path / "log")
        rows = lines(tmp_path / "log")
        write(tmp_path / "log", rows[:-1])
        same(tw.Table.load(tmp_path / "log"), made)

    def test_a_scene_of_any_text_survives(self, tmp_path: Path) -> None:
        made = attempting().table()
        made.save(tmp_path / "log")
        assert tw.Table.load(tmp_path / "log").start == made.start


class TestMarks:
    def test_a_mark_covers_the_questions_the_events_and_before_a_declaration_the_state(self) -> None:
        made = attempting().played()
        one, two = made.live[0], made.live[5]
        assert one.events
        assert two.events
        state = made.start
        assert mark((), one.events, state) != mark((), one.events, made.state)
        assert mark((), one.events, None) != mark((), two.events + one.events, None)
        asked = attempting().played(2)._run.questions
        assert mark(asked, (), None) != mark((), (), None)

    def test_every_entry_that_was_run_has_one(self) -> None:
        made = attempting().played()
        assert all(len(entry.mark) == 32 for entry in made.log)

    def test_words_are_not_in_the_digest_of_what_was_done(self) -> None:
        def chained(**words: str) -> bytes:
            return without_words(Declared(Declaration("selka", "hide", boost=1, **words)))

        assert chained(method="a", intent="b") == chained(method="c") == chained()
        one = RuledOn((Ruled(Ruling("check", skill="melee", target=3, success="yes", failure="no")),))
        two = RuledOn((Ruled(Ruling("check", skill="melee", target=3, success="aye", failure="nay", why="so")),))
        other = RuledOn((Ruled(Ruling("check", skill="melee", target=4, success="yes", failure="no")),))
        assert without_words(one) == without_words(two) != without_words(other)
        assert without_words(Answered((Clarified("a", "b"),))) == without_words(Answered((Clarified("c", "d"),)))

    def test_but_everything_else_is(self) -> None:
        declared = [
            Declaration("selka", "hide"),
            Declaration("bo", "hide"),
            Declaration("selka", "search"),
            Declaration("selka", "hide", boost=0),
            Declaration("selka", "hide", boost=1),
            Declaration("selka", "hide", target="bo"),
            Declaration("selka", "hide", route=((1, 1),)),
            Declaration("selka", "hide", options={"goal": "presence"}),
        ]
        assert len({without_words(Declared(d)) for d in declared}) == len(declared)

    @pytest.mark.parametrize("goal", ["presence", "location"])
    def test_the_same_text_typed_and_read_from_a_file_has_the_same_mark(self, goal: str, tmp_path: Path) -> None:
        """The encoder leaves out a default by looking whether it is the very same object."""
        made = {}
        for how, typed in (("written", goal), ("typed", "".join(list(goal)))):
            made[how] = tw.Table(hiding().start, seed=7)
            made[how].declare("selka", "begin")
            made[how].declare("selka", "hide", method="crouch", goal=typed, boost=0)
            made[how].save(tmp_path / how)
            same(tw.Table.load(tmp_path / how), made[how])
        assert [e.mark for e in made["written"].log] == [e.mark for e in made["typed"].log]
        assert made["written"]._chain == made["typed"]._chain

    def test_an_entry_is_plain_data(self) -> None:
        made = passing().played()
        for entry in made.log:
            assert isinstance(entry, Entry)
            json.loads(encode(entry))
