"""What can happen in Storypath; each event makes the next state itself."""

from __future__ import annotations

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import ActorId, At, Fact, Relation, State, Struct
from turnwright.systems.storypath.sheet import Character, Item, Kind, character

# -- facts and relations


class Slot(Struct, frozen=True):
    """A place in the order. It belongs to a side, whoever rolled it, and is filled anew in every round."""

    id: str
    kind: Kind
    value: int
    rolled_by: ActorId = ""
    since: int = 1
    """The first round in which it is there."""
    filled: ActorId = ""
    passed: bool = False

    @property
    def used(self) -> bool:
        return bool(self.filled) or self.passed


class Roster(Fact, frozen=True):
    """All slots in their order; who may name the next one of the players, and whom that one has named already."""

    slots: tuple[Slot, ...] = ()
    holder: ActorId = ""
    named: ActorId = ""


class Momentum(Fact, frozen=True):
    """What the players have together."""

    amount: int = 0


class Complication(Struct, frozen=True, forbid_unknown_fields=True):
    """What goes along with a success unless so many threshold successes buy it off."""

    name: str
    rating: int = 1
    prone: bool = False


class Deed(Fact, frozen=True):
    """Something that can be tried in this scene, with what it is rolled with and what it takes."""

    name: str = ""
    skill: str = "athletics"
    attribute: str = "dexterity"
    difficulty: int = 1
    enhancement: int = 0
    attach: bool = False
    falls: bool = False
    needs_hold: bool = False
    success: str = ""
    failure: str = ""
    complications: tuple[Complication, ...] = ()


class Small(Fact, frozen=True):
    """A reflexive deed of this scene; `listed` where the Storyguide marks it as one like those of everyday."""

    name: str = ""
    listed: bool = True
    pool: int = 0
    difficulty: int = 1


class Reserve(Fact, frozen=True):
    """Somebody who is not in the scene yet."""

    who: Character = Character("", "")


class On(Relation, frozen=True):
    """The owner is on the other: it climbs or rides it."""


class Grapples(Relation, frozen=True):
    """The owner holds the other and is in control."""


class Helped(Relation, frozen=True):
    """The owner has Enhancement for its next roll; against the other where that is somebody else."""

    amount: int = 0
    skill: str = ""


# -- the roster


def roster_of(state: State) -> Roster | None:
    found = state.facts.get("roster")
    return found if isinstance(found, Roster) else None


def _with_slots(state: State, slots: tuple[Slot, ...]) -> State:
    held = roster_of(state) or Roster("roster")
    return state.with_fact(replace(held, slots=slots))


class InitiativeRolled(Event, frozen=True):
    """One roll, and everybody whose result it is."""

    actors: tuple[ActorId, ...]
    by: str
    dice: int
    successes: int

    def concerns(self) -> tuple[ActorId, ...]:
        return ()


class RosterMade(Event, frozen=True):
    """The slots are ranked."""

    slots: tuple[Slot, ...]

    def apply(self, state: State) -> State:
        return _with_slots(state, self.slots)


class SlotPassed(Event, frozen=True):
    """Nobody was left for a slot."""

    slot: str

    def apply(self, state: State) -> State:
        held = roster_of(state)
        assert held is not None
        return _with_slots(state, tuple([replace(s, passed=s.passed or s.id == self.slot) for s in held.slots]))


class SlotStruck(Event, frozen=True):
    """A slot is no more, where the setting says that it falls with whoever rolled it."""

    slot: str

    def apply(self, state: State) -> State:
        held = roster_of(state)
        assert held is not None
        return _with_slots(state, tuple([s for s in held.slots if s.id != self.slot]))


class RoundBegan(Event, frozen=True):
    """A round began: every slot is open again, and what lasts to the end of a round is over.

    Rules: storypath.round.begins-after-initiative.
    """

    round: int

    def apply(self, state: State) -> State:
        held = roster_of(state)
        assert held is not None
        fresh = tuple([replace(slot, filled="", passed=False) for slot in held.slots])
        actors = {name: replace(who, guard=None, soft_now=0, cover=0, moves=0) for name, who in state.actors.items()}
        again = state.with_fact(Roster("roster", fresh))
        return replace(again, actors=actors, round=self.round)


class NextNamed(Event, frozen=True):
    """Whoever may name the next of the players has done so; an empty name takes it back."""

    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        held = roster_of(state)
        assert held is not None
        return state.with_fact(replace(held, named=self.target))

    def concerns(self) -> tuple[ActorId, ...]:
        return ()


class TurnStarted(Event, frozen=True):
    """Somebody fills a slot: one action, one attack.

    Rules: storypath.turn.action-allowance, storypath.turn.one-attack.
    """

    actor: ActorId
    slot: str
    round: int

    def apply(self, state: State) -> State:
        held = roster_of(state)
        assert held is not None
        who = character(state, self.actor)
        slots = tuple([replace(s, filled=self.actor) if s.id == self.slot else s for s in held.slots])
        after = replace(held, slots=slots)
        if who.pc:
            after = replace(after, holder=self.actor, named="")
        begun = replace(who, actions=1, attacks=1, parts=0, mixed=False, escapes=0, acted=self.round)
        state = state.with_fact(after).with_actor(begun)
        return replace(state, active=self.actor, round=self.round).expire(self.actor, "start")


