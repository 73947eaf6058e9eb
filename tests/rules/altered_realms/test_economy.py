"""Budgets, what they are for, and what Reactions are for."""

import pytest
from realms import SWORD, armed, codes, creature, explain, left, passing, question, refused, spent, table, turn, who

import turnwright as tw
from turnwright.systems.altered_realms.sheet import reaction_label


def two(**keys: object) -> tw.Table:
    hero = creature("kara", "heroes", (1, 1), **({"items": [SWORD]} | keys.pop("kara", {})))  # type: ignore[operator]
    return table(hero, creature("orc", "orcs", (2, 1), ac=12), **keys)  # type: ignore[arg-type]


@pytest.mark.rule("altered-realms.economy.applies-to-all", "altered-realms.economy.start-of-turn-allotment")
def test_every_creature_begins_its_turn_with_one_of_each():
    t = two(kara={"seat": "ann"}, seats=[{"id": "ann"}])
    for name in ("kara", "orc"):
        turn(t, name)
        assert left(t, name) == (1, 1, 1)
        assert who(t, name).reactions == 1


@pytest.mark.rule("altered-realms.economy.start-of-turn-allotment")
def test_what_is_unused_lapses_and_what_was_spent_is_back():
    t = two(begin="kara")
    t.declare("kara", "sprint")
    assert left(t, "kara") == (0, 1, 2)
    t.declare("kara", "end")
    assert left(t, "kara") == (0, 0, 0)
    turn(t, "orc")
    turn(t, "kara")
    assert left(t, "kara") == (1, 1, 1)


@pytest.mark.rule("altered-realms.economy.extra-grants")
def test_traits_grant_attacks_motions_and_movements_but_no_actions():
    quick = [{"name": "quick", "attacks": 2, "motions": 1, "movements": 1}]
    t = two(kara={"traits": quick}, begin="kara")
    assert left(t, "kara") == (1, 2, 2)
    assert who(t, "kara").attack_count == 3


@pytest.mark.rule("altered-realms.economy.reactions-off-turn-only")
def test_a_reaction_is_no_use_in_the_own_turn():
    t = two(kara={"items": [], "training": {"athletics": 1}}, begin="kara", dice=(9,))
    assert "NO_TRIGGER" in codes(t, "kara", "opportunity_attack")
    assert "OWN_TURN" in codes(t, "kara", "opportunity_attack")
    turn(t, "orc")
    assert "OWN_TURN" not in codes(t, "kara", "opportunity_attack")
    t.declare("orc", "walk", route=[(3, 1)])
    t.answer(question(t), "0")  # strikes, and misses with 9
    assert who(t, "kara").reactions == 0


@pytest.mark.rule("altered-realms.reaction.definition")
def test_a_reaction_leaves_the_next_turn_as_it_is():
    t = two(begin="orc", dice=(15, 3))
    t.declare("orc", "walk", route=[(3, 1)])
    t.answer(question(t), "0")
    assert who(t, "kara").reactions == 0
    turn(t, "kara")
    assert left(t, "kara") == (1, 1, 1)
    assert who(t, "kara").reactions == 1


@pytest.mark.rule("altered-realms.action.definition")
def test_an_action_is_one_attack_or_one_spell_or_one_physical_roll():
    spell = {"name": "ward", "cost": {"might": 1}}
    t = two(kara={"abilities": [spell], "pools": {"might": 2}}, begin="kara")
    t.declare("kara", "cast", ability="ward")
    assert left(t, "kara") == (0, 1, 1)
    assert codes(t, "kara", "attack", target="orc") == ["ACTION"]
    t = two(begin="kara", dice=(10,))
    t.declare("kara", "attack", target="orc")
    assert left(t, "kara")[0] == 0
    assert codes(t, "kara", "sprint") == ["ACTION"]
    t = two(begin="kara", dice=(10,))
    t.declare("kara", "attempt", intent="get up there", method="climb", skill="athletics")
    t.answer(question(t), {"kind": "check", "skill": "athletics", "target": 10, "success": "up", "failure": "no"})
    assert left(t, "kara")[0] == 0
    assert "ACTION" in codes(t, "kara", "attack", target="orc")


POTION = {"name": "potion", "place": "pouch", "size": "tiny", "drink": True, "heals": "4"}
KNIFE = {"name": "knife", "place": "holster", "weapon": {"damage": "1d4"}}


@pytest.mark.rule("altered-realms.motion.definition")
def test_a_motion_is_one_quick_deed_and_takes_nothing_else():
    t = two(kara={"items": [KNIFE, POTION]}, begin="kara")
    t.declare("kara", "draw", item="knife")
    assert left(t, "kara") == (1, 0, 1)
    offer = explain(t, "kara", "drink", item="potion")
    assert offer.verdict == "legal"  # only by breaking something down
    assert [way.way for way in offer.ways] == ["action", "movement"]


