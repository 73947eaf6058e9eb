"""The web application: links, commands, programs, limits, headers, errors; never a traceback, never a hint."""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from turnwright.web import hall as halls
from turnwright.web.app import STATUS
from turnwright.web.guard import MOST_COMMAND, AsJson, Guard
from turnwright.web.live import MOST_PARTS, MOST_TEXT, LiveTable
from turnwright.web.store import NoStore

from .halls import ROOT, hall, opened
from .serving import Ear, Site, served

HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">\'"&{{7*7}}'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    at = hall(tmp_path_factory.mktemp("site"))
    guard = Guard(burst=10_000, each_second=10_000, misses=10_000)
    with served(at, guard=guard, examples=ROOT / "examples", body_seconds=0.5) as made:
        yield made


@pytest.fixture
def live(site: Site) -> LiveTable:
    return opened(site.hall)


def do(site: Site, live: LiveTable, seat: str, what: str, /, **said: Any) -> httpx.Response:
    body = {"id": f"x{time.monotonic_ns()}", "version": live.version(seat), "do": what, "said": said}
    return site.client.post(f"{site.link(live, seat)}/do", json=body)


# -- links


@pytest.mark.parametrize("path", ["", "/view", "/view.json", "/offers.json", "/events", "/story", "/links", "/backup"])
def test_whatever_is_no_link_is_answered_alike(site: Site, live: LiveTable, path: str) -> None:
    old = site.hall.token(live, "ben")
    site.hall.renew(live, "ben")
    wrong = [old, "x" * 43, "x", "%00", "é", site.hall.links.house, "a" * 5000, "..%2f..%2fetc%2fpasswd"]
    got = [site.client.get(f"/s/{token}{path}") for token in wrong] + [site.client.get("/nothing/here")]
    assert {answer.status_code for answer in got} == {404}
    assert len({answer.text for answer in got}) == 1
    shape = [sorted(name for name in answer.headers if name != "date") for answer in got]
    assert all(names == shape[0] for names in shape)


@pytest.mark.parametrize("path", ["/links", "/backup"])
def test_what_is_the_guides_is_not_there_for_players(site: Site, live: LiveTable, path: str) -> None:
    assert site.client.get(site.link(live, "guide") + path).status_code == 200
    for seat in ("ann", "spectator"):
        got = site.client.get(site.link(live, seat) + path)
        assert (got.status_code, got.text) == (404, site.client.get("/s/" + "x" * 43 + path).text)


def test_the_lobby_has_one_link_and_no_other(site: Site) -> None:
    assert site.client.get(f"/house/{site.hall.links.house}").status_code == 200
    assert site.client.get("/house/" + "x" * 43).status_code == 404
    assert site.client.post("/house/" + "x" * 43 + "/open", data={"example": "narateer/ambush.yaml"}).status_code == 404


def test_a_renewed_link_ends_the_pages_that_listen_with_the_old_one(site: Site, live: LiveTable) -> None:
    ear = Ear(site, site.link(live, "ann"))
    site.hall.renew(live, "ann")
    assert ear.until(2)[-2:] == [b"event: renewed", b"data: {}"] or b"event: renewed" in ear.lines
    assert ear.ended()


def test_a_page_is_told_of_its_own_changes(site: Site, live: LiveTable) -> None:
    ear = Ear(site, site.link(live, "ann"))
    assert do(site, live, "ann", "declare", actor="selka", action="end").status_code == 200
    site.hall.wait()
    told = json.loads(ear.until(3, 0.5)[-1][5:])
    assert told == {"version": live.version("ann"), "notices": live.notices}


# -- commands


