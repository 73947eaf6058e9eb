"""Who holds whom, at random: whatever is done, a model of the holds that is kept beside the game agrees with it.

The model reads what is on the sheets, where everybody stands and what was declared; how far apart two bodies are, which
hands are free, who is held fast and what it takes to get free it works out for itself.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from random import Random
from typing import Any

import pytest
from realms import codes, creature, passing, rolled, scene, table, turn

import turnwright as tw
from turnwright.model import Roll, State
from turnwright.systems.altered_realms.events import Forced, HoldBegun, HoldEnded, Stepped
from turnwright.systems.altered_realms.holding import Holds

WIDE, HIGH, PIT = 20, 12, 5
ROWS = ["." * WIDE] * 3 + ["." * 8 + "p" * 2 + "." * 10] * 2 + ["." * WIDE] * 7
LEGEND = {"p": {"name": "pit", "drop": PIT}}
INDEX = {"small": 1, "medium": 2, "large": 3, "massive": 5}
ACROSS = {"small": 1, "medium": 1, "large": 2, "massive": 4}
ABLE_NOT = ("slain", "incapacitated", "restrained")
WHO = ("kara", "finn", "orc", "goblin", "ogre", "titan")
DC = {"kara": 14, "finn": 18, "orc": 12, "goblin": 10, "ogre": 16, "titan": 20}
SPOTS = {"kara": (6, 3), "finn": (6, 5), "orc": (7, 4), "goblin": (6, 4), "ogre": (4, 4), "titan": (10, 3)}
AT_ANY_TIME = ("put", "put_beside", "wound", "afflict", "fell", "heal", "remove", "undo", "redo", "save")
SAID: dict[str, tuple[Any, ...]] = {
    "name": WHO,
    "other": WHO,
    "number": tuple(range(12)),
    "part": ("", "", "", "right arm", "right hand", "left hand", "left leg", "finger"),
    "hand": ("", "", "right hand", "left hand", "tail"),
    "how": ("push", "pull", "drag", "drag"),
    "direction": ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"),
    "metres": (1, 2),
    "deed": ("trip", "attack", "carry"),
    "alone": ("rally", "stand", "draw", "drop", "defensive_stance"),
    "limb": ("", "", "right hand", "left arm", "right leg"),
    "condition": ("restrained", "incapacitated", "slain", "prone", "blinded"),
    "whole": (True, False),
    "waits": (True, True, True, False),
    "pick": tuple(range(6)),
}
"""What a move may be told."""
WITHIN = {"right hand": "right arm", "left hand": "left arm"}


def everybody() -> tw.Table:
    """Six of four sizes beside each other at a pit; each could hold, blink away and blow others about."""
    blink = {"name": "blink", "budget": "movement", "teleport": 9}
    gust = {"name": "gust", "at": "enemy", "push": 2}
    knife = {"name": "knife", "place": "holster", "weapon": {"damage": "1d4"}}
    claw = {"name": "claw", "part": "right hand", "damage": "2", "modifier": 4}
    sizes = {"finn": "small", "goblin": "small", "ogre": "large", "titan": "massive"}
    three = [{"name": "right hand"}, {"name": "left hand"}, {"name": "tail"}]
    made = [
        creature(
            name,
            "h" if name in ("kara", "finn") else "o",
            SPOTS[name],
            size=sizes.get(name, "medium"),
            maneuver_dc=DC[name],
            ac=8,
            hp=40,
            str_=4,
            cha_=4,
            attacks=2,
            reactions=2,
            weapons=[claw],
            abilities=[blink, gust],
            items=[knife],
            training={"athletics": 4},
            **({"hands": three} if name == "finn" else {}),
        )
        for name in WHO
    ]
    return tw.Table(scene(*made, rows=ROWS, legend=LEGEND), seed=1)


# -- the model


class Hold:
    """One hold as the model has it."""

    def __init__(self, owner: str, captive: str, hand: str, part: str) -> None:
        self.all = (owner, captive, hand, part)
        self.owner, self.captive, self.hand, self.part = self.all


def body(size: str, at: Any) -> list[tuple[int, int]]:
    if not isinstance(at, tuple):
        return []
    return [(at[0] + dx, at[1] + dy) for dx in range(ACROSS[size]) for dy in range(ACROSS[size])]


def deep(size: str, at: Any) -> int:
    """Down in the pit is whoever has no tile of firm ground under it."""
    return PIT if all(ROWS[y][x] == "p" for x, y in body(size, at)) else 0


def near(one: tuple[str, Any], two: tuple[str, Any]) -> bool:
    mine, theirs = body(*one), body(*two)
    if not mine or not theirs or deep(*one) != deep(*two):
        return False
    return min(max(abs(a - c), abs(b - d)) for a, b in mine for c, d in theirs) <= 1


def firm(hold: Hold, state: State, at: dict[str, Any]) -> bool:
    """Whether the holder is able, its hand is whole and empty, and the captive is beside it."""
    owner, captive = state.actors[hold.owner], state.actors[hold.captive]
    if owner.hp <= 0 or any(name in owner.conditions for name in ABLE_NOT):
        return False
    if wounded(state, hold.owner, hold.hand):
        return False
    if any(item.place == "hand" and item.hand == hold.hand for item in owner.items):
        return False
    return near((owner.size, at[hold.owner]), (captive.size, at[hold.captive]))


def fast(state: State, hold: Hold) -> bool:
    """Whether the hold keeps the captive where it is: not the hold of somebody much smaller."""
    return INDEX[state.actors[hold.captive].size] - INDEX[state.actors[hold.owner].size] < 2


def held_parts(holds: list[Hold], who: str) -> list[str]:
    return [hold.part for hold in holds if hold.captive == who and hold.part]


def usable(holds: list[Hold], who: str, part: str) -> bool:
    held = held_parts(holds, who)
    return part not in held and WITHIN.get(part) not in held


def free(state: State, holds: list[Hold], who: str) -> list[str]:
    """The whole hands with nothing in them that hold nobody and are not held."""
    actor = state.actors[who]
    full = [item.hand for item in actor.items if item.place == "hand"]
    busy = [hold.hand for hold in holds if hold.owner == who]
    names = [hand.name for hand in actor.hands]
    return [
        name
        for name in names
        if name not in (*full, *busy) and usable(holds, who, name) and not wounded(state, who, name)
    ]


def wounded(state: State, who: str, hand: str) -> bool:
    return hand in state.actors[who].wounded or WITHIN.get(hand) in state.actors[who].wounded


def dc(holds: list[Hold], captive: str) -> int:
    grapplers = list(dict.fromkeys(hold.owner for hold in holds if hold.captive == captive))
    return DC[grapplers[0]] + 2 * len(grapplers[1:])


def of_the_game(state: State) -> list[tuple[str, str, str, str]]:
    """The holds that stand, the earliest first."""
    standing = sorted(state.every(Holds), key=lambda hold: hold.number)
    return [(hold.owner, hold.other, hold.hand, hold.part) for hold in standing]


def places(state: State) -> dict[str, Any]:
    return {name: actor.at for name, actor in state.actors.items()}


# -- the brawl


class Brawl:
    """Everything that can begin, move or end a hold, one input after another, each checked."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "brawl.jsonl"
        self.table = everybody()
        self.holds: list[Hold] = []
        self.kept: dict[int, list[Hold]] = {0: []}
        self.looked: Any = None
        self.at = places(self.table.state)
        self.deed: dict[str, Any] = {}
        self.declare("kara", "begin")

    @property
    def state(self) -> State:
        return self.table.state

    # -- inputs

    def do(self, act: Any, **deed: Any) -> bool:
        """One input; a refusal changes nothing, and what is done the model goes through event by event."""
        before, entries = self.state, len(self.table.live)
        self.kept[entries] = list(self.holds)
        try:
            act()
        except tw.Refused:
            assert self.state == before
            assert len(self.table.live) == entries
            return False
        if deed:
            self.deed = deed
        self.follow([event for entry in self.table.live[entries:] for event in entry.events])
        self.kept[len(self.table.live)] = list(self.holds)
        return True

    def follow(self, events: list[Any]) -> None:
        for event in events:
            if isinstance(event, Stepped) and self.deed.get("action") == "walk":
                self.prune()
            if isinstance(event, (Stepped, Forced)):
                self.at[event.actor] = event.at
            elif isinstance(event, HoldBegun):
                self.begun(event)
            elif isinstance(event, HoldEnded):
                self.let_go(event)
        self.at = places(self.state)
        if not self.table.waiting_on:
            self.prune()

    def begun(self, event: HoldBegun) -> None:
        """A hold begins with a free hand, on somebody in reach, and on all of it only where it is not much larger."""
        hold = Hold(event.actor, event.target, event.hand, event.part)
        assert event.actor != event.target
        assert event.hand in free(self.state, self.holds, event.actor), (event, [h.all for h in self.holds])
        assert event.part or fast(self.state, hold), event
        assert firm(hold, self.state, self.at), event
        self.holds.append(hold)

    def let_go(self, event: HoldEnded) -> None:
        """What its holder or its captive ends by what it does; the rest has to come of what became of them."""
        action = self.deed.get("action")
        mine = action in ("release", "throw_opponent") and self.deed["actor"] == event.actor
        if mine and self.deed["target"] != event.target:
            return
        broken = "escape-success" in event.rule or "immediate-save" in event.rule
        if mine or (broken and action in ("escape", "rally")):
            ended = (event.actor, event.target, event.hold.hand, event.hold.part)
            assert ended in [hold.all for hold in self.holds], event
            self.holds = [hold for hold in self.holds if hold.all != ended]

    def prune(self) -> None:
        self.holds = [hold for hold in self.holds if firm(hold, self.state, self.at)]

    def declare(self, actor: str, action: str, **said: Any) -> bool:
        deed = {"action": action, "actor": actor} | said
        return self.do(lambda: self.table.declare(actor, action, seat="guide", **said), **deed)

    def step(self, name: str, said: dict[str, Any]) -> None:
        """One move, if it is open now, and everything that has to be true afterwards."""
        if bool(self.table.waiting_on) == (name == "answer") or name in AT_ANY_TIME:
            getattr(self, name)(**said)
            self.look()

    def around(self, number: int) -> str:
        """Somebody beside whoever's turn it is; else anybody."""
        up = self.state.actors[self.state.active or "kara"]
        others = [actor for actor in self.state.actors.values() if actor.id != up.id]
        beside = [actor.id for actor in others if near((up.size, up.at), (actor.size, actor.at))]
        listed = beside or [actor.id for actor in others]
        return listed[number % len(listed)]

    def deal(self, action: str, **said: Any) -> None:
        """A deed of whoever's turn it is."""
        if self.state.active is not None:
            self.declare(self.state.active, action, **said)

    # -- turns, and budgets enough to go on

    def turn(self, name: str) -> None:
        if self.state.active is not None:
            self.declare(self.state.active, "end")
        self.declare(name, "begin")

    def again(self) -> None:
        up = self.state.active
        if up is not None:
            self.do(
                lambda: self.table.override({f"{up}.actions": 1, f"{up}.attacks": 3, f"{up}.movements": 2}, "go on"),
                action="override",
            )

    # -- deeds

    def grapple(self, number: int, part: str, hand: str) -> None:
        up, other = self.state.active, self.around(number)
        if up is None:
            return
        said = {key: value for key, value in (("part", part), ("hand", hand)) if value}
        if up != other:
            self.may_grapple(up, other, part, hand, codes(self.table, up, "grapple", target=other, **said))
        self.declare(up, "grapple", target=other, **said)

    def may_grapple(self, up: str, target: str, part: str, hand: str, refused: list[str]) -> None:
        owner, captive = self.state.actors[up], self.state.actors[target]
        hands = free(self.state, self.holds, up)
        can = bool(hands) and hand in ("", *hands)
        assert can is not bool({"NO_FREE_HAND", "HANDS_BUSY"} & set(refused)), (refused, hands)
        assert near((owner.size, owner.at), (captive.size, captive.at)) is ("OUT_OF_RANGE" not in refused)
        whole = INDEX[captive.size] - INDEX[owner.size] < 2
        assert bool(whole or part) is ("TOO_LARGE" not in refused)

    def escape(self, number: int, waits: bool) -> None:
        """In the captive's own turn; or at once, if the Narrator allows that."""
        if not self.holds:
            return
        captive = self.holds[number % len(self.holds)].captive
        if captive != self.state.active and waits:
            self.turn(captive)
        before = [hold.all for hold in self.holds if hold.captive == captive]
        if self.declare(captive, "escape") and not self.table.waiting_on:
            left = [hold.all for hold in self.holds if hold.captive == captive]
            assert left == ([] if rolled(self.table).passed else before), "one save settles all of them"

    def release(self, number: int, whole: bool) -> None:
        if not self.holds:
            return
        hold = self.holds[number % len(self.holds)]
        said = {} if whole else {"hand": hold.hand}
        off = self.state.active != hold.owner
        before = self.state.actors[hold.owner].reactions
        if self.declare(hold.owner, "release", target=hold.captive, **said):
            assert self.state.actors[hold.owner].reactions == before - off

    def push(self, number: int, how: str, direction: str, metres: int) -> None:
        said = {"direction": direction} if how == "drag" else {}
        self.deal("push", target=self.around(number), how=how, metres=metres, **said)

    def throw(self, number: int, direction: str, metres: int) -> None:
        if not self.holds:
            return
        hold = self.holds[number % len(self.holds)]
        if hold.owner != self.state.active:
            self.turn(hold.owner)
        self.declare(hold.owner, "throw_opponent", target=hold.captive, direction=direction, metres=metres)

    def at_somebody(self, number: int, deed: str) -> None:
        self.deal(deed, target=self.around(number))

    def walk(self, steps: list[tuple[int, int]]) -> None:
        up = self.state.active
        here = self.state.actors[up].at if up else None
        if up is None or not isinstance(here, tuple):
            return
        way, x, y = [], here[0], here[1]
        for dx, dy in steps:
            x, y = x + dx, y + dy
            way.append((x, y))
        was = [hold for hold in self.holds if hold.captive == up]
        if self.declare(up, "walk", route=way):
            assert not any(fast(self.state, hold) for hold in was), "who is held fast walks"

    def blink(self, to: tuple[int, int]) -> None:
        self.deal("cast", ability="blink", to=f"{to[0]},{to[1]}")

    def gust(self, other: str) -> None:
        self.deal("cast", ability="gust", target=other)

    def by_itself(self, alone: str) -> None:
        said = {"item": "knife"} if alone in ("draw", "drop") else {}
        self.deal(alone, **said)

    def answer(self, pick: int) -> None:
        asked = self.table.waiting_on[0]
        value: Any = {"kind": "procedure"}
        if asked.kind == "confirm":
            value = True
        elif asked.kind != "rule":
            value = asked.question.options[pick % len(asked.question.options)].id
        self.do(lambda: self.table.answer(asked, value))

    # -- what the Narrator does

    def change(self, **changes: Any) -> None:
        """The Narrator's changes are settled at once, also in the middle of a deed."""
        written = {what.replace("__", "."): value for what, value in changes.items()}
        deed = {} if self.table.waiting_on else {"action": "override"}
        if self.do(lambda: self.table.override(written, "a test"), **deed):
            self.prune()
            self.kept[len(self.table.live)] = list(self.holds)

    def put(self, name: str, to: tuple[int, int]) -> None:
        if self.room(name, to):
            self.change(**{f"{name}__at": list(to)})

    def put_beside(self, name: str, other: str, number: int) -> None:
        """Somebody is put beside another again, so that there is somebody to hold."""
        here, there = self.state.actors[name], self.state.actors[other]
        tiles = [(x, y) for x in range(WIDE) for y in range(HIGH)]
        beside = [at for at in tiles if self.room(name, at) and near((here.size, at), (there.size, there.at))]
        if beside and name != other:
            self.change(**{f"{name}__at": list(beside[number % len(beside)])})

    def room(self, name: str, to: tuple[int, int]) -> bool:
        there = body(self.state.actors[name].size, to)
        others = [other for other in self.state.actors.values() if other.id != name]
        taken = [cell for other in others for cell in body(other.size, other.at)]
        return all(x < WIDE and y < HIGH and (x, y) not in taken and ROWS[y][x] == "." for x, y in there)

    def wound(self, number: int, limb: str) -> None:
        """A limb of somebody who holds another; mostly the one that holds."""
        if self.holds:
            hold = self.holds[number % len(self.holds)]
            named = limb or WITHIN.get(hold.hand) or hold.hand
            self.change(**{f"{hold.owner}__wounded": [named]})

    def afflict(self, name: str, condition: str) -> None:
        self.change(**{f"{name}__conditions": [condition]})

    def fell(self, name: str) -> None:
        self.change(**{f"{name}__hp": 0})

    def heal(self, name: str) -> None:
        self.change(**{f"{name}__hp": 40, f"{name}__conditions": [], f"{name}__wounded": []})

    def remove(self, name: str) -> None:
        self.change(**{f"{name}__at": None})

    # -- back and forth

    def undo(self) -> None:
        try:
            self.table.undo()
        except tw.Refused:
            return
        self.back()

    def redo(self) -> None:
        try:
            self.table.redo()
        except tw.Refused:
            return
        self.back()

    def back(self) -> None:
        self.holds = list(self.kept[len(self.table.live)])
        self.at, self.deed = places(self.state), {}
        declared = [e.input.declaration for e in self.table.live if hasattr(e.input, "declaration")]
        if self.table.waiting_on and declared:
            d = declared[-1]
            self.deed = {"action": d.action, "actor": d.actor, "target": d.target}

    def save(self) -> None:
        self.table.save(self.path)
        again = tw.Table.load(self.path)
        assert again.state == self.state
        assert [q.question for q in again.waiting_on] == [q.question for q in self.table.waiting_on]
        self.table = again

    # -- what always holds

    def look(self) -> None:
        self.the_same_holds()
        self.a_hand_holds_once()
        self.whoever_can_hold_nobody_does_not()
        self.nobody_stands_on_another()
        self.what_it_does_to_the_captive()

    def the_same_holds(self) -> None:
        if not self.table.waiting_on:
            assert of_the_game(self.state) == [hold.all for hold in self.holds]

    def a_hand_holds_once(self) -> None:
        hands = [(owner, hand) for owner, _, hand, _ in of_the_game(self.state)]
        assert len(hands) == len(set(hands))
        for name, actor in self.state.actors.items():
            empty = [h.name for h in actor.hands if h.name not in [i.hand for i in actor.items if i.place == "hand"]]
            assert len([1 for owner, _ in hands if owner == name]) <= len(empty)

    def whoever_can_hold_nobody_does_not(self) -> None:
        """At once, whatever is still open."""
        for owner, captive, hand, _ in of_the_game(self.state):
            holder = self.state.actors[owner]
            assert owner != captive
            assert holder.hp > 0, (owner, captive)
            assert not [name for name in holder.conditions if name in ABLE_NOT], (owner, captive)
            assert hand not in holder.wounded, (owner, captive)

    def nobody_stands_on_another(self) -> None:
        if not self.table.waiting_on:
            up = [actor for actor in self.state.actors.values() if not deep(actor.size, actor.at)]
            filled = [cell for actor in up for cell in body(actor.size, actor.at)]
            assert len(filled) == len(set(filled))

    def what_it_does_to_the_captive(self) -> None:
        """Looked at where holds have changed: the DC to break free, no way but by magic, and the part out of use."""
        now = [hold.all for hold in self.holds], [len(actor.conditions) for actor in self.state.actors.values()]
        if self.table.waiting_on or now == self.looked:
            return
        self.looked = now
        for name, actor in self.state.actors.items():
            mine = [hold for hold in self.holds if hold.captive == name]
            if not isinstance(actor.at, tuple):
                continue
            step = (actor.at[0] + 1, actor.at[1]) if actor.at[0] < WIDE - 5 else (actor.at[0] - 1, actor.at[1])
            barred = "HELD" in codes(self.table, name, "walk", seat="guide", route=[step])
            assert barred is any(fast(self.state, hold) for hold in mine), name
            assert "HELD" not in codes(self.table, name, "cast", seat="guide", ability="blink", to="0,0")
            others = [other for other in WHO if other != name]
            asked = codes(self.table, name, "attack", seat="guide", target=others[0], weapon="claw")
            assert ("PART_HELD" in asked) is not usable(self.holds, name, "right hand"), (name, asked)
            if mine and actor.hp > 0 and not {"slain", "incapacitated"} & set(actor.conditions):
                assert to_break_free(self.state, name) == dc(self.holds, name)


