"""The table: who is asked what, in which order, what may be taken back, and what a refusal leaves untouched."""

from __future__ import annotations

import copy
from contextlib import suppress
from typing import Any

import pytest
from journeys import SEATS, THICKET, attempting, hiding, ordering, passing
from scenes import acted, answer, character, happened, question, ready, refused, scene, table

import turnwright as tw
from turnwright.dice import ByHand, Scripted
from turnwright.events import Barred, Changed, Charged, Waived, Withdrawn
from turnwright.log import Interjected, Overridden, RuledOn, Undone
from turnwright.model import Chosen, Clarified, Confirmed, Ordered, Ruled
from turnwright.systems.narateer.events import Gone, Halted, Helped, Moved, Perceived, SearchBegun


def sword() -> list[dict[str, Any]]:
    return [{"name": "sword"}]


def snapshot(made: tw.Table) -> tuple[Any, ...]:
    """Everything that a refusal must leave as it was."""
    return (
        made.state,
        copy.copy(made.log),
        made.live,
        made.pending,
        made.waiting_on,
        made._chain,
        copy.copy(made._redo),
        copy.copy(made._drafts),
        {seat: made.version(seat) for seat in ("guide", "ann", "bo", "cy")},
    )


def asked(made: tw.Table) -> list[tuple[str, str]]:
    """Who is asked what and has not answered."""
    return [(q.who, q.kind) for q in made.waiting_on if not q.drafted]


def crossing(**keys: Any) -> tw.Table:
    """Selka is about to walk between two who may strike at her; who is on which seat: ann, bo, cy."""
    return table(
        character("selka", "heroes", (1, 2), skills={"melee": 1}, weapons=sword(), seat="ann", bears=9),
        character("guard", "guards", (3, 1), skills={"melee": 2}, weapons=sword(), seat="bo", bears=9),
        character("captain", "guards", (3, 3), skills={"melee": 2}, weapons=sword(), seat="cy", bears=9),
        **({"seats": SEATS, "begin": "selka", "dice": (12,) * 20} | keys),
    )


PATH = [(2, 2), (3, 2), (4, 2), (5, 2)]


class TestWindows:
    def test_a_route_is_walked_space_by_space_and_struck_in_the_middle(self) -> None:
        made = crossing()
        made.declare("selka", "walk", route=PATH)
        assert [moved.at for moved in happened(made, Moved)] == [(2, 2), (3, 2)]
        assert made.state.actors["selka"].at == (3, 2)
        assert asked(made) == [("bo", "choose"), ("cy", "choose")]
        answer(made, "0")
        answer(made, "pass")
        story = [type(event).__name__ for entry in made.live for event in entry.events]
        assert story.index("ExchangeEnded") > story.index("Moved")
        assert [moved.at for moved in happened(made, Moved)] == [(2, 2), (3, 2), (4, 2)]

    def test_the_walk_goes_on_with_exactly_what_is_left_and_is_charged_once(self) -> None:
        made = crossing()
        made.declare("selka", "run", route=PATH)
        for _ in range(4):
            answer(made, "pass")
        assert made.state.actors["selka"].at == (5, 2)
        assert ready(made, "selka") == 5
        assert len(happened(made, Charged)) == 1
        assert acted(made, "selka") == [("run", "proactive")]

    def test_a_walker_who_is_struck_down_goes_no_further(self) -> None:
        made = crossing()
        made.override({"selka.wounds": 8}, "nearly down")
        made.declare("selka", "walk", route=PATH)
        answer(made, "0")
        answer(made, "pass")
        assert made.state.actors["selka"].at == (3, 2)
        assert happened(made, Halted)

    def test_several_are_asked_at_once_and_sealed(self) -> None:
        made = crossing()
        made.declare("selka", "walk", route=PATH)
        before = made.state
        made.answer(question(made), ("0", 2))
        assert made.state is before
        assert made.view("cy")["questions"] == crossing_view("cy")

    def test_the_guide_says_who_is_first(self) -> None:
        for first in (["guard", "captain"], ["captain", "guard"]):
            made = crossing()
            made.declare("selka", "walk", route=PATH)
            answer(made, "0")
            answer(made, "0")
            assert asked(made) == [("guide", "order")]
            assert question(made).question.rule == "narateer.reaction.any-time-its-trigger-occurs"
            answer(made, first)
            assert attackers(made) == first

    @pytest.mark.parametrize("order", [["guard"], ["guard", "guard"], ["guard", "selka"], "guard", 3, None, [1, 2]])
    def test_an_order_names_each_once(self, order: object) -> None:
        made = crossing()
        made.declare("selka", "walk", route=PATH)
        answer(made, "0")
        answer(made, "0")
        before = snapshot(made)
        with pytest.raises(tw.Refused):
            answer(made, order)
        assert snapshot(made) == before

    def test_a_reaction_that_has_become_impossible_is_free(self) -> None:
        """The captain strikes first and fells her; the guard then has nobody to strike and keeps his dice."""
        made = crossing()
        made.override({"selka.wounds": 8}, "nearly down")
        made.declare("selka", "walk", route=PATH)
        answer(made, "0")
        answer(made, "0")
        made.answer(question(made), ["captain", "guard"])
        assert attackers(made)[0] == "captain"
        if len(attackers(made)) == 1:
            assert ready(made, "guard") == 6

    def test_nobody_is_asked_who_cannot(self) -> None:
        made = crossing()
        made.override({"guard.ready": 0}, "out of dice")
        made.declare("selka", "walk", route=PATH)
        assert asked(made) == [("cy", "choose")]

    def test_an_option_tells_nothing_of_other_peoples_options(self) -> None:
        made = crossing()
        made.declare("selka", "walk", route=PATH)
        assert [q.options for q in made.waiting_on] == [("pass", "0"), ("pass", "0")]

    def test_the_options_are_fresh_after_an_override(self) -> None:
        made = crossing()
        made.declare("selka", "walk", route=PATH)
        made.override({"guard.ready": 0}, "he drops his dice")
        assert asked(made) == [("cy", "choose")]
        made.override({"captain.ready": 0}, "he too")
        assert asked(made) == []
        assert made.state.actors["selka"].at == (5, 2)

    def test_a_boost_is_at_most_what_the_option_allows(self) -> None:
        made = crossing()
        made.declare("selka", "walk", route=PATH)
        assert question(made).question.options[1].most == 2
        before = snapshot(made)
        with pytest.raises(tw.Refused, match="above the limit of 2") as caught:
            answer(made, ("0", 3))
        assert caught.value.refusals[0].rule == "narateer.boost.cap-is-skill-level"
        assert snapshot(made) == before


