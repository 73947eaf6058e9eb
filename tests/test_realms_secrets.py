"""What a seat is shown in Altered Realms: what it cannot know changes nothing of it, and deliberate leaks are found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from realm_worlds import SEATS, VARY, state_in
from realms import creature, table

import turnwright as tw
from turnwright.model import GUIDE, SPECTATOR, Declaration, Expiry, Refusal, Refused, State
from turnwright.odds import TooMany
from turnwright.systems.altered_realms import economy, knowledge, magic, rolls
from turnwright.systems.altered_realms.events import Aided, Inspired, Mechanism, Primed
from turnwright.systems.altered_realms.holding import Holds
from turnwright.systems.altered_realms.sheet import Affliction, Creature
from turnwright.testing import OVER, Broken, check_secrets, play
from turnwright.testing.promises import said

MOMENTS = range(36)
WATCHING = (*SEATS, SPECTATOR)
GAME = tw.find_game("altered-realms")


def played(seed: int) -> State:
    """A random scene after some random play, at a moment at which no question is open."""
    draw = Random(f"realm law {seed}")
    made = tw.Table(state_in(seed), seed=seed)
    wanted = draw.randint(0, 25)
    for number, word in enumerate(play(made, draw)):
        if word == OVER or (number >= wanted and not made.waiting_on):
            break
    return made.state


@pytest.mark.parametrize("seed", MOMENTS)
def test_what_a_seat_cannot_know_changes_nothing_that_it_is_shown(seed: int) -> None:
    state, draw = played(seed), Random(seed)
    seats = [seat for seat in SEATS if any(actor.seat == seat for actor in state.actors.values())]
    names = [*VARY][seed % len(VARY) :] + [*VARY][: seed % len(VARY)]
    for name, seat in ((name, seat) for name in names for seat in seats):
        other = VARY[name](state, seat, draw)
        if other is not None and other != state:
            check_secrets(state, other, seat, Random(seed), limit=40)
            same_odds(state, other, seat, draw, tries=4)
            assert tw.Table(state, seed=0).view(SPECTATOR) == tw.Table(other, seed=0).view(SPECTATOR)
            return


def same_odds(one: State, two: State, seat: str, draw: Random, tries: int) -> None:
    """What is counted beforehand for a seat is the same at both tables."""
    tables = [tw.Table(state, seed=0, dice="table") for state in (one, two)]
    known = tables[0].knows(seat)
    named = [d for actor in known.actors.values() if actor.seat == seat for d in _open_to(known, actor.id)]
    for d in draw.sample(named, min(tries, len(named))):
        d = GAME.actions[d.action].complete(known, GAME.actions[d.action].fill(known, d, draw.choice))
        found = [_odds(made, d, seat) for made in tables]
        if found[0] != found[1]:
            raise Broken(f"the odds of {d} differ: {found[0]} and {found[1]}")


def _open_to(known: State, actor: str) -> list[Declaration]:
    return [
        d for action in GAME.actions.values() if action.nature == "proactive" for d in action.variants(known, actor)
    ]


def _odds(made: tw.Table, d: Declaration, seat: str) -> Any:
    try:
        found = made.odds(d.actor, d.action, seat=seat, limit=60, **said(d))
    except (Refused, TooMany) as error:
        return str(error)
    return dict(found), found.assumptions, {name: number.mean for name, number in found.numbers.items()}


def test_every_kind_of_difference_is_tried() -> None:
    tried = dict.fromkeys(VARY, 0)
    for seed in range(20):
        state = played(seed)
        for name, vary in VARY.items():
            tried[name] += any(vary(state, seat, Random(seed)) not in (None, state) for seat in SEATS)
    assert min(count for name, count in tried.items() if name not in ("helped", "afflicted")) >= 2, tried


@pytest.mark.parametrize("seed", range(4))
def test_no_version_moves_by_what_is_not_shown_and_nobody_unseen_is_named(seed: int, tmp_path: Path) -> None:
    draw = Random(f"versions {seed}")
    made = tw.Table(state_in(f"versions {seed}"), seed=seed, dice="table")
    before = views(made)
    for number, word in enumerate(play(made, draw, undo=0)):
        now = views(made)
        assert moved_alone(before, now) == [], word
        for seat in WATCHING:
            nobody_unseen_is_named(made, seat, len(before[seat][0]["news"]))
        before = now
        if word == OVER or number > 30:
            break
    made.save(tmp_path / "game.log")
    assert views(tw.Table.load(tmp_path / "game.log")) == before


def views(made: tw.Table) -> dict[str, tuple[dict[str, Any], int]]:
    """What each seat is shown, with its version beside it."""
    found = {seat: made.view(seat) for seat in WATCHING}
    return {seat: (view, view.pop("version")) for seat, view in found.items()}


def moved_alone(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Seats whose version moved although nothing else did."""
    return [seat for seat in WATCHING if before[seat][0] == after[seat][0] and before[seat][1] != after[seat][1]]