def to_break_free(state: State, captive: str) -> int:
    """The DC that is put to whoever tries to break free, in its own turn with its Action unspent."""
    table = tw.Table(state, seed=1, dice="table")
    if state.active is not None:
        table.declare(state.active, "end", seat="guide")
    table.declare(captive, "begin", seat="guide")
    table.declare(captive, "escape", seat="guide")
    roll = table.waiting_on[0].question
    assert isinstance(roll, Roll)
    assert roll.against is not None
    return roll.against


# -- at random


Move = tuple[str, dict[str, Any]]


DEEDS = {
    "turn": 8,
    "again": 14,
    "grapple": 40,
    "escape": 3,
    "release": 2,
    "push": 10,
    "throw": 4,
    "at_somebody": 4,
    "walk": 6,
    "blink": 2,
    "gust": 3,
    "by_itself": 3,
}
NARRATOR = {
    "put": 1,
    "put_beside": 9,
    "wound": 3,
    "afflict": 2,
    "fell": 1,
    "heal": 10,
    "remove": 1,
    "undo": 3,
    "redo": 2,
    "save": 1,
}


def any_move(brawl: Brawl, draw: Random) -> Move:
    """What is done next: mostly holds, and what becomes of them."""
    if brawl.table.waiting_on and draw.random() < 0.93:
        return "answer", {"pick": draw.randrange(6)}
    open_to = NARRATOR if brawl.table.waiting_on else DEEDS | NARRATOR
    name = draw.choices(list(open_to), list(open_to.values()))[0]
    wanted = inspect.signature(getattr(brawl, name)).parameters
    return name, {word: drawn(word, draw) for word in wanted}


