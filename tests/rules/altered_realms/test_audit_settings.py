"""Every setting can be changed in a scene file, and makes a difference that can be seen from outside."""

from collections.abc import Callable
from typing import Any

import pytest
from realms import BOW, armed, codes, creature, happened, left, passing, question, rolled, spent, table, turn
from realms import who as sheet

import turnwright as tw
from turnwright.events import Told
from turnwright.systems.altered_realms.events import Lying
from turnwright.systems.altered_realms.rolls import save_parts
from turnwright.systems.altered_realms.settings import OPEN, Settings
from turnwright.systems.altered_realms.sheet import maneuver_dc, spell_dc
from turnwright.systems.altered_realms.space import tiles

Keys = dict[str, Any]


def duel(settings: Keys, dice: Any = (), kara: Keys | None = None, orc: Keys | None = None, **keys: Any) -> tw.Table:
    return table(
        creature("kara", "h", (1, 1), **(kara or {})),
        creature("orc", "o", **({"at": (2, 1), "ac": 10, "hp": 40} | (orc or {}))),
        settings=settings,
        dice=dice,
        **({"begin": "kara"} | keys),
    )


def can(t: tw.Table, actor: str, action: str, **said: Any) -> bool:
    return codes(t, actor, action, **said) == []


def trapped(settings: Keys) -> bool:
    box = {"id": "box", "kind": "lock", "at": [2, 2]}
    t = duel(settings, ((13,),), {"items": [{"name": "lockpick set", "place": "pouch"}]}, mechanisms=[box])
    t.declare("kara", "pick_lock", thing="box")
    return bool(rolled(t).passed)


def sprung(settings: Keys) -> bool:
    box = {"id": "box", "kind": "trap", "at": [2, 2]}
    t = duel(settings, ((13,),), {"items": [{"name": "tools", "place": "pouch"}]}, mechanisms=[box])
    t.declare("kara", "disarm", thing="box")
    return bool(rolled(t).passed)


def step(settings: Keys, **keys: Any) -> int:
    t = duel(settings, **keys)
    t.declare("kara", "walk", to=(2, 2))
    return sheet(t, "kara").metres


def attack(settings: Keys, face: int, modifier: int = 0, kara: Keys | None = None, **orc: Any) -> bool:
    t = duel(settings, ((face,), 1), {"items": [armed(modifier)]} | (kara or {}), orc)
    t.declare("kara", "attack", target="orc")
    return bool(rolled(t).passed)


def aided(settings: Keys, helper: int, hinder: bool = False) -> int:
    """What Finn's roll makes of Kara's next one."""
    t = table(
        creature("kara", "h", (1, 1)),
        creature("finn", "h", (1, 2), training={"athletics": 0}),
        settings=settings,
        dice=((helper,),),
        begin="finn",
    )
    said = {"hinder": True} if hinder else {}
    t.declare("finn", "lend_aid", target="kara", skill="athletics", **said)
    return t.outcome.amount


def aimed(settings: Keys) -> bool:
    t = duel(
        settings, ((9,), 1), {"items": [BOW | {"weapon": {"kind": "ranged", "modifier": 5, "range": 30}}], "attacks": 3}
    )
    t.override({"orc.ac": 18}, "a test")
    for _ in range(2):
        t.declare("kara", "aim", target="orc")
    t.declare("kara", "attack", target="orc")
    return bool(rolled(t).passed)


def dodged(settings: Keys) -> bool:
    t = duel(settings, ((11,), 1), orc={"ac": 10, "items": [armed(0)]})
    t.declare("kara", "dodge", target="orc")
    turn(t, "orc")
    t.declare("orc", "attack", target="kara")
    return bool(rolled(t).passed)


def held(settings: Keys) -> bool:
    t = duel(settings, ((20,),), orc={"at": (2, 1)})
    t.declare("kara", "grapple", target="orc")
    turn(t, "orc")
    return can(t, "orc", "defensive_stance")


