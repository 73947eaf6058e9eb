"""Attacks: Defense, stunts, armour, injuries, and what pain does."""

from __future__ import annotations

from typing import Any

import pytest
from scions import answer, begun, codes, foe, happened, hero, out, plainly, question, result, turn_of, who

import turnwright as tw
from turnwright.systems.storypath.events import Absorbed, Grapples, Hit, On, PoolRolled, Stunted

DEFENSE = "storypath.attack.defense-requirement"
pytestmark = pytest.mark.rule(DEFENSE)


def strike(
    roll: Any, *, target: dict[str, Any] | None = None, ann: dict[str, Any] | None = None, **keys: Any
) -> tw.Table:
    """Ann attacks a foe with six dice."""
    one = hero("ann", close_combat=3, might=3, **(ann or {}))
    made = begun(one, foe("wolf", **(target or {})), up="ann", dice=(roll, *keys.pop("dice", ())), **keys)
    made.declare("ann", "attack", target="wolf")
    return made


def bitten(*dice: Any, ann: dict[str, Any] | None = None, **keys: Any) -> tw.Table:
    """The wolf attacks Ann, who rolls her Resolve of 3 for Defense."""
    made = begun(hero("ann", **({"resolve": 3, "stamina": 1} | (ann or {}))), foe("wolf"), up="wolf", dice=dice, **keys)
    made.declare("wolf", "attack", target="ann")
    return made


class TestDefense:
    def test_two_hit_a_defense_of_two_and_one_does_not(self) -> None:
        made = strike(2)
        plainly(made)
        assert result(made) == "hit"
        assert result(strike(1)) == "miss"

    def test_without_a_number_resilience_is_rolled_one_at_least(self) -> None:
        made = bitten(2, 2)
        assert question(made).question.about == "defense"
        answer(made, "defend")
        assert who(made, "ann").guard == 2
        plainly(made)
        assert result(made) == "hit"
        made = bitten(0, 1)
        assert who(made, "ann").guard == 1
        plainly(made)
        assert result(made) == "hit"

    def test_it_is_rolled_at_the_first_attack_of_the_round_and_kept_to_its_end(self) -> None:
        two = [foe("wolf"), foe("bear")]
        made = begun(hero("ann", resolve=3, stamina=5), *two, up="wolf", dice=(3, 0, 0))
        made.declare("wolf", "attack", target="ann")
        plainly(made)
        turn_of(made, "bear")
        made.declare("bear", "attack", target="ann")
        assert who(made, "ann").guard == 3
        rolled = [event.what for event in happened(made, PoolRolled)]
        assert rolled == ["Defense", "attack", "attack"]
        turn_of(made, "wolf")
        assert who(made, "ann").guard is None

    def test_diving_for_cover_takes_one_and_cover_takes_an_injury(self) -> None:
        made = bitten(2, 3)
        answer(made, "dive")
        assert (who(made, "ann").guard, who(made, "ann").cover) == (1, 1)
        plainly(made)
        assert happened(made, Absorbed)[0].cover
        assert who(made, "ann").boxes == {}

    def test_rolling_away_takes_the_attackers_composure_and_leaves_its_reach(self) -> None:
        # Half of the wolf's secondary pool of 3, rounded up, is 2.
        made = bitten(2, 4, places=["den", "path"])
        answer(made, "away:path")
        assert who(made, "ann").at == "path"
        plainly(made)
        assert result(made) == "miss"
        assert happened(made, Hit) == []

    def test_out_of_reach_and_without_a_weapon_there_is_no_attack(self) -> None:
        made = begun(hero("ann", at="here"), foe("wolf", at="there"), up="ann", places=["here", "there"])
        assert codes(made, "ann", "attack", target="wolf") == ["OUT_OF_REACH"]
        sheathed = hero("ann", items=[{"name": "blade"}])
        made = begun(sheathed, foe("wolf"), up="ann")
        assert codes(made, "ann", "attack", target="wolf", weapon="blade") == ["NOT_DRAWN"]


class TestArmour:
    def test_soft_armour_makes_an_injury_dearer(self) -> None:
        made = strike(3, target={"soft": 2})
        assert "inflict" not in question(made).options
        made = strike(4, target={"soft": 2})
        answer(made, "inflict")
        assert who(made, "wolf").boxes == {"health": 1}
        assert [(event.stunt, event.cost) for event in happened(made, Stunted)] == [("inflict", 2)]

    def test_hard_armour_takes_injuries_until_it_is_gone(self) -> None:
        made = strike(2, target={"hard": 1})
        answer(made, "inflict")
        plainly(made)
        assert who(made, "wolf").boxes == {}
        assert who(made, "wolf").hard == 0


