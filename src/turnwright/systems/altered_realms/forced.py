"""Being moved by others: pushed, pulled, dragged and followed, and the Last Grasp at a ledge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, ask, window
from turnwright.model import (
    NOTHING,
    ActorId,
    Cell,
    Choose,
    Chosen,
    Declaration,
    Moment,
    Option,
    Outcome,
    Parameter,
    Price,
    Refusal,
    State,
)
from turnwright.rules import Action, Nature, Pick, Settled, Steps
from turnwright.systems.altered_realms.attack import Blow, opponents, reach_refusals, swing, target_refusals
from turnwright.systems.altered_realms.economy import Reaction, own_turn, reaction_price
from turnwright.systems.altered_realms.events import Clung, Forced, Halted, MovementBegun
from turnwright.systems.altered_realms.harm import carry_along, fall, harm, settle
from turnwright.systems.altered_realms.holding import disabled, free_hands, holds_of, holds_on
from turnwright.systems.altered_realms.movement import (
    Leaving,
    going,
    movement_cost,
    step,
    stuck,
    take_up,
    walking_speed,
)
from turnwright.systems.altered_realms.rolls import damage, save
from turnwright.systems.altered_realms.sheet import Creature, creature, maneuver_dc, pool_of, settings, spell_dc
from turnwright.systems.altered_realms.space import (
    depth,
    drop_at,
    free_for,
    ground_of,
    in_the_way,
    neighbours,
    route_cost,
    step_fits,
    taken_along,
    tiles,
    tiles_at,
)
from turnwright.systems.altered_realms.trip import MeleeDeed, beyond, melee_refusals, size_refusals

TOPICS = ("push", "last-grasp")

HOWS = ("push", "pull", "drag")
COMPASS: dict[str, Cell] = {
    "north": (0, -1),
    "northeast": (1, -1),
    "east": (1, 0),
    "southeast": (1, 1),
    "south": (0, 1),
    "southwest": (-1, 1),
    "west": (-1, 0),
    "northwest": (-1, -1),
}


class AtLedge(Moment, frozen=True):
    """Somebody is driven over a ledge, or has become aware of a hazard that can be avoided."""

    actor: ActorId
    over: Cell
    dc: int
    by: ActorId = ""
    drop: int = 0
    saved: bool = False


class Dragged(Moment, frozen=True):
    """Somebody who may be a captive was moved by a push, pull or drag: so many tiles in one direction."""

    actor: ActorId
    direction: Cell
    metres: int


# -- moved by force


def shove(
    play: Play, actor: ActorId, direction: Cell, metres: int, by: ActorId, rule: str, *, magical: bool = False
) -> Steps[int]:
    """Somebody is driven so many tiles in one direction: up to an obstacle or before somebody, or over a ledge.

    Whoever holds it may go with it as far as it went on its own level.
    Rules: altered-realms.push.direction, altered-realms.push.grappler-may-follow.
    """
    moved, fell = 0, False
    for _ in range(metres):  # kept: how far it goes was settled before
        who = creature(play.state, actor)
        there = driven_to(play.state, who, direction)
        if there is None or not isinstance(who.at, tuple):
            break
        if drop_at(play.state, who, there) > depth(play.state, who):
            saved = yield from over_ledge(play, actor, there, there, by, magical=magical)
            fell = not saved
            break
        came = who.at
        play.emit(Forced(rule, actor, there, by))
        carry_along(play, actor, came, there, settled=False)
        moved += 1
    if moved and not fell:
        yield from window(play, Dragged(actor, direction, moved))
    settle(play)
    return moved + int(fell)


def driven_to(state: State, who: Creature, direction: Cell) -> Cell | None:
    """The next tile that force drives the creature to; None where something solid, a rise or somebody stops it.

    Rules: altered-realms.push.direction.
    """
    if not isinstance(who.at, tuple):
        return None
    there = (who.at[0] + direction[0], who.at[1] + direction[1])
    if not step_fits(state, who, who.at, there) or drop_at(state, who, there) < depth(state, who):
        return None
    if drop_at(state, who, there) > depth(state, who):
        return there if room_below(state, who, there) is not None else None
    return None if any(True for _ in in_the_way(state, who, tiles_at(state, who, there))) else there


def room_below(state: State, who: Creature, over: Cell) -> Cell | None:
    """Where it would come down: there, or beside it on the same level where somebody lies there already."""
    deep = drop_at(state, who, over)
    return next((cell for cell in (over, *neighbours(over)) if free_for(state, who, cell, deep)), None)


def over_ledge(
    play: Play, actor: ActorId, over: Cell, landing: Cell, by: ActorId, *, magical: bool = False
) -> Steps[bool]:
    """At the edge, before the rest of the forced move: a Last Grasp, or the fall; tells whether it was saved.

    `over` is the first tile beyond the edge, `landing` the one that it falls to.
    Rules: altered-realms.last-grasp.trigger-and-cost, altered-realms.last-grasp.pass.
    """
    who = creature(play.state, actor)
    deep = drop_at(play.state, who, landing) - depth(play.state, who)  # kept: how far down it goes
    moment = yield from window(play, AtLedge(actor, over, grasp_dc(play.state, by, magical), by, deep))
    if moment.saved:
        stands = yield from step_back(play, actor, moment.over)
        if stands:
            return True
    yield from plunge(play, actor, landing, deep, by)
    return False


def plunge(play: Play, actor: ActorId, landing: Cell, deep: int, by: ActorId) -> Steps[None]:
    """It falls, and whoever is attached to it or carried by it falls too.

    Rules: altered-realms.last-grasp.fail, altered-realms.grapple.larger-attached.
    """
    rule = "altered-realms.last-grasp.fail"
    who = creature(play.state, actor)
    with_it = taken_along(play.state, actor)  # kept: who went over the edge together
    came, to = who.at, room_below(play.state, who, landing) or landing
    play.emit(Forced(rule, actor, to, by))
    if isinstance(came, tuple):
        carry_along(play, actor, came, to)
    level = depth(play.state, creature(play.state, actor))  # kept: where all of them come down
    yield from fall(play, actor, rule, deep)
    for name in with_it:
        if depth(play.state, creature(play.state, name)) == level:
            yield from fall(play, name, rule, deep)


def grasp_dc(state: State, by: ActorId, magical: bool) -> int:
    """By whose force one is driven: its Maneuver Save DC, for magic its Spell Save DC; else the setting.

    Rules: altered-realms.last-grasp.dc-physical, altered-realms.last-grasp.dc-magical,
    altered-realms.last-grasp.dc-other.
    """
    if not by:
        return settings(state).last_grasp_dc
    return spell_dc(state, creature(state, by)) if magical else maneuver_dc(state, creature(state, by))


def step_back(play: Play, actor: ActorId, over: Cell) -> Steps[bool]:
    """One metre onto a free solid tile beside the edge, for no Movement; whoever declines, or finds none, falls.

    Rules: altered-realms.last-grasp.pass.
    """
    rule, taken = "altered-realms.last-grasp.pass", list[str]()
    while True:
        given = yield from ask(_footholds(play, actor, over, taken), Chosen)
        if given.id in ("fall", "cling") or _is_free(play, actor, given.id):
            break
        taken.append(given.id)
        play.emit(Halted(rule, actor, "somebody stands there already"))
    if given.id == "fall":
        return False
    if given.id == "cling":
        play.emit(Clung(rule, actor))
        return True
    x, _, y = given.id.partition(",")
    came, to = creature(play.state, actor).at, (int(x), int(y))
    play.emit(Forced(rule, actor, to, actor))
    if isinstance(came, tuple):
        carry_along(play, actor, came, to, settled=False)
    return True


def _footholds(play: Play, actor: ActorId, over: Cell, taken: list[str]) -> Choose:
    """Where it may stand as far as its owner knows, but for the tiles that turned out to be taken."""
    who = creature(play.state, actor)
    known = play.game.known(play.state, who.seat)
    cells = [cell for cell in (who.at, *neighbours(over)) if isinstance(cell, tuple)]
    open_to = [cell for cell in dict.fromkeys(cells) if cell != over and free_for(known, who, cell)]
    options = [Option(f"{x},{y}", f"stand at {x},{y}") for x, y in open_to if f"{x},{y}" not in taken]
    if settings(play.state).last_grasp_cling:
        options.append(Option("cling", "hang on to the edge"))
    options.append(Option("fall", "let yourself fall"))
    prompt, rule = f"{who.name} has caught itself: where to?", "altered-realms.last-grasp.pass"
    return Choose(who.seat, actor, prompt, rule, tuple(options), "last grasp")


def _is_free(play: Play, actor: ActorId, cell: str) -> bool:
    x, _, y = cell.partition(",")
    return free_for(play.state, creature(play.state, actor), (int(x), int(y)))


class LastGrasp(Reaction):
    """A Dexterity save at the edge, also in the own turn.

    Rules: altered-realms.last-grasp.trigger-and-cost, altered-realms.last-grasp.dex-save,
    altered-realms.last-grasp.pass, altered-realms.last-grasp.fail.
    """

    name = "last_grasp"
    about = "catch yourself at the edge"
    rules = ("altered-realms.last-grasp.trigger-and-cost", "altered-realms.last-grasp.dex-save")
    reacts_to = AtLedge
    in_own_turn = True

    def variants(self, known: State, actor: ActorId) -> Iterable[Declaration]:
        return ()

    def candidates(self, state: State, moment: AtLedge) -> Iterator[Declaration]:
        yield Declaration(moment.actor, self.name)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not isinstance(moment, AtLedge) or moment.actor != d.actor:
            text = "nothing drives you over a ledge"
            yield Refusal("altered-realms.last-grasp.trigger-and-cost", text, "NO_TRIGGER")

    def price(self, known: State, d: Declaration) -> Price:
        return reaction_price("a Last Grasp", "altered-realms.last-grasp.trigger-and-cost")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        moment = paid.moment
        assert isinstance(moment, AtLedge)
        hurts = moment.drop > settings(play.state).fall_free
        rule = "altered-realms.last-grasp.dex-save"
        read = yield from save(play, d.actor, "dex", moment.dc, rule, by=moment.by, avoids_damage=hurts)
        return Outcome(self.name, "success" if read.passed else "failure", (d.actor,))


class Hazard(Action):
    """The Narrator springs a hazard on somebody; who is aware of one that can be avoided has a Last Grasp.

    Rules: altered-realms.last-grasp.trigger-and-cost, altered-realms.last-grasp.dc-other.
    """

    name = "hazard"
    about = "a hazard strikes somebody"
    nature: ClassVar[Nature] = "guide"
    rules = ("altered-realms.last-grasp.trigger-and-cost", "altered-realms.last-grasp.dc-other")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "whom", required=True),
        Parameter("aware", "yes", "yes: it is aware of it and can avoid it"),
        Parameter("dc", "number", "the DC of the Last Grasp; the setting last_grasp_dc where it is not said", most=40),
        Parameter("damage", "text", "what it does, as dice"),
        Parameter("kind", "text", "the type of its damage", by_name=True),
        Parameter("fall", "number", "metres that it makes one fall", by_name=True, most=1000),
    )

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if d.target not in known.actors:
            yield Refusal(self.rules[0], "say whom", "INCOMPLETE target")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        try:
            pool_of(d.option("damage") or "0")
        except ValueError as error:
            yield Refusal(self.rules[0], str(error), "BAD_DAMAGE")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        who = creature(play.state, d.target)
        deep = int(d.option("fall") or 0)
        if d.option("aware") in ("yes", "True", "true") and isinstance(who.at, tuple):
            dc = int(d.option("dc") or settings(play.state).last_grasp_dc)
            hurts = settings(play.state).fall_free + 1 if d.option("damage") else 0
            moment = yield from window(play, AtLedge(d.target, who.at, dc, "", max(deep, hurts)))
            if moment.saved:
                avoided = yield from step_back(play, d.target, moment.over)
                settle(play)
                if avoided:
                    return Outcome(self.name, "avoided", (d.target,))
        rule = "altered-realms.last-grasp.fail"
        if deep:
            yield from fall(play, d.target, rule, deep)
        if d.option("damage"):
            dealt = yield from damage(play, d.target, d.target, d.option("damage"), 0, "the hazard", rule)
            harm(play, d.target, dealt, d.option("kind") or "force", "", rule)
        return Outcome(self.name, "struck", (d.target,))


# -- push, pull, drag


def push_metres(who: Creature) -> int:
    """Half of the better of STR and DEX, rounded down, at least 1.

    Rules: altered-realms.push.distance.
    """
    return max(1, who.brawn // 2)


def direction_of(known: State, d: Declaration) -> Cell | None:
    """Away for a push, toward for a pull, wherever it is said for a drag.

    Rules: altered-realms.push.direction.
    """
    how = d.option("how") or "push"
    if how == "drag":
        return COMPASS.get(d.option("direction"))
    if d.target not in known.actors:
        return None
    away = away_from(known, creature(known, d.actor), creature(known, d.target))
    return away if how == "push" or away is None else (-away[0], -away[1])


def away_from(known: State, who: Creature, other: Creature) -> Cell | None:
    """The direction that leads away from somebody, between the nearest tiles of the two; None off the map."""
    mine, theirs = tiles(known, who), tiles(known, other)
    if not mine or not theirs:
        return None
    pairs = [(b[0] - a[0], b[1] - a[1]) for a in mine for b in theirs]
    dx, dy = min(pairs, key=lambda pair: (max(abs(pair[0]), abs(pair[1])), abs(pair[0]) + abs(pair[1])))
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)


def metres_of(known: State, d: Declaration, most: int) -> int:
    text = d.option("metres").strip()
    return int(text) if text.isdecimal() else most


class Push(MeleeDeed):
    """A melee attack roll with a Free Hand; a hit may move its target instead of hurting it.

    Rules: altered-realms.push.melee-roll, altered-realms.push.no-damage, altered-realms.push.direction.
    """

    name = "push"
    about = "push, pull or drag somebody"
    rules = ("altered-realms.push.free-hand-and-cost", "altered-realms.push.distance")
    wants = ("hit",)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "whom", required=True),
        Parameter("how", "choice", "push away, pull nearer, or drag anywhere", choices=HOWS),
        Parameter("direction", "choice", "where to drag", choices=tuple(COMPASS), by_name=True),
        Parameter(
            "metres", "number", "how far at most; as far as possible where it is not said", by_name=True, most=20
        ),
        Parameter("weapon", "text", "with which melee weapon", by_name=True),
    )

    def variants(self, known: State, actor: ActorId) -> Iterator[Declaration]:
        for other in opponents(known, creature(known, actor)):
            yield Declaration(actor, self.name, target=other.id, options={"how": "push"})

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"{d.option('how') or 'push'} {other.name if other else d.target}"

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from super().missing(known, d)
        if d.option("how") == "drag" and d.option("direction") not in COMPASS:
            text = f"say where to: {', '.join(COMPASS)}"
            yield Refusal("altered-realms.push.direction", text, "INCOMPLETE direction")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        who, weapon = creature(known, d.actor), self.weapon(known, d)
        yield from target_refusals(known, d, "altered-realms.push.range")
        if not has_hand_for(known, who, d.target):
            text = f"{who.name} has no Free Hand"
            yield Refusal("altered-realms.push.free-hand-and-cost", text, "NO_FREE_HAND")
        yield from melee_refusals(known, d, weapon, "altered-realms.push.melee-roll")
        yield from reach_refusals(known, d, weapon, "altered-realms.push.range")
        yield from size_refusals(known, d, "altered-realms.push.size-limit")
        if metres_of(known, d, 0) > push_metres(who):
            text = f"that is more than {push_metres(who)} m"
            yield Refusal("altered-realms.push.distance", text, "TOO_FAR")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        weapon = self.weapon(play.state, d)
        assert weapon is not None
        swung = yield from swing(play, Blow(d.actor, d.target, weapon, rule="altered-realms.push.melee-roll"))
        direction = direction_of(play.state, d)
        if not swung.hits or direction is None or beyond(play.state, d.actor, swung.target):
            return Outcome(self.name, "miss", (swung.target,))
        metres = metres_of(play.state, d, push_metres(creature(play.state, d.actor)))
        struck = swung.target  # kept: whom the roll hit
        moved = yield from shove(play, struck, direction, metres, d.actor, "altered-realms.push.no-damage")
        return Outcome(self.name, "hit", (struck,), moved)

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return d


def has_hand_for(known: State, who: Creature, target: ActorId) -> bool:
    """A Free Hand, or the one that holds just that creature and is not held itself.

    Rules: altered-realms.push.free-hand-and-cost, altered-realms.grapple.part-unusable.
    """
    holding = [hold.hand for hold in holds_of(known, who.id) if hold.other == target]
    return bool(free_hands(known, who)) or any(not disabled(known, who, hand) for hand in holding)


# -- following


class Follow(Reaction):
    """Whoever holds a creature that is dragged away may go with it: by Movement in the own turn, else by a Reaction.

    Rules: altered-realms.push.grappler-may-follow.
    """

    name = "follow"
    about = "go with whom you hold"
    rules = ("altered-realms.push.grappler-may-follow",)
    reacts_to = Dragged
    in_own_turn = True

    def variants(self, known: State, actor: ActorId) -> Iterable[Declaration]:
        return ()

    def candidates(self, state: State, moment: Dragged) -> Iterator[Declaration]:
        for owner in dict.fromkeys(hold.owner for hold in holds_on(state, moment.actor)):
            who = creature(state, owner)
            way = follow_way(without_hidden(state, who.side), who, moment)
            need = route_cost(state, who, way) if isinstance(who.at, tuple) else 0
            options: dict[str, str | int | bool] = {"metres": need or moment.metres}
            yield Declaration(owner, self.name, target=moment.actor, options=options)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"go with {other.name if other else d.target}, {d.option('metres')} m"

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        rule, who = self.rules[0], creature(known, d.actor)
        if not isinstance(moment, Dragged) or moment.actor != d.target:
            yield Refusal(rule, "nobody whom you hold is dragged away", "NO_TRIGGER")
            return
        yield from stuck(known, who)
        metres = metres_of(known, d, moment.metres)
        if not own_turn(known, d.actor) and walking_speed(known, who) < metres:
            yield Refusal(rule, f"{who.name} is not fast enough for {metres} m", "TOO_FAR")
        if not follow_way(known, who, moment):
            yield Refusal(rule, "there is no room to follow", "NO_ROOM")

    def price(self, known: State, d: Declaration) -> Price:
        if own_turn(known, d.actor):
            who = going(creature(known, d.actor), "")
            return movement_cost(known, who, metres_of(known, d, 0), "going with a captive")
        return reaction_price("going with a captive", "altered-realms.push.grappler-may-follow")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        moment = paid.moment
        assert isinstance(moment, Dragged)
        who = creature(play.state, d.actor)
        way = follow_way(without_hidden(play.state, who.side), who, moment)  # kept: where the captive went before
        if own_turn(play.state, d.actor):
            take_up(play, d.actor, metres_of(play.state, d, 0))
        else:
            metres = route_cost(play.state, who, way)
            play.emit(MovementBegun(self.rules[0], d.actor, metres, metres))
        for cell in way:
            here = creature(play.state, d.actor)
            if here.down or not isinstance(here.at, tuple) or not free_for(play.state, here, cell):
                break
            yield from window(play, Leaving(d.actor, here.at, cell))
            if creature(play.state, d.actor).down:
                break
            step(play, d.actor, cell, settled=False)
        return Outcome(self.name, "success", (d.target,))


def without_hidden(state: State, side: str) -> State:
    """The state without those of whom a side does not know, so that no price tells of them."""
    actors = {name: who for name, who in state.actors.items() if not who.hidden or who.side == side}
    return state if len(actors) == len(state.actors) else replace(state, actors=actors)


def follow_way(known: State, who: Creature, moment: Dragged) -> tuple[Cell, ...]:
    """The tiles that the follower takes, as the captive went; none where there is no room for all of it."""
    if not isinstance(who.at, tuple) or ground_of(known) is None:
        return ()
    way, here = list[Cell](), who.at
    for _ in range(moment.metres):
        there = (here[0] + moment.direction[0], here[1] + moment.direction[1])
        if not step_fits(known, who, here, there) or not free_for(known, who, there):
            return ()
        way.append(there)
        here = there
    return tuple(way)
