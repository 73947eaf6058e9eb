"""Narateer: actions paid in dice, declared by goal and means, ruled on by a Guide, hidden from each creature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.events import Event
from turnwright.model import (
    ActorId,
    Amount,
    Bill,
    Cell,
    Cost,
    Declaration,
    Moment,
    Outcome,
    Price,
    Refusal,
    Ruling,
    SeatId,
    State,
    cost,
)
from turnwright.policy import Policy
from turnwright.rules import Action, Game, Gauge, Mark, Measure, Modifier, Settled, Steps, Unasked
from turnwright.systems.narateer import assume, card, declare, economy, knowledge, mapped, scene, story
from turnwright.systems.narateer.additional import ExtraMove
from turnwright.systems.narateer.allowance import bm_parts
from turnwright.systems.narateer.assist import Assist
from turnwright.systems.narateer.bot import Fighter
from turnwright.systems.narateer.chances import measures
from turnwright.systems.narateer.check import CheckReady, commit_moment, totals
from turnwright.systems.narateer.conditions import Stand
from turnwright.systems.narateer.conversion import STORY
from turnwright.systems.narateer.declare import Attempt
from turnwright.systems.narateer.economy import Begin, End
from turnwright.systems.narateer.equipment import Use, door_ruling
from turnwright.systems.narateer.events import EVENTS, DoorWay, Helping, HelpLapsed, Looking, SearchEnded
from turnwright.systems.narateer.exchange import Attack, ExchangeInitiated, ExchangeResolved, Struck
from turnwright.systems.narateer.hidden import AffectArea
from turnwright.systems.narateer.hide import Hide
from turnwright.systems.narateer.magic import Cast, CastInReply
from turnwright.systems.narateer.movement import Run, Walk
from turnwright.systems.narateer.notice import lost_by, settle
from turnwright.systems.narateer.obstacles import ObstacleCheck, challenge_called, preset
from turnwright.systems.narateer.opportunity import OpportunityAttack
from turnwright.systems.narateer.passing import Stepped
from turnwright.systems.narateer.places import story_presets
from turnwright.systems.narateer.reactions import PowerPart, UsePower
from turnwright.systems.narateer.reveal import CallOut, ClueLeft, FollowClue, MakeNoise
from turnwright.systems.narateer.routes import EXTRA, MODES, metres_left
from turnwright.systems.narateer.search import Search
from turnwright.systems.narateer.settings import OPEN, Settings
from turnwright.systems.narateer.sheet import Character
from turnwright.systems.narateer.shift import Shift
from turnwright.systems.narateer.sneak import StopHiding
from turnwright.systems.narateer.sprint import Sprint
from turnwright.systems.narateer.triggers import MOMENTS, SpellCast

M = TypeVar("M", bound=Moment)
STORY_MOVES = (*MODES, EXTRA)


class Settle(Unasked):
    """After the guide changed something: whoever is plainly seen now is revealed, and waiting Hides are settled."""

    name = "settle"
    about = "bring hiding in line with what can be perceived"
    rules = ("narateer.hidden.not-invisible",)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        yield from settle(play)
        return Outcome(self.name, "settled")


class Narateer(Game):
    """The game as the core asks for it."""

    name = "narateer"
    title = "Narateer"
    character = Character
    events = EVENTS
    tellers = story.TELLERS
    moments = (CheckReady, Stepped, ExchangeInitiated, Struck, ExchangeResolved, SpellCast, ClueLeft)
    settings = Settings
    open_settings = OPEN
    boost = "ad"
    guide_word = "Guide"
    order_rule = "narateer.reaction.any-time-its-trigger-occurs"
    path_rules = declare.PATH
    settle_action = "settle"

    def __init__(self) -> None:
        super().__init__()
        parts = [PowerPart(trigger, reaction) for trigger in MOMENTS for reaction in (False, True)]
        replies = [CastInReply(trigger, reaction) for trigger in MOMENTS for reaction in (False, True)]
        self.register(Walk(), Run(), Sprint(), ExtraMove(), Stand())
        self.register(Attack(), Hide(), StopHiding(), Search(), Use(), Attempt(), AffectArea())
        self.register(Cast(), CallOut(), MakeNoise(), Assist(), OpportunityAttack(), FollowClue(), UsePower(), *parts)
        self.register(*replies)
        self.register(Begin(), End(), ObstacleCheck(), Settle(), Shift())
        by_sheet = (PowerPart, CastInReply)
        self._by_sheet = {m for m, held in self.reactions.items() if all(isinstance(r, by_sheet) for r in held)}
        """The moments to which only Powers and spells react."""

    def read_scene(self, text: str | bytes, source: str) -> State:
        return scene.read_scene(text, source, tuple(self.actions))

    def scene_schema(self) -> dict[str, Any]:
        return scene.scene_schema()

    def sample(self) -> str:
        return scene.SAMPLE

    def general(self, known: State, action: Action, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        return iter(()) if action.nature == "guide" else economy.general(known, action, d, moment)

    def available(self, known: State, actor: ActorId, resource: str) -> Amount | None:
        return economy.available(known, actor, resource)

    def short(self, known: State, actor: ActorId, cost: Cost, need: Amount, have: Amount) -> Refusal:
        return economy.short(known, actor, cost, need, have)

    def boosted(self, price: Price, boost: int) -> Price:
        """Rules: narateer.boost.after-base (it comes on top and replaces nothing)."""
        if not boost:
            return price
        return price.plus(cost("ad", boost, "Boost", "narateer.boost.cap-is-skill-level"))

    def acted(self, play: Play, action: Action, d: Declaration) -> None:
        """A search goes on until its owner does something else; a Walk or a Run within the place is movement only."""
        search = play.state.relation(Looking, d.actor, d.actor)
        if search is None or search.by_word or action.name in ("search", "walk", "run"):
            return
        if action.nature == "proactive":
            play.emit(SearchEnded("narateer.hide.active-looking-definition", d.actor))

    def withdrew(self, play: Play, d: Declaration) -> None:
        """Help is for one check; it is not kept for another."""
        if play.state.related(Helping, d.actor):
            play.emit(HelpLapsed("narateer.assist.window", d.actor))

    def commit_moment(self, actor: ActorId, bill: Bill, ruling: Ruling | None) -> Moment | None:
        return commit_moment(actor, bill)

    def changed_moment(self, moment: M, outcome: Outcome) -> M:
        """Rules: narateer.reaction.modifier-power-is-not-reaction (what a Power adds to the event that opened it)."""
        if not outcome.amount or outcome.result != "used":
            return moment
        if isinstance(moment, Struck):
            return replace(moment, wounds=moment.wounds + outcome.amount)
        if isinstance(moment, ExchangeInitiated) and outcome.who == (moment.by,):
            return replace(moment, attack=moment.attack + outcome.amount)
        if isinstance(moment, ExchangeInitiated) and outcome.who == (moment.target,):
            return replace(moment, guard=moment.guard + outcome.amount)
        return moment

    def may_react(self, state: State, moment: Moment) -> bool:
        if type(moment) not in self._by_sheet:
            return True
        return bool([actor for actor in state.actors.values() if actor.powers or actor.spells])

    def owners(self, state: State, reaction: Action, moment: Moment) -> Iterable[ActorId]:
        if isinstance(reaction, OpportunityAttack) and isinstance(moment, Stepped):
            return [a.id for a in state.actors.values() if a.side != state.actors[moment.actor].side and not a.down]
        if isinstance(reaction, PowerPart | CastInReply):
            return [a.id for a in state.actors.values() if any(True for _ in reaction.variants(state, a.id))]
        return ()

    def known(self, state: State, seat: SeatId) -> State:
        return knowledge.known(state, seat)

    def believed(self, state: State, known: State) -> tuple[State, tuple[str, ...]]:
        return assume.believed(state, known)

    def kept_in_mind(self, before: State, after: State) -> Iterable[Event]:
        return lost_by(before, after)

    def sees_event(self, before: State, after: State, event: Event, seat: SeatId) -> Event | None:
        return knowledge.sees_event(before, after, event, seat)

    def suggestions(self, state: State, d: Declaration) -> tuple[Ruling, ...]:
        if state.mode == STORY and d.action in STORY_MOVES:
            mover = state.actors[d.actor]
            return story_presets(state, d, metres_left(state, mover, d.action, d.option("skill")))
        if d.action == "attack":
            return (Ruling("procedure", procedure="attack"), Ruling("impossible", obstacle="that is out of reach"))
        if d.action == "search":
            place = tuple(name for name in (d.option("place") or d.option("thing"),) if name)
            check = Ruling("check", skill="observation", scope=place, success="what is there is found")
            risk = replace(check, failure="time passes, and nothing is certain", why="uncertain")
            return (risk, Ruling("automatic", tier="trivial", success="there is nothing out of the ordinary"))
        if d.action == "sprint":
            return (Ruling("procedure", procedure="sprint"), Ruling("impossible", obstacle="no route for that Skill"))
        met = challenge_called(state, d.option("obstacle"))
        if met is not None:
            return (preset(state, met), Ruling("automatic", success=f"past {met.name}"))
        fact = state.facts.get(d.option("using"))
        if isinstance(fact, DoorWay):
            return (door_ruling(state, fact), *declare.presets(state, d))
        return declare.presets(state, d)

    def circumstances(self, state: State, d: Declaration) -> tuple[str, ...]:
        met = challenge_called(state, d.option("obstacle"))
        held = declare.circumstances(state, d, met.name if met is not None else "")
        if state.mode == STORY and d.action in STORY_MOVES:  # how far it is holds for these two alone
            return (*held, f"{d.actor} {d.option('relation') or 'near'} {d.option('to')}")
        return held

    def incomplete(self, state: State, d: Declaration, ruling: Ruling) -> Iterator[Refusal]:
        if ruling.kind == "procedure" and ruling.procedure not in (d.action, *self.procedures()):
            named = ", ".join(self.procedures())
            yield Refusal(
                "narateer.declare.ruling-contents", f"the procedure is one of {named}", "INCOMPLETE procedure"
            )
        yield from declare.lacking(state, d, ruling)

    def warned_by(self, state: State, d: Declaration, ruling: Ruling) -> tuple[str, ...]:
        return declare.warned_by(state, d, ruling)

    def next_up(self, state: State) -> ActorId | None:
        """By the order of the scene, or the guide's word where the scene says so."""
        order = self.in_order(state)
        guided = state.scene.settings.order == "guide"
        return None if guided or not order else order[0]

    def in_order(self, state: State) -> tuple[ActorId, ...]:
        """By the order of the scene; whoever is down is passed over."""
        return tuple([name for name in state.after_last(state.scene.order) if not state.actors[name].down])

    def bot(self) -> Policy:
        return Fighter()

    def measures(self, state: State) -> Iterable[Measure]:
        return measures(state)

    def sums(self, state: State, actor: ActorId) -> Mapping[str, tuple[Modifier, ...]]:
        who = state.actors[actor]
        skills = {skill: tuple(totals(state, who, skill)) for skill in who.skills}
        return {"Base Movement": tuple(bm_parts(state, who))} | skills

    def summary(self, state: State, actor: ActorId) -> str:
        return story.summary(state, state.actors[actor])

    def gauges(self, state: State, actor: ActorId) -> tuple[Gauge, ...]:
        return card.gauges(state, actor)

    def conditions(self, state: State, actor: ActorId) -> tuple[Mark, ...]:
        return card.conditions(state, actor)

    def hiding(self, known: State, actor: ActorId) -> tuple[Mark, ...]:
        return card.hiding(known, actor)

    def unplaced(self, known: State, actor: ActorId) -> tuple[Mark, ...]:
        return card.unplaced(known, actor)

    def sees_of(self, state: State, actor: ActorId, among: Iterable[Cell]) -> Iterable[Cell]:
        return mapped.sees_of(state, actor, among)

    def space_metres(self, state: State) -> int:
        return mapped.space_metres(state)

    def door_words(self, known: State, door: str) -> str:
        return mapped.door_words(known, door)

    def resource_words(self, resource: str, amount: int) -> str:
        return card.resource_words(resource, amount)


GAME = Narateer()