def attackers(made: tw.Table) -> list[str]:
    from turnwright.systems.narateer.events import ExchangeBegun

    return [event.actor for event in happened(made, ExchangeBegun)]


def crossing_view(seat: str) -> Any:
    made = crossing()
    made.declare("selka", "walk", route=PATH)
    return made.view(seat)["questions"]


class TestBlindWindows:
    def test_all_who_own_a_reaction_are_asked_whether_they_can_or_not(self) -> None:
        made = crossing(windows="blind")
        made.declare("selka", "walk", route=[(1, 3)])
        assert asked(made) == [("bo", "choose"), ("cy", "choose")]
        assert [q.options for q in made.waiting_on] == [("pass",), ("pass",)]
        assert made.state.actors["selka"].at == (1, 3)

    def test_an_honest_table_pauses_only_where_somebody_may(self) -> None:
        made = crossing()
        made.declare("selka", "walk", route=[(1, 3)])
        assert asked(made) == []

    def test_the_pauses_are_the_same_wherever_the_unseen_stand(self) -> None:
        def pauses(windows: str, guard: tuple[int, int]) -> int:
            made = table(
                character("selka", "heroes", (1, 2), seat="ann"),
                character("guard", "guards", guard, weapons=sword(), seat="bo"),
                seats=SEATS,
                begin="selka",
                windows=windows,
                dice=(1,) * 10,
            )
            made.declare("selka", "walk", route=PATH)
            count = 0
            while made.waiting_on:
                count += 1
                answer(made, "pass")
            return count

        assert pauses("blind", (3, 1)) == pauses("blind", (11, 7)) == 4
        assert pauses("honest", (3, 1)) == 2
        assert pauses("honest", (11, 7)) == 0

    def test_who_passes_beforehand_is_passed_over_also_where_he_could_not(self) -> None:
        made = crossing(windows="blind", standing={"bo opportunity_attack": "never"})
        made.declare("selka", "walk", route=[(1, 3)])
        assert asked(made) == [("cy", "choose")]


class TestStandingAnswers:
    def test_never_passes_and_always_takes_it(self) -> None:
        made = crossing(standing={"bo opportunity_attack": "never", "cy opportunity_attack": "always"})
        made.declare("selka", "walk", route=PATH)
        assert made.waiting_on == ()
        assert attackers(made) == ["captain", "captain"]

    def test_an_answer_by_its_name(self) -> None:
        made = crossing(begin="guard", standing={"ann response": "full_guard", "cy response": "full_guard"})
        made.declare("guard", "attack", target="selka", boost=0, seat="guide", overrule="he throws it")
        assert happened(made, Charged)[-1].actor == "selka"
        assert made.waiting_on == ()

    def test_an_answer_that_is_not_open_is_asked_for(self) -> None:
        made = crossing(begin="guard", standing={"ann response": "clash:sword"})
        made.declare("guard", "attack", target="selka", boost=0, seat="guide", overrule="he throws it")
        assert asked(made) == [("ann", "choose")]

    def test_who_is_wanted_always_helps_at_once(self) -> None:
        made = hiding().start
        made = tw.Table(made, seed=7, standing={"bo assist": "always"})
        made.declare("selka", "begin")
        made.declare("selka", "hide", method="crouch")
        assert [event.helper for event in happened(made, Helped)] == ["bo"]
        assert asked(made) == [("ann", "commit")]

    def test_everybody_who_always_helps_does(self) -> None:
        made = table(
            character("selka", "heroes", (1, 1), skills={"stealth": 2}, seat="ann"),
            character("bo", "heroes", (1, 2), seat="bo"),
            character("bea", "heroes", (2, 2), seat="bo"),
            character("guard", "guards", (6, 1)),
            rows=[".,......", ".,......", "........"],
            legend=THICKET,
            seats=SEATS,
            standing={"bo assist": "always"},
            begin="selka",
        )
        made.declare("selka", "hide", method="crouch")
        assert [event.helper for event in happened(made, Helped)] == ["bo", "bea"]
        assert asked(made) == [("ann", "commit")]

    def test_an_undo_takes_back_what_was_answered_beforehand_too(self) -> None:
        """No person made those entries: undo goes on to the declaration."""
        made = tw.Table(hiding().start, seed=7, standing={"bo assist": "always"})
        made.declare("selka", "begin")
        before = made.state
        made.declare("selka", "hide", method="crouch")
        made.undo()
        assert made.state == before
        assert made.pending is None
        made.redo()
        assert [event.helper for event in happened(made, Helped)] == ["bo"]

        walked = crossing(standing={"bo opportunity_attack": "never", "cy opportunity_attack": "never"})
        before = walked.state
        walked.declare("selka", "walk", route=PATH)
        walked.undo()
        assert walked.state == before

    def test_nobody_else_is_bound_by_it(self) -> None:
        made = crossing(standing={"bo opportunity_attack": "never"})
        made.declare("selka", "walk", route=PATH)
        assert asked(made) == [("cy", "choose")]


