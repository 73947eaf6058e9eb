"""The duel as a table plays it: every Response, a blow in the middle of a route, and the answer to an attack.

All dice are rolled by hand, and at every question the table is saved, loaded, undone and redone before it goes on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scenes import acted, answer, happened, question, ready, refused

import turnwright as tw
from turnwright.systems.narateer.events import Checked, ExchangeEnded, PowerUsed, Responded

DUEL = Path(__file__).parent.parent / "examples" / "narateer" / "duel.yaml"


class Duel:
    """A table on the example that is held up at every question."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "duel.log"
        self.table = tw.Table(tw.load_scene(DUEL), dice="table", seed=3)

    def declare(self, actor: str, action: str, **said: Any) -> None:
        self.table.declare(actor, action, **said)
        self.hold()

    def answer(self, who: str, kind: str, value: Any) -> None:
        """Answer the one open question, which must be of that kind and for that character."""
        asked = question(self.table)
        assert (asked.actor, asked.kind) == (who, kind)
        answer(self.table, value)
        self.hold()

    def hold(self) -> None:
        """Save and load, undo and redo: nothing may come out different. Then go on from the file."""
        before = snapshot(self.table)
        self.table.save(self.file)
        loaded = tw.Table.load(self.file)
        assert snapshot(loaded) == before
        loaded.undo()
        assert snapshot(loaded) != before
        loaded.redo()
        assert snapshot(loaded) == before
        self.table.save(self.file)
        self.table = tw.Table.load(self.file)
        assert snapshot(self.table) == before

    def begin(self, actor: str) -> None:
        if self.table.state.active:
            self.declare(self.table.state.active, "end")
        assert self.table.next_turn() == actor
        self.declare(actor, "begin")


def snapshot(table: tw.Table) -> tuple[Any, ...]:
    """The state, the open questions and the log of what happened."""
    asked = tuple((q.who, q.actor, q.question) for q in table.waiting_on)
    return table.state, asked, tuple(event for entry in table.live for event in entry.events)


@pytest.fixture
def duel(tmp_path: Path) -> Duel:
    """Aldric has walked up to Varga, in his own Activation."""
    duel = Duel(tmp_path)
    duel.begin("aldric")
    duel.declare("aldric", "walk", route=[(4, 2), (5, 2)])
    return duel


@pytest.mark.rule("narateer.response.three-options")
def test_varga_gives_no_response(duel: Duel) -> None:
    duel.declare("aldric", "attack", target="varga", boost=1)
    assert question(duel.table).options == (
        "no_response",
        "full_guard",
        "full_guard+Iron Guard",
        "clash:sabre",
        "clash:mace",
    )
    duel.answer("varga", "choose", "no_response")
    duel.answer("aldric", "roll", (2, 3))
    # 2 + 3 and Melee 2 make 7, which exceeds Varga's 3 + Melee 3.
    assert [e.hit for e in happened(duel.table, ExchangeEnded)] == ["varga"]
    assert duel.table.state.actors["varga"].wounds == 1
    assert (ready(duel.table, "aldric"), ready(duel.table, "varga")) == (4, 6)


@pytest.mark.rule("narateer.response.three-options")
def test_varga_guards_fully(duel: Duel) -> None:
    duel.declare("aldric", "attack", target="varga", boost=0)
    duel.answer("varga", "choose", ("full_guard", 2))
    duel.answer("varga", "roll", (1, 1, 1))
    duel.answer("aldric", "roll", (4,))
    # 3 + Melee 3 against 4 + Melee 2: a tie is no hit.
    assert duel.table.outcome is not None
    assert duel.table.outcome.result == "miss"
    assert ready(duel.table, "varga") == 3
    assert acted(duel.table, "varga") == []


@pytest.mark.rule("narateer.response.power-inside-response")
def test_varga_guards_with_the_iron_guard(duel: Duel) -> None:
    duel.declare("aldric", "attack", target="varga", boost=2)
    duel.answer("varga", "choose", ("full_guard+Iron Guard", 0))
    duel.answer("varga", "roll", (5,))
    duel.answer("aldric", "roll", (3, 3, 3))
    # 5 + Melee 3 + 3 for the Power against 9 + Melee 2: 11 against 11.
    assert [e.total for e in happened(duel.table, Checked)] == [11, 11]
    assert [e.power for e in happened(duel.table, PowerUsed)] == ["Iron Guard"]
    assert duel.table.state.actors["varga"].wounds == 0
    assert ready(duel.table, "varga") == 4
    assert acted(duel.table, "varga") == []


