"""Whatever else a character tries: goal and means, the guide's ruling on them, and what the ruling brings about.

The guide lays out the situation (a fact that every seat sees), a player says what the character wants and how, the
guide rules, and only then is anything spent. No rule reads the words themselves: first or third person is the same.
Where a specific procedure governs, its own action is declared, or the guide names it; the list of them is open.
A stretch of movement in the mode that was chosen goes on with that Action and is none of its own.

Rules: narateer.declare.situation-contents, narateer.declare.sequence, narateer.declare.person-agnostic,
narateer.resolve.specific-procedure-first, narateer.resolve.specific-procedure-kinds,
narateer.action.movement-not-extra-action.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.events import Told
from turnwright.intent import INTENT, METHOD, incomplete, lacks
from turnwright.model import (
    NOTHING,
    Bill,
    Declaration,
    Moment,
    Outcome,
    Parameter,
    Price,
    Refusal,
    RuleId,
    Ruling,
    State,
)
from turnwright.rules import Action, Nature, Pick, Settled, Station, Steps
from turnwright.systems.narateer.check import check
from turnwright.systems.narateer.economy import generic_bill, no_major, parts_of, price_lacks
from turnwright.systems.narateer.events import (
    Came,
    ConditionChanged,
    Established,
    Identified,
    Secret,
    Wounded,
)
from turnwright.systems.narateer.reveal import give_away
from turnwright.systems.narateer.senses import could_notice, opponents
from turnwright.systems.narateer.sheet import character, readiness, settings
from turnwright.systems.narateer.sneak import conceals_itself

TOPICS = ("action", "declare", "resolve", "common", "other")

FAILURE = "it does not work, and time is lost"
EASY = ("simple", "substantial")
"""How a use of things can look where its outcome is settled."""
DOUBTS = ("risky", "dramatic", "contested", "uncertain")
"""What sends an attempt to a check, each of them by itself. Rules: narateer.resolve.skill-check-conditions."""
PATH: dict[Station, RuleId] = {
    "rule": "narateer.declare.ruling-before-commit",
    "clarify": "narateer.declare.clarify-unclear",
    "confirm": "narateer.declare.ruling-before-commit",
    "impossible": "narateer.resolve.impossible-as-declared",
    "withdrawn": "narateer.resolve.impossible-revise-free",
    "react": "narateer.reaction.any-time-its-trigger-occurs",
}
"""The rule behind what every declaration is asked, and how it can end for nothing."""
RULED_BY = ("using", "place", "thing", "clues", "effort", "skill", "parts")
"""What a ruling depends on among the things that a declaration says."""
FOR_THE_GUIDE = ("procedure", "skill", "tier", "ad", "price")
"""What a declaration may propose to the guide, after the goal and the means."""


PROPOSED = (
    Parameter("procedure", "text", "whose procedure you think governs it", by_name=True),
    Parameter("tier", "text", "which tier you think it is", by_name=True),
    Parameter("ad", "number", "what you think it costs, in AD", by_name=True),
    Parameter("price", "text", "what you think it costs", by_name=True),
)


class Attempt(Action):
    """Anything that no other action covers: the list of named actions is never closed.

    Rules: narateer.common.list-not-closed, narateer.declare.intent-and-method, narateer.declare.no-procedure-guessing,
    narateer.declare.intent-method-before-procedure, narateer.attack.other-combat-goals.
    """

    name = "attempt"
    nature: ClassVar[Nature] = "proactive"
    """Rules: narateer.action.proactive-or-reactive (what is declared is one of the two; a Response is neither)."""
    about = "try anything else: say what you want and how"
    rules = ("narateer.common.list-not-closed", "narateer.resolve.fallback-order")
    open_ended = True
    parameters: ClassVar[tuple[Parameter, ...]] = (
        INTENT,
        METHOD,
        Parameter("target", "actor", "whom it concerns"),
        Parameter("skill", "text", "a Skill that you think fits; the guide names it"),
        Parameter("parts", "text", "several trivial acts in a row, separated by semicolons"),
        *PROPOSED,
    )

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        goal, means = pick((("get past", "climb over it"), ("shake them", "shout at them"), ("hold still", "wait")))
        return replace(d, intent=goal, method=means)

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from incomplete("narateer.declare.intent-and-method", intent=d.intent, method=d.method)
        yield from too_early(d)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if d.target and d.target not in known.actors:
            text = f"nobody called {d.target!r} is known to be here"
            yield Refusal("narateer.hidden.cannot-be-targeted-directly", text, "NO_PRECISE_LOCATION")

    def price(self, known: State, d: Declaration) -> Price:
        """Unknown before the ruling; there is no price in a name.

        Rules: narateer.tier.depends-on-method, narateer.declare.ruling-before-commit.
        """
        return NOTHING

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """The guide's word, which must be complete before anything is resolved.

        Rules: narateer.declare.sequence, narateer.action.definition, narateer.declare.ruling-before-commit.
        """
        return None

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        """Rules: narateer.resolve.specific-procedure-owns-requirements, narateer.action.guide-splits-narration."""
        return generic_bill(state, d, ruling)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        assert paid.ruling is not None
        return (yield from by_ruling(play, d, paid, paid.ruling))


def too_early(d: Declaration) -> Iterator[Refusal]:
    """A procedure or a price is proposed only after the goal and the means.

    Rules: narateer.declare.intent-method-before-procedure.
    """
    if d.intent.strip() and d.method.strip():
        return
    early = [name for name in FOR_THE_GUIDE if d.option(name)] + (["boost"] if d.boost else [])
    if early:
        text = f"first say what is wanted and how; {', '.join(early)} can be talked about after that"
        yield Refusal("narateer.declare.intent-method-before-procedure", text, "OUT_OF_ORDER")


def by_ruling(play: Play, d: Declaration, paid: Settled, ruling: Ruling) -> Steps[Outcome]:
    """Automatic outcomes are told; checks are read against what was agreed, and bring about exactly that.

    Rules: narateer.resolve.automatic-outcome, narateer.resolve.automatic-may-be-adverse,
    narateer.resolve.skill-check-conditions.
    """
    if ruling.kind != "check":
        adverse = ruling.failure or ruling.success
        told = ruling.success or d.intent if ruling.good else adverse
        rule = "narateer.resolve.automatic-outcome" if ruling.good else "narateer.resolve.automatic-may-be-adverse"
        play.emit(Told(rule, d.actor, told, ruling.good))
        if ruling.good:
            bring_about(play, d, ruling)
        reveal_by(play, d, ruling)
        return Outcome(d.action, "automatic" if ruling.good else "adverse", amount=int(ruling.good))
    against, ties = number_to_beat(play.state, ruling)
    read = yield from check(
        play,
        d.actor,
        ruling.skill,
        paid[d.actor],
        "narateer.resolve.skill-check-conditions",
        against=against,
        ties=ties,
    )
    if read.value:
        succeed(play, d, ruling)
    else:
        fail(play, d, ruling)
    reveal_by(play, d, ruling)
    return Outcome(d.action, "success" if read.value else "failure", amount=int(bool(read.value)))


def number_to_beat(state: State, ruling: Ruling) -> tuple[int, bool]:
    """A fixed target is met, an opponent's Readiness Score in the named Skill is to be exceeded.

    Rules: narateer.attack.non-harm-disclosure, narateer.search.object-target.
    """
    if ruling.target is not None:
        return ruling.target, settings(state).fixed_target == "meet"
    return readiness(state, character(state, ruling.against), ruling.skill), False


def succeed(play: Play, d: Declaration, ruling: Ruling) -> None:
    """Rules: narateer.attack.non-harm-result, narateer.attack.non-harm-no-wounds."""
    play.emit(Told("narateer.attack.non-harm-result", d.actor, ruling.success))
    bring_about(play, d, ruling)
    if ruling.wounds and d.target:
        play.emit(Wounded("narateer.attack.non-harm-no-wounds", d.target, ruling.wounds))


def bring_about(play: Play, d: Declaration, ruling: Ruling) -> None:
    """What now holds in the scene; an opportunity, never a bonus to anybody's check.

    Rules: narateer.equipment.opportunity-without-bonus, narateer.assist.separate-task-first.
    """
    for name, text in ruling.sets.items():
        play.emit(Came("narateer.equipment.opportunity-without-bonus", d.actor, name, text))
    for thing in ruling.finds:
        fact = play.state.facts.get(thing)
        if isinstance(fact, Secret) and d.actor in fact.found_by:
            play.emit(Identified("narateer.search.find-is-not-explain", d.actor, thing))


def fail(play: Play, d: Declaration, ruling: Ruling) -> None:
    play.emit(Told("narateer.other.stakes-before-commit", d.actor, ruling.failure, good=False))
    if ruling.consequence == "prone":
        play.emit(ConditionChanged("narateer.movecheck.consequence-menu", d.actor, "prone"))
    if ruling.consequence == "harm":
        play.emit(Wounded("narateer.movecheck.consequence-menu", d.actor, ruling.amount or 1))


def reveal_by(play: Play, d: Declaration, ruling: Ruling) -> None:
    """What plainly gives a position away reveals it, once it is done, to those who could notice.

    Rules: narateer.reveal.by-side-effects, narateer.reveal.unambiguous-clue.
    """
    if ruling.reveals:
        doer = character(play.state, d.actor)
        near = [other.id for other in opponents(play.state, doer) if could_notice(play.state, other, doer)]
        give_away(play, d.actor, near, "narateer.reveal.unambiguous-clue", "gave itself away")


# -- the ruling


def circumstances(state: State, d: Declaration, met: str = "") -> tuple[str, ...]:
    """What a ruling hangs on besides the means: the mode, what it is about, the Skill that was meant, Conditions.

    Who it is aimed at counts as one of their kind, and an obstacle as what it is and not where.
    Rules: narateer.tier.depends-on-method.
    """
    target = state.actors.get(d.target)
    at = kind_of(target.name) if target is not None else d.target
    said = [f"{name} {value}" for name in RULED_BY if (value := d.option(name))] if d.options else []
    met_with = [f"target {at}"] if at else []
    past = [f"obstacle {met}"] if met else []
    return (state.mode, *met_with, *said, *past, *sorted(character(state, d.actor).conditions))


@lru_cache(maxsize=1024)
def kind_of(name: str) -> str:
    """The name without the number that tells one of a kind from the others."""
    return re.sub(r"\W*\d+$", "", name)


def warned_by(state: State, d: Declaration, ruling: Ruling) -> tuple[str, ...]:
    """Rules: narateer.reveal.warn-before-commit."""
    warned = (ruling.warning,) if ruling.warning else ()
    if ruling.reveals and conceals_itself(state, d.actor) and not ruling.warning:
        return ("this plainly gives away where you are",)
    return warned


def lacking(state: State, d: Declaration, ruling: Ruling) -> Iterator[Refusal]:
    """What a ruling still lacks; until it is complete it is refused and nobody commits anything.

    An impossible ruling names what stands in the way; the declaration is then made anew, for nothing.
    Rules: narateer.declare.ruling-contents, narateer.resolve.impossible-as-declared,
    narateer.resolve.impossible-revise-free.
    """
    if ruling.kind == "impossible" and not ruling.obstacle.strip():
        yield lacks("narateer.resolve.impossible-as-declared", "obstacle")
    if ruling.kind == "automatic" and not ruling.good and not (ruling.failure or ruling.success).strip():
        yield lacks("narateer.resolve.automatic-may-be-adverse", "failure")
    if ruling.kind == "check":
        yield from _check_lacks(state, d, ruling)
    yield from price_lacks(state, d, ruling)
    for name in ruling.sets:
        if not isinstance(state.facts.get(name), Established | None):
            text = f"{name!r} is the name of something else in the scene"
            yield Refusal("narateer.equipment.opportunity-without-bonus", text, "TAKEN")


def _check_lacks(state: State, d: Declaration, ruling: Ruling) -> Iterator[Refusal]:
    """A check needs its Skill, its target and both stakes; a Search brings all but the risk.

    Rules: narateer.other.stakes-before-commit, narateer.resolve.roll-when-both-matter,
    narateer.resolve.skill-check-conditions, narateer.action.guide-splits-narration.
    """
    search = d.action == "search"
    rule = {"search": "narateer.search.risk-before-commit", "obstacle": "narateer.movecheck.stakes-before-dice"}
    if not ruling.skill.strip() and not search:
        yield lacks("narateer.declare.ruling-contents", "skill")
    for written in (*character(state, d.actor).skills, *settings(state).skill_words):
        if written != ruling.skill and written.lower() == ruling.skill.lower():
            yield lacks("narateer.declare.ruling-contents", f"skill (it is written {written!r})")
            break
    if ruling.target is None and ruling.against not in state.actors and not search:
        yield lacks("narateer.declare.ruling-contents", "target")
    if not ruling.success.strip() and not search:
        yield lacks("narateer.other.stakes-before-commit", "success")
        yield _no_stake("success")
    if not ruling.failure.strip():
        yield lacks(rule.get(d.action, "narateer.other.stakes-before-commit"), "failure")
        yield _no_stake("failure")
    if ruling.why not in ("", *DOUBTS):
        text = f"a check is for what is {', '.join(DOUBTS)}; {ruling.why!r} is none of them"
        yield Refusal("narateer.resolve.skill-check-conditions", text, "WHY")
    if not ruling.counts:
        yield Refusal("narateer.action.guide-splits-narration", "what is no Action has no check", "NO_ACTION")


def _no_stake(which: str) -> Refusal:
    text = f"{which} does not matter: resolve it automatically"
    return Refusal("narateer.resolve.roll-when-both-matter", text, "NO_STAKE")


def fallback(certain: bool, can_work: bool, doubt: str = "") -> str:
    """The path where no specific procedure governs: the first that fits, in the order of the text.

    Certain is what the method really brings about; mere inability is impossible. Without any doubt nothing is rolled.
    Rules: narateer.resolve.fallback-order, narateer.resolve.skill-check-conditions.
    """
    if certain:
        return "automatic"
    if not can_work:
        return "impossible"
    return "check" if doubt in DOUBTS else "automatic"


def presets(state: State, d: Declaration) -> tuple[Ruling, ...]:
    """One-key rulings for the guide, the path that seems to fit first, all of them only suggested.

    Rules: narateer.equipment.tier-guidelines, narateer.resolve.fallback-order, narateer.declare.clarify-unclear,
    narateer.tier.trivial-bundle.
    """
    check_ruling = suggested_check(state, d)
    told, minor, no_action = told_at_once(d.intent)
    forbidden = [refusal.text for refusal in no_major(state, character(state, d.actor))]
    impossible = Ruling("impossible", obstacle="; ".join(forbidden)) if forbidden else CANNOT_WORK
    effort = d.option("effort")
    paths: dict[str, tuple[Ruling, ...]] = {
        "check": () if forbidden else (check_ruling,),
        "automatic": (minor, told) if effort == "substantial" else (told, minor),
        "impossible": (impossible,),
    }
    first = fallback(effort in EASY, not forbidden, check_ruling.why)
    rest = [ruling for path, rulings in paths.items() if path != first for ruling in rulings]
    bundle = (replace(told, bundle=True),) if len(parts_of(d)) > 1 else ()
    return (*bundle, *paths[first], *rest, UNCLEAR, no_action)


CANNOT_WORK = Ruling("impossible", obstacle="that cannot work this way")
UNCLEAR = Ruling("unclear")


@lru_cache(maxsize=256)
def told_at_once(intent: str) -> tuple[Ruling, Ruling, Ruling]:
    """What is wanted simply comes about: for nothing, as a Minor Action, and as what is no Action at all."""
    told = Ruling("automatic", tier="trivial", success=intent)
    return told, replace(told, tier="minor"), replace(told, counts=False)


def suggested_check(state: State, d: Declaration) -> Ruling:
    """A check of a likely Skill, against the target's Readiness Score or the ladder's standard."""
    opposed = d.target if d.target in state.actors else ""
    why = "contested" if opposed else "risky" if d.option("effort") == "risky" else "uncertain"
    return Ruling(
        "check",
        skill=d.option("skill") or _likely_skill(state, d),
        target=None if opposed else settings(state).ladder.get("standard", 6),
        against=opposed,
        success=d.intent,
        failure=FAILURE,
        why=why,
    )


def _likely_skill(state: State, d: Declaration) -> str:
    """The Skill that the words name or suggest, the means before the goal; else the actor's best, else Athletics."""
    skills = character(state, d.actor).skills
    return _suggested(d.method, d.intent, tuple(skills.items()), tuple(settings(state).skill_words.items()))


@lru_cache(maxsize=256)
def _suggested(
    method: str, intent: str, skills: tuple[tuple[str, int], ...], words: tuple[tuple[str, tuple[str, ...]], ...]
) -> str:
    ranked = [skill for skill, _ in sorted(skills, key=lambda held: -held[1])]
    for text in (method.lower(), intent.lower()):
        named = [skill for skill in ranked if skill.lower() in text]
        suggested = named or [skill for word in re.findall(r"[^\W\d_]+", text) for skill in _hinted_at(word, words)]
        if suggested:
            return suggested[0]
    return ranked[0] if ranked else "athletics"


def _hinted_at(word: str, words: tuple[tuple[str, tuple[str, ...]], ...]) -> Iterator[str]:
    return (skill for skill, stems in words if word.startswith(stems))
