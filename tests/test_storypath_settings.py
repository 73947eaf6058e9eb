"""Every setting of Storypath can be changed in a scene file, and each change has an effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import yaml
from scions import (
    BALANCE,
    CLIMB,
    answer,
    begun,
    codes,
    foe,
    go_on,
    happened,
    hero,
    momentum,
    out,
    plainly,
    pool,
    question,
    result,
    rolled_roster,
    roster,
    scene,
    table,
    turn_of,
    who,
)
from typer.testing import CliRunner

import turnwright as tw
from turnwright.cli import app
from turnwright.rules import find_game
from turnwright.systems.storypath.events import DefenseOver, InitiativeRolled, PoolRolled
from turnwright.systems.storypath.parts import half
from turnwright.systems.storypath.roster import initiative_pool
from turnwright.systems.storypath.settings import OPEN, Settings, profile
from turnwright.systems.storypath.sheet import boxes_of, resilience
from turnwright.systems.storypath.space import band

Shown = Callable[[dict[str, Any]], Any]
"""What a test looks at, under the settings that it is given."""
ROPE = {"name": "rope", "place": "holster"}
BLADE_1 = {"name": "blade", "enhancement": 1}
DEED = {"name": "deed", "skill": "athletics", "attribute": "dexterity"}
ROW = ["a", "b", "c"]
STRONG = {"close_combat": 3, "might": 3, "athletics": 3, "dexterity": 3}


def fight(up: str = "ann", dice: tuple[Any, ...] = (), s: dict[str, Any] | None = None, **keys: Any) -> tw.Table:
    ann = hero("ann", **(STRONG | keys.pop("ann", {})))
    return begun(ann, foe("wolf", **keys.pop("wolf", {})), up=up, dice=dice, settings=s or {}, **keys)


def attacked(s: dict[str, Any], roll: Any, **keys: Any) -> tw.Table:
    made = fight(dice=(roll, *keys.pop("then", ())), s=s, **keys)
    made.declare("ann", "attack", target="wolf")
    return made


def struck(s: dict[str, Any], roll: Any, **keys: Any) -> str:
    made = attacked(s, roll, **keys)
    plainly(made)
    return result(made)


def mixed(s: dict[str, Any], roll: Any, **keys: Any) -> tw.Table:
    made = fight(dice=(roll,), s=s, deeds=[DEED], **keys)
    made.declare("ann", "mixed", first="attack", second="deed", target="wolf")
    return made


def done(s: dict[str, Any], roll: Any, deed: dict[str, Any] = DEED, **keys: Any) -> tw.Table:
    made = fight(dice=(roll,), s=s, deeds=[deed], **keys)
    made.declare("ann", "deed", deed=deed["name"])
    return made


def named_last(s: dict[str, Any]) -> int:
    made = rolled_roster(hero("ann"), hero("bo"), results=(2, 1), settings=s)
    go_on(made, "ann")
    made.declare("ann", "end")
    made.declare("bo", "begin")
    return len(made.waiting_on)


def right_of_the_fallen(s: dict[str, Any]) -> list[str]:
    made = rolled_roster(hero("ann"), hero("bo"), hero("cy"), results=(3, 2, 1), settings=s)
    go_on(made, "ann")
    made.declare("ann", "end")
    out(made, "ann")
    made.declare(made.next_turn() or "", "begin")
    return [asked.who for asked in made.waiting_on]


def slots_of_the_fallen(s: dict[str, Any]) -> list[tuple[str, int]]:
    made = rolled_roster(hero("ann"), hero("bo"), results=(2, 1), settings=s)
    out(made, "ann")
    go_on(made)
    return roster(made)


def rolled_again(s: dict[str, Any]) -> int:
    made = table(hero("ann"), foe("wolf"), dice=(2, 1, 2, 1), settings=s)
    for _ in range(3):
        go_on(made)
    return len(happened(made, InitiativeRolled))


def latecomer(s: dict[str, Any]) -> str:
    made = table(hero("ann"), foe("wolf"), dice=(3, 1, 2), settings=s, reserves=[foe("bear")])
    go_on(made)
    made.declare("ann", "end")
    made.declare("", "arrive", who="bear")
    return go_on(made, "bear")


def botched(s: dict[str, Any], roll: Any = (1, 2, 3, 4, 5, 6)) -> tuple[str, int]:
    made = attacked(s, roll)
    return result(made), momentum(made.state)


def initiative_range(s: dict[str, Any]) -> int:
    made = tw.Table(scene(hero("ann", cunning=2), settings=s), dice="table")
    made.declare("", "initiative")
    return question(made).question.pool.range[0]


def opposed(s: dict[str, Any]) -> bool:
    made = fight("wolf", dice=(2, 2), s=s)
    from turnwright.systems.storypath.events import GrappleBegun, Grapples

    made.override([GrappleBegun("", "ann", "wolf")], "it is so")
    made.declare("wolf", "break_free")
    return made.state.relation(Grapples, "ann", "wolf") is None


def disengaged(s: dict[str, Any]) -> str:
    made = fight(dice=(2, 2), s=s, places=ROW)
    made.declare("ann", "disengage", to="b")
    return str(who(made, "ann").at)


def rushed(s: dict[str, Any]) -> str:
    made = fight(dice=(2, 2), s=s, places=ROW, wolf={"at": "c"})
    made.declare("ann", "rush", target="wolf")
    return str(who(made, "ann").at)


def dirty(s: dict[str, Any]) -> bool:
    made = fight(dice=(2, 2), s=s, wolf={"minor": True})
    made.declare("ann", "down_and_dirty", target="wolf")
    plainly(made)
    return who(made, "wolf").down


def drawn_before(s: dict[str, Any]) -> list[str]:
    made = fight(s=s, deeds=[DEED], ann={"items": [ROPE]})
    made.declare("ann", "draw", item="rope")
    return codes(made, "ann", "mixed", first="attack", second="deed", target="wolf")


def drawn_off_turn(s: dict[str, Any]) -> list[str]:
    made = fight("wolf", s=s, deeds=[DEED], ann={"items": [ROPE]})
    made.declare("ann", "draw", item="rope")
    turn_of(made, "ann")
    return codes(made, "ann", "mixed", first="attack", second="deed", target="wolf")


def beside_simple(s: dict[str, Any]) -> list[str]:
    made = fight(dice=(0,), s=s)
    made.declare("ann", "look")
    made.declare("ann", "attack", target="wolf")
    return codes(made, "ann", "look")


def knack_after_mixed(s: dict[str, Any]) -> list[str]:
    made = mixed(s, 0, ann={"knacks": [{"name": "Eyes"}]})
    return codes(made, "ann", "knack", knack="Eyes")


def without_share(s: dict[str, Any]) -> str:
    made = mixed(s, 2, ann={"weapons": [{"name": "blade", "enhancement": 2}]})
    answer(made, "0/2")
    plainly(made)
    return result(made)


def split_total(s: dict[str, Any]) -> int:
    made = mixed(s, 2, ann={"weapons": [BLADE_1]})
    return sum(int(part) for part in question(made).options[0].split("/"))


def moved_twice(s: dict[str, Any]) -> list[str]:
    made = fight(s=s, places=ROW)
    made.declare("ann", "move", to="b")
    return codes(made, "ann", "move", to="c")


def standing_up(s: dict[str, Any]) -> int:
    made = fight(s=s, ann={"prone": True})
    made.declare("ann", "stand")
    return who(made, "ann").actions


def hurried(s: dict[str, Any]) -> int | None:
    made = fight(s=s, places=ROW)
    made.declare("ann", "hurry", to="c")
    return question(made).question.suggested[0].target  # type: ignore[no-any-return]


def guarded(s: dict[str, Any], roll: int = 0) -> int | None:
    made = fight("wolf", dice=(roll, 0), s=s, ann={"resolve": 2})
    made.declare("wolf", "attack", target="ann")
    if made.waiting_on:
        answer(made, "defend")
    return who(made, "ann").guard


def defense_over(s: dict[str, Any]) -> int:
    made = fight("wolf", dice=(0, 0), s=s, ann={"resolve": 2})
    made.declare("wolf", "attack", target="ann")
    return len(happened(made, DefenseOver))


def full_defense(s: dict[str, Any]) -> tuple[int, bool]:
    made = fight(dice=(3,), s=s, ann={"resolve": 2})
    dice = pool(made, "ann", "full_defense")
    made.declare("ann", "full_defense")
    return dice, bool(made.waiting_on)


def picked(s: dict[str, Any]) -> bool:
    made = fight("wolf", dice=(0, 1), s=s, ann={"stamina": 2})
    made.declare("wolf", "attack", target="ann")
    answer(made, "inflict")
    return any(asked.question.about == "box" for asked in made.waiting_on if asked.kind == "choose")


def in_pain(s: dict[str, Any]) -> int:
    made = attacked(s, 2, ann={"boxes": {"bruised": 1}})
    answer(made, "inflict")
    return who(made, "ann").hampered


def dived(s: dict[str, Any]) -> int:
    made = fight("wolf", dice=(2, 0), s=s, ann={"resolve": 2})
    made.declare("wolf", "attack", target="ann")
    answer(made, "dive")
    return who(made, "ann").cover


def seen(s: dict[str, Any], field: str) -> Any:
    wolf = fight(s=s).knows("ann").actors["wolf"]
    return wolf.pools["primary"] if field == "pools" else getattr(wolf, field)


def goblins(s: dict[str, Any]) -> int:
    return len(roster(rolled_roster(*[foe(f"g{n}", group="g") for n in (1, 2, 3)], results=(2,), settings=s)))


def dice_of(s: dict[str, Any], roll: Any) -> int:
    """The successes of these faces on Ann's six dice."""
    made = attacked(s, roll)
    return int(happened(made, PoolRolled)[-1].successes)


