"""A brawl in a tavern: a hold, a way to pay that is asked for, and a living shield that one phone is asked about."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from web.halls import ROOT
from web.serving import Site

from turnwright import read_scene
from turnwright.web.live import LiveTable

from .people import PHONE, WIDE, Person


@pytest.fixture
def live(site: Site) -> LiveTable:
    """Kara stands between two dockers here."""
    text = (ROOT / "examples" / "altered_realms" / "brawl.yaml").read_text(encoding="utf-8")
    text = text.replace("    at: [2, 1]", "    at: [8, 1]").replace(
        "docker_2, side: dockers, at: [9, 7]", "docker_2, side: dockers, at: [7, 1]"
    )
    made = site.hall.open(read_scene(text, "brawl"), seed=1)
    site.hall.wait()
    return made


def test_a_brawl_with_a_hold_and_a_living_shield(site: Site, live: LiveTable, person: Callable[..., Person]) -> None:
    ann, ben = [person(**PHONE).sits(live, seat) for seat in ("ann", "ben")]
    guide, screen = person(**WIDE).sits(live, "guide"), person(**WIDE).sits(live, "spectator")

    # A first item costs the Motion; for the next one something greater is broken down, and Kara is asked what.
    ann.sees_turn("Your turn: Kara")
    ann.does("Drink potion")
    ann.sees(re.compile("Kara.*potion"))
    ann.opens("Draw cudgel")
    ways = ann.sheet.get_by_role("radio")
    expect(ways).to_have_count(2)
    ann.sheet.get_by_role("radio", name=re.compile("movement", re.I)).check()
    ann.does_it()
    ann.throws_real_dice()
    ann.does("Grapple Docker 1")
    ann.rolls(18)
    for each in (ann, ben, guide, screen):
        each.sees(re.compile("Kara.*Docker 1"))
    ann.ends_turn()
    ben.sees_turn("Your turn: Finn")
    ben.ends_turn()
    for name in ("Foreman", "Docker 1"):
        guide.sees_turn(f"{name}’s turn")
        guide.ends_turn()
    guide.sees_turn("Docker 2’s turn")
    guide.tool("Seats and dice").get_by_role("button", name="Narrator: the table throws; use real dice").click()
    expect(guide.page.get_by_role("button", name="Narrator: throws real dice; let the table throw")).to_be_visible()
    guide.does("Attack Kara")
    guide.rolls(17)
    expect(ann.sheet).to_contain_text("Just now: Docker 2")
    for each in (ben, screen):
        expect(each.sheet).to_have_count(0)
    ann.answers(re.compile("Hold Docker 1 into the blow, with athletics"))
    queue = guide.page.get_by_role("region", name="For you to decide")
    queue.get_by_role("button", name="Do nothing").click()
    ann.rolls(20)
    for each in (ann, ben, screen):
        each.sees(re.compile("Docker 1 (loses|takes)"))
    guide.tool("End the scene").get_by_role("button", name="End it and show the seed").click()
    for each in (ann, ben, screen):
        each.sees_turn("The scene is over")


def test_three_taps_lead_from_my_turn_to_the_result(site: Site, live: LiveTable, person: Callable[..., Person]) -> None:
    ann = person(**PHONE).sits(live, "ann")
    taps = int(ann.unfolds("Dodge"))
    ann.offer("Dodge").first.tap()
    ann.sheet.get_by_role("button", name="Do it").tap()
    assert taps + 2 <= 3
    ann.sees(re.compile("Kara.*dodge", re.I))


def test_dice_lie_where_they_fell_and_tumble_only_for_those_who_like_it(
    site: Site, live: LiveTable, person: Callable[..., Person]
) -> None:
    ann, calm = person(**PHONE).sits(live, "ann"), person(reduced_motion="reduce", **PHONE).sits(live, "ann")
    ann.does("Attack Docker 1")
    for each, name in ((ann, "tumble"), (calm, "none")):
        die = each.page.get_by_role("status").filter(has_text="total").locator(".die")
        expect(die.first).to_be_visible()
        assert die.first.evaluate("die => getComputedStyle(die).animationName") == name
    assert calm.page.locator(".sheet").first.evaluate("sheet => getComputedStyle(sheet).animationName") == "none"
