"""Story Mode: stated relations instead of counts, weighed by the guide against the allowance."""

from __future__ import annotations

import pytest
from moves import at, codes, hidden, metres, mover
from scenes import answer, character, happened, hidden_from, question, ready, refused, table
from zoned import HALL, choices, ties, told

import turnwright as tw
from turnwright.events import DoorMoved
from turnwright.model import Barrier, Landmark, Passage, Stands
from turnwright.space.story import HOWS
from turnwright.systems.narateer.events import Repositioned, Stated
from turnwright.systems.narateer.senses import plainly

ABOUT, STEP, HALF, WHOLE, FAR, RISK = range(6)
"""What the guide is offered for a move."""


def facts(t: tw.Table) -> list[object]:
    return [fact for fact in t.state.facts.values() if isinstance(fact, (Barrier, Landmark, Passage))]


class TestRelations:
    @pytest.mark.rule("narateer.story.relationships-not-counts", "narateer.scene.metres-first")
    def test_from_far_to_near_the_door(self) -> None:
        t = told(mover(14, "hall"), relations=[*HALL, {"far": ["kael", "door"]}])
        assert ties(t, "kael") == {("far", "door")}
        t.declare("kael", "walk", to="door")
        answer(t, WHOLE)
        assert ties(t, "kael") == {("near", "door")}
        assert at(t, "kael") == "hall", "no Space and no metres say where anybody is"
        moved = happened(t, Repositioned)[0]
        assert (moved.rule, moved.at) == ("narateer.story.relationships-not-counts", "hall")

    @pytest.mark.rule("narateer.story.relationships-not-counts")
    def test_how_one_stands_to_it_is_said(self) -> None:
        t = told(mover(14, "hall"))
        t.declare("kael", "walk", to="altar", relation="behind")
        answer(t, STEP)
        assert ties(t, "kael") == {("behind", "altar")}
        assert codes(t.explain("kael", "walk", to="door", relation="beside")) == {"RELATION"}
        assert codes(t.explain("kael", "walk", to="moon")) == {"NO_GOAL"}
        for name in ("kael", "Kael"):
            itself = refused(lambda name=name: t.declare("kael", "walk", to=name))
            assert itself["narateer.story.relationships-not-counts"].endswith("not to itself")
        assert "NO_MAP" in codes(t.explain("kael", "walk", to="door", route=[(1, 1)]))
        assert codes(t.explain("kael", "walk")) == {"INCOMPLETE to"}

    @pytest.mark.rule("narateer.story.relationships-not-counts")
    def test_near_and_far_hold_both_ways_and_end_when_either_leaves(self) -> None:
        t = told(
            mover(14, "hall"), character("guard", "guards", "hall"), relations=[*HALL, {"near": ["guard", "kael"]}]
        )
        assert (ties(t, "kael"), ties(t, "guard")) == ({("near", "guard")}, {("near", "kael")})
        t.declare("kael", "walk", to="door")
        answer(t, STEP)
        assert question(t, "choose").question.about == "opportunity"
        answer(t, "no", kind="choose")
        assert (ties(t, "kael"), ties(t, "guard")) == ({("near", "door")}, set())
        t.declare("kael", "walk", to="guard")
        answer(t, STEP)
        assert t.waiting_on == (), "coming near to somebody is no step within reach"
        assert (ties(t, "kael"), ties(t, "guard")) == ({("near", "guard")}, {("near", "kael")})

    def test_what_one_can_go_near_to(self) -> None:
        t = told(mover(14, "hall", seat="ann"), character("guard", "guards", "yard"), seats=[{"id": "ann"}])
        assert choices(t, "kael", "walk") == {"door", "altar", "well", "hall", "yard"}, "the guard is behind the wall"

    def test_another_place_by_its_name(self) -> None:
        t = told(
            mover(14, "hall"), relations=[{"thing": "tree", "place": "garden"}, {"thing": "door", "place": "hall"}]
        )
        t.declare("kael", "walk", to="garden", relation="in")
        answer(t, WHOLE)
        assert (at(t, "kael"), ties(t, "kael")) == ("garden", set())

    def test_every_relation_can_be_written_in_a_scene_file(self) -> None:
        for how in HOWS:
            t = told(mover(14, "hall"), relations=[*HALL, {how: ["kael", "altar"]}])
            assert ties(t, "kael") == {(how, "altar")}


