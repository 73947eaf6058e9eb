"""Leaks that were found once, each as a test: what a seat is shown of what somebody unseen is, does or decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scenes import answer, character, hidden_from, question, recorded, spent, table
from shadows import ANNEX, CHECK, along, grove, guard, hide, hider, looks, turn
from zoned import both, ties

import turnwright as tw
from turnwright.cli.story import Story
from turnwright.events import Acted, Charged, DoorMoved, Placed
from turnwright.known import question_view
from turnwright.model import GUIDE, SPECTATOR, Relation, Stands
from turnwright.systems.narateer.events import (
    Came,
    DoorChanged,
    DoorSeen,
    Established,
    Exposed,
    FoundThing,
    GuideSays,
    Halted,
    Hid,
    Hidden,
    Known,
    Learned,
    Moved,
    Record,
    Revealed,
    Waiting,
)
from turnwright.systems.narateer.senses import hiding, perceives

SPY = (28, 4)
"""In the annex, out of sight and hearing of the thicket."""


def told(made: tw.Table, seat: str = "ann") -> dict[str, Any]:
    """All that a seat is shown."""
    return made.view(seat)


def asked(made: tw.Table, seat: str) -> list[dict[str, Any]]:
    return [question_view(held.question, seat) for held in made.waiting_on if held.who == seat]


def fooled(made: tw.Table, *names: str, total: int = 9, noticed: tuple[str, ...] = ()) -> None:
    """Selka hides, by the guide's word; these are fooled."""
    made.override([Hid("", "selka", total, names, noticed, anew=True)], "she hides")


# -- the six of the prototype


def test_leak_1_a_walk_to_where_somebody_unseen_stands_is_offered_and_stops_there_by_an_event() -> None:
    """He lies in the thicket, three Spaces ahead."""
    there, empty = grove(hider((3, 4)), guard("lurker", (6, 4), ready=0)), grove(hider((3, 4)))
    assert told(there) == told(empty)
    way = {"seat": "ann", "route": along(4, 5, 6)}
    assert there.explain("selka", "walk", **way) == empty.explain("selka", "walk", **way)
    there.declare("selka", "walk", **way)
    assert there.state.actors["selka"].at == (5, 4)
    assert [event.why for event in there.news("ann") if isinstance(event, Halted)] == ["somebody is in the way"]


def test_leak_2_what_a_searcher_is_asked_is_the_same_whoever_hides_there_or_nobody() -> None:
    def search(somebody: bool) -> list[Any]:
        his = guard("gus", (20, 2), seat="gus", skills={"observation": 2})
        made = grove(*([hider((20, 4))] if somebody else []), his, by_hand=("gus",))
        if somebody:
            fooled(made, "gus", total=30)
        turn(made, "gus")
        made.declare("gus", "search", at=(20, 4), method="look")
        answer(made, CHECK, "rule")
        shown = [asked(made, "gus")]
        answer(made, 1, "commit")
        shown.append(asked(made, "gus"))
        answer(made, (3, 4), "roll")
        return [*shown, told(made, "gus")]

    with_her = search(True)
    assert with_her == search(False)
    assert "narateer.hide" not in repr(with_her[:2])


def test_leak_2_also_a_searcher_who_opposes_a_hide_is_not_told_by_which_rule() -> None:
    made = grove(hider(), guard(score=5, seat="gus", skills={"observation": 1}), dice=(9, 4))
    looks(made, "guard", scope=((4, 4),))
    hide(made)
    assert "narateer.hide" not in repr(asked(made, "gus"))
    answer(made, 0, "commit")
    assert "narateer.hide.vs" not in repr(told(made, "gus"))


def test_leak_3_the_number_to_beat_is_in_no_question_to_whoever_rolls() -> None:
    def rolling(total: int) -> dict[str, Any]:
        his = guard(score=5, seat="gus", skills={"observation": 1})
        made = grove(hider(), his, dice=(total,), by_hand=("gus",))
        looks(made, "guard", scope=((4, 4),))
        hide(made)
        answer(made, 0, "commit")
        assert question(made, "roll").question.against == total
        return question_view(question(made, "roll").question, "gus")

    assert rolling(3) == rolling(9)
    assert not {"against", "ties", "level", "rule", "moment"} & set(rolling(3))


