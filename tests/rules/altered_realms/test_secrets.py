"""Hidden creatures, unknown numbers and secret preparations: what a player's screen tells of them, and what not."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from realms import SWORD, creature, happened, question, refused, table, turn, who

import turnwright as tw
from turnwright.events import Acted, Barred, Charged, Impossible
from turnwright.model import SPECTATOR, Declaration
from turnwright.systems.altered_realms.events import (
    Afflicted,
    AidLent,
    DamageRolled,
    DodgeBegun,
    Dodging,
    Forced,
    Halted,
    Harmed,
    Hit,
    HoldBegun,
    InspirationGiven,
    ItemMoved,
    Mechanism,
    MechanismSet,
    Missed,
    MovementBegun,
    OrderRolled,
    Primed,
    PrimedSet,
    Rested,
    RollsAllowed,
    Stance,
    StoodUp,
    Used,
)
from turnwright.systems.altered_realms.sheet import Affliction, Armor, Item
from turnwright.systems.altered_realms.story import summary

SEATS = [{"id": "ann"}, {"id": "cy"}]
SIDES = ["x", "y"]


def kara(**keys: Any) -> dict[str, Any]:
    return creature("kara", "x", (2, 2), seat="ann", **{"hp": 30, **keys})


def dock(**keys: Any) -> dict[str, Any]:
    return creature("dock", "y", (3, 2), str_=2, **keys)


def spy(at: tuple[int, int] = (2, 3), **keys: Any) -> dict[str, Any]:
    return creature("spy", "y", at, hidden=True, str_=3, **keys)


def scene(*creatures: dict[str, Any], **keys: Any) -> tw.Table:
    return table(*creatures, seats=SEATS, sides=SIDES, **keys)


def codes(t: tw.Table, actor: str, action: str, **said: Any) -> list[str]:
    return [refusal.code for refusal in t.explain(actor, action, seat="ann", **said).refusals]


def news(t: tw.Table, kind: type[Any], seat: str = "ann") -> list[Any]:
    return [event for event in t.news(seat) if isinstance(event, kind)]


def told(t: tw.Table, event: Any, seat: str = "ann") -> Any:
    """How a seat learns of something that happens now."""
    return t.game.sees_event(t.state, event.apply(t.state), event, seat)


# -- whom one can aim at


class TestAimedAtAllies:
    MEND = ({"name": "mend", "at": "ally", "heals": "4", "budget": "motion"},)

    def test_nobody_can_tell_a_hidden_creature_from_one_who_is_not_there(self) -> None:
        here = scene(kara(abilities=list(self.MEND)), dock(), spy(), begin="kara")
        gone = scene(kara(abilities=list(self.MEND)), dock(), begin="kara")
        for t in (here, gone):
            assert codes(t, "kara", "cast", ability="mend", target="spy") == ["NO_TARGET"]
            assert refused(lambda t=t: t.declare("kara", "cast", ability="mend", target="spy", seat="ann"))
            assert refused(lambda t=t: t.odds("kara", "cast", ability="mend", target="spy", seat="ann"))

    def test_what_is_for_allies_helps_no_opponent(self) -> None:
        t = scene(kara(abilities=list(self.MEND)), dock(), creature("kim", "x", (1, 2), seat="ann"), begin="kara")
        assert codes(t, "kara", "cast", ability="mend", target="dock") == ["NO_ALLY"]
        assert codes(t, "kara", "cast", ability="mend", target="kim") == []
        assert codes(t, "kara", "cast", ability="mend", target="kara") == []


@pytest.mark.rule("altered-realms.grapple.no-movement-except-teleport")
def test_a_teleport_to_where_somebody_unseen_stands_leads_nowhere() -> None:
    blink = {"name": "blink", "teleport": 4, "budget": "movement"}
    t = scene(kara(abilities=[blink]), dock(), spy(), begin="kara")
    assert codes(t, "kara", "cast", ability="blink", to=(2, 3)) == []
    t.declare("kara", "cast", ability="blink", to=(2, 3), seat="ann")
    assert (who(t, "kara").at, who(t, "spy").at) == ((2, 2), (2, 3))
    assert [event.why for event in news(t, Halted)] == ["somebody stands there already"]
    assert who(t, "kara").movements == 0


# -- whose turn it is


class TestTheTurnOfSomebodyHidden:
    def during(self, **keys: Any) -> tw.Table:
        return scene(kara(**keys), dock(), spy(), begin="spy", dice=((5,),))

    @pytest.mark.rule("altered-realms.economy.applies-to-all")
    def test_nobody_can_begin_in_it_and_it_can_be_ended(self) -> None:
        t = self.during()
        assert codes(t, "kara", "begin") == []
        t.declare("kara", "begin", seat="ann")
        assert t.state.active == "spy"
        assert [event.why for event in news(t, Barred)] == [("it is somebody else's turn",)]
        t.declare("spy", "end")
        t.declare("kara", "begin", seat="ann")
        assert t.state.active == "kara"

    @pytest.mark.rule("altered-realms.sustain.no-rest-or-sleep")
    @pytest.mark.parametrize("action", ["rest", "sleep"])
    def test_nobody_rests_or_sleeps_in_it(self, action: str) -> None:
        t = self.during()
        t.declare("kara", action, seat="ann")
        while t.waiting_on:
            t.answer(t.waiting_on[0], {"kind": "procedure"})
        assert [event.obstacle for event in news(t, Impossible)] == ["somebody's turn is under way"]
        assert happened(t, Rested) == []

    @pytest.mark.rule("altered-realms.sprint.stamina-per-hour")
    def test_nobody_sprints_for_hours_in_it_and_nothing_is_paid(self) -> None:
        t = self.during(pools={"stamina": 3})
        t.declare("kara", "sprint_for_hours", hours=2, seat="ann")
        while t.waiting_on:
            t.answer(t.waiting_on[0], {"kind": "procedure"})
        assert who(t, "kara").pools["stamina"] == 3

    @pytest.mark.rule("altered-realms.armor.don-doff-time-listed")
    def test_nobody_puts_armour_on_in_it(self) -> None:
        t = self.during(items=[{"name": "mail", "place": "pack", "armor": {"don": 5, "doff": 1, "ac": 2}}])
        t.declare("kara", "don", item="mail", seat="ann")
        while t.waiting_on:
            t.answer(t.waiting_on[0], {"kind": "procedure"})
        assert [item.place for item in who(t, "kara").items] == ["pack"]

    @pytest.mark.rule("altered-realms.reaction.any-off-turn-act")
    def test_no_price_tells_that_it_is_under_way(self) -> None:
        t = self.during(items=[SWORD])
        t.declare("kara", "attack", target="dock", seat="ann")
        t.answer(t.waiting_on[0], {"kind": "procedure"})
        assert [q.kind for q in t.waiting_on if q.who == "ann"] in ([], ["roll"])
        assert who(t, "kara").reactions == 1


# -- being held


class TestHeldBySomebodyHidden:
    """Whoever is held feels by whom: while the hold lasts the holder is known to its captive's side."""

    def held(self, *dice: tuple[int, ...]) -> tw.Table:
        other = creature("lone", "z", (10, 5), seat="cy")
        t = table(kara(), dock(), spy(), other, seats=SEATS, sides=["x", "y", "z"], dice=((15,), *dice), begin="spy")
        t.declare("spy", "grapple", target="kara")
        turn(t, "kara")
        return t

    @pytest.mark.rule("altered-realms.grapple.attack-or-escape", "altered-realms.grapple.escape-save")
    def test_the_captive_knows_the_holder_and_may_escape(self) -> None:
        t = self.held((20,))
        assert [event.actor for event in news(t, HoldBegun)] == ["spy"]
        assert t.knows("ann").actors["spy"].at == (2, 3)
        assert codes(t, "kara", "escape") == []
        assert codes(t, "kara", "walk", route=[(1, 2)]) == ["HELD", "HELD"]
        t.declare("kara", "escape", seat="ann")
        assert "spy" not in t.knows("ann").actors
        assert "NOT_HELD" in codes(t, "kara", "escape")

    @pytest.mark.rule("altered-realms.grapple.no-movement-except-teleport")
    def test_nobody_else_learns_of_the_holder(self) -> None:
        t = self.held()
        assert "spy" not in t.knows("cy").actors
        assert news(t, HoldBegun, "cy") == []
        assert "spy" not in t.knows(SPECTATOR).actors

    def test_a_hold_between_two_strangers_of_whom_one_is_hidden_is_no_news(self) -> None:
        t = scene(kara(), dock(), spy((4, 2)))
        assert told(t, HoldBegun("", "dock", "spy", "right hand")) is None