def grappling(settings: Keys) -> bool:
    whip = armed(0, name="whip", grapple=True, training=3)
    t = duel(settings, ((11,),), {"str_": 4, "items": [whip]}, {"ac": 17})
    t.declare("kara", "grapple", target="orc")
    return bool(rolled(t).passed)


def speech(settings: Keys) -> Keys:
    t = duel(settings, begin="orc")
    return spent(t, "kara", "attempt", intent="a", method="b", skill="persuasion")


def rallied(settings: Keys, conditions: tuple[str, ...] = (), at: tuple[int, int] = (3, 3)) -> bool:
    t = table(
        creature("kara", "h", (1, 1)),
        creature("finn", "h", at),
        creature("orc", "o", (9, 9)),
        settings=settings,
        dice=((20,),),
        begin="kara",
    )
    t.override({"finn.conditions": list(conditions), "finn.afflictions": [AFRAID]}, "a test")
    t.declare("kara", "rally")
    return t.waiting_on != ()


AFRAID = {"condition": "prone", "save": "wis", "dc": 12}
WARD = {"name": "ward", "budget": "none", "pool": "focus", "sustain": 1, "ac": 5}


def suppressed(settings: Keys) -> int:
    from turnwright.systems.altered_realms.attack import armour_class

    t = duel(settings, (), {"abilities": [WARD], "pools": {"focus": 3}})
    t.declare("kara", "cast", ability="ward", sustain=True)
    t.override({"kara.pools.focus": 0}, "a test")
    return armour_class(t.state, sheet(t, "kara"))


def primed(settings: Keys) -> bool:
    t = duel(settings, (), {"reactions": 2})
    return can(t, "kara", "prime", deed="attack", target="orc", trigger="x", number=2)


LEAP = {"maneuvers": {"leap": {"cost": {"might": 1}, "text": "you leap"}}}


def leaping(settings: Keys, face: int = 14) -> Any:
    t = duel(settings, ((face,),), {"pools": {"might": 1}})
    if codes(t, "kara", "maneuver", maneuver="leap"):
        return codes(t, "kara", "maneuver", maneuver="leap")
    t.declare("kara", "maneuver", maneuver="leap")
    return [told.text for told in happened(t, Told)]


def thrown(settings: Keys, rock: int) -> Any:
    t = duel(settings, ((13,),), {"items": [{"name": "rock"}]}, rows=["." * 30] * 4, orc={"at": (1, 3)})
    t.declare("kara", "throw", item="rock", to=(1 + rock, 1))
    passing(t)
    return [fact.at for fact in t.state.facts_of(Lying)] if rolled(t).passed else "short"


def dice_asked(t: tw.Table, faces: dict[str, Any]) -> list[str]:
    """The dice that people are asked to roll one after the other, each answered by the first words that fit."""
    asked = []
    while t.waiting_on:
        found = question(t)
        if found.kind != "roll":
            t.answer(found, found.question.options[-1].id)
            continue
        asked.append(found.prompt)
        t.answer(found, next(given for words, given in faces.items() if words in found.prompt))
    return asked


def improvised(settings: Keys) -> str:
    t = duel(settings, (), {"items": [{"name": "chair"}]}, by_hand=["guide"])
    t.declare("kara", "improvised_weapon", target="orc", item="chair")
    return dice_asked(t, {"attack": [19], "damage": [1]})[-1]


def hurled(settings: Keys) -> str:
    """A Medium Orc that Kara holds is thrown: 2 dice."""
    t = duel(settings, (), {"str_": 4, "attacks": 2}, {"hp": 90}, by_hand=["guide"])
    t.declare("kara", "grapple", target="orc")
    dice_asked(t, {"": [19]})
    t.declare("kara", "throw_opponent", target="orc", direction="east")
    return dice_asked(t, {"d20": [19], "": [1, 1]})[-1]


