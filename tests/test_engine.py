"""The one path, on a game that is only there to test it: what is asked when, what is charged when, what is data."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pebbles import Answer, Left, Pebbles, Rattled, Wager, Whispered, Won, pebbles
from scenes import answer, question

import turnwright as tw
from turnwright.dice import Scripted
from turnwright.engine import Play, act
from turnwright.events import Acted, Barred, Changed, Charged, Told, Withdrawn
from turnwright.gate import legal, offers, reasons
from turnwright.model import (
    Again,
    Choose,
    Chosen,
    Commit,
    Committed,
    Cost,
    Declaration,
    Outcome,
    Price,
    Roll,
    Rolled,
    State,
)
from turnwright.rules import Game, find_game, total_of
from turnwright.running import Interjection, Pending, Run, open_moment

__all__ = ["pebbles"]


def playing(dice: tuple[Any, ...] = (), seats: dict[str, str] | None = None, **counts: int) -> tw.Table:
    said = {"system": "pebbles", "pebbles": counts or {"a": 3, "b": 3}, "seats": seats or {}}
    return tw.Table(tw.read_scene(msgspec.json.encode(said).decode()), seed=1, dice=Scripted(*dice))


def story(made: tw.Table) -> list[str]:
    return [type(event).__name__ for entry in made.live for event in entry.events]


def has(made: tw.Table) -> dict[str, int]:
    return {name: actor.pebbles for name, actor in made.state.actors.items()}


@pytest.mark.usefixtures("pebbles")
class TestTheGate:
    def test_every_action_is_offered_the_refused_ones_with_their_reasons(self) -> None:
        made = playing(a=0, b=3)
        listed = {offer.action: offer for offer in made.offers("a")}
        assert list(listed) == ["wager", "rattle", "answer", "cheer", "march", "petition"]
        assert listed["wager"].verdict == "illegal"
        assert [r.code for r in listed["wager"].refusals] == ["SHORT"]
        assert listed["rattle"].verdict == "legal"
        assert listed["petition"].verdict == "ruling"

    def test_all_reasons_come_at_once(self) -> None:
        made = playing(a=0, b=3)
        codes = [refusal.code for refusal in made.explain("a", "answer").refusals]
        assert codes == ["NO_TRIGGER", "SHORT"]

    def test_reasons_and_the_first_reason_agree(self) -> None:
        made = playing(a=0, b=3)
        for name in ("a", "b", "nobody"):
            for action in [*made.game.actions, "fly"]:
                for boost, whole in product((None, 1), (False, True)):
                    d = Declaration(name, action, boost=boost)
                    every = list(reasons(made.game, made.state, d, whole=whole))
                    assert legal(made.game, made.state, d, whole=whole) == (not every)

    def test_a_boost_counts_toward_what_must_be_paid(self) -> None:
        made = playing(a=2, b=3)
        assert made.explain("a", "wager", boost=1).verdict == "legal"
        assert [r.code for r in made.explain("a", "wager", boost=2).refusals] == ["SHORT"]
        assert made.explain("a", "wager", boost=3).refusals[0].rule == "pebbles.wager.limit"
        assert [r.code for r in made.explain("a", "rattle", boost=1).refusals] == ["NO_BOOST"]

    def test_the_price_of_an_offer_is_the_whole_one(self) -> None:
        price = playing().explain("a", "wager", boost=2).price
        assert price.amount("pebbles") == 3
        assert [item.why for item in price.costs] == ["wager", "more dice"]

    def test_nobody_has_no_offers(self) -> None:
        assert playing().offers("nobody") == ()


@pytest.mark.usefixtures("pebbles")
class TestThePath:
    def test_everything_is_charged_before_a_die_falls(self) -> None:
        made = playing(dice=(5,))
        made.declare("a", "wager", boost=1)
        assert story(made) == ["Charged", "Acted", "Won"]
        assert has(made) == {"a": 3 - 2 + 2, "b": 3}
        assert made.outcome == Outcome("wager", "won", amount=5)

    def test_a_commitment_that_was_not_declared_is_asked_for(self) -> None:
        made = playing(dice=((2, 6),))
        made.declare("a", "wager")
        assert question(made).kind == "commit"
        assert question(made).question.most == 2
        assert story(made) == []
        answer(made, 1)
        assert made.outcome == Outcome("wager", "won", amount=6)

    def test_withdrawing_costs_nothing(self) -> None:
        made = playing()
        made.declare("a", "wager")
        answer(made, tw.Withdraw)
        assert story(made) == ["Withdrawn"]
        assert has(made) == {"a": 3, "b": 3}

    def test_the_ledger_is_in_one_place(self) -> None:
        """A price is charged in one event, whole."""
        made = playing(dice=(1,))
        made.declare("a", "wager", boost=2)
        (charged,) = [event for entry in made.live for event in entry.events if isinstance(event, Charged)]
        assert charged.costs == (
            Cost("pebbles", 1, "wager", "pebbles.plain.rule"),
            Cost("pebbles", 2, "more dice", "pebbles.wager.limit"),
        )

    def test_a_ruled_price_is_confirmed_and_one_that_cannot_be_paid_barred(self) -> None:
        made = playing()
        made.declare("a", "petition", intent="x", method="y")
        answer(made, {"kind": "automatic", "ad": 2})
        assert question(made).kind == "confirm"
        answer(made, "yes")
        assert has(made)["a"] == 1
        made.declare("a", "petition", intent="x", method="y")
        answer(made, {"kind": "automatic", "ad": 2})
        assert isinstance(made.live[-1].events[-1], Barred)
        assert has(made)["a"] == 1

    def test_another_procedure_by_the_guides_word(self) -> None:
        made = playing(dice=(4,))
        made.declare("a", "petition", intent="x", method="y", boost=0)
        answer(made, {"kind": "procedure", "procedure": "wager"})
        while made.waiting_on:
            answer(made, "yes" if question(made).kind == "confirm" else 0)
        assert made.outcome == Outcome("wager", "won", amount=4)
        assert [event.action for entry in made.live for event in entry.events if isinstance(event, Acted)] == ["wager"]

    def test_a_procedure_that_is_not_open_is_impossible_and_free(self) -> None:
        made = playing(a=0, b=1)
        made.declare("a", "petition", intent="x", method="y")
        answer(made, {"kind": "procedure", "procedure": "wager"})
        assert made.outcome == Outcome("petition", "impossible")
        assert story(made) == ["RulingKept", "Impossible"]
        assert "it needs 1 pebbles; there are 0" in made.live[-1].events[-1].obstacle  # type: ignore[attr-defined]

    def test_a_game_without_hiding_has_nothing_to_settle(self) -> None:
        made = playing()
        made.override({"a.pebbles": 9}, "a gift")
        assert has(made) == {"a": 9, "b": 3}
        assert made.pending is None


@pytest.mark.usefixtures("pebbles")
class TestReactions:
    def test_a_reaction_changes_the_moment(self) -> None:
        made = playing()
        made.declare("a", "rattle")
        answer(made, "0")
        while made.waiting_on:
            answer(made, "pass")
        assert made.outcome is not None
        assert made.outcome.amount == 2

    def test_a_reaction_to_a_reaction(self) -> None:
        """Rattle, answered by b, which a answers in turn: 1 + (1 + 1)."""
        made = playing()
        made.declare("a", "rattle")
        answer(made, "0")
        assert [q.actor for q in made.waiting_on] == ["a"]
        answer(made, "0")
        while made.waiting_on:
            answer(made, "pass")
        assert made.outcome is not None
        assert made.outcome.amount == 3
        assert has(made) == {"a": 2, "b": 2}

    def test_it_ends_where_nobody_can_pay_any_more(self) -> None:
        made = playing(a=5, b=2, c=1)
        made.declare("a", "rattle")
        for _ in range(100):
            if not made.waiting_on:
                break
            held = question(made)
            answer(made, list(held.question.among) if held.kind == "order" else held.options[-1])
        assert made.waiting_on == ()
        assert min(has(made).values()) >= 0

    def test_what_was_open_when_it_was_chosen_may_be_closed_when_its_turn_comes(self) -> None:
        """Both answer; b's answer is answered by c, who then has nothing left for the first moment."""
        made = playing(a=0, b=1, c=1)
        made.declare("a", "rattle")
        answer(made, "0")
        answer(made, "0")
        answer(made, ["b", "c"])
        assert [q.actor for q in made.waiting_on] == ["c"]
        answer(made, "0")
        assert made.waiting_on == ()
        assert has(made) == {"a": 0, "b": 0, "c": 0}
        charged = [e.actor for entry in made.live for e in entry.events if isinstance(e, Charged)]
        assert charged == ["b", "c"]

    def test_an_interjection_may_ask_a_question_of_its_own(self) -> None:
        made = playing(dice=(4,))
        made.declare("a", "wager")
        made.interject("b", "cheer")
        assert [(q.actor, q.kind) for q in made.waiting_on] == [("b", "choose")]
        answer(made, "loudly")
        assert [(q.actor, q.kind) for q in made.waiting_on] == [("a", "commit")]
        answer(made, 0)
        assert story(made) == ["Acted", "Told", "Charged", "Acted", "Won"]

    def test_several_interject_into_the_same_commitment(self) -> None:
        made = playing(dice=(4,), a=3, b=3, c=3)
        made.declare("a", "wager")
        for name, how in (("b", "loudly"), ("c", "softly"), ("b", "softly")):
            made.interject(name, "cheer")
            answer(made, how)
        answer(made, 0)
        told = [event.text for entry in made.live for event in entry.events if isinstance(event, Told)]
        assert told == ["cheers loudly", "cheers softly", "cheers softly"]

    def test_only_what_is_interjected_is(self) -> None:
        made = playing()
        made.declare("a", "wager")
        with pytest.raises(tw.Refused, match="nothing is waiting that this could be done in"):
            made.interject("b", "rattle")