# -- what is told of others


class TestNews:
    @pytest.mark.parametrize(
        "event",
        [
            Harmed("", "dock", 3, "blunt", by="spy"),
            Forced("", "dock", (4, 2), "spy"),
            Afflicted("", "dock", "blinded", "wis", 15, "spy"),
            InspirationGiven("", "dock", "spy", 2),
            Acted("", "dock", "toss", "proactive", "spy"),
            Used("", "dock", "mend", "spy"),
            Hit("", "dock", "spy"),
            Missed("", "dock", "spy"),
            DodgeBegun("", "dock", "spy"),
            AidLent("", "dock", "spy", "athletics", 5),
            DamageRolled("", "dock", "spy", 4),
        ],
    )
    def test_names_nobody_hidden(self, event: Any) -> None:
        t = scene(kara(), dock(), spy())
        shown = told(t, event)
        assert shown is None or "spy" not in str(shown)
        assert told(t, event, "guide") == event

    def test_of_one_s_own_names_nobody_hidden_either(self) -> None:
        t = scene(kara(), dock(), spy())
        assert told(t, Harmed("", "kara", 3, "blunt", by="spy")) == Harmed("", "kara", 3, "blunt", by="somebody")
        shown = told(t, Afflicted("", "kara", "blinded", "wis", 15, "spy"))
        assert (shown.by, shown.dc) == ("somebody", 0)

    def test_of_an_order_of_turns_has_those_who_are_known_and_one_s_own_total(self) -> None:
        t = scene(kara(), dock(), spy(), dice=((12,), (9,), (20,)))
        t.declare("kara", "initiative", seat="guide")
        (order,) = news(t, OrderRolled)
        assert order.actors == ("kara", "dock")
        assert order.totals == (12, None)

    @pytest.mark.rule("altered-realms.prime.declare-action-and-trigger", "altered-realms.defensive-stance.cost")
    def test_of_what_is_prepared_says_neither_what_nor_at_whom(self) -> None:
        for said in ({"deed": "attack", "target": "kara"}, {"deed": "defensive_stance"}):
            t = scene(kara(), dock(), begin="dock")
            t.declare("dock", "prime", trigger="she moves", **said)
            assert happened(t, PrimedSet)
            assert news(t, PrimedSet) == []
            assert [(event.action, event.target) for event in news(t, Acted)] == [("prime", "")]
            assert [[(c.resource, c.why) for c in event.costs] for event in news(t, Charged)] == [[("action", "")]]

    def test_of_a_stranger_tells_no_numbers(self) -> None:
        t = scene(kara(), dock(), creature("dob", "y", (4, 2)))
        assert told(t, AidLent("", "dock", "dob", "athletics", 5)).amount == 0
        assert told(t, InspirationGiven("", "dob", "dock", 2)).amount == 0
        assert told(t, RollsAllowed("", "dock", "mental", 4)) is None
        assert told(t, MovementBegun("", "dock", 6, 6)) == MovementBegun("", "dock", 0, 0)
        assert told(t, StoodUp("", "dock", 3)).metres == 0
        assert told(t, DamageRolled("", "dock", "kara", 7, "club", "1d8 + 4")).dice == ""
        plate = Item("plate", "worn", armor=Armor(10, 5, 6, "heavy"))
        shown = told(t, ItemMoved("", "dock", plate))
        assert shown.item.armor == Armor(0, 0, 0, "heavy")
        assert told(t, ItemMoved("", "dock", Item("potion", "pack"))) is None

    def test_of_a_trap_that_is_hidden_there_is_none_and_of_another_no_numbers(self) -> None:
        t = scene(kara(), dock())
        snare = Mechanism("snare", "trap", "the snare", (5, 5), "good", 17, damage="4d6", on_fail="snap")
        assert told(t, MechanismSet("", "dock", replace(snare, hidden=True, spent=True))) is None
        shown = told(t, MechanismSet("", "dock", replace(snare, spent=True))).mechanism
        assert shown == Mechanism("snare", "trap", "the snare", (5, 5), "", spent=True)

    def test_of_a_lock_that_somebody_hidden_opens_does_not_say_who(self) -> None:
        t = scene(kara(), spy())
        chest = Mechanism("chest", "lock", "the chest", (5, 5), open=True)
        assert told(t, MechanismSet("", "spy", chest)).actor == ""


