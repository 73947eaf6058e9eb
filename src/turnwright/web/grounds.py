"""How a kind of ground is drawn and told: patterns, never colour alone, and what it does in a few words."""

from __future__ import annotations

from turnwright.space.grid import Terrain


def patterns_of(terrain: Terrain) -> tuple[str, ...]:
    """The patterns by which a kind of ground is drawn, never by colour alone."""
    said = f"{terrain.name} {terrain.place} {' '.join((*terrain.tags, *terrain.difficult))}".lower()
    if terrain.blocked:
        return ("solid",) if terrain.opaque else ("barrier",)
    found = []
    if terrain.drop:
        found.append("drop")
    if any(word in said for word in ("water", "swim", "river", "pond", "stream")):
        found.append("water")
    elif terrain.difficult or terrain.factor > 1 or terrain.extra:
        found.append("rough")
    if terrain.conceals:
        found.append("dark" if any(word in said for word in ("dark", "unlit", "night", "shadow")) else "conceals")
    if terrain.opaque:
        found.append("screen")
    if "cover" in said:
        found.append("cover")
    return tuple(found or (["named"] if terrain.tags or terrain.place else []))


def effects_of(terrain: Terrain) -> str:
    """What a kind of ground does, in a few words."""
    if terrain.blocked:
        return "nobody passes" if terrain.opaque else "nobody passes, one sees past it"
    found = []
    if terrain.difficult:
        found.append("hard going")
    if terrain.factor > 1:
        found.append(f"each metre counts {terrain.factor} times")
    if terrain.extra:
        found.append(f"{terrain.extra} m more for each")
    if terrain.opaque:
        found.append("one does not see past it")
    if terrain.conceals:
        found.append(f"hides from {' and '.join(terrain.conceals)}")
    if terrain.drop:
        found.append(f"a drop of {terrain.drop} m")
    if terrain.tags:
        found.append(", ".join([tag.replace("_", " ") for tag in terrain.tags]))
    return "; ".join(found)
