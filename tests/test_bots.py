"""Bots: each tactic in a small scene, answers worked out by hand, and what holds of every game that they play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from pebbles import Pebbles
from pebbles import pebbles as pebbles  # the fixture
from scenes import answer, character, question, scene, table
from worlds import VARY, WORLDS, random_state, state_in

import turnwright as tw
from turnwright.gate import legal
from turnwright.model import GUIDE, Choose, Chosen, Clarify, Committed, Declaration, Option, State, seat_of
from turnwright.policy import AutomaticGuide, Helpful, PlainBot, RandomBot, bot_of
from turnwright.rules import find_game
from turnwright.systems.narateer import GAME
from turnwright.systems.narateer.bot import Fighter
from turnwright.systems.narateer.chances import above, against_each_other
from turnwright.systems.narateer.events import Learned
from turnwright.testing import OVER, check_saves, play, said

EXAMPLES = sorted((Path(__file__).parent.parent / "examples" / "narateer").glob("*.yaml"))
THICKET = {",": {"name": "thicket", "conceals": ["sight"], "place": "thicket"}}
SWORD = {"name": "sword"}
BOW = {"name": "bow", "kind": "ranged", "reach": 10}


def decided(t: tw.Table, actor: str) -> Declaration:
    """What the bot declares for somebody, from what the seat knows."""
    return Fighter().declare(t.game, t.knows(seat_of(t.state, actor)), actor)


def answered(t: tw.Table, kind: str = "") -> Any:
    """What the bot answers to the one who is asked."""
    held = question(t, kind)
    return Fighter().answer(t.game, t.knows(held.who), held.question)


def blade(id: str, side: str, at: Any, **keys: Any) -> dict[str, Any]:
    """Somebody with a sword and Melee 2, who walks 4 Spaces, runs 8 and sprints 12."""
    return deepcopy(character(id, side, at, **({"weapons": [SWORD], "skills": {"melee": 2}} | keys)))


# -- coming into reach


@pytest.mark.parametrize(("foe_at", "mode", "steps"), [(5, "walk", 4), (6, "run", 5), (9, "run", 8), (10, "sprint", 9)])
def test_it_comes_into_reach_by_the_cheapest_mode_that_gets_there(foe_at: int, mode: str, steps: int) -> None:
    t = table(blade("a", "reds", (0, 1)), blade("b", "blues", (foe_at, 1)), rows=["." * 30] * 3, begin="a")
    d = decided(t, "a")
    # A Base Movement of 8 m is 4 Spaces; the last step before the opponent's own Space is enough.
    assert (d.action, len(d.route)) == (mode, steps)


def test_it_goes_as_near_as_a_run_leads_where_no_mode_arrives() -> None:
    t = table(blade("a", "reds", (0, 1)), blade("b", "blues", (29, 1)), rows=["." * 30] * 3, begin="a")
    d = decided(t, "a")
    assert (d.action, d.route[-1][0]) == ("run", 8)


def test_it_walks_only_as_far_as_its_longer_reach_needs() -> None:
    spear = {"name": "spear", "reach": 2}
    t = table(blade("a", "reds", (0, 1), weapons=[spear]), blade("b", "blues", (5, 1)), begin="a")
    assert len(decided(t, "a").route) == 3


def test_whoever_runs_goes_on_running_and_nobody_moves_without_need() -> None:
    t = table(blade("a", "reds", (0, 1)), blade("b", "blues", (6, 1)), begin="a")
    t.declare("a", "run", to=(1, 1))
    assert decided(t, "a").action == "run"
    close = table(blade("a", "reds", (4, 1), ad=1), blade("b", "blues", (5, 1)), dice=(3, 9), begin="a")
    assert decided(close, "a").action == "attack"
    close.declare("a", "attack", target="b", boost=0)
    answer(close, "no_response")
    assert decided(close, "a").action == "end"


def test_it_opens_the_door_in_the_way() -> None:
    t = table(
        blade("a", "reds", (1, 1)),
        blade("b", "blues", (7, 1)),
        rows=["###########", "#.........#", "###########"],
        map_={"doors": [{"id": "gate", "between": [[3, 1], [4, 1]], "opaque": False}]},
        begin="a",
    )
    d = decided(t, "a")
    assert d.route == ((2, 1), (3, 1))
    t.declare("a", d.action, **said(d))
    opening = decided(t, "a")
    assert (opening.action, opening.option("using")) == ("use", "gate")


def test_it_stands_up_first_when_it_is_prone() -> None:
    t = table(blade("a", "reds", (0, 1), conditions=["prone"]), blade("b", "blues", (5, 1)), begin="a")
    assert decided(t, "a").action == "stand"
    last = table(blade("a", "reds", (4, 1), conditions=["prone"], ad=1), blade("b", "blues", (5, 1)), begin="a")
    # With one AD there is either a blow or getting up.
    assert decided(last, "a").action == "attack"


# -- striking


def test_it_attacks_whoever_is_nearest_to_falling() -> None:
    t = table(
        blade("a", "reds", (4, 1)),
        blade("b", "blues", (5, 1)),
        blade("c", "blues", (4, 2), wounds=2),
        begin="a",
    )
    assert decided(t, "a").target == "c"


def test_it_boosts_for_the_most_harm_that_all_its_blows_promise() -> None:
    t = table(blade("a", "reds", (4, 1)), blade("b", "blues", (5, 1)), begin="a")
    # To exceed 3 + 2 with a bonus of 2: 3 of 6 with one die, 33 of 36 with two, 215 of 216 with three.
    # 6 AD and three uses: 3 blows of 1/2, 3 blows of 33/36, or 2 blows of 215/216.
    assert decided(t, "a").boost == 1


def test_whoever_is_hurt_keeps_two_ad_to_guard_with() -> None:
    boosts = {}
    for wounds in (0, 2):
        t = table(blade("a", "reds", (4, 1), wounds=wounds), blade("b", "blues", (5, 1), bears=9), dice=(9,), begin="a")
        t.declare("a", "attack", target="b", boost=1)
        answer(t, "no_response")
        boosts[wounds] = decided(t, "a").boost
    # 4 AD are left: unhurt, two blows of 33/36 beat two of 1/2; hurt, with 2 AD to spend, two of 1/2 beat one of 33/36.
    assert boosts == {0: 1, 2: 0}


def test_the_better_weapon_is_taken() -> None:
    maul = {"name": "maul", "base_attack_cost": 2, "wounds": 3}
    t = table(blade("a", "reds", (4, 1), weapons=[SWORD, maul]), blade("b", "blues", (5, 1)), begin="a")
    # 3 blows of 33/36 for 1 Wound, or 2 of 33/36 that fell whoever bears 3 (and 4 counted for that).
    assert decided(t, "a").option("weapon") == "maul"


def test_a_spell_is_cast_where_it_hurts_more() -> None:
    fire = {"name": "fire", "casting_cost": {"ad": 2}, "at": True, "wounds": 2, "effect": "it burns"}
    t = table(blade("a", "reds", (1, 1), spells=[fire]), blade("b", "blues", (9, 1)), begin="a")
    assert (decided(t, "a").action, decided(t, "a").target) == ("cast", "b")


def test_a_power_that_strikes_is_used_where_it_hurts_more() -> None:
    smash = {"name": "Smash", "parts": [{"ad": 1, "strike": True, "totals": 9, "wounds": 2}]}
    t = table(blade("a", "reds", (4, 1), powers=[smash]), blade("b", "blues", (5, 1)), begin="a")
    assert (decided(t, "a").action, decided(t, "a").option("power")) == ("use_power", "Smash")


def test_an_archer_gets_out_of_reach_and_then_shoots() -> None:
    t = table(
        blade("a", "reds", (5, 3), weapons=[BOW], skills={"ranged": 2}),
        blade("b", "blues", (6, 3)),
        begin="a",
    )
    away = decided(t, "a")
    assert away.action == "walk"
    t.declare("a", "walk", **said(away))
    # Out of reach of the sword, and of one or two steps of whoever carries it.
    assert max(abs(t.state.actors["a"].at[0] - 6), abs(t.state.actors["a"].at[1] - 3)) >= 4
    shot = decided(t, "a")
    assert (shot.action, shot.option("weapon")) == ("attack", "bow")


@pytest.mark.parametrize(("wounds", "does"), [(0, "walk"), (1, "attack")])
def test_in_a_story_scene_no_bot_sheds_the_first_blood(wounds: int, does: str) -> None:
    t = table(blade("a", "reds", "hall", wounds=wounds), blade("b", "blues", "hall"), mode="story", begin="a")
    assert decided(t, "a").action == does


def test_in_a_story_scene_without_blood_it_walks_up_to_one_of_the_others_once() -> None:
    t = table(blade("a", "reds", "hall"), blade("b", "blues", "hall"), mode="story", begin="a")
    walks = decided(t, "a")
    assert (walks.action, walks.options) == ("walk", {"to": "b", "relation": "near"})
    t.declare("a", "walk", **said(walks))
    t.answer(t.waiting_on[0], 0)
    assert decided(t, "a").action == "end"
    t.declare("a", "end")
    t.declare("b", "begin")
    assert decided(t, "b").action == "end"  # they are near each other


def test_how_far_one_walked_in_a_story_is_no_ruling_for_another() -> None:
    reds = blade("a", "reds", "hall"), blade("c", "reds", "hall")
    t = table(*reds, blade("b", "blues", "hall"), mode="story", begin="a")
    t.declare("a", "walk", to="b")
    t.answer(t.waiting_on[0], 0)
    t.declare("a", "end")
    t.declare("c", "begin")
    t.declare("c", "walk", to="b")
    first = t.waiting_on[0].question.suggested[0]
    assert (first.when, first.success.startswith("C is near B")) == ("", True)


def test_it_goes_from_zone_to_zone_toward_an_opponent() -> None:
    t = tw.Table(tw.load_scene(EXAMPLES[0].parent / "chase.yaml"), seed=5)
    moved = [d for d in played(t, rounds=2) if d.action in ("walk", "run", "sprint")]
    assert moved
    assert all(isinstance(step, str) for d in moved for step in d.route)


# -- hiding, seeking, telling


def test_whoever_is_hurt_hides_where_it_is_unseen() -> None:
    t = table(
        character("a", "reds", (1, 1), skills={"stealth": 2, "melee": 1}, weapons=[SWORD], wounds=2),
        blade("b", "blues", (8, 1), skills={"observation": 1}),
        rows=["............", ".,,.........", "............"],
        legend=THICKET,
        begin="a",
    )
    d = decided(t, "a")
    # To exceed 3 + 1 with a bonus of 2: 4 of 6 with one die are not enough, 35 of 36 with two are.
    assert (d.action, d.boost) == ("hide", 1)
    fit = table(
        character("a", "reds", (1, 1), skills={"stealth": 1, "melee": 1}, weapons=[SWORD]),
        blade("b", "blues", (8, 1)),
        rows=["............", ".,,.........", "............"],
        legend=THICKET,
        begin="a",
    )
    assert decided(fit, "a").action != "hide"


def test_whoever_is_hurt_and_seen_goes_out_of_sight() -> None:
    t = table(
        character("a", "reds", (1, 2), skills={"stealth": 2}, weapons=[SWORD], wounds=2),
        blade("b", "blues", (9, 1)),
        rows=["............", ".,,.........", "............"],
        legend=THICKET,
        begin="a",
    )
    assert decided(t, "a").route == ((1, 1),)


def test_it_searches_where_somebody_was_last_seen() -> None:
    t = table(
        blade("b", "watch", (2, 1), skills={"observation": 1, "melee": 1}, seat="ann"),
        blade("a", "heroes", (6, 1), skills={"stealth": 2}),
        rows=["............", ".....,,,....", "............"],
        legend=THICKET,
        seats=[{"id": "ann"}],
        dice=(4,),
        begin="b",
    )
    # Nobody knows of anybody: there is nothing to look for.
    assert decided(t, "b").action == "end"
    t.override([Learned("", "a", "b", (5, 1), "was")], "it was seen there")
    d = decided(t, "b")
    assert (d.action, d.option("at")) == ("search", "5,1")
    t.declare("b", "search", **said(d))
    answer(t, 0)
    while t.waiting_on:
        answer(t, answered(t))
    # The same place is not searched again; what could hide somebody near it is.
    assert decided(t, "b").option("at") != "5,1"


def test_it_goes_where_somebody_was_last_seen_when_that_is_far() -> None:
    t = table(
        blade("b", "watch", (0, 1), seat="ann"),
        blade("a", "heroes", (20, 1)),
        rows=["..............,,,,,,,,,", "." * 14 + "," * 9, "." * 14 + "," * 9],
        legend=THICKET,
        seats=[{"id": "ann"}],
        begin="b",
    )
    t.override([Learned("", "a", "b", (14, 1), "was")], "it was seen there")
    d = decided(t, "b")
    assert (d.action, d.route[-1]) == ("run", (8, 1))


def test_it_calls_out_once_to_comrades_who_do_not_see_the_opponent() -> None:
    t = table(
        blade("a", "reds", (4, 1), ad=0),
        blade("b", "reds", (1, 3)),
        blade("c", "blues", (8, 1)),
        rows=["..........", "..........", "#######...", "..........", "#########."],
        begin="a",
    )
    assert (decided(t, "a").action, decided(t, "a").target) == ("call_out", "c")
    t.declare("a", "call_out", target="c")
    assert decided(t, "a").action != "call_out"


# -- answers


def struck(me: dict[str, Any], foe: dict[str, Any], **keys: Any) -> tw.Table:
    """`b` must answer a blow of `a`."""
    t = table(foe, me, dice=(9, 9, 9, 9), begin="a", **keys)
    t.declare("a", "attack", target="b", boost=0)
    return t


def test_two_totals_against_each_other_are_counted_exactly() -> None:
    from turnwright.dice import Pool

    assert above(Pool(1, 2), 5) == pytest.approx(3 / 6)
    assert against_each_other(Pool(1), Pool(1)) == pytest.approx((15 / 36, 15 / 36))
    # One die is above two in 20 of 216 cases, and below in 181.
    assert against_each_other(Pool(1), Pool(2)) == pytest.approx((20 / 216, 181 / 216))


def test_a_boosted_clash_is_the_best_answer_among_equals() -> None:
    one = {"skills": {"melee": 1}}
    t = struck(blade("b", "blues", (5, 1), ad=2, **one), blade("a", "reds", (4, 1), **one))
    # One or two dice come: a boosted Clash deals 0.64 and takes 0.27 for 2 AD; a plain one deals 0.25 and takes 0.63;
    # a boosted guard takes 0.27; nothing takes 0.71.
    assert answered(t) == Chosen("clash:sword", 1)


def test_with_one_ad_a_clash_still_beats_doing_nothing() -> None:
    one = {"skills": {"melee": 1}}
    t = struck(blade("b", "blues", (5, 1), ad=1, **one), blade("a", "reds", (4, 1), **one))
    assert answered(t) == Chosen("clash:sword", 0)


def test_out_of_reach_of_the_archer_it_guards_if_that_helps() -> None:
    shot = {"weapons": [BOW], "skills": {"ranged": 1}}
    able = blade("b", "blues", (8, 1), skills={"melee": 1, "acrobatics": 1}, ad=2)
    # Two dice of 1 each take 0.27 where the Readiness Score of 4 takes 0.71: worth 2 AD.
    assert answered(struck(able, blade("a", "reds", (4, 1), **shot))) == Chosen("full_guard", 1)
    # Without the Skill a die takes 0.75 where the Readiness Score of 3 takes 0.82: not worth an AD.
    clumsy = blade("b", "blues", (8, 1), skills={"melee": 1}, ad=2)
    assert answered(struck(clumsy, blade("a", "reds", (4, 1), **shot))) == Chosen("no_response", 0)


def test_an_opportunity_attack_is_taken_where_it_pays_and_the_hurt_keep_their_ad() -> None:
    for wounds, ad, taken in ((0, 1, True), (2, 6, True), (2, 2, False)):
        t = table(
            character("m", "reds", (4, 2), seat="ann"),
            blade("b", "blues", (4, 3), wounds=wounds, ad=ad),
            seats=[{"id": "ann"}],
            dice=(9,),
            begin="m",
        )
        t.declare("m", "walk", route=((5, 2),))
        assert (answered(t).id != "pass") == taken, (wounds, ad)


def test_two_who_strike_back_for_nothing_come_to_an_end() -> None:
    grudge = {"name": "Grudge", "parts": [{"trigger": "exchange_resolved", "reaction": True, "strike": True}]}
    ones = [
        blade(name, side, (x, 1), powers=[grudge], readiness={"melee": 30})
        for name, side, x in (("a", "reds", 4), ("b", "blues", 5))
    ]
    ended = tw.play_out(GAME, scene(*ones), Fighter(), rounds=3)
    # Every blow that is not a Clash misses; struck back and back again without end, it would never return.
    assert ended.events < 1000


def test_a_commitment_is_no_larger_than_helps() -> None:
    t = table(character("a", "reds", (1, 1), skills={"athletics": 3}), begin="a")
    t.declare("a", "attempt", intent="over the wall", method="climb")
    ruling = {"kind": "check", "skill": "athletics", "success": "over", "failure": "not"}
    answer(t, ruling | {"target": 4})
    # With a bonus of 3 every die meets 4.
    assert answered(t) == Committed(0)
    t.undo()
    answer(t, ruling | {"target": 9})
    # To meet 9: 1 of 6 with one die, 26 of 36 with two, 206 of 216 with three.
    assert answered(t) == Committed(2)


def test_a_secret_number_changes_nothing() -> None:
    given = []
    for target in (2, 20):
        t = table(blade("a", "reds", (1, 1), skills={"observation": 2}, seat="ann"), seats=[{"id": "ann"}], begin="a")
        t.declare("a", "search", method="look", at=(2, 1))
        answer(t, {"kind": "check", "skill": "observation", "target": target, "failure": "nothing"})
        given.append(answered(t))
    assert given[0] == given[1]


def test_it_assists_a_comrade_beside_it_with_ad_to_spare() -> None:
    t = table(
        character("a", "reds", (1, 1), skills={"athletics": 1}),
        character("b", "reds", (2, 1)),
        character("c", "reds", (9, 1)),
        begin="a",
    )
    t.declare("a", "attempt", intent="over the wall", method="climb")
    answer(t, {"kind": "check", "skill": "athletics", "target": 6, "success": "over", "failure": "not"})
    bot = bot_of(t.game)
    assert isinstance(bot, Helpful)
    held = question(t).question
    d = bot.interject(t.game, t.knows(GUIDE), "b", held)
    assert d is not None
    t.interject("b", d.action, **said(d))
    assert bot.interject(t.game, t.knows(GUIDE), "c", held) is None


def test_the_rest_is_answered_plainly() -> None:
    bot, known = Fighter(), scene(blade("a", "reds", (1, 1)))
    options = (Option("softly", "softly"), Option("loudly", "loudly"))
    assert bot.answer(GAME, known, Choose(GUIDE, "a", "How?", "", options)) == Chosen("softly")
    assert bot.answer(GAME, known, Clarify(GUIDE, "a", "What?", "")) == AutomaticGuide().answer(
        GAME, known, Clarify(GUIDE, "a", "What?", "")
    )


# -- nothing but what the seat knows


@cache
def begun(mode: str, seed: int) -> tuple[State, str]:
    """A random scene after some turns at random, in somebody's Activation; the name is empty where there is none."""
    t = tw.Table(state_in(mode, f"bots {seed}"), seed=seed)
    for step, said_so in enumerate(play(t, Random(seed), undo=0)):
        active = t.state.active
        if said_so == OVER or step > 120:
            break
        if step >= 25 and active is not None and not t.waiting_on and t.state.actors[active].seat != GUIDE:
            return t.state, active
    return t.state, ""