def initiative_of(s: dict[str, Any]) -> int:
    state = scene(hero("ann", academics=4, cunning=1), settings=s)
    return initiative_pool(state, state.actors["ann"])


def bought(s: dict[str, Any]) -> int:
    made = attacked(s, 2, momentum=2)
    return int(question(made, "commit").question.most)


def most_momentum(s: dict[str, Any]) -> int:
    return botched(s)[1]


def apart(s: dict[str, Any]) -> int | None:
    made = fight(s=s, metres=True, wolf={"at": [20, 0]})
    return band(made.state, who(made, "ann"), who(made, "wolf"))


def number_doubled(s: dict[str, Any]) -> list[str]:
    return codes(fight("wolf", s=s), "wolf", "full_defense")


def defended_too(s: dict[str, Any]) -> list[str]:
    made = fight(s=s, deeds=[DEED])
    return codes(made, "ann", "mixed", first="full_defense", second="deed")


def lying(s: dict[str, Any]) -> str:
    return result(done(s, 1, ann={"prone": True}))


def complicated(s: dict[str, Any]) -> str:
    made = done(s, 1, DEED | {"complications": [{"name": "noise", "rating": 1}]})
    plainly(made)
    return result(made)


def tripped(s: dict[str, Any]) -> bool:
    return "trip" in question(attacked(s, 3)).options


