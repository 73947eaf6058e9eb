"""Scene files that cannot be: each is told with its line, its key and what would be right; nothing is a traceback."""

from typing import Any

import pytest
import yaml
from realms import SWORD, creature, scene_text

import turnwright as tw
from turnwright.documents import BadScene
from turnwright.rules import find_game

Keys = dict[str, Any]


def text(kara: Keys | None = None, **keys: Any) -> str:
    hero = creature("kara", "h", (1, 1), items=[dict(SWORD)]) | (kara or {})
    return scene_text(hero, creature("orc", "o", (3, 1)), **keys)


def problems(written: str) -> list[Any]:
    with pytest.raises(BadScene) as caught:
        tw.read_scene(written, "test.yaml")
    return list(caught.value.problems)


def item(**keys: Any) -> Keys:
    return {"items": [{"name": "thing"} | keys]}


def ability(**keys: Any) -> Keys:
    return {"abilities": [{"name": "ward"} | keys]}


SHEETS: list[tuple[Keys, str, str]] = [
    ({"speed": "fast"}, "speed", "a whole number"),
    ({"speed": -3}, "speed", "at least 0"),
    ({"speed": 10**30}, "speed", "at most"),
    ({"speed": 2.5}, "speed", "a whole number"),
    ({"moves": []}, "moves", "at least 1"),
    ({"strenght": 3}, "strenght", "unknown key"),
    ({"id": "Kara"}, "id", "kara"),
    ({"scores": {"strength": 10}}, "scores.strength", "one of str"),
    ({"modifiers": {"str": "x"}}, "modifiers.str", "a whole number"),
    ({"training": {"athletic": 2}}, "training.athletic", "athletics"),
    ({"totals": {"athletic": 2}}, "totals.athletic", "athletics"),
    ({"totals": {"wiz save": 2}}, "totals.wiz save", "initiative"),
    ({"saves": {"wiz": 1}}, "saves.wiz", "one of str"),
    ({"pools": {"mind": 1}}, "pools.mind", "one of might"),
    ({"pools": {"might": -1}}, "pools.might", "0 points or more"),
    ({"pools": {"might": {"current": 5, "maximum": 2}}}, "pools.might.current", "at most the maximum of 2"),
    ({"pools": {"mana": 2, "brainstorm": 3}}, "pools.brainstorm", "only once"),
    ({"pools": {"might": {"curent": 1}}}, "pools.might.curent", "current"),
    ({"hp": 30, "hp_max": 20}, "hp_max", "30 or more"),
    ({"hp": 10**40}, "hp", "at most"),
    ({"size": "hug"}, "size", "one of tiny"),
    ({"casting": "wiz"}, "casting", "one of str"),
    ({"conditions": ["pron"]}, "conditions[0]", "prone"),
    ({"attacks": 0}, "attacks", "at least 1"),
    ({"reactions": -1}, "reactions", "at least 0"),
    ({"hands": [{"name": "a"}, {"name": "a"}]}, "hands[1]", "not listed yet"),
    ({"hands": []}, "items", "at most 0 items"),
    ({"parts": ["head", "head"]}, "parts[1]", "not listed yet"),
    (item(place="belt"), "items[0].place", "pouch"),
    (item(size="smal"), "items[0].size", "one of tiny"),
    (item(name=" "), "items[0].name", "a name"),
    (item(hand="left"), "items[0].hand", "left hand"),
    (item(place="pouch", hand="left hand"), "items[0].hand", "elsewhere"),
    ({"items": [{"name": "a"}, {"name": "a"}]}, "items[1].name", "nothing else"),
    (
        {"items": [{"name": "a", "hand": "left hand"}, {"name": "b", "hand": "left hand"}]},
        "items[1].hand",
        "nothing else",
    ),
    (item(heals="lots"), "items[0].heals", "dice"),
    (item(weapon={"damage": "1dd8"}), "items[0].weapon.damage", "dice"),
    (item(weapon={"damage": "1d0"}), "items[0].weapon.damage", "dice"),
    (item(weapon={"damage": "9999999d99999"}), "items[0].weapon.damage", "dice"),
    (item(weapon={"kind": "mele"}), "items[0].weapon.kind", "did you mean"),
    (item(weapon={"range": -1}), "items[0].weapon.range", "at least 0"),
    (item(armor={"don": 5}), "items[0].armor.doff", "missing key"),
    (item(armor={"don": -5, "doff": 1}), "items[0].armor.don", "at least 0"),
    ({"weapons": [{"name": "sword"}]}, "weapons[0].name", "nothing else"),
    ({"weapons": [{"name": "a"}, {"name": "a"}]}, "weapons[1].name", "nothing else"),
    ({"weapons": [{"name": "unarmed"}]}, "weapons[0].name", "nothing else"),
    ({"weapons": [{"name": "bite", "part": "jaw"}]}, "weapons[0].part", "head"),
    (ability(pool="focsu", sustain=1), "abilities[0]", "focus"),
    (ability(sustain=1), "abilities[0].sustain", "pool"),
    (ability(cost={"luck": 1}), "abilities[0]", "might"),
    (ability(cost={"might": -1}), "abilities[0].cost.might", "at least 0"),
    (ability(condition="pronee"), "abilities[0].condition", "prone"),
    (ability(budget="bonus"), "abilities[0].budget", "motion"),
    (ability(lasting=True, condition="prone"), "abilities[0].lasting", "save"),
    (ability(ac=2), "abilities[0].ac", "sustain"),
    (ability(trigger="hurt", at="ally"), "abilities[0].at", "self or enemy"),
    (ability(trigger="hit"), "abilities[0].trigger", "hurt"),
    ({"abilities": [{"name": "x"}, {"name": "x"}]}, "abilities[1]", "of its own"),
    ({"maneuvers": ["leap"]}, "maneuvers[0]", "none"),
    ({"traits": [{"name": "q", "actions": 1}]}, "traits[0].actions", "unknown key"),
    ({"at": [99, 99]}, "at", "tiles of the map"),
    ({"at": [1, 1], "seat": "annn"}, "seat", "guide"),
]


