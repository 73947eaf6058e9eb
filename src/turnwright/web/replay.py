"""A scene as one file that steps through it offline, with the knowledge of one seat and nothing else.

Each step holds only what has changed since the one before: the numbers of what is in `pool`, where every value that is
shown stands once.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from turnwright import shared
from turnwright.cli.chronicle import Beat, Chronicle, Past, rules_behind
from turnwright.model import GUIDE, SPECTATOR, SeatId, State
from turnwright.space.grid import Grid
from turnwright.space.routes import Ground
from turnwright.web.live import LiveTable
from turnwright.web.mapping import Map, Token, map_seen, placed_anew
from turnwright.web.seen import Seen, Sight, field_of
from turnwright.web.views.people import Person, people

HERE = Path(__file__).parent
MOST_SIGHTS = 400
"""So many different sights of the map are told apart; after that the file shows what was seen, and not what is now."""


class Shown(NamedTuple):
    """What the views read of a table, for one that is told of afterwards."""

    table: Past
    names: Mapping[SeatId, str]

    def name_of(self, seat: SeatId) -> str:
        return self.table.name_of(seat)

    def picture_of(self, seat: SeatId, seen: int) -> str:
        return ""


class Watched(Chronicle):
    """The story, and for each line how much of the map the seat had seen by then."""

    def __init__(self, past: Past) -> None:
        players = shared.players(past.start) if past.seat == SPECTATOR else [past.seat]
        self._eyes = [] if past.seat == GUIDE else [Seen(past.game, player) for player in players]
        self._ever: tuple[int, ...] = (0,) * len(self._eyes)
        self._before: list[tuple[int, ...]] = []
        super().__init__(past)

    def _note(self, before: State | None, state: State) -> tuple[int, ...]:
        moved = before is None or before.actors is not state.actors or before.open_doors != state.open_doors
        if moved or before is None or before.mode != state.mode:
            self._ever = tuple([eye.so_far(state, ever) for eye, ever in zip(self._eyes, self._ever, strict=True)])
        return self._ever

    def _entry(self, number: int, entry: Any) -> list[str]:
        self._before.append(self._ever)
        return super()._entry(number, entry)

    def _go_back(self, back: int) -> tuple[int, ...]:
        self._ever = self._before[back]
        return self._ever

    def sight(self, state: State, ever: tuple[int, ...], field: Ground) -> Sight:
        """What the seat has seen of the map when so much was seen before, and what it sees now."""
        if self.seat == GUIDE:
            return Sight(field.every, field.every)
        both = so_far = field.every
        for eye, known in zip(self._eyes, ever, strict=True):
            now = eye.now(state)
            both, so_far = both & now, so_far & (known | now)
        return Sight(so_far, both)


class Pool:
    """Values by number, each once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[str, int] = {}

    def add(self, value: Any) -> int:
        key = json.dumps(value, ensure_ascii=False)
        place = self._places.setdefault(key, len(self.values))
        if place == len(self.values):
            self.values.append(value)
        return place


def replay_data(past: Past) -> dict[str, Any]:
    """Everything that the file shows, as plain data."""
    told, pool = Watched(past), Pool()
    last = Beat(-1, "", "", len(past.log), past.state, told._noted)
    opening = Beat(-1, "", "", -1, past.start, told.opening)
    scenes = _Scenes(told, pool)
    steps: list[Any] = []
    held: dict[str, int] = {}
    for place, beat in enumerate((opening, *told.beats, last), -1):
        now = scenes.at(beat)
        changed: dict[str, int | None] = {key: at for key, at in now.items() if held.get(key) != at}
        changed |= {key: None for key in held if key not in now}
        if beat is not last or changed:
            steps.append([beat.entry, beat.text, beat.rule, int(place in told.gone), changed])
        held = now
    rules = rules_behind(past.game, [*[beat.rule for beat in told.beats], *scenes.rules])
    return {
        "title": past.known.scene.title or "A scene",
        "game": past.game.title,
        "seat": past.name,
        "over": bool(past.seed),
        "asked": list(past.asked),
        "commitment": past.commitment,
        "seed": past.seed,
        "dice": [[t.entry, t.who, t.what, list(t.faces), t.total] for t in told.throws],
        "rules": {
            name: [" ".join(row.statement.split()), " ".join(row.silent.split()), row.source]
            for name, row in rules.items()
        },
        "pool": pool.values,
        "steps": steps,
    }