class TestInterjections:
    def test_the_same_question_is_put_again_afterwards(self) -> None:
        made = hiding().played(3)
        before = [(q.who, q.kind, q.prompt) for q in made.waiting_on]
        made.interject("bo", "assist", method="throw a stone")
        assert [(q.who, q.kind, q.prompt) for q in made.waiting_on] == before
        assert isinstance(made.live[-1].input, Interjected)
        assert happened(made, Helped)

    def test_what_it_changes_is_in_the_roll(self) -> None:
        made = hiding().played(3)
        for held in made.waiting_on:
            made.answer(held, 1)
        assert (question(made).question.pool.edge, question(made).question.pool.dice) == (0, 2)
        made = hiding().played(7)
        roll = question(made).question
        assert (roll.pool.edge, roll.pool.dice) == (1, 2)

    def test_only_while_the_question_leaves_time_for_it(self) -> None:
        made = hiding().played(2)
        for stage in (hiding().played(2), hiding().played(6), hiding().played(8)):
            before = snapshot(stage)
            found = refused(lambda stage=stage: stage.interject("bo", "assist", method="throw a stone"))
            assert found
            assert snapshot(stage) == before
        assert "narateer.assist.window" in refused(lambda: made.interject("bo", "assist", method="stone"))

    def test_nobody_does_it_twice(self) -> None:
        made = hiding().played(5)
        before = snapshot(made)
        with pytest.raises(tw.Refused, match="already"):
            made.interject("bo", "assist", method="another stone")
        assert snapshot(made) == before

    def test_what_is_not_said_in_full_is_refused(self) -> None:
        made = hiding().played(3)
        assert "narateer.assist.describe-help" in refused(lambda: made.interject("bo", "assist"))

    def test_an_action_that_waits_its_turn_is_not_interjected(self) -> None:
        made = hiding().played(3)
        with pytest.raises(tw.Refused, match="nothing is waiting that this could be done in"):
            made.interject("bo", "walk", route=[(2, 2)])

    def test_nobody_interjects_for_another_seat(self) -> None:
        made = hiding().played(3)
        with pytest.raises(tw.Refused, match="not yours to play"):
            made.interject("bo", "assist", method="stone", seat="ann")

    def test_it_is_undone_by_itself_and_the_question_stays(self) -> None:
        made = hiding().played(5)
        made.undo()
        assert not happened(made, Helped)
        assert {who for who, _ in asked(made)} == {"ann", "cy"}
        assert ready(made, "bo") == 6


class TestCommitments:
    def test_nothing_is_spent_before_the_last_is_in(self) -> None:
        made = hiding().played(4)
        assert [made.state.actors[name].ready for name in ("selka", "guard")] == [6, 6]
        made = hiding().played(6)
        made.answer(question(made, "commit"), 1) if made.waiting_on and made.waiting_on[0].kind == "commit" else None
        assert made.state.actors["selka"].ready == 4  # 1 and a Boost of 1
        assert made.state.actors["guard"].ready == 3  # 1 and a Boost of 2

    def test_nobody_sees_anothers_commitment(self) -> None:
        def seen(boost: int) -> Any:
            made = hiding().played(3)
            made.answer(next(q for q in made.waiting_on if q.who == "cy"), boost)
            return made.view("ann"), made.version("ann"), made.view("bo"), made.version("bo")

        assert seen(0) == seen(2)

    @pytest.mark.parametrize("value", [-1, 3, 99, "2", 1.0, True, None, [], {}])
    def test_a_commitment_is_a_whole_number_within_its_limit(self, value: object) -> None:
        made = hiding().played(3)
        ann = next(q for q in made.waiting_on if q.who == "ann")
        before = snapshot(made)
        with pytest.raises(tw.Refused):
            made.answer(ann, value)
        assert snapshot(made) == before

    def test_a_sealed_boost_in_the_declaration_asks_nothing_more(self) -> None:
        made = table(
            character("selka", "heroes", (1, 1), skills={"stealth": 2}),
            character("guard", "guards", (6, 1)),
            rows=[".,......", ".,......"],
            legend=THICKET,
            dice=(12,),
            begin="selka",
        )
        made.declare("selka", "hide", method="crouch", boost=2)
        assert ready(made, "selka") == 3
        assert made.waiting_on == ()


