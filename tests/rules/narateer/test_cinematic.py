"""Cinematic Mode: Zones of 10 m, ways between them, and the allowance that is converted once."""

from __future__ import annotations

import pytest
from moves import at, codes, hidden, metres, mover
from scenes import answer, character, happened, hidden_from, question, ready, refused, spent, table
from zoned import ROAD, choices, row, zoned

import turnwright as tw
from turnwright.events import Told
from turnwright.systems.narateer.events import Caught, ConditionChanged, Learned, Moved, MovementGranted

LOADED = {"encumbrance": "half", "encumbrance_states": {"half": {"factor": "1/2"}}}


def left(t: tw.Table, actor: str, mode: str, **said: object) -> str:
    return t.explain(actor, mode, **said).label.partition(", ")[2]


class TestConversion:
    @pytest.mark.rule("narateer.cinematic.zone-conversion", "narateer.scene.metres-first")
    def test_26_m_are_2_zones_and_the_6_over_are_none(self) -> None:
        t = zoned(mover(13, "one"))
        assert left(t, "kael", "run") == "26 m (2 Zones) left"
        assert choices(t, "kael", "run") == {"two", "three"}
        t.declare("kael", "run", to="three")
        assert (at(t, "kael"), spent(t, "kael"), ready(t, "kael")) == ("three", 20, 5)
        # 6 m are left, which would be enough for a first Zone; X a third Zone by rounding or by the least of one.
        assert codes(t.explain("kael", "run", to="four")) == {"TOO_FAR"}
        assert left(t, "kael", "run") == "6 m (0 Zones) left"

    @pytest.mark.rule("narateer.cinematic.zone-conversion")
    def test_the_least_of_one_zone_is_of_an_ordinary_one(self) -> None:
        """8 m of Walk lead into a Zone of 10 m, and not into one that states 30 m; a Run of 40 m does."""
        zones = {"one": {}, "two": {}, "moor": {"metres": 30}}
        ways = [*row("one", "two"), *row("one", "moor")]
        t = zoned(mover(8, "one"), zones=zones, ways=ways)
        assert choices(t, "kael", "walk") == {"two"}
        assert codes(t.explain("kael", "walk", to="moor")) == {"TOO_FAR"}
        far = zoned(mover(20, "one"), zones=zones, ways=ways)
        assert far.explain("kael", "run", to="moor").price.metres == 30

    @pytest.mark.rule("narateer.cinematic.legal-route-required")
    def test_where_there_is_no_such_zone_all_are_named(self) -> None:
        t = zoned(mover(13, "one"), zones={"one": {}, "two": {}})
        for where in ("nowhere", "kael"):
            text = refused(lambda where=where: t.declare("kael", "walk", to=where))
            assert text["narateer.cinematic.legal-route-required"].endswith("there are: one, two")

    @pytest.mark.rule("narateer.cinematic.zone-conversion")
    def test_4_m_are_no_zone(self) -> None:
        t = zoned(mover(8, "one", encumbrance="half"), encumbrance_states=LOADED["encumbrance_states"])
        assert left(t, "kael", "walk") == "4 m (0 Zones) left"
        assert "NOTHING_LEFT" in codes(t.explain("kael", "walk"))
        assert "TOO_FAR" in codes(t.explain("kael", "walk", to="two"))

    @pytest.mark.rule("narateer.cinematic.zone-conversion")
    def test_9_m_cross_a_first_zone_and_nothing_is_left(self) -> None:
        t = zoned(mover(9, "one"))
        assert t.explain("kael", "walk", to="two").price.metres == 9
        t.declare("kael", "walk", to="two")
        assert (at(t, "kael"), spent(t, "kael"), metres(t, "kael", "walk")) == ("two", 9, 0)

    @pytest.mark.rule("narateer.cinematic.zone-conversion")
    @pytest.mark.parametrize(("bm", "crosses"), [(10, True), (8, False)])
    def test_the_least_is_5_m(self, bm: int, crosses: bool) -> None:
        """A state of x1/2 leaves 5 m of 10, and 4 m of 8."""
        t = zoned(mover(bm, "one", encumbrance="half"), encumbrance_states=LOADED["encumbrance_states"])
        assert (choices(t, "kael", "walk") == {"two"}) is crosses

    @pytest.mark.rule("narateer.cinematic.zone-conversion")
    def test_no_least_onto_difficult_ground(self) -> None:
        zones = {"one": {}, "mire": {"difficult": ["mud"]}}
        assert codes(zoned(mover(9, "one"), zones=zones).explain("kael", "walk", to="mire")) == {"TOO_FAR"}
        # By a Difficult way onto ordinary ground as well.
        t = zoned(mover(9, "one"), zones={"one": {}, "two": {}}, ways=row("one", "two", difficult=["rubble"]))
        assert codes(t.explain("kael", "walk", to="two")) == {"TOO_FAR"}
        # With 20 m it is a matter of price: 10 m count twice.
        t = zoned(mover(10, "one"), zones=zones)
        t.declare("kael", "run", to="mire")
        assert spent(t, "kael") == 20

    @pytest.mark.rule("narateer.cinematic.zone-conversion", "narateer.sneak.double-movement-cost")
    def test_no_least_at_the_hidden_price(self) -> None:
        zones = {"one": {"conceals": ["sight"]}, "two": {"conceals": ["sight"]}}
        t = zoned(mover(9, "one"), character("guard", "guards", "two"), zones=zones)
        hidden(t, "kael", "guard")
        assert codes(t.explain("kael", "walk", to="two")) == {"TOO_FAR"}
        assert codes(t.explain("kael", "run", to="two")) == {"TOO_FAR"}, "18 m and the price is 20"
        t.declare("kael", "stop_hiding")
        t.declare("kael", "walk", to="two")
        assert spent(t, "kael") == 9

    @pytest.mark.rule("narateer.cinematic.zone-conversion")
    def test_the_least_holds_only_until_a_zone_is_crossed(self) -> None:
        """Run 16 m: the first Zone takes 10, and 6 m are left."""
        t = zoned(mover(8, "one"))
        t.declare("kael", "run", to="two")
        assert (metres(t, "kael", "run"), codes(t.explain("kael", "run", to="three"))) == (6, {"TOO_FAR"})
        t.declare("kael", "end")
        t.declare("kael", "begin")
        # In the next Activation none is crossed yet: 8 m of Walk do for one.
        t.declare("kael", "walk", to="three")
        assert at(t, "kael") == "three"

    @pytest.mark.rule("narateer.cinematic.zone-conversion")
    def test_a_scene_may_say_its_own_sizes(self) -> None:
        zones = {"one": {}, "nook": {"metres": 4}, "field": {"metres": 30}}
        t = zoned(mover(15, "one"), zones=zones, settings={"zone_minimum": None})
        assert codes(t.explain("kael", "run", to="field")) == {"TOO_FAR"}, "34 m of 30"
        t.declare("kael", "walk", to="nook")
        assert spent(t, "kael") == 4
        assert choices(zoned(mover(9, "one"), settings={"zone_minimum": None}), "kael", "walk") == set()
        wide = zoned(mover(13, "one"), settings={"zone_metres": 13})
        assert choices(wide, "kael", "run") == {"two", "three"}

    @pytest.mark.rule("narateer.cinematic.zone-conversion", "narateer.scene.conversion-owned-elsewhere")
    def test_an_emptied_setting_is_a_missing_rule(self) -> None:
        t = zoned(mover(13, "one"), settings={"zone_metres": None})
        assert "MISSING_RULE" in codes(t.explain("kael", "run", to="two"))
        assert "narateer.scene.conversion-owned-elsewhere" in refused(lambda: t.declare("kael", "run", to="two"))
        assert (ready(t, "kael"), at(t, "kael")) == (6, "one")

    @pytest.mark.rule("narateer.cinematic.whole-allowance-first")
    def test_the_whole_of_43_m_is_4_zones(self) -> None:
        """BM 13 and Athletics 2: 39 + 4 m. X 39 m are 3 Zones and 4 m are none."""
        t = zoned(mover(13, "one", skills={"athletics": 2}))
        assert left(t, "kael", "sprint", skill="athletics") == "43 m (4 Zones) left"
        t.declare("kael", "sprint", skill="athletics", to="five")
        assert (at(t, "kael"), spent(t, "kael")) == ("five", 40)
        assert "TOO_FAR" in codes(t.explain("kael", "sprint", to="six"))

    @pytest.mark.rule("narateer.cinematic.whole-allowance-first")
    def test_divided_movement_is_not_converted_in_parts(self) -> None:
        """Run 30 m over Zones of 6 m: five Zones, in one go or one by one."""
        zones = {name: {"metres": 6} for name in ROAD}
        t = zoned(mover(15, "one"), zones=zones)
        for name in ("two", "three", "four", "five", "six"):
            t.declare("kael", "run", to=name)
        assert (at(t, "kael"), spent(t, "kael"), ready(t, "kael")) == ("six", 30, 5)


