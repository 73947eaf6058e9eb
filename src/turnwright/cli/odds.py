"""`odds`: the exact chances of one action, by what others answer, side by side, and what would raise them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

import typer

from turnwright.answers import said_in
from turnwright.cli.asking import ruling_of, why_not
from turnwright.cli.errors import BadInput, check_seat
from turnwright.cli.offers import Actor, Json, Scene, begun
from turnwright.cli.screen import Screen, write_json
from turnwright.cli.words import (
    Said,
    Unclear,
    action_named,
    actor_named,
    matching,
    price_words,
    read_words,
)
from turnwright.comparing import Comparison, Glance, Hint, OpenOdds
from turnwright.deciding import Decision
from turnwright.foresight import AT_A_GLANCE
from turnwright.model import GUIDE, Choose, Cost, Order, Price, Question, Refused, Rule, State
from turnwright.odds import LIMIT, Distribution, Odds, TooMany, percent
from turnwright.rules import Game
from turnwright.table import Open, Table
from turnwright.underway import rolled

FEW = 24
"""So many ways in which others can answer are listed without being asked for."""


def odds(
    scene: Scene,
    actor: Actor,
    action: Annotated[str, typer.Argument(metavar="ACTION", help="An action, as `offers` lists them.")],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE", help="What else is said, such as target=guard.")
    ] = None,
    compare: Annotated[
        str, typer.Option(metavar="NAME", help="Side by side: `boost`, `weapon`, `target`, any part of the action.")
    ] = "",
    answer: Annotated[
        list[str] | None,
        typer.Option(metavar="WHO=WHAT", help="What somebody decides: guard=full_guard+1, ruling=2, bo=pass."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--open", help="Also by how much others commit and how it is ruled.")
    ] = False,
    help_by: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="'NAME ACTION'", help="Somebody helps first: --with 'bo assist'."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many branches are tried at most.")] = LIMIT,
    after: Annotated[
        list[str] | None,
        typer.Option(metavar="'ACTION WORDS'", help="What the character does first: --after 'walk 5,1'."),
    ] = None,
    sample: Annotated[int, typer.Option(min=0, help="Estimate from so many plays, where there are more branches.")] = 0,
    seat: Annotated[str, typer.Option(help="From what this seat knows; `guide` knows everything.")] = "",
    json: Json = False,
) -> None:
    """The exact chances of an action, from the scene as it starts and by the rule itself.

    Others commit nothing beyond the price and let things pass, unless --answer says what they do; the first preset
    of the guide's ruling holds. Below stand the chances for each other answer, and what would raise them.
    What the character cannot know is assumed, and the assumptions are listed.

    \b
    turnwright odds examples/narateer/movement.yaml wren hide method="lie flat" --compare boost
    turnwright odds examples/narateer/ambush.yaml bo attack target=dog --answer dog=full_guard
    turnwright odds examples/altered_realms/brawl.yaml kara charge target=docker_1 --after "walk 8,1"
    """
    table, name = begun(scene, actor)
    try:
        action_name, _ = action_named(table.game.actions, action, f"there are: {', '.join(table.game.actions)}")
        said = said_for(table, name, action_name, " ".join(words or ()), alone=bool(after))
        asked = asked_in(table, name, answer or (), help_by or (), after or ())
    except Unclear as error:
        raise BadInput(str(error)) from None
    check_seat(table.state, seat or GUIDE)
    how = {"seat": seat or None, "limit": limit, **asked, **said}
    if compare:
        _show_comparison(table, table.compare(name, action_name, compare, sample=sample, **how), json)
        return
    found = table.odds(name, action_name, sample=sample, **how)
    told = Told(table, name, action_name, found, how, everything)
    if json:
        write_json(told.data())
    else:
        told.show(Screen())


# -- what was typed


def said_for(table: Table, actor: str, action: str, text: str, *, alone: bool = False) -> Said:
    """What typed words say for an action, on top of the first offer that they fit, or `alone`. Raises Unclear."""
    listed = table.offers(actor)
    parameters = next((o.parameters for o in listed if o.action == action), table.game.actions[action].parameters)
    said = read_words(parameters, table.knows(table.state.actors[actor].seat), text)
    fits = [] if alone else matching(listed, action, said)
    return {**said_in(fits[0].declaration), **said} if fits else said


def asked_in(
    table: Table, actor: str, answer: Iterable[str], help_by: Iterable[str], after: Iterable[str]
) -> dict[str, Any]:
    """How the odds are counted: what others answer, who helps, and what is done first. Raises Unclear."""
    return {
        "answers": answers_in(table.state, answer),
        "interject": helped_in(table.state, help_by),
        "after": tuple([first_in(table, actor, text) for text in after]),
    }


def first_in(table: Table, actor: str, text: str) -> tuple[str, Said]:
    """`walk 5,1` as what the actor does first. Raises Unclear."""
    action, rest = action_named(table.game.actions, text, f"there are: {', '.join(table.game.actions)}")
    return action, said_for(table, actor, action, rest)


def answers_in(state: State, typed: Iterable[str]) -> dict[str, Any]:
    """`guard=full_guard+1`, `ruling=check target=8` as what is fixed. Raises Unclear."""
    found: dict[str, Any] = {}
    for text in typed:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise Unclear(f"say who and what, as in guard=full_guard+1; got {text!r}")
        named = " ".join(actor_named(state, word) or word for word in name.split())
        found[named] = _value(value.strip())
    return found


def _value(text: str) -> Any:
    """The answer, read when it is known what is asked: a ruling is typed as in play."""

    def read(question: Question) -> Any:
        match question:
            case Rule(suggested=suggested):
                return ruling_of(suggested, text)
            case Order():
                return [word.strip() for word in text.split(",")]
        return text

    return read


def helped_in(state: State, typed: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """`bo assist` as who does what while the commitment is asked for. Raises Unclear."""
    found = []
    for text in typed:
        who, _, what = text.strip().rpartition(" ")
        actor = actor_named(state, who)
        if not actor:
            raise Unclear(f"say who and what, as in 'bo assist'; got {text!r}; there are {', '.join(state.actors)}")
        found.append((actor, what))
    return tuple(found)


# -- what is shown


class Told:
    """The odds of one action with all that stands beside them."""

    def __init__(
        self, table: Table, actor: str, action: str, found: Odds, how: Mapping[str, Any], everything: bool = False
    ) -> None:
        self.table, self.found = table, found
        self.few = ""
        asked = {name: value for name, value in how.items() if name not in ("sample", "until", "choice", "seed")}
        self.by_answer: OpenOdds | None = None
        try:
            self.by_answer = table.odds_by_answer(actor, action, everything=everything, **asked)
        except TooMany as error:
            self.few = f"By what others answer there are {error}."
        if self.by_answer is not None and len(self.by_answer) > FEW and not everything:
            self.few, self.by_answer = "Others can answer in many ways; --open lists them.", None
        self.hints: tuple[Hint, ...] = () if found.sampled else table.hints(actor, action, **how)

    @property
    def answers(self) -> list[tuple[str, Odds]]:
        """Each way in which others can answer, where there is more than one."""
        rows = list(self.by_answer.items()) if self.by_answer is not None else []
        return [(", ".join(map(str, decided)), each) for decided, each in rows] if len(rows) > 1 else []

    def show(self, screen: Screen) -> None:
        show_odds(screen, self.table, self.found)
        if self.answers:
            screen.say()
            rows = [(_success(each), words, _with_numbers(each)) for words, each in self._named()]
            screen.table((">success", "if they answer", "outcomes"), rows)
        if self.few:
            screen.say(self.few)
        for hint in self.hints:
            screen.say(hint_line(self.table.game, hint))
        show_notes(screen, self.found)

    def _named(self) -> list[tuple[str, Odds]]:
        """The same for a screen, with the names of those who decide."""
        rows = list(self.by_answer.items()) if self.by_answer is not None else []
        return [(", ".join([self._decision(one) for one in decided]), each) for decided, each in rows]

    def _decision(self, one: Decision) -> str:
        return f"{named(self.table.state, one.who)} {one.about.replace('_', ' ')}: {one.answer}"

    def data(self) -> dict[str, Any]:
        answers = [{"answers": words, **odds_data(each)} for words, each in self.answers]
        hints = [
            {"change": hint.change, "chance": str(hint.chance), "percent": percent(hint.chance), "costs": hint.costs}
            for hint in self.hints
        ]
        return {**odds_data(self.found), "by_answer": answers, "hints": hints}


def hint_line(game: Game, hint: Hint) -> str:
    """`Boost 2 would make it 81 % (1 AD more).`."""
    more = Price(tuple(Cost(name, amount, "", "") for name, amount in hint.costs.items() if amount > 0))
    return f"{hint}{f' ({price_words(game, more)} more)' if more.costs else ''}."


MANY_AMOUNTS = 4
"""So many amounts of one result stand in a row each; more are one row."""


def odds_rows(table: Table, found: Odds) -> list[tuple[str, str, str, str]]:
    """Every outcome, likeliest first: chance, fraction, result, whom it concerns; many amounts are one row."""
    amounts: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for outcome in found:
        amounts.setdefault((outcome.result, outcome.who), []).append(outcome.amount)
    rows: dict[tuple[str, tuple[str, ...], str], Fraction] = {}
    for outcome, chance in found.ranked():
        held = amounts[outcome.result, outcome.who]
        many = len(held) > MANY_AMOUNTS
        words = f" ({min(held)} to {max(held)})" if many else f" ({outcome.amount})" if outcome.amount > 1 else ""
        row = outcome.result, outcome.who, words
        rows[row] = rows.get(row, Fraction(0)) + chance
    ordered = sorted(rows.items(), key=lambda pair: -pair[1])
    return [
        (percent(chance, 2), str(chance), result + words, ", ".join(named(table.state, name) for name in who))
        for (result, who, words), chance in ordered
    ]


STEPS = 4
"""At so many values it is told how likely a number reaches them."""


def number_lines(found: Odds) -> list[str]:
    """`damage to Orc: 5.4 on average; 70 % for 7 or more, 9 % for 14`, and `Orc at 0 HP or down: 24 %`."""
    lines = []
    for name, number in found.numbers.items():
        if number.yes:
            lines.append(f"{name}: {percent(number.at_least(1))}")
            continue
        values = [value for value in number if value > 0]
        shown = dict.fromkeys(values[(len(values) - 1) * step // (STEPS - 1)] for step in range(STEPS))
        told = ", ".join(
            f"{percent(number.at_least(value))} for {value}{' or more' if value < values[-1] else ''}"
            for value in shown
        )
        lines.append(f"{name}: {float(number.mean):.1f} on average; {told}")
    return lines


def named(state: State, actor: str) -> str:
    return state.actors[actor].name if actor in state.actors else actor


UNASKED = "nobody is asked for"


def show_unasked(screen: Screen, found: Odds | None) -> None:
    """Answers that were given for nothing, before anything else."""
    for text in found.assumptions if found is not None else ():
        if text.startswith(UNASKED):
            screen.say(f"Careful: {text} here; that answer changes nothing.", "yellow")


def show_odds(screen: Screen, table: Table, found: Odds) -> None:
    """The joint table, and where several are concerned the chance for each of them."""
    show_unasked(screen, found)
    screen.table((">chance", ">exactly", "outcome", "who"), odds_rows(table, found))
    each = found.marginals()
    if len(each) > 1:
        listed = ", ".join(f"{named(table.state, who)} {percent(chance)}" for who, chance in each.items())
        screen.say(f"each by themselves: {listed}", hang=2)
    for line in number_lines(found):
        screen.say(line, hang=2)


def show_notes(screen: Screen, found: Odds | None) -> None:
    if found is None:
        return
    if found.sampled:
        screen.say(f"This is an estimate from {found.sampled} plays.")
    for text in _assumed(found):
        screen.say(f"assumed: {text}", hang=2)


def _assumed(found: Odds) -> list[str]:
    """`Dog, Guard: average attributes`: what is assumed of several alike is said once."""
    of: dict[str, list[str]] = {}
    for text in found.assumptions:
        who, colon, what = text.partition(": ")
        if not text.startswith(UNASKED):
            of.setdefault(what if colon else text, []).extend([who] if colon else [])
    return [f"{', '.join(who)}: {what}" if who else what for what, who in of.items()]


def _success(found: Odds) -> str:
    """The chance of success; nothing where nothing is decided yet."""
    return percent(found.success, 2) if len(found) > 1 or found.wanted else ""


def in_short(found: Odds) -> str:
    """`hit 67 %, miss 33 %`."""
    ranked = sorted(found.results().items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{result} {percent(chance)}" for result, chance in ranked)


def _with_numbers(found: Odds) -> str:
    """`hit 67 %, miss 33 %; damage to Orc 5.4 on average; Orc at 0 HP or down 24 %`."""
    told = [f"{name} {_short(number)}{'' if number.yes else ' on average'}" for name, number in found.numbers.items()]
    return "; ".join([in_short(found), *told])


def odds_data(found: Odds) -> dict[str, Any]:
    listed = [
        {
            "result": outcome.result,
            "who": list(outcome.who),
            "amount": outcome.amount,
            "chance": str(chance),
            "percent": float(chance) * 100,
        }
        for outcome, chance in found.items()
    ]
    return {
        "outcomes": listed,
        "success": str(found.success),
        "each": {who: str(chance) for who, chance in found.marginals().items()},
        "numbers": {
            name: {"mean": str(number.mean), "chances": {str(value): str(chance) for value, chance in number.items()}}
            for name, number in found.numbers.items()
        },
        "sampled": found.sampled,
        "assumptions": list(found.assumptions),
    }


def _show_comparison(table: Table, found: Comparison, json: bool) -> None:
    if json:
        write_json(comparison_data(table, found))
        return
    screen = Screen()
    show_unasked(screen, next(iter(found.values()), None))
    show_comparison(screen, table, found)
    show_notes(screen, next(iter(found.values()), None))


def show_comparison(screen: Screen, table: Table, found: Comparison) -> None:
    rows: list[Sequence[str]] = [
        (named(table.state, str(value)), price_words(table.game, found.prices[value]), _success(each), in_short(each))
        for value, each in found.items()
    ]
    rows += [(named(table.state, str(value)), "refused", "", "") for value in found.refused]
    screen.table((found.by, "price", ">success", "outcomes"), rows)
    for value, against in found.refused.items():
        screen.say(f"{named(table.state, str(value))} is refused:")
        for text in why_not(against):
            screen.say(text, indent=2, hang=2)
    for value, each in found.items():
        for line in number_lines(each):
            screen.say(f"{found.by} {named(table.state, str(value))}, {line}", hang=2)


def comparison_data(table: Table, found: Comparison) -> dict[str, Any]:
    rows = [
        {"value": value, "price": price_words(table.game, found.prices[value]), **odds_data(each)}
        for value, each in found.items()
    ]
    refused = [
        {"value": value, "refusals": [{"rule": r.rule, "text": r.text, "code": r.code} for r in against]}
        for value, against in found.refused.items()
    ]
    return {"by": found.by, "values": rows, "refused": refused}


# -- while playing


def glance_words(glances: Sequence[Glance] | None) -> str:
    """`42 %, +1 61 %, +2 78 %`; three dots where it would take too long."""
    if glances is None:
        return "…"
    if all(glance.lowest == 1 for glance in glances):
        return ""
    return ", ".join(f"+{glance.boost} {glance}" if glance.boost else str(glance) for glance in glances)


def show_open(screen: Screen, table: Table, held: Open, *, truth: bool = False) -> None:
    """Before an answer: what each would make of the action under way, as far as the seat can know.

    Where it cannot and `truth` is on the screen anyway, from that.
    """
    for seat in (None, GUIDE) if truth else (None,):
        try:
            lines = _by_boost(table, held) or _by_option(table, held, seat)
        except (Refused, TooMany):
            continue
        for line in lines:
            screen.say(line, "dim", hang=6)
        return


def _by_boost(table: Table, held: Open) -> list[str]:
    """`Boost 0: 42 %; Boost 1: 61 %`, for one's own commitment."""
    glances = table.chances_of(held)
    if all(glance.lowest == glance.highest and glance.lowest in (0, 1) for glance in glances):
        return []
    return ["; ".join(f"{table.game.boost_word} {glance.boost}: {glance}" for glance in glances)]


