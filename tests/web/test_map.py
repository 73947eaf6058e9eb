"""The map of a live table: what a seat sees of it, what a way costs, and the picture that lies under it."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from turnwright import Table, load_scene
from turnwright.documents import BadScene
from turnwright.model import GUIDE, SPECTATOR, Declaration, Refused
from turnwright.opening import read_scene
from turnwright.space import ground
from turnwright.web.guard import Guard
from turnwright.web.hall import Hall
from turnwright.web.house import opened as open_text
from turnwright.web.live import LiveTable
from turnwright.web.mapping import Map, initials, map_of, metres_in_words
from turnwright.web.maps import reached
from turnwright.web.pictures import cut, prepared
from turnwright.web.seen import sight_of
from turnwright.web.serving import opened as open_at

from .halls import ROOT, hall, opened, send
from .serving import served

ROOMS = """
system: narateer
title: Two rooms
sides: [us, them]
seats: [{id: ann, name: Ann}, {id: ben, name: Ben}]
map:
  rows:
    - "......."
    - ".~~...."
    - "......."
  legend: {"~": {name: mud, difficult: [mud]}}
  walls:
    - {between: [[3, 0], [4, 0]]}
    - {between: [[3, 2], [4, 2]]}
  doors: [{id: gate, name: the gate, between: [[3, 1], [4, 1]], opens: trivial}]
  places: {vault: [[6, 0]]}
characters:
  - {id: selka, name: Selka, side: us, seat: ann, at: [2, 0], attributes: {strength: 2, agility: 4}}
  - {id: bo, name: Bo, side: us, seat: ben, at: [0, 2], attributes: {strength: 2, agility: 4}}
  - {id: ogre, name: the ogre, side: them, at: [6, 2], attributes: {strength: 2, agility: 2}}
"""
GRIDS = """
system: altered-realms
title: A field
sides: [us, them]
seats: [{id: ann}]
map:
  rows: ["......", ".~~...", "......", "......"]
  legend: {"~": {name: mud, difficult: [mud]}}
creatures:
  - {id: kara, side: us, seat: ann, at: [0, 0], speed: 4, moves: [walk]}
  - {id: brute, name: the brute, side: them, at: [3, 3], speed: 4, moves: [walk]}
