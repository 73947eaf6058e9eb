"""What may be said of an action: what it lists, of the kind that it lists; anything else is refused beforehand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scenes import answer, character, question, ready, table

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
        made.override([], "nothing")
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