def test_leak_4_odds_count_with_assumed_scores_and_say_so() -> None:
    def odds(score: int, seat: str) -> tw.Odds:
        made = grove(hider(), guard(score=score, skills={"observation": score}))
        return made.odds("selka", "hide", method="duck", boost=1, seat=seat)

    assert dict(odds(2, "ann")) == dict(odds(9, "ann"))
    assert any("Skill Level" in text for text in odds(2, "ann").assumptions)
    assert dict(odds(2, GUIDE)) != dict(odds(9, GUIDE)), "the guide alone gets those of the truth"


def test_leak_5_a_price_before_the_ruling_counts_only_the_watchers_that_are_known() -> None:
    def quoted(*others: Any) -> tw.Offer:
        return grove(hider(), *others, rows=ANNEX).explain("selka", "hide", method="duck", seat="ann")

    assert quoted() == quoted(guard(at=SPY))
    assert quoted().price.amount("ad") == 0
    assert quoted(guard(at=(4, 0))).price.amount("ad") == 1


def test_leak_6_no_version_and_no_pause_tells_that_something_hidden_happened() -> None:
    made = grove(hider(), guard("spy", SPY, seat="gus"), guard("seen", (4, 0), 5), rows=ANNEX)
    made.declare("selka", "hide", method="duck", seat="ann")
    before = told(made)
    assert before["questions"]
    made.override({"spy.ready": 3}, "he is tired")
    assert told(made) == before
    made.override([Placed("", "spy", (29, 6))], "he walks about")
    made.undo()
    assert told(made) == before


def test_leak_6_also_the_turn_of_somebody_unseen_moves_nothing() -> None:
    made = grove(hider(), guard("spy", SPY, seat="gus"), rows=ANNEX)
    made.declare("selka", "end")
    before = told(made)
    for _ in range(3):
        turn(made, "spy")
    made.declare("spy", "walk", route=[(28, 5)])
    assert made.state.round > 1
    assert told(made) == before


def test_a_draft_is_not_lost_by_what_its_owner_cannot_know() -> None:
    """To be asked again would tell that something has happened."""
    his = guard("gus", (4, 0), 5, seat="gus", skills={"observation": 1})
    made = grove(hider(), guard("spy", SPY), his, rows=ANNEX, dice=(12, 5))
    looks(made, "gus", scope=((4, 4),))
    made.declare("selka", "hide", method="duck")
    made.answer(next(held for held in made.waiting_on if held.who == "ann"), 1)
    made.override({"spy.ready": 3}, "he is tired")
    made.undo()
    made.override({"spy.ready": 2}, "he is very tired")
    assert [held.drafted for held in made.waiting_on if held.who == "ann"] == [True]
    answer(made, 0, "commit")
    assert made.state.actors["selka"].ready == 4


def test_nobody_is_told_that_somebody_unseen_is_about_to_commit() -> None:
    """What could be done in that time is refused as it is where nothing is waiting."""
    made = grove(hider(), guard("spy", SPY, seat="gus", skills={"athletics": 2}), rows=ANNEX)
    turn(made, "spy")

    def refusal() -> str:
        with pytest.raises(tw.Refused) as caught:
            made.interject("selka", "assist", target="spy", method="help", seat="ann")
        return str(caught.value)

    idle, offered = refusal(), made.offers("selka", seat="ann")
    made.declare("spy", "attempt", intent="climb out", method="by the ivy", boost=None)
    answer(made, {"kind": "check", "skill": "athletics", "target": 6, "success": "up", "failure": "falls"})
    assert [held.who for held in made.waiting_on] == ["gus"]
    assert (refusal(), made.offers("selka", seat="ann")) == (idle, offered)


# -- a Hide before somebody unseen


