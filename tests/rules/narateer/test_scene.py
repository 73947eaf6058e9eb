"""Metres come first and are shown as the Scene Mode shows them; shifting it changes nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from moves import at, codes, go, hidden, may_go, metres, mover
from scenes import (
    answer,
    character,
    happened,
    hidden_from,
    question,
    ready,
    recorded,
    refused,
    scene_text,
    spent,
    table,
)
from zoned import BOTH, both, ties, told, zoned

import turnwright as tw
from turnwright.events import Acted, Charged, Event, ModeShifted, Placed
from turnwright.model import GUIDE
from turnwright.space import distance, sees
from turnwright.systems.narateer import conversion
from turnwright.systems.narateer.conversion import expressed, units
from turnwright.systems.narateer.events import Known, Learned, Looking, Overlooked, Revealed, SearchBegun
from turnwright.systems.narateer.senses import ground_of, locates

CHECK = {"kind": "check", "skill": "athletics", "target": 6, "success": "at the altar", "failure": "held back"}
PLACES = "kael=2,2; guard=7,2"


def shift(t: tw.Table, mode: str, **said: Any) -> tuple[Event, ...]:
    """By the guide, in the middle of an open question too."""
    return (t.interject if t.waiting_on else t.declare)("", "shift", mode=mode, **said)


def people(**keys: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    return mover(13, "west", **keys), character("guard", "guards", "east")


class TestMetres:
    @pytest.mark.rule("narateer.scene.metres-first")
    def test_one_allowance_in_three_modes(self) -> None:
        """BM 13 and Run: 26 m, which are 13 Spaces, or 2 Zones, or no count at all."""
        t = both(*people())
        for mode, shown in (("cinematic", "26 m (2 Zones)"), ("tactical", "26 m (13 Spaces)"), ("story", "26 m")):
            if mode != "cinematic":
                shift(t, mode, **({"at": PLACES} if mode == "tactical" else {}))
            assert metres(t, "kael", "run") == 26
            assert expressed(t.state, t.state.actors["kael"].spent + 26) == shown

    @pytest.mark.rule("narateer.scene.metres-first", "narateer.scene.shift-preserves")
    def test_case_43_the_ledger_is_metres(self) -> None:
        """17 of 26 m are left in Zones, and then they are 8 Spaces (8.5).

        X 13 Spaces less 9 m as 4 or 5 of them, which leaves 9 or 8.
        """
        drawn = {"rows": ["a" * 30] * 3, "legend": {"a": {"name": "flags", "place": "yard"}},
                 "zones": {"pen": {"metres": 9}, "yard": {"spaces": "yard", "metres": 9}},
                 "ways": [{"between": ["pen", "yard"]}]}  # fmt: skip
        t = zoned(mover(13, "pen"), zones=drawn["zones"], ways=drawn["ways"], map_=drawn)
        t.declare("kael", "run", to="yard")
        assert (spent(t, "kael"), metres(t, "kael", "run")) == (9, 17)
        shift(t, "tactical", at="kael=0,1")
        assert (spent(t, "kael"), metres(t, "kael", "run"), ready(t, "kael")) == (9, 17, 5)
        assert (may_go(t, "kael", "run", 8), may_go(t, "kael", "run", 9)) == (True, False)
        assert units(t.state, t.state.actors["kael"].spent * 0 + 17, "tactical") == 8

    @pytest.mark.rule("narateer.scene.conversion-owned-elsewhere", "narateer.tactical.two-metre-spaces")
    def test_another_converter_is_taken_at_its_word(self, monkeypatch: pytest.MonkeyPatch) -> None:
        t = both(*people(), mode="cinematic")
        monkeypatch.setitem(conversion.CONVERTERS, "cinematic", lambda state, metres: 99)
        assert t.explain("kael", "run").label == "run, 26 m (99 Zones) left"
        monkeypatch.setitem(conversion.CONVERTERS, "tactical", lambda state, metres: 99)
        shift(t, "tactical", at=PLACES)
        far = t.explain("kael", "walk", route=[(x, 2) for x in (3, 4, 5, 6)] + [(6, 1), (5, 1), (4, 1)])
        assert "(99 Spaces)" in {refusal.code: refusal.text for refusal in far.refusals}.get("TOO_FAR", "")

    @pytest.mark.rule("narateer.scene.conversion-owned-elsewhere")
    @pytest.mark.parametrize(("setting", "mode"), [("space_metres", "tactical"), ("zone_metres", "cinematic")])
    def test_an_emptied_setting_is_missed_where_it_is_needed(self, setting: str, mode: str) -> None:
        t = both(*people(), settings={setting: None})
        if mode != "cinematic":
            shift(t, mode, at=PLACES)
        said: dict[str, Any] = {"to": "east"} if mode == "cinematic" else {"route": [(3, 2)]}
        found = {r.code: r.rule for r in t.explain("kael", "run", **said).refusals}
        assert found["MISSING_RULE"] == "narateer.scene.conversion-owned-elsewhere"
        shift(t, "story")
        assert codes(t.explain("kael", "run", to="east")) == set(), "relations need no conversion"

    @pytest.mark.rule("narateer.scene.conversion-owned-elsewhere", "narateer.cinematic.zone-conversion")
    def test_26_m_by_the_shipped_converter(self) -> None:
        t = both(*people())
        assert [units(t.state, t.state.actors["kael"].spent + 26, mode) for mode in ("tactical", "cinematic")] == [
            13,
            2,
        ]


class TestNothingIsResolved:
    @pytest.mark.rule("narateer.scene.shift-does-not-resolve", "narateer.scene.shift-before-resolution")
    def test_a_confirmed_action_stays_confirmed_at_its_price(self) -> None:
        t = both(*people(skills={"athletics": 2}), dice=(6,))
        t.declare("kael", "attempt", intent="reach the altar", method="over the benches")
        answer(t, CHECK | {"ad": 1}, kind="rule")
        before = question(t, "commit").question
        shift(t, "tactical", at=PLACES)
        after = question(t, "commit").question
        assert (after.price.amount("ad"), after.most, after.ruling) == (1, 2, before.ruling)
        assert (t.state.mode, ready(t, "kael")) == ("tactical", 6)
        assert (t.outcome and t.outcome.action) == "begin", "nothing has come out since"
        assert t.pending is not None
        assert t.pending.declaration.intent == "reach the altar"
        assert happened(t, Charged) == happened(t, Acted) == []
        answer(t, 0)
        assert t.outcome is not None
        assert (t.outcome.result, ready(t, "kael")) == ("success", 5)
        assert [acted.intent for acted in happened(t, Acted)] == ["reach the altar"]

    @pytest.mark.rule("narateer.scene.shift-does-not-resolve")
    def test_it_moves_nobody_out_of_their_zone_and_charges_nothing(self) -> None:
        t = both(*people())
        events = shift(t, "tactical", at=PLACES)
        assert [type(event) for event in events] == [Overlooked, ModeShifted, Placed, Placed, Overlooked]
        assert (at(t, "kael"), at(t, "guard"), spent(t, "kael"), ready(t, "kael")) == ((2, 2), (7, 2), 0, 6)
        assert t.outcome is not None
        assert t.outcome.result == "tactical"

    @pytest.mark.rule("narateer.scene.shift-does-not-resolve", "narateer.reveal.clear-view-immediate")
    def test_a_shift_reveals_nobody_and_the_rules_do_so_afterwards(self) -> None:
        """In the thicket nobody sees far; on the map the guide sets the guard down beside the hider."""
        drawn = {"zones": {"wood": {"spaces": "east", "conceals": ["sight"]}}, "ways": []}
        t = both(character("guard", "guards", "wood"), mover(13, "wood"), map_=drawn)
        hidden(t, "kael", "guard")
        shift(t, "tactical", at="guard=6,2; kael=7,2")
        assert (hidden_from(t, "kael"), happened(t, Revealed)) == ({"guard"}, [])
        t.declare("guard", "walk", route=[(6, 3)])
        assert hidden_from(t, "kael") == set(), "next to each other concealment fails, as ever"


EXAMPLES = Path(__file__).parents[3] / "examples" / "narateer"
FIELD: dict[str, Any] = {
    "zones": {"west": {"spaces": "west"}, "east": {"spaces": "east"}},
    "ways": [],
    "legend": {"a": {"name": "flags", "place": "west"}, "b": {"name": "stones", "place": "east"}},
}
"""Two Zones without a way between them, and no cover on the map."""


def played(scene: str, actor: str) -> tw.Table:
    t = tw.Table(tw.load_scene(EXAMPLES / f"{scene}.yaml"), seed=3)
    t.declare(actor, "begin")
    return t


def aimed_at(t: tw.Table, actor: str) -> set[str]:
    """At whom the offers let somebody strike or shoot."""
    offers = [offer for offer in t.offers(actor) if offer.action == "attack" and offer.verdict != "illegal"]
    return {offer.declaration.target for offer in offers}


class TestNobodyComesIntoSight:
    @pytest.mark.rule("narateer.scene.shift-does-not-resolve", "narateer.scene.shift-preserves")
    def test_whom_walls_and_thickets_hid_nobody_knows_in_words(self) -> None:
        """On the map Selka's people see nobody of the three others; going about in the same place shows them none."""
        t = played("ambush", "selka")
        before = set(t.knows("ann").actors)
        assert before == {"selka", "bo"}
        shift(t, "story")
        assert (set(t.knows("ann").actors), aimed_at(t, "selka")) == (before, set())
        assert not [event for event in t.news("ann") if isinstance(event, Placed) and event.actor not in before]
        t.declare("selka", "walk", to="bo")
        answer(t, 0)
        assert set(t.knows("ann").actors) == before

    @pytest.mark.rule("narateer.scene.shift-does-not-resolve", "narateer.story.preserve-facts")
    def test_no_way_leads_to_the_roofs_in_words_either(self) -> None:
        t = played("chase", "pell")
        shift(t, "story")
        assert set(t.knows("ann").actors) == {"pell", "osk", "sergeant"}
        assert aimed_at(t, "pell") == {"sergeant"}
        assert codes(t.explain("pell", "attack", target="archer")) == {"NO_PRECISE_LOCATION"}
        other = played("chase", "archer")
        shift(other, "story")
        assert aimed_at(other, "archer") <= {"sergeant"}

    @pytest.mark.rule("narateer.scene.shift-does-not-resolve", "narateer.reveal.clear-view-immediate")
    @pytest.mark.parametrize("mover_", ["kael", "guard"])
    def test_what_the_map_would_show_is_seen_when_one_of_them_moves(self, mover_: str) -> None:
        """No way joins the Zones, and no wall stands on the map between them."""
        t = both(mover(13, "west", seat="ann"), character("guard", "guards", "east"), map_=FIELD, seats=[{"id": "ann"}],
                 begin=mover_)  # fmt: skip
        assert set(t.knows("ann").actors) == {"kael"}
        shift(t, "tactical", at=PLACES)
        assert (set(t.knows("ann").actors), aimed_at(t, mover_)) == ({"kael"}, set())
        t.declare(mover_, "walk", route=[(2, 1) if mover_ == "kael" else (7, 1)])
        assert set(t.knows("ann").actors) == {"kael", "guard"}

    @pytest.mark.rule("narateer.scene.shift-does-not-resolve", "narateer.story.relationships-not-counts")
    @pytest.mark.parametrize(
        ("goes", "to", "seen"),
        [("kael", "lamp", False), ("kael", "crate", True), ("guard", "lamp", True)],
    )
    def test_in_words_it_is_seen_by_coming_near_or_when_it_comes_out(self, goes: str, to: str, seen: bool) -> None:
        """The guard stands by the crate, out of Kael's sight on the map; in words both are in the yard."""
        rows = ["yy#yy", "yy#yy", "yy#yy"]
        things = [
            {"thing": "crate", "place": "yard"},
            {"thing": "lamp", "place": "yard"},
        ]
        t = table(mover(13, (0, 1), seat="ann"), character("guard", "guards", (4, 1)), rows=rows, begin=goes,
                  legend={"y": {"name": "flags", "place": "yard"}}, seats=[{"id": "ann"}],
                  relations=[*things, {"near": ["guard", "crate"]}])  # fmt: skip
        shift(t, "story")
        assert set(t.knows("ann").actors) == {"kael"}
        t.declare(goes, "walk", to=to)
        answer(t, 0)
        assert set(t.knows("ann").actors) == ({"kael", "guard"} if seen else {"kael"})

    @pytest.mark.rule("narateer.scene.shift-does-not-resolve")
    def test_who_moves_off_the_map_view_unseen_leaves_no_memory_of_it(self) -> None:
        """The guard walks behind the pillar before anybody looks: nobody saw him go."""
        drawn = FIELD | {"rows": ["aaaaabbbbb", "aaaaa####b", "aaaaabbbbb", "aaaaabbbbb", "aaaaabbbbb"]}
        t = both(mover(13, "west", seat="ann"), character("guard", "guards", "east"), map_=drawn, seats=[{"id": "ann"}],
                 begin="guard")  # fmt: skip
        shift(t, "tactical", at="kael=2,0; guard=5,2")
        t.declare("guard", "walk", route=[(6, 2), (7, 2), (8, 2)])
        assert list(t.state.every(Known)) == []

    @pytest.mark.rule("narateer.scene.shift-does-not-resolve", "narateer.sneak.new-observer-passive")
    def test_a_hide_that_stands_meets_nobody_by_it(self) -> None:
        """Beyond hearing and sight nobody could notice; in words the two are in one place."""
        rows = ["." * 30, "#" * 30, "." * 30]
        t = tw.Table(tw.read_scene(_hall(rows), "test.yaml"), seed=1)
        t.declare("kael", "begin")
        hidden(t, "kael", "wolf", total=3)
        shift(t, "story")
        t.declare("kael", "end")
        t.declare("guard", "begin")
        assert (recorded(t, "kael"), happened(t, Revealed), hidden_from(t, "kael")) == (3, [], {"wolf"})

    @pytest.mark.rule("narateer.scene.shift-preserves", "narateer.hidden.observer-may-still-know")
    @pytest.mark.parametrize("gone", [False, True])
    def test_where_somebody_out_of_sight_is_stays_as_vague_as_it_was(self, gone: bool) -> None:
        """The thief was seen to go into the dark Zone; on the map that is all of its Spaces, whether it is there."""
        legend = {m: {"name": z, "place": z} for m, z in zip("abc", ("west", "east", "far"), strict=True)}
        rows = {
            "rows": ["aaaaabbbbbccccc"] * 4,
            "legend": legend | {"b": legend["b"] | {"conceals": ["sight"]}},
            "zones": {
                "west": {"spaces": "west"},
                "east": {"spaces": "east", "conceals": ["sight"]},
                "far": {"spaces": "far"},
            },
            "ways": [{"between": ["west", "east"]}, {"between": ["east", "far"]}],
        }
        t = both(mover(13, "west"), character("bo", "guards", "west", seat="ann"), map_=rows, seats=[{"id": "ann"}])
        t.declare("kael", "walk", to="east")
        if t.waiting_on:
            answer(t, "no")
        if gone:
            t.override({"kael.at": "far"}, "and on, unseen")
        assert t.knows("ann").actors["kael"].at == "east"
        shift(t, "tactical", at=f"bo=0,0; kael={'12,1' if gone else '7,1'}")
        assert t.knows("ann").actors["kael"].at == "east"
        assert codes(t.explain("bo", "attack", target="kael")) >= {"NO_PRECISE_LOCATION"}

    @pytest.mark.rule("narateer.scene.shift-preserves")
    def test_who_was_seen_and_is_not_any_more_is_remembered(self) -> None:
        """Over the map the two see each other from far; as Zones there is one in between."""
        rows = {"rows": ["aaaaabbbbbccccc"] * 4,
                "legend": {m: {"name": z, "place": z} for m, z in zip("abc", ("west", "east", "far"), strict=True)},
                "zones": {z: {"spaces": z} for z in ("west", "east", "far")},
                "ways": [{"between": ["west", "east"]}, {"between": ["east", "far"]}]}  # fmt: skip
        t = both(mover(13, (1, 1), seat="ann"), character("guard", "guards", (12, 1)), map_=rows, mode="tactical",
                 seats=[{"id": "ann"}])  # fmt: skip
        shift(t, "cinematic")
        assert t.knows("ann").actors["guard"].at == "far"
        shift(t, "tactical", at="kael=1,1; guard=12,1")
        assert t.knows("ann").actors["guard"].at == (12, 1)


