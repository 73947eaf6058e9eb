"""Being revealed: by clear view, by a clue, by a search, after an attack; each time to one creature."""

from __future__ import annotations

from typing import Any

import pytest
from scenes import answer, character, happened, hidden_from, question, ready, recorded, refused
from shadows import (
    ANNEX,
    CHECK,
    STRIP,
    along,
    at,
    attentive,
    checks,
    codes,
    distract,
    grove,
    guard,
    hears_of,
    hide,
    hider,
    house,
    remembers,
    rules,
    turn,
)

import turnwright as tw
from turnwright.systems.narateer.events import (
    CluePerceived,
    ExchangeBegun,
    ExchangeEnded,
    Hidden,
    Looking,
    Perceived,
    Revealed,
    Wounded,
)

BOW = {"name": "bow", "kind": "ranged", "wounds": 1}
KNIFE = {"name": "knife", "kind": "melee", "wounds": 1}
SPELL = {"kind": "automatic", "success": "thunder rolls", "ad": 2, "reveals": True}


def hidden(*guards: dict[str, Any], total: int = 15, dice: tuple[Any, ...] = (), **keys: Any) -> tw.Table:
    """Selka, hidden with a total from everybody who is given."""
    ann = {name: keys.pop(name) for name in ("weapons", "items", "ad") if name in keys}
    t = grove(hider(**ann), *guards, dice=(total, *dice), **keys)
    hide(t)
    return t


def noise(t: tw.Table, clear: bool, metres: int = 20, who: str = "selka") -> None:
    t.declare(who, "make_noise", clear="yes" if clear else "no", range=metres)
    if any(q.kind == "confirm" for q in t.waiting_on):
        answer(t, True, "confirm")


# -- how it ends


@pytest.mark.rule("narateer.reveal.how-it-ends", "narateer.search.versus-recorded-total")
def test_case_20_a_search_and_clear_view_each_end_it_for_one_creature() -> None:
    t = house(hider((1, 0)), guard("a", (4, 0), 5), guard("b", (4, 2), 5, weapons=[BOW]), dice=(12, 13))
    hide(t)
    assert hidden_from(t, "selka") == {"a", "b"}
    turn(t, "a")
    t.declare("a", "search", place="loft", method="poke the straw", boost=0)
    answer(t, CHECK)
    assert hidden_from(t, "selka") == {"b"}, "no flag is cleared for all"
    turn(t, "b")
    assert codes(t.explain("b", "attack", target="selka")) == {"NO_PRECISE_LOCATION"}
    t.override([Perceived("", "selka", "b", clear=True)], "b holds up a lantern")
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.reveal.clear-view-immediate", "narateer.reveal.how-it-ends")
def test_the_metre_into_clear_view_reveals_at_once_without_a_roll() -> None:
    gap = [row[:7] + "." + row[8:] if y == 4 else row for y, row in enumerate(STRIP)]
    t = grove(hider((5, 4)), guard(score=12), rows=gap, dice=(20,))
    hide(t)
    t.declare("selka", "run", route=along(6, 7, 8))
    answer(t, True, "confirm")
    log = [event for entry in t.live for event in entry.events]
    (revealed,) = happened(t, Revealed)
    steps = [e.at for e in log if type(e).__name__ == "Moved"]
    before = [e.at for e in log[: log.index(revealed)] if type(e).__name__ == "Moved"]
    assert (before, steps) == ([(6, 4), (7, 4)], [(6, 4), (7, 4), (8, 4)])
    assert hidden_from(t, "selka") == set()
    assert checks(t) == 1, "only the Hide itself was rolled, and 20 does not help"


# -- clues


@pytest.mark.rule("narateer.reveal.unambiguous-clue")
def test_a_clear_sound_reveals_to_whom_it_reaches_and_to_nobody_else() -> None:
    t = hidden(guard("near", (4, 0), 5), guard("far", (24, 0), 5), total=20)
    noise(t, clear=True, metres=10)
    assert hidden_from(t, "selka") == {"far"}
    assert checks(t) == 1
    assert [(c.by, c.clear) for c in happened(t, CluePerceived)] == [("near", True)]


