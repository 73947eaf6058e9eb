"""Every rule of a catalogue is cited in the code and tested under its id, and every id that is used is a rule."""

from __future__ import annotations

from collections import Counter

import pytest

from turnwright import catalogue
from turnwright.rules import Game, games

every_game = pytest.mark.parametrize("game", games().values(), ids=games().keys())


def listed(found: dict[str, list[str]]) -> str:
    return "\n".join(f"  {name}: {', '.join(places)}" for name, places in found.items())


@every_game
def test_ids_are_unique_and_named_after_their_game(game: Game) -> None:
    ids = [rule.id for rule in catalogue.rules(game)]
    assert ids, f"{game.name} has no catalogue"
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    assert [name for name in ids if not name.startswith(f"{game.name}.") or name.count(".") != 2] == []


@every_game
def test_every_id_that_the_code_cites_is_a_rule(game: Game) -> None:
    ids = {rule.id for rule in catalogue.rules(game)}
    unknown = {name: places for name, places in catalogue.cited(game).items() if name not in ids}
    assert not unknown, f"cited, and no rule of the catalogue:\n{listed(unknown)}"


@every_game
def test_every_id_that_a_test_is_marked_with_is_a_rule(game: Game) -> None:
    ids = {rule.id for rule in catalogue.rules(game)}
    unknown = {name: places for name, places in catalogue.tested(game).items() if name not in ids}
    assert not unknown, f"tested, and no rule of the catalogue:\n{listed(unknown)}"


@every_game
def test_every_setting_belongs_to_a_rule(game: Game) -> None:
    ids = {rule.id for rule in catalogue.rules(game)}
    assert [(s.name, s.rule) for s in game.open_settings if s.rule not in ids] == []


@every_game
def test_a_topic_has_one_module(game: Game) -> None:
    owners = catalogue.owners(game)
    twice = {topic: places for topic, places in owners.items() if len(places) > 1}
    assert not twice, f"topics that two modules own:\n{listed(twice)}"
    topics = {rule.topic for rule in catalogue.rules(game)}
    assert topics - set(owners) == set(), "topics that no module owns"
    assert set(owners) - topics == set(), "topics that no rule has"


@every_game
def test_every_rule_is_done(game: Game) -> None:
    held = catalogue.standing(game)
    every = Counter(s.rule.topic for s in held)
    done = Counter(s.rule.topic for s in held if s.state == "done")
    for topic, count in every.items():
        print(f"{topic:<14} {done[topic]:>3} of {count:>3}")
    missing = [_lacks(s) for s in held if s.state != "done"]
    assert not missing, "\n".join([f"{len(missing)} rules are not done:", *missing])


def _lacks(s: catalogue.Standing) -> str:
    lacks = [word for word, held in (("cited", s.cited), ("tested", s.tested)) if not held]
    return f"  {s.rule.id} is not {' and not '.join(lacks)}"