def drawn(word: str, draw: Random) -> Any:
    if word == "to":
        return draw.randrange(WIDE), draw.randrange(HIGH)
    if word == "steps":
        return [(draw.randrange(-1, 2), draw.randrange(-1, 2)) for _ in range(draw.randrange(1, 4))]
    return draw.choice(SAID[word])


def played(folder: Path, moves: list[Move]) -> Brawl:
    brawl = Brawl(folder)
    for name, said in moves:
        brawl.step(name, said)
    return brawl


def shortest(folder: Path, moves: list[Move]) -> list[Move]:
    """The moves without those that the failure does not need."""
    size = len(moves) // 2
    while size:
        start = 0
        while start < len(moves):
            fewer = moves[:start] + moves[start + size :]
            if fails(folder, fewer):
                moves = fewer
            else:
                start += size
        size //= 2
    return moves


def fails(folder: Path, moves: list[Move]) -> bool:
    try:
        played(folder, moves)
    except (AssertionError, LookupError, ValueError, TypeError):
        return True
    return False


def brawled(folder: Path, seed: int, steps: int) -> Brawl:
    """So many moves; where something is wrong the fewest of them that show it."""
    draw, brawl, moves = Random(seed), Brawl(folder), list[Move]()
    for _ in range(steps):
        moves.append(any_move(brawl, draw))
        try:
            brawl.step(*moves[-1])
        except (AssertionError, LookupError, ValueError, TypeError):
            few = shortest(folder, moves)
            print("\n".join(f"{name} {said}" for name, said in few))
            played(folder, few)
            raise
    return brawl