@pytest.mark.rule("altered-realms.motion.intro-examples")
def test_a_potion_on_the_person_is_one_motion_all_in_and_one_in_the_pack_is_rummaged_for():
    two_motions = [{"name": "nimble", "motions": 1}]
    packed = {"name": "elixir", "place": "pack", "drink": True}
    t = two(kara={"items": [KNIFE, POTION, packed], "traits": two_motions, "hp": 10, "hp_max": 20}, begin="kara")
    t.declare("kara", "drink", item="potion")
    assert left(t, "kara") == (1, 1, 1)
    assert who(t, "kara").hp == 14
    assert codes(t, "kara", "drink", item="elixir") == ["NOT_AT_HAND"]
    t.declare("kara", "draw", item="knife")
    assert left(t, "kara") == (1, 0, 1)


@pytest.mark.rule("altered-realms.reaction.opportunity-and-triggered")
def test_an_opportunity_attack_takes_the_reaction_that_a_triggered_ability_would_need():
    thorns = {"name": "thorns", "trigger": "hurt", "at": "enemy", "damage": "3"}
    t = two(kara={"abilities": [thorns]}, begin="orc", dice=(15, 3, 20, 1))
    t.declare("orc", "walk", route=[(3, 1)])
    t.answer(question(t), "0")
    assert who(t, "kara").reactions == 0
    t.declare("orc", "walk", route=[(2, 1)])
    t.declare("orc", "attack", target="kara")  # a bare fist, 1 damage
    assert who(t, "kara").hp == 19
    assert t.waiting_on == ()  # nobody is asked for thorns


@pytest.mark.rule("altered-realms.reaction.opportunity-and-triggered")
def test_with_two_reactions_both_are_open():
    thorns = {"name": "thorns", "trigger": "hurt", "at": "enemy", "damage": "3"}
    t = two(kara={"abilities": [thorns], "reactions": 2}, begin="orc", dice=(15, 3, 20))
    t.declare("orc", "walk", route=[(3, 1)])
    t.answer(question(t), "0")
    t.declare("orc", "walk", route=[(2, 1)])
    t.declare("orc", "attack", target="kara")
    t.answer(question(t), "0")
    assert who(t, "kara").reactions == 0
    assert who(t, "orc").hp == 20 - 3 - 3


@pytest.mark.rule("altered-realms.reaction.opportunity-and-triggered")
def test_whoever_teleports_away_is_not_struck_at():
    blink = {"name": "blink", "budget": "movement", "teleport": 5}
    t = table(
        creature("kara", "heroes", (1, 1), items=[SWORD]),
        creature("orc", "orcs", (2, 1), abilities=[blink]),
        begin="orc",
    )
    t.declare("orc", "cast", ability="blink", to=(6, 1))
    assert t.waiting_on == ()
    assert who(t, "orc").at == (6, 1)
    assert left(t, "orc") == (1, 1, 0)


@pytest.mark.rule("altered-realms.reaction.opportunity-and-triggered")
def test_the_blow_falls_before_the_step_that_leaves():
    t = two(begin="orc", dice=(15, 8), kara={"str_": 12})
    t.declare("orc", "walk", route=[(3, 1), (4, 1)])
    t.answer(question(t), "0")
    assert who(t, "orc").hp == 12
    t = two(begin="orc", dice=(15, 28), kara={"items": [armed(5, damage="1d8+20")]})
    t.declare("orc", "walk", route=[(3, 1), (4, 1)])
    t.answer(question(t), "0")
    assert who(t, "orc").at == (2, 1)  # it fell where it stood


@pytest.mark.rule("altered-realms.reaction.any-off-turn-act")
def test_off_turn_the_narrator_is_asked_and_it_costs_a_reaction():
    t = two(kara={"items": [KNIFE]}, begin="orc")
    offer = explain(t, "kara", "draw", item="knife")
    assert offer.verdict == "ruling"
    assert spent(t, "kara", "draw", item="knife") == {"reaction": 1}
    t.declare("kara", "draw", item="knife")
    assert question(t).who == "guide"
    t.answer(question(t), 0)
    assert who(t, "kara").reactions == 0
    assert who(t, "kara").held_in("right hand") is not None
    assert "REACTION" in codes(t, "kara", "walk", to=(1, 2))
    assert "REACTION" in codes(t, "kara", "drop", item="knife")  # which a rule offers, for a Reaction


@pytest.mark.rule("altered-realms.reaction.any-off-turn-act")
def test_walking_a_metre_off_turn_is_for_the_narrator_to_allow():
    t = two(begin="orc")
    t.declare("kara", "walk", route=[(1, 2)])
    t.answer(question(t), {"kind": "impossible", "obstacle": "no time"})
    assert who(t, "kara").reactions == 1
    t.declare("kara", "walk", route=[(1, 2)])
    t.answer(question(t), {"kind": "procedure", "procedure": "walk"})
    passing(t)
    assert who(t, "kara").at == (1, 2)
    assert (who(t, "kara").reactions, who(t, "kara").metres) == (0, 0)


@pytest.mark.rule("altered-realms.reaction.count-scale")
def test_reactions_by_number():
    assert [reaction_label(n) for n in (1, 2, 3, 5)] == ["typical", "very fast", "superhuman", "superhuman"]
    assert who(two(), "orc").reaction_count == 1


