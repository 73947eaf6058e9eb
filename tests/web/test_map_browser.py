"""The map in a browser: moved, picked on by finger, pointer and keys, at any width, and without a finding of axe."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from turnwright.web.guard import Guard
from turnwright.web.live import LiveTable

from .halls import ROOT, hall, opened
from .serving import Site, served

playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
PHONE = {"viewport": {"width": 360, "height": 760}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1400, "height": 900}}

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    guard = Guard(burst=10_000, each_second=10_000, misses=10_000)
    with served(hall(tmp_path), guard=guard) as made:
        yield made


@pytest.fixture
def live(site: Site) -> LiveTable:
    return opened(site.hall)


def page_of(browser: Any, site: Site, live: LiveTable, seat: str, **how: Any) -> Any:
    page = browser.new_context(**how).new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("console", lambda said: page.wrong.append(said.text) if said.type == "error" else None)
    page.goto(site.base + site.link(live, seat))
    page.wait_for_selector("#map-svg")
    return page


def picking(page: Any) -> None:
    page.get_by_role("button", name=re.compile("^Walk")).first.click()
    page.locator("dialog[open] [data-pick]").first.click()
    page.wait_for_selector("#map-marks .reach", state="attached")


def middle(page: Any, x: int, y: int) -> tuple[float, float]:
    """Where the middle of a Space is on the screen."""
    a, e, f = page.evaluate(
        "(() => { const m = document.getElementById('map-svg').getScreenCTM(); return [m.a, m.e, m.f]; })()"
    )
    return (x + 0.5) * 40 * a + e, (y + 0.5) * 40 * a + f


def says(page: Any) -> str:
    return str(page.locator("#map-says").inner_text())


def went(page: Any, live: LiveTable, to: tuple[int, int]) -> None:
    page.locator("dialog[open] .go").first.click()
    page.wait_for_selector("dialog[open]", state="detached")
    for _ in range(50):
        if live.table.state.actors["selka"].at == to:
            return
        page.wait_for_timeout(60)
    assert live.table.state.actors["selka"].at == to


def test_a_finger_picks_where_to_go_and_sees_what_it_costs(browser: Any, site: Site, live: LiveTable) -> None:
    page = page_of(browser, site, live, "ann", **PHONE)
    picking(page)
    # Selka stands at (2, 6); two Spaces of 2 m to (3, 8)? The stall is in the way: (2, 8) is two steps south.
    page.touchscreen.tap(*middle(page, 2, 7))
    page.wait_for_timeout(150)
    assert "Column 2, row 7: 2 m" in says(page)
    page.touchscreen.tap(*middle(page, 2, 7))
    page.wait_for_selector("dialog[open] input[name=route]", state="attached")
    assert page.locator("dialog[open] input[name=route]").input_value() == "2,7"
    went(page, live, (2, 7))
    assert page.wrong == []


def test_keys_pick_too_and_escape_leaves_it(browser: Any, site: Site, live: LiveTable) -> None:
    page = page_of(browser, site, live, "ann", **WIDE)
    picking(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert "Column 2, row 8: 4 m (2 + 2)" in says(page)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    went(page, live, (2, 8))
    picking(page)
    page.keyboard.press("Escape")
    assert page.locator("#map-picking").is_hidden()
    assert page.locator("dialog[open]").count() == 1
    assert page.wrong == []


def test_the_pointer_shows_the_way_before_anything_is_picked(browser: Any, site: Site, live: LiveTable) -> None:
    page = page_of(browser, site, live, "ann", **WIDE)
    picking(page)
    page.mouse.move(*middle(page, 2, 8))
    page.wait_for_timeout(100)
    assert "Column 2, row 8: 4 m" in says(page)
    assert page.locator("#map-cursor .way-price").count() == 2
    page.mouse.move(*middle(page, 10, 5))
    page.wait_for_timeout(100)
    assert "out of reach" in says(page)


def test_somebody_is_picked_by_their_token(browser: Any, site: Site, live: LiveTable) -> None:
    page = page_of(browser, site, live, "ann", **WIDE)
    page.get_by_role("button", name=re.compile("^Attempt")).first.click()
    page.locator("dialog[open] .more > summary").first.click()
    field = page.locator("dialog[open] select[name=target]")
    page.locator(f"[data-pick='{field.get_attribute('id')}']").click()
    page.wait_for_selector("#map-marks .aim", state="attached")
    page.mouse.click(*middle(page, 2, 10))
    assert "Bo" in says(page)
    page.locator("[data-map=take]").click()
    assert page.locator("dialog[open] select[name=target]").input_value() == "bo"
    assert page.wrong == []


def test_a_named_place_is_picked_by_its_name_on_the_map(browser: Any, site: Site, live: LiveTable) -> None:
    page = page_of(browser, site, live, "guide", **WIDE)
    page.locator("summary", has_text="Play for Ann").click()
    page.get_by_role("button", name=re.compile("^Search")).first.click()
    for more in page.locator("dialog[open] .more > summary").all():
        more.click()
    field = page.locator("dialog[open] input[name=place]")
    page.locator(f"[data-pick='{field.get_attribute('id')}']").click()
    page.wait_for_selector("#map-marks .aim", state="attached")
    page.keyboard.press("ArrowRight")
    picked = says(page).partition(".")[0]
    assert picked in ("hedge", "dark corner", "arcade", "loft")
    page.keyboard.press("Enter")
    assert page.locator("dialog[open] input[name=place]").input_value() == picked
    assert page.wrong == []


def box(page: Any) -> list[float]:
    return [float(n) for n in page.locator("#map-svg").get_attribute("viewBox").split()]


def test_the_map_is_moved_and_made_larger_and_stays_so_when_the_page_changes(
    browser: Any, site: Site, live: LiveTable
) -> None:
    page = page_of(browser, site, live, "guide", **WIDE)
    whole = box(page)
    page.locator("#map-svg").focus()
    page.keyboard.press("+")
    page.keyboard.press("+")
    near = box(page)
    assert near[2] < whole[2] * 0.7
    page.keyboard.press("ArrowRight")
    assert box(page)[0] > near[0]
    held = box(page)
    player = page_of(browser, site, live, "ann", **WIDE)
    picking(player)
    player.keyboard.press("ArrowDown")
    player.keyboard.press("Enter")
    player.keyboard.press("Enter")
    went(player, live, (2, 7))
    page.wait_for_selector("#map-t-selka[transform='translate(100.0 300.0)']", state="attached")
    assert box(page) == held
    page.locator("[data-map=all]").click()
    assert box(page) == whole


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["ambush", "chase", "negotiation"])
def test_axe_finds_nothing_on_a_page_with_a_map(browser: Any, site: Site, name: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe").Axe()
    live = opened(site.hall, ROOT / "examples" / "narateer" / f"{name}.yaml")
    page = page_of(browser, site, live, "guide", color_scheme=scheme, **WIDE)
    for summary in page.locator("#map summary").all():
        summary.click()
    found = axe.run(page, context="#map").response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


@pytest.mark.parametrize("wide", [360, 2560])
def test_the_map_fits_the_page(browser: Any, site: Site, live: LiveTable, wide: int) -> None:
    page = page_of(browser, site, live, "ann", viewport={"width": wide, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    shape = page.locator("#map-svg").bounding_box()
    assert shape["width"] <= wide
    assert shape["height"] <= 0.75 * 800
