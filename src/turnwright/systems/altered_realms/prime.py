"""Prime: an Action prepared now, to go off on somebody else's turn as a Reaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.model import (
    NOTHING,
    ActorId,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    Ruling,
    State,
    cost,
)
from turnwright.rules import Action, Nature, Pick, Settled, Steps, ended
from turnwright.systems.altered_realms.attack import AttackDeed, Attacking
from turnwright.systems.altered_realms.economy import (
    BUDGETS,
    Deed,
    Reaction,
    action_price,
    beside_budgets,
    own_turn,
    reaction_price,
)
from turnwright.systems.altered_realms.events import Primed, PrimedGone, PrimedSet
from turnwright.systems.altered_realms.locks import Opened
from turnwright.systems.altered_realms.magic import Casting
from turnwright.systems.altered_realms.movement import Arrived, Leaving
from turnwright.systems.altered_realms.sheet import Creature, Cue, creature, settings
from turnwright.systems.altered_realms.skills import Attempt
from turnwright.systems.altered_realms.space import touches

TOPICS = ("prime",)

DEFINITION = "altered-realms.prime.action-as-reaction"
DECLARED = "altered-realms.prime.declare-action-and-trigger"

Kind = Literal["text", "yes", "number", "cell"]
SAID: dict[str, Kind] = {
    **dict.fromkeys(("weapon", "part", "ability", "item", "skill", "how", "direction", "hand"), "text"),
    **dict.fromkeys(("thing", "maneuver", "source", "into", "place"), "text"),
    **{"to": "cell", "metres": "number", "hits": "number", "sustain": "yes"},
}
"""What may be said of the Action that is prepared."""

CUES = {
    "near": "comes near",
    "leaves": "goes away",
    "attacks": "attacks",
    "casts": "casts a spell or uses an ability",
    "opens": "opens a door",
}
"""The events that the table sees come by itself; any other trigger is for the Narrator to hear of."""


def most_attacks(known: State, actor: ActorId) -> int:
    """The smaller of Reactions and attacks; by the setting Reactions alone.

    Rules: altered-realms.prime.attack-count, altered-realms.prime.typical-one.
    """
    who = creature(known, actor)
    return who.reactions if settings(known).prime_cap == "reactions" else min(who.reactions, who.attack_count)


def prepared(d: Declaration) -> Declaration:
    """The Action that is prepared, as its own declaration."""
    options = {name: value for name, value in d.options.items() if name in SAID}
    return Declaration(d.actor, d.option("deed"), d.intent, d.method, d.target, d.route, options)


def cue_of(d: Declaration) -> Cue | None:
    if not d.option("when"):
        return None
    within = d.option("within").strip()
    metres = int(within) if within.isdecimal() else 0
    return Cue(d.option("when"), d.option("whose"), d.option("whom"), d.option("door"), metres)


def in_words(known: State, d: Declaration) -> str:
    """The trigger as it was said, else as the cue reads."""
    if d.option("trigger").strip() or not d.option("when"):
        return d.option("trigger")
    named = {name: known.actors[who].name for name in ("whose", "whom") if (who := d.option(name)) in known.actors}
    said = f"{named.get('whose', 'somebody')} {CUES.get(d.option('when'), d.option('when'))}"
    return f"{said} {named['whom']}" if "whom" in named else said


def can_be_prepared(actions: dict[str, Action], name: str) -> Deed | Attempt | None:
    """Every Action: what is done in the own turn, and a physical skill roll that the Narrator rules on."""
    found = actions.get(name)
    open_to = isinstance(found, (Deed, Attempt)) and found.nature == "proactive" and not isinstance(found, Prime)
    if isinstance(found, Deed) and found.in_turn:
        return None
    return found if open_to and isinstance(found, (Deed, Attempt)) else None


class Prime(Deed):
    """Say which Action is prepared and what sets it off; the Action is paid now, a Reaction when it goes off.

    Rules: altered-realms.prime.action-as-reaction, altered-realms.prime.declare-action-and-trigger.
    """

    name = "prime"
    about = "prepare an Action for somebody else's turn"
    rules = (DEFINITION, DECLARED)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("deed", "text", "which action, by its name", required=True),
        Parameter("trigger", "text", "what sets it off, in words; the Narrator says when it has come"),
        Parameter("target", "actor", "at whom; whoever sets it off, where it is not said"),
        Parameter("when", "choice", "what sets it off by itself", choices=tuple(CUES), by_name=True),
        Parameter("whose", "text", "who must do that; anybody of another side where it is not said", by_name=True),
        Parameter("whom", "text", "who must be attacked, or the spell's target; oneself, or anybody", by_name=True),
        Parameter("door", "text", "which door, for opens", by_name=True),
        Parameter("within", "number", "metres, for near and leaves; melee range without it", by_name=True, most=1000),
        Parameter("number", "number", "how many attacks", by_name=True, most=10),
        *[Parameter(name, kind, f"the {name} of the prepared action", by_name=True) for name, kind in SAID.items()],
    )

    def __init__(self, game_actions: dict[str, Action]) -> None:
        self._actions = game_actions

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return replace(d, options={**d.options, "deed": "dodge", "trigger": "somebody comes near"})

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if not d.option("deed").strip():
            yield Refusal(DECLARED, "say the action beforehand", "INCOMPLETE deed")
        if not d.option("trigger").strip() and not d.option("when"):
            yield Refusal(DECLARED, "say the trigger beforehand", "INCOMPLETE trigger")
        found = can_be_prepared(self._actions, d.option("deed"))
        if found is not None:
            yield from lacking(found, known, prepared(d))

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not own_turn(known, d.actor):
            yield Refusal(DEFINITION, "that is done in the own turn", "NOT_YOUR_TURN")
        found = can_be_prepared(self._actions, d.option("deed"))
        if d.option("deed") and found is None:
            yield Refusal(DEFINITION, f"{d.option('deed')} is no action that can be prepared", "NO_DEED")
        yield from cue_refusals(known, d)
        number = number_of(d)
        if number < 1:
            yield Refusal("altered-realms.prime.attack-count", "at least one is prepared", "NONE")
        elif number > 1 and not isinstance(found, AttackDeed):
            yield Refusal("altered-realms.prime.attack-count", "only attacks are prepared in number", "ONE")
        elif isinstance(found, AttackDeed) and number > most_attacks(known, d.actor):
            text = f"at most {most_attacks(known, d.actor)} attacks can be prepared"
            yield Refusal("altered-realms.prime.attack-count", text, "TOO_MANY")

    def own_price(self, known: State, d: Declaration) -> Price:
        """The Action; and what else of a turn the prepared one takes beside an Action, as a Full Round Action does."""
        price = action_price("preparing an Action", DEFINITION)
        found = can_be_prepared(self._actions, d.option("deed"))
        own = found.own_price(known, prepared(d)) if isinstance(found, Deed) else NOTHING
        if not own.amount("action"):
            return price
        return price.plus(*[item for item in own.costs if item.resource in BUDGETS and item.resource != "action"])

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        words = in_words(play.state, d)
        play.emit(PrimedSet(DEFINITION, d.actor, prepared(d), words, number_of(d), cue_of(d)))
        return ended(Outcome(self.name, "success"))


def lacking(deed: Action, known: State, d: Declaration) -> Iterator[Refusal]:
    """What must be said of the prepared Action; whom it is aimed at may be whoever sets it off."""
    said = deed.complete(known, d)
    return (refusal for refusal in deed.missing(known, said) if refusal.code != "INCOMPLETE target")


def cue_refusals(known: State, d: Declaration) -> Iterator[Refusal]:
    when = d.option("when")
    if when and when not in CUES:
        yield Refusal(DECLARED, f"when is one of {', '.join(CUES)}", "NO_CUE")
    for name in ("whose", "whom"):
        if d.option(name) and d.option(name) not in known.actors:
            yield Refusal(DECLARED, f"nobody called {d.option(name)!r} is known to be here", "NO_TARGET")
    doors = [door.id for door in known.scene.grid.doors] if known.scene.grid is not None else []
    if d.option("door") and d.option("door") not in doors:
        text = f"there is no door called {d.option('door')!r}; there is {', '.join(doors) or 'none'}"
        yield Refusal(DECLARED, text, "NO_DOOR")


def number_of(d: Declaration) -> int:
    text = d.option("number").strip()
    return int(text) if text.removeprefix("-").isdecimal() else 1


def primed(state: State, actor: ActorId) -> Primed | None:
    return next(iter(state.related(Primed, actor)), None)


def attempt_prepared(state: State, d: Declaration) -> Declaration | None:
    """The skill roll that goes off with this declaration, so that the Narrator rules on that."""
    held = primed(state, d.actor) if d.action in FIRING else None
    return held.deed if held is not None and held.deed.action == Attempt.name else None


class GoesOff(Action):
    """What was prepared goes off, for a Reaction; its owner may let it pass.

    Rules: altered-realms.prime.action-as-reaction, altered-realms.prime.attack-count.
    """

    nature: ClassVar[Nature] = "reactive"
    rules = (DEFINITION, DECLARED)

    def __init__(self, game_actions: dict[str, Action]) -> None:
        self._actions = game_actions

    def ready(self, known: State, d: Declaration) -> tuple[Action, Declaration] | None:
        """The prepared Action with its declaration as it stands now, aimed at whoever sets it off if at nobody else."""
        held = primed(known, d.actor)
        if held is None:
            return None
        deed, said = self._actions[held.deed.action], held.deed
        if d.target and any(refusal.code == "INCOMPLETE target" for refusal in deed.missing(known, said)):
            said = replace(said, target=d.target)
        return deed, deed.complete(known, said)

    def label(self, known: State, d: Declaration) -> str:
        held = primed(known, d.actor)
        return f"{held.deed.action.replace('_', ' ')}, when {held.trigger}" if held is not None else "what is prepared"

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        found = self.ready(known, d)
        if found is None:
            yield Refusal(DEFINITION, "nothing is prepared", "NOT_PRIMED")
            return
        if known.active in (None, d.actor):
            yield Refusal(DEFINITION, "it goes off on somebody else's turn", "OWN_TURN")
        deed, said = found
        yield from deed.missing(known, said)
        yield from deed.refusals(known, said, None)

    def price(self, known: State, d: Declaration) -> Price:
        found = self.ready(known, d)
        if found is None:
            return NOTHING
        deed, said = found
        own = deed.own_price(known, said) if isinstance(deed, Deed) else NOTHING
        kept = [cost(c.resource, c.amount, c.why, c.rule) for c in beside_budgets(own)]
        return reaction_price("what was prepared", DEFINITION).plus(*kept)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        found = self.ready(play.state, d)
        assert found is not None
        play.emit(PrimedGone(DEFINITION, d.actor))
        deed, said = found  # kept: what was prepared
        given = paid.ruling if isinstance(deed, Attempt) else Ruling("procedure", procedure=said.action)
        outcome = yield from deed.resolve(play, said, Settled(given, paid.paid))
        while outcome.then is not None:
            outcome = yield from deed.resolve(play, outcome.then.declaration, Settled(given, paid.paid))
        return outcome


class Trigger(GoesOff):
    """Whatever its trigger is, the Narrator says whether it has come.

    Rules: altered-realms.prime.declare-action-and-trigger.
    """

    name = "fire_primed"
    about = "let what you have prepared go off"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "who set it off, where it was aimed at nobody beforehand"),
    )

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        if primed(known, actor) is not None:
            yield Declaration(actor, self.name)

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        return None


class Cued(GoesOff, Reaction):
    """A trigger that the table sees come, in the middle of what somebody does.

    Rules: altered-realms.prime.action-as-reaction, altered-realms.prime.declare-action-and-trigger.
    """

    about = "let what you have prepared go off, now that its trigger has come"
    cue: ClassVar[str]

    def variants(self, known: State, actor: ActorId) -> Iterable[Declaration]:
        return ()

    def candidates(self, state: State, moment: Any) -> Iterator[Declaration]:
        for held in state.every(Primed):
            if held.cue is not None and held.cue.when == self.cue:
                by = self.doer(moment)
                if by in state.actors and whose(state, held, by) and self.comes(state, held, moment):
                    yield Declaration(held.owner, self.name, target=by, options={"left": held.left})

    def doer(self, moment: Any) -> ActorId:
        """Who does what sets it off."""
        by: ActorId = moment.actor
        return by

    def comes(self, state: State, held: Primed, moment: Any) -> bool:
        """Whether this is what was named."""
        return True

    def once(self, d: Declaration) -> tuple[str, ...]:
        """Each of several attacks that are prepared by itself."""
        return (d.actor, self.name, d.option("left"))

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if self.reacts_to is None or not isinstance(moment, self.reacts_to):
            yield Refusal(DECLARED, "its trigger has not come", "NO_TRIGGER")
        yield from super().refusals(known, d, moment)

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """A skill roll is the Narrator's to name; everything else is done as it is."""
        held = primed(state, d.actor)
        if held is not None and isinstance(self._actions[held.deed.action], Attempt):
            return None
        return Ruling("procedure", procedure=self.name)