@pytest.mark.rule("narateer.response.three-options")
@pytest.mark.parametrize(("theirs", "hit", "wounds"), [((5,), "aldric", 2), ((4,), "", 0), ((3,), "varga", 1)])
def test_varga_clashes_with_the_mace(duel: Duel, theirs: tuple[int, ...], hit: str, wounds: int) -> None:
    duel.declare("aldric", "attack", target="varga", boost=0)
    duel.answer("varga", "choose", ("clash:mace", 0))
    # Both have committed; his roll is read first, and a save between the two changes nothing.
    duel.answer("aldric", "roll", (5,))
    duel.table.save(duel.file)
    duel.table = tw.Table.load(duel.file)
    duel.answer("varga", "roll", theirs)
    # 5 + Melee 2 against the die + Melee 3; the mace does 2 Wounds and the rapier 1.
    assert [e.hit for e in happened(duel.table, ExchangeEnded)] == [hit]
    if hit == "aldric":
        assert duel.table.state.actors["aldric"].wounds == wounds
    else:
        assert duel.table.state.actors["varga"].wounds == wounds


@pytest.mark.rule("narateer.reaction.any-time-its-trigger-occurs", "narateer.opportunity.interrupts-between-steps")
def test_an_opportunity_attack_in_the_middle_of_a_route_and_the_riposte_to_it(duel: Duel) -> None:
    # Round Varga, from Space to Space within reach of the sabre, and then away.
    duel.declare("aldric", "walk", route=[(5, 1), (6, 1), (5, 1), (4, 1)])
    assert duel.table.state.actors["aldric"].at == (5, 1)
    duel.answer("varga", "choose", ("0", 1))
    # An Exchange begun without Tempo: nothing but No Response, and nothing is asked.
    assert happened(duel.table, Responded)[-1].response == "no_response"
    duel.answer("varga", "roll", (1, 1))
    # 2 + Melee 3 does not exceed 3 + Melee 2. Aldric answers, in his own Activation and in the middle of the walk.
    assert [o.label for o in question(duel.table).question.options] == ["do nothing", "Riposte (Reaction)"]
    duel.answer("aldric", "choose", ("0", 1))
    duel.answer("aldric", "roll", (4, 4))
    assert duel.table.state.actors["varga"].wounds == 1
    # He goes on; the steps to (6, 1) and back to (5, 1) open two more, and the one to (4, 1) none.
    assert duel.table.state.actors["aldric"].at == (6, 1)
    duel.answer("varga", "choose", "pass")
    assert duel.table.state.actors["aldric"].at == (5, 1)
    duel.answer("varga", "choose", "pass")
    assert duel.table.waiting_on == ()
    assert duel.table.state.actors["aldric"].at == (4, 1)
    assert duel.table.state.actors["aldric"].uses == {}
    assert acted(duel.table) == [
        ("walk", "proactive"),
        ("opportunity_attack", "reactive"),
        ("power_exchange_resolved_reaction", "reactive"),
    ]
    # Aldric: 1 for the Riposte and 1 beyond it. Varga: the sabre's 1 and 1 beyond it.
    assert (ready(duel.table, "aldric"), ready(duel.table, "varga")) == (4, 4)


@pytest.mark.rule("narateer.reaction.any-time-its-trigger-occurs", "narateer.response.power-after-exchange")
def test_the_riposte_to_an_attack_in_vargas_activation(duel: Duel) -> None:
    duel.begin("varga")
    duel.declare("varga", "attack", target="aldric", weapon="sabre")
    duel.answer("varga", "commit", 1)
    duel.answer("aldric", "choose", ("full_guard", 0))
    duel.answer("aldric", "roll", (6,))
    duel.answer("varga", "roll", (2, 2))
    # 4 + Melee 3 against 6 + Melee 2: no hit. The Exchange is over, and only now the Riposte opens.
    assert [e.hit for e in happened(duel.table, ExchangeEnded)] == [""]
    duel.answer("aldric", "choose", "0")
    duel.answer("aldric", "roll", (6,))
    assert duel.table.state.actors["varga"].wounds == 1
    # 1 for the Full Guard and 1 for the Riposte.
    assert ready(duel.table, "aldric") == 4
    assert acted(duel.table, "aldric")[-1] == ("power_exchange_resolved_reaction", "reactive")


@pytest.mark.rule("narateer.power.sprint-requirement", "narateer.power.extra-ad-adds-no-distance")
def test_vargas_charge_after_a_sprint(tmp_path: Path) -> None:
    duel = Duel(tmp_path)
    duel.begin("aldric")
    duel.begin("varga")
    assert refused(lambda: duel.table.declare("varga", "use_power", power="Charge", target="aldric", weapon="sabre"))
    duel.declare("varga", "sprint", skill="athletics", route=[(5, 2), (4, 2)])
    duel.declare("varga", "use_power", power="Charge", target="aldric", weapon="sabre", boost=0)
    duel.answer("aldric", "choose", "no_response")
    duel.answer("varga", "roll", (3,))
    # 3 + Melee 3 exceeds 3 + Melee 2; the sabre's Wound and one more.
    assert duel.table.state.actors["aldric"].wounds == 2
    # 2 AD for the Sprint and the Power's 1: no Base Attack Cost beside it.
    assert ready(duel.table, "varga") == 3
    duel.answer("aldric", "choose", "pass")
