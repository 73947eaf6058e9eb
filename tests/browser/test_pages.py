"""Every page, wide and on a phone, light and dark: no serious finding of axe, no wider than its screen, pictured.

The pictures lie in `build/screens` and are for people to look at; no test compares them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import segno
from playwright.sync_api import expect
from web.halls import ROOT, opened, send, settle
from web.serving import Site

from turnwright import read_scene
from turnwright.web.live import LiveTable

from .people import Person

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe").Axe()
Comes = Callable[..., Person]
SIZES = {"wide": (1440, 900), "huge": (2560, 1440), "phone": (390, 844), "small": (360, 740)}
LOOKS = [
    ("wide", "light", True),
    ("huge", "light", False),
    ("huge", "dark", False),
    ("wide", "dark", False),
    ("phone", "dark", True),
    ("small", "dark", False),
    ("small", "light", False),
    ("phone", "light", False),
]
SEARCHED = (
    ("ann", "declare", {"actor": "selka", "action": "walk", "to": "2,9"}),
    ("ann", "declare", {"actor": "selka", "action": "hide", "method": "low behind the stall"}),
    ("ann", "declare", {"actor": "selka", "action": "end"}),
    ("ben", "declare", {"actor": "bo", "action": "end"}),
)


def looked_at(who: Person, name: str, *, whole: bool = True) -> None:
    """One page in every size and both schemes, checked and pictured."""
    page = who.page
    for size, scheme, scanned in LOOKS:
        wide, high = SIZES[size]
        page.set_viewport_size({"width": wide, "height": high})
        page.emulate_media(color_scheme=scheme)
        sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert sideways <= 0, f"{name}, {size}: {sideways} px must be scrolled sideways"
        who.shows(f"{name}-{wide}-{scheme}", whole=whole and size in ("phone", "small"))
        if scanned:
            found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
            grave = [each for each in found if each["impact"] in ("serious", "critical")]
            assert [(each["id"], each["nodes"][0]["html"]) for each in grave] == [], f"{name}, {size}, {scheme}"


@pytest.fixture
def live(site: Site) -> LiveTable:
    text = (ROOT / "examples" / "narateer" / "ambush.yaml").read_text(encoding="utf-8")
    made = site.hall.open(read_scene(text.replace("at: [14, 7]", "at: [13, 6]"), "ambush"), seed=7)
    settle(site.hall)
    return made


def searched(site: Site, live: LiveTable) -> None:
    """Selka hides, and the guard looks for her: how that is done, the guide has to rule."""
    for seat, do, said in SEARCHED:
        assert send(site.hall, live, seat, do, **said).ok
    said = {"actor": "guard", "action": "search", "method": "the spear into every shadow", "at": "2,9"}
    assert send(site.hall, live, "guide", "declare", **said).ok


def test_the_house(site: Site, live: LiveTable, person: Comes) -> None:
    who = person()
    who.goes(f"/house/{site.hall.links.house}")
    looked_at(who, "lobby")
    who.goes(f"{site.link(live, 'guide')}/links")
    for code in who.page.get_by_role("link", name="QR code with the link").all():
        drawn = segno.make(code.get_attribute("href"), micro=False).svg_inline(border=2, omitsize=True)
        assert code.locator("path").get_attribute("d") == drawn.partition(' d="')[2].partition('"')[0]
    looked_at(who, "links")
    who.goes("/")
    looked_at(who, "door")
    who.goes("/s/there-is-no-such-link")
    looked_at(who, "error")
    who.goes("/rule/narateer.hide.must-exceed")
    looked_at(who, "rule")


def test_a_player(site: Site, live: LiveTable, person: Comes) -> None:
    ann, ben = person().sits(live, "ann"), person().sits(live, "ben")
    looked_at(ann, "player-turn")
    looked_at(ben, "player-waiting")
    ann.opens("Hide")
    looked_at(ann, "player-sheet", whole=False)
    ann.page.keyboard.press("Escape")
    ann.page.get_by_role("link", name="The rule behind this").first.click()
    expect(ann.sheet).to_contain_text("Close")
    looked_at(ann, "player-rule", whole=False)
    ann.page.keyboard.press("Escape")
    ann.page.locator("details.not-now > summary").click()
    for refused in ann.page.locator("details.not-now details > summary").all():
        refused.click()
    looked_at(ann, "player-refused")
    searched(site, live)
    assert send(site.hall, live, "guide", "answer", question=live.table.waiting_on[0].id, value=0).ok
    expect(ann.sheet).to_contain_text("how much beyond the price?")
    looked_at(ann, "player-prompt", whole=False)


def test_a_player_who_throws_real_dice_and_is_attacked(site: Site, live: LiveTable, person: Comes) -> None:
    for seat, do, said in SEARCHED[2:]:
        assert send(site.hall, live, seat, do, **said).ok
    assert send(site.hall, live, "ben", "dice", by_hand=True).ok
    assert send(site.hall, live, "guide", "declare", actor="guard", action="run", to="3,10").ok
    assert send(site.hall, live, "guide", "declare", actor="guard", action="attack", target="bo", boost=0).ok
    ben = person().sits(live, "ben")
    expect(ben.sheet).to_contain_text("attacks Bo")
    looked_at(ben, "player-reaction", whole=False)
    ben.answers("Clash with axe")
    expect(ben.sheet).to_contain_text("What do the dice show?")
    looked_at(ben, "player-dice", whole=False)
    ben.rolls(3)
    expect(ben.turn).not_to_contain_text("asked")
    looked_at(ben, "player-after")


def test_the_guide(site: Site, live: LiveTable, person: Comes) -> None:
    searched(site, live)
    guide = person().sits(live, "guide")
    looked_at(guide, "guide-ruling")
    guide.page.get_by_text("Rule otherwise").click()
    for drawer in guide.page.locator("details:not([open]) > summary").all():
        if drawer.is_visible():
            drawer.click()
    looked_at(guide, "guide-drawers")
    guide.page.get_by_role("button", name="Change the captain").click()
    expect(guide.sheet.get_by_label("Why it changes")).to_be_visible()
    looked_at(guide, "guide-editor", whole=False)
    guide.page.keyboard.press("Escape")
    guide.page.keyboard.press("1")
    expect(guide.page.get_by_role("region", name="For you to decide")).not_to_contain_text("How is this ruled?")
    looked_at(guide, "guide-waiting")


def test_the_screen_for_all_and_the_story(site: Site, live: LiveTable, person: Comes, tmp_path: Path) -> None:
    searched(site, live)
    who = person().sits(live, "spectator")
    looked_at(who, "spectator")
    who.goes(f"{site.link(live, 'guide')}/story")
    looked_at(who, "story")
    file = tmp_path / "replay.html"
    file.write_bytes(site.client.get(f"{site.link(live, 'ann')}/replay.html").content)
    who.page.goto(file.as_uri())
    looked_at(who, "replay")


@pytest.mark.parametrize("name", ["narateer/chase", "narateer/negotiation", "altered_realms/brawl"])
def test_other_scenes(site: Site, person: Comes, name: str) -> None:
    live = opened(site.hall, ROOT / "examples" / f"{name}.yaml")
    title = name.partition("/")[2]
    guide = person().sits(live, "guide")
    if live.table.state.active is None:
        guide.page.get_by_role("button", name="Begin").first.click()
    looked_at(guide, f"{title}-guide")
    looked_at(person().sits(live, "spectator"), f"{title}-spectator")
    looked_at(
        person().sits(live, next(seat for seat in live.seats if seat not in ("guide", "spectator"))), f"{title}-player"
    )
