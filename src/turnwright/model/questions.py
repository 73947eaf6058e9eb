"""What somebody must answer, and the answers; what a seat sees of a question is made in `known`."""

from __future__ import annotations

from turnwright.dice import Pool
from turnwright.model.deeds import Declaration, Refusal, Ruling
from turnwright.model.names import ActorId, Moment, RuleId, SeatId, Struct
from turnwright.model.prices import NOTHING, Price


class Option(Struct, frozen=True):
    """One thing that may be answered; `most` is how much may be committed with it, `price` what it costs without."""

    id: str
    label: str
    price: Price = NOTHING
    most: int = 0
    rule: RuleId = ""
    why_most: RuleId = ""
    """The rule that limits what may be committed with it."""


class Question(Struct, frozen=True, tag=True):
    """Something that somebody must answer before play goes on."""

    who: SeatId
    """The seat that is asked."""
    actor: ActorId
    """For whom it answers; empty for the guide's own word."""
    prompt: str
    rule: RuleId


class Roll(Question, frozen=True):
    """Dice to be thrown. With `against` the reading is whether the total exceeds it (meets it, where `ties` count).

    With `level` set besides, it is 1 above the number, 0 at it and -1 below it.
    """

    pool: Pool
    skill: str = ""
    against: int | None = None
    ties: bool = False
    level: bool = False

    def reading(self, total: int) -> int:
        """What a total reads as."""
        if self.against is None:
            return min(total, self.pool.most) if self.pool.most else total
        if self.level:
            return (total > self.against) - (total < self.against)
        return int(self.pool.passes(total, self.against, self.ties))


class Choose(Question, frozen=True):
    """One of several options, some with an amount committed to them."""

    options: tuple[Option, ...]
    about: str = ""
    """What standing answers go by: the name of a reaction, a response, an order."""
    refused: tuple[Refusal, ...] = ()
    """Why other answers are not open."""
    moment: Moment | None = None
    may_withdraw: bool = False
    because: str = ""
    """What has opened it, in words that whoever is asked may know."""
    first: bool = False
    """Whether several seats are asked for one decision, which the first of them to answer makes."""


class Commit(Question, frozen=True):
    """How much is committed beyond the price; the last moment at which a declaration can be withdrawn for nothing."""

    price: Price
    most: int
    skill: str = ""
    moment: Moment | None = None
    may_withdraw: bool = True
    warnings: tuple[str, ...] = ()
    ruling: Ruling | None = None


class Rule(Question, frozen=True):
    """The guide is asked to rule on a declaration; `suggested` are the answers of the rules of thumb, best first."""

    declaration: Declaration
    suggested: tuple[Ruling, ...] = ()


class Confirm(Question, frozen=True):
    """The actor is shown what the ruling changed, or a warning, and goes on or withdraws."""

    price: Price
    warnings: tuple[str, ...] = ()
    moment: Moment | None = None
    ruling: Ruling | None = None


class Clarify(Question, frozen=True):
    """The guide could not tell the goal or the means from the declaration."""


class Order(Question, frozen=True):
    """In which order several act."""

    among: tuple[ActorId, ...]


class Answer(Struct, frozen=True, tag=True):
    """What was answered."""


class Rolled(Answer, frozen=True):
    """A reading: the total, or 1 and 0 for yes and no. Faces and total are for the log and the screen."""

    value: int
    total: int | None = None
    faces: tuple[int, ...] = ()
    by: str = "engine"


class Chosen(Answer, frozen=True):
    """One of the options, by its id, and how much is committed with it."""

    id: str
    amount: int = 0


class Committed(Answer, frozen=True):
    """How much is committed beyond the price."""

    boost: int = 0


class Ruled(Answer, frozen=True):
    """The guide's ruling."""

    ruling: Ruling


class Confirmed(Answer, frozen=True):
    """It goes on at the price that was shown."""


class Clarified(Answer, frozen=True):
    """The goal and the means, said again; an empty one stays as it was."""

    intent: str = ""
    method: str = ""


class Ordered(Answer, frozen=True):
    """Those who act at the same moment, the first one first."""

    actors: tuple[ActorId, ...]


class Withdraw(Answer, frozen=True):
    """The declaration is taken back before anything is committed."""


class Again(Answer, frozen=True):
    """Something was interjected: the same question is put again. Never given by a person."""


AnyAnswer = Rolled | Chosen | Committed | Ruled | Confirmed | Clarified | Ordered | Withdraw
"""What an entry of a log can hold as an answer."""
