"""What may be said of an action: what it lists, of the kind that it lists; anything else is refused beforehand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scenes import answer, character, question, ready, scene_text, table

import turnwright as tw
from turnwright.cli.words import Unclear, read_words
from turnwright.testing import said

EXAMPLES = sorted(Path(__file__).parent.parent.glob("examples/*/*.yaml"))


def scene(**keys: Any) -> tw.Table:
    return table(
        character("selka", "heroes", (1, 1), skills={"stealth": 2, "athletics": 1}, conditions=["prone"]),
        character("bo", "heroes", (1, 2)),
        character("guard", "guards", (2, 1)),
        begin="selka",
        **keys,
    )


def refusal(call: Any) -> tw.Refusal:
    with pytest.raises(tw.Refused) as caught:
        call()
    return caught.value.refusals[0]


@pytest.mark.parametrize(
    ("action", "name", "meant"),
    [
        ("attempt", "skil", "skill"),
        ("attempt", "methd", "method"),
        ("attack", "wepon", "weapon"),
        ("attack", "tagret", "target"),
        ("walk", "rute", "route"),
        ("hide", "bost", "boost"),
        ("sprint", "skll", "skill"),
        ("stand", "conditon", "condition"),
        ("use_power", "powr", "power"),
        ("cast", "spel", "spell"),
        ("search", "plce", "place"),
    ],
)
def test_a_name_that_is_not_listed_is_refused_with_the_one_that_is_meant(action: str, name: str, meant: str) -> None:
    made = scene()
    before = made.state
    for ask in (made.declare, made.explain, made.odds):
        found = refusal(lambda ask=ask: ask("selka", action, **{name: "x"}))
        assert found.code == "UNKNOWN_PARAMETER"
        assert f"takes no {name!r}; did you mean {meant}?" in found.text
    assert made.state is before
    assert not made.waiting_on


def test_a_name_like_nothing_is_told_what_there_is() -> None:
    found = refusal(lambda: scene().declare("selka", "end", zzz=1))
    assert found.text == "end takes no 'zzz'; it takes intent, method, boost"


def test_a_target_and_a_route_are_said_only_where_they_mean_something() -> None:
    made = scene()
    assert refusal(lambda: made.declare("selka", "hide", method="lie flat", target="guard")).code == "UNKNOWN_PARAMETER"
    assert refusal(lambda: made.declare("selka", "attack", route=[(1, 2)])).code == "UNKNOWN_PARAMETER"


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("attempt", {"skill": 5}),
        ("attempt", {"ad": "two"}),
        ("attack", {"target": 3}),
        ("attack", {"target": "guard", "weapon": 1}),
        ("affect_area", {"at": "there"}),
        ("walk", {"route": [1, 2]}),
        ("use_power", {"power": "x", "part": "first"}),
        ("make_noise", {"clear": 7}),
        ("search", {"place": 7}),
    ],
)
def test_a_value_of_another_kind_is_refused(action: str, said: dict[str, Any]) -> None:
    made = scene()
    before = made.state
    assert refusal(lambda: made.declare("selka", action, **said)).code == "BAD_DECLARATION"
    assert made.state is before


def test_nothing_said_is_nothing_wrong() -> None:
    scene().declare("selka", "attempt", intent="up", method="jump", skill=None, weapon="", route=())


def test_an_attempt_may_say_what_another_procedure_would_need() -> None:
    """The guide may find that a procedure governs it; that one's weapon, place or spell is not a slip of the pen."""
    made = scene(dice=(1,))
    means = {"method": "swing at him", "target": "guard", "weapon": "unarmed"}
    made.declare("selka", "attempt", intent="hurt him", boost=0, **means)
    answer(made, {"kind": "procedure", "procedure": "attack"}, kind="rule")
    answer(made, "yes", kind="confirm")
    assert ready(made, "selka") < made.start.actors["selka"].ready