@pytest.mark.rule("narateer.reveal.unambiguous-clue")
def test_the_deaf_hear_nothing() -> None:
    t = hidden(guard(score=5, senses={"sight": 0}), total=20)
    noise(t, clear=True)
    assert hidden_from(t, "selka") == {"guard"}


@pytest.mark.rule("narateer.reveal.unambiguous-clue")
def test_a_clear_sound_gives_away_a_hide_that_still_waits() -> None:
    t = grove(hider(), guard(at=(28, 4), score=0), rows=ANNEX)
    hide(t)
    noise(t, clear=True, metres=60)
    t.override({"guard.at": [24, 0]}, "he comes to look")
    assert hidden_from(t, "selka") == set()
    assert checks(t) == 0


@pytest.mark.rule("narateer.reveal.unambiguous-clue")
def test_the_range_is_a_number_of_metres() -> None:
    t = hidden(guard(score=5))
    assert "RANGE" in codes(t.explain("selka", "make_noise", clear="yes", range=-5))
    assert "CLEAR" in codes(t.explain("selka", "make_noise", clear="perhaps"))


@pytest.mark.rule("narateer.reveal.ambiguous-clue")
@pytest.mark.parametrize(("total", "located"), [(15, True), (14, False), (13, False)])
def test_a_clue_that_is_followed_is_one_roll_against_the_record(total: int, located: bool) -> None:
    t = hidden(guard(score=12, ad=1), total=14, dice=(total,))
    noise(t, clear=False)
    assert hidden_from(t, "selka") == {"guard"}, "a chance of discovery reveals nobody by itself"
    asked = question(t, "choose")
    assert asked.actor == "guard"
    answer(t, "0")
    assert (hidden_from(t, "selka") == set()) is located
    assert ready(t, "guard") == 0
    assert checks(t, "stealth") == 1


@pytest.mark.rule("narateer.reveal.ambiguous-clue")
def test_whoever_does_not_follow_the_clue_stays_fooled_without_a_roll() -> None:
    t = hidden(guard(score=12), total=14)
    noise(t, clear=False)
    answer(t, "pass")
    assert hidden_from(t, "selka") == {"guard"}
    assert (ready(t, "guard"), checks(t)) == (6, 1)


@pytest.mark.rule("narateer.reveal.ambiguous-clue")
def test_whoever_cannot_pay_or_perceives_no_clue_is_not_asked() -> None:
    t = hidden(guard("poor", (4, 0), 12, ready=0), guard("far", (24, 0), 12), total=14)
    noise(t, clear=False)
    assert t.waiting_on == ()
    assert hidden_from(t, "selka") == {"poor", "far"}


@pytest.mark.rule("narateer.reveal.ambiguous-clue")
def test_following_can_be_boosted_and_takes_no_use_in_anothers_activation() -> None:
    t = hidden(guard(score=5, skills={"observation": 2}), total=14, dice=(15,))
    noise(t, clear=False)
    assert "narateer.boost.cap-is-skill-level" in refused(lambda: answer(t, ("0", 3)))
    answer(t, ("0", 2))
    assert ready(t, "guard") == 3
    assert t.state.actors["guard"].uses == {}


@pytest.mark.rule("narateer.reveal.ambiguous-clue")
def test_a_clue_found_in_ones_own_activation_takes_a_use() -> None:
    t = hidden(guard(score=5), total=14, dice=(13,))
    turn(t, "guard")
    noise(t, clear=False)
    answer(t, "0")
    assert t.state.actors["guard"].uses == {"observation": 1}


@pytest.mark.rule("narateer.reveal.ambiguous-clue", "narateer.hide.active-looking-definition")
def test_whoever_follows_a_clue_looks_for_the_one_who_left_it_and_learns_nothing_of_where() -> None:
    t = hidden(guard(score=5, seat="gus"), total=14, dice=(13,))
    noise(t, clear=False)
    answer(t, "0")
    search = t.state.relation(Looking, "guard", "guard")
    assert search is not None
    assert (search.trail, search.total) == ("selka", 13)
    seen = str(t.view("gus"))
    assert "selka" not in seen
    assert "(4, 4)" not in seen


