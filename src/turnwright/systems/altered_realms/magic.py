"""Spells and abilities that are no attack roll: using them, what they bring about, and keeping them up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from turnwright.engine import Play, window
from turnwright.model import (
    NOTHING,
    ActorId,
    Cell,
    Cost,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    RuleId,
    Ruling,
    State,
    cost,
)
from turnwright.rules import Action, Nature, Settled, Steps, ended
from turnwright.space.grid import distance
from turnwright.systems.altered_realms.attack import Hurt, opponents, target_refusals
from turnwright.systems.altered_realms.economy import Deed, Leisure, Reaction, at_leisure, reaction_price
from turnwright.systems.altered_realms.events import (
    Afflicted,
    Forced,
    Halted,
    Healed,
    Rested,
    SustainBegun,
    SustainEnded,
    UpheldOn,
    Used,
)
from turnwright.systems.altered_realms.forced import away_from, shove
from turnwright.systems.altered_realms.harm import harm, put_condition, settle
from turnwright.systems.altered_realms.rolls import damage, save
from turnwright.systems.altered_realms.sheet import Ability, Creature, creature, pool_named, spell_dc
from turnwright.systems.altered_realms.space import drop_at, gap, ground_of, others_at, reaches, tiles_at

TOPICS = ("sustain",)

CASTING: RuleId = "altered-realms.action.definition"


class Casting(Moment, frozen=True):
    """Somebody has begun a spell or ability, and it has not taken effect yet."""

    actor: ActorId
    ability: str
    target: ActorId = ""


def ability_price(known: State, who: Creature, ability: Ability) -> Price:
    """An Action, unless its own text says otherwise, and points of pools.

    Rules: altered-realms.action.definition.
    """
    budget = "teleport" if ability.teleport and ability.budget == "movement" else ability.budget
    costs = [] if budget == "none" else [cost(budget, 1, ability.name, CASTING)]
    return Price((*costs, *points(known, ability)))


def points(known: State, ability: Ability) -> tuple[Cost, ...]:
    return tuple(
        [cost(f"pool:{pool_named(known, pool)}", n, ability.name, CASTING) for pool, n in ability.cost.items()]
    )


def ability_of(known: State, d: Declaration) -> Ability | None:
    return creature(known, d.actor).ability(d.option("ability"))


class Use(Deed):
    """Cast a spell or use an ability; one that can be sustained may be kept up from now on.

    Rules: altered-realms.action.definition, altered-realms.sustain.reduces-maximum.
    """

    name = "cast"
    about = "cast a spell or use an ability"
    rules = ("altered-realms.action.definition", "altered-realms.sustain.reduces-maximum")
    wants = ("success", "affected")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("ability", "text", "which spell or ability", required=True),
        Parameter("target", "actor", "at whom"),
        Parameter("to", "cell", "where to, for what moves its user", by_name=True),
        Parameter("sustain", "yes", "yes: keep it up", by_name=True),
    )

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        who = creature(known, actor)
        for ability in who.abilities:
            if ability.trigger:
                continue
            options: dict[str, str | int | bool] = {"ability": ability.name}
            if ability.sustain:
                options["sustain"] = True
            for other in targets(known, who, ability):
                yield Declaration(actor, self.name, target=other, options=options)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        kept = ", and keep it up" if wants_sustain(d) else ""
        return f"{d.option('ability')}{f' at {other.name}' if other else ''}{kept}"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        ability = ability_of(known, d)
        if not d.option("ability"):
            yield Refusal(CASTING, "say which spell or ability", "INCOMPLETE ability")
        elif ability is not None and ability.at != "self" and not d.target:
            yield Refusal(CASTING, "say at whom", "INCOMPLETE target")
        elif ability is not None and ability.teleport and not d.option("to"):
            yield Refusal(CASTING, "say where to", "INCOMPLETE to")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who, ability = creature(known, d.actor), ability_of(known, d)
        if not d.option("ability"):
            return
        if ability is None or ability.trigger:
            text = f"{d.option('ability')} answers something else" if ability else f"{who.name} knows no such thing"
            yield Refusal(CASTING, text, "NO_ABILITY")
            return
        yield from aim_refusals(known, who, ability, d)
        yield from place_refusals(known, who, ability, d)
        if wants_sustain(d):
            yield from sustain_refusals(known, who, ability)

    def own_price(self, known: State, d: Declaration) -> Price:
        ability = ability_of(known, d)
        return NOTHING if ability is None else ability_price(known, creature(known, d.actor), ability)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        ability = ability_of(play.state, d)  # kept: what was cast
        assert ability is not None
        play.emit(Used(CASTING, d.actor, ability.name, d.target))
        yield from window(play, Casting(d.actor, ability.name, d.target))
        if creature(play.state, d.actor).down:
            return Outcome(self.name, "failure")
        if wants_sustain(d):
            play.emit(SustainBegun("altered-realms.sustain.reduces-maximum", d.actor, ability.name))
        if ability.teleport and d.option("to"):
            teleport(play, d.actor, cell_of(d))
        affected = yield from take_effect(play, d.actor, ability, receiver(d, ability), CASTING)
        if wants_sustain(d):
            upheld = affected or (() if ability.save else within(play.state, ability, receiver(d, ability)))
            play.emit(UpheldOn("altered-realms.sustain.active-while-points", d.actor, ability.name, upheld))
        averted = "failure" if ability.save else "success"
        return Outcome(self.name, "affected" if affected else averted, affected)


def teleport(play: Play, actor: ActorId, to: Cell) -> None:
    """Somebody is gone and there again; where somebody stands whom it did not know of, it stays where it is.

    Rules: altered-realms.grapple.no-movement-except-teleport.
    """
    rule = "altered-realms.grapple.no-movement-except-teleport"
    who = creature(play.state, actor)
    if any(True for _ in others_at(play.state, who, tiles_at(play.state, who, to))):
        play.emit(Halted(rule, actor, "somebody stands there already"))
        return
    play.emit(Forced(rule, actor, to, actor))
    settle(play)


def receiver(d: Declaration, ability: Ability) -> ActorId:
    """Whom it is aimed at; what is for oneself works on its user, whoever is named."""
    return d.actor if ability.at == "self" else d.target


def targets(known: State, who: Creature, ability: Ability) -> list[ActorId]:
    if ability.at == "self":
        return [""]
    if ability.at == "enemy":
        return [other.id for other in opponents(known, who)]
    return [other.id for other in known.actors.values() if other.side == who.side]


def aim_refusals(known: State, who: Creature, ability: Ability, d: Declaration) -> Iterator[Refusal]:
    if d.target and (ability.at == "enemy" or d.target != d.actor):
        yield from target_refusals(known, d, CASTING)
    if ability.at == "self" or not d.target:
        return
    other = known.actors.get(d.target)
    if ability.at == "ally" and other is not None and other.side != who.side:
        yield Refusal(CASTING, f"{ability.name} is for allies, and {other.name} is none", "NO_ALLY")
    if other is not None and other.id != who.id and not reaches(known, who.id, other.id, ability.range):
        yield Refusal(CASTING, f"{other.name} is out of range of {ability.name}", "OUT_OF_RANGE")


def cell_of(d: Declaration) -> Cell:
    x, _, y = d.option("to").strip("()[] ").partition(",")
    return int(x), int(y)


def place_refusals(known: State, who: Creature, ability: Ability, d: Declaration) -> Iterator[Refusal]:
    """Where a teleport may lead: a free solid tile in range."""
    rule = "altered-realms.grapple.no-movement-except-teleport"
    field = ground_of(known)
    if not ability.teleport or not d.option("to") or field is None:
        return
    if not isinstance(who.at, tuple):
        yield Refusal(rule, f"{who.name} is nowhere on the map", "NO_MAP")
        return
    to = cell_of(d)
    body = tiles_at(known, who, to)
    if distance(who.at, to) > ability.teleport:
        yield Refusal(rule, f"{to} is more than {ability.teleport} m away", "TOO_FAR")
    blocked = any(field.terrain(cell).blocked for cell in body) or drop_at(known, who, to)
    if blocked or any(True for _ in others_at(known, who, body)):
        yield Refusal(rule, f"{to} is no free solid tile", "NOT_FREE")


def take_effect(play: Play, actor: ActorId, ability: Ability, target: ActorId, rule: RuleId) -> Steps[tuple[str, ...]]:
    """What it does to whom it is aimed at, and to everybody around where it has an area."""
    affected: list[str] = []
    for name in within(play.state, ability, target):  # kept: who is in it when it begins
        if ability.save:
            dc = spell_dc(play.state, creature(play.state, actor))
            hurts = bool(ability.damage)
            read = yield from save(play, name, ability.save, dc, rule, by=actor, avoids_damage=hurts)
            if read.passed:
                continue
        yield from _affect(play, actor, ability, name, rule)
        affected.append(name)
    return (
        tuple(affected) if ability.save or ability.damage or ability.condition or ability.heals or ability.push else ()
    )


def within(state: State, ability: Ability, target: ActorId) -> tuple[ActorId, ...]:
    if not ability.area:
        return (target,)
    middle = creature(state, target)
    return tuple(
        [w.id for w in state.actors.values() if w.id == target or (gap(state, middle, w) or 99) <= ability.area]
    )


def _affect(play: Play, actor: ActorId, ability: Ability, name: ActorId, rule: RuleId) -> Steps[None]:
    if ability.damage:
        dealt = yield from damage(play, actor, name, ability.damage, 0, ability.name, rule)
        harm(play, name, dealt, ability.type, actor, rule)
        if name != actor:
            yield from window(play, Hurt(actor, name, dealt))
    if ability.heals:
        back = yield from damage(play, actor, name, ability.heals, 0, ability.name, rule)
        play.emit(Healed(rule, name, back))
    if ability.push:
        direction = away(play.state, creature(play.state, actor), creature(play.state, name))
        yield from shove(play, name, direction, ability.push, actor, rule, magical=True)
    if ability.condition:
        put_condition(play, name, ability.condition, rule)
        if ability.lasting and ability.save:
            dc = spell_dc(play.state, creature(play.state, actor))
            play.emit(Afflicted(rule, name, ability.condition, ability.save, dc, actor))


def away(state: State, who: Creature, other: Creature) -> Cell:
    """The direction that leads away from somebody."""
    return away_from(state, who, other) or (0, 0)


# -- sustaining


def wants_sustain(d: Declaration) -> bool:
    return d.option("sustain") in ("yes", "True", "true")


def sustain_refusals(known: State, who: Creature, ability: Ability) -> Iterator[Refusal]:
    """Rules: altered-realms.sustain.active-while-points, altered-realms.sustain.reduces-maximum."""
    rule = "altered-realms.sustain.reduces-maximum"
    if not ability.sustain:
        text = f"{ability.name} cannot be sustained"
        yield Refusal("altered-realms.sustain.active-while-points", text, "NOT_SUSTAINABLE")
        return
    if ability.name in who.sustained:
        yield Refusal(rule, f"{ability.name} is sustained already", "SUSTAINED")
    pool = pool_named(known, ability.pool)
    if ability.sustain > who.maxima.get(pool, 0):
        text = f"{ability.name} takes {ability.sustain} of the maximum of {pool}, which is {who.maxima.get(pool, 0)}"
        yield Refusal(rule, text, "MAXIMUM")


class StopSustaining(Action):
    """End what one keeps up, for nothing, in the own turn or while no turns are counted.

    Rules: altered-realms.sustain.no-rest-or-sleep.
    """

    name = "stop_sustaining"
    about = "end a spell or ability that you keep up"
    nature: ClassVar[Nature] = "free"
    rules = ("altered-realms.sustain.no-rest-or-sleep",)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("ability", "text", "which one", required=True),)

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for name in creature(known, actor).sustained:
            yield Declaration(actor, self.name, options={"ability": name})

    def label(self, known: State, d: Declaration) -> str:
        return f"end {d.option('ability')}"

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if d.option("ability") not in creature(known, d.actor).sustained:
            yield Refusal(self.rules[0], "that is not being sustained", "NOT_SUSTAINED")
        if known.active not in (None, d.actor):
            yield Refusal(self.rules[0], "that is done in the own turn", "NOT_YOUR_TURN")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(SustainEnded("altered-realms.sustain.cumulative", d.actor, d.option("ability")))
        return ended(Outcome(self.name, "success"))


class Rest(Leisure):
    """Rest, while no turns are counted; not while anything is sustained, but for what expressly allows it.

    Rules: altered-realms.sustain.no-rest-or-sleep, altered-realms.sustain.rest-exception.
    """

    name = "rest"
    about = "rest for as long as it takes"
    nature: ClassVar[Nature] = "free"
    rules = ("altered-realms.sustain.no-rest-or-sleep", "altered-realms.sustain.rest-exception")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who = creature(known, d.actor)
        if known.active is not None:
            yield Refusal(self.rules[0], "while turns are counted there is no time for that", "IN_TURNS")
        if who.sustained and not any(self.name in trait.sustains_during for trait in who.traits):
            text = f"{who.name} sustains {', '.join(who.sustained)}"
            yield Refusal("altered-realms.sustain.no-rest-or-sleep", text, "SUSTAINING")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        return at_leisure(state, self.name)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(Rested("altered-realms.inspire.once-between-rests", d.actor, self.name))
        return ended(Outcome(self.name, "success"))


class Sleep(Rest):
    """Rules: altered-realms.sustain.no-rest-or-sleep, altered-realms.sustain.rest-exception."""

    name = "sleep"
    about = "sleep for as long as it takes"


# -- what answers an event


class Triggered(Reaction):
    """An ability that answers damage that one is dealt; its trigger is the text's, its price always a Reaction.

    Rules: altered-realms.reaction.opportunity-and-triggered.
    """

    name = "triggered_ability"
    about = "use an ability that answers what has just happened"
    rules = ("altered-realms.reaction.opportunity-and-triggered",)
    reacts_to = Hurt

    def variants(self, known: State, actor: ActorId) -> Iterable[Declaration]:
        return ()

    def candidates(self, state: State, moment: Hurt) -> Iterator[Declaration]:
        who = creature(state, moment.target)
        for ability in who.abilities:
            if ability.trigger == "hurt":
                aimed = moment.by if ability.at == "enemy" else who.id
                yield Declaration(who.id, self.name, target=aimed, options={"ability": ability.name})

    def label(self, known: State, d: Declaration) -> str:
        return d.option("ability")

    def once(self, d: Declaration) -> tuple[str, ...]:
        return (d.actor, self.name, d.option("ability"))

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not isinstance(moment, Hurt) or moment.target != d.actor:
            yield Refusal(self.rules[0], "nothing has happened that it answers", "NO_TRIGGER")
        ability = ability_of(known, d)
        if ability is not None:
            yield from aim_refusals(known, creature(known, d.actor), ability, d)

    def price(self, known: State, d: Declaration) -> Price:
        ability = ability_of(known, d)
        price = reaction_price(d.option("ability"), "altered-realms.reaction.opportunity-and-triggered")
        return price if ability is None else price.plus(*points(known, ability))

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        ability = ability_of(play.state, d)  # kept: what was used
        assert ability is not None
        play.emit(Used(self.rules[0], d.actor, ability.name, d.target))
        affected = yield from take_effect(play, d.actor, ability, d.target, self.rules[0])
        return Outcome(self.name, "success", affected)