class TestTheView:
    def test_has_no_numbers_of_what_lies_about_of_locks_or_of_armour(self) -> None:
        plate = {"name": "plate", "place": "worn", "armor": {"don": 9, "doff": 4, "ac": 5, "weight": "heavy"}}
        t = scene(
            kara(),
            dock(items=[plate]),
            items=[{"item": {"name": "axe", "weapon": {"damage": "2d6", "training": 3}}, "at": [5, 5]}],
            mechanisms=[{"id": "chest", "kind": "lock", "at": [4, 4], "dc": 17, "on_fail": "boom", "damage": "3d6"}],
        )
        known = t.knows("ann")
        assert known.actors["dock"].items[0].armor == Armor(0, 0, 0, "heavy")
        assert known.facts["lying axe"].item.weapon.damage == "1"  # type: ignore[attr-defined]
        chest = known.facts["chest"]
        assert isinstance(chest, Mechanism)
        assert (chest.dc, chest.quality, chest.damage, chest.on_fail) == (None, "", "", "")

    @pytest.mark.rule("altered-realms.lock.dc-table", "altered-realms.lock.simple-exempt")
    def test_odds_take_a_lock_for_a_common_one_and_say_so(self) -> None:
        picks = [{"name": "set", "place": "pouch", "tools": "lock"}]
        chest = {"id": "chest", "kind": "lock", "at": [3, 3], "dc": 20}
        t = scene(kara(items=picks), mechanisms=[chest], begin="kara")
        found = t.odds("kara", "pick_lock", thing="chest", seat="ann")
        # 14 or more of a d20 with nothing added; 20 for the guide.
        assert float(found.success) == 7 / 20
        assert found.assumptions == ("chest: DC 14",)
        assert float(t.odds("kara", "pick_lock", thing="chest", seat="guide").success) == 1 / 20

    def test_has_no_dc_of_what_a_stranger_did_to_one_s_own(self) -> None:
        t = scene(kara(), dock())
        suffering = replace(who(t, "kara"), afflictions=(Affliction("blinded", "wis", 17, "dock"),))
        state = t.state.with_actor(suffering)
        assert tw.Table(state, seed=1).knows("ann").actors["kara"].afflictions[0].dc == 0

    def test_a_spectator_is_not_told_who_has_a_reaction_left(self) -> None:
        t = scene(kara(reactions=2), creature("dob", "y", (5, 5), seat="cy"))
        shown = []
        for left in (0, 1, 2):
            t.override({"kara.reactions": left}, "so")
            shown.append(t.knows(SPECTATOR).actors["kara"])
        assert shown[0] == shown[1] == shown[2]

    def test_a_spectator_sees_who_is_down(self) -> None:
        t = scene(kara(conditions=["prone"]), creature("dob", "y", (5, 5), seat="cy"))
        t.override({"kara.hp": 0}, "so")
        assert t.knows(SPECTATOR).actors["kara"].conditions == ("prone", "incapacitated")

    def test_a_spectator_is_told_of_a_wound_and_not_how_deep_it_is(self) -> None:
        t = scene(kara(), creature("dob", "y", (5, 5), seat="cy"))
        wound = Harmed("", "kara", 7, "blunt", by="dob")
        assert told(t, wound).amount == 7
        assert told(t, wound, SPECTATOR) == replace(wound, amount=0)

    def test_a_stranger_at_a_glance_has_no_numbers(self) -> None:
        t = scene(kara(), dock(items=[SWORD], ac=13, hp=40))
        known = t.knows("ann")
        assert summary(known, known.actors["dock"]) == "sword in hand"
        assert summary(known, known.actors["kara"]) == "HP 30/30, AC 10, 1 Reaction"


