"""The roster: initiative, slots that belong to a side, and who takes the next of them by whose word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.engine import Play, ask_each, ask_first
from turnwright.model import (
    GUIDE,
    NOTHING,
    ActorId,
    Choose,
    Chosen,
    Declaration,
    Moment,
    Option,
    Outcome,
    Price,
    Question,
    Refusal,
    Roll,
    Rolled,
    SeatId,
    State,
)
from turnwright.rules import Action, Nature, Settled, Steps, ended
from turnwright.systems.storypath.events import (
    InitiativeRolled,
    RosterMade,
    RoundBegan,
    Slot,
    SlotPassed,
    SlotStruck,
    TurnEnded,
    TurnStarted,
    roster_of,
)
from turnwright.systems.storypath.rolls import Pause, in_words, pool_for
from turnwright.systems.storypath.sheet import KINDS, Character, Kind, character, settings, standing
from turnwright.systems.storypath.slots import (
    NAMES,
    ONCE,
    SIDES,
    candidates,
    coming_slot,
    in_order,
    likely,
    named_next,
    not_open,
    open_slot,
    right_holder,
    slot_named,
)

TOPICS = ("initiative", "round")

FIRST = "storypath.initiative.players-choose-first"
ORDERS = "storypath.initiative.storyguide-orders-sgcs"


# -- initiative


def initiative_pool(state: State, who: Character) -> int:
    """The best of the Skills that are for fighting, and Cunning; read off the sheet each time, and never stored.

    Rules: storypath.initiative.pool-formula, storypath.initiative.best-combat-skill,
    storypath.initiative.pool-meaning.
    """
    if who.initiative is not None:
        return who.initiative
    if who.pools:
        return who.pools.get("primary", 0)
    best = max([who.skills.get(name, 0) for name in settings(state).combat_skills], default=0)
    return best + who.attributes.get("cunning", 0)


def rollers(state: State, who: list[Character]) -> list[tuple[Character, ...]]:
    """Who rolls: everybody alone, but for those of the Storyguide's that are declared a group.

    Rules: storypath.initiative.who-rolls, storypath.initiative.sgc-group-roll.
    """
    groups: dict[str, list[Character]] = {}
    for one in who:
        groups.setdefault(f"group {one.group}" if one.group and not one.pc else one.id, []).append(one)
    return [tuple(members) for members in groups.values()]


def roll_initiative(play: Play, names: tuple[ActorId, ...]) -> Steps[dict[ActorId, int]]:
    """One roll for each who rolls; a result is how many successes there were, and none is a result too.

    Rules: storypath.initiative.count-successes.
    """
    rolling = rollers(play.state, [character(play.state, name) for name in names])
    groups = [tuple([member.id for member in members]) for members in rolling]  # kept: who rolls
    answers = yield from ask_each(lambda: tuple([initiative_roll(play.state, group) for group in groups]))
    results: dict[ActorId, int] = {}
    for group, given in zip(groups, answers, strict=True):
        assert isinstance(given, Rolled)
        dice, won = initiative_pool(play.state, character(play.state, group[0])), max(0, given.value)
        play.emit(InitiativeRolled("storypath.initiative.count-successes", group, group[0], dice, won))
        results |= dict.fromkeys(group, won)
    return results


def initiative_roll(state: State, group: tuple[ActorId, ...]) -> Roll:
    first = character(state, group[0])
    pool = pool_for(state, first, initiative_pool(state, first), botch=settings(state).free_rolls_botch)
    names = ", ".join([character(state, name).name for name in group])
    return Roll(
        first.seat,
        first.id,
        f"{names}, initiative: {in_words(pool)}",
        "storypath.initiative.pool-formula",
        pool,
        "initiative",
    )


def ranked(slots: list[Slot]) -> tuple[Slot, ...]:
    """From the most successes to the fewest; at the same number all slots of the players before all others.

    Rules: storypath.initiative.rank-descending, storypath.initiative.tie-favours-player,
    storypath.initiative.many-way-tie, storypath.initiative.roster-definition.
    """
    return tuple(sorted(slots, key=lambda slot: (-slot.value, slot.kind != "pc")))


def slots_for(state: State, results: dict[ActorId, int], since: int, taken: int = 0) -> list[Slot]:
    """A slot for each result: of the players' kind or of the Storyguide's, one for each member of a group.

    Rules: storypath.initiative.pc-slot, storypath.initiative.sgc-slot.
    """
    every: list[Slot] = []
    groups: list[str] = []
    for name, value in results.items():
        who = character(state, name)
        if settings(state).shared_slots == "group" and who.group and not who.pc:
            if who.group in groups:
                continue
            groups.append(who.group)
        every.append(Slot(f"slot-{taken + len(every) + 1}", who.kind, value, name, since))
    return every


def make_roster(play: Play) -> Steps[None]:
    """Everybody who stands rolls, and the slots are ranked."""
    results = yield from roll_initiative(play, tuple([who.id for who in standing(play.state)]))
    slots = slots_for(play.state, results, play.state.round)
    play.emit(RosterMade("storypath.initiative.roster-definition", ranked(slots)))


# -- who fills it


def occupant(play: Play, slot: str, kind: Kind) -> Steps[ActorId]:
    """Who takes a slot: the one who was named or is the only one left, else whom those say whose word it is.

    Nobody does where, while it is asked, nobody is left.
    """
    able = candidates(play.state, kind)
    named = named_next(play.state) if kind == "pc" else None
    if named is not None:
        return named.id
    if len(able) == 1 and not (kind == "pc" and settings(play.state).name_the_last):
        return able[0].id
    given = yield from ask_first(lambda: _questions(play.state, slot, kind), Chosen)
    if given is not None:
        return given.id
    named = named_next(play.state) if kind == "pc" else None
    return named.id if named is not None else ""


def _questions(state: State, slot: str, kind: Kind) -> tuple[Question, ...]:
    """The same question to everybody whose word it is; the first valid answer counts.

    Rules: storypath.initiative.players-choose-first, storypath.initiative.storyguide-orders-sgcs.
    """
    if not candidates(state, kind) or (kind == "pc" and named_next(state) is not None):
        return ()
    if kind == "sgc":
        hers = next((who.id for who in standing(state, kind) if who.seat == GUIDE), "")
        return (_question(state, slot, kind, GUIDE, hers, ORDERS),)
    holder = right_holder(state)
    if holder is not None:
        return (_question(state, slot, kind, holder.seat, holder.id, NAMES),)
    held = roster_of(state)
    began = held is not None and bool(held.holder)
    if began and settings(state).right_of_the_fallen == "guide":
        return (_question(state, slot, kind, GUIDE, "", NAMES),)
    seats: dict[SeatId, ActorId] = {}
    for who in standing(state, kind):
        seats.setdefault(who.seat, who.id)
    rule = NAMES if began else FIRST
    return tuple([_question(state, slot, kind, seat, actor, rule) for seat, actor in seats.items()])


def _question(state: State, slot: str, kind: Kind, seat: SeatId, actor: ActorId, rule: str) -> Choose:
    found = slot_named(state, slot)
    first = likely(state, found)
    able = candidates(state, kind)
    listed = [who for who in able if who is first] + [who for who in able if who is not first]
    options = tuple([Option(who.id, who.name) for who in listed])
    whose = {FIRST: "All players together: who", ORDERS: "Who"}.get(rule, "Who")
    prompt = (
        f"{whose} takes the {found.kind.upper()} slot of {found.value}, in round {state.round}? {_line(state, slot)}"
    )
    return Choose(seat, actor, prompt, rule, options, "slot", not_open(state, kind), Pause(actor), first=True)


def _line(state: State, slot: str) -> str:
    """The roster in a line, with who has filled what and a mark at the slot that is asked about."""
    held = roster_of(state)
    parts = []
    for one in held.slots if held is not None else ():
        name = f" {character(state, one.filled).name}" if one.filled in state.actors else ""
        mark = ">" if one.id == slot else ""
        parts.append(f"{mark}{one.kind.upper()} {one.value}{name}{' passed' if one.passed else ''}")
    return f"[{', '.join(parts)}]"


# -- turns


class RollInitiative(Action):
    """The fight starts: everybody rolls, once, and the roster is made.

    Rules: storypath.initiative.roll-at-combat-start, storypath.round.begins-after-initiative.
    """

    name = "initiative"
    about = "start the fight: everybody rolls initiative"
    nature: ClassVar[Nature] = "guide"
    rules = (ONCE, "storypath.initiative.who-rolls")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if roster_of(known) is not None:
            yield Refusal(ONCE, "initiative was rolled as the fight began", "STARTED")

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: storypath.initiative.sgc-group-roll."""
        unlike = [ms for ms in rollers(known, standing(known)) if len({initiative_pool(known, m) for m in ms}) > 1]
        return tuple([f"the pools of {', '.join(m.name for m in ms)} differ; they share one roll" for ms in unlike])

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        yield from start(play)
        return Outcome(self.name, "success")