class TurnEnded(Event, frozen=True):
    actor: ActorId

    def apply(self, state: State) -> State:
        who = replace(character(state, self.actor), actions=0, attacks=0, parts=0, mixed=False, small=0, blinded=False)
        ended = replace(state.with_actor(who), active=None, last=self.actor)
        return ended.expire(self.actor, "end")


class Joined(Event, frozen=True):
    """Somebody came late, with a slot of its own in its place among the others."""

    who: Character
    slots: tuple[Slot, ...] = ()

    def apply(self, state: State) -> State:
        facts = {name: fact for name, fact in state.facts.items() if name != f"reserve {self.who.id}"}
        order = (*state.scene.order, self.who.id)
        state = replace(state, facts=facts, scene=replace(state.scene, order=order)).with_actor(self.who)
        return _with_slots(state, self.slots) if self.slots else state

    def concerns(self) -> tuple[ActorId, ...]:
        return (self.who.id,)


class Left(Event, frozen=True):
    """Somebody is no longer in the scene; no slot goes with it."""

    actor: ActorId

    def apply(self, state: State) -> State:
        actors = {name: who for name, who in state.actors.items() if name != self.actor}
        relations = {
            owner: tuple([r for r in held if r.other != self.actor])
            for owner, held in state.relations.items()
            if owner != self.actor
        }
        order = tuple([name for name in state.scene.order if name != self.actor])
        gone = replace(state, actors=actors, relations=relations, scene=replace(state.scene, order=order))
        return replace(gone, active=None) if state.active == self.actor else gone


# -- dice


class PoolRolled(Event, frozen=True):
    """A pool was thrown: the successes of the dice, what Enhancement adds, and whether it was a botch."""

    actor: ActorId
    what: str
    dice: int
    successes: int
    enhancement: int = 0
    botch: bool = False


class Strained(Event, frozen=True):
    """Pain makes the next roll harder, or that roll has been made."""

    actor: ActorId
    amount: int

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), hampered=self.amount))


class MomentumChanged(Event, frozen=True):
    """The players have more or less momentum."""

    by: int
    why: str = ""

    def apply(self, state: State) -> State:
        held = state.facts.get("momentum")
        now = held.amount if isinstance(held, Momentum) else 0
        return state.with_fact(Momentum("momentum", max(0, now + self.by)))


class Helping(Event, frozen=True):
    """Somebody has Enhancement for a roll to come."""

    actor: ActorId
    amount: int
    skill: str = ""
    against: ActorId = ""

    def apply(self, state: State) -> State:
        return state.relate(Helped(self.actor, self.against or self.actor, None, self.amount, self.skill))


class HelpUsed(Event, frozen=True):
    """It went into a roll."""

    actor: ActorId
    against: ActorId = ""

    def apply(self, state: State) -> State:
        return state.unrelate(Helped, self.actor, self.against or self.actor)


class SplitMade(Event, frozen=True):
    """The successes of a mixed action were divided between what was done."""

    actor: ActorId
    parts: tuple[str, ...]
    shares: tuple[int, ...]


# -- deeds


class Did(Event, frozen=True):
    """A rolled deed came out, or not."""

    actor: ActorId
    deed: str
    good: bool
    text: str = ""


class SmallDone(Event, frozen=True):
    """A reflexive deed was done; a listed one of the own turn takes a place beside a mixed action."""

    actor: ActorId
    deed: str
    counts: bool = False

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        return state.with_actor(replace(who, small=who.small + int(self.counts)))


class Engaged(Event, frozen=True):
    """The turn's action was taken, with so many rolled components."""

    actor: ActorId
    parts: int
    mixed: bool = False

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), parts=self.parts, mixed=self.mixed))


class Moved(Event, frozen=True):
    """Somebody is somewhere else, off whatever it was on; whoever is on it comes along."""

    actor: ActorId
    at: At

    def apply(self, state: State) -> State:
        moved = state.with_actor(replace(character(state, self.actor), at=self.at)).unrelate(On, self.actor)
        for tie in state.every(On):
            if tie.other == self.actor and tie.owner in moved.actors:
                moved = moved.with_actor(replace(character(moved, tie.owner), at=self.at))
        return moved


class GotOn(Event, frozen=True):
    """Somebody is on somebody much larger."""

    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        at = character(state, self.target).at
        state = state.with_actor(replace(character(state, self.actor), at=at))
        return state.relate(On(self.actor, self.target))


