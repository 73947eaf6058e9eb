"""What can happen in Narateer."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from msgspec.structs import replace

from turnwright.events import Event
from turnwright.model import ActorId, At, Cell, Expiry, Fact, Relation, SeatId, Stands, State, Struct
from turnwright.space.story import COVER, MUTUAL
from turnwright.systems.narateer.sheet import ZERO, Character

# -- relations; the owner is the one who is hidden, known about, helped


class Hidden(Relation, frozen=True):
    """The owner is hidden from the other, with the total to find it by."""

    total: int = 0


class Exposed(Relation, frozen=True):
    """The other has noticed the owner since its last Hide, was not fooled by it, or could see all along."""


class Record(Relation, frozen=True):
    """The owner's latest Hide that still stands; found out by somebody of whom the owner does not know, it stands."""

    total: int = 0
    goal: str = "location"


class Waiting(Relation, frozen=True):
    """The owner hides where nobody could notice yet; the check comes when somebody can."""

    goal: str = ""


class Known(Relation, frozen=True):
    """Where the other last knew the owner to be, and how it knows; `at` is None for mere presence.

    After `was` the Space has been seen without the owner: the last position, and no longer where it is.
    """

    at: At = None
    how: str = "saw"
    aware: bool = False
    """Whether the owner knows that it is known, because it saw who was looking."""
    behind: str = ""
    """Where relations are stated: behind what it was known to be."""
    space: Cell | None = None
    """The Space that was remembered before the Scene Mode was shifted away from Spaces."""


class Looking(Relation, frozen=True):
    """The owner is actively looking at some Spaces or Zones, or follows clues; `total` once it has rolled for it."""

    scope: tuple[Cell | str, ...] = ()
    place: str = ""
    total: int | None = None
    by_word: bool = False
    trail: ActorId = ""
    """To whom the clues lead; whoever follows them does not know it."""


class GuideSays(Relation, frozen=True):
    """The guide's word on whether the owner is clearly perceived by the other; no means distracted or screened."""

    clear: bool = False


class Helping(Relation, frozen=True):
    """The owner's next check has Advantage from the other."""


class Tempo(Relation, frozen=True):
    """The owner has Tempo (or has not) whoever's Activation it is."""

    has: bool = True


MET = (Hidden, Exposed)
"""What a creature that has met a Hide is to the one who hides."""

# -- facts


class Secret(Fact, frozen=True):
    """Something concealed: where it is, what shuts it off, the number to meet, and who has found it."""

    name: str = ""
    place: str = ""
    sealed: bool = False
    behind: bool = False
    target: int = 0
    certain: bool = False
    found_by: tuple[ActorId, ...] = ()
    identified: bool = False
    understood_by: tuple[ActorId, ...] = ()


class Searched(Fact, frozen=True):
    """A Search that was made, for what counts as the same one.

    `met` is what stood against it then, for the guide alone; None where that is not known.
    """

    actor: ActorId = ""
    key: tuple[str, ...] = ()
    scope: tuple[Cell | str, ...] = ()
    met: tuple[str, ...] | None = None


class Established(Fact, frozen=True):
    """Something that an action brought about."""

    text: str = ""
    unseen_by: tuple[ActorId, ...] = ()
    """Opponents who did not see who brought it about."""


class Obstacle(Fact, frozen=True):
    """Something on a Space that costs metres or, where success is in doubt and both outcomes matter, a check."""

    name: str = ""
    at: Cell | str = (0, 0)
    tags: tuple[str, ...] = ()
    uncertain: bool = True
    success_changes: bool = True
    failure_changes: bool = True
    metres: int = 0
    skill: str = ""
    target: int | None = None
    failure: str = ""
    consequence: str = ""
    amount: int = 0
    cleared: bool = False


class DoorWay(Fact, frozen=True):
    """How a door is opened: trivial, minor, or a check of a Skill against a target; a broken one holds nobody."""

    name: str = ""
    opens: str = "trivial"
    skill: str = ""
    target: int | None = None
    success: str = ""
    failure: str = ""
    breaks: bool = False
    """Whether the check that opens it breaks it."""
    broken: bool = False