class TestRulings:
    def asked(self) -> tw.Table:
        return attempting().played(2)

    @pytest.mark.parametrize(
        ("said", "lacks"),
        [
            ({"kind": "check", "skill": "athletics", "target": 6, "success": "over"}, "failure"),
            ({"kind": "check", "target": 6, "success": "over", "failure": "falls"}, "skill"),
            ({"kind": "check", "skill": "athletics", "success": "over", "failure": "falls"}, "target"),
            ({"kind": "impossible"}, "obstacle"),
            ({"kind": "procedure", "procedure": "pray"}, "procedure"),
        ],
    )
    def test_a_ruling_that_is_not_complete_is_refused_naming_what_it_lacks(self, said, lacks) -> None:
        made = self.asked()
        before = snapshot(made)
        with pytest.raises(tw.Refused, match=lacks):
            answer(made, said)
        assert snapshot(made) == before

    @pytest.mark.parametrize(
        "said",
        [
            None,
            3.5,
            99,
            -1,
            True,
            "perhaps",
            {},
            {"kind": "check", "colour": "red"},
            {"kind": "check", "target": "six"},
            {1: 2},
            {"kind": "automatic", "ad": -3},
            {"kind": "check", "skill": "a", "target": 1, "success": "s", "failure": "f", "dice": 10**9},
            {"kind": "check", "skill": "a", "target": 1, "success": "s", "failure": "f", "dice": 0},
            {"kind": "check", "skill": "a", "target": 1, "success": "s", "failure": "f", "boost": -1},
            tw.Ruling("automatic", wounds=-2),
            tw.Ruling("perhaps"),  # type: ignore[arg-type]
            tw.Ruling("automatic", ad="many"),  # type: ignore[arg-type]
        ],
    )
    def test_what_is_no_ruling_is_refused(self, said: object) -> None:
        made = self.asked()
        before = snapshot(made)
        with pytest.raises(tw.Refused):
            answer(made, said)
        assert snapshot(made) == before

    def test_a_preset_by_its_number(self) -> None:
        made = self.asked()
        first = question(made).question.suggested[0]
        answer(made, 0)
        assert isinstance(made.live[-1].input, RuledOn)
        assert made.live[-1].input.answers[0].ruling == first

    def test_an_unclear_declaration_is_asked_about_and_comes_back(self) -> None:
        made = attempting().played(3)
        assert asked(made) == [("ann", "clarify")]
        for value in (None, "climb", ("", ""), (1, 2), {}, {"intent": " "}):
            with pytest.raises(tw.Refused):
                answer(made, value)
        answer(made, {"intent": "over", "method": "climb"})
        assert asked(made) == [("guide", "rule")]
        assert question(made).question.declaration.method == "climb"

    def test_an_impossible_one_ends_free_of_charge(self) -> None:
        made = self.asked()
        answer(made, {"kind": "impossible", "obstacle": "it is a mile high"})
        assert made.waiting_on == ()
        assert ready(made, "selka") == 6
        assert acted(made) == []

    def test_a_price_that_cannot_be_paid_bars_the_action_and_costs_nothing(self) -> None:
        made = self.asked()
        made.override({"selka.ready": 1}, "tired")
        answer(made, {"kind": "automatic", "ad": 2, "success": "over"})
        assert happened(made, Barred)
        assert ready(made, "selka") == 1
        assert made.waiting_on == ()

    def test_a_ruled_price_is_confirmed_where_it_differs_from_the_quote(self) -> None:
        made = self.asked()
        assert made.start.actors["selka"].ready == 6
        answer(made, {"kind": "automatic", "tier": "minor", "success": "over"})
        assert asked(made) == [("ann", "confirm")]
        assert question(made).question.price.amount("ad") == 1
        for junk in (None, 1, "perhaps", [], 0):
            with pytest.raises(tw.Refused):
                answer(made, junk)
        answer(made, "no")
        assert made.outcome.result == "withdrawn"
        assert ready(made, "selka") == 6


class TestChoices:
    def asked(self) -> tw.Table:
        made = crossing()
        made.declare("selka", "walk", route=PATH)
        return made

    @pytest.mark.parametrize(
        "value",
        [None, 3, True, "1", "fly", "", ("0", 1, 2), ("0", "1"), ("0", True), (0, 1), ("0", -1), [], {}, {"id": "0"}],
    )
    def test_what_is_no_option_is_refused(self, value: object) -> None:
        made = self.asked()
        before = snapshot(made)
        with pytest.raises(tw.Refused):
            answer(made, value)
        assert snapshot(made) == before

    def test_why_a_response_is_not_open(self) -> None:
        """Whoever cannot pay for it is told so when they ask for it all the same."""
        made = crossing(begin="guard")
        made.override({"selka.at": [2, 2], "selka.ready": 1, "selka.weapons": []}, "she is near and tired")
        made.declare("guard", "attack", target="selka", boost=0)
        made.override({"guard.at": [9, 7]}, "he is thrown back")
        (held,) = [q for q in made.waiting_on if q.kind == "choose"]
        closed = [refusal.code for refusal in held.question.refused]
        assert closed
        before = snapshot(made)
        with pytest.raises(tw.Refused) as caught:
            made.answer(held, closed[0])
        assert caught.value.refusals == tuple(r for r in held.question.refused if closed[0].startswith(r.code))
        assert snapshot(made) == before

    def test_after_the_commitment_nothing_is_withdrawn(self) -> None:
        for made in (self.asked(), hiding().played(7)):
            before = snapshot(made)
            with pytest.raises(tw.Refused, match="cannot be withdrawn from any more") as caught:
                answer(made, tw.Withdraw)
            assert caught.value.refusals[0].code == "TOO_LATE"
            assert snapshot(made) == before

    @pytest.mark.parametrize("value", [tw.Withdraw, tw.Withdraw(), "no", False])
    def test_but_before_it_may_be(self, value: object) -> None:
        made = attempting().played(8)
        assert question(made).kind == "confirm"
        answer(made, value)
        assert made.outcome.result == "withdrawn"

    def test_a_declaration_is_withdrawn_at_any_question_before_it(self) -> None:
        for done, who in ((2, "guide"), (3, "ann"), (4, "guide"), (5, "ann")):
            made = attempting().played(done)
            made.answer(question(made), tw.Withdraw, seat=who)
            assert made.waiting_on == ()
            assert made.outcome.result == "withdrawn"
            assert ready(made, "selka") == 6

    def test_what_goes_wrong_while_it_is_carried_out_changes_nothing_and_leaves_the_other_drafts(self) -> None:
        """A script without rolls stands for anything that fails behind the last commitment."""
        made = tw.Table(hiding().start, dice=Scripted())
        made.override(SearchBegun("", "guard", by_word=True), "he looks")
        made.declare("selka", "begin")
        made.declare("selka", "hide", method="crouch")
        ann, cy = made.waiting_on
        made.answer(ann, 1)
        before = snapshot(made)
        with pytest.raises(IndexError):
            made.answer(cy, 1)
        assert snapshot(made) == before
        assert [(q.who, q.drafted) for q in made.waiting_on] == [("ann", True), ("cy", False)]
        made.source = ByHand()
        made.answer(cy, 1)
        assert [(q.who, q.kind) for q in made.waiting_on] == [("ann", "roll")]
        answer(made, 5)

    def test_finished_answers_are_taken_too(self) -> None:
        """What a bot gives goes through the same checks as what a person types."""
        made = attempting().played(2)
        answer(made, Ruled(tw.Ruling("unclear")))
        answer(made, Clarified("over it", "climb"))
        answer(made, Ruled(tw.Ruling("automatic", tier="minor", success="over")))
        answer(made, Confirmed())
        assert ready(made, "selka") == 5
        walked = self.asked()
        answer(walked, Chosen("0", 1))
        with pytest.raises(tw.Refused):
            answer(walked, Chosen("0", 9))
        answer(walked, Chosen("0"))
        with pytest.raises(tw.Refused):
            answer(walked, Ordered(("guard",)))
        answer(walked, Ordered(("guard", "captain")))


