"""What can be typed besides an action: look, ask why, take back, change, save, leave."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from turnwright.answers import said_in
from turnwright.cli import asking
from turnwright.cli.board import show_sheet
from turnwright.cli.declaring import INCOMPLETE, meant, read_part
from turnwright.cli.errors import Stopped
from turnwright.cli.odds import Told, show_comparison, show_notes
from turnwright.cli.rules import find_card, show_card
from turnwright.cli.story import Story, ruling_words
from turnwright.cli.words import Unclear, actor_named, cells, read_words
from turnwright.events import Event
from turnwright.known import asked, question_view
from turnwright.log import BadLog, read_lines
from turnwright.model import GUIDE, Choose, Offer, Rule, Ruling, dec_hook
from turnwright.rules import Game
from turnwright.rulings import house_rules

if TYPE_CHECKING:
    from turnwright.cli.session import Session

TOLD = 20
"""How many lines of the story `log` shows."""


class Command(NamedTuple):
    usage: str
    about: str
    run: Callable[[Session, str], None]
    looks: bool = False
    """Whether it only looks, so that it can be done in between."""
    guides: bool = False
    """Whether it is for the guide alone."""


def _help(session: Session, rest: str) -> None:
    say = session.screen.say
    say("A number does what stands beside it; words do too:")
    for example, about, fits in EXAMPLES:
        if fits(session.game):
            say(f"  {example:<26} {about}", hang=27)
    say("Besides, at any time:")
    for command in dict.fromkeys(COMMANDS.values()):
        say(f"  {command.usage:<26} {command.about}", hang=27)
    for action in session.game.actions.values():
        if action.interjected:
            how = action.parameters[0].name.upper() if action.nature == "guide" else "NAME how"
            say(f"  {f'{action.name} {how}':<26} {action.about}", hang=27)


EXAMPLES: tuple[tuple[str, str, Callable[[Game], bool]], ...] = (
    ("3", "offer 3; what it still needs is asked for", lambda game: True),
    ("walk 4,2", "by the cheapest route; `walk 3,2 4,2` by this one", lambda game: "walk" in game.actions),
    ("attack guard +1", "+1: one more die than the price", lambda game: bool(game.boost)),
    ("attack guard with knife", "whom, and with what", lambda game: not game.boost),
    ("hide behind the cart", "the words say how", lambda game: "hide" in game.actions),
    ("NAME release", "something by somebody whose turn it is not", lambda game: "release" in game.actions),
    ("Enter", "the offers again; it leaves a prompt that asks for more, as `cancel` does", lambda game: True),
)
"""What can be typed, what it does, and in which games."""


def _why(session: Session, rest: str) -> None:
    """Why something may not be done, or what it costs; while a question is open, why not the other answers."""
    if session.table.waiting_on:
        _why_asked(session)
        return
    if not rest:
        raise Unclear("say of what: `why 5`, `why hide`, `why walk 9,9`")
    if rest.split()[0].isdecimal():
        offer = session.numbered(rest.split()[0], ask=False)
        same = [offer]
    else:
        offer, said = meant(session, rest, ask=False)
        same = [o for o in session.listed if o.action == offer.action]
        if len(rest.split()) > 1 or len(same) == 1:
            same = [session.table.explain(offer.declaration.actor, offer.action, **said)]
    for offer in same:
        _explain(session, offer)


def _explain(session: Session, offer: Offer) -> None:
    say = session.screen.say
    verdict = {"legal": "it may be done", "ruling": f"the {session.game.guide_word} rules on it", "illegal": "refused"}
    against = [refusal for refusal in offer.refusals if not refusal.code.startswith(INCOMPLETE)]
    lacking = [r.code.removeprefix(INCOMPLETE) for r in offer.refusals if r.code.startswith(INCOMPLETE)]
    listed = next((o.verdict for o in session.listed if o.action == offer.action), offer.verdict)
    ruled = listed if lacking and not against else offer.verdict
    say(f"{offer.label}: {verdict[ruled]}", "bold")
    for text in asking.why_not(against):
        say(text, indent=2, hang=2)
    if lacking:
        say(f"still to be said: {', '.join(lacking)}", indent=2)
    for cost in offer.price.costs:
        words = session.game.resource_words(cost.resource, cost.amount)
        say(f"{words or 'with it'}: {cost.why} [{cost.rule}]", indent=2, hang=2)
    for stretch in offer.price.along:
        say(f"{float(stretch.metres):g} m: {stretch.why} [{stretch.rule}]", indent=2, hang=2)
    if not offer.price.costs and not against:
        say("its price comes with the ruling" if ruled == "ruling" else "it costs nothing", indent=2)
    for text in offer.warnings:
        say(f"careful: {text}", indent=2, hang=2)
    if offer.rules:
        say(f"see rule {', '.join(offer.rules)}", indent=2, hang=2)


def _why_asked(session: Session) -> None:
    say = session.screen.say
    for held in asked(session.table.waiting_on, session.facing):
        question = held.question
        rule = question_view(question, session.facing).get("rule")
        say(f"{held.prompt}" + (f" [{rule}]" if rule else ""), hang=2)
        for refusal in question.refused if isinstance(question, Choose) else ():
            say(f"- not {refusal.code.replace('_', ' ')}: {refusal.text} [{refusal.rule}]", indent=2, hang=2)


def _all(session: Session, rest: str) -> None:
    session.show_offers(every=True)


def _rule(session: Session, rest: str) -> None:
    show_card(session.screen, find_card(rest))


def _map(session: Session, rest: str) -> None:
    session.show_map()


def _state(session: Session, rest: str) -> None:
    state = session.known
    actor = actor_named(state, rest) if rest else state.active or ""
    if not actor:
        raise Unclear(f"say of whom: {', '.join(state.actors)}")
    session.screen.say(state.actors[actor].name, "bold")
    show_sheet(session.screen, session.game, state, actor)


def _log(session: Session, rest: str) -> None:
    count = int(rest) if rest.isdecimal() else TOLD
    for line in list(Story(session.table, session.facing).on())[-count:]:
        session.screen.say(f"{line.entry:>4}  {line.text}", hang=6)


def _undo(session: Session, rest: str) -> None:
    session.undo()


def _redo(session: Session, rest: str) -> None:
    session.redo()


def _save(session: Session, rest: str) -> None:
    path = Path(rest).expanduser() if rest else session.save
    if path is None:
        raise Unclear("say where: `save FILE`")
    save_to(session, path)
    session.screen.say(f"Saved to {path}, and from now on after every step.")


def save_to(session: Session, path: Path) -> None:
    """Write the log there, and from now on after every step. Raises Stopped for a file that is no log."""
    if path != session.save and path.exists():
        _only_a_log(path)
    session.table.save(path)
    session.save, session.saved = path, len(session.table.log)


def _only_a_log(path: Path) -> None:
    try:
        read_lines(path)
    except BadLog:
        raise Stopped(f"{path} is there already and is no log; it stays as it is") from None


def _odds(session: Session, rest: str) -> None:
    """The exact chances of an offer, from here: `odds 4`, `odds hide boost=1`, `odds 4 by boost`."""
    rest, _, by = rest.partition(" by ") if rest.rpartition(" by ")[2].isidentifier() else (rest, "", "")
    head, _, more = rest.partition(" ")
    if not head:
        raise Unclear("say of what: `odds 4`, `odds hide boost=1`, `odds 4 by boost`")
    if head.isdecimal():
        offer = session.numbered(head, more)
        said = said_in(offer.declaration) | read_words(offer.parameters, session.known, more)
    else:
        offer, said = meant(session, rest, ask=False)
    for name in ("intent", "method"):
        if any(p.name == name for p in offer.parameters):
            said.setdefault(name, "as planned")
    actor = offer.declaration.actor
    if by:
        said.pop(by, None)
        found = session.table.compare(actor, offer.action, by, **said)
        show_comparison(session.screen, session.table, found)
        show_notes(session.screen, next(iter(found.values()), None))
        return
    Told(session.table, actor, offer.action, session.table.odds(actor, offer.action, **said), said).show(session.screen)


def _override(session: Session, rest: str) -> None:
    """`override NAME.ready 3 because she rested`: the guide changes values, with a reason; or an event by its name."""
    what, _, reason = rest.partition(" because ")
    kind = session.game.event_named(what.split(" ")[0])
    if kind is not None:
        session.table.override(_event(kind, what.partition(" ")[2]), reason or _reason(session))
        return
    words = what.split()
    if len(words) < 2 or len(words) % 2:
        raise Unclear("say what, the value and why: `override NAME.WHAT 3 because she rested`")
    changes = {name: _json(value) for name, value in zip(words[::2], words[1::2], strict=True)}
    session.table.override(changes, reason or _reason(session))


def _event(kind: type[Event], said: str) -> Event:
    """`DoorMoved {"door": "gate", "open": true}` as an event. Raises Unclear."""
    try:
        found: Event = msgspec.convert({"rule": "", **json.loads(said or "{}")}, kind, dec_hook=dec_hook)
    except (ValueError, TypeError) as error:
        fields = ", ".join(field.name for field in msgspec.structs.fields(kind) if field.name != "rule")
        raise Unclear(f"{kind.__name__} is said as JSON, with {fields}: {error}") from None
    return found


def _reason(session: Session) -> str:
    return read_part(session, "  why? ", words=True)


def _rulings(session: Session, rest: str) -> None:
    """What stands as ruled."""
    held = house_rules(session.table.state)
    for number, ruling in enumerate(held, 1):
        session.screen.say(f"{number:>3} {ruling.when}: {ruling_words(ruling)}", hang=4)
    if not held:
        session.screen.say("Nothing was ruled yet.")


def _revoke(session: Session, rest: str) -> None:
    """`revoke 2 because the wall is wet`: it is ruled on anew."""
    number, _, reason = rest.partition(" because ")
    held = house_rules(session.table.state)
    if not held:
        raise Unclear("nothing was ruled yet, so there is nothing to revoke")
    if not (number.strip().isdecimal() and 1 <= int(number) <= len(held)):
        raise Unclear(f"say which: `revoke 1 because ...`; `rulings` lists them, 1 to {len(held)}")
    session.table.revoke(held[int(number) - 1].when, reason or _reason(session))


def _json(word: str) -> Any:
    """A typed value: a number, a Space, `none`, JSON, or else the word itself."""
    if cells(word) and word[0] not in "[{":
        return list(cells(word)[0])
    if word.lower() == "none":
        return None
    try:
        return json.loads(word)
    except ValueError:
        return word


def _anyway(session: Session, rest: str) -> None:
    """The guide lets the last refused declaration pass, with a reason."""
    if session.refused is None or session.table.state.active is None:
        raise Unclear("nothing was refused just now")
    reason = rest.removeprefix("because").strip() or _reason(session)
    action, said = session.refused
    session.table.declare(session.table.state.active, action, seat=GUIDE, overrule=reason, **said)
    session.refused = None


def _overrule(session: Session, rest: str) -> None:
    session.overrule()


def _quit(session: Session, rest: str) -> None:
    session.leave()


def _finish(session: Session, rest: str) -> None:
    if session.table.waiting_on:
        raise Unclear("a question is open; answer it, withdraw or undo first")
    session.finish("the scene was ended here")


def edited(session: Session, question: Rule, rest: str) -> Ruling:
    """A ruling asked for part by part, from a preset; Enter keeps a part as it is."""
    number = int(rest) if rest.isdecimal() else 1
    start = question.suggested[number - 1] if 1 <= number <= len(question.suggested) else Ruling("check")
    kind = read_part(session, f"  {asking.ABOUT['kind']} [{start.kind}]: ", empty=True).lower() or start.kind
    if kind not in asking.EDITED:
        raise Unclear(f"a ruling is {asking.ABOUT['kind']}; got {kind!r}")
    parts = {"kind": kind}
    for name in asking.EDITED[kind]:
        if name == "against" and parts.get("target", str(start.target)) not in ("", "none", "None"):
            parts[name] = ""
            continue
        held = getattr(start, name)
        line = read_part(session, f"  {asking.ABOUT[name]} [{'' if held is None else held}]: ", words=True, empty=True)
        if line:
            parts[name] = line
    return asking.changed(start, parts)


COMMANDS: dict[str, Command] = {
    "why": Command("why 5, why hide", "the reasons against it, its price, its rules", _why, True),
    "all": Command("all", "what is refused too, with the reasons", _all, True),
    "odds": Command("odds 4, odds 4 by boost", "the exact chances, or side by side", _odds, True),
    "rule": Command("rule ID", "one rule", _rule, True),
    "map": Command("map", "the map and everybody", _map, True),
    "state": Command("state NAME", "somebody's sheet", _state, True),
    "log": Command("log", "what has happened", _log, True),
    "undo": Command("undo", "take back what was done last, with its dice", _undo),
    "redo": Command("redo", "do it again", _redo),
    "override": Command("override NAME.WHAT 3 because ...", "the guide changes a value", _override, guides=True),
    "rulings": Command("rulings", "what was ruled and is offered again", _rulings, True, guides=True),
    "revoke": Command("revoke 2 because ...", "it is ruled on anew", _revoke, guides=True),
    "anyway": Command("anyway because ...", "the guide lets pass what was just refused", _anyway, guides=True),
    "overrule": Command("overrule", "take back what was ruled for you, and rule it yourself", _overrule),
    "save": Command("save FILE", "write the log", _save),
    "finish": Command("finish", "end the scene and open its seed", _finish),
    "quit": Command("quit", "leave; it can go on later", _quit),
    "help": Command("?", "this", _help, True),
}
COMMANDS["?"] = COMMANDS["help"]
COMMANDS["exit"] = COMMANDS["quit"]
