"""A hundred tables of six seats in one process, played over HTTP on this machine: how fast, how large, what is lost."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import Any, NamedTuple

import httpx

from bench.scenes import EXAMPLES
from turnwright.model import GUIDE, SPECTATOR
from turnwright.opening import read_scene
from turnwright.web.hall import Hall
from turnwright.web.links import Links, key_from
from turnwright.web.live import Command
from turnwright.web.store import Store, at_file

KEY = "a key that only the load is tried with"
SCENE = EXAMPLES / "ambush.yaml"
PLAYERS = 4
"""With the guide and one who watches that makes six seats; eight in the table that is measured by itself."""


class Measured(NamedTuple):
    """What was seen of so many tables in so many seconds."""

    tables: int
    seats: int
    acknowledged: int
    refused: int
    seconds: float
    command: tuple[float, float]
    """p50 and p95 of a command until it was acknowledged, in ms."""
    told: tuple[float, float]
    """p50 and p95 from sending a command until the last page that it changes something for was told, in ms."""
    lost: tuple[str, ...]
    memory: float
    """MB for each table, its pages included."""


def crowd(players: int) -> str:
    """The ambush with so many players: each has a hero."""
    lines = SCENE.read_text(encoding="utf-8")
    seats = "".join([f"  - {{id: p{n}, name: P{n}}}\n" for n in range(players)])
    start, _, rest = lines.partition("seats:\n")
    _, _, rest = rest.partition("\n\n")
    heroes = "".join([_hero(n) for n in range(players)])
    return f"{start}seats:\n{seats}\n" + rest.replace("characters:\n", f"characters:\n{heroes}").replace(
        "    seat: ann\n", "    seat: p0\n"
    ).replace("    seat: ben\n", "    seat: p1\n")


def _hero(n: int) -> str:
    return (
        f"  - id: hero{n}\n    name: Hero {n}\n    side: heroes\n    seat: p{n}\n    at: [{1 + n}, 12]\n"
        "    attributes: {strength: 2, agility: 3}\n    skills: {stealth: 1, observation: 1, melee: 1}\n"
    )


def tables_at(url: str, tables: int, players: int) -> list[dict[str, str]]:
    """Put so many tables down; the links of each, by seat."""
    hall = Hall(Store(url), Links(key_from(KEY)), pace=0.0)
    text, found = crowd(players), []
    for number in range(tables):
        live = hall.open(read_scene(text, "crowd"), seed=number)
        hall.execute(live, GUIDE, Command("guided", 0, "bots", {"actors": [], "guided": True}))
        found.append({seat: hall.token(live, seat) for seat in live.seats})
    hall.wait(60)
    hall.close()
    return found


class Process:
    """A server of its own, as it is started for a table at home."""

    def __init__(self, url: str) -> None:
        command = [
            sys.executable,
            "-m",
            "turnwright",
            "table",
            "--no-browser",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--pace",
            "0",
        ]
        env = os.environ | {"TURNWRIGHT_KEY": KEY}
        self._process = subprocess.Popen(
            [*command, "--db", url], stdout=subprocess.PIPE, text=True, env=env, encoding="utf-8"
        )
        assert self._process.stdout is not None
        first = self._process.stdout.readline().split()
        self.base = first[1].partition("/house/")[0]

    @property
    def memory(self) -> float:
        """MB in memory."""
        with open(f"/proc/{self._process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def kill(self) -> None:
        """As when the power fails; it may be dead already."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class Table:
    """One table as its clients see it."""

    def __init__(self, number: int, links: dict[str, str]) -> None:
        self.number, self.links = number, links
        self.players = [seat for seat in links if seat not in (GUIDE, SPECTATOR)]
        self.draw = Random(number)
        self.ids = (f"load-{number}-{n}" for n in itertools.count())
        self.heard: dict[str, tuple[int, float]] = {}
        """The last version that each page was told of, and when."""
        self.changed = asyncio.Event()
        self.dirty: dict[str, None] = {}
        """The seats whose page was told of something that it has not looked at."""
        self.acknowledged: list[tuple[str, dict[str, Any], bytes]] = []


