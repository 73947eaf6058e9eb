"""Golden games: whole scenes as transcripts that a person can read; any change in what happens shows as a difference.

python tests/test_golden.py --record          writes them anew, to be read before they are committed
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from journeys import JOURNEYS

import turnwright as tw
from turnwright.dice import Scripted
from turnwright.log import Answered, Declared, Entry, Interjected, Overridden, Revealed, RuledOn, Undone
from turnwright.model import (
    GUIDE,
    Choose,
    Chosen,
    Clarified,
    Committed,
    Confirmed,
    Declaration,
    Ordered,
    Question,
    Roll,
    Rolled,
    Ruled,
    Ruling,
    State,
)
from turnwright.policy import Policy, bot_of
from turnwright.testing import said

LOGS = Path(__file__).parent / "logs"
EXAMPLES = Path(__file__).parent.parent / "examples"
COMMAND = "python tests/test_golden.py --record"


def journey(name: str) -> Callable[[], tw.Table]:
    return lambda: JOURNEYS[name]().played()


def fight(name: str, turns: int) -> Callable[[], tw.Table]:
    """An example scene played by plain fighters, with the guide's presets where a ruling is needed."""

    def play() -> tw.Table:
        made = tw.Table(tw.load_scene(EXAMPLES / f"{name}.yaml"), seed=f"golden {Path(name).name}")
        bot = bot_of(made.game)
        for _ in range(turns):
            up = made.next_turn()
            if up is None or made.game.side_down(made.state):
                break
            made.declare(up, "begin", seat=GUIDE)
            _turn(made, bot, up)
        made.reveal()
        return made

    return play


def trapdoor() -> tw.Table:
    """Kara takes hold of a docker and throws him down the trapdoor; his Last Grasp fails."""
    dice = Scripted((7,), (12,), (9,), (6,), (2, 3), (1, 4))
    made = tw.Table(tw.load_scene(EXAMPLES / "altered_realms" / "brawl.yaml"), seed="golden trapdoor", dice=dice)
    made.declare("kara", "begin")
    made.declare("kara", "walk", to=(7, 4))
    made.declare("kara", "end")
    made.declare("docker_1", "begin")
    made.declare("docker_1", "walk", to=(6, 4))
    made.declare("docker_1", "attack", target="kara")
    made.declare("docker_1", "end")
    made.declare("kara", "begin")
    made.declare("kara", "grapple", target="docker_1")
    made.declare("kara", "throw_opponent", target="docker_1", direction="southeast", metres=1)
    made.answer(made.waiting_on[0], "0")
    made.declare("kara", "end")
    return made


def beast() -> tw.Table:
    """Sigrun on the winged beast has two successes and chooses to stay on; Leif is handed the next slot."""
    dice = Scripted(
        (8, 9, 8, 3, 1), (8, 2, 3, 4, 5), (8, 9, 1, 2, 3, 4, 5), (8, 4, 9, 2), (8, 9, 9, 2, 1), (9, 9, 8, 3)
    )
    made = tw.Table(tw.load_scene(EXAMPLES / "storypath" / "winged-beast.yaml"), seed="golden beast", dice=dice)
    made.declare("sigrun", "begin")
    made.answer(made.waiting_on[0], "sigrun", seat="vera")
    made.declare("sigrun", "hand_on", target="leif")
    made.declare("sigrun", "mixed", first="attack", second="balance", target="beast")
    made.answer(made.waiting_on[0], "1/1", seat="vera")
    made.declare("sigrun", "end")
    made.declare("beast", "begin")
    made.declare("beast", "end")
    made.declare("leif", "begin")
    made.declare("sigrun", "look")
    made.declare("leif", "attack", target="beast")
    made.answer(made.waiting_on[0], "inflict", seat="jon")
    made.declare("leif", "end")
    return made


def _turn(made: tw.Table, bot: Policy, up: str) -> None:
    while made.state.active is not None or made.waiting_on:
        if made.waiting_on:
            held = next(one for one in made.waiting_on if not one.drafted)
            made.answer(held, bot.answer(made.game, made.knows(held.who), held.question))
        else:
            up = made.state.active or up  # in some games it is chosen who takes the turn
            d = bot.declare(made.game, made.knows(made.state.actors[up].seat), up)
            made.declare(up, d.action, **said(d))


GAMES: dict[str, Callable[[], tw.Table]] = {
    **{name: journey(name) for name in JOURNEYS},
    "duel": fight("narateer/duel", 8),
    "skirmish": fight("narateer/skirmish", 16),
    "brawl": fight("altered_realms/brawl", 21),
    "trapdoor": trapdoor,
    "six": fight("storypath/six", 21),
    "beast": beast,
}


# -- the transcript