@pytest.mark.parametrize("name", [name for name in VARY if name != "unseen turn"])
def test_what_a_seat_cannot_know_changes_no_declaration(name: str) -> None:
    """An unseen turn is left out: nobody declares in it but whoever is unseen."""
    compared = 0
    for mode, seed in product(WORLDS, range(60)):
        state, up = begun(mode, seed)
        seat = seat_of(state, up)
        other = VARY[name](state, seat, Random(f"{name} {seed}")) if up else None
        if other is None or GAME.known(state, seat) != GAME.known(other, seat):
            continue
        compared += 1
        declared = [Fighter().declare(GAME, GAME.known(one, seat), up) for one in (state, other, state)]
        assert declared[0] == declared[1] == declared[2]
    assert compared >= 5


def test_the_same_question_is_answered_the_same_and_by_any_bot() -> None:
    t = struck(blade("b", "blues", (5, 1), seat="ann"), blade("a", "reds", (4, 1)), seats=[{"id": "ann"}])
    assert len({answered(t) for _ in range(3)}) == 1
    held = question(t).question
    stronger = t.state.with_actor(replace(t.state.actors["a"], skills={"melee": 6}, readiness={"melee": 11}))
    # Ann sees neither sheet.
    seen = [GAME.known(state, "ann") for state in (t.state, stronger)]
    assert Fighter().answer(GAME, seen[0], held) == Fighter().answer(GAME, seen[1], held)


