"""Events that only begin or end what holds, turns as the core keeps them, and all that a seat does not know."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright import shared
from turnwright.events import Event, Over, Taken, events_in
from turnwright.model import Actor, ActorId, Expiry, Relation, Ruling, Scene, State


class Watches(Relation, frozen=True):
    """The owner watches the other."""


class WatchTaken(Taken, frozen=True):
    """Somebody watches another until the own next turn starts."""

    target: ActorId

    what = Watches


class GuardTaken(Taken, frozen=True):
    """Somebody watches over itself until the own next turn ends."""

    what = Watches
    until = "end"


class WatchOver(Over, frozen=True):
    """Somebody watches one other no longer."""

    target: ActorId

    what = Watches


class AllOver(Over, frozen=True):
    """Somebody watches nobody any longer."""

    what = Watches
    private = True


STATE = State(
    Scene("test", "a test", None, order=("ida", "jon", "kit"), source="as it was written", seed=7),
    {name: Actor(name, name.title(), side) for name, side in (("ida", "east"), ("jon", "west"), ("kit", "west"))},
)


def watched(state: State) -> list[tuple[str, str]]:
    return [(held.owner, held.other) for held in state.every(Watches)]


def after(*events: Event) -> State:
    state = STATE
    for event in events:
        state = event.apply(state)
    return state


class TestTakenAndOver:
    def test_toward_its_target_and_up_to_the_own_next_turn(self) -> None:
        state = after(WatchTaken("", "ida", "jon"))
        assert state.relation(Watches, "ida", "jon") == Watches("ida", "jon", Expiry("ida", "start"))
        assert watched(state.expire("ida", "end")) == [("ida", "jon")]
        assert watched(state.expire("ida", "start")) == []

    def test_without_a_target_it_is_the_own_affair(self) -> None:
        assert after(GuardTaken("", "ida")).relation(Watches, "ida", "ida") == Watches(
            "ida", "ida", Expiry("ida", "end")
        )

    def test_one_is_over_and_the_others_stand(self) -> None:
        state = after(WatchTaken("", "ida", "jon"), WatchTaken("", "ida", "kit"), WatchOver("", "ida", "jon"))
        assert watched(state) == [("ida", "kit")]

    def test_without_a_target_all_are_over_of_this_one_alone(self) -> None:
        taken = WatchTaken("", "ida", "jon"), WatchTaken("", "ida", "kit"), WatchTaken("", "jon", "ida")
        assert watched(after(*taken, AllOver("", "ida"))) == [("jon", "ida")]

    def test_only_what_is_private_is_for_the_actor_alone(self) -> None:
        assert AllOver("", "ida").private_to() == ("ida",)
        assert WatchOver("", "ida", "jon").private_to() is None

    def test_the_kinds_of_a_module_are_those_that_it_defines(self) -> None:
        import sys

        assert events_in(sys.modules[__name__]) == (WatchTaken, GuardTaken, WatchOver, AllOver)


class TestTurns:
    def test_a_turn_begins_and_what_lasted_until_then_is_over(self) -> None:
        state = after(WatchTaken("", "ida", "jon"), GuardTaken("", "ida"))
        state = state.turn_begun(replace(STATE.actors["ida"], name="Ida again"), 3)
        assert (state.active, state.round, state.actors["ida"].name) == ("ida", 3, "Ida again")
        assert watched(state) == [("ida", "ida")]

    def test_a_turn_is_over_with_what_lasted_until_then(self) -> None:
        state = after(WatchTaken("", "ida", "jon"), GuardTaken("", "ida")).turn_over(STATE.actors["ida"])
        assert (state.active, state.last) == (None, "ida")
        assert watched(state) == [("ida", "jon")]

    def test_the_order_goes_on_behind_whoever_acted_last(self) -> None:
        order = ("ida", "gone", "jon", "kit")
        assert STATE.after_last(order) == ("ida", "jon", "kit")
        assert replace(STATE, last="jon").after_last(order) == ("kit", "ida", "jon")
        assert replace(STATE, last="gone").after_last(order) == ("ida", "jon", "kit")


class TestOnly:
    def test_what_is_the_guides_is_left_out_with_everybody_unknown(self) -> None:
        state = replace(STATE, active="jon", last="kit", rulings=(Ruling("automatic"),), round=4)
        known = shared.only(state, {"ida": STATE.actors["ida"]}, {}, {}, 2)
        assert list(known.actors) == ["ida"]
        assert (known.scene.order, known.scene.source, known.scene.seed) == (("ida",), None, None)
        assert (known.active, known.last, known.rulings, known.round) == (None, None, (), 2)

    def test_whose_turn_it_is_stands_where_that_one_is_known(self) -> None:
        state = replace(STATE, active="ida")
        assert shared.only(state, {"ida": STATE.actors["ida"]}, {}, {}, 0).active == "ida"