class TestRoutes:
    @pytest.mark.rule("narateer.cinematic.legal-route-required")
    def test_metres_alone_lead_nowhere(self) -> None:
        apart = zoned(mover(15, "a", skills={"athletics": 4}), zones={"a": {}, "b": {}, "c": {}}, ways=row("a", "b"))
        assert left(apart, "kael", "sprint", skill="athletics") == "53 m (5 Zones) left"
        assert codes(apart.explain("kael", "sprint", skill="athletics", to="c")) == {"NO_ROUTE"}
        assert codes(apart.explain("kael", "sprint", skill="athletics", route=["c"])) == {"ILLEGAL_STEP"}
        assert "narateer.cinematic.legal-route-required" in refused(
            lambda: apart.declare("kael", "sprint", skill="athletics", route=["b", "c"])
        )
        assert ready(apart, "kael") == 6
        joined = zoned(mover(15, "a", skills={"athletics": 4}), zones={"a": {}, "b": {}, "c": {}})
        joined.declare("kael", "sprint", skill="athletics", to="c")
        assert (at(joined, "kael"), spent(joined, "kael")) == ("c", 20)

    @pytest.mark.rule("narateer.cinematic.legal-route-required")
    def test_a_blocked_zone_and_a_blocked_way(self) -> None:
        zones = {"a": {}, "pit": {"blocked": True}, "c": {}}
        t = zoned(mover(15, "a"), zones=zones, ways=[*row("a", "pit", "c"), *row("a", "c", blocked=True)])
        assert codes(t.explain("kael", "run", route=["pit"])) == {"BLOCKED"}
        assert codes(t.explain("kael", "run", route=["c"])) == {"ILLEGAL_STEP"}

    @pytest.mark.rule("narateer.cinematic.legal-route-required", "narateer.tier.door-example")
    def test_a_door_on_the_way_is_opened_first(self) -> None:
        doors = [{"id": "gate", "between": ["one", "two"]}]
        t = zoned(mover(13, "one"), zones={"one": {}, "two": {}}, ways=row("one", "two", door="gate"),
                  map_={"doors": doors})  # fmt: skip
        assert codes(t.explain("kael", "run", to="two")) == {"NO_ROUTE"}
        t.declare("kael", "use", using="gate", intent="open it")
        t.declare("kael", "run", to="two")
        assert at(t, "kael") == "two"
        t.declare("kael", "use", using="gate", intent="shut it")
        assert t.state.open_doors == ()

    @pytest.mark.rule("narateer.cinematic.legal-route-required")
    def test_who_is_not_at_a_door_does_not_open_it(self) -> None:
        doors = [{"id": "gate", "between": ["two", "three"]}]
        ways = [*row("one", "two"), *row("two", "three", door="gate")]
        t = zoned(mover(13, "one"), zones={"one": {}, "two": {}, "three": {}}, ways=ways, map_={"doors": doors})
        assert codes(t.explain("kael", "use", using="gate", intent="open it")) == {"OUT_OF_REACH"}

    @pytest.mark.rule("narateer.cinematic.legal-route-required", "narateer.terrain.changes-spend-rate")
    def test_the_cheapest_way_goes_round_the_mud(self) -> None:
        zones = {"a": {}, "mud": {"difficult": ["mud"]}, "b": {}, "c": {}, "d": {}}
        t = zoned(mover(15, "a"), zones=zones, ways=[*row("a", "mud", "d"), *row("a", "b", "d")])
        assert t.explain("kael", "run", to="d").price.metres == 20
        assert t.explain("kael", "run", route=["mud", "d"]).price.metres == 30

    def test_a_space_is_no_zone(self) -> None:
        t = zoned(mover(15, "one"))
        assert codes(t.explain("kael", "run", route=[(1, 1)])) == {"NO_ZONE"}

    @pytest.mark.parametrize("where", ["two", "Two", "  two "])
    def test_a_zone_is_meant_by_its_id_or_name(self, where: str) -> None:
        t = zoned(mover(15, "one"))
        t.declare("kael", "run", to=where)
        assert at(t, "kael") == "two"

    @pytest.mark.parametrize("said", [{"to": 5}, {"to": "1,2,3"}, {"route": "two"}, {"route": [5]}])
    def test_what_is_no_place_is_said_so(self, said: dict[str, object]) -> None:
        t = zoned(mover(15, "one"))
        with pytest.raises(tw.Refused) as error:
            t.declare("kael", "run", **said)
        assert [refusal.code for refusal in error.value.refusals] == ["BAD_DECLARATION"]

    @pytest.mark.rule("narateer.condition.direction-still-applies")
    def test_a_condition_that_forbids_coming_nearer(self) -> None:
        afraid = {"afraid": {"never": ["nearer guard"]}}
        t = zoned(mover(15, "three", conditions=["afraid"]), character("guard", "guards", "six"), conditions=afraid)
        assert codes(t.explain("kael", "run", route=["four"])) == {"DIRECTION"}
        t.declare("kael", "run", to="two")
        assert at(t, "kael") == "two"

    @pytest.mark.rule("narateer.condition.prevents-movement")
    def test_what_prevents_movement_prevents_it_here_too(self) -> None:
        t = zoned(mover(15, "one"))
        t.override([ConditionChanged("", "kael", "prone")], "tripped")
        assert "PRONE" in codes(t.explain("kael", "run", to="two"))
        t.declare("kael", "stand")
        t.declare("kael", "run", to="two")
        assert (at(t, "kael"), ready(t, "kael")) == ("two", 4)

    @pytest.mark.rule("narateer.additional.exact-amount")
    def test_additional_movement_crosses_zones(self) -> None:
        t = zoned(mover(13, "one"))
        t.override([MovementGranted("", "kael", 20)], "a gust")
        t.declare("kael", "extra_move", to="three")
        assert (at(t, "kael"), spent(t, "kael"), t.state.actors["kael"].mode) == ("three", 0, "")

    @pytest.mark.rule("narateer.sprint.skill-follows-method")
    def test_the_way_says_which_skill_governs_a_sprint(self) -> None:
        ways = [*row("one", "two", tags=["vaulting"]), *row("one", "three")]
        zones = {"one": {}, "two": {}, "three": {}}
        t = zoned(mover(13, "one", skills={"acrobatics": 3}), zones=zones, ways=ways)
        assert codes(t.explain("kael", "sprint", skill="athletics", to="two")) == {"SPRINT_STYLE"}
        assert codes(t.explain("kael", "sprint", skill="acrobatics", to="three")) == {"SPRINT_STYLE"}
        t.declare("kael", "sprint", skill="acrobatics", to="two")
        assert at(t, "kael") == "two"

    @pytest.mark.rule("narateer.obstacle.ordinary-only-costs", "narateer.movecheck.failure-hits-route-not-mode")
    def test_obstacles_on_a_way_and_in_a_zone(self) -> None:
        hurdles = [
            {"way": ["one", "two"], "name": "crates", "metres": 3, "uncertain": False},
            {"at": "three", "name": "a beam", "skill": "acrobatics", "target": 6, "consequence": "stop",
             "failure": "back on the ledge"},
        ]  # fmt: skip
        t = zoned(mover(15, "one"), obstacles=hurdles, dice=(2,))
        t.declare("kael", "run", to="three")
        # 10 m and 3 m for the crates; then 1 AD and a 2 against 6.
        assert (at(t, "kael"), spent(t, "kael")) == ("two", 13)
        answer(t, "try")
        assert (at(t, "kael"), metres(t, "kael", "run"), ready(t, "kael")) == ("two", 17, 4)
        assert [told.text for told in happened(t, Told)] == ["back on the ledge"]

    @pytest.mark.rule("narateer.movecheck.grounds")
    def test_ground_in_doubt_is_put_to_the_guide(self) -> None:
        t = zoned(mover(15, "one"), zones={"one": {}, "two": {}}, ways=row("one", "two", tags=["gap"]), dice=(6,))
        t.declare("kael", "run", to="two")
        assert question(t, "rule").question.suggested[0].skill == "athletics"
        answer(t, 0)
        answer(t, "try")
        assert at(t, "kael") == "two"


