"""Every two effects that change the same number, together. Dice in brackets are faces.

attack roll
    Aim +2, Charge +2, a part -2 or -4 or -6, dodged -2, Inspiration before or after the roll +3, Disadvantage after a
    miss while inspiring, Prone and Restrained on either side; against AC: Defensive Stance +4, what is worn, what is
    sustained.
    Never together: Aim and Charge (one is for ranged attacks, the other for melee), Charge and a charger who is Prone
    (crawling is no run), two parts (an attack goes for one), Inspiration before and after (it is spent once).
    Range refuses and changes nothing; a natural 20 or 1 decides beside each of them.
damage
    Aim, each +2, and Charge +2, checked with the hits; what is thrown and what falls rolls dice of its own.
saves
    Dodge (Advantage), Defensive Stance (Destiny Die where damage is averted), Inspiration, Rally +2.
    Never together: Rally and the first save against a spell (it is for what goes on already).
skill rolls
    Aid of +2 or -2 from each helper, Inspiration, tools that are missing, no Training.
    Never together: missing tools and an untrained Maneuver (tools are for locks and traps).
DCs
    To break free: the earliest grappler's, +2 for each other one; what Rally and Inspiration change is the save.
    To carry: CON of whom is lifted, +2 for each carried. Of a Last Grasp: one number, by whose force it is.
metres
    Half while carrying, doubled while crawling or on hard ground (once for both), half the speed to stand up, Sprint.
budgets
    Grants, Sprint, what is broken down, what the attacks take.
    Never together: Sprint and attacks, Dodge and Defensive Stance (each takes the Action).
durations
    Aim, Dodge, Defensive Stance, a promise, aid that waits.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from realms import armed, codes, creature, happened, passing, question, rolled, table, turn, who

from turnwright.systems.altered_realms.events import (
    Aided,
    AimedAt,
    Carries,
    CarryBegun,
    Dodging,
    InspirationSpent,
    Inspired,
    Promised,
    RolledD20,
    Stance,
)
from turnwright.systems.altered_realms.throwing import reliable_metres

# -- attack rolls: Kara, +5, against the Orc, AC 14; Finn inspires her, and the Orc guards itself before

PARTS = {"arm": ("right arm", -2), "hand": ("right hand", -4), "finger": ("finger", -6)}
PLUS = {"aim": 2, "charge": 2, "dodged": -2, "before": 3, "after": 3} | {name: n for name, (_, n) in PARTS.items()}
EDGES = {"missed": -1, "prone": -1, "restrained": -1, "it is prone": 1, "it is restrained": 1}
GUARDS = {"stance": 4, "mail": 2, "ward": 1}
EFFECTS = (*PLUS, *EDGES, *GUARDS)
LABELS = {"aim": "aim", "charge": "charge", "dodged": "dodged", "before": "Inspiration Bonus"}
LABELS |= {"after": "Inspiration Bonus"} | {name: f"at the {part}" for name, (part, _) in PARTS.items()}
NEVER = [
    ("aim", "charge"),
    ("charge", "prone"),
    ("before", "after"),
    ("arm", "hand"),
    ("arm", "finger"),
    ("hand", "finger"),
]
PAIRS = [pair for pair in combinations(EFFECTS, 2) if pair not in NEVER]
MODIFIER, AC = 5, 14
WARD = {"name": "ward", "budget": "none", "pool": "focus", "sustain": 1, "ac": 1}
MAIL = {"name": "mail", "place": "worn", "armor": {"don": 5, "doff": 5, "ac": 2}}


def ranged(pair: tuple[str, ...]) -> bool:
    return "aim" in pair


def fight(pair: tuple[str, ...], faces: tuple[int, ...], far: bool, ac: int) -> Any:
    """Kara beside a Goblin whom she may miss, and the Orc: beside her, 5 m away for a run, or within bowshot."""
    away = "charge" in pair
    dice: list[Any] = [(1,)] if "missed" in pair else []
    weapons = [armed(MODIFIER, "1", "ranged", name="bow", range=30), armed(MODIFIER, "1", name="blade")]
    return table(
        creature("kara", "h", (1, 3), items=weapons, attacks=5, cha_=0, traits=[{"name": "quick", "motions": 1}]),
        creature("orc", "o", (7 if far else 6 if away else 2, 3), ac=ac, hp=50, reactions=0, abilities=[WARD]),
        creature("goblin", "o", (1, 4), ac=30, reactions=0),
        creature("finn", "h", (1, 1), attacks=3),
        dice=(*dice, faces),
    )


def guard_first(t: Any, pair: tuple[str, ...]) -> None:
    """What others do in their turns before."""
    if {"before", "after"} & set(pair):
        turn(t, "finn")
        t.declare("finn", "inspire", hits=3)
    turn(t, "orc")
    for name in pair:
        if name in ("dodged", "stance"):
            t.override({"orc.actions": 1, "orc.movements": 1, "orc.pools": {"focus": 3}}, "time for both")
            guards(t, "orc", name, "kara")
        if name == "ward":
            t.override({"orc.pools": {"focus": 3}, "orc.maxima": {"focus": 3}}, "points for it")
            t.declare("orc", "cast", ability="ward", sustain=True)
        if name == "mail":
            t.override({"orc.items": [MAIL]}, "it is worn")


def guards(t: Any, name: str, how: str, against: str) -> None:
    """A Dodge of one creature, or a Defensive Stance."""
    if how == "stance":
        t.declare(name, "defensive_stance")
    else:
        t.declare(name, "dodge", target=against)


def struck(pair: tuple[str, ...], faces: tuple[int, ...], *, far: bool, ac: int = AC) -> Any:
    """The blow or shot with both effects, in the order in which they are named where the order is free."""
    t = fight(pair, faces, far, ac)
    guard_first(t, pair)
    turn(t, "kara")
    weapon = "bow" if far else "blade"
    if "missed" in pair:
        t.declare("kara", "inspire", hits=1)
        t.declare("kara", "attack", target="goblin", weapon="blade")
        passing(t)
    if "charge" in pair:
        t.declare("kara", "walk", to=(5, 3))
    for name in pair:
        if name == "aim":
            t.declare("kara", "aim", target="orc", weapon="bow")
        if name == "before":
            t.declare("kara", "spend_inspiration")
        if name in EDGES and name != "missed":
            whose = "orc" if name.startswith("it is") else "kara"
            held = [*who(t, whose).conditions, name.rpartition(" ")[2]]
            t.override({f"{whose}.conditions": held}, "a test")
    said = {"weapon": weapon}
    for name in pair:
        if name in PARTS:
            said["part"] = PARTS[name][0]
    t.declare("kara", "charge" if "charge" in pair else "attack", target="orc", **said)
    if t.waiting_on:
        t.answer(question(t), "spend")
    return t


def edge_of(pair: tuple[str, ...], far: bool) -> int:
    """A Prone target is easier to hit from beside it and harder from afar; the rest is the same."""
    return sum(-1 if far and name == "it is prone" else EDGES[name] for name in pair if name in EDGES)


def thrown(least: int, edge: int) -> tuple[int, ...]:
    """Faces of which this one is kept: with Advantage the best of so many, with Disadvantage the worst."""
    return (least, *((2,) if edge > 0 else (19,)) * abs(edge))


WAYS = [
    (*pair, far) for pair in PAIRS for far in (False, True) if far is ranged(pair) or not {"aim", "charge"} & set(pair)
]


@pytest.mark.rule(
    "altered-realms.aim.bonus",
    "altered-realms.charge.bonus",
    "altered-realms.targeting.base-penalty",
    "altered-realms.dodge.attacker-penalty",
    "altered-realms.inspire.before-or-after-roll",
    "altered-realms.inspire.miss-gives-disadvantage",
    "altered-realms.defensive-stance.ac",
    "altered-realms.trip.prone-no-damage",
)
@pytest.mark.parametrize(("one", "other", "far"), WAYS)
def test_two_effects_on_an_attack_add_up_in_either_order(one: str, other: str, far: bool) -> None:
    plus = MODIFIER + sum(PLUS.get(name, 0) for name in (one, other))
    least = AC + sum(GUARDS.get(name, 0) for name in (one, other)) - plus
    for pair, face, hits in (((one, other), least, True), ((other, one), least - 1, False)):
        edge = edge_of(pair, far)
        assert 2 < face < 20, "neither a natural 1 nor a natural 20 decides"
        t = struck(pair, thrown(face, edge), far=far)
        assert (rolled(t).passed, who(t, "orc").hp < 50, rolled(t).edge) == (hits, hits, edge)
        shown = [("bow" if far else "blade", MODIFIER)]
        shown += [(LABELS[name], PLUS[name]) for name in pair if name in PLUS]
        assert sorted((part.label, part.amount) for part in rolled(t).parts) == sorted(shown)
        assert all(part.rule for part in rolled(t).parts)
        if hits:
            assert who(t, "orc").hp == 50 - 1 - 2 * len({"aim", "charge"} & set(pair))


@pytest.mark.parametrize("name", [*PLUS, *EDGES, *GUARDS])
def test_a_natural_20_hits_and_a_natural_1_misses_beside_any_one_effect(name: str) -> None:
    far = name == "aim"
    for face, ac, hits in ((20, 60, True), (1, -60, False)):
        edge = edge_of((name,), far)
        others = (1,) if edge > 0 else (20,)  # the die that is not kept
        faces = (face, *others * abs(edge))
        if (edge > 0 and face == 1) or (edge < 0 and face == 20):
            faces = (face, face)
        t = struck((name,), faces, far=far, ac=ac)
        assert rolled(t).passed is hits


class TestTheSameTwice:
    """What an effect does beside itself."""

    @pytest.mark.rule("altered-realms.aim.repeatable")
    def test_aims_at_one_target_add_up_and_show_as_one_sum(self) -> None:
        for face, hits in ((AC - MODIFIER - 4, True), (AC - MODIFIER - 5, False)):
            t = struck(("aim", "aim"), (face,), far=True)
            assert rolled(t).passed is hits
            assert ("aim", 4) in [(part.label, part.amount) for part in rolled(t).parts]
            assert who(t, "orc").hp == (50 - 1 - 4 if hits else 50)

    @pytest.mark.rule("altered-realms.charge.once-per-movement")
    def test_a_second_charge_of_one_movement_is_a_plain_blow(self) -> None:
        t = struck(("charge", "charge"), (20,), far=False)
        t.source.rolls.append((AC - MODIFIER - 1,))
        t.declare("kara", "charge", target="orc", weapon="blade")
        t.answer(question(t), True)
        assert (rolled(t).passed, [part.label for part in rolled(t).parts]) == (False, ["blade"])

    @pytest.mark.rule("altered-realms.dodge.attacker-penalty")
    @pytest.mark.parametrize(("effect", "least"), [("dodged", AC - MODIFIER + 2), ("stance", AC - MODIFIER + 4)])
    def test_a_guard_taken_twice_counts_once(self, effect: str, least: int) -> None:
        for face, hits in ((least, True), (least - 1, False)):
            assert rolled(struck((effect, effect), (face,), far=False)).passed is hits

    @pytest.mark.rule("altered-realms.inspire.miss-gives-disadvantage")
    def test_a_second_miss_is_no_second_disadvantage(self) -> None:
        t = struck(("missed", "missed"), (2, 19), far=False)
        t.source.rolls.append((19, 2))
        t.declare("kara", "attack", target="orc", weapon="blade")
        assert (rolled(t).edge, rolled(t).passed) == (-1, False)

    @pytest.mark.rule("altered-realms.inspire.keep-highest")
    @pytest.mark.parametrize(("first", "second"), [(3, 1), (1, 3)])
    def test_of_two_inspirations_the_higher_is_kept_in_either_order(self, first: int, second: int) -> None:
        t = table(
            creature("kara", "h", (1, 1)),
            creature("finn", "h", (1, 2), attacks=3),
            creature("bo", "h", (2, 1), attacks=3),
        )
        for name, hits in (("finn", first), ("bo", second)):
            turn(t, name)
            t.declare(name, "inspire", hits=hits)
        assert [held.amount for held in t.state.related(Inspired, "kara")] == [3]

    @pytest.mark.rule("altered-realms.defensive-stance.ac")
    def test_two_things_that_are_sustained_add_up_and_one_cannot_be_sustained_twice(self) -> None:
        other = WARD | {"name": "veil", "ac": 2}
        focus = {"pools": {"focus": {"current": 4, "maximum": 4}}, "abilities": [WARD, other]}
        t = table(
            creature("kara", "h", (1, 1), items=[armed(0, "1")], attacks=2),
            creature("orc", "o", (2, 1), ac=10, **focus),
            dice=((13,), (12,)),
            begin="orc",
        )
        t.declare("orc", "cast", ability="ward", sustain=True)
        t.declare("orc", "cast", ability="veil", sustain=True)
        assert codes(t, "orc", "cast", ability="ward", sustain=True) == ["SUSTAINED"]
        turn(t, "kara")
        for hits in (True, False):  # 10 + 1 + 2
            t.declare("kara", "attack", target="orc")
            assert rolled(t).passed is hits


@pytest.mark.rule("altered-realms.charge.four-meters-clear-line", "altered-realms.aim.cost")
def test_pairs_that_cannot_be_are_refused() -> None:
    t = fight(("charge",), (10,), far=False, ac=AC)
    turn(t, "kara")
    t.declare("kara", "walk", to=(5, 3))
    assert codes(t, "kara", "charge", target="orc", weapon="bow") == ["NOT_MELEE"]
    assert codes(t, "kara", "charge", target="orc", weapon="blade") == []
    t.override({"kara.conditions": ["prone"]}, "a test")
    assert codes(t, "kara", "charge", target="orc", weapon="blade") == ["NO_RUN"]
    t.declare("kara", "dodge", target="orc")
    assert "ACTION" in codes(t, "kara", "defensive_stance")
    assert "ACTION" in codes(t, "kara", "sprint")


# -- saves: Kara, DEX +2, against what the Orc does, DC 14; Finn inspires her

SAVES = ("dodge", "stance", "before", "after")
FIRE = {"name": "fire", "at": "enemy", "save": "dex", "damage": "1"}
FEAR = {"name": "fear", "at": "enemy", "save": "dex", "condition": "blinded", "lasting": True}
GUST = {"name": "gust", "at": "enemy", "push": 1}
LEDGE = ["." * 12] * 3 + ["....p......."] + ["." * 12] * 3
KINDS = ("fire", "fear", "push", "gust", "shallow", "thrown")
HURTS = ("fire", "push", "gust", "thrown")
"""What the save averts is damage: a fall of 5 m does some, one of 3 m none."""


def saving(kind: str, pair: tuple[str, ...], faces: tuple[int, ...]) -> Any:
    """Kara at a ledge beside the Orc, who casts, pushes her over it, or throws a small Goblin at her."""
    drop = 3 if kind == "shallow" else 5
    before: dict[str, list[Any]] = {"push": [(20,)], "shallow": [(20,)], "thrown": [(20,), (20,), 4]}
    t = table(
        creature("kara", "h", (3, 3), dex_=2),
        creature("finn", "h", (3, 6), attacks=3),
        creature("orc", "o", (2, 3), abilities=[FIRE, FEAR, GUST], spell_dc=14, maneuver_dc=14, attacks=2, str_=3),
        creature("goblin", "x", (1, 3) if kind != "thrown" else (3, 2), size="small", ac=5),
        rows=LEDGE,
        legend={"p": {"name": "pit", "drop": drop}},
        settings={"bystander_dc": 13},
        dice=(*before.get(kind, []), faces, 2),
        begin="kara",
    )
    for name in pair:
        if name in ("dodge", "stance"):
            t.override({"kara.actions": 1, "kara.movements": 1}, "time for both")
            guards(t, "kara", name, "orc")
    if {"before", "after"} & set(pair):
        turn(t, "finn")
        t.declare("finn", "inspire", hits=3)
        if "before" in pair:
            t.declare("kara", "spend_inspiration")
    turn(t, "orc")
    if kind in ("fire", "fear", "gust"):
        t.declare("orc", "cast", ability=kind, target="kara")
    elif kind == "thrown":
        t.override({"kara.at": [3, 1]}, "in its way")
        t.declare("orc", "grapple", target="goblin")
        passing(t)
        t.declare("orc", "throw_opponent", target="goblin", direction="north", metres=1)
    else:
        t.declare("orc", "push", target="kara", metres=1)
    while t.waiting_on and "dex save" not in [event.what for event in happened(t, RolledD20)]:
        about = question(t).question.about
        t.answer(question(t), "spend" if about == "inspiration" else "0")
    return t


@pytest.mark.rule(
    "altered-realms.dodge.save-advantage",
    "altered-realms.defensive-stance.destiny-die",
    "altered-realms.inspire.spend-once-on-any-d20",
    "altered-realms.last-grasp.dc-physical",
    "altered-realms.last-grasp.dc-magical",
    "altered-realms.throw-opponent.bystander-dc",
)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("one", "other"), [p for p in combinations(SAVES, 2) if p != ("before", "after")])
def test_two_effects_on_a_save_add_up_in_either_order(kind: str, one: str, other: str) -> None:
    """Advantage and a Destiny Die are one die more each; the Destiny Die only where damage is averted."""
    bonus = 3 if {"before", "after"} & {one, other} else 0
    edge = int("dodge" in (one, other)) + int("stance" in (one, other) and kind in HURTS)
    least = 14 - 2 - bonus  # of the thrown Goblin, who is Small: 13 + 1
    for pair, face, passed in (((one, other), least, True), ((other, one), least - 1, False)):
        t = saving(kind, pair, thrown(face, edge))
        assert (rolled(t).what, rolled(t).edge, rolled(t).passed) == ("dex save", edge, passed)
        shown = [("DEX", 2)] + ([("Inspiration Bonus", 3)] if bonus else [])
        assert [(part.label, part.amount) for part in rolled(t).parts] == shown


def held_and_rallied(pair: tuple[str, ...], pile: int, faces: tuple[int, ...]) -> Any:
    """The Orc (DC 13) and others hold Kara, STR +1, who dodges it; Finn rallies and she tries to get free."""
    others = [creature(name, "o", at, maneuver_dc=18) for name, at in (("wolf", (4, 4)), ("hag", (4, 2)))][: pile - 1]
    t = table(
        creature("kara", "h", (4, 3), str_=1, ac=5),
        creature("finn", "h", (8, 3), cha_=9),
        creature("bo", "h", (8, 4), attacks=3),
        creature("orc", "o", (5, 3), maneuver_dc=13),
        *others,
        dice=(*((20,),) * pile, (20,), faces),
        begin="kara",
    )
    if "dodge" in pair:
        t.declare("kara", "dodge", target="orc")
    if "stance" in pair:
        t.override({"kara.actions": 1, "kara.movements": 1}, "time for both")
        t.declare("kara", "defensive_stance")
    if "inspired" in pair:
        turn(t, "bo")
        t.declare("bo", "inspire", hits=3)
        t.declare("kara", "spend_inspiration")
    for name in ("orc", "wolf", "hag")[:pile]:
        turn(t, name)
        t.declare(name, "grapple", target="kara")
    turn(t, "finn")
    t.declare("finn", "rally")
    while question(t).question.about == "inspiration":
        t.answer(question(t), "keep")
    t.answer(question(t), "0")
    return t


@pytest.mark.rule(
    "altered-realms.rally.immediate-save",
    "altered-realms.grapple.dog-pile-plus-two",
    "altered-realms.dodge.save-advantage",
    "altered-realms.inspire.spend-once-on-any-d20",
)
@pytest.mark.parametrize("pile", [1, 2, 3])
@pytest.mark.parametrize("pair", [("none",), ("dodge",), ("stance",), ("inspired",), ("dodge", "inspired")])
def test_rally_and_a_dog_pile_and_what_else_helps_to_get_free(pair: tuple[str, ...], pile: int) -> None:
    """13, and 2 for each further grappler, against STR and 2 of the Rally; a Stance averts no damage here."""
    bonus, edge = (3 if "inspired" in pair else 0), int("dodge" in pair)
    least = 13 + 2 * (pile - 1) - 1 - 2 - bonus
    for face, free in ((least, True), (least - 1, False)):
        t = held_and_rallied(pair, pile, thrown(face, edge))
        assert (rolled(t).what, rolled(t).edge, rolled(t).passed) == ("str save", edge, free)
        shown = [("STR", 1), ("Rally", 2)] + ([("Inspiration Bonus", 3)] if bonus else [])
        assert [(part.label, part.amount) for part in rolled(t).parts] == shown


# -- skill rolls: Kara, DEX +1 and Training +2, beside Finn and Bo, who have Training too

LOCK = {"id": "lock", "kind": "lock", "at": [2, 1], "dc": 15}
TRAP = {"id": "trap", "kind": "trap", "at": [2, 1], "dc": 15}
KIT = {"lock": ("pick_lock", "lockpicking"), "trap": ("disarm", "mechanics")}
AID = {"help": 12, "hinder": 11}


def tinkering(kind: str, aid: tuple[str, ...], inspired: str, tools: bool, faces: tuple[int, ...]) -> Any:
    """Kara at a lock or a trap of DC 15; helpers whose own roll shows 12 or 11."""
    action, skill = KIT[kind]
    kit = [{"name": "kit", "place": "pouch", "tools": kind}] if tools else []
    helpers = [creature(name, "h", at, training={skill: 0}) for name, at in (("finn", (1, 2)), ("bo", (0, 1)))]
    t = table(
        creature("kara", "h", (1, 1), dex_=1, training={skill: 2}, items=kit),
        *helpers[: len(aid)],
        creature("ida", "h", (9, 1), attacks=3),
        mechanisms=[LOCK if kind == "lock" else TRAP],
        dice=(*[(AID[name],) for name in aid], faces),
    )
    if inspired:
        turn(t, "ida")
        t.declare("ida", "inspire", hits=3)
        for name in ("finn", "bo")[: len(aid)]:
            t.override([InspirationSpent("", name, 3)], "only Kara keeps hers")
    turn(t, "kara")
    if inspired == "before":
        t.declare("kara", "spend_inspiration")
    t.declare("kara", action, thing=kind)
    while t.waiting_on:
        asked = question(t)
        options = getattr(asked.question, "options", ())
        if asked.kind == "confirm":
            t.answer(asked, True)
        elif asked.kind == "order":
            t.answer(asked, list(asked.question.among))
        elif asked.question.about == "inspiration":
            t.answer(asked, "spend")
        else:
            t.answer(asked, options[1].id if len(options) > 1 else options[0].id)
    return t


SKILLED = [
    (aid, inspired, tools)
    for aid in ((), ("help",), ("hinder",), ("help", "help"), ("help", "hinder"), ("hinder", "hinder"))
    for inspired in ("", "before", "after")
    for tools in (True, False)
    if len(aid) + bool(inspired) + (not tools) == 2
]


@pytest.mark.rule(
    "altered-realms.lend-aid.help-12-plus",
    "altered-realms.lend-aid.hinder-11-minus",
    "altered-realms.lock.no-kit-penalty",
    "altered-realms.trap.no-tools-penalty",
    "altered-realms.inspire.spend-once-on-any-d20",
)
@pytest.mark.parametrize("kind", ["lock", "trap"])
@pytest.mark.parametrize(("aid", "inspired", "tools"), SKILLED)
def test_two_effects_on_a_skill_roll_add_up(kind: str, aid: tuple[str, ...], inspired: str, tools: bool) -> None:
    """Each helper counts by itself; without tools there is no Training, and the worse of two dice is kept."""
    swing = sum(2 if name == "help" else -2 for name in aid)
    plus = 1 + (2 if tools else 0) + swing + (3 if inspired else 0)
    edge = 0 if tools else -1
    for face, passed in ((15 - plus, True), (14 - plus, False)):
        t = tinkering(kind, aid, inspired, tools, thrown(face, edge))
        assert (rolled(t).actor, rolled(t).edge, rolled(t).passed) == ("kara", edge, passed)
        shown = (
            [("DEX", 1)] + ([("Training", 2)] if tools else []) + [("aid", 2 if name == "help" else -2) for name in aid]
        )
        shown += [("Inspiration Bonus", 3)] if inspired else []
        assert [(part.label, part.amount) for part in rolled(t).parts] == shown


@pytest.mark.rule("altered-realms.lend-aid.hinder-11-minus", "altered-realms.lend-aid.help-12-plus")
@pytest.mark.parametrize(("aid", "rule"), [("help", "help-12-plus"), ("hinder", "hinder-11-minus")])
def test_the_sum_that_is_shown_cites_what_the_helper_did(aid: str, rule: str) -> None:
    t = tinkering("lock", (aid,), "", True, (10,))
    cited = {part.label: part.rule for part in rolled(t).parts}
    assert cited["aid"] == f"altered-realms.lend-aid.{rule}"


@pytest.mark.rule("altered-realms.lend-aid.range-and-moment", "altered-realms.lend-aid.help-12-plus")
@pytest.mark.parametrize(("waits", "now", "swing"), [(12, 12, 4), (12, 11, 0), (11, 12, 0), (11, 11, -4)])
def test_aid_that_waits_and_aid_at_the_moment_add_up(waits: int, now: int, swing: int) -> None:
    """Finn has lent aid in his turn, Bo does as she rolls: STR +2 against DC 14."""
    for face, passed in ((14 - 2 - swing, True), (13 - 2 - swing, False)):
        t = table(
            creature("kara", "h", (1, 1), str_=2, training={"athletics": 0}),
            creature("finn", "h", (1, 2), training={"athletics": 0}, reactions=0),
            creature("bo", "h", (0, 1), training={"athletics": 0}),
            dice=((waits,), (now,), (face,)),
            begin="finn",
        )
        t.declare("finn", "lend_aid", target="kara", skill="athletics")
        turn(t, "kara")
        t.declare("kara", "attempt", intent="up", method="climb", skill="athletics")
        t.answer(question(t), {"kind": "check", "skill": "athletics", "target": 14, "success": "up", "failure": "not"})
        t.answer(question(t), "0")
        assert (rolled(t).actor, rolled(t).passed) == ("kara", passed)


VAULT = {"vault": {"cost": {"might": 1}, "attribute": "dex", "dc": 9}}


@pytest.mark.rule("altered-realms.untrained.roll-without-training", "altered-realms.untrained.dc-floor")
@pytest.mark.parametrize(("aid", "swing"), [(12, 2), (11, -2), (None, 0)])
@pytest.mark.parametrize("inspired", [False, True])
def test_an_untrained_maneuver_with_aid_and_inspiration(aid: int | None, swing: int, inspired: bool) -> None:
    """STR +3 and no Training of the 4 that there is, against 14, not 9."""
    plus = 3 + swing + (3 if inspired else 0)
    for face, passed in ((14 - plus, True), (13 - plus, False)):
        t = table(
            creature("kara", "h", (1, 1), str_=3, training={"athletics": 4}, pools={"might": 2}),
            creature("finn", "h", (1, 2), training={"athletics": 0}, reactions=0 if aid is None else 1),
            creature("ida", "h", (9, 1), attacks=3),
            settings={"maneuvers": VAULT, "untrained_maneuvers": True},
            dice=(*([] if aid is None else [(aid,)]), (face,)),
            begin="ida",
        )
        if inspired:
            t.declare("ida", "inspire", hits=3)
            t.override([InspirationSpent("", "finn", 3)], "only Kara keeps hers")
            t.declare("kara", "spend_inspiration")
        turn(t, "kara")
        t.declare("kara", "maneuver", maneuver="vault", skill="athletics")
        while t.waiting_on:
            t.answer(question(t), True if question(t).kind == "confirm" else "0")
        assert (rolled(t).actor, rolled(t).passed, who(t, "kara").pools["might"]) == ("kara", passed, 1)
        assert "Training" not in [part.label for part in rolled(t).parts]


# -- DCs


@pytest.mark.rule("altered-realms.carry.dc-base", "altered-realms.carry.dc-per-carried")
@pytest.mark.parametrize("carried", [0, 1, 2])
@pytest.mark.parametrize("con", [-1, 0, 2])
@pytest.mark.parametrize("aid", [None, 12, 11])
def test_to_carry_by_con_and_by_how_many_are_carried_and_by_aid(carried: int, con: int, aid: int | None) -> None:
    """12, CON of whom is lifted, and 2 for each one carried; aid changes the roll."""
    least = 12 + con + 2 * carried - {None: 0, 12: 2, 11: -2}[aid]
    for face, lifted in ((least, True), (least - 1, False)):
        others = [creature(name, "h", at, con_=5) for name, at in (("ada", (4, 4)), ("cy", (5, 4)))][:carried]
        helper = creature("ned", "h", (4, 6), training={"athletics": 0}, reactions=0 if aid is None else 1)
        t = table(
            creature("kara", "h", (5, 5)),
            creature("finn", "h", (6, 5), con_=con),
            *others,
            helper,
            dice=(*([] if aid is None else [(aid,)]), (face,)),
            begin="kara",
        )
        t.override([CarryBegun("", "kara", other["id"], 0) for other in others] or {"kara.actions": 1}, "before")
        t.declare("kara", "carry", target="finn")
        if t.waiting_on:
            t.answer(question(t), "0")
        assert (rolled(t).actor, rolled(t).passed) == ("kara", lifted)
        assert (t.state.relation(Carries, "kara", "finn") is not None) is lifted


@pytest.mark.rule(
    "altered-realms.throw-object.reliable-distance",
    "altered-realms.throw-opponent.distance",
    "altered-realms.push.distance",
)
@pytest.mark.parametrize(
    ("strength", "dexterity", "thing", "body", "push"),
    [(-2, -3, 0, 1, 1), (-1, -1, 0, 1, 1), (0, -2, 1, 1, 1), (1, 0, 2, 1, 1), (4, 1, 5, 4, 2), (1, 5, 6, 5, 2)],
)
def test_metres_of_a_thing_of_a_body_and_of_a_push(
    strength: int, dexterity: int, thing: int, body: int, push: int
) -> None:
    """1 and the better of STR and DEX, at least 0; the better alone; half of it rounded down; both at least 1."""
    t = table(
        creature("kara", "h", (1, 5), str_=strength, dex_=dexterity, items=[{"name": "jar"}], ac=5, attacks=4),
        creature("orc", "o", (2, 5), ac=5),
        dice=((20,),),
        begin="kara",
    )
    assert [n for n in range(1, 12) if "TOO_FAR" not in codes(t, "kara", "push", target="orc", metres=n)][-1] == push
    t.declare("kara", "grapple", target="orc")
    said = {"target": "orc", "direction": "east"}
    assert [n for n in range(1, 12) if "TOO_FAR" not in codes(t, "kara", "throw_opponent", metres=n, **said)][
        -1
    ] == body
    assert reliable_metres(who(t, "kara")) == thing


# -- metres: speed 7, so many tiles to the west


MUD = {"m": {"name": "mud", "difficult": ["mud"]}}


def tiles_covered(pair: tuple[str, ...]) -> int:
    """How many tiles Kara gets along with all of her Movement."""
    ground = "m" if "mud" in pair else "."
    t = table(
        creature("kara", "h", (20, 2), speed=7),
        creature("finn", "h", (21, 2)),
        creature("bo", "h", (21, 1)),
        rows=[ground * 24] * 5,
        legend=MUD,
        begin="kara",
    )
    for name in pair:
        if name in ("carry", "two"):
            borne = ("finn", "bo") if name == "two" else ("finn",)
            t.override([CarryBegun("", "kara", other, 0) for other in borne], "lifted before")
        if name in ("prone", "stood"):
            t.override({"kara.conditions": ["prone"]}, "a test")
        if name == "stood":
            t.declare("kara", "stand")
        if name == "sprint":
            t.declare("kara", "sprint")
    t.override({"kara.actions": 0}, "nothing more to break down")
    ways = [[(19 - n, 2) for n in range(count)] for count in range(1, 19)]
    return len([way for way in ways if not codes(t, "kara", "walk", route=way)])


@pytest.mark.rule("altered-realms.movement.stat-line", "altered-realms.sprint.action-for-movement")
@pytest.mark.parametrize(
    ("one", "other", "tiles"),
    [
        ("plain", "plain", 7),
        ("plain", "sprint", 14),
        ("plain", "carry", 3),
        ("plain", "mud", 3),
        ("plain", "prone", 3),
        ("plain", "stood", 4),
        ("sprint", "carry", 6),
        ("sprint", "mud", 7),
        ("sprint", "prone", 7),
        ("sprint", "stood", 11),
        ("carry", "two", 3),
        ("carry", "mud", 1),
        ("carry", "prone", 1),
        ("prone", "mud", 3),
        ("stood", "mud", 2),
    ],
)
def test_two_effects_on_how_far_one_gets_in_either_order(one: str, other: str, tiles: int) -> None:
    assert (tiles_covered((one, other)), tiles_covered((other, one))) == (tiles, tiles)


# -- budgets


@pytest.mark.rule(
    "altered-realms.economy.extra-grants",
    "altered-realms.sprint.action-for-movement",
    "altered-realms.downgrade.bonus-never-combines-up",
    "altered-realms.attack.extra-attacks-granted",
)
@pytest.mark.parametrize(
    ("deeds", "budgets"),
    [
        ((), (1, 2, 2, 0)),
        (("sprint",), (0, 2, 3, 0)),
        (("action into motion",), (0, 3, 2, 0)),
        (("movement into motion", "movement into motion"), (1, 4, 0, 0)),
        (("sprint", "movement into motion"), (0, 3, 2, 0)),
        (("movement into motion", "sprint"), (0, 3, 2, 0)),
        (("attack",), (0, 2, 2, 2)),
        (("attack", "movement into motion"), (0, 3, 1, 2)),
        (("movement into motion", "attack"), (0, 3, 1, 2)),
    ],
)
def test_grants_sprint_attacks_and_what_is_broken_down(
    deeds: tuple[str, ...], budgets: tuple[int, int, int, int]
) -> None:
    """Action, Motions, Movements and attacks left, with a Motion, a Movement and two attacks granted."""
    grants = [
        {"name": "fleet", "motions": 1, "movements": 1},
        {"name": "drill", "attacks": 1},
        {"name": "a", "attacks": 1},
    ]
    t = table(
        creature("kara", "h", (1, 1), items=[armed(0, "1")], traits=grants),
        creature("orc", "o", (2, 1), ac=30),
        dice=((5,),),
        begin="kara",
    )
    for deed in deeds:
        source, _, into = deed.partition(" into ")
        said: dict[str, Any] = {"budget": source, "into": into} if into else {}
        t.declare("kara", "downgrade" if into else deed, **said | ({"target": "orc"} if deed == "attack" else {}))
    kara = who(t, "kara")
    assert (kara.actions, kara.motions, kara.movements, kara.attacks) == budgets
    if kara.actions == 0:
        for deed, said in (("sprint", {}), ("dodge", {"target": "orc"}), ("recuperate", {})):
            assert "ACTION" in codes(t, "kara", deed, **said)


# -- durations


@pytest.mark.rule(
    "altered-realms.aim.expiry",
    "altered-realms.dodge.duration",
    "altered-realms.defensive-stance.duration",
    "altered-realms.inspire.miss-gives-disadvantage",
    "altered-realms.lend-aid.range-and-moment",
)
def test_each_lasts_its_own_time_beside_the_others() -> None:
    bow = armed(0, "1", "ranged", name="bow", range=30)
    t = table(
        creature("kara", "h", (1, 1), items=[bow], attacks=2, training={"stealth": 0}),
        creature("finn", "h", (1, 2)),
        creature("orc", "o", (5, 1), ac=30),
        dice=((12,),),
        begin="kara",
    )

    def stand() -> list[str]:
        kinds = (AimedAt, Dodging, Stance, Promised, Aided)
        return [kind.__name__ for kind in kinds if t.state.related(kind, "kara")]

    def afresh() -> None:
        t.override({"kara.actions": 1, "kara.movements": 1, "kara.attacks": 0}, "time for all of it")

    t.declare("kara", "inspire", hits=1)
    t.declare("kara", "aim", target="orc")
    for deed, said in (
        ("dodge", {"target": "orc"}),
        ("defensive_stance", {}),
        ("lend_aid", {"target": "finn", "skill": "stealth"}),
    ):
        afresh()
        t.declare("kara", deed, **said)
    assert stand() == ["AimedAt", "Dodging", "Stance", "Promised", "Aided"]
    t.declare("kara", "end")
    assert stand() == ["AimedAt", "Dodging", "Stance", "Aided"]
    turn(t, "orc")
    assert stand() == ["AimedAt", "Dodging", "Stance", "Aided"]
    turn(t, "kara")
    assert stand() == ["AimedAt"]
    t.declare("kara", "end")
    assert stand() == []


# -- a Meat Shield against what is added to the attack


@pytest.mark.rule("altered-realms.meat-shield.roll", "altered-realms.meat-shield.redirect")
@pytest.mark.parametrize(
    ("effects", "total"),
    [
        (("aim", "arm"), 15),
        (("aim", "dodged"), 15),
        (("arm", "dodged"), 11),
        (("aim", "inspired"), 20),
        (("arm", "inspired"), 16),
        (("dodged", "inspired"), 16),
    ],
)
@pytest.mark.parametrize("held_into_it", [True, False])
def test_a_shield_must_meet_the_whole_sum_and_takes_the_whole_damage(
    effects: tuple[str, ...], total: int, held_into_it: bool
) -> None:
    """The Orc's 10 and 5 with both effects, against Kara's d20 and Athletics 2; damage 1, and 2 of an Aim."""
    bow = armed(5, "1", "ranged", name="bow", range=30)
    t = table(
        creature("kara", "h", (5, 5), ac=10, totals={"athletics": 2}, attacks=2),
        creature("goblin", "o", (6, 5), ac=30, reactions=0),
        creature("orc", "o", (9, 5), items=[bow], attacks=2),
        creature("hag", "o", (9, 6), attacks=3),
        dice=((20,), (10,), (total - 2 if held_into_it else total - 3,)),
        begin="kara",
    )
    t.declare("kara", "grapple", target="goblin")
    t.override({"kara.actions": 1}, "time for it")
    if "dodged" in effects:
        t.declare("kara", "dodge", target="orc")
    if "inspired" in effects:
        turn(t, "hag")
        t.declare("hag", "inspire", hits=3)
        t.override([InspirationSpent("", "goblin", 3)], "only the Orc keeps his")
    turn(t, "orc")
    if "inspired" in effects:
        t.declare("orc", "spend_inspiration")
    for name in effects:
        if name == "aim":
            t.declare("orc", "aim", target="kara")
    t.declare("orc", "attack", target="kara", **({"part": "right arm"} if "arm" in effects else {}))
    assert [event.total for event in happened(t, RolledD20) if event.actor == "orc"] == [total]
    t.answer(question(t), "0")
    dealt = 3 if "aim" in effects else 1
    lost = (20 - who(t, "kara").hp, 20 - who(t, "goblin").hp)
    assert lost == ((0, dealt) if held_into_it else (dealt, 0))
