"""How hiding ends: sounds and other clues, following them up, and telling others what one has found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from turnwright.engine import Play, window
from turnwright.model import NOTHING, Check, Declaration, Moment, Outcome, Parameter, Price, Refusal, State
from turnwright.rules import Action, Pick, Settled, Steps, ended
from turnwright.systems.narateer.check import check, check_of, one_ad
from turnwright.systems.narateer.economy import proactive_use
from turnwright.systems.narateer.events import (
    CluePerceived,
    CommunicatedPosition,
    Hidden,
    Learned,
    Revealed,
    SearchBegun,
)
from turnwright.systems.narateer.hide import OBSERVATION
from turnwright.systems.narateer.intent import stated
from turnwright.systems.narateer.senses import ground_of, locates, metres_between, opponents
from turnwright.systems.narateer.sheet import Character, character, settings

TOPICS = ("sneak", "reveal")

# The rules of sneaking live in the movement and the newcomers' contest; they are listed here with those of revealing:
SNEAKING = (
    "narateer.sneak.walk-or-run-only",
    "narateer.sneak.concealed-continuous-route",
    "narateer.sneak.double-movement-cost",
    "narateer.sneak.uses-ordinary-allowance",
    "narateer.sneak.terrain-multiplies",
    "narateer.sneak.no-sprint",
    "narateer.sneak.no-new-check",
    "narateer.sneak.new-observer-passive",
    "narateer.sneak.new-observer-active",
    "narateer.sneak.example-12m",
)


class ClueLeft(Moment, frozen=True):
    """A clue that gives only a chance of discovery reached some creatures."""

    actor: str
    hearers: tuple[str, ...]


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
        Parameter("range", "number", "how far it carries, in metres; 0 for a whisper that nobody hears"),
    )

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return replace(d, options={**d.options, "clear": pick(("yes", "no"))})

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if d.option("clear") not in ("", "yes", "no", "True", "False"):
            yield Refusal(self.rules[0], "clear is yes or no", "CLEAR")

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: narateer.reveal.warn-before-commit."""
        if d.option("clear") in ("yes", "True") and known.related(Hidden, d.actor):
            return ("whoever hears it knows where you are",)
        return ()

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        clear = d.option("clear") in ("yes", "True")
        hearers = [o.id for o in opponents(play.state, character(play.state, d.actor)) if _hears(play.state, o, d)]
        for hearer in hearers:
            play.emit(CluePerceived("narateer.reveal.unambiguous-clue", d.actor, hearer, clear))
            hidden = play.state.relation(Hidden, d.actor, hearer) is not None
            if clear and hidden:
                play.emit(Revealed("narateer.reveal.unambiguous-clue", d.actor, hearer, "heard"))
            elif clear:
                play.emit(Learned("narateer.reveal.unambiguous-clue", d.actor, hearer, play.state.actors[d.actor].at))
        if not clear and hearers:
            yield from window(play, ClueLeft(d.actor, tuple(hearers)))
        return Outcome(self.name, "heard" if hearers else "unheard", tuple(hearers))


def _hears(state: State, hearer: Character, d: Declaration) -> bool:
    source = state.actors[d.actor]
    if "hearing" not in hearer.senses or hearer.down:
        return False
    if not isinstance(hearer.at, tuple) or not isinstance(source.at, tuple) or ground_of(state) is None:
        return bool(hearer.at == source.at)
    carries = int(d.options.get("range", settings(state).hearing_range))
    return carries > 0 and metres_between(state, hearer.at, source.at) <= carries


class FollowClue(Action):
    """Follow a clue: one Observation roll against the recorded total, which it must exceed.

    Rules: narateer.reveal.ambiguous-clue, narateer.hide.active-looking-definition.
    """

    name = "follow_clue"
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
            if state.relation(Hidden, moment.actor, hearer) is not None:
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
        held = play.state.relation(Hidden, hider, d.actor)
        if held is None:
            return Outcome(self.name, "found", (hider,))
        read = yield from check(play, d.actor, OBSERVATION, paid[d.actor], self.rules[0], against=held.total)
        at = play.state.actors[hider].at
        scope = (at,) if isinstance(at, tuple) else ()
        play.emit(SearchBegun("narateer.hide.active-looking-definition", d.actor, scope, "", read.total))
        if read.value:
            play.emit(Revealed(self.rules[0], hider, d.actor, "followed a clue"))
        return Outcome(self.name, "found" if read.value else "nothing found", (hider,) if read.value else ())


class CallOut(Action):
    """Tell others where somebody is: they know it then, and must still find them themselves to aim.

    Rules: narateer.search.others-learn-separately.
    """

    name = "call_out"
    about = "call out where somebody is"
    nature = "free"
    rules = ("narateer.search.others-learn-separately",)
    parameters = (Parameter("target", "actor", "who is where", required=True),)

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

    def price(self, known: State, d: Declaration) -> Price:
        return NOTHING

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        state = play.state
        caller, at = character(state, d.actor), state.actors[d.target].at
        play.emit(CommunicatedPosition(self.rules[0], d.actor, d.target, at))
        told = [
            a.id
            for a in state.actors.values()
            if a.side == caller.side and a.id != caller.id and _hears(state, a, Declaration(d.actor, self.name))
        ]
        for ally in told:
            if not locates_by_itself(play.state, ally, d.target):
                play.emit(Learned(self.rules[0], d.target, ally, at, "told"))
        return ended(Outcome(self.name, "told", tuple(told)))


def locates_by_itself(state: State, observer: str, target: str) -> bool:
    return locates(state, character(state, observer), character(state, target))