class FellOff(Event, frozen=True):
    """Somebody falls off what it was on, and lies there."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), prone=True)).unrelate(On, self.actor)


class ProneSet(Event, frozen=True):
    actor: ActorId
    prone: bool

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), prone=self.prone))


class ItemPlaced(Event, frozen=True):
    """A thing is now in a hand, a holster or a pack; without a place it is gone from the person, perhaps to another."""

    actor: ActorId
    item: str
    place: str = ""
    by: ActorId = ""

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        if self.place:
            moved = tuple([_placed(item, self.place) if item.name == self.item else item for item in who.items])
            return state.with_actor(replace(who, items=moved))
        items = tuple([item for item in who.items if item.name != self.item])
        weapons = tuple([weapon for weapon in who.weapons if weapon.name != self.item])
        without = state.with_actor(replace(who, items=items, weapons=weapons))
        if not self.by:
            return without
        taker = character(without, self.by)
        more = tuple([_placed(item, "hand") for item in who.items if item.name == self.item])
        arms = tuple([weapon for weapon in who.weapons if weapon.name == self.item])
        return without.with_actor(replace(taker, items=(*taker.items, *more), weapons=(*taker.weapons, *arms)))


def _placed(item: Item, place: str) -> Item:
    return replace(item, place=place)


class KnackUsed(Event, frozen=True):
    actor: ActorId
    knack: str
    armor: int = 0

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        return state.with_actor(replace(who, soft_now=who.soft_now + self.armor))


# -- the fight


class DefenseSet(Event, frozen=True):
    """Defense to the end of the round, with what more an injury costs and what cover takes."""

    actor: ActorId
    defense: int
    soft: int = 0
    cover: int = 0
    full: bool = False

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        return state.with_actor(
            replace(who, guard=self.defense, soft_now=who.soft_now + self.soft, cover=who.cover + self.cover)
        )


class DefenseOver(Event, frozen=True):
    """A Defense that was rolled for one attack only."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), guard=None))


class Pressed(Event, frozen=True):
    """An attack is on its way to somebody who rolls for Defense; what it costs to roll away from it is seen."""

    actor: ActorId
    target: ActorId
    composure: int

    def concerns(self) -> tuple[ActorId, ...]:
        return (self.actor, self.target)


class Hit(Event, frozen=True):
    """An attack met Defense, with so much over; what armour and size make of it is seen as it lands."""

    actor: ActorId
    target: ActorId
    over: int
    soft: int = 0
    grip: int = 0

    def concerns(self) -> tuple[ActorId, ...]:
        return (self.actor, self.target)


class Missed(Event, frozen=True):
    actor: ActorId
    target: ActorId
    why: str = ""

    def concerns(self) -> tuple[ActorId, ...]:
        return (self.actor, self.target)


class Stunted(Event, frozen=True):
    """Threshold successes were spent on something."""

    actor: ActorId
    target: ActorId
    stunt: str
    cost: int


class Absorbed(Event, frozen=True):
    """Hard armour or cover took an injury."""

    actor: ActorId
    cover: bool = False

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        left = replace(who, cover=who.cover - 1) if self.cover else replace(who, hard=who.hard - 1)
        return state.with_actor(left)


class Injured(Event, frozen=True):
    """A box was filled; without a box one is Taken Out."""

    actor: ActorId
    by: ActorId
    box: str

    def apply(self, state: State) -> State:
        who = character(state, self.actor)
        if not self.box:
            return _out(state, who)
        boxes = {**who.boxes, self.box: who.boxes.get(self.box, 0) + 1}
        return state.with_actor(replace(who, boxes=boxes))


class TakenOut(Event, frozen=True):
    actor: ActorId

    def apply(self, state: State) -> State:
        return _out(state, character(state, self.actor))


def _out(state: State, who: Character) -> State:
    """Whoever is Taken Out holds nobody, and neither is on anybody nor carries anybody."""
    state = state.with_actor(replace(who, taken_out=True, actions=0, attacks=0))
    state = state.unrelate(On, who.id).unrelate(Grapples, who.id)
    for tie in (*state.every(Grapples), *state.every(On)):
        if tie.other == who.id:
            state = state.without(tie)
    return state


class BlindedSet(Event, frozen=True):
    actor: ActorId

    def apply(self, state: State) -> State:
        return state.with_actor(replace(character(state, self.actor), blinded=True))


class GrappleBegun(Event, frozen=True):
    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        return state.relate(Grapples(self.actor, self.target))


class GrappleEnded(Event, frozen=True):
    actor: ActorId
    target: ActorId

    def apply(self, state: State) -> State:
        return state.unrelate(Grapples, self.actor, self.target)


EVENTS: tuple[type[Event], ...] = (
    InitiativeRolled,
    RosterMade,
    SlotPassed,
    SlotStruck,
    RoundBegan,
    NextNamed,
    TurnStarted,
    TurnEnded,
    Joined,
    Left,
    PoolRolled,
    Strained,
    MomentumChanged,
    Helping,
    HelpUsed,
    SplitMade,
    Did,
    SmallDone,
    Engaged,
    Moved,
    GotOn,
    FellOff,
    ProneSet,
    ItemPlaced,
    KnackUsed,
    DefenseSet,
    DefenseOver,
    Pressed,
    Hit,
    Missed,
    Stunted,
    Absorbed,
    Injured,
    TakenOut,
    BlindedSet,
    GrappleBegun,
    GrappleEnded,
)