@pytest.mark.rule("narateer.reveal.ambiguous-clue")
def test_an_unclear_sound_does_not_say_who_made_it() -> None:
    t = hidden(guard(score=5, seat="gus", ready=0))
    noise(t, clear=False)
    (heard,) = (event for event in t.news("gus") if isinstance(event, CluePerceived))
    assert heard.actor == "somebody"
    assert "selka" not in t.knows("gus").actors


@pytest.mark.rule("narateer.reveal.ambiguous-clue", "narateer.hide.deferred-resolution")
def test_an_unclear_sound_settles_a_hide_that_waits_against_whom_it_reaches() -> None:
    wall = [row[:26] + "#" + row[27:] for row in STRIP]
    t = grove(hider(skills={}), guard(at=(28, 4), score=5), rows=wall, dice=(6,))
    hears_of(t, "guard")
    hide(t)
    assert checks(t) == 0
    noise(t, clear=False, metres=60)
    answer(t, "pass")
    assert checks(t) == 1
    assert hidden_from(t, "selka") == {"guard"}


# -- attacks


@pytest.mark.rule("narateer.reveal.attack-after-exchange")
@pytest.mark.parametrize(("roll", "hits"), [(9, True), (1, False)])
def test_an_attack_reveals_to_its_target_after_the_exchange_and_not_before(roll: int, hits: bool) -> None:
    target = guard("t", (4, 0), 12)
    t = hidden(target, weapons=[dict(BOW)], dice=((1,) if not hits else roll,), by_hand=())
    t.declare("selka", "attack", target="t", boost=0)
    assert hidden_from(t, "selka") == {"t"}, "declared"
    answer(t, True, "confirm")
    assert hidden_from(t, "selka") == {"t"}, "committed"
    assert len(happened(t, ExchangeBegun)) == 1
    answer(t, "no_response")
    assert bool(happened(t, Wounded)) is hits
    assert hidden_from(t, "selka") == set()
    log = [event for entry in t.live for event in entry.events]
    (revealed,) = happened(t, Revealed)
    (ended,) = happened(t, ExchangeEnded)
    assert log.index(ended) < log.index(revealed)


@pytest.mark.rule("narateer.reveal.attack-after-exchange")
def test_whoever_was_attacked_may_react_because_the_reveal_comes_first() -> None:
    power = {
        "name": "Retort",
        "parts": [{"trigger": "exchange_resolved", "reaction": True, "strike": True, "ad": 1}],
    }
    t = hidden(guard("t", (4, 0), 12, weapons=[dict(BOW)], powers=[power]), weapons=[dict(BOW)], dice=((1,), (1,)))
    t.declare("selka", "attack", target="t", boost=0)
    answer(t, True, "confirm")
    answer(t, "no_response")
    assert hidden_from(t, "selka") == set()
    assert question(t, "choose").actor == "t"


@pytest.mark.rule("narateer.reveal.exposed-approach-earlier")
def test_an_approach_over_open_ground_reveals_before_the_exchange() -> None:
    t = grove(hider((4, 4), weapons=[dict(KNIFE)]), guard("t", (4, 0), 5, weapons=[dict(KNIFE)]), dice=(15,))
    hide(t)
    t.declare("selka", "walk", route=[(4, 3), (4, 2), (4, 1)])
    answer(t, True, "confirm")
    log = [event for entry in t.live for event in entry.events]
    (revealed,) = happened(t, Revealed)
    steps = [e.at for e in log[: log.index(revealed)] if type(e).__name__ == "Moved"]
    assert steps == [(4, 3)], "with the first exposed metres"
    assert hidden_from(t, "selka") == set()
    t.declare("selka", "attack", target="t", boost=0)
    assert any(option.startswith("clash") for option in question(t, "choose").options), "nobody is unseen here"