# -- questions


class TestQuestions:
    @pytest.mark.rule("altered-realms.last-grasp.pass")
    def test_where_to_stand_leaves_out_nobody_hidden_and_who_is_met_there_is_found_out(self) -> None:
        t = scene(
            kara(dex_=9),
            creature("dock", "y", (1, 2), str_=4, spell_dc=5, maneuver_dc=5),
            spy((3, 1)),
            rows=["......", "......", "...o..", "......", "......"],
            legend={"o": {"name": "pit", "drop": 9}},
            dice=((20,), (20,)),
            begin="dock",
        )
        t.declare("dock", "push", target="kara")
        t.answer(question(t), "0")
        asked = question(t)
        assert "3,1" in [option.id for option in asked.question.options]
        t.answer(asked, "3,1")
        assert [event.why for event in news(t, Halted)] == ["somebody stands there already"]
        again = question(t)
        assert "3,1" not in [option.id for option in again.question.options]
        t.answer(again, "3,3")
        assert who(t, "kara").at == (3, 3)

    @pytest.mark.rule("altered-realms.last-grasp.dc-physical")
    def test_at_an_edge_nobody_is_told_the_dc(self) -> None:
        rows = ["......", "......", "...o..", "......"]
        pit = {"o": {"name": "pit", "drop": 9}}
        t = scene(kara(), creature("dock", "y", (1, 2), maneuver_dc=17), rows=rows, legend=pit, dice=((20,),))
        t.declare("dock", "begin")
        t.declare("dock", "push", target="kara")
        assert "17" not in str(t.view("ann")["questions"])

    @pytest.mark.rule("altered-realms.meat-shield.roll")
    @pytest.mark.parametrize("hidden", [False, True])
    def test_whoever_may_use_a_meat_shield_is_told_the_total_that_it_has_to_meet(self, hidden: bool) -> None:
        by = spy() if hidden else creature("spy", "y", (2, 3), str_=3)
        t = scene(kara(str_=3), dock(), by, dice=((15,), (14,)), begin="kara")
        t.declare("kara", "grapple", target="dock")
        turn(t, "spy")
        t.declare("spy", "attack", target="kara", weapon="unarmed")
        # 14 and STR 3.
        name = "an attack" if hidden else "the attack of Spy"
        because = t.view("ann")["questions"][0]["because"]
        assert because == f"{name} comes to 17 and hits Kara as it stands"

    @pytest.mark.rule("altered-realms.push.grappler-may-follow")
    def test_going_with_a_captive_is_asked_and_paid_alike_whoever_hidden_is_in_the_way(self) -> None:
        asked, ended = [], []
        for at in ((11, 8), (4, 1)):
            t = scene(
                creature("kara", "x", (2, 1), seat="ann"),
                creature("kim", "x", (2, 2), str_=4, seat="cy"),
                dock(),
                spy(at),
                rows=["............", "...,........", *["............"] * 7],
                legend={",": {"name": "mud", "difficult": ["mud"]}},
                dice=((20,), (20,)),
                begin="kara",
            )
            t.declare("kara", "grapple", target="dock")
            turn(t, "kim")
            t.declare("kim", "push", target="dock", how="drag", direction="east")
            assert who(t, "dock").at == (5, 2)
            asked.append(t.view("ann")["questions"])
            t.answer(question(t), "0")
            ended.append(who(t, "kara").at)
        # A metre of mud and one of floor.
        assert "go with Dock, 3 m" in str(asked[0])
        assert asked[0] == asked[1]
        assert ended == [(4, 1), (3, 1)]

    @pytest.mark.rule("altered-realms.reaction.opportunity-and-triggered")
    def test_at_a_table_that_asks_everybody_nobody_is_asked_about_a_step_of_somebody_hidden(self) -> None:
        for hidden, count in ((True, 0), (False, 1)):
            t = scene(kara(), creature("spy", "y", (2, 3), hidden=hidden), windows="blind", begin="spy")
            t.declare("spy", "walk", route=[(1, 3)])
            assert len(t.view("ann")["questions"]) == count


