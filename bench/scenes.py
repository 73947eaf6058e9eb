"""The scenes that are measured."""

from __future__ import annotations

from pathlib import Path

import turnwright as tw
from turnwright.model import State

EXAMPLES = Path(__file__).parent.parent / "examples" / "narateer"


def skirmish() -> State:
    """Twelve on a map of 40 x 30 Spaces."""
    return tw.load_scene(EXAMPLES / "skirmish.yaml")


def fighters(many: int) -> State:
    """So many against so many, three Spaces apart, on open ground."""
    lines = [
        "system: narateer",
        "title: a fight",
        "map:",
        "  rows:",
        *['    - "............"'] * max(many, 6),
        "characters:",
    ]
    for side, x in (("a", 4), ("b", 7)):
        for number in range(many):
            skills = "{melee: 2, acrobatics: 1, athletics: 1}"
            lines.append(f"  - {{id: {side}{number}, side: {side}, at: [{x}, {number}], skills: {skills},")
            lines.append("     attributes: {strength: 3, agility: 3}, weapons: [{name: sword}]}")
    return tw.read_scene("\n".join(lines) + "\n", "bench")


def hider(searchers: int) -> State:
    """Somebody in a thicket, and creatures about it that are all actively looking."""
    from turnwright.systems.narateer.events import SearchBegun

    rows = ["." * 20] * 10
    rows[5] = "." * 5 + "," + "." * 14
    lines = ["system: narateer", "title: a hide", "map:", "  rows:", *(f'    - "{row}"' for row in rows)]
    lines += ["  legend:", '    ",": {name: thicket, conceals: [sight]}', "characters:"]
    lines.append("  - {id: selka, side: a, at: [5, 5], skills: {stealth: 2}}")
    for number in range(searchers):
        lines.append(
            f"  - {{id: s{number}, side: b, at: [{8 + number}, {number}], skills: {{observation: {number % 3}}}}}"
        )
    state = tw.read_scene("\n".join(lines) + "\n", "bench")
    for number in range(searchers):
        state = SearchBegun("", f"s{number}", ((5, 5),), "", None, True).apply(state)
    return state


def reactors() -> State:
    """A walk of four Spaces between two opponents whose reach covers every step."""
    lines = ["system: narateer", "title: a walk", "map:", "  rows:", *['    - "............"'] * 6, "characters:"]
    lines.append("  - {id: m, side: a, at: [1, 2], attributes: {strength: 2, agility: 4}}")
    for name, at in (("o1", "[3, 1]"), ("o2", "[4, 3]")):
        weapon = "{name: spear, reach: 3, wounds: 1}"
        lines.append(f"  - {{id: {name}, side: b, at: {at}, skills: {{melee: 1}}, weapons: [{weapon}]}}")
    return tw.read_scene("\n".join(lines) + "\n", "bench")
