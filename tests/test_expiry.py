"""Relations between two actors: one or several of a kind, and when they end by themselves."""

from __future__ import annotations

from typing import Any

from turnwright.model import Expiry, Relation, Scene, State


class Watching(Relation, frozen=True):
    """One of a kind between the same two."""

    closely: bool = False


class Marked(Relation, frozen=True):
    """Several of it may hold at once."""

    several = True

    number: int = 0


def state(*relations: Relation) -> State:
    made = State(Scene("", "", None), {})
    for relation in relations:
        made = made.relate(relation)
    return made


def numbers(made: State) -> list[int]:
    return [mark.number for mark in made.related(Marked, "a")]


def test_one_of_a_kind_takes_the_place_of_the_last() -> None:
    made = state(Watching("a", "b"), Watching("a", "c"), Watching("a", "b", closely=True))
    assert [(w.other, w.closely) for w in made.related(Watching, "a")] == [("c", False), ("b", True)]


def test_several_stand_side_by_side_and_one_of_them_can_be_taken_away() -> None:
    made = state(*[Marked("a", "b", None, n) for n in (1, 2, 2)])
    assert numbers(made) == [1, 2, 2]
    assert numbers(made.without(Marked("a", "b", None, 2))) == [1, 2]
    assert made.without(Marked("a", "b", None, 9)) is made
    assert numbers(made.unrelate(Marked, "a")) == []


def test_a_relation_ends_at_its_edge_and_at_no_other() -> None:
    made = state(Watching("a", "b", Expiry("a", "start")))
    for whose, edge in (("a", "end"), ("b", "start")):
        kept: Any = made.expire(whose, edge)  # type: ignore[arg-type]
        assert kept is made
    assert made.expire("a", "start").related(Watching, "a") == ()


def test_an_edge_may_go_by_before_it() -> None:
    made = state(Marked("a", "b", Expiry("a", "end", 1), 1), Marked("a", "b", Expiry("a", "end"), 2))
    once = made.expire("a", "end")
    assert numbers(once) == [1]
    assert numbers(once.expire("b", "end")) == [1]
    assert numbers(once.expire("a", "end")) == []