class DoorBelief(Fact, frozen=True):
    """How somebody believes a door to be that was moved out of its sight; gone as soon as it sees the door."""

    actor: ActorId = ""
    door: str = ""
    open: bool = False
    was: DoorWay | None = None
    """How it was opened then."""


class Situation(Fact, frozen=True, omit_defaults=False):
    """What the guide lays out before anybody declares anything; all four lists are shown, also the empty ones."""

    opportunities: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    threats: tuple[str, ...] = ()
    stakes: tuple[str, ...] = ()


UNSEEN = "unseen"


class Blind(Struct, frozen=True):
    """An observer to whom somebody is not there, from where it was to where the other was; None is wherever."""

    observer: ActorId
    target: ActorId
    seen_from: At = None
    at: At = None

    def holds(self, observer: ActorId, target: ActorId, here: At, there: At) -> bool:
        return (
            self.observer == observer
            and self.target == target
            and self.seen_from in (None, here)
            and self.at in (None, there)
        )


class Believed(Struct, frozen=True):
    """Who did not perceive whom, by what one seat knew of others than its own characters.

    `watched` are its own who took it that another had them in sight, and lost it by the shift.
    """

    seat: SeatId
    unplaced: tuple[Blind, ...] = ()
    unreached: tuple[Blind, ...] = ()
    unsure: tuple[Blind, ...] = ()
    watched: tuple[Known, ...] = ()


class Unseen(Fact, frozen=True):
    """Who did not perceive whom when the Scene Mode was shifted, and does not by that alone, until one of them moves.

    `unplaced` are those whom no sense placed, `unreached` those whom none could have noticed at all, and `unsure` those
    of whose place the other was not sure; `believed` is what each seat took to be so. While a shift is `going` on, all
    others are perceived wherever they are shown.
    """

    unplaced: tuple[Blind, ...] = ()
    unreached: tuple[Blind, ...] = ()
    unsure: tuple[Blind, ...] = ()
    believed: tuple[Believed, ...] = ()
    going: bool = False

    def without(self, ended: Callable[[Blind], bool]) -> Unseen:
        """Less the pairs of which this is no longer so."""

        def lasting(held: tuple[Blind, ...]) -> tuple[Blind, ...]:
            return tuple([pair for pair in held if not ended(pair)])

        believed = [
            Believed(
                b.seat,
                lasting(b.unplaced),
                lasting(b.unreached),
                lasting(b.unsure),
                tuple([known for known in b.watched if not ended(Blind("", known.owner, None, known.at))]),
            )
            for b in self.believed
        ]
        held = lasting(self.unplaced), lasting(self.unreached), lasting(self.unsure)
        return Unseen(self.id, *held, tuple(believed), self.going)


# -- events


def hero(state: State, actor: ActorId) -> Character:
    found: Character = state.actors[actor]
    return found


class ActivationStarted(Event, frozen=True):
    """AD return to Ready, uses and movement begin anew; what lasts until this Activation ends."""

    actor: ActorId
    round: int

    def apply(self, state: State) -> State:
        old = hero(state, self.actor)
        fresh = replace(
            old,
            began=self.round,
            ready=old.ad,
            uses={},
            mode="",
            sprint_skill="",
            spent=ZERO,
            travelled=ZERO,
            crossed=0,
            extra=ZERO,
        )
        started = replace(state.with_actor(fresh), active=self.actor, round=self.round)
        return started.expire(self.actor, "start")


class ActivationEnded(Event, frozen=True):
    """Unused movement is lost; AD that are Ready stay Ready."""

    actor: ActorId

    def apply(self, state: State) -> State:
        old = hero(state, self.actor)
        ended = replace(old, mode="", sprint_skill="", spent=ZERO, extra=ZERO)
        return replace(state.with_actor(ended), active=None, last=self.actor).expire(self.actor, "end")


class Moved(Event, frozen=True):
    """One step of movement, with what it cost of the allowance, in metres."""

    actor: ActorId
    at: At
    metres: Fraction
    travelled: Fraction = Fraction(2)
    additional: bool = False

    def apply(self, state: State) -> State:
        old = hero(state, self.actor)
        if isinstance(self.at, str):
            old = replace(old, crossed=old.crossed + 1)
        if self.actor in state.relations:
            state = left_behind(state, self.actor)
        if UNSEEN in state.facts:
            state = seen_anew(state, self.actor)
        travelled = added(old.travelled, self.travelled)
        if self.additional:
            return state.with_actor(replace(old, at=self.at, extra=old.extra - self.metres, travelled=travelled))
        return state.with_actor(replace(old, at=self.at, spent=added(old.spent, self.metres), travelled=travelled))