# -- whole games


def played(t: tw.Table, rounds: int, most: int = 400) -> Iterator[Declaration]:
    """Play a table on by bots, each with what its seat knows; gives every declaration after checking the gate."""
    bot, acts = bot_of(t.game), 0
    while acts < most:
        asked = [held for held in t.waiting_on if not held.drafted]
        if asked:
            held = asked[0]
            t.answer(held, bot.answer(t.game, t.knows(held.who), held.question))
        elif t.state.active is None:
            up = t.next_turn()
            if up is None or t.game.side_down(t.state) is not None or t.state.round > rounds:
                return
            t.declare(up, "begin", seat=GUIDE)
        else:
            up, acts = t.state.active, acts + 1
            known = t.knows(seat_of(t.state, up))
            d = bot.declare(t.game, known, up)
            assert legal(t.game, known, d, whole=True), d
            t.declare(up, d.action, **said(d))
            yield d


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_played_to_an_end_and_comes_back_from_its_log(path: Path, tmp_path: Path) -> None:
    t = tw.Table(tw.load_scene(path), seed=5)
    acts = list(played(t, rounds=4))
    assert len(acts) < 400
    check_saves(t, tmp_path / "game.log")
    t.reveal()
    t.save(tmp_path / "game.log")
    assert tw.verify(tw.replay(tmp_path / "game.log")) == []


