"""Pages as they reach a browser: what a seat may know and nothing else, whole for a keyboard and a screen reader."""

from __future__ import annotations

import asyncio
import html.parser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient, Response

from turnwright.systems.narateer.events import Hid
from turnwright.web.app import create_app
from turnwright.web.hall import Hall
from turnwright.web.live import LiveTable
from turnwright.web.views import Page, page

from .halls import AMBUSH, ROOT, hall, opened, send

BRAWL = ROOT / "examples" / "altered_realms" / "brawl.yaml"
SKIRMISH = ROOT / "examples" / "narateer" / "skirmish.yaml"
DUEL = ROOT / "examples" / "narateer" / "duel.yaml"


class Browser:
    """Asks the application as a browser would, one request after the other."""

    def __init__(self, hall: Hall) -> None:
        self.transport = ASGITransport(create_app(hall, examples=ROOT / "examples"))

    def get(self, url: str, headers: dict[str, str] | None = None) -> Response:
        return asyncio.run(self._ask("GET", url, headers=headers))

    def post(self, url: str, data: dict[str, str]) -> Response:
        return asyncio.run(self._ask("POST", url, data=data))

    async def _ask(self, method: str, url: str, **given: Any) -> Response:
        async with AsyncClient(transport=self.transport, base_url="http://table") as client:
            return await client.request(method, url, **given)


class At:
    """A table, and a browser for each of its seats."""

    def __init__(self, folder: Path, scene: Path = AMBUSH) -> None:
        self.hall: Hall = hall(folder)
        self.live: LiveTable = opened(self.hall, scene)
        self.client = Browser(self.hall)

    def link(self, seat: str) -> str:
        return f"/s/{self.hall.token(self.live, seat)}"

    def html(self, seat: str, more: str = "") -> str:
        return self.client.get(self.link(seat) + more).text

    def page(self, seat: str) -> Page:
        with self.live.lock:
            return page(self.live, seat)

    def send(self, seat: str, do: Any, /, **said: Any) -> None:
        reply = send(self.hall, self.live, seat, do, **said)
        assert reply.ok, reply.refusals

    def post(self, seat: str, version: int | None = None, **fields: str) -> Any:
        known = self.live.version(seat) if version is None else version
        found = self.client.post(self.link(seat) + "/do", data={"id": "x1", "version": str(known)} | fields)
        self.hall.wait()
        return found

    def attempt(self) -> None:
        """Selka's attempt, ruled on as a check: her commitment is asked for."""
        self.send("ann", "declare", actor="selka", action="attempt", intent="up there", method="climb")
        self.send("guide", "answer", question=self.live.table.waiting_on[0].id, value=0)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[At]:
    found = At(tmp_path)
    yield found
    found.hall.close()


@pytest.fixture
def brawl(tmp_path: Path) -> Iterator[At]:
    found = At(tmp_path, BRAWL)
    yield found
    found.hall.close()


def counts(found: Page, who: str) -> dict[str, str]:
    return next({count.name: count.words for count in person.counts} for person in found.people if person.id == who)


