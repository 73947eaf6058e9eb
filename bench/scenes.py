"""The scenes that are measured."""

from __future__ import annotations

from pathlib import Path

import turnwright as tw
from turnwright.model import State

EXAMPLES = Path(__file__).parent.parent / "examples" / "narateer"
REALMS = EXAMPLES.with_name("altered_realms")


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


# -- Altered Realms


def battle() -> State:
    """Twelve on a map of 26 x 14 tiles, two of whom cast."""
    return tw.load_scene(REALMS / "battle.yaml")


def _realms(rows: list[str], *creatures: str) -> State:
    lines = ["system: altered-realms", "title: a fight", "map:", "  rows:", *[f'    - "{row}"' for row in rows]]
    return tw.read_scene("\n".join([*lines, "creatures:", *creatures]) + "\n", "bench")


def _armed(id: str, side: str, x: int, y: int, more: str = "") -> str:
    weapon = "items: [{name: sword, weapon: {damage: 1d8+3, training: 2}}]"
    sheet = "speed: 6, moves: [walk], modifiers: {str: 3, dex: 1}, ac: 14, hp: 14"
    return f"  - {{id: {id}, side: {side}, at: [{x}, {y}], {sheet}, {weapon}{more}}}"


def brawlers(many: int) -> State:
    """So many against so many, eight tiles apart, on open ground."""
    each = [_armed(f"{side}{n}", side, x, n) for side, x in (("a", 2), ("b", 10)) for n in range(many)]
    return _realms(["." * 14] * max(many, 6), *each)


def charged() -> State:
    """Somebody about to run at an opponent who holds a captive."""
    return _realms(["." * 14] * 6, _armed("a", "a", 1, 2), _armed("b", "b", 7, 2), _armed("c", "a", 7, 3))


def pile() -> State:
    """A strong one in the middle of four."""
    around = [_armed(f"b{n}", "b", x, y) for n, (x, y) in enumerate(((4, 2), (6, 2), (5, 1), (5, 3)))]
    return _realms(["." * 12] * 6, _armed("a", "a", 5, 2, ", saves: {str: 2}"), *around)


def watched() -> State:
    """A walk of four tiles out of the reach of two opponents, one after the other."""
    return _realms(["." * 12] * 6, _armed("m", "a", 1, 2), _armed("o1", "b", 1, 1), _armed("o2", "b", 4, 3))