# -- turns that never come, and Actions prepared


@pytest.mark.rule("altered-realms.dodge.duration", "altered-realms.defensive-stance.duration")
def test_what_lasts_until_the_next_turn_of_the_slain_is_over() -> None:
    t = scene(kara(), dock(), creature("dob", "y", (4, 2), training={"athletics": 2}), begin="dob", dice=((15,),))
    t.declare("dob", "lend_aid", target="dock", skill="athletics")
    turn(t, "dock")
    t.declare("dock", "dodge", target="kara")
    assert t.state.relation(Dodging, "dock", "kara") is not None
    t.override({"dock.conditions": ["slain"], "dob.conditions": ["slain"]}, "so")
    assert list(t.state.every(Dodging)) == []
    assert not any(held for held in t.state.relations.values())


@pytest.mark.rule("altered-realms.defensive-stance.duration")
def test_whoever_is_down_but_not_slain_keeps_its_stance_until_its_turn() -> None:
    t = scene(kara(), dock(), begin="dock")
    t.declare("dock", "defensive_stance")
    t.declare("dock", "end")
    t.override({"dock.hp": 0}, "so")
    assert t.state.related(Stance, "dock")


@pytest.mark.rule("altered-realms.rally.cost", "altered-realms.defensive-stance.cost")
@pytest.mark.parametrize(
    ("deed", "left"), [("rally", (0, 0, 0)), ("defensive_stance", (0, 1, 0)), ("dodge", (0, 1, 1))]
)
def test_preparing_a_full_round_action_takes_the_full_round(deed: str, left: tuple[int, int, int]) -> None:
    t = scene(kara(), dock(), begin="kara")
    t.declare("kara", "prime", deed=deed, trigger="now", **({"target": "dock"} if deed == "dodge" else {}))
    me = who(t, "kara")
    assert (me.actions, me.motions, me.movements) == left