def _hall(rows: list[str]) -> str:
    people = mover(13, (0, 0)), character("guard", "guards", (29, 2)), character("wolf", "guards", (28, 2))
    return scene_text(*people, rows=rows)


class TestSuggestedSpaces:
    """Where the guide is asked, the first Space is the one that fits best what was stated."""

    @staticmethod
    def first(t: tw.Table, **said: Any) -> dict[str, Any]:
        shift(t, "tactical", **said)
        while t.waiting_on:
            answer(t, t.waiting_on[0].options[0])
        return {name: actor.at for name, actor in t.state.actors.items()}

    @staticmethod
    def hall(*stated: dict[str, Any]) -> tw.Table:
        rows = ["........", "..T.....", "........", "....P...", "........", "........"]
        legend = {"T": {"name": "table"}, "P": {"name": "pillar", "blocked": True, "opaque": True}}
        things = [{"thing": "table", "name": "the long table", "place": "hall"}, {"thing": "pillar", "place": "hall"}]
        guards = character("guard", "guards", "hall"), character("wolf", "guards", "hall")
        return table(mover(13, "hall"), *guards, mode="story", begin="kael", relations=[*things, *stated],
                     map={"rows": rows, "legend": legend})  # fmt: skip

    @pytest.mark.rule("narateer.scene.shift-preserves", "narateer.story.preserve-facts")
    def test_near_is_beside_and_far_is_not(self) -> None:
        at = self.first(self.hall({"near": ["kael", "table"]}, {"near": ["guard", "kael"]}, {"far": ["wolf", "table"]}))
        assert distance(at["kael"], (2, 1)) <= 1
        assert distance(at["guard"], at["kael"]) == 1
        assert distance(at["wolf"], (2, 1)) >= 3

    @pytest.mark.rule("narateer.scene.shift-preserves", "narateer.scene.shift-does-not-resolve")
    @pytest.mark.parametrize("fixed", ["", "wolf=0,5", "guard=7,0; wolf=7,5"])
    def test_behind_is_beside_it_and_out_of_sight(self, fixed: str) -> None:
        t = self.hall(
            {"behind": ["kael", "pillar"]}, {"near": ["guard", "wolf"]} if not fixed else {"near": ["kael", "table"]}
        )
        at = self.first(t, **({"at": fixed} if fixed else {}))
        assert distance(at["kael"], (4, 3)) == 1
        field = ground_of(t.state)
        assert field is not None
        if "guard" not in fixed:
            assert [sees(field, at[other], at["kael"]) for other in ("guard", "wolf")] == [False, False]
        assert locates(t.state, t.state.actors["guard"], t.state.actors["kael"]) is False