"""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Hall]:
    made = hall(tmp_path)
    yield made
    made.close()


@pytest.fixture
def client(place: Hall) -> Iterator[httpx.Client]:
    with served(place, guard=Guard(burst=10_000, each_second=10_000, misses=10_000)) as site:
        yield site.client


def table(place: Hall, text: str = ROOMS) -> LiveTable:
    live = open_text(place, text.encode(), "scene.yaml", None, seed=7)
    place.wait()
    return live


def seen_by(live: LiveTable, seat: str) -> Map:
    found = map_of(live, seat, live.table.knows(seat))
    assert found is not None
    return found


def spaces(live: LiveTable, seat: str) -> set[tuple[int, int]]:
    sight = sight_of(live.table, seat)
    assert sight is not None
    return set(ground(live.table.state.scene.grid).listed(sight.ever))  # type: ignore[arg-type]


LEFT = {(x, y) for x in range(4) for y in range(3)}
RIGHT = {(x, y) for x in range(4, 7) for y in range(3)}


# -- what a seat sees


def test_the_guide_sees_all_of_it_and_a_player_what_its_characters_have_seen(place: Hall) -> None:
    live = table(place)
    assert spaces(live, GUIDE) == LEFT | RIGHT
    assert spaces(live, "ann") == LEFT
    drawn = seen_by(live, "ann")
    assert drawn.fog
    assert [token.id for token in drawn.tokens] == ["selka", "bo"]
    assert drawn.places == ()
    assert not seen_by(live, GUIDE).fog
    assert [token.id for token in seen_by(live, GUIDE).tokens] == ["selka", "bo", "ogre"]


def test_nothing_of_what_is_not_seen_is_in_the_page(place: Hall, client: httpx.Client) -> None:
    live = table(place)
    page = client.get(f"/s/{place.token(live, 'ann')}").text
    assert "Selka" in page
    assert "ogre" not in page
    drawn = page[page.index('<g aria-hidden="true" class="map-ground">') : page.index('id="map-list"')]
    assert "vault" not in drawn
    # Four columns of 40 before the wall, in three rows.
    assert ' d="M0 0h160v40H0zM0 40h160v40H0zM0 80h160v40H0z"' in drawn
    assert not re.search(r"M(160|200|240) \d+h", drawn)
    assert "ogre" in client.get(f"/s/{place.token(live, GUIDE)}").text


def test_a_door_that_opens_shows_what_is_behind_it(place: Hall) -> None:
    live = table(place)
    assert seen_by(live, "ann").doors[0].state == "closed"
    assert send(place, live, "ann", "declare", actor="selka", action="walk", route=[[3, 1]]).ok
    assert send(
        place, live, "ann", "declare", actor="selka", action="use", intent="open", method="open", using="gate"
    ).ok
    assert seen_by(live, "ann").doors[0].state == "open"
    assert (4, 1) in spaces(live, "ann")
    assert (6, 1) in spaces(live, "ann")


def run(place: Hall, live: LiveTable, *route: list[int]) -> None:
    assert send(place, live, "ann", "declare", actor="selka", action="run", route=list(route)).ok


PILLARS = (
    ROOMS.replace('"......."\n    - ".~~...."', '"...#..."\n    - ".~~#..."')
    .replace("walls:", "was:")
    .replace("  was:\n    - {between: [[3, 0], [4, 0]]}\n    - {between: [[3, 2], [4, 2]]}\n", "")
    .replace("  doors: [{id: gate, name: the gate, between: [[3, 1], [4, 1]], opens: trivial}]\n", "")
)


def test_what_was_seen_on_the_way_is_remembered_and_what_is_not_seen_now_is_dim(place: Hall) -> None:
    live = table(place, PILLARS)
    assert (5, 0) not in spaces(live, "ann")
    run(place, live, [2, 1], [2, 2], [3, 2])
    assert (5, 0) in spaces(live, "ann")
    run(place, live, [2, 2], [2, 1], [2, 0])
    assert (5, 0) in spaces(live, "ann")
    sight = sight_of(live.table, "ann")
    assert sight is not None
    assert sight.now != sight.ever
    assert seen_by(live, "ann").dim


def test_what_stops_sight_is_seen_itself(place: Hall) -> None:
    live = table(place, PILLARS)
    assert {(3, 0), (3, 1)} <= spaces(live, "ann")


def test_seats_see_each_for_itself_and_who_watches_what_all_have_seen(place: Hall) -> None:
    live = table(place, PILLARS)
    run(place, live, [2, 1], [2, 2], [3, 2])
    assert (5, 0) in spaces(live, "ann")
    assert (5, 0) not in spaces(live, "ben")
    assert spaces(live, SPECTATOR) == spaces(live, "ann") & spaces(live, "ben")


def test_undo_takes_back_what_was_seen(place: Hall) -> None:
    live = table(place, PILLARS)
    before = spaces(live, "ann")
    run(place, live, [2, 1], [2, 2], [3, 2])
    assert spaces(live, "ann") != before
    assert send(place, live, GUIDE, "undo").ok
    assert spaces(live, "ann") == before


def test_what_was_seen_survives_a_restart(place: Hall, tmp_path: Path) -> None:
    live = table(place, PILLARS)
    run(place, live, [2, 1], [2, 2], [3, 2])
    run(place, live, [2, 2], [2, 1], [2, 0])
    before, name = spaces(live, "ann"), live.id
    place.close()
    again = hall(tmp_path)
    assert spaces(again.table(name), "ann") == before
    again.close()


def test_terrain_has_patterns_and_words(place: Hall) -> None:
    drawn = seen_by(table(place), "ann")
    assert [(key.name, key.effects, key.patterns) for key in drawn.legend] == [("mud", "hard going", ("rough",))]
    assert [(side.name, side.shape) for side in drawn.sides] == [("us", "circle")]


def test_the_list_says_who_is_where_and_how_far_apart(place: Hall) -> None:
    told = {who.name: who for who in seen_by(table(place), "ann").listed}
    # Selka at (2, 0) and Bo at (0, 2): two steps on the slant, 4 m.
    assert told["Bo"].apart == "4 m from Selka"
    assert told["Bo"].place == "column 0, row 2"


def test_a_large_creature_fills_its_tiles(place: Hall) -> None:
    live = table(
        place, GRIDS.replace("name: the brute,", "name: the brute, size: large,").replace("at: [3, 3]", "at: [3, 2]")
    )
    tokens = {token.id: token for token in seen_by(live, GUIDE).tokens}
    assert tokens["kara"].radius * 2 < 40 < tokens["brute"].radius * 2
    assert (tokens["brute"].x, tokens["brute"].y) == (160, 120)


def test_names_that_begin_alike_are_told_apart() -> None:
    class Named:
        def __init__(self, id: str, name: str) -> None:
            self.id, self.name = id, name

    people: Any = [Named("a", "Guard 1"), Named("b", "Guard 2"), Named("c", "the dog"), Named("d", "Dora")]
    assert initials(people) == {"a": "G1", "b": "G2", "c": "D1", "d": "D2"}


# -- places


@pytest.mark.parametrize("name", ["chase", "negotiation"])
def test_zones_and_stated_places_are_drawn_with_who_is_in_them(place: Hall, name: str) -> None:
    live = opened(place, ROOT / "examples" / "narateer" / f"{name}.yaml")
    drawn = seen_by(live, GUIDE)
    assert drawn.kind == "plan"
    assert drawn.nodes
    assert drawn.joints
    assert {token.id for token in drawn.tokens} == set(live.table.state.actors)
    for token in drawn.tokens:
        inside = [n for n in drawn.nodes if n.x <= token.x <= n.x + n.wide and n.y <= token.y <= n.y + n.high]
        assert len(inside) == 1
        assert token.words.count(inside[0].name)


def test_stated_relations_are_said_in_words(place: Hall) -> None:
    live = opened(place, ROOT / "examples" / "narateer" / "negotiation.yaml")
    assert "Shade is behind the pillar" in seen_by(live, GUIDE).stated


# -- what a way costs


def test_a_walk_shows_each_space_in_reach_with_its_price(place: Hall) -> None:
    live = table(place)
    found = {each["cell"]: each for each in reached(live, "ann", {"actor": "selka", "action": "walk"})["cells"]}
    # Selka has 14 m; mud counts twice, a Space is 2 m.
    assert found["3,0"]["metres"] == "2"
    assert found["2,1"]["metres"] == "4"
    assert "4,0" not in found
    assert "2,0" not in found


def test_another_seats_character_is_not_asked_about(place: Hall, client: httpx.Client) -> None:
    live = table(place)
    said = {"actor": "selka", "action": "walk"}
    assert client.post(f"/s/{place.token(live, 'ben')}/reach", data=said).status_code == 403
    assert client.post(f"/s/{place.token(live, 'ann')}/reach", data=said).status_code == 200
    assert client.post(f"/s/{place.token(live, GUIDE)}/reach", data=said).status_code == 200
    assert client.post(f"/s/{place.token(live, 'ann')}/reach", data=said | {"action": "fly"}).status_code == 422
    assert client.post(f"/s/{place.token(live, 'ann')}/reach", data=said | {"route": "a,b"}).status_code < 500
    assert client.post("/s/none/reach", data=said).status_code == 404


def test_where_nobody_has_looked_no_way_leads(place: Hall) -> None:
    live = table(place, PILLARS)
    cells = [each["cell"] for each in reached(live, "ann", {"actor": "selka", "action": "run"})["cells"]]
    assert "2,2" in cells
    assert "5,0" not in cells


def test_a_step_within_reach_draws_the_blow_and_one_out_of_it_does_not(place: Hall) -> None:
    close = ROOMS.replace("at: [6, 2]", "at: [1, 1]").replace(
        "id: ogre,", "id: ogre, weapons: [{name: club, kind: melee, base_attack_cost: 1, wounds: 1}],"
    )
    live = table(place, close)
    found = {each["cell"]: each for each in reached(live, "ann", {"actor": "selka", "action": "walk"})["cells"]}
    # The ogre at (1, 1) reaches one Space: from (2, 0) to (2, 1) is within its reach, from (2, 0) to (3, 0) is not.
    assert found["2,1"]["way"][-1][4] == ["the ogre"]
    assert found["3,0"]["way"][-1][4] == []


def test_leaving_melee_range_draws_an_attack(place: Hall) -> None:
    live = table(place, GRIDS.replace("at: [3, 3]", "at: [1, 1]"))
    if live.table.state.active != "kara":
        assert send(place, live, GUIDE, "begin", actor="kara").ok
    found = {each["cell"]: each for each in reached(live, "ann", {"actor": "kara", "action": "walk"})["cells"]}
    assert found["0,1"]["way"][-1][4] == []
    # From (0, 2), next to the brute, to (0, 3), two tiles from it.
    assert found["0,3"]["way"][-1][4] == ["the brute"] if len(found["0,3"]["way"]) == 1 else found["0,3"]["way"]


Steps = st.lists(
    st.sampled_from([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]), min_size=1, max_size=6
)


def quoted(game_table: Table, actor: str, route: list[tuple[int, int]]) -> list[Fraction]:
    """What each Space of a route is said to cost, as far as it can be gone."""
    action = game_table.game.actions["walk"]
    d = Declaration(actor, "walk", route=tuple(route))
    found = list(action.reaches(game_table.knows("ann"), d))
    return [tread.metres for tread in found[-1].way] if found and found[-1].ends else []


@pytest.mark.parametrize(("text", "actor"), [(ROOMS, "selka"), (GRIDS.replace("side: them", "side: us"), "kara")])
@given(steps=Steps)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_price_that_is_shown_is_the_price_that_is_charged(
    text: str, actor: str, steps: list[tuple[int, int]]
) -> None:
    at = Table(read_scene(text), seed=3)
    if at.state.active != actor:
        at.declare(actor, "begin", seat=GUIDE)
    route, here = [], at.state.actors[actor].at
    for dx, dy in steps:
        here = (here[0] + dx, here[1] + dy)
        route.append(here)
    said = quoted(at, actor, route)
    if not said:
        return
    events = at.declare(actor, "walk", route=route[: len(said)])
    charged = [Fraction(event.metres) for event in events if type(event).__name__ in ("Moved", "Stepped")]
    assert charged == said
    assert at.state.actors[actor].at == route[len(said) - 1]


@pytest.mark.parametrize(("text", "actor"), [(ROOMS, "selka"), (GRIDS, "kara")])
def test_every_space_that_is_shown_can_be_gone_to_for_what_is_shown(text: str, actor: str) -> None:
    first = Table(read_scene(text), seed=3)
    if first.state.active != actor:
        first.declare(actor, "begin", seat=GUIDE)
    shown = [
        each for each in first.game.actions["walk"].reaches(first.knows("ann"), Declaration(actor, "walk")) if each.ends
    ]
    assert shown
    for each in shown:
        offer = first.explain(actor, "walk", route=[list(cell) for cell in each.route])
        assert offer.verdict == "legal", each.route
        assert sum([stretch.metres for stretch in offer.price.along] or [offer.price.metres]) == each.metres


def test_fractions_are_told_exactly() -> None:
    assert [metres_in_words(Fraction(*n)) for n in ((4, 1), (5, 2), (1, 3), (7, 3))] == ["4", "2.5", "1/3", "2 1/3"]


# -- the picture


def picture(
    colours: list[tuple[int, int, int]], high: int = 1, kind: str = "PNG", each: int = 64, **more: Any
) -> bytes:
    """A picture with one colour for each column of Spaces."""
    made = Image.new("RGB", (len(colours) * each, high * each))
    for x, colour in enumerate(colours):
        made.paste(colour, (x * each, 0, (x + 1) * each, high * each))
    out = io.BytesIO()
    made.save(out, kind, **more)
    return out.getvalue()


RED, GREEN, BLUE = (250, 10, 10), (10, 250, 10), (10, 10, 250)


def test_a_cut_picture_holds_nothing_of_what_was_not_seen() -> None:
    field = ground(
        read_scene("system: narateer\ntitle: x\nmap: {rows: ['...']}\ncharacters: [{id: a, at: [0, 0]}]").scene.grid
    )  # type: ignore[arg-type]
    kept = prepared(picture([RED, GREEN, BLUE], each=70), 3, 1, "m")
    found = Image.open(io.BytesIO(cut(kept, field, field.bit((1, 0))))).convert("RGBA")
    each = found.width // 3
    assert found.getpixel((each + each // 2, each // 2))[1] > 200  # type: ignore[index]
    for x in (*range(each), *range(2 * each, 3 * each)):
        for y in range(0, each, 7):
            r, g, b, a = found.getpixel((x, y))  # type: ignore[misc]
            assert a == 0
            assert not (r > 120 and g < 80 and b < 80)
            assert not (b > 120 and g < 80 and r < 80)


def test_a_picture_is_kept_without_what_else_is_in_its_file() -> None:
    exif = Image.Exif()
    exif[0x010E] = "the secret of the vault"
    for kind in ("JPEG", "PNG", "WEBP"):
        raw = picture([RED, BLUE], kind=kind, exif=exif)
        assert b"the secret" in raw
        kept = prepared(raw, 2, 1, "m")
        assert b"the secret" not in kept
        assert not Image.open(io.BytesIO(kept)).getexif()


@pytest.mark.parametrize("bad", [b"", b"\x89PNG\r\n\x1a\nshort", b"RIFF0000WEBPVP8 ", b"\xff\xd8\xff\xe0", b"GIF89a"])
def test_a_picture_that_is_none_is_refused(bad: bytes) -> None:
    with pytest.raises(BadScene, match="m: image: expected a PNG, JPEG or WebP picture that is whole"):
        prepared(bad, 2, 2, "m")


def test_a_picture_of_more_pixels_than_are_read_is_refused() -> None:
    out = io.BytesIO()
    Image.new("1", (9000, 9000)).save(out, "PNG")
    with pytest.raises(BadScene, match=r"m: image: expected"):
        prepared(out.getvalue(), 2, 2, "m")


def keep(tmp_path: Path, **keys: Any) -> Path:
    """A scene on a map file of three Spaces in a row, with a shut door before the last."""
    door = {"position": {"x": 2, "y": 0.5}, "bounds": [{"x": 2, "y": 0}, {"x": 2, "y": 1}], "closed": True}
    held = {"resolution": {"map_size": {"x": 3, "y": 1}}, "portals": [door]}
    held["image"] = base64.b64encode(picture([RED, GREEN, BLUE])).decode()
    (tmp_path / "keep.dd2vtt").write_text(json.dumps(held | keys))
    path = tmp_path / "keep.yaml"
    path.write_text(
        "system: narateer\ntitle: Keep\nmap: {file: keep.dd2vtt}\nseats: [{id: ann}]\n"
        "characters: [{id: selka, side: us, seat: ann, at: [0, 0]}, {id: ogre, side: them, at: [2, 0]}]\n"
    )
    return path


def sent(client: httpx.Client, place: Hall, path: Path, *, with_map: bool = True) -> Any:
    files: Any = {"file": (path.name, path.read_bytes())}
    if with_map:
        files["map"] = ("keep.dd2vtt", (path.parent / "keep.dd2vtt").read_bytes())
    return client.post(f"/house/{place.links.house}/open", files=files, follow_redirects=False)


def token_in(answer: Any) -> str:
    found = re.search(r"/s/([^/]+)", answer.headers["location"])
    assert found is not None
    return found[1]


def image_of(client: httpx.Client, token: str) -> str:
    found = re.search(r'<image id="map-picture" href="([^"]+)"', client.get(f"/s/{token}").text)
    assert found is not None
    return found[1]


def test_an_uploaded_map_is_shown_and_cut_for_each_seat(place: Hall, client: httpx.Client, tmp_path: Path) -> None:
    answer = sent(client, place, keep(tmp_path))
    assert answer.status_code == 303
    guide = token_in(answer)
    found = place.find(guide)
    assert found is not None
    live = found[0]
    mine = place.token(live, "ann")
    addresses = {seat: image_of(client, token) for seat, token in (("ann", mine), (GUIDE, guide))}
    shown = {}
    for seat, address in addresses.items():
        got = client.get(address)
        assert got.headers["content-type"] == "image/webp"
        shown[seat] = Image.open(io.BytesIO(got.content)).convert("RGBA")
    each = shown["ann"].width // 3
    behind = (2 * each + each // 2, each // 2)
    assert shown["ann"].getpixel(behind)[3] == 0  # type: ignore[index]
    assert shown[GUIDE].getpixel(behind)[2] > 200  # type: ignore[index]
    # The name of what the guide sees gives a player no more than its own.
    other = client.get(f"/s/{mine}/picture/{addresses[GUIDE].rpartition('/')[2]}")
    assert Image.open(io.BytesIO(other.content)).convert("RGBA").getpixel(behind)[3] == 0  # type: ignore[index]
    assert other.headers["cache-control"] == "no-store"


def test_a_table_keeps_its_picture_over_a_restart_and_in_its_backup(
    place: Hall, client: httpx.Client, tmp_path: Path
) -> None:
    guide = token_in(sent(client, place, keep(tmp_path)))
    address, saved = image_of(client, guide), client.get(f"/s/{guide}/backup").content
    place.close()
    again = hall(tmp_path)
    with served(again) as site:
        assert site.client.get(address).status_code == 200
        files = {"file": ("b.json", saved)}
        back = site.client.post(f"/house/{again.links.house}/open", files=files, follow_redirects=False)
        assert site.client.get(image_of(site.client, token_in(back))).status_code == 200


def test_a_scene_without_its_map_or_with_a_wrong_one_is_refused_in_words(
    place: Hall, client: httpx.Client, tmp_path: Path
) -> None:
    path = keep(tmp_path)
    answer = sent(client, place, path, with_map=False)
    assert answer.status_code == 400
    assert "send the map file together with the scene" in answer.text
    for keys, said in (({"portals": [{}]}, "portals[0]"), ({"image": "aGFsbG8="}, "PNG, JPEG or WebP")):
        answer = sent(client, place, keep(tmp_path, **keys))
        assert answer.status_code == 400
        assert said in answer.text
    assert place.listed() == []


def test_a_table_without_a_picture_has_none(place: Hall, client: httpx.Client) -> None:
    live = table(place)
    assert client.get(f"/s/{place.token(live, 'ann')}/picture/abc").status_code == 404
    assert "map-picture" not in client.get(f"/s/{place.token(live, 'ann')}").text


def test_names_of_places_and_creatures_are_text_and_never_markup(place: Hall, client: httpx.Client) -> None:
    nasty = ROOMS.replace("name: Bo", "name: '<script>alert(1)</script>'").replace("name: mud", "name: '<b>mud'")
    live = table(place, nasty)
    page = client.get(f"/s/{place.token(live, 'ann')}").text
    assert "<script>alert" not in page
    assert "<b>mud" not in page
    assert "&lt;b&gt;mud" in page


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*/*.yaml")), ids=lambda path: path.stem)
def test_every_example_has_a_map_for_every_seat(place: Hall, path: Path) -> None:
    live = place.open(load_scene(path), seed=5)
    for seat in live.seats:
        known = live.table.knows(seat)
        drawn = map_of(live, seat, known)
        assert drawn is not None
        assert {token.id for token in drawn.tokens} <= set(known.actors)


Said = st.dictionaries(
    st.sampled_from(["actor", "action", "route", "to", "skill", "by", "target", "power", "relation", "at", "x"]),
    st.sampled_from(
        [
            "selka",
            "kara",
            "walk",
            "run",
            "sprint",
            "hide",
            "search",
            "1,1",
            "1,1 2,1",
            "a > b",
            "-1,0 9,9",
            "9" * 30,
            "",
            "fly",
        ]
    ),
    max_size=5,
)


def asked(live: LiveTable, said: dict[str, str]) -> dict[str, Any]:
    """What is answered; a refusal in words counts as none."""
    try:
        return reached(live, "ann", said)
    except Refused as error:
        return {"cells": [] if error.refusals[0].text else [{}]}


@pytest.mark.parametrize(("text", "actor"), [(ROOMS, "selka"), (GRIDS, "kara")])
@given(said=Said, action=st.sampled_from(["walk", "run", "sprint", "extra_move", "hide", "end"]))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_asked_about_a_movement_is_answered_or_refused(
    place: Hall, text: str, actor: str, said: dict[str, str], action: str
) -> None:
    live = table(place, text) if place.listed() == [] else place.table(place.listed()[0].id)
    found = asked(live, {"actor": actor, "action": action} | said)
    assert all(set(each) >= {"cell", "metres", "way"} for each in found["cells"])


@pytest.mark.parametrize("elsewhere", ["at: [5, 0]", "at: [4, 1]", "at: [6, 0], attributes: {strength: 6, agility: 6}"])
def test_what_cannot_be_seen_changes_nothing_on_the_map(place: Hall, elsewhere: str) -> None:
    one = table(place)
    other = table(place, ROOMS.replace("at: [6, 2], attributes: {strength: 2, agility: 2}", elsewhere))
    for seat in ("ann", "ben", SPECTATOR):
        assert seen_by(one, seat) == seen_by(other, seat)
    said = {"actor": "selka", "action": "run"}
    assert reached(one, "ann", said) == reached(other, "ann", said)


def test_a_scene_that_is_named_on_the_command_line_comes_with_its_picture(place: Hall, tmp_path: Path) -> None:
    path = keep(tmp_path)
    live = open_at(place, load_scene(path), None, path, seed=3)
    assert live is not None
    assert live.pictured
    assert live.picture_of("ann", 1) != live.picture_of("ann", 3)
    place.store.remove(live.id)
    assert place.store.picture(live.id) == b""