def added(one: Fraction, two: Fraction) -> Fraction:
    """The sum of two distances; of whole metres, as they nearly always are, without looking for a common divisor."""
    if one.denominator == two.denominator == 1:
        return Fraction(one.numerator + two.numerator)
    return one + two


def seen_anew(state: State, mover: ActorId, near: tuple[ActorId, ...] | None = None) -> State:
    """Without what a shift left unseen of somebody who moves on; of the place that it leaves by this step that stands.

    `near` are those to whom it comes near where it stays in its place: to all others there it is as before.
    """
    fact, at = state.facts[UNSEEN], hero(state, mover).at
    assert isinstance(fact, Unseen)

    def ended(pair: Blind) -> bool:
        if near is not None:
            return pair.target == mover or (pair.observer == mover and pair.target in near)
        return (pair.observer == mover and pair.seen_from != at) or (pair.target == mover and pair.at != at)

    return state.with_fact(fact.without(ended))


def sure_of(state: State, target: ActorId, observer: ActorId) -> State:
    """Where it has come to be known where somebody is, a shift leaves nobody unsure of it."""
    fact = state.facts.get(UNSEEN)
    if not isinstance(fact, Unseen) or not fact.unsure:
        return state
    unsure = tuple([pair for pair in fact.unsure if (pair.observer, pair.target) != (observer, target)])
    return state.with_fact(replace(fact, unsure=unsure))


def left_behind(state: State, actor: ActorId) -> State:
    """Without what was stated of somebody who moves away: near the door is so no longer."""
    for tie in state.related(Stands, actor):
        state = state.unrelate(Stands, actor, tie.other).unrelate(Stands, tie.other, actor)
    return state


class Repositioned(Event, frozen=True):
    """Somebody moved in Story Mode: what is so of it now in words; all that was established of others stands.

    `metres` are what it took of the allowance, for what is left of it; they say nothing of where anybody is.
    """

    actor: ActorId
    at: At
    ties: tuple[Stands, ...] = ()
    metres: Fraction = ZERO
    additional: bool = False

    def apply(self, state: State) -> State:
        if UNSEEN in state.facts:
            here = self.at == hero(state, self.actor).at
            state = seen_anew(state, self.actor, _come_near(state, self.ties) if here else None)
        for owner, held in state.relations.items():
            if owner == self.actor or any(type(r) is Stands and r.other == self.actor for r in held):
                state = state.unrelate(Stands, owner, None if owner == self.actor else self.actor)
        for tie in self.ties:
            state = stated(state, tie)
        old = hero(state, self.actor)
        spent, extra = (ZERO, self.metres) if self.additional else (self.metres, ZERO)
        moved = replace(
            old, at=self.at, spent=old.spent + spent, extra=old.extra - extra, travelled=old.travelled + self.metres
        )
        return state.with_actor(moved)


def _come_near(state: State, ties: tuple[Stands, ...]) -> tuple[ActorId, ...]:
    """To whom one comes by these relations: themselves, and who stands near or behind the same thing."""
    goals = [tie.other for tie in ties if tie.how != "far"]
    there = [held.owner for held in state.every(Stands) if held.other in goals and held.how != "far"]
    return (*goals, *there)


class Stated(Event, frozen=True):
    """It was stated how somebody stands to somebody or something."""

    actor: ActorId
    tie: Stands
    among: tuple[ActorId, ...] = ()
    """The characters whom it concerns."""

    def concerns(self) -> tuple[ActorId, ...]:
        return self.among or (self.actor,)

    def apply(self, state: State) -> State:
        return stated(state, self.tie)


def cover_of(state: State, actor: ActorId) -> str:
    """The thing that somebody was stated to be behind; nothing where it is behind none."""
    for held in state.relations.get(actor, ()):
        if type(held) is Stands and held.how in COVER and held.other not in state.actors:
            return held.other
    return ""


