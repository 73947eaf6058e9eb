"""What is checked in the scene files of every game alike, and what follows where a file does not say it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import realms
import scenes

import turnwright as tw


def narateer(*who: dict[str, Any], **keys: Any) -> str:
    return scenes.scene_text(*who, **keys)


def realm(*who: dict[str, Any], **keys: Any) -> str:
    return realms.scene_text(*who, **keys)


GAMES = pytest.mark.parametrize(
    ("text", "someone", "key"),
    [(narateer, scenes.character, "characters"), (realm, realms.creature, "creatures")],
    ids=["narateer", "altered-realms"],
)
Text = Callable[..., str]
Someone = Callable[..., dict[str, Any]]


def problems(text: str) -> dict[str, str]:
    """What is wrong by its key, without file and line."""
    with pytest.raises(tw.BadScene) as refused:
        tw.read_scene(text, "test.yaml")
    return {problem.key: f"{problem.expected}, got {problem.got}" for problem in refused.value.problems}


@GAMES
class TestChecks:
    def test_an_id_stands_once(self, text: Text, someone: Someone, key: str) -> None:
        found = problems(text(someone("ann", "a", (1, 1)), someone("ann", "b", (2, 2))))
        assert found == {f"{key}[1].id": f"a name that no other {key[:-1]} has, got 'ann'"}

    def test_sides_and_seats_are_those_of_the_file(self, text: Text, someone: Someone, key: str) -> None:
        who = someone("ann", "c", (1, 1), seat="bob")
        found = problems(text(who, sides=["a", "b"], seats=[{"id": "cat"}]))
        assert found == {
            f"{key}[0].side": "one of a, b, got 'c'",
            f"{key}[0].seat": "one of the seats: guide, cat, got 'bob'",
        }

    @pytest.mark.parametrize("taken", ["guide", "spectator"])
    def test_a_seat_is_not_called_what_is_always_there(
        self, text: Text, someone: Someone, key: str, taken: str
    ) -> None:
        found = problems(text(someone("ann", "a", (1, 1)), seats=[{"id": taken}]))
        assert found == {"seats[0].id": f"another name; guide and spectator are taken, got '{taken}'"}

    def test_a_seat_stands_once(self, text: Text, someone: Someone, key: str) -> None:
        found = problems(text(someone("ann", "a", (1, 1)), seats=[{"id": "cat"}, {"id": "cat"}]))
        assert found == {"seats[1].id": "a name that no other seat has, got 'cat'"}

    def test_only_those_of_the_scene_are_in_its_order(self, text: Text, someone: Someone, key: str) -> None:
        found = problems(text(someone("ann", "a", (1, 1)), order=["ann", "bob"]))
        assert found == {"order[1]": f"one of the {key}: ann, got 'bob'"}

    def test_a_seed_is_a_number_of_a_size_that_every_reader_of_the_log_can_hold(
        self, text: Text, someone: Someone, key: str
    ) -> None:
        assert "seed" in problems(text(someone("ann", "a", (1, 1)), seed=10**19))

    @pytest.mark.parametrize(
        ("at", "told"),
        [((30, 1), "of the map, [0, 0] to"), ((0, 0), "that can be stood on, got solid wall"), ((1, 1), "of its own")],
    )
    def test_where_somebody_stands(
        self, text: Text, someone: Someone, key: str, at: tuple[int, int], told: str
    ) -> None:
        rows = ["#" + "." * 11, *["." * 12] * 7]
        found = problems(text(someone("ann", "a", (1, 1)), someone("bob", "b", at), rows=rows))
        assert list(found) == [f"{key}[1].at"]
        assert told in found[f"{key}[1].at"]


@GAMES
class TestScene:
    def test_sides_order_and_names_follow_from_those_who_are_in_it(
        self, text: Text, someone: Someone, key: str
    ) -> None:
        made = tw.read_scene(text(someone("old_bob", "b", (2, 2)), someone("ann", "a", (1, 1))))
        assert made.scene.sides == ("b", "a")
        assert made.scene.order == ("old_bob", "ann")
        assert made.actors["old_bob"].name == "Old Bob"
        assert made.actors["ann"].seat == "guide"

    def test_what_the_file_says_stands(self, text: Text, someone: Someone, key: str) -> None:
        two = someone("ann", "a", (1, 1), name="Ann the Bold", seat="cat"), someone("bob", "b", (2, 2))
        made = tw.read_scene(text(*two, sides=["b", "a"], order=["bob", "ann"], seats=[{"id": "cat"}], seed=7))
        assert (made.scene.sides, made.scene.order, made.scene.seed) == (("b", "a"), ("bob", "ann"), 7)
        assert made.actors["ann"].name == "Ann the Bold"
        assert made.actors["ann"].seat == "cat"

    def test_a_map_may_be_one_text(self, text: Text, someone: Someone, key: str) -> None:
        made = tw.read_scene(text(someone("ann", "a", (1, 1)), map_={"rows": "....\n....\n\n"}))
        assert made.scene.grid is not None
        assert (made.scene.grid.width, made.scene.grid.height) == (4, 2)