def nobody_unseen_is_named(made: tw.Table, seat: str, old: int) -> None:
    """In nothing of a view but older news; whoever is known now may have been unknown before."""
    view = made.view(seat)
    text = json.dumps({**view, "news": view["news"][old:]})
    past = {name for name, actor in made.state.actors.items() if actor.hidden and name not in view["actors"]}
    for name in past - tied(made):
        assert f'"{name}"' not in text, (seat, name, text[max(0, text.index(f'"{name}"') - 300) :][:400])


def tied(made: tw.Table) -> set[str]:
    """Whoever held or was held by somebody at some time of the last entry: it was known while it did."""
    text = "".join(str(event) for event in made.live[-1].events if type(event).__name__.startswith(("Hold", "Carry")))
    return {name for name in made.state.actors if f"'{name}'" in text}


# -- the law is tested


def cave(**spy: Any) -> State:
    """Kara and an open foe beside each other, and somebody hidden."""
    made = table(
        creature("kara", "x", (2, 2), seat="ann", str_=3, abilities=[MEND, SPARK], spell_dc=15),
        creature("kim", "x", (1, 1), seat="ann"),
        creature("dock", "y", (3, 2)),
        creature("spy", "y", (5, 5), hidden=True, **spy),
        seats=[{"id": "ann"}],
        mechanisms=[{"id": "chest", "kind": "lock", "at": [2, 3], "quality": "good"}],
        items=[{"item": {"name": "stool", "weapon": {"damage": "1d6"}}, "at": [1, 2]}],
    )
    return replace(made.state, active="kara").with_actor(
        replace(made.state.actors["kara"], actions=1, motions=1, movements=1)
    )


MEND = {"name": "mend", "at": "ally", "heals": "1d4"}
SPARK = {"name": "spark", "at": "enemy", "damage": "1d4", "area": 4, "save": "dex"}


def leaking(check: Callable[[State, State], None], one: State, two: State, leak: Callable[[], None]) -> None:
    """The law holds, and with the leak it does not."""
    check(one, two)
    leak()
    with pytest.raises((Broken, KeyError)):
        check(one, two)


def law(one: State, two: State) -> None:
    GAME._knows.clear()  # type: ignore[attr-defined]
    check_secrets(one, two, "ann", Random(1), limit=100)
    same_odds(one, two, "ann", Random(1), tries=99)