def stated(state: State, tie: Stands) -> State:
    """With a relation; one that holds both ways between two characters is kept with both."""
    state = state.relate(tie)
    if tie.how in MUTUAL and tie.other in state.actors:
        state = state.relate(Stands(tie.other, tie.owner, how=tie.how))
    return state


class Halted(Event, frozen=True):
    """A movement stopped before its end."""

    actor: ActorId
    why: str


class MovementLost(Event, frozen=True):
    """Part of the allowance, or of movement granted beside it, was lost, in metres."""

    actor: ActorId
    metres: Fraction
    additional: bool = False

    def apply(self, state: State) -> State:
        old = hero(state, self.actor)
        if self.additional:
            return state.with_actor(replace(old, extra=old.extra - self.metres))
        return state.with_actor(replace(old, spent=old.spent + self.metres))


class MovementGranted(Event, frozen=True):
    """A rule granted additional movement, in metres."""

    actor: ActorId
    metres: Fraction

    def apply(self, state: State) -> State:
        old = hero(state, self.actor)
        return state.with_actor(replace(old, extra=old.extra + self.metres))


class Checked(Event, frozen=True):
    """A check was read. `total` is None where only the comparison is known; help given for it is used up."""

    actor: ActorId
    skill: str
    dice: int
    total: int | None = None
    passed: bool | None = None
    edge: int = 0

    def apply(self, state: State) -> State:
        return state.unrelate(Helping, self.actor) if self.actor in state.relations else state


class Helped(Event, frozen=True):
    """Somebody assisted a check that is about to be committed to."""

    actor: ActorId
    helper: ActorId
    how: str = ""

    def apply(self, state: State) -> State:
        return state.relate(Helping(self.actor, self.helper))