class TestStunts:
    """Each with its price out of what is over Defense 2."""

    ARMED = {"weapons": [{"name": "axe", "pool": "primary"}], "items": [{"name": "axe", "place": "hand"}]}

    @pytest.mark.parametrize(
        ("stunt", "over"),
        [
            ("inflict", 0),
            ("blinding", 1),
            ("trip", 1),
            ("feint:ann", 1),
            ("disarm:axe", 2),
            ("seize:axe", 2),
            ("grapple", 2),
            ("disarm:away", 3),
        ],
    )
    def test_it_is_open_at_its_price_and_not_below(self, stunt: str, over: int) -> None:
        two = {"places": ["den", "path"]}
        assert stunt in question(strike(2 + over, target=self.ARMED, **two)).options
        if over:
            assert stunt not in question(strike(1 + over, target=self.ARMED, **two)).options

    def test_a_critical_is_one_injury_more_for_four(self) -> None:
        made = strike(6)
        assert "critical" not in question(made).options
        answer(made, "inflict")
        answer(made, "critical")
        assert who(made, "wolf").boxes == {"health": 2}

    def test_a_trip_lays_low(self) -> None:
        made = strike(3)
        answer(made, "trip")
        assert who(made, "wolf").prone

    def test_blinding_makes_the_next_shot_harder_by_one(self) -> None:
        archer = foe("wolf", weapons=[{"name": "bow", "pool": "primary", "reach": "medium"}])
        made = begun(hero("ann", close_combat=3, might=3, resolve=1), archer, up="ann", dice=(3, 1, 1))
        made.declare("ann", "attack", target="wolf")
        answer(made, "blinding")
        plainly(made)
        turn_of(made, "wolf")
        made.declare("wolf", "attack", target="ann")
        plainly(made)
        assert result(made) == "miss"  # 1 success against Defense 1, and 1 for the eyes
        turn_of(made, "ann")
        assert not who(made, "wolf").blinded

    def test_disarming_takes_the_weapon_and_seizing_gives_it(self) -> None:
        made = strike(4, target=self.ARMED)
        answer(made, "disarm:axe")
        assert who(made, "wolf").weapons == ()
        made = strike(4, target=self.ARMED)
        answer(made, "seize:axe")
        assert who(made, "wolf").weapons == ()
        assert [weapon.name for weapon in who(made, "ann").weapons] == ["blade", "axe"]

    def test_a_feint_gives_an_ally_enhancement_on_the_next_attack(self) -> None:
        two = [hero("ann", close_combat=3, might=3), hero("bo", close_combat=1, might=1)]
        made = begun(*two, foe("wolf"), up="ann", dice=(4, 1))
        made.declare("ann", "attack", target="wolf")
        answer(made, "feint:bo")
        answer(made, "2")
        plainly(made)
        turn_of(made, "bo")
        made.declare("bo", "attack", target="wolf")
        plainly(made)
        assert result(made) == "hit"  # 1 success and Enhancement 2

    def test_a_grapple_holds_both_until_it_is_broken(self) -> None:
        made = strike(4, dice=(2, 2))
        answer(made, "grapple")
        plainly(made)
        assert made.state.relation(Grapples, "ann", "wolf") is not None
        assert "GRAPPLED" in codes(made, "ann", "move", to="here")
        turn_of(made, "wolf")
        # Two against two: a tie is enough for the one who acts.
        made.declare("wolf", "break_free")
        assert made.state.relation(Grapples, "ann", "wolf") is None

    def test_a_grapple_of_others_can_be_broken_up(self) -> None:
        two = [hero("ann", close_combat=3, might=3), hero("bo")]
        made = begun(*two, foe("wolf"), up="ann", dice=(3,))
        from turnwright.systems.storypath.events import GrappleBegun

        made.override([GrappleBegun("", "wolf", "bo")], "it is so")
        made.declare("ann", "attack", target="wolf")
        answer(made, "break_up_grapple")
        assert made.state.relation(Grapples, "wolf", "bo") is None