def whose(state: State, held: Primed, by: ActorId) -> bool:
    """Whether it is the one who was named; anybody of another side, where nobody was."""
    assert held.cue is not None
    if held.cue.whose:
        return held.cue.whose == by
    return creature(state, by).side != creature(state, held.owner).side


def near(state: State, held: Primed, who: Creature) -> bool:
    """Whether somebody is within the metres that were named of the owner."""
    assert held.cue is not None
    return touches(state, creature(state, held.owner), who, held.cue.within or settings(state).melee_range)


class WhenNear(Cued):
    """Rules: altered-realms.prime.declare-action-and-trigger (a step of its own movement leads near)."""

    name = "primed_when_near"
    reacts_to = Arrived
    cue = "near"

    def comes(self, state: State, held: Primed, moment: Arrived) -> bool:
        who = creature(state, moment.actor)
        return near(state, held, who) and not near(state, held, replace(who, at=moment.came))


class WhenLeaving(Cued):
    """Rules: altered-realms.prime.declare-action-and-trigger (before the step that leads away)."""

    name = "primed_when_leaving"
    reacts_to = Leaving
    cue = "leaves"

    def comes(self, state: State, held: Primed, moment: Leaving) -> bool:
        who = creature(state, moment.actor)
        return near(state, held, who) and not near(state, held, replace(who, at=moment.to))


