"""Storypath at random: everybody acts once a round, every promise of a table is kept, and secrets stay secret."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from scions import BALANCE, CLIMB, foe, go_on, happened, held, hero, rolled_roster, scene, table

import turnwright as tw
from turnwright import testing
from turnwright.dice import Scripted
from turnwright.model import State
from turnwright.policy import RandomBot, bot_of
from turnwright.rules import find_game
from turnwright.systems.storypath.events import Reserve, SlotPassed, TakenOut, TurnStarted
from turnwright.systems.storypath.knowledge import shown
from turnwright.systems.storypath.sheet import standing

EXAMPLES = Path(__file__).parent.parent / "examples" / "storypath"
SIX, GOLEM, BEAST = EXAMPLES / "six.yaml", EXAMPLES / "ice-golem.yaml", EXAMPLES / "winged-beast.yaml"


# -- everybody acts once


def crowd(draw: Random) -> tw.Table:
    """Some players and some foes, some of them a group, and some who come later."""
    players = [hero(f"p{n}", f"s{n % 2}") for n in range(draw.randint(1, 4))]
    foes = [foe(f"f{n}", **({"group": "pack"} if n < 2 else {})) for n in range(draw.randint(1, 4))]
    late = [hero("late_p", "s0"), foe("late_f"), foe("late_g")]
    characters = [*players, *foes]
    draw.shuffle(characters)
    return tw.Table(scene(*characters, reserves=late), seed=draw.randrange(10**6))


def change(made: tw.Table, draw: Random) -> None:
    """Somebody falls, leaves or comes; somebody is always left."""
    what = draw.random()
    everybody = [who.id for who in standing(made.state)]
    if what < 0.15 and len(everybody) > 2:
        made.override([TakenOut("", draw.choice(everybody))], "a stray bolt")
    elif what < 0.25 and len(everybody) > 2:
        made.declare("", "depart", who=draw.choice([name for name in everybody if name != made.state.active]))
    elif what < 0.4:
        waiting = [name for name in made.state.facts if name.startswith("reserve ")]
        if waiting:
            made.declare("", "arrive", who=draw.choice(waiting).removeprefix("reserve "))


@pytest.mark.parametrize("seed", range(40))
def test_every_living_character_acts_exactly_once_a_round(seed: int) -> None:
    draw = Random(seed)
    made = crowd(draw)
    acted: Counter[str] = Counter()
    there: set[str] = set()
    for _ in range(80):
        if made.game.next_up(made.state) is None:
            break
        round_before = made.state.round
        left = {who.id for who in standing(made.state) if who.since <= round_before}
        up = made.next_turn()
        assert up is not None
        made.declare(up, "begin")
        while made.waiting_on:
            asked = draw.choice(made.waiting_on)
            made.answer(asked, draw.choice(asked.options), seat=asked.who)
        active = made.state.active
        assert active is not None
        if made.state.round != round_before:
            # Whoever stood through the round has had exactly one turn in it, and nobody had two.
            assert all(count == 1 for count in acted.values()), acted
            assert there & left <= set(acted), (there & left, acted)
            acted.clear()
            there = {who.id for who in standing(made.state)}
        acted[active] += 1
        slot = next(slot for slot in held(made).slots if slot.filled == active)
        assert slot.kind == made.state.actors[active].kind
        if draw.random() < 0.3 and made.state.actors[active].pc:
            for offer in made.offers(active):
                if offer.action == "hand_on" and offer.verdict == "legal":
                    made.declare(active, "hand_on", target=offer.declaration.target)
                    break
        change(made, draw)
        if made.state.active is not None:
            made.declare(made.state.active, "end")
        change(made, draw)


def orders(made: tw.Table, turns: int) -> list[tuple[str, ...]]:
    """Every order in which that many slots can be filled, by following every answer."""
    if not turns:
        return [()]
    if made.state.active is not None:
        made.declare(made.state.active, "end")
    made.declare(made.next_turn() or "", "begin")
    found: list[tuple[str, ...]] = []
    options: tuple[str, ...] = made.waiting_on[0].options if made.waiting_on else ("",)
    for option in options:
        other = tw.Table(made.start, seed=made.secret)
        for entry in made.live:
            other._enter(entry.by, entry.input)
        if option:
            other.answer(other.waiting_on[0], option)
        first = other.state.active or ""
        found += [(first, *rest) for rest in orders(other, turns - 1)]
    return found


@pytest.mark.parametrize(
    ("players", "foes", "count"), [(1, 1, 1), (2, 1, 2), (3, 1, 6), (3, 2, 12), (4, 2, 48), (2, 3, 12)]
)
def test_there_are_as_many_orders_as_the_sides_can_be_arranged_in(players: int, foes: int, count: int) -> None:
    """Each side orders its own: the product of the factorials, whatever was rolled."""
    everybody = [*[hero(f"p{n}") for n in range(players)], *[foe(f"f{n}") for n in range(foes)]]
    made = tw.Table(scene(*everybody), seed=4)
    made.declare("", "initiative")
    found = orders(made, players + foes)
    assert len(found) == len(set(found)) == count


def test_after_a_fall_there_are_the_orders_of_those_who_are_left() -> None:
    made = tw.Table(scene(*[hero(f"p{n}") for n in range(4)], foe("wolf")), seed=4)
    made.declare("", "initiative")
    made.override([TakenOut("", "p2")], "it is so")
    assert len(orders(made, 4)) == 6


def test_slots_that_nobody_fills_pass_without_a_question() -> None:
    made = rolled_roster(hero("ann"), hero("bo"), foe("wolf"), results=(5, 4, 3))
    made.override([TakenOut("", "ann"), TakenOut("", "bo")], "it is so")
    assert go_on(made) == "wolf"
    assert len(happened(made, SlotPassed)) == 2
    assert len(happened(made, TurnStarted)) == 1


# -- what every table promises


def melee() -> State:
    """Everybody beside somebody, with a deed, a Knack, armour and momentum, so that everything comes up."""
    ann = hero("ann", close_combat=3, might=3, resolve=2, stamina=2, athletics=2, dexterity=2)
    ann |= {"knacks": [{"name": "Eyes", "enhancement": 1}, {"name": "Stone", "action": "simple", "armor": 1}]}
    ann |= {"items": [{"name": "rope"}, {"name": "blade", "place": "hand"}]}
    bo = hero("bo", close_combat=2, might=2, resolve=3, stamina=1, soft=1, boxes={"bruised": 1})
    axe = {"weapons": [{"name": "axe", "pool": "primary"}], "items": [{"name": "axe", "place": "hand"}]}
    wolf, rat = foe("wolf", hard=1, **axe), foe("rat", minor=True)
    shout = {"name": "shout", "complications": [{"name": "noise", "rating": 1, "prone": True}]}
    small = [{"name": "drop it"}, {"name": "listen", "pool": 2}]
    late = [foe("bear")]
    return scene(
        ann,
        bo,
        wolf,
        rat,
        momentum=2,
        places=["den", "path", "wood"],
        deeds=[BALANCE, CLIMB, shout],
        reflexives=small,
        reserves=late,
    )


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_played_every_promise_of_a_table_is_kept(seed: int, tmp_path: Path) -> None:
    draw = Random(seed)
    made = tw.Table(melee(), seed=seed)
    for step, what in enumerate(testing.play(made, draw)):
        if what == testing.OVER or step == 70:
            break
        testing.check_folds(made)
        testing.check_amounts(made)
        if step % 23 == 11 and not made.waiting_on and made.state.active:
            testing.check_offers(made, made.state.active, draw)
    testing.check(made, tmp_path / "log.jsonl")


def test_the_sample_is_sound() -> None:
    testing.check_game(find_game("storypath"))


@pytest.mark.parametrize("path", [SIX, GOLEM, BEAST], ids=lambda path: path.stem)
def test_random_play_comes_to_an_end_and_is_the_same_twice(path: Path) -> None:
    game, start = find_game("storypath"), tw.load_scene(path)
    one, two = (tw.play_out(game, start, RandomBot(7), draw=Random(7).random, rounds=8, most=400) for _ in range(2))
    assert one == two


@pytest.mark.parametrize(("side", "foes"), [("band", "bot"), ("barrow", "drawn")])
def test_the_bot_fights_better_than_whoever_draws_its_deeds(side: str, foes: str) -> None:
    """Against the same foes a side wins more fights with it than without; the stronger side meets better foes."""
    game, start, won = find_game("storypath"), tw.load_scene(SIX), Counter[bool]()
    for seed in range(16):
        for played in (True, False):
            mine = bot_of(game) if played else RandomBot(seed)
            others = bot_of(game) if foes == "bot" else RandomBot(seed)
            bots = {name: mine if who.side == side else others for name, who in start.actors.items()}
            end = tw.play_out(game, start, bots, draw=Random(seed).random, rounds=40)
            won[played] += end.down not in (side, None)
    assert won[True] >= won[False] + 3, won


def test_bots_fight_the_six_to_an_end_by_what_they_see() -> None:
    game = find_game("storypath")
    ends = Counter(
        tw.play_out(game, tw.load_scene(SIX), bot_of(game), draw=Random(seed).random, rounds=30).why
        for seed in range(20)
    )
    assert set(ends) <= {"band is down", "barrow is down"}, ends


# -- secrets


def hidden(state: State, draw: Random) -> State:
    """The same scene with other numbers for those whose numbers are nobody's to know."""
    for who in list(state.actors.values()):
        if shown(who, "vera"):
            continue
        other = replace(
            who,
            defense=draw.randint(1, 5),
            health=(who.health or 3) + draw.randint(0, 3),
            soft=draw.randint(0, 2),
            hard=draw.randint(0, 2),
            pools={name: draw.randint(2, 9) for name in who.pools},
            initiative=draw.randint(2, 9),
            enhancement=draw.randint(0, 2),
        )
        state = state.with_actor(other)
    return state


