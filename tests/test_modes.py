"""What holds in every scene off the map, and when the Scene Mode is shifted at random in the middle of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from scenes import character
from worlds import absent, elsewhere, off_map_state, other_secrets, other_totals, state_in, stronger
from zoned import both

import turnwright as tw
from turnwright.events import Placed
from turnwright.log import Declared
from turnwright.model import GUIDE, SPECTATOR, State
from turnwright.systems.narateer.allowance import allowance
from turnwright.systems.narateer.arranging import free_spaces
from turnwright.systems.narateer.events import UNSEEN, GuideSays, Hidden, Known, Moved, Record, Revealed
from turnwright.systems.narateer.senses import could_notice, locates, opponents, plainly
from turnwright.testing import OVER, check, check_offers, check_secrets, check_undo, everything, play

INPUTS = 40
KINDS = ("zones", "story")
off_map = pytest.mark.parametrize("kind", KINDS)


def made(kind: str, seed: int, **options: Any) -> tw.Table:
    draw = Random(f"modes {seed}")
    chosen = {"mode": draw.choice(["enforce", "enforce", "confirm"]), "windows": draw.choice(["honest", "blind"])}
    return tw.Table(off_map_state(kind, seed), seed=seed, **(chosen | options))


def shift_at_random(t: tw.Table, draw: Random) -> bool:
    """The guide shifts the Scene Mode, where that is open, and says where everybody is."""
    modes = [offer.declaration.option("mode") for offer in t.offers("") if offer.verdict == "legal"]
    if not modes:
        return False
    codes: set[str] = set()
    try:
        (t.interject if t.waiting_on else t.declare)("", "shift", mode=draw.choice(modes))
    except tw.Refused as error:
        codes = {refusal.code for refusal in error.refusals}
    if codes:
        assert codes == {"TOO_LATE"}
        return False
    while any(q.kind == "choose" and q.question.about == "place" for q in t.waiting_on):
        asked = t.waiting_on[0]
        t.answer(asked, draw.choice(asked.options))
    return True


@off_map
@pytest.mark.parametrize("seed", range(6))
def test_the_events_make_the_state_and_a_save_is_as_good_as_going_on(kind: str, seed: int, tmp_path: Path) -> None:
    t = made(kind, seed)
    for number, word in enumerate(play(t, Random(f"play {seed}"))):
        check(t, tmp_path / "log")
        if word == OVER or number > INPUTS:
            break
    assert tw.verify(t) == []


@off_map
@pytest.mark.parametrize("seed", range(5))
def test_what_is_undone_has_not_been(kind: str, seed: int) -> None:
    t = made(kind, seed)
    steps = play(t, Random(f"undo {seed}"), undo=0)
    for _ in range(INPUTS):
        words: list[str] = []
        check_undo(t, lambda words=words: words.append(next(steps)))
        if words == [OVER]:
            break


@off_map
@pytest.mark.parametrize("seed", range(5))
def test_what_is_offered_is_accepted(kind: str, seed: int) -> None:
    t = made(kind, seed)
    draw = Random(f"offers {seed}")
    for number, word in enumerate(play(t, draw, undo=0)):
        if word == OVER or number > INPUTS:
            break
        if number % 9 == 4:
            for actor in draw.sample(sorted(t.state.actors), 2):
                check_offers(t, actor, draw)
                check_offers(t, actor, draw, seat=GUIDE)


@off_map
@pytest.mark.parametrize("seed", range(7))
def test_nobody_moves_farther_than_the_allowance(kind: str, seed: int) -> None:
    """What is used up is never more than the mode gives, and never less than nothing; who moves in Zones has a way."""
    t = made(kind, seed, mode="enforce")
    for number, word in enumerate(play(t, Random(f"ledger {seed}"), undo=0)):
        if word == OVER or number > 2 * INPUTS:
            break
        for actor in t.state.actors.values():
            assert actor.spent >= 0
            assert actor.extra >= 0
            if actor.mode and not actor.conditions:
                assert actor.spent <= allowance(t.state, actor, actor.mode, actor.sprint_skill)
    zones = t.state.scene.zones
    for number, entry in enumerate(t.live):
        for event in entry.events:
            if isinstance(event, Moved) and zones is not None and isinstance(entry.input, Declared):
                before = t._states[t.log.index(t.live[number])]
                assert event.at != before.actors[event.actor].at or len(entry.input.declaration.route) > 1


@off_map
@pytest.mark.parametrize("seed", range(7))
def test_a_shift_anywhere_keeps_what_was_said_paid_and_hidden(kind: str, seed: int, tmp_path: Path) -> None:
    t, draw = made(kind, seed), Random(f"shift {seed}")
    shifts = 0
    for number, word in enumerate(play(t, draw, undo=0.02)):
        if word == OVER or number > INPUTS:
            break
        if number % 4:
            continue
        kept, known, in_sight = _kept(t), _known(t), _in_sight(t)
        revealed = sum(type(event) is Revealed for entry in t.live for event in entry.events)
        if shift_at_random(t, draw):
            shifts += 1
            assert _kept(t) == kept
            assert _known(t) == known, "nobody is known anew, or no longer"
            assert _in_sight(t) <= in_sight, "and nobody comes into sight"
            assert sum(type(event) is Revealed for entry in t.live for event in entry.events) == revealed
            check(t, tmp_path / "log")
    t.save(tmp_path / "log")
    assert everything(tw.Table.load(tmp_path / "log")) == everything(t)
    assert shifts


def _kept(t: tw.Table) -> Any:
    """All that a shift may not touch: numbers, hiding, facts, the pending declaration and its open questions."""
    numbers = {name: replace(actor, at=None) for name, actor in t.state.actors.items()}
    hidden = [sorted((r.owner, r.other, r.total) for r in t.state.every(kind)) for kind in (Hidden, Record)]
    pending = t.pending.declaration if t.pending is not None else None
    asked = [(q.who, q.actor, q.question.price if q.kind in ("commit", "confirm") else q.kind) for q in t.waiting_on]
    facts = {name: fact for name, fact in t.state.facts.items() if name != UNSEEN}
    return numbers, hidden, facts, t.state.open_doors, t.state.active, pending, asked


SEATS = ("ann", "bo", "cy")


def _known(t: tw.Table) -> dict[str, set[str]]:
    """Of whom every seat knows."""
    return {seat: set(t.knows(seat).actors) for seat in SEATS}


def _in_sight(t: tw.Table) -> set[tuple[str, str]]:
    """Which opponents perceive whom, and which could aim at whom or notice it if it hid."""
    people = list(t.state.actors.values())
    pairs = [(one, two) for one in people for two in people if one.side != two.side]
    found = {(one.id, two.id) for one, two in pairs if plainly(t.state, one, two)}
    found |= {(f"{one.id} aims", two.id) for one, two in pairs if locates(t.state, one, two)}
    return found | {(f"{one.id} notices", two.id) for one, two in pairs if could_notice(t.state, one, two)}


@pytest.mark.parametrize("kind", ["tactical", "cinematic", "story"])
@pytest.mark.parametrize("seed", range(6))
def test_there_and_back_is_as_before(kind: str, seed: int) -> None:
    """The guide puts everybody back; numbers, hiding, what is remembered and who sees whom are as they were."""
    t = tw.Table(state_in(kind, f"back {seed}"), seed=seed)
    draw = Random(f"back {seed}")
    for number, word in enumerate(play(t, draw, undo=0)):
        if word == OVER or (number > 6 + 3 * seed and not t.waiting_on):
            break
    open_to = [offer.declaration.option("mode") for offer in t.offers("") if offer.verdict == "legal"]
    spots = [actor.at for actor in t.state.actors.values() if isinstance(actor.at, tuple)]
    if t.waiting_on or not open_to or len(spots) > len(set(spots)):
        return
    for other in open_to:
        start = t.state.mode
        kept, known, in_sight, memories = _kept(t), _known(t), _in_sight(t), _memories(t)
        where = {name: actor.at for name, actor in t.state.actors.items()}
        _shift(t, other, "")
        _shift(t, start, "; ".join(f"{name}={_written(at)}" for name, at in where.items()))
        assert {name: actor.at for name, actor in t.state.actors.items()} == where
        assert (_kept(t), _known(t)) == (kept, known)
        assert _in_sight(t) <= in_sight
        assert _memories(t).items() >= memories.items()


def _shift(t: tw.Table, mode: str, placed: str) -> None:
    t.declare("", "shift", mode=mode, **({"at": placed} if placed else {}))
    while t.waiting_on:
        t.answer(t.waiting_on[0], t.waiting_on[0].options[0])


def _written(at: Any) -> str:
    return f"{at[0]},{at[1]}" if isinstance(at, tuple) else str(at)


def _memories(t: tw.Table) -> dict[tuple[str, str], tuple[Any, str]]:
    """What is remembered of those who are not seen."""
    held = [known for known in t.state.every(Known) if {known.owner, known.other} <= set(t.state.actors)]
    return {
        (k.owner, k.other): (k.at, k.how)
        for k in held
        if not plainly(t.state, t.state.actors[k.other], t.state.actors[k.owner])
    }


@pytest.mark.parametrize("kind", ["tactical", "cinematic", "story"])
@pytest.mark.parametrize("seed", range(8))
def test_what_a_seat_cannot_know_changes_nothing_after_a_shift_either(kind: str, seed: int) -> None:
    draw = Random(f"shifted secrets {seed}")
    t = tw.Table(state_in(kind, f"shifted {seed}"), seed=seed)
    shifted = False
    for number, word in enumerate(play(t, draw, undo=0)):
        if word == OVER or (number > 8 and not t.waiting_on and shifted and number % 3 == 0):
            break
        if number % 4 == 2:
            shifted = shift_at_random(t, draw) or shifted
    if t.waiting_on or not shifted:
        return
    for seat in SEATS:
        for vary in VARY:
            other = vary(t.state, seat, draw)
            if other is not None:
                check_secrets(t.state, other, seat, draw, limit=1000)


VARY = (elsewhere, absent, stronger, other_totals, other_secrets)


def other_senses(state: State, seat: str, draw: Random) -> State | None:
    """Somebody of another side perceives by other senses."""
    sides = [actor.side for actor in state.actors.values() if actor.seat == seat]
    others = [actor for actor in state.actors.values() if actor.side not in sides]
    senses = draw.choice([{"hearing": 1}, {"sight": 0, "hearing": 0}, {"sight": 2}, {"scent": 0}])
    return state.with_actor(replace(draw.choice(others), senses=senses)) if others else None


def other_perception(state: State, seat: str, draw: Random) -> State | None:
    """Somebody else is fooled by somebody, or the guide says that it perceives that one, or not."""
    pairs = [(a.id, o.id) for a in state.actors.values() for o in opponents(state, a) if o.seat != seat]
    if not pairs:
        return None
    pair = draw.choice(pairs)
    fooled = Hidden(*pair, total=draw.randint(1, 20))
    return state.relate(draw.choice([fooled, GuideSays(*pair, clear=False), GuideSays(*pair, clear=True)]))


def other_memory(state: State, seat: str, draw: Random) -> State | None:
    """Somebody else remembers where somebody was."""
    pairs = [(a.id, o.id) for a in state.actors.values() for o in opponents(state, a) if o.seat != seat]
    if not pairs:
        return None
    at = draw.choice([actor.at for actor in state.actors.values()])
    aware, how = draw.random() < 0.5, draw.choice(["saw", "told", "was"])
    return state.relate(Known(*draw.choice(pairs), at=at, how=how, aware=aware))


@pytest.mark.parametrize("kind", ["tactical", "cinematic", "story", "both"])
@pytest.mark.parametrize("seed", range(12))
def test_a_shift_tells_nothing_of_what_others_perceive_and_remember(kind: str, seed: int) -> None:
    """Two scenes that look the same to a seat look the same to it after a shift, and went through as many changes."""
    draw = Random(f"told by a shift {kind} {seed}")
    state = _grass(draw) if kind == "both" else state_in(kind, f"told {seed}")
    modes = [o.declaration.option("mode") for o in tw.Table(state, seed=1).offers("") if o.verdict == "legal"]
    for seat in (*SEATS, SPECTATOR):
        for vary in (other_senses, other_perception, other_memory):
            if seat == SPECTATOR and vary is other_senses:
                continue  # Whoever watches the players learns what they perceive.
            other = vary(state, seat, draw)
            for mode in modes if other is not None else ():
                tables = tw.Table(state, seed=1), tw.Table(other, seed=1)
                if tables[0].knows(seat) != tables[1].knows(seat):
                    continue
                for t in tables:
                    _shift(t, mode, "")
                one, two = tables
                assert one.view(seat) == two.view(seat), (vary.__name__, seat, mode)
                for actor in one.knows(seat).actors.values():
                    if actor.seat == seat:
                        assert one.offers(actor.id, seat=seat) == two.offers(actor.id, seat=seat)


def test_whom_a_seat_sees_before_and_after_a_shift_it_sees_placed_whoever_of_its_own_sees_it() -> None:
    """One by one people come to be shown in the new mode; nobody is out of sight in between."""

    def news(seat: str, *held: Hidden) -> list[str]:
        people = (
            ("selka", "heroes", (2, 0), "ann"),
            ("guard", "guards", (5, 0), "cy"),
            ("mira", "heroes", (6, 1), "ann"),
        )
        t = both(
            *[character(who, side, at, seat=by) for who, side, at, by in people],
            mode="tactical",
            seats=[{"id": seat} for seat in SEATS],
            begin="",
        )
        tables = tw.Table(t.state.relate(*held) if held else t.state, seed=1)
        _shift(tables, "story", "")
        return [event.actor for event in tables.news(seat) if isinstance(event, Placed)]

    for seat in ("ann", SPECTATOR):
        assert sorted(news(seat)) == ["guard", "mira", "selka"]
        assert news(seat, Hidden("guard", "selka", total=9)) == news(seat)


@pytest.mark.parametrize("kind", ["cinematic", "story"])
@pytest.mark.parametrize("seed", [0, 1, 48])
def test_the_spaces_suggested_do_not_tell_who_perceives_whom(kind: str, seed: int) -> None:
    draw = Random(f"suggested {kind} {seed}")
    state = state_in(kind, f"suggested {seed}")
    for vary in 3 * (other_senses, other_perception, other_memory):
        other = vary(state, "ann", draw)
        for actor in state.actors if other is not None else ():
            assert free_spaces(other, actor, {}) == free_spaces(state, actor, {}), vary.__name__


def _grass(draw: Random) -> State:
    """Four people on a map of flags and grass, in Spaces, with Zones of which the one conceals or not."""
    grass = draw.choice([{}, {"conceals": ["sight"]}])
    spots = draw.sample([(x, y) for x in range(3, 8) for y in range(3)], 4)
    people = zip(("selka", "mira", "guard", "gus"), ("heroes", "heroes", "guards", "guards"), spots, strict=True)
    seats = {"selka": "ann", "mira": "bo", "gus": "cy"}
    made = both(
        *[character(who, side, at, seat=seats.get(who, "guide")) for who, side, at in people],
        mode="tactical",
        seats=[{"id": seat} for seat in SEATS],
        map_={"zones": {"west": {"spaces": "west"}, "east": {"spaces": "east"} | grass}},
        begin="",
    )
    return made.state


@off_map
@pytest.mark.parametrize("seed", range(7))
def test_what_a_seat_cannot_know_changes_nothing_that_it_is_shown(kind: str, seed: int) -> None:
    draw = Random(f"secrets {seed}")
    t = made(kind, seed)
    for number, word in enumerate(play(t, draw, undo=0)):
        if word == OVER or (number > 12 and not t.waiting_on):
            break
    if t.waiting_on:
        return
    for seat in ("ann", "bo", "cy"):
        for vary in VARY:
            other = vary(t.state, seat, draw)
            if other is not None:
                check_secrets(t.state, other, seat, draw, limit=2000)


def test_metres_are_exact() -> None:
    assert isinstance(off_map_state("zones", 1).actors["hero0"].spent, Fraction)