class TestDowngrade:
    @pytest.mark.rule("altered-realms.downgrade.allowed-mid-turn")
    def test_an_action_becomes_a_motion_when_one_is_needed(self):
        t = two(kara={"items": [KNIFE]}, begin="kara")
        t.declare("kara", "downgrade", budget="movement", into="motion")
        t.override({"kara.motions": 0}, "a test")
        assert left(t, "kara") == (1, 0, 0)
        assert [way.way for way in explain(t, "kara", "draw", item="knife").ways] == ["action"]
        t.declare("kara", "draw", item="knife")
        assert left(t, "kara") == (0, 0, 0)

    @pytest.mark.rule("altered-realms.downgrade.allowed-mid-turn")
    def test_where_two_budgets_would_do_it_is_asked_which(self):
        t = two(kara={"items": [KNIFE, POTION]}, begin="kara")
        t.declare("kara", "draw", item="knife")
        t.declare("kara", "drink", item="potion")
        assert question(t).prompt == "How is it paid?"
        t.answer(question(t), "movement")
        assert left(t, "kara") == (1, 0, 0)

    @pytest.mark.rule("altered-realms.downgrade.one-way")
    @pytest.mark.parametrize("source", ["motion", "movement"])
    def test_nothing_becomes_an_action(self, source: str):
        t = two(begin="kara")
        t.override({"kara.actions": 0}, "a test")
        assert codes(t, "kara", "downgrade", budget=source, into="action") == ["UPWARD"]
        assert codes(t, "kara", "downgrade", budget="motion", into="movement") == ["UPWARD"]
        assert left(t, "kara") == (0, 1, 1)

    @pytest.mark.rule("altered-realms.downgrade.bonus-never-combines-up")
    def test_case_01_any_number_of_bonus_budgets_gives_no_action(self):
        many = [{"name": "whirl", "motions": 3, "movements": 2}]
        t = two(kara={"traits": many}, begin="kara")
        t.override({"kara.actions": 0}, "a test")
        assert left(t, "kara") == (0, 4, 3)
        assert codes(t, "kara", "attack", target="orc") == ["ACTION"]
        assert explain(t, "kara", "attack", target="orc").ways != ()
        assert "UPWARD" in codes(t, "kara", "downgrade", budget="movement", into="action")
        assert left(t, "kara") == (0, 4, 3)

    @pytest.mark.rule("altered-realms.downgrade.bonus-never-combines-up", "altered-realms.downgrade.allowed-mid-turn")
    def test_case_01_a_fourth_motion_costs_the_action_and_then_there_is_no_attack(self):
        items = [KNIFE, POTION, {"name": "rope", "place": "pouch"}]
        lying = [{"item": {"name": "cup"}, "at": [1, 2]}]
        t = two(kara={"items": items, "traits": [{"name": "deft", "motions": 2}]}, items=lying, begin="kara")
        t.declare("kara", "draw", item="knife")
        t.declare("kara", "drink", item="potion")
        t.declare("kara", "stow", item="knife")
        assert left(t, "kara") == (1, 0, 1)
        t.declare("kara", "pick_up", item="cup", way="action")
        assert left(t, "kara") == (0, 0, 1)
        assert codes(t, "kara", "attack", target="orc") == ["ACTION"]  # a Movement is left, and of no use for it

    @pytest.mark.rule("altered-realms.downgrade.table-is-guide")
    def test_the_rates_are_the_settings(self):
        t = two(begin="kara", settings={"action_to_motion": 2})
        t.declare("kara", "downgrade", budget="action", into="motion")
        assert left(t, "kara") == (0, 3, 1)
        t = two(begin="kara")
        t.declare("kara", "downgrade", budget="action", into="motion")
        assert left(t, "kara") == (0, 2, 1)


class TestMotions:
    @pytest.mark.rule("altered-realms.motion.section-examples")
    def test_drawing_grabbing_and_tossing_are_motions(self):
        t = two(kara={"items": [KNIFE, POTION]}, begin="kara")
        assert spent(t, "kara", "draw", item="knife") == {"motion": 1}
        assert spent(t, "kara", "draw", item="potion") == {"motion": 1}
        t.declare("kara", "draw", item="potion")
        assert left(t, "kara") == (1, 0, 1)


def test_nobody_acts_before_the_turn_of_another_is_over():
    t = two(begin="kara")
    assert "TURN" in codes(t, "orc", "begin")
    assert refused(lambda: t.declare("orc", "begin"))


def test_initiative_is_highest_first_then_the_higher_modifier_then_a_roll_off():
    t = table(
        creature("a", "x", (1, 1), dex_=2),
        creature("b", "x", (3, 1), dex_=4),
        creature("c", "y", (5, 1), dex_=2),
        dice=((12,), (10,), (12,), (3,), (17,)),
    )
    t.declare("", "initiative")
    # a 14, b 14 with the higher modifier, c 14: a and c roll off, 3 against 17.
    assert t.next_turn() == "b"
    turn(t, "b")
    t.declare("b", "end")
    assert t.next_turn() == "c"