def blinded(s: dict[str, Any]) -> bool:
    return "blinding" in question(attacked(s, 3)).options


def boxes(s: dict[str, Any]) -> dict[str, int]:
    made = fight(s=s, ann={"stamina": 1})
    assert resilience(who(made, "ann")) == 1
    return boxes_of(made.state, who(made, "ann"))


def pain_option(s: dict[str, Any]) -> bool:
    return "pain:1" in question(attacked(s, 3, ann={"boxes": {"bruised": 1}})).options


def balance_takes(s: dict[str, Any]) -> int | None:
    from turnwright.model import Declaration

    made = fight(s=s, deeds=[BALANCE, CLIMB])
    return half(made.state, Declaration("ann", "mixed"), "balance").need


def consoled(s: dict[str, Any], roll: Any = 0) -> int:
    return momentum(attacked(s, roll).state)


def mixed_consoled(s: dict[str, Any]) -> int:
    made = mixed(s, 2)
    answer(made, "2/0")
    plainly(made)
    return momentum(made.state)


EFFECTS: dict[str, tuple[Shown, Any, Any, Any]] = {
    # name: what is looked at, with the default, another value, and with that
    "combat_skills": (initiative_of, 1, ["academics"], 5),
    "shared_slots": (goblins, 3, "group", 1),
    "name_the_last": (named_last, 0, True, 1),
    "right_of_the_fallen": (right_of_the_fallen, ["bo", "cy"], "guide", ["guide"]),
    "slots_of_the_fallen": (slots_of_the_fallen, [("pc", 2), ("pc", 1)], "struck", [("pc", 1)]),
    "initiative": (rolled_again, 2, "round", 4),
    "latecomers": (latecomer, "wolf", "at once", "bear"),
    "sides": (lambda s: initiative_sides(s), 10, 12, 12),
    "targets": (lambda s: dice_of(s, (7, 7, 2, 2, 2, 2)), 0, {"heroic": 7, "mortal": 8, "demigod": 7, "divine": 7}, 2),
    "again": (lambda s: dice_of(s, (10, 2, 2, 2, 2, 2, 8) if not s else (10, 2, 2, 2, 2, 2)), 2, 0, 1),
    "twice": (lambda s: dice_of(s, (10, 2, 2, 2, 2, 2, 8)), 2, 10, 3),
    "read_beyond": (lambda s: dice_of(s, 30), 11, 2, 8),
    "enhancement_needs": (lambda s: struck(s, 1, ann={"weapons": [BLADE_1]}), "hit", 2, "miss"),
    "least_difficulty": (lambda s: result(done(s, 1)), "success", 2, "failure"),
    "unbought_fails": (complicated, "success", True, "failure"),
    "failure_momentum": (consoled, 1, 2, 2),
    "botch_momentum": (lambda s: consoled(s | {"momentum_for_each_player": 9}, (1, 2, 3, 4, 5, 6)), 3, 5, 5),
    "consolation": (consoled, 1, "none", 0),
    "botch": (lambda s: botched(s)[0], "botch", "none", "miss"),
    "free_rolls_botch": (initiative_range, 0, True, -1),
    "mixed_consolations": (mixed_consoled, 0, "each", 1),
    "momentum_for_a_die": (bought, 2, 2, 1),
    "momentum_for_each_player": (most_momentum, 2, 1, 1),
    "opposed_ties": (opposed, True, "other", False),
    "disengage_ties": (disengaged, "b", "other", "a"),
    "rush_ties": (rushed, "a", "acting", "b"),
    "down_and_dirty_ties": (dirty, True, "guide", False),
    "mixed_limit": (drawn_before, ["FULL"], 3, []),
    "off_turn_counts": (drawn_off_turn, [], True, ["FULL"]),
    "counts_beside_simple": (beside_simple, [], True, ["FULL"]),
    "knacks_count": (knack_after_mixed, [], True, ["FULL"]),
    "enhancement_without_share": (without_share, "both", False, "only deed"),
    "enhancement_is_split": (split_total, 2, True, 3),
    "reflexive_moves": (moved_twice, ["MOVED"], 2, []),
    "reflexive_bands": (lambda s: codes(fight(s=s, places=ROW), "ann", "move", to="c"), ["TOO_FAR"], 2, []),
    "band_metres": (apart, 1, [2, 10, 100, 1000], 2),
    "hurry_difficulty": (hurried, 1, 3, 3),
    "deed_difficulty": (balance_takes, 1, 2, 2),
    "stand_engaged": (standing_up, 1, "simple", 0),
    "attack_meets": (lambda s: struck(s, 2), "hit", False, "miss"),
    "least_defense": (guarded, 1, 2, 2),
    "defense_lasts": (defense_over, 0, "attack", 1),
    "full_defense_factor": (lambda s: full_defense(s)[0], 4, 3, 6),
    "full_defense_mixed": (defended_too, ["FULL_DEFENSE"], True, []),
    "full_defense_split": (lambda s: full_defense(s)[1], True, False, False),
    "full_defense_with_number": (number_doubled, ["NO_POOL"], True, []),
    "bruised": (lambda s: boxes(s)["bruised"], 1, [4, 4, 4, 4, 4], 4),
    "injured": (lambda s: boxes(s)["injured"], 1, 2, 2),
    "maimed": (lambda s: boxes(s)["maimed"], 1, 2, 2),
    "injury_complications": (pain_option, True, {"bruised": 2, "injured": 2, "maimed": 4}, False),
    "box_picked_by": (picked, True, "lightest", False),
    "hampered": (in_pain, 1, 2, 2),
    "stunts": (blinded, True, {"blinding": 2}, False),
    "variable_by_pool": (tripped, True, True, False),
    "cover": (dived, 1, 4, 4),
    "prone_difficulty": (lying, "success", 1, "failure"),
    "assumed_defense": (lambda s: seen(s, "defense"), 2, 4, 4),
    "assumed_health": (lambda s: seen(s, "health"), 3, 5, 5),
    "assumed_pool": (lambda s: seen(s, "pools"), 5, 7, 7),
}