@pytest.mark.usefixtures("pebbles")
class TestPending:
    def test_a_pending_action_is_the_state_before_it_and_the_inputs_so_far(self) -> None:
        made = playing()
        before = made.state
        made.declare("a", "rattle")
        answer(made, "0")
        assert made.pending is not None
        assert made.pending.base is before
        assert made.pending.declaration.action == "rattle"
        assert [type(given).__name__ for given in made.pending.inputs] == ["Closed"]

    def test_running_it_again_gives_the_same_questions_and_state(self) -> None:
        made = playing()
        made.declare("a", "rattle")
        answer(made, "0")
        assert made.pending is not None
        play = Play(made.game, made.start)
        run = Run.again(play, made.pending)
        assert run.questions == made._run.questions
        assert play.state == made.state

    def test_a_long_action_starts_anew_at_each_step(self) -> None:
        """Also where a step changes nothing, so that the state is the very same."""
        for how in ("quiet", "noisy"):
            made = playing()
            made.declare("a", "march", steps=4)
            for left in (4, 3, 2, 1):
                assert made.pending is not None
                assert made.pending.inputs == ()
                assert made.pending.declaration.options == {"steps": left}
                assert made.pending.base is made.state
                again = Run.again(Play(made.game, made.start), made.pending)
                assert again.questions == made._run.questions
                answer(made, how)
            assert made.outcome == Outcome("march", "arrived")

    def test_a_long_action_survives_save_and_undo_at_each_step(self, tmp_path: Path) -> None:
        made = playing()
        made.declare("a", "march", steps=3)
        for how in ("quiet", "noisy"):
            answer(made, how)
            made.undo()
            answer(made, how)
            made.save(tmp_path / "log")
            made = tw.Table.load(tmp_path / "log")
        answer(made, "quiet")
        assert made.outcome == Outcome("march", "arrived")
        assert has(made)["a"] == 4

    def test_somebody_who_leaves_breaks_off_what_is_under_way(self) -> None:
        made = playing(a=3, b=3, c=3)
        made.declare("a", "rattle")
        made.override(Left("", "c"), "called away")
        assert made.waiting_on == ()
        assert made.outcome == Outcome("rattle", "withdrawn")
        assert set(made.state.actors) == {"a", "b"}
        made.undo()
        assert [q.actor for q in made.waiting_on] == ["b", "c"]

    def test_the_events_of_an_interjection_are_inputs_of_the_pending_action(self) -> None:
        made = playing()
        made.declare("a", "wager")
        made.interject("b", "cheer")
        assert made.pending is not None
        assert [type(given) for given in made.pending.inputs] == [Interjection]