class HelpLapsed(Event, frozen=True):
    """The check that somebody was helped with was not made after all; the help is spent."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.unrelate(Helping, self.actor)


class Hid(Event, frozen=True):
    """A Hide was settled against every creature that could notice."""

    actor: ActorId
    total: int
    fooled: tuple[ActorId, ...] = ()
    noticed: tuple[ActorId, ...] = ()
    goal: str = "presence"
    anew: bool = False
    """A new attempt: whoever noticed an earlier one and cannot notice this one has not met it yet."""
    waits: bool = False
    """Only creatures of which the hider knows nothing met it: the check for the others is still to come."""

    def apply(self, state: State) -> State:
        met = self.fooled + self.noticed
        kept: list[Relation] = []
        stands = not self.waits and stands_after(state, self.actor, self.fooled, self.noticed)
        still = stands
        for held in state.relations.get(self.actor, ()):
            kind = type(held)
            if kind is Waiting and not self.waits:
                continue
            if (kind is Record and stands) or (kind in MET and held.other in met):
                continue
            if self.anew and kind is Exposed:
                continue
            still = still or (kind is Hidden and aware_of(state, self.actor, held.other))
            kept.append(held)
        kept.extend([Hidden(self.actor, other, total=self.total) for other in self.fooled])
        kept.extend([Exposed(self.actor, other) for other in self.noticed])
        if stands:
            kept.append(Record(self.actor, self.actor, total=self.total, goal=self.goal))
        if not still:
            kept = [held for held in kept if type(held) is not Record]
        return replace(state, relations={**state.relations, self.actor: tuple(kept)})

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor,)


def stands_after(state: State, hider: ActorId, fooled: tuple[ActorId, ...], noticed: tuple[ActorId, ...]) -> bool:
    """Whether a Hide stands: somebody is fooled by it, or nobody of whom the hider knows has noticed."""
    if not noticed:
        return True
    if any(aware_of(state, hider, other) for other in fooled):
        return True
    return not any(aware_of(state, hider, other) for other in noticed)


def aware_of(state: State, actor: ActorId, other: ActorId) -> bool:
    """Whether whoever plays the actor knows that the other is about."""
    from turnwright.systems.narateer import senses

    return senses.aware_of(state, hero(state, actor).seat, other)


class HideDeferred(Event, frozen=True):
    """Nobody could notice: no check yet."""

    actor: ActorId
    goal: str = "presence"

    def apply(self, state: State) -> State:
        return state.unrelate(Exposed, self.actor).relate(Waiting(self.actor, self.actor, goal=self.goal))

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor,)


class Revealed(Event, frozen=True):
    """Somebody is no longer hidden from another; with nobody left to be hidden from, the record is over.

    Where only an earlier Hide still fools anybody, that one is the latest that stands. Whoever is found by somebody
    of whom it knows nothing goes on hiding.
    """

    actor: ActorId
    to: ActorId
    how: str = ""

    def apply(self, state: State) -> State:
        state = state.unrelate(Hidden, self.actor, self.to).relate(Exposed(self.actor, self.to))
        at = hero(state, self.actor).at
        behind = cover_of(state, self.actor)
        state = state.relate(Known(self.actor, self.to, at=at, how=self.how or "found", aware=True, behind=behind))
        state = sure_of(state, self.actor, self.to)
        if not aware_of(state, self.actor, self.to):
            return state
        left = [held for held in state.related(Hidden, self.actor) if aware_of(state, self.actor, held.other)]
        if not left:
            return state.unrelate(Record, self.actor)
        latest = state.relation(Record, self.actor, self.actor)
        if latest is None or any(held.total == latest.total for held in left):
            return state
        return state.relate(replace(latest, total=left[-1].total))

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor, self.to)


class StoppedHiding(Event, frozen=True):
    """Hiding was given up toward some, or toward all where none are named."""

    actor: ActorId
    toward: tuple[ActorId, ...] = ()

    def apply(self, state: State) -> State:
        if not self.toward:
            for relation in state.related(Hidden, self.actor):
                state = state.relate(Exposed(self.actor, relation.other))
            return state.unrelate(Hidden, self.actor).unrelate(Record, self.actor).unrelate(Waiting, self.actor)
        for other in self.toward:
            state = state.unrelate(Hidden, self.actor, other).relate(Exposed(self.actor, other))
        left = [held for held in state.related(Hidden, self.actor) if aware_of(state, self.actor, held.other)]
        return state if left else state.unrelate(Record, self.actor)

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor,)


class Gone(Event, frozen=True):
    """An observer left the scene; a record against it simply falls away."""

    actor: ActorId

    def apply(self, state: State) -> State:
        actors = {key: held for key, held in state.actors.items() if key != self.actor}
        relations = {
            owner: tuple(r for r in held if r.other != self.actor or r.owner == r.other)
            for owner, held in state.relations.items()
            if owner != self.actor
        }
        active = None if state.active == self.actor else state.active
        return replace(state, actors=actors, relations=relations, active=active)


class Learned(Event, frozen=True):
    """Somebody came to know where another is, or that it is there."""

    actor: ActorId
    by: ActorId
    at: At = None
    how: str = "saw"
    aware: bool = False
    space: Cell | None = None

    def apply(self, state: State) -> State:
        behind = cover_of(state, self.actor) if self.at is not None else ""
        known = Known(self.actor, self.by, at=self.at, how=self.how, aware=self.aware, behind=behind, space=self.space)
        return sure_of(state.relate(known), self.actor, self.by)

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.by,)


class Perceived(Event, frozen=True):
    """The guide's word on what somebody perceives, or that it no longer stands.

    Whoever is distracted remembers where it saw the other last.
    """

    actor: ActorId
    by: ActorId
    clear: bool | None = None
    until: Expiry | None = None

    def apply(self, state: State) -> State:
        if self.clear is None:
            return state.unrelate(GuideSays, self.actor, self.by)
        from turnwright.systems.narateer.senses import locates

        if not self.clear and locates(state, hero(state, self.by), hero(state, self.actor)):
            at, behind = hero(state, self.actor).at, cover_of(state, self.actor)
            state = state.relate(Known(self.actor, self.by, at=at, aware=True, behind=behind))
        return state.relate(GuideSays(self.actor, self.by, until=self.until, clear=self.clear))

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.by,)


class Overlooked(Event, frozen=True):
    """A shift of the Scene Mode left it so who does not perceive whom; nobody is told."""

    unplaced: tuple[Blind, ...] = ()
    unreached: tuple[Blind, ...] = ()
    unsure: tuple[Blind, ...] = ()
    believed: tuple[Believed, ...] = ()
    going: bool = False

    def apply(self, state: State) -> State:
        held = self.unplaced, self.unreached, self.unsure
        return state.with_fact(Unseen(UNSEEN, *held, self.believed, self.going))

    def private_to(self) -> tuple[ActorId, ...]:
        return ()


class SearchBegun(Event, frozen=True):
    """Somebody is actively looking; by the guide's word it lasts until the guide says otherwise."""

    actor: ActorId
    scope: tuple[Cell | str, ...] = ()
    place: str = ""
    total: int | None = None
    by_word: bool = False
    trail: ActorId = ""

    def apply(self, state: State) -> State:
        until = None if self.by_word else Expiry(self.actor, "start")
        return state.relate(
            Looking(self.actor, self.actor, until, self.scope, self.place, self.total, self.by_word, self.trail)
        )

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor,)


