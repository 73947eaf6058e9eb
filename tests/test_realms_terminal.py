"""Altered Realms in the terminal: prices, offers, reactions, odds and the story in plain words, for each seat."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from realms import armed, creature, scene_text, table
from typer.testing import CliRunner

import turnwright as tw
from turnwright.cli import app
from turnwright.cli.offers import in_lines
from turnwright.cli.words import price_words
from turnwright.model import Price, cost
from turnwright.rules import find_game

GAME = find_game("altered-realms")
ROOT = Path(__file__).parent.parent
BRAWL = ROOT / "examples" / "altered_realms" / "brawl.yaml"
PAGE = Path(tw.__file__).parent / "systems" / "altered_realms" / "README.md"
ANN = [{"id": "ann", "name": "Ann"}]


def typed(scene: Path, *lines: str, options: tuple[str, ...] = ("--seed", "5")) -> str:
    """What is on the screen of a game in which these lines are typed; no line is wider than 80 columns."""
    found = CliRunner(env={"COLUMNS": "80"}).invoke(
        app, ["play", str(scene), *options], input="".join(f"{line}\n" for line in lines)
    )
    assert found.exit_code == 0, (found.output, found.exception)
    assert [line for line in found.output.splitlines() if len(line) > 80] == []
    return found.output


@pytest.fixture
def melee(tmp_path: Path) -> Path:
    """Ulf and a friend beside two orcs; an orc strikes hard."""
    path = tmp_path / "melee.yaml"
    path.write_text(
        scene_text(
            creature("ulf", "reds", (2, 1), seat="ann", str_=4, items=[armed(6, "1d8+4")], attacks=2),
            creature("ida", "reds", (2, 0), seat="ann", training={"athletics": 2}),
            creature("orc", "blues", (3, 1), items=[armed(20, "1d6+3", name="hook")], ac=12, hp=14),
            creature("imp", "blues", (3, 2), ac=13, hp=14),
            seats=ANN,
        )
    )
    return path


# -- prices


@pytest.mark.parametrize(
    ("resource", "amount", "words"),
    [
        ("action", 1, "1 Action"),
        ("motion", 2, "2 Motions"),
        ("pool:stamina", 1, "1 stamina"),
        ("once:recuperate", 1, "once a turn"),
        ("rest", 1, "once between rests"),
        ("roll:social", 1, "1 social roll"),
        ("first attack", 1, ""),
        ("attack", 1, "1 attack"),
    ],
)
def test_what_a_price_takes_is_said_in_the_words_of_the_game(resource: str, amount: int, words: str) -> None:
    assert GAME.resource_words(resource, amount) == words


def test_a_price_of_nothing_anybody_would_miss_is_free() -> None:
    assert price_words(GAME, Price((cost("first attack", 1, "", ""),))) == "free"


@pytest.mark.rule("altered-realms.downgrade.allowed-mid-turn")
def test_a_price_that_breaks_a_budget_down_says_so() -> None:
    t = table(creature("ulf", "reds", (2, 1), items=[armed(6)]), begin="ulf")
    t.declare("ulf", "walk", to=(8, 1))
    again = t.explain("ulf", "walk", to=(9, 1))
    assert price_words(GAME, again.ways[-1]) == "1 Action (broken down into 1 Movement), 1 m"


@pytest.mark.rule("altered-realms.downgrade.one-way")
def test_a_budget_that_is_spent_is_not_offered_to_be_broken_down() -> None:
    t = table(creature("ulf", "reds", (2, 1)), begin="ulf")
    t.declare("ulf", "walk", to=(8, 1))
    offered = [o.label for o in t.offers("ulf") if o.action == "downgrade" and o.verdict == "legal"]
    assert offered == ["break Action down into 1 Movement", "break Action down into 1 Motion"]


# -- offers


def test_offers_that_differ_in_one_thing_stand_on_one_line(melee: Path) -> None:
    found = typed(melee)
    assert re.search(r"dodge Orc or Imp +1 Action\n", found)
    assert "break Action down into 1 Movement or Motion: 1 Action" in found


def test_a_line_with_several_asks_which_unless_the_words_say_it(melee: Path) -> None:
    number = re.search(r"(\d+) dodge Orc or Imp", typed(melee))
    assert number is not None
    asked = typed(melee, number.group(1), "2")
    assert "which? [1 to 2]> 2\n  Ulf dodges Imp (1 Action)" in asked
    assert "Ulf dodges Orc (1 Action)" in typed(melee, f"{number.group(1)} orc")


def test_chances_that_differ_keep_offers_apart() -> None:
    t = table(
        creature("ulf", "reds", (2, 2), items=[armed(6)]),
        *[creature(f"orc_{n}", "blues", (1 + n, 1)) for n in range(3)],
        begin="ulf",
    )
    listed = [o for o in t.offers("ulf") if o.action == "attack"]
    same = in_lines(GAME, t.state, listed, ["85 %"] * 3)
    assert [line.label for line in same] == ["attack Orc 0, Orc 1 or Orc 2 with blade"]
    apart = in_lines(GAME, t.state, listed, ["85 %", "80 %", "85 %"])
    assert [len(line.offers) for line in apart] == [1, 1, 1]


def test_nobody_is_told_of_a_resource_by_its_inner_name() -> None:
    found = typed(BRAWL, "draw cudgel", "walk 8,1", "all", "why charge docker 1")
    for inner in ("first attack", "once recuperate", "1 rest", "pool ", "1 action", "1 motion"):
        assert inner not in found


def test_another_declaration_leaves_what_is_asked_for(melee: Path) -> None:
    found = typed(melee, "walk", "dodge orc")
    assert "Nothing was declared.\n  Ulf dodges Orc (1 Action)" in found
    assert "an empty line leaves this" in " ".join(typed(melee, "walk", "over there", "").split())


def test_a_name_that_nobody_has_is_no_weapon(melee: Path) -> None:
    found = " ".join(typed(melee, "attack captain", "why attack captain").split())
    assert found.count("at whom: nobody is called 'captain'; there are Ulf, Ida, Orc, Imp") == 2


def test_a_tile_in_a_reason_is_written_as_it_is_typed(melee: Path) -> None:
    assert "Orc stands in the way at 3,1" in typed(melee, "walk 3,0 3,1")


def test_the_help_shows_nothing_that_the_game_does_not_have(melee: Path) -> None:
    found = typed(melee, "?")
    assert "attack guard with knife" in found
    assert "one more die than the price" not in found
    assert "hide behind the cart" not in found


# -- the story


def test_a_blow_is_told_with_its_sum_its_damage_and_what_is_left(melee: Path) -> None:
    found = typed(melee, "attack orc with blade")
    assert "  Ulf: attack on Orc (1 Action)\n" in found
    told = re.search(r"  Ulf, attack with blade: (\d+) \+ 6 blade = (\d+), (hits|misses) Orc\n", found)
    assert told is not None
    assert int(told.group(2)) == int(told.group(1)) + 6
    if told.group(3) == "hits":
        hurt = re.search(r"  Orc takes (\d+) \w+ damage from 1d8 \+ 4 \((\d+) of 14 HP left\)", found)
        assert hurt is not None
        assert int(hurt.group(1)) + int(hurt.group(2)) == 14


def test_advantage_is_told_with_the_die_that_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "prone.yaml"
    ulf = creature("ulf", "reds", (2, 1), items=[armed(6)])
    path.write_text(scene_text(ulf, creature("orc", "blues", (3, 1), conditions=["prone"])))
    found = typed(path, "attack orc")
    dice = re.search(r"dice: (\d+) (\d+)\n", found)
    assert dice is not None
    assert f"attack with blade: {max(map(int, dice.groups()))} (best of 2) + 6 blade = " in found


def test_a_way_is_told_in_one_line() -> None:
    assert "  Kara moves 6 m to 8,1 (1 Movement)\n" in typed(BRAWL, "walk 8,1")


@pytest.mark.parametrize(("hits", "words"), [(1, "promises 1 hit "), (2, "promises 2 hits ")])
def test_one_hit_is_one_hit(melee: Path, hits: int, words: str) -> None:
    assert words in typed(melee, f"inspire {hits}")


# -- reactions


@pytest.mark.rule("altered-realms.reaction.opportunity-and-triggered")
def test_a_reaction_says_whose_it_is_why_what_it_costs_and_what_it_would_do(melee: Path) -> None:
    found = typed(melee, "walk 0,1", "2")
    asked = "Narrator (Orc): Ulf is about to step from 2,1 to 1,1. React?\n  1 do nothing\n  2 strike at Ulf with hook"
    assert asked in found
    assert re.search(r"2 strike at Ulf with hook +1 Reaction\n", found)
    # 20 to hit against AC 10: all but a 1; 1d6 and 3 are 6 and a half.
    assert "damage to Ulf on average: none if 1; 6.2 if 2\n" in found


@pytest.mark.rule("altered-realms.meat-shield.trigger")
def test_a_meat_shield_is_shown_with_the_chance_that_the_blow_is_still_what_was_wanted(melee: Path) -> None:
    script = ("grapple imp", "end", "end", "attack ulf", "2")
    pages = [typed(melee, *script, options=("--seed", str(seed))) for seed in range(4)]
    asked = [page for page in pages if "Ulf holds Imp" in page and "the attack of Orc comes to" in page]
    assert asked
    for page in asked:
        assert re.search(r"Ann \(Ulf\): the attack of Orc comes to \d+ and hits Ulf as it stands. React\?\n", page)
        assert re.search(r"2 hold Imp into the blow, with athletics +1 Reaction\n", page)
        assert re.search(r"Orc succeeds: do nothing 100 %; hold\s+Imp into the blow,\s+with\s+athletics \d+ %", page)
        assert "Ulf: meat shield of Imp (1 Reaction)" in page


def test_a_ruled_attempt_is_confirmed_in_plain_words(melee: Path) -> None:
    found = typed(melee, "attempt", "lift the bar", "with both arms", "1", "perhaps", "no")
    assert "Ann (Ulf): the athletics roll: go on?" in found
    assert "yes goes on, no takes it back; got 'perhaps'" in found


# -- one seat


def test_a_seat_sees_no_numbers_of_others_as_if_they_were_known(melee: Path) -> None:
    found = typed(melee, options=("--seed", "5", "--seat", "ann"))
    assert re.search(r"Orc \(Narrator\) +3,1  hook in hand\n", found)
    assert re.search(r"Ulf \(Ann\) +2,1  HP 20/20", found)
    assert "AC 10, 0 Reactions" not in found


def test_a_seat_is_told_what_others_roll_without_their_sums(melee: Path) -> None:
    options = ("--seed", "5", "--seat", "ann", "--bots", "guide")
    found = typed(melee, "end", "end", options=options)
    assert re.search(r"Orc, attack with hook: (hits|misses) (Ulf|Ida)", found)
    assert not re.search(r"Orc, attack with hook: \d", found)


# -- the page


def test_the_transcript_on_the_page_is_what_the_program_prints() -> None:
    first, second = re.findall(r"^```text\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    scripts = {first: (), second: ("walk 8,1", "sprint")}
    for page, before in scripts.items():
        lines = re.findall(r"> (.*)$", page, re.M)
        printed = bare(typed(BRAWL, *before, *lines))
        at = 0
        for piece in page.split("...\n"):
            found = printed.find(bare(piece), at)
            assert found >= 0, piece
            at = found + len(bare(piece))


def bare(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


# -- odds


def printed(*arguments: str) -> str:
    found = CliRunner(env={"COLUMNS": "80"}).invoke(app, ["odds", *arguments])
    assert found.exit_code == 0, (found.output, found.exception)
    return found.stdout


def test_odds_of_a_charge_say_the_damage_and_who_goes_down() -> None:
    found = printed(
        str(BRAWL),
        "kara",
        "charge",
        "target=docker_1",
        "--after",
        "draw cudgel",
        "--after",
        "walk 8,1",
        "--seat",
        "guide",
    )
    # 8 against AC 12: 4 to 20 hit; 1d6 and 6 are 7 to 12, and 14 HP are left over by all of them.
    assert re.search(r"85\.00 % +17/20  hit \(7 to 12\) +Docker 1", found)
    assert "damage to Docker 1: 8.1 on average; 85 % for 7 or more" in found
    assert "down" not in found
    assert "assumed" not in found


def test_odds_by_json_have_the_numbers_as_fractions() -> None:
    found = json.loads(printed(str(BRAWL), "kara", "charge", "target=docker_1", "--after", "walk 8,1", "--json"))
    assert found["numbers"]["damage to Docker 1"]["chances"] == {"0": "3/20", "3": "17/20"}


def test_what_is_compared_and_refused_has_its_reasons_below() -> None:
    found = printed(str(BRAWL), "kara", "charge", "--compare", "target", "--after", "walk 8,1")
    assert "Foreman is refused:\n  - Foreman is out of range of unarmed" in found


# -- somebody whose turn it is not


def test_what_is_prepared_goes_off_by_its_owners_name_in_anothers_turn(melee: Path) -> None:
    shown = typed(
        melee, "prime", "attack", "a shout", "end", "end", "ulf fire_primed", "orc", "1", "end",
        options=("--seed", "5"),
    )  # fmt: skip
    assert "who set it off, where it was aimed at nobody beforehand" in shown
    assert "the rule for fire primed" in shown
    assert "Ulf, attack with blade" in shown.partition("the rule for fire primed")[2]


def test_a_hold_is_let_go_by_name_for_a_reaction(tmp_path: Path) -> None:
    path = tmp_path / "hold.yaml"
    path.write_text(
        scene_text(creature("ulf", "reds", (2, 1), seat="ann", str_=20), creature("orc", "blues", (3, 1)), seats=ANN)
    )
    shown = typed(path, "grapple orc", "end", "ulf release orc", "ulf release orc", "finish")
    assert "let go of Orc" in shown or "lets go of Orc" in shown
    assert "'release' is nothing that can be done" in shown


def test_nobody_declares_for_whom_they_do_not_play(melee: Path) -> None:
    shown = typed(melee, "orc attack ulf", "quit", options=("--seed", "5", "--seat", "ann", "--bots", "guide"))
    assert "not yours to play" in shown
