"""Sprint: what it costs and takes, and the Skill that governs it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwright.model import NOTHING, Cell, Declaration, Parameter, Price, Refusal, Ruling, State
from turnwright.space import Ground
from turnwright.systems.narateer.allowance import allowance
from turnwright.systems.narateer.conditions import sprint_barred
from turnwright.systems.narateer.conversion import CINEMATIC
from turnwright.systems.narateer.economy import ad, proactive_use
from turnwright.systems.narateer.events import Obstacle
from turnwright.systems.narateer.movement import PRICES, Move, mode_cost
from turnwright.systems.narateer.obstacles import obstacle_at
from turnwright.systems.narateer.routes import Route, spaces_of
from turnwright.systems.narateer.senses import ground_of
from turnwright.systems.narateer.sheet import SPRINT_SKILLS, Character, character, settings
from turnwright.systems.narateer.sneak import sprint_refusals, sprint_warnings
from turnwright.systems.narateer.zones import grounds_of

TOPICS = ("sprint",)


class Sprint(Move):
    """All-out movement governed by Athletics or Acrobatics; a Major Action without a check.

    Rules: narateer.sprint.distance, narateer.sprint.example-arlen, narateer.sprint.major-action,
    narateer.sprint.no-check, narateer.sprint.does-not-block-actions, narateer.sprint.needs-free-use.
    """

    name = "sprint"
    about = "all-out movement, three times BM and 2 m for each Skill Level"
    rules = ("narateer.sprint.distance", "narateer.sprint.cost", "narateer.sprint.governing-skill-set")
    tier = "major"
    parameters = (
        Parameter("skill", "choice", "the Skill that governs it", required=True, choices=SPRINT_SKILLS),
        *Move.parameters,
        Parameter("power", "text", "a Class Power of yours that the Sprint is for, where it names the Skill"),
    )

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for skill in SPRINT_SKILLS:
            yield Declaration(actor, self.name, options={"skill": skill})

    def title(self, d: Declaration) -> str:
        return f"sprint ({self.skill(d) or 'athletics or acrobatics'})"

    def open_parameters(self, known: State, d: Declaration) -> tuple[Parameter, ...]:
        """The Skills that fit the route, the best first; the guide may overrule a refusal."""
        skill = self.parameters[0]
        if d.route:
            skill = replace(skill, choices=sprint_skill(known, d.route, character(known, d.actor)))
        return (skill, *super().open_parameters(known, d)[1:])

    def complete(self, known: State, d: Declaration) -> Declaration:
        actor = character(known, d.actor)
        if not d.option("skill"):
            skill = actor.sprint_skill if self.goes_on(actor) else named_skill(actor, d)
            d = replace(d, options={**d.options, "skill": skill}) if skill else d
        return super().complete(known, d)

    def skill(self, d: Declaration) -> str:
        return d.option("skill")

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """A Power's Skill on a route of another kind: the guide says whether it can be taken that way at all.

        Rules: narateer.sprint.named-skill-by-rule.
        """
        mine = character(state, d.actor)
        if named_skill(mine, d) and not self.goes_on(mine) and self.skill(d) not in sprint_skill(state, d.route, mine):
            return None
        return super().ruling(state, d)

    def mode_refusals(self, known: State, actor: Character, d: Declaration) -> Iterator[Refusal]:
        yield from super().mode_refusals(known, actor, d)
        yield from sprint_barred(known, actor)
        if d.boost:
            yield Refusal("narateer.sprint.no-boost", "a Sprint makes no roll that could be boosted", "NO_BOOST")
        skill = self.skill(d)
        if skill not in SPRINT_SKILLS:
            text = "a Sprint is governed by athletics or acrobatics; say which"
            yield Refusal("narateer.sprint.governing-skill-set", text, "SPRINT_SKILL")
        elif self.goes_on(actor):
            yield from self._going_on(known, actor, skill)
        elif d.option("power"):
            yield from named_refusals(actor, d, skill)
        else:
            yield from style_refusals(known, actor, skill, d.route)

    def _going_on(self, known: State, actor: Character, skill: str) -> Iterator[Refusal]:
        """Rules: narateer.additional.continue-sprint (also a Power that says so leads to what is left, no farther)."""
        if skill != actor.sprint_skill:
            text = f"this Sprint is governed by {actor.sprint_skill}; that is settled"
            yield Refusal("narateer.sprint.governing-skill-set", text, "SPRINT_SKILL")
        yield from sprint_refusals(known, actor.id)

    def price(self, known: State, d: Declaration) -> Price:
        """Rules: narateer.sprint.cost, narateer.sprint.one-proactive-use, narateer.tier.only-without-specific-rule."""
        if self.goes_on(character(known, d.actor)):
            return NOTHING
        return SPRINT_PRICES.get(self.skill(d), PRICES["sprint"])

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: narateer.sneak.no-sprint (legal, after a warning), narateer.reveal.warn-before-commit."""
        return sprint_warnings(known, d.actor)