def test_interjections_are_read_alike() -> None:
    made = scene()
    made.declare("selka", "attempt", intent="over it", method="climb the wall")
    answer(made, {"kind": "check", "skill": "athletics", "target": 4, "success": "over", "failure": "falls"})
    assert question(made).kind == "commit"
    assert "did you mean method?" in refusal(lambda: made.interject("bo", "assist", metod="hold still")).text
    made.interject("bo", "assist", method="hold still", target="selka")


@pytest.mark.parametrize("name", ["settle", "obstacle"])
def test_what_the_rules_do_of_themselves_nobody_declares(name: str) -> None:
    made = scene()
    found = refusal(lambda: made.declare("selka", name))
    assert found.code == "NOT_DECLARED"
    assert name not in [offer.action for offer in made.offers("selka") if offer.verdict != "illegal"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_everything_that_is_offered_can_be_said(path: Path) -> None:
    made = tw.Table(tw.load_scene(path), seed=1)
    for actor in list(made.state.actors):
        for offer in made.offers(actor):
            again = made.explain(actor, offer.action, **said(offer.declaration))
            assert again.action == offer.action


def test_the_terminal_takes_no_slip_either() -> None:
    made = scene()
    listed = next(offer.parameters for offer in made.offers("selka") if offer.action == "attempt")
    with pytest.raises(Unclear, match="no 'skil' to say here; did you mean skill"):
        read_words(listed, made.state, "get over method=climb skil=athletics")
    assert read_words(listed, made.state, "get over method=climb skill=athletics") == {
        "intent": "get over",
        "method": "climb",
        "skill": "athletics",
    }
    assert "ad" not in read_words(listed, made.state, "jump over 3 barrels")  # what is said only by its name


# -- what is of the wrong kind


@pytest.mark.parametrize("wrong", [None, 1, ["selka"], {"a": 1}, 3.5, b"selka"])
def test_what_is_no_text_is_refused_in_words(wrong: object) -> None:
    made = scene()
    calls = [
        lambda: made.declare(wrong, "walk", to="1,2"),  # type: ignore[arg-type]
        lambda: made.declare("selka", wrong),  # type: ignore[arg-type]
        lambda: made.explain(wrong, "walk"),  # type: ignore[arg-type]
        lambda: made.interject("bo", wrong, method="x"),  # type: ignore[arg-type]
        lambda: made.offers(wrong),  # type: ignore[arg-type]
        lambda: made.odds(wrong, "walk"),  # type: ignore[arg-type]
        lambda: made.knows(wrong),  # type: ignore[arg-type]
        lambda: made.view(wrong),  # type: ignore[arg-type]
        lambda: made.news(wrong),  # type: ignore[arg-type]
        lambda: made.revoke(wrong, "x"),  # type: ignore[arg-type]
    ]
    for call in calls:
        assert "is text; got" in refusal(call).text
    if wrong is not None:
        assert "seat is text" in refusal(lambda: made.declare("selka", "walk", seat=wrong, to="1,2")).text  # type: ignore[arg-type]
    assert "say which question" in refusal(lambda: made.answer(wrong, 1)).text  # type: ignore[arg-type]
    assert "needs a reason" in refusal(lambda: made.override({"selka.ready": 3}, wrong)).text  # type: ignore[arg-type]
    assert "needs a reason" in refusal(lambda: made.revoke("attempt: x", wrong)).text  # type: ignore[arg-type]
    assert "overrule is text" in refusal(lambda: made.declare("selka", "walk", overrule=wrong)).text  # type: ignore[arg-type]
    assert made.log == made.log[:1]


def test_what_others_decide_and_do_is_said_in_one_way_only() -> None:
    made = scene()
    ask = {"target": "guard", "weapon": "unarmed"}
    assert "answers are" in refusal(lambda: made.odds("selka", "attack", answers="x", **ask)).text  # type: ignore[arg-type]
    assert "answers are" in refusal(lambda: made.odds_by_answer("selka", "attack", answers=1, **ask)).text  # type: ignore[arg-type]
    assert "interject is" in refusal(lambda: made.odds("selka", "attack", interject="bo", **ask)).text  # type: ignore[arg-type]
    assert "interject is" in refusal(lambda: made.odds("selka", "attack", interject=[("bo",)], **ask)).text  # type: ignore[list-item]


@pytest.mark.parametrize("wrong", [[], "x", 3.5, -1])
def test_how_far_odds_are_followed_is_a_whole_number(wrong: object) -> None:
    made = scene()
    ask = {"target": "guard", "weapon": "unarmed"}
    assert "limit is a whole number" in refusal(lambda: made.odds("selka", "attack", limit=wrong, **ask)).text  # type: ignore[arg-type]
    assert "sample is a whole number" in refusal(lambda: made.odds("selka", "attack", sample=wrong, **ask)).text  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="until is a function"):
        made.odds("selka", "attack", until=wrong, **ask)  # type: ignore[arg-type]
    if not isinstance(wrong, str):
        assert "by is text" in refusal(lambda: made.compare("selka", "attack", wrong, **ask)).text  # type: ignore[arg-type]


