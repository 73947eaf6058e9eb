"""What an action is made of: its rolled components, one roll for all of them, and what becomes of each."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.engine import Play, ask
from turnwright.model import Check, Choose, Chosen, Declaration, Option, Refusal, RuleId, State, Struct
from turnwright.rules import Steps
from turnwright.systems.storypath.attack import (
    attack_dice,
    attack_enhancement,
    attack_need,
    attack_refusals,
    known_defense,
    needed,
    strike,
    weapon_of,
)
from turnwright.systems.storypath.deeds import (
    deed_dice,
    deed_enhancement,
    deed_named,
    deed_need,
    deed_refusals,
    deeds,
    do_deed,
)
from turnwright.systems.storypath.events import DefenseSet, SplitMade
from turnwright.systems.storypath.moving import hurry, hurry_need, hurry_refusals, nimble, rush, rush_refusals
from turnwright.systems.storypath.rolls import (
    Pause,
    Result,
    console,
    dice_for_sale,
    enhanced,
    help_for,
    resisted,
    throw,
    unstrain,
    use_help,
)
from turnwright.systems.storypath.sheet import character, pain, resilience, settings

SHARED = "storypath.mixed.split-successes"
OWN = ("attack", "hurry", "rush", "full_defense")
"""Components that are no deed of the scene."""
UNSPLIT = "storypath.mixed.single-roll"


class Half(Struct, frozen=True):
    """One component: what it is rolled with, and what it takes; None where the one who rolls cannot know that."""

    name: str
    label: str
    dice: int
    enhancement: int
    need: int | None
    useful: int
    """How many successes beyond what it takes can be put to use."""


def component_names(known: State) -> list[str]:
    """Everything rolled that an action may be made of here."""
    return [*OWN[:-1], *[deed.name for deed in deeds(known)]]


def dice_for(known: State, d: Declaration, name: str) -> int:
    """The whole pool of one component."""
    who = character(known, d.actor)
    if name == "attack":
        return attack_dice(known, d)
    if name in ("hurry", "rush"):
        return nimble(who) if name == "rush" else who.rating("athletics", "dexterity")
    if name == "full_defense":
        return defense_dice(known, d)
    deed = deed_named(known, name)
    return deed_dice(known, d, deed) if deed is not None else 0


def defense_dice(known: State, d: Declaration) -> int:
    who, rule = character(known, d.actor), settings(known)
    pool = who.defense if who.defense is not None and rule.full_defense_with_number else resilience(who)
    return (pool or 0) * rule.full_defense_factor


def skill_of(known: State, d: Declaration, name: str) -> str:
    if name == "attack":
        weapon = weapon_of(known, d)
        return weapon.skill if weapon is not None else ""
    deed = deed_named(known, name)
    return deed.skill if deed is not None else "athletics"


def part_refusals(known: State, d: Declaration, name: str) -> Iterator[Refusal]:
    """What stands against one component."""
    if name == "attack":
        yield from attack_refusals(known, d)
    elif name == "hurry":
        yield from hurry_refusals(known, d)
    elif name == "rush":
        yield from rush_refusals(known, d)
    elif name != "full_defense":
        deed = deed_named(known, name)
        if deed is None:
            every = ", ".join(component_names(known))
            yield Refusal("storypath.mixed.definition", f"{name!r} is nothing rolled here; there is {every}", "NO_DEED")
        else:
            yield from deed_refusals(known, d, deed)


def check_for(known: State, d: Declaration, names: tuple[str, ...]) -> Check:
    """The one roll for all components: the smallest of their pools, whole where there is only one.

    Rules: storypath.mixed.lower-pool, storypath.simple.full-attention.
    """
    who = character(known, d.actor)
    pools = [(dice_for(known, d, name), name) for name in names]
    dice, name = min(pools, key=lambda pair: pair[0])
    return Check(d.actor, skill_of(known, d, name), dice, dice_for_sale(known, who), UNSPLIT)


def half(known: State, d: Declaration, name: str) -> Half:
    """One component from what the one who rolls knows."""
    who = character(known, d.actor)
    if name == "attack":
        target, weapon = known.actors[d.target], weapon_of(known, d)
        defense = known_defense(known, target)
        need = None if defense is None else needed(known, d, defense)
        label = f"the {weapon.name if weapon is not None else 'attack'}"
        return Half(name, label, attack_dice(known, d), attack_enhancement(known, d), need, 99)
    if name in ("hurry", "rush", "full_defense"):
        more = help_for(known, who, "athletics") + who.enhancement
        need = hurry_need(known, d) if name == "hurry" else 0
        return Half(name, name.replace("_", " "), dice_for(known, d, name), more, need, 0)
    deed = deed_named(known, name)
    assert deed is not None
    useful = sum([c.rating for c in deed.complications]) + pain(known, who)
    return Half(
        name, deed.name, deed_dice(known, d, deed), deed_enhancement(known, d, deed), deed_need(known, d, deed), useful
    )


# -- the one roll


def perform(
    play: Play, d: Declaration, names: tuple[str, ...], dice: int, rule: RuleId, number: int | None = None
) -> Steps[tuple[Result, tuple[bool, ...], int]]:
    """One roll for all components, split between them, each judged by itself; gives what succeeded, and injuries.

    Rules: storypath.mixed.single-roll, storypath.mixed.halves-judged-separately.
    """
    needs: list[int] = []
    for name in names:
        needs.append((yield from _need(play, d, name, number)))
    more = [half(play.state, d, name).enhancement for name in names]  # kept: what helps this roll
    result = yield from throw(play, d.actor, " and ".join(names), dice, rule, enhancement=sum(more))
    for name in names:
        use_help(play, d.actor, skill_of(play.state, d, name), d.target)
    shares: tuple[int, ...] = (result.successes,)
    if len(names) > 1:
        total = result.successes
        if settings(play.state).enhancement_is_split and total:
            total, more = total + sum(more), [0] * len(names)
        shares = yield from split(play, d, names, total, tuple(more), tuple(needs))
    totals = [enhanced(play.state, result, e, share) for e, share in zip(more, shares, strict=True)]
    unstrain(play, d.actor)
    good: list[bool] = []
    injuries = 0
    for name, total, need in zip(names, totals, needs, strict=True):
        met = total >= need and not result.botch
        met, hurt = yield from _do(play, d, name, total - need if met else None)
        injuries += hurt
        good.append(met)
    _console(play, d, result, good)
    return result, tuple(good), injuries


def _console(play: Play, d: Declaration, result: Result, good: list[bool]) -> None:
    """One consolation at most for an action, and only where all of it failed.

    Rules: storypath.mixed.halves-judged-separately.
    """
    if d.actor not in play.state.actors:
        return
    if not any(good):
        console(play, d.actor, result.botch)
    if settings(play.state).mixed_consolations == "each":
        for _ in range(good.count(False) - int(not any(good))):
            console(play, d.actor, False)


def _need(play: Play, d: Declaration, name: str, number: int | None) -> Steps[int]:
    if name == "attack":
        return (yield from attack_need(play, d))
    if name == "hurry":
        return hurry_need(play.state, d, number)
    if name == "full_defense":
        return 0
    if name == "rush":
        foe = character(play.state, d.target)
        theirs = yield from resisted(play, d.target, nimble(foe), "rush", "storypath.mixed.single-roll")
        tie = int(settings(play.state).rush_ties == "other")
        return theirs + tie + character(play.state, d.actor).hampered
    deed = deed_named(play.state, name)
    assert deed is not None
    return deed_need(play.state, d, deed)


def _do(play: Play, d: Declaration, name: str, over: int | None) -> Steps[tuple[bool, int]]:
    """What becomes of one component: whether it came out, and the injuries."""
    if d.actor not in play.state.actors:
        return False, 0
    if name == "attack":
        return (yield from strike(play, d, over))
    if name == "hurry":
        return hurry(play, d, over), 0
    if name == "rush":
        return rush(play, d, over), 0
    if name == "full_defense":
        guard = max(settings(play.state).least_defense, over or 0)
        play.emit(DefenseSet("storypath.simple.full-attention", d.actor, guard, full=True))
        return True, 0
    deed = deed_named(play.state, name)
    assert deed is not None
    return (yield from do_deed(play, d, deed, over)), 0


# -- splitting


def split(
    play: Play, d: Declaration, names: tuple[str, ...], total: int, more: tuple[int, ...], needs: tuple[int, ...]
) -> Steps[tuple[int, ...]]:
    """The successes are divided once they are seen; what goes to one is not there for another.

    Rules: storypath.mixed.split-successes.
    """
    if not total:
        return (0,) * len(names)
    seat = character(play.state, d.actor).seat  # kept: who decides
    given = yield from ask(lambda: _question(play.game.known(play.state, seat), d, names, total, more, needs), Chosen)
    shares = tuple([int(part) for part in given.id.split("/")])
    play.emit(SplitMade(SHARED, d.actor, names, shares))
    return shares


def _question(
    known: State, d: Declaration, names: tuple[str, ...], total: int, more: tuple[int, ...], needs: tuple[int, ...]
) -> Choose:
    """Every split, the useful ones first and each with what it achieves, as far as the one who splits can know.

    Rules: storypath.mixed.split-successes.
    """
    who = character(known, d.actor)
    halves = [_seen(half(known, d, name), need) for name, need in zip(names, needs, strict=True)]
    shares = ranked_splits(halves, more, total, d.option("prefer"))
    useful = useful_splits(halves, more, total)
    options = [Option("/".join(map(str, s)), _words(halves, more, s, s in useful)) for s in shares]
    refused = tuple(
        [Refusal(SHARED, f"all together they are {total}, whole and not below 0", f"{n}/") for n in range(20)]
    )
    prompt = (
        f"{total} success{'es' if total > 1 else ''} for {' and '.join(h.label for h in halves)}: how are they split?"
    )
    return Choose(who.seat, who.id, prompt, SHARED, tuple(options), "split", refused, Pause(who.id))


def _seen(held: Half, need: int) -> Half:
    """A component with what it really takes, where that is no secret."""
    from msgspec.structs import replace

    return held if held.need is None else replace(held, need=need)


def all_splits(count: int, total: int) -> Iterator[tuple[int, ...]]:
    """Every way to give all successes away."""
    if count == 1:
        yield (total,)
        return
    for first in range(total, -1, -1):
        for rest in all_splits(count - 1, total - first):
            yield (first, *rest)


def worth(held: Half, more: int, share: int) -> int:
    """What so many successes are worth to a component: -1 where it fails, else how much over can be used.

    One whose need is not known is worth what goes to it.
    """
    total = share + more
    if held.need is None:
        return share
    return -1 if total < held.need else min(total - held.need, held.useful)


def useful_splits(halves: list[Half], more: tuple[int, ...], total: int) -> list[tuple[int, ...]]:
    """The splits of which no other is better for one component and as good for all the rest."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for shares in all_splits(len(halves), total):
        found.setdefault(tuple([worth(h, m, s) for h, m, s in zip(halves, more, shares, strict=True)]), shares)
    return [
        shares
        for value, shares in found.items()
        if not any(other != value and all(a >= b for a, b in zip(other, value, strict=True)) for other in found)
    ]


