"""A fight of six: slots that belong to a side, one question to three phones, and a roll that is divided."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect
from web.halls import ROOT
from web.serving import Site

from turnwright import load_scene

from .people import PHONE, WIDE, Person


def test_three_phones_are_asked_together_and_a_roll_is_divided(site: Site, person: Callable[..., Person]) -> None:
    live = site.hall.open(load_scene(ROOT / "examples" / "storypath" / "six.yaml"), seed=1)
    site.hall.wait()
    vera, jon, mia = phones = [person(**PHONE).sits(live, seat) for seat in ("vera", "jon", "mia")]
    guide = person(**WIDE).sits(live, "guide")
    everybody = (*phones, guide)

    # Initiative was rolled as the scene began; who takes the players' first slot all of them are asked at once.
    for each in everybody:
        each.sees(re.compile("^Initiative of Draugr 1, Draugr 2, Draugr 3, one roll for all: "))
    for each in phones:
        expect(each.sheet).to_contain_text("All players together: who takes the PC slot of 2, in round 1?")
        expect(each.sheet.get_by_role("button", name=re.compile("Sigrun|Ivar|Tove"))).to_have_count(3)
    jon.shows("six-first-slot")
    jon.answers("Ivar")
    for each in (vera, mia):
        expect(each.sheet).to_have_count(0)
        each.sees_turn("Ivar’s turn")
    for each in everybody:
        each.sees("Ivar takes the PC slot of 2, round 1")

    # What takes no time is done on somebody else's turn.
    expect(vera.page.get_by_role("button", name="Attack Draugr 1")).to_have_count(0)
    vera.does("Move to barrow")
    for each in everybody:
        each.sees("Sigrun moves to barrow")

    # Two things at once, on one roll of the smaller pool: 1 die of athletics and 3 of dexterity.
    jon.throws_real_dice()
    jon.opens("Mixed: hurry and attack .Draugr 1")
    jon.sheet.get_by_label("To needed").fill("gate")
    jon.does_it()
    queue = guide.page.get_by_role("region", name="For you to decide")
    expect(queue).to_contain_text("Ivar: mixed: hurry and attack (Draugr 1), both, to gate, weapon rifle")
    guide.shows("six-ruling")
    queue.get_by_role("button", name=re.compile("dexterity check, target 1")).click()
    expect(jon.sheet).to_contain_text("how many extra dice, for momentum?")
    jon.does_it()
    jon.rolls(8, 9, 3, 2)
    split = jon.sheet
    expect(split).to_contain_text("2 successes for hurry and the rifle: how are they split?")
    for words in (
        "Hurry 1: succeeds; the rifle 1: hits a Defense of 1 or less",
        "Hurry 0: fails, 1 short; the rifle 2: hits a Defense of 2 or less",
        "Hurry 2: succeeds, 1 over; the rifle 0: hits a Defense of 0 or less (no better)",
    ):
        expect(split.get_by_role("button", name=words)).to_be_visible()
    jon.shows("six-split")
    jon.answers(re.compile("Hurry 1: succeeds; the rifle 1"))
    expect(jon.sheet).to_contain_text("Against Draugr 1, nothing is over: what then?")
    jon.answers(re.compile("Injure Draugr 1"))
    for each in everybody:
        each.sees("Ivar puts 1 into hurry, 1 into attack")
        each.sees("Ivar moves to gate")

    # Whoever had the slot names the next of the players; the Storyguide orders hers.
    jon.does("Hand on to Tove")
    for each in everybody:
        each.sees("Ivar hands on to Tove")
    jon.ends_turn()
    hers = queue.get_by_role("article").filter(has_text="Who takes the SGC slot of 2")
    for each in phones:
        expect(each.sheet).to_have_count(0)
    hers.get_by_role("button", name="Draugr 3").click()
    guide.sees_turn("Draugr 3’s turn")
    guide.shows("six-guide")
    guide.ends_turn()
    expect(hers.get_by_role("button", name=re.compile("Draugr"))).to_have_count(2)
    hers.get_by_role("button", name="Draugr 2").click()
    for name in ("Draugr 2", "Draugr 1"):
        guide.sees_turn(f"{name}’s turn")
        guide.ends_turn()
    mia.sees_turn("Your turn: Tove")
    mia.sees("Tove takes the PC slot of 1, round 1")
    mia.ends_turn()
    vera.sees_turn("Your turn: Sigrun")
    guide.tool("End the scene").get_by_role("button", name="End it and show the seed").click()
    for each in phones:
        each.sees_turn("The scene is over")
        expect(each.page.locator("#any-time")).to_have_count(0)
