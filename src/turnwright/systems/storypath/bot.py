"""A fighter with plain good sense: goes for the nearest foe, does two things where that pays, and spends little."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model import Answer, Choose, Chosen, Commit, Committed, Declaration, Question, State
from turnwright.policy import first_legal, plain_answer
from turnwright.rules import Game
from turnwright.systems.storypath.attack import reaches
from turnwright.systems.storypath.deeds import deeds
from turnwright.systems.storypath.events import Grapples, Helped, On
from turnwright.systems.storypath.moving import destinations
from turnwright.systems.storypath.roster import initiative_pool
from turnwright.systems.storypath.sheet import Character, character, settings
from turnwright.systems.storypath.simple import lying_near
from turnwright.systems.storypath.space import band, foes, near_places, steps

SPARE = 2
"""So much momentum is kept; what is above it buys one die."""


class Warrior:
    """Declares the first of its wishes that the gate allows, from what its seat knows; draws nothing."""

    def declare(self, game: Game, known: State, actor: str) -> Declaration:
        return first_legal(game, known, actor, wishes(known, character(known, actor)))

    def answer(self, game: Game, known: State, question: Question) -> Answer:
        if isinstance(question, Commit):
            each = settings(known).momentum_for_a_die
            return Committed(1 if question.most * each > SPARE else 0)
        if isinstance(question, Choose) and question.about == "slot":
            return Chosen(_quickest(known, question))
        if isinstance(question, Choose) and question.about == "defense":
            return Chosen(_guarded(known, question))
        return plain_answer(question)


def _quickest(known: State, question: Choose) -> str:
    """Of those who may take the slot the one who is best in a fight."""
    named = [option.id for option in question.options]
    return max(named, key=lambda name: (initiative_pool(known, character(known, name)), -named.index(name)))


def _guarded(known: State, question: Choose) -> str:
    """Cover, which takes a whole injury, where there is none yet; else Defense."""
    dive = not character(known, question.actor).cover and any(option.id == "dive" for option in question.options)
    return "dive" if dive else question.options[0].id


def wishes(known: State, me: Character) -> Iterator[Declaration]:
    """What it would do now, the best first."""
    near = sorted(foes(known, me), key=lambda foe: (_far(known, me, foe), foe.health or 9, foe.id))
    if me.prone:
        yield Declaration(me.id, "stand")
    if me.actions:
        yield from _readying(known, me)
        if any(tie.other == me.id for tie in known.every(Grapples)):
            yield Declaration(me.id, "break_free")
        yield from _blows(known, me, near)
        yield from _approach(known, me, near)


def _far(known: State, me: Character, foe: Character) -> int:
    apart = band(known, me, foe)
    return 9 if apart is None else apart


def _readying(known: State, me: Character) -> Iterator[Declaration]:
    if not any(me.ready(weapon) for weapon in me.weapons):
        for lying in lying_near(known, me):
            yield Declaration(me.id, "pick_up", options={"item": lying.item.name})
        for item in me.items:
            if item.place == "holster" and any(weapon.name == item.name for weapon in me.weapons):
                yield Declaration(me.id, "draw", options={"item": item.name})
    if not known.related(Helped, me.id):
        for knack in me.knacks:
            if knack.enhancement and not knack.momentum and knack.action == "reflexive":
                yield Declaration(me.id, "knack", options={"knack": knack.name})


def _blows(known: State, me: Character, near: list[Character]) -> Iterator[Declaration]:
    """At the nearest in reach; whoever is on somebody keeps its balance with one half."""
    balance = next((deed.name for deed in deeds(known) if deed.needs_hold), "")
    for foe in near:
        for weapon in me.weapons:
            if not me.ready(weapon) or not reaches(known, me, foe, weapon):
                continue
            options: dict[str, str | int | bool] = {"weapon": weapon.name}
            if balance and known.related(On, me.id):
                both: dict[str, str | int | bool] = {"first": balance, "second": "attack", **options}
                yield Declaration(me.id, "mixed", target=foe.id, options=both, boost=None)
            yield Declaration(me.id, "attack", target=foe.id, options=options)


def _approach(known: State, me: Character, near: list[Character]) -> Iterator[Declaration]:
    for foe in near[:1]:
        if isinstance(me.at, str) and isinstance(foe.at, str):
            here = steps(known, me.at, foe.at) or 0
            for place in near_places(known, me.at):
                if (steps(known, place, foe.at) or 0) < here:
                    yield Declaration(me.id, "move", options={"to": place})
                    yield Declaration(me.id, "rush", target=foe.id)
        else:
            for place in destinations(known, me):
                yield Declaration(me.id, "move", options={"to": place})