class SearchEnded(Event, frozen=True):
    """Somebody stopped looking."""

    actor: ActorId

    def apply(self, state: State) -> State:
        return state.unrelate(Looking, self.actor)

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor,)


class SearchMade(Event, frozen=True):
    """A Search was carried out; kept for what counts as the same Search again."""

    actor: ActorId
    key: tuple[str, ...]
    scope: tuple[Cell | str, ...] = ()
    met: tuple[str, ...] | None = None

    def apply(self, state: State) -> State:
        before = sum(fact.actor == self.actor for fact in state.facts_of(Searched))
        name = f"searched {self.actor} {before + 1}"
        return state.with_fact(Searched(name, self.actor, self.key, self.scope, self.met))

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor,)


class FoundThing(Event, frozen=True):
    """Something concealed was found."""

    actor: ActorId
    thing: str
    name: str = ""

    def apply(self, state: State) -> State:
        fact = state.facts[self.thing]
        assert isinstance(fact, Secret)
        return state.with_fact(replace(fact, found_by=(*fact.found_by, self.actor)))

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor,)


class Identified(Event, frozen=True):
    """What was found is understood."""

    actor: ActorId
    thing: str

    def apply(self, state: State) -> State:
        fact = state.facts[self.thing]
        assert isinstance(fact, Secret)
        return state.with_fact(replace(fact, identified=True, understood_by=(*fact.understood_by, self.actor)))

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor,)


class Came(Event, frozen=True):
    """Something now holds in the scene because somebody brought it about."""

    actor: ActorId
    fact: str
    text: str

    def apply(self, state: State) -> State:
        from turnwright.systems.narateer import senses

        doer = hero(state, self.actor)
        unseen_by = tuple([o.id for o in senses.opponents(state, doer) if not senses.plainly(state, o, doer)])
        return state.with_fact(Established(self.fact, self.text, unseen_by))


class ExchangeBegun(Event, frozen=True):
    """An Exchange was initiated; the attacker has committed openly."""

    actor: ActorId
    target: ActorId
    weapon: str
    kind: str


class Responded(Event, frozen=True):
    """The responder chose; this belongs to the Exchange and is no Action and no Reaction."""

    actor: ActorId
    response: str
    boost: int = 0


class ExchangeEnded(Event, frozen=True):
    """How an Exchange came out: `hit` names who was hit, if anybody."""

    actor: ActorId
    target: ActorId
    hit: ActorId = ""


class Wounded(Event, frozen=True):
    """Somebody was wounded."""

    actor: ActorId
    wounds: int

    def apply(self, state: State) -> State:
        old = hero(state, self.actor)
        return state.with_actor(replace(old, wounds=old.wounds + self.wounds))


class Caught(Event, frozen=True):
    """Somebody was in the area of an effect that asks nobody where they are."""

    actor: ActorId
    text: str = ""


class ConditionChanged(Event, frozen=True):
    """A Condition began or ended."""

    actor: ActorId
    condition: str
    has: bool = True

    def apply(self, state: State) -> State:
        old = hero(state, self.actor)
        kept = tuple(c for c in old.conditions if c != self.condition)
        return state.with_actor(replace(old, conditions=(*kept, self.condition) if self.has else kept))


class LoadChanged(Event, frozen=True):
    """The Encumbrance state is another one."""

    actor: ActorId
    state: str

    def apply(self, state: State) -> State:
        return state.with_actor(replace(hero(state, self.actor), encumbrance=self.state))