@pytest.mark.rule("altered-realms.sprint.action-for-movement")
def test_a_sprint_is_for_the_own_turn_and_is_not_prepared() -> None:
    t = scene(kara(), dock(), begin="kara")
    assert codes(t, "kara", "prime", deed="sprint", trigger="now") == ["NO_DEED"]
    turn(t, "dock")
    assert codes(t, "kara", "sprint") == ["NOT_YOUR_TURN"]


# -- pits


class TestOutOfAPit:
    ROWS = ("......", "..oo..", "..oo..", "......")

    def pit(self, drop: int, **keys: Any) -> tw.Table:
        legend = {"o": {"name": "pit", "drop": drop}}
        return scene(
            creature("kara", "x", (2, 1), seat="ann", **keys), rows=list(self.ROWS), legend=legend, begin="kara"
        )

    @pytest.mark.rule("altered-realms.movement.only-for-relocation", "altered-realms.movement.stat-line")
    @pytest.mark.parametrize(
        ("moves", "metres"),
        [
            (["walk"], 5),  # 2 m up at double, and the step
            (["walk", "climb"], 3),
        ],
    )
    def test_climbing_out_costs_its_height_as_climbing_and_the_step(self, moves: list[str], metres: int) -> None:
        t = self.pit(2, moves=moves)
        t.declare("kara", "walk", route=[(1, 1)], seat="ann")
        assert who(t, "kara").at == (1, 1)
        assert who(t, "kara").metres == 6 - metres

    @pytest.mark.rule("altered-realms.movement.only-for-relocation")
    def test_a_deep_one_takes_more_movement_than_there_is(self) -> None:
        t = self.pit(12)
        # 24 and 1 are five Movements of 6 m.
        assert "MOVEMENT" in codes(t, "kara", "walk", route=[(1, 1)])

    @pytest.mark.rule("altered-realms.movement.stat-line")
    def test_nobody_walks_back_in_or_down_a_ledge(self) -> None:
        t = self.pit(2)
        assert "LEDGE" in codes(t, "kara", "walk", route=[(1, 1), (2, 1)])
        t.declare("kara", "walk", to=(1, 1), seat="ann")
        assert "LEDGE" in codes(t, "kara", "walk", route=[(2, 1)])
        assert "LEDGE" not in codes(t, "kara", "walk", route=[(1, 2)])


def test_the_prepared_deed_of_a_declaration_is_kept_from_others() -> None:
    t = scene(kara(), dock(), begin="dock")
    t.declare("dock", "prime", deed="attack", target="kara", trigger="x")
    assert [held.deed for held in t.state.every(Primed)] == [Declaration("dock", "attack", target="kara")]
    assert "attack" not in str(t.view("ann"))
