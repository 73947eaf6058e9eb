"""The questions that a seat is asked, each with what it needs to decide: prices, odds, warnings, a way to say no."""

from __future__ import annotations

from typing import Any, NamedTuple

from turnwright.cli.asking import asked as asked_words
from turnwright.cli.story import ruling_words
from turnwright.known import Open
from turnwright.model import (
    GUIDE,
    Choose,
    Clarify,
    Commit,
    Confirm,
    Option,
    Order,
    Refused,
    Roll,
    Rule,
    Ruling,
    SeatId,
    State,
)
from turnwright.odds import TooMany, percent
from turnwright.rules import Game
from turnwright.web.live import LiveTable
from turnwright.web.views.offering import Way, ways
from turnwright.web.views.words import priced, titled

AT_ONCE = 3_000
"""So many branches are followed for the odds of one answer, while a page is made."""
KINDS = ("choose", "commit", "confirm", "roll", "rule", "clarify", "order")


class Choice(NamedTuple):
    """One thing that may be answered, its price, how far it is boosted, and the odds with it."""

    value: str
    label: str
    price: str
    most: int
    chances: tuple[Way, ...]
    """The odds with every amount that may be committed with it."""
    no: bool


class Ask(NamedTuple):
    """A question that this seat may answer."""

    id: str
    key: str
    """The name of its element on the page."""
    kind: str
    known: bool
    """Whether the page has a form of its own for the kind; for another one the answer is typed."""
    mine: bool
    who: str
    prompt: str
    price: str
    most: int
    choices: tuple[Choice, ...]
    chances: tuple[Way, ...]
    odds_of: str
    """Whose success the odds of the choices are."""
    notes: tuple[str, ...]
    may_withdraw: bool
    drafted: bool
    presets: tuple[str, ...]
    declared: str
    goal: str
    means: str
    dice: str
    thrown: int
    sides: int
    lowest: int
    highest: int
    skills: tuple[str, ...]
    procedures: tuple[str, ...]
    rule: str
    actor: str
    about: str
    """What a standing answer goes by."""
    wish: str
    """The standing answer that holds now."""


def asked(live: LiveTable, seat: SeatId) -> tuple[Ask, ...]:
    """What a seat is asked, its own first; the guide sees what everybody is asked."""
    found = [_ask(live, seat, held) for held in live.table.waiting_on if seat in (GUIDE, held.who)]
    return tuple(sorted(found, key=lambda ask: not ask.mine))


def _ask(live: LiveTable, seat: SeatId, held: Open) -> Ask:
    known, question, game = live.table.knows(seat), held.question, live.table.game
    price = question.price if isinstance(question, (Commit, Confirm)) else None
    pool = question.pool if isinstance(question, Roll) else None
    about = question.about if isinstance(question, Choose) and held.who == seat else ""
    declared = question.declaration if isinstance(question, Rule) else None
    return Ask(
        id=held.id,
        key="q-" + held.id.replace(".", "-"),
        kind=held.kind,
        known=held.kind in KINDS,
        mine=held.who == seat,
        who=live.name_of(held.who),
        prompt=held.prompt if held.who == seat else asked_words(game, known, held),
        price=priced(game, price) if price is not None else "",
        most=question.most if isinstance(question, Commit) else 0,
        choices=_choices(live, known, held),
        chances=_chances_of(live, held, seat),
        odds_of=_odds_of(live, known, held),
        notes=tuple(question.warnings) if isinstance(question, (Commit, Confirm)) else (),
        may_withdraw=_may_withdraw(question),
        drafted=held.drafted,
        presets=_presets(question) if seat == GUIDE else (),
        declared=_declared(game, known, question),
        goal=declared.intent if declared is not None else "",
        means=declared.method if declared is not None else "",
        dice=str(pool) if pool is not None else "",
        thrown=pool.thrown if pool is not None else 0,
        sides=pool.sides if pool is not None else 0,
        lowest=pool.range[0] if pool is not None else 0,
        highest=pool.range[1] if pool is not None else 0,
        skills=_skills(known, declared.actor) if declared is not None else (),
        procedures=game.procedures() if declared is not None else (),
        rule=question.rule if not isinstance(question, Roll) or seat == GUIDE else "",
        actor=held.actor,
        about=about,
        wish=live.table.standing.get(f"{held.who} {about}", "") if about else "",
    )


