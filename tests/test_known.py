"""What a seat is shown: the law that what it cannot know changes nothing, and the views of questions and events."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from journeys import JOURNEYS, SEATS, THICKET, attempting, hiding, passing
from msgspec.structs import replace
from scenes import answer, character, question, table
from worlds import VARY, WORLDS, state_in, unknown

import turnwright as tw
from turnwright import known
from turnwright.dice import Pool
from turnwright.events import Event
from turnwright.known import Names, question_view
from turnwright.model import (
    GUIDE,
    SPECTATOR,
    Choose,
    Commit,
    Confirm,
    Option,
    Price,
    Question,
    Refusal,
    Relation,
    Roll,
    Rule,
    Ruling,
    State,
    enc_hook,
)
from turnwright.systems.narateer import knowledge, terrain
from turnwright.systems.narateer.check import CheckReady
from turnwright.systems.narateer.events import (
    DoorBelief,
    DoorWay,
    Exposed,
    Hid,
    Hidden,
    Learned,
    Record,
    SearchBegun,
    belief_name,
)
from turnwright.testing import OVER, Broken, check_secrets, play

Tried = dict[str, int]


def played(seed: int, mode: str = "tactical") -> tw.Table:
    """A random scene after some random play, at a moment at which no question is open."""
    draw = Random(f"law {seed}")
    made = tw.Table(state_in(mode, seed), seed=seed)
    wanted = draw.randint(0, 25)
    for number, word in enumerate(play(made, draw)):
        if word == OVER or (number >= wanted and not made.waiting_on):
            break
    return made


MOMENTS = [(mode, seed) for mode in WORLDS for seed in range(30 if mode == "tactical" else 12)]
PLAYERS = ("ann", "bo", "cy")


@pytest.mark.parametrize(("mode", "seed"), MOMENTS)
def test_what_a_seat_cannot_know_changes_nothing_that_it_is_shown(mode: str, seed: int) -> None:
    state = played(seed, mode).state
    draw = Random(seed)
    for seat in PLAYERS:
        if any(actor.seat == seat for actor in state.actors.values()):
            names = draw.sample(list(VARY), 5)
            for name in names:
                other = VARY[name](state, seat, draw)
                if other is not None:
                    check_secrets(state, other, seat, Random(seed), limit=100)


def test_every_kind_of_difference_is_tried() -> None:
    tried = dict.fromkeys(VARY, 0)
    for mode, seed in MOMENTS:
        state = played(seed, mode).state
        for name, vary in VARY.items():
            tried[name] += any(vary(state, seat, Random(seed)) not in (None, state) for seat in PLAYERS)
    assert min(tried.values()) >= 2, tried


WATCHING = (*PLAYERS, SPECTATOR)


def shown(made: tw.Table) -> dict[str, tuple[dict[str, Any], int]]:
    """What each seat is shown, with its version beside it."""
    views = {seat: made.view(seat) for seat in WATCHING}
    return {seat: (view, view.pop("version")) for seat, view in views.items()}


def moved_alone(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Seats whose version moved although nothing else did."""
    return [seat for seat in WATCHING if before[seat][0] == after[seat][0] and before[seat][1] != after[seat][1]]


@pytest.mark.parametrize(("mode", "seed"), [(mode, seed) for mode in WORLDS for seed in range(5)])
def test_no_version_moves_by_what_is_not_shown_and_undo_and_redo_and_a_load_show_no_more(
    mode: str, seed: int, tmp_path: Path
) -> None:
    draw = Random(f"versions {seed}")
    made = tw.Table(state_in(mode, f"versions {seed}"), seed=seed, dice="table")
    before = shown(made)
    for number, word in enumerate(play(made, draw, undo=0)):
        now = shown(made)
        assert moved_alone(before, now) == [], word
        if made.live and draw.random() < 0.15:
            made.undo()
            undone = shown(made)
            assert moved_alone(now, undone) == [], f"undo of {word}"
            made.redo()
            assert moved_alone(undone, shown(made)) == [], f"redo of {word}"
        before = shown(made)
        if word == OVER or number > 25:
            break
    made.save(tmp_path / "game.log")
    assert shown(tw.Table.load(tmp_path / "game.log")) == before


