"""Whatever else a character tries: goal and means, the guide's ruling on them, and what the ruling brings about."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnwright.engine import Play
from turnwright.events import Told
from turnwright.model import NOTHING, Bill, Declaration, Moment, Outcome, Parameter, Price, Refusal, Ruling, State
from turnwright.rules import Action, Pick, Settled, Steps
from turnwright.systems.narateer.check import check, check_of
from turnwright.systems.narateer.economy import ad, proactive_use, tier_cost
from turnwright.systems.narateer.events import Came, ConditionChanged, Hidden, Identified, Revealed, Secret, Wounded
from turnwright.systems.narateer.intent import INTENT, METHOD, incomplete
from turnwright.systems.narateer.senses import hiding
from turnwright.systems.narateer.sheet import character, readiness, settings

TOPICS = ("action", "declare", "resolve", "common", "other")

FAILURE = "it does not work, and time is lost"


class Attempt(Action):
    """Anything that no other action covers: the list of named actions is never closed.

    Rules: narateer.common.list-not-closed, narateer.declare.intent-and-method, narateer.declare.no-procedure-guessing,
    narateer.declare.intent-method-before-procedure, narateer.attack.other-combat-goals.
    """

    name = "attempt"
    about = "try anything else: say what you want and how"
    rules = ("narateer.common.list-not-closed", "narateer.resolve.fallback-order")
    parameters = (
        INTENT,
        METHOD,
        Parameter("target", "actor", "whom it concerns"),
        Parameter("parts", "text", "several trivial acts in a row, separated by semicolons"),
    )

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        goal, means = pick((("get past", "climb over it"), ("shake them", "shout at them"), ("hold still", "wait")))
        return replace(d, intent=goal, method=means)

    def missing(self, known: State, d: Declaration) -> Iterator[Refusal]:
        yield from incomplete("narateer.declare.intent-and-method", intent=d.intent, method=d.method)

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
        """Rules: narateer.declare.sequence, narateer.action.definition."""
        return None

    def bill(self, state: State, d: Declaration, ruling: Ruling) -> Bill:
        return generic_bill(state, d, ruling)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        assert paid.ruling is not None
        return (yield from by_ruling(play, d, paid, paid.ruling))


def generic_bill(state: State, d: Declaration, ruling: Ruling) -> Bill:
    """What a ruled attempt costs: a tier, or for a check at least 1 AD and a use of the Skill, unless a rule says else.

    Rules: narateer.tier.generic-check-is-major, narateer.tier.specific-rule-may-set, narateer.tier.trivial-bundle,
    narateer.tier.judge-whole-attempt, narateer.resolve.specific-procedure-owns-requirements.
    """
    if ruling.kind != "check":
        tier = "minor" if ruling.bundle else ruling.tier or "trivial"
        amount = tier_cost(state, tier) if ruling.ad is None else ruling.ad
        return Bill(Price(ad(amount, tier, "narateer.tier.only-without-specific-rule")), None, tier)
    amount = tier_cost(state, "major") if ruling.ad is None else ruling.ad
    base = ad(amount, f"a {ruling.skill} check", "narateer.tier.generic-check-is-major")
    uses = (proactive_use(ruling.skill),) if state.active == d.actor else ()
    dice = max(1, amount) if ruling.dice is None else ruling.dice
    limit = "narateer.tier.specific-rule-may-set" if ruling.boost is not None else "narateer.boost.cap-is-skill-level"
    dice_of = check_of(state, d.actor, ruling.skill, dice, ruling.boost, limit)
    return Bill(Price((*base, *uses)), dice_of, f"{ruling.skill} check")


def by_ruling(play: Play, d: Declaration, paid: Settled, ruling: Ruling) -> Steps[Outcome]:
    """Automatic outcomes are told; checks are read against what was agreed, and bring about exactly that.

    Rules: narateer.resolve.automatic-outcome, narateer.resolve.automatic-may-be-adverse,
    narateer.resolve.skill-check-conditions.
    """
    if ruling.kind != "check":
        play.emit(Told("narateer.resolve.automatic-outcome", d.actor, ruling.success or d.intent, ruling.good))
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
    """What plainly gives a position away reveals it, once it is done.

    Rules: narateer.reveal.by-side-effects, narateer.reveal.unambiguous-clue.
    """
    if ruling.reveals:
        for held in play.state.related(Hidden, d.actor):
            play.emit(Revealed("narateer.reveal.unambiguous-clue", d.actor, held.other, "gave itself away"))


# -- the ruling


def warned_by(state: State, d: Declaration, ruling: Ruling) -> tuple[str, ...]:
    """Rules: narateer.reveal.warn-before-commit."""
    warned = (ruling.warning,) if ruling.warning else ()
    if ruling.reveals and hiding(state, d.actor) and not ruling.warning:
        return ("this plainly gives away where you are",)
    return warned


def lacking(state: State, d: Declaration, ruling: Ruling) -> Iterator[Refusal]:
    """What a ruling still lacks; until it is complete it is refused and nobody commits anything.

    Rules: narateer.declare.ruling-contents, narateer.resolve.impossible-as-declared,
    narateer.other.stakes-before-commit, narateer.resolve.roll-when-both-matter,
    narateer.tier.trivial-bundle-announced.
    """
    if ruling.kind == "impossible" and not ruling.obstacle.strip():
        yield _lacks("narateer.resolve.impossible-as-declared", "obstacle")
    if ruling.bundle and len(parts_of(d)) < 2:
        text = "acts that are done cannot be bundled; announce it before the first of several"
        yield Refusal("narateer.tier.trivial-bundle-announced", text, "TOO_LATE")
    if ruling.kind == "check":
        yield from _check_lacks(state, d, ruling)


def _check_lacks(state: State, d: Declaration, ruling: Ruling) -> Iterator[Refusal]:
    search = d.action == "search"
    rule = {"search": "narateer.search.risk-before-commit", "obstacle": "narateer.movecheck.stakes-before-dice"}
    if not ruling.skill and not search:
        yield _lacks("narateer.declare.ruling-contents", "skill")
    if ruling.target is None and ruling.against not in state.actors and not search:
        yield _lacks("narateer.declare.ruling-contents", "target")
    if not ruling.success.strip() and not search:
        yield _lacks("narateer.other.stakes-before-commit", "success")
    if not ruling.failure.strip():
        yield _lacks(rule.get(d.action, "narateer.other.stakes-before-commit"), "failure")
        text = "failure does not matter: resolve it automatically"
        yield Refusal("narateer.resolve.roll-when-both-matter", text, "NO_STAKE")


def _lacks(rule: str, part: str) -> Refusal:
    return Refusal(rule, f"the ruling lacks: {part}", f"INCOMPLETE {part}")


def parts_of(d: Declaration) -> list[str]:
    return [part.strip() for part in d.option("parts").split(";") if part.strip()]


def fallback(certain: bool, can_work: bool, uncertain: bool) -> str:
    """The path where no specific procedure governs, in the order of the text.

    Rules: narateer.resolve.fallback-order, narateer.resolve.skill-check-conditions.
    """
    if certain:
        return "automatic"
    if not can_work:
        return "impossible"
    return "check" if uncertain else "automatic"


def presets(state: State, d: Declaration) -> tuple[Ruling, ...]:
    """One-key rulings for the guide: told, Minor, a check at each step of the ladder, impossible, unclear.

    Rules: narateer.equipment.tier-guidelines, narateer.resolve.fallback-order, narateer.declare.clarify-unclear.
    """
    ladder = settings(state).ladder
    skill = d.option("skill") or _likely_skill(state, d)
    opposed = d.target if d.target in state.actors else ""
    check_ruling = Ruling(
        "check",
        skill=skill,
        target=None if opposed else ladder.get("standard", 6),
        against=opposed,
        success=d.intent,
        failure=FAILURE,
        why="uncertain",
    )
    told = Ruling("automatic", tier="trivial", success=d.intent)
    minor = Ruling("automatic", tier="minor", success=d.intent)
    by_effort = {"simple": (told, minor, check_ruling), "substantial": (minor, told, check_ruling)}
    first = by_effort.get(d.option("effort"), (check_ruling, told, minor))
    more = (Ruling("automatic", tier="trivial", bundle=True, success=d.intent),) if len(parts_of(d)) > 1 else ()
    return (*more, *first, Ruling("impossible", obstacle="that cannot work this way"), Ruling("unclear"))


def _likely_skill(state: State, d: Declaration) -> str:
    """The actor's own best Skill that the words name, else the best one there is, else Athletics."""
    skills = character(state, d.actor).skills
    words = f"{d.intent} {d.method}".lower()
    named = [skill for skill in skills if skill in words]
    ranked = sorted(named or skills, key=lambda s: -skills[s])
    return ranked[0] if ranked else "athletics"