SPRINT_PRICES = {
    skill: Price((*ad(2, "sprint", "narateer.sprint.cost"), proactive_use(skill), mode_cost("sprint", skill)))
    for skill in SPRINT_SKILLS
}


def sprint_skill(state: State, route: Route, actor: Character | None = None) -> tuple[str, ...]:
    """The Skills that fit a route, the one to suggest first: agile ground calls for Acrobatics, the rest for Athletics.

    Where some but less than half of the Spaces are agile, either fits.
    Rules: narateer.sprint.athletics-style, narateer.sprint.acrobatics-style.
    """
    field = ground_of(state)
    if actor is not None and state.mode == CINEMATIC and route:
        grounds = grounds_of(state, actor, route)
        agile = sum([any(tag in settings(state).agile_tags for tag in ground.tags) for ground in grounds])
    elif field is None or not route:
        return SPRINT_SKILLS
    else:
        agile = sum([is_agile(state, field, cell) for cell in spaces_of(route)])
    if not agile:
        return ("athletics",)
    return ("acrobatics",) if 2 * agile >= len(route) else SPRINT_SKILLS


def is_agile(state: State, field: Ground, cell: Cell) -> bool:
    """Whether a Space calls for agile control, by its ground or by an obstacle on it."""
    agile = settings(state).agile_tags
    if any(tag in agile for tag in field.terrain(cell).tags):
        return True
    found = obstacle_at(state, cell)
    return found is not None and any(tag in agile for tag in found.tags)


def style_refusals(known: State, actor: Character, skill: str, route: Route) -> Iterator[Refusal]:
    """The governing Skill follows from how one moves, never from its level.

    Rules: narateer.sprint.skill-follows-method.
    """
    fits = sprint_skill(known, route, actor)
    if not route and skill == "acrobatics" and not agile_somewhere(known):
        fits = ("athletics",)
    if skill not in fits:
        other = fits[0]
        gives = float(allowance(known, actor, "sprint", other))
        text = f"this route is not one for {skill}; {other} fits and gives {gives:g} m"
        yield Refusal("narateer.sprint.skill-follows-method", text, "SPRINT_STYLE")


def agile_somewhere(state: State) -> bool:
    """Whether the map has any Space that calls for Acrobatics."""
    field = ground_of(state)
    agile = settings(state).agile_tags
    zones = state.scene.zones if state.mode == CINEMATIC else None
    if zones is not None:
        grounds = [zone.terrain for zone in zones.zones] + [way.terrain for way in zones.ways]
        return any(tag in agile for ground in grounds for tag in ground.tags)
    if field is None:
        return True
    if any(tag in agile for kind, _ in field.kinds.values() for tag in kind.tags):
        return True
    return any(tag in agile for fact in state.facts_of(Obstacle) for tag in fact.tags)


def named_skill(actor: Character, d: Declaration) -> str:
    """The Skill that the Power names for which the Sprint is made; empty where it names none."""
    for power in actor.powers:
        if power.name == d.option("power") and isinstance(power.requires.sprint, str):
            return power.requires.sprint
    return ""


def named_refusals(actor: Character, d: Declaration, skill: str) -> Iterator[Refusal]:
    """Rules: narateer.sprint.named-skill-by-rule."""
    named = named_skill(actor, d)
    if not named:
        text = f"{actor.name} has no Power called {d.option('power')!r} that names the Skill of a Sprint"
        yield Refusal("narateer.sprint.named-skill-by-rule", text, "NO_POWER")
    elif skill != named:
        text = f"{d.option('power')} asks for a Sprint governed by {named}"
        yield Refusal("narateer.sprint.named-skill-by-rule", text, "SPRINT_SKILL")