def struck_beside(settings: Keys) -> bool:
    """Finn, on whom the Orc is thrown, saves with a total of 12."""
    t = table(
        creature("kara", "h", (1, 1), str_=4, attacks=2),
        creature("orc", "o", (2, 1), ac=10, hp=90),
        creature("gob", "o", (4, 1), hp=90),
        settings=settings,
        dice=((19,), (19,), (1, 1), (12,)),
        begin="kara",
    )
    t.declare("kara", "grapple", target="orc")
    t.declare("kara", "throw_opponent", target="orc", direction="east")
    passing(t)
    return sheet(t, "gob").hp == 90


def falling(settings: Keys) -> str:
    """The Narrator makes Kara fall 10 m."""
    t = duel(settings, by_hand=["guide"])
    t.declare("", "hazard", target="kara", fall=10)
    return dice_asked(t, {"": [1] * (10 - settings.get("fall_free", 3))})[-1]


def grasped(settings: Keys) -> bool:
    """A Last Grasp with a total of 9, off-turn."""
    t = duel(settings, ((9,),), begin="orc")
    t.declare("", "hazard", target="kara", aware=True, damage="5")
    t.answer(question(t), "0")
    return bool(rolled(t).passed)


def unarmed(settings: Keys) -> int:
    t = duel(settings, ((19,),), {"str_": 5})
    t.declare("kara", "attack", target="orc")
    return 40 - sheet(t, "orc").hp


def carried(settings: Keys) -> int:
    t = table(
        creature("kara", "h", (1, 1), speed=7),
        creature("finn", "h", (1, 2)),
        settings=settings,
        dice=((19,),),
        begin="kara",
    )
    t.declare("kara", "carry", target="finn")
    passing(t)
    t.declare("kara", "walk", to=(2, 1))
    return sheet(t, "kara").metres + 1


def stood(settings: Keys) -> int:
    t = duel(settings, (), {"conditions": ["prone"]})
    t.declare("kara", "stand")
    return sheet(t, "kara").metres


def mud(settings: Keys) -> int:
    keys = {"rows": ["......", "..,...", "..,..."], "legend": {",": {"name": "mud", "difficult": ["mud"]}}}
    return step(settings, **keys, orc={"at": (5, 0)})


def upward(settings: Keys) -> int:
    t = duel(settings)
    return len(codes(t, "kara", "downgrade", budget="motion", into="movement"))


def broken(settings: Keys, budget: str, into: str) -> tuple[int, int, int]:
    t = duel(settings)
    t.declare("kara", "downgrade", budget=budget, into=into)
    return left(t, "kara")


def mana(settings: Keys) -> list[str]:
    return codes(
        duel(settings, (), {"int_": 2, "pools": {"focus": {"current": 0, "maximum": 2}}}),
        "kara",
        "recuperate",
        source="spirit",
        into="focus",
    )


def tiny_strap(settings: Keys) -> Any:
    from turnwright.systems.altered_realms.targeting import penalty

    t = duel(settings, orc={"items": [{"name": "ring", "size": "small", "place": "worn"}]})
    return penalty(t.state, sheet(t, "orc"), "ring")


def finger(settings: Keys) -> Any:
    from turnwright.systems.altered_realms.targeting import penalty

    t = duel(settings, orc={"parts": ["snout"]})
    return penalty(t.state, sheet(t, "orc"), "snout")


def across(settings: Keys) -> int:
    t = duel(settings, orc={"size": "large", "at": (3, 3)})
    return len(tiles(t.state, sheet(t, "orc")))


def grapple_size(settings: Keys) -> bool:
    t = duel(settings, orc={"size": "huge", "at": (2, 1)})
    return can(t, "kara", "grapple", target="orc")


def stated(settings: Keys) -> int:
    return sheet(duel(settings, (), {"scores": {"str": 16}}), "kara").attribute("str")


def plain_skill(settings: Keys) -> list[str]:
    return codes(duel(settings), "kara", "attempt", intent="a", method="b", skill="sailing")