def _choices(live: LiveTable, known: State, held: Open) -> tuple[Choice, ...]:
    question, game = held.question, live.table.game
    if isinstance(question, Order):
        named = [(name, known.actors.get(name)) for name in question.among]
        return tuple([Choice(name, who.name if who else "somebody", "", 0, (), False) for name, who in named])
    if not isinstance(question, Choose):
        return ()
    found = []
    for option in question.options:
        price = priced(game, option.price) if option.price.costs else ""
        label = option.label[:1].upper() + option.label[1:]
        chances = _chances_with(live, held, option)
        found.append(Choice(option.id, label, price, option.most, chances, option.id == "pass"))
    return tuple(found)


def _chances_with(live: LiveTable, held: Open, option: Option) -> tuple[Way, ...]:
    """The odds of the action under way with an answer, by what its own seat knows; none where it cannot tell."""
    found = []
    for boost in range(option.most + 1):
        try:
            told = live.table.odds_of_answer(held, (option.id, boost), seat=held.who, limit=AT_ONCE)
        except (Refused, TooMany):
            return ()
        found.append(Way(boost, percent(told.success)))
    return tuple(found)


def _odds_of(live: LiveTable, known: State, held: Open) -> str:
    """The action whose success the odds are of, in words."""
    pending = live.table.pending
    if pending is None or not isinstance(held.question, Choose):
        return ""
    actor = known.actors.get(pending.declaration.actor)
    if actor is None:
        return "what is under way"
    return f"{actor.name}’s {pending.declaration.action.replace('_', ' ')}"


def _chances_of(live: LiveTable, held: Open, seat: SeatId) -> tuple[Way, ...]:
    if held.who != seat or not isinstance(held.question, Commit):
        return ()
    try:
        return ways(live.table.chances_of(held, seat=seat, limit=AT_ONCE))
    except (Refused, TooMany):
        return ()


def _may_withdraw(question: Any) -> bool:
    if isinstance(question, (Commit, Choose)):
        return question.may_withdraw
    return isinstance(question, (Confirm, Clarify))


def _presets(question: Any) -> tuple[str, ...]:
    if not isinstance(question, Rule):
        return ()
    return tuple([_preset(ruling) for ruling in question.suggested])


def _preset(ruling: Ruling) -> str:
    words = ruling_words(ruling)
    return f"As before: {words}" if ruling.when else words[:1].upper() + words[1:]


def _declared(game: Game, known: State, question: Any) -> str:
    """What is ruled on: as it is offered, with what that leaves unsaid."""
    if not isinstance(question, Rule):
        return ""
    d = question.declaration
    actor, target, action = known.actors.get(d.actor), known.actors.get(d.target), game.actions.get(d.action)
    label = action.label(known, d) if action is not None else titled(d.action).lower()
    parts = [f"{actor.name if actor else d.actor}: {label}"]
    parts += [f"on {target.name}"] if target is not None and target.name not in label else []
    more = [(name.replace("_", " "), str(value).replace("_", " ")) for name, value in d.options.items()]
    return ", ".join([*parts, *[f"{name} {value}" for name, value in more if not _said(label, value)]])


def _said(label: str, value: str) -> bool:
    """Whether a label has the word; a number in it may be another."""
    return value in label and not any(c.isdigit() for c in value)


def _skills(known: State, actor: str) -> tuple[str, ...]:
    """The Skills that are on somebody's sheet, by whatever name the sheet keeps them."""
    who = known.actors.get(actor)
    found = getattr(who, "skills", None) or getattr(who, "training", None) or {}
    return tuple(found) if isinstance(found, dict) else ()
