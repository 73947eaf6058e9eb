"""`rulings`: what the guide has ruled in a game, as the `rulings` of a scene file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from turnwright.cli.errors import readable
from turnwright.cli.screen import write_json
from turnwright.table import Table


def rulings(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A log that `play --save` wrote.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    from_events: Annotated[
        bool, typer.Option("--from-events", help="Where a log comes out differently, go on from what it stored.")
    ] = False,
) -> None:
    """Print the rulings that stand at the end of a game, ready to be pasted into a scene file.

    `when` is what each was made for: the action, the method, and each circumstance behind a `|`.
    Leave a circumstance out, and the ruling is offered whatever holds there.

    \b
    turnwright rulings game.log >> scene.yaml
    """
    found = Table.load(readable(log), from_events=from_events).house_rules()
    if json:
        write_json(found)
    else:
        print(as_yaml(found), end="")


def as_yaml(found: list[dict[str, Any]]) -> str:
    """Rulings as the `rulings` of a scene file, what each is for first."""
    ordered = [{"when": ruling.get("when", ""), **ruling} for ruling in found]
    return yaml.safe_dump({"rulings": ordered}, sort_keys=False, allow_unicode=True, width=110)
