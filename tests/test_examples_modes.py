"""The chase and the parley, played as a table would: values by hand from the numbers in the files."""

from __future__ import annotations

from pathlib import Path

import pytest
from moves import at, codes, metres
from scenes import Scripted, answer, hidden_from, question, ready, spent
from typer.testing import CliRunner
from zoned import choices, ties

import turnwright as tw
from turnwright.cli import app
from turnwright.systems.narateer.events import Perceived

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
        assert (metres(t, "pell", "run"), choices(t, "pell", "run")) == (26, {"market", "arches", "quay"})
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
        assert "good; To the boats, 4 characters, 6 Zones (no way leads to roofs)" in shown

    def test_on_the_terminal(self) -> None:
        shown = typed("chase", "run quay", "shift story", "n", "walk osk")
        assert "square (the square): Pell, Osk -> market, arches" in shown
        assert "market (the market) [difficult: crowd]: the sergeant" in shown
        assert "Pell moves to the quay (12 m)" in shown
        assert "the scene goes on in story mode" in shown


class TestNegotiation:
    @pytest.mark.rule("narateer.story.preserve-facts", "narateer.story.relationships-not-counts")
    def test_shade_goes_behind_the_pillar_and_the_wall_stands(self) -> None:
        t = turn_of("negotiation", "shade", 5)
        assert codes(t.explain("shade", "walk", to="well")) == {"NO_ROUTE"}
        assert codes(t.explain("shade", "hide", method="wait")) == {"CLEARLY_PERCEIVED"}
        t.declare("shade", "walk", to="the pillar", relation="behind")
        answer(t, 1)
        assert (ties(t, "shade"), metres(t, "shade", "walk")) == ({("behind", "pillar")}, 7)
        assert "narateer.hide.out-of-sight-is-not-hidden" in {
            refusal.rule for refusal in t.explain("shade", "hide", method="wait").refusals
        }, "they saw where she went"

    @pytest.mark.rule("narateer.scene.shift-preserves", "narateer.scene.metres-first")
    def test_the_talk_turns_into_a_fight_on_the_map(self) -> None:
        """BM 14: 7 m of the Walk are left, which are 3 Spaces."""
        t = turn_of("negotiation", "shade")
        t.declare("shade", "walk", to="pillar")
        answer(t, 1)
        t.declare("", "shift", mode="tactical", at="shade=2,3; regent=1,1; envoy=6,3; guard=7,4")
        assert (at(t, "shade"), metres(t, "shade", "walk"), ready(t, "shade")) == ((2, 3), 7, 6)
        t.declare("shade", "walk", route=[(3, 3), (4, 3), (5, 3)])
        assert (at(t, "shade"), codes(t.explain("shade", "walk", to=(4, 3)))) == ((5, 3), {"TOO_FAR"})
        assert codes(t.explain("shade", "attack", target="envoy")) == set()

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
