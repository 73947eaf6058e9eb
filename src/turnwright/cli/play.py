"""`play`: opens a table on a scene or a log, says who plays what, and hands it to a session."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from turnwright.cli.errors import BadInput, Stopped, check_seat, readable
from turnwright.cli.screen import Screen
from turnwright.cli.session import Session
from turnwright.log import BadLog, read_lines
from turnwright.model import GUIDE, State
from turnwright.table import Table, load_scene

ALL = "all"
ROUNDS = 20


class Mode(StrEnum):
    enforce = "enforce"
    confirm = "confirm"
    advise = "advise"


class Dice(StrEnum):
    engine = "engine"
    table = "table"


class Rulings(StrEnum):
    ask = "ask"
    auto = "auto"


Watching = Annotated[
    str,
    typer.Option(
        metavar="SEAT",
        help="The screen is this seat's and shows nothing that it cannot know. Before another seat or the guide "
        "decides, the keyboard is handed over: Enter shows that seat's screen, and Enter again this one. A terminal "
        "is cleared in between; in a pipe, lines of another's screen begin with its name.",
    ),
]
FromEvents = Annotated[
    bool, typer.Option("--from-events", help="Resume a log that comes out differently from what it stored.")
]
ShowTyped = Annotated[
    bool,
    typer.Option("--show-typed", help="Show commitments while they are typed, also where several commit at once."),
]


def play(
    scene: Annotated[Path | None, typer.Argument(metavar="SCENE", help="A scene file; not with --resume.")] = None,
    seed: Annotated[str, typer.Option(help="For the same dice every time; the scene's own, or a secret one.")] = "",
    bots: Annotated[
        list[str] | None,
        typer.Option(
            metavar="all|guide|SEAT|SIDE",
            help="Whom bots play: `guide` for the rulings and all that is the guide's, a seat, a side, or `all`.",
        ),
    ] = None,
    save: Annotated[Path | None, typer.Option(metavar="LOG", help="Write the log here after every step.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="LOG", help="Go on from a saved log.")] = None,
    dice: Annotated[Dice | None, typer.Option(help="`table`: you roll, and type what the dice show.")] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(help="Refuse what is illegal, have the guide confirm every ruling, or only warn."),
    ] = None,
    rulings: Annotated[
        Rulings | None, typer.Option(help="`auto`: what was ruled before is ruled so again, without asking.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help=f"End after so many rounds; {ROUNDS} where bots play everybody.")
    ] = None,
    seat: Watching = GUIDE,
    show_typed: ShowTyped = False,
    from_events: FromEvents = False,
) -> None:
    """Play a scene in the terminal, alone, around one keyboard, or by bots.

    It lists what may be done by number and takes words too: `walk 4,2`, `attack guard`, `why 5`, `?`.
    With `--bots guide` you play the heroes and nobody else is needed: what is ruled for you is shown, and `overrule`
    lets you rule it yourself.
    Where several commit at once on one terminal, what they type does not appear on it.

    \b
    turnwright play examples/narateer/ambush.yaml
    turnwright play scene.yaml --bots guide
    turnwright play scene.yaml --bots guide,bo --seat ann --save game.log
    turnwright play --resume game.log
    turnwright play scene.yaml --bots all --seed 7 --save game.log
    """
    table = _table(resume, scene, from_events, seed, dice, mode, rulings)
    played, guided = _bots(table.state, bots or [])
    everybody = guided and played == set(table.state.actors)
    if everybody and table.dice_by_hand:
        raise BadInput("bots throw no real dice: take --bots all without --dice table")
    check_seat(table.state, seat)
    _check_target(save, resume)
    session = Session(
        table,
        Screen(),
        seat=seat,
        bots=played,
        guided=guided,
        save=save or resume,
        rounds=rounds or (ROUNDS if everybody else None),
        unattended=everybody,
        show_typed=show_typed,
    )
    session.run()


def _table(resume: Path | None, scene: Path | None, from_events: bool, *fixed: Any) -> Table:
    return _resumed(resume, scene, from_events, *fixed) if resume else _opened(scene, *fixed)


def _opened(scene: Path | None, seed: str, dice: Dice | None, mode: Mode | None, rulings: Rulings | None) -> Table:
    if scene is None:
        raise BadInput("say which scene, or --resume LOG; `turnwright new narateer FILE` writes a small scene")
    chosen: int | str | None = int(seed) if seed.removeprefix("-").isdecimal() else seed or None
    return Table(
        load_scene(readable(scene)),
        seed=chosen,
        dice=(dice or Dice.engine).value,
        mode=(mode or Mode.enforce).value,
        rulings=(rulings or Rulings.ask).value,
    )


def _resumed(log: Path, scene: Path | None, from_events: bool, *fixed: Any) -> Table:
    if scene is not None or any(fixed):
        raise BadInput(
            "the scene, the seed, the dice, the mode and the rulings are in the log; give --resume without them"
        )
    table = Table.load(readable(log), from_events=from_events)
    if table.revealed:
        raise Stopped(f"{log}: this table is over and its seed is open; `turnwright replay {log}` tells it")
    return table


def _bots(state: State, given: list[str]) -> tuple[set[str], bool]:
    """Whom bots play, by side or by seat, and whether they are the guide too: then also whatever no person plays.

    Raises BadInput for a side or seat that there is none of.
    """
    named = [word.strip() for words in given for word in words.split(",") if word.strip()]
    known = dict.fromkeys([ALL, GUIDE, *(seat.id for seat in state.scene.seats), *filter(None, state.scene.sides)])
    for name in named:
        if name not in known:
            raise BadInput(f"--bots {name}: expected one of {', '.join(known)}")
    if ALL in named:
        return set(state.actors), True
    return {a.id for a in state.actors.values() if a.side in named or a.seat in named}, GUIDE in named


def _check_target(save: Path | None, resume: Path | None) -> None:
    """A game that is not over is not written over, and neither is anything that is no log. Raises Stopped."""
    if save is None or not save.exists() or (resume is not None and save.resolve() == resume.resolve()):
        return
    try:
        header, _ = read_lines(save)
    except BadLog:
        raise Stopped(f"{save} is there already and is no log; it stays as it is") from None
    if header.secret:
        raise Stopped(f"{save} holds a game that is not over; go on with --resume {save}, or save elsewhere")