@pytest.mark.parametrize(("keys", "key", "right"), SHEETS, ids=[f"{n} {key}" for n, (_, key, _) in enumerate(SHEETS)])
def test_a_sheet_that_cannot_be_says_where_and_what_would_be_right(keys: Keys, key: str, right: str):
    found = problems(text(keys))
    told = [problem for problem in found if problem.key == f"creatures[0].{key}"]
    assert told, [str(problem) for problem in found]
    assert all(problem.line > 1 for problem in told)
    assert right in " ".join(f"{problem.expected} {problem.got} {problem.hint}" for problem in told)


SETTINGS: list[tuple[Keys, str]] = [
    *[({name: 0}, name) for name in ("carry_speed", "stand", "difficult", "diagonal", "melee_range", "fall_die")],
    *[({name: -1}, name) for name in ("throw_die", "fall_free", "action_to_motion", "earshot", "skill_limit_floor")],
    ({"untrained_dc": 13}, "untrained_dc"),
    ({"earshott": 3}, "earshott"),
    ({"improvised": "x"}, "improvised"),
    ({"unarmed": "x"}, "unarmed"),
    ({"item_region_from": "smal"}, "item_region_from"),
    ({"lock_dc": {"simple": -3}}, "lock_dc.simple"),
    ({"footprints": {"medium": 0}}, "footprints.medium"),
    ({"footprints": {"medum": 2}}, "footprints.medum"),
    ({"throw_dc": [[10, 12], [5, 14]]}, "throw_dc"),
    ({"throw_dc": []}, "throw_dc"),
    ({"pool_aliases": {"might": "focus"}}, "pool_aliases.might"),
    ({"pool_aliases": {"mana": "mind"}}, "pool_aliases.mana"),
    ({"maneuvers": {"leap": {"cost": {"luck": 1}}}}, "maneuvers.leap.cost.luck"),
    ({"maneuvers": {"leap": {"cost": {"might": -1}}}}, "maneuvers.leap.cost.might"),
    ({"regions": {"jaw": {"tier": 0}}}, "regions.jaw.tier"),
    ({"regions": {"jaw": {"tier": 2, "within": "nowhere"}}}, "regions.jaw.within"),
    ({"regions": {"a": {"tier": 1, "within": "b"}, "b": {"tier": 1, "within": "a"}}}, "regions.a.within"),
    ({"conditions": {"dazed": {"act": False}}}, "conditions.dazed.act"),
]


@pytest.mark.parametrize(("settings", "key"), SETTINGS, ids=[f"{n} {key}" for n, (_, key) in enumerate(SETTINGS)])
def test_a_setting_that_cannot_be(settings: Keys, key: str):
    found = problems(text(settings=settings))
    assert f"settings.{key}" in [problem.key for problem in found]
    assert all(problem.line > 1 and problem.expected for problem in found)


BOX = {"id": "box", "kind": "lock", "at": [1, 2]}