def initiative_sides(s: dict[str, Any]) -> int:
    made = tw.Table(scene(hero("ann", cunning=2), settings=s), dice="table")
    made.declare("", "initiative")
    return int(question(made).question.pool.sides)


@pytest.mark.parametrize("name", EFFECTS)
def test_a_setting_has_an_effect(name: str) -> None:
    look, usual, value, then = EFFECTS[name]
    assert look({}) == usual
    assert look({name: value}) == then


def test_every_setting_is_listed_with_where_it_comes_from_and_why() -> None:
    fields = [field.name for field in msgspec.structs.fields(Settings)]
    assert [setting.name for setting in OPEN] == fields
    assert list(EFFECTS) == fields
    for setting in OPEN:
        assert setting.source in ("source", "outside", "ours"), setting.name
        assert setting.reason, setting.name


def test_a_rule_card_says_where_a_default_is_from() -> None:
    by_name = {setting.name: setting.source for setting in OPEN}
    assert (by_name["again"], by_name["mixed_limit"], by_name["stand_engaged"]) == ("outside", "ours", "source")
    told = CliRunner().invoke(app, ["rule", "storypath.initiative.pool-formula"]).output
    assert "public pages" in told
    told = CliRunner().invoke(app, ["rule", "storypath.initiative.sgc-group-roll"]).output
    assert "our default; the text is silent" in told