def lair(guard_at: tuple[int, int] = (6, 1), **guard: Any) -> tw.Table:
    """Selka in a room, a guard beyond the wall."""
    return table(
        character("selka", "heroes", (1, 1), skills={"stealth": 2, "observation": 1}, seat="ann"),
        character("guard", "guards", guard_at, seat="cy", **guard),
        rows=["...#....", ".,.#....", "...#...."],
        map_={"doors": [{"id": "gate", "between": [[5, 0], [6, 0]]}]},
        legend=THICKET,
        seats=SEATS,
        secrets=[{"id": "coin", "name": "a coin", "place": "thicket", "target": 5}],
        begin="selka",
    )


class TestTheLawIsTested:
    """Every leak that the law is about, made on purpose, is found."""

    def leaks(self, monkeypatch: pytest.MonkeyPatch, name: str, value: Any, **guard: Any) -> None:
        one, two = lair().state, lair((5, 2), **guard).state
        check_secrets(one, two, "ann", Random(1))
        monkeypatch.setattr(tw.find_game("narateer"), name, value)
        with pytest.raises(Broken):
            check_secrets(one, two, "ann", Random(1))

    def test_a_seat_that_knows_everything(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.leaks(monkeypatch, "known", lambda state, seat: state)

    def test_a_reason_that_looks_at_the_truth(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one, two = lair().state, _marked(lair((5, 2)).state)
        action = tw.find_game("narateer").actions["search"]

        def refusals(known: State, d: Any, moment: Any) -> Any:
            if _is_marked(known):
                yield Refusal("", "somebody is there", "LEAK")

        monkeypatch.setattr(action, "refusals", refusals)
        with pytest.raises(Broken, match="differs"):
            check_secrets(one, two, "ann", Random(1))

    def test_a_price_that_looks_at_the_truth(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one, two = lair().state, _marked(lair((5, 2)).state)
        action = tw.find_game("narateer").actions["walk"]
        honest = action.price

        def price(known: State, d: Any) -> Price:
            return Price() if _is_marked(known) else honest(known, d)

        monkeypatch.setattr(action, "price", price)
        with pytest.raises(Broken, match="differs"):
            check_secrets(one, two, "ann", Random(1))

    def test_odds_of_the_truth(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = table(
            character("selka", "heroes", (1, 1), skills={"stealth": 2}, seat="ann"),
            character("guard", "guards", (6, 1), seat="cy"),
            rows=[".,......", ".,......"],
            legend=THICKET,
            seats=SEATS,
            begin="selka",
        ).state
        guard = replace(one.actors["guard"], skills={"observation": 6})
        two = one.with_actor(guard)
        check_secrets(one, two, "ann", Random(1))
        monkeypatch.setattr(tw.find_game("narateer"), "believed", lambda state, known: (state, ()))
        with pytest.raises(Broken, match="odds"):
            check_secrets(one, two, "ann", Random(1))

    def found(self, one: State, two: State, monkeypatch: pytest.MonkeyPatch, where: Any, name: str, value: Any) -> None:
        """The law holds, and with the leak it does not."""
        check_secrets(one, two, "ann", Random(1))
        monkeypatch.setattr(where, name, value)
        knowledge._asked.clear()
        with pytest.raises(Broken):
            check_secrets(one, two, "ann", Random(1))

    def hidden(self, by: Relation) -> State:
        """Selka in the thicket with a Hide that stands, and what she is to a guard behind the wall."""
        state = lair().state.relate(Record("selka", "selka", total=9))
        return state.relate(by)

    def test_a_hide_that_shows_that_somebody_unseen_has_found_it_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one, two = self.hidden(Hidden("selka", "guard", total=9)), self.hidden(Exposed("selka", "guard"))

        def leaking(state: State, seat: str) -> State:
            shown = knowledge.known(state, seat)
            over = seat != GUIDE and not state.related(Hidden, "selka")
            return shown.unrelate(Record, "selka") if over else shown

        self.found(one, two, monkeypatch, tw.find_game("narateer"), "known", leaking)

    def test_metres_that_count_double_by_the_truth(self, monkeypatch: pytest.MonkeyPatch) -> None:
        state = lair().state
        one, two = state, state.relate(Hidden("selka", "guard", total=9))

        def factor(state: State, actor: Any, mode: str) -> int:
            return 2 if state.related(Hidden, actor.id) else 1

        self.found(one, two, monkeypatch, terrain, "hidden_factor", factor)

    def test_a_door_that_is_known_to_everybody(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = lair().state
        fact = one.facts["gate"]
        assert isinstance(fact, DoorWay)
        believed = DoorBelief(belief_name("selka", "gate"), "selka", "gate", False, fact)
        two = replace(one, open_doors=("gate",)).with_fact(replace(fact, broken=True)).with_fact(believed)
        self.found(one, two, monkeypatch, knowledge, "believed_doors", lambda state, mine: (state.open_doors, {}))

    def test_a_question_with_the_number_to_beat(self, monkeypatch: pytest.MonkeyPatch) -> None:
        state = replace(lair((2, 1)).state, active="selka")
        guard = state.actors["guard"]
        one = state.with_actor(replace(guard, readiness={"observation": 5}))
        two = state.with_actor(replace(guard, readiness={"observation": 9}))
        action = tw.find_game("narateer").actions["hide"]

        def asking(play: Any, d: Any, paid: Any) -> Any:
            number = play.state.actors["guard"].readiness["observation"]
            yield (Roll("ann", "selka", "roll", "", Pool(1, 0), "stealth", number),)
            raise AssertionError("nobody goes on from here")

        monkeypatch.setattr(action, "resolve", asking)
        monkeypatch.setattr(action, "refusals", lambda known, d, moment: iter(()))
        plain = known.question_view
        monkeypatch.setattr(
            known, "question_view", lambda q, seat: plain(q, seat) | {"against": getattr(q, "against", None)}
        )
        with pytest.raises(Broken, match="asked"):
            check_secrets(one, two, "ann", Random(1))

    def test_a_question_that_is_put_only_where_somebody_unseen_is(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one, two = lair().state, lair((5, 2)).state
        action = tw.find_game("narateer").actions["make_noise"]
        honest = action.resolve

        def resolve(play: Any, d: Any, paid: Any) -> Any:
            if play.state.actors["guard"].at == (5, 2):
                yield (Confirm("ann", "selka", "Really?", "", Price()),)
            return (yield from honest(play, d, paid))

        self.found(one, two, monkeypatch, action, "resolve", resolve)

    def test_a_version_that_counts_what_is_hidden(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = lair()
        before = shown(made)
        monkeypatch.setattr(known.Learned, "_differ", lambda self, before, after: before is not after)
        made.override({"guard.ready": 2}, "he is tired")
        assert "ann" in moved_alone(before, shown(made))


def _marked(state: State) -> State:
    """A state that a leaking rule can tell from another one although a seat's view of both is the same."""
    return replace(state, scene=replace(state.scene, title=_Title(state.scene.title)))


class _Title(str):
    __slots__ = ()


def _is_marked(known: State) -> bool:
    return isinstance(known.scene.title, _Title)


class TestWhatIsKnown:
    def test_the_guide_knows_the_state(self) -> None:
        made = lair()
        assert made.knows(GUIDE) is made.state

    def test_a_seat_knows_its_side_and_whom_it_sees(self) -> None:
        assert set(lair().knows("ann").actors) == {"selka"}
        assert set(lair((2, 1)).knows("ann").actors) == {"selka", "guard"}

    def test_no_numbers_of_others(self) -> None:
        made = lair((2, 1), skills={"melee": 4}, readiness={"observation": 9}, ready=3)
        guard = made.knows("ann").actors["guard"]
        assert (guard.skills, guard.readiness, guard.ready) == ({}, {}, 0)
        assert made.knows("cy").actors["guard"].skills == {"melee": 4}

    def test_who_hides_is_where_it_was_last_seen(self) -> None:
        made = hiding().played()
        made.override(
            [
                Hid("", "selka", 9, fooled=("guard",)),
                Learned("", "selka", "guard", (2, 2)),
            ],
            "she slipped away",
        )
        shown = made.knows("cy").actors["selka"]
        assert shown.at != made.state.actors["selka"].at
        assert shown.skills == {}

    def test_what_was_not_found_is_not_known(self) -> None:
        assert "coin" not in lair().knows("ann").facts
        assert "coin" in lair().knows(GUIDE).facts

    def test_how_well_another_hides_is_not_known(self) -> None:
        made = hiding().played()
        held = made.knows("cy").relations.get("selka", ())
        assert not [r for r in held if isinstance(r, (Hidden, Record))]
        own = made.knows("ann").relations["selka"]
        assert [r for r in own if isinstance(r, Record)]

    def test_the_source_of_the_scene_is_the_guides(self) -> None:
        assert lair().knows("ann").scene.source is None
        assert "guard" not in lair().knows("ann").scene.order

    def test_an_unknown_seat_knows_nobody(self) -> None:
        assert lair().knows("nobody").actors == {}
        assert lair().view("nobody")["actors"] == {}

    def test_nobody_unknown_is_seen(self) -> None:
        """The generator of the law uses its own idea of who is unknown; it agrees with the game's."""
        for seed in range(60):
            state = played(seed).state
            game = tw.find_game("narateer")
            for seat in ("ann", "bo", "cy"):
                known = game.known(state, seat)
                assert not [actor.id for actor in unknown(state, seat) if actor.id in known.actors]


class TestQuestionsAsSeen:
    POOL = Pool(2, 1)

    def view(self, question: Question, seat: str = "ann") -> dict[str, Any]:
        return question_view(question, seat)

    def test_the_guide_sees_all_of_it(self) -> None:
        roll = Roll("ann", "selka", "roll", "narateer.hide.vs-active-check", self.POOL, "stealth", 9, True)
        assert question_view(roll, GUIDE) == msgspec.to_builtins(roll, enc_hook=enc_hook)

    def test_never_the_number_to_beat(self) -> None:
        views = [
            self.view(Roll("ann", "selka", "roll", rule, self.POOL, "stealth", against, ties, level))
            for against in (None, 3, 9)
            for ties in (False, True)
            for level in (False, True)
            for rule in ("narateer.hide.single-roll", "narateer.hide.vs-active-check")
        ]
        assert all(view == views[0] for view in views)
        assert views[0]["pool"]["dice"] == 2

    def test_never_why_there_is_time(self) -> None:
        asked = [
            Commit("ann", "selka", "x", "", Price(), 1, "stealth", CheckReady("selka", "stealth")),
            Confirm("ann", "selka", "x", "", Price(), (), CheckReady("selka", "stealth")),
            Choose("ann", "selka", "x", "", (Option("pass", "x"),), moment=CheckReady("selka", "stealth")),
        ]
        assert all("moment" not in self.view(question) for question in asked)

    def test_an_open_target_is_seen_and_a_secret_one_is_not(self) -> None:
        def seen(**parts: Any) -> dict[str, Any]:
            ruling = Ruling("check", skill="athletics", success="over", failure="falls", **parts)
            shown: dict[str, Any] = self.view(Commit("ann", "selka", "x", "", Price(), 1, ruling=ruling))["ruling"]
            return shown

        assert seen(target=6)["target"] == 6
        assert "target" not in seen(target=6, secret=True)
        assert "against" not in seen(against="guard")
        assert seen(target=6)["failure"] == "falls"

    def test_nor_what_there_is_to_find(self) -> None:
        ruling = Ruling("automatic", finds=("coin",), success="you find it")
        for made in (
            Commit("ann", "selka", "x", "", Price(), 1, ruling=ruling),
            Confirm("ann", "selka", "x", "", Price(), ruling=ruling),
        ):
            assert "coin" not in repr(self.view(made))

    def test_the_presets_are_the_guides(self) -> None:
        asked = attempting().played(2).waiting_on[0].question
        assert isinstance(asked, Rule)
        assert "suggested" in question_view(asked, GUIDE)
        assert "suggested" not in question_view(asked, "ann")

    @pytest.mark.parametrize("make", list(JOURNEYS.values()), ids=list(JOURNEYS))
    def test_a_view_is_plain_data_and_holds_only_ones_own_questions(self, make: Any) -> None:
        journey = make()
        made = journey.table()
        for step in journey.steps:
            step(made)
            for seat in ("ann", "bo", "cy"):
                view = made.view(seat)
                msgspec.json.encode(view)
                assert {held["who"] for held in view["questions"]} <= {seat}
                assert view["waiting_for"] in ([], [seat])
            guide = made.view(GUIDE)
            assert len(guide["questions"]) == len(made.waiting_on)


class TestNames:
    def test_a_name_counts_the_questions_of_its_seat(self) -> None:
        made = passing().played(2)
        assert [held.id for held in made.waiting_on] == ["bo.1"]

    def test_it_tells_nothing_of_other_seats(self) -> None:
        """Ann is asked the same whether others were asked before, at the same time, or not at all."""
        alone, others = hiding(), hiding()
        quiet = tw.Table(alone.start, seed=7)
        quiet.declare("selka", "begin")
        quiet.declare("selka", "hide", method="crouch")
        loud = others.played(3)
        assert [q.id for q in quiet.waiting_on if q.who == "ann"] == [q.id for q in loud.waiting_on if q.who == "ann"]
        assert quiet.view("ann")["questions"] == loud.view("ann")["questions"]

    def test_a_question_that_is_put_again_and_looks_the_same_keeps_its_name(self) -> None:
        made = hiding().played(3)
        before = [held.id for held in made.waiting_on]
        made.override({"dog.skills.observation": 4}, "a better nose")
        assert [held.id for held in made.waiting_on] == before
        made.override({"selka.ready": 2}, "tired")
        assert made.waiting_on[0].id != before[0], "she can commit less"
        assert made.waiting_on[1].id == before[1]

    def test_names_by_themselves(self) -> None:
        names = Names()
        one, two = Commit("ann", "a", "x", "", Price(), 1), Commit("bo", "b", "x", "", Price(), 1)
        names.put((one, two), answered=False)
        assert [name for name, _ in names.open] == ["ann.1", "bo.1"]
        kept = names.copy()
        names.put((one,), answered=False)
        assert [name for name, _ in names.open] == ["ann.1"]
        names.put((one,), answered=True)
        assert [name for name, _ in names.open] == ["ann.2"]
        assert [name for name, _ in kept.open] == ["ann.1", "bo.1"]
        assert names.moves == {"ann": 3, "bo": 2}


class TestNews:
    def test_the_guide_reads_all_of_it(self) -> None:
        made = hiding().played()
        assert list(made.news(GUIDE)) == [event for entry in made.live for event in entry.events]

    def test_others_their_own_and_what_they_see(self) -> None:
        made = hiding().played()
        kinds: dict[str, list[str]] = {
            seat: [type(event).__name__ for event in made.news(seat)] for seat in ("ann", "bo", "cy")
        }
        assert "Hid" in kinds["ann"]
        assert "Hid" not in kinds["cy"]
        assert "SearchBegun" in kinds["cy"]
        assert "SearchBegun" not in kinds["ann"]

    def test_what_is_undone_is_no_news(self) -> None:
        made = attempting().played(6)
        before = attempting().played(5).news("ann")
        assert len(made.news("ann")) > len(before)
        made.undo()
        assert made.news("ann") == before

    def test_news_are_the_same_however_often_one_asks(self) -> None:
        for make in JOURNEYS.values():
            journey = make()
            often = journey.table()
            for step in journey.steps:
                step(often)
                for seat in (GUIDE, "ann", "bo", "cy"):
                    often.news(seat)
                    often.version(seat)
            once = make().played()
            for seat in (GUIDE, "ann", "bo", "cy"):
                assert often.news(seat) == once.news(seat)
                assert often.version(seat) == once.version(seat)

    def test_a_total_that_another_rolls_is_not_read(self) -> None:
        from turnwright.systems.narateer.events import Checked

        made = passing().played(4)
        theirs = [event for event in made.news("ann") if isinstance(event, Checked)]
        assert theirs
        assert all(event.total is None and event.passed is None for event in theirs)


class TestRefusalsTellNothing:
    def test_an_unseen_target_and_one_that_does_not_exist(self) -> None:
        made = lair()
        there = made.explain("selka", "attack", target="guard").refusals
        nowhere = made.explain("selka", "attack", target="ghost").refusals
        assert [r.code for r in there] == [r.code for r in nowhere]
        assert [r.text.replace("guard", "X") for r in there] == [r.text.replace("ghost", "X") for r in nowhere]

    @pytest.mark.parametrize("action", ["attack", "attempt", "call_out", "assist", "opportunity_attack"])
    def test_whatever_is_done_to_it(self, action: str) -> None:
        made = lair()

        def said(target: str) -> list[tuple[str, str]]:
            found = made.explain("selka", action, target=target, method="m", intent="i")
            return [(r.rule, r.text.replace(target, "X")) for r in found.refusals]

        assert said("guard") == said("ghost")

    def test_declaring_for_an_unseen_character_and_for_nobody(self) -> None:
        made = lair()

        def refusal(actor: str) -> str:
            with pytest.raises(tw.Refused) as caught:
                made.declare(actor, "walk", seat="ann", route=[(1, 1)])
            return str(caught.value).replace(actor, "X")

        assert refusal("guard") == refusal("ghost")

    def test_a_question_to_somebody_else_is_not_told(self) -> None:
        made = passing().played(2)
        for seat in ("ann", "cy"):
            found = made.explain("selka" if seat == "ann" else "captain", "walk", seat=seat, route=[(1, 3)])
            assert "bo" not in " ".join(r.text for r in found.refusals)

    def test_names_of_questions_can_be_guessed_and_tell_nothing(self) -> None:
        made, idle = passing().played(2), passing().played(1)

        def refusal(table: tw.Table) -> str:
            with pytest.raises(tw.Refused) as caught:
                table.answer("bo.1", "pass", seat="ann")
            return str(caught.value)

        assert refusal(made) == refusal(idle)


class TestChanges:
    def test_the_guides_word_reaches_only_whom_it_concerns(self) -> None:
        made = hiding().played(2)
        before = made.view("bo"), made.version("bo")
        made.override(SearchBegun("", "dog", by_word=True), "it sniffs about")
        assert (made.view("bo"), made.version("bo")) == before
        assert made.version(GUIDE) > before[1]

    def test_an_event_of_another_game(self) -> None:
        class Sung(Event, frozen=True):
            pass

        with pytest.raises(tw.Refused, match="Sung is no event of this game"):
            hiding().played(2).override(Sung(""), "a song")


def test_a_question_of_the_guide_is_answered_and_seen_in_the_view() -> None:
    made = attempting().played(2)
    (held,) = made.view(GUIDE)["questions"]
    assert held["id"] == question(made).id
    answer(made, "unclear")
    assert made.view(GUIDE)["questions"][0]["who"] == "ann"