class TestAmbition:
    @pytest.mark.rule("narateer.story.ambition-scales-with-allowance")
    def test_the_guide_is_shown_what_each_mode_gives(self) -> None:
        """BM 14 and Athletics 4: 14, 28, and 42 + 8 m."""
        t = told(mover(14, "hall", skills={"athletics": 4}))
        t.declare("kael", "walk", to="door")
        shown = question(t, "rule").question.suggested[ABOUT].success
        assert "Walk 14 m, Run 28 m, Sprint 50 m" in shown
        assert "14 m are left, about 1.4 stretches of 10 m" in shown
        assert "Walk 14 m, Run 28 m, Sprint 50 m" in t.game.summary(t.state, "kael")
        answer(t, FAR)
        better = told(mover(15, "hall", skills={"athletics": 4}))
        assert [metres(better, "kael", mode) for mode in ("walk", "run")] == [15, 30]
        assert metres(better, "kael", "sprint", skill="athletics") == 53

    @pytest.mark.rule("narateer.story.ambition-scales-with-allowance", "narateer.resolve.impossible-revise-free")
    def test_too_far_for_a_walk_is_free_and_a_sprint_may_do(self) -> None:
        t = told(mover(14, "hall", skills={"athletics": 4}))
        t.declare("kael", "run", to="altar")
        assert "too far" in question(t, "rule").question.suggested[FAR].obstacle
        answer(t, FAR)
        assert (ready(t, "kael"), t.state.actors["kael"].mode, ties(t, "kael")) == (6, "", set())
        t.declare("kael", "sprint", skill="athletics", to="altar")
        answer(t, WHOLE)
        assert (ready(t, "kael"), metres(t, "kael", "sprint"), ties(t, "kael")) == (4, 0, {("near", "altar")})
        assert "NOTHING_LEFT" in codes(t.explain("kael", "sprint", to="door"))

    @pytest.mark.rule("narateer.story.ambition-scales-with-allowance", "narateer.mode.pay-once")
    def test_a_run_is_paid_once_and_divided_as_the_guide_says(self) -> None:
        t = told(mover(14, "hall"))
        t.declare("kael", "run", to="altar")
        answer(t, HALF)
        assert (ready(t, "kael"), metres(t, "kael", "run")) == (5, 14)
        t.declare("kael", "run", to="door")
        answer(t, {"kind": "automatic", "amount": 9, "success": "at the door"})
        assert (ready(t, "kael"), metres(t, "kael", "run")) == (5, 5)

    @pytest.mark.rule("narateer.story.ambition-scales-with-allowance")
    @pytest.mark.parametrize(
        ("to", "stated", "metres_"),
        [
            ("door", [], 5),
            ("door", [{"far": ["kael", "door"]}], 10),
            ("door", [{"near": ["kael", "door"]}], 1),
            ("well", [{"way": "arch", "between": ["hall", "yard"]}], 10),
            ("well", [{"way": "arch", "between": ["hall", "loft"]}, {"way": "rope", "between": ["loft", "yard"]}], 20),
        ],
    )
    def test_what_is_suggested_first_is_about_as_far_as_was_stated(
        self, to: str, stated: list[dict[str, object]], metres_: int
    ) -> None:
        """A stretch is 10 m: half of it in the same place, all of it where that is far, one for each place."""
        t = told(mover(14, "hall"), relations=[*HALL, *stated])
        t.declare("kael", "run", to=to)
        first = question(t, "rule").question.suggested[ABOUT]
        assert (first.amount, f"about {metres_} m" in first.success) == (metres_, True)
        numbers = [ruling.amount for ruling in question(t, "rule").question.suggested[STEP:FAR]]
        assert numbers == [1, 14, 28]
        answer(t, ABOUT)
        assert metres(t, "kael", "run") == 28 - metres_

    @pytest.mark.rule("narateer.story.ambition-scales-with-allowance")
    def test_it_never_takes_more_than_is_left(self) -> None:
        t = told(mover(8, "hall"), relations=[*HALL, {"far": ["kael", "door"]}])
        t.declare("kael", "walk", to="door")
        assert question(t, "rule").question.suggested[ABOUT].amount == 8

    @pytest.mark.rule("narateer.movecheck.normal-procedure", "narateer.movecheck.failure-hits-route-not-mode")
    @pytest.mark.parametrize(("die", "there"), [(6, {("near", "altar")}), (2, set())])
    def test_the_guide_may_call_for_a_check(self, die: int, there: set[tuple[str, str]]) -> None:
        t = told(mover(14, "hall"), dice=(die,))
        t.declare("kael", "run", to="altar")
        answer(t, RISK)
        answer(t, "try")
        assert (ties(t, "kael"), ready(t, "kael"), t.state.actors["kael"].mode) == (there, 4, "run")