@pytest.mark.rule("narateer.sneak.double-movement-cost")
def test_a_hide_that_somebody_unseen_has_found_out_goes_on_for_its_owner() -> None:
    def hid(found: bool) -> tw.Table:
        made = grove(hider(), guard("spy", SPY, 8), rows=ANNEX)
        fooled(made, "spy")
        if found:
            made.override([Revealed("", "selka", "spy", "by a mirror")], "he has seen her")
        return made

    one, two = hid(False), hid(True)
    assert (hidden_from(one, "selka"), hidden_from(two, "selka")) == ({"spy"}, set())
    assert told(one) == told(two)
    assert one.offers("selka") == two.offers("selka")
    for made in (one, two):
        made.declare("selka", "walk", route=along(5))
        assert spent(made, "selka") == 4
        assert [event.metres for event in made.news("ann") if isinstance(event, Moved)] == [4]


def test_she_knows_better_as_soon_as_she_sees_who_has_found_her() -> None:
    made = grove(hider(), guard("spy", SPY, 8), rows=ANNEX)
    fooled(made, "spy")
    made.override([Revealed("", "selka", "spy", "by a mirror")], "he has seen her")
    assert [type(r) for r in made.knows("ann").relations["selka"]] == [Record]
    made.override([Placed("", "spy", (22, 0))], "he comes out")
    held = [type(r) for r in made.knows("ann").relations["selka"]]
    assert Exposed in held
    assert Record not in held


def test_who_knows_only_of_those_who_noticed_moves_as_if_nobody_were_fooled() -> None:
    def hid(*unseen: str) -> tw.Table:
        made = grove(hider(), guard("gus", (4, 0), ready=0), guard("spy", SPY), rows=ANNEX)
        fooled(made, *unseen, noticed=("gus",))
        return made

    one, two = hid(), hid("spy")
    assert (hidden_from(two, "selka"), recorded(two, "selka"), hiding(two.state, "selka")) == ({"spy"}, None, False)
    assert told(one) == told(two)
    for made in (one, two):
        made.declare("selka", "walk", route=along(5))
        assert spent(made, "selka") == 2


def test_a_sprint_ends_hiding_also_from_somebody_of_whom_one_knows_nothing_and_says_nothing_of_it() -> None:
    made = grove(hider(), guard("gus", (4, 0), ready=0), guard("spy", SPY), rows=ANNEX)
    fooled(made, "spy", noticed=("gus",))
    made.declare("selka", "sprint", skill="athletics", route=along(5))
    assert hidden_from(made, "selka") == set()
    assert "StoppedHiding" not in [type(event).__name__ for event in made.news("ann")]


def test_that_somebody_unseen_meets_a_waiting_hide_asks_and_tells_its_owner_nothing() -> None:
    made = grove(hider(), guard("spy", SPY, 8), rows=ANNEX)
    hide(made)
    before = told(made)
    looks(made, "spy", scope=((4, 4),), total=8)
    assert Exposed in [type(r) for r in made.state.relations["selka"]]
    assert made.state.relation(Waiting, "selka", "selka") is not None
    assert made.waiting_on == ()
    assert told(made) == before


def test_that_somebody_unseen_meets_a_hide_that_stands_is_not_told() -> None:
    made = grove(hider(), guard("gus", (4, 0), 3), guard("spy", SPY, 8), rows=ANNEX, dice=(9,))
    hide(made)
    before = told(made)
    looks(made, "spy", scope=((4, 4),), total=7)
    assert hidden_from(made, "selka") == {"gus", "spy"}
    assert told(made) == before


# -- doors out of sight


def gated() -> tw.Table:
    """Selka in a side room; beside it a corridor with a gate that stands open."""
    return table(
        character("selka", "heroes", (4, 2), strength=6, agility=6, seat="ann"),
        character("guard", "guards", (9, 0), seat="gus", ready=0),
        rows=["............", ".###########", "............"],
        map_={"doors": [{"id": "gate", "between": [[4, 0], [5, 0]], "open": True}]},
        seats=[{"id": "ann"}, {"id": "gus"}],
        begin="selka",
    )