def ranked_splits(halves: list[Half], more: tuple[int, ...], total: int, prefer: str) -> list[tuple[int, ...]]:
    """All splits, the one first that serves what is preferred: both, or one of them before the other."""
    order = list(range(len(halves)))
    if prefer in PREFERRED[1:]:
        first = PREFERRED.index(prefer) - 1
        order = [first, *[n for n in order if n != first]] if first < len(order) else order

    def key(shares: tuple[int, ...]) -> tuple[int, ...]:
        values = [_guess(halves[n], more[n], shares[n]) for n in order]
        met = [int(value >= 0) for value in values]
        together = sum(met) if prefer in ("", "both") else 0
        return (together, *[part for pair in zip(met, values, strict=True) for part in pair])

    useful = useful_splits(halves, more, total)
    every = list(all_splits(len(halves), total))
    first_of_all = sorted(useful, key=key, reverse=True)
    rest = [shares for shares in every if shares not in useful]
    return [*first_of_all, *rest, (0,) * len(halves)]


PREFERRED = ("both", "first", "second", "third")
GUESS = 2


def _guess(held: Half, more: int, share: int) -> int:
    """As worth, with a guess in place of what is not known."""
    if held.need is not None:
        return worth(held, more, share)
    return -1 if share + more < GUESS else share + more - GUESS


def _words(halves: list[Half], more: tuple[int, ...], shares: tuple[int, ...], useful: bool) -> str:
    parts = [_achieved(h, m, s) for h, m, s in zip(halves, more, shares, strict=True)]
    return ", ".join(parts) + ("" if useful else " (gains nothing)")


def _achieved(held: Half, more: int, share: int) -> str:
    """`2 on the sword: hits`, `0 on balance: fails, 1 short`."""
    total = share + more
    given = f"{share}+{more}" if more else f"{share}"
    if held.need is None:
        return f"{given} on {held.label}: hits a Defense of {total} or less"
    if total < held.need:
        return f"{given} on {held.label}: fails, {held.need - total} short"
    over = f", {total - held.need} over" if total > held.need else ""
    return f"{given} on {held.label}: {'hits' if held.name == 'attack' else 'succeeds'}{over}"