@pytest.mark.rule("narateer.reveal.attack-bystanders")
@pytest.mark.parametrize("sees", [False, True])
def test_case_21_a_bystander_learns_what_its_own_senses_allow(sees: bool) -> None:
    t = hidden(guard("t", (4, 0), 12), guard("b", (6, 0), 12), weapons=[dict(BOW)], dice=((1,),))
    t.declare("selka", "attack", target="t", boost=0)
    answer(t, True, "confirm")
    asked = question(t, "choose")
    assert "full_guard" in asked.options
    assert not any(option.startswith("clash") for option in asked.options)
    if sees:
        t.override([Perceived("", "selka", "b", clear=True)], "b sees the flash of the string")
    answer(t, "no_response")
    assert hidden_from(t, "selka") == (set() if sees else {"b"})
    assert remembers(t, "b") is None or sees


# -- what gives one away besides


@pytest.mark.rule("narateer.reveal.by-side-effects")
def test_a_whisper_gives_nobody_away_and_a_loud_spell_does_to_whom_it_reaches() -> None:
    t = hidden(guard("g", (4, 0), 5), guard("d", (24, 0), 5))
    noise(t, clear=True, metres=0)
    assert hidden_from(t, "selka") == {"g", "d"}
    noise(t, clear=True, metres=12)
    assert hidden_from(t, "selka") == {"d"}
    assert checks(t) == 1


@pytest.mark.rule("narateer.reveal.by-side-effects")
def test_calling_out_to_ones_friends_is_heard_by_others_too() -> None:
    t = hidden(guard("g", (4, 0), 5), guard("d", (24, 0), 5))
    assert t.explain("selka", "call_out", target="g", range=12).warnings
    t.declare("selka", "call_out", target="g", range=12)
    answer(t, True, "confirm")
    assert hidden_from(t, "selka") == {"d"}


@pytest.mark.rule("narateer.reveal.by-side-effects")
def test_equipment_gives_away_what_it_lets_others_hear() -> None:
    horn = {"name": "horn", "ad": 0, "procedure": "it is blown", "noise": "clear"}
    rope = {"name": "rope", "ad": 0, "procedure": "it is tied"}
    t = hidden(guard(score=5), items=[rope, horn])
    t.declare("selka", "use", using="rope", intent="have it tied")
    assert hidden_from(t, "selka") == {"guard"}
    t.declare("selka", "use", using="horn", intent="be heard")
    answer(t, True, "confirm")
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.reveal.by-side-effects", "narateer.reveal.how-it-ends")
def test_an_attempt_that_gives_one_away_reveals_only_to_those_who_could_notice() -> None:
    t = hidden(guard("g", (4, 0), 5), guard("d", (24, 0), 5, senses={"sight": 0}))
    t.override({"d.senses": {"hearing": 1}}, "d has no way to notice any more")
    t.declare("selka", "attempt", intent="frighten them", method="cast thunder", boost=0)
    answer(t, SPELL)
    answer(t, True, "confirm")
    assert hidden_from(t, "selka") == {"d"}


@pytest.mark.rule("narateer.reveal.by-side-effects")
@pytest.mark.parametrize("contact", [False, True])
def test_a_shove_from_hiding_reveals_when_it_is_resolved_if_it_gives_one_away(contact: bool) -> None:
    t = hidden(guard(score=12), dice=(9,))
    t.declare("selka", "attempt", intent="tip the barrel over", method="push it with a pole", boost=0)
    agreed = {"kind": "check", "skill": "athletics", "target": 5, "success": "over", "failure": "not"}
    answer(t, agreed | {"reveals": contact})
    assert hidden_from(t, "selka") == {"guard"}
    answer(t, True, "confirm")
    assert hidden_from(t, "selka") == (set() if contact else {"guard"})


@pytest.mark.rule("narateer.reveal.warn-before-commit")
def test_an_obvious_consequence_is_said_before_anything_is_committed() -> None:
    t = hidden(guard(score=5), ad=5)
    assert ready(t, "selka") == 4
    t.declare("selka", "attempt", intent="frighten them", method="cast thunder", boost=0)
    answer(t, SPELL)
    asked = question(t, "confirm")
    assert asked.who == "ann"
    assert asked.question.warnings == ("this plainly gives away where you are",)
    assert ready(t, "selka") == 4
    assert hidden_from(t, "selka") == {"guard"}
    answer(t, True)
    assert ready(t, "selka") == 2
    assert hidden_from(t, "selka") == set()