@pytest.mark.rule(
    "altered-realms.grapple.cap-by-free-hands",
    "altered-realms.grapple.dog-pile-plus-two",
    "altered-realms.grapple.forced-break",
    "altered-realms.grapple.larger-attached",
    "altered-realms.grapple.no-movement-except-teleport",
    "altered-realms.grapple.part-unusable",
)
@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_done_the_holds_are_those_that_can_be(seed: int, tmp_path: Path) -> None:
    brawled(tmp_path, seed, 75)


# -- what it has found


def who_holds(table: tw.Table) -> list[tuple[str, str]]:
    return [(owner, captive) for owner, captive, _, _ in of_the_game(table.state)]


@pytest.mark.rule("altered-realms.grapple.cost-and-range", "altered-realms.meat-shield.redirect")
@pytest.mark.parametrize(("at", "held"), [((3, 1), False), ((2, 2), True)])
def test_a_captive_who_is_held_into_a_grapple_is_held_only_within_reach(at: tuple[int, int], held: bool) -> None:
    """Kara goes for the Orc, who puts the Goblin there: beside her too, or a metre beyond her reach."""
    made = [creature("kara", "h", (1, 1)), creature("orc", "o", (2, 1)), creature("goblin", "x", at, ac=5)]
    t = table(*made, dice=((20,), (10,), (20,)), begin="orc")
    t.declare("orc", "grapple", target="goblin")
    turn(t, "kara")
    t.declare("kara", "grapple", target="orc")
    t.answer(t.waiting_on[0], "0")
    assert who_holds(t) == [("orc", "goblin")] + ([("kara", "goblin")] if held else [])