@pytest.mark.parametrize("nothing", [[], {}, ()])
def test_an_override_that_changes_nothing_is_no_entry(nothing: object) -> None:
    made = scene()
    before = len(made.log)
    assert "nothing in it to change" in refusal(lambda: made.override(nothing, "x")).text  # type: ignore[arg-type]
    assert len(made.log) == before


def test_a_boost_below_nothing_is_called_so() -> None:
    made = scene()
    assert "below 0" in refusal(lambda: made.declare("selka", "attack", target="guard", boost=-1)).text
    made.declare("selka", "attack", target="guard", weapon="unarmed")
    text = refusal(lambda: answer(made, -1, kind="commit")).text
    assert "below 0" in text
    assert "above" not in text


def test_a_table_of_a_mode_that_there_is_not_is_not_opened() -> None:
    start = scene().start
    for name in ("mode", "windows", "rulings"):
        with pytest.raises(ValueError, match=f"{name} is one of"):
            tw.Table(start, **{name: "enforced"})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="what load_scene gives"):
        tw.Table("scene.yaml")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="read from text"):
        tw.read_scene(None)  # type: ignore[arg-type]


# -- what a scene file may not say


def problem(text: str) -> str:
    with pytest.raises(tw.BadScene) as found:
        tw.read_scene(text, "x.yaml")
    return str(found.value)


@pytest.mark.parametrize("seat", ["guide", "spectator"])
def test_no_seat_is_called_like_the_guide_or_a_spectator(seat: str) -> None:
    text = scene_text(character("selka", "heroes", (1, 1)), seats=[{"id": seat}])
    assert f"seats[0].id: expected another name; guide and spectator are taken, got '{seat}'" in problem(text)
    twice = scene_text(character("selka", "heroes", (1, 1)), seats=[{"id": "ann"}, {"id": "ann"}])
    assert "seats[1].id: expected a name that no other seat has, got 'ann'" in problem(twice)


def test_a_slip_in_what_is_barred_is_a_problem() -> None:
    spells = [{"name": "step", "requires": ["free hand"]}]

    def barring(item: str, condition: str) -> str:
        selka = character("selka", "heroes", (1, 1), spells=spells, items=[{"name": "shield", "bars": [item]}])
        return scene_text(selka, conditions={"bound": {"bars": [condition]}})

    assert "items[0].bars[0]" in problem(barring("fre hand", "hide"))
    assert 'did you mean "free hand"?' in problem(barring("fre hand", "hide"))
    assert "conditions.bound.bars[0]" in problem(barring("free hand", "hidee"))
    assert 'did you mean "hide"?' in problem(barring("free hand", "hidee"))
    assert tw.read_scene(barring("free hand", "speech"))


def test_a_game_that_there_is_not_is_told_from_those_that_there_are() -> None:
    told = problem("system: zzz\ntitle: x\n")
    assert "system: expected one of the games: " in told
    assert "narateer" in told
    assert "no game is called" not in problem("system: zzz\ntitle: x\n")
    assert 'did you mean "narateer"?' in problem("system: naratear\ntitle: x\n")