@pytest.mark.usefixtures("pebbles")
class TestDriving:
    """The path by hand, without a table."""

    def start(self, **counts: int) -> tuple[Game, State]:
        made = playing(**counts)
        return made.game, made.state

    def test_a_rule_is_a_generator_of_question_groups(self) -> None:
        game, state = self.start()
        play = Play(game, state)
        steps = act(play, Declaration("a", "wager"))
        (commit,) = next(steps)
        assert isinstance(commit, Commit)
        (roll,) = steps.send((Committed(1),))
        assert isinstance(roll, Roll)
        assert roll.pool.dice == 2
        with pytest.raises(StopIteration) as end:
            steps.send((Rolled(6, 6),))
        assert end.value.value == Outcome("wager", "won", amount=6)

    def test_the_same_question_comes_again_after_an_interruption(self) -> None:
        game, state = self.start()
        steps = act(Play(game, state), Declaration("a", "rattle"))
        first = next(steps)
        assert steps.send((Again(),)) == first

    def test_an_answer_of_another_kind_is_not_taken(self) -> None:
        game, state = self.start()
        steps = act(Play(game, state), Declaration("a", "wager", boost=0))
        first = next(steps)
        assert steps.send((Chosen("x"),)) == first

    def test_an_open_commitment_is_a_moment(self) -> None:
        game, state = self.start()
        run = Run.start(Play(game, state), Declaration("a", "wager"))
        assert open_moment(run.questions) is not None
        assert open_moment(()) is None
        assert open_moment((Choose("g", "a", "", "", ()),)) is None

    def test_a_run_can_be_built_from_its_pending(self) -> None:
        game, state = self.start()
        pending = Pending(state, Declaration("a", "march", options={"steps": 2}), goes_on=True)
        run = Run.again(Play(game, state), pending)
        assert [type(q) for q in run.questions] == [Choose]

    def test_where_the_table_only_advises_what_there_is_is_charged(self) -> None:
        game, state = self.start(a=1, b=1)
        play = Play(game, state, advise=True)
        steps = act(play, Declaration("a", "wager", boost=1))
        next(steps)
        assert play.state.actors["a"].pebbles == 0
        assert [type(event).__name__ for event in play.events] == ["Charged", "Waived", "Acted"]


