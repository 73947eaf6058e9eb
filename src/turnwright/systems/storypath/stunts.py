"""What successes over Defense buy: injuries, and the stunts of close combat."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play, ask
from turnwright.model import ActorId, Choose, Chosen, Option, State
from turnwright.rules import Steps
from turnwright.systems.storypath.events import (
    BlindedSet,
    GrappleBegun,
    GrappleEnded,
    Grapples,
    Helping,
    ItemPlaced,
    ProneSet,
    Stunted,
)
from turnwright.systems.storypath.injuries import hurt, suffer
from turnwright.systems.storypath.rolls import Pause
from turnwright.systems.storypath.settings import STUNTS
from turnwright.systems.storypath.sheet import (
    Character,
    character,
    pain,
    settings,
    standing,
)

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


def spend(play: Play, actor: ActorId, target: ActorId, close: bool, left: int) -> Steps[int]:
    """Threshold successes buy off pain and buy stunts, one after the other; what is left over bears the pain."""
    bought: list[str] = []
    injuries = 0
    while target in play.state.actors and not character(play.state, target).down:
        if not _stunts(play.state, actor, target, close, left, bought):
            break
        given = yield from ask(lambda: _stunt_question(play.state, actor, target, close, left, bought), Chosen)  # noqa: B023
        if given.id == "done":
            break
        name = given.id.partition(":")[0]
        price = _price(play.state, given, target)
        bought.append(name)
        left -= price
        play.emit(Stunted(DEFENSE, actor, target, given.id, price))
        injuries += yield from _stunt(play, actor, target, given, price)
    enough = actor in play.state.actors and left >= pain(play.state, character(play.state, actor))
    suffer(play, actor, "pain" in bought or enough)
    return injuries


def _price(state: State, given: Chosen, target: ActorId) -> int:
    name, _, rest = given.id.partition(":")
    if name == "pain":
        return int(rest)
    if name == "feint":
        return 1 + given.amount
    if name == "grapple":
        return variable_cost(character(state, target), "might")
    more = 1 if rest == "away" else 0
    return stunt_cost(state, name, character(state, target)) + more


def _stunt_question(state: State, actor: ActorId, target: ActorId, close: bool, left: int, bought: list[str]) -> Choose:
    who, foe = character(state, actor), character(state, target)
    options = (*_stunts(state, actor, target, close, left, bought), Option("done", "nothing more"))
    prompt = f"{left} over against {foe.name}: what for?"
    return Choose(who.seat, who.id, prompt, DEFENSE, options, "stunt", moment=Pause(who.id))


Buy = tuple[str, str, int, int]
"""Something to buy: its id, its words, its price, and how much more may be put into it."""


def _stunts(
    state: State, actor: ActorId, target: ActorId, close: bool, left: int, bought: list[str]
) -> tuple[Option, ...]:
    """What can be bought with what is left, what hurts most first."""
    who, foe = character(state, actor), character(state, target)
    every = [*_harming(state, who, foe, bought), *(_close_stunts(state, who, foe, left) if close else ())]
    open_to = [buy for buy in every if buy[2] <= left and buy[0].partition(":")[0] not in bought]
    return tuple([Option(id, f"{label} ({price})", most=most) for id, label, price, most in open_to])


def _harming(state: State, who: Character, foe: Character, bought: list[str]) -> Iterator[Buy]:
    yield "inflict", f"injure {foe.name}", stunt_cost(state, "inflict", foe), 0
    if "inflict" in bought:
        yield "critical", f"injure {foe.name} once more", stunt_cost(state, "critical", foe), 0
    if pain(state, who):
        yield f"pain:{pain(state, who)}", "bear the pain", pain(state, who), 0


def _close_stunts(state: State, who: Character, foe: Character, left: int) -> Iterator[Buy]:
    held = _weapon_in_hand(foe)
    if not foe.prone:
        yield "trip", f"bring {foe.name} down", stunt_cost(state, "trip", foe), 0
    if not foe.blinded:
        yield "blinding", f"blind {foe.name}: a shot is harder", stunt_cost(state, "blinding", foe), 0
    if held:
        yield f"disarm:{held}", f"knock the {held} away", stunt_cost(state, "disarm", foe), 0
        yield "disarm:away", f"send the {held} flying", stunt_cost(state, "disarm", foe) + 1, 0
        yield f"seize:{held}", f"take the {held}", stunt_cost(state, "seize", foe), 0
    ties = tuple(state.every(Grapples))
    if any(foe.id in (tie.owner, tie.other) and who.id not in (tie.owner, tie.other) for tie in ties):
        yield "break_up_grapple", "break up the grapple", stunt_cost(state, "break_up_grapple", foe), 0
    if not any(one.id in (tie.owner, tie.other) for tie in ties for one in (who, foe)):
        yield "grapple", f"take hold of {foe.name}", variable_cost(foe, "might"), 0
    for ally in standing(state):
        if ally.side == who.side:
            yield f"feint:{ally.id}", f"feint for {ally.name}: 1 Enhancement, and 1 for each more", 1, max(0, left - 1)


def _weapon_in_hand(who: Character) -> str:
    """The weapon that can be taken away: not one of the body."""
    return next((w.name for w in who.weapons if who.item(w.name) is not None and who.ready(w)), "")


def _stunt(play: Play, actor: ActorId, target: ActorId, given: Chosen, price: int) -> Steps[int]:
    """What a stunt does; gives the injuries."""
    name, _, rest = given.id.partition(":")
    if name in ("inflict", "critical"):
        return (yield from hurt(play, target, actor))
    if name == "trip":
        play.emit(ProneSet(DEFENSE, target, True))
    elif name == "blinding":
        play.emit(BlindedSet(DEFENSE, target))
    elif name in ("disarm", "seize"):
        _take_weapon(play, actor, target, name)
    elif name == "grapple":
        play.emit(GrappleBegun(DEFENSE, actor, target))
    elif name == "break_up_grapple":
        for tie in tuple(play.state.every(Grapples)):
            if target in (tie.owner, tie.other):
                play.emit(GrappleEnded(DEFENSE, tie.owner, tie.other))
    elif name == "feint":
        play.emit(Helping(DEFENSE, rest, price, "", target))
    return 0


def _take_weapon(play: Play, actor: ActorId, target: ActorId, how: str) -> None:
    foe = character(play.state, target)
    held = _weapon_in_hand(foe)
    if held:
        play.emit(ItemPlaced(DEFENSE, target, held, by=actor if how == "seize" else ""))