def started(path: Path, up: str, **at: str) -> State:
    made = tw.Table(tw.load_scene(path), seed=1)
    for _ in range(40):
        if go_on(made, up) == up:
            break
    state = made.state
    for name, place in at.items():
        state = state.with_actor(replace(state.actors[name], at=place))
    return state


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("path", "up", "seat"), [(SIX, "sigrun", "vera"), (SIX, "tove", "mia"), (GOLEM, "sigrun", "vera")]
)
def test_what_a_player_cannot_know_changes_nothing_that_the_player_is_shown(
    path: Path, up: str, seat: str, seed: int
) -> None:
    draw = Random(seed)
    at = {"sigrun": "barrow", "tove": "barrow"} if path is SIX else {}
    one = started(path, up, **at)
    testing.check_secrets(one, hidden(one, draw), seat, draw)


def test_from_the_first_roll_on_a_player_is_told_of_no_hidden_number() -> None:
    """The same fight with other numbers for the foes and the same dice is the same to a player, until a blow lands."""
    draw = Random(2)
    start = tw.load_scene(SIX)
    other = hidden(start, draw)
    late = other.facts["reserve warden"]
    assert isinstance(late, Reserve)
    other = other.with_fact(replace(late, who=replace(late.who, defense=5, health=9, pools={"primary": 9})))
    tables = [tw.Table(state, seed=1, dice=Scripted(3, 4, 1, 2, 2, 0)) for state in (start, other)]

    def same() -> None:
        one, two = (table.view("vera") for table in tables)
        assert one == two
        assert tables[0].version("vera") == tables[1].version("vera")

    for made in tables:
        made.declare("ivar", "begin")
    same()
    for made in tables:
        made.answer(made.waiting_on[0], "tove", seat="vera")
        made.declare("", "arrive", who="warden")
    same()
    for made in tables:
        made.declare("tove", "move", to="gate")
        made.declare("tove", "end")
        made.declare("sigrun", "begin")
        made.answer(made.waiting_on[0], "ivar", seat="mia")
        made.declare("ivar", "attack", target="draugr_1", boost=0)
        assert made.outcome is not None
        assert made.outcome.result == "miss"
    same()