ROUND = [(3, 2), (2, 2), (1, 2), (0, 2), (0, 1), (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]


def test_a_door_that_is_shut_out_of_sight_is_believed_open_until_it_is_seen_and_stops_whoever_runs_into_it() -> None:
    made = gated()
    before, offered = told(made), made.explain("selka", "run", route=ROUND)
    made.override([DoorMoved("", "gate", False)], "the wind")
    assert told(made) == before
    assert made.knows("ann").open_doors == ("gate",)
    assert made.knows("gus").open_doors == ()
    assert made.explain("selka", "run", route=ROUND) == offered
    assert offered.verdict == "legal"
    made.declare("selka", "run", route=ROUND)
    assert made.state.actors["selka"].at == (4, 0)
    assert made.knows("ann").open_doors == ()
    kinds = [type(event) for event in made.news("ann") if isinstance(event, (DoorSeen, Halted))]
    assert kinds == [DoorSeen, Halted]


def test_a_door_that_is_broken_out_of_sight_is_believed_whole() -> None:
    made = gated()
    before = told(made)
    made.override([DoorChanged("", "gate", broken=True)], "the lock is forced")
    assert told(made) == before
    made.override([Placed("", "selka", (0, 0))], "she is led there")
    assert made.knows("ann").facts["gate"].broken  # type: ignore[attr-defined]


def test_a_door_that_moves_in_sight_is_seen_to_move_and_by_whom_only_where_that_one_is_seen() -> None:
    made = gated()
    made.override([Placed("", "selka", (0, 0)), Placed("", "guard", (5, 0))], "a meeting")
    made.override([DoorMoved("", "gate", False, "guard")], "he shuts it")
    moved = [event for event in made.news("ann") if isinstance(event, DoorMoved)]
    assert [(event.open, event.actor) for event in moved] == [(False, "")]
    assert made.knows("ann").open_doors == ()


def test_who_is_out_of_sight_by_the_guides_word_is_remembered_where_it_was() -> None:
    made = gated()
    made.override([Placed("", "selka", (0, 0))], "she is led there")
    assert made.knows("ann").actors["guard"].at == (9, 0)
    made.override([DoorMoved("", "gate", False)], "the wind")
    held = made.state.relation(Known, "guard", "selka")
    assert held is not None
    assert held.at == (9, 0)
    made.override([Placed("", "guard", (11, 2))], "he goes round")
    assert made.knows("ann").actors["guard"].at == (9, 0)
    assert made.knows("gus").actors["selka"].at == (0, 0)


def test_in_story_mode_one_goes_to_where_somebody_is_believed_to_be() -> None:
    made = table(
        character("selka", "heroes", "hall", seat="ann"),
        character("guard", "guards", "yard", ready=0),
        mode="story",
        relations=[
            {"thing": "altar", "place": "hall"},
            {"thing": "well", "place": "yard"},
            {"thing": "bed", "place": "loft"},
            {"barrier": "wall", "between": ["hall", "loft"]},
            {"barrier": "gap", "between": ["yard", "loft"]},
            {"barrier": "screen", "between": ["hall", "yard"]},
            {"way": "arch", "between": ["hall", "yard"]},
        ],
        seats=[{"id": "ann"}],
        begin="selka",
    )
    made.override([Placed("", "guard", "loft"), Learned("", "guard", "selka", "yard")], "he has slipped away")
    assert made.knows("ann").actors["guard"].at == "yard"
    made.declare("selka", "walk", to="guard")
    answer(made, 0)
    assert made.state.actors["selka"].at == "yard"
    assert made.state.actors["guard"].at == "loft"


# -- what others bring about, find, pay


def test_what_somebody_unseen_brings_about_is_not_known() -> None:
    made = grove(hider(), guard("spy", SPY), guard("gus", (4, 0)), rows=ANNEX)
    before = told(made)
    made.override([Came("", "spy", "plot", "the bridge is sawn through")], "he works")
    assert told(made) == before
    made.override([Came("", "gus", "fire", "the shed burns")], "he drops the torch")
    assert made.knows("ann").facts["fire"] == Established("fire", "the shed burns")


def test_who_else_has_found_something_and_what_it_takes_is_not_known() -> None:
    made = grove(
        hider(), guard("spy", SPY), rows=ANNEX, secrets=[{"id": "coin", "name": "a coin", "place": "loft", "target": 7}]
    )
    made.override([FoundThing("", "selka", "coin")], "she finds it")
    before = told(made)
    made.override([FoundThing("", "spy", "coin")], "he finds it, too")
    assert told(made) == before
    assert made.knows("ann").facts["coin"].target == 0  # type: ignore[attr-defined]


def test_of_what_others_pay_only_the_dice_are_seen() -> None:
    made = grove(hider(), guard("gus", (4, 0), seat="gus", skills={"observation": 1}), dice=(5,))
    turn(made, "gus")
    made.declare("gus", "search", at=(8, 0), method="look", boost=1)
    answer(made, CHECK, "rule")
    paid = [cost.resource for event in made.news("ann") if isinstance(event, Charged) for cost in event.costs]
    assert set(paid) == {"ad"}


def test_an_ally_who_does_something_to_somebody_unseen_is_seen_to_do_it_to_somebody() -> None:
    made = table(
        character("selka", "heroes", (0, 2), seat="ann"),
        character("mira", "heroes", (0, 0), seat="bo", weapons=[{"name": "bow", "kind": "ranged", "reach": 9}]),
        character("guard", "guards", (5, 0), ready=0),
        rows=["............", "############", "............"],
        seats=[{"id": "ann"}, {"id": "bo"}],
        dice=(3, 9),
        begin="mira",
    )
    made.declare("mira", "attack", target="guard", boost=0)
    while made.waiting_on:
        answer(made, made.waiting_on[0].options[0] if made.waiting_on[0].options else 0)
    acts = [event for event in made.news("ann") if isinstance(event, Acted)]
    assert [(event.actor, event.target, event.intent) for event in acts] == [("mira", "somebody", "")]
    assert "guard" not in repr(told(made))


# -- whoever only watches


def crowd() -> tw.Table:
    """Ann's Selka sees a guard that Bo's Mira, behind a wall, does not."""
    return table(
        character("selka", "heroes", (0, 0), seat="ann", skills={"stealth": 1}),
        character("mira", "heroes", (0, 2), seat="bo"),
        character("guard", "guards", (9, 0), skills={"melee": 3}),
        rows=["............", "############", "............"],
        map_={"doors": [{"id": "gate", "between": [[5, 0], [6, 0]], "open": True}]},
        seats=[{"id": "ann"}, {"id": "bo"}],
        begin="selka",
    )


def test_a_spectator_knows_what_every_player_knows_and_no_more() -> None:
    made = crowd()
    assert set(made.knows("ann").actors) == {"selka", "mira", "guard"}
    assert set(made.knows(SPECTATOR).actors) == {"selka", "mira"}
    assert made.knows(SPECTATOR).actors["selka"] == made.state.actors["selka"]
    made.override([Placed("", "mira", (3, 0))], "she joins her")
    watched = made.knows(SPECTATOR).actors["guard"]
    assert (watched.at, watched.skills) == ((9, 0), {})
    view = made.view(SPECTATOR)
    assert (view["questions"], view["waiting_for"], view["seat"]) == ([], [], SPECTATOR)


def test_a_spectator_is_shown_no_believed_position_and_no_news_of_one_player_alone() -> None:
    made = crowd()
    made.override([Placed("", "mira", (3, 0))], "she joins her")
    made.override([DoorMoved("", "gate", False)], "the wind")
    assert made.knows("ann").actors["guard"].at == (9, 0)
    assert made.knows(SPECTATOR).actors["guard"].at is None
    before = made.view(SPECTATOR)
    made.override([Hid("", "selka", 9, fooled=("guard",), anew=True)], "she hides")
    assert [event for event in made.news("ann") if isinstance(event, Hid)]
    assert [event for event in made.news(SPECTATOR) if isinstance(event, Hid)] == []
    assert made.view(SPECTATOR)["actors"].keys() == before["actors"].keys()


def test_a_spectator_of_players_on_two_sides_sees_no_sheet() -> None:
    made = grove(hider((26, 0)), guard("gus", (27, 0), seat="gus", skills={"melee": 2}))
    watched = made.knows(SPECTATOR).actors
    assert {name: actor.skills for name, actor in watched.items()} == {"selka": {}, "gus": {}}
    assert watched["gus"].at == (27, 0)


# -- the log as a seat lived it


def test_the_story_of_a_seat_counts_and_tells_only_what_it_learned_also_through_undo(tmp_path: Path) -> None:
    def lived(busy: bool) -> tuple[list[tuple[int, str]], tuple[Any, ...]]:
        made = grove(hider(), guard("spy", SPY, seat="gus"), rows=ANNEX)
        if busy:
            made.override({"spy.ready": 3}, "he is tired")
            made.override([Placed("", "spy", (29, 6))], "he walks about")
            made.undo()
        made.declare("selka", "walk", route=along(5))
        made.declare("selka", "walk", route=along(6))
        made.undo()
        if busy:
            made.override({"spy.ready": 2}, "he is very tired")
            made.undo()
        made.declare("selka", "end")
        made.save(tmp_path / "game.log")
        again = tw.Table.load(tmp_path / "game.log")
        assert again.news("ann") == made.news("ann")
        return [tuple(line) for line in Story(again, "ann").on()], made.news("ann")

    busy, quiet = lived(True), lived(False)
    assert busy == quiet
    numbers = [number for number, _ in busy[0]]
    assert sorted(set(numbers)) == list(range(len(set(numbers))))
    assert any("takes back" in text for _, text in busy[0])


def test_a_story_names_nobody_whom_the_seat_cannot_name() -> None:
    made = grove(hider(), character("spy", "guards", SPY, name="Captain Rhee"), guard("gus", (4, 0)), rows=ANNEX)
    turn(made, "gus")
    made.declare("gus", "attempt", intent="signal", method="a lantern", target="spy")
    answer(made, {"kind": "automatic", "success": "a light"})
    assert not [text for _, text in Story(made, "ann").on() if "Rhee" in text or "spy" in text]
    assert [text for _, text in Story(made).on() if "Gus" in text or "gus" in text]


# -- taking back


@pytest.mark.parametrize("somebody", [True, False])
def test_a_noise_is_not_taken_back_whether_or_not_somebody_unseen_heard_it(somebody: bool) -> None:
    behind_the_wall = [guard("spy", (7, 1))] if somebody else []
    made = table(
        character("selka", "heroes", (1, 1), seat="ann"),
        *behind_the_wall,
        rows=["....#...."] * 3,
        seats=[{"id": "ann"}],
        begin="selka",
    )
    made.declare("selka", "make_noise", clear="yes", seat="ann")
    with pytest.raises(tw.Refused, match="only the guide"):
        made.undo(seat="ann")


# -- a shift of the Scene Mode


def shifted(made: tw.Table, mode: str) -> tw.Table:
    made.declare("", "shift", mode=mode)
    assert made.waiting_on == ()
    return made


def two_guards(*, hidden: Relation | None = None, mode: str = "cinematic", senses: dict[str, int] | None = None) -> Any:
    """Selka with two guards in one Zone, of whom Cy plays the one; the other is the guide's."""
    at: tuple[Any, ...] = ("west",) * 3 if mode == "cinematic" else ((1, 1), (2, 1), (1, 2))
    made = both(
        character("selka", "heroes", at[0], seat="ann"),
        character("gus", "guards", at[1], seat="cy"),
        character("guard", "guards", at[2], **({"senses": senses} if senses else {})),
        mode=mode,
        seats=[{"id": "ann"}, {"id": "cy"}],
    )
    return tw.Table(made.state.relate(hidden) if hidden is not None else made.state, seed=1)


@pytest.mark.parametrize("mode", ["cinematic", "tactical"])
@pytest.mark.parametrize("hidden", [Hidden("selka", "guard", total=9), GuideSays("selka", "guard", clear=False)])
@pytest.mark.parametrize("seat", ["cy", SPECTATOR])
def test_who_is_near_whom_after_a_shift_does_not_tell_whom_an_ally_perceives(
    mode: str, hidden: Relation, seat: str
) -> None:
    one, two = two_guards(mode=mode), two_guards(mode=mode, hidden=hidden)
    assert told(one, seat) == told(two, seat)
    shifted(one, "story")
    shifted(two, "story")
    assert told(one, seat) == told(two, seat)
    assert ties(one, "selka") == ties(two, "selka") == {("near", "gus"), ("near", "guard")}


@pytest.mark.parametrize("mode", ["cinematic", "tactical"])
def test_who_is_near_whom_after_a_shift_does_not_tell_by_what_somebody_perceives(mode: str) -> None:
    one, two = two_guards(mode=mode), two_guards(mode=mode, senses={"hearing": 1})
    assert told(shifted(one, "story")) == told(shifted(two, "story"))


def test_nobody_is_told_that_somebody_unseen_is_near_or_who_is_near_that_one() -> None:
    made = shifted(two_guards(hidden=Hidden("guard", "selka", total=9)), "story")
    assert ties(made, "guard") == {("near", "selka"), ("near", "gus")}
    assert [held.other for held in made.knows("ann").related(Stands, "selka")] == ["gus"]
    assert "'guard'" not in repr(told(made))


def facing(at: Any = (4, 1), *, hidden: Relation | None = None, senses: dict[str, int] | None = None) -> tw.Table:
    """Selka on the flags or in the grass, and a guard who looks that way from the flags."""
    his = character("guard", "guards", (1, 1), **({"senses": senses} if senses else {}))
    made = both(character("selka", "heroes", at, seat="ann"), his, mode="tactical", seats=[{"id": "ann"}], begin="")
    return tw.Table(made.state.relate(hidden) if hidden is not None else made.state, seed=1)


@pytest.mark.parametrize("mode", ["cinematic", "story"])
@pytest.mark.parametrize("senses", [{"hearing": 1}, {"sight": 0, "hearing": 0}])
@pytest.mark.parametrize("at", [(4, 1), (6, 1)])
def test_a_shift_does_not_tell_by_what_senses_somebody_perceives(mode: str, senses: dict[str, int], at: Any) -> None:
    one, two = facing(at), facing(at, senses=senses)
    assert told(one) == told(two)
    assert told(shifted(one, mode)) == told(shifted(two, mode))
    assert one.offers("selka", seat="ann") == two.offers("selka", seat="ann")


def test_whom_one_took_for_unable_to_see_one_one_takes_for_it_after_a_shift() -> None:
    """In the grass of the map she is out of the guard's sight, and the shift to words leaves her there."""
    made = shifted(facing((6, 1)), "story")
    assert not perceives(made.state, made.state.actors["guard"], made.state.actors["selka"])
    known = made.knows("ann")
    assert not perceives(known, known.actors["guard"], known.actors["selka"])


@pytest.mark.parametrize("mode", ["cinematic", "story"])
@pytest.mark.parametrize("how", ["told", "saw"])
@pytest.mark.parametrize(("at", "aware"), [((6, 1), False), ((9, 4), False), ((9, 4), True)])
def test_a_shift_does_not_tell_what_somebody_remembers(mode: str, how: str, at: Any, aware: bool) -> None:
    """By hearsay or from sight; also of another Space, of the same Zone, to which she was seen going once."""
    one = facing((6, 1))
    two = facing((6, 1), hidden=Known("selka", "guard", at=at, how=how, aware=aware))
    assert told(one) == told(two)
    assert told(shifted(one, mode)) == told(shifted(two, mode))
    assert one.offers("selka", seat="ann") == two.offers("selka", seat="ann")


@pytest.mark.parametrize("found", [Exposed("selka", "guard"), GuideSays("selka", "guard", clear=True)])
def test_a_shift_does_not_tell_an_ally_who_was_seen(found: Relation) -> None:
    """The guard at the edge of the grass is seen going there by Selka, who perceives him; Cy is told by neither."""

    def made(held: Relation) -> tw.Table:
        people = (
            character("selka", "heroes", (4, 1), seat="ann"),
            character("guard", "guards", (5, 1)),
            character("gus", "guards", (0, 0), seat="cy"),
        )
        start = both(*people, mode="tactical", seats=[{"id": "ann"}, {"id": "cy"}], begin="")
        return tw.Table(start.state.relate(held), seed=1)

    fooled = (
        Hidden("selka", "guard", total=9) if isinstance(found, Exposed) else GuideSays("selka", "guard", clear=False)
    )
    one, two = made(found), made(fooled)
    assert told(one, "cy") == told(two, "cy")
    assert told(shifted(one, "cinematic"), "cy") == told(shifted(two, "cinematic"), "cy")