@pytest.mark.parametrize("seed", range(40))
def test_nothing_illegal_is_proposed_in_any_world_and_every_activation_ends(seed: int) -> None:
    t = tw.Table(random_state(f"played {seed}"), seed=seed)
    in_turn = 0
    for d in played(t, rounds=3):
        in_turn = 0 if d.action == "end" else in_turn + 1
        assert in_turn < 20, d


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_simulation_gives_bots_what_their_seats_know(path: Path) -> None:
    state = tw.load_scene(path)
    asked: list[tuple[str, State]] = []

    class Watched(Fighter):
        def answer(self, game: Any, known: State, question: Any) -> Any:
            asked.append((question.who, known))
            return super().answer(game, known, question)

    ended = tw.play_out(GAME, state, Watched(), draw=Random(1).random, rounds=6)
    assert ended.actions < 1000
    for seat, known in asked:
        if seat != GUIDE:
            assert known.scene.source is None, "a seat was given the whole state"


def duel(first: str, strong: dict[str, Any], weak: dict[str, Any]) -> State:
    foes = {"a": blade("a", "strong", (3, 3), **strong), "b": blade("b", "weak", (7, 3), **weak)}
    more = {"c": blade("c", "strong", (3, 5), **strong), "d": blade("d", "weak", (7, 5), **weak)}
    order = [*sorted(foes, reverse=first == "b"), *sorted(more, reverse=first == "b")]
    return scene(*foes.values(), *more.values(), order=order)