WATCHED = {"yard": {}, "grove": {"conceals": ["sight"]}, "far": {}}


class TestWhoSeesWhom:
    @pytest.mark.rule("narateer.hide.needs-concealment", "narateer.hide.not-while-clearly-perceived")
    def test_the_next_zone_is_seen_and_no_farther(self) -> None:
        t = zoned(mover(13, "one"), character("near", "guards", "two"), character("far", "guards", "three"))
        assert codes(t.explain("kael", "call_out", target="near")) == set()
        assert codes(t.explain("kael", "call_out", target="far")) == {"NO_PRECISE_LOCATION"}
        # Hiding is against each: who is two Zones off hears 20 m and sees nothing; who is in the next sees.
        assert codes(t.explain("kael", "hide", method="duck")) == set()
        seen = zoned(mover(13, "one"), character("near", "guards", "two"))
        assert codes(seen.explain("kael", "hide", method="duck")) == {"CLEARLY_PERCEIVED", "NO_CONCEALMENT"}

    @pytest.mark.rule("narateer.hide.must-exceed", "narateer.sneak.double-movement-cost", "narateer.sneak.no-new-check")
    def test_hiding_in_a_zone_that_conceals_and_sneaking_on(self) -> None:
        zones = {"grove": {"conceals": ["sight"]}, "hedge": {"conceals": ["sight"]}, "lane": {}, "yard": {}}
        t = zoned(mover(13, "grove", skills={"stealth": 2}), character("guard", "guards", "yard"), zones=zones,
                  dice=(9,))  # fmt: skip
        t.declare("kael", "hide", method="lie flat")
        assert (hidden_from(t, "kael"), ready(t, "kael")) == (set(), 6), "30 m off, and footsteps carry 20"
        t.declare("kael", "run", to="hedge")
        answer(t, 1, kind="commit")
        assert (hidden_from(t, "kael"), spent(t, "kael"), at(t, "kael")) == ({"guard"}, 10, "hedge")
        # From now on a Zone costs 20 m and 16 are left.
        assert codes(t.explain("kael", "run", to="grove")) == {"TOO_FAR"}

    @pytest.mark.rule("narateer.reveal.clear-view-immediate")
    def test_coming_into_an_open_zone_reveals(self) -> None:
        zones = {"grove": {"conceals": ["sight"]}, "yard": {}}
        t = zoned(mover(13, "grove"), character("guard", "guards", "yard"), zones=zones)
        hidden(t, "kael", "guard")
        assert t.explain("kael", "run", to="yard").warnings == ("at yard Guard sees you plainly",)
        t.declare("kael", "run", to="yard")
        answer(t, "yes", kind="confirm")
        assert (hidden_from(t, "kael"), spent(t, "kael")) == (set(), 20)

    @pytest.mark.rule("narateer.sneak.double-movement-cost")
    def test_quoted_is_charged_also_where_a_way_comes_into_view(self) -> None:
        """20 m into view, and from there on 10 m a Zone: 30 m of 39; X 40 m, and X 20 m."""
        zones = {"grove": {"conceals": ["sight"]}, "yard": {}, "gate": {}}
        granted = [MovementGranted("", "kael", 39)]
        t = zoned(mover(13, "grove"), character("guard", "guards", "yard"), zones=zones)
        hidden(t, "kael", "guard")
        t.override(granted, "a gust")
        assert t.explain("kael", "extra_move", to="gate").price.metres == 30
        t.declare("kael", "extra_move", to="gate")
        answer(t, "yes", kind="confirm")
        assert t.state.actors["kael"].extra == 9

    def test_a_closed_door_shuts_out_sight(self) -> None:
        doors = [{"id": "gate", "between": ["one", "two"]}]
        t = zoned(mover(13, "one"), character("guard", "guards", "two"), zones={"one": {}, "two": {}},
                  ways=row("one", "two", door="gate"), map_={"doors": doors})  # fmt: skip
        assert codes(t.explain("kael", "call_out", target="guard")) == {"NO_PRECISE_LOCATION"}
        t.declare("kael", "use", using="gate", intent="open it")
        assert codes(t.explain("kael", "call_out", target="guard")) == set()
        t.declare("kael", "use", using="gate", intent="shut it")
        assert [event.at for event in happened(t, Learned) if event.by == "kael"] == ["two"]

    @pytest.mark.rule("narateer.search.creature-needs-right-place", "narateer.search.versus-recorded-total")
    @pytest.mark.parametrize(("place", "found"), [("grove", True), ("far", False)])
    def test_a_search_finds_in_the_zone_that_it_covers(self, place: str, found: bool) -> None:
        t = zoned(character("guard", "guards", "yard"), mover(13, "grove"), zones=WATCHED, dice=(6,))
        hidden(t, "kael", "guard", total=5)
        t.declare("guard", "search", place=place, method="beat the bushes", boost=0)
        answer(t, 0, kind="rule")
        assert (hidden_from(t, "kael") == set()) is found

    @pytest.mark.rule("narateer.search.others-learn-separately")
    @pytest.mark.parametrize(("where", "told"), [("three", {"friend"}), ("four", set())])
    def test_a_call_carries_20_m(self, where: str, told: set[str]) -> None:
        people = mover(13, "one"), character("friend", "heroes", where), character("guard", "guards", "one")
        t = zoned(*people)
        t.declare("kael", "call_out", target="guard")
        assert set(t.outcome.who) == told if t.outcome else False

    @pytest.mark.rule("narateer.hidden.area-effects-still-hit")
    def test_an_area_is_a_zone_or_reaches_so_far(self) -> None:
        people = mover(13, "one"), character("guard", "guards", "two"), character("other", "guards", "three")
        for radius, caught in ((0, {"guard"}), (10, {"kael", "guard", "other"})):
            t = zoned(*people)
            t.declare("kael", "affect_area", intent="smoke", method="throw it", place="two", radius=radius)
            answer(t, {"kind": "automatic", "success": "smoke"}, kind="rule")
            assert {event.actor for event in happened(t, Caught)} == caught