class _Scenes:
    """The scene as the seat knew it at each line, as numbers into the pool."""

    def __init__(self, told: Watched, pool: Pool) -> None:
        self.told, self.past, self.pool = told, told.past, pool
        self.live = cast(LiveTable, Shown(told.past, told.past.names))
        self.rules: dict[str, None] = {}
        self._sights: dict[Sight, None] = {}
        self._still: tuple[Grid, object, Map] | None = None

    def at(self, beat: Beat) -> dict[str, int]:
        past, add = self.past, self.pool.add
        known = past.game.known(beat.state, past.seat)
        acting = known.active if known.active in known.actors else ""
        drawn = self._drawn(known, self._sight(beat))
        held = {"round": add(known.round), "acting": add(acting or "")}
        if drawn is not None:
            held |= self._map(drawn)
        persons = people(self.live, known, past.seat)
        held["cast"] = add([person.id for person in persons])
        held |= {f"p:{person.id}": add(self._person(person)) for person in persons}
        return held

    def _drawn(self, known: State, sight: Sight | None) -> Map | None:
        """The map; what lies still on it is drawn anew only where it has changed."""
        grid, game, seat = known.scene.grid, self.past.game, self.past.seat
        if sight is None or grid is None:
            return map_seen(self.live, seat, known, sight)
        doors = tuple(
            [(d.id in known.open_doors, known.facts.get(d.id), game.door_words(known, d.id)) for d in grid.doors]
        )
        held = self._still
        if held is not None and held[0] is grid and held[1] == (sight, doors):
            return placed_anew(self.live, seat, known, sight, held[2])
        drawn = map_seen(self.live, seat, known, sight)
        self._still = None if drawn is None else (grid, (sight, doors), drawn)
        return drawn

    def _sight(self, beat: Beat) -> Sight | None:
        field = field_of(beat.state)
        if field is None:
            return None
        sight = self.told.sight(beat.state, beat.note, field)
        if sight in self._sights or len(self._sights) < MOST_SIGHTS:
            self._sights[sight] = None
            return sight
        return Sight(sight.ever, sight.ever)

    def _map(self, drawn: Map) -> dict[str, int]:
        add = self.pool.add
        held = {"map": add(_ground(drawn)), "dim": add(drawn.dim), "stated": add(list(drawn.stated))}
        held |= {f"t:{token.id}": add(_token(token)) for token in drawn.tokens}
        return held | {f"w:{where.id}": add(where.place) for where in drawn.listed}

    def _person(self, person: Person) -> dict[str, Any]:
        self.rules |= dict.fromkeys([mark.rule for mark in (*person.conditions, *person.hiding) if mark.rule])
        return {
            "name": person.name,
            "side": person.side,
            "player": person.player,
            "mine": person.mine and self.past.seat != GUIDE,
            "counts": [[c.name, c.have, c.most, c.bad] for c in person.counts],
            "marks": [[mark.label, mark.about] for mark in person.conditions],
            "hiding": [[mark.label, mark.about] for mark in person.hiding],
            "summary": person.summary,
        }


def _ground(drawn: Map) -> dict[str, Any]:
    """All of a map that does not move."""
    return {
        "kind": drawn.kind,
        "size": [drawn.width, drawn.height],
        "ground": drawn.ground,
        "fog": drawn.fog,
        "areas": [[list(area.patterns), area.path] for area in drawn.areas],
        "places": [list(place) for place in drawn.places],
        "walls": drawn.walls,
        "screens": drawn.screens,
        "doors": [[d.state, d.words, list(d.line), list(d.leaf)] for d in drawn.doors],
        "nodes": [[n.name, list(n.patterns), n.x, n.y, n.wide, n.high, list(n.things)] for n in drawn.nodes],
        "joints": [[j.kind, j.words, j.label, list(j.line), list(j.middle)] for j in drawn.joints],
        "legend": [[key.name, key.effects, list(key.patterns)] for key in drawn.legend],
        "sides": [[side.name, side.shape, side.tint] for side in drawn.sides],
    }


def _token(token: Token) -> list[Any]:
    look = token.radius, token.shape, token.tint, token.initials, token.mine, token.seen, len(token.marks)
    return [token.x, token.y, *look]


# -- the file


def replay_html(past: Past) -> str:
    """The scene as one file that needs nothing else."""
    style = _read("static/map.css") + _read("replay.css")
    script = _read("replay.js")
    data = replay_data(past)
    gaps = {
        "title": html.escape(data["title"]),
        "policy": _policy(style, script),
        "style": style,
        "patterns": _patterns(),
        "data": in_script(data),
        "script": script,
    }
    return "".join(_filled(_read("replay.html"), gaps))


def _filled(page: str, gaps: Mapping[str, str]) -> Iterator[str]:
    """A page with its gaps filled; what is filled in is not looked into again."""
    for part in page.split("{{"):
        name, closed, rest = part.partition("}}")
        yield f"{gaps[name.strip()]}{rest}" if closed else part


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _patterns() -> str:
    """The patterns of the ground, as the map of the table has them."""
    page = _read("pages/map.html")
    return page[page.index("<pattern ") : page.index("</defs>")]


def _policy(style: str, script: str) -> str:
    own = f"style-src {_digest(style)}; script-src {_digest(script)}"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def in_script(data: Any) -> str:
    """Data as JSON that ends no script and starts no comment, whatever stands in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
