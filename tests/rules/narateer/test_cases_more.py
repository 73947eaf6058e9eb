"""The worked cases: every one of the 45 has a test that is named after it; here is one that no topic has for itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fighters import duel
from moves import act_for, at, codes, east, farthest, field, go, metres, mover
from scenes import answer, ready

HERE = Path(__file__).parent
NAMED = re.compile(r"^ *def test_case_(\d\d)_", re.M)


def cases() -> dict[int, list[str]]:
    """The files that test each worked case, by its number."""
    found: dict[int, list[str]] = {}
    for path in sorted(HERE.glob("test_*.py")):
        for number in NAMED.findall(path.read_text(encoding="utf-8")):
            found.setdefault(int(number), []).append(path.name)
    return found


@pytest.mark.parametrize("number", range(1, 46))
def test_every_worked_case_has_a_test(number: int) -> None:
    assert cases().get(number), f"write a test_case_{number:02}_... in the file of its topic"


def test_no_test_is_named_after_a_case_that_there_is_not() -> None:
    assert [number for number in cases() if not 1 <= number <= 45] == []


@pytest.mark.rule("narateer.cost.base-attack-covers-exchange", "narateer.divide.allowed", "narateer.mode.pay-once")
def test_case_07_the_whole_of_it_at_one_table() -> None:
    """6 Ready AD: a Run of 26 m for 1, 8 m of it, an Exchange for 2, and the other 18 m."""
    mace = {"name": "mace", "base_attack_cost": 2, "reach": 40}
    t = duel(a={"at": (0, 0), "strength": 3, "agility": 2, "weapons": [mace]}, b={"ready": 0, "bears": 9}, dice=(3,),
             rows=["." * 20] * 4)  # fmt: skip
    go(t, "a", "run", 4)
    assert metres(t, "a", "run") == 18
    t.declare("a", "attack", target="b", boost=0)
    go(t, "a", "run", 9)
    assert (ready(t, "a"), metres(t, "a", "run")) == (3, 0)


@pytest.mark.rule("narateer.mode.one-per-activation")
@pytest.mark.parametrize("first", ["walk", "run"])
def test_case_06_no_mode_becomes_another_whatever_was_done_between(first: str) -> None:
    t = field(mover(14))
    go(t, "kael", first, 2)
    act_for(t, "kael", 1)
    before = (ready(t, "kael"), at(t, "kael"))
    other = "run" if first == "walk" else "walk"
    assert codes(t.explain("kael", other, route=east(1, 2))) == {"ONE_MODE"}
    # X: 28 - 4 = 24 m of a Run bought on top of the Walk.
    assert farthest(t, "kael", other) == 0
    assert (ready(t, "kael"), at(t, "kael")) == before


@pytest.mark.rule("narateer.response.power-inside-response")
def test_case_32_the_part_that_modifies_and_the_part_that_reacts_are_priced_by_themselves() -> None:
    parts = [
        {"attaches_to": "full_guard", "ad": 1, "totals": 3},
        {"attaches_to": "full_guard", "reaction": True, "ad": 2},
    ]
    guard = {"name": "Bulwark", "parts": parts}
    for conditions, options in ((["stunned"], []), ([], ["Bulwark (Reaction)"])):
        t = duel(b={"powers": [guard], "ad": 5, "conditions": conditions}, dice=(9, 3))
        t.declare("a", "attack", target="b", boost=0)
        answer(t, ("full_guard+Bulwark", 0))
        # Full Guard 1 and the part in it 1; X: the 2 of the Reaction with them.
        assert ready(t, "b") == 3
        offered = [o.label for q in t.waiting_on for o in q.question.options if o.id != "pass"]
        assert offered == options