class TestGames:
    def test_two_actions_of_one_name(self, pebbles: Pebbles) -> None:
        with pytest.raises(ValueError, match="two actions are called wager"):
            pebbles.register(Wager())

    def test_an_action_without_conditions_or_price_cannot_be_built(self) -> None:
        from turnwright.rules import Action

        class Lacking(Action):
            name, about, rules = "lacking", "", ()

        with pytest.raises(TypeError, match=r"price.*refusals.*resolve"):
            Lacking()  # type: ignore[abstract]

    def test_reactions_are_found_by_their_moment(self, pebbles: Pebbles) -> None:
        assert [type(r) for r in pebbles.reactions[Answer.reacts_to]] == [Answer]  # type: ignore[index]

    def test_a_game_that_is_not_there(self) -> None:
        with pytest.raises(LookupError, match=r"no game is called 'go'; there are: .*narateer"):
            find_game("go")

    def test_the_guide_learns_of_everything(self, pebbles: Pebbles) -> None:
        made = playing(seats={"a": "ann", "b": "bo"})
        event = Whispered("", "a")
        for seat, seen in (("guide", event), ("ann", event), ("bo", None)):
            assert pebbles.sees_event(made.state, made.state, event, seat) == seen

    def test_who_is_down_is_not_news_to_somebody_who_knows_everybody(self, pebbles: Pebbles) -> None:
        made = playing(seats={"a": "ann", "b": "bo"})
        assert pebbles.sees_event(made.state, made.state, Won("", "a", 1), "bo") == Won("", "a", 1)

    def test_modifiers_are_added_first_and_multiplied_after(self) -> None:
        from fractions import Fraction

        from turnwright.rules import Modifier

        parts = [Modifier("x", Fraction(1, 2), "", times=True), Modifier("y", Fraction(3), "")]
        assert total_of(parts, 5) == 4
        assert total_of([], 5) == 5


class TestEvents:
    def test_a_change_by_its_path(self, pebbles: Pebbles) -> None:
        state = playing().state
        assert Changed("", "a.pebbles", "7").apply(state).actors["a"].pebbles == 7
        assert Changed("", "a.at", "[1, 2]").apply(state).actors["a"].at == (1, 2)
        assert state.actors["a"].pebbles == 3

    def test_a_change_of_the_wrong_kind(self, pebbles: Pebbles) -> None:
        with pytest.raises(msgspec.ValidationError):
            Changed("", "a.pebbles", '"many"').apply(playing().state)

    def test_events_that_only_tell_change_nothing(self, pebbles: Pebbles) -> None:
        state = playing().state
        for event in (Told("", "a", "x"), Withdrawn("", "a", "x"), Acted("", "a", "x", "proactive")):
            assert event.apply(state) is state

    def test_prices_add_up(self) -> None:
        price = Price((Cost("ad", 1, "", ""), Cost("ad", 2, "", ""), Cost("use:melee", 1, "", "")))
        assert price.amount("ad") == 3
        assert price.amount("use:melee") == 1
        assert price.amount("gold") == 0


def test_every_offer_of_a_moment(pebbles: Pebbles) -> None:
    made = playing()
    listed = {o.action: o.verdict for o in offers(made.game, made.state, "b", Rattled("a"))}
    assert listed["answer"] == "legal"
    assert {o.action: o.verdict for o in offers(made.game, made.state, "a", Rattled("a"))}["answer"] == "illegal"