class TestOverrides:
    def test_a_value_by_its_name(self) -> None:
        made = crossing()
        made.override({"selka.ready": 2, "guard.skills.melee": 5}, "the potion")
        assert ready(made, "selka") == 2
        assert made.state.actors["guard"].skills == {"melee": 5}
        assert isinstance(made.live[-1].input, Overridden)
        assert made.live[-1].input.reason == "the potion"

    def test_or_any_event_of_the_game(self) -> None:
        made = crossing()
        made.override(Perceived("", "selka", "guard", clear=False), "he looks away")
        assert made.state.relations["selka"]

    @pytest.mark.parametrize("reason", ["", "  "])
    def test_never_without_a_reason(self, reason: str) -> None:
        made = crossing()
        before = snapshot(made)
        with pytest.raises(tw.Refused, match="reason"):
            made.override({"selka.ready": 2}, reason)
        assert snapshot(made) == before

    @pytest.mark.parametrize(
        "changes",
        [
            {"nobody.ready": 1},
            {"selka.luck": 1},
            {"selka": 1},
            {"": 1},
            {"selka.ready": "many"},
            {"selka.ready": None},
            {"selka.ready.deep": 1},
            {"selka.ready": object()},
            {"selka.wounds": 1.5},
            {"selka.at": "x" * 3, "selka.id": 5},
            Changed("", "nobody.ready", "1"),
            Changed("", "selka.ready", "not json"),
            Gone("", "nobody"),
            [Moved("", "nobody", (1, 1), 2)],  # type: ignore[arg-type]
            [3],
            3,
        ],
    )
    def test_what_does_not_fit_is_refused_and_changes_nothing(self, changes: Any) -> None:
        made = crossing()
        before = snapshot(made)
        with pytest.raises(tw.Refused):
            made.override(changes, "a whim")
        assert snapshot(made) == before

    def test_in_the_middle_of_an_action_the_question_is_put_again(self) -> None:
        made = hiding().played(3)
        made.override({"selka.ready": 1}, "tired")
        assert {who for who, _ in asked(made)} >= {"cy"}
        assert all(q.question.most == 0 for q in made.waiting_on if q.who == "ann")
        assert ready(made, "selka") == 1

    def test_what_can_no_longer_be_paid_after_it_is_barred(self) -> None:
        made = hiding().played(3)
        made.override({"selka.ready": 0}, "spent")
        assert made.waiting_on == ()
        assert happened(made, Barred)
        assert ready(made, "selka") == 0

    def test_nobody_commits_what_an_override_took(self) -> None:
        made = crossing(begin="guard")
        made.override({"selka.at": [2, 2]}, "she is near")
        made.declare("guard", "attack", target="selka", boost=0)
        assert question(made).options == ("no_response", "full_guard", "clash:sword")
        made.override({"selka.ready": 0}, "spent")
        for held in made.waiting_on:
            assert held.options == ("no_response",)
            answer(made, "no_response")
        assert made.outcome.result in ("hit", "miss")
        assert ready(made, "selka") == 0

    def test_whoever_acts_leaves_the_scene_in_the_middle(self) -> None:
        """The action is broken off, and play goes on without them."""
        for make, done in ((hiding, 3), (hiding, 6), (attempting, 2), (attempting, 5), (passing, 2), (ordering, 2)):
            for who in ("selka", "guard"):
                made = make().played(done)
                if who not in made.state.actors:
                    continue
                made.override(Gone("", who), "lightning")
                assert who not in made.state.actors
                assert made.waiting_on == ()
                assert happened(made, Withdrawn)
                made.undo()
                assert made.state == make().played(done).state
                assert [q.question for q in made.waiting_on] == [q.question for q in make().played(done).waiting_on]

    def test_it_brings_hiding_in_line(self) -> None:
        made = hiding().played()
        from turnwright.events import Placed

        made.override(Placed("", "selka", (4, 0)), "blown into the open")
        assert made.state.relations["selka"]
        assert made.live[-1].outcome is not None


