"""What successes over Defense buy: injuries, and the stunts of close combat."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play, ask
from turnwright.model import ActorId, At, Choose, Chosen, Option, State
from turnwright.rules import Steps
from turnwright.systems.storypath.events import (
    BlindedSet,
    GrappleBegun,
    GrappleEnded,
    Grapples,
    Helping,
    ItemDropped,
    ItemPlaced,
    ProneSet,
    Stunted,
)
from turnwright.systems.storypath.injuries import hurt
from turnwright.systems.storypath.rolls import Pause, bears, successes, to_spend
from turnwright.systems.storypath.settings import STUNTS
from turnwright.systems.storypath.sheet import (
    Character,
    character,
    pain,
    settings,
    standing,
)
from turnwright.systems.storypath.space import near_places

DEFENSE = "storypath.attack.defense-requirement"


def variable_cost(who: Character, attribute: str) -> int:
    """What a stunt costs that goes by a trait of the other: the Attribute, or half an antagonist's pool, rounded up."""
    if who.pools:
        return max(1, -(-who.pools.get("secondary", 0) // 2))
    return max(1, who.attributes.get(attribute, 0))


def stunt_cost(state: State, stunt: str, target: Character) -> int:
    """What a stunt costs; armour that yields makes injuring dearer."""
    price = {**STUNTS, **settings(state).stunts}.get(stunt, 1)
    if stunt == "inflict":
        return price + target.soft + target.soft_now
    if stunt == "trip" and settings(state).variable_by_pool and target.pools:
        return variable_cost(target, "might")
    return price


def spend(play: Play, actor: ActorId, target: ActorId, close: bool, left: int, borne: bool) -> Steps[tuple[int, bool]]:
    """Threshold successes buy stunts, and buy off pain that is not borne yet; what is left over bears it too.

    It gives the injuries, and whether the pain is borne.
    """
    bought = ["pain"] if borne else []
    injuries = 0
    while target in play.state.actors and not character(play.state, target).down:
        if not _stunts(play.state, actor, target, close, left, bought):
            break
        given = yield from ask(lambda: _stunt_question(play.state, actor, target, close, left, bought), Chosen)  # noqa: B023
        if given.id == "done":
            break
        name = given.id.partition(":")[0]
        price = _price(play.state, given.id, target)
        if name == "feint" and left > 1:
            price = int((yield from ask(lambda: _feint_question(play.state, actor, given.id, left), Chosen)).id)  # noqa: B023
        bought.append(name)
        left -= price
        play.emit(Stunted(DEFENSE, actor, target, given.id, price))
        injuries += yield from _stunt(play, actor, target, given.id, price)
    return injuries, "pain" in bought or bears(play.state, actor, left)


def _price(state: State, stunt: str, target: ActorId) -> int:
    name, _, rest = stunt.partition(":")
    if name == "pain":
        return int(rest)
    if name == "feint":
        return 1
    if name == "grapple":
        return variable_cost(character(state, target), "might")
    more = 1 if rest == "away" else 0
    return stunt_cost(state, name, character(state, target)) + more


def _stunt_question(state: State, actor: ActorId, target: ActorId, close: bool, left: int, bought: list[str]) -> Choose:
    who, foe = character(state, actor), character(state, target)
    options = (*_stunts(state, actor, target, close, left, bought), Option("done", "nothing more"))
    prompt = f"against {foe.name}, {to_spend(left)}"
    return Choose(who.seat, who.id, prompt, DEFENSE, options, "stunt", moment=Pause(who.id))


def _feint_question(state: State, actor: ActorId, stunt: str, left: int) -> Choose:
    """Every success that goes into a feint is 1 Enhancement."""
    who, ally = character(state, actor), character(state, stunt.partition(":")[2])
    options = tuple([Option(str(n), f"{n}: Enhancement {n} for {ally.name}") for n in range(1, left + 1)])
    prompt = f"{successes(left)} over: how many go into the feint?"
    return Choose(who.seat, who.id, prompt, DEFENSE, options, "feint", moment=Pause(who.id))


Buy = tuple[str, str, int]
"""Something to buy: its id, its words, and its price."""


def _stunts(
    state: State, actor: ActorId, target: ActorId, close: bool, left: int, bought: list[str]
) -> tuple[Option, ...]:
    """What can be bought with what is left, what hurts most first."""
    who, foe = character(state, actor), character(state, target)
    every = [*_harming(state, who, foe, bought), *(_close_stunts(state, who, foe) if close else ())]
    open_to = [buy for buy in every if buy[2] <= left and buy[0].partition(":")[0] not in bought]
    return tuple([Option(id, f"{label} ({price})") for id, label, price in open_to])


def _harming(state: State, who: Character, foe: Character, bought: list[str]) -> Iterator[Buy]:
    yield "inflict", f"injure {foe.name}", stunt_cost(state, "inflict", foe)
    if "inflict" in bought:
        yield "critical", f"injure {foe.name} once more", stunt_cost(state, "critical", foe)
    if pain(state, who):
        yield f"pain:{pain(state, who)}", "bear the pain, else the next roll is harder", pain(state, who)


def _close_stunts(state: State, who: Character, foe: Character) -> Iterator[Buy]:
    held = _weapon_in_hand(foe)
    if not foe.prone:
        yield "trip", f"bring {foe.name} down", stunt_cost(state, "trip", foe)
    if not foe.blinded:
        yield "blinding", f"blind {foe.name}: a shot is harder by 1", stunt_cost(state, "blinding", foe)
    if held:
        yield f"disarm:{held}", f"knock the {held} to the ground", stunt_cost(state, "disarm", foe)
        if flung(state, who, foe) is not None:
            yield "disarm:away", f"send the {held} flying, a band away", stunt_cost(state, "disarm", foe) + 1
        yield f"seize:{held}", f"take the {held}", stunt_cost(state, "seize", foe)
    ties = tuple(state.every(Grapples))
    if any(foe.id in (tie.owner, tie.other) and who.id not in (tie.owner, tie.other) for tie in ties):
        yield "break_up_grapple", "break up the grapple", stunt_cost(state, "break_up_grapple", foe)
    if not any(one.id in (tie.owner, tie.other) for tie in ties for one in (who, foe)):
        yield "grapple", f"take hold of {foe.name}", variable_cost(foe, "might")
    for ally in standing(state):
        if ally.side == who.side:
            yield f"feint:{ally.id}", f"feint: Enhancement for the next attack of {ally.name} on {foe.name}", 1


def _weapon_in_hand(who: Character) -> str:
    """The weapon that can be taken away: not one of the body."""
    return next((w.name for w in who.weapons if who.item(w.name) is not None and who.ready(w)), "")


def _stunt(play: Play, actor: ActorId, target: ActorId, stunt: str, price: int) -> Steps[int]:
    """What a stunt does; gives the injuries."""
    name, _, rest = stunt.partition(":")
    if name in ("inflict", "critical"):
        return (yield from hurt(play, target, actor))
    if name == "trip":
        play.emit(ProneSet(DEFENSE, target, True))
    elif name == "blinding":
        play.emit(BlindedSet(DEFENSE, target))
    elif name in ("disarm", "seize"):
        _take_weapon(play, actor, target, stunt)
    elif name == "grapple":
        play.emit(GrappleBegun(DEFENSE, actor, target))
    elif name == "break_up_grapple":
        for tie in tuple(play.state.every(Grapples)):
            if target in (tie.owner, tie.other):
                play.emit(GrappleEnded(DEFENSE, tie.owner, tie.other))
    elif name == "feint":
        play.emit(Helping(DEFENSE, rest, price, "", target))
    return 0


def _take_weapon(play: Play, actor: ActorId, target: ActorId, stunt: str) -> None:
    """It is in the other's hand, at the owner's feet, or a band away."""
    state, foe = play.state, character(play.state, target)
    held = _weapon_in_hand(foe)
    if not held:
        return
    if stunt.startswith("seize"):
        play.emit(ItemPlaced(DEFENSE, target, held, by=actor))
        return
    away = flung(state, character(state, actor), foe) if stunt == "disarm:away" else None
    play.emit(ItemDropped(DEFENSE, target, held, foe.at if away is None else away))


def flung(state: State, who: Character, foe: Character) -> At:
    """Where something lands that is sent flying: short range of its owner, away from the other where that can be."""
    if isinstance(foe.at, tuple):
        return foe.at[0] + settings(state).band_metres[0] + 1, foe.at[1]
    near = near_places(state, foe.at) if isinstance(foe.at, str) else []
    return next(iter([*[name for name in near if name != who.at], *near]), None)