class TestFacts:
    @pytest.mark.rule("narateer.story.preserve-facts")
    def test_a_wall_without_a_way_is_not_passed_with_50_m(self) -> None:
        t = told(mover(14, "hall", skills={"athletics": 4}))
        before = facts(t)
        assert metres(t, "kael", "sprint", skill="athletics") == 50
        assert "narateer.story.preserve-facts" in refused(
            lambda: t.declare("kael", "sprint", skill="athletics", to="well")
        )
        assert (facts(t), ready(t, "kael"), at(t, "kael")) == (before, 6, "hall")

    @pytest.mark.rule("narateer.story.preserve-facts")
    def test_a_way_leads_past_it_and_every_fact_stands(self) -> None:
        way = {"way": "arch", "between": ["hall", "yard"]}
        t = told(mover(14, "hall"), relations=[*HALL, way])
        before = facts(t)
        t.declare("kael", "run", to="well")
        answer(t, WHOLE)
        assert (at(t, "kael"), ties(t, "kael"), facts(t)) == ("yard", {("near", "well")}, before)

    @pytest.mark.rule("narateer.story.preserve-facts", "narateer.tier.door-example")
    def test_a_way_with_a_door_is_opened_first(self) -> None:
        doors = {"doors": [{"id": "gate", "between": ["hall", "yard"]}]}
        way = {"way": "arch", "between": ["hall", "yard"], "door": "gate"}
        t = told(mover(14, "hall"), relations=[*HALL, way], map=doors)
        assert codes(t.explain("kael", "run", to="well")) == {"NO_ROUTE"}
        t.declare("kael", "use", using="gate", intent="open it")
        assert codes(t.explain("kael", "run", to="well")) == set()

    @pytest.mark.rule("narateer.story.preserve-facts")
    def test_a_chain_of_ways_is_a_way_too(self) -> None:
        ways = [{"way": "stair", "between": ["hall", "loft"]}, {"way": "rope", "between": ["loft", "yard"]}]
        t = told(mover(14, "hall"), relations=[*HALL, *ways])
        assert codes(t.explain("kael", "run", to="well")) == set()
        cut = told(mover(14, "hall"), relations=[*HALL, ways[0], {"thing": "bed", "place": "loft"}])
        assert codes(cut.explain("kael", "run", to="well")) == {"NO_ROUTE"}


