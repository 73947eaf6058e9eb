"""Storypath (Scion): slots that belong to a side, one action a turn, and successes that are divided and spent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from turnwright.documents import Problem
from turnwright.events import Event
from turnwright.model import (
    GUIDE,
    ActorId,
    Amount,
    Bill,
    Cost,
    Declaration,
    Moment,
    Price,
    Refusal,
    Ruling,
    SeatId,
    State,
)
from turnwright.policy import Policy
from turnwright.rules import Action, Game, Measure, Modifier
from turnwright.systems.storypath import knowledge, lines, roster, scene, slots, story, turn
from turnwright.systems.storypath.bot import Warrior
from turnwright.systems.storypath.coming import Arrive, Depart
from turnwright.systems.storypath.dirty import DownAndDirty
from turnwright.systems.storypath.events import EVENTS
from turnwright.systems.storypath.grapple import BreakFree, Release
from turnwright.systems.storypath.guard import FullDefense
from turnwright.systems.storypath.handing import HandOn, TakeBack
from turnwright.systems.storypath.injuries import measures
from turnwright.systems.storypath.mixed import Mixed, named
from turnwright.systems.storypath.moving import Disengage, Move
from turnwright.systems.storypath.reflexive import Draw, Look, SmallDeed, Stand, UseKnack, UseKnackAsAction
from turnwright.systems.storypath.rolls import Pause, part, with_dice
from turnwright.systems.storypath.roster import Begin, End, RollInitiative
from turnwright.systems.storypath.settings import OPEN, Settings
from turnwright.systems.storypath.settling import Settle
from turnwright.systems.storypath.sheet import Character, character, public, settings
from turnwright.systems.storypath.simple import (
    Attack,
    Attempt,
    DoDeed,
    Hurry,
    PickUp,
    Rummage,
    Rush,
)


class Storypath(Game):
    """The game as the core asks for it."""

    name = "storypath"
    title = "Storypath"
    character = Character
    events = EVENTS
    tellers = story.TELLERS
    moments = (Pause,)
    settings = Settings
    open_settings = OPEN
    settle_action = "settle"
    boost = "dice"
    boost_word = "Extra dice"
    boost_asked = "how many extra dice, for momentum"
    guide_word = "Storyguide"
    order_rule = "storypath.initiative.storyguide-orders-sgcs"
    path_rules = {"rule": "storypath.simple.full-attention", "confirm": "storypath.simple.full-attention"}

    def __init__(self) -> None:
        super().__init__()
        self._knows: dict[SeatId, tuple[State, State]] = {}
        self._veiled: dict[ActorId, tuple[Character, Settings, Character]] = {}
        self.register(Attack(), Mixed(), DoDeed(), Rush(), Hurry(), FullDefense(), DownAndDirty(), Attempt())
        self.register(Move(), Disengage(), Stand(), Draw(), Look(), SmallDeed(), UseKnack(), UseKnackAsAction())
        self.register(BreakFree(), Release(), Rummage(), PickUp(), HandOn(), TakeBack())
        self.register(Begin(), End(), RollInitiative(), Arrive(), Depart(), Settle())

    def read_scene(self, text: str | bytes, source: str) -> State:
        return scene.read_scene(text, source)

    def scene_warnings(self, text: str | bytes, source: str) -> tuple[Problem, ...]:
        return scene.scene_warnings(text, source)

    def scene_schema(self) -> dict[str, Any]:
        return scene.scene_schema()

    def sample(self) -> str:
        return scene.SAMPLE

    def general(self, known: State, action: Action, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        return turn.general(known, action, d, moment)

    def available(self, known: State, actor: ActorId, resource: str) -> Amount | None:
        return turn.available(known, actor, resource)

    def short(self, known: State, actor: ActorId, cost: Cost, need: Amount, have: Amount) -> Refusal:
        return turn.short(known, actor, cost, need, have)

    def boosted(self, price: Price, boost: int) -> Price:
        return with_dice(price, boost)

    def commit_moment(self, actor: ActorId, bill: Bill, ruling: Ruling | None) -> Moment | None:
        return Pause(actor)

    def known(self, state: State, seat: SeatId) -> State:
        if seat == GUIDE:
            return state
        seat = knowledge.like(state, seat)
        kept = self._knows.get(seat)
        if kept is None or kept[0] is not state:
            kept = self._knows[seat] = (state, knowledge.known(state, seat, self._public))
        return kept[1]

    def _public(self, state: State, who: Character) -> Character:
        """What anybody sees of somebody, made once for as long as nothing about them changes."""
        held = self._veiled.get(who.id)
        if held is None or held[0] is not who or held[1] is not state.scene.settings:
            held = self._veiled[who.id] = (who, settings(state), public(state, who))
        return held[2]

    def believed(self, state: State, known: State) -> tuple[State, tuple[str, ...]]:
        return known, tuple(knowledge.assumed(known))

    def sees_event(self, before: State, after: State, event: Event, seat: SeatId) -> Event | None:
        return knowledge.sees_event(before, after, event, seat)

    def suggestions(self, state: State, d: Declaration) -> tuple[Ruling, ...]:
        """A roll at one of the steps of the ladder, nothing rolled, or that it cannot be."""
        rule = settings(state)
        first = rule.hurry_difficulty if "hurry" in (d.action, *named(d)) else 1
        steps = [first, *[number for number in (1, 2, 3) if number != first]]
        checks = [Ruling("check", skill="athletics+dexterity", target=n, success="it works") for n in steps]
        return (
            *checks,
            Ruling("automatic", success="it just works"),
            Ruling("impossible", obstacle="it cannot be done"),
        )

    def incomplete(self, state: State, d: Declaration, ruling: Ruling) -> Iterator[Refusal]:
        rule = "storypath.simple.full-attention"
        if ruling.kind == "impossible" and not ruling.obstacle:
            yield Refusal(rule, "say what stands in the way", "INCOMPLETE obstacle")
        if ruling.kind == "check" and ruling.target is None:
            yield Refusal(rule, "say how many successes it takes: target", "INCOMPLETE target")
        if ruling.kind == "check" and ruling.target is not None and ruling.target < 1:
            yield Refusal("storypath.mixed.halves-judged-separately", "no Difficulty is below 1", "BAD_ANSWER")
        if ruling.kind == "check" and d.action == "attempt" and "+" not in ruling.skill:
            yield Refusal(rule, "say Skill and Attribute, such as athletics+dexterity", "INCOMPLETE skill")
        if ruling.kind == "procedure" and ruling.procedure not in [n for n in self.procedures() if n != "attempt"]:
            named = ", ".join(self.procedures())
            yield Refusal(rule, f"the procedure is one of {named}", "INCOMPLETE procedure")

    def next_up(self, state: State) -> ActorId | None:
        return next(iter(self.in_order(state)), None)

    def in_order(self, state: State) -> tuple[ActorId, ...]:
        return slots.in_order(state)

    def bot(self) -> Policy:
        return Warrior()

    def tell_all(self, told: Sequence[tuple[State, Event]]) -> list[str]:
        return lines.tell_all(told)

    def resource_words(self, resource: str, amount: int) -> str:
        return turn.resource_words(resource, amount)

    def boost_words(self, known: State, most: int) -> str:
        each = settings(known).momentum_for_a_die
        return f"extra dice 0 to {most}, {each} momentum each"

    def measures(self, state: State) -> Iterable[Measure]:
        return measures(state)

    def sums(self, state: State, actor: ActorId) -> Mapping[str, tuple[Modifier, ...]]:
        """The initiative pool as the parts that make it up."""
        who, rule = character(state, actor), "storypath.initiative.pool-formula"
        if who.initiative is not None or who.pools:
            return {"initiative": (part("on the sheet", roster.initiative_pool(state, who), rule),)}
        cunning = who.attributes.get("cunning", 0)
        best = roster.initiative_pool(state, who) - cunning
        return {"initiative": (part("best combat Skill", best, rule), part("Cunning", cunning, rule))}

    def summary(self, state: State, actor: ActorId) -> str:
        return story.summary(state, character(state, actor))


GAME = Storypath()
