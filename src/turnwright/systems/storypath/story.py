"""The events of Storypath told as lines of a story, and a character at a glance."""

from __future__ import annotations

from turnwright import events as core
from turnwright.events import Event
from turnwright.model import At, State
from turnwright.systems.storypath import events as e
from turnwright.systems.storypath.rolls import momentum, successes
from turnwright.systems.storypath.settings import LEVELS
from turnwright.systems.storypath.sheet import Character, boxes_of, character, settings
from turnwright.telling import Tellers, name_of, names_of
from turnwright.telling import tell as told

STUNTS = {
    "inflict": "an injury",
    "critical": "one injury more",
    "trip": "a trip",
    "blinding": "blinding",
    "disarm": "disarming",
    "seize": "seizing the weapon",
    "grapple": "a grapple",
    "break_up_grapple": "breaking up the grapple",
    "feint": "a feint",
    "pain": "bearing the pain",
}
"""The stunts in words, as what something is spent on."""
UNSAID = ("move", "retrieve holstered object", "stand up")
"""Small deeds of which what happens says enough."""


def tell(state: State, event: Event) -> str:
    """One line for an event; empty where it would say nothing that another line does not say."""
    return told(TELLERS, state, event)


def dice_of(number: int) -> str:
    return f"{number} {'die' if number == 1 else 'dice'}"


def place(at: At) -> str:
    """A place by its name, or a point in metres as it is typed."""
    return ",".join(map(str, at)) if isinstance(at, tuple) else str(at)


def _initiative(state: State, event: e.InitiativeRolled) -> str:
    shared = ", one roll for all" if len(event.actors) > 1 else ""
    return f"Initiative of {names_of(state, event.actors)}{shared}: {successes(event.successes)}"


def roster_words(state: State, slots: tuple[e.Slot, ...]) -> str:
    """The slots in their order, each with who fills it: `PC 5 (Ann), SGC 4, PC 3`."""
    return ", ".join([_slot(state, slot) for slot in slots])


def _slot(state: State, slot: e.Slot) -> str:
    held = f" ({name_of(state, slot.filled)})" if slot.filled else " (passed)" if slot.passed else ""
    return f"{slot.kind.upper()} {slot.value}{held}"


def _roster(state: State, event: e.RosterMade) -> str:
    return f"The roster: {roster_words(state, event.slots)} (PC: the players' slots, SGC: the Storyguide's)"


TOWARD = {"attack": "on", "rush": "at", "down_and_dirty": "with", "mixed": "against", "deed": "on"}
"""The word between a deed and whom it is aimed at."""


def acted(state: State, event: core.Acted) -> str:
    target = f" {TOWARD.get(event.action, 'at')} {name_of(state, event.target)}" if event.target else ""
    return f"{name_of(state, event.actor)}: {event.action.replace('_', ' ')}{target}"


def _rolled(state: State, event: e.PoolRolled) -> str:
    dice = f" with {dice_of(event.dice)}" if event.dice else ""
    more = f" and Enhancement {event.enhancement}" if event.enhancement and event.successes else ""
    found = "a botch" if event.botch else successes(event.successes)
    return f"{name_of(state, event.actor)} rolls {event.what}{dice}: {found}{more}"


def _named(state: State, event: e.NextNamed) -> str:
    who = name_of(state, event.actor)
    return f"{who} hands on to {name_of(state, event.target)}" if event.target else f"{who} takes the naming back"


def _split(state: State, event: e.SplitMade) -> str:
    parts = [f"{share} into {part.replace('_', ' ')}" for part, share in zip(event.parts, event.shares, strict=True)]
    return f"{name_of(state, event.actor)} puts {', '.join(parts)}"


def _did(state: State, event: e.Did) -> str:
    return f"{name_of(state, event.actor)}: {did_words(event)}"


def did_words(event: e.Did) -> str:
    return event.text or f"{event.deed.replace('_', ' ')}: {'it works' if event.good else 'it fails'}"


def _small(state: State, event: e.SmallDone) -> str:
    if event.deed in UNSAID:
        return ""
    who = name_of(state, event.actor)
    return f"{who} looks around" if event.deed == "look around" else f"{who}: {event.deed}"


def hit_words(state: State, event: e.Hit) -> str:
    return f"hits {name_of(state, event.target)}, {event.over or 'nothing'} over"


def missed_words(state: State, event: e.Missed) -> str:
    return f"does not hit {name_of(state, event.target)}" + (f": {event.why}" if event.why else "")


def _injured(state: State, event: e.Injured) -> str:
    who = character(state, event.actor)
    if not event.box:
        return f"{who.name} is Taken Out"
    if event.box != "health":
        return f"{who.name} is {event.box.title()}"
    if who.veiled or who.health is None:
        return f"{who.name} is hurt"
    return f"{who.name} is hurt (Health {who.health - who.boxes.get('health', 0)}/{who.health})"


def _defense(state: State, event: e.DefenseSet) -> str:
    what = [f"has Defense {event.defense}" if event.defense else "defends"]
    what += [f"an injury costs {event.soft} more"] if event.soft else []
    what += ["is in cover"] if event.cover else []
    return f"{name_of(state, event.actor)} {', '.join(what)}"


def _momentum(state: State, event: e.MomentumChanged) -> str:
    return f"Momentum {event.by:+d} for {event.why}: the players have {momentum(state)}"