class TestSensesAndReach:
    @pytest.mark.rule("narateer.attack.harm-uses-exchange")
    @pytest.mark.parametrize(("how", "against"), [("near", set()), ("far", {"OUT_OF_REACH"}), ("", set())])
    def test_what_was_stated_says_who_is_in_reach(self, how: str, against: set[str]) -> None:
        said = [{how: ["kael", "guard"]}] if how else []
        t = told(mover(14, "hall"), character("guard", "guards", "hall"), relations=[*HALL, *said])
        assert codes(t.explain("kael", "attack", target="guard")) == against

    @pytest.mark.rule("narateer.attack.harm-uses-exchange")
    @pytest.mark.parametrize(("ruling", "outcome"), [(0, "hit"), (1, "impossible")])
    def test_what_nothing_says_is_put_to_the_guide(self, ruling: int, outcome: str) -> None:
        """The gallery is another place, and nothing parts it from the hall."""
        rail = [*HALL, {"thing": "rail", "place": "gallery"}]
        t = told(mover(14, "hall"), character("guard", "guards", "gallery", ready=0), dice=(5,), relations=rail)
        assert t.explain("kael", "attack", target="guard").verdict == "ruling"
        t.declare("kael", "attack", target="guard", boost=0)
        answer(t, ruling, kind="rule")
        assert t.outcome is not None
        # 5 exceeds the Readiness Score of 3.
        assert (t.outcome.result, ready(t, "kael")) == (outcome, 5 if ruling == 0 else 6)

    @pytest.mark.rule("narateer.hide.needs-concealment", "narateer.hide.must-exceed")
    def test_behind_something_one_can_hide(self) -> None:
        people = mover(14, "hall", skills={"stealth": 1}), character("guard", "guards", "hall")
        t = told(*people, dice=(6,))
        assert "CLEARLY_PERCEIVED" in codes(t.explain("kael", "hide", method="crouch"))
        covered = told(*people, relations=[*HALL, {"behind": ["kael", "altar"]}], dice=(6,))
        covered.declare("kael", "hide", method="crouch", boost=0)
        # A total of 6 exceeds 3.
        assert hidden_from(covered, "kael") == {"guard"}
        beside = told(*people, relations=[*HALL, {"behind": ["kael", "altar"]}, {"behind": ["guard", "altar"]}])
        assert "CLEARLY_PERCEIVED" in codes(beside.explain("kael", "hide", method="crouch"))

    @pytest.mark.rule("narateer.hide.out-of-sight-is-not-hidden", "narateer.hide.must-exceed")
    def test_who_was_watched_going_behind_it_hides_only_behind_something_else(self) -> None:
        """The guard saw Kael go behind the altar; from there he gets behind the door unseen."""
        people = mover(14, "hall", skills={"stealth": 1}, seat="ann"), character("guard", "guards", "hall", seat="bo")
        t = told(*people, seats=[{"id": "ann"}, {"id": "bo"}], dice=(6,))
        t.declare("kael", "run", to="altar", relation="behind")
        answer(t, STEP)
        assert codes(t.explain("kael", "hide", method="crouch")) == {"SPOT_KNOWN"}
        assert ("behind", "altar") in {
            (r.how, r.other) for r in t.knows("bo").relations["kael"] if isinstance(r, Stands)
        }
        assert codes(t.explain("guard", "call_out", target="kael")) == set(), "he knows where he is"
        t.declare("kael", "run", to="door", relation="behind")
        answer(t, STEP)
        seen_at = {(r.how, r.other) for r in t.knows("bo").relations["kael"] if isinstance(r, Stands)}
        assert seen_at == {("behind", "altar")}, "as far as the guard knows"
        t.declare("kael", "hide", method="crouch", boost=0)
        assert hidden_from(t, "kael") == {"guard"}

    @pytest.mark.rule("narateer.hidden.cannot-be-targeted-directly")
    def test_past_a_wall_nobody_is_seen_and_past_a_fence_they_are(self) -> None:
        people = mover(14, "hall"), character("guard", "guards", "yard")
        assert codes(told(*people).explain("kael", "call_out", target="guard")) == {"NO_PRECISE_LOCATION"}
        fence = [{"barrier": "fence", "between": ["hall", "yard"], "clear": True}]
        assert codes(told(*people, relations=fence).explain("kael", "call_out", target="guard")) == set()

    @pytest.mark.rule("narateer.story.preserve-facts", "narateer.hidden.cannot-be-targeted-directly")
    def test_nobody_sees_past_a_closed_door_two_places_away(self) -> None:
        """From the yard an open arch leads into the hall, and a door from there to the cellar; no way joins the two."""
        said = [
            {"way": "arch", "between": ["yard", "hall"]},
            {"way": "stair", "between": ["hall", "cellar"], "door": "gate"},
        ]
        doors = {"doors": [{"id": "gate", "between": ["hall", "cellar"]}]}
        people = mover(14, "yard"), character("guard", "guards", "hall"), character("spy", "guards", "cellar")
        t = told(*people, relations=said, map=doors)
        assert codes(t.explain("kael", "call_out", target="guard")) == set()
        assert codes(t.explain("kael", "call_out", target="spy")) == {"NO_PRECISE_LOCATION"}
        assert codes(t.explain("kael", "walk", to="cellar")) == {"NO_ROUTE"}
        t.override([DoorMoved("", "gate", True)], "from the other side")
        assert codes(t.explain("kael", "call_out", target="spy")) == {"NO_PRECISE_LOCATION"}, "only into the next"
        assert codes(t.explain("kael", "walk", to="cellar")) == set(), "by the arch and the stair"

    @pytest.mark.rule("narateer.story.preserve-facts", "narateer.hide.needs-concealment")
    def test_what_is_established_of_zones_stands_in_words(self) -> None:
        """One sees into the next Zone by its way, no farther, and nobody in the dark one but whom one is near."""
        drawn = {
            "zones": {"west": {}, "mid": {}, "east": {}, "dark": {"conceals": ["sight"]}},
            "ways": [{"between": pair} for pair in (["west", "mid"], ["mid", "east"], ["mid", "dark"])],
        }
        guards = [character(name, "guards", at) for name, at in (("g1", "mid"), ("g2", "east"), ("g3", "dark"))]
        people = mover(14, "west"), character("bo", "heroes", "dark", seat="guide"), *guards
        t = told(*people, relations=[{"near": ["bo", "g3"]}], map=drawn)
        seen = [not codes(t.explain("kael", "call_out", target=name)) for name in ("g1", "g2", "g3")]
        assert seen == [True, False, False]
        assert plainly(t.state, t.state.actors["bo"], t.state.actors["g3"])

    @pytest.mark.rule("narateer.sneak.no-sprint")
    def test_a_sprint_ends_hiding_here_too(self) -> None:
        t = told(mover(14, "hall"), character("guard", "guards", "yard"))
        hidden(t, "kael", "guard")
        t.declare("kael", "sprint", skill="athletics", to="door")
        answer(t, STEP)
        answer(t, "yes", kind="confirm")
        assert hidden_from(t, "kael") == set()

    def test_how_somebody_unseen_stands_is_not_known(self) -> None:
        people = mover(14, "hall", seat="ann"), character("guard", "guards", "yard")
        t = told(*people, relations=[*HALL, {"near": ["guard", "well"]}], seats=[{"id": "ann"}])
        assert t.knows("ann").relations == {}
        t.override([Stated("", "kael", Stands("kael", "guard"), ("kael", "guard"))], "so it is")
        assert t.knows("ann").relations == {}
        assert [event for event in t.news("ann") if isinstance(event, Stated)] == []


