"""`python -m bench.table [--kill N] [--json]`: the live table under load, with budgets; or killed N times."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.killing import begin, kills
from bench.load import measured
from bench.measuring import Row, row
from bench.scenes import EXAMPLES
from turnwright.web.store import at_file

SCENES = (EXAMPLES / "ambush.yaml", EXAMPLES / "duel.yaml", EXAMPLES.parent / "altered_realms" / "brawl.yaml")


def rows(seconds: float) -> Iterator[Row]:
    """One table of eight seats by itself, then a hundred of six at once; without a budget where none is set."""
    one = measured(1, 6, seconds, pause=0.02)
    note = f"{one.acknowledged} commands, p50 {one.told[0]} ms"
    yield row("command to every seat of a table of 8, stored, p95", one.told[1], "ms", 50, note)
    yield row("command acknowledged at a table of 8, p95", one.command[1], "ms", 50, f"p50 {one.command[0]} ms")
    many = measured(100, 4, seconds, pause=5.0)
    note = f"{many.acknowledged} in {many.seconds:.0f} s, by players who take 2.5 to 7.5 s; all who are told look"
    yield figure("commands acknowledged, 100 tables of 6", many.acknowledged / many.seconds, "1/s", note)
    yield figure("command acknowledged, 100 tables of 6, p95", many.command[1], "ms", f"p50 {many.command[0]} ms")
    yield figure("command to every seat, 100 tables of 6, p95", many.told[1], "ms", f"p50 {many.told[0]} ms")
    yield figure("memory for each table with six pages open", many.memory, "MB")
    yield figure("acknowledged commands lost after SIGKILL", len(one.lost) + len(many.lost), "")


def figure(name: str, value: float, unit: str, note: str = "") -> Row:
    """A row without a budget."""
    return {"name": name, "value": round(value, 2), "unit": unit, "budget": None, "ratio": None, "note": note}


def killed(times: int) -> bool:
    """Kill a table that is being played, over and over; whether anything was lost."""
    acknowledged, exact, asked, drafts, lost = 0, 0, 0, 0, []
    for number, scene in enumerate(SCENES):
        with tempfile.TemporaryDirectory() as folder:
            url = at_file(Path(folder) / "tables.db")
            share = times // len(SCENES) + (number < times % len(SCENES))
            for found in kills(url, begin(url, scene, number), share, seed=number):
                acknowledged += found.acknowledged
                exact += found.exact
                asked += found.open_questions > 0
                drafts += found.drafts > 0
                lost += found.lost
    print(f"killed {times} times: {acknowledged} commands acknowledged, {len(lost)} lost or changed")
    print(f"compared in every part after {exact}; {asked} with questions open, {drafts} with sealed drafts")
    for text in lost[:20]:
        print(f"  {text[:300]}")
    return bool(lost)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kill", type=int, default=0, metavar="N")
    parser.add_argument("--seconds", type=float, default=24)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if asked.kill:
        raise SystemExit(killed(asked.kill))
    found = []
    for measure in rows(asked.seconds):
        found.append(measure)
        if not asked.json:
            value, budget = f"{measure['value']:g} {measure['unit']}", measure["budget"]
            against = "" if budget is None else f"budget {budget:g}  ratio {measure['ratio']}"
            figures = f"{value:>12}  {against:<24}"
            print(f"{measure['name']:<54}{figures}  {measure['note']}", flush=True)
    if asked.json:
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