class TestLeaksAreFound:
    def test_a_seat_that_knows_everything(self, monkeypatch: pytest.MonkeyPatch) -> None:
        leak = lambda: monkeypatch.setattr(knowledge, "known", lambda state, seat: state)  # noqa: E731
        leaking(law, cave(), cave(ac=19), leak)

    def test_whoever_is_hidden_on_the_map(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def all_of_them(state: State, seat: str) -> dict[str, bool]:
            return {name: who.side == "x" for name, who in state.actors.items()}

        one = cave()
        two = one.with_actor(replace(one.actors["spy"], at=(6, 6)))
        leaking(law, one, two, lambda: monkeypatch.setattr(knowledge, "aware_of", all_of_them))

    def test_how_good_a_lock_is(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = cave()
        chest = one.facts["chest"]
        assert isinstance(chest, Mechanism)
        two = one.with_fact(replace(chest, dc=25, damage="9d6"))
        leaking(law, one, two, lambda: monkeypatch.setattr(knowledge, "_outside", lambda mechanism: mechanism))

    def test_what_lies_about(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = cave()
        two = VARY["lying"](one, "ann", Random(1))
        assert two is not None
        leaking(law, one, two, lambda: monkeypatch.setattr(knowledge, "bare_item", lambda item: item))

    def test_what_somebody_has_prepared(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = cave()
        two = one.relate(Primed("dock", "dock", Expiry("dock", "start"), trigger="she moves"))
        leaking(law, one, two, lambda: monkeypatch.setattr(knowledge, "_tie_known", lambda r, told: r.other in told))

    def test_how_much_strangers_help_and_inspire(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = cave().relate(Inspired("dock", "dock", None, 1)).relate(Aided("dock", "dock", None, "athletics", 5))
        two = cave().relate(Inspired("dock", "dock", None, 3)).relate(Aided("dock", "dock", None, "athletics", -2))
        leaking(law, one, two, lambda: monkeypatch.setattr(knowledge, "_tie", lambda r, told: r))

    def test_that_there_is_a_hold_of_which_nobody_knows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        hold = Holds("kara", "dock", None, "right hand", "", 2)
        two = cave().relate(Holds("spy", "dock", None, "left hand", "", 1)).relate(hold)
        one = cave().relate(replace(hold, number=1))
        leaking(law, one, two, lambda: monkeypatch.setattr(knowledge, "_renumbered", lambda seen: seen))

    def test_the_dc_of_what_a_stranger_has_done(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def suffering(dc: int) -> State:
            kara = replace(cave().actors["kara"], afflictions=(Affliction("deafened", "wis", dc, "dock"),))
            return cave().with_actor(kara)

        leak = lambda: monkeypatch.setattr(knowledge, "_own", lambda state, who, told: who)  # noqa: E731
        leaking(law, suffering(12), suffering(19), leak)

    def test_odds_of_the_truth(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = cave()
        two = one.with_actor(replace(one.actors["dock"], ac=19))
        leaking(law, one, two, lambda: monkeypatch.setattr(knowledge, "believed", lambda state, seen: state))

    def test_whose_turn_it_is_by_a_price(self, monkeypatch: pytest.MonkeyPatch) -> None:
        idle = replace(cave(), active=None, round=0)
        two = replace(idle, active="spy")

        def off_turn(state: State, actor: str) -> bool:
            return state.active not in (None, actor)

        leaking(law, idle, two, lambda: monkeypatch.setattr(economy, "off_turn", off_turn))

    def test_who_is_there_by_what_can_be_aimed_at(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = cave()
        actors = {name: who for name, who in one.actors.items() if name != "spy"}
        order = tuple([name for name in one.scene.order if name != "spy"])
        two = replace(one, actors=actors, scene=replace(one.scene, order=order))

        def aim_refusals(known: State, who: Creature, ability: Any, d: Any) -> Iterator[Refusal]:
            yield from ()

        leaking(law, one, two, lambda: monkeypatch.setattr(magic, "aim_refusals", aim_refusals))

    def test_whom_an_area_has_struck_by_who_throws_the_dice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        far = cave()
        one = far.with_actor(replace(far.actors["spy"], at=(12, 8)))
        near = far.with_actor(replace(far.actors["spy"], at=(4, 2)))
        leaking(law, one, near, lambda: monkeypatch.setattr(rolls, "GUIDE", "ann"))


def test_the_guide_is_shown_everything() -> None:
    assert GAME.known(cave(), GUIDE) == cave()