class TestInjuries:
    @pytest.mark.parametrize(("stamina", "bruised"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3)])
    def test_boxes_follow_stamina(self, stamina: int, bruised: int) -> None:
        from turnwright.systems.storypath.sheet import boxes_of

        made = begun(hero("ann", stamina=stamina), foe("wolf"), up="ann")
        assert boxes_of(made.state, who(made, "ann")) == {"bruised": bruised, "injured": 1, "maimed": 1}

    def test_the_one_hurt_picks_the_box(self) -> None:
        made = bitten(0, 1)
        answer(made, "inflict")
        asked = question(made)
        assert (asked.who, asked.options) == ("ann", ("bruised", "injured", "maimed"))
        made.answer(asked, "injured")
        assert who(made, "ann").boxes == {"injured": 1}

    def test_without_a_free_box_one_is_taken_out(self) -> None:
        made = bitten(0, 1, ann={"boxes": {"bruised": 1, "injured": 1, "maimed": 1}})
        answer(made, "inflict")
        assert who(made, "ann").down

    def test_an_antagonist_is_out_when_its_health_is_gone(self) -> None:
        made = strike(2, target={"health": 1})
        answer(made, "inflict")
        assert who(made, "wolf").down

    @pytest.mark.parametrize(("box", "rating"), [("bruised", 1), ("injured", 2), ("maimed", 4)])
    def test_the_worst_box_is_a_complication(self, box: str, rating: int) -> None:
        made = strike(2 + rating, ann={"boxes": {box: 1}})
        assert f"pain:{rating}" in question(made).options
        answer(made, "done")
        # What nothing was spent on is borne by what is left over.
        assert who(made, "ann").hampered == 0

    def test_pain_that_is_not_bought_off_makes_the_next_roll_harder_and_undoes_nothing(self) -> None:
        made = strike(2, ann={"boxes": {"injured": 1}}, dice=(2, 3))
        answer(made, "inflict")
        assert result(made) == "hit"
        assert who(made, "ann").hampered == 1
        turn_of(made, "ann")
        made.declare("ann", "attack", target="wolf")
        assert result(made) == "miss"  # 2 where 3 were needed
        assert who(made, "ann").hampered == 0


class TestDownAndDirty:
    def test_a_minor_foe_is_settled_in_one_roll_and_a_tie_is_the_players(self) -> None:
        made = begun(hero("ann", close_combat=1, might=1), foe("rat", minor=True), up="ann", dice=(2, 2))
        made.declare("ann", "down_and_dirty", target="rat")
        assert who(made, "rat").down

    def test_whoever_loses_is_hurt(self) -> None:
        made = begun(hero("ann", close_combat=1, might=1), foe("rat", minor=True), up="ann", dice=(2, 1))
        made.declare("ann", "down_and_dirty", target="rat")
        plainly(made)
        assert not who(made, "rat").down
        assert who(made, "ann").boxes == {"bruised": 1}

    def test_only_players_and_not_against_a_higher_tier(self) -> None:
        god = foe("god", minor=True, tier="divine", open=True)
        made = begun(hero("ann"), foe("rat", minor=True), god, foe("wolf"), up="ann")
        assert codes(made, "ann", "down_and_dirty", target="god") == ["HIGHER_TIER"]
        assert codes(made, "ann", "down_and_dirty", target="wolf") == ["NOT_MINOR"]
        turn_of(made, "rat")
        assert "NOT_A_PLAYER" in codes(made, "rat", "down_and_dirty", target="ann")


class TestMovingInTheFight:
    ROW = {"places": ["a", "b", "c"]}

    def test_a_rush_is_a_band_and_a_tie_is_the_defenders(self) -> None:
        for mine, theirs, at in ((2, 1, "b"), (2, 2, "a")):
            made = begun(
                hero("ann", at="a", athletics=2), foe("wolf", at="c"), up="ann", dice=(theirs, mine), **self.ROW
            )
            made.declare("ann", "rush", target="wolf")
            assert who(made, "ann").at == at

    def test_disengaging_is_a_band_besides_a_move_and_a_tie_is_enough(self) -> None:
        for mine, theirs, at in ((2, 2, "b"), (1, 2, "a")):
            near = [hero("ann", at="a", athletics=2), foe("wolf", at="a")]
            made = begun(*near, up="ann", dice=(theirs, mine), **self.ROW)
            made.declare("ann", "disengage", to="b")
            assert who(made, "ann").at == at
            assert codes(made, "ann", "disengage", to="c")
            assert who(made, "ann").actions == 1
            assert who(made, "ann").moves == 0

    def test_a_shot_takes_the_attribute_of_the_distance(self) -> None:
        from scions import pool

        gun = {"name": "gun", "skill": "firearms", "attribute": "by range", "reach": "long"}
        ann = hero("ann", at="a", firearms=2, might=1, dexterity=3, cunning=4, weapons=[gun])
        made = begun(ann, foe("near", at="a"), foe("short", at="b"), foe("medium", at="c"), up="ann", **self.ROW)
        assert [pool(made, "ann", "attack", target=name) for name in ("near", "short", "medium")] == [3, 5, 6]


def test_whoever_is_on_somebody_comes_along_and_is_off_when_that_one_is_out() -> None:
    made = begun(hero("ann", on="wolf"), foe("wolf"), up="wolf", places=["a", "b"])
    made.declare("wolf", "move", to="b")
    assert who(made, "ann").at == "b"
    assert made.state.relation(On, "ann", "wolf") is not None
    out(made, "wolf")
    assert made.state.relation(On, "ann", "wolf") is None


def test_nobody_attacks_who_is_taken_out() -> None:
    made = begun(hero("ann"), foe("wolf"), foe("bear"), up="ann")
    out(made, "wolf")
    assert codes(made, "ann", "attack", target="wolf") == ["TARGET_DOWN"]
