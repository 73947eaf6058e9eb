"""Somebody at the table with a device of their own: they click what they see, by its role and name, and look."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, Response, expect
from web.serving import Site

from turnwright.web.live import LiveTable

SCREENS = Path(__file__).parents[2] / "build" / "screens"
"""Where pictures of the pages are put, to be looked at."""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1440, "height": 900}}
PATIENCE = 15_000
"""Milliseconds that somebody waits for what they should see."""
SIDE = 40
"""The side of a Space in the map's own units."""
expect.set_options(timeout=PATIENCE)


class Person:
    """A browser of somebody's own, on one page, that keeps every byte it received."""

    def __init__(self, browser: Browser, site: Site, **device: Any) -> None:
        self.site = site
        self.context = browser.new_context(base_url=site.base, **device)
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self._answers: list[Response] = []
        self._heard: list[bytes] = []
        self.page.on("response", lambda answer: self._answers.append(answer))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", self._complains)
        wire = self.context.new_cdp_session(self.page)
        wire.send("Network.enable")
        wire.on("Network.eventSourceMessageReceived", lambda event: self._heard.append(str(event).encode()))

    def _complains(self, said: ConsoleMessage) -> None:
        """An answer that is a refusal, or a network that is away, is no fault of a page."""
        if said.type == "error" and not said.text.startswith(("Failed to load resource", "htmx:")):
            self.wrong.append(said.text)

    def sits(self, live: LiveTable, seat: str) -> Person:
        """Open the link of a seat."""
        self.goes(self.site.link(live, seat))
        expect(self.page.locator("#scene")).to_be_visible()
        return self

    def goes(self, path: str) -> None:
        self.keeps()
        self.page.goto(path)

    # -- what is seen

    @property
    def turn(self) -> Locator:
        return self.page.locator("#turn")

    @property
    def story(self) -> Locator:
        return self.page.get_by_role("log")

    @property
    def sheet(self) -> Locator:
        """What lies on top of the page: what may be said with an offer, a prompt, or a notice."""
        return self.page.locator("dialog[open]")

    def sees_turn(self, text: str) -> None:
        expect(self.turn).to_contain_text(text)

    def sees(self, text: str | re.Pattern[str]) -> None:
        """The story tells it."""
        expect(self.story.get_by_text(text).last).to_be_attached()

    def about(self, name: str) -> Locator:
        """The card of a character, on a player's page the own one."""
        return self.page.get_by_role("region", name=f"My character: {name}")

    # -- what is done

    def offer(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=re.compile(rf"^{name}\b"))

    def opens(self, name: str) -> Locator:
        """Tap an offer; what may be said with it."""
        self.unfolds(name)
        self.offer(name).first.click()
        expect(self.sheet).to_be_visible()
        return self.sheet

    def unfolds(self, name: str) -> bool:
        """Open the group in which an offer lies; whether it was folded."""
        for group in self.page.locator("details.group:not([open])").all():
            if group.locator("button.row", has_text=re.compile(rf"^\s*{name}\b")).count():
                group.locator("summary").first.click()
                return True
        return False

    def says(self, label: str, text: str) -> None:
        """Fill in a field of the sheet, opening what is folded there."""
        field = self.sheet.get_by_label(label).first
        if not field.is_visible():
            self.sheet.get_by_text("More to say").click()
        if field.evaluate("field => field.localName") == "select":
            field.select_option(label=text)
        else:
            field.fill(text)

    def slides(self, to: int) -> None:
        """Move the slider for Boost with the keys, as a finger would."""
        slider = self.sheet.get_by_role("slider").first
        slider.focus()
        for _ in range(to - int(slider.input_value())):
            slider.press("ArrowRight")
        expect(slider).to_have_value(str(to))

    def does_it(self) -> None:
        """The great button of the sheet, after which it is gone."""
        key = self.sheet.get_attribute("id")
        self.sheet.get_by_role(
            "button", name=re.compile("^(Do it|Declare it|Commit|Go on|That is what I rolled)$")
        ).click()
        expect(self.page.locator(f"dialog[open][id='{key}']")).to_have_count(0)

    def does(self, offer: str, **fields: str) -> None:
        """One offer with what has to be said; `_` in a name stands for a space."""
        self.opens(offer)
        for label, text in fields.items():
            self.says(label.replace("_", " ").capitalize(), text)
        self.does_it()

    def answers(self, name: str | re.Pattern[str]) -> None:
        """One of the answers of the prompt that lies on top."""
        key = self.sheet.get_attribute("id")
        self.sheet.get_by_role("button", name=name).first.click()
        expect(self.page.get_by_role("alertdialog")).to_have_count(0)
        expect(self.page.locator(f"dialog[open][id='{key}']")).to_have_count(0)

    def throws_real_dice(self) -> None:
        """A player's own choice, in the last drawer of the page."""
        self.tool("My seat").get_by_role("button", name="I throw real dice").click()
        expect(self.page.get_by_role("button", name="Let the table throw my dice")).to_be_visible()

    def rolls(self, *faces: int) -> None:
        """Type what lies on the real table, in a prompt or in the guide's queue."""
        asked = self.page.locator("dialog[open], article.ask").filter(has_text="What do the dice show?").first
        expect(asked).to_be_visible()
        key = asked.get_attribute("id")
        for n, face in enumerate(faces, 1):
            asked.get_by_label(f"Die {n}").fill(str(face))
        asked.get_by_role("button", name="That is what I rolled").click()
        expect(self.page.locator(f"[id='{key}']")).to_have_count(0)

    def picks(self, x: int, y: int) -> None:
        """Tap a Space on the map, and then that it is the one."""
        self.sheet.get_by_role("button", name="Pick on the map").first.click()
        expect(self.page.locator("#map-says")).to_contain_text("Pick")
        self.page.mouse.click(*self.where(x, y))
        expect(self.page.locator("#map-says")).to_contain_text(f"Column {x}, row {y}")
        self.page.get_by_role("button", name="Here", exact=True).click()
        expect(self.sheet).to_be_visible()

    def where(self, x: int, y: int) -> tuple[float, float]:
        """The middle of a Space on the screen."""
        matrix = "(() => { const m = document.getElementById('map-svg').getScreenCTM(); return [m.a, m.e, m.f]; })()"
        a, e, f = self.page.evaluate(matrix)
        return (x + 0.5) * SIDE * a + e, (y + 0.5) * SIDE * a + f

    def ends_turn(self) -> None:
        self.page.get_by_role("button", name=re.compile("^End .* turn$")).click()

    def tool(self, name: str) -> Locator:
        """One of the guide's own drawers, opened."""
        drawer = self.page.locator("details", has=self.page.locator("summary", has_text=re.compile(f"^{name}"))).last
        if drawer.get_attribute("open") is None:
            drawer.locator("summary").first.click()
        return drawer

    # -- what is kept

    def keeps(self) -> None:
        """Read what was received so far; a page that is left takes it along."""
        for answer in self._answers:
            if "event-stream" in answer.headers.get("content-type", ""):
                self._heard.append(str(answer.headers).encode())
                continue
            try:
                self._heard.append(answer.url.encode() + str(answer.headers).encode() + answer.body())
            except Error:
                self._heard.append(answer.url.encode())
        self._answers.clear()

    @property
    def heard(self) -> bytes:
        self.keeps()
        return b"\n".join(self._heard) + self.page.content().encode()

    def shows(self, name: str, *, whole: bool = False) -> None:
        """Keep a picture of what is seen."""
        SCREENS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENS / f"{name}.png", full_page=whole, animations="disabled")

    def leaves(self) -> None:
        self.context.close()
