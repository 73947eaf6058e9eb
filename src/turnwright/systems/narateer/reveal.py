"""How hiding ends: sounds and other clues, following them up, and telling others what one has found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from turnwright.engine import Play, window
from turnwright.intent import stated
from turnwright.model import NOTHING, Check, Declaration, Moment, Outcome, Parameter, Price, Refusal, State
from turnwright.rules import Action, Pick, Settled, Steps, ended
from turnwright.systems.narateer.check import check, check_of, one_ad
from turnwright.systems.narateer.economy import proactive_use
from turnwright.systems.narateer.events import (
    CluePerceived,
    CommunicatedPosition,
    Exposed,
    Hidden,
    Learned,
    Revealed,
    SearchBegun,
)
from turnwright.systems.narateer.hide import OBSERVATION, resolve_waiting
from turnwright.systems.narateer.knowledge import known as known_to
from turnwright.systems.narateer.senses import clearly_perceives, considered, locates, opponents, record, within_metres
from turnwright.systems.narateer.sheet import Character, character, settings
from turnwright.systems.narateer.sneak import conceals_itself

TOPICS = ("reveal",)


class ClueLeft(Moment, frozen=True):
    """A clue that gives only a chance of discovery reached some creatures."""

    actor: str
    hearers: tuple[str, ...]


def give_away(play: Play, actor: str, to: list[str], rule: str, how: str) -> None:
    """What plainly gives a position away reveals whoever hides to those who notice it, whatever the recorded total.

    They know the Space now, so that only another one, or a distraction, lets one hide from them again.
    Rules: narateer.reveal.unambiguous-clue, narateer.reveal.how-it-ends (for nobody else),
    narateer.reveal.must-hide-again.
    """
    for observer in to:
        if conceals_itself(play.state, actor) or play.state.relation(Hidden, actor, observer) is not None:
            play.emit(Revealed(rule, actor, observer, how))
        elif not locates_by_itself(play.state, observer, actor):
            play.emit(Learned(rule, actor, observer, play.state.actors[actor].at))


def reveal_to_all_who_see(play: Play, hider: str) -> None:
    """Coming into clear view reveals at once, in mid-movement too, whatever the recorded total.

    Rules: narateer.reveal.clear-view-immediate, narateer.reveal.how-it-ends, narateer.hidden.not-invisible,
    narateer.reveal.exposed-approach-earlier.
    """
    for observer in opponents(play.state, character(play.state, hider)):
        met = play.state.relation(Exposed, hider, observer.id) is not None
        if not met and clearly_perceives(play.state, observer, character(play.state, hider)):
            play.emit(Revealed("narateer.reveal.clear-view-immediate", hider, observer.id, "in clear view"))


def reveal_attacker(play: Play, attacker: str, target: str) -> None:
    """An attack from hiding reveals to its target once the Exchange is over, hit or miss; others perceive as ever.

    Rules: narateer.reveal.attack-after-exchange, narateer.reveal.attack-bystanders (nobody else is told).
    """
    if play.state.relation(Hidden, attacker, target) is not None:
        play.emit(Revealed("narateer.reveal.attack-after-exchange", attacker, target, "attacked"))


def carries(state: State, d: Declaration) -> int:
    """How far a sound carries, in metres."""
    said = d.options.get("range")
    return settings(state).hearing_range if said is None else int(said)


def range_refusals(d: Declaration, rule: str) -> Iterator[Refusal]:
    said = d.options.get("range")
    if said is not None and not str(said).isdecimal():
        yield Refusal(rule, f"the range is a whole number of metres, not {said!r}", "RANGE")


RANGE = Parameter("range", "number", "how far it carries, in metres; 0 for a whisper that nobody hears")


class MakeNoise(Action):
    """A sound or another clue: it reveals where it is clear, and can be followed where it is not.

    Rules: narateer.reveal.unambiguous-clue, narateer.reveal.ambiguous-clue, narateer.reveal.by-side-effects.
    """

    name = "make_noise"
    about = "make a sound or leave another clue"
    nature = "free"
    rules = ("narateer.reveal.unambiguous-clue", "narateer.reveal.ambiguous-clue")
    parameters = (
        Parameter("clear", "choice", "whether it plainly gives the position away", choices=("yes", "no")),
        RANGE,
    )

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return replace(d, options={**d.options, "clear": pick(("yes", "no"))})

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if d.option("clear") not in ("", "yes", "no", "True", "False"):
            yield Refusal(self.rules[0], "clear is yes or no", "CLEAR")
        yield from range_refusals(d, self.rules[0])

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: narateer.reveal.warn-before-commit."""
        clear = d.option("clear") in ("yes", "True")
        return ("whoever hears it knows where you are",) if clear and conceals_itself(known, d.actor) else ()

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """Heard clearly it reveals; else whoever perceives it may follow it, and a Hide that waits is settled by it."""
        clear = d.option("clear") in ("yes", "True")
        rule = "narateer.reveal.unambiguous-clue" if clear else "narateer.reveal.ambiguous-clue"
        others = opponents(play.state, character(play.state, d.actor))
        far = carries(play.state, d)  # kept: the sound that was made
        hearers = [o.id for o in others if _hears(play.state, o, d, far)]  # kept: who heard it when it was made
        for hearer in hearers:
            play.emit(CluePerceived(rule, d.actor, hearer, clear))
        if clear:
            give_away(play, d.actor, hearers, rule, "heard")
        elif hearers:
            yield from resolve_waiting(play, d.actor, tuple(hearers))
            yield from window(play, ClueLeft(d.actor, tuple(hearers)))
        return Outcome(self.name, "heard" if hearers else "unheard", tuple(hearers))


