"""The ambush in the market from the first turn to the seed: a guide, three phones and a screen for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect
from web.serving import Site
from web.test_snoop import CANARIES, scene_text

from turnwright import read_scene
from turnwright.web.live import LiveTable

from .people import PHONE, WIDE, Person

Comes = Callable[..., Person]


@pytest.fixture
def live(site: Site) -> Iterator[LiveTable]:
    """Cleo plays the guard, who stands near; in a closed room is somebody of whom no player knows."""
    text = scene_text(hidden=True)
    text = text.replace("  - {id: ben, name: Ben}\n", "  - {id: ben, name: Ben}\n  - {id: cleo, name: Cleo}\n")
    text = text.replace("    side: watch\n    at: [14, 7]", "    side: watch\n    seat: cleo\n    at: [6, 3]")
    made = site.hall.open(read_scene(text, "ambush"), seed=7)
    site.hall.wait()
    yield made


def test_a_whole_scene_with_a_guide_and_three_phones(site: Site, live: LiveTable, person: Comes) -> None:
    ann, ben, cleo = [person(**PHONE).sits(live, seat) for seat in ("ann", "ben", "cleo")]
    guide, screen = person(**WIDE).sits(live, "guide"), person(**WIDE).sits(live, "spectator")
    tablet = person(viewport={"width": 820, "height": 1180}).sits(live, "ann")

    # Ann walks past the guard: only Cleo is asked whether he strikes.
    ann.sees_turn("Your turn: Selka")
    for other in (ben, cleo, screen, guide):
        other.sees_turn("Selka’s turn")
    ann.opens("Walk")
    ann.picks(5, 4)
    ann.does_it()
    expect(cleo.sheet).to_contain_text("React?")
    ann.sees_turn("You have declared; others decide")
    for other in (ann, ben, tablet, screen):
        expect(other.sheet).to_have_count(0)
    cleo.answers("Do nothing")
    expect(ann.offer("Attack")).to_be_visible()

    # She attacks with real dice; both commit, and only then are they thrown.
    ann.page.get_by_text("My seat").click()
    ann.page.get_by_role("button", name="I throw real dice").click()
    expect(ann.page.get_by_role("button", name="Let the table throw my dice")).to_be_visible()
    attacks(ann, 2)
    expect(cleo.sheet).to_contain_text("Selka attacks the guard with knife")
    cleo.sheet.get_by_text("Boost", exact=True).last.click()
    cleo.slides(1)
    cleo.answers(re.compile("Clash.*, boosted"))

    # Her dice are real ones, and only her seat is asked for them, on both of its devices.
    expect(ann.sheet).to_contain_text("What do the dice show?")
    expect(tablet.sheet).to_contain_text("What do the dice show?")
    expect(cleo.sheet).to_have_count(0)
    ann.rolls(6, 5, 6)
    expect(tablet.sheet).to_have_count(0)
    for each in (ann, tablet, cleo, guide):
        each.sees("Selka hits the guard")
    # What only those two could see is not on the screen for all, nor are the numbers of one side.
    screen.sees("Selka: attack")
    expect(screen.story).not_to_contain_text("hits")
    expect(screen.page.get_by_role("article")).not_to_contain_text("AD")

    # The guide takes the throw back, knowing who has seen it; she is asked again, and now her dice miss.
    drawer = guide.tool("Take back")
    expect(drawer).to_contain_text("have seen something of it already")
    drawer.get_by_role("button", name="Take it back").click()
    cleo.sees(re.compile("taken back|takes back"))
    ann.rolls(1, 1, 1)
    ann.sees(re.compile("misses|hits Selka|Selka takes"))
    ann.ends_turn()

    # Ben says what no rule covers, takes it back, and says it again on a phone that has heard of nothing since.
    ben.sees_turn("Your turn: Bo")
    deaf = person(**PHONE)
    deaf.context.route("**/events", lambda route: route.abort())
    deaf.sits(live, "ben")
    attempts(ben, "knock the lamp over")
    expect(guide.page.get_by_role("region", name="For you to decide")).to_contain_text("knock the lamp over")
    ben.page.get_by_role("button", name="Take back what I declared").click()
    ben.sees_turn("Say what you do")
    attempts(deaf, "climb the stall")
    expect(deaf.page.get_by_role("alertdialog")).to_contain_text("Something has changed")
    deaf.page.get_by_role("button", name="I see").click()
    expect(deaf.sheet.get_by_label("Intent")).to_have_value("climb the stall")
    deaf.does_it()

    # His other phone has no network now. The guide rules by a key, and when the phone is back it asks what he commits.
    ben.sees_turn("You have declared; others decide")
    ben.context.set_offline(True)
    decide = guide.page.get_by_role("region", name="For you to decide")
    expect(decide).to_contain_text("climb the stall")
    guide.shows("guide-ruling")
    guide.page.keyboard.press("1")
    expect(decide).to_contain_text("Nothing waits for you")
    import time; time.sleep(1); print(live.table.waiting_on, live.table.state.active); print(ben.page.locator("#link").inner_text())
    ben.context.set_offline(False)
    time.sleep(3); print(ben.page.locator("body").aria_snapshot()[:800]); print(ben.sheet.count() and ben.sheet.aria_snapshot())
    assert 0


def attempts(who: Person, what: str) -> None:
    who.opens("Attempt")
    who.says("Intent", what)
    who.says("Method", "with both hands")
    who.sheet.get_by_role("button", name="Declare it").click()


def attacks(who: Person, boost: int) -> None:
    who.opens("Attack")
    who.slides(boost)
    who.does_it()
