"""A turn by the keyboard alone: the focus is always on what can be seen, also when the page changes around it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from web.halls import opened, send
from web.serving import Site

from turnwright.web.live import LiveTable

from .people import WIDE, Person

ACTIVE = """() => {
  const e = document.activeElement, r = e.getBoundingClientRect();
  return [e.localName, e.getAttribute("aria-label") || e.innerText || e.name || "", r.width > 0 && r.height > 0];
}"""


@pytest.fixture
def live(site: Site) -> LiveTable:
    return opened(site.hall)


class Keys:
    """Tab, Enter and the arrows, and where the focus is."""

    def __init__(self, who: Person) -> None:
        self.who, self.page = who, who.page

    def at(self) -> tuple[str, str, bool]:
        name, text, seen = self.page.evaluate(ACTIVE)
        return name, " ".join(text.split()), seen

    def to(self, text: str, most: int = 60) -> None:
        """Tab on until the focus is on what begins so; it is never lost on the way."""
        for _ in range(most):
            self.page.keyboard.press("Tab")
            name, words, seen = self.at()
            assert name == "body" or seen, f"the focus is on something unseen: {words}"
            if words.startswith(text):
                return
        raise AssertionError(f"the focus never came to {text!r}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


def test_a_turn_is_played_by_keys_alone(site: Site, live: LiveTable, person: Callable[..., Person]) -> None:
    ann = person(**WIDE).sits(live, "ann")
    keys = Keys(ann)
    keys.to("Walk")
    keys.press("Enter")
    expect(ann.sheet).to_be_visible()
    assert keys.at()[1].startswith("Walk"), "a sheet begins with its title"
    keys.to("Pick on the map")
    keys.press("Enter")
    expect(ann.page.locator("#map-says")).to_contain_text("Pick where to")
    keys.press("ArrowDown", "ArrowDown", "Enter", "Enter")
    expect(ann.sheet).to_be_visible()
    keys.to("Do it")
    keys.press("Enter")
    expect(ann.page.get_by_role("img", name="Selka, heroes, column 2, row 8")).to_be_attached()
    expect(ann.sheet).to_have_count(0)
    assert keys.at()[0] != "body", "the focus went back to where it came from"
    keys.to("Hide")
    keys.press("Enter")
    keys.to("method")
    ann.page.keyboard.type("low behind the stall")
    keys.press("Enter")
    expect(ann.sheet).to_have_count(0)
    ann.sees("hide")
    keys.to("End my turn")
    keys.press("Enter")
    expect(ann.turn).not_to_contain_text("Your turn")


def test_the_focus_and_what_is_typed_stay_while_the_page_changes(
    site: Site, live: LiveTable, person: Callable[..., Person]
) -> None:
    ann = person(**WIDE).sits(live, "ann")
    ann.opens("Hide")
    field = ann.sheet.get_by_label("Method")
    field.fill("low behind")
    assert send(site.hall, live, "guide", "override", changes={"bo.wounds": 1}, reason="a stone falls").ok
    expect(ann.page.get_by_role("region", name="Who else is here")).to_contain_text("1/3")
    expect(field).to_be_focused()
    expect(field).to_have_value("low behind")
    ann.page.keyboard.press("Escape")
    expect(ann.offer("Hide")).to_be_focused()
    assert send(site.hall, live, "guide", "override", changes={"bo.wounds": 2}, reason="another one").ok
    expect(ann.page.get_by_role("region", name="Who else is here")).to_contain_text("2/3")
    expect(ann.offer("Hide")).to_be_focused()