class TestModes:
    def test_enforce_refuses(self) -> None:
        made = crossing()
        assert "narateer.activation.proactive-only-in-own" in refused(
            lambda: made.declare("guard", "walk", route=[(4, 1)])
        )

    def test_advise_warns_and_lets_it_pass(self) -> None:
        made = crossing(table_mode="advise")
        made.declare("guard", "walk", route=[(4, 1)])
        assert made.state.actors["guard"].at == (4, 1)
        (waived,) = happened(made, Waived)
        assert any("not Guard's Activation" in why for why in waived.why)

    def test_advise_books_what_cannot_be_paid(self) -> None:
        made = crossing(table_mode="advise")
        made.override({"selka.ready": 0}, "spent")
        made.declare("selka", "run", route=[(1, 3)])
        assert ready(made, "selka") == 0
        owed = [cost for event in happened(made, Waived) for cost in event.owed]
        assert [(cost.resource, cost.amount) for cost in owed] == [("ad", 1)]
        assert made.state.actors["selka"].mode == "run"

    def test_confirm_asks_the_guide_about_what_the_rules_rule(self) -> None:
        made = crossing(table_mode="confirm")
        made.declare("selka", "run", route=[(1, 3)])
        assert asked(made) == [("guide", "rule")]
        assert question(made).question.suggested[0].kind == "procedure"
        assert ready(made, "selka") == 6
        answer(made, 0)
        assert ready(made, "selka") == 5

    def test_the_guide_overrules_with_a_reason(self) -> None:
        made = crossing()
        made.declare("guard", "walk", route=[(4, 1)], seat="guide", overrule="he is quick")
        (waived,) = happened(made, Waived)
        assert waived.why[0] == "he is quick"
        assert made.live[-1].input.overrule == "he is quick"

    def test_a_player_does_not(self) -> None:
        made = crossing()
        before = snapshot(made)
        with pytest.raises(tw.Refused):
            made.declare("guard", "walk", route=[(4, 1)], overrule="I am quick")
        assert snapshot(made) == before

    def test_one_overruled_action_does_not_make_the_next_one_free(self) -> None:
        made = crossing()
        made.declare("guard", "walk", route=[(4, 1)], seat="guide", overrule="he is quick")
        made.override({"selka.ready": 0}, "spent")
        with pytest.raises(tw.Refused, match="Ready AD"):
            made.declare("selka", "run", route=[(1, 3)])

    def test_what_nobody_could_carry_out_is_refused_in_every_mode(self) -> None:
        for mode in ("advise", "enforce"):
            made = crossing(table_mode=mode)
            for said in (
                {"actor": "nobody", "action": "walk", "route": [(1, 3)]},
                {"actor": "selka", "action": "fly"},
                {"actor": "selka", "action": "walk"},
                {"actor": "selka", "action": "attempt"},
                {"actor": "selka", "action": "opportunity_attack", "target": "guard"},
            ):
                before = snapshot(made)
                with pytest.raises(tw.Refused):
                    made.declare(seat="guide", overrule="because", **said)
                assert snapshot(made) == before

    def test_undo_in_an_overruled_action_keeps_what_was_let_pass(self) -> None:
        made = crossing(begin="guard")
        made.override({"guard.ready": 0}, "spent")
        made.declare("guard", "attack", target="captain", boost=0, seat="guide", overrule="a quarrel")
        made.answer(question(made), "no_response")
        made.undo()
        assert asked(made) == [("cy", "choose")]
        answer(made, "no_response")
        assert ready(made, "guard") == 0


class TestUndo:
    def test_it_takes_the_dice_that_followed_with_it(self) -> None:
        made = attempting().played(6)
        assert made.waiting_on == ()
        gone = made.undo()
        assert [type(entry.input).__name__ for entry in gone] == ["Answered", "Answered"]
        assert asked(made) == [("ann", "commit")]

    def test_it_leaves_a_trace(self) -> None:
        made = attempting().played(6)
        before = len(made.log)
        made.undo()
        assert len(made.log) == before + 1
        assert made.log[-1].input == Undone(before - 2)
        assert len(made.live) == before - 2

    def test_it_says_beforehand_what_it_would_take_back(self) -> None:
        made = attempting().played(6)
        assert made.would_undo() == made.undo()
        assert tw.Table(made.start).would_undo() == ()

    def test_there_is_nothing_before_the_start(self) -> None:
        made = attempting().table()
        for call in (made.undo, made.redo):
            with pytest.raises(tw.Refused, match="nothing"):
                call()

    def test_undo_of_do_is_nothing(self) -> None:
        made = attempting().played(1)
        state, pending, chain = made.state, made.pending, made._chain
        made.declare("selka", "attempt", intent="a", method="b")
        made.undo()
        assert (made.state, made.pending, made._chain) == (state, pending, chain)

    def test_a_seat_takes_back_its_own_declaration_while_nothing_came_of_it(self) -> None:
        made = attempting().played(2)
        made.undo(seat="ann")
        assert made.waiting_on == ()
        assert made.log[-1].by == "ann"

    def test_but_not_anothers(self) -> None:
        made = attempting().played(2)
        before = snapshot(made)
        with pytest.raises(tw.Refused, match="only the guide"):
            made.undo(seat="cy")
        assert snapshot(made) == before

    def test_nor_once_anything_was_closed(self) -> None:
        for done in (3, 4, 5, 6):
            made = attempting().played(done)
            with pytest.raises(tw.Refused, match="only the guide"):
                made.undo(seat="ann")

    def test_nor_once_anything_was_shown(self) -> None:
        """A walk into the dark is not taken back after looking around there."""
        made = crossing()
        made.declare("selka", "walk", route=[(1, 3)])
        with pytest.raises(tw.Refused, match="only the guide"):
            made.undo(seat="ann")
        made.undo()

    def test_redo_brings_it_back_dice_and_all(self) -> None:
        made = attempting().played(6)
        state, live = made.state, made.live
        made.undo()
        made.redo()
        assert made.state == state
        assert made.live == live

    def test_redo_step_by_step(self) -> None:
        made = attempting().played()
        states = []
        while made.live:
            states.append(made.state)
            made.undo()
        for state in reversed(states):
            made.redo()
            assert made.state == state

    def test_something_else_forgets_what_was_undone(self) -> None:
        made = attempting().played(6)
        made.undo()
        answer(made, 0)
        with pytest.raises(tw.Refused, match="nothing to do again"):
            made.redo()

    def test_the_same_again_is_as_good_as_redo(self) -> None:
        made = attempting().played(7)
        made.undo()
        made.undo()
        answer(made, 2)
        made.redo()
        assert made.state == attempting().played(7).state

    def test_an_undone_action_can_be_changed(self) -> None:
        made = attempting().played(6)
        made.undo()
        answer(made, 0)
        assert ready(made, "selka") == 5