def _hears(state: State, hearer: Character, d: Declaration, far: int) -> bool:
    """Whether a sound that carries so many metres reaches somebody who can hear it."""
    source = state.actors[d.actor]
    if "hearing" not in hearer.senses or hearer.down:
        return False
    return far > 0 and within_metres(state, hearer.at, source.at, far)


class FollowClue(Action):
    """Follow a clue: one Observation roll against the recorded total, which it must exceed.

    Whoever follows it is actively looking for the one who left it, and for nobody else.
    Rules: narateer.reveal.ambiguous-clue, narateer.hide.active-looking-definition.
    """

    name = "follow_clue"
    wants = ("found",)
    about = "follow a clue that you noticed"
    nature = "free"
    reacts_to = ClueLeft
    rules = ("narateer.reveal.ambiguous-clue",)

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        yield Declaration(actor, self.name)

    def complete(self, known: State, d: Declaration) -> Declaration:
        return stated(d, "find who made it", "follow the clue")

    def candidates(self, state: State, moment: ClueLeft) -> Iterable[Declaration]:
        for hearer in moment.hearers:
            if _record_against(state, moment.actor, hearer) is not None:
                yield Declaration(hearer, self.name)

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if not isinstance(moment, ClueLeft) or d.actor not in moment.hearers:
            yield Refusal(self.rules[0], "there is no clue that you have just noticed", "NO_CLUE")

    def price(self, known: State, d: Declaration) -> Price:
        base = one_ad("an Observation check", "narateer.reveal.ambiguous-clue")
        return base.plus(proactive_use(OBSERVATION)) if known.active == d.actor else base

    def check(self, known: State, d: Declaration) -> Check | None:
        return check_of(known, d.actor, OBSERVATION)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        assert isinstance(paid.moment, ClueLeft)
        hider = paid.moment.actor
        total = _record_against(play.state, hider, d.actor)
        if total is None:
            return Outcome(self.name, "found", (hider,))
        read = yield from check(play, d.actor, OBSERVATION, paid[d.actor], self.rules[0], against=total)
        rule = "narateer.hide.active-looking-definition"
        play.emit(SearchBegun(rule, d.actor, total=read.total, trail=hider))
        if read.value:
            play.emit(Revealed(self.rules[0], hider, d.actor, "followed a clue"))
        return Outcome(self.name, "found" if read.value else "nothing found", (hider,) if read.value else ())


def _record_against(state: State, hider: str, observer: str) -> int | None:
    """The total that the observer must exceed: what fooled it, or for one that has not met the Hide what stands."""
    held = state.relation(Hidden, hider, observer)
    if held is not None:
        return held.total
    stands = record(state, hider)
    return None if stands is None or considered(state, hider, observer) else stands.total


class CallOut(Action):
    """Tell others where somebody is: they know it then, and must still find them themselves to aim.

    Rules: narateer.search.others-learn-separately.
    """

    name = "call_out"
    about = "call out where somebody is"
    nature = "free"
    rules = ("narateer.search.others-learn-separately",)
    parameters = (Parameter("target", "actor", "who is where", required=True), RANGE)

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        for other in opponents(known, character(known, actor)):
            yield Declaration(actor, self.name, target=other.id)

    def label(self, known: State, d: Declaration) -> str:
        other = known.actors.get(d.target)
        return f"call out where {other.name if other else d.target} is"

    def complete(self, known: State, d: Declaration) -> Declaration:
        return stated(d, f"let the others know where {d.target} is", "call it out")

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        target = known.actors.get(d.target)
        if target is None or not locates(known, character(known, d.actor), target):
            text = f"you do not know where {d.target or 'that'} is"
            yield Refusal(self.rules[0], text, "NO_PRECISE_LOCATION")
        yield from range_refusals(d, self.rules[0])

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: narateer.reveal.warn-before-commit."""
        return ("whoever hears it knows where you are",) if conceals_itself(known, d.actor) else ()

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        """Allies in earshot learn what the caller believes; opponents in earshot learn where the caller is.

        Rules: narateer.search.others-learn-separately, narateer.reveal.by-side-effects.
        """
        state, rule = play.state, "narateer.reveal.by-side-effects"
        caller = character(state, d.actor)
        believed = known_to(state, caller.seat).actors.get(d.target)
        at = believed.at if believed is not None else None
        play.emit(CommunicatedPosition(self.rules[0], d.actor, d.target, at))
        far = carries(state, d)
        hearers = [a for a in state.actors.values() if a.id != caller.id and _hears(state, a, d, far)]
        told = [a.id for a in hearers if a.side == caller.side]
        for ally in told:
            if not locates_by_itself(play.state, ally, d.target):
                play.emit(Learned(self.rules[0], d.target, ally, at, "told"))
        give_away(play, d.actor, [a.id for a in hearers if a.side != caller.side], rule, "heard")
        return ended(Outcome(self.name, "told", tuple(told)))


def locates_by_itself(state: State, observer: str, target: str) -> bool:
    return locates(state, character(state, observer), character(state, target))