def crippled(settings: Keys) -> list[str]:
    t = duel(settings, (), {"conditions": ["prone"]})
    return codes(t, "kara", "stand")


def mental(settings: Keys) -> list[str]:
    return codes(duel(settings), "kara", "attempt", intent="a", method="b", skill="lore")


def willing(settings: Keys) -> bool:
    t = table(creature("kara", "h", (1, 1)), creature("finn", "h", (1, 2)), settings=settings, begin="kara")
    return can(t, "kara", "carry", target="finn")


def reached(settings: Keys) -> bool:
    return can(duel(settings, orc={"at": (3, 1)}), "kara", "attack", target="orc", weapon="unarmed")


def saved(settings: Keys) -> bool:
    fear = {"name": "fear", "at": "enemy", "save": "wis", "condition": "blinded"}
    t = duel(settings, ((10,),), {"abilities": [fear], "spell_dc": 10})
    t.declare("kara", "cast", ability="fear", target="orc")
    return bool(rolled(t).passed)


def destined(settings: Keys) -> int:
    """How many dice a Defensive Stance puts into a save that avoids damage."""
    bolt = {"name": "bolt", "at": "enemy", "save": "dex", "damage": "1"}
    dice = ((3,), (9,)) if settings.get("destiny") == "d6" else ((9, 3),)
    t = duel(settings, dice, {"abilities": [bolt], "spell_dc": 12}, begin="orc")
    t.declare("orc", "defensive_stance")
    turn(t, "kara")
    t.declare("kara", "cast", ability="bolt", target="orc")
    return bool(rolled(t).passed)


Case = tuple[Callable[..., Any], Keys, Any, Any]
"""What is looked at, the changed setting, what it is by default, and what it is then."""