class TestStale:
    def test_an_answer_to_a_question_that_is_over_is_refused(self) -> None:
        made = attempting().played(2)
        first = question(made)
        answer(made, "unclear")
        with pytest.raises(tw.Refused, match="no open question") as caught:
            made.answer(first, "unclear")
        assert caught.value.refusals[0].code == "STALE"

    def test_a_repeated_answer_does_not_answer_the_next_question_of_the_kind(self) -> None:
        made = crossing()
        made.declare("selka", "walk", route=PATH)
        first = next(q for q in made.waiting_on if q.who == "cy")
        answer(made, "pass")
        made.answer(first, "pass")
        assert asked(made) == [("bo", "choose"), ("cy", "choose")], "the next step asks the same"
        with pytest.raises(tw.Refused, match="no open question"):
            made.answer(first, "pass")

    def test_nor_after_an_undo(self) -> None:
        made = attempting().played(5)
        commit = question(made)
        answer(made, 0)
        made.undo()
        assert question(made).kind == "commit"
        with pytest.raises(tw.Refused, match="no open question"):
            made.answer(commit, 0)

    @pytest.mark.parametrize("name", ["", "guide", "guide.", "guide.99", "ann.1", ".", "0.0", "guide.1.1"])
    def test_a_name_that_was_never_given(self, name: str) -> None:
        made = attempting().played(2)
        before = snapshot(made)
        with pytest.raises(tw.Refused):
            made.answer(name, "unclear")
        assert snapshot(made) == before

    def test_nothing_is_declared_while_a_question_is_open(self) -> None:
        made = attempting().played(2)
        before = snapshot(made)
        with pytest.raises(tw.Refused, match="a question is open") as caught:
            made.declare("selka", "attempt", intent="x", method="y")
        assert caught.value.refusals[0].code == "QUESTION_OPEN"
        assert "guide" not in str(caught.value), "it does not say who is asked"
        assert snapshot(made) == before

    def test_an_answer_is_its_seats_or_the_guides(self) -> None:
        made = attempting().played(5)
        with pytest.raises(tw.Refused, match="for ann to answer"):
            made.answer(question(made), 0, seat="cy")
        made.answer(question(made), 0, seat="guide")
        assert made.waiting_on == ()


class TestSeats:
    def test_nobody_declares_for_somebody_elses_character(self) -> None:
        made = crossing()
        before = snapshot(made)
        for call in (made.declare, made.odds):
            with pytest.raises(tw.Refused, match="not yours to play"):
                call("selka", "walk", route=[(1, 3)], seat="bo")
        assert made.explain("selka", "walk", route=[(1, 3)], seat="bo").verdict == "illegal"
        assert snapshot(made) == before

    def test_nor_in_a_mode_that_only_advises(self) -> None:
        made = crossing(table_mode="advise")
        with pytest.raises(tw.Refused, match="not yours to play"):
            made.declare("selka", "walk", route=[(1, 3)], seat="bo")

    def test_the_guide_declares_for_anybody(self) -> None:
        made = crossing()
        made.declare("selka", "walk", route=[(1, 3)], seat="guide")
        assert made.state.actors["selka"].at == (1, 3)


JUNK: list[dict[str, Any]] = [
    {"route": 5},
    {"route": "abc"},
    {"route": [(1,)]},
    {"route": [(1, "x")]},
    {"route": [None]},
    {"route": [(1.5, 2)]},
    {"to": "somewhere"},
    {"to": (1, 2, 3)},
    {"to": "1,2,3"},
    {"boost": "2"},
    {"boost": 1.5},
    {"boost": True},
    {"boost": -1},
    {"intent": 5},
    {"method": ["a"]},
    {"target": 5},
    {"options": {"a": 1}},
    {"colour": object()},
    {"to": None, "boost": 10**30},
    {"at": "x"},
    {"range": "far"},
    {"parts": 3.5},
    {"skill": 7},
    {"part": "x"},
    {"weapon": ""},
    {"weapon": "cannon"},
    {"target": "nobody"},
    {"using": "nothing", "intent": "x"},
    {"goal": "glory", "method": "x"},
    {"clear": "perhaps"},
    {"evidence": "1" * 10_000, "method": "x", "at": "99999,99999"},
    {"route": [(10**9, 10**9)]},
    {"to": (10**8, 5)},
]


@pytest.mark.parametrize("said", JUNK, ids=[f"{n} {next(iter(junk))}" for n, junk in enumerate(JUNK)])
@pytest.mark.parametrize("mode", ["enforce", "advise"])
def test_whatever_is_said_is_done_or_refused_and_never_an_error(said: dict[str, Any], mode: str) -> None:
    made = crossing(table_mode=mode, dice=(3,) * 200)
    for action in list(made.game.actions):
        before = snapshot(made)
        with suppress(tw.Refused):
            made.explain("selka", action, **said)
        assert snapshot(made) == before
        try:
            made.declare("selka", action, **said)
        except tw.Refused:
            assert snapshot(made) == before
        made = crossing(table_mode=mode, dice=(3,) * 200)