class Load:
    """Everything that the clients do and see."""

    def __init__(self, client: httpx.AsyncClient, base: str, seconds: float) -> None:
        self.client, self.base, self.until = client, base, perf_counter() + seconds
        self.commands: list[float] = []
        self.tellings: list[float] = []
        self.refused = 0
        self.stopping = False
        self.broken = ""

    async def listen(self, table: Table, seat: str, ready: asyncio.Semaphore) -> None:
        """The stream of a page, read off the wire: a client for each of hundreds would be what is measured."""
        host, port = self.base.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            writer.write(f"GET /s/{table.links[seat]}/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            async for line in reader:
                if line.startswith(b"data:"):
                    if seat not in table.heard:
                        ready.release()
                    table.heard[seat] = (json.loads(line[5:])["version"], perf_counter())
                    table.dirty[seat] = None
                    table.changed.set()
        except ConnectionError as error:
            if not self.stopping:
                self.broken = repr(error)
        finally:
            writer.close()

    async def play(self, table: Table, pause: float) -> None:
        """Whoever was told of a change looks what it is; somebody who may act does so after a while."""
        while perf_counter() < self.until and not self.stopping:
            if not table.dirty:
                table.changed.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(table.changed.wait(), 0.5)
            seats, acts = list(table.dirty), []
            table.dirty.clear()
            for seat in seats:
                view = (await self.client.get(f"{self.base}/s/{table.links[seat]}/view.json")).json()
                wanted = await self._wanted(table, seat, view)
                acts += [(seat, view["version"], *wanted)] if wanted else []
            if acts and perf_counter() < self.until:
                await asyncio.sleep(table.draw.uniform(0.5, 1.5) * pause)
                seat, version, do, said = acts[0]
                table.dirty.update(dict.fromkeys([act[0] for act in acts]))
                await self._send(table, seat, {"id": next(table.ids), "version": version, "do": do, "said": said})

    async def _wanted(self, table: Table, seat: str, view: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
        asked = [q for q in view["questions"] if q.get("who", seat) == seat]
        if asked:
            return "answer", {"question": asked[0]["id"], "value": answer_to(asked[0]), "confirm": True}
        if view["active"] not in view["mine"]:
            return None
        got = (await self.client.get(f"{self.base}/s/{table.links[seat]}/offers.json")).json()
        fits = [o for o in got["offers"] if o.get("verdict", "legal") == "legal" and not _asks(o)]
        if not fits or table.draw.random() < 0.3:
            return "declare", {"actor": view["active"], "action": "end"}
        d = table.draw.choice(fits)["declaration"]
        said = {name: value for name, value in d.items() if name != "options" and value not in ("", [], None)}
        return "declare", said | d.get("options", {})

    async def _send(self, table: Table, seat: str, body: dict[str, Any]) -> bool:
        table.changed.clear()
        before = {held: heard[0] for held, heard in table.heard.items()}
        begun = perf_counter()
        got = await self.client.post(f"{self.base}/s/{table.links[seat]}/do", json=body)
        taken = (perf_counter() - begun) * 1000
        reply = got.json()
        if not reply.get("ok"):
            self.refused += 1
            return False
        self.commands.append(taken)
        table.acknowledged.append((seat, body, got.content))
        await self._until_told(table, seat, reply["version"])
        told = [at for held, (version, at) in table.heard.items() if version != before.get(held)]
        if told:
            self.tellings.append(max(taken, (max(told) - begun) * 1000))
        return True

    async def _until_told(self, table: Table, seat: str, version: int) -> None:
        """Whoever acted is told last of all or first; a moment later everybody was."""
        for _ in range(50):
            if table.heard.get(seat, (0, 0.0))[0] >= version:
                await asyncio.sleep(0.004)
                return
            table.changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(table.changed.wait(), 0.02)


def _asks(offer: dict[str, Any]) -> bool:
    return any(not parameter.get("by_name") for parameter in offer.get("parameters", ()))


def answer_to(question: dict[str, Any]) -> Any:
    """A plain answer to a question as its seat sees it."""
    match question.get("kind", question.get("type", "")).lower():
        case "commit":
            return 0
        case "choose":
            return [question["options"][0]["id"], 0]
        case "confirm":
            return True
        case "order":
            return question["among"]
        case "clarify":
            return {"intent": "go on", "method": "as seems best"}
    return 0


async def _loaded(
    process: Process, links: list[dict[str, str]], seconds: float, pause: float
) -> tuple[Load, list[Table], float, float]:
    limits = httpx.Limits(max_connections=40, max_keepalive_connections=40)
    async with httpx.AsyncClient(limits=limits, timeout=30) as client:
        tables = [Table(number, held) for number, held in enumerate(links)]
        load = Load(client, process.base, seconds)
        empty, ready = process.memory, asyncio.Semaphore(0)
        listening = [asyncio.create_task(load.listen(t, s, ready)) for t in tables for s in t.links]
        for _ in listening:
            await asyncio.wait_for(ready.acquire(), 60)
        load.until = perf_counter() + seconds
        begun = perf_counter()
        async with asyncio.timeout(seconds + 60), asyncio.TaskGroup() as group:
            for table in tables:
                group.create_task(load.play(table, pause))
            await asyncio.sleep(seconds / 3)  # every page has been looked at once, and every path was gone
            load.commands.clear()
            load.tellings.clear()
            begun = perf_counter()
        assert not load.broken, load.broken
        spent = perf_counter() - begun
        grown = process.memory - empty
        load.stopping = True
        process.kill()
        await asyncio.gather(*listening, return_exceptions=True)
        return load, tables, spent, grown


def measured(tables: int, players: int, seconds: float, pause: float = 0.0) -> Measured:
    """Play so many tables with so many players each, kill the server at the end, and see what is there."""
    with tempfile.TemporaryDirectory() as folder:
        url = at_file(Path(folder) / "tables.db")
        links = tables_at(url, tables, players)
        process = Process(url)
        try:
            load, played, spent, grown = asyncio.run(_loaded(process, links, seconds, pause))
        finally:
            process.kill()
        return Measured(
            tables=tables,
            seats=len(links[0]),
            acknowledged=len(load.commands),
            refused=load.refused,
            seconds=spent,
            command=_percentiles(load.commands),
            told=_percentiles(load.tellings),
            lost=tuple(_lost(url, played)),
            memory=grown / tables,
        )


def _lost(url: str, played: list[Table]) -> Iterator[str]:
    """Every acknowledged command is on disk with the answer that was given, and every log runs again."""
    hall = Hall(Store(url), Links(key_from(KEY)))
    for table in played:
        for seat, body, answer in table.acknowledged:
            found = hall.find(table.links[seat])
            assert found is not None
            held = hall.store.reply(found[0].id, seat, body["id"])
            if held is None or json.loads(held) != json.loads(answer):
                yield f"table {table.number}: {body['id']}"
    hall.close()


def _percentiles(values: list[float]) -> tuple[float, float]:
    if len(values) < 2:
        return 0.0, 0.0
    parts = quantiles(values, n=100)
    return round(parts[49], 1), round(parts[94], 1)
