"""The chase and the parley, played as a table would: values by hand from the numbers in the files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from moves import at, codes, metres
from scenes import Scripted, answer, hidden_from, question, ready, spent
from typer.testing import CliRunner
from zoned import choices, ties

import turnwright as tw
from turnwright.cli import app
from turnwright.space import distance, sees
from turnwright.systems.narateer.events import Perceived
from turnwright.systems.narateer.senses import ground_of

EXAMPLES = Path(__file__).parent.parent / "examples" / "narateer"


def turn_of(scene: str, actor: str, *dice: int) -> tw.Table:
    table = tw.Table(tw.load_scene(EXAMPLES / f"{scene}.yaml"), seed=1, dice=Scripted(*dice))
    table.declare(actor, "begin")
    return table


def typed(scene: str, *lines: str) -> str:
    """What the terminal shows for typed lines."""
    given = "\n".join([*lines, "quit", "", ""])
    return CliRunner().invoke(app, ["play", str(EXAMPLES / f"{scene}.yaml"), "--seed", "3"], input=given).output


class TestChase:
    @pytest.mark.rule("narateer.cinematic.zone-conversion", "narateer.cinematic.legal-route-required")
    def test_where_pell_gets_with_26_m(self) -> None:
        """By the steps 12 m with the barrels, and then the quay of 12 m: 24. Through the market 20 + 12: too far."""
        t = turn_of("chase", "pell")
        assert (metres(t, "pell", "run"), choices(t, "pell", "run")) == (26, {"market", "arches", "vaults", "quay"})
        assert t.explain("pell", "run", to="quay").price.metres == 24
        assert codes(t.explain("pell", "run", route=["market", "quay"])) == {"TOO_FAR"}
        assert codes(t.explain("pell", "run", to="roofs")) == {"NO_ROUTE"}
        assert codes(t.explain("pell", "run", to="boats")) == {"NO_ROUTE"}, "the water gate is shut"
        t.declare("pell", "run", to="quay")
        assert (at(t, "pell"), spent(t, "pell"), ready(t, "pell")) == ("quay", 24, 5)
        t.declare("pell", "use", using="water-gate", intent="swing it open")
        assert ready(t, "pell") == 4, "a Minor Action"
        assert codes(t.explain("pell", "run", to="boats")) == {"TOO_FAR"}, "2 m of 6"

    @pytest.mark.rule("narateer.cinematic.zone-conversion")
    def test_osk_walks_one_zone_with_his_load(self) -> None:
        """9 m, three quarters of it: 6.75 m. The market is Difficult, so that the least of one Zone does not help."""
        t = turn_of("chase", "osk")
        assert metres(t, "osk", "walk") == 6.75
        assert choices(t, "osk", "walk") == {"arches"}
        t.declare("osk", "walk", to="arches")
        assert (at(t, "osk"), metres(t, "osk", "walk")) == ("arches", 0)

    @pytest.mark.rule("narateer.hide.must-exceed", "narateer.sneak.double-movement-cost")
    def test_pell_hides_under_the_arches(self) -> None:
        """A stallholder has the sergeant's eye; he is 20 m off and hears so far. A total of 5 exceeds his 4."""
        t = turn_of("chase", "pell", 5)
        t.override([Perceived("", "pell", "sergeant", False)], "a stallholder has his eye")
        t.declare("pell", "run", to="arches")
        t.declare("pell", "hide", method="into the dark", boost=0)
        assert hidden_from(t, "pell") == {"sergeant"}
        assert metres(t, "pell", "run") == 14
        assert codes(t.explain("pell", "run", to="quay")) == {"TOO_FAR"}, "24 m at the hidden price"

    @pytest.mark.rule("narateer.sprint.skill-follows-method")
    def test_over_the_low_wall_either_skill_fits(self) -> None:
        """One of two Zones calls for vaulting. 39 m and 2 or 6 more."""
        t = turn_of("chase", "pell")
        assert [metres(t, "pell", "sprint", skill=skill) for skill in ("athletics", "acrobatics")] == [41, 45]
        t.declare("pell", "sprint", skill="acrobatics", route=["arches", "quay"])
        assert (at(t, "pell"), spent(t, "pell")) == ("quay", 24)

    def test_a_check_names_the_zone_that_no_way_leads_to(self) -> None:
        shown = CliRunner().invoke(app, ["check", str(EXAMPLES / "chase.yaml")]).output
        assert "good; To the boats, 4 characters, 7 Zones (no way leads to roofs)" in shown

    def test_on_the_terminal(self) -> None:
        shown = typed("chase", "run quay", "shift story", "n", "walk osk")
        assert "square (the square): Pell, Osk -> market, arches" in shown
        assert "market (the market) [difficult: crowd]: the sergeant" in shown
        assert "Pell moves to the quay (12 m)" in shown
        assert "the scene goes on in story mode" in shown