def start(play: Play) -> Steps[None]:
    yield from make_roster(play)
    play.emit(RoundBegan("storypath.round.begins-after-initiative", 1))


def next_slot(play: Play) -> Steps[str]:
    """The slot that comes now: those for which nobody is left pass, and after the last a round begins.

    None comes where a whole round would pass.

    Rules: storypath.initiative.slot-belongs-to-side, storypath.round.begins-after-initiative.
    """
    last = play.state.round + 2  # kept: no farther than that
    while play.state.round < last:
        _strike(play)
        slot = open_slot(play.state)
        if slot is None:
            if settings(play.state).initiative == "round":
                yield from make_roster(play)
            play.emit(RoundBegan("storypath.round.begins-after-initiative", play.state.round + 1))
        elif candidates(play.state, slot.kind):
            return slot.id
        else:
            play.emit(SlotPassed(SIDES, slot.id))
    return ""


def _strike(play: Play) -> None:
    """Where the setting says so a slot goes with whoever rolled it, but never the last one for somebody who stands."""
    held = roster_of(play.state)
    if held is None or settings(play.state).slots_of_the_fallen == "kept":
        return
    for slot in reversed(held.slots):
        rolled = play.state.actors.get(slot.rolled_by)
        if not slot.used and (rolled is None or rolled.down) and _spare(play.state, slot.kind):
            play.emit(SlotStruck(SIDES, slot.id))


