"""A scene as one file: it steps through the scene offline, with what one seat knew at each line and nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scenes import character
from shadows import grove, guard, hider
from typer.testing import CliRunner

import turnwright as tw
from turnwright.cli import app
from turnwright.cli.chronicle import past_of
from turnwright.unattended import Unattended
from turnwright.web.exports import file_name
from turnwright.web.guard import Guard
from turnwright.web.mapping import map_of
from turnwright.web.replay import in_script, replay_data, replay_html

from .halls import AMBUSH, ROOT, hall, opened, send
from .serving import Site, served

SECRET = "Xanthippe"
NAME = "</script><script>alert(1)</script><!--<b>&'\""
HOSTILE = f"{NAME}\u2028line"
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)


def played(path: Path, steps: int = 40, seed: int = 5) -> tw.Table:
    table = tw.Table(tw.load_scene(path), seed=seed)
    bots = Unattended(table)
    for _ in range(steps):
        step = bots.next(tuple(table.state.actors), True, True)
        if step is None:
            break
        step()
    return table


def scenes_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    """What is shown at each step, put together from what has changed."""
    found: list[dict[str, Any]] = []
    held: dict[str, int | None] = {}
    for *_, changed in data["steps"]:
        held = {key: at for key, at in {**held, **changed}.items() if at is not None}
        found.append({key: data["pool"][at] for key, at in held.items() if at is not None})
    return found


def shown(table: tw.Table, seat: str) -> list[dict[str, Any]]:
    return scenes_of(replay_data(past_of(table, seat)))


def file(table: tw.Table, seat: str) -> str:
    return replay_html(past_of(table, seat))


def data_in(text: str) -> Any:
    found = DATA.search(text)
    assert found is not None
    return json.loads(found[1])


def walk() -> tw.Table:
    made = grove(hider((2, 4)), guard("guard", (6, 0)))
    made.declare("selka", "walk", to=(3, 4))
    return made


# -- what is shown


def test_each_line_shows_who_stood_where_then() -> None:
    made = walk()
    made.declare("selka", "walk", to=(5, 4))
    places = [scene["t:selka"][:2] for scene in shown(made, "ann")]
    assert places[0] == [2.5 * 40, 4.5 * 40]
    assert places[-1] == [5.5 * 40, 4.5 * 40]
    assert [3.5 * 40, 4.5 * 40] in places


def test_what_was_taken_back_is_marked_and_the_scene_goes_back() -> None:
    made = walk()
    made.undo()
    data = replay_data(past_of(made, "ann"))
    texts = [(text, gone) for _, text, _, gone, _ in data["steps"]]
    assert any(gone and "moves" in text for text, gone in texts)
    assert texts[-1][0].startswith("-- ")
    assert not texts[-1][1]
    assert scenes_of(data)[-1]["t:selka"] == scenes_of(data)[0]["t:selka"]
    assert scenes_of(data)[-1]["dim"] == scenes_of(data)[0]["dim"]


def test_what_was_seen_on_a_way_that_was_taken_back_was_not_seen() -> None:
    made = tw.Table(tw.load_scene(AMBUSH), seed=7)
    made.declare("selka", "begin")
    made.declare("selka", "walk", to=(5, 7))
    made.undo()
    ground = [scene["map"]["ground"] for scene in shown(made, "ann")]
    assert any(seen != ground[0] for seen in ground)
    assert ground[-1] == ground[0]


def test_the_last_step_is_the_scene_as_its_page_shows_it(tmp_path: Path) -> None:
    at = hall(tmp_path)
    live = opened(at)
    send(at, live, "ann", "declare", actor="selka", action="walk", to="3,7")
    for seat in live.seats:
        drawn = map_of(live, seat, live.table.knows(seat))
        last = shown(live.table, seat)[-1]
        assert drawn is not None
        assert last["map"]["ground"] == drawn.ground
        assert last["dim"] == drawn.dim
        tokens = {name[2:]: told[:2] for name, told in last.items() if name.startswith("t:")}
        assert tokens == {token.id: [token.x, token.y] for token in drawn.tokens}
        assert {name[2:] for name in last if name.startswith("p:")} == set(live.table.knows(seat).actors)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*/*.yaml")), ids=lambda path: path.stem)
def test_every_example_makes_a_file_for_every_seat(path: Path) -> None:
    table = played(path)
    for seat in ("guide", "spectator", *[held.id for held in table.state.scene.seats]):
        text = file(table, seat)
        assert data_in(text)["steps"]
        assert len(text) < 900_000


def test_a_table_that_has_not_begun_has_one_step() -> None:
    made = tw.Table(tw.load_scene(AMBUSH), seed=1)
    data = replay_data(past_of(made, "ann"))
    assert len(data["steps"]) == 1
    assert not data["over"]
    assert data["seed"] == ""


def test_the_seed_stands_in_it_once_the_table_is_over() -> None:
    made = walk()
    assert made.secret.hex() not in file(made, "ann")
    made.reveal()
    assert made.secret.hex() in file(made, "ann")
    assert "seed is open" in data_in(file(made, "ann"))["steps"][-1][1]


def test_an_open_question_stands_in_the_file_of_its_seat_alone() -> None:
    made = grove(hider((2, 4)), guard("guard", (6, 0)), by_hand=("ann",))
    made.declare("selka", "hide", method="crouch low", boost=0)
    counts = {seat: len(replay_data(past_of(made, seat))["asked"]) for seat in ("guide", "ann", "spectator")}
    assert counts["guide"] == len(made.waiting_on) > 0
    assert counts["spectator"] == 0
    assert counts["ann"] == len([held for held in made.waiting_on if held.who == "ann"])


def test_a_line_has_its_rule_and_the_rule_is_explained() -> None:
    data = replay_data(past_of(walk(), "ann"))
    cited = [rule for _, _, rule, _, _ in data["steps"] if rule]
    assert cited
    assert set(cited) <= set(data["rules"])
    assert all(says for says, _, _ in data["rules"].values())


# -- secrets


def hidden(*extra: dict[str, Any], reason: str = "") -> tw.Table:
    """Selka walks in the thicket; whoever else lies there is not seen by her."""
    made = grove(hider((2, 4)), *extra)
    if extra:
        made.override({"lurker.ready": 1}, reason)
    made.declare("selka", "walk", to=(3, 4))
    if extra:
        made.override({"lurker.ready": 2}, reason)
        made.undo()
        made.override({"lurker.ready": 0}, reason)
    return made


def lurker(name: str = SECRET, at: tuple[int, int] = (9, 4)) -> dict[str, Any]:
    return character("lurker", "guards", at, ready=2, name=name)


def test_nothing_of_whom_a_seat_does_not_see_is_in_its_file() -> None:
    made = hidden(lurker(), reason=f"{SECRET} waits")
    assert SECRET in file(made, "guide")
    for seat in ("ann", "spectator"):
        text = file(made, seat)
        assert SECRET not in text
        assert "lurker" not in text


def test_two_tables_that_differ_in_what_is_hidden_make_the_same_file() -> None:
    one, other, empty = hidden(lurker(), reason="a"), hidden(lurker("Pelagia", (12, 4)), reason="b"), hidden()
    for seat in ("ann", "spectator"):
        assert file(one, seat) == file(other, seat) == file(empty, seat)
    assert file(one, "guide") != file(other, "guide")


# -- the file itself


def test_the_file_runs_its_own_script_and_asks_for_nothing() -> None:
    text = file(walk(), "ann")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        inner = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert len(inner) == 1
        digest = base64.b64encode(hashlib.sha256(inner[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1]
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(?:link|img|iframe|base|form|object)\b|\b(?:src|href)=\"(?!#)|@import|url\((?!#)", text)
    assert "innerHTML" not in text


def test_what_people_type_ends_no_script_and_becomes_no_markup() -> None:
    made = grove(hider((2, 4), name=NAME), guard("guard", (6, 0)))
    made.override({"selka.ready": 3}, HOSTILE)
    text = file(made, "guide")
    assert text.count("</script>") == 2
    assert "<!--" not in text
    assert "\u2028" not in text
    assert any(NAME in line for _, line, *_ in data_in(text)["steps"])
    assert any(scene["p:selka"]["name"] == NAME for scene in shown(made, "guide"))


def test_data_in_a_script_comes_out_as_it_went_in() -> None:
    held = {"name": HOSTILE, "gaps": "{{ script }} {{7*7}}", "more": ["\u2029", "é", 1, None]}
    text = in_script(held)
    assert not re.search("[<>&\u2028\u2029]", text)
    assert json.loads(text) == held


def test_gaps_that_people_type_are_not_filled() -> None:
    made = grove(hider((2, 4), name="{{ script }}"), guard("guard", (6, 0)))
    assert shown(made, "ann")[0]["p:selka"]["name"] == "{{ script }}"
    assert data_in(file(made, "ann"))["steps"]


def test_a_step_holds_what_has_changed_and_no_more() -> None:
    """A log of thousands of events stays small: a few numbers for each line besides its text."""
    made = grove(hider((2, 4)), guard("guard", (6, 0)))
    for n in range(800):
        made.override({"selka.ready": n % 5}, "so it is")
    data = replay_data(past_of(made, "guide"))
    assert len(data["steps"]) > 800
    assert max(len(changed) for *_, changed in data["steps"][1:]) <= 2
    assert len(json.dumps(data)) < 120 * len(data["steps"])


def test_a_title_makes_a_plain_name_for_a_file() -> None:
    assert file_name("Ambush in the market") == "ambush-in-the-market"
    assert file_name('../../etc\r\nX: "1"') == "etc-x-1"
    assert file_name("—") == "scene"
    assert len(file_name("long " * 100)) <= 60


# -- from the command line


def command(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["replay", *map(str, arguments)])
    assert result.exit_code == code, (result.output, result.exception)
    return " ".join(result.output.split())


def test_a_log_becomes_a_file_of_one_seat(tmp_path: Path) -> None:
    made, log, kept = walk(), tmp_path / "a.log", tmp_path / "a.html"
    made.save(log)
    assert "it opens in any browser" in command(log, "--html", kept, "--seat", "ann")
    assert kept.read_text(encoding="utf-8") == file(made, "ann")
    assert "cannot be written" in command(log, "--html", tmp_path / "no" / "a.html", code=2)
    assert "goes with no --at" in command(log, "--html", kept, "--at", 1, code=2)


def test_what_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    walk().save(tmp_path / "a.log")

    def missing(name: str) -> None:
        raise ModuleNotFoundError(name=name and "sqlalchemy")

    monkeypatch.setattr("turnwright.cli.replay.importlib.import_module", missing)
    found = command(tmp_path / "a.log", "--html", tmp_path / "a.html", code=2)
    assert "(sqlalchemy): pip install 'turnwright[table]'" in found


# -- over the net


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(hall(tmp_path_factory.mktemp("kept")), guard=Guard(burst=10_000, each_second=10_000)) as made:
        yield made


def test_a_seat_keeps_its_own_story(site: Site) -> None:
    live = opened(site.hall)
    send(site.hall, live, "ben", "name", name="Be*n")
    for seat in live.seats:
        story = site.client.get(f"{site.link(live, seat)}/story.md")
        replay = site.client.get(f"{site.link(live, seat)}/replay.html")
        assert (story.status_code, replay.status_code) == (200, 200)
        assert story.headers["content-type"] == "text/markdown; charset=utf-8"
        assert replay.headers["content-disposition"] == 'attachment; filename="ambush-in-the-market.html"'
        assert story.text.startswith("# Ambush in the market\n")
        assert "**Be\\*n**" in story.text
        assert data_in(replay.text) == replay_data(past_of(live.table, seat, live.options.names))
        for token in (site.hall.token(live, held) for held in live.seats):
            assert token not in story.text + replay.text


@pytest.mark.parametrize("path", ["story.md", "replay.html"])
def test_whoever_has_no_link_keeps_nothing(site: Site, path: str) -> None:
    live = opened(site.hall)
    old = site.link(live, "ann")
    site.hall.renew(live, "ann")
    assert site.client.get(f"{old}/{path}").status_code == 404
    assert site.client.get(f"/s/{'x' * 43}/{path}").status_code == 404


def test_the_story_page_finds_lines_without_a_script(site: Site) -> None:
    live = opened(site.hall)
    send(site.hall, live, "ann", "declare", actor="selka", action="walk", to="3,7")
    link = site.link(live, "ann")
    whole, some = site.client.get(f"{link}/story").text, site.client.get(f"{link}/story", params={"find": "MOVES"}).text
    none = site.client.get(f"{link}/story", params={"find": '"><b>x'}).text
    lines = [re.findall(r"<li[^>]*><span>(.*?)</span>", text) for text in (whole, some, none)]
    assert lines[1] == [line for line in lines[0] if "moves" in line]
    assert 0 < len(lines[1]) < len(lines[0])
    assert lines[2] == []
    assert '"><b>x' not in none
    for name in ("story.md", "replay.html"):
        assert f'href="{link}/{name}"' in whole


# -- in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium is installed")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--no-first-run"]
    with api.sync_playwright() as started:
        made = started.chromium.launch(executable_path=chromium, args=flags)
        yield made
        made.close()


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """A file of a scene of which something was taken back, opened from the disk; any trouble is an error."""
    made = played(AMBUSH, 30)
    made.override({"selka.ready": 2}, HOSTILE)
    made.undo()
    (tmp_path / "kept.html").write_text(file(made, "guide"), encoding="utf-8")
    trouble: list[str] = []
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce", offline=True)
    opened_ = context.new_page()
    opened_.on("console", lambda said: trouble.append(said.text))
    opened_.on("pageerror", lambda error: trouble.append(str(error)))
    opened_.on("request", lambda asked: asked.url.startswith("file://") or trouble.append(asked.url))
    opened_.on("dialog", lambda dialog: trouble.append(dialog.message))
    opened_.goto((tmp_path / "kept.html").as_uri())
    yield opened_
    assert trouble == []
    context.close()


def count(page: Any) -> tuple[int, int]:
    at, most = page.locator("#count").inner_text().split(" / ")
    return int(at), int(most)


def test_keys_step_through_the_scene(page: Any) -> None:
    most = count(page)[1]
    assert page.locator("#line").inner_text() == "The scene opens"
    for key, at in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", most),
        ("ArrowRight", most),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        assert count(page)[0] == at
    page.keyboard.press("PageDown")
    assert page.locator("#round").inner_text() == "Round 1"
    page.keyboard.press("r")
    assert page.locator("#rule-card code").is_visible()


def test_it_plays_by_itself_and_pauses(page: Any) -> None:
    page.locator("#speed").select_option("4")
    page.locator("#title").click()
    page.keyboard.press(" ")
    assert page.locator("#play").get_attribute("aria-label") == "Pause"
    for _ in range(80):
        if count(page)[0] >= 2:
            break
        page.wait_for_timeout(100)
    assert count(page)[0] >= 2
    page.keyboard.press(" ")
    at = count(page)[0]
    page.wait_for_timeout(900)
    assert count(page)[0] == at
    assert page.locator("#play").get_attribute("aria-label") == "Play"


def test_slider_and_lines_lead_anywhere(page: Any) -> None:
    page.locator("#slider").fill("7")
    assert count(page)[0] == 7
    line = page.locator("#story li").nth(9)
    line.click(position={"x": 20, "y": 10})
    assert count(page)[0] == 9
    assert line.get_attribute("aria-current") == "step"
    assert page.locator("#line").inner_text() in line.inner_text()


def test_names_and_reasons_are_shown_as_text(page: Any) -> None:
    page.keyboard.press("End")
    assert "<script>alert(1)</script>" in page.locator("#story").inner_text()
    assert page.locator("#story b, #line b, main script").count() == 0
    assert page.locator("#story li.gone").count() > 0


def test_a_phone_needs_no_scrolling_sideways(page: Any) -> None:
    page.keyboard.press("End")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_barrier_is_found(page: Any, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    source = Path(axe.__file__).parent / "axe.min.js"
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    page.keyboard.press("PageDown")
    page.evaluate("document.getElementById('dice').open = document.getElementById('rule').open = true")
    page.evaluate(source.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    bad = [
        (v["id"], [node["html"][:150] for node in v["nodes"]])
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
    ]
    assert bad == []
