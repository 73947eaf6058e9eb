"""The ambush in the market from the first turn to the seed: a guide, three phones and a screen for all."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from web.serving import Site
from web.test_snoop import CANARIES, scene_text

from turnwright import read_scene
from turnwright.web.live import LiveTable

from .people import PHONE, WIDE, Person

Comes = Callable[..., Person]


@pytest.fixture
def live(site: Site) -> LiveTable:
    """Cleo plays the guard; in a closed room is somebody of whom Ann and Ben do not know."""
    text = scene_text(hidden=True)
    text = text.replace("  - {id: ben, name: Ben}\n", "  - {id: ben, name: Ben}\n  - {id: cleo, name: Cleo}\n")
    text = text.replace("    side: watch\n    at: [14, 7]", "    side: watch\n    seat: cleo\n    at: [13, 6]")
    made = site.hall.open(read_scene(text, "ambush"), seed=7)
    site.hall.wait()
    return made


def test_a_whole_scene_with_a_guide_and_three_phones(site: Site, live: LiveTable, person: Comes) -> None:
    ann, ben, cleo = [person(**PHONE).sits(live, seat) for seat in ("ann", "ben", "cleo")]
    guide, screen = person(**WIDE).sits(live, "guide"), person(**WIDE).sits(live, "spectator")
    tablet = person(viewport={"width": 820, "height": 1180}).sits(live, "ann")
    decide = guide.page.get_by_role("region", name="For you to decide")

    # Ann picks a Space behind a stall on the map, and hides there; her two devices show the same.
    for each in (ann, tablet):
        each.sees_turn("Your turn: Selka")
    guide.sees_turn("Selka’s turn")
    cleo.sees_turn("Between turns")
    ann.opens("Walk")
    ann.picks(2, 9)
    expect(ann.sheet).to_contain_text("Column 2, row 9: 6 m")
    ann.does_it()
    tablet.does("Hide", method="low behind the stall")
    for each in (ann, tablet):
        expect(each.page.get_by_role("img", name="Selka, heroes, column 2, row 9")).to_be_attached()
        each.sees(re.compile("hide"))
    ann.ends_turn()

    # Ben says what no rule covers, takes it back, and says it again on a phone that has heard of nothing since.
    ben.sees_turn("Your turn: Bo")
    deaf = person(**PHONE)
    deaf.context.route("**/events", lambda route: route.abort())
    deaf.sits(live, "ben")
    attempts(ben, "knock the lamp over")
    expect(decide).to_contain_text("knock the lamp over")
    ben.page.get_by_role("button", name="Take back what I declared").click()
    ben.sees_turn("Say what you do")
    attempts(deaf, "climb the stall")
    expect(deaf.page.get_by_role("alertdialog")).to_contain_text("Something has changed")
    deaf.page.get_by_role("button", name="I see").click()
    expect(deaf.sheet.get_by_label("Intent")).to_have_value("climb the stall")
    deaf.does_it()

    # His first phone has no network now. The guide rules by a key; when the phone is back it asks what he commits.
    ben.sees_turn("You have declared; others decide")
    ben.context.set_offline(True)
    expect(ben.page.get_by_text("The table cannot be reached")).to_be_visible()
    expect(decide).to_contain_text("climb the stall")
    guide.page.keyboard.press("1")
    expect(decide).to_contain_text("Nothing waits for you")
    expect(ben.sheet).to_have_count(0)
    ben.context.set_offline(False)
    expect(ben.sheet).to_contain_text("how much beyond the price?")
    ben.slides(1)
    ben.does_it()
    ben.sees(re.compile("Bo rolls athletics"))
    expect(ben.page.locator("#link")).to_be_hidden()
    ben.throws_real_dice()
    ben.ends_turn()

    # Cleo's guard searches; the guide rules by a key, and two phones commit before any die falls.
    cleo.sees_turn("Your turn: the guard")
    cleo.opens("Search")
    cleo.says("Method", "the spear into every shadow")
    cleo.says("At", "2,9")
    cleo.does_it()
    expect(decide).to_contain_text("search")
    guide.page.keyboard.press("1")
    expect(ann.sheet).to_contain_text("Hide: Stealth: how much beyond the price?")
    expect(tablet.sheet).to_contain_text("Hide: Stealth: how much beyond the price?")
    expect(cleo.sheet).to_contain_text("Search: Observation: how much beyond the price?")
    expect(ben.sheet).to_have_count(0)
    before = cleo.page.locator("#scene").inner_html()
    ann.slides(2)
    ann.does_it()
    ann.page.get_by_role("button", name="Change my answer").wait_for()
    expect(tablet.page.get_by_role("button", name="Change my answer")).to_be_visible()
    assert cleo.page.locator("#scene").inner_html() == before
    cleo.does_it()
    ann.sees(re.compile("Selka rolls stealth"))
    cleo.sees(re.compile("the guard rolls observation"))

    # He runs to Bo and strikes: only Ben is asked how he answers, and throws real dice for it.
    cleo.opens("Run")
    cleo.says("To", "3,10")
    cleo.does_it()
    cleo.opens("Attack Bo")
    cleo.does_it()
    expect(ben.sheet).to_contain_text("The guard attacks Bo with spear")
    for each in (ann, tablet, cleo, screen):
        expect(each.sheet).to_have_count(0)
    boosted = ben.sheet.get_by_role("listitem").filter(has_text="Clash with axe")
    boosted.get_by_text("Boost", exact=True).click()
    ben.slides(1)
    ben.answers(re.compile("Clash with axe, boosted"))
    ben.rolls(6, 6)
    for each in (ben, cleo, guide):
        each.sees(re.compile("Bo hits the guard|the guard takes"))

    # The guide takes the throw back, knowing who has seen it; he is asked again, and now his dice miss.
    drawer = guide.tool("Take back")
    expect(drawer).to_contain_text("have seen something of it already")
    drawer.get_by_role("button", name="Take it back").click()
    ben.sees(re.compile("takes back"))
    ben.rolls(1, 1)
    ben.sees(re.compile("Bo takes"))

    # A new link for Ann: both of her devices are told, the old link is refused, and the new one goes on.
    old = site.link(live, "ann")
    guide.goes(guide.page.get_by_role("link", name="Links", exact=True).get_attribute("href"))
    card = guide.page.get_by_role("listitem").filter(has=guide.page.get_by_role("heading", name="Ann"))
    card.get_by_text("Move to another device").click()
    card.get_by_role("button", name="Renew the link of Ann").click()
    for each in (ann, tablet):
        expect(each.page.get_by_text("This link was renewed")).to_be_visible()
    tablet.goes(old)
    expect(tablet.page.get_by_role("heading", name="Not here")).to_be_visible()
    assert site.link(live, "ann") != old
    ann.sits(live, "ann")
    guide.page.get_by_role("link", name="To the table").click()

    # A pause, and the end: everybody is shown the seed, and it is the one that was used.
    guide.page.get_by_role("button", name="Pause").click()
    for each in (ann, ben, cleo, screen):
        each.sees_turn("has paused the table")
    guide.page.get_by_role("button", name="Go on", exact=True).click()
    cleo.sees_turn("Say what you do")
    guide.tool("End the scene").get_by_role("button", name="End it and show the seed").click()
    for each in (ann, ben, cleo, screen, guide):
        each.sees_turn("The scene is over")
        expect(each.page.get_by_text(live.table.secret.hex())).to_be_visible()

    # Nothing that the phones of Ann and Ben and the screen for all received tells of the one in the closed room.
    tokens = {seat: site.hall.token(live, seat) for seat in live.seats}
    for each, seat in ((ann, "ann"), (tablet, "ann"), (ben, "ben"), (deaf, "ben"), (screen, "spectator")):
        heard = each.heard.lower()
        assert len(heard) > 20_000
        assert [word for word in CANARIES if word.encode() in heard] == []
        assert [other for other in tokens if other != seat and tokens[other].lower().encode() in heard] == []
    assert b"zanzibar" in guide.heard


def attempts(who: Person, what: str) -> None:
    who.opens("Attempt")
    who.says("Intent", what)
    who.says("Method", "with both hands")
    who.sheet.get_by_role("button", name="Declare it").click()