class DoorChanged(Event, frozen=True):
    """How a door opens is another matter now: barred, locked, unlocked, broken or mended. What is not said stays.

    Rules: narateer.tier.door-example.
    """

    door: str
    opens: Literal["", "trivial", "minor", "check"] = ""
    skill: str = ""
    target: int | None = None
    broken: bool | None = None

    def apply(self, state: State) -> State:
        old = state.facts.get(self.door)
        if not isinstance(old, DoorWay):
            raise LookupError(f"there is no door called {self.door!r}")
        broken = old.broken if self.broken is None else self.broken
        if broken and self.opens == "check":
            raise ValueError(f"{old.name} is broken and holds nobody; it has to be mended first")
        return state.with_fact(
            replace(
                old,
                opens=self.opens or old.opens,
                skill=self.skill or old.skill,
                target=old.target if self.target is None else self.target,
                broken=broken,
            )
        )


class DoorMissed(Event, frozen=True):
    """A door was moved, or opens differently, out of somebody's sight; the fact is how it believes the door to be."""

    belief: DoorBelief

    def apply(self, state: State) -> State:
        return state.with_fact(self.belief)

    def private_to(self) -> tuple[ActorId, ...]:
        return ()


class DoorSeen(Event, frozen=True):
    """Somebody sees that a door is not as it was believed to be."""

    actor: ActorId
    door: str
    open: bool

    def apply(self, state: State) -> State:
        gone = belief_name(self.actor, self.door)
        return replace(state, facts={name: fact for name, fact in state.facts.items() if name != gone})

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.actor,)


def belief_name(actor: ActorId, door: str) -> str:
    return f"{door} as {actor} knows it"


class SituationLaidOut(Event, frozen=True):
    """The guide lays out the situation anew; every seat sees all of it.

    Rules: narateer.declare.situation-contents.
    """

    opportunities: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    threats: tuple[str, ...] = ()
    stakes: tuple[str, ...] = ()

    def apply(self, state: State) -> State:
        told = Situation("situation", self.opportunities, self.obstacles, self.threats, self.stakes)
        return state.with_fact(told)


class TempoMoved(Event, frozen=True):
    """The guide or a Power moved Tempo."""

    actor: ActorId
    has: bool | None = None
    until: ActorId = ""
    """Up to the end of whose Activation; without it, by the setting, of the one that is under way."""

    def apply(self, state: State) -> State:
        if self.has is None:
            return state.unrelate(Tempo, self.actor)
        whose = self.until or (state.active if state.scene.settings.tempo_lasts == "activation" else None)
        until = Expiry(whose, "end") if whose else None
        return state.relate(Tempo(self.actor, self.actor, until, has=self.has))


class PowerUsed(Event, frozen=True):
    """A part of a Class Power was used."""

    actor: ActorId
    power: str
    part: int
    totals: int = 0
    wounds: int = 0


class CommunicatedPosition(Event, frozen=True):
    """Somebody called out where another is."""

    actor: ActorId
    about: ActorId
    at: At = None


class CluePerceived(Event, frozen=True):
    """A sound or another clue reached somebody."""

    actor: ActorId
    by: ActorId
    clear: bool

    def private_to(self) -> tuple[ActorId, ...]:
        return (self.by,)


EVENTS: tuple[type[Event], ...] = (
    ActivationStarted,
    ActivationEnded,
    Moved,
    Repositioned,
    Stated,
    Halted,
    MovementLost,
    MovementGranted,
    Checked,
    Helped,
    HelpLapsed,
    Hid,
    HideDeferred,
    Revealed,
    StoppedHiding,
    Gone,
    Learned,
    Perceived,
    Overlooked,
    SearchBegun,
    SearchEnded,
    SearchMade,
    FoundThing,
    Identified,
    Came,
    ExchangeBegun,
    Responded,
    ExchangeEnded,
    Wounded,
    Caught,
    ConditionChanged,
    LoadChanged,
    DoorChanged,
    DoorMissed,
    DoorSeen,
    SituationLaidOut,
    TempoMoved,
    PowerUsed,
    CommunicatedPosition,
    CluePerceived,
)