def _spare(state: State, kind: Kind) -> bool:
    """Whether a side has more slots left in this round than members who have had none."""
    held = roster_of(state)
    left = [s for s in held.slots if s.kind == kind and not s.used and s.since <= state.round] if held else []
    return len(left) > len(candidates(state, kind))


class Begin(Action):
    """The next slot is filled, and a turn starts; before the first one initiative is rolled.

    It is declared for the likeliest one; who takes the slot in the end those say whose word it is.
    Rules: storypath.initiative.slot-belongs-to-side, storypath.initiative.players-choose-first.
    """

    name = "begin"
    about = "go on with the next slot"
    nature: ClassVar[Nature] = "turn"
    rules = (SIDES, FIRST, NAMES, ORDERS)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if known.active is not None:
            yield Refusal(
                "storypath.turn.action-allowance", f"it is {character(known, known.active).name}'s turn", "TURN"
            )
        who = character(known, d.actor)
        if who.down:
            yield Refusal(SIDES, f"{who.name} is Taken Out", "DOWN")
            return
        if roster_of(known) is None or known.active is not None:
            return
        up = next(iter(in_order(known)), None)
        if up is None:
            return
        slot, round = coming_slot(known)
        if slot is not None and who.kind != slot.kind:
            text = f"the next slot belongs to the {KINDS[slot.kind]}, and {who.name} is none of them"
            yield Refusal(SIDES, text, "OTHER_SIDE")
        elif slot is not None and who.id not in [one.id for one in candidates(known, slot.kind, round)]:
            yield Refusal(NAMES, f"{who.name} has had a slot in this round", "HAD_ONE")
        elif slot is not None and slot.kind == "pc" and (named := named_next(known, round)) and named.id != who.id:
            yield Refusal(NAMES, f"{named.name} was named for it", "OTHER_NAMED")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        if roster_of(play.state) is None:
            yield from start(play)
        who, slot = "", "none yet"
        while slot and not who:
            slot = yield from next_slot(play)
            if slot:
                who = yield from occupant(play, slot, slot_named(play.state, slot).kind)
        if who:
            play.emit(TurnStarted(SIDES, who, slot, play.state.round))
        return Outcome(self.name, "begun" if who else "nobody", (who,) if who else ())


class End(Action):
    """A turn ends; one need not have acted.

    Rules: storypath.turn.no-second-action.
    """

    name = "end"
    about = "end the turn"
    nature: ClassVar[Nature] = "turn"
    rules = ("storypath.turn.action-allowance",)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if known.active != d.actor:
            text = f"it is not {character(known, d.actor).name}'s turn"
            yield Refusal("storypath.turn.action-allowance", text, "NOT_YOUR_TURN")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        play.emit(TurnEnded(self.rules[0], d.actor))
        return ended(Outcome(self.name, "ended"))
