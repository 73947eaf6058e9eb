"""Altered Realms: a turn of Action, Motion and Movement, one d20, and hands that hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from turnwright.documents import Problem
from turnwright.engine import Play
from turnwright.events import Event
from turnwright.model import (
    GUIDE,
    ActorId,
    Amount,
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
)
from turnwright.policy import Policy
from turnwright.rules import Action, Game, Gauge, Mark, Measure, Modifier, Settled, Steps, Unasked, ended
from turnwright.systems.altered_realms import card, economy, knowledge, lines, mapped, moments, scene, skills, story
from turnwright.systems.altered_realms.aid import AidNow, LendAid, SkillReady, with_aid
from turnwright.systems.altered_realms.aim import Aim
from turnwright.systems.altered_realms.armor import Doff, Don
from turnwright.systems.altered_realms.attack import Attack, Attacking, AttackRolled, Hurt, OpportunityAttack
from turnwright.systems.altered_realms.bot import Brawler
from turnwright.systems.altered_realms.carry import Carry, LetCarry, PutDown
from turnwright.systems.altered_realms.charge import Charge
from turnwright.systems.altered_realms.economy import Begin, Downgrade, End
from turnwright.systems.altered_realms.events import EVENTS, Primed
from turnwright.systems.altered_realms.forced import AtLedge, Dragged, Follow, Hazard, LastGrasp, Push
from turnwright.systems.altered_realms.grapple import Escape, Grapple, Release
from turnwright.systems.altered_realms.guard import DefensiveStance, Dodge
from turnwright.systems.altered_realms.harm import measures, settle
from turnwright.systems.altered_realms.hurl import ThrowOpponent
from turnwright.systems.altered_realms.initiative import RollInitiative
from turnwright.systems.altered_realms.items import Draw, Drink, Drop, PickUp, Rummage, Stow
from turnwright.systems.altered_realms.locks import Disarm, Opened, PickLock
from turnwright.systems.altered_realms.magic import Casting, Rest, Sleep, StopSustaining, Triggered, Use
from turnwright.systems.altered_realms.maneuvers import UseManeuver
from turnwright.systems.altered_realms.morale import Inspire, Rallied, Rally, RallySave, ReadyInspiration
from turnwright.systems.altered_realms.movement import Arrived, Leaving, LongSprint, Sprint, Stand, Walk
from turnwright.systems.altered_realms.prime import CUED, Cued, Prime, Trigger, attempt_prepared
from turnwright.systems.altered_realms.recuperate import Recuperate
from turnwright.systems.altered_realms.rolls import save_parts, skill_parts
from turnwright.systems.altered_realms.settings import ATTRIBUTES, OPEN, Settings
from turnwright.systems.altered_realms.sheet import Creature, creature, reaction_label
from turnwright.systems.altered_realms.shield import MeatShield, shielded
from turnwright.systems.altered_realms.skills import AllowRolls, Attempt
from turnwright.systems.altered_realms.space import tiles
from turnwright.systems.altered_realms.throwing import Catch, ImprovisedWeapon, InTheAir, Throw, Toss, caught, lacks_dc
from turnwright.systems.altered_realms.trip import Trip

M = TypeVar("M", bound=Moment)


class Settle(Unasked):
    """After the Narrator changed something: holds that cannot be any more are over.

    Rules: altered-realms.grapple.forced-break.
    """

    name = "settle"
    about = "end the holds that cannot be any more"
    rules = ("altered-realms.grapple.forced-break",)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        settle(play)
        return ended(Outcome(self.name, "settled"))


class AlteredRealms(Game):
    """The game as the core asks for it."""

    name = "altered-realms"
    title = "Altered Realms"
    character = Creature
    events = EVENTS
    tellers = story.TELLERS
    moments = (
        Arrived,
        Opened,
        Attacking,
        Casting,
        Leaving,
        AttackRolled,
        Hurt,
        SkillReady,
        AtLedge,
        Dragged,
        Rallied,
        InTheAir,
    )
    settings = Settings
    open_settings = OPEN
    guide_word = "Narrator"
    tells_dice = True
    order_rule = "altered-realms.reaction.definition"
    path_rules = {
        "rule": "altered-realms.reaction.any-off-turn-act",
        "react": "altered-realms.reaction.definition",
        "way": "altered-realms.downgrade.allowed-mid-turn",
    }
    settle_action = "settle"

    def __init__(self) -> None:
        super().__init__()
        self._knows: dict[SeatId, tuple[State, State]] = {}
        self.register(Walk(), Stand(), Sprint(), LongSprint(), Downgrade())
        self.register(Attack(), Aim(), Charge(), Trip(), Dodge(), DefensiveStance(), Recuperate())
        self.register(Attempt(), LendAid(), AidNow(), PickLock(), Disarm(), AllowRolls())
        self.register(Use(), StopSustaining(), Rest(), Sleep(), Triggered())
        self.register(
            Grapple(), Escape(), Release(), MeatShield(), Push(), Follow(), LastGrasp(), ThrowOpponent(), Hazard()
        )
        self.register(Rally(), RallySave(), Inspire(), ReadyInspiration(), Carry(), PutDown(), LetCarry())
        self.register(Throw(), Toss(), Catch(), ImprovisedWeapon(), Don(), Doff(), UseManeuver())
        self.register(Prime(self.actions), Trigger(self.actions), *[cued(self.actions) for cued in CUED])
        self.register(Draw(), Stow(), Drop(), PickUp(), Rummage(), Drink())
        self.register(OpportunityAttack(), Begin(), End(), RollInitiative(), Settle())

    def read_scene(self, text: str | bytes, source: str) -> State:
        return scene.read_scene(text, source)

    def scene_warnings(self, text: str | bytes, source: str) -> tuple[Problem, ...]:
        return scene.scene_warnings(text, source)

    def scene_schema(self) -> dict[str, Any]:
        return scene.scene_schema()

    def sample(self) -> str:
        return scene.SAMPLE

    def general(self, known: State, action: Action, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        return economy.general(known, action, d, moment)

    def available(self, known: State, actor: ActorId, resource: str) -> Amount | None:
        return economy.available(known, actor, resource)

    def short(self, known: State, actor: ActorId, cost: Cost, need: Amount, have: Amount) -> Refusal:
        return economy.short(known, actor, cost, need, have)

    def ways(self, known: State, d: Declaration, price: Price) -> tuple[Price, ...]:
        return economy.ways(known, d, price)

    def known(self, state: State, seat: SeatId) -> State:
        if seat == GUIDE:
            return state
        kept = self._knows.get(seat)
        if kept is None or kept[0] is not state:
            kept = self._knows[seat] = (state, knowledge.known(state, seat))
        return kept[1]

    def believed(self, state: State, known: State) -> tuple[State, tuple[str, ...]]:
        return knowledge.believed(state, known), tuple(knowledge.assumed(state, known))

    def sees_event(self, before: State, after: State, event: Event, seat: SeatId) -> Event | None:
        return knowledge.sees_event(before, after, event, seat)

    def may_react(self, state: State, moment: Moment) -> bool:
        """Some moments matter only to what is prepared."""
        if isinstance(moment, (Arrived, Opened, Attacking, Casting)):
            return next(state.every(Primed), None) is not None
        return True

    def owners(self, state: State, reaction: Action, moment: Moment) -> Iterable[ActorId]:
        if isinstance(moment, Leaving):
            mover = creature(state, moment.actor)
            foes = [who for who in state.actors.values() if who.side != mover.side and not who.down]
            return [foe.id for foe in foes if mover.id in self.known(state, foe.seat).actors]
        if isinstance(reaction, Cued):
            return [held.owner for held in state.every(Primed) if held.cue is not None and held.owner != state.active]
        return ()

    def changed_moment(self, moment: M, outcome: Outcome) -> M:
        changed: Any = moment
        if isinstance(moment, SkillReady):
            changed = with_aid(moment, outcome)
        elif isinstance(moment, AttackRolled):
            changed = shielded(moment, outcome)
        elif isinstance(moment, InTheAir):
            changed = caught(moment, outcome)
        elif isinstance(moment, AtLedge) and outcome.action == "last_grasp":
            changed = replace(moment, saved=outcome.result == "success")
        return changed  # type: ignore[no-any-return]

    def suggestions(self, state: State, d: Declaration) -> tuple[Ruling, ...]:
        """What comes first to mind: the action as it is, or that there is no time for it."""
        if d.action == "throw" and state.active == d.actor:
            far = Ruling("check", skill="athletics", target=30)
            return (far, Ruling("impossible", obstacle="nobody throws that far"))
        held = attempt_prepared(state, d)
        if held is not None:
            return skills.suggestions(state, held)
        if d.action == "fire_primed":
            return (Ruling("procedure", procedure=d.action), Ruling("impossible", obstacle="its trigger has not come"))
        if d.action == "attempt":
            return skills.suggestions(state, d)
        return (
            Ruling("procedure", procedure=d.action),
            Ruling("impossible", obstacle="there is no time for that on somebody else's turn"),
        )

    def incomplete(self, state: State, d: Declaration, ruling: Ruling) -> Iterator[Refusal]:
        rule = "altered-realms.reaction.any-off-turn-act"
        if ruling.kind == "impossible" and not ruling.obstacle:
            yield Refusal(rule, "say what stands in the way", "INCOMPLETE obstacle")
        if ruling.kind == "procedure" and ruling.procedure not in ("", d.action, *self.procedures()):
            named = ", ".join(self.procedures())
            yield Refusal(rule, f"the procedure is one of {named}", "INCOMPLETE procedure")
        if d.action == "throw" and ruling.kind == "check" and ruling.target is not None:
            return
        if lacks_dc(state, d) and ruling.kind != "impossible":
            yield Refusal("altered-realms.throw-object.long-dc-table", "say against which DC", "INCOMPLETE target")
        if d.action == "attempt" or attempt_prepared(state, d) is not None:
            yield from skills.lacking(state, d, ruling)
        elif ruling.kind in ("check", "automatic"):
            yield Refusal(rule, "say `procedure`, or what stands in the way", "INCOMPLETE kind")

    def next_up(self, state: State) -> ActorId | None:
        return next(iter(self.in_order(state)), None)

    def in_order(self, state: State) -> tuple[ActorId, ...]:
        return economy.in_order(state)

    def bot(self) -> Policy:
        return Brawler()

    def moment_words(self, known: State, moment: Moment) -> str:
        return moments.words(known, moment)

    def tell_all(self, told: Sequence[tuple[State, Event]]) -> list[str]:
        return lines.tell_all(told)

    def resource_words(self, resource: str, amount: int) -> str:
        return economy.resource_words(resource, amount)

    def measures(self, state: State) -> Iterable[Measure]:
        return measures(state)

    def sums(self, state: State, actor: ActorId) -> Mapping[str, tuple[Modifier, ...]]:
        """Saves and trained skills as the parts that make them up."""
        who = creature(state, actor)
        rule = "altered-realms.skill.physical-narrator-picks"
        saves = {f"{name} save": tuple(save_parts(who, name, rule)) for name in ATTRIBUTES}
        return saves | {skill: tuple(skill_parts(state, who, skill, rule)) for skill in who.training}

    def sheet(self, state: State, actor: ActorId) -> Mapping[str, Any]:
        """Rules: altered-realms.reaction.count-scale."""
        label = reaction_label(creature(state, actor).reaction_count)
        return {**super().sheet(state, actor), "reaction_speed": label}

    def summary(self, state: State, actor: ActorId) -> str:
        return story.summary(state, creature(state, actor))

    def gauges(self, state: State, actor: ActorId) -> tuple[Gauge, ...]:
        return card.gauges(state, actor)

    def conditions(self, state: State, actor: ActorId) -> tuple[Mark, ...]:
        return card.conditions(state, actor)

    def hiding(self, known: State, actor: ActorId) -> tuple[Mark, ...]:
        return card.hiding(known, actor)

    def sees_of(self, state: State, actor: ActorId, among: Iterable[Cell]) -> Iterable[Cell]:
        return mapped.sees_of(state, actor, among)

    def footprint(self, known: State, actor: ActorId) -> tuple[Cell, ...]:
        return tiles(known, creature(known, actor))

    def door_words(self, known: State, door: str) -> str:
        return mapped.door_words(known, door)


GAME = AlteredRealms()