class TestWhoAndWhen:
    @pytest.mark.rule("narateer.scene.shift-before-resolution")
    def test_only_the_guide_shifts(self) -> None:
        t = both(mover(13, "west", seat="ann"), character("guard", "guards", "east"), seats=[{"id": "ann"}])
        for actor, keys in (("", {"seat": "ann"}), ("kael", {"seat": "ann"}), ("kael", {}), ("kael", {"seat": GUIDE})):
            rules = refused(lambda actor=actor, keys=keys: t.declare(actor, "shift", mode="story", **keys))
            assert set(rules) == {"narateer.scene.shift-before-resolution"}
        assert t.state.mode == "cinematic"
        assert [offer.action for offer in t.offers("")] == ["shift", "shift"]
        assert "shift" not in [offer.action for offer in t.offers("kael")]
        shift(t, "story", seat=GUIDE)
        assert t.state.mode == "story"

    @pytest.mark.rule("narateer.scene.shift-before-resolution")
    @pytest.mark.parametrize("kind", ["rule", "commit"])
    def test_while_a_question_before_the_commitment_is_open(self, kind: str) -> None:
        t = both(*people(skills={"athletics": 2}), dice=(6,))
        t.declare("kael", "attempt", intent="reach the altar", method="over the benches")
        if kind == "commit":
            answer(t, CHECK, kind="rule")
        name = question(t, kind).id
        shift(t, "story")
        assert (t.state.mode, question(t, kind).id) == ("story", name), "the same question, put again"
        assert "QUESTION_OPEN" in {r.code for r in _refusals(lambda: t.declare("", "shift", mode="tactical"))}

    @pytest.mark.rule("narateer.scene.shift-before-resolution")
    def test_not_between_the_commitment_and_the_reading(self) -> None:
        t = both(mover(13, "west", seat="ann"), character("guard", "guards", "east"), seats=[{"id": "ann"}],
                 by_hand=("ann",))  # fmt: skip
        t.declare("kael", "attempt", intent="reach the altar", method="over the benches", boost=0)
        answer(t, CHECK, kind="rule")
        if question(t).kind == "confirm":
            answer(t, "yes")
        assert question(t).kind == "roll"
        found = refused(lambda: shift(t, "story"))
        assert found == {"narateer.scene.shift-before-resolution": "what is committed to is resolved first"}
        answer(t, 6)
        shift(t, "story")
        assert t.state.mode == "story"

    @pytest.mark.rule("narateer.scene.shift-before-resolution")
    def test_help_given_beforehand_is_no_commitment_of_the_action(self) -> None:
        t = both(*people(skills={"athletics": 1}), character("bo", "heroes", "west"), dice=(6,))
        t.declare("kael", "attempt", intent="reach the altar", method="over the benches")
        answer(t, CHECK, kind="rule")
        t.interject("bo", "assist", method="a hand up")
        shift(t, "story")
        assert (t.state.mode, ready(t, "bo"), question(t).kind) == ("story", 5, "commit")

    @pytest.mark.rule("narateer.scene.shift-before-resolution")
    def test_not_in_the_middle_of_a_walk(self) -> None:
        ledge = {
            "at": [4, 2],
            "name": "a gap",
            "skill": "athletics",
            "target": 4,
            "consequence": "stop",
            "failure": "no",
        }
        t = both(mover(13, (2, 2)), mode="tactical", obstacles=[ledge])
        t.declare("kael", "run", to=(6, 2))
        assert question(t).kind == "choose"
        assert "narateer.scene.shift-before-resolution" in refused(lambda: shift(t, "story"))

    @pytest.mark.parametrize(
        ("mode", "where", "code"),
        [
            ("cinematic", "", "MODE"),
            ("chess", "", "MODE"),
            ("tactical", "nobody=1,1", "PLACE"),
            ("tactical", "kael=40,1", "PLACE"),
            ("tactical", "kael=up", "PLACE"),
            ("tactical", "kael=7,2", "PLACE"),
            ("tactical", "kael=1,1; bo=1,1", "PLACE"),
        ],
    )
    def test_what_is_no_shift(self, mode: str, where: str, code: str) -> None:
        t = both(*people(), character("bo", "heroes", "west"))
        assert codes(t.explain("", "shift", mode=mode, **({"at": where} if where else {}))) == {code}

    def test_without_a_map_there_is_no_tactical_mode(self) -> None:
        t = zoned(mover(13, "one"))
        assert codes(t.explain("", "shift", mode="tactical")) == {"NO_MAP"}
        assert codes(told(mover(13, "hall")).explain("", "shift", mode="cinematic")) == {"NO_MAP"}