class TestReach:
    @pytest.mark.rule("narateer.attack.harm-uses-exchange")
    def test_a_blade_reaches_in_its_own_zone_and_a_bow_so_far_as_it_says(self) -> None:
        arms = [{"name": "sword"}, {"name": "bow", "kind": "ranged", "reach": 5}, {"name": "sling", "kind": "ranged"}]
        t = zoned(
            mover(13, "one", weapons=arms), character("here", "guards", "one"), character("there", "guards", "two")
        )
        for weapon, target, against in (
            ("sword", "here", set()),
            ("sword", "there", {"OUT_OF_REACH"}),
            ("bow", "there", set()),
            ("sling", "there", set()),
        ):
            assert codes(t.explain("kael", "attack", weapon=weapon, target=target)) == against
        short = [{"name": "dart", "kind": "ranged", "reach": 4}]
        t = zoned(mover(13, "one", weapons=short), character("there", "guards", "two"))
        assert codes(t.explain("kael", "attack", weapon="dart", target="there")) == {"OUT_OF_REACH"}, "8 m of 10"

    @pytest.mark.rule("narateer.opportunity.trigger", "narateer.opportunity.enter-or-leave-exempt")
    @pytest.mark.parametrize(("said", "struck"), [("no", False), ("yes", True)])
    def test_leaving_somebody_is_for_the_guide_to_say(self, said: str, struck: bool) -> None:
        t = zoned(mover(13, "one"), character("guard", "guards", "one", seat="guide"), dice=(1,))
        t.declare("kael", "run", to="two")
        asked = question(t, "choose").question
        assert (asked.who, asked.about, asked.rule) == ("guide", "opportunity", "narateer.opportunity.trigger")
        answer(t, said)
        assert bool(t.waiting_on) is struck
        if struck:
            answer(t, "0")
            assert ready(t, "guard") == 5
        assert at(t, "kael") == "two"

    def test_nobody_is_asked_where_nobody_could_strike(self) -> None:
        spent_all = character("guard", "guards", "one", ready=0)
        stunned = character("dazed", "guards", "one", conditions=["stunned"])
        down = character("still", "guards", "one", wounds=3)
        t = zoned(mover(13, "one"), spent_all, stunned, down, character("archer", "guards", "two"))
        t.declare("kael", "run", to="two")
        assert (t.waiting_on, at(t, "kael")) == ((), "two")
        dark = zoned(mover(13, "grove"), character("guard", "guards", "grove"), zones=WATCHED)
        hidden(dark, "kael", "guard")
        dark.declare("kael", "run", to="yard")
        assert [q.kind for q in dark.waiting_on] == ["confirm"]


