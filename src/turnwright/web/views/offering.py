"""What may be done now: each offer with its price and odds, what has still to be said, and why others are refused."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from turnwright.comparing import Glance
from turnwright.model import Declaration, Offer, Parameter, Refusal, SeatId, State
from turnwright.rules import Action
from turnwright.web.fog import seen_of
from turnwright.web.live import LiveTable
from turnwright.web.views.words import priced, titled
from turnwright.web.windows import at_any_moment, open_to

MANY = 8
"""A group with more offers than this is folded up at first."""
GOES = ("place", "cell", "zone")
"""Kinds of parameters that say where; the map fills them in."""


class Way(NamedTuple):
    """A sealed amount beyond the price and the chance of success with it."""

    boost: int
    chance: str


class Field(NamedTuple):
    """Something to be said: its name, how it is typed or chosen, and what it is about."""

    name: str
    label: str
    kind: str
    about: str
    required: bool
    choices: tuple[tuple[str, str], ...]
    most: int


class OfferCard(NamedTuple):
    """One thing that may be done, or may not and why."""

    id: str
    do: str
    action: str
    label: str
    target: str
    price: str
    verdict: str
    said: dict[str, str]
    """What the page sends back to declare just this."""
    first: tuple[Field, ...]
    """What has to be said."""
    more: tuple[Field, ...]
    """What may be said besides."""
    ways: tuple[tuple[str, str], ...]
    """The ways to pay, where there are several."""
    chances: tuple[Way, ...]
    chance: str
    """The odds in a few words."""
    refusals: tuple[Refusal, ...]
    warnings: tuple[str, ...]
    rules: tuple[str, ...]
    about: str


class OfferGroup(NamedTuple):
    """Offers of one action, or single ones under one heading."""

    id: str
    name: str
    price: str
    """What all of them cost, where that is the same."""
    offers: tuple[OfferCard, ...]
    odds: bool
    """Whether any of them depends on dice: what is looked at most, and stands first."""
    folded: bool


class Offering(NamedTuple):
    """Everything that an actor may do now."""

    actor: str
    name: str
    singles: tuple[OfferCard, ...]
    groups: tuple[OfferGroup, ...]
    ends: tuple[OfferCard, ...]
    refused: tuple[OfferCard, ...]


def offering(live: LiveTable, actor: str, known: State, seat: SeatId) -> Offering:
    """What an actor may do in its turn, as the seat that plays it is told; `seat` is who looks."""
    listed = seen_of(live.table, seat, live.table.offers(actor))
    chances = live.table.chances(listed)
    cards = [_card(live, known, o, told, "declare") for o, told in zip(listed, chances, strict=True)]
    natures = live.table.game.actions
    turn = [card for card in cards if natures[card.action].nature == "turn" and card.verdict != "illegal"]
    open_ = [card for card in cards if card.verdict != "illegal" and card not in turn]
    refused = [card for card in cards if card.verdict == "illegal" and natures[card.action].nature != "turn"]
    singles, groups = _grouped(open_)
    name = known.actors[actor].name if actor in known.actors else ""
    return Offering(actor, name, singles, groups, tuple(turn), tuple(refused))


def interjections(live: LiveTable, seat: SeatId, known: State) -> tuple[OfferCard, ...]:
    """What a seat's characters may do while somebody else's question is open."""
    return tuple(
        [_card(live, known, offer, None, "interject") for offer in seen_of(live.table, seat, open_to(live.table, seat))]
    )


def any_time(live: LiveTable, seat: SeatId, known: State) -> tuple[OfferCard, ...]:
    """What a seat's characters may do on anybody's turn, by whom where it has several."""
    table = live.table
    cards = [_card(live, known, o, None, "interject") for o in seen_of(table, seat, at_any_moment(table, seat))]
    if len({actor.id for actor in known.actors.values() if actor.seat == seat}) < 2:
        return tuple(cards)
    names = {actor.id: f"{actor.name[:1].upper()}{actor.name[1:]}" for actor in known.actors.values()}
    return tuple([c._replace(label=f"{names[c.said['actor']]}: {c.label[:1].lower()}{c.label[1:]}") for c in cards])


def scene_offers(live: LiveTable, known: State) -> tuple[OfferCard, ...]:
    """What the guide may do for nobody: another scene mode, where the game has one."""
    if not any(action.nature == "guide" for action in live.table.game.actions.values()):
        return ()
    actions = live.table.game.actions
    do = "interject" if live.table.pending is not None else "declare"
    listed = [o for o in live.table.offers("") if actions[o.action].nature == "guide"]
    listed = [o for o in listed if do == "declare" or actions[o.action].interjected]
    return tuple([_card(live, known, offer, None, do) for offer in listed if offer.verdict != "illegal"])


def _grouped(cards: Sequence[OfferCard]) -> tuple[tuple[OfferCard, ...], tuple[OfferGroup, ...]]:
    held: dict[str, list[OfferCard]] = {}
    for card in cards:
        held.setdefault(card.action, []).append(card)
    singles = [found[0] for found in held.values() if len(found) == 1]
    several = [found for found in held.values() if len(found) > 1]
    several.sort(key=lambda found: not any(card.chances for card in found))
    groups = [_group(found, first=found is several[0]) for found in several]
    return tuple(singles), tuple(groups)


def _group(cards: list[OfferCard], first: bool) -> OfferGroup:
    actor, action = cards[0].said.get("actor", ""), cards[0].action
    prices = dict.fromkeys(card.price for card in cards)
    odds = any(card.chances for card in cards)
    return OfferGroup(
        id=f"g-{actor}-{action}",
        name=titled(action),
        price=next(iter(prices)) if len(prices) == 1 else "",
        offers=tuple(cards),
        odds=odds,
        folded=not (first and odds) or len(cards) > MANY,
    )


def _card(live: LiveTable, known: State, offer: Offer, told: Sequence[Glance] | None, do: str) -> OfferCard:
    game, said = live.table.game, said_in_form(offer.declaration)
    action = game.actions[offer.action]
    first, more = _fields(known, offer, said)
    chances = ways(told)
    target = known.actors.get(offer.declaration.target)
    several = offer.ways if len(offer.ways) > 1 else ()
    return OfferCard(
        id=stable_id("o", do, *map(str, offer.declaration.key())),
        do=do,
        action=offer.action,
        label=offer.label[:1].upper() + offer.label[1:],
        target=target.name if target is not None else "",
        price=priced(game, offer.price),
        verdict=offer.verdict,
        said=said,
        first=first,
        more=more,
        ways=tuple([(way.way, priced(game, way)) for way in several]),
        chances=chances,
        chance=_in_short(chances),
        refusals=offer.refusals,
        warnings=offer.warnings,
        rules=tuple(dict.fromkeys(offer.rules)),
        about=_about(action),
    )


def _about(action: Action) -> str:
    return action.about[:1].upper() + action.about[1:]


def _in_short(chances: Sequence[Way]) -> str:
    if len(chances) > 1 and chances[0].chance != chances[-1].chance:
        return f"{chances[0].chance}, boosted {chances[-1].chance}"
    return chances[0].chance if chances else ""


def stable_id(kind: str, *parts: str) -> str:
    """A name for an element that stays the same from page to page, so that what is open and typed stays with it."""
    return f"{kind}{zlib.crc32(chr(0).join(parts).encode()):08x}"


def said_in_form(d: Declaration) -> dict[str, str]:
    """A declaration as the fields of a form."""
    said = {"actor": d.actor, "action": d.action, "intent": d.intent, "method": d.method, "target": d.target}
    said |= {"way": d.way, "route": " ".join(_step(step) for step in d.route)}
    said |= {name: _plain(value) for name, value in d.options.items()}
    return {name: value for name, value in said.items() if value or name == "actor"}


def _step(step: Any) -> str:
    return f"{step[0]},{step[1]}" if isinstance(step, tuple) else str(step)


def _plain(value: str | int | bool) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def ways(told: Sequence[Glance] | None) -> tuple[Way, ...]:
    return tuple([Way(glance.boost, str(glance)) for glance in told or ()])


def _fields(known: State, offer: Offer, said: dict[str, str]) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """What must be said, and what may be; where to go comes first of what a move may be told."""
    left = [p for p in offer.parameters if p.name not in said]
    moves = any(p.kind == "route" for p in offer.parameters)
    must = [p for p in left if p.required or (moves and p.kind in GOES)]
    may = [p for p in left if p not in must]
    return tuple([_field(known, p) for p in must]), tuple([_field(known, p) for p in may])


def _field(known: State, p: Parameter) -> Field:
    choices = [(choice, choice.replace("_", " ")) for choice in p.choices]
    if p.kind == "actor":
        named = [(actor.id, actor.name) for actor in known.actors.values()]
        choices = [(name, dict(named)[name]) for name in p.choices if name in known.actors] or named
    return Field(p.name, titled(p.name), p.kind, p.about, p.required, tuple(choices), p.most)