class TestFiles:
    @pytest.mark.parametrize(
        ("entry", "text"),
        [
            ({"near": ["nobody", "door"]}, "one of the characters"),
            ({"near": ["kael", "moon"]}, "one of kael, bo, cy, door"),
            ({"near": ["kael", "kael"]}, "somebody and something else"),
            ({"barrier": "fence"}, "between"),
            ({"barrier": "fence", "between": ["hall", "hall"]}, "two places"),
            ({"way": "arch", "between": ["hall", "yard"], "door": "gate"}, "one of the doors"),
            ({}, "one of near"),
            ({"near": ["kael", "door"], "thing": "pot"}, "near, thing"),
            ({"thing": "door"}, "a name of its own"),
            ({"near": ["kael", "altr"]}, 'did you mean "altar"?'),
            ({"barrier": "hedge", "between": ["hall", "yrad"]}, 'did you mean "yard"?'),
            ({"way": "arch", "between": ["hal", "yard"]}, 'did you mean "hall"?'),
            ({"way": "arch", "between": ["hall", "attic"]}, "one of the places: hall, yard"),
            ({"far": ["bo", "kael"]}, "near was stated above"),
            ({"near": ["bo", "kael"]}, "near was stated above"),
            ({"behind": ["bo", "cy"]}, "not behind bo"),
            ({"behind": ["kael", "bo"]}, "near was stated above"),
        ],
    )
    def test_what_is_wrong_is_said_with_its_line(self, entry: dict[str, object], text: str) -> None:
        people = mover(14, "hall"), character("bo", "heroes", "hall"), character("cy", "heroes", "hall")
        said = [{"near": ["kael", "bo"]}, {"behind": ["cy", "bo"]}]
        with pytest.raises(tw.BadScene) as found:
            table(*people, mode="story", relations=[*HALL, *said, entry])
        assert text in str(found.value)
        assert all(problem.line > 0 for problem in found.value.problems)

    def test_a_character_is_where_something_else_is(self) -> None:
        with pytest.raises(tw.BadScene, match='did you mean "hall"') as found:
            told(mover(14, "hal"))
        assert found.value.problems[0].key == "characters[0].at"
        assert found.value.problems[0].line > 0
        assert at(told(mover(14, "camp"), relations=[]), "kael") == "camp", "where no place is drawn any will do"

    def test_a_door_and_its_way_name_each_other(self) -> None:
        way = {"way": "arch", "between": ["hall", "yard"]}
        for between, entry, text in (
            (["hall", "yrd"], way | {"door": "gate"}, 'did you mean "yard"'),
            (["hall", "yard"], way, "door: gate"),
        ):
            with pytest.raises(tw.BadScene, match=text):
                told(mover(14, "hall"), relations=[*HALL, entry], map={"doors": [{"id": "gate", "between": between}]})

    def test_a_secret_is_somewhere(self) -> None:
        for place, bad in (("yard", False), ("altar", False), ("yad", True)):
            secret = [{"id": "coin", "name": "a coin", "place": place}]
            if bad:
                with pytest.raises(tw.BadScene, match='did you mean "yard"'):
                    told(mover(14, "hall"), secrets=secret)
            else:
                told(mover(14, "hall"), secrets=secret)

    def test_a_space_is_no_place(self) -> None:
        with pytest.raises(tw.BadScene, match="the name of a place"):
            table(mover(14, (1, 1)), mode="story")


def test_it_is_told_in_words() -> None:
    t = told(mover(14, "hall"))
    t.declare("kael", "walk", to="door")
    answer(t, WHOLE)
    assert [t.game.tell(t.state, event) for event in happened(t, Repositioned)] == ["Kael is near door"]
