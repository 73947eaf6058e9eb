"""The command line. It prints and asks; every rule is asked of the table."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from turnwright.cli import errors, house, odds, offers, play, replay, rules, scenes, table


class Commands(TyperGroup):
    """The commands in the order in which they are met, each with its mistakes told in words."""

    def invoke(self, ctx: Any) -> Any:
        with errors.told():
            return super().invoke(ctx)


app = typer.Typer(
    cls=Commands,
    name="turnwright",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(asked: bool) -> None:
    if asked:
        from turnwright import __version__

        print(f"turnwright {__version__}")
        raise typer.Exit


@app.callback()
def turnwright(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A rules engine and a table for the action economies of tabletop role-playing games.

    \b
    turnwright new narateer scene.yaml     write a small scene
    turnwright play scene.yaml             play it here
    turnwright offers scene.yaml selka     what Selka may do, and why not the rest
    turnwright replay game.log --verify    tell a log, and check its dice

    It ends with 0 when it is done, 1 when something is refused, 2 for bad input.
    """


for command in (
    play.play,
    table.table,
    offers.offers,
    odds.odds,
    replay.replay,
    house.rulings,
    scenes.check,
    scenes.new,
    scenes.schema,
    rules.rules,
    rules.rule,
    rules.where,
):
    app.command()(command)


def main() -> None:
    """The entry point of the script; never ends with a traceback."""
    errors.run(app)