def test_the_players_sheets_are_open_and_the_storyguides_are_not() -> None:
    made = tw.Table(tw.load_scene(SIX), seed=1)
    known = made.knows("vera")
    assert known.actors["ivar"] == made.state.actors["ivar"]
    draugr = known.actors["draugr_1"]
    assert draugr.veiled
    assert (draugr.defense, draugr.health, draugr.pools["primary"]) == (2, 3, 5)  # only assumed
    assert "reserve warden" not in known.facts
    assert made.knows("guide").actors["draugr_1"].defense == 1


def test_odds_of_a_player_say_what_they_assume() -> None:
    made = tw.Table(started(SIX, "sigrun", sigrun="barrow"), seed=1)
    told = made.odds("sigrun", "attack", target="draugr_1", seat="vera")
    assert "Draugr 1: Defense 2, Health 3, pools of 5" in told.assumptions
    assert made.odds("sigrun", "attack", target="draugr_1", seat="guide").assumptions == ()


def test_the_beast_is_open_so_that_the_choice_can_be_seen() -> None:
    made = tw.Table(tw.load_scene(BEAST), seed=1)
    assert made.knows("vera").actors["beast"].defense == 2


# -- examples as a table would play them


def test_the_golem_climbed_and_stabbed() -> None:
    # Initiative; then Ivar 1, golem 0. Sigrun: 3 dice for 5 of climbing and 3 of stabbing.
    made = tw.Table(tw.load_scene(GOLEM), seed=1, dice=Scripted(4, 1, 2, 3, 2))
    assert go_on(made, "sigrun") == "sigrun"
    made.declare("sigrun", "mixed", first="climb", second="attack", target="golem", boost=0)
    asked = made.waiting_on[0]
    assert "1/2" in asked.options
    made.answer(asked, "1/2")
    # Two meet Defense 2; its armour asks 1 more for an injury, and nothing is over.
    assert made.outcome is not None
    assert made.outcome.result == "both"
    assert [type(r).__name__ for r in made.state.relations["sigrun"]] == ["On"]
    assert made.state.actors["golem"].hard == 1
    assert go_on(made) == "golem"
    made.declare("sigrun", "small_deed", deed="drop a held torch")
    assert made.state.active == "golem"