@pytest.mark.rule("narateer.reveal.warn-before-commit")
def test_after_a_warning_one_can_think_better_of_it_for_nothing() -> None:
    t = hidden(guard(score=5), ad=5)
    t.declare("selka", "attempt", intent="frighten them", method="cast thunder", boost=0)
    answer(t, SPELL)
    answer(t, tw.Withdraw)
    assert ready(t, "selka") == 4
    assert hidden_from(t, "selka") == {"guard"}


@pytest.mark.rule("narateer.reveal.warn-before-commit")
@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("make_noise", {"clear": "yes"}),
        ("attack", {"target": "guard", "boost": 0}),
        ("walk", {"route": [(4, 3)]}),
        ("sprint", {"route": along(5), "skill": "athletics"}),
    ],
)
def test_whatever_plainly_reveals_warns_of_it(action: str, said: dict[str, Any]) -> None:
    t = hidden(guard(score=5), weapons=[dict(BOW)])
    assert t.explain("selka", action, **said).warnings


# -- and then


@pytest.mark.rule("narateer.reveal.must-hide-again")
def test_cover_alone_does_not_bring_hiding_back_and_the_old_total_is_gone() -> None:
    t = hidden(guard(score=5), total=14, dice=(9,))
    t.declare("selka", "walk", route=[(4, 3)])
    answer(t, True, "confirm")
    assert hidden_from(t, "selka") == set()
    t.declare("selka", "walk", route=[(4, 4)])
    assert hidden_from(t, "selka") == set()
    assert recorded(t, "selka") is None
    assert rules(t.explain("selka", "hide", method="duck")) == {"narateer.hide.out-of-sight-is-not-hidden"}
    t.declare("selka", "walk", route=along(5))
    before = ready(t, "selka")
    hide(t)
    assert hidden_from(t, "selka") == {"guard"}
    assert ready(t, "selka") == before - 1
    assert t.state.actors["selka"].uses["stealth"] == 2
    assert [h.total for h in t.state.related(Hidden, "selka")] == [9]


@pytest.mark.rule("narateer.reveal.must-hide-again")
def test_a_distraction_will_do_as_well() -> None:
    t = hidden(guard(score=5), total=14, dice=(9,))
    noise(t, clear=True)
    assert hidden_from(t, "selka") == set()
    assert t.explain("selka", "hide", method="duck").verdict == "illegal"
    distract(t, "guard")
    hide(t)
    attentive(t, "guard")
    assert hidden_from(t, "selka") == {"guard"}
    assert recorded(t, "selka") == 9


@pytest.mark.rule("narateer.reveal.must-hide-again")
def test_whoever_has_found_the_hider_is_not_fooled_by_what_still_fools_others() -> None:
    t = hidden(guard("a", (4, 0), 5), guard("b", (8, 0), 5), total=14)
    t.override([Perceived("", "selka", "a", clear=True)], "a holds up a lantern")
    t.override([Perceived("", "selka", "a")], "and lowers it")
    t.declare("selka", "walk", route=along(5, 6))
    assert hidden_from(t, "selka") == {"b"}
    assert recorded(t, "selka") == 14
    assert at(t) == (6, 4)


@pytest.mark.rule("narateer.reveal.attack-after-exchange", "narateer.reveal.attack-bystanders")
def test_case_21_the_target_is_fooled_until_the_end_and_nobody_else_is_told() -> None:
    friend = character("bo", "heroes", (1, 8))
    t = hidden(guard("t", (4, 0), 12), guard("b", (24, 0), 12, seat="bea"), friend, weapons=[dict(BOW)], dice=((1,),))
    before = t.news("bea")
    t.declare("selka", "attack", target="t", boost=0)
    answer(t, True, "confirm")
    answer(t, "no_response")
    assert hidden_from(t, "selka") == {"b"}
    assert "selka" not in str(t.news("bea")[len(before) :])