CASES: dict[str, Case] = {
    "sizes": (grapple_size, {"sizes": {"huge": 3}}, False, True),
    "footprints": (across, {"footprints": {"large": 3}}, 4, 9),
    "melee_range": (reached, {"melee_range": 2}, False, True),
    "diagonal": (step, {"diagonal": 2}, 5, 4),
    "difficult": (mud, {"difficult": 3}, 4, 3),
    "stand": (stood, {"stand": 3}, 3, 4),
    "average": (stated, {"average": 8}, 3, 4),
    "attack_meets": (lambda s: attack(s, 10), {"attack_meets": False}, True, False),
    "dc_meets": (saved, {"dc_meets": False}, True, False),
    "naturals": (lambda s: attack(s, 20, ac=30), {"naturals": False}, True, False),
    "destiny": (destined, {"destiny": "d6"}, False, True),
    "maneuver_save_base": (
        lambda s: maneuver_dc(duel(s).state, sheet(duel(s), "kara")),
        {"maneuver_save_base": 8},
        10,
        8,
    ),
    "spell_save_base": (lambda s: spell_dc(duel(s).state, sheet(duel(s), "kara")), {"spell_save_base": 12}, 10, 12),
    "unarmed": (unarmed, {"unarmed": "7"}, 1, 7),
    "action_to_movement": (lambda s: broken(s, "action", "movement"), {"action_to_movement": 2}, (0, 1, 2), (0, 1, 3)),
    "action_to_motion": (lambda s: broken(s, "action", "motion"), {"action_to_motion": 2}, (0, 2, 1), (0, 3, 1)),
    "movement_to_motion": (lambda s: broken(s, "movement", "motion"), {"movement_to_motion": 2}, (1, 2, 0), (1, 3, 0)),
    "motion_to_movement": (upward, {"motion_to_movement": 1}, 1, 0),
    "aim_stacks": (aimed, {"aim_stacks": False}, True, False),
    "dodge_called_shots_only": (dodged, {"dodge_called_shots_only": True}, False, True),
    "pool_aliases": (mana, {"pool_aliases": {"spirit": "brainstorm"}}, ["NO_POOL"], []),
    "grappled_may_pay_movement": (held, {"grappled_may_pay_movement": True}, False, True),
    "item_region_from": (tiny_strap, {"item_region_from": "medium"}, -2, -4),
    "carry_speed": (carried, {"carry_speed": 3}, 3, 2),
    "allies_willing": (willing, {"allies_willing": False}, True, False),
    "throw_dc": (lambda s: thrown(s, 10), {"throw_dc": [[80, 14]]}, [(11, 1)], "short"),
    "grapple_weapon": (grappling, {"grapple_weapon": "add"}, False, True),
    "throw_die": (lambda s: "2d4" in hurled(s), {"throw_die": 4}, False, True),
    "bystander_dc": (struck_beside, {"bystander_dc": 10}, False, True),
    "fall_free": (lambda s: "9d10" in falling(s), {"fall_free": 1}, False, True),
    "fall_die": (lambda s: "7d6" in falling(s), {"fall_die": 6}, False, True),
    "improvised": (lambda s: "1d6" in improvised(s), {"improvised": "1d6"}, False, True),
    "last_grasp_dc": (grasped, {"last_grasp_dc": 9}, False, True),
    "skill_limit_floor": (mental, {"skill_limit_floor": 0}, [], ["ROLLS"]),
    "free_speech": (speech, {"free_speech": False}, {"roll:social": 1}, {"reaction": 1, "roll:social": 1}),
    "lock_dc": (trapped, {"lock_dc": {"common": 13}}, False, True),
    "trap_dc": (sprung, {"trap_dc": {"common": 13}}, False, True),
    "aid_from": (lambda s: aided(s, 11), {"aid_from": 11}, -2, 2),
    "declared_hinder": (lambda s: aided(s, 11), {"declared_hinder": True}, -2, 0),
    "earshot": (lambda s: rallied(s, at=(9, 1)), {"earshot": 5}, True, False),
    "strict_hearing": (lambda s: rallied(s, ("prone", "deafened")), {"strict_hearing": True}, True, False),
    "sustain_at_zero": (suppressed, {"sustain_at_zero": "active"}, 10, 15),
    "prime_cap": (primed, {"prime_cap": "reactions"}, False, True),
    "maneuvers": (leaping, LEAP, ["NO_MANEUVER"], ["UNTRAINED"]),
    "untrained_maneuvers": (
        lambda s: leaping(LEAP | s),
        {"untrained_maneuvers": True},
        ["UNTRAINED"],
        ["you leap"],
    ),
    "untrained_dc": (
        lambda s: leaping(LEAP | {"untrained_maneuvers": True} | s),
        {"untrained_dc": 15},
        ["you leap"],
        [],
    ),
    "skills": (plain_skill, {"skills": {"sailing": {"attribute": "wis", "kind": "mental"}}}, ["NO_SKILL"], []),
    "regions": (finger, {"regions": {"snout": {"tier": 2, "within": "head"}}}, -2, -4),
    "conditions": (crippled, {"conditions": {"prone": {}}}, [], ["STANDING"]),
}


@pytest.mark.parametrize("name", CASES)
def test_it_makes_a_difference(name: str):
    look, changed, before, after = CASES[name]
    assert name in changed
    assert look({}) == before
    assert look(changed) == after


ELSEWHERE = ("last_grasp_cling",)
"""In test_audit_forced.py."""


def test_every_setting_is_among_them_and_has_a_rule_a_reason_and_a_source():
    assert sorted([*CASES, *ELSEWHERE]) == sorted(Settings.__struct_fields__)
    assert sorted(setting.name for setting in OPEN) == sorted(Settings.__struct_fields__)
    assert all(setting.reason and setting.rule.startswith("altered-realms.") for setting in OPEN)
    assert {setting.source for setting in OPEN} == {"source", "outside", "ours"}


def test_a_save_takes_nothing_from_settings_that_are_not_its_own():
    t = duel({}, (), {"str_": 3, "saves": {"str": 2}})
    assert sum(part.amount for part in save_parts(sheet(t, "kara"), "str", "")) == 5
