"""A fighter with plain good sense: strikes whom it reaches, goes to whom it does not, and uses its Reactions."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.gate import legal
from turnwright.model import Answer, Cell, Choose, Chosen, Declaration, Question, State
from turnwright.policy import plain_answer
from turnwright.rules import Game
from turnwright.systems.altered_realms.attack import in_range, listed_arms, opponents
from turnwright.systems.altered_realms.holding import grappled, holds_of
from turnwright.systems.altered_realms.sheet import Creature, creature
from turnwright.systems.altered_realms.space import crawling, free_for, gap, side_length, step_cost, tiles, way_there

TAKEN = ("opportunity_attack", "last_grasp", "meat_shield", "triggered_ability", "rally_save", "follow", "catch")
"""The Reactions that it takes whenever they are open."""
NEAREST = 2


class Brawler:
    """Declares the first of its wishes that the gate allows, from what its seat knows; draws nothing."""

    def declare(self, game: Game, known: State, actor: str) -> Declaration:
        for d in wishes(known, creature(known, actor)):
            if legal(game, known, d, whole=True):
                return d
        return Declaration(actor, "end")

    def answer(self, game: Game, known: State, question: Question) -> Answer:
        if not isinstance(question, Choose) or len(question.options) < 2:
            return plain_answer(question)
        if question.about in TAKEN:
            return Chosen(question.options[1].id)
        if question.about == "way":
            return Chosen(question.options[-1].id)  # the lowest budget that may be broken down
        return Chosen(question.options[0].id)


def wishes(known: State, me: Creature) -> Iterator[Declaration]:
    """What it would do now, the best first."""
    foes = sorted(
        [foe for foe in opponents(known, me) if not foe.down], key=lambda foe: (gap(known, me, foe) or 0, foe.id)
    )
    if crawling(known, me):
        yield Declaration(me.id, "stand")
    for item in me.items:
        if item.drink and 2 * me.hp <= me.hp_max:
            yield Declaration(me.id, "drink", options={"item": item.name})
    if not any(item.weapon is not None and item.place == "hand" for item in me.items):
        yield from _arming(me)
    yield from _blows(known, me, foes)
    if grappled(known, me):
        yield Declaration(me.id, "escape")
    elif not holds_of(known, me.id) and not _reaching(known, me, foes):
        for foe in foes[:NEAREST]:
            yield from _approach(known, me, foe)


def _arming(me: Creature) -> Iterator[Declaration]:
    for item in me.items:
        if item.weapon is not None and item.place in ("holster", "pouch", "pocket"):
            yield Declaration(me.id, "draw", options={"item": item.name})


def _reaching(known: State, me: Creature, foes: list[Creature]) -> bool:
    return any(in_range(known, me, foe, weapon) for foe in foes for weapon in listed_arms(known, me))


def _blows(known: State, me: Creature, foes: list[Creature]) -> Iterator[Declaration]:
    """At the nearest within reach: a Charge where the run allows it, else a plain blow."""
    for foe in foes:
        for weapon in listed_arms(known, me):
            if not in_range(known, me, foe, weapon):
                continue
            options: dict[str, str | int | bool] = {"weapon": weapon.name}
            if weapon.kind == "melee" and not me.charged:
                yield Declaration(me.id, "charge", target=foe.id, options=options)
            yield Declaration(me.id, "attack", target=foe.id, options=options)


def _approach(known: State, me: Creature, foe: Creature) -> Iterator[Declaration]:
    """As far along the way to somebody as what is left of Movement leads."""
    route = _way_beside(known, me, foe)
    metres, here, count = me.metres + me.movements * me.speed, me.at, 0
    for cell in route:
        if not isinstance(here, tuple):
            return
        metres -= step_cost(known, me, here, cell)
        if metres < 0:
            break
        here, count = cell, count + 1
    for length in range(count, 0, -1):
        if free_for(known, me, route[length - 1]):
            yield Declaration(me.id, "walk", route=route[:length])
            return


def _way_beside(known: State, me: Creature, foe: Creature) -> tuple[Cell, ...]:
    """The way to the nearest free place beside somebody."""
    if not isinstance(me.at, tuple):
        return ()
    across, (x, y) = side_length(known, me), me.at
    places = dict.fromkeys(
        (fx + dx, fy + dy) for fx, fy in tiles(known, foe) for dx in range(-across, 2) for dy in range(-across, 2)
    )
    for cell in sorted(places, key=lambda cell: (max(abs(cell[0] - x), abs(cell[1] - y)), cell)):
        if free_for(known, me, cell):
            way = way_there(known, me, cell)
            if way:
                return way
    return ()