def test_a_page_plays_with_forms_and_a_program_with_json(site: Site, live: LiveTable) -> None:
    link = site.link(live, "ann")
    fields = {
        "id": "f1",
        "version": live.version("ann"),
        "do": "declare",
        "actor": "selka",
        "action": "walk",
        "to": "3,7",
    }
    got = site.client.post(f"{link}/do", data=fields)
    assert (got.status_code, got.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert live.table.state.actors["selka"].at == (3, 7)
    reply = do(site, live, "ann", "declare", actor="selka", action="end")
    assert reply.json()["ok"]
    again = site.client.post(f"{link}/do", data=fields)
    assert again.status_code == 200


@pytest.mark.parametrize(
    ("seat", "what", "said", "status", "code"),
    [
        ("ben", "declare", {"actor": "selka", "action": "end"}, 403, "NOT_YOURS"),
        ("spectator", "undo", {}, 403, "NOT_YOURS"),
        ("ann", "end", {}, 403, "NOT_YOURS"),
        ("ann", "declare", {"actor": "selka", "action": "no_such"}, 422, "REFUSED"),
        ("ann", "declare", {"actor": "selka", "action": "walk", "to": "99,99"}, 422, "REFUSED"),
        ("ann", "declare", {"actor": "selka", "action": "walk", "self": 1}, 422, "REFUSED"),
        ("ann", "declare", {"actor": ["selka"], "action": "walk"}, 422, "REFUSED"),
        ("ann", "answer", {"question": "ann.9", "value": {"a": [[[[[[[1]]]]]]]}}, 422, "REFUSED"),
        ("ann", "answer", {"question": 7}, 422, "REFUSED"),
        ("guide", "override", {"changes": {"selka.ready": 10**12}, "reason": "x"}, 422, "REFUSED"),
        ("guide", "override", {"changes": {"selka.ready": {"a": 1}}, "reason": "x"}, 422, "REFUSED"),
        ("guide", "override", {"changes": [1], "reason": "x"}, 422, "REFUSED"),
        ("guide", "bots", {"actors": [["x"]]}, 422, "REFUSED"),
        ("guide", "begin", {"actor": "nobody"}, 422, "REFUSED"),
        ("guide", "declare", {"actor": "selka", "action": "end", "overrule": 7}, 422, "REFUSED"),
        ("ann", "name", {"seat": ["ben"], "name": "x"}, 403, "NOT_YOURS"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    site: Site, live: LiveTable, seat: str, what: str, said: dict[str, Any], status: int, code: str
) -> None:
    before = (live.table.state, live.steps)
    got = do(site, live, seat, what, **said)
    assert (got.status_code, got.json()["code"]) == (status, code), got.text
    assert got.json()["refusals"][0]["text"]
    assert (live.table.state, live.steps) == before
    assert not live.gone


BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'{"id": "a", "version": 1, "do": "nothing"}',
    b'{"id": "", "version": 1, "do": "undo"}',
    b'{"id": "a\\u0000", "version": 1, "do": "undo"}',
    b'{"id": "a", "version": 1, "do": "undo", "more": 1}',
    b'{"id": "a", "version": "1", "do": "undo"}',
    b'{"id": "a", "version": 1, "do": "undo", "said": ' + b"[" * 40_000 + b"}",
    b'{"id": "a", "version": 1, "do": "undo", "said": ' + b'{"a":' * 9_000 + b"1" + b"}" * 9_000 + b"}",
    b'{"id": "a", "version": 1' + b"0" * 30_000 + b', "do": "undo"}',
    b'{"id": "' + b"x" * 90_000 + b'", "version": 1, "do": "undo"}',
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_what_is_no_command_is_answered_and_not_done(site: Site, live: LiveTable, body: bytes) -> None:
    for path in ("do", "odds"):
        headers = {"content-type": "application/json"}
        got = site.client.post(f"{site.link(live, 'ann')}/{path}", content=body, headers=headers)
        assert got.status_code in (400, 422), got.text
        assert "Traceback" not in got.text
    assert not live.gone


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded; charset=nonsense",
    ],
)
def test_bad_forms_are_answered(site: Site, live: LiveTable, kind: str) -> None:
    for body in (
        b"",
        b"%ff%fe=%00&version=x",
        b"--x\r\nnonsense",
        b"version=" + b"9" * 5000,
        b"version=1&id=a&do=undo&" + b"a=1&" * 5000,
    ):
        got = site.client.post(f"{site.link(live, 'ann')}/do", content=body, headers={"content-type": kind})
        assert got.status_code in (400, 403, 409, 422), (got.status_code, got.text[:300])
        assert "Traceback" not in got.text


def test_a_mistake_in_a_rule_is_told_in_a_line_and_leaves_nothing_half_done(
    site: Site, live: LiveTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = live.table.declare

    def broken(*args: Any, **said: Any) -> None:
        real(*args, **said)
        raise ZeroDivisionError("a secret in a message")

    monkeypatch.setattr(live.table, "declare", broken)
    before = live.table.state
    got = do(site, live, "ann", "declare", actor="selka", action="end")
    assert (got.status_code, got.json()["code"]) == (500, "BROKEN")
    assert "secret" not in got.text
    fresh = site.hall.table(live.id)
    assert fresh is not live
    assert fresh.table.state == before


def test_what_the_database_does_not_take_is_not_shown(
    site: Site, live: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise NoStore("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(site.hall.store, "keep", full)
        got = do(site, live, "ann", "declare", actor="selka", action="end")
        assert (got.status_code, got.json()["code"]) == (503, "NOT_KEPT")
        assert site.client.get(f"{site.link(live, 'ann')}/view.json").json()["active"] == "selka"
    assert do(site, site.hall.table(live.id), "ann", "declare", actor="selka", action="end").json()["ok"]


# -- programs


def test_a_program_sees_plays_and_asks_for_odds(site: Site, live: LiveTable) -> None:
    link = site.link(live, "ann")
    view = site.client.get(f"{link}/view.json").json()
    assert (view["active"], view["mine"], view["names"]["ben"]) == ("selka", ["selka"], "Ben")
    listed = site.client.get(f"{link}/offers.json").json()
    assert listed["actor"] == "selka"
    assert {offer["verdict"] for offer in listed["offers"]} >= {"legal", "illegal"}
    found = site.client.post(f"{link}/odds", json={"actor": "selka", "action": "walk", "said": {"to": "3,7"}}).json()
    assert sum(eval(each["chance"].replace("/", "*1.0/")) for each in found["chances"]) == pytest.approx(1)


def test_a_program_asks_only_for_its_own(site: Site, live: LiveTable) -> None:
    link = site.link(live, "ben")
    assert site.client.get(f"{link}/offers.json", params={"actor": "selka"}).status_code == 403
    nobody = site.client.get(f"{link}/offers.json", params={"actor": "nobody"})
    assert nobody.status_code == 422
    assert (
        site.client.post(f"{link}/odds", json={"actor": "bo", "action": "walk", "said": {"seat": "guide"}}).status_code
        == 422
    )


# -- limits


def test_too_much_at_once_is_told_when_to_come_again(tmp_path: Path) -> None:
    at = hall(tmp_path)
    live = opened(at)
    with served(at, guard=Guard(burst=5, each_second=0.001, misses=3)) as site:
        got = [site.client.get(site.link(live, "ann")).status_code for _ in range(7)]
        assert got == [200] * 5 + [429] * 2
        assert site.client.get(site.link(live, "ann")).headers["retry-after"] == "1"
        assert site.client.get(site.link(live, "ben")).status_code == 200
        missed = [site.client.get(f"/s/{'x' * 43}").status_code for _ in range(5)]
        assert missed == [404] * 3 + [429] * 2
        assert site.client.get(site.link(live, "guide")).status_code == 200


def test_too_large_is_refused(site: Site, live: LiveTable) -> None:
    body = b'{"id": "a", "said": "' + b"x" * 200_000 + b'"}'
    headers = {"content-type": "application/json"}
    assert site.client.post(f"{site.link(live, 'ann')}/do", content=body, headers=headers).status_code == 413
    lobby = f"/house/{site.hall.links.house}/open"
    big = {"file": ("big.yaml", b"#" * 2_100_000)}
    assert site.client.post(lobby, files=big).status_code == 413
    assert site.client.post(lobby, files=[("file", ("a", b"x")), ("file", ("b", b"x"))]).status_code == 400


def test_a_body_that_comes_too_slowly_is_not_waited_for(site: Site, live: LiveTable) -> None:
    host, port = site.base.removeprefix("http://").split(":")
    begun = time.monotonic()
    with socket.create_connection((host, int(port)), timeout=5) as line:
        head = f"POST {site.link(live, 'ann')}/do HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        line.sendall(head.encode() + b"Content-Length: 100\r\n\r\n{")
        answer = line.recv(1000)
    assert b" 408 " in answer.split(b"\r\n")[0]
    assert time.monotonic() - begun < 3


def test_other_methods_are_refused_politely(site: Site, live: LiveTable) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"):
        got = site.client.request(method, site.link(live, "ann"))
        assert got.status_code == 405
        assert got.headers["content-security-policy"]
    assert site.client.get(f"{site.link(live, 'ann')}/do").status_code == 405


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "narateer/../../pyproject.toml", "", "narateer/ambush.yaml\0"]
)
def test_only_the_examples_can_be_opened(site: Site, name: str) -> None:
    got = site.client.post(f"/house/{site.hall.links.house}/open", data={"example": name})
    assert got.status_code == 400
    assert "root:" not in got.text
    assert site.client.get("/static/..%2f..%2fapp.py").status_code == 404
    assert site.client.get("/static/../app.py").status_code == 404


def test_a_scene_file_is_opened_and_a_bad_one_explained(site: Site) -> None:
    lobby = f"/house/{site.hall.links.house}/open"
    text = (ROOT / "examples" / "narateer" / "duel.yaml").read_bytes()
    assert site.client.post(lobby, files={"file": ("mine.yaml", text)}).status_code == 303
    bad = site.client.post(lobby, files={"file": (HOSTILE, b"system: nothing\n")})
    assert bad.status_code == 400
    assert "<script>alert" not in bad.text
    for data in (
        b'{"turnwright_backup": 1}',
        b'{"turnwright_backup": 1, "table": {"id": "x"}}',
        b"\xff\xff",
        b"- " * 9000,
    ):
        got = site.client.post(lobby, files={"file": ("x", data)})
        assert got.status_code == 400, got.text
    assert site.client.post(f"/house/{site.hall.links.house}/continue", data={"table": "nothing"}).status_code == 400


def test_names_and_texts_are_shown_as_text(site: Site) -> None:
    text = (ROOT / "examples" / "narateer" / "ambush.yaml").read_text(encoding="utf-8")
    quoted = json.dumps(HOSTILE)
    text = text.replace("title: Ambush in the market", f"title: {quoted}").replace("name: Selka", f"name: {quoted}")
    got = site.client.post(f"/house/{site.hall.links.house}/open", files={"file": ("x.yaml", text.encode())})
    live = site.hall.table(site.hall.listed()[0].id)
    site.hall.wait()
    do(site, live, "ann", "name", name=HOSTILE)
    do(site, live, "ann", "declare", actor="selka", action="attempt", intent=HOSTILE, method=HOSTILE)
    do(site, live, "guide", "override", changes={"selka.name": HOSTILE}, reason=HOSTILE)
    pages = [site.client.get(got.headers["location"]), site.client.get(f"/house/{site.hall.links.house}")]
    for seat in ("guide", "ann", "ben", "spectator"):
        pages += [site.client.get(site.link(live, seat) + path) for path in ("", "/view", "/story")]
    for page in pages:
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
        assert "49" not in page.text.partition("alert(2)")[2][:40]


# -- headers, health, logs


def test_every_answer_is_guarded_by_headers(site: Site, live: LiveTable) -> None:
    for path in ("/", "/nothing", "/healthz", site.link(live, "ann"), "/static/table.css"):
        got = site.client.get(path)
        assert "default-src 'none'" in got.headers["content-security-policy"]
        assert got.headers["referrer-policy"] == "no-referrer"
        assert got.headers["x-content-type-options"] == "nosniff"
        assert got.headers["cache-control"] == ("no-cache" if "static" in path else "no-store")
        assert "server" not in got.headers


def test_health_and_metrics(site: Site, live: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    assert site.client.get("/healthz").text == "ok\n"
    assert site.client.get("/metrics").status_code == 404
    site.client.get(site.link(live, "ann"))
    got = site.client.get("/metrics", headers={"Authorization": f"Bearer {site.hall.links.house}"})
    assert 'turnwright_requests_total{route="/s/{token}",method="GET",status="200"}' in got.text
    assert "turnwright_tables_in_memory" in got.text

    def away() -> None:
        raise NoStore("gone")

    monkeypatch.setattr(site.hall.store, "check", away)
    assert site.client.get("/healthz").status_code == 503


def test_logs_are_json_and_have_no_secrets(site: Site, live: LiveTable, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        do(site, live, "ann", "declare", actor="selka", action="attempt", intent="a secret wish", method="whisper")
        site.client.get(site.link(live, "guide"))
        site.client.get(f"/s/{'x' * 43}")
        site.client.get(f"/house/{site.hall.links.house}")
        time.sleep(0.05)
    lines = [AsJson().format(record) for record in caplog.records if record.name.startswith("turnwright")]
    told = [json.loads(line) for line in lines]
    assert any(line.get("seat") == "ann" and line["status"] == 200 for line in told)
    whole = "\n".join(lines)
    tokens = [site.hall.token(live, seat) for seat in live.seats]
    assert not [text for text in [*tokens, site.hall.links.house, "secret wish", "x" * 43] if text in whole]


@pytest.mark.parametrize("cut", [True, False])
def test_behind_a_proxy_with_a_prefix(tmp_path: Path, cut: bool) -> None:
    """Whether the proxy cuts the prefix off or not."""
    at = hall(tmp_path)
    live = opened(at)
    with served(at, public="https://example.org/games/table", examples=ROOT / "examples") as site:
        at_proxy = "" if cut else "/games/table"
        page = site.client.get(at_proxy + site.link(live, "guide"))
        assert page.status_code == 200
        assert 'href="/games/table/static/table.css"' in page.text
        assert site.client.get(at_proxy + "/static/table.css").status_code == 200
        links = site.client.get(f"{at_proxy}{site.link(live, 'guide')}/links")
        assert f"https://example.org/games/table{site.link(live, 'ann')}" in links.text
        went = site.client.post(f"{at_proxy}/house/{at.links.house}/open", data={"example": "narateer/duel.yaml"})
        assert went.headers["location"].startswith("/games/table/s/")


def test_a_backup_comes_back_from_the_lobby(site: Site, live: LiveTable) -> None:
    do(site, live, "ann", "declare", actor="selka", action="end")
    data = site.client.get(f"{site.link(live, 'guide')}/backup")
    assert data.headers["content-disposition"].startswith("attachment")
    got = site.client.post(f"/house/{site.hall.links.house}/open", files={"file": ("b.json", data.content)})
    assert got.status_code == 303
    copy = site.hall.table(site.hall.listed()[0].id)
    assert copy.id != live.id
    assert copy.table.state.actors == live.table.state.actors


def test_a_stream_ends_when_the_process_does(tmp_path: Path) -> None:
    at = hall(tmp_path)
    live = opened(at)
    with served(at) as site:
        ear = Ear(site, site.link(live, "ann"))
        begun = time.monotonic()
    assert ear.ended()
    assert time.monotonic() - begun < 3


def test_the_program_in_the_docs_runs(site: Site, live: LiveTable) -> None:
    text = (ROOT / "docs" / "the-table.md").read_text(encoding="utf-8")
    block = text.partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    exec(compile(block, "docs/the-table.md", "exec"), names)
    link = site.base + site.link(live, "ann")
    assert names["end_turn"](link)["ok"]
    assert live.table.state.active != "selka"
    assert names["end_turn"](link) is None


def test_what_the_docs_say_of_limits_and_codes_holds() -> None:
    hosting = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    table = (ROOT / "docs" / "the-table.md").read_text(encoding="utf-8")
    assert f"| pages that listen | {halls.MOST_FOR_A_SEAT} for a seat, {halls.MOST_LISTENERS} for a table |" in hosting
    assert f"| tables in memory | {halls.IN_MEMORY};" in hosting
    assert f"{MOST_COMMAND // 1000} kB, {MOST_PARTS:,} parts, texts of {MOST_TEXT:,} characters" in hosting
    for code, status in STATUS.items():
        assert not code or f"| {status} | `{code}` |" in table