def transcript(made: tw.Table) -> str:
    """The scene, every entry with what it caused, and how it ends."""
    lines = [f"# {made.start.scene.title}", ""]
    lines += [f"{actor.name} ({actor.side}, {actor.seat}) at {actor.at}" for actor in made.start.actors.values()]
    state, waiting, before = made.start, _Asked(made), [made.start]
    for number, entry in enumerate(made.log):
        lines += ["", f"{number} {entry.by}: {told(entry, waiting.questions)}"]
        before.append(state)
        if isinstance(entry.input, Undone):
            state = before[entry.input.back_to + 1]
        for event in entry.events:
            after = event.apply(state)
            line = made.game.tell(after, event)
            state = after
            lines += [f"    {line}"] if line else []
        waiting.take(entry)
        lines += [f"  ? {question.who}: {question.prompt}" for question in waiting.questions if shown(question)]
    lines += [
        "",
        *[f"{made.state.actors[name].name}: {made.game.summary(made.state, name)}" for name in made.state.actors],
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


class _Asked:
    """The same entries on a table of its own, for the questions that were open in between."""

    def __init__(self, made: tw.Table) -> None:
        self.table = tw.Table(made.start, seed=made.secret, mode=made.mode, windows="honest")

    @property
    def questions(self) -> tuple[Question, ...]:
        return self.table._run.questions if self.table._run is not None else ()

    def take(self, entry: Entry) -> None:
        if isinstance(entry.input, Undone):
            at = next(i for i, taken in enumerate(self.table._taken) if taken.entry == entry.input.back_to)
            self.table._take_back(at, entry.by)
        elif not isinstance(entry.input, Revealed):
            self.table._enter(entry.by, entry.input)


def shown(question: Question) -> bool:
    return not isinstance(question, Roll)


def told(entry: Entry, questions: tuple[Question, ...]) -> str:
    match entry.input:
        case Declared(declaration=d, overrule=why):
            return f"{_declaration(d)}{f' (overruled: {why})' if why else ''}"
        case Interjected(declaration=d):
            return f"interjects {_declaration(d)}"
        case Answered(answers=answers) | RuledOn(answers=answers):
            parts = [_answer(q, a) for q, a in zip(questions, answers, strict=True) if a is not None]
            return "; ".join(parts)
        case Overridden(reason=reason):
            return f"changes the scene: {reason}"
        case Undone(back_to=back_to):
            return f"takes back {back_to}"
        case Revealed(seed=seed):
            return f"opens the seed {seed[:8]}..."
    raise AssertionError(entry.input)


def _declaration(d: Declaration) -> str:
    parts = {name: value for name, value in said(d).items() if name not in ("intent", "route")}
    parts |= {"route": "-".join(f"{x},{y}" for x, y in d.route)} if d.route else {}
    return f"{d.actor} {d.action}" + "".join(f", {name} {value}" for name, value in parts.items())


def _answer(question: Question, answer: Any) -> str:
    who = question.actor or question.who
    match answer:
        case Rolled(total=total, faces=faces, by=by):
            dice = "+".join(map(str, faces)) or "?"
            return f"{who} {question.skill if isinstance(question, Roll) else ''} [{dice}] {total} ({by})"
        case Chosen(id=chosen, amount=amount):
            label = next((o.label for o in question.options if o.id == chosen), chosen) if _choice(question) else chosen
            return f"{who} chooses {label}{f' +{amount}' if amount else ''}"
        case Committed(boost=boost):
            return f"{who} boosts by {boost}"
        case Ruled(ruling=ruling):
            return f"rules {_ruling(ruling)}"
        case Confirmed():
            return f"{who} goes on"
        case Clarified(intent=intent, method=method):
            return f"{who} means: {intent}, {method}"
        case Ordered(actors=actors):
            return f"orders {', '.join(actors)}"
    return f"{who} withdraws"


def _choice(question: Question) -> bool:
    return isinstance(question, Choose)


def _ruling(ruling: Ruling) -> str:
    if ruling.kind == "check":
        return f"check of {ruling.skill} against {ruling.against or ruling.target}: {ruling.success} / {ruling.failure}"
    return " ".join(part for part in (ruling.kind, ruling.tier, ruling.obstacle, ruling.success) if part)


def compared(name: str) -> Iterator[str]:
    path = LOGS / f"{name}.txt"
    wanted = path.read_text(encoding="utf-8") if path.exists() else ""
    got = transcript(GAMES[name]())
    yield from difflib.unified_diff(
        wanted.splitlines(), got.splitlines(), f"logs/{name}.txt", "played now", lineterm=""
    )


# -- tests


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_played_as_it_was(name: str) -> None:
    difference = "\n".join(compared(name))
    if difference:
        pytest.fail(f"{difference}\n\nIf this is what should happen: {COMMAND} {name}", pytrace=False)


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_the_same_on_every_run(name: str) -> None:
    assert transcript(GAMES[name]()) == transcript(GAMES[name]())


def test_every_transcript_belongs_to_a_game() -> None:
    assert {path.stem for path in LOGS.glob("*.txt")} == set(GAMES), f"to write them anew: {COMMAND}"


def test_an_undo_stands_in_the_transcript() -> None:
    made = JOURNEYS["attempting"]().played(6)
    made.undo()
    assert "guide: takes back" in transcript(made)


def test_a_transcript_ends_with_the_state(tmp_path: Path) -> None:
    made: tw.Table = GAMES["passing"]()
    state: State = made.state
    text = transcript(made)
    assert f"Wounds {state.actors['selka'].wounds}/9" in text.splitlines()[-3]


def record(names: list[str]) -> None:
    LOGS.mkdir(exist_ok=True)
    for name in names or list(GAMES):
        (LOGS / f"{name}.txt").write_text(transcript(GAMES[name]()), encoding="utf-8")
        print(f"wrote tests/logs/{name}.txt")


if __name__ == "__main__":
    if "--record" not in sys.argv:
        sys.exit(f"to write the golden games anew: {COMMAND} [NAME...]")
    record([name for name in sys.argv[1:] if name != "--record"])
