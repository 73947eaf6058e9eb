"""Scripted scenes that stop at every kind of question, for tests that interrupt them; each step is one input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scenes import answer, character, scene

import turnwright as tw
from turnwright.systems.narateer.events import Perceived, SearchBegun

Step = Callable[[tw.Table], Any]
THICKET = {",": {"name": "thicket", "conceals": ["sight"]}}
SEATS = [{"id": "ann"}, {"id": "bo"}, {"id": "cy"}]


def declare(actor: str, action: str, **said: Any) -> Step:
    return lambda t: t.declare(actor, action, **said)


def interject(actor: str, action: str, **said: Any) -> Step:
    return lambda t: t.interject(actor, action, **said)


def give(value: Any, kind: str = "", who: str = "", **keys: Any) -> Step:
    """Answer the first open question that has no draft yet: of a kind, and of a seat."""

    def step(t: tw.Table) -> Any:
        if not who:
            return answer(t, value, kind, **keys)
        found = next(q for q in t.waiting_on if q.who == who and kind in ("", q.kind))
        return t.answer(found, value, **keys)

    return step


def override(changes: Any) -> Step:
    return lambda t: t.override(changes, "so the guide says")


class Journey:
    """A scene with the inputs that play it."""

    def __init__(self, characters: list[dict[str, Any]], *steps: Step, options: dict[str, Any], **keys: Any) -> None:
        self.start = scene(*characters, seats=SEATS, **keys)
        self.steps = steps
        self.options = options

    def table(self) -> tw.Table:
        return tw.Table(self.start, **({"seed": 7} | self.options))

    def played(self, first: int | None = None) -> tw.Table:
        """The table after the first steps, or after all of them."""
        table = self.table()
        for step in self.steps[:first]:
            step(table)
        return table

    def finish(self, table: tw.Table, done: int) -> tw.Table:
        for step in self.steps[done:]:
            step(table)
        return table


def hiding() -> Journey:
    """Everybody commits at once, sealed; an ally helps; the dice are real."""
    return Journey(
        [
            character("selka", "heroes", (1, 1), skills={"stealth": 2}, seat="ann"),
            character("bo", "heroes", (1, 2), skills={"stealth": 1}, seat="bo"),
            character("guard", "guards", (6, 1), skills={"observation": 2}, seat="cy"),
            character("dog", "guards", (6, 2), readiness={"observation": 6}),
        ],
        override([SearchBegun("", "guard", by_word=True)]),
        declare("selka", "begin"),
        declare("selka", "hide", method="crouch"),
        give(1, "commit", "cy"),
        interject("bo", "assist", method="throw a stone the other way"),
        give(2, "commit", "cy"),
        give(1, "commit", "ann"),
        give((1, 4, 6), "roll", "ann"),
        give(7, "roll", "cy"),
        declare("selka", "end"),
        rows=[".,......", ".,......", "........"],
        legend=THICKET,
        options={"dice": "table"},
    )


def attempting() -> Journey:
    """The guide asks what is meant, rules, and warns; the actor confirms and commits; the engine throws."""
    check = {"kind": "check", "skill": "athletics", "target": 6, "success": "over it", "failure": "falls"}
    return Journey(
        [
            character("selka", "heroes", (1, 1), skills={"athletics": 3}, seat="ann"),
            character("guard", "guards", (6, 1), seat="cy"),
        ],
        declare("selka", "begin"),
        declare("selka", "attempt", intent="over the wall", method="somehow"),
        give("unclear", "rule"),
        give(("over the wall", "climb by the ivy"), "clarify"),
        give(check | {"warning": "the ivy is old"}, "rule"),
        give(2, "commit"),
        declare("selka", "attempt", intent="shout", method="loudly"),
        give({"kind": "automatic", "tier": "minor", "success": "everybody looks up"}, "rule"),
        give("yes", "confirm"),
        declare("selka", "attempt", intent="fly", method="flap"),
        give({"kind": "impossible", "obstacle": "no wings"}, "rule"),
        declare("selka", "attempt", intent="dig", method="with bare hands"),
        give(check, "rule"),
        give(tw.Withdraw, "commit"),
        declare("selka", "end"),
        options={},
    )


def passing() -> Journey:
    """A walk past two who may strike, a few Spaces long: who reacts, in which order, and what is answered to it."""

    return Journey(
        [
            character("selka", "heroes", (1, 2), skills={"melee": 1}, weapons=[{"name": "sword"}], seat="ann", bears=9),
            character("guard", "guards", (3, 1), skills={"melee": 2}, weapons=[{"name": "sword"}], seat="bo", bears=9),
            character(
                "captain", "guards", (4, 3), skills={"melee": 2}, weapons=[{"name": "sword"}], seat="cy", bears=9
            ),
        ],
        declare("selka", "begin"),
        declare("selka", "walk", route=[(2, 2), (3, 2), (4, 2), (5, 2)]),
        give(("0", 1), "choose", "bo"),
        give("pass", "choose", "cy"),
        give("pass", "choose", "bo"),
        give("0", "choose", "cy"),
        declare("selka", "end"),
        declare("guard", "begin"),
        declare("guard", "attack", target="captain", boost=0, overrule="a quarrel", seat="guide"),
        give("no_response", "choose", "cy"),
        declare("guard", "end"),
        options={},
    )


def ordering() -> Journey:
    """Two react to the same step, and the guide says who is first; an override comes in the middle."""

    return Journey(
        [
            character("selka", "heroes", (2, 2), weapons=[{"name": "sword"}], seat="ann", bears=9),
            character("guard", "guards", (3, 1), skills={"melee": 2}, weapons=[{"name": "sword"}], seat="bo", bears=9),
            character(
                "captain", "guards", (3, 3), skills={"melee": 2}, weapons=[{"name": "sword"}], seat="cy", bears=9
            ),
        ],
        declare("selka", "begin"),
        declare("selka", "run", route=[(3, 2), (4, 2), (5, 2)]),
        give("0", "choose", "cy"),
        override({"guard.ready": 3}),
        give("0", "choose", "bo"),
        give("0", "choose", "cy"),
        give(["captain", "guard"], "order"),
        give("pass", "choose", "bo"),
        give("pass", "choose", "cy"),
        declare("selka", "end"),
        options={},
    )


def searching() -> Journey:
    """A search that the guide rules on, of a thicket in which somebody hides; a stranger is run into."""
    return Journey(
        [
            character("selka", "heroes", (4, 1), skills={"stealth": 5}, readiness={"stealth": 3}, seat="ann"),
            character("guard", "guards", (1, 1), skills={"observation": 1}, seat="cy"),
        ],
        override([Perceived("", "selka", "guard", clear=False)]),
        declare("selka", "begin"),
        declare("selka", "hide", method="lie flat", boost=3),
        declare("selka", "end"),
        declare("guard", "begin"),
        declare("guard", "search", at=(3, 1), method="look"),
        give({"kind": "check", "failure": "time passes"}, "rule"),
        give(0, "commit"),
        override([Perceived("", "selka", "guard")]),
        declare("guard", "end"),
        rows=["........", "....,...", "........"],
        legend=THICKET,
        options={},
    )


JOURNEYS: dict[str, Callable[[], Journey]] = {
    "hiding": hiding,
    "attempting": attempting,
    "passing": passing,
    "ordering": ordering,
    "searching": searching,
}
