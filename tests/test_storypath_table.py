"""Storypath at a table and in the terminal: whose choice it is, saved in the middle of it, and played by people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scions import begun, foe, go_on, happened, held, hero, plainly, pool, question, result, rolled_roster, scene, who
from typer.testing import CliRunner

import turnwright as tw
from turnwright.cli import app
from turnwright.log import Answered
from turnwright.systems.storypath.events import Did, GrappleBegun, PoolRolled, TakenOut
from turnwright.table import verify

SIX = Path(__file__).parent.parent / "examples" / "storypath" / "six.yaml"


def run(*arguments: Any, typed: str = "") -> str:
    found = CliRunner().invoke(app, [str(part) for part in arguments], input=typed)
    assert found.exit_code == 0, (found.output, found.exception)
    assert "mistake in Turnwright" not in found.output
    return found.output


def asked() -> tw.Table:
    """Three players are asked who takes the first slot."""
    made = rolled_roster(hero("ann"), hero("bo"), hero("cy"), foe("wolf"), results=(5, 4, 3, 2))
    made.declare("ann", "begin")
    return made


class TestOneDecisionForSeveralSeats:
    def test_each_seat_sees_its_own_question_and_no_other(self) -> None:
        made = asked()
        for seat in ("ann", "bo", "cy"):
            (shown,) = made.view(seat)["questions"]
            assert shown["who"] == seat
            assert "who takes the PC slot of 5" in shown["prompt"]
        assert len(made.view("guide")["questions"]) == 3

    def test_what_was_answered_is_in_the_log_and_the_rest_is_open_no_more(self) -> None:
        made = asked()
        made.answer(made.waiting_on[1], "cy", seat="bo")
        entry = made.live[-1]
        assert entry.by == "bo"
        assert isinstance(entry.input, Answered)
        assert [given is not None for given in entry.input.answers] == [False, True, False]
        assert made.waiting_on == ()

    def test_it_can_be_taken_back_and_done_again(self) -> None:
        made = asked()
        made.answer(made.waiting_on[1], "cy", seat="bo")
        after = made.state
        made.undo()
        assert [held.who for held in made.waiting_on] == ["ann", "bo", "cy"]
        made.redo()
        assert made.state == after

    def test_a_table_is_saved_and_loaded_in_the_middle_of_it(self, tmp_path: Path) -> None:
        everybody = [hero("ann"), hero("bo"), hero("cy"), foe("wolf", initiative=0)]
        made = tw.Table(scene(*everybody), seed=3)
        made.declare("ann", "begin")
        made.save(tmp_path / "log.jsonl")
        again = tw.Table.load(tmp_path / "log.jsonl")
        assert [held.who for held in again.waiting_on] == ["ann", "bo", "cy"]
        again.answer(again.waiting_on[2], "ann", seat="cy")
        assert again.state.active == "ann"

    def test_what_one_has_said_once_and_for_all_decides_at_once(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), foe("wolf"), results=(5, 4, 2), standing={"bo slot": "ann"})
        made.declare("bo", "begin")
        assert made.state.active == "ann"

    def test_somebody_hands_on_while_the_storyguide_is_asked(self) -> None:
        made = rolled_roster(hero("ann"), hero("bo"), hero("cy"), foe("wolf"), foe("bear"), results=(5, 2, 1, 4, 3))
        go_on(made, "ann")
        made.declare("ann", "end")
        made.declare("wolf", "begin")
        assert question(made).who == "guide"
        made.interject("ann", "hand_on", target="cy", seat="ann")
        assert held(made).named == "cy"
        made.answer(question(made), "bear")
        assert made.state.active == "bear"


class TestWhatHappensMeanwhile:
    """Somebody falls while it is asked who comes next."""

    def test_the_others_are_asked_anew(self) -> None:
        made = asked()
        made.override([TakenOut("", "bo")], "a stray bolt")
        assert [held.who for held in made.waiting_on] == ["ann", "cy"]
        assert set(made.waiting_on[0].options) == {"ann", "cy"}

    def test_where_nobody_is_left_the_next_slot_comes(self) -> None:
        made = asked()
        made.override([TakenOut("", name) for name in ("ann", "bo", "cy")], "a cave-in")
        assert made.waiting_on == ()
        assert made.state.active == "wolf"

    def test_where_nobody_stands_nobody_acts(self) -> None:
        made = asked()
        made.override([TakenOut("", name) for name in ("ann", "bo", "cy", "wolf")], "a cave-in")
        assert made.waiting_on == ()
        assert result(made) == "nobody"
        assert made.next_turn() is None


class TestInTheTerminal:
    def test_bots_play_the_six_and_every_die_fits(self, tmp_path: Path) -> None:
        log = tmp_path / "six.jsonl"
        told = run("play", SIX, "--bots", "all", "--seed", "3", "--save", log)
        assert "one roll for all" in told
        assert "The end: the bar" in told or "The end: the band" in told
        assert "Every die fits the seed" in run("replay", log, "--verify")
        table = tw.replay(log)
        assert verify(table) == []

    def test_a_person_sees_whose_choice_it_is(self) -> None:
        told = run("play", SIX, "--seed", "5", typed="2\nhand_on tove\nend\n1\nquit\n\n")
        assert "Vera (Sigrun): All players together: who takes the PC slot of 4, in round 1?" in told
        assert "[>PC 4, PC 2, SGC 2, SGC 2, SGC 2, PC 0]" in told
        assert "Sigrun hands on to Tove" in told
        assert "Tove takes the PC slot of 2, round 1" in told

    def test_a_person_who_plays_one_seat_is_asked_before_the_bots(self) -> None:
        told = run("play", SIX, "--seed", "5", "--seat", "mia", "--bots", "guide,vera,jon", typed="3\nquit\n\n")
        assert "Mia (Tove): All players together" in told
        assert "Tove takes the PC slot" in told

    def test_all_rules_are_done(self) -> None:
        rows = json.loads(run("rules", "storypath", "--json"))
        assert len(rows) == 45
        assert {row["state"] for row in rows} == {"done"}

    def test_real_dice_are_typed_with_those_that_tens_bring(self, tmp_path: Path) -> None:
        one = tmp_path / "one.yaml"
        run("new", "storypath", one)
        told = run("play", one, "--dice", "table", typed="8 2 3\n10 2 3 4 5 6 9\n8 1 1 1 1 1\n1\nquit\n\n")
        assert "one more for each 10" in told or "initiative: 2 successes" in told

    def test_odds_of_a_mixed_action_tell_both_halves(self) -> None:
        beast = SIX.with_name("winged-beast.yaml")
        told = run("odds", beast, "sigrun", "mixed", "first=attack", "second=balance", "target=beast")
        for word in ("both", "only attack", "only balance", "neither"):
            assert word in told


class TestThreshold:
    """What is over buys off complications; one that is not bought off bites and undoes nothing."""

    DEED = {
        "name": "run",
        "complications": [{"name": "noise", "rating": 1}, {"name": "a fall", "rating": 2, "prone": True}],
    }

    def done(self, roll: int) -> tw.Table:
        made = begun(hero("ann", athletics=3, dexterity=2), foe("wolf"), up="ann", dice=(roll,), deeds=[self.DEED])
        made.declare("ann", "deed", deed="run")
        return made

    def test_three_over_one_buy_off_both(self) -> None:
        made = self.done(4)
        plainly(made)
        assert result(made) == "success"
        assert [event.good for event in happened(made, Did)] == [True]

    def test_one_over_buys_off_the_smaller_one(self) -> None:
        made = self.done(2)
        assert question(made).options == ("0", "done")
        plainly(made)
        assert result(made) == "success"
        assert who(made, "ann").prone

    def test_none_over_buys_nothing_and_it_is_a_success_still(self) -> None:
        made = self.done(1)
        assert result(made) == "success"
        assert [event.deed for event in happened(made, Did) if not event.good] == ["noise", "a fall"]


class TestAntagonists:
    def test_three_pools_by_what_they_are_good_at(self) -> None:
        golem = foe(
            "golem",
            pools={"primary": 7, "secondary": 5, "desperation": 3},
            good_at={"athletics": "secondary"},
            open=True,
        )
        deeds = [{"name": "climb"}, {"name": "sing", "skill": "culture", "attribute": "presence"}]
        made = begun(hero("ann"), golem, up="golem", deeds=deeds)
        assert pool(made, "golem", "attack", target="ann") == 7
        assert pool(made, "golem", "deed", deed="climb") == 5
        assert pool(made, "golem", "deed", deed="sing") == 3

    def test_they_earn_no_momentum(self) -> None:
        made = begun(hero("ann", resolve=1), foe("wolf"), up="wolf", dice=(1, 0))
        made.declare("wolf", "attack", target="ann")
        plainly(made)
        assert result(made) == "miss"
        assert made.state.facts["momentum"].amount == 0  # type: ignore[attr-defined]

    @pytest.mark.parametrize(("tier", "successes"), [("heroic", 1), ("demigod", 3)])
    def test_the_target_number_goes_by_tier(self, tier: str, successes: int) -> None:
        made = begun(hero("ann", close_combat=2, might=2, tier=tier), foe("wolf"), up="ann", dice=((7, 7, 8, 2),))
        made.declare("ann", "attack", target="wolf")
        assert happened(made, PoolRolled)[-1].successes == successes


class TestOpposedRolls:
    ROW = ["a", "b", "c"]

    def test_enhancement_of_either_side_counts_where_its_dice_gave_one(self) -> None:
        near = [hero("ann", athletics=2), foe("wolf", enhancement=1)]
        made = begun(*near, up="ann", dice=(1, 1), places=self.ROW)
        made.declare("ann", "disengage", to="b")
        assert result(made) == "failure"  # 1 against 1 and 1 more
        made = begun(*near, up="ann", dice=(0, 1), places=self.ROW)
        made.declare("ann", "disengage", to="b")
        assert result(made) == "success"

    def test_that_a_foe_is_of_a_higher_tier_is_found_out_only_in_play(self) -> None:
        made = begun(hero("ann", close_combat=3, might=3), foe("god", minor=True, tier="divine"), up="ann")
        assert made.explain("ann", "down_and_dirty", target="god", seat="ann").refusals == ()
        made.declare("ann", "down_and_dirty", target="god", seat="ann")
        assert result(made) == "failure"
        assert not who(made, "god").down

    def test_nobody_rolls_away_out_of_a_grapple(self) -> None:
        two = [hero("ann", resolve=3, composure=1), foe("wolf")]
        made = begun(*two, up="wolf", dice=(3, 0), places=self.ROW)
        made.override([GrappleBegun("", "wolf", "ann")], "it is so")
        made.declare("wolf", "attack", target="ann")
        assert question(made).options == ("defend", "dive")


def test_whoever_throws_real_dice_is_told_what_counts() -> None:
    made = tw.Table(begun(hero("ann", close_combat=3, might=3), foe("wolf"), up="ann").state, dice="table")
    made.declare("ann", "attack", target="wolf")
    assert question(made).prompt == "Ann, attack: 6d10, 8 or more; each 10 once more"


def test_what_is_preferred_is_one_of_the_halves() -> None:
    made = begun(hero("ann"), foe("wolf"), up="ann", deeds=[{"name": "climb"}])
    found = made.explain("ann", "mixed", first="attack", second="climb", target="wolf", prefer="third half")
    assert [refusal.code for refusal in found.refusals] == ["INCOMPLETE prefer"]