GATE = {"id": "gate", "between": ["one", "two"]}


class TestFiles:
    def test_two_doors_may_join_the_same_zones(self) -> None:
        ways = [*row("one", "two", door="gate"), *row("one", "two", door="hatch")]
        doors = [GATE, {"id": "hatch", "between": ["two", "one"], "open": True}]
        t = zoned(mover(13, "one"), zones={"one": {}, "two": {}}, ways=ways, map_={"doors": doors})
        assert choices(t, "kael", "walk") == {"two"}

    def test_a_secret_is_in_a_zone(self) -> None:
        with pytest.raises(tw.BadScene, match='did you mean "three"') as found:
            zoned(mover(13, "one"), secrets=[{"id": "coin", "name": "a coin", "place": "thre"}])
        assert found.value.problems[0].line > 0

    @pytest.mark.parametrize(
        ("change", "text"),
        [
            ({"ways": row("one", "nowhere")}, "'nowhere' is no Zone"),
            ({"ways": row("one", "one")}, "to itself"),
            ({"ways": row("one", "two", door="gate")}, "'gate' is no door"),
            ({"ways": [*row("one", "two"), *row("two", "one")]}, "connected already"),
            ({"ways": [*row("one", "two"), *row("two", "one", door="gate")], "doors": [GATE]}, "connected already"),
            ({"doors": [GATE]}, "door: gate"),
            ({"doors": [GATE | {"between": ["one", "tow"]}]}, 'did you mean "two"?'),
            ({"zones": {"one": {"metres": 0}}, "ways": []}, "metres"),
            ({"zones": {"one": {"spaces": [[0, 0]]}}, "ways": []}, "Spaces of the map"),
            ({"zones": {"one": {"spaces": "attic"}}, "ways": []}, "a place of the map"),
        ],
    )
    def test_what_is_wrong_is_said_with_its_line(self, change: dict[str, object], text: str) -> None:
        drawn = {"zones": {"one": {}, "two": {}}, "ways": row("one", "two"), **change}
        with pytest.raises(tw.BadScene) as found:
            table(mover(13, "one"), mode="cinematic", map=drawn)
        assert text in str(found.value)
        assert found.value.problems[0].line > 0

    def test_a_character_is_in_a_zone(self) -> None:
        for where in ("attic", (1, 1), None):
            with pytest.raises(tw.BadScene, match="one of the Zones: one, two"):
                table(mover(13, where), mode="cinematic", map={"zones": {"one": {}, "two": {}}})

    def test_an_obstacle_is_somewhere(self) -> None:
        for hurdle in ({"way": ["one", "three"]}, {"at": "attic"}, {}):
            with pytest.raises(tw.BadScene):
                zoned(mover(13, "one"), obstacles=[{"name": "crates", **hurdle}])


def test_a_step_is_told_by_the_name_of_the_zone() -> None:
    t = zoned(mover(13, "one"), zones={"one": {}, "two": {"name": "the second"}})
    t.declare("kael", "run", to="the second")
    assert [t.game.tell(t.state, event) for event in happened(t, Moved)] == ["Kael moves to the second (10 m)"]