class TestDice:
    def test_a_table_may_be_told_during_play_who_rolls_by_hand(self) -> None:
        made = tw.Table(attempting().start, seed=7)
        made.declare("selka", "begin")

        def roll() -> list[str]:
            made.declare("selka", "attempt", intent="x", method="y", boost=0)
            answer(made, {"kind": "check", "skill": "athletics", "target": 6, "success": "s", "failure": "f", "ad": 0})
            answer(made, "yes")
            if made.waiting_on:
                answer(made, 5)
            return [entry.input.answers[0].by for entry in made.live if "Rolled" in repr(entry.input)][-1:]

        assert roll() == ["engine"]
        made.by_hand = ("ann",)
        assert roll() == ["table"]
        made.by_hand = ()
        assert roll() == ["engine"]
        assert tw.verify(made) == []

    def test_a_source_may_leave_single_rolls_to_people(self) -> None:
        class Mixed(Scripted):
            def faces(self, pool: Any, chain: bytes, index: int) -> Any:
                return None if pool.dice > 1 else super().faces(pool, chain, index)

        made = tw.Table(attempting().start, dice=Mixed(4))
        made.declare("selka", "begin")
        made.declare("selka", "attempt", intent="x", method="y", boost=1)
        answer(made, {"kind": "check", "skill": "athletics", "target": 6, "success": "s", "failure": "f"})
        answer(made, "yes")
        assert asked(made) == [("ann", "roll")]

    @pytest.mark.parametrize("dice", ["dice", "", "none"])
    def test_dice_that_do_not_exist(self, dice: str) -> None:
        with pytest.raises(ValueError, match="dice are"):
            tw.Table(attempting().start, dice=dice)

    def test_people_roll_for_everybody_where_the_dice_are_the_tables(self) -> None:
        made = tw.Table(attempting().start, dice="table")
        assert isinstance(made.source, ByHand)


class TestVersions:
    def test_a_version_never_comes_twice(self) -> None:
        for make in (hiding, attempting, passing, ordering):
            journey = make()
            made = journey.table()
            seen: dict[str, dict[int, Any]] = {seat: {} for seat in ("guide", "ann", "bo", "cy")}
            for number, step in enumerate(journey.steps):
                step(made)
                check_versions(made, seen)
                if number % 3 == 1 and not any(q.drafted for q in made.waiting_on):
                    made.undo()
                    check_versions(made, seen)
                    made.redo()
                check_versions(made, seen)

    def test_undo_and_something_else_is_a_new_version(self) -> None:
        made = crossing()
        made.declare("selka", "walk", route=[(1, 3)])
        first = made.version("ann")
        made.undo()
        made.declare("selka", "walk", route=[(1, 1)])
        assert made.version("ann") > first

    def test_nothing_hidden_moves_it(self) -> None:
        made = table(
            character("selka", "heroes", (1, 1), seat="ann"),
            character("guard", "guards", (6, 1), seat="cy"),
            rows=["...#....", "...#....", "...#...."],
            seats=SEATS,
        )
        made.declare("guard", "begin")
        before = made.version("ann"), made.view("ann")
        made.declare("guard", "walk", route=[(5, 1)])
        made.override({"guard.skills.melee": 4, "guard.ready": 2}, "stronger")
        made.override(SearchBegun("", "guard", by_word=True), "he looks")
        made.undo()
        made.declare("guard", "attempt", intent="think", method="hard")
        assert (made.version("ann"), made.view("ann")) == before
        assert made.version("cy") > 0


def check_versions(made: tw.Table, seen: dict[str, dict[int, Any]]) -> None:
    """The same version shows a seat the same things."""
    for seat, by_version in seen.items():
        version, view = made.version(seat), made.view(seat)
        assert by_version.setdefault(version, view) == view
        assert version >= max(by_version)


def test_a_scene_of_a_game_that_is_not_installed() -> None:
    with pytest.raises(tw.BadScene, match=r"system: expected one of the games: .*narateer.*, got 'chess'"):
        tw.read_scene("system: chess\ntitle: x\n")


def test_a_scene_file_that_is_not_there(tmp_path: Any) -> None:
    with pytest.raises(tw.BadScene, match="a scene file"):
        tw.load_scene(tmp_path / "nothing.yaml")


def test_a_scene_file(tmp_path: Any) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(scene(character("selka", "heroes", (1, 1))).scene.source)
    assert tw.load_scene(path).actors["selka"].at == (1, 1)


class TestTheScenesSeed:
    def test_the_file_fixes_the_dice_where_nobody_says_otherwise(self) -> None:
        start = scene(character("selka", "heroes", (1, 1), seat="ann"), seats=[{"id": "ann"}], seed=5)
        assert start.scene.seed == 5
        assert tw.Table(start).commitment == tw.Table(start, seed=5).commitment != tw.Table(start, seed=6).commitment
        bare = scene(character("selka", "heroes", (1, 1)))
        assert tw.Table(bare).commitment != tw.Table(bare).commitment

    def test_no_seat_is_shown_it(self) -> None:
        start = scene(character("selka", "heroes", (1, 1), seat="ann"), seats=[{"id": "ann"}], seed=5)
        assert tw.Table(start).knows("ann").scene.seed is None


def test_a_change_that_does_not_fit_is_named_in_words() -> None:
    made = crossing()
    with pytest.raises(tw.Refused) as refused_:
        made.override([Gone("", "selka"), Halted("", "selka", "x")], "gone")
    assert "Gone(" not in str(refused_.value)
    with pytest.raises(tw.Refused, match=r"^selka.ready = \[\] does not fit: ") as refused_:
        made.override({"selka.ready": []}, "typed")
    assert "Changed(" not in str(refused_.value)