def _turn(state: State, event: e.TurnStarted) -> str:
    held = e.roster_of(state)
    slot = next((s for s in held.slots if s.id == event.slot), None) if held is not None else None
    kind = f"the {slot.kind.upper()} slot of {slot.value}" if slot is not None else "a slot"
    return f"{name_of(state, event.actor)} takes {kind}, round {event.round}"


def _joined(state: State, event: e.Joined) -> str:
    later = f", with a slot from round {event.who.since} on" if event.who.since > state.round else ""
    return f"{event.who.name} comes{later}"


def help_words(event: e.Helping) -> str:
    return f"Enhancement{f' {event.amount}' if event.amount else ''} for the next {event.skill or 'deed'} roll"


def _helping(state: State, event: e.Helping) -> str:
    if event.against:
        amount = f" {event.amount}" if event.amount else ""
        against = name_of(state, event.against)
        return f"{name_of(state, event.actor)} has Enhancement{amount} for the next attack on {against}"
    return f"{name_of(state, event.actor)} has {help_words(event)}"


def _item(state: State, event: e.ItemPlaced) -> str:
    who = name_of(state, event.actor)
    if event.by:
        return f"{name_of(state, event.by)} takes the {event.item} from {who}"
    return f"{who} has the {event.item} in the {event.place}" if event.place else f"{who} loses the {event.item}"


def stunt_words(state: State, event: e.Stunted) -> str:
    what = STUNTS.get(event.stunt.partition(":")[0], event.stunt.replace("_", " "))
    return f"{name_of(state, event.actor)} spends {event.cost} on {what}"


TELLERS: Tellers = {
    core.Acted: acted,
    core.Told: "{text}",
    core.Impossible: "That cannot be done: {obstacle}",
    core.Barred: lambda state, event: f"Not now: {'; '.join(event.why)}",
    e.InitiativeRolled: _initiative,
    e.RosterMade: _roster,
    e.RoundBegan: "Round {round}",
    e.NextNamed: _named,
    e.TurnStarted: _turn,
    e.Joined: _joined,
    e.Left: "{actor} leaves",
    e.PoolRolled: _rolled,
    e.Strained: lambda state, event: (
        f"{name_of(state, event.actor)} is in pain: the next roll is harder by {event.amount}" if event.amount else ""
    ),
    e.MomentumChanged: _momentum,
    e.Helping: _helping,
    e.SplitMade: _split,
    e.Did: _did,
    e.SmallDone: _small,
    e.Moved: lambda state, event: f"{name_of(state, event.actor)} moves to {place(event.at)}",
    e.GotOn: "{actor} is on {target}",
    e.RideEnded: "{actor} is on {target} no longer",
    e.FellOff: "{actor} falls off and lies there",
    e.ProneSet: lambda state, event: (
        f"{name_of(state, event.actor)} {'lies on the ground' if event.prone else 'stands up'}"
    ),
    e.ItemPlaced: _item,
    e.ItemDropped: lambda state, event: f"The {event.item} of {name_of(state, event.actor)} lies at {place(event.at)}",
    e.ItemTaken: "{actor} picks up the {item}",
    e.KnackUsed: "{actor}: {knack}",
    e.DefenseSet: _defense,
    e.Hit: lambda state, event: f"{name_of(state, event.actor)} {hit_words(state, event)}",
    e.Missed: lambda state, event: f"{name_of(state, event.actor)} {missed_words(state, event)}",
    e.Stunted: stunt_words,
    e.Absorbed: lambda state, event: (
        f"{'Cover' if event.cover else 'Armour'} takes it for {name_of(state, event.actor)}"
    ),
    e.Injured: _injured,
    e.TakenOut: "{actor} is Taken Out",
    e.BlindedSet: "{actor} is blinded: a shot in the next turn is harder by 1",
    e.GrappleBegun: "{actor} holds {target}",
    e.GrappleEnded: "{actor} no longer holds {target}",
}


def summary(state: State, who: Character) -> str:
    """Injuries, Defense, and what is left of the turn; of the players what momentum there is."""
    parts = [_injuries(state, who)]
    if who.guard is not None or who.defense is not None:
        parts.append("" if who.veiled else f"Defense {who.guard if who.guard is not None else who.defense}")
    if state.active == who.id:
        parts.append("an action left" if who.actions else "has acted")
    if who.pc:
        parts.append(f"{momentum(state)} momentum")
    if settings(state).reflexive_moves > who.moves and not who.down and not who.veiled:
        parts.append("may move")
    parts += [
        word for word, holds in (("Prone", who.prone), ("in pain", who.hampered), ("Taken Out", who.down)) if holds
    ]
    parts += [f"on {name_of(state, tie.other)}" for tie in state.related(e.On, who.id)]
    for tie in state.every(e.Grapples):
        if tie.owner == who.id:
            parts.append(f"holds {name_of(state, tie.other)}")
        elif tie.other == who.id:
            parts.append(f"held by {name_of(state, tie.owner)}")
    held = e.roster_of(state)
    if held is not None and held.named == who.id:
        parts.append("named for the next slot")
    return ", ".join(part for part in parts if part)


def _injuries(state: State, who: Character) -> str:
    if who.veiled:
        return f"hurt {sum(who.boxes.values())} times" if who.boxes else "unhurt"
    every = boxes_of(state, who)
    if who.health is not None:
        return f"Health {who.health - who.boxes.get('health', 0)}/{who.health}"
    worst = [f"{level.title()} {who.boxes.get(level, 0)}/{every[level]}" for level in LEVELS if who.boxes.get(level, 0)]
    return ", ".join(worst) or "unhurt"