class TestUltra:
    """Storypath Ultra is a file of settings, and nothing else differs."""

    def test_the_profile_is_data(self) -> None:
        assert profile("ultra") == {"again": 0, "twice": 10}
        state = scene(hero("ann"), profile="ultra")
        assert (state.scene.settings.again, state.scene.settings.twice) == (0, 10)

    def test_a_ten_is_two_and_is_not_thrown_again(self) -> None:
        made = begun(hero("ann", close_combat=2, might=1), foe("wolf"), up="ann", dice=((10, 8, 2),), profile="ultra")
        made.declare("ann", "attack", target="wolf")
        assert happened(made, PoolRolled)[-1].successes == 3

    def test_what_the_scene_says_itself_goes_before_it(self) -> None:
        state = scene(hero("ann"), profile="ultra", settings={"twice": 9, "mixed_limit": 3})
        settings = state.scene.settings
        assert (settings.again, settings.twice, settings.mixed_limit) == (0, 9, 3)

    def test_the_same_fight_goes_by_either(self) -> None:
        plain = {"again": 0, "twice": 10}
        assert scene(hero("ann"), profile="ultra").scene.settings == scene(hero("ann"), settings=plain).scene.settings

    def test_another_name_is_refused(self) -> None:
        with pytest.raises(tw.BadScene, match="ultra"):
            scene(hero("ann"), profile="ultr")


class TestWhatIsWrongInAFile:
    @pytest.mark.parametrize(
        ("keys", "said"),
        [
            ({"settings": {"again": 5}}, "a face that counts"),
            ({"settings": {"targets": {"heroic": 8}}}, "for mortal"),
            ({"settings": {"mixed_limit": 1}}, "mixed_limit"),
            ({"settings": {"stunts": {"blind": 2}}}, "blinding"),
            ({"settings": {"stunts": {"trip": -1}}}, "from 0 up"),
            ({"settings": {"band_metres": [2, 100, 30, 1000]}}, "rise from band to band"),
            ({"places": ["a"], "ways": [["a", "b"]]}, "one of the places"),
            ({"places": ["a", "a"]}, "no other place has"),
            ({"characters": [{"id": "ann", "boxes": {"grazed": 1}}]}, "bruised, injured, maimed"),
            ({"characters": [{"id": "ann", "weapons": [{"name": "bow", "pool": "first"}]}]}, "primary"),
            ({"deeds": [{"name": "attack"}]}, "a name of its own"),
            ({"metres": True, "characters": [{"id": "ann", "at": "hall"}]}, "a point in metres"),
            ({"characters": [{"id": "ann"}, {"id": "ann"}]}, "no other character has"),
            ({"characters": [{"id": "ann", "tier": "titan"}]}, "mortal, heroic"),
            ({"characters": [{"id": "ann", "attributes": {"luck": 3}}]}, "intellect"),
            ({"characters": [{"id": "ann", "weapons": [{"name": "bow", "reach": "far"}]}]}, "close, short"),
            ({"characters": [{"id": "ann", "seat": "nobody"}]}, "one of the seats"),
            ({"characters": [{"id": "ann", "pools": {"first": 3}}]}, "primary"),
        ],
    )
    def test_it_is_told_what_and_what_would_be_right(self, keys: dict[str, Any], said: str) -> None:
        document = {"system": "storypath", "title": "a test", "characters": [{"id": "ann"}]} | keys
        with pytest.raises(tw.BadScene, match=said):
            tw.read_scene(yaml.safe_dump(document), "test.yaml")

    def test_the_schema_takes_the_sample(self) -> None:
        jsonschema = pytest.importorskip("jsonschema")
        game = find_game("storypath")
        jsonschema.validate(yaml.safe_load(game.sample()), game.scene_schema())