def _by_option(table: Table, held: Open, seat: str | None) -> list[str]:
    """`Rosa succeeds: no response 67 %; full guard +1 16 %`, and the numbers that hang on what is answered."""
    question, pending = held.question, table.pending
    if not isinstance(question, Choose) or pending is None:
        return []
    by, own = pending.declaration.actor, question.actor == pending.declaration.actor
    if not question.actor or (own and not rolled(pending)):
        return []
    rows: list[tuple[str, str, Odds]] = []
    for number, option in enumerate(question.options, 1):
        for boost in dict.fromkeys((0, option.most)):
            more = f" +{boost}" if boost else ""
            found = table.odds_of_answer(held, (option.id, boost), seat=seat, limit=AT_A_GLANCE)
            rows.append((f"{number}{more}", option.label + more, found))
    known = table.knows(held.who)
    who = known.actors[by].name if by in known.actors else "Somebody"
    lines = []
    if len({each.success for _, _, each in rows}) > 1:
        lines.append(f"{who} succeeds: " + "; ".join(f"{words} {percent(each.success)}" for _, words, each in rows))
    for name in dict.fromkeys(name for _, _, each in rows for name in each.numbers):
        held_by = [(number, each.numbers.get(name)) for number, _, each in rows]
        told = [(number, _short(found)) for number, found in held_by]
        if len({short for _, short in told}) > 1:
            mean = "" if any(found is not None and found.yes for _, found in held_by) else " on average"
            lines.append(f"{name}{mean}: " + "; ".join(f"{short} if {number}" for number, short in told))
    return lines


def _short(number: Distribution | None) -> str:
    """A number at a glance: what is to be expected, or the chance that it is so."""
    if number is None:
        return "none"
    return percent(number.at_least(1)) if number.yes else f"{float(number.mean):.1f}"