class TestNegotiation:
    @pytest.mark.rule("narateer.story.preserve-facts", "narateer.hide.out-of-sight-is-not-hidden")
    def test_shade_was_behind_the_pillar_and_whoever_is_watched_going_there_is_known(self) -> None:
        t = turn_of("negotiation", "shade", 5)
        assert codes(t.explain("shade", "walk", to="well")) == {"NO_ROUTE"}
        assert (ties(t, "shade"), t.explain("shade", "hide", method="wait").verdict) == (
            {("behind", "pillar")},
            "legal",
        )
        t.declare("shade", "walk", to="table")
        answer(t, 2)
        assert (ties(t, "shade"), metres(t, "shade", "walk")) == ({("near", "table")}, 7)
        assert "CLEARLY_PERCEIVED" in codes(t.explain("shade", "hide", method="wait"))
        t.declare("shade", "walk", to="the pillar", relation="behind")
        answer(t, 1)
        found = {refusal.rule for refusal in t.explain("shade", "hide", method="wait").refusals}
        assert "narateer.hide.out-of-sight-is-not-hidden" in found, "they saw where she went"

    @pytest.mark.rule("narateer.scene.shift-preserves", "narateer.scene.metres-first")
    def test_the_talk_turns_into_a_fight_on_the_map(self) -> None:
        """BM 14; of the Walk 5 m go to the table, half a stretch of 10 m. 9 m are left, which are 4 Spaces (4.5)."""
        t = turn_of("negotiation", "shade")
        t.declare("shade", "walk", to="table")
        answer(t, 0)
        t.declare("", "shift", mode="tactical", at="shade=4,3; regent=1,1; envoy=6,3; guard=7,4")
        assert (at(t, "shade"), metres(t, "shade", "walk"), ready(t, "shade")) == ((4, 3), 9, 6)
        assert codes(t.explain("shade", "walk", to=(4, 3), route=[(4, 2), (4, 1), (3, 1), (2, 1), (1, 2)])) == {
            "TOO_FAR"
        }
        t.declare("shade", "walk", route=[(5, 3)])
        assert codes(t.explain("shade", "attack", target="envoy")) == set()

    @pytest.mark.rule("narateer.scene.shift-preserves", "narateer.scene.shift-does-not-resolve")
    def test_the_first_suggested_spaces_are_where_everybody_stands(self) -> None:
        """Shade is beside the pillar at 3,2 and in nobody's sight, and the envoy beside the table at 5,4 and 6,4."""
        t = turn_of("negotiation", "shade")
        t.declare("", "shift", mode="tactical")
        while t.waiting_on:
            answer(t, t.waiting_on[0].options[0])
        shade, envoy, guard, regent = (at(t, name) for name in ("shade", "envoy", "guard", "regent"))
        assert distance(shade, (3, 2)) == 1
        field = ground_of(t.state)
        assert field is not None
        assert [sees(field, other, shade) for other in (envoy, guard)] == [False, False]
        assert min(distance(envoy, cell) for cell in ((5, 4), (6, 4))) <= 1
        assert distance(guard, envoy) == 1
        assert (distance(regent, envoy) >= 3, sees(field, regent, envoy)) == (True, True)

    @pytest.mark.rule("narateer.attack.harm-uses-exchange")
    def test_who_is_far_is_out_of_reach(self) -> None:
        t = turn_of("negotiation", "regent")
        assert codes(t.explain("regent", "attack", target="envoy")) == {"OUT_OF_REACH"}
        assert codes(t.explain("regent", "attack", target="guard")) == set()

    def test_on_the_terminal(self) -> None:
        shown = typed("negotiation", "walk envoy", "shift tactical", *(["1"] * 4), "2")
        assert "the regent is far from the envoy" in shown
        assert "the wall of the hall parts hall and court" in shown
        assert "the scene goes on in tactical mode" in shown
        assert "How is this ruled?" in shown.split("the scene goes on in tactical mode")[1], "put again"


HIDE = 'hide method="into the dark"'
TRIED = {
    "chase": {
        "run to arches": (["run to arches"], "Pell moves to the arches (12 m)"),
        "run to quay": (["run to quay"], "Pell moves to the quay (12 m)"),
        "run to vaults": (["run to vaults"], "Pell moves to the vaults (6 m)"),
        HIDE: (["run to vaults", HIDE], "Pell hides; nobody could notice"),
        "walk to arches": (["end", "walk to arches"], "Osk moves to the arches (6.75 m)"),
        "shift story": (["shift story"], "the scene goes on in story mode"),
    },
    "negotiation": {
        "walk to table": (["walk to table", "1"], "  the regent is near the long table\n"),
        "walk to envoy": (["walk to envoy", "1"], "  the regent is near the envoy\n"),
        "walk to well": (["walk to well"], "the wall of the hall parts hall and court, and no way leads past it"),
        'hide method="keep still"': (["end", 'hide method="keep still"', "1"], "Shade is hidden from the envoy"),
        "shift tactical": (["shift tactical", *["1"] * 4], "the scene goes on in tactical mode"),
    },
}


@pytest.mark.parametrize("scene", TRIED)
def test_all_that_the_file_says_to_try_works(scene: str) -> None:
    head = (EXAMPLES / f"{scene}.yaml").read_text().split("system:")[0]
    told = re.findall(r"`([^`]+)`", head.split("Try:")[1])
    assert told == list(TRIED[scene])
    for lines, outcome in TRIED[scene].values():
        assert outcome in typed(scene, *lines), lines


@pytest.mark.parametrize("scene", ["chase", "negotiation"])
def test_bots_play_it_to_an_end_that_can_be_checked(scene: str, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    arguments = ["play", str(EXAMPLES / f"{scene}.yaml"), "--bots", "all", "--seed", "7", "--save", str(log)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    checked = CliRunner().invoke(app, ["replay", str(log), "--verify"])
    assert (checked.exit_code, "Every die fits the seed" in checked.output) == (0, True)


def test_questions_of_the_scene_are_the_guides() -> None:
    t = turn_of("negotiation", "shade")
    t.declare("shade", "walk", to="envoy")
    assert question(t).who == "guide"
