"""From typed words to a declaration: which offer is meant, and what it still has to say, asked for one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from turnwright.answers import said_in
from turnwright.cli.asking import why_not
from turnwright.cli.words import (
    Said,
    Unclear,
    action_named,
    actor_in_full,
    actor_named,
    matching,
    only_cells,
    price_words,
    read_value,
    read_words,
)
from turnwright.model import GUIDE, Offer, Parameter, Refused, State

if TYPE_CHECKING:
    from turnwright.cli.session import Session

INCOMPLETE = "INCOMPLETE "
"""How the code of a refusal begins that names something still to be said."""

LEAVES = ("cancel", "never mind", "undo")
"""What leaves a declaration that is not made yet, where a part of it is asked for; an empty line does too."""


class Cancelled(Exception):
    """Somebody thought better of it before anything was declared, and typed what is to be done instead, if anything."""

    def __init__(self, instead: str = "") -> None:
        super().__init__(instead)
        self.instead = instead


def declare(session: Session, line: str) -> None:
    """Declare what a line says: `walk 4,2`, `attack guard`. Raises Unclear, Refused, Cancelled."""
    offer, said = meant(session, line)
    _complete_and_declare(session, offer, said)


def by_another(session: Session, line: str) -> bool:
    """Whether a line names somebody whose turn it is not and then an action: `kara release orc`; then it is declared.

    Raises Unclear, Refused, Cancelled.
    """
    words, state = line.split(), session.known
    if not words or words[0].lower() in session.game.actions:
        return False
    for count in (3, 2, 1):
        actor = actor_in_full(state, " ".join(words[:count])) if len(words) > count else ""
        if actor and actor != session.table.state.active:
            _only_own(session, state, actor)
            offer, said = _meant(session, session.table.offers(actor), " ".join(words[count:]))
            _complete_and_declare(session, offer, said)
            return True
    return False


def _only_own(session: Session, state: State, actor: str) -> None:
    if session.facing != GUIDE and state.actors[actor].seat != session.facing:
        raise Unclear(f"{state.actors[actor].name} is not yours to play")


def by_the_guide(session: Session, line: str) -> bool:
    """Whether a line is something that the guide does for nobody, such as a shift of the scene; then it is done."""
    words = line.split()
    named = [a for a in session.game.actions.values() if a.nature == "guide" and words and a.name == words[0].lower()]
    if not named:
        return False
    said = read_words(named[0].parameters, session.known, " ".join(words[1:]))
    act = session.table.interject if session.table.waiting_on else session.table.declare
    act("", named[0].name, seat=session.facing, **said)
    return True


def declare_offer(session: Session, offer: Offer, words: str) -> None:
    """Declare a listed offer, with more words if there are some."""
    said = said_in(offer.declaration) | read_words(offer.parameters, _known(session), words)
    _complete_and_declare(session, offer, said)


def meant(session: Session, line: str, *, ask: bool = True) -> tuple[Offer, Said]:
    """The offer that a line means and all that is said with it. Raises Unclear."""
    return _meant(session, session.listed, line, ask=ask)


def _meant(session: Session, listed: Sequence[Offer], line: str, *, ask: bool = True) -> tuple[Offer, Said]:
    action, rest = action_named({offer.action for offer in listed}, line)
    same = [offer for offer in listed if offer.action == action]
    said = read_words(same[0].parameters, _known(session), rest)
    fits = matching(listed, action, said) or same[:1]
    offer = _which(session, fits) if ask else fits[0]
    return offer, said_in(offer.declaration) | said


def _known(session: Session) -> State:
    """What the one whose turn it is knows."""
    active = session.table.state.active
    if active is None or session.facing != GUIDE:
        return session.known
    return session.table.knows(session.table.state.actors[active].seat)


def _which(session: Session, fits: Sequence[Offer]) -> Offer:
    """One of several offers that the words fit."""
    if len(fits) == 1:
        return fits[0]
    for number, offer in enumerate(fits, 1):
        session.screen.say(f"{number:>3} {offer.label:<36} {price_words(session.game, offer.price)}")
    line = read_part(session, f"which? [1 to {len(fits)}]> ")
    if line.isdecimal() and 1 <= int(line) <= len(fits):
        return fits[int(line) - 1]
    raise Unclear(f"choose 1 to {len(fits)}; got {line!r}")


def one_of(session: Session, among: Sequence[Offer], words: str) -> Offer:
    """Of several offers on one line the one that the words mean, else the one that is then chosen. Raises Unclear."""
    if len(among) == 1:
        return among[0]
    said = read_words(among[0].parameters, _known(session), words)
    return _which(session, matching(among, among[0].action, said) or among)


def read_part(session: Session, prompt: str, *, words: bool = False, empty: bool = False) -> str:
    """A line for a part of what is not done yet. Raises Cancelled for what leaves it, and for an empty line.

    A command that only looks is done in between; any other is done instead. Where any `words` will do, only a command
    by itself is one. With `empty` an empty line is an answer.
    """
    while True:
        line = session.read(prompt)
        if line.lower() in LEAVES or (not line and not empty):
            raise Cancelled
        if not session.commands_with(line, alone=words):
            return line
        if not session.looked(line):
            raise Cancelled(line)


# -- what is still to be said


def _complete_and_declare(session: Session, offer: Offer, said: Said) -> None:
    actor = offer.declaration.actor
    while True:
        found = session.table.explain(actor, offer.action, **said)
        lacking = [r.code.removeprefix(INCOMPLETE) for r in found.refusals if r.code.startswith(INCOMPLETE)]
        against = [r for r in found.refusals if not r.code.startswith(INCOMPLETE)]
        if against and session.table.mode != "advise":
            session.refused = (offer.action, said)
            raise Refused(*against)
        name = lacking[0] if lacking else _unsaid(found)
        if not name:
            break
        _ask_for(session, offer, name, said)
    for text in why_not(against):
        session.screen.say(f"careful: {text.removeprefix('- ')}", "yellow", hang=2)
    session.table.declare(actor, offer.action, **said)


def _unsaid(found: Offer) -> str:
    """A parameter that is required and that the declaration, completed, does not have."""
    d = found.declaration
    held = {**d.options, "intent": d.intent, "method": d.method, "target": d.target, "route": d.route}
    return next((p.name for p in found.parameters if p.required and held.get(p.name) in (None, "", ())), "")


def _ask_for(session: Session, offer: Offer, name: str, said: Said) -> None:
    """Ask for one parameter in its own words, or, where the name is none, for those that are open until one is said."""
    named = [p for p in offer.parameters if p.name == name]
    for parameter in named or [p for p in offer.parameters if not (p.by_name or said.get(p.name))]:
        words = parameter.kind == "text"
        line = read_part(session, _prompt(offer, parameter, bool(named)), words=words, empty=not named)
        if line:
            _put(session, offer, parameter, line, said)
            return
    raise Cancelled


def _prompt(offer: Offer, parameter: Parameter, needed: bool) -> str:
    if parameter.kind == "route" and any(p.kind in ("cell", "place") and not p.choices for p in offer.parameters):
        return f"  where to (a Space as x,y; several are the way, in order){'' if needed else '; Enter for the next'}: "
    how = {"route": " (Spaces as x,y)", "cell": " (a Space as x,y)", "place": " (a Space as x,y, or a name)"}
    how |= {"number": " (a number)", "yes": " (yes or no)"}
    choices = f" ({', '.join(parameter.choices)})" if parameter.choices else how.get(parameter.kind, "")
    return f"  {parameter.about}{choices}{'' if needed else '; Enter for the next'}: "


def _put(session: Session, offer: Offer, parameter: Parameter, line: str, said: Said) -> None:
    """One typed Space for a route is where to go, if the action takes that too."""
    to = next((p for p in offer.parameters if p.kind in ("cell", "place")), None)
    if parameter.kind == "route" and to is not None and len(only_cells(line)) == 1:
        parameter = to
    try:
        said[parameter.name] = read_value(parameter, _known(session), line)
    except Unclear as error:
        if parameter.kind != "text" and line.split()[0].lower() in session.game.actions:
            raise Cancelled(line) from None  # another declaration
        where = "where to: expected Spaces, such as 4,2 5,2"
        text = f"{where}; got {line!r}" if parameter.kind == "route" else str(error)
        session.screen.say(f"{text}; an empty line leaves this", "yellow", hang=2)


# -- while a question is open


def interjects(session: Session, line: str) -> bool:
    """`assist bo hold the ladder` while another's question is open: whether the line was one, and then it is done."""
    words = line.split()
    actions = session.game.actions
    action = actions.get(words[0].lower()) if words else None
    if action is None or not action.interjected:
        return False
    state = session.known
    mine = [actor.id for actor in state.actors.values() if session.facing in (GUIDE, actor.seat)]
    for count in (3, 2, 1):
        actor = actor_named(state, " ".join(words[1 : 1 + count]))
        if actor in mine:
            said = read_words(action.parameters, state, " ".join(words[1 + count :]))
            session.table.interject(actor, action.name, seat=session.facing, **said)
            return True
    if len(mine) == 1:  # whoever plays one only need not say who
        said = read_words(action.parameters, state, " ".join(words[1:]))
        session.table.interject(mine[0], action.name, seat=session.facing, **said)
        return True
    raise Unclear(f"say who: `{action.name} NAME what they do`; there are {', '.join(state.actors)}")