REST: list[tuple[Keys, str]] = [
    ({"order": ["kara", "kara", "orc"]}, "order[1]"),
    ({"order": ["kara"]}, "order"),
    ({"order": ["karra", "orc"]}, "order[0]"),
    ({"sides": ["h", "o", "o"]}, "sides[2]"),
    ({"seats": [{"id": "ann"}, {"id": "ann"}]}, "seats[1].id"),
    ({"mechanisms": [BOX, BOX]}, "mechanisms[1]"),
    ({"mechanisms": [BOX | {"id": "order"}]}, "mechanisms[0].id"),
    ({"mechanisms": [BOX | {"quality": "comon"}]}, "mechanisms[0].quality"),
    ({"mechanisms": [BOX | {"door": "gate"}]}, "mechanisms[0].door"),
    ({"mechanisms": [BOX | {"damage": "x"}]}, "mechanisms[0].damage"),
    ({"items": [{"item": {"name": "cup", "size": "x"}, "at": [1, 1]}]}, "items[0].item.size"),
    ({"items": [{"item": {"name": "cup", "heals": "x"}, "at": [1, 1]}]}, "items[0].item.heals"),
    ({"items": [{"item": {"name": "cup", "weapon": {"damage": "x"}}, "at": [1, 1]}]}, "items[0].item.weapon.damage"),
    ({"items": [{"item": {"name": "cup"}, "at": [99, 1]}]}, "items[0].at"),
]


@pytest.mark.parametrize(("keys", "key"), REST, ids=[f"{n} {key}" for n, (_, key) in enumerate(REST)])
def test_what_else_cannot_be(keys: Keys, key: str):
    found = problems(text(**keys))
    assert key in [problem.key for problem in found]
    assert all(problem.line > 1 for problem in found)


def test_a_table_of_which_a_scene_names_one_row_keeps_the_others():
    changed = {"lock_dc": {"common": 9}, "footprints": {"large": 3}, "sizes": {"titanic": 9}}
    held = tw.read_scene(text(settings=changed), "test.yaml").scene.settings
    assert held.lock_dc == {"simple": 10, "common": 9, "good": 18, "superior": 22}
    assert (held.footprints["large"], held.footprints["huge"]) == (3, 3)
    assert (held.sizes["titanic"], held.sizes["medium"]) == (9, 2)


@pytest.mark.rule("altered-realms.untrained.dc-floor")
def test_a_dc_below_the_least_for_an_untrained_maneuver_brings_a_warning():
    written = text(settings={"maneuvers": {"leap": {"dc": 12}, "dive": {"dc": 18}}})
    (told,) = find_game("altered-realms").scene_warnings(written, "test.yaml")
    assert (told.key, told.warning) == ("settings.maneuvers.leap.dc", True)
    assert "14" in told.expected


def test_a_good_scene_has_nothing_to_warn_of():
    assert find_game("altered-realms").scene_warnings(text(), "test.yaml") == ()
    assert yaml.safe_load(text())["system"] == "altered-realms"


@pytest.mark.parametrize(
    ("keys", "meant"),
    [
        ({"training": {"athletic": 1}}, "athletics"),
        ({"totals": {"dexx save": 1}}, "dex save"),
        ({"conditions": ["pron"]}, "prone"),
        ({"pools": {"migth": 1}}, "might"),
        ({"size": "hug"}, "huge"),
        ({"abilities": [{"name": "x", "condition": "restraint"}]}, "restrained"),
    ],
)
def test_a_name_that_is_nearly_right_is_answered_with_the_one_that_was_meant(keys: Keys, meant: str):
    (told,) = problems(text(keys))
    assert f'did you mean "{meant}"' in str(told)


def test_check_prints_what_may_have_been_meant_otherwise_and_still_calls_the_scene_good(tmp_path: Any, capsys: Any):
    from turnwright.cli.scenes import check

    path = tmp_path / "leap.yaml"
    path.write_text(text(settings={"maneuvers": {"leap": {"dc": 12}}}), encoding="utf-8")
    check([path])
    good, warned = capsys.readouterr().out.splitlines()
    assert "good; " in good
    assert "warning: settings.maneuvers.leap.dc" in warned


@pytest.mark.parametrize(
    ("rule", "name", "source", "words"),
    [
        ("downgrade.allowed-mid-turn", "action_to_movement", "source", "as the text has it"),
        ("last-grasp.fail", "fall_die", "outside", "after public pages of the game; the text is silent"),
        ("lock.dc-table", "lock_dc", "ours", "our default; the text is silent"),
    ],
)
def test_a_rule_card_says_where_each_default_comes_from_and_why(rule: str, name: str, source: str, words: str):
    from turnwright.cli.rules import find_card

    card = find_card(f"altered-realms.{rule}")
    (held,) = [setting for setting in card["settings"] if setting["name"] == name]
    assert (held["from"], held["why"]) == (source, words)
    assert held["reason"]