class WhenAttacking(Cued):
    """Rules: altered-realms.prime.declare-action-and-trigger (before the attack roll)."""

    name = "primed_when_attacking"
    reacts_to = Attacking
    cue = "attacks"

    def doer(self, moment: Attacking) -> ActorId:
        return moment.by

    def comes(self, state: State, held: Primed, moment: Attacking) -> bool:
        return held.cue is not None and moment.target == (held.cue.whom or held.owner)


class WhenCasting(Cued):
    """Rules: altered-realms.prime.declare-action-and-trigger (before the spell has its effect)."""

    name = "primed_when_casting"
    reacts_to = Casting
    cue = "casts"

    def comes(self, state: State, held: Primed, moment: Casting) -> bool:
        return held.cue is not None and held.cue.whom in ("", moment.target)


class WhenOpening(Cued):
    """Rules: altered-realms.prime.declare-action-and-trigger (once the door is open)."""

    name = "primed_when_opening"
    reacts_to = Opened
    cue = "opens"

    def comes(self, state: State, held: Primed, moment: Opened) -> bool:
        return held.cue is not None and held.cue.door in ("", moment.door)


CUED = (WhenNear, WhenLeaving, WhenAttacking, WhenCasting, WhenOpening)
FIRING = (Trigger.name, *[cued.name for cued in CUED])
