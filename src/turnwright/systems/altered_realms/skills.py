"""Skill rolls and whatever else somebody tries: the Narrator says which skill, and against what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.events import Told
from turnwright.intent import incomplete
from turnwright.model import (
    NOTHING,
    Bill,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    Ruling,
    State,
    cost,
)
from turnwright.rules import Action, Nature, Pick, Settled, Steps, ended
from turnwright.systems.altered_realms.aid import skill_check
from turnwright.systems.altered_realms.economy import (
    action_price,
    motion_price,
    off_turn,
    own_turn,
    reaction_price,
)
from turnwright.systems.altered_realms.events import RollsAllowed
from turnwright.systems.altered_realms.sheet import creature, settings, skill_of, skills

TOPICS = ("skill",)

HURTS = ("hurt", "harm", "wound", "kill", "damage", "slay", "injur")
"""Beginnings of words for a goal that most likely needs an attack."""
LADDER = 14
"""The DC that is suggested first; the Narrator says another."""


def roll_price(state: State, actor: str, skill: str, counts: bool = True) -> Price:
    """What a skill roll takes: a physical one an Action, off-turn a Reaction; the others one of so many in a turn.

    What the Narrator calls for does not count.
    Rules: altered-realms.skill.physical-definition-cost, altered-realms.skill.mental-definition-no-action,
    altered-realms.skill.social-no-action, altered-realms.skill.mental-limit, altered-realms.skill.social-limit.
    """
    found = skill_of(state, skill)
    if found is None or not counts:
        return NOTHING
    if found.kind == "physical":
        if own_turn(state, actor):
            return action_price("a physical skill roll", "altered-realms.skill.physical-definition-cost")
        return reaction_price("a physical skill roll off-turn") if off_turn(state, actor) else NOTHING
    rule = f"altered-realms.skill.{found.kind}-limit"
    price = Price((cost(f"roll:{found.kind}", 1, f"one {found.kind} skill roll", rule),))
    if off_turn(state, actor) and not settings(state).free_speech:
        return reaction_price(f"one {found.kind} skill roll off-turn").plus(*price.costs)
    return price


class Attempt(Action):
    """Anything that no other action covers: say the goal and the means, and the Narrator says what it takes.

    Rules: altered-realms.skill.physical-narrator-picks, altered-realms.reaction.any-off-turn-act,
    altered-realms.skill.social-definition.
    """

    name = "attempt"
    about = "try anything else, or make a skill roll: say what you want and how"
    rules = ("altered-realms.skill.physical-narrator-picks", "altered-realms.skill.physical-definition-cost")
    open_ended = True
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("intent", "text", "what you want", required=True),
        Parameter("method", "text", "how", required=True),
        Parameter("target", "actor", "whom it concerns"),
        Parameter("skill", "text", "a skill that you think fits; the Narrator names it"),
    )

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        intent, method = pick((("get up there", "climb the wall"), ("know more", "look around"), ("calm them", "talk")))
        return replace(d, intent=intent, method=method)

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from incomplete("altered-realms.skill.physical-narrator-picks", intent=d.intent, method=d.method)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if d.target and d.target not in known.actors:
            text = f"nobody called {d.target!r} is known to be here"
            yield Refusal("altered-realms.skill.physical-narrator-picks", text, "NO_TARGET")
        skill = d.option("skill")
        if skill and skill_of(known, skill) is None:
            text = f"there is no skill called {skill!r}; there are {', '.join(skills(known))}"
            yield Refusal("altered-realms.skill.physical-narrator-picks", text, "NO_SKILL")

    def price(self, known: State, d: Declaration) -> Price:
        """What the skill takes that the player has in mind; off-turn anything else takes a Reaction."""
        if d.option("skill"):
            return roll_price(known, d.actor, d.option("skill"))
        return reaction_price("a deed off-turn") if off_turn(known, d.actor) else NOTHING

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        return None

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        """A check takes what its skill takes; what works by itself an Action, or the budget that the ruling names."""
        if ruling.kind == "check":
            return Bill(roll_price(state, d.actor, ruling.skill, ruling.counts), None, f"the {ruling.skill} roll")
        if not ruling.counts:
            return Bill(NOTHING, None, "nothing")
        if off_turn(state, d.actor):
            return Bill(reaction_price("a deed off-turn"), None, "a deed off-turn")
        if not own_turn(state, d.actor):
            return Bill(NOTHING, None, "a deed")
        price = {"motion": motion_price("a simple deed"), "none": NOTHING}.get(ruling.tier, action_price("a deed"))
        return Bill(price, None, "a deed")

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        ruling = paid.ruling
        assert ruling is not None
        if ruling.kind != "check":
            play.emit(Told(self.rules[0], d.actor, ruling.success or d.intent, ruling.good))
            return Outcome(self.name, "automatic" if ruling.good else "failure")
        read = yield from skill_check(play, d.actor, ruling.skill, self.rules[0], dc=ruling.target or 0)
        play.emit(Told(self.rules[0], d.actor, ruling.success if read.passed else ruling.failure, bool(read.passed)))
        return Outcome(self.name, "success" if read.passed else "failure")


def suggested_skill(state: State, d: Declaration) -> str:
    """The skill whose words come up in the goal and the means; the first named one where none does.

    Rules: altered-realms.skill.social-definition.
    """
    words = f"{d.method} {d.intent}".lower().split()
    for name, skill in skills(state).items():
        if name in words or any(word.startswith(beginning) for word in words for beginning in skill.words):
            return name
    return d.option("skill") or "athletics"


def suggestions(state: State, d: Declaration) -> tuple[Ruling, ...]:
    """A goal of harm most likely needs an attack; else a roll of the skill that the words suggest. None of it binds.

    What is thrown to hurt is an improvised weapon.
    Rules: altered-realms.attack.damage-intent, altered-realms.throw-object.damage-defers,
    altered-realms.skill.physical-narrator-picks.
    """
    skill = d.option("skill") or suggested_skill(state, d)
    check = Ruling("check", skill=skill, target=LADDER, success=d.intent, failure="it does not work")
    others = (check, Ruling("automatic", success=d.intent), Ruling("impossible", obstacle="that cannot work"))
    if any(word.startswith(beginning) for word in d.intent.lower().split() for beginning in HURTS):
        if any(word.startswith("throw") or word.startswith("hurl") for word in d.method.lower().split()):
            return (
                Ruling("procedure", procedure="improvised_weapon"),
                Ruling("procedure", procedure="attack"),
                *others,
            )
        return (Ruling("procedure", procedure="attack"), *others)
    return others


def lacking(state: State, d: Declaration, ruling: Ruling) -> Iterator[Refusal]:
    """A check needs a skill that there is and a DC."""
    rule = "altered-realms.skill.physical-narrator-picks"
    if ruling.kind == "check" and skill_of(state, ruling.skill) is None:
        text = f"the skill is one of {', '.join(skills(state))}"
        yield Refusal(rule, text, "INCOMPLETE skill")
    if ruling.kind == "check" and ruling.target is None:
        yield Refusal(rule, "a check needs a target: its DC", "INCOMPLETE target")
    if ruling.tier not in ("", "action", "motion", "none"):
        yield Refusal(rule, "the budget is action, motion or none", "INCOMPLETE tier")


class AllowRolls(Action):
    """The Narrator's time allows somebody more mental or social rolls in this turn, or fewer.

    Rules: altered-realms.skill.mental-limit, altered-realms.skill.social-limit.
    """

    name = "allow_rolls"
    about = "say how many mental or social rolls somebody may make in this turn"
    nature: ClassVar[Nature] = "guide"
    rules = ("altered-realms.skill.mental-limit", "altered-realms.skill.social-limit")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("target", "actor", "who", required=True),
        Parameter("kind", "choice", "mental or social", required=True, choices=("mental", "social")),
        Parameter("number", "number", "how many in all", required=True, most=20),
    )

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        if d.target not in known.actors or d.option("kind") not in ("mental", "social"):
            yield Refusal(self.rules[0], "say whose rolls, and mental or social", "INCOMPLETE kind")
        if not d.option("number").strip().isdecimal():
            yield Refusal(self.rules[0], "say how many", "INCOMPLETE number")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        yield from ()

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        kind, number = d.option("kind"), int(d.option("number"))
        assert creature(play.state, d.target)
        play.emit(RollsAllowed(f"altered-realms.skill.{kind}-limit", d.target, kind, number))
        return ended(Outcome(self.name, "success", (d.target,)))