@pytest.mark.rule("altered-realms.push.grappler-may-follow", "altered-realms.grapple.forced-break")
@pytest.mark.parametrize(("damage", "kept"), [("1", True), ("30", False)])
def test_whoever_is_struck_while_following_a_captive_holds_on_unless_that_fells_it(damage: str, kept: bool) -> None:
    t = table(
        creature("kara", "h", (5, 3), str_=4),
        creature("orc", "o", (6, 3), ac=5),
        creature("wolf", "o", (4, 3), weapons=[{"name": "fang", "damage": damage, "modifier": 5}]),
        dice=((20,), (20,), (15,)),
        begin="kara",
    )
    t.declare("kara", "grapple", target="orc")
    t.override({"kara.attacks": 1}, "one more")
    t.declare("kara", "push", target="orc", metres=2)
    t.answer(t.waiting_on[0], "0")  # she follows
    t.answer(t.waiting_on[0], "0")  # the Wolf strikes
    passing(t)
    assert who_holds(t) == ([("kara", "orc")] if kept else [])
    assert t.state.actors["kara"].at == ((7, 3) if kept else (5, 3))


@pytest.mark.rule("altered-realms.grapple.larger-attached")
def test_whoever_is_attached_to_somebody_who_is_attached_comes_along_too() -> None:
    """Finn hangs on the Ogre, and the Ogre on the Titan, who walks over where they were."""
    t = everybody()
    t.override({"titan.at": [10, 7], "ogre.at": [8, 7], "finn.at": [7, 7], "orc.at": [0, 0]}, "a row of them")
    t.override([HoldBegun("", "finn", "ogre", "tail", "left leg")], "held before")
    t.override([HoldBegun("", "ogre", "titan", "left hand", "left leg")], "held before")
    t.declare("titan", "begin")
    t.declare("titan", "walk", route=[(9, 7), (8, 7)])
    passing(t)
    assert [t.state.actors[name].at for name in ("titan", "ogre", "finn")] == [(8, 7), (6, 7), (5, 7)]
    assert who_holds(t) == [("finn", "ogre"), ("ogre", "titan")]


