"""`turnwright table`: it prints the links, takes a free port, stops at once and keeps all, and says what is wrong."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from turnwright import load_scene
from turnwright.cli import app
from turnwright.web import serving
from turnwright.web.links import BadKey, key_from, key_in
from turnwright.web.serving import bases, bound, check_public, code_in_terminal

from .halls import AMBUSH


@contextmanager
def started(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """The process, and the links that it printed."""
    command = [sys.executable, "-m", "turnwright", "table", "--no-browser", "--host", "127.0.0.1", *words]
    env = os.environ | {"XDG_DATA_HOME": str(folder), "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, encoding="utf-8"
    )
    assert process.stdout is not None
    assert process.stderr is not None
    links: dict[str, str] = {}
    for line in process.stdout:
        found = re.match(r"(\w+) {3}(http\S+)$", line.rstrip())
        if found:
            links[found[1]] = found[2]
        if line.startswith("Whoever has a link"):
            break
    try:
        yield process, links
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_is_played_stopped_and_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    with started(tmp_path, str(AMBUSH), "--port", "0") as (process, links):
        assert set(links) == {"Lobby", "Guide", "Ann", "Ben", "Spectator"}
        heard = threading.Event()

        def listen() -> None:
            with httpx.stream("GET", f"{links['Ben']}/events", timeout=None) as answer:
                for part in answer.iter_raw():
                    if b"data" in part:
                        heard.set()

        ear = threading.Thread(target=listen, daemon=True)
        ear.start()
        assert heard.wait(5)
        view = httpx.get(f"{links['Ann']}/view.json").json()
        command = {"id": "a1", "version": view["version"], "do": "declare"}
        command["said"] = {"actor": "selka", "action": "walk", "to": "3,7"}
        assert httpx.post(f"{links['Ann']}/do", json=command).json()["ok"]
        begun = time.monotonic()
        process.send_signal(how)
        assert process.wait(5) == 0
        assert time.monotonic() - begun < 3
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
        ear.join(3)
        assert not ear.is_alive()
    data = tmp_path / "turnwright"
    assert (data / "tables.key").stat().st_mode & 0o777 == 0o600
    port = links["Ann"].split(":")[2].split("/")[0]
    with started(tmp_path, "--port", port) as (_, again):
        assert again["Lobby"] == links["Lobby"]
        assert httpx.get(f"{links['Ann']}/view.json").json()["actors"]["selka"]["at"] == [3, 7]
        assert "Ambush in the market" in httpx.get(again["Lobby"]).text


def run(*words: str) -> tuple[int, str]:
    got = CliRunner().invoke(app, ["table", "--no-browser", *words])
    return got.exit_code, got.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nothing.yaml"], "there is no such file"),
        (["--restore", "nothing.json"], "there is no such file"),
        (["--port", "70000"], "a port is a number"),
        (["--host", "192.0.2.77", "--port", "0"], "cannot listen on 192.0.2.77"),
        (["--public", "example.org"], "--public is an address"),
        (["--db", "nonsense"], "the tables cannot be opened"),
        (["--db", "postgresql://u:hush@127.0.0.1:1/x"], "the tables cannot be opened"),
        (["--examples", "nowhere"], "there is no such folder"),
        (["--pace", "-1"], "pace"),
        ([str(AMBUSH), "--restore", str(AMBUSH)], "not both"),
        (["--restore", str(AMBUSH)], "expected the backup of one table"),
    ],
)
def test_bad_input_is_explained(words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(serving, "log_as_json", lambda level: None)
    code, told = run(*words, *([] if "--port" in words else ["--port", "0"]))
    assert code == 2
    assert says in " ".join(told.split())
    assert "hush" not in told
    assert "Traceback" not in told


def test_a_port_that_was_chosen_and_is_taken_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(serving, "log_as_json", lambda level: None)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, told = run("--host", "127.0.0.1", "--port", str(port))
        assert (code, "in use" in told) == (2, True)
        with bound("127.0.0.1", port, chosen=False) as other:
            assert other.getsockname()[1] > port


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("turnwright.web.serving", "turnwright.web.app"):
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    code, told = run()
    assert code == 2
    assert "pip install 'turnwright[table]'" in " ".join(told.split())


def test_looking_at_the_command_loads_nothing_of_the_web() -> None:
    code = "import sys, turnwright.cli; print([m for m in sys.modules if m.split('.')[0] in ('fastapi', 'sqlalchemy')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_addresses() -> None:
    assert bases("127.0.0.1", 80, "") == ("http://127.0.0.1:80", "http://127.0.0.1:80")
    assert bases("::1", 80, "") == ("http://[::1]:80", "http://[::1]:80")
    everybody, here = bases("0.0.0.0", 80, "")
    assert re.fullmatch(r"http://[\d.]+:80", everybody)
    assert here == "http://127.0.0.1:80"
    assert bases("0.0.0.0", 80, "https://x.org/t/") == ("https://x.org/t", "http://127.0.0.1:80/t")
    for bad in ("x.org", "ftp://x.org", "https://", "https://x.org/?a"):
        with pytest.raises(serving.CannotServe):
            check_public(bad)


def test_a_code_for_the_terminal_fits_into_eighty_columns() -> None:
    code = code_in_terminal("http://192.168.100.200:8765/s/" + "x" * 43)
    assert max(len(line) for line in code.splitlines()) < 80


def test_keys(tmp_path: Path) -> None:
    assert key_in(tmp_path / "k") == key_in(tmp_path / "k")
    (tmp_path / "bad").write_text("short")
    with pytest.raises(BadKey):
        key_in(tmp_path / "bad")
    with pytest.raises(BadKey):
        key_from("short")


def test_a_backup_is_put_down_as_a_new_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    hall = serving.hall_at("", pace=0.0)
    live = serving.opened(hall, load_scene(AMBUSH), None, seed=1)
    assert live is not None
    hall.wait()
    copy = serving.opened(hall, None, hall.store.backup(live.id))
    assert copy is not None
    assert (copy.id == live.id, copy.table.state == live.table.state) == (False, True)
    assert serving.opened(hall, None, None) is None
    hall.close()
    hall.close()