def wins(state: Callable[[int], State], bots: Any, times: int) -> int:
    """How often the strong side wins."""
    return sum(tw.play_out(GAME, state(n), bots, draw=Random(n).random, rounds=40).down == "weak" for n in range(times))


def test_the_stronger_side_wins() -> None:
    strong, weak = {"skills": {"melee": 3}}, {"skills": {"melee": 1}}
    won = wins(lambda n: duel("ab"[n % 2], strong, weak), Fighter(), 200)
    # Of two equal sides either would win 130 or more of 200 only once in 80,000 times.
    assert won >= 130


def test_good_sense_beats_chance() -> None:
    even: dict[str, Any] = {}
    by_chance = RandomBot(3)
    bots = {"a": Fighter(), "c": Fighter(), "b": by_chance, "d": by_chance}
    assert wins(lambda n: duel("ab"[n % 2], even, even), bots, 200) >= 180


def test_fights_of_bots_are_decided() -> None:
    ended = [tw.play_out(GAME, duel("a", {}, {}), Fighter(), draw=Random(n).random, rounds=20) for n in range(50)]
    assert sum(one.down is not None for one in ended) == 50


# -- any other game


def test_a_game_without_a_bot_is_played_by_its_offers(pebbles: Pebbles) -> None:
    bot = bot_of(pebbles)
    assert isinstance(bot, PlainBot)
    state = tw.read_scene('{"system": "pebbles", "pebbles": {"a": 3, "b": 3}}')
    drawn = {bot.declare(pebbles, replace(state, round=n), "a").action for n in range(60)}
    # Reactions are not declared of one's own accord, and nobody is asked to rule.
    assert drawn == {"wager", "rattle"}
    assert len({bot.declare(pebbles, state, "a").key() for _ in range(5)}) == 1


def test_a_plain_bot_plays_only_what_is_legal() -> None:
    for seed in range(30):
        state, up = begun("tactical", seed)
        if not up:
            continue
        known = GAME.known(state, seat_of(state, up))
        d = PlainBot().declare(GAME, known, up)
        assert legal(GAME, known, d, whole=True)
        assert GAME.actions[d.action].ruling(known, d) is not None


def test_a_bot_that_never_stops_is_stopped() -> None:
    class Caller(Fighter):
        def declare(self, game: Any, known: State, actor: str) -> Declaration:
            return Declaration(actor, "make_noise", "", "", options={"clear": "no"})

    state = scene(blade("a", "reds", (1, 1)), blade("b", "blues", (9, 1)))
    ended = tw.play_out(find_game("narateer"), state, Caller(), rounds=2, most=500)
    assert ended.why == "2 rounds have passed"