def _refusals(call: Any) -> tuple[tw.Refusal, ...]:
    with pytest.raises(tw.Refused) as error:
        call()
    return error.value.refusals


class TestWhatIsKept:
    @pytest.mark.rule("narateer.scene.shift-preserves")
    def test_intent_total_and_metres(self) -> None:
        """ "reach the altar", 14 against the guard, and 9 m spent of 26."""
        shadow = {"spaces": "west", "metres": 9, "conceals": ["sight"]}
        drawn = {"zones": {"west": shadow, "east": {"spaces": "east"}, "pen": {"metres": 9}},
                 "ways": [{"between": ["west", "east"]}, {"between": ["west", "pen"]}]}  # fmt: skip
        t = both(mover(13, "pen"), character("guard", "guards", "east"), map_=drawn)
        t.declare("kael", "run", to="west")
        hidden(t, "kael", "guard", total=14)
        t.declare("kael", "attempt", intent="reach the altar", method="along the wall")
        shift(t, "tactical", at=PLACES)
        assert t.pending is not None
        assert t.pending.declaration.intent == "reach the altar"
        assert (hidden_from(t, "kael"), recorded(t, "kael")) == ({"guard"}, 14)
        assert spent(t, "kael") == 9
        answer(t, {"kind": "impossible", "obstacle": "a rail"})
        assert metres(t, "kael", "run") == 17

    @pytest.mark.rule("narateer.scene.shift-preserves")
    def test_the_guide_is_asked_for_what_does_not_follow(self) -> None:
        t = both(*people())
        shift(t, "tactical")
        first = question(t, "choose").question
        assert (first.who, first.about, first.rule) == (GUIDE, "place", "narateer.scene.shift-preserves")
        assert {option.id for option in first.options} <= {f"{x},{y}" for x in range(5) for y in range(5)}
        assert t.state.mode == "cinematic", "all are placed first, and then the mode changes"
        answer(t, "2,2")
        assert "7,2" in question(t, "choose").options
        answer(t, "7,2")
        assert (t.state.mode, at(t, "kael"), at(t, "guard")) == ("tactical", (2, 2), (7, 2))

    @pytest.mark.rule("narateer.scene.shift-preserves")
    def test_suggested_spaces_keep_the_hidden_out_of_sight(self) -> None:
        """A pillar stands in the open west; behind it nobody in the east sees anybody."""
        zones = {"west": {"spaces": "west", "conceals": ["sight"]}, "east": {"spaces": "east"}}
        legend = {"a": {"name": "flags", "place": "west"}, "b": {"name": "grass", "place": "east"}}
        drawn = {"rows": ["aaaaa", "a#bbb", "aaaaa"], "zones": zones, "legend": legend}
        t = both(character("guard", "guards", "east"), mover(13, "west"), map_=drawn)
        hidden(t, "kael", "guard")
        assert hidden_from(t, "kael") == {"guard"}
        shift(t, "tactical", at="guard=4,1")
        assert question(t).options[0] == "0,1"

    @pytest.mark.rule("narateer.scene.shift-preserves")
    def test_there_and_back_is_the_same(self) -> None:
        t = both(mover(13, (2, 2)), character("guard", "guards", (7, 2)), mode="tactical")
        go(t, "kael", "run", 1)
        hidden(t, "guard", "kael", total=11)
        before = t.state
        shift(t, "cinematic")
        assert (at(t, "kael"), at(t, "guard")) == ("west", "east")
        shift(t, "story")
        assert (at(t, "kael"), ties(t, "kael")) == ("west", set())
        shift(t, "cinematic")
        shift(t, "tactical", at="kael=3,2; guard=7,2")
        after = t.state
        assert (after.actors, after.relations, after.mode) == (before.actors, before.relations, before.mode)

    @pytest.mark.rule("narateer.scene.shift-preserves")
    def test_what_is_remembered_and_searched_goes_along(self) -> None:
        guards = character("guard", "guards", (7, 2)), character("wolf", "guards", (8, 4))
        t = both(mover(13, (2, 2)), *guards, mode="tactical")
        t.override(
            [Learned("", "guard", "kael", (7, 2)), Learned("", "wolf", "kael", (1, 1), "was"),
             SearchBegun("", "kael", ((6, 2), (7, 2)), "the grass", 9)],
            "so far",
        )  # fmt: skip
        shift(t, "cinematic")
        known = {r.owner: (r.at, r.how) for r in t.state.every(Known)}
        assert known == {"guard": ("east", "saw"), "wolf": ("west", "was")}
        looking = next(t.state.every(Looking))
        assert (looking.scope, looking.place, looking.total) == (("east",), "the grass", 9)
        shift(t, "tactical", at="kael=2,2; guard=9,0; wolf=8,4")
        assert {r.owner: r.at for r in t.state.every(Known)}["guard"] == (7, 2), "as it was remembered"
        assert (6, 2) in next(t.state.every(Looking)).scope

    @pytest.mark.rule("narateer.scene.shift-preserves", "narateer.story.relationships-not-counts")
    def test_who_shares_a_zone_is_near(self) -> None:
        t = both(mover(13, "west"), character("bo", "heroes", "west"), character("guard", "guards", "east"))
        shift(t, "story")
        assert (ties(t, "kael"), ties(t, "guard")) == ({("near", "bo")}, set())

    @pytest.mark.rule("narateer.scene.shift-preserves")
    def test_while_it_is_asked_what_is_meant(self) -> None:
        t = both(*people())
        t.declare("kael", "attempt", intent="cross", method="walk")
        answer(t, {"kind": "unclear"})
        shift(t, "story")
        assert question(t).kind == "clarify"
        answer(t, ("cross over", "slowly"))
        said = question(t, "rule").question.declaration
        assert (said.intent, said.method) == ("cross over", "slowly")

    @pytest.mark.rule("narateer.scene.shift-preserves")
    def test_a_warned_run_goes_on_in_zones(self) -> None:
        """In front of a Sprint out of hiding the guide shifts: 10 m into the east, once the mover goes on."""
        t = both(mover(13, (3, 2)), character("guard", "guards", (9, 4)), mode="tactical",
                 map_={"rows": ["bbbbbbbbbb"] * 5, "zones": {"west": {"spaces": [[3, 2], [4, 2]]}, "east": {
                     "spaces": [[5, 2], [6, 2], [9, 4]]}}})  # fmt: skip
        hidden(t, "kael", "guard")
        t.declare("kael", "sprint", skill="athletics", to=(6, 2))
        assert question(t, "confirm").question.warnings
        shift(t, "cinematic")
        assert (at(t, "kael"), hidden_from(t, "kael")) == ("west", {"guard"})
        answer(t, "yes")
        assert (at(t, "kael"), spent(t, "kael"), ready(t, "kael")) == ("east", 10, 4)

    @pytest.mark.rule("narateer.scene.shift-preserves")
    @pytest.mark.parametrize(("mode", "where"), [("cinematic", "east"), ("tactical", (6, 1))])
    def test_what_was_declared_in_words_is_done_on_the_map(self, mode: str, where: Any) -> None:
        """Kael goes near the guard; before the guide rules the scene goes on in Zones, or in Spaces: beside him."""
        open_grass = {"zones": {"west": {"spaces": "west"}, "east": {"spaces": "east"}}}
        t = both(*people(), mode="story", relations=[], map_=open_grass)
        t.declare("kael", "run", to="guard")
        shift(t, mode, **({"at": "kael=2,2; guard=7,2"} if mode == "tactical" else {}))
        answer(t, 0, kind="rule")
        while t.waiting_on:
            answer(t, "no" if question(t).kind == "choose" else "yes")
        if mode == "cinematic":
            assert (at(t, "kael"), spent(t, "kael")) == (where, 10)
        else:
            x, y = at(t, "kael")
            assert (max(abs(x - 7), abs(y - 2)), spent(t, "kael")) == (1, 8)

    @pytest.mark.rule("narateer.scene.shift-preserves")
    def test_undo_save_and_load(self, tmp_path: Path) -> None:
        t = both(*people(skills={"athletics": 2}), dice=(6,))
        t.declare("kael", "attempt", intent="reach the altar", method="over the benches")
        answer(t, CHECK, kind="rule")
        before = t.state
        shift(t, "tactical")
        answer(t, "2,2", kind="choose")
        t.save(tmp_path / "half.log")
        half = tw.Table.load(tmp_path / "half.log")
        assert [q.prompt for q in half.waiting_on] == [q.prompt for q in t.waiting_on]
        answer(t, "7,2", kind="choose")
        t.save(tmp_path / "whole.log")
        whole = tw.Table.load(tmp_path / "whole.log")
        assert (whole.state, whole.waiting_on) == (t.state, t.waiting_on)
        for _ in range(3):
            t.undo()
        assert (t.state, question(t).kind) == (before, "commit")
        for _ in range(3):
            t.redo()
        assert t.state == whole.state

    def test_an_override_may_shift_it_too(self) -> None:
        """Then the guide says where everybody is in the same breath; the rules settle hiding as after any change."""
        t = both(*people())
        t.override([ModeShifted("", "tactical"), Placed("", "kael", (2, 2)), Placed("", "guard", (7, 2))], "to the map")
        assert (t.state.mode, may_go(t, "kael", "walk", 2)) == ("tactical", True)


def test_the_map_has_both() -> None:
    assert set(BOTH) >= {"rows", "zones", "ways"}
