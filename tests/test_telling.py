"""Events told as lines: what goes into their gaps, and what is told of a kind that no line is written for."""

from __future__ import annotations

from turnwright.events import Event, Told, Withdrawn
from turnwright.model import Actor, ActorId, Scene, State
from turnwright.telling import enough, name_of, names_of, tell

STATE = State(
    Scene("test", "a test", None),
    {"ida": Actor("ida", "Ida of the Dyke"), "jon": Actor("jon", "Jon")},
)


class Gave(Event, frozen=True):
    """Somebody gave somebody else a thing that is called like somebody."""

    actor: ActorId
    target: ActorId
    thing: str
    by: int = 0


def test_a_gap_that_says_who_has_the_name_and_every_other_the_field_itself() -> None:
    line = "{actor} gives {target} {by} {thing}"
    assert tell({Gave: line}, STATE, Gave("", "ida", "jon", "jon", 2)) == "Ida of the Dyke gives Jon 2 jon"


def test_somebody_who_is_not_there_is_told_by_the_id() -> None:
    assert tell({Gave: "{actor}: {target}"}, STATE, Gave("", "ida", "kit", "rope")) == "Ida of the Dyke: kit"


def test_what_people_have_written_is_told_as_it_is() -> None:
    """Brackets in the words of the guide are no gaps."""
    assert tell({Told: "{text}"}, STATE, Told("", "ida", "{actor} {0}")) == "{actor} {0}"


def test_a_function_tells_what_a_line_cannot() -> None:
    tellers = {Gave: lambda state, event: f"{len(state.actors)} and {event.thing}"}
    assert tell(tellers, STATE, Gave("", "ida", "jon", "rope")) == "2 and rope"


def test_a_kind_that_no_line_is_written_for_says_nothing() -> None:
    assert tell({Gave: "{actor} gives"}, STATE, Withdrawn("", "ida", "walk")) == ""


def test_names() -> None:
    assert name_of(STATE, "ida") == "Ida of the Dyke"
    assert names_of(STATE, ("jon", "kit")) == "Jon, kit"
    assert [enough(passed) for passed in (None, True, False)] == ["", ": enough", ": not enough"]
