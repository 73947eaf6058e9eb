"""Whatever is in a file, a scene or a log comes out of it, or an error that says what is wrong; never another one."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from journeys import JOURNEYS

import turnwright as tw
from turnwright.model import State

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").rglob("*.yaml"))
BUDGET = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
ODD: list[Any] = [None, True, -1, 0, 10**30, 1.5, float("nan"), "", "x", "narateer", [], {}, [[]], [-1, -1], "\0"]
TOKENS = [b"\t", b"\r", b"\0", b"{", b"]", b"- ", b": ", b"&a ", b"*a", b"!!python/x "]


def read(text: str | bytes) -> State | None:
    try:
        return tw.read_scene(text, "fuzz.yaml")
    except tw.BadScene as error:
        found = error
    assert found.problems
    assert all(problem.expected or problem.got for problem in found.problems)
    assert "fuzz.yaml" in str(found)
    return None


def spots(data: Any) -> list[tuple[Any, Any]]:
    """Every place in a document: the container and the key or index."""
    found: list[tuple[Any, Any]] = []
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        found.append((data, key))
        found.extend(spots(value))
    return found


def spoil(data: Any, draw: random.Random) -> Any:
    """Change one place in a document: another value, gone, twice, or under another name."""
    holder, key = draw.choice(spots(data))
    how = draw.randrange(5)
    if how == 0 or (how == 3 and isinstance(holder, list)):
        del holder[key]
    elif how == 1 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif how == 2:
        other, at = draw.choice(spots(data))
        holder[key] = json.loads(json.dumps(other[at]))
    elif how == 3:
        holder[str(key) + draw.choice("sx_ ")] = holder.pop(key)
    else:
        holder[key] = draw.choice(ODD)
    return data


class TestScenes:
    @given(st.binary(max_size=200))
    @BUDGET
    def test_any_bytes(self, text: bytes) -> None:
        read(text)

    @given(st.text(max_size=200))
    @BUDGET
    def test_any_text(self, text: str) -> None:
        read(text)

    @given(st.dictionaries(st.sampled_from(["title", "map", "characters", "settings", "seats", "mode"]), VALUES))
    @BUDGET
    def test_any_document_of_the_game(self, said: dict[str, Any]) -> None:
        read(json.dumps({"system": "narateer"} | said))

    @pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
    def test_any_spoiled_example(self, path: Path) -> None:
        draw = random.Random(f"scene {path.stem}")
        whole = yaml.safe_load(path.read_text(encoding="utf-8"))
        for _ in range(60):
            data = json.loads(json.dumps(whole))
            for _ in range(draw.randrange(1, 4)):
                data = spoil(data, draw)
            try:
                text = yaml.safe_dump(json.loads(json.dumps(data)), allow_unicode=True)
            except (yaml.YAMLError, UnicodeError):
                continue
            state = read(text)
            if state is not None:
                usable(state)

    @pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
    def test_any_example_with_bytes_changed_cut_or_doubled(self, path: Path) -> None:
        draw = random.Random(f"bytes {path.stem}")
        whole = path.read_bytes()
        for _ in range(60):
            text = bytearray(whole)
            for _ in range(draw.randrange(1, 6)):
                at = draw.randrange(len(text))
                how = draw.randrange(4)
                if how == 0:
                    text[at] = draw.randrange(256)
                elif how == 1:
                    del text[at : at + draw.randrange(1, 30)]
                elif how == 2:
                    text[at:at] = text[at : at + draw.randrange(1, 30)]
                else:
                    text[at:at] = draw.choice(TOKENS)
            state = read(bytes(text))
            if state is not None:
                usable(state)

    @pytest.mark.parametrize(
        "text",
        [
            "a: &a [*a]",
            "- " * 5000,
            "[" * 5000,
            "{a: " * 5000,
            "system: !!python/object/apply:os.system ['true']",
            "a: &x [1, 1]\nb: [*x, *x]",
            "system: narateer\nsystem: narateer",
            "? [1]\n: 2",
            "<<: {a: 1}",
            "system: narateer\ntitle: x\ncharacters: [{id: a, side: b, at: [0, 0], skills: {melee: 1e400}}]",
            "%YAML 1.2\n---\na: 1\n---\nb: 2",
            "\ufeffsystem: narateer",
            "\u2028: 1",
            "1: 2",
            "null",
            "~",
        ],
    )
    def test_what_has_broken_readers_before(self, text: str) -> None:
        assert read(text) is None

    def test_a_map_beyond_all_measure(self) -> None:
        row = "." * 5000
        rows = "\n".join(f"    - '{row}'" for _ in range(300))
        text = f"system: narateer\ntitle: x\nmap:\n  rows:\n{rows}\ncharacters: [{{id: a, side: b, at: [0, 0]}}]\n"
        assert read(text) is None


def usable(state: State) -> None:
    """What is read can be played: offers, a turn, a save."""
    made = tw.Table(state, seed=1)
    for actor in list(state.actors)[:3]:
        made.offers(actor)
        made.view(state.actors[actor].seat)
    up = made.next_turn()
    if up is not None:
        made.declare(up, "begin", seat="guide")
        made.offers(up)


def saved(name: str, tmp_path: Path) -> tuple[Path, list[bytes]]:
    path = tmp_path / name
    JOURNEYS[name]().played().save(path)
    return path, path.read_bytes().splitlines()


def load(path: Path, lines: list[bytes]) -> tw.Table | None:
    """The table, both ways of loading tried; whatever comes of it can be saved and loaded again."""
    path.write_bytes(b"\n".join(lines) + b"\n")
    strictly, _ = loaded(path, from_events=False), loaded(path, from_events=True)
    return strictly


def loaded(path: Path, from_events: bool) -> tw.Table | None:
    try:
        made = tw.Table.load(path, from_events=from_events)
    except tw.BadLog as error:
        found = error
    else:
        made.save(path)
        assert tw.Table.load(path, from_events=True).state == made.state
        return made
    assert found.expected
    assert str(path) in str(found)
    return None


@pytest.mark.parametrize("name", list(JOURNEYS))
class TestLogs:
    def test_any_spoiled_entry(self, name: str, tmp_path: Path) -> None:
        path, lines = saved(name, tmp_path)
        draw = random.Random(f"log {name}")
        for _ in range(120):
            changed = list(lines)
            for _ in range(draw.randrange(1, 3)):
                number = draw.randrange(len(changed))
                row = spoil(json.loads(changed[number]), draw)
                changed[number] = json.dumps(row).encode()
            load(path, changed)

    def test_any_bytes_changed(self, name: str, tmp_path: Path) -> None:
        path, lines = saved(name, tmp_path)
        draw = random.Random(f"bytes {name}")
        for _ in range(60):
            changed = list(lines)
            number = draw.randrange(len(changed))
            line = bytearray(changed[number])
            at = draw.randrange(len(line))
            line[at : at + draw.randrange(0, 4)] = bytes(draw.randrange(256) for _ in range(draw.randrange(3)))
            changed[number] = bytes(line)
            load(path, changed)

    def test_lines_lost_doubled_and_in_another_order(self, name: str, tmp_path: Path) -> None:
        path, lines = saved(name, tmp_path)
        draw = random.Random(f"lines {name}")
        for _ in range(60):
            changed = list(lines)
            how = draw.randrange(4)
            number = draw.randrange(1, len(changed))
            if how == 0:
                del changed[number]
            elif how == 1:
                changed.insert(number, changed[number])
            elif how == 2:
                changed = changed[:number]
            else:
                draw.shuffle(changed)
            made = load(path, changed)
            if how == 2:
                assert made is not None, "a log that ends early is a log"

    def test_a_line_of_another_journey(self, name: str, tmp_path: Path) -> None:
        path, lines = saved(name, tmp_path)
        draw = random.Random(f"foreign {name}")
        for other in JOURNEYS:
            _, foreign = saved(other, tmp_path / "") if other != name else (path, lines)
            for _ in range(10):
                changed = list(lines)
                changed[draw.randrange(1, len(changed))] = draw.choice(foreign[1:])
                load(tmp_path / "mixed", changed)


class TestLogsOfAnything:
    @given(text=st.binary(max_size=300))
    @BUDGET
    def test_any_bytes(self, text: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
        path = tmp_path_factory.getbasetemp() / "log"
        path.write_bytes(text)
        with pytest.raises(tw.BadLog):
            tw.Table.load(path)

    @given(value=VALUES)
    @BUDGET
    def test_any_entry(self, value: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
        path = tmp_path_factory.getbasetemp() / "log"
        JOURNEYS["attempting"]().played(1).save(path)
        lines = path.read_bytes().splitlines()
        load(path, [*lines, json.dumps({"by": "ann", "input": value}).encode()])
        load(path, [*lines, json.dumps(value).encode()])
        load(path, [*lines, json.dumps({"draft": value}).encode()])