class Read(html.parser.HTMLParser):
    """The elements of a page: ids, labels, controls and what carries style or script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.labels: set[str] = set()
        self.controls: list[dict[str, str | None]] = []
        self.inside: list[str] = []
        self.inline: list[str] = []
        self.forms: list[dict[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if "id" in found:
            self.ids[found["id"] or ""] += 1
        if tag == "label" and found.get("for"):
            self.labels.add(found["for"] or "")
        if tag in ("input", "select", "textarea") and found.get("type") != "hidden":
            self.controls.append(found | {"wrapped": "yes" if "label" in self.inside else None})
        if tag == "form":
            self.forms.append(found)
        if "style" in found or tag == "style" or any(name.startswith("on") for name in found):
            self.inline.append(tag)
        if tag == "script" and "src" not in found:
            self.inline.append(tag)
        if tag not in ("input", "img", "meta", "link", "br", "hr", "use", "path", "rect", "line", "circle"):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            while self.inside.pop() != tag:
                pass


# -- a player


class TestMyTurn:
    def test_it_says_so_and_to_nobody_else(self, at: At) -> None:
        assert at.page("ann").turn == "Your turn: Selka"
        assert at.page("ann").my_turn
        assert at.page("ben").turn == "Selka’s turn"
        assert not at.page("ben").my_turn
        assert at.page("ben").waits == "Waiting for Ann"

    def test_resources_can_be_counted(self, at: At) -> None:
        assert counts(at.page("ann"), "selka") == {"AD": "6 of 6", "Wounds": "0 of 3"}
        at.send("ann", "declare", actor="selka", action="run", to="4,6")
        now = counts(at.page("ann"), "selka")
        assert now["AD"] == "5 of 6"
        assert now["Run, m"].endswith(" of 28")

    def test_of_another_side_only_what_is_seen(self, tmp_path: Path) -> None:
        found = At(tmp_path, DUEL).page("ann")
        assert counts(found, "varga") == {"Wounds": "0 of 3"}

    def test_budgets_are_counted_in_another_game(self, brawl: At) -> None:
        found = counts(brawl.page("ann"), "kara")
        assert (found["HP"], found["Actions"], found["Reactions"], found["Might"]) == (
            "32 of 32",
            "1 of 1",
            "1 of 1",
            "4 of 4",
        )
        assert counts(brawl.page("ann"), "foreman") == {}

    def test_prices_are_in_the_games_own_words(self, at: At) -> None:
        held = at.page("ann").offering
        assert held is not None
        prices = {card.action: card.price for card in held.singles}
        assert (prices["walk"], prices["run"], prices["search"]) == ("free", "1 AD", "1 AD, a use of Observation")

    def test_offers_of_one_action_stand_under_one_heading(self, brawl: At) -> None:
        held = brawl.page("ann").offering
        assert held is not None
        dodge = next(group for group in held.groups if group.name == "Dodge")
        assert dodge.price == "1 Action"
        assert dodge.folded
        assert [card.target for card in dodge.offers] == ["Foreman", "Docker 1", "Docker 2", "Docker 3", "Docker 4"]

    def test_ending_stands_apart(self, at: At) -> None:
        held = at.page("ann").offering
        assert held is not None
        assert [card.action for card in held.ends] == ["end"]
        assert "end" not in [card.action for card in held.singles]

    def test_what_is_refused_has_all_reasons_and_their_rules(self, brawl: At) -> None:
        held = brawl.page("ann").offering
        assert held is not None
        charge = next(card for card in held.refused if card.action == "charge")
        assert [refusal.text for refusal in charge.refusals] == [
            "Foreman is out of range of unarmed",
            "a Charge comes at the end of a Movement",
        ]
        text = brawl.html("ann")
        assert "A Charge comes at the end of a Movement." in text
        assert f'href="/rule/{charge.refusals[0].rule}"' in text

    def test_where_to_go_is_asked_first_and_the_rest_is_optional(self, at: At) -> None:
        held = at.page("ann").offering
        assert held is not None
        walk = next(card for card in held.singles if card.action == "walk")
        assert [field.name for field in walk.first] == ["to"]
        attempt = next(card for card in held.singles if card.action == "attempt")
        assert [field.name for field in attempt.first] == ["intent", "method"]
        assert "skill" in [field.name for field in attempt.more]

    def test_an_offer_keeps_its_name_from_page_to_page(self, at: At) -> None:
        before = at.page("ann").offering
        at.send("ann", "declare", actor="selka", action="walk", to="3,6")
        after = at.page("ann").offering
        assert before is not None
        assert after is not None
        named = {card.action: card.id for card in before.singles}
        assert {card.action: card.id for card in after.singles if card.action == "hide"} == {"hide": named["hide"]}


class TestQuestions:
    def test_a_question_comes_to_whoever_is_asked_and_to_the_guide(self, at: At) -> None:
        at.attempt()
        (mine,) = at.page("ann").asked
        assert mine.mine
        assert mine.kind == "commit"
        assert mine.price == "1 AD, a use of Athletics"
        assert at.page("ben").asked == ()
        (seen,) = at.page("guide").asked
        assert not seen.mine
        assert seen.who == "Ann"

    def test_its_odds_move_with_the_boost(self, at: At) -> None:
        at.attempt()
        (mine,) = at.page("ann").asked
        # 1 die and a total of +1 against 6 needs a 5 or a 6; with two dice at least 5: 30 of 36.
        assert [way.chance for way in mine.chances] == ["33 %", "83 %"]

    def test_who_declared_is_told_that_others_decide(self, at: At) -> None:
        at.send("ann", "declare", actor="selka", action="attempt", intent="up there", method="climb")
        found = at.page("ann")
        assert found.waits == "You have declared; others decide"
        assert found.may_undo
        assert found.offering is None
        assert not at.page("ben").may_undo

    def test_whoever_can_step_in_is_offered_it(self, at: At) -> None:
        at.attempt()
        assert [(card.action, card.do) for card in at.page("ben").helps] == [("assist", "interject")]
        assert at.page("ann").helps == ()

    def test_a_page_hears_of_it_and_of_its_end(self, at: At) -> None:
        before = at.live.version("ben")
        at.attempt()
        opened = at.live.version("ben")
        at.send("ann", "answer", question=at.page("ann").asked[0].id, withdraw=True)
        assert before < opened < at.live.version("ben")
        assert at.page("ben").helps == ()

    def test_the_guide_answers_a_ruling_with_one_press(self, at: At) -> None:
        at.send("ann", "declare", actor="selka", action="attempt", intent="up there", method="climb")
        (ask,) = at.page("guide").asked
        assert ask.goal == "up there"
        assert ask.means == "climb"
        assert len(ask.presets) > 3
        assert 'data-key="1"' in at.html("guide")
        done = at.post("guide", do="answer", question=ask.id, value="0")
        assert done.status_code == 200
        assert at.page("ann").asked[0].kind == "commit"

    def test_real_dice_are_typed_and_what_they_cannot_show_is_confirmed(self, at: At) -> None:
        at.send("ann", "dice", by_hand=True)
        at.attempt()
        at.send("ann", "answer", question=at.page("ann").asked[0].id, value=0)
        (roll,) = at.page("ann").asked
        assert (roll.kind, roll.thrown, roll.sides) == ("roll", 1, 6)
        refused = at.post("ann", do="answer", question=roll.id, total="40")
        assert refused.status_code == 422
        assert 'name="confirm"' in refused.text
        done = at.client.post(
            at.link("ann") + "/do",
            data={
                "id": "x2",
                "version": str(at.live.version("ann")),
                "do": "answer",
                "question": roll.id,
                "die:0": "5",
            },
        )
        assert done.status_code == 200
        assert at.page("ann").asked == ()

    def test_an_answer_may_stand_for_every_time(self, tmp_path: Path) -> None:
        at = At(tmp_path, DUEL)
        at.send("guide", "override", changes={"aldric.at": [5, 4], "varga.at": [5, 3]}, reason="they meet")
        at.send("ann", "declare", actor="aldric", action="attack", target="varga", weapon="rapier", boost=0)
        (ask,) = at.page("ben").asked
        assert ask.kind == "choose"
        assert ask.about
        assert all(choice.chances for choice in ask.choices), "every answer has its odds"
        assert "Never take it" in at.html("ben")
        assert "Never take it" not in at.html("ann")


class TestDice:
    def test_dice_that_the_table_threw_are_shown_to_their_owner(self, at: At) -> None:
        at.attempt()
        at.send("ann", "answer", question=at.page("ann").asked[0].id, value=1)
        (throw,) = at.page("ann").throws
        assert (throw.who, throw.what, len(throw.faces)) == ("Selka", "athletics", 2)
        assert throw.total == sum(throw.faces) + 1
        assert at.page("guide").throws == (throw,)

    def test_nobody_else_is_shown_the_faces(self, at: At) -> None:
        at.attempt()
        at.send("ann", "answer", question=at.page("ann").asked[0].id, value=1)
        assert at.page("ben").throws == ()
        assert at.page("spectator").throws == ()

    def test_what_is_taken_back_is_shown_no_more(self, at: At) -> None:
        at.attempt()
        at.send("ann", "answer", question=at.page("ann").asked[0].id, value=1)
        at.send("guide", "undo")
        assert at.page("ann").throws == ()


def test_a_stale_command_is_told_what_has_changed(at: At) -> None:
    shown = at.page("ann")
    at.send("guide", "override", changes={"selka.ready": 4}, reason="a long day")
    reply = at.post("ann", version=shown.version, seen=str(shown.told), do="declare", actor="selka", action="end")
    assert reply.status_code == 409
    assert "Something has changed" in reply.text
    assert "selka.ready" in reply.text


def test_a_refusal_shows_every_reason_with_its_rule(at: At) -> None:
    reply = at.post("ann", do="declare", actor="selka", action="walk", to="90,90")
    assert reply.status_code == 422
    assert 'role="alertdialog"' in reply.text
    assert 'class="rule"' in reply.text


# -- the guide


class TestGuide:
    def test_what_holds_between_any_two_stands_in_a_grid(self, at: At) -> None:
        hid = Hid("narateer.hide.record-total", "selka", 11, fooled=("guard",), noticed=("dog",))
        with at.live.lock:
            at.live.table.override(hid, "a test")
        found = at.page("guide").guiding
        assert found is not None
        hidden = next(grid for grid in found.grids if grid.name == "Hidden")
        assert hidden.rows == (("Selka", ("total 11",)),)
        assert hidden.columns == ("the guard",)
        assert found.grids[0].numbered
        assert "Exposed" in [grid.name for grid in found.grids]

    def test_a_character_is_told_from_whom_it_is_hidden_as_far_as_it_knows(self, at: At) -> None:
        hid = Hid("narateer.hide.record-total", "selka", 11, fooled=("dog",))
        with at.live.lock:
            at.live.table.override(hid, "a test")
        assert self.hiding(at, "guide") == [("hidden from the dog", "total 11")]
        # Selka knows of no dog: that somebody has met her Hide she is not told.
        assert self.hiding(at, "ann") == [("hiding", "total 11; nobody has met it yet")]

    def hiding(self, at: At, seat: str) -> list[tuple[str, str]]:
        selka = next(person for person in at.page(seat).people if person.id == "selka")
        return [(mark.label, mark.about) for mark in selka.hiding]

    def test_undo_says_what_goes_and_who_has_seen_it(self, at: At) -> None:
        at.send("ann", "declare", actor="selka", action="walk", to="3,6")
        found = at.page("guide").guiding
        assert found is not None
        assert found.undo == "Selka: walk"
        assert "Ann" in found.undo_seen
        assert not found.redo
        at.send("guide", "undo")
        again = at.page("guide").guiding
        assert again is not None
        assert again.redo

    def test_bots_pause_and_seats(self, at: At) -> None:
        at.send("guide", "bots", actors=["guard"], guided=True)
        at.send("guide", "dice", seat="ben", by_hand=True)
        at.send("guide", "pause", paused=True)
        found = at.page("guide")
        assert found.paused
        assert found.guiding is not None
        assert found.guiding.guided
        assert [turn.name for turn in found.guiding.turns if turn.bot] == ["the guard"]
        assert {seat.id: seat.by_hand for seat in found.guiding.seats} == {"guide": False, "ann": False, "ben": True}
        assert at.page("ann").waits == "The Guide has paused the table"

    def test_another_scene_mode_where_the_game_has_one(self, at: At, brawl: At) -> None:
        mode, other = at.page("guide").guiding, brawl.page("guide").guiding
        assert mode is not None
        assert other is not None
        assert "shift" in [card.action for card in mode.scene]
        assert "shift" not in [card.action for card in other.scene]

    def test_every_number_of_a_creature_can_be_changed(self, at: At) -> None:
        text = at.html("guide", "/edit/guard")
        assert 'name="change:guard.ready" value="6"' in text
        assert 'name="reason" required' in text
        assert at.client.get(at.link("ann") + "/edit/guard").status_code == 404
        assert at.client.get(at.link("guide") + "/edit/nobody").status_code == 404

    def test_the_guide_plays_for_whoever_is_away(self, at: At) -> None:
        assert "Play for Ann (Selka)" in at.html("guide")
        assert at.post("guide", do="declare", actor="selka", action="end").status_code == 200

    def test_the_seed_is_shown_when_the_scene_is_over(self, at: At) -> None:
        seed = at.live.table.secret.hex()
        assert all(seed not in at.html(seat) for seat in at.live.seats)
        at.send("guide", "end")
        assert all(seed in at.html(seat) for seat in at.live.seats)


# -- everybody


def test_a_spectator_can_do_nothing_and_is_told_what_all_players_know(at: At) -> None:
    text = at.html("spectator")
    assert "hx-post" not in text
    assert "Selka" in text
    assert "the captain" not in text


def test_who_is_hidden_is_on_no_page_of_the_players(at: At) -> None:
    """The guard and the captain stand where neither Selka nor Bo can see them."""
    for seat in ("ann", "ben", "spectator"):
        known = at.live.table.knows(seat)
        secret = [actor for actor in at.live.table.state.actors.values() if actor.id not in known.actors]
        assert secret, seat
        text = at.html(seat)
        assert not [actor.id for actor in secret if actor.name in text or f'"{actor.id}"' in text]


def test_what_people_type_is_shown_as_text(at: At) -> None:
    at.send("ann", "name", name="<b>Ann</b>")
    at.send("ann", "declare", actor="selka", action="attempt", intent="<script>alert(1)</script>", method="'\"><img>")
    for seat in at.live.seats:
        text = at.html(seat)
        assert "<b>Ann" not in text
        assert "alert(1)</script>" not in text
        assert "<img>" not in text
    assert "&lt;script&gt;" in at.html("guide")


@pytest.mark.parametrize("scene", [AMBUSH, SKIRMISH, BRAWL, DUEL])
def test_pages_are_whole(tmp_path: Path, scene: Path) -> None:
    """Every id once, a name for every control, a stable id for every form, and nothing inline."""
    at = At(tmp_path, scene)
    texts = [at.html(seat, more) for seat in at.live.seats for more in ("", "/story")]
    texts += [at.html("guide", "/links"), at.html("guide", f"/edit/{next(iter(at.live.table.state.actors))}")]
    texts.append(at.client.get(f"/house/{at.hall.links.house}").text)
    for text in texts:
        read = Read(text)
        assert not read.inline
        assert not {name: n for name, n in read.ids.items() if n > 1}
        unnamed = [c for c in read.controls if not (c["wrapped"] or c.get("aria-label") or c.get("id") in read.labels)]
        assert not unnamed
        assert all(form.get("id") for form in read.forms if "hx-post" in form)


class TestStory:
    def test_lines_have_their_rule(self, at: At) -> None:
        (line,) = at.page("ann").story
        assert line.text == "Selka's Activation (round 1)"
        assert line.rule.startswith("narateer.activation.")

    def test_what_was_told_is_not_told_again(self, at: At) -> None:
        at.send("ann", "declare", actor="selka", action="walk", to="3,6")
        at.send("guide", "undo")
        texts = [line.text for line in at.page("ann").story]
        assert texts[-1].startswith("-- Guide takes back")
        assert len(texts) == len(set(texts))


# -- rules


class TestRuleCard:
    def test_a_page_of_its_own_and_a_part_of_another(self, at: At) -> None:
        whole = at.client.get("/rule/narateer.hide.tie-fails")
        part = at.client.get("/rule/narateer.hide.tie-fails", headers={"HX-Request": "true"})
        assert "<!doctype html>" in whole.text
        assert "<h1>Tie fails</h1>" in whole.text
        assert "<!doctype html>" not in part.text
        assert "<h2>Tie fails</h2>" in part.text
        assert "from the rulebook" in whole.text
        assert "On a tie" in whole.text

    def test_what_a_silent_text_leaves_open_is_told_with_its_reason(self, at: At) -> None:
        text = at.client.get("/rule/narateer.hide.vs-readiness-score").text
        assert "readiness_base: 3" in text
        assert "the rulebook is silent" in text

    def test_an_id_that_is_none_names_the_nearest(self, at: At) -> None:
        found = at.client.get("/rule/narateer.hide.tie-fail")
        assert found.status_code == 404
        assert "narateer.hide.tie-fails" in found.text