def test_a_fight_of_six_with_a_shared_roll_knacks_and_a_botch() -> None:
    rolls = (3, 4, 1, 2, (1, 2, 3, 4, 5, 6, 7), 2)
    made = tw.Table(tw.load_scene(SIX), seed=1, dice=Scripted(*rolls))
    made.declare("ivar", "begin")
    assert [asked.who for asked in made.waiting_on] == ["vera", "jon", "mia"]
    made.answer(made.waiting_on[0], "sigrun", seat="vera")
    assert [(slot.kind, slot.value) for slot in held(made).slots] == [
        ("pc", 4),
        ("pc", 3),
        ("sgc", 2),
        ("sgc", 2),
        ("sgc", 2),
        ("pc", 1),
    ]
    made.declare("sigrun", "knack", knack="Sure Stroke")
    made.declare("sigrun", "move", to="barrow")
    made.declare("sigrun", "attack", target="draugr_2", boost=1)
    # Six dice and one for momentum: no success, and a 1. What it cost comes back threefold: 1 - 1 + 3.
    assert made.outcome is not None
    assert made.outcome.result == "botch"
    assert made.state.facts["momentum"].amount == 3  # type: ignore[attr-defined]
    made.declare("sigrun", "hand_on", target="tove")
    made.declare("sigrun", "end")
    assert made.next_turn() == "tove"
    made.declare("tove", "begin")
    made.declare("tove", "knack_action", knack="Iron Skin")
    assert made.state.actors["tove"].soft_now == 2
    assert made.state.actors["tove"].actions == 0


def test_whoever_comes_late_waits_for_the_next_round() -> None:
    made = table(hero("ann"), foe("wolf"), dice=(2, 1, 5), reserves=[foe("bear")])
    go_on(made)
    made.declare("", "arrive", who="bear")
    assert [slot.since for slot in held(made).slots if slot.rolled_by == "bear"] == [2]


def test_nobody_comes_who_does_not_wait() -> None:
    made: Any = table(hero("ann"), foe("wolf"), dice=(2, 1))
    with pytest.raises(tw.Refused, match="waiting to come: nobody"):
        made.declare("", "arrive", who="bear")
