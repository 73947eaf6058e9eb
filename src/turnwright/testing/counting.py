"""Counts every line of play to a depth, as chess programs count moves: a rule that gives or takes one shows in it.

A line is so many declarations one after the other, each with one answer to everything that it asks. What is declared,
and which readings of a roll are counted, can be said; a count is worth most where it was also worked out by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import permutations, product

from msgspec.structs import replace

from turnwright.dice import weights
from turnwright.gate import legal
from turnwright.model import (
    GUIDE,
    Answer,
    Choose,
    Chosen,
    Commit,
    Committed,
    Declaration,
    Order,
    Ordered,
    Parameter,
    Question,
    Roll,
    Rolled,
    Rule,
    Ruled,
    State,
    seat_of,
)
from turnwright.playing import Play
from turnwright.policy import plain_answer
from turnwright.readings import readings
from turnwright.rules import Action, Game
from turnwright.running import Closed, Pending, Run
from turnwright.table import Open, Table
from turnwright.testing.promises import expect, said, snapshot

Chance = Callable[[Roll], Sequence[Rolled]]
"""Which readings of a roll are counted."""
AROUND = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))


class Everything:
    """Holds whatever is asked for."""

    def __contains__(self, name: object) -> bool:
        return True


EVERY: Container[str] = Everything()


def every_reading(roll: Roll) -> Sequence[Rolled]:
    """Everything that can be read off a roll, each once, however likely it is."""
    return [reading for reading, _ in readings(roll)[0]]


def one_reading(roll: Roll) -> Sequence[Rolled]:
    """The first of them, as if the dice were written down beforehand."""
    return every_reading(roll)[:1]


# -- counting


def lines(game: Game, state: State, depth: int, *, only: Container[str] = EVERY, chance: Chance = every_reading) -> int:
    """How many lines of so many declarations there are; `only` names the actions that are declared."""
    if depth == 0:
        return 1
    return sum(divided(game, state, depth, only=only, chance=chance).values())


def divided(
    game: Game, state: State, depth: int, *, only: Container[str] = EVERY, chance: Chance = every_reading
) -> dict[str, int]:
    """The same, apart by what is declared first: where a count is wrong, this leads to the place."""
    counts: dict[str, int] = {}
    for d in declared(game, state, only):
        after = [lines(game, one, depth - 1, only=only, chance=chance) for one in ways(game, state, d, chance)]
        counts[in_words(d)] = counts.get(in_words(d), 0) + sum(after)
    return counts


def in_words(d: Declaration) -> str:
    """A declaration as a line: `a walk 1,0`, `a attack b weapon=sword`."""
    route = [f"{step[0]},{step[1]}" if isinstance(step, tuple) else str(step) for step in d.route]
    options = [f"{name}={value}" for name, value in d.options.items()]
    return " ".join([word for word in (d.actor, d.action, d.target, *route, *options) if word])


def ways(game: Game, state: State, d: Declaration, chance: Chance = every_reading) -> Iterator[State]:
    """The state at the end of every way in which a declaration can go."""
    yield from _ways(game, Pending(state, d), chance)


def _ways(game: Game, pending: Pending, chance: Chance) -> Iterator[State]:
    run = Run.again(Play(game, pending.base), pending)
    if run.outcome is not None:
        yield run.play.state
        return
    so_far = run.pending
    for answers in product(*[answers_to(question, chance) for question in run.questions]):
        yield from _ways(game, replace(so_far, inputs=(*so_far.inputs, Closed(answers))), chance)  # type: ignore[arg-type]


def answers_to(question: Question, chance: Chance = every_reading) -> Sequence[Answer]:
    """Every answer that a question takes; of a ruling those that are suggested and settle it."""
    match question:
        case Roll():
            return chance(question)
        case Choose(options=options):
            return [Chosen(option.id, amount) for option in options for amount in range(option.most + 1)]
        case Commit(most=most):
            return [Committed(amount) for amount in range(most + 1)]
        case Order(among=among):
            return [Ordered(order) for order in permutations(among)]
        case Rule(suggested=suggested):
            return [Ruled(ruling) for ruling in suggested if ruling.kind != "unclear"]
    return [plain_answer(question)]


# -- what can be declared


def declared(game: Game, state: State, only: Container[str] = EVERY) -> Iterator[Declaration]:
    """Everything legal that whoever is up can declare: of routes one step, of what must be chosen each choice.

    Beginning and ending a turn count like anything else. Words are filled in with the first that come to mind.
    """
    actor = state.active
    if actor is None:
        up = game.in_order(state) if game.side_down(state) is None else ()
        yield from [Declaration(name, "begin") for name in up[:1]]
        return
    known = game.known(state, seat_of(state, actor))
    for action in game.actions.values():
        own = action.reacts_to is None and action.nature in ("proactive", "free") and action.name in only
        for variant in action.variants(known, actor) if own or action.name == "end" else ():
            for d in {d.key(): d for d in _spelled(known, action, variant)}.values():
                if legal(game, known, d, whole=True):
                    yield d


def _spelled(known: State, action: Action, d: Declaration) -> Iterator[Declaration]:
    routed = any(parameter.kind == "route" for parameter in action.parameters)
    spelled = [d] if routed else [action.fill(known, d, lambda among: among[0])]
    if routed:
        at = known.actors[d.actor].at
        steps = [(at[0] + dx, at[1] + dy) for dx, dy in AROUND] if isinstance(at, tuple) else []
        spelled = [replace(d, route=(step,)) for step in steps]
    for parameter in action.parameters:
        if parameter.required and (parameter.choices or parameter.kind == "number"):
            spelled = [one for before in spelled for one in _each(before, d, parameter)]
    return (action.complete(known, one) for one in spelled)


def _each(filled: Declaration, offered: Declaration, parameter: Parameter) -> Iterator[Declaration]:
    """One for each choice, unless what is offered has made it already."""
    if parameter.name in offered.options:
        yield filled
        return
    for value in parameter.choices or range(1, parameter.most + 1):
        yield replace(filled, options={**filled.options, parameter.name: value})


# -- made and taken back


def check_lines(table: Table, depth: int, *, only: Container[str] = EVERY, chance: Chance = every_reading) -> int:
    """Plays every line at a table, takes each step back, and gives how many there were.

    Raises Broken where what was done and undone has left anything behind. The table's dice are its people's.
    """
    if depth == 0:
        return 1
    count, before, stood = 0, snapshot(table), len(table.live)
    for d in declared(table.game, table.state, only):
        table.declare(d.actor, d.action, seat=GUIDE, **said(d))
        count += _answered(table, depth, only, chance)
        _taken_back(table, stood)
        expect(snapshot(table) == before, f"undo of {in_words(d)} leads elsewhere")
    return count


def _answered(table: Table, depth: int, only: Container[str], chance: Chance) -> int:
    asked = _open(table)
    if not asked:
        return check_lines(table, depth - 1, only=only, chance=chance)
    count, before, stood = 0, snapshot(table), len(table.live)
    for answers in product(*[answers_to(held.question, chance) for held in asked]):
        for held, given in zip(_open(table), answers, strict=True):  # what is put again has another name
            table.answer(held, _rolled(held.question, given))
        count += _answered(table, depth, only, chance)
        _taken_back(table, stood)
        expect(snapshot(table) == before, f"undo of an answer to {asked[0].prompt} leads elsewhere")
    return count


def _open(table: Table) -> list[Open]:
    return [held for held in table.waiting_on if not held.drafted]


def _rolled(question: Question, given: Answer) -> Answer | int:
    """Some total that reads as is wanted, for whoever holds the dice."""
    if not isinstance(question, Roll) or not isinstance(given, Rolled):
        return given
    if question.against is None:
        return given.value
    totals, _ = weights(question.pool)
    return next(total for total, _ in totals if _reads(question, total) == given.value)


def _reads(roll: Roll, total: int) -> int:
    assert roll.against is not None
    if roll.pool.passes(total, roll.against, roll.ties):
        return 1
    return -1 if roll.level and not roll.pool.passes(total, roll.against, True) else 0


def _taken_back(table: Table, stood: int) -> None:
    while len(table.live) > stood:
        table.undo()