@pytest.mark.rule("altered-realms.grapple.larger-attached")
def test_two_who_hang_on_one_behind_the_other_keep_their_places() -> None:
    """Each is carried to where the other has just been, or will be."""
    made = [creature("kara", "h", (4, 3)), creature("finn", "h", (4, 4)), creature("troll", "o", (5, 3), size="huge")]
    for step in ((5, 2), (5, 4)):
        t = table(*made, begin="troll")
        for name in ("kara", "finn"):
            t.override([HoldBegun("", name, "troll", "right hand", "left leg")], "held before")
        t.declare("troll", "walk", route=[step])
        up = step[1] - 3
        assert [t.state.actors[name].at for name in ("kara", "finn")] == [(4, 3 + up), (4, 4 + up)]
        assert who_holds(t) == [("kara", "troll"), ("finn", "troll")]


@pytest.mark.rule("altered-realms.grapple.no-movement-except-teleport")
def test_nobody_teleports_from_nowhere() -> None:
    t = everybody()
    t.override({"finn.at": None}, "gone")
    t.declare("finn", "begin")
    assert "NO_MAP" in codes(t, "finn", "cast", ability="blink", to="6,3")


@pytest.mark.rule("altered-realms.movement.only-for-relocation")
def test_a_walk_ends_before_an_ally_who_was_put_there_meanwhile() -> None:
    made = [creature("kara", "h", (5, 3)), creature("finn", "h", (9, 9)), creature("orc", "o", (4, 3))]
    t = table(*made, begin="kara")
    t.declare("kara", "walk", route=[(6, 3), (7, 3), (8, 3)])
    t.override({"finn.at": [8, 3]}, "thrown there")
    passing(t)
    assert t.state.actors["kara"].at == (7, 3)


@pytest.mark.rule("altered-realms.push.free-hand-and-cost", "altered-realms.grapple.part-unusable")
@pytest.mark.parametrize(("part", "refused"), [("right hand", ["NO_FREE_HAND"]), ("left leg", [])])
def test_a_holding_hand_that_is_held_itself_pushes_nobody(part: str, refused: list[str]) -> None:
    """Kara holds the Orc with her right hand, a shield in the left; the Goblin takes that hand, or a leg."""
    made = [
        creature("kara", "h", (5, 5), items=[{"name": "shield", "hand": "left hand"}]),
        creature("orc", "o", (6, 5), ac=5),
        creature("goblin", "o", (5, 6)),
    ]
    t = table(*made, dice=((20,),), begin="kara")
    t.declare("kara", "grapple", target="orc")
    t.override([HoldBegun("", "goblin", "kara", "right hand", part)], "held before")
    t.override({"kara.attacks": 1}, "one more")
    assert codes(t, "kara", "push", target="orc", how="pull") == refused
